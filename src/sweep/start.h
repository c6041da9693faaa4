/* Do two moving shapes get deeper than they are; and sweeps that start in touch. */
#ifndef SWEEP_START_H
#define SWEEP_START_H

#include "pair/gap.h"
#include "sweep/moving_pair.h"

/* From *at on: do they get deeper than the signed distance `from` by more than `depth` before `limit`? May be true from
 * 3/4 of `depth` on; and it is true where one passes through the other though that is thinner. *at is then the last
 * time until which they are not deeper by more than a quarter of `depth` (in straight motion it stays as it was,
 * because shapes that touch there get deeper at once), with the normal along which they enter. */
bool cm__moving_sinks(const cm__moving_pair *p, double from, double depth, double limit, cm__moving_gap *at);
/* Does the plane across this normal (from A to B) alone prove that they do not, from u on? */
bool cm__moving_stays(const cm__moving_pair *p, double u, cm__point normal, double from, double depth, double limit);

/* What is known of a sweep that starts in touch, or within the band. */
typedef struct cm__start {
    double band;         /* as in cm__sweep_band */
    double limit;        /* nothing later is of interest */
    const cm__gap *rest; /* the answer at rest, of A first; in the world, relative to `origin`; or NULL */
    bool overlap;        /* the decision at rest: do they share a point at u = 0? */
    bool first_only;     /* only `first` is wanted, not whether it blocks */
    bool last;           /* the end of the contact is wanted; 1 where they turn */
} cm__start;

/* The hit of two that start in touch, in the band around it, or deeper; its point is relative to `origin`. false: they
 * hover, and separate. */
bool cm__start_run(const cm__moving_pair *p, const cm__start *start, cm_sweep_hit *out);

#endif
