/* The least overlap is the depth; parallel edges have no product. */
import assert from 'node:assert/strict';

export default async function (page, { put }) {
  const free = { a: [0, 0, 0], turnA: [0, 0, 0], halfA: [1, 1, 1], halfB: [1, 1, 1], turnB: [0, 0, 45], parallel: 'free' };
  const edge = await put({ ...free, b: [2.25, 0, 0] });
  assert.equal(edge.answer.overlap, true); // half the diagonal and 1 reach 2.414 far
  assert.ok(Math.abs(edge.answer.axes[0].gap - (2.25 - 1 - Math.SQRT2)) < 1e-6);
  assert.equal(edge.answer.axes.filter((axis) => axis.gap === undefined).length, 1); // z × z
  const gap = await put({ ...free, b: [2.5, 0, 0] }); // x, and A y × B z, which is x again
  assert.equal(gap.verdict, 'Apart: 2 of 15 axes separate, A\u00a0x most');
  for (const [parallel, none] of [['exactly', 3], ['nearly', 3]]) {
    const { answer } = await put({ ...free, parallel, b: [1.5, 0.5, 0] });
    assert.equal(answer.axes.filter((axis) => axis.gap === undefined).length, none, parallel);
    assert.ok(Math.abs(answer.contact.points[0].depth - 0.5) < 1e-3);
  }
}
