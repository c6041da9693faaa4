/* Pairs of parts of two bodies in motion that may meet, earliest first: see traverse.c. */
#ifndef SWEEP_TRAVERSE_H
#define SWEEP_TRAVERSE_H

#include "carom/sweep.h"
#include "shape/parts.h"

typedef struct cm__traverse {
    const cm_shape *a, *b; /* composites or convex */
    const cm_motion *ma, *mb;
    double from;          /* the time at which it begins; to the end of the step or *limit, */
    const cm_real *limit; /* which `offer` may bring down */
    double apart;         /* > 0: what is certainly farther apart than that is free */
    double near;          /* parts that come nearer than that, which is more than `apart`, are offered */
    uint32_t budget;      /* the most nodes, times of parts and offers that are looked at; 0: as many as it takes */
    /* Parts that are apart by more than `apart` before a time, and perhaps near then. `a` is NULL where all of A is
     * meant: where it is convex, or B's part is a composite itself. */
    void (*offer)(void *user, const cm__part *a, const cm__part *b, double from);
    void *user;
} cm__traverse;

/* Offers all pairs of parts that may meet up to *limit. @return the time until which nothing was left out: HUGE_VAL
 * where the budget sufficed. *work (or NULL) becomes how much of it was used. */
double cm__traverse_run(const cm__traverse *task, uint32_t *work);

#endif
