/* The library in both precisions, for tests that hold in each. */
import test from 'node:test';
import { init as float } from 'carom';
import { init as double } from 'carom/f64';

export const libraries = [await float(), await double()];
/** A test of each precision: `eps` is what one rounding may take from a number of the size of 1. */
export function each(name, run) {
  for (const cm of libraries) test(`${name}, ${cm.precision}`, () => run(cm, cm.precision === 'float' ? 1e-6 : 1e-14));
}
/** A closed box of triangles. */
export function boxMesh(half = 1) {
  const positions = [], quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  for (let i = 0; i < 8; i++) positions.push(i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half);
  return { positions, indices: quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]), solid: true };
}
/** A surface of 2 n n triangles over [-n/2, n/2]². */
export function sheet(n) {
  const positions = [], indices = [];
  for (let i = 0; i <= n; i++) for (let j = 0; j <= n; j++) positions.push(i - n / 2, 0, j - n / 2);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) { const a = i * (n + 1) + j; indices.push(a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1); }
  return { positions, indices };
}
