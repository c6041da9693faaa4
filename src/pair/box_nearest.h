/* Closest points of two boxes that are apart. */
#ifndef PAIR_BOX_NEAREST_H
#define PAIR_BOX_NEAREST_H

#include "pair/box_axes.h"
#include "pair/gap.h"

/* The gap of boxes that are disjoint, in A's frame. False, with *out untouched, where no direction proves the pair that
 * was found, or where they are within rounding of touching: then all pairs of features have to be tried
 * (polytope.c). */
bool cm__boxes_nearest(const box_pair *p, cm__gap *out);
/* The point of A that is nearest to B, where a corner of either tells it. */
void cm__boxes_nearest_corner(const box_pair *p, cm__point *on_a);

#endif
