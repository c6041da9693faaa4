/* What a page fetches: each entry's script, bundled and minified, and its module; plain and by brotli.
 *   node bench/sizes.mjs      in web/, after ./build */
import fs from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

const kb = (bytes) => `${Math.round(bytes.length / 1000)} KB, brotli ${Math.round(brotliCompressSync(bytes).length / 1000)} KB`;
for (const [entry, module] of [['index', 'carom'], ['index', 'carom-scalar'], ['f64', 'carom-f64'], ['inline'], ['threads', 'carom'], ['threads-f64', 'carom-f64']]) {
  const { outputFiles } = await build({ entryPoints: [new URL(`../dist/${entry}.js`, import.meta.url).pathname], bundle: true, minify: true, format: 'esm', write: false });
  console.log(`${entry}.js ${kb(outputFiles[0].contents)}${module ? `; ${module}.wasm ${kb(fs.readFileSync(new URL(`../dist/${module}.wasm`, import.meta.url)))}` : ''}`);
}
