/* Many questions in one call: typed arrays in, the caller's typed arrays out. */
import type { Binding } from './carom.js';
import type { Memory } from './memory.js';
import type { Batch, PoseLike, RealArray, Shape } from './generated/types.js';

/** Where a batch of rays puts its answers; each array has room for all rays, and those left out are not filled. */
export interface RayHits {
  /** 1 where the ray meets the shape, else 0. */
  met: Uint8Array;
  /** Where it enters, in multiples of its direction; Infinity where it meets nothing. */
  t?: RealArray;
  points?: RealArray;
  normals?: RealArray;
  /** Triangle or child. */
  parts?: Uint32Array;
}
/** Where a batch of distances puts its answers: one a pair, or x, y, z a pair. What is left out is not filled. */
export interface Distances {
  /** > 0 the gap, <= 0 minus the depth; Infinity beyond `max`. */
  distances: RealArray;
  /** In world coordinates, as are the normals; 0 where the distance is Infinity. */
  pointsA?: RealArray;
  pointsB?: RealArray;
  /** From A to B. */
  normals?: RealArray;
}
/** Where a batch of sweeps puts its answers. What is left out is not filled. */
export interface SweepHits {
  /** 1 where the two meet, else 0. */
  met: Uint8Array;
  /** When they first touch, in [0, 1]; Infinity where they do not. */
  first?: RealArray;
  last?: RealArray;
  points?: RealArray;
  normals?: RealArray;
  /** 1 where a mover would stop. */
  blocking?: Uint8Array;
}

/** Numbers `offset` bytes into each of the records at `from`: `size` a record, into `to`; `none` where there is no answer. */
function gather(binding: Binding, m: Memory, from: number, stride: number, offset: number, size: number, count: number, to: RealArray | undefined, none: number, there: (i: number) => boolean): void {
  if (!to) return;
  const wide = binding.REAL_BYTES === 8, reals = wide ? m.f64 : m.f32, shift = wide ? 3 : 2;
  for (let i = 0; i < count; i++) {
    const p = (from + i * stride + offset) >> shift, yes = there(i);
    for (let k = 0; k < size; k++) to[size * i + k] = yes ? reals[p + k]! : none;
  }
}

/** As many answers as the batch has pairs. */
const pairsOf = (batch: Batch, objects: ArrayLike<number> | undefined, numbers: number): number =>
  batch.pairs ? batch.pairs.length / 2 : (objects?.length ?? 0) / numbers;

export function raycastMany(binding: Binding, m: Memory, rays: ArrayLike<number>, shape: Shape, pose: PoseLike | null | undefined, out: RayHits): number {
  const count = m.count(rays, 7, 'rays'), hit = binding.at.rayHit!, { met } = out;
  m.expect(met, count, 'met');
  m.expect(out.t, count, 't');
  m.expect(out.points, 3 * count, 'points');
  m.expect(out.normals, 3 * count, 'normals');
  m.expect(out.parts, count, 'parts');
  const t = m.enter();
  try {
    const details = !!(out.t || out.points || out.normals || out.parts), from = binding.REAL_BYTES === 8 ? m.put_f64(rays) : m.put_f32(rays);
    const flags = m.take(count), hits = details ? m.take(count * hit.size!) : 0;
    const found = m.call('raycast_many', from, count, binding.inShape(m, shape), binding.inPose(m, pose), flags, hits) >>> 0;
    m.leave();
    m.copy_u8(flags, count, met);
    const there = (i: number) => met[i] === 1;
    gather(binding, m, hits, hit.size!, hit.t!, 1, count, out.t, Infinity, there);
    gather(binding, m, hits, hit.size!, hit.point!, 3, count, out.points, 0, there);
    gather(binding, m, hits, hit.size!, hit.normal!, 3, count, out.normals, 0, there);
    if (out.parts) for (let i = 0; i < count; i++) out.parts[i] = there(i) ? m.u32[(hits + i * hit.size! + hit.part!) >> 2]! : 0xffffffff;
    return found;
  } finally { m.release(t); }
}

export function distanceMany(binding: Binding, m: Memory, batch: Batch, out: Distances, max: number): void {
  const count = pairsOf(batch, batch.poses, 7), witness = binding.at.witness!, { distances } = out, { REAL_MAX } = binding;
  m.expect(distances, count, 'distances');
  m.expect(out.pointsA, 3 * count, 'pointsA');
  m.expect(out.pointsB, 3 * count, 'pointsB');
  m.expect(out.normals, 3 * count, 'normals');
  const t = m.enter();
  try {
    const details = !!(out.pointsA || out.pointsB || out.normals), error = m.take(16), reals = m.take(count * binding.REAL_BYTES);
    const proofs = details ? m.take(count * witness.size!) : 0;
    const status = m.call(`${binding.PREFIX}distance_many`, binding.inBatch(m, batch), Math.min(max, REAL_MAX), reals, proofs, error);
    m.leave();
    m.check(status, error);
    gather(binding, m, reals, binding.REAL_BYTES, 0, 1, count, distances, 0, () => true);
    for (let i = 0; i < count; i++) if (distances[i] === REAL_MAX) distances[i] = Infinity;
    const there = (i: number) => distances[i] !== Infinity;
    gather(binding, m, proofs, witness.size!, witness.pointA!, 3, count, out.pointsA, 0, there);
    gather(binding, m, proofs, witness.size!, witness.pointB!, 3, count, out.pointsB, 0, there);
    gather(binding, m, proofs, witness.size!, witness.normal!, 3, count, out.normals, 0, there);
  } finally { m.release(t); }
}

export function sweepMany(binding: Binding, m: Memory, batch: Batch, out: SweepHits): number {
  const count = pairsOf(batch, batch.motions, 19), hit = binding.at.sweepHit!, { met } = out;
  m.expect(met, count, 'met');
  m.expect(out.first, count, 'first');
  m.expect(out.last, count, 'last');
  m.expect(out.points, 3 * count, 'points');
  m.expect(out.normals, 3 * count, 'normals');
  m.expect(out.blocking, count, 'blocking');
  const t = m.enter();
  try {
    const error = m.take(16), flags = m.take(count), hits = m.take(count * hit.size!);
    const status = m.call(`${binding.PREFIX}sweep_many`, binding.inBatch(m, batch), flags, hits, error);
    m.leave();
    m.check(status, error);
    m.copy_u8(flags, count, met);
    const there = (i: number) => met[i] === 1;
    gather(binding, m, hits, hit.size!, hit.first!, 1, count, out.first, Infinity, there);
    gather(binding, m, hits, hit.size!, hit.last!, 1, count, out.last, Infinity, there);
    gather(binding, m, hits, hit.size!, hit.point!, 3, count, out.points, 0, there);
    gather(binding, m, hits, hit.size!, hit.normal!, 3, count, out.normals, 0, there);
    let found = 0;
    for (let i = 0; i < count; i++) {
      found += met[i]!;
      if (out.blocking) out.blocking[i] = there(i) ? m.u8[hits + i * hit.size! + hit.blocking!]! : 0;
    }
    return found;
  } finally { m.release(t); }
}
