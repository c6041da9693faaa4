/* The plane that several objects are where a body lands on them: see plane.c. */
#ifndef DYNAMICS_PLANE_H
#define DYNAMICS_PLANE_H

#include "dynamics/collision.h"

/* Did the body land on a plane that this object is a part of, that where it is the deepest? */
CM_INLINE bool cm__plane_is_of(const cm__dynamics_body *b, uint32_t ground) {
    return b && b->plane.whole && b->plane.ground == ground;
}
/* Notes the plane of this ground where the body met it, if it met none earlier: going straight, by its velocities, to
 * where it is. */
void cm__plane_meet(const cm_dynamics *d, cm__dynamics_body *b, uint32_t ground);
/* Notes which points of the contact with the plane are on this ground. True: the deepest of those so far is. */
bool cm__plane_find_points(cm_dynamics *d, cm__dynamics_body *b, uint32_t ground, cm_real margin);
/* The contact of the body with the plane, into `dynamics->manifolds`, in the order of one with this ground. Gives how
 * many manifolds that are. */
int cm__plane_touching(cm_dynamics *d, const cm__dynamics_body *b, uint32_t ground, cm_real margin);
/* Which points of that contact are on this ground: bit k is the k-th of all manifolds. */
uint64_t cm__plane_points_on(const cm_dynamics *d, const cm__dynamics_body *b, int count, uint32_t ground,
                             cm_real margin);
/* The contact with the ground where it is the deepest, at the point where it is so. */
cm_manifold cm__plane_deepest(const cm__dynamics_body *b);

#endif
