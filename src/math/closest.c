/* The rare ways of closest.h: thin triangles, and lengths whose fourth power leaves the range. */
#include "math/closest.h"

/* A power of two that brings `length` into [2^-200, 2^200]; 1 for 0, infinity and NaN. At most 4 steps. */
static double closest_scale(double length) {
    double f = 1;
    if (!(length > 0 && length <= DBL_MAX)) return f;
    while (length * f > 0x1p200) f *= 0x1p-300;
    while (length * f < 0x1p-200) f *= 0x1p300;
    return f;
}

double cm__closest_t_rescaled(cm__point r, cm__point d) {
    double f = closest_scale(cm__point_largest(d));
    d = cm__point_scale(d, f);
    /* scaling r only after the product keeps it in range where r is far and d is short */
    return cm__clamp01(cm__point_dot(r, d) / cm__point_dot(d, d) * f);
}

void cm__closest_st_rescaled(cm__point d1, cm__point d2, cm__point r, double *s, double *t) {
    double l1 = cm__point_largest(d1), l2 = cm__point_largest(d2);
    double f = closest_scale(l1 > l2 ? l1 : l2);
    d1 = cm__point_scale(d1, f), d2 = cm__point_scale(d2, f), r = cm__point_scale(r, f);
    double aa = cm__point_dot(d1, d1), bb = cm__point_dot(d2, d2);
    cm__point n = cm__point_cross(d1, d2);
    double nn = cm__point_dot(n, n);
    double u;
    if (nn > 0x1p-100 * (aa * bb)) {
        u = cm__clamp01(cm__point_dot(cm__point_cross(r, d2), n) / nn);
    } else {
        double p0 = cm__closest_t(r, d1), p1 = cm__closest_t(cm__point_add(r, d2), d1);
        u = (p0 + p1) / 2;
    }
    cm__point from_b0 = cm__p(u * d1.x - r.x, u * d1.y - r.y, u * d1.z - r.z);
    *t = cm__closest_t(from_b0, d2);
    *s = cm__closest_t(cm__point_mul_add(r, *t, d2), d1);
}

/* Replaces `out` by the point over the face where there is one and it is closer.
 * ab, ac, ap are in the safe range. n = ab x ac is rough for a thin triangle, so the weights are too; solving twice
 * more for what is left of ap removes it: each time the error shrinks by the relative error of n. */
static void closest_try_face(cm__point a, cm__point ab, cm__point ac, cm__point ap, cm__closest_on_triangle *out,
                             double f) {
    cm__point n = cm__point_cross(ab, ac);
    double nn = cm__point_dot(n, n);
    if (!(nn > 0)) return;
    double v = 0, w = 0;
    cm__point rest = ap;
    for (int i = 0; i < 3; i++) {
        v += cm__point_dot(n, cm__point_cross(rest, ac)) / nn;
        w += cm__point_dot(n, cm__point_cross(ab, rest)) / nn;
        rest = cm__p(ap.x - v * ab.x - w * ac.x, ap.y - v * ab.y - w * ac.y, ap.z - v * ab.z - w * ac.z);
    }
    if (!(v >= 0 && w >= 0 && v + w <= 1)) return;
    cm__point gap = cm__point_scale(rest, -1 / f);
    double square = cm__point_dot(gap, gap);
    if (!(square < out->square)) return;
    out->weight[0] = 1 - v - w, out->weight[1] = v, out->weight[2] = w;
    out->feature = 7;
    out->point = cm__point_mul_add(cm__point_mul_add(a, v / f, ab), w / f, ac);
    out->gap = gap;
    out->square = square;
}

void cm__closest_point_triangle_careful(cm__point p, cm__point a, cm__point b, cm__point c,
                                        cm__closest_on_triangle *out) {
    out->square = DBL_MAX;
    out->point = a, out->gap = cm__point_sub(a, p), out->feature = 1;
    out->weight[0] = 1, out->weight[1] = out->weight[2] = 0;
    cm__closest_try_edge(p, a, b, 0, 1, out);
    cm__closest_try_edge(p, b, c, 1, 2, out);
    cm__closest_try_edge(p, c, a, 2, 0, out);
    cm__point ab = cm__point_sub(b, a), ac = cm__point_sub(c, a);
    double lab = cm__point_largest(ab), lac = cm__point_largest(ac);
    double f = closest_scale(lab > lac ? lab : lac);
    ab = cm__point_scale(ab, f), ac = cm__point_scale(ac, f);
    closest_try_face(a, ab, ac, cm__point_scale(cm__point_sub(p, a), f), out, f);
}
