/* The upper levels of a large tree, split by clusters of boxes (upper.c). */
#ifndef BVH_UPPER_H
#define BVH_UPPER_H

#include "bvh/split.h"

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
#if defined(__SSE2__) && !defined(CAROM_PLAIN_FOUR) && !defined(CAROM_F64)
CM_INLINE void cm__bvh_to_units(const cm_aabb *box, const cm__bvh *tree, cm__four *min, cm__four *max) {
    const __m128d scale = _mm_set1_pd(tree->scale);
    const __m128d xy = _mm_loadu_pd(tree->origin), yz = _mm_loadu_pd(tree->origin + 1);
    const __m128d zx = _mm_shuffle_pd(yz, xy, 1);
    __m128 front = _mm_loadu_ps(&box->min.x), back = _mm_loadu_ps(&box->min.z); /* six numbers, the middle two twice */
    __m128d low = _mm_cvtps_pd(front), mixed = _mm_cvtps_pd(back), high = _mm_cvtps_pd(_mm_movehl_ps(back, back));
    low = _mm_mul_pd(_mm_sub_pd(low, xy), scale);
    mixed = _mm_mul_pd(_mm_sub_pd(mixed, zx), scale);
    high = _mm_mul_pd(_mm_sub_pd(high, yz), scale);
    __m128 z_x = _mm_cvtpd_ps(mixed), y_z = _mm_cvtpd_ps(high);
    *min = _mm_movelh_ps(_mm_cvtpd_ps(low), z_x);
    *max = _mm_movelh_ps(_mm_unpacklo_ps(_mm_shuffle_ps(z_x, z_x, 1), y_z), _mm_shuffle_ps(y_z, y_z, 1));
}
#else
CM_INLINE void cm__bvh_to_units(const cm_aabb *box, const cm__bvh *tree, cm__four *min, cm__four *max) {
    const cm_real lo[3] = {box->min.x, box->min.y, box->min.z}, hi[3] = {box->max.x, box->max.y, box->max.z};
    float low[4] = {0}, high[4] = {0};
    for (int k = 0; k < 3; ++k) {
        low[k] = (float)(((double)lo[k] - tree->origin[k]) * tree->scale);
        high[k] = (float)(((double)hi[k] - tree->origin[k]) * tree->scale);
    }
    *min = cm__four_load(low), *max = cm__four_load(high);
}
#endif

CM_INLINE void cm__bvh_item_of(const cm_aabb *box, const cm__bvh *tree, uint32_t number, cm__bvh_item *item) {
    const cm__four step = cm__four_all(2 * FLT_EPSILON), least = cm__four_all(FLT_MIN);
    cm__four min, max;
    cm__bvh_to_units(box, tree, &min, &max);
    min = cm__four_sub(min, cm__four_add(cm__four_mul(cm__four_abs(min), step), least));
    max = cm__four_add(max, cm__four_add(cm__four_mul(cm__four_abs(max), step), least));
    cm__four_store(item->min, min), cm__four_store(item->max, max);
    item->min[3] = 0;
    cm__bvh_set_number(item, number);
}

#endif
