/* In a browser (page.mjs says which): the tests of two shapes' answers are those of Node.js; here it is the ways in, the
 * bits, a worker, and a page whose policy forbids all but WebAssembly. */
import test from 'node:test';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { open, skip } from './page.mjs';
import { alive } from './live.mjs';

for (const at of ['/page', '/strict'])
  test(`init in ${at === '/page' ? 'a page' : 'a page with wasm-unsafe-eval alone'}: fetched, double, within the script`, { skip }, async () => {
    const answers = await open(at, (page) => page.evaluate(`(async () => {
      const { live } = await import('/live.mjs');
      return [live(await carom.init()), live(await (await import('carom/f64')).init()), live(await (await import('carom/inline')).init())];
    })()`));
    assert.deepEqual(answers, [alive('float'), alive('double'), alive('float')]);
  });

test('in a worker', { skip }, async () => {
  fs.writeFileSync('worker.mjs', "import { init } from '/node_modules/carom/dist/index.js';\nimport { live } from '/live.mjs';\npostMessage(live(await init()));\n");
  const answer = await open('/page', (page) => page.evaluate(`new Promise((done, fail) => {
    const worker = new Worker('/worker.mjs', { type: 'module' });
    worker.onmessage = (e) => done(e.data);
    worker.onerror = (e) => fail(new Error(e.message));
  })`));
  assert.deepEqual(answer, alive('float'));
});

for (const name of ['carom', 'carom-f64'])
  test(`${name}: hashes over all answers are those of native builds`, { skip }, async () => {
    const failed = await open('/page', (page) => page.evaluate(`(async () => {
      const { golden } = await import('/golden.mjs');
      return golden(await WebAssembly.compileStreaming(fetch('/golden-${name}.wasm')));
    })()`));
    assert.deepEqual(failed, []);
  });

test('vite bundles it, and copies the module by itself', { skip }, async () => {
  const { build } = await import('vite');
  fs.mkdirSync('site', { recursive: true });
  fs.writeFileSync('site/index.html', '<!doctype html><script type="module" src="./main.js"></script>');
  fs.writeFileSync('site/main.js', "import * as carom from 'carom';\nimport { live } from '../live.mjs';\nwindow.answer = live(await carom.init());\nwindow.carom = carom;\n");
  await build({ root: 'site', base: './', logLevel: 'error', configFile: false, build: { target: 'es2022', assetsInlineLimit: 0 } });
  assert.deepEqual(fs.readdirSync('site/dist/assets').map((name) => name.replace(/-[^.]*\./, '.')).sort(), ['carom.wasm', 'carom.wasm', 'index.js'].sort());
  assert.deepEqual(await open('/site/dist/', (page) => page.evaluate('window.answer')), alive('float'));
});
