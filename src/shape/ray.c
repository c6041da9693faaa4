/* Rays against simple sets. In double, so that the float build is right to the last bits of its inputs.
 *
 * The slab test [Kay86] divides the distances to the planes of each face pair by the direction; a direction of exactly
 * 0 never divides, but asks whether the origin is between the planes (closed: a ray in a face hits). Spheres use the
 * quadratic of math/span.c. The triangle's three edge functions are the volumes that the ray spans with its edges
 * [Woop13]: two triangles that share an edge compute the same number with opposite sign, so no ray slips between.
 */
#include "shape/ray.h"
#include "math/closest.h"
#include "math/span.h"
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

/* Where the normal is wanted: the entry, or the exit where the ray starts inside. */
static double ray_normal_time(cm__span span) { return span.first > 0 ? span.first : span.last; }

bool cm__ray_ball(const cm_ray *ray, cm_vec3 center, cm_real radius, cm_ray_hit *out) {
    cm__point p = cm__point_sub(cm__point_of(ray->origin), cm__point_of(center)), v = cm__point_of(ray->direction);
    cm__span span = ray_span(ray);
    if (!cm__span_ball(p, v, (double)radius, &span)) return false;
    cm__point at = cm__point_mul_add(p, ray_normal_time(span), v);
    return cm__ray_finish(ray, span, wide_normalize(at, wide_normalize(wide_neg(v), v)), out);
}

bool cm__ray_capsule(const cm_ray *ray, cm_vec3 a, cm_vec3 b, cm_real radius, cm_ray_hit *out) {
    cm__point p = cm__point_of(ray->origin), v = cm__point_of(ray->direction);
    cm__point from = cm__point_sub(cm__point_of(a), p), to = cm__point_sub(cm__point_of(b), p);
    cm__span span = ray_span(ray);
    if (!cm__span_capsule(cm__p(0, 0, 0), v, from, to, (double)radius, &span)) return false;
    cm__point at = cm__point_scale(v, ray_normal_time(span));
    cm__closest c = cm__closest_point_segment(at, from, to);
    const cm__point axis = cm__point_sub(to, from), across = cm__point_cross(axis, wide_least_axis(axis));
    const cm__point beside = wide_normalize(across, cm__p(1, 0, 0)); /* on the axis there is no other normal */
    return cm__ray_finish(ray, span, wide_normalize(wide_neg(c.gap), beside), out);
}

/* A ray within the plane of a triangle: cut by the lines of its edges. n is the triangle's normal, of any length. */
static bool ray_in_plane(const cm_ray *ray, const cm__point corner[3], cm__point n, cm__point v, cm_ray_hit *out) {
    cm__span span = ray_span(ray);
    cm__point normal = n;
    for (int i = 0; i < 3; i++) {
        cm__point edge = cm__point_sub(corner[i < 2 ? i + 1 : 0], corner[i]);
        cm__point outward = wide_normalize(cm__point_cross(edge, n), cm__p(0, 0, 0));
        double before = span.first;
        if (!cm__span_slab(-cm__point_dot(corner[i], outward), cm__point_dot(v, outward), -DBL_MAX, 0, &span))
            return false;
        if (span.first > before) normal = outward;
    }
    return cm__ray_finish(ray, span, wide_normalize(normal, cm__p(1, 0, 0)), out);
}

static bool ray_flat_triangle(const cm_ray *ray, const cm__point corner[3], cm__point v, cm_ray_hit *out) {
    double u0 = cm__point_dot(v, cm__point_cross(corner[1], corner[2]));
    double u1 = cm__point_dot(v, cm__point_cross(corner[2], corner[0]));
    double u2 = cm__point_dot(v, cm__point_cross(corner[0], corner[1]));
    if (!((u0 >= 0 && u1 >= 0 && u2 >= 0) || (u0 <= 0 && u1 <= 0 && u2 <= 0))) return false;
    cm__point n = cm__point_cross(cm__point_sub(corner[1], corner[0]), cm__point_sub(corner[2], corner[0]));
    double speed = cm__point_dot(n, v), height = cm__point_dot(n, corner[0]);
    if (cm__point_largest(n) == 0) return false; /* no area: nothing to hit */
    if (speed == 0) return height == 0 && ray_in_plane(ray, corner, n, v, out);
    /* height / speed is exact to a few ulps but for rays along the plane; the barycentric mean of the corners along v
     * is right there too, but loses far from it: take the first. */
    double t = height / speed;
    if (!(t >= 0 && t <= (double)ray->max)) return false;
    cm__span span = {t, t};
    return cm__ray_finish(ray, span, wide_normalize(speed > 0 ? wide_neg(n) : n, n), out);
}

bool cm__ray_triangle(const cm_ray *ray, cm_vec3 a, cm_vec3 b, cm_vec3 c, cm_real radius, cm_ray_hit *out) {
    cm__point p = cm__point_of(ray->origin), v = cm__point_of(ray->direction);
    cm__point corner[3] = {cm__point_sub(cm__point_of(a), p), cm__point_sub(cm__point_of(b), p),
                           cm__point_sub(cm__point_of(c), p)};
    /* the products of four lengths stay in range when the direction is brought to about 1 */
    double scale = cm__point_largest(v);
    if (!(radius > 0)) {
        cm_ray unit = *ray;
        if (scale > 1e-60 && scale < 1e60) return ray_flat_triangle(ray, corner, v, out);
        unit.max = cm_min((cm_real)wide_min((double)ray->max * scale, (double)CM_REAL_MAX), CM_REAL_MAX);
        if (!ray_flat_triangle(&unit, corner, cm__point_scale(v, 1 / scale), out)) return false;
        if (out) out->t = (cm_real)((double)out->t / scale), out->exit = (cm_real)((double)out->exit / scale);
        return true;
    }
    cm__span span = ray_span(ray);
    if (!cm__span_polygon(cm__p(0, 0, 0), v, corner, 3, (double)radius, &span)) return false;
    cm__closest_on_triangle near;
    cm__closest_point_triangle(cm__point_scale(v, ray_normal_time(span)), corner[0], corner[1], corner[2], &near);
    cm__point n = cm__point_cross(cm__point_sub(corner[1], corner[0]), cm__point_sub(corner[2], corner[0]));
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
    if (!cm__span_box(p, v, h, (double)radius, &span)) return false;
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
        if (!ray_slab(height, cm__point_dot(n, d), -DBL_MAX, 0, &span, &enters, &leaves)) return false;
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
    cm__ray_hit_to_world(ray, pose, &hit);
    if (!(cm_largest(hit.point) <= CM_REAL_MAX)) return false; /* a plane that is met beyond all numbers */
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
        if (ops->raycast_many) {
            ops->raycast_many(local, n, shape, found, out ? hit : NULL);
        } else {
            for (uint32_t i = 0; i < n; ++i)
                found[i] = !out && ops->meets ? ops->meets(&local[i], shape) : ops->raycast(&local[i], shape, &hit[i]);
        }
        for (uint32_t i = 0; i < n; ++i) {
            if (!found[i]) continue;
            ++hits;
            if (met) met[first + source[i]] = true;
            if (!out) continue;
            cm__ray_hit_to_world(&rays[first + source[i]], pose, &hit[i]);
            out[first + source[i]] = hit[i];
        }
    }
    return hits;
}
