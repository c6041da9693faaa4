/* What rests or was held in the step before, with what it touches: see cluster.c. */
#ifndef DYNAMICS_CLUSTER_H
#define DYNAMICS_CLUSTER_H

#include "dynamics/dynamics.h"

/* At the start of a step, before ways are looked at: bodies that rest, or were held in the step before, and all that is
 * connected with them get velocities with which they do not run into each other in this one. Velocities are those of
 * the step's end. */
cm_status cm__cluster_settle(cm_dynamics *d);
/* Were contacts of these two objects solved in this step? */
bool cm__cluster_has(const cm_dynamics *d, uint32_t a, uint32_t b);

#endif
