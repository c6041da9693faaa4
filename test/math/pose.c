/* Poses: how rotations that are not quite of length 1 are taken. */
#include "support/support.h"

#include <math.h>

/* A quarter turn about z, s long: rotate(q, v) = v + s^2 (R v - v), so v = (1, 0, 0), seen from the turned frame, is
 * (1 - s^2, -s^2, 0), off from (0, -1, 0) by |s^2 - 1| sqrt(2) <= 2 |s^2 - 1|. */
static void rotations_off_unit_length_are_taken_as_they_are(void **state) {
    (void)state;
    const double lengths[] = {0.9996, 1, 1.0004};
    for (int i = 0; i < 3; ++i) {
        double s = lengths[i], square = s * s, h = sqrt(0.5);
        cm_pose a = cm_pose_identity(), b = cm_pose_identity();
        a.rotation.z = a.rotation.w = CM_REAL(s * h);
        b.rotation.x = b.rotation.w = CM_REAL(s * h);
        b.position = cm_v(1, 0, 0);
        cm_pose between = cm_pose_between(&a, &b);
        double slop = 8 * (double)CM_REAL_EPSILON;
        check_that(fabs((double)between.position.x - (1 - square)) <= slop, "x %.9g", (double)between.position.x);
        check_that(fabs((double)between.position.y + square) <= slop, "y %.9g", (double)between.position.y);
        double off = hypot((double)between.position.x, (double)between.position.y + 1);
        check_that(off <= 2 * fabs(square - 1) + slop, "off by %.9g", off);
        cm_quat q = between.rotation;
        double length = sqrt((double)(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w));
        check_that(fabs(length - square) <= slop, "length %.9g", length);
    }
}

/* First b, then back: a point's way through both frames ends where it began. */
static void between_takes_local_points_from_one_frame_to_the_other(void **state) {
    (void)state;
    rng r = rng_start("poses", 5);
    for (int i = 0; i < samples(1000, 100000); ++i) {
        cm_pose a, b;
        a.position = rng_vec3(&r, 10), b.position = rng_vec3(&r, 10);
        a.rotation = rng_rotation(&r), b.rotation = rng_rotation(&r);
        cm_pose between = cm_pose_between(&a, &b);
        cm_vec3 p = rng_vec3(&r, 10), direct = cm_pose_apply(&between, p), outer = cm_pose_apply(&b, p);
        cm_vec3 gap = cm_sub(direct, cm_pose_unapply(&a, outer));
        check_that((double)cm_length(gap) <= 1000 * (double)CM_REAL_EPSILON, "off by %g", (double)cm_length(gap));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_off_unit_length_are_taken_as_they_are),
        cmocka_unit_test(between_takes_local_points_from_one_frame_to_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
