/* What the kinds' own scaling needs. */
#ifndef SHAPE_SCALE_H
#define SHAPE_SCALE_H

#include "carom/shape.h"

static inline cm_vec3 scale_point(cm_vec3 p, cm_vec3 s) { return cm_v(p.x * s.x, p.y * s.y, p.z * s.z); }
static inline bool scale_is_even(cm_vec3 s) { return cm_abs(s.x) == cm_abs(s.y) && cm_abs(s.y) == cm_abs(s.z); }

#endif
