/* Splitting boxes in two, and growing a tree over few of them: the inner half of the build (build.c). */
#ifndef BVH_SPLIT_H
#define BVH_SPLIT_H

#include "bvh/bvh.h"
#include "math/simd.h"

#define CM__BVH_FREE_LEVELS 20 /* levels split where the heuristic says; below, every range is halved by number */

/* A box to place: in tree units, rounded outwards. Lane 3 holds no coordinate; it goes through the arithmetic unread.
 * Of `min` it is 0, of `max` CM__BVH_NUMBER + the box's number, as bits: a denormal number there would slow down every
 * operation. */
typedef struct cm__bvh_item {
    float min[4], max[4];
} cm__bvh_item;

#define CM__BVH_NUMBER UINT32_C(0x40000000)

CM_INLINE uint32_t cm__bvh_number(const cm__bvh_item *item) {
    uint32_t bits;
    memcpy(&bits, &item->max[3], sizeof bits);
    return bits - CM__BVH_NUMBER;
}
CM_INLINE void cm__bvh_set_number(cm__bvh_item *item, uint32_t number) {
    number += CM__BVH_NUMBER;
    memcpy(&item->max[3], &number, sizeof number);
}

typedef struct cm__bvh_range {
    uint32_t first, count;
    float min[4], max[4];         /* of the boxes */
    float mid_min[4], mid_max[4]; /* of their middles (doubled: min + max) */
} cm__bvh_range;

typedef struct cm__bvh_box {
    f32x4 min, max;
} cm__bvh_box;

CM_INLINE cm__bvh_box cm__bvh_box_empty(void) {
    cm__bvh_box box;
    box.min = f32x4_all(FLT_MAX), box.max = f32x4_all(-FLT_MAX);
    return box;
}
CM_INLINE void cm__bvh_box_join(cm__bvh_box *box, f32x4 min, f32x4 max) {
    box->min = f32x4_min(min, box->min);
    box->max = f32x4_max(max, box->max);
}

enum { CM__BVH_BINS = 32 };

/* Boxes by where their middles lie along each axis. */
typedef struct cm__bvh_bins {
    cm__bvh_box box[3][CM__BVH_BINS];
    float count[3][CM__BVH_BINS];
    int bins;                /* of each axis: a multiple of four */
    float low[4], factor[4]; /* bin = (middle - low) * factor; an axis with factor 0 is left out */
} cm__bvh_bins;

void cm__bvh_bins_clear(cm__bvh_bins *bins);
/* The plane with the least cost: axis (or -1: none splits the boxes) and the first bin on the right. */
int cm__bvh_best_plane(const cm__bvh_bins *bins, int *plane);

/* count > 0 */
cm__bvh_range cm__bvh_measure(const cm__bvh_item *items, uint32_t first, uint32_t count);

/* Splits a range of more than one item into two that are not empty; `all` holds the items. */
typedef void (*cm__bvh_splitter)(void *all, const cm__bvh_range *r, cm__bvh_range *left, cm__bvh_range *right);

/* Splits a range of more than `leaf` items into 2 to 4, each not empty: splits the one that is largest, by area, or by
 * number where `by_number`; none of `leaf` items or fewer. Fewer than 4 come out only where all have `leaf` or fewer.
 * Returns how many. */
int cm__bvh_quarter(void *all, cm__bvh_splitter split, const cm__bvh_range *r, uint32_t leaf, bool by_number,
                    cm__bvh_range out[4]);

/* Makes a node of empty slots; sets the box of a slot. */
void cm__bvh_clear_node(cm__bvh_node *node);
void cm__bvh_set_box(cm__bvh_node *node, uint32_t lane, const cm__bvh_range *r);

/* A subtree to grow over items that lie side by side. */
typedef struct cm__bvh_plot {
    cm__bvh_item *items;  /* in; their order is changed */
    uint32_t count, leaf; /* in; count > leaf */
    uint32_t level;       /* in; of the slot above */
    uint32_t first;       /* in; position of the first item in the tree's list */
    uint32_t base;        /* in; number of the first node */
    cm__bvh_node *nodes;  /* out; room for cm__bvh_most_nodes(count, leaf) */
    uint32_t *numbers;    /* out; of the items, in the order of the leaves */
    uint32_t node_count;  /* out */
    cm__bvh_range range;  /* out; of all items */
} cm__bvh_plot;
void cm__bvh_grow(cm__bvh_plot *plot);

/* How many nodes a plot can come to.
 * A node with fewer than four children has leaves only, and more than `leaf` items. Let m(c) be the bound for c items:
 * leaves have m = 0 <= (c - 1) / 2, a node of leaves m = 1 <= (c - 1) / 2 if c >= 3, that is, if leaf >= 2; any other
 * one has m <= 1 + sum of (c_i - 1) / 2 over four = (c - 2) / 2. For leaf = 1 the same without the halves. */
CM_INLINE uint32_t cm__bvh_most_nodes(uint32_t count, uint32_t leaf) {
    return count == 0 ? 0 : leaf > 1 ? (count - 1) / 2 : count - 1;
}

#endif
