/* Manifolds of one plane become one: which points stay. */
#include "support/support.h"

#include "pair/join.h"

/* Points of equal depth on the plane z = 0, at these places. */
static cm_manifold flat_manifold(int count, const double at[][2], double depth) {
    cm_manifold m = {.normal = cm_v(0, 0, 1), .part_a = 0, .part_b = 0, .count = count};
    for (int i = 0; i < count; i++) {
        cm_contact_point *p = &m.points[i];
        p->point_a = cm_v(CM_REAL(at[i][0]), CM_REAL(at[i][1]), 0);
        p->point_b = cm_v(CM_REAL(at[i][0]), CM_REAL(at[i][1]), CM_REAL(-depth));
        p->depth = CM_REAL(depth), p->feature_a = p->feature_b = (uint32_t)i;
    }
    return m;
}

static const double square[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, 0}};
static const double diamond[4][2] = {{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}};

static void two_squares_make_an_octagon(void **state) {
    (void)state;
    cm_manifold m = flat_manifold(4, square, 0.25);
    const cm_manifold other = flat_manifold(4, diamond, 0.25);
    assert_true(cm__manifold_join(&m, &other));
    assert_int_equal(m.count, 8);
}

static void of_one_place_the_deeper_point_stays(void **state) {
    (void)state;
    cm_manifold m = flat_manifold(1, square, 0.25);
    const cm_manifold other = flat_manifold(1, square, 0.5);
    assert_true(cm__manifold_join(&m, &other));
    assert_int_equal(m.count, 1);
    assert_true(m.points[0].depth == CM_REAL(0.5) && m.points[0].point_b.z == CM_REAL(-0.5));
}

static void what_adds_nothing_changes_nothing(void **state) {
    (void)state;
    cm_manifold m = flat_manifold(5, square, 0.25);
    const cm_manifold before = m, other = flat_manifold(4, square, 0.25);
    assert_true(cm__manifold_join(&m, &other));
    assert_int_equal(m.count, 5);
    assert_memory_equal(m.points, before.points, sizeof m.points);
}

/* A point beside the others that is less deep says what their plane does not: nothing is joined. */
static void what_is_less_deep_beside_stays_apart(void **state) {
    (void)state;
    static const double beside[1][2] = {{3, 0}};
    cm_manifold m = flat_manifold(4, square, 0.25);
    const cm_manifold other = flat_manifold(1, beside, 0.125);
    assert_false(cm__manifold_join(&m, &other));
    assert_int_equal(m.count, 4);
}

/* Of points that differ by rounding the greatest depth is told, at the deepest of those that stay: none of what lies
 * behind the last one. */
static void depths_that_differ_by_rounding_are_one(void **state) {
    (void)state;
    const double more = 0.25 + 4 * (double)CM_REAL_EPSILON;
    cm_manifold m = flat_manifold(5, square, 0.25), left_over = flat_manifold(5, square, 1);
    m.points[5] = left_over.points[0];
    const cm_manifold other = flat_manifold(4, square, more);
    assert_true(cm__manifold_join(&m, &other));
    assert_int_equal(m.count, 5);
    assert_true(m.points[0].depth == CM_REAL(more));
    for (int i = 1; i < 5; i++) assert_true(m.points[i].depth == CM_REAL(0.25));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_squares_make_an_octagon), cmocka_unit_test(of_one_place_the_deeper_point_stays),
        cmocka_unit_test(what_adds_nothing_changes_nothing), cmocka_unit_test(what_is_less_deep_beside_stays_apart),
        cmocka_unit_test(depths_that_differ_by_rounding_are_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
