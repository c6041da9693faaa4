/* Every page in Chromium: no error, the numbers of the package in Node.js for the same state, pointer, keys, address, a
 * narrow screen; then facts of single pages. CHROMIUM names the browser; without one these tests skip. */
import test, { after, before } from 'node:test';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { init } from '../../dist/index.node.js';
import { init as initDouble } from '../../dist/f64.node.js';
import { executablePath, folders, load, pagesAt, serve } from './site.mjs';

const skip = executablePath ? false : 'no Chromium';
const scenes = folders.filter((name) => fs.existsSync(path.join(pagesAt, name, 'query.ts')));
let site, cm;
before(async () => {
  if (skip) return;
  [site, cm] = await Promise.all([serve(), init()]);
});
after(() => site?.close());

/** Opens a page, and says what was wrong with it afterwards. */
async function open(at, run, options = {}) {
  const context = await site.browser.newContext({ viewport: { width: 760, height: 520 }, ...options });
  const page = await context.newPage(), said = [], fetched = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text()) && said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('response', (response) => fetched.push(response));
  await page.goto(`${site.origin}/${at}`);
  if (at && at !== 'notices/') await page.waitForFunction('document.documentElement.dataset.ready !== undefined');
  const answer = await run(page, fetched);
  assert.deepEqual(said, [], at);
  await context.close();
  return answer;
}
/** What JSON keeps of an answer, without the times. */
const plain = (answer) => JSON.parse(JSON.stringify(answer, (key, value) => (key === 'ms' ? undefined : value)));
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

for (const name of scenes)
  test(`${name}: its numbers are the package's; by pointer, by keys, from the address`, { skip }, () => open(`${name}/`, async (page) => {
    const first = await same(page, name);
    assert.ok(await page.evaluate(() => {
      // something is drawn: many colors, on a share of the picture
      const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 }), context = canvas.getContext('2d');
      window.page.view.render();
      context.drawImage(document.querySelector('.view canvas'), 0, 0, 64, 48);
      const { data } = context.getImageData(0, 0, 64, 48), colors = new Set();
      let covered = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 40) { covered++; colors.add(`${data[i] >> 3} ${data[i + 1] >> 3} ${data[i + 2] >> 3}`); }
      return colors.size > 12 && covered > 100;
    }), 'something is drawn');

    // keys: the first slider, then the scene
    const slider = page.locator('.controls input[type=range]').first();
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    const second = await same(page, name);
    assert.notDeepEqual(second, first, 'a slider moves by keys');
    let last = second;
    if (await page.locator('.chip').count()) {
      await page.locator('.view').focus();
      await page.keyboard.press('ArrowRight');
      last = await same(page, name);
      assert.notDeepEqual(last, second, 'a body moves by keys');
      // pointer: from where the library says that the first body is, to the side
      await page.locator('.view').scrollIntoViewIfNeeded();
      const box = await page.locator('.view').boundingBox();
      const at = await page.evaluate(() => {
        const { view, grip } = window.page, p = view.camera.position.clone().fromArray(grip()).project(view.camera);
        return [(p.x + 1) / 2, (1 - p.y) / 2];
      });
      const x = box.x + at[0] * box.width, y = box.y + at[1] * box.height;
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 30, y + 12, { steps: 3 });
      await page.mouse.up();
      const dragged = await same(page, name);
      assert.notDeepEqual(dragged, last, 'a body is dragged');
      last = dragged;
    }
    // the state is in the address, and comes back from it
    await page.waitForFunction(() => location.hash.length > 1);
    await page.waitForTimeout(300);
    await page.reload();
    asks.delete(page);
    await page.waitForFunction('document.documentElement.dataset.ready !== undefined');
    assert.deepEqual(await same(page, name), last, 'the address holds the state');
    // and what it holds badly is as at first
    await page.evaluate(() => { location.hash = '#a=1,2&u=x&count=7e9&kind=none&what=none&eye=1'; });
    await page.waitForTimeout(50);
    await same(page, name);
  }));

test('narrow screens have no sideways scroll, and the scene stays in sight', { skip }, async () => {
  for (const at of ['', 'notices/', ...folders.map((name) => `${name}/`)])
    await open(at, async (page) => {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${at}: ${wide} too wide`);
      if (!(await page.locator('.view').count())) return;
      await page.locator('.controls input').last().scrollIntoViewIfNeeded();
      const box = await page.locator('.view').boundingBox();
      assert.ok(box.y > -1 && box.y + box.height < 700, `${at}: the scene is at ${box.y}`);
    }, { viewport: { width: 360, height: 700 }, hasTouch: true });
});

test('light, dark, and as the system', { skip }, () => open('intervals/', async (page) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await paper();
  assert.match(dark, /rgb\(18, 21, 27\)/);
  await page.click('#theme');
  assert.notEqual(await paper(), dark);
  assert.equal(await page.getAttribute('#theme', 'aria-label'), 'colors: light');
  await page.reload();
  assert.notEqual(await paper(), dark); // it was kept
  await page.click('#theme');
  assert.equal(await paper(), dark);
}, { colorScheme: 'dark' }));

test('the index shows every page, and each is below 1 MB by brotli', { skip }, async () => {
  const sizes = new Map();
  const weigh = async (responses) => {
    let sum = 0;
    for (const response of responses) {
      const url = response.url();
      if (!sizes.has(url)) {
        const body = await response.body();
        sizes.set(url, /\.(woff2|webp)$/.test(url) ? body.length : zlib.brotliCompressSync(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 9 } }).length);
      }
      sum += sizes.get(url);
    }
    return sum;
  };
  const index = await open('', async (page, fetched) => {
    assert.deepEqual((await page.$$eval('.card', (cards) => cards.map((card) => new URL(card.href).pathname.slice(1, -1)))).sort(), [...folders].sort());
    assert.deepEqual(await page.$$eval('.card .nopicture', (missing) => missing.map((one) => one.closest('a').href)), []);
    return weigh(fetched);
  });
  assert.ok(index < 300_000, `the index: ${index} bytes`);
  for (const name of folders) {
    const bytes = await open(`${name}/`, (page, fetched) => weigh(fetched));
    assert.ok(bytes < 1_000_000, `${name}: ${bytes} bytes`);
  }
});

/* --- facts of single pages, as one derives them by hand --- */

test('intervals: what just touches overlaps, and one gap parts', { skip }, () => open('intervals/', async (page) => {
  const box = { a: [0, 0, 0], halfA: [1, 1, 1], halfB: [1, 1, 1] };
  const touching = await put(page, 'intervals', { ...box, b: [2, 0, 0] });
  assert.equal(touching.verdict, 'They just touch: that counts');
  assert.deepEqual(touching.answer.gaps, { x: 0, y: -2, z: -2 });
  const apart = await put(page, 'intervals', { ...box, b: [2.5, 0, 0] });
  assert.equal(apart.verdict, 'Apart: x separates');
  assert.equal(apart.answer.distance, 0.5);
  const point = await put(page, 'intervals', { ...box, what: 'point', b: [1, 1, 1] });
  assert.equal(point.answer.overlap, true);
}));

test('arvo: shares of a corner, and the way out from inside', { skip }, () => open('arvo/', async (page) => {
  const corner = await put(page, 'arvo', { center: [2, 3, 1.5], radius: 2.5, box: [0, 0, 0], half: [1, 1, 1] });
  assert.deepEqual([corner.answer.shares, corner.answer.square, corner.answer.overlap], [{ x: 1, y: 4, z: 0.25 }, 5.25, true]);
  const inside = await put(page, 'arvo', { center: [0.5, 0.25, 0.25], radius: 0.25, box: [0, 0, 0], half: [1, 2, 2.5] });
  assert.equal(inside.verdict, 'Inside: depth 0.750, by the nearest face');
}));

test('axes: the least overlap is the depth; parallel edges have no product', { skip }, () => open('axes/', async (page) => {
  const free = { a: [0, 0, 0], turnA: [0, 0, 0], halfA: [1, 1, 1], halfB: [1, 1, 1], turnB: [0, 0, 45], parallel: 'free' };
  const edge = await put(page, 'axes', { ...free, b: [2.25, 0, 0] });
  assert.equal(edge.answer.overlap, true); // half the diagonal and 1 reach 2.414 far
  assert.ok(Math.abs(edge.answer.axes[0].gap - (2.25 - 1 - Math.SQRT2)) < 1e-6);
  assert.equal(edge.answer.axes.filter((axis) => axis.gap === undefined).length, 1); // z × z
  const gap = await put(page, 'axes', { ...free, b: [2.5, 0, 0] }); // x, and A y × B z, which is x again
  assert.equal(gap.verdict, 'Apart: 2 of 15 axes separate, A x most');
  for (const [parallel, none] of [['exactly', 3], ['nearly', 3]]) {
    const { answer } = await put(page, 'axes', { ...free, parallel, b: [1.5, 0.5, 0] });
    assert.equal(answer.axes.filter((axis) => axis.gap === undefined).length, none, parallel);
    assert.ok(Math.abs(answer.contact.points[0].depth - 0.5) < 1e-3);
  }
}));

test('sweep: the tunnel, and its moments', { skip }, () => open('sweep/', async (page) => {
  const shot = { what: 'sphere', start: [-3, 0, 0], end: [3, 0, 0], size: 0.2, wall: [0.5, 0, 0], half: [0.05, 1, 1], frames: 3 };
  const { verdict, answer } = await put(page, 'sweep', shot);
  assert.match(verdict, /^Tunnel: none of 4 frames/);
  assert.ok(Math.abs(answer.hit.first - 3.25 / 6) < 1e-6 && Math.abs(answer.hit.last - 3.75 / 6) < 1e-6, JSON.stringify(answer.hit));
  assert.match((await put(page, 'sweep', { ...shot, frames: 24 })).verdict, /^Contact from u = 0\.542 to 0\.625$/);
  assert.equal((await put(page, 'sweep', { ...shot, wall: [0.5, 3, 0] })).answer.hit, null);
}));

test('fit: nothing sticks out, and the box of the box is the larger', { skip }, () => open('fit/', async (page) => {
  const { models } = await load('fit/models.ts');
  for (const model of Object.keys(models)) {
    const { answer } = await put(page, 'fit', { model, spin: 33, turn: [20, 50, -10] });
    const { positions } = models[model](), { sphere, volumes, tight } = answer;
    assert.ok(answer.volume > 0, model);
    for (let i = 0; i < positions.length; i += 3) {
      assert.ok(Math.hypot(positions[i] - sphere.center.x, positions[i + 1] - sphere.center.y, positions[i + 2] - sphere.center.z) <= sphere.radius * (1 + 1e-6));
      const p = cm.api.rotate(answer.rotation, positions.slice(i, i + 3));
      for (const k of ['x', 'y', 'z']) assert.ok(p[k] >= tight.min[k] - 1e-5 && p[k] <= tight.max[k] + 1e-5);
    }
    assert.ok(volumes.loose >= volumes.tight && volumes.oriented >= volumes.hull && volumes.hull >= answer.volume, JSON.stringify(volumes));
  }
}));

test('broad: eight structures, the pairs of a double loop', { skip }, () => open('broad/', async (page) => {
  await same(page, 'broad');
  const { boxes } = await load('broad/query.ts');
  for (const step of [0, 60]) {
    const { answer, state } = await put(page, 'broad', { count: 400, size: 0.5, step });
    const at = boxes(state), pairs = [];
    for (let i = 0; i < 400; i++)
      for (let j = i + 1; j < 400; j++)
        if ([0, 1, 2].every((k) => at[6 * i + k] <= at[6 * j + 3 + k] && at[6 * j + k] <= at[6 * i + 3 + k])) pairs.push(i, j);
    assert.ok(pairs.length > 20);
    assert.deepEqual(answer.pairs, pairs);
    assert.deepEqual(answer.answers.map((one) => one.pairs), Array(8).fill(pairs.length / 2));
    assert.equal(answer.answers[0].tests, (400 * 399) / 2);
  }
}));

test('culling: every crate in the frustum is kept; the pointer marks the first', { skip }, () => open('culling/', async (page) => {
  const { crates } = await load('culling/query.ts');
  const { answer } = await put(page, 'culling', { count: '2000', yaw: 40 });
  const all = crates(2000), kept = new Set(answer.shown);
  let inside = 0, outside = 0;
  for (let i = 0; i < 2000; i++) {
    const [x, y, z, h] = all.subarray(6 * i, 6 * i + 4);
    const out = answer.frustum.planes.map(({ normal: n, d }) => n.x * x + n.y * y + n.z * z + d);
    if (out.every((d) => d <= -1e-3)) { inside++; assert.ok(kept.has(i), `crate ${i}`); }
    if (out.some((d) => d > h * Math.sqrt(3) + 1e-3)) { outside++; assert.ok(!kept.has(i), `crate ${i}`); }
  }
  assert.ok(inside > 30 && outside > 500, `${inside} ${outside}`);
  // the crate nearest to the eye is in nothing's way
  const box = await page.locator('.view').boundingBox();
  const eye = await page.evaluate(() => window.page.view.camera.position.toArray());
  const far = (i) => Math.hypot(all[6 * i] - eye[0], all[6 * i + 1] - eye[1], all[6 * i + 2] - eye[2]);
  const nearest = Array.from({ length: 2000 }, (_, i) => i).reduce((best, i) => (far(i) < far(best) ? i : best));
  const at = await page.evaluate((p) => {
    const { camera } = window.page.view, v = camera.position.clone().fromArray(p).project(camera);
    return [(v.x + 1) / 2, (1 - v.y) / 2];
  }, [...all.subarray(6 * nearest, 6 * nearest + 3)]);
  await page.mouse.move(box.x + at[0] * box.width, box.y + at[1] * box.height);
  await page.waitForFunction((crate) => [...document.querySelectorAll('.label')].some((label) => !label.hidden && label.textContent.startsWith(`crate ${crate},`)), nearest, { timeout: 5000 });
}));

test('errata: every row of the table; theirs and ours part at its numbers, as in Node.js', { skip }, () => open('errata/', async (page) => {
  const markdown = fs.readFileSync(path.join(pagesAt, '../../docs/theory/article-errata.md'), 'utf8');
  const rows = await page.$$eval('.row', (all) => all.map((row) => row.id));
  assert.equal(rows.length, markdown.split('\n').filter((line) => /^\| \d+(–\d+)? \|/.test(line)).length);
  const { demos } = await load('errata/demos.ts'), double = await initDouble();
  // what does not compile, is a word, a matter of typesetting, or measured
  assert.deepEqual(rows.filter((id) => !demos[id]), ['kenwright-11', 'kenwright-18', 'mdn-5', 'mdn-10', 'mdn-11']);
  assert.deepEqual(Object.keys(demos).filter((id) => !rows.includes(id)), []);
  for (const id of ['gomez-19', 'mdn-4']) {
    await page.locator(`#${id}`).scrollIntoViewIfNeeded();
    await page.waitForFunction((at) => window.demos.answers[at], id);
  }
  const { answers } = await page.evaluate(() => ({ answers: JSON.parse(JSON.stringify(window.demos.answers)) }));
  for (const [id, demo] of Object.entries(demos)) {
    assert.deepEqual(answers[id], plain({ theirs: demo.theirs(demo.params), ours: demo.ours(demo.double ? double : cm, demo.params) }), id);
    assert.equal(await page.textContent(`#${id} .badge`), demo.agree ? 'they agree' : 'they part', id);
    const [theirs, ours] = await page.$$eval(`#${id} code`, (codes) => codes.slice(-2).map((code) => code.textContent));
    assert.ok(theirs.includes('=>') && /\b(api|cm)\b/.test(ours), `${id} shows its code`);
  }
  // a number changed: they agree, and the address keeps it
  await page.fill('#kenwright-2 input', '1.5');
  assert.equal(await page.textContent('#kenwright-2 .badge'), 'they agree');
  await page.waitForFunction(() => location.search === '?kenwright-2.apart=1.5');
  await page.reload();
  await page.waitForFunction('document.documentElement.dataset.ready !== undefined');
  assert.equal(await page.textContent('#kenwright-2 .badge'), 'they agree');
}));
