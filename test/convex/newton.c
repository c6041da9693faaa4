/* Newton's steps: how support points move on what is curved, and how few steps that leaves. */
#include "support/cores.h"

#include <math.h>

static cm__point random_direction(rng *r) { return wide_normalize(cm__point_of(rng_direction(r)), cm__p(1, 0, 0)); }

static const solid_kind curved[3] = {SOLID_CYLINDER, SOLID_CONE, SOLID_ELLIPSOID};

static void random_core(solid_kind kind, rng *r, solid *s, cm__core *out) {
    solid_random(s, kind, 0, 1, r);
    s->radius = 0;
    core_of(s, out);
}

/* The pieces make up the core: the farthest of their points is the support point. Along a piece it moves, from one unit
 * direction to a near one, by H times the way between them: central differences, whose error is the square of the way.
 */
static void support_points_move_by_the_curvature(void **state) {
    (void)state;
    rng r = rng_start("curvature", 211);
    double worst = 0;
    for (int i = 0; i < samples(3000, 300000); i++) {
        const solid_kind kind = curved[i % 3];
        solid s;
        cm__core core;
        random_core(kind, &r, &s, &core);
        const cm__point d = random_direction(&r);
        cm__bend bend, piece;
        uint32_t id;
        core.ops->bend(&core, cm__point_scale(d, rng_log_range(&r, 1e-3, 1e3)), CM_NONE, &bend);
        const cm__point far = core.ops->support(&core, d, &id);
        const double reach = cm__point_dot(d, far), rounding = 1e-14 * core.size;
        check_that(fabs(cm__point_dot(d, bend.point) - reach) <= rounding, "%s: the farthest point is not the support",
                   solid_names[kind]);
        double most = -DBL_MAX;
        for (uint32_t k = 0; k < (kind == SOLID_ELLIPSOID ? 1u : 2u); k++) {
            core.ops->bend(&core, d, k, &piece);
            most = fmax(most, cm__point_dot(d, piece.point));
            check_that(k == piece.piece, "piece %u is called %u", k, piece.piece);
        }
        check_that(fabs(most - reach) <= rounding, "%s: the pieces reach to %.17g, the core to %.17g",
                   solid_names[kind], most, reach);
        const cm__point t = cm__point_cross(d, random_direction(&r));
        cm__point moved[2];
        for (int k = 0; k < 2; k++) {
            const double way = k == 0 ? 1e-5 : 2e-5;
            core.ops->bend(&core, cm__point_mul_add(d, way, t), bend.piece, &bend);
            const cm__point ahead = bend.point;
            core.ops->bend(&core, cm__point_mul_add(d, -way, t), bend.piece, &bend);
            moved[k] = cm__point_scale(cm__point_sub(ahead, bend.point), 0.5 / way);
        }
        core.ops->bend(&core, d, bend.piece, &bend);
        cm__point told = cm__p(0, 0, 0);
        for (int k = 0; k < bend.count; k++)
            told = cm__point_mul_add(told, bend.weight[k] * cm__point_dot(bend.along[k], t), bend.along[k]);
        /* of twice the way the error is four times as large: three times the first one lies between the two */
        const double off = cm__point_length(cm__point_sub(moved[0], told)) / core.size;
        const double apart = cm__point_length(cm__point_sub(moved[1], moved[0])) / core.size;
        worst = fmax(worst, off - apart);
        check_that(off <= apart + 1e-9, "%s: moves by %g more than told, known to %g", solid_names[kind], off, apart);
    }
    print_message("  off by at most %g\n", worst);
}

/* Plain GJK takes 14 to 18 support points for these; the bounds end both. Where a cap is not tried, or the first
 * support point is taken twice, 6. */
static void pairs_apart_take_few_steps(void **state) {
    (void)state;
    rng r = rng_start("few steps", 213);
    static const solid_kind other[5] = {SOLID_CYLINDER, SOLID_CONE, SOLID_ELLIPSOID, SOLID_BOX, SOLID_TRIANGLE};
    for (int ka = 0; ka < 3; ka++) {
        for (int kb = 0; kb < 5; kb++) {
            long steps = 0, pairs = 0;
            while (pairs < samples(500, 20000)) {
                cm__core a, b;
                cm__convex_pair pair;
                cm__convex_gap gap;
                solid sa, sb;
                random_core(curved[ka], &r, &sa, &a), random_core(other[kb], &r, &sb, &b);
                cm_pose pose = {cm_scale(rng_direction(&r), CM_REAL(rng_range(&r, 0.5, 4))), rng_rotation(&r)};
                cm__frame frame = frame_of_pose(&pose);
                cm__convex_pair_of(&a, &b, &frame, &pair);
                cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
                if (!(gap.distance > 0.1)) continue;
                steps += gap.steps, pairs++;
            }
            const double mean = (double)steps / (double)pairs;
            print_message("  %s and %s: %.1f steps\n", solid_names[curved[ka]], solid_names[other[kb]], mean);
            check_that(mean <= 6, "%s and %s: %.1f steps", solid_names[curved[ka]], solid_names[other[kb]], mean);
        }
    }
}

/* A cylinder or cone, as it happens to lie, over the middle of a box's face: the first support point is over the face,
 * and the second proves that the way down to it is the distance. Corner by corner it takes 5 and more. */
static void a_face_is_found_at_once(void **state) {
    (void)state;
    rng r = rng_start("over a face", 215);
    for (int i = 0; i < samples(2000, 100000); i++) {
        cm__core box, body;
        cm__convex_pair pair;
        cm__convex_gap gap;
        const double size = rng_range(&r, 0.3, 0.9), height = rng_range(&r, 0.3, 0.9), up = rng_range(&r, 3, 6);
        cm__core_box(cm__p(2, 2, 1), &box);
        if (i % 2)
            cm__core_cone(size, height, &body);
        else
            cm__core_cylinder(size, height, &body);
        const cm_pose pose = {cm_v(CM_REAL(rng_range(&r, -0.5, 0.5)), CM_REAL(rng_range(&r, -0.5, 0.5)), CM_REAL(up)),
                              rng_rotation(&r)};
        const cm__frame frame = frame_of_pose(&pose);
        uint32_t id;
        const cm__point down = frame_unrotate(&frame, cm__p(0, 0, -1));
        const double low = frame_apply(&frame, body.ops->support(&body, down, &id)).z;
        cm__convex_pair_of(&box, &body, &frame, &pair);
        cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
        check_that(fabs(gap.distance - (low - 1)) <= 1e-14 * pair.scale, "%d: %.17g apart, not %.17g", i, gap.distance,
                   low - 1);
        check_that(gap.steps <= 2, "%d: %d steps", i, gap.steps);
    }
}

/* Where an edge crosses a rim the normal is all that says where: what was moved by the distance is left apart by as
 * much as the points were aside. Their bounds, which agree to rounding, do not show it. */
static void pairs_moved_by_their_distance_touch(void **state) {
    (void)state;
    rng r = rng_start("moved", 214);
    static const solid_kind edged[4] = {SOLID_CYLINDER, SOLID_CONE, SOLID_BOX, SOLID_TRIANGLE};
    const double bound = sizeof(cm_real) == 4 ? 3e-7 : 3e-10;
    double worst = 0;
    int pairs = 0, more = 0;
    for (int i = 0; i < samples(20000, 1000000); i++) {
        cm__core a, b;
        cm__convex_pair pair;
        cm__convex_gap gap;
        solid sa, sb;
        random_core(edged[i % 2], &r, &sa, &a), random_core(edged[i / 2 % 4], &r, &sb, &b);
        const cm_pose pose = {cm_scale(rng_direction(&r), CM_REAL(rng_range(&r, 1, 4))), rng_rotation(&r)};
        cm__frame frame = frame_of_pose(&pose);
        cm__convex_pair_of(&a, &b, &frame, &pair);
        cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
        if (!(gap.distance > 0.1)) continue;
        frame.position = cm__point_mul_add(frame.position, -gap.distance, gap.normal);
        cm__convex_pair_of(&a, &b, &frame, &pair);
        cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
        const double left = fabs(gap.distance) / pair.scale;
        worst = fmax(worst, left);
        pairs++, more += left > bound;
    }
    print_message("  left %g of the scale; of %d, %d more than %g\n", worst, pairs, more, bound);
    check_that(pairs > samples(20000, 1000000) / 4, "%d pairs", pairs);
    check_that(more * 2000 <= pairs, "of %d pairs, %d were left more than %g of the scale", pairs, more, bound);
}

/* A cone stands on the cap of a cylinder or the base of a cone. Rounding puts the one a little inside the other or not;
 * their distance is 0 but for the rounding of poses. */
static void a_cone_that_stands_touches(void **state) {
    (void)state;
    rng r = rng_start("standing cones", 217);
    for (int i = 0; i < samples(6000, 400000); i++) {
        const cm_real radius = CM_REAL(rng_range(&r, 0.1, 1)), half = CM_REAL(rng_range(&r, 0.1, 1));
        const cm_shape cone = cm_make_cone(CM_REAL(rng_range(&r, 0.1, 1)), CM_REAL(rng_range(&r, 0.1, 1)));
        const cm_shape below = i % 2 ? cm_make_cylinder(radius, half) : cm_make_cone(radius, half);
        const cm_pose world = rng_pose(&r, 1);
        cm_pose on = cm_pose_at(cm_v(0, 0, half + cone.u.cone.half_height)), under = cm_pose_identity();
        if (i % 2 == 0) under.rotation.x = 1, under.rotation.w = 0; /* with its base up */
        cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(rng_range(&r, 0, 6)), &on.rotation);
        on = cm_pose_mul(&world, &on), under = cm_pose_mul(&world, &under);
        const double d = (double)cm_distance(&cone, &on, &below, &under, CM_COORD_MAX, NULL);
        check_that(fabs(d) <= 128 * (double)CM_REAL_EPSILON, "%d: %g apart", i, d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(support_points_move_by_the_curvature),
        cmocka_unit_test(pairs_apart_take_few_steps),
        cmocka_unit_test(a_face_is_found_at_once),
        cmocka_unit_test(a_cone_that_stands_touches),
        cmocka_unit_test(pairs_moved_by_their_distance_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
