/* The contacts of clusters solved together, and the impulses that are kept: see cluster_solve.c, cluster_bear.c,
 * cluster_kept.c. */
#ifndef DYNAMICS_CLUSTER_SOLVE_H
#define DYNAMICS_CLUSTER_SOLVE_H

#include "dynamics/dynamics.h"

/* The parts of one island. */
typedef struct cm__cluster_range {
    size_t part, part_end, member, member_end;
    bool struck;
} cm__cluster_range;

/* Room for all bodies; nothing is known of those beyond the first `known`. False: no memory. */
bool cm__cluster_room_for_bodies(cm_dynamics *d, size_t known);
/* The new velocities of all clusters, of the parts and bodies that were found. False: no memory. */
bool cm__cluster_solve(cm_dynamics *d);
/* A body while impulses are sought; NULL: it has none. */
cm__dynamics_rigid *cm__cluster_rigid(cm_dynamics *d, uint32_t id);
/* A side of a contact; what it does not push, or is no body, is a copy that keeps its velocity. */
cm__rigid *cm__cluster_side(cm_dynamics *d, uint32_t id, uint32_t response, cm__rigid *still);
/* One part's turn in a round of projected Gauss-Seidel: the greatest change of a speed. */
double cm__cluster_solve_part(cm_dynamics *d, const cm__dynamics_part *part, double relax);
/* The impulses that bear what rests, none of which goes faster than `fastest` (cluster_bear.c). */
void cm__cluster_bear(cm_dynamics *d, const cm__cluster_range *r, double fastest);
/* Begins with the impulses of the step before. */
void cm__cluster_begin(cm_dynamics *d);
/* Keeps the impulses for the next step. False: no memory. */
bool cm__cluster_keep(cm_dynamics *d);

#endif
