/* A rigid body's numbers of motion, in double in both builds, and how they go over one step.
 *
 * World frame; velocity is that of the center of mass. A body without inverse mass and inertia takes part in collisions
 * as something that nothing moves: it keeps its velocity, whatever hits it. */
#ifndef DYNAMICS_RIGID_H
#define DYNAMICS_RIGID_H

#include "carom/sweep.h"
#include "math/point.h"

/* A symmetric 3x3 matrix by rows. */
typedef struct cm__tensor {
    cm__point x, y, z;
} cm__tensor;

typedef struct cm__rigid {
    cm__point center;         /* of mass */
    cm__point velocity, spin; /* per second; radians per second */
    double inverse_mass;
    cm__tensor inverse_inertia; /* about the center, world axes */
    bool round;                 /* a body of revolution, so that to turn about this axis changes no place of it */
    cm__point axis;             /* unit; 0: about any, as a ball */
} cm__rigid;

CM_INLINE cm__point cm__tensor_mul(const cm__tensor *t, cm__point v) {
    return cm__p(cm__point_dot(t->x, v), cm__point_dot(t->y, v), cm__point_dot(t->z, v));
}
/* rotation * local * transpose(rotation): the body's tensor in the world's axes. */
cm__tensor cm__tensor_rotated(const cm__tensor *local, cm_quat rotation);
/* The inverse, or zero where there is none (not positive definite). */
cm__tensor cm__tensor_inverse(const cm__tensor *t);
/* Velocity of the body's point at `at` (world). */
CM_INLINE cm__point cm__velocity_at(const cm__rigid *m, cm__point at) {
    return cm__point_add(m->velocity, cm__point_cross(m->spin, cm__point_sub(at, m->center)));
}

/* Are velocity and spin numbers? */
CM_INLINE bool cm__rigid_is_finite(const cm__rigid *m) {
    const double all[6] = {m->velocity.x, m->velocity.y, m->velocity.z, m->spin.x, m->spin.y, m->spin.z};
    for (int i = 0; i < 6; i++)
        if (!(fabs(all[i]) <= DBL_MAX)) return false;
    return true;
}

/* The angular velocity whose constant turn over `dt` is the free body's, by the implicit midpoint of its angular
 * momentum: second order, momentum kept exactly, energy without drift. `inertia` and its inverse in the body's axes. */
cm__point cm__spin_of_step(cm__point spin, const cm__tensor *inertia, const cm__tensor *inverse, cm_quat rotation,
                           double dt);
/* The angular velocity after the turn from one rotation to the other: that of the same angular momentum. */
cm__point cm__spin_after(cm__point spin, const cm__tensor *inertia, const cm__tensor *inverse, cm_quat before,
                         cm_quat after);

#endif
