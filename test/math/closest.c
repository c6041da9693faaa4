/* math/closest.h against rational distances. */
#include "math/closest.h"

#include "oracle/rational.h"
#include "support/triangles.h"

#define UNIT 0x1p-53 /* rounding error of double, which both builds compute in */

/* The largest length among the edges of the points given. */
static double longest_edge(const cm_vec3 *points, int count) {
    double longest = 0;
    for (int i = 0; i < count; i++) {
        double length = cm__point_length(cm__point_sub(cm__point_of(points[(i + 1) % count]), cm__point_of(points[i])));
        if (length > longest) longest = length;
    }
    return longest;
}
static double largest_seen;

/* |gap| is the true distance within 16 u (L + |gap|). */
static void check_gap(const char *kind, cm__point gap, double edge, const mpq_t square) {
    double length = cm__point_length(gap), error = oracle_distance_error(length, square);
    double ratio = fabs(error) / (UNIT * (edge + length));
    if (error != 0 && ratio > largest_seen) largest_seen = ratio;
    check_that(fabs(error) <= 16 * UNIT * (edge + length), "%s: %g, off by %g = %g u, edge %g", kind, length, error,
               ratio, edge);
}
/* The points given are as far apart as the gap says, up to the rounding of coordinates. */
static void check_points(cm__point a, cm__point b, cm__point gap, double edge) {
    double size = cm__point_largest(a) + cm__point_largest(b) + edge;
    double off = cm__point_length(cm__point_sub(cm__point_sub(b, a), gap));
    check_that(off <= 32 * UNIT * size, "gap and points differ by %g of %g", off, size);
}

static void point_segment_is_exact_to_rounding(void **state) {
    (void)state;
    rng r = rng_start("point and segment", 101);
    mpq_t square;
    mpq_init(square);
    int n = samples(1000, 100000);
    for (int kind = 0; kind < PAIR_KINDS; kind++)
        for (int i = 0; i < n; i++) {
            cm_vec3 a[3], b[3];
            triangle_pair(&r, kind, -40, 40, a, b);
            double p[3], s[2][3];
            point_doubles(a[0], p);
            segment_doubles(b[0], b[1], s);
            oracle_point_segment(square, p, (const double(*)[3])s);
            cm__closest c = cm__closest_point_segment(cm__point_of(a[0]), cm__point_of(b[0]), cm__point_of(b[1]));
            check_that(c.t >= 0 && c.t <= 1, "t %g", c.t);
            check_gap(triangle_pair_name(kind), c.gap, longest_edge(b, 2), square);
            check_points(c.a, c.b, c.gap, longest_edge(b, 2));
        }
    print_message("  largest error %.2f u\n", largest_seen);
    mpq_clear(square);
}

static void segment_segment_is_exact_to_rounding(void **state) {
    (void)state;
    rng r = rng_start("segment and segment", 102);
    mpq_t square;
    mpq_init(square);
    largest_seen = 0;
    int n = samples(1000, 100000);
    for (int kind = 0; kind < PAIR_KINDS; kind++)
        for (int i = 0; i < n; i++) {
            cm_vec3 a[3], b[3];
            triangle_pair(&r, kind, -40, 40, a, b);
            double s[2][3], t[2][3];
            segment_doubles(a[0], a[1], s);
            segment_doubles(b[0], b[1], t);
            oracle_segment_segment(square, (const double(*)[3])s, (const double(*)[3])t);
            cm__closest c = cm__closest_segment_segment(cm__point_of(a[0]), cm__point_of(a[1]), cm__point_of(b[0]),
                                                        cm__point_of(b[1]));
            double edge = longest_edge(a, 2) + longest_edge(b, 2);
            check_that(c.s >= 0 && c.s <= 1 && c.t >= 0 && c.t <= 1, "s %g, t %g", c.s, c.t);
            check_gap(triangle_pair_name(kind), c.gap, edge, square);
            check_points(c.a, c.b, c.gap, edge);
        }
    print_message("  largest error %.2f u\n", largest_seen);
    mpq_clear(square);
}

/* Directions that differ by 1e-1 … 1e-16: the Gram determinant of these is noise. */
static void nearly_parallel_segments_are_exact_to_rounding(void **state) {
    (void)state;
    rng r = rng_start("nearly parallel segments", 103);
    mpq_t square;
    mpq_init(square);
    largest_seen = 0;
    int n = samples(15000, 1000000);
    for (int i = 0; i < n; i++) {
        cm_vec3 a0 = rng_vec3(&r, 1), a1 = cm_add(a0, rng_direction(&r));
        cm_real angle = CM_REAL(rng_log_range(&r, 1e-16, 1e-1)), height = CM_REAL(rng_log_range(&r, 1e-16, 1));
        cm_vec3 b0 = cm_mul_add(cm_lerp(a0, a1, CM_REAL(rng_range(&r, -1.5, 1.5))), height, rng_direction(&r));
        cm_vec3 d = cm_scale(cm_sub(a1, a0), CM_REAL(rng_range(&r, -2, 2)));
        cm_vec3 b1 = cm_mul_add(cm_add(b0, d), angle, rng_direction(&r));
        double s[2][3], t[2][3];
        segment_doubles(a0, a1, s);
        segment_doubles(b0, b1, t);
        oracle_segment_segment(square, (const double(*)[3])s, (const double(*)[3])t);
        cm__closest c =
            cm__closest_segment_segment(cm__point_of(a0), cm__point_of(a1), cm__point_of(b0), cm__point_of(b1));
        cm_vec3 sa[2] = {a0, a1}, sb[2] = {b0, b1};
        check_gap("nearly parallel", c.gap, longest_edge(sa, 2) + longest_edge(sb, 2), square);
    }
    print_message("  largest error %.2f u\n", largest_seen);
    mpq_clear(square);
}

static void check_on_triangle(const char *kind, cm_vec3 p, const cm_vec3 t[3], const mpq_t square) {
    cm__closest_on_triangle c;
    cm__closest_point_triangle(cm__point_of(p), cm__point_of(t[0]), cm__point_of(t[1]), cm__point_of(t[2]), &c);
    double edge = longest_edge(t, 3), sum = 0;
    for (int i = 0; i < 3; i++) {
        check_that(c.weight[i] >= 0 && c.weight[i] <= 1, "%s: weight %d = %g", kind, i, c.weight[i]);
        check_that(c.weight[i] == 0 || c.feature & 1 << i, "%s: weight %d = %g, feature %d", kind, i, c.weight[i],
                   c.feature);
        sum += c.weight[i];
    }
    check_that(fabs(sum - 1) <= 4 * UNIT, "%s: weights sum to 1 + %g", kind, sum - 1);
    check_gap(kind, c.gap, edge, square);
    /* the point is as far from p as the gap says: its foot is right, too */
    double size = cm__point_largest(cm__point_of(p)) + cm__point_largest(c.point) + edge;
    double length = cm__point_length(cm__point_sub(c.point, cm__point_of(p)));
    check_that(fabs(length - cm__point_length(c.gap)) <= 64 * UNIT * size, "%s: point %.17g away, gap %.17g", kind,
               length, cm__point_length(c.gap));
}

static void point_triangle_is_exact_to_rounding(void **state) {
    (void)state;
    rng r = rng_start("point and triangle", 104);
    mpq_t square;
    mpq_init(square);
    largest_seen = 0;
    int n = samples(1000, 100000);
    for (int kind = 0; kind < PAIR_KINDS; kind++)
        for (int i = 0; i < n; i++) {
            cm_vec3 a[3], b[3];
            triangle_pair(&r, kind, -40, 40, a, b);
            double p[3], t[3][3];
            point_doubles(a[0], p);
            triangle_doubles(b, t);
            oracle_point_triangle(square, p, (const double(*)[3])t);
            check_on_triangle(triangle_pair_name(kind), a[0], b, square);
        }
    print_message("  largest error %.2f u\n", largest_seen);
    mpq_clear(square);
}

/* Needles of any thinness, with a wide angle or with a short edge; points beside, above and on them. */
static void point_needle_is_exact_to_rounding(void **state) {
    (void)state;
    rng r = rng_start("point and needle", 105);
    mpq_t square;
    mpq_init(square);
    largest_seen = 0;
    int n = samples(20000, 1000000);
    for (int i = 0; i < n; i++) {
        cm_vec3 made[3], t[3];
        made[0] = rng_vec3(&r, 1);
        made[1] = cm_add(made[0], rng_direction(&r));
        cm_real thin = CM_REAL(rng_log_range(&r, 1e-16, 1)), height = CM_REAL(rng_log_range(&r, 1e-16, 10));
        cm_real at = i % 2 ? CM_REAL(rng_range(&r, -0.5, 1.5)) : 0;
        made[2] = cm_mul_add(cm_lerp(made[0], made[1], at), thin, rng_direction(&r));
        uint32_t turn = rng_below(&r, 3), way = 1 + rng_below(&r, 2);
        for (uint32_t k = 0; k < 3; k++) t[k] = made[(turn + way * k) % 3];
        cm_vec3 on = cm_lerp(cm_lerp(t[0], t[1], CM_REAL(rng_unit(&r))), t[2], CM_REAL(rng_range(&r, -0.1, 1.1)));
        cm_vec3 p = cm_mul_add(on, height, rng_direction(&r));
        double x[3], d[3][3];
        point_doubles(p, x);
        triangle_doubles(t, d);
        oracle_point_triangle(square, x, (const double(*)[3])d);
        check_on_triangle("needle", p, t, square);
    }
    print_message("  largest error %.2f u\n", largest_seen);
    mpq_clear(square);
}

/* The corner of a needle whose other end is an edge of next to no length, and points beyond it, along the needle or
 * beside its way: whichever corners come first, the corner is the answer. */
static void beyond_the_tip_of_a_needle_is_its_tip(void **state) {
    (void)state;
    rng r = rng_start("tips", 107);
    mpq_t square;
    mpq_init(square);
    for (int i = 0; i < samples(4000, 400000); i++) {
        cm_vec3 made[3], t[3];
        const cm_real thin = CM_REAL(rng_log_range(&r, 1e-20, 1e-7));
        made[0] = cm_scale(rng_direction(&r), thin), made[1] = cm_scale(rng_direction(&r), thin);
        made[2] = rng_direction(&r);
        const cm_real beyond = CM_REAL(rng_log_range(&r, 1e-5, 1)), beside = CM_REAL(rng_log_range(&r, 1e-16, 1e-6));
        const cm_vec3 p = cm_mul_add(cm_scale(made[2], 1 + beyond), beside, rng_direction(&r));
        const uint32_t turn = rng_below(&r, 3), way = 1 + rng_below(&r, 2);
        for (uint32_t k = 0; k < 3; k++) t[k] = made[(turn + way * k) % 3];
        double x[3], d[3][3];
        point_doubles(p, x);
        triangle_doubles(t, d);
        oracle_point_triangle(square, x, (const double(*)[3])d);
        check_on_triangle("tip", p, t, square);
    }
    mpq_clear(square);
}

/* The same figure at the ends of the range: nothing overflows, nothing underflows. */
static void size_does_not_matter(void **state) {
    (void)state;
    rng r = rng_start("sizes", 106);
#if defined(CAROM_F64)
    const int exponents[] = {-1000, -600, -330, -250, -200, 0, 190, 210, 330};
#else
    const int exponents[] = {-120, -60, -49, 0, 30, 45};
#endif
    for (int i = 0; i < samples(3000, 100000); i++) {
        cm_vec3 t[3] = {rng_vec3(&r, 1), rng_vec3(&r, 1), rng_vec3(&r, 1)}, p = rng_vec3(&r, 2), q = rng_vec3(&r, 2);
        if (i % 3 == 0) t[2] = cm_mul_add(cm_lerp(t[0], t[1], CM_REAL(0.5)), CM_REAL(1e-3), t[2]);
        double reference[3] = {0, 0, 0};
        for (int pass = -1; pass < (int)(sizeof exponents / sizeof *exponents); pass++) {
            double s = ldexp(1, pass < 0 ? 0 : exponents[pass]);
            cm__point a = cm__point_scale(cm__point_of(t[0]), s), b = cm__point_scale(cm__point_of(t[1]), s);
            cm__point c = cm__point_scale(cm__point_of(t[2]), s), x = cm__point_scale(cm__point_of(p), s);
            cm__point y = cm__point_scale(cm__point_of(q), s);
            cm__closest_on_triangle on;
            cm__closest_point_triangle(x, a, b, c, &on);
            double got[3] = {cm__point_length(on.gap), cm__point_length(cm__closest_point_segment(x, a, b).gap),
                             cm__point_length(cm__closest_segment_segment(x, y, a, b).gap)};
            for (int k = 0; k < 3; k++) {
                if (pass < 0) reference[k] = got[k];
                double off = fabs(got[k] / s - reference[k]);
                check_that(off <= 1e-12, "2^%d: function %d gives %g for %g", exponents[pass], k, got[k] / s,
                           reference[k]);
            }
        }
    }
}

/* Two edges of a box lie over one another from 1 to 2 of [0, 2] and [1, 3]: the middle is at 1.5. */
static void parallel_segments_meet_in_the_middle_of_their_overlap(void **state) {
    (void)state;
    cm__closest c = cm__closest_segment_segment(cm__p(0, 0, 0), cm__p(2, 0, 0), cm__p(3, 1, 0), cm__p(1, 1, 0));
    check_that(c.a.x == 1.5 && c.b.x == 1.5 && c.b.y == 1, "%g, %g", c.a.x, c.b.x);
    assert_true(c.square == 1);
    c = cm__closest_segment_segment(cm__p(0, 0, 0), cm__p(2, 0, 0), cm__p(3, 1, 0), cm__p(5, 1, 0));
    check_that(c.a.x == 2 && c.b.x == 3 && c.square == 2, "%g, %g", c.a.x, c.b.x);
}

static void segments_of_no_length_are_points(void **state) {
    (void)state;
    cm__point o = cm__p(1, 2, 3), p = cm__p(1, 2, 5);
    assert_true(cm__closest_point_segment(p, o, o).square == 4);
    assert_true(cm__closest_segment_segment(p, p, o, o).square == 4);
    cm__closest c = cm__closest_segment_segment(o, o, cm__p(0, 2, 4), cm__p(4, 2, 4));
    check_that(c.square == 1 && c.s == 0 && c.t == 0.25, "%g at %g", c.square, c.t);
    c = cm__closest_segment_segment(cm__p(0, 2, 4), cm__p(4, 2, 4), o, o);
    check_that(c.square == 1 && c.s == 0.25 && c.t == 0, "%g at %g", c.square, c.s);
    cm__closest_on_triangle on;
    cm__closest_point_triangle(p, o, o, o, &on);
    assert_true(on.square == 4 && on.feature == 1 && on.weight[0] == 1);
}

/* The seven regions of the triangle (0,0,0) (4,0,0) (0,4,0), from a height of 3. */
static void every_region_of_a_triangle_is_named(void **state) {
    (void)state;
    static const struct {
        double x, y;
        int feature;
        double square;
    } cases[] = {{1, 1, 7, 9},   {-3, -4, 1, 34}, {6, -1, 2, 14}, {-1, 6, 4, 14},
                 {2, -2, 3, 13}, {4, 4, 6, 17},   {-2, 2, 5, 13}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cm__closest_on_triangle on;
        cm__closest_point_triangle(cm__p(cases[i].x, cases[i].y, 3), cm__p(0, 0, 0), cm__p(4, 0, 0), cm__p(0, 4, 0),
                                   &on);
        check_that(on.feature == cases[i].feature, "case %zu: feature %d", i, on.feature);
        check_that(on.square == cases[i].square, "case %zu: square %g", i, on.square);
    }
}

/* A foot within an edge or the face, but so close to a corner or an edge that both are equally far within rounding: the
 * way to it is square to the edge or face all the same, so that no corner is nearer along it than the foot is. */
static void no_corner_is_nearer_along_the_way_to_the_foot(void **state) {
    (void)state;
    rng r = rng_start("feet beside corners", 106);
    const double bound = (double)CM_REAL_EPSILON > 1e-10 ? 0x1p-22 : 64 * UNIT; /* of float, or of double */
    double most = 0;
    for (int i = 0; i < samples(20000, 1000000); i++) {
        const cm_vec3 direction = rng_direction(&r), other = rng_direction(&r);
        cm__point along = cm__point_of(direction), aside = cm__point_of(other), made[3], t[3];
        along = cm__point_scale(along, 1 / cm__point_length(along));
        aside = cm__point_mul_add(aside, -cm__point_dot(aside, along), along);
        aside = cm__point_scale(aside, 1 / cm__point_length(aside));
        const cm__point up = cm__point_cross(along, aside);
        /* an edge along one axis from the corner 0; the third corner behind it, thin or not, or on the corner */
        const double length = rng_log_range(&r, 1e-2, 1e2), thin = rng_below(&r, 4) ? rng_log_range(&r, 1e-16, 1) : 0;
        const double back = rng_below(&r, 4) ? rng_range(&r, -0.5, 1.5) * length : 0;
        made[0] = cm__point_of(rng_vec3(&r, 1));
        made[1] = cm__point_mul_add(made[0], length, along);
        made[2] = cm__point_mul_add(cm__point_mul_add(made[0], -back, along), -thin * length, aside);
        const uint32_t turn = rng_below(&r, 3), way = 1 + rng_below(&r, 2);
        for (uint32_t k = 0; k < 3; k++) t[(turn + way * k) % 3] = made[k];
        /* over the edge, over the face beside it, or beyond the edge */
        const double far = rng_log_range(&r, 1e-2, 1e2), tilt = rng_below(&r, 2) ? rng_range(&r, 0, 1.5707963) : 0;
        const double in = rng_below(&r, 3) || back > 0 ? 0 : rng_unit(&r) * thin * length;
        const double at = rng_log_range(&r, 1e-14, 1) * length;
        cm__point p = cm__point_mul_add(cm__point_mul_add(made[0], at, along), -in, aside);
        p = cm__point_mul_add(cm__point_mul_add(p, far * cos(tilt), up), in > 0 ? 0 : far * sin(tilt), aside);
        cm__closest_on_triangle c;
        cm__closest_point_triangle(p, t[0], t[1], t[2], &c);
        const double size = length * (1 + fabs(back) / length), d = cm__point_length(c.gap);
        const bool needle = thin > 0 && thin < 1e-8; /* a corner may stand for a foot as far within rounding */
        for (int k = 0; k < 3; k++) {
            const double nearer = -cm__point_dot(cm__point_sub(t[k], c.point), c.gap) / d;
            const double ratio = nearer / (size + size * size / d + d);
            most = fmax(most, ratio);
            check_that(ratio <= (needle ? 0x1p-26 : bound),
                       "case %d: corner %d is nearer by %g of %g, %g away; feature %d, thin %g", i, k, nearer, size, d,
                       c.feature, thin);
        }
    }
    print_message("  at most %.2f u\n", most / UNIT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(point_segment_is_exact_to_rounding),
        cmocka_unit_test(segment_segment_is_exact_to_rounding),
        cmocka_unit_test(nearly_parallel_segments_are_exact_to_rounding),
        cmocka_unit_test(point_triangle_is_exact_to_rounding),
        cmocka_unit_test(point_needle_is_exact_to_rounding),
        cmocka_unit_test(beyond_the_tip_of_a_needle_is_its_tip),
        cmocka_unit_test(size_does_not_matter),
        cmocka_unit_test(parallel_segments_meet_in_the_middle_of_their_overlap),
        cmocka_unit_test(segments_of_no_length_are_points),
        cmocka_unit_test(every_region_of_a_triangle_is_named),
        cmocka_unit_test(no_corner_is_nearer_along_the_way_to_the_foot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
