/* What two triangles have in common where a plane does not tell: corners within the other, and crossings of edges. */
#include "pair/triangle_flat.h"

static bool flat_less(cm__point a, cm__point b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    return a.z < b.z;
}

cm__point cm__triangle_plane_crossing(const cm__point t[3], cm__point p, cm__point q) {
    if (flat_less(q, p)) {
        cm__point keep = p;
        p = q, q = keep;
    }
    double at_p = fabs(cm__orient3_value(&t[0], &t[1], &t[2], &p)),
           at_q = fabs(cm__orient3_value(&t[0], &t[1], &t[2], &q));
    return cm__point_between(p, q, cm__ratio01(at_p, at_p + at_q));
}

static void flat_add(cm__triangle_common *out, cm__point p, int edge) {
    out->point[out->count] = p;
    out->edge[out->count] = (uint8_t)edge;
    out->count++;
}

/* --- in one plane -------------------------------------------------------------------------------------------- */

/* An axis along which the common plane, or line, of all six corners projects without folding: any that does will do. */
static int flat_axis(const cm__point a[3], const cm__point b[3]) {
    const cm__point p[6] = {a[0], a[1], a[2], b[0], b[1], b[2]};
    int axis = cm__triangle_axis(a[0], a[1], a[2]);
    if (axis >= 0) return axis;
    axis = cm__triangle_axis(b[0], b[1], b[2]);
    if (axis >= 0) return axis;
    int other = 0; /* two different points, then a third beside their line */
    while (other < 5 && cm__point_equal(p[other], p[0])) other++;
    for (int i = 1; i < 6; i++) {
        axis = cm__triangle_axis(p[0], p[other], p[i]);
        if (axis >= 0) return axis;
    }
    cm__point d = cm__point_sub(p[other], p[0]); /* all on one line: keep a coordinate in which it runs */
    return d.x != 0 ? 2 : d.y != 0 ? 0 : 1;
}

/* The corner p and the edge from a to b, projected: on their line (side 0) and between them. (One coordinate in which
 * the edge runs would do; and an end of it is an end of the next edge too.) */
static bool flat_on_edge(int axis, int side, cm__point p, cm__point a, cm__point b) {
    if (side != 0) return false;
    double pu = cm__point_u(p, axis), au = cm__point_u(a, axis), bu = cm__point_u(b, axis);
    double pv = cm__point_v(p, axis), av = cm__point_v(a, axis), bv = cm__point_v(b, axis);
    return ((au <= pu && pu <= bu) || (bu <= pu && pu <= au)) && ((av <= pv && pv <= bv) || (bv <= pv && pv <= av));
}

/* Corners of p on the triangle t; side[i][k] of corner k relative to edge i of t. A corner on one edge's line and
 * inside the two others is on that edge. */
static bool flat_corners(int axis, const cm__point t[3], const int side[3][3], const cm__point p[3], int edge,
                         cm__triangle_common *out) {
    bool found = false;
    for (int k = 0; k < 3; k++) {
        bool on = (side[0][k] > 0 && side[1][k] > 0 && side[2][k] > 0) ||
                  (side[0][k] < 0 && side[1][k] < 0 && side[2][k] < 0);
        for (int i = 0; i < 3 && !on; i++) on = flat_on_edge(axis, side[i][k], p[k], t[i], t[(i + 1) % 3]);
        if (!on) continue;
        if (!out) return true;
        flat_add(out, p[k], edge + k);
        found = true;
    }
    return found;
}

/* Where edges cross properly. */
static cm__point flat_edge_crossing(int axis, cm__point a0, cm__point a1, cm__point b0, cm__point b1) {
    double du = cm__point_u(b1, axis) - cm__point_u(b0, axis), dv = cm__point_v(b1, axis) - cm__point_v(b0, axis);
    cm__point p = cm__point_sub(a0, b0), q = cm__point_sub(a1, b0);
    double at_0 = fabs(du * cm__point_v(p, axis) - dv * cm__point_u(p, axis));
    double at_1 = fabs(du * cm__point_v(q, axis) - dv * cm__point_u(q, axis));
    return cm__point_between(a0, a1, cm__ratio01(at_0, at_0 + at_1));
}

/* Two triangles in one plane share a point where a corner of one is on the other, or edges cross. Edges that meet in a
 * corner have been found by it: a crossing there would be the same point again. */
static bool flat_coplanar(const cm__point a[3], const cm__point b[3], cm__triangle_common *out) {
    int axis = flat_axis(a, b), side_a[3][3], side_b[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            side_a[i][k] = cm__orient2_along(axis, a[i], a[(i + 1) % 3], b[k]);
            side_b[i][k] = cm__orient2_along(axis, b[i], b[(i + 1) % 3], a[k]);
        }
    if (out) out->coplanar = true;
    bool found = flat_corners(axis, b, (const int(*)[3])side_b, a, 0, out);
    if (found && !out) return true;
    found = flat_corners(axis, a, (const int(*)[3])side_a, b, 3, out) || found;
    if (found && !out) return true;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int i1 = (i + 1) % 3, k1 = (k + 1) % 3;
            if (side_a[i][k] * side_a[i][k1] >= 0 || side_b[k][i] * side_b[k][i1] >= 0) continue;
            if (!out) return true;
            flat_add(out, flat_edge_crossing(axis, a[i], a[i1], b[k], b[k1]), i);
            found = true;
        }
    return found;
}

/* --- without area -------------------------------------------------------------------------------------------- */

/* The two corners between which the third lies, of a triangle without area; of two that coincide either. */
static void flat_ends(const cm__point t[3], int *first, int *last) {
    cm__point d = cm__point_sub(t[1], t[0]), e = cm__point_sub(t[2], t[0]);
    int i = d.x != 0 || e.x != 0 ? 0 : d.y != 0 || e.y != 0 ? 1 : 2;
    double x[3]; /* along a coordinate in which they differ, if they do */
    for (int k = 0; k < 3; k++) x[k] = i == 0 ? t[k].x : i == 1 ? t[k].y : t[k].z;
    *first = x[0] <= x[1] ? (x[0] <= x[2] ? 0 : 2) : (x[1] <= x[2] ? 1 : 2);
    *last = x[0] > x[1] ? (x[0] > x[2] ? 0 : 2) : (x[1] > x[2] ? 1 : 2);
}
/* The number of the edge between two corners. */
static int flat_edge_between(int i, int j) { return (i + 1) % 3 == j ? i : j; }

/* A segment, being triangle s, and a triangle t with area. */
static bool flat_segment(const cm__point t[3], const cm__point s[3], int edge_of_s, cm__triangle_common *out,
                         bool *coplanar) {
    int first, last;
    flat_ends(s, &first, &last);
    cm__point p = s[first], q = s[last];
    int side_p = cm__orient3(t[0], t[1], t[2], p), side_q = cm__orient3(t[0], t[1], t[2], q);
    *coplanar = side_p == 0 && side_q == 0;
    if (side_p * side_q > 0 || *coplanar) return false;
    int around[3];
    for (int i = 0; i < 3; i++) around[i] = cm__orient3(p, q, t[i], t[(i + 1) % 3]);
    bool within =
        (around[0] >= 0 && around[1] >= 0 && around[2] >= 0) || (around[0] <= 0 && around[1] <= 0 && around[2] <= 0);
    if (within && out) flat_add(out, cm__triangle_plane_crossing(t, p, q), edge_of_s + flat_edge_between(first, last));
    return within;
}

bool cm__triangles_flat(const cm__point a[3], const cm__point b[3], cm__triangle_common *out) {
    bool area_a = !cm__triangle_is_degenerate(a[0], a[1], a[2]), area_b = !cm__triangle_is_degenerate(b[0], b[1], b[2]);
    if (out) out->count = 0, out->coplanar = false;
    bool coplanar = true;
    if (area_a && !area_b) {
        if (flat_segment(a, b, 3, out, &coplanar)) return true;
    } else if (area_b && !area_a) {
        if (flat_segment(b, a, 0, out, &coplanar)) return true;
    } else if (!area_a && !area_b) {
        int a0, a1, b0, b1;
        flat_ends(a, &a0, &a1);
        flat_ends(b, &b0, &b1);
        coplanar = cm__orient3(a[a0], a[a1], b[b0], b[b1]) == 0;
    }
    return coplanar && flat_coplanar(a, b, out);
}
