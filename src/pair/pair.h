/* cm_overlap, cm_distance and cm_contact as the library's own files ask them: of valid input, in A's frame. */
#ifndef PAIR_PAIR_H
#define PAIR_PAIR_H

#include "carom/pair.h"
#include "pair/flat.h"
#include "pair/method.h"

/* The position of a pose along a fixed oblique direction: 1, 1 / p, 1 / p^2 with the plastic number p, whose ratios are
 * far from simple fractions, so that objects on a grid do not tie. */
static inline cm_real pair_place(const cm_pose *pose) {
    cm_vec3 p = pose->position;
    return p.x + CM_REAL(0.7548776662466927) * p.y + CM_REAL(0.5698402909980532) * p.z;
}
/* Is B solved as the first shape? Both orders of asking give the same first shape: see order.c. For valid shapes and
 * poses. */
bool cm__pair_equal_swapped(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b);
static inline bool pair_swapped(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b) {
    if (a->kind != b->kind) return b->kind < a->kind;
    cm_real place_a = pair_place(pose_a), place_b = pair_place(pose_b);
    if (place_a != place_b) return place_b < place_a;
    return cm__pair_equal_swapped(a, pose_a, b, pose_b);
}

/* Bound on how much the two orders may differ in the relative position, as a factor of the sizes that add up to it.
 * Rotations must be of unit length within PAIR_UNIT_ROUNDING. The two orders agree to 16 ulps (direct.h); four times
 * that is allowed. */
#define PAIR_ORDER_ROUNDING (64 * (double)CM_REAL_EPSILON)
#define PAIR_UNIT_ROUNDING  (8 * CM_REAL_EPSILON)
/* cm__method's `sure` from the square of the cores' distance. `reach`: up to this distance they touch; `size`: bounds
 * both. What equals the band may be either. */
static inline int pair_sure(double square, double reach, double size) {
    double over = square - reach * reach, band = 2 * PAIR_ORDER_ROUNDING * size * size;
    return (over < -band) - (over > band);
}

/* Overlap, distance and contact of valid shapes, in A's frame. Different kinds are solved in the list's order, equal
 * kinds in the caller's: the caller has ordered the composites that they are parts of. Composites call these for their
 * parts; the nesting is at most compound, mesh, triangle on either side. */
bool cm__pair_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a);
cm_real cm__pair_distance(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real max_distance,
                          cm_witness *out);
int cm__pair_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin, cm_manifold *out,
                     int capacity);
/* The same, joined as cm_contact tells them: what is convex has one way out, and each plane of a surface. */
int cm__pair_ways_out(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin, cm_manifold *out,
                      int capacity);
/* Contacts of two parts of composites, added to *to. */
void cm__pair_contacts(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin, cm__contacts *to);

/* cm_contact without cm__method's `contact_direct`. */
int cm__contact_checked(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                        cm_real margin, cm_manifold *out, int capacity);
/* cm_contact_cached and cm_distance_cached of shapes and poses that are known to be valid, without a check. */
int cm__contact_valid(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                      cm_real margin, cm_pair_cache *cache, cm_manifold *out, int capacity);
cm_real cm__distance_valid(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                           cm_real max_distance, cm_pair_cache *cache, cm_witness *out);

/* From the frame at `pose` to the one around it. */
void cm__witness_to_outer(cm_witness *w, const cm_pose *pose);
void cm__witness_swap(cm_witness *w);
void cm__manifold_of_witness(const cm_witness *w, cm_manifold *out);

#endif
