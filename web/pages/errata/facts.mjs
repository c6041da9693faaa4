/* Every row of the table; theirs and ours part at its numbers, as in Node.js. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { init as initDouble } from '../../dist/f64.node.js';

export default async function (page, { load, cm, ready, plain }) {
  const markdown = fs.readFileSync(new URL('../../../docs/theory/article-errata.md', import.meta.url), 'utf8');
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
  await ready(page);
  assert.equal(await page.textContent('#kenwright-2 .badge'), 'they agree');
}
