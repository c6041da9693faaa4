/* What just touches overlaps, and one gap parts. */
import assert from 'node:assert/strict';

export default async function (page, { put }) {
  const box = { a: [0, 0, 0], halfA: [1, 1, 1], halfB: [1, 1, 1] };
  const touching = await put({ ...box, b: [2, 0, 0] });
  assert.equal(touching.verdict, 'They just touch: that counts');
  assert.deepEqual(touching.answer.gaps, { x: 0, y: -2, z: -2 });
  const apart = await put({ ...box, b: [2.5, 0, 0] });
  assert.equal(apart.verdict, 'Apart: x separates');
  assert.equal(apart.answer.distance, 0.5);
  const point = await put({ ...box, what: 'point', b: [1, 1, 1] });
  assert.equal(point.answer.overlap, true);
}
