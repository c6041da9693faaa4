/* In a browser (page.mjs says which): the tests of two shapes' answers are those of Node.js; here it is the ways in, the
 * bits, workers, threads, and a page whose policy forbids all but WebAssembly. */
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

/* A worker has no import map. What it says: threads, and what the story tells. */
function threaded(at, threads, entry, dist = '/node_modules/carom/dist') {
  fs.writeFileSync('threaded.mjs', `import { story } from '/story.mjs';
async function answer({ threads, entry, dist }) {
  const { init } = await import(dist + '/' + entry + '.js'), said = [];
  console.warn = (text) => said.push(text);
  const cm = await init(entry.startsWith('threads') ? { threads } : undefined), told = [cm.threads, story(cm), said.join()];
  cm.dispose();
  return told;
}
onmessage = ({ data }) => answer(data).then(postMessage, (error) => postMessage(String(error.stack)));\n`);
  return open(at, (page) => page.evaluate(`new Promise((done, fail) => {
    const worker = new Worker('/threaded.mjs', { type: 'module' });
    worker.onmessage = (e) => done(e.data);
    worker.onerror = (e) => fail(new Error(e.message));
    worker.postMessage({ threads: ${threads}, entry: '${entry}', dist: '${dist}' });
  })`));
}
for (const [entry, alone] of [['threads', 'index'], ['threads-f64', 'f64']])
  test(`${entry}: in a worker of an isolated page three threads answer as one`, { skip }, async () => {
    const [, told] = await threaded('/page', 1, alone);
    assert.deepEqual(await threaded('/isolated', 3, entry), [3, told, '']);
    const [one, same, why] = await threaded('/page', 3, entry);
    assert.deepEqual([one, same], [1, told]);
    assert.match(why, /Cross-Origin-Opener-Policy/);
  });
test('where no thread can be started there is one, and the console says why', { skip }, async () => {
  fs.cpSync('node_modules/carom/dist', 'lacking', { recursive: true });
  fs.writeFileSync('lacking/thread.js', `if (self.name === 'carom-thread') throw new Error('mine');\n${fs.readFileSync('lacking/thread.js', 'utf8')}`);
  const [, told] = await threaded('/page', 1, 'index'), [one, same, why] = await threaded('/isolated', 3, 'threads', '/lacking');
  assert.deepEqual([one, same], [1, told]);
  assert.match(why, /one thread only, as no thread could be started: .*mine/);
});
test('the main thread of a page, which may not wait, has one thread, and is told why', { skip }, async () => {
  const [threads, why] = await open('/isolated', (page) => page.evaluate(`(async () => {
    const said = [];
    console.warn = (text) => said.push(text);
    const cm = await (await import('carom/threads')).init({ threads: 3 });
    cm.selftest();
    return [cm.threads, said.join()];
  })()`));
  assert.equal(threads, 1);
  assert.match(why, /call init in a worker/);
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
test('vite bundles threads', { skip }, async () => {
  const { build } = await import('vite'), folder = 'site-threads';
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(`${folder}/index.html`, '<!doctype html><script type="module" src="./main.js"></script>');
  fs.writeFileSync(`${folder}/main.js`, "const worker = new Worker(new URL('./work.js', import.meta.url), { type: 'module' });\nworker.onmessage = (e) => (window.carom = e.data);\n");
  fs.writeFileSync(`${folder}/work.js`, "import { init } from 'carom/threads';\nimport { live } from '../live.mjs';\nimport { init as alone } from 'carom';\nimport { pairs } from '../story.mjs';\nconst cm = await init({ threads: 2 }), one = await alone();\npostMessage([cm.threads, live(cm), pairs(cm), pairs(one)]);\n");
  await build({ root: folder, base: './', logLevel: 'error', configFile: false, worker: { format: 'es' }, build: { target: 'es2022', assetsInlineLimit: 0 } });
  const [threads, live, told, alone] = await open(`/${folder}/dist/`, (page) => page.evaluate('window.carom'));
  assert.deepEqual([threads, live], [2, alive('float')]);
  assert.deepEqual(told, alone); // in the same engine, as the story takes its numbers from Math
});
