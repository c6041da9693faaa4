/* Batches: each answer is that of the single call, to the bit; what is wrong is refused by name. */
import test from 'node:test';
import assert from 'node:assert/strict';
import { libraries, each, boxMesh } from './both.mjs';

const Reals = (cm) => (cm.precision === 'float' ? Float32Array : Float64Array);
/** Sixty objects of four shapes, close enough that many pairs overlap; all pairs, every third turned around. */
function crowd(cm) {
  const shapes = [cm.sphere(0.8), cm.box([0.5, 0.6, 0.7]), cm.hull(boxMesh(0.6).positions), cm.mesh({ ...boxMesh(0.5), solid: false })], n = 60;
  const poses = new (Reals(cm))(7 * n), motions = new (Reals(cm))(19 * n), shapeOf = new Uint32Array(n), pairs = [];
  for (let i = 0; i < n; i++) {
    const angle = i / 3;
    poses.set([2 * Math.sin(7 * i), 2 * Math.cos(5 * i), 2 * Math.sin(3 * i), 0, Math.sin(angle / 2), 0, Math.cos(angle / 2)], 7 * i);
    motions.set(poses.subarray(7 * i, 7 * i + 7), 19 * i);
    motions.set([Math.cos(i), 0.5, Math.sin(i), 0, i % 2, 0], 19 * i + 7);
    shapeOf[i] = i % 4;
    for (let k = 0; k < i; k++) pairs.push(...(i % 3 ? [i, k] : [k, i]));
  }
  const three = (a, i) => [a[i], a[i + 1], a[i + 2]], four = (a, i) => [...three(a, i), a[i + 3]];
  const pose = (i) => ({ position: three(poses, 7 * i), rotation: four(poses, 7 * i + 3) });
  const motion = (i) => ({ start: pose(i), move: three(motions, 19 * i + 7), spin: three(motions, 19 * i + 10) });
  const shape = (i) => shapes[shapeOf[i]];
  return { shapes, poses, motions, shapeOf, n, pairs: new Uint32Array(pairs), pose, motion, shape, dispose: () => { shapes[2].dispose(); shapes[3].dispose(); } };
}
const list = (v) => [v.x, v.y, v.z];
const at = (a, i) => [...a.subarray(3 * i, 3 * i + 3)];

each('rays answer as one by one', (cm) => {
  const shape = cm.hull(boxMesh().positions), n = 200, rays = [];
  for (let i = 0; i < n; i++) rays.push(Math.sin(i) * 1.5, Math.cos(3 * i) * 1.5, 5, Math.sin(7 * i) / 9, Math.cos(5 * i) / 9, -1, Infinity);
  const out = { met: new Uint8Array(n), t: new (Reals(cm))(n), points: new (Reals(cm))(3 * n), normals: new (Reals(cm))(3 * n), parts: new Uint32Array(n) };
  const pose = { position: [0.2, 0, 0.1], rotation: [0, 0.6, 0, 0.8] }, found = cm.raycastMany(rays, shape, pose, out);
  assert.ok(found > 20 && found < 180, `${found} of ${n}`);
  for (let i = 0; i < n; i++) {
    const r = rays.slice(7 * i, 7 * i + 7), hit = cm.raycast({ origin: r, direction: r.slice(3) }, shape, pose);
    assert.equal(out.met[i] === 1, hit !== null);
    assert.equal(out.t[i], hit ? hit.t : Infinity);
    assert.equal(out.parts[i], hit ? hit.part : 0xffffffff);
    assert.deepEqual(at(out.points, i), hit ? list(hit.point) : [0, 0, 0]);
    assert.deepEqual(at(out.normals, i), hit ? list(hit.normal) : [0, 0, 0]);
  }
  shape.dispose();
});

each('overlaps, distances and contacts of a batch of pairs are those of the single calls', (cm) => {
  const c = crowd(cm), { shapes, shapeOf, poses, pairs } = c, n = pairs.length / 2, batch = { shapes, shapeOf, poses, pairs };
  const over = new Uint8Array(n), counts = new Int32Array(n), manifolds = [];
  const out = { distances: new (Reals(cm))(n), pointsA: new (Reals(cm))(3 * n), pointsB: new (Reals(cm))(3 * n), normals: new (Reals(cm))(3 * n) };
  const overlapping = cm.overlapMany(batch, over);
  cm.distanceMany(batch, out, 1);
  cm.contactMany(batch, 0.1, counts, manifolds, 1);
  assert.ok(overlapping > n / 20 && overlapping < n / 2, `${overlapping} of ${n}`);
  let alone = 0;
  for (let i = 0; i < n; i++) {
    const [a, b] = pairs.subarray(2 * i), w = cm.newWitness();
    assert.equal(over[i] === 1, cm.overlap(c.shape(a), c.pose(a), c.shape(b), c.pose(b)));
    alone += over[i];
    const d = cm.distance(c.shape(a), c.pose(a), c.shape(b), c.pose(b), w, 1);
    assert.equal(out.distances[i], d);
    for (const [array, v] of [[out.pointsA, w.pointA], [out.pointsB, w.pointB], [out.normals, w.normal]]) assert.deepEqual(at(array, i), d === Infinity ? [0, 0, 0] : list(v));
    const contacts = cm.contact(c.shape(a), c.pose(a), c.shape(b), c.pose(b), 0.1);
    assert.equal(counts[i], contacts.length);
    assert.deepEqual(manifolds.slice(i, i + Math.min(1, counts[i])), contacts.slice(0, 1));
  }
  assert.equal(overlapping, alone);
  assert.ok(Math.max(...counts) > 1, 'some have more than there is room for');
  const same = manifolds[0];
  cm.contactMany(batch, 0.1, counts, manifolds, 1);
  assert.equal(manifolds[0], same, 'the objects of the list are filled again');
  c.dispose();
});
each('without pairs one object is asked against each; sweeps are those of the single calls', (cm) => {
  const c = crowd(cm), { shapes, shapeOf, poses, motions, n } = c;
  const over = new Uint8Array(n), out = { met: new Uint8Array(n), first: new (Reals(cm))(n), points: new (Reals(cm))(3 * n), blocking: new Uint8Array(n) };
  cm.overlapMany({ shapes, shapeOf, poses, one: 5 }, over);
  const met = cm.sweepMany({ shapes, shapeOf, motions, one: 5 }, out);
  assert.ok(met > 5 && met < n, `${met} of ${n}`);
  for (let i = 0; i < n; i++) {
    assert.equal(over[i] === 1, cm.overlap(c.shape(5), c.pose(5), c.shape(i), c.pose(i)));
    const hit = cm.sweep(c.shape(5), c.motion(5), c.shape(i), c.motion(i));
    assert.deepEqual([out.met[i] === 1, out.first[i], out.blocking[i] === 1], hit ? [true, hit.first, hit.blocking] : [false, Infinity, false]);
    assert.deepEqual(at(out.points, i), hit ? list(hit.point) : [0, 0, 0]);
  }
  c.dispose();
});
test('what is wrong with a batch is said by name, and nothing is written', () => {
  for (const cm of libraries) {
    const shapes = [cm.sphere(1)], poses = new Float32Array(21).fill(1), out = new Uint8Array(3).fill(7);
    const refuses = (batch, expected) => { assert.throws(() => cm.overlapMany(batch, out), expected); assert.deepEqual([...out], [7, 7, 7]); };
    refuses({ shapes, poses, shapeOf: [0, 1, 0] }, { name: 'CaromError', status: 'outOfRange', field: 'shapeOf', index: 1 });
    refuses({ shapes, poses, shapeOf: [0, 0, 0], pairs: [0, 1, 2, 3] }, { name: 'CaromError', status: 'outOfRange', field: 'pairs', index: 1 });
    refuses({ shapes, poses, shapeOf: [0, 0, 0], one: 3 }, { name: 'CaromError', status: 'outOfRange', field: 'one' });
    refuses({ shapes, shapeOf: [0, 0, 0], pairs: [0, 1] }, { name: 'CaromError', status: 'invalid', field: 'poses' });
    refuses({ shapes, poses, shapeOf: [0, 0] }, { name: 'RangeError', message: 'poses: 3 elements, others have 2' });
    refuses({ shapes, poses: poses.subarray(1) }, { name: 'RangeError', message: 'poses: 20 numbers, not a multiple of 7' });
    assert.throws(() => cm.overlapMany({ shapes, poses, shapeOf: [0, 0, 0] }, out.subarray(1)), { name: 'RangeError', message: 'out: 2 numbers, 3 are needed' });
    assert.throws(() => cm.sweepMany({ shapes, poses, shapeOf: [0, 0, 0], pairs: [0, 1] }, { met: out }), { status: 'invalid', field: 'motions' });
  }
});
