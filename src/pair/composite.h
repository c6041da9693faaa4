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

/* The gap to a triangle, no smaller than that of their boxes; false beyond `max`. `box` is the shape's. */
struct cm__probe;
bool cm__composite_gap(const struct cm__probe *probe, const cm_aabb *box, const cm_triangle *t, double max,
                       cm__gap *out);
int cm__convex_composite_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                 cm_manifold *out, int capacity);
/* The same without what lies wholly inside a solid: for what is itself but a part of a surface. */
int cm__convex_parts_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                             cm_manifold *out, int capacity);

/* Does the composite, placed at `home` in the shape's frame, hold the center of the convex shape? */
bool cm__solid_holds(const cm_shape *shape, const cm_shape *composite, const cm_pose *home);

/* How deep a convex shape is in a solid that holds its center, as far as two of its points tell. */
bool cm__solid_depth(const cm_shape *shape, const cm_shape *composite, const cm_pose *home, cm_witness *out);

/* A box, in the composite's frame, around all of it that lies no farther than `level` from the half-space; false where
 * nothing does. */
bool cm__halfspace_region(const cm_shape *halfspace, const cm_shape *composite, const cm_pose *composite_in_halfspace,
                          double level, cm_aabb *out);

#endif
