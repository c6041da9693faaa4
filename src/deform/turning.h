/* A moving triangle and a convex shape or half-space that turns or is accelerated: see turning.c. */
#ifndef DEFORM_TURNING_H
#define DEFORM_TURNING_H

#include "deform/course.h"
#include "sweep/moving.h"

/* The triangle's corners from `start` to `end`, and the shape, all relative to one origin; `end` becomes the hit's
 * normal, distance and point on the shape, seen from there too. */
cm_path_verdict cm__turning_sweep(const cm__moving *body, const cm__point start[3], const cm__point end[3],
                                  cm_real separation, cm_real tolerance, double until, cm__course_end *out);

#endif
