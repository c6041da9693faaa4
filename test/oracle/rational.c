#include "oracle/rational.h"

#include <math.h>
#include <stdlib.h>

/* --- vectors of rationals ------------------------------------------------------------------------------------ */

typedef struct rat3 {
    mpq_t at[3];
} rat3;

static void rat3_init(rat3 *v) {
    for (int i = 0; i < 3; i++) mpq_init(v->at[i]);
}
static void rat3_clear(rat3 *v) {
    for (int i = 0; i < 3; i++) mpq_clear(v->at[i]);
}
static void rat3_sub(rat3 *out, const rat3 *a, const rat3 *b) {
    for (int i = 0; i < 3; i++) mpq_sub(out->at[i], a->at[i], b->at[i]);
}
/* out = a + t (b - a); out must be none of them */
static void rat3_between(rat3 *out, const rat3 *a, const rat3 *b, const mpq_t t) {
    for (int i = 0; i < 3; i++) {
        mpq_sub(out->at[i], b->at[i], a->at[i]);
        mpq_mul(out->at[i], out->at[i], t);
        mpq_add(out->at[i], out->at[i], a->at[i]);
    }
}
static void rat3_dot(mpq_t out, const rat3 *a, const rat3 *b) {
    mpq_t sum, product;
    mpq_inits(sum, product, NULL);
    for (int i = 0; i < 3; i++) {
        mpq_mul(product, a->at[i], b->at[i]);
        mpq_add(sum, sum, product);
    }
    mpq_set(out, sum);
    mpq_clears(sum, product, NULL);
}
/* out must be neither a nor b */
static void rat3_cross(rat3 *out, const rat3 *a, const rat3 *b) {
    mpq_t product;
    mpq_init(product);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        mpq_mul(out->at[i], a->at[j], b->at[k]);
        mpq_mul(product, a->at[k], b->at[j]);
        mpq_sub(out->at[i], out->at[i], product);
    }
    mpq_clear(product);
}
static void rat3_distance2(mpq_t out, const rat3 *a, const rat3 *b) {
    rat3 d;
    rat3_init(&d);
    rat3_sub(&d, a, b);
    rat3_dot(out, &d, &d);
    rat3_clear(&d);
}

/* Points as integers: all of them times 2^-exponent, which keeps GMP from taking common divisors of powers of two. */
static int common_exponent(const double *x, int count) {
    int least = 5000;
    for (int i = 0; i < count; i++) {
        int e;
        if (x[i] == 0) continue;
        frexp(x[i], &e);
        if (e - 53 < least) least = e - 53;
    }
    return least == 5000 ? 0 : least;
}
static void rat3_set(rat3 *out, const double *x, int exponent) {
    for (int i = 0; i < 3; i++) {
        mpq_set_d(out->at[i], x[i]);
        if (exponent > 0) mpq_div_2exp(out->at[i], out->at[i], (mp_bitcnt_t)exponent);
        if (exponent < 0) mpq_mul_2exp(out->at[i], out->at[i], (mp_bitcnt_t)-exponent);
    }
}
/* A squared length back to the scale of the input. */
static void square_unscale(mpq_t square, int exponent) {
    if (exponent > 0) mpq_mul_2exp(square, square, (mp_bitcnt_t)exponent * 2);
    if (exponent < 0) mpq_div_2exp(square, square, (mp_bitcnt_t)-exponent * 2);
}

/* --- signs --------------------------------------------------------------------------------------------------- */

/* ((b - a) x (c - a)) . (d - origin), exactly */
static void orient3(mpq_t out, const double a[3], const double b[3], const double c[3], const double d[3],
                    const double origin[3]) {
    rat3 ra, rb, rc, rd, ro, n;
    rat3 *all[] = {&ra, &rb, &rc, &rd, &ro, &n};
    for (int i = 0; i < 6; i++) rat3_init(all[i]);
    rat3_set(&ra, a, 0), rat3_set(&rb, b, 0), rat3_set(&rc, c, 0), rat3_set(&rd, d, 0), rat3_set(&ro, origin, 0);
    rat3_sub(&rb, &rb, &ra);
    rat3_sub(&rc, &rc, &ra);
    rat3_cross(&n, &rb, &rc);
    rat3_sub(&rd, &rd, &ro);
    rat3_dot(out, &n, &rd);
    for (int i = 0; i < 6; i++) rat3_clear(all[i]);
}

int oracle_orient3(const double a[3], const double b[3], const double c[3], const double d[3]) {
    mpq_t det;
    mpq_init(det);
    orient3(det, a, b, c, d, a);
    int sign = mpq_sgn(det);
    mpq_clear(det);
    return sign;
}

int oracle_side(const double a[3], const double b[3], const double c[3], const double d[3]) {
    static const double zero[3] = {0, 0, 0};
    mpq_t det;
    mpq_init(det);
    orient3(det, a, b, c, d, zero);
    int sign = mpq_sgn(det);
    mpq_clear(det);
    return sign;
}

double oracle_orient3_value(const double a[3], const double b[3], const double c[3], const double d[3]) {
    mpq_t det;
    mpq_init(det);
    orient3(det, a, b, c, d, a);
    double value = mpq_get_d(det);
    mpq_clear(det);
    return value;
}

int oracle_orient2(const double a[3], const double b[3], const double c[3], int axis) {
    double direction[3] = {0, 0, 0};
    direction[axis] = 1;
    return oracle_side(a, b, c, direction);
}

/* --- squared distances --------------------------------------------------------------------------------------- */

static void keep_smaller(mpq_t best, const mpq_t candidate) {
    if (mpq_cmp(candidate, best) < 0) mpq_set(best, candidate);
}
static bool within_01(const mpq_t t) { return mpq_sgn(t) >= 0 && mpq_cmp_ui(t, 1, 1) <= 0; }

static void point_segment(mpq_t square, const rat3 *p, const rat3 *s0, const rat3 *s1) {
    rat3 d, r, foot;
    mpq_t t, dd;
    rat3_init(&d), rat3_init(&r), rat3_init(&foot);
    mpq_inits(t, dd, NULL);
    rat3_sub(&d, s1, s0);
    rat3_sub(&r, p, s0);
    rat3_dot(t, &r, &d);
    rat3_dot(dd, &d, &d);
    if (mpq_sgn(t) <= 0) {
        rat3_distance2(square, p, s0);
    } else if (mpq_cmp(t, dd) >= 0) {
        rat3_distance2(square, p, s1);
    } else {
        mpq_div(t, t, dd);
        rat3_between(&foot, s0, s1, t);
        rat3_distance2(square, p, &foot);
    }
    rat3_clear(&d), rat3_clear(&r), rat3_clear(&foot);
    mpq_clears(t, dd, NULL);
}

/* The least over the four ends against the other segment, and over the two lines where their feet are inside. */
static void segment_segment(mpq_t square, const rat3 *s0, const rat3 *s1, const rat3 *t0, const rat3 *t1) {
    rat3 d, e, r, p, q;
    rat3 *all[] = {&d, &e, &r, &p, &q};
    mpq_t best, other, dd, ee, de, dr, er, det, u, v;
    for (int i = 0; i < 5; i++) rat3_init(all[i]);
    mpq_inits(best, other, dd, ee, de, dr, er, det, u, v, NULL);
    point_segment(best, s0, t0, t1);
    point_segment(other, s1, t0, t1);
    keep_smaller(best, other);
    point_segment(other, t0, s0, s1);
    keep_smaller(best, other);
    point_segment(other, t1, s0, s1);
    keep_smaller(best, other);
    rat3_sub(&d, s1, s0);
    rat3_sub(&e, t1, t0);
    rat3_sub(&r, t0, s0);
    rat3_dot(dd, &d, &d);
    rat3_dot(ee, &e, &e);
    rat3_dot(de, &d, &e);
    rat3_dot(dr, &d, &r);
    rat3_dot(er, &e, &r);
    mpq_mul(det, dd, ee);
    mpq_mul(u, de, de);
    mpq_sub(det, det, u);
    if (mpq_sgn(det) != 0) { /* u dd - v de = dr, u de - v ee = er, by Cramer */
        mpq_mul(u, dr, ee);
        mpq_mul(other, er, de);
        mpq_sub(u, u, other);
        mpq_div(u, u, det);
        mpq_mul(v, dr, de);
        mpq_mul(other, er, dd);
        mpq_sub(v, v, other);
        mpq_div(v, v, det);
        if (within_01(u) && within_01(v)) {
            rat3_between(&p, s0, s1, u);
            rat3_between(&q, t0, t1, v);
            rat3_distance2(other, &p, &q);
            keep_smaller(best, other);
        }
    }
    mpq_set(square, best);
    for (int i = 0; i < 5; i++) rat3_clear(all[i]);
    mpq_clears(best, other, dd, ee, de, dr, er, det, u, v, NULL);
}

/* Where p's foot on the plane of t is within t: true, and the squared distance to the plane. */
static bool point_face(mpq_t square, const rat3 *p, const rat3 t[3]) {
    rat3 e, f, n, r, g;
    rat3 *all[] = {&e, &f, &n, &r, &g};
    mpq_t nn, w;
    for (int i = 0; i < 5; i++) rat3_init(all[i]);
    mpq_inits(nn, w, NULL);
    rat3_sub(&e, &t[1], &t[0]);
    rat3_sub(&f, &t[2], &t[0]);
    rat3_cross(&n, &e, &f);
    rat3_dot(nn, &n, &n);
    bool inside = mpq_sgn(nn) != 0;
    for (int i = 0; i < 3 && inside; i++) {
        rat3_sub(&e, &t[(i + 1) % 3], &t[i]);
        rat3_sub(&r, p, &t[i]);
        rat3_cross(&g, &e, &r);
        rat3_dot(w, &g, &n);
        inside = mpq_sgn(w) >= 0;
    }
    if (inside) {
        rat3_sub(&r, p, &t[0]);
        rat3_dot(w, &r, &n);
        mpq_mul(w, w, w);
        mpq_div(square, w, nn);
    }
    for (int i = 0; i < 5; i++) rat3_clear(all[i]);
    mpq_clears(nn, w, NULL);
    return inside;
}

static void point_triangle(mpq_t square, const rat3 *p, const rat3 t[3]) {
    mpq_t best, other;
    mpq_inits(best, other, NULL);
    point_segment(best, p, &t[0], &t[1]);
    for (int i = 1; i < 3; i++) {
        point_segment(other, p, &t[i], &t[(i + 1) % 3]);
        keep_smaller(best, other);
    }
    if (point_face(other, p, t)) keep_smaller(best, other);
    mpq_set(square, best);
    mpq_clears(best, other, NULL);
}

/* The segment passes through the plane of t at one point, and that point is on t. The point goes to `at`, if given. */
static bool segment_pierces_at(const rat3 *s0, const rat3 *s1, const rat3 t[3], rat3 *at) {
    rat3 e, f, n, r, p;
    rat3 *all[] = {&e, &f, &n, &r, &p};
    mpq_t h0, h1, zero;
    for (int i = 0; i < 5; i++) rat3_init(all[i]);
    mpq_inits(h0, h1, zero, NULL);
    rat3_sub(&e, &t[1], &t[0]);
    rat3_sub(&f, &t[2], &t[0]);
    rat3_cross(&n, &e, &f);
    rat3_sub(&r, s0, &t[0]);
    rat3_dot(h0, &n, &r);
    rat3_sub(&r, s1, &t[0]);
    rat3_dot(h1, &n, &r);
    bool pierces = false;
    if (mpq_sgn(h0) * mpq_sgn(h1) <= 0 && !mpq_equal(h0, h1)) {
        mpq_sub(h1, h0, h1);
        mpq_div(h0, h0, h1);
        rat3_between(&p, s0, s1, h0);
        pierces = point_face(h1, &p, t);
        for (int i = 0; i < 3 && at; i++) mpq_set(at->at[i], p.at[i]);
    }
    for (int i = 0; i < 5; i++) rat3_clear(all[i]);
    mpq_clears(h0, h1, zero, NULL);
    return pierces;
}

static bool segment_pierces(const rat3 *s0, const rat3 *s1, const rat3 t[3]) {
    return segment_pierces_at(s0, s1, t, NULL);
}

/* Triangles share a point exactly where an edge of one shares a point with the other. */
static void triangle_triangle(mpq_t square, const rat3 a[3], const rat3 b[3]) {
    mpq_t best, other;
    mpq_inits(best, other, NULL);
    bool pierced = false;
    for (int i = 0; i < 3; i++) {
        pierced = pierced || segment_pierces(&a[i], &a[(i + 1) % 3], b);
        pierced = pierced || segment_pierces(&b[i], &b[(i + 1) % 3], a);
    }
    if (!pierced) point_triangle(best, &a[0], b);
    for (int i = 0; i < 3 && mpq_sgn(best) > 0; i++) {
        point_triangle(other, &a[i], b);
        keep_smaller(best, other);
        point_triangle(other, &b[i], a);
        keep_smaller(best, other);
        for (int j = 0; j < 3 && mpq_sgn(best) > 0; j++) {
            segment_segment(other, &a[i], &a[(i + 1) % 3], &b[j], &b[(j + 1) % 3]);
            keep_smaller(best, other);
        }
    }
    mpq_set(square, best);
    mpq_clears(best, other, NULL);
}

/* The points of two sets as integers, ready for one of the above; returns their exponent. */
static int load(rat3 *out, const double *x, int count_x, const double *y, int count_y) {
    double all[18];
    for (int i = 0; i < 3 * count_x; i++) all[i] = x[i];
    for (int i = 0; i < 3 * count_y; i++) all[3 * count_x + i] = y[i];
    int exponent = common_exponent(all, 3 * (count_x + count_y));
    for (int i = 0; i < count_x + count_y; i++) {
        rat3_init(&out[i]);
        rat3_set(&out[i], all + 3 * i, exponent);
    }
    return exponent;
}
static void unload(rat3 *points, int count) {
    for (int i = 0; i < count; i++) rat3_clear(&points[i]);
}

void oracle_point_segment(mpq_t square, const double p[3], const double s[2][3]) {
    rat3 v[3];
    int exponent = load(v, p, 1, s[0], 2);
    point_segment(square, &v[0], &v[1], &v[2]);
    square_unscale(square, exponent);
    unload(v, 3);
}
void oracle_segment_segment(mpq_t square, const double s[2][3], const double t[2][3]) {
    rat3 v[4];
    int exponent = load(v, s[0], 2, t[0], 2);
    segment_segment(square, &v[0], &v[1], &v[2], &v[3]);
    square_unscale(square, exponent);
    unload(v, 4);
}
void oracle_point_triangle(mpq_t square, const double p[3], const double t[3][3]) {
    rat3 v[4];
    int exponent = load(v, p, 1, t[0], 3);
    point_triangle(square, &v[0], v + 1);
    square_unscale(square, exponent);
    unload(v, 4);
}
void oracle_triangle_triangle(mpq_t square, const double a[3][3], const double b[3][3]) {
    rat3 v[6];
    int exponent = load(v, a[0], 3, b[0], 3);
    triangle_triangle(square, v, v + 3);
    square_unscale(square, exponent);
    unload(v, 6);
}
bool oracle_triangles_overlap(const double a[3][3], const double b[3][3]) {
    mpq_t square;
    mpq_init(square);
    oracle_triangle_triangle(square, a, b);
    bool overlap = mpq_sgn(square) == 0;
    mpq_clear(square);
    return overlap;
}

int oracle_crossing(const double a[3][3], const double b[3][3], double ends[2][3]) {
    rat3 v[6], at[6];
    mpq_t square, longest;
    mpq_inits(square, longest, NULL);
    int exponent = load(v, a[0], 3, b[0], 3), found = 0, from = 0, to = 0;
    for (int i = 0; i < 6; i++) rat3_init(&at[i]);
    for (int i = 0; i < 6; i++) {
        const rat3 *own = i < 3 ? v : v + 3, *other = i < 3 ? v + 3 : v;
        found += segment_pierces_at(&own[i % 3], &own[(i + 1) % 3], other, &at[found]);
    }
    for (int i = 0; i < found; i++)
        for (int j = i + 1; j < found; j++) {
            rat3_distance2(square, &at[i], &at[j]);
            if (mpq_cmp(square, longest) > 0) mpq_set(longest, square), from = i, to = j;
        }
    for (int i = 0; i < 3; i++) {
        ends[0][i] = ldexp(mpq_get_d(at[from].at[i]), exponent);
        ends[1][i] = ldexp(mpq_get_d(at[to].at[i]), exponent);
    }
    int count = found == 0 ? 0 : mpq_sgn(longest) > 0 ? 2 : 1;
    unload(v, 6);
    unload(at, 6);
    mpq_clears(square, longest, NULL);
    return count;
}

static void root(mpf_t out, const mpq_t square) {
    mpf_set_q(out, square);
    mpf_sqrt(out, out);
}
double oracle_distance_error(double value, const mpq_t square) {
    mpf_t exact, given;
    mpf_init2(exact, 320);
    mpf_init2(given, 320);
    root(exact, square);
    mpf_set_d(given, value);
    mpf_sub(given, given, exact);
    double error = mpf_get_d(given);
    mpf_clear(exact);
    mpf_clear(given);
    return error;
}
double oracle_sqrt(const mpq_t square) {
    mpf_t exact;
    mpf_init2(exact, 320);
    root(exact, square);
    double value = mpf_get_d(exact);
    mpf_clear(exact);
    return value;
}

/* --- winding ------------------------------------------------------------------------------------------------- */

/* Adds the crossings of the triangles with the ray p + t d, t > 0, by direction; false where the ray passes an edge. */
static bool ray_crossings(const double p[3], const double d[3], const double *corners, uint32_t triangles, int *sum) {
    *sum = 0;
    for (uint32_t i = 0; i < triangles; i++) {
        const double *t = corners + 9 * (size_t)i;
        int side[3];
        bool flat = true; /* no ray but one within its line meets a triangle without area */
        for (int k = 0; k < 3 && flat; k++) flat = oracle_orient2(t, t + 3, t + 6, k) == 0;
        if (flat) continue;
        for (int k = 0; k < 3; k++) side[k] = oracle_side(p, t + 3 * k, t + 3 * ((k + 1) % 3), d);
        bool all_positive = side[0] > 0 && side[1] > 0 && side[2] > 0;
        bool all_negative = side[0] < 0 && side[1] < 0 && side[2] < 0;
        if (all_positive || all_negative) {
            int along = all_positive ? 1 : -1;               /* leaves through the front, or enters there */
            int behind = oracle_orient3(t, t + 3, t + 6, p); /* p in front of the triangle: +1 */
            if (behind == 0) return false;
            if (behind == -along) *sum += along;
        } else if (side[0] >= 0 && side[1] >= 0 && side[2] >= 0) {
            return false;
        } else if (side[0] <= 0 && side[1] <= 0 && side[2] <= 0) {
            return false;
        }
    }
    return true;
}

int oracle_winding(const double p[3], const double *corners, uint32_t triangles) {
    uint64_t state = 88172645463325252u; /* xorshift, Marsaglia 2003 */
    for (int attempt = 0; attempt < 1000; attempt++) {
        double d[3];
        for (int i = 0; i < 3; i++) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            d[i] = (double)(int64_t)(state >> 40) - 8388608.0;
        }
        int sum;
        if (ray_crossings(p, d, corners, triangles, &sum)) return sum;
    }
    abort(); /* p lies on the mesh */
}

/* --- corners that move straight ---------------------------------------------------------------------------------- */

void oracle_paths_square(mpq_t square, const oracle_paths *paths, double u) {
    const int a = paths->count_a, b = paths->count_b;
    rat3 at[4], start, end;
    mpq_t time;
    mpq_init(time);
    mpq_set_d(time, u);
    rat3_init(&start), rat3_init(&end);
    for (int i = 0; i < a + b; i++) {
        rat3_init(&at[i]);
        rat3_set(&start, paths->start[i], 0);
        rat3_set(&end, paths->end[i], 0);
        rat3_between(&at[i], &start, &end, time);
    }
    if (a == 2 && b == 2) segment_segment(square, &at[0], &at[1], &at[2], &at[3]);
    if (a == 1 && b == 3) point_triangle(square, &at[0], &at[1]);
    if (a == 1 && b == 2) point_segment(square, &at[0], &at[1], &at[2]);
    if (a == 1 && b == 1) rat3_distance2(square, &at[0], &at[1]);
    rat3_clear(&start), rat3_clear(&end);
    unload(at, a + b);
    mpq_clear(time);
}

/* How fast any two points of A and B can approach, rounded up. */
static double paths_speed(const oracle_paths *paths) {
    double most = 0;
    for (int i = 0; i < paths->count_a; i++)
        for (int j = paths->count_a; j < paths->count_a + paths->count_b; j++) {
            double square = 0;
            for (int k = 0; k < 3; k++) {
                const double move = paths->end[j][k] - paths->start[j][k] - (paths->end[i][k] - paths->start[i][k]);
                square += move * move;
            }
            most = square > most ? square : most;
        }
    double size = 0;
    for (int i = 0; i < paths->count_a + paths->count_b; i++)
        for (int k = 0; k < 3; k++) size = fmax(size, fmax(fabs(paths->start[i][k]), fabs(paths->end[i][k])));
    return sqrt(most) * (1 + 1e-12) + 1e-14 * size;
}

static bool paths_free(const oracle_paths *paths, double d, double speed, double from, double to, int *left) {
    if (--*left < 0) return false;
    const double middle = from + (to - from) / 2;
    mpq_t square, room;
    mpq_inits(square, room, NULL);
    oracle_paths_square(square, paths, middle);
    mpq_set_d(room, (d + speed * fmax(to - middle, middle - from)) * (1 + 1e-15));
    mpq_mul(room, room, room);
    const bool clear = mpq_cmp(square, room) > 0;
    mpq_clears(square, room, NULL);
    if (clear) return true;
    if (!(middle > from && middle < to)) return false;
    return paths_free(paths, d, speed, from, middle, left) && paths_free(paths, d, speed, middle, to, left);
}

bool oracle_paths_free(const oracle_paths *paths, double d, double u) {
    int left = 1 << 14;
    return u <= 0 || paths_free(paths, d, paths_speed(paths), 0, u, &left);
}
