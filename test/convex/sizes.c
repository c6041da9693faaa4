/* Convex pairs of every size and place: the answers are those of the same pair of size 1 at its own origin. */
#include "carom/pair.h"
#include "support/shapes.h"

#include <math.h>

static const bool is_double = sizeof(cm_real) == 8;

static bool is_curved(int kind) { return kind == CONVEX_CYLINDER || kind == CONVEX_CONE || kind == CONVEX_ELLIPSOID; }

static cm_pose scaled_pose(const cm_pose *pose, cm_real scale) {
    cm_pose p = *pose;
    p.position = cm_scale(pose->position, scale);
    return p;
}

/* Of a hull, from its own vertices. */
static cm_shape scaled_shape(const cm_shape *shape, cm_real scale, cm_hull **hull) {
    cm_shape out;
    *hull = NULL;
    if (shape->kind == CM_SHAPE_HULL) {
        const cm_hull_desc desc = {.points = &cm_hull_vertices(shape->u.hull)->x,
                                   .point_count = cm_hull_vertex_count(shape->u.hull),
                                   .scale = {scale, scale, scale}};
        assert_int_equal(cm_hull_build(&desc, NULL, hull, NULL), CM_OK);
        out = cm_make_hull(*hull);
        out.radius = shape->radius * scale;
    } else {
        assert_int_equal(cm_shape_scaled(shape, cm_v(scale, scale, scale), &out), CM_OK);
    }
    return out;
}

/* Half of them at poses of people: the same axes, offsets from a grid. */
static cm_pose any_pose(rng *r, int i) {
    cm_pose p = rng_pose(r, 1);
    if (i % 2) return p;
    p.rotation = cm_quat_identity();
    p.position = cm_v(CM_REAL(0.25) * CM_REAL(rng_below(r, 9)), CM_REAL(0.25) * CM_REAL(rng_below(r, 5)),
                      CM_REAL(0.25) * CM_REAL(rng_below(r, 5)));
    return p;
}

/* From 2^-332 (1e-100) to 2^328 (5e98), float from 2^-49 (2e-15) to 2^46 (7e13): cubes of 1e-100 once were points. */
static void pairs_of_any_size_have_the_answers_of_size_one(void **state) {
    (void)state;
    rng r = rng_start("pairs of any size", 91);
    static const int steps_double[] = {-332, -300, -200, -134, -100, 134, 200, 328}, steps_float[] = {-49, -30, 30, 46};
    int overlaps = 0, count = samples(6000, 300000);
    for (int i = 0; i < count; ++i) {
        cm_hull *hulls[2] = {hull_random(4 + rng_below(&r, 20), 0.5, &r), NULL};
        if (i % 4 == 0) { /* a cube */
            cm_vec3 corner[8];
            for (int k = 0; k < 8; ++k)
                corner[k] = cm_v(CM_REAL((k & 1) - 0.5), CM_REAL((k / 2 & 1) - 0.5), CM_REAL(k / 4 - 0.5));
            const cm_hull_desc desc = {.points = &corner[0].x, .point_count = 8};
            assert_int_equal(cm_hull_build(&desc, NULL, &hulls[1], NULL), CM_OK);
        } else {
            hulls[1] = hull_random(4 + rng_below(&r, 20), 0.5, &r);
        }
        int kind[2] = {i % 3 ? (int)rng_below(&r, CONVEX_KINDS) : CONVEX_HULL, (int)rng_below(&r, CONVEX_KINDS)};
        cm_shape one[2], shape[2];
        cm_pose pose[2], at[2];
        cm_hull *own[2];
        int step = is_double ? steps_double[rng_below(&r, 8)] : steps_float[rng_below(&r, 4)];
        cm_real scale = CM_REAL(ldexp(1, step));
        for (int k = 0; k < 2; ++k) {
            one[k] = convex_random(kind[k], 1, hulls[k], &r);
            pose[k] = any_pose(&r, i);
            shape[k] = scaled_shape(&one[k], scale, &own[k]);
            at[k] = scaled_pose(&pose[k], scale);
        }
        double here = (double)cm_distance(&one[0], &pose[0], &one[1], &pose[1], CM_REAL_MAX, NULL);
        double there = (double)(cm_distance(&shape[0], &at[0], &shape[1], &at[1], CM_REAL_MAX, NULL) / scale);
        bool overlap = cm_overlap(&shape[0], &at[0], &shape[1], &at[1]);
        bool contact = cm_contact(&shape[0], &at[0], &shape[1], &at[1], 0, NULL, 0) > 0;
        /* curved cores that overlap: a depth is seldom more than 1e-6 too large (convex/depth.c) */
        const bool deep = here < 0 && (is_curved(kind[0]) || is_curved(kind[1]));
        double allowed = !is_double ? 1e-5 : deep ? 1e-6 : 1e-9;
        check_that(fabs(here - there) <= allowed, "pair %d, %s and %s, 2^%d: distance %.9g, at size 1 %.9g", i,
                   convex_names[kind[0]], convex_names[kind[1]], step, there, here);
        if (fabs(here) > allowed)
            check_that(overlap == (here < 0) && contact == (here < 0),
                       "pair %d, %s and %s, 2^%d: overlap %d, contact %d, distance %.9g", i, convex_names[kind[0]],
                       convex_names[kind[1]], step, overlap, contact, there);
        overlaps += overlap;
        for (int k = 0; k < 2; ++k) cm_hull_destroy(hulls[k], NULL), cm_hull_destroy(own[k], NULL);
    }
    print_message("  %d of %d overlap\n", overlaps, count);
    check_that(overlaps > count / 10 && overlaps < count, "%d of %d overlap", overlaps, count);
}

/* How deep a point of the plane x >= 0 lies in the cylinder of radius 1 and height 2, or in the cone over the same
 * base: the least distance to the lines that bound the section. */
static double depth_in_cylinder(double x, double z) { return fmin(1 - x, 1 - fabs(z)); }
static double depth_in_cone(double x, double z) { return fmin(1 + z, (1 - z - 2 * x) / sqrt(5)); }

/* A point, or a ball, whose own pose is far away: position and offset are whole numbers and fractions that cancel
 * without rounding, so that it is in the same place for certain. Errors are some ulps of the coordinates. */
static void a_point_far_from_its_pose_loses_no_more_than_rounding(void **state) {
    (void)state;
    rng r = rng_start("points far from their pose", 92);
    const int most = is_double ? 30 : 12;
    const double fine = is_double ? 0x1p-20 : 0x1p-10;
    double worst = 0;
    for (int i = 0; i < samples(6000, 300000); ++i) {
        double p[3], far = ldexp(1, (int)rng_below(&r, (uint32_t)most + 1)), radius = i % 3 ? 0 : 0.25;
        cm_vec3 local, position;
        do
            for (int k = 0; k < 3; ++k) p[k] = fine * floor(rng_range(&r, -1, 1) / fine);
        while (!(p[0] * p[0] + p[1] * p[1] < 1));
        double whole[3];
        for (int k = 0; k < 3; ++k) whole[k] = floor(rng_range(&r, -far, far));
        local = cm_v(CM_REAL(whole[0]), CM_REAL(whole[1]), CM_REAL(whole[2]));
        position = cm_v(CM_REAL(p[0] - whole[0]), CM_REAL(p[1] - whole[1]), CM_REAL(p[2] - whole[2]));
        bool cone = rng_below(&r, 2);
        double x = sqrt(p[0] * p[0] + p[1] * p[1]), depth = cone ? depth_in_cone(x, p[2]) : depth_in_cylinder(x, p[2]);
        if (!(depth > 0)) continue;
        cm_shape body = cone ? cm_make_cone(1, 1) : cm_make_cylinder(1, 1), point = cm_make_point(local);
        point.radius = CM_REAL(radius);
        cm_pose at = cm_pose_identity(), there = at;
        there.position = position;
        cm_witness w;
        bool swap = i % 2;
        cm_real d = swap ? cm_distance(&body, &at, &point, &there, CM_REAL_MAX, &w)
                         : cm_distance(&point, &there, &body, &at, CM_REAL_MAX, &w);
        double off = fabs((double)d + depth + radius),
               allowed = (is_double ? 1e-9 + 0x1.4p-45 * far : 1e-6 + 4 * (double)CM_REAL_EPSILON * far);
        worst = fmax(worst, off / allowed);
        check_that(off <= allowed, "point %d, %g from its pose: %.12g deep in the %s, truly %.12g", i, far, -(double)d,
                   cone ? "cone" : "cylinder", depth + radius);
    }
    print_message("  %g of what is allowed\n", worst);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_any_size_have_the_answers_of_size_one),
        cmocka_unit_test(a_point_far_from_its_pose_loses_no_more_than_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
