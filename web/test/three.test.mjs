/* three.js' objects in and out: compared with what three itself says. */
import test from 'node:test';
import assert from 'node:assert/strict';
import * as THREE from 'three';
import { meshOf, hullOf, poseOf, setPose, intersect, intersectWorld, instancePoseOf, instancePosesOf, setInstancePose, addInstances, followWorld, DebugLines } from 'carom/three';
import { libraries, each, boxMesh } from './both.mjs';

const [cm] = libraries;
const vector = ({ x, y, z }) => new THREE.Vector3(x, y, z);
const near = (a, b, eps, what) => assert.ok(Math.abs(a - b) <= eps, `${what}: ${a}, not ${b}`);
/** As far as three's matrices in float have it. */
function samePose(a, b, what) {
  assert.ok(vector(a.position).distanceTo(vector(b.position)) < 1e-5, `${what}: at ${JSON.stringify(a.position)}, not ${JSON.stringify(b.position)}`);
  const { x, y, z, w } = a.rotation, r = b.rotation;
  near(Math.abs(x * r.x + y * r.y + z * r.z + w * r.w), 1, 1e-6, `${what}: the rotation`);
}
const somePose = (i) => ({ position: { x: i % 3, y: Math.sin(i), z: -i % 2 }, rotation: new THREE.Quaternion().setFromEuler(new THREE.Euler(i, 2 * i, 3 * i)) });
/** Parents that are moved, turned, scaled and mirrored. */
function parents() {
  const outer = new THREE.Group(), inner = new THREE.Group();
  outer.position.set(1, 2, 3);
  outer.rotation.set(1, 2, 3);
  outer.scale.set(-2, 2, 2);
  inner.rotation.set(0.3, -2, 1);
  inner.position.set(-1, 0, 5);
  outer.add(inner);
  return inner;
}

test('a pose is what the matrix says, by parents and turns of every kind', () => {
  const parent = new THREE.Object3D(), child = new THREE.Object3D(), p = new THREE.Vector3(), local = new THREE.Vector3(0.3, -2, 1);
  parent.add(child);
  for (let i = 0; i < 200; i++) {
    parent.rotation.set(i, 2 * i, 3 * i);
    parent.position.set(i % 3, 1, -2);
    child.rotation.set(Math.PI * (i % 2), Math.PI * (i % 3 === 0), 0.1 * i * (i % 5));
    child.position.set(1, i % 7, 2);
    child.scale.set(1 + (i % 2), 1 + (i % 2), 1 + (i % 2)); // taken out of the pose
    const pose = poseOf(child), scaled = local.clone().multiply(child.scale);
    const { x, y, z } = cm.api.poseApply(pose, scaled);
    child.localToWorld(p.copy(local));
    assert.ok(p.distanceTo(new THREE.Vector3(x, y, z)) < 1e-4, `turn ${i}: ${[x, y, z]}, not ${p.toArray()}`);
  }
  const other = new THREE.Object3D();
  setPose(other, poseOf(child));
  assert.ok(other.position.distanceTo(child.getWorldPosition(p)) < 1e-6);
});
test('rays meet what those of three meet: the place, the face', () => {
  const geometry = new THREE.TorusKnotGeometry(1, 0.3, 64, 12), object = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
  object.position.set(0.5, -0.2, 1);
  object.rotation.set(1, 2, 3);
  object.updateMatrixWorld();
  const shape = meshOf(cm, geometry), raycaster = new THREE.Raycaster();
  let both = 0;
  for (let i = 0; i < 300; i++) {
    raycaster.set(new THREE.Vector3(Math.sin(i), Math.cos(2 * i), 5), new THREE.Vector3(Math.sin(3 * i) / 4, Math.cos(5 * i) / 4, -1).normalize());
    raycaster.near = i % 3;
    const [theirs] = raycaster.intersectObject(object), [ours] = intersect(cm, raycaster, shape, object);
    assert.equal(!!ours, !!theirs, `ray ${i}`);
    if (!ours) continue;
    both++;
    assert.ok(Math.abs(ours.distance - theirs.distance) < 1e-4 && ours.point.distanceTo(theirs.point) < 1e-4, `ray ${i}: ${ours.distance}, ${theirs.distance}`);
    assert.equal(ours.faceIndex, theirs.faceIndex);
  }
  assert.ok(both > 50, `${both} hits`);
  shape.dispose();
});
test('the hull of a geometry without an index', () => {
  const hull = hullOf(cm, new THREE.BoxGeometry(2, 2, 2).toNonIndexed());
  assert.equal(hull.info.vertices, 8);
  hull.dispose();
});

test('an object is put where a pose says, whatever its parents, and keeps its scale', () => {
  for (const parent of [null, parents()])
    for (let i = 0; i < 20; i++) {
      const object = new THREE.Object3D();
      object.scale.set(1, 2, 3);
      parent?.add(object);
      setPose(object, somePose(i));
      samePose(poseOf(object), somePose(i), `pose ${i}`);
      assert.deepEqual(object.scale.toArray(), [1, 2, 3]);
    }
});
/** A mesh of `count` instances of a geometry, some scaled, with and without parents. */
function instances(count, parent, geometry = new THREE.BoxGeometry(2, 2, 2), scaled = true) {
  const instanced = new THREE.InstancedMesh(geometry, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }), count), one = new THREE.Object3D();
  parent?.add(instanced);
  for (let i = 0; i < count; i++) {
    one.position.set(3 * i, i % 2, 0);
    one.rotation.set(i, 0, 1);
    if (scaled) one.scale.set(1 + i, 1, 2);
    one.updateMatrix();
    instanced.setMatrixAt(i, one.matrix);
  }
  return instanced;
}
test('instances are where three has them, and are put where poses say, with the scale that they have', () => {
  for (const parent of [null, parents()]) {
    const instanced = instances(5, parent), other = new THREE.Matrix4(), corner = new THREE.Vector3(1, 1, 1), size = new THREE.Vector3();
    const poses = instancePosesOf(instanced), wide = instancePosesOf(instanced, new Float64Array(35));
    for (let i = 0; i < 5; i++) {
      const pose = instancePoseOf(instanced, i);
      const { position: p, rotation: q } = pose;
      assert.deepEqual([...poses.subarray(7 * i, 7 * i + 7)], [p.x, p.y, p.z, q.x, q.y, q.z, q.w].map(Math.fround));
      assert.deepEqual([...wide.subarray(7 * i, 7 * i + 7)], [p.x, p.y, p.z, q.x, q.y, q.z, q.w]);
      instanced.getMatrixAt(i, other);
      const there = corner.clone().applyMatrix4(other.premultiply(instanced.matrixWorld)); // by three
      size.setFromMatrixScale(other);
      if (other.determinant() < 0) size.x *= -1;
      assert.ok(vector(cm.api.poseApply(pose, corner.clone().multiply(size))).distanceTo(there) < 1e-4, `instance ${i}`);
      setInstancePose(instanced, i, somePose(i));
      samePose(instancePoseOf(instanced, i), somePose(i), `instance ${i}`);
      instanced.getMatrixAt(i, other);
      near(Math.abs(new THREE.Vector3().setFromMatrixScale(other).x), 1 + i, 1e-5, 'scale');
    }
  }
});
test('instances follow the objects of a world, and are not culled by where they were', () => {
  for (const parent of [null, parents()]) {
    const instanced = instances(4, parent, undefined, false), world = cm.world(), before = instancePosesOf(instanced);
    const ids = addInstances(world, instanced, { shape: cm.box([1, 1, 1]), sweep: 'never' });
    instanced.computeBoundingSphere();
    instanced.computeBoundingBox();
    const { version } = instanced.instanceMatrix;
    for (const id of ids) world.setMotion(id, { move: [0, 100, 0] });
    world.update();
    followWorld(instanced, world, ids);
    assert.ok(instanced.instanceMatrix.version > version, 'drawn anew');
    const after = instancePosesOf(instanced);
    for (let i = 0; i < 4; i++) for (let k = 0; k < 7; k++) near(after[7 * i + k], before[7 * i + k] + (k === 1 ? 100 : 0), 2e-4, `instance ${i}, number ${k}`);
    for (let i = 0; i < 4; i++) {
      const at = instanced.worldToLocal(new THREE.Vector3(after[7 * i], after[7 * i + 1], after[7 * i + 2]));
      assert.ok(instanced.boundingSphere.containsPoint(at) && instanced.boundingBox.containsPoint(at));
    }
    assert.deepEqual(world.user(ids[2]), { object: instanced, instanceId: 2 });
    const raycaster = new THREE.Raycaster(new THREE.Vector3(after[14], after[15] + 50, after[16]), new THREE.Vector3(0, -1, 0), 1);
    const [hit] = intersectWorld(raycaster, world);
    assert.equal(hit.object, instanced);
    assert.equal(hit.instanceId, 2);
    assert.ok(hit.hit.id === ids[2] && Math.abs(hit.distance + hit.point.y - (after[15] + 50)) < 1e-4);
    const ball = new THREE.Object3D(), id = world.add({ shape: cm.sphere(1), pose: { position: [0, -500, 0] }, user: ball });
    raycaster.set(new THREE.Vector3(0, -600, 0), new THREE.Vector3(0, 1, 0));
    assert.deepEqual(intersectWorld(raycaster, world).map((h) => [h.object, h.instanceId, h.hit.id]), [[ball, undefined, id]]);
    raycaster.far = 50;
    assert.deepEqual(intersectWorld(raycaster, world), []);
    world.dispose();
  }
});
test('rays meet the instance that those of three meet first', () => {
  const geometry = new THREE.TorusKnotGeometry(1, 0.3, 24, 6), instanced = instances(6, null, geometry, false), shape = meshOf(cm, geometry), raycaster = new THREE.Raycaster();
  instanced.position.set(-7, 0, 0);
  instanced.rotation.y = 0.4;
  instanced.updateMatrixWorld();
  const met = new Set();
  for (let i = 0; i < 200; i++) {
    raycaster.set(new THREE.Vector3(12, Math.cos(2 * i), Math.sin(i)), new THREE.Vector3(-1, Math.cos(5 * i) / 20, Math.sin(3 * i) / 2).normalize());
    const [theirs] = raycaster.intersectObject(instanced), [ours] = intersect(cm, raycaster, shape, instanced);
    assert.equal(!!ours, !!theirs, `ray ${i}`);
    if (!ours) continue;
    met.add(ours.instanceId);
    assert.deepEqual([ours.instanceId, ours.faceIndex, ours.object], [theirs.instanceId, theirs.faceIndex, instanced]);
    near(ours.distance, theirs.distance, 1e-4, `ray ${i}`);
  }
  assert.ok(met.size > 4, `${met.size} instances`);
  shape.dispose();
});

/* --- debug drawing --- */

/** What is drawn: both ends of each segment. */
function segments(lines) {
  const { position, color } = lines.geometry.attributes, { start, count } = lines.geometry.drawRange;
  assert.deepEqual([start, count], [0, 2 * lines.drawn]);
  return Array.from({ length: lines.drawn }, (_, i) => ({
    a: new THREE.Vector3().fromBufferAttribute(position, 2 * i), b: new THREE.Vector3().fromBufferAttribute(position, 2 * i + 1),
    color: new THREE.Color().fromBufferAttribute(color, 2 * i).getHex(),
  }));
}
const lengths = (list) => list.map(({ a, b }) => a.distanceTo(b)).sort((x, y) => x - y);

each('the edges of shapes, where their poses put them', (cm) => {
  const lines = new DebugLines(cm, { segments: 8, extent: 7, contactSize: 0.1 }), pose = somePose(4), box = cm.box([1, 2, 3]);
  const drawn = (shape, at = null) => { lines.erase(); lines.shape(shape, at, 0x123456); return segments(lines); };
  const edges = drawn(box, pose);
  assert.equal(edges.length, 12);
  lengths(edges).forEach((length, i) => near(length, [2, 4, 6][Math.floor(i / 4)], 1e-5, 'length'));
  for (const { a, b, color } of edges) {
    assert.equal(color, 0x123456);
    for (const end of [a, b]) {
      const { x, y, z } = cm.api.poseUnapply(pose, end);
      [[x, 1], [y, 2], [z, 3]].forEach(([at, half]) => near(Math.abs(at), half, 1e-5, 'a corner'));
    }
  }
  const hull = cm.hull(boxMesh().positions), mesh = cm.mesh(boxMesh(2)), ball = cm.sphere(2), triangle = cm.triangle([0, 0, 0], [3, 0, 0], [0, 4, 0]);
  lengths(drawn(hull)).forEach((length) => near(length, 2, 1e-5, 'of the hull'));
  assert.equal(lines.drawn, 12, 'no diagonals of flat faces');
  lengths(drawn(mesh)).forEach((length) => near(length, 4, 1e-5, 'of the mesh'));
  assert.equal(lines.drawn, 12);
  const round = drawn(ball, { position: [1, 0, 0] });
  assert.ok(round.length > 24, `${round.length} edges of a ball`);
  for (const { a, b } of round) for (const end of [a, b]) near(end.distanceTo(new THREE.Vector3(1, 0, 0)), 2, 1e-5, 'on the ball');
  assert.deepEqual(lengths(drawn(triangle)).map((x) => +x.toFixed(5)), [3, 4, 5]);
  assert.deepEqual(drawn(cm.segment([1, 2, 3], [4, 5, 6])).map(({ a, b }) => [a.toArray(), b.toArray()]), [[[1, 2, 3], [4, 5, 6]]]);
  assert.deepEqual(lengths(drawn(cm.point([1, 0, 0]))).map((x) => +x.toFixed(5)), [0.2, 0.2, 0.2]);
  for (const { a, b } of drawn(cm.halfspace([0, 1, 0], -3))) for (const end of [a, b]) assert.deepEqual([Math.abs(end.x), end.y, Math.abs(end.z)], [7, 3, 7]);
  assert.equal(lines.drawn, 4);
  const open = cm.mesh({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], indices: [0, 1, 2, 1, 3, 2] });
  assert.equal(drawn(open).length, 4, 'open edges, and no flat one');
  open.movePoints(new (cm.precision === 'float' ? Float32Array : Float64Array)([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 5]));
  lines.forget(open);
  assert.equal(drawn(open).length, 5, 'folded');
  for (const owner of [hull, mesh, open]) owner.dispose();
  lines.dispose();
});
test('what a box has no end of is drawn up to the extent', () => {
  const lines = new DebugLines(cm, { extent: 50 });
  lines.box({ min: [-Infinity, 1, 0], max: { x: 2, y: 3e38, z: 4 } }, 1);
  const bounds = new THREE.Box3().setFromPoints(segments(lines).flatMap(({ a, b }) => [a, b]));
  assert.deepEqual([...bounds.min, ...bounds.max], [-50, 1, 0, 2, 50, 4]);
});
each('contacts: a cross at each, and the normal from A to B', (cm) => {
  const lines = new DebugLines(cm, { contactSize: 0.1 }), contact = cm.contact(cm.box([1, 1, 1]), null, cm.box([1, 1, 1]), { position: [0, 1.5, 0] });
  lines.contacts(contact, 0xff0000);
  assert.equal(contact[0].points.length, 4);
  const list = segments(lines);
  assert.equal(list.length, 16);
  for (let i = 0; i < 16; i += 4) {
    for (const { a, b } of list.slice(i, i + 3)) { near(a.distanceTo(b), 0.2, 1e-6, 'the cross'); near(a.clone().add(b).y / 2, 0.75, 1e-6, 'between 1 and 0.5'); }
    assert.ok(list[i + 3].b.clone().sub(list[i + 3].a).distanceTo(new THREE.Vector3(0, 0.4, 0)) < 1e-6, 'the normal, up');
  }
});
each('boxes of a broad phase: all that walk shows, more than have room at first', (cm) => {
  for (const kind of ['bvh', 'grid', 'octree', 'sweep']) {
    const broad = cm.broad({ kind }), walked = [];
    for (let i = 0; i < 400; i++) broad.add({ min: [i % 20, Math.floor(i / 20), 0], max: [(i % 20) + 0.5, Math.floor(i / 20) + 0.5, 1 + (i % 3)] });
    broad.update();
    broad.walk(({ min, max }) => (walked.push(min.x, min.y, min.z, max.x, max.y, max.z), true));
    const few = new Float64Array(12), all = new Float64Array(walked.length), count = walked.length / 6;
    assert.equal(broad.boxes(few), count, 'how many there are');
    assert.deepEqual([...few].slice(0, 6 * Math.min(count, 2)), walked.slice(0, 12));
    assert.equal(broad.boxes(all), count);
    assert.deepEqual([...all], walked);
    const lines = new DebugLines(cm, { capacity: 8 });
    lines.boxes(broad, 0x00ff00);
    const list = segments(lines);
    assert.equal(list.length, 12 * count);
    for (let i = 0; i < count; i++) {
      const bounds = new THREE.Box3().setFromPoints(list.slice(12 * i, 12 * i + 12).flatMap(({ a, b }) => [a, b]));
      [...bounds.min, ...bounds.max].forEach((v, k) => near(v, Math.fround(walked[6 * i + k]), 0, `${kind}, box ${i}`));
      for (const { a, b } of list.slice(12 * i, 12 * i + 12)) assert.equal(['x', 'y', 'z'].filter((k) => a[k] !== b[k]).length <= 1, true, 'along an axis');
    }
    broad.dispose();
  }
});
test('a world: shapes by what they are, contacts, boxes; after restore the boxes of objects', () => {
  const lines = new DebugLines(cm), world = cm.world(), box = cm.box([1, 1, 1]);
  const fixed = world.add({ shape: box, fixed: true }), moving = world.add({ shape: box, pose: { position: [0, 1.9, 0] } }), trigger = world.add({ shape: box, trigger: true, pose: { position: [9, 0, 0] } });
  world.update();
  assert.deepEqual([fixed, moving, trigger].map((id) => world.role(id)), ['fixed', 'moves', 'trigger']);
  const count = (color) => segments(lines).filter((s) => s.color === color).length;
  lines.world(world, { moving: 1, fixed: 2, triggers: 3, contacts: 4, boxes: 5 });
  assert.deepEqual([1, 2, 3, 4].map(count), [12, 12, 12, 16]);
  assert.equal(count(5), 12 * world.boxes(new Float32Array(0)));
  assert.ok(count(5) > 0);
  lines.erase();
  lines.world(world, { moving: null, fixed: 2, triggers: null, contacts: null });
  assert.equal(lines.drawn, 12);
  const bytes = world.save();
  world.restore(bytes);
  lines.erase();
  lines.world(world, { contacts: null });
  assert.equal(lines.drawn, 36);
  world.remove(moving);
  assert.throws(() => world.role(moving), { status: 'staleId' });
  world.dispose();
});
