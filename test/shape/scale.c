/* Scaled shapes: a point is in the image exactly where its pre-image is in the shape. */
#include "support/support.h"

#include <math.h>

static cm_real gap_of(const cm_shape *s, cm_vec3 p) {
    cm_shape point = cm_make_point(p);
    cm_pose home = cm_pose_identity();
    return cm_distance(s, &home, &point, &home, CM_REAL_MAX, NULL);
}

static cm_shape random_shape(rng *r, int kind, bool round) {
    cm_vec3 h = cm_v(CM_REAL(rng_range(r, 0.2, 1)), CM_REAL(rng_range(r, 0.2, 1)), CM_REAL(rng_range(r, 0.2, 1)));
    cm_shape s = kind == 0   ? cm_make_point(round ? cm_v(0, 0, 0) : rng_vec3(r, 1))
                 : kind == 1 ? cm_make_segment(rng_vec3(r, 1), rng_vec3(r, 1))
                 : kind == 2 ? cm_make_triangle(rng_vec3(r, 1), rng_vec3(r, 1), rng_vec3(r, 1))
                 : kind == 3 ? cm_make_box(h)
                 : kind == 4 ? cm_make_ellipsoid(h)
                 : kind == 5 ? cm_make_cylinder(h.x, h.z)
                 : kind == 6 ? cm_make_cone(h.x, h.z)
                             : cm_make_halfspace(rng_direction(r), CM_REAL(rng_range(r, -0.5, 0.5)));
    if (round) s.radius = h.y;
    return s;
}

static void a_point_is_in_the_image_where_it_was_in_the_shape(void **state) {
    (void)state;
    rng r = rng_start("scaled shapes", 41);
    int done = 0, inside = 0, count = samples(20000, 2000000);
    for (int i = 0; i < count; i++) {
        int kind = (int)rng_below(&r, 8);
        bool round = rng_below(&r, 3) == 0, even = rng_below(&r, 2) != 0;
        cm_shape s = random_shape(&r, kind, round), t;
        cm_vec3 k = cm_v(CM_REAL(rng_log_range(&r, 0.1, 10)), CM_REAL(rng_log_range(&r, 0.1, 10)),
                         CM_REAL(rng_log_range(&r, 0.1, 10)));
        if (even) k.y = k.z = k.x;
        if (kind == 5 || kind == 6) k.y = k.x;
        if (rng_below(&r, 2)) k.x = -k.x;
        if (rng_below(&r, 2) && kind != 6) k.z = -k.z;
        cm_status status = cm_shape_scaled(&s, k, &t);
        bool fits = even || !round || kind == 0 || kind == 7;
        check_that(status == (fits ? CM_OK : CM_UNSUPPORTED), "kind %d: %s", kind, cm_status_text(status));
        if (status != CM_OK) continue;
        done++;
        for (int j = 0; j < 4; j++) {
            cm_vec3 p = rng_vec3(&r, 1), q = cm_v(p.x * k.x, p.y * k.y, p.z * k.z);
            cm_real before = gap_of(&s, p), after = gap_of(&t, q);
            double least = (double)cm_min(cm_abs(k.x), cm_min(cm_abs(k.y), cm_abs(k.z))), most = (double)cm_largest(k);
            if (before > CM_REAL(1e-3)) /* distances stretch between the least and the largest scale */
                check_that((double)after >= (double)before * least * 0.999 &&
                               (double)after <= (double)before * most * 1.001,
                           "kind %d: %g, scaled %g", kind, (double)before, (double)after);
            if (before < CM_REAL(-1e-3))
                check_that(after < 0, "kind %d: %g, scaled %g", kind, (double)before, (double)after);
            inside += before < 0;
        }
    }
    assert_true(4 * done > count && 20 * inside > count);
}

static void what_has_no_image_is_refused(void **state) {
    (void)state;
    cm_shape box = cm_make_box(cm_v(1, 1, 1));
    assert_int_equal(cm_shape_scaled(&box, cm_v(1, 2, 3), NULL), CM_INVALID);
    cm_shape out = cm_make_sphere(cm_v(9, 9, 9), 9), s = cm_make_capsule(cm_v(0, 0, 0), cm_v(1, 0, 0), 1);
    assert_int_equal(cm_shape_scaled(&s, cm_v(1, 2, 1), &out), CM_UNSUPPORTED);
    s = cm_make_sphere(cm_v(1, 0, 0), 1);
    assert_int_equal(cm_shape_scaled(&s, cm_v(1, 2, 1), &out), CM_UNSUPPORTED);
    s = cm_make_cylinder(1, 1);
    assert_int_equal(cm_shape_scaled(&s, cm_v(1, 2, 1), &out), CM_UNSUPPORTED);
    s = cm_make_cone(1, 1);
    assert_int_equal(cm_shape_scaled(&s, cm_v(1, 1, -1), &out), CM_UNSUPPORTED);
    s = cm_make_box(cm_v(1, 1, 1));
    assert_int_equal(cm_shape_scaled(&s, cm_v(1, 0, 1), &out), CM_INVALID);
    assert_int_equal(cm_shape_scaled(&s, cm_v(1, (cm_real)NAN, 1), &out), CM_NOT_FINITE);
    s.u.box.x = CM_COORD_MAX;
    assert_int_equal(cm_shape_scaled(&s, cm_v(4, 4, 4), &out), CM_NOT_FINITE);
    assert_int_equal(cm_shape_scaled(NULL, cm_v(1, 1, 1), &out), CM_INVALID);
    assert_true(out.radius == 9 && out.u.point.x == 9);
}

static const cm_vec3 tetrahedron[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static void a_mirrored_mesh_keeps_its_outside(void **state) {
    (void)state;
    const cm_vec3 scales[4] = {{2, 3, 4}, {-2, 3, 4}, {-2, -3, 4}, {-2, -3, -4}};
    for (int i = 0; i < 4; i++) {
        cm_mesh_desc desc = {.points = &tetrahedron[0].x,
                             .point_count = 4,
                             .indices = faces,
                             .triangle_count = 4,
                             .solid = true,
                             .scale = scales[i]};
        cm_mesh *mesh = NULL;
        assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
        cm_mesh_info info;
        cm_mesh_get_info(mesh, &info);
        check_that(fabs((double)info.volume - 4) < 1e-5, "%d: %g", i, (double)info.volume);
        assert_true(cm_mesh_winding(mesh, cm_scale(scales[i], CM_REAL(0.125)), NULL) == 1);
        cm_mesh_destroy(mesh, NULL);
        cm_hull_desc hull_desc = {.points = &tetrahedron[0].x, .point_count = 4, .scale = scales[i]};
        cm_hull *hull = NULL;
        assert_int_equal(cm_hull_build(&hull_desc, NULL, &hull, NULL), CM_OK);
        cm_hull_info h;
        cm_hull_get_info(hull, &h);
        check_that(fabs((double)h.volume - 4) < 1e-5 && h.vertices == 4, "%d: %g", i, (double)h.volume);
        cm_hull_destroy(hull, NULL);
    }
}

static void a_bad_scale_is_refused_by_a_build(void **state) {
    (void)state;
    cm_error error = {CM_OK, NULL, 0};
    cm_hull *hull = NULL;
    cm_mesh *mesh = NULL;
    const cm_vec3 bad[3] = {{1, 0, 1}, {(cm_real)NAN, 1, 1}, {CM_COORD_MAX, 1, 1}};
    const cm_status want[2] = {CM_INVALID, CM_NOT_FINITE};
    cm_vec3 far[4] = {{0, 0, 0}, {9, 0, 0}, {0, 9, 0}, {0, 0, 9}};
    for (int i = 0; i < 3; i++) {
        cm_hull_desc h = {.points = &far[0].x, .point_count = 4, .scale = bad[i]};
        cm_mesh_desc m = {
            .points = &far[0].x, .point_count = 4, .indices = faces, .triangle_count = 4, .scale = bad[i]};
        assert_int_equal(cm_hull_build(&h, NULL, &hull, &error), want[i > 0]);
        assert_string_equal(error.field, i < 2 ? "scale" : "points");
        assert_int_equal(cm_mesh_build(&m, NULL, &mesh, &error), want[i > 0]);
        assert_string_equal(error.field, i < 2 ? "scale" : "points");
    }
    assert_true(!hull && !mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_is_in_the_image_where_it_was_in_the_shape),
        cmocka_unit_test(what_has_no_image_is_refused),
        cmocka_unit_test(a_mirrored_mesh_keeps_its_outside),
        cmocka_unit_test(a_bad_scale_is_refused_by_a_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
