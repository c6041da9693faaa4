/* Inside a compound: one block, its arrays at offsets from its start, so that it may be moved as it is. */
#ifndef SHAPE_COMPOUND_H
#define SHAPE_COMPOUND_H

#include "bvh/bvh.h"
#include "carom/compound.h"

struct cm_compound {
    uint64_t bytes; /* of the whole block, this head included */
    cm_compound_info info;
    double origin[3], scale;                /* the tree's units */
    cm_real reach;                          /* largest |coordinate| of the bounds */
    uint32_t node_count, in_tree;           /* nodes of the tree; children in it */
    uint32_t curved;                        /* is a child curved? */
    uint64_t nodes, items, children, boxes; /* offsets; of the tree's items, their child numbers and their boxes */
};

static inline const void *compound_at(const cm_compound *c, uint64_t offset) { return (const char *)c + offset; }
static inline const cm_compound_child *compound_children(const cm_compound *c) {
    return (const cm_compound_child *)compound_at(c, c->children);
}
static inline const uint32_t *compound_items(const cm_compound *c) {
    return (const uint32_t *)compound_at(c, c->items);
}
static inline cm__bvh compound_tree(const cm_compound *c) {
    cm__bvh tree = {0}; /* it owns no nodes */
    for (int k = 0; k < 3; k++) tree.origin[k] = c->origin[k];
    tree.scale = c->scale;
    tree.nodes = (const cm__bvh_node *)compound_at(c, c->nodes);
    tree.items = compound_items(c);
    tree.node_count = c->node_count;
    tree.item_count = c->in_tree;
    return tree;
}

#endif
