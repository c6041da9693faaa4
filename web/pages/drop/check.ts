/* The command's check as a module (module/drop.c): streams in, its JSON and its report page out. One is for one check. */
import { System, type Exports } from './system';

export type FailOn = 'default' | 'never' | 'crossing' | 'touching' | 'clearance';
const levels: readonly FailOn[] = ['default', 'never', 'crossing', 'touching', 'clearance'];
/** Lengths in metres. */
export interface Asked { clearance: number | null; tolerance: number | null; failOn: FailOn }
/** `code` is the exit code of the command: 0, 1 where the check fails, more where it could not be done. `messages` are
 * the lines that it says. */
export interface Answer { code: number; json: Uint8Array<ArrayBuffer>; messages: string[] }

export class Check {
  private constructor(private readonly exports: Exports, private readonly memory: WebAssembly.Memory, private readonly system: System) {}

  static async load(module: WebAssembly.Module, progress: (done: number, total: number) => void): Promise<Check> {
    const system = new System();
    const { exports, memory } = await system.start(module, { page: { progress } });
    return new Check(exports, memory, system);
  }
  private put(bytes: Uint8Array): number {
    const at = this.exports.malloc!(bytes.length) >>> 0;
    if (at === 0) throw new Error('The files are too large for this browser.');
    new Uint8Array(this.memory.buffer).set(bytes, at);
    return at;
  }

  /** As `carom check FILE... --format json`. */
  run(files: readonly { name: string; stream: Uint8Array }[], asked: Asked): Answer {
    for (const { name, stream } of files) this.exports.drop_add!(this.put(new TextEncoder().encode(`${name}\0`)), this.put(stream), stream.length);
    const code = this.system.run(() => this.exports.drop_check!(asked.clearance ?? -1, asked.tolerance ?? 0, levels.indexOf(asked.failOn)));
    const messages = new TextDecoder().decode(this.system.take(1)).split('\n').filter(Boolean).map((line) => line.replace(/^carom: /, ''));
    return { code, json: this.system.take(0), messages };
  }
  /** The page of `carom check --report`, of the last run. */
  report(): Uint8Array<ArrayBuffer> {
    this.exports.drop_report!();
    return this.system.take(0);
  }
}
