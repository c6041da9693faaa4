/* Threads of Node.js. They do not keep the program alive. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Platform } from './pool.js';

export const platform: Platform = {
  cores: availableParallelism,
  spawn(start) {
    const worker = new Worker(new URL('./thread.node.js', import.meta.url), { workerData: start });
    const ready = new Promise((done, fail) => worker.once('message', done).once('error', (error) => fail(new Error(`no thread could be started: ${error.message}`)))).then(() => worker.unref());
    return { ready, end: () => void worker.terminate() };
  },
};
