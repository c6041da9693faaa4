/* The contacts of clusters solved together, and the impulses that are kept: see cluster_solve.c, cluster_seek.c,
 * cluster_kept.c. */
#ifndef DYNAMICS_CLUSTER_SOLVE_H
#define DYNAMICS_CLUSTER_SOLVE_H

#include "dynamics/dynamics.h"

/* The parts, points and members of one island. */
typedef struct cm__cluster_range {
    size_t part, part_end, point, point_end, member, member_end;
    bool struck;
} cm__cluster_range;

/* Room for all bodies; nothing is known of those beyond the first `known`. False: no memory. */
bool cm__cluster_room_for_bodies(cm_dynamics *d, size_t known);
/* The new velocities of all clusters, of the parts and bodies that were found. False: no memory. */
bool cm__cluster_solve(cm_dynamics *d);
/* Impulses have changed the velocities of what this part may push. */
void cm__cluster_note_change(const cm__dynamics_part *part);
/* One part's turn in a round of projected Gauss-Seidel: the greatest change of a speed. */
double cm__cluster_solve_part(cm_dynamics *d, const cm__dynamics_part *part, double over);
/* Impulses with which no turn of a point changes a speed by more than `still`, in this many rounds. Steps of conjugate
 * gradients between them are no more exact than `still_steps`. False: rounds ran out (cluster_seek.c). */
bool cm__cluster_seek(cm_dynamics *d, const cm__cluster_range *r, double still, double still_steps, int rounds);
/* Begins with the impulses of the step before. */
void cm__cluster_begin(cm_dynamics *d);
/* Keeps the impulses for the next step. False: no memory. */
bool cm__cluster_keep(cm_dynamics *d);

#endif
