/* Composites (mesh, height field, compound) against anything: what overlap, distance, contact and sweep share. */
#ifndef PAIR_COMPOSITE_H
#define PAIR_COMPOSITE_H

#include "pair/pair.h"
#include "pair/surface.h"

/* A box around the composite `shape`, placed at `pose`, rounded outwards; empty where it has no parts. */
void cm__composite_box(const cm_shape *shape, const cm_pose *pose, cm_aabb *out);

/* Is this part answered by the triangle's own ways? Else it is a shape as any other. */
static inline bool part_is_triangle(const cm__part *part) {
    return part->identity && part->shape.kind == CM_SHAPE_TRIANGLE && !(part->shape.radius > 0);
}

/* A bound on the closest distance so far, as a walk takes it. */
static inline cm_real composite_bound(double distance) { return distance > 0 ? wide_up(distance) : 0; }

/* The gap to a triangle, no smaller than that of their boxes; false beyond `max`. `box` is the shape's. */
struct cm__prepared;
bool cm__composite_gap(const struct cm__prepared *prepared, const cm_aabb *box, const cm_triangle *t, double max,
                       cm__gap *out);

/* Of which surface a triangle that is asked like a body is a part, and how the two surfaces see each other. What is no
 * solid has no inside: it is seen from each of its triangles. */
typedef struct cm__contact_own {
    cm__surface self;  /* the triangle's; its body is the other surface */
    cm__surface other; /* the other one; its body is the first */
    uint32_t number;   /* of the triangle */
} cm__contact_own;
void cm__convex_composite_contacts(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                   cm__contacts *to);
/* The same of a triangle of a surface: in directions that both surfaces have, and without what lies wholly inside a
 * solid. */
void cm__triangle_surface_contacts(const cm_shape *triangle, cm__contact_own *own, const cm_shape *b,
                                   const cm_pose *b_in_a, cm_real margin, cm__contacts *to);
void cm__composites_contacts(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                             cm__contacts *to);

/* Does the composite, placed at `pose` in the shape's frame, hold the center of the convex shape? */
bool cm__solid_holds(const cm_shape *shape, const cm_shape *composite, const cm_pose *pose);

/* How deep a convex shape is in a solid that holds its center, as far as two of its points tell. */
bool cm__solid_depth(const cm_shape *shape, const cm_shape *composite, const cm_pose *pose, cm_witness *out);

/* Two composites: one's parts, each against the whole other; `swapped`: the parts are the second's. */
typedef struct cm__composite_walk {
    const cm_shape *whole, *other;
    cm_pose other_in_whole;
    bool swapped;
    const cm__parts_ops *parts;
    cm_aabb box;
} cm__composite_walk;

void cm__composite_walk_of(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__composite_walk *out);
static inline cm_pose composite_other_in_part(const cm__composite_walk *w, const cm__part *part) {
    return part->identity ? w->other_in_whole : cm_pose_between(&part->pose, &w->other_in_whole);
}
/* The parts of `inner` that a solid `outer` holds wholly: the deepest witness, in outer's frame, or with out = NULL the
 * first. Only where inner's parts are triangles: a compound's are each held against the solid on their own. */
bool cm__composite_held(const cm_shape *outer, const cm_shape *inner, const cm_pose *inner_in_outer, cm_witness *out);

/* A box, in the composite's frame, around all of it that lies no farther than `level` from the half-space; false where
 * nothing does. */
bool cm__halfspace_region(const cm_shape *halfspace, const cm_shape *composite, const cm_pose *composite_in_halfspace,
                          double level, cm_aabb *out);

#endif
