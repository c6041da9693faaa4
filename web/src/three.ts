/* `carom/three`: three.js' geometries, objects and rays as carom takes them. It imports nothing of three but types. */
import type { BufferGeometry, Object3D, Raycaster, Vector3 } from 'three';
import type { Carom } from './carom.js';
import type { Hull, HullOptions, Mesh, MeshOptions } from './shapes.js';
import type { Pose, PoseLike, RayLike, Shape, Vec3 } from './generated/types.js';

/** x, y, z of each point of a geometry; of interleaved and normalized attributes, too. */
export function positionsOf(geometry: BufferGeometry): Float32Array {
  const attribute = geometry.getAttribute('position');
  const positions = new Float32Array(3 * attribute.count);
  for (let i = 0; i < attribute.count; i++) {
    positions[3 * i] = attribute.getX(i);
    positions[3 * i + 1] = attribute.getY(i);
    positions[3 * i + 2] = attribute.getZ(i);
  }
  return positions;
}
/** The mesh of a geometry, in its own frame; triangles have the numbers of three's faces. */
export function meshOf(cm: Carom, geometry: BufferGeometry, options: Omit<MeshOptions, 'positions' | 'indices'> = {}): Mesh {
  return cm.mesh({ ...options, positions: positionsOf(geometry), indices: geometry.index ? Uint32Array.from(geometry.index.array) : null });
}
/** The convex hull of a geometry's points. */
export function hullOf(cm: Carom, geometry: BufferGeometry, options: HullOptions = {}): Hull {
  return cm.hull(positionsOf(geometry), options);
}

/** Where an object is in the world, by its parents, too. Its scale is left out: it belongs into the shape. A mirrored one
 * has a negative scale along x, as three decomposes it. */
export function poseOf(object: Object3D, out?: Pose): Pose {
  object.updateWorldMatrix(true, false);
  const e = object.matrixWorld.elements, pose = out ?? { position: { x: 0, y: 0, z: 0 }, rotation: { x: 0, y: 0, z: 0, w: 1 } };
  const sign = object.matrixWorld.determinant() < 0 ? -1 : 1;
  const sx = sign / Math.hypot(e[0]!, e[1]!, e[2]!), sy = 1 / Math.hypot(e[4]!, e[5]!, e[6]!), sz = 1 / Math.hypot(e[8]!, e[9]!, e[10]!);
  const xx = e[0]! * sx, xy = e[1]! * sx, xz = e[2]! * sx, yx = e[4]! * sy, yy = e[5]! * sy, yz = e[6]! * sy, zx = e[8]! * sz, zy = e[9]! * sz, zz = e[10]! * sz;
  // Each component from the largest of the four squares, after Shepperd 1978.
  const q = pose.rotation, trace = xx + yy + zz;
  if (trace >= xx && trace >= yy && trace >= zz) { q.w = 1 + trace; q.x = yz - zy; q.y = zx - xz; q.z = xy - yx; }
  else if (xx >= yy && xx >= zz) { q.x = 1 + xx - yy - zz; q.w = yz - zy; q.y = xy + yx; q.z = zx + xz; }
  else if (yy >= zz) { q.y = 1 + yy - xx - zz; q.w = zx - xz; q.x = xy + yx; q.z = yz + zy; }
  else { q.z = 1 + zz - xx - yy; q.w = xy - yx; q.x = zx + xz; q.y = yz + zy; }
  const n = 1 / Math.hypot(q.x, q.y, q.z, q.w);
  q.x *= n; q.y *= n; q.z *= n; q.w *= n;
  pose.position.x = e[12]!; pose.position.y = e[13]!; pose.position.z = e[14]!;
  return pose;
}
/** Puts an object, as its parent sees it, where a pose says. */
export function setPose(object: Object3D, pose: Pose): void {
  object.position.copy(pose.position as Vector3);
  object.quaternion.set(pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w);
}

/** The ray of a Raycaster, from `near` to `far`. */
export function rayOf(raycaster: Raycaster): RayLike {
  const { origin, direction } = raycaster.ray, { near, far } = raycaster;
  return { origin: { x: origin.x + near * direction.x, y: origin.y + near * direction.y, z: origin.z + near * direction.z }, direction, max: far - near };
}
/** What three's Raycaster tells of a hit. */
export interface Intersection { distance: number; point: Vector3; normal: Vec3; faceIndex: number | null; object: Object3D }
/** What a ray meets first of a shape that stands where `object` does; an empty list where nothing. */
export function intersect(cm: Carom, raycaster: Raycaster, shape: Shape, object: Object3D, pose: PoseLike = poseOf(object)): Intersection[] {
  const hit = cm.raycast(rayOf(raycaster), shape, pose);
  if (!hit) return [];
  const { origin } = raycaster.ray;
  return [{
    distance: hit.t + raycaster.near, // directions of rays are of length 1 in three
    point: origin.clone().set(hit.point.x, hit.point.y, hit.point.z),
    normal: hit.normal,
    faceIndex: hit.part === 0xffffffff ? null : hit.part,
    object,
  }];
}
