/* Collisions of two bodies: the impulses at the points of a contact, and how an overlap is shared out. */
#ifndef DYNAMICS_IMPULSE_H
#define DYNAMICS_IMPULSE_H

#include "dynamics/rigid.h"

enum { CM__IMPACT_POINTS = 8 };

typedef struct cm__impact {
    cm__point normal; /* unit, from a to b */
    int count;
    cm__point at[CM__IMPACT_POINTS]; /* world */
    double restitution, friction;
    double rest_speed; /* slower approaches do not bounce */
} cm__impact;

/* The greatest speed at which the bodies approach at a point; negative where all part. */
double cm__approach(const cm__rigid *a, const cm__rigid *b, const cm__impact *impact);
/* Changes both velocities so that no point approaches; gives the sum of the normal impulses, 0 where nothing was done.
 * `turning`: impulses act at their points and turn the bodies; else at the centers. */
double cm__collide(cm__rigid *a, cm__rigid *b, const cm__impact *impact, bool turning);
/* How far a and b must go along -normal and normal to undo `depth`, shared by inverse mass; 0, 0 where neither may. */
void cm__share(const cm__rigid *a, const cm__rigid *b, double depth, double *move_a, double *move_b);

#endif
