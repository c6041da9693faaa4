/* A thread of Node.js. */
import { parentPort, workerData } from 'node:worker_threads';
import { serve } from './thread.js';

await serve(workerData, () => parentPort!.postMessage('ready'));
