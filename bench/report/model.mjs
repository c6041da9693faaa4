/* Writes a model of many parts, of which some clash, to measure `carom check --report` by:
 *
 *   node bench/report/model.mjs OUT.glb [PARTS=100000] [MESHES=PARTS] [SIDES=4]
 *   carom check OUT.glb --report page.html
 *   node bench/report/open.mjs page.html
 *
 * Prisms of SIDES sides stand on a lattice of rooms; of each ten along x the last is pushed into the next, each by
 * another depth. MESHES below PARTS makes parts share meshes. The same arguments give the same bytes. */
import { writeFileSync } from 'node:fs';

const [out, parts = 100000, meshes = parts, sides = 4] = [process.argv[2], ...process.argv.slice(3).map(Number)];
if (!out || !(parts > 0) || !(meshes > 0) || !(sides > 2)) {
  console.error('usage: node model.mjs OUT.glb [PARTS] [MESHES] [SIDES]');
  process.exit(2);
}

/* A prism of 0.6 m across and `height`; no two have the same points. */
function prism(number) {
  const height = 1 + 0.5 * ((number * 0.618034) % 1),
    points = new Float32Array(6 * sides),
    corners = [];
  for (let i = 0; i < 2 * sides; i++) {
    const turn = (2 * Math.PI * (Math.floor(i / 2) + 0.5)) / sides;
    points.set([0.3 * Math.cos(turn), 0.3 * Math.sin(turn), ((i % 2) - 0.5) * height], 3 * i);
  }
  for (let i = 0; i < sides; i++) {
    const [a, b, c, d] = [2 * i, 2 * i + 1, 2 * ((i + 1) % sides), 2 * ((i + 1) % sides) + 1];
    corners.push(a, c, d, a, d, b);
    if (i > 0 && i < sides - 1) corners.push(0, c, a, 1, b, d);
  }
  return { points, corners: new Uint16Array(corners) };
}

const chunks = [],
  views = [],
  accessors = [];
let size = 0;
function keep(array, accessor) {
  const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  views.push({ buffer: 0, byteOffset: size, byteLength: bytes.length });
  accessors.push({ bufferView: views.length - 1, ...accessor });
  chunks.push(bytes, Buffer.alloc(-bytes.length & 3));
  size += bytes.length + (-bytes.length & 3);
  return accessors.length - 1;
}

const shapes = Array.from({ length: meshes }, (_, i) => {
  const { points, corners } = prism(i),
    along = [0, 1, 2].map((k) => points.filter((_, at) => at % 3 === k)),
    [min, max] = ['min', 'max'].map((end) => along.map((numbers) => Math[end](...numbers)));
  const POSITION = keep(points, { componentType: 5126, count: 2 * sides, type: 'VEC3', min, max });
  const indices = keep(corners, { componentType: 5123, count: corners.length, type: 'SCALAR' });
  return { primitives: [{ attributes: { POSITION }, indices }] };
});
const wide = 50,
  nodes = [],
  storeys = [];
for (let i = 0; i < parts; i++) {
  const x = i % wide,
    y = Math.floor(i / wide) % wide,
    z = Math.floor(i / wide / wide),
    pushed = x % 10 === 8 ? 0.35 + 0.2 * ((i * 0.7548) % 1) : 0;
  nodes.push({ name: `${['duct', 'pipe', 'beam', 'tray'][y % 4]}_${i}`, mesh: i % meshes, translation: [x * 0.8 + pushed, y * 0.8, z * 3] });
  (storeys[z] ??= []).push(i);
}
storeys.forEach((children, z) => nodes.push({ name: `storey_${z}`, children }));
const json = Buffer.from(
  JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: storeys.map((_, z) => parts + z) }],
    nodes,
    meshes: shapes,
    accessors,
    bufferViews: views,
    buffers: [{ byteLength: size }],
  }),
);
const header = (length, kind) => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(length, 0);
  bytes.writeUInt32LE(kind, 4);
  return bytes;
};
const blanks = Buffer.alloc(-json.length & 3, 32),
  start = Buffer.alloc(12);
start.write('glTF');
start.writeUInt32LE(2, 4);
start.writeUInt32LE(12 + 8 + json.length + blanks.length + 8 + size, 8);
writeFileSync(out, Buffer.concat([start, header(json.length + blanks.length, 0x4e4f534a), json, blanks, header(size, 0x004e4942), ...chunks]));
