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
    double depth[CM__IMPACT_POINTS]; /* < 0: a gap */
} cm__impact;

/* A point of it while impulses are sought. */
typedef struct cm__impact_point {
    cm__point arm_a, arm_b, tangent[2];
    double mass, mass_along[2]; /* effective: impulse for a change of one unit of speed; 0 where nothing moves */
    double target;              /* the speed along the normal that it is to have at least */
    double carried[2];       /* what the sliding is more, along the tangents, when the bodies have turned (cluster) */
    double pushed, along[2]; /* impulses so far */
    /* while it is sought what bears (cluster_bear.c): the impulses before a round and the way on, and along that the
     * speeds that are missing and what they gain, along the normal and the tangents */
    double before[3], way[3], missing[3], gains[3];
    bool carries, sticks;
} cm__impact_point;

/* Point `i` before any impulse; its target is the speed that it has. */
void cm__impact_prepare(const cm__rigid *a, const cm__rigid *b, const cm__impact *impact, int i, bool turning,
                        cm__impact_point *p);
/* Begins with the impulses that the point has, as far as friction lets it. False: it has none. */
bool cm__impact_begin(cm__rigid *a, cm__rigid *b, const cm__impact *impact, cm__impact_point *p, bool turning);
/* One point's turn: changes its impulses and with them both velocities, so that it has its target speed or more, and
 * slides no more than friction lets it. `over`: how many times the change along the normal is made, 1 to 2 (successive
 * over-relaxation). Gives by how much it changed a speed. */
double cm__impact_settle(cm__rigid *a, cm__rigid *b, const cm__impact *impact, cm__impact_point *p, bool turning,
                         double over);
/* Changes the impulses along the normal and across it by these, whatever they are then. */
void cm__impact_add(cm__rigid *a, cm__rigid *b, const cm__impact *impact, cm__impact_point *p, bool turning,
                    const double by[3]);
/* The same without counting them. */
void cm__impact_push(cm__rigid *a, cm__rigid *b, const cm__impact *impact, const cm__impact_point *p, bool turning,
                     const double by[3]);
/* How fast b goes, seen from a, at this point. */
cm__point cm__impact_closing(const cm__rigid *a, const cm__rigid *b, const cm__impact_point *p, bool turning);
/* What b got at this point so far, and a with the opposite sign. */
cm__point cm__impact_impulse(const cm__impact *impact, const cm__impact_point *p);
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
