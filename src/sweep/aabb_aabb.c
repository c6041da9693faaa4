/* Axis-aligned boxes in motion.
 *
 * On each axis the ranges overlap during one span of time: from when B's low end reaches A's high end (or the other way
 * round) to when they separate again. The boxes overlap while all three ranges do. The contact normal is along the axis
 * whose span begins last. An axis without relative motion overlaps always or never. Each division is right to 3 ulps of
 * double, which the result is widened by; touching ranges have a span of one instant. From min and max, so that neither
 * center nor half extents round, but for starts in touch, which start.c answers. Based on: [Gomez99], corrected:
 * docs/theory/article-errata.md. */
#include "carom/primitives.h"
#include "sweep/brush.h"
#include "sweep/hit.h"

typedef struct aabb_sweep {
    double low_a[3], high_a[3], low_b[3], high_b[3];
    double v[3]; /* of B relative to A */
    cm__span span;
    int last; /* the axis whose span begins last; -1: all begin with the step */
} aabb_sweep;

static void aabb_three(cm_vec3 from, double to[3]) {
    to[0] = (double)from.x, to[1] = (double)from.y, to[2] = (double)from.z;
}

/* Narrows the span to the times at which the ranges on axis k overlap, too; false where there are none. */
static bool aabb_axis(aabb_sweep *s, int k) {
    /* B moves by v relative to A: they touch while low_b + u v <= high_a and high_b + u v >= low_a */
    const double enter = s->high_a[k] - s->low_b[k], leave = s->low_a[k] - s->high_b[k], v = s->v[k];
    if (v == 0) return enter >= 0 && leave <= 0;
    /* v is not 0 here. Of two spans that begin at once, at an edge, the first axis is the normal's. As both ends are
     * widened, a span of one instant is possible only at the start, which is answered before */
    double t0 = (v > 0 ? leave : enter) / v, t1 = (v > 0 ? enter : leave) / v;
    t0 -= fabs(t0) * (4 * DBL_EPSILON);
    t1 += fabs(t1) * (4 * DBL_EPSILON);
    if (t0 > s->span.first) s->span.first = t0, s->last = k;
    s->span.last = wide_min(s->span.last, t1);
    return s->span.first <= s->span.last;
}

/* The signed distance at the start; *axis: of the widest gap, or the least overlap; of equal ones any. */
static double aabb_gap(const aabb_sweep *s, int *axis) {
    double widest = -DBL_MAX, gap[3];
    for (int k = 0; k < 3; k++) {
        gap[k] = wide_max(s->low_b[k] - s->high_a[k], s->low_a[k] - s->high_b[k]);
        if (gap[k] > widest) widest = gap[k], *axis = k;
    }
    if (!(widest > 0)) return widest;
    return cm__point_length(cm__p(wide_max(gap[0], 0), wide_max(gap[1], 0), wide_max(gap[2], 0)));
}

/* The unit normal along an axis, from A to B, and the middle of where they touch across it at time u: on A's side. */
static cm__point aabb_touch(const aabb_sweep *s, int axis, double u, const double move[3], cm__point *normal) {
    double n[3] = {0, 0, 0}, at[3];
    const double sum = s->low_b[axis] + s->high_b[axis] - s->low_a[axis] - s->high_a[axis]; /* twice from A to B */
    n[axis] = sum >= 0 ? 1 : -1; /* with a common center both directions are as short */
    for (int k = 0; k < 3; k++) {
        const double low = wide_max(s->low_a[k], s->low_b[k] + u * s->v[k]);
        const double high = wide_min(s->high_a[k], s->high_b[k] + u * s->v[k]);
        at[k] = (k != axis ? (low + high) / 2 : n[k] > 0 ? s->high_a[k] : s->low_a[k]) + u * move[k];
    }
    *normal = cm__p(n[0], n[1], n[2]);
    return cm__p(at[0], at[1], at[2]);
}

/* As box_sweep_gets_deep and box_sweep_brushes (box_box.c). */
static bool aabb_gets_deep(const aabb_sweep *s, double depth) {
    const double u = s->span.first + SWEEP_DEEP * depth / fabs(s->v[s->last]);
    double least = DBL_MAX;
    for (int k = 0; k < 3; k++) {
        if (k == s->last) continue;
        least = wide_min(least, s->high_a[k] - s->low_b[k] - u * s->v[k]);
        least = wide_min(least, s->high_b[k] - s->low_a[k] + u * s->v[k]);
    }
    return least >= SWEEP_DEEP * depth;
}
static bool aabb_brushes(const aabb_sweep *s, double depth) {
    aabb_sweep deep = *s;
    deep.span.last = DBL_MAX;
    for (int k = 0; k < 3; k++) {
        if (!(wide_min(s->high_a[k] - s->low_a[k], s->high_b[k] - s->low_b[k]) > 2 * depth)) return false;
        deep.low_b[k] += depth, deep.high_b[k] -= depth;
    }
    return !(aabb_axis(&deep, 0) && aabb_axis(&deep, 1) && aabb_axis(&deep, 2));
}

/* Boxes that start in touch, and a hit that may only brush. */
static bool aabb_settle(const cm_aabb *a, const cm_aabb *b, cm__point move, cm__point v, double band,
                        cm__straight_end end, cm_sweep_hit *hit) {
    const cm__point low_a = cm__point_of(a->min), high_a = cm__point_of(a->max);
    const cm__point low_b = cm__point_of(b->min), high_b = cm__point_of(b->max);
    const cm__point other = cm__point_scale(cm__point_add(low_b, high_b), 0.5);
    cm__straight_pair s = {.move = move, .v = v, .band = band};
    s.origin = cm__point_scale(cm__point_add(low_a, high_a), 0.5);
    s.frame_a = frame_at(cm__p(0, 0, 0)), s.frame_b = frame_at(cm__point_sub(other, s.origin));
    cm__core_box(cm__point_scale(cm__point_sub(high_a, low_a), 0.5), &s.a);
    cm__core_box(cm__point_scale(cm__point_sub(high_b, low_b), 0.5), &s.b);
    return cm__straight_settle(&s, end, end == CM__STRAIGHT_NEAR && cm_aabb_overlaps(a, b), hit);
}

bool cm_sweep_aabb_aabb(const cm_aabb *a, cm_vec3 move_a, const cm_aabb *b, cm_vec3 move_b, cm_sweep_hit *out) {
    if (!cm_aabb_is_valid(a) || !cm_aabb_is_valid(b) || !cm_vec3_is_valid(move_a) || !cm_vec3_is_valid(move_b))
        return false;
    aabb_sweep s = {.span = {0, 1}, .last = -1};
    double move[3], size = 0;
    int axis = 0;
    aabb_three(a->min, s.low_a), aabb_three(a->max, s.high_a), aabb_three(b->min, s.low_b),
        aabb_three(b->max, s.high_b);
    aabb_three(move_a, move), aabb_three(move_b, s.v);
    for (int k = 0; k < 3; k++) {
        s.v[k] -= move[k];
        size += fabs(s.low_b[k] + s.high_b[k] - s.low_a[k] - s.high_a[k]) / 2 + fabs(s.v[k]);
        size += (s.high_a[k] - s.low_a[k] + s.high_b[k] - s.low_b[k]) / 2;
    }
    const bool meets = aabb_axis(&s, 0) && aabb_axis(&s, 1) && aabb_axis(&s, 2);
    const cm__sweep_start_state start = {aabb_gap(&s, &axis), -1, straight_band(size)};
    const cm__point v = cm__p(-s.v[0], -s.v[1], -s.v[2]);
    cm_sweep_hit hit;
    cm__straight_end end = CM__STRAIGHT_NEAR;
    if (!(fabs(start.gap) <= start.band)) {
        cm__point normal;
        if (!meets || cm__sweep_begin(&start, s.span, &hit) != CM__STRAIGHT_HIT) return false;
        if (s.last >= 0) axis = s.last; /* apart: along which they meet last, not that of the widest gap */
        const cm__point at = aabb_touch(&s, axis, (double)hit.first, move, &normal);
        cm__sweep_end(v, normal, at, &hit);
        const double depth = SWEEP_BRUSH * start.band;
        const bool apart = s.last >= 0, deep = apart && aabb_gets_deep(&s, depth);
        const bool brushes = apart && !deep && aabb_brushes(&s, SWEEP_SHALLOW * depth);
        hit.blocking = hit.blocking && !(brushes && hit.start == CM_SWEEP_SEPARATED);
        end = deep || brushes ? CM__STRAIGHT_PLAIN : CM__STRAIGHT_HIT;
    }
    if (!straight_is_settled(end, &hit, v, 0, start.band) &&
        !aabb_settle(a, b, cm__point_of(move_a), v, start.band, end, &hit))
        return false;
    if (out) *out = hit;
    return true;
}
