/* The answer of a pair of convex shapes, before it is rounded and turned into the world: everything in A's frame. */
#ifndef PAIR_GAP_H
#define PAIR_GAP_H

#include "carom/primitives.h"
#include "convex/convex.h"
#include "math/quat.h"
#include "math/two.h"
#include "shape/polytope.h"

typedef struct cm__gap {
    cm__point a, b;   /* on the surfaces: b - a = distance * normal, up to rounding */
    cm__point normal; /* unit, from A to B */
    double distance;  /* > 0 apart, <= 0 minus the depth; its sign is the decision of the pair's overlap test */
} cm__gap;

/* Between these bounds a squared length can be used as it is: its rounding stays above DBL_MIN, and sums of a few do
 * not overflow. The bounds for squared areas (products of four lengths) also leave room for a product with a squared
 * length. A value that equals a bound may be treated either way. */
#define GAP_SQUARE_LEAST 1e-250
#define GAP_SQUARE_MOST  1e250
#define GAP_AREA_LEAST   1e-200
#define GAP_AREA_MOST    1e200

/* The answer of the general way for convex shapes. */
static inline void gap_of_convex(const cm__convex_gap *from, cm__gap *out) {
    out->a = from->a, out->b = from->b;
    out->normal = from->normal;
    out->distance = from->distance;
}

/* |gap| <= reach: the one place that decides overlap for all pairs whose cores' closest points are known. A square root
 * is taken only where the square would underflow. False for NaN. */
static inline bool gap_within(cm__point gap, double reach) {
    double square = cm__point_dot(gap, gap);
    if (square > GAP_SQUARE_LEAST) return square <= reach * reach;
    return cm__point_length(gap) <= reach;
}

/* From the closest points a, b of two cores and their radii. `fallback` is the unit normal to use where gap = b - a is
 * no longer than `noise`: then the cores touch, the gap's direction is rounding, and the depth is that of the radii. */
void cm__gap_round(cm__point a, cm__point b, cm__point gap, double radius_a, double radius_b, cm__point fallback,
                   double noise, cm__gap *out);
static inline int gap_is_plain(double square) {
#if defined(CAROM_F64)
    return square > GAP_SQUARE_LEAST && square < GAP_SQUARE_MOST;
#else
    /* coordinates are floats: no finite square reaches GAP_SQUARE_MOST */
    return square > GAP_SQUARE_LEAST;
#endif
}

/* A unit vector perpendicular to the triangle with these corners, or to its longest edge where it has no area. */
cm__point cm__triangle_way_out(const cm__point corner[3]);
/* Bound on the rounding error of a gap between coordinates up to `scale`: a gap this short may have any direction. */
static inline double gap_noise(double scale) { return 32 * DBL_EPSILON * scale; }

/* Turns a gap of cores into one of the rounded shapes. */
void cm__gap_add_radii(cm__gap *gap, double radius_a, double radius_b);

/* Do two polytopes overlap? By separating axes; `radius` is the sum of both radii. Not for two segments, which have too
 * few axes. */
bool cm__polytopes_overlap(const cm__polytope *a, const cm__polytope *b, double radius);
/* The gap of two shapes whose cores are certainly apart, by GJK, which is faster than trying all pairs of features and
 * as exact. False where the shapes, with their radii, are within `clear` of touching: axes and features decide that. */
bool cm__polytopes_gap_apart(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, double clear, cm__gap *out);
#define POLYTOPES_CLEAR (4096 * DBL_EPSILON) /* of the coordinates: a gap a hundred times as large as gap_noise */
/* The gap of the cores, where the widest axis is known already: `separation` along the unit `normal`. */
void cm__polytopes_gap_along(const cm__polytope *a, const cm__polytope *b, double separation, cm__point normal,
                             cm__gap *out);

/* The contact patch of two cores along a normal: up to 8 pairs of points, without the radii. */
typedef struct cm__patch {
    int count;
    cm__point a[8], b[8];
    double gap[8]; /* (b - a) . normal */
    uint32_t feature_a[8], feature_b[8];
} cm__patch;

/* The patch around `core`, the gap of the cores without their radii: points at most `margin` apart. Never empty:
 * without a face across the normal or parallel edges it is the pair core->a, core->b. */
void cm__patch_of(const cm__polytope *a, const cm__polytope *b, const cm__gap *core, double margin, cm__patch *out);
/* Two steps of cm__patch_of. Two nearly parallel edges give up to two points, other edges none. cm__patch_add adds the
 * core's own point where the patch has none as deep. */
void cm__patch_of_edges(const cm__point a[2], const cm__point b[2], cm__point normal, double margin, cm__patch *out);
void cm__patch_add(cm__patch *out, const cm__gap *core);
/* Radii added, in cm_real. */
void cm__manifold_of_patch(const cm__patch *patch, cm__point normal, double radius_a, double radius_b, double margin,
                           cm_manifold *out);

/* The widest gap along any separating axis (negative: the least overlap), and the axis, from A to B. A gap of more than
 * `enough` >= 0 ends the search. */
double cm__polytopes_axis(const cm__polytope *a, const cm__polytope *b, double enough, cm__point *normal);

/* A distance as a cm_real that keeps its side of 0: rounded down where it is more. Without a branch on its sign, which
 * could not be predicted. */
static inline cm_real gap_distance(double distance) {
#if defined(CAROM_F64)
    return distance;
#else
    cm_real d = (cm_real)distance;
    if (fabs(distance) < 0x1p-149) return distance > 0 ? CM_REAL_MIN : d; /* below the least float */
    uint32_t bits;                                                        /* the next float toward 0 has these less 1 */
    memcpy(&bits, &d, sizeof bits);
    bits -= (uint32_t)((distance > 0) & ((double)d > distance));
    memcpy(&d, &bits, sizeof d);
    return d;
#endif
}

/* One contact point, from a gap; and its witness. */
void cm__witness_of_gap(const cm__gap *gap, cm_witness *out);
void cm__manifold_of_gap(const cm__gap *gap, cm_manifold *out);
static inline void manifold_of_one(cm_manifold *out) {
    out->part_a = out->part_b = CM_NONE;
    out->count = 1;
    out->points[0].feature_a = out->points[0].feature_b = CM_NONE;
}
/* cm_obb_is_valid in one pass; may be false for a half size of -0. */
static inline int obb_is_plain(const cm_obb *b) {
    const cm_real unit = quat_square(b->rotation);
    return reals_are_valid(&b->center.x, 1) & reals_are_valid(&b->center.z, 3) & (unit >= CM_REAL(0.998)) &
           (unit <= CM_REAL(1.002));
}
/* The place for an answer that may turn out to be no: then it goes to *none, and the caller's stays untouched. This
 * replaces a branch that could not be predicted where pairs touch as often as not. */
static inline cm_manifold *gap_place(bool yes, cm_manifold *out, cm_manifold *none) { return yes ? out : none; }
/* The contact of two convex shapes along the normal of their cores' gap, by the general method (convex/manifold.c);
 * points at most `margin` apart, radii included. */
void cm__convex_contact_along(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, const cm__gap *core,
                              cm_real margin, cm_manifold *out);
/* From A's frame to the world. */
void cm__manifold_to_world(cm_manifold *manifold, const cm_pose *pose_a);
void cm__manifold_swap(cm_manifold *manifold);

#endif
