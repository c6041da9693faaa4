/* Rays against simple sets. In double, so that the float build is right to the last bits of its inputs.
 *
 * The slab test [Kay86] divides the distances to the planes of each face pair by the direction; a direction of exactly
 * 0 never divides, but asks whether the origin is between the planes (closed: a ray in a face hits). Spheres use the
 * quadratic of math/span.c. A triangle is met where one of a mesh would be, by exact signs (mesh/ray.c): no ray slips
 * between two that share an edge, or past a corner.
 */
#include "shape/ray.h"
#include "math/closest.h"
#include "math/span.h"
#include "mesh/ray.h"
#include "shape/shape.h"

#include <string.h>

bool cm__ray_finish(const cm_ray *ray, cm__span span, cm__point normal, cm_ray_hit *out) {
    if (!out) return true;
    cm__point o = cm__point_of(ray->origin), d = cm__point_of(ray->direction);
    double t = wide_max(span.first, 0);
    out->t = (cm_real)t;
    double exit = wide_min(span.last, (double)CM_REAL_MAX);
    out->exit = cm_max((cm_real)exit, out->t);
    out->point = cm__vec3_of(cm__point_mul_add(o, t, d));
    out->normal = cm__vec3_of(normal);
    out->inside = span.first <= 0;
    out->part = CM_NONE;
    return true;
}

static cm__span ray_span(const cm_ray *ray) {
    cm__span s;
    s.first = 0, s.last = (double)ray->max;
    return s;
}

/* The rounding of a span, as a length. Added to a radius, no ray is late, nor misses what it only touches; sets that
 * are unions have it added always, as one part may be missed where it is only touched, and another met later. */
static double ray_slop(cm__point from, double size) { return CM__SPAN_SLOP * (wide_sum(from) + size); }

/* Where the normal is wanted: the entry, or the exit where the ray starts inside. */
static double ray_normal_time(cm__span span) { return span.first > 0 ? span.first : span.last; }

bool cm__ray_ball(const cm_ray *ray, cm_vec3 center, cm_real radius, cm_ray_hit *out) {
    cm__point p = cm__point_sub(cm__point_of(ray->origin), cm__point_of(center)), v = cm__point_of(ray->direction);
    const double r = (double)radius, slop = ray_slop(p, r);
    cm__span span = ray_span(ray);
    if (!cm__span_ball(p, v, r, &span) && !(span = ray_span(ray), cm__span_ball(p, v, r + slop, &span))) return false;
    cm__point at = cm__point_mul_add(p, ray_normal_time(span), v);
    return cm__ray_finish(ray, span, wide_normalize(at, wide_normalize(wide_neg(v), v)), out);
}

bool cm__ray_capsule(const cm_ray *ray, cm_vec3 a, cm_vec3 b, cm_real radius, cm_ray_hit *out) {
    cm__point p = cm__point_of(ray->origin), v = cm__point_of(ray->direction);
    cm__point from = cm__point_sub(cm__point_of(a), p), to = cm__point_sub(cm__point_of(b), p);
    cm__span span = ray_span(ray);
    const double r = (double)radius + ray_slop(from, wide_sum(to) + (double)radius);
    if (!cm__span_capsule(cm__p(0, 0, 0), v, from, to, r, &span)) return false;
    cm__point at = cm__point_scale(v, ray_normal_time(span));
    cm__closest c = cm__closest_point_segment(at, from, to);
    const cm__point axis = cm__point_sub(to, from), across = cm__point_cross(axis, wide_least_axis(axis));
    const cm__point beside = wide_normalize(across, cm__p(1, 0, 0)); /* on the axis there is no other normal */
    return cm__ray_finish(ray, span, wide_normalize(wide_neg(c.gap), beside), out);
}

/* `reach`: the largest |coordinate| of what it may meet. */
static cm__ray_line ray_line(const cm_ray *ray, double reach) {
    cm__ray_line line;
    line.origin = cm__point_of(ray->origin), line.direction = cm__point_of(ray->direction);
    line.max = cm__ray_until((double)ray->max, reach, line.direction);
    return line;
}

/* The outward normal of an edge of a polygon around n. */
static cm__point ray_edge_normal(const cm_vec3 *points, const uint32_t *corner, uint32_t count, uint32_t i,
                                 cm__point n) {
    const cm__point a = cm__point_of(points[corner[i]]), b = cm__point_of(points[corner[i + 1 < count ? i + 1 : 0]]);
    return wide_normalize(cm__point_cross(cm__point_sub(b, a), n), n);
}

bool cm__ray_in_plane(const cm_ray *ray, const cm_vec3 *points, const uint32_t *corner, uint32_t count, cm__point n,
                      cm_ray_hit *out) {
    double reach = 0;
    for (uint32_t i = 0; i < count; i++) reach = wide_max(reach, (double)cm_largest(points[corner[i]]));
    const cm__ray_line line = ray_line(ray, reach);
    cm__ray_chord chord;
    if (!cm__ray_along(&line, points, corner, count, &chord) || !(chord.first <= line.max)) return false;
    cm__span span = {wide_min(chord.first, (double)ray->max), wide_min(chord.last, (double)ray->max)};
    cm__point normal = wide_normalize(n, cm__p(1, 0, 0));
    if (chord.first > 0) {
        const uint32_t before = chord.edge > 0 ? chord.edge - 1 : count - 1;
        const cm__point other = ray_edge_normal(points, corner, count, before, normal);
        normal = ray_edge_normal(points, corner, count, chord.edge, normal);
        if (chord.at_corner && cm__point_dot(other, line.direction) < cm__point_dot(normal, line.direction))
            normal = other;
    }
    return cm__ray_finish(ray, span, normal, out);
}

/* Whether it is met is decided as for a triangle of a mesh, exactly. */
static bool ray_flat_triangle(const cm_ray *ray, const cm_vec3 points[3], cm_ray_hit *out) {
    static const uint32_t numbers[3] = {0, 1, 2};
    const cm__point c[3] = {cm__point_of(points[0]), cm__point_of(points[1]), cm__point_of(points[2])};
    const double reach = wide_max(cm__point_largest(c[0]), wide_max(cm__point_largest(c[1]), cm__point_largest(c[2])));
    const cm__ray_line line = ray_line(ray, reach);
    cm__mesh_hit hit;
    if (!cm__ray_hits_face(&line, c, &hit)) return false;
    const cm__point n = cm__point_normal(c[0], c[1], c[2]);
    if (hit.side == 0) return cm__ray_in_plane(ray, points, numbers, 3, n, out);
    hit.t = wide_min(hit.t, (double)ray->max);
    const cm__span span = {hit.t, hit.t};
    const cm__point back = wide_normalize(wide_neg(line.direction), cm__p(0, 0, 1));
    return cm__ray_finish(ray, span, wide_normalize(hit.side < 0 ? wide_neg(n) : n, back), out);
}

/* Products of four lengths stay in range where the direction is brought to about 1, exactly. */
static bool ray_flat_triangle_of_any(const cm_ray *ray, const cm_vec3 points[3], cm_ray_hit *out) {
    const cm__point v = cm__point_of(ray->direction);
    const double scale = cm__point_largest(v);
    if (scale > 1e-60 && scale < 1e60) return ray_flat_triangle(ray, points, out);
    cm_ray unit = *ray;
    int shift;
    (void)frexp(scale, &shift);
    unit.direction = cm__vec3_of(cm__p(ldexp(v.x, -shift), ldexp(v.y, -shift), ldexp(v.z, -shift)));
    unit.max = (cm_real)wide_min(ldexp((double)ray->max, shift), (double)CM_REAL_MAX);
    if (!ray_flat_triangle(&unit, points, out)) return false;
    if (out) out->t = (cm_real)ldexp((double)out->t, -shift), out->exit = (cm_real)ldexp((double)out->exit, -shift);
    return true;
}

bool cm__ray_triangle(const cm_ray *ray, cm_vec3 a, cm_vec3 b, cm_vec3 c, cm_real radius, cm_ray_hit *out) {
    cm__point p = cm__point_of(ray->origin), v = cm__point_of(ray->direction);
    if (!(radius > 0)) {
        const cm_vec3 points[3] = {a, b, c};
        return ray_flat_triangle_of_any(ray, points, out);
    }
    cm__point corner[3] = {cm__point_sub(cm__point_of(a), p), cm__point_sub(cm__point_of(b), p),
                           cm__point_sub(cm__point_of(c), p)};
    cm__span span = ray_span(ray);
    const double r = (double)radius + ray_slop(corner[0], wide_sum(corner[1]) + wide_sum(corner[2]) + (double)radius);
    if (!cm__span_polygon(cm__p(0, 0, 0), v, corner, 3, r, &span)) return false;
    cm__closest_on_triangle near;
    cm__closest_point_triangle(cm__point_scale(v, ray_normal_time(span)), corner[0], corner[1], corner[2], &near);
    cm__point n = cm__point_normal(corner[0], corner[1], corner[2]);
    return cm__ray_finish(ray, span, wide_normalize(wide_neg(near.gap), wide_normalize(n, cm__p(1, 0, 0))), out);
}

/* Narrows the span by low <= o + t d <= high; tells in *in and *out whether this axis decides first and last. */
static bool ray_slab(double o, double d, double low, double high, cm__span *span, bool *enters, bool *leaves) {
    cm__span before = *span;
    bool some = cm__span_slab(o, d, low, high, span);
    *enters = span->first > before.first;
    *leaves = span->last < before.last;
    return some;
}

bool cm__ray_slabs(const cm_ray *ray, cm_vec3 low, cm_vec3 high, cm_ray_hit *out) {
    cm__point o = cm__point_of(ray->origin), d = cm__point_of(ray->direction);
    cm__point l = cm__point_of(low), h = cm__point_of(high);
    double os[3] = {o.x, o.y, o.z}, ds[3] = {d.x, d.y, d.z};
    double ls[3] = {l.x, l.y, l.z}, hs[3] = {h.x, h.y, h.z};
    cm__span span = ray_span(ray);
    int in = -1, exit = -1;
    for (int i = 0; i < 3; i++) {
        bool enters, leaves;
        if (!ray_slab(os[i], ds[i], ls[i], hs[i], &span, &enters, &leaves)) return false;
        if (enters) in = i;
        if (leaves) exit = i;
    }
    double normal[3] = {0, 0, 0};
    if (in >= 0) {
        normal[in] = ds[in] > 0 ? -1 : 1;
    } else {
        if (exit < 0) { /* ends inside: the face it runs toward */
            double toward[3];
            for (int i = 0; i < 3; i++)
                toward[i] = ds[i] == 0 ? DBL_MAX : ((ds[i] > 0 ? hs[i] : ls[i]) - os[i]) / ds[i];
            exit = toward[0] <= toward[1] && toward[0] <= toward[2] ? 0 : toward[1] <= toward[2] ? 1 : 2;
        }
        normal[exit] = ds[exit] > 0 ? 1 : -1;
    }
    return cm__ray_finish(ray, span, cm__p(normal[0], normal[1], normal[2]), out);
}

bool cm__ray_box(const cm_ray *ray, cm_vec3 half, cm_real radius, cm_ray_hit *out) {
    if (!(radius > 0)) return cm__ray_slabs(ray, cm_neg(half), half, out);
    cm__point p = cm__point_of(ray->origin), v = cm__point_of(ray->direction), h = cm__point_of(half);
    cm__span span = ray_span(ray);
    if (!cm__span_box(p, v, h, (double)radius + ray_slop(p, wide_sum(h) + (double)radius), &span)) return false;
    cm__point at = cm__point_mul_add(p, ray_normal_time(span), v);
    cm__point off = cm__p(at.x - wide_clamp(at.x, -h.x, h.x), at.y - wide_clamp(at.y, -h.y, h.y),
                          at.z - wide_clamp(at.z, -h.z, h.z));
    return cm__ray_finish(ray, span, wide_normalize(off, wide_normalize(wide_neg(v), v)), out);
}

bool cm__ray_planes(const cm_ray *ray, const cm_plane *planes, int count, cm_ray_hit *out) {
    cm__point o = cm__point_of(ray->origin), d = cm__point_of(ray->direction);
    cm__span span = ray_span(ray);
    int in = -1, exit = -1;
    for (int i = 0; i < count; i++) {
        cm__point n = cm__point_of(planes[i].normal);
        bool enters, leaves;
        double height = cm__point_dot(n, o) + (double)planes[i].d;
        if (!ray_slab(height, cm__point_dot(n, d), -HUGE_VAL, 0, &span, &enters, &leaves)) return false;
        if (enters) in = i;
        if (leaves) exit = i;
    }
    if (in < 0) in = exit >= 0 ? exit : 0;
    return cm__ray_finish(ray, span, cm__point_of(planes[in].normal), out);
}

bool cm__ray_halfspace(const cm_ray *ray, const cm_plane *plane, cm_real radius, cm_ray_hit *out) {
    cm_plane moved = *plane;
    moved.d -= radius;
    return cm__ray_planes(ray, &moved, 1, out);
}

/* Not turned: what lies still often is, and rays are many. (Turned by -0 is as good as not.) */
static bool ray_pose_is_upright(const cm_pose *pose) {
    const cm_quat none = {0, 0, 0, 1};
    return memcmp(&pose->rotation, &none, sizeof none) == 0;
}

/* cm_pose_is_valid and cm_ray_is_valid, mostly at one go. */
static bool ray_pose_is_valid(const cm_pose *pose) {
    return (ray_pose_is_upright(pose) && cm_dot(pose->position, pose->position) <= CM_COORD_MAX) ||
           cm_pose_is_valid(pose);
}
static bool ray_is_valid(const cm_ray *ray) {
    const cm_real along = cm_dot(ray->direction, ray->direction);
    return (along + cm_dot(ray->origin, ray->origin) <= CM_COORD_MAX && along > 0 && ray->max >= 0) ||
           cm_ray_is_valid(ray);
}

/* In the shape's own frame. */
static inline void ray_localize_one(const cm_ray *ray, const cm_pose *pose, cm_ray *local) {
    if (ray_pose_is_upright(pose)) {
        local->origin = cm_sub(ray->origin, pose->position);
        local->direction = ray->direction;
    } else {
        local->origin = cm_pose_unapply(pose, ray->origin);
        local->direction = cm_unrotate(pose->rotation, ray->direction);
    }
    local->max = ray->max;
}

void cm__ray_hit_to_world(const cm_ray *ray, const cm_pose *pose, cm_ray_hit *hit) {
    cm__point o = cm__point_of(ray->origin), d = cm__point_of(ray->direction);
    hit->point = cm__vec3_of(cm__point_mul_add(o, (double)hit->t, d));
    if (ray_pose_is_upright(pose)) return;
    hit->normal = cm_normalize(cm_rotate(pose->rotation, hit->normal), hit->normal);
}

/* False where it is met beyond all numbers, as a plane may be. */
static bool ray_tell_world(const cm_ray *ray, const cm_pose *pose, cm_ray_hit *hit) {
    cm__ray_hit_to_world(ray, pose, hit);
    return cm_largest(hit->point) <= CM_REAL_MAX;
}

bool cm_raycast(const cm_ray *ray, const cm_shape *shape, const cm_pose *pose, cm_ray_hit *out) {
    if (!ray || !pose || !ray_is_valid(ray) || cm_shape_check(shape, NULL) != CM_OK || !ray_pose_is_valid(pose))
        return false;
    const cm__shape_ops *ops = cm__ops(shape->kind);
    if (!ops->raycast) return false;
    cm_ray local;
    ray_localize_one(ray, pose, &local);
    if (!out && ops->meets) return ops->meets(&local, shape);
    cm_ray_hit hit;
    if (!ops->raycast(&local, shape, &hit)) return false;
    if (!ray_tell_world(ray, pose, &hit)) return false;
    if (out) *out = hit;
    return true;
}

/* The valid ones of a few rays, in the shape's own frame; source[i] is the number of local[i]. */
static uint32_t ray_localize(const cm_ray *rays, uint32_t count, const cm_pose *pose, cm_ray *local, uint32_t *source) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!ray_is_valid(&rays[i])) continue;
        ray_localize_one(&rays[i], pose, &local[n]);
        source[n++] = i;
    }
    return n;
}

uint32_t cm_raycast_many(const cm_ray *rays, uint32_t count, const cm_shape *shape, const cm_pose *pose, bool *met,
                         cm_ray_hit *out) {
    uint32_t hits = 0;
    for (uint32_t i = 0; met && i < count; ++i) met[i] = false;
    if (!rays || !pose || cm_shape_check(shape, NULL) != CM_OK || !cm_pose_is_valid(pose)) return 0;
    const cm__shape_ops *ops = cm__ops(shape->kind);
    if (!ops->raycast) return 0;
    for (uint32_t first = 0; first < count; first += CM__RAYS_AT_ONCE) {
        cm_ray local[CM__RAYS_AT_ONCE];
        cm_ray_hit hit[CM__RAYS_AT_ONCE];
        bool found[CM__RAYS_AT_ONCE];
        uint32_t source[CM__RAYS_AT_ONCE];
        const uint32_t some = count - first < CM__RAYS_AT_ONCE ? count - first : CM__RAYS_AT_ONCE;
        const uint32_t n = ray_localize(rays + first, some, pose, local, source);
        const bool many = ops->raycast_many != NULL, only = !out && ops->meets;
        if (many) ops->raycast_many(local, n, shape, found, out ? hit : NULL);
        for (uint32_t i = 0; i < n && !many; ++i)
            found[i] = only ? ops->meets(&local[i], shape) : ops->raycast(&local[i], shape, &hit[i]);
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t ray = first + source[i];
            if (!found[i] || (!only && !ray_tell_world(&rays[ray], pose, &hit[i]))) continue;
            ++hits;
            if (met) met[ray] = true;
            if (out) out[ray] = hit[i];
        }
    }
    return hits;
}
