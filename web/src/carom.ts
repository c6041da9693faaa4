/* The library as JavaScript reads it: shapes, the queries between two of them, and what makes the rest. */
import { PlainShape } from './owner.js';
import { Memory, type Exports } from './memory.js';
import { Compound, Custom, HeightField, Hull, Mesh, type Child, type HeightFieldOptions, type HullOptions, type MeshOptions, type Support } from './shapes.js';
import { Broad, Dynamics, Mover, World, asVec3, type MoverOptions, type WorldOptions } from './world.js';
import { constants } from './generated/types.js';
import type {
  Aabb, Api, BroadDesc, Manifold, MotionLike, Mover as MoverState, PoseLike, RayHit, RayLike, RealArray, RelationResult, Shape, Step, SweepHit, Vec3Like,
  Witness,
} from './generated/types.js';

/** One precision's bindings: generated/bind.f32.ts or bind.f64.ts. */
export interface Binding {
  bind(memory: Memory, exports: Exports): Api;
  REAL_MAX: number;
  PREFIX: string;
  KIND_CUSTOM: number;
  SHAPE_BYTES: number;
  RealArray: { new (length: number): RealArray; BYTES_PER_ELEMENT: number };
  at: Record<string, Record<string, number>>;
  inShape(memory: Memory, shape: Shape): number;
  inPose(memory: Memory, pose: PoseLike | null | undefined): number;
  newMover(): MoverState;
  newWorldNear(): { id: number; user: number; witness: Witness };
  newWitness(): Witness;
  newRayHit(): RayHit;
  newSweepHit(): SweepHit;
}

/** Where a batch of rays puts its answers; each array has room for all rays, and those left out are not filled. */
export interface RayHits {
  /** 1 where the ray meets the shape, else 0. */
  met: Uint8Array;
  /** Where it enters, in multiples of its direction; Infinity where it meets nothing. */
  t?: RealArray;
  points?: RealArray;
  normals?: RealArray;
  /** Triangle or child. */
  parts?: Uint32Array;
}

export class Carom {
  /** The whole of the library: every public function, as the headers have it, in JavaScript's terms. */
  readonly api: Api;
  readonly constants = constants;
  private readonly memory: Memory;

  /** @internal */
  constructor(instance: WebAssembly.Instance, private readonly binding: Binding) {
    const exports = instance.exports as Exports & { memory: unknown; __indirect_function_table: unknown };
    this.memory = new Memory(exports, exports.memory as unknown as WebAssembly.Memory, exports.__indirect_function_table as unknown as WebAssembly.Table,
      (words) => new PlainShape(words));
    this.api = binding.bind(this.memory, exports);
  }
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
    const { at, KIND_CUSTOM, RealArray } = this.binding, wide = RealArray.BYTES_PER_ELEMENT === 8, m = this.memory;
    return this.checked(new Custom(m, { at, kind: KIND_CUSTOM }, (p, values) => (wide ? m.f64.set(values, p >> 3) : m.f32.set(values, p >> 2)), support, asVec3(center), size));
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

  /* --- batches --- */

  /** Many rays, seven numbers each: origin, direction, max. Answers how many meet the shape. */
  raycastMany(rays: ArrayLike<number>, shape: Shape, pose: PoseLike | null | undefined, out: RayHits): number {
    const { memory: m, binding } = this, { at, PREFIX } = binding;
    const count = m.count(rays, 7, 'rays'), hit = at.rayHit!, wide = binding.RealArray.BYTES_PER_ELEMENT === 8;
    m.expect(out.met, count, 'met');
    m.expect(out.t, count, 't');
    m.expect(out.points, 3 * count, 'points');
    m.expect(out.normals, 3 * count, 'normals');
    m.expect(out.parts, count, 'parts');
    const details = !!(out.t || out.points || out.normals || out.parts);
    const t = m.enter();
    try {
      const from = wide ? m.put_f64(rays) : m.put_f32(rays), met = m.take(count), hits = details ? m.take(count * hit.size!) : 0;
      const found = m.call(`${PREFIX}raycast_many`, from, count, binding.inShape(m, shape), binding.inPose(m, pose), met, hits) >>> 0;
      m.leave();
      out.met.set(m.u8.subarray(met, met + count));
      if (!details) return found;
      const reals = wide ? m.f64 : m.f32, shift = wide ? 3 : 2;
      for (let i = 0; i < count; i++) {
        const p = hits + i * hit.size!, yes = out.met[i] === 1;
        if (out.t) out.t[i] = yes ? reals[(p + hit.t!) >> shift]! : Infinity;
        if (out.parts) out.parts[i] = yes ? m.u32[(p + hit.part!) >> 2]! : 0xffffffff;
        for (let k = 0; k < 3; k++) {
          if (out.points) out.points[3 * i + k] = yes ? reals[((p + hit.point!) >> shift) + k]! : 0;
          if (out.normals) out.normals[3 * i + k] = yes ? reals[((p + hit.normal!) >> shift) + k]! : 0;
        }
      }
      return found;
    } finally { m.release(t); }
  }
  /** One shape at many poses (seven numbers each: position, rotation) against another: 1 where they overlap, else 0.
   * Answers how many do. */
  overlapMany(a: Shape, posesA: ArrayLike<number>, b: Shape, poseB: PoseLike | null | undefined, out: Uint8Array): number {
    let overlapping = 0;
    this.atEach(posesA, 'overlap', a, b, poseB, (call, pa, pose, pb, at, i) => { overlapping += out[i] = call(pa, pose, pb, at) !== 0 ? 1 : 0; }, out);
    return overlapping;
  }
  /** The same for signed distances; Infinity beyond `max`. */
  distanceMany(a: Shape, posesA: ArrayLike<number>, b: Shape, poseB: PoseLike | null | undefined, out: RealArray, max = Infinity): void {
    const { REAL_MAX } = this.binding, most = Math.min(max, REAL_MAX);
    this.atEach(posesA, 'distance', a, b, poseB, (call, pa, pose, pb, at, i) => {
      const d = call(pa, pose, pb, at, most, 0);
      out[i] = d === REAL_MAX ? Infinity : d;
    }, out);
  }
  private atEach(poses: ArrayLike<number>, name: string, a: Shape, b: Shape, poseB: PoseLike | null | undefined,
    each: (call: (...args: any[]) => number, a: number, poseA: number, b: number, poseB: number, index: number) => void, out: ArrayLike<unknown>): void {
    const { memory: m, binding } = this, wide = binding.RealArray.BYTES_PER_ELEMENT === 8, bytes = wide ? 56 : 28;
    const count = m.count(poses, 7, 'poses'), call = m.exports[binding.PREFIX + name]!;
    m.expect(out, count, 'out');
    const t = m.enter();
    try {
      const from = wide ? m.put_f64(poses) : m.put_f32(poses), pa = binding.inShape(m, a), pb = binding.inShape(m, b), at = binding.inPose(m, poseB);
      for (let i = 0; i < count; i++) each(call, pa, from + i * bytes, pb, at, i);
      m.leave();
    } finally { m.release(t); }
  }

  /* --- many objects --- */

  /** Objects with poses and motions: events, queries, snapshots. */
  world(options: WorldOptions = {}): World { return new World(this.api, this.memory, this.binding, options); }
  /** Boxes alone: which pairs overlap. */
  broad(options: BroadDesc = {}): Broad { return new Broad(this.api, options); }
  /** A character that walks through a world or a mesh. */
  mover(options: MoverOptions): Mover { return new Mover(this.api, this.binding, options); }
  /** Velocities, masses and gravity for the objects of a world. */
  dynamics(world: World, gravity: Vec3Like = [0, 0, 0]): Dynamics { return new Dynamics(this.api, world, gravity); }
}

/** @internal */
export async function start(module: WebAssembly.Module, binding: Binding): Promise<Carom> {
  return new Carom(await WebAssembly.instantiate(module), binding);
}
