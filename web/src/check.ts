/* Many parts at once: which of them cross, lie in one another, touch, or come nearer than a clearance. */
import type { CheckDesc, CheckPart } from './generated/types.js';

/** What to check. A part is { shape, pose, name, id, properties … }; its shape is a mesh, and a solid one has an inside. */
export interface CheckOptions extends Omit<CheckDesc, 'skip' | 'progress'> {
  readonly parts: readonly CheckPart[];
  /** Leave out pairs of pieces of one product: parts of one `file` with the same `id` and, where both have one, `node`. */
  readonly skipProduct?: boolean;
  /** Leave out pairs of a part and one that hangs from it: `node` and `parent`. */
  readonly skipParent?: boolean;
  /** Called after each of `total` pairs that come near each other. Where it answers false, the check ends. */
  readonly progress?: (done: number, total: number) => boolean | void;
}

export function describe({ skipProduct, skipParent, progress, ...rest }: CheckOptions): CheckDesc {
  const desc = { ...rest, skip: (skipProduct ? 1 : 0) | (skipParent ? 2 : 0) };
  return progress ? { ...desc, progress: (done, total) => progress(done, total) !== false } : desc;
}
