/* The contacts of clusters solved together, and the impulses that are kept: see cluster_solve.c, cluster_kept.c. */
#ifndef DYNAMICS_CLUSTER_SOLVE_H
#define DYNAMICS_CLUSTER_SOLVE_H

#include "dynamics/dynamics.h"

/* Room for all bodies; nothing is known of those beyond the first `known`. False: no memory. */
bool cm__cluster_room_for_bodies(cm_dynamics *d, size_t known);
/* The new velocities of all clusters, of the parts and bodies that were found. False: no memory. */
bool cm__cluster_solve(cm_dynamics *d);
/* A body while impulses are sought; NULL: it has none. */
cm__dynamics_rigid *cm__cluster_rigid(cm_dynamics *d, uint32_t id);
/* A side of a contact; what it does not push, or is no body, is a copy that keeps its velocity. */
cm__rigid *cm__cluster_side(cm_dynamics *d, uint32_t id, uint32_t response, cm__rigid *still);
/* Begins with the impulses of the step before. */
void cm__cluster_begin(cm_dynamics *d);
/* Keeps the impulses for the next step. False: no memory. */
bool cm__cluster_keep(cm_dynamics *d);

#endif
