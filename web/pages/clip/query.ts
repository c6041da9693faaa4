import type { Carom, PoseLike, Shape, Step, Vec3Like } from 'carom';

type Vec3 = [number, number, number];
export interface State { sidesA: number; turnA: Vec3; sidesB: number; b: Vec3; turnB: Vec3; margin: number; keep: number; step: number }

const prisms: Shape[] = []; // made once
/** A prism with so many sides, its axis along y. */
export function prismOf(cm: Carom, sides: number, radius: number): Shape {
  const at = (i: number, y: number) => [radius * Math.cos((2 * Math.PI * i) / sides), y, radius * Math.sin((2 * Math.PI * i) / sides)];
  return prisms[100 * radius + sides] ??= cm.hull(Array.from({ length: sides }, (_, i) => [...at(i, -0.5), ...at(i, 0.5)]).flat());
}

/** Degrees about x, then y, then z. */
export function poseOf({ api }: Carom, position: Vec3, [x, y, z]: Vec3): PoseLike {
  const about = (axis: Vec3Like, degrees: number) => api.quatFromAxisAngle(axis, (degrees * Math.PI) / 180);
  return { position, rotation: api.quatNormalize(api.quatMul(about([0, 0, 1], z), api.quatMul(about([0, 1, 0], y), about([1, 0, 0], x)))) };
}

export function ask(cm: Carom, s: State) {
  const a = prismOf(cm, s.sidesA, 1.6), poseA = poseOf(cm, [0, -0.5, 0], s.turnA);
  const b = prismOf(cm, s.sidesB, 1.3), poseB = poseOf(cm, s.b, s.turnB);
  const all: Step[] = [];
  const [manifold] = cm.contactObserved(a, poseA, b, poseB, s.margin, (step) => all.push(step));

  const steps = all.filter((step) => step.kind === 'clip' || step.kind === 'contacts')
    .map((step) => ({ ...step, left: step.kind === 'clip' ? step.polygon.length / 3 : step.contacts.length }));
  const chosen = steps.length ? Math.min(s.step, steps.length - 1) : undefined;
  const distance = all.filter((step) => step.kind === 'distance')[0]!.lower;
  const [reduced] = cm.contact(a, poseA, b, poseB, s.margin); // what a solver needs of it
  if (reduced) cm.api.manifoldReduce(reduced, s.keep);
  const points = (manifold?.points ?? []).map((point) => ({ ...point, kept: reduced!.points.some((one) => one.featureA === point.featureA && one.featureB === point.featureB) }));
  return { poseA, poseB, distance, normal: manifold?.normal, steps, chosen, points };
}
