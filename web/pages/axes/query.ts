import type { Carom, Quat, Shape, PoseLike, Vec3Like } from 'carom';

type Vec3 = [number, number, number];
export interface State { a: Vec3; halfA: Vec3; turnA: Vec3; b: Vec3; halfB: Vec3; turnB: Vec3; parallel: 'free' | 'nearly' | 'exactly' }

/** Degrees about x, then y, then z. */
function turned({ api }: Carom, [x, y, z]: readonly number[]): Quat {
  const about = (axis: Vec3Like, degrees: number) => api.quatFromAxisAngle(axis, (degrees * Math.PI) / 180);
  return api.quatNormalize(api.quatMul(about([0, 0, 1], z!), api.quatMul(about([0, 1, 0], y!), about([1, 0, 0], x!))));
}

export function ask(cm: Carom, s: State) {
  const { api } = cm;
  const turnB = s.parallel === 'free' ? s.turnB : s.parallel === 'nearly' ? [s.turnA[0] + 0.002, s.turnA[1], s.turnA[2]] : s.turnA;
  const a = { center: s.a, half: s.halfA, rotation: turned(cm, s.turnA) };
  const b = { center: s.b, half: s.halfB, rotation: turned(cm, turnB) };

  const overlap = api.overlapObbObb(a, b); // yes or no
  const separating = api.separateObbObb(a, b); // apart: the axis along which they are farthest apart
  const contact = api.contactObbObb(a, b); // overlapping: the axis of least overlap

  // the fifteen axes, one by one
  const A = api.mat3FromQuat(a.rotation), B = api.mat3FromQuat(b.rotation), xyz = ['x', 'y', 'z'] as const;
  const candidates = [
    ...xyz.map((i) => ({ name: `A ${i}`, axis: A[i] })),
    ...xyz.map((j) => ({ name: `B ${j}`, axis: B[j] })),
    ...xyz.flatMap((i) => xyz.map((j) => ({ name: `A ${i} × B ${j}`, axis: api.cross(A[i], B[j]) }))),
  ];
  const shapeA = cm.box(s.halfA), shapeB = cm.box(s.halfB), poseA = { position: s.a, rotation: a.rotation }, poseB = { position: s.b, rotation: b.rotation };
  // how far a box reaches back along n is its signed distance from the half-space behind the origin
  const from = (shape: Shape, pose: PoseLike, n: Vec3Like, d = 0) => cm.distance(shape, pose, cm.halfspace(n, d));
  const axes = candidates.map(({ name, axis }) => {
    const sine = api.length(axis); // 1 for faces; of edges the sine between them
    if (sine < 1e-3) return { name, sine };
    const n = api.normalize(axis, axis), back = api.neg(n);
    const toA = -from(shapeA, poseA, back), toB = -from(shapeB, poseB, back);
    const gap = api.max(from(shapeB, poseB, n, -toA), from(shapeA, poseA, n, -toB)); // beyond the end of the other
    return { name, sine, n, fromA: from(shapeA, poseA, n), toA, fromB: from(shapeB, poseB, n), toB, gap };
  });
  return { a, b, overlap, separating, contact, axes };
}
