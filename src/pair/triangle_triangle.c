/* Overlap and crossing of two triangles. Guarantees and bounds: triangle_triangle.h.
 *
 * The three corners of one on one side of the other's plane part them. Otherwise each meets the line L that the two
 * planes share in an interval, and they overlap where the intervals do. The ends of an interval are where two edges
 * from one corner, alone on its side, cross L; which of two such crossings comes first is the sign of one orient3 of
 * the four ends of the two edges. So two more signs decide, and nothing is divided.
 *
 * Let a0 be alone: a0 on B's plane or above it, a1 and a2 on it or below, not all on it; and b0 likewise, with the
 * corners 1 and 2 of the other exchanged where that is what it takes to be above. Edges a0a1 and a0a2 cross L at i and
 * j, b0b1 and b0b2 at k and l. With e = normal(B) x normal(A) along L: i <= j and l <= k, since from a0, L is run
 * through counter-clockwise around normal(A), and from b0 around normal(B). For an edge d from a0 that crosses at x and
 * an edge f from b0 that crosses at y, orient3(a0, a0 + d, b0, b0 + f) = (y - x) . (f x d), and f x d has the direction
 * of -e, neither edge being parallel to L: its ends are at different heights above the other plane. So
 *     i <= k  <=>  orient3(a0, a1, b0, b1) <= 0,      l <= j  <=>  orient3(a0, a2, b0, b2) >= 0,
 *     i <= l  <=>  orient3(a0, a1, b0, b2) <= 0,      j <= k  <=>  orient3(a0, a2, b0, b1) <= 0.
 * All of it holds with corners on the other's plane, when an interval is a point.
 *
 * Based on: [Guigue03], rederived with the cases of corners in the plane folded into one. */
#include "pair/triangle_triangle.h"

#include "pair/triangle_flat.h"
#include "pair/triangle_sides.h"

cm__triangle_sides cm__triangle_sides_exact(const cm__point t[3], const cm__point p[3]) {
    cm__triangle_sides s = {0, 0};
    for (int i = 0; i < 3; i++) {
        int sign = cm__orient3(t[0], t[1], t[2], p[i]);
        s.above |= (sign > 0) << i;
        s.below |= (sign < 0) << i;
    }
    return s;
}

/* The numbers of the corners in the order a0 a1 a2, and whether a0 is the one below instead. */
typedef struct triangle_order {
    int corner[3];
    bool flipped;
} triangle_order;

static triangle_order triangle_alone(cm__triangle_sides s) {
    /* one above; else one below; else one in the plane and two on the same side */
    bool one_above = s.above == 1 || s.above == 2 || s.above == 4;
    bool one_below = s.below == 1 || s.below == 2 || s.below == 4;
    int alone = one_above ? s.above : one_below ? s.below : 7 ^ (s.above | s.below);
    triangle_order o;
    int i = alone >> 1;
    o.corner[0] = i;
    o.corner[1] = i == 2 ? 0 : i + 1;
    o.corner[2] = i == 0 ? 2 : i - 1;
    o.flipped = one_above ? false : one_below ? true : s.above != 0;
    return o;
}

/* Puts both in order; exchanging two corners of one turns its normal, which puts the other's lone corner above. */
static void triangle_orders(cm__triangle_sides side_a, cm__triangle_sides side_b, triangle_order *a,
                            triangle_order *b) {
    *a = triangle_alone(side_a);
    *b = triangle_alone(side_b);
    if (a->flipped) {
        int keep = b->corner[1];
        b->corner[1] = b->corner[2], b->corner[2] = keep;
    }
    if (b->flipped) {
        int keep = a->corner[1];
        a->corner[1] = a->corner[2], a->corner[2] = keep;
    }
}

/* What the first part of both questions leaves to do. */
typedef enum triangle_case { TRIANGLES_APART, TRIANGLES_FLAT, TRIANGLES_ON_LINE } triangle_case;

static triangle_case triangle_sort(const cm__point a[3], const cm__point b[3], triangle_order *order_a,
                                   triangle_order *order_b) {
    double height[3];
    cm__point normal;
    cm__triangle_sides side_b = cm__triangle_sides_of(a, b, height, &normal);
    if (cm__triangle_sides_apart(side_b)) return TRIANGLES_APART;
    cm__triangle_sides side_a = cm__triangle_sides_of(b, a, height, &normal);
    if (cm__triangle_sides_apart(side_a)) return TRIANGLES_APART;
    if (cm__triangle_sides_flat(side_a) || cm__triangle_sides_flat(side_b)) return TRIANGLES_FLAT;
    triangle_orders(side_a, side_b, order_a, order_b);
    const int *i = order_a->corner, *k = order_b->corner;
    if (cm__orient3(a[i[0]], a[i[1]], b[k[0]], b[k[1]]) > 0) return TRIANGLES_APART;
    if (cm__orient3(a[i[0]], a[i[2]], b[k[0]], b[k[2]]) < 0) return TRIANGLES_APART;
    return TRIANGLES_ON_LINE;
}

bool cm__overlap_triangle_triangle(const cm_vec3 a[3], const cm_vec3 b[3]) {
    cm__point p[3], q[3];
    triangle_order order_a, order_b;
    cm__points_of(a, p);
    cm__points_of(b, q);
    switch (triangle_sort(p, q, &order_a, &order_b)) {
    case TRIANGLES_APART:
        return false;
    case TRIANGLES_FLAT:
        return cm__triangles_flat(p, q, NULL);
    default:
        return true;
    }
}

/* The edge of triangle t between corners i and j crosses the plane of `plane`: the point, and the edge's number. */
static cm_vec3 triangle_end(const cm__point plane[3], const cm__point t[3], int i, int j, uint8_t *edge) {
    *edge = (uint8_t)((i + 1) % 3 == j ? i : j);
    return cm__vec3_of(cm__triangle_plane_crossing(plane, t[i], t[j]));
}

static void triangle_common_segment(const cm__triangle_common *common, cm__triangle_crossing *out) {
    int first = 0, last = 0;
    double longest = 0;
    for (int i = 0; i < common->count; i++)
        for (int j = i + 1; j < common->count; j++) {
            double length = cm__point_length(cm__point_sub(common->point[j], common->point[i]));
            if (length > longest) first = i, last = j, longest = length;
        }
    out->start = cm__vec3_of(common->point[first]), out->start_edge = common->edge[first];
    out->end = cm__vec3_of(common->point[last]), out->end_edge = common->edge[last];
    out->coplanar = common->coplanar;
}

bool cm__cross_triangle_triangle(const cm_vec3 a[3], const cm_vec3 b[3], cm__triangle_crossing *out) {
    cm__point p[3], q[3];
    triangle_order order_a, order_b;
    cm__points_of(a, p);
    cm__points_of(b, q);
    triangle_case what = triangle_sort(p, q, &order_a, &order_b);
    if (what == TRIANGLES_APART) return false;
    if (what == TRIANGLES_FLAT) {
        cm__triangle_common common;
        if (!cm__triangles_flat(p, q, &common)) return false;
        triangle_common_segment(&common, out);
        return true;
    }
    const int *i = order_a.corner, *k = order_b.corner;
    out->coplanar = false;
    if (cm__orient3(p[i[0]], p[i[1]], q[k[0]], q[k[2]]) <= 0)
        out->start = triangle_end(p, q, k[0], k[2], &out->start_edge), out->start_edge = (uint8_t)(out->start_edge + 3);
    else
        out->start = triangle_end(q, p, i[0], i[1], &out->start_edge);
    if (cm__orient3(p[i[0]], p[i[2]], q[k[0]], q[k[1]]) <= 0)
        out->end = triangle_end(q, p, i[0], i[2], &out->end_edge);
    else
        out->end = triangle_end(p, q, k[0], k[1], &out->end_edge), out->end_edge = (uint8_t)(out->end_edge + 3);
    return true;
}
