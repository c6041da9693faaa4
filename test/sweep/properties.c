/* Properties of sweeps against an oracle in 113 bits: never late, close to the truth, misses only what misses; start,
 * blocking, swap and end; typed functions and shapes alike. Rays against the same bodies. */
#include "support/standing.h"
#include "support/support.h"

#include <math.h>

#include "oracle/convex.h"

/* The stated bound on the gap left at `first`: this many ulps of distance, sizes and displacement together. */
#define BAND 40

typedef struct moving {
    cm_shape a, b;
    cm_motion ma, mb;
    double size;
} moving;

static cm_shape shape_of(rng *r, cm_kind kind, double size) {
    cm_shape s;
    switch (kind) {
    case CM_SHAPE_POINT:
        s = cm_make_point(cm_v(0, 0, 0));
        break;
    case CM_SHAPE_SEGMENT:
        s = cm_make_segment(rng_vec3(r, size), rng_vec3(r, size));
        break;
    case CM_SHAPE_TRIANGLE:
        s = cm_make_triangle(rng_vec3(r, size), rng_vec3(r, size), rng_vec3(r, size));
        break;
    case CM_SHAPE_BOX:
        s = cm_make_box(cm_v((cm_real)(rng_range(r, 0.05, 1) * size), (cm_real)(rng_range(r, 0.05, 1) * size),
                             (cm_real)(rng_range(r, 0.05, 1) * size)));
        break;
    default:
        s = cm_make_halfspace(rng_direction(r), (cm_real)rng_range(r, -size, size));
        break;
    }
    return s;
}

static moving random_moving(rng *r, cm_kind ka, cm_kind kb, bool round_a, bool round_b) {
    moving m;
    memset(&m, 0, sizeof m);
    double size = rng_log_range(r, 1e-4, 1e6);
    m.a = shape_of(r, ka, size);
    m.b = shape_of(r, kb, size);
    if (round_a) m.a.radius = (cm_real)(rng_range(r, 0.01, 0.6) * size);
    if (round_b) m.b.radius = (cm_real)(rng_range(r, 0.01, 0.6) * size);
    m.ma.start = rng_pose(r, 3 * size);
    m.mb.start = rng_pose(r, 3 * size);
    if (rng_below(r, 5) == 0) m.mb.start.rotation = m.ma.start.rotation = cm_quat_identity();
    double speed = rng_below(r, 4) ? 6 * size : rng_log_range(r, 1e-3, 1e2) * size;
    m.ma.move = rng_vec3(r, speed);
    m.mb.move = rng_vec3(r, speed);
    if (rng_below(r, 2)) { /* aim at the other, more or less */
        cm_vec3 to = cm_sub(m.mb.start.position, m.ma.start.position);
        m.ma.move = cm_mul_add(m.mb.move, (cm_real)rng_range(r, 0.5, 3), cm_add(to, rng_vec3(r, size)));
    }
    if (rng_below(r, 8) == 0) m.ma.move.x = m.mb.move.x, m.ma.move.y = m.mb.move.y;
    if (rng_below(r, 16) == 0) m.ma.move = m.mb.move; /* no relative motion */
    m.size = 6 * size + (double)cm_length(m.ma.start.position) + (double)cm_length(m.mb.start.position) +
             (double)cm_length(m.ma.move) + (double)cm_length(m.mb.move);
    return m;
}

static double gap_at(const moving *m, quad u) {
    oracle_body a = oracle_body_of(&m->a, &m->ma.start), b = oracle_body_of(&m->b, &m->mb.start);
    oracle_move(&a, m->ma.move, u);
    oracle_move(&b, m->mb.move, u);
    return (double)oracle_distance(&a, &b);
}

/* The least distance over [low, high]: it is convex in time. */
static double least_gap(const moving *m, double low, double high) {
    double best = fmin(gap_at(m, (quad)low), gap_at(m, (quad)high));
    for (int i = 0; i < 36 && best > 0; i++) {
        double p = low + (high - low) * 0.4, q = low + (high - low) * 0.6;
        double dp = gap_at(m, (quad)p), dq = gap_at(m, (quad)q);
        best = fmin(best, fmin(dp, dq));
        if (dp < dq)
            high = q;
        else
            low = p;
    }
    return best;
}

static const char *text_of(const moving *m) {
    static char text[160];
    snprintf(text, sizeof text, "%s r=%g, %s r=%g, size %g", cm_kind_name(m->a.kind), (double)m->a.radius,
             cm_kind_name(m->b.kind), (double)m->b.radius, m->size);
    return text;
}

static void check_moving(const moving *m, bool hit, const cm_sweep_hit *h) {
    double tol = BAND * (double)CM_REAL_EPSILON * m->size, start = gap_at(m, 0);
    if (!hit) {
        double least = least_gap(m, 0, 1);
        check_that(least > -tol, "%s: missed by the sweep, overlaps by %g (tol %g)", text_of(m), -least, tol);
        return;
    }
    double first = (double)h->first, last = (double)h->last;
    check_that(first >= 0 && first <= last && last <= 1, "%s: %g to %g", text_of(m), first, last);
    double gap = gap_at(m, (quad)first);
    check_that(gap <= tol, "%s: gap %g left at first = %.9g (tol %g)", text_of(m), gap, first, tol);
    if (first > 0) {
        /* never late: the bodies are apart until first. Convexity: it is enough that they are apart there, or that the
           least distance before is not below what the rounding of poses in the band allows */
        double before = least_gap(m, 0, first);
        check_that(before >= -tol / BAND, "%s: late: overlap %g before first = %.9g", text_of(m), -before, first);
        check_that(h->start != CM_SWEEP_OVERLAPPING, "%s", text_of(m));
    } else {
        check_that(start <= tol / 8, "%s: first = 0 at gap %g", text_of(m), start);
    }
    if (start > tol) assert_int_equal(h->start, CM_SWEEP_SEPARATED);
    if (start < -tol) assert_int_equal(h->start, CM_SWEEP_OVERLAPPING);
    if (last < 1) {
        double after = least_gap(m, last, 1), at = gap_at(m, (quad)last);
        check_that(at >= -tol / BAND && after >= -tol / BAND, "%s: still in contact after last = %.9g: %g", text_of(m),
                   last, after);
    }
    check_that(fabs((double)cm_length(h->normal) - 1) < 1e-5, "%s: normal", text_of(m));
    double along = (double)cm_dot(cm_sub(m->ma.move, m->mb.move), h->normal);
    double speed = (double)cm_length(cm_sub(m->ma.move, m->mb.move));
    if (h->blocking)
        check_that(along > -1e-5 * speed, "%s: blocking while leaving", text_of(m));
    else
        check_that(along < 1e-4 * speed + 1e-30, "%s: not blocking while approaching: %g", text_of(m), along / speed);
    oracle_body a = oracle_body_of(&m->a, &m->ma.start);
    oracle_move(&a, m->ma.move, (quad)first);
    double off = (double)oracle_point_distance(&a, oracle_point(h->point));
    check_that(off <= 4 * tol + 4e-6 * m->size, "%s: point %g off A", text_of(m), off);
}

static void check_shapes(rng *r, cm_kind ka, cm_kind kb, bool round_a, bool round_b, int count) {
    for (int i = 0; i < count; i++) {
        moving m = random_moving(r, ka, kb, round_a, round_b);
        cm_sweep_hit h, s;
        bool hit = cm_sweep(&m.a, &m.ma, &m.b, &m.mb, &h);
        check_moving(&m, hit, &h);
        bool swapped = cm_sweep(&m.b, &m.mb, &m.a, &m.ma, &s);
        if (swapped != hit) { /* only where it grazes */
            double least = least_gap(&m, 0, 1);
            check_that(fabs(least) <= BAND * (double)CM_REAL_EPSILON * m.size, "%s: swapped", text_of(&m));
        }
    }
}

static void spheres_capsules_triangles_and_boxes_are_never_late(void **state) {
    (void)state;
    rng r = rng_start("closed forms", 41);
    int n = samples(6000, 1000000) / 16;
    check_shapes(&r, CM_SHAPE_POINT, CM_SHAPE_POINT, true, true, n);
    check_shapes(&r, CM_SHAPE_POINT, CM_SHAPE_SEGMENT, true, true, n);
    check_shapes(&r, CM_SHAPE_POINT, CM_SHAPE_TRIANGLE, true, false, n);
    check_shapes(&r, CM_SHAPE_POINT, CM_SHAPE_BOX, true, false, n / 2);
    check_shapes(&r, CM_SHAPE_POINT, CM_SHAPE_BOX, true, true, n / 4);
    check_shapes(&r, CM_SHAPE_SEGMENT, CM_SHAPE_SEGMENT, true, true, n);
    check_shapes(&r, CM_SHAPE_SEGMENT, CM_SHAPE_SEGMENT, true, false, n / 4);
    check_shapes(&r, CM_SHAPE_BOX, CM_SHAPE_BOX, false, false, n / 20);
    check_shapes(&r, CM_SHAPE_POINT, CM_SHAPE_BOX, false, false, n / 4);
}

static void every_other_pair_is_never_late(void **state) {
    (void)state;
    rng r = rng_start("by distance", 43);
    int n = samples(6000, 1000000) / 40;
    check_shapes(&r, CM_SHAPE_SEGMENT, CM_SHAPE_TRIANGLE, true, false, n);
    check_shapes(&r, CM_SHAPE_SEGMENT, CM_SHAPE_BOX, true, false, n / 4);
    check_shapes(&r, CM_SHAPE_TRIANGLE, CM_SHAPE_TRIANGLE, false, false, n / 2);
    check_shapes(&r, CM_SHAPE_TRIANGLE, CM_SHAPE_BOX, false, false, n / 4);
    check_shapes(&r, CM_SHAPE_BOX, CM_SHAPE_BOX, true, false, n / 20);
    for (int k = CM_SHAPE_POINT; k <= CM_SHAPE_BOX; k++)
        check_shapes(&r, (cm_kind)k, CM_SHAPE_HALFSPACE, k != CM_SHAPE_BOX, false, n);
}

static cm_sphere world_sphere(const moving *m, const cm_shape *s, const cm_motion *motion) {
    (void)m;
    cm_sphere out = {motion->start.position, s->radius};
    return out;
}

static void typed_sweeps_agree_with_shapes(void **state) {
    (void)state;
    rng r = rng_start("typed", 47);
    for (int i = 0; i < samples(6000, 1000000); i++) {
        moving m = random_moving(&r, CM_SHAPE_POINT, rng_below(&r, 2) ? CM_SHAPE_BOX : CM_SHAPE_POINT, true, false);
        m.a.u.point = cm_v(0, 0, 0);
        if (m.b.kind == CM_SHAPE_POINT) m.b.radius = m.a.radius / 2;
        cm_sphere a = world_sphere(&m, &m.a, &m.ma), b = world_sphere(&m, &m.b, &m.mb);
        cm_obb box = {m.mb.start.position, m.b.u.box, m.mb.start.rotation};
        cm_sweep_hit g, t;
        bool general = cm_sweep(&m.a, &m.ma, &m.b, &m.mb, &g);
        bool typed = m.b.kind == CM_SHAPE_POINT ? cm_sweep_sphere_sphere(&a, m.ma.move, &b, m.mb.move, &t)
                                                : cm_sweep_sphere_obb(&a, m.ma.move, &box, m.mb.move, &t);
        assert_int_equal(general, typed);
        if (!typed) continue;
        /* of what starts in touch the end is where they leave the band, which each takes as wide as it has to */
        const double speed = (double)cm_length(cm_sub(m.ma.move, m.mb.move));
        const double may = g.start == CM_SWEEP_TOUCHING ? 2 * promised_gap(&m.a, &m.ma, &m.b, &m.mb) / speed : 0;
        check_that(g.first == t.first && fabs((double)(g.last - t.last)) <= may, "%g %g, %g %g", (double)g.first,
                   (double)t.first, (double)g.last, (double)t.last);
    }
}

static void moving_aabbs_agree_with_moving_boxes(void **state) {
    (void)state;
    rng r = rng_start("aabb", 53);
    int hits = 0;
    for (int i = 0; i < samples(6000, 1000000); i++) {
        cm_aabb a = cm_aabb_from_center(rng_vec3(&r, 3), cm_v(1, (cm_real)rng_unit(&r), (cm_real)0.5));
        cm_aabb b = cm_aabb_from_center(rng_vec3(&r, 3), cm_v((cm_real)rng_unit(&r), 1, 1));
        cm_vec3 ma = rng_vec3(&r, 5), mb = rng_vec3(&r, 5);
        if (i % 3 == 0) ma.y = mb.y;
        cm_obb oa, ob;
        cm_obb_from_aabb(&a, &oa);
        cm_obb_from_aabb(&b, &ob);
        cm_sweep_hit t;
        cm_sweep_hit h;
        bool narrow = cm_sweep_aabb_aabb(&a, ma, &b, mb, &t), wide = cm_sweep_obb_obb(&oa, ma, &ob, mb, &h);
        if (narrow != wide) continue; /* grazing: the boxes' halves are rounded outwards */
        hits += narrow;
        if (narrow)
            check_that(fabs((double)(t.first - h.first)) < 1e-4 && fabs((double)(t.last - h.last)) < 1e-4, "%g %g",
                       (double)t.first, (double)h.first);
    }
    assert_in_range(hits, samples(6000, 1000000) / 10, samples(10000, 1000000));
}

/* A body that turns is met no later than a fine sampling meets it. */
static void turning_is_never_late(void **state) {
    (void)state;
    rng r = rng_start("turning", 59);
    int hits = 0;
    for (int i = 0; i < samples(400, 20000); i++) {
        moving m = random_moving(&r, CM_SHAPE_BOX, rng_below(&r, 2) ? CM_SHAPE_SEGMENT : CM_SHAPE_POINT, false, true);
        m.ma.spin = rng_vec3(&r, 4);
        m.ma.pivot = cm_scale(m.a.u.box, (cm_real)rng_range(&r, -1, 1));
        cm_sweep_hit h;
        bool hit = cm_sweep(&m.a, &m.ma, &m.b, &m.mb, &h);
        hits += hit;
        if (hit && h.start == CM_SWEEP_OVERLAPPING) continue;
        cm_real until = hit ? h.first : 1;
        for (int k = 0; k < 60; k++) {
            cm_real u = until * ((cm_real)k / 60);
            cm_pose pa, pb;
            cm_motion_at(&m.ma, u, &pa);
            cm_motion_at(&m.mb, u, &pb);
            double d = (double)cm_distance(&m.a, &pa, &m.b, &pb, CM_REAL_MAX, NULL);
            check_that(d > -BAND * (double)CM_REAL_EPSILON * m.size, "overlap %g at %g, first %g", d, (double)u,
                       (double)until);
        }
    }
    assert_in_range(hits, samples(400, 20000) / 10, samples(400, 20000));
}

static void a_motion_turns_at_constant_speed_between_its_ends(void **state) {
    (void)state;
    rng r = rng_start("motion", 61);
    for (int i = 0; i < samples(6000, 1000000); i++) {
        cm_pose p = rng_pose(&r, 10), q = rng_pose(&r, 10), at;
        cm_motion m;
        cm_motion_between(&p, &q, &m);
        cm_motion_at(&m, 0, &at);
        assert_memory_equal(&at, &p, sizeof p);
        cm_motion_at(&m, 1, &at);
        cm_real same = cm_abs(at.rotation.x * q.rotation.x + at.rotation.y * q.rotation.y +
                              at.rotation.z * q.rotation.z + at.rotation.w * q.rotation.w);
        check_that(same > 1 - 16 * CM_REAL_EPSILON, "%g", (double)same);
        assert_true(cm_length(m.spin) <= CM_REAL(3.1415929));
        cm_pose half, quarter;
        cm_motion_at(&m, CM_REAL(0.5), &half);
        cm_motion_at(&m, CM_REAL(0.25), &quarter);
        /* equal turns: from 0 to 1/4 as from 1/4 to 1/2 */
        cm_quat one = cm_quat_mul(quarter.rotation, cm_quat_conjugate(p.rotation));
        cm_quat two = cm_quat_mul(half.rotation, cm_quat_conjugate(quarter.rotation));
        assert_true(cm_abs(one.w - two.w) < 16 * CM_REAL_EPSILON && cm_abs(one.x - two.x) < 16 * CM_REAL_EPSILON);
    }
}

static void rays_agree_with_moving_points(void **state) {
    (void)state;
    rng r = rng_start("rays", 67);
    const cm_kind kinds[5] = {CM_SHAPE_POINT, CM_SHAPE_SEGMENT, CM_SHAPE_TRIANGLE, CM_SHAPE_BOX, CM_SHAPE_HALFSPACE};
    int hits = 0;
    for (int i = 0; i < samples(6000, 1000000) / 5; i++) {
        cm_kind kind = kinds[i % 5];
        bool round = kind < CM_SHAPE_TRIANGLE || rng_below(&r, 2);
        moving m = random_moving(&r, CM_SHAPE_POINT, kind, false, round);
        m.mb.move = cm_v(0, 0, 0);
        m.a.u.point = cm_v(0, 0, 0);
        if (!(cm_largest(m.ma.move) > 0)) continue;
        cm_ray ray = {m.ma.start.position, m.ma.move, 1};
        cm_ray_hit h;
        bool hit = cm_raycast(&ray, &m.b, &m.mb.start, &h);
        hits += hit;
        double tol = BAND * (double)CM_REAL_EPSILON * m.size;
        if (!hit) {
            double least = least_gap(&m, 0, 1);
            check_that(least > -tol, "%s: missed, %g inside", text_of(&m), -least);
            continue;
        }
        double at = gap_at(&m, (quad)h.t), out = gap_at(&m, (quad)h.exit);
        bool flat = kind == CM_SHAPE_TRIANGLE && !(m.b.radius > 0);
        check_that(at <= tol && (h.inside || flat || at >= -tol), "%s: %g at entry", text_of(&m), at);
        check_that(out <= tol && (h.exit >= 1 || flat || out >= -tol), "%s: %g at exit %g", text_of(&m), out,
                   (double)h.exit);
        assert_true(h.inside == (h.t == 0));
        check_that(fabs((double)cm_length(h.normal) - 1) < 1e-5, "%s: normal", text_of(&m));
        if (!h.inside) {
            double into = (double)cm_dot(h.normal, ray.direction) / (double)cm_length(ray.direction);
            check_that(into <= 1e-2, "%s: normal along the ray: %g", text_of(&m), into);
        }
    }
    assert_in_range(hits, samples(6000, 1000000) / 50, samples(10000, 1000000) / 5);
}

/* Refine: a caller's own test, between bounds. */
static bool needle_overlap(void *user, cm_real u, const cm_pose *a, const cm_pose *b) {
    (void)u;
    ++*(int *)user;
    cm_shape needle = cm_make_capsule(cm_v(-2, 0, 0), cm_v(2, 0, 0), CM_REAL(0.1)),
             ball = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5));
    return cm_overlap(&needle, a, &ball, b);
}

static void refining_narrows_bounds_to_the_tolerance(void **state) {
    (void)state;
    /* a needle along x, turning a quarter about z while it rises past a ball at (0, 2, 0) from y = 0 to y = 1 */
    cm_motion needle = {.start = cm_pose_identity(), .move = {0, 1, 0}, .spin = {0, 0, CM_REAL(1.5707963267948966)}};
    cm_motion ball = {.start = cm_pose_identity()};
    ball.start.position = cm_v(0, 2, 0);
    cm_interval bounds = {0, 1}, out;
    int calls = 0;
    assert_true(cm_sweep_refine(&needle, &ball, bounds, 32, CM_REAL(1e-4), needle_overlap, &calls, &out));
    assert_true(out.last - out.first <= CM_REAL(1e-4));
    assert_in_range(calls, 2, 33 + 10);
    cm_pose pa, pb;
    cm_motion_at(&needle, out.first, &pa);
    cm_motion_at(&ball, out.first, &pb);
    assert_false(needle_overlap(&calls, out.first, &pa, &pb));
    cm_motion_at(&needle, out.last, &pa);
    assert_true(needle_overlap(&calls, out.last, &pa, &pb));
    bounds.last = CM_REAL(0.05);
    assert_false(cm_sweep_refine(&needle, &ball, bounds, 4, CM_REAL(1e-4), needle_overlap, &calls, &out));
    assert_false(cm_sweep_refine(&needle, &ball, bounds, 0, CM_REAL(1e-4), needle_overlap, &calls, &out));
    assert_false(cm_sweep_refine(&needle, &ball, bounds, 4, 0, needle_overlap, &calls, &out));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_capsules_triangles_and_boxes_are_never_late),
        cmocka_unit_test(every_other_pair_is_never_late),
        cmocka_unit_test(typed_sweeps_agree_with_shapes),
        cmocka_unit_test(moving_aabbs_agree_with_moving_boxes),
        cmocka_unit_test(turning_is_never_late),
        cmocka_unit_test(a_motion_turns_at_constant_speed_between_its_ends),
        cmocka_unit_test(rays_agree_with_moving_points),
        cmocka_unit_test(refining_narrows_bounds_to_the_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
