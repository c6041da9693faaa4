/* A thread of the pool (pool.ts): an instance of the module over the shared memory, with a stack of its own, that waits
 * for work and takes indices until none is left. The file imports nothing, so that it can be copied as it is. */

/** What stands where in the numbers that all threads share. */
export const at = {
  /** Counts jobs: threads wait for it to change. */
  job: 0,
  /** The job: the next index that nobody has taken, how many there are, how many one takes at once, function, argument. */
  next: 1, count: 2, chunk: 3, fn: 4, arg: 5,
  /** Threads that are at it. */
  busy: 6,
  /** Changes when a thread has done, or asks for something: the owner waits for it. */
  signal: 7,
  /** 1 once a thread has failed; its words are in `text`. */
  failed: 8,
  /** For each thread, 0 or 1 while it asks for a callback. */
  asks: 16,
} as const;
export const CALL = 6; // numbers of a call, in doubles: slot, four arguments, the answer
export const TEXT = 256; // of a failure
const ASKS = 64; // in a job that asks more often the rest is the owner's, who needs not ask
export const threadsMost = 64;
export const bytes = { calls: 4 * (at.asks + threadsMost), text: 4 * (at.asks + threadsMost) + 8 * CALL * threadsMost, all: 4 * (at.asks + threadsMost) + 8 * CALL * threadsMost + 2 * TEXT };

export function importsOf(module: WebAssembly.Module, find: (name: string) => WebAssembly.ImportValue): WebAssembly.Imports {
  const imports: WebAssembly.Imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = find(name);
  return imports;
}

/** What a thread is given. */
export interface Start {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  control: SharedArrayBuffer;
  worker: number;
  /** The end of its stack, which grows down. */
  stack: number;
}

export async function serve({ module, memory, control, worker, stack }: Start, ready: () => void): Promise<never> {
  const c = new Int32Array(control, 0, at.asks + threadsMost), call = new Float64Array(control, bytes.calls + 8 * CALL * worker, CALL), text = new Uint16Array(control, bytes.text, TEXT);
  const tell = (): void => { Atomics.add(c, at.signal, 1); Atomics.notify(c, at.signal); };
  // The caller's functions are the owner's: it is asked, and called back while it waits.
  let asked = 0;
  const ask = (...args: number[]): number => {
    asked++;
    call.set(args);
    Atomics.store(c, at.asks + worker, 1);
    tell();
    while (Atomics.load(c, at.asks + worker) === 1) Atomics.wait(c, at.asks + worker, 1);
    return call[CALL - 1]!;
  };
  const { exports } = await WebAssembly.instantiate(module, importsOf(module, (name) => (name === 'memory' ? memory : ask)));
  (exports.__stack_pointer as WebAssembly.Global).value = stack;
  const work = exports.work as (fn: number, arg: number, first: number, last: number, worker: number) => void;
  ready();
  for (let job = 0; ;) {
    while (Atomics.load(c, at.job) === job) Atomics.wait(c, at.job, job);
    job = Atomics.load(c, at.job);
    asked = 0;
    try {
      const count = c[at.count]!, chunk = c[at.chunk]!, fn = c[at.fn]!, arg = c[at.arg]!;
      for (let first; asked <= ASKS && (first = Atomics.add(c, at.next, chunk)) < count;) work(fn, arg, first, Math.min(count, first + chunk), worker);
    } catch (error) {
      if (Atomics.exchange(c, at.failed, 1) === 0) text.set([...String(error).slice(0, TEXT - 1)].map((s) => s.charCodeAt(0)));
      Atomics.store(c, at.next, c[at.count]!); // nobody need go on
    }
    Atomics.sub(c, at.busy, 1);
    tell();
  }
}

// A browser's worker of this name; in Node.js thread.node.ts does this.
declare const WorkerGlobalScope: { new (): { name: string } } | undefined;
if (typeof WorkerGlobalScope !== 'undefined' && self instanceof WorkerGlobalScope && self.name === 'carom-thread')
  self.onmessage = ({ data }: MessageEvent<Start>): void => { void serve(data, () => self.postMessage('ready')); };
