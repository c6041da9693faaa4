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
    r = cm__point_scale(r, f);
    return cm__ratio01(cm__point_dot(r, d), cm__point_dot(d, d));
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
        u = cm__ratio01(cm__point_dot(cm__point_cross(r, d2), n), nn);
    } else {
        double p0 = cm__closest_t(r, d1), p1 = cm__closest_t(cm__point_add(r, d2), d1);
        u = (p0 + p1) / 2;
    }
    cm__point from_b0 = cm__p(u * d1.x - r.x, u * d1.y - r.y, u * d1.z - r.z);
    *t = cm__closest_t(from_b0, d2);
    *s = cm__closest_t(cm__point_mul_add(r, *t, d2), d1);
}

#if defined(CAROM_F64)
/* The corners' least distance from p along the way to a foot: no point of the triangle is nearer than that. */
static double closest_proof(const cm__point corner[3], cm__point p, cm__point gap) {
    double least = DBL_MAX;
    for (int i = 0; i < 3; i++) {
        double along = cm__point_dot(cm__point_sub(corner[i], p), gap);
        least = along < least ? along : least;
    }
    return least / cm__point_length(gap);
}
#endif

/* Is this foot nearer than the one so far? In double, where both are as far within rounding, the one whose direction
 * proves more is: they may be 1e-8 of the distance apart, and the directions to them differ by as much. */
static bool closest_is_nearer(const cm__point corner[3], cm__point p, cm__point gap, double square,
                              const cm__closest_on_triangle *so_far) {
#if defined(CAROM_F64)
    double size =
        cm__point_largest(cm__point_sub(corner[1], corner[0])) + cm__point_largest(cm__point_sub(corner[2], corner[0]));
    double noise = 4 * DBL_EPSILON * (square + size * sqrt(square));
    if (fabs(square - so_far->square) <= noise && square > 0 && so_far->square > 0)
        return closest_proof(corner, p, gap) > closest_proof(corner, p, so_far->gap);
#else
    (void)corner, (void)p, (void)gap;
#endif
    return square < so_far->square;
}

/* Replaces `out` by the point over the face where there is one and it is closer.
 * The normal of a thin triangle is rough, and so are weights taken from it. Its longer edge at a is not, and neither is
 * what the other edge adds to that one: solving for those two, and once more for what is left, is right to rounding. */
static void closest_try_face(const cm__point corner[3], cm__point p, cm__closest_on_triangle *out) {
    cm__point a = corner[0], ab = cm__point_sub(corner[1], a), ac = cm__point_sub(corner[2], a);
    cm__point ap = cm__point_sub(p, a);
    bool swap = cm__point_dot(ac, ac) > cm__point_dot(ab, ab);
    cm__point lon = swap ? ac : ab, other = swap ? ab : ac;
    double square_long = cm__point_dot(lon, lon);
    double shift = cm__point_dot(other, lon) / square_long;
    cm__point across = cm__point_mul_add(other, -shift, lon);
    double square_across = cm__point_dot(across, across);
    if (!(square_across > 0)) return;
    double v = 0, w = 0; /* the foot is a + v long + w other */
    cm__point rest = ap;
    for (int i = 0; i < 3; i++) {
        double along = cm__point_dot(rest, lon) / square_long;
        rest = cm__point_mul_add(rest, -along, lon); /* first, for `across` is only nearly perpendicular to `lon` */
        double step = cm__point_dot(rest, across) / square_across;
        v += along - shift * step;
        w += step;
        rest = cm__point_mul_add(cm__point_mul_add(ap, -v, lon), -w, other);
    }
    if (!(v >= 0 && w >= 0 && v + w <= 1)) return;
    double square = cm__point_dot(rest, rest);
    if (!closest_is_nearer(corner, p, cm__p(-rest.x, -rest.y, -rest.z), square, out)) return;
    const double u = 1 - v - w;
    out->weight[0] = u > 0 ? u : 0, out->weight[1] = swap ? w : v, out->weight[2] = swap ? v : w;
    out->feature = 7;
    out->point = cm__point_mul_add(cm__point_mul_add(a, v, lon), w, other);
    out->gap = cm__p(-rest.x, -rest.y, -rest.z);
    out->square = square;
}

void cm__closest_point_triangle_careful(cm__point p, cm__point a, cm__point b, cm__point c,
                                        cm__closest_on_triangle *out) {
    double size = cm__point_largest(cm__point_sub(b, a));
    double size_ac = cm__point_largest(cm__point_sub(c, a)), size_ap = cm__point_largest(cm__point_sub(p, a));
    size = size > size_ac ? size : size_ac;
    double f = closest_scale(size > size_ap ? size : size_ap);
    const cm__point corner[3] = {cm__point_scale(a, f), cm__point_scale(b, f), cm__point_scale(c, f)};
    p = cm__point_scale(p, f);
    cm__closest_start(p, corner[0], out);
    for (int i = 0; i < 3; i++) {
        int j = i == 2 ? 0 : i + 1;
        cm__closest on = cm__closest_point_segment(p, corner[i], corner[j]);
        if (closest_is_nearer(corner, p, on.gap, on.square, out)) cm__closest_on_edge(&on, i, j, out);
    }
    closest_try_face(corner, p, out);
    if (f == 1) return;
    out->point = cm__point_scale(out->point, 1 / f); /* exact: a power of two */
    out->gap = cm__point_scale(out->gap, 1 / f);
    out->square = cm__point_dot(out->gap, out->gap);
}
