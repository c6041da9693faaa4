/* Two shapes in motion, seen as moving sets: what a fixed direction proves over time, and sweeps that start in touch.
 */
#ifndef SWEEP_START_H
#define SWEEP_START_H

#include "sweep/moving.h"

/* Two convex shapes, or one and a half-space, which then is B. */
typedef struct cm__moving_pair {
    cm__moving a, b;
    cm__point v;    /* of A relative to B, at the start */
    cm__point bend; /* its change: the acceleration */
    double scale;   /* what rounding scales with, besides the shapes */
    bool curved;    /* it is not 0 */
    bool turns;     /* one of the sets does, or the path is curved: no straight motion */
    double far;     /* of a half-space that turns: bounds on how far A's points are from its pivot, */
    double passing; /* and on their speed seen from there */
} cm__moving_pair;

/* Where they are closest, or deepest: relative to `origin` (moving.h), in the world's axes. */
typedef struct cm__moving_gap {
    double u;
    cm__point a, normal; /* on A's surface; unit, from A to B */
    double distance;     /* signed */
    bool sided;          /* what is thin is on that side of it, though rounding may have it on the other */
    bool limit;          /* of cm__moving_sinks: all steps are taken, and nothing is known from there on */
} cm__moving_gap;

void cm__moving_pair_of(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                        cm__moving_pair *out);
/* The rest, from both `moving`. */
void cm__moving_pair_finish(cm__moving_pair *p);
void cm__moving_gap_at(const cm__moving_pair *p, double u, cm__moving_gap *out);
/* A bound on what turning and acceleration add to the speed at which they close along a fixed normal. */
double cm__moving_turning(const cm__moving_pair *p, cm__point normal);
/* The same along any. */
double cm__moving_pair_fastest(const cm__moving_pair *p);
/* A step from time u on (`sign` 1) or back (-1), from `least`, which is known to be one, up to `most`, over which the
 * plane across the normal keeps them apart by `level` at least, beyond doubt. It does by level + left at u. A step that
 * ends with less than `slack` left is long enough. */
double cm__moving_stride(const cm__moving_pair *p, double u, double sign, cm__point normal, double left, double level,
                         double slack, double least, double most);
/* The same along a normal that turns with the one or the other, as that of a face does; `least` where neither turns, or
 * no more is proved. */
double cm__moving_stride_turned(const cm__moving_pair *p, double u, double sign, cm__point normal, double left,
                                double level, double slack, double least, double most);

/* From where they are at *at on: do they get deeper than the signed distance `from` by more than `depth` before
 * `limit`? Told from 3/4 of it on, and where one passes through the other though that is thinner. *at is then the last
 * time until which they do not get deeper by more than a quarter of it (of straight motion the same as before: those
 * that touch there get deeper at once), with the normal along which they get in. */
bool cm__moving_sinks(const cm__moving_pair *p, double from, double depth, double limit, cm__moving_gap *at);
/* Does the plane across this normal (from A to B) alone prove that they do not, from u on? */
bool cm__moving_stays(const cm__moving_pair *p, double u, cm__point normal, double from, double depth, double limit);
/* How far the plane across a normal keeps them apart at a time; less than 0: how far they overlap along it. */
double cm__moving_along(const cm__moving_pair *p, double u, cm__point normal);
/* Of a direction and the one against it that along which they are farther apart. */
cm__point cm__moving_side(const cm__moving_pair *p, double u, cm__point direction);

/* What is known of a sweep that starts in touch, or nearly. */
typedef struct cm__start {
    double band;             /* as in cm__sweep_band */
    double limit;            /* nothing later is of interest */
    const cm__point *normal; /* of the answer at rest, in the world; or NULL */
    bool overlap;            /* the decision at rest: do they share a point at u = 0? */
    bool first_only;         /* what blocks is not asked for, */
    bool last;               /* the end of the contact is; 1 where they turn */
} cm__start;

/* The hit of two that start in touch, in the band around it, or deeper; its point relative to `origin`. false: they
 * hover, and part. */
bool cm__start_run(const cm__moving_pair *p, const cm__start *start, cm_sweep_hit *out);

#endif
