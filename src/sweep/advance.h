/* When do two shapes in motion touch, by their distance: the search that sweep.c falls back on.
 *
 * The two are convex, or one is a half-space. advance.c says how, and what it guarantees. */
#ifndef SWEEP_ADVANCE_H
#define SWEEP_ADVANCE_H

#include "carom/sweep.h"
#include "pair/pair.h"
#include "sweep/start.h"

typedef struct cm__shape_sweep {
    const cm_shape *a, *b;
    const cm_motion *ma, *mb;
    const cm__method *method;
    cm__point v; /* of A relative to B, in the world */
    double near; /* distances up to here are contact */
    bool turns;
    cm__moving_pair moving; /* where it does: the two as sets in motion */
    cm__core core_a, core_b;
    /* two cores that do not turn, and are answered by their support points: laid out once */
    bool cores;
    cm__convex_pair two;
    cm__frame frame_a;      /* A's axes in the world */
    cm__point start, drift; /* of B in A's frame: the place at u = 0, and the way from there */
    cm_pair_cache cache;
} cm__shape_sweep;

/* The answer at time u: points in A's frame then, the normal in the world. */
typedef struct cm__shape_moment {
    double u;
    cm__gap gap;
    bool limit; /* cm__shapes_advance took all of its steps to get here: they are apart, and no more is known */
} cm__shape_moment;

/* Fills in what depends on two cores that do not turn; the rest of *s is set. */
void cm__shapes_lay_out(cm__shape_sweep *s);
/* `apart`: of what overlaps the depth is not needed: the distance is 0. */
void cm__shapes_at(cm__shape_sweep *s, double u, bool apart, cm__shape_moment *out);
/* A time from `start` (0 or 1) on toward the other end until which they are more than 4 near apart; `start` itself
 * where that is not known, and beyond the other end (2, -1) where it is true all the way. */
double cm__shapes_approach_approx(cm__shape_sweep *s, double start);
/* From m->u, where *m is the answer, toward `end` (0 or 1) until the shapes touch: then *m is the answer there, but for
 * the depth. False: they do not, up to the end. m->limit: neither is known from there on. */
bool cm__shapes_advance(cm__shape_sweep *s, double end, int steps, cm__shape_moment *m);
/* Of a contact so near that the direction of its gap is rounding, as in the double build every arrival is: the normal
 * of a little before, or of after where they part, when the gap is wide enough to tell it to 2^-14. Between then and
 * now they move by at most 2^28 near. A half-space has but one. */
void cm__shapes_settle_normal(cm__shape_sweep *s, cm__shape_moment *m);

#endif
