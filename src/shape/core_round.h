/* Curved cores without what is round about them on all sides. */
#ifndef SHAPE_CORE_ROUND_H
#define SHAPE_CORE_ROUND_H

#include "shape/core.h"

/* A core whose surface is nowhere more curved than a ball's of some radius is a smaller core and that radius: the
 * support point of the smaller one lies that much behind, which is a support function as long as no curvature becomes
 * negative. Of an ellipsoid that is not flatter than 1:1000, 15/16 of its least radius of curvature. By how much the
 * core is smaller, and the radius of *out larger than that of the core; 0: there is no such radius, and *out is
 * untouched. */
double cm__core_shrink(const cm__core *core, cm__core *out);

#endif
