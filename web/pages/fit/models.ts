/* Closed models, made by a few lines each: points x, y, z and triangles. */
export interface Model { positions: number[]; indices: number[] }

/** A tube of radius r along a closed curve, its cross sections carried along without twisting more than they must. */
function tube(curve: (t: number) => number[], r: number, along: number, around: number): Model {
  const positions: number[] = [], indices: number[] = [];
  const sub = (a: number[], b: number[]) => a.map((x, k) => x - b[k]!);
  const cross = (a: number[], b: number[]) => [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
  const unit = (a: number[]) => a.map((x) => x / Math.hypot(...a));
  for (let i = 0; i < along; i++) {
    const p = curve(i / along), tangent = unit(sub(curve((i + 0.01) / along), curve((i - 0.01) / along)));
    const side = unit(cross(tangent, p)), up = cross(side, tangent);
    for (let j = 0; j < around; j++) {
      const c = r * Math.cos((2 * Math.PI * j) / around), s = r * Math.sin((2 * Math.PI * j) / around);
      for (let k = 0; k < 3; k++) positions.push(p[k]! + c * side[k]! + s * up[k]!);
      const next = ((i + 1) % along) * around, here = i * around, over = (j + 1) % around;
      indices.push(here + j, next + j, next + over, here + j, next + over, here + over);
    }
  }
  return { positions, indices };
}
/** Boxes, min and max of each. */
function boxes(list: number[][]): Model {
  const positions: number[] = [], indices: number[] = [];
  const faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  for (const b of list) {
    const first = positions.length / 3;
    for (let i = 0; i < 8; i++) positions.push(b[i & 1 ? 3 : 0]!, b[i & 2 ? 4 : 1]!, b[i & 4 ? 5 : 2]!);
    for (const [a, c, d, e] of faces) indices.push(first + a!, first + c!, first + d!, first + a!, first + d!, first + e!);
  }
  return { positions, indices };
}

export const models = {
  knot: () => tube((t) => {
    const a = 4 * Math.PI * t, b = 6 * Math.PI * t, r = 1.1 + 0.5 * Math.cos(b);
    return [r * Math.cos(a), 0.75 * Math.sin(b), r * Math.sin(a)];
  }, 0.24, 160, 14),
  chair: () => boxes([
    [-0.7, 0, -0.7, 0.7, 0.14, 0.7], [-0.7, 0.14, -0.7, 0.7, 1.6, -0.56],
    [-0.7, -1.1, -0.7, -0.54, 0, -0.54], [0.54, -1.1, -0.7, 0.7, 0, -0.54], [-0.7, -1.1, 0.54, -0.54, 0, 0.7], [0.54, -1.1, 0.54, 0.7, 0, 0.7],
  ]),
  ring: () => tube((t) => [1.5 * Math.cos(2 * Math.PI * t), 0.9 * Math.sin(4 * Math.PI * t) * 0.5, 0.8 * Math.sin(2 * Math.PI * t)], 0.16, 120, 12),
} satisfies Record<string, () => Model>;
