/* Newton's steps toward a least depth, and what they prove around it. */
#include "support/cores.h"

#include "convex/descent.h"
#include "shape/core_round.h"

#include <math.h>

static cm__point unit_of(rng *r) { return wide_normalize(cm__point_of(rng_direction(r)), cm__p(1, 0, 0)); }

static void random_kind(solid_kind kind, rng *r, solid *s, cm__core *out) {
    solid_random(s, kind, 0, 1, r);
    s->radius = 0;
    core_of(s, out);
}

/* A random vector across the unit u, no longer than `most`. */
static cm__point across(cm__point u, double most, rng *r) {
    const cm__point e = wide_perpendicular(u), f = cm__point_cross(u, e);
    const double size = most * rng_log_range(r, 1e-4, 1), turn = rng_range(r, 0, 6.2831853);
    return cm__point_add(cm__point_scale(e, size * cos(turn)), cm__point_scale(f, size * sin(turn)));
}

/* How far D reaches along u of any length. */
static double reach_of(const cm__convex_pair *pair, cm__point u) {
    cm__convex_vertex x = {cm__p(0, 0, 0), cm__p(0, 0, 0), 0, 0};
    convex_support(pair, wide_neg(u), true, &x);
    return cm__point_dot(u, x.w);
}

static void curvature_fades_no_faster_than_told(void **state) {
    (void)state;
    rng r = rng_start("fading", 221);
    static const solid_kind curved[3] = {SOLID_CYLINDER, SOLID_CONE, SOLID_ELLIPSOID};
    double least = DBL_MAX;
    for (int i = 0; i < samples(30000, 3000000); i++) {
        solid s;
        cm__core core, shrunk;
        random_kind(curved[i % 3], &r, &s, &core);
        if (rng_below(&r, 2) && cm__core_shrink(&core, &shrunk) > 0) core = shrunk;
        const cm__point u = unit_of(&r), t = across(u, 2, &r), at = cm__point_add(u, t);
        const double size = cm__point_length(t);
        cm__bend bend;
        uint32_t id;
        core.ops->bend(&core, u, CM_NONE, &bend);
        double bent = 0;
        for (int k = 0; k < bend.count; k++) bent += bend.weight[k] * pow(cm__point_dot(bend.along[k], t), 2);
        const double x = 1 + sqrt(bend.lean) * size, y = bend.rate * size, left = 4 * x / (4 * x * x + y * y);
        const double told = cm__point_dot(bend.point, at) + left * bent / 2 - bend.less * size * size / 2;
        const double more = (cm__point_dot(at, core.ops->support(&core, at, &id)) - told) / core.size;
        least = fmin(least, more);
        check_that(more > -1e-12, "%s: %g less than told, %g from the direction", solid_names[curved[i % 3]], -more,
                   size);
    }
    print_message("  at least %g more than told\n", least);
}

/* Its depth, its points, and what is around it. */
static void check_least(const solid *a, const solid *b, const cm__convex_pair *pair, const cm__descent *least,
                        double tolerance, rng *r) {
    check_that(fabs(reach_of(pair, least->u) - least->reach) < 1e-13 * pair->scale, "it is not its depth");
    const cm__point off = cm__point_mul_add(cm__point_sub(least->b, least->a), -least->reach, least->u);
    check_that(cm__point_length(off) < tolerance, "the points are off by %g", cm__point_length(off));
    for (int k = 0; k < 60; k++) {
        const cm__point u = cm__point_add(least->u, across(least->u, least->around, r));
        const double less = least->reach - reach_of(pair, u) / cm__point_length(u);
        check_that(less < tolerance, "%s and %s: %g less within %g", solid_names[a->kind], solid_names[b->kind], less,
                   least->around);
    }
}

/* Any, along an axis, flush, or nearly so. */
static cm_pose flat_pose(rng *r) {
    cm_pose pose = {cm_scale(rng_direction(r), CM_REAL(rng_range(r, 0, 0.5))), rng_rotation(r)};
    const uint32_t way = rng_below(r, 4);
    if (way == 0) pose.position = cm_v(0, 0, CM_REAL(rng_range(r, -0.5, 0.5)));
    if (way == 1) pose.rotation = cm_quat_identity();
    if (way == 2) cm_quat_from_axis_angle(cm_v(1, 0, 0), CM_REAL(rng_log_range(r, 1e-12, 1e-2)), &pose.rotation);
    return pose;
}

static void no_direction_around_a_least_depth_has_less(void **state) {
    (void)state;
    rng r = rng_start("descents", 222);
    static const solid_kind kinds[5] = {SOLID_CYLINDER, SOLID_CONE, SOLID_ELLIPSOID, SOLID_BOX, SOLID_TRIANGLE};
    long found = 0, tried = 0, flat = 0;
    double around = 0;
    for (int i = 0; i < samples(4000, 400000); i++) {
        solid a, b;
        cm__core core_a, core_b;
        cm__convex_pair pair;
        cm__descent least;
        random_kind(kinds[rng_below(&r, 3)], &r, &a, &core_a);
        random_kind(kinds[rng_below(&r, 5)], &r, &b, &core_b);
        const cm_pose pose = flat_pose(&r);
        const cm__frame frame = frame_of_pose(&pose);
        cm__convex_pair_of(&core_a, &core_b, &frame, &pair);
        const double tolerance = 1e-9 * pair.scale;
        tried++;
        if (cm__descent_run(&pair, unit_of(&r), tolerance, &least)) {
            check_least(&a, &b, &pair, &least, tolerance, &r);
            found++, around += fmin(least.around, 1);
        }
        if (cm__descent_flat(&pair, tolerance, &least)) check_least(&a, &b, &pair, &least, tolerance, &r), flat++;
    }
    print_message("  %ld of %ld descents end, %g around; %ld where both are flat\n", found, tried,
                  around / (double)found, flat);
    check_that(found > tried / 2, "%ld of %ld descents end", found, tried);
    check_that(around > 0.4 * (double)found, "known only %g around", around / (double)found);
    check_that(flat > tried / 4, "%ld of %ld are flat", flat, tried);
}

/* The depth of overlapping cores is proved to be the least where the bounds agree: no descent finds less. */
static void no_descent_finds_less_than_the_depth(void **state) {
    (void)state;
    rng r = rng_start("least depths", 223);
    static const solid_kind kinds[4] = {SOLID_CYLINDER, SOLID_CONE, SOLID_BOX, SOLID_ELLIPSOID};
    long proved = 0, cases = samples(4000, 400000);
    double steps = 0;
    for (long i = 0; i < cases; i++) {
        solid a, b;
        cm__core core_a, core_b;
        cm__convex_pair pair;
        cm__convex_gap gap;
        cm__descent least;
        random_kind(kinds[rng_below(&r, 4)], &r, &a, &core_a);
        random_kind(kinds[rng_below(&r, 2)], &r, &b, &core_b);
        cm_pose pose = {cm_scale(rng_direction(&r), CM_REAL(rng_range(&r, 0, 1.5))), rng_rotation(&r)};
        const cm__frame frame = frame_of_pose(&pose);
        cm__convex_pair_of(&core_a, &core_b, &frame, &pair);
        cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
        const double tolerance = 1e-8 * pair.scale;
        if (!(gap.distance < 0 && gap.slack < tolerance)) continue;
        proved++, steps += gap.depth_steps;
        for (int k = 0; k < 12; k++) {
            if (!cm__descent_run(&pair, unit_of(&r), tolerance, &least)) continue;
            check_that(least.reach > -gap.distance - tolerance, "%s and %s: %g deep, not %g", solid_names[a.kind],
                       solid_names[b.kind], least.reach, -gap.distance);
        }
    }
    steps /= (double)proved;
    print_message("  %ld of %ld, by %.1f steps of the polytope\n", proved, cases, steps);
    check_that(proved > cases / 4, "%ld of %ld depths are proved", proved, cases);
    check_that(steps < 7, "%g steps of the polytope", steps); /* 20 without descents */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curvature_fades_no_faster_than_told),
        cmocka_unit_test(no_direction_around_a_least_depth_has_less),
        cmocka_unit_test(no_descent_finds_less_than_the_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
