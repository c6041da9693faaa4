import type { Carom, Vec3Like, World } from 'carom';

type Vec3 = [number, number, number];
export interface State { count: '2000' | '20000' | '100000'; eye: Vec3; yaw: number; pitch: number; fov: number; far: number }

/** Crates in a field, always the same ones: place and half size, six numbers each. */
export function crates(count: number): Float32Array {
  const all = new Float32Array(6 * count), wide = 1.3 * Math.sqrt(count / 2);
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let i = 0; i < 6 * count; i += 6) {
    const h = 0.15 + 0.35 * random() ** 2;
    all.set([(random() - 0.5) * wide, h + 6 * random() ** 4, (random() - 0.5) * wide, h, h, h], i);
  }
  return all;
}
const worlds = new Map<string, World>();
function worldOf(cm: Carom, count: State['count']): World {
  let world = worlds.get(count);
  if (!world) {
    worlds.set(count, (world = cm.world()));
    const all = crates(Number(count));
    for (let i = 0; i < all.length; i += 6)
      world.add({ shape: cm.box([all[i + 3]!, all[i + 4]!, all[i + 5]!]), pose: { position: [all[i]!, all[i + 1]!, all[i + 2]!] }, fixed: true, user: i / 6 });
    world.update(); // builds what finds them
  }
  return world;
}

/** What a camera shows, column by column: OpenGL's projection times the inverse of its pose. */
function viewProjection({ api }: Carom, s: State) {
  const turn = (axis: Vec3, degrees: number) => api.quatFromAxisAngle(axis, (degrees * Math.PI) / 180);
  const pose = { position: s.eye, rotation: api.quatMul(turn([0, 1, 0], s.yaw), turn([1, 0, 0], s.pitch)) };
  const m = new Float32Array(16), near = 0.5, f = 1 / Math.tan((s.fov * Math.PI) / 360), aspect = 1.6;
  [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]].forEach((axis, column) => {
    const v = column < 3 ? api.unrotate(pose.rotation, axis) : api.poseUnapply(pose, axis);
    m.set([(f / aspect) * v.x, f * v.y, (v.z * (s.far + near) + (column < 3 ? 0 : 2 * s.far * near)) / (near - s.far), -v.z], 4 * column);
  });
  return { m, pose };
}

export function ask(cm: Carom, s: State) {
  const { m, pose } = viewProjection(cm, s);
  const frustum = cm.api.frustumFromMatrix(m, 'minusOneToOne')!;
  const world = worldOf(cm, s.count);
  let ids: number[] = [], ms = Infinity;
  for (let round = 0; round < 3; round++) { // the least of three
    const started = performance.now();
    ids = world.inFrustum(frustum);
    ms = Math.min(ms, performance.now() - started);
  }
  // what the middle of its picture shows
  const hit = world.raycast({ origin: s.eye, direction: cm.api.rotate(pose.rotation, [0, 0, -1]), max: s.far });
  return { frustum, pose, shown: ids.map((id) => world.user(id) as number), center: hit && { crate: hit.user as number, t: hit.t, point: hit.point }, count: world.count, ms };
}

/** What a ray meets first: picking. */
export function pick(cm: Carom, s: State, origin: Vec3Like, direction: Vec3Like) {
  const started = performance.now(), hit = worldOf(cm, s.count).raycast({ origin, direction, max: 1000 });
  return hit && { crate: hit.user as number, t: hit.t, point: hit.point, ms: performance.now() - started };
}
