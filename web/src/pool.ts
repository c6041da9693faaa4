/* Threads behind the library's tasks. The owner, who calls the library, and its threads are instances of one module over
 * one memory; each takes indices of a job from a shared counter until none is left, so answers cannot depend on who
 * takes which. The owner takes part, then waits: so it must be one that may wait, not the main thread of a page.
 *
 * A callback of the caller's is a function of the owner's: a thread that needs one leaves the call in the shared numbers
 * and waits; the owner answers between its own indices and while it waits. */
import { PlainShape } from './owner.js';
import { Carom, start, type Binding } from './carom.js';
import { Memory, type Exports } from './memory.js';
import { compile, hasSimd, type Source } from './load.js';
import { share } from './share.js';
import { at, bytes, CALL, importsOf, TEXT, threadsMost, type Start } from './thread.js';

export interface ThreadOptions {
  /** How many threads compute, the one that calls among them; left out: as many as the machine has, at most 8. */
  threads?: number;
  /** The module: its address, a Response or its bytes. A compiled module will not do. */
  source?: Source;
}
/** A thread as the platform has it. */
export interface Thread { ready: Promise<unknown>; end(): void }
export interface Platform {
  /** Why there are no threads; undefined where there are. */
  missing?(): string | undefined;
  cores(): number;
  spawn(start: Start): Thread;
}

const STACK = 1 << 20;

export class Pool {
  private readonly c: Int32Array;
  private readonly calls: Float64Array;
  private readonly text: Uint16Array;
  private running = false;
  private ending = false;
  private threads: Thread[] = [];
  private memory!: Memory;
  private some!: (fn: number, arg: number, first: number, last: number, worker: number) => void;
  private readonly control = new SharedArrayBuffer(bytes.all);

  constructor(readonly workers: number) {
    this.c = new Int32Array(this.control, 0, at.asks + threadsMost);
    this.calls = new Float64Array(this.control, bytes.calls, CALL * threadsMost);
    this.text = new Uint16Array(this.control, bytes.text, TEXT);
  }
  get count(): number { return 1 + this.threads.length; }

  async start(memory: Memory, exports: Exports, module: WebAssembly.Module, shared: WebAssembly.Memory, spawn: Platform['spawn']): Promise<void> {
    this.memory = memory;
    this.some = exports.work as typeof this.some;
    const tasks = exports.share!(this.workers) as number;
    if (tasks === 0) throw new TypeError('carom: this module was compiled for one thread');
    try {
      for (let worker = 1; worker < this.workers; worker++)
        this.threads.push(spawn({ module, memory: shared, control: this.control, worker, stack: (memory.allocate(STACK) + STACK) & -16 }));
      await Promise.all(this.threads.map((thread) => thread.ready));
    } catch (error) {
      this.end();
      return alone((error as Error).message);
    }
    memory.tasks = tasks;
  }
  /** Ends the threads, after the job that they are at; from then on the owner does all work. */
  end(): void {
    if ((this.ending = this.running)) return;
    for (const thread of this.threads) thread.end();
    this.threads = [];
  }

  /** What the library calls: fn(arg, index, worker) for every index. */
  run(count: number, fn: number, arg: number): void {
    const { c } = this;
    if (this.running || this.threads.length === 0) return this.some(fn, arg, 0, count, 0); // a callback's own question
    this.running = true;
    const chunk = 1 + Math.floor(count / (8 * this.workers)); // the ends come out even
    c[at.next] = 0, c[at.count] = count, c[at.chunk] = chunk, c[at.fn] = fn, c[at.arg] = arg, c[at.busy] = this.threads.length;
    Atomics.add(c, at.job, 1);
    Atomics.notify(c, at.job);
    let failure: unknown;
    try {
      for (let first; (first = Atomics.add(c, at.next, chunk)) < count; this.answer()) this.some(fn, arg, first, Math.min(count, first + chunk), 0);
    } catch (error) {
      failure = error;
      Atomics.store(c, at.next, count);
    }
    for (;;) {
      const signal = Atomics.load(c, at.signal);
      this.answer();
      if (Atomics.load(c, at.busy) === 0) break;
      Atomics.wait(c, at.signal, signal);
    }
    this.running = false;
    if (this.ending) this.end();
    if (failure === undefined && c[at.failed] === 0) return;
    // What the job should have written is not there, and what called for it cannot go on.
    failure ??= new Error(`carom: a thread failed: ${String.fromCharCode(...this.text).replace(/\0.*/s, '')}`);
    this.memory.broken = failure as Error;
    this.end();
    throw failure;
  }
  private answer(): void {
    for (let worker = 1; worker < this.workers; worker++) {
      if (Atomics.load(this.c, at.asks + worker) === 0) continue;
      const i = CALL * worker, call = this.calls;
      call[i + CALL - 1] = this.memory.dispatch(call[i]!, call[i + 1]!, call[i + 2]!, call[i + 3]!, call[i + 4]!) ?? 0;
      Atomics.store(this.c, at.asks + worker, 0);
      Atomics.notify(this.c, at.asks + worker);
    }
  }
}

function alone(why: string): void { console.warn(`carom: one thread only, as ${why}`); }

/** Why there can be no threads here; undefined where there can. */
function missing(source: unknown, platform: Platform): string | undefined {
  const none = platform.missing?.();
  if (none) return none;
  if (typeof SharedArrayBuffer === 'undefined')
    return 'memory cannot be shared: serve the page with the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp';
  if (!hasSimd()) return 'the engine is too old';
  if (source instanceof WebAssembly.Module) return 'a compiled module cannot be shared: give its address or its bytes';
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1);
  } catch {
    return 'the main thread of a page may not wait: call init in a worker';
  }
  return undefined;
}
/** As large as it may become; where there is no room for that, less. */
function memoryOf(pages: number): WebAssembly.Memory {
  for (let maximum = 32768; ; maximum /= 2)
    try {
      return new WebAssembly.Memory({ initial: pages, maximum, shared: true });
    } catch (error) {
      if (maximum < 2 * pages) throw error;
    }
}
async function bytesOf(source: Source): Promise<Uint8Array> {
  const given = (await source) as string | URL | Response | ArrayBuffer | ArrayBufferView;
  if (typeof given === 'string' || given instanceof URL) return bytesOf(await fetch(given));
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  if (!(given instanceof Response)) return new Uint8Array(given);
  if (!given.ok) throw new Error(`carom: ${given.url}: ${given.status} ${given.statusText}`);
  return new Uint8Array(await given.arrayBuffer());
}

/** @internal */
export async function startThreads(binding: Binding, { threads, source: given }: ThreadOptions & { source: Source }, platform: Platform): Promise<Carom> {
  threads ??= Math.min(8, platform.cores());
  if (!(threads >= 1 && threads <= threadsMost)) throw new RangeError(`threads: ${threads} is not in 1 to ${threadsMost}`);
  const why = threads > 1 ? missing(given, platform) : '';
  if (why) alone(why);
  if (why !== undefined) return start(await compile(given), binding);
  const { bytes: code, pages, data } = share(await bytesOf(given));
  const module = await WebAssembly.compile(code), shared = memoryOf(pages), pool = new Pool(threads);
  for (const piece of data) new Uint8Array(shared.buffer).set(piece.bytes, piece.at);
  let memory: Memory;
  const call = (slot: number, a: number, b: number, c: number, d: number): number => memory.dispatch(slot, a, b, c, d);
  const run = (_: number, count: number, fn: number, arg: number): void => pool.run(count, fn, arg);
  const { exports } = await WebAssembly.instantiate(module, importsOf(module, (name) => (name === 'memory' ? shared : name === 'run' ? run : call)));
  memory = new Memory(exports as Exports, shared, (words) => new PlainShape(words));
  await pool.start(memory, exports as Exports, module, shared, platform.spawn);
  return new Carom(memory, binding, pool);
}
