/* Rotations from other forms. */
#ifndef MATH_TURN_H
#define MATH_TURN_H

#include "math/point.h"

/* The turn by `angle` radians about an axis of any length; the identity where that is 0. */
void cm__turn_of(cm__point axis, double angle, cm_quat *out);

#endif
