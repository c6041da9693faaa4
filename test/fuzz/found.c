/* What fuzzing found, each by its name, so that it stays away. */
#include "support/nasty.h"
#include "support/solids.h"

#include <math.h>

static cm_real apart(const cm_shape *a, const cm_shape *b, cm_witness *w) {
    cm_pose home = cm_pose_identity();
    cm_real d = cm_distance(a, &home, b, &home, CM_REAL_MAX, w);
    assert_true(cm_overlap(a, &home, b, &home) == (d <= 0));
    return d;
}

/* On one line no product of edges is an axis: they counted as overlapping, infinitely deep. */
static void capsules_and_triangles_on_one_line_are_apart(void **state) {
    (void)state;
    cm_witness w;
    cm_shape needle = cm_make_triangle(cm_v(5, 0, 0), cm_v(6, 0, 0), cm_v(7, 0, 0));
    cm_shape capsule = cm_make_capsule(cm_v(0, 0, 0), cm_v(1, 0, 0), CM_REAL(0.5));
    cm_real d = apart(&capsule, &needle, &w);
    check_that(cm_abs(d - CM_REAL(3.5)) < CM_REAL(1e-5) && nasty_is_unit(w.normal), "%g", (double)d);
    cm_shape ball = cm_make_capsule(cm_v(1, 0, 0), cm_v(1, 0, 0), CM_REAL(0.5)); /* no length */
    cm_shape point = cm_make_triangle(cm_v(3, 0, 0), cm_v(3, 0, 0), cm_v(3, 0, 0));
    d = apart(&ball, &point, &w);
    check_that(cm_abs(d - CM_REAL(1.5)) < CM_REAL(1e-5) && nasty_is_finite(w.point_a), "%g", (double)d);
    needle.radius = 1;
    d = apart(&capsule, &needle, &w);
    check_that(cm_abs(d - CM_REAL(2.5)) < CM_REAL(1e-5), "%g", (double)d);
}

/* The witness of nothing was copied out, where all distances are asked for. */
static void nothing_has_no_witness(void **state) {
    (void)state;
    const cm_real heights[4] = {0, 0, 0, 0};
    const uint8_t holes[1] = {1};
    cm_height_field_desc desc = {
        .heights = heights, .columns = 2, .rows = 2, .column_spacing = 1, .row_spacing = 1, .holes = holes};
    cm_height_field *field = NULL;
    assert_int_equal(cm_height_field_build(&desc, NULL, &field, NULL), CM_OK);
    cm_shape empty = cm_make_height_field(field), ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    cm_pose home = cm_pose_identity();
    cm_witness w;
    memset(&w, NASTY_FILL, sizeof w);
    assert_true(cm_distance(&ball, &home, &empty, &home, CM_REAL_MAX, &w) == CM_REAL_MAX);
    assert_true(cm_distance(&empty, &home, &ball, &home, CM_REAL_MAX, &w) == CM_REAL_MAX);
    assert_true(nasty_untouched(&w, sizeof w));
    cm_height_field_destroy(field, NULL);
}

/* Two cubes side by side: triangles of the wall between them stood 2 deep in the other's top. The same as
 * flexible-collision-library/fcl#503. */
static void touching_cubes_have_no_depth(void **state) {
    (void)state;
    cm_mesh *cube = solid_box(1, 1, 1, 1, false);
    cm_shape shape = cm_make_mesh(cube);
    cm_pose left = cm_pose_identity(), right = left;
    left.position.x = -1, right.position.x = 1;
    static cm_manifold m[256];
    int count = cm_contact(&shape, &left, &shape, &right, 0, m, 256);
    check_that(count > 0 && count <= 256, "%d manifolds", count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < m[i].count; k++)
            check_that(cm_abs(m[i].points[k].depth) < CM_REAL(1e-4), "%d: depth %g", i, (double)m[i].points[k].depth);
    cm_mesh_destroy(cube, NULL);
}

static void answer_nan(const void *user, const double direction[3], double point[3]) {
    (void)user;
    point[0] = direction[0] > 0.9 ? 1 : HUGE_VAL - HUGE_VAL; /* a NaN that stands first was not seen */
    point[1] = point[2] = 0;
}
static void a_support_that_is_no_number_counts_as_the_center(void **state) {
    (void)state;
    cm_shape odd = cm_make_custom(answer_nan, NULL, cm_v(0, 0, 0), 2);
    cm_pose home = cm_pose_identity();
    cm_aabb box;
    assert_int_equal(cm_shape_check(&odd, NULL), CM_OK);
    cm_shape_bounds(&odd, &home, &box);
    check_that(nasty_is_finite(box.min) && nasty_is_finite(box.max), "%g %g", (double)box.min.x, (double)box.max.x);
    assert_true(box.min.x <= 0 && box.max.x >= 1);
}

/* A ray that is parallel to a plane but for rounding meets it at a place that no number can tell. */
static void planes_met_beyond_all_numbers_are_missed(void **state) {
    (void)state;
    cm_real tiny = sizeof(cm_real) == 4 ? CM_REAL(1e-38) : CM_REAL(1e-250), far = CM_COORD_MAX / 2;
    cm_ray ray = {cm_v(0, 0, 0), cm_v(0, far, 0), CM_REAL_MAX};
    cm_plane plane = {cm_v(-1, -tiny, 0), far};
    cm_ray_hit hit;
    memset(&hit, NASTY_FILL, sizeof hit);
    cm_shape ground = cm_make_halfspace(plane.normal, plane.d);
    cm_pose home = cm_pose_identity();
    bool met = cm_raycast_plane(&ray, &plane, &hit);
    assert_true(met ? nasty_is_finite(hit.point) : nasty_untouched(&hit, sizeof hit));
    memset(&hit, NASTY_FILL, sizeof hit);
    met = cm_raycast(&ray, &ground, &home, &hit);
    assert_true(met ? nasty_is_finite(hit.point) : nasty_untouched(&hit, sizeof hit));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capsules_and_triangles_on_one_line_are_apart),
        cmocka_unit_test(nothing_has_no_witness),
        cmocka_unit_test(touching_cubes_have_no_depth),
        cmocka_unit_test(a_support_that_is_no_number_counts_as_the_center),
        cmocka_unit_test(planes_met_beyond_all_numbers_are_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
