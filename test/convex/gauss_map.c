/* The depth of two hulls by their faces and edges, against the expanding polytope: the same depth, points on the hulls,
 * nothing left out; and what of a hull it relies on. */
#include "support/cores.h"

#include "convex/convex.h"
#include "hull/hull.h"
#include "shape/shape.h"

#include <math.h>

static cm_hull *hull_random(uint32_t count, double size, bool grid, double thin, rng *r) {
    cm_vec3 point[96];
    for (uint32_t i = 0; i < count; i++) {
        cm_vec3 d = rng_direction(r);
        if (grid) d = cm_v((cm_real)rng_below(r, 4), (cm_real)rng_below(r, 4), (cm_real)rng_below(r, 4));
        point[i] =
            cm_v((cm_real)(size * (double)d.x), (cm_real)(size * (double)d.y), (cm_real)(size * thin * (double)d.z));
    }
    cm_hull_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.points = &point[0].x, desc.point_count = count;
    cm_hull *hull;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    return hull;
}

static void core_of_hull(const cm_hull *hull, cm__core *out) {
    cm_shape shape = cm_make_hull(hull);
    cm__ops(CM_SHAPE_HULL)->core(&shape, out);
}

/* By how much p lies outside of the hull. */
static double outside_hull(const cm_hull *hull, cm__point p) {
    double most = -DBL_MAX;
    for (uint32_t f = 0; f < cm_hull_face_count(hull); f++) {
        const cm__hull_plane *plane = &cm__hull_planes(hull)[f];
        most = fmax(most, cm__point_dot(cm__point_of(plane->normal), p) + (double)plane->d);
    }
    return most;
}

static void hulls_are_as_deep_as_by_the_expanding_polytope(void **state) {
    (void)state;
    rng r = rng_start("gauss", 211);
    long all = 0, round = 0, answered = 0, answered_round = 0;
    double worst = 0, worst_point = 0;
    for (int i = 0; i < samples(6000, 300000); i++) {
        double size = rng_log_range(&r, 1e-4, 1e6),
               other = rng_below(&r, 4) ? size : size * rng_log_range(&r, 1e-2, 1e2);
        bool grid = rng_below(&r, 4) == 0;
        double thin = rng_below(&r, 4) ? 1 : rng_log_range(&r, 1e-4, 1);
        /* some of more than 64 faces, and of more than 128; some of so few that their arcs are long */
        const uint32_t sort = rng_below(&r, 5), more = sort == 1 ? 89 : 50;
        cm_hull *a = hull_random(sort == 0 ? 4 : 8 + rng_below(&r, more), size, grid, thin, &r);
        cm_hull *b = hull_random(8 + rng_below(&r, more), other, grid, thin, &r);
        cm__core core_a, core_b;
        core_of_hull(a, &core_a), core_of_hull(b, &core_b);
        cm_pose pose;
        pose.rotation = rng_below(&r, 4) ? rng_rotation(&r) : cm_quat_identity();
        double reach = (core_a.size + core_b.size) * rng_range(&r, 0, 0.7);
        pose.position = cm_sub(cm_add(cm__vec3_of(core_a.center), cm_scale(rng_direction(&r), (cm_real)reach)),
                               cm_rotate(pose.rotation, cm__vec3_of(core_b.center)));
        cm__frame frame = frame_of_pose(&pose);
        cm__convex_pair pair;
        cm__convex_pair_of(&core_a, &core_b, &frame, &pair);
        cm__gjk_task task = {.far = DBL_MAX, .apart = DBL_MAX, .together = -1};
        cm__gjk g;
        cm__gjk_run(&pair, &task, &g);
        cm__depth fast, slow;
        if (g.end == CM__GJK_INSIDE) {
            bool is_round = !grid && thin == 1 && sort > 0;
            all++, round += is_round;
            cm__depth_run(&pair, &g, &slow);
            if (cm__gauss_map_run(&pair, &fast)) {
                answered++, answered_round += is_round;
                double off = fabs(fast.distance - slow.distance) / pair.scale;
                worst = fmax(worst, off);
                check_that(off <= 1e-12, "number %d: %.17g, by the polytope %.17g (scale %g)", i, fast.distance,
                           slow.distance, pair.scale);
                cm__point d = cm__point_sub(cm__point_sub(fast.b, fast.a), cm__point_scale(fast.normal, fast.distance));
                double point = fmax(outside_hull(a, fast.a), cm__point_largest(d));
                cm__point in_b = frame_unrotate(&frame, cm__point_sub(fast.b, frame.position));
                point = fmax(point, outside_hull(b, in_b)) / pair.scale;
                worst_point = fmax(worst_point, point);
                check_that(point <= 1e-6, "number %d: the points are off by %g of the scale", i, point);
            }
        }
        cm_hull_destroy(a, NULL);
        cm_hull_destroy(b, NULL);
    }
    print_message("  %ld of %ld overlapping answered, %ld of %ld round ones; off by at most %.1e, points %.1e\n",
                  answered, all, answered_round, round, worst, worst_point);
    assert_true(all > samples(6000, 300000) / 3);
    assert_true((double)answered_round > 0.9 * (double)round);
}

/* Sharp hulls barely in each other: the middles of both lie far out over the faces, and an edge's arc is so long that
 * in its middle a hull reaches farther out than along its two faces. */
static void edges_between_sharp_faces_are_found(void **state) {
    (void)state;
    rng r = rng_start("sharp", 229);
    long all = 0, answered = 0;
    for (int i = 0; i < samples(3000, 100000); i++) {
        cm_hull *a = hull_random(4 + rng_below(&r, 3), 1, false, 1, &r), *b = hull_random(32, 1, false, 1, &r);
        cm__core core_a, core_b;
        core_of_hull(a, &core_a), core_of_hull(b, &core_b);
        cm_pose pose = {rng_vec3(&r, 1), rng_rotation(&r)};
        cm__frame frame = frame_of_pose(&pose);
        cm__convex_pair pair;
        cm__convex_pair_of(&core_a, &core_b, &frame, &pair);
        for (int k = 0; k < 2; k++) { /* as they are, and moved out but for a part of the depth */
            cm__gjk_task task = {.far = DBL_MAX, .apart = DBL_MAX, .together = -1};
            cm__gjk g;
            cm__depth fast, slow;
            cm__gjk_run(&pair, &task, &g);
            if (g.end != CM__GJK_INSIDE) break;
            cm__depth_run(&pair, &g, &slow);
            all++;
            if (cm__gauss_map_run(&pair, &fast)) {
                answered++;
                check_that(fabs(fast.distance - slow.distance) <= 1e-12, "number %d: %.17g, by the polytope %.17g", i,
                           fast.distance, slow.distance);
            }
            const double out = -slow.distance * (1 - rng_log_range(&r, 1e-3, 0.5));
            pair.b_in_a.position = cm__point_mul_add(pair.b_in_a.position, out, slow.normal);
        }
        cm_hull_destroy(a, NULL);
        cm_hull_destroy(b, NULL);
    }
    print_message("  %ld of %ld answered\n", answered, all);
    assert_true((double)answered > 0.97 * (double)all);
}

/* An octahedron in the middle of a cube: out by any of six faces; the first is taken. */
static void of_equal_ways_the_first_face_of_a_is_taken(void **state) {
    (void)state;
    cm_vec3 cube[8], tips[6];
    for (int i = 0; i < 8; i++)
        cube[i] = cm_v((cm_real)(i & 1 ? 1 : -1), (cm_real)(i & 2 ? 1 : -1), (cm_real)(i & 4 ? 1 : -1));
    for (int i = 0; i < 6; i++) {
        cm_real x = CM_REAL(0.5) * (cm_real)(i & 1 ? 1 : -1);
        tips[i] = cm_v(i / 2 == 0 ? x : 0, i / 2 == 1 ? x : 0, i / 2 == 2 ? x : 0);
    }
    cm_hull *hull[2];
    for (int i = 0; i < 2; i++) {
        cm_hull_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.points = i ? &tips[0].x : &cube[0].x, desc.point_count = i ? 6 : 8;
        assert_int_equal(cm_hull_build(&desc, NULL, &hull[i], NULL), CM_OK);
    }
    cm__core a, b;
    core_of_hull(hull[0], &a), core_of_hull(hull[1], &b);
    cm_pose none = cm_pose_identity();
    cm__frame frame = frame_of_pose(&none);
    cm__convex_pair pair;
    cm__depth depth;
    cm__convex_pair_of(&a, &b, &frame, &pair);
    assert_true(cm__gauss_map_run(&pair, &depth));
    cm_vec3 first = cm__hull_planes(hull[0])[0].normal;
    check_that(fabs(depth.distance + 1.5) <= 1e-15, "depth %.17g is not 1.5", -depth.distance);
    check_that(cm__point_dot(depth.normal, cm__point_of(first)) > 1 - 1e-15, "normal %g %g %g", depth.normal.x,
               depth.normal.y, depth.normal.z);
    cm_hull_destroy(hull[0], NULL);
    cm_hull_destroy(hull[1], NULL);
}

/* Four points of a grid, coplanar but for the rounding of a product: two pairs of faces back to back, and arcs of half
 * a turn, of which rounding alone tells on which side they run. Once told to be deeper than they are. */
static void hulls_that_are_flat_to_rounding_are_left_to_the_polytope(void **state) {
    (void)state;
    static const int sheet[4][3] = {{0, 0, 1}, {1, 2, 0}, {3, 1, 3}, {3, 3, 1}};
    static const int slab[12][3] = {{0, 0, 0}, {0, 0, 2}, {0, 2, 0}, {0, 2, 3}, {0, 3, 1}, {0, 3, 3},
                                    {1, 1, 3}, {2, 3, 0}, {3, 0, 0}, {3, 0, 3}, {3, 3, 0}, {3, 3, 3}};
    const double size = 0.00092194094132483785, thin = 1.4016504760159339e-06;
    cm_vec3 point[2][12];
    for (int i = 0; i < 12; i++) {
        const int *p = sheet[i % 4], *q = slab[i];
        point[0][i] = cm_v(CM_REAL(size * p[0]), CM_REAL(size * p[1]), CM_REAL(thin * p[2]));
        point[1][i] = cm_v(CM_REAL(size * q[0]), CM_REAL(size * q[1]), CM_REAL(thin * q[2]));
    }
    cm_hull *hull[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        cm_hull_desc desc = {.points = &point[i][0].x, .point_count = i ? 12 : 4};
        assert_int_equal(cm_hull_build(&desc, NULL, &hull[i], NULL), CM_OK);
    }
    cm__core a, b;
    core_of_hull(hull[0], &a), core_of_hull(hull[1], &b);
    const cm_pose pose = {
        {CM_REAL(-0.00010273289801766123), CM_REAL(0.00076979974279481735), CM_REAL(-0.00078074913307677254)},
        {CM_REAL(0.43735769850665324), CM_REAL(0.024855930753146974), CM_REAL(-0.11096569196507963),
         CM_REAL(0.89206896676774339)}};
    cm__frame frame = frame_of_pose(&pose);
    cm__convex_pair pair;
    cm__depth depth;
    cm__convex_pair_of(&a, &b, &frame, &pair);
    assert_false(cm__gauss_map_run(&pair, &depth));
    cm_hull_destroy(hull[0], NULL);
    cm_hull_destroy(hull[1], NULL);
}

/* A roof along x, its ridge on z = 0, from walls; `up` 1, or -1 for one upside down; turned. */
static cm_hull *hull_of_roof(double slope, double up, cm_quat turn) {
    cm_vec3 point[10];
    for (int i = 0; i < 10; i++) {
        const double side = i % 5 == 0 ? 0 : i % 2 ? 1 : -1, down = i % 5 == 0 ? 0 : i % 5 < 3 ? slope : 1;
        point[i] = cm_rotate(turn, cm_v(i < 5 ? -1 : 1, CM_REAL(side), CM_REAL(-up * down)));
    }
    cm_hull_desc desc = {.points = &point[0].x, .point_count = 10};
    cm_hull *hull = NULL;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    return hull;
}

/* Two roofs whose ridges cross at a small angle t: along both as deep as they were moved, and along the normals of
 * their slopes s by depth cos s + sin t sin s, deeper. In floats the product of the ridges is off by 1e-7 / t. */
static void ridges_that_are_nearly_parallel_are_told_exactly(void **state) {
    (void)state;
    rng r = rng_start("ridges", 227);
    int answered = 0, edges = 0;
    const int all = samples(2000, 100000);
    for (int i = 0; i < all; i++) {
        const double slope = rng_range(&r, 0.05, 0.3), t = rng_log_range(&r, 1e-5, 9e-4);
        const double most = sin(t) * slope / (sqrt(1 + slope * slope) - 1), share = rng_range(&r, 0.02, 0.5);
        const double deep = share * most;
        const cm_quat turn_a = rng_rotation(&r), turn_b = rng_rotation(&r);
        const cm_quat between = {0, 0, CM_REAL(sin(t / 2)), CM_REAL(cos(t / 2))};
        cm_hull *a = hull_of_roof(slope, 1, turn_a), *b = hull_of_roof(slope, -1, turn_b);
        cm_pose pose;
        pose.rotation = cm_quat_mul(turn_a, cm_quat_mul(between, cm_quat_conjugate(turn_b)));
        pose.position = cm_rotate(turn_a, cm_v(0, 0, CM_REAL(-deep)));
        cm__core core_a, core_b;
        core_of_hull(a, &core_a), core_of_hull(b, &core_b);
        cm__frame frame = frame_of_pose(&pose);
        cm__convex_pair pair;
        cm__depth fast, slow;
        cm__convex_pair_of(&core_a, &core_b, &frame, &pair);
        cm__gjk_task task = {.far = DBL_MAX, .apart = DBL_MAX, .together = -1};
        cm__gjk g;
        cm__gjk_run(&pair, &task, &g);
        if ((g.end == CM__GJK_INSIDE || g.end == CM__GJK_TOUCHING) && cm__gauss_map_run(&pair, &fast)) {
            cm__depth_run(&pair, &g, &slow);
            answered++;
            edges += fabs(fast.distance + deep) < t / 100;
            /* the product of the ridges is off by the rounding of their directions over the sine of their angle */
            check_that(fast.distance >= slow.distance - 4 * DBL_EPSILON / t,
                       "number %d: %.17g, by the polytope %.17g (angle %g)", i, fast.distance, slow.distance, t);
        }
        cm_hull_destroy(a, NULL);
        cm_hull_destroy(b, NULL);
    }
    print_message("  %d of %d answered, %d by the ridges\n", answered, all, edges);
    assert_true(answered > all / 2);
}

static void no_two_faces_of_a_hull_bend_by_more_than_it_says(void **state) {
    (void)state;
    rng r = rng_start("bend", 223);
    for (int i = 0; i < samples(500, 20000); i++) {
        cm_hull *hull = hull_random(8 + rng_below(&r, 60), rng_log_range(&r, 1e-4, 1e6), rng_below(&r, 4) == 0, 1, &r);
        const uint32_t *twin = cm__hull_twin(hull), *face = cm__hull_edge_face(hull);
        double least = 1;
        for (uint32_t h = 0; h < hull->half_edges; h++) {
            cm__point n = cm__point_of(cm__hull_planes(hull)[face[h]].normal);
            cm__point m = cm__point_of(cm__hull_planes(hull)[face[twin[h]]].normal);
            least = fmin(least, cm__point_length(cm__point_scale(cm__point_add(n, m), 0.5)));
        }
        check_that((double)hull->bend <= least && (double)hull->bend >= least - 1e-3, "bends by %g, says %g", least,
                   (double)hull->bend);
        cm_hull_destroy(hull, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_are_as_deep_as_by_the_expanding_polytope),
        cmocka_unit_test(edges_between_sharp_faces_are_found),
        cmocka_unit_test(of_equal_ways_the_first_face_of_a_is_taken),
        cmocka_unit_test(hulls_that_are_flat_to_rounding_are_left_to_the_polytope),
        cmocka_unit_test(ridges_that_are_nearly_parallel_are_told_exactly),
        cmocka_unit_test(no_two_faces_of_a_hull_bend_by_more_than_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
