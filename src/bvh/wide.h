/* The tree of bvh.h once more, for rays: eight children a node, their boxes in bytes.
 *
 * A ray through a large tree waits for memory more than for anything else, so a node is small: each side of a child's
 * box is a byte, counted in steps of a power of two from the node's low corner, rounded outwards. Leaves hold up to
 * CM__WIDE_LEAF items and refer to the same positions as the tree that this one was made of. Coordinates are that
 * tree's.
 *
 * Based on: [Ylitie17] quantised wide nodes. */
#ifndef BVH_WIDE_H
#define BVH_WIDE_H

#include "bvh/bvh.h"

enum {
    CM__WIDE = 8,
    CM__WIDE_INNER = 64,
    CM__WIDE_LEAF = 4 /* items of a leaf at most: two bits of a child */
};

/* Children [0, inner) are nodes, the others leaves: first position | (number of items - 1) << 30. Where there are fewer
 * than eight, the last have empty boxes, and should a ray that is very uncertain meet those, an item that it may have
 * seen before. A level here is one level there or more. */
typedef struct cm__wide_node {
    float low[3];
    uint8_t
        exponent[4]; /* a step is the float with this exponent, biased as floats are; [3]: CM__WIDE_INNER + inner, so
                        that, read as a fourth float after `low`, it is an ordinary one, on which no CPU stumbles */
    uint8_t side[3][2][CM__WIDE];
    uint32_t child[CM__WIDE];
} cm__wide_node;

typedef struct cm__wide_tree {
    cm__wide_node *nodes; /* node 0 is the root */
    uint32_t count;
    size_t room; /* for cm__wide_free */
} cm__wide_tree;

/* @return false: no memory. An empty tree gets one node without children. Cost: O(nodes). */
bool cm__wide_build(const cm__bvh *tree, const cm_allocator *mem, cm__wide_tree *out);
void cm__wide_free(cm__wide_tree *tree, const cm_allocator *mem);

#endif
