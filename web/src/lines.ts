/* Debug drawing for three.js: shapes, contacts, and the boxes of broad phases as one LineSegments.
 *
 * It is filled anew each frame, after erase(), into the same two attributes: what has been drawn once is drawn again
 * without a new object. The attributes double where the segments have no room. Edges of a shape are found once, in its
 * own frame, and kept as long as the shape is. */
import { BufferAttribute, BufferGeometry, Color as ThreeColor, DynamicDrawUsage, LineBasicMaterial, LineSegments } from 'three';
import type { Carom } from './carom.js';
import type { Broad, World } from './world.js';
import type { AabbLike, Manifold, Pose, PoseLike, QuatLike, Shape, Vec3Like } from './generated/types.js';

/** 0xrrggbb, as three has it. */
export type Color = number;
export interface DebugOptions {
  /** Segments that have room at first; 1024. */
  capacity?: number;
  /** Around a full circle of what is round; 16. */
  segments?: number;
  /** Half the length of a contact's cross; its normal is four times as long. 0.05. */
  contactSize?: number;
  /** How far from the origin what has no end is drawn; 100. */
  extent?: number;
}
/** Colors of what DebugLines.world draws; null leaves it out. */
export interface WorldColors { moving?: Color | null; fixed?: Color | null; triggers?: Color | null; contacts?: Color | null; boxes?: Color | null }

const FAR = 1e15; // the library's largest coordinate in float: beyond it, a box has no end
const CREASE = Math.cos(Math.PI / 180); // between flatter neighbors is no edge
/* Both ends of the twelve edges of a box: which of its six numbers is each coordinate. */
const BOX_ENDS = [
  [0, 1, 2, 3, 1, 2], [0, 4, 2, 3, 4, 2], [0, 1, 5, 3, 1, 5], [0, 4, 5, 3, 4, 5], [0, 1, 2, 0, 4, 2], [3, 1, 2, 3, 4, 2],
  [0, 1, 5, 0, 4, 5], [3, 1, 5, 3, 4, 5], [0, 1, 2, 0, 1, 5], [3, 1, 2, 3, 1, 5], [0, 4, 2, 0, 4, 5], [3, 4, 2, 3, 4, 5],
].flat();
const ORIGIN = { x: 0, y: 0, z: 0 }, UNTURNED = { x: 0, y: 0, z: 0, w: 1 };

export class DebugLines extends LineSegments<BufferGeometry, LineBasicMaterial> {
  private readonly options: Required<DebugOptions>;
  private positions!: Float32Array;
  private colors!: Float32Array;
  private segments = 0;
  private edges = new WeakMap<Shape, Float32Array>();
  private readonly tint = new ThreeColor();
  private boxNumbers = new Float64Array(6 * 256);
  private ids = new Uint32Array(256);
  private readonly pose: Pose = { position: { ...ORIGIN }, rotation: { ...UNTURNED } };

  constructor(private readonly cm: Carom, options: DebugOptions = {}) {
    super(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, toneMapped: false }));
    this.options = { capacity: 1024, segments: 16, contactSize: 0.05, extent: 100, ...options };
    this.frustumCulled = false; // it is anywhere, and no bounds have to be kept
    this.room(this.options.capacity);
    this.erase();
  }
  /** It is seen, not picked. */
  override raycast(): void { /* meets nothing */ }
  /** Segments that are drawn now. */
  get drawn(): number { return this.segments; }
  /** Forgets what was drawn: to be called before a frame's drawing. */
  erase(): void {
    this.segments = 0;
    this.geometry.setDrawRange(0, 0);
  }
  /** Frees what the graphics card holds. */
  override dispose(): void {
    super.dispose?.(); // older versions of three have none
    this.geometry.dispose();
    this.material.dispose();
  }
  /** A shape whose points have moved (Mesh.movePoints) has other edges. */
  forget(shape: Shape): void { this.edges.delete(shape); }

  /* --- what is drawn --- */

  segment(a: Vec3Like, b: Vec3Like, color: Color): void {
    this.begin(1, color);
    if ('x' in a) this.end(0, a.x, a.y, a.z); else this.end(0, a[0]!, a[1]!, a[2]!);
    if ('x' in b) this.end(1, b.x, b.y, b.z); else this.end(1, b[0]!, b[1]!, b[2]!);
    this.segments++;
    this.changed();
  }
  box(box: AabbLike, color: Color): void {
    const { min, max } = box, to = this.boxNumbers;
    if ('x' in min) { to[0] = min.x; to[1] = min.y; to[2] = min.z; } else { to[0] = min[0]!; to[1] = min[1]!; to[2] = min[2]!; }
    if ('x' in max) { to[3] = max.x; to[4] = max.y; to[5] = max.z; } else { to[3] = max[0]!; to[4] = max[1]!; to[5] = max[2]!; }
    this.drawBoxes(1, color);
  }
  /** The boxes of the structure of a broad phase, or of a world's: as of its last update. */
  boxes(broad: Broad | World, color: Color): void {
    let count = broad.boxes(this.boxNumbers);
    if (6 * count > this.boxNumbers.length) {
      this.boxNumbers = new Float64Array(12 * count);
      count = broad.boxes(this.boxNumbers);
    }
    this.drawBoxes(count, color);
  }
  /** The edges of a shape, where a pose puts it; of what is round, some. Points are crosses. */
  shape(shape: Shape, pose: PoseLike | null | undefined, color: Color): void {
    let edges = this.edges.get(shape);
    if (!edges) this.edges.set(shape, (edges = this.edgesOf(shape)));
    const count = edges.length / 6, p: Vec3Like = pose?.position ?? ORIGIN, q: QuatLike = pose?.rotation ?? UNTURNED;
    const px = 'x' in p ? p.x : p[0]!, py = 'x' in p ? p.y : p[1]!, pz = 'x' in p ? p.z : p[2]!;
    const x = 'x' in q ? q.x : q[0]!, y = 'x' in q ? q.y : q[1]!, z = 'x' in q ? q.z : q[2]!, w = 'x' in q ? q.w : q[3]!;
    const xx = 1 - 2 * (y * y + z * z), xy = 2 * (x * y - w * z), xz = 2 * (x * z + w * y);
    const yx = 2 * (x * y + w * z), yy = 1 - 2 * (x * x + z * z), yz = 2 * (y * z - w * x);
    const zx = 2 * (x * z - w * y), zy = 2 * (y * z + w * x), zz = 1 - 2 * (x * x + y * y);
    this.begin(count, color);
    const to = this.positions;
    for (let from = 0, at = 6 * this.segments; from < edges.length; from += 3) {
      const a = edges[from]!, b = edges[from + 1]!, c = edges[from + 2]!;
      to[at++] = px + xx * a + xy * b + xz * c;
      to[at++] = py + yx * a + yy * b + yz * c;
      to[at++] = pz + zx * a + zy * b + zz * c;
    }
    this.segments += count;
    this.changed();
  }
  /** A cross midway between the two points of each contact, and the normal, from A to B. */
  contacts(manifolds: readonly Manifold[], color: Color): void {
    const s = this.options.contactSize;
    for (const { normal: n, points } of manifolds) {
      this.begin(4 * points.length, color);
      for (const { pointA: a, pointB: b } of points) {
        const x = (a.x + b.x) / 2, y = (a.y + b.y) / 2, z = (a.z + b.z) / 2;
        this.line(x - s, y, z, x + s, y, z);
        this.line(x, y - s, z, x, y + s, z);
        this.line(x, y, z - s, x, y, z + s);
        this.line(x, y, z, x + 4 * s * n.x, y + 4 * s * n.y, z + 4 * s * n.z);
      }
    }
    this.changed();
  }
  /** All of a world: its shapes, the contacts of the last update, and, if a color is given, the boxes of its broad
   * phase. After restore() a world does not know the caller's shapes: there, an object's box is drawn. */
  world(world: World, colors: WorldColors = {}): void {
    const { moving = 0x3b82f6, fixed = 0x94a3b8, triggers = 0xa855f7, contacts = 0xef4444, boxes = null } = colors;
    let count = world.idsInto(this.ids);
    if (count > this.ids.length) {
      this.ids = new Uint32Array(2 * count);
      count = world.idsInto(this.ids);
    }
    for (let i = 0; i < count; i++) {
      const id = this.ids[i]!, role = world.role(id), color = role === 'trigger' ? triggers : role === 'fixed' ? fixed : moving;
      if (color === null) continue;
      const shape = world.shape(id);
      if (shape) this.shape(shape, world.getPose(id, this.pose), color);
      else this.box(world.getBox(id), color);
    }
    if (contacts !== null) for (const event of world.events) if (event.kind === 'began' || event.kind === 'stayed') this.contacts(event.manifolds, contacts);
    if (boxes !== null) this.boxes(world, boxes);
  }

  /* --- how --- */

  /** Room for more segments, and their color. */
  private begin(count: number, color: Color): void {
    const end = this.segments + count;
    if (6 * end > this.positions.length) this.room(Math.max(end, this.positions.length / 3));
    const { r, g, b } = this.tint.setHex(color), to = this.colors;
    for (let i = 6 * this.segments; i < 6 * end; i += 3) { to[i] = r; to[i + 1] = g; to[i + 2] = b; }
  }
  private end(which: 0 | 1, x: number, y: number, z: number): void {
    const at = 6 * this.segments + 3 * which;
    this.positions[at] = x; this.positions[at + 1] = y; this.positions[at + 2] = z;
  }
  private line(ax: number, ay: number, az: number, bx: number, by: number, bz: number): void {
    this.end(0, ax, ay, az);
    this.end(1, bx, by, bz);
    this.segments++;
  }
  private changed(): void {
    this.geometry.setDrawRange(0, 2 * this.segments);
    this.geometry.attributes.position!.needsUpdate = true;
    this.geometry.attributes.color!.needsUpdate = true;
  }
  private room(segments: number): void {
    const { positions, colors } = this;
    this.geometry.dispose(); // the graphics card's buffers cannot grow
    this.positions = new Float32Array(6 * segments);
    this.colors = new Float32Array(6 * segments);
    if (positions) this.positions.set(positions);
    if (colors) this.colors.set(colors);
    this.geometry.setAttribute('position', new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage));
    this.geometry.setAttribute('color', new BufferAttribute(this.colors, 3).setUsage(DynamicDrawUsage));
  }
  private drawBoxes(count: number, color: Color): void {
    this.begin(12 * count, color);
    const from = this.boxNumbers, { extent } = this.options;
    for (let i = 0; i < 6 * count; i++) if (!(Math.abs(from[i]!) <= FAR)) from[i] = Math.sign(from[i]!) * extent;
    for (let i = 0, at = 6 * this.segments; i < 6 * count; i += 6) for (let k = 0; k < 72; k++) this.positions[at++] = from[i + BOX_ENDS[k]!]!;
    this.segments += 12 * count;
    this.changed();
  }
  /** Six numbers an edge: where two triangles meet at an angle, or one ends. */
  private edgesOf(shape: Shape): Float32Array {
    const { segments, extent, contactSize: s } = this.options;
    const { points: p, indices, triangleCount } = this.cm.api.shapeTessellate(shape, { segments, extent });
    if (triangleCount === 0) { // a segment, or a point
      if (p.length === 6) return Float32Array.from(p);
      const [x, y, z] = p as unknown as [number, number, number];
      return Float32Array.of(x - s, y, z, x + s, y, z, x, y - s, z, x, y + s, z, x, y, z - s, x, y, z + s);
    }
    const normals = new Float64Array(3 * triangleCount), beside = new Map<number, number>(), edges: number[] = [];
    const draw = (a: number, b: number) => edges.push(p[3 * a]!, p[3 * a + 1]!, p[3 * a + 2]!, p[3 * b]!, p[3 * b + 1]!, p[3 * b + 2]!);
    for (let t = 0; t < triangleCount; t++) {
      const a = 3 * indices[3 * t]!, b = 3 * indices[3 * t + 1]!, c = 3 * indices[3 * t + 2]!;
      const ux = p[b]! - p[a]!, uy = p[b + 1]! - p[a + 1]!, uz = p[b + 2]! - p[a + 2]!, vx = p[c]! - p[a]!, vy = p[c + 1]! - p[a + 1]!, vz = p[c + 2]! - p[a + 2]!;
      const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx, length = Math.hypot(nx, ny, nz) || 1;
      normals.set([nx / length, ny / length, nz / length], 3 * t);
      for (let k = 0; k < 3; k++) {
        const i = indices[3 * t + k]!, j = indices[3 * t + ((k + 1) % 3)]!, key = Math.min(i, j) * (p.length / 3) + Math.max(i, j), other = beside.get(key);
        if (other === undefined) { beside.set(key, t); continue; }
        beside.delete(key);
        const dot = normals[3 * t]! * normals[3 * other]! + normals[3 * t + 1]! * normals[3 * other + 1]! + normals[3 * t + 2]! * normals[3 * other + 2]!;
        if (!(dot > CREASE)) draw(i, j);
      }
    }
    for (const key of beside.keys()) draw(Math.floor(key / (p.length / 3)), key % (p.length / 3));
    return Float32Array.from(edges);
  }
}
