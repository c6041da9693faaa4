/* A composite in motion against anything: what its files share. */
#ifndef SWEEP_COMPOSITE_H
#define SWEEP_COMPOSITE_H

#include "pair/composite.h"
#include "pair/surface.h"
#include "pair/prepared.h"
#include "sweep/shapes.h"
#include "sweep/slabs.h"
#include "sweep/start.h"

/* "The whole" is the composite whose parts are swept one by one, "the other" is what they meet; normals run from the
 * other to the whole. */
/* A pair of parts with a contact that seems not to block, at `doubt`. */
#define CM__COMPOSITE_LATER 8
typedef struct cm__composite_later {
    cm__part other, part;
    double from, doubt;
} cm__composite_later;

typedef struct cm__composite_sweep_state {
    const cm_shape *other, *whole;
    const cm_motion *mo, *mw;
    cm_pose whole_in_other, other_in_whole; /* at the start */
    cm__point v;                            /* of the other relative to the whole, in the world */
    double turn;                            /* bound on the speed that turning and acceleration add */
    double bend;                            /* the acceleration alone */
    double band;                            /* the promised gap of the whole pair (sweep.h) */
    double left;                            /* half of what a hit may leave, */
    double near;                            /* and what a contact of a curved body is uncertain by */
    double from;                            /* parts are apart by more than the band until then */
    cm_real limit;                          /* nothing later is of interest, */
    double end;                             /* as it was at the start */
    cm__sweep_want want;
    uint32_t budget;
    double room;       /* places are that uncertain, at most */
    double size;       /* of the other */
    bool convex;       /* the other is, and no half-space */
    bool endless;      /* it is a half-space */
    cm__moving moving; /* of either: the other, seen from where its origin is at the start */
    bool flat;         /* and a point, segment or triangle without radius: it has no depth in a triangle */
    bool straight;     /* convex, and neither turns: when it may meet a triangle at the earliest is known */
    cm__prepared prepared;
    cm__slabs slabs;
    bool nested;          /* the two are part of another pair, */
    const cm__part *only; /* of which this part of the whole alone is asked for; or NULL */
    double *doubt_out;    /* of a part: where `doubt` goes, in place of a look at it; or NULL */
    bool deep_judged;     /* of a surface: by the contacts of the start */
    bool overlaps;        /* the whole does at the start */
    bool touching;        /* it does, or is within the band, */
    double depth;         /* by that much; of a part, as the pair that it is of does; */
    cm__point way;        /* along that unit direction, from the other to the whole, in the world */
    bool front;           /* the other is a triangle of a solid */
    double own;           /* and as these two do */
    double *later;        /* where a part's doubt is to go: it is looked at when the hit is known; or NULL */
    cm__composite_later put_off[CM__COMPOSITE_LATER];
    int put_off_count;
    double doubt; /* from here on there are contacts that were found not to block; beyond 1: none */
    double free;  /* until then no part was met */
    bool found, blocked;
    cm_sweep_hit any, stop; /* the first of all; the first that blocks, */
    cm__part part;          /* and its part */
} cm__composite_sweep_state;
typedef cm__composite_sweep_state composite_sweep; /* for short, within the files of this header */

/* How far the ends of a gap between convex shapes are off: they are computed in double. */
static inline double composite_rounding(const cm__composite_sweep_state *s) {
    return s->band * (DBL_EPSILON / (double)CM_REAL_EPSILON);
}

/* How the whole lies in the other at a time. */
cm_pose cm__composite_pose_at(const cm__composite_sweep_state *s, double u);
/* How fast the two approach at a point of the world at time u along a unit normal, as a part of how fast they move. */
double cm__composite_approach(const cm__composite_sweep_state *s, double u, cm__point at, cm__point normal);

/* --- one part (composite_part.c) --- */

/* Sweeps one part; against one of the other's alone, unless `of` is NULL. */
void cm__composite_try(cm__composite_sweep_state *s, const cm__part *part, const cm__part *of);
/* Notes the hit of a part, if it comes before those that are known. */
void cm__composite_take(cm__composite_sweep_state *s, const cm__part *part, const cm_sweep_hit *hit);

/* --- looks at single times (composite_look.c) --- */

/* The rule for a pair that starts in touch: does the other get deeper in this part, on the way from one time to
 * another, than it is in the whole at the start, by more than the band? */
typedef struct cm__composite_look {
    const cm__part *part, *of; /* `of`: of the other, which alone is swept against it; or NULL */
    const cm_motion *motion;   /* of the part */
    double from, until;        /* it is no deeper at `from` */
} cm__composite_look;

double cm__composite_near(const cm__composite_sweep_state *s);
/* An approach, as above, that may be but the rounding of directions, where bodies overlap. */
double cm__composite_rough(const cm__composite_sweep_state *s);

/* Does what is flat, on its straight way, pass through the triangle or touch it? */
bool cm__composite_passes(const cm__composite_sweep_state *s, const cm__composite_look *look);
/* What lies in the plane of a triangle, but for rounding, is taken to be in front of it: turns the hit's normal. */
void cm__composite_front(const cm__composite_sweep_state *s, const cm__composite_look *look, cm_sweep_hit *hit);
/* Gives the hit of a triangle the direction that the surface has there, and `blocking` along that; where there is none
 * the hit stays as it is. An approach within the rounding of directions does not block: s->doubt. */
cm__surface_answer cm__composite_surface_hit(cm__composite_sweep_state *s, const cm__part *part, cm_sweep_hit *hit);
/* Sets s->way to the direction of most contacts of the start that are as deep as the whole is, or in the band with it,
 * where there are any. */
void cm__composite_way(cm__composite_sweep_state *s);
/* The contacts of a surface at the start that are deeper than the band: the deepest that blocks, else the deepest. */
bool cm__composite_surface_start(cm__composite_sweep_state *s, cm_sweep_hit *hit);
/* Moves a hit with a surface to the middle of all its contacts along that normal, where it is approached there: a face
 * that lands on several triangles is held in its middle, as on one. */
void cm__composite_middle(const cm__composite_sweep_state *s, cm_sweep_hit *hit);
/* Can the two be a cm__moving_pair? */
static inline bool composite_is_simple(const cm__composite_sweep_state *s, const cm__part *part) {
    return (s->convex || s->endless) && cm__ops(part->shape.kind)->core;
}
/* Of those: is it plain that it does not, by the direction of the pair's contact at the start, or by the normal of the
 * one or other triangle? */
bool cm__composite_stays(const cm__composite_sweep_state *s, const cm__composite_look *look);
/* Of those: *hit is when it begins, never late, and where; of straight motion its time is `from`. *past (or NULL): the
 * two are triangles that rounding has past each other at the start. */
bool cm__composite_gets_in(const cm__composite_sweep_state *s, const cm__composite_look *look, cm_sweep_hit *hit,
                           bool *past);
/* The same of the whole, for what is flat, along the normals of its contacts. */
bool cm__composite_sinks(const cm__composite_sweep_state *s, double from, double until, cm_sweep_hit *hit);

#endif
