/* Flat shapes that graze: where the gap is short its direction is rounding, and so is whether they approach. A corner
 * that sinks through a triangle at a small angle is met all the same, not late, and both ways. */
#include "motions.h"

#include <math.h>

/* A triangle about z = 0 that a corner at `high` above its middle sinks through by `slope` of its way, which is 1. */
static void grazing_corner(rng *r, double slope, cm_shape *a, cm_motion *ma, cm_shape *b, cm_motion *mb) {
    double turn = rng_range(r, 0, 6.28), high = slope * rng_range(r, 0.1, 0.9), lift = rng_range(r, 0.01, 1);
    cm_vec3 along = cm_v(CM_REAL(cos(turn)), CM_REAL(sin(turn)), CM_REAL(-slope)), corner = cm_v(0, 0, CM_REAL(high));
    cm_vec3 up = cm_v(CM_REAL(rng_range(r, -2, 2)), CM_REAL(rng_range(r, -2, 2)), CM_REAL(high + lift));
    *b = cm_make_triangle(cm_v(CM_REAL(-3 - rng_unit(r)), -3, 0), cm_v(CM_REAL(3 + rng_unit(r)), -3, 0),
                          cm_v(CM_REAL(rng_range(r, -1, 1)), 5, 0));
    *a = rng_below(r, 2) ? cm_make_segment(corner, up)
                         : cm_make_triangle(corner, up, cm_add(up, cm_v(CM_REAL(0.5), CM_REAL(rng_unit(r)), 0)));
    memset(ma, 0, sizeof *ma), memset(mb, 0, sizeof *mb);
    ma->start = mb->start = rng_pose(r, 3);
    ma->move = cm_rotate(ma->start.rotation, along);
}

static void grazing_corners_are_met(void **state) {
    (void)state;
    rng r = rng_start("grazing", 71);
    double worst = 0, bound = sizeof(cm_real) == 4 ? 2e-5 : 5e-14;
    for (int i = 0; i < samples(40000, 2000000); i++) {
        cm_shape a, b;
        cm_motion ma, mb;
        cm_sweep_hit hit, back;
        double slope = rng_log_range(&r, sizeof(cm_real) == 4 ? 1e-3 : 1e-5, 1e-2);
        grazing_corner(&r, slope, &a, &ma, &b, &mb);
        check_that(cm_sweep(&a, &ma, &b, &mb, &hit), "%d: slope %g, never met", i, slope);
        check_that(cm_sweep(&b, &mb, &a, &ma, &back), "%d: slope %g, never met, swapped", i, slope);
        double gap = gap_at(&a, &ma, &b, &mb, (double)hit.first);
        check_that(hit.start == CM_SWEEP_SEPARATED && fabs(gap) < bound, "%d: slope %g, gap %g at %g", i, slope, gap,
                   (double)hit.first);
        worst = fmax(worst, fabs(gap));
        const double end = gap_at(&a, &ma, &b, &mb, 1); /* the other end may have left it over an edge */
        if (end > 0) continue;
        check_that(hit.last == 1, "%d: slope %g, left at %g", i, slope, (double)hit.last);
        cm_motion reverse = ma; /* the way out: the last time is the first one's mirror */
        cm_motion_at(&ma, 1, &reverse.start);
        reverse.move = cm_neg(ma.move);
        check_that(cm_sweep(&a, &reverse, &b, &mb, &back) && back.first == 0, "%d: slope %g, not touching", i, slope);
        gap = gap_at(&a, &reverse, &b, &mb, (double)back.last);
        check_that(fabs(gap) < bound, "%d: slope %g, gap %g at the last time %g", i, slope, gap, (double)back.last);
    }
    print_message("  gap left %g\n", worst);
}

/* The gap left at the first contact is some ulps, so in the double build its direction says nothing: the normal has to
 * come from where the gap was wide. Whatever falls on a face without its rim is stopped by it, along its normal. */
static void what_falls_on_a_face_is_told_its_normal(void **state) {
    (void)state;
    rng r = rng_start("falling", 73);
    for (int i = 0; i < samples(20000, 1000000); i++) {
        cm_shape floors[] = {cm_make_triangle(cm_v(-20, -20, 1), cm_v(20, -20, 1), cm_v(0, 30, 1)),
                             cm_make_box(cm_v(10, 10, 1))};
        cm_shape fallers[] = {cm_make_box(cm_v(CM_REAL(rng_range(&r, 0.1, 1)), CM_REAL(rng_range(&r, 0.1, 1)), 1)),
                              cm_make_segment(rng_vec3(&r, 1), rng_vec3(&r, 1)),
                              cm_make_triangle(rng_vec3(&r, 1), rng_vec3(&r, 1), rng_vec3(&r, 1))};
        const cm_shape *a = &floors[rng_below(&r, 2)], *b = &fallers[rng_below(&r, 3)];
        cm_motion ma, mb;
        cm_sweep_hit hit;
        memset(&ma, 0, sizeof ma), memset(&mb, 0, sizeof mb);
        double high = rng_range(&r, 3, 5), across = rng_range(&r, -2, 2);
        ma.start = rng_pose(&r, 10);
        mb.start = rng_pose(&r, 1);
        mb.start.position = cm_pose_apply(&ma.start, cm_v(0, 0, CM_REAL(high)));
        mb.move = cm_rotate(ma.start.rotation, cm_v(CM_REAL(across), 0, -6));
        cm_vec3 up = cm_rotate(ma.start.rotation, cm_v(0, 0, 1));
        check_that(cm_sweep(a, &ma, b, &mb, &hit), "%d: never met", i);
        double off = (double)cm_length(cm_sub(hit.normal, up));
        check_that(off < 1e-4 && hit.blocking, "%d: %s on %s, %g off at %g, blocking %d", i, cm_kind_name(b->kind),
                   cm_kind_name(a->kind), off, (double)hit.first, hit.blocking);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grazing_corners_are_met),
        cmocka_unit_test(what_falls_on_a_face_is_told_its_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
