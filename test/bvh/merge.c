/* Leaves merged: still every item in one leaf, within the boxes above it, and no node left that could be a leaf. */
#include "walk.h"

static void check_merged(const cm_aabb *boxes, uint32_t count, uint32_t split) {
    for (uint32_t leaf = split; leaf <= 8; leaf += split) {
        cm__bvh tree;
        assert_int_equal(cm__bvh_build(boxes, count, split, NULL, &tree), CM_OK);
        const uint32_t before = tree.node_count;
        cm__bvh_node *nodes = malloc(before * sizeof *nodes);
        uint32_t *scratch = malloc(before * sizeof *scratch);
        memcpy(nodes, tree.nodes, before * sizeof *nodes);
        cm__bvh merged = tree;
        merged.nodes = nodes;
        cm__bvh_merge_leaves(nodes, leaf, scratch, &merged);
        check_whole(&merged, boxes, leaf);
        check_that(merged.node_count <= before, "%u nodes of %u", merged.node_count, before);
        for (uint32_t n = 1; n < merged.node_count; ++n) {
            uint32_t items = 0;
            for (int i = 0; i < 4 && nodes[n].half[0][i] >= 0; ++i)
                items += nodes[n].count[i] > 0 ? nodes[n].count[i] : leaf + 1;
            check_that(items > leaf, "node %u of %u has %u items", n, merged.node_count, items);
        }
        free(nodes), free(scratch);
        cm__bvh_free(&tree, NULL);
    }
}

static void leaves_are_as_large_as_they_may_be(void **state) {
    (void)state;
    check_random_boxes(4, check_merged);
}

/* The boxes of leaves that were there before are those of slots that were there before. */
static void boxes_stay_what_they_were(void **state) {
    (void)state;
    rng r = rng_start("boxes", 11);
    enum { COUNT = 500 };
    static cm_aabb boxes[COUNT];
    for (int i = 0; i < COUNT; ++i) boxes[i] = random_box(&r, 1, 0.1, 0);
    cm__bvh tree;
    assert_int_equal(cm__bvh_build(boxes, COUNT, 2, NULL, &tree), CM_OK);
    cm__bvh_node *nodes = malloc(tree.node_count * sizeof *nodes);
    uint32_t *scratch = malloc(tree.node_count * sizeof *scratch);
    memcpy(nodes, tree.nodes, tree.node_count * sizeof *nodes);
    cm__bvh merged = tree;
    merged.nodes = nodes;
    cm__bvh_merge_leaves(nodes, 8, scratch, &merged);
    check_that(2 * merged.node_count < tree.node_count, "%u nodes of %u", merged.node_count, tree.node_count);
    uint32_t at = 0; /* what is left is in the order it had */
    for (uint32_t n = 0; n < merged.node_count; ++n, ++at) {
        while (at < tree.node_count && memcmp(nodes[n].center, tree.nodes[at].center, sizeof nodes[n].center) != 0)
            ++at;
        check_that(at < tree.node_count, "node %u was not there", n);
        assert_memory_equal(nodes[n].half, tree.nodes[at].half, sizeof nodes[n].half);
    }
    free(nodes), free(scratch);
    cm__bvh_free(&tree, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_are_as_large_as_they_may_be),
        cmocka_unit_test(boxes_stay_what_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
