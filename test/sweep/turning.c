/* Turning shapes whose true speed is but a small part of what the bound on it allows: followed to the contact, and past
 * it where they miss. */
#include "motions.h"

#include <math.h>

/* A rod of length 10 with round ends of radius 1/2 turns about its middle, from an angle of -1 to 1 with the x axis;
 * its end passes along a wall across that. At an angle f it reaches 5 cos f + 1/2: where the wall stands 5 (1 - cos
 * 0.01) nearer than 5.5 they meet at an angle of -0.01, the end all but parallel to the wall. Farther away they miss.
 */
static void what_turns_along_a_wall_meets_it_or_misses(void **state) {
    (void)state;
    const double reach = 5.5 - 5 * (1 - cos(0.01)), bound = sizeof(cm_real) == 4 ? 1e-4 : 1e-12;
    cm_shape a = cm_make_capsule(cm_v(-5, 0, 0), cm_v(5, 0, 0), CM_REAL(0.5));
    for (int i = 0; i < 2; i++) {
        cm_real x = CM_REAL(i == 0 ? reach : 5.502);
        const cm_shape walls[3] = {cm_make_triangle(cm_v(x, -9, -9), cm_v(x, 9, -9), cm_v(x, 0, 9)),
                                   cm_make_rounded_box(cm_v(1, 2, 2), CM_REAL(0.25)),
                                   cm_make_halfspace(cm_v(-1, 0, 0), x)};
        for (int k = 0; k < 3; k++) {
            cm_motion still = motion_at_rest(), m = still;
            if (k == 1) still.start.position.x = x + CM_REAL(1.25);
            m.start.rotation = (cm_quat){0, 0, CM_REAL(sin(-0.5)), CM_REAL(cos(-0.5))};
            m.spin = cm_v(0, 0, 2);
            cm_sweep_hit h;
            bool hit = cm_sweep(&a, &m, &walls[k], &still, &h);
            check_that(hit == (i == 0), "wall %d, %d: hit %d at %g", k, i, hit, hit ? (double)h.first : -1.0);
            if (!hit) continue;
            double gap = gap_at(&a, &m, &walls[k], &still, (double)h.first);
            check_that(gap > -bound && gap < bound, "wall %d: gap %g at %g", k, gap, (double)h.first);
            check_that(fabs((double)h.first - 0.495) < 100 * bound + 1e-9, "wall %d: met at %g", k, (double)h.first);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_turns_along_a_wall_meets_it_or_misses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
