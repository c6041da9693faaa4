/* On quaternions, in cm_real, besides those of math.h. */
#ifndef MATH_QUAT_H
#define MATH_QUAT_H

#include "carom/math.h"

/* The square of the length, summed as cm_pose_is_valid does. */
static inline cm_real quat_square(cm_quat q) { return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w; }

#endif
