/* Balls in motion against boxes, from a start within. */
#include "support/support.h"

/* A ball in a box that is thin along one axis leaves along that one, by the side on which it is; from the very middle,
 * where both sides are as near, by the side that a contact at rest tells. */
static void what_starts_in_the_middle_is_told_the_side_of_a_contact_at_rest(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side++) {
            cm_vec3 half = cm_v(2, 2, 2), center = cm_v(0, 0, 0), normal = center;
            ((cm_real *)&half)[axis] = 1, ((cm_real *)&center)[axis] = CM_REAL(0.25) * (cm_real)side;
            ((cm_real *)&normal)[axis] = side < 0 ? 1 : -1;
            const cm_sphere ball = {center, CM_REAL(0.5)};
            const cm_aabb box = {cm_neg(half), half};
            const cm_obb turned = {{0, 0, 0}, half, {0, 0, 0, 1}};
            cm_sweep_hit hit[2];
            cm_manifold rest[2];
            assert_true(cm_sweep_sphere_aabb(&ball, cm_v(0, 0, 0), &box, cm_v(0, 0, 0), &hit[0]));
            assert_true(cm_sweep_sphere_obb(&ball, cm_v(0, 0, 0), &turned, cm_v(0, 0, 0), &hit[1]));
            assert_true(cm_contact_sphere_aabb(&ball, &box, &rest[0]) &&
                        cm_contact_sphere_obb(&ball, &turned, &rest[1]));
            for (int i = 0; i < 2; i++) {
                const cm_vec3 n = hit[i].normal, m = rest[i].normal;
                check_that(hit[i].start == CM_SWEEP_OVERLAPPING && cm_largest(cm_sub(n, normal)) <= 0 &&
                               cm_largest(cm_sub(m, normal)) <= 0,
                           "axis %d, side %d: %g %g %g, at rest %g %g %g", axis, side, (double)n.x, (double)n.y,
                           (double)n.z, (double)m.x, (double)m.y, (double)m.z);
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_starts_in_the_middle_is_told_the_side_of_a_contact_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
