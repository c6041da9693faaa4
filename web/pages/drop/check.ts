/* The command's check as a module (module/drop.c): streams in, its JSON and its report page out. One is for one check. */
import { join } from './read/stream';

export type FailOn = 'default' | 'never' | 'crossing' | 'touching' | 'clearance';
const levels: readonly FailOn[] = ['default', 'never', 'crossing', 'touching', 'clearance'];
/** Lengths in metres. */
export interface Asked { clearance: number | null; tolerance: number | null; failOn: FailOn }
/** `code` is the exit code of the command: 0, 1 where the check fails, more where it could not be done. `messages` are
 * the lines that it says. */
export interface Answer { code: number; json: Uint8Array<ArrayBuffer>; messages: string[] }

class Ended extends Error {}

export class Check {
  private constructor(private readonly exports: Record<string, (...args: number[]) => number>, private readonly memory: WebAssembly.Memory,
    private readonly written: [Uint8Array[], Uint8Array[]]) {}

  static async load(module: WebAssembly.Module, progress: (done: number, total: number) => void): Promise<Check> {
    const written: [Uint8Array[], Uint8Array[]] = [[], []];
    let memory: WebAssembly.Memory;
    // what the C library asks of a system: to write, and to end
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
    const instance = await WebAssembly.instantiate(module, { page: { progress }, wasi_snapshot_preview1: system });
    const exports = instance.exports as unknown as Record<string, (...args: number[]) => number>;
    memory = exports.memory as unknown as WebAssembly.Memory;
    exports._initialize!();
    return new Check(exports, memory, written);
  }
  private put(bytes: Uint8Array): number {
    const at = this.exports.malloc!(bytes.length) >>> 0;
    if (at === 0) throw new Error('The files are too large for this browser.');
    new Uint8Array(this.memory.buffer).set(bytes, at);
    return at;
  }
  private take(which: 0 | 1): Uint8Array<ArrayBuffer> { return join(this.written[which].splice(0)); }

  /** As `carom check FILE... --format json`. */
  run(files: readonly { name: string; stream: Uint8Array }[], asked: Asked): Answer {
    let code: number;
    for (const { name, stream } of files) this.exports.drop_add!(this.put(new TextEncoder().encode(`${name}\0`)), this.put(stream), stream.length);
    try {
      code = this.exports.drop_check!(asked.clearance ?? -1, asked.tolerance ?? 0, levels.indexOf(asked.failOn));
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      code = Number(error.message);
    }
    const messages = new TextDecoder().decode(this.take(1)).split('\n').filter(Boolean).map((line) => line.replace(/^carom: /, ''));
    return { code, json: this.take(0), messages };
  }
  /** The page of `carom check --report`, of the last run. */
  report(): Uint8Array<ArrayBuffer> {
    this.exports.drop_report!();
    return this.take(0);
  }
}
