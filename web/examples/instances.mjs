// three.js: a world drives the instances of one mesh, a Raycaster picks one, lines show what the library sees.
import * as THREE from 'three';
import { init } from 'carom';
import { addInstances, followWorld, instancePoseOf, intersectWorld, DebugLines } from 'carom/three';

const cm = await init();
const scene = new THREE.Scene();
const crates = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 1, 1), new THREE.MeshNormalMaterial(), 50);
for (let i = 0; i < 50; i++) crates.setMatrixAt(i, new THREE.Matrix4().setPosition((i % 10) * 1.5, 1 + Math.floor(i / 10) * 1.5, 0));
scene.add(crates);

const world = cm.world(), dynamics = cm.dynamics(world, [0, -10, 0]), lines = new DebugLines(cm);
scene.add(lines);
world.add({ shape: cm.halfspace([0, 1, 0]), fixed: true });
const ids = addInstances(world, crates, { shape: cm.box([0.5, 0.5, 0.5]) });
const response = cm.constants.RESPONSE_BOUNCE | cm.constants.RESPONSE_PUSH_APART;
for (const id of ids) dynamics.add(id, { mass: 1, response });

for (let frame = 0; frame < 60; frame++) { // each would end with renderer.render(scene, camera)
  dynamics.step(1 / 60);
  followWorld(crates, world, ids);
  lines.erase();
  lines.world(world, { boxes: 0x22c55e });
}
console.log('crate 0 at', instancePoseOf(crates, 0).position.y.toFixed(2));
console.log(lines.drawn, 'lines');

const raycaster = new THREE.Raycaster(new THREE.Vector3(3.2, 20, 0.1), new THREE.Vector3(0, -1, 0));
for (const hit of intersectWorld(raycaster, world)) console.log('picked crate', hit.instanceId);
