/* three.js' objects in and out: compared with what three itself says. */
import test from 'node:test';
import assert from 'node:assert/strict';
import * as THREE from 'three';
import { init } from 'carom';
import { meshOf, hullOf, poseOf, setPose, intersect } from 'carom/three';

const cm = await init();

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
