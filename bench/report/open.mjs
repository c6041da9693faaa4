/* How long a report takes until it can be used: node bench/report/open.mjs PAGE.html [PICTURE.png]
 *
 * Opens the page in a headless Chromium (CAROM_CHROMIUM names it), which draws by the processor alone, and prints when the
 * list stood, when the first picture did, when all was loaded that is, and what one picture, one filter and one choice cost.
 * Behind each stands the processor time of the browser, all its processes and threads, and of that the page's own thread:
 * on a machine with other work the clock tells little. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

const [page, picture] = process.argv.slice(2);
statSync(page); /* says so where there is none */
const profile = mkdtempSync('/tmp/carom-open-'),
  flags = ['--headless', '--remote-debugging-pipe', '--no-first-run', '--disable-dev-shm-usage', '--no-sandbox', '--hide-scrollbars'],
  drawing = ['--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  browser = spawn(process.env.CAROM_CHROMIUM || 'chromium', [...flags, ...drawing, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  }),
  waiting = new Map();
let last = 0,
  session,
  rest = '';
browser.stdio[4].on('data', (bytes) => {
  const messages = (rest + bytes).split('\0');
  rest = messages.pop();
  for (const text of messages) {
    const message = JSON.parse(text);
    if (message.id) waiting.get(message.id)(message.result ?? message.error);
    else if (message.method === 'Runtime.bindingCalled') used.picture = processor();
    else if (message.method === 'Runtime.exceptionThrown') console.error(message.params.exceptionDetails.exception?.description);
  }
});
const send = (method, params = {}) =>
  new Promise((done) => {
    waiting.set(++last, done);
    browser.stdio[3].write(`${JSON.stringify({ id: last, method, params, sessionId: session })}\0`);
  });
const ask = async (expression) => {
  const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
};

/* Seconds of processor time (Linux): of the browser and all that it started, and of the thread that runs the page. */
function processor() {
  const parents = new Map(),
    seconds = new Map(),
    used = (stat) => {
      const words = readFileSync(stat, 'utf8').replace(/^.*\) /s, '').split(' ');
      return { parent: +words[1], seconds: (+words[11] + +words[12]) / 100 };
    };
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const process = used(`/proc/${id}/stat`);
      parents.set(+id, process.parent);
      seconds.set(+id, process.seconds);
    } catch {
      /* it has ended */
    }
  }
  let all = 0,
    page = 0;
  for (const [id, of] of seconds) {
    let at = id;
    while (at && at !== browser.pid) at = parents.get(at);
    if (!at) continue;
    all += of;
    if (readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--type=renderer')) page += used(`/proc/${id}/task/${id}/stat`).seconds;
  }
  return [all, page];
}
const used = {};

const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
session = (await send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
for (const domain of ['Page', 'Runtime']) await send(`${domain}.enable`);
await send('Runtime.addBinding', { name: 'caromDrawn' });
await send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false });
await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value: 'reduce' }] });
/* Notes the first rows of the list, and the first picture. */
await send('Page.addScriptToEvaluateOnNewDocument', {
  source: `{ const look = () => {
    const now = performance.now();
    if (!window.listed && document.querySelector('#findings .row')) window.listed = now;
    if (!window.drawn && window.carom?.view?.renderer.info.render.frame > 0) { window.drawn = now; caromDrawn(''); }
    if (!window.drawn) requestAnimationFrame(look);
  }; requestAnimationFrame(look); }`,
});
used.start = processor();
await send('Page.navigate', { url: `file://${resolve(page)}` });
while (!(await ask("document.readyState === 'complete' && window.carom !== undefined && window.drawn !== undefined")))
  await new Promise((done) => setTimeout(done, 50));
await ask('carom.started.then(() => true)');
used.whole = processor();
const times = await ask(`({ list: window.listed, picture: window.drawn, whole: performance.now() })`);
const cost = (work) => ask(`(async () => { const from = performance.now(); await (async () => { ${work} })(); return performance.now() - from; })()`);
const drawn = 'const p = new Uint8Array(4), gl = carom.view.renderer.getContext(); carom.view.draw(); gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, p);';
times.frame = await cost(drawn);
used.frame = processor();
times.filter = await cost(`const q = document.getElementById('query'); q.value = 'duct'; q.dispatchEvent(new Event('input'));`);
used.filter = processor();
times.choice = await cost(`document.querySelector('#findings .row:last-child')?.click(); ${drawn}`);
used.choice = processor();
/* Turns until the page has found its pace, five pictures and 1.5 s, and then for three seconds and five pictures more. */
times.turning = await ask(`new Promise((done) => { let pictures = 0, from = performance.now(), half = 0;
  const step = () => { const now = performance.now(); carom.view.orbit(0.01, 0, 1); pictures++;
    if (!half && now - from > 1500 && pictures > 5) half = now, pictures = 0;
    if (half && now - half > 3000 && pictures >= 5) done((now - half) / pictures); else requestAnimationFrame(step); }; requestAnimationFrame(step); })`);
used.turning = processor();
const memory = await ask('performance.memory.usedJSHeapSize');
console.log(`${(statSync(page).size / 1e6).toFixed(1)} MB, heap ${(memory / 1e6).toFixed(0)} MB`);
let before = used.start;
for (const [what, ms] of Object.entries(times)) {
  const now = used[what],
    processor = now && now.map((seconds, i) => (1000 * (seconds - before[i])).toFixed(0));
  console.log(`${what.padEnd(8)} ${ms.toFixed(0).padStart(6)} ms` + (now ? `   processor ${processor[0]} ms, of it the page ${processor[1]} ms` : ''));
  before = now ?? before;
}
if (picture) writeFileSync(picture, Buffer.from((await send('Page.captureScreenshot')).data, 'base64'));
browser.stdio[3].end();
browser.on('exit', () => rmSync(profile, { recursive: true, force: true }));
