/* A landscape of triangles, rays at its seams, and the textbook's test in single precision. */
const f = Math.fround, cells = 10;

/** (cells + 1)² points at heights of a few waves, two triangles a cell. */
export function land(bumps: number): { positions: Float32Array; indices: number[] } {
  const n = cells + 1, positions = new Float32Array(3 * n * n), indices: number[] = [];
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) {
      const x = (6 * i) / cells - 3 + 0.13 * Math.sin(3 * j + i), z = (6 * j) / cells - 3 + 0.13 * Math.sin(5 * i + 2 * j);
      positions.set([x, bumps * (Math.sin(1.7 * x) * Math.cos(1.3 * z) + 0.3 * Math.sin(4 * x + z)), z], 3 * (n * j + i));
      if (i < cells && j < cells) indices.push(n * j + i, n * (j + 1) + i, n * j + i + 1, n * j + i + 1, n * (j + 1) + i, n * (j + 1) + i + 1);
    }
  return { positions, indices };
}

/** Rays from steeply above, so that no edge is a silhouette, at points of inner edges and at inner corners; `fans`: the triangles that meet there. */
export function aimed({ rays: count, far, seed }: { rays: number; far: number; seed: number }, positions: Float32Array) {
  const n = cells + 1, rays = new Float32Array(7 * count), targets = new Float32Array(3 * count), fans: number[][] = [];
  let state = seed * 7919 + 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const cell = (i: number, j: number) => 2 * (cells * j + i);
  for (let r = 0; r < count; r++) {
    const i = 1 + Math.floor(random() * (cells - 1)), j = 1 + Math.floor(random() * (cells - 1)), kind = Math.floor(random() * 4), t = random();
    const from = n * j + i;
    // a corner, or a point of the edge to the right, downwards, or of the diagonal across a cell
    const to = [from, from + 1, from + n, from + n - 1][kind]!;
    fans.push([
      [cell(i - 1, j - 1) + 1, cell(i, j - 1), cell(i, j - 1) + 1, cell(i - 1, j), cell(i - 1, j) + 1, cell(i, j)],
      [cell(i, j - 1) + 1, cell(i, j)], [cell(i - 1, j) + 1, cell(i, j)], [cell(i - 1, j), cell(i - 1, j) + 1],
    ][kind]!);
    const around = 2 * Math.PI * random(), rise = 1.2 + 0.3 * random(), eye = [far * Math.cos(around) * Math.cos(rise), far * Math.sin(rise), far * Math.sin(around) * Math.cos(rise)];
    for (let k = 0; k < 3; k++) {
      const a = positions[3 * from + k]!, b = positions[3 * to + k]!;
      targets[3 * r + k] = a + t * (b - a);
      rays[7 * r + k] = targets[3 * r + k]! + eye[k]!;
      rays[7 * r + 3 + k] = targets[3 * r + k]! - rays[7 * r + k]!;
    }
    rays[7 * r + 6] = 2;
  }
  return { rays, targets, fans };
}

/** Möller and Trumbore's test, every operation rounded to float. */
export function textbook(rays: Float32Array, r: number, p: Float32Array, indices: readonly number[], at: number): boolean {
  const a = 3 * indices[at]!, b = 3 * indices[at + 1]!, c = 3 * indices[at + 2]!;
  const e = [0, 1, 2].map((k) => f(p[b + k]! - p[a + k]!)), g = [0, 1, 2].map((k) => f(p[c + k]! - p[a + k]!)), s = [0, 1, 2].map((k) => f(rays[r + k]! - p[a + k]!));
  const d = [rays[r + 3]!, rays[r + 4]!, rays[r + 5]!];
  const cross = (x: number[], y: number[]) => [f(f(x[1]! * y[2]!) - f(x[2]! * y[1]!)), f(f(x[2]! * y[0]!) - f(x[0]! * y[2]!)), f(f(x[0]! * y[1]!) - f(x[1]! * y[0]!))];
  const dot = (x: number[], y: number[]) => f(f(f(x[0]! * y[0]!) + f(x[1]! * y[1]!)) + f(x[2]! * y[2]!));
  const h = cross(d, g), q = cross(s, e), scale = f(1 / dot(e, h));
  const u = f(scale * dot(s, h)), v = f(scale * dot(d, q)), t = f(scale * dot(g, q));
  return u >= 0 && v >= 0 && f(u + v) <= 1 && t >= 0 && t <= rays[r + 6]!;
}
