/* Spheres in motion: |p + u v| = ra + rb, p from B's center to A's, v A's motion relative to B's.
 *
 * The quadratic is solved by its closest approach (math/span.c), with the radius enlarged by the bound on its rounding:
 * so `first` is never late, and early by at most 64 ulps of double of |p| + |v| + r, before it is rounded down to
 * cm_real. Both roots outside [0, 1] is no contact; no relative motion needs no root; an overlap at the start still has
 * an end. Based on: [Gomez99], corrected: docs/theory/article-errata.md. */
#include "carom/primitives.h"
#include "sweep/brush.h"
#include "sweep/hit.h"

static cm__straight_end sweep_balls(cm__point from, cm__point p, cm__point v, cm__point move, double ra, double rb,
                                    double size, double band, cm_sweep_hit *out) {
    double reach = ra + rb, distance = cm__point_length(p);
    cm__span span = {0, 1};
    if (!cm__span_ball(p, v, reach + CM__SPAN_SLOP * size, &span))
        return distance - reach <= band ? CM__STRAIGHT_NEAR : CM__STRAIGHT_MISS;
    cm__point normal = wide_normalize(wide_neg(p), cm__p(1, 0, 0));
    cm__sweep_start_state start = {distance - reach, sweep_rate(v, normal), band};
    cm__straight_end end = cm__sweep_begin(&start, span, out);
    if (end != CM__STRAIGHT_HIT) return end;
    double u = (double)out->first;
    normal = wide_normalize(wide_neg(cm__point_mul_add(p, u, v)), normal);
    cm__sweep_end(v, normal, cm__point_mul_add(cm__point_mul_add(from, u, move), ra, normal), out);
    return CM__STRAIGHT_HIT;
}

cm__straight_end cm__straight_point_point(const cm__straight *s, cm_sweep_hit *out) {
    cm__point from = frame_apply(&s->pose_a, cm__point_of(s->a->u.point));
    cm__point p = cm__point_sub(from, frame_apply(&s->pose_b, cm__point_of(s->b->u.point)));
    double ra = (double)s->a->radius, rb = (double)s->b->radius;
    const double size = wide_length_most(p) + wide_length_most(s->v) + ra + rb;
    return sweep_balls(from, p, s->v, s->move, ra, rb, size, s->band, out);
}

bool cm_sweep_sphere_sphere(const cm_sphere *a, cm_vec3 move_a, const cm_sphere *b, cm_vec3 move_b, cm_sweep_hit *out) {
    cm__point from = cm__point_of(a->center), move = cm__point_of(move_a);
    cm__point p = cm__point_sub(from, cm__point_of(b->center)), v = cm__point_sub(move, cm__point_of(move_b));
    double ra = (double)a->radius, rb = (double)b->radius, size = wide_length_most(p) + wide_length_most(v) + ra + rb;
    const double band = straight_band(size);
    cm_sweep_hit hit;
    cm__straight_end end = sweep_balls(from, p, v, move, ra, rb, size, band, &hit);
    if (end == CM__STRAIGHT_MISS) return false;
    if (!cm_sphere_is_valid(a) || !cm_sphere_is_valid(b) || !cm_vec3_is_valid(move_a) || !cm_vec3_is_valid(move_b))
        return false;
    if (!straight_is_settled(end, &hit, v, ra + rb, band)) {
        cm__straight_pair s = {.move = move, .v = v, .origin = from, .band = band};
        s.frame_a = frame_at(cm__p(0, 0, 0)), s.frame_b = frame_at(wide_neg(p));
        cm__core_point(cm__p(0, 0, 0), &s.a);
        s.b = s.a;
        s.a.radius = ra, s.b.radius = rb;
        if (!cm__straight_settle(&s, end, end == CM__STRAIGHT_NEAR && cm_overlap_sphere_sphere(a, b), &hit))
            return false;
    }
    if (out) *out = hit;
    return true;
}
