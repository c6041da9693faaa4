/* The module beside the scripts: that with vector instructions, where the engine has them. Both addresses are written
 * out, so that bundlers find and copy the files. */
import { hasSimd } from './load.js';

export function beside(): URL {
  return hasSimd() ? new URL('./carom.wasm', import.meta.url) : new URL('./carom-scalar.wasm', import.meta.url);
}
