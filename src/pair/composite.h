/* Composites (mesh, height field, compound) against anything: what overlap, distance, contact and sweep share. */
#ifndef PAIR_COMPOSITE_H
#define PAIR_COMPOSITE_H

#include "pair/pair.h"
#include "pair/surface.h"

/* A box around the composite `shape`, placed at `pose`, rounded outwards; empty where it has no parts. */
void cm__composite_box(const cm_shape *shape, const cm_pose *pose, cm_aabb *out);

/* Is the part a plain triangle of the composite, for which prepared.h is made? Else it is a shape like any other. */
static inline bool part_is_triangle(const cm__part *part) { return part->identity && shape_is_face(&part->shape); }

/* The closest distance so far, rounded up, as the bound of a walk. */
static inline cm_real composite_bound(double distance) { return distance > 0 ? wide_up(distance) : 0; }

/* The gap to a triangle, no smaller than that of their boxes; false beyond `max`. `box` is the shape's. */
struct cm__prepared;
bool cm__composite_gap(const struct cm__prepared *prepared, const cm_aabb *box, const cm_triangle *t, double max,
                       cm__gap *out);

enum { CM__FACING_PLANES = 4, CM__FACING_TRIANGLES = 64 }; /* what is beyond is left out */

/* A plane in which two surfaces touch, in the other surface's frame. */
typedef struct cm__facing {
    cm__point normal; /* unit, from the other surface to this one */
    double level;     /* of the other surface's points along the normal */
    double depth;     /* the greatest there */
} cm__facing;

/* The triangles of the other surface that lie in such a plane, or nearly so. */
typedef struct cm__facing_triangles {
    cm_triangle triangle[CM__FACING_TRIANGLES];
    cm_aabb box[CM__FACING_TRIANGLES];
    uint32_t number[CM__FACING_TRIANGLES];
    int count;
} cm__facing_triangles;

/* The case of two surfaces: a triangle of one is asked like a convex body against the other. Here are both surfaces,
 * each with the other as its body. A surface that is not solid has no inside, so its side is decided triangle by
 * triangle. */
typedef struct cm__contact_own {
    cm__surface self;  /* the surface that the triangle is part of; its body is the other surface */
    cm__surface other; /* the other surface; its body is `self` */
    uint32_t number;   /* of the triangle */
    cm__facing plane[CM__FACING_PLANES];
    int planes; /* in which contacts were found */
} cm__contact_own;
void cm__convex_composite_contacts(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                   cm__contacts *to);
/* The same for a triangle of a surface: contacts only along directions that both surfaces have, and none for a triangle
 * that lies wholly inside a solid. */
void cm__triangle_surface_contacts(const cm_shape *triangle, cm__contact_own *own, const cm_shape *b,
                                   const cm_pose *b_in_a, cm_real margin, cm__contacts *to);
/* The contacts of a triangle of a surface with these of the other, all of which face it in a plane. */
void cm__triangle_facing_contacts(const cm_shape *triangle, cm__contact_own *own, const cm_shape *b,
                                  const cm_pose *b_in_a, cm_real margin, const cm__facing *plane,
                                  const cm__facing_triangles *other, cm__contacts *to);
void cm__composites_contacts(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                             cm__contacts *to);

/* Does the composite, placed at `pose` in the shape's frame, hold the center of the convex shape? */
bool cm__solid_holds(const cm_shape *shape, const cm_shape *composite, const cm_pose *pose);

/* The depth of a convex shape in a solid that holds its center: a lower bound, from two points of the shape. */
bool cm__solid_depth(const cm_shape *shape, const cm_shape *composite, const cm_pose *pose, cm_witness *out);
/* The part of the wall of such a depth, in the triangles' frame. */
bool cm__solid_wall(const struct cm__prepared *prepared, const cm_shape *composite, const cm_witness *inside,
                    cm__part *out);

/* Two composites: the parts of one are asked against the whole other. `swapped`: they are parts of the second. */
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
/* Does the solid `outer` hold some part of `inner` wholly? The deepest witness of such parts goes to *out, in outer's
 * frame; with out = NULL the first part ends the search. Only for inner shapes whose parts are triangles: the children
 * of a compound are asked one by one. */
bool cm__composite_held(const cm_shape *outer, const cm_shape *inner, const cm_pose *inner_in_outer, cm_witness *out);

/* The depth of two composites that overlap, CM_REAL_MAX or at most 0, as their distance tells it, but from no more than
 * `most` parts of the one and, where these are triangles, of the other: of more near the other, each second, third, and
 * so on. So it is a lower bound of the depth over all parts. *asked: how many parts of the one were looked at. */
cm_real cm__composites_depth(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, uint32_t most,
                             uint32_t *asked, cm_witness *out);

/* A box, in the composite's frame, around the part of the composite that lies within `level` of the half-space; false
 * where there is none. */
bool cm__halfspace_region(const cm_shape *halfspace, const cm_shape *composite, const cm_pose *composite_in_halfspace,
                          double level, cm_aabb *out);

#endif
