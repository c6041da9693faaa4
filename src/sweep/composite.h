/* A composite in motion against anything: what its files share. */
#ifndef SWEEP_COMPOSITE_H
#define SWEEP_COMPOSITE_H

#include "pair/composite.h"
#include "pair/surface.h"
#include "pair/triangle_probe.h"
#include "sweep/shapes.h"
#include "sweep/slabs.h"

/* "The whole" is the composite whose parts are swept one by one, "the other" is what they meet; normals run from the
 * other to the whole. */
typedef struct cm__composite_sweep_state {
    const cm_shape *other, *whole;
    const cm_motion *mo, *mw;
    cm_pose whole_in_other, other_in_whole; /* at the start */
    cm__point v;                            /* of the other relative to the whole, in the world */
    double turn;                            /* bound on the speed that turning and acceleration add */
    double bend;                            /* the acceleration alone */
    double band;                            /* the promised gap of the whole pair (sweep.h) */
    double near;                            /* and what a contact of a curved body is uncertain by */
    double from;                            /* parts are apart by more than the band until then */
    cm_real limit;
    cm__sweep_want want;
    double room;   /* places are that uncertain, at most */
    double size;   /* of the other */
    bool convex;   /* the other is, and no half-space */
    bool flat;     /* and a point, segment or triangle without radius: it has no depth in a triangle */
    bool straight; /* convex, and neither turns: when it may meet a triangle at the earliest is known */
    cm__probe probe;
    cm__slabs slabs;
    bool close;       /* something may touch at the start */
    bool deep;        /* something is deeper than the band at the start */
    bool deep_judged; /* of a surface: by the contacts of the start */
    bool touching;    /* the whole is within the band at the start, or overlaps, */
    double depth;     /* by that much; of a part, as the pair that it is of does */
    double own;       /* and as these two do */
    double doubt;     /* from here on there are contacts that were found not to block; beyond 1: none */
    bool found, blocked;
    cm_sweep_hit any, stop; /* the first of all; the first that blocks, */
    cm__part part;          /* and its part */
} cm__composite_sweep_state;

/* How the whole lies in the other at a time. */
cm_pose cm__composite_pose_at(const cm__composite_sweep_state *s, double u);
/* How fast the two approach at a point of the world at time u along a unit normal, as a part of how fast they move. */
double cm__composite_approach(const cm__composite_sweep_state *s, double u, cm__point at, cm__point normal);

/* --- looks at single times (composite_look.c) --- */

double cm__composite_near(const cm__composite_sweep_state *s);

/* Gives the hit of a triangle the direction that the surface has there, and `blocking` along that; where there is none
 * the hit stays as it is. An approach within the rounding of directions does not block: s->doubt. */
cm__surface_answer cm__composite_surface_hit(cm__composite_sweep_state *s, const cm__part *part, cm_sweep_hit *hit);
/* The contacts of a surface at the start that are deeper than the band: the deepest that blocks, else the deepest. */
bool cm__composite_surface_start(cm__composite_sweep_state *s, cm_sweep_hit *hit);
/* Moves a hit with a surface to the middle of all its contacts along that normal, where it is approached there: a face
 * that lands on several triangles is held in its middle, as on one. */
void cm__composite_middle(const cm__composite_sweep_state *s, cm_sweep_hit *hit);
/* The rule for a pair that starts in touch: does the other get deeper in this part, from the part's hit up to `until`,
 * than it is in the whole at the start, by more than the band? Then the hit blocks; of what turns, its time becomes
 * when that begins, never late. */
bool cm__composite_deepens(const cm__composite_sweep_state *s, const cm__part *part, double until, cm_sweep_hit *hit);
/* The same of the whole, for what is flat, along the normals of its contacts. */
bool cm__composite_sinks(const cm__composite_sweep_state *s, double from, double until, cm_sweep_hit *hit);

#endif
