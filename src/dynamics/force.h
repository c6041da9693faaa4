/* How gravity, gathered forces and damping act on a body within a step: see force.c. */
#ifndef DYNAMICS_FORCE_H
#define DYNAMICS_FORCE_H

#include "dynamics/dynamics.h"

/* The acceleration by gravity and this step's force; none for NULL and for what nothing moves. */
cm__point cm__body_push(const cm_dynamics *d, const cm__dynamics_body *b);
/* Sets `pull`: that and damping over so many seconds, from this velocity on. */
void cm__body_find_pull(const cm_dynamics *d, cm__dynamics_body *b, cm__point velocity, double seconds);
/* Sets `twist`: the torque of this step and damping, from the spin and rotation that the body has. */
void cm__body_find_twist(const cm_dynamics *d, cm__dynamics_body *b);
/* The spin after half a step of `twist`. */
cm__point cm__body_spin_on(const cm_dynamics *d, const cm__dynamics_body *b);

#endif
