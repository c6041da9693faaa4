/* The tree over boxes: every item in one leaf, within the boxes above it; bounded depth; memory. */
#include "walk.h"

static uint32_t check_tree(const cm_aabb *boxes, uint32_t count, uint32_t leaf) {
    cm__bvh tree;
    assert_int_equal(cm__bvh_build(boxes, count, leaf, NULL, &tree), CM_OK);
    const uint32_t deepest = check_whole(&tree, boxes, leaf);
    cm__bvh_free(&tree, NULL);
    return deepest;
}

static void check_any_tree(const cm_aabb *boxes, uint32_t count, uint32_t leaf) { check_tree(boxes, count, leaf); }

static void every_item_is_in_one_leaf_and_within_the_boxes_above_it(void **state) {
    (void)state;
    check_random_boxes(8, check_any_tree);
}

static void equal_flat_and_extreme_boxes_build(void **state) {
    (void)state;
    static cm_aabb boxes[1000];
    for (int i = 0; i < 1000; ++i) boxes[i].min = boxes[i].max = cm_v(3, 4, 5); /* all the same point */
    check_tree(boxes, 1000, 1);
    for (int i = 0; i < 1000; ++i) boxes[i].min = boxes[i].max = cm_v((cm_real)i, 0, 0); /* on a line */
    check_tree(boxes, 1000, 1);
    for (int i = 0; i < 1000; ++i) { /* the whole valid range */
        cm_real x = i % 2 ? CM_COORD_MAX : -CM_COORD_MAX;
        boxes[i].min = cm_v(-CM_COORD_MAX, x, -CM_COORD_MAX);
        boxes[i].max = cm_v(CM_COORD_MAX, x, CM_COORD_MAX);
    }
    check_tree(boxes, 1000, 1);
    for (int i = 0; i < 1000; ++i)
        boxes[i].min = boxes[i].max = cm_v((cm_real)i * CM_REAL_MIN, 0, 0); /* the smallest */
    check_tree(boxes, 1000, 1);
}

/* Positions 2^-i make the heuristic peel off one item after the other; 24 levels of that, then halves. */
static void the_depth_is_bounded_where_the_heuristic_peels_off_single_items(void **state) {
    (void)state;
    enum { COUNT = 120 * 120 };
    cm_aabb *boxes = malloc(COUNT * sizeof *boxes);
    for (int i = 0; i < COUNT; ++i) {
        cm_real x = 1, y = 1;
        for (int k = 0; k < i % 120; ++k) x /= 2;
        for (int k = 0; k < i / 120; ++k) y /= 2;
        boxes[i].min = cm_v(0, 0, 0);
        boxes[i].max = cm_v(x, y, 0);
    }
    uint32_t deep = check_tree(boxes, COUNT, 1);
    print_message("  %u levels\n", deep);
    check_that(deep <= CM__BVH_DEPTH, "%u levels", deep);
    free(boxes);
}

static void equal_input_gives_equal_bytes(void **state) {
    (void)state;
    rng r = rng_start("boxes", 2);
    static cm_aabb boxes[500];
    for (int i = 0; i < 500; ++i) boxes[i] = random_box(&r, 1, 0.1, 0);
    cm__bvh a, b;
    assert_int_equal(cm__bvh_build(boxes, 500, 2, NULL, &a), CM_OK);
    assert_int_equal(cm__bvh_build(boxes, 500, 2, NULL, &b), CM_OK);
    assert_int_equal(a.node_count, b.node_count);
    assert_memory_equal(a.nodes, b.nodes, a.node_count * sizeof *a.nodes);
    assert_memory_equal(a.items, b.items, a.item_count * sizeof *a.items);
    cm__bvh_free(&a, NULL);
    cm__bvh_free(&b, NULL);
}

static void every_failed_allocation_is_a_status_and_leaks_nothing(void **state) {
    (void)state;
    rng r = rng_start("boxes", 3);
    static cm_aabb boxes[300];
    for (int i = 0; i < 300; ++i) boxes[i] = random_box(&r, 1, 0.1, 0);
    for (size_t fail_at = 1;; ++fail_at) {
        counting_allocator c;
        counting_allocator_start(&c, fail_at);
        cm__bvh tree;
        cm_status status = cm__bvh_build(boxes, 300, 1, &c.mem, &tree);
        if (status == CM_OK) {
            cm__bvh_free(&tree, &c.mem);
            check_that(fail_at > 3, "only %zu allocations were made to fail", fail_at - 1);
            assert_int_equal(c.live_blocks, 0);
            break;
        }
        assert_int_equal(status, CM_NO_MEMORY);
        check_that(c.live_blocks == 0, "%zu blocks left after call %zu failed", c.live_blocks, fail_at);
    }
}

/* As many as are split by clusters: on a surface, within a ball, in one cell of the grid, all over the valid range. */
static void many_boxes_build_as_few_do(void **state) {
    (void)state;
    enum { MANY = 30000 };
    rng r = rng_start("many", 4);
    cm_aabb *boxes = malloc(MANY * sizeof *boxes);
    for (int kind = 0; kind < 6; ++kind) {
        for (uint32_t i = 0; i < MANY; ++i) {
            boxes[i] = random_box(&r, 1, 0.01, kind == 1 ? 1e5 : 0);
            if (kind == 2) boxes[i].min.z = boxes[i].max.z = 0;
            if (kind == 3 && i > 0) boxes[i] = random_box(&r, 1e-6, 1e-7, 0);
            if (kind == 4 && i % 2) boxes[i].min = boxes[i].max = boxes[i - 1].min;
            if (kind == 5 && i % 100 == 0) {
                boxes[i].min = cm_v(-CM_COORD_MAX, 0, -CM_COORD_MAX);
                boxes[i].max = cm_v(CM_COORD_MAX, 0, CM_COORD_MAX);
            }
        }
        for (uint32_t leaf = 1; leaf <= 8; leaf *= 2) check_tree(boxes, MANY, leaf);
    }
    free(boxes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_in_one_leaf_and_within_the_boxes_above_it),
        cmocka_unit_test(equal_flat_and_extreme_boxes_build),
        cmocka_unit_test(the_depth_is_bounded_where_the_heuristic_peels_off_single_items),
        cmocka_unit_test(many_boxes_build_as_few_do),
        cmocka_unit_test(equal_input_gives_equal_bytes),
        cmocka_unit_test(every_failed_allocation_is_a_status_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
