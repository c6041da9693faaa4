/* Fits the boxes of a tree to items that have moved. Children follow their parents, so from the last node to the first
 * the boxes below are known; they are kept as the build has them, before they grow. */
#include "bvh/upper.h"

static void refit_clear(cm__bvh_range *r) {
    for (int k = 0; k < 4; ++k) r->min[k] = FLT_MAX, r->max[k] = -FLT_MAX;
}

static void refit_join(cm__bvh_range *r, const float *min, const float *max) {
    for (int k = 0; k < 3; ++k) {
        r->min[k] = min[k] < r->min[k] ? min[k] : r->min[k];
        r->max[k] = max[k] > r->max[k] ? max[k] : r->max[k];
    }
}

void cm__bvh_refit(const cm_aabb *bounds, const cm_aabb *boxes, float *scratch, cm__bvh_node *nodes, cm__bvh *tree) {
    cm__bvh_units(bounds, boxes, tree->item_count, tree);
    for (uint32_t n = tree->node_count; n-- > 0;) {
        cm__bvh_range all;
        refit_clear(&all);
        for (uint32_t lane = 0; lane < 4; ++lane) {
            const uint32_t child = nodes[n].child[lane], count = nodes[n].count[lane];
            if (nodes[n].half[0][lane] < 0) continue;
            cm__bvh_range r;
            refit_clear(&r);
            if (count == 0) refit_join(&r, scratch + 6 * (size_t)child, scratch + 6 * (size_t)child + 3);
            for (uint32_t i = 0; i < count; ++i) {
                cm__bvh_item item;
                cm__bvh_item_of(&boxes[tree->items[child + i]], tree, 0, &item);
                refit_join(&r, item.min, item.max);
            }
            cm__bvh_set_box(&nodes[n], lane, &r);
            refit_join(&all, r.min, r.max);
        }
        for (int k = 0; k < 3; ++k) {
            scratch[6 * (size_t)n + (size_t)k] = all.min[k];
            scratch[6 * (size_t)n + 3 + (size_t)k] = all.max[k];
        }
    }
}
