/* Shares of a corner, and the way out from inside. */
import assert from 'node:assert/strict';

export default async function (page, { put }) {
  const corner = await put({ center: [2, 3, 1.5], radius: 2.5, box: [0, 0, 0], half: [1, 1, 1] });
  assert.deepEqual([corner.answer.shares, corner.answer.square, corner.answer.overlap], [{ x: 1, y: 4, z: 0.25 }, 5.25, true]);
  const inside = await put({ center: [0.5, 0.25, 0.25], radius: 0.25, box: [0, 0, 0], half: [1, 2, 2.5] });
  assert.equal(inside.verdict, 'Inside: depth 0.750, by the nearest face');
}
