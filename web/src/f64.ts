/* `carom/f64`: the same in double precision. */
import { start, type Carom } from './carom.js';
import { compile, type Source } from './load.js';
import * as binding from './generated/bind.f64.js';
export * from './public.js';

/** The library in double precision. Without a source the module beside this file is fetched. */
export async function init(source?: Source): Promise<Carom> {
  return start(await compile(source ?? new URL('./carom-f64.wasm', import.meta.url)), binding);
}
