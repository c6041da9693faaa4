/* A cylinder around its z axis; without height a disk, without radius a segment. */
#include "shape/shape.h"
#include "shape/scale.h"
#include "base/error.h"
#include "shape/ray.h"

static cm_status cylinder_check(const cm_shape *shape, cm_error *error) {
    cm_real r = shape->u.cylinder.radius, h = shape->u.cylinder.half_height;
    if (!cm_is_coord(r)) return cm__refuse(error, CM_NOT_FINITE, "core_radius", CM_NONE);
    if (!cm_is_coord(h)) return cm__refuse(error, CM_NOT_FINITE, "half_height", CM_NONE);
    if (r >= 0 && h >= 0) return CM_OK;
    return cm__refuse(error, CM_INVALID, r >= 0 ? "half_height" : "core_radius", CM_NONE);
}

static void cylinder_core(const cm_shape *shape, cm__core *out) {
    cm__core_cylinder((double)shape->u.cylinder.radius, (double)shape->u.cylinder.half_height, out);
    out->radius = (double)shape->radius;
}

static void cylinder_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    cm__core core;
    cylinder_core(shape, &core);
    cm__core_bounds(&core, pose, out);
}

static cm_status cylinder_mass(const cm_shape *shape, cm__mass_sum *out) {
    double r = (double)shape->u.cylinder.radius, h = (double)shape->u.cylinder.half_height, s = (double)shape->radius;
    double unit = r + h + s > 0 ? r + h + s : 1;
    cm__axis_moments m;
    cm__axis_of_cylinder(r / unit, h / unit, s / unit, &m);
    cm__mass_of_axis(&m, cm__p(0, 0, 0), cm__p(0, 0, 1), unit, out);
    return CM_OK;
}

static bool cylinder_raycast(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out) {
    if (shape->radius > 0) return cm__ray_core(ray, shape, out);
    return cm__ray_cylinder(ray, (double)shape->u.cylinder.radius, (double)shape->u.cylinder.half_height, out);
}

static bool cylinder_scale(cm_shape *io, cm_vec3 s) {
    if (cm_abs(s.x) != cm_abs(s.y) || (io->radius > 0 && !scale_is_even(s))) return false;
    io->u.cylinder.radius *= cm_abs(s.x);
    io->u.cylinder.half_height *= cm_abs(s.z);
    return true;
}

static void cylinder_picture(cm__picture *p, const cm_shape *shape) {
    cm_real h = shape->u.cylinder.half_height;
    for (int i = 0; i < 2 * p->segments; i++)
        cm__picture_corner(p, cm__picture_circle(p, i / 2, shape->u.cylinder.radius, i & 1 ? h : -h));
    cm__picture_hull(p, shape->radius);
}

static const cm_field cylinder_fields[] = {CM__FIELD("core_radius", REAL, cylinder.radius),
                                           CM__FIELD("half_height", REAL, cylinder.half_height)};

const cm__shape_ops cm__shape_cylinder = {.name = "cylinder",
                                          .shape_class = CM__CONVEX,
                                          .check = cylinder_check,
                                          .bounds = cylinder_bounds,
                                          .core = cylinder_core,
                                          .curved = cm__shape_is_curved,
                                          .axis = cm__shape_axis_z,
                                          .mass = cylinder_mass,
                                          .raycast = cylinder_raycast,
                                          .scale = cylinder_scale,
                                          .picture = cylinder_picture,
                                          CM__FIELDS(cylinder_fields)};
