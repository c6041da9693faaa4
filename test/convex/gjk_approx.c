/* Hulls by their fast support points and the search in cm_real, against the same points by plain support points in
 * double: the same distance, the same decision; and nothing is told apart that is not. */
#include "support/cores.h"

#include "convex/gjk_steps.h"
#include "convex/simplex.h"
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

/* The closest point in double of some corners, and what carries it; false where the origin is inside. */
static bool closest_in_double(const cm__convex_vertex *p, int count, cm__feature *out) {
    if (count == 4) return cm__feature_tetrahedron(p, 0, out) == CM__OUTSIDE;
    if (count == 1) cm__feature_corner(p, 0, out);
    if (count == 2) cm__feature_edge(p, 0, 1, out);
    if (count == 3) cm__feature_triangle(p, 0, 1, 2, out);
    return true;
}

/* One step of a search: corners that all carry the closest point, and a new one on the origin's side of it; and any
 * three corners. The closest point is that in double, and what is kept has it. */
static void each_step_finds_the_closest_point_of_the_simplex(void **state) {
    (void)state;
    rng r = rng_start("gjk_steps", 103);
    long inside = 0, by_count[4] = {0};
    for (int i = 0; i < samples(100000, 10000000); i++) {
        cm__convex_vertex p[4], kept[3];
        cm__feature f;
        approx_simplex s;
        cm_vec3 w[4], away = cm_scale(rng_direction(&r), (cm_real)rng_range(&r, 0, 2));
        int count = 1 + (int)rng_below(&r, 4);
        for (int k = 0; k < 4; k++) w[k] = cm_add(away, rng_vec3(&r, 1)), p[k].w = cm__point_of(w[k]);
        if (count > 1) { /* the last is the new one */
            if (!closest_in_double(p, count - 1, &f) || f.count != count - 1) continue;
            if (!(cm__point_dot(f.v, p[count - 1].w) < f.square * 0.99)) continue;
        }
        approx_simplex_none(&s);
        const int last = count - 1, at[4] = {0, last > 1 ? 1 : 0, last > 2 ? 2 : last > 1 ? 1 : 0, last};
        for (int k = 0; k < 4; k++) s.name[k] = approx_name_of((uint32_t)at[k], 0);
        s.kept.x = real4_of(w[at[0]].x, w[at[1]].x, w[at[2]].x, w[at[0]].x);
        s.kept.y = real4_of(w[at[0]].y, w[at[1]].y, w[at[2]].y, w[at[0]].y);
        s.kept.z = real4_of(w[at[0]].z, w[at[1]].z, w[at[2]].z, w[at[0]].z);
        approx_closest closest;
        const bool outside = approx_closest_of(&s, w[last], count == 4, count < 4, &closest);
        const bool known = closest_in_double(p, count, &f);
        if (known && f.square < 1e-6) continue; /* rounding decides */
        check_that(outside == known, "number %d: %d corners, the origin is %s", i, count, known ? "outside" : "inside");
        inside += !known;
        if (!known) continue;
        const double length = sqrt(f.square);
        cm__point off = cm__point_sub(cm__point_of(closest.v), f.v);
        check_that(cm__point_length(off) <= 1e-3, "number %d: %d corners, off by %g of %g", i, count,
                   cm__point_length(off), length);
        approx_keep(&s, w[last], closest.choice);
        for (int k = 0; k < s.count; k++) kept[k].w = p[approx_name_a(s.name[k])].w;
        check_that(closest_in_double(kept, s.count, &f) && fabs(sqrt(f.square) - length) <= 1e-3,
                   "number %d: what is kept of %d is %g away, not %g", i, count, sqrt(f.square), length);
        by_count[s.count]++;
    }
    print_message("  inside %ld; kept 1, 2, 3: %ld, %ld, %ld\n", inside, by_count[1], by_count[2], by_count[3]);
    for (int k = 1; k < 4; k++) assert_true(by_count[k] > samples(100000, 10000000) / 50);
    assert_true(inside > samples(100000, 10000000) / 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_and_their_points_are_equally_far),
        cmocka_unit_test(balls_of_hulls_are_within_and_around),
        cmocka_unit_test(each_step_finds_the_closest_point_of_the_simplex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
