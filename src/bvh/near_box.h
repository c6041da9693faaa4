/* A tree asked with a box: what is near it, and what it meets on its way. Conventions and guarantees as in bvh.h. */
#ifndef BVH_NEAR_BOX_H
#define BVH_NEAR_BOX_H

#include "bvh/bvh.h"

typedef struct cm__bvh_box_near_query {
    const cm__bvh_node *nodes;
    double scale;
    float low[3], high[3];
    int top;
    uint64_t stack[CM__BVH_STACK]; /* high half: the bits of the gap squared, tree units; of a cast: of the time of
                                      entry; low half: ~slot */
    float inverse[3];              /* of a cast: 1 / move */
} cm__bvh_box_near_query;

/* Leaves whose box is no farther from `box` than `bound`, roughly the nearest first: 0 offers what touches. Shrink
 * `bound` as items are found; CM_REAL_MAX is no bound. Sides may be infinite (±CM_REAL_MAX); to an empty box nothing is
 * near. */
void cm__bvh_box_near_start(cm__bvh_box_near_query *q, const cm__bvh *tree, const cm_aabb *box);
bool cm__bvh_box_near_next(cm__bvh_box_near_query *q, cm_real bound, cm__bvh_leaf *out);

/* Leaves whose box is touched by box + t move for some t in [0, limit], limit <= 1, roughly the first to be met first.
 * Shrink `limit` as hits are found. */
void cm__bvh_cast_start(cm__bvh_box_near_query *q, const cm__bvh *tree, const cm_aabb *box, cm_vec3 move);
bool cm__bvh_cast_next(cm__bvh_box_near_query *q, cm_real limit, cm__bvh_leaf *out);

#endif
