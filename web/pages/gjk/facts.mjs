/* Bounds that close on the distance, and distances known by hand. */
import assert from 'node:assert/strict';

export default async function (page, { put }) {
  const plain = { turnA: [0, 0, 0], turnB: [0, 0, 0], a: [-2, 0, 0] };
  const apart = await put({ ...plain, kindA: 'block', kindB: 'ellipsoid', b: [1, 0, 0], step: 0 });
  assert.ok(Math.abs(apart.answer.distance - (3 - 1 - 1.1)) < 1e-6); // along x: half of the block, and of the ellipsoid
  const blocks = await put({ ...plain, kindA: 'block', kindB: 'block', b: [0.5, 0.9, 0.3] });
  assert.ok(Math.abs(blocks.answer.distance - 0.5) < 1e-6);
  for (const { answer } of [apart, blocks]) {
    const { steps, distance } = answer;
    steps.forEach((step, i) => assert.ok(step.lower <= distance + 1e-6 && distance <= step.upper + 1e-6, `step ${i}: ${step.lower} <= ${distance} <= ${step.upper}`));
    assert.ok(steps.at(-1).upper - steps.at(-1).lower < 1e-5);
  }
  const inside = await put({ ...plain, kindA: 'block', kindB: 'cone', b: [-0.5, 0.2, 0] });
  assert.match(inside.verdict, /^They overlap: the origin lies in the difference/);
  assert.equal(Object.keys(inside.answer.steps.at(-1).vertices).length, 24); // a tetrahedron around it
  // a step is chosen in the table, and by the slider's end
  await page.click('[data-key="step-1"]');
  assert.equal(await page.evaluate(() => window.page.answer.chosen), 1);
  const last = await put({ step: 40 });
  assert.equal(last.answer.chosen, last.answer.steps.length - 1);
}
