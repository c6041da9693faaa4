// What three.js shows of a glTF file at rest: each part with its triangles, bounds and signed volume.
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import draco3d from 'draco3dgltf';
import fs from 'node:fs';
import path from 'node:path';
// The decoder in plain double precision: the fast one rounds rotations of 16 bits by one more at times.
import { MeshoptDecoder } from './node_modules/meshoptimizer/meshopt_decoder_reference.js';

globalThis.self = globalThis;
console.warn = console.error = () => {}; // its opinions on files, by the hundred
globalThis.ProgressEvent = class { constructor(t){this.type=t} };
const draco = await draco3d.createDecoderModule({});
const dracoLoader = {
  preload() { return this; },
  decodeDracoFile(buffer, done, ids, types) {
    const d = new draco.Decoder(), mesh = new draco.Mesh();
    const b = new Int8Array(buffer);
    const st = d.DecodeArrayToMesh(b, b.length, mesh);
    if (!st.ok()) throw new Error('draco: ' + st.error_msg());
    const g = new THREE.BufferGeometry();
    for (const [name, id] of Object.entries(ids)) {
      const a = d.GetAttributeByUniqueId(mesh, id), n = a.num_components(), c = mesh.num_points();
      const T = globalThis[types[name]] ?? types[name];
      const out = new draco.DracoFloat32Array();
      const map = { Float32Array: ['DracoFloat32Array','GetAttributeFloatForAllPoints'], Int8Array:['DracoInt8Array','GetAttributeInt8ForAllPoints'], Uint8Array:['DracoUInt8Array','GetAttributeUInt8ForAllPoints'], Int16Array:['DracoInt16Array','GetAttributeInt16ForAllPoints'], Uint16Array:['DracoUInt16Array','GetAttributeUInt16ForAllPoints'], Uint32Array:['DracoUInt32Array','GetAttributeUInt32ForAllPoints']};
      const [cls, fn] = map[T.name]; const arr = new draco[cls](); d[fn](mesh, a, arr);
      const data = new T(c * n); for (let i = 0; i < c * n; i++) data[i] = arr.GetValue(i);
      g.setAttribute(name, new THREE.BufferAttribute(data, n));
    }
    const f = mesh.num_faces(), ix = new Uint32Array(3 * f), ia = new draco.DracoInt32Array();
    for (let i = 0; i < f; i++) { d.GetFaceFromMesh(mesh, i, ia); for (let k = 0; k < 3; k++) ix[3*i+k] = ia.GetValue(k); }
    g.setIndex(new THREE.BufferAttribute(ix, 1));
    done(g);
  }
};
// Rotations in files are rounded, to eight bits at the worst; the specification means those of length 1.
const stored = THREE.Quaternion.prototype.fromBufferAttribute;
THREE.Quaternion.prototype.fromBufferAttribute = function (...a) {
  return stored.apply(this, a).normalize();
};

// The file as one GLB-like: buffers embedded, images and textures taken away (no browser here).
function prepare(file) {
  const bytes = fs.readFileSync(file);
  let json, bin = null;
  if (bytes.subarray(0,4).toString() === 'glTF') {
    const n = bytes.readUInt32LE(12); json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20+n)));
    if (20+n+8 <= bytes.length) { const m = bytes.readUInt32LE(20+n); bin = bytes.subarray(28+n, 28+n+m); }
  } else json = JSON.parse(new TextDecoder().decode(bytes));
  for (const [i,b] of (json.buffers||[]).entries()) {
    if (b.uri === undefined) { if (i===0 && bin) b.uri = 'data:application/octet-stream;base64,' + bin.toString('base64'); continue; }
    if (b.uri.startsWith('data:')) continue;
    b.uri = 'data:application/octet-stream;base64,' + fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(b.uri))).toString('base64');
  }
  delete json.images; delete json.textures; delete json.samplers; delete json.materials; delete json.animations; delete json.cameras;
  for (const m of json.meshes||[]) for (const p of m.primitives||[]) { delete p.material; if (p.extensions) delete p.extensions.KHR_materials_variants; }
  for (const n of json.nodes||[]) delete n.camera;
  return json;
}
export async function readParts(file) {
  const out = {};
  try {
    const json = prepare(file);
    const loader = new GLTFLoader(); loader.setMeshoptDecoder(MeshoptDecoder); loader.setDRACOLoader(dracoLoader);
    const gltf = await loader.parseAsync(JSON.stringify(json), '');
    const scene = gltf.scene; if (!scene) throw new Error('no scene');
    scene.traverse((o) => o.quaternion.normalize());
    scene.updateMatrixWorld(true);
    const inScene = (o) => o === scene || (o.parent !== null && inScene(o.parent));
    scene.traverse((o) => {
      // three.js places joints only there
      if (o.isSkinnedMesh && !o.skeleton.bones.every(inScene)) throw new Error('joints outside the scene');
    });
    const parts = new Map(); // by the glTF node that shows it
    const v = new THREE.Vector3(), im = new THREE.Matrix4();
    scene.traverse((o) => {
      if (!o.isMesh) return;
      const g = o.geometry, pos = g.attributes.position; if (!pos) return;
      const ix = g.index, n = ix ? ix.count : pos.count;
      const nodeKey = (() => { let a = gltf.parser.associations.get(o); if (a && a.nodes !== undefined) return a.nodes; a = gltf.parser.associations.get(o.parent); return a && a.nodes !== undefined ? a.nodes : 'u' + o.uuid; })();
      const copies = o.isInstancedMesh ? o.count : 1;
      for (let c = 0; c < copies; c++) {
        const world = o.matrixWorld.clone();
        if (o.isInstancedMesh) { o.getMatrixAt(c, im); world.multiply(im); }
        const key = nodeKey + (o.isInstancedMesh ? '/' + c : '');
        if (!parts.has(key)) parts.set(key, { triangles: 0, min: [1/0,1/0,1/0], max: [-1/0,-1/0,-1/0], volume: 0 });
        const p = parts.get(key);
        const pts = [];
        for (let i = 0; i < pos.count; i++) { o.getVertexPosition(i, v); v.applyMatrix4(world); pts.push(v.x, v.y, v.z); }
        for (let t = 0; t + 2 < n; t += 3) {
          const q = [0,1,2].map(k => { const i = ix ? ix.getX(t+k) : t+k; return [pts[3*i], pts[3*i+1], pts[3*i+2]]; });
          for (const a of q) for (let k = 0; k < 3; k++) { p.min[k] = Math.min(p.min[k], a[k]); p.max[k] = Math.max(p.max[k], a[k]); }
          const [a,b,d] = q;
          p.volume += (a[0]*(b[1]*d[2]-b[2]*d[1]) - a[1]*(b[0]*d[2]-b[2]*d[0]) + a[2]*(b[0]*d[1]-b[1]*d[0])) / 6;
          p.triangles++;
        }
      }
    });
    out.parts = [...parts.values()].filter(p => p.triangles > 0);
  } catch (e) { out.error = String(e && e.message || e).split('\n')[0]; }
  return out;
}
