/* Two shapes: answers derived by hand. */
import assert from 'node:assert/strict';
import { CaromError } from 'carom';
import { each, boxMesh } from './both.mjs';

const near = (actual, expected, eps, what) => assert.ok(Math.abs(actual - expected) <= eps, `${what}: ${actual}, not ${expected}`);

each('the library computes what it was tested to compute', (cm) => cm.selftest());

each('a ball 3 above a crate is 1.5 apart, by the points between them', (cm, eps) => {
  const out = cm.newWitness();
  near(cm.distance(cm.sphere(0.5), { position: [0, 3, 0] }, cm.box([1, 1, 1]), null, out), 1.5, eps, 'distance');
  near(out.pointA.y, 2.5, eps, 'pointA.y');
  near(out.pointB.y, 1, eps, 'pointB.y');
  assert.deepEqual(out.normal, { x: 0, y: -1, z: 0 });
});
each('beyond max there is no distance, and out stays as it was', (cm) => {
  const out = cm.newWitness();
  out.distance = 7;
  assert.equal(cm.distance(cm.sphere(1), { position: [9, 0, 0] }, cm.sphere(1), null, out, 2), Infinity);
  assert.equal(out.distance, 7);
});
each('touching is overlapping, and vectors may be arrays or have x, y, z', (cm) => {
  const a = cm.box([1, 1, 1]), b = cm.box({ x: 1, y: 1, z: 1 });
  assert.equal(cm.overlap(a, null, b, { position: { x: 2, y: 0, z: 0 } }), true);
  assert.equal(cm.overlap(a, null, b, { position: Float32Array.of(2.001, 0, 0) }), false);
});
each('a rotation is a quaternion x, y, z, w: a turned box reaches sqrt 2', (cm, eps) => {
  const rotation = [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)];
  near(cm.bounds(cm.box([1, 1, 1]), { rotation }).max.x, Math.SQRT2, 10 * eps, 'max.x');
});
each('stacked boxes have four points of contact, 0.1 deep', (cm, eps) => {
  const [manifold, ...more] = cm.contact(cm.box([1, 1, 1]), { position: [0, 1.9, 0] }, cm.box([1, 1, 1]));
  assert.equal(more.length, 0);
  assert.equal(manifold.points.length, 4);
  for (const p of manifold.points) near(p.depth, 0.1, 4 * eps, 'depth');
  assert.deepEqual(manifold.normal, { x: 0, y: -1, z: 0 });
  assert.deepEqual(cm.contact(cm.sphere(1), { position: [5, 0, 0] }, cm.sphere(1)), []);
});
each('a contact list that is handed over keeps its objects', (cm) => {
  const list = [], a = cm.box([1, 1, 1]);
  cm.contact(a, { position: [0, 1.9, 0] }, a, null, 0, list);
  const [manifold] = list, [point] = manifold.points;
  assert.equal(cm.contact(a, { position: [0, 9, 0] }, a, null, 0, list).length, 0);
  cm.contact(a, { position: [0, 1.8, 0] }, a, null, 0, list);
  assert.equal(list[0], manifold);
  assert.equal(list[0].points[0], point);
});
each('more contacts than a list has room for are all there', (cm) => {
  const positions = [], n = 12; // a floor of 144 squares of as many heights, and a plate that lies on it
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) {
    const y = ((i * n + j) * 37 % 144) / 4096;
    positions.push(i, y, j, i, y, j + 1, i + 1, y, j, i + 1, y, j, i, y, j + 1, i + 1, y, j + 1);
  }
  const floor = cm.mesh({ positions }), plate = cm.box([8, 0.1, 8]);
  const found = cm.contact(plate, { position: [6, 0.05, 6] }, floor);
  assert.equal(found.length, 144);
  assert.equal(new Set(found.map((m) => m.partB)).size, 144);
  floor.dispose();
});
each('a ball that falls 10 from 5 meets the top at 0.35, and leaves at 0.65', (cm, eps) => {
  const hit = cm.sweep(cm.sphere(0.5), { start: { position: [0, 5, 0] }, move: [0, -10, 0] }, cm.box([1, 1, 1]));
  near(hit.first, 0.35, eps, 'first');
  near(hit.last, 0.65, eps, 'last');
  assert.equal(hit.blocking, true);
  assert.equal(hit.start, 'separated');
  assert.equal(cm.sweep(cm.sphere(0.5), { start: { position: [5, 5, 0] }, move: [0, -10, 0] }, cm.box([1, 1, 1])), null);
});
each('a ray enters a crate at t = 4 and leaves at 6; result objects are reused', (cm) => {
  const out = cm.newRayHit(), ray = { origin: [0, 5, 0], direction: [0, -1, 0] };
  assert.equal(cm.raycast(ray, cm.box([1, 1, 1]), null, out), out);
  assert.deepEqual([out.t, out.exit, out.point, out.inside], [4, 6, { x: 0, y: 1, z: 0 }, false]);
  assert.equal(cm.raycast({ ...ray, max: 3 }, cm.box([1, 1, 1])), null);
});
each('meshes tell what is wrong with them, and how they relate', (cm, eps) => {
  const mesh = cm.mesh(boxMesh()), inner = cm.mesh(boxMesh(0.25));
  assert.deepEqual([mesh.info.triangles, mesh.info.closed, mesh.info.solid], [12, true, true]);
  near(mesh.info.volume, 8, 8 * eps, 'volume');
  assert.equal(mesh.points.length, 24);
  assert.equal(mesh.winding([0, 0, 0]), 1);
  const r = cm.relation(mesh, null, inner);
  assert.equal(r.relation, 'bInA');
  near(r.distance, -0.75, 0.001, 'reach'); // every point of the small box's faces is 0.75 from the nearest wall
  assert.equal(cm.relation(mesh, null, inner, { position: [3, 0, 0] }).relation, 'separated');
  assert.throws(() => cm.mesh({ ...boxMesh(), indices: boxMesh().indices.slice(3) }), (e) => e instanceof CaromError && e.status === 'notSolid');
});
each('errors say the field and the index', (cm) => {
  assert.throws(() => cm.mesh({ positions: [0, 0, 0, 1, 0, 0, 0, NaN, 0] }), (e) => e instanceof CaromError && e.status === 'notFinite' && e.field === 'points' && e.index === 2);
  assert.throws(() => cm.mesh({ positions: [0, 0, 0], indices: [0, 0, 7] }), (e) => e.status === 'outOfRange' && e.index === 0);
  assert.throws(() => cm.sphere(-1), (e) => e.status === 'invalid' && e.field === 'radius' && /radius/.test(e.message));
  assert.throws(() => cm.mesh({ positions: [1, 2, 3, 4] }), RangeError);
  assert.throws(() => cm.heightField({ heights: [1, 2, 3], columns: 2, rows: 2, columnSpacing: 1, rowSpacing: 1 }), RangeError);
});
each('a height field has y up; a hull takes the outermost points; a compound is the union of its children', (cm, eps) => {
  const field = cm.heightField({ heights: Int16Array.of(0, 0, 0, 200), scale: 0.01, columns: 2, rows: 2, columnSpacing: 1, rowSpacing: 1 });
  near(cm.raycast({ origin: [1, 5, 0.5], direction: [0, -1, 0] }, field).point.y, 1, 4 * eps, 'height'); // halfway up to 2
  const hull = cm.hull([...boxMesh().positions, 0, 0, 0, 0.5, 0.5, 0.5]);
  assert.deepEqual([hull.info.vertices, hull.info.faces, hull.vertices.length], [8, 6, 24]);
  const pair = cm.compound([{ shape: cm.sphere(1), pose: { position: [-3, 0, 0] } }, { shape: hull, pose: { position: [3, 0, 0] } }]);
  const out = cm.newWitness();
  near(cm.distance(pair, null, cm.sphere(0.5), { position: [3, 3, 0] }, out), 1.5, 4 * eps, 'distance');
  assert.equal(out.partA, 1);
  for (const s of [field, pair, hull]) s.dispose();
});
each('a shape by its support function: a ball of radius 2', (cm, eps) => {
  const ball = cm.custom((d, p) => { const s = 2 / Math.hypot(...d); for (let i = 0; i < 3; i++) p[i] = d[i] * s; }, 2);
  near(cm.distance(ball, null, cm.sphere(1), { position: [5, 0, 0] }), 2, 1e-5, 'distance');
  ball.dispose();
  assert.throws(() => cm.distance(ball, null, cm.sphere(1)), /disposed/);
});
each('every step of a distance is seen, its bounds hold the answer, and the answer is the one without', (cm) => {
  const box = cm.box([1, 1, 1]), cone = cm.cone(0.8, 1), at = { position: [2.5, 1, 0.5], rotation: [0, 0.6, 0, 0.8] }, steps = [];
  const out = cm.newWitness(), plain = cm.newWitness(), d = cm.distance(box, null, cone, at, plain);
  assert.equal(cm.distanceObserved(box, null, cone, at, (step) => steps.push(step), out), d);
  assert.deepEqual(out, plain);
  assert.ok(steps.length >= 2); // a support point each, and the answer
  const slip = cm.precision === 'double' ? 2 ** -50 : 2 ** -21; // a few roundings
  for (const [i, step] of steps.entries()) {
    assert.ok(step.lower <= d + slip && d <= step.upper + slip, `${step.lower} <= ${d} <= ${step.upper}`);
    assert.equal(step.kind, i < steps.length - 1 ? 'simplex' : 'distance');
    if (step.kind === 'simplex') assert.equal(step.index, i);
    assert.ok(step.vertices.length % 6 === 0 && step.vertices.length <= 24);
  }
  assert.equal(steps.at(-1).lower, d);
  at.position = [0.5, 1, 0.5];
  steps.length = 0;
  cm.distanceObserved(box, null, cone, at, (step) => steps.push(step));
  const grown = steps.filter((step) => step.kind === 'polytope');
  assert.ok(grown.length > 0);
  for (const step of grown) assert.equal(step.faces.length, 3 * step.faceCount);
  for (const step of grown) for (const corner of step.faces) assert.ok(corner < step.vertices.length / 6);
});
each('every step of a contact is seen: what is clipped, and the points', (cm) => {
  const slab = cm.hull(boxMesh().positions), steps = [], at = { position: [0.3, 0.2, 1.95], rotation: [0, 0, 0.38268343236508984, 0.9238795325112867] };
  const contacts = cm.contactObserved(slab, null, slab, at, 0, (step) => steps.push(step));
  assert.deepEqual(contacts, cm.contact(slab, null, slab, at));
  const clips = steps.filter((step) => step.kind === 'clip'), last = steps.at(-1);
  assert.equal(clips.length, 5);
  for (const clip of clips) assert.equal(clip.reference.length, 12);
  assert.equal(clips.at(-1).polygon.length, 3 * contacts[0].points.length);
  assert.equal(last.kind, 'contacts');
  assert.deepEqual(last.contacts.map((p) => p.depth), contacts[0].points.map((p) => p.depth));
  slab.dispose();
});
