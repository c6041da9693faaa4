/* When a ball comes down is known in closed form, and does not depend on the steps; what vanishes is gone; energy never grows. */
import assert from 'node:assert/strict';

export default async function (page, { put }) {
  const g = 9.81, lone = { t: 1.5, response: 'halt', each: 1, speed: 3, angle: 60, restitution: 0.5 };
  for (const rate of [4, 50]) {
    const { answer } = await put({ ...lone, rate });
    assert.deepEqual(answer.events.map(({ a, b }) => [a, b]), [['floor', 'ball 1'], ['floor', 'ball 2']]);
    answer.balls.forEach(({ side, halted, path }, i) => {
      const up = lone.speed * (1 + 0.07 * Math.sin(side)) * Math.sin(Math.PI / 3), fall = (up + Math.sqrt(up * up + 2 * g * (0.6 - answer.radius))) / g;
      assert.ok(Math.abs(answer.events[i].t - fall) < 1e-4, `${rate} steps a second: ${answer.events[i].t}, not ${fall}`);
      assert.ok(halted && Math.abs(path.at(-1)[1] - answer.radius) < 1e-4);
    });
  }
  const gone = await put({ t: 2, response: 'vanish', each: 6, speed: 6.5, angle: 42, rate: 30 });
  const hit = new Set(gone.answer.events.flatMap(({ a, b }) => [a, b]).filter((name) => name.startsWith('ball')));
  assert.ok(hit.size > 3);
  assert.equal(gone.answer.left, 12 - hit.size);

  // of bouncing ones: kinetic and potential energy together, at density 1
  const total = async (t) => {
    const { answer } = await put({ t, response: 'bounce', each: 6, restitution: 0.9, rate: 30 });
    const mass = (4 / 3) * Math.PI * answer.radius ** 3;
    return answer.energy + answer.balls.reduce((sum, { path }) => sum + mass * g * path.at(-1)[1], 0);
  };
  let before = await total(0);
  for (const t of [0.5, 1, 2]) {
    const now = await total(t);
    assert.ok(now <= before * (1 + 1e-5), `${now} after ${before}`);
    before = now;
  }
  assert.ok(before > 0);
}
