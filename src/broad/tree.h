/* What OCTREE, QUADTREE and BVH share: a tree of tight boxes with objects on its nodes, every object on one node
 * (in clipped octrees: with one entry on each of several nodes).
 *
 * A node's box holds everything below it, so answers are right by whatever rule a kind places objects; only the speed
 * depends on it. Children of a node are adjacent. The kinds bound the depth (CM__TREE_DEPTH), so stacks are fixed. (The
 * tree of src/bvh is built once over the parts of a shape, four children to a node. Nothing is inserted or removed
 * there, which is what this tree is for: they share no code.) */
#ifndef BROAD_TREE_H
#define BROAD_TREE_H

#include "broad/broad.h"

enum { CM__TREE_DEPTH = 64 };

/* Flag of an entry's slot: the object has other entries, and counts for queries and boxes with one of those. */
#define CM__ENTRY_AWAY 0x80000000u

typedef struct cm__tree_node {
    cm_aabb box;     /* of everything below, as of the last cm__tree_refit; empty where nothing is */
    uint32_t parent; /* CM_NONE: root, or a node not in use */
    uint32_t child;  /* first of `branching`; CM_NONE: none */
    uint32_t head;   /* first object on it; CM_NONE: none */
    uint32_t dirty;  /* the box is to be made anew */
    uint32_t height; /* BVH: levels below, itself counted; a bound until the refit */
} cm__tree_node;

typedef struct cm__tree {
    const cm_allocator *mem;
    uint32_t branching;
    cm__tree_node *nodes;
    uint32_t node_count; /* ever used */
    size_t node_capacity;
    uint32_t root;       /* CM_NONE: empty */
    uint32_t free_child; /* first free block of children, linked through parent of its first */
    uint32_t used;       /* nodes in use */
    uint32_t depth;      /* as of the last refit */
    /* By entry: what stands on a node. Where `slots` is NULL an entry is an object's slot; else slots[entry] is, and an
     * object may stand on several nodes. */
    const uint32_t *slots;
    uint32_t *node_of, *next, *prev;
    size_t node_of_capacity, next_capacity, prev_capacity;
} cm__tree;

void cm__tree_clear(cm__tree *t);
void cm__tree_free(cm__tree *t);
/* Room for entry `entry` and for `blocks` blocks of children (and a root). */
cm_status cm__tree_reserve(cm__tree *t, uint32_t entry, uint32_t blocks);
/* A block of children of `parent`, room having been made: empty, in no tree below. */
uint32_t cm__tree_take(cm__tree *t, uint32_t parent);
void cm__tree_give_back(cm__tree *t, uint32_t child);
void cm__tree_link(cm__tree *t, uint32_t node, uint32_t entry);
void cm__tree_unlink(cm__tree *t, uint32_t entry);
/* Marks the way from a node to the root. */
void cm__tree_mark(cm__tree *t, uint32_t node);
/* Makes the boxes of marked nodes anew. */
void cm__tree_refit(cm__tree *t, const cm_aabb *boxes);
/* Not for clipped octrees. */
cm_status cm__tree_pairs(const cm__tree *t, const cm_broad *b, cm__pair_sink *sink);
void cm__tree_visit(const cm__tree *t, cm__visitor *v);
void cm__tree_walk(const cm__tree *t, const cm_broad *b, cm_broad_walk_fn fn, void *context);
void cm__tree_stats(const cm__tree *t, cm_broad_stats *out);

#endif
