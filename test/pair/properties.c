/* Properties of every pair of points, segments, triangles, boxes and half-spaces, with and without radius, against an
 * oracle in 113 bits: the decision, the distance, its proof by witness points and direction, the way out, the contacts,
 * the swap. At scales 1e-4 to 1e6, near touching, parallel, nested and flat. */
#include "support/support.h"

#include <math.h>

#include "oracle/convex.h"

/* The stated rounding band: this many ulps of sizes and distance together. */
#define BAND 24

static cm_shape random_shape(rng *r, cm_kind kind, double size) {
    cm_shape s;
    double flat = rng_below(r, 8) == 0 ? 1e-5 : 1; /* needles and slabs among them */
    switch (kind) {
    case CM_SHAPE_POINT:
        s = cm_make_point(rng_vec3(r, size));
        break;
    case CM_SHAPE_SEGMENT:
        s = cm_make_segment(rng_vec3(r, size), rng_vec3(r, size));
        break;
    case CM_SHAPE_TRIANGLE: {
        cm_vec3 a = rng_vec3(r, size), b = rng_vec3(r, size);
        cm_vec3 c =
            flat < 1 ? cm_add(cm_lerp(a, b, (cm_real)rng_unit(r)), rng_vec3(r, size * 1e-3)) : rng_vec3(r, size);
        s = cm_make_triangle(a, b, c);
        break;
    }
    case CM_SHAPE_BOX:
        s = cm_make_box(cm_v((cm_real)(rng_range(r, 0.05, 1) * size), (cm_real)(rng_range(r, 0.05, 1) * size * flat),
                             (cm_real)(rng_range(r, 0.05, 1) * size)));
        break;
    default:
        s = cm_make_halfspace(rng_direction(r), (cm_real)rng_range(r, -size, size));
        break;
    }
    if (rng_below(r, 2)) s.radius = (cm_real)(rng_range(r, 0, 0.5) * size);
    return s;
}

static double size_of(const cm_shape *s) {
    double radius = (double)s->radius;
    switch (s->kind) {
    case CM_SHAPE_POINT:
        return radius + 2 * (double)cm_largest(s->u.point);
    case CM_SHAPE_SEGMENT:
        return radius + 2 * (double)cm_max(cm_largest(s->u.segment.a), cm_largest(s->u.segment.b));
    case CM_SHAPE_TRIANGLE:
        return radius + 2 * (double)cm_max(cm_largest(s->u.triangle.a),
                                           cm_max(cm_largest(s->u.triangle.b), cm_largest(s->u.triangle.c)));
    case CM_SHAPE_BOX:
        return radius + 2 * (double)cm_largest(s->u.box);
    default:
        return radius + fabs((double)s->u.halfspace.d);
    }
}

typedef struct sample {
    cm_shape a, b;
    cm_pose pa, pb;
    double size; /* what rounding scales with */
} sample;

/* Two shapes of a scale, some with parallel axes, most brought near to touching by the oracle's own answer. */
static sample random_sample(rng *r, cm_kind ka, cm_kind kb) {
    sample s;
    double size = rng_log_range(r, 1e-4, 1e6), ratio = rng_below(r, 4) ? 1 : rng_log_range(r, 1e-3, 1e3);
    s.a = random_shape(r, ka, size);
    s.b = random_shape(r, kb, size * ratio);
    s.pa = rng_pose(r, size);
    s.pb = rng_pose(r, 2 * size);
    if (rng_below(r, 4) == 0) s.pb.rotation = s.pa.rotation;
    if (rng_below(r, 8) == 0) s.pa.rotation = s.pb.rotation = cm_quat_identity();
    if (rng_below(r, 2)) { /* move B along some direction until the gap is small */
        oracle_body a = oracle_body_of(&s.a, &s.pa), b = oracle_body_of(&s.b, &s.pb);
        double d = (double)oracle_distance(&a, &b), want = rng_range(r, -1e-3, 1e-3) * size;
        if (rng_below(r, 3) == 0) want *= 1e-3;
        cm_witness w;
        if (cm_distance(&s.a, &s.pa, &s.b, &s.pb, CM_REAL_MAX, &w) < CM_REAL_MAX && fabs(d) < 1e3 * size)
            s.pb.position = cm_mul_add(s.pb.position, (cm_real)(want - d), w.normal);
    }
    s.size = size_of(&s.a) + size_of(&s.b) + (double)cm_length(s.pa.position) + (double)cm_length(s.pb.position);
    return s;
}

static const char *sample_text(const sample *s) {
    static char text[200];
    snprintf(text, sizeof text, "%s r=%g, %s r=%g, size %g", cm_kind_name(s->a.kind), (double)s->a.radius,
             cm_kind_name(s->b.kind), (double)s->b.radius, s->size);
    return text;
}

static void check_witness(const sample *s, const oracle_body *a, const oracle_body *b, const cm_witness *w,
                          double tol) {
    check_that(fabs((double)cm_length(w->normal) - 1) < 8 * (double)CM_REAL_EPSILON, "%s: normal", sample_text(s));
    /* the proof: along the normal the bodies are apart by the distance, or overlap by the depth; and the points show it
     */
    double along = (double)oracle_separation(a, b, oracle_point(w->normal));
    /* rounding turns the direction between closest points by an ulp of the sizes over the cores' gap, and lengths of
       the order of the sizes turn with it: computed in double */
    double gap = (double)w->distance + (double)s->a.radius + (double)s->b.radius;
    double lever = gap > 0 ? BAND * DBL_EPSILON * s->size * s->size / gap : 0;
    check_that(fabs(along - (double)w->distance) <= tol + lever, "%s: %.9g along the normal, distance %.9g (%g of tol)",
               sample_text(s), along, (double)w->distance, fabs(along - (double)w->distance) / tol);
    double shown = (double)cm_dot(cm_sub(w->point_b, w->point_a), w->normal);
    check_that(fabs(shown - (double)w->distance) <= tol, "%s: points show %.9g, distance %.9g", sample_text(s), shown,
               (double)w->distance);
    double off_a = (double)oracle_point_distance(a, oracle_point(w->point_a));
    double off_b = (double)oracle_point_distance(b, oracle_point(w->point_b));
    check_that(off_a <= tol && off_b <= tol, "%s: points off by %g, %g (tol %g), distance %g", sample_text(s), off_a,
               off_b, tol, (double)w->distance);
}

static void check_contact(const sample *s, const oracle_body *a, const oracle_body *b, const cm_witness *w,
                          double tol) {
    cm_manifold m;
    int count = cm_contact(&s->a, &s->pa, &s->b, &s->pb, 0, &m, 1);
    check_that(count == (w->distance <= 0), "%s: %d manifolds at %g", sample_text(s), count, (double)w->distance);
    if (!count) return;
    check_that(m.count >= 1 && m.count <= 8, "%s: %d points", sample_text(s), m.count);
    double deepest = -1e300;
    for (int i = 0; i < m.count; i++) {
        const cm_contact_point *p = &m.points[i];
        deepest = fmax(deepest, (double)p->depth);
        double shown = (double)cm_dot(cm_sub(p->point_a, p->point_b), m.normal);
        check_that(fabs(shown - (double)p->depth) <= tol, "%s: contact shows %g, says %g", sample_text(s), shown,
                   (double)p->depth);
        double off_a = (double)oracle_point_distance(a, oracle_point(p->point_a));
        double off_b = (double)oracle_point_distance(b, oracle_point(p->point_b));
        check_that(fmin(off_a, off_b) <= tol, "%s: contact %d of %d off by %g, %g (tol %g)", sample_text(s), i, m.count,
                   off_a, off_b, tol);
    }
    check_that(fabs(deepest + (double)w->distance) <= tol + 2e-6 * s->size, "%s: deepest %g, depth %g", sample_text(s),
               deepest, -(double)w->distance);
}

static void check_sample(const sample *s) {
    oracle_body a = oracle_body_of(&s->a, &s->pa), b = oracle_body_of(&s->b, &s->pb);
    double want = (double)oracle_distance(&a, &b);
    double tol = BAND * (double)CM_REAL_EPSILON * (s->size + fabs(want));
    cm_witness w, v;
    bool overlap = cm_overlap(&s->a, &s->pa, &s->b, &s->pb);
    check_that(overlap == (want <= 0) || fabs(want) <= tol, "%s: overlap %d at %g", sample_text(s), overlap, want);
    cm_real d = cm_distance(&s->a, &s->pa, &s->b, &s->pb, CM_REAL_MAX, &w);
    check_that(overlap == (d <= 0), "%s: overlap %d, distance %g", sample_text(s), overlap, (double)d);
    check_that(d == w.distance, "%s", sample_text(s));
    check_that(fabs((double)d - want) <= tol, "%s: distance %.9g, should be %.9g (%g of the band)", sample_text(s),
               (double)d, want, fabs((double)d - want) / tol);
    check_witness(s, &a, &b, &w, 4 * tol);
    check_contact(s, &a, &b, &w, 4 * tol);
    cm_real e = cm_distance(&s->b, &s->pb, &s->a, &s->pa, CM_REAL_MAX, &v);
    check_that(fabs((double)(d - e)) <= tol, "%s: swapped %g", sample_text(s), (double)(d - e));
    if (s->a.kind != s->b.kind) {
        assert_true(d == e);
        assert_memory_equal(&w.point_a, &v.point_b, sizeof w.point_a);
    }
    /* moving B out by the depth brings the pair to touching */
    if (d < 0) {
        cm_pose moved = s->pb;
        moved.position = cm_mul_add(moved.position, -d, w.normal);
        double left = (double)cm_distance(&s->a, &s->pa, &s->b, &moved, CM_REAL_MAX, NULL);
        check_that(fabs(left) <= 4 * tol, "%s: %g left after moving by %g", sample_text(s), left, -(double)d);
    }
    assert_true(cm_distance(&s->a, &s->pa, &s->b, &s->pb, cm_max(d, 0), NULL) == d);
    if (d > 0) assert_true(cm_distance(&s->a, &s->pa, &s->b, &s->pb, d / 2, NULL) == CM_REAL_MAX);
}

static const cm_kind kinds[5] = {CM_SHAPE_POINT, CM_SHAPE_SEGMENT, CM_SHAPE_TRIANGLE, CM_SHAPE_BOX, CM_SHAPE_HALFSPACE};

static void every_pair_agrees_with_the_oracle(void **state) {
    (void)state;
    rng r = rng_start("pairs", 31);
    int each = samples(10000, 1000000) / 24;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < each && i + j < 8; k++) {
                sample s = random_sample(&r, kinds[i], kinds[j]);
                check_sample(&s);
            }
}

static void exact_touching_is_overlapping_at_every_scale(void **state) {
    (void)state;
    for (int e = -13; e <= 46; e += 3) { /* 1e-4 to 1e14 */
        cm_real h = (cm_real)ldexp(1, e);
        cm_pose at = cm_pose_identity(), there = at;
        const cm_shape shapes[] = {cm_make_sphere(cm_v(0, 0, 0), h), cm_make_box(cm_v(h, h, h)),
                                   cm_make_capsule(cm_v(0, -h, 0), cm_v(0, h, 0), h),
                                   cm_make_rounded_box(cm_v(h / 2, h, h), h / 2),
                                   cm_make_triangle(cm_v(h, 0, 0), cm_v(-h, h, 0), cm_v(-h, -h, 0))};
        for (size_t i = 0; i < 5; i++) {
            for (size_t j = 0; j < 4; j++) { /* all reach from -h to h on x, where B's side is a sphere's or a face */
                there.position = cm_v(2 * h, 0, 0);
                check_that(cm_overlap(&shapes[i], &at, &shapes[j], &there), "%zu %zu at 2^%d", i, j, e);
                cm_real d = cm_distance(&shapes[i], &at, &shapes[j], &there, CM_REAL_MAX, NULL);
                check_that(d == 0, "%zu %zu at 2^%d: %g", i, j, e, (double)d);
                there.position.x = 2 * h * (1 + CM_REAL_EPSILON);
                check_that(!cm_overlap(&shapes[i], &at, &shapes[j], &there), "%zu %zu at 2^%d, one ulp off", i, j, e);
            }
        }
    }
}

static void coordinates_near_the_limits_stay_right(void **state) {
    (void)state;
    const double sizes[] = {1e-15, 1e14};
    for (int i = 0; i < 2; i++) {
        cm_real h = (cm_real)sizes[i];
        cm_pose at = cm_pose_identity(), there = at;
        there.position = cm_v(4 * h, 0, 0);
        cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), h), box = cm_make_box(cm_v(h, h, h));
        cm_shape capsule = cm_make_capsule(cm_v(0, -h, 0), cm_v(0, h, 0), h);
        const cm_shape *all[3] = {&ball, &box, &capsule};
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                double d = (double)cm_distance(all[a], &at, all[b], &there, CM_REAL_MAX, NULL);
                check_that(fabs(d / (2 * (double)h) - 1) < 1e-6, "%d %d: %g for %g", a, b, d, 2 * (double)h);
            }
    }
}

static void invalid_input_is_no_answer(void **state) {
    (void)state;
    cm_pose at = cm_pose_identity(), bad = at;
    bad.position.x = (cm_real)NAN;
    cm_shape good = cm_make_sphere(cm_v(0, 0, 0), 1);
    cm_shape wrong[6] = {cm_make_sphere(cm_v(0, 0, 0), -1),
                         cm_make_sphere(cm_v((cm_real)INFINITY, 0, 0), 1),
                         cm_make_box(cm_v(1, -1, 1)),
                         cm_make_halfspace(cm_v(0, 0, 2), 0),
                         cm_make_segment(cm_v(0, 0, 0), cm_v((cm_real)NAN, 0, 0)),
                         cm_make_sphere(cm_v(CM_COORD_MAX * 2, 0, 0), 1)};
    cm_manifold m;
    cm_witness w;
    for (int i = 0; i < 6; i++) {
        assert_false(cm_overlap(&good, &at, &wrong[i], &at));
        assert_false(cm_overlap(&wrong[i], &at, &good, &at));
        assert_true(cm_distance(&wrong[i], &at, &good, &at, CM_REAL_MAX, &w) == CM_REAL_MAX);
        assert_int_equal(cm_contact(&good, &at, &wrong[i], &at, 1, &m, 1), 0);
    }
    assert_false(cm_overlap(&good, &bad, &good, &at));
    assert_int_equal(cm_contact(&good, &at, &good, &at, -1, &m, 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_agrees_with_the_oracle),
        cmocka_unit_test(exact_touching_is_overlapping_at_every_scale),
        cmocka_unit_test(coordinates_near_the_limits_stay_right),
        cmocka_unit_test(invalid_input_is_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
