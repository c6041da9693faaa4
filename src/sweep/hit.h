/* What all sweeps share: from the span of time in which two shapes touch to the hit.
 *
 * B rests, A moves by v = move_a - move_b over the step; everything in double, in any frame. */
#ifndef SWEEP_HIT_H
#define SWEEP_HIT_H

#include "carom/sweep.h"
#include "math/span.h"
#include "pair/gap.h"

/* A speed along the normal up to this fraction of the whole speed counts as sliding: rounded normals and positions may
 * cause it. */
#define SWEEP_SLIDE (32 * (double)CM_REAL_EPSILON)

/* How a closed form ends. What is exactly as far off as the band is NEAR or not: either answer is right there, as a
 * start apart hits with `first` > 0 both ways; and beyond it a gap of 0, or a rate of 0 of what meets, does not come
 * up. */
typedef enum cm__straight_end {
    CM__STRAIGHT_MISS,
    CM__STRAIGHT_HIT,
    CM__STRAIGHT_PLAIN, /* a hit that needs no judging (brush.h) */
    CM__STRAIGHT_NEAR   /* within the band around touching at the start: start.h decides */
} cm__straight_end;

/* How a pair of convex shapes starts. */
typedef struct cm__sweep_start_state {
    double gap;  /* signed distance at u = 0 */
    double rate; /* its change with u */
    double band; /* as in cm__sweep_band */
} cm__sweep_start_state;

/* Sets first, last and start of *out, unless the start is NEAR. `span` is when they touch within [0, 1], never late.
 * Shapes that overlap start at 0; those that do not get more than 0. MISS: apart and not approaching, so they never
 * meet, since the distance of convex shapes in straight motion is a convex function of time. */
cm__straight_end cm__sweep_begin(const cm__sweep_start_state *start, cm__span span, cm_sweep_hit *out);

/* Sets the remaining fields of *out: unit normal and point at out->first, in the world; v in the world. */
void cm__sweep_end(cm__point v, cm__point normal, cm__point point, cm_sweep_hit *out);

/* The rate of change of the distance when A moves by v; the normal points from A to B. */
static inline double sweep_rate(cm__point v, cm__point normal) { return -cm__point_dot(v, normal); }

/* --- closed forms for straight motion --- */

/* Two cores in the world's axes, relative to a point near by (such as A's position). `move` is A's own displacement, v
 * that relative to B. Fills all of *out; its point is relative to the same point. */
typedef struct cm__straight {
    const cm_shape *a, *b;
    cm__frame pose_a, pose_b;
    cm__point v, move;
    double band; /* as in cm__sweep_band, or more */
} cm__straight;

/* Kinds in the order of CM_SHAPE_LIST, the function cm__straight_name, and whether it takes radii. */
#define CM__STRAIGHT_LIST(X)                                                                                           \
    X(POINT, POINT, point_point, true)                                                                                 \
    X(POINT, SEGMENT, point_segment, true)                                                                             \
    X(POINT, TRIANGLE, point_triangle, true)                                                                           \
    X(POINT, BOX, point_box, true)                                                                                     \
    X(SEGMENT, SEGMENT, segment_segment, true)                                                                         \
    X(BOX, BOX, box_box, false)

#define CM__STRAIGHT_DECLARE(A, B, name, rounded)                                                                      \
    cm__straight_end cm__straight_##name(const cm__straight *s, cm_sweep_hit *out);
CM__STRAIGHT_LIST(CM__STRAIGHT_DECLARE)
#undef CM__STRAIGHT_DECLARE

/* --- plain structs ----------------------------------------------------------------------------------------------- */

/* The band of two plain structs; `size`: the sum of their sizes, distance and displacement. */
static inline double straight_band(double size) { return 16 * (double)CM_REAL_EPSILON * size; }

static inline cm__frame frame_at(cm__point position) {
    cm__frame f = {cm__p(1, 0, 0), cm__p(0, 1, 0), cm__p(0, 0, 1), position};
    return f;
}
#endif
