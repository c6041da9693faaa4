/* Points, segments and triangles without radius: the exact decision, and a gap made to agree with it. */
#ifndef PAIR_FLAT_H
#define PAIR_FLAT_H

#include "pair/gap.h"
#include "shape/shape.h"

static inline bool shape_is_flat(const cm_shape *shape) {
    return cm__shape_table[shape->kind]->corners > 0 && !(shape->radius > 0);
}
static inline bool pair_is_flat(const cm_shape *a, const cm_shape *b) { return shape_is_flat(a) && shape_is_flat(b); }

/* A triangle without radius, as the parts of surfaces are. */
static inline bool shape_is_face(const cm_shape *shape) { return shape_is_triangle(shape) && !(shape->radius > 0); }

/* The corners of a point, segment or triangle; returns their number. */
int cm__flat_corners(const cm_shape *shape, const cm_vec3 **out);
/* Do the hulls of 1 to 3 points each share a point? Exact, for the very coordinates given. */
bool cm__flats_overlap(const cm_vec3 *a, int count_a, const cm_vec3 *b, int count_b);
/* Their distance as measured, made to agree with that. */
double cm__flats_settle(double distance, const cm_vec3 *a, int count_a, const cm_vec3 *b, int count_b);

bool cm__flat_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a);
void cm__flat_agree(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__gap *gap);

#endif
