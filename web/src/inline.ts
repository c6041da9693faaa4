/* `carom/inline`: the module as text within the script, for where no second file can be had. It takes an engine with
 * vector instructions and DecompressionStream (every browser since May 2023). */
import { start, type Carom } from './carom.js';
import { compile } from './load.js';
import base64 from './carom.wasm.js';
import * as binding from './generated/bind.f32.js';
export * from './public.js';

export async function init(): Promise<Carom> {
  const packed = new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]);
  return start(await compile(new Response(packed.stream().pipeThrough(new DecompressionStream('gzip')))), binding);
}
