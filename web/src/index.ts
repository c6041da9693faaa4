/* `carom`, for browsers, bundlers, workers, deno and bun. */
import { start, type Carom } from './carom.js';
import { compile, type Source } from './load.js';
import { beside } from './beside.js';
import * as binding from './generated/bind.f32.js';
export * from './public.js';

/** The library, ready to be asked. Without a source the module beside this file is fetched: that with vector
 * instructions, where the engine has them. */
export async function init(source?: Source): Promise<Carom> {
  return start(await compile(source ?? beside()), binding);
}
