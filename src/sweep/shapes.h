/* Sweeps of shapes for the library's own files: of valid input, with kinds in any order. */
#ifndef SWEEP_SHAPES_H
#define SWEEP_SHAPES_H

#include "carom/sweep.h"
#include "math/point.h"
#include "shape/shape.h"

typedef enum cm__sweep_want {
    CM__SWEEP_HIT,  /* what cm_sweep returns */
    CM__SWEEP_FIRST /* only `first`, of the first contact, whether it blocks or not */
} cm__sweep_want;

/* Units of work (traverse.h) that the parts of what turns take, as measured: two of which planes tell enough, the sweep
 * of two, each step of a search in time besides, looks at a whole surface. */
enum { CM__WORK_PLANES = 16, CM__WORK_SWEEP = 32, CM__WORK_STEP = 16, CM__WORK_LOOKS = 2048 };

/* The two shapes at the start, as cm_overlap is asked, where they are swept as others: convex meshes as their hulls.
 * Nearer to touching than `slack` either way, these decide whether they overlap. */
typedef struct cm__sweep_rest {
    const cm_shape *a, *b;
    cm_pose b_in_a;
    double slack;
} cm__sweep_rest;
/* The verdict at the start, of a pair that is so far apart, or deep, as it is swept. */
bool cm__sweep_overlap(const cm__sweep_rest *rest, double distance);

/* What the caller of a sweep knows and wants. */
typedef struct cm__sweep_span {
    double from;                /* > 0: they are apart by more than the band until then */
    cm_real limit;              /* later hits may be left out */
    const cm__sweep_rest *rest; /* of the whole pair; NULL: it is asked as it is swept */
    double band;                /* of a part: cm__sweep_band of the whole pair, 0: these two are the whole pair; */
    double near;   /* half the gap that a hit may leave: less than half the band where that is wide only because a shape
                      is curved */
    double end;    /* of a part: the step ends then, */
    bool touching; /* and the whole pair is within the band of touching at the start, */
    bool overlaps; /* or overlaps, */
    double depth;  /* by that much (0 where it does not) */
    cm__point depth_direction;   /* the unit direction of that depth, from A to B, approximately; in the world */
    struct cm__sweep_ways *ways; /* of a part: the ways out of the whole pair at the start; */
    bool ways_back;              /* they run from B to A */
    const cm_shape *surface;     /* for two surfaces: A is a triangle of this one; else NULL */
    uint32_t number;             /* and its number there */
    bool careful;                /* for those: each first contact of two triangles is judged (brush.h) */
    struct cm__part *struck;     /* for those, or NULL: the triangle of B that blocks goes here */
    uint32_t *work;              /* for a part, or NULL: what it takes is added here (traverse.h) */
    const struct cm__part *only; /* for a composite and a convex shape: only this part; or NULL */
    uint32_t budget;             /* of work, for two that turn, one a composite; 0: the default */
    double *doubt; /* NULL: contacts that seem not to block are judged again; else the time of the earliest goes here */
} cm__sweep_span;

/* Are all fields but `start` in the valid range, and every speed during the step? */
bool cm__motion_is_finite(const cm_motion *motion);

/* The gap that a sweep of these two may leave at `first`, and the band around touching, as a distance on either side of
 * it, in which a start counts as touching or hovering (sweep.h). Of any kinds, in any order. */
double cm__sweep_band(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb);

/* The share of the band that is due to curved shapes. */
double cm__sweep_curved(const cm_shape *a, const cm_shape *b);

/* Do the two approach at a point of the world at time u along a unit normal from A to B, by more than rounding? Turning
 * counts, except the spin of a round shape about its own axis, which moves no point of the set. */
bool cm__sweep_approaches(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, double u,
                          cm__point at, cm__point normal);

/* cm_sweep, except that `last` is not computed for parts. `out` is always written on a hit. */
bool cm__shapes_sweep(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                      const cm__sweep_span *span, cm__sweep_want want, cm_sweep_hit *out);
/* The same of two convex shapes; `last` is not looked for, and the point of what overlaps at the start is one of either
 * surface. */
bool cm__convex_sweep_from(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                           const cm__sweep_span *span, cm_sweep_hit *out);
/* Is it a half-space, which is unbounded? */
static inline bool shape_is_endless(const cm_shape *shape) {
    return cm__ops(shape->kind)->shape_class == CM__HALFSPACE;
}
/* A bound on the distance of a bounded shape's points from a point, both in the shape's frame. */
double cm__shape_reach(const cm_shape *shape, cm_vec3 from);
/* The sweep of a pair with a composite; kinds in the order of the list. */
bool cm__composite_sweep(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                         const cm__sweep_span *span, cm__sweep_want want, cm_sweep_hit *out);

#endif
