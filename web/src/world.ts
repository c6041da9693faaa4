/* Worlds, broad phases, movers and dynamics: classes over the functions of the same names in carom/*.h. */
import { Owner, giveBack, retain } from './owner.js';
import type { Memory } from './memory.js';
import type {
  Aabb, AabbLike, Api, BodyDesc, BodyState, BroadDesc, BroadStats, Frustum, Manifold, MotionLike, Mover as MoverState, MoverResult, Pose, PoseLike, RayHit,
  RayLike, RealArray, Shape, SweepHit, Vec3Like, Witness, WorldAnswer, WorldDesc, WorldEventKind, WorldHit, WorldReason, WorldStats, WorldSweepMode,
} from './generated/types.js';
import type { Binding } from './carom.js';

export interface WorldOptions extends Omit<WorldDesc, 'meet' | 'user'> {
  /** May the two meet? Asked once a step for each pair of overlapping boxes that the filters let through. */
  meet?: (a: number, b: number) => boolean;
}
export interface WorldObject {
  shape: Shape;
  pose?: PoseLike;
  /** Never paired with another fixed one, and has no motion. */
  fixed?: boolean;
  /** Stops nothing and has no contacts: gives 'entered' and 'left'. */
  trigger?: boolean;
  layer?: number;
  mask?: number;
  group?: number;
  sweep?: WorldSweepMode;
  /** Yours: events and hits have it. */
  user?: unknown;
}
/** What happened to a pair in the last update; `manifolds` as in `cm.contact`. */
export interface WorldEvent { kind: WorldEventKind; a: number; b: number; userA: unknown; userB: unknown; u: number; manifolds: Manifold[] }
export interface WorldRayHit extends RayHit { id: number; user: unknown }
export interface WorldSweepHit extends SweepHit { id: number; user: unknown }
export interface WorldNear extends Witness { id: number; user: unknown }
export interface Query {
  /** Only objects with a layer bit in it. */
  mask?: number;
  except?: number;
  /** Triggers too. */
  triggers?: boolean;
  /** Sweeps: only what the shape runs into. */
  blocking?: boolean;
  accept?: (id: number) => boolean;
}
export type HitCallback = (hit: WorldHit, restA: MotionLike, restB: MotionLike) => WorldAnswer;

export class World extends Owner {
  private readonly shapes = new Map<number, Shape>();
  private readonly users = new Map<number, unknown>();
  private removed: number[] = [];
  private readonly list: WorldEvent[] = [];
  private readonly view = { events: [] as any[] };
  private readonly readObject: (world: number, id: number, desc: number) => number;

  /** @internal */
  constructor(private readonly api: Api, private readonly memory: Memory, private readonly binding: Binding, options: WorldOptions) {
    const { meet, ...rest } = options;
    memory.takeKept();
    const address = api.worldCreate(meet ? { ...rest, meet: (_world, a, b) => meet(a, b) } : rest);
    const slot = memory.takeKept(), shapes = new Map<number, Shape>();
    super('world', address, (p) => {
      api.worldDestroy(p);
      for (const shape of shapes.values()) giveBack(shape);
      if (slot) memory.forget(slot);
    });
    this.shapes = shapes;
    this.readObject = memory.exports[`${binding.PREFIX}world_get`]!;
  }
  /** Adds an object, and answers its id. */
  add(object: WorldObject): number {
    const { user, ...rest } = object;
    const id = this.api.worldAdd(this.pointer, rest);
    retain(object.shape);
    this.shapes.set(id, object.shape);
    if (user !== undefined) this.users.set(id, user);
    return id;
  }
  /** Takes an object out; its contacts end at the next update, whose events still know it. */
  remove(id: number): void {
    this.api.worldRemove(this.pointer, id);
    this.removed.push(id);
  }
  /** Puts it elsewhere at once, sweeping nothing on the way. */
  setPose(id: number, pose: PoseLike): void { this.api.worldSetPose(this.pointer, id, pose); }
  /** How it moves in the coming step: `move`, `spin` (radians about an axis), `pivot`, `accelerate`. */
  setMotion(id: number, motion: MotionLike | null): void { this.api.worldSetMotion(this.pointer, id, motion); }
  setShape(id: number, shape: Shape): void {
    this.api.worldSetShape(this.pointer, id, shape);
    retain(shape);
    const old = this.shapes.get(id);
    if (old) giveBack(old);
    this.shapes.set(id, shape);
  }
  setFilter(id: number, layer: number, mask: number, group = 0): void { this.api.worldSetFilter(this.pointer, id, layer, mask, group); }
  setTrigger(id: number, trigger: boolean): void { this.api.worldSetTrigger(this.pointer, id, trigger); }
  setFixed(id: number, fixed: boolean): void { this.api.worldSetFixed(this.pointer, id, fixed); }
  setSweep(id: number, mode: WorldSweepMode): void { this.api.worldSetSweep(this.pointer, id, mode); }
  getPose(id: number, out?: Pose): Pose { return this.api.worldGetPose(this.pointer, id, out); }
  getBox(id: number, out?: Aabb): Aabb { return this.api.worldGetBox(this.pointer, id, out); }
  /** Is it 'fixed', a 'trigger' (fixed or not), or what 'moves'? */
  role(id: number): 'moves' | 'fixed' | 'trigger' {
    const m = this.memory, at = this.binding.at.worldObjectDesc!, t = m.enter();
    try {
      const desc = m.take(at.size!);
      m.check(this.readObject(this.pointer, id, desc), 0);
      return m.u8[desc + at.trigger!] ? 'trigger' : m.u8[desc + at.fixed!] ? 'fixed' : 'moves';
    } finally { m.release(t); }
  }
  /** The value that was given with the object. */
  user(id: number): unknown { return this.users.get(id); }
  /** The shape that was given with the object. */
  shape(id: number): Shape | undefined { return this.shapes.get(id); }
  get count(): number { return this.api.worldCount(this.pointer); }
  get ids(): Uint32Array {
    const ids = new Uint32Array(this.count);
    this.api.worldGetIds(this.pointer, ids, ids.length);
    return ids;
  }
  /** How `ids` come without a new array; answers how many there are, which may be more than have room. */
  idsInto(out: Uint32Array): number { return this.api.worldGetIds(this.pointer, out, out.length); }
  /** The boxes of its broad phase, as Broad.boxes. */
  boxes(out: RealArray): number { return boxesOf(this.binding, this.memory, this.api.worldGetBroad(this.pointer), out); }
  get stats(): WorldStats { return this.api.worldGetStats(this.pointer); }

  /** One step: everything moves by its motion; answers what happened. The list and its events are reused by the next
   * update. */
  update(hit?: HitCallback): readonly WorldEvent[] {
    this.api.worldUpdate(this.pointer, hit ? { hit: (_world, h, a, b) => hit(h, a, b) } : null);
    const list = this.events;
    for (const id of this.removed) this.forgetObject(id);
    this.removed.length = 0;
    return list;
  }
  /** What happened in the last update, or in the last step of dynamics. */
  get events(): readonly WorldEvent[] {
    const { events } = this.api.worldGetEvents(this.pointer, this.view);
    this.list.length = events.length;
    for (let i = 0; i < events.length; i++) {
      const event = events[i] as WorldEvent;
      event.userA = this.users.get(event.a);
      event.userB = this.users.get(event.b);
      this.list[i] = event;
    }
    return this.list;
  }
  private forgetObject(id: number): void {
    const shape = this.shapes.get(id);
    if (shape) giveBack(shape);
    this.shapes.delete(id);
    this.users.delete(id);
  }

  /** What a ray meets first. */
  raycast(ray: RayLike, query?: Query, out?: WorldRayHit): WorldRayHit | null {
    if (!this.api.worldRaycast(this.pointer, ray, asQuery(query), this.rayHit)) return null;
    const to = out ?? { id: 0, user: undefined, ...newHit() };
    to.id = this.rayHit.id;
    to.user = this.users.get(to.id);
    return copyHit(this.rayHit.hit, to);
  }
  /** Does a ray meet anything? */
  raycastAny(ray: RayLike, query?: Query): boolean { return this.api.worldRaycastAny(this.pointer, ray, asQuery(query)); }
  /** What a moving shape meets first. */
  sweep(shape: Shape, motion: MotionLike, query?: Query): WorldSweepHit | null {
    const hit = this.api.worldSweep(this.pointer, shape, motion, asQuery(query));
    return hit && { id: hit.id, user: this.users.get(hit.id), ...hit.hit };
  }
  /** The ids of the objects that share a point with the shape, ascending. */
  overlap(shape: Shape, pose?: PoseLike | null, query?: Query): number[] {
    return this.idsOf((ids) => this.api.worldOverlap(this.pointer, shape, pose, asQuery(query), ids, ids.length));
  }
  overlapPoint(point: Vec3Like, query?: Query): number[] {
    return this.idsOf((ids) => this.api.worldOverlapPoint(this.pointer, point, asQuery(query), ids, ids.length));
  }
  /** The objects that a frustum may show (`cm.api.frustumFromMatrix` makes one of a view-projection matrix). */
  inFrustum(frustum: Frustum, query?: Query): number[] {
    return this.idsOf((ids) => this.api.worldQueryFrustum(this.pointer, frustum, asQuery(query), ids, ids.length));
  }
  /** The object nearest to a shape, within `max`. */
  nearest(shape: Shape, pose?: PoseLike | null, max = Infinity, query?: Query): WorldNear | null {
    const out = this.binding.newWorldNear();
    const distance = this.api.worldDistance(this.pointer, shape, pose, Math.min(max, this.binding.REAL_MAX), asQuery(query), out);
    return distance === this.binding.REAL_MAX ? null : { id: out.id, user: this.users.get(out.id), ...out.witness };
  }
  /** Why two objects are no pair: 'layer', 'boxes', 'shapes' …; 'meet' where they are one. */
  why(a: number, b: number): WorldReason { return this.api.worldWhy(this.pointer, a, b); }

  /** The state as bytes; `shapes` are those that stand for themselves (meshes, hulls …), by their number. */
  save(shapes: readonly Shape[] = []): Uint8Array {
    const bytes = new Uint8Array(this.api.worldSave(this.pointer, { shapes }, null, 0));
    if (bytes.length === 0) throw new Error('a shape that owns memory must stand in `shapes`');
    this.api.worldSave(this.pointer, { shapes }, bytes, bytes.length);
    return bytes;
  }
  /** Makes it what was saved, ids included. Values of `user` stay with their ids. */
  restore(bytes: Uint8Array, shapes: readonly Shape[] = []): void {
    this.api.worldRestore(this.pointer, { shapes }, bytes);
    for (const shape of shapes) retain(shape); // until this world is gone
    for (const shape of this.shapes.values()) giveBack(shape);
    this.shapes.clear();
    shapes.forEach((shape, i) => this.shapes.set(-1 - i, shape));
  }
  /** Equal states have equal hashes, here and in native builds. */
  get hash(): bigint { return this.api.worldHash(this.pointer); }

  private readonly rayHit = { id: 0, user: 0, hit: newHit() };
  private idsOf(find: (ids: Uint32Array) => number): number[] {
    const count = find(idBuffer);
    if (count > idBuffer.length) {
      idBuffer = new Uint32Array(2 * count);
      find(idBuffer);
    }
    return Array.from(idBuffer.subarray(0, count));
  }
}
let idBuffer = new Uint32Array(256);
function newHit(): RayHit {
  return { t: 0, exit: 0, point: { x: 0, y: 0, z: 0 }, normal: { x: 0, y: 0, z: 0 }, inside: false, part: 0 };
}
function copyHit<T extends RayHit>(from: RayHit, to: T): T {
  to.t = from.t;
  to.exit = from.exit;
  to.point.x = from.point.x, to.point.y = from.point.y, to.point.z = from.point.z;
  to.normal.x = from.normal.x, to.normal.y = from.normal.y, to.normal.z = from.normal.z;
  to.inside = from.inside;
  to.part = from.part;
  return to;
}
function asQuery(query: Query | undefined) {
  if (!query) return null;
  const { accept, ...rest } = query;
  return accept ? { ...rest, accept: (_world: number, id: number) => accept(id) } : rest;
}

/** Many boxes: which pairs overlap, what a query meets. */
export class Broad extends Owner {
  /** @internal */
  constructor(private readonly api: Api, private readonly memory: Memory, private readonly binding: Binding, options: BroadDesc) {
    super('broad phase', api.broadCreate(options), (p) => api.broadDestroy(p));
  }
  add(box: AabbLike, options: { layer?: number; mask?: number; fixed?: boolean } = {}): number {
    return this.api.broadAdd(this.pointer, { ...options, box });
  }
  /** Six numbers a box, min and max; answers their ids. */
  addMany(boxes: ArrayLike<number>, ids = new Uint32Array(boxes.length / 6)): Uint32Array {
    this.api.broadAddMany(this.pointer, boxes, null, ids);
    return ids;
  }
  move(id: number, box: AabbLike): void { this.api.broadMove(this.pointer, id, box); }
  moveMany(ids: ArrayLike<number>, boxes: ArrayLike<number>): void { this.api.broadMoveMany(this.pointer, ids, boxes); }
  remove(id: number): void { this.api.broadRemove(this.pointer, id); }
  setFilter(id: number, layer: number, mask: number): void { this.api.broadSetFilter(this.pointer, id, layer, mask); }
  get count(): number { return this.api.broadCount(this.pointer); }
  get stats(): BroadStats { return this.api.broadGetStats(this.pointer); }
  /** Once a frame, after what moved has moved. */
  update(): void { this.api.broadUpdate(this.pointer); }
  /** All overlapping pairs, two ids a pair, the lower first. */
  pairs(sorted = false): Uint32Array {
    return this.api.broadFindPairs(this.pointer, sorted ? 1 : 0).pairs;
  }
  /** The pairs that began and ended at the last update (with the option `changes`). */
  changes(): { began: Uint32Array; ended: Uint32Array } {
    const { began, ended } = this.api.broadGetChanges(this.pointer);
    return { began: began.pairs, ended: ended.pairs };
  }
  /** Ids of the objects whose box shares a point with `box`. */
  queryBox(box: AabbLike, mask = 0): number[] { return gather((fn) => this.api.broadQueryBox(this.pointer, box, mask, fn)); }
  queryPoint(point: Vec3Like, mask = 0): number[] { return gather((fn) => this.api.broadQueryPoint(this.pointer, point, mask, fn)); }
  querySphere(center: Vec3Like, radius: number, mask = 0): number[] { return gather((fn) => this.api.broadQuerySphere(this.pointer, center, radius, mask, fn)); }
  /** Boxes that a ray meets, front to back: `hit(id, t)` answers how far to look on. */
  raycast(origin: Vec3Like, direction: Vec3Like, limit: number, hit: (id: number, t: number) => number, mask = 0): number {
    return this.api.broadRaycast(this.pointer, origin, direction, limit, mask, hit);
  }
  /** The boxes of the structure, parents before children, to be drawn: six numbers each, min and max, into `out`.
   * Answers how many boxes there are, which may be more than have room. */
  boxes(out: RealArray): number { return boxesOf(this.binding, this.memory, this.pointer, out); }
  /** Every box of the structure, with its depth and how many objects it has. */
  walk(visit: (box: Aabb, depth: number, objects: number) => boolean): void { this.api.broadWalk(this.pointer, visit); }
}
/** Straight from the module's memory, as a structure may have very many boxes. */
function boxesOf(binding: Binding, m: Memory, broad: number, out: RealArray): number {
  const min = binding.at.aabb!.min! / binding.REAL_BYTES, max = binding.at.aabb!.max! / binding.REAL_BYTES, t = m.enter();
  let count = 0;
  try {
    const visit = m.callback((box) => {
      const to = 6 * count++;
      if (to + 6 > out.length) return 1;
      const reals = binding.REAL_BYTES === 8 ? m.f64 : m.f32, from = box! / binding.REAL_BYTES;
      for (let k = 0; k < 3; k++) {
        out[to + k] = reals[from + min + k]!;
        out[to + 3 + k] = reals[from + max + k]!;
      }
      return 1;
    }, false);
    m.call(`${binding.PREFIX}broad_walk`, broad, m.trampoline('iiii_i'), visit);
    m.leave();
    return count;
  } finally { m.release(t); }
}
function gather(find: (fn: (id: number) => boolean) => void): number[] {
  const ids: number[] = [];
  find((id) => (ids.push(id), true));
  return ids;
}

export interface MoverOptions {
  /** Convex and bounded. */
  shape: Shape;
  pose?: PoseLike;
  up?: Vec3Like;
  skin?: number;
  stepUp?: number;
  stepDown?: number;
  /** The steepest firm ground, radians from the horizontal. */
  slope?: number;
}
/** Where a mover walks: a world, or one shape. */
export interface MoverSpace { world?: World; shape?: Shape; pose?: PoseLike; query?: Query }

/** A character that walks by what the player wants, not by forces: a plain state and `step`. */
export class Mover {
  /** Everything that it is; may be copied, saved, sent. */
  readonly state: MoverState;
  /** @internal */
  constructor(private readonly api: Api, binding: Binding, options: MoverOptions) {
    const m = (this.state = binding.newMover());
    const { shape, pose, up, ...rest } = options;
    m.shape = shape;
    m.pose.rotation.w = 1;
    Object.assign(m.pose.position, asVec3(pose?.position ?? [0, 0, 0]));
    if (pose?.rotation) { const q = pose.rotation; Object.assign(m.pose.rotation, 'x' in q ? q : { x: q[0], y: q[1], z: q[2], w: q[3] }); }
    Object.assign(m.up, asVec3(up ?? [0, 1, 0]));
    Object.assign(m, rest);
  }
  get pose(): Pose { return this.state.pose; }
  /** What it stands on: 'air', 'steep' or 'firm'. */
  get footing(): MoverState['ground']['kind'] { return this.state.ground.kind; }
  /** One step of `dt` seconds by `velocity`; answers what is left of it, and what was hit. */
  step(space: MoverSpace, velocity: Vec3Like, dt: number, out?: MoverResult): MoverResult {
    return this.api.moverStep(this.state, asSpace(space), velocity, dt, out);
  }
  /** Would it have room there? */
  fits(space: MoverSpace, shape?: Shape, pose?: PoseLike): boolean { return this.api.moverFits(this.state, asSpace(space), shape, pose); }
  /** Crouches or stands up: another shape with its lowest point at the same height. False where there is no room. */
  setShape(space: MoverSpace, shape: Shape): boolean { return this.api.moverSetShape(this.state, asSpace(space), shape); }
  teleport(space: MoverSpace, pose: PoseLike): boolean { return this.api.moverTeleport(this.state, asSpace(space), pose); }
}
function asSpace(space: MoverSpace) {
  return { world: space.world?.pointer, shape: space.shape, pose: space.pose, query: asQuery(space.query) ?? undefined };
}
export function asVec3(v: Vec3Like): { x: number; y: number; z: number } {
  return 'x' in v ? { x: v.x, y: v.y, z: v.z } : { x: v[0]!, y: v[1]!, z: v[2]! };
}

/** Velocities, masses and gravity for the objects of a world. */
export class Dynamics extends Owner {
  /** @internal */
  constructor(private readonly api: Api, readonly world: World, gravity: Vec3Like) {
    super('dynamics', api.dynamicsCreate(world.pointer, { gravity }), (p) => {
      api.dynamicsDestroy(p);
      world.giveBack();
    });
    world.retain();
  }
  /** Gives an object a body; responses are bits of `cm.constants.RESPONSE_*`. */
  add(id: number, body: BodyDesc): void { this.api.dynamicsAdd(this.pointer, id, body); }
  remove(id: number): void { this.api.dynamicsRemove(this.pointer, id); }
  setVelocity(id: number, velocity: Vec3Like, spin: Vec3Like = [0, 0, 0]): void { this.api.dynamicsSetVelocity(this.pointer, id, velocity, spin); }
  applyForce(id: number, force: Vec3Like): void { this.api.dynamicsApplyForce(this.pointer, id, force); }
  applyImpulse(id: number, impulse: Vec3Like, point?: Vec3Like): void {
    if (point) this.api.dynamicsApplyImpulseAt(this.pointer, id, impulse, point);
    else this.api.dynamicsApplyImpulse(this.pointer, id, impulse);
  }
  get(id: number, out?: BodyState): BodyState { return this.api.dynamicsGet(this.pointer, id, out); }
  /** A step of `dt` seconds, which updates the world; what happened are the world's events. */
  step(dt: number): void { this.api.dynamicsStep(this.pointer, dt); }
  get hash(): bigint { return this.api.dynamicsHash(this.pointer); }
}
