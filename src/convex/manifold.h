/* The points in which two convex shapes touch. */
#ifndef CONVEX_MANIFOLD_H
#define CONVEX_MANIFOLD_H

#include "convex/convex.h"

typedef struct cm__convex_contact {
    cm__point a, b; /* on the surfaces, radii included: b - a = gap * normal, up to rounding */
    double gap;     /* < 0 minus the depth here */
    uint32_t feature_a, feature_b;
} cm__convex_contact;

typedef struct cm__convex_manifold {
    cm__point normal; /* unit, from A to B */
    int count;        /* at most 8 for callers */
    cm__convex_contact contact[2 * CM__FACET_MAX];
} cm__convex_manifold;

/* The points at most `margin` >= 0 apart, from the gap of the same pair; none where the gap is more. */
void cm__convex_manifold_of(const cm__convex_pair *pair, const cm__convex_gap *gap, double margin,
                            cm__convex_manifold *out);
/* Which `room` > 0 of `count` <= 2 CM__FACET_MAX points to keep: the first of the deepest, then one after the other the
 * first of those farthest from the kept ones. */
void cm__convex_spread(const cm__point *at, const double *gap, int count, int room, bool *kept);
/* Keeps at most `room` > 0 points: the deepest, and those that lie farthest apart. For solvers 4 are enough. */
void cm__convex_manifold_thin(cm__convex_manifold *m, int room);

#endif
