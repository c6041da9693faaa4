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

void cm__triangle_sides_exact(const cm__point t[3], const cm__point p[3], cm__triangle_sides *s) {
    s->above = s->below = 0;
    for (int i = 0; i < 3; i++) {
        int sign = cm__orient3(t[0], t[1], t[2], p[i]);
        s->above |= (sign > 0) << i;
        s->below |= (sign < 0) << i;
    }
}

/* The numbers of the corners in the order a0 a1 a2, and whether a0 is the one below instead. */
typedef struct triangle_order {
    int corner[3];
    bool flipped;
} triangle_order;

static triangle_order triangle_alone(const cm__triangle_sides *s) {
    /* one above; else one below; else one in the plane and two on the same side */
    bool one_above = s->above == 1 || s->above == 2 || s->above == 4;
    bool one_below = s->below == 1 || s->below == 2 || s->below == 4;
    int alone = one_above ? s->above : one_below ? s->below : 7 ^ (s->above | s->below);
    triangle_order o;
    int i = alone >> 1;
    o.corner[0] = i;
    o.corner[1] = i == 2 ? 0 : i + 1;
    o.corner[2] = i == 0 ? 2 : i - 1;
    o.flipped = one_above ? false : one_below ? true : s->above != 0;
    return o;
}

/* Puts both in order; exchanging two corners of one turns its normal, which puts the other's lone corner above. */
static void triangle_orders(const cm__triangle_sides *a_to_b, const cm__triangle_sides *b_to_a, triangle_order *a,
                            triangle_order *b) {
    *a = triangle_alone(a_to_b);
    *b = triangle_alone(b_to_a);
    if (a->flipped) {
        int keep = b->corner[1];
        b->corner[1] = b->corner[2], b->corner[2] = keep;
    }
    if (b->flipped) {
        int keep = a->corner[1];
        a->corner[1] = a->corner[2], a->corner[2] = keep;
    }
}

/* i <= k and l <= j. */
static bool triangle_intervals_overlap(const cm__point a[3], const cm__point b[3], const int i[3], const int k[3]) {
    return cm__orient3(a[i[0]], a[i[1]], b[k[0]], b[k[1]]) <= 0 && cm__orient3(a[i[0]], a[i[2]], b[k[0]], b[k[2]]) >= 0;
}

bool cm__triangles_share_point(const cm__point a[3], const cm__point b[3], const cm__triangle_sides *a_to_b,
                               const cm__triangle_sides *b_to_a) {
    if (cm__triangle_sides_flat(a_to_b) || cm__triangle_sides_flat(b_to_a)) return cm__triangles_flat(a, b, NULL);
    triangle_order order_a, order_b;
    triangle_orders(a_to_b, b_to_a, &order_a, &order_b);
    return triangle_intervals_overlap(a, b, order_a.corner, order_b.corner);
}

/* Reads both, and on which sides of each other's planes their corners lie; false where one is apart from the other's
 * plane. */
static inline bool triangles_face(const cm_vec3 a[3], const cm_vec3 b[3], cm__point p[3], cm__point q[3],
                                  cm__triangle_sides *p_to_q, cm__triangle_sides *q_to_p) {
    cm__points_of(a, p);
    cm__points_of(b, q);
    cm__triangle_sides_of(p, q, q_to_p);
    if (cm__triangle_sides_apart(q_to_p)) return false;
    cm__triangle_sides_of(q, p, p_to_q);
    return !cm__triangle_sides_apart(p_to_q);
}

bool cm__overlap_triangle_triangle(const cm_vec3 a[3], const cm_vec3 b[3]) {
    cm__point p[3], q[3];
    cm__triangle_sides p_to_q, q_to_p;
    if (!triangles_face(a, b, p, q, &p_to_q, &q_to_p)) return false;
    return cm__triangles_share_point(p, q, &p_to_q, &q_to_p);
}

/* Where the edge of triangle t between corners i and j passes the plane of `plane`; first_edge: 0 for A, 3 for B. */
static cm_vec3 triangle_end(const cm__point plane[3], const cm__point t[3], int i, int j, int first_edge,
                            uint8_t *edge) {
    *edge = (uint8_t)(first_edge + ((i + 1) % 3 == j ? i : j));
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
    cm__triangle_sides p_to_q, q_to_p;
    if (!triangles_face(a, b, p, q, &p_to_q, &q_to_p)) return false;
    if (cm__triangle_sides_flat(&p_to_q) || cm__triangle_sides_flat(&q_to_p)) {
        cm__triangle_common common;
        if (!cm__triangles_flat(p, q, &common)) return false;
        triangle_common_segment(&common, out);
        return true;
    }
    triangle_order order_a, order_b;
    triangle_orders(&p_to_q, &q_to_p, &order_a, &order_b);
    const int *i = order_a.corner, *k = order_b.corner;
    if (!triangle_intervals_overlap(p, q, i, k)) return false;
    out->coplanar = false;
    /* where both start or end in one point, either edge will do */
    if (cm__orient3(p[i[0]], p[i[1]], q[k[0]], q[k[2]]) > 0) /* l < i: starts at i */
        out->start = triangle_end(q, p, i[0], i[1], 0, &out->start_edge);
    else
        out->start = triangle_end(p, q, k[0], k[2], 3, &out->start_edge);
    if (cm__orient3(p[i[0]], p[i[2]], q[k[0]], q[k[1]]) <= 0) /* j <= k: ends at j */
        out->end = triangle_end(q, p, i[0], i[2], 0, &out->end_edge);
    else
        out->end = triangle_end(p, q, k[0], k[1], 3, &out->end_edge);
    return true;
}
