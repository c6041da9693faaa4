/* Newton's steps toward the distance of a pair with curved cores. */
#ifndef CONVEX_NEWTON_H
#define CONVEX_NEWTON_H

#include "convex/convex.h"

/* Is the curvature of both cores known? Else there is no step. */
static inline bool cm__newton_knows(const cm__convex_pair *pair) {
    const cm__core_ops *a = pair->a->ops, *b = pair->b->ops;
    return !pair->sharp && (a->bend || a->corner) && (b->bend || b->corner);
}

/* Searches from direction n on, of any length, that parts the two; `hint`: where support points are looked for. True:
 * it has ended as cm__gjk_run would. False: it has not; the steps, the lower bound with its direction, and the verdict
 * are written down. */
bool cm__newton_run(const cm__convex_pair *pair, const cm__gjk_task *task, cm__point n, cm__gjk *io,
                    const cm__convex_vertex *hint);

#endif
