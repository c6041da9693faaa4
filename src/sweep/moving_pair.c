/* Two shapes in motion: where they are closest at a time, and the separation along a direction. Along a unit direction
 * n the separation s_n is the least n.(q - p) over the points p of A and q of B (negative: their overlap along n). The
 * signed distance of two convex sets is the greatest s_n, so every n bounds it from below. */
#include "sweep/moving_pair.h"
#include "convex/convex.h"
#include "math/wide.h"
#include "pair/method.h"

void cm__moving_pair_finish(cm__moving_pair *p) {
    p->v = cm__point_sub(p->a.move, p->b.move);
    p->bend = cm__point_sub(p->a.accelerate, p->b.accelerate);
    p->curved = cm__point_largest(p->bend) > 0;
    p->turns = p->a.turns || p->b.turns || p->curved;
    const double moved = cm__point_length(p->v) + cm__point_length(p->bend);
    p->scale = cm__point_largest(p->v) + cm__point_largest(p->a.pivot) + cm__point_largest(p->b.pivot);
    p->scale += cm__point_largest(p->bend);
    p->work = NULL;
    p->passing = moved + cm__moving_fastest(&p->a);
    p->far = cm__point_length(cm__point_sub(p->a.away, p->b.away)) + 2 * moved + p->a.arm + p->a.core.size;
}

void cm__moving_pair_of(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                        cm__moving_pair *out) {
    const cm__point origin = cm__point_of(ma->start.position);
    cm__moving_of(a, ma, origin, &out->a);
    cm__moving_of(b, mb, origin, &out->b);
    cm__moving_pair_finish(out);
}

double cm__moving_pair_fastest(const cm__moving_pair *p) {
    const double turning =
        cm__moving_fastest(&p->a) + (p->b.endless ? p->b.across * p->far : cm__moving_fastest(&p->b));
    return turning + cm__point_length(p->bend);
}

double cm__moving_turning(const cm__moving_pair *p, cm__point normal) {
    if (!p->turns) return 0;
    const double gained = wide_max(cm__point_dot(p->bend, normal), 0);
    if (!(p->b.endless && p->b.turns))
        return gained + cm__moving_speed(&p->a, normal) + (p->b.endless ? 0 : cm__moving_speed(&p->b, normal));
    return cm__moving_pair_fastest(p);
}

double cm__moving_pair_bend(const cm__moving_pair *p, cm__point normal) {
    if (!p->turns) return 0;
    if (!(p->b.endless && p->b.turns)) {
        const double braked = wide_max(-cm__point_dot(p->bend, normal), 0);
        return braked + cm__moving_bend(&p->a, normal) + (p->b.endless ? 0 : cm__moving_bend(&p->b, normal));
    }
    /* the height n.(p - q) over the plane: n'', twice n' with the points' speed, and their acceleration */
    const double spin_a = cm__point_length(p->a.spin), spin_b = cm__point_length(p->b.spin);
    const double turning = p->b.across * (spin_b * p->far + 2 * p->passing) + spin_a * cm__moving_fastest(&p->a);
    return turning + cm__point_length(p->bend);
}

/* The height of A's lowest point over a half-space; the point, relative to `origin`, and the plane's normal. */
static double moving_height(const cm__moving_pair *p, const cm__frame *a, const cm__frame *b, cm__point *normal,
                            cm__point *lowest) {
    uint32_t id = 0;
    *normal = frame_rotate(b, p->b.plane);
    cm__point down = frame_unrotate(a, wide_neg(*normal));
    *lowest = frame_apply(a, p->a.core.ops->support(&p->a.core, down, &id));
    return cm__point_dot(*normal, cm__point_sub(*lowest, b->position)) + p->b.d - p->a.radius - p->b.radius;
}

double cm__moving_apart(const cm__moving_pair *p, const cm__frame *a, const cm__frame *b, cm__point normal) {
    if (p->b.endless) {
        cm__point up, lowest;
        return moving_height(p, a, b, &up, &lowest);
    }
    const cm__point toward_b = frame_unrotate(a, normal), toward_a = frame_unrotate(b, wide_neg(normal));
    uint32_t id_a = 0, id_b = 0;
    const cm__point from = p->a.core.ops->support(&p->a.core, toward_b, &id_a);
    const cm__point to = p->b.core.ops->support(&p->b.core, toward_a, &id_b);
    const double between = cm__point_dot(normal, cm__point_sub(b->position, a->position));
    return between - cm__point_dot(from, toward_b) - cm__point_dot(to, toward_a) - p->a.radius - p->b.radius;
}

/* The gap by the method of the two kinds, in the order of the list. Steps are planned by the normal, so it has to prove
 * the distance. False where it does not, and for cores that barely touch, whose gap is too short to have a
 * direction. */
static bool moving_gap_of_shapes(const cm__moving_pair *p, const cm__frame *a, const cm__frame *b, cm__gap *out) {
    if (!p->a.shape || !p->b.shape) return false;
    const bool swapped = p->b.shape->kind < p->a.shape->kind;
    const cm_shape *first = swapped ? p->b.shape : p->a.shape, *second = swapped ? p->a.shape : p->b.shape;
    const cm__frame *frame = swapped ? b : a, second_in_first = frame_between(frame, swapped ? a : b);
    const cm__method *method = cm__method_of(first->kind, second->kind);
    if (method_searches(method) || method == &cm__method_polytopes) return false; /* the cores give the same, faster */
    method->gap(first, second, &second_in_first, out);
    const cm__point on_first = frame_apply(frame, out->a), on_second = frame_apply(frame, out->b);
    const cm__point normal = frame_rotate(frame, out->normal);
    out->a = swapped ? on_second : on_first, out->b = swapped ? on_first : on_second;
    out->normal = swapped ? wide_neg(normal) : normal;
    const double size = p->scale + p->a.core.size + p->b.core.size + cm__point_largest(second_in_first.position);
    const double rounding = MOVING_ROUNDING * size, cores = out->distance + p->a.radius + p->b.radius;
    return fabs(cores) > 64 * rounding && cm__moving_apart(p, a, b, out->normal) >= out->distance - rounding;
}

/* The gap by their cores. */
static void moving_gap_of_cores(const cm__moving_pair *p, const cm__frame *a, const cm__frame *b, cm__gap *out) {
    const cm__frame b_in_a = frame_between(a, b);
    cm__convex_pair two;
    cm__convex_gap gap;
    cm__convex_pair_of(&p->a.core, &p->b.core, &b_in_a, &two);
    two.scale += p->scale;
    cm__convex_gap_of(&two, DBL_MAX, NULL, &gap);
    cm__convex_settle(&two, &gap);
    out->distance = gap.distance;
    out->normal = frame_rotate(a, gap.normal);
    out->a = frame_apply(a, gap.a), out->b = frame_apply(a, gap.b);
}

void cm__moving_gap_at(const cm__moving_pair *p, double u, cm__moving_gap *out) {
    cm__frame a, b;
    cm__moving_at(&p->a, u, &a);
    cm__moving_at(&p->b, u, &b);
    out->u = u;
    out->sided = out->limit = false;
    if (p->b.endless) {
        cm__point up;
        out->distance = moving_height(p, &a, &b, &up, &out->a);
        out->normal = wide_neg(up);
        out->a = cm__point_mul_add(out->a, p->a.radius, out->normal);
        return;
    }
    cm__gap gap;
    if (!moving_gap_of_shapes(p, &a, &b, &gap)) moving_gap_of_cores(p, &a, &b, &gap);
    out->distance = gap.distance;
    out->normal = gap.normal;
    out->a = gap.a;
}

cm__point cm__moving_pair_velocity(const cm__moving_pair *p, double u, cm__point at, double *sizes) {
    const cm__point of_a = cm__moving_velocity(&p->a, u, at, sizes);
    return cm__point_sub(of_a, cm__moving_velocity(&p->b, u, at, sizes));
}

double cm__moving_along(const cm__moving_pair *p, double u, cm__point normal) {
    cm__frame a, b;
    cm__moving_at(&p->a, u, &a);
    cm__moving_at(&p->b, u, &b);
    return cm__moving_apart(p, &a, &b, normal);
}

cm__point cm__moving_side(const cm__moving_pair *p, double u, cm__point direction) {
    const cm__point back = wide_neg(direction);
    return cm__moving_along(p, u, direction) >= cm__moving_along(p, u, back) ? direction : back;
}
