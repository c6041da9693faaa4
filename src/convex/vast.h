/* Pairs beyond the range of the searches, scaled into it. */
#ifndef CONVEX_VAST_H
#define CONVEX_VAST_H

#include "convex/convex.h"

typedef struct cm__vast_core {
    const cm__core *inner;
    double scale;
} cm__vast_core;

/* Points into itself: not to be copied. */
typedef struct cm__vast {
    cm__vast_core core_a, core_b;
    cm__core a, b;
    cm__convex_pair pair; /* to be asked instead */
    double scale, back;   /* powers of two */
} cm__vast;

/* Are the coordinates beyond what the searches can take? */
static inline bool pair_is_vast(const cm__convex_pair *pair) {
    return (pair->scale >= 1e40 && pair->scale <= DBL_MAX) || (pair->scale <= 1e-40 && pair->scale > 0);
}
void cm__vast_of(const cm__convex_pair *pair, cm__vast *out);
/* The answer in the pair's own size. */
void cm__vast_home(const cm__vast *v, cm__convex_gap *io);

#endif
