/* A cone around its z axis, the apex up; without height a disk, without radius a segment. */
#include "shape/shape.h"
#include "shape/scale.h"
#include "base/error.h"
#include "shape/ray.h"
#include "math/trig.h"

static cm_status cone_check(const cm_shape *shape, cm_error *error) {
    cm_real r = shape->u.cone.radius, h = shape->u.cone.half_height;
    if (!cm_is_coord(r)) return cm__refuse(error, CM_NOT_FINITE, "core_radius", CM_NONE);
    if (!cm_is_coord(h)) return cm__refuse(error, CM_NOT_FINITE, "half_height", CM_NONE);
    if (r >= 0 && h >= 0) return CM_OK;
    return cm__refuse(error, CM_INVALID, r >= 0 ? "half_height" : "core_radius", CM_NONE);
}

static void cone_core(const cm_shape *shape, cm__core *out) {
    cm__core_cone((double)shape->u.cone.radius, (double)shape->u.cone.half_height, out);
    out->radius = (double)shape->radius;
}

static void cone_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    cm__core core;
    cone_core(shape, &core);
    cm__core_bounds(&core, pose, out);
}

/* From below: an arc around the base's rim, up to where its normal is the side's; a frustum; the top of a ball around
 * the apex. */
static cm_status cone_mass(const cm_shape *shape, cm__mass_sum *out) {
    const double quarter = 1.57079632679489661923;
    double r = (double)shape->u.cone.radius, h = (double)shape->u.cone.half_height, s = (double)shape->radius;
    double unit = r + h + s > 0 ? r + h + s : 1;
    r /= unit, h /= unit, s /= unit;
    double slope = sqrt(r * r + 4 * h * h), across = slope > 0 ? 2 * h / slope : 1, up = slope > 0 ? r / slope : 0;
    double turn = cm__angle_of(up, across);
    const double low[2] = {-1, up}, low_angle[2] = {-quarter, turn}, high[2] = {up, 1}, high_angle[2] = {turn, quarter};
    cm__axis_moments m = {0, 0, 0, 0};
    cm__axis_add_arc(&m, r, -h, s, low, low_angle);
    cm__axis_add_frustum(&m, s * up - h, s * up + h, r + s * across, s * across);
    cm__axis_add_arc(&m, 0, h, s, high, high_angle);
    cm__mass_of_axis(&m, cm__p(0, 0, 0), cm__p(0, 0, 1), unit, out);
    return CM_OK;
}

static bool cone_raycast(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out) {
    if (shape->radius > 0) return cm__ray_core(ray, shape, out);
    return cm__ray_cone(ray, (double)shape->u.cone.radius, (double)shape->u.cone.half_height, out);
}

/* The apex stays up. */
static bool cone_scale(cm_shape *io, cm_vec3 s) {
    if (cm_abs(s.x) != cm_abs(s.y) || s.z < 0 || (io->radius > 0 && !scale_is_even(s))) return false;
    io->u.cone.radius *= cm_abs(s.x);
    io->u.cone.half_height *= cm_abs(s.z);
    return true;
}

static void cone_picture(cm__picture *p, const cm_shape *shape) {
    cm_real h = shape->u.cone.half_height;
    for (int i = 0; i < p->segments; i++) cm__picture_corner(p, cm__picture_circle(p, i, shape->u.cone.radius, -h));
    cm__picture_corner(p, cm_v(0, 0, h));
    cm__picture_hull(p, shape->radius);
}

static const cm_field cone_fields[] = {CM__FIELD("core_radius", REAL, cone.radius),
                                       CM__FIELD("half_height", REAL, cone.half_height)};

const cm__shape_ops cm__shape_cone = {.name = "cone",
                                      .shape_class = CM__CONVEX,
                                      .check = cone_check,
                                      .bounds = cone_bounds,
                                      .core = cone_core,
                                      .curved = cm__shape_is_curved,
                                      .axis = cm__shape_axis_z,
                                      .mass = cone_mass,
                                      .raycast = cone_raycast,
                                      .scale = cone_scale,
                                      .picture = cone_picture,
                                      CM__FIELDS(cone_fields)};
