/* Sort and sweep along three axes: what it finds and how much it compares, by hand. */
#include "support/support.h"

static cm_aabb box_of(double x, double y, double z, double w, double h, double d) {
    cm_aabb box = {cm_v((cm_real)x, (cm_real)y, (cm_real)z),
                   cm_v((cm_real)(x + w), (cm_real)(y + h), (cm_real)(z + d))};
    return box;
}

static cm_broad *three_axes(const cm_aabb *boxes, uint32_t count, bool fixed, uint32_t *ids) {
    cm_broad_desc desc = {.kind = CM_BROAD_SWEEP3};
    cm_broad_object_desc common = {.fixed = fixed};
    cm_broad *b = NULL;
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, count, &common, ids), CM_OK);
    return b;
}

static void expect(cm_broad *b, size_t pairs, uint64_t tests, const char *what) {
    cm_broad_pair_view view;
    cm_broad_stats stats;
    assert_int_equal(cm_broad_find_pairs(b, CM_BROAD_SORTED, &view), CM_OK);
    cm_broad_get_stats(b, &stats);
    check_that(view.count == pairs && stats.tests == tests, "%s: %zu pairs by %llu tests, not %zu by %llu", what,
               view.count, (unsigned long long)stats.tests, pairs, (unsigned long long)tests);
}

/* The intervals [0,3], [2,5] and [4,7]: the first and the second, the second and the third overlap. On the other axes
 * all are equal, so the sweep goes along the first: two tests, two pairs. */
static void the_articles_three_objects_make_two_pairs(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        cm_aabb boxes[3];
        for (int i = 0; i < 3; i++) {
            boxes[i] = box_of(0, 0, 0, 1, 1, 1);
            ((cm_real *)&boxes[i].min)[axis] = (cm_real)(2 * i),
                      ((cm_real *)&boxes[i].max)[axis] = (cm_real)(2 * i + 3);
        }
        uint32_t ids[3];
        cm_broad *b = three_axes(boxes, 3, false, ids);
        expect(b, 2, 2, "three in a row");
        cm_broad_destroy(b);
    }
}

/* At equal coordinates beginnings stand before ends: [0,1] and [1,2] are open together. One ulp apart they are not, and
 * are not even compared. */
static void equal_ends_touch(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        cm_aabb boxes[2] = {box_of(0, 0, 0, 1, 1, 1), box_of(0, 0, 0, 1, 1, 1)};
        ((cm_real *)&boxes[1].min)[axis] = 1, ((cm_real *)&boxes[1].max)[axis] = 2;
        uint32_t ids[2];
        cm_broad *b = three_axes(boxes, 2, false, ids);
        expect(b, 1, 1, "touching");
        ((cm_real *)&boxes[1].min)[axis] = 1 + CM_REAL_EPSILON;
        assert_int_equal(cm_broad_move(b, ids[1], &boxes[1]), CM_OK);
        expect(b, 0, 0, "an ulp apart");
        ((cm_real *)&boxes[1].min)[axis] = 1;
        assert_int_equal(cm_broad_move(b, ids[1], &boxes[1]), CM_OK);
        expect(b, 1, 1, "touching again");
        cm_broad_destroy(b);
    }
}

/* A hundred unit cubes in a row, 3 apart: no interval overlaps along x, so nothing is compared although all overlap
 * along y and z. What moves by less than the gap of 2 passes no end; what moves by 2 touches its neighbor: one test.
 * What jumps over ten others, to the gap behind the tenth, is open together with each of them while the ends are put in
 * order one by one: ten tests there, and ten on the way back. */
static void what_moves_is_compared_with_what_it_passes(void **state) {
    (void)state;
    enum { ROW = 100 };
    cm_aabb boxes[ROW];
    uint32_t ids[ROW];
    for (int i = 0; i < ROW; i++) boxes[i] = box_of(3 * i, 0, 0, 1, 1, 1);
    cm_broad *b = three_axes(boxes, ROW, false, ids);
    expect(b, 0, 0, "a row");
    const struct {
        double x;
        size_t pairs;
        uint64_t tests;
    } moves[] = {{150, 0, 0}, {151.5, 0, 0}, {152, 1, 1}, {152, 1, 0}, {151, 0, 0}, {181.5, 0, 10}, {151, 0, 10}};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        char what[80];
        cm_aabb box = box_of(moves[i].x, 0, 0, 1, 1, 1);
        assert_int_equal(cm_broad_move(b, ids[50], &box), CM_OK);
        snprintf(what, sizeof what, "move %zu", i);
        expect(b, moves[i].pairs, moves[i].tests, what);
    }
    cm_broad_destroy(b);
}

/* Flat boxes, equal in height, whose lower sides alone differ along x: n (n - 1) / 2 is all there is, whichever axis is
 * swept; static ones are not compared at all, and one that moves among them with each of them once. */
static void all_at_one_place_are_compared_once(void **state) {
    (void)state;
    enum { COUNT = 60 };
    cm_aabb boxes[COUNT];
    uint32_t ids[COUNT], id;
    for (int i = 0; i < COUNT; i++) boxes[i] = box_of(i % 5, 0, 0, 10, 0, 2);
    cm_broad *b = three_axes(boxes, COUNT, false, ids);
    expect(b, COUNT * (COUNT - 1) / 2, COUNT * (COUNT - 1) / 2, "a pile");
    for (int i = 0; i < COUNT; i++) assert_int_equal(cm_broad_move(b, ids[i], &boxes[i]), CM_OK);
    expect(b, COUNT * (COUNT - 1) / 2, 0, "nothing moved");
    for (int i = 0; i < COUNT; i += 2) assert_int_equal(cm_broad_remove(b, ids[i]), CM_OK);
    expect(b, COUNT / 2 * (COUNT / 2 - 1) / 2, 0, "half are gone");
    cm_broad_destroy(b);
    b = three_axes(boxes, COUNT, true, ids);
    cm_broad_object_desc mover = {.box = boxes[0]};
    assert_int_equal(cm_broad_add(b, &mover, &id), CM_OK);
    expect(b, COUNT, COUNT, "one moves among static ones");
    mover.fixed = true;
    uint32_t rest;
    assert_int_equal(cm_broad_add(b, &mover, &rest), CM_OK);
    expect(b, COUNT + 1, 3, "a static one comes"); /* past the ends of the moving one on each axis */
    assert_int_equal(cm_broad_set_fixed(b, id, true), CM_OK);
    expect(b, 0, 0, "and rests");
    cm_broad_destroy(b);
}

/* A row of cubes of edge 8, 24 apart, moves by 1 along each axis a frame, one of them by 2 along x: it gains 1 a frame,
 * touches the next when it has gained the gap of 16, and leaves it behind after 16 more; then the one after that, 24
 * later. The two are compared when they begin to overlap, never while they do: four tests in a hundred frames. */
static void pairs_are_kept_while_they_last(void **state) {
    (void)state;
    enum { ROW = 12, FRAMES = 100 };
    cm_aabb boxes[ROW];
    uint32_t ids[ROW];
    for (int i = 0; i < ROW; i++) boxes[i] = box_of(24 * i, 0, 0, 8, 8, 8);
    cm_broad *b = three_axes(boxes, ROW, false, ids);
    expect(b, 0, 0, "a row");
    uint64_t tests = 0;
    size_t frames_with_a_pair = 0;
    for (int f = 1; f <= FRAMES; f++) {
        for (int i = 0; i < ROW; i++) boxes[i] = box_of(24 * i + f * (i == 3 ? 2 : 1), f, f, 8, 8, 8);
        assert_int_equal(cm_broad_move_many(b, ids, boxes, 0, ROW), CM_OK);
        cm_broad_pair_view view;
        cm_broad_stats stats;
        assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
        cm_broad_get_stats(b, &stats);
        tests += stats.tests;
        frames_with_a_pair += view.count;
        const bool touches = (f >= 16 && f <= 32) || (f >= 40 && f <= 56) || (f >= 64 && f <= 80) || f >= 88;
        check_that(view.count == touches, "frame %d: %zu pairs", f, view.count);
    }
    assert_int_equal(tests, 4);
    assert_int_equal(frames_with_a_pair, 17 + 17 + 17 + 13);
    cm_broad_destroy(b);
}

/* A pile that is left by one after the other: each takes its pairs along. There are so many that a good part of them
 * share places of the table. */
static void what_leaves_a_pile_takes_its_pairs_along(void **state) {
    (void)state;
    enum { COUNT = 60 };
    cm_aabb boxes[COUNT];
    uint32_t ids[COUNT];
    for (int i = 0; i < COUNT; i++) boxes[i] = box_of(i % 5, 0, 0, 10, 10, 10);
    cm_broad *b = three_axes(boxes, COUNT, false, ids);
    for (int left = COUNT; left > 0; left--) {
        cm_broad_pair_view view;
        assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
        check_that(view.count == (size_t)left * (size_t)(left - 1) / 2, "%d left: %zu pairs", left, view.count);
        const cm_aabb away = box_of(20 + 2 * left, 20, 20, 1, 1, 1);
        assert_int_equal(cm_broad_move(b, ids[left - 1], &away), CM_OK);
    }
    cm_broad_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_articles_three_objects_make_two_pairs),
        cmocka_unit_test(equal_ends_touch),
        cmocka_unit_test(what_moves_is_compared_with_what_it_passes),
        cmocka_unit_test(all_at_one_place_are_compared_once),
        cmocka_unit_test(pairs_are_kept_while_they_last),
        cmocka_unit_test(what_leaves_a_pile_takes_its_pairs_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
