/* A cone around its z axis, the apex up; without height a disk, without radius a segment. */
#include "shape/shape.h"
#include "base/error.h"

static cm_status cone_check(const cm_shape *shape, cm_error *error) {
    cm_real r = shape->u.cone.radius, h = shape->u.cone.half_height;
    bool valid = cm_is_coord(r) && cm_is_coord(h);
    if (valid && r >= 0 && h >= 0) return CM_OK;
    return cm__refuse(error, valid ? CM_INVALID : CM_NOT_FINITE, "cone", CM_NONE);
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

const cm__shape_ops cm__shape_cone = {
    .name = "cone", .shape_class = CM__CONVEX, .check = cone_check, .bounds = cone_bounds, .core = cone_core};
