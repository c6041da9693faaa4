/* The eight-wide tree: every item in one leaf, within all boxes above it, and small enough. */
#include "bvh/wide.h"
#include "boxes.h"

typedef struct wide_walk {
    const cm__bvh *tree;
    const cm__wide_node *nodes;
    uint32_t node_count;
    const cm_aabb *boxes;
    uint8_t *seen;
    uint32_t visited;
    int deepest; /* level of the tree */
} wide_walk;

typedef struct wide_place {
    uint32_t node;
    int lane;
} wide_place;

/* Exactly: a multiple of a float by a byte is a double; but for its sum with the low corner. */
static bool lane_holds(const wide_walk *w, wide_place at, const cm_aabb *box) {
    const cm__wide_node *n = &w->nodes[at.node];
    const cm_real lo[3] = {box->min.x, box->min.y, box->min.z}, hi[3] = {box->max.x, box->max.y, box->max.z};
    for (int k = 0; k < 3; ++k) {
        double low = (double)n->low[k] + (double)n->step[k] * n->side[k][0][at.lane];
        double high = (double)n->low[k] + (double)n->step[k] * n->side[k][1][at.lane];
        if (((double)lo[k] - w->tree->origin[k]) * w->tree->scale < low) return false;
        if (((double)hi[k] - w->tree->origin[k]) * w->tree->scale > high) return false;
    }
    return true;
}

/* Recursion in a test, on a tree whose depth is what is tested. */
static void visit(wide_walk *w, uint32_t node, int level, const wide_place *above) {
    check_that(level <= w->deepest, "level %d, made of levels 0 to %d", level, w->deepest);
    check_that(node < w->node_count, "node %u of %u", node, w->node_count);
    wide_place path[CM__BVH_DEPTH + 1];
    if (level > 0) memcpy(path, above, (size_t)level * sizeof *path);
    ++w->visited;
    const cm__wide_node *n = &w->nodes[node];
    int lanes = 0;
    for (int i = 0; i < CM__WIDE; ++i) lanes += (n->inner | n->leaves) >> i & 1;
    check_that(n->inner == 0 || lanes >= 5, "%d lanes of node %u, one of them a node", lanes, node);
    check_that((n->inner & n->leaves) == 0, "lanes %x are nodes, %x leaves", n->inner, n->leaves);
    for (int i = 0; i < CM__WIDE; ++i) {
        path[level].node = node, path[level].lane = i;
        if (n->inner >> i & 1) {
            check_that(n->child[i] > node && n->count[i] == 0, "child %u of node %u", n->child[i], node);
            visit(w, n->child[i], level + 1, path);
        } else if (n->leaves >> i & 1) {
            uint32_t first = n->child[i], end = first + n->count[i];
            check_that(end > first && n->count[i] <= CM__WIDE_LEAF, "%u items in lane %d", n->count[i], i);
            for (uint32_t at = first; at < end; ++at) {
                check_that(at < w->tree->item_count && !w->seen[at], "item %u", at);
                w->seen[at] = 1;
                for (int p = 0; p <= level; ++p)
                    check_that(lane_holds(w, path[p], &w->boxes[w->tree->items[at]]), "item %u, level %d", at, p);
            }
        } else {
            check_that(n->count[i] == 0, "%u items in lane %d", n->count[i], i);
            for (int k = 0; k < 3; ++k) check_that(n->side[k][0][i] > n->side[k][1][i], "lane %d", i);
        }
    }
}

/* Children follow their parents. */
static int deepest_level(const cm__bvh *tree) {
    int *level = calloc(tree->node_count, sizeof *level), deepest = 0;
    for (uint32_t n = 0; n < tree->node_count; ++n)
        for (int i = 0; i < 4; ++i) {
            if (tree->nodes[n].half[0][i] < 0 || tree->nodes[n].count[i] > 0) continue;
            level[tree->nodes[n].child[i]] = level[n] + 1;
            if (level[n] + 1 > deepest) deepest = level[n] + 1;
        }
    free(level);
    check_that(deepest < CM__BVH_DEPTH, "level %d", deepest);
    return deepest;
}

static void check_wide(const cm_aabb *boxes, uint32_t count, uint32_t leaf) {
    cm__bvh tree;
    assert_int_equal(cm__bvh_build(boxes, count, leaf, NULL, &tree), CM_OK);
    const size_t room = CM__WIDE_NODE_ROOM((size_t)tree.item_count);
    cm__wide_node *nodes = malloc(room * sizeof *nodes);
    wide_walk w = {&tree, nodes, 0, boxes, calloc(count + 1, 1), 0, deepest_level(&tree)};
    assert_true(cm__wide_build(&tree, NULL, NULL, nodes, &w.node_count));
    check_that(w.node_count <= tree.node_count, "%u nodes, made of %u", w.node_count, tree.node_count);
    check_that(w.node_count <= room, "%u nodes, room for %zu", w.node_count, room);
    if (count > 0) visit(&w, 0, 0, NULL);
    for (uint32_t i = 0; i < count; ++i) check_that(w.seen[i], "item %u of %u is in no leaf", i, count);
    if (count > 0) check_that(w.visited == w.node_count, "%u of %u nodes", w.visited, w.node_count);
    free(w.seen);
    free(nodes);
    cm__bvh_free(&tree, NULL);
}

static void every_item_is_in_one_leaf_and_within_the_boxes_above_it(void **state) {
    (void)state;
    check_random_boxes(2, check_wide);
}

/* A heap on one point, a heap of one box, and a row that the heuristic peels one by one. */
static void equal_and_growing_boxes_do_not_make_it_deep(void **state) {
    (void)state;
    static cm_aabb boxes[2000];
    for (int i = 0; i < 2000; ++i) boxes[i].min = boxes[i].max = cm_v(1, 2, 3);
    check_wide(boxes, 2000, 2);
    for (int i = 0; i < 2000; ++i) boxes[i].max = cm_v(2, 4, 6);
    check_wide(boxes, 2000, 2);
    cm_real side = 1;
    for (int i = 0; i < 120; ++i, side *= 2)
        boxes[i].min = cm_v(side, 0, 0), boxes[i].max = cm_v(side * CM_REAL(1.5), side, side);
    check_wide(boxes, sizeof(cm_real) == 4 ? 48 : 120, 1);
}

/* So that small costs are lost beside large ones. */
static void boxes_of_all_sizes_leave_no_node_nearly_empty(void **state) {
    (void)state;
    rng r = rng_start("sizes", 2);
    static cm_aabb boxes[300];
    for (uint32_t count = 0; count < 300; ++count) {
        for (uint32_t i = 0; i < count; ++i) {
            const cm_real side = (cm_real)(UINT64_C(1) << rng_below(&r, 40));
            boxes[i].min = cm_v(side, 0, 0), boxes[i].max = cm_v(side * CM_REAL(1.5), side, side);
        }
        check_wide(boxes, count, 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_in_one_leaf_and_within_the_boxes_above_it),
        cmocka_unit_test(equal_and_growing_boxes_do_not_make_it_deep),
        cmocka_unit_test(boxes_of_all_sizes_leave_no_node_nearly_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
