/* Straight sweeps of every pair of convex kinds, hulls and curved ones among them, against solids in long double that
 * share no code with the library: never late, close at `first`, no miss, the swap, how it starts. */
#include "support/bodies.h"

#include <math.h>

/* Gaps of the size of rounding: float poses at u are rounded, and the curved cores' distances. */
#define SWEEP_BOUND (sizeof(cm_real) == 4 ? 2e-5 : 1e-8)

typedef struct flight {
    body a, b;
    cm_motion ma, mb;
    double size, tol;
} flight;

static void flight_random(flight *f, solid_kind ka, solid_kind kb, rng *r) {
    double size = rng_log_range(r, 1e-4, 1e6);
    body_random(&f->a, ka, size, r);
    body_random(&f->b, kb, size, r);
    memset(&f->ma, 0, sizeof f->ma);
    memset(&f->mb, 0, sizeof f->mb);
    uint32_t sort = rng_below(r, 8);
    double away = sort == 0 ? 0.3 : 4; /* deep within each other, or apart */
    cm_pose pose = f->a.pose;
    pose.position = cm_add(f->b.pose.position, cm_scale(rng_direction(r), (cm_real)(away * size)));
    body_place(&f->a, &pose);
    f->ma.start = f->a.pose, f->mb.start = f->b.pose;
    f->mb.move = rng_vec3(r, size);
    cm_vec3 to = cm_add(cm_sub(f->b.pose.position, f->a.pose.position), rng_vec3(r, 1.5 * size));
    f->ma.move = cm_add(f->mb.move, cm_scale(to, (cm_real)rng_range(r, 0.3, 2.5)));
    if (sort == 1) f->ma.move = rng_vec3(r, 6 * size);
    if (sort == 2) f->ma.move = f->mb.move;
    f->size = 8 * size;
    f->tol = SWEEP_BOUND * f->size;
}

static void flight_free(flight *f) {
    body_free(&f->a);
    body_free(&f->b);
}

/* The best proof that they are apart at u, from the direction n where the library says so; and an upper bound. */
static double flight_apart(flight *f, double u, double *most) {
    cm_pose pa, pb;
    cm_witness w;
    cm_motion_at(&f->ma, (cm_real)u, &pa);
    cm_motion_at(&f->mb, (cm_real)u, &pb);
    body_place(&f->a, &pa);
    body_place(&f->b, &pb);
    cm_distance(&f->a.shape, &pa, &f->b.shape, &pb, CM_REAL_MAX, &w);
    *most = (double)cm_length(cm_sub(w.point_b, w.point_a));
    return (double)solid_separation(&f->a.s, &f->b.s, w3_unit(w3_of_vec3(w.normal)));
}

/* The signed distance, from the library, proven by general.c. */
static double flight_distance(const flight *f, double u) {
    cm_pose pa, pb;
    cm_motion_at(&f->ma, (cm_real)u, &pa);
    cm_motion_at(&f->mb, (cm_real)u, &pb);
    return (double)cm_distance(&f->a.shape, &pa, &f->b.shape, &pb, CM_REAL_MAX, NULL);
}

/* The least distance of the whole step: it is convex in u. */
static double flight_least(const flight *f) {
    double low = 0, high = 1, best = fmin(flight_distance(f, 0), flight_distance(f, 1));
    for (int i = 0; i < 60; i++) {
        double p = low + (high - low) * 0.4, q = low + (high - low) * 0.6;
        double dp = flight_distance(f, p), dq = flight_distance(f, q);
        best = fmin(best, fmin(dp, dq));
        if (dp < dq)
            high = q;
        else
            low = p;
    }
    return best;
}

/* A gap of the size of rounding has a normal of its own, and none that proves it. */
static void check_apart(flight *f, double u, const char *when, const cm_sweep_hit *h, const char *names) {
    double most, apart = flight_apart(f, u, &most);
    if (most <= f->tol && flight_distance(f, u) > 0) return;
    check_that(apart > -f->tol / 16, "%s: in by %g at %g, %s; %g to %g (size %g)", names, -apart, u, when,
               (double)h->first, (double)h->last, f->size);
}

static void check_hit(flight *f, const cm_sweep_hit *h, const char *names) {
    double first = (double)h->first, last = (double)h->last, most;
    assert_true(first >= 0 && first <= last && last <= 1);
    flight_apart(f, first, &most);
    bool sharp = solid_is_polytope(&f->a.s) && solid_is_polytope(&f->b.s);
    if (h->start != CM_SWEEP_OVERLAPPING) /* witness points of curved shapes are known to the root of rounding */
        check_that(most <= (sharp ? f->tol : 2e-5 * f->size), "%s: a gap of up to %g at first = %g (size %g)", names,
                   most, first, f->size);
    for (int k = 0; k < 16 && first > 0; k++) check_apart(f, first * k / 16, "before first", h, names);
    double start = flight_distance(f, 0);
    if (start > f->tol) assert_int_equal(h->start, CM_SWEEP_SEPARATED);
    if (start < -f->tol) {
        assert_int_equal(h->start, CM_SWEEP_OVERLAPPING);
        assert_true(first == 0);
    }
    if (start > 0) assert_true(first > 0);
    for (int k = 0; k < 8 && last < 1; k++) check_apart(f, last + (1 - last) * k / 8, "after last", h, names);
    check_that(fabs((double)cm_length(h->normal) - 1) < 1e-5, "%s: normal", names);
    double along = (double)cm_dot(cm_sub(f->ma.move, f->mb.move), h->normal);
    double speed = (double)cm_length(cm_sub(f->ma.move, f->mb.move));
    if (h->start == CM_SWEEP_SEPARATED && !h->blocking && along >= 1e-3 * speed)
        check_that(flight_least(f) > -f->tol, "%s: meets at %g without blocking", names, along / speed);
    if (h->blocking) check_that(along > 0, "%s: blocking while leaving", names);
    /* the point on A's surface: outside of A by nothing */
    cm_pose pa;
    cm_motion_at(&f->ma, h->first, &pa);
    body_place(&f->a, &pa);
    if (f->a.s.kind == SOLID_ELLIPSOID) return; /* the checker knows no tight bound there */
    long double off = solid_core_outside(&f->a.s, w3_of_vec3(h->point)) - (long double)f->a.s.radius;
    double bound = sharp ? f->tol : h->start == CM_SWEEP_OVERLAPPING ? 1e-2 * f->size : 2e-5 * f->size;
    check_that(off <= (long double)bound, "%s: the point is %Lg off A (size %g)", names, off, f->size);
}

static void hits_are_never_late_and_close(void **state) {
    (void)state;
    rng r = rng_start("convex sweeps", 83);
    const int count = samples(24, 2000);
    long hits = 0, deep = 0, all = 0;
    for (int ka = 0; ka < SOLID_KINDS; ka++) {
        for (int kb = 0; kb < SOLID_KINDS; kb++) {
            char names[64];
            snprintf(names, sizeof names, "%s and %s", solid_names[ka], solid_names[kb]);
            for (int i = 0; i < count; i++) {
                flight f;
                cm_sweep_hit h, s;
                flight_random(&f, (solid_kind)ka, (solid_kind)kb, &r);
                bool hit = cm_sweep(&f.a.shape, &f.ma, &f.b.shape, &f.mb, &h);
                bool back = cm_sweep(&f.b.shape, &f.mb, &f.a.shape, &f.ma, &s);
                if (hit) {
                    check_hit(&f, &h, names);
                } else {
                    double least = flight_least(&f);
                    check_that(least > -f.tol, "%s: missed, in by %g", names, -least);
                }
                if (hit != back) check_that(fabs(flight_least(&f)) <= f.tol, "%s: hits one way only", names);
                if (hit && back && ka != kb)
                    assert_true(h.first == s.first && h.last == s.last && h.start == s.start &&
                                h.blocking == s.blocking && h.normal.x == -s.normal.x && h.normal.z == -s.normal.z);
                hits += hit, deep += hit && h.start == CM_SWEEP_OVERLAPPING, all++;
                flight_free(&f);
            }
        }
    }
    print_message("  %ld of %ld hit, %ld from within\n", hits, all, deep);
    assert_in_range(hits, all / 4, all - all / 20); /* a third, more or less */
    assert_in_range(deep, all / 50, all / 2);
}

/* Past each other, higher by a small part of the size than what touches: a miss; lower by as much: a hit. */
static void grazing_is_told_from_missing(void **state) {
    (void)state;
    rng r = rng_start("grazing", 89);
    const double part = sizeof(cm_real) == 4 ? 1e-3 : 1e-7;
    const int count = samples(8, 500);
    long under = 0;
    for (int ka = 0; ka < SOLID_KINDS; ka++) {
        for (int kb = 0; kb < SOLID_KINDS; kb++) {
            for (int i = 0; i < count; i++) {
                flight f;
                flight_random(&f, (solid_kind)ka, (solid_kind)kb, &r);
                double size = f.size / 8;
                /* B below z = 0, A above, up to what their highest and lowest points say; A flies along x */
                double top = (double)solid_reach(&f.b.s, w3(0, 0, 1)) - (double)f.b.pose.position.z;
                double low = (double)solid_reach(&f.a.s, w3(0, 0, -1)) + (double)f.a.pose.position.z;
                for (int above = 0; above < 2; above++) {
                    cm_motion ma = {.start = f.a.pose}, mb = {.start = f.b.pose};
                    mb.start.position = cm_v(0, 0, (cm_real)-top);
                    double lift = above ? part * size : -part * size;
                    /* the highest point of B and the lowest of A need not meet: fly over it, wherever it is */
                    cm_pose pb = mb.start;
                    cm_witness w;
                    cm_shape sky = cm_make_halfspace(cm_v(0, 0, -1), (cm_real)(4 * size));
                    cm_pose none = cm_pose_identity();
                    cm_distance(&f.b.shape, &pb, &sky, &none, CM_REAL_MAX, &w);
                    cm_vec3 peak = w.point_a;
                    cm_shape ground = cm_make_halfspace(cm_v(0, 0, 1), (cm_real)(4 * size));
                    cm_pose pa = f.a.pose;
                    pa.position = cm_v(0, 0, 0);
                    cm_distance(&f.a.shape, &pa, &ground, &none, CM_REAL_MAX, &w);
                    cm_vec3 foot = w.point_a;
                    ma.start.position =
                        cm_v(peak.x - foot.x - (cm_real)(8 * size), peak.y - foot.y, (cm_real)(low + lift));
                    ma.move = cm_v((cm_real)(16 * size), 0, 0);
                    cm_sweep_hit h;
                    bool hit = cm_sweep(&f.a.shape, &ma, &f.b.shape, &mb, &h);
                    if (above) {
                        check_that(!hit, "%s and %s: hit over by %g of the size", solid_names[ka], solid_names[kb],
                                   part);
                    } else {
                        f.ma = ma, f.mb = mb;
                        double least = flight_least(&f); /* slanted corners may pass each other even so */
                        check_that(hit == (least <= 0) || fabs(least) <= f.tol, "%s and %s: %d under by %g",
                                   solid_names[ka], solid_names[kb], hit, -least);
                        under += hit;
                    }
                }
                flight_free(&f);
            }
        }
    }
    assert_true(under > SOLID_KINDS * SOLID_KINDS * count / 2);
}

/* The same flight slowed down, so that it ends just after the contact or just before. */
static void contacts_near_the_end_are_met_and_those_after_it_not(void **state) {
    (void)state;
    rng r = rng_start("end of the step", 103);
    const solid_kind kinds[4] = {SOLID_CLOUD, SOLID_BOX, SOLID_TRIANGLE, SOLID_CYLINDER};
    int met = 0;
    for (int i = 0; i < samples(1500, 50000); i++) {
        flight f;
        cm_sweep_hit h, end;
        flight_random(&f, kinds[i % 4], SOLID_CLOUD, &r);
        if (cm_sweep(&f.a.shape, &f.ma, &f.b.shape, &f.mb, &h) && h.first > CM_REAL(0.05) &&
            h.last - h.first > CM_REAL(0.2)) { /* not grazing */
            cm_vec3 ma = f.ma.move, mb = f.mb.move;
            met++;
            for (int k = 0; k < 2; k++) {
                cm_real at = k ? CM_REAL(1.01) : CM_REAL(0.99);
                f.ma.move = cm_scale(ma, h.first / at), f.mb.move = cm_scale(mb, h.first / at);
                bool hit = cm_sweep(&f.a.shape, &f.ma, &f.b.shape, &f.mb, &end);
                check_that(hit == (k == 0), "number %d: %d for a contact at %g", i, hit, (double)at);
                if (hit) check_that(fabs((double)(end.first - at)) < 1e-3, "at %g", (double)end.first);
            }
        }
        flight_free(&f);
    }
    assert_true(met > samples(1500, 50000) / 20);
}

/* What touches at the start may leave or slide (no block), and is stopped where it moves in. */
static void touching_starts_block_only_what_moves_in(void **state) {
    (void)state;
    const cm_shape shapes[3] = {cm_make_cylinder(1, 1), cm_make_cone(1, 1), cm_make_ellipsoid(cm_v(1, 1, 1))};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            cm_motion a = {.start = cm_pose_identity()}, b = {.start = cm_pose_identity()};
            cm_sweep_hit h;
            b.start.position = cm_v(0, 0, 2); /* B's lowest point on A's highest: caps, tips and poles on the axis */
            a.move = cm_v(0, 0, 1);
            assert_true(cm_sweep(&shapes[i], &a, &shapes[k], &b, &h));
            /* in double the distance of curved shapes is off by more than the few ulps that count as touching */
            check_that((h.start == CM_SWEEP_TOUCHING || sizeof(cm_real) == 8) && h.blocking && h.first <= CM_REAL(1e-6),
                       "%s and %s: %d %d %g", cm_kind_name(shapes[i].kind), cm_kind_name(shapes[k].kind), h.start,
                       h.blocking, (double)h.first);
            a.move = cm_v(0, 0, -1);
            if (cm_sweep(&shapes[i], &a, &shapes[k], &b, &h)) assert_true(!h.blocking && h.start != CM_SWEEP_SEPARATED);
            b.start.position = cm_v(0, 0, CM_REAL(0.5));
            a.move = cm_v(0, 0, 1);
            assert_true(cm_sweep(&shapes[i], &a, &shapes[k], &b, &h));
            assert_true(h.start == CM_SWEEP_OVERLAPPING && h.first == 0);
        }
    }
}

/* Brought to touching within rounding and then parted: where they overlap at rest they meet, at once;
 * where they are apart and part, they do not. Closed forms of corners, edges and boxes, and curved shapes in double,
 * are only asked beyond what rounding does. */
static void what_parts_from_touching_meets_where_it_overlaps(void **state) {
    (void)state;
    rng r = rng_start("parting", 64);
    long met = 0, missed = 0;
    for (int i = 0; i < samples(4000, 400000); i++) {
        flight f;
        flight_random(&f, (solid_kind)(i % SOLID_KINDS), (solid_kind)(i / SOLID_KINDS % SOLID_KINDS), &r);
        cm_witness w;
        cm_real d = cm_distance(&f.a.shape, &f.a.pose, &f.b.shape, &f.b.pose, CM_REAL_MAX, &w);
        if (d > 0) { /* from a proven normal */
            cm_motion a = {.start = f.a.pose}, b = {.start = f.b.pose};
            a.start.position = cm_mul_add(a.start.position, d, w.normal);
            a.move = cm_scale(w.normal, (cm_real)-f.size);
            cm_sweep_hit h;
            bool hit = cm_sweep(&f.a.shape, &a, &f.b.shape, &b, &h);
            bool overlap = cm_overlap(&f.a.shape, &a.start, &f.b.shape, &b.start);
            cm_real gap = cm_distance(&f.a.shape, &a.start, &f.b.shape, &b.start, CM_REAL_MAX, NULL);
            bool corners = solid_is_polytope(&f.a.s) && solid_is_polytope(&f.b.s);
            double doubt = f.a.s.kind <= SOLID_BOX && f.b.s.kind <= SOLID_BOX ? f.tol : 0;
            if (sizeof(cm_real) == 8 && !corners) doubt = f.tol; /* as the search for curved ones ends */
            if (doubt > 0 && (double)gap > -doubt) overlap = false;
            check_that(!overlap || (hit && h.first <= CM_REAL(1e-6)), "%s and %s overlap by %g, and meet at %g",
                       solid_names[f.a.s.kind], solid_names[f.b.s.kind], -(double)gap, hit ? (double)h.first : 2);
            if (overlap && gap < 0) met++;
            if (!hit && gap > 0) missed++;
            check_that(!hit || (double)gap < f.tol, "%s and %s are %g apart, and meet", solid_names[f.a.s.kind],
                       solid_names[f.b.s.kind], (double)gap);
        }
        flight_free(&f);
    }
    print_message("  %ld meet, %ld do not\n", met, missed);
    assert_true(met > (sizeof(cm_real) == 4 ? 100 : 10) && missed > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_are_never_late_and_close),
        cmocka_unit_test(grazing_is_told_from_missing),
        cmocka_unit_test(contacts_near_the_end_are_met_and_those_after_it_not),
        cmocka_unit_test(touching_starts_block_only_what_moves_in),
        cmocka_unit_test(what_parts_from_touching_meets_where_it_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
