/* Serves this folder, and opens pages of it in a browser: Chromium, or, where CAROM_BROWSER is firefox, Firefox.
 * CHROMIUM and FIREFOX name the programs; where there is none, `skip` says so. */
import { after, before } from 'node:test';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

export const firefox = process.env.CAROM_BROWSER === 'firefox';
const executablePath = (firefox ? [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'] : [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'])
  .find((p) => p && fs.existsSync(p));
export const skip = executablePath ? false : `no ${firefox ? 'Firefox' : 'Chromium'}`;
const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' };
const imports = JSON.stringify({ imports: { carom: '/node_modules/carom/dist/index.js', 'carom/f64': '/node_modules/carom/dist/f64.js', 'carom/inline': '/node_modules/carom/dist/inline.js', 'carom/threads': '/node_modules/carom/dist/threads.js', 'carom/threads-f64': '/node_modules/carom/dist/threads-f64.js' } });
let browser, server, origin;

async function launch() {
  if (!firefox) return (await import('playwright-core')).chromium.launch({ executablePath, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
  return (await import('puppeteer-core')).launch({ browser: 'firefox', executablePath, headless: true });
}
before(async () => {
  if (skip) return;
  server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (pathname !== '/page' && pathname !== '/strict') { // their memory may be shared
      response.setHeader('cross-origin-opener-policy', 'same-origin');
      response.setHeader('cross-origin-embedder-policy', 'require-corp');
    }
    if (pathname === '/page' || pathname === '/strict' || pathname === '/isolated') {
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
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens a page, waits until its script has set window.carom, and runs; nothing may be said on the console meanwhile. */
export async function open(at, run) {
  const page = await browser.newPage(), said = [];
  page.setDefaultTimeout(600_000); // a busy machine is no fault
  const say = (text, about = text) => /favicon/.test(about) || said.push(text); // an icon is asked for by the browser
  page.on('console', (message) => message.type() === 'error' && say(message.text(), message.location().url));
  page.on('pageerror', (error) => say(String(error)));
  await page.goto(origin + at);
  await page.waitForFunction('window.carom').catch((error) => assert.fail(`${error.message}\n${said.join('\n')}`));
  const answer = await run(page);
  assert.deepEqual(said, []);
  await page.close();
  return answer;
}
