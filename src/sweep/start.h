/* Two shapes in motion as moving sets: how long a direction proves them separated, and sweeps that start in touch. */
#ifndef SWEEP_START_H
#define SWEEP_START_H

#include "sweep/moving.h"

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
} cm__moving_pair;

/* Where they are closest, or deepest: relative to `origin` (moving.h), in the world's axes. */
typedef struct cm__moving_gap {
    double u;
    cm__point a, normal; /* on A's surface; unit, from A to B */
    double distance;     /* signed */
    bool sided; /* the normal gives the side on which a thin shape is, though rounding may put it on the other */
    bool limit; /* set by cm__moving_sinks: it used all its steps, and nothing is known from there on */
} cm__moving_gap;

void cm__moving_pair_of(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                        cm__moving_pair *out);
/* Sets the remaining fields from a and b. */
void cm__moving_pair_finish(cm__moving_pair *p);
void cm__moving_gap_at(const cm__moving_pair *p, double u, cm__moving_gap *out);
/* A bound on what turning and acceleration add to the speed at which they close along a fixed normal. */
double cm__moving_turning(const cm__moving_pair *p, cm__point normal);
/* The same along any. */
double cm__moving_pair_fastest(const cm__moving_pair *p);
/* The longest step found, from time u forward (`sign` 1) or back (-1), over which the separation along the normal is
 * certainly at least `level`. At u it is level + left. The result is between `least`, which is known to be safe, and
 * `most`. A step that ends with less than `slack` above `level` is long enough. */
double cm__moving_stride(const cm__moving_pair *p, double u, double sign, cm__point normal, double left, double level,
                         double slack, double least, double most);
/* The same along a normal that rotates with one of the two, like that of a face; `least` where neither turns, or no
 * more is proved. */
double cm__moving_stride_turned(const cm__moving_pair *p, double u, double sign, cm__point normal, double left,
                                double level, double slack, double least, double most);

/* From *at on: do they get deeper than the signed distance `from` by more than `depth` before `limit`? May be true from
 * 3/4 of `depth` on; and it is true where one passes through the other though that is thinner. *at is then the last
 * time until which they are not deeper by more than a quarter of `depth` (in straight motion it stays as it was,
 * because shapes that touch there get deeper at once), with the normal along which they enter. */
bool cm__moving_sinks(const cm__moving_pair *p, double from, double depth, double limit, cm__moving_gap *at);
/* Does the plane across this normal (from A to B) alone prove that they do not, from u on? */
bool cm__moving_stays(const cm__moving_pair *p, double u, cm__point normal, double from, double depth, double limit);
/* The separation along a normal at a time; less than 0: the overlap along it. */
double cm__moving_along(const cm__moving_pair *p, double u, cm__point normal);
/* Of a direction and its opposite, the one along which they are farther apart. */
cm__point cm__moving_side(const cm__moving_pair *p, double u, cm__point direction);

/* What is known of a sweep that starts in touch, or within the band. */
typedef struct cm__start {
    double band;             /* as in cm__sweep_band */
    double limit;            /* nothing later is of interest */
    const cm__point *normal; /* of the answer at rest, in the world; or NULL */
    bool overlap;            /* the decision at rest: do they share a point at u = 0? */
    bool first_only;         /* only `first` is wanted, not whether it blocks */
    bool last;               /* the end of the contact is wanted; 1 where they turn */
} cm__start;

/* The hit of two that start in touch, in the band around it, or deeper; its point is relative to `origin`. false: they
 * hover, and separate. */
bool cm__start_run(const cm__moving_pair *p, const cm__start *start, cm_sweep_hit *out);

#endif
