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

static double cosine_between(cm_quat a, cm_quat b) {
    return fabs((double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z +
                (double)a.w * (double)b.w);
}

/* From no turn to 90 degrees about z: at t it is 90 t degrees about z, beyond [0, 1] too. */
static void a_rotation_between_two_turns_at_constant_speed(void **state) {
    (void)state;
    const double quarter = 1.5707963267948966, times[] = {0, 0.25, 1.0 / 3, 0.5, 1, 2, -1};
    cm_quat none = cm_quat_identity(), end, between, want;
    cm_quat_from_axis_angle(cm_v(0, 0, 1), (cm_real)quarter, &end);
    for (int i = 0; i < 7; i++) {
        cm_quat_slerp(none, end, (cm_real)times[i], &between);
        cm_quat_from_axis_angle(cm_v(0, 0, 1), (cm_real)(quarter * times[i]), &want);
        check_near(cm_rotate(between, cm_v(1, 2, 3)), cm_rotate(want, cm_v(1, 2, 3)));
    }
    cm_quat_slerp(none, end, CM_REAL(1.0 / 3), &between); /* 30 degrees: x goes to (cos 30, sin 30) */
    check_near(cm_rotate(between, cm_v(1, 0, 0)), cm_v(CM_REAL(0.86602540378443865), CM_REAL(0.5), 0));
}

/* 10 and 350 degrees are 20 apart, through 0, whatever the signs and lengths of the quaternions. */
static void the_shorter_way_is_taken(void **state) {
    (void)state;
    const double degree = 0.017453292519943296;
    cm_quat a, b, between;
    cm_quat_from_axis_angle(cm_v(0, 1, 0), (cm_real)(10 * degree), &a);
    cm_quat_from_axis_angle(cm_v(0, 1, 0), (cm_real)(350 * degree), &b);
    for (int sign = -1; sign <= 1; sign += 2) {
        cm_quat c = {3 * (cm_real)sign * b.x, 3 * (cm_real)sign * b.y, 3 * (cm_real)sign * b.z,
                     3 * (cm_real)sign * b.w};
        cm_quat_slerp(a, c, CM_REAL(0.5), &between);
        check_near(cm_rotate(between, cm_v(1, 0, 0)), cm_v(1, 0, 0));
        cm_quat_slerp(a, c, 1, &between);
        check_near(cm_rotate(between, cm_v(1, 0, 0)), cm_rotate(b, cm_v(1, 0, 0)));
    }
}

/* However close the two: the angle from a is t times the whole, and at t and 1 - t from the other end it is the same.
 */
static void close_rotations_lose_nothing(void **state) {
    (void)state;
    rng r = rng_start("slerp", 5);
    for (int i = 0; i < 2000; i++) {
        cm_quat a = rng_rotation(&r), turn, b, forth, back;
        double angle = rng_log_range(&r, 1e-9, 3), t = rng_unit(&r);
        cm_quat_from_axis_angle(rng_direction(&r), (cm_real)angle, &turn);
        b = cm_quat_mul(turn, a);
        cm_quat_slerp(a, b, (cm_real)t, &forth);
        cm_quat_slerp(b, a, (cm_real)(1 - t), &back);
        check_that(fabs(cosine_between(forth, back) - 1) <= BOUND, "%g: forth and back", angle);
        /* the turn that is left of a: half its angle is the length of the vector part, near enough where small */
        cm_quat done = cm_quat_mul(forth, cm_quat_conjugate(a));
        double half = atan2((double)cm_length(cm_v(done.x, done.y, done.z)), fabs((double)done.w));
        check_that(fabs(2 * half - t * angle) <= 4 * BOUND, "angle %g, t %g: %.9g", angle, t, 2 * half);
    }
}

static void nothing_lies_between_what_is_no_rotation(void **state) {
    (void)state;
    cm_quat zero = {0, 0, 0, 0}, bad = {(cm_real)NAN, 0, 0, 1}, one = {1, 0, 0, 0}, out;
    const cm_quat pairs[][2] = {{zero, one}, {one, zero}, {bad, one}, {one, bad}};
    for (int i = 0; i < 5; i++) {
        out = one;
        cm_quat_slerp(i < 4 ? pairs[i][0] : one, i < 4 ? pairs[i][1] : one, i < 4 ? CM_REAL(0.5) : (cm_real)NAN, &out);
        assert_true(out.x == 0 && out.y == 0 && out.z == 0 && out.w == 1);
    }
}

/* Columns: x goes to y, y to -x, z stays; then by (5, 6, 7). */
static void a_matrix_of_16_is_a_pose(void **state) {
    (void)state;
    const cm_real m[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1};
    cm_pose pose;
    cm_real back[16];
    assert_true(cm_pose_from_mat4(m, &pose));
    check_near(cm_pose_apply(&pose, cm_v(1, 2, 3)), cm_v(5 - 2, 6 + 1, 7 + 3));
    cm_mat4_from_pose(&pose, back);
    for (int i = 0; i < 16; i++)
        check_that(fabs((double)(back[i] - m[i])) <= BOUND, "number %d: %g", i, (double)back[i]);
}

static void poses_come_back_from_their_matrices(void **state) {
    (void)state;
    rng r = rng_start("mat4", 9);
    for (int i = 0; i < 1000; i++) {
        cm_pose pose = rng_pose(&r, 10), back;
        cm_real m[16];
        cm_mat4_from_pose(&pose, m);
        cm_vec3 p = rng_vec3(&r, 1), q = cm_pose_apply(&pose, p);
        cm_vec3 by_hand =
            cm_v(m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
                 m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]);
        check_that((double)cm_largest(cm_sub(by_hand, q)) <= 16 * BOUND, "sample %d", i);
        assert_true(cm_pose_from_mat4(m, &back));
        check_that((double)cm_largest(cm_sub(cm_pose_apply(&back, p), q)) <= 16 * BOUND, "sample %d", i);
        assert_memory_equal(&back.position, &pose.position, sizeof back.position);
    }
}

static void a_matrix_that_is_no_pose_is_refused(void **state) {
    (void)state;
    const cm_real good[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const struct {
        int at;
        cm_real value;
        const char *what;
    } cases[] = {{0, CM_REAL(1.01), "a scale"},   {0, -1, "a mirror image"},    {4, CM_REAL(0.01), "a shear"},
                 {3, 1, "a projection"},          {15, 2, "a scale of all"},    {12, CM_COORD_MAX * 2, "too far"},
                 {13, (cm_real)NAN, "no number"}, {5, (cm_real)NAN, "no axis"}, {10, 0, "a flat one"}};
    cm_pose pose = cm_pose_at(cm_v(1, 2, 3)), before = pose;
    for (int i = 0; i < 9; i++) {
        cm_real m[16];
        memcpy(m, good, sizeof m);
        assert_true(cm_pose_from_mat4(good, &(cm_pose){0}));
        m[cases[i].at] = cases[i].value;
        check_that(!cm_pose_from_mat4(m, &pose), "%s is taken", cases[i].what);
        assert_memory_equal(&pose, &before, sizeof pose);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quarter_about_z_takes_x_to_y),
        cmocka_unit_test(matrices_come_back),
        cmocka_unit_test(nonsense_is_no_turn),
        cmocka_unit_test(a_rotation_between_two_turns_at_constant_speed),
        cmocka_unit_test(the_shorter_way_is_taken),
        cmocka_unit_test(close_rotations_lose_nothing),
        cmocka_unit_test(nothing_lies_between_what_is_no_rotation),
        cmocka_unit_test(a_matrix_of_16_is_a_pose),
        cmocka_unit_test(poses_come_back_from_their_matrices),
        cmocka_unit_test(a_matrix_that_is_no_pose_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
