/* What energy a body may have at the end of a step: see energy.c. */
#ifndef DYNAMICS_ENERGY_H
#define DYNAMICS_ENERGY_H

#include "dynamics/dynamics.h"

/* Kinetic, of going and turning, with these velocities and the rotation that `spin` is of. */
double cm__body_energy(const cm__dynamics_body *b, cm__point velocity, cm__point spin);
/* At the start of a step: what it has. */
void cm__energy_start(const cm_dynamics *d, cm__dynamics_body *b);
/* What it gained (less than 0: lost) from what is not the motion of bodies. */
void cm__energy_gain(cm__dynamics_body *b, double gained);
/* Two bodies (NULL: none) took part in a collision: what they gained each, their inverse masses there, and the work
 * that one did on the other which keeps its velocity, and so gained nothing: it is the other's. What is lost in all is
 * either's to use within the step, shared as an overlap is, and what is gained in all either's to pay. */
void cm__energy_exchange(cm__dynamics_body *a, cm__dynamics_body *b, double gained_a, double gained_b, double inverse_a,
                         double inverse_b, double work);
/* At the end of a step: slows the bodies that met something to what they may have. */
void cm__energy_settle(const cm_dynamics *d);

#endif
