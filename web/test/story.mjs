/* What threads could get wrong, told by a library: everything that hands out work, as numbers of 32 bits that stand for all
 * the answers. In Node.js and in a page. */
function hash(value, h = 0x811c9dc5) {
  if (ArrayBuffer.isView(value)) value = [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)].join();
  const text = typeof value === 'string' ? value : JSON.stringify(value, (_, v) => (v === Infinity ? 'inf' : v));
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
/** The same numbers everywhere, in [0, 1). */
function random(seed) { return () => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 8) / 0x1000000; }

/** A landscape of 2 n n triangles, over [-n/2, n/2]². */
export function landscape(n) {
  const positions = [], indices = [];
  for (let i = 0; i <= n; i++) for (let j = 0; j <= n; j++) positions.push(i - n / 2, 3 * Math.sin(i / 5) * Math.cos(j / 7), j - n / 2);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) { const a = i * (n + 1) + j; indices.push(a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1); }
  return { positions, indices };
}
/** A ball of triangles, closed. */
export function ball(n, radius) {
  const positions = [0, radius, 0], indices = [], at = (i, j) => 1 + i * 2 * n + (j % (2 * n)), last = 1 + (n - 1) * 2 * n;
  for (let i = 1; i < n; i++) for (let j = 0; j < 2 * n; j++) { const a = (Math.PI * i) / n, b = (Math.PI * j) / n; positions.push(radius * Math.sin(a) * Math.cos(b), radius * Math.cos(a), radius * Math.sin(a) * Math.sin(b)); }
  positions.push(0, -radius, 0);
  for (let j = 0; j < 2 * n; j++) {
    indices.push(0, at(0, j + 1), at(0, j), last, at(n - 2, j), at(n - 2, j + 1));
    for (let i = 0; i < n - 2; i++) indices.push(at(i, j), at(i, j + 1), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
  }
  return { positions, indices, solid: true };
}

export function meshes(cm) {
  const Reals = cm.precision === 'float' ? Float32Array : Float64Array, next = random(1), ground = cm.mesh(landscape(90)), n = 9000, rays = new Reals(7 * n);
  for (let i = 0; i < n; i++) rays.set([90 * next() - 45, 20, 90 * next() - 45, next() - 0.5, -1, next() - 0.5, Infinity], 7 * i);
  const out = { met: new Uint8Array(n), t: new Reals(n), points: new Reals(3 * n), normals: new Reals(3 * n), parts: new Uint32Array(n) };
  const found = cm.raycastMany(rays, ground, { position: [1, 2, 3] }, out);
  const told = { info: hash(ground.info), points: hash(ground.points), rays: [found, ...Object.values(out).map((o) => hash(o))] };
  const a = cm.mesh(ball(24, 2)), b = cm.mesh(ball(20, 1.5)), over = { position: [1.1, 0.7, 2.3], rotation: [0, 0.6, 0, 0.8] };
  told.solids = [hash(a.info), hash(cm.relation(a, null, b, over)), hash(cm.contact(a, null, b, over)), cm.distance(a, null, b, { position: [5, 1, 0] }), cm.overlap(ground, null, b, over)];
  const parts = Array.from({ length: 40 }, (_, i) => ({ shape: i % 2 ? a : b, pose: { position: [7 * next(), 7 * next(), 7 * next()] }, name: `part ${i}` }));
  told.check = hash(cm.check({ parts, clearance: 0.2 }));
  for (const mesh of [ground, a, b]) mesh.dispose();
  return told;
}
/** Balls, boxes, capsules, and shapes by the caller's own support function; thousands of pairs. */
export function pairs(cm) {
  const Reals = cm.precision === 'float' ? Float32Array : Float64Array, next = random(2), n = 300;
  const round = cm.custom((d, p) => { const l = Math.hypot(...d); p.set(d.map((x) => (0.7 * x) / l)); }, 0.7);
  const shapes = [cm.sphere(0.8), cm.box([0.5, 0.6, 0.7]), cm.capsule([0, -0.5, 0], [0, 0.5, 0], 0.4), round], list = [];
  const poses = new Reals(7 * n), motions = new Reals(19 * n), shapeOf = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    const angle = next();
    poses.set([6 * next(), 6 * next(), 6 * next(), 0, Math.sin(angle), 0, Math.cos(angle)], 7 * i);
    motions.set(poses.subarray(7 * i, 7 * i + 7), 19 * i);
    motions.set([next(), next(), next(), 0, next(), 0], 19 * i + 7);
    shapeOf[i] = i % 4;
    for (let k = i % 7; k < i; k += 7) list.push(i, k);
  }
  const count = list.length / 2, batch = { shapes, shapeOf, poses, pairs: new Uint32Array(list) }, over = new Uint8Array(count), counts = new Int32Array(count), manifolds = [];
  const far = { distances: new Reals(count), pointsA: new Reals(3 * count), pointsB: new Reals(3 * count), normals: new Reals(3 * count) };
  const swept = { met: new Uint8Array(count), first: new Reals(count), points: new Reals(3 * count) };
  const overlapping = cm.overlapMany(batch, over);
  cm.distanceMany(batch, far, 1);
  cm.contactMany(batch, 0.1, counts, manifolds, 1);
  const met = cm.sweepMany({ shapes, shapeOf, motions, pairs: batch.pairs }, swept);
  round.dispose();
  return { over: [overlapping, hash(over)], far: Object.values(far).map((o) => hash(o)), contacts: [hash(counts), hash(manifolds)], swept: [met, ...Object.values(swept).map((o) => hash(o))] };
}
export function broad(cm) {
  const Reals = cm.precision === 'float' ? Float32Array : Float64Array, next = random(3), n = 20000, boxes = new Reals(6 * n), told = {};
  for (let i = 0; i < n; i++) { const p = [60 * next(), 60 * next(), 60 * next()]; boxes.set([...p, ...p.map((x) => x + 0.2 + 1.5 * next())], 6 * i); }
  for (const kind of ['auto', 'sweep', 'grid', 'octree', 'bvh']) {
    const { pairs: found } = cm.api.broadPairs(boxes, { kind });
    told[kind] = [found.length, hash(found)];
  }
  return told;
}
/** Frames of a world of a thousand bodies that fall on a landscape, with a filter of the caller's. */
export function world(cm, frames = 4) {
  const next = random(4), ground = cm.mesh(landscape(60)), w = cm.world({ meet: (a, b) => (a + b) % 11 !== 0 }), shapes = [cm.sphere(0.6), cm.box([0.4, 0.5, 0.6]), cm.capsule([0, 0, 0], [0, 1, 0], 0.3)], told = [];
  w.add({ shape: ground, fixed: true });
  const ids = Array.from({ length: 1000 }, (_, i) => w.add({ shape: shapes[i % 3], pose: { position: [50 * next() - 25, 4 * next(), 50 * next() - 25] } }));
  for (let f = 0; f < frames; f++) {
    for (const id of ids) w.setMotion(id, { move: [next() - 0.5, -next(), next() - 0.5], spin: [0, next(), 0] });
    const events = w.update();
    told.push(events.length, hash(events));
  }
  told.push(hash(w.save([ground])));
  w.dispose();
  ground.dispose();
  return told;
}
export const story = (cm) => ({ meshes: meshes(cm), pairs: pairs(cm), broad: broad(cm), world: world(cm) });
