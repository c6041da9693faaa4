/* First contacts that only brush.
 *
 * What slides over a floor of tiles meets the side of the next tile with its own: at the edge that the two share a
 * contact has many normals, of the side, of the top and all between them. So it is where a box passes a pillar flush
 * with it, or a ball grazes a corner. A contact blocks where bodies approach along all of its normals, that is, where
 * they would get deeper if they went on; along one that is not approached they slide. Of normals that are rounded in
 * the last bits nothing can be said, so the question is asked of depths: would the two, moving straight on, however
 * long, get deeper than SWEEP_BRUSH G, or pass through each other where one is thinner than that (start.c)?
 *
 * The path does not end with the step for this: what reaches a wall at the step's end is blocked. Turning is no part of
 * it: a body that spins is blocked at its first contact, if it approaches. And what has no inside does not brush: it
 * would slip between two bodies that touch, as a point through the seam of a floor. So the triangles of meshes block.
 */
#include "sweep/brush.h"

#include "math/wide.h"

#define BRUSH_SAME 0.999 /* the cosine of the angle up to which two normals are one: 2.6 degrees */

/* Has it no inside? (Of some kinds that is not known: those count as having one.) */
static bool core_is_thin(const cm__core *core) {
    return !(core->radius > 0) && core->ops->inner && !(core->ops->inner(core) > 0);
}

/* A ball around the core's center that lies in the core, radius included; the center as seen from the contact. */
static double brush_ball(const cm__moving *m, double u, cm__point at, cm__point *center) {
    cm__frame frame;
    cm__moving_at(m, u, &frame);
    *center = cm__point_sub(frame_apply(&frame, m->core.center), at);
    return wide_max(m->core.ops->inner ? m->core.ops->inner(&m->core) : 0, 0) + m->radius;
}

/* Is it certain that they do not only brush, as balls within the two show that they get deep? The hull of the contact
 * and a ball lies in each of the two. So does, for 0 <= t <= 1, the ball of radius t times the first's and that around
 * t times the first's center; when A has moved on by s v, these two share a point where s v is no farther from the
 * difference of their centers than both radii together. Tried are the ball of A alone, that of B alone, and both at
 * once. */
static bool balls_get_deep(const cm__moving_pair *p, double u, cm__point at, cm__point v, double depth) {
    cm__point of_a, of_b;
    const double ra = brush_ball(&p->a, u, at, &of_a), rb = brush_ball(&p->b, u, at, &of_b);
    const double vv = cm__point_dot(v, v);
    const cm__point ways[3] = {cm__point_sub(of_b, of_a), of_b, wide_neg(of_a)};
    const double reach[3] = {ra + rb, rb, ra};
    for (int i = 0; i < 3; i++) {
        const double along = cm__point_dot(ways[i], v), room = reach[i] - 8 * depth;
        const cm__point across = cm__point_mul_add(ways[i], -along / vv, v);
        if (along > 0 && room > 0 && cm__point_dot(across, across) < room * room) return true;
    }
    return false;
}

/* The two as they are at time u, moving straight on with the velocity of the contact. */
static void brush_straight_on(const cm__moving_pair *p, double u, cm__point v, cm__moving_pair *out) {
    cm__frame a, b;
    cm__moving_at(&p->a, u, &a);
    cm__moving_at(&p->b, u, &b);
    cm__moving_core(&p->a.core, &a, v, &out->a);
    cm__moving_core(&p->b.core, &b, cm__p(0, 0, 0), &out->b);
    cm__moving_pair_finish(out);
}

/* Do they get deeper than SWEEP_BRUSH G from the contact, at time u, on? *at: with the normal along which they do. */
static bool contact_sinks(const cm__moving_pair *p, double u, double depth, double limit, cm__moving_gap *at) {
    at->u = u;
    at->distance = cm__moving_along(p, u, at->normal);
    if (at->distance < -depth / 8) cm__moving_gap_at(p, u, at); /* the direction of so short a gap is rounding */
    return cm__moving_sinks(p, 0, depth, limit, at);
}

void cm__sweep_judge(const cm__moving_pair *p, cm__point at, cm__point v, double band, double limit,
                     cm_sweep_hit *hit) {
    const double depth = SWEEP_BRUSH * band, u = (double)hit->first;
    const double sizes = p->a.core.size + p->b.core.size + p->a.radius + p->b.radius;
    const double past = 4 * sizes / cm__point_length(v); /* the time in which they pass each other, straight on */
    const cm__moving_gap first = {.a = at, .normal = cm__point_of(hit->normal)};
    cm__moving_gap deep = first;
    if (core_is_thin(&p->a.core) || core_is_thin(&p->b.core)) return;
    if (p->a.radius + p->b.radius > 0 && balls_get_deep(p, u, at, v, depth)) return;
    bool sinks = contact_sinks(p, u, depth, p->turns ? limit : u + past, &deep);
    if (!sinks && p->turns) {
        cm__moving_pair on;
        deep = first;
        brush_straight_on(p, u, v, &on);
        sinks = contact_sinks(&on, 0, depth, past, &deep);
    }
    hit->blocking = sinks;
    if (!sinks) return;
    /* of several normals, the one along which they get deep last */
    const double rate = cm__point_dot(v, deep.normal);
    if (!(rate > 0 && rate < cm__point_dot(v, first.normal))) return;
    if (cm__point_dot(deep.normal, first.normal) > BRUSH_SAME || cm__moving_along(p, u, deep.normal) < -depth) return;
    hit->normal = cm__vec3_of(deep.normal);
}

void cm__straight_judge(const cm__core *a, const cm__frame *frame_a, const cm__core *b, const cm__frame *frame_b,
                        cm__point move, cm__point v, cm__point origin, double band, cm_sweep_hit *hit) {
    cm__moving_pair pair;
    cm__moving_core(a, frame_a, move, &pair.a);
    cm__moving_core(b, frame_b, cm__point_sub(move, v), &pair.b);
    cm__moving_pair_finish(&pair);
    cm__sweep_judge(&pair, cm__point_sub(cm__point_of(hit->point), origin), v, band, 1, hit);
}
