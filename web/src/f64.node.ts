/* `carom/f64`, for Node.js. */
import { start, type Carom } from './carom.js';
import { compile, type Source } from './load.js';
import { fromFile } from './file.js';
import * as binding from './generated/bind.f64.js';
export * from './public.js';

export async function init(source?: Source): Promise<Carom> {
  return start(await compile(await fromFile(source ?? new URL('./carom-f64.wasm', import.meta.url))), binding);
}
