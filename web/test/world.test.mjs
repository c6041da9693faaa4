/* Worlds, broad phases, movers, dynamics. */
import assert from 'node:assert/strict';
import { each, boxMesh, sheet } from './both.mjs';

each('a ball that falls on a floor begins, hits, stays, and ends', (cm) => {
  const world = cm.world(), kinds = [];
  world.add({ shape: cm.box([5, 1, 5]), pose: { position: [0, -1, 0] }, fixed: true, user: 'floor' });
  const ball = world.add({ shape: cm.sphere(1), pose: { position: [0, 3, 0] }, user: { name: 'ball' } });
  for (const y of [-4, 0, 0.5]) {
    world.setMotion(ball, { move: [0, y, 0] });
    for (const e of world.update()) kinds.push(e.kind, e.userA, e.userB.name, e.u);
  }
  const at = kinds[3];
  assert.ok(Math.abs(at - 0.5) < 1e-5 && at <= 0.5, `at ${at}`);
  assert.deepEqual(kinds, ['began', 'floor', 'ball', at, 'hit', 'floor', 'ball', at, 'stayed', 'floor', 'ball', 1, 'ended', 'floor', 'ball', kinds[15]]);
  world.dispose();
});
each('a hit may be answered: who bounces goes on', (cm) => {
  const world = cm.world();
  world.add({ shape: cm.halfspace([0, 1, 0]), fixed: true });
  const ball = world.add({ shape: cm.sphere(1), pose: { position: [0, 3, 0] } });
  world.setMotion(ball, { move: [0, -4, 0] });
  const hits = [];
  world.update((hit, a, b) => {
    hits.push(hit.u);
    assert.equal(hit.b, ball);
    b.move.y = -b.move.y;
    return 'go';
  });
  assert.equal(hits.length, 1);
  assert.ok(Math.abs(world.getPose(ball).position.y - 3) < 1e-4, `at ${world.getPose(ball).position.y}`); // down 2, up 2
  world.dispose();
});
each('an exception in a callback comes out of the call, and the world goes on', (cm) => {
  let angry = true;
  const world = cm.world({ meet: () => { if (angry) throw new Error('no'); return true; } });
  world.add({ shape: cm.sphere(1) });
  world.add({ shape: cm.sphere(1) });
  assert.throws(() => world.update(), /^Error: no$/);
  angry = false;
  world.update();
  const found = world.overlap(cm.sphere(1), null, { accept: (id) => id === world.ids[1] });
  assert.deepEqual(found, [world.ids[1]]);
  world.dispose();
});
each('queries answer with ids and the values given', (cm) => {
  const world = cm.world(), mesh = cm.mesh(boxMesh());
  const a = world.add({ shape: mesh, pose: { position: [0, 0, 0] }, user: 'a' }), b = world.add({ shape: cm.sphere(1), pose: { position: [5, 0, 0] }, user: 'b', layer: 2 });
  const ray = { origin: [-9, 0, 0], direction: [1, 0, 0] };
  assert.deepEqual([world.raycast(ray).user, world.raycast(ray).t, world.raycast(ray, { mask: 2 }).user], ['a', 8, 'b']);
  const out = world.raycast(ray);
  assert.equal(world.raycast(ray, { except: a }, out), out);
  assert.deepEqual([out.id, out.user, out.point.x], [b, 'b', 4]);
  assert.equal(world.raycastAny({ ...ray, max: 3 }), false);
  assert.deepEqual(world.overlap(cm.sphere(2), { position: [2.5, 0, 0] }), [a, b]);
  assert.deepEqual(world.overlapPoint([5, 0.5, 0]), [b]);
  assert.equal(world.nearest(cm.point([3.5, 0, 0])).user, 'b');
  assert.equal(world.nearest(cm.point([3.5, 0, 0]), null, 0.1), null);
  assert.equal(world.sweep(cm.sphere(1), { start: { position: [2.5, 9, 0] }, move: [0, -10, 0] }), null);
  assert.equal(world.sweep(cm.sphere(1), { start: { position: [0, 9, 0] }, move: [0, -10, 0] }).user, 'a');
  assert.equal(world.why(a, b), 'boxes');
  assert.throws(() => world.setPose(77, {}), (e) => e.status === 'staleId');
  world.dispose();
  mesh.dispose();
});
each('a state is saved and restored, mesh and all, and goes on with equal hashes', (cm) => {
  const mesh = cm.mesh(sheet(4)), world = cm.world(), other = cm.world();
  world.add({ shape: mesh, fixed: true });
  const ball = world.add({ shape: cm.sphere(0.5), pose: { position: [0, 0.49, 0] } });
  world.update();
  const bytes = world.save([mesh]);
  assert.throws(() => world.save([]), /shapes/);
  other.restore(bytes, [mesh]);
  for (const w of [world, other]) { w.setMotion(ball, { move: [0.1, 0, 0.2] }); w.update(); }
  assert.equal(other.hash, world.hash);
  assert.throws(() => other.restore(bytes.slice(0, 40), [mesh]), (e) => e.status === 'badData');
  world.dispose();
  other.dispose();
  mesh.dispose();
});
each('all kinds of broad phase find the same pairs', (cm) => {
  const boxes = [];
  for (let i = 0; i < 200; i++) { const p = [Math.sin(i) * 9, Math.cos(7 * i) * 9, Math.sin(3 * i) * 9]; boxes.push(...p, ...p.map((x) => x + 2)); }
  let expected = 0;
  for (let i = 0; i < 200; i++) for (let j = 0; j < i; j++) if ([0, 1, 2].every((k) => Math.fround(boxes[6 * i + k]) <= Math.fround(boxes[6 * j + 3 + k]) && Math.fround(boxes[6 * j + k]) <= Math.fround(boxes[6 * i + 3 + k]))) expected++;
  for (const kind of ['auto', 'brute', 'sweep', 'sweep3', 'grid', 'octree', 'quadtree', 'bsp', 'bvh']) {
    const broad = cm.broad({ kind, changes: true }), ids = broad.addMany(boxes);
    broad.update();
    assert.equal(broad.pairs(true).length, 2 * expected, kind);
    assert.equal(broad.changes().began.length, 2 * expected, kind);
    assert.deepEqual(broad.queryBox({ min: boxes.slice(0, 3), max: boxes.slice(3, 6) }).includes(ids[0]), true);
    let cells = 0;
    broad.walk(() => ++cells > 0);
    assert.ok(cells > 0, kind);
    broad.dispose();
  }
});
each('a mover walks on ground, and not through a wall', (cm) => {
  const world = cm.world(), ground = cm.mesh(sheet(20));
  world.add({ shape: ground, fixed: true });
  const wall = world.add({ shape: cm.box([0.1, 3, 9]), pose: { position: [3, 0, 0] }, fixed: true });
  world.update();
  const mover = cm.mover({ shape: cm.capsule([0, 0.3, 0], [0, 1.5, 0], 0.3), pose: { position: [0, 0.5, 0] } });
  let met;
  for (let i = 0; i < 120; i++) { const r = mover.step({ world }, [3, -9, 0], 1 / 60); met ??= r.hits.find((h) => h.id === wall); }
  assert.equal(mover.footing, 'firm');
  assert.ok(met && mover.pose.position.x < 2.6 && mover.pose.position.x > 2.59, `x ${mover.pose.position.x}`);
  assert.equal(mover.fits({ world }, undefined, { position: [3, 0.5, 0] }), false);
  world.dispose();
  ground.dispose();
});
each('what falls under gravity for a second from rest has fallen g / 2', (cm) => {
  const world = cm.world(), dynamics = cm.dynamics(world, [0, -10, 0]);
  const id = world.add({ shape: cm.sphere(1) });
  dynamics.add(id, { mass: 2, response: cm.constants.RESPONSE_BOUNCE });
  for (let i = 0; i < 10; i++) dynamics.step(0.1);
  assert.ok(Math.abs(world.getPose(id).position.y + 5) < 1e-5, `y ${world.getPose(id).position.y}`);
  assert.ok(Math.abs(dynamics.get(id).velocity.y + 10) < 1e-5);
  dynamics.dispose();
  world.dispose();
});
