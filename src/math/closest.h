/* Closest points of points, segments and triangles.
 *
 * Guaranteed for any finite input within CM_COORD_MAX, degenerate, parallel and needle-like included:
 * - the answer's points belong to their shapes: parameters and weights lie in [0, 1], a vertex is returned exactly;
 * - |gap| exceeds the true distance by at most 16 u (L + |gap|) and falls short of it by at most as much, where
 *   u = 2^-53 and L is the largest length among the edges involved: not the distance to the origin, not the inverse
 *   of an angle. So in the float build, where the coordinates' differences are exact in double, a distance rounded
 *   to float is right to its last bit or so, until it falls below 1e-8 of the features' size;
 * - the gap is perpendicular to the edge or face that the answer lies in, within 64 u of the sizes (float: 2^-22), but
 *   for triangles thinner than 1e-8 of their length, in double: within 2^-26;
 * - nothing overflows or underflows (double: features beyond 2^±200 are scaled by a power of two first).
 * Any frame; a common offset should have been subtracted before (pair functions work in A's frame).
 * What is decided by a sign (overlapping or not) is not decided here but in exact.h: these numbers are rounded.
 *
 * Based on: [Ericson05 §5.1] for the regions; the cross products in place of the Gram determinant, which loses
 * 1/sin² of the angle between near-parallel edges where these lose 1/sin, are derived at the places. */
#ifndef MATH_CLOSEST_H
#define MATH_CLOSEST_H

#include "math/point.h"

typedef struct cm__closest {
    cm__point a, b; /* on the first and on the second argument */
    cm__point gap;  /* b - a, more accurate than the difference of the two when they are far from the origin */
    double s, t;    /* where on them: a = a0 + s (a1 - a0), b = b0 + t (b1 - b0) */
    double square;  /* |gap|²; 0 below 2^-511 (double only): cm__point_length(gap) is right there too */
} cm__closest;

typedef struct cm__closest_on_triangle {
    cm__point point;  /* on the triangle */
    cm__point gap;    /* point - p; over the face it is parallel to the normal, however small */
    double weight[3]; /* point = weight[0] a + weight[1] b + weight[2] c; they sum to 1 */
    double square;    /* |gap|² */
    int feature;      /* bit i set where weight[i] may be > 0: 1 2 4 a vertex, 3 6 5 an edge, 7 the face */
} cm__closest_on_triangle;

/* Where on the segment from the origin to `d` the point `r` projects, clamped. For lengths outside the safe range. */
double cm__closest_t_rescaled(cm__point r, cm__point d);
/* As cm__closest_st, for lengths outside the safe range. */
void cm__closest_st_rescaled(cm__point d1, cm__point d2, cm__point r, double *s, double *t);
/* As cm__closest_point_triangle, for triangles outside the safe range, and for thin ones. */
void cm__closest_point_triangle_careful(cm__point p, cm__point a, cm__point b, cm__point c,
                                        cm__closest_on_triangle *out);

/* False where a squared length is 0 or so far from 1 that the fourth power of the length leaves the range of double. */
CM_INLINE bool cm__closest_is_safe(double square) {
#if defined(CAROM_F64)
    return square > 0x1p-400 && square < 0x1p400;
#else
    (void)square; /* coordinates are floats: 2^-149 ... 2^50 */
    return true;
#endif
}

/* Parameter in [0, 1] of the point of the segment origin--d that is closest to r; 0 where d = 0. */
CM_INLINE double cm__closest_t(cm__point r, cm__point d) {
    double dd = cm__point_dot(d, d);
    if (!cm__closest_is_safe(dd)) return cm__closest_t_rescaled(r, d);
    return cm__ratio01(cm__point_dot(r, d), dd);
}

/* Closest point of the segment [b0, b1] to p. The answer's `a` is p itself, `s` is 0.
 * A segment of no length is its point b0. Cost: one division. */
CM_INLINE cm__closest cm__closest_point_segment(cm__point p, cm__point b0, cm__point b1) {
    cm__closest c;
    cm__point d = cm__point_sub(b1, b0), r = cm__point_sub(b0, p);
    c.s = 0;
    c.t = cm__closest_t(cm__p(-r.x, -r.y, -r.z), d);
    c.a = p;
    c.b = cm__point_between(b0, b1, c.t);
    c.gap = cm__point_mul_add(r, c.t, d);
    c.square = cm__point_dot(c.gap, c.gap);
    return c;
}

/* Parameters of the closest points of a0 + s d1 and b0 + t d2, r = b0 - a0; lengths in the safe range.
 * On the lines, s d1 - t d2 - r is parallel to n = d1 x d2; its cross product with d2, dotted with n, leaves
 * s n² = (r x d2) n. An error of n turns s along the line by 1/sin of the angle between the lines, where the gap
 * grows by sin: the distance never notices. Clamping s, then t for that s, then s for that t is exact for two
 * intervals [Ericson05 §5.1.9]. */
CM_INLINE void cm__closest_st(cm__point d1, cm__point d2, cm__point r, double *s, double *t) {
    double aa = cm__point_dot(d1, d1), bb = cm__point_dot(d2, d2);
    if (!cm__closest_is_safe(aa) || !cm__closest_is_safe(bb)) {
        cm__closest_st_rescaled(d1, d2, r, s, t);
        return;
    }
    cm__point n = cm__point_cross(d1, d2);
    double nn = cm__point_dot(n, n);
    double u;
    if (nn > 0x1p-100 * (aa * bb)) {
        u = cm__ratio01(cm__point_dot(cm__point_cross(r, d2), n), nn);
    } else {
        /* Parallel to the last bit, or a segment without length: every point of the overlap is a witness; take the
           middle. Where nothing overlaps both ends clamp to the nearer end. */
        double p0 = cm__ratio01(cm__point_dot(r, d1), aa);
        double p1 = cm__ratio01(cm__point_dot(cm__point_add(r, d2), d1), aa);
        u = (p0 + p1) / 2;
    }
    cm__point from_b0 = cm__p(u * d1.x - r.x, u * d1.y - r.y, u * d1.z - r.z);
    *t = cm__ratio01(cm__point_dot(from_b0, d2), bb);
    *s = cm__ratio01(cm__point_dot(cm__point_mul_add(r, *t, d2), d1), aa);
}

/* Closest points of the segments [a0, a1] and [b0, b1]; segments of no length are points.
 * Parallel segments: the middle of the stretch that is equally close. Swapping the segments swaps the answer, up to
 * rounding. Cost: three divisions, no branch but for parallel ones. */
CM_INLINE cm__closest cm__closest_segment_segment(cm__point a0, cm__point a1, cm__point b0, cm__point b1) {
    cm__closest c;
    cm__point d1 = cm__point_sub(a1, a0), d2 = cm__point_sub(b1, b0), r = cm__point_sub(b0, a0);
    cm__closest_st(d1, d2, r, &c.s, &c.t);
    c.a = cm__point_between(a0, a1, c.s);
    c.b = cm__point_between(b0, b1, c.t);
    c.gap = cm__p(r.x + c.t * d2.x - c.s * d1.x, r.y + c.t * d2.y - c.s * d1.y, r.z + c.t * d2.z - c.s * d1.z);
    c.square = cm__point_dot(c.gap, c.gap);
    return c;
}

/* The corner a, farther than any point: what stays where p is NaN. */
CM_INLINE void cm__closest_start(cm__point p, cm__point a, cm__closest_on_triangle *out) {
    out->point = a;
    out->gap = cm__point_sub(a, p);
    out->weight[0] = 1, out->weight[1] = 0, out->weight[2] = 0;
    out->square = DBL_MAX;
    out->feature = 1;
}

CM_INLINE void cm__closest_on_edge(const cm__closest *c, int i, int j, cm__closest_on_triangle *out) {
    out->point = c->b;
    out->gap = c->gap;
    out->square = c->square;
    out->weight[3 - i - j] = 0;
    out->weight[i] = 1 - c->t;
    out->weight[j] = c->t;
    out->feature = (c->t < 1 ? 1 << i : 0) | (c->t > 0 ? 1 << j : 0);
}

/* Is the foot on `feature` nearer than the one on `so_far`? A foot within an edge is nearer than the edge's ends, also
 * where squares tie because it is within 1e-8 of the distance from one of them: the direction is then off by as much at
 * the end. In the float build that is below the last bit of any answer. */
CM_INLINE bool cm__closest_is_nearer(double square, int feature, double square_so_far, int so_far) {
#if defined(CAROM_F64)
    int both = feature & so_far;
    if (feature != so_far && (both == feature || both == so_far) && square_so_far < DBL_MAX) return both == so_far;
#else
    (void)feature, (void)so_far;
#endif
    return square < square_so_far;
}

/* Replaces `out` by the closest point on the edge from vertex i to vertex j where that is closer. */
CM_INLINE void cm__closest_try_edge(cm__point p, cm__point from, cm__point to, int i, int j,
                                    cm__closest_on_triangle *out) {
    cm__closest c = cm__closest_point_segment(p, from, to);
    int feature = (c.t < 1 ? 1 << i : 0) | (c.t > 0 ? 1 << j : 0);
    if (cm__closest_is_nearer(c.square, feature, out->square, out->feature)) cm__closest_on_edge(&c, i, j, out);
}

/* Closest point of the triangle abc to p; a triangle without area is a segment or a point.
 * p projects into the face where it lies within all three edges; otherwise the closest point is on one of the edges
 * that p lies beyond, since the direction to it is in the cone of their outward normals.
 * Cost: three cross products over the face, up to two point--segment distances beside it. */
CM_INLINE void cm__closest_point_triangle(cm__point p, cm__point a, cm__point b, cm__point c,
                                          cm__closest_on_triangle *out) {
    cm__point ab = cm__point_sub(b, a), ac = cm__point_sub(c, a), bc = cm__point_sub(c, b);
    cm__point ap = cm__point_sub(p, a), bp = cm__point_sub(p, b);
    cm__point n = cm__point_cross(ab, ac);
    double nn = cm__point_dot(n, n);
    double square_ab = cm__point_dot(ab, ab), square_ac = cm__point_dot(ac, ac);
    /* sin of the angle at a below 1/16: the rounding of n, 1/sin larger than that of the edges, would show */
    bool thin = !(nn > 0x1p-8 * (square_ab * square_ac));
    if (thin || !cm__closest_is_safe(square_ab) || !cm__closest_is_safe(square_ac)) {
        cm__closest_point_triangle_careful(p, a, b, c, out);
        return;
    }
    double wc = cm__point_dot(n, cm__point_cross(ab, ap));
    double wb = cm__point_dot(n, cm__point_cross(ap, ac));
    double wa = cm__point_dot(n, cm__point_cross(bc, bp));
    if (wa >= 0 && wb >= 0 && wc >= 0) {
        /* The shorter edge's weight may be off by more than rounding, where that edge is short against |ap|; a takes
           the difference, being at its other end, so that the point stays where it is. */
        double v = wb / nn, w = wc / nn, over = v + w - 1;
        if ((square_ab > square_ac ? v : w) > 1) { /* beyond the longer edge's end, which short edges do not show */
            cm__closest_point_triangle_careful(p, a, b, c, out);
            return;
        }
        over = over > 0 ? over : 0;
        if (square_ab > square_ac) {
            w -= over;
            w = w > 0 ? w : 0;
        } else {
            v -= over;
            v = v > 0 ? v : 0;
        }
        double u = 1 - v - w;
        out->weight[0] = u > 0 ? u : 0, out->weight[1] = v, out->weight[2] = w;
        out->feature = 7;
        out->point = cm__point_mul_add(cm__point_mul_add(a, out->weight[1], ab), out->weight[2], ac);
        /* what is left of ap above the foot, rather than ap itself: then the error of n only turns a short vector */
        cm__point rest = cm__point_mul_add(cm__point_mul_add(ap, -out->weight[1], ab), -out->weight[2], ac);
        out->gap = cm__point_scale(n, -(cm__point_dot(n, rest) / nn));
        out->square = cm__point_dot(out->gap, out->gap);
        return;
    }
    cm__closest_start(p, a, out);
    if (!(wc >= 0)) cm__closest_try_edge(p, a, b, 0, 1, out);
    if (!(wa >= 0)) cm__closest_try_edge(p, b, c, 1, 2, out);
    if (!(wb >= 0)) cm__closest_try_edge(p, c, a, 2, 0, out);
}

#endif
