/* The tunnel, and its moments. */
import assert from 'node:assert/strict';

export default async function (page, { put }) {
  const shot = { what: 'sphere', start: [-3, 0, 0], end: [3, 0, 0], size: 0.2, wall: [0.5, 0, 0], half: [0.05, 1, 1], frames: 3 };
  const { verdict, answer } = await put(shot);
  assert.match(verdict, /^Tunnel: none of 4 frames/);
  assert.ok(Math.abs(answer.hit.first - 3.25 / 6) < 1e-6 && Math.abs(answer.hit.last - 3.75 / 6) < 1e-6, JSON.stringify(answer.hit));
  assert.match((await put({ ...shot, frames: 24 })).verdict, /^Contact from u = 0\.542 to 0\.625$/);
  assert.equal((await put({ ...shot, wall: [0.5, 3, 0] })).answer.hit, null);
}
