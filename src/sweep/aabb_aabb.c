/* Axis-aligned boxes in motion.
 *
 * On each axis the ranges overlap during one span of time: from when B's low end meets A's high end (or the other way
 * round) to when they part again. The boxes overlap while all three do. An axis without relative motion overlaps always
 * or never. Each division is right to 3 ulps of double, which the result is widened by; touching ranges have a span of
 * one instant. Based on: [Gomez99], corrected: docs/theory/article-errata.md. */
#include "carom/primitives.h"
#include "math/span.h"

static bool aabb_axis(double low_a, double high_a, double low_b, double high_b, double v, cm__span *span) {
    /* B moves by v relative to A: they touch while low_b + u v <= high_a and high_b + u v >= low_a */
    double enter = high_a - low_b, leave = low_a - high_b;
    if (v == 0) return enter >= 0 && leave <= 0;
    double t0 = (v > 0 ? leave : enter) / v, t1 = (v > 0 ? enter : leave) / v;
    t0 -= fabs(t0) * (4 * DBL_EPSILON);
    t1 += fabs(t1) * (4 * DBL_EPSILON);
    span->first = wide_max(span->first, t0);
    span->last = wide_min(span->last, t1);
    return span->first <= span->last;
}

bool cm_sweep_aabb_aabb(const cm_aabb *a, cm_vec3 move_a, const cm_aabb *b, cm_vec3 move_b, cm_interval *out) {
    cm__point la = cm__point_of(a->min), ha = cm__point_of(a->max), lb = cm__point_of(b->min),
              hb = cm__point_of(b->max);
    cm__point v = cm__point_sub(cm__point_of(move_b), cm__point_of(move_a));
    cm__span span = {0, 1};
    if (!aabb_axis(la.x, ha.x, lb.x, hb.x, v.x, &span) || !aabb_axis(la.y, ha.y, lb.y, hb.y, v.y, &span) ||
        !aabb_axis(la.z, ha.z, lb.z, hb.z, v.z, &span))
        return false;
    if (!cm_aabb_is_valid(a) || !cm_aabb_is_valid(b) || !cm_vec3_is_valid(move_a) || !cm_vec3_is_valid(move_b))
        return false;
    bool apart = !cm_aabb_overlaps(a, b);
    if (out) {
        out->first = wide_down(span.first);
        if (apart && !(out->first > 0)) out->first = CM_REAL_MIN;
        cm_real last = wide_up(span.last);
        out->last = cm_max(out->first, last > 1 ? 1 : last);
    }
    return true;
}
