/* A ray against any convex core, with or without a radius, through its support point.
 *
 * The distance f(s) from the ray's point at s to the core is convex in s. From a point outside, the plane that proves
 * the distance (gjk.c) moves away from the ray no faster than the ray goes: where the ray meets that plane, moved out
 * by the radius, it has not met the shape before [vandenBergen04]. That is Newton's method on a convex function: never
 * late, quadratic where the ray is not tangent, and where f grows again before it got small, there is no hit at all.
 * The exit is the same, from beyond the shape backwards.
 *
 * Guarantees: t is never later than the first point of the shape, but for rounding; the gap left there is at most 1e-10
 * (double build 1e-11) of the shape's size; a miss by less than that may be reported as a hit. Everything is in the
 * shape's frame, seen from the point of the ray that is nearest to the core's center, so it does not depend on how far
 * the ray has come but for that point's own rounding. Bound: RAY_STEPS distances each way; 4 to 8 are usual.
 *
 * Based on: [vandenBergen04], with one search of the distance a step in place of one support point. */
#include "convex/convex.h"
#include "shape/ray.h"
#include "shape/shape.h"
#include "math/wide.h"

#define RAY_STEPS 64

typedef struct core_ray {
    cm__core core, point;
    cm__point near, unit; /* of the line: the point nearest to the core's center, from that center; its direction */
    double band;          /* gaps below it are rounding */
} core_ray;

typedef struct core_ray_end {
    double s;         /* along the line, from `near` */
    cm__point normal; /* unit, outward */
    bool at_start;    /* met where the search began */
} core_ray_end;

static double core_ray_gap(core_ray *r, double s, cm__point *normal, bool *apart) {
    cm_pair_cache cache = {.normal = cm__vec3_of(*normal)};
    cm__gjk_task task = {DBL_MAX, DBL_MAX, -1, false, &cache, NULL};
    cm__convex_pair pair;
    cm__frame frame;
    cm__gjk g;
    cm__point at = cm__point_mul_add(r->near, s, r->unit);
    frame.x = cm__p(1, 0, 0), frame.y = cm__p(0, 1, 0), frame.z = cm__p(0, 0, 1);
    frame.position = wide_neg(cm__point_add(r->core.center, at));
    cm__convex_pair_of(&r->point, &r->core, &frame, &pair);
    cm__gjk_run(&pair, &task, &g);
    *apart = g.end == CM__GJK_APART;
    if (*apart) *normal = wide_normalize(g.normal, *normal);
    r->band = 64 * DBL_EPSILON * (pair.scale + r->core.radius); /* as CONVEX_ROUNDING (convex.c) */
    return *apart ? g.lower - r->core.radius : -r->core.radius;
}

/* From s on along way * unit (way = 1 or -1): the first point that is not outside; no farther than `most`. */
static bool core_ray_search(core_ray *r, double s, double most, double way, core_ray_end *out) {
    cm__point normal = cm__point_scale(r->unit, way); /* from the point to the core */
    for (int i = 0; i < RAY_STEPS; i++) {
        bool apart;
        double gap = core_ray_gap(r, s, &normal, &apart), speed = way * cm__point_dot(normal, r->unit);
        out->s = s;
        out->normal = wide_neg(normal);
        out->at_start = i == 0;
        if (!(gap > r->band)) return true;
        if (!(speed > 0)) return false;
        s += way * (gap / speed);
        if (!(way * (s - most) <= 0)) return false;
    }
    return true; /* early, and almost there */
}

bool cm__ray_core(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out) {
    core_ray r;
    cm__ops(shape->kind)->core(shape, &r.core);
    cm__core_point(cm__p(0, 0, 0), &r.point);
    cm__point v = cm__point_of(ray->direction), from = cm__point_sub(cm__point_of(ray->origin), r.core.center);
    double speed = cm__point_length(v), reach = r.core.size + r.core.radius;
    r.unit = cm__point_scale(v, 1 / speed);
    /* in two steps: the second takes out what the first one rounded */
    double origin = cm__point_dot(from, r.unit);
    r.near = cm__point_mul_add(from, -origin, r.unit);
    double rest = cm__point_dot(r.near, r.unit);
    origin += rest;
    r.near = cm__point_mul_add(r.near, -rest, r.unit);
    /* the stretch of the line within half as much again as the ball around the shape: it ends clear of the shape, so
     * that the searches from both ends begin outside */
    double aside = cm__point_length(r.near), around = 1.5 * reach + 64 * DBL_EPSILON * wide_sum(from);
    if (!(aside <= around)) return false;
    double half = sqrt((around - aside) * (around + aside));
    double length = wide_min((double)ray->max, DBL_MAX / wide_max(speed, 1)) * speed, end = origin + length;
    if (!(origin <= half && end >= -half)) return false;
    core_ray_end in, leave;
    if (!core_ray_search(&r, wide_max(origin, -half), wide_min(end, half), 1, &in)) return false;
    bool inside = in.at_start && origin >= -half;
    if (!core_ray_search(&r, half, in.s, -1, &leave)) leave = in;
    if (!out) return true;
    double first = inside ? 0 : wide_clamp((in.s - origin) / speed, 0, (double)ray->max);
    cm__span span = {first, wide_clamp((leave.s - origin) / speed, first, (double)ray->max)};
    cm__ray_finish(ray, span, inside ? leave.normal : in.normal, out);
    out->inside = inside;
    return true;
}
