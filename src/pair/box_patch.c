/* Where two boxes touch across a face, or where two of their edges cross: the contact of box_box.c, quickly.
 *
 * In the frame of the reference face (A's frame for a face of A; for a face of B the pair is turned round) the face is
 * a rectangle |u| <= a_u, |v| <= a_v, and the face of the other box that looks at it most squarely is cut by its four
 * sides, one coordinate at a time; what is closer than the margin to the face's plane is kept. At most 8 points.
 * Based on: [Gregorius13], [Sutherland74]. */
#include "pair/box_axes.h"
#include "math/closest.h"
#include "pair/box_patch.h"

typedef struct cut_corner {
    double x[3];      /* along u, v, and the reference's normal axis */
    uint32_t feature; /* of the other box, or CUT_CORNER */
    uint32_t line;    /* the one that the edge behind it runs along: 0..3 the other's own, 4 + side */
} cut_corner;

#define CUT_CORNER UINT32_MAX /* made by cutting: named by the two lines that meet there */

/* Keeps what lies within sign * x[k] <= limit. */
static int cut_by_side(const cut_corner *in, int count, int k, double sign, double limit, uint32_t side,
                       cut_corner *out) {
    int n = 0;
    for (int i = 0; i < count; i++) {
        const cut_corner *from = &in[i], *to = &in[i + 1 < count ? i + 1 : 0];
        double d0 = sign * from->x[k] - limit, d1 = sign * to->x[k] - limit;
        if (d0 <= 0) out[n++] = *from;
        if ((d0 <= 0) == (d1 <= 0)) continue;
        double t = d0 / (d0 - d1);
        for (int m = 0; m < 3; m++) out[n].x[m] = from->x[m] + t * (to->x[m] - from->x[m]);
        out[n].feature = CUT_CORNER;
        out[n++].line = d0 <= 0 ? 4 + side : from->line;
    }
    return n;
}

/* The incident face of B for A's face `axis` on side `sign`: its corners in A's frame, as u, v, axis. */
static void incident_face(const box_pair *p, int axis, double sign, cut_corner out[4]) {
    int face = p->abs[axis][0] >= p->abs[axis][1] && p->abs[axis][0] >= p->abs[axis][2] ? 0
               : p->abs[axis][1] >= p->abs[axis][2]                                     ? 1
                                                                                        : 2;
    double toward = p->r[axis][face] * sign > 0 ? -p->b[face] : p->b[face];
    int m = (face + 1) % 3, n = (face + 2) % 3;
    const int order[3] = {(axis + 1) % 3, (axis + 2) % 3, axis};
    static const double round[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int c = 0; c < 4; c++) {
        uint32_t corner =
            (toward > 0 ? 1u << face : 0) | (round[c][0] > 0 ? 1u << m : 0) | (round[c][1] > 0 ? 1u << n : 0);
        out[c].feature = corner;
        out[c].line = (uint32_t)c;
        for (int k = 0; k < 3; k++) {
            int i = order[k];
            out[c].x[k] = p->t[i] + toward * p->r[i][face] + round[c][0] * p->b[m] * p->r[i][m] +
                          round[c][1] * p->b[n] * p->r[i][n];
        }
    }
}

/* No line bounds the cut face twice, so no two corners have the same two. `whole` is the face before it was cut. */
static uint32_t cut_name(const cut_corner *whole, const cut_corner *before, const cut_corner *corner) {
    if (corner->feature != CUT_CORNER) return corner->feature;
    uint32_t x = before->line, y = corner->line, low = x < y ? x : y, high = x < y ? y : x;
    if (low >= 4) return 1024 + (low - 4) * 4 + (high - 4);
    uint32_t f = whole[low].feature, g = whole[(low + 1) & 3].feature;
    return 16 + (f < g ? f * 64 + g * 4 : g * 64 + f * 4) + (high >= 4 ? high - 4 : 0);
}

int cm__box_face_patch(const box_pair *p, int axis, double sign, double margin, cm__box_point out[8]) {
    cut_corner whole[4], a[12], b[12];
    int u = (axis + 1) % 3, v = (axis + 2) % 3, count = 4;
    incident_face(p, axis, sign, whole);
    count = cut_by_side(whole, count, 0, 1, p->a[u], 0, b);
    count = cut_by_side(b, count, 0, -1, p->a[u], 1, a);
    count = cut_by_side(a, count, 1, 1, p->a[v], 2, b);
    count = cut_by_side(b, count, 1, -1, p->a[v], 3, a);
    int kept = 0;
    for (int i = 0; i < count && kept < 8; i++) {
        double gap = sign * a[i].x[2] - p->a[axis];
        if (!(gap <= margin)) continue;
        double at[3];
        at[u] = a[i].x[0], at[v] = a[i].x[1], at[axis] = a[i].x[2];
        out[kept].point = cm__p(at[0], at[1], at[2]);
        out[kept].gap = gap;
        out[kept++].feature = cut_name(whole, &a[i > 0 ? i - 1 : count - 1], &a[i]);
    }
    return kept;
}

void cm__box_edges_cross(const box_pair *p, int i, int j, cm__point normal, cm__point *on_a, cm__point *on_b) {
    const double n[3] = {normal.x, normal.y, normal.z};
    double mid[3], end[3];
    cm__point from_a, to_a, from_b, to_b;
    for (int k = 0; k < 3; k++) mid[k] = k == i ? 0 : n[k] > 0 ? p->a[k] : -p->a[k];
    for (int k = 0; k < 3; k++) end[k] = k == i ? p->a[k] : 0;
    from_a = cm__p(mid[0] - end[0], mid[1] - end[1], mid[2] - end[2]);
    to_a = cm__p(mid[0] + end[0], mid[1] + end[1], mid[2] + end[2]);
    for (int k = 0; k < 3; k++) mid[k] = p->t[k], end[k] = p->r[k][j] * p->b[j];
    for (int m = 0; m < 3; m++) {
        if (m == j) continue;
        double along = p->r[0][m] * n[0] + p->r[1][m] * n[1] + p->r[2][m] * n[2];
        double s = along > 0 ? -p->b[m] : p->b[m];
        for (int k = 0; k < 3; k++) mid[k] += s * p->r[k][m];
    }
    from_b = cm__p(mid[0] - end[0], mid[1] - end[1], mid[2] - end[2]);
    to_b = cm__p(mid[0] + end[0], mid[1] + end[1], mid[2] + end[2]);
    cm__closest c = cm__closest_segment_segment(from_a, to_a, from_b, to_b);
    *on_a = c.a;
    *on_b = c.b;
}

box_pair cm__box_pair_flipped(const box_pair *p) {
    box_pair f;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) f.r[i][j] = p->r[j][i], f.abs[i][j] = p->abs[j][i];
        f.t[i] = -(p->t[0] * p->r[0][i] + p->t[1] * p->r[1][i] + p->t[2] * p->r[2][i]);
        f.a[i] = p->b[i], f.b[i] = p->a[i];
    }
    return f;
}
