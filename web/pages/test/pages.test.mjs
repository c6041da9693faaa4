/* Every page in Chromium: no error, the numbers of the package in Node.js for the same state, the picture that is kept
 * beside it, pointer, keys, address, a narrow screen; then what its own facts.mjs says, as one derives it by hand. CHROMIUM names the browser; without one these tests skip. */
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { init } from '../../dist/index.node.js';
import { differing, executablePath, fewer, folders, load, pagesAt, plain, serve, shoot, shotOf, SHOT_PIXELS } from './site.mjs';

const skip = executablePath ? false : 'no Chromium';
const scenes = folders.filter((name) => fs.existsSync(path.join(pagesAt, name, 'query.ts')));
let site, cm, context;
before(async () => {
  if (skip) return;
  [site, cm] = await Promise.all([serve(), init()]);
  context = await site.browser.newContext({ viewport: { width: 700, height: 480 }, colorScheme: 'dark' });
  context.setDefaultTimeout(600_000); // a busy machine is no fault
});
after(() => site?.close());

/** Opens a page, and says what was wrong with it afterwards. What it fetched is `fetched`. */
async function open(at, run) {
  const page = await context.newPage(), said = [], fetched = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text()) && said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('response', (response) => fetched.push(response));
  await page.goto(`${site.origin}/${at}`);
  if (folders.some((name) => at.startsWith(`${name}/`))) await ready(page);
  await run(page, fetched);
  assert.deepEqual(said, [], at);
  await page.close();
}
const ready = (page) => page.waitForFunction('document.documentElement.dataset.ready !== undefined');
const hook = (page) => page.evaluate(() => ({ state: structuredClone(window.page.state), answer: JSON.parse(JSON.stringify(window.page.answer)) }));
/** The question as this page has asked it until now: some structures keep what they know from one state to the next. */
const asks = new WeakMap();
/** The page's answer is what Node.js answers to the same state; every number in its tables stands in that answer. */
async function same(page, name) {
  if (!asks.has(page)) asks.set(page, (await load(`${name}/query.ts`)).ask);
  const { state, answer } = await hook(page), here = plain(asks.get(page)(cm, state));
  assert.deepEqual(plain(answer), here, `${name}: ${JSON.stringify(state)}`);
  const numbers = new Set();
  const gather = (value) => {
    if (typeof value === 'number') numbers.add(value).add(-value);
    else if (value && typeof value === 'object') Object.values(value).forEach(gather);
    if (Array.isArray(value)) numbers.add(value.length);
  };
  gather([here, state]);
  const shown = await page.$$eval('#numbers [data-value]', (cells) => cells.map((cell) => Number(cell.dataset.value)));
  assert.ok(shown.length > 0, `${name} shows numbers`);
  for (const x of shown) assert.ok(numbers.has(x), `${name}: ${x} is not of the library`);
  return state;
}
/** As above, after the state is set to `values`. */
async function put(page, name, values) {
  await page.evaluate((set) => window.page.set(set), values);
  await same(page, name);
  return { ...(await hook(page)), verdict: await page.textContent('.verdict') };
}

const sizes = new Map();
/** What a page fetches is below `most` bytes by brotli, fonts and pictures as they are. */
async function weigh(responses, most, what) {
  let sum = 0;
  for (const response of responses) {
    const url = response.url();
    if (!sizes.has(url)) {
      const body = await response.body();
      sizes.set(url, /\.(woff2|webp)$/.test(url) ? body.length : zlib.brotliCompressSync(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 6 } }).length);
    }
    sum += sizes.get(url);
  }
  assert.ok(sum < most, `${what}: ${sum} bytes`);
}
/** On a phone nothing scrolls sideways, and what one changes stays in sight. */
async function narrow(page, what) {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 700 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${what}: ${wide} too wide`);
  if (await page.locator('.view').count()) {
    await page.locator('.controls input:visible').last().scrollIntoViewIfNeeded();
    const box = await page.locator('.view').boundingBox();
    assert.ok(box.y > -1 && box.y + box.height < 700, `${what}: the scene is at ${box.y}`);
  }
  await page.setViewportSize(size);
}
/** The scene looks as it did: as shot.png, which `node pages/test/shots.mjs` takes anew. */
async function looks(page, name) {
  const now = await shoot(page);
  assert.ok(fs.existsSync(shotOf(name)), `${name} has no shot.png`);
  const count = await differing(page, `data:image/png;base64,${fs.readFileSync(shotOf(name)).toString('base64')}`, now);
  if (count <= SHOT_PIXELS) return;
  const file = path.join(pagesAt, `../out/${name}-shot.png`);
  fs.writeFileSync(file, Buffer.from(now.split(',')[1], 'base64'));
  assert.fail(`${name}: ${count} pixels are not those of shot.png: see ${file}`);
}

/** What holds of every page with a scene. */
async function usual(page, name) {
  const first = await same(page, name);
  for (const part of (fewer[name] ?? '').slice(1).split('&').filter(Boolean)) {
    const [key, value] = part.split('=');
    assert.equal(String(first[key]), value, 'opened with a state');
  }
  await looks(page, name);
  // keys: the first slider, then the scene
  await page.locator('.controls input[type=range]').first().focus();
  await page.keyboard.press('ArrowRight');
  let last = await same(page, name);
  assert.notDeepEqual(last, first, 'a slider moves by keys');
  if (await page.locator('.chip').count()) {
    await page.locator('.view').focus();
    await page.keyboard.press('ArrowRight');
    const keyed = await same(page, name);
    assert.notDeepEqual(keyed, last, 'a body moves by keys');
    // pointer: from where the first body is, to the side
    await page.locator('.view').scrollIntoViewIfNeeded();
    const box = await page.locator('.view').boundingBox();
    const [x, y] = await seen(page, await page.evaluate(() => window.page.grip()));
    await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
    await page.mouse.down();
    await page.mouse.move(box.x + x * box.width + 30, box.y + y * box.height + 12, { steps: 2 });
    await page.mouse.up();
    last = await same(page, name);
    assert.notDeepEqual(last, keyed, 'a body is dragged');
  }
  // the state is in the address, and comes back from it
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300))); // the page's own timer, of 250 ms, comes before
  const address = await page.evaluate(() => location.hash);
  const visit = async (hash) => {
    await page.evaluate((to) => new Promise((done) => {
      addEventListener('hashchange', () => setTimeout(done), { once: true });
      setTimeout(done, 1000); // where it is the same
      location.hash = to;
    }), hash);
    return same(page, name);
  };
  assert.notDeepEqual(await visit(fewer[name] ?? '#'), last);
  assert.deepEqual(await visit(address), last, 'the address holds the state');
  // and what it holds badly is as at first
  assert.deepEqual(await visit(`${fewer[name] ?? '#'}&a=1,2&u=x&t=&kind=none&what=none&eye=1`), first);
}
/** Where a point of the scene is in the view, as shares of its size. */
const seen = (page, point) => page.evaluate((p) => {
  const { camera } = window.page.view, v = camera.position.clone().fromArray(p).project(camera);
  return [(v.x + 1) / 2, (1 - v.y) / 2];
}, point);

for (const name of folders)
  test(`${name}: the numbers of the package, by pointer, by keys, from the address; its facts`, { skip }, () => open(`${name}/${fewer[name] ?? ''}`, async (page, fetched) => {
    await weigh(fetched, 1_000_000, name);
    if (scenes.includes(name)) await usual(page, name);
    const facts = path.join(pagesAt, name, 'facts.mjs');
    if (fs.existsSync(facts)) await (await import(facts)).default(page, { cm, load, plain, ready, seen, put: (values) => put(page, name, values) });
    await narrow(page, name);
  }));

test('the index shows every page; the notices; both on a phone', { skip }, async () => {
  await open('', async (page, fetched) => {
    assert.deepEqual((await page.$$eval('.card', (cards) => cards.map((card) => new URL(card.href).pathname.replace('/below/here/', '').slice(0, -1)))).sort(), [...folders].sort());
    assert.deepEqual(await page.$$eval('.card .nopicture', (missing) => missing.map((one) => one.closest('a').href)), []);
    await narrow(page, 'the index');
    await weigh(fetched, 400_000, 'the index');
  });
  await open('notices/', async (page) => {
    for (const name of ['carom', 'musl', 'three.js', 'KaTeX', 'SIL OPEN FONT LICENSE']) assert.ok((await page.textContent('main')).includes(name));
    await narrow(page, 'the notices');
  });
});

test('light, dark, and as the system', { skip }, () => open('', async (page) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await paper();
  assert.equal(dark, 'rgb(18, 21, 27)');
  await page.click('#theme');
  assert.notEqual(await paper(), dark);
  assert.equal(await page.getAttribute('#theme', 'aria-label'), 'colors: light');
  await page.reload();
  assert.notEqual(await paper(), dark); // it was kept
  await page.click('#theme');
  assert.equal(await paper(), dark);
}));
