/* Shapes scaled along their own axes, where the image is again a shape of the list. Numbers are products, rounded once.
 */
#include "shape/shape.h"

cm_status cm_shape_scaled(const cm_shape *shape, cm_vec3 scale, cm_shape *out) {
    cm_status status = cm_shape_check(shape, NULL);
    if (status != CM_OK) return status;
    if (!cm_vec3_is_valid(scale)) return CM_NOT_FINITE;
    if (!out || scale.x == 0 || scale.y == 0 || scale.z == 0) return CM_INVALID;
    const cm__shape_ops *ops = cm__ops(shape->kind);
    cm_vec3 size = cm_vec3_abs(scale);
    cm_shape s = *shape;
    if (!ops->scale) return CM_UNSUPPORTED;
    if (size.x == size.y && size.y == size.z) s.radius *= size.x;
    /* else a rounded core's image is not rounded evenly: only who knows better takes it */
    if (!ops->scale(&s, scale)) return CM_UNSUPPORTED;
    status = cm_shape_check(&s, NULL);
    if (status == CM_OK) *out = s;
    return status;
}
