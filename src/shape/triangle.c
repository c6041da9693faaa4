/* A triangle: three points, in any position; degenerate ones are segments or points. */
#include "shape/shape.h"
#include "math/round.h"

static cm_status triangle_check(const cm_shape *shape, cm_error *error) {
    const cm_vec3 *corner = &shape->u.triangle.a;
    for (uint32_t i = 0; i < 3; ++i) {
        if (cm_vec3_is_valid(corner[i])) continue;
        if (error) {
            error->status = CM_NOT_FINITE;
            error->field = "triangle";
            error->index = i;
        }
        return CM_NOT_FINITE;
    }
    return CM_OK;
}

static void triangle_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    const cm_triangle *t = &shape->u.triangle;
    cm_aabb box = cm_aabb_empty();
    box = cm_aabb_add_point(box, cm_pose_apply(pose, t->a));
    box = cm_aabb_add_point(box, cm_pose_apply(pose, t->b));
    box = cm_aabb_add_point(box, cm_pose_apply(pose, t->c));
    cm_real size = cm_max(cm_largest(t->a), cm_max(cm_largest(t->b), cm_largest(t->c)));
    *out = cm_aabb_grow(box, cm__pose_error(pose, size));
}

const cm__shape_ops cm__shape_triangle = {"triangle", CM__CONVEX, triangle_check, triangle_bounds};
