/* `carom`, for Node.js. */
import { start, type Carom } from './carom.js';
import { compile, hasSimd, type Source } from './load.js';
import { fromFile } from './file.js';
import * as binding from './generated/bind.f32.js';
export * from './public.js';

export async function init(source?: Source): Promise<Carom> {
  const beside = () => new URL(hasSimd() ? './carom.wasm' : './carom-scalar.wasm', import.meta.url);
  return start(await compile(await fromFile(source ?? beside())), binding);
}
