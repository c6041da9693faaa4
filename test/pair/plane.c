/* Which side of a plane something is on, and how it lies to a frustum: by hand, and against corners. */
#include "support/support.h"

#include <math.h>

static const cm_plane floor_at_1 = {{0, 0, 1}, -1}; /* z = 1 */

static void a_sphere_is_before_behind_or_across(void **state) {
    (void)state;
    const struct {
        cm_real z, radius;
        int side;
    } cases[] = {{4, 2, 1}, {3, 2, 0}, {1, 0, 0}, {1, 2, 0}, {-1, 2, 0}, {-2, 2, -1}, {CM_REAL(1.5), 0, 1}};
    for (int i = 0; i < 7; i++) {
        cm_sphere s = {{5, 6, cases[i].z}, cases[i].radius};
        int side = cm_side_sphere_plane(&s, &floor_at_1);
        check_that(side == cases[i].side, "case %d: %d for %d", i, side, cases[i].side);
        assert_int_equal(cm_overlap_sphere_plane(&s, &floor_at_1), side == 0);
    }
}

static void a_box_is_before_behind_or_across(void **state) {
    (void)state;
    const struct {
        cm_real low, high;
        int side;
    } cases[] = {{2, 3, 1}, {1, 3, 0}, {0, 3, 0}, {0, 1, 0}, {-1, CM_REAL(0.5), -1}, {1, 1, 0}, {2, 2, 1}};
    for (int i = 0; i < 7; i++) {
        cm_aabb b = {{-1, -1, cases[i].low}, {4, 4, cases[i].high}};
        int side = cm_side_aabb_plane(&b, &floor_at_1);
        check_that(side == cases[i].side, "case %d: %d for %d", i, side, cases[i].side);
        assert_int_equal(cm_overlap_aabb_plane(&b, &floor_at_1), side == 0);
    }
}

/* A cube of half 1, an eighth of a turn about x: it reaches sqrt 2 = 1.41421 up and down, not 1. */
static void a_turned_box_reaches_by_its_edge(void **state) {
    (void)state;
    cm_obb b = {.center = {0, 0, CM_REAL(2.4142)}, .half = {1, 1, 1}};
    cm_quat_from_axis_angle(cm_v(1, 0, 0), CM_REAL(0.78539816339744831), &b.rotation);
    assert_int_equal(cm_side_obb_plane(&b, &floor_at_1), 0);
    b.center.z = CM_REAL(2.4143);
    assert_int_equal(cm_side_obb_plane(&b, &floor_at_1), 1);
    b.center.z = CM_REAL(-0.4143);
    assert_int_equal(cm_side_obb_plane(&b, &floor_at_1), -1);
    b.center.z = CM_REAL(-0.4142);
    assert_int_equal(cm_side_obb_plane(&b, &floor_at_1), 0);
}

static void a_triangle_is_where_its_three_corners_are(void **state) {
    (void)state;
    const struct {
        cm_real z[3];
        int side;
    } cases[] = {{{2, 3, 4}, 1},  {{2, 1, 4}, 0}, {{2, 0, 4}, 0},  {{0, 0, -4}, -1},
                 {{0, 1, -4}, 0}, {{1, 1, 1}, 0}, {{0, -1, 4}, 0}, {{4, 2, 0}, 0}};
    for (int i = 0; i < 8; i++) {
        cm_triangle t = {{0, 0, cases[i].z[0]}, {1, 0, cases[i].z[1]}, {0, 1, cases[i].z[2]}};
        int side = cm_side_triangle_plane(&t, &floor_at_1);
        check_that(side == cases[i].side, "case %d: %d for %d", i, side, cases[i].side);
    }
}

static void what_is_invalid_is_on_no_side(void **state) {
    (void)state;
    const cm_real nan = (cm_real)NAN;
    cm_sphere s = {{0, 0, 9}, -1};
    cm_aabb b = {{0, 0, 9}, {1, 1, 8}};
    cm_obb o = {{0, 0, 9}, {1, 1, 1}, {0, 0, 0, 0}};
    cm_triangle t = {{0, 0, 9}, {1, 0, nan}, {0, 1, 9}};
    cm_plane bad = {{0, 0, 2}, -1};
    cm_aabb good = {{0, 0, 8}, {1, 1, 9}};
    assert_int_equal(cm_side_sphere_plane(&s, &floor_at_1), 0);
    assert_int_equal(cm_side_aabb_plane(&b, &floor_at_1), 0);
    assert_int_equal(cm_side_obb_plane(&o, &floor_at_1), 0);
    assert_int_equal(cm_side_triangle_plane(&t, &floor_at_1), 0);
    assert_int_equal(cm_side_aabb_plane(&good, &bad), 0);
}

/* --- frusta ------------------------------------------------------------------------------------------------------ */

/* Looks along -z from the origin, 45 degrees to each side, from z = -1 to z = -100: |x| and |y| <= -z. */
static void look_along_z(cm_frustum *out) {
    const cm_real h = CM_REAL(0.70710678118654752);
    const cm_plane planes[6] = {{{-h, 0, h}, 0}, {{h, 0, h}, 0}, {{0, -h, h}, 0},
                                {{0, h, h}, 0},  {{0, 0, 1}, 1}, {{0, 0, -1}, -100}};
    memcpy(out->planes, planes, sizeof planes);
    assert_true(cm_frustum_is_valid(out));
}

static cm_aabb cube_at(cm_real x, cm_real y, cm_real z, cm_real half) {
    return cm_aabb_from_center(cm_v(x, y, z), cm_v(half, half, half));
}

static void a_box_is_outside_cut_or_inside(void **state) {
    (void)state;
    cm_frustum f;
    look_along_z(&f);
    const struct {
        cm_real x, y, z, half;
        cm_cull cull;
    } cases[] = {
        {0, 0, -10, 1, CM_CULL_INSIDE},   {0, 0, 10, 1, CM_CULL_OUTSIDE}, {0, 0, -1, CM_REAL(0.5), CM_CULL_CUT},
        {0, 0, -200, 1, CM_CULL_OUTSIDE}, {0, 0, -100, 1, CM_CULL_CUT},   {10, 0, -10, 1, CM_CULL_CUT},
        {13, 0, -10, 1, CM_CULL_OUTSIDE}, {7, 0, -10, 1, CM_CULL_INSIDE}, {0, -13, -10, 1, CM_CULL_OUTSIDE},
        {0, 7, -10, 1, CM_CULL_INSIDE},   {0, 0, -50, 80, CM_CULL_CUT},   {0, 0, -2, 1, CM_CULL_INSIDE},
    };
    for (int i = 0; i < 12; i++) {
        cm_aabb b = cube_at(cases[i].x, cases[i].y, cases[i].z, cases[i].half);
        cm_obb o;
        cm_obb_from_aabb(&b, &o);
        cm_cull cull = cm_cull_aabb_frustum(&b, &f), turned = cm_cull_obb_frustum(&o, &f);
        check_that(cull == cases[i].cull, "box %d: %d for %d", i, (int)cull, (int)cases[i].cull);
        check_that(turned == cases[i].cull, "turned box %d: %d for %d", i, (int)turned, (int)cases[i].cull);
    }
}

/* From (8, 0, -10) the right plane is (10 - 8) / sqrt 2 = 1.41421 away. */
static void a_sphere_is_outside_cut_or_inside(void **state) {
    (void)state;
    cm_frustum f;
    look_along_z(&f);
    cm_sphere s = {{8, 0, -10}, CM_REAL(1.4142)};
    assert_int_equal(cm_cull_sphere_frustum(&s, &f), CM_CULL_INSIDE);
    s.radius = CM_REAL(1.4143);
    assert_int_equal(cm_cull_sphere_frustum(&s, &f), CM_CULL_CUT);
    s.center.x = 12;
    assert_int_equal(cm_cull_sphere_frustum(&s, &f), CM_CULL_CUT);
    s.radius = CM_REAL(1.4142);
    assert_int_equal(cm_cull_sphere_frustum(&s, &f), CM_CULL_OUTSIDE);
    s.radius = -1;
    assert_int_equal(cm_cull_sphere_frustum(&s, &f), CM_CULL_OUTSIDE);
}

static void touching_from_within_is_inside_from_outside_is_cut(void **state) {
    (void)state;
    cm_frustum f; /* a box from 0 to 4 */
    for (int i = 0; i < 6; i++) {
        cm_real n[3] = {0, 0, 0};
        n[i / 2] = i % 2 ? 1 : -1;
        f.planes[i].normal = cm_v(n[0], n[1], n[2]), f.planes[i].d = i % 2 ? -4 : 0;
    }
    cm_aabb whole = {{0, 0, 0}, {4, 4, 4}}, beside = {{4, 0, 0}, {5, 4, 4}};
    cm_sphere within = {{2, 2, 2}, 2}, outside = {{5, 2, 2}, 1};
    assert_int_equal(cm_cull_aabb_frustum(&whole, &f), CM_CULL_INSIDE);
    assert_int_equal(cm_cull_aabb_frustum(&beside, &f), CM_CULL_CUT);
    assert_int_equal(cm_cull_sphere_frustum(&within, &f), CM_CULL_INSIDE);
    assert_int_equal(cm_cull_sphere_frustum(&outside, &f), CM_CULL_CUT);
}

/* Beside the far right edge, where x <= -z meets z >= -100 at (100, -100). The box from x = 110 on is outside: within
 * z >= -100 the frustum ends at x = 100. But its corner (110, -130) has x + z = -20, so it is not outside the right
 * plane, and its corner (110, -90) is not outside the far one. With x from 131 on it is outside the right plane too. */
static void a_box_beside_an_edge_is_kept_though_it_is_outside(void **state) {
    (void)state;
    cm_frustum f;
    look_along_z(&f);
    cm_aabb beside = {{110, -1, -130}, {150, 1, -90}}, farther = {{131, -1, -130}, {150, 1, -90}};
    assert_int_equal(cm_cull_aabb_frustum(&beside, &f), CM_CULL_CUT);
    assert_int_equal(cm_cull_aabb_frustum(&farther, &f), CM_CULL_OUTSIDE);
}

static cm_hull *hull_of(const cm_vec3 corners[8]) {
    cm_hull_desc desc = {.points = &corners[0].x, .point_count = 8};
    cm_hull *hull = NULL;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    return hull;
}

/* Against the hull of the eight corners, where nothing is kept too much: cubes of three sizes, turned at random, within
 * the frustum and around it. */
static void what_is_called_certain_is_and_what_is_kept_too_much_is_counted(void **state) {
    (void)state;
    rng r = rng_start("cull", 97);
    cm_frustum f;
    look_along_z(&f);
    cm_vec3 corners[8];
    for (int i = 0; i < 8; i++) {
        cm_real z = i & 4 ? 100 : 1;
        corners[i] = cm_v(i & 1 ? z : -z, i & 2 ? z : -z, -z);
    }
    cm_hull *hull = hull_of(corners);
    cm_shape shape = cm_make_hull(hull);
    cm_pose here = cm_pose_identity();
    int kept[3] = {0}, wrongly[3] = {0}, culled = 0;
    for (int i = 0; i < samples(30000, 1000000); i++) {
        cm_real z = (cm_real)rng_range(&r, -5, 105);
        int size = i % 3;
        double half = (size == 0 ? 0.05 : size == 1 ? 0.25 : 1) * (5 + fabs((double)z));
        cm_obb o = {.center = rng_vec3(&r, 2 * fabs((double)z) + 5), .half = cm_v(1, 1, 1)};
        o.center.z = -z, o.half = cm_scale(o.half, (cm_real)half), o.rotation = rng_rotation(&r);
        cm_shape box = cm_make_box(o.half);
        cm_pose at = {o.center, o.rotation};
        bool meets = cm_overlap(&shape, &here, &box, &at);
        double gap = (double)cm_distance(&shape, &here, &box, &at, CM_REAL_MAX, NULL);
        cm_cull cull = cm_cull_obb_frustum(&o, &f);
        bool all_in = true;
        cm_vec3 at_corner[8];
        cm_corners_obb(&o, at_corner);
        for (int k = 0; k < 8; k++) all_in = all_in && cm_overlap_point_frustum(at_corner[k], &f);
        if (fabs(gap) > 1e-3) {
            check_that(cull != CM_CULL_OUTSIDE || !meets, "sample %d: seen, and culled; gap %g", i, gap);
            check_that(cull != CM_CULL_INSIDE || all_in, "sample %d: not all inside", i);
        }
        culled += cull == CM_CULL_OUTSIDE;
        kept[size] += cull != CM_CULL_OUTSIDE, wrongly[size] += cull != CM_CULL_OUTSIDE && !meets;
    }
    for (int i = 0; i < 3; i++)
        print_message("  half %g of the width: %d kept, %.2f %% of them not seen\n",
                      i == 0   ? 0.05
                      : i == 1 ? 0.25
                               : 1,
                      kept[i], 100.0 * wrongly[i] / kept[i]);
    check_that(culled > 0 && wrongly[1] > 0, "culled %d, %d kept too much", culled, wrongly[1]);
    check_that(wrongly[0] * 50 < kept[0], "of small boxes %d of %d kept too much", wrongly[0], kept[0]);
    check_that(wrongly[1] * 10 < kept[1], "of larger ones %d of %d kept too much", wrongly[1], kept[1]);
    cm_hull_destroy(hull, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_is_before_behind_or_across),
        cmocka_unit_test(a_box_is_before_behind_or_across),
        cmocka_unit_test(a_turned_box_reaches_by_its_edge),
        cmocka_unit_test(a_triangle_is_where_its_three_corners_are),
        cmocka_unit_test(what_is_invalid_is_on_no_side),
        cmocka_unit_test(a_box_is_outside_cut_or_inside),
        cmocka_unit_test(a_sphere_is_outside_cut_or_inside),
        cmocka_unit_test(touching_from_within_is_inside_from_outside_is_cut),
        cmocka_unit_test(a_box_beside_an_edge_is_kept_though_it_is_outside),
        cmocka_unit_test(what_is_called_certain_is_and_what_is_kept_too_much_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
