/* The general search for the time of contact of two shapes in motion, by their distance. sweep.c calls it where there
 * is no closed form.
 *
 * The two are convex, or one is a half-space. advance.c says how, and what it guarantees. */
#ifndef SWEEP_ADVANCE_H
#define SWEEP_ADVANCE_H

#include "carom/sweep.h"
#include "pair/pair.h"
#include "sweep/moving_pair.h"

typedef struct cm__shape_sweep {
    const cm_shape *a, *b;
    const cm_motion *ma, *mb;
    const cm__method *method;
    cm__point v; /* of A relative to B, in the world */
    double near; /* distances up to here are contact */
    bool turns;
    cm__moving_pair moving; /* where it does: both as moving sets */
    cm__core core_a, core_b;
    /* two cores that do not turn, for methods that use support functions: set up once */
    bool cores;
    cm__convex_pair two;
    cm__frame frame_a;      /* A's axes in the world */
    cm__point start, drift; /* of B in A's frame: the position at u = 0, and the displacement over the step */
    cm_pair_cache cache;
} cm__shape_sweep;

/* The answer at time u: points in A's frame then, the normal in the world. */
typedef struct cm__shape_moment {
    double u;
    cm__gap gap;
    bool limit; /* cm__shapes_advance used all of its steps: they are apart up to here, and nothing is known of later
                   times */
} cm__shape_moment;

/* Fills in the fields for two cores that do not turn; the other fields of *s are set before. */
void cm__shapes_lay_out(cm__shape_sweep *s);
/* The distance at time u. `apart`: no depth is wanted, and overlapping shapes get a distance of 0. */
void cm__shapes_at(cm__shape_sweep *s, double u, bool apart, cm__shape_moment *out);
/* A time, going from `start` (0 or 1) toward the other end, until which they are more than 4 near apart. It is `start`
 * itself where nothing is known, and beyond the other end (2 or -1) where it holds for the whole step. */
double cm__shapes_approach_approx(cm__shape_sweep *s, double start);
/* Advances from m->u, where *m is the answer, toward `end` (0 or 1) until the shapes touch; *m is then the answer
 * there, without a depth. False: they do not touch up to `end`. m->limit: nothing is known beyond m->u. */
bool cm__shapes_advance(cm__shape_sweep *s, double end, int steps, cm__shape_moment *m);
/* Improves the normal of a contact whose gap is so short that its direction is rounding, as at every contact in the
 * double build. It becomes the normal of a slightly earlier time (or a later one, at the end of a contact), when the
 * gap is wide enough for a direction right to 2^-14. In between they move by at most 2^28 near. A half-space always has
 * its own normal. */
void cm__shapes_settle_normal(cm__shape_sweep *s, cm__shape_moment *m);

#endif
