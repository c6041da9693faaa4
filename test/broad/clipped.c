/* Clipped octrees and quadtrees: where objects stand and what is compared, by hand. */
#include "support/support.h"

static cm_aabb cube(double x, double y, double z, double edge) {
    cm_vec3 half = cm_v((cm_real)(edge / 2), (cm_real)(edge / 2), (cm_real)(edge / 2));
    cm_vec3 at = cm_v((cm_real)x, (cm_real)y, (cm_real)z);
    return (cm_aabb){cm_sub(at, half), cm_add(at, half)};
}

typedef struct standing {
    uint32_t entries, deepest;
} standing;

static bool note_standing(void *context, const cm_aabb *box, int depth, uint32_t objects) {
    standing *s = context;
    (void)box;
    s->entries += objects;
    if (objects && (uint32_t)depth > s->deepest) s->deepest = (uint32_t)depth;
    return true;
}

static cm_broad *tree_of(cm_broad_kind kind, bool clipped, uint32_t split, const cm_aabb *boxes, int count) {
    cm_broad_desc desc = {.kind = kind, .split = split, .clipped = clipped};
    cm_broad *b = NULL;
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, (uint32_t)count, NULL, NULL), CM_OK);
    assert_int_equal(cm_broad_update(b), CM_OK);
    return b;
}

static void expect(cm_broad_kind kind, uint32_t split, const cm_aabb *boxes, int count, size_t pairs, uint64_t tests,
                   const char *what) {
    cm_broad *b = tree_of(kind, true, split, boxes, count);
    cm_broad_pair_view view;
    cm_broad_stats stats;
    assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
    cm_broad_get_stats(b, &stats);
    check_that(view.count == pairs && stats.tests == tests, "%s: %zu pairs by %llu tests, not %zu by %llu", what,
               view.count, (unsigned long long)stats.tests, pairs, (unsigned long long)tests);
    cm_broad_destroy(b);
}

/* Everything spans -8 to 8, so the root has an edge of 32, is divided at 0 and its children have an edge of 16. Two
 * cubes of edge 2 around the middle stand in all four (eight) of them, and are compared there: four (eight) tests, one
 * pair. Each of the two in the corners stands in one, with the two of the middle: two tests each. */
static void a_pair_across_cells_is_compared_in_each_and_found_once(void **state) {
    (void)state;
    const cm_aabb boxes[4] = {cube(0, 0, 0, 2), cube(0.5, 0.5, 0.5, 2), cube(-7.5, -7.5, -7.5, 1),
                              cube(7.5, 7.5, 7.5, 1)};
    expect(CM_BROAD_QUADTREE, 3, boxes, 4, 1, 4 + 4, "quadtree");
    expect(CM_BROAD_OCTREE, 3, boxes, 4, 1, 8 + 4, "octree");
    expect(CM_BROAD_OCTREE, 4, boxes, 4, 1, 6, "not divided");
}

/* A box that ends at a plane touches the cell behind it; one that begins there does not touch the cell before it. The
 * two share the plane: one pair, found behind it, where alone both stand. In the loose tree they stand apart. */
static void boxes_that_touch_at_a_plane_meet_behind_it(void **state) {
    (void)state;
    cm_aabb boxes[4] = {cube(-7.5, -7.5, -7.5, 1), cube(7.5, 7.5, 7.5, 1)};
    for (int axis = 0; axis < 3; axis++) {
        boxes[2] = boxes[3] = cube(3, 3, 3, 2);
        ((cm_real *)&boxes[2].min)[axis] = -2, ((cm_real *)&boxes[2].max)[axis] = 0;
        ((cm_real *)&boxes[3].min)[axis] = 0, ((cm_real *)&boxes[3].max)[axis] = 2;
        cm_broad *b = tree_of(CM_BROAD_OCTREE, true, 1, boxes, 4);
        cm_broad_pair_view view;
        assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
        assert_int_equal(view.count, 1);
        assert_int_equal(view.pairs[0].a & 0xffffff, 2);
        assert_int_equal(view.pairs[0].b & 0xffffff, 3);
        cm_broad_destroy(b);
    }
}

/* However many cells there are, an object that is not larger than a cell meets eight of them at most, four in a
 * quadtree, and a point one. Cubes anywhere, all at one place, and points at one place. */
static void an_object_stands_in_eight_cells_at_most(void **state) {
    (void)state;
    enum { COUNT = 4000 };
    static cm_aabb boxes[COUNT];
    rng r = rng_start("clipped entries", 601);
    for (int pattern = 0; pattern < 3; pattern++) {
        for (int i = 0; i < COUNT; i++) {
            const cm_vec3 c = pattern == 0 ? rng_vec3(&r, 10) : cm_v(0, 0, 0);
            boxes[i] = cube((double)c.x, (double)c.y, (double)c.z, pattern == 0 ? 0.1 : pattern == 1 ? 1 : 0);
        }
        boxes[0] = cube(-10, -10, -10, 0.1), boxes[1] = cube(10, 10, 10, 0.1);
        for (int kind = CM_BROAD_OCTREE; kind <= CM_BROAD_QUADTREE; kind++) {
            cm_broad *b = tree_of((cm_broad_kind)kind, true, 2, boxes, COUNT);
            standing s = {0, 0};
            cm_broad_stats stats;
            cm_broad_walk(b, note_standing, &s);
            cm_broad_get_stats(b, &stats);
            const uint32_t most = (kind == CM_BROAD_OCTREE ? 8 : 4) * (uint32_t)COUNT;
            check_that(s.entries >= COUNT && s.entries <= most, "%s, pattern %d: %u entries",
                       cm_broad_kind_text((cm_broad_kind)kind), pattern, s.entries);
            if (pattern == 2) assert_int_equal(s.entries, COUNT); /* points stand in one cell */
            check_that(stats.depth <= 41, "depth %u", stats.depth);
            cm_broad_destroy(b);
        }
    }
}

/* In a crowd of small cubes anywhere, a cell's objects are compared among themselves; in the loose tree with those of
 * all cells whose boxes overlap it as well, which is more than twice as much. Cubes side by side on a grid leave gaps
 * between the boxes of loose cells, and there it is the other way round: those that a plane of cells cuts are compared
 * on both sides. */
static void clipped_trees_compare_less_in_a_crowd_and_more_on_a_grid(void **state) {
    (void)state;
    enum { SIDE = 12, COUNT = SIDE * SIDE * SIDE };
    static cm_aabb boxes[COUNT];
    rng r = rng_start("clipped crowd", 603);
    for (int grid = 0; grid < 2; grid++) {
        for (int i = 0; i < COUNT; i++) {
            const cm_vec3 c = rng_vec3(&r, SIDE);
            boxes[i] = grid ? cube(i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE, 0.9)
                            : cube((double)c.x, (double)c.y, (double)c.z, 0.8);
        }
        uint64_t tests[2];
        for (int clipped = 0; clipped < 2; clipped++) {
            cm_broad *b = tree_of(CM_BROAD_OCTREE, clipped, 0, boxes, COUNT);
            cm_broad_pair_view view;
            cm_broad_stats stats;
            assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
            cm_broad_get_stats(b, &stats);
            tests[clipped] = stats.tests;
            cm_broad_destroy(b);
        }
        check_that(grid ? tests[1] > tests[0] : 2 * tests[1] < tests[0], "grid %d: clipped %llu, loose %llu tests",
                   grid, (unsigned long long)tests[1], (unsigned long long)tests[0]);
    }
}

/* Forty objects come and go, again and again: with them the root is divided, and when one of them is left it is whole.
 */
static void cells_are_joined_again_when_objects_leave(void **state) {
    (void)state;
    enum { COUNT = 40 };
    cm_aabb boxes[COUNT];
    uint32_t ids[COUNT], full = 0;
    for (int i = 0; i < COUNT; i++) boxes[i] = cube(i % 4 - 1.5, i / 4 % 4 - 1.5, i % 3 - 1, 1);
    boxes[0] = cube(1.3, 1.3, 1.3, 0.01);
    cm_broad_desc desc = {.kind = CM_BROAD_OCTREE, .clipped = true, .split = 6};
    cm_broad *b = NULL;
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    for (int round = 0; round < 50; round++) {
        cm_broad_stats stats;
        const uint32_t from = round > 0;
        assert_int_equal(cm_broad_add_many(b, boxes + from, 0, COUNT - from, NULL, ids + from), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
        cm_broad_get_stats(b, &stats);
        if (round == 0) full = stats.nodes;
        check_that(full > 9 && stats.nodes == full, "round %d: %u nodes, not %u", round, stats.nodes, full);
        for (int i = 1; i < COUNT; i++) assert_int_equal(cm_broad_remove(b, ids[i]), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
        cm_broad_get_stats(b, &stats);
        check_that(stats.nodes == 1, "round %d, empty: %u nodes", round, stats.nodes);
    }
    cm_broad_destroy(b);
}

/* A swarm flies off, farther than the root's reach, and comes back: the tree is made anew around it each time that it
 * has doubled its distance, and holds what one made from the same boxes holds. */
static void a_swarm_that_leaves_the_root_is_still_divided(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    static cm_aabb boxes[COUNT];
    static uint32_t ids[COUNT];
    rng r = rng_start("clipped swarm", 602);
    cm_broad_desc desc = {.kind = CM_BROAD_OCTREE, .clipped = true};
    cm_broad *b = NULL;
    for (int i = 0; i < COUNT; i++) {
        const cm_vec3 c = rng_vec3(&r, 10);
        boxes[i] = cube((double)c.x, (double)c.y, (double)c.z, 1);
    }
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, COUNT, NULL, ids), CM_OK);
    for (int step = 0; step < 60; step++) {
        const cm_vec3 by = cm_v(step < 30 ? 37 : -37, 0, step < 30 ? -11 : 11);
        for (int i = 0; i < COUNT; i++)
            boxes[i].min = cm_add(boxes[i].min, by), boxes[i].max = cm_add(boxes[i].max, by);
        assert_int_equal(cm_broad_move_many(b, ids, boxes, 0, COUNT), CM_OK);
        cm_broad *fresh = tree_of(CM_BROAD_OCTREE, true, 0, boxes, COUNT);
        cm_broad_pair_view view, expected;
        cm_broad_stats stats, fresh_stats;
        assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
        assert_int_equal(cm_broad_find_pairs(fresh, 0, &expected), CM_OK);
        cm_broad_get_stats(b, &stats), cm_broad_get_stats(fresh, &fresh_stats);
        check_that(view.count == expected.count, "step %d: %zu pairs, not %zu", step, view.count, expected.count);
        check_that(stats.tests <= 3 * fresh_stats.tests, "step %d: %llu tests, anew %llu", step,
                   (unsigned long long)stats.tests, (unsigned long long)fresh_stats.tests);
        cm_broad_destroy(fresh);
    }
    cm_broad_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_across_cells_is_compared_in_each_and_found_once),
        cmocka_unit_test(boxes_that_touch_at_a_plane_meet_behind_it),
        cmocka_unit_test(an_object_stands_in_eight_cells_at_most),
        cmocka_unit_test(clipped_trees_compare_less_in_a_crowd_and_more_on_a_grid),
        cmocka_unit_test(cells_are_joined_again_when_objects_leave),
        cmocka_unit_test(a_swarm_that_leaves_the_root_is_still_divided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
