/* Threads of browsers, and of what has their Worker. */
import type { Platform } from './pool.js';

export const platform: Platform = {
  missing: () => (typeof Worker === 'undefined' ? 'there are no workers here' : undefined),
  cores: () => navigator.hardwareConcurrency || 1, // not all tell
  spawn(start) {
    // Bundlers look for these very words, and copy the file.
    const worker = new Worker(new URL('./thread.js', import.meta.url), { type: 'module', name: 'carom-thread' });
    const ready = new Promise((done, fail) => {
      worker.onmessage = done;
      worker.onerror = (e) => {
        e.preventDefault(); // it is said below
        fail(new Error(`no thread could be started: ${e.message || 'thread.js was not found, or may not be loaded'}`));
      };
    });
    worker.postMessage(start);
    return { ready, end: () => worker.terminate() };
  },
};
