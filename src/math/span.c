/* Spans of time in which a moving point is in a ball, capsule, rounded polygon or rounded box.
 *
 * Ball: the point comes closest to the center at t_c = -p.v / v.v, in q = p + t_c v, and is inside for h either side of
 * that, where h^2 v.v = r^2 - q.q = (r - |q|)(r + |q|). That form has none of the cancellation of b^2 - 4ac, and no
 * product of four lengths that would overflow. The root next to t = 0 is c / (-b + s), which keeps its sign.
 *
 * Every other set is a union of balls, pieces of cylinder and slabs whose union is convex: the span of the union is
 * from the least first to the greatest last of the parts, without any case distinction between face, edge and corner.
 * The rounded box is solved on the at most seven pieces of time between crossings of the planes of its faces,
 * on each of which the squared distance to the box is one quadratic.
 * Based on: [Ericson05 §5.5.7] for the sets; [Gomez99] for the question. */
#include "math/span.h"

static bool span_clip(double first, double last, cm__span *span) {
    if (first > span->first) span->first = first;
    if (last < span->last) span->last = last;
    return span->first <= span->last;
}

/* Joins `part` to *sum, where `part` is not empty. */
static void span_join(cm__span *sum, cm__span part) {
    if (!(part.first <= part.last)) return;
    sum->first = wide_min(sum->first, part.first);
    sum->last = wide_max(sum->last, part.last);
}

static cm__span span_none(void) {
    cm__span s;
    s.first = DBL_MAX, s.last = -DBL_MAX;
    return s;
}

bool cm__span_slab(double p, double v, double low, double high, cm__span *span) {
    if (v == 0) return p >= low && p <= high ? span->first <= span->last : span_clip(DBL_MAX, -DBL_MAX, span);
    double t0 = (low - p) / v, t1 = (high - p) / v;
    return v > 0 ? span_clip(t0, t1, span) : span_clip(t1, t0, span);
}

bool cm__span_ball(cm__point p, cm__point v, double r, cm__span *span) {
    double a = cm__point_dot(v, v), b = cm__point_dot(p, v), pp = cm__point_length(p);
    double c = (pp - r) * (pp + r); /* > 0 outside */
    if (!(a > 0)) return c <= 0 ? span->first <= span->last : span_clip(DBL_MAX, -DBL_MAX, span);
    double t_c = -b / a;
    cm__point q = cm__point_mul_add(p, t_c, v);
    double qq = cm__point_length(q), h2 = (r - qq) * (r + qq);
    if (!(h2 >= 0)) return span_clip(DBL_MAX, -DBL_MAX, span);
    double s = sqrt(h2) * sqrt(a);
    if (b < 0) { /* approaching: the small root is the first */
        double far = -b + s;
        return span_clip(c / far, far / a, span);
    }
    double near = -b - s; /* <= 0 */
    return near < 0 ? span_clip(near / a, c / near, span) : span_clip(0, 0, span);
}

/* Within r of the segment, its end balls left out: |x perpendicular| <= r between the end planes. */
static bool span_cylinder(cm__point p, cm__point v, cm__point axis, double length, double r, cm__span *span) {
    double along = cm__point_dot(p, axis), speed = cm__point_dot(v, axis);
    if (!cm__span_slab(along, speed, 0, length, span)) return false;
    return cm__span_ball(cm__point_mul_add(p, -along, axis), cm__point_mul_add(v, -speed, axis), r, span);
}

bool cm__span_capsule(cm__point p, cm__point v, cm__point a, cm__point b, double r, cm__span *span) {
    cm__span sum = span_none(), part = *span;
    cm__point edge = cm__point_sub(b, a);
    double length = cm__point_length(edge);
    if (cm__span_ball(cm__point_sub(p, a), v, r, &part)) span_join(&sum, part);
    if (length > 0) {
        part = *span;
        if (cm__span_ball(cm__point_sub(p, b), v, r, &part)) span_join(&sum, part);
        part = *span;
        if (span_cylinder(cm__point_sub(p, a), v, cm__point_scale(edge, 1 / length), length, r, &part))
            span_join(&sum, part);
    }
    *span = sum;
    return sum.first <= sum.last;
}

/* Over or under the polygon itself, by at most r. */
static bool span_prism(cm__point p, cm__point v, const cm__point *corners, int count, cm__point normal, double r,
                       cm__span *span) {
    double height = cm__point_dot(cm__point_sub(p, corners[0]), normal);
    if (!cm__span_slab(height, cm__point_dot(v, normal), -r, r, span)) return false;
    for (int i = 0; i < count; i++) {
        cm__point edge = cm__point_sub(corners[i + 1 < count ? i + 1 : 0], corners[i]);
        double size = cm__point_largest(edge);
        if (!(size > 0)) continue;
        cm__point inward = cm__point_cross(normal, cm__point_scale(edge, 1 / size));
        if (!cm__span_slab(cm__point_dot(cm__point_sub(p, corners[i]), inward), cm__point_dot(v, inward), 0, DBL_MAX,
                           span))
            return false;
    }
    return true;
}

bool cm__span_polygon(cm__point p, cm__point v, const cm__point *corners, int count, double r, cm__span *span) {
    cm__span sum = span_none(), part;
    for (int i = 0; i < count; i++) {
        cm__point from = corners[i], edge = cm__point_sub(corners[i + 1 < count ? i + 1 : 0], from);
        double length = cm__point_length(edge);
        part = *span;
        if (cm__span_ball(cm__point_sub(p, from), v, r, &part)) span_join(&sum, part);
        if (!(length > 0)) continue;
        part = *span;
        if (span_cylinder(cm__point_sub(p, from), v, cm__point_scale(edge, 1 / length), length, r, &part))
            span_join(&sum, part);
    }
    cm__point e = cm__point_sub(corners[1], corners[0]), f = cm__point_sub(corners[count - 1], corners[0]);
    double size_e = cm__point_largest(e), size_f = cm__point_largest(f);
    if (size_e > 0 && size_f > 0) {
        cm__point n = cm__point_cross(cm__point_scale(e, 1 / size_e), cm__point_scale(f, 1 / size_f));
        double sine = cm__point_length(n);
        if (sine > 1e-10) { /* flatter than that, the edges are all, and the plane may be noise */
            part = *span;
            if (span_prism(p, v, corners, count, cm__point_scale(n, 1 / sine), r, &part)) span_join(&sum, part);
        }
    }
    *span = sum;
    return sum.first <= sum.last;
}

/* How far x lies outside [-h, h]: signed, 0 within. */
static double span_outside(double x, double h) { return x > h ? x - h : x < -h ? x + h : 0; }

static cm__point span_box_offset(cm__point p, cm__point half) {
    return cm__p(span_outside(p.x, half.x), span_outside(p.y, half.y), span_outside(p.z, half.z));
}

/* The times at which p + t v crosses the planes x = +-half, those within the span, in order; returns how many. */
static int span_box_crossings(cm__point p, cm__point v, cm__point half, const cm__span *span, double out[6]) {
    double ps[3] = {p.x, p.y, p.z}, vs[3] = {v.x, v.y, v.z}, hs[3] = {half.x, half.y, half.z};
    int count = 0;
    for (int i = 0; i < 3; i++) {
        if (vs[i] == 0) continue;
        for (int side = -1; side <= 1; side += 2) {
            double t = (side * hs[i] - ps[i]) / vs[i];
            if (!(t > span->first && t < span->last)) continue;
            int j = count++;
            for (; j > 0 && out[j - 1] > t; j--) out[j] = out[j - 1];
            out[j] = t;
        }
    }
    return count;
}

/* Is the point outside on one axis at most? Then the slabs' distance is the box's. */
static bool span_over_face(cm__point p, cm__point v, cm__point half, double t) {
    cm__point x = cm__point_mul_add(p, t, v);
    return (fabs(x.x) > half.x) + (fabs(x.y) > half.y) + (fabs(x.z) > half.z) <= 1;
}

bool cm__span_box(cm__point p, cm__point v, cm__point half, double r, cm__span *span) {
    if (!cm__span_slab(p.x, v.x, -half.x - r, half.x + r, span) ||
        !cm__span_slab(p.y, v.y, -half.y - r, half.y + r, span) ||
        !cm__span_slab(p.z, v.z, -half.z - r, half.z + r, span))
        return false;
    if (!(r > 0)) return true;
    /* over a face at both ends of the span: the slabs were the answer */
    if (span_over_face(p, v, half, span->first) && span_over_face(p, v, half, span->last)) return true;
    /* A piece of time is bounded: a ray or a resting point may come with endless spans. */
    double cuts[8];
    int count = span_box_crossings(p, v, half, span, cuts + 1) + 1;
    cuts[0] = span->first, cuts[count] = span->last;
    cm__span sum = span_none();
    for (int i = 0; i < count; i++) {
        cm__span part = {cuts[i], cuts[i + 1]};
        cm__point middle = cm__point_mul_add(p, cuts[i] / 2 + cuts[i + 1] / 2, v);
        cm__point out = span_box_offset(middle, half);
        /* on this piece the active coordinates are those outside now: all others have offset 0 throughout */
        cm__point q = cm__p(out.x > 0   ? p.x - half.x
                            : out.x < 0 ? p.x + half.x
                                        : 0,
                            out.y > 0   ? p.y - half.y
                            : out.y < 0 ? p.y + half.y
                                        : 0,
                            out.z > 0   ? p.z - half.z
                            : out.z < 0 ? p.z + half.z
                                        : 0);
        cm__point w = cm__p(out.x != 0 ? v.x : 0, out.y != 0 ? v.y : 0, out.z != 0 ? v.z : 0);
        if (cm__span_ball(q, w, r, &part)) span_join(&sum, part);
    }
    *span = sum;
    return sum.first <= sum.last;
}
