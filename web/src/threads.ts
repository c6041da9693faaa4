/* `carom/threads`, for browsers, bundlers and workers. */
import type { Carom } from './carom.js';
import { startThreads, type ThreadOptions } from './pool.js';
import { platform } from './spawn.js';
import { beside } from './beside.js';
import * as binding from './generated/bind.f32.js';
export * from './public.js';
export type { ThreadOptions };

/** The library, computing with several threads; the answers are the same. It must be called where one may wait: in a
 * worker, not on the main thread of a page. Where there can be no threads there is one: `threads` of the answer says so,
 * and the console why. */
export async function init(options: ThreadOptions = {}): Promise<Carom> {
  return startThreads(binding, { ...options, source: options.source ?? beside() }, platform);
}
