/* Two shapes in motion as moving sets: where they are closest, and how far apart along a direction. */
#ifndef SWEEP_MOVING_PAIR_H
#define SWEEP_MOVING_PAIR_H

#include "sweep/moving.h"

#define MOVING_ROUNDING (16 * DBL_EPSILON) /* of the sizes: rounding of a proven distance */

/* Two convex shapes, or one and a half-space, which then is B. */
typedef struct cm__moving_pair {
    cm__moving a, b;
    cm__point v;    /* of A relative to B, at the start */
    cm__point bend; /* its change: the acceleration */
    double scale;   /* size that rounding scales with, besides the shapes' own */
    bool curved;    /* it is not 0 */
    bool turns;     /* one of the sets does, or the path is curved: no straight motion */
    double far;     /* for a half-space that turns: bounds on the distance of A's points from its pivot */
    double passing; /* and on their speed seen from there */
    uint32_t *work; /* what the steps of a search in time take is added here (shapes.h); NULL: it is not counted */
} cm__moving_pair;

/* Where they are closest, or deepest: relative to `origin` (moving.h), in the world's axes. */
typedef struct cm__moving_gap {
    double u;
    cm__point a, normal; /* on A's surface; unit, from A to B */
    double distance;     /* signed */
    bool sided; /* the normal gives the side on which a thin shape is, though rounding may put it on the other */
    bool limit; /* set by cm__moving_sinks (start.h): it used all its steps, and nothing is known from there on */
} cm__moving_gap;

void cm__moving_pair_of(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                        cm__moving_pair *out);
/* Sets the remaining fields from a and b; no work is counted. */
void cm__moving_pair_finish(cm__moving_pair *p);
void cm__moving_gap_at(const cm__moving_pair *p, double u, cm__moving_gap *out);
/* The velocity of A's set relative to B's at a point, relative to `origin`, at a time; adds to *sizes how large the
 * terms are that it is made of. */
cm__point cm__moving_pair_velocity(const cm__moving_pair *p, double u, cm__point at, double *sizes);
/* The separation along a unit normal at a time; less than 0: the overlap along it. A half-space has its own plane's
 * only, whatever the normal. */
double cm__moving_along(const cm__moving_pair *p, double u, cm__point normal);
/* The same where they are at these places. */
double cm__moving_apart(const cm__moving_pair *p, const cm__frame *a, const cm__frame *b, cm__point normal);
/* Of a direction and its opposite, the one along which they are farther apart. */
cm__point cm__moving_side(const cm__moving_pair *p, double u, cm__point direction);
/* A bound on what turning and acceleration add to the speed at which they close along a fixed normal. */
double cm__moving_turning(const cm__moving_pair *p, cm__point normal);
/* The same along any. */
double cm__moving_pair_fastest(const cm__moving_pair *p);
/* A bound on the second derivative of the separation along a fixed normal. */
double cm__moving_pair_bend(const cm__moving_pair *p, cm__point normal);

#endif
