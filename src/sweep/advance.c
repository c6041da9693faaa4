/* The first time at which two shapes touch, from their distance at one time after another.
 *
 * Straight motion. The distance is a convex function of time; at any time its slope is v.n, v the relative velocity and
 * n the normal of the closest points, as the plane across n separates the shapes for d / -v.n longer. Advancing by that
 * is Newton's method from the left on a convex function: it never passes the root, and converges fast near it. A slope
 * that is not negative proves a miss. The end of the contact is found in the same way backwards from u = 1.
 *
 * Polytopes of many corners that start apart are decided by the faces of their Minkowski difference (convex/portal.c).
 * Where that gives no answer, a search in cm_real advances time with every plane that separates them by more than its
 * rounding (convex/gjk_approx.c) [vandenBergen04].
 *
 * Turning motion. The slope says nothing about later times, but the closing speed along n is bounded: by v.n plus
 * |spin| times a point's distance from the axis. That is conservative advancement [Mirtich96]. Where the true speed is
 * a small part of that bound, as in grazing motion, such steps are too short; then longer ones are tried, which a bound
 * on the acceleration allows (cm__moving_stride). Accelerated motion is treated in the same way. Without turning a step
 * is exact along n (curve.h), so a half-space takes one step and round shapes a few.
 *
 * Guaranteed: `first` is never late. The distance is right to a few ulps of cm_real of positions and sizes; 8 of those,
 * `near`, are taken off before each step and count as contact, so the gap left at `first` is at most 2 near. Bound: 64
 * steps from either side, 512 when turning. A search that reaches the bound says so (CM_PROOF_LIMIT), and its time is
 * the last safe one. Where a gap, a speed or a time is exactly what it is compared with, either answer keeps that:
 * bounds hold rounding, what does not approach takes a step to the end, and a step of no length is none. */
#include "sweep/advance.h"
#include "convex/convex.h"
#include "sweep/shapes.h"
#include "sweep/stride.h"

#include <string.h>

#define SHORT_STEPS 8 /* more than these are rare */

void cm__shapes_at(cm__shape_sweep *s, double u, bool apart, cm__shape_moment *out) {
    out->u = u;
    out->limit = false;
    if (s->cores) {
        cm__convex_gap gap;
        s->two.b_in_a.position = cm__point_mul_add(s->start, u, s->drift);
        if (apart) {
            cm__convex_gap_apart(&s->two, &s->cache, &gap);
        } else {
            cm__convex_gap_of(&s->two, DBL_MAX, NULL, &gap);
        }
        out->gap.a = gap.a, out->gap.b = gap.b;
        out->gap.distance = gap.distance;
        out->gap.normal = frame_rotate(&s->frame_a, gap.normal);
        return;
    }
    cm_pose pose_a, pose_b;
    cm_motion_at(s->ma, (cm_real)u, &pose_a);
    cm_motion_at(s->mb, (cm_real)u, &pose_b);
    cm_pose b_in_a = cm_pose_between(&pose_a, &pose_b);
    const cm__frame frame = frame_of_pose(&b_in_a);
    s->method->gap(s->a, s->b, &frame, &out->gap);
    out->gap.normal = cm__point_of(cm_rotate(pose_a.rotation, cm__vec3_of(out->gap.normal)));
}

void cm__shapes_lay_out(cm__shape_sweep *s) {
    s->cores = method_searches(s->method) && !s->turns;
    if (!s->cores) return;
    cm__ops(s->a->kind)->core(s->a, &s->core_a);
    cm__ops(s->b->kind)->core(s->b, &s->core_b);
    const cm_pose *start_a = &s->ma->start, *start_b = &s->mb->start;
    cm_pose b_in_a = cm_pose_between(start_a, start_b);
    cm__frame frame = frame_of_pose(&b_in_a);
    s->frame_a = frame_of_pose(start_a);
    cm__point between = cm__point_sub(cm__point_of(start_b->position), cm__point_of(start_a->position));
    s->start = frame.position = frame_unrotate(&s->frame_a, between);
    s->drift = frame_unrotate(&s->frame_a, wide_neg(s->v));
    cm__convex_pair_of(&s->core_a, &s->core_b, &frame, &s->two);
    s->two.scale += cm__point_largest(s->drift);
    memset(&s->cache, 0, sizeof s->cache);
}

double cm__shapes_approach_approx(cm__shape_sweep *s, double start) {
    if (!s->cores || !s->two.sharp) return start;
    s->two.b_in_a.position = cm__point_mul_add(s->start, start, s->drift);
    cm__point way = start > 0 ? wide_neg(s->drift) : s->drift;
    double u = cm__gjk_approx_ray(&s->two, way, 4 * s->near, &s->cache);
    if (u > 1) return start > 0 ? -1 : 2;
    return start > 0 ? (double)wide_up(1 - u) : (double)wide_down(u);
}

/* The error of the slope of a distance: the ends of a gap are rounded, and so is the direction of a short gap. Methods
 * that search have none: their normal proves the distance. */
static double shapes_doubt(const cm__shape_sweep *s, const cm__shape_moment *m) {
    if (s->cores) return 0;
    double rounding = s->near * (DBL_EPSILON / (double)CM_REAL_EPSILON);
    return cm__point_length(s->v) * rounding / m->gap.distance;
}

/* The speed at which they approach, going to later times (sign 1) or to earlier ones (-1). */
static double shapes_speed(const cm__shape_sweep *s, const cm__shape_moment *m, double sign) {
    return sign * cm__point_dot(s->v, m->gap.normal) + (s->turns ? cm__moving_turning(&s->moving, m->gap.normal) : 0);
}

/* The shapes are apart at *m and at *far, and the slope is uncertain at both: finds the minimum of the convex distance
 * between them by ternary search. True: they touch at *far, so the first contact is between *m and *far. */
static bool shapes_dip(cm__shape_sweep *s, cm__shape_moment *m, cm__shape_moment *far) {
    cm__shape_moment one, two;
    for (int i = 0; i < 96 && fabs(far->u - m->u) * cm__point_length(s->v) > s->near; i++) {
        cm__shapes_at(s, (double)(cm_real)(m->u + (far->u - m->u) / 3), true, &one);
        cm__shapes_at(s, (double)(cm_real)(m->u + (far->u - m->u) * 2 / 3), true, &two);
        if (one.gap.distance <= 2 * s->near || two.gap.distance <= 2 * s->near) {
            *far = one.gap.distance <= 2 * s->near ? one : two;
            return true;
        }
        if (one.gap.distance <= two.gap.distance)
            *far = two;
        else
            *m = one;
    }
    return false;
}

/* The slope at *m is uncertain, so the distance at `end` is measured. True: they touch there, or between, at *far; then
 * the first contact is between *m and *far. False: they do not touch up to `end`. */
static bool shapes_beyond_doubt(cm__shape_sweep *s, double end, int steps, cm__shape_moment *m, cm__shape_moment *far) {
    double sign = end > m->u ? 1 : -1;
    cm__shapes_at(s, end, true, far);
    for (int i = 0; i < steps && far->gap.distance > 2 * s->near; i++) {
        double speed = shapes_speed(s, far, -sign), doubt = shapes_doubt(s, far);
        if (fabs(speed) <= doubt) return shapes_dip(s, m, far);
        double step = (far->gap.distance - s->near) / speed; /* back to the latest time at which they may still touch */
        if (!(speed > 0 && step < fabs(far->u - m->u))) return false;
        cm__shapes_at(s, (double)(cm_real)(far->u - sign * step), true, far);
    }
    return true;
}

/* Narrows [m->u, end], where they are apart at m->u and touch at `end`, to the first contact. */
static void shapes_close_in(cm__shape_sweep *s, double end, cm__shape_moment *m) {
    for (int i = 0; i < 64 && m->gap.distance > 2 * s->near; i++) {
        cm__shape_moment middle;
        double u = (double)(cm_real)(m->u + (end - m->u) / 2);
        if (u == m->u || u == end) return;
        cm__shapes_at(s, u, true, &middle);
        if (middle.gap.distance > 0)
            *m = middle;
        else
            end = u;
    }
}

static double shapes_stride(const cm__shape_sweep *s, const cm__shape_moment *m, double sign, double step,
                            double most) {
    return cm__moving_stride(&s->moving, m->u, sign, m->gap.normal, m->gap.distance - s->near, s->near, s->near, step,
                             most);
}

/* Many short steps were taken: tries longer ones. Where a face rotates past an edge, a normal that rotates with the
 * face proves more than a fixed one. The direction of a gap that is little more than rounding is uncertain; that of a
 * slightly later time may be better. */
static double shapes_short_stride(const cm__shape_sweep *s, const cm__shape_moment *m, double sign, double step,
                                  double most) {
    double ahead = 0;
    for (int i = 0; i < 4 && step < most; i++) {
        cm__moving_gap at;
        cm__moving_gap_at(&s->moving, m->u + sign * wide_min(ahead, most), &at);
        const double left = cm__moving_along(&s->moving, m->u, at.normal) - s->near;
        if (left > 0) {
            step = cm__moving_stride(&s->moving, m->u, sign, at.normal, left, s->near, s->near, step, most);
            step = cm__moving_stride_turned(&s->moving, m->u, sign, at.normal, left, s->near, s->near, step, most);
        }
        ahead = i == 0 ? step : 8 * ahead;
    }
    return step;
}

bool cm__shapes_advance(cm__shape_sweep *s, double end, int steps, cm__shape_moment *m) {
    double sign = end > m->u ? 1 : -1;
    for (int i = 0; i < steps; i++) {
        if (m->gap.distance <= 2 * s->near) return true;
        if (s->turns && s->moving.work) *s->moving.work += CM__WORK_STEP;
        double speed = shapes_speed(s, m, sign);
        if (!s->turns && fabs(speed) <= shapes_doubt(s, m)) {
            cm__shape_moment far;
            if (!shapes_beyond_doubt(s, end, steps, m, &far)) return false;
            shapes_close_in(s, far.u, m);
            return true;
        }
        if (!(speed > 0)) return false;
        double step = (m->gap.distance - s->near) / speed, most = fabs(end - m->u);
        if (s->turns && step < most) step = shapes_stride(s, m, sign, step, most);
        if (s->turns && step < most && i >= SHORT_STEPS) step = shapes_short_stride(s, m, sign, step, most);
        if (!(step < most)) { /* safe to the end: the remaining gap is the one there */
            cm__shapes_at(s, end, true, m);
            return m->gap.distance <= 2 * s->near;
        }
        double next = m->u + sign * step;
        cm_real rounded = sign > 0 ? wide_down(next) : wide_up(next);
        if ((double)rounded == m->u) break; /* the step is shorter than cm_real can express */
        cm__shape_moment before = *m;
        cm__shapes_at(s, (double)rounded, true, m);
        if (!(m->gap.distance > 0) && !s->cores && !s->turns) { /* overshot by the rounding of a short gap */
            *m = before;
            shapes_close_in(s, (double)rounded, m);
            return true;
        }
    }
    m->limit = m->gap.distance > 2 * s->near;
    return true;
}

void cm__shapes_settle_normal(cm__shape_sweep *s, cm__shape_moment *m) {
    double rounding = s->near * (DBL_EPSILON / (double)CM_REAL_EPSILON);
    double speed = cm__point_length(s->v) + (s->turns ? cm__moving_turning(&s->moving, m->gap.normal) : 0);
    if (shape_is_endless(s->b) || !(speed > 0)) return;
    if (!(m->gap.distance > 0 && m->gap.distance < 0x1p14 * rounding)) return;
    for (double way = 0x1p16 * rounding; way <= 0x1p28 * rounding; way *= 64)
        for (int side = -1; side <= 1; side += 2) {
            cm__shape_moment beside;
            cm__shapes_at(s, m->u + side * way / speed, true, &beside);
            if (!(beside.gap.distance >= 0x1p14 * rounding)) continue;
            /* the opposite side of a flat shape */
            if (!(cm__point_dot(beside.gap.normal, m->gap.normal) > 0.5)) continue;
            m->gap.normal = beside.gap.normal;
            return;
        }
}
