/* Memory: who owns what, no allocation in steady state, results that outlive a growth. */
import test from 'node:test';
import assert from 'node:assert/strict';
import { libraries, each, boxMesh, sheet } from './both.mjs';

/** The address that the heap gives next: the same again where nothing was taken in between, or all was given back. */
function next(cm, bytes) {
  const { memory } = cm, p = memory.allocate(bytes);
  memory.free(p);
  return p;
}
const Reals = (cm) => (cm.precision === 'float' ? Float32Array : Float64Array);

each('steady state takes no memory of the module', (cm) => {
  const mesh = cm.mesh(sheet(20)), box = cm.box([1, 1, 1]), ball = cm.sphere(0.7), world = cm.world();
  const ids = [];
  world.add({ shape: mesh, fixed: true });
  for (let i = 0; i < 20; i++) ids.push(world.add({ shape: i % 2 ? box : ball, pose: { position: [i - 10, 0.5, 0] } }));
  const witness = cm.newWitness(), rayHit = cm.newRayHit(), sweepHit = cm.newSweepHit(), list = [], pose = { position: [0, 0, 0] };
  const met = new Uint8Array(64), t = new (Reals(cm))(64), rays = new (Reals(cm))(7 * 64).fill(1);
  const poses = new (Reals(cm))(7 * 64).fill(0.1), motions = new (Reals(cm))(19 * 64).fill(0.1), normals = new (Reals(cm))(192), counts = new Int32Array(64);
  const batch = { shapes: [ball, box], shapeOf: new Uint32Array(64).map((_, i) => i % 2), poses, motions, one: 3 }, manifolds = [];
  const parts = [0, 0.5].map((x) => ({ shape: mesh, pose: { position: [x, 0.2 * x, 0] }, name: `sheet ${x}`, properties: [{ key: 'class', value: 'sheet' }] }));
  const job = { parts, outlines: true, progress: () => {}, exceptions: [{ first: 'class=sheet', second: '*', depth: 1 }] }, found = cm.check(job);
  const round = (n) => {
    for (let i = 0; i < n; i++) {
      pose.position[1] = Math.sin(i) * 2;
      cm.overlap(ball, pose, mesh);
      cm.distance(ball, pose, mesh, null, witness);
      cm.contact(box, pose, mesh, null, 0.1, list);
      cm.sweep(ball, { start: pose, move: [0, -3, 1] }, mesh, undefined, sweepHit);
      cm.raycast({ origin: [0, 5, 0.1 * i], direction: [0, -1, 0] }, mesh, null, rayHit);
      cm.raycastMany(rays, mesh, null, { met, t });
      cm.overlapMany(batch, met);
      cm.distanceMany(batch, { distances: t, normals });
      cm.contactMany(batch, 0.1, counts, manifolds, 2);
      cm.sweepMany(batch, { met, first: t });
      cm.check(job, found);
      for (const id of ids) world.setMotion(id, { move: [0, Math.sin(i + id), 0] });
      world.update();
      world.raycast({ origin: [0, 5, 0], direction: [0, -1, 0] });
      world.overlap(box, pose, { accept: () => true });
      world.boxes(t);
      world.role(ids[0]);
      cm.api.meshCrossings(mesh, null, mesh, { position: [0, 0.1, 0] }, () => true);
    }
  };
  round(50);
  const { length } = cm.memory.slots;
  const probes = [64, 1000, 20000].map((bytes) => next(cm, bytes)), bytes = cm.memoryBytes;
  round(100);
  assert.deepEqual([64, 1000, 20000].map((n) => next(cm, n)), probes);
  assert.equal(cm.memoryBytes, bytes);
  assert.equal(cm.memory.slots.length, length, 'callbacks are let go');
  world.dispose();
  mesh.dispose();
});

test('what is disposed of is given back: a hundred builds do not grow the memory', () => {
  for (const cm of libraries) {
    const build = () => {
      const mesh = cm.mesh(sheet(60)), world = cm.world();
      world.add({ shape: mesh });
      world.update();
      mesh.dispose(); // the world still has it
      assert.equal(world.raycastAny({ origin: [0.2, 1, 0.1], direction: [0, -1, 0] }), true);
      world.dispose();
    };
    for (let i = 0; i < 3; i++) build();
    const bytes = cm.memoryBytes;
    for (let i = 0; i < 100; i++) build();
    assert.equal(cm.memoryBytes, bytes);
  }
});

test('no result is a view of the memory: none changes or vanishes when it grows', () => {
  for (const cm of libraries) {
    const mesh = cm.mesh(boxMesh()), hull = cm.hull(boxMesh().positions), broad = cm.broad({ changes: true }), world = cm.world();
    broad.addMany([0, 0, 0, 1, 1, 1, 0.5, 0, 0, 2, 1, 1]);
    broad.update();
    const a = world.add({ shape: mesh }), b = world.add({ shape: hull });
    world.update();
    const results = () => ({
      points: mesh.points, vertices: hull.vertices, pairs: broad.pairs(), changes: broad.changes(), ids: world.ids, saved: world.save([mesh, hull]),
      contact: cm.contact(mesh, null, hull, { position: [1.9, 0, 0] }), ray: cm.raycast({ origin: [5, 0, 0], direction: [-1, 0, 0] }, mesh),
      events: structuredClone(world.events), pose: world.getPose(a), picture: cm.api.shapeTessellate(mesh), found: cm.check({ parts: [{ shape: mesh, name: 'a' }, { shape: mesh, pose: { position: [1, 0.5, 0] }, name: 'b' }], outlines: true, exceptions: [{ first: 'a', second: 'b' }] }), face: cm.api.hullGetFace(hull.pointer, 0),
      sources: cm.api.hullSources(hull.pointer), info: mesh.info, box: world.getBox(b), shape: cm.box([1, 2, 3]).words, text: cm.version,
    });
    const walk = (value, path, seen) => {
      if (ArrayBuffer.isView(value)) { assert.notEqual(value.buffer, cm.memory.u8.buffer, path); assert.ok(value.length > 0 || path.endsWith('ended'), path); }
      if (value && typeof value === 'object') for (const key of Object.keys(value)) walk(value[key], `${path}.${key}`, seen);
    };
    const before = results(), copy = structuredClone(before), buffer = cm.memory.u8.buffer;
    walk(before, 'results');
    cm.memory.free(cm.memory.allocate(cm.memoryBytes)); // grows
    assert.equal(buffer.byteLength, 0, 'it has grown');
    assert.deepEqual(before, copy);
    assert.deepEqual(results(), copy, 'and the same questions have the same answers');
    for (const owner of [mesh, hull, broad, world]) owner.dispose();
  }
});

test('the memory may grow within any call: arguments and results hold', () => {
  for (const cm of libraries) {
    const big = sheet(200 + 10 * (cm.precision === 'double')), before = cm.memoryBytes; // larger than all the free memory
    const filler = [];
    for (let i = 0; i < 2000 && cm.memoryBytes === before; i++) filler.push(cm.memory.allocate(1 << 16));
    const size = cm.memoryBytes, mesh = cm.mesh(big);
    assert.ok(cm.memoryBytes > size, 'the build grew it');
    assert.equal(mesh.info.triangles, big.indices.length / 3);
    assert.equal(mesh.points.length, big.positions.length);
    const world = cm.world({ meet: () => { cm.memory.free(cm.memory.allocate(cm.memoryBytes)); return true; } }); // and a callback
    world.add({ shape: mesh, fixed: true });
    world.add({ shape: cm.sphere(1) });
    const old = cm.memoryBytes, events = world.update();
    assert.ok(cm.memoryBytes > old, 'the callback grew it');
    assert.deepEqual(events.map((e) => e.kind), ['began']);
    assert.ok(events[0].manifolds.length > 0);
    for (const p of filler) cm.memory.free(p);
    world.dispose();
    mesh.dispose();
  }
});

test('what is disposed of refuses, a second dispose does nothing, using disposes', () => {
  const [cm] = libraries, mesh = cm.mesh(boxMesh());
  const compound = cm.compound([{ shape: mesh }]);
  mesh.dispose();
  mesh[Symbol.dispose]();
  assert.throws(() => cm.overlap(mesh, null, cm.sphere(1)), /disposed/);
  assert.throws(() => mesh.info, /disposed/);
  const others = Array.from({ length: 9 }, () => cm.mesh(boxMesh(7))); // one would take the place of what was freed
  assert.equal(cm.distance(compound, null, cm.sphere(1), { position: [9, 0, 0] }), 7, 'whoever borrows it keeps it');
  for (const o of others) o.dispose();
  compound.dispose();
});

test('what is forgotten is given back when it is collected, with a warning', async () => {
  const [cm] = libraries, warnings = [], warn = console.warn;
  console.warn = (text) => warnings.push(text);
  (() => { for (let i = 0; i < 10; i++) cm.hull(boxMesh().positions); })();
  for (let i = 0; i < 50 && warnings.length === 0; i++) { gc(); await new Promise((r) => setTimeout(r, 10)); }
  console.warn = warn;
  assert.match(warnings[0] ?? 'none', /a hull was never disposed of/);
});
