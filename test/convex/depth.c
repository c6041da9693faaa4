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
        cm__convex_pair_of(&a, &b, &frame, &pair);
        cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
        double off = fabs(-gap.distance - least) / pair.scale;
        worst = fmax(worst, off);
        check_that(off < 3e-4, "%d: half axes %g %g %g, %g %g %g: depth %g, not %g", i, h[0], h[1], h[2], h[3], h[4],
                   h[5], -gap.distance, least);
    }
    print_message("  off by %g of the scale\n", worst);
}

/* As far apart as the least numbers, in any direction: as if they had one center. */
static void centers_that_nearly_coincide_have_no_direction(void **state) {
    (void)state;
    double depth[3][4];
    for (int i = 0; i < 12; i++) {
        static const double off[4] = {0, DBL_MIN / 1e15, DBL_MIN / 1024, 1e-300};
        cm__core a, b;
        cm__convex_pair pair;
        cm__convex_gap gap;
        cm__core_cone(0.03, 0.003, &a);
        cm__core_ellipsoid(cm__p(0.03, 0.0075, 0.01), &b);
        cm_pose none = cm_pose_identity();
        cm__frame frame = frame_of_pose(&none);
        (i % 3 == 0 ? &frame.position.x : i % 3 == 1 ? &frame.position.y : &frame.position.z)[0] = -off[i / 3];
        cm__convex_pair_of(&a, &b, &frame, &pair);
        cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
        depth[i % 3][i / 3] = -gap.distance;
        check_that(fabs(depth[i % 3][i / 3] - depth[i % 3][0]) < 1e-6, "%g apart: %g deep, of one center %g",
                   off[i / 3], -gap.distance, depth[i % 3][0]);
        check_that(cm__point_length(gap.a) < 0.1, "%g apart: a point at %g", off[i / 3], cm__point_length(gap.a));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ellipsoids_with_one_center_are_left_along_an_axis),
        cmocka_unit_test(centers_that_nearly_coincide_have_no_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
