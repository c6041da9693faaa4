/* Bundlers, for a page and for Node.js: each must find the module by itself, and copy it. */
import test from 'node:test';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { open, skip } from './page.mjs';
import { alive } from './live.mjs';

/** A page, and a program for Node.js, that ask, to be bundled into FOLDER/dist/main.js. */
function site(folder) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(`${folder}/dist`, { recursive: true });
  fs.writeFileSync(`${folder}/dist/index.html`, '<!doctype html><script type="module" src="./main.js"></script>');
  fs.writeFileSync(`${folder}/main.js`, `import * as carom from 'carom';
import * as f64 from 'carom/f64';
import { live } from '../live.mjs';
const answers = [live(await carom.init()), live(await f64.init())];
if (typeof window === 'undefined') console.log(JSON.stringify(answers));
else Object.assign(window, { answers, carom });\n`);
  return path.resolve(folder);
}
const answers = [alive('float'), alive('double')];
function copied(folder) {
  const sizes = (files) => files.filter((name) => name.endsWith('.wasm')).map((name) => fs.statSync(name).size).sort();
  const all = (at) => fs.readdirSync(at, { recursive: true }).map((name) => path.join(at, name));
  assert.deepEqual(sizes(all(`${folder}/dist`)), sizes(all('node_modules/carom/dist')), 'all three modules are there, once');
}
async function opens(folder) {
  copied(folder);
  assert.deepEqual(await open(`/${folder}/dist/`, (page) => page.evaluate('window.answers')), answers);
}
function runs(folder) {
  copied(folder);
  assert.deepEqual(JSON.parse(execFileSync(process.execPath, [`${folder}/dist/main.js`], { encoding: 'utf8' })), answers);
}

async function webpack(folder, target, more) {
  const { default: pack } = await import('webpack'), at = site(folder);
  const stats = await promisify(pack)({ mode: 'production', target, context: at, entry: './main.js', output: { path: `${at}/dist`, filename: 'main.js' }, performance: { hints: false }, ...more });
  assert.equal(stats.toString({ all: false, errors: true, warnings: true }), '');
}
async function rollup(folder, resolve) {
  const [tool, { nodeResolve }, { importMetaAssets }] = await Promise.all([import('rollup'), import('@rollup/plugin-node-resolve'), import('@web/rollup-plugin-import-meta-assets')]);
  const at = site(folder), warnings = [];
  const bundle = await tool.rollup({ input: `${at}/main.js`, external: /^node:/, plugins: [nodeResolve(resolve), importMetaAssets()], onwarn: (warning) => warnings.push(warning.message) });
  await bundle.write({ dir: `${at}/dist`, format: 'es' });
  await bundle.close();
  assert.deepEqual(warnings, []);
}
test('webpack, a page', { skip }, async () => {
  await webpack('webpack', 'web');
  await opens('webpack');
});
test('rollup with the plugin for import.meta assets, a page', { skip }, async () => {
  await rollup('rollup', { browser: true });
  await opens('rollup');
});
test('webpack, for Node.js', async () => {
  await webpack('webpack-node', 'node', { experiments: { outputModule: true }, output: { path: path.resolve('webpack-node/dist'), filename: 'main.js', module: true } });
  runs('webpack-node');
});
test('rollup with the plugin for import.meta assets, for Node.js', async () => {
  await rollup('rollup-node', { exportConditions: ['node'] });
  runs('rollup-node');
});
