/* Pairs beyond the range of the searches, scaled into it. */
#ifndef CONVEX_RESCALED_H
#define CONVEX_RESCALED_H

#include "convex/convex.h"

typedef struct cm__rescaled_core {
    const cm__core *inner;
    double scale;
} cm__rescaled_core;

/* Points into itself: not to be copied. */
typedef struct cm__rescaled {
    cm__rescaled_core core_a, core_b;
    cm__core a, b;
    cm__convex_pair pair; /* to be asked instead */
    double scale, back;   /* powers of two */
} cm__rescaled;

/* Are the coordinates beyond what the searches can take? */
static inline bool pair_is_out_of_range(const cm__convex_pair *pair) {
    return (pair->scale >= 1e40 && pair->scale <= DBL_MAX) || (pair->scale <= 1e-40 && pair->scale > 0);
}
void cm__rescale(const cm__convex_pair *pair, cm__rescaled *out);
/* The answer in the pair's own size. */
void cm__rescaled_back(const cm__rescaled *v, cm__convex_gap *io);

#endif
