/* Exact signs of orientation determinants by expansions, for what the filter in the header leaves open. */
#include "math/exact.h"

/* --- arithmetic without error -------------------------------------------------------------------------------- */

/* An expansion is an array of doubles, smallest first, that do not overlap (no two have bits of the same value) and
 * sum to the number meant; zeros are left out. Its largest component has its sign. [Shewchuk97 §2] */

typedef struct exact_two {
    double high, low; /* high + low is the number, high its rounding */
} exact_two;

static exact_two exact_sum(double a, double b) {
    exact_two r;
    r.high = a + b;
    double b_part = r.high - a, a_part = r.high - b_part;
    r.low = (a - a_part) + (b - b_part);
    return r;
}
static exact_two exact_difference(double a, double b) { return exact_sum(a, -b); }
/* The upper 26 bits and the rest. */
static exact_two exact_split(double a) {
    exact_two r;
    double c = 134217729.0 * a; /* 2^27 + 1 */
    r.high = c - (c - a);
    r.low = a - r.high;
    return r;
}
static exact_two exact_product(double a, double b) {
    exact_two r, x = exact_split(a), y = exact_split(b);
    r.high = a * b;
    r.low = x.low * y.low - (((r.high - x.high * y.high) - x.low * y.high) - x.high * y.low);
    return r;
}

/* out = e + f; returns the length, at most m + n. out overlaps neither. Linear-expansion-sum [Shewchuk97 §2.4]: it
 * needs only that e and f do not overlap in themselves, where the fast one needs more than scaling leaves. */
static int expansion_add(const double *e, int m, const double *f, int n, double *out) {
    int i = 0, j = 0, length = 0;
    exact_two sum = {0, 0}; /* of what was merged so far; low is not yet given out */
    while (i < m || j < n) {
        double next = j == n || (i < m && fabs(e[i]) < fabs(f[j])) ? e[i++] : f[j++];
        exact_two carried = exact_sum(next, sum.low);
        if (carried.low != 0) out[length++] = carried.low;
        sum = exact_sum(sum.high, carried.high);
    }
    if (sum.low != 0) out[length++] = sum.low;
    if (sum.high != 0) out[length++] = sum.high;
    return length;
}
/* out = s e; returns the length, at most 2 m. Scale-expansion [Shewchuk97 §2.5]. */
static int expansion_scale(const double *e, int m, double s, double *out) {
    int length = 0;
    double carry = 0;
    for (int i = 0; i < m; i++) {
        exact_two product = exact_product(e[i], s), sum = exact_sum(carry, product.low);
        if (sum.low != 0) out[length++] = sum.low;
        sum = exact_sum(product.high, sum.high);
        if (sum.low != 0) out[length++] = sum.low;
        carry = sum.high;
    }
    if (carry != 0) out[length++] = carry;
    return length;
}
/* The number with a relative error below 2^-51, so with its sign. From the top: as soon as a sum is rounded, what was
 * rounded off is below u of it, and what follows is below the last bit of that. */
static double expansion_value(const double *e, int m) {
    double value = 0;
    for (int i = m - 1; i >= 0; i--) {
        exact_two sum = exact_sum(value, e[i]);
        value = sum.high;
        if (sum.low != 0) break;
    }
    return value;
}
/* out = a b - c d, at most 4 components. */
static int expansion_cross(double a, double b, double c, double d, double *out) {
    exact_two p = exact_product(a, b), q = exact_product(c, d);
    double e[2] = {p.low, p.high}, f[2] = {-q.low, -q.high};
    return expansion_add(e, 2, f, 2, out);
}

/* --- determinants of three rows ------------------------------------------------------------------------------ */

/* Rows of differences: high is the rounded difference, low its error, |low| <= 2^-53 |high|. */
typedef struct det_row {
    exact_two at[3];
} det_row;

static det_row det_row_of(const cm__point *from, const cm__point *to) {
    det_row r;
    r.at[0] = exact_difference(to->x, from->x);
    r.at[1] = exact_difference(to->y, from->y);
    r.at[2] = exact_difference(to->z, from->z);
    return r;
}
static bool det_row_is_exact(const det_row *r) { return r->at[0].low == 0 && r->at[1].low == 0 && r->at[2].low == 0; }

/* det(u, v, w) = sum over i of w_i (u_j v_k - u_k v_j), from the high parts alone, exactly: at most 24 components. */
static double det_of_highs(const det_row *u, const det_row *v, const det_row *w) {
    double minor[4], term[3][8], part[16], all[24];
    int length[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        int m = expansion_cross(u->at[j].high, v->at[k].high, u->at[k].high, v->at[j].high, minor);
        length[i] = expansion_scale(minor, m, w->at[i].high, term[i]);
    }
    int m = expansion_add(term[0], length[0], term[1], length[1], part);
    return expansion_value(all, expansion_add(part, m, term[2], length[2], all));
}

/* The products' absolute values, and the terms of first order in the lows. */
static double det_first_order(const det_row *u, const det_row *v, const det_row *w, double *sum) {
    double correction = 0;
    *sum = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double uj = u->at[j].high, uk = u->at[k].high, vj = v->at[j].high, vk = v->at[k].high, wi = w->at[i].high;
        double minor = uj * vk - uk * vj;
        double minor_low = (uj * v->at[k].low + u->at[j].low * vk) - (uk * v->at[j].low + u->at[k].low * vj);
        correction += minor * w->at[i].low + minor_low * wi;
        *sum += (fabs(uj * vk) + fabs(uk * vj)) * fabs(wi);
    }
    return correction;
}

/* out = e (s.high + s.low), at most 4 m components; e has at most 16. */
static int expansion_scale_two(const double *e, int m, exact_two s, double *out) {
    double low[32], high[32];
    int n_low = expansion_scale(e, m, s.low, low), n_high = expansion_scale(e, m, s.high, high);
    return expansion_add(low, n_low, high, n_high, out);
}
/* out = a b, at most 8 components. */
static int expansion_product_two(exact_two a, exact_two b, double *out) {
    double e[2];
    int m = 0;
    if (a.low != 0) e[m++] = a.low;
    if (a.high != 0) e[m++] = a.high;
    return expansion_scale_two(e, m, b, out);
}
static double det_of_all(const det_row *u, const det_row *v, const det_row *w) {
    double left[8], right[8], minor[16], term[64], sum[2][192];
    int length = 0, now = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        exact_two minus = {-u->at[k].high, -u->at[k].low};
        int m = expansion_product_two(u->at[j], v->at[k], left), n = expansion_product_two(minus, v->at[j], right);
        int size = expansion_add(left, m, right, n, minor);
        int added = expansion_scale_two(minor, size, w->at[i], term);
        length = expansion_add(sum[now], length, term, added, sum[1 - now]);
        now = 1 - now;
    }
    return expansion_value(sum[now], length);
}

/* det(u, v, w) with its sign right and, beyond that, a relative error below `relative` (1: the sign is enough).
 *
 * With U the sum of the products' absolute values, u = 2^-53: leaving out the terms of second and third order in the
 * lows costs (3 u² + u³) U. The first-order terms are at most 3 u U together; computing them, six products of products
 * and their sums, costs at most 16 u² U for the three and 6 u² U for adding them. Rounding the high part to double and
 * adding the correction cost 5 u of either: of the result, and 15 u² U more. 64 u² U + 8 u |det| covers all, and the
 * rounding of U. Where 64 u² U underflows, below 2^-973, the terms of second order are 0, being multiples of 2^-1071,
 * and the others exact. */
static double det_adaptive(const det_row *u, const det_row *v, const det_row *w, double relative) {
    double det = det_of_highs(u, v, w);
    if (det_row_is_exact(u) && det_row_is_exact(v) && det_row_is_exact(w)) return det;
    double sum, correction = det_first_order(u, v, w, &sum);
    det += correction;
    if (0x1p-100 * sum + 0x1p-50 * fabs(det) < relative * fabs(det)) return det;
    return det_of_all(u, v, w);
}

/* Which of the six pairs of four numbers are equal: a bit for each. */
static int exact_equals(double a, double b, double c, double d) {
    return (a == b) | (a == c) << 1 | (a == d) << 2 | (b == c) << 3 | (b == d) << 4 | (c == d) << 5;
}
/* Four points of which more than one pair is equal are two points, or one: two and two, or three and one. */
static bool exact_are_two(int equal) { return (equal & (equal - 1)) != 0; }

/* Do the coordinates that four points share show that they lie in one plane? What is built shares them: corners of one
 * mesh, or of two that lie upon each other, are the same, and a wall or a pipe along an axis has corners one behind the
 * other. Where two of the points are equal, or all four lie on two lines along an axis, a plane holds them. */
static bool exact_is_flat(const cm__point *a, const cm__point *b, const cm__point *c, const cm__point *d) {
    const int x = exact_equals(a->x, b->x, c->x, d->x), y = exact_equals(a->y, b->y, c->y, d->y);
    const int z = exact_equals(a->z, b->z, c->z, d->z);
    return (x & y & z) != 0 || exact_are_two(x & y) || exact_are_two(y & z) || exact_are_two(z & x);
}

int cm__orient3_exact(const cm__point *a, const cm__point *b, const cm__point *c, const cm__point *d) {
    if (exact_is_flat(a, b, c, d)) return 0;
    det_row u = det_row_of(a, b), v = det_row_of(a, c), w = det_row_of(a, d);
    return cm__sign(det_adaptive(&u, &v, &w, 1));
}

int cm__orient3_along_exact(const cm__point *a, const cm__point *b, const cm__point *c, const cm__point *direction) {
    static const cm__point origin = {0, 0, 0};
    det_row u = det_row_of(a, b), v = det_row_of(a, c), w = det_row_of(&origin, direction);
    return cm__sign(det_adaptive(&u, &v, &w, 1));
}

double cm__orient3_value(const cm__point *a, const cm__point *b, const cm__point *c, const cm__point *d) {
    cm__point u = cm__point_sub(*b, *a), v = cm__point_sub(*c, *a), w = cm__point_sub(*d, *a);
    double yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z, xy = u.x * v.y, yx = u.y * v.x;
    double det = (yz - zy) * w.x + (zx - xz) * w.y + (xy - yx) * w.z;
    double sum =
        (fabs(yz) + fabs(zy)) * fabs(w.x) + (fabs(zx) + fabs(xz)) * fabs(w.y) + (fabs(xy) + fabs(yx)) * fabs(w.z);
    if (CM__ORIENT3_ERROR * sum < 0x1p-41 * fabs(det) || sum == 0) return det;
    if (exact_is_flat(a, b, c, d)) return 0;
    det_row eu = det_row_of(a, b), ev = det_row_of(a, c), ew = det_row_of(a, d);
    return det_adaptive(&eu, &ev, &ew, 0x1p-41);
}

/* Sign of x y - z w. */
static int exact_cross_sign(exact_two x, exact_two y, exact_two z, exact_two w) {
    double left[8], right[8], det[16];
    exact_two minus = {-z.high, -z.low};
    int m = expansion_product_two(x, y, left), n = expansion_product_two(minus, w, right);
    return cm__sign(expansion_value(det, expansion_add(left, m, right, n, det)));
}

int cm__orient2_exact(double au, double av, double bu, double bv, double cu, double cv) {
    if (bu == cu && bv == cv) return 0; /* a corner that two triangles share; of a the filter has seen it */
    return exact_cross_sign(exact_difference(bu, au), exact_difference(cv, av), exact_difference(bv, av),
                            exact_difference(cu, au));
}

int cm__cross_sign(int axis, cm__point a, cm__point b, cm__point c, cm__point d) {
    const double au = cm__point_u(a, axis), av = cm__point_v(a, axis), bu = cm__point_u(b, axis);
    const double bv = cm__point_v(b, axis), cu = cm__point_u(c, axis), cv = cm__point_v(c, axis);
    const double du = cm__point_u(d, axis), dv = cm__point_v(d, axis);
    const double left = (bu - au) * (dv - cv), right = (bv - av) * (du - cu);
    const double det = left - right, bound = CM__ORIENT2_ERROR * (fabs(left) + fabs(right));
    if (det > bound) return 1;
    if (det < -bound) return -1;
    return exact_cross_sign(exact_difference(bu, au), exact_difference(dv, cv), exact_difference(bv, av),
                            exact_difference(du, cu));
}

/* --- triangles ----------------------------------------------------------------------------------------------- */

int cm__triangle_axis(cm__point a, cm__point b, cm__point c) {
    cm__point n = cm__point_normal(a, b, c);
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    int first = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    for (int i = 0; i < 3; i++) {
        int axis = (first + i) % 3;
        if (cm__orient2_along(axis, a, b, c) != 0) return axis;
    }
    return -1;
}

static bool exact_between(double x, double a, double b) { return (a <= x && x <= b) || (b <= x && x <= a); }

bool cm__point_on_segment(cm__point p, cm__point a, cm__point b) {
    if (!exact_between(p.x, a.x, b.x) || !exact_between(p.y, a.y, b.y) || !exact_between(p.z, a.z, b.z)) return false;
    return cm__triangle_axis(p, a, b) < 0;
}

bool cm__point_on_triangle(cm__point p, cm__point a, cm__point b, cm__point c) {
    if ((p.x < a.x && p.x < b.x && p.x < c.x) || (p.x > a.x && p.x > b.x && p.x > c.x)) return false;
    if ((p.y < a.y && p.y < b.y && p.y < c.y) || (p.y > a.y && p.y > b.y && p.y > c.y)) return false;
    if ((p.z < a.z && p.z < b.z && p.z < c.z) || (p.z > a.z && p.z > b.z && p.z > c.z)) return false;
    if (cm__orient3(a, b, c, p) != 0) return false;
    int axis = cm__triangle_axis(a, b, c);
    if (axis < 0)
        return cm__point_on_segment(p, a, b) || cm__point_on_segment(p, b, c) || cm__point_on_segment(p, c, a);
    int ab = cm__orient2_along(axis, a, b, p), bc = cm__orient2_along(axis, b, c, p);
    int ca = cm__orient2_along(axis, c, a, p);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

/* What the edge from a to b adds to the winding number, in the yz plane, around p + (e, e²): it counts where it crosses
 * the ray from there in direction +y. A corner at the height of p is below e²; an edge through p is passed by e. */
static int winding_edge(cm__point p, cm__point a, cm__point b) {
    bool a_above = a.z > p.z, b_above = b.z > p.z;
    if (a_above == b_above) return 0;
    int side = cm__orient2(a.y, a.z, b.y, b.z, p.y, p.z);
    if (b_above) return side > 0 ? 1 : 0;
    return side < 0 ? -1 : 0;
}

int cm__winding_triangle(cm__point p, cm__point a, cm__point b, cm__point c) {
    bool a_above = a.z > p.z, b_above = b.z > p.z, c_above = c.z > p.z;
    if (a_above == b_above && b_above == c_above) return 0;
    bool a_beyond = a.y > p.y, b_beyond = b.y > p.y, c_beyond = c.y > p.y;
    if (a_beyond == b_beyond && b_beyond == c_beyond) return 0;
    if (a.x < p.x && b.x < p.x && c.x < p.x) return 0;
    int winding = winding_edge(p, a, b) + winding_edge(p, b, c) + winding_edge(p, c, a);
    if (winding == 0) return 0;
    /* winding > 0: the normal's x is positive, and the triangle is ahead where p is behind it */
    return cm__orient3(a, b, c, p) == -winding ? winding : 0;
}
