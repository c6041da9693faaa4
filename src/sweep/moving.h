/* One shape in motion, in double: where it is, and bounds on how fast its points move along a direction.
 *
 * A core rotates about its pivot, but contact depends on the set of its points only, not on where each point goes. So a
 * ball rotating about its center is at rest, as is a body of revolution about its axis; a radius around the core never
 * rotates. The bounds are on the set: its center is carried around the pivot, and the set rotates about the center by
 * the spin less the spin's part along the body's own axis of revolution. For a fixed unit direction n:
 *     speed along n         <= min(|w x n| |c|, |w x c|) + min(|w x n| size, |w| beyond, |w x a| size)
 *     acceleration along n  <= |w x n| |w x c| + min(|w x n| |w| beyond, |w x a| (|w x a| + |w.a|) size)
 * w the spin, c the center seen from the pivot, a the axis of revolution if there is one, `size` and `beyond` the
 * farthest that a point of the core is from the center, and from the line through it along w. Proof: n.(w x r) is
 * r.(n x w), n.(w x (w x r)) is -(w x n).(w x r), and the axis a itself rotates, which adds |w.a| |w x a|. Rotation
 * about n moves nothing along n. */
#ifndef SWEEP_MOVING_H
#define SWEEP_MOVING_H

#include "carom/sweep.h"
#include "shape/shape.h"

typedef struct cm__moving {
    const cm_shape *shape; /* NULL: only its core is known */
    bool cored;            /* convex: */
    cm__core core;
    bool endless;    /* a half-space: */
    cm__point plane; /* its unit normal in its own frame, */
    double d;        /* and plane.p + d the height over it */
    double radius;
    cm__frame start; /* at u = 0, relative to the point `origin` of the world */
    cm__point move, spin;
    cm__point accelerate; /* at u the displacement is u move + u^2 / 2 accelerate */
    cm__point pivot;      /* in its own frame, */
    cm__point away;       /* and at u = 0 relative to `origin` */
    bool turns;           /* its set of points rotates */
    bool round;           /* about `axis`, in its own frame */
    cm__point axis;
    double arm, carried; /* |c|, |w x c| */
    double across;       /* |w x a|; 0 of a ball, |w| of what is not round; |w x plane| of a half-space */
    double own;          /* |w.a| */
    double beyond;       /* how far points are from the line through the core's center along w */
} cm__moving;

/* `origin`: a point of the world near by, to which all positions are relative. */
void cm__moving_of(const cm_shape *shape, const cm_motion *motion, cm__point origin, cm__moving *out);
/* The same for a part that is at `frame` in the world at u = 0 and moves with the whole. */
void cm__moving_part_of(const cm_shape *part, const cm_motion *motion, const cm__frame *frame, cm__point origin,
                        cm__moving *out);
/* The same for a core that moves straight. */
void cm__moving_core(const cm__core *core, const cm__frame *start, cm__point move, cm__moving *out);
/* Where it is at time u, relative to `origin`. */
void cm__moving_at(const cm__moving *m, double u, cm__frame *out);
/* For convex shapes: bounds on the speed that turning adds, and on the acceleration, of points along a fixed unit
 * direction. */
double cm__moving_fastest(const cm__moving *m); /* along any */
double cm__moving_speed(const cm__moving *m, cm__point direction);
double cm__moving_bend(const cm__moving *m, cm__point direction);
/* The velocity of its set (of a composite, of its points) at a point, at time u; adds to *sizes how large the terms are
 * that it is made of. */
cm__point cm__moving_velocity(const cm__moving *m, double u, cm__point at, double *sizes);

#endif
