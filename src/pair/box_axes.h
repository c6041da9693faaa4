/* The 15 axes of two boxes, in A's frame.
 *
 * There A's axes are unit vectors, the columns of R are B's axes, t is B's center. The gaps:
 *   A's face i:    |t_i| - (a_i + sum_j b_j |R_ij|)
 *   B's face j:    |t.B_j| - (b_j + sum_i a_i |R_ij|)
 *   edges i x j:   n = e_i x B_j has the entries 0, -R_lj, R_kj, exactly; |t.n| - sum a |n| - sum_m b_m |B_m.n|
 * Positive separates. B_m.n is +-R_i(other) for a rotation; that identity only holds to an ulp, which the length of n
 * divides, so nearly parallel edges take the dot products instead: n's own entries are exact, and square to e_i.
 * Rounding: below 16 ulps of double of |t| + |a| + |b|.
 * Based on: [Gottschalk96], [Ericson05 §4.4.1]. */
#ifndef PAIR_BOX_AXES_H
#define PAIR_BOX_AXES_H

#include "shape/polytope.h"

typedef struct box_pair {
    double r[3][3], abs[3][3]; /* r[i][j] = A_i . B_j */
    double t[3], a[3], b[3];
} box_pair;

static inline void box_pair_set(const cm__wide_pose *b_in_a, cm__point half_a, cm__point half_b, box_pair *p) {
    const cm__wide_mat3 *m = &b_in_a->turn;
    const double r[3][3] = {{m->x.x, m->y.x, m->z.x}, {m->x.y, m->y.y, m->z.y}, {m->x.z, m->y.z, m->z.z}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) p->r[i][j] = r[i][j], p->abs[i][j] = fabs(r[i][j]);
    p->t[0] = b_in_a->position.x, p->t[1] = b_in_a->position.y, p->t[2] = b_in_a->position.z;
    p->a[0] = half_a.x, p->a[1] = half_a.y, p->a[2] = half_a.z;
    p->b[0] = half_b.x, p->b[1] = half_b.y, p->b[2] = half_b.z;
}

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
    int k = (i + 1) % 3, l = (i + 2) % 3;
    return p->r[k][j] * p->r[k][j] + p->r[l][j] * p->r[l][j];
}

/* The gap along n = e_i x B_j times `scale`, from exact entries. */
static inline double box_edge_careful(const box_pair *p, int i, int j, double scale) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    double nk = -p->r[l][j] * scale, nl = p->r[k][j] * scale;
    double gap = fabs(p->t[k] * nk + p->t[l] * nl) - (p->a[k] * fabs(nk) + p->a[l] * fabs(nl));
    for (int m = 0; m < 3; m++)
        if (m != j) gap -= p->b[m] * fabs(p->r[k][m] * nk + p->r[l][m] * nl);
    return gap;
}

#define BOX_PARALLEL 1e-2 /* squared sine below which the identity's rounding would show */

/* The same, unscaled: only its sign counts. */
static inline double box_edge_fast(const box_pair *p, int i, int j) {
    int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
    double along = fabs(p->t[l] * p->r[k][j] - p->t[k] * p->r[l][j]);
    return along -
           (p->a[k] * p->abs[l][j] + p->a[l] * p->abs[k][j] + (p->b[m] * p->abs[i][n] + p->b[n] * p->abs[i][m]));
}

/* The unit axis of kind 0 (A's face i), 1 (B's face j), 2 (edges), toward B. */
static inline cm__point box_axis_normal(const box_pair *p, int kind, int at_i, int at_j) {
    double n[3] = {0, 0, 0};
    if (kind == 0) {
        n[at_i] = 1;
    } else if (kind == 1) {
        for (int i = 0; i < 3; i++) n[i] = p->r[i][at_j];
    } else {
        int k = (at_i + 1) % 3, l = (at_i + 2) % 3;
        double scale = 1 / sqrt(box_edge_square(p, at_i, at_j));
        n[k] = -p->r[l][at_j] * scale, n[l] = p->r[k][at_j] * scale;
    }
    double sign = p->t[0] * n[0] + p->t[1] * n[1] + p->t[2] * n[2] >= 0 ? 1 : -1;
    return cm__p(sign * n[0], sign * n[1], sign * n[2]);
}

/* The widest gap and its axis, unit, from A to B, in A's frame. A product of edges must gain more than rounding over
 * the faces, or parallel boxes would flicker between equal axes; but one that separates alone always counts. */
typedef struct box_axis {
    int kind, i, j; /* 0: A's face i; 1: B's face j; 2: A's edges i and B's edges j */
} box_axis;

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
    double size =
        fabs(p->t[0]) + fabs(p->t[1]) + fabs(p->t[2]) + p->a[0] + p->a[1] + p->a[2] + p->b[0] + p->b[1] + p->b[2];
    double favor = 16 * DBL_EPSILON * size;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double square = box_edge_square(p, i, j), gap;
            if (square > BOX_PARALLEL) {
                gap = box_edge_fast(p, i, j);
                /* overlapping: scaled by 1 / sine it is deeper still; no root for what cannot win */
                if (gap <= 0 && (best > 0 || gap * gap >= best * best * square)) continue;
                gap /= sqrt(square);
            } else if (square > 0x1p-200) {
                gap = box_edge_careful(p, i, j, 1 / sqrt(square));
            } else {
                continue;
            }
            if (gap > best + favor || (gap > 0 && best <= 0)) best = gap, kind = 2, at_i = i, at_j = j;
            if (best > limit) return best;
        }
    }
    *normal = box_axis_normal(p, kind, at_i, at_j);
    axis->kind = kind, axis->i = at_i, axis->j = at_j;
    return best;
}

#endif
