/* The least depth of curved cores that have no nearest point that stands out. */
#include "support/cores.h"

#include <math.h>

/* Ellipsoids with one center and the same axes: D reaches |A n| + |B n| along n, which is concave in the squares of n,
 * so the least is on an axis: the least sum of half axes. */
static void ellipsoids_with_one_center_are_left_along_an_axis(void **state) {
    (void)state;
    rng r = rng_start("ellipsoids", 81);
    double worst = 0;
    for (int i = 0; i < samples(4000, 200000); i++) {
        cm__core a, b;
        cm__convex_pair pair;
        cm__convex_gap gap;
        double h[6], least = DBL_MAX, spread = rng_log_range(&r, 1e-2, 1), turn = rng_unit(&r);
        for (int k = 0; k < 3; k++) { /* near balls together: where one is long the other is short */
            h[k] = rng_range(&r, 0.3, 1);
            h[3 + k] = 1.3 - h[k] + spread * rng_range(&r, -0.2, 0.2);
            least = fmin(least, h[k] + h[3 + k]);
        }
        cm__core_ellipsoid(cm__p(h[0], h[1], h[2]), &a);
        cm__core_ellipsoid(cm__p(h[3], h[4], h[5]), &b);
        cm_pose none = cm_pose_identity();
        none.position.x = turn < 0.5 ? 0 : CM_REAL(1e-9);
        cm__frame frame = frame_of_pose(&none);
        if (turn > 0.9) frame.position.x = DBL_MIN / 4; /* 1 over that is infinite */
        cm__convex_pair_of(&a, &b, &frame, &pair);
        cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
        double off = fabs(-gap.distance - least) / pair.scale;
        worst = fmax(worst, off);
        check_that(off < 3e-4, "%d: half axes %g %g %g, %g %g %g: depth %g, not %g", i, h[0], h[1], h[2], h[3], h[4],
                   h[5], -gap.distance, least);
    }
    print_message("  off by %g of the scale\n", worst);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ellipsoids_with_one_center_are_left_along_an_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
