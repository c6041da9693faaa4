import type { Carom, PoseLike, Shape, Step, Vec3Like } from 'carom';

type Vec3 = [number, number, number];
export type Kind = 'block' | 'cylinder' | 'cone' | 'ellipsoid';
export interface State { kindA: Kind; a: Vec3; turnA: Vec3; kindB: Kind; b: Vec3; turnB: Vec3; step: number }

let block: Shape | undefined; // made once: a hull, as boxes among themselves are not searched
export function shapeOf(cm: Carom, kind: Kind): Shape {
  switch (kind) {
    case 'cylinder': return cm.cylinder(0.7, 0.8);
    case 'cone': return cm.cone(0.9, 0.9);
    case 'ellipsoid': return cm.ellipsoid([1.2, 0.6, 0.8]);
    case 'block': return block ??= cm.hull([-1, 1].flatMap((x) => [-0.6, 0.6].flatMap((y) => [-0.8, 0.8].flatMap((z) => [x, y, z]))));
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

  // the depth: a polytope that grows, or of two hulls the faces that may be the nearest
  const steps = all.filter((step) => step.kind === 'polytope' || step.kind === 'face').map((step) => ({ ...step, corners: step.vertices.length / 6 }));
  const chosen = steps.length ? Math.min(s.step, steps.length - 1) : undefined;
  const out = cm.api.mulAdd(s.b, -distance, witness.normal); // where B touches
  return { poseA, poseB, distance, witness, steps, chosen, out };
}
