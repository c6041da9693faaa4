/* A depth known by hand, bounds that close on it, and B that touches where it is moved to. */
import assert from 'node:assert/strict';

export default async function (page, { cm, load, put }) {
  const plain = { kindA: 'cylinder', turnA: [0, 0, 0], a: [0, 0, 0], kindB: 'block', turnB: [0, 0, 0] };
  const { answer } = await put({ ...plain, b: [0, 0, 1.2], step: 0 });
  assert.ok(Math.abs(answer.distance + 0.4) < 1e-5); // along z: 0.8 and 0.8 less 1.2
  const { poseOf, shapeOf } = await load('depth/query.ts');
  for (const [kindA, kindB] of [['cylinder', 'block'], ['cone', 'ellipsoid'], ['block', 'block']]) {
    const { state, answer: { steps, distance, out } } = await put({ kindA, kindB, a: [0, 0, 0], b: [0.3, 0.4, 0.2], turnB: [20, 10, 35] });
    assert.ok(steps.length > 0 && distance < 0);
    steps.forEach((step, i) => assert.ok(step.lower <= distance + 1e-5 && distance <= step.upper + 1e-5, `step ${i}: ${step.lower} <= ${distance} <= ${step.upper}`));
    const moved = cm.distance(shapeOf(cm, kindA), poseOf(cm, state.a, state.turnA), shapeOf(cm, kindB), poseOf(cm, [out.x, out.y, out.z], state.turnB));
    assert.ok(Math.abs(moved) < 1e-4, `moved out they are ${moved} apart`);
  }
  const apart = await put({ b: [3, 0, 0] });
  assert.match(apart.verdict, /^Apart/);
  assert.equal(apart.answer.steps.length, 0);
}
