/* The knobs of octree and quadtree: threshold, depth, looseness; where objects then stand, by hand. */
#include "support/support.h"

static cm_aabb cube(double x, double y, double z, double edge) {
    cm_vec3 half = cm_v((cm_real)(edge / 2), (cm_real)(edge / 2), (cm_real)(edge / 2));
    cm_vec3 at = cm_v((cm_real)x, (cm_real)y, (cm_real)z);
    return (cm_aabb){cm_sub(at, half), cm_add(at, half)};
}

static cm_broad *tree_of(const cm_broad_desc *desc, const cm_aabb *boxes, int count) {
    cm_broad *b = NULL;
    assert_int_equal(cm_broad_create(desc, &b, NULL), CM_OK);
    for (int i = 0; i < count; i++) {
        cm_broad_object_desc object = {.box = boxes[i]};
        uint32_t id;
        assert_int_equal(cm_broad_add(b, &object, &id), CM_OK);
    }
    assert_int_equal(cm_broad_update(b), CM_OK);
    return b;
}

static cm_broad_stats stats_of(const cm_broad_desc *desc, const cm_aabb *boxes, int count) {
    cm_broad *b = tree_of(desc, boxes, count);
    cm_broad_stats stats;
    cm_broad_get_stats(b, &stats);
    cm_broad_destroy(b);
    return stats;
}

/* The first object, of edge 8, makes a root of edge 64 around it; the others stand in four of its eighths. With five
 * objects a threshold of five leaves it whole, one of four divides it: 1 + 8 cells, or 1 + 4 where two axes count. */
static void a_cell_with_more_objects_than_the_threshold_is_divided(void **state) {
    (void)state;
    const cm_aabb boxes[5] = {cube(0, 0, 0, 8), cube(20, 20, 20, 1), cube(-20, 20, -20, 1), cube(20, -20, -20, 1),
                              cube(-20, -20, 20, 1)};
    const struct {
        cm_broad_kind kind;
        uint32_t split, nodes;
    } cases[] = {{CM_BROAD_OCTREE, 5, 1},
                 {CM_BROAD_OCTREE, 4, 9},
                 {CM_BROAD_OCTREE, 0, 1},
                 {CM_BROAD_QUADTREE, 5, 1},
                 {CM_BROAD_QUADTREE, 4, 5}};
    for (int i = 0; i < 5; i++) {
        cm_broad_desc desc = {.kind = cases[i].kind, .split = cases[i].split};
        cm_broad_stats stats = stats_of(&desc, boxes, 5);
        check_that(stats.nodes == cases[i].nodes, "case %d: %u nodes, not %u", i, stats.nodes, cases[i].nodes);
    }
}

/* Twenty small objects at one point are never parted by dividing: each of them that comes divides once more, until the
 * cells may be divided no further. */
static void objects_at_one_point_are_divided_as_often_as_allowed(void **state) {
    (void)state;
    cm_aabb boxes[21];
    boxes[0] = cube(0, 0, 0, 1);
    for (int i = 1; i < 21; i++) boxes[i] = cube(0.3, 0.3, 0.3, 1e-6);
    const uint32_t levels[] = {1, 3, 7};
    for (int i = 0; i < 3; i++) {
        cm_broad_desc desc = {.kind = CM_BROAD_OCTREE, .split = 2, .levels = levels[i]};
        cm_broad_stats stats = stats_of(&desc, boxes, 21);
        check_that(stats.depth == levels[i] + 1, "%u levels: depth %u", levels[i], stats.depth);
    }
    cm_broad_desc deep = {.kind = CM_BROAD_OCTREE, .split = 2};
    cm_broad_stats stats = stats_of(&deep, boxes, 21);
    check_that(stats.depth > 12, "depth %u", stats.depth);
    const int few = 3;
    cm_broad_desc whole = {.kind = CM_BROAD_OCTREE, .split = 1000};
    assert_int_equal(stats_of(&whole, boxes, few).depth, 1);
}

typedef struct standing {
    int deepest;
} standing;

static bool note_depth(void *context, const cm_aabb *box, int depth, uint32_t objects) {
    standing *s = context;
    (void)box;
    if (objects && depth > s->deepest) s->deepest = depth;
    return true;
}

/* Twelve objects of edge 10 at one point; the root has an edge of 80. Twice as large as its edge a cell of edge 10
 * holds them: the third level below the root. 1.25 times as large it must have 10 / 0.25 = 40: the first. 8 times as
 * large 10 / 7 will do, and 80 / 32 = 2.5 is the least of the halves that has it: the fifth. */
static void looseness_says_how_deep_an_object_stands(void **state) {
    (void)state;
    cm_aabb boxes[12];
    for (int i = 0; i < 12; i++) boxes[i] = cube(0, 0, 0, 10);
    const struct {
        double loose;
        int depth;
    } cases[] = {{2, 3}, {0, 3}, {1.25, 1}, {8, 5}};
    for (int i = 0; i < 4; i++) {
        cm_broad_desc desc = {.kind = CM_BROAD_OCTREE, .split = 1, .loose = (cm_real)cases[i].loose};
        cm_broad *b = tree_of(&desc, boxes, 12);
        standing s = {0};
        cm_broad_walk(b, note_depth, &s);
        check_that(s.deepest == cases[i].depth, "looseness %g: depth %d, not %d", cases[i].loose, s.deepest,
                   cases[i].depth);
        cm_broad_pair_view pairs;
        assert_int_equal(cm_broad_find_pairs(b, 0, &pairs), CM_OK);
        assert_int_equal(pairs.count, 66);
        cm_broad_destroy(b);
    }
}

/* An object of edge 10 in a root of edge 80: 1.1 times as large it would hold 8 only, so it doubles, and is one of the
 * eight children of the new one. */
static void a_root_that_cannot_hold_an_object_doubles(void **state) {
    (void)state;
    const cm_aabb one = cube(0, 0, 0, 10);
    cm_broad_desc tight = {.kind = CM_BROAD_OCTREE, .loose = CM_REAL(1.1)}, usual = {.kind = CM_BROAD_OCTREE};
    cm_broad_stats stats = stats_of(&tight, &one, 1);
    check_that(stats.nodes == 9, "%u nodes", stats.nodes);
    stats = stats_of(&usual, &one, 1);
    check_that(stats.nodes == 1, "%u nodes", stats.nodes);
}

/* A root of edge 80, made around the first object, of edge 10: it holds what is as large as itself, and what is
 * centered on its rim. For an ulp more it doubles: the old one becomes one of its eight children. */
static void a_root_holds_what_is_on_its_rim(void **state) {
    (void)state;
    const cm_real ulp = 64 * CM_REAL_EPSILON;
    cm_broad_desc desc = {.kind = CM_BROAD_OCTREE};
    cm_aabb boxes[2] = {cube(0, 0, 0, 10), cube(0, 0, 0, 80)};
    assert_int_equal(stats_of(&desc, boxes, 2).nodes, 1);
    boxes[1].max.y += ulp;
    assert_int_equal(stats_of(&desc, boxes, 2).nodes, 9);
    for (int axis = 0; axis < 3; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            const cm_real rim = (cm_real)(40 * side);
            boxes[1] = cube(0, 0, 0, 2);
            ((cm_real *)&boxes[1].min)[axis] += rim, ((cm_real *)&boxes[1].max)[axis] += rim;
            cm_broad_stats stats = stats_of(&desc, boxes, 2);
            check_that(stats.nodes == 1, "on the rim, axis %d: %u nodes", axis, stats.nodes);
            ((cm_real *)&boxes[1].min)[axis] += (cm_real)side * ulp;
            ((cm_real *)&boxes[1].max)[axis] += (cm_real)side * ulp;
            stats = stats_of(&desc, boxes, 2);
            check_that(stats.nodes == 9, "beyond, axis %d: %u nodes", axis, stats.nodes);
        }
    }
}

/* Threshold 4: five divide the root, and it is whole again when fewer than two are left. */
static void cells_are_joined_below_half_of_the_threshold(void **state) {
    (void)state;
    const cm_aabb boxes[5] = {cube(0, 0, 0, 8), cube(20, 20, 20, 1), cube(-20, 20, -20, 1), cube(20, -20, -20, 1),
                              cube(-20, -20, 20, 1)};
    cm_broad_desc desc = {.kind = CM_BROAD_OCTREE, .split = 4};
    cm_broad *b = NULL;
    uint32_t ids[5];
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, 5, NULL, ids), CM_OK);
    for (int left = 5; left > 0; left--) {
        cm_broad_stats stats;
        assert_int_equal(cm_broad_update(b), CM_OK);
        cm_broad_get_stats(b, &stats);
        check_that(stats.nodes == (left < 2 ? 1u : 9u), "%d left: %u nodes", left, stats.nodes);
        assert_int_equal(cm_broad_remove(b, ids[left - 1]), CM_OK);
    }
    cm_broad_destroy(b);
}

static bool count_on_root(void *context, const cm_aabb *box, int depth, uint32_t objects) {
    (void)box;
    if (depth == 0) *(uint32_t *)context += objects;
    return true;
}

static uint32_t on_root(const cm_broad *b) {
    uint32_t count = 0;
    cm_broad_walk(b, count_on_root, &count);
    return count;
}

/* A root of edge 64 whose children have an edge of 32: what is as large as that goes down to them when it shrinks to
 * it, what is an ulp larger stays on the root. */
static void what_shrinks_to_a_cells_edge_goes_down(void **state) {
    (void)state;
    const cm_aabb boxes[5] = {cube(0, 0, 0, 8), cube(20, 20, 20, 1), cube(-20, 20, -20, 1), cube(20, -20, -20, 1),
                              cube(10, 10, 10, 40)};
    cm_broad_desc desc = {.kind = CM_BROAD_OCTREE, .split = 2};
    for (int larger = 0; larger < 2; larger++) {
        cm_broad *b = NULL;
        uint32_t ids[5];
        assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
        assert_int_equal(cm_broad_add_many(b, boxes, 0, 5, NULL, ids), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
        assert_int_equal(on_root(b), 1);
        cm_aabb box = cube(10, 10, 10, 32);
        if (larger) box.max.z += 32 * CM_REAL_EPSILON;
        assert_int_equal(cm_broad_move(b, ids[4], &box), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
        check_that(on_root(b) == (uint32_t)larger, "%s: %u on the root", larger ? "an ulp larger" : "as large",
                   on_root(b));
        cm_broad_destroy(b);
    }
}

/* A swarm as far as a root cannot double to: it stands on the root, all in one, until the update makes the tree anew
 * around everything. */
static void what_is_far_beyond_starts_the_tree_anew(void **state) {
    (void)state;
    enum { SWARM = 40 };
    cm_aabb boxes[1 + SWARM];
    boxes[0] = cube(0, 0, 0, 1);
    for (int i = 1; i <= SWARM; i++) boxes[i] = cube(1e6 + 1000 * i, 1000 * (i % 7), 1000 * (i % 5), 1);
    cm_broad_desc desc = {.kind = CM_BROAD_OCTREE};
    cm_broad *b = tree_of(&desc, boxes, 1 + SWARM);
    check_that(on_root(b) == 0, "%u on the root", on_root(b));
    cm_broad_destroy(b);
}

/* Five objects of which two stand in one eighth of the root, and three alone in one each: the eighths are compared with
 * each other, 8 * 7 / 2 tests, of which none meet, and the two with each other. */
static void eighths_are_compared_before_what_is_in_them(void **state) {
    (void)state;
    const cm_aabb boxes[5] = {cube(0, 0, 0, 8), cube(20, 20, 20, 1), cube(-20, 20, -20, 1), cube(20, -20, -20, 1),
                              cube(-20, -20, 20, 1)};
    cm_broad_desc desc = {.kind = CM_BROAD_OCTREE, .split = 4};
    cm_broad *b = tree_of(&desc, boxes, 5);
    cm_broad_pair_view pairs;
    cm_broad_stats stats;
    assert_int_equal(cm_broad_find_pairs(b, 0, &pairs), CM_OK);
    cm_broad_get_stats(b, &stats);
    check_that(pairs.count == 0 && stats.tests == 28 + 1, "%zu pairs by %llu tests", pairs.count,
               (unsigned long long)stats.tests);
    cm_broad_destroy(b);
}

/* What brute force does is n (n - 1) / 2 comparisons, whatever the width of the vectors; no kind does more than that
 * where boxes are few and apart. */
static void tests_count_boxes_against_boxes(void **state) {
    (void)state;
    cm_aabb boxes[100];
    for (int i = 0; i < 100; i++) boxes[i] = cube(3 * i, 0, 0, 1);
    for (int n = 1; n <= 100; n += n < 40 ? 1 : 20) {
        for (int kind = CM_BROAD_BRUTE; kind <= CM_BROAD_SWEEP; kind++) {
            cm_broad_desc desc = {.kind = (cm_broad_kind)kind};
            cm_broad *b = tree_of(&desc, boxes, n);
            cm_broad_pair_view pairs;
            cm_broad_stats stats;
            assert_int_equal(cm_broad_find_pairs(b, 0, &pairs), CM_OK);
            cm_broad_get_stats(b, &stats);
            uint64_t all = (uint64_t)n * (uint64_t)(n - 1) / 2;
            check_that(kind == CM_BROAD_BRUTE ? stats.tests == all : stats.tests <= all, "%d boxes, %s: %llu tests", n,
                       cm_broad_kind_text((cm_broad_kind)kind), (unsigned long long)stats.tests);
            cm_broad_destroy(b);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_with_more_objects_than_the_threshold_is_divided),
        cmocka_unit_test(objects_at_one_point_are_divided_as_often_as_allowed),
        cmocka_unit_test(looseness_says_how_deep_an_object_stands),
        cmocka_unit_test(a_root_that_cannot_hold_an_object_doubles),
        cmocka_unit_test(a_root_holds_what_is_on_its_rim),
        cmocka_unit_test(cells_are_joined_below_half_of_the_threshold),
        cmocka_unit_test(what_shrinks_to_a_cells_edge_goes_down),
        cmocka_unit_test(what_is_far_beyond_starts_the_tree_anew),
        cmocka_unit_test(eighths_are_compared_before_what_is_in_them),
        cmocka_unit_test(tests_count_boxes_against_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
