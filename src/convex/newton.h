/* Newton's steps toward the distance of a pair with curved cores. */
#ifndef CONVEX_NEWTON_H
#define CONVEX_NEWTON_H

#include "convex/convex.h"

/* Is the curvature of both cores known? Else there is no step. */
static inline bool cm__newton_knows(const cm__convex_pair *pair) {
    const cm__core_ops *a = pair->a->ops, *b = pair->b->ops;
    return !pair->sharp && (a->bend || a->corner) && (b->bend || b->corner);
}

/* Searches from direction n on, of any length, along which the two are apart beyond doubt: |n| about by how much. True:
 * it has ended as cm__gjk_run would. False: it has not; the steps, the lower bound with its direction, and the verdict
 * are written down. */
bool cm__newton_run(const cm__convex_pair *pair, const cm__gjk_task *task, cm__point n, cm__gjk *io,
                    cm__convex_vertex *first);

#endif
