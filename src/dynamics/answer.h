/* What the world finds in a step is answered: hits (hit.c), and contacts at its end (contact.c). */
#ifndef DYNAMICS_ANSWER_H
#define DYNAMICS_ANSWER_H

#include "dynamics/collision.h"

/* The answer to a hit that the world asks for; `user` is the cm_dynamics. */
cm_world_answer cm__dynamics_answer_hit(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                        cm_motion *rest_b);
/* The motion over what is left of the step, with the velocity of now; its start is left as it is. Of what is driven,
 * and where there is no body, all is. */
void cm__body_go_on(const cm__dynamics_body *b, double seconds, cm_motion *rest);
/* Answers the world's events of the step. */
cm_status cm__dynamics_answer_contacts(cm_dynamics *d);

#endif
