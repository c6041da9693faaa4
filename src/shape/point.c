/* A point; with a radius, a sphere. */
#include "shape/shape.h"
#include "shape/scale.h"
#include "base/error.h"
#include "math/round.h"
#include "shape/ray.h"

static cm_status point_check(const cm_shape *shape, cm_error *error) {
    if (cm_vec3_is_valid(shape->u.point)) return CM_OK;
    return cm__refuse(error, CM_NOT_FINITE, "point", CM_NONE);
}

static void point_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    cm_vec3 p = cm_pose_apply(pose, shape->u.point);
    cm_aabb box = {p, p};
    *out = cm_aabb_grow(box, cm__pose_error(pose, cm_largest(shape->u.point)));
}

static bool point_raycast(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out) {
    return cm__ray_ball(ray, shape->u.point, shape->radius, out);
}

static void point_polytope(const cm_shape *shape, const cm__frame *pose, cm__polytope *out) {
    out->corner[0] = cm__point_of(shape->u.point);
    if (pose) out->corner[0] = frame_apply(pose, out->corner[0]);
    out->center = out->corner[0];
    out->corner_count = 1;
    out->edge_count = out->axis_count = out->normal_count = 0;
}

static void point_core(const cm_shape *shape, cm__core *out) {
    cm__core_point(cm__point_of(shape->u.point), out);
    out->radius = (double)shape->radius;
}

static cm_status point_mass(const cm_shape *shape, cm__mass_sum *out) {
    double unit = shape->radius > 0 ? (double)shape->radius : 1;
    cm__axis_moments m;
    cm__axis_of_cylinder(0, 0, shape->radius > 0, &m);
    cm__mass_of_axis(&m, cm__point_scale(cm__point_of(shape->u.point), 1 / unit), cm__p(0, 0, 1), unit, out);
    return CM_OK;
}

/* A ball around its own origin becomes an ellipsoid. */
static bool point_scale(cm_shape *io, cm_vec3 s) {
    if (!(io->radius > 0) || scale_is_even(s)) {
        io->u.point = scale_point(io->u.point, s);
        return true;
    }
    if (cm_largest(io->u.point) > 0) return false; /* an ellipsoid has no center of its own */
    *io = cm_make_ellipsoid(cm_scale(cm_vec3_abs(s), io->radius));
    return true;
}

static const cm_field point_fields[] = {CM__FIELD("point", VEC3, point)};

static bool point_axis(const cm_shape *shape, bool *any, cm__point *out) {
    cm__shape_axis_z(shape, any, out);
    *any = true;
    return true;
}

const cm__shape_ops cm__shape_point = {.name = "point",
                                       .shape_class = CM__POLYTOPE,
                                       .check = point_check,
                                       .bounds = point_bounds,
                                       .raycast = point_raycast,
                                       .corners = 1,
                                       .polytope = point_polytope,
                                       .core = point_core,
                                       .axis = point_axis,
                                       .mass = point_mass,
                                       .scale = point_scale,
                                       CM__FIELDS(point_fields)};
