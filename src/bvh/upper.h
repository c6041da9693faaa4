/* The upper levels of a large tree, split by clusters of boxes (upper.c). */
#ifndef BVH_UPPER_H
#define BVH_UPPER_H

#include "bvh/split.h"
#include "math/two.h"

enum { CM__BVH_OPEN = 4096 }; /* ranges of no more items are split box by box */

/* Everything of the items whose middles lie in one cell of the grid. */
typedef struct cm__bvh_cluster {
    float min[4], max[4];
    float at[4]; /* the middle of the cell, in steps of the grid */
    uint32_t first, count, unused[2];
} cm__bvh_cluster;

/* A range to be split box by box. */
typedef struct cm__bvh_job {
    cm__bvh_item *items;              /* NULL: to be copied from clusters */
    cm__bvh_item *spill;              /* to be freed, or NULL */
    uint32_t clusters, cluster_count; /* places in the list of clusters */
    uint32_t count, first, slot, level;
    uint32_t base, node_count; /* where its nodes are */
} cm__bvh_job;

typedef struct cm__bvh_builder {
    const cm_allocator *mem;
    cm__bvh_item *items; /* in the order of the curve */
    cm__bvh_node *nodes;
    uint32_t *numbers;
    uint32_t count, leaf, node_count;
    uint32_t free_levels; /* clusters are split on so many */
    double crowd;         /* so far from the origin most boxes are, in tree units */
    cm__bvh_cluster *clusters;
    uint32_t cluster_count;
    size_t cluster_room;
    cm__bvh_job *jobs;
    size_t job_count, job_room;
    cm__bvh_item *opened; /* CM__BVH_OPEN for each worker */
} cm__bvh_builder;

/* Sets origin and scale of a tree over boxes (build.c). Returns how far from the origin most of them are. */
double cm__bvh_units(const cm_aabb *bounds, const cm_aabb *boxes, uint32_t count, cm__bvh *out);

CM_INLINE void cm__bvh_item_of(const cm_aabb *box, const cm__bvh *tree, uint32_t number, cm__bvh_item *item);

/* Fills the upper nodes; what is left are jobs, in the order of the leaves. `keys` is scratch. False: no memory; what
 * the builder then owns is still freed by cm__bvh_upper_free. */
bool cm__bvh_upper(cm__bvh_builder *b, const cm_aabb *boxes, const cm__bvh *tree, uint64_t *keys,
                   const cm_tasks *tasks);
void cm__bvh_upper_free(cm__bvh_builder *b);

/* Copies the items of clusters side by side. */
void cm__bvh_copy_out(const cm__bvh_builder *b, uint32_t clusters, uint32_t cluster_count, cm__bvh_item *out);

/* One rounding of the subtraction and one to float, relative to the result; the scale is exact. Of what comes out, lane
 * 3 means nothing. */
CM_INLINE void cm__bvh_to_units(const cm_aabb *box, const cm__bvh *tree, f32x4 *min, f32x4 *max) {
    const f64x2 scale = f64x2_all(tree->scale);
    const f64x2 xy = f64x2_load(tree->origin), yz = f64x2_load(tree->origin + 1), zx = f64x2_mix(yz, xy, 1, 2);
    /* six numbers, two by two */
    const f64x2 low = f64x2_mul(f64x2_sub(two_of_reals(&box->min.x), xy), scale);
    const f64x2 mixed = f64x2_mul(f64x2_sub(two_of_reals(&box->min.z), zx), scale);
    const f64x2 high = f64x2_mul(f64x2_sub(two_of_reals(&box->max.y), yz), scale);
    *min = f32x4_of_f64(low, mixed);
    *max = f32x4_of_f64(f64x2_mix(mixed, high, 1, 2), f64x2_swap(high));
}

CM_INLINE void cm__bvh_item_of(const cm_aabb *box, const cm__bvh *tree, uint32_t number, cm__bvh_item *item) {
    const f32x4 step = f32x4_all(2 * FLT_EPSILON), least = f32x4_all(FLT_MIN);
    f32x4 min, max;
    cm__bvh_to_units(box, tree, &min, &max);
    min = f32x4_sub(min, f32x4_add(f32x4_mul(f32x4_abs(min), step), least));
    max = f32x4_add(max, f32x4_add(f32x4_mul(f32x4_abs(max), step), least));
    f32x4_store(item->min, min), f32x4_store(item->max, max);
    item->min[3] = 0;
    cm__bvh_set_number(item, number);
}

#endif
