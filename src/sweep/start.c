/* Sweeps that start in touch: within the band around touching, or deeper.
 *
 * Do the two get deeper than at the start by more than G? With g the signed distance, steps for which a direction
 * proves g(u) - (g(0) - G) > 0 (stride.h) answer: along the normal at the time reached until it proves no more, then
 * along the normal at that time. In straight motion g is convex and this is Newton's method from the left, never past
 * the root. A normal that was one of many (at edges and corners that touch) or is rounding proves a tiny step only, and
 * the next one is right. A body that turns about the normal does not move along it: one step. A body thinner than G
 * never gets G deep. That it was passed through shows in the normal: it is reversed, the two hardly overlap along it
 * any more, and it is none of the normals of the start, unless the caller knows on which side they start. Bound:
 * START_STEPS steps; the proof ends at the last of them. */
#include "sweep/start.h"
#include "math/trig.h"
#include "math/wide.h"
#include "sweep/curve.h"
#include "sweep/hit.h"
#include "sweep/shapes.h"
#include "sweep/stride.h"

#define START_STEPS   256        /* bound on the steps of a search */
#define START_CURVED  2e-11      /* of its size: error of the depth of a curved shape */
#define START_SAME    (1 - 1e-6) /* cosine: normals nearer to each other are one, and have one point */
#define START_AT_ONCE 4          /* depths: what has closed by more since the start has not been in touch since then */

/* Bisection between two times, at the first of which the separation is at least `level` and at the second not: a time
 * at which it still is, close to the last such time. `normal`: along it; NULL: the signed distance. */
static double moving_last_above(const cm__moving_pair *p, double low, double high, double level, double slack,
                                const cm__point *normal) {
    for (int i = 0; i < 48; i++) {
        const double middle = low + (high - low) / 2;
        if (!(middle > low && middle < high)) break;
        cm__moving_gap gap;
        if (normal) {
            gap.distance = cm__moving_along(p, middle, *normal);
        } else {
            cm__moving_gap_at(p, middle, &gap);
        }
        if (gap.distance < level) {
            high = middle;
            continue;
        }
        low = middle;
        if (gap.distance < level + slack) break;
    }
    return low;
}

/* Where a point of A at time `from` is at time `to`. */
static cm__point moving_carry(const cm__moving_pair *p, cm__point at, double from, double to) {
    cm__frame before, after;
    cm__moving_at(&p->a, from, &before);
    cm__moving_at(&p->a, to, &after);
    return frame_apply(&after, frame_unrotate(&before, cm__point_sub(at, before.position)));
}

/* The direction nearest to a normal along which a velocity does not bring them closer. The normal of a curved shape is
 * known only to the square root of rounding, an error that would count for more than the depth. Where they slide, this
 * direction proves as much as the normal, and for the whole step. false: it is too far from the normal. */
static bool moving_level(const cm__moving_pair *p, cm__point v, cm__point normal, cm__point *out) {
    const double square = cm__point_dot(v, v), along = cm__point_dot(v, normal);
    if (p->b.endless || !(square > 0 && along * along < 1e-10 * square)) return false;
    *out = wide_normalize(cm__point_mul_add(normal, -along / square, v), normal);
    return true;
}

/* cm__moving_stride for sinking, starting from a gap: along the gap's normal, and where that proves too little along
 * other directions. The normal of a rotating face rotates with it. */
static double moving_sink_stride(const cm__moving_pair *p, const cm__moving_gap *at, double level, double slack,
                                 double most) {
    const double left = cm__moving_along(p, at->u, at->normal) - level;
    const double speed = cm__point_dot(p->v, at->normal) + cm__moving_turning(p, at->normal);
    cm__point beside;
    if (!(left > 0)) return 0;
    if (!(speed > 0) || left / speed >= most) return most;
    double h = cm__moving_stride(p, at->u, 1, at->normal, left, level, slack, left / speed, most);
    if (h < most && moving_level(p, p->v, at->normal, &beside))
        h = cm__moving_stride(p, at->u, 1, beside, cm__moving_along(p, at->u, beside) - level, level, slack, h, most);
    h = cm__moving_stride_turned(p, at->u, 1, at->normal, left, level, slack, h, most);
    return h < most && p->turns ? cm__moving_stride_faces(p, at, level, slack, h, most) : h;
}

/* The speed at which the two close at a point along a normal; adds to *sizes how large the terms are that it is made
 * of. */
static double moving_closing(const cm__moving_pair *p, double u, cm__point at, cm__point normal, double *sizes) {
    const cm__point v = cm__moving_pair_velocity(p, u, at, sizes);
    if (!p->turns) *sizes = cm__point_length(v);
    return cm__point_dot(v, normal);
}

static bool moving_approaches(const cm__moving_pair *p, double u, cm__point at, cm__point normal) {
    double sizes = 0;
    const double speed = moving_closing(p, u, at, normal, &sizes);
    return speed > SWEEP_SLIDE * sizes;
}

/* They are too deep at *here. Do they get deeper from the start on? They do where they were in touch there already and
 * approached, or acceleration drove them into each other after moving apart by next to nothing; and where that approach
 * takes no longer: else they parted along another direction, as at corners, and met again. */
static bool moving_sinks_at_once(const cm__moving_pair *p, const cm__moving_gap *from, const cm__moving_gap *here,
                                 double depth) {
    const cm__point point = moving_carry(p, here->a, here->u, from->u), normal = here->normal;
    if (!(cm__moving_along(p, from->u, normal) >= from->distance - depth)) return false;
    const double ahead = cm__point_dot(normal, cm__point_sub(from->a, point));
    if (!(fabs(ahead) <= depth)) return false;
    double sizes = 0;
    const double speed = moving_closing(p, from->u, point, normal, &sizes), pull = cm__point_dot(p->bend, normal);
    const bool pulled = p->curved && pull > SWEEP_SLIDE * cm__point_length(p->bend);
    if (!(speed > SWEEP_SLIDE * sizes) && !(pulled && cm__curve_closes(depth / 8, wide_min(speed, 0), pull)))
        return false;
    const double end = moving_closing(p, here->u, here->a, normal, &sizes);
    return (speed + end) / 2 * (here->u - from->u) <= START_AT_ONCE * depth;
}

/* Is there a direction perpendicular to `normal`, at time u, along which they overlap by no more than `level`? Where
 * two pass through each other along `normal`, their projections along it have to overlap. For projections of few
 * corners, the least overlap is across an edge of either. */
static bool moving_brushes(const cm__moving_pair *p, double u, cm__point normal, double level) {
    const cm__moving *both[2] = {&p->a, &p->b};
    for (int k = 0; k < 2 && !p->b.endless; k++) {
        const cm__core *core = &both[k]->core;
        cm__frame frame;
        if (!core->ops->corner || core->count > 8) continue;
        cm__moving_at(both[k], u, &frame);
        for (uint32_t i = 0; i < core->count; i++)
            for (uint32_t j = i + 1; j < core->count; j++) {
                const cm__point edge = cm__point_sub(core->ops->corner(core, j), core->ops->corner(core, i));
                const cm__point side = cm__point_cross(normal, frame_rotate(&frame, edge)), none = {0, 0, 0};
                const cm__point n = wide_normalize(side, none);
                if (!(cm__point_largest(n) > 0)) continue;
                if (cm__moving_along(p, u, n) >= level || cm__moving_along(p, u, wide_neg(n)) >= level) return true;
            }
    }
    return false;
}

bool cm__moving_stays(const cm__moving_pair *p, double u, cm__point normal, double from, double depth, double limit) {
    const cm__moving_gap at = {.u = u, .normal = normal};
    return moving_sink_stride(p, &at, from - depth * 7 / 8, depth / 8, limit - u) >= limit - u;
}

/* Is the gap below `level`? A normal tilted by rounding proves less than the distance; then what it proves counts,
 * because the steps go by that. */
static bool moving_is_down(const cm__moving_pair *p, const cm__moving_gap *at, double level, double rounding) {
    if (at->distance <= level) return true;
    return at->distance <= level + rounding && cm__moving_along(p, at->u, at->normal) <= level;
}

/* The point of A's surface touched along `normal` at time `from`, at time `to`: carried with A's set of points, as what
 * a ball or a cylinder that rolls touches is not a mark on it that comes down there later. So a radius stays along the
 * normal, and a body of revolution does not turn about its axis. */
static cm__point moving_carry_touched(const cm__moving_pair *p, cm__point at, cm__point normal, double from,
                                      double to) {
    const cm__moving *m = &p->a;
    cm__frame before, after;
    cm__moving_at(m, from, &before);
    cm__moving_at(m, to, &after);
    const cm__point core = cm__point_mul_add(at, -m->radius, normal);
    cm__point arm = cm__point_sub(core, frame_apply(&before, m->core.center));
    if (m->across > 0) { /* else the set does not turn */
        arm = frame_unrotate(&before, arm);
        if (m->round) {
            double sine, cosine;
            const double own = cm__point_dot(m->spin, frame_rotate(&m->start, m->axis)) * (from - to);
            cm__sine_cosine(own, &sine, &cosine);
            const cm__point across = cm__point_cross(m->axis, arm), inward = cm__point_cross(m->axis, across);
            arm = cm__point_mul_add(cm__point_mul_add(arm, sine, across), 1 - cosine, inward);
        }
        arm = frame_rotate(&after, arm);
    }
    const cm__point now = cm__point_add(frame_apply(&after, m->core.center), arm);
    return cm__point_mul_add(now, m->radius, normal);
}

/* Point and normal at the time at->u of what is too deep at *here. What moves straight enters along that normal from
 * the start on. Else, of cores that are apart and have a radius the normal at any time is the only one, and of a ball
 * the point too; a half-space has no other normal. Where there are many, they are those along which the two enter. */
static void moving_settle(const cm__moving_pair *p, const cm__moving_gap *here, double rounding, cm__moving_gap *at) {
    cm__moving_gap now;
    if (!p->turns) {
        at->a = moving_carry(p, here->a, here->u, at->u);
        return;
    }
    at->a = moving_carry_touched(p, here->a, here->normal, here->u, at->u);
    const double radii = p->a.radius + p->b.radius;
    if (here->u == at->u || !(radii > 0 || p->b.endless)) return;
    cm__moving_gap_at(p, at->u, &now);
    if (!p->b.endless && !(now.distance + radii > 64 * rounding)) return;
    if (!(cm__point_dot(now.normal, here->normal) > 0.5)) return;
    at->a = cm__point_mul_add(cm__point_mul_add(at->a, -p->a.radius, here->normal), p->a.radius, now.normal);
    at->normal = now.normal;
    if (!p->b.endless && !(p->b.core.size > 0)) at->a = now.a;
}

bool cm__moving_sinks(const cm__moving_pair *p, double start, double depth, double limit, cm__moving_gap *at) {
    const cm__moving_gap from = *at;
    const double slack = depth / 8, level = start - depth * 7 / 8, shallow = start - slack;
    const double rounding = 4 * DBL_EPSILON * (p->scale + p->a.core.size + p->b.core.size);
    cm__moving_gap here = from, next;
    double good = from.u;
    bool through = false;
    for (int i = 0; i < START_STEPS; i++) {
        const double most = limit - here.u;
        const double h = moving_sink_stride(p, &here, level, slack, most);
        if (p->work) *p->work += CM__WORK_STEP;
        if (h >= most) return false;
        next.u = here.u + h;
        if (!(next.u > here.u)) break;
        cm__moving_gap_at(p, next.u, &next);
        if (cm__point_dot(next.normal, here.normal) < -0.5 && next.distance < 2 * depth &&
            cm__moving_along(p, next.u, wide_neg(here.normal)) > level - 2 * depth &&
            (from.sided || cm__moving_along(p, from.u, next.normal) < from.distance - rounding) &&
            !moving_brushes(p, next.u, here.normal, level)) { /* passed through to the other side */
            through = true;
            break;
        }
        here = next;
        if (moving_is_down(p, &here, level + slack, 16 * rounding)) break;
        if (here.distance >= shallow) good = here.u;
    }
    *at = here;
    at->u = from.u;
    at->limit = !through && !moving_is_down(p, &here, level + slack, 16 * rounding);
    const double until = through ? next.u : here.u;
    const bool touched = from.distance <= start + depth;
    if (p->turns && !(touched && moving_sinks_at_once(p, &from, &here, depth)))
        at->u = moving_last_above(p, through ? here.u : good, until, shallow, slack, through ? &here.normal : NULL);
    moving_settle(p, &here, rounding, at);
    return true;
}

/* --- how a sweep starts ------------------------------------------------------------------------------------------ */

/* Backwards from u = 1 to the last touch, or to `first`. */
static double start_last(const cm__moving_pair *p, double band, double first) {
    const double near = band / 2;
    double u = 1;
    for (int i = 0; i < START_STEPS; i++) {
        cm__moving_gap gap;
        cm__moving_gap_at(p, u, &gap);
        const double left = gap.distance - near, most = u - first, speed = -cm__point_dot(p->v, gap.normal);
        if (left <= near) return u;
        if (!(speed > 0) || left / speed >= most) return first;
        u = (double)wide_up(u - left / speed);
    }
    return u;
}

/* Along the normal of the start: are they never nearer than at the start? */
static bool start_separates(const cm__moving_pair *p, const cm__moving_gap *at, double band) {
    const double left = band / 1024;
    const double speed = cm__point_dot(p->v, at->normal) + cm__moving_turning(p, at->normal);
    if (!(speed > 0)) return true;
    if (!p->turns) return false;
    return cm__moving_stride(p, 0, 1, at->normal, left, at->distance - left, left, 0, 1) >= 1;
}

/* The normals of polytopes are exact. Those of rounded or curved shapes are not: a direction next to the normal, along
 * which the contact point does not approach, may prove as much. */
static bool start_approaches(const cm__moving_pair *p, const cm__moving_gap *at) {
    cm__point beside;
    if (!moving_approaches(p, at->u, at->a, at->normal)) return false;
    const bool curved = !p->b.endless && !(p->a.core.ops->corner && p->b.core.ops->corner);
    if (p->b.endless || (!curved && !(p->a.radius > 0 || p->b.radius > 0))) return true;
    double sizes = 0;
    const cm__point v = cm__moving_pair_velocity(p, at->u, at->a, &sizes);
    const double size = p->a.core.size + p->b.core.size;
    const double known = curved ? START_CURVED * size : MOVING_ROUNDING * (p->scale + size);
    return !moving_level(p, v, at->normal, &beside) || cm__moving_along(p, at->u, beside) < at->distance - known;
}

/* The normal with the larger separation is better; rounding may tilt either normal of a large face. Of several ways out
 * of a deep start that are equally long, but for the rounding of poses, the shapes at rest tell one: so a body may
 * leave by the way that cm_distance tells. */
static void start_at_rest(const cm__moving_pair *p, const cm__start *start, cm__moving_gap *at) {
    const cm__gap *rest = start->rest;
    const double apart = cm__moving_along(p, 0, rest->normal);
    const bool other = cm__point_dot(rest->normal, at->normal) < START_SAME;
    const bool deep = start->overlap && apart < -start->band;
    if (apart > cm__moving_along(p, 0, at->normal) - (other && deep ? start->band : 0)) {
        at->normal = rest->normal;
        if (other) at->a = rest->a;
    }
    at->distance = wide_max(at->distance, apart);
}

bool cm__start_run(const cm__moving_pair *p, const cm__start *start, cm_sweep_hit *out) {
    cm__moving_gap at;
    cm__moving_gap_at(p, 0, &at);
    if (start->rest) start_at_rest(p, start, &at);
    const bool deep = start->overlap && at.distance < -start->band;
    const cm__moving_gap still = at;
    out->blocking = false;
    if (!start->first_only && deep) {
        const double slide = SWEEP_SLIDE * (cm__point_length(p->v) + cm__moving_turning(p, at.normal));
        out->blocking = start_approaches(p, &at);
        if (!out->blocking && p->turns)
            out->blocking = cm__moving_sinks(p, at.distance, wide_max(start->band, slide), start->limit, &at);
    } else if (!start->first_only) {
        out->blocking = cm__moving_sinks(p, at.distance, start->band, start->limit, &at);
    }
    if (!start->overlap && !out->blocking && start_separates(p, &still, start->band)) return false;
    out->start = deep ? CM_SWEEP_OVERLAPPING : start->overlap ? CM_SWEEP_TOUCHING : CM_SWEEP_SEPARATED;
    out->first = wide_down(at.u);
    if (!start->overlap && !(out->first > 0)) out->first = CM_REAL_MIN;
    out->last = 1;
    if (start->last && !p->turns) out->last = cm_max(wide_up(start_last(p, start->band, 0)), out->first);
    out->normal = cm__vec3_of(at.normal);
    out->point = cm__vec3_of(at.a);
    out->part_a = out->part_b = CM_NONE;
    out->proof = at.limit ? CM_PROOF_LIMIT : CM_PROOF_CONTACT;
    out->free_until = 0;
    return true;
}
