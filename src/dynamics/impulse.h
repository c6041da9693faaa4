/* Collisions of two bodies: the impulses at the points of a contact, and how an overlap is shared out. */
#ifndef DYNAMICS_IMPULSE_H
#define DYNAMICS_IMPULSE_H

#include "dynamics/rigid.h"

enum {
    CM__IMPACT_POINTS = 8,
    CM__IMPACTS = 16 /* of two bodies at once */
};

/* What two bodies do to each other along one normal; where they touch along several there are as many of these. */
typedef struct cm__impact {
    cm__point normal; /* unit, from a to b */
    int count;
    cm__point at[CM__IMPACT_POINTS]; /* world */
    double restitution, friction;
    double rest_speed; /* slower approaches do not bounce */
    double seconds;    /* > 0: points part, so that turning does not bring them together again for so long */
    double ahead;      /* > 0: they touch in so many seconds; of the approach goes what their depth then comes from */
    double depth[CM__IMPACT_POINTS]; /* < 0: a gap */
} cm__impact;

/* A direction at a point in which two bodies push each other, while impulses are sought: a row of the Jacobian. */
typedef struct cm__impact_row {
    cm__point along;            /* unit: b is pushed along it, a against it */
    cm__point lever_a, lever_b; /* arm x along; 0 where impulses act at the centers */
    cm__point turn_a, turn_b;   /* what an impulse of 1 does to the spins */
    double mass;                /* effective: impulse for a change of one unit of speed; 0 where nothing moves */
    double target;              /* the speed that it is to have: along the normal, at least */
    double pushed;              /* the impulse so far; at least 0 along the normal */
    /* while it is sought what bears (cluster_seek.c): the impulse before a round and the way on, the speed that is
     * missing and what it gains on the way */
    double before, way, missing, gains;
} cm__impact_row;

enum { CM__IMPACT_ROWS = 3 };

typedef struct cm__impact_point {
    cm__impact_row rows[CM__IMPACT_ROWS]; /* along the normal, and two tangents */
    double friction, inverse_mass_a, inverse_mass_b;
    bool carries, sticks; /* cluster_seek.c */
} cm__impact_point;

/* How fast b goes along a row's direction, seen from a. */
CM_INLINE double cm__impact_speed(const cm__rigid *a, const cm__rigid *b, const cm__impact_row *row) {
    return cm__point_dot(row->along, cm__point_sub(b->velocity, a->velocity)) + cm__point_dot(row->lever_b, b->spin) -
           cm__point_dot(row->lever_a, a->spin);
}
/* Changes the velocities by an impulse along a row of the point. */
CM_INLINE void cm__impact_push(cm__rigid *a, cm__rigid *b, const cm__impact_point *p, const cm__impact_row *row,
                               double impulse) {
    a->velocity = cm__point_mul_add(a->velocity, -impulse * p->inverse_mass_a, row->along);
    b->velocity = cm__point_mul_add(b->velocity, impulse * p->inverse_mass_b, row->along);
    a->spin = cm__point_mul_add(a->spin, -impulse, row->turn_a);
    b->spin = cm__point_mul_add(b->spin, impulse, row->turn_b);
}
/* Point `i` before any impulse; its targets are the speeds that it has. `turning`: impulses act at the point and turn
 * the bodies; else at the centers. */
void cm__impact_prepare(const cm__rigid *a, const cm__rigid *b, const cm__impact *impact, int i, bool turning,
                        cm__impact_point *p);
/* Begins with the impulses that the point has, as far as friction lets it. False: it has none. */
bool cm__impact_begin(cm__rigid *a, cm__rigid *b, cm__impact_point *p);
/* One point's turn: changes its impulses and with them both velocities, so that it has its target speed or more, and
 * slides no more than friction lets it. `over`: how many times the change along the normal is made, 1 to 2 (successive
 * over-relaxation). Gives by how much it changed a speed. */
double cm__impact_settle(cm__rigid *a, cm__rigid *b, cm__impact_point *p, double over);
/* What b got at this point so far, and a with the opposite sign. */
cm__point cm__impact_impulse(const cm__impact_point *p);
/* The greatest speed at which the bodies approach at a point; negative where all part. */
double cm__approach(const cm__rigid *a, const cm__rigid *b, const cm__impact *impact);
/* How fast points at this place have to part along the normal, not to meet again although the bodies turn, which bends
 * their ways: for so many seconds, or until either has turned by TURNING_FAR. */
double cm__turning_apart(const cm__rigid *a, const cm__rigid *b, cm__point at, cm__point normal, double seconds);
/* Changes both velocities so that no point of any of the impacts, CM__IMPACTS at most, approaches: all at once, as what
 * one point is pushed by another has not to be. Gives the sum of the normal impulses, 0 where nothing was done.
 * `turning`: impulses act at their points and turn the bodies; else at the centers. */
double cm__collide(cm__rigid *a, cm__rigid *b, const cm__impact *impacts, int count, bool turning);
/* How far a and b must go along -normal and normal to undo `depth`, shared by inverse mass; 0, 0 where neither may. */
void cm__share(const cm__rigid *a, const cm__rigid *b, double depth, double *move_a, double *move_b);

#endif
