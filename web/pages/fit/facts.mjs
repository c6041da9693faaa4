/* Nothing sticks out, and the box of the box is the larger. */
import assert from 'node:assert/strict';

export default async function (page, { put, load, cm }) {
  const { models } = await load('fit/models.ts');
  for (const model of Object.keys(models)) {
    const { answer } = await put({ model, spin: 33, turn: [20, 50, -10] });
    const { positions } = models[model](), { sphere, volumes, tight } = answer;
    assert.ok(answer.volume > 0, model);
    for (let i = 0; i < positions.length; i += 3) {
      assert.ok(Math.hypot(positions[i] - sphere.center.x, positions[i + 1] - sphere.center.y, positions[i + 2] - sphere.center.z) <= sphere.radius * (1 + 1e-6));
      const p = cm.api.rotate(answer.rotation, positions.slice(i, i + 3));
      for (const k of ['x', 'y', 'z']) assert.ok(p[k] >= tight.min[k] - 1e-5 && p[k] <= tight.max[k] + 1e-5);
    }
    assert.ok(volumes.loose >= volumes.tight && volumes.oriented >= volumes.hull && volumes.hull >= answer.volume, JSON.stringify(volumes));
  }
}
