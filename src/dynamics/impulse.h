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

/* A point of a contact, and the impulses there so far. */
typedef struct cm__impact_point {
    cm__point arm_a, arm_b, tangent[2];
    double mass, mass_along[2]; /* effective: impulse for a change of one unit of speed; 0 where nothing moves */
    double target;
    double pushed, along[2];
} cm__impact_point;

/* The greatest speed at which the bodies approach at a point; negative where all part. */
double cm__approach(const cm__rigid *a, const cm__rigid *b, const cm__impact *impact);
/* Changes both velocities so that no point approaches; gives the sum of the normal impulses, 0 where nothing was done.
 * `turning`: impulses act at their points and turn the bodies; else at the centers. */
double cm__collide(cm__rigid *a, cm__rigid *b, const cm__impact *impact, bool turning);
/* A point as it is before any impulse. `turning` as above. */
void cm__impact_prepare(const cm__rigid *a, const cm__rigid *b, const cm__impact *impact, int i, bool turning,
                        cm__impact_point *out);
/* Changes the impulses at one point of many, so that it does not approach and friction opposes its sliding, each as far
 * as the others leave room for now; they are taken back where others do their work. Kinetic energy never grows by it.
 * Adds what each body gained of it, and gives by how much a speed changed at most. */
double cm__impact_relax(cm__rigid *a, cm__rigid *b, const cm__impact *impact, cm__impact_point *p, bool turning,
                        double *gained_a, double *gained_b);
/* How far a and b must go along -normal and normal to undo `depth`, shared by inverse mass; 0, 0 where neither may. */
void cm__share(const cm__rigid *a, const cm__rigid *b, double depth, double *move_a, double *move_b);

#endif
