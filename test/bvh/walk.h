/* A walk over all of a tree: every item in one leaf, within the boxes above it. */
#include "bvh/bvh.h"
#include "boxes.h"

typedef struct walk {
    const cm__bvh *tree;
    const cm_aabb *boxes;
    uint8_t *seen;
    uint32_t deepest, leaf;
} walk;

/* Does the slot's box hold [min, max]? In double, exactly up to the 1e-15 that the build allows itself. */
static bool slot_holds(const cm__bvh *tree, uint32_t slot, const cm_aabb *box) {
    const cm__bvh_node *n = &tree->nodes[slot / 4];
    const cm_real lo[3] = {box->min.x, box->min.y, box->min.z}, hi[3] = {box->max.x, box->max.y, box->max.z};
    for (int k = 0; k < 3; ++k) {
        double center = (double)n->center[k][slot % 4], half = (double)n->half[k][slot % 4];
        if (((double)lo[k] - tree->origin[k]) * tree->scale < center - half) return false;
        if (((double)hi[k] - tree->origin[k]) * tree->scale > center + half) return false;
    }
    return true;
}

/* Recursion in a test, on a tree whose depth is what is tested: it stops at 100. */
static void visit(walk *w, uint32_t slot, uint32_t level, const uint32_t *above) {
    uint32_t path[101];
    check_that(level <= 100, "level %u", level);
    if (level > 0) memcpy(path, above, level * sizeof *path);
    path[level] = slot;
    if (level + 1 > w->deepest) w->deepest = level + 1;
    const cm__bvh_node *n = &w->tree->nodes[slot / 4];
    uint32_t child = n->child[slot % 4], count = n->count[slot % 4];
    if (count == 0) {
        check_that(child > slot / 4 && child < w->tree->node_count, "child %u of node %u", child, slot / 4);
        for (uint32_t i = 0; i < 4; ++i)
            if (w->tree->nodes[child].half[0][i] >= 0) visit(w, 4 * child + i, level + 1, path);
        return;
    }
    check_that(count <= w->leaf, "%u items in a leaf", count);
    for (uint32_t i = child; i < child + count; ++i) {
        uint32_t item = w->tree->items[i];
        check_that(item < w->tree->item_count && !w->seen[item], "item %u at %u", item, i);
        w->seen[item] = 1;
        for (uint32_t p = 0; p <= level; ++p) check_that(slot_holds(w->tree, path[p], &w->boxes[item]), "level %u", p);
    }
}

/* Returns how many levels there are. */
static uint32_t check_whole(const cm__bvh *tree, const cm_aabb *boxes, uint32_t leaf) {
    const uint32_t count = tree->item_count;
    walk w = {tree, boxes, calloc(count ? count : 1, 1), 0, leaf};
    if (count > 0) visit(&w, 0, 0, NULL);
    for (uint32_t i = 0; i < count; ++i) check_that(w.seen[i], "item %u of %u is in no leaf", i, count);
    free(w.seen);
    return w.deepest;
}
