/* The caller's cache: pairs that move a little from query to query get the answers they get without. */
#include "support/bodies.h"

#include <math.h>

/* Sharp pairs: by rounding. Curved ones that overlap: as deep as what cm_distance states for them. */
#define SHARP_BOUND (sizeof(cm_real) == 4 ? 1e-6 : 1e-12)
#define APART_BOUND (sizeof(cm_real) == 4 ? 1e-6 : 1e-8)
#define ROUND_BOUND 1e-3

static double bound_of(bool sharp, cm_real distance) {
    return sharp ? SHARP_BOUND : distance > 0 ? APART_BOUND : ROUND_BOUND;
}

static void nudge(cm_pose *pose, double step, rng *r) {
    cm_vec3 turn = rng_vec3(r, 0.02);
    cm_quat q = {turn.x, turn.y, turn.z, 1};
    pose->rotation = cm_quat_normalize(cm_quat_mul(cm_quat_normalize(q), pose->rotation));
    pose->position = cm_add(pose->position, rng_vec3(r, step));
}

static void the_answers_are_those_without(void **state) {
    (void)state;
    rng r = rng_start("cache", 71);
    const int count = samples(12, 600), frames = 12;
    long overlapping = 0, all = 0;
    for (int ka = 0; ka < SOLID_KINDS; ka++) {
        for (int kb = 0; kb < SOLID_KINDS; kb++) {
            for (int i = 0; i < count; i++) {
                body a, b;
                double size = rng_log_range(&r, 1e-4, 1e6);
                body_random(&a, (solid_kind)ka, size, &r);
                body_random(&b, (solid_kind)kb, size, &r);
                bool sharp = solid_is_polytope(&a.s) && solid_is_polytope(&b.s);
                cm_pair_cache cache[3];
                memset(cache, 0, sizeof cache);
                for (int f = 0; f < frames; f++) {
                    nudge(&b.pose, 0.03 * size, &r);
                    if (f == frames / 2) b.pose.position = rng_vec3(&r, size); /* a jump */
                    cm_witness w, v;
                    cm_manifold m, n;
                    bool plain = cm_overlap(&a.shape, &a.pose, &b.shape, &b.pose);
                    bool warm = cm_overlap_cached(&a.shape, &a.pose, &b.shape, &b.pose, &cache[0]);
                    assert_int_equal(plain, warm);
                    cm_real d = cm_distance(&a.shape, &a.pose, &b.shape, &b.pose, CM_REAL_MAX, &w);
                    cm_real e = cm_distance_cached(&a.shape, &a.pose, &b.shape, &b.pose, CM_REAL_MAX, &cache[1], &v);
                    double bound = bound_of(sharp, d) * size;
                    check_that((d <= 0) == (e <= 0) && fabs((double)(d - e)) <= bound,
                               "%s and %s, frame %d: " REAL_FORMAT " without, " REAL_FORMAT " with (size %g)",
                               solid_names[ka], solid_names[kb], f, (double)d, (double)e, size);
                    int x = cm_contact(&a.shape, &a.pose, &b.shape, &b.pose, 0, &m, 1);
                    int y = cm_contact_cached(&a.shape, &a.pose, &b.shape, &b.pose, 0, &cache[2], &n, 1);
                    assert_int_equal(x, y);
                    assert_int_equal(x, plain);
                    overlapping += plain, all++;
                }
                body_free(&a);
                body_free(&b);
            }
        }
    }
    print_message("  %ld of %ld overlap\n", overlapping, all);
    assert_in_range(overlapping, all / 5, all - all / 5);
}

/* A cache that served other shapes, or holds anything at all, does no harm. */
static void a_stale_cache_changes_no_answer(void **state) {
    (void)state;
    rng r = rng_start("stale", 73);
    for (int i = 0; i < samples(2000, 100000); i++) {
        body a, b;
        body_random(&a, SOLID_CLOUD, 1, &r);
        body_random(&b, rng_below(&r, 2) ? SOLID_CLOUD : SOLID_CYLINDER, 1, &r);
        cm_pair_cache cache;
        cache.normal = rng_below(&r, 8) ? rng_vec3(&r, 1e10) : cm_v((cm_real)NAN, (cm_real)INFINITY, 0);
        cache.count = rng_below(&r, 6);
        for (int k = 0; k < 3; k++) cache.id_a[k] = rng_below(&r, 20), cache.id_b[k] = rng_below(&r, 20);
        if (rng_below(&r, 4) == 0) cache.id_a[1] = CM_NONE;
        cm_pair_cache same = cache, again = cache;
        cm_real d = cm_distance(&a.shape, &a.pose, &b.shape, &b.pose, CM_REAL_MAX, NULL);
        cm_real e = cm_distance_cached(&a.shape, &a.pose, &b.shape, &b.pose, CM_REAL_MAX, &cache, NULL);
        double bound = bound_of(solid_is_polytope(&b.s), d);
        check_that((d <= 0) == (e <= 0) && fabs((double)(d - e)) <= bound, "%g without, %g with", (double)d, (double)e);
        assert_int_equal(cm_overlap_cached(&a.shape, &a.pose, &b.shape, &b.pose, &same), d <= 0);
        assert_int_equal(cm_overlap_cached(&b.shape, &b.pose, &a.shape, &a.pose, &again), d <= 0);
        body_free(&a);
        body_free(&b);
    }
}

/* Where only rounding decides, the decision is the one without a cache, whatever the search started from. */
static void pairs_that_touch_by_rounding_are_decided_alike(void **state) {
    (void)state;
    rng r = rng_start("touching", 75);
    long overlapping = 0, all = 0;
    for (int i = 0; i < samples(20000, 1000000); i++) {
        body a, b;
        body_random(&a, SOLID_CLOUD, 1, &r);
        body_random(&b, i % 3 ? SOLID_CLOUD : SOLID_CYLINDER, 1, &r);
        cm_pair_cache cache[2];
        memset(cache, 0, sizeof cache);
        cm_witness w;
        cm_overlap_cached(&a.shape, &a.pose, &b.shape, &b.pose, &cache[0]);
        cm_real d = cm_distance_cached(&a.shape, &a.pose, &b.shape, &b.pose, CM_REAL_MAX, &cache[1], &w);
        for (int k = 0; k < 3; k++) { /* closer to touching each time */
            b.pose.position = cm_mul_add(b.pose.position, -d, w.normal);
            d = cm_distance(&a.shape, &a.pose, &b.shape, &b.pose, CM_REAL_MAX, &w);
            cm_real e = cm_distance_cached(&a.shape, &a.pose, &b.shape, &b.pose, CM_REAL_MAX, &cache[1], NULL);
            bool warm = cm_overlap_cached(&a.shape, &a.pose, &b.shape, &b.pose, &cache[0]);
            check_that((d <= 0) == (e <= 0) && warm == (d <= 0),
                       "number %d: " REAL_FORMAT " without, " REAL_FORMAT " with, overlap %d", i, (double)d, (double)e,
                       warm);
            overlapping += d <= 0, all++;
        }
        body_free(&a);
        body_free(&b);
    }
    assert_in_range(overlapping, all / 5, all - all / 5);
}

/* The farthest of some points, by its support function only: a search that starts badly has no corners to go by. */
typedef struct told_points {
    cm_vec3 p[7];
} told_points;
static void told_support(const void *user, const double d[3], double point[3]) {
    const told_points *t = user;
    double best = -HUGE_VAL;
    for (int i = 0; i < 7; i++) {
        const double p[3] = {(double)t->p[i].x, (double)t->p[i].y, (double)t->p[i].z};
        double along = p[0] * d[0] + p[1] * d[1] + p[2] * d[2];
        if (along > best) best = along, memcpy(point, p, sizeof p);
    }
}

/* Needles of the caller's own at a segment that they touched the last time: where the search starts from the normal of
 * that, a simplex that is a needle too stops it short. */
static void needles_that_touched_are_measured_alike(void **state) {
    (void)state;
    rng r = rng_start("needles", 76);
    double worst = 0;
    for (int i = 0; i < samples(20000, 1000000); i++) {
        told_points needle;
        double thin = rng_log_range(&r, 1e-6, 1e-3), size = 0;
        for (int k = 0; k < 7; k++) {
            needle.p[k] = cm_v(CM_REAL(rng_range(&r, -1, 1)), CM_REAL(rng_range(&r, -thin, thin)),
                               CM_REAL(rng_range(&r, -thin, thin)));
            size = fmax(size, (double)cm_length(needle.p[k]) * 1.01);
        }
        cm_shape a = cm_make_segment(rng_vec3(&r, 40), rng_vec3(&r, 40)), b;
        b = cm_make_custom(told_support, &needle, cm_v(0, 0, 0), CM_REAL(size));
        cm_pose pa = rng_pose(&r, 40), pb = rng_pose(&r, 40), at;
        cm_witness w;
        cm_real d = cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, &w);
        pb.position = cm_mul_add(pb.position, -d, w.normal);
        cm_pair_cache cache;
        memset(&cache, 0, sizeof cache);
        cm_distance_cached(&a, &pa, &b, &pb, CM_REAL_MAX, &cache, NULL);
        at = pb;
        double step = rng_log_range(&r, 1e-5, 1e-2); /* away, or through it to the other side */
        at.position = cm_mul_add(at.position, CM_REAL(rng_below(&r, 2) ? step : -step), w.normal);
        cm_real e = cm_distance(&a, &pa, &b, &at, CM_REAL_MAX, NULL);
        cm_real f = cm_distance_cached(&a, &pa, &b, &at, CM_REAL_MAX, &cache, NULL);
        double off = fabs((double)(e - f)) / 80;
        worst = fmax(worst, off);
        check_that(off <= (sizeof(cm_real) == 4 ? 1e-6 : 1e-9), "%d: %g without, %g with", i, (double)e, (double)f);
    }
    print_message("  off by %g of the size\n", worst);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answers_are_those_without),
        cmocka_unit_test(a_stale_cache_changes_no_answer),
        cmocka_unit_test(pairs_that_touch_by_rounding_are_decided_alike),
        cmocka_unit_test(needles_that_touched_are_measured_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
