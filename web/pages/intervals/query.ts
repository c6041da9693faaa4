import type { Carom } from 'carom';

type Vec3 = [number, number, number];
export interface State { a: Vec3; halfA: Vec3; b: Vec3; halfB: Vec3; what: 'box' | 'point' }

export function ask(cm: Carom, s: State) {
  const { api } = cm;
  const a = api.aabbFromCenter(s.a, s.halfA);
  const b = s.what === 'box' ? api.aabbFromCenter(s.b, s.halfB) : { min: api.v(...s.b), max: api.v(...s.b) };

  const overlap = s.what === 'box' ? api.overlapAabbAabb(a, b) : api.overlapPointAabb(s.b, a);
  // per axis: how far one starts beyond the end of the other; above 0 the axis separates
  const gaps = api.vec3Max(api.sub(b.min, a.max), api.sub(a.min, b.max));
  // of those that overlap: the axis of least overlap, the depth along it, and the points of contact
  const contact = api.contactAabbAabb(a, b);
  // the true distance, over corners too
  const shapeA = cm.box(s.halfA), shapeB = s.what === 'box' ? cm.box(s.halfB) : cm.point([0, 0, 0]);
  const distance = cm.distance(shapeA, { position: s.a }, shapeB, { position: s.b });
  return { a, b, overlap, gaps, contact, distance };
}
