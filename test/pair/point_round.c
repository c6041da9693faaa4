/* Spheres against cylinders, cones and ellipsoids by their own ways, against the general one of convex shapes: the same
 * decision, distance and depth, points that prove them; and where people put them: on the axes, on caps, sides, rims
 * and the apex, bodies without height, radius or a half axis. */
#include "pair/pair.h"
#include "support/support.h"

#include <math.h>

typedef struct body {
    cm_shape shape;
    const cm__method *way;
} body;

static body draw_body(rng *r, int sample, double size) {
    cm_real radius = CM_REAL(size * rng_range(r, 0.05, 1)), half = CM_REAL(size * rng_range(r, 0.05, 1));
    if (sample % 13 == 0) half = 0;
    if (sample % 17 == 0) radius = 0;
    const cm_real third = sample % 7 == 0 ? radius : sample % 11 == 0 ? half : CM_REAL(size * rng_range(r, 0.05, 1));
    const body bodies[3] = {{cm_make_cylinder(radius, half), &cm__method_point_cylinder},
                            {cm_make_cone(radius, half), &cm__method_point_cone},
                            {cm_make_ellipsoid(cm_v(third, radius, half)), &cm__method_point_ellipsoid}};
    body b = bodies[rng_below(r, 3)];
    b.shape.radius = CM_REAL(sample % 3 ? 0 : size * rng_range(r, 0, 0.2));
    return b;
}

/* The gap and the decision agree, and the points show the gap. */
static void check_gap(const cm_shape *a, const body *b, const cm_pose *pose, double noise, int sample, cm__gap *out) {
    const cm__frame frame = frame_of_pose(pose);
    b->way->gap(a, &b->shape, &frame, out);
    assert_int_equal(b->way->overlap(a, &b->shape, pose), out->distance <= 0);
    check_that(fabs(cm__point_length(out->normal) - 1) <= 1e-14, "sample %d: a normal of length %.17g", sample,
               cm__point_length(out->normal));
    cm__point off = cm__point_sub(cm__point_sub(out->b, out->a), cm__point_scale(out->normal, out->distance));
    check_that(cm__point_length(off) <= noise, "sample %d: the points show another gap, by %g", sample,
               cm__point_length(off));
}

static void the_special_way_agrees_with_the_general_one(void **state) {
    (void)state;
    const double sizes[] = {1e-4, 1, 1e6};
    int apart = 0, deep = 0, count = samples(10000, 1000000);
    for (int k = 0; k < 3; k++) {
        rng r = rng_start("sphere and round body", 60 + (uint64_t)k);
        const double size = sizes[k], noise = 1e-13 * size;
        for (int i = 0; i < count; i++) {
            body b = draw_body(&r, i, size);
            cm_shape a = cm_make_sphere(rng_vec3(&r, 0.4 * size), CM_REAL(i % 4 ? size * rng_range(&r, 0, 0.5) : 0));
            cm_pose pose;
            pose.position = rng_vec3(&r, 0.4 * size);
            pose.rotation = i % 5 == 0 ? cm_quat_identity() : rng_rotation(&r);
            cm__gap special, general;
            check_gap(&a, &b, &pose, noise, i, &special);
            const cm__frame frame = frame_of_pose(&pose);
            cm__method_convex.gap(&a, &b.shape, &frame, &general);
            double gap = special.distance + (double)a.radius + (double)b.shape.radius;
            /* the general way ends within 1e-10 of the gap (float); its depths, found by a search, may be too large */
            const double careless = gap > 0 ? fmax(2e-11 * size, 1e-10 * gap) : 1e-5 * size;
            check_that(special.distance <= general.distance + careless &&
                           special.distance >= general.distance - (gap > 0 ? careless : noise),
                       "sample %d: %.17g, not %.17g", i, special.distance, general.distance);
            if (fabs(general.distance) > careless)
                assert_int_equal(special.distance <= 0, cm__search_convex.overlap(&a, &b.shape, &pose, NULL));
            apart += gap > 0, deep += gap < 0;
            if (gap > 1e-3 * size) { /* one closest point: one normal */
                double turned = cm__point_length(cm__point_sub(special.normal, general.normal));
                check_that(turned <= 1e-5, "sample %d: the normal is off by %g", i, turned);
            }
        }
    }
    check_that(apart > count && 2 * deep > count, "%d apart, %d deep", apart, deep);
}

/* By hand: a cylinder of radius 3 from z = -2 to 2, a cone of radius 3 and slope 4:3 from z = -2 to 2. */
typedef struct place {
    double at[3], gap, normal[3];
} place;

static void check_places(const body *b, const place *places, int count) {
    for (int i = 0; i < count; i++) {
        const place *p = &places[i];
        cm_pose pose = cm_pose_identity();
        cm_shape a = cm_make_sphere(cm_v(CM_REAL(p->at[0]), CM_REAL(p->at[1]), CM_REAL(p->at[2])), CM_REAL(0.5));
        cm__gap gap;
        check_gap(&a, b, &pose, 1e-14, i, &gap);
        check_that(fabs(gap.distance + 0.5 - p->gap) <= 1e-15, "place %d: %.17g, not %.17g", i, gap.distance + 0.5,
                   p->gap);
        double off = cm__point_length(cm__point_sub(gap.normal, cm__p(p->normal[0], p->normal[1], p->normal[2])));
        check_that(off <= 1e-15, "place %d: normal %g %g %g", i, gap.normal.x, gap.normal.y, gap.normal.z);
    }
}

static void places_of_a_cylinder(void **state) {
    (void)state;
    const place places[] = {
        {{4, 0, 0}, 1, {-1, 0, 0}},       {{3, 0, 1}, 0, {-1, 0, 0}},       /* beside it, on its side */
        {{0, -4, 2}, 1, {0, 1, 0}},       {{0, 0, 2}, 0, {0, 0, -1}},       /* level with a cap, on a cap */
        {{1, 1, -3}, 1, {0, 0, 1}},       {{0, 0, 5}, 3, {0, 0, -1}},       /* below, above on the axis */
        {{0, 6, 6}, 5, {0, -0.6, -0.8}},  {{3, 0, 2}, 0, {-1, 0, 0}},       /* off the rim, on it */
        {{0, 0, 0}, -2, {0, 0, -1}},      {{0, 0, -1}, -1, {0, 0, 1}},      /* the middle; the axis below it */
        {{0, 2.5, 0}, -0.5, {0, -1, 0}},  {{2, 0, 1}, -1, {-1, 0, 0}},      /* near the side; as near to a cap */
        {{0x1p-80, 0, 7}, 5, {0, 0, -1}}, {{0, 0x1p-80, 2}, 0, {0, 0, -1}}, /* all but on the axis */
    };
    const place touched[] = {
        {{3.5, 0, 1}, 0.5, {-1, 0, 0}}, {{0, -3.5, 2}, 0.5, {0, 1, 0}}, {{1, 2, 2.5}, 0.5, {0, 0, -1}}};
    const body b = {cm_make_cylinder(3, 2), &cm__method_point_cylinder};
    check_places(&b, touched, 3);
    check_places(&b, places, (int)(sizeof places / sizeof *places));
}

static void places_of_a_cone(void **state) {
    (void)state;
    const place places[] = {
        {{1, 1, -3}, 1, {0, 0, 1}},           {{0, 0, -2}, 0, {0, 0, 1}},        /* below, on the base */
        {{0, 0, 5}, 3, {0, 0, -1}},           {{0, 0, 2}, 0, {0, 0, -1}},        /* above the apex, on it */
        {{5.5, 0, 3}, 5, {-0.8, 0, -0.6}},    {{0, 1.5, 0}, 0, {0, -0.8, -0.6}}, /* beside, on the side */
        {{6, 0, -6}, 5, {-0.6, 0, 0.8}},      {{3, 0, -2}, 0, {-1, 0, 0}},       /* off the rim, on it */
        {{0, 0, 0}, -1.2, {-0.8, 0, -0.6}},   {{0, 0, -1.75}, -0.25, {0, 0, 1}}, /* the axis: side, base */
        {{0, -0.5, 0}, -0.8, {0, 0.8, -0.6}},
    };
    const place touched[] = {
        {{0, 0, 2.5}, 0.5, {0, 0, -1}}, {{3.5, 0, -2}, 0.5, {-1, 0, 0}}, {{1, 2, -2.5}, 0.5, {0, 0, 1}}};
    const body b = {cm_make_cone(3, 2), &cm__method_point_cone};
    check_places(&b, touched, 3);
    check_places(&b, places, (int)(sizeof places / sizeof *places));
}

/* Half axes 3, 2 and 1. Within the evolute of the plane across the shortest axis there are two closest points. */
static void places_of_an_ellipsoid(void **state) {
    (void)state;
    const double root = sqrt(0.5);
    const place places[] = {
        {{5, 0, 0}, 2, {-1, 0, 0}},          {{0, -2, 0}, 0, {0, 1, 0}},        {{0, 0, -3}, 2, {0, 0, 1}},
        {{3, 0, 0}, 0, {-1, 0, 0}},          {{0, 0, 0.5}, -0.5, {0, 0, -1}},   {{0, 0, -0.5}, -0.5, {0, 0, 1}},
        {{0, 0, 0}, -1, {0, 0, -1}},         {{0, 0, -0x1p-80}, -1, {0, 0, 1}}, {{0, 1.75, 0}, -0.25, {0, -1, 0}},
        {{2.875, 0, 0}, -0.125, {-1, 0, 0}},
    };
    const place touched[] = {{{0, 0, 1.5}, 0.5, {0, 0, -1}}, {{0, -2.5, 0}, 0.5, {0, 1, 0}}};
    const place round[] = {{{0, 0, 0}, -2, {-1, 0, 0}}, {{4, 0, 4}, 4 / root - 2, {-root, 0, -root}}};
    const place over_disk[] = {
        {{1, 0, 2}, 2, {0, 0, -1}}, {{0, 1, 0}, 0, {0, 0, -1}}, {{5, 0, 0}, 2, {-1, 0, 0}}, {{0, 0, -1}, 1, {0, 0, 1}}};
    const place by_needle[] = {{{2, 0, 1}, 1, {0, 0, -1}}, {{6, 0, 4}, 5, {-0.6, 0, -0.8}}, {{1, 0, 0}, 0, {0, -1, 0}}};
    const place by_point[] = {{{3, 0, 4}, 5, {-0.6, 0, -0.8}}, {{0, -2, 0}, 2, {0, 1, 0}}};
    const body whole = {cm_make_ellipsoid(cm_v(3, 2, 1)), &cm__method_point_ellipsoid};
    const body ball = {cm_make_ellipsoid(cm_v(2, 2, 2)), &cm__method_point_ellipsoid};
    const body disk = {cm_make_ellipsoid(cm_v(3, 2, 0)), &cm__method_point_ellipsoid};
    const body needle = {cm_make_ellipsoid(cm_v(3, 0, 0)), &cm__method_point_ellipsoid};
    const cm_real little = sizeof(cm_real) > 4 ? CM_REAL_MIN : 0; /* whose square is 0 */
    const body thin = {cm_make_ellipsoid(cm_v(3, little, little)), &cm__method_point_ellipsoid};
    const body point = {cm_make_ellipsoid(cm_v(0, 0, 0)), &cm__method_point_ellipsoid};
    check_places(&whole, touched, 2);
    check_places(&whole, places, (int)(sizeof places / sizeof *places));
    check_places(&ball, round, 2);
    check_places(&disk, over_disk, 4);
    check_places(&needle, by_needle, 3);
    check_places(&thin, by_needle, 3);
    check_places(&point, by_point, 2);
}

static void bodies_without_extent(void **state) {
    (void)state;
    const place over_disk[] = {{{1, 0, 2}, 2, {0, 0, -1}},
                               {{0, 0, -2}, 2, {0, 0, 1}},
                               {{6, 0, 4}, 5, {-0.6, 0, -0.8}},
                               {{1, 0, 0}, 0, {0, 0, -1}}};
    const place by_needle[] = {{{2, 0, 1}, 2, {-1, 0, 0}}, {{0, 0, 5}, 3, {0, 0, -1}}, {{3, 0, -6}, 5, {-0.6, 0, 0.8}}};
    const place by_point[] = {{{3, 0, 4}, 5, {-0.6, 0, -0.8}}, {{0, -2, 0}, 2, {0, 1, 0}}};
    const body disks[] = {{cm_make_cylinder(3, 0), &cm__method_point_cylinder},
                          {cm_make_cone(3, 0), &cm__method_point_cone}};
    const body needles[] = {{cm_make_cylinder(0, 2), &cm__method_point_cylinder},
                            {cm_make_cone(0, 2), &cm__method_point_cone}};
    const body points[] = {{cm_make_cylinder(0, 0), &cm__method_point_cylinder},
                           {cm_make_cone(0, 0), &cm__method_point_cone}};
    for (int i = 0; i < 2; i++) {
        check_places(&disks[i], over_disk, 4);
        check_places(&needles[i], by_needle, 3);
        check_places(&points[i], by_point, 2);
    }
}

/* Places within some ulps of rims and of the apex: whatever rounding makes of them, the normal is one that the body has
 * there, so that a sphere around them is pushed out and not through. */
static void normals_at_corners_hold(void **state) {
    (void)state;
    rng r = rng_start("corners of cylinders and cones", 64);
    for (int i = 0, n = samples(20000, 1000000); i < n; i++) {
        double radius = rng_range(&r, 0.1, 2), half = rng_range(&r, 0.1, 2);
        body b = {i % 2 ? cm_make_cylinder(CM_REAL(radius), CM_REAL(half))
                        : cm_make_cone(CM_REAL(radius), CM_REAL(half)),
                  i % 2 ? &cm__method_point_cylinder : &cm__method_point_cone};
        bool apex = i % 4 == 2;
        double angle_x = rng_range(&r, -1, 1), angle_y = rng_range(&r, -1, 1),
               length = sqrt(angle_x * angle_x + angle_y * angle_y);
        double rim = apex ? 0 : (double)(cm_real)radius / length, up = apex || i % 8 == 1 ? 1 : -1;
        double off[3];
        for (int k = 0; k < 3; k++) off[k] = 1 + (double)((int)rng_below(&r, 5) - 2) * (double)CM_REAL_EPSILON;
        cm_vec3 at = cm_v(CM_REAL(angle_x * rim * off[0]), CM_REAL(angle_y * rim * off[1]),
                          CM_REAL(up * (double)(cm_real)half * off[2]));
        cm_shape a = cm_make_sphere(at, CM_REAL(0.25));
        cm_pose pose = cm_pose_identity();
        if (i % 3 == 0) { /* the body turned about that place, which is then off by the rounding of the turn */
            pose.rotation = rng_rotation(&r);
            pose.position = cm_neg(cm_rotate(pose.rotation, at));
            a.u.point = cm_v(0, 0, 0);
        }
        cm__gap gap;
        check_gap(&a, &b, &pose, 1e-14, i, &gap);
        cm__frame placed = frame_of_pose(&pose);
        gap.normal = frame_unrotate(&placed, gap.normal);
        /* into the body from A: never outward past the corner's cone */
        double outward = -(gap.normal.x * (double)at.x + gap.normal.y * (double)at.y) * (apex ? 0 : 1 / radius);
        double along = -up * gap.normal.z;
        /* the cone's side; up to the apex every direction that leads out there rises by that at least */
        double side = radius / sqrt(radius * radius + 4 * half * half), least = i % 2 ? 0 : apex ? side : -side;
        check_that(outward >= -1e-6 && along >= least - 1e-6 && fabs(gap.distance + 0.25) <= 1e-5,
                   "sample %d: normal %g %g %g at %g %g %g of radius %g, half height %g, distance %g", i, gap.normal.x,
                   gap.normal.y, gap.normal.z, (double)at.x, (double)at.y, (double)at.z, radius, half, gap.distance);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_special_way_agrees_with_the_general_one),
        cmocka_unit_test(places_of_a_cylinder),
        cmocka_unit_test(places_of_a_cone),
        cmocka_unit_test(places_of_an_ellipsoid),
        cmocka_unit_test(bodies_without_extent),
        cmocka_unit_test(normals_at_corners_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
