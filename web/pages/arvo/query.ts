import type { Carom } from 'carom';

type Vec3 = [number, number, number];
export interface State { center: Vec3; radius: number; box: Vec3; half: Vec3 }

export function ask({ api }: Carom, s: State) {
  const sphere = { center: s.center, radius: s.radius }, box = api.aabbFromCenter(s.box, s.half);

  const overlap = api.overlapSphereAabb(sphere, box); // Arvo's test
  // what it goes by: the closest point of the box, and how far that is along each axis
  const closest = api.v(0, 0, 0);
  const distance = api.distancePointAabb(s.center, box, closest);
  const apart = api.sub(s.center, closest);
  const shares = { x: api.dot([apart.x, 0, 0], apart), y: api.dot([0, apart.y, 0], apart), z: api.dot([0, 0, apart.z], apart) };
  const square = api.dot(apart, apart), limit = api.dot([s.radius, 0, 0], [s.radius, 0, 0]);
  // where they touch, how deep, and which way leads out; from the sphere to the box
  const contact = api.contactSphereAabb(sphere, box);
  return { box, overlap, closest, distance, apart, shares, square, limit, inside: api.overlapPointAabb(s.center, box), contact };
}
