/// <reference lib="esnext.disposable" preserve="true" />
/* The library as JavaScript reads it: shapes, the queries between two of them, and what makes the rest. */
import { PlainShape } from './owner.js';
import type { Pool } from './pool.js';
import { Memory, type Exports } from './memory.js';
import { Compound, Custom, HeightField, Hull, Mesh, type Child, type HeightFieldOptions, type HullOptions, type MeshOptions, type Support } from './shapes.js';
import { Broad, Dynamics, Mover, World, asVec3, type MoverOptions, type WorldOptions } from './world.js';
import { describe, type CheckOptions } from './check.js';
import { distanceMany, raycastMany, sweepMany, type Distances, type RayHits, type SweepHits } from './many.js';
import { constants } from './generated/types.js';
import type {
  Aabb, Api, Batch, BroadDesc, CheckGroups, CheckPart, CheckResult, Finding, FindingLike, Manifold, MotionLike, Mover as MoverState, PoseLike, RayHit, RayLike,
  RealArray, RelationResult, Shape, Step, SweepHit, Vec3Like, Witness,
} from './generated/types.js';

/** One precision's bindings: generated/bind.f32.ts or bind.f64.ts. */
export interface Binding {
  bind(memory: Memory, exports: Exports): Api;
  REAL_MAX: number;
  PREFIX: string;
  SUPPORT: string;
  KIND_CUSTOM: number;
  SHAPE_BYTES: number;
  RealArray: { new (length: number): RealArray; BYTES_PER_ELEMENT: number };
  at: Record<string, Record<string, number>>;
  REAL_BYTES: 4 | 8;
  inBatch(memory: Memory, batch: Batch): number;
  inShape(memory: Memory, shape: Shape): number;
  inPose(memory: Memory, pose: PoseLike | null | undefined): number;
  newMover(): MoverState;
  newWorldNear(): { id: number; user: number; witness: Witness };
  newWitness(): Witness;
  newRayHit(): RayHit;
  newSweepHit(): SweepHit;
}

export class Carom implements Disposable {
  /** The whole of the library: every public function, as the headers have it, in JavaScript's terms. */
  readonly api: Api;
  readonly constants = constants;

  /** @internal */
  constructor(private readonly memory: Memory, private readonly binding: Binding, private readonly pool?: Pool) {
    this.api = binding.bind(memory, memory.exports);
  }
  /** How many threads compute, the one that calls among them: 1, but for the entries with threads. */
  get threads(): number { return this.pool?.count ?? 1; }
  /** Ends the threads. What was made stays usable, by the one that calls. */
  dispose(): void { this.pool?.end(); }
  [Symbol.dispose](): void { this.dispose(); }
  get version(): string { return this.api.version(); }
  /** 'float' or 'double'. */
  get precision(): 'float' | 'double' { return this.binding.RealArray.BYTES_PER_ELEMENT === 8 ? 'double' : 'float'; }
  /** Bytes that the module holds, free ones too: it never shrinks. */
  get memoryBytes(): number { return this.memory.u8.length; }
  /** Does the module compute what the library was tested to compute? Throws if not. */
  selftest(): void { this.api.selftest(); }

  /* --- shapes. Poses move them; they stand at their own origin --- */

  sphere(radius: number, center: Vec3Like = [0, 0, 0]): Shape { return this.checked(this.api.makeSphere(center, radius)); }
  point(point: Vec3Like): Shape { return this.checked(this.api.makePoint(point)); }
  /** All points within `radius` of the segment from a to b. */
  capsule(a: Vec3Like, b: Vec3Like, radius: number): Shape { return this.checked(this.api.makeCapsule(a, b, radius)); }
  segment(a: Vec3Like, b: Vec3Like): Shape { return this.checked(this.api.makeSegment(a, b)); }
  triangle(a: Vec3Like, b: Vec3Like, c: Vec3Like): Shape { return this.checked(this.api.makeTriangle(a, b, c)); }
  /** `half` is half the size along each axis; `radius` rounds it, and makes it larger by that. */
  box(half: Vec3Like, radius = 0): Shape { return this.checked(this.api.makeRoundedBox(half, radius)); }
  /** Around the z axis, from -halfHeight to halfHeight. */
  cylinder(radius: number, halfHeight: number): Shape { return this.checked(this.api.makeCylinder(radius, halfHeight)); }
  /** Around the z axis, its apex at halfHeight. */
  cone(radius: number, halfHeight: number): Shape { return this.checked(this.api.makeCone(radius, halfHeight)); }
  ellipsoid(half: Vec3Like): Shape { return this.checked(this.api.makeEllipsoid(half)); }
  /** All points with dot(normal, p) + d <= 0. */
  halfspace(normal: Vec3Like, d = 0): Shape { return this.checked(this.api.makeHalfspace(normal, d)); }
  /** The convex hull of points: x, y, z of each. */
  hull(points: ArrayLike<number>, options: HullOptions = {}): Hull { return new Hull(this.api, points, options); }
  mesh(options: MeshOptions): Mesh { return new Mesh(this.api, options); }
  heightField(options: HeightFieldOptions): HeightField { return new HeightField(this.api, options); }
  /** Several shapes as one. It keeps what they own alive. */
  compound(children: readonly Child[]): Compound { return new Compound(this.api, children); }
  /** A convex shape by its support function; no point of it is farther than `size` from `center`. */
  custom(support: Support, size: number, center: Vec3Like = [0, 0, 0]): Custom {
    const { at, SUPPORT, KIND_CUSTOM, RealArray } = this.binding, wide = RealArray.BYTES_PER_ELEMENT === 8, m = this.memory;
    return this.checked(new Custom(m, { at, kind: KIND_CUSTOM, signature: SUPPORT }, (p, values) => (wide ? m.f64.set(values, p >> 3) : m.f32.set(values, p >> 2)), support, asVec3(center), size));
  }
  private checked<S extends Shape>(shape: S): S {
    this.api.shapeCheck(shape);
    return shape;
  }

  /* --- two shapes. A pose is { position, rotation }, either may be left out, and so may the pose --- */

  /** Do they share a point? Touching counts. */
  overlap(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB?: PoseLike | null): boolean { return this.api.overlap(a, poseA, b, poseB); }
  /** > 0 the gap, <= 0 minus the depth; Infinity beyond `max`. `out` receives the points and the direction. */
  distance(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB?: PoseLike | null, out?: Witness, max = Infinity): number {
    const d = this.api.distance(a, poseA, b, poseB, Math.min(max, this.binding.REAL_MAX), out);
    return d === this.binding.REAL_MAX ? Infinity : d;
  }
  /** Where they touch, or are at most `margin` apart: a manifold a pair of parts, [] where they are farther apart. Given
   * a list, that is filled, with the objects that were in it. */
  contact(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB?: PoseLike | null, margin = 0, out: Manifold[] = []): Manifold[] {
    const count = this.api.contact(a, poseA, b, poseB, margin, out, this.manifolds);
    if (count <= this.manifolds) return out;
    this.api.contact(a, poseA, b, poseB, margin, out, count);
    this.manifolds = Math.min(count, 128);
    return out;
  }
  private manifolds = 16;
  /** `distance`, and every step of the search that finds it: simplex, polytope, bounds. Each step is an object of its
   * own, that stays what it is. */
  distanceObserved(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB: PoseLike | null | undefined, step: (step: Step) => void, out?: Witness, max = Infinity): number {
    const d = this.api.distanceObserved(a, poseA, b, poseB, Math.min(max, this.binding.REAL_MAX), step, out);
    return d === this.binding.REAL_MAX ? Infinity : d;
  }
  /** `contact`, and every step: those of the distance, then clipping, then the points, all and those that are kept. */
  contactObserved(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB: PoseLike | null | undefined, margin: number, step: (step: Step) => void, out: Manifold[] = []): Manifold[] {
    const count = this.api.contactObserved(a, poseA, b, poseB, margin, step, out, this.manifolds);
    return count <= this.manifolds ? out : this.contact(a, poseA, b, poseB, margin, out);
  }
  /** When do they first touch within one step? Motions are { start, move, spin, pivot, accelerate }; null: they do not. */
  sweep(a: Shape, motionA: MotionLike, b: Shape, motionB: MotionLike = {}, out?: SweepHit): SweepHit | null { return this.api.sweep(a, motionA, b, motionB, out); }
  /** How two meshes relate: separated, touching, crossing, one inside the other, identical; how deep, and where. */
  relation(a: Mesh, poseA: PoseLike | null | undefined, b: Mesh, poseB?: PoseLike | null, tolerance = 0): RelationResult {
    return this.api.meshRelation(a, poseA, b, poseB, tolerance);
  }
  /** Where a ray { origin, direction, max } meets a shape, or null. */
  raycast(ray: RayLike, shape: Shape, pose?: PoseLike | null, out?: RayHit): RayHit | null { return this.api.raycast(ray, shape, pose, out); }
  /** The smallest axis-aligned box around a shape. */
  bounds(shape: Shape, pose?: PoseLike | null, out?: Aabb): Aabb { return this.api.shapeBounds(shape, pose, out); }

  /** Objects for results, to be made once and handed over as `out`. */
  newWitness(): Witness { return this.binding.newWitness(); }
  newRayHit(): RayHit { return this.binding.newRayHit(); }
  newSweepHit(): SweepHit { return this.binding.newSweepHit(); }

  /* --- batches: a call of many, over typed arrays. A batch is { shapes, shapeOf, poses, pairs, one }: object i has pose
   * i (seven numbers: position, rotation) and shape shapeOf[i]; without `pairs` (two objects each), object `one` is
   * asked against each. Each answer is that of the single call, to the bit --- */

  /** Many rays, seven numbers each: origin, direction, max. Answers how many meet the shape. */
  raycastMany(rays: ArrayLike<number>, shape: Shape, pose: PoseLike | null | undefined, out: RayHits): number {
    return raycastMany(this.binding, this.memory, rays, shape, pose, out);
  }
  /** 1 a pair that overlaps, else 0. Answers how many do. */
  overlapMany(batch: Batch, out: Uint8Array): number {
    this.api.overlapMany(batch, out);
    const count = (batch.pairs ? batch.pairs.length / 2 : (batch.poses?.length ?? 0) / 7);
    let overlapping = 0;
    for (let i = 0; i < count; i++) overlapping += out[i]!;
    return overlapping;
  }
  /** Signed distances, and if asked for points and normals; Infinity beyond `max`. */
  distanceMany(batch: Batch, out: Distances, max = Infinity): void { distanceMany(this.binding, this.memory, batch, out, max); }
  /** How many manifolds each pair has, and up to `capacity` of them: those of pair i from manifolds[i * capacity] on.
   * The list is filled with the objects that were in it. */
  contactMany(batch: Batch, margin: number, counts: Int32Array, manifolds: Manifold[] | null = null, capacity = manifolds ? 1 : 0): void {
    this.api.contactMany(batch, margin, counts, manifolds, capacity);
  }
  /** When the two of each pair first touch. In place of poses the batch has `motions`, of 19 numbers: start (position,
   * rotation), move, spin, pivot, accelerate. Answers how many meet. */
  sweepMany(batch: Batch, out: SweepHits): number { return sweepMany(this.binding, this.memory, batch, out); }

  /* --- the check of many parts --- */

  /** All pairs of parts that cross, lie in one another, are identical, touch, or are nearer than the clearance, the
   * gravest first. Given a result, that is filled, with the objects that were in it. */
  check(options: CheckOptions, out?: CheckResult): CheckResult { return this.api.checkParts(describe(options), out); }
  /** The nearest two of the parts, or the two that are deepest in one another. */
  checkNearest(options: CheckOptions, out?: Finding): Finding { return this.api.checkNearest(describe(options), out); }
  /** Which findings were there before? For each of `now` its number in `before`, or 0xffffffff where it is new. */
  compareFindings(before: readonly FindingLike[], now: readonly FindingLike[], out = new Uint32Array(now.length)): Uint32Array {
    this.api.checkCompare(before, now, out);
    return out;
  }
  /** Findings that have something in common: with `keys` (a number a part) those of the same two, without one part
   * against many. Groups are four numbers each: keyA, keyB, and of `members` the first and how many. */
  groupFindings(findings: readonly FindingLike[], parts: number, keys: ArrayLike<number> | null = null, out?: CheckGroups): CheckGroups {
    return this.api.checkGroupFindings(findings, keys, parts, out);
  }
  /** Does a selector ("engine/bolt*", "class=IfcWall* & storey=EG") choose the part? */
  selects(selector: string, part: CheckPart): boolean { return this.api.checkSelects(selector, part); }

  /* --- many objects --- */

  /** Objects with poses and motions: events, queries, snapshots. */
  world(options: WorldOptions = {}): World { return new World(this.api, this.memory, this.binding, options); }
  /** Boxes alone: which pairs overlap. */
  broad(options: BroadDesc = {}): Broad { return new Broad(this.api, this.memory, this.binding, options); }
  /** A character that walks through a world or a mesh. */
  mover(options: MoverOptions): Mover { return new Mover(this.api, this.binding, options); }
  /** Velocities, masses and gravity for the objects of a world. */
  dynamics(world: World, gravity: Vec3Like = [0, 0, 0]): Dynamics { return new Dynamics(this.api, world, gravity); }
}

/** A library of its own. The module's imports are callbacks, one for each signature: all of them find the caller's
 * function by their first argument, so they are one function here, and nothing is compiled later.
 * @internal */
export async function start(module: WebAssembly.Module, binding: Binding): Promise<Carom> {
  let memory: Memory;
  const call = (slot: number, a: number, b: number, c: number, d: number): number => memory.dispatch(slot, a, b, c, d);
  const calls = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, call]));
  const { exports } = await WebAssembly.instantiate(module, { carom: calls });
  memory = new Memory(exports as Exports, exports.memory as WebAssembly.Memory, (words) => new PlainShape(words));
  return new Carom(memory, binding);
}
