/* The table of kinds, and what is the same for all of them. */
#include "shape/shape.h"
#include "base/error.h"

const cm__shape_ops *const cm__shape_table[CM_SHAPE_KINDS] = {
#define SHAPE_ROW(NAME, name) &cm__shape_##name,
    CM_SHAPE_LIST(SHAPE_ROW)
#undef SHAPE_ROW
};

const cm_field *cm_shape_fields(cm_kind kind, int *count) {
    const cm__shape_ops *ops = cm__ops(kind);
    if (count) *count = ops ? ops->field_count : 0;
    return ops ? ops->fields : NULL;
}

const char *cm_kind_name(cm_kind kind) {
    const cm__shape_ops *ops = cm__ops(kind);
    return ops ? ops->name : NULL;
}

bool cm__shape_is_curved(const cm_shape *shape) {
    (void)shape;
    return true;
}

bool cm__shape_axis_z(const cm_shape *shape, bool *any, cm__point *out) {
    (void)shape;
    *any = false;
    *out = cm__p(0, 0, 1);
    return true;
}

cm_status cm_shape_check(const cm_shape *shape, cm_error *error) {
    if (!shape) return cm__refuse(error, CM_INVALID, NULL, CM_NONE);
    const cm__shape_ops *ops = cm__ops(shape->kind);
    if (!ops) return cm__refuse(error, CM_INVALID, "kind", CM_NONE);
    if (!cm_is_coord(shape->radius)) return cm__refuse(error, CM_NOT_FINITE, "radius", CM_NONE);
    if (shape->radius < 0 || (shape->radius > 0 && ops->shape_class == CM__COMPOSITE))
        return cm__refuse(error, CM_INVALID, "radius", CM_NONE);
    return ops->check(shape, error);
}

void cm_shape_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    if (cm_shape_check(shape, NULL) != CM_OK || !pose || !cm_pose_is_valid(pose)) {
        *out = cm_aabb_empty();
        return;
    }
    cm_aabb box;
    cm__ops(shape->kind)->bounds(shape, pose, &box);
    if (shape->radius > 0 && cm__ops(shape->kind)->core) {
        /* one rounding a side: step outwards by one ulp of the larger term */
        cm_vec3 reach = cm_vec3_max(cm_vec3_abs(box.min), cm_vec3_abs(box.max));
        cm_real r = shape->radius + (cm_largest(reach) + shape->radius) * CM_REAL_EPSILON;
        box = cm_aabb_grow(box, r);
    }
    *out = box;
}
