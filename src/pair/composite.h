/* Composites (mesh, height field, compound) against anything: what overlap, distance, contact and sweep share. */
#ifndef PAIR_COMPOSITE_H
#define PAIR_COMPOSITE_H

#include "pair/pair.h"

/* A box around the composite `shape`, placed at `pose`, rounded outwards; empty where it has no parts. */
void cm__composite_box(const cm_shape *shape, const cm_pose *pose, cm_aabb *out);

/* Is this part answered by the triangle's own ways? Else it is a shape as any other. */
static inline bool part_is_triangle(const cm__part *part) {
    return part->home && part->shape.kind == CM_SHAPE_TRIANGLE && !(part->shape.radius > 0);
}

/* A bound on the closest distance so far, as a walk takes it. */
static inline cm_real composite_bound(double distance) { return distance > 0 ? wide_up(distance) : 0; }

/* The contacts of A with one part of the composite B, by the part's own way: how many there are, the first `room` of
 * them in `out`, which name the part. */
int cm__part_contact(const cm_shape *a, const cm__part *part, const cm_pose *b_in_a, cm_real margin, cm_manifold *out,
                     int room);

/* Does the composite, placed at `home` in the shape's frame, hold the center of the convex shape? */
bool cm__solid_holds(const cm_shape *shape, const cm_shape *composite, const cm_pose *home);

/* A box, in the composite's frame, around all of it that lies no farther than `level` from the half-space; false where
 * nothing does. */
bool cm__halfspace_region(const cm_shape *halfspace, const cm_shape *composite, const cm_pose *composite_in_halfspace,
                          double level, cm_aabb *out);

/* Turns the normal of a triangle's contact so that edges within a surface do not show. Unit, in the composite's frame,
 * from the triangle to the other shape. Over an edge that is flat or concave it may not tilt at all, over a convex one
 * not beyond the neighbor's normal; over open edges as it likes.
 * @param center  of the other shape, which tells the side unless the normal is the face's own.
 * @param front   only the front is a way out (the center lies within a solid).
 * @return whether it was turned, by more than rounding: then what was measured along it is no longer so. */
bool cm__quiet_normal(const cm_shape *composite, uint32_t number, const cm_triangle *triangle, cm__point center,
                      bool front, cm__point *normal);

#endif
