/* Debug drawing as the frames go by: what it allocates, by itself in a process of its own, as engines keep numbers in
 * objects where they see objects of many kinds; and what reaches the screen. */
import test from 'node:test';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { init } from 'carom';
import { DebugLines } from 'carom/three';
import { boxMesh } from './both.mjs';
import { open, skip } from './page.mjs';

test('drawn again in place: the same arrays, nothing new; a version more, so that it is uploaded', async () => {
  const cm = await init(), lines = new DebugLines(cm, { capacity: 4 }), world = cm.world(), broad = cm.broad({ kind: 'bvh' }), mesh = cm.mesh(boxMesh()), pose = { position: { x: 0, y: 0, z: 0 }, rotation: { x: 0, y: 0, z: 0, w: 1 } };
  for (let i = 0; i < 100; i++) world.add({ shape: i % 2 ? mesh : cm.sphere(1), pose: { position: [i * 0.7, 0, 0] }, fixed: i % 3 === 0 });
  world.update();
  const manifolds = world.events.flatMap((e) => e.manifolds), kinds = {
    shape: () => { for (let i = 0; i < 100; i++) lines.shape(mesh, pose, 0xffffff); },
    contacts: () => lines.contacts(manifolds, 0xff0000),
    boxes: () => lines.boxes(broad, 0x00ff00),
    world: () => lines.world(world),
  };
  assert.ok(manifolds.length > 50);
  for (let i = 0; i < 1000; i++) broad.add({ min: [i, 0, 0], max: [i + 0.5, 1, 1] });
  broad.update();
  const draw = (kind, rounds) => { for (let i = 0; i < rounds; i++) { lines.erase(); pose.position.x = i; kinds[kind](); } };
  for (const kind of Object.keys(kinds)) draw(kind, 200);
  const { position, color } = lines.geometry.attributes, { array, version } = position;
  for (const kind of Object.keys(kinds)) {
    const bytes = []; // a segment: an object has 16, and a contact has 4 segments. The engine's own work, as it goes, is in some:
    for (let k = 0; k < 40 && !(bytes[k - 1] < 3); k++) { // it compiles what is drawn often, and when that is done is its own affair
      gc();
      const before = process.memoryUsage().heapUsed;
      draw(kind, 50);
      bytes.push((process.memoryUsage().heapUsed - before) / 50 / lines.drawn);
    }
    assert.ok(Math.min(...bytes) < 3, `${kind}: ${bytes.map((x) => x.toFixed(2))} bytes a segment`);
  }
  assert.ok(lines.geometry.attributes.position === position && lines.geometry.attributes.color === color && position.array === array && position.version > version);
  draw('shape', 8);
  assert.equal(Math.abs(array[0] - 7), 1, 'at the new place');
  broad.dispose();
  world.dispose();
  mesh.dispose();
});

/* A camera that looks along -z, 50 pixels a unit: 0, 0 is at 100, 100. */
const program = `import * as THREE from 'three';
import * as carom from 'carom/inline';
import { DebugLines } from 'carom/three';
const cm = await carom.init(), lines = new DebugLines(cm, { capacity: 4 }), scene = new THREE.Scene(), camera = new THREE.OrthographicCamera(-2, 2, 2, -2, 0, 20);
camera.position.z = 10;
scene.add(lines);
const renderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
renderer.setSize(200, 200);
const gl = renderer.getContext(), create = gl.createBuffer, remove = gl.deleteBuffer;
window.buffers = 0;
gl.createBuffer = () => (window.buffers++, create.call(gl));
gl.deleteBuffer = (buffer) => (window.buffers--, remove.call(gl, buffer));
document.body.append(renderer.domElement);
const box = cm.box([1, 1, 1]), broad = cm.broad(), pixels = new Uint8Array(4 * 200 * 200);
broad.add({ min: [-1.6, 1.2, 0], max: [-1.2, 1.6, 1] });
broad.update();
const contact = cm.contact(cm.sphere(1), { position: [0, -1.9, 0] }, cm.sphere(1));
/** Pixels that are all of one color, as [x, y], y up. */
const seen = (draw) => {
  lines.erase();
  draw();
  renderer.render(scene, camera);
  const found = { red: [], green: [], blue: [], other: 0 };
  gl.readPixels(0, 0, 200, 200, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  for (let i = 0; i < 40000; i++) {
    const name = { '255 0 0': 'red', '0 255 0': 'green', '0 0 255': 'blue' }[pixels.slice(4 * i, 4 * i + 3).join(' ')];
    if (name) found[name].push([i % 200, Math.floor(i / 200)]);
    else if (pixels[4 * i] + pixels[4 * i + 1] + pixels[4 * i + 2] > 0) found.other++;
  }
  return found;
};
window.pictures = [0, 0.5].map((x) => seen(() => { // the second finds room made by the first
  lines.shape(box, { position: [x, 0, 0] }, 0xff0000);
  lines.boxes(broad, 0x00ff00);
  lines.contacts(contact, 0x0000ff);
}));
window.pictures.push(seen(() => {}), seen(() => { for (let i = 0; i < 500; i++) lines.segment([0, i / 250 - 1, 0], [0.5, i / 250 - 1, 0], 0xff0000); }));
window.carom = carom;`;
test('what reaches the screen: shapes, boxes and contacts, moved in place; more than had room', { skip }, async () => {
  const { build } = await import('esbuild');
  fs.mkdirSync('lines', { recursive: true });
  fs.writeFileSync('lines/main.mjs', program);
  fs.writeFileSync('lines/index.html', '<!doctype html><script type="module" src="./out.js"></script>');
  await build({ entryPoints: ['lines/main.mjs'], bundle: true, format: 'esm', target: 'es2022', outfile: 'lines/out.js', logLevel: 'error' });
  const { pictures: [first, second, none, many], buffers } = await open('/lines/', (page) => page.evaluate('({ pictures: window.pictures, buffers: window.buffers })'));
  assert.equal(buffers, 2, 'of the graphics card: places and colors; those that became too small are gone');
  const on = (list, x, y) => list.some(([px, py]) => Math.abs(px - x) <= 1 && Math.abs(py - y) <= 1);
  for (const [picture, x] of [[first, 0], [second, 0.5]]) {
    const left = 50 + 50 * x;
    for (let k = 10; k <= 90; k += 10) for (const [px, py] of [[left + k, 50], [left + k, 150], [left, 50 + k], [left + 100, 50 + k]])
      assert.ok(on(picture.red, px, py) || on(picture.blue, px, py), `the outline of the box at ${px}, ${py}`);
    for (const [px, py] of picture.red) assert.ok([left, left + 100].some((v) => Math.abs(px - v) <= 1) || [50, 150].some((v) => Math.abs(py - v) <= 1), `nothing else is red: ${px}, ${py}`);
    for (const [px, py] of [[20, 170], [40, 170], [30, 160], [30, 180]]) assert.ok(on(picture.green, px, py), `the outline of the broad phase's at ${px}, ${py}`);
    for (const [px, py] of [[98, 52], [102, 52], [100, 50], [100, 60]]) assert.ok(on(picture.blue, px, py), `the contact at ${px}, ${py}`);
    assert.equal(picture.other, 0);
  }
  assert.deepEqual(none, { red: [], green: [], blue: [], other: 0 });
  assert.ok(many.red.length > 2400 && many.red.every(([x, y]) => x >= 99 && x <= 126 && y >= 49 && y <= 151), `${many.red.length} of 25 times 100 pixels`);
});
