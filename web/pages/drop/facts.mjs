/* The JSON and the report are the command's own for the same files, byte for byte, where that is built (build/cli/carom;
 * CAROM names another). Files that are not read are named with a reason; nothing but the site is asked for anything. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const built = fileURLToPath(new URL('../../../build', import.meta.url)), command = process.env.CAROM ?? path.join(built, 'cli/carom');
const bytes = (...parts) => Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part.buffer, part.byteOffset, part.byteLength))));

/* --- files: boxes, at coordinates that any reader has exactly --- */

function box([a, b, c], [d, e, f]) {
  const points = [c, f].flatMap((z) => [b, e].flatMap((y) => [a, d].map((x) => [x, y, z])));
  const corners = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]].flatMap(([i, j, k, l]) => [[i, j, k], [i, k, l]]);
  return { points, corners };
}
const first = box([0, 0, 0], [2, 2, 2]), second = box([1.5, 0.5, 0.5], [3, 1.5, 1.5]), third = box([3.125, 0.5, 0.5], [4, 1, 1]);
function stl({ points, corners }) {
  const data = Buffer.alloc(84 + 50 * corners.length);
  data.writeUInt32LE(corners.length, 80);
  corners.forEach((t, i) => t.forEach((k, j) => points[k].forEach((x, axis) => data.writeFloatLE(x, 84 + 50 * i + 12 + 12 * j + 4 * axis))));
  return data;
}
const textStl = (solids) => bytes(...Object.entries(solids).map(([name, { points, corners }]) => `solid ${name}\n${corners.map((t) => `facet normal 0 0 0\nouter loop\n${t.map((k) => `vertex ${points[k].join(' ')}\n`).join('')}endloop\nendfacet\n`).join('')}endsolid ${name}\n`));
function obj(objects) {
  let text = '', base = 1;
  for (const [name, { points, corners }] of Object.entries(objects)) {
    text += `o ${name}\n${points.map((p) => `v ${p.join(' ')}\n`).join('')}${corners.map((t) => `f ${t.map((k) => k + base).join(' ')}\n`).join('')}`;
    base += points.length;
  }
  return bytes(text);
}
const ply = ({ points, corners }) => bytes(`ply\nformat ascii 1.0\nelement vertex ${points.length}\nproperty float x\nproperty float y\nproperty float z\nelement face ${corners.length}\nproperty list uchar int vertex_indices\nend_header\n${points.map((p) => `${p.join(' ')}\n`).join('')}${corners.map((t) => `3 ${t.join(' ')}\n`).join('')}`);
/** An L of polygons, which bends inwards at (1, 1), and a post in that corner, 0.05 away from it. */
function ell() {
  const outline = [[2, 0], [2, 1], [1, 1], [1, 2], [0, 2], [0, 0]], n = outline.length, around = outline.map((_, i) => i);
  const points = [0, 1].flatMap((z) => outline.map(([x, y]) => [x, y, z]));
  return { points, corners: [[...around].reverse(), around.map((i) => n + i), ...around.map((i) => [i, (i + 1) % n, n + (i + 1) % n, n + i])] };
}
const post = box([1.05, 1.05, -0.5], [1.25, 1.25, 1.5]);
const head = (points, elements) => `ply\nformat ascii 1.0\nelement vertex ${points.length}\nproperty float x\nproperty float y\nproperty float z\n${elements}end_header\n${points.map((p) => `${p.join(' ')}\n`).join('')}`;
/** With texture points, and a cube in strips. */
const texturedPly = ({ points, corners }) => bytes(head(points, `element face ${corners.length}\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\n`), corners.map((t) => `${t.length} ${t.join(' ')} ${2 * t.length}${' 0.5'.repeat(2 * t.length)}\n`).join(''));
const stripsPly = ({ points }) => bytes(head(points, 'element tristrips 1\nproperty list int int vertex_indices\n'), '20 4 0 5 1 7 3 6 2 4 0 -1 0 2 1 3 -1 4 5 6 7\n');
/** Two nodes with one mesh, the second turned, moved and below the first. */
function gltf({ points, corners }, uri) {
  const data = bytes(new Float32Array(points.flat()), new Uint16Array(corners.flat()));
  return { data, json: {
    asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], buffers: [{ byteLength: data.length, ...(uri ? { uri } : {}) }],
    nodes: [{ name: 'left wheel.x', mesh: 0, children: [1] }, { name: 'right', mesh: 0, translation: [1.5, 0.25, 0.25], rotation: [0, 0.6, 0, 0.8] }],
    meshes: [{ name: 'wheel', primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    bufferViews: [{ buffer: 0, byteLength: 96 }, { buffer: 0, byteOffset: 96, byteLength: 72 }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 8, type: 'VEC3', min: points[0], max: points[7] }, { bufferView: 1, componentType: 5123, count: 36, type: 'SCALAR' }],
  } };
}
function glb(mesh) {
  const { data, json } = gltf(mesh), text = JSON.stringify(json), padded = text.padEnd(Math.ceil(text.length / 4) * 4);
  const head = (size, tag) => new Uint32Array([size, tag]);
  return bytes(new Uint32Array([0x46546c67, 2, 12 + 8 + padded.length + 8 + data.length]), head(padded.length, 0x4e4f534a), padded, head(data.length, 0x004e4942), data);
}
/** Two columns of 1 m and 0.5 m that share a corner's box, and one whose body is a reference into nothing. */
function ifc() {
  const column = (at, size, x, id) => `#${at}=IFCCARTESIANPOINT((${x},${x},0.));\n#${at + 1}=IFCAXIS2PLACEMENT3D(#${at},$,$);\n#${at + 2}=IFCLOCALPLACEMENT($,#${at + 1});\n`
    + `#${at + 3}=IFCRECTANGLEPROFILEDEF(.AREA.,$,#5,${size},${size});\n#${at + 4}=IFCEXTRUDEDAREASOLID(#${at + 3},#3,#6,${size});\n`
    + `#${at + 5}=IFCSHAPEREPRESENTATION(#4,'Body','SweptSolid',(#${at + 4}));\n#${at + 6}=IFCPRODUCTDEFINITIONSHAPE($,$,(#${at + 5}));\n#${at + 7}=IFCCOLUMN('0YvctVUKr0kugbFTf5300${id}',$,'C${id}',$,$,#${at + 2},#${at + 6},$,$);\n`;
  return bytes(`ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('x','2020-01-01T00:00:00',(''),(''),'','','');\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n`
    + `#1=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);\n#2=IFCCARTESIANPOINT((0.,0.,0.));\n#3=IFCAXIS2PLACEMENT3D(#2,$,$);\n#4=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#3,$);\n#5=IFCAXIS2PLACEMENT2D(#8,$);\n#6=IFCDIRECTION((0.,0.,1.));\n`
    + `#7=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',$,'p',$,$,$,$,(#4),#9);\n#8=IFCCARTESIANPOINT((0.,0.));\n#9=IFCUNITASSIGNMENT((#1));\n${column(20, '1.', '0.', 0)}${column(30, '0.5', '0.5', 1)}ENDSEC;\nEND-ISO-10303-21;\n`);
}

/** A bar of two boxes' length whose upper half follows a second joint, moved, twice as wide: with a morph target at half its weight. */
function skinned() {
  const { points, corners } = box([0, 0, 0], [1, 1, 4]), bind = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], low = points.map(([, , z]) => z === 0);
  const arrays = [new Float32Array(points.flat()), new Uint16Array(corners.flat()), new Uint8Array(points.flatMap(() => [0, 1, 0, 0])), new Float32Array(low.flatMap((l) => [l ? 3 : 0, l ? 0 : 0.5, 0, 0])),
    new Float32Array([...bind, ...bind.with(14, -4)]), new Float32Array(low.flatMap((l) => [0, 0, l ? -1 : 0]))], data = bytes(...arrays);
  let at = 0;
  const bufferViews = arrays.map(({ byteLength }) => ({ buffer: 0, byteOffset: (at += byteLength) - byteLength, byteLength }));
  const accessors = [[5126, 8, 'VEC3', { min: [0, 0, 0], max: [1, 1, 4] }], [5123, 36, 'SCALAR'], [5121, 8, 'VEC4'], [5126, 8, 'VEC4'], [5126, 2, 'MAT4'], [5126, 8, 'VEC3']];
  return bytes(JSON.stringify({
    asset: { version: '2.0' }, scenes: [{ nodes: [0, 1] }], buffers: [{ byteLength: data.length, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }], bufferViews,
    nodes: [{ name: 'b\u00f6rm', mesh: 0, skin: 0, translation: [50, 60, 70] }, { children: [2] }, { translation: [0, 0, 5], scale: [2, 2, 2] }], skins: [{ joints: [1, 2], inverseBindMatrices: 4 }],
    meshes: [{ weights: [0.5], primitives: [{ attributes: { POSITION: 0, JOINTS_0: 2, WEIGHTS_0: 3 }, indices: 1, targets: [{ POSITION: 5 }] }] }],
    accessors: accessors.map(([componentType, count, type, more], bufferView) => ({ bufferView, componentType, count, type, ...more })),
  }));
}
/** An archive of packed files. Readers look only at sizes, names and places. */
function zip(entries) {
  const parts = [], list = [];
  let at = 0;
  for (const [name, data] of Object.entries(entries)) {
    const packed = zlib.deflateRawSync(data), head = Buffer.alloc(46);
    head.writeUInt32LE(0x02014b50), head.writeUInt16LE(8, 10), head.writeUInt32LE(packed.length, 20), head.writeUInt32LE(data.length, 24), head.writeUInt16LE(name.length, 28), head.writeUInt32LE(at, 42);
    list.push(head, Buffer.from(name));
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50), local.writeUInt16LE(8, 8), local.writeUInt32LE(packed.length, 18), local.writeUInt32LE(data.length, 22), local.writeUInt16LE(name.length, 26);
    parts.push(local, Buffer.from(name), packed);
    at += 30 + name.length + packed.length;
  }
  const entriesAt = Buffer.concat(list), end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50), end.writeUInt16LE(list.length / 2, 8), end.writeUInt16LE(list.length / 2, 10), end.writeUInt32LE(entriesAt.length, 12), end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, entriesAt, end]);
}
/** A file of a package that may be missing here; null then, which is said. */
function have(file) {
  if (fs.existsSync(file)) return fs.readFileSync(file);
  console.log(`SKIPPED: there is no ${file}`);
  return null;
}

/* --- the page --- */

export default async function (page) {
  const origin = new URL(page.url()).origin, strange = [];
  page.on('request', (request) => { if (request.method() !== 'GET' || !/^(blob|data):/.test(request.url()) && new URL(request.url()).origin !== origin) strange.push(`${request.method()} ${request.url()}`); });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'carom-drop-')), native = fs.existsSync(command);
  if (!native) console.log(`SKIPPED: what the page says is not compared with the command: there is no ${command}`);
  let done = 0;
  const finished = async () => {
    await page.waitForFunction((n) => Number(document.documentElement.dataset.checked ?? 0) > n, done, { timeout: 60_000 });
    done = await page.evaluate(() => Number(document.documentElement.dataset.checked));
    return { ...await page.evaluate(() => ({ ...window.drop })), verdict: await page.textContent('.verdict') };
  };
  const drop = async (files) => {
    await page.setInputFiles('#files', Object.entries(files).map(([name, buffer]) => ({ name, mimeType: '', buffer })));
    return finished();
  };
  /** As the command says of the same files, report and all, where it is asked as the page says. */
  const asCommand = async (found, files, options = /--clearance 0.2mm --format/) => {
    assert.ok(found.json, found.verdict);
    if (!native) return;
    for (const [name, data] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), data);
    const line = await page.textContent('.command'), run = spawnSync('sh', ['-c', `carom() { '${command}' "$@"; }\n${line}`], { cwd: folder, encoding: 'utf8' });
    assert.match(line, options);
    assert.equal(found.json, run.stdout, run.stderr);
    assert.equal(found.code, run.status);
    assert.deepEqual(found.messages, run.stderr.split('\n').filter(Boolean).map((line) => line.replace(/^carom: /, '')));
    const report = await page.evaluate(async (url) => (await fetch(url)).text(), found.report);
    // the page of the command may have another build of three.js in it; what is of the check starts with its data
    // its blocks are of one form, in the module without being made smaller
    const unpack = (_, block) => zlib.inflateSync(Buffer.from(block, 'base64')).toString('latin1');
    const data = (html) => html.slice(html.indexOf('<script type="application/json" id="report">')).replace(/<script>[^]*$/, '')
      .replace(/<script type="application\/x-carom-packed">([^<]*)<\/script>/g, unpack);
    assert.ok(data(report).length > 1000);
    assert.equal(data(report), data(fs.readFileSync(path.join(folder, 'report.html'), 'utf8')));
  };

  /** What does not hang on the release of Open CASCADE and how it cuts curved faces; with the command's where that has it. */
  const likeCommand = async ({ json, verdict }, files, there) => {
    assert.ok(json, verdict);
    for (const file of JSON.parse(json).files) assert.match(file.notes.join(), /curved faces are cut into triangles/);
    const kept = (text) => {
      const { files, counts, parts, findings } = JSON.parse(text);
      return { files: files.map(({ format, notes, left_out, ...kept }) => kept), counts, parts: parts.map(({ name, solid }) => ({ name: name.replace(/\.brep\/.*/, '.brep'), solid })) /* a body without a name has one made up */, findings: findings.map((f) => [f.part_a, f.part_b, f.relation]) };
    };
    for (const [name, data] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), data);
    const run = native && there && spawnSync('sh', ['-c', `carom() { '${command}' "$@"; }\n${await page.textContent('.command')}`], { cwd: folder, encoding: 'utf8' });
    if (run) assert.deepEqual(kept(json), kept(run.stdout), run.stderr);
    else console.log('SKIPPED: what the page says of CAD files is not compared with the command');
    return kept(json);
  };

  // what is drawn without a graphics card had better be little: the report is looked at once, at the end
  const unseen = await page.addStyleTag({ content: '.report { display: none !important; }' });
  const withIfc = !process.env.CAROM && fs.existsSync(path.join(built, 'libexec/carom/readers/ifc/node_modules/web-ifc'));
  let files, found;
  for (files of [{ 'columns.ifc': ifc() }, { 'columns.ifczip': zip({ 'notes.txt': bytes('hello'), 'a/columns.ifc': ifc(), '__MACOSX/._columns.ifc': bytes('x') }) }]) {
    found = await drop(files);
    if (withIfc) await asCommand(found, files);
    assert.deepEqual(JSON.parse(found.json).parts.map((part) => [part.class, part.triangles, part.solid]), [['IfcColumn', 12, true], ['IfcColumn', 12, true]]);
  }
  // Open CASCADE of another release than the command's: what has no curved faces is the same
  const samples = new URL('../../node_modules/occt-import-js/test/testfiles/', import.meta.url), withCad = !process.env.CAROM && fs.existsSync(path.join(built, 'libexec/carom/readers/step/reader'));
  const cube = fs.readFileSync(new URL('simple-basic-cube/cube.stp', samples)), iges = fs.readFileSync(new URL('cube-10x10mm/Cube 10x10.igs', samples));
  const brep = have('/usr/share/opencascade/data/occ/MODERN_Table_1.brep');
  files = { 'cube.stp': cube, 'other.step': cube, 'cube.igs': iges, 'other.iges': iges, ...(brep && { 'table.brep': brep }) };
  found = await drop(files);
  await likeCommand(found, files, withCad);

  // polygons are cut where they bend inwards, none is left out, nor are strips
  for (files of [{ 'ell.obj': obj({ ell: ell() }), 'post.obj': bytes(obj({ post }).toString().replace(/^([vf] .*)$/gm, '$1 # 9 of these')) }, { 'ell.ply': texturedPly(ell()), 'post.ply': texturedPly(post), 'strips.ply': stripsPly(box([5, 0, 0], [6, 1, 1])) }]) {
    const { parts, findings } = JSON.parse((await drop(files)).json);
    assert.deepEqual(parts.map((part) => [part.triangles, part.solid]), [[20, true], [12, true], [12, true]].slice(0, parts.length));
    assert.deepEqual(findings, []);
  }

  // all that the command's reader of glTF reads: it is the very reader
  const folderOf = fileURLToPath(new URL('../../../test/cli/gltf/', import.meta.url)), models = fs.readdirSync(folderOf).filter((name) => name.endsWith('.glb'));
  const packed = (name) => name.startsWith('draco');
  assert.equal(models.length, 13);
  const skin = have('/usr/share/assimp/models/glTF2/simple_skin/simple_skin.gltf');
  for (const some of [
    Object.fromEntries(models.filter((name) => !packed(name)).map((name) => [name, fs.readFileSync(path.join(folderOf, name))])),
    { 'skinned.gltf': skinned(), ...(skin && { 'simple_skin.gltf': skin }) },
    Object.fromEntries(models.filter(packed).map((name) => [name, fs.readFileSync(path.join(folderOf, name))])),
  ]) {
    found = await drop(some);
    await asCommand(found, some);
    if (some['skinned.gltf']) assert.deepEqual(JSON.parse(found.json).files[0].notes, ['1 skinned mesh taken as the joints stand in the file', '1 node with morph targets taken at the weights in the file']);
  }

  const { data, json } = gltf(first, 'wheels.bin');
  files = { 'first.stl': stl(first), 'two.stl': textStl({ second, third }), 'pair.obj': obj({ left: first, right: second }), 'box.ply': ply(first), 'wheels.glb': glb(first), 'wheels.gltf': bytes(JSON.stringify(json)), 'wheels.bin': data };
  found = await drop(files);
  await asCommand(found, files);
  // the boxes of STL are millimetres, all others metres: 0.125 between the second and the third
  const of = (a, b) => JSON.parse(found.json).findings.find((f) => [f.part_a, f.part_b].join() === [a, b].join())?.relation;
  assert.deepEqual([of(0, 1), of(1, 2), of(3, 4), of(6, 8), of(7, 9)], ['crossing', 'clearance', 'crossing', 'identical', 'identical']);

  // what is asked changes the answer, and stands in the address
  await page.evaluate(() => { location.hash = '#fail=touching'; });
  await page.locator('.controls input[type=number]').first().fill('0');
  await page.keyboard.press('Enter');
  found = await finished();
  await page.waitForFunction(() => location.hash === '#clearance=0&fail=touching');
  await asCommand(found, files, /wheels.gltf --fail-on touching --format/);

  // what is not read is named, with a reason
  for (const [name, content, said] of [
    ['notes.txt', bytes('hello'), /^notes.txt: this page does not know the format. It reads STL, OBJ, PLY, glTF, IFC, STEP, IGES, BREP; the command reads more.$/],
    ['empty.stl', bytes(''), /^empty.stl: the file is empty.$/],
    ['one.stl', stl(first), /^Nothing was compared: there is only one part.$/],
    ['cut.stl', textStl({ second, third }).subarray(0, -200), /^cut.stl: the file is cut off: endsolid is missing.$/],
    ['binary.stl', stl(first).subarray(0, 400), /^binary.stl: the file is cut off, or no STL: its head announces 12 triangles, and it holds 6.$/],
    ['half.obj', obj({ left: first, right: second }).subarray(0, -5), /^half.obj: the file is cut off: its last line is not whole.$/],
    ['cut.obj', bytes(obj({ left: first }), 'o right\nv 0 0 0\nv 1 0 0\n'), /^cut.obj: the file may be cut off: it ends with points that no face has.$/],
    ['cut.brep', bytes('DBRep_DrawableShape\n\nCASCADE Topology V1, (c) Matra-Datavision\nLocations 1\n1\n 1 0 0'), /^cut.brep: it is cut off or damaged.$/],
    ['broken.glb', bytes('glTF, or not'), /^broken.glb: cannot be read: it is glTF [0-9]*; 2.0 is read$/],
    ['points.ply', bytes('ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n'), /^points.ply: it holds points and no triangles.$/],
    ['cut.ply', ply(first).subarray(0, -4), /^cut.ply: it could not be read as PLY: the file is cut off: its head announces more$/],
    ['crossing.obj', bytes('v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3 4\nf 1 2 5\n'), /^crossing.obj: it could not be read as OBJ: a polygon of 4 corners crosses itself: cut it into triangles first$/],
    ['lines.obj', bytes('v 0 0 0\nv 1 0 0\nl 1 2\n'), /^lines.obj: has no triangles, only points or lines$/],
    ['alone.gltf', bytes(JSON.stringify(json)), /^alone.gltf: cannot be read: it needs wheels.bin: drop that with it$/],
    ['model.ifc', bytes('ISO-10303-21;\nFILE_SCHEMA((\'IFC9\'));\nEND-ISO-10303-21;'), /^model.ifc: cannot be read: its schema is IFC9/],
  ]) assert.match((await drop({ [name]: content })).verdict, said);

  // dropped anywhere; then the sample, by keys
  await page.evaluate((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'dropped.obj'));
    dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
  }, obj({ left: first, right: second }).toString());
  assert.deepEqual(JSON.parse((await finished()).json).parts.map((part) => part.name), ['left', 'right']);
  await page.getByText('Choose files').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const sample = JSON.parse((await finished()).json);
  assert.deepEqual([sample.counts.parts, sample.parts.every((part) => part.solid)], [8, true]);
  await page.waitForFunction(() => location.hash === '#clearance=0&fail=touching&sample=1');
  await unseen.evaluate((style) => style.remove());
  // the address alone asks for it again
  await page.evaluate(() => { location.hash = '#sample=1'; });
  const { counts } = JSON.parse((await finished()).json);
  assert.deepEqual([counts.crossing, counts.clearance], [1, 4]);
  await page.frameLocator('.report').locator('#tab-findings .count', { hasText: /^11$/ }).waitFor(); // the report is there
  // a check is stopped as soon as it runs
  await page.evaluate(() => {
    const running = document.querySelector('.running');
    new MutationObserver((_, watch) => { if (!running.hidden) { watch.disconnect(); running.querySelector('button').click(); } }).observe(running, { attributes: true });
    [...document.querySelectorAll('.zone button')].at(-1).click();
  });
  assert.equal((await finished()).verdict, 'Stopped.');
  assert.deepEqual(strange, [], 'nothing is sent anywhere');
  fs.rmSync(folder, { recursive: true });
}
