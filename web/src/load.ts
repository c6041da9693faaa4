/* From what a caller has to a compiled module. */

/** A URL, what was fetched from one, the bytes, or the compiled module. */
export type Source = string | URL | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module;

/* A function that makes a vector of 16 bytes and takes its population count. */
const vectors = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
export function hasSimd(): boolean { return WebAssembly.validate(vectors); }

export async function compile(source: Source): Promise<WebAssembly.Module> {
  const given = await source;
  if (given instanceof WebAssembly.Module) return given;
  if (typeof given === 'string' || given instanceof URL) return compile(await fetch(given));
  if (typeof Response !== 'undefined' && given instanceof Response) {
    if (!given.ok) throw new Error(`carom: ${given.url}: ${given.status} ${given.statusText}`);
    // A server that does not know the type is none that can stream.
    return given.headers.get('content-type')?.startsWith('application/wasm') ? WebAssembly.compileStreaming(given) : WebAssembly.compile(await given.arrayBuffer());
  }
  return WebAssembly.compile(given as BufferSource);
}
