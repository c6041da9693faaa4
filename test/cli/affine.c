#include "support/support.h"

#include "read/affine.h"

#include <math.h>

/* rotate(q, s p) = m p for the three axes, within rounding. */
static void check_parting(const double m[9], const char *what) {
    cm_quat q;
    double s[9], largest = 0, determinant = 0;
    bool mirrors = affine_part(m, &q, s);
    for (int i = 0; i < 9; i++) largest = fmax(largest, fabs(m[i]));
    for (int k = 0; k < 3; k++) {
        cm_vec3 column = cm_rotate(q, cm_v(s[k], s[3 + k], s[6 + k]));
        cm_vec3 off = cm_sub(column, cm_v(m[k], m[3 + k], m[6 + k]));
        check_that(cm_largest(off) <= 4e-15 * largest, "%s: column %d off by %g", what, k, cm_largest(off) / largest);
    }
    for (int k = 0; k < 3; k++)
        determinant += m[k] * (m[3 + (k + 1) % 3] * m[6 + (k + 2) % 3] - m[3 + (k + 2) % 3] * m[6 + (k + 1) % 3]);
    if (fabs(determinant) > 1e-6 * largest * largest * largest) assert_int_equal(mirrors, determinant < 0);
    cm_pose pose = {cm_v(0, 0, 0), q};
    assert_true(cm_pose_is_valid(&pose));
}

static void rotation_and_stretch_multiply_to_the_matrix(void **state) {
    (void)state;
    rng r = rng_start("matrices", 11);
    for (int i = 0; i < samples(20000, 1000000); i++) {
        double m[9];
        for (int k = 0; k < 9; k++) m[k] = rng_range(&r, -1, 1) * (i % 3 == 0 ? rng_log_range(&r, 1e-6, 1e6) : 1);
        if (i % 5 == 0)
            for (int k = 0; k < 3; k++) m[6 + k] = m[k]; /* flat */
        check_parting(m, "random");
    }
}

static void a_plain_stretch_turns_nothing(void **state) {
    (void)state;
    double m[9] = {2, 0, 0, 0, 3, 0, 0, 0, 0.25}, s[9];
    cm_quat q;
    assert_false(affine_part(m, &q, s));
    assert_true(q.x == 0 && q.y == 0 && q.z == 0 && q.w == 1);
    assert_memory_equal(m, s, sizeof m);
}

static void a_half_turn_is_exact(void **state) {
    (void)state;
    double m[9] = {-1, 0, 0, 0, -1, 0, 0, 0, 1}, s[9];
    cm_quat q;
    assert_false(affine_part(m, &q, s));
    assert_true(q.x == 0 && q.y == 0 && fabs(q.z) == 1 && q.w == 0);
    for (int i = 0; i < 9; i++) assert_true(s[i] == (i % 4 == 0));
}

static void a_mirror_says_so(void **state) {
    (void)state;
    double m[9] = {-1, 0, 0, 0, 1, 0, 0, 0, 1}, s[9];
    cm_quat q;
    assert_true(affine_part(m, &q, s));
    check_parting(m, "mirror");
}

static void rotations_of_single_precision_leave_equal_stretches(void **state) {
    (void)state;
    static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    rng r = rng_start("rotations", 12);
    for (int i = 0; i < 5000; i++) {
        cm_mat3 t = cm_mat3_from_quat(rng_rotation(&r));
        const double exact[9] = {t.x.x, t.y.x, t.z.x, t.x.y, t.y.y, t.z.y, t.x.z, t.y.z, t.z.z};
        double m[9], s[9];
        for (int k = 0; k < 9; k++) m[k] = (double)(float)exact[k];
        cm_quat q;
        assert_false(affine_part(m, &q, s));
        assert_true(stretch_equal(s, none));
    }
}

static void turning_axes_is_exact_and_comes_back(void **state) {
    (void)state;
    for (const char *from = "xyz"; *from; from++)
        for (const char *to = "xyz"; *to; to++) {
            affine there = affine_turn_up(*from, *to), back = affine_turn_up(*to, *from);
            affine both = affine_mul(&back, &there), none = affine_identity();
            for (int i = 0; i < 9; i++) assert_true(both.m[i] == none.m[i]);
            /* the axis that was up is up */
            for (int i = 0; i < 3; i++) assert_true(there.m[3 * i + (*from - 'x')] == (i == *to - 'x'));
            check_parting(there.m, "axes");
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotation_and_stretch_multiply_to_the_matrix),
        cmocka_unit_test(a_plain_stretch_turns_nothing),
        cmocka_unit_test(a_half_turn_is_exact),
        cmocka_unit_test(a_mirror_says_so),
        cmocka_unit_test(rotations_of_single_precision_leave_equal_stretches),
        cmocka_unit_test(turning_axes_is_exact_and_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
