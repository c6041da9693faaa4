/* An ellipsoid along its own axes; flat where a half axis is 0. */
#include "shape/shape.h"
#include "base/error.h"

static cm_status ellipsoid_check(const cm_shape *shape, cm_error *error) {
    cm_vec3 h = shape->u.ellipsoid;
    bool valid = cm_vec3_is_valid(h);
    if (valid && h.x >= 0 && h.y >= 0 && h.z >= 0) return CM_OK;
    return cm__refuse(error, valid ? CM_INVALID : CM_NOT_FINITE, "ellipsoid", CM_NONE);
}

static void ellipsoid_core(const cm_shape *shape, cm__core *out) {
    cm__core_ellipsoid(cm__point_of(shape->u.ellipsoid), out);
    out->radius = (double)shape->radius;
}

static void ellipsoid_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    cm__core core;
    ellipsoid_core(shape, &core);
    cm__core_bounds(&core, pose, out);
}

const cm__shape_ops cm__shape_ellipsoid = {.name = "ellipsoid",
                                           .shape_class = CM__CONVEX,
                                           .check = ellipsoid_check,
                                           .bounds = ellipsoid_bounds,
                                           .core = ellipsoid_core};
