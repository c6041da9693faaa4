/* Sweeps of shapes from within the library: checked already, in any order of kinds. */
#ifndef SWEEP_SHAPES_H
#define SWEEP_SHAPES_H

#include "carom/sweep.h"
#include "math/point.h"
#include "shape/shape.h"

typedef enum cm__sweep_want {
    CM__SWEEP_HIT,  /* as cm_sweep tells it */
    CM__SWEEP_FIRST /* the first contact of all, whether it blocks or not; but for `first`, nothing is right */
} cm__sweep_want;

/* What is known and wanted of a sweep. */
typedef struct cm__sweep_span {
    double from;   /* > 0: they are apart by more than the band until then */
    cm_real limit; /* hits that are later are of no interest, and may be left out */
    double band;   /* of a part: cm__sweep_band of the whole pair, 0: these two are the whole pair; */
    double near;   /* and half of what a hit may leave of the gap: less than half the band where that is wide only
                      because something is curved */
    double end;    /* of a part: the step ends then, */
    bool touching; /* and the whole pair is within the band of touching at the start, */
    bool overlaps; /* or overlaps, */
    double depth;  /* by that much (0 where it does not) */
    cm__point way; /* along that unit direction from A to B, or about so; in the world */
    bool front;    /* of a part of two surfaces: it is a triangle of a solid, whose front is outside */
    const struct cm__part *only; /* of a composite and what is convex: this part alone; or NULL */
    uint32_t budget;             /* of work for two that turn, one a composite; 0: what is enough */
    double *doubt; /* NULL: contacts that seem not to block are looked at again; else it becomes the earliest of them */
} cm__sweep_span;

/* Is all but its start within the valid range, and every speed on its way? */
bool cm__motion_is_finite(const cm_motion *motion);

/* The gap that a sweep of these two may leave at `first`, and the band around touching, as a distance on either side of
 * it, in which a start counts as touching or hovering (sweep.h). Of any kinds, in any order. */
double cm__sweep_band(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb);

/* How much of that is there because what is curved is not known better. */
double cm__sweep_curved(const cm_shape *a, const cm_shape *b);

/* Do the two approach at a point of the world at time u along a unit normal from A to B, by more than rounding? The
 * turning counts, but for the spin of what is round about its own axis, which moves none of its points as a set. */
bool cm__sweep_approaches(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, double u,
                          cm__point at, cm__point normal);

/* As cm_sweep, but that `last` of parts is not looked for. `out` is always written on a hit. */
bool cm__shapes_sweep(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                      const cm__sweep_span *span, cm__sweep_want want, cm_sweep_hit *out);
/* The same of two convex shapes; `last` is not looked for, and the point of what overlaps at the start is one of either
 * surface. */
bool cm__convex_sweep_from(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                           const cm__sweep_span *span, cm_sweep_hit *out);
/* A half-space: its points have no bound. */
static inline bool shape_is_endless(const cm_shape *shape) {
    return cm__ops(shape->kind)->shape_class == CM__HALFSPACE;
}
/* A bound on the distance of a bounded shape's points from a point, both in the shape's frame. */
double cm__shape_reach(const cm_shape *shape, cm_vec3 from);
/* The way of a pair with a composite; kinds in the order of the list. */
bool cm__composite_sweep(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                         const cm__sweep_span *span, cm__sweep_want want, cm_sweep_hit *out);

#endif
