/* math/exact.h against rational arithmetic: no sign may ever differ. */
#include "math/exact.h"

#include "oracle/rational.h"
#include "support/triangles.h"

#include <gmp.h>
#include <math.h>

typedef struct quad {
    double at[4][3]; /* four points */
} quad;

static cm__point quad_point(const quad *q, int i) { return cm__p(q->at[i][0], q->at[i][1], q->at[i][2]); }

static const char *quad_text(const quad *q) {
    static char text[600];
    int n = 0;
    for (int i = 0; i < 4; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "(%a %a %a) ", q->at[i][0], q->at[i][1], q->at[i][2]);
    return text;
}

static double nudge_double(rng *r, double x) {
    uint32_t way = rng_below(r, 3);
    return way == 0 ? x : nextafter(x, way == 1 ? -HUGE_VAL : HUGE_VAL);
}

/* A coordinate of any size in the range that is promised: 0, or 2^-305 ... 1e100. */
static double any_coordinate(rng *r) {
    if (rng_below(r, 6) == 0) return 0;
    double x = ldexp(1 + rng_unit(r), -305 + (int)rng_below(r, 305 + 332));
    if (rng_below(r, 4) == 0) x = ldexp(1 + rng_unit(r), -305 + (int)rng_below(r, 3));
    if (rng_below(r, 4) == 0) x = ldexp(1 + rng_unit(r), 328 + (int)rng_below(r, 4));
    if (rng_below(r, 4) == 0) x = ldexp(1, -305 + (int)rng_below(r, 305 + 332));
    return rng_below(r, 2) ? x : -x;
}

enum {
    QUAD_RANDOM,
    QUAD_GRID,
    QUAD_ON_PLANE,
    QUAD_NEAR_PLANE,
    QUAD_TENTHS,
    QUAD_ANY_SIZE,
    QUAD_FLAT_ANY_SIZE,
    QUAD_LINE,
    QUAD_FLOATS,
    QUAD_KINDS
};

static void quad_make(rng *r, int kind, quad *q) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) q->at[i][k] = rng_range(r, -1, 1);
    double u = rng_range(r, -2, 2), v = rng_range(r, -2, 2);
    switch (kind) {
    case QUAD_GRID:
        for (int i = 0; i < 12; i++) q->at[i / 3][i % 3] = (double)rng_below(r, 7) - 3;
        break;
    case QUAD_TENTHS: /* coplanar as decimals, not as doubles */
        for (int i = 0; i < 12; i++)
            q->at[i / 3][i % 3] = ((double)rng_below(r, 7) - 3) / 10 + (rng_below(r, 2) ? 1 : 0);
        break;
    case QUAD_ON_PLANE: /* exactly: few bits each */
        for (int i = 0; i < 9; i++) q->at[i / 3][i % 3] = ldexp((double)rng_below(r, 1u << 20), -(int)rng_below(r, 3));
        u = (double)rng_below(r, 64) / 16, v = (double)rng_below(r, 64) / 16;
        for (int k = 0; k < 3; k++)
            q->at[3][k] = q->at[0][k] + u * (q->at[1][k] - q->at[0][k]) + v * (q->at[2][k] - q->at[0][k]);
        if (rng_below(r, 2)) q->at[3][rng_below(r, 3)] += ldexp(1, -(int)rng_below(r, 25));
        break;
    case QUAD_NEAR_PLANE:
    case QUAD_LINE:
        for (int k = 0; k < 3; k++) {
            if (kind == QUAD_LINE) q->at[2][k] = nudge_double(r, q->at[0][k] + v * (q->at[1][k] - q->at[0][k]));
            q->at[3][k] = q->at[0][k] + u * (q->at[1][k] - q->at[0][k]) + v * (q->at[2][k] - q->at[0][k]);
            q->at[3][k] = nudge_double(r, q->at[3][k]);
        }
        break;
    case QUAD_ANY_SIZE:
        for (int i = 0; i < 12; i++) q->at[i / 3][i % 3] = any_coordinate(r);
        break;
    case QUAD_FLAT_ANY_SIZE: /* in the plane x = c, or y = x, moved by the smallest step */
        for (int i = 0; i < 12; i++) q->at[i / 3][i % 3] = any_coordinate(r);
        for (int i = 0; i < 4; i++) q->at[i][0] = rng_below(r, 2) ? q->at[0][0] : q->at[i][1];
        if (rng_below(r, 2)) q->at[3][0] = nudge_double(r, q->at[3][0]);
        break;
    case QUAD_FLOATS:
        for (int i = 0; i < 12; i++)
            q->at[i / 3][i % 3] = (double)(float)ldexp(rng_range(r, -1, 1), -149 + (int)rng_below(r, 200));
        break;
    default:
        break;
    }
    for (int i = 0; i < 12; i++) { /* the promise holds for 0 and from 2^-305 on */
        double *x = &q->at[i / 3][i % 3];
        if (fabs(*x) < 0x1p-305) *x = 0;
    }
}

static void orient3_is_exact(void **state) {
    (void)state;
    rng r = rng_start("orient3", 201);
    long zeros = 0;
    for (int kind = 0; kind < QUAD_KINDS; kind++)
        for (int i = 0; i < samples(8000, 1000000); i++) {
            quad q;
            quad_make(&r, kind, &q);
            int sign = cm__orient3(quad_point(&q, 0), quad_point(&q, 1), quad_point(&q, 2), quad_point(&q, 3));
            int truth = oracle_orient3(q.at[0], q.at[1], q.at[2], q.at[3]);
            check_that(sign == truth, "orient3 %d, truth %d: %s", sign, truth, quad_text(&q));
            zeros += truth == 0;
        }
    check_that(zeros > 1000, "only %ld of the samples were degenerate", zeros);
}

static void side_of_a_direction_is_exact(void **state) {
    (void)state;
    rng r = rng_start("side", 202);
    for (int kind = 0; kind < QUAD_KINDS; kind++)
        for (int i = 0; i < samples(8000, 1000000); i++) {
            quad q;
            quad_make(&r, kind, &q);
            if (kind == QUAD_ON_PLANE || kind == QUAD_NEAR_PLANE) /* a direction within the plane, or nearly */
                for (int k = 0; k < 3; k++) q.at[3][k] -= q.at[0][k];
            int sign = cm__orient3_along(quad_point(&q, 0), quad_point(&q, 1), quad_point(&q, 2), quad_point(&q, 3));
            int truth = oracle_side(q.at[0], q.at[1], q.at[2], q.at[3]);
            check_that(sign == truth, "side %d, truth %d: %s", sign, truth, quad_text(&q));
        }
}

static void orient2_is_exact_along_every_axis(void **state) {
    (void)state;
    rng r = rng_start("orient2", 203);
    for (int kind = 0; kind < QUAD_KINDS; kind++)
        for (int i = 0; i < samples(8000, 1000000); i++) {
            quad q;
            quad_make(&r, kind, &q);
            int axis = (int)rng_below(&r, 3), flat = 1;
            int sign = cm__orient2_along(axis, quad_point(&q, 0), quad_point(&q, 1), quad_point(&q, 2));
            int truth = oracle_orient2(q.at[0], q.at[1], q.at[2], axis);
            check_that(sign == truth, "axis %d: %d, truth %d: %s", axis, sign, truth, quad_text(&q));
            for (int k = 0; k < 3; k++) flat = flat && oracle_orient2(q.at[0], q.at[1], q.at[2], k) == 0;
            int found = cm__triangle_axis(quad_point(&q, 0), quad_point(&q, 1), quad_point(&q, 2));
            check_that((found < 0) == flat, "axis %d, degenerate %d: %s", found, flat, quad_text(&q));
            if (found >= 0) assert_int_not_equal(oracle_orient2(q.at[0], q.at[1], q.at[2], found), 0);
        }
}

static void value_of_orient3_is_right_to_40_bits(void **state) {
    (void)state;
    rng r = rng_start("orient3 value", 204);
    for (int kind = 0; kind < QUAD_KINDS; kind++)
        for (int i = 0; i < samples(3000, 300000); i++) {
            quad q;
            quad_make(&r, kind, &q);
            cm__point p[4];
            for (int k = 0; k < 4; k++) p[k] = quad_point(&q, k);
            double value = cm__orient3_value(&p[0], &p[1], &p[2], &p[3]);
            double truth = oracle_orient3_value(q.at[0], q.at[1], q.at[2], q.at[3]);
            check_that(fabs(value - truth) <= 0x1p-40 * fabs(truth), "%g, truth %g: %s", value, truth, quad_text(&q));
        }
}

/* Sign of (bu - au)(dv - cv) - (bv - av)(du - cu). */
static int oracle_cross(const quad *q, int axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    mpq_t x, y, left, right;
    mpq_inits(x, y, left, right, NULL);
    const int rows[4][3] = {{1, 0, u}, {3, 2, v}, {1, 0, v}, {3, 2, u}};
    for (int i = 0; i < 4; i++) {
        mpq_set_d(x, q->at[rows[i][0]][rows[i][2]]);
        mpq_set_d(y, q->at[rows[i][1]][rows[i][2]]);
        mpq_sub(x, x, y);
        if (i % 2 == 0)
            mpq_set(i == 0 ? left : right, x);
        else
            mpq_mul(i == 1 ? left : right, i == 1 ? left : right, x);
    }
    const int sign = mpq_cmp(left, right);
    mpq_clears(x, y, left, right, NULL);
    return (sign > 0) - (sign < 0);
}

/* Of any two edges; in every other sample they are parallel but for rounding, often exactly. */
static void the_sign_of_a_cross_product_of_edges_is_exact(void **state) {
    (void)state;
    rng r = rng_start("cross", 207);
    long zeros = 0;
    for (int kind = 0; kind < QUAD_KINDS; kind++)
        for (int i = 0; i < samples(2000, 500000); i++) {
            quad q;
            quad_make(&r, kind, &q);
            const int axis = (int)rng_below(&r, 3);
            for (int k = 0; k < 3 && i % 2; k++) q.at[3][k] = q.at[2][k] + 2 * (q.at[1][k] - q.at[0][k]);
            if (kind == QUAD_ANY_SIZE || kind == QUAD_FLAT_ANY_SIZE)
                for (int k = 0; k < 3; k++)
                    if (fabs(q.at[3][k]) > 1e100 || fabs(q.at[3][k]) < 0x1p-305) q.at[3][k] = 0;
            const int sign =
                cm__cross_sign(axis, quad_point(&q, 0), quad_point(&q, 1), quad_point(&q, 2), quad_point(&q, 3));
            const int truth = oracle_cross(&q, axis);
            check_that(sign == truth, "axis %d: %d, truth %d: %s", axis, sign, truth, quad_text(&q));
            zeros += truth == 0;
        }
    check_that(zeros > 1000, "only %ld of the samples were parallel", zeros);
}

/* d sees a, b, c counter-clockwise from above. */
static void signs_mean_what_the_header_says(void **state) {
    (void)state;
    cm__point o = cm__p(0, 0, 0), x = cm__p(1, 0, 0), y = cm__p(0, 1, 0), z = cm__p(0, 0, 1);
    assert_int_equal(cm__orient3(o, x, y, z), 1);
    assert_int_equal(cm__orient3(o, y, x, z), -1);
    assert_int_equal(cm__orient3_along(o, x, y, z), 1);
    assert_int_equal(cm__orient2_along(2, o, x, y), 1);
    assert_int_equal(cm__orient2_along(0, o, y, z), 1);
    assert_int_equal(cm__orient2_along(1, o, z, x), 1);
}

/* --- closed meshes ------------------------------------------------------------------------------------------- */

typedef struct closed_mesh {
    double corners[9 * 64];
    uint32_t triangles;
} closed_mesh;

static void closed_add(closed_mesh *m, double p[][3], const int (*faces)[3], int count, bool flip) {
    for (int f = 0; f < count; f++) {
        for (int k = 0; k < 3; k++) memcpy(m->corners + 9 * m->triangles + 3 * k, p[faces[f][flip ? 2 - k : k]], 24);
        m->triangles++;
    }
}

/* Tetrahedra, boxes and octahedra with corners on a small grid: folded, flat and pierced ones included. Closed all the
 * same, and full of rays through edges and corners. */
static void closed_make(rng *r, closed_mesh *m) {
    static const int tetrahedron[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    static const int octahedron[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                         {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    static const int box[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    m->triangles = 0;
    int parts = 1 + (int)rng_below(r, 3);
    for (int part = 0; part < parts; part++) {
        double p[8][3];
        uint32_t shape = rng_below(r, 3);
        bool flip = rng_below(r, 3) == 0;
        for (int i = 0; i < 24; i++) p[i / 3][i % 3] = (double)rng_below(r, 7) - 3;
        if (shape == 2)
            for (int i = 0; i < 8; i++)
                for (int k = 0; k < 3; k++) p[i][k] = i >> k & 1 ? p[7][k] : p[0][k];
        if (shape == 0) closed_add(m, p, tetrahedron, 4, flip);
        if (shape == 1) closed_add(m, p, octahedron, 8, flip);
        if (shape == 2) closed_add(m, p, box, 12, flip);
    }
}

static cm__point corner(const closed_mesh *m, uint32_t t, int k) {
    const double *c = m->corners + 9 * t + 3 * k;
    return cm__p(c[0], c[1], c[2]);
}

static void winding_of_closed_meshes_is_exact(void **state) {
    (void)state;
    rng r = rng_start("winding", 205);
    mpq_t square;
    mpq_init(square);
    long on_surface = 0, inside = 0;
    const int count = samples(6000, 500000);
    for (int i = 0; i < count; i++) {
        closed_mesh m;
        closed_make(&r, &m);
        double p[3];
        for (int k = 0; k < 3; k++) p[k] = ((double)rng_below(&r, 13) - 6) / (rng_below(&r, 2) ? 4 : 2);
        cm__point x = cm__p(p[0], p[1], p[2]);
        int sum = 0;
        bool on = false, truly_on = false;
        for (uint32_t t = 0; t < m.triangles; t++) {
            sum += cm__winding_triangle(x, corner(&m, t, 0), corner(&m, t, 1), corner(&m, t, 2));
            on = on || cm__point_on_triangle(x, corner(&m, t, 0), corner(&m, t, 1), corner(&m, t, 2));
            oracle_point_triangle(square, p, (const double(*)[3])(m.corners + 9 * t));
            truly_on = truly_on || mpq_sgn(square) == 0;
        }
        check_that(on == truly_on, "on the surface: %d, truth %d, sample %d", on, truly_on, i);
        on_surface += on;
        if (on) continue;
        int truth = oracle_winding(p, m.corners, m.triangles);
        check_that(sum == truth, "winding %d, truth %d, sample %d", sum, truth, i);
        inside += truth != 0;
    }
    check_that(60 * on_surface > count && 20 * inside > count, "%ld on the surface, %ld inside", on_surface, inside);
    mpq_clear(square);
}

/* The unit cube, from points in line with its corners, edges and faces. */
static void winding_survives_rays_along_edges_and_faces(void **state) {
    (void)state;
    static const int box[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    closed_mesh m = {.triangles = 0};
    double p[8][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) p[i][k] = i >> k & 1;
    closed_add(&m, p, box, 12, false);
    for (int i = 0; i < 5 * 5 * 5; i++) { /* coordinates -1/2 0 1/2 1 3/2: inside only the middle one */
        cm__point x = cm__p(i % 5 * 0.5 - 0.5, i / 5 % 5 * 0.5 - 0.5, i / 25 * 0.5 - 0.5);
        int sum = 0;
        bool on = false;
        for (uint32_t t = 0; t < 12; t++) {
            sum += cm__winding_triangle(x, corner(&m, t, 0), corner(&m, t, 1), corner(&m, t, 2));
            on = on || cm__point_on_triangle(x, corner(&m, t, 0), corner(&m, t, 1), corner(&m, t, 2));
        }
        bool within = cm__point_largest(cm__point_sub(x, cm__p(0.5, 0.5, 0.5))) <= 0.5, middle = i == 62;
        check_that(on == (within && !middle), "(%g %g %g): on the surface %d", x.x, x.y, x.z, on);
        if (!on) check_that(sum == (middle ? 1 : 0), "(%g %g %g): winding %d", x.x, x.y, x.z, sum);
    }
}

/* Random degenerate and other triangles, points on their grid. */
static void point_on_triangle_is_exact(void **state) {
    (void)state;
    rng r = rng_start("point on triangle", 206);
    mpq_t square;
    mpq_init(square);
    long on = 0;
    for (int kind = 0; kind < PAIR_KINDS; kind++)
        for (int i = 0; i < samples(2000, 100000); i++) {
            cm_vec3 a[3], b[3];
            triangle_pair(&r, kind, -20, 20, a, b);
            double p[3], t[3][3];
            point_doubles(a[0], p);
            triangle_doubles(b, t);
            oracle_point_triangle(square, p, (const double(*)[3])t);
            bool truth = mpq_sgn(square) == 0;
            bool got =
                cm__point_on_triangle(cm__point_of(a[0]), cm__point_of(b[0]), cm__point_of(b[1]), cm__point_of(b[2]));
            check_that(got == truth, "%s: %d, truth %d", triangle_pair_name(kind), got, truth);
            oracle_point_segment(square, p, (const double(*)[3])t);
            truth = mpq_sgn(square) == 0;
            got = cm__point_on_segment(cm__point_of(a[0]), cm__point_of(b[0]), cm__point_of(b[1]));
            check_that(got == truth, "%s: on segment %d, truth %d", triangle_pair_name(kind), got, truth);
            on += truth;
        }
    check_that(on > 100, "only %ld points lay on a segment", on);
    mpq_clear(square);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orient3_is_exact),
        cmocka_unit_test(side_of_a_direction_is_exact),
        cmocka_unit_test(orient2_is_exact_along_every_axis),
        cmocka_unit_test(the_sign_of_a_cross_product_of_edges_is_exact),
        cmocka_unit_test(value_of_orient3_is_right_to_40_bits),
        cmocka_unit_test(signs_mean_what_the_header_says),
        cmocka_unit_test(winding_of_closed_meshes_is_exact),
        cmocka_unit_test(winding_survives_rays_along_edges_and_faces),
        cmocka_unit_test(point_on_triangle_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
