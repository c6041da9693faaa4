/* Two bodies that meet: what they do, and impulses between the two alone. */
#ifndef DYNAMICS_COLLISION_H
#define DYNAMICS_COLLISION_H

#include "dynamics/dynamics.h"
#include "dynamics/impulse.h"

enum {
    CM__MOVED_BY = CM_RESPONSE_BOUNCE | CM_RESPONSE_SLIDE,
    CM__BLOCKED_BY = CM_RESPONSE_BOUNCE | CM_RESPONSE_SLIDE | CM_RESPONSE_HALT
};

typedef struct cm__collision {
    cm_dynamics *dynamics;
    cm__dynamics_body *a, *b; /* NULL: none */
    uint32_t response_a, response_b;
    double rest; /* seconds left in the step */
} cm__collision;

/* Of the two of an event, with no response yet. */
static inline cm__collision collision_of(cm_dynamics *d, const cm_world_event *event) {
    return (cm__collision){d, cm__body_of(d, event->a), cm__body_of(d, event->b), 0, 0, 0};
}
/* The acceleration that goes on for the rest of the step. */
CM_INLINE cm__point cm__pull_of(const cm__dynamics_body *b) {
    return b && !b->driven && !b->halted && !b->settled ? b->pull : cm__p(0, 0, 0);
}
/* Their responses, by rules and callback, which may take or give bodies. */
void cm__collision_choose(cm__collision *m, const cm_world_hit *hit);
/* Restitution, friction and how slow rest is. Gives whether impulses turn the bodies. */
bool cm__collision_surface(const cm__collision *m, cm__impact *out);
/* Slower approaches do not bounce. */
double cm__collision_rest_speed(const cm__collision *m);
/* How far apart what touches at rest may be found to be: the margins of both objects, were they still at these poses.
 */
cm_real cm__collision_rest_margin(const cm_dynamics *d, uint32_t a, uint32_t b, const cm_pose *pose_a,
                                  const cm_pose *pose_b);
/* How far apart the two of a contact at the end of a step may be. */
double cm__collision_margin(const cm_dynamics *d, uint32_t a, uint32_t b);
/* Slow contacts are answered anew until no speed changes by more than this part of that up to which they are slow. */
#define CM__SHARE_STILL 1e-6

/* The points of all manifolds that have the impact's normal: but for a few degrees where they are no farther apart than
 * `gap`. What is farther apart along another normal does not touch: a wheel is as near to what it comes to next. Where
 * they are too many the farthest along eight directions across the normal, each once: impulses within the polygon that
 * those span are sums of impulses there. Where there are none the impact stays as it is. */
void cm__collision_at_normal(const cm_manifold *manifolds, int count, double gap, cm__impact *out);
/* All manifolds: an impact for each normal, its points as above. Where there are more normals than CM__IMPACTS those
 * that are near each other count as the first of them. */
int cm__collision_impacts(const cm_manifold *manifolds, int count, cm__impact out[CM__IMPACTS]);
/* Does any point of these manifolds approach faster than where one body lies on the other? */
bool cm__collision_lands(const cm__collision *m, const cm_pose *pose_a, const cm_pose *pose_b,
                         const cm_manifold *manifolds, int count);
/* The body as impulses see it, at `pose`, with the velocity it has there, or at the end of the step. */
cm__rigid cm__collision_rigid(const cm__collision *m, cm__dynamics_body *b, uint32_t response, const cm_pose *pose,
                              bool at_end);
/* The velocities after an impulse; `back`: the seconds over which acceleration goes on, 0 where it does not. */
void cm__body_set_changed(const cm_dynamics *d, cm__dynamics_body *b, const cm__rigid *to, double back);
/* Changes the velocities, but not where the numbers do not hold the impulse. Bodies that were slow come to rest on each
 * other. At least one impact. */
bool cm__collision_exchange(const cm__collision *m, const cm_pose *pose_a, const cm_pose *pose_b, cm__impact *impacts,
                            int count);
/* The same at the time that `rest` tells: where it is slow, what touches has pushed since the step began, as gravity
 * pulled, not only now. So the bodies go back, at the end of the step, by half of what it changes times that time, but
 * not out of touch: by as much of it as the depths of the impacts let them, less what they go back already.
 * @param share  In: what it did before, which is taken back first; all 0: nothing. Out: what it did, if it is slow;
 * else nothing */
bool cm__collision_hold(const cm__collision *m, const cm_pose *pose_a, const cm_pose *pose_b, cm__impact *impacts,
                        int count, cm__dynamics_share *share);
/* How far a point goes back, of a body with this center. */
CM_INLINE cm__point cm__way_back(const cm__dynamics_body *b, cm__point center, cm__point at) {
    return b ? cm__point_add(b->back, cm__point_cross(b->turn_back, cm__point_sub(at, center))) : cm__p(0, 0, 0);
}
/* What the contacts of the step have found of the way and the turn that are taken back: from *pose. False: nothing. */
bool cm__way_back_from(const cm__dynamics_body *b, cm_pose *pose);
/* Halting and vanishing. False where the body is gone. */
bool cm__collision_end(const cm__collision *m, cm__dynamics_body **b, uint32_t response);

#endif
