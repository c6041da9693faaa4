/* Closest points of two boxes that are apart: of a corner and a box, or of two edges that cross.
 *
 * The search for the nearest pair runs in float, four candidates at a time: first all 16 corners against the other box,
 * then for each of the nine pairs of edge directions the two edges that face each other along the cross product. The
 * pair found is measured in double, with the formulas of polytope.c. It is the answer only where the direction from
 * point to point proves it: along that direction no points of the boxes are nearer, within 8 roundings of the
 * coordinates. So candidates that float cannot distinguish cost a second search, never exactness. Frame: A's. Bound: 25
 * candidates, of which two are measured. */
#include "pair/box_nearest.h"
#include "math/closest.h"

/* The pair in float, its sizes divided by their sum: no square leaves the range. Rows of the matrix of B's axes. */
typedef struct nearest_floats {
    f32x4 row[3], t, a, b;
} nearest_floats;

static inline f32x4 nearest_scaled(const double x[4], f64x2 scale) {
    return f32x4_of_f64(f64x2_mul(BOX_TWO(x, 0), scale), f64x2_mul(BOX_TWO(x, 2), scale));
}
static inline void nearest_floats_of(const box_pair *p, double size, nearest_floats *out) {
    const f64x2 scale = f64x2_all(1 / size);
    for (int i = 0; i < 3; i++) out->row[i] = box_floats(p->r[i]);
    out->t = nearest_scaled(p->t, scale), out->a = nearest_scaled(p->a, scale), out->b = nearest_scaled(p->b, scale);
}

/* Writes a candidate's number into the last bits of its squared distance, so that the minimum also says which candidate
 * it is. */
static inline f32x4 nearest_named(f32x4 square, u32x4 name) {
    return f32x4_bits_of_u32x4(u32x4_or(u32x4_and(u32x4_bits_of_f32x4(square), u32x4_all(~15u)), name));
}
static inline unsigned nearest_name(f32x4 named) {
    named = f32x4_min(named, f32x4_pick(named, 1, 0, 3, 2));
    named = f32x4_min(named, f32x4_pick(named, 2, 3, 0, 1));
    const float least = f32x4_first(named);
    uint32_t bits;
    memcpy(&bits, &least, sizeof bits);
    return bits & 15;
}

/* Squares of the distances of eight corners from a box of half sizes h around the origin: corners at +- the three
 * vectors' sum from `middle`, all given by coordinate. Lane i, and 4 + i in the second: + where bit k of i is set. */
static inline void nearest_corners(f32x4 middle[3], f32x4 along[3][3], f32x4 h, f32x4 square[2]) {
    const f32x4 x = f32x4_of(-1, 1, -1, 1), y = f32x4_of(-1, -1, 1, 1), zero = f32x4_all(0);
    const f32x4 half[3] = {f32x4_lane(h, 0), f32x4_lane(h, 1), f32x4_lane(h, 2)};
    square[0] = square[1] = zero;
    for (int k = 0; k < 3; k++) {
        const f32x4 at = f32x4_add(middle[k], f32x4_add(f32x4_mul(x, along[0][k]), f32x4_mul(y, along[1][k])));
        const f32x4 out[2] = {f32x4_sub(at, along[2][k]), f32x4_add(at, along[2][k])};
        for (int n = 0; n < 2; n++) {
            const f32x4 beyond = f32x4_max(f32x4_sub(f32x4_abs(out[n]), half[k]), zero);
            square[n] = f32x4_add(square[n], f32x4_mul(beyond, beyond));
        }
    }
}

/* The corner nearest to the other box: of B, or 8 + that of A; numbered as in cm__polytope. */
static inline unsigned nearest_corner(const nearest_floats *f) {
    f32x4 middle[3], along[3][3], of_b[2], of_a[2];
    const f32x4 t[3] = {f32x4_lane(f->t, 0), f32x4_lane(f->t, 1), f32x4_lane(f->t, 2)};
    for (int k = 0; k < 3; k++) {
        const f32x4 reach = f32x4_mul(f->b, f->row[k]);
        middle[k] = t[k];
        along[0][k] = f32x4_lane(reach, 0), along[1][k] = f32x4_lane(reach, 1), along[2][k] = f32x4_lane(reach, 2);
    }
    nearest_corners(middle, along, f->a, of_b);
    const f32x4 back =
        f32x4_add(f32x4_add(f32x4_mul(t[0], f->row[0]), f32x4_mul(t[1], f->row[1])), f32x4_mul(t[2], f->row[2]));
    const f32x4 from = f32x4_sub(f32x4_all(0), back);
    middle[0] = f32x4_lane(from, 0), middle[1] = f32x4_lane(from, 1), middle[2] = f32x4_lane(from, 2);
    const f32x4 a[3] = {f32x4_lane(f->a, 0), f32x4_lane(f->a, 1), f32x4_lane(f->a, 2)};
    for (int i = 0; i < 3; i++) {
        const f32x4 reach = f32x4_mul(a[i], f->row[i]);
        along[i][0] = f32x4_lane(reach, 0), along[i][1] = f32x4_lane(reach, 1), along[i][2] = f32x4_lane(reach, 2);
    }
    nearest_corners(middle, along, f->b, of_a);
    const f32x4 b_least =
        f32x4_min(nearest_named(of_b[0], u32x4_of(0, 1, 2, 3)), nearest_named(of_b[1], u32x4_of(4, 5, 6, 7)));
    const f32x4 a_least =
        f32x4_min(nearest_named(of_a[0], u32x4_of(8, 9, 10, 11)), nearest_named(of_a[1], u32x4_of(12, 13, 14, 15)));
    return nearest_name(f32x4_min(b_least, a_least));
}

/* Squares of the distances of A's edges along i from B's along j = 0, 1, 2, in lanes: of either box the edge that is
 * the farthest along the product of the directions, toward the other box. */
static inline f32x4 nearest_edges_along(const nearest_floats *f, int i) {
    const int k = (i + 1) % 3, l = (i + 2) % 3;
    const f32x4 c = f->row[i], rk = f->row[k], rl = f->row[l], minus = f32x4_all(-0.0f);
    const f32x4 t[3] = {f32x4_lane(f->t, 0), f32x4_lane(f->t, 1), f32x4_lane(f->t, 2)};
    const f32x4 a[3] = {f32x4_lane(f->a, 0), f32x4_lane(f->a, 1), f32x4_lane(f->a, 2)};
    const f32x4 toward = f32x4_sub(f32x4_mul(t[l], rk), f32x4_mul(t[k], rl)); /* the product has 0, -rl, rk */
    const f32x4 of_k = f32x4_signed(a[k], f32x4_flip(f32x4_flip(rl, minus), f32x4_signed(f32x4_all(0), toward)));
    const f32x4 of_l = f32x4_signed(a[l], f32x4_flip(rk, f32x4_signed(f32x4_all(0), toward)));
    f32x4 next[3], last[3], w[3];
    for (int n = 0; n < 3; n++) {
        next[n] = f32x4_pick(f->row[n], 1, 2, 0, 3), last[n] = f32x4_pick(f->row[n], 2, 0, 1, 3);
    }
    /* along the product, B's next axis has last[i], and the one after it -next[i] */
    const f32x4 turned = f32x4_signed(f32x4_all(0), toward);
    const f32x4 of_next = f32x4_signed(f32x4_pick(f->b, 1, 2, 0, 3), f32x4_flip(f32x4_flip(last[i], minus), turned));
    const f32x4 of_last = f32x4_signed(f32x4_pick(f->b, 2, 0, 1, 3), f32x4_flip(next[i], turned));
    for (int n = 0; n < 3; n++)
        w[n] = f32x4_add(t[n], f32x4_add(f32x4_mul(of_next, next[n]), f32x4_mul(of_last, last[n])));
    w[k] = f32x4_sub(w[k], of_k), w[l] = f32x4_sub(w[l], of_l); /* from A's edge's middle to that of B's */
    const f32x4 across = f32x4_add(f32x4_mul(w[k], rk), f32x4_mul(w[l], rl));
    const f32x4 sine = f32x4_max(f32x4_add(f32x4_mul(rk, rk), f32x4_mul(rl, rl)), f32x4_all(1e-12f));
    const f32x4 low_a = f32x4_sub(f32x4_all(0), a[i]), low_b = f32x4_sub(f32x4_all(0), f->b);
    f32x4 u = f32x4_sub(w[i], f32x4_div(f32x4_mul(c, across), sine));
    u = f32x4_min(f32x4_max(u, low_a), a[i]);
    f32x4 v = f32x4_sub(f32x4_mul(c, f32x4_sub(u, w[i])), across);
    v = f32x4_min(f32x4_max(v, low_b), f->b);
    u = f32x4_min(f32x4_max(f32x4_add(w[i], f32x4_mul(v, c)), low_a), a[i]);
    const f32x4 gi = f32x4_sub(f32x4_add(w[i], f32x4_mul(v, c)), u);
    const f32x4 gk = f32x4_add(w[k], f32x4_mul(v, rk)), gl = f32x4_add(w[l], f32x4_mul(v, rl));
    return f32x4_add(f32x4_add(f32x4_mul(gi, gi), f32x4_mul(gk, gk)), f32x4_mul(gl, gl));
}

/* The edges nearest to each other: 4 i + j. */
static inline unsigned nearest_edges(const nearest_floats *f) {
    const f32x4 none = f32x4_of(0, 0, 0, 1e30f);
    f32x4 least = f32x4_all(FLT_MAX);
    for (unsigned i = 0; i < 3; i++) {
        const f32x4 square = f32x4_add(nearest_edges_along(f, (int)i), none);
        least = f32x4_min(least, nearest_named(square, u32x4_of(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3)));
    }
    return nearest_name(least);
}

/* --- in double ---------------------------------------------------------------------------------------------------- */

static inline cm__point box_b_axis(const box_pair *p, int j) { return cm__p(p->r[0][j], p->r[1][j], p->r[2][j]); }

/* Corner i of the box around `center`: +half along axis k where bit k is set. */
static inline cm__point box_a_corner(const box_pair *p, unsigned i) {
    return cm__p(i & 1 ? p->a[0] : -p->a[0], i & 2 ? p->a[1] : -p->a[1], i & 4 ? p->a[2] : -p->a[2]);
}
static inline cm__point box_b_corner(const box_pair *p, unsigned i) {
    cm__point q = cm__p(p->t[0], p->t[1], p->t[2]);
    for (int k = 0; k < 3; k++) q = cm__point_mul_add(q, i >> k & 1 ? p->b[k] : -p->b[k], box_b_axis(p, k));
    return q;
}

static inline double box_clamp(double x, double half) { return cm__least(cm__most(x, -half), half); }

/* Closest points, and the vector from A's to B's. */
typedef struct box_points {
    cm__point a, b, gap;
} box_points;

static inline void nearest_of_corner(const box_pair *p, unsigned corner, box_points *out) {
    if (corner < 8) {
        const cm__point q = box_b_corner(p, corner);
        out->a = cm__p(box_clamp(q.x, p->a[0]), box_clamp(q.y, p->a[1]), box_clamp(q.z, p->a[2]));
        out->b = q;
    } else {
        const cm__point q = box_a_corner(p, corner), center = cm__p(p->t[0], p->t[1], p->t[2]);
        const cm__point from = cm__point_sub(q, center);
        out->a = q, out->b = center;
        for (int k = 0; k < 3; k++) {
            const cm__point axis = box_b_axis(p, k);
            out->b = cm__point_mul_add(out->b, box_clamp(cm__point_dot(from, axis), p->b[k]), axis);
        }
    }
    out->gap = cm__point_sub(out->b, out->a);
}

static inline void nearest_of_edges(const box_pair *p, int i, int j, box_points *out) {
    const int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
    const double toward = p->t[l] * p->r[k][j] - p->t[k] * p->r[l][j];
    const double side = toward < 0 ? -1 : 1;
    const unsigned a = (unsigned)(-p->r[l][j] * side > 0) << k | (unsigned)(p->r[k][j] * side > 0) << l;
    const unsigned b = (unsigned)(-p->r[i][n] * side > 0) << m | (unsigned)(p->r[i][m] * side > 0) << n;
    const cm__closest c = cm__closest_segment_segment(box_a_corner(p, a), box_a_corner(p, a | 1u << i),
                                                      box_b_corner(p, b), box_b_corner(p, b | 1u << j));
    out->a = c.a, out->b = c.b, out->gap = c.gap;
}

/* The gap, if the direction between the points proves that no others are nearer. */
static inline bool nearest_proves(const box_pair *p, const box_points *n, cm__gap *out) {
    const cm__point t = cm__p(p->t[0], p->t[1], p->t[2]), half = cm__p(p->a[0], p->a[1], p->a[2]);
    const double scale = cm__point_largest(n->a) + cm__point_largest(half) + cm__point_largest(t) +
                         cm__point_largest(box_b_corner(p, 0));
    const double square = cm__point_dot(n->gap, n->gap), length = sqrt(square);
    if (!(length > gap_noise(scale) && square > GAP_SQUARE_LEAST && square < GAP_SQUARE_MOST)) return false;
    const cm__point normal = cm__point_scale(n->gap, 1 / length);
    double reach = p->a[0] * fabs(normal.x) + p->a[1] * fabs(normal.y) + p->a[2] * fabs(normal.z);
    for (int k = 0; k < 3; k++) reach += p->b[k] * fabs(cm__point_dot(box_b_axis(p, k), normal));
    if (!(length <= cm__point_dot(t, normal) - reach + 8 * DBL_EPSILON * scale)) return false;
    out->a = n->a, out->b = n->b;
    out->normal = normal;
    out->distance = length;
    return true;
}

bool cm__boxes_nearest(const box_pair *p, cm__gap *out) {
    const double size = box_pair_size(p);
    if (!(size > 1e-200 && size < 1e200)) return false; /* squares leave the range */
    nearest_floats f;
    box_points n;
    nearest_floats_of(p, size, &f);
    nearest_of_corner(p, nearest_corner(&f), &n);
    if (nearest_proves(p, &n, out)) return true;
    const unsigned edges = nearest_edges(&f);
    nearest_of_edges(p, (int)(edges >> 2), (int)(edges & 3), &n);
    return nearest_proves(p, &n, out);
}

void cm__boxes_nearest_corner(const box_pair *p, cm__point *on_a) {
    double least = HUGE_VAL;
    for (unsigned i = 0; i < 16; i++) {
        box_points n;
        nearest_of_corner(p, i, &n);
        const double length = cm__point_length(n.gap);
        if (!(length < least)) continue;
        least = length;
        *on_a = n.a;
    }
}
