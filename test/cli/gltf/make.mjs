// Makes the small models of this folder: a torus and three bolts, plain and as gltfpack and gltf-transform write them.
//   node make.mjs FOLDER
import { Document } from '@gltf-transform/core';
import { dedup, draco, instance, meshopt, quantize } from '@gltf-transform/functions';
import path from 'node:path';
import { encoder, pack, transform } from './tools.mjs';

const folder = process.argv[2];

// A grid that closes on itself in both directions.
function ring(around, across, place) {
  const points = [], indices = [];
  for (let i = 0; i < around; i++) for (let k = 0; k < across; k++) points.push(...place(i / around, k / across));
  const at = (i, k) => (i % around) * across + (k % across);
  for (let i = 0; i < around; i++)
    for (let k = 0; k < across; k++) {
      indices.push(at(i, k), at(i + 1, k), at(i + 1, k + 1));
      indices.push(at(i, k), at(i + 1, k + 1), at(i, k + 1));
    }
  return [points, indices];
}
function torus(radius, thickness, around, across) {
  return ring(around, across, (u, v) => {
    const a = 2 * Math.PI * u, b = 2 * Math.PI * v, r = radius + thickness * Math.cos(b);
    return [r * Math.cos(a), r * Math.sin(a), thickness * Math.sin(b)];
  });
}

function original() {
  const document = new Document(), buffer = document.createBuffer();
  const scene = document.createScene('Scene');
  const mesh = (name, [points, indices]) =>
    document.createMesh(name).addPrimitive(
      document
        .createPrimitive()
        .setAttribute('POSITION', document.createAccessor().setType('VEC3').setArray(new Float32Array(points)).setBuffer(buffer))
        .setIndices(document.createAccessor().setType('SCALAR').setArray(new Uint16Array(indices)).setBuffer(buffer)),
    );
  const wheel = mesh('wheel', torus(1.25, 0.375, 16, 8)), bolt = mesh('bolt', torus(0.25, 0.125, 8, 6));
  const top = document.createNode('machine').setTranslation([10, 0, -2]);
  scene.addChild(top);
  top.addChild(document.createNode('wheel').setMesh(wheel));
  for (let i = 0; i < 3; i++)
    top.addChild(
      document.createNode(`bolt${i + 1}`).setMesh(bolt).setTranslation([2 * i, 3, 0]).setRotation([0, Math.SQRT1_2, 0, Math.SQRT1_2]).setScale([1, 1, 1 + i]),
    );
  return document;
}

const file = (name) => path.join(folder, `${name}.glb`);
await transform(original(), [], file('plain'));
await transform(original(), [quantize({ quantizePosition: 14 })], file('quantized'));
await transform(original(), [meshopt({ encoder, level: 'high' })], file('meshopt_high'));
await transform(original(), [draco({ method: 'edgebreaker', quantizePosition: 14 })], file('draco_edgebreaker'));
await transform(original(), [draco({ method: 'sequential', quantizePosition: 16 })], file('draco_sequential'));
await transform(original(), [dedup(), instance({ min: 2 })], file('instanced'));
await pack(file('plain'), file('pack'), '-kn');
await pack(file('plain'), file('pack_ext'), '-c -kn -ce ext');
await pack(file('plain'), file('pack_khr'), '-cz -kn -ce khr');
await pack(file('plain'), file('pack_ext_float'), '-cc -kn -vpf -ce ext');
await pack(file('plain'), file('pack_khr_float'), '-cz -kn -vpf -ce khr');
await pack(file('plain'), file('pack_ext_instances'), '-c -mi -ce ext');
await pack(file('plain'), file('pack_khr_instances'), '-cz -mi -ce khr');
