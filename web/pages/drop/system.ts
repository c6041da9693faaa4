/* What the C library of a module asks of a system: to write, and to end. */
import { join } from './read/stream';

export type Exports = Record<string, (...args: number[]) => number>;
class Ended extends Error {}

export class System {
  private readonly written: [Uint8Array[], Uint8Array[]] = [[], []];

  /** Starts a module that is given `imports` besides; one is for one module. */
  async start(module: WebAssembly.Module, imports: WebAssembly.Imports): Promise<{ exports: Exports; memory: WebAssembly.Memory }> {
    let memory: WebAssembly.Memory;
    const { written } = this;
    const system = {
      fd_write(fd: number, vectors: number, count: number, done: number): number {
        const view = new DataView(memory.buffer);
        let sum = 0;
        for (let i = 0; i < count; i++) {
          const at = view.getUint32(vectors + 8 * i, true), size = view.getUint32(vectors + 8 * i + 4, true);
          written[fd - 1 as 0 | 1].push(new Uint8Array(memory.buffer.slice(at, at + size)));
          sum += size;
        }
        view.setUint32(done, sum, true);
        return 0;
      },
      fd_close: () => 0,
      fd_seek: () => 70, // a pipe
      fd_fdstat_get(_fd: number, at: number): number {
        new Uint8Array(memory.buffer, at, 24).fill(0);
        return 0;
      },
      proc_exit(code: number): never { throw new Ended(String(code)); },
    };
    const exports = (await WebAssembly.instantiate(module, { ...imports, wasi_snapshot_preview1: system })).exports as unknown as Exports;
    memory = exports.memory as unknown as WebAssembly.Memory;
    exports._initialize!();
    return { exports, memory };
  }
  /** What `call` answers, or the code by which the module ends in it. */
  run(call: () => number): number {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      return Number(error.message);
    }
  }
  /** What was written to the standard output (0) or error (1) since the last time. */
  take(which: 0 | 1): Uint8Array<ArrayBuffer> { return join(this.written[which].splice(0)); }
}
