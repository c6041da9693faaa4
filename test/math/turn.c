/* Rotations from axis and angle and from matrices: by hand, there and back, and from nonsense. */
#include "support/support.h"

#include <math.h>

#define BOUND (sizeof(cm_real) == 4 ? 1e-6 : 1e-14)

static void check_near(cm_vec3 a, cm_vec3 b) {
    check_that((double)cm_largest(cm_sub(a, b)) <= BOUND, "(%g %g %g) for (%g %g %g)", (double)a.x, (double)a.y,
               (double)a.z, (double)b.x, (double)b.y, (double)b.z);
}

static void a_quarter_about_z_takes_x_to_y(void **state) {
    (void)state;
    cm_quat q;
    cm_quat_from_axis_angle(cm_v(0, 0, 7), CM_REAL(1.5707963267948966), &q); /* any length of axis */
    check_near(cm_rotate(q, cm_v(1, 0, 0)), cm_v(0, 1, 0));
    check_near(cm_rotate(q, cm_v(0, 1, 0)), cm_v(-1, 0, 0));
    cm_quat_from_axis_angle(cm_v(1, 1, 1), CM_REAL(2.0943951023931953), &q); /* a third: the axes go round */
    check_near(cm_rotate(q, cm_v(1, 0, 0)), cm_v(0, 1, 0));
    check_near(cm_rotate(q, cm_v(0, 1, 0)), cm_v(0, 0, 1));
}

static void matrices_come_back(void **state) {
    (void)state;
    rng r = rng_start("turn", 3);
    for (int i = 0; i < 1000; i++) {
        cm_quat q = rng_rotation(&r), back;
        if (i < 4) q.x = i == 0, q.y = i == 1, q.z = i == 2, q.w = i == 3; /* half turns: the trace is -1 */
        cm_mat3 m = cm_mat3_from_quat(q);
        cm_quat_from_mat3(&m, &back);
        double dot = (double)(q.x * back.x + q.y * back.y + q.z * back.z + q.w * back.w);
        check_that(fabs(fabs(dot) - 1) <= BOUND, "number %d: cosine %.17g", i, dot);
        cm_vec3 v = rng_vec3(&r, 1);
        check_near(cm_rotate(back, v), cm_mat3_mul(&m, v));
    }
}

static void nonsense_is_no_turn(void **state) {
    (void)state;
    const cm_real bad[] = {0, (cm_real)NAN, (cm_real)INFINITY};
    for (int i = 0; i < 3; i++) {
        cm_quat q;
        cm_quat_from_axis_angle(cm_v(0, bad[i], 0), 1, &q);
        assert_true(q.x == 0 && q.y == 0 && q.z == 0 && q.w == 1);
        cm_quat_from_axis_angle(cm_v(0, 1, 0), i ? bad[i] : 0, &q);
        assert_true(q.x == 0 && q.y == 0 && q.z == 0 && q.w == 1);
        cm_mat3 m = {cm_v(bad[i], bad[i], bad[i]), cm_v(bad[i], bad[i], bad[i]), cm_v(bad[i], bad[i], bad[i])};
        cm_quat_from_mat3(&m, &q);
        assert_true(cm_abs(q.w) <= 1 && cm_abs(q.x) <= 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quarter_about_z_takes_x_to_y),
        cmocka_unit_test(matrices_come_back),
        cmocka_unit_test(nonsense_is_no_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
