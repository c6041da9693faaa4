/* Bounds on rounding, for boxes that must hold what they bound. */
#ifndef MATH_ROUND_H
#define MATH_ROUND_H

#include "carom/math.h"

/* A bound on the rounding error, per coordinate, of cm_pose_apply (by quaternion or by its matrix) for local points
 * with |component| <= size, including the growth of a box by this very bound. Rotation: each of the three products of a
 * row carries at most 3 ulp from the row's entries (|entry| <= 1, built from four roundings) and 3 from the sums: under
 * 10 half ulps of 3 * size; adding the position and growing the box: 2 half ulps of the sum. 16 half ulps of (3 size +
 * |position|) hold all of it. */
CM_INLINE cm_real cm__place_error(cm_vec3 position, cm_real size) {
    return 8 * CM_REAL_EPSILON * (3 * size + cm_largest(position)) + CM_REAL_MIN;
}
CM_INLINE cm_real cm__pose_error(const cm_pose *pose, cm_real size) { return cm__place_error(pose->position, size); }

#endif
