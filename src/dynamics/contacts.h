/* What touches at the start and at the end of a step, all of it together: see contacts.c. */
#ifndef DYNAMICS_CONTACTS_H
#define DYNAMICS_CONTACTS_H

#include "dynamics/dynamics.h"

/* At the start: bodies that touched at the end of the step before come to rest on each other, and go straight, before
 * their ways are looked at. Their velocities are those of the step's end. */
cm_status cm__dynamics_contacts_start(cm_dynamics *d);
/* At the end: what touches there is answered. */
cm_status cm__dynamics_contacts_end(cm_dynamics *d);

#endif
