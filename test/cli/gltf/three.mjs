// What three.js shows of a glTF file at rest: each part with its triangles, bounds and signed volume.
import draco3d from 'draco3dgltf';
import fs from 'node:fs';
import path from 'node:path';
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
// The decoder in plain double precision: the fast one rounds rotations of 16 bits by one more at times.
import { MeshoptDecoder } from './node_modules/meshoptimizer/meshopt_decoder_reference.js';

globalThis.self = globalThis;
globalThis.ProgressEvent = class {};
console.warn = console.error = () => {}; // its opinions on files, by the hundred

// Rotations in files are rounded, to eight bits at the worst; the specification means those of length 1.
const stored = THREE.Quaternion.prototype.fromBufferAttribute;
THREE.Quaternion.prototype.fromBufferAttribute = function (...a) {
  return stored.apply(this, a).normalize();
};

// Draco without a worker.
const draco = await draco3d.createDecoderModule({});
const kinds = { Int8Array: 'Int8', Uint8Array: 'UInt8', Int16Array: 'Int16', Uint16Array: 'UInt16', Uint32Array: 'UInt32', Float32Array: 'Float' };
function dracoAttribute(decoder, mesh, id, type) {
  const attribute = decoder.GetAttributeByUniqueId(mesh, id);
  const size = attribute.num_components(), count = mesh.num_points() * size;
  const kind = kinds[type], numbers = new draco[kind === 'Float' ? 'DracoFloat32Array' : `Draco${kind}Array`]();
  decoder[`GetAttribute${kind}ForAllPoints`](mesh, attribute, numbers);
  const array = new globalThis[type](count);
  for (let i = 0; i < count; i++) array[i] = numbers.GetValue(i);
  return new THREE.BufferAttribute(array, size);
}
const dracoLoader = {
  preload() {
    return this;
  },
  decodeDracoFile(buffer, done, ids, types) {
    const decoder = new draco.Decoder(), mesh = new draco.Mesh(), bytes = new Int8Array(buffer);
    const status = decoder.DecodeArrayToMesh(bytes, bytes.length, mesh);
    if (!status.ok()) throw new Error(`draco: ${status.error_msg()}`);
    const geometry = new THREE.BufferGeometry();
    for (const [name, id] of Object.entries(ids))
      geometry.setAttribute(name, dracoAttribute(decoder, mesh, id, types[name].name ?? types[name]));
    const index = new Uint32Array(3 * mesh.num_faces()), face = new draco.DracoInt32Array();
    for (let i = 0; i < mesh.num_faces(); i++) {
      decoder.GetFaceFromMesh(mesh, i, face);
      for (let k = 0; k < 3; k++) index[3 * i + k] = face.GetValue(k);
    }
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    done(geometry);
  },
};

const embedded = (bytes) => `data:application/octet-stream;base64,${bytes.toString('base64')}`;

// The JSON with its buffers inside, without what only a browser reads.
export function prepare(file) {
  const bytes = fs.readFileSync(file), text = new TextDecoder();
  let json, binary;
  if (bytes.subarray(0, 4).toString() === 'glTF') {
    const length = bytes.readUInt32LE(12), rest = 28 + length;
    json = JSON.parse(text.decode(bytes.subarray(20, 20 + length)));
    if (rest <= bytes.length) binary = bytes.subarray(rest, rest + bytes.readUInt32LE(20 + length));
  } else {
    json = JSON.parse(text.decode(bytes));
  }
  for (const [i, buffer] of (json.buffers ?? []).entries()) {
    if (buffer.uri === undefined && i === 0 && binary) buffer.uri = embedded(binary);
    else if (buffer.uri !== undefined && !buffer.uri.startsWith('data:'))
      buffer.uri = embedded(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(buffer.uri))));
  }
  for (const key of ['images', 'textures', 'samplers', 'materials', 'animations', 'cameras']) delete json[key];
  for (const mesh of json.meshes ?? [])
    for (const primitive of mesh.primitives ?? []) {
      delete primitive.material;
      if (primitive.extensions) delete primitive.extensions.KHR_materials_variants;
    }
  for (const node of json.nodes ?? []) delete node.camera;
  return json;
}

// The points as they are drawn: with morph targets, joints and the given place.
function placedPoints(mesh, world) {
  const count = mesh.geometry.attributes.position.count, points = new Float64Array(3 * count), v = new THREE.Vector3();
  for (let i = 0; i < count; i++) mesh.getVertexPosition(i, v).applyMatrix4(world).toArray(points, 3 * i);
  return points;
}

export function addTriangle(part, a, b, c) {
  for (let k = 0; k < 3; k++) {
    part.min[k] = Math.min(part.min[k], a[k], b[k], c[k]);
    part.max[k] = Math.max(part.max[k], a[k], b[k], c[k]);
    const [l, m] = [(k + 1) % 3, (k + 2) % 3];
    part.volume += (a[k] * (b[l] * c[m] - b[m] * c[l])) / 6;
  }
  part.triangles++;
}

function addTriangles(part, geometry, points) {
  const index = geometry.index, count = index ? index.count : points.length / 3;
  for (let t = 0; t + 2 < count; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => {
      const i = 3 * (index ? index.getX(t + k) : t + k);
      return [points[i], points[i + 1], points[i + 2]];
    });
    addTriangle(part, a, b, c);
  }
}

// The number of the node that shows an object: several primitives are its children.
function nodeOf(parser, object) {
  return parser.associations.get(object)?.nodes ?? parser.associations.get(object.parent)?.nodes ?? object.uuid;
}

function partsOf(gltf) {
  const scene = gltf.scene, parts = new Map(), own = new THREE.Matrix4();
  if (!scene) throw new Error('no scene');
  scene.traverse((o) => o.quaternion.normalize());
  scene.updateMatrixWorld(true);
  const inScene = (o) => o === scene || (o.parent !== null && inScene(o.parent));
  scene.traverse((o) => {
    if (!o.isMesh || !o.geometry.attributes.position) return;
    // three.js places joints in the scene alone
    if (o.isSkinnedMesh && !o.skeleton.bones.every(inScene)) throw new Error('joints outside the scene');
    for (let copy = 0; copy < (o.isInstancedMesh ? o.count : 1); copy++) {
      const world = o.matrixWorld.clone();
      if (o.isInstancedMesh) o.getMatrixAt(copy, own), world.multiply(own);
      const key = `${nodeOf(gltf.parser, o)}/${copy}`;
      if (!parts.has(key)) parts.set(key, { triangles: 0, min: Array(3).fill(Infinity), max: Array(3).fill(-Infinity), volume: 0 });
      addTriangles(parts.get(key), o.geometry, placedPoints(o, world));
    }
  });
  return [...parts.values()].filter((part) => part.triangles > 0);
}

// { parts } or { error }.
export async function readParts(file) {
  try {
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).setDRACOLoader(dracoLoader);
    return { parts: partsOf(await loader.parseAsync(JSON.stringify(prepare(file)), '')) };
  } catch (error) {
    return { error: String(error?.message ?? error).split('\n')[0] };
  }
}
