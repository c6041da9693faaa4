/* Clipped octrees and quadtrees: where objects stand and what is compared, by hand. */
#include "support/broads.h"
#include "support/support.h"

static cm_aabb cube(double x, double y, double z, double edge) {
    cm_vec3 half = cm_v((cm_real)(edge / 2), (cm_real)(edge / 2), (cm_real)(edge / 2));
    cm_vec3 at = cm_v((cm_real)x, (cm_real)y, (cm_real)z);
    return (cm_aabb){cm_sub(at, half), cm_add(at, half)};
}

typedef struct standing {
    uint32_t entries, deepest, at[4]; /* at[d]: entries at depth d */
} standing;

static bool note_standing(void *context, const cm_aabb *box, int depth, uint32_t objects) {
    standing *s = context;
    (void)box;
    s->entries += objects;
    if (objects && (uint32_t)depth > s->deepest) s->deepest = (uint32_t)depth;
    if (depth < 4) s->at[depth] += objects;
    return true;
}

static void expect_standing(const cm_broad *b, uint32_t at0, uint32_t at1, uint32_t at2, const char *what) {
    standing s = {0};
    cm_broad_walk(b, note_standing, &s);
    check_that(s.at[0] == at0 && s.at[1] == at1 && s.at[2] == at2, "%s: %u, %u and %u stand at depths 0, 1 and 2", what,
               s.at[0], s.at[1], s.at[2]);
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

/* Two boxes that share the plane through the middle of an axis: one ends at it, one begins. */
static void put_at_plane(int axis, cm_aabb two[2]) {
    two[0] = two[1] = cube(3, 3, 3, 2);
    ((cm_real *)&two[0].min)[axis] = -2, ((cm_real *)&two[0].max)[axis] = 0;
    ((cm_real *)&two[1].min)[axis] = 0, ((cm_real *)&two[1].max)[axis] = 2;
}

/* A box that ends at a plane touches the cell behind it; one that begins there does not touch the cell before it. The
 * two share the plane: one pair, found behind it, where alone both stand. In the loose tree they stand apart. */
static void boxes_that_touch_at_a_plane_meet_behind_it(void **state) {
    (void)state;
    cm_aabb boxes[4] = {cube(-7.5, -7.5, -7.5, 1), cube(7.5, 7.5, 7.5, 1)};
    for (int axis = 0; axis < 3; axis++) {
        put_at_plane(axis, boxes + 2);
        cm_broad *b = tree_of(CM_BROAD_OCTREE, true, 1, boxes, 4);
        cm_broad_pair_view view;
        assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
        assert_int_equal(view.count, 1);
        assert_int_equal(view.pairs[0].a & 0xffffff, 2);
        assert_int_equal(view.pairs[0].b & 0xffffff, 3);
        cm_broad_destroy(b);
    }
}

/* The same boxes: of the two that share the plane, the one that ends at it stands on both sides,
 * the one that begins there only behind it. */
static void a_cell_holds_its_lower_sides_only(void **state) {
    (void)state;
    cm_aabb boxes[4] = {cube(-7.5, -7.5, -7.5, 1), cube(7.5, 7.5, 7.5, 1)};
    for (int axis = 0; axis < 3; axis++) {
        put_at_plane(axis, boxes + 2);
        cm_broad *b = tree_of(CM_BROAD_OCTREE, true, 3, boxes, 4);
        expect_standing(b, 0, 1 + 1 + 2 + 1, 0, "at a plane");
        cm_broad_destroy(b);
    }
}

/* Everything spans -8 to 8: the root has an edge of 32, is divided at 0, and its upper child, of edge 16, at 8. A cube
 * of edge 8 in the lower corner of that child stands on its children, an ulp larger it stands on the child itself.
 * Three are small, and so are those in the corners, of which the lower one stands alone at depth 1. (All lower corners
 * are in one cell; what has none is not walked.) */
static void an_edge_as_long_as_its_own_is_enough(void **state) {
    (void)state;
    cm_aabb boxes[6] = {cube(-7.5, -7.5, -7.5, 1), cube(7.5, 7.5, 7.5, 1), cube(1, 1, 1, 0.5),
                        cube(2, 2, 2, 0.5),        cube(3, 3, 3, 0.5),     cube(4, 4, 4, 8)};
    cm_broad_desc desc = {.kind = CM_BROAD_OCTREE, .split = 2, .clipped = true, .levels = 2};
    for (int larger = 0; larger < 2; larger++) {
        cm_broad *b = NULL;
        uint32_t ids[6];
        assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
        assert_int_equal(cm_broad_add_many(b, boxes, 0, 6, NULL, ids), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
        cm_aabb box = boxes[5];
        if (larger) box.max.y += 8 * CM_REAL_EPSILON;
        assert_int_equal(cm_broad_move(b, ids[5], &box), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
        expect_standing(b, 0, larger ? 2 : 1, larger ? 4 : 5, larger ? "an ulp larger" : "as large");
        cm_broad_destroy(b);
    }
}

/* The same cells. The outermost reach as far as the root's objects may, and still hold nothing that is larger than
 * their edge: an object that grows goes up, and down again when it is small. */
static void what_grows_goes_up_and_what_shrinks_goes_down(void **state) {
    (void)state;
    const cm_aabb boxes[6] = {cube(-7.5, -7.5, -7.5, 1), cube(7.5, 7.5, 7.5, 1), cube(1, 1, 1, 0.5),
                              cube(2, 2, 2, 0.5),        cube(3, 3, 3, 0.5),     cube(5, 5, 5, 0.5)};
    const struct {
        cm_aabb box;
        uint32_t at[3];
    } moves[] = {{cube(9.5, 9.5, 9.5, 1), {0, 1, 4 + 2}},
                 {cube(14.5, 14.5, 14.5, 11), {0, 1 + 1, 4}}, /* within its cell, and too large for it */
                 {cube(9.5, 9.5, 9.5, 21), {1, 1, 4}},
                 {cube(9.5, 9.5, 9.5, 1), {0, 1, 4 + 2}}};
    cm_broad_desc desc = {.kind = CM_BROAD_OCTREE, .split = 2, .clipped = true, .levels = 2};
    cm_broad *b = NULL;
    uint32_t ids[6];
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, 6, NULL, ids), CM_OK);
    assert_int_equal(cm_broad_update(b), CM_OK);
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        char what[40];
        snprintf(what, sizeof what, "move %zu", i);
        assert_int_equal(cm_broad_move(b, ids[5], &moves[i].box), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
        expect_standing(b, moves[i].at[0], moves[i].at[1], moves[i].at[2], what);
    }
    cm_broad_destroy(b);
}

/* An object that stood across a plane, on both sides, goes to one side: only there it is met, and stands once. */
static void what_stood_in_two_cells_is_found_in_one(void **state) {
    (void)state;
    const cm_aabb boxes[4] = {cube(0, 3, 3, 2), cube(-7.5, -7.5, -7.5, 1), cube(7.5, 7.5, 7.5, 1), cube(-3, -3, 3, 1)};
    for (int side = -1; side <= 1; side += 2) {
        cm_broad_desc desc = {.kind = CM_BROAD_OCTREE, .split = 3, .clipped = true};
        cm_broad *b = NULL;
        uint32_t ids[4];
        assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
        assert_int_equal(cm_broad_add_many(b, boxes, 0, 4, NULL, ids), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
        expect_standing(b, 0, 2 + 3, 0, "across");
        const cm_aabb box = cube(side * 2, 3, 3, 2);
        assert_int_equal(cm_broad_move(b, ids[0], &box), CM_OK);
        assert_int_equal(cm_broad_update(b), CM_OK);
        expect_standing(b, 0, 1 + 3, 0, "on one side");
        uint32_t found = 0;
        cm_broad_query_box(b, &box, 0, count_find, &found);
        check_that(found == 1, "side %d: %u found", side, found);
        cm_broad_destroy(b);
    }
}

/* A bar that is too long for the root's children stands on the root, and is compared below it only in cells that it
 * meets and that are not empty: it meets two of the eight, of which one holds something. One cell and one box. */
static void below_a_cell_only_what_is_met_is_compared(void **state) {
    (void)state;
    cm_aabb boxes[3] = {cube(0, 2.5, 2.5, 1), cube(7.5, 2.5, 2.5, 1), cube(-7.5, -7.5, -7.5, 1)};
    boxes[0].min.x = -8, boxes[0].max.x = 8;
    cm_broad_desc desc = {.kind = CM_BROAD_OCTREE, .split = 2, .clipped = true, .loose = CM_REAL(1.5), .levels = 1};
    cm_broad *b = NULL;
    cm_broad_pair_view view;
    cm_broad_stats stats;
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, 3, NULL, NULL), CM_OK);
    assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
    expect_standing(b, 1, 2, 0, "a bar");
    cm_broad_get_stats(b, &stats);
    check_that(view.count == 1 && stats.tests == 2, "%zu pairs by %llu tests", view.count,
               (unsigned long long)stats.tests);
    cm_broad_destroy(b);
}

/* Threshold 6: seven divide the root, and it is whole again when fewer than three are left. */
static void cells_are_joined_below_half_of_the_threshold(void **state) {
    (void)state;
    const cm_aabb boxes[7] = {cube(-7.5, -7.5, -7.5, 1), cube(7.5, 7.5, 7.5, 1), cube(3, 3, -3, 1), cube(3, -3, 3, 1),
                              cube(-3, 3, 3, 1),         cube(3, -3, -3, 1),     cube(-3, 3, -3, 1)};
    cm_broad_desc desc = {.kind = CM_BROAD_OCTREE, .split = 6, .clipped = true};
    cm_broad *b = NULL;
    uint32_t ids[7];
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, 7, NULL, ids), CM_OK);
    for (int left = 7; left > 0; left--) {
        cm_broad_stats stats;
        assert_int_equal(cm_broad_update(b), CM_OK);
        cm_broad_get_stats(b, &stats);
        check_that(stats.nodes == (left < 3 ? 1u : 9u), "%d left: %u nodes", left, stats.nodes);
        assert_int_equal(cm_broad_remove(b, ids[left - 1]), CM_OK);
    }
    cm_broad_destroy(b);
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
            standing s = {0};
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
        cmocka_unit_test(a_cell_holds_its_lower_sides_only),
        cmocka_unit_test(an_edge_as_long_as_its_own_is_enough),
        cmocka_unit_test(what_grows_goes_up_and_what_shrinks_goes_down),
        cmocka_unit_test(what_stood_in_two_cells_is_found_in_one),
        cmocka_unit_test(below_a_cell_only_what_is_met_is_compared),
        cmocka_unit_test(cells_are_joined_below_half_of_the_threshold),
        cmocka_unit_test(an_object_stands_in_eight_cells_at_most),
        cmocka_unit_test(clipped_trees_compare_less_in_a_crowd_and_more_on_a_grid),
        cmocka_unit_test(cells_are_joined_again_when_objects_leave),
        cmocka_unit_test(a_swarm_that_leaves_the_root_is_still_divided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
