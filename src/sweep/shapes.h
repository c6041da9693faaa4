/* Sweeps of shapes from within the library: checked already, in any order of kinds. */
#ifndef SWEEP_SHAPES_H
#define SWEEP_SHAPES_H

#include "carom/sweep.h"

typedef enum cm__sweep_want {
    CM__SWEEP_HIT,  /* as cm_sweep tells it */
    CM__SWEEP_FIRST /* the first contact of all, whether it blocks or not; but for `first`, nothing is right */
} cm__sweep_want;

/* As cm_sweep; of composites, hits later than `limit` are of no interest. `out` is always written on a hit. */
bool cm__shapes_sweep(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, cm_real limit,
                      cm__sweep_want want, cm_sweep_hit *out);
/* The same of two convex shapes known to be apart until `from`; `last` is not looked for, and the point of what
 * overlaps at the start is one of either surface. */
bool cm__convex_sweep_from(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, double from,
                           cm_real limit, cm_sweep_hit *out);
/* A bound on the distance of a bounded shape's points from a point, both in the shape's frame. */
double cm__shape_reach(const cm_shape *shape, cm_vec3 from);
/* The way of a pair with a composite; kinds in the order of the list. */
bool cm__composite_sweep(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, cm_real limit,
                         cm__sweep_want want, cm_sweep_hit *out);

#endif
