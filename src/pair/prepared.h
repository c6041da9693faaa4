/* A convex shape against many triangles of one frame. The shape is prepared once (posed, its corners or core set up)
 * and then tested against triangle after triangle, with the method that the table has for the shape and a triangle
 * (method.h).
 *
 * Whether a triangle overlaps is decided as for the pair of shapes. For points, segments and triangles without radius
 * the decision is exact, for the triangle's corners posed in the shape's frame as cm_mesh_posed does. Gaps run from the
 * triangle to the shape, in the triangles' frame, radius included; gap.distance <= 0 exactly where they overlap. */
#ifndef PAIR_PREPARED_H
#define PAIR_PREPARED_H

#include "pair/pair.h"

#include "bvh/bvh.h"
#include "convex/manifold.h"

typedef enum cm__prepared_kind { CM__PREPARED_BALL, CM__PREPARED_POLYTOPE, CM__PREPARED_CORE } cm__prepared_kind;

typedef struct cm__prepared {
    const cm_shape *shape;
    cm__prepared_kind kind;
    bool flat;  /* a point, segment or triangle without radius: decided exactly */
    bool solid; /* the triangles are a solid's: a shape that lies on one is in front of it. False unless the caller sets
                   it */
    cm__frame to_shape, to_triangles; /* from the triangles' frame into the shape's, and back */
    cm__bvh_placing placing;          /* the same as to_shape, in the arithmetic of posed points */
    cm__core core;
    cm__polytope polytope; /* in the triangles' frame */
    cm__point center;      /* of a ball around the shape, in the triangles' frame */
    double size, slack;
} cm__prepared;

/* `pose`: of the triangles' frame in the shape's; the shape is valid and convex. */
void cm__prepare(const cm_shape *shape, const cm_pose *pose, cm__prepared *out);
/* The smallest box in the triangles' frame, grown by more than the decisions can err. */
void cm__prepared_box(const cm__prepared *prepared, cm_aabb *out);

/* Cheap bounds on the signed distance. A negative *most only says that they overlap. */
void cm__prepared_bounds(const cm__prepared *prepared, const cm_triangle *triangle, double *least, double *most);
bool cm__prepared_overlap(const cm__prepared *prepared, const cm_triangle *triangle);
/* The gap; false where the distance is more than `max`. A negative `max` asks only for depths of at least -max. */
bool cm__prepared_gap(const cm__prepared *prepared, const cm_triangle *triangle, double max, cm__gap *out);
/* The shape's farthest point against a unit direction. */
cm__point cm__prepared_lowest(const cm__prepared *prepared, cm__point normal);
/* Are several of its points the lowest along the normal, within `slack`? Always true for curved shapes. */
bool cm__prepared_is_level(const cm__prepared *prepared, cm__point normal, double slack);
/* io->normal is the triangle's own normal, on either side. Where the shape's lowest point along it lies over the
 * triangle and is deeper than *io, *io becomes the gap there, and the answer is true; else *io stays. */
bool cm__prepared_deepest(const cm__prepared *prepared, const cm_triangle *triangle, cm__gap *io);
/* The contact along gap->normal, in the triangles' frame: points at most `margin` apart. The normal need not be that of
 * the distance (`other_normal`). gap->a and gap->b are the contact where neither has a face across the normal. */
void cm__prepared_manifold(const cm__prepared *prepared, const cm_triangle *triangle, const cm__gap *gap,
                           bool other_normal, double margin, cm_manifold *out);

/* Takes an answer from triangle to shape in the triangles' frame to one from shape to triangle in the shape's frame. */
void cm__prepared_gap_to_shape(const cm__prepared *prepared, cm__gap *gap);
void cm__prepared_manifold_to_shape(const cm__prepared *prepared, cm_manifold *manifold);

#endif
