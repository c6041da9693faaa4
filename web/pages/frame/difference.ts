/* The Minkowski difference b - a of two convex shapes, to be looked at: the hull of what the corners of their pictures make.
 * Only its picture: all numbers of a page come from the search itself. */
import type { Carom, PoseLike, Shape, Vec3Like } from 'carom';
import { BufferGeometry, EdgesGeometry, Float32BufferAttribute, Group, LineSegments, Mesh } from 'three';
import { choice, number, vec3, type Vec3 } from './state';
import type { View } from './view';

/** What one body is at first: its shape, its center, and how it is turned. */
type First<K> = [kind: K, center: Vec3, turned: Vec3];
/** The state of a search between two bodies of chosen kinds: its step, and both. */
export function searchOf<K extends string>(steps: { first: number; most: number; play: number }, kinds: Record<K, string>, a: First<K>, b: First<K>) {
  const kind = (group: string, first: First<K>) => choice<K>('shape', first[0], kinds, { group });
  const center = (group: string, first: First<K>) => vec3('center', first[1], -5, 3, { group });
  const turned = (group: string, first: First<K>) => vec3('turned', first[2], -180, 180, { group, unit: 'degrees', step: 1 });
  return {
    step: number('step', steps.first, 0, steps.most, { step: 1, play: steps.play }),
    kindA: kind('A', a), a: center('A', a), turnA: turned('A', a),
    kindB: kind('B', b), b: center('B', b), turnB: turned('B', b),
  };
}

/** A picture of the library's as three's. */
export function geometryOf({ points, indices }: { points: ArrayLike<number>; indices: ArrayLike<number> }): BufferGeometry {
  const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(Float32Array.from(points), 3));
  geometry.setIndex(Array.from(indices));
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

/** A body whose geometry changes: a surface to look into, and its edges. */
export class Solid extends Group {
  private readonly surface: Mesh;
  private readonly edges: LineSegments;
  private key = '';
  constructor(view: View, name: string, opacity: number, lines = 1) {
    super();
    this.surface = new Mesh(new BufferGeometry(), view.lit(name, opacity));
    this.edges = new LineSegments(new BufferGeometry(), view.line(name, lines));
    this.add(this.surface, this.edges);
    view.add(this);
  }
  /** Made anew where the key is another one. */
  make(key: string, geometry: () => BufferGeometry, crease = 20): this {
    if (key === this.key) return this;
    this.key = key;
    this.surface.geometry.dispose();
    this.edges.geometry.dispose();
    this.surface.geometry = geometry();
    this.edges.geometry = new EdgesGeometry(this.surface.geometry, crease);
    return this;
  }
}

/** The corners of a shape's picture, turned; without the position. */
function cornersOf(cm: Carom, shape: Shape, pose: PoseLike): number[][] {
  const { points } = cm.api.shapeTessellate(shape), corners: number[][] = [], seen = new Set<string>();
  for (let i = 0; i < points.length; i += 3) {
    const p: Vec3Like = [points[i]!, points[i + 1]!, points[i + 2]!], { x, y, z } = pose.rotation ? cm.api.rotate(pose.rotation, p) : { x: p[0]!, y: p[1]!, z: p[2]! };
    const key = `${x.toFixed(5)} ${y.toFixed(5)} ${z.toFixed(5)}`;
    if (!seen.has(key)) seen.add(key), corners.push([x, y, z]);
  }
  return corners;
}
/** Of shapes at the origin: the difference of shapes elsewhere lies by the way from A to B farther. */
export function differenceOf(cm: Carom, a: Shape, poseA: PoseLike, b: Shape, poseB: PoseLike): BufferGeometry {
  const of = [cornersOf(cm, a, poseA), cornersOf(cm, b, poseB)] as const, points: number[] = [];
  const put = (p: number[], q: number[]) => points.push(q[0]! - p[0]!, q[1]! - p[1]!, q[2]! - p[2]!);
  if (of[0].length * of[1].length <= 1500) for (const p of of[0]) for (const q of of[1]) put(p, q);
  else { // the farthest corners in many directions
    const along = (n: number[], p: number[]) => n[0]! * p[0]! + n[1]! * p[1]! + n[2]! * p[2]!;
    for (let i = 0, count = 700; i < count; i++) {
      const z = 1 - (2 * i + 1) / count, r = Math.sqrt(1 - z * z), angle = i * 2.399963, n = [r * Math.cos(angle), r * Math.sin(angle), z];
      put(of[0].reduce((best, p) => (along(n, p) < along(n, best) ? p : best)), of[1].reduce((best, q) => (along(n, q) > along(n, best) ? q : best)));
    }
  }
  const hull = cm.hull(points);
  try { return geometryOf(cm.api.shapeTessellate(hull)); } finally { hull.dispose(); }
}
