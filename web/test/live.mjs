/* What a program does with a library: enough to see that it lives. In every runtime. */
export function live(cm) {
  cm.selftest();
  const world = cm.world(), a = world.add({ shape: cm.sphere(1) }), crate = cm.box([1, 1, 1]), pose = { position: [1.5, 0, 0] };
  world.add({ shape: cm.sphere(1) });
  world.update();
  const found = [world.overlap(crate, pose).length, world.overlap(crate, pose, { accept: (id) => id === a }).length];
  world.dispose();
  // callbacks that take and answer reals, that outlive the call, that throw
  const broad = cm.broad(), ball = cm.custom((d, p) => p.set(d.map((x) => x / Math.hypot(...d))), 1);
  broad.add({ min: [1, -1, -1], max: [2, 1, 1] });
  broad.update();
  broad.raycast([0, 0, 0], [2, 0, 0], 1, (id, t) => (found.push(Math.fround(t)), t)); // a bound, by an ulp or so too early
  found.push(cm.overlap(ball, { position: [1.75, 0, 0] }, cm.sphere(1)));
  try {
    broad.walk(() => { throw new Error('mine'); });
  } catch ({ message }) {
    found.push(message);
  }
  broad.dispose();
  ball.dispose();
  return [cm.precision, cm.distance(cm.sphere(1), { position: [3, 0, 0] }, cm.sphere(1)), ...found];
}
export const alive = (precision) => [precision, 1, 2, 1, 0.5, true, 'mine'];
