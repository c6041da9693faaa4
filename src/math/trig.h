/* Sine, cosine and the angle of a point, our own: libm's differ from machine to machine. */
#ifndef MATH_TRIG_H
#define MATH_TRIG_H

#include "carom/base.h"

/* Sine and cosine of x radians: to 2^-50 for |x| <= 1e5; beyond 1e15 radians nothing is left of the angle: 0 and 1. */
void cm__sine_cosine(double x, double *sine, double *cosine);
/* The angle in [0, pi] of the point (x, y), y >= 0: atan2(y, x), to 2^-50. (0, 0) gives 0. */
double cm__angle_of(double y, double x);

#endif
