/* The tree of bvh.h once more, for rays: eight children a node, their boxes in bytes.
 *
 * A ray through a large tree waits for memory more than for anything else, so a node is small: each side of a child's
 * box is a byte, counted in steps from the node's low corner, rounded outwards. Leaves hold up to CM__WIDE_LEAF items
 * and refer to the same positions as the tree that this one was made of. Coordinates are that tree's.
 *
 * Based on: [Ylitie17] quantised wide nodes; but their children in no order, as a ray sorts them. */
#ifndef BVH_WIDE_H
#define BVH_WIDE_H

#include "bvh/bvh.h"

enum {
    CM__WIDE = 8,
    CM__WIDE_LEAF = 8 /* items of a leaf at most, one a lane */
};

/* Two cache lines. A level here is one level of the other tree or more. Empty lanes have the box from 255 to 0. */
typedef struct cm__wide_node {
    float low[3], step[3];
    uint8_t side[3][2][CM__WIDE];
    uint32_t child[CM__WIDE]; /* a node, or the first position of a leaf */
    uint8_t count[CM__WIDE];  /* of a leaf's items; else 0 */
    uint8_t inner, leaves;    /* bit i: lane i is a node, or a leaf */
    uint8_t unused[14];
} cm__wide_node;

/* The most nodes that there can be over so many items. */
#define CM__WIDE_NODE_ROOM(items) (1 + (items) / 4)

/* `tree` has leaves of at most CM__WIDE_LEAF / 2 items. `nodes` has room for CM__WIDE_NODE_ROOM, and node 0 becomes the
 * root; *count receives how many there are. An empty tree gets one node without children. The nodes do not depend on
 * `tasks`.
 * @return false: no memory. Cost: O(nodes). */
bool cm__wide_build(const cm__bvh *tree, const cm_allocator *mem, const cm_tasks *tasks, cm__wide_node *nodes,
                    uint32_t *count);

/* Fits nodes to a tree of the same items, refitted (bvh.h): what is below which node stays.
 * @param scratch  6 numbers an item of the tree and 6 a node. Cost: O(n). */
void cm__wide_refit(const cm__bvh *tree, double *scratch, cm__wide_node *nodes, uint32_t count);

#endif
