/// carom/batch.h: the questions of pair.h and sweep.h for many pairs in one call.
///
/// Each answer is the one that the single call gives, to the bit, whatever the order, the number of threads and the
/// CPU; answers stand in the order of the pairs. Where a bound of the rounding leaves no doubt, verdicts of points,
/// segments, triangles and boxes, with or without radius, and those of two hulls by the balls around and within them,
/// come from many pairs side by side, in vectors; the others are asked one by one. So a batch is worth it from some
/// dozens of pairs on.
///
/// ```c
/// cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), 1);
/// cm_pose poses[1000] = ...;                                  // of a thousand balls
/// uint32_t shape_of[1000] = {0};                              // all of them shape 0
/// cm_broad_pair pairs[2] = {{0, 1}, {17, 999}};
/// cm_batch batch = {.shapes = &ball, .shape_count = 1, .poses = poses, .pose_count = 1000, .shape_of = shape_of,
///                   .pairs = pairs, .pair_count = 2};
/// bool touch[2];
/// cm_overlap_many(&batch, touch, NULL);
/// ```
///
/// Allocates nothing; about 70 KiB of stack a worker (in double 80), and that of the single calls. With `tasks`, blocks
/// of 512 pairs are work for any worker.
#ifndef CAROM_BATCH_H
#define CAROM_BATCH_H

#include "broad.h"
#include "pair.h"
#include "sweep.h"

CM_EXTERN_BEGIN

/// Objects and pairs of them. Object i has pose i (in a sweep: motion i) and shape `shape_of[i]`. Zero fields mean the
/// default. Nothing of it is kept.
typedef struct cm_batch {
    const cm_shape *shapes;
    size_t shape_stride; /* bytes from shape to shape; 0 = sizeof(cm_shape) */
    uint32_t shape_count;
    const uint32_t *shape_of;   /* an object's shape, pose_count of them; NULL: object i has shape i */
    const cm_pose *poses;       /* in world coordinates; the start of the first motion will do, with its stride */
    size_t pose_stride;         /* bytes from pose to pose; 0 = sizeof(cm_pose) */
    const cm_motion *motions;   /* for cm_sweep_many, which reads no poses */
    size_t motion_stride;       /* 0 = sizeof(cm_motion) */
    uint32_t pose_count;        /* of objects, so of motions too */
    const cm_broad_pair *pairs; /* by the objects' numbers; NULL: pair i is object `one` against object i, itself too */
    size_t pair_count;          /* not read where there are no pairs */
    uint32_t one;
    const cm_tasks *tasks; /* NULL = serial */
} cm_batch;

/// Which pairs overlap, each as by cm_overlap (so false for a bad shape or pose).
/// @param out  an answer a pair.
/// @return CM_OK; CM_INVALID (a missing array, a stride too small or no multiple of the alignment); CM_OUT_OF_RANGE:
/// the first number of a shape or object that is too large stands in `error` (its field "pairs", "shape_of", "one" or
/// "shape_count", its index), which may be NULL. `out` is untouched then; so for all of these.
/// Cost: a pair some 5 to 9 ns where it is decided in vectors and in the cache (docs/guide/batches.md), else that of
/// cm_overlap.
CM_API cm_status cm_overlap_many(const cm_batch *batch, bool *out, cm_error *error);

/// Distances, each as by cm_distance.
/// @param max_distance  as in cm_distance; pairs that certainly are farther apart than that are decided in vectors.
/// @param distances  one a pair, CM_REAL_MAX for none.
/// @param out  a proof a pair, untouched where there is none; may be NULL.
/// @return as cm_overlap_many.
CM_API cm_status cm_distance_many(const cm_batch *batch, cm_real max_distance, cm_real *distances, cm_witness *out,
                                  cm_error *error);

/// Contacts, each as by cm_contact. Those of spheres with spheres, capsules, triangles and boxes and of two capsules
/// are computed in vectors, but for capsules that are nearly parallel and thin triangles; of other kinds that have
/// verdicts there, what certainly is farther apart than `margin` is decided so.
/// @param counts  how many manifolds each pair has, which may be more than the capacity.
/// @param out  `capacity` manifolds a pair: those of pair i from out[i * capacity] on. May be NULL with a capacity of
/// 0.
/// @return as cm_overlap_many; CM_INVALID also for a capacity below 0.
CM_API cm_status cm_contact_many(const cm_batch *batch, cm_real margin, int *counts, cm_manifold *out, int capacity,
                                 cm_error *error);

/// Sweeps, each as by cm_sweep, one by one (and so many at once with `tasks`).
/// @param met  for each pair whether it meets; may be NULL.
/// @param out  the hits, untouched where there is none; may be NULL.
/// @return as cm_overlap_many.
CM_API cm_status cm_sweep_many(const cm_batch *batch, bool *met, cm_sweep_hit *out, cm_error *error);

CM_EXTERN_END
#endif
