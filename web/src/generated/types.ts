/* Written by tools/api from the headers in include/carom: do not edit. */

/** The address of something in the module's memory. */
export type Pointer = number;
/** Numbers in the library's precision. */
export type RealArray = Float32Array | Float64Array;
export interface Vec3 { x: number; y: number; z: number }
export type Vec3Like = Readonly<Vec3> | ArrayLike<number>;
/** A rotation as a unit quaternion; w is the real part. */
export interface Quat { x: number; y: number; z: number; w: number }
export type QuatLike = Readonly<Quat> | ArrayLike<number>;
/** Where something is: position + rotate(rotation, local). */
export interface Pose { position: Vec3; rotation: Quat }
/** Left out: the origin, and no rotation. */
export interface PoseLike { readonly position?: Vec3Like; readonly rotation?: QuatLike }
/** A shape: the bytes of a cm_shape, and what they borrow, if anything. */
export interface Shape {
  readonly words: Uint32Array;
  /** Throws if what it borrows was disposed of. */
  check(): void;
}

export type Status = 'ok' | 'noMemory' | 'invalid' | 'notFinite' | 'outOfRange' | 'staleId' | 'limit' | 'notSolid' | 'unsupported' | 'badData';

export type Kind = 'point' | 'segment' | 'triangle' | 'box' | 'cylinder' | 'cone' | 'ellipsoid' | 'hull' | 'custom' | 'halfspace' | 'mesh' | 'heightField' | 'compound';

export type FieldType = 'real' | 'vec3' | 'pointer';

/** The axes along which columns and rows are counted, in this order; heights run along the third, in its positive
 * direction. */
export type Ground = 'xy' | 'yz' | 'zx' | 'yx' | 'zy' | 'xz';

/** How a sample is written. */
export type Sample = 'real' | 'u16' | 'i16';

export type Relation = 'none' | 'identical' | 'aInB' | 'bInA' | 'separated' | 'touching' | 'crossing';

export type StepKind = 'ownMethod' | 'simplex' | 'polytope' | 'face' | 'distance' | 'clip' | 'contacts';

export type SweepStart = 'separated' | 'touching' | 'overlapping';

/** Is a hit proved, or did the search end? */
export type SweepProof = 'contact' | 'limit';

/** Zero is the only answer that lets the whole step be made. */
export type PathVerdict = 'free' | 'hit' | 'start' | 'limit' | 'invalid';

export type PathFeatures = 'pointTriangle' | 'trianglePoint' | 'edgeEdge' | 'triangleShape';

export type ClipDepth = 'zeroToOne' | 'minusOneToOne';

/** How a volume lies to a frustum. */
export type Cull = 'outside' | 'cut' | 'inside';

export type BroadKind = 'auto' | 'brute' | 'sweep' | 'sweep3' | 'grid' | 'octree' | 'quadtree' | 'bsp' | 'bvh';

/** When an object is swept through the step, not only tested at its end. */
export type WorldSweepMode = 'auto' | 'always' | 'never';

/** What happens after a hit. */
export type WorldAnswer = 'stop' | 'pass' | 'go';

export type WorldEventKind = 'began' | 'hit' | 'limit' | 'stayed' | 'ended' | 'entered' | 'left';

export type WorldReason = 'meet' | 'stale' | 'same' | 'fixed' | 'triggers' | 'group' | 'layer' | 'callback' | 'boxes' | 'shapes';

/** What it stands on. */
export type MoverFooting = 'air' | 'steep' | 'firm';

export type FindingKind = 'crossing' | 'inside' | 'identical' | 'touching' | 'clearance';

/** From which finding on the check fails; each includes the ones before. */
export type CheckFailOn = 'default' | 'never' | 'crossing' | 'touching' | 'clearance';

export type CheckTestKind = 'any' | 'hard' | 'touching' | 'clearance' | 'duplicate';

export type CheckSeverity = 'error' | 'warning' | 'note';

export const statuses: readonly Status[] = ['ok', 'noMemory', 'invalid', 'notFinite', 'outOfRange', 'staleId', 'limit', 'notSolid', 'unsupported', 'badData'];

export const constants = {
  WITNESS_LOWER_BOUND: 1,
  BROAD_SORTED: 1,
  RESPONSE_REPORT: 0,
  RESPONSE_HALT: 1,
  RESPONSE_VANISH: 2,
  RESPONSE_BOUNCE: 4,
  RESPONSE_SLIDE: 8,
  RESPONSE_PUSH_APART: 16,
} as const;

/** A 3x3 matrix by its columns: the images of the x, y and z axes. */
export interface Mat3 {
  x: Vec3;
  y: Vec3;
  z: Vec3;
}

/** A 3x3 matrix by its columns: the images of the x, y and z axes. */
export interface Mat3Like {
  readonly x: Vec3Like;
  readonly y: Vec3Like;
  readonly z: Vec3Like;
}

/** An axis-aligned box: all points with min <= p <= max, component by component. Empty (as unions start) where min >
 * max. */
export interface Aabb {
  min: Vec3;
  max: Vec3;
}

/** An axis-aligned box: all points with min <= p <= max, component by component. Empty (as unions start) where min >
 * max. */
export interface AabbLike {
  readonly min: Vec3Like;
  readonly max: Vec3Like;
}

/** From a to b; a = b is a point. */
export interface Segment {
  readonly a: Vec3Like;
  readonly b: Vec3Like;
}

/** Three points; degenerate ones (a segment, a point) are valid sets. */
export interface Triangle {
  a: Vec3;
  b: Vec3;
  c: Vec3;
}

/** Three points; degenerate ones (a segment, a point) are valid sets. */
export interface TriangleLike {
  readonly a: Vec3Like;
  readonly b: Vec3Like;
  readonly c: Vec3Like;
}

/** All points with dot(normal, p) + d = 0; `normal` is a unit vector. As a half-space: all points with <= 0.
 * The signed distance of p is dot(normal, p) + d, so a plane through p0 has d = -dot(normal, p0). */
export interface Plane {
  normal: Vec3;
  d: number;
}

/** All points with dot(normal, p) + d = 0; `normal` is a unit vector. As a half-space: all points with <= 0.
 * The signed distance of p is dot(normal, p) + d, so a plane through p0 has d = -dot(normal, p0). */
export interface PlaneLike {
  readonly normal: Vec3Like;
  readonly d: number;
}

/** What a solid weighs, and how: for the density that was given. */
export interface Mass {
  mass: number;
  volume: number;
  /** of mass, in the shape's own frame */
  center: Vec3;
  /** about the center, along the shape's own axes; symmetric */
  inertia: Mat3;
}

/** What a solid weighs, and how: for the density that was given. */
export interface MassLike {
  readonly mass: number;
  readonly volume: number;
  /** of mass, in the shape's own frame */
  readonly center: Vec3Like;
  /** about the center, along the shape's own axes; symmetric */
  readonly inertia: Mat3Like;
}

/** Points and triangles to build from; zero fields mean the default. The buffers are only read during the build. */
export interface MeshDesc {
  /** x, y, z of point 0 … */
  readonly points?: ArrayLike<number> | undefined;
  /** three a triangle, counter-clockwise seen from outside; NULL = points 0,1,2 3,4,5 … */
  readonly indices?: ArrayLike<number> | undefined;
  /** points within this distance are joined; 0 = only equal points; < 0 = none */
  readonly weld?: number | undefined;
  /** refuse unless closed; then the winding decides what is inside */
  readonly solid?: boolean | undefined;
  /** reverse every triangle (for mirrored sources) */
  readonly flip?: boolean | undefined;
  /** every point times this, component by component; all 0 = none. Where it mirrors (an odd number of negative ones) triangles are reversed, so that outside stays outside */
  readonly scale?: Vec3Like | undefined;
}

/** What a build found. Triangles are counted after welding; none is dropped: numbers stay the source's. */
export interface MeshInfo {
  /** distinct points after welding */
  points: number;
  /** points of the source that were joined to another */
  welded: number;
  triangles: number;
  /** no area: exactly collinear or coincident corners */
  degenerate: number;
  /** same three corners as an earlier triangle, in the same or the opposite sense */
  duplicate: number;
  /** share an edge with a neighbor lying back on them (zero dihedral angle) */
  folded: number;
  /** undirected, of triangles with three distinct corners, collinear or not */
  edges: number;
  /** edges with one triangle */
  openEdges: number;
  /** edges with three or more triangles */
  nonmanifoldEdges: number;
  /** edges with two triangles that run through it in the same direction */
  inconsistentEdges: number;
  /** closed loops (connected chains) of open edges */
  holes: number;
  /** sets of triangles connected through shared points */
  components: number;
  /** every directed edge is cancelled by its reverse: may be built solid */
  closed: boolean;
  /** was built solid */
  solid: boolean;
  /** a solid of one piece and at most 4,096 points, convex up to rounding (32 ulp of the largest coordinate; in double 256): it keeps its hull, and has the contacts, the sweeps and the thickness of that */
  convex: boolean;
  /** signed, by the divergence theorem; meaningful where closed */
  volume: number;
  area: number;
  /** exact */
  bounds: Aabb;
}

/** A grid to build from; zero fields mean the default. The buffers are only read during the build, and need no
 * alignment. */
export interface HeightFieldDesc {
  /** sample (0, 0) */
  readonly heights?: RealArray | Uint16Array | Int16Array | readonly number[] | undefined;
  /** samples, at least 2 each; at most 2^29 cells */
  readonly columns?: number | undefined;
  /** samples, at least 2 each; at most 2^29 cells */
  readonly rows?: number | undefined;
  /** > 0, from column to column */
  readonly columnSpacing?: number | undefined;
  /** > 0, from row to row */
  readonly rowSpacing?: number | undefined;
  /** of the heights; 0 = 1 */
  readonly scale?: number | undefined;
  /** where sample (0, 0) would lie with height 0 */
  readonly origin?: Vec3Like | undefined;
  readonly ground?: Ground | undefined;
  /** cut each cell from (c + 1, r) to (c, r + 1) */
  readonly otherDiagonal?: boolean | undefined;
  /** a byte a cell, cell (0, 0) first: not 0 = no triangles there; NULL = no holes */
  readonly holes?: ArrayLike<number> | undefined;
}

export interface HeightFieldInfo {
  /** samples */
  columns: number;
  /** samples */
  rows: number;
  /** (columns - 1) * (rows - 1), holes included */
  cells: number;
  /** cells without triangles */
  holes: number;
  /** 2 * cells: numbers are below this; those in holes stand for nothing */
  triangles: number;
  /** exact, of what is no hole; empty where all is */
  bounds: Aabb;
}

/** Points to build from; zero fields mean the default. The buffer is only read during the build. */
export interface HullDesc {
  /** x, y, z of point 0 … */
  readonly points?: ArrayLike<number> | undefined;
  /** at least 4; 0 = no limit. With a limit points may be left outside: see `loss` */
  readonly maxVertices?: number | undefined;
  /** neighboring faces whose corners lie within this distance of one plane count as one patch for contacts; nothing else depends on it. 0 = 16 ulp of the largest coordinate; < 0 = only faces */
  readonly merge?: number | undefined;
  /** every point times this, component by component; all 0 = none. Negative ones mirror */
  readonly scale?: Vec3Like | undefined;
}

/** What a build found. */
export interface HullInfo {
  /** 3 a solid; 2 all points in one plane: a polygon; 1 on one line: a segment; 0 a single point */
  dimension: number;
  vertices: number;
  /** a polygon has two, front and back; segments and points none */
  faces: number;
  /** vertices - edges + faces = 2 for solids and polygons */
  edges: number;
  /** faces after merging, at most `faces` */
  patches: number;
  /** no source point is farther outside than this: 0 unless max_vertices was reached */
  loss: number;
  /** the tolerance that was used for the patches */
  merge: number;
  volume: number;
  /** of the surface; a polygon's counts both sides */
  area: number;
  /** of mass, of uniform density; a polygon's, segment's or point's own center below dimension 3 */
  center: Vec3;
  /** about the center, for density 1 (mass = volume); 0 below dimension 3 */
  inertia: Mat3;
  /** exact */
  bounds: Aabb;
}

/** A face: a strictly convex polygon. Half-edge `first` + i runs from corner i to corner (i + 1) % count; half-edges
 * are numbered through all faces. */
export interface HullFace {
  /** its first half-edge */
  first: number;
  /** `count` vertex numbers, counter-clockwise seen from outside, the lowest first */
  vertices: Uint32Array;
  /** for each of its half-edges the one that runs the other way, in the neighbor */
  twins: Uint32Array;
  /** unit, outward */
  normal: Vec3;
  /** dot(normal, p) + d <= 0 for every p of the hull, in real arithmetic; at the face's corners not below -8 ulp of the largest coordinate (double build: -100), but for faces whose normals are vague: of an area below 2^-48 of their length squared */
  d: number;
}

/** One shape of a compound. */
export interface CompoundChild {
  readonly shape: Shape;
  /** in the compound's frame; a rotation of all zeros means none */
  readonly pose?: PoseLike | undefined;
  /** the caller's own; kept, never looked at */
  readonly user: number;
}

/** Children to build from. The buffer is only read during the build; what the shapes borrow must outlive the compound. */
export interface CompoundDesc {
  readonly children?: readonly CompoundChild[] | undefined;
}

/** What a compound holds. */
export interface CompoundInfo {
  children: number;
  /** holds every child, rounded outwards; empty where all are height fields that are all holes */
  bounds: Aabb;
}

/** How fine; zero fields mean the default. */
export interface TessellateDesc {
  /** around a full circle: 4 to 256, rounded up to a multiple of 4; 0 = 32 */
  readonly segments?: number | undefined;
  /** half the side of the square that stands for a half-space, around the point of its plane that is nearest to the origin; 0 = 1 */
  readonly extent?: number | undefined;
}

/** Triangles over points that they share. */
export interface Tessellation {
  /** in the shape's own frame */
  points: RealArray;
  /** three a triangle, counter-clockwise seen from outside */
  indices: Uint32Array;
  triangleCount: number;
}

/** The proof of a distance: in world coordinates. */
export interface Witness {
  /** on A's and B's surface */
  pointA: Vec3;
  /** on A's and B's surface */
  pointB: Vec3;
  /** unit, from A to B */
  normal: Vec3;
  /** > 0 gap, <= 0 minus the depth */
  distance: number;
  /** triangle or child, CM_NONE for a convex shape */
  partA: number;
  /** triangle or child, CM_NONE for a convex shape */
  partB: number;
  flags: number;
}

/** One point of a contact. Feature numbers stay the same while the same features touch, so that solvers can keep
 * what they know of a point; CM_NONE where a shape has none there. A shape with a radius touches by the ball around a
 * corner: where several do, the points of those that are not the deepest may lie below its round surface. */
export interface ContactPoint {
  /** world, on A's and B's surface: point_b = point_a - depth * normal */
  pointA: Vec3;
  /** world, on A's and B's surface: point_b = point_a - depth * normal */
  pointB: Vec3;
  /** < 0 where they are apart, within the margin */
  depth: number;
  featureA: number;
  featureB: number;
}

/** One point of a contact. Feature numbers stay the same while the same features touch, so that solvers can keep
 * what they know of a point; CM_NONE where a shape has none there. A shape with a radius touches by the ball around a
 * corner: where several do, the points of those that are not the deepest may lie below its round surface. */
export interface ContactPointLike {
  /** world, on A's and B's surface: point_b = point_a - depth * normal */
  readonly pointA: Vec3Like;
  /** world, on A's and B's surface: point_b = point_a - depth * normal */
  readonly pointB: Vec3Like;
  /** < 0 where they are apart, within the margin */
  readonly depth: number;
  readonly featureA: number;
  readonly featureB: number;
}

/** Where two touch in one plane: one normal, up to 8 points. */
export interface Manifold {
  /** unit, from A to B: moving B by normal * (greatest depth) brings the pair to touching */
  normal: Vec3;
  /** triangle (of several that touch so the first) or child, CM_NONE for a convex shape */
  partA: number;
  /** triangle (of several that touch so the first) or child, CM_NONE for a convex shape */
  partB: number;
  points: ContactPoint[];
}

/** Where two touch in one plane: one normal, up to 8 points. */
export interface ManifoldLike {
  /** unit, from A to B: moving B by normal * (greatest depth) brings the pair to touching */
  readonly normal: Vec3Like;
  /** triangle (of several that touch so the first) or child, CM_NONE for a convex shape */
  readonly partA: number;
  /** triangle (of several that touch so the first) or child, CM_NONE for a convex shape */
  readonly partB: number;
  readonly points: readonly ContactPointLike[];
}

/** A warm start: where the last query of a pair ended, kept by the caller from query to query. All zero at first; the
 * fields are the library's. Use one for each pair, with the same two shapes in the same order. After other shapes or a
 * far jump it is only useless: answers never depend on it beyond rounding. */
export interface PairCache {
  normal: Vec3;
  count: number;
  idA: number[];
  idB: number[];
}

/** A warm start: where the last query of a pair ended, kept by the caller from query to query. All zero at first; the
 * fields are the library's. Use one for each pair, with the same two shapes in the same order. After other shapes or a
 * far jump it is only useless: answers never depend on it beyond rounding. */
export interface PairCacheLike {
  readonly normal: Vec3Like;
  readonly count: number;
  readonly idA: ArrayLike<number>;
  readonly idB: ArrayLike<number>;
}

/** One crossing of a triangle of A with a triangle of B. */
export interface Crossing {
  triangleA: number;
  triangleB: number;
  /** world: the common segment; equal points where they touch in one point */
  start: Vec3;
  /** world: the common segment; equal points where they touch in one point */
  end: Vec3;
  /** they overlap within one plane; start and end then span the overlap's longest extent */
  coplanar: boolean;
}

export interface RelationResult {
  relation: Relation;
  /** the t that was used */
  tolerance: number;
  /** > 0 the gap (CM_REAL_MAX beyond max_gap), <= 0 minus the reach */
  distance: number;
  /** world; the closest points, or the deepest point and the nearest on the other surface */
  pointA: Vec3;
  /** world; the closest points, or the deepest point and the nearest on the other surface */
  pointB: Vec3;
  /** the points are theirs; CM_NONE where no gap was measured */
  triangleA: number;
  /** the points are theirs; CM_NONE where no gap was measured */
  triangleB: number;
  /** exact crossings and touchings of triangles: cm_mesh_crossings */
  crossings: number;
  /** compared as a surface: not solid */
  surfaceA: boolean;
  /** compared as a surface: not solid */
  surfaceB: boolean;
  /** thinner than t: inside and crossing cannot be distinguished there */
  thinA: boolean;
  /** thinner than t: inside and crossing cannot be distinguished there */
  thinB: boolean;
}

export interface RelationResultLike {
  readonly relation: Relation;
  /** the t that was used */
  readonly tolerance: number;
  /** > 0 the gap (CM_REAL_MAX beyond max_gap), <= 0 minus the reach */
  readonly distance: number;
  /** world; the closest points, or the deepest point and the nearest on the other surface */
  readonly pointA: Vec3Like;
  /** world; the closest points, or the deepest point and the nearest on the other surface */
  readonly pointB: Vec3Like;
  /** the points are theirs; CM_NONE where no gap was measured */
  readonly triangleA: number;
  /** the points are theirs; CM_NONE where no gap was measured */
  readonly triangleB: number;
  /** exact crossings and touchings of triangles: cm_mesh_crossings */
  readonly crossings: number;
  /** compared as a surface: not solid */
  readonly surfaceA: boolean;
  /** compared as a surface: not solid */
  readonly surfaceB: boolean;
  /** thinner than t: inside and crossing cannot be distinguished there */
  readonly thinA: boolean;
  /** thinner than t: inside and crossing cannot be distinguished there */
  readonly thinB: boolean;
}

/** What two solid meshes have in common. */
export interface Interference {
  /** >= 0; 0 also where it is not larger than its own error, as of solids that only touch */
  volume: number;
  /** the true volume is at most this far from it */
  error: number;
  /** world: the center of the common volume; 0 where that is 0 */
  center: Vec3;
  /** world: holds all that is common; min > max where the volume is 0 */
  bounds: Aabb;
}

/** What two solid meshes have in common. */
export interface InterferenceLike {
  /** >= 0; 0 also where it is not larger than its own error, as of solids that only touch */
  readonly volume: number;
  /** the true volume is at most this far from it */
  readonly error: number;
  /** world: the center of the common volume; 0 where that is 0 */
  readonly center: Vec3Like;
  /** world: holds all that is common; min > max where the volume is 0 */
  readonly bounds: AabbLike;
}

/** A point of the cores' difference, b - a: the support points of both. */
export interface StepVertex {
  /** on A's and B's core */
  a: Vec3;
  /** on A's and B's core */
  b: Vec3;
}

/** One step. What its pointers point to lasts until the callback returns. */
export interface Step {
  kind: StepKind;
  /** 0, 1, …: a pair may take several, one after the other: a fast one, an exact one, a depth */
  search: number;
  /** 0, 1, …: of the step in its search */
  index: number;
  /** false: fast support points, which `lower` allows for; exact ones follow */
  exact: boolean;
  /** lower <= signed distance of the shapes <= upper, as far as known, but for rounding: of a polytope's thin faces `upper` is only about right. Overlapping curved shapes: but for 1e-9 of their size (double: 1e-10) */
  lower: number;
  /** lower <= signed distance of the shapes <= upper, as far as known, but for rounding: of a polytope's thin faces `upper` is only about right. Overlapping curved shapes: but for 1e-9 of their size (double: 1e-10) */
  upper: number;
  /** unit, from A to B */
  direction: Vec3;
  /** A's point farthest along it, B's farthest against it */
  support: StepVertex;
  /** a point of D */
  closest: Vec3;
  vertices: RealArray;
  /** 0 to 512 */
  faceCount: number;
  /** three vertices each, counter-clockwise from outside */
  faces: Uint32Array;
  face: number;
  /** whose side `reference` is; `polygon` is the other's */
  referenceIsA: boolean;
  side: number;
  reference: RealArray;
  polygon: RealArray;
  contacts: ContactPoint[];
}

/** The points origin + t * direction, 0 <= t <= max. `direction` may have any length but 0; t counts in it.
 * An endless ray has max = CM_REAL_MAX (infinity is fine too). A segment from a to b is {a, b - a, 1}. */
export interface Ray {
  origin: Vec3;
  direction: Vec3;
  max: number;
}

/** The points origin + t * direction, 0 <= t <= max. `direction` may have any length but 0; t counts in it.
 * An endless ray has max = CM_REAL_MAX (infinity is fine too). A segment from a to b is {a, b - a, 1}. */
export interface RayLike {
  readonly origin: Vec3Like;
  readonly direction: Vec3Like;
  readonly max?: number | undefined;
}

/** Where a ray meets a shape. A mesh or height field is hit at its surface, also from within: t = exit = the first
 * triangle on the ray, never missed at shared edges and corners, by exact signs. `normal` is that triangle's, outward
 * for a solid, else on the side hit. A ray that ends before the surface hits nothing, even inside a solid mesh: for
 * that ask cm_overlap with a point, or cm_mesh_winding. */
export interface RayHit {
  /** where it enters: 0 where it starts inside, but in a solid mesh */
  t: number;
  /** where it leaves again, at most the ray's max; equal to t for flat shapes and planes. Of a compound: where it leaves the child that is named, though another may go on from there */
  exit: number;
  /** at t */
  point: Vec3;
  /** unit, outward, where it enters; where it leaves (or ends), if it starts inside. Flat shapes: the side hit */
  normal: Vec3;
  /** starts within the shape (on its surface counts) */
  inside: boolean;
  /** triangle or child, CM_NONE for a convex shape */
  part: number;
}

/** A motion over the step, from u = 0 to u = 1. At u the rotation is start.rotation turned by u * spin about the point
 * `pivot` of the body, which itself moves by u * move + u * u / 2 * accelerate. `spin` is a world vector, axis times
 * angle in radians, at constant angular velocity; `pivot` is in the body's frame. With zero spin and acceleration the
 * path is a straight line; with an acceleration a parabola, as under gravity: for a step of dt seconds `move` is dt
 * times the velocity at its start, and `accelerate` is dt * dt times the acceleration. Both together must be in the
 * valid range. A body at rest is {.start = its pose}, all else zero. A motion that is all zeros is invalid, because
 * its start is no pose (math.h), and hits nothing. */
export interface Motion {
  start: Pose;
  move: Vec3;
  spin: Vec3;
  pivot: Vec3;
  /** in the world's axes, as move and spin are */
  accelerate: Vec3;
}

/** A motion over the step, from u = 0 to u = 1. At u the rotation is start.rotation turned by u * spin about the point
 * `pivot` of the body, which itself moves by u * move + u * u / 2 * accelerate. `spin` is a world vector, axis times
 * angle in radians, at constant angular velocity; `pivot` is in the body's frame. With zero spin and acceleration the
 * path is a straight line; with an acceleration a parabola, as under gravity: for a step of dt seconds `move` is dt
 * times the velocity at its start, and `accelerate` is dt * dt times the acceleration. Both together must be in the
 * valid range. A body at rest is {.start = its pose}, all else zero. A motion that is all zeros is invalid, because
 * its start is no pose (math.h), and hits nothing. */
export interface MotionLike {
  readonly start?: PoseLike | undefined;
  readonly move?: Vec3Like | undefined;
  readonly spin?: Vec3Like | undefined;
  readonly pivot?: Vec3Like | undefined;
  /** in the world's axes, as move and spin are */
  readonly accelerate?: Vec3Like | undefined;
}

/** A part of the step: 0 <= first <= last <= 1. */
export interface Interval {
  first: number;
  last: number;
}

/** A part of the step: 0 <= first <= last <= 1. */
export interface IntervalLike {
  readonly first: number;
  readonly last: number;
}

/** First contact of a motion, and its end. */
export interface SweepHit {
  /** last: when they separate again; 1 if they do not, or where it is not computed (cm_sweep) */
  first: number;
  /** last: when they separate again; 1 if they do not, or where it is not computed (cm_sweep) */
  last: number;
  /** world, at `first`: on A's surface, where B touches it (the deepest point if overlapping) */
  point: Vec3;
  /** unit, from A to B, at `first`; if OVERLAPPING, the direction of least depth; at an edge between triangles one that the surface has there */
  normal: Vec3;
  start: SweepStart;
  /** see above. Movers stop only here, so that resting bodies may slide and leave */
  blocking: boolean;
  /** triangle or child, CM_NONE for a convex shape */
  partA: number;
  /** triangle or child, CM_NONE for a convex shape */
  partB: number;
  /** LIMIT: not a hit, but the end of the proof. It is `blocking`, so that nothing moves on into unknown times, unless they are known to get no deeper; point and normal are those of the closest points there. To go on, sweep the remaining motion from `first` */
  proof: SweepProof;
  /** they are certainly apart before: `first`, or less where a contact that does not block came earlier; 0 for a start in touch, or within G of it */
  freeUntil: number;
}

/** A point that moves in a straight line during the step. */
export interface Path {
  readonly start: Vec3Like;
  readonly end: Vec3Like;
}

/** Where two features meet, the first being A and the second B. */
export interface PathHit {
  /** the step may be made up to here */
  u: number;
  /** at u, between the two points */
  distance: number;
  /** closest points of the features at u */
  pointA: Vec3;
  /** closest points of the features at u */
  pointB: Vec3;
  /** unit, from A to B; at a distance of 0 the features' own, and zero where they have none */
  normal: Vec3;
  /** point_a = sum of weight_a * corner of A, and of B; each sum is 1 */
  weightA: number[];
  /** point_a = sum of weight_a * corner of A, and of B; each sum is 1 */
  weightB: number[];
}

/** The distance of two features at rest, where, and how it changes with their corners. */
export interface FeatureGap {
  distance: number;
  pointA: Vec3;
  pointB: Vec3;
  /** unit, from A to B; at a distance of 0 the features' own, and zero where they have none */
  normal: Vec3;
  weightA: number[];
  weightB: number[];
  gradientA: Vec3[];
  gradientB: Vec3[];
}

/** A mesh whose points move, each in a straight line: cm_mesh_point_count places at the start and at the end, numbered
 * as cm_mesh_points. NULL: the mesh's own points. */
export interface MovingMesh {
  readonly mesh?: Pointer | undefined;
  readonly start?: ArrayLike<number> | undefined;
  readonly end?: ArrayLike<number> | undefined;
}

/** Two features that meet, by the numbers of their corners. */
export interface PathContact {
  features: PathFeatures;
  /** CM_PATH_HIT, CM_PATH_START or CM_PATH_LIMIT */
  verdict: PathVerdict;
  /** points of A's and B's mesh, CM_NONE beyond the feature's; of a shape b[0] is the part */
  a: number[];
  /** points of A's and B's mesh, CM_NONE beyond the feature's; of a shape b[0] is the part */
  b: number[];
  /** its weights in the order of a and b; those of a shape are 0 */
  hit: PathHit;
}

/** A sweep of a moving mesh; zero fields mean the default. */
export interface MeshSweepDesc {
  /** A */
  readonly mesh?: MovingMesh | undefined;
  /** B; its mesh NULL: none */
  readonly other?: MovingMesh | undefined;
  /** B where `other` is none, of any kind; NULL: A against itself */
  readonly shape?: Shape | undefined;
  /** of the shape: it may turn and be accelerated */
  readonly shapeMotion?: MotionLike | undefined;
  /** as above */
  readonly separation?: number | undefined;
  readonly tolerance?: number | undefined;
  readonly visit?: (p0: PathContact) => boolean;
}

export interface Sphere {
  center: Vec3;
  radius: number;
}

export interface SphereLike {
  readonly center: Vec3Like;
  readonly radius: number;
}

/** All points within `radius` of the segment from a to b. */
export interface Capsule {
  a: Vec3;
  b: Vec3;
  radius: number;
}

/** All points within `radius` of the segment from a to b. */
export interface CapsuleLike {
  readonly a: Vec3Like;
  readonly b: Vec3Like;
  readonly radius: number;
}

/** A box with its own axes: |unrotate(rotation, p - center)| <= half, component by component. */
export interface Obb {
  center: Vec3;
  half: Vec3;
  rotation: Quat;
}

/** A box with its own axes: |unrotate(rotation, p - center)| <= half, component by component. */
export interface ObbLike {
  readonly center: Vec3Like;
  readonly half: Vec3Like;
  readonly rotation: QuatLike;
}

/** What six planes hold between them, normals outward: all points with distance <= 0 to each. */
export interface Frustum {
  /** left, right, bottom, top, near, far */
  planes: Plane[];
}

/** What six planes hold between them, normals outward: all points with distance <= 0 to each. */
export interface FrustumLike {
  /** left, right, bottom, top, near, far */
  readonly planes: readonly PlaneLike[];
}

/** A buffer of points: x, y, z of the first at `data`, of the next `stride` bytes later; 0 = 3 * sizeof(cm_real). */
export interface Points {
  readonly data: ArrayLike<number>;
}

/** How to build one; zero fields mean the default, and so does NULL instead of the whole. */
export interface BroadDesc {
  /** 0 = CM_BROAD_AUTO */
  readonly kind?: BroadKind | undefined;
  /** objects to make room for at once; more are always welcome */
  readonly capacity?: number | undefined;
  /** most objects; 0 = 16,777,215, which is also the most */
  readonly limit?: number | undefined;
  /** remember what cm_broad_get_changes needs (costs a copy of what moves) */
  readonly changes?: boolean | undefined;
  /** GRID: smallest edge of a cell; 0 = from the sizes of the boxes. Never changes answers */
  readonly cell?: number | undefined;
  /** 0 = 12 */
  readonly split?: number | undefined;
  /** 1 to 40; 0 = 40 */
  readonly levels?: number | undefined;
  /** > 1, at most 8; 0 = 2 */
  readonly loose?: number | undefined;
  readonly clipped?: boolean | undefined;
  /** QUADTREE: the axis it does not split: 0 = y (splits x and z), 1 = x, 2 = y, 3 = z */
  readonly plane?: number | undefined;
  readonly pairLimit?: number | undefined;
}

/** One object. Zero fields mean the default. */
export interface BroadObjectDesc {
  /** min <= max; ±infinity and anything beyond ±CM_COORD_MAX mean unbounded on that side */
  box: Aabb;
  /** bits of what it is; 0 = 1 */
  layer: number;
  /** bits of what it meets; 0 = all. A pair counts where layer & mask of the other, both ways */
  mask: number;
  /** yours */
  user: number;
  /** static: never paired with another static one. It may be moved, but at a cost */
  fixed: boolean;
}

/** One object. Zero fields mean the default. */
export interface BroadObjectDescLike {
  /** min <= max; ±infinity and anything beyond ±CM_COORD_MAX mean unbounded on that side */
  readonly box?: AabbLike | undefined;
  /** bits of what it is; 0 = 1 */
  readonly layer?: number | undefined;
  /** bits of what it meets; 0 = all. A pair counts where layer & mask of the other, both ways */
  readonly mask?: number | undefined;
  /** yours */
  readonly user?: number | undefined;
  /** static: never paired with another static one. It may be moved, but at a cost */
  readonly fixed?: boolean | undefined;
}

/** Two ids (or indices, in the one-shot functions), a < b. */
export interface BroadPair {
  a: number;
  b: number;
}

/** Two ids (or indices, in the one-shot functions), a < b. */
export interface BroadPairLike {
  readonly a: number;
  readonly b: number;
}

/** Pairs that stand in somebody else's memory. */
export interface BroadPairView {
  pairs: Uint32Array;
}

/** What happened between the last two updates; both sorted by a, then b. */
export interface BroadChanges {
  began: BroadPairView;
  ended: BroadPairView;
}

/** Pairs in memory of their own, which later calls reuse. Start with zeros. */
export interface BroadPairList {
  pairs: Uint32Array;
}

/** How to find pairs once; zero fields mean the default, and so does NULL instead of the whole. */
export interface BroadPairsDesc {
  /** 0 = CM_BROAD_AUTO */
  readonly kind?: BroadKind | undefined;
  /** 0 or CM_BROAD_SORTED */
  readonly flags?: number | undefined;
}

export interface BroadStats {
  /** what runs: with AUTO the one it picked */
  kind: BroadKind;
  objects: number;
  fixed: number;
  unbounded: number;
  /** of the structure: tree nodes, grid columns, …; deepest level, root = 1 */
  nodes: number;
  /** of the structure: tree nodes, grid columns, …; deepest level, root = 1 */
  depth: number;
  /** box against box at the last find_pairs, nodes' boxes too; with BRUTE all n (n - 1) / 2, with SWEEP3 at the last update */
  tests: number;
  /** that it found */
  pairs: number;
  /** held by the object, everything counted */
  bytes: number;
}

/** Objects and pairs of them. Object i has pose i (in a sweep: motion i) and shape `shape_of[i]`. Zero fields mean the
 * default. Nothing of it is kept. */
export interface Batch {
  readonly shapes?: readonly Shape[] | undefined;
  /** an object's shape, pose_count of them; NULL: object i has shape i */
  readonly shapeOf?: ArrayLike<number> | undefined;
  /** in world coordinates; the start of the first motion will do, with its stride */
  readonly poses?: ArrayLike<number> | undefined;
  /** for cm_sweep_many, which reads no poses */
  readonly motions?: ArrayLike<number> | undefined;
  /** by the objects' numbers; NULL: pair i is object `one` against object i, itself too */
  readonly pairs?: ArrayLike<number> | undefined;
  readonly one?: number | undefined;
}

/** How to build one; zero fields mean the default, and so does NULL instead of the whole. The default margin keeps a
 * contact alive while one object slides along the other, because a sweep leaves a small gap. It is the sum of a share
 * of each object: 32 CM_REAL_EPSILON of the sum of its coordinates, of its reach from its origin (for a half-space,
 * its d), and of twice its last displacement; in the double build 2e-10 of its reach more. That is at least twice the
 * gap that a sweep leaves (sweep.h), and in float some 1e-5 of the size of objects near the origin. A margin of
 * CM_REAL_MIN, the least positive number, means touching only. Triggers have no margin: they are entered by touching. */
export interface WorldDesc {
  /** of the broad phase; 0 = CM_BROAD_AUTO. Never changes answers */
  readonly kind?: BroadKind | undefined;
  /** objects to make room for at once; more are always welcome */
  readonly capacity?: number | undefined;
  /** most objects; 0 = 16,777,215, which is also the most */
  readonly limit?: number | undefined;
  /** most pairs of overlapping boxes; 0 = 16,777,216. See cm_world_update */
  readonly pairLimit?: number | undefined;
  /** most bytes of pairs, hits, contacts and events; 0 = 2^31 - 1: what any machine has, and room for two million contacts. See cm_world_update */
  readonly byteLimit?: number | undefined;
  /** most sweeps of pairs in a step; 0 = 8,388,608, or 1,024 an object where that is more */
  readonly sweepLimit?: number | undefined;
  /** >= 0: contacts are kept up to this gap, with negative depth; 0 = the default, below */
  readonly margin?: number | undefined;
  readonly meet?: (p0: Pointer, p1: number, p2: number) => boolean;
}

/** One object. Zero fields mean the default, but for the shape. */
export interface WorldObjectDesc {
  /** what it borrows must outlive the object */
  shape: Shape;
  /** a rotation of all zeros is the identity */
  pose: Pose;
  /** static: never paired with another static one, no motion. Its pose may be set, at a cost */
  fixed: boolean;
  /** a sensor: stops nothing, no contacts, gives entered and left. Two triggers never meet */
  trigger: boolean;
  /** bits of what it is; 0 = 1 */
  layer: number;
  /** bits of what it meets; 0 = all. A pair counts where layer & mask of the other, both ways, … */
  mask: number;
  /** layer and mask are as they are, so that 0 means no bit: as cm_world_get gives them */
  exact: boolean;
  /** … but equal negative groups never meet, equal positive ones always; 0 = none */
  group: number;
  /** yours */
  user: number;
  sweep: WorldSweepMode;
}

/** One object. Zero fields mean the default, but for the shape. */
export interface WorldObjectDescLike {
  /** what it borrows must outlive the object */
  readonly shape?: Shape | undefined;
  /** a rotation of all zeros is the identity */
  readonly pose?: PoseLike | undefined;
  /** static: never paired with another static one, no motion. Its pose may be set, at a cost */
  readonly fixed?: boolean | undefined;
  /** a sensor: stops nothing, no contacts, gives entered and left. Two triggers never meet */
  readonly trigger?: boolean | undefined;
  /** bits of what it is; 0 = 1 */
  readonly layer?: number | undefined;
  /** bits of what it meets; 0 = all. A pair counts where layer & mask of the other, both ways, … */
  readonly mask?: number | undefined;
  /** layer and mask are as they are, so that 0 means no bit: as cm_world_get gives them */
  readonly exact?: boolean | undefined;
  /** … but equal negative groups never meet, equal positive ones always; 0 = none */
  readonly group?: number | undefined;
  /** yours */
  readonly user?: number | undefined;
  readonly sweep?: WorldSweepMode | undefined;
}

/** Two objects run into each other within the step. a < b. */
export interface WorldHit {
  a: number;
  b: number;
  userA: number;
  userB: number;
  /** when: never later than the true time. The rest of the step is 1 - u of it */
  u: number;
  /** world, at u: on a's surface, where b touches it */
  point: Vec3;
  /** unit, from a to b */
  normal: Vec3;
  /** triangle or child, CM_NONE for a convex shape */
  partA: number;
  /** triangle or child, CM_NONE for a convex shape */
  partB: number;
  /** apart, touching or overlapping where the sweep of this hit started */
  start: SweepStart;
  /** which hit of the step it is for each: 1 … 8 */
  countA: number;
  /** which hit of the step it is for each: 1 … 8 */
  countB: number;
}

/** How to step; zero fields mean the default, and so does NULL instead of the whole. */
export interface WorldStep {
  readonly hit?: (p0: Pointer, p1: WorldHit, p2: Motion, p3: Motion) => WorldAnswer;
}

/** A pair that touched on its way but does not at the end began and ended (entered and left) in one step.
 * `u` of ENDED and LEFT, where one of the two was swept: the last time of the step at which they touched, as
 * cm_sweep_last finds it, also of a contact that is older than the step; 0 where they were apart all through it, as
 * after cm_world_set_pose. Of what was removed: when, 0 if before the step. Else 1. */
export interface WorldEvent {
  kind: WorldEventKind;
  /** a < b; may be stale by now */
  a: number;
  /** a < b; may be stale by now */
  b: number;
  userA: number;
  userB: number;
  /** when within the step */
  u: number;
  /** BEGAN, STAYED: where they touch at the end of the step; BEGAN that also ended: where they met. HIT: one point; LIMIT: what is nearest. Else NULL. From a to b */
  manifolds: Manifold[];
}

/** Events that stand in the world's memory. */
export interface WorldEventView {
  events: WorldEvent[];
}

/** What a step cost and found. */
export interface WorldStats {
  /** in the last step */
  objects: number;
  /** in the last step */
  moved: number;
  /** in the last step */
  swept: number;
  /** of overlapping boxes */
  pairs: number;
  /** pairs whose shapes were tested; that touch now (triggers counted) */
  tested: number;
  /** pairs whose shapes were tested; that touch now (triggers counted) */
  contacts: number;
  /** pairs swept; hits answered; sweeps that ended without a proof, and held both */
  sweeps: number;
  /** pairs swept; hits answered; sweeps that ended without a proof, and held both */
  hits: number;
  /** pairs swept; hits answered; sweeps that ended without a proof, and held both */
  limits: number;
  /** held by the world, everything but the broad phase */
  bytes: number;
}

/** Whom a query sees; zero fields mean the default, and so does NULL instead of the whole. */
export interface WorldQuery {
  /** only objects with a layer bit in it; 0 = all */
  readonly mask?: number | undefined;
  /** an object to leave out; 0 = none */
  readonly except?: number | undefined;
  /** triggers too */
  readonly triggers?: boolean | undefined;
  /** sweeps: only what the shape runs into, not what it leaves or slides along */
  readonly blocking?: boolean | undefined;
  readonly accept?: (p0: Pointer, p1: number) => boolean;
}

/** What a ray meets, and where. */
export interface WorldRayHit {
  id: number;
  user: number;
  hit: RayHit;
}

/** What a moving shape meets, and when. */
export interface WorldSweepHit {
  id: number;
  user: number;
  /** A is the shape of the query, B the object */
  hit: SweepHit;
}

/** What is near a shape, and how near. */
export interface WorldNear {
  id: number;
  user: number;
  /** A is the shape of the query, B the object */
  witness: Witness;
}

/** Shapes that a snapshot names by their number here, so that it can be read where they lie elsewhere. */
export interface WorldShapes {
  readonly shapes?: readonly Shape[] | undefined;
}

/** The ground under a mover, as the last step found it. In the air all but `kind` and `velocity` are of the last
 * ground. */
export interface MoverGround {
  kind: MoverFooting;
  /** unit, out of the ground */
  normal: Vec3;
  /** world: where it stands */
  point: Vec3;
  /** with which it carried the mover in the last step: a lift's, a turntable's where it stands */
  velocity: Vec3;
  /** the object; 0 in a space of one shape */
  id: number;
  /** triangle or child, CM_NONE for a convex shape */
  part: number;
  /** of the object. Where the next step finds it elsewhere, the mover has ridden along */
  pose: Pose;
}

/** The ground under a mover, as the last step found it. In the air all but `kind` and `velocity` are of the last
 * ground. */
export interface MoverGroundLike {
  readonly kind?: MoverFooting | undefined;
  /** unit, out of the ground */
  readonly normal?: Vec3Like | undefined;
  /** world: where it stands */
  readonly point?: Vec3Like | undefined;
  /** with which it carried the mover in the last step: a lift's, a turntable's where it stands */
  readonly velocity?: Vec3Like | undefined;
  /** the object; 0 in a space of one shape */
  readonly id?: number | undefined;
  /** triangle or child, CM_NONE for a convex shape */
  readonly part?: number | undefined;
  /** of the object. Where the next step finds it elsewhere, the mover has ridden along */
  readonly pose?: PoseLike | undefined;
}

/** A mover. Zero fields mean the default, but for the shape. */
export interface Mover {
  /** convex and bounded: point to custom in CM_SHAPE_LIST */
  shape: Shape;
  /** any direction, of any length; 0 = +y */
  up: Vec3;
  /** the gap that it keeps; 0 = 1/1024 of its height. Far from the origin it is at least 96 CM_REAL_EPSILON of the position, as half of it must be more than what sweeps leave (G in sweep.h). Among meshes that reach much farther than that from their own origin, give it more than 2 G */
  skin: number;
  /** steps up to this height are climbed, those higher by more than the skin are not; 0 = a fifth of its height, below 0 = none */
  stepUp: number;
  /** how far it follows firm ground down in a step; 0 = `step_up`, below 0 = none */
  stepDown: number;
  /** the steepest firm ground, radians from the horizontal, to 0.001; 0 = 50 degrees. Up to 1.5 */
  slope: number;
  /** where it is; a rotation of all zeros is the identity */
  pose: Pose;
  ground: MoverGround;
}

/** A mover. Zero fields mean the default, but for the shape. */
export interface MoverLike {
  /** convex and bounded: point to custom in CM_SHAPE_LIST */
  readonly shape?: Shape | undefined;
  /** any direction, of any length; 0 = +y */
  readonly up?: Vec3Like | undefined;
  /** the gap that it keeps; 0 = 1/1024 of its height. Far from the origin it is at least 96 CM_REAL_EPSILON of the position, as half of it must be more than what sweeps leave (G in sweep.h). Among meshes that reach much farther than that from their own origin, give it more than 2 G */
  readonly skin?: number | undefined;
  /** steps up to this height are climbed, those higher by more than the skin are not; 0 = a fifth of its height, below 0 = none */
  readonly stepUp?: number | undefined;
  /** how far it follows firm ground down in a step; 0 = `step_up`, below 0 = none */
  readonly stepDown?: number | undefined;
  /** the steepest firm ground, radians from the horizontal, to 0.001; 0 = 50 degrees. Up to 1.5 */
  readonly slope?: number | undefined;
  /** where it is; a rotation of all zeros is the identity */
  readonly pose?: PoseLike | undefined;
  readonly ground?: MoverGroundLike | undefined;
}

/** One thing that a mover ran into in a step. */
export interface MoverHit {
  /** the object; 0 in a space of one shape */
  id: number;
  part: number;
  user: number;
  /** world: on the object's surface */
  point: Vec3;
  /** unit, out of the object, toward the mover */
  normal: Vec3;
  /** at which the mover ran into it, along the normal; 0 where it was only set down on it */
  speed: number;
  /** the shape already overlapped this object before it moved: seen in `meet` only */
  overlapping: boolean;
}

/** One thing that a mover ran into in a step. */
export interface MoverHitLike {
  /** the object; 0 in a space of one shape */
  readonly id: number;
  readonly part: number;
  readonly user: number;
  /** world: on the object's surface */
  readonly point: Vec3Like;
  /** unit, out of the object, toward the mover */
  readonly normal: Vec3Like;
  /** at which the mover ran into it, along the normal; 0 where it was only set down on it */
  readonly speed: number;
  /** the shape already overlapped this object before it moved: seen in `meet` only */
  readonly overlapping: boolean;
}

/** Where a mover walks, and whom it meets there. Either `world` or `shape` is needed, the rest may be zero. */
export interface MoverSpace {
  readonly world?: Pointer | undefined;
  /** where there is no world: the one shape that there is, a mesh or any other … */
  readonly shape?: Shape | undefined;
  /** … and where it stands; a rotation of all zeros is the identity */
  readonly pose?: PoseLike | undefined;
  readonly query?: WorldQuery | undefined;
  readonly meet?: (p0: Mover, p1: MoverHit) => boolean;
}

/** What came of a step. */
export interface MoverResult {
  /** what is left of the velocity asked for; like that it is relative to the ground's */
  velocity: Vec3;
  /** how far the mover went in all, what carried or pushed it included */
  moved: Vec3;
  /** the shape overlaps something and finds no room: a platform closed on it */
  crushed: boolean;
  /** it went up a step */
  climbed: boolean;
  /** the first ones, in order; the ground that it walks on is none */
  hits: MoverHit[];
  /** of the shape through the space: the cost */
  sweeps: number;
}

/** What makes an object of the world a body; zero fields mean the default. Against an object without a body its own
 * restitution and friction count; a floor of ice is a `driven` body of velocity 0. The moment of inertia is that of
 * the shape, filled evenly: a shape without volume (an open mesh, one of your own) needs a mass and never turns. */
export interface BodyDesc {
  /** of the center of mass; angular, world axes, radians; per second */
  readonly velocity?: Vec3Like | undefined;
  /** of the center of mass; angular, world axes, radians; per second */
  readonly spin?: Vec3Like | undefined;
  /** 0 = by `density` from the shape's volume */
  readonly mass?: number | undefined;
  /** 0 = 1 */
  readonly density?: number | undefined;
  /** 0 … 1: the greater of two counts */
  readonly restitution?: number | undefined;
  /** >= 0, Coulomb's; the root of the product of two counts */
  readonly friction?: number | undefined;
  /** >= 0, a second: of the velocity; 0 = none. See cm_dynamics_step */
  readonly damping?: number | undefined;
  /** >= 0, a second: of the angular momentum; 0 = none */
  readonly spinDamping?: number | undefined;
  /** how much of the gravity acts, below 0 upward; 0 = all of it (none: weightless) */
  readonly gravityScale?: number | undefined;
  /** gravity does not act */
  readonly weightless?: boolean | undefined;
  /** kinematic: moves by its velocities whatever it meets, as a lift. Needs no mass */
  readonly driven?: boolean | undefined;
  /** CM_RESPONSE_* bits: what it does when it meets something; 0 = report only */
  readonly response?: number | undefined;
  /** 0 … 31: yours, for cm_dynamics_set_response */
  readonly kind?: number | undefined;
}

/** How to build one; zero fields mean the default, and so does NULL instead of the whole. */
export interface DynamicsDesc {
  /** acceleration */
  readonly gravity?: Vec3Like | undefined;
  readonly respond?: (p0: Pointer, p1: WorldHit, p2: { value: number }, p3: { value: number }) => void;
}

/** What a body is now. */
export interface BodyState {
  velocity: Vec3;
  spin: Vec3;
  /** 0: driven */
  mass: number;
  /** of mass, world */
  center: Vec3;
  /** mass times velocity */
  momentum: Vec3;
  /** about the world's origin */
  angularMomentum: Vec3;
  /** kinetic, of going and turning */
  energy: number;
  halted: boolean;
}

/** What a file says of a part: "class" "IfcWall", "storey" "EG", "Pset_WallCommon.IsExternal" "TRUE". One without a key
 * or a value, NULL, is chosen by nothing. */
export interface CheckProperty {
  readonly key: string;
  readonly value: string;
}

/** One part. Its mesh, its texts and its properties are borrowed. */
export interface CheckPart {
  /** a mesh; a solid one has an inside */
  readonly shape?: Shape | undefined;
  readonly pose?: PoseLike | undefined;
  /** its path, "engine/crank/pin"; NULL = "" */
  readonly name?: string | undefined;
  /** where it comes from; NULL = nowhere */
  readonly file?: string | undefined;
  /** its own, that survives a new export, such as a GlobalId; NULL = none */
  readonly id?: string | undefined;
  readonly rounding?: number | undefined;
  /** how far its triangles may lie from the true surface, as chords do from an arc; 0: not at all */
  readonly deviation?: number | undefined;
  readonly properties?: readonly CheckProperty[] | undefined;
  /** where it stands in a tree: a number of its own there, and that of what it hangs from; 0 = in none, from nothing. Several parts of one node may have its number. */
  readonly node?: number | undefined;
  /** where it stands in a tree: a number of its own there, and that of what it hangs from; 0 = in none, from nothing. Several parts of one node may have its number. */
  readonly parent?: number | undefined;
}

/** Two parts that are not simply apart.
 * A part's identity is a hash of its id where it has one and no other part has the same, else of its name. A finding's
 * is a hash of both, whichever is A, and of the name of its test, where that has one. So a finding has the same in the
 * next export of a model, whatever the order of its parts, and also where they are renamed, if they have ids. */
export interface Finding {
  /** part_a < part_b, but for cm_check_nearest */
  partA: number;
  /** part_a < part_b, but for cm_check_nearest */
  partB: number;
  /** of cm_check_desc.tests; 0 where there are none */
  test: number;
  /** identities: its own, and those of its parts */
  id: string;
  /** identities: its own, and those of its parts */
  idA: string;
  /** identities: its own, and those of its parts */
  idB: string;
  kind: FindingKind;
  result: RelationResult;
  /** the first exception that accepts it, or CM_NONE */
  allowed: number;
  /** by its test, else by cm_check_desc.fail_on; what is allowed never does */
  fails: boolean;
  /** around the crossings of triangles; min > max where there are none */
  outlineBox: Aabb;
  /** that box's diagonal; 0 where there are none */
  crossingExtent: number;
  /** of the segments in which triangles cross, together; those within one plane are none */
  crossingLength: number;
  common: Interference;
  commonKnown: boolean;
  /** two points for each of them, in the order of cm_mesh_crossings; NULL unless asked for */
  outline: RealArray;
  outlineSegments: number;
}

/** Two parts that are not simply apart.
 * A part's identity is a hash of its id where it has one and no other part has the same, else of its name. A finding's
 * is a hash of both, whichever is A, and of the name of its test, where that has one. So a finding has the same in the
 * next export of a model, whatever the order of its parts, and also where they are renamed, if they have ids. */
export interface FindingLike {
  /** part_a < part_b, but for cm_check_nearest */
  readonly partA: number;
  /** part_a < part_b, but for cm_check_nearest */
  readonly partB: number;
  /** of cm_check_desc.tests; 0 where there are none */
  readonly test: number;
  /** identities: its own, and those of its parts */
  readonly id: string;
  /** identities: its own, and those of its parts */
  readonly idA: string;
  /** identities: its own, and those of its parts */
  readonly idB: string;
  readonly kind: FindingKind;
  readonly result: RelationResultLike;
  /** the first exception that accepts it, or CM_NONE */
  readonly allowed: number;
  /** by its test, else by cm_check_desc.fail_on; what is allowed never does */
  readonly fails: boolean;
  /** around the crossings of triangles; min > max where there are none */
  readonly outlineBox: AabbLike;
  /** that box's diagonal; 0 where there are none */
  readonly crossingExtent: number;
  /** of the segments in which triangles cross, together; those within one plane are none */
  readonly crossingLength: number;
  readonly common: InterferenceLike;
  readonly commonKnown: boolean;
  /** two points for each of them, in the order of cm_mesh_crossings; NULL unless asked for */
  readonly outline: ArrayLike<number>;
  readonly outlineSegments: number;
}

/** Findings that are accepted: those between a part that one selector chooses and a part that the other chooses, and
 * with that id, of the test with that name, and no deeper. What is not given does not matter; selectors, an id or a
 * test must be. */
export interface CheckException {
  readonly first?: string | undefined;
  /** both or neither */
  readonly second?: string | undefined;
  /** cm_finding.id; 0 = not given */
  readonly id?: string | undefined;
  /** NULL = not given */
  readonly test?: string | undefined;
  /** what overlaps by more is not accepted; 0 = not given */
  readonly depth?: number | undefined;
}

/** One test of several, of pairs of a part of A and a part of B. A pair that two tests ask for is found by both. */
export interface CheckTest {
  /** of its own; NULL = "" */
  readonly name?: string | undefined;
  readonly a?: string | undefined;
  /** selectors; NULL = all parts */
  readonly b?: string | undefined;
  readonly kind?: CheckTestKind | undefined;
  /** 0 = that of the description */
  readonly tolerance?: number | undefined;
  /** likewise; where the kind is ANY or CLEARANCE, which needs one */
  readonly clearance?: number | undefined;
  readonly severity?: CheckSeverity | undefined;
}

/** What pairs of a part that one selector chooses and a part that the other chooses may overlap, in every test: of a
 * press fit, say. */
export interface CheckPairTolerance {
  readonly first?: string | undefined;
  readonly second?: string | undefined;
  /** above 0 */
  readonly tolerance?: number | undefined;
}

/** What to check; zero fields mean the default. */
export interface CheckDesc {
  readonly parts?: readonly CheckPart[] | undefined;
  readonly sides?: ArrayLike<number> | undefined;
  readonly tests?: readonly CheckTest[] | undefined;
  /** a selector: parts that are in no pair; NULL = none */
  readonly leftOut?: string | undefined;
  /** pairs that are not checked: CM_CHECK_SKIP_… */
  readonly skip?: number | undefined;
  /** of all pairs: what overlaps by no more than this touches; 0 = cm_check_tolerance of each */
  readonly tolerance?: number | undefined;
  /** pairs that are apart, but less than this, are findings; 0 = none is asked for */
  readonly clearance?: number | undefined;
  /** before all others; of several the first that is about a pair */
  readonly tolerances?: readonly CheckPairTolerance[] | undefined;
  readonly exceptions?: readonly CheckException[] | undefined;
  /** of tests of kind ANY; CM_FAIL_NEVER: of all */
  readonly failOn?: CheckFailOn | undefined;
  /** keep the segments in which findings cross */
  readonly outlines?: boolean | undefined;
  /** ask for what the parts of findings have in common: cm_finding.common */
  readonly volumes?: boolean | undefined;
  readonly progress?: (p0: number, p1: number) => boolean;
}

/** What came of a test. */
export interface CheckTestResult {
  /** that its selectors choose */
  partsA: number;
  /** that its selectors choose */
  partsB: number;
  /** that it asks for */
  pairs: number;
  findings: number;
  allowed: number;
  failing: number;
}

/** What was found. One block of findings, one of outlines, one of counts, one of tests. */
export interface CheckResult {
  findings: Finding[];
  /** of each exception: so many findings match it */
  uses: Uint32Array;
  /** one a test; one where there are none */
  tests: CheckTestResult[];
  /** that are asked for, by each test; those whose boxes come near each other */
  pairsTotal: number;
  /** that are asked for, by each test; those whose boxes come near each other */
  pairsNear: number;
  /** near pairs that are not checked, by cm_check_desc.skip */
  skippedProduct: number;
  /** near pairs that are not checked, by cm_check_desc.skip */
  skippedParent: number;
  /** by cm_check_desc.left_out */
  partsLeftOut: number;
  /** findings of each, without those that are allowed */
  kinds: number[];
  /** findings */
  allowed: number;
  /** findings */
  failing: number;
}

/** So many findings that have something in common: members[first] and the next ones of cm_check_groups. */
export interface CheckGroup {
  /** key_a <= key_b; or a part, and CM_NONE */
  keyA: number;
  /** key_a <= key_b; or a part, and CM_NONE */
  keyB: number;
  first: number;
  count: number;
}

export interface CheckGroups {
  /** those with the most findings first, then by key_a, by key_b */
  groups: Uint32Array;
  /** numbers of findings; those of a group in their order */
  members: Uint32Array;
}

/** Every public function. Errors are thrown as CaromError; results go into `out` where it is given. */
export interface Api {
  /** A short English text for a status; "unknown status" for a number that is none. Never NULL. */
  statusText(status: Status): string;
  /** The version the library was built as, e.g. "0.1.0". */
  version(): string;
  /** The smaller; b where one of them is NaN. */
  min(a: number, b: number): number;
  /** The larger; b where one of them is NaN. */
  max(a: number, b: number): number;
  /** x moved into [lo, hi]; NaN stays. */
  clamp(x: number, lo: number, hi: number): number;
  /** |x|, of -0 too. */
  abs(x: number): number;
  /** Correctly rounded; NaN below 0. */
  sqrt(x: number): number;
  /** True where |x| is a valid coordinate (finite and at most CM_COORD_MAX); false for NaN. */
  isCoord(x: number): boolean;
  /** The vector (x, y, z). */
  v(x: number, y: number, z: number): Vec3;
  /** a + b */
  add(a: Vec3Like, b: Vec3Like): Vec3;
  /** a - b: from b to a. */
  sub(a: Vec3Like, b: Vec3Like): Vec3;
  /** -a */
  neg(a: Vec3Like): Vec3;
  /** s a */
  scale(a: Vec3Like, s: number): Vec3;
  /** a + s b */
  mulAdd(a: Vec3Like, s: number, b: Vec3Like): Vec3;
  /** a + t (b - a); exactly a at t = 0. */
  lerp(a: Vec3Like, b: Vec3Like, t: number): Vec3;
  /** The dot product: a.x b.x + a.y b.y + a.z b.z, in this order; may overflow from components beyond the square root of
   * CM_REAL_MAX. */
  dot(a: Vec3Like, b: Vec3Like): number;
  /** The cross product: perpendicular to a and b by the right-hand rule; its length is the area of their parallelogram. */
  cross(a: Vec3Like, b: Vec3Like): Vec3;
  /** The smaller of each component. */
  vec3Min(a: Vec3Like, b: Vec3Like): Vec3;
  /** The larger of each component. */
  vec3Max(a: Vec3Like, b: Vec3Like): Vec3;
  /** |a|, component by component. */
  vec3Abs(a: Vec3Like): Vec3;
  /** The largest |component|; the scale of a vector, safe from overflow and underflow. */
  largest(a: Vec3Like): number;
  /** Length; no overflow or underflow of the squares for any finite vector. */
  length(a: Vec3Like): number;
  /** a / |a|, or `fallback` where a is zero or not finite. */
  normalize(a: Vec3Like, fallback: Vec3Like): Vec3;
  /** True where every component is a valid coordinate. */
  vec3IsValid(a: Vec3Like): boolean;
  /** m v: v rotated, where m is a rotation. */
  mat3Mul(m: Mat3Like, v: Vec3Like): Vec3;
  /** transpose(m) v: the inverse where m is a rotation. */
  mat3MulTransposed(m: Mat3Like, v: Vec3Like): Vec3;
  /** The identity rotation. */
  quatIdentity(): Quat;
  /** The inverse of a unit quaternion. */
  quatConjugate(q: QuatLike): Quat;
  /** The product: first rotate by b, then by a. */
  quatMul(a: QuatLike, b: QuatLike): Quat;
  /** q scaled to length 1; the identity where q is zero or not finite. */
  quatNormalize(q: QuatLike): Quat;
  /** The rotation by `angle` radians about `axis` (any length but 0), counter-clockwise seen from its tip; the identity
   * for an axis of 0 and for NaN. The same bits everywhere. */
  quatFromAxisAngle(axis: Vec3Like, angle: number, out?: Quat): Quat;
  /** The rotation that a matrix is (its columns unit and orthogonal, right-handed), as a unit quaternion, right
   * to rounding; the identity for NaN, and for what is no rotation some unit quaternion. Source: [Shepperd78]. */
  quatFromMat3(m: Mat3Like, out?: Quat): Quat;
  /** The rotation between two: from a at t = 0 to b at t = 1 (or its negative, which is the same rotation) about one axis
   * at constant speed, the shorter way round. Beyond [0, 1] it goes on turning. Where b is a half turn from a, both ways
   * are as short: the one is taken that b's sign says. `a` and `b` are scaled to length 1 first; the identity for NaN.
   * Right to 2 ulps of 1 for 0 <= t <= 1, the same bits everywhere. Source: [Shoemake85]. */
  quatSlerp(a: QuatLike, b: QuatLike, t: number, out?: Quat): Quat;
  /** The rotation as a matrix. */
  mat3FromQuat(q: QuatLike): Mat3;
  /** v rotated by q, a unit quaternion; as long as v but for rounding. */
  rotate(q: QuatLike, v: Vec3Like): Vec3;
  /** v rotated by the inverse of q. */
  unrotate(q: QuatLike, v: Vec3Like): Vec3;
  /** At the origin, unrotated. */
  poseIdentity(): Pose;
  /** At `position`, unrotated. */
  poseAt(position: Vec3Like): Pose;
  /** Local to outer coordinates: rotate, then translate. */
  poseApply(p: PoseLike | null | undefined, local: Vec3Like): Vec3;
  /** Outer to local coordinates: subtract the position first, then rotate back. */
  poseUnapply(p: PoseLike | null | undefined, outer: Vec3Like): Vec3;
  /** Frame b seen from frame a, both given in one outer frame: b's local coordinates to a's local coordinates.
   * Rotations are taken as they are, here and by all functions that rotate: one of length s puts the position off by at
   * most 2 |s² - 1| times the distance, and the lengths of the two rotations multiply. Queries of meshes normalise the
   * product. cm_quat_normalize keeps rotations that are multiplied over and over at length 1. */
  poseBetween(a?: PoseLike | null, b?: PoseLike | null): Pose;
  /** First b, then a: a child's pose b within a parent at a. */
  poseMul(a?: PoseLike | null, b?: PoseLike | null): Pose;
  /** The pose that a 4x4 matrix is: 16 numbers, column by column, outer = m * (x, y, z, 1), as OpenGL, glTF and Vulkan
   * have them (one that is stored row by row is its transpose).
   * @returns false, with `out` untouched, where it is no rotation and translation: columns that are not of length 1 and orthogonal within 1e-3, a mirror image, a last row other than 0 0 0 1, a number beyond the valid range. Take a scale out before: shapes and the descriptions of hulls and meshes have a place for it (cm_shape_scaled). */
  poseFromMat4(m: ArrayLike<number>, out?: Pose): Pose | null;
  /** The 4x4 matrix of a pose, 16 numbers, column by column, as for cm_pose_from_mat4. */
  mat4FromPose(p: PoseLike | null | undefined, m: RealArray | null): void;
  /** True where the position is valid and the rotation a unit quaternion within 1e-3; normals keep their length under it. */
  poseIsValid(p?: PoseLike | null): boolean;
  /** The empty box: the neutral element of union. */
  aabbEmpty(): Aabb;
  /** The box grown to hold p. */
  aabbAddPoint(b: AabbLike, p: Vec3Like): Aabb;
  /** The smallest box around both; an empty one changes nothing. */
  aabbUnion(a: AabbLike, b: AabbLike): Aabb;
  /** Touching counts; false where either box is empty or has a NaN. */
  aabbOverlaps(a: AabbLike, b: AabbLike): boolean;
  /** The middle; no overflow. */
  aabbCenter(b: AabbLike): Vec3;
  /** Grown by `margin` on every side. */
  aabbGrow(b: AabbLike, margin: number): Aabb;
  /** A point, or with a radius a sphere. */
  makePoint(point: Vec3Like): Shape;
  /** A point with a radius. */
  makeSphere(center: Vec3Like, radius: number): Shape;
  /** The segment from a to b; with a radius a capsule. a = b is a point. */
  makeSegment(a: Vec3Like, b: Vec3Like): Shape;
  /** All points within `radius` of the segment from a to b. */
  makeCapsule(a: Vec3Like, b: Vec3Like, radius: number): Shape;
  /** A triangle, solid as a flat set; with a radius rounded on both sides. Collinear corners are a segment. */
  makeTriangle(a: Vec3Like, b: Vec3Like, c: Vec3Like): Shape;
  /** All points with |x| <= half.x, |y| <= half.y, |z| <= half.z. */
  makeBox(half: Vec3Like): Shape;
  /** All points within `radius` of the box: larger than the box by `radius` on every side. */
  makeRoundedBox(half: Vec3Like, radius: number): Shape;
  /** Around the z axis, from z = -half_height to half_height; both >= 0. */
  makeCylinder(radius: number, halfHeight: number): Shape;
  /** Around the z axis: the apex at z = half_height, the base at z = -half_height; both >= 0. */
  makeCone(radius: number, halfHeight: number): Shape;
  /** All points with (x / half.x)^2 + (y / half.y)^2 + (z / half.z)^2 <= 1. */
  makeEllipsoid(half: Vec3Like): Shape;
  /** A hull as a shape; borrows it. */
  makeHull(hull: Pointer): Shape;
  /** All points on the plane or behind it: dot(normal, p) + d <= 0. `normal` must be a unit vector within 1e-3. */
  makeHalfspace(normal: Vec3Like, d: number): Shape;
  /** A mesh as a shape; borrows it. */
  makeMesh(mesh: Pointer): Shape;
  /** A height field as a shape; borrows it. */
  makeHeightField(heightField: Pointer): Shape;
  /** A compound as a shape; borrows it. */
  makeCompound(compound: Pointer): Shape;
  /** Is the shape well formed: known kind, finite fields, radius >= 0, borrowed data present? Every query asks this
   * first; what it refuses meets nothing. Flat and empty sizes (a box of half 0) are well formed.
   * @returns CM_OK; CM_INVALID (NULL, no such kind, a negative size, a normal that is no unit vector, a radius around a composite, data that is not there); CM_NOT_FINITE. Cost: constant; a custom shape's support function is called. */
  shapeCheck(shape: Shape): void;
  /** The smallest axis-aligned box, rounded outwards, that holds the shape at `pose`, in the pose's outer frame.
   * Infinite sides are -CM_REAL_MAX / CM_REAL_MAX. An invalid shape or pose, and a height field that is all holes, give
   * the empty box. Cost: constant; a hull's six support points; O(triangles) for a mesh, which keeps no box that would
   * fit once turned; of a height field its rim and its heights by blocks; of a compound that of all its children. */
  shapeBounds(shape: Shape, pose?: PoseLike | null, out?: Aabb): Aabb;
  /** The shape scaled along its own axes: what x, y, z become times scale.x, scale.y, scale.z; negative ones mirror.
   * Points, segments, triangles, boxes, ellipsoids and half-spaces take any scale; cylinders and cones the same along x
   * and y. A radius takes the same along all three, but a sphere around its own origin becomes an ellipsoid.
   * @param out may be `shape` itself; untouched unless CM_OK.
   * @returns CM_OK; what cm_shape_check says, of the result too; CM_NOT_FINITE or CM_INVALID (scale: 0 along an axis); CM_UNSUPPORTED where the image is no shape of the library's (a capsule or rounded box unevenly, a cone upside down: turn its pose), for custom shapes (scale in the support function), and for what is borrowed: build a hull or mesh again with its description's `scale`, a height field with other spacings, a compound of scaled children. */
  shapeScaled(shape: Shape, scale: Vec3Like, out?: Shape): Shape;
  /** Volume, center of mass and inertia of a solid of uniform density, its radius included.
   * @param density mass by volume, > 0.
   * @param out untouched unless CM_OK. Sets without volume (a segment, a flat box) weigh nothing: zeros at their middle.
   * @returns CM_OK; what cm_shape_check says; CM_INVALID (density; no `out`); CM_NOT_SOLID (a mesh not built solid, a height field); CM_UNSUPPORTED (half-spaces; custom shapes; an ellipsoid with a radius, unless its half axes are equal: no closed form). Closed forms; right to a few ulp (a hull with a radius: to 1e-5 in the float build). A solid mesh counts every volume as often as its surface winds around it, a compound as often as its children hold it. Numbers beyond the range are CM_REAL_MAX. Cost: O(faces) at most. */
  shapeMass(shape: Shape, density: number, out?: Mass): Mass;
  /** Adds a part placed at `pose` to `total`, which is all zero to begin with: their masses, center and inertia as one
   * body. The total's frame is the one that `pose` leads to. Parts without mass change nothing but, as the first, the
   * center. Numbers are not checked: a NaN stays one. */
  massAdd(total: Mass, part: MassLike, pose?: PoseLike | null): void;
  /** The kind's name in lower case, "mesh"; NULL for a number that is no kind. */
  kindName(kind: Kind): string;
  /** Builds a mesh.
   * @param out the mesh; untouched on failure. Free with cm_mesh_destroy and the same allocator.
   * @returns CM_OK; CM_INVALID (NULL or zero sized input, a bad stride or index size, a scale of 0 along some axes but not all), CM_NOT_FINITE (a point beyond the valid range, after scaling; index = the point; `weld` or `scale`), CM_OUT_OF_RANGE (an index; index = the triangle; without indices more triangles than points), CM_NOT_SOLID (solid asked for, and an edge stays open; index = a triangle at it), CM_LIMIT (more than 2^30 triangles), CM_NO_MEMORY. Cost: O(n log n). */
  meshBuild(desc: MeshDesc): Pointer;
  /** Frees a mesh; `mem` as at its build. NULL is fine. */
  meshDestroy(mesh: Pointer): void;
  /** The size of the block. */
  meshBytes(mesh: Pointer): number;
  /** What the build found. */
  meshGetInfo(mesh: Pointer, out?: MeshInfo): MeshInfo;
  /** How many points after welding. */
  meshPointCount(mesh: Pointer): number;
  /** How many triangles of the source; their numbers are below it. */
  meshTriangleCount(mesh: Pointer): number;
  /** The points after welding, cm_mesh_point_count of them, in the mesh's own frame. */
  meshPoints(mesh: Pointer): RealArray;
  /** The three point numbers of the source's triangle `triangle`, < cm_mesh_triangle_count. */
  meshCorners(mesh: Pointer, triangle: number, out: Uint32Array | null): void;
  /** For each triangle the number of its component (0-based, in order of the first triangle), into `out`, which holds
   * cm_mesh_triangle_count numbers. Needs no memory of its own. */
  meshComponents(mesh: Pointer, out: Uint32Array | null): void;
  /** How many T-shaped junctions the mesh has: corners of open edges that lie on another open edge, between its ends. The
   * surface looks closed there, but what lies across such an edge is not known: contacts there may point over the seam.
   * @param tolerance how far off the edge such a corner may lie; 0 = the default: 1e-6 of the mesh's size, at least 4 float ulps of its largest coordinate.
   * @returns 0 for a closed mesh, NULL, and a tolerance that is negative or NaN. Cost: a look into the tree for each open edge; where over a thousand triangles lie around one corner, not all are looked at, and the count is a lower bound. */
  meshTJunctions(mesh: Pointer, tolerance: number): number;
  /** The points of B exactly as every pair function sees them: in A's frame, in the arithmetic of the pair functions. A's
   * own points are used as they are. `out` holds cm_mesh_point_count(b) points.
   * An oracle that reads these sees the very numbers that the answers are exact for. */
  meshPosed(poseA: PoseLike | null | undefined, b: Pointer, poseB: PoseLike | null | undefined, out: RealArray | null): void;
  /** How often the mesh winds around a point given in its own frame; 0 is outside, and for surfaces always.
   * Exact by orient predicates, also on the planes of faces and in line with edges and corners. */
  meshWinding(mesh: Pointer, point: Vec3Like): number;
  /** Moves the points of a mesh and refits its trees. Triangles, numbers, neighbors, components and solidity stay; all
   * queries then answer for the new positions. The structure of the trees stays, too, so queries of a mesh that crumples
   * are slower than after a new build. In cm_mesh_info bounds, area, volume and the count of degenerate triangles are
   * updated, `convex` is false (no hull is kept), the other fields stay those of the build. No thread may read the mesh
   * meanwhile. A world keeps its old boxes: cm_world_set_shape renews them. A compound keeps them for good, and would
   * miss the mesh: build it anew.
   * @param points cm_mesh_point_count of them, in the mesh's own frame; may be cm_mesh_points(mesh).
   * @returns CM_OK; CM_INVALID (NULL), CM_NOT_FINITE (a point beyond the valid range), CM_NO_MEMORY: then the mesh is as it was. Cost: O(n), a small part of a build. */
  meshMovePoints(mesh: Pointer, points: ArrayLike<number>): void;
  /** Builds a height field.
   * @param out the height field; untouched on failure. Free with cm_height_field_destroy and the same allocator.
   * @returns CM_OK; CM_INVALID (no heights, fewer than 2 columns or rows, a spacing that is not positive, a stride below the size of a sample, an unknown ground or sample), CM_NOT_FINITE (a height or a far corner beyond the valid range; index = row * columns + column; heights at holes count too; a spacing, `scale` or `origin`), CM_LIMIT (more than 2^29 cells), CM_NO_MEMORY. Cost: O(samples); the block takes about 1.2 cm_real a sample and, with holes, a bit. */
  heightFieldBuild(desc: HeightFieldDesc): Pointer;
  /** Frees a height field; `mem` as at its build. NULL is fine. */
  heightFieldDestroy(field: Pointer): void;
  /** The size of the block. */
  heightFieldBytes(field: Pointer): number;
  /** What it holds. */
  heightFieldGetInfo(field: Pointer, out?: HeightFieldInfo): HeightFieldInfo;
  /** The triangle with this number, in the field's own frame, exactly as every query sees it.
   * @returns false, `out` untouched, for a hole and for a number that is none. */
  heightFieldTriangle(field: Pointer, triangle: number, out?: Triangle): Triangle | null;
  /** Builds the convex hull of any points: also of equal, collinear or coplanar ones.
   * @param out the hull; untouched on failure. Free with cm_hull_destroy and the same allocator.
   * @returns CM_OK; CM_INVALID (NULL or no points, a bad stride, max_vertices of 1 to 3, a scale of 0 along some axes but not all), CM_NOT_FINITE (a point beyond the valid range, index = the point, after scaling; `merge` or `scale`), CM_LIMIT (too many points), CM_NO_MEMORY. Vertices are numbered by x, then y, then z; faces by their first, then their second vertex. Cost: O(n log n) for points in general; with few vertices O(n). Source: [Barber96] on exact signs [Shewchuk97], see docs/theory/hull.md. */
  hullBuild(desc: HullDesc): Pointer;
  /** Frees a hull; `mem` as at its build. NULL is fine. */
  hullDestroy(hull: Pointer): void;
  /** The size of the block. */
  hullBytes(hull: Pointer): number;
  /** What the build found. */
  hullGetInfo(hull: Pointer, out?: HullInfo): HullInfo;
  /** How many vertices: 1 for a point, 2 for a segment. */
  hullVertexCount(hull: Pointer): number;
  /** How many faces: 2 for a polygon, none below that. */
  hullFaceCount(hull: Pointer): number;
  /** The vertices, cm_hull_vertex_count of them: points of the source, bit by bit (-0 becomes 0; so does, in the double
   * build, a coordinate below 2^-305 of a hull that reaches 2^-200 or farther). */
  hullVertices(hull: Pointer): RealArray;
  /** For each vertex the number of a source point at its place. */
  hullSources(hull: Pointer): Uint32Array;
  /** Face number `face`, < cm_hull_face_count. */
  hullGetFace(hull: Pointer, face: number, out?: HullFace): HullFace;
  /** The face that a half-edge belongs to; half_edge < 2 * edges. */
  hullEdgeFace(hull: Pointer, halfEdge: number): number;
  /** The vertex farthest along `direction` (hull's frame, any length), of equally far ones the lowest number.
   * Falls short of the true maximum by at most 8 ulp of |direction| times the hull's half size; `direction` zero or not
   * finite gives some vertex. Cost: O(vertices) up to 96 of them, else a walk from a good start. */
  hullSupport(hull: Pointer, direction: Vec3Like): number;
  /** Builds a compound.
   * @param out the compound; untouched on failure. Free with cm_compound_destroy and the same allocator.
   * @returns CM_OK; CM_INVALID (NULL or no children, an invalid shape or rotation), CM_NOT_FINITE (a number in a child, or one that lies beyond the valid range), CM_UNSUPPORTED (a child is a compound or a half-space), CM_LIMIT (too many), CM_NO_MEMORY. Cost: O(n log n), and O(triangles) for children that are meshes. */
  compoundBuild(desc: CompoundDesc): Pointer;
  /** Frees a compound; `mem` as at its build. NULL is fine. */
  compoundDestroy(compound: Pointer): void;
  /** The size of the block. */
  compoundBytes(compound: Pointer): number;
  /** What it holds. */
  compoundGetInfo(compound: Pointer, out?: CompoundInfo): CompoundInfo;
  /** The surface of a shape as triangles.
   * What is flat is exact: boxes, hulls, triangles (their front and back), meshes, height fields (triangles in the order
   * of their numbers; holes have none, but their samples are points). What is round is inscribed: all points lie on the
   * surface to a few ulp of the size, but with a radius around a cylinder, cone or ellipsoid beneath it; no point is
   * farther beneath it, and no point of the surface farther from the triangles, than 10 / segments^2 of the diagonal of
   * the shape's box. A caller's shape is known along some segments^2 / 4 directions alone: a corner that is the farthest
   * along none of these is cut off. Solid convex shapes come out closed. Segments and points without a radius have no
   * triangles, only their points. A compound gives its children one after the other, where they stand, also what lies
   * within another.
   * @param desc NULL = all defaults.
   * @param out untouched on failure. Free with cm_tessellation_destroy and the same allocator.
   * @returns CM_OK; what cm_shape_check says; CM_INVALID (desc), CM_NOT_FINITE (points beyond the valid range), CM_LIMIT (more than 2^31 points or triangles), CM_NO_MEMORY. Cost: O(triangles) for meshes and height fields; a few milliseconds for what is round at 32 segments. */
  shapeTessellate(shape: Shape, desc?: TessellateDesc | null, out?: Tessellation): Tessellation;
  /** Do the shapes share a point? Poses are in world coordinates, here and below; their rotations unit quaternions.
   * @returns true where they touch or overlap, also where one holds the other without touching its surface, if that is solid; false for bad input. By exact signs between meshes and points, segments, triangles without a radius, as posed. Cost: closed forms for the textbook pairs (docs/guide/tests.md); some 3 to 8 support points of each for other convex pairs; O(log parts) for composites that meet in few places. Source: docs/theory/convex.md, pair by pair docs/guide/matrix.md. */
  overlap(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB?: PoseLike | null): boolean;
  /** Signed distance, in units of the coordinates: > 0 is the gap, <= 0 minus the depth. The depth of two convex shapes
   * is the length of the smallest translation that brings them to touching. The depth of two solid meshes is the reach:
   * the farthest that a surface point of one lies inside the other, to a thousandth of it and to 1e-6 of the pair's size
   * (less may be reported as 0). The depth of other composites is the greatest over their parts, see above. Two crossing
   * half-spaces: -CM_REAL_MAX. Cost: as cm_overlap where far apart; for overlapping hulls some ten times that.
   * @param maxDistance >= 0: gaps beyond it are not measured; the answer is then CM_REAL_MAX and `out` untouched, as for bad input. CM_REAL_MAX: no limit.
   * @param out the proof, untouched where the answer is CM_REAL_MAX; may be NULL. Where the shapes just touch (0), the normal is that of the contact; where many normals are right (concentric balls), a fixed rule in the shapes' axes chooses one. A depth means: moved by less than it, in any direction, the two still overlap. The points of a depth lie on the two surfaces, but need not lie inside the other shape (for two bars that cross, they are at the ends, outside). The deepest point of two solid meshes does lie inside, by its winding number; the other point may be three thousandths of the reach farther from it, where another wall is nearly as near.
   * @returns the distance; CM_REAL_MAX for none within max_distance and for bad input. Two that do not overlap have at least the smallest positive number, two that do at most 0. How far off it may be: docs/guide/matrix.md. A gap is right to an error e: the rounding of the coordinates and, with a cylinder, cone, ellipsoid or caller's shape, 1e-13 (float build 1e-10) of the gap and the radii, an ellipsoid's smallest half included. The normal proves the gap to e, and so is at most sqrt(2 e / distance) radians from the true one. Source: docs/theory/convex.md. */
  distance(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB?: PoseLike | null, maxDistance?: number | null, out?: Witness): number;
  /** The contacts of two shapes that touch or nearly do, in world coordinates.
   * @param margin >= 0, in units of the coordinates: pairs that are at most this far apart have contacts too, of negative depth.
   * @param out room for `capacity` manifolds; may be NULL with a capacity of 0. Two convex shapes have one, and so have triangles of one plane, whose points between others, as deep, are left out: nothing loses support. Children of a compound have their own. What is returned is how many, in a stable order; the rest of the room may be written to. At flat and concave edges between triangles the normal is the face's, and the depth is measured along it, so that what slides over a floor does not catch on internal edges; cm_distance and cm_overlap do not depend on this.
   * @returns how many there are, which may be more than the capacity; 0 where the shapes are farther apart, and for bad input. Exactly touching ones have one, of depth 0. A mesh that is a convex solid (cm_mesh_info) has, with another or with a convex shape, the one manifold of its hull, whose `part` is a triangle at the deepest point. A shape wholly inside a solid has one, toward the nearest wall. Meshes that cross have one at their deepest point, too (of cm_distance), where that is deeper than all others, as it is where finely cut solids are deep in each other, or no pair of triangles gives a direction that the surfaces have. Cost: that of cm_distance, and of clipping face by face; of composites once for each pair of parts that are near. Source: [Sutherland74], [Gregorius13]; of edges within a surface [Coumans10]. */
  contact(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB: PoseLike | null | undefined, margin: number, out: Manifold[] | null, capacity: number): number;
  /** Keeps at most `room` (1 to 8) points of a manifold, in their order: the deepest, then one by one the point farthest
   * from those kept. Four are enough for a solver: on a flat face they span nearly what all of them did. The deepest
   * point stays, so the manifold's depth does; which points stay depends on the manifold alone. NULL, another `room` or
   * a count beyond 8 change nothing. */
  manifoldReduce(manifold: Manifold, room: number): void;
  /** cm_overlap, cm_distance, cm_contact from where the pair's last query ended: for pairs that move little from one to
   * the next, a fraction of the work. Used for convex shapes without a closed form (hulls, cylinders, cones, ellipsoids
   * with anything convex); others leave the cache alone. The sign of a distance and so every decision is the same as
   * without, bit by bit; distances differ by rounding (curved shapes in the double build: by 1e-10 of the size; those
   * that overlap: by what cm_distance states for them), and where several normals are equally good another one may be
   * found.
   * @param cache NULL for none; read and written. */
  overlapCached(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB: PoseLike | null | undefined, cache: PairCache): boolean;
  /** See cm_overlap_cached. */
  distanceCached(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB: PoseLike | null | undefined, maxDistance: number | null | undefined, cache: PairCache, out?: Witness): number;
  /** See cm_overlap_cached. */
  contactCached(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB: PoseLike | null | undefined, margin: number, cache: PairCache, out: Manifold[] | null, capacity: number): number;
  /** Every pair of triangles of two meshes that share a point, exactly, in a stable order. Touching counts, and so do
   * triangles without area. Which pairs they are is exact for the posed points (cm_mesh_posed); where `start` and `end`
   * lie is rounded.
   * @param visit called once a pair; return false to stop. NULL just counts.
   * @returns how many pairs were found (up to the stop); 0 for anything but two meshes, and for bad input. Cost: a walk over both trees, and the triangles that come near. Source: [Gottschalk96], [Guigue03] on exact signs [Shewchuk97]. */
  meshCrossings(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB?: PoseLike | null, visit?: (p0: Crossing) => boolean | null): bigint;
  /** "identical" …; "unknown" for a number that is none. Never NULL. */
  relationText(relation: Relation): string;
  /** The relation of two meshes: docs/theory/relation.md. Lengths are in units of the coordinates. Solids of several
   * bodies that have one of them in common are `crossing`, with a reach of 0 where none reaches into another.
   * @param tolerance t >= 0; 0 = the default: 1e-6 of the pair's size, at least 4 float ulps of its largest coordinate.
   * @param maxGap gaps beyond it need not be measured (distance = CM_REAL_MAX); CM_REAL_MAX measures all.
   * @param out untouched unless CM_OK.
   * @returns CM_OK, CM_INVALID (not two meshes; NULL; a tolerance or gap that is negative or NaN), CM_NOT_FINITE (a pose, its rotation included). Cost: that of cm_distance where they are apart; of those that meet a search for the reach, which some point attains and none exceeds by more than 0.1 % and t / 4, unless its bound of 200,000 distances (under a second) ended it. That point lies inside the other solid: its winding number was asked for. Source: [TangLeeKim09]. */
  meshRelation(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB?: PoseLike | null, tolerance?: number | null, maxGap?: number | null, out?: RelationResult): RelationResult;
  /** The volume that two solid meshes have in common: docs/theory/interference.md. In double in both builds. Both orders
   * give the same bits. A place that a mesh winds around more than once, as where its shells overlap, counts that many
   * times: the volume is the integral of the product of both winding numbers. A mesh against itself, at one pose, shows
   * whether it has such places: then the result is more than its own volume.
   * @param out untouched unless CM_OK.
   * @returns CM_OK, CM_NOT_SOLID (one is not built `solid`: it has no volume), CM_INVALID (not two meshes; NULL), CM_NOT_FINITE (a pose, its rotation included), CM_OUT_OF_RANGE (sizes whose cubes no double holds). `error` is about 1e-12 of the cube of the common box, whatever the offset of both; it is for the points of cm_mesh_posed, and holds no rounding of poses. Cost: a walk over both trees, the triangles that come near, and the winding at each corner that lies within the other's box. Source: [Franklin93], with signs after [Edelsbrunner90] and [Shewchuk97]. */
  meshInterference(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB?: PoseLike | null, out?: Interference): Interference;
  /** "simplex" …; "unknown" for a number that is none. Never NULL. */
  stepKindText(kind: StepKind): string;
  /** cm_distance, step by step.
   * @param step called at every step, the last of kind CM_STEP_DISTANCE; not at all for bad input. NULL for none.
   * @returns what cm_distance returns, and in *out what it writes, bit for bit. Where the gap is more than max_distance, only a lower bound of it may be known: `upper` is then CM_REAL_MAX. Searched are hulls, cylinders, cones, ellipsoids and callers' shapes against any convex shape, except points and segments against cylinders and cones. All other pairs have two steps: one of kind CM_STEP_OWN_METHOD, and the last. Cost: that of cm_distance, and of writing down the steps; nothing is allocated. */
  distanceObserved(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB: PoseLike | null | undefined, maxDistance: number | null | undefined, step: (p0: Step) => void, out?: Witness): number;
  /** cm_contact, step by step: those of the distance first, then clipping, then the points.
   * @param step see cm_distance_observed; the last is of kind CM_STEP_CONTACTS where there is a contact. Of pairs that are not searched there is one step, CM_STEP_OWN_METHOD.
   * @returns what cm_contact returns, and in *out what it writes, bit for bit. */
  contactObserved(a: Shape, poseA: PoseLike | null | undefined, b: Shape, poseB: PoseLike | null | undefined, margin: number, step: (p0: Step) => void, out: Manifold[] | null, capacity: number): number;
  /** The ray from segment.a to segment.b: t runs from 0 to 1. */
  rayFromSegment(segment: Segment): Ray;
  /** Origin and direction valid, direction not 0, max >= 0? */
  rayIsValid(ray: RayLike): boolean;
  /** Does the ray meet the shape? Touching counts: tangents, rays in a face, through an edge or a corner.
   * @param ray in world coordinates, as the pose is; `t` and `exit` count in its direction.
   * @param out untouched when it does not; may be NULL, which for a mesh takes less: any triangle will do then.
   * @returns false for an invalid ray (a direction of 0 or NaN among them), shape or pose. In the shape's own frame t is never later than the true entry and `exit` never earlier than the true exit, but for the rounding of t itself; the point at t is off the surface by at most a few ulp of the shape's size and the origin's distance (double build: rounded hulls, cylinders, cones and ellipsoids 1e-11 of the size), a miss by less than that may be a hit. A pose adds the rounding of turning the ray. Cost: closed forms; O(faces) for a hull, O(log triangles) for a mesh; rounded hulls, cylinders, cones and ellipsoids 4 to 16 distance queries, never more than 128. Source: [Kay86], [Woop13]; docs/guide/rays.md. */
  raycast(ray: RayLike, shape: Shape, pose?: PoseLike | null, out?: RayHit): RayHit | null;
  /** Many rays against one shape: each is answered as by cm_raycast, to the bit. In a large mesh they go side by side, so
   * that some compute while others wait for memory: about twice as many rays a second (docs/guide/rays.md).
   * @param met receives for each ray whether it meets the shape; may be NULL.
   * @param out receives the hits, each at the place of its ray; untouched where a ray meets nothing. May be NULL: then for a mesh any triangle will do.
   * @returns how many rays meet the shape; invalid ones meet nothing. Allocates nothing; about 50 KiB of stack. Cost: count times that of cm_raycast, or less. */
  raycastMany(rays: ArrayLike<number>, shape: Shape, pose: PoseLike | null | undefined, met: Uint8Array | null, out: RayHit[] | null): number;
  /** First and last contact of two shapes in motion, of any kinds.
   * Method. Straight motion: portal refinement for hulls, else Newton's method on the distance, which is convex in time,
   * so that no step overshoots. Turning motion: steps that are bounded by the distance and by every point's speed and
   * acceleration along the normal (conservative advancement). Curved paths: steps to where the parabola reaches the
   * plane that separates the two, which for a half-space is the answer; with turning, or a composite, steps by such
   * bounds. Only the relative acceleration counts: two bodies that fall together move straight, as seen from each other.
   * `last` is 1 for turning motions, for relative paths that are curved, and for composites, where it would cost as much
   * again: ask cm_sweep_last.
   * Composites. A convex solid mesh (cm_mesh_info) is swept as its hull against all but other surfaces, whether it
   * overlaps at the start being its own decision. The parts of other meshes, height fields and compounds near the path
   * are swept one by one, each as above. The first part that blocks is the hit; if none does, the deepest contact of the
   * start, or the first of all. So a floor that a body slides along, or a slope that it only brushes, does not hide the
   * wall ahead: `start` is then that of the pair, and `first` that of the wall, for all of the body, including what is
   * in the floor. From a start in touch, d deep (0 where it hovers), a part blocks only where the body gets deeper in it
   * than d and G together. So a body d deep in a floor slides over its internal edges, and a wall of the same object
   * stops it at the latest when it is d and G deep in that, unless it belongs to what the body leaves by the normal of a
   * contact, or the body is no thicker than twice that: then it is nowhere so deep in a triangle, and may pass. What has
   * no inside is stopped between two flush children of a compound, too, though it gets deeper in neither. The normal at
   * an edge between triangles is one that the surface has there: between those of the faces at a convex edge, the face's
   * at a flat or concave one.
   * @param out may be NULL. The verdict, `start`, `first` and `blocking` are the same for both orders of the shapes.
   * @returns false where they do not touch during the step, and for invalid input (NULL, NaN, beyond the valid range, an invalid shape, a rotation that is no unit quaternion), with `out` untouched. Source: [vandenBergen04], [Mirtich96]; docs/theory/motion.md. Cost: straight 2 to 8 distance queries (hulls: some 2), never more than 128; turning or curved never more than 512, then `proof` is LIMIT; for composites as much for each part near the path. For two that turn, a traversal of both trees over time finds these parts, from a deeper start than G, and for half-spaces, one window of time after the other; after 8192 units of work (a pair of nodes is one, a step of the sweep of two parts 16) for each part of both, the triangles in a compound counted one by one (at least 2^19, a fifth of a second, at most 2^25), `proof` is LIMIT. So however many times two turn in the step, and whether they touch or not, their sweep takes no longer than that; but from a deeper start than G it asks once for their contacts at the start. */
  sweep(a: Shape, motionA: MotionLike, b: Shape, motionB: MotionLike, out?: SweepHit): SweepHit | null;
  /** The last time of the step at which two shapes in motion touch, of any kinds, turning or not: after it they are
   * apart, up to u = 1. Composites may have separated and touched again before; a solid mesh is left at its surface.
   * @param out never earlier than truly, and later by no more than what cm_sweep leaves at `first`; 1 where they touch or overlap at the end. May be NULL.
   * @returns false where they do not touch during the step, and for invalid input. For motions that barely graze, this function and cm_sweep may disagree on whether they touch. Cost: that of cm_sweep, which it runs backwards in time. */
  sweepLast(a: Shape, motionA: MotionLike, b: Shape, motionB: MotionLike): number | null;
  /** The pose at u (any u, also beyond the step; 0 gives `start` itself), its rotation of length 1 where it turns. */
  motionAt(motion: MotionLike, u: number, out?: Pose): Pose;
  /** The motion from one pose to another, by the shorter turn at constant angular velocity ("slerp") about the body's
   * origin, which moves in a straight line. Of two that are half a turn apart either may be the shorter. Its pose at 1
   * is `end` but for rounding. Poses are not checked; either may be that of `out`. Source: [Shoemake85]. */
  motionBetween(start?: PoseLike | null, end?: PoseLike | null, out?: Motion): Motion;
  /** Narrows bounds on the first contact of two bodies by any overlap test of the caller's: the bounds come from a sweep
   * of spheres or boxes around them, the test looks at the bodies themselves.
   * Looks at `steps` + 1 equally spaced times from bounds.first to bounds.last, then halves the interval before the
   * first overlap until it is no longer than `tolerance`. Contacts shorter than a step can be missed: the test is all
   * there is.
   * @param overlap do the bodies overlap in these poses at time u?
   * @param tolerance in u, > 0.
   * @param out they overlap at `last`, and do not at `first` (unless first = bounds.first); last - first <= tolerance.
   * @returns false where no overlap was seen, or the arguments are invalid (steps < 1, tolerance not > 0, NaN). Cost: at most steps + 1 + log2(step / tolerance) tests, never more than steps + 65. */
  sweepRefine(a: MotionLike, b: MotionLike, bounds: IntervalLike, steps: number, tolerance: number, overlap: (p0: number, p1: Pose, p2: Pose) => boolean, out?: Interval): Interval | null;
  /** Two moving points.
   * @param separation d >= 0.
   * @param tolerance >= 0: how much farther apart than d they may be stopped, as a length; 0: 2^-30 of M. What is less than r / 4 counts as that.
   * @param out untouched where CM_PATH_FREE or CM_PATH_INVALID. May be NULL. Verdict and numbers are the same bits whichever is A, but for the swap of A and B itself. Cost: some 0.1 microseconds, as for all of these where boxes around the paths are apart; a step some 0.1 more. Source: [Wang21] for the task; docs/theory/deforming.md. */
  sweepPointPoint(a: Path, b: Path, separation: number, tolerance: number, out?: PathHit): PathVerdict;
  /** A moving point (A) and a moving edge (B). The order of the edge's ends changes no bit. */
  sweepPointEdge(point: Path, edge: ArrayLike<number>, separation: number, tolerance: number, out?: PathHit): PathVerdict;
  /** A moving point (A) and a moving triangle (B). The order of its corners changes no bit. */
  sweepPointTriangle(point: Path, triangle: ArrayLike<number>, separation: number, tolerance: number, out?: PathHit): PathVerdict;
  /** Two moving edges. Neither the order of their ends nor that of the two changes a bit. */
  sweepEdgeEdge(a: ArrayLike<number>, b: ArrayLike<number>, separation: number, tolerance: number, out?: PathHit): PathVerdict;
  /** The distance of two points at rest, as the sweeps measure it, here and below: right to 64 DBL_EPSILON of the largest
   * difference of coordinates between the two, and rounded. Degenerate features are the segments and points they cover.
   * @returns false where a coordinate is invalid or an argument is NULL, with `out` untouched. Cost: constant. */
  gapPointPoint(a: Vec3Like, b: Vec3Like, out?: FeatureGap): FeatureGap | null;
  /** The distance of a point and an edge at rest: see cm_gap_point_point. */
  gapPointEdge(point: Vec3Like, edge: ArrayLike<number>, out?: FeatureGap): FeatureGap | null;
  /** The distance of a point and a triangle at rest: see cm_gap_point_point. */
  gapPointTriangle(point: Vec3Like, triangle: ArrayLike<number>, out?: FeatureGap): FeatureGap | null;
  /** The distance of two edges at rest: see cm_gap_point_point. */
  gapEdgeEdge(a: ArrayLike<number>, b: ArrayLike<number>, out?: FeatureGap): FeatureGap | null;
  /** The first contact of a mesh's moving points, edges and triangles with those of itself, of another mesh, or with a
   * shape at rest or in any motion. Features that share a point of the mesh are left out. Points of no triangle are
   * ignored. Meshes are surfaces here, solid or not. Against a shape the separation is that of its surface and inside,
   * radius included; r is then taken of the shape's size too (and is 2^-40 of that more, where its core is curved). The
   * broad phase is the tree of each mesh, refitted over the boxes of the paths: the answer is that of all pairs of
   * features, one by one.
   * @param out the least u of all contacts, with verdict CM_PATH_FREE where there are none (then u = 1, and the rest is zero). Of equal u the smallest in the order features, a, b. Untouched on failure; where a visit ended the sweep it is the least of those visited.
   * @returns CM_OK; CM_INVALID (no mesh; a separation or tolerance that is negative; a bad shape or pose), CM_NOT_FINITE (a point or the motion, beyond the valid range), CM_NO_MEMORY. Cost: O(n) for the boxes, then the pairs that are near. */
  meshSweepVertices(desc: MeshSweepDesc, out?: PathContact): PathContact;
  /** Finite and within the valid range, radius >= 0? */
  sphereIsValid(sphere: SphereLike): boolean;
  /** Finite and within the valid range, min <= max on every axis (a flat box and a point are)? An empty box is not. */
  aabbIsValid(box: AabbLike): boolean;
  /** Finite and within the valid range, half >= 0, the rotation unit within 1e-3? */
  obbIsValid(box: ObbLike): boolean;
  /** Finite and within the valid range, the normal unit within 1e-3? */
  planeIsValid(plane: PlaneLike): boolean;
  /** Finite and within the valid range, radius >= 0? a = b is a sphere, and valid. */
  capsuleIsValid(capsule: CapsuleLike): boolean;
  /** Finite and within the valid range? a = b is a point, and valid. */
  segmentIsValid(segment: Segment): boolean;
  /** Finite and within the valid range? Triangles without area are valid. */
  triangleIsValid(triangle: TriangleLike): boolean;
  /** Are all six planes valid (cm_plane_is_valid)? That they hold anything between them is not checked. */
  frustumIsValid(frustum: FrustumLike): boolean;
  /** The smallest axis-aligned box around a sphere, rounded outwards. The sphere must be valid, here and below. */
  boundsSphere(sphere: SphereLike, out?: Aabb): Aabb;
  /** The smallest axis-aligned box around an oriented box, rounded outwards: three dot products, not eight corners. Its
   * half size along x is |axis_x.x| half.x + |axis_y.x| half.y + |axis_z.x| half.z. */
  boundsObb(box: ObbLike, out?: Aabb): Aabb;
  /** The smallest axis-aligned box around a capsule: that of its segment grown by the radius, rounded outwards. */
  boundsCapsule(capsule: CapsuleLike, out?: Aabb): Aabb;
  /** The smallest axis-aligned box around a segment: exact. */
  boundsSegment(segment: Segment, out?: Aabb): Aabb;
  /** The smallest axis-aligned box around a triangle: exact. */
  boundsTriangle(triangle: TriangleLike, out?: Aabb): Aabb;
  /** 4/3 pi r^3, in cubed units of the coordinates. Rounded; the sphere must be valid, here and below. */
  volumeSphere(sphere: SphereLike): number;
  /** The volume of a box; 0 where it is flat. */
  volumeAabb(box: AabbLike): number;
  /** The volume of an oriented box; 0 where it is flat. */
  volumeObb(box: ObbLike): number;
  /** The volume of a capsule: of the cylinder and both halves of a sphere. */
  volumeCapsule(capsule: CapsuleLike): number;
  /** The area of the whole surface, in squared units of the coordinates: 4 pi r^2. */
  areaSphere(sphere: SphereLike): number;
  /** The area of all six faces of a box; a flat box counts its one face twice. */
  areaAabb(box: AabbLike): number;
  /** The area of all six faces of an oriented box; a flat box counts its one face twice. */
  areaObb(box: ObbLike): number;
  /** The area of a capsule: of the mantle and both halves of a sphere. */
  areaCapsule(capsule: CapsuleLike): number;
  /** The area of one side of a triangle; 0 for collinear corners. */
  areaTriangle(triangle: TriangleLike): number;
  /** The box from center - half to center + half. */
  aabbFromCenter(center: Vec3Like, half: Vec3Like): Aabb;
  /** Half the size on each axis. */
  aabbHalf(b: AabbLike): Vec3;
  /** Does the outer box hold all of the inner? An empty one is held by all. */
  aabbContains(outer: AabbLike, inner: AabbLike): boolean;
  /** The plane through `point` with the unit normal `normal`: d = -dot(normal, point). */
  planeFromPoint(point: Vec3Like, normal: Vec3Like): Plane;
  /** The plane through three points, its normal toward the side from which a, b, c run counter-clockwise.
   * @returns false where they are on one line (within rounding) or not finite. */
  planeFromPoints(a: Vec3Like, b: Vec3Like, c: Vec3Like, out?: Plane): Plane | null;
  /** The plane a x + b y + c z + d = 0, whatever the length of (a, b, c): all four are divided by it. The normal points
   * to where a x + b y + c z + d is positive.
   * @returns false, with `out` untouched, where (a, b, c) is zero, a number is not finite, or the plane lies beyond the valid range. */
  planeFromEquation(a: number, b: number, c: number, d: number, out?: Plane): Plane | null;
  /** The eight corners of a box: bit 0 of the index is x, bit 1 y, bit 2 z; 0 = min, 1 = max. Exact. */
  cornersAabb(box: AabbLike, out: RealArray | null): void;
  /** The eight corners of an oriented box: bit 0 of the index is its own x axis, bit 1 y, bit 2 z; 0 = the negative end.
   * Each rounded to the nearest. */
  cornersObb(box: ObbLike, out: RealArray | null): void;
  /** The smallest sphere around a box: its radius is half the diagonal. */
  sphereFromAabb(box: AabbLike, out?: Sphere): Sphere;
  /** The smallest sphere around two. */
  sphereUnion(a: SphereLike, b: SphereLike, out?: Sphere): Sphere;
  /** Is all of `inner` within `outer`? Up to rounding. */
  sphereContains(outer: SphereLike, inner: SphereLike): boolean;
  /** An axis-aligned box as one with a rotation, here the identity. */
  obbFromAabb(box: AabbLike, out?: Obb): Obb;
  /** A box under a pose. Exact but for rounding. */
  obbPosed(box: AabbLike, pose?: PoseLike | null, out?: Obb): Obb;
  /** The axis-aligned box around a box under a pose, rounded outwards. Looser than the box of what was in it:
   * it grows with every turn, so turn the first one each time. */
  aabbPosed(box: AabbLike, pose?: PoseLike | null, out?: Aabb): Aabb;
  /** The planes of what a view-projection matrix shows. Reversed depth swaps near and far; a far plane at infinity
   * becomes a plane that holds everything (normal toward the far end, d = -CM_COORD_MAX).
   * @param m 16 numbers, column by column: clip = m * (x, y, z, 1).
   * @returns false where the matrix has no such planes (a zero row, NaN). Source: [GribbHartmann01]. */
  frustumFromMatrix(m: ArrayLike<number>, depth: ClipDepth, out?: Frustum): Frustum | null;
  /** Signed distance from the plane: > 0 on the side of its normal. */
  distancePointPlane(point: Vec3Like, plane: PlaneLike): number;
  /** 1 before the plane, -1 behind it, 0 on it (as rounded). */
  sidePointPlane(point: Vec3Like, plane: PlaneLike): number;
  /** 1 where all of the sphere is before the plane, -1 where all is behind it, 0 where it is across or touches, which is
   * where cm_overlap_sphere_plane is true; 0 too for bad input: no side is certain. The same holds for those below. */
  sideSpherePlane(a: SphereLike, b: PlaneLike): number;
  /** The side of a box: by its corner farthest along the normal and the one opposite. */
  sideAabbPlane(a: AabbLike, b: PlaneLike): number;
  /** The side of an oriented box. */
  sideObbPlane(a: ObbLike, b: PlaneLike): number;
  /** The side of a triangle: that of its three corners, where they agree. */
  sideTrianglePlane(a: TriangleLike, b: PlaneLike): number;
  /** Is the point in the box? On its surface counts. No rounding: comparisons only. */
  overlapPointAabb(p: Vec3Like, box: AabbLike): boolean;
  /** Is the point on the inner side of all six planes? On a plane counts, as rounded. */
  overlapPointFrustum(p: Vec3Like, frustum: FrustumLike): boolean;
  /** |p - center|^2 <= r^2. */
  overlapPointSphere(p: Vec3Like, sphere: SphereLike): boolean;
  /** Is the point, turned into the box's axes, within its halves? */
  overlapPointObb(p: Vec3Like, box: ObbLike): boolean;
  /** Is the point within the radius of the segment? */
  overlapPointCapsule(p: Vec3Like, capsule: CapsuleLike): boolean;
  /** Exactly on the triangle: in its plane and within its edges, by exact signs. */
  overlapPointTriangle(p: Vec3Like, triangle: TriangleLike): boolean;
  /** How far a point is from a segment, in units of the coordinates; 0 on it. t = dot(p - a, b - a) / |b - a|^2,
   * clamped to [0, 1]; a = b is a point.
   * @param closest the point of the segment that is closest; may be NULL. Untouched on bad input, which is CM_REAL_MAX away. */
  distancePointSegment(p: Vec3Like, segment: Segment, closest?: Vec3): number;
  /** How far a point is from a triangle, in units of the coordinates, and the closest point: by the region of its face,
   * edges and corners that the point is in; 0 on it. A triangle without area counts as its longest edge. Bad input:
   * CM_REAL_MAX, `closest` untouched. Source: [Ericson05 §5.1]. */
  distancePointTriangle(p: Vec3Like, triangle: TriangleLike, closest?: Vec3): number;
  /** How far a point is from a solid box: the closest point is the point clamped to its ranges. 0 inside, and `closest`
   * is then the point itself. Bad input: CM_REAL_MAX, `closest` untouched. */
  distancePointAabb(p: Vec3Like, box: AabbLike, closest?: Vec3): number;
  /** How far a point is from a solid oriented box, computed in its own axes. 0 inside, and `closest` is then the point
   * itself. Bad input: CM_REAL_MAX, `closest` untouched. */
  distancePointObb(p: Vec3Like, box: ObbLike, closest?: Vec3): number;
  /** Plane by plane, as renderers do it. OUTSIDE and INSIDE are certain; CUT keeps too much: a volume beside an edge or a
   * corner of the frustum may lie outside of it and yet outside none of the planes (docs/guide/tests.md has numbers).
   * The exact answer for convex volumes: cm_overlap with a hull of the frustum's corners. Cost: six dot products. */
  cullSphereFrustum(a: SphereLike, b: FrustumLike): Cull;
  /** A box against a frustum, plane by plane: see cm_cull_sphere_frustum. */
  cullAabbFrustum(a: AabbLike, b: FrustumLike): Cull;
  /** An oriented box against a frustum, plane by plane: see cm_cull_sphere_frustum. */
  cullObbFrustum(a: ObbLike, b: FrustumLike): Cull;
  /** |b - a|^2 <= (ra + rb)^2. Never a square root. */
  overlapSphereSphere(a: SphereLike, b: SphereLike): boolean;
  /** |distance to the plane| <= r: both sides. */
  overlapSpherePlane(a: SphereLike, b: PlaneLike): boolean;
  /** distance to the plane <= r: also far behind it. */
  overlapSphereHalfspace(a: SphereLike, b: PlaneLike): boolean;
  /** The box point closest to the center is the center clamped to the box. Source: [Arvo90]. */
  overlapSphereAabb(a: SphereLike, b: AabbLike): boolean;
  /** cm_overlap_sphere_aabb in the axes of an oriented box. */
  overlapSphereObb(a: SphereLike, b: ObbLike): boolean;
  /** Is the center within both radii of the segment? Without radii exact: is it on it? */
  overlapSphereCapsule(a: SphereLike, b: CapsuleLike): boolean;
  /** Is the center within the radius of the triangle's closest point? The triangle has no inside. Without a radius exact. */
  overlapSphereTriangle(a: SphereLike, b: TriangleLike): boolean;
  /** Are the two segments within both radii of each other? Without radii exact: do they share a point? */
  overlapCapsuleCapsule(a: CapsuleLike, b: CapsuleLike): boolean;
  /** Three pairs of comparisons; false where either is empty. Exact. */
  overlapAabbAabb(a: AabbLike, b: AabbLike): boolean;
  /** The plane cuts the box where |distance of the center| <= |n.x| half.x + |n.y| half.y + |n.z| half.z. */
  overlapAabbPlane(a: AabbLike, b: PlaneLike): boolean;
  /** cm_overlap_aabb_plane in the axes of an oriented box. */
  overlapObbPlane(a: ObbLike, b: PlaneLike): boolean;
  /** No axis separates them, of the 3 + 3 face normals and the 9 products of edges. Source: [Gottschalk96]. */
  overlapObbObb(a: ObbLike, b: ObbLike): boolean;
  /** The unit axis, from A to B, along which two boxes are farthest apart. False where they overlap: there is none, and
   * `axis` stays untouched; it may be NULL. */
  separateObbObb(a: ObbLike, b: ObbLike, axis?: Vec3): Vec3 | null;
  /** Do two triangles share a point? Exactly, by signs of determinants, also where they are coplanar or without area.
   * Source: [Guigue03] on exact signs [Shewchuk97]. */
  overlapTriangleTriangle(a: TriangleLike, b: TriangleLike): boolean;
  /** 13 axes: the box's three, the triangle's normal, nine products of edges. */
  overlapTriangleAabb(a: TriangleLike, b: AabbLike): boolean;
  /** normal = (b - a) / |b - a|, depth = ra + rb - |b - a|. Concentric spheres separate along x. */
  contactSphereSphere(a: SphereLike, b: SphereLike, out?: Manifold): Manifold | null;
  /** depth = r - |distance|, the plane is left on the side on which the center is. */
  contactSpherePlane(a: SphereLike, b: PlaneLike, out?: Manifold): Manifold | null;
  /** depth = r - distance; normal = -(the plane's), as the half-space is B. */
  contactSphereHalfspace(a: SphereLike, b: PlaneLike, out?: Manifold): Manifold | null;
  /** With the center inside, the sphere leaves by the nearest face: depth = r + distance to that face. */
  contactSphereAabb(a: SphereLike, b: AabbLike, out?: Manifold): Manifold | null;
  /** cm_contact_sphere_aabb in the axes of an oriented box. */
  contactSphereObb(a: SphereLike, b: ObbLike, out?: Manifold): Manifold | null;
  /** The axis of least overlap, x before y before z where some are equal; 4 points, the corners of the rectangle that the
   * two boxes share across it (2 where that is a line, 1 where it is a point). Depths are single differences of
   * coordinates, and the verdict is exact. */
  contactAabbAabb(a: AabbLike, b: AabbLike, out?: Manifold): Manifold | null;
  /** From the triangle's closest point: depth = r - distance. A center on the triangle leaves along its normal; where the
   * triangle has no area, perpendicular to its longest edge. */
  contactSphereTriangle(a: SphereLike, b: TriangleLike, out?: Manifold): Manifold | null;
  /** Two points where the capsules lie side by side. */
  contactCapsuleCapsule(a: CapsuleLike, b: CapsuleLike, out?: Manifold): Manifold | null;
  /** The axis of least overlap; a face clipped by a face (at most 8 points), or the crossing of two edges. */
  contactObbObb(a: ObbLike, b: ObbLike, out?: Manifold): Manifold | null;
  /** How far two segments are apart, 0 where they share a point, and their closest points; the normal of segments that
   * cross is perpendicular to both.
   * @param out may be NULL.
   * @returns CM_REAL_MAX for bad input. */
  distanceSegmentSegment(a: Segment, b: Segment, out?: Witness): number;
  /** First and last contact of two moving boxes.
   * Each box keeps its axes and moves in a straight line by `move_a`, `move_b` during the step.
   * @param out normal: that of the axis on which they meet last, of equally late ones the first; of what overlaps at the start that of the least overlap. point: the middle of what they share across it, on A's side. Boxes overlapping at the start: first = 0, last = when they part (1 if they don't).
   * @returns true if they share a point at some u in [0,1]. Touching counts. Cost: 3 axes; in touch at the start as cm_sweep. Source: [Gomez99], corrected as in docs/theory/article-errata.md. */
  sweepAabbAabb(a: AabbLike, moveA: Vec3Like, b: AabbLike, moveB: Vec3Like, out?: SweepHit): SweepHit | null;
  /** |p + u v| = ra + rb, p and v relative: the smaller root, if it is in [0,1]. */
  sweepSphereSphere(a: SphereLike, moveA: Vec3Like, b: SphereLike, moveB: Vec3Like, out?: SweepHit): SweepHit | null;
  /** Two-sided: |distance + u speed| = r. Parallel motion never divides; r = 0 is a point. */
  sweepSpherePlane(a: SphereLike, moveA: Vec3Like, b: PlaneLike, out?: SweepHit): SweepHit | null;
  /** One-sided: all behind the plane is solid, so a sphere that starts there starts in contact. */
  sweepSphereHalfspace(a: SphereLike, moveA: Vec3Like, b: PlaneLike, out?: SweepHit): SweepHit | null;
  /** The plane is met by the box's projected radius. */
  sweepAabbPlane(a: AabbLike, moveA: Vec3Like, b: PlaneLike, out?: SweepHit): SweepHit | null;
  /** Exact: a point against the box with rounded edges and corners, not the enlarged box. */
  sweepSphereAabb(a: SphereLike, moveA: Vec3Like, b: AabbLike, moveB: Vec3Like, out?: SweepHit): SweepHit | null;
  /** cm_sweep_sphere_aabb in the axes of an oriented box. */
  sweepSphereObb(a: SphereLike, moveA: Vec3Like, b: ObbLike, moveB: Vec3Like, out?: SweepHit): SweepHit | null;
  /** A point against the triangle with rounded edges and corners: two faces, three capsules. Both sides count. */
  sweepSphereTriangle(a: SphereLike, moveA: Vec3Like, b: TriangleLike, moveB: Vec3Like, out?: SweepHit): SweepHit | null;
  /** A point against a capsule of both radii. */
  sweepSphereCapsule(a: SphereLike, moveA: Vec3Like, b: CapsuleLike, moveB: Vec3Like, out?: SweepHit): SweepHit | null;
  /** A point against the parallelogram of the two segments, rounded by both radii. */
  sweepCapsuleCapsule(a: CapsuleLike, moveA: Vec3Like, b: CapsuleLike, moveB: Vec3Like, out?: SweepHit): SweepHit | null;
  /** The 15 axes with velocity: on each the overlap is one interval of time; all of them together are the answer. */
  sweepObbObb(a: ObbLike, moveA: Vec3Like, b: ObbLike, moveB: Vec3Like, out?: SweepHit): SweepHit | null;
  /** Where a ray meets a plane, from either side; t = exit. A ray in the plane hits at its start, a parallel one
   * never.
   * @param out here and below: where it enters and leaves, the normal there, and whether it starts inside; may be NULL; untouched where the answer is no. */
  raycastPlane(ray: RayLike, plane: PlaneLike, out?: RayHit): RayHit | null;
  /** Where it enters and leaves a sphere, from inside too (t = 0). The stable quadratic; tangents count. */
  raycastSphere(ray: RayLike, sphere: SphereLike, out?: RayHit): RayHit | null;
  /** The slabs of a box: entry is the last of three, exit the first. Rays in a face count. */
  raycastAabb(ray: RayLike, box: AabbLike, out?: RayHit): RayHit | null;
  /** cm_raycast_aabb in the axes of an oriented box. */
  raycastObb(ray: RayLike, box: ObbLike, out?: RayHit): RayHit | null;
  /** The mantle and both ends, each by its quadratic. */
  raycastCapsule(ray: RayLike, capsule: CapsuleLike, out?: RayHit): RayHit | null;
  /** From both sides. Two triangles that share an edge leave no gap between them; one without area is not hit. */
  raycastTriangle(ray: RayLike, triangle: TriangleLike, out?: RayHit): RayHit | null;
  /** The planes as slabs: from inside too. */
  raycastFrustum(ray: RayLike, frustum: FrustumLike, out?: RayHit): RayHit | null;
  /** The smallest axis-aligned box: exact. */
  fitAabb(points: Points, out?: Aabb): Aabb | null;
  /** The smallest axis-aligned box of the points under a pose: follows a rotating body tightly, unlike the box of its
   * box. */
  fitAabbPosed(points: Points, pose?: PoseLike | null, out?: Aabb): Aabb | null;
  /** The sphere around the center of the points' box that reaches the farthest point. Two passes; at most 1.74 times the
   * smallest radius. */
  fitSphereFromBox(points: Points, out?: Sphere): Sphere | null;
  /** The sphere around the mean of the points that reaches the farthest. Two passes; at most twice the smallest radius. */
  fitSphereFromMean(points: Points, out?: Sphere): Sphere | null;
  /** The smallest sphere with the given center: it reaches the farthest point. One pass. False for a bad center too. */
  fitSphereAt(points: Points, center: Vec3Like, out?: Sphere): Sphere | null;
  /** The sphere through four points: none is outside, and all lie on it up to rounding, which counts as often as the
   * product of three edges exceeds six times the volume between them. Not the smallest sphere around them, which may be
   * much smaller.
   * @returns false where they lie in one plane within rounding, or the sphere beyond the valid range. */
  fitSphereThrough(points: ArrayLike<number>, out?: Sphere): Sphere | null;
  /** The smallest sphere, up to rounding.
   * @returns how many of the points carry it: 1 to 4 (two for a diameter, three for a circle); 0 where there is none. Cost: one pass per support change, typically 3 to 12 passes. Source: [Gaertner99], [Welzl91]. */
  fitSphere(points: Points, out?: Sphere): number;
  /** The box along the principal axes (of the covariance). Quick: three passes; may be larger than the axis-aligned box. */
  fitObbPrincipal(points: Points, out?: Obb): Obb | null;
  /** A tight box: never larger than the axis-aligned one nor the principal one (up to outward rounding), within a few
   * percent of the smallest on the sets measured in the tests. Source: [Larsson11] for the starts, then a local search.
   * Cost: some passes over the points and about 2 ms. */
  fitObb(points: Points, out?: Obb): Obb | null;
  /** A capsule along the best of the principal and box axes, its radius the smallest around that axis; equal points give
   * one of length and radius 0. Cost: some 60 passes. */
  fitCapsule(points: Points, out?: Capsule): Capsule | null;
  /** "auto", "brute" …; "unknown" for a number that is no kind. Never NULL. */
  broadKindText(kind: BroadKind): string;
  /** Creates an empty broad phase.
   * @returns CM_OK, CM_INVALID (no such kind or plane, a cell < 0 or NaN, levels or loose beyond what they may be, a limit above 16,777,215), CM_NO_MEMORY. */
  broadCreate(desc?: BroadDesc | null): Pointer;
  /** Frees a broad phase. NULL is fine. */
  broadDestroy(broad: Pointer): void;
  /** Adds one object.
   * @returns CM_OK, CM_NOT_FINITE, CM_INVALID, CM_LIMIT, CM_NO_MEMORY. */
  broadAdd(broad: Pointer, object: BroadObjectDescLike): number;
  /** Adds `count` objects that share everything but the box, all or none of them.
   * @param boxes the first box; stride bytes to the next (0 = sizeof(cm_aabb)).
   * @param common their layer, mask, user value and fixed flag; its box is not read; NULL = default.
   * @param ids receives `count` ids; may be NULL. */
  broadAddMany(broad: Pointer, boxes: ArrayLike<number>, common: BroadObjectDescLike | null | undefined, ids: Uint32Array | null): void;
  /** Gives an object its new box.
   * @returns CM_OK, CM_STALE_ID, CM_NOT_FINITE, CM_INVALID, CM_NO_MEMORY (only where a bounded box becomes unbounded; nothing else here allocates). */
  broadMove(broad: Pointer, id: number, box: AabbLike): void;
  /** Moves ids[i] to box i, all or none. Cost: one pass over the boxes. */
  broadMoveMany(broad: Pointer, ids: ArrayLike<number>, boxes: ArrayLike<number>): void;
  /** Removes an object.
   * @returns CM_OK, CM_STALE_ID. */
  broadRemove(broad: Pointer, id: number): void;
  /** Sets layer and mask as they are: here 0 means no bit.
   * @returns CM_OK, CM_STALE_ID. */
  broadSetFilter(broad: Pointer, id: number, layer: number, mask: number): void;
  /** Says whether an object is static: two static objects are never a pair.
   * @returns CM_OK, CM_STALE_ID. */
  broadSetFixed(broad: Pointer, id: number, fixed: boolean): void;
  /** Sets the caller's value of an object, which is never read here.
   * @returns CM_OK, CM_STALE_ID. */
  broadSetUser(broad: Pointer, id: number, user: number): void;
  /** What an object is now.
   * @returns CM_OK, or CM_STALE_ID with `out` untouched. */
  broadGet(broad: Pointer, id: number, out?: BroadObjectDesc): BroadObjectDesc;
  /** Objects in it. */
  broadCount(broad: Pointer): number;
  /** Brings the structure up to date with everything that was added, moved, removed or re-filtered since the last update,
   * and finds the changes where the description asked for them. Once a frame.
   * Without it every answer is still right, only slower: queries then look at every box.
   * @returns CM_OK, CM_NO_MEMORY, CM_LIMIT (more than `pair_limit` pairs); nothing is lost with the last two: try again. */
  broadUpdate(broad: Pointer): void;
  /** All overlapping pairs that the filters let through, each once; updates first where needed.
   * @param flags 0 or CM_BROAD_SORTED.
   * @param out stands in the object's memory, valid until the next call of a non-const function on it.
   * @returns CM_OK, CM_INVALID (unknown flags), CM_NO_MEMORY, CM_LIMIT. */
  broadFindPairs(broad: Pointer, flags: number, out?: BroadPairView): BroadPairView;
  /** All overlapping pairs of an object of `broad` (a) and one of `other` (b); a and b are ids of their own sets, in
   * any order of numbers. Filters count, also for two static objects' pair (never reported). The list stands in `broad`.
   * @returns CM_OK, CM_INVALID (unknown flags, or both the same object), CM_NO_MEMORY, CM_LIMIT (of `broad`). */
  broadFindPairsBetween(broad: Pointer, other: Pointer, flags: number, out?: BroadPairView): BroadPairView;
  /** The pairs that began and that ended at the last update, against the update before. An object that was removed,
   * moved away or re-filtered ends its pairs. The cost, paid in update, follows what was touched, not what rests.
   * @returns CM_OK, CM_UNSUPPORTED (the description did not ask for changes). */
  broadGetChanges(broad: Pointer, out?: BroadChanges): BroadChanges;
  /** All overlapping pairs of `count` boxes, by index, each once.
   * @param out emptied first; free it with cm_broad_pair_list_free. Empty on failure.
   * @returns CM_OK, CM_INVALID (a box with min > max, unknown kind or flags), CM_NOT_FINITE, CM_LIMIT (count above 16,777,215), CM_NO_MEMORY. */
  broadPairs(boxes: ArrayLike<number>, desc?: BroadPairsDesc | null, out?: BroadPairList): BroadPairList;
  /** All overlapping pairs of a box of the first set (a) with one of the second (b), by index: here a may exceed b. */
  broadPairsBetween(boxesA: ArrayLike<number>, boxesB: ArrayLike<number>, desc?: BroadPairsDesc | null, out?: BroadPairList): BroadPairList;
  /** Objects whose box shares a point with `box`. Order: the kind's. */
  broadQueryBox(broad: Pointer, box: AabbLike, mask: number, fn: (p0: number) => boolean): number;
  /** Objects whose box contains the point. */
  broadQueryPoint(broad: Pointer, point: Vec3Like, mask: number, fn: (p0: number) => boolean): number;
  /** Objects whose box is within `radius` of the center (touching counts; negative radius: none).
   * Distances are taken in double, so that rounding does not decide which of two float boxes is nearer. */
  broadQuerySphere(broad: Pointer, center: Vec3Like, radius: number, mask: number, fn: (p0: number) => boolean): number;
  /** Objects whose box has a point with dot(normal, p) + d <= 0. The normal need not be a unit vector. */
  broadQueryHalfspace(broad: Pointer, normal: Vec3Like, d: number, mask: number, fn: (p0: number) => boolean): number;
  /** Objects whose box is not wholly outside any one of `count` (at most 32) half-spaces dot(normals[i], p) + d[i] <= 0:
   * the usual frustum test, which may keep a box near a corner of the frustum that just misses it. */
  broadQueryFrustum(broad: Pointer, normals: ArrayLike<number>, d: ArrayLike<number>, mask: number, fn: (p0: number) => boolean): number;
  /** Boxes met by origin + t direction, 0 <= t <= limit. Rounded so that no box that is truly met is missed; one that
   * is missed by a few ulps of t may be reported. */
  broadRaycast(broad: Pointer, origin: Vec3Like, direction: Vec3Like, limit: number, mask: number, fn: (p0: number, p1: number) => number): number;
  /** Boxes met by `box` moved by t move, 0 <= t <= limit; rounded as the ray. */
  broadSweep(broad: Pointer, box: AabbLike, move: Vec3Like, limit: number, mask: number, fn: (p0: number, p1: number) => number): number;
  /** The `capacity` objects whose boxes are nearest to the point, nearest first (equal distance: by id).
   * @param maxDistance farther ones are left out; < 0 = no limit.
   * @returns how many were written. */
  broadNearest(broad: Pointer, point: Vec3Like, maxDistance: number, mask: number, capacity: number, ids: Uint32Array | null, distances: RealArray | null): number;
  /** What it holds and did; see cm_broad_stats. */
  broadGetStats(broad: Pointer, out?: BroadStats): BroadStats;
  /** Shows the structure as of the last update, to be drawn. BRUTE and SWEEP have one box. */
  broadWalk(broad: Pointer, fn: (p0: Aabb, p1: number, p2: number) => boolean): void;
  /** Which pairs overlap, each as by cm_overlap (so false for a bad shape or pose).
   * @param out an answer a pair.
   * @returns CM_OK; CM_INVALID (a missing array, a stride too small or no multiple of the alignment); CM_OUT_OF_RANGE: the first number of a shape or object that is too large stands in `error` (its field "pairs", "shape_of", "one" or "shape_count", its index), which may be NULL. `out` is untouched then; so for all of these. Cost: a pair some 5 to 9 ns where it is decided in vectors and in the cache (docs/guide/batches.md), else that of cm_overlap. */
  overlapMany(batch: Batch, out: Uint8Array | null): void;
  /** Distances, each as by cm_distance.
   * @param maxDistance as in cm_distance; pairs that certainly are farther apart than that are decided in vectors.
   * @param distances one a pair, CM_REAL_MAX for none.
   * @param out a proof a pair, untouched where there is none; may be NULL.
   * @returns as cm_overlap_many. */
  distanceMany(batch: Batch, maxDistance: number | null | undefined, distances: RealArray | null, out: Witness[] | null): void;
  /** Contacts, each as by cm_contact. Those of spheres with spheres, capsules, triangles and boxes and of two capsules
   * are computed in vectors, but for capsules that are nearly parallel and thin triangles; of other kinds that have
   * verdicts there, what certainly is farther apart than `margin` is decided so.
   * @param counts how many manifolds each pair has, which may be more than the capacity.
   * @param out `capacity` manifolds a pair: those of pair i from out[i * capacity] on. May be NULL with a capacity of 0.
   * @returns as cm_overlap_many; CM_INVALID also for a capacity below 0. */
  contactMany(batch: Batch, margin: number, counts: Int32Array | null, out: Manifold[] | null, capacity: number): void;
  /** Sweeps, each as by cm_sweep, one by one (and so many at once with `tasks`).
   * @param met for each pair whether it meets; may be NULL.
   * @param out the hits, untouched where there is none; may be NULL.
   * @returns as cm_overlap_many. */
  sweepMany(batch: Batch, met: Uint8Array | null, out: SweepHit[] | null): void;
  /** Creates an empty world.
   * @returns CM_OK, CM_INVALID (kind, limit, capacity, a margin that is negative, NaN or beyond CM_COORD_MAX), CM_NO_MEMORY. */
  worldCreate(desc?: WorldDesc | null): Pointer;
  /** Frees a world. NULL is fine. Not from within a callback. */
  worldDestroy(world: Pointer): void;
  /** Adds one object.
   * @returns CM_OK, CM_INVALID, CM_NOT_FINITE (shape, pose), CM_LIMIT, CM_NO_MEMORY, or what cm_shape_check says. */
  worldAdd(world: Pointer, object: WorldObjectDescLike): number;
  /** Removes an object; the id is stale from now on. Its contacts end at the next update, where its events still carry
   * its id and user value; removed within a callback: at the end of the running one.
   * @returns CM_OK, CM_STALE_ID. */
  worldRemove(world: Pointer, id: number): void;
  /** Puts an object elsewhere at once, without a sweep, and drops its motion. Contacts that still exist stay; the others
   * end.
   * @returns CM_OK, CM_STALE_ID, CM_INVALID, CM_NOT_FINITE. */
  worldSetPose(world: Pointer, id: number, pose?: PoseLike | null): void;
  /** Sets the motion of the coming step, which uses it up: without a new one the object is at rest afterwards.
   * @param motion move, spin, pivot and accelerate as in sweep.h; `start` is not read: it starts where it is. NULL = rest.
   * @returns CM_OK, CM_STALE_ID, CM_INVALID (fixed), CM_NOT_FINITE (also where it would end beyond the valid range). */
  worldSetMotion(world: Pointer, id: number, motion?: MotionLike | null): void;
  /** Gives an object another shape, at its pose.
   * @returns CM_OK, CM_STALE_ID, or what cm_world_add says of the shape. */
  worldSetShape(world: Pointer, id: number, shape: Shape): void;
  /** Sets layer, mask and group as they are: here 0 means no bit.
   * @returns CM_OK, CM_STALE_ID. */
  worldSetFilter(world: Pointer, id: number, layer: number, mask: number, group: number): void;
  /** Makes an object a trigger, or no trigger: its contacts end (or an entered trigger is left), and the other kind
   * begins.
   * @returns CM_OK, CM_STALE_ID. */
  worldSetTrigger(world: Pointer, id: number, trigger: boolean): void;
  /** Makes an object static, or movable; a static object drops its motion.
   * @returns CM_OK, CM_STALE_ID. */
  worldSetFixed(world: Pointer, id: number, fixed: boolean): void;
  /** Sets when an object is swept.
   * @returns CM_OK, CM_STALE_ID, CM_INVALID (no such mode). */
  worldSetSweep(world: Pointer, id: number, mode: WorldSweepMode): void;
  /** Sets the caller's value of an object.
   * @returns CM_OK, CM_STALE_ID. */
  worldSetUser(world: Pointer, id: number, user: number): void;
  /** The current description of an object, without its motion: cm_world_add with it makes an equal object, with the same
   * filters (`exact` is set, for layers or masks of 0). Within a hit's callback: `pose` at its last hit, or at the start
   * of the step.
   * @returns CM_OK, or CM_STALE_ID with `out` untouched. */
  worldGet(world: Pointer, id: number, out?: WorldObjectDesc): WorldObjectDesc;
  /** Where it is now.
   * @returns CM_OK, or CM_STALE_ID with `out` untouched. */
  worldGetPose(world: Pointer, id: number, out?: Pose): Pose;
  /** The motion of the coming step; `start` is the pose.
   * @returns CM_OK, or CM_STALE_ID with `out` untouched. */
  worldGetMotion(world: Pointer, id: number, out?: Motion): Motion;
  /** Its box in the broad phase: at the last update, around all of its way; CM_STALE_ID before its first update. Of what
   * has no points, a height field that is all holes, that around its origin. */
  worldGetBox(world: Pointer, id: number, out?: Aabb): Aabb;
  /** Objects in it. */
  worldCount(world: Pointer): number;
  /** The ids of all objects, ascending.
   * @returns how many there are, which may be more than the capacity. */
  worldGetIds(world: Pointer, ids: Uint32Array | null, capacity: number): number;
  /** The broad phase, to look inside (cm_broad_walk, cm_broad_get_stats). Its ids are not the world's: the object's slot
   * (id & 0xffffff) is the user value there. */
  worldGetBroad(world: Pointer): Pointer;
  /** One step: moves everything by its motion, finds the contacts, and records as events what changed since the last
   * update. A hit with a swept object stops both (or is answered by `hit`), earliest first over the whole world. Where a
   * sweep ends without a proof (CM_PROOF_LIMIT) both are held for the rest of the step, nothing is asked, and the event
   * is LIMIT; something in a trigger has entered then. What an object that is not swept runs into it overlaps
   * afterwards: a contact with depth.
   * @returns CM_OK; CM_INVALID (within a callback); CM_NO_MEMORY; CM_LIMIT: more than `pair_limit` pairs of overlapping boxes, or, layers and masks aside, more than twice as many (100,000 objects at one point have 5·10⁹; pairs of fixed ones do not count), or pairs, hits, contacts and events that would take more than `byte_limit`: those of a pair in contact some 800 bytes in float and 1400 in double, where one manifold describes the contact, those of other pairs 160, those that layers and masks refuse 24, a hit 1,200 and 1,950; the arrays in which they stand may have room for twice as much; or more than `sweep_limit` sweeps: one of each pair with a swept object, and after each hit, for each of its two objects, one with every object near. Pairs that are swept and overlap where the step begins are counted as hits before the first sweep, so that a pile in motion is refused before anything of it is stored. With the last two either nothing has moved, or it has (motions are used up) and the events that are owed come with the next update that succeeds. Where memory or sweeps ran out amid hits, everything that is swept holds at the time it came to. */
  worldUpdate(world: Pointer, step?: WorldStep | null): void;
  /** "began" …; "unknown" for a number that is no kind. Never NULL. */
  worldEventText(kind: WorldEventKind): string;
  /** What happened in the last update: sorted by a, b, kind, u; each pair's contact at the end of the step is there as
   * BEGAN or STAYED. Valid until the next update or restore, whatever else is called. */
  worldGetEvents(world: Pointer, out?: WorldEventView): WorldEventView;
  /** Counts of the last update; objects, pairs and bytes as they are now. */
  worldGetStats(world: Pointer, out?: WorldStats): WorldStats;
  /** What the ray meets first (equal t: the lower id).
   * @param out untouched where it meets nothing; may be NULL. */
  worldRaycast(world: Pointer, ray: RayLike, query?: WorldQuery | null, out?: WorldRayHit): WorldRayHit | null;
  /** Does it meet anything? Faster than the first; for lines of sight. */
  worldRaycastAny(world: Pointer, ray: RayLike, query?: WorldQuery | null): boolean;
  /** Everything it meets, by t, then id, each object once.
   * @param out the first `capacity` of them; may be NULL with a capacity of 0.
   * @returns how many there are. Cost: sorted in place, best where few exceed the capacity. */
  worldRaycastAll(world: Pointer, ray: RayLike, query: WorldQuery | null | undefined, out: WorldRayHit[] | null, capacity: number): number;
  /** What a moving shape meets first among the standing objects (equal `first`: the lower id).
   * @param motion of the shape, from its `start` on; the objects stand. As in cm_sweep, what it touches at the start without being blocked does not hide what blocks later, within one object; see `blocking` of the query for others.
   * @param out untouched where it meets nothing; may be NULL. */
  worldSweep(world: Pointer, shape: Shape, motion: MotionLike, query?: WorldQuery | null, out?: WorldSweepHit): WorldSweepHit | null;
  /** Everything it meets, by `first`, then id.
   * @returns how many there are; `out` has the first `capacity` of them. */
  worldSweepAll(world: Pointer, shape: Shape, motion: MotionLike, query: WorldQuery | null | undefined, out: WorldSweepHit[] | null, capacity: number): number;
  /** The objects that share a point with the shape: the lowest `capacity` ids, ascending.
   * @returns how many there are. */
  worldOverlap(world: Pointer, shape: Shape, pose: PoseLike | null | undefined, query: WorldQuery | null | undefined, ids: Uint32Array | null, capacity: number): number;
  /** The objects that hold the point, meshes as surfaces or solids as they are: the lowest `capacity` ids, ascending.
   * @returns how many there are. */
  worldOverlapPoint(world: Pointer, point: Vec3Like, query: WorldQuery | null | undefined, ids: Uint32Array | null, capacity: number): number;
  /** The objects that a frustum may show: those that are not wholly outside any one of its planes, by their very shapes
   * (a mesh: none of its triangles, or, if solid, its inside). The lowest `capacity` ids, ascending. None that is seen
   * is left out; one beside an edge or a corner of the frustum may be kept that is not seen (cm_cull in primitives.h),
   * and a hull of the frustum's corners with cm_world_overlap keeps none of these. Cost: the boxes near, and six
   * half-spaces for each.
   * @returns how many there are; 0 for a frustum that is not valid. */
  worldQueryFrustum(world: Pointer, frustum: FrustumLike, query: WorldQuery | null | undefined, ids: Uint32Array | null, capacity: number): number;
  /** The object nearest to the shape, by signed distance: the deepest where some overlap (equal: the lower id).
   * @param maxDistance farther ones are not looked for; >= 0.
   * @returns its distance, or CM_REAL_MAX with `out` untouched where there is none. `out` may be NULL. */
  worldDistance(world: Pointer, shape: Shape, pose?: PoseLike | null, maxDistance?: number | null, query?: WorldQuery | null, out?: WorldNear): number;
  /** Which filter rejects this pair, as the objects stand now; CM_WORLD_WHY_MEET where none does and they touch (within
   * the margin, unless one is a trigger). */
  worldWhy(world: Pointer, a: number, b: number): WorldReason;
  /** The text of a reason; "unknown" for a number that is none. Never NULL. */
  worldWhyText(reason: WorldReason): string;
  /** Writes everything that the next updates depend on: objects, ids, pending motions, contacts. Not: margin, callbacks,
   * tasks, events. Equal states give equal bytes, on every machine: a state saved on one is restored on any other, and
   * in the browser, by the library of the same precision and version of the layout (it stands in the bytes).
   * @param shapes shapes that stand in it are written as their number; the others by their values. Those that point to                something (hulls, meshes, height fields, compounds, custom shapes) must stand in it: bytes hold no                pointers. May be NULL where there are none of these.
   * @param bytes written where `capacity` suffices; may be NULL with a capacity of 0.
   * @returns how many bytes it takes; 0, and nothing written, where a shape that must stand in `shapes` does not. */
  worldSave(world: Pointer, shapes: WorldShapes | null | undefined, bytes: Uint8Array | null, capacity: number): number;
  /** Makes `world` what was saved, ids included; it then goes on with equal events and bytes. What stood in it is gone,
   * without events. Every field is checked, and pointers come from `shapes` alone, so bytes from anywhere do no harm.
   * @param shapes as in cm_world_save.
   * @returns CM_OK, CM_BAD_DATA (not a snapshot, cut short, another precision), CM_OUT_OF_RANGE (a shape's number), CM_LIMIT, CM_NO_MEMORY, CM_INVALID (within a callback); the world is as it was then. */
  worldRestore(world: Pointer, shapes: WorldShapes | null | undefined, bytes: ArrayLike<number>): void;
  /** A number of the state: equal states have equal hashes on every machine of the same precision. Where shapes point to
   * data, their kind, radius and bounds count. */
  worldHash(world: Pointer): bigint;
  /** Is the mover well formed?
   * @returns CM_OK; what cm_shape_check says; CM_INVALID (NULL; a shape that is no bounded convex one; skin below 0; a slope beyond 0 … 1.5), CM_NOT_FINITE (up, skin, steps, slope, pose, ground). */
  moverCheck(mover: MoverLike): void;
  /** One step of `dt` seconds. In this order: the ground carries it as that moved and turned since the last step (without
   * passing through anything); objects that moved into it push it out; it moves by `velocity`; it is set on the ground.
   * Objects are where the world has them now: call it after cm_world_update. An object that moves in one step by more
   * than about half the mover's size may end up on the mover's other side.
   * @param velocity relative to the ground while it stands on firm one. To leave a moving platform with its speed, add                  mover->ground.velocity when it jumps.
   * @param out may be NULL.
   * @returns CM_OK; what cm_mover_check says; CM_INVALID (no space, an invalid shape in it, dt not > 0); CM_NOT_FINITE (velocity, a way beyond the valid range, dt): the mover is as it was then. Cost: standing 1 sweep, walking 2, in corners and on steps some 6, never more than 64; and 1 distance query, never more than 25. */
  moverStep(mover: Mover, space: MoverSpace, velocity: Vec3Like, dt: number, out?: MoverResult): MoverResult;
  /** Would it have room there? Does `shape` overlap nothing in the space at `pose`?
   * @param shape NULL = the mover's.
   * @param pose NULL = the mover's.
   * @returns false too where it would stand in something that `meet` lets pass; and for invalid input. */
  moverFits(mover: MoverLike, space: MoverSpace, shape?: Shape | null, pose?: PoseLike | null): boolean;
  /** Crouches or stands up: gives it another shape, with its lowest point along `up` at the same height.
   * @returns false, with the mover as it was, where there is no room for it (a ceiling), and for invalid input. The new shape keeps the skin only from the next step on. */
  moverSetShape(mover: Mover, space: MoverSpace, shape: Shape): boolean;
  /** Puts it elsewhere, sweeping nothing on the way; it stands on nothing until the next step.
   * @returns false, with the mover as it was, where there is no room for it, and for invalid input. */
  moverTeleport(mover: Mover, space: MoverSpace, pose?: PoseLike | null): boolean;
  /** The impulse with which a mover of `mass` pushes a body that it hit, as if the two stuck together for a moment: for
   * cm_dynamics_apply_impulse_at(dynamics, hit->id, impulse, hit->point), which refuses what is no body.
   * @param mass of the mover, > 0.
   * @param bodyMass of what it hit, > 0: cm_body_state.
   * @param bodyVelocity of the body: what runs away as fast as the mover comes is not pushed. */
  moverPush(hit: MoverHitLike, mass: number, bodyMass: number, bodyVelocity: Vec3Like, impulse?: Vec3): Vec3;
  /** The bit of a response by its name, "push_apart".
   * @returns false, with `out` untouched, for a name that is none. */
  responseFromName(name: string): number | null;
  /** The name of one response's bit; NULL for anything else. Never freed. */
  responseName(response: number): string;
  /** Creates dynamics over a world; no object has a body yet.
   * @param world borrowed; must outlive the dynamics.
   * @returns CM_OK, CM_INVALID (no world), CM_NOT_FINITE (gravity), CM_NO_MEMORY. */
  dynamicsCreate(world: Pointer, desc?: DynamicsDesc | null): Pointer;
  /** Frees dynamics. NULL is fine. The world and its objects stay. */
  dynamicsDestroy(dynamics: Pointer): void;
  /** Gives an object a body, or replaces its body. An object removed from the world loses its body with it; one that is
   * made fixed (cm_world_set_fixed) halts with the next step.
   * @returns CM_OK; CM_STALE_ID; CM_INVALID (a fixed object, restitution beyond 0 … 1, negative friction, mass or density, an unknown response or kind; no mass, and a shape without volume); CM_NOT_FINITE; CM_NO_MEMORY. */
  dynamicsAdd(dynamics: Pointer, id: number, body: BodyDesc): void;
  /** Removes the body, not the object.
   * @returns CM_OK, CM_STALE_ID (also where it has none). */
  dynamicsRemove(dynamics: Pointer, id: number): void;
  /** Sets both velocities; a halted body moves again.
   * @returns CM_OK, CM_STALE_ID, CM_NOT_FINITE. */
  dynamicsSetVelocity(dynamics: Pointer, id: number, velocity: Vec3Like, spin: Vec3Like): void;
  /** A force through the center of mass, in mass times length per second squared. */
  dynamicsApplyForce(dynamics: Pointer, id: number, force: Vec3Like): void;
  /** A force at a point: through the center of mass, and the torque (point - center) x force. */
  dynamicsApplyForceAt(dynamics: Pointer, id: number, force: Vec3Like, point: Vec3Like): void;
  /** A torque: turns, and does not move the center. */
  dynamicsApplyTorque(dynamics: Pointer, id: number, torque: Vec3Like): void;
  /** An impulse through the center of mass: the velocity changes by impulse / mass. */
  dynamicsApplyImpulse(dynamics: Pointer, id: number, impulse: Vec3Like): void;
  /** An impulse at a point: through the center of mass, and the angular impulse (point - center) x impulse. */
  dynamicsApplyImpulseAt(dynamics: Pointer, id: number, impulse: Vec3Like, point: Vec3Like): void;
  /** An angular impulse: the angular momentum changes by it. */
  dynamicsApplyAngularImpulse(dynamics: Pointer, id: number, impulse: Vec3Like): void;
  /** Never NaN: what is beyond the range of numbers is CM_REAL_MAX with its sign, and 0 where such ones cancel.
   * @returns CM_OK, or CM_STALE_ID with `out` untouched. */
  dynamicsGet(dynamics: Pointer, id: number, out?: BodyState): BodyState;
  /** Sets what bodies of kind `kind` do at a contact with one of kind `other`, instead of their own response; objects
   * without a body are of kind 0.
   * @returns CM_OK, CM_INVALID (a kind above 31, unknown bits). */
  dynamicsSetResponse(dynamics: Pointer, kind: number, other: number, response: number): void;
  /** One step of `dt` seconds: under constant acceleration ends of straight ways are exact; the turn of a free body keeps
   * its angular momentum to rounding. Events are the world's: cm_world_get_events.
   * Gravity g, force F and damping c take the velocity v to (v + (g + F / mass) dt) / (1 + c dt), torque T takes the
   * angular momentum L about the center to (L + T dt) / (1 + c dt); both divisions are e^-c a second for short steps,
   * and stable for any. Where a body meets something on the way, the rest of the step is found anew; of the turning, the
   * half before and the half after the step. What is done at an impact: the body that vanishes is removed, the one that
   * halts stands, those that bounce or slide change their velocities and go on for the rest of the step. With a response
   * of REPORT or PUSH_APART alone a body goes on through the other. A body whose response is neither BOUNCE nor SLIDE
   * counts as one that nothing moves. Approaches slower than what gravity, or the force on one of the two, gives in two
   * steps do not bounce.
   * @returns CM_OK; CM_INVALID (dt not > 0 or beyond 1e6; within a callback) or CM_NOT_FINITE (a body would leave the valid range): nothing has happened; CM_NO_MEMORY, CM_LIMIT, as cm_world_update: velocities are those of before where nothing has moved. CM_NO_MEMORY also where bodies moved, but a hit was answered only at the points that there was room for. */
  dynamicsStep(dynamics: Pointer, dt: number): void;
  /** A number of the state, the world's included: equal states, equal hashes. */
  dynamicsHash(dynamics: Pointer): bigint;
  /** Writes the state of all bodies and of the world; see cm_world_save (0 too). Not: gravity, callbacks, rules. */
  dynamicsSave(dynamics: Pointer, shapes: WorldShapes | null | undefined, bytes: Uint8Array | null, capacity: number): number;
  /** Restores the state of all bodies and of the world that cm_dynamics_save wrote.
   * @returns CM_OK, CM_BAD_DATA, CM_NO_MEMORY, or what cm_world_restore says; bodies and world are as they were then. */
  dynamicsRestore(dynamics: Pointer, shapes: WorldShapes | null | undefined, bytes: ArrayLike<number>): void;
  /** Does the pattern match the path? It does where its components match as many consecutive components of the path:
   * "bolt*" matches "engine/bolt_3" and "engine/bolts/m6". In a component `*` is any text, `?` any character, `[a-z]` a
   * range, and `\` takes the next character as it is; a component `**` is any number of components. A leading `/` ties
   * the pattern to the start of the path. Upper and lower case differ. An empty pattern matches nothing, as does NULL.
   * Cost: at most the product of their lengths. */
  checkMatches(pattern: string, path: string): boolean;
  /** Does the selector choose the part? A selector is one or several conditions: joined by " & " all of them hold, and
   * of several of those, joined by " | ", one. A condition that begins with `!` holds where what follows it does not.
   * A condition is
   *   - `class=IfcWall*`, `storey=EG`, `Pset_WallCommon.IsExternal=TRUE`: the part has a property of that key, and its
   *     value matches the pattern, in which `*` is any text, slashes too;
   *   - `id=`, `file=`, `leaf=`, `path=`: likewise the part's `id`; its `file`, or what follows its last slash; the last
   *     component of its name; its name, as cm_check_matches has it;
   *   - a text without such a key: that is `path=`, or is the part's file, or what follows its last slash.
   * A key ends at the first `=`; what has a slash before that has no key. `\` takes the next character as it is, where
   * it would mean something else: `a\=b`, `M & E`. A selector that is, as a whole, the part's file chooses it, whatever
   * is in it. An empty selector or condition chooses nothing, as does NULL. Cost: a match of each condition. */
  checkSelects(selector: string, part: CheckPart): boolean;
  /** "crossing", "inside" …; "unknown" for a number that is no kind. Never NULL. */
  findingKindText(kind: FindingKind): string;
  /** "crossing", "a_inside_b", "b_inside_a", "identical", "touching", "clearance". */
  findingText(finding: FindingLike): string;
  /** "any", "hard" …; "unknown" for a number that is none. Never NULL. */
  checkTestKindText(kind: CheckTestKind): string;
  /** "error" …; "unknown" for a number that is none. Never NULL. */
  checkSeverityText(severity: CheckSeverity): string;
  /** Sets `bit` in `sides` of all parts that the selector chooses.
   * @param sides one a part; the other bits stay.
   * @returns how many it chose. Cost: a match of each part. */
  checkChoose(parts: readonly CheckPart[], selector: string, bit: number, sides: Uint8Array | null): number;
  /** The tolerance of a pair where none is given: a millionth of the size of both together, and at least what their
   * coordinates are rounded to, and the deviations of both. Where the rounding of either is not known, single precision
   * is taken for it; and where there is no deviation either, 0: cm_mesh_relation has a default for that. */
  checkTolerance(a: CheckPart, b: CheckPart): number;
  /** Finds all pairs of parts that cross, lie in one another, are identical, touch, or are nearer than the clearance.
   * Near pairs come of the boxes of the parts; each is decided by cm_mesh_relation.
   * @param out untouched on failure. Free with cm_check_result_destroy and the same allocator.
   * @returns CM_OK; CM_INVALID (NULL; a tolerance, clearance, depth, rounding or deviation that is negative, NaN or infinite; a test of clearances without one, or whose kind or severity is none; an exception without selectors, id and test, or with one selector; a tolerance without two selectors; tests and sides), what cm_shape_check says of a shape, CM_UNSUPPORTED (a shape that is no mesh), CM_NOT_FINITE (a pose), CM_LIMIT (more than 16,777,215 parts, 2^31 near pairs of all tests; the field "progress": the caller ended it), CM_NO_MEMORY. Cost: that of cm_broad_pairs, and of cm_mesh_relation for each near pair and each tolerance that tests have for it; with `volumes` that of cm_mesh_interference for each finding, and once for each mesh that is in one. */
  checkParts(desc: CheckDesc, out?: CheckResult): CheckResult;
  /** Which findings were there before? `before` and `now` are of two checks, say of a model and of its next export. The
   * same finding is, one for one and in this order:
   *   - one with the same id;
   *   - of those that are left, one in the same place with one part of the same identity: the other part was renamed, or
   *     split. In the same place are findings whose boxes overlap, each around its points and outline and as much
   *     larger as the parts overlap or are apart;
   *   - one whose points and distance are the same to a hundredth of those boxes: both parts were renamed.
   * Findings of different gravity are the same by their id alone: crossing, inside and identical are of one, touching
   * and clearance of two others. Of several the nearest is taken, then the first.
   * @param beforeOf one for each of `now`: its number in `before`, or CM_NONE where it is new. Untouched on failure.
   * @returns CM_OK; CM_INVALID (NULL; an outline_box with min > max in y or z alone), CM_NOT_FINITE (a point, an outline_box), CM_LIMIT (more than 16,777,215 of either), CM_NO_MEMORY. Cost: sorting, and a broad phase of what is left. */
  checkCompare(before: readonly FindingLike[], now: readonly FindingLike[], beforeOf: Uint32Array | null): void;
  /** Gathers findings that have something in common, so that many read as few. Each that is not allowed comes into one
   * group.
   * @param keys one a part, such as the numbers of their classes or files: a group has all findings between parts with the same two keys. NULL: one part against many. The part with the most findings takes them all, then the next with the most of what is left, and so on; of equal ones the first part.
   * @param out untouched on failure. Free with cm_check_groups_destroy and the same allocator.
   * @returns CM_OK, CM_INVALID (NULL), CM_OUT_OF_RANGE (a part of a finding that is not below part_count), CM_NO_MEMORY. Cost: sorting, and a heap of the parts. */
  checkGroupFindings(findings: readonly FindingLike[], keys: ArrayLike<number> | null | undefined, partCount: number, out?: CheckGroups): CheckGroups;
  /** The nearest part of A and part of B, or the two that are deepest in one another where some overlap; of equal ones
   * those whose boxes are nearest, then the first. Of the description it reads parts, sides and tolerance. Where `sides`
   * is NULL all parts are of both; no part is compared with itself.
   * @param out part_a is of A and part_b of B, and so are the points. It has no identities. Its kind is CM_FINDING_CLEARANCE where they are apart. Both parts are CM_NONE where there is no such pair. Untouched on failure.
   * @returns as cm_check_parts. Cost: a list of all pairs; cm_mesh_relation for those whose boxes are not farther apart than the answer. */
  checkNearest(desc: CheckDesc, out?: Finding): Finding;
  /** Looks at the calling thread's floating-point state, then asks a few hundred queries of every sort between shapes of
   * every kind that needs no memory, and compares a hash over all numbers in the answers with the recorded one.
   * Call it once where the library was compiled by your own build, and on each thread whose floating-point state a host
   * may have changed (audio and graphics frameworks, plug-in hosts).
   * @returns CM_OK or CM_UNSUPPORTED. Allocates nothing; takes a few milliseconds. */
  selftest(): void;
}
