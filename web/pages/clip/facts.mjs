/* A square turned on a square is cut to an octagon; what is kept is the deepest first. */
import assert from 'node:assert/strict';

export default async function (page, { put }) {
  const square = { sidesA: 4, turnA: [0, 0, 0], sidesB: 4, turnB: [0, 45, 0], b: [0, 0.4, 0], margin: 0, keep: 4 };
  const { answer } = await put(square); // the half diagonal of B, 1.3, reaches over the half side of A, 1.131; the one's corners are cut off
  assert.deepEqual(answer.steps.map((step) => [step.kind, step.left]), [['clip', 4], ['clip', 5], ['clip', 6], ['clip', 7], ['clip', 8], ['contacts', 8], ['contacts', 8]]);
  for (const point of answer.points) assert.ok(Math.abs(point.depth - 0.1) < 1e-5);
  assert.equal(answer.points.filter((point) => point.kept).length, 4);
  const tilted = await put({ sidesB: 12, turnB: [0, 15, 1], keep: 1, margin: 0.05 });
  const kept = tilted.answer.points.filter((point) => point.kept);
  assert.equal(kept.length, 1);
  assert.equal(kept[0].depth, Math.max(...tilted.answer.points.map((point) => point.depth)));
  const apart = await put({ b: [0, 0.8, 0] });
  assert.match(apart.verdict, /^No contact/);
  assert.equal(apart.answer.steps.length, 0);
  await put({ ...square, turnB: [30, 45, 10], b: [0, 1, 0], margin: 0.3 });
}
