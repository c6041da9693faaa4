/* A segment; with a radius, a capsule. */
#include "shape/shape.h"
#include "shape/scale.h"
#include "base/error.h"
#include "math/round.h"
#include "math/wide.h"
#include "shape/ray.h"

static cm_status segment_check(const cm_shape *shape, cm_error *error) {
    const cm_segment *s = &shape->u.segment;
    bool a = cm_vec3_is_valid(s->a);
    if (a && cm_vec3_is_valid(s->b)) return CM_OK;
    return cm__refuse(error, CM_NOT_FINITE, a ? "b" : "a", CM_NONE);
}

static void segment_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    const cm_segment *s = &shape->u.segment;
    cm_aabb box = cm_aabb_empty();
    box = cm_aabb_add_point(box, cm_pose_apply(pose, s->a));
    box = cm_aabb_add_point(box, cm_pose_apply(pose, s->b));
    *out = cm_aabb_grow(box, cm__pose_error(pose, cm_max(cm_largest(s->a), cm_largest(s->b))));
}

static bool segment_raycast(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out) {
    return cm__ray_capsule(ray, shape->u.segment.a, shape->u.segment.b, shape->radius, out);
}

static void segment_polytope(const cm_shape *shape, const cm__frame *pose, cm__polytope *out) {
    out->corner[0] = cm__point_of(shape->u.segment.a);
    out->corner[1] = cm__point_of(shape->u.segment.b);
    for (int i = 0; i < 2 && pose; i++) out->corner[i] = frame_apply(pose, out->corner[i]);
    out->center = cm__point_scale(cm__point_add(out->corner[0], out->corner[1]), 0.5);
    out->corner_count = 2;
    out->normal_count = 0;
    cm__point d = cm__point_sub(out->corner[1], out->corner[0]);
    out->edge_count = out->axis_count = cm__point_largest(d) > 0;
    out->edge[0][0] = 0, out->edge[0][1] = 1;
    out->axis[0] = wide_normalize(d, cm__p(1, 0, 0));
}

static void segment_core(const cm_shape *shape, cm__core *out) {
    cm__core_segment(cm__point_of(shape->u.segment.a), cm__point_of(shape->u.segment.b), out);
    out->radius = (double)shape->radius;
}

static cm_status segment_mass(const cm_shape *shape, cm__mass_sum *out) {
    cm__point a = cm__point_of(shape->u.segment.a), d = cm__point_sub(cm__point_of(shape->u.segment.b), a);
    double half = cm__point_length(d) / 2, unit = half + (double)shape->radius;
    if (!(unit > 0)) unit = 1;
    cm__axis_moments m;
    cm__axis_of_cylinder(0, half / unit, (double)shape->radius / unit, &m);
    cm__point middle = cm__point_scale(cm__point_mul_add(a, 0.5, d), 1 / unit);
    cm__mass_of_axis(&m, middle, wide_normalize(d, cm__p(0, 0, 1)), unit, out);
    return CM_OK;
}

static bool segment_scale(cm_shape *io, cm_vec3 s) {
    if (io->radius > 0 && !scale_is_even(s)) return false;
    io->u.segment.a = scale_point(io->u.segment.a, s);
    io->u.segment.b = scale_point(io->u.segment.b, s);
    return true;
}

static const cm_field segment_fields[] = {CM__FIELD("a", VEC3, segment.a), CM__FIELD("b", VEC3, segment.b)};

static bool segment_axis(const cm_shape *shape, bool *any, cm__point *out) {
    *any = false;
    *out = cm__point_sub(cm__point_of(shape->u.segment.b), cm__point_of(shape->u.segment.a));
    *out = wide_normalize(*out, cm__p(0, 0, 1));
    return true;
}

const cm__shape_ops cm__shape_segment = {.name = "segment",
                                         .shape_class = CM__POLYTOPE,
                                         .check = segment_check,
                                         .bounds = segment_bounds,
                                         .raycast = segment_raycast,
                                         .corners = 2,
                                         .polytope = segment_polytope,
                                         .core = segment_core,
                                         .axis = segment_axis,
                                         .mass = segment_mass,
                                         .scale = segment_scale,
                                         CM__FIELDS(segment_fields)};
