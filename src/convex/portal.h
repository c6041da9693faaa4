/* When two drifting polytopes touch. */
#ifndef CONVEX_PORTAL_H
#define CONVEX_PORTAL_H

#include "convex/convex.h"

typedef enum cm__portal_end {
    CM__PORTAL_MISS,   /* apart for all u in [0, 1], beyond doubt */
    CM__PORTAL_HIT,    /* apart by more than 4 near at u = 0; then *out holds */
    CM__PORTAL_UNKNOWN /* nothing is known */
} cm__portal_end;

typedef struct cm__portal {
    double first, last; /* apart by more than `near`, but for rounding in double, before and after; first in (0, 1] */
    cm__point normal;   /* at first: unit, from A to B, in A's frame */
    cm__point a;        /* on A's core, where B's comes to within 2 near of it */
    double reach;       /* at first: D holds a triangle across the normal that reaches that far around the origin, at a
                           height of 2 near at most */
} cm__portal;

/* Two sharp cores, their radii left out; B drifts by u * drift from where the pair has it. */
cm__portal_end cm__portal_run(const cm__convex_pair *pair, cm__point drift, double near, cm__portal *out);

#endif
