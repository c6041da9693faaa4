/* Joining manifolds of one plane: neighboring triangles of a flat face touch as one. */
#ifndef PAIR_JOIN_H
#define PAIR_JOIN_H

#include "carom/pair.h"

/* Have two manifolds one normal, within rounding? */
bool cm__manifolds_have_one_normal(const cm_manifold *a, const cm_manifold *b);
/* Adds the points of another manifold of the same normal, and leaves out each that lies between others. The greatest
 * depth stays. False, and nothing changes, where the points of both do not lie in one plane on either shape, or more
 * than 8 are needed. */
bool cm__manifold_join(cm_manifold *io, const cm_manifold *other);

#endif
