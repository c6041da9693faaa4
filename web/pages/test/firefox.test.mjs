/* Every page once in Firefox, in a window, as it has no WebGL without one: no error on the console, something drawn, the
 * numbers of Node.js. test/runtimes/run runs it, under xvfb-run, and has the driver. */
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { init } from '../../dist/index.node.js';
import { fewer, folders, load, pagesAt, plain, serve } from './site.mjs';

const puppeteer = createRequire(path.join(pagesAt, '../out/runtimes/package.json'))('puppeteer-core');
const firefox = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((p) => p && fs.existsSync(p));
let site, cm;
before(async () => {
  // without a graphics card it draws by the processor only where told to
  const extraPrefsFirefox = { 'webgl.force-enabled': true, 'webgl.disable-fail-if-major-performance-caveat': true };
  [site, cm] = await Promise.all([serve(() => puppeteer.launch({ browser: 'firefox', executablePath: firefox, headless: false, extraPrefsFirefox })), init()]);
});
after(() => site?.close());

for (const name of ['', 'notices', ...folders])
  test(`Firefox: ${name || 'the index'}`, async () => {
    const page = await site.browser.newPage(), said = [];
    page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
    page.on('pageerror', (error) => said.push(String(error)));
    await page.setViewport({ width: 700, height: 480 });
    await page.goto(`${site.origin}/${name && `${name}/`}${fewer[name] ?? ''}`);
    if (folders.includes(name)) await page.waitForFunction('document.documentElement.dataset.ready !== undefined', { timeout: 60_000 });
    if (await page.evaluate(() => !!window.page)) {
      const { state, answer, colors } = await page.evaluate(() => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 }), context = canvas.getContext('2d');
        window.page.view.render();
        context.drawImage(document.querySelector('.view canvas'), 0, 0, 64, 48);
        const colors = new Set(new Uint32Array(context.getImageData(0, 0, 64, 48).data.buffer)).size;
        return { state: structuredClone(window.page.state), answer: JSON.parse(JSON.stringify(window.page.answer)), colors };
      });
      assert.ok(colors > 50, `${colors} colors`);
      assert.deepEqual(plain(answer), plain((await load(`${name}/query.ts`)).ask(cm, state)));
    }
    assert.deepEqual(said, []);
    await page.close();
  });
