/* The public questions on two shapes of any kinds, as the library asks itself: checked already, in A's frame. */
#ifndef PAIR_PAIR_H
#define PAIR_PAIR_H

#include "carom/pair.h"
#include "pair/flat.h"
#include "pair/method.h"

/* How far out a pose lies along a fixed oblique direction. */
static inline cm_real pair_place(const cm_pose *pose) {
    cm_vec3 p = pose->position;
    return p.x + CM_REAL(0.7548776662466927) * p.y + CM_REAL(0.5698402909980532) * p.z;
}
/* Is B solved as the first? The same for both orders of asking: see order.c. For valid shapes and poses. */
bool cm__pair_equal_swapped(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b);
static inline bool pair_swapped(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b) {
    if (a->kind != b->kind) return b->kind < a->kind;
    cm_real place_a = pair_place(pose_a), place_b = pair_place(pose_b);
    if (place_a != place_b) return place_b < place_a;
    return cm__pair_equal_swapped(a, pose_a, b, pose_b);
}

/* What the two orders of asking may see differently of two places, of rotations that are of length 1 but for rounding:
 * this many times the sizes that add up to them. */
#define PAIR_ORDER_ROUNDING (64 * (double)CM_REAL_EPSILON)
#define PAIR_UNIT_ROUNDING  (8 * CM_REAL_EPSILON)
/* A `sure` from the square of the cores' distance; `size` bounds it and `reach`. What equals the band may be either. */
static inline int pair_sure(double square, double reach, double size) {
    double over = square - reach * reach, band = 2 * PAIR_ORDER_ROUNDING * size * size;
    return (over < -band) - (over > band);
}

/* The public questions on valid shapes, in A's frame. Different kinds are solved in the list's order; equal ones in the
 * caller's, who has ordered the whole of which they are parts. Depth of the calls among them: composites hold
 * compounds in no compound, so no more than compound, mesh and triangle on either side. */
bool cm__pair_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a);
cm_real cm__pair_distance(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real max_distance,
                          cm_witness *out);
int cm__pair_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin, cm_manifold *out,
                     int capacity);
/* The same of two parts of composites on the way. */
void cm__pair_contacts(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin, cm__contacts *to);

/* cm_contact without a short way. */
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
