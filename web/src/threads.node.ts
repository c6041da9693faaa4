/* `carom/threads`, for Node.js. */
import type { Carom } from './carom.js';
import { startThreads, type ThreadOptions } from './pool.js';
import { platform } from './spawn.node.js';
import { fromFile } from './file.js';
import { beside } from './beside.js';
import * as binding from './generated/bind.f32.js';
export * from './public.js';
export type { ThreadOptions };

export async function init(options: ThreadOptions = {}): Promise<Carom> {
  return startThreads(binding, { ...options, source: await fromFile(options.source ?? beside()) }, platform);
}
