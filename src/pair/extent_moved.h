/* Upper bounds for mesh_extent.c, of up to eight triangles at once: what leaves a solid by a short way was not deep. */
#ifndef PAIR_EXTENT_MOVED_H
#define PAIR_EXTENT_MOVED_H

#include "pair/mesh_meeting.h"

typedef struct cm__extent_moves {
    const cm__affine *x_to_y;
    cm__mesh_meeting *meeting; /* the groups are held against Y as they are, too, if it asks */
    cm__mesh_shelf *of_x, *of_y;
    uint32_t below; /* a triangle of Y near the leaf that was asked for last */
} cm__extent_moves;

void cm__extent_moves_open(const cm__affine *x_to_y, cm__mesh_meeting *meeting, cm__extent_moves *out);

enum { CM__MOVED_LEAVES = 4 };

/* Of which triangles of some leaves of X, next to each other, is no point that lies in the solid Y farther from Y's
 * surface than `far`? `outside`: no point that does not lie in it. settled[l], bit i: the one at leaf[l].first + i. Any
 * may be left out. `first`: these leaves were not asked for before. */
void cm__extent_moved(cm__extent_moves *m, const cm__bvh_leaf leaf[CM__MOVED_LEAVES], int leaves, double far,
                      bool outside, bool first, uint32_t settled[CM__MOVED_LEAVES]);

#endif
