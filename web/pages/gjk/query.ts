import type { Carom, PoseLike, Shape, Step, Vec3Like } from 'carom';

type Vec3 = [number, number, number];
export type Kind = 'block' | 'crystal' | 'cylinder' | 'cone' | 'ellipsoid';
export interface State { kindA: Kind; a: Vec3; turnA: Vec3; kindB: Kind; b: Vec3; turnB: Vec3; step: number }

const hulls: Partial<Record<Kind, Shape>> = {}; // made once
export function shapeOf(cm: Carom, kind: Kind): Shape {
  switch (kind) {
    case 'cylinder': return cm.cylinder(0.7, 0.8);
    case 'cone': return cm.cone(0.8, 0.9);
    case 'ellipsoid': return cm.ellipsoid([1.1, 0.55, 0.75]);
    case 'block': // a hull: boxes among themselves are not searched
      return hulls.block ??= cm.hull([-1, 1].flatMap((x) => [-0.6, 0.6].flatMap((y) => [-0.8, 0.8].flatMap((z) => [x, y, z]))));
    case 'crystal':
      return hulls.crystal ??= cm.hull([0, 0, 1.1, 0.8, 0.2, 0.3, -0.7, 0.5, 0.2, 0.1, -0.9, 0.3, 0.5, 0.7, -0.4, -0.6, -0.5, -0.5, 0.6, -0.5, -0.6, 0, 0.2, -1]);
  }
}

/** Degrees about x, then y, then z. */
export function poseOf({ api }: Carom, position: Vec3, [x, y, z]: Vec3): PoseLike {
  const about = (axis: Vec3Like, degrees: number) => api.quatFromAxisAngle(axis, (degrees * Math.PI) / 180);
  return { position, rotation: api.quatNormalize(api.quatMul(about([0, 0, 1], z), api.quatMul(about([0, 1, 0], y), about([1, 0, 0], x)))) };
}

export function ask(cm: Carom, s: State) {
  const a = shapeOf(cm, s.kindA), poseA = poseOf(cm, s.a, s.turnA), b = shapeOf(cm, s.kindB), poseB = poseOf(cm, s.b, s.turnB);
  const all: Step[] = [], witness = cm.newWitness();
  const distance = cm.distanceObserved(a, poseA, b, poseB, (step) => all.push(step), witness);

  const steps = all.filter((step) => step.kind === 'simplex'); // GJK; what comes after it is the depth
  const points = steps.map(({ support }) => cm.api.sub(support.b, support.a)); // w, of the difference
  const chosen = steps.length ? Math.min(s.step, steps.length - 1) : undefined;
  return { poseA, poseB, distance, witness, steps, points, chosen };
}
