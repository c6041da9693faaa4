/* carom beside three-mesh-bvh and rapier on the same questions, side by side in one run: what each is asked is the
 * leanest that it offers, answers are compared first, and each round asks all of them, one after the other, but for who has
 * had four seconds; the least of the rounds counts. Times are of the processor, so that what else runs counts little.
 * Prints a table in Markdown: times of carom, and how many times as long the others take.
 *   cd web/bench && npm ci && node compare.mjs      after web/build */
import * as THREE from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import RAPIER from '@dimforge/rapier3d-simd-compat';
import { init } from '../dist/index.node.js';

const log = console.log;
console.log = () => {};
await RAPIER.init();
console.log = log;
const cm = await init();

/* A landscape of 28,800 triangles. */
const n = 120, positions = new Float32Array(3 * (n + 1) * (n + 1)), indices = new Uint32Array(6 * n * n);
for (let i = 0, k = 0; i <= n; i++) for (let j = 0; j <= n; j++, k += 3) positions.set([i - n / 2, 3 * Math.sin(i / 5) * Math.cos(j / 7), j - n / 2], k);
for (let i = 0, k = 0; i < n; i++) for (let j = 0; j < n; j++, k += 6) { const a = i * (n + 1) + j; indices.set([a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1], k); }
const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(positions, 3)).setIndex(new THREE.BufferAttribute(indices, 1));

const bvh = new MeshBVH(geometry), other = geometry.clone();
other.boundsTree = new MeshBVH(other);
const world = new RAPIER.World({ x: 0, y: 0, z: 0 }), collider = world.createCollider(RAPIER.ColliderDesc.trimesh(positions, indices));
world.step();
const mesh = cm.mesh({ positions, indices }), ball = cm.sphere(0.5), point = cm.point([0, 0, 0]), box = cm.box([1, 1, 1]);
const ballR = new RAPIER.Ball(0.5), boxR = new RAPIER.Cuboid(1, 1, 1), still = { x: 0, y: 0, z: 0, w: 1 }, origin = { x: 0, y: 0, z: 0 };

/* Places over the landscape; the same for all. */
const at = Array.from({ length: 512 }, (_, i) => ({ x: (i * 37) % 100 - 50, y: 4 * Math.sin(i) + 1, z: (i * 61) % 100 - 50 }));
const ray = { origin: { x: 0, y: 20, z: 0 }, direction: { x: 0.1, y: -1, z: 0.05 } }, rayR = new RAPIER.Ray({ x: 0, y: 20, z: 0 }, ray.direction);
const length = Math.hypot(0.1, 1, 0.05), rayT = new THREE.Ray(new THREE.Vector3(), new THREE.Vector3(0.1, -1, 0.05).normalize());
const pose = { position: origin }, poseB = { position: origin }, hit = cm.newRayHit(), witness = cm.newWitness(), sweepHit = cm.newSweepHit();
const sphere = new THREE.Sphere(new THREE.Vector3(), 0.5), vector = new THREE.Vector3(), target = {}, matrix = new THREE.Matrix4();
const lift = (i) => 3 + (i % 7); // where a second landscape hangs over the first: some cross, some do not
const motion = { start: pose, move: { x: 3, y: -30, z: 2 } };
const over = (i) => { Object.assign(sphere.center, at[i]); Object.assign(vector, at[i]); pose.position = at[i]; return at[i]; };
const down = (i) => { const p = at[i]; ray.origin.x = rayR.origin.x = rayT.origin.x = p.x; ray.origin.z = rayR.origin.z = rayT.origin.z = p.z; rayT.origin.y = 20; };

/* Each row: how many questions a round has, and the same question to each: its answer is a number. */
const rows = {
  'ray, first hit': { count: 512, carom: (i) => (down(i), cm.raycast(ray, mesh, null, hit) ? hit.t : -1), bvh: (i) => { down(i); const h = bvh.raycastFirst(rayT, THREE.DoubleSide); return h ? h.distance / length : -1; }, rapier: (i) => (down(i), collider.castRay(rayR, 1e9, false)) },
  'sphere overlap': { count: 512, carom: (i) => (over(i), +cm.overlap(ball, pose, mesh)), bvh: (i) => (over(i), +bvh.intersectsSphere(sphere)), rapier: (i) => +collider.intersectsShape(ballR, over(i), still) },
  'sphere cast': { count: 256, carom: (i) => { pose.position = { ...at[i], y: 20 }; return cm.sweep(ball, motion, mesh, undefined, sweepHit) ? sweepHit.first : -1; }, rapier: (i) => { const h = collider.castShape(origin, ballR, { ...at[i], y: 20 }, still, motion.move, 0, 1, true); return h ? h.time_of_impact : -1; } },
  'point to mesh': { count: 256, carom: (i) => (over(i), Math.abs(cm.distance(point, pose, mesh))), bvh: (i) => (over(i), bvh.closestPointToPoint(vector, target).distance), rapier: (i) => { const p = over(i), q = collider.projectPoint(p, false).point; return Math.hypot(q.x - p.x, q.y - p.y, q.z - p.z); } },
  'mesh–mesh overlap': { count: 14, carom: (i) => { poseB.position = { x: i, y: lift(i), z: 1 }; return +cm.overlap(mesh, null, mesh, poseB); }, bvh: (i) => +bvh.intersectsGeometry(other, matrix.makeTranslation(i, lift(i), 1)) },
  'mesh–mesh distance': { count: 1, carom: (i) => { poseB.position = { x: 2, y: 8, z: 1 }; return Math.max(0, cm.distance(mesh, null, mesh, poseB)); }, bvh: (i) => bvh.closestPointToGeometry(other, matrix.makeTranslation(2, 8, 1), target, {}).distance },
  'box–box overlap': { count: 512, carom: (i) => (over(i), poseB.position = { x: at[i].x + 1.9, y: at[i].y + (i % 3), z: at[i].z }, +cm.overlap(box, pose, box, poseB)), rapier: (i) => { const p = at[i]; return +boxR.intersectsShape(p, still, boxR, { x: p.x + 1.9, y: p.y + (i % 3), z: p.z }, still); } },
  'build of the mesh': { count: 1, carom: () => { const m = cm.mesh({ positions, indices }); m.dispose(); return 1; }, bvh: () => (new MeshBVH(geometry), 1), rapier: () => { const w = new RAPIER.World(origin); w.createCollider(RAPIER.ColliderDesc.trimesh(positions, indices)); w.free(); return 1; } },
};

const rounds = Number(process.argv[2] ?? 100), most = 4e6, peers = ['carom', 'bvh', 'rapier'];
console.log(`| per question | carom ${cm.version} | three-mesh-bvh 0.9.17 | rapier3d-simd ${RAPIER.version()} |\n|---|---|---|---|`);
for (const [name, row] of Object.entries(rows)) {
  for (let i = 0; i < row.count; i++) { // do they say the same?
    const ours = row.carom(i);
    for (const peer of ['bvh', 'rapier']) if (row[peer]) {
      const theirs = row[peer](i);
      if (!(Math.abs(ours - theirs) <= 1e-3 * Math.max(1, Math.abs(ours)))) console.error(`${name} ${i}: carom ${ours}, ${peer} ${theirs}`);
    }
  }
  const best = {}, spent = { carom: 0, bvh: 0, rapier: 0 };
  for (let r = 0; r < rounds; r++) for (const peer of peers) if (row[peer] && spent[peer] < most) {
    const start = process.cpuUsage();
    for (let i = 0; i < row.count; i++) row[peer](i);
    const { user, system } = process.cpuUsage(start), time = user + system;
    spent[peer] += time;
    best[peer] = Math.min(best[peer] ?? Infinity, time / row.count);
  }
  const times = (peer) => (best[peer] === undefined ? '–' : `${Number((best[peer] / best.carom).toPrecision(2))} ×`);
  console.log(`| ${name} | ${best.carom < 1000 ? `${Number(best.carom.toPrecision(2))} µs` : `${Number((best.carom / 1000).toPrecision(2))} ms`} | ${times('bvh')} | ${times('rapier')} |`);
}
