/* `carom`, for Node.js. */
import { start, type Carom } from './carom.js';
import { compile, type Source } from './load.js';
import { beside } from './beside.js';
import { fromFile } from './file.js';
import * as binding from './generated/bind.f32.js';
export * from './public.js';

export async function init(source?: Source): Promise<Carom> {
  return start(await compile(await fromFile(source ?? beside())), binding);
}
