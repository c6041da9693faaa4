import type { Broad, BroadKind, Carom } from 'carom';

export interface State { kind: Exclude<BroadKind, 'auto'>; count: number; size: number; step: number }
export const kinds = ['brute', 'sweep', 'sweep3', 'grid', 'octree', 'quadtree', 'bsp', 'bvh'] as const;

/** Where the boxes are after `step` steps: each flies straight and is reflected by the walls at ±3. Min and max, six numbers each. */
export function boxes({ count, size, step }: State): Float32Array {
  const all = new Float32Array(6 * count);
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let i = 0; i < count; i++) {
    const half = [0, 1, 2].map(() => (size / 2) * (0.4 + 1.2 * random()));
    for (let k = 0; k < 3; k++) {
      const straight = 12 * random() + step * 0.04 * (random() - 0.5), at = 3 - Math.abs((((straight % 12) + 12) % 12) - 6);
      all[6 * i + k] = at - half[k]!;
      all[6 * i + 3 + k] = at + half[k]!;
    }
  }
  return all;
}
/** The structures live on from step to step, and use what they know. */
let all: { kind: (typeof kinds)[number]; broad: Broad; ids: Uint32Array }[] = [];
let made = '';

export function ask(cm: Carom, s: State) {
  const now = boxes(s);
  if (made !== `${s.count} ${s.size}`) {
    for (const one of all) one.broad.dispose();
    all = kinds.map((kind) => {
      const broad = cm.broad({ kind });
      return { kind, broad, ids: broad.addMany(now) };
    });
    made = `${s.count} ${s.size}`;
  }
  const answers = all.map(({ kind, broad, ids }) => {
    const started = performance.now();
    broad.moveMany(ids, now);
    broad.update();
    const pairs = broad.pairs().length / 2, ms = performance.now() - started;
    const { tests, nodes, depth, bytes } = broad.stats;
    return { kind, pairs, tests, nodes, depth, bytes, ms };
  });
  // of the chosen one: the pairs, and its cells
  const chosen = all.find((one) => one.kind === s.kind)!, number = new Map([...chosen.ids].map((id, i) => [id, i]));
  const cells: { min: number[]; max: number[]; depth: number }[] = [];
  chosen.broad.walk(({ min, max }, depth) => cells.push({ min: [min.x, min.y, min.z], max: [max.x, max.y, max.z], depth }) < 3000);
  return { answers, pairs: Array.from(chosen.broad.pairs(true), (id) => number.get(id)!), cells };
}
