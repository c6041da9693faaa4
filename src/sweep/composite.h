/* A composite in motion against any shape: shared by composite.c, composite_part.c, composite_brush.c,
 * composite_block.c and composite_seam.c. */
#ifndef SWEEP_COMPOSITE_H
#define SWEEP_COMPOSITE_H

#include "pair/composite.h"
#include "pair/surface.h"
#include "pair/prepared.h"
#include "sweep/shapes.h"
#include "sweep/slabs.h"
#include "sweep/moving_pair.h"

/* "The whole" is the composite whose parts are swept one by one; "the other" is the shape that they are swept against.
 * Normals run from the other to the whole. */
/* Pairs of parts that have a contact at time `doubt` which seems not to block: they are judged again later. */
#define CM__COMPOSITE_LATER 8
typedef struct cm__composite_later {
    cm__part other, part;
    double from, doubt;
} cm__composite_later;

/* The ways out of a start deeper than the band, along the normals of the shapes' contacts at rest (composite_ways.c).
 */
enum { CM__SWEEP_WAYS = 64 };
typedef struct cm__sweep_ways {
    int count; /* less than 0: not looked for yet */
    bool more; /* there are more than these */
    const cm_shape *a, *b;
    const cm_pose *pose_a, *pose_b;
    cm__point normal[CM__SWEEP_WAYS]; /* unit, from A to B; in the world */
    double depth[CM__SWEEP_WAYS];
} cm__sweep_ways;

typedef struct cm__composite_sweep_state {
    const cm_shape *other, *whole;
    const cm_motion *mo, *mw;
    cm_pose whole_in_other, other_in_whole; /* at the start */
    cm__point v;                            /* of the other relative to the whole, in the world */
    double turn;                            /* bound on the speed that turning and acceleration add */
    double bend;                            /* the acceleration alone */
    double band;                            /* G of sweep.h for the whole pair */
    double left;                            /* half of the gap that a hit may leave */
    double near;                            /* the band, or more: the uncertainty of a contact of a curved body */
    double from;                            /* parts are apart by more than the band until this time */
    cm_real limit;                          /* later hits are skipped */
    double end;                             /* `limit` at the start */
    cm__sweep_want want;
    uint32_t budget;   /* of work, for a walk of what turns; 0 until it is asked for; */
    uint32_t most;     /* and the sum of work up to which parts are tried */
    double room;       /* bound on the rounding of positions */
    double size;       /* of the other */
    bool convex;       /* the other is convex, and no half-space */
    bool endless;      /* the other is a half-space */
    cm__moving moving; /* the other as a moving set, relative to its origin at the start */
    bool flat;         /* it has no inside (a point, segment, triangle, flat box …): maybe no depth in a triangle */
    bool straight;     /* convex, and neither turns: slabs.h gives the earliest time at which it may touch a triangle */
    cm__prepared prepared;
    cm__slabs slabs;
    bool nested;               /* the two are parts of a larger pair */
    const cm__part *only;      /* only this part of the whole is swept; or NULL */
    double *doubt_out;         /* of a nested pair: `doubt` is written here instead of being judged again; or NULL */
    bool deep_judged;          /* a deep start was judged by the contacts of the surface */
    bool overlaps;             /* the pair overlaps at the start */
    bool touching;             /* the pair overlaps at the start, or is within the band */
    double depth;              /* the depth of the start; for a nested pair that of the larger pair */
    cm__point depth_direction; /* the unit direction of that depth, from the other to the whole, in the world */
    cm__sweep_ways *ways;      /* of the whole pair, */
    bool ways_back;            /* which run from the whole to the other */
    const cm_shape *surface;   /* the other is a triangle of this surface, the whole another surface; or NULL */
    uint32_t number;           /* and its number there, */
    cm__part *struck_out;      /* as in cm__sweep_span */
    double own;                /* the depth of these two at the start */
    double *later;             /* where a part's doubt is written, to be judged when the hit is known; or NULL */
    cm__composite_later put_off[CM__COMPOSITE_LATER];
    int put_off_count;
    double doubt;   /* the earliest contact that was found not to block; more than 1: none */
    double free;    /* no part touches before this time */
    bool careful;   /* each first contact is judged, as the first of all only brushes, */
    double first;   /* and comes at this time */
    uint32_t *work; /* what the parts tried took is added here (shapes.h) */
    bool found, blocked;
    cm_sweep_hit any, stop; /* the first hit of all; the first hit that blocks */
    bool stop_fits;         /* the normal of `stop` is one that the surface has there; from a start apart not known */
    cm__part part;          /* the part of `stop`, */
    cm__part struck;        /* and, of two surfaces, the other's triangle */
} cm__composite_sweep_state;
typedef cm__composite_sweep_state composite_sweep; /* for short, within the files of this header */

/* The rounding of the ends of a gap between convex shapes, which are computed in double. */
static inline double composite_rounding(const cm__composite_sweep_state *s) {
    return s->band * (DBL_EPSILON / (double)CM_REAL_EPSILON);
}

/* What is left of the budget, for a part that is a composite itself; more than 0. */
static inline uint32_t composite_left(const cm__composite_sweep_state *s) {
    return *s->work < s->most ? s->most - *s->work : 1;
}

/* The pose of the whole in the other's frame at a time. */
cm_pose cm__composite_pose_at(const cm__composite_sweep_state *s, double u);
/* The speed of approach at a point of the world at time u along a unit normal, as a fraction of the speed of their
 * motion. */
double cm__composite_approach(const cm__composite_sweep_state *s, double u, cm__point at, cm__point normal);

/* --- one part (composite_part.c) --- */

/* Sweeps one part of the whole, against one part `of` of the other, or against all of the other where `of` is NULL. */
void cm__composite_try(cm__composite_sweep_state *s, const cm__part *part, const cm__part *of);
/* Does the surface decide along which normal this hit blocks? Not of what is no triangle, nor where the shapes at rest
 * have decided; and what is flat has such a normal already, from a start apart. */
static inline bool composite_asks_surface(const cm__composite_sweep_state *s, const cm__part *part,
                                          const cm_sweep_hit *hit) {
    return s->convex && part_is_triangle(part) && hit->start != CM_SWEEP_OVERLAPPING && (!s->flat || s->touching);
}
/* Is the hit's normal one that the surface has there, or is it given such a one? Of compounds, and of two surfaces,
 * that start apart: is it one that both have? `struck`: the other's triangle, where the other is a surface. */
bool cm__composite_fits(cm__composite_sweep_state *s, const cm__part *part, const cm__part *struck, cm_sweep_hit *hit);
/* Records the hit of a part, if it comes before those recorded. */
void cm__composite_record(cm__composite_sweep_state *s, const cm__part *part, const cm_sweep_hit *hit);

/* --- brushes (composite_brush.c) --- */

/* Judges the first contact of the other with a triangle of a surface, from a start apart: does it only brush? */
void cm__composite_judge_brush(cm__composite_sweep_state *s, const cm__part *part, cm_sweep_hit *hit);
/* The same of `stop`, also where both are surfaces. */
void cm__composite_judge_first(cm__composite_sweep_state *s);

/* --- ways out (composite_ways.c) --- */

/* How far the other goes along a normal within the step, at most, where neither turns; 0: it only leaves. */
double cm__composite_goes(const cm__composite_sweep_state *s, cm__point normal);
/* From a start deeper than the band: do the two approach along the normal of none of their contacts at rest, in the
 * whole step? Then what they overlap at the start does not block. */
bool cm__composite_departs(const cm__composite_sweep_state *s);

/* --- looks at single times (composite_block.c) --- */

/* The question for a pair that starts in touch: between two times, does the other get deeper in this part than it is in
 * the whole at the start, by more than the band? */
typedef struct cm__composite_question {
    const cm__part *part, *of; /* `of`: the only part of the other that is swept; or NULL for all of it */
    const cm_motion *motion;   /* of the part */
    double from, until;        /* the times; it is not deeper at `from` */
} cm__composite_question;

/* Both as moving sets, relative to where the other starts. A half-space comes second. */
void cm__composite_pair(const cm__composite_sweep_state *s, const cm__composite_question *question,
                        cm__moving_pair *out);
double cm__composite_near(const cm__composite_sweep_state *s);
/* An approach (cm__composite_approach) up to this may be only the rounding of directions, where bodies overlap. */
double cm__composite_rough(const cm__composite_sweep_state *s);

/* Does a flat shape, moving straight, pass through the triangle or touch it? */
bool cm__composite_passes(const cm__composite_sweep_state *s, const cm__composite_question *question);
/* A shape in the plane of a triangle, within rounding, counts as in front of it: flips the hit's normal where
 * needed. */
void cm__composite_front(const cm__composite_sweep_state *s, const cm__composite_question *question, cm_sweep_hit *hit);
/* Gives the hit of a triangle the normal that the surface has there, and judges `blocking` along it; where the surface
 * has none, the hit stays as it is. An approach within the rounding of directions does not block, and goes to
 * s->doubt. */
cm__surface_answer cm__composite_surface_hit(cm__composite_sweep_state *s, const cm__part *part, cm_sweep_hit *hit);
/* Sets s->depth_direction to the direction shared by most contacts of the start that are as deep as the whole pair, or
 * within the band of that, where there are any; of a start deeper than the band also point and parts of `hit`, which
 * may be NULL. */
void cm__composite_depth_direction(cm__composite_sweep_state *s, cm_sweep_hit *hit);
/* For a start deeper than the band: of the whole's contacts that deep, the deepest that blocks, else the deepest. */
bool cm__composite_surface_start(cm__composite_sweep_state *s, cm_sweep_hit *hit);
/* Moves the point of a hit with a surface to the middle of all contacts along its normal, if the shapes approach there:
 * a face that lands on several triangles is then held in its middle, as on one. */
void cm__composite_middle(const cm__composite_sweep_state *s, cm_sweep_hit *hit);
/* Gives a hit the normal, point and parts of a contact that the shapes have at rest at that time, within the gap: of
 * those along which they approach, the one nearest to the hit's own normal. Where there is none, the hit stays. */
void cm__composite_contact_at(const cm__composite_sweep_state *s, cm_sweep_hit *hit);
/* Can the two be a cm__moving_pair? */
static inline bool composite_is_simple(const cm__composite_sweep_state *s, const cm__part *part) {
    return (s->convex || s->endless) && cm__ops(part->shape.kind)->core;
}
/* For those: is it proved that the other does not get deeper, by a plane across the direction of the contact at the
 * start, or across a normal of a triangle of either? */
bool cm__composite_stays(const cm__composite_sweep_state *s, const cm__composite_question *question);
/* Does the surface have this direction, from one of its triangles to a body, there (pair/surface.h)? One that is no
 * solid may be touched from either side. */
bool cm__composite_has(const cm_shape *surface, uint32_t number, const cm_triangle *triangle, cm__point out);
/* For those: does the other get deeper? *hit is when that begins, never late, and where; in straight motion its time is
 * `from`. *past (may be NULL): both are triangles, and rounding has put them past each other at the start. */
bool cm__composite_gets_in(const cm__composite_sweep_state *s, const cm__composite_question *question,
                           cm_sweep_hit *hit, bool *past);
/* The same for a flat shape against the whole, along the normals of its contacts. `fine`: times are looked at from a
 * way of a few G on, else from a part of the shape's size. */
bool cm__composite_sinks(const cm__composite_sweep_state *s, double from, double until, bool fine, cm_sweep_hit *hit);

/* For those (composite_ways.c), from a start deeper than the band: is the part one that the pair leaves by the normals
 * of its contacts at rest? One that comes at a triangle of a solid from within leaves it, too. */
bool cm__composite_leaves(const cm__composite_sweep_state *s, const cm__composite_question *question);

/* --- seams (composite_seam.c) --- */

/* For a start in touch, of what has no inside and a compound: from the first contact with a child on, at `first`, does
 * it get inside of the compound between this child and others? *hit: when, never late, and where. */
bool cm__composite_slips(const cm__composite_sweep_state *s, const cm__composite_question *question, double first,
                         cm_sweep_hit *hit);
/* Gives a hit with a compound a normal that it has near the hit's point, where there is one along which they
 * approach. */
void cm__composite_outside(const cm__composite_sweep_state *s, cm_sweep_hit *hit);

#endif
