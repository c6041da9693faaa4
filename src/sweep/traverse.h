/* Finds pairs of parts of two moving bodies that may touch, earliest first: see traverse.c. */
#ifndef SWEEP_TRAVERSE_H
#define SWEEP_TRAVERSE_H

#include "carom/sweep.h"
#include "shape/parts.h"

typedef struct cm__traverse {
    const cm_shape *a, *b; /* composites or convex */
    const cm_motion *ma, *mb;
    double from;          /* the traversal covers the times from here to the end of the step or *limit */
    const cm_real *limit; /* `offer` may lower it */
    double apart;         /* > 0: parts certainly farther apart than this are not offered */
    double near;          /* more than `apart`: parts that come nearer than this are offered */
    uint32_t budget;      /* the most units of work (pairs of nodes, times of parts, offers); 0: no limit */
    /* Called with parts that are apart by more than `apart` before the time `from`, and may be near then. `a` is NULL
     * for all of A: where A is convex, or B's part is a composite itself. Returns how much work it took. */
    uint32_t (*offer)(void *user, const cm__part *a, const cm__part *b, double from);
    void *user;
} cm__traverse;

/* Offers all pairs of parts that may touch up to *limit. @return the time until which nothing was left out: HUGE_VAL
 * where the budget sufficed. *work (or NULL) becomes how much of it was used. */
double cm__traverse_run(const cm__traverse *task, uint32_t *work);

#endif
