/* The 15 axes of two boxes, in A's frame.
 *
 * There A's axes are unit vectors, the columns of R are B's axes, t is B's center. The gaps:
 *   A's face i:    |t_i| - (a_i + sum_j b_j |R_ij|)
 *   B's face j:    |t.B_j| - (b_j + sum_i a_i |R_ij|)
 *   edges i x j:   n = e_i x B_j has the entries 0, -R_lj, R_kj, exactly; |t.n| - sum a |n| - sum_m b_m |B_m.n|
 * Positive separates. B_m.n is +-R_i(other) for a rotation; that identity only holds to an ulp, which the length of n
 * divides, so nearly parallel edges take the dot products instead: n's own entries are exact, and perpendicular to e_i.
 * Rounding: below 16 ulps of double of |t| + |a| + |b|.
 * Based on: [Gottschalk96], [Ericson05 §4.4.1]. */
#ifndef PAIR_BOX_AXES_H
#define PAIR_BOX_AXES_H

#include "base/bits.h"
#include "math/two.h"
#include "shape/polytope.h"

/* Rows of four, read as two vectors of two; the last number of each row is 0. */
typedef struct box_pair {
    double r[3][4], abs[3][4]; /* r[i][j] = A_i . B_j */
    double t[4], a[4], b[4];
} box_pair;

static inline void box_pair_row(box_pair *p, int i, f64x2 xy, double z) {
    f64x2 last = f64x2_of(z, 0);
    f64x2_store(p->r[i], xy), f64x2_store(p->r[i] + 2, last);
    f64x2_store(p->abs[i], f64x2_abs(xy)), f64x2_store(p->abs[i] + 2, f64x2_abs(last));
}

static inline void box_pair_sizes(box_pair *p, cm__point t, cm__point a, cm__point b) {
    f64x2_store(p->t, f64x2_of(t.x, t.y)), f64x2_store(p->t + 2, f64x2_of(t.z, 0));
    f64x2_store(p->a, f64x2_of(a.x, a.y)), f64x2_store(p->a + 2, f64x2_of(a.z, 0));
    f64x2_store(p->b, f64x2_of(b.x, b.y)), f64x2_store(p->b + 2, f64x2_of(b.z, 0));
}

static inline void box_pair_set(const cm__frame *b_in_a, cm__point half_a, cm__point half_b, box_pair *p) {
    const cm__frame *m = b_in_a;
    box_pair_row(p, 0, f64x2_of(m->x.x, m->y.x), m->z.x);
    box_pair_row(p, 1, f64x2_of(m->x.y, m->y.y), m->z.y);
    box_pair_row(p, 2, f64x2_of(m->x.z, m->y.z), m->z.z);
    box_pair_sizes(p, b_in_a->position, half_a, half_b);
}

/* The same, of B's matrix as two_mat3_from_quat has it, and B's position. */
static inline void box_pair_of_turn(const two_mat3 *m, cm__point at, cm__point half_a, cm__point half_b, box_pair *p) {
    box_pair_row(p, 0, m->x, f64x2_low(m->z_xy));
    box_pair_row(p, 1, m->y, f64x2_high(m->z_xy));
    box_pair_row(p, 2, m->z, m->z_z);
    box_pair_sizes(p, at, half_a, half_b);
}

/* The pair whose rotations are given, the boxes `between` apart: the same numbers as by frame_of_quat of both and
 * products of those, A's matrix and B's side by side. Keeps the axes of both: axis, coordinate, box. */
static inline void box_pair_of_quats(const cm_quat *a, const cm_quat *b, cm__point between, cm__point half_a,
                                     cm__point half_b, double axes[3][3][2], box_pair *p) {
    f64x2 q[4], one = f64x2_all(1);
    two_side_by_side(&a->x, &b->x, q);
    f64x2 x = q[0], y = q[1], z = q[2], w = q[3];
    f64x2 s = f64x2_div(f64x2_all(2), f64x2_add(f64x2_add(f64x2_add(f64x2_mul(x, x), f64x2_mul(y, y)), f64x2_mul(z, z)),
                                                f64x2_mul(w, w)));
    f64x2 xs = f64x2_mul(x, s), ys = f64x2_mul(y, s), zs = f64x2_mul(z, s);
    f64x2 xx = f64x2_mul(x, xs), yy = f64x2_mul(y, ys), zz = f64x2_mul(z, zs);
    f64x2 xy = f64x2_mul(x, ys), xz = f64x2_mul(x, zs), yz = f64x2_mul(y, zs);
    f64x2 wx = f64x2_mul(w, xs), wy = f64x2_mul(w, ys), wz = f64x2_mul(w, zs);
    /* column, row */
    const f64x2 m[3][3] = {{f64x2_sub(one, f64x2_add(yy, zz)), f64x2_add(xy, wz), f64x2_sub(xz, wy)},
                           {f64x2_sub(xy, wz), f64x2_sub(one, f64x2_add(xx, zz)), f64x2_add(yz, wx)},
                           {f64x2_add(xz, wy), f64x2_sub(yz, wx), f64x2_sub(one, f64x2_add(xx, yy))}};
    f64x2 bx = f64x2_highs(m[0][0], m[1][0]), by = f64x2_highs(m[0][1], m[1][1]), bz = f64x2_highs(m[0][2], m[1][2]);
    double t[3];
    for (int i = 0; i < 3; i++) {
        f64x2 ax = f64x2_lows(m[i][0], m[i][0]), ay = f64x2_lows(m[i][1], m[i][1]), az = f64x2_lows(m[i][2], m[i][2]);
        double c = f64x2_low(ax) * f64x2_high(m[2][0]) + f64x2_low(ay) * f64x2_high(m[2][1]) +
                   f64x2_low(az) * f64x2_high(m[2][2]);
        box_pair_row(p, i, f64x2_add(f64x2_add(f64x2_mul(ax, bx), f64x2_mul(ay, by)), f64x2_mul(az, bz)), c);
        t[i] = f64x2_low(ax) * between.x + f64x2_low(ay) * between.y + f64x2_low(az) * between.z;
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) f64x2_store(axes[i][k], m[i][k]);
    box_pair_sizes(p, cm__p(t[0], t[1], t[2]), half_a, half_b);
}

static const int box_next[3] = {1, 2, 0}, box_last[3] = {2, 0, 1}; /* the axes after and before one, around */

/* --- the axes: each gives its signed gap -------------------------------------------------------------------------- */

static inline double box_face_a(const box_pair *p, int i) {
    return fabs(p->t[i]) - (p->a[i] + (p->b[0] * p->abs[i][0] + p->b[1] * p->abs[i][1] + p->b[2] * p->abs[i][2]));
}

static inline double box_face_b(const box_pair *p, int j) {
    double along = p->t[0] * p->r[0][j] + p->t[1] * p->r[1][j] + p->t[2] * p->r[2][j];
    return fabs(along) - (p->b[j] + (p->a[0] * p->abs[0][j] + p->a[1] * p->abs[1][j] + p->a[2] * p->abs[2][j]));
}

/* Square of the sine between e_i and B_j, without cancellation. */
static inline double box_edge_square(const box_pair *p, int i, int j) {
    int k = box_next[i], l = box_last[i];
    return p->r[k][j] * p->r[k][j] + p->r[l][j] * p->r[l][j];
}

/* The gap along n = e_i x B_j times `scale`, from exact entries. */
static inline double box_edge_careful(const box_pair *p, int i, int j, double scale) {
    int k = box_next[i], l = box_last[i];
    double nk = -p->r[l][j] * scale, nl = p->r[k][j] * scale;
    double gap = fabs(p->t[k] * nk + p->t[l] * nl) - (p->a[k] * fabs(nk) + p->a[l] * fabs(nl));
    for (int m = 0; m < 3; m++)
        if (m != j) gap -= p->b[m] * fabs(p->r[k][m] * nk + p->r[l][m] * nl);
    return gap;
}

#define BOX_PARALLEL 1e-2 /* squared sine below which the identity's rounding would show */

/* The same, unscaled: only its sign counts. */
static inline double box_edge_fast(const box_pair *p, int i, int j) {
    int k = box_next[i], l = box_last[i], m = box_next[j], n = box_last[j];
    double along = fabs(p->t[l] * p->r[k][j] - p->t[k] * p->r[l][j]);
    return along -
           (p->a[k] * p->abs[l][j] + p->a[l] * p->abs[k][j] + (p->b[m] * p->abs[i][n] + p->b[n] * p->abs[i][m]));
}

#define BOX_TWO(from, at) f64x2_of((from)[at], (from)[(at) + 1])
/* A row, rounded to float. */
static inline f32x4 box_floats(const double x[4]) { return f32x4_of_f64(BOX_TWO(x, 0), BOX_TWO(x, 2)); }

/* The unit axis of kind 0 (A's face i), 1 (B's face j), 2 (edges), toward B. */
static inline cm__point box_axis_normal(const box_pair *p, int kind, int at_i, int at_j) {
    static const double units[5] = {0, 0, 1, 0, 0};
    double n[3];
    if (kind == 0) {
        for (int i = 0; i < 3; i++) n[i] = units[2 - at_i + i];
    } else if (kind == 1) {
        for (int i = 0; i < 3; i++) n[i] = p->r[i][at_j];
    } else {
        int k = box_next[at_i], l = box_last[at_i];
        double scale = 1 / sqrt(box_edge_square(p, at_i, at_j));
        n[at_i] = 0, n[k] = -p->r[l][at_j] * scale, n[l] = p->r[k][at_j] * scale;
    }
    double sign = 2 * (double)(p->t[0] * n[0] + p->t[1] * n[1] + p->t[2] * n[2] >= 0) - 1; /* without a jump */
    return cm__p(sign * n[0], sign * n[1], sign * n[2]);
}

/* The axis of the widest gap: unit, from A to B, in A's frame. A cross product of edges is taken only where its gap is
 * wider than the faces' by more than rounding, else parallel boxes would flicker between equal axes. An axis that alone
 * separates the boxes is always taken. */
typedef struct box_axis {
    int kind, i, j; /* 0: A's face i; 1: B's face j; 2: A's edges i and B's edges j */
} box_axis;

/* The sizes that rounding scales with. */
static inline double box_pair_size(const box_pair *p) {
    return fabs(p->t[0]) + fabs(p->t[1]) + fabs(p->t[2]) + p->a[0] + p->a[1] + p->a[2] + p->b[0] + p->b[1] + p->b[2];
}
/* By how much the gap along a cross product of edges must exceed that of the faces: four times what either rounds. */
static inline double box_pair_favor(const box_pair *p) { return 16 * DBL_EPSILON * box_pair_size(p); }

/* Tries the cross product of edges i and j: where its gap is wider than *best, it becomes *best. */
static inline bool box_edge_wider(const box_pair *p, int i, int j, double favor, double *best) {
    double square = box_edge_square(p, i, j), gap;
    if (square > BOX_PARALLEL) {
        gap = box_edge_fast(p, i, j);
        /* overlapping: dividing by the sine makes it deeper still, so no root is taken for an axis that cannot win */
        if (gap <= 0 && (*best > 0 || gap * gap >= *best * *best * square)) return false;
        gap /= sqrt(square);
    } else if (square > 0x1p-200) {
        gap = box_edge_careful(p, i, j, 1 / sqrt(square));
    } else {
        return false;
    }
    if (!(gap > *best + favor || (gap > 0 && *best <= 0))) return false;
    *best = gap;
    return true;
}

/* The widest gap along the normals of faces. */
static inline double box_pair_faces(const box_pair *p) {
    double best = -DBL_MAX;
    for (int i = 0; i < 3; i++) best = cm__most(best, cm__most(box_face_a(p, i), box_face_b(p, i)));
    return best;
}

/* `limit`: a gap beyond it ends the search, with that gap and nothing else. */
static inline double box_pair_axis(const box_pair *p, double limit, cm__point *normal, box_axis *axis) {
    double best = -DBL_MAX;
    int kind = 0, at_i = 0, at_j = 0;
    *normal = cm__p(1, 0, 0);
    axis->kind = axis->i = axis->j = 0;
    for (int i = 0; i < 3; i++) {
        double gap = box_face_a(p, i);
        if (gap > best) best = gap, kind = 0, at_i = i;
    }
    if (best > limit) return best;
    for (int j = 0; j < 3; j++) {
        double gap = box_face_b(p, j);
        if (gap > best) best = gap, kind = 1, at_j = j;
    }
    if (best > limit) return best;
    double favor = box_pair_favor(p);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (box_edge_wider(p, i, j, favor, &best)) kind = 2, at_i = i, at_j = j;
            if (best > limit) return best;
        }
    }
    *normal = box_axis_normal(p, kind, at_i, at_j);
    axis->kind = kind, axis->i = at_i, axis->j = at_j;
    return best;
}

/* What the floating-point filter (box_filter.h) knows of a pair, before the axes are computed in double. */
typedef struct box_filter {
    bool apart, meet; /* certain; neither: the filter cannot tell */
    bool known;       /* either */
    bool sure;        /* certain in either order of A and B: by more than the rounding of the relative pose */
    double gap;       /* where sure and apart: a lower bound of the gap */
    unsigned faces;   /* faces that may have the widest gap: bit i: A's face i, bit 3 + j: B's face j */
    unsigned edges;   /* pairs of edges whose gap may be wider, or that may separate the boxes: bit 3 i + j */
} box_filter;

/* box_pair_axis for boxes that the filter does not know to be apart, restricted to the axes that the filter left; the
 * result has the same bits. A gap > 0 ends the search: then only the gap is returned. */
static inline double box_pair_depth(const box_pair *p, const box_filter *filter, cm__point *normal, box_axis *axis) {
    double best = -DBL_MAX;
    int kind = 0, at_i = 0, at_j = 0;
    for (unsigned left = filter->faces; left; left &= left - 1) {
        int face = bits_lowest(left);
        const int of_b = face > 2, i = face * !of_b, j = (face - 3) * of_b;
        const double gaps[2] = {box_face_a(p, i), box_face_b(p, j)}; /* both: no jump could be foreseen */
        if (gaps[of_b] > best) best = gaps[of_b], kind = of_b, at_i = i, at_j = j;
    }
    if (best > 0) return best;
    double favor = box_pair_favor(p);
    for (unsigned left = filter->edges; left; left &= left - 1) {
        int at = bits_lowest(left), i = (at > 2) + (at > 5), j = at - 3 * i;
        if (box_edge_wider(p, i, j, favor, &best)) kind = 2, at_i = i, at_j = j;
        if (best > 0) return best;
    }
    *normal = box_axis_normal(p, kind, at_i, at_j);
    axis->kind = kind, axis->i = at_i, axis->j = at_j;
    return best;
}

#endif
