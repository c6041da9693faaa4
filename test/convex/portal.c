/* Hulls in straight flight by the faces that their path pierces: what is told of first and last contact holds against
 * the signed distance at those times, and most flights are told. */
#include "support/clouds.h"

#include "convex/gjk_approx.h"
#include "convex/portal.h"
#include "shape/shape.h"

#include <math.h>

typedef struct flier {
    cm_vec3 point[64];
    cm_hull *hull;
    cm_shape shape;
    cm__core core;
} flier;

/* Round, or thin along some axes, or of corners on a grid: many of one height, and faces of many corners. */
static void flier_random(flier *f, double size, bool round, rng *r) {
    uint32_t count = 4 + rng_below(r, 60);
    double thin = round ? 1 : rng_log_range(r, 1e-4, 1);
    bool grid = !round && rng_below(r, 2);
    for (uint32_t i = 0; i < count; i++) {
        cm_vec3 d = rng_direction(r);
        if (grid) d = cm_v((cm_real)rng_below(r, 4), (cm_real)rng_below(r, 4), (cm_real)rng_below(r, 4));
        f->point[i] =
            cm_v((cm_real)(size * (double)d.x), (cm_real)(size * (double)d.y), (cm_real)(size * thin * (double)d.z));
    }
    cm_hull_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.points = &f->point[0].x, desc.point_count = count;
    assert_int_equal(cm_hull_build(&desc, NULL, &f->hull, NULL), CM_OK);
    f->shape = cm_make_hull(f->hull);
    cm__ops(CM_SHAPE_HULL)->core(&f->shape, &f->core);
}

static double pair_gap_at(const cm__convex_pair *pair, cm__point drift, double u) {
    cm__convex_pair then = *pair;
    cm__convex_gap gap;
    then.b_in_a.position = cm__point_mul_add(pair->b_in_a.position, u, drift);
    cm__convex_gap_of(&then, DBL_MAX, NULL, &gap);
    return gap.distance;
}

static void what_is_told_of_a_flight_holds(void **state) {
    (void)state;
    rng r = rng_start("portal", 211);
    long hits = 0, misses = 0, ends = 0, unknown = 0, plain = 0;
    for (int i = 0; i < samples(20000, 1000000); i++) {
        static flier a, b;
        double size = rng_log_range(&r, 1e-4, 1e6);
        bool round = rng_below(&r, 2);
        flier_random(&a, size, round, &r);
        flier_random(&b, rng_below(&r, 4) ? size : size * rng_log_range(&r, 1e-2, 1e2), round, &r);
        cm__convex_pair pair;
        cm__portal told;
        cm_pose pose = {rng_vec3(&r, 4 * (a.core.size + b.core.size)), rng_rotation(&r)};
        if (!round && rng_below(&r, 4) == 0) pose.rotation = cm_quat_identity();
        cm__frame frame = frame_of_pose(&pose);
        cm__convex_pair_of(&a.core, &b.core, &frame, &pair);
        cm__point drift = cm__point_scale(cm__point_of(pose.position), -rng_range(&r, 0.2, 3));
        drift = cm__point_add(drift, cm__point_of(rng_vec3(&r, 1.5 * (a.core.size + b.core.size))));
        if (!round && rng_below(&r, 4) == 0) drift.x = 0;
        double scale = pair.scale + cm__point_largest(drift), near = 8 * (double)CM_REAL_EPSILON * scale,
               tiny = 1e-13 * scale;
        cm__portal_end end = cm__portal_run(&pair, drift, near, &told);
        double start = pair_gap_at(&pair, drift, 0);
        if (end == CM__PORTAL_MISS) {
            for (int k = 0; k <= 16; k++) {
                double gap = pair_gap_at(&pair, drift, k / 16.0);
                check_that(gap > 0, "number %d: a miss, in by %g at %d/16 (scale %g)", i, -gap, k, scale);
            }
            misses++;
        } else if (end == CM__PORTAL_HIT) {
            check_that(start > 4 * near - tiny, "number %d: %g apart at the start, near is %g", i, start, near);
            check_that(told.first > 0 && told.first <= told.last && told.last <= 1, "number %d: %g to %g", i,
                       told.first, told.last);
            double first = pair_gap_at(&pair, drift, told.first),
                   before = pair_gap_at(&pair, drift, 0.999 * told.first);
            check_that(first >= near - tiny - near / 2 && first <= 2 * near + tiny, "number %d: %g near at first", i,
                       first / near);
            check_that(before > first - tiny, "number %d: %g apart before, %g at first", i, before, first);
            if (told.last < 1) {
                double last = pair_gap_at(&pair, drift, told.last), after = pair_gap_at(&pair, drift, 1);
                check_that(last >= near / 2 - tiny && after >= last - tiny, "number %d: %g at last, %g after", i,
                           last / near, after);
                ends++;
            } else {
                double gap = pair_gap_at(&pair, drift, 1);
                check_that(gap <= 2 * near + tiny, "number %d: in contact to the end, %g apart there", i, gap / near);
            }
            hits++;
        } else if (start > 8 * near) {
            unknown++;
        }
        plain += start > 8 * near;
        cm_hull_destroy(a.hull, NULL);
        cm_hull_destroy(b.hull, NULL);
    }
    print_message("  %ld hits (%ld end), %ld misses, %ld not told, of %ld that start apart\n", hits, ends, misses,
                  unknown, plain);
    assert_true(hits > plain / 4 && misses > plain / 8 && ends > hits / 8);
    assert_true(unknown < plain / 16); /* four corners, grids and needles among them */
}

/* Something tiny flies at a corner or an edge: faces of D are slivers, and the path goes past them by rounding. */
static void the_point_of_contact_is_where_they_meet(void **state) {
    (void)state;
    rng r = rng_start("tiny", 223);
    long hits = 0;
    double worst = 0;
    for (int i = 0; i < samples(20000, 1000000); i++) {
        static flier a, b;
        flier_random(&a, 1, true, &r);
        flier_random(&b, rng_log_range(&r, 1e-5, 1e-3), true, &r);
        cm__convex_pair pair;
        cm__portal told;
        cm_vec3 target = cm_hull_vertices(a.hull)[rng_below(&r, cm_hull_vertex_count(a.hull))];
        cm_pose pose = {cm_add(target, cm_scale(rng_direction(&r), CM_REAL(rng_log_range(&r, 1e-4, 1)))),
                        rng_rotation(&r)};
        cm__frame frame = frame_of_pose(&pose);
        cm__convex_pair_of(&a.core, &b.core, &frame, &pair);
        cm_vec3 drift = cm_scale(cm_sub(target, pose.position), CM_REAL(rng_range(&r, 1, 3)));
        double scale = pair.scale + (double)cm_largest(drift), near = 8 * (double)CM_REAL_EPSILON * scale;
        double beside = GJK_APPROX_ROUNDING * scale; /* that far the search may take it past a face */
        if (cm__portal_run(&pair, cm__point_of(drift), near, &told) == CM__PORTAL_HIT) {
            cm_shape foot = cm_make_point(cm__vec3_of(told.a));
            cm_pose home = cm_pose_identity(), then = pose;
            then.position = cm_mul_add(pose.position, CM_REAL(told.first), drift);
            double off = (double)cm_distance(&foot, &home, &b.shape, &then, CM_REAL_MAX, NULL) / near;
            worst = off > worst ? off : worst;
            check_that(off < 32 * beside / near, "number %d: %g near from where they meet", i, off);
            hits++;
        }
        cm_hull_destroy(a.hull, NULL);
        cm_hull_destroy(b.hull, NULL);
    }
    print_message("  %ld hits, at most %g near off\n", hits, worst);
    assert_true(hits > 1000);
}

/* A prism and a wedge stand on one plane, and the prism slides at the wedge: the path runs within a face of their
 * difference, and rounding tells of others that it pierces them. What is told still is where they are as near as that.
 */
static void a_path_within_a_face_meets_where_the_gap_is_small(void **state) {
    (void)state;
    rng r = rng_start("flush", 227);
    cm_vec3 corner[16], wedge[6];
    for (int i = 0; i < 16; i++)
        corner[i] = cm_v(CM_REAL(0.5 * cos(i / 2 * 0.78539816339744831)),
                         CM_REAL(0.5 * sin(i / 2 * 0.78539816339744831)), i & 1 ? CM_REAL(0.5) : -CM_REAL(0.5));
    for (int i = 0, count = 0; i < 8; i++)
        if ((i & 5) != 4)
            wedge[count++] = cm_v(CM_REAL(i & 1 ? 4 : 0), CM_REAL(i & 2 ? 2 : -2), CM_REAL(i & 4 ? 1 : 0));
    cm_hull *hull[2] = {hull_of(corner, 16), hull_of(wedge, 6)};
    const cm_shape a = cm_make_hull(hull[0]), b = cm_make_hull(hull[1]);
    cm__core core_a, core_b;
    cm__ops(CM_SHAPE_HULL)->core(&a, &core_a), cm__ops(CM_SHAPE_HULL)->core(&b, &core_b);
    long hits = 0, count = samples(8000, 800000);
    for (long i = 0; i < count; i++) {
        /* the first is one that was met 1.1 before the wedge, in float */
        cm_pose from = cm_pose_at(cm_v(-3, CM_REAL(0.7158852219581604), CM_REAL(0.5)));
        cm_vec3 move = cm_v(CM_REAL(4.1934456825256348), 0, 0);
        if (i > 0) {
            const double way = rng_range(&r, 0.5, 5), aside = rng_below(&r, 2) ? 0 : rng_range(&r, -0.2, 0.2);
            const double yaw = rng_below(&r, 2) ? 0 : rng_range(&r, 0, 3.1);
            from.position.x = CM_REAL(rng_range(&r, -3.5, -1)), from.position.y = CM_REAL(rng_range(&r, -1.5, 1.5));
            from.rotation = (cm_quat){0, 0, CM_REAL(sin(yaw)), CM_REAL(cos(yaw))};
            move = cm_v(CM_REAL(way), CM_REAL(way * aside), 0);
        }
        const cm_pose home = cm_pose_identity(), b_in_a = cm_pose_between(&from, &home);
        const cm__frame frame = frame_of_pose(&b_in_a);
        const cm__point drift = cm__point_of(cm_neg(cm_unrotate(from.rotation, move)));
        cm__convex_pair pair;
        cm__portal told;
        cm__convex_pair_of(&core_a, &core_b, &frame, &pair);
        const double scale = pair.scale + cm__point_largest(drift), near = 8 * (double)CM_REAL_EPSILON * scale;
        if (cm__portal_run(&pair, drift, near, &told) != CM__PORTAL_HIT) continue;
        const double gap = pair_gap_at(&pair, drift, told.first);
        check_that(gap <= 2 * near + 1e-13 * scale, "number %ld: %g apart at first, %g", i, gap, told.first);
        hits++;
    }
    print_message("  %ld hits of %ld\n", hits, count);
    cm_hull_destroy(hull[0], NULL), cm_hull_destroy(hull[1], NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_told_of_a_flight_holds),
                                       cmocka_unit_test(the_point_of_contact_is_where_they_meet),
                                       cmocka_unit_test(a_path_within_a_face_meets_where_the_gap_is_small)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
