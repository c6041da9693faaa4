/* The relation of two solids where a length is the tolerance itself, and where it is a little more: gap, reach, what
 * sticks out, and thickness. Sizes are halves, quarters and eighths, so that all of them are exact. */
#include "support/solids.h"

#define QUARTER CM_REAL(0.25)
#define LESS    CM_REAL(0.2421875) /* 31 / 128: by more than a reach is measured to */

static cm_relation_result relation_at(const cm_mesh *a, const cm_mesh *b, cm_real x, cm_real tolerance) {
    const cm_shape of_a = cm_make_mesh(a), of_b = cm_make_mesh(b);
    const cm_pose home = cm_pose_identity();
    cm_pose aside = home;
    aside.position.x = x;
    cm_relation_result r;
    assert_int_equal(cm_mesh_relation(&of_a, &home, &of_b, &aside, tolerance, CM_REAL_MAX, &r), CM_OK);
    assert_true(r.tolerance == tolerance);
    return r;
}
static void is_at(const cm_mesh *a, const cm_mesh *b, cm_real x, cm_relation within, cm_relation beyond) {
    cm_relation_result r = relation_at(a, b, x, QUARTER);
    check_that(r.relation == within, "a quarter: %s, distance " REAL_FORMAT, cm_relation_text(r.relation),
               (double)r.distance);
    r = relation_at(a, b, x, LESS);
    check_that(r.relation == beyond, "less: %s, distance " REAL_FORMAT, cm_relation_text(r.relation),
               (double)r.distance);
}

static void what_is_as_far_as_the_tolerance_is_within_it(void **state) {
    (void)state;
    cm_mesh *cube = solid_box(1, 1, 1, 1, false), *other = solid_box(1, 1, 1, 1, true);
    cm_mesh *small = solid_box(QUARTER, QUARTER, QUARTER, 1, false);
    is_at(cube, other, 2 + QUARTER, CM_RELATION_TOUCHING, CM_RELATION_SEPARATED);
    is_at(cube, other, -2 - QUARTER, CM_RELATION_TOUCHING, CM_RELATION_SEPARATED);
    is_at(cube, other, 2 - QUARTER, CM_RELATION_TOUCHING, CM_RELATION_CROSSING);
    is_at(cube, other, QUARTER, CM_RELATION_IDENTICAL, CM_RELATION_CROSSING);
    is_at(cube, small, 1, CM_RELATION_B_IN_A, CM_RELATION_CROSSING); /* half of it sticks out, by a quarter */
    is_at(small, cube, 1, CM_RELATION_A_IN_B, CM_RELATION_CROSSING);
    cm_mesh_destroy(cube, NULL);
    cm_mesh_destroy(other, NULL);
    cm_mesh_destroy(small, NULL);
}

/* Twice the volume by the area: of 1 by 1 by 1/2 a quarter. */
static void what_is_as_thin_as_the_tolerance_is_thin(void **state) {
    (void)state;
    cm_mesh *slab = solid_box(CM_REAL(0.5), CM_REAL(0.5), QUARTER, 1, false), *cube = solid_box(1, 1, 1, 1, false);
    cm_relation_result r = relation_at(slab, cube, 8, QUARTER);
    assert_true(r.thin_a && !r.thin_b);
    r = relation_at(cube, slab, 8, QUARTER);
    assert_true(!r.thin_a && r.thin_b);
    r = relation_at(slab, cube, 8, LESS);
    assert_false(r.thin_a);
    cm_mesh_destroy(slab, NULL);
    cm_mesh_destroy(cube, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_as_far_as_the_tolerance_is_within_it),
                                       cmocka_unit_test(what_is_as_thin_as_the_tolerance_is_thin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
