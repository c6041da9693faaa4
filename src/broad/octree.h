/* What octree.c (loose trees, and the cells of both) and clipped.c (objects in several cells) share. */
#ifndef BROAD_OCTREE_H
#define BROAD_OCTREE_H

#include "broad/tree.h"

typedef struct cm__octree_cell {
    cm_real center[3]; /* along the axes it halves */
    cm_real half;
    uint32_t own, total; /* objects on it, objects on and below it; clipped: entries */
    uint32_t level;      /* below the root that there was first */
} cm__octree_cell;

typedef struct cm__octree {
    cm__tree tree;
    cm__octree_cell *cells; /* by node */
    size_t cells_capacity;
    int axes[3], dims;
    uint32_t growths;
    bool started;
    uint32_t split, levels;
    cm_real room; /* the largest object on a cell, in edges of the cell: loose - 1 */

    /* Clipped: the tree's lists are of entries, one for each cell that an object stands on. */
    bool clipped, anew;    /* anew: there is no root, or an object is beyond its reach */
    cm_aabb *spaces;       /* by node: the part of space that is the cell's, min <= x < max; the root has all of it */
    uint32_t *slots;       /* by entry: the object; CM__ENTRY_AWAY: its lower corner is in another cell */
    uint32_t *more;        /* by entry: the next of the same object, or of those not in use */
    uint32_t *first;       /* by slot: an object's first entry, or CM_NONE */
    uint32_t entry_count;  /* ever used */
    uint32_t free_entries; /* the first that is not in use */
    size_t spaces_capacity, slots_capacity, more_capacity, first_capacity;
} cm__octree;

typedef struct cm__octree_place {
    cm_real center[3], size; /* along the axes; the largest edge */
} cm__octree_place;

cm__octree_place cm__octree_place_of(const cm__octree *o, const cm_aabb *box);
/* Room for objects (or entries) up to `slot` and for `blocks` blocks of cells. */
cm_status cm__octree_reserve(cm__octree *o, uint32_t slot, uint32_t blocks);
/* Gives a cell its children, empty; room having been made. */
void cm__octree_divide(cm__octree *o, uint32_t node);
/* An empty tree with a root around everything that stands in b. */
cm_status cm__octree_around(cm_broad *b);

/* The operations of clipped trees: see cm__broad_ops. */
void cm__clipped_clear(cm__octree *o);
void cm__clipped_free(cm__octree *o);
cm_status cm__clipped_add(cm_broad *b, uint32_t slot);
void cm__clipped_remove(cm_broad *b, uint32_t slot);
cm_status cm__clipped_move(cm_broad *b, uint32_t slot);
cm_status cm__clipped_update(cm_broad *b);
cm_status cm__clipped_pairs(cm_broad *b, cm__pair_sink *sink);
size_t cm__clipped_bytes(const cm__octree *o);

#endif
