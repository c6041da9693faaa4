/* The rows of docs/theory/article-errata.md that can be computed: what the text's formula gives, and what the library
 * answers, at the row's numbers. `theirs` is the article's, errors included; `ours` has no arithmetic of its own. The two
 * lines of each are shown as they stand here. */
import type { Carom } from 'carom';

type V = readonly number[];
type S = Record<string, number>;
export interface Demo {
  params: S;
  theirs(s: any): unknown;
  ours(cm: Carom, s: any): unknown;
  /** Asked of the double precision build. */
  double?: true;
  /** The text's numbers are right: something else about it is not. */
  agree?: true;
}

/* --- what the rows have in common --- */

const floor = { normal: [0, 0, 1], d: 0 }; // the plane z = 0
const up = [0, 0, 1];
const ball = (x: number, y: number, z: number, radius: number) => ({ center: [x, y, z], radius });
const box = (cm: Carom, x: number, y: number, z: number, half = 1) => cm.api.aabbFromCenter([x, y, z], [half, half, half]);
const turnX = (cm: Carom, degrees: number) => cm.api.quatFromAxisAngle([1, 0, 0], (degrees * Math.PI) / 180);
const turnZ = (cm: Carom, degrees: number) => cm.api.quatFromAxisAngle([0, 0, 1], (degrees * Math.PI) / 180);
const cube = (cm: Carom, x: number, rotation = cm.api.quatIdentity()) => ({ center: [x, 0, 0], half: [1, 1, 1], rotation });
const times = (hit: { first: number; last: number } | null) => (hit ? { first: hit.first, last: hit.last } : 'no contact');
const f = Math.fround;

/** The article's quadratic for two spheres, p apart, v the relative motion, r both radii. */
function quadratic(p: V, v: V, r: number): unknown {
  const dot = (a: V, b: V) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
  if (dot(p, p) <= r * r) return { first: 0, last: 0 };
  const a = dot(v, v), b = 2 * dot(p, v), c = dot(p, p) - r * r, q = b * b - 4 * a * c;
  return q >= 0 ? { first: (-b - Math.sqrt(q)) / (2 * a), last: (-b + Math.sqrt(q)) / (2 * a) } : 'no contact';
}
/** The article's sweep of two boxes of half size 1: A at the origin, B at b, moving by v. */
function boxSweep(b: V, v: V): unknown {
  if (b.every((x) => Math.abs(x) <= 2)) return { first: 0, last: 0 };
  const first = [0, 0, 0], last = [1, 1, 1];
  b.forEach((at, k) => {
    const s = v[k]!;
    if (1 < at - 1 && s < 0) first[k] = (1 - (at - 1)) / s;
    else if (at + 1 < -1 && s > 0) first[k] = (-1 - (at + 1)) / s;
    if (at + 1 > -1 && s < 0) last[k] = (-1 - (at + 1)) / s;
    else if (1 > at - 1 && s > 0) last[k] = (1 - (at - 1)) / s;
  });
  return Math.max(...first) <= Math.min(...last) ? { first: Math.max(...first), last: Math.min(...last) } : 'no contact';
}
const sweepBoxes = (cm: Carom, b: V, v: V) => times(cm.api.sweepAabbAabb(box(cm, 0, 0, 0), [0, 0, 0], box(cm, b[0]!, b[1]!, b[2]!), v));

/** A broad phase of `kind` with boxes, six numbers each: what it found, and how. */
function broad(cm: Carom, kind: 'octree' | 'quadtree' | 'brute' | 'sweep', boxes: number[]) {
  using all = cm.broad({ kind });
  all.addMany(boxes);
  return { pairs: all.pairs().length / 2, tests: all.stats.tests, depth: all.stats.depth };
}
const many = (count: number, of: (i: number) => number[]) => Array.from({ length: count }, (_, i) => of(i)).flat();

/** What makes a tree divide its cells, far from what is looked at, and touching nothing. */
const aside = many(200, (i) => { const at = (100 + i) * (i % 2 ? 1 : -1); return [at, at, at, at + 0.5, at + 0.5, at + 0.5]; });

/* --- the rows --- */

export const demos: Record<string, Demo> = {
  'gomez-1': {
    params: { z: 5 },
    theirs: (s) => s.z + s.z, // the plane's own point: n·p + D with D = n·p₀
    ours: ({ api }, s) => api.distancePointPlane([0, 0, s.z], api.planeFromPoint([0, 0, s.z], up)),
  },
  'gomez-2': {
    params: { z: 5 },
    theirs: (s) => Math.abs(s.z), // D, a distance
    ours: ({ api }, s) => api.distancePointPlane([0, 0, 0], api.planeFromPoint([0, 0, s.z], up)),
  },
  'gomez-3': {
    params: { k: 3 },
    theirs: (s) => [1 * s.k - 1 * s.k, 1 * s.k - 1 * s.k, 1 * s.k - 1 * s.k].map((x) => x / 0), // e × f, over its length
    ours: ({ api }, s) => api.planeFromPoints([0, 0, 0], [1, 1, 1], [s.k, s.k, s.k])?.normal ?? 'refused',
  },
  'gomez-4': {
    params: { from: -5, to: 5, r: 1 },
    theirs: (s) => (s.from > s.r && s.to < s.r ? (s.from - s.r) / (s.from - s.to) : 'no contact'),
    ours: ({ api }, s) => api.sweepSpherePlane(ball(0, 0, s.from, s.r), [0, 0, s.to - s.from], floor)?.first ?? 'no contact',
  },
  'gomez-5': {
    params: { from: 5, to: 1, r: 1 },
    theirs: (s) => (s.from > s.r && s.to < s.r ? (s.from - s.r) / (s.from - s.to) : 'no contact'),
    ours: ({ api }, s) => api.sweepSpherePlane(ball(0, 0, s.from, s.r), [0, 0, s.to - s.from], floor)?.first ?? 'no contact',
  },
  'gomez-6': {
    params: { z: 2, move: 100, r: 1 },
    theirs: (s) => (s.z - s.r) / (s.z - s.z), // (d₀ − r) / (d₀ − d₁)
    ours: ({ api }, s) => times(api.sweepSpherePlane(ball(0, 0, s.z, s.r), [s.move, 0, 0], floor)),
  },
  'gomez-7': {
    params: { z: 5, fall: 8, r: 1 },
    theirs: (s) => [3, 4, s.z - ((s.z - s.r) / s.fall) * s.fall], // the center at u
    ours: ({ api }, s) => api.sweepSpherePlane(ball(3, 4, s.z, s.r), [0, 0, -s.fall], floor)?.point ?? 'no contact',
  },
  'gomez-8': {
    params: { from: 3, to: -1 },
    theirs: (s) => (s.from > 0 && s.to < 0 ? { first: s.from / (s.from - s.to) } : 'no contact'),
    ours: ({ api }, s) => times(api.sweepSpherePlane(ball(0, 0, s.from, 0), [0, 0, s.to - s.from], floor)),
  },
  'gomez-9': {
    params: { apart: 10, closing: 1 },
    theirs: (s) => quadratic([s.apart, 0, 0], [-s.closing, 0, 0], 2),
    ours: ({ api }, s) => times(api.sweepSphereSphere(ball(0, 0, 0, 1), [0, 0, 0], ball(s.apart, 0, 0, 1), [-s.closing, 0, 0])),
  },
  'gomez-10': {
    params: { apart: 10, both: 3 },
    theirs: (s) => quadratic([s.apart, 0, 0], [0, 0, 0], 2),
    ours: ({ api }, s) => times(api.sweepSphereSphere(ball(0, 0, 0, 1), [s.both, 0, 0], ball(s.apart, 0, 0, 1), [s.both, 0, 0])),
  },
  'gomez-11': {
    params: { apart: 1, leaving: 4 },
    theirs: (s) => quadratic([s.apart, 0, 0], [s.leaving, 0, 0], 2),
    ours: ({ api }, s) => times(api.sweepSphereSphere(ball(0, 0, 0, 1), [0, 0, 0], ball(s.apart, 0, 0, 1), [s.leaving, 0, 0])),
  },
  'gomez-12': {
    params: { far: 4096, off: 1.9375 },
    theirs: (s) => { const a = f(4 * s.far * s.far), b = f(-4 * s.far * s.far), c = f(f(f(s.far * s.far) + f(s.off * s.off)) - 4); return { 'b² − 4ac': f(f(b * b) - f(4 * f(a * c))) }; },
    ours: ({ api }, s) => times(api.sweepSphereSphere(ball(-s.far, s.off, 0, 1), [2 * s.far, 0, 0], ball(0, 0, 0, 1), [0, 0, 0])),
  },
  'gomez-13': {
    params: { x: 10, y: 5, move: -10 },
    theirs: (s) => boxSweep([s.x, s.y, 0], [s.move, 0, 0]),
    ours: (cm, s) => sweepBoxes(cm, [s.x, s.y, 0], [s.move, 0, 0]),
  },
  'gomez-14': {
    params: { x: 5, move: 5 },
    theirs: (s) => boxSweep([s.x, 0, 0], [s.move, 0, 0]),
    ours: (cm, s) => sweepBoxes(cm, [s.x, 0, 0], [s.move, 0, 0]),
  },
  'gomez-15': {
    params: { at: 10, move: -2 },
    theirs: (s) => boxSweep([s.at, s.at, s.at], [s.move, s.move, s.move]),
    ours: (cm, s) => sweepBoxes(cm, [s.at, s.at, s.at], [s.move, s.move, s.move]),
  },
  'gomez-16': {
    params: { x: 2, y: 5, moveX: 1, moveY: -10 },
    theirs: (s) => boxSweep([s.x, s.y, 0], [s.moveX, s.moveY, 0]),
    ours: (cm, s) => sweepBoxes(cm, [s.x, s.y, 0], [s.moveX, s.moveY, 0]),
  },
  'gomez-17': {
    params: { x: 1, move: 4 },
    theirs: (s) => boxSweep([s.x, 0, 0], [s.move, 0, 0]),
    ours: (cm, s) => sweepBoxes(cm, [s.x, 0, 0], [s.move, 0, 0]),
  },
  'gomez-18': {
    params: { moveX: -1.5, moveY: -1 },
    theirs: (s) => boxSweep([3, 1, 1], [s.moveX, s.moveY, s.moveY]),
    ours: (cm, s) => sweepBoxes(cm, [3, 1, 1], [s.moveX, s.moveY, s.moveY]),
  },
  'gomez-19': {
    params: { x: 3.0000000000000004 },
    theirs: (s) => (f(f(s.x - 1) * f(s.x - 1)) <= 4 ? 'overlap' : 'apart'), // the sum in float
    ours: (cm, s) => (cm.api.overlapSphereAabb(ball(s.x, 0, 0, 2), box(cm, 0, 0, 0)) ? 'overlap' : 'apart'),
    double: true,
  },
  'gomez-20': {
    params: { x: 0 },
    theirs: (s) => (Math.abs(s.x) <= 2 ? 'disjoint: no axis separates' : 'overlapping'),
    ours: (cm, s) => (cm.api.overlapObbObb(cube(cm, 0), cube(cm, s.x)) ? 'overlapping' : 'disjoint'),
  },
  'gomez-21': {
    params: { x: 1.9, turned: 36.87 },
    theirs: () => ({ axis: [0, 0, 0], depth: 0 }), // the product of the parallel edges, of length 0, is the least of 15
    ours: (cm, s) => { const m = cm.api.contactObbObb(cube(cm, 0), cube(cm, s.x, turnZ(cm, s.turned))); return m ? { axis: m.normal, depth: m.points[0]!.depth } : 'apart'; },
  },
  'gomez-22': {
    params: { x: 1.5, turned: 30 },
    theirs: (s) => ({ depth: Math.min(2 - s.x, (2 - s.x) * Math.sin((s.turned * Math.PI) / 180)) }), // along x, and along the product of edges, which is shorter
    ours: (cm, s) => { const m = cm.api.contactObbObb(cube(cm, 0), cube(cm, s.x, turnX(cm, s.turned))); return m ? { depth: m.points[0]!.depth } : 'apart'; },
  },
  'gomez-23': {
    params: { degrees: 120, u: 0.5 },
    theirs: (s) => { const t = (s.degrees * Math.PI) / 180; return { 'length of the x axis': Math.hypot(1 - s.u + s.u * Math.cos(t), s.u * Math.sin(t)) }; },
    ours: (cm, s) => ({ 'length of the x axis': cm.api.length(cm.api.rotate(cm.api.motionAt(cm.api.motionBetween(null, { rotation: turnZ(cm, s.degrees) }), s.u).rotation, [1, 0, 0])) }),
  },

  'kenwright-1': {
    params: { x: -100, y: -100, z: -100 },
    theirs: (s) => s.x - 0 <= 2 && s.y - 0 <= 2 && s.z - 0 <= 2, // pos0.x - pos1.x <= sum
    ours: (cm, s) => cm.api.overlapAabbAabb(box(cm, s.x, s.y, s.z), box(cm, 0, 0, 0)),
  },
  'kenwright-2': {
    params: { apart: 2 },
    theirs: (s) => ({ spheres: s.apart < 2, boxes: s.apart <= 2 }),
    ours: (cm, s) => ({ spheres: cm.api.overlapSphereSphere(ball(0, 0, 0, 1), ball(s.apart, 0, 0, 1)), boxes: cm.api.overlapAabbAabb(box(cm, 0, 0, 0), box(cm, s.apart, 0, 0)) }),
  },
  'kenwright-3': {
    params: { apart: 1.5 },
    theirs: (s) => 1 + 1 - s.apart * s.apart, // r₁ + r₂ − d, with d the squared distance
    ours: ({ api }, s) => api.contactSphereSphere(ball(0, 0, 0, 1), ball(s.apart, 0, 0, 1))?.points[0]!.depth ?? 'apart',
  },
  'kenwright-4': {
    params: { apart: 2.5 },
    theirs: (s) => ({ N: Math.abs(s.apart) }), // |S₁ − S₂|, a number
    ours: ({ api }, s) => { const m = api.contactSphereSphere(ball(0, 0, 0, 2), ball(s.apart, 0, 0, 1)); return m ? { N: m.normal, 'on A': m.points[0]!.pointA, 'on B': m.points[0]!.pointB } : 'apart'; },
  },
  'kenwright-5': {
    params: { apart: 0 },
    theirs: (s) => [s.apart / Math.abs(s.apart), 0 / Math.abs(s.apart), 0 / Math.abs(s.apart)],
    ours: ({ api }, s) => { const m = api.contactSphereSphere(ball(0, 0, 0, 1), ball(s.apart, 0, 0, 0.5)); return m ? { normal: m.normal, depth: m.points[0]!.depth } : 'apart'; },
  },
  'kenwright-6': {
    params: { apart: 0.003, r: 0.001 },
    theirs: (s) => (s.apart * s.apart > 0.00001 ? s.apart * s.apart < 4 * s.r * s.r : 'assertion failed'),
    ours: ({ api }, s) => api.overlapSphereSphere(ball(0, 0, 0, s.r), ball(s.apart, 0, 0, s.r)),
  },
  'kenwright-7': {
    params: { z: 1000 },
    theirs: (s) => (s.z > -1 ? { meets: true, penetration: 1 - s.z } : { meets: false }), // of frustum culling: is any of it in front?
    ours: ({ api }, s) => ({ meets: api.overlapSpherePlane(ball(0, 0, s.z, 1), floor) }),
  },
  'kenwright-8': {
    params: { z: -1000 },
    theirs: (s) => ({ plane: s.z < 1 }), // N·S + d < r
    ours: ({ api }, s) => ({ plane: api.overlapSpherePlane(ball(0, 0, s.z, 1), floor), 'half-space': api.overlapSphereHalfspace(ball(0, 0, s.z, 1), floor) }),
  },
  'kenwright-9': {
    params: { z: -1 },
    theirs: (s) => !(s.z <= -1), // separation <= -radius is outside
    ours: ({ api }, s) => api.overlapSpherePlane(ball(0, 0, s.z, 1), floor),
  },
  'kenwright-10': {
    params: { z: 0.75 },
    theirs: (s) => [3, 4, s.z + s.z], // S + n (n·S + d)
    ours: ({ api }, s) => { const m = api.contactSpherePlane(ball(3, 4, s.z, 1), floor); return m ? { 'on the plane': m.points[0]!.pointB, 'on the sphere': m.points[0]!.pointA } : 'apart'; },
  },
  'kenwright-12': {
    params: { z: 5 },
    theirs: (s) => Math.abs(s.z),
    ours: ({ api }, s) => api.planeFromPoint([0, 0, s.z], up).d,
  },
  'kenwright-13': {
    params: { C: 2, D: -4, z: 3.5 },
    theirs: (s) => s.C * s.z + s.D, // as if (A, B, C) were unit
    ours: ({ api }, s) => { const plane = api.planeFromEquation(0, 0, s.C, s.D); return plane ? api.distancePointPlane([0, 0, s.z], plane) : 'refused'; },
  },
  'kenwright-14': {
    params: { N: 100 },
    theirs: (s) => s.N * s.N,
    ours: (cm, s) => broad(cm, 'brute', many(Math.min(s.N, 2000), () => [0, 0, 0, 1, 1, 1])).pairs, // all overlap
  },
  'kenwright-15': {
    params: { objects: 100, threshold: 12 },
    theirs: (s) => (s.objects > s.threshold ? 'divided for ever' : { pairs: (s.objects * (s.objects - 1)) / 2 }),
    ours: (cm, s) => { const { pairs, depth } = broad(cm, 'octree', many(Math.min(s.objects, 2000), () => [1, 1, 1, 1, 1, 1])); return { pairs, depth }; },
  },
  'kenwright-16': {
    params: { x: 0 },
    theirs: (s) => ({ pairs: s.x - 2.5 < 0 && s.x + 3 > 0 ? 4 : 1 }), // once in each section that both stand in: a quadtree cut at 0
    ours: (cm, s) => ({ pairs: broad(cm, 'quadtree', [s.x - 3, -3, s.x - 3, s.x + 3, 3, s.x + 3, s.x - 2.5, -2.5, s.x - 2.5, s.x + 3.5, 3.5, s.x + 3.5, ...aside]).pairs }),
  },
  'kenwright-17': {
    params: { start: 1 },
    theirs: (s) => (s.start < 1 ? 1 : 0), // the end at 1 goes before the start at 1
    ours: (cm, s) => broad(cm, 'sweep', [0, 0, 0, 1, 1, 1, s.start, 0, 0, s.start + 1, 1, 1]).pairs,
  },

  'toymaker-1': {
    params: { half: 1 },
    theirs: (s) => Math.hypot(2 * s.half, 2 * s.half, 2 * s.half), // the length of the diagonal
    ours: (cm, s) => cm.api.sphereFromAabb(box(cm, 0, 0, 0, s.half)).radius,
  },
  'toymaker-2': {
    params: { z: 11 },
    theirs: () => [1, 1], // a D3DXVECTOR2
    ours: (cm, s) => cm.api.sphereFromAabb(box(cm, 1, 1, s.z)).center,
  },
  'toymaker-3': {
    params: { flat: 0.1 },
    theirs: (s) => { const c = (s.flat * s.flat - 1) / (2 * s.flat); return Math.hypot(1, c, c); }, // through all four points
    ours: ({ api }, s) => { const out = { center: api.v(0, 0, 0), radius: 0 }; return api.fitSphere({ data: [1, 0, 0, -1, 0, 0, 0, s.flat, 0, 0, 0, s.flat] }, out) ? out.radius : 'none'; },
  },
  'toymaker-4': {
    params: { apart: 2 },
    theirs: (s) => ({ spheres: s.apart < 2, boxes: !(s.apart > 2) }),
    ours: (cm, s) => ({ spheres: cm.api.overlapSphereSphere(ball(0, 0, 0, 1), ball(s.apart, 0, 0, 1)), boxes: cm.api.overlapAabbAabb(box(cm, 0, 0, 0), box(cm, s.apart, 0, 0)) }),
  },
  'toymaker-5': {
    params: { turned: 45 },
    theirs: () => 'the box fits better',
    ours: (cm, s) => (cm.api.volumeAabb(cm.api.boundsObb(cube(cm, 0, cm.api.quatMul(turnX(cm, s.turned), turnZ(cm, s.turned))))) < cm.api.volumeSphere(cm.api.sphereFromAabb(box(cm, 0, 0, 0))) ? 'the box fits better' : 'the sphere fits better'),
  },
  'toymaker-6': {
    params: { turned: 30 },
    theirs: (s) => { const t = (s.turned * Math.PI) / 180; return { 'half size': [Math.abs(Math.cos(t)) + Math.abs(Math.sin(t)), Math.abs(Math.cos(t)) + Math.abs(Math.sin(t)), 1] }; }, // of eight corners
    ours: (cm, s) => ({ 'half size': cm.api.aabbHalf(cm.api.boundsObb(cube(cm, 0, turnZ(cm, s.turned)))) }),
    agree: true,
  },

  'mdn-1-3': {
    params: { point: 1, sphere: 2 },
    theirs: (s) => ({ 'point and sphere': s.point < 1, 'sphere and sphere': s.sphere < 2, 'sphere and box': s.sphere - 1 < 1 }),
    ours: (cm, s) => ({ 'point and sphere': cm.api.overlapPointSphere([s.point, 0, 0], ball(0, 0, 0, 1)), 'sphere and sphere': cm.api.overlapSphereSphere(ball(0, 0, 0, 1), ball(s.sphere, 0, 0, 1)), 'sphere and box': cm.api.overlapSphereAabb(ball(s.sphere, 0, 0, 1), box(cm, 0, 0, 0)) }),
  },
  'mdn-4': {
    params: { unit: 1e-170 },
    theirs: (s) => (3 * s.unit) ** 2 <= (2 * s.unit) ** 2, // 3 apart, radii 1 + 1
    ours: ({ api }, s) => api.overlapSphereSphere(ball(0, 0, 0, s.unit), ball(3 * s.unit, 0, 0, s.unit)),
    double: true,
  },
  'mdn-6': {
    params: { x: 0.5, r: 0.25 },
    theirs: (s) => { const d = Math.max(s.x - 1, 0); return { depth: s.r - d, direction: [(s.x - Math.min(s.x, 1)) / d, 0 / d, 0 / d] }; },
    ours: ({ api }, s) => { const m = api.contactSphereAabb(ball(s.x, 0.25, 0.25, s.r), { min: [-1, -2, -3], max: [1, 2, 3] }); return m ? { depth: m.points[0]!.depth, direction: m.normal } : 'apart'; },
  },
  'mdn-7': {
    params: { x: 1.25, r: 0.5 },
    theirs: (s) => [-1, 1].some((x) => Math.hypot(x - s.x, 1, 1) <= s.r), // every vertex against the sphere
    ours: (cm, s) => cm.api.overlapSphereAabb(ball(s.x, 0, 0, s.r), box(cm, 0, 0, 0)),
  },
  'mdn-8': {
    params: { r: -2 },
    theirs: (s) => 1 <= s.r * s.r, // the point (1, 0, 0)
    ours: ({ api }, s) => api.overlapPointSphere([1, 0, 0], ball(0, 0, 0, s.r)),
  },
  'mdn-9': {
    params: { x: 2, turned: 90 },
    theirs: (s) => [s.x, 0, 0], // invariant to rotation
    ours: (cm, s) => cm.api.aabbCenter(cm.bounds(cm.sphere(1, [s.x, 0, 0]), { rotation: turnZ(cm, s.turned) })),
  },
};
