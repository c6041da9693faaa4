/* A polygon as triangles: a fan where it is convex, else by three.js' ear clipping. */
import { ShapeUtils, Vector2 } from 'three';

type Points = ArrayLike<number>; // x, y, z of each

/** The sum of the cross products of its edges: twice its area, along its normal. */
function normalOf(points: Points, corners: readonly number[]): [number, number, number] {
  const n: [number, number, number] = [0, 0, 0];
  corners.forEach((corner, i) => {
    const a = 3 * corner, b = 3 * corners[(i + 1) % corners.length]!;
    for (let k = 0; k < 3; k++) {
      const u = (k + 1) % 3, v = (k + 2) % 3;
      n[k]! += (points[a + u]! - points[b + u]!) * (points[a + v]! + points[b + v]!);
    }
  });
  return n;
}
const turn = (a: Vector2, b: Vector2, c: Vector2) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

/** Three corners each. Null where it crosses itself. */
export function cut(points: Points, corners: readonly number[]): number[] | null {
  if (corners.length < 4) return [...corners];
  const normal = normalOf(points, corners), size = normal.map(Math.abs), k = size.indexOf(Math.max(...size));
  if (size[k] === 0 && corners.slice(2).some((_, i) => normalOf(points, [corners[0]!, corners[i + 1]!, corners[i + 2]!]).some(Boolean))) return null; // a bow
  const [u, v] = normal[k]! >= 0 ? [(k + 1) % 3, (k + 2) % 3] : [(k + 2) % 3, (k + 1) % 3]; // seen from outside, it goes to the left
  const origin = 3 * corners[0]!;
  const flat = corners.map((corner) => new Vector2(points[3 * corner + u]! - points[origin + u]!, points[3 * corner + v]! - points[origin + v]!));
  const fan = corners.slice(2).map((_, i) => [0, i + 1, i + 2]);
  const faces = fan.every(([a, b, c]) => turn(flat[a!]!, flat[b!]!, flat[c!]!) >= 0) ? fan : ShapeUtils.triangulateShape(flat, []);
  const covered = faces.reduce((sum, [a, b, c]) => sum + Math.abs(turn(flat[a!]!, flat[b!]!, flat[c!]!)), 0);
  return faces.length > 0 && Math.abs(covered - size[k]!) <= 1e-6 * size[k]! ? faces.flatMap((face) => face.map((i) => corners[i]!)) : null;
}
