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

/* Has it no inside? (Of some kinds that is not known: those count as having one.) */
static bool core_is_thin(const cm__core *core) {
    return !(core->radius > 0) && core->ops->inner && !(core->ops->inner(core) > 0);
}

/* A ball around the core's center that lies in the core, radius included; the center as seen from the contact. */
static double brush_ball(const cm__core *core, const cm__frame *frame, cm__point at, cm__point *center) {
    *center = cm__point_sub(frame_apply(frame, core->center), at);
    return wide_max(core->ops->inner ? core->ops->inner(core) : 0, 0) + core->radius;
}

/* The hull of the contact and a ball lies in each of the two. So does, for 0 <= t <= 1, the ball of radius t times the
 * first's and that around t times the first's center; when A has moved on by s v, these two share a point where s v is
 * no farther from the difference of their centers than both radii together. Tried are the ball of A alone, that of B
 * alone, and both at once. */
bool cm__brush_is_out(const cm__core *a, const cm__frame *frame_a, const cm__core *b, const cm__frame *frame_b,
                      cm__point at, cm__point v, double band) {
    cm__point of_a, of_b;
    if (core_is_thin(a) || core_is_thin(b)) return true;
    const double ra = brush_ball(a, frame_a, at, &of_a), rb = brush_ball(b, frame_b, at, &of_b);
    const double vv = cm__point_dot(v, v);
    const cm__point ways[3] = {cm__point_sub(of_b, of_a), of_b, wide_neg(of_a)};
    const double reach[3] = {ra + rb, rb, ra};
    for (int i = 0; i < 3; i++) {
        const double along = cm__point_dot(ways[i], v), room = reach[i] - 8 * SWEEP_BRUSH * band;
        const cm__point across = cm__point_mul_add(ways[i], -along / vv, v);
        if (along > 0 && room > 0 && cm__point_dot(across, across) < room * room) return true;
    }
    return false;
}

bool cm__sweep_brushes(const cm__moving_pair *p, cm__point at, cm__point normal, double band) {
    const double depth = SWEEP_BRUSH * band;
    const double sizes = p->a.core.size + p->b.core.size + p->a.radius + p->b.radius;
    cm__moving_gap from = {.a = at, .normal = normal};
    from.distance = cm__moving_along(p, 0, normal);
    if (from.distance < -depth / 8) cm__moving_gap_at(p, 0, &from); /* the direction of so short a gap is rounding */
    return !cm__moving_sinks(p, 0, depth, 4 * sizes / cm__point_length(p->v), &from);
}

bool cm__straight_brushes(const cm__core *a, const cm__frame *frame_a, const cm__core *b, const cm__frame *frame_b,
                          cm__point move, cm__point v, cm__point origin, double band, const cm_sweep_hit *hit) {
    cm__frame at_a = *frame_a, at_b = *frame_b;
    cm__moving_pair pair;
    const cm__point move_b = cm__point_sub(move, v);
    at_a.position = cm__point_mul_add(at_a.position, (double)hit->first, move);
    at_b.position = cm__point_mul_add(at_b.position, (double)hit->first, move_b);
    const cm__point at = cm__point_sub(cm__point_of(hit->point), origin);
    if (cm__brush_is_out(a, &at_a, b, &at_b, at, v, band)) return false;
    cm__moving_core(a, &at_a, move, &pair.a);
    cm__moving_core(b, &at_b, move_b, &pair.b);
    cm__moving_pair_finish(&pair);
    return cm__sweep_brushes(&pair, at, cm__point_of(hit->normal), band);
}
