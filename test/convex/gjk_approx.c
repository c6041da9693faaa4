/* Hulls by their fast support points and the search in cm_real, against the same points by plain support points in
 * double: the same distance, the same decision; and nothing is told apart that is not. */
#include "support/cores.h"

#include "convex/convex.h"
#include "shape/shape.h"

#include <math.h>

typedef struct twin {
    cm_vec3 point[96];
    cm_hull *hull;
    cm_shape shape;
    cm__core fast, plain;
} twin;

/* Round, or thin along some axes; now and then far from its own origin. */
static void twin_random(twin *t, double size, rng *r) {
    uint32_t count = 4 + rng_below(r, rng_below(r, 4) ? 60 : 92);
    double thin = rng_below(r, 4) ? 1 : rng_log_range(r, 1e-6, 1), flat = rng_below(r, 4) ? 1 : thin;
    cm_vec3 away = rng_below(r, 4) ? cm_v(0, 0, 0) : rng_vec3(r, 10 * size);
    bool grid = rng_below(r, 4) == 0; /* many ties and coplanar corners */
    for (uint32_t i = 0; i < count; i++) {
        cm_vec3 d = rng_direction(r);
        if (grid) d = cm_v((cm_real)rng_below(r, 4), (cm_real)rng_below(r, 4), (cm_real)rng_below(r, 4));
        t->point[i] = cm_add(away, cm_v((cm_real)(size * (double)d.x), (cm_real)(size * thin * (double)d.y),
                                        (cm_real)(size * flat * (double)d.z)));
    }
    cm_hull_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.points = &t->point[0].x, desc.point_count = count;
    assert_int_equal(cm_hull_build(&desc, NULL, &t->hull, NULL), CM_OK);
    t->shape = cm_make_hull(t->hull);
    t->shape.radius = rng_below(r, 4) ? 0 : (cm_real)(size * rng_range(r, 0, 0.5));
    cm__ops(CM_SHAPE_HULL)->core(&t->shape, &t->fast);
    core_of_points(t->point, count, &t->plain);
    t->plain.radius = t->fast.radius;
}

static void hulls_and_their_points_are_equally_far(void **state) {
    (void)state;
    rng r = rng_start("gjk_approx", 97);
    long apart = 0, told = 0, all = 0, deep = 0, inside = 0, steps = 0, searched = 0;
    double worst = 0;
    for (int i = 0; i < samples(6000, 300000); i++) {
        static twin a, b;
        double size = rng_log_range(&r, 1e-4, 1e6);
        twin_random(&a, size, &r);
        twin_random(&b, rng_below(&r, 4) ? size : size * rng_log_range(&r, 1e-3, 1e3), &r);
        cm_pose pose;
        pose.rotation = rng_below(&r, 4) ? rng_rotation(&r) : cm_quat_identity();
        double reach = (a.fast.size + b.fast.size) * rng_range(&r, 0, 1.2);
        pose.position = cm_sub(cm_add(cm__vec3_of(a.fast.center), cm_scale(rng_direction(&r), (cm_real)reach)),
                               cm_rotate(pose.rotation, cm__vec3_of(b.fast.center)));
        cm__frame frame = frame_of_pose(&pose);
        cm__convex_pair fast, plain;
        cm__convex_gap f, p;
        cm__convex_pair_of(&a.fast, &b.fast, &frame, &fast);
        cm__convex_pair_of(&a.plain, &b.plain, &frame, &plain);
        cm__convex_gap_of(&fast, DBL_MAX, NULL, &f);
        cm__convex_gap_of(&plain, DBL_MAX, NULL, &p);
        double scale = plain.scale + a.plain.radius + b.plain.radius, off = fabs(f.distance - p.distance) / scale;
        worst = fmax(worst, off);
        check_that(off <= 1e-12, "number %d: %.17g led, %.17g not (scale %g)", i, f.distance, p.distance, scale);
        bool overlap = cm__convex_overlap(&fast, NULL);
        assert_int_equal(overlap, f.distance <= 0);
        /* what is told apart, and by how much, is so */
        cm__gjk_approx approx;
        for (int k = 0; k < 4; k++) {
            double far = fmax(p.core_distance, 0) * (1 - 0.3 * k) + (k == 3 ? scale * 1e-7 : 0);
            bool beyond = cm__gjk_approx_run(&fast, far, NULL, &approx);
            check_that(!beyond || p.core_distance > far, "%.17g apart, said to be more than %.17g", p.core_distance,
                       far);
            told += beyond;
        }
        if (f.core_distance > 1e-3 * scale) steps += f.steps, searched++;
        deep += p.core_distance < -1e-3 * scale;
        inside += !cm__gjk_approx_run(&fast, DBL_MAX, NULL, &approx) && approx.inside;
        check_that(!approx.inside || p.core_distance < 0, "%.17g apart, said to overlap", p.core_distance);
        /* just parted */
        double gap = scale * rng_log_range(&r, 1e-9, 1e-5);
        cm__convex_pair parted = fast;
        parted.b_in_a.position = cm__point_mul_add(frame.position, gap - p.core_distance, p.normal);
        check_that(cm__gjk_approx_run(&parted, DBL_MAX, NULL, &approx) || !approx.inside, "%g apart, said to overlap",
                   gap);
        apart += f.distance > 0, all++;
        cm_hull_destroy(a.hull, NULL);
        cm_hull_destroy(b.hull, NULL);
    }
    print_message("  %ld of %ld apart, %ld times said so; %ld deep, %ld said to overlap; off by at most %.1e\n", apart,
                  all, told, deep, inside, worst);
    print_message("  %ld support points in double of %ld well apart\n", steps, searched);
    assert_in_range(apart, all / 5, all - all / 5);
    assert_true(told > apart / 2);
    assert_true(inside > deep / 2);
    assert_true(steps < searched * 3 / 2); /* mostly the approximate search arrives, and one proves it */
}

/* The balls that decide before any search: within and around the hull. */
static void balls_of_hulls_are_within_and_around(void **state) {
    (void)state;
    rng r = rng_start("balls", 101);
    long some = 0;
    for (int i = 0; i < samples(2000, 50000); i++) {
        static twin t;
        twin_random(&t, rng_log_range(&r, 1e-4, 1e6), &r);
        double inner = t.fast.ops->inner(&t.fast);
        some += inner > 0;
        for (int k = 0; k < 50; k++) {
            cm__point n = cm__point_of(rng_direction(&r));
            n = cm__point_scale(n, 1 / cm__point_length(n));
            uint32_t id = 0;
            cm__point p = t.plain.ops->support(&t.plain, n, &id);
            double reach = cm__point_dot(n, cm__point_sub(p, t.fast.center));
            check_that(inner <= 0 || reach >= inner, "reaches %g, the ball within %g", reach, inner);
            check_that(cm__point_length(cm__point_sub(p, t.fast.center)) <= t.fast.size, "beyond the ball around");
        }
        cm_hull_destroy(t.hull, NULL);
    }
    assert_true(some > samples(2000, 50000) / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_and_their_points_are_equally_far),
        cmocka_unit_test(balls_of_hulls_are_within_and_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
