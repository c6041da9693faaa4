/* Every crate in the frustum is kept; the pointer marks the first. */
import assert from 'node:assert/strict';

export default async function (page, { put, load, seen }) {
  const { crates } = await load('culling/query.ts');
  const { answer } = await put({ count: '2000', yaw: 40 });
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
  const eye = await page.evaluate(() => window.page.view.camera.position.toArray());
  const far = (i) => Math.hypot(all[6 * i] - eye[0], all[6 * i + 1] - eye[1], all[6 * i + 2] - eye[2]);
  const nearest = Array.from({ length: 2000 }, (_, i) => i).reduce((best, i) => (far(i) < far(best) ? i : best));
  const marked = () => page.evaluate((crate) => [...document.querySelectorAll('.label')].some((label) => !label.hidden && label.textContent.startsWith(`crate ${crate},`)), nearest);
  for (let tries = 0; !(await marked()); tries++) { // the view may still come to rest, and moves under the pointer
    assert.ok(tries < 240, `the pointer marks crate ${nearest}`);
    const box = await page.locator('.view').boundingBox(), at = await seen(page, [...all.subarray(6 * nearest, 6 * nearest + 3)]);
    await page.mouse.move(box.x + at[0] * box.width + (tries % 2), box.y + at[1] * box.height);
    await page.waitForTimeout(250);
  }
}
