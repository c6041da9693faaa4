/* Newton's steps toward the distance of a pair with curved cores. */
#ifndef CONVEX_NEWTON_H
#define CONVEX_NEWTON_H

#include "convex/simplex.h"

/* Is the curvature of both cores known? Else there is no step. */
static inline bool cm__newton_knows(const cm__convex_pair *pair) {
    const cm__core_ops *a = pair->a->ops, *b = pair->b->ops;
    return !pair->sharp && (a->bend || a->corner) && (b->bend || b->corner);
}

/* A point of D that a piece of A and one of B make (shape/core.h), the farthest along some direction. As that turns by
 * t, of one of length 1, the point moves by -H t, where H is the sum of both pieces'. */
typedef struct cm__newton_vertex {
    cm__convex_vertex at;
    cm__bend a, b; /* in A's frame */
} cm__newton_vertex;

/* Vertices are large, and change places by their addresses. */
static inline void newton_swap(cm__newton_vertex **vertex, int i, int j) {
    cm__newton_vertex *const p = vertex[i];
    vertex[i] = vertex[j], vertex[j] = p;
}
/* Which of the vertices has the pieces of *x; -1: none. */
static inline int newton_find(cm__newton_vertex *const *vertex, int count, const cm__newton_vertex *x) {
    for (int i = 0; i < count; i++)
        if (vertex[i]->a.piece == x->a.piece && vertex[i]->b.piece == x->b.piece) return i;
    return -1;
}
/* The end of a step: p[i].w is where *vertex[i] lies in the metric of the step. Finds the closest point of all of them
 * to the origin, and puts the vertices that carry it first, with their weights. False: that point is the origin, or
 * rounding has left no number; all stays as it was then. */
static inline bool newton_keep(const cm__convex_vertex p[4], cm__newton_vertex **vertex, double *weight, int *count,
                               cm__feature *out) {
    feature_closest(p, *count, out);
    if (!(out->square > 0 && out->square < DBL_MAX)) return false;
    for (int i = 0; i < out->count; i++) {
        weight[i] = out->weight[i];
        if (out->index[i] != i) newton_swap(vertex, i, out->index[i]); /* which is a later one */
    }
    *count = out->count;
    return true;
}

/* The point of A (or B) closest to a point, in A's frame. */
static inline cm__point newton_closest(const cm__convex_pair *pair, bool of_a, cm__point to) {
    if (of_a) return pair->a->ops->closest(pair->a, to);
    const cm__frame *frame = &pair->b_in_a;
    return frame_apply(frame,
                       pair->b->ops->closest(pair->b, frame_unrotate(frame, cm__point_sub(to, frame->position))));
}

/* The point of D farthest against n, which may be of any length; out->at.id_a and id_b are places to start from. */
void cm__newton_support(const cm__convex_pair *pair, cm__point n, cm__newton_vertex *out);

/* The same of the pieces of `of`, which may be *out. `known`: the farthest of other pieces against the same n;
 * what of the pieces it has is taken from there. */
void cm__newton_support_of(const cm__convex_pair *pair, cm__point n, const cm__newton_vertex *of,
                           const cm__newton_vertex *known, cm__newton_vertex *out);

/* Searches from direction n on, of any length. *hint: in, a point of D, which may be the answer, or w = 0; and where
 * support points are looked for. Out, where n does not part the two, D's support point against it. True: it has ended
 * as cm__gjk_run would. False: it has not; the steps, the lower bound with its direction, and the verdict are written
 * down. */
bool cm__newton_run(const cm__convex_pair *pair, const cm__gjk_task *task, cm__point n, cm__gjk *io,
                    cm__convex_vertex *hint);

#endif
