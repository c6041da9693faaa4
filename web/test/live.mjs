/* What a program does with a library: enough to see that it lives. In every runtime. */
export function live(cm) {
  cm.selftest();
  const world = cm.world(), a = world.add({ shape: cm.sphere(1) }), crate = cm.box([1, 1, 1]), pose = { position: [1.5, 0, 0] };
  world.add({ shape: cm.sphere(1) });
  world.update();
  const found = [world.overlap(crate, pose).length];
  try {
    found.push(world.overlap(crate, pose, { accept: (id) => id === a }).length);
  } catch (error) { // a callback compiles a few bytes, which not all allow
    found.push(error.name);
  }
  world.dispose();
  return [cm.precision, cm.distance(cm.sphere(1), { position: [3, 0, 0] }, cm.sphere(1)), ...found];
}
export const alive = (precision, accepted = 1) => [precision, 1, 2, accepted];
