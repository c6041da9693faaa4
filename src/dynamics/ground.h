/* Objects that a body hits as one: see ground.c. */
#ifndef DYNAMICS_GROUND_H
#define DYNAMICS_GROUND_H

#include "dynamics/collision.h"

/* The square of the cosine up to which two directions are one here: a tenth of a degree. */
#define CM__GROUND_ALONG (1 - 2e-6)

/* No body, and no motion in this step. */
bool cm__ground_stands(const cm_dynamics *d, uint32_t id);
/* The body of an event whose other object stands still; NULL: there is none. And that object. */
cm__dynamics_body *cm__ground_body(const cm_dynamics *d, const cm_world_event *event);
CM_INLINE uint32_t cm__ground_of(const cm__dynamics_body *b, const cm_world_event *event) {
    return b->id == event->a ? event->b : event->a;
}
/* The normal of a part of a contact of the body with ground: from the ground to the body. */
CM_INLINE cm__point cm__ground_normal(const cm__dynamics_body *b, uint32_t ground, const cm_manifold *part) {
    return cm__point_scale(cm__point_of(part->normal), b->id < ground ? -1 : 1);
}
/* Is ground that the body touches at the end of the step by these parts met only after what the body landed on? Where
 * all of them have the landing's normal, along which it is hit together with that, only if that is a plane, which then
 * is the contact with both. False where there is no landing. */
bool cm__ground_is_late(const cm_dynamics *d, const cm__dynamics_body *b, uint32_t ground, const cm_manifold *parts,
                        int count);
/* Of a hit between a body and what stands still: all else that stands still, touches the body up to `margin` along the
 * hit's normal, and gets the same responses, which the callback is asked for. They are put behind those that are in
 * `dynamics->grounds`; none where the hit is another. The callback may take or give bodies: those of the collision are
 * looked up anew. */
void cm__ground_find(cm__collision *m, const cm_world_hit *hit, const cm_pose *pose_a, const cm_pose *pose_b,
                     cm_real margin);
/* The manifolds of the hit's body with these grounds, at these poses, that have the hit's normal, behind the first
 * `kept` of `dynamics->manifolds`. Gives how many there are with those. */
int cm__ground_touching(const cm__collision *m, const cm_world_hit *hit, const cm_pose *pose_a, const cm_pose *pose_b,
                        cm_real margin, const cm__dynamics_grounds *grounds, int kept);

#endif
