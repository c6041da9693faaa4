import type { Aabb, Carom, Manifold, Mesh, Shape } from 'carom';
import { land } from './rays';

export interface Slide { body: 'box' | 'ball' | 'capsule' | 'cylinder'; at: number; depth: number }
interface Contact { point: number[]; normal: number[]; tilt: number }

const steps = 160, from = -2, length = 4, turned = [0, Math.sin(0.3), 0, Math.cos(0.3)];
let floor: Mesh | undefined, alone: { shape: Shape; box: Aabb }[] = [];

/** A body a little deep in a flat floor of triangles, which slides along: where does each contact push it, and does a step go on? */
export function slide(cm: Carom, s: Slide) {
  const { positions, indices } = land(0), corner = (i: number) => positions.subarray(3 * i, 3 * i + 3);
  floor ??= cm.mesh({ positions, indices });
  if (!alone.length) for (let t = 0; t < indices.length; t += 3) {
    const shape = cm.triangle(corner(indices[t]!), corner(indices[t + 1]!), corner(indices[t + 2]!));
    alone.push({ shape, box: cm.bounds(shape) });
  }
  const shapes = { box: () => cm.box([0.5, 0.3, 0.4]), ball: () => cm.sphere(0.4), capsule: () => cm.capsule([-0.4, 0, 0], [0.4, 0, 0], 0.3), cylinder: () => cm.cylinder(0.35, 0.5) };
  const body = shapes[s.body](), { max } = cm.bounds(body);
  const pose = (u: number) => ({ position: [from + length * u, max.y - s.depth, 0.35], rotation: turned });
  const motion = (u: number) => ({ start: pose(u), move: [length / steps, 0, 0] });

  // normals point from the body into the floor: straight down is right, all else holds it back or throws it aside
  const contacts = (list: readonly Manifold[]): Contact[] => list.flatMap(({ normal: n, points }) => points.map(({ pointA: p }) =>
    ({ point: [p.x, p.y, p.z], normal: [n.x, n.y, n.z], tilt: Math.atan2(Math.hypot(n.x, n.z), -n.y) * 180 / Math.PI })));
  const onMesh = (u: number) => contacts(cm.contact(body, pose(u), floor!));
  const near = (u: number) => {
    const { min: a } = cm.bounds(body, pose(u)), { max: b } = cm.bounds(body, pose(u + 1 / steps));
    return alone.filter(({ box }) => box.min.x <= b.x && box.max.x >= a.x && box.min.z <= b.z && box.max.z >= a.z);
  };
  const oneByOne = (u: number) => near(u).flatMap(({ shape }) => contacts(cm.contact(body, pose(u), shape)));

  const mesh = { tilt: 0, held: 0 }, single = { tilt: 0, held: 0 };
  for (let i = 0; i < steps; i++) {
    const u = i / steps;
    for (const { tilt } of onMesh(u)) mesh.tilt = Math.max(mesh.tilt, tilt);
    for (const { tilt } of oneByOne(u)) single.tilt = Math.max(single.tilt, tilt);
    if (cm.sweep(body, motion(u), floor!)?.blocking) mesh.held++;
    if (near(u).some(({ shape }) => cm.sweep(body, motion(u), shape)?.blocking)) single.held++;
  }
  return { steps, mesh, single, here: { position: pose(s.at).position, mesh: onMesh(s.at), single: oneByOne(s.at) } };
}
