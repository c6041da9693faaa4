/* Parts of a contact at which two bodies may only stand side by side: see beside.c. */
#ifndef DYNAMICS_BESIDE_H
#define DYNAMICS_BESIDE_H

#include "dynamics/collision.h"

/* Which parts of a contact may only stand side by side? */
cm__dynamics_doubt cm__beside_doubt(const cm_dynamics *d, const cm_world_event *event);
/* May the two only stand side by side at this part? */
bool cm__beside_is_doubtful(const cm__dynamics_doubt *w, const cm_manifold *part);
/* Of an event's parts, how many are doubtful: none of what bore as a whole before. */
int cm__beside_count(const cm_dynamics *d, const cm__dynamics_doubt *w, const cm_world_event *event);
/* Do they pass each other at the doubtful parts? */
bool cm__beside_pass(const cm__collision *m, const cm_world_event *event, const cm__dynamics_doubt *w,
                     const cm_pose *pose_a, const cm_pose *pose_b);

#endif
