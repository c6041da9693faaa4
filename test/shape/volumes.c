/* Planes from equations, corners of boxes: by hand. */
#include "support/support.h"

#include <math.h>

#define NEAR (4 * (double)CM_REAL_EPSILON)

/* 3x + 4z + 10 = 0: the length of (3, 0, 4) is 5. */
static void an_equation_of_any_length_is_a_plane(void **state) {
    (void)state;
    const double sizes[] = {1, 1e-30, 1e30, -2};
    for (int i = 0; i < 4; i++) {
        cm_plane p;
        double s = sizes[i], sign = s < 0 ? -1 : 1;
        assert_true(cm_plane_from_equation((cm_real)(3 * s), 0, (cm_real)(4 * s), (cm_real)(10 * s), &p));
        check_that(fabs((double)p.normal.x - sign * 0.6) <= NEAR && p.normal.y == 0 &&
                       fabs((double)p.normal.z - sign * 0.8) <= NEAR && fabs((double)p.d - sign * 2) <= 2 * NEAR,
                   "%g: (%g %g %g), %g", s, (double)p.normal.x, (double)p.normal.y, (double)p.normal.z, (double)p.d);
        assert_true(cm_plane_is_valid(&p));
        /* (0, 7, 5): 3 * 0 + 4 * 5 + 10 = 30, a fifth of that is 6 */
        double height = (double)cm_distance_point_plane(cm_v(0, 7, 5), &p);
        check_that(fabs(height - sign * 6) <= 8 * NEAR, "%g: height %g", s, height);
    }
}

static void an_equation_without_a_plane_is_refused(void **state) {
    (void)state;
    const cm_real nan = (cm_real)NAN, inf = (cm_real)INFINITY;
    const cm_real bad[][4] = {{0, 0, 0, 1},
                              {nan, 1, 0, 0},
                              {0, 1, nan, 0},
                              {1, 0, 0, nan},
                              {inf, 0, 0, 1},
                              {1, 0, 0, inf},
                              {CM_REAL(1e-30), 0, 0, CM_COORD_MAX}};
    cm_plane p, untouched;
    memset(&p, 7, sizeof p), memset(&untouched, 7, sizeof untouched);
    for (int i = 0; i < 7; i++) {
        bool is = cm_plane_from_equation(bad[i][0], bad[i][1], bad[i][2], bad[i][3], &p);
        check_that(!is, "equation %d is taken", i);
        assert_memory_equal(&p, &untouched, sizeof p);
    }
}

static void corners_are_numbered_by_bits(void **state) {
    (void)state;
    cm_aabb b = {{1, 2, 3}, {4, 5, 6}};
    cm_vec3 c[8];
    cm_corners_aabb(&b, c);
    for (int i = 0; i < 8; i++)
        check_that(c[i].x == (i & 1 ? 4 : 1) && c[i].y == (i & 2 ? 5 : 2) && c[i].z == (i & 4 ? 6 : 3),
                   "corner %d: (%g %g %g)", i, (double)c[i].x, (double)c[i].y, (double)c[i].z);
}

/* A quarter turn about z takes the box's x axis to y and its y axis to -x: corner 1 (+x, -y, -z) of halves 1, 2, 3
 * around (10, 20, 30) stands at (10 + 2, 20 + 1, 30 - 3). */
static void corners_of_a_turned_box_are_in_its_own_axes(void **state) {
    (void)state;
    cm_obb o = {.center = {10, 20, 30}, .half = {1, 2, 3}};
    cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(1.5707963267948966), &o.rotation);
    const double want[8][3] = {{12, 19, 27}, {12, 21, 27}, {8, 19, 27}, {8, 21, 27},
                               {12, 19, 33}, {12, 21, 33}, {8, 19, 33}, {8, 21, 33}};
    cm_vec3 c[8];
    cm_corners_obb(&o, c);
    for (int i = 0; i < 8; i++)
        check_that(fabs((double)c[i].x - want[i][0]) <= 33 * NEAR && fabs((double)c[i].y - want[i][1]) <= 33 * NEAR &&
                       fabs((double)c[i].z - want[i][2]) <= 33 * NEAR,
                   "corner %d: (%g %g %g)", i, (double)c[i].x, (double)c[i].y, (double)c[i].z);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_equation_of_any_length_is_a_plane),
        cmocka_unit_test(an_equation_without_a_plane_is_refused),
        cmocka_unit_test(corners_are_numbered_by_bits),
        cmocka_unit_test(corners_of_a_turned_box_are_in_its_own_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
