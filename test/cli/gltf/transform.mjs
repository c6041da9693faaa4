// What gltf-transform decodes of a glTF file, at rest: each part with its triangles, bounds and signed volume. Its
// accessors are asked, which undo quantization, sparse storage and compression; places are computed here.
import { addTriangle, prepare } from './three.mjs';
import { io } from './tools.mjs';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
io.setLogger(quiet);

// Matrices are columns, as in the file.
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
function multiply(a, b) {
  const out = Array(16).fill(0);
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++)
      for (let k = 0; k < 4; k++) out[4 * column + row] += a[4 * k + row] * b[4 * column + k];
  return out;
}
const apply = (m, [x, y, z]) => [0, 1, 2].map((row) => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]);
function compose([tx, ty, tz], rotation, [sx, sy, sz]) {
  const length = Math.hypot(...rotation), [x, y, z, w] = rotation.map((v) => v / length);
  return [
    (1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + z * w) * sx, 2 * (x * z - y * w) * sx, 0,
    2 * (x * y - z * w) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + x * w) * sy, 0,
    2 * (x * z + y * w) * sz, 2 * (y * z - x * w) * sz, (1 - 2 * (x * x + y * y)) * sz, 0,
    tx, ty, tz, 1,
  ];
}

// The document takes matrices apart, and what they shear is lost: they are taken from the file.
function placesOf(nodes, json) {
  const number = new Map(nodes.map((node, i) => [node, i])), places = new Map();
  const place = (node) => {
    if (!places.has(node)) {
      const own = json.nodes[number.get(node)].matrix ?? compose(node.getTranslation(), node.getRotation(), node.getScale());
      const parent = node.getParentNode();
      places.set(node, parent ? multiply(place(parent), own) : own);
    }
    return places.get(node);
  };
  nodes.forEach(place);
  return places;
}

function trianglesOf(primitive, count) {
  const indices = primitive.getIndices(), total = indices ? indices.getCount() : count, mode = primitive.getMode();
  const at = (i) => (indices ? indices.getScalar(i) : i), out = [];
  for (let i = 0; i + 2 < total && mode === 4; i += 3) out.push([at(i), at(i + 1), at(i + 2)]);
  for (let i = 0; i + 2 < total && mode === 5; i++) out.push([at(i), at(i + 1 + (i % 2)), at(i + 2 - (i % 2))]);
  for (let i = 0; i + 2 < total && mode === 6; i++) out.push([at(i + 1), at(i + 2), at(0)]);
  return out;
}

// Points in the node's frame, or, of a skin, in the world.
function pointsOf(node, primitive, places) {
  const position = primitive.getAttribute('POSITION'), points = [];
  const weights = node.getWeights().length > 0 ? node.getWeights() : node.getMesh().getWeights();
  for (let i = 0; i < position.getCount(); i++) points.push(position.getElement(i, []));
  primitive.listTargets().forEach((target, t) => {
    const moved = target.getAttribute('POSITION');
    for (let i = 0; moved && weights[t] && i < points.length; i++)
      moved.getElement(i, []).forEach((v, k) => (points[i][k] += weights[t] * v));
  });
  const skin = node.getSkin();
  if (!skin || !primitive.getAttribute('JOINTS_0')) return { points, own: !skin };
  const bind = skin.getInverseBindMatrices();
  const joints = skin.listJoints().map((joint, i) => multiply(places.get(joint), bind ? bind.getElement(i, []) : identity));
  const placed = points.map((point, i) => {
    let sum = [0, 0, 0], share = 0;
    for (let set = 0; primitive.getAttribute(`JOINTS_${set}`); set++) {
      const which = primitive.getAttribute(`JOINTS_${set}`).getElement(i, []);
      primitive.getAttribute(`WEIGHTS_${set}`).getElement(i, []).forEach((weight, k) => {
        if (weight === 0) return;
        share += weight;
        sum = apply(joints[which[k]], point).map((v, axis) => sum[axis] + weight * v);
      });
    }
    return sum.map((v) => v / share);
  });
  return { points: placed, own: false };
}

function partsOf(document, json) {
  const root = document.getRoot(), nodes = root.listNodes(), places = placesOf(nodes, json), parts = [];
  const scene = root.getDefaultScene() ?? root.listScenes()[0];
  const shown = scene ? [] : nodes;
  scene?.traverse((node) => shown.push(node));
  for (const node of shown) {
    if (!node.getMesh()) continue;
    const instances = node.getExtension('EXT_mesh_gpu_instancing'), copies = [];
    const get = (name, i, otherwise) => instances.getAttribute(name)?.getElement(i, []) ?? otherwise;
    const count = instances?.listAttributes()[0]?.getCount() ?? 0;
    for (let i = 0; i < count; i++)
      copies.push(compose(get('TRANSLATION', i, [0, 0, 0]), get('ROTATION', i, [0, 0, 0, 1]), get('SCALE', i, [1, 1, 1])));
    for (const copy of instances ? copies : [identity]) {
      const part = { triangles: 0, min: Array(3).fill(Infinity), max: Array(3).fill(-Infinity), volume: 0 };
      const world = multiply(places.get(node), copy);
      for (const primitive of node.getMesh().listPrimitives()) {
        if (!primitive.getAttribute('POSITION')) continue;
        const { points, own } = pointsOf(node, primitive, places);
        const placed = own ? points.map((p) => apply(world, p)) : points;
        for (const corners of trianglesOf(primitive, points.length))
          addTriangle(part, ...corners.map((i) => placed[i]));
      }
      if (part.triangles > 0) parts.push(part);
    }
  }
  return parts;
}

// Pictures and materials are not looked at, and may be absent.
async function load(file) {
  const json = prepare(file), resources = {};
  for (const [i, buffer] of (json.buffers ?? []).entries()) {
    if (buffer.uri === undefined) continue; // compressed, with nothing in it
    resources[`buffer${i}`] = new Uint8Array(Buffer.from(buffer.uri.slice(buffer.uri.indexOf(',') + 1), 'base64'));
    buffer.uri = `buffer${i}`;
  }
  return { document: await io.readJSON({ json, resources }), json };
}

// { parts } or { error }.
export async function readParts(file) {
  try {
    const { document, json } = await load(file);
    return { parts: partsOf(document.setLogger(quiet), json) };
  } catch (error) {
    return { error: String(error?.message ?? error).split('\n')[0] };
  }
}
