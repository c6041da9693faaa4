/* `carom/three`: three.js' geometries, objects, instances and rays as carom takes them, and its answers as three has them.
 *
 * A pose has no scale: where something is asked for its pose the scale is left out, and where it is given one it keeps
 * the scale that it has. Poses are those of the world, by all parents; parents may be moved, turned, mirrored, and scaled
 * alike along all axes. */
import { Matrix4, Quaternion, Vector3, type BufferGeometry, type InstancedMesh, type Object3D, type Raycaster } from 'three';
import type { Carom } from './carom.js';
import type { Hull, HullOptions, Mesh, MeshOptions } from './shapes.js';
import type { Query, World, WorldObject, WorldRayHit } from './world.js';
import type { Pose, PoseLike, RayHit, RayLike, RealArray, Shape, Vec3 } from './generated/types.js';
export { DebugLines, type Color, type DebugOptions } from './lines.js';

/* --- geometries --- */

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

/* --- objects --- */

const newPose = (): Pose => ({ position: { x: 0, y: 0, z: 0 }, rotation: { x: 0, y: 0, z: 0, w: 1 } });
const matrix = new Matrix4(), inverse = new Matrix4(), place = new Vector3(), scale = new Vector3(), turn = new Quaternion(), pose = newPose();

/** Where an object is in the world. A mirrored one has a negative scale along x, as three decomposes it. */
export function poseOf(object: Object3D, out = newPose()): Pose {
  object.updateWorldMatrix(true, false);
  return poseOfMatrix(object.matrixWorld, out);
}
function poseOfMatrix(m: Matrix4, out: Pose): Pose {
  const e = m.elements, sign = m.determinant() < 0 ? -1 : 1;
  const sx = sign / Math.hypot(e[0]!, e[1]!, e[2]!), sy = 1 / Math.hypot(e[4]!, e[5]!, e[6]!), sz = 1 / Math.hypot(e[8]!, e[9]!, e[10]!);
  const xx = e[0]! * sx, xy = e[1]! * sx, xz = e[2]! * sx, yx = e[4]! * sy, yy = e[5]! * sy, yz = e[6]! * sy, zx = e[8]! * sz, zy = e[9]! * sz, zz = e[10]! * sz;
  // Each component from the largest of the four squares, after Shepperd 1978.
  const q = out.rotation, trace = xx + yy + zz;
  if (trace >= xx && trace >= yy && trace >= zz) { q.w = 1 + trace; q.x = yz - zy; q.y = zx - xz; q.z = xy - yx; }
  else if (xx >= yy && xx >= zz) { q.x = 1 + xx - yy - zz; q.w = yz - zy; q.y = xy + yx; q.z = zx + xz; }
  else if (yy >= zz) { q.y = 1 + yy - xx - zz; q.w = zx - xz; q.x = xy + yx; q.z = yz + zy; }
  else { q.z = 1 + zz - xx - yy; q.w = xy - yx; q.x = zx + xz; q.y = yz + zy; }
  const n = 1 / Math.hypot(q.x, q.y, q.z, q.w);
  q.x *= n; q.y *= n; q.z *= n; q.w *= n;
  out.position.x = e[12]!; out.position.y = e[13]!; out.position.z = e[14]!;
  return out;
}
/** The matrix of a pose, with the scale that `m` has. */
function withPose(m: Matrix4, { position: p, rotation: q }: Pose): Matrix4 {
  m.decompose(place, turn, scale);
  return m.compose(place.set(p.x, p.y, p.z), turn.set(q.x, q.y, q.z, q.w), scale);
}
/** Puts an object where a pose says. */
export function setPose(object: Object3D, to: Pose): void {
  object.updateWorldMatrix(true, false);
  withPose(matrix.copy(object.matrixWorld), to);
  if (object.parent) matrix.premultiply(inverse.copy(object.parent.matrixWorld).invert());
  matrix.decompose(object.position, object.quaternion, scale);
}

/* --- instances --- */

/** Where instance `i` is. */
export function instancePoseOf(instanced: InstancedMesh, i: number, out = newPose()): Pose {
  instanced.updateWorldMatrix(true, false);
  instanced.getMatrixAt(i, matrix);
  return poseOfMatrix(matrix.premultiply(instanced.matrixWorld), out);
}
/** Where all are: seven numbers an instance, position and rotation, as batches take them. */
export function instancePosesOf<A extends RealArray = Float32Array>(instanced: InstancedMesh, out = new Float32Array(7 * instanced.count) as A): A {
  for (let i = 0, to = 0; i < instanced.count; i++) {
    const { position: p, rotation: q } = instancePoseOf(instanced, i, pose);
    out[to++] = p.x; out[to++] = p.y; out[to++] = p.z;
    out[to++] = q.x; out[to++] = q.y; out[to++] = q.z; out[to++] = q.w;
  }
  return out;
}
/** Puts instance `i` where a pose says. */
export function setInstancePose(instanced: InstancedMesh, i: number, to: Pose): void {
  instanced.updateWorldMatrix(true, false);
  putInstance(instanced, i, to, inverse.copy(instanced.matrixWorld).invert());
  moved(instanced);
}
function putInstance(instanced: InstancedMesh, i: number, to: Pose, toLocal: Matrix4): void {
  instanced.getMatrixAt(i, matrix);
  withPose(matrix.premultiply(instanced.matrixWorld), to);
  instanced.setMatrixAt(i, matrix.premultiply(toLocal));
}
/** To be drawn anew, and not culled by where they were. */
function moved(instanced: InstancedMesh): void {
  instanced.instanceMatrix.needsUpdate = true;
  if (instanced.boundingSphere) instanced.computeBoundingSphere();
  if (instanced.boundingBox) instanced.computeBoundingBox();
}
/** What `user` of an instance's object in a world is. */
export interface Instance { object: InstancedMesh; instanceId: number }
/** An object in a world for each instance, where it is now; `options` are those of world.add. Answers their ids. */
export function addInstances(world: World, instanced: InstancedMesh, options: Omit<WorldObject, 'pose' | 'user'>): Uint32Array {
  return Uint32Array.from({ length: instanced.count }, (_, instanceId) =>
    world.add({ ...options, pose: instancePoseOf(instanced, instanceId, pose), user: { object: instanced, instanceId } satisfies Instance }));
}
/** Puts each instance where the object of its id is in the world: once a frame, after update. */
export function followWorld(instanced: InstancedMesh, world: World, ids: ArrayLike<number>): void {
  instanced.updateWorldMatrix(true, false);
  inverse.copy(instanced.matrixWorld).invert();
  for (let i = 0; i < ids.length; i++) putInstance(instanced, i, world.getPose(ids[i]!, pose), inverse);
  moved(instanced);
}

/* --- rays --- */

/** The ray of a Raycaster, from `near` to `far`. */
export function rayOf(raycaster: Raycaster): RayLike & { max: number } {
  const { origin, direction } = raycaster.ray, { near, far } = raycaster;
  return { origin: { x: origin.x + near * direction.x, y: origin.y + near * direction.y, z: origin.z + near * direction.z }, direction, max: far - near };
}
/** What three's Raycaster tells of a hit. */
export interface Intersection<O = Object3D> { distance: number; point: Vector3; normal: Vec3; faceIndex: number | null; object: O; instanceId?: number }

function intersection<O>(raycaster: Raycaster, hit: RayHit, object: O, instanceId?: number): Intersection<O> {
  return {
    distance: hit.t + raycaster.near, // directions of rays are of length 1 in three
    point: new Vector3(hit.point.x, hit.point.y, hit.point.z),
    normal: hit.normal,
    faceIndex: hit.part === 0xffffffff ? null : hit.part,
    object,
    ...(instanceId === undefined ? {} : { instanceId }),
  };
}
/** What a ray meets first of a shape that stands where `object` does, or where each of its instances does; an empty list
 * where nothing. */
export function intersect<O extends Object3D>(cm: Carom, raycaster: Raycaster, shape: Shape, object: O, at?: PoseLike): Intersection<O>[] {
  const instanced = object as unknown as InstancedMesh, ray = rayOf(raycaster);
  if (at || !instanced.isInstancedMesh) {
    const hit = cm.raycast(ray, shape, at ?? poseOf(object, pose));
    return hit ? [intersection(raycaster, hit, object)] : [];
  }
  let first = -1, best = cm.newRayHit(), other = cm.newRayHit();
  for (let i = 0; i < instanced.count; i++) {
    const hit = cm.raycast(ray, shape, instancePoseOf(instanced, i, pose), other);
    if (!hit || (first >= 0 && hit.t >= best.t)) continue; // of two at one place, the first
    [first, best, other] = [i, hit, best];
    ray.max = best.t;
  }
  return first < 0 ? [] : [intersection(raycaster, best, object, first)];
}
/** What a ray meets first in a world, or an empty list. `object` and `instanceId` are those of the hit one's `user`, if it is an
 * object of three's or { object, instanceId }; else `object` is null. */
export function intersectWorld(raycaster: Raycaster, world: World, query?: Query): (Intersection<Object3D | null> & { hit: WorldRayHit })[] {
  const hit = world.raycast(rayOf(raycaster), query);
  if (!hit) return [];
  const user = hit.user as Partial<Object3D & Instance> | null | undefined;
  const object = user?.isObject3D ? (user as Object3D) : (user?.object?.isObject3D ? user.object : null);
  return [{ ...intersection(raycaster, hit, object, user?.isObject3D ? undefined : user?.instanceId), hit }];
}
