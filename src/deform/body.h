/* A convex shape or half-space at rest, as what a moving triangle comes near: a body of course.h. */
#ifndef DEFORM_BODY_H
#define DEFORM_BODY_H

#include "convex/convex.h"
#include "deform/course.h"
#include "shape/shape.h"

typedef struct cm__still_body {
    cm__course_body base;
    cm__core core;
    cm__frame turn;   /* the shape's axes as seen from the world's; its place is such that `center` is the origin */
    cm__point center; /* of the body, as seen from the shape's origin, in the world's axes */
    cm__point out;    /* of a half-space: the normal */
} cm__still_body;

/* `shape` is no composite and valid, and outlives the body, as the body must not be copied.
 * @param near  a point that the triangle is near, as seen from the shape's origin: of what is endless, the center. */
void cm__course_body_of(const cm_shape *shape, const cm_pose *pose, cm__point near, cm__still_body *out);

/* A triangle's corners, from `start` to `end`, as seen from the body's center. */
cm_path_verdict cm__course_body_sweep(const cm__still_body *body, const cm__point start[3], const cm__point end[3],
                                      cm_real separation, cm_real tolerance, double until, cm__course_end *out);

#endif
