/* Bundlers, in a page: each must find the module by itself, and copy it. */
import test from 'node:test';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { open, skip } from './page.mjs';
import { alive } from './live.mjs';

/** A page that asks, to be bundled into FOLDER/dist/main.js. */
function site(folder) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(`${folder}/dist`, { recursive: true });
  fs.writeFileSync(`${folder}/dist/index.html`, '<!doctype html><script type="module" src="./main.js"></script>');
  fs.writeFileSync(`${folder}/main.js`, `import * as carom from 'carom';
import * as f64 from 'carom/f64';
import { live } from '../live.mjs';
window.answers = [live(await carom.init()), live(await f64.init())];
window.carom = carom;\n`);
  return path.resolve(folder);
}
async function opens(folder) {
  const sizes = (files) => files.filter((name) => name.endsWith('.wasm')).map((name) => fs.statSync(name).size).sort();
  const all = (at) => fs.readdirSync(at, { recursive: true }).map((name) => path.join(at, name));
  assert.deepEqual(sizes(all(`${folder}/dist`)), sizes(all('node_modules/carom/dist')), 'all three modules are there, once');
  assert.deepEqual(await open(`/${folder}/dist/`, (page) => page.evaluate('window.answers')), [alive('float'), alive('double')]);
}

test('webpack', { skip }, async () => {
  const { default: webpack } = await import('webpack'), at = site('webpack');
  const stats = await promisify(webpack)({ mode: 'production', target: 'web', context: at, entry: './main.js', output: { path: `${at}/dist`, filename: 'main.js' }, performance: { hints: false } });
  assert.equal(stats.toString({ all: false, errors: true, warnings: true }), '');
  await opens('webpack');
});
test('rollup, with the plugin for import.meta assets', { skip }, async () => {
  const [{ rollup }, { nodeResolve }, { importMetaAssets }] = await Promise.all([import('rollup'), import('@rollup/plugin-node-resolve'), import('@web/rollup-plugin-import-meta-assets')]);
  const at = site('rollup'), warnings = [];
  const bundle = await rollup({ input: `${at}/main.js`, plugins: [nodeResolve({ browser: true }), importMetaAssets()], onwarn: (warning) => warnings.push(warning.message) });
  await bundle.write({ dir: `${at}/dist`, format: 'es' });
  await bundle.close();
  assert.deepEqual(warnings, []);
  await opens('rollup');
});
