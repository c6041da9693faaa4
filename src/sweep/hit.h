/* What all sweeps share: from the span of time in which two shapes touch to the hit.
 *
 * B rests, A moves by v = move_a - move_b over the step; everything in double, in any frame. */
#ifndef SWEEP_HIT_H
#define SWEEP_HIT_H

#include "carom/sweep.h"
#include "math/span.h"
#include "pair/gap.h"

/* Speeds along a normal up to this part of the speed are sliding: what rounded normals and positions add to it. */
#define SWEEP_SLIDE (32 * (double)CM_REAL_EPSILON)

/* How a pair of convex shapes starts. */
typedef struct cm__sweep_start_state {
    double gap;    /* signed distance at u = 0 */
    bool touching; /* the decision of the pair's overlap test there */
    double rate;   /* change of the distance with u */
    double size;   /* what rounding scales with: distance, sizes and displacement together */
} cm__sweep_start_state;

/* Sets first, last and start of *out. `span` is when they touch within [0, 1], never late. Shapes that touch start at
 * 0; those that do not get more than 0. False: apart and not approaching, so they never meet, since the distance of
 * convex shapes in straight motion is a convex function of time. */
bool cm__sweep_begin(const cm__sweep_start_state *start, cm__span span, cm_sweep_hit *out);

/* Sets the rest of *out: unit normal and point at out->first, in the world; v in the world. */
void cm__sweep_end(cm__point v, cm__point normal, cm__point point, cm_sweep_hit *out);

/* How fast the distance changes at a gap with this normal when A moves by v: A runs along the normal toward B. */
static inline double sweep_rate(cm__point v, cm__point normal) { return -cm__point_dot(v, normal); }

/* --- closed forms for straight motion --- */

/* Two cores in the world's axes, relative to some home (A's position, say). `move` is A's own motion, and v its motion
 * relative to B. Fills *out whole, its point relative to home. */
typedef struct cm__straight {
    const cm_shape *a, *b;
    cm__wide_pose pose_a, pose_b;
    cm__point v, move;
} cm__straight;

/* Kinds in the order of CM_SHAPE_LIST, and the function cm__straight_name. All but box--box take radii on both. */
#define CM__STRAIGHT_LIST(X)                                                                                           \
    X(POINT, POINT, point_point)                                                                                       \
    X(POINT, SEGMENT, point_segment)                                                                                   \
    X(POINT, TRIANGLE, point_triangle)                                                                                 \
    X(POINT, BOX, point_box)                                                                                           \
    X(SEGMENT, SEGMENT, segment_segment)                                                                               \
    X(BOX, BOX, box_box)

#define CM__STRAIGHT_DECLARE(A, B, name) bool cm__straight_##name(const cm__straight *s, cm_sweep_hit *out);
CM__STRAIGHT_LIST(CM__STRAIGHT_DECLARE)
#undef CM__STRAIGHT_DECLARE

/* A pair of plain structs for the above: at identity rotations, relative to `home`. */
static inline cm__straight straight_of(const cm_shape *a, cm_vec3 home, cm_vec3 move_a, const cm_shape *b,
                                       cm_vec3 move_b) {
    cm__straight s;
    s.a = a, s.b = b;
    s.pose_a.turn = s.pose_b.turn = wide_mat3_from_quat(cm_quat_identity());
    s.pose_a.position = s.pose_b.position = wide_neg(cm__point_of(home));
    s.move = cm__point_of(move_a);
    s.v = cm__point_sub(s.move, cm__point_of(move_b));
    return s;
}
/* The hit of plain structs: back from home to the world. */
static inline bool straight_home(bool hits, cm_sweep_hit *hit, cm__point home, cm_sweep_hit *out) {
    if (!hits) return false;
    hit->point = cm__vec3_of(cm__point_add(cm__point_of(hit->point), home));
    if (out) *out = *hit;
    return true;
}

#endif
