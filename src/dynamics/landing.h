/* Which of its contacts with ground a body ran into: see landing.c. */
#ifndef DYNAMICS_LANDING_H
#define DYNAMICS_LANDING_H

#include "dynamics/dynamics.h"

/* Do the two of this event touch at the end of the step? Not where they began and ended in it. */
bool cm__landing_touches_now(const cm_world_event_view *view, size_t at);
/* The landings of all bodies that touch several objects that stand still. */
void cm__landings_find(cm_dynamics *d, const cm_world_event_view *view);

#endif
