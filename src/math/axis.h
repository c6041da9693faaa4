/* The numbers of a vector by axis: 0 x, 1 y, 2 z.
 *
 * An index after the address of v.x itself reaches nothing but x in C, and clang relies on that: what is stored so to
 * axis 2 is none to z, and a load of z may come before it. After the address of the whole vector it may not. */
#ifndef MATH_AXIS_H
#define MATH_AXIS_H

#include "carom/math.h"

_Static_assert(sizeof(cm_vec3) == 3 * sizeof(cm_real), "three numbers side by side");

static inline const cm_real *vec3_reals(const cm_vec3 *v) { return (const cm_real *)v; }
static inline cm_real *vec3_reals_of(cm_vec3 *v) { return (cm_real *)v; }

#endif
