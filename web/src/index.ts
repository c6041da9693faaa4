/* `carom`, for browsers, bundlers, workers, deno and bun. */
import { start, type Carom } from './carom.js';
import { compile, hasSimd, type Source } from './load.js';
import * as binding from './generated/bind.f32.js';
export * from './public.js';

/** The library, ready to be asked. Without a source the module beside this file is fetched: that with vector
 * instructions, where the engine has them. */
export async function init(source?: Source): Promise<Carom> {
  const beside = () => (hasSimd() ? new URL('./carom.wasm', import.meta.url) : new URL('./carom-scalar.wasm', import.meta.url));
  return start(await compile(source ?? beside()), binding);
}
