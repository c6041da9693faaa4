/* The shapes that own memory: what a mesh, a hull, a height field, a compound is built from, and what it knows. */
import { BuiltShape, giveBack, retain } from './owner.js';
import type { Memory } from './memory.js';
import type { Api, HullInfo, MeshInfo, CompoundInfo, HeightFieldInfo, PoseLike, RealArray, Shape, Vec3, Vec3Like } from './generated/types.js';

/** Points and triangles of a mesh. Arrays are copied. */
export interface MeshOptions {
  /** x, y, z of each point. */
  positions: ArrayLike<number>;
  /** Three a triangle, counter-clockwise seen from outside; left out: points 0 1 2, 3 4 5 … */
  indices?: ArrayLike<number> | null;
  /** Refuse unless closed; then the winding decides what is inside. Left out: a surface. */
  solid?: boolean;
  /** Points within this distance are joined; 0 or left out: only equal ones; below 0: none. */
  weld?: number;
  /** Reverse every triangle. */
  flip?: boolean;
  scale?: Vec3Like;
}

export class Mesh extends BuiltShape {
  /** @internal */
  constructor(private readonly api: Api, options: MeshOptions) {
    const { positions, indices, ...rest } = options;
    const address = api.meshBuild({ ...rest, points: positions, indices: indices ?? undefined });
    super('mesh', address, (p) => api.meshDestroy(p), api.makeMesh(address).words);
  }
  /** What the build found: open edges, components, volume … */
  get info(): MeshInfo { return this.api.meshGetInfo(this.pointer); }
  /** The points after welding, copied. */
  get points(): RealArray { return this.api.meshPoints(this.pointer); }
  /** Moves its points (as many as `points` has), and refits its tree. Worlds have its box from before: setShape. */
  movePoints(points: ArrayLike<number>): void { this.api.meshMovePoints(this.pointer, points); }
  /** How often it winds around a point of its own frame: 0 is outside. */
  winding(point: Vec3Like): number { return this.api.meshWinding(this.pointer, point); }
}

export interface HullOptions {
  /** At least 4; with a limit points may be left outside, by `info.loss` at most. */
  maxVertices?: number;
  merge?: number;
  scale?: Vec3Like;
}

export class Hull extends BuiltShape {
  /** @internal */
  constructor(private readonly api: Api, points: ArrayLike<number>, options: HullOptions) {
    const address = api.hullBuild({ ...options, points });
    super('hull', address, (p) => api.hullDestroy(p), api.makeHull(address).words);
  }
  get info(): HullInfo { return this.api.hullGetInfo(this.pointer); }
  /** x, y, z of each vertex, copied. */
  get vertices(): RealArray { return this.api.hullVertices(this.pointer); }
}

export interface HeightFieldOptions {
  /** A sample a column, row by row: reals, or 16 bit integers times `scale`. */
  heights: RealArray | Uint16Array | Int16Array | readonly number[];
  columns: number;
  rows: number;
  columnSpacing: number;
  rowSpacing: number;
  scale?: number;
  origin?: Vec3Like;
  /** The axes of columns and rows; 'xz' has y up. Left out: 'xz'. */
  ground?: 'xy' | 'yz' | 'zx' | 'yx' | 'zy' | 'xz';
  otherDiagonal?: boolean;
  /** A byte a cell: not 0 = a hole. */
  holes?: ArrayLike<number>;
}

export class HeightField extends BuiltShape {
  /** @internal */
  constructor(private readonly api: Api, options: HeightFieldOptions) {
    const address = api.heightFieldBuild({ ground: 'xz', ...options });
    super('height field', address, (p) => api.heightFieldDestroy(p), api.makeHeightField(address).words);
  }
  get info(): HeightFieldInfo { return this.api.heightFieldGetInfo(this.pointer); }
}

export interface Child { shape: Shape; pose?: PoseLike }

export class Compound extends BuiltShape {
  /** @internal */
  constructor(private readonly api: Api, children: readonly Child[]) {
    const address = api.compoundBuild({ children: children.map((c) => ({ ...c, pose: c.pose ?? {}, user: 0 })) });
    super('compound', address, (p) => {
      api.compoundDestroy(p);
      for (const c of children) giveBack(c.shape);
    }, api.makeCompound(address).words);
    for (const c of children) retain(c.shape);
  }
  get info(): CompoundInfo { return this.api.compoundGetInfo(this.pointer); }
}

/** A convex shape by its support function: the point farthest along a direction, written into `point`. */
export type Support = (direction: Float64Array, point: Float64Array) => void;

export class Custom extends BuiltShape {
  /** @internal */
  constructor(memory: Memory, layout: { at: Record<string, Record<string, number>>; kind: number; signature: string }, putReals: (p: number, values: readonly number[]) => void,
    support: Support, center: Vec3, size: number) {
    const direction = new Float64Array(3), point = new Float64Array(3);
    const slot = memory.callback((from, to) => {
      direction.set(memory.f64.subarray(from! >> 3, (from! >> 3) + 3));
      point.fill(0);
      support(direction, point);
      memory.fresh();
      memory.f64.set(point, to! >> 3);
    }, true);
    const shape = layout.at.shape!, custom = layout.at.custom!;
    const t = memory.enter(), p = memory.take(shape.size!);
    memory.zero(p, shape.size!);
    memory.u32[(p + shape.kind!) >> 2] = layout.kind;
    memory.u32[(p + shape.u! + custom.support!) >> 2] = memory.trampoline(layout.signature);
    memory.u32[(p + shape.u! + custom.user!) >> 2] = slot;
    putReals(p + shape.u! + custom.center!, [center.x, center.y, center.z]);
    putReals(p + shape.u! + custom.size!, [size]);
    const words = memory.u32.slice(p >> 2, (p + shape.size!) >> 2);
    memory.release(t);
    super('custom shape', slot, (s) => memory.forget(s), words);
  }
}
