/* In Chromium: the tests of two shapes' answers are those of Node.js; here it is the ways in, the bits, a worker, and a
 * page whose policy forbids all but WebAssembly. CHROMIUM names the browser; without one these tests skip. */
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((p) => fs.existsSync(p));
const skip = executablePath ? false : 'no Chromium';
const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' };
const imports = JSON.stringify({ imports: { carom: '/node_modules/carom/dist/index.js', 'carom/f64': '/node_modules/carom/dist/f64.js', 'carom/inline': '/node_modules/carom/dist/inline.js' } });
let browser, server, origin;

before(async () => {
  if (skip) return;
  server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (pathname === '/page' || pathname === '/strict') {
      response.setHeader('content-type', 'text/html');
      if (pathname === '/strict') response.setHeader('content-security-policy', "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'nonce-map'; connect-src 'self'");
      response.end(`<!doctype html><script type="importmap" nonce="map">${imports}</script><script type="module" nonce="map">import * as carom from 'carom'; window.carom = carom;</script>`);
      return;
    }
    const file = path.join('.', path.normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    if (!fs.existsSync(file)) { response.statusCode = 404; response.end(); return; }
    response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream');
    response.end(fs.readFileSync(file));
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});
after(async () => {
  await browser?.close();
  server?.close();
});

async function open(at, run) {
  const page = await browser.newPage(), said = [];
  page.on('console', (message) => message.type() === 'error' && !/favicon/.test(message.location().url) && said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  await page.goto(origin + at);
  await page.waitForFunction('window.carom');
  const answer = await run(page);
  assert.deepEqual(said, []);
  await page.close();
  return answer;
}
/* What a page does with a library: enough to see that it lives; callbacks too. */
const live = `async (cm) => {
  cm.selftest();
  const world = cm.world(), a = world.add({ shape: cm.sphere(1) });
  world.update();
  const found = world.overlap(cm.box([1, 1, 1]), { position: [1.5, 0, 0] }, { accept: (id) => id === a });
  return [cm.precision, cm.distance(cm.sphere(1), { position: [3, 0, 0] }, cm.sphere(1)), found.length];
}`;

for (const at of ['/page', '/strict'])
  test(`init in ${at === '/page' ? 'a page' : 'a page with wasm-unsafe-eval alone'}: fetched, double, within the script`, { skip }, async () => {
    const answers = await open(at, (page) => page.evaluate(`(async () => {
      const live = ${live};
      return [await live(await carom.init()), await live(await (await import('carom/f64')).init()), await live(await (await import('carom/inline')).init())];
    })()`));
    assert.deepEqual(answers, [['float', 1, 1], ['double', 1, 1], ['float', 1, 1]]);
  });

test('in a worker', { skip }, async () => {
  fs.writeFileSync('worker.mjs', `import { init } from '/node_modules/carom/dist/index.js';\nconst live = ${live};\npostMessage(await live(await init()));\n`);
  const answer = await open('/page', (page) => page.evaluate(`new Promise((done, fail) => {
    const worker = new Worker('/worker.mjs', { type: 'module' });
    worker.onmessage = (e) => done(e.data);
    worker.onerror = (e) => fail(new Error(e.message));
  })`));
  assert.deepEqual(answer, ['float', 1, 1]);
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
  fs.writeFileSync('site/main.js', `import * as carom from 'carom';\nconst live = ${live};\nwindow.answer = await live(await carom.init());\nwindow.carom = carom;\n`);
  await build({ root: 'site', base: './', logLevel: 'error', configFile: false, build: { target: 'es2022', assetsInlineLimit: 0 } });
  assert.deepEqual(fs.readdirSync('site/dist/assets').map((name) => name.replace(/-[^.]*\./, '.')).sort(), ['carom.wasm', 'carom.wasm', 'index.js'].sort());
  assert.deepEqual(await open('/site/dist/', (page) => page.evaluate('window.answer')), ['float', 1, 1]);
});
