/* Solids that stand face to face: one contact, as of their convex hulls, at a fraction of the cost of all triangles. */
#ifndef PAIR_FACES_H
#define PAIR_FACES_H

#include "pair/pair.h"

/* The contact of a convex shape or solid mesh A and a solid mesh B where both touch, or nearly do, by one flat convex
 * face only, and the way out across it is the least. False: it is not so, or not certain, or it is too much to find
 * out. Where the faces are as near as rounding, whether the two overlap is decided as always. */
bool cm__faces_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin, cm_manifold *out);

#endif
