/* Nothing that slides over a flat floor of triangles is held or pushed aside by the mesh. No ray passes it, from near or far; the textbook's test loses some; each is aimed at the triangles that it is said to be. */
import assert from 'node:assert/strict';

export default async function (page, { put, load }) {
  const { aimed, land } = await load('seam/rays.ts');
  for (const far of [3, 40, 1000]) {
    const { answer: { rays: answer } } = await put({ show: 'rays', rays: 5000, far, bumps: 0.5, seed: 2 });
    assert.deepEqual([answer.hits, answer.missed, answer.holes], [5000, 0, []]);
    assert.ok(answer.textbook.missed > 0 && answer.textbook.missed < 1000, String(answer.textbook.missed));
  }
  // at a flat floor every contact pushes straight up and no step is held, but where triangles are asked alone
  for (const body of ['box', 'ball', 'capsule', 'cylinder']) {
    const { answer: { slide }, verdict } = await put({ show: 'body', body });
    assert.deepEqual(slide.mesh, { tilt: 0, held: 0 }, body);
    assert.ok(slide.single.tilt > 10 && slide.single.held > 0, `${body}: ${slide.single.tilt} degrees, ${slide.single.held} held`);
    assert.match(verdict, /by the mesh none$/);
    for (const { normal } of slide.here.mesh) assert.deepEqual(normal, [0, -1, 0]);
  }
  await put({ show: 'rays' });
  // every target lies on the triangles that are said to meet there: its areas with two corners each add up to the triangle's
  const { positions, indices } = land(0.6), { targets, fans } = aimed({ rays: 500, far: 5, seed: 3 }, positions);
  const corner = (i) => positions.subarray(3 * i, 3 * i + 3);
  const area = (a, b, c) => {
    const e = [0, 1, 2].map((k) => b[k] - a[k]), g = [0, 1, 2].map((k) => c[k] - a[k]);
    return Math.hypot(e[1] * g[2] - e[2] * g[1], e[2] * g[0] - e[0] * g[2], e[0] * g[1] - e[1] * g[0]);
  };
  fans.forEach((fan, r) => {
    const t = targets.subarray(3 * r, 3 * r + 3);
    for (const triangle of fan) {
      const [a, b, c] = [0, 1, 2].map((k) => corner(indices[3 * triangle + k]));
      assert.ok(Math.abs(area(t, b, c) + area(a, t, c) + area(a, b, t) - area(a, b, c)) < 1e-5, `ray ${r}, triangle ${triangle}`);
    }
  });
}
