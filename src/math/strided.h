/* Points of a caller's buffer, `stride` bytes from one to the next (0: packed); the stride may leave them unaligned. */
#ifndef MATH_STRIDED_H
#define MATH_STRIDED_H

#include "carom/math.h"

#include <string.h>

CM_INLINE cm_vec3 cm__strided_point(const cm_real *points, size_t stride, size_t i) {
    cm_real p[3];
    memcpy(p, (const char *)points + (stride ? stride : sizeof p) * i, sizeof p);
    return cm_v(p[0], p[1], p[2]);
}

#endif
