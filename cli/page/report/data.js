/* The report's data: what cli/page/report.c wrote into the page (its head describes it), turned into plain objects. Meshes,
 * outlines and hulls are unpacked when they are needed: `fetch` waits for those of meshes, findings or bounds. */

const RELATIONS = {
  crossing: { tone: 'crossing', label: 'Crossing', rank: 0, clash: true },
  inside: { tone: 'inside', label: 'Inside', rank: 1, clash: true },
  identical: { tone: 'identical', label: 'Identical', rank: 2, clash: true },
  clearance: { tone: 'clearance', label: 'Within clearance', rank: 3, clash: false },
  touching: { tone: 'touching', label: 'Touching', rank: 4, clash: false },
};

/* Of two relations that the page shows as one: which part lies in the other. */
const INNER = { a_inside_b: 'a', b_inside_a: 'b' };

/* "engine/crank/pin" -> { folder: "engine/crank/", leaf: "pin" }; `shared` letters, which all names begin with, go. */
function splitName(name, shared) {
  const cut = name.lastIndexOf('/', name.length - 2) + 1;
  return { folder: name.slice(shared, cut), leaf: name.slice(cut) };
}

/* How many letters of folders all names have in common. */
function sharedFolder(names) {
  if (names.length < 2) return 0;
  let shared = names[0].lastIndexOf('/') + 1;
  for (const name of names)
    while (shared && !(name.startsWith(names[0].slice(0, shared)) && shared < name.length))
      shared = shared > 1 ? names[0].lastIndexOf('/', shared - 2) + 1 : 0;
  return shared;
}

/* Of a mesh and a part there may be 100,000: each has all its fields from the start, and what can be worked out when it is
 * asked for is not kept. */
class Mesh {
  /* Nine words of the table of the last block, as three kinds of numbers. */
  constructor(words, halves, exponents, at) {
    this.points = words[at];
    this.triangles = words[at + 1];
    this.block = words[at + 2];
    this.at = words[at + 3];
    this.half = [halves[at + 4], halves[at + 5], halves[at + 6]];
    this.solid = words[at + 7] === 1;
    this.step = 2 ** exponents[at + 8];
    this.radius = length(this.half);
    this.position = this.corner = undefined; /* until it is unpacked */
  }

  get size() {
    return this.half.map((x) => 2 * x);
  }
}

const NO_HITS = Object.freeze([]);

class Part {
  /* `record`: what the lists say of it; its pose is the one of this index in `poses`. */
  constructor(record, index, mesh, poses) {
    const { place } = poses;
    this.name = record.name;
    this.file = record.file;
    this.mesh = record.mesh;
    this.class = record.class;
    this.type = record.type;
    this.storey = record.storey;
    this.space = record.space;
    this.index = index;
    this.poses = poses;
    this.center = [place[3 * index], place[3 * index + 1], place[3 * index + 2]]; /* its mesh's origin: the middle of its box */
    this.radius = mesh.radius;
    this.half = mesh.half;
    this.triangles = mesh.triangles;
    this.hits = NO_HITS;
    this.visible = true;
    this.chunk = null; /* in which the view draws it */
    this.lower = null;
  }

  get rows() {
    const [x, y, z] = this.center,
      { turn } = this.poses,
      t = 4 * this.index;
    return poseRows([x, y, z, turn[t], turn[t + 1], turn[t + 2], turn[t + 3]]);
  }

  get folder() {
    return splitName(this.name, this.poses.shared).folder;
  }

  get leaf() {
    return splitName(this.name, this.poses.shared).leaf;
  }

  get search() {
    return (this.lower ??= this.name.toLowerCase());
  }

  hit(finding) {
    if (this.hits === NO_HITS) this.hits = [];
    this.hits.push(finding);
  }
}

/* A part of the baseline that is there no more. */
const gonePart = (name, shared) => ({ ...splitName(name, shared), name, search: name.toLowerCase(), gone: true, index: -1, hits: [], hit() {}, radius: 0, center: [0, 0, 0], triangles: 0 });

/* Meshes and parts: the table of the last block says where parts stand, and what meshes are. */
function readTable(table, report) {
  const count = report.parts.length,
    at = 40 * count,
    words = new Uint32Array(table, at, 9 * report.meshes),
    halves = new Float32Array(table, at, 9 * report.meshes),
    exponents = new Int32Array(table, at, 9 * report.meshes),
    poses = { place: new Float64Array(table, 0, 3 * count), turn: new Float32Array(table, 24 * count, 4 * count), shared: sharedFolder(report.parts.map((part) => part.name)) };
  report.meshes = Array.from({ length: report.meshes }, (_, i) => new Mesh(words, halves, exponents, 9 * i));
  report.parts = report.parts.map((record, i) => new Part(record, i, report.meshes[record.mesh], poses));
  return poses.shared;
}

/* Points and corners of a mesh out of its block. */
function readMesh(mesh, bytes) {
  if (mesh.position) return;
  mesh.position = new Float32Array(3 * mesh.points);
  mesh.corner = new Uint32Array(3 * mesh.triangles);
  const sum = [0, 0, 0];
  const at = readSigned(bytes, mesh.at, 3 * mesh.points, (more, i) => (mesh.position[i] = (sum[i % 3] += more) * mesh.step));
  let least = 0;
  readSigned(bytes, at, 3 * mesh.triangles, (less, i) => {
    const corner = least - less;
    mesh.corner[i] = corner;
    if (corner >= least) least = corner + 1;
  });
}

/* Unpacks on demand. */
class Blocks {
  constructor(texts) {
    this.texts = texts;
    this.open = new Map(); /* bytes by block; a promise while it is unpacked */
  }

  get(block) {
    if (!this.open.has(block)) {
      this.open.set(
        block,
        unpack(this.texts[block]).then((bytes) => {
          this.open.set(block, bytes);
          this.texts[block] = null;
          return bytes;
        }),
      );
    }
    return this.open.get(block);
  }
}

async function loadReport() {
  const report = JSON.parse(document.getElementById('report').textContent),
    elements = [...document.querySelectorAll('script[type="application/x-carom-packed"]')],
    texts = elements.map((one) => one.textContent);
  for (const one of elements) one.remove();
  const blocks = new Blocks(texts);
  const [lists, table] = await Promise.all([unpack(texts.at(-2)), unpack(texts.at(-1))]);
  Object.assign(report, JSON.parse(new TextDecoder().decode(lists)));
  const shared = readTable(table, report);
  const floats = (bytes, at, count) => new Float32Array(bytes.slice(at, at + 4 * count));
  const read = (one, bytes) => {
    if (one.outline) one.segments ??= floats(bytes, one.outline.at, 6 * one.outline.segments);
    else if (one.sphere) {
      one.position ??= floats(bytes, one.at, 3 * one.points);
      one.corner ??= new Uint32Array(bytes.slice(one.at + 12 * one.points, one.at + 12 * (one.points + one.triangles)));
    } else readMesh(one, new Uint8Array(bytes));
  };
  /* Meshes, findings or bounds, made ready; null where all are at once. */
  report.fetch = (items) => {
    const waits = [];
    for (const one of items) {
      const block = one.outline ? one.outline.block : one.block;
      if (block === undefined || one.position || one.segments) continue;
      const bytes = blocks.get(block);
      if (bytes.then) waits.push(bytes.then((there) => read(one, there)));
      else read(one, bytes);
    }
    return waits.length ? Promise.all(waits) : null;
  };
  /* What a mesh of one part was drawn from; it can be had again. */
  report.forget = (number) => {
    for (const name of ['position', 'corner', 'flat', 'normal', 'edge']) report.meshes[number][name] = undefined;
  };
  report.boundsOf = new Map(report.bounds.map((bounds) => [bounds.mesh, bounds]));
  for (const gone of report.resolved ?? []) {
    report.findings.push({ ...gone, gone: { a: gonePart(gone.name_a, shared), b: gonePart(gone.name_b, shared) }, status: 'resolved', tolerance: 0, crossings: 0 });
  }
  report.findings.forEach((finding, index) => {
    const a = finding.gone?.a ?? report.parts[finding.part_a],
      b = finding.gone?.b ?? report.parts[finding.part_b];
    finding.inner = INNER[finding.relation];
    if (finding.inner) finding.relation = 'inside';
    Object.assign(finding, RELATIONS[finding.relation], { index, partA: a, partB: b, link: `finding-${index}`, resolved: finding.status === 'resolved' });
    finding.pointA = sub(finding.point_a, report.origin);
    finding.pointB = sub(finding.point_b, report.origin);
    finding.search = `${a.search} ${b.search} ${(finding.test ?? '').toLowerCase()}`;
    a.hit(finding);
    b.hit(finding);
    if (finding.outline_box) {
      const { min, max } = finding.outline_box,
        [low, high] = [min, max].map((p) => sub(p, report.origin));
      finding.place = mix(low, high, 0.5);
      finding.reach = length(sub(high, low)) / 2;
    } else {
      finding.place = mix(finding.pointA, finding.pointB, 0.5);
      finding.reach = length(sub(finding.pointA, finding.pointB)) / 2;
    }
    if (finding.relation === 'identical' && !a.gone) finding.place = a.center;
    if (finding.relation === 'inside' && !a.gone) finding.place = finding.inner === 'a' ? a.center : b.center;
  });
  return report;
}

/* A ball around the given parts. */
function modelSphere(parts) {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (const part of parts)
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], part.center[k] - part.radius);
      high[k] = Math.max(high[k], part.center[k] + part.radius);
    }
  if (!parts.length) return { center: [0, 0, 0], radius: 1 };
  const center = mix(low, high, 0.5);
  let radius = 0;
  for (const part of parts) radius = Math.max(radius, length(sub(part.center, center)) + part.radius);
  return { center, radius: radius || 1 };
}
