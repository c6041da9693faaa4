/* Written by tools/api from the headers in include/carom: do not edit. */

import type * as T from './types.js';
import type { Memory, Exports } from '../memory.js';

type Vec3Like = T.Vec3Like;
export const REAL_MAX = 1.7976931348623157e308;
export const PREFIX = 'cmd_';
export const SUPPORT = 'iii_';
export const KIND_CUSTOM = 8;
export const SHAPE_BYTES = 88;
export const REAL_BYTES = 8;
export const RealArray = Float64Array;
/** Offsets of what is written and read by hand. */
export const at: Record<string, Record<string, number>> = {"aabb":{"size":48,"min":0,"max":24},"ray":{"size":56,"origin":0,"direction":24,"max":48},"rayHit":{"size":72,"t":0,"exit":8,"point":16,"normal":40,"inside":64,"part":68},"witness":{"size":96,"pointA":0,"pointB":24,"normal":48,"distance":72,"partA":80,"partB":84,"flags":88},"sweepHit":{"size":96,"first":0,"last":8,"point":16,"normal":40,"start":64,"blocking":68,"partA":72,"partB":76,"proof":80,"freeUntil":88},"worldEvent":{"size":48,"kind":0,"a":4,"b":8,"userA":16,"userB":24,"u":32,"manifolds":40,"manifoldCount":44},"manifold":{"size":552,"normal":0,"partA":24,"partB":28,"count":32,"points":40},"contactPoint":{"size":64,"pointA":0,"pointB":24,"depth":48,"featureA":56,"featureB":60},"custom":{"size":32,"support":0,"user":4,"center":8},"shape":{"size":88,"kind":0,"radius":8,"u":16},"worldObjectDesc":{"size":184,"shape":0,"pose":88,"fixed":144,"trigger":145,"layer":148,"mask":152,"exact":156,"group":160,"user":168,"sweep":176}};

function newVec3(): T.Vec3 { return { x: 0, y: 0, z: 0 }; }
function newQuat(): T.Quat { return { x: 0, y: 0, z: 0, w: 1 }; }
function newPose(): T.Pose { return { position: newVec3(), rotation: newQuat() }; }
export function putVec3(m: Memory, p: number, v: Vec3Like): void {
  const i = p >> 3, to = m.f64;
  if ('x' in v) { to[i] = v.x; to[i + 1] = v.y; to[i + 2] = v.z; }
  else { to[i] = v[0]!; to[i + 1] = v[1]!; to[i + 2] = v[2]!; }
}
export function putQuat(m: Memory, p: number, v: T.QuatLike): void {
  const i = p >> 3, to = m.f64;
  if ('x' in v) { to[i] = v.x; to[i + 1] = v.y; to[i + 2] = v.z; to[i + 3] = v.w; }
  else { to[i] = v[0]!; to[i + 1] = v[1]!; to[i + 2] = v[2]!; to[i + 3] = v[3]!; }
}
const origin: T.Vec3 = newVec3(), unturned: T.Quat = newQuat();
export function putPose(m: Memory, p: number, v: T.PoseLike | null | undefined): void {
  putVec3(m, p, v?.position ?? origin);
  putQuat(m, p + 24, v?.rotation ?? unturned);
}
function getVec3(m: Memory, p: number, o: T.Vec3): T.Vec3 {
  const i = p >> 3, from = m.f64;
  o.x = from[i]!; o.y = from[i + 1]!; o.z = from[i + 2]!;
  return o;
}
function getQuat(m: Memory, p: number, o: T.Quat): T.Quat {
  const i = p >> 3, from = m.f64;
  o.x = from[i]!; o.y = from[i + 1]!; o.z = from[i + 2]!; o.w = from[i + 3]!;
  return o;
}
function getPose(m: Memory, p: number, o: T.Pose): T.Pose {
  getVec3(m, p, o.position);
  getQuat(m, p + 24, o.rotation);
  return o;
}
export function putShape(m: Memory, p: number, v: T.Shape): void {
  v.check();
  const from = v.words, to = m.u32, at = p >> 2;
  for (let i = 0; i < SHAPE_BYTES / 4; i++) to[at + i] = from[i]!; // so few words are set faster one by one
}
function newShape(): T.Shape { return m0.shape(new Uint32Array(SHAPE_BYTES / 4)); }
let m0: Memory; // whoever makes shapes of bytes
function getShape(m: Memory, p: number, o: T.Shape): T.Shape {
  const words = m.u32.subarray(p >> 2, (p + SHAPE_BYTES) >> 2);
  return o.words.every((w, i) => w === words[i]) ? o : m.shape(words.slice());
}
export function inShape(m: Memory, v: T.Shape): number { const p = m.take(SHAPE_BYTES); putShape(m, p, v); return p; }
export function inPose(m: Memory, v: T.PoseLike | null | undefined): number { const p = m.take(56); putPose(m, p, v); return p; }
export function inVec3(m: Memory, v: Vec3Like): number { const p = m.take(32); putVec3(m, p, v); return p; }
function inQuat(m: Memory, v: T.QuatLike): number { const p = m.take(32); putQuat(m, p, v); return p; }
/** Where `count` elements are written: into objects of the array, which are made as needed and kept for the next time. */
export function fill<E>(m: Memory, p: number, count: number, size: number, get: (m: Memory, p: number, o: E) => E, make: () => E, out: E[]): E[] {
  const pool = m.pool(out) as E[];
  while (pool.length < count) pool.push(make());
  out.length = count;
  for (let i = 0; i < count; i++) out[i] = pool[i] = get(m, p + size * i, pool[i]!);
  return out;
}
const nameStatus: readonly T.Status[] = ['ok', 'noMemory', 'invalid', 'notFinite', 'outOfRange', 'staleId', 'limit', 'notSolid', 'unsupported', 'badData'];
function numberStatus(v: T.Status | undefined): number {
  const n = v === undefined ? 0 : nameStatus.indexOf(v);
  if (n < 0) throw new TypeError(`not a Status: ${String(v)}`);
  return n;
}
const nameKind: readonly T.Kind[] = ['point', 'segment', 'triangle', 'box', 'cylinder', 'cone', 'ellipsoid', 'hull', 'custom', 'halfspace', 'mesh', 'heightField', 'compound'];
function numberKind(v: T.Kind | undefined): number {
  const n = v === undefined ? 0 : nameKind.indexOf(v);
  if (n < 0) throw new TypeError(`not a Kind: ${String(v)}`);
  return n;
}
const nameGround: readonly T.Ground[] = ['xy', 'yz', 'zx', 'yx', 'zy', 'xz'];
function numberGround(v: T.Ground | undefined): number {
  const n = v === undefined ? 0 : nameGround.indexOf(v);
  if (n < 0) throw new TypeError(`not a Ground: ${String(v)}`);
  return n;
}
const nameRelation: readonly T.Relation[] = ['none', 'identical', 'aInB', 'bInA', 'separated', 'touching', 'crossing'];
function numberRelation(v: T.Relation | undefined): number {
  const n = v === undefined ? 0 : nameRelation.indexOf(v);
  if (n < 0) throw new TypeError(`not a Relation: ${String(v)}`);
  return n;
}
const nameStepKind: readonly T.StepKind[] = ['ownMethod', 'simplex', 'polytope', 'face', 'distance', 'clip', 'contacts'];
function numberStepKind(v: T.StepKind | undefined): number {
  const n = v === undefined ? 0 : nameStepKind.indexOf(v);
  if (n < 0) throw new TypeError(`not a StepKind: ${String(v)}`);
  return n;
}
const nameSweepStart: readonly T.SweepStart[] = ['separated', 'touching', 'overlapping'];
const nameSweepProof: readonly T.SweepProof[] = ['contact', 'limit'];
const namePathVerdict: readonly T.PathVerdict[] = ['free', 'hit', 'start', 'limit', 'invalid'];
const namePathFeatures: readonly T.PathFeatures[] = ['pointTriangle', 'trianglePoint', 'edgeEdge', 'triangleShape'];
const nameClipDepth: readonly T.ClipDepth[] = ['zeroToOne', 'minusOneToOne'];
function numberClipDepth(v: T.ClipDepth | undefined): number {
  const n = v === undefined ? 0 : nameClipDepth.indexOf(v);
  if (n < 0) throw new TypeError(`not a ClipDepth: ${String(v)}`);
  return n;
}
const nameCull: readonly T.Cull[] = ['outside', 'cut', 'inside'];
const nameBroadKind: readonly T.BroadKind[] = ['auto', 'brute', 'sweep', 'sweep3', 'grid', 'octree', 'quadtree', 'bsp', 'bvh'];
function numberBroadKind(v: T.BroadKind | undefined): number {
  const n = v === undefined ? 0 : nameBroadKind.indexOf(v);
  if (n < 0) throw new TypeError(`not a BroadKind: ${String(v)}`);
  return n;
}
const nameWorldSweepMode: readonly T.WorldSweepMode[] = ['auto', 'always', 'never'];
function numberWorldSweepMode(v: T.WorldSweepMode | undefined): number {
  const n = v === undefined ? 0 : nameWorldSweepMode.indexOf(v);
  if (n < 0) throw new TypeError(`not a WorldSweepMode: ${String(v)}`);
  return n;
}
const nameWorldAnswer: readonly T.WorldAnswer[] = ['stop', 'pass', 'go'];
function numberWorldAnswer(v: T.WorldAnswer | undefined): number {
  const n = v === undefined ? 0 : nameWorldAnswer.indexOf(v);
  if (n < 0) throw new TypeError(`not a WorldAnswer: ${String(v)}`);
  return n;
}
const nameWorldEventKind: readonly T.WorldEventKind[] = ['began', 'hit', 'limit', 'stayed', 'ended', 'entered', 'left'];
function numberWorldEventKind(v: T.WorldEventKind | undefined): number {
  const n = v === undefined ? 0 : nameWorldEventKind.indexOf(v);
  if (n < 0) throw new TypeError(`not a WorldEventKind: ${String(v)}`);
  return n;
}
const nameWorldReason: readonly T.WorldReason[] = ['meet', 'stale', 'same', 'fixed', 'triggers', 'group', 'layer', 'callback', 'boxes', 'shapes'];
function numberWorldReason(v: T.WorldReason | undefined): number {
  const n = v === undefined ? 0 : nameWorldReason.indexOf(v);
  if (n < 0) throw new TypeError(`not a WorldReason: ${String(v)}`);
  return n;
}
const nameMoverFooting: readonly T.MoverFooting[] = ['air', 'steep', 'firm'];
function numberMoverFooting(v: T.MoverFooting | undefined): number {
  const n = v === undefined ? 0 : nameMoverFooting.indexOf(v);
  if (n < 0) throw new TypeError(`not a MoverFooting: ${String(v)}`);
  return n;
}
const nameFindingKind: readonly T.FindingKind[] = ['crossing', 'inside', 'identical', 'touching', 'clearance'];
function numberFindingKind(v: T.FindingKind | undefined): number {
  const n = v === undefined ? 0 : nameFindingKind.indexOf(v);
  if (n < 0) throw new TypeError(`not a FindingKind: ${String(v)}`);
  return n;
}
const nameCheckFailOn: readonly T.CheckFailOn[] = ['default', 'never', 'crossing', 'touching', 'clearance'];
function numberCheckFailOn(v: T.CheckFailOn | undefined): number {
  const n = v === undefined ? 0 : nameCheckFailOn.indexOf(v);
  if (n < 0) throw new TypeError(`not a CheckFailOn: ${String(v)}`);
  return n;
}
const nameCheckTestKind: readonly T.CheckTestKind[] = ['any', 'hard', 'touching', 'clearance', 'duplicate'];
function numberCheckTestKind(v: T.CheckTestKind | undefined): number {
  const n = v === undefined ? 0 : nameCheckTestKind.indexOf(v);
  if (n < 0) throw new TypeError(`not a CheckTestKind: ${String(v)}`);
  return n;
}
const nameCheckSeverity: readonly T.CheckSeverity[] = ['error', 'warning', 'note'];
function numberCheckSeverity(v: T.CheckSeverity | undefined): number {
  const n = v === undefined ? 0 : nameCheckSeverity.indexOf(v);
  if (n < 0) throw new TypeError(`not a CheckSeverity: ${String(v)}`);
  return n;
}
export function putMat3(m: Memory, p: number, v: T.Mat3Like): void {
  putVec3(m, p, v.x);
  putVec3(m, p + 24, v.y);
  putVec3(m, p + 48, v.z);
}
export function inMat3(m: Memory, v: T.Mat3Like): number {
  const p = m.take(72);
  putMat3(m, p, v);
  return p;
}
export function newMat3(): T.Mat3 {
  return { x: newVec3(), y: newVec3(), z: newVec3() };
}
export function getMat3(m: Memory, p: number, o: T.Mat3): T.Mat3 {
  getVec3(m, p, o.x);
  getVec3(m, p + 24, o.y);
  getVec3(m, p + 48, o.z);
  return o;
}
export function putAabb(m: Memory, p: number, v: T.AabbLike): void {
  putVec3(m, p, v.min);
  putVec3(m, p + 24, v.max);
}
export function inAabb(m: Memory, v: T.AabbLike): number {
  const p = m.take(48);
  putAabb(m, p, v);
  return p;
}
export function newAabb(): T.Aabb {
  return { min: newVec3(), max: newVec3() };
}
export function getAabb(m: Memory, p: number, o: T.Aabb): T.Aabb {
  getVec3(m, p, o.min);
  getVec3(m, p + 24, o.max);
  return o;
}
export function putSegment(m: Memory, p: number, v: T.Segment): void {
  putVec3(m, p, v.a);
  putVec3(m, p + 24, v.b);
}
export function inSegment(m: Memory, v: T.Segment): number {
  const p = m.take(48);
  putSegment(m, p, v);
  return p;
}
export function putTriangle(m: Memory, p: number, v: T.TriangleLike): void {
  putVec3(m, p, v.a);
  putVec3(m, p + 24, v.b);
  putVec3(m, p + 48, v.c);
}
export function inTriangle(m: Memory, v: T.TriangleLike): number {
  const p = m.take(72);
  putTriangle(m, p, v);
  return p;
}
export function newTriangle(): T.Triangle {
  return { a: newVec3(), b: newVec3(), c: newVec3() };
}
export function getTriangle(m: Memory, p: number, o: T.Triangle): T.Triangle {
  getVec3(m, p, o.a);
  getVec3(m, p + 24, o.b);
  getVec3(m, p + 48, o.c);
  return o;
}
export function putPlane(m: Memory, p: number, v: T.PlaneLike): void {
  putVec3(m, p, v.normal);
  m.f64[(p + 24) >> 3] = v.d;
}
export function inPlane(m: Memory, v: T.PlaneLike): number {
  const p = m.take(32);
  putPlane(m, p, v);
  return p;
}
export function newPlane(): T.Plane {
  return { normal: newVec3(), d: 0 };
}
export function getPlane(m: Memory, p: number, o: T.Plane): T.Plane {
  getVec3(m, p, o.normal);
  o.d = m.f64[(p + 24) >> 3]!;
  return o;
}
export function putMass(m: Memory, p: number, v: T.MassLike): void {
  m.f64[(p) >> 3] = v.mass;
  m.f64[(p + 8) >> 3] = v.volume;
  putVec3(m, p + 16, v.center);
  putMat3(m, p + 40, v.inertia);
}
export function inMass(m: Memory, v: T.MassLike): number {
  const p = m.take(112);
  putMass(m, p, v);
  return p;
}
export function newMass(): T.Mass {
  return { mass: 0, volume: 0, center: newVec3(), inertia: newMat3() };
}
export function getMass(m: Memory, p: number, o: T.Mass): T.Mass {
  o.mass = m.f64[(p) >> 3]!;
  o.volume = m.f64[(p + 8) >> 3]!;
  getVec3(m, p + 16, o.center);
  getMat3(m, p + 40, o.inertia);
  return o;
}
export function putMeshDesc(m: Memory, p: number, v: T.MeshDesc): void {
  m.point(p, v.points ? m.put_f64(v.points) : 0);
  m.u32[(p + 8) >> 2] = v.points ? m.count(v.points, 3, 'points') : 0;
  m.u32[(p + 4) >> 2] = 0;
  m.point(p + 12, v.indices ? m.putIndices(v.indices) : 0);
  m.i32[(p + 16) >> 2] = v.indices instanceof Uint16Array ? 2 : 4;
  m.u32[(p + 20) >> 2] = v.indices ? m.count(v.indices, 3, 'indices') : 0;
  m.f64[(p + 24) >> 3] = v.weld ?? 0;
  m.u8[p + 32] = v.solid ? 1 : 0;
  m.u8[p + 33] = v.flip ? 1 : 0;
  putVec3(m, p + 40, v.scale ?? origin);
  m.u32[(p + 64) >> 2] = m.tasks;
}
export function inMeshDesc(m: Memory, v: T.MeshDesc): number {
  const p = m.take(72);
  putMeshDesc(m, p, v);
  return p;
}
export function newMeshInfo(): T.MeshInfo {
  return { points: 0, welded: 0, triangles: 0, degenerate: 0, duplicate: 0, folded: 0, edges: 0, openEdges: 0, nonmanifoldEdges: 0, inconsistentEdges: 0, holes: 0, components: 0, closed: false, solid: false, convex: false, volume: 0, area: 0, bounds: newAabb() };
}
export function getMeshInfo(m: Memory, p: number, o: T.MeshInfo): T.MeshInfo {
  o.points = m.u32[(p) >> 2]!;
  o.welded = m.u32[(p + 4) >> 2]!;
  o.triangles = m.u32[(p + 8) >> 2]!;
  o.degenerate = m.u32[(p + 12) >> 2]!;
  o.duplicate = m.u32[(p + 16) >> 2]!;
  o.folded = m.u32[(p + 20) >> 2]!;
  o.edges = m.u32[(p + 24) >> 2]!;
  o.openEdges = m.u32[(p + 28) >> 2]!;
  o.nonmanifoldEdges = m.u32[(p + 32) >> 2]!;
  o.inconsistentEdges = m.u32[(p + 36) >> 2]!;
  o.holes = m.u32[(p + 40) >> 2]!;
  o.components = m.u32[(p + 44) >> 2]!;
  o.closed = m.u8[p + 48] !== 0;
  o.solid = m.u8[p + 49] !== 0;
  o.convex = m.u8[p + 50] !== 0;
  o.volume = m.f64[(p + 56) >> 3]!;
  o.area = m.f64[(p + 64) >> 3]!;
  getAabb(m, p + 72, o.bounds);
  return o;
}
export function putHeightFieldDesc(m: Memory, p: number, v: T.HeightFieldDesc): void {
  m.expect(v.heights, (v.columns ?? 0) * (v.rows ?? 0), 'heights');
  m.point(p, v.heights ? m.putSamples(v.heights, true) : 0);
  m.i32[(p + 4) >> 2] = v.heights instanceof Uint16Array ? 1 : v.heights instanceof Int16Array ? 2 : 0;
  m.u32[(p + 8) >> 2] = v.columns ?? 0;
  m.u32[(p + 12) >> 2] = v.rows ?? 0;
  m.u32[(p + 16) >> 2] = 0;
  m.u32[(p + 20) >> 2] = 0;
  m.f64[(p + 24) >> 3] = v.columnSpacing ?? 0;
  m.f64[(p + 32) >> 3] = v.rowSpacing ?? 0;
  m.f64[(p + 40) >> 3] = v.scale ?? 0;
  putVec3(m, p + 48, v.origin ?? origin);
  m.i32[(p + 72) >> 2] = numberGround(v.ground);
  m.u8[p + 76] = v.otherDiagonal ? 1 : 0;
  if (v.holes?.length) m.expect(v.holes, 1 * (((v.columns ?? 0)-1)*((v.rows ?? 0)-1)), 'holes');
  m.point(p + 80, v.holes?.length ? m.put_u8(v.holes) : 0);
  m.u32[(p + 84) >> 2] = 0;
}
export function inHeightFieldDesc(m: Memory, v: T.HeightFieldDesc): number {
  const p = m.take(88);
  putHeightFieldDesc(m, p, v);
  return p;
}
export function newHeightFieldInfo(): T.HeightFieldInfo {
  return { columns: 0, rows: 0, cells: 0, holes: 0, triangles: 0, bounds: newAabb() };
}
export function getHeightFieldInfo(m: Memory, p: number, o: T.HeightFieldInfo): T.HeightFieldInfo {
  o.columns = m.u32[(p) >> 2]!;
  o.rows = m.u32[(p + 4) >> 2]!;
  o.cells = m.u32[(p + 8) >> 2]!;
  o.holes = m.u32[(p + 12) >> 2]!;
  o.triangles = m.u32[(p + 16) >> 2]!;
  getAabb(m, p + 24, o.bounds);
  return o;
}
export function putHullDesc(m: Memory, p: number, v: T.HullDesc): void {
  m.point(p, v.points ? m.put_f64(v.points) : 0);
  m.u32[(p + 8) >> 2] = v.points ? m.count(v.points, 3, 'points') : 0;
  m.u32[(p + 4) >> 2] = 0;
  m.u32[(p + 12) >> 2] = v.maxVertices ?? 0;
  m.f64[(p + 16) >> 3] = v.merge ?? 0;
  putVec3(m, p + 24, v.scale ?? origin);
}
export function inHullDesc(m: Memory, v: T.HullDesc): number {
  const p = m.take(48);
  putHullDesc(m, p, v);
  return p;
}
export function newHullInfo(): T.HullInfo {
  return { dimension: 0, vertices: 0, faces: 0, edges: 0, patches: 0, loss: 0, merge: 0, volume: 0, area: 0, center: newVec3(), inertia: newMat3(), bounds: newAabb() };
}
export function getHullInfo(m: Memory, p: number, o: T.HullInfo): T.HullInfo {
  o.dimension = m.i32[(p) >> 2]!;
  o.vertices = m.u32[(p + 4) >> 2]!;
  o.faces = m.u32[(p + 8) >> 2]!;
  o.edges = m.u32[(p + 12) >> 2]!;
  o.patches = m.u32[(p + 16) >> 2]!;
  o.loss = m.f64[(p + 24) >> 3]!;
  o.merge = m.f64[(p + 32) >> 3]!;
  o.volume = m.f64[(p + 40) >> 3]!;
  o.area = m.f64[(p + 48) >> 3]!;
  getVec3(m, p + 56, o.center);
  getMat3(m, p + 80, o.inertia);
  getAabb(m, p + 152, o.bounds);
  return o;
}
export function newHullFace(): T.HullFace {
  return { first: 0, vertices: new Uint32Array(0), twins: new Uint32Array(0), normal: newVec3(), d: 0 };
}
export function getHullFace(m: Memory, p: number, o: T.HullFace): T.HullFace {
  o.first = m.u32[(p + 4) >> 2]!;
  o.vertices = m.u32.slice((m.u32[(p + 8) >> 2]! >> 2), m.u32[(p + 8) >> 2] === 0 ? 0 : (m.u32[(p + 8) >> 2]! >> 2) + (m.u32[(p) >> 2]!) * 1);
  o.twins = m.u32.slice((m.u32[(p + 12) >> 2]! >> 2), m.u32[(p + 12) >> 2] === 0 ? 0 : (m.u32[(p + 12) >> 2]! >> 2) + (m.u32[(p) >> 2]!) * 1);
  getVec3(m, p + 16, o.normal);
  o.d = m.f64[(p + 40) >> 3]!;
  return o;
}
export function putCompoundChild(m: Memory, p: number, v: T.CompoundChild): void {
  putShape(m, p, v.shape);
  putPose(m, p + 88, v.pose);
  m.putU64(p + 144, v.user);
}
export function inCompoundChild(m: Memory, v: T.CompoundChild): number {
  const p = m.take(152);
  putCompoundChild(m, p, v);
  return p;
}
export function putCompoundDesc(m: Memory, p: number, v: T.CompoundDesc): void {
  m.point(p, v.children ? m.putAll(v.children, 152, putCompoundChild) : 0);
  m.u32[(p + 4) >> 2] = v.children?.length ?? 0;
}
export function inCompoundDesc(m: Memory, v: T.CompoundDesc): number {
  const p = m.take(8);
  putCompoundDesc(m, p, v);
  return p;
}
export function newCompoundInfo(): T.CompoundInfo {
  return { children: 0, bounds: newAabb() };
}
export function getCompoundInfo(m: Memory, p: number, o: T.CompoundInfo): T.CompoundInfo {
  o.children = m.u32[(p) >> 2]!;
  getAabb(m, p + 8, o.bounds);
  return o;
}
export function putTessellateDesc(m: Memory, p: number, v: T.TessellateDesc): void {
  m.i32[(p) >> 2] = v.segments ?? 0;
  m.f64[(p + 8) >> 3] = v.extent ?? 0;
}
export function inTessellateDesc(m: Memory, v: T.TessellateDesc): number {
  const p = m.take(16);
  putTessellateDesc(m, p, v);
  return p;
}
export function newTessellation(): T.Tessellation {
  return { points: new Float64Array(0), indices: new Uint32Array(0), triangleCount: 0 };
}
export function getTessellation(m: Memory, p: number, o: T.Tessellation): T.Tessellation {
  o.points = m.f64.slice((m.u32[(p) >> 2]! >> 3), m.u32[(p) >> 2] === 0 ? 0 : (m.u32[(p) >> 2]! >> 3) + (m.u32[(p + 8) >> 2]!) * 3);
  o.indices = m.u32.slice((m.u32[(p + 4) >> 2]! >> 2), m.u32[(p + 4) >> 2] === 0 ? 0 : (m.u32[(p + 4) >> 2]! >> 2) + (3*m.u32[(p + 12) >> 2]!) * 1);
  o.triangleCount = m.u32[(p + 12) >> 2]!;
  return o;
}
export function newWitness(): T.Witness {
  return { pointA: newVec3(), pointB: newVec3(), normal: newVec3(), distance: 0, partA: 0, partB: 0, flags: 0 };
}
export function getWitness(m: Memory, p: number, o: T.Witness): T.Witness {
  getVec3(m, p, o.pointA);
  getVec3(m, p + 24, o.pointB);
  getVec3(m, p + 48, o.normal);
  o.distance = m.f64[(p + 72) >> 3]!;
  o.partA = m.u32[(p + 80) >> 2]!;
  o.partB = m.u32[(p + 84) >> 2]!;
  o.flags = m.u32[(p + 88) >> 2]!;
  return o;
}
export function putContactPoint(m: Memory, p: number, v: T.ContactPointLike): void {
  putVec3(m, p, v.pointA);
  putVec3(m, p + 24, v.pointB);
  m.f64[(p + 48) >> 3] = v.depth;
  m.u32[(p + 56) >> 2] = v.featureA;
  m.u32[(p + 60) >> 2] = v.featureB;
}
export function inContactPoint(m: Memory, v: T.ContactPointLike): number {
  const p = m.take(64);
  putContactPoint(m, p, v);
  return p;
}
export function newContactPoint(): T.ContactPoint {
  return { pointA: newVec3(), pointB: newVec3(), depth: 0, featureA: 0, featureB: 0 };
}
export function getContactPoint(m: Memory, p: number, o: T.ContactPoint): T.ContactPoint {
  getVec3(m, p, o.pointA);
  getVec3(m, p + 24, o.pointB);
  o.depth = m.f64[(p + 48) >> 3]!;
  o.featureA = m.u32[(p + 56) >> 2]!;
  o.featureB = m.u32[(p + 60) >> 2]!;
  return o;
}
export function putManifold(m: Memory, p: number, v: T.ManifoldLike): void {
  putVec3(m, p, v.normal);
  m.u32[(p + 24) >> 2] = v.partA;
  m.u32[(p + 28) >> 2] = v.partB;
  m.u32[(p + 32) >> 2] = Math.min(v.points.length, 8);
  for (let i = 0; i < v.points.length && i < 8; i++) putContactPoint(m, p + 40 + 64 * i, v.points[i]!);
}
export function inManifold(m: Memory, v: T.ManifoldLike): number {
  const p = m.take(552);
  putManifold(m, p, v);
  return p;
}
export function newManifold(): T.Manifold {
  return { normal: newVec3(), partA: 0, partB: 0, points: [] };
}
export function getManifold(m: Memory, p: number, o: T.Manifold): T.Manifold {
  getVec3(m, p, o.normal);
  o.partA = m.u32[(p + 24) >> 2]!;
  o.partB = m.u32[(p + 28) >> 2]!;
  fill(m, p + 40, m.i32[(p + 32) >> 2]!, 64, getContactPoint, newContactPoint, o.points);
  return o;
}
export function putPairCache(m: Memory, p: number, v: T.PairCacheLike): void {
  putVec3(m, p, v.normal);
  m.u32[(p + 24) >> 2] = v.count;
  m.u32[(p + 28) >> 2] = v.idA[0] ?? 0;
  m.u32[(p + 32) >> 2] = v.idA[1] ?? 0;
  m.u32[(p + 36) >> 2] = v.idA[2] ?? 0;
  m.u32[(p + 40) >> 2] = v.idB[0] ?? 0;
  m.u32[(p + 44) >> 2] = v.idB[1] ?? 0;
  m.u32[(p + 48) >> 2] = v.idB[2] ?? 0;
}
export function inPairCache(m: Memory, v: T.PairCacheLike): number {
  const p = m.take(56);
  putPairCache(m, p, v);
  return p;
}
export function newPairCache(): T.PairCache {
  return { normal: newVec3(), count: 0, idA: [0, 0, 0], idB: [0, 0, 0] };
}
export function getPairCache(m: Memory, p: number, o: T.PairCache): T.PairCache {
  getVec3(m, p, o.normal);
  o.count = m.u32[(p + 24) >> 2]!;
  o.idA[0] = m.u32[(p + 28) >> 2]!;
  o.idA[1] = m.u32[(p + 32) >> 2]!;
  o.idA[2] = m.u32[(p + 36) >> 2]!;
  o.idB[0] = m.u32[(p + 40) >> 2]!;
  o.idB[1] = m.u32[(p + 44) >> 2]!;
  o.idB[2] = m.u32[(p + 48) >> 2]!;
  return o;
}
export function newCrossing(): T.Crossing {
  return { triangleA: 0, triangleB: 0, start: newVec3(), end: newVec3(), coplanar: false };
}
export function getCrossing(m: Memory, p: number, o: T.Crossing): T.Crossing {
  o.triangleA = m.u32[(p) >> 2]!;
  o.triangleB = m.u32[(p + 4) >> 2]!;
  getVec3(m, p + 8, o.start);
  getVec3(m, p + 32, o.end);
  o.coplanar = m.u8[p + 56] !== 0;
  return o;
}
export function putRelationResult(m: Memory, p: number, v: T.RelationResultLike): void {
  m.i32[(p) >> 2] = numberRelation(v.relation);
  m.f64[(p + 8) >> 3] = v.tolerance;
  m.f64[(p + 16) >> 3] = v.distance;
  putVec3(m, p + 24, v.pointA);
  putVec3(m, p + 48, v.pointB);
  m.u32[(p + 72) >> 2] = v.triangleA;
  m.u32[(p + 76) >> 2] = v.triangleB;
  m.putU64(p + 80, v.crossings);
  m.u8[p + 88] = v.surfaceA ? 1 : 0;
  m.u8[p + 89] = v.surfaceB ? 1 : 0;
  m.u8[p + 90] = v.thinA ? 1 : 0;
  m.u8[p + 91] = v.thinB ? 1 : 0;
}
export function inRelationResult(m: Memory, v: T.RelationResultLike): number {
  const p = m.take(96);
  putRelationResult(m, p, v);
  return p;
}
export function newRelationResult(): T.RelationResult {
  return { relation: 'none', tolerance: 0, distance: 0, pointA: newVec3(), pointB: newVec3(), triangleA: 0, triangleB: 0, crossings: 0, surfaceA: false, surfaceB: false, thinA: false, thinB: false };
}
export function getRelationResult(m: Memory, p: number, o: T.RelationResult): T.RelationResult {
  o.relation = nameRelation[m.i32[(p) >> 2]!]!;
  o.tolerance = m.f64[(p + 8) >> 3]!;
  o.distance = m.f64[(p + 16) >> 3]!;
  getVec3(m, p + 24, o.pointA);
  getVec3(m, p + 48, o.pointB);
  o.triangleA = m.u32[(p + 72) >> 2]!;
  o.triangleB = m.u32[(p + 76) >> 2]!;
  o.crossings = m.getU64(p + 80);
  o.surfaceA = m.u8[p + 88] !== 0;
  o.surfaceB = m.u8[p + 89] !== 0;
  o.thinA = m.u8[p + 90] !== 0;
  o.thinB = m.u8[p + 91] !== 0;
  return o;
}
export function putInterference(m: Memory, p: number, v: T.InterferenceLike): void {
  m.f64[(p) >> 3] = v.volume;
  m.f64[(p + 8) >> 3] = v.error;
  putVec3(m, p + 16, v.center);
  putAabb(m, p + 40, v.bounds);
}
export function inInterference(m: Memory, v: T.InterferenceLike): number {
  const p = m.take(88);
  putInterference(m, p, v);
  return p;
}
export function newInterference(): T.Interference {
  return { volume: 0, error: 0, center: newVec3(), bounds: newAabb() };
}
export function getInterference(m: Memory, p: number, o: T.Interference): T.Interference {
  o.volume = m.f64[(p) >> 3]!;
  o.error = m.f64[(p + 8) >> 3]!;
  getVec3(m, p + 16, o.center);
  getAabb(m, p + 40, o.bounds);
  return o;
}
export function newStepVertex(): T.StepVertex {
  return { a: newVec3(), b: newVec3() };
}
export function getStepVertex(m: Memory, p: number, o: T.StepVertex): T.StepVertex {
  getVec3(m, p, o.a);
  getVec3(m, p + 24, o.b);
  return o;
}
export function newStep(): T.Step {
  return { kind: 'ownMethod', search: 0, index: 0, exact: false, lower: 0, upper: 0, direction: newVec3(), support: newStepVertex(), closest: newVec3(), vertices: new Float64Array(0), faceCount: 0, faces: new Uint32Array(0), face: 0, referenceIsA: false, side: 0, reference: new Float64Array(0), polygon: new Float64Array(0), contacts: [] };
}
export function getStep(m: Memory, p: number, o: T.Step): T.Step {
  o.kind = nameStepKind[m.i32[(p) >> 2]!]!;
  o.search = m.u32[(p + 4) >> 2]!;
  o.index = m.u32[(p + 8) >> 2]!;
  o.exact = m.u8[p + 12] !== 0;
  o.lower = m.f64[(p + 16) >> 3]!;
  o.upper = m.f64[(p + 24) >> 3]!;
  getVec3(m, p + 32, o.direction);
  getStepVertex(m, p + 56, o.support);
  getVec3(m, p + 104, o.closest);
  o.vertices = m.f64.slice((m.u32[(p + 132) >> 2]! >> 3), m.u32[(p + 132) >> 2] === 0 ? 0 : (m.u32[(p + 132) >> 2]! >> 3) + (m.i32[(p + 128) >> 2]!) * 6);
  o.faceCount = m.i32[(p + 136) >> 2]!;
  o.faces = m.u32.slice((m.u32[(p + 140) >> 2]! >> 2), m.u32[(p + 140) >> 2] === 0 ? 0 : (m.u32[(p + 140) >> 2]! >> 2) + (3*m.i32[(p + 136) >> 2]!) * 1);
  o.face = m.u32[(p + 144) >> 2]!;
  o.referenceIsA = m.u8[p + 148] !== 0;
  o.side = m.u32[(p + 152) >> 2]!;
  o.reference = m.f64.slice((m.u32[(p + 160) >> 2]! >> 3), m.u32[(p + 160) >> 2] === 0 ? 0 : (m.u32[(p + 160) >> 2]! >> 3) + (m.i32[(p + 156) >> 2]!) * 3);
  o.polygon = m.f64.slice((m.u32[(p + 168) >> 2]! >> 3), m.u32[(p + 168) >> 2] === 0 ? 0 : (m.u32[(p + 168) >> 2]! >> 3) + (m.i32[(p + 164) >> 2]!) * 3);
  fill(m, m.u32[(p + 176) >> 2]!, m.u32[(p + 176) >> 2] === 0 ? 0 : m.i32[(p + 172) >> 2]!, 64, getContactPoint, newContactPoint, o.contacts);
  return o;
}
export function putRay(m: Memory, p: number, v: T.RayLike): void {
  putVec3(m, p, v.origin);
  putVec3(m, p + 24, v.direction);
  m.f64[(p + 48) >> 3] = v.max ?? Infinity;
}
export function inRay(m: Memory, v: T.RayLike): number {
  const p = m.take(56);
  putRay(m, p, v);
  return p;
}
export function newRay(): T.Ray {
  return { origin: newVec3(), direction: newVec3(), max: 0 };
}
export function getRay(m: Memory, p: number, o: T.Ray): T.Ray {
  getVec3(m, p, o.origin);
  getVec3(m, p + 24, o.direction);
  o.max = m.f64[(p + 48) >> 3]!;
  return o;
}
export function newRayHit(): T.RayHit {
  return { t: 0, exit: 0, point: newVec3(), normal: newVec3(), inside: false, part: 0 };
}
export function getRayHit(m: Memory, p: number, o: T.RayHit): T.RayHit {
  o.t = m.f64[(p) >> 3]!;
  o.exit = m.f64[(p + 8) >> 3]!;
  getVec3(m, p + 16, o.point);
  getVec3(m, p + 40, o.normal);
  o.inside = m.u8[p + 64] !== 0;
  o.part = m.u32[(p + 68) >> 2]!;
  return o;
}
export function putMotion(m: Memory, p: number, v: T.MotionLike): void {
  putPose(m, p, v.start);
  putVec3(m, p + 56, v.move ?? origin);
  putVec3(m, p + 80, v.spin ?? origin);
  putVec3(m, p + 104, v.pivot ?? origin);
  putVec3(m, p + 128, v.accelerate ?? origin);
}
export function inMotion(m: Memory, v: T.MotionLike): number {
  const p = m.take(152);
  putMotion(m, p, v);
  return p;
}
export function newMotion(): T.Motion {
  return { start: newPose(), move: newVec3(), spin: newVec3(), pivot: newVec3(), accelerate: newVec3() };
}
export function getMotion(m: Memory, p: number, o: T.Motion): T.Motion {
  getPose(m, p, o.start);
  getVec3(m, p + 56, o.move);
  getVec3(m, p + 80, o.spin);
  getVec3(m, p + 104, o.pivot);
  getVec3(m, p + 128, o.accelerate);
  return o;
}
export function putInterval(m: Memory, p: number, v: T.IntervalLike): void {
  m.f64[(p) >> 3] = v.first;
  m.f64[(p + 8) >> 3] = v.last;
}
export function inInterval(m: Memory, v: T.IntervalLike): number {
  const p = m.take(16);
  putInterval(m, p, v);
  return p;
}
export function newInterval(): T.Interval {
  return { first: 0, last: 0 };
}
export function getInterval(m: Memory, p: number, o: T.Interval): T.Interval {
  o.first = m.f64[(p) >> 3]!;
  o.last = m.f64[(p + 8) >> 3]!;
  return o;
}
export function newSweepHit(): T.SweepHit {
  return { first: 0, last: 0, point: newVec3(), normal: newVec3(), start: 'separated', blocking: false, partA: 0, partB: 0, proof: 'contact', freeUntil: 0 };
}
export function getSweepHit(m: Memory, p: number, o: T.SweepHit): T.SweepHit {
  o.first = m.f64[(p) >> 3]!;
  o.last = m.f64[(p + 8) >> 3]!;
  getVec3(m, p + 16, o.point);
  getVec3(m, p + 40, o.normal);
  o.start = nameSweepStart[m.i32[(p + 64) >> 2]!]!;
  o.blocking = m.u8[p + 68] !== 0;
  o.partA = m.u32[(p + 72) >> 2]!;
  o.partB = m.u32[(p + 76) >> 2]!;
  o.proof = nameSweepProof[m.i32[(p + 80) >> 2]!]!;
  o.freeUntil = m.f64[(p + 88) >> 3]!;
  return o;
}
export function putPath(m: Memory, p: number, v: T.Path): void {
  putVec3(m, p, v.start);
  putVec3(m, p + 24, v.end);
}
export function inPath(m: Memory, v: T.Path): number {
  const p = m.take(48);
  putPath(m, p, v);
  return p;
}
export function newPathHit(): T.PathHit {
  return { u: 0, distance: 0, pointA: newVec3(), pointB: newVec3(), normal: newVec3(), weightA: [0, 0, 0], weightB: [0, 0, 0] };
}
export function getPathHit(m: Memory, p: number, o: T.PathHit): T.PathHit {
  o.u = m.f64[(p) >> 3]!;
  o.distance = m.f64[(p + 8) >> 3]!;
  getVec3(m, p + 16, o.pointA);
  getVec3(m, p + 40, o.pointB);
  getVec3(m, p + 64, o.normal);
  o.weightA[0] = m.f64[(p + 88) >> 3]!;
  o.weightA[1] = m.f64[(p + 96) >> 3]!;
  o.weightA[2] = m.f64[(p + 104) >> 3]!;
  o.weightB[0] = m.f64[(p + 112) >> 3]!;
  o.weightB[1] = m.f64[(p + 120) >> 3]!;
  o.weightB[2] = m.f64[(p + 128) >> 3]!;
  return o;
}
export function newFeatureGap(): T.FeatureGap {
  return { distance: 0, pointA: newVec3(), pointB: newVec3(), normal: newVec3(), weightA: [0, 0, 0], weightB: [0, 0, 0], gradientA: [newVec3(), newVec3(), newVec3()], gradientB: [newVec3(), newVec3(), newVec3()] };
}
export function getFeatureGap(m: Memory, p: number, o: T.FeatureGap): T.FeatureGap {
  o.distance = m.f64[(p) >> 3]!;
  getVec3(m, p + 8, o.pointA);
  getVec3(m, p + 32, o.pointB);
  getVec3(m, p + 56, o.normal);
  o.weightA[0] = m.f64[(p + 80) >> 3]!;
  o.weightA[1] = m.f64[(p + 88) >> 3]!;
  o.weightA[2] = m.f64[(p + 96) >> 3]!;
  o.weightB[0] = m.f64[(p + 104) >> 3]!;
  o.weightB[1] = m.f64[(p + 112) >> 3]!;
  o.weightB[2] = m.f64[(p + 120) >> 3]!;
  o.gradientA[0] = getVec3(m, p + 128, o.gradientA[0]!);
  o.gradientA[1] = getVec3(m, p + 152, o.gradientA[1]!);
  o.gradientA[2] = getVec3(m, p + 176, o.gradientA[2]!);
  o.gradientB[0] = getVec3(m, p + 200, o.gradientB[0]!);
  o.gradientB[1] = getVec3(m, p + 224, o.gradientB[1]!);
  o.gradientB[2] = getVec3(m, p + 248, o.gradientB[2]!);
  return o;
}
export function putMovingMesh(m: Memory, p: number, v: T.MovingMesh): void {
  m.point(p, v.mesh ?? 0);
  if (v.start?.length) m.expect(v.start, 3 * (m.call('cmd_mesh_point_count', v.mesh ?? 0)), 'start');
  m.point(p + 4, v.start?.length ? m.put_f64(v.start) : 0);
  if (v.end?.length) m.expect(v.end, 3 * (m.call('cmd_mesh_point_count', v.mesh ?? 0)), 'end');
  m.point(p + 8, v.end?.length ? m.put_f64(v.end) : 0);
}
export function inMovingMesh(m: Memory, v: T.MovingMesh): number {
  const p = m.take(12);
  putMovingMesh(m, p, v);
  return p;
}
export function newPathContact(): T.PathContact {
  return { features: 'pointTriangle', verdict: 'free', a: [0, 0, 0], b: [0, 0, 0], hit: newPathHit() };
}
export function getPathContact(m: Memory, p: number, o: T.PathContact): T.PathContact {
  o.features = namePathFeatures[m.i32[(p) >> 2]!]!;
  o.verdict = namePathVerdict[m.i32[(p + 4) >> 2]!]!;
  o.a[0] = m.u32[(p + 8) >> 2]!;
  o.a[1] = m.u32[(p + 12) >> 2]!;
  o.a[2] = m.u32[(p + 16) >> 2]!;
  o.b[0] = m.u32[(p + 20) >> 2]!;
  o.b[1] = m.u32[(p + 24) >> 2]!;
  o.b[2] = m.u32[(p + 28) >> 2]!;
  getPathHit(m, p + 32, o.hit);
  return o;
}
export function putMeshSweepDesc(m: Memory, p: number, v: T.MeshSweepDesc): void {
  if (v.mesh) putMovingMesh(m, p, v.mesh);
  else m.zero(p, 12);
  if (v.other) putMovingMesh(m, p + 12, v.other);
  else m.zero(p + 12, 12);
  m.point(p + 24, v.shape ? inShape(m, v.shape) : 0);
  if (v.shapeMotion) putMotion(m, p + 32, v.shapeMotion);
  else m.zero(p + 32, 152);
  m.f64[(p + 184) >> 3] = v.separation ?? 0;
  m.f64[(p + 192) >> 3] = v.tolerance ?? 0;
  m.u32[(p + 200) >> 2] = m.tasks;
  m.point(p + 208, v.visit ? m.callback((p0: number) => { const p0_ = getPathContact(m, p0, newPathContact()); const r = v.visit!(p0_); m.fresh();  return r ? 1 : 0; }, false) : 0);
  m.point(p + 204, v.visit ? m.trampoline('ii_i') : 0);
}
export function inMeshSweepDesc(m: Memory, v: T.MeshSweepDesc): number {
  const p = m.take(216);
  putMeshSweepDesc(m, p, v);
  return p;
}
export function putSphere(m: Memory, p: number, v: T.SphereLike): void {
  putVec3(m, p, v.center);
  m.f64[(p + 24) >> 3] = v.radius;
}
export function inSphere(m: Memory, v: T.SphereLike): number {
  const p = m.take(32);
  putSphere(m, p, v);
  return p;
}
export function newSphere(): T.Sphere {
  return { center: newVec3(), radius: 0 };
}
export function getSphere(m: Memory, p: number, o: T.Sphere): T.Sphere {
  getVec3(m, p, o.center);
  o.radius = m.f64[(p + 24) >> 3]!;
  return o;
}
export function putCapsule(m: Memory, p: number, v: T.CapsuleLike): void {
  putVec3(m, p, v.a);
  putVec3(m, p + 24, v.b);
  m.f64[(p + 48) >> 3] = v.radius;
}
export function inCapsule(m: Memory, v: T.CapsuleLike): number {
  const p = m.take(56);
  putCapsule(m, p, v);
  return p;
}
export function newCapsule(): T.Capsule {
  return { a: newVec3(), b: newVec3(), radius: 0 };
}
export function getCapsule(m: Memory, p: number, o: T.Capsule): T.Capsule {
  getVec3(m, p, o.a);
  getVec3(m, p + 24, o.b);
  o.radius = m.f64[(p + 48) >> 3]!;
  return o;
}
export function putObb(m: Memory, p: number, v: T.ObbLike): void {
  putVec3(m, p, v.center);
  putVec3(m, p + 24, v.half);
  putQuat(m, p + 48, v.rotation);
}
export function inObb(m: Memory, v: T.ObbLike): number {
  const p = m.take(80);
  putObb(m, p, v);
  return p;
}
export function newObb(): T.Obb {
  return { center: newVec3(), half: newVec3(), rotation: newQuat() };
}
export function getObb(m: Memory, p: number, o: T.Obb): T.Obb {
  getVec3(m, p, o.center);
  getVec3(m, p + 24, o.half);
  getQuat(m, p + 48, o.rotation);
  return o;
}
export function putFrustum(m: Memory, p: number, v: T.FrustumLike): void {
  putPlane(m, p, v.planes[0]!);
  putPlane(m, p + 32, v.planes[1]!);
  putPlane(m, p + 64, v.planes[2]!);
  putPlane(m, p + 96, v.planes[3]!);
  putPlane(m, p + 128, v.planes[4]!);
  putPlane(m, p + 160, v.planes[5]!);
}
export function inFrustum(m: Memory, v: T.FrustumLike): number {
  const p = m.take(192);
  putFrustum(m, p, v);
  return p;
}
export function newFrustum(): T.Frustum {
  return { planes: [newPlane(), newPlane(), newPlane(), newPlane(), newPlane(), newPlane()] };
}
export function getFrustum(m: Memory, p: number, o: T.Frustum): T.Frustum {
  o.planes[0] = getPlane(m, p, o.planes[0]!);
  o.planes[1] = getPlane(m, p + 32, o.planes[1]!);
  o.planes[2] = getPlane(m, p + 64, o.planes[2]!);
  o.planes[3] = getPlane(m, p + 96, o.planes[3]!);
  o.planes[4] = getPlane(m, p + 128, o.planes[4]!);
  o.planes[5] = getPlane(m, p + 160, o.planes[5]!);
  return o;
}
export function putPoints(m: Memory, p: number, v: T.Points): void {
  m.point(p, v.data ? m.put_f64(v.data) : 0);
  m.u32[(p + 8) >> 2] = v.data ? m.count(v.data, 3, 'data') : 0;
  m.u32[(p + 4) >> 2] = 0;
}
export function inPoints(m: Memory, v: T.Points): number {
  const p = m.take(12);
  putPoints(m, p, v);
  return p;
}
export function putBroadDesc(m: Memory, p: number, v: T.BroadDesc): void {
  m.i32[(p) >> 2] = numberBroadKind(v.kind);
  m.u32[(p + 4) >> 2] = 0;
  m.u32[(p + 8) >> 2] = m.tasks;
  m.u32[(p + 12) >> 2] = v.capacity ?? 0;
  m.u32[(p + 16) >> 2] = v.limit ?? 0;
  m.u8[p + 20] = v.changes ? 1 : 0;
  m.f64[(p + 24) >> 3] = v.cell ?? 0;
  m.u32[(p + 32) >> 2] = v.split ?? 0;
  m.u32[(p + 36) >> 2] = v.levels ?? 0;
  m.f64[(p + 40) >> 3] = v.loose ?? 0;
  m.u8[p + 48] = v.clipped ? 1 : 0;
  m.i32[(p + 52) >> 2] = v.plane ?? 0;
  m.u32[(p + 56) >> 2] = v.pairLimit ?? 0;
}
export function inBroadDesc(m: Memory, v: T.BroadDesc): number {
  const p = m.take(64);
  putBroadDesc(m, p, v);
  return p;
}
export function putBroadObjectDesc(m: Memory, p: number, v: T.BroadObjectDescLike): void {
  putAabb(m, p, v.box ?? { min: origin, max: origin });
  m.u32[(p + 48) >> 2] = v.layer ?? 0;
  m.u32[(p + 52) >> 2] = v.mask ?? 0;
  m.putU64(p + 56, v.user ?? 0);
  m.u8[p + 64] = v.fixed ? 1 : 0;
}
export function inBroadObjectDesc(m: Memory, v: T.BroadObjectDescLike): number {
  const p = m.take(72);
  putBroadObjectDesc(m, p, v);
  return p;
}
export function newBroadObjectDesc(): T.BroadObjectDesc {
  return { box: newAabb(), layer: 0, mask: 0, user: 0, fixed: false };
}
export function getBroadObjectDesc(m: Memory, p: number, o: T.BroadObjectDesc): T.BroadObjectDesc {
  getAabb(m, p, o.box);
  o.layer = m.u32[(p + 48) >> 2]!;
  o.mask = m.u32[(p + 52) >> 2]!;
  o.user = m.getU64(p + 56);
  o.fixed = m.u8[p + 64] !== 0;
  return o;
}
export function putBroadPair(m: Memory, p: number, v: T.BroadPairLike): void {
  m.u32[(p) >> 2] = v.a;
  m.u32[(p + 4) >> 2] = v.b;
}
export function inBroadPair(m: Memory, v: T.BroadPairLike): number {
  const p = m.take(8);
  putBroadPair(m, p, v);
  return p;
}
export function newBroadPair(): T.BroadPair {
  return { a: 0, b: 0 };
}
export function getBroadPair(m: Memory, p: number, o: T.BroadPair): T.BroadPair {
  o.a = m.u32[(p) >> 2]!;
  o.b = m.u32[(p + 4) >> 2]!;
  return o;
}
export function newBroadPairView(): T.BroadPairView {
  return { pairs: new Uint32Array(0) };
}
export function getBroadPairView(m: Memory, p: number, o: T.BroadPairView): T.BroadPairView {
  o.pairs = m.u32.slice((m.u32[(p) >> 2]! >> 2), m.u32[(p) >> 2] === 0 ? 0 : (m.u32[(p) >> 2]! >> 2) + (m.u32[(p + 4) >> 2]!) * 2);
  return o;
}
export function newBroadChanges(): T.BroadChanges {
  return { began: newBroadPairView(), ended: newBroadPairView() };
}
export function getBroadChanges(m: Memory, p: number, o: T.BroadChanges): T.BroadChanges {
  getBroadPairView(m, p, o.began);
  getBroadPairView(m, p + 8, o.ended);
  return o;
}
export function newBroadPairList(): T.BroadPairList {
  return { pairs: new Uint32Array(0) };
}
export function getBroadPairList(m: Memory, p: number, o: T.BroadPairList): T.BroadPairList {
  o.pairs = m.u32.slice((m.u32[(p) >> 2]! >> 2), m.u32[(p) >> 2] === 0 ? 0 : (m.u32[(p) >> 2]! >> 2) + (m.u32[(p + 4) >> 2]!) * 2);
  return o;
}
export function putBroadPairsDesc(m: Memory, p: number, v: T.BroadPairsDesc): void {
  m.i32[(p) >> 2] = numberBroadKind(v.kind);
  m.u32[(p + 4) >> 2] = 0;
  m.u32[(p + 8) >> 2] = m.tasks;
  m.u32[(p + 12) >> 2] = 0;
  m.i32[(p + 16) >> 2] = v.flags ?? 0;
}
export function inBroadPairsDesc(m: Memory, v: T.BroadPairsDesc): number {
  const p = m.take(20);
  putBroadPairsDesc(m, p, v);
  return p;
}
export function newBroadStats(): T.BroadStats {
  return { kind: 'auto', objects: 0, fixed: 0, unbounded: 0, nodes: 0, depth: 0, tests: 0, pairs: 0, bytes: 0 };
}
export function getBroadStats(m: Memory, p: number, o: T.BroadStats): T.BroadStats {
  o.kind = nameBroadKind[m.i32[(p) >> 2]!]!;
  o.objects = m.u32[(p + 4) >> 2]!;
  o.fixed = m.u32[(p + 8) >> 2]!;
  o.unbounded = m.u32[(p + 12) >> 2]!;
  o.nodes = m.u32[(p + 16) >> 2]!;
  o.depth = m.u32[(p + 20) >> 2]!;
  o.tests = m.getU64(p + 24);
  o.pairs = m.getU64(p + 32);
  o.bytes = m.u32[(p + 40) >> 2]!;
  return o;
}
export function putBatch(m: Memory, p: number, v: T.Batch): void {
  m.point(p, v.shapes ? m.putAll(v.shapes, 88, putShape) : 0);
  m.u32[(p + 8) >> 2] = v.shapes?.length ?? 0;
  m.u32[(p + 4) >> 2] = 0;
  m.u32[(p + 32) >> 2] = 4294967295;
  m.point(p + 12, v.shapeOf ? m.put_u32(v.shapeOf) : 0);
  if (v.shapeOf) m.agree(p + 32, m.count(v.shapeOf, 1, 'shapeOf'), 'shapeOf');
  m.point(p + 16, v.poses ? m.put_f64(v.poses) : 0);
  if (v.poses) m.agree(p + 32, m.count(v.poses, 7, 'poses'), 'poses');
  m.u32[(p + 20) >> 2] = 0;
  m.point(p + 24, v.motions ? m.put_f64(v.motions) : 0);
  if (v.motions) m.agree(p + 32, m.count(v.motions, 19, 'motions'), 'motions');
  if (m.u32[(p + 32) >> 2] === 4294967295) m.u32[(p + 32) >> 2] = 0;
  m.u32[(p + 28) >> 2] = 0;
  m.point(p + 36, v.pairs ? m.put_u32(v.pairs) : 0);
  m.u32[(p + 40) >> 2] = v.pairs ? m.count(v.pairs, 2, 'pairs') : 0;
  m.u32[(p + 44) >> 2] = v.one ?? 0;
  m.u32[(p + 48) >> 2] = m.tasks;
}
export function inBatch(m: Memory, v: T.Batch): number {
  const p = m.take(52);
  putBatch(m, p, v);
  return p;
}
export function putWorldDesc(m: Memory, p: number, v: T.WorldDesc): void {
  m.i32[(p) >> 2] = numberBroadKind(v.kind);
  m.u32[(p + 4) >> 2] = 0;
  m.u32[(p + 8) >> 2] = m.tasks;
  m.u32[(p + 12) >> 2] = v.capacity ?? 0;
  m.u32[(p + 16) >> 2] = v.limit ?? 0;
  m.u32[(p + 20) >> 2] = v.pairLimit ?? 0;
  m.u32[(p + 24) >> 2] = v.byteLimit ?? 0;
  m.u32[(p + 28) >> 2] = v.sweepLimit ?? 0;
  m.f64[(p + 32) >> 3] = v.margin ?? 0;
  m.point(p + 44, v.meet ? m.callback((p0: number, p1: number, p2: number) => {  const r = v.meet!(p0, p1 >>> 0, p2 >>> 0); m.fresh();  return r ? 1 : 0; }, true) : 0);
  m.point(p + 40, v.meet ? m.trampoline('iiii_i') : 0);
}
export function inWorldDesc(m: Memory, v: T.WorldDesc): number {
  const p = m.take(48);
  putWorldDesc(m, p, v);
  return p;
}
export function putWorldObjectDesc(m: Memory, p: number, v: T.WorldObjectDescLike): void {
  if (v.shape) putShape(m, p, v.shape);
  else m.zero(p, 88);
  putPose(m, p + 88, v.pose);
  m.u8[p + 144] = v.fixed ? 1 : 0;
  m.u8[p + 145] = v.trigger ? 1 : 0;
  m.u32[(p + 148) >> 2] = v.layer ?? 0;
  m.u32[(p + 152) >> 2] = v.mask ?? 0;
  m.u8[p + 156] = v.exact ? 1 : 0;
  m.i32[(p + 160) >> 2] = v.group ?? 0;
  m.putU64(p + 168, v.user ?? 0);
  m.i32[(p + 176) >> 2] = numberWorldSweepMode(v.sweep);
}
export function inWorldObjectDesc(m: Memory, v: T.WorldObjectDescLike): number {
  const p = m.take(184);
  putWorldObjectDesc(m, p, v);
  return p;
}
export function newWorldObjectDesc(): T.WorldObjectDesc {
  return { shape: newShape(), pose: newPose(), fixed: false, trigger: false, layer: 0, mask: 0, exact: false, group: 0, user: 0, sweep: 'auto' };
}
export function getWorldObjectDesc(m: Memory, p: number, o: T.WorldObjectDesc): T.WorldObjectDesc {
  o.shape = getShape(m, p, o.shape);
  getPose(m, p + 88, o.pose);
  o.fixed = m.u8[p + 144] !== 0;
  o.trigger = m.u8[p + 145] !== 0;
  o.layer = m.u32[(p + 148) >> 2]!;
  o.mask = m.u32[(p + 152) >> 2]!;
  o.exact = m.u8[p + 156] !== 0;
  o.group = m.i32[(p + 160) >> 2]!;
  o.user = m.getU64(p + 168);
  o.sweep = nameWorldSweepMode[m.i32[(p + 176) >> 2]!]!;
  return o;
}
export function newWorldHit(): T.WorldHit {
  return { a: 0, b: 0, userA: 0, userB: 0, u: 0, point: newVec3(), normal: newVec3(), partA: 0, partB: 0, start: 'separated', countA: 0, countB: 0 };
}
export function getWorldHit(m: Memory, p: number, o: T.WorldHit): T.WorldHit {
  o.a = m.u32[(p) >> 2]!;
  o.b = m.u32[(p + 4) >> 2]!;
  o.userA = m.getU64(p + 8);
  o.userB = m.getU64(p + 16);
  o.u = m.f64[(p + 24) >> 3]!;
  getVec3(m, p + 32, o.point);
  getVec3(m, p + 56, o.normal);
  o.partA = m.u32[(p + 80) >> 2]!;
  o.partB = m.u32[(p + 84) >> 2]!;
  o.start = nameSweepStart[m.i32[(p + 88) >> 2]!]!;
  o.countA = m.i32[(p + 92) >> 2]!;
  o.countB = m.i32[(p + 96) >> 2]!;
  return o;
}
export function putWorldStep(m: Memory, p: number, v: T.WorldStep): void {
  m.point(p + 4, v.hit ? m.callback((p0: number, p1: number, p2: number, p3: number) => { const p1_ = getWorldHit(m, p1, newWorldHit()); const p2_ = getMotion(m, p2, newMotion()); const p3_ = getMotion(m, p3, newMotion()); const r = v.hit!(p0, p1_, p2_, p3_); m.fresh(); putMotion(m, p2, p2_); putMotion(m, p3, p3_); return numberWorldAnswer(r); }, false) : 0);
  m.point(p, v.hit ? m.trampoline('iiiii_i') : 0);
}
export function inWorldStep(m: Memory, v: T.WorldStep): number {
  const p = m.take(8);
  putWorldStep(m, p, v);
  return p;
}
export function newWorldEvent(): T.WorldEvent {
  return { kind: 'began', a: 0, b: 0, userA: 0, userB: 0, u: 0, manifolds: [] };
}
export function getWorldEvent(m: Memory, p: number, o: T.WorldEvent): T.WorldEvent {
  o.kind = nameWorldEventKind[m.i32[(p) >> 2]!]!;
  o.a = m.u32[(p + 4) >> 2]!;
  o.b = m.u32[(p + 8) >> 2]!;
  o.userA = m.getU64(p + 16);
  o.userB = m.getU64(p + 24);
  o.u = m.f64[(p + 32) >> 3]!;
  fill(m, m.u32[(p + 40) >> 2]!, m.u32[(p + 40) >> 2] === 0 ? 0 : m.i32[(p + 44) >> 2]!, 552, getManifold, newManifold, o.manifolds);
  return o;
}
export function newWorldEventView(): T.WorldEventView {
  return { events: [] };
}
export function getWorldEventView(m: Memory, p: number, o: T.WorldEventView): T.WorldEventView {
  fill(m, m.u32[(p) >> 2]!, m.u32[(p) >> 2] === 0 ? 0 : m.u32[(p + 4) >> 2]!, 48, getWorldEvent, newWorldEvent, o.events);
  return o;
}
export function newWorldStats(): T.WorldStats {
  return { objects: 0, moved: 0, swept: 0, pairs: 0, tested: 0, contacts: 0, sweeps: 0, hits: 0, limits: 0, bytes: 0 };
}
export function getWorldStats(m: Memory, p: number, o: T.WorldStats): T.WorldStats {
  o.objects = m.u32[(p) >> 2]!;
  o.moved = m.u32[(p + 4) >> 2]!;
  o.swept = m.u32[(p + 8) >> 2]!;
  o.pairs = m.u32[(p + 12) >> 2]!;
  o.tested = m.u32[(p + 16) >> 2]!;
  o.contacts = m.u32[(p + 20) >> 2]!;
  o.sweeps = m.u32[(p + 24) >> 2]!;
  o.hits = m.u32[(p + 28) >> 2]!;
  o.limits = m.u32[(p + 32) >> 2]!;
  o.bytes = m.u32[(p + 36) >> 2]!;
  return o;
}
export function putWorldQuery(m: Memory, p: number, v: T.WorldQuery): void {
  m.u32[(p) >> 2] = v.mask ?? 0;
  m.u32[(p + 4) >> 2] = v.except ?? 0;
  m.u8[p + 8] = v.triggers ? 1 : 0;
  m.u8[p + 9] = v.blocking ? 1 : 0;
  m.point(p + 16, v.accept ? m.callback((p0: number, p1: number) => {  const r = v.accept!(p0, p1 >>> 0); m.fresh();  return r ? 1 : 0; }, false) : 0);
  m.point(p + 12, v.accept ? m.trampoline('iii_i') : 0);
}
export function inWorldQuery(m: Memory, v: T.WorldQuery): number {
  const p = m.take(20);
  putWorldQuery(m, p, v);
  return p;
}
export function newWorldRayHit(): T.WorldRayHit {
  return { id: 0, user: 0, hit: newRayHit() };
}
export function getWorldRayHit(m: Memory, p: number, o: T.WorldRayHit): T.WorldRayHit {
  o.id = m.u32[(p) >> 2]!;
  o.user = m.getU64(p + 8);
  getRayHit(m, p + 16, o.hit);
  return o;
}
export function newWorldSweepHit(): T.WorldSweepHit {
  return { id: 0, user: 0, hit: newSweepHit() };
}
export function getWorldSweepHit(m: Memory, p: number, o: T.WorldSweepHit): T.WorldSweepHit {
  o.id = m.u32[(p) >> 2]!;
  o.user = m.getU64(p + 8);
  getSweepHit(m, p + 16, o.hit);
  return o;
}
export function newWorldNear(): T.WorldNear {
  return { id: 0, user: 0, witness: newWitness() };
}
export function getWorldNear(m: Memory, p: number, o: T.WorldNear): T.WorldNear {
  o.id = m.u32[(p) >> 2]!;
  o.user = m.getU64(p + 8);
  getWitness(m, p + 16, o.witness);
  return o;
}
export function putWorldShapes(m: Memory, p: number, v: T.WorldShapes): void {
  m.point(p, v.shapes ? m.putAll(v.shapes, 88, putShape) : 0);
  m.u32[(p + 4) >> 2] = v.shapes?.length ?? 0;
}
export function inWorldShapes(m: Memory, v: T.WorldShapes): number {
  const p = m.take(8);
  putWorldShapes(m, p, v);
  return p;
}
export function putMoverGround(m: Memory, p: number, v: T.MoverGroundLike): void {
  m.i32[(p) >> 2] = numberMoverFooting(v.kind);
  putVec3(m, p + 8, v.normal ?? origin);
  putVec3(m, p + 32, v.point ?? origin);
  putVec3(m, p + 56, v.velocity ?? origin);
  m.u32[(p + 80) >> 2] = v.id ?? 0;
  m.u32[(p + 84) >> 2] = v.part ?? 0;
  putPose(m, p + 88, v.pose);
}
export function inMoverGround(m: Memory, v: T.MoverGroundLike): number {
  const p = m.take(144);
  putMoverGround(m, p, v);
  return p;
}
export function newMoverGround(): T.MoverGround {
  return { kind: 'air', normal: newVec3(), point: newVec3(), velocity: newVec3(), id: 0, part: 0, pose: newPose() };
}
export function getMoverGround(m: Memory, p: number, o: T.MoverGround): T.MoverGround {
  o.kind = nameMoverFooting[m.i32[(p) >> 2]!]!;
  getVec3(m, p + 8, o.normal);
  getVec3(m, p + 32, o.point);
  getVec3(m, p + 56, o.velocity);
  o.id = m.u32[(p + 80) >> 2]!;
  o.part = m.u32[(p + 84) >> 2]!;
  getPose(m, p + 88, o.pose);
  return o;
}
export function putMover(m: Memory, p: number, v: T.MoverLike): void {
  if (v.shape) putShape(m, p, v.shape);
  else m.zero(p, 88);
  putVec3(m, p + 88, v.up ?? origin);
  m.f64[(p + 112) >> 3] = v.skin ?? 0;
  m.f64[(p + 120) >> 3] = v.stepUp ?? 0;
  m.f64[(p + 128) >> 3] = v.stepDown ?? 0;
  m.f64[(p + 136) >> 3] = v.slope ?? 0;
  putPose(m, p + 144, v.pose);
  if (v.ground) putMoverGround(m, p + 200, v.ground);
  else m.zero(p + 200, 144);
}
export function inMover(m: Memory, v: T.MoverLike): number {
  const p = m.take(344);
  putMover(m, p, v);
  return p;
}
export function newMover(): T.Mover {
  return { shape: newShape(), up: newVec3(), skin: 0, stepUp: 0, stepDown: 0, slope: 0, pose: newPose(), ground: newMoverGround() };
}
export function getMover(m: Memory, p: number, o: T.Mover): T.Mover {
  o.shape = getShape(m, p, o.shape);
  getVec3(m, p + 88, o.up);
  o.skin = m.f64[(p + 112) >> 3]!;
  o.stepUp = m.f64[(p + 120) >> 3]!;
  o.stepDown = m.f64[(p + 128) >> 3]!;
  o.slope = m.f64[(p + 136) >> 3]!;
  getPose(m, p + 144, o.pose);
  getMoverGround(m, p + 200, o.ground);
  return o;
}
export function putMoverHit(m: Memory, p: number, v: T.MoverHitLike): void {
  m.u32[(p) >> 2] = v.id;
  m.u32[(p + 4) >> 2] = v.part;
  m.putU64(p + 8, v.user);
  putVec3(m, p + 16, v.point);
  putVec3(m, p + 40, v.normal);
  m.f64[(p + 64) >> 3] = v.speed;
  m.u8[p + 72] = v.overlapping ? 1 : 0;
}
export function inMoverHit(m: Memory, v: T.MoverHitLike): number {
  const p = m.take(80);
  putMoverHit(m, p, v);
  return p;
}
export function newMoverHit(): T.MoverHit {
  return { id: 0, part: 0, user: 0, point: newVec3(), normal: newVec3(), speed: 0, overlapping: false };
}
export function getMoverHit(m: Memory, p: number, o: T.MoverHit): T.MoverHit {
  o.id = m.u32[(p) >> 2]!;
  o.part = m.u32[(p + 4) >> 2]!;
  o.user = m.getU64(p + 8);
  getVec3(m, p + 16, o.point);
  getVec3(m, p + 40, o.normal);
  o.speed = m.f64[(p + 64) >> 3]!;
  o.overlapping = m.u8[p + 72] !== 0;
  return o;
}
export function putMoverSpace(m: Memory, p: number, v: T.MoverSpace): void {
  m.point(p, v.world ?? 0);
  m.point(p + 4, v.shape ? inShape(m, v.shape) : 0);
  putPose(m, p + 8, v.pose);
  if (v.query) putWorldQuery(m, p + 64, v.query);
  else m.zero(p + 64, 20);
  m.point(p + 88, v.meet ? m.callback((p0: number, p1: number) => { const p0_ = getMover(m, p0, newMover()); const p1_ = getMoverHit(m, p1, newMoverHit()); const r = v.meet!(p0_, p1_); m.fresh();  return r ? 1 : 0; }, false) : 0);
  m.point(p + 84, v.meet ? m.trampoline('iii_i') : 0);
}
export function inMoverSpace(m: Memory, v: T.MoverSpace): number {
  const p = m.take(96);
  putMoverSpace(m, p, v);
  return p;
}
export function newMoverResult(): T.MoverResult {
  return { velocity: newVec3(), moved: newVec3(), crushed: false, climbed: false, hits: [], sweeps: 0 };
}
export function getMoverResult(m: Memory, p: number, o: T.MoverResult): T.MoverResult {
  getVec3(m, p, o.velocity);
  getVec3(m, p + 24, o.moved);
  o.crushed = m.u8[p + 48] !== 0;
  o.climbed = m.u8[p + 49] !== 0;
  fill(m, p + 56, m.i32[(p + 52) >> 2]!, 80, getMoverHit, newMoverHit, o.hits);
  o.sweeps = m.i32[(p + 696) >> 2]!;
  return o;
}
export function putBodyDesc(m: Memory, p: number, v: T.BodyDesc): void {
  putVec3(m, p, v.velocity ?? origin);
  putVec3(m, p + 24, v.spin ?? origin);
  m.f64[(p + 48) >> 3] = v.mass ?? 0;
  m.f64[(p + 56) >> 3] = v.density ?? 0;
  m.f64[(p + 64) >> 3] = v.restitution ?? 0;
  m.f64[(p + 72) >> 3] = v.friction ?? 0;
  m.f64[(p + 80) >> 3] = v.damping ?? 0;
  m.f64[(p + 88) >> 3] = v.spinDamping ?? 0;
  m.f64[(p + 96) >> 3] = v.gravityScale ?? 0;
  m.u8[p + 104] = v.weightless ? 1 : 0;
  m.u8[p + 105] = v.driven ? 1 : 0;
  m.u32[(p + 108) >> 2] = v.response ?? 0;
  m.u32[(p + 112) >> 2] = v.kind ?? 0;
}
export function inBodyDesc(m: Memory, v: T.BodyDesc): number {
  const p = m.take(120);
  putBodyDesc(m, p, v);
  return p;
}
export function putDynamicsDesc(m: Memory, p: number, v: T.DynamicsDesc): void {
  m.u32[(p) >> 2] = 0;
  putVec3(m, p + 8, v.gravity ?? origin);
  m.point(p + 36, v.respond ? m.callback((p0: number, p1: number, p2: number, p3: number) => { const p1_ = getWorldHit(m, p1, newWorldHit()); const p2_ = { value: m.u32[p2 >> 2]! }; const p3_ = { value: m.u32[p3 >> 2]! }; v.respond!(p0, p1_, p2_, p3_); m.fresh(); m.u32[p2 >> 2] = p2_.value; m.u32[p3 >> 2] = p3_.value;  }, true) : 0);
  m.point(p + 32, v.respond ? m.trampoline('iiiii_') : 0);
}
export function inDynamicsDesc(m: Memory, v: T.DynamicsDesc): number {
  const p = m.take(40);
  putDynamicsDesc(m, p, v);
  return p;
}
export function newBodyState(): T.BodyState {
  return { velocity: newVec3(), spin: newVec3(), mass: 0, center: newVec3(), momentum: newVec3(), angularMomentum: newVec3(), energy: 0, halted: false };
}
export function getBodyState(m: Memory, p: number, o: T.BodyState): T.BodyState {
  getVec3(m, p, o.velocity);
  getVec3(m, p + 24, o.spin);
  o.mass = m.f64[(p + 48) >> 3]!;
  getVec3(m, p + 56, o.center);
  getVec3(m, p + 80, o.momentum);
  getVec3(m, p + 104, o.angularMomentum);
  o.energy = m.f64[(p + 128) >> 3]!;
  o.halted = m.u8[p + 136] !== 0;
  return o;
}
export function putCheckProperty(m: Memory, p: number, v: T.CheckProperty): void {
  m.point(p, m.putText(v.key));
  m.point(p + 4, m.putText(v.value));
}
export function inCheckProperty(m: Memory, v: T.CheckProperty): number {
  const p = m.take(8);
  putCheckProperty(m, p, v);
  return p;
}
export function putCheckPart(m: Memory, p: number, v: T.CheckPart): void {
  if (v.shape) putShape(m, p, v.shape);
  else m.zero(p, 88);
  putPose(m, p + 88, v.pose);
  m.point(p + 144, v.name === undefined ? 0 : m.putText(v.name));
  m.point(p + 148, v.file === undefined ? 0 : m.putText(v.file));
  m.point(p + 152, v.id === undefined ? 0 : m.putText(v.id));
  m.f64[(p + 160) >> 3] = v.rounding ?? 0;
  m.f64[(p + 168) >> 3] = v.deviation ?? 0;
  m.point(p + 176, v.properties ? m.putAll(v.properties, 8, putCheckProperty) : 0);
  m.u32[(p + 180) >> 2] = v.properties?.length ?? 0;
  m.putU64(p + 184, v.node ?? 0);
  m.putU64(p + 192, v.parent ?? 0);
}
export function inCheckPart(m: Memory, v: T.CheckPart): number {
  const p = m.take(200);
  putCheckPart(m, p, v);
  return p;
}
export function putFinding(m: Memory, p: number, v: T.FindingLike): void {
  m.u32[(p) >> 2] = v.partA;
  m.u32[(p + 4) >> 2] = v.partB;
  m.u32[(p + 8) >> 2] = v.test;
  m.putHex(p + 16, v.id);
  m.putHex(p + 24, v.idA);
  m.putHex(p + 32, v.idB);
  m.i32[(p + 40) >> 2] = numberFindingKind(v.kind);
  putRelationResult(m, p + 48, v.result);
  m.u32[(p + 144) >> 2] = v.allowed;
  m.u8[p + 148] = v.fails ? 1 : 0;
  putAabb(m, p + 152, v.outlineBox);
  m.f64[(p + 200) >> 3] = v.crossingExtent;
  m.f64[(p + 208) >> 3] = v.crossingLength;
  putInterference(m, p + 216, v.common);
  m.u8[p + 304] = v.commonKnown ? 1 : 0;
  if (v.outline?.length) m.expect(v.outline, 3 * (2*(v.outlineSegments ?? 0)), 'outline');
  m.point(p + 308, v.outline?.length ? m.put_f64(v.outline) : 0);
  m.u32[(p + 312) >> 2] = v.outlineSegments;
}
export function inFinding(m: Memory, v: T.FindingLike): number {
  const p = m.take(320);
  putFinding(m, p, v);
  return p;
}
export function newFinding(): T.Finding {
  return { partA: 0, partB: 0, test: 0, id: '', idA: '', idB: '', kind: 'crossing', result: newRelationResult(), allowed: 0, fails: false, outlineBox: newAabb(), crossingExtent: 0, crossingLength: 0, common: newInterference(), commonKnown: false, outline: new Float64Array(0), outlineSegments: 0 };
}
export function getFinding(m: Memory, p: number, o: T.Finding): T.Finding {
  o.partA = m.u32[(p) >> 2]!;
  o.partB = m.u32[(p + 4) >> 2]!;
  o.test = m.u32[(p + 8) >> 2]!;
  o.id = m.getHex(p + 16);
  o.idA = m.getHex(p + 24);
  o.idB = m.getHex(p + 32);
  o.kind = nameFindingKind[m.i32[(p + 40) >> 2]!]!;
  getRelationResult(m, p + 48, o.result);
  o.allowed = m.u32[(p + 144) >> 2]!;
  o.fails = m.u8[p + 148] !== 0;
  getAabb(m, p + 152, o.outlineBox);
  o.crossingExtent = m.f64[(p + 200) >> 3]!;
  o.crossingLength = m.f64[(p + 208) >> 3]!;
  getInterference(m, p + 216, o.common);
  o.commonKnown = m.u8[p + 304] !== 0;
  o.outline = m.f64.slice((m.u32[(p + 308) >> 2]! >> 3), m.u32[(p + 308) >> 2] === 0 ? 0 : (m.u32[(p + 308) >> 2]! >> 3) + (2*m.u32[(p + 312) >> 2]!) * 3);
  o.outlineSegments = m.u32[(p + 312) >> 2]!;
  return o;
}
export function putCheckException(m: Memory, p: number, v: T.CheckException): void {
  m.point(p, v.first === undefined ? 0 : m.putText(v.first));
  m.point(p + 4, v.second === undefined ? 0 : m.putText(v.second));
  m.putHex(p + 8, v.id ?? '');
  m.point(p + 16, v.test === undefined ? 0 : m.putText(v.test));
  m.f64[(p + 24) >> 3] = v.depth ?? 0;
}
export function inCheckException(m: Memory, v: T.CheckException): number {
  const p = m.take(32);
  putCheckException(m, p, v);
  return p;
}
export function putCheckTest(m: Memory, p: number, v: T.CheckTest): void {
  m.point(p, v.name === undefined ? 0 : m.putText(v.name));
  m.point(p + 4, v.a === undefined ? 0 : m.putText(v.a));
  m.point(p + 8, v.b === undefined ? 0 : m.putText(v.b));
  m.u32[(p + 12) >> 2] = 0;
  m.i32[(p + 16) >> 2] = numberCheckTestKind(v.kind);
  m.f64[(p + 24) >> 3] = v.tolerance ?? 0;
  m.f64[(p + 32) >> 3] = v.clearance ?? 0;
  m.i32[(p + 40) >> 2] = numberCheckSeverity(v.severity);
}
export function inCheckTest(m: Memory, v: T.CheckTest): number {
  const p = m.take(48);
  putCheckTest(m, p, v);
  return p;
}
export function putCheckPairTolerance(m: Memory, p: number, v: T.CheckPairTolerance): void {
  m.point(p, v.first === undefined ? 0 : m.putText(v.first));
  m.point(p + 4, v.second === undefined ? 0 : m.putText(v.second));
  m.u32[(p + 8) >> 2] = 0;
  m.f64[(p + 16) >> 3] = v.tolerance ?? 0;
}
export function inCheckPairTolerance(m: Memory, v: T.CheckPairTolerance): number {
  const p = m.take(24);
  putCheckPairTolerance(m, p, v);
  return p;
}
export function putCheckDesc(m: Memory, p: number, v: T.CheckDesc): void {
  m.u32[(p + 4) >> 2] = 4294967295;
  m.point(p, v.parts ? m.putAll(v.parts, 200, putCheckPart) : 0);
  if (v.parts) m.agree(p + 4, v.parts.length, 'parts');
  m.point(p + 8, v.sides ? m.put_u8(v.sides) : 0);
  if (v.sides) m.agree(p + 4, m.count(v.sides, 1, 'sides'), 'sides');
  if (m.u32[(p + 4) >> 2] === 4294967295) m.u32[(p + 4) >> 2] = 0;
  m.point(p + 12, v.tests ? m.putAll(v.tests, 48, putCheckTest) : 0);
  m.u32[(p + 16) >> 2] = v.tests?.length ?? 0;
  m.point(p + 20, v.leftOut === undefined ? 0 : m.putText(v.leftOut));
  m.u32[(p + 24) >> 2] = v.skip ?? 0;
  m.f64[(p + 32) >> 3] = v.tolerance ?? 0;
  m.f64[(p + 40) >> 3] = v.clearance ?? 0;
  m.point(p + 48, v.tolerances ? m.putAll(v.tolerances, 24, putCheckPairTolerance) : 0);
  m.u32[(p + 52) >> 2] = v.tolerances?.length ?? 0;
  m.point(p + 56, v.exceptions ? m.putAll(v.exceptions, 32, putCheckException) : 0);
  m.u32[(p + 60) >> 2] = v.exceptions?.length ?? 0;
  m.i32[(p + 64) >> 2] = numberCheckFailOn(v.failOn);
  m.u8[p + 68] = v.outlines ? 1 : 0;
  m.u8[p + 69] = v.volumes ? 1 : 0;
  m.u32[(p + 72) >> 2] = m.tasks;
  m.point(p + 80, v.progress ? m.callback((p0: number, p1: number) => {  const r = v.progress!(p0 >>> 0, p1 >>> 0); m.fresh();  return r ? 1 : 0; }, false) : 0);
  m.point(p + 76, v.progress ? m.trampoline('iii_i') : 0);
}
export function inCheckDesc(m: Memory, v: T.CheckDesc): number {
  const p = m.take(88);
  putCheckDesc(m, p, v);
  return p;
}
export function newCheckTestResult(): T.CheckTestResult {
  return { partsA: 0, partsB: 0, pairs: 0, findings: 0, allowed: 0, failing: 0 };
}
export function getCheckTestResult(m: Memory, p: number, o: T.CheckTestResult): T.CheckTestResult {
  o.partsA = m.u32[(p) >> 2]!;
  o.partsB = m.u32[(p + 4) >> 2]!;
  o.pairs = m.getU64(p + 8);
  o.findings = m.u32[(p + 16) >> 2]!;
  o.allowed = m.u32[(p + 20) >> 2]!;
  o.failing = m.u32[(p + 24) >> 2]!;
  return o;
}
export function newCheckResult(): T.CheckResult {
  return { findings: [], uses: new Uint32Array(0), tests: [], pairsTotal: 0, pairsNear: 0, skippedProduct: 0, skippedParent: 0, partsLeftOut: 0, kinds: [0, 0, 0, 0, 0], allowed: 0, failing: 0 };
}
export function getCheckResult(m: Memory, p: number, o: T.CheckResult): T.CheckResult {
  fill(m, m.u32[(p) >> 2]!, m.u32[(p) >> 2] === 0 ? 0 : m.u32[(p + 4) >> 2]!, 320, getFinding, newFinding, o.findings);
  o.uses = m.u32.slice((m.u32[(p + 8) >> 2]! >> 2), m.u32[(p + 8) >> 2] === 0 ? 0 : (m.u32[(p + 8) >> 2]! >> 2) + (m.u32[(p + 12) >> 2]!) * 1);
  fill(m, m.u32[(p + 16) >> 2]!, m.u32[(p + 16) >> 2] === 0 ? 0 : m.u32[(p + 20) >> 2]!, 32, getCheckTestResult, newCheckTestResult, o.tests);
  o.pairsTotal = m.getU64(p + 32);
  o.pairsNear = m.getU64(p + 40);
  o.skippedProduct = m.getU64(p + 48);
  o.skippedParent = m.getU64(p + 56);
  o.partsLeftOut = m.u32[(p + 64) >> 2]!;
  o.kinds[0] = m.u32[(p + 68) >> 2]!;
  o.kinds[1] = m.u32[(p + 72) >> 2]!;
  o.kinds[2] = m.u32[(p + 76) >> 2]!;
  o.kinds[3] = m.u32[(p + 80) >> 2]!;
  o.kinds[4] = m.u32[(p + 84) >> 2]!;
  o.allowed = m.u32[(p + 88) >> 2]!;
  o.failing = m.u32[(p + 92) >> 2]!;
  return o;
}
export function newCheckGroup(): T.CheckGroup {
  return { keyA: 0, keyB: 0, first: 0, count: 0 };
}
export function getCheckGroup(m: Memory, p: number, o: T.CheckGroup): T.CheckGroup {
  o.keyA = m.u32[(p) >> 2]!;
  o.keyB = m.u32[(p + 4) >> 2]!;
  o.first = m.u32[(p + 8) >> 2]!;
  o.count = m.u32[(p + 12) >> 2]!;
  return o;
}
export function newCheckGroups(): T.CheckGroups {
  return { groups: new Uint32Array(0), members: new Uint32Array(0) };
}
export function getCheckGroups(m: Memory, p: number, o: T.CheckGroups): T.CheckGroups {
  o.groups = m.u32.slice((m.u32[(p) >> 2]! >> 2), m.u32[(p) >> 2] === 0 ? 0 : (m.u32[(p) >> 2]! >> 2) + (m.u32[(p + 4) >> 2]!) * 4);
  o.members = m.u32.slice((m.u32[(p + 8) >> 2]! >> 2), m.u32[(p + 8) >> 2] === 0 ? 0 : (m.u32[(p + 8) >> 2]! >> 2) + (m.u32[(p + 12) >> 2]!) * 1);
  return o;
}

export function bind(m: Memory, exports: Exports): T.Api {
  m0 = m;
  const { cm_aabb_add_point, cm_aabb_center, cm_aabb_contains, cm_aabb_empty, cm_aabb_from_center, cm_aabb_grow, cm_aabb_half, cm_aabb_overlaps, cm_aabb_union, cm_abs, cm_add, cm_clamp, cm_corners_aabb, cm_cross, cm_distance_point_plane, cm_dot, cm_is_coord, cm_largest, cm_length, cm_lerp, cm_make_box, cm_make_capsule, cm_make_compound, cm_make_cone, cm_make_cylinder, cm_make_ellipsoid, cm_make_halfspace, cm_make_height_field, cm_make_hull, cm_make_mesh, cm_make_point, cm_make_rounded_box, cm_make_segment, cm_make_sphere, cm_make_triangle, cm_mat3_from_quat, cm_mat3_mul, cm_mat3_mul_transposed, cm_mat4_from_pose, cm_max, cm_min, cm_mul_add, cm_neg, cm_normalize, cm_overlap_aabb_aabb, cm_overlap_point_aabb, cm_overlap_point_frustum, cm_plane_from_point, cm_pose_apply, cm_pose_at, cm_pose_between, cm_pose_identity, cm_pose_is_valid, cm_pose_mul, cm_pose_unapply, cm_quat_conjugate, cm_quat_identity, cm_quat_mul, cm_quat_normalize, cm_ray_from_segment, cm_ray_is_valid, cm_rotate, cm_scale, cm_side_point_plane, cm_sqrt, cm_sub, cm_unrotate, cm_v, cm_vec3_abs, cm_vec3_is_valid, cm_vec3_max, cm_vec3_min, cmd_aabb_is_valid, cmd_aabb_posed, cmd_area_aabb, cmd_area_capsule, cmd_area_obb, cmd_area_sphere, cmd_area_triangle, cmd_bounds_capsule, cmd_bounds_obb, cmd_bounds_segment, cmd_bounds_sphere, cmd_bounds_triangle, cmd_broad_add, cmd_broad_add_many, cmd_broad_count, cmd_broad_create, cmd_broad_destroy, cmd_broad_find_pairs, cmd_broad_find_pairs_between, cmd_broad_get, cmd_broad_get_changes, cmd_broad_get_stats, cmd_broad_kind_text, cmd_broad_move, cmd_broad_move_many, cmd_broad_nearest, cmd_broad_pair_list_free, cmd_broad_pairs, cmd_broad_pairs_between, cmd_broad_query_box, cmd_broad_query_frustum, cmd_broad_query_halfspace, cmd_broad_query_point, cmd_broad_query_sphere, cmd_broad_raycast, cmd_broad_remove, cmd_broad_set_filter, cmd_broad_set_fixed, cmd_broad_set_user, cmd_broad_sweep, cmd_broad_update, cmd_broad_walk, cmd_capsule_is_valid, cmd_check_choose, cmd_check_compare, cmd_check_group_findings, cmd_check_groups_destroy, cmd_check_matches, cmd_check_nearest, cmd_check_parts, cmd_check_result_destroy, cmd_check_selects, cmd_check_severity_text, cmd_check_test_kind_text, cmd_check_tolerance, cmd_compound_build, cmd_compound_bytes, cmd_compound_destroy, cmd_compound_get_info, cmd_contact, cmd_contact_aabb_aabb, cmd_contact_cached, cmd_contact_capsule_capsule, cmd_contact_many, cmd_contact_obb_obb, cmd_contact_observed, cmd_contact_sphere_aabb, cmd_contact_sphere_halfspace, cmd_contact_sphere_obb, cmd_contact_sphere_plane, cmd_contact_sphere_sphere, cmd_contact_sphere_triangle, cmd_corners_obb, cmd_cull_aabb_frustum, cmd_cull_obb_frustum, cmd_cull_sphere_frustum, cmd_distance, cmd_distance_cached, cmd_distance_many, cmd_distance_observed, cmd_distance_point_aabb, cmd_distance_point_obb, cmd_distance_point_segment, cmd_distance_point_triangle, cmd_distance_segment_segment, cmd_dynamics_add, cmd_dynamics_apply_angular_impulse, cmd_dynamics_apply_force, cmd_dynamics_apply_force_at, cmd_dynamics_apply_impulse, cmd_dynamics_apply_impulse_at, cmd_dynamics_apply_torque, cmd_dynamics_create, cmd_dynamics_destroy, cmd_dynamics_get, cmd_dynamics_hash, cmd_dynamics_remove, cmd_dynamics_restore, cmd_dynamics_save, cmd_dynamics_set_response, cmd_dynamics_set_velocity, cmd_dynamics_step, cmd_finding_kind_text, cmd_finding_text, cmd_fit_aabb, cmd_fit_aabb_posed, cmd_fit_capsule, cmd_fit_obb, cmd_fit_obb_principal, cmd_fit_sphere, cmd_fit_sphere_at, cmd_fit_sphere_from_box, cmd_fit_sphere_from_mean, cmd_fit_sphere_through, cmd_frustum_from_matrix, cmd_frustum_is_valid, cmd_gap_edge_edge, cmd_gap_point_edge, cmd_gap_point_point, cmd_gap_point_triangle, cmd_height_field_build, cmd_height_field_bytes, cmd_height_field_destroy, cmd_height_field_get_info, cmd_height_field_triangle, cmd_hull_build, cmd_hull_bytes, cmd_hull_destroy, cmd_hull_edge_face, cmd_hull_face_count, cmd_hull_get_face, cmd_hull_get_info, cmd_hull_sources, cmd_hull_support, cmd_hull_vertex_count, cmd_hull_vertices, cmd_kind_name, cmd_manifold_reduce, cmd_mass_add, cmd_mesh_build, cmd_mesh_bytes, cmd_mesh_components, cmd_mesh_corners, cmd_mesh_crossings, cmd_mesh_destroy, cmd_mesh_get_info, cmd_mesh_interference, cmd_mesh_move_points, cmd_mesh_point_count, cmd_mesh_points, cmd_mesh_posed, cmd_mesh_relation, cmd_mesh_sweep_vertices, cmd_mesh_t_junctions, cmd_mesh_triangle_count, cmd_mesh_winding, cmd_motion_at, cmd_motion_between, cmd_mover_check, cmd_mover_fits, cmd_mover_push, cmd_mover_set_shape, cmd_mover_step, cmd_mover_teleport, cmd_obb_from_aabb, cmd_obb_is_valid, cmd_obb_posed, cmd_overlap, cmd_overlap_aabb_plane, cmd_overlap_cached, cmd_overlap_capsule_capsule, cmd_overlap_many, cmd_overlap_obb_obb, cmd_overlap_obb_plane, cmd_overlap_point_capsule, cmd_overlap_point_obb, cmd_overlap_point_sphere, cmd_overlap_point_triangle, cmd_overlap_sphere_aabb, cmd_overlap_sphere_capsule, cmd_overlap_sphere_halfspace, cmd_overlap_sphere_obb, cmd_overlap_sphere_plane, cmd_overlap_sphere_sphere, cmd_overlap_sphere_triangle, cmd_overlap_triangle_aabb, cmd_overlap_triangle_triangle, cmd_plane_from_equation, cmd_plane_from_points, cmd_plane_is_valid, cmd_pose_from_mat4, cmd_quat_from_axis_angle, cmd_quat_from_mat3, cmd_quat_slerp, cmd_raycast, cmd_raycast_aabb, cmd_raycast_capsule, cmd_raycast_frustum, cmd_raycast_many, cmd_raycast_obb, cmd_raycast_plane, cmd_raycast_sphere, cmd_raycast_triangle, cmd_relation_text, cmd_response_from_name, cmd_response_name, cmd_segment_is_valid, cmd_selftest, cmd_separate_obb_obb, cmd_shape_bounds, cmd_shape_check, cmd_shape_mass, cmd_shape_scaled, cmd_shape_tessellate, cmd_side_aabb_plane, cmd_side_obb_plane, cmd_side_sphere_plane, cmd_side_triangle_plane, cmd_sphere_contains, cmd_sphere_from_aabb, cmd_sphere_is_valid, cmd_sphere_union, cmd_status_text, cmd_step_kind_text, cmd_sweep, cmd_sweep_aabb_aabb, cmd_sweep_aabb_plane, cmd_sweep_capsule_capsule, cmd_sweep_edge_edge, cmd_sweep_last, cmd_sweep_many, cmd_sweep_obb_obb, cmd_sweep_point_edge, cmd_sweep_point_point, cmd_sweep_point_triangle, cmd_sweep_refine, cmd_sweep_sphere_aabb, cmd_sweep_sphere_capsule, cmd_sweep_sphere_halfspace, cmd_sweep_sphere_obb, cmd_sweep_sphere_plane, cmd_sweep_sphere_sphere, cmd_sweep_sphere_triangle, cmd_tessellation_destroy, cmd_triangle_is_valid, cmd_version, cmd_volume_aabb, cmd_volume_capsule, cmd_volume_obb, cmd_volume_sphere, cmd_world_add, cmd_world_count, cmd_world_create, cmd_world_destroy, cmd_world_distance, cmd_world_event_text, cmd_world_get, cmd_world_get_box, cmd_world_get_broad, cmd_world_get_events, cmd_world_get_ids, cmd_world_get_motion, cmd_world_get_pose, cmd_world_get_stats, cmd_world_hash, cmd_world_overlap, cmd_world_overlap_point, cmd_world_query_frustum, cmd_world_raycast, cmd_world_raycast_all, cmd_world_raycast_any, cmd_world_remove, cmd_world_restore, cmd_world_save, cmd_world_set_filter, cmd_world_set_fixed, cmd_world_set_motion, cmd_world_set_pose, cmd_world_set_shape, cmd_world_set_sweep, cmd_world_set_trigger, cmd_world_set_user, cmd_world_sweep, cmd_world_sweep_all, cmd_world_update, cmd_world_why, cmd_world_why_text } = exports as any;
  return {
    statusText(status) {
      const t = m.enter();
      try {
        const r = cmd_status_text(numberStatus(status));
        m.leave();
        return m.text(r);
      } finally { m.release(t); }
    },
    version() {
      const t = m.enter();
      try {
        const r = cmd_version();
        m.leave();
        return m.text(r);
      } finally { m.release(t); }
    },
    min(a, b) {
      const t = m.enter();
      try {
        const r = cm_min(a, b);
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    max(a, b) {
      const t = m.enter();
      try {
        const r = cm_max(a, b);
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    clamp(x, lo, hi) {
      const t = m.enter();
      try {
        const r = cm_clamp(x, lo, hi);
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    abs(x) {
      const t = m.enter();
      try {
        const r = cm_abs(x);
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    sqrt(x) {
      const t = m.enter();
      try {
        const r = cm_sqrt(x);
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    isCoord(x) {
      const t = m.enter();
      try {
        const r = cm_is_coord(x);
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    v(x, y, z) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_v(r_, x, y, z);
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    add(a, b) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_add(r_, inVec3(m, a), inVec3(m, b));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    sub(a, b) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_sub(r_, inVec3(m, a), inVec3(m, b));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    neg(a) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_neg(r_, inVec3(m, a));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    scale(a, s) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_scale(r_, inVec3(m, a), s);
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    mulAdd(a, s, b) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_mul_add(r_, inVec3(m, a), s, inVec3(m, b));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    lerp(a, b, t_) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_lerp(r_, inVec3(m, a), inVec3(m, b), t_);
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    dot(a, b) {
      const t = m.enter();
      try {
        const r = cm_dot(inVec3(m, a), inVec3(m, b));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    cross(a, b) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_cross(r_, inVec3(m, a), inVec3(m, b));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    vec3Min(a, b) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_vec3_min(r_, inVec3(m, a), inVec3(m, b));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    vec3Max(a, b) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_vec3_max(r_, inVec3(m, a), inVec3(m, b));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    vec3Abs(a) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_vec3_abs(r_, inVec3(m, a));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    largest(a) {
      const t = m.enter();
      try {
        const r = cm_largest(inVec3(m, a));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    length(a) {
      const t = m.enter();
      try {
        const r = cm_length(inVec3(m, a));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    normalize(a, fallback) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_normalize(r_, inVec3(m, a), inVec3(m, fallback));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    vec3IsValid(a) {
      const t = m.enter();
      try {
        const r = cm_vec3_is_valid(inVec3(m, a));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    mat3Mul(m_, v) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_mat3_mul(r_, inMat3(m, m_), inVec3(m, v));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    mat3MulTransposed(m_, v) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_mat3_mul_transposed(r_, inMat3(m, m_), inVec3(m, v));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    quatIdentity() {
      const t = m.enter();
      try {
        const r_ = m.take(32);
        cm_quat_identity(r_);
        m.leave();
        return getQuat(m, r_, newQuat());
      } finally { m.release(t); }
    },
    quatConjugate(q) {
      const t = m.enter();
      try {
        const r_ = m.take(32);
        cm_quat_conjugate(r_, inQuat(m, q));
        m.leave();
        return getQuat(m, r_, newQuat());
      } finally { m.release(t); }
    },
    quatMul(a, b) {
      const t = m.enter();
      try {
        const r_ = m.take(32);
        cm_quat_mul(r_, inQuat(m, a), inQuat(m, b));
        m.leave();
        return getQuat(m, r_, newQuat());
      } finally { m.release(t); }
    },
    quatNormalize(q) {
      const t = m.enter();
      try {
        const r_ = m.take(32);
        cm_quat_normalize(r_, inQuat(m, q));
        m.leave();
        return getQuat(m, r_, newQuat());
      } finally { m.release(t); }
    },
    quatFromAxisAngle(axis, angle, out) {
      const t = m.enter();
      try {
        const out_ = m.take(32);
        cmd_quat_from_axis_angle(inVec3(m, axis), angle, out_);
        m.leave();
        return getQuat(m, out_, out ?? newQuat());
      } finally { m.release(t); }
    },
    quatFromMat3(m_, out) {
      const t = m.enter();
      try {
        const out_ = m.take(32);
        cmd_quat_from_mat3(inMat3(m, m_), out_);
        m.leave();
        return getQuat(m, out_, out ?? newQuat());
      } finally { m.release(t); }
    },
    quatSlerp(a, b, t_, out) {
      const t = m.enter();
      try {
        const out_ = m.take(32);
        cmd_quat_slerp(inQuat(m, a), inQuat(m, b), t_, out_);
        m.leave();
        return getQuat(m, out_, out ?? newQuat());
      } finally { m.release(t); }
    },
    mat3FromQuat(q) {
      const t = m.enter();
      try {
        const r_ = m.take(72);
        cm_mat3_from_quat(r_, inQuat(m, q));
        m.leave();
        return getMat3(m, r_, newMat3());
      } finally { m.release(t); }
    },
    rotate(q, v) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_rotate(r_, inQuat(m, q), inVec3(m, v));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    unrotate(q, v) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_unrotate(r_, inQuat(m, q), inVec3(m, v));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    poseIdentity() {
      const t = m.enter();
      try {
        const r_ = m.take(56);
        cm_pose_identity(r_);
        m.leave();
        return getPose(m, r_, newPose());
      } finally { m.release(t); }
    },
    poseAt(position) {
      const t = m.enter();
      try {
        const r_ = m.take(56);
        cm_pose_at(r_, inVec3(m, position));
        m.leave();
        return getPose(m, r_, newPose());
      } finally { m.release(t); }
    },
    poseApply(p_, local) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_pose_apply(r_, inPose(m, p_), inVec3(m, local));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    poseUnapply(p_, outer) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_pose_unapply(r_, inPose(m, p_), inVec3(m, outer));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    poseBetween(a, b) {
      const t = m.enter();
      try {
        const r_ = m.take(56);
        cm_pose_between(r_, inPose(m, a), inPose(m, b));
        m.leave();
        return getPose(m, r_, newPose());
      } finally { m.release(t); }
    },
    poseMul(a, b) {
      const t = m.enter();
      try {
        const r_ = m.take(56);
        cm_pose_mul(r_, inPose(m, a), inPose(m, b));
        m.leave();
        return getPose(m, r_, newPose());
      } finally { m.release(t); }
    },
    poseFromMat4(m_, out) {
      const t = m.enter();
      try {
        m.expect(m_, 1 * 16, 'm_');
        const out_ = m.take(56);
        const r = cmd_pose_from_mat4(m.put_f64(m_), out_);
        m.leave();
        return r === 0 ? null : getPose(m, out_, out ?? newPose());
      } finally { m.release(t); }
    },
    mat4FromPose(p_, m_) {
      const t = m.enter();
      try {
        const n_m_ = 16;
        if (m_) m.expect(m_, n_m_ * 1, 'm_');
        const p_m_ = m_ ? m.take(n_m_ * 8) : 0;
        cm_mat4_from_pose(inPose(m, p_), p_m_);
        m.leave();
        if (m_) m.copy_f64(p_m_, n_m_ * 1, m_);
      } finally { m.release(t); }
    },
    poseIsValid(p_) {
      const t = m.enter();
      try {
        const r = cm_pose_is_valid(inPose(m, p_));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    aabbEmpty() {
      const t = m.enter();
      try {
        const r_ = m.take(48);
        cm_aabb_empty(r_);
        m.leave();
        return getAabb(m, r_, newAabb());
      } finally { m.release(t); }
    },
    aabbAddPoint(b, p_) {
      const t = m.enter();
      try {
        const r_ = m.take(48);
        cm_aabb_add_point(r_, inAabb(m, b), inVec3(m, p_));
        m.leave();
        return getAabb(m, r_, newAabb());
      } finally { m.release(t); }
    },
    aabbUnion(a, b) {
      const t = m.enter();
      try {
        const r_ = m.take(48);
        cm_aabb_union(r_, inAabb(m, a), inAabb(m, b));
        m.leave();
        return getAabb(m, r_, newAabb());
      } finally { m.release(t); }
    },
    aabbOverlaps(a, b) {
      const t = m.enter();
      try {
        const r = cm_aabb_overlaps(inAabb(m, a), inAabb(m, b));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    aabbCenter(b) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_aabb_center(r_, inAabb(m, b));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    aabbGrow(b, margin) {
      const t = m.enter();
      try {
        const r_ = m.take(48);
        cm_aabb_grow(r_, inAabb(m, b), margin);
        m.leave();
        return getAabb(m, r_, newAabb());
      } finally { m.release(t); }
    },
    makePoint(point) {
      const t = m.enter();
      try {
        const r_ = m.take(88);
        m.zero(r_, SHAPE_BYTES);
        cm_make_point(r_, inVec3(m, point));
        m.leave();
        return getShape(m, r_, newShape());
      } finally { m.release(t); }
    },
    makeSphere(center, radius) {
      const t = m.enter();
      try {
        const r_ = m.take(88);
        m.zero(r_, SHAPE_BYTES);
        cm_make_sphere(r_, inVec3(m, center), radius);
        m.leave();
        return getShape(m, r_, newShape());
      } finally { m.release(t); }
    },
    makeSegment(a, b) {
      const t = m.enter();
      try {
        const r_ = m.take(88);
        m.zero(r_, SHAPE_BYTES);
        cm_make_segment(r_, inVec3(m, a), inVec3(m, b));
        m.leave();
        return getShape(m, r_, newShape());
      } finally { m.release(t); }
    },
    makeCapsule(a, b, radius) {
      const t = m.enter();
      try {
        const r_ = m.take(88);
        m.zero(r_, SHAPE_BYTES);
        cm_make_capsule(r_, inVec3(m, a), inVec3(m, b), radius);
        m.leave();
        return getShape(m, r_, newShape());
      } finally { m.release(t); }
    },
    makeTriangle(a, b, c) {
      const t = m.enter();
      try {
        const r_ = m.take(88);
        m.zero(r_, SHAPE_BYTES);
        cm_make_triangle(r_, inVec3(m, a), inVec3(m, b), inVec3(m, c));
        m.leave();
        return getShape(m, r_, newShape());
      } finally { m.release(t); }
    },
    makeBox(half) {
      const t = m.enter();
      try {
        const r_ = m.take(88);
        m.zero(r_, SHAPE_BYTES);
        cm_make_box(r_, inVec3(m, half));
        m.leave();
        return getShape(m, r_, newShape());
      } finally { m.release(t); }
    },
    makeRoundedBox(half, radius) {
      const t = m.enter();
      try {
        const r_ = m.take(88);
        m.zero(r_, SHAPE_BYTES);
        cm_make_rounded_box(r_, inVec3(m, half), radius);
        m.leave();
        return getShape(m, r_, newShape());
      } finally { m.release(t); }
    },
    makeCylinder(radius, halfHeight) {
      const t = m.enter();
      try {
        const r_ = m.take(88);
        m.zero(r_, SHAPE_BYTES);
        cm_make_cylinder(r_, radius, halfHeight);
        m.leave();
        return getShape(m, r_, newShape());
      } finally { m.release(t); }
    },
    makeCone(radius, halfHeight) {
      const t = m.enter();
      try {
        const r_ = m.take(88);
        m.zero(r_, SHAPE_BYTES);
        cm_make_cone(r_, radius, halfHeight);
        m.leave();
        return getShape(m, r_, newShape());
      } finally { m.release(t); }
    },
    makeEllipsoid(half) {
      const t = m.enter();
      try {
        const r_ = m.take(88);
        m.zero(r_, SHAPE_BYTES);
        cm_make_ellipsoid(r_, inVec3(m, half));
        m.leave();
        return getShape(m, r_, newShape());
      } finally { m.release(t); }
    },
    makeHull(hull) {
      const t = m.enter();
      try {
        const r_ = m.take(88);
        m.zero(r_, SHAPE_BYTES);
        cm_make_hull(r_, hull);
        m.leave();
        return getShape(m, r_, newShape());
      } finally { m.release(t); }
    },
    makeHalfspace(normal, d) {
      const t = m.enter();
      try {
        const r_ = m.take(88);
        m.zero(r_, SHAPE_BYTES);
        cm_make_halfspace(r_, inVec3(m, normal), d);
        m.leave();
        return getShape(m, r_, newShape());
      } finally { m.release(t); }
    },
    makeMesh(mesh) {
      const t = m.enter();
      try {
        const r_ = m.take(88);
        m.zero(r_, SHAPE_BYTES);
        cm_make_mesh(r_, mesh);
        m.leave();
        return getShape(m, r_, newShape());
      } finally { m.release(t); }
    },
    makeHeightField(heightField) {
      const t = m.enter();
      try {
        const r_ = m.take(88);
        m.zero(r_, SHAPE_BYTES);
        cm_make_height_field(r_, heightField);
        m.leave();
        return getShape(m, r_, newShape());
      } finally { m.release(t); }
    },
    makeCompound(compound) {
      const t = m.enter();
      try {
        const r_ = m.take(88);
        m.zero(r_, SHAPE_BYTES);
        cm_make_compound(r_, compound);
        m.leave();
        return getShape(m, r_, newShape());
      } finally { m.release(t); }
    },
    shapeCheck(shape) {
      const t = m.enter();
      try {
        const error = m.take(16);
        const r = cmd_shape_check(inShape(m, shape), error);
        m.leave();
        m.check(r, error);
      } finally { m.release(t); }
    },
    shapeBounds(shape, pose, out) {
      const t = m.enter();
      try {
        const out_ = m.take(48);
        cmd_shape_bounds(inShape(m, shape), inPose(m, pose), out_);
        m.leave();
        return getAabb(m, out_, out ?? newAabb());
      } finally { m.release(t); }
    },
    shapeScaled(shape, scale, out) {
      const t = m.enter();
      try {
        const out_ = m.take(88);
        const r = cmd_shape_scaled(inShape(m, shape), inVec3(m, scale), out_);
        m.leave();
        m.check(r, 0); return getShape(m, out_, out ?? newShape());
      } finally { m.release(t); }
    },
    shapeMass(shape, density, out) {
      const t = m.enter();
      try {
        const out_ = m.take(112);
        const r = cmd_shape_mass(inShape(m, shape), density, out_);
        m.leave();
        m.check(r, 0); return getMass(m, out_, out ?? newMass());
      } finally { m.release(t); }
    },
    massAdd(total, part, pose) {
      const t = m.enter();
      try {
        const io_ = inMass(m, total);
        cmd_mass_add(io_, inMass(m, part), inPose(m, pose));
        m.leave();
        getMass(m, io_, total);
      } finally { m.release(t); }
    },
    kindName(kind) {
      const t = m.enter();
      try {
        const r = cmd_kind_name(numberKind(kind));
        m.leave();
        return m.text(r);
      } finally { m.release(t); }
    },
    meshBuild(desc) {
      const t = m.enter();
      try {
        const made = m.take(8);
        const error = m.take(16);
        const r = cmd_mesh_build(inMeshDesc(m, desc), 0, made, error);
        m.leave();
        m.check(r, error); return m.u32[made >> 2]!;
      } finally { m.release(t); }
    },
    meshDestroy(mesh) {
      const t = m.enter();
      try {
        cmd_mesh_destroy(mesh, 0);
        m.leave();

      } finally { m.release(t); }
    },
    meshBytes(mesh) {
      const t = m.enter();
      try {
        const r = cmd_mesh_bytes(mesh);
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    meshGetInfo(mesh, out) {
      const t = m.enter();
      try {
        const out_ = m.take(120);
        cmd_mesh_get_info(mesh, out_);
        m.leave();
        return getMeshInfo(m, out_, out ?? newMeshInfo());
      } finally { m.release(t); }
    },
    meshPointCount(mesh) {
      const t = m.enter();
      try {
        const r = cmd_mesh_point_count(mesh);
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    meshTriangleCount(mesh) {
      const t = m.enter();
      try {
        const r = cmd_mesh_triangle_count(mesh);
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    meshPoints(mesh) {
      const t = m.enter();
      try {
        const r = cmd_mesh_points(mesh);
        m.leave();
        return m.f64.slice(r >>> 3, (r >>> 3) + 3 * cmd_mesh_point_count(mesh));
      } finally { m.release(t); }
    },
    meshCorners(mesh, triangle, out) {
      const t = m.enter();
      try {
        const n_out = 3;
        if (out) m.expect(out, n_out * 1, 'out');
        const p_out = out ? m.take(n_out * 4) : 0;
        cmd_mesh_corners(mesh, triangle, p_out);
        m.leave();
        if (out) m.copy_u32(p_out, n_out * 1, out);
      } finally { m.release(t); }
    },
    meshComponents(mesh, out) {
      const t = m.enter();
      try {
        const n_out = cmd_mesh_triangle_count(mesh);
        if (out) m.expect(out, n_out * 1, 'out');
        const p_out = out ? m.take(n_out * 4) : 0;
        cmd_mesh_components(mesh, p_out);
        m.leave();
        if (out) m.copy_u32(p_out, n_out * 1, out);
      } finally { m.release(t); }
    },
    meshTJunctions(mesh, tolerance) {
      const t = m.enter();
      try {
        const r = cmd_mesh_t_junctions(mesh, tolerance);
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    meshPosed(poseA, b, poseB, out) {
      const t = m.enter();
      try {
        const n_out = cmd_mesh_point_count(b);
        if (out) m.expect(out, n_out * 3, 'out');
        const p_out = out ? m.take(n_out * 24) : 0;
        cmd_mesh_posed(inPose(m, poseA), b, inPose(m, poseB), p_out);
        m.leave();
        if (out) m.copy_f64(p_out, n_out * 3, out);
      } finally { m.release(t); }
    },
    meshWinding(mesh, point) {
      const t = m.enter();
      try {
        const r = cmd_mesh_winding(mesh, inVec3(m, point), 0);
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    meshMovePoints(mesh, points) {
      const t = m.enter();
      try {
        m.expect(points, 3 * cmd_mesh_point_count(mesh), 'points');
        const r = cmd_mesh_move_points(mesh, m.put_f64(points), 0);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    heightFieldBuild(desc) {
      const t = m.enter();
      try {
        const made = m.take(8);
        const error = m.take(16);
        const r = cmd_height_field_build(inHeightFieldDesc(m, desc), 0, made, error);
        m.leave();
        m.check(r, error); return m.u32[made >> 2]!;
      } finally { m.release(t); }
    },
    heightFieldDestroy(field) {
      const t = m.enter();
      try {
        cmd_height_field_destroy(field, 0);
        m.leave();

      } finally { m.release(t); }
    },
    heightFieldBytes(field) {
      const t = m.enter();
      try {
        const r = cmd_height_field_bytes(field);
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    heightFieldGetInfo(field, out) {
      const t = m.enter();
      try {
        const out_ = m.take(72);
        cmd_height_field_get_info(field, out_);
        m.leave();
        return getHeightFieldInfo(m, out_, out ?? newHeightFieldInfo());
      } finally { m.release(t); }
    },
    heightFieldTriangle(field, triangle, out) {
      const t = m.enter();
      try {
        const out_ = m.take(72);
        const r = cmd_height_field_triangle(field, triangle, out_);
        m.leave();
        return r === 0 ? null : getTriangle(m, out_, out ?? newTriangle());
      } finally { m.release(t); }
    },
    hullBuild(desc) {
      const t = m.enter();
      try {
        const made = m.take(8);
        const error = m.take(16);
        const r = cmd_hull_build(inHullDesc(m, desc), 0, made, error);
        m.leave();
        m.check(r, error); return m.u32[made >> 2]!;
      } finally { m.release(t); }
    },
    hullDestroy(hull) {
      const t = m.enter();
      try {
        cmd_hull_destroy(hull, 0);
        m.leave();

      } finally { m.release(t); }
    },
    hullBytes(hull) {
      const t = m.enter();
      try {
        const r = cmd_hull_bytes(hull);
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    hullGetInfo(hull, out) {
      const t = m.enter();
      try {
        const out_ = m.take(200);
        cmd_hull_get_info(hull, out_);
        m.leave();
        return getHullInfo(m, out_, out ?? newHullInfo());
      } finally { m.release(t); }
    },
    hullVertexCount(hull) {
      const t = m.enter();
      try {
        const r = cmd_hull_vertex_count(hull);
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    hullFaceCount(hull) {
      const t = m.enter();
      try {
        const r = cmd_hull_face_count(hull);
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    hullVertices(hull) {
      const t = m.enter();
      try {
        const r = cmd_hull_vertices(hull);
        m.leave();
        return m.f64.slice(r >>> 3, (r >>> 3) + 3 * cmd_hull_vertex_count(hull));
      } finally { m.release(t); }
    },
    hullSources(hull) {
      const t = m.enter();
      try {
        const r = cmd_hull_sources(hull);
        m.leave();
        return m.u32.slice(r >>> 2, (r >>> 2) + 1 * cmd_hull_vertex_count(hull));
      } finally { m.release(t); }
    },
    hullGetFace(hull, face, out) {
      const t = m.enter();
      try {
        const out_ = m.take(48);
        cmd_hull_get_face(hull, face, out_);
        m.leave();
        return getHullFace(m, out_, out ?? newHullFace());
      } finally { m.release(t); }
    },
    hullEdgeFace(hull, halfEdge) {
      const t = m.enter();
      try {
        const r = cmd_hull_edge_face(hull, halfEdge);
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    hullSupport(hull, direction) {
      const t = m.enter();
      try {
        const r = cmd_hull_support(hull, inVec3(m, direction));
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    compoundBuild(desc) {
      const t = m.enter();
      try {
        const made = m.take(8);
        const error = m.take(16);
        const r = cmd_compound_build(inCompoundDesc(m, desc), 0, made, error);
        m.leave();
        m.check(r, error); return m.u32[made >> 2]!;
      } finally { m.release(t); }
    },
    compoundDestroy(compound) {
      const t = m.enter();
      try {
        cmd_compound_destroy(compound, 0);
        m.leave();

      } finally { m.release(t); }
    },
    compoundBytes(compound) {
      const t = m.enter();
      try {
        const r = cmd_compound_bytes(compound);
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    compoundGetInfo(compound, out) {
      const t = m.enter();
      try {
        const out_ = m.take(56);
        cmd_compound_get_info(compound, out_);
        m.leave();
        return getCompoundInfo(m, out_, out ?? newCompoundInfo());
      } finally { m.release(t); }
    },
    shapeTessellate(shape, desc, out) {
      const t = m.enter();
      try {
        const out_ = m.take(16);
        m.zero(out_, 16);
        const r = cmd_shape_tessellate(inShape(m, shape), desc ? inTessellateDesc(m, desc) : 0, 0, out_);
        m.leave();
        m.check(r, 0); try { return getTessellation(m, out_, out ?? newTessellation()); } finally { cmd_tessellation_destroy(out_, 0); }
      } finally { m.release(t); }
    },
    overlap(a, poseA, b, poseB) {
      const t = m.enter();
      try {
        const r = cmd_overlap(inShape(m, a), inPose(m, poseA), inShape(m, b), inPose(m, poseB));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    distance(a, poseA, b, poseB, maxDistance, out) {
      const t = m.enter();
      try {
        const out_ = out ? m.take(96) : 0;
        const r = cmd_distance(inShape(m, a), inPose(m, poseA), inShape(m, b), inPose(m, poseB), maxDistance ?? REAL_MAX, out_);
        m.leave();
        if (out && r !== REAL_MAX) getWitness(m, out_, out); return r;
      } finally { m.release(t); }
    },
    contact(a, poseA, b, poseB, margin, out, capacity) {
      const t = m.enter();
      try {
        const n_out = capacity;
        const p_out = out ? m.take(n_out * 552) : 0;
        const r = cmd_contact(inShape(m, a), inPose(m, poseA), inShape(m, b), inPose(m, poseB), margin, p_out, out ? capacity : 0);
        m.leave();
        if (out) fill(m, p_out, Math.min(r >>> 0, n_out), 552, getManifold, newManifold, out); return r;
      } finally { m.release(t); }
    },
    manifoldReduce(manifold, room) {
      const t = m.enter();
      try {
        const io_ = inManifold(m, manifold);
        cmd_manifold_reduce(io_, room);
        m.leave();
        getManifold(m, io_, manifold);
      } finally { m.release(t); }
    },
    overlapCached(a, poseA, b, poseB, cache) {
      const t = m.enter();
      try {
        const io_ = inPairCache(m, cache);
        const r = cmd_overlap_cached(inShape(m, a), inPose(m, poseA), inShape(m, b), inPose(m, poseB), io_);
        m.leave();
        getPairCache(m, io_, cache); return r !== 0;
      } finally { m.release(t); }
    },
    distanceCached(a, poseA, b, poseB, maxDistance, cache, out) {
      const t = m.enter();
      try {
        const io_ = inPairCache(m, cache);
        const out_ = out ? m.take(96) : 0;
        const r = cmd_distance_cached(inShape(m, a), inPose(m, poseA), inShape(m, b), inPose(m, poseB), maxDistance ?? REAL_MAX, io_, out_);
        m.leave();
        if (out && r !== REAL_MAX) getWitness(m, out_, out); getPairCache(m, io_, cache); return r;
      } finally { m.release(t); }
    },
    contactCached(a, poseA, b, poseB, margin, cache, out, capacity) {
      const t = m.enter();
      try {
        const io_ = inPairCache(m, cache);
        const n_out = capacity;
        const p_out = out ? m.take(n_out * 552) : 0;
        const r = cmd_contact_cached(inShape(m, a), inPose(m, poseA), inShape(m, b), inPose(m, poseB), margin, io_, p_out, out ? capacity : 0);
        m.leave();
        getPairCache(m, io_, cache); if (out) fill(m, p_out, Math.min(r >>> 0, n_out), 552, getManifold, newManifold, out); return r;
      } finally { m.release(t); }
    },
    meshCrossings(a, poseA, b, poseB, visit) {
      const t = m.enter();
      try {
        const r = cmd_mesh_crossings(inShape(m, a), inPose(m, poseA), inShape(m, b), inPose(m, poseB), visit ? m.trampoline('ii_i') : 0, visit ? m.callback((p0: number) => { const p0_ = getCrossing(m, p0, newCrossing()); const r = visit!(p0_); m.fresh();  return r ? 1 : 0; }, false) : 0);
        m.leave();
        return BigInt.asUintN(64, r);
      } finally { m.release(t); }
    },
    relationText(relation) {
      const t = m.enter();
      try {
        const r = cmd_relation_text(numberRelation(relation));
        m.leave();
        return m.text(r);
      } finally { m.release(t); }
    },
    meshRelation(a, poseA, b, poseB, tolerance, maxGap, out) {
      const t = m.enter();
      try {
        const out_ = m.take(96);
        const r = cmd_mesh_relation(inShape(m, a), inPose(m, poseA), inShape(m, b), inPose(m, poseB), tolerance ?? 0, maxGap ?? REAL_MAX, out_);
        m.leave();
        m.check(r, 0); return getRelationResult(m, out_, out ?? newRelationResult());
      } finally { m.release(t); }
    },
    meshInterference(a, poseA, b, poseB, out) {
      const t = m.enter();
      try {
        const out_ = m.take(88);
        const r = cmd_mesh_interference(inShape(m, a), inPose(m, poseA), inShape(m, b), inPose(m, poseB), out_);
        m.leave();
        m.check(r, 0); return getInterference(m, out_, out ?? newInterference());
      } finally { m.release(t); }
    },
    stepKindText(kind) {
      const t = m.enter();
      try {
        const r = cmd_step_kind_text(numberStepKind(kind));
        m.leave();
        return m.text(r);
      } finally { m.release(t); }
    },
    distanceObserved(a, poseA, b, poseB, maxDistance, step, out) {
      const t = m.enter();
      try {
        const out_ = out ? m.take(96) : 0;
        const r = cmd_distance_observed(inShape(m, a), inPose(m, poseA), inShape(m, b), inPose(m, poseB), maxDistance ?? REAL_MAX, m.trampoline('ii_'), m.callback((p0: number) => { const p0_ = getStep(m, p0, newStep()); step!(p0_); m.fresh();   }, false), out_);
        m.leave();
        if (out && r !== REAL_MAX) getWitness(m, out_, out); return r;
      } finally { m.release(t); }
    },
    contactObserved(a, poseA, b, poseB, margin, step, out, capacity) {
      const t = m.enter();
      try {
        const n_out = capacity;
        const p_out = out ? m.take(n_out * 552) : 0;
        const r = cmd_contact_observed(inShape(m, a), inPose(m, poseA), inShape(m, b), inPose(m, poseB), margin, m.trampoline('ii_'), m.callback((p0: number) => { const p0_ = getStep(m, p0, newStep()); step!(p0_); m.fresh();   }, false), p_out, out ? capacity : 0);
        m.leave();
        if (out) fill(m, p_out, Math.min(r >>> 0, n_out), 552, getManifold, newManifold, out); return r;
      } finally { m.release(t); }
    },
    rayFromSegment(segment) {
      const t = m.enter();
      try {
        const r_ = m.take(56);
        cm_ray_from_segment(r_, inSegment(m, segment));
        m.leave();
        return getRay(m, r_, newRay());
      } finally { m.release(t); }
    },
    rayIsValid(ray) {
      const t = m.enter();
      try {
        const r = cm_ray_is_valid(inRay(m, ray));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    raycast(ray, shape, pose, out) {
      const t = m.enter();
      try {
        const out_ = m.take(72);
        const r = cmd_raycast(inRay(m, ray), inShape(m, shape), inPose(m, pose), out_);
        m.leave();
        return r === 0 ? null : getRayHit(m, out_, out ?? newRayHit());
      } finally { m.release(t); }
    },
    raycastMany(rays, shape, pose, met, out) {
      const t = m.enter();
      try {
        const n_count = m.count(rays, 7, 'rays');
        const n_met = n_count;
        if (met) m.expect(met, n_met * 1, 'met');
        const p_met = met ? m.take(n_met * 1) : 0;
        const n_out = n_count;
        const p_out = out ? m.take(n_out * 72) : 0;
        if (out) m.zero(p_out, n_out * 72);
        const r = cmd_raycast_many(m.put_f64(rays), n_count, inShape(m, shape), inPose(m, pose), p_met, p_out);
        m.leave();
        if (met) m.copy_u8(p_met, n_met * 1, met); if (out) fill(m, p_out, n_out, 72, getRayHit, newRayHit, out); return r >>> 0;
      } finally { m.release(t); }
    },
    sweep(a, motionA, b, motionB, out) {
      const t = m.enter();
      try {
        const out_ = m.take(96);
        const r = cmd_sweep(inShape(m, a), inMotion(m, motionA), inShape(m, b), inMotion(m, motionB), out_);
        m.leave();
        return r === 0 ? null : getSweepHit(m, out_, out ?? newSweepHit());
      } finally { m.release(t); }
    },
    sweepLast(a, motionA, b, motionB) {
      const t = m.enter();
      try {
        const out_ = m.take(8);
        const r = cmd_sweep_last(inShape(m, a), inMotion(m, motionA), inShape(m, b), inMotion(m, motionB), out_);
        m.leave();
        return r === 0 ? null : m.f64[(out_) >> 3]!;
      } finally { m.release(t); }
    },
    motionAt(motion, u, out) {
      const t = m.enter();
      try {
        const out_ = m.take(56);
        cmd_motion_at(inMotion(m, motion), u, out_);
        m.leave();
        return getPose(m, out_, out ?? newPose());
      } finally { m.release(t); }
    },
    motionBetween(start, end, out) {
      const t = m.enter();
      try {
        const out_ = m.take(152);
        cmd_motion_between(inPose(m, start), inPose(m, end), out_);
        m.leave();
        return getMotion(m, out_, out ?? newMotion());
      } finally { m.release(t); }
    },
    sweepRefine(a, b, bounds, steps, tolerance, overlap, out) {
      const t = m.enter();
      try {
        const out_ = m.take(16);
        const r = cmd_sweep_refine(inMotion(m, a), inMotion(m, b), inInterval(m, bounds), steps, tolerance, m.trampoline('irii_i'), m.callback((p0: number, p1: number, p2: number) => { const p1_ = getPose(m, p1, newPose()); const p2_ = getPose(m, p2, newPose()); const r = overlap!(p0, p1_, p2_); m.fresh();  return r ? 1 : 0; }, false), out_);
        m.leave();
        return r === 0 ? null : getInterval(m, out_, out ?? newInterval());
      } finally { m.release(t); }
    },
    sweepPointPoint(a, b, separation, tolerance, out) {
      const t = m.enter();
      try {
        const out_ = out ? m.take(136) : 0;
        const r = cmd_sweep_point_point(inPath(m, a), inPath(m, b), separation, tolerance, out_);
        m.leave();
        if (out && r !== 0 && r !== 4) getPathHit(m, out_, out); return namePathVerdict[r]!;
      } finally { m.release(t); }
    },
    sweepPointEdge(point, edge, separation, tolerance, out) {
      const t = m.enter();
      try {
        m.expect(edge, 6 * 2, 'edge');
        const out_ = out ? m.take(136) : 0;
        const r = cmd_sweep_point_edge(inPath(m, point), m.put_f64(edge), separation, tolerance, out_);
        m.leave();
        if (out && r !== 0 && r !== 4) getPathHit(m, out_, out); return namePathVerdict[r]!;
      } finally { m.release(t); }
    },
    sweepPointTriangle(point, triangle, separation, tolerance, out) {
      const t = m.enter();
      try {
        m.expect(triangle, 6 * 3, 'triangle');
        const out_ = out ? m.take(136) : 0;
        const r = cmd_sweep_point_triangle(inPath(m, point), m.put_f64(triangle), separation, tolerance, out_);
        m.leave();
        if (out && r !== 0 && r !== 4) getPathHit(m, out_, out); return namePathVerdict[r]!;
      } finally { m.release(t); }
    },
    sweepEdgeEdge(a, b, separation, tolerance, out) {
      const t = m.enter();
      try {
        m.expect(a, 6 * 2, 'a');
        m.expect(b, 6 * 2, 'b');
        const out_ = out ? m.take(136) : 0;
        const r = cmd_sweep_edge_edge(m.put_f64(a), m.put_f64(b), separation, tolerance, out_);
        m.leave();
        if (out && r !== 0 && r !== 4) getPathHit(m, out_, out); return namePathVerdict[r]!;
      } finally { m.release(t); }
    },
    gapPointPoint(a, b, out) {
      const t = m.enter();
      try {
        const out_ = m.take(272);
        const r = cmd_gap_point_point(inVec3(m, a), inVec3(m, b), out_);
        m.leave();
        return r === 0 ? null : getFeatureGap(m, out_, out ?? newFeatureGap());
      } finally { m.release(t); }
    },
    gapPointEdge(point, edge, out) {
      const t = m.enter();
      try {
        m.expect(edge, 3 * 2, 'edge');
        const out_ = m.take(272);
        const r = cmd_gap_point_edge(inVec3(m, point), m.put_f64(edge), out_);
        m.leave();
        return r === 0 ? null : getFeatureGap(m, out_, out ?? newFeatureGap());
      } finally { m.release(t); }
    },
    gapPointTriangle(point, triangle, out) {
      const t = m.enter();
      try {
        m.expect(triangle, 3 * 3, 'triangle');
        const out_ = m.take(272);
        const r = cmd_gap_point_triangle(inVec3(m, point), m.put_f64(triangle), out_);
        m.leave();
        return r === 0 ? null : getFeatureGap(m, out_, out ?? newFeatureGap());
      } finally { m.release(t); }
    },
    gapEdgeEdge(a, b, out) {
      const t = m.enter();
      try {
        m.expect(a, 3 * 2, 'a');
        m.expect(b, 3 * 2, 'b');
        const out_ = m.take(272);
        const r = cmd_gap_edge_edge(m.put_f64(a), m.put_f64(b), out_);
        m.leave();
        return r === 0 ? null : getFeatureGap(m, out_, out ?? newFeatureGap());
      } finally { m.release(t); }
    },
    meshSweepVertices(desc, out) {
      const t = m.enter();
      try {
        const out_ = m.take(168);
        const r = cmd_mesh_sweep_vertices(inMeshSweepDesc(m, desc), 0, out_);
        m.leave();
        m.check(r, 0); return getPathContact(m, out_, out ?? newPathContact());
      } finally { m.release(t); }
    },
    sphereIsValid(sphere) {
      const t = m.enter();
      try {
        const r = cmd_sphere_is_valid(inSphere(m, sphere));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    aabbIsValid(box) {
      const t = m.enter();
      try {
        const r = cmd_aabb_is_valid(inAabb(m, box));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    obbIsValid(box) {
      const t = m.enter();
      try {
        const r = cmd_obb_is_valid(inObb(m, box));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    planeIsValid(plane) {
      const t = m.enter();
      try {
        const r = cmd_plane_is_valid(inPlane(m, plane));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    capsuleIsValid(capsule) {
      const t = m.enter();
      try {
        const r = cmd_capsule_is_valid(inCapsule(m, capsule));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    segmentIsValid(segment) {
      const t = m.enter();
      try {
        const r = cmd_segment_is_valid(inSegment(m, segment));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    triangleIsValid(triangle) {
      const t = m.enter();
      try {
        const r = cmd_triangle_is_valid(inTriangle(m, triangle));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    frustumIsValid(frustum) {
      const t = m.enter();
      try {
        const r = cmd_frustum_is_valid(inFrustum(m, frustum));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    boundsSphere(sphere, out) {
      const t = m.enter();
      try {
        const out_ = m.take(48);
        cmd_bounds_sphere(inSphere(m, sphere), out_);
        m.leave();
        return getAabb(m, out_, out ?? newAabb());
      } finally { m.release(t); }
    },
    boundsObb(box, out) {
      const t = m.enter();
      try {
        const out_ = m.take(48);
        cmd_bounds_obb(inObb(m, box), out_);
        m.leave();
        return getAabb(m, out_, out ?? newAabb());
      } finally { m.release(t); }
    },
    boundsCapsule(capsule, out) {
      const t = m.enter();
      try {
        const out_ = m.take(48);
        cmd_bounds_capsule(inCapsule(m, capsule), out_);
        m.leave();
        return getAabb(m, out_, out ?? newAabb());
      } finally { m.release(t); }
    },
    boundsSegment(segment, out) {
      const t = m.enter();
      try {
        const out_ = m.take(48);
        cmd_bounds_segment(inSegment(m, segment), out_);
        m.leave();
        return getAabb(m, out_, out ?? newAabb());
      } finally { m.release(t); }
    },
    boundsTriangle(triangle, out) {
      const t = m.enter();
      try {
        const out_ = m.take(48);
        cmd_bounds_triangle(inTriangle(m, triangle), out_);
        m.leave();
        return getAabb(m, out_, out ?? newAabb());
      } finally { m.release(t); }
    },
    volumeSphere(sphere) {
      const t = m.enter();
      try {
        const r = cmd_volume_sphere(inSphere(m, sphere));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    volumeAabb(box) {
      const t = m.enter();
      try {
        const r = cmd_volume_aabb(inAabb(m, box));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    volumeObb(box) {
      const t = m.enter();
      try {
        const r = cmd_volume_obb(inObb(m, box));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    volumeCapsule(capsule) {
      const t = m.enter();
      try {
        const r = cmd_volume_capsule(inCapsule(m, capsule));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    areaSphere(sphere) {
      const t = m.enter();
      try {
        const r = cmd_area_sphere(inSphere(m, sphere));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    areaAabb(box) {
      const t = m.enter();
      try {
        const r = cmd_area_aabb(inAabb(m, box));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    areaObb(box) {
      const t = m.enter();
      try {
        const r = cmd_area_obb(inObb(m, box));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    areaCapsule(capsule) {
      const t = m.enter();
      try {
        const r = cmd_area_capsule(inCapsule(m, capsule));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    areaTriangle(triangle) {
      const t = m.enter();
      try {
        const r = cmd_area_triangle(inTriangle(m, triangle));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    aabbFromCenter(center, half) {
      const t = m.enter();
      try {
        const r_ = m.take(48);
        cm_aabb_from_center(r_, inVec3(m, center), inVec3(m, half));
        m.leave();
        return getAabb(m, r_, newAabb());
      } finally { m.release(t); }
    },
    aabbHalf(b) {
      const t = m.enter();
      try {
        const r_ = m.take(24);
        cm_aabb_half(r_, inAabb(m, b));
        m.leave();
        return getVec3(m, r_, newVec3());
      } finally { m.release(t); }
    },
    aabbContains(outer, inner) {
      const t = m.enter();
      try {
        const r = cm_aabb_contains(inAabb(m, outer), inAabb(m, inner));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    planeFromPoint(point, normal) {
      const t = m.enter();
      try {
        const r_ = m.take(32);
        cm_plane_from_point(r_, inVec3(m, point), inVec3(m, normal));
        m.leave();
        return getPlane(m, r_, newPlane());
      } finally { m.release(t); }
    },
    planeFromPoints(a, b, c, out) {
      const t = m.enter();
      try {
        const out_ = m.take(32);
        const r = cmd_plane_from_points(inVec3(m, a), inVec3(m, b), inVec3(m, c), out_);
        m.leave();
        return r === 0 ? null : getPlane(m, out_, out ?? newPlane());
      } finally { m.release(t); }
    },
    planeFromEquation(a, b, c, d, out) {
      const t = m.enter();
      try {
        const out_ = m.take(32);
        const r = cmd_plane_from_equation(a, b, c, d, out_);
        m.leave();
        return r === 0 ? null : getPlane(m, out_, out ?? newPlane());
      } finally { m.release(t); }
    },
    cornersAabb(box, out) {
      const t = m.enter();
      try {
        const n_out = 8;
        if (out) m.expect(out, n_out * 3, 'out');
        const p_out = out ? m.take(n_out * 24) : 0;
        cm_corners_aabb(inAabb(m, box), p_out);
        m.leave();
        if (out) m.copy_f64(p_out, n_out * 3, out);
      } finally { m.release(t); }
    },
    cornersObb(box, out) {
      const t = m.enter();
      try {
        const n_out = 8;
        if (out) m.expect(out, n_out * 3, 'out');
        const p_out = out ? m.take(n_out * 24) : 0;
        cmd_corners_obb(inObb(m, box), p_out);
        m.leave();
        if (out) m.copy_f64(p_out, n_out * 3, out);
      } finally { m.release(t); }
    },
    sphereFromAabb(box, out) {
      const t = m.enter();
      try {
        const out_ = m.take(32);
        cmd_sphere_from_aabb(inAabb(m, box), out_);
        m.leave();
        return getSphere(m, out_, out ?? newSphere());
      } finally { m.release(t); }
    },
    sphereUnion(a, b, out) {
      const t = m.enter();
      try {
        const out_ = m.take(32);
        cmd_sphere_union(inSphere(m, a), inSphere(m, b), out_);
        m.leave();
        return getSphere(m, out_, out ?? newSphere());
      } finally { m.release(t); }
    },
    sphereContains(outer, inner) {
      const t = m.enter();
      try {
        const r = cmd_sphere_contains(inSphere(m, outer), inSphere(m, inner));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    obbFromAabb(box, out) {
      const t = m.enter();
      try {
        const out_ = m.take(80);
        cmd_obb_from_aabb(inAabb(m, box), out_);
        m.leave();
        return getObb(m, out_, out ?? newObb());
      } finally { m.release(t); }
    },
    obbPosed(box, pose, out) {
      const t = m.enter();
      try {
        const out_ = m.take(80);
        cmd_obb_posed(inAabb(m, box), inPose(m, pose), out_);
        m.leave();
        return getObb(m, out_, out ?? newObb());
      } finally { m.release(t); }
    },
    aabbPosed(box, pose, out) {
      const t = m.enter();
      try {
        const out_ = m.take(48);
        cmd_aabb_posed(inAabb(m, box), inPose(m, pose), out_);
        m.leave();
        return getAabb(m, out_, out ?? newAabb());
      } finally { m.release(t); }
    },
    frustumFromMatrix(m_, depth, out) {
      const t = m.enter();
      try {
        m.expect(m_, 1 * 16, 'm_');
        const out_ = m.take(192);
        const r = cmd_frustum_from_matrix(m.put_f64(m_), numberClipDepth(depth), out_);
        m.leave();
        return r === 0 ? null : getFrustum(m, out_, out ?? newFrustum());
      } finally { m.release(t); }
    },
    distancePointPlane(point, plane) {
      const t = m.enter();
      try {
        const r = cm_distance_point_plane(inVec3(m, point), inPlane(m, plane));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    sidePointPlane(point, plane) {
      const t = m.enter();
      try {
        const r = cm_side_point_plane(inVec3(m, point), inPlane(m, plane));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    sideSpherePlane(a, b) {
      const t = m.enter();
      try {
        const r = cmd_side_sphere_plane(inSphere(m, a), inPlane(m, b));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    sideAabbPlane(a, b) {
      const t = m.enter();
      try {
        const r = cmd_side_aabb_plane(inAabb(m, a), inPlane(m, b));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    sideObbPlane(a, b) {
      const t = m.enter();
      try {
        const r = cmd_side_obb_plane(inObb(m, a), inPlane(m, b));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    sideTrianglePlane(a, b) {
      const t = m.enter();
      try {
        const r = cmd_side_triangle_plane(inTriangle(m, a), inPlane(m, b));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    overlapPointAabb(p_, box) {
      const t = m.enter();
      try {
        const r = cm_overlap_point_aabb(inVec3(m, p_), inAabb(m, box));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapPointFrustum(p_, frustum) {
      const t = m.enter();
      try {
        const r = cm_overlap_point_frustum(inVec3(m, p_), inFrustum(m, frustum));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapPointSphere(p_, sphere) {
      const t = m.enter();
      try {
        const r = cmd_overlap_point_sphere(inVec3(m, p_), inSphere(m, sphere));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapPointObb(p_, box) {
      const t = m.enter();
      try {
        const r = cmd_overlap_point_obb(inVec3(m, p_), inObb(m, box));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapPointCapsule(p_, capsule) {
      const t = m.enter();
      try {
        const r = cmd_overlap_point_capsule(inVec3(m, p_), inCapsule(m, capsule));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapPointTriangle(p_, triangle) {
      const t = m.enter();
      try {
        const r = cmd_overlap_point_triangle(inVec3(m, p_), inTriangle(m, triangle));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    distancePointSegment(p_, segment, closest) {
      const t = m.enter();
      try {
        const out_ = closest ? m.take(24) : 0;
        const r = cmd_distance_point_segment(inVec3(m, p_), inSegment(m, segment), out_);
        m.leave();
        if (closest && r !== REAL_MAX) getVec3(m, out_, closest); return r;
      } finally { m.release(t); }
    },
    distancePointTriangle(p_, triangle, closest) {
      const t = m.enter();
      try {
        const out_ = closest ? m.take(24) : 0;
        const r = cmd_distance_point_triangle(inVec3(m, p_), inTriangle(m, triangle), out_);
        m.leave();
        if (closest && r !== REAL_MAX) getVec3(m, out_, closest); return r;
      } finally { m.release(t); }
    },
    distancePointAabb(p_, box, closest) {
      const t = m.enter();
      try {
        const out_ = closest ? m.take(24) : 0;
        const r = cmd_distance_point_aabb(inVec3(m, p_), inAabb(m, box), out_);
        m.leave();
        if (closest && r !== REAL_MAX) getVec3(m, out_, closest); return r;
      } finally { m.release(t); }
    },
    distancePointObb(p_, box, closest) {
      const t = m.enter();
      try {
        const out_ = closest ? m.take(24) : 0;
        const r = cmd_distance_point_obb(inVec3(m, p_), inObb(m, box), out_);
        m.leave();
        if (closest && r !== REAL_MAX) getVec3(m, out_, closest); return r;
      } finally { m.release(t); }
    },
    cullSphereFrustum(a, b) {
      const t = m.enter();
      try {
        const r = cmd_cull_sphere_frustum(inSphere(m, a), inFrustum(m, b));
        m.leave();
        return nameCull[r]!;
      } finally { m.release(t); }
    },
    cullAabbFrustum(a, b) {
      const t = m.enter();
      try {
        const r = cmd_cull_aabb_frustum(inAabb(m, a), inFrustum(m, b));
        m.leave();
        return nameCull[r]!;
      } finally { m.release(t); }
    },
    cullObbFrustum(a, b) {
      const t = m.enter();
      try {
        const r = cmd_cull_obb_frustum(inObb(m, a), inFrustum(m, b));
        m.leave();
        return nameCull[r]!;
      } finally { m.release(t); }
    },
    overlapSphereSphere(a, b) {
      const t = m.enter();
      try {
        const r = cmd_overlap_sphere_sphere(inSphere(m, a), inSphere(m, b));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapSpherePlane(a, b) {
      const t = m.enter();
      try {
        const r = cmd_overlap_sphere_plane(inSphere(m, a), inPlane(m, b));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapSphereHalfspace(a, b) {
      const t = m.enter();
      try {
        const r = cmd_overlap_sphere_halfspace(inSphere(m, a), inPlane(m, b));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapSphereAabb(a, b) {
      const t = m.enter();
      try {
        const r = cmd_overlap_sphere_aabb(inSphere(m, a), inAabb(m, b));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapSphereObb(a, b) {
      const t = m.enter();
      try {
        const r = cmd_overlap_sphere_obb(inSphere(m, a), inObb(m, b));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapSphereCapsule(a, b) {
      const t = m.enter();
      try {
        const r = cmd_overlap_sphere_capsule(inSphere(m, a), inCapsule(m, b));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapSphereTriangle(a, b) {
      const t = m.enter();
      try {
        const r = cmd_overlap_sphere_triangle(inSphere(m, a), inTriangle(m, b));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapCapsuleCapsule(a, b) {
      const t = m.enter();
      try {
        const r = cmd_overlap_capsule_capsule(inCapsule(m, a), inCapsule(m, b));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapAabbAabb(a, b) {
      const t = m.enter();
      try {
        const r = cm_overlap_aabb_aabb(inAabb(m, a), inAabb(m, b));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapAabbPlane(a, b) {
      const t = m.enter();
      try {
        const r = cmd_overlap_aabb_plane(inAabb(m, a), inPlane(m, b));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapObbPlane(a, b) {
      const t = m.enter();
      try {
        const r = cmd_overlap_obb_plane(inObb(m, a), inPlane(m, b));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapObbObb(a, b) {
      const t = m.enter();
      try {
        const r = cmd_overlap_obb_obb(inObb(m, a), inObb(m, b));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    separateObbObb(a, b, axis) {
      const t = m.enter();
      try {
        const out_ = m.take(24);
        const r = cmd_separate_obb_obb(inObb(m, a), inObb(m, b), out_);
        m.leave();
        return r === 0 ? null : getVec3(m, out_, axis ?? newVec3());
      } finally { m.release(t); }
    },
    overlapTriangleTriangle(a, b) {
      const t = m.enter();
      try {
        const r = cmd_overlap_triangle_triangle(inTriangle(m, a), inTriangle(m, b));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    overlapTriangleAabb(a, b) {
      const t = m.enter();
      try {
        const r = cmd_overlap_triangle_aabb(inTriangle(m, a), inAabb(m, b));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    contactSphereSphere(a, b, out) {
      const t = m.enter();
      try {
        const out_ = m.take(552);
        const r = cmd_contact_sphere_sphere(inSphere(m, a), inSphere(m, b), out_);
        m.leave();
        return r === 0 ? null : getManifold(m, out_, out ?? newManifold());
      } finally { m.release(t); }
    },
    contactSpherePlane(a, b, out) {
      const t = m.enter();
      try {
        const out_ = m.take(552);
        const r = cmd_contact_sphere_plane(inSphere(m, a), inPlane(m, b), out_);
        m.leave();
        return r === 0 ? null : getManifold(m, out_, out ?? newManifold());
      } finally { m.release(t); }
    },
    contactSphereHalfspace(a, b, out) {
      const t = m.enter();
      try {
        const out_ = m.take(552);
        const r = cmd_contact_sphere_halfspace(inSphere(m, a), inPlane(m, b), out_);
        m.leave();
        return r === 0 ? null : getManifold(m, out_, out ?? newManifold());
      } finally { m.release(t); }
    },
    contactSphereAabb(a, b, out) {
      const t = m.enter();
      try {
        const out_ = m.take(552);
        const r = cmd_contact_sphere_aabb(inSphere(m, a), inAabb(m, b), out_);
        m.leave();
        return r === 0 ? null : getManifold(m, out_, out ?? newManifold());
      } finally { m.release(t); }
    },
    contactSphereObb(a, b, out) {
      const t = m.enter();
      try {
        const out_ = m.take(552);
        const r = cmd_contact_sphere_obb(inSphere(m, a), inObb(m, b), out_);
        m.leave();
        return r === 0 ? null : getManifold(m, out_, out ?? newManifold());
      } finally { m.release(t); }
    },
    contactAabbAabb(a, b, out) {
      const t = m.enter();
      try {
        const out_ = m.take(552);
        const r = cmd_contact_aabb_aabb(inAabb(m, a), inAabb(m, b), out_);
        m.leave();
        return r === 0 ? null : getManifold(m, out_, out ?? newManifold());
      } finally { m.release(t); }
    },
    contactSphereTriangle(a, b, out) {
      const t = m.enter();
      try {
        const out_ = m.take(552);
        const r = cmd_contact_sphere_triangle(inSphere(m, a), inTriangle(m, b), out_);
        m.leave();
        return r === 0 ? null : getManifold(m, out_, out ?? newManifold());
      } finally { m.release(t); }
    },
    contactCapsuleCapsule(a, b, out) {
      const t = m.enter();
      try {
        const out_ = m.take(552);
        const r = cmd_contact_capsule_capsule(inCapsule(m, a), inCapsule(m, b), out_);
        m.leave();
        return r === 0 ? null : getManifold(m, out_, out ?? newManifold());
      } finally { m.release(t); }
    },
    contactObbObb(a, b, out) {
      const t = m.enter();
      try {
        const out_ = m.take(552);
        const r = cmd_contact_obb_obb(inObb(m, a), inObb(m, b), out_);
        m.leave();
        return r === 0 ? null : getManifold(m, out_, out ?? newManifold());
      } finally { m.release(t); }
    },
    distanceSegmentSegment(a, b, out) {
      const t = m.enter();
      try {
        const out_ = out ? m.take(96) : 0;
        const r = cmd_distance_segment_segment(inSegment(m, a), inSegment(m, b), out_);
        m.leave();
        if (out && r !== REAL_MAX) getWitness(m, out_, out); return r;
      } finally { m.release(t); }
    },
    sweepAabbAabb(a, moveA, b, moveB, out) {
      const t = m.enter();
      try {
        const out_ = m.take(96);
        const r = cmd_sweep_aabb_aabb(inAabb(m, a), inVec3(m, moveA), inAabb(m, b), inVec3(m, moveB), out_);
        m.leave();
        return r === 0 ? null : getSweepHit(m, out_, out ?? newSweepHit());
      } finally { m.release(t); }
    },
    sweepSphereSphere(a, moveA, b, moveB, out) {
      const t = m.enter();
      try {
        const out_ = m.take(96);
        const r = cmd_sweep_sphere_sphere(inSphere(m, a), inVec3(m, moveA), inSphere(m, b), inVec3(m, moveB), out_);
        m.leave();
        return r === 0 ? null : getSweepHit(m, out_, out ?? newSweepHit());
      } finally { m.release(t); }
    },
    sweepSpherePlane(a, moveA, b, out) {
      const t = m.enter();
      try {
        const out_ = m.take(96);
        const r = cmd_sweep_sphere_plane(inSphere(m, a), inVec3(m, moveA), inPlane(m, b), out_);
        m.leave();
        return r === 0 ? null : getSweepHit(m, out_, out ?? newSweepHit());
      } finally { m.release(t); }
    },
    sweepSphereHalfspace(a, moveA, b, out) {
      const t = m.enter();
      try {
        const out_ = m.take(96);
        const r = cmd_sweep_sphere_halfspace(inSphere(m, a), inVec3(m, moveA), inPlane(m, b), out_);
        m.leave();
        return r === 0 ? null : getSweepHit(m, out_, out ?? newSweepHit());
      } finally { m.release(t); }
    },
    sweepAabbPlane(a, moveA, b, out) {
      const t = m.enter();
      try {
        const out_ = m.take(96);
        const r = cmd_sweep_aabb_plane(inAabb(m, a), inVec3(m, moveA), inPlane(m, b), out_);
        m.leave();
        return r === 0 ? null : getSweepHit(m, out_, out ?? newSweepHit());
      } finally { m.release(t); }
    },
    sweepSphereAabb(a, moveA, b, moveB, out) {
      const t = m.enter();
      try {
        const out_ = m.take(96);
        const r = cmd_sweep_sphere_aabb(inSphere(m, a), inVec3(m, moveA), inAabb(m, b), inVec3(m, moveB), out_);
        m.leave();
        return r === 0 ? null : getSweepHit(m, out_, out ?? newSweepHit());
      } finally { m.release(t); }
    },
    sweepSphereObb(a, moveA, b, moveB, out) {
      const t = m.enter();
      try {
        const out_ = m.take(96);
        const r = cmd_sweep_sphere_obb(inSphere(m, a), inVec3(m, moveA), inObb(m, b), inVec3(m, moveB), out_);
        m.leave();
        return r === 0 ? null : getSweepHit(m, out_, out ?? newSweepHit());
      } finally { m.release(t); }
    },
    sweepSphereTriangle(a, moveA, b, moveB, out) {
      const t = m.enter();
      try {
        const out_ = m.take(96);
        const r = cmd_sweep_sphere_triangle(inSphere(m, a), inVec3(m, moveA), inTriangle(m, b), inVec3(m, moveB), out_);
        m.leave();
        return r === 0 ? null : getSweepHit(m, out_, out ?? newSweepHit());
      } finally { m.release(t); }
    },
    sweepSphereCapsule(a, moveA, b, moveB, out) {
      const t = m.enter();
      try {
        const out_ = m.take(96);
        const r = cmd_sweep_sphere_capsule(inSphere(m, a), inVec3(m, moveA), inCapsule(m, b), inVec3(m, moveB), out_);
        m.leave();
        return r === 0 ? null : getSweepHit(m, out_, out ?? newSweepHit());
      } finally { m.release(t); }
    },
    sweepCapsuleCapsule(a, moveA, b, moveB, out) {
      const t = m.enter();
      try {
        const out_ = m.take(96);
        const r = cmd_sweep_capsule_capsule(inCapsule(m, a), inVec3(m, moveA), inCapsule(m, b), inVec3(m, moveB), out_);
        m.leave();
        return r === 0 ? null : getSweepHit(m, out_, out ?? newSweepHit());
      } finally { m.release(t); }
    },
    sweepObbObb(a, moveA, b, moveB, out) {
      const t = m.enter();
      try {
        const out_ = m.take(96);
        const r = cmd_sweep_obb_obb(inObb(m, a), inVec3(m, moveA), inObb(m, b), inVec3(m, moveB), out_);
        m.leave();
        return r === 0 ? null : getSweepHit(m, out_, out ?? newSweepHit());
      } finally { m.release(t); }
    },
    raycastPlane(ray, plane, out) {
      const t = m.enter();
      try {
        const out_ = m.take(72);
        const r = cmd_raycast_plane(inRay(m, ray), inPlane(m, plane), out_);
        m.leave();
        return r === 0 ? null : getRayHit(m, out_, out ?? newRayHit());
      } finally { m.release(t); }
    },
    raycastSphere(ray, sphere, out) {
      const t = m.enter();
      try {
        const out_ = m.take(72);
        const r = cmd_raycast_sphere(inRay(m, ray), inSphere(m, sphere), out_);
        m.leave();
        return r === 0 ? null : getRayHit(m, out_, out ?? newRayHit());
      } finally { m.release(t); }
    },
    raycastAabb(ray, box, out) {
      const t = m.enter();
      try {
        const out_ = m.take(72);
        const r = cmd_raycast_aabb(inRay(m, ray), inAabb(m, box), out_);
        m.leave();
        return r === 0 ? null : getRayHit(m, out_, out ?? newRayHit());
      } finally { m.release(t); }
    },
    raycastObb(ray, box, out) {
      const t = m.enter();
      try {
        const out_ = m.take(72);
        const r = cmd_raycast_obb(inRay(m, ray), inObb(m, box), out_);
        m.leave();
        return r === 0 ? null : getRayHit(m, out_, out ?? newRayHit());
      } finally { m.release(t); }
    },
    raycastCapsule(ray, capsule, out) {
      const t = m.enter();
      try {
        const out_ = m.take(72);
        const r = cmd_raycast_capsule(inRay(m, ray), inCapsule(m, capsule), out_);
        m.leave();
        return r === 0 ? null : getRayHit(m, out_, out ?? newRayHit());
      } finally { m.release(t); }
    },
    raycastTriangle(ray, triangle, out) {
      const t = m.enter();
      try {
        const out_ = m.take(72);
        const r = cmd_raycast_triangle(inRay(m, ray), inTriangle(m, triangle), out_);
        m.leave();
        return r === 0 ? null : getRayHit(m, out_, out ?? newRayHit());
      } finally { m.release(t); }
    },
    raycastFrustum(ray, frustum, out) {
      const t = m.enter();
      try {
        const out_ = m.take(72);
        const r = cmd_raycast_frustum(inRay(m, ray), inFrustum(m, frustum), out_);
        m.leave();
        return r === 0 ? null : getRayHit(m, out_, out ?? newRayHit());
      } finally { m.release(t); }
    },
    fitAabb(points, out) {
      const t = m.enter();
      try {
        const out_ = m.take(48);
        const r = cmd_fit_aabb(inPoints(m, points), out_);
        m.leave();
        return r === 0 ? null : getAabb(m, out_, out ?? newAabb());
      } finally { m.release(t); }
    },
    fitAabbPosed(points, pose, out) {
      const t = m.enter();
      try {
        const out_ = m.take(48);
        const r = cmd_fit_aabb_posed(inPoints(m, points), inPose(m, pose), out_);
        m.leave();
        return r === 0 ? null : getAabb(m, out_, out ?? newAabb());
      } finally { m.release(t); }
    },
    fitSphereFromBox(points, out) {
      const t = m.enter();
      try {
        const out_ = m.take(32);
        const r = cmd_fit_sphere_from_box(inPoints(m, points), out_);
        m.leave();
        return r === 0 ? null : getSphere(m, out_, out ?? newSphere());
      } finally { m.release(t); }
    },
    fitSphereFromMean(points, out) {
      const t = m.enter();
      try {
        const out_ = m.take(32);
        const r = cmd_fit_sphere_from_mean(inPoints(m, points), out_);
        m.leave();
        return r === 0 ? null : getSphere(m, out_, out ?? newSphere());
      } finally { m.release(t); }
    },
    fitSphereAt(points, center, out) {
      const t = m.enter();
      try {
        const out_ = m.take(32);
        const r = cmd_fit_sphere_at(inPoints(m, points), inVec3(m, center), out_);
        m.leave();
        return r === 0 ? null : getSphere(m, out_, out ?? newSphere());
      } finally { m.release(t); }
    },
    fitSphereThrough(points, out) {
      const t = m.enter();
      try {
        m.expect(points, 3 * 4, 'points');
        const out_ = m.take(32);
        const r = cmd_fit_sphere_through(m.put_f64(points), out_);
        m.leave();
        return r === 0 ? null : getSphere(m, out_, out ?? newSphere());
      } finally { m.release(t); }
    },
    fitSphere(points, out) {
      const t = m.enter();
      try {
        const out_ = out ? m.take(32) : 0;
        const r = cmd_fit_sphere(inPoints(m, points), out_);
        m.leave();
        if (out && r !== 0) getSphere(m, out_, out); return r;
      } finally { m.release(t); }
    },
    fitObbPrincipal(points, out) {
      const t = m.enter();
      try {
        const out_ = m.take(80);
        const r = cmd_fit_obb_principal(inPoints(m, points), out_);
        m.leave();
        return r === 0 ? null : getObb(m, out_, out ?? newObb());
      } finally { m.release(t); }
    },
    fitObb(points, out) {
      const t = m.enter();
      try {
        const out_ = m.take(80);
        const r = cmd_fit_obb(inPoints(m, points), out_);
        m.leave();
        return r === 0 ? null : getObb(m, out_, out ?? newObb());
      } finally { m.release(t); }
    },
    fitCapsule(points, out) {
      const t = m.enter();
      try {
        const out_ = m.take(56);
        const r = cmd_fit_capsule(inPoints(m, points), out_);
        m.leave();
        return r === 0 ? null : getCapsule(m, out_, out ?? newCapsule());
      } finally { m.release(t); }
    },
    broadKindText(kind) {
      const t = m.enter();
      try {
        const r = cmd_broad_kind_text(numberBroadKind(kind));
        m.leave();
        return m.text(r);
      } finally { m.release(t); }
    },
    broadCreate(desc) {
      const t = m.enter();
      try {
        const made = m.take(8);
        const error = m.take(16);
        const r = cmd_broad_create(desc || m.tasks ? inBroadDesc(m, desc ?? {}) : 0, made, error);
        m.leave();
        m.check(r, error); return m.u32[made >> 2]!;
      } finally { m.release(t); }
    },
    broadDestroy(broad) {
      const t = m.enter();
      try {
        cmd_broad_destroy(broad);
        m.leave();

      } finally { m.release(t); }
    },
    broadAdd(broad, object) {
      const t = m.enter();
      try {
        const out_ = m.take(8);
        const r = cmd_broad_add(broad, inBroadObjectDesc(m, object), out_);
        m.leave();
        m.check(r, 0); return m.u32[(out_) >> 2]!;
      } finally { m.release(t); }
    },
    broadAddMany(broad, boxes, common, ids) {
      const t = m.enter();
      try {
        const n_count = m.count(boxes, 6, 'boxes');
        const n_ids = n_count;
        if (ids) m.expect(ids, n_ids * 1, 'ids');
        const p_ids = ids ? m.take(n_ids * 4) : 0;
        const r = cmd_broad_add_many(broad, m.put_f64(boxes), 0, n_count, common ? inBroadObjectDesc(m, common) : 0, p_ids);
        m.leave();
        m.check(r, 0); if (ids) m.copy_u32(p_ids, n_ids * 1, ids);
      } finally { m.release(t); }
    },
    broadMove(broad, id, box) {
      const t = m.enter();
      try {
        const r = cmd_broad_move(broad, id, inAabb(m, box));
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    broadMoveMany(broad, ids, boxes) {
      const t = m.enter();
      try {
        const n_count = m.count(ids, 1, 'ids');
        m.expect(boxes, n_count * 6, 'boxes');
        const r = cmd_broad_move_many(broad, m.put_u32(ids), m.put_f64(boxes), 0, n_count);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    broadRemove(broad, id) {
      const t = m.enter();
      try {
        const r = cmd_broad_remove(broad, id);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    broadSetFilter(broad, id, layer, mask) {
      const t = m.enter();
      try {
        const r = cmd_broad_set_filter(broad, id, layer, mask);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    broadSetFixed(broad, id, fixed) {
      const t = m.enter();
      try {
        const r = cmd_broad_set_fixed(broad, id, fixed ? 1 : 0);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    broadSetUser(broad, id, user) {
      const t = m.enter();
      try {
        const r = cmd_broad_set_user(broad, id, BigInt(user));
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    broadGet(broad, id, out) {
      const t = m.enter();
      try {
        const out_ = m.take(72);
        const r = cmd_broad_get(broad, id, out_);
        m.leave();
        m.check(r, 0); return getBroadObjectDesc(m, out_, out ?? newBroadObjectDesc());
      } finally { m.release(t); }
    },
    broadCount(broad) {
      const t = m.enter();
      try {
        const r = cmd_broad_count(broad);
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    broadUpdate(broad) {
      const t = m.enter();
      try {
        const r = cmd_broad_update(broad);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    broadFindPairs(broad, flags, out) {
      const t = m.enter();
      try {
        const out_ = m.take(8);
        const r = cmd_broad_find_pairs(broad, flags, out_);
        m.leave();
        m.check(r, 0); return getBroadPairView(m, out_, out ?? newBroadPairView());
      } finally { m.release(t); }
    },
    broadFindPairsBetween(broad, other, flags, out) {
      const t = m.enter();
      try {
        const out_ = m.take(8);
        const r = cmd_broad_find_pairs_between(broad, other, flags, out_);
        m.leave();
        m.check(r, 0); return getBroadPairView(m, out_, out ?? newBroadPairView());
      } finally { m.release(t); }
    },
    broadGetChanges(broad, out) {
      const t = m.enter();
      try {
        const out_ = m.take(16);
        const r = cmd_broad_get_changes(broad, out_);
        m.leave();
        m.check(r, 0); return getBroadChanges(m, out_, out ?? newBroadChanges());
      } finally { m.release(t); }
    },
    broadPairs(boxes, desc, out) {
      const t = m.enter();
      try {
        const n_count = m.count(boxes, 6, 'boxes');
        const out_ = m.take(12);
        m.zero(out_, 12);
        const r = cmd_broad_pairs(m.put_f64(boxes), n_count, desc || m.tasks ? inBroadPairsDesc(m, desc ?? {}) : 0, out_);
        m.leave();
        m.check(r, 0); try { return getBroadPairList(m, out_, out ?? newBroadPairList()); } finally { cmd_broad_pair_list_free(out_, 0); }
      } finally { m.release(t); }
    },
    broadPairsBetween(boxesA, boxesB, desc, out) {
      const t = m.enter();
      try {
        const n_countB = m.count(boxesB, 6, 'boxesB');
        const n_countA = m.count(boxesA, 6, 'boxesA');
        const out_ = m.take(12);
        m.zero(out_, 12);
        const r = cmd_broad_pairs_between(m.put_f64(boxesA), n_countA, m.put_f64(boxesB), n_countB, desc || m.tasks ? inBroadPairsDesc(m, desc ?? {}) : 0, out_);
        m.leave();
        m.check(r, 0); try { return getBroadPairList(m, out_, out ?? newBroadPairList()); } finally { cmd_broad_pair_list_free(out_, 0); }
      } finally { m.release(t); }
    },
    broadQueryBox(broad, box, mask, fn) {
      const t = m.enter();
      try {
        const r = cmd_broad_query_box(broad, inAabb(m, box), mask, m.trampoline('ii_i'), m.callback((p0: number) => {  const r = fn!(p0 >>> 0); m.fresh();  return r ? 1 : 0; }, false));
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    broadQueryPoint(broad, point, mask, fn) {
      const t = m.enter();
      try {
        const r = cmd_broad_query_point(broad, inVec3(m, point), mask, m.trampoline('ii_i'), m.callback((p0: number) => {  const r = fn!(p0 >>> 0); m.fresh();  return r ? 1 : 0; }, false));
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    broadQuerySphere(broad, center, radius, mask, fn) {
      const t = m.enter();
      try {
        const r = cmd_broad_query_sphere(broad, inVec3(m, center), radius, mask, m.trampoline('ii_i'), m.callback((p0: number) => {  const r = fn!(p0 >>> 0); m.fresh();  return r ? 1 : 0; }, false));
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    broadQueryHalfspace(broad, normal, d, mask, fn) {
      const t = m.enter();
      try {
        const r = cmd_broad_query_halfspace(broad, inVec3(m, normal), d, mask, m.trampoline('ii_i'), m.callback((p0: number) => {  const r = fn!(p0 >>> 0); m.fresh();  return r ? 1 : 0; }, false));
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    broadQueryFrustum(broad, normals, d, mask, fn) {
      const t = m.enter();
      try {
        const n_count = m.count(normals, 3, 'normals');
        m.expect(d, n_count * 1, 'd');
        const r = cmd_broad_query_frustum(broad, m.put_f64(normals), m.put_f64(d), n_count, mask, m.trampoline('ii_i'), m.callback((p0: number) => {  const r = fn!(p0 >>> 0); m.fresh();  return r ? 1 : 0; }, false));
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    broadRaycast(broad, origin, direction, limit, mask, fn) {
      const t = m.enter();
      try {
        const r = cmd_broad_raycast(broad, inVec3(m, origin), inVec3(m, direction), limit, mask, m.trampoline('iir_r'), m.callback((p0: number, p1: number) => {  const r = fn!(p0 >>> 0, p1); m.fresh();  return r; }, false));
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    broadSweep(broad, box, move, limit, mask, fn) {
      const t = m.enter();
      try {
        const r = cmd_broad_sweep(broad, inAabb(m, box), inVec3(m, move), limit, mask, m.trampoline('iir_r'), m.callback((p0: number, p1: number) => {  const r = fn!(p0 >>> 0, p1); m.fresh();  return r; }, false));
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    broadNearest(broad, point, maxDistance, mask, capacity, ids, distances) {
      const t = m.enter();
      try {
        const n_ids = capacity;
        if (ids) m.expect(ids, n_ids * 1, 'ids');
        const p_ids = ids ? m.take(n_ids * 4) : 0;
        const n_distances = capacity;
        if (distances) m.expect(distances, n_distances * 1, 'distances');
        const p_distances = distances ? m.take(n_distances * 8) : 0;
        const r = cmd_broad_nearest(broad, inVec3(m, point), maxDistance, mask, ids ? capacity : 0, p_ids, p_distances);
        m.leave();
        if (ids) m.copy_u32(p_ids, Math.min(r >>> 0, n_ids) * 1, ids); if (distances) m.copy_f64(p_distances, n_distances * 1, distances); return r >>> 0;
      } finally { m.release(t); }
    },
    broadGetStats(broad, out) {
      const t = m.enter();
      try {
        const out_ = m.take(48);
        cmd_broad_get_stats(broad, out_);
        m.leave();
        return getBroadStats(m, out_, out ?? newBroadStats());
      } finally { m.release(t); }
    },
    broadWalk(broad, fn) {
      const t = m.enter();
      try {
        cmd_broad_walk(broad, m.trampoline('iiii_i'), m.callback((p0: number, p1: number, p2: number) => { const p0_ = getAabb(m, p0, newAabb()); const r = fn!(p0_, p1, p2 >>> 0); m.fresh();  return r ? 1 : 0; }, false));
        m.leave();

      } finally { m.release(t); }
    },
    overlapMany(batch, out) {
      const t = m.enter();
      try {
        const n_out = (batch.pairs ? batch.pairs.length / 2 : batch.poses ? batch.poses.length / 7 : 0);
        if (out) m.expect(out, n_out * 1, 'out');
        const p_out = out ? m.take(n_out * 1) : 0;
        const error = m.take(16);
        const r = cmd_overlap_many(inBatch(m, batch), p_out, error);
        m.leave();
        m.check(r, error); if (out) m.copy_u8(p_out, n_out * 1, out);
      } finally { m.release(t); }
    },
    distanceMany(batch, maxDistance, distances, out) {
      const t = m.enter();
      try {
        const n_distances = (batch.pairs ? batch.pairs.length / 2 : batch.poses ? batch.poses.length / 7 : 0);
        if (distances) m.expect(distances, n_distances * 1, 'distances');
        const p_distances = distances ? m.take(n_distances * 8) : 0;
        const n_out = (batch.pairs ? batch.pairs.length / 2 : batch.poses ? batch.poses.length / 7 : 0);
        const p_out = out ? m.take(n_out * 96) : 0;
        if (out) m.zero(p_out, n_out * 96);
        const error = m.take(16);
        const r = cmd_distance_many(inBatch(m, batch), maxDistance ?? REAL_MAX, p_distances, p_out, error);
        m.leave();
        m.check(r, error); if (distances) m.copy_f64(p_distances, n_distances * 1, distances); if (out) fill(m, p_out, n_out, 96, getWitness, newWitness, out);
      } finally { m.release(t); }
    },
    contactMany(batch, margin, counts, out, capacity) {
      const t = m.enter();
      try {
        const n_counts = (batch.pairs ? batch.pairs.length / 2 : batch.poses ? batch.poses.length / 7 : 0);
        if (counts) m.expect(counts, n_counts * 1, 'counts');
        const p_counts = counts ? m.take(n_counts * 4) : 0;
        const n_out = capacity * (batch.pairs ? batch.pairs.length / 2 : batch.poses ? batch.poses.length / 7 : 0);
        const p_out = out ? m.take(n_out * 552) : 0;
        if (out) m.zero(p_out, n_out * 552);
        const error = m.take(16);
        const r = cmd_contact_many(inBatch(m, batch), margin, p_counts, p_out, capacity, error);
        m.leave();
        m.check(r, error); if (counts) m.copy_i32(p_counts, n_counts * 1, counts); if (out) fill(m, p_out, n_out, 552, getManifold, newManifold, out);
      } finally { m.release(t); }
    },
    sweepMany(batch, met, out) {
      const t = m.enter();
      try {
        const n_met = (batch.pairs ? batch.pairs.length / 2 : batch.motions ? batch.motions.length / 19 : 0);
        if (met) m.expect(met, n_met * 1, 'met');
        const p_met = met ? m.take(n_met * 1) : 0;
        const n_out = (batch.pairs ? batch.pairs.length / 2 : batch.motions ? batch.motions.length / 19 : 0);
        const p_out = out ? m.take(n_out * 96) : 0;
        if (out) m.zero(p_out, n_out * 96);
        const error = m.take(16);
        const r = cmd_sweep_many(inBatch(m, batch), p_met, p_out, error);
        m.leave();
        m.check(r, error); if (met) m.copy_u8(p_met, n_met * 1, met); if (out) fill(m, p_out, n_out, 96, getSweepHit, newSweepHit, out);
      } finally { m.release(t); }
    },
    worldCreate(desc) {
      const t = m.enter();
      try {
        const made = m.take(8);
        const error = m.take(16);
        const r = cmd_world_create(desc || m.tasks ? inWorldDesc(m, desc ?? {}) : 0, made, error);
        m.leave();
        m.check(r, error); return m.u32[made >> 2]!;
      } finally { m.release(t); }
    },
    worldDestroy(world) {
      const t = m.enter();
      try {
        cmd_world_destroy(world);
        m.leave();

      } finally { m.release(t); }
    },
    worldAdd(world, object) {
      const t = m.enter();
      try {
        const out_ = m.take(8);
        const error = m.take(16);
        const r = cmd_world_add(world, inWorldObjectDesc(m, object), out_, error);
        m.leave();
        m.check(r, error); return m.u32[(out_) >> 2]!;
      } finally { m.release(t); }
    },
    worldRemove(world, id) {
      const t = m.enter();
      try {
        const r = cmd_world_remove(world, id);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    worldSetPose(world, id, pose) {
      const t = m.enter();
      try {
        const r = cmd_world_set_pose(world, id, inPose(m, pose));
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    worldSetMotion(world, id, motion) {
      const t = m.enter();
      try {
        const r = cmd_world_set_motion(world, id, motion ? inMotion(m, motion) : 0);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    worldSetShape(world, id, shape) {
      const t = m.enter();
      try {
        const error = m.take(16);
        const r = cmd_world_set_shape(world, id, inShape(m, shape), error);
        m.leave();
        m.check(r, error);
      } finally { m.release(t); }
    },
    worldSetFilter(world, id, layer, mask, group) {
      const t = m.enter();
      try {
        const r = cmd_world_set_filter(world, id, layer, mask, group);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    worldSetTrigger(world, id, trigger) {
      const t = m.enter();
      try {
        const r = cmd_world_set_trigger(world, id, trigger ? 1 : 0);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    worldSetFixed(world, id, fixed) {
      const t = m.enter();
      try {
        const r = cmd_world_set_fixed(world, id, fixed ? 1 : 0);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    worldSetSweep(world, id, mode) {
      const t = m.enter();
      try {
        const r = cmd_world_set_sweep(world, id, numberWorldSweepMode(mode));
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    worldSetUser(world, id, user) {
      const t = m.enter();
      try {
        const r = cmd_world_set_user(world, id, BigInt(user));
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    worldGet(world, id, out) {
      const t = m.enter();
      try {
        const out_ = m.take(184);
        const r = cmd_world_get(world, id, out_);
        m.leave();
        m.check(r, 0); return getWorldObjectDesc(m, out_, out ?? newWorldObjectDesc());
      } finally { m.release(t); }
    },
    worldGetPose(world, id, out) {
      const t = m.enter();
      try {
        const out_ = m.take(56);
        const r = cmd_world_get_pose(world, id, out_);
        m.leave();
        m.check(r, 0); return getPose(m, out_, out ?? newPose());
      } finally { m.release(t); }
    },
    worldGetMotion(world, id, out) {
      const t = m.enter();
      try {
        const out_ = m.take(152);
        const r = cmd_world_get_motion(world, id, out_);
        m.leave();
        m.check(r, 0); return getMotion(m, out_, out ?? newMotion());
      } finally { m.release(t); }
    },
    worldGetBox(world, id, out) {
      const t = m.enter();
      try {
        const out_ = m.take(48);
        const r = cmd_world_get_box(world, id, out_);
        m.leave();
        m.check(r, 0); return getAabb(m, out_, out ?? newAabb());
      } finally { m.release(t); }
    },
    worldCount(world) {
      const t = m.enter();
      try {
        const r = cmd_world_count(world);
        m.leave();
        return r >>> 0;
      } finally { m.release(t); }
    },
    worldGetIds(world, ids, capacity) {
      const t = m.enter();
      try {
        const n_ids = capacity;
        if (ids) m.expect(ids, n_ids * 1, 'ids');
        const p_ids = ids ? m.take(n_ids * 4) : 0;
        const r = cmd_world_get_ids(world, p_ids, ids ? capacity : 0);
        m.leave();
        if (ids) m.copy_u32(p_ids, Math.min(r >>> 0, n_ids) * 1, ids); return r >>> 0;
      } finally { m.release(t); }
    },
    worldGetBroad(world) {
      const t = m.enter();
      try {
        const r = cmd_world_get_broad(world);
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    worldUpdate(world, step) {
      const t = m.enter();
      try {
        const r = cmd_world_update(world, step ? inWorldStep(m, step) : 0);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    worldEventText(kind) {
      const t = m.enter();
      try {
        const r = cmd_world_event_text(numberWorldEventKind(kind));
        m.leave();
        return m.text(r);
      } finally { m.release(t); }
    },
    worldGetEvents(world, out) {
      const t = m.enter();
      try {
        const out_ = m.take(8);
        cmd_world_get_events(world, out_);
        m.leave();
        return getWorldEventView(m, out_, out ?? newWorldEventView());
      } finally { m.release(t); }
    },
    worldGetStats(world, out) {
      const t = m.enter();
      try {
        const out_ = m.take(40);
        cmd_world_get_stats(world, out_);
        m.leave();
        return getWorldStats(m, out_, out ?? newWorldStats());
      } finally { m.release(t); }
    },
    worldRaycast(world, ray, query, out) {
      const t = m.enter();
      try {
        const out_ = m.take(88);
        const r = cmd_world_raycast(world, inRay(m, ray), query ? inWorldQuery(m, query) : 0, out_);
        m.leave();
        return r === 0 ? null : getWorldRayHit(m, out_, out ?? newWorldRayHit());
      } finally { m.release(t); }
    },
    worldRaycastAny(world, ray, query) {
      const t = m.enter();
      try {
        const r = cmd_world_raycast_any(world, inRay(m, ray), query ? inWorldQuery(m, query) : 0);
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    worldRaycastAll(world, ray, query, out, capacity) {
      const t = m.enter();
      try {
        const n_out = capacity;
        const p_out = out ? m.take(n_out * 88) : 0;
        const r = cmd_world_raycast_all(world, inRay(m, ray), query ? inWorldQuery(m, query) : 0, p_out, out ? capacity : 0);
        m.leave();
        if (out) fill(m, p_out, Math.min(r >>> 0, n_out), 88, getWorldRayHit, newWorldRayHit, out); return r >>> 0;
      } finally { m.release(t); }
    },
    worldSweep(world, shape, motion, query, out) {
      const t = m.enter();
      try {
        const out_ = m.take(112);
        const r = cmd_world_sweep(world, inShape(m, shape), inMotion(m, motion), query ? inWorldQuery(m, query) : 0, out_);
        m.leave();
        return r === 0 ? null : getWorldSweepHit(m, out_, out ?? newWorldSweepHit());
      } finally { m.release(t); }
    },
    worldSweepAll(world, shape, motion, query, out, capacity) {
      const t = m.enter();
      try {
        const n_out = capacity;
        const p_out = out ? m.take(n_out * 112) : 0;
        const r = cmd_world_sweep_all(world, inShape(m, shape), inMotion(m, motion), query ? inWorldQuery(m, query) : 0, p_out, out ? capacity : 0);
        m.leave();
        if (out) fill(m, p_out, Math.min(r >>> 0, n_out), 112, getWorldSweepHit, newWorldSweepHit, out); return r >>> 0;
      } finally { m.release(t); }
    },
    worldOverlap(world, shape, pose, query, ids, capacity) {
      const t = m.enter();
      try {
        const n_ids = capacity;
        if (ids) m.expect(ids, n_ids * 1, 'ids');
        const p_ids = ids ? m.take(n_ids * 4) : 0;
        const r = cmd_world_overlap(world, inShape(m, shape), inPose(m, pose), query ? inWorldQuery(m, query) : 0, p_ids, ids ? capacity : 0);
        m.leave();
        if (ids) m.copy_u32(p_ids, Math.min(r >>> 0, n_ids) * 1, ids); return r >>> 0;
      } finally { m.release(t); }
    },
    worldOverlapPoint(world, point, query, ids, capacity) {
      const t = m.enter();
      try {
        const n_ids = capacity;
        if (ids) m.expect(ids, n_ids * 1, 'ids');
        const p_ids = ids ? m.take(n_ids * 4) : 0;
        const r = cmd_world_overlap_point(world, inVec3(m, point), query ? inWorldQuery(m, query) : 0, p_ids, ids ? capacity : 0);
        m.leave();
        if (ids) m.copy_u32(p_ids, Math.min(r >>> 0, n_ids) * 1, ids); return r >>> 0;
      } finally { m.release(t); }
    },
    worldQueryFrustum(world, frustum, query, ids, capacity) {
      const t = m.enter();
      try {
        const n_ids = capacity;
        if (ids) m.expect(ids, n_ids * 1, 'ids');
        const p_ids = ids ? m.take(n_ids * 4) : 0;
        const r = cmd_world_query_frustum(world, inFrustum(m, frustum), query ? inWorldQuery(m, query) : 0, p_ids, ids ? capacity : 0);
        m.leave();
        if (ids) m.copy_u32(p_ids, Math.min(r >>> 0, n_ids) * 1, ids); return r >>> 0;
      } finally { m.release(t); }
    },
    worldDistance(world, shape, pose, maxDistance, query, out) {
      const t = m.enter();
      try {
        const out_ = out ? m.take(112) : 0;
        const r = cmd_world_distance(world, inShape(m, shape), inPose(m, pose), maxDistance ?? REAL_MAX, query ? inWorldQuery(m, query) : 0, out_);
        m.leave();
        if (out && r !== REAL_MAX) getWorldNear(m, out_, out); return r;
      } finally { m.release(t); }
    },
    worldWhy(world, a, b) {
      const t = m.enter();
      try {
        const r = cmd_world_why(world, a, b);
        m.leave();
        return nameWorldReason[r]!;
      } finally { m.release(t); }
    },
    worldWhyText(reason) {
      const t = m.enter();
      try {
        const r = cmd_world_why_text(numberWorldReason(reason));
        m.leave();
        return m.text(r);
      } finally { m.release(t); }
    },
    worldSave(world, shapes, bytes, capacity) {
      const t = m.enter();
      try {
        const n_bytes = capacity;
        if (bytes) m.expect(bytes, n_bytes * 1, 'bytes');
        const p_bytes = bytes ? m.take(n_bytes * 1) : 0;
        const r = cmd_world_save(world, shapes ? inWorldShapes(m, shapes) : 0, p_bytes, bytes ? capacity : 0);
        m.leave();
        if (bytes) m.copy_u8(p_bytes, Math.min(r >>> 0, n_bytes) * 1, bytes); return r >>> 0;
      } finally { m.release(t); }
    },
    worldRestore(world, shapes, bytes) {
      const t = m.enter();
      try {
        const n_size = m.count(bytes, 1, 'bytes');
        const r = cmd_world_restore(world, shapes ? inWorldShapes(m, shapes) : 0, m.put_u8(bytes), n_size);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    worldHash(world) {
      const t = m.enter();
      try {
        const r = cmd_world_hash(world);
        m.leave();
        return BigInt.asUintN(64, r);
      } finally { m.release(t); }
    },
    moverCheck(mover) {
      const t = m.enter();
      try {
        const error = m.take(16);
        const r = cmd_mover_check(inMover(m, mover), error);
        m.leave();
        m.check(r, error);
      } finally { m.release(t); }
    },
    moverStep(mover, space, velocity, dt, out) {
      const t = m.enter();
      try {
        const io_ = inMover(m, mover);
        const out_ = m.take(704);
        const r = cmd_mover_step(io_, inMoverSpace(m, space), inVec3(m, velocity), dt, out_);
        m.leave();
        m.check(r, 0); getMover(m, io_, mover); return getMoverResult(m, out_, out ?? newMoverResult());
      } finally { m.release(t); }
    },
    moverFits(mover, space, shape, pose) {
      const t = m.enter();
      try {
        const r = cmd_mover_fits(inMover(m, mover), inMoverSpace(m, space), shape ? inShape(m, shape) : 0, pose ? inPose(m, pose) : 0);
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    moverSetShape(mover, space, shape) {
      const t = m.enter();
      try {
        const io_ = inMover(m, mover);
        const r = cmd_mover_set_shape(io_, inMoverSpace(m, space), inShape(m, shape));
        m.leave();
        getMover(m, io_, mover); return r !== 0;
      } finally { m.release(t); }
    },
    moverTeleport(mover, space, pose) {
      const t = m.enter();
      try {
        const io_ = inMover(m, mover);
        const r = cmd_mover_teleport(io_, inMoverSpace(m, space), inPose(m, pose));
        m.leave();
        getMover(m, io_, mover); return r !== 0;
      } finally { m.release(t); }
    },
    moverPush(hit, mass, bodyMass, bodyVelocity, impulse) {
      const t = m.enter();
      try {
        const out_ = m.take(24);
        cmd_mover_push(inMoverHit(m, hit), mass, bodyMass, inVec3(m, bodyVelocity), out_);
        m.leave();
        return getVec3(m, out_, impulse ?? newVec3());
      } finally { m.release(t); }
    },
    responseFromName(name) {
      const t = m.enter();
      try {
        const out_ = m.take(8);
        const r = cmd_response_from_name(m.putText(name), out_);
        m.leave();
        return r === 0 ? null : m.u32[(out_) >> 2]!;
      } finally { m.release(t); }
    },
    responseName(response) {
      const t = m.enter();
      try {
        const r = cmd_response_name(response);
        m.leave();
        return m.text(r);
      } finally { m.release(t); }
    },
    dynamicsCreate(world, desc) {
      const t = m.enter();
      try {
        const made = m.take(8);
        const r = cmd_dynamics_create(world, desc ? inDynamicsDesc(m, desc) : 0, made);
        m.leave();
        m.check(r, 0); return m.u32[made >> 2]!;
      } finally { m.release(t); }
    },
    dynamicsDestroy(dynamics) {
      const t = m.enter();
      try {
        cmd_dynamics_destroy(dynamics);
        m.leave();

      } finally { m.release(t); }
    },
    dynamicsAdd(dynamics, id, body) {
      const t = m.enter();
      try {
        const r = cmd_dynamics_add(dynamics, id, inBodyDesc(m, body));
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    dynamicsRemove(dynamics, id) {
      const t = m.enter();
      try {
        const r = cmd_dynamics_remove(dynamics, id);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    dynamicsSetVelocity(dynamics, id, velocity, spin) {
      const t = m.enter();
      try {
        const r = cmd_dynamics_set_velocity(dynamics, id, inVec3(m, velocity), inVec3(m, spin));
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    dynamicsApplyForce(dynamics, id, force) {
      const t = m.enter();
      try {
        const r = cmd_dynamics_apply_force(dynamics, id, inVec3(m, force));
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    dynamicsApplyForceAt(dynamics, id, force, point) {
      const t = m.enter();
      try {
        const r = cmd_dynamics_apply_force_at(dynamics, id, inVec3(m, force), inVec3(m, point));
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    dynamicsApplyTorque(dynamics, id, torque) {
      const t = m.enter();
      try {
        const r = cmd_dynamics_apply_torque(dynamics, id, inVec3(m, torque));
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    dynamicsApplyImpulse(dynamics, id, impulse) {
      const t = m.enter();
      try {
        const r = cmd_dynamics_apply_impulse(dynamics, id, inVec3(m, impulse));
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    dynamicsApplyImpulseAt(dynamics, id, impulse, point) {
      const t = m.enter();
      try {
        const r = cmd_dynamics_apply_impulse_at(dynamics, id, inVec3(m, impulse), inVec3(m, point));
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    dynamicsApplyAngularImpulse(dynamics, id, impulse) {
      const t = m.enter();
      try {
        const r = cmd_dynamics_apply_angular_impulse(dynamics, id, inVec3(m, impulse));
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    dynamicsGet(dynamics, id, out) {
      const t = m.enter();
      try {
        const out_ = m.take(144);
        const r = cmd_dynamics_get(dynamics, id, out_);
        m.leave();
        m.check(r, 0); return getBodyState(m, out_, out ?? newBodyState());
      } finally { m.release(t); }
    },
    dynamicsSetResponse(dynamics, kind, other, response) {
      const t = m.enter();
      try {
        const r = cmd_dynamics_set_response(dynamics, kind, other, response);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    dynamicsStep(dynamics, dt) {
      const t = m.enter();
      try {
        const r = cmd_dynamics_step(dynamics, dt);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    dynamicsHash(dynamics) {
      const t = m.enter();
      try {
        const r = cmd_dynamics_hash(dynamics);
        m.leave();
        return BigInt.asUintN(64, r);
      } finally { m.release(t); }
    },
    dynamicsSave(dynamics, shapes, bytes, capacity) {
      const t = m.enter();
      try {
        const n_bytes = capacity;
        if (bytes) m.expect(bytes, n_bytes * 1, 'bytes');
        const p_bytes = bytes ? m.take(n_bytes * 1) : 0;
        const r = cmd_dynamics_save(dynamics, shapes ? inWorldShapes(m, shapes) : 0, p_bytes, bytes ? capacity : 0);
        m.leave();
        if (bytes) m.copy_u8(p_bytes, Math.min(r >>> 0, n_bytes) * 1, bytes); return r >>> 0;
      } finally { m.release(t); }
    },
    dynamicsRestore(dynamics, shapes, bytes) {
      const t = m.enter();
      try {
        const n_size = m.count(bytes, 1, 'bytes');
        const r = cmd_dynamics_restore(dynamics, shapes ? inWorldShapes(m, shapes) : 0, m.put_u8(bytes), n_size);
        m.leave();
        m.check(r, 0);
      } finally { m.release(t); }
    },
    checkMatches(pattern, path) {
      const t = m.enter();
      try {
        const r = cmd_check_matches(m.putText(pattern), m.putText(path));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    checkSelects(selector, part) {
      const t = m.enter();
      try {
        const r = cmd_check_selects(m.putText(selector), inCheckPart(m, part));
        m.leave();
        return r !== 0;
      } finally { m.release(t); }
    },
    findingKindText(kind) {
      const t = m.enter();
      try {
        const r = cmd_finding_kind_text(numberFindingKind(kind));
        m.leave();
        return m.text(r);
      } finally { m.release(t); }
    },
    findingText(finding) {
      const t = m.enter();
      try {
        const r = cmd_finding_text(inFinding(m, finding));
        m.leave();
        return m.text(r);
      } finally { m.release(t); }
    },
    checkTestKindText(kind) {
      const t = m.enter();
      try {
        const r = cmd_check_test_kind_text(numberCheckTestKind(kind));
        m.leave();
        return m.text(r);
      } finally { m.release(t); }
    },
    checkSeverityText(severity) {
      const t = m.enter();
      try {
        const r = cmd_check_severity_text(numberCheckSeverity(severity));
        m.leave();
        return m.text(r);
      } finally { m.release(t); }
    },
    checkChoose(parts, selector, bit, sides) {
      const t = m.enter();
      try {
        const n_count = parts.length;
        const n_sides = n_count;
        if (sides) m.expect(sides, n_sides * 1, 'sides');
        const p_sides = sides ? m.put_u8(sides) : 0;
        const r = cmd_check_choose(m.putAll(parts, 200, putCheckPart), n_count, m.putText(selector), bit, p_sides);
        m.leave();
        if (sides) m.copy_u8(p_sides, n_sides * 1, sides); return r >>> 0;
      } finally { m.release(t); }
    },
    checkTolerance(a, b) {
      const t = m.enter();
      try {
        const r = cmd_check_tolerance(inCheckPart(m, a), inCheckPart(m, b));
        m.leave();
        return r;
      } finally { m.release(t); }
    },
    checkParts(desc, out) {
      const t = m.enter();
      try {
        const out_ = m.take(96);
        m.zero(out_, 96);
        const error = m.take(16);
        const r = cmd_check_parts(inCheckDesc(m, desc), 0, out_, error);
        m.leave();
        m.check(r, error); try { return getCheckResult(m, out_, out ?? newCheckResult()); } finally { cmd_check_result_destroy(out_, 0); }
      } finally { m.release(t); }
    },
    checkCompare(before, now, beforeOf) {
      const t = m.enter();
      try {
        const n_nowCount = now.length;
        const n_beforeCount = before.length;
        const n_beforeOf = n_nowCount;
        if (beforeOf) m.expect(beforeOf, n_beforeOf * 1, 'beforeOf');
        const p_beforeOf = beforeOf ? m.take(n_beforeOf * 4) : 0;
        const r = cmd_check_compare(m.putAll(before, 320, putFinding), n_beforeCount, m.putAll(now, 320, putFinding), n_nowCount, 0, p_beforeOf);
        m.leave();
        m.check(r, 0); if (beforeOf) m.copy_u32(p_beforeOf, n_beforeOf * 1, beforeOf);
      } finally { m.release(t); }
    },
    checkGroupFindings(findings, keys, partCount, out) {
      const t = m.enter();
      try {
        const n_count = findings.length;
        m.expect(keys, 1 * partCount, 'keys');
        const out_ = m.take(16);
        m.zero(out_, 16);
        const r = cmd_check_group_findings(m.putAll(findings, 320, putFinding), n_count, keys ? m.put_u32(keys) : 0, partCount, 0, out_);
        m.leave();
        m.check(r, 0); try { return getCheckGroups(m, out_, out ?? newCheckGroups()); } finally { cmd_check_groups_destroy(out_, 0); }
      } finally { m.release(t); }
    },
    checkNearest(desc, out) {
      const t = m.enter();
      try {
        const out_ = m.take(320);
        const error = m.take(16);
        const r = cmd_check_nearest(inCheckDesc(m, desc), 0, out_, error);
        m.leave();
        m.check(r, error); return getFinding(m, out_, out ?? newFinding());
      } finally { m.release(t); }
    },
    selftest() {
      const t = m.enter();
      try {
        const error = m.take(16);
        const r = cmd_selftest(error);
        m.leave();
        m.check(r, error);
      } finally { m.release(t); }
    },
  };
}
