/* Bodies that were held in the step before, and what they touch: see cluster.c. */
#ifndef DYNAMICS_CLUSTER_H
#define DYNAMICS_CLUSTER_H

#include "dynamics/dynamics.h"

/* At the start of a step, before ways are looked at: where bodies were held in the step before, they and all that is
 * connected with them get velocities with which they do not run into each other in this one, and go straight.
 * Velocities are those of the step's end. */
cm_status cm__cluster_settle(cm_dynamics *d);

#endif
