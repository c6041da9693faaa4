/* When is a moving point within a simple set? All sets are convex, so the answer is one span of time.
 *
 * The point is p + t v. Each function narrows *span to the times at which the point is in the set and tells whether any
 * are left; an empty span has first > last. Everything is in double; the error, as a distance, is below
 * CM__SPAN_SLOP * (|p| + |v| times the span's largest time + the set's size), all of them lengths; of that a quarter is
 * the solution's, the rest is for the turning and subtracting that made p. Whoever must not be late adds that to the
 * radius; the answer is then early by at most twice as much, which of the double build is what a sweep may leave.
 * v = 0 is a point at rest: in the set always, or never. */
#ifndef MATH_SPAN_H
#define MATH_SPAN_H

#include "math/wide.h"

#define CM__SPAN_SLOP (8 * DBL_EPSILON)

typedef struct cm__span {
    double first, last;
} cm__span;

/* |x| <= r on a line, from x = p, dx/dt = v. */
bool cm__span_slab(double p, double v, double low, double high, cm__span *span);
/* Within r of the origin. */
bool cm__span_ball(cm__point p, cm__point v, double r, cm__span *span);
/* Within r of the segment from `a` to `b`. */
bool cm__span_capsule(cm__point p, cm__point v, cm__point a, cm__point b, double r, cm__span *span);
/* Within r of a convex plane polygon of 3 or 4 corners, in order; degenerate ones count as their edges. */
bool cm__span_polygon(cm__point p, cm__point v, const cm__point *corners, int count, double r, cm__span *span);
/* Within r of the box |x| <= half: the box with rounded edges and corners. */
bool cm__span_box(cm__point p, cm__point v, cm__point half, double r, cm__span *span);

#endif
