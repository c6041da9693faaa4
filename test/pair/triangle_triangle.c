/* pair/triangle_triangle.h against rational arithmetic. */
#include "pair/triangle_triangle.h"

#include "oracle/rational.h"
#include "support/triangles.h"

#include <math.h>

#define UNIT 0x1p-53

static const char *pair_text(const cm_vec3 a[3], const cm_vec3 b[3]) {
    static char text[1200];
    int n = 0;
    for (int i = 0; i < 6; i++) {
        cm_vec3 p = i < 3 ? a[i] : b[i - 3];
        n += snprintf(text + n, sizeof text - (size_t)n, "(%a %a %a) ", (double)p.x, (double)p.y, (double)p.z);
    }
    return text;
}
static double distance_of(const double a[3], const double b[3]) {
    return cm__point_length(cm__p(b[0] - a[0], b[1] - a[1], b[2] - a[2]));
}
static double longest_edge(const cm_vec3 a[3], const cm_vec3 b[3]) {
    double longest = 0;
    for (int i = 0; i < 6; i++) {
        const cm_vec3 *t = i < 3 ? a : b;
        double length = cm__point_length(cm__point_sub(cm__point_of(t[i % 3]), cm__point_of(t[(i + 1) % 3])));
        if (length > longest) longest = length;
    }
    return longest;
}
static double largest_coordinate(const cm_vec3 a[3], const cm_vec3 b[3]) {
    double largest = 0;
    for (int i = 0; i < 6; i++) {
        double size = cm__point_largest(cm__point_of(i < 3 ? a[i] : b[i - 3]));
        if (size > largest) largest = size;
    }
    return largest;
}

static void overlap_is_exact(void **state) {
    (void)state;
    rng r = rng_start("overlap", 301);
    for (int kind = 0; kind < PAIR_KINDS; kind++) {
        int n = samples(1000, 200000), touching = 0;
        for (int i = 0; i < n; i++) {
            cm_vec3 a[3], b[3];
            triangle_pair(&r, kind, -40, 40, a, b);
            double p[3][3], q[3][3];
            triangle_doubles(a, p);
            triangle_doubles(b, q);
            bool truth = oracle_triangles_overlap((const double(*)[3])p, (const double(*)[3])q);
            bool got = cm__overlap_triangle_triangle(a, b);
            check_that(got == truth, "%s: %d, truth %d: %s", triangle_pair_name(kind), got, truth, pair_text(a, b));
            touching += truth;
        }
        print_message("  %-20s %5d of %d overlap\n", triangle_pair_name(kind), touching, n);
    }
}

static const int permutations[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
static void permute(const cm_vec3 t[3], int way, cm_vec3 out[3]) {
    for (int i = 0; i < 3; i++) out[i] = t[permutations[way][i]];
}

static void order_of_corners_and_triangles_changes_nothing(void **state) {
    (void)state;
    rng r = rng_start("order", 302);
    for (int kind = 0; kind < PAIR_KINDS; kind++)
        for (int i = 0; i < samples(150, 100000); i++) {
            cm_vec3 a[3], b[3], p[3], q[3];
            triangle_pair(&r, kind, -40, 40, a, b);
            bool first = cm__overlap_triangle_triangle(a, b);
            for (int way = 0; way < 36; way++) {
                permute(a, way % 6, p);
                permute(b, way / 6, q);
                cm__triangle_crossing crossing;
                check_that(cm__overlap_triangle_triangle(p, q) == first, "%s", pair_text(a, b));
                check_that(cm__overlap_triangle_triangle(q, p) == first, "%s", pair_text(a, b));
                check_that(cm__cross_triangle_triangle(p, q, &crossing) == first, "%s", pair_text(a, b));
            }
        }
}

/* The end is on the edge that it names, and on the other triangle. */
static void check_end(const char *kind, cm_vec3 end, int edge, const cm_vec3 a[3], const cm_vec3 b[3], double bound) {
    mpq_t square;
    mpq_init(square);
    double p[3], s[2][3], t[3][3];
    const cm_vec3 *own = edge < 3 ? a : b;
    point_doubles(end, p);
    segment_doubles(own[edge % 3], own[(edge + 1) % 3], s);
    triangle_doubles(edge < 3 ? b : a, t);
    oracle_point_segment(square, p, (const double(*)[3])s);
    check_that(oracle_sqrt(square) <= bound, "%s: %g off its edge %d, bound %g: %s", kind, oracle_sqrt(square), edge,
               bound, pair_text(a, b));
    oracle_point_triangle(square, p, (const double(*)[3])t);
    check_that(oracle_sqrt(square) <= bound, "%s: %g off the other, bound %g: %s", kind, oracle_sqrt(square), bound,
               pair_text(a, b));
    mpq_clear(square);
}

/* No common corner is farther from either end than the ends are from each other. */
static void check_extent(const char *kind, const cm__triangle_crossing *crossing, const cm_vec3 a[3],
                         const cm_vec3 b[3], double bound) {
    mpq_t square;
    mpq_init(square);
    double start[3], end[3], p[3], t[3][3];
    point_doubles(crossing->start, start);
    point_doubles(crossing->end, end);
    double length = distance_of(start, end);
    for (int i = 0; i < 6; i++) {
        point_doubles(i < 3 ? a[i] : b[i - 3], p);
        triangle_doubles(i < 3 ? b : a, t);
        oracle_point_triangle(square, p, (const double(*)[3])t);
        if (mpq_sgn(square) != 0) continue;
        check_that(distance_of(p, start) <= length + bound && distance_of(p, end) <= length + bound,
                   "%s: a common corner is farther away: %s", kind, pair_text(a, b));
    }
    mpq_clear(square);
}

static void crossing_is_the_common_segment(void **state) {
    (void)state;
    rng r = rng_start("crossing", 303);
    for (int kind = 0; kind < PAIR_KINDS; kind++)
        for (int i = 0; i < samples(500, 100000); i++) {
            cm_vec3 a[3], b[3];
            triangle_pair(&r, kind, -40, 40, a, b);
            cm__triangle_crossing crossing;
            if (!cm__cross_triangle_triangle(a, b, &crossing)) continue;
            const char *name = triangle_pair_name(kind);
            double size = largest_coordinate(a, b), p[3][3], q[3][3], ends[2][3], start[3], end[3];
            double bound = 0x1p-38 * longest_edge(a, b) + 4 * (double)CM_REAL_EPSILON * size;
            check_end(name, crossing.start, crossing.start_edge, a, b, bound);
            check_end(name, crossing.end, crossing.end_edge, a, b, bound);
            triangle_doubles(a, p);
            triangle_doubles(b, q);
            if (crossing.coplanar) {
                check_extent(name, &crossing, a, b, bound);
                continue;
            }
            int count = oracle_crossing((const double(*)[3])p, (const double(*)[3])q, ends);
            check_that(count > 0, "%s: not coplanar, but no end: %s", name, pair_text(a, b));
            point_doubles(crossing.start, start);
            point_doubles(crossing.end, end);
            double straight = fmax(distance_of(start, ends[0]), distance_of(end, ends[1]));
            double crossed = fmax(distance_of(start, ends[1]), distance_of(end, ends[0]));
            check_that(fmin(straight, crossed) <= bound, "%s: ends off by %g, bound %g: %s", name,
                       fmin(straight, crossed), bound, pair_text(a, b));
        }
}

/* Two triangles of A share an edge that passes through B: one end of their crossings is the same, to the bit. */
static void neighbors_cross_in_the_same_point(void **state) {
    (void)state;
    rng r = rng_start("neighbors", 304);
    int met = 0;
    for (int i = 0; i < samples(20000, 1000000); i++) {
        cm_vec3 b[3], e0 = rng_vec3(&r, 1), e1 = rng_vec3(&r, 1);
        for (int k = 0; k < 3; k++) b[k] = rng_vec3(&r, 1);
        cm_vec3 left[3] = {e0, e1, rng_vec3(&r, 1)}, right[3] = {e1, e0, rng_vec3(&r, 1)};
        cm__triangle_crossing x, y;
        if (!cm__cross_triangle_triangle(left, b, &x) || !cm__cross_triangle_triangle(right, b, &y)) continue;
        bool x_start = x.start_edge == 0, y_start = y.start_edge == 0;
        if ((!x_start && x.end_edge != 0) || (!y_start && y.end_edge != 0)) continue;
        cm_vec3 p = x_start ? x.start : x.end, q = y_start ? y.start : y.end;
        assert_memory_equal(&p, &q, sizeof p);
        met++;
    }
    check_that(met > 200, "only %d edges passed", met);
}

static void coplanar_triangles_report_their_longest_extent(void **state) {
    (void)state;
    /* [0,4]x[0,4] halves: a below the diagonal y = x, b above the line y = 4 - x: common corners (2,2) (4,0) (4,4) */
    cm_vec3 a[3] = {cm_v(0, 0, 1), cm_v(4, 0, 1), cm_v(4, 4, 1)}, b[3] = {cm_v(4, 0, 1), cm_v(4, 4, 1), cm_v(0, 4, 1)};
    cm__triangle_crossing x;
    assert_true(cm__cross_triangle_triangle(a, b, &x));
    assert_true(x.coplanar);
    check_that(cm_length(cm_sub(x.start, x.end)) == 4, "length %g", (double)cm_length(cm_sub(x.start, x.end)));
    check_that(x.start.x == 4 && x.end.x == 4, "x %g, %g", (double)x.start.x, (double)x.end.x);
}

static double distance_worst;

static void check_distance(const char *kind, const cm_vec3 a[3], const cm_vec3 b[3]) {
    static mpq_t square;
    static bool ready;
    if (!ready) mpq_init(square), ready = true;
    double p[3][3], q[3][3], x[3];
    triangle_doubles(a, p);
    triangle_doubles(b, q);
    oracle_triangle_triangle(square, (const double(*)[3])p, (const double(*)[3])q);
    cm_vec3 on_a, on_b;
    cm_real distance = cm__distance_triangle_triangle(a, b, CM_REAL_MAX, &on_a, &on_b);
    if (mpq_sgn(square) == 0) {
        check_that(distance == 0, "%s: %g, but they overlap: %s", kind, (double)distance, pair_text(a, b));
        assert_memory_equal(&on_a, &on_b, sizeof on_a);
    } else {
        check_that(distance >= CM_REAL_MIN, "%s: %g, but they are apart: %s", kind, (double)distance, pair_text(a, b));
    }
    double edge = longest_edge(a, b), error = oracle_distance_error((double)distance, square);
    if (mpq_sgn(square) != 0 && (double)distance <= (double)CM_REAL_MIN) error = 0;
    double ulp = (double)CM_REAL_EPSILON / 2 * (double)distance; /* the last rounding; in double it is among the 16 */
    double worst = (fabs(error) - (sizeof distance == 4 ? ulp : 0)) / (UNIT * (edge + (double)distance));
    if (worst > distance_worst) distance_worst = worst;
    check_that(worst <= 16, "%s: %g, off by %g = %g u: %s", kind, (double)distance, error, worst, pair_text(a, b));
    /* the points are on the triangles, and as far apart as it says, up to the rounding of coordinates */
    double bound = 4 * (double)CM_REAL_EPSILON * largest_coordinate(a, b) + 64 * UNIT * edge;
    if ((double)distance == 0) bound += 0x1p-38 * edge;
    point_doubles(on_a, x);
    oracle_point_triangle(square, x, (const double(*)[3])p);
    check_that(oracle_sqrt(square) <= bound, "%s: on_a is %g off", kind, oracle_sqrt(square));
    point_doubles(on_b, x);
    oracle_point_triangle(square, x, (const double(*)[3])q);
    check_that(oracle_sqrt(square) <= bound, "%s: on_b is %g off", kind, oracle_sqrt(square));
    double between = (double)cm_length(cm_sub(on_b, on_a));
    check_that(fabs(between - (double)distance) <= 2 * bound, "%s: points %g apart, distance %g: %s", kind, between,
               (double)distance, pair_text(a, b));
}

static void distance_is_exact_to_rounding(void **state) {
    (void)state;
    rng r = rng_start("distance", 305);
    distance_worst = 0;
    for (int kind = 0; kind < PAIR_KINDS; kind++)
        for (int i = 0; i < samples(500, 100000); i++) {
            cm_vec3 a[3], b[3];
            triangle_pair(&r, kind, -40, 40, a, b);
            check_distance(triangle_pair_name(kind), a, b);
        }
    print_message("  largest error %.2f u\n", distance_worst);
}

/* Slightly apart, and slightly crossing, where the least rounding decides. */
static void distance_of_needles_is_exact_to_rounding(void **state) {
    (void)state;
    rng r = rng_start("distance of needles", 306);
    distance_worst = 0;
    for (int i = 0; i < samples(3000, 500000); i++) {
        cm_vec3 t[2][3];
        for (int k = 0; k < 2; k++) {
            t[k][0] = rng_vec3(&r, 1);
            t[k][1] = cm_add(t[k][0], rng_direction(&r));
            cm_real thin = CM_REAL(rng_log_range(&r, 1e-12, 1)), at = CM_REAL(rng_range(&r, -0.2, 1.2));
            t[k][2] = cm_mul_add(cm_lerp(t[k][0], t[k][1], at), thin, rng_direction(&r));
        }
        cm_real height = CM_REAL(rng_log_range(&r, 1e-16, 1));
        cm_vec3 on = cm_lerp(t[0][0], t[0][1], CM_REAL(rng_unit(&r)));
        if (rng_below(&r, 2)) on = cm_lerp(on, t[0][2], CM_REAL(rng_unit(&r)));
        cm_vec3 move = cm_sub(on, t[1][rng_below(&r, 3)]);
        move = cm_mul_add(move, height, rng_direction(&r));
        for (int k = 0; k < 3; k++) t[1][k] = cm_add(t[1][k], move);
        check_distance("needles", t[0], t[1]);
    }
    print_message("  largest error %.2f u\n", distance_worst);
}

/* A corner closely over the face of a needle, and the rest of its triangle hardly farther from the needle's plane: a
 * rough normal takes the wrong corner for the nearest. */
static void distance_over_needles_is_exact_to_rounding(void **state) {
    (void)state;
    rng r = rng_start("distance over needles", 309);
    distance_worst = 0;
    for (int i = 0; i < samples(3000, 500000); i++) {
        cm_vec3 a[3], b[3], along = rng_direction(&r), up = rng_direction(&r);
        up = cm_normalize(cm_sub(up, cm_scale(along, cm_dot(up, along))), along);
        cm_vec3 aside = cm_cross(up, along);
        double thin = rng_log_range(&r, 1e-12, 1);
        a[0] = rng_vec3(&r, 1);
        a[1] = cm_add(a[0], along);
        a[2] = cm_mul_add(cm_lerp(a[0], a[1], CM_REAL(rng_range(&r, 0.1, 0.9))), CM_REAL(thin), aside);
        cm_vec3 on = cm_lerp(cm_lerp(a[0], a[1], CM_REAL(rng_unit(&r))), a[2], CM_REAL(rng_unit(&r)));
        b[0] = cm_mul_add(on, CM_REAL(thin * rng_log_range(&r, 1e-4, 1)), up);
        for (int k = 1; k < 3; k++) {
            cm_vec3 to =
                cm_add(cm_scale(along, CM_REAL(rng_range(&r, -1, 1))), cm_scale(aside, CM_REAL(rng_range(&r, -1, 1))));
            b[k] = cm_mul_add(cm_add(b[0], to), CM_REAL(thin * rng_log_range(&r, 1e-4, 1)), up);
        }
        if (rng_below(&r, 2))
            check_distance("over a needle", a, b);
        else
            check_distance("over a needle", b, a);
    }
    print_message("  largest error %.2f u\n", distance_worst);
}

/* A bound just above the distance finds it, one just below does not, and leaves the points alone. */
static void max_distance_ends_the_search(void **state) {
    (void)state;
    rng r = rng_start("max distance", 307);
    int cut = 0;
    for (int kind = 0; kind < PAIR_KINDS; kind++)
        for (int i = 0; i < samples(600, 100000); i++) {
            cm_vec3 a[3], b[3], on_a, on_b, p = cm_v(7, 7, 7), q = p;
            triangle_pair(&r, kind, -40, 40, a, b);
            cm_real d = cm__distance_triangle_triangle(a, b, CM_REAL_MAX, &on_a, &on_b);
            cm_real got = cm__distance_triangle_triangle(a, b, d, &p, &q);
            check_that(got == d, "%s: %g, limited to it %g: %s", triangle_pair_name(kind), (double)d, (double)got,
                       pair_text(a, b));
            assert_memory_equal(&p, &on_a, sizeof p);
            assert_memory_equal(&q, &on_b, sizeof q);
            if (d < 4 * CM_REAL_MIN) continue;
            p = q = cm_v(7, 7, 7);
            got = cm__distance_triangle_triangle(a, b, d * (1 - 2 * CM_REAL_EPSILON), &p, &q);
            check_that(got == CM_REAL_MAX && p.x == 7 && q.x == 7, "%g below %g", (double)got, (double)d);
            cut++;
        }
    check_that(cut > 1000, "%d", cut);
}

/* The same pairs at the ends of the range of coordinates. */
static void size_does_not_matter(void **state) {
    (void)state;
    rng r = rng_start("sizes", 308);
#if defined(CAROM_F64)
    const int exponents[] = {-260, -202, -110, 0, 105, 195, 210, 325};
#else
    const int exponents[] = {-100, -60, -49, 0, 30, 42};
#endif
    for (int kind = 0; kind < PAIR_KINDS; kind++) {
        if (kind == PAIR_NEAR_COPLANAR || kind == PAIR_FAR_FROM_ORIGIN) continue; /* leave the range when scaled */
        for (int i = 0; i < samples(100, 10000); i++) {
            cm_vec3 a[3], b[3], p[3], q[3], on_a, on_b;
            triangle_pair(&r, kind, 0, 0, a, b);
            double reference = (double)cm__distance_triangle_triangle(a, b, CM_REAL_MAX, &on_a, &on_b);
            for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++) {
                cm_real s = CM_REAL(ldexp(1, exponents[k]));
                for (int j = 0; j < 3; j++) p[j] = cm_scale(a[j], s), q[j] = cm_scale(b[j], s);
                double d = (double)cm__distance_triangle_triangle(p, q, CM_REAL_MAX, &on_a, &on_b) / (double)s;
                if (d != reference && fabs(d * (double)s) <= (double)CM_REAL_MIN) continue;
                check_that((d == 0) == (reference == 0), "2^%d: %g for %g: %s", exponents[k], d, reference,
                           pair_text(a, b));
                check_that(fabs(d - reference) <= 4e-7 * (sizeof(cm_real) == 8 ? 1e-8 : 1) * (1 + reference) * 10,
                           "2^%d: %g for %g: %s", exponents[k], d, reference, pair_text(a, b));
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_is_exact),
        cmocka_unit_test(order_of_corners_and_triangles_changes_nothing),
        cmocka_unit_test(crossing_is_the_common_segment),
        cmocka_unit_test(neighbors_cross_in_the_same_point),
        cmocka_unit_test(coplanar_triangles_report_their_longest_extent),
        cmocka_unit_test(distance_is_exact_to_rounding),
        cmocka_unit_test(distance_of_needles_is_exact_to_rounding),
        cmocka_unit_test(distance_over_needles_is_exact_to_rounding),
        cmocka_unit_test(max_distance_ends_the_search),
        cmocka_unit_test(size_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
