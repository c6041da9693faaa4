/* A convex shape held against many triangles of one frame: laid out once, asked triangle by triangle, by the method
 * that the table has for the shape and a triangle (method.h), in its prepared form.
 *
 * The decision on a triangle is that of the shapes' own pair; for points, segments and triangles without radius the
 * exact one, for the triangle's corners posed in the shape's frame as cm_mesh_posed does. Gaps run from the triangle to
 * the shape, in the triangles' frame, radius included; gap.distance <= 0 exactly where they overlap. */
#ifndef PAIR_PREPARED_H
#define PAIR_PREPARED_H

#include "pair/pair.h"

#include "bvh/bvh.h"
#include "convex/manifold.h"

typedef enum cm__prepared_way { CM__PREPARED_BALL, CM__PREPARED_POLYTOPE, CM__PREPARED_CORE } cm__prepared_way;

typedef struct cm__prepared {
    const cm_shape *shape;
    cm__prepared_way way;
    bool flat;                        /* decided exactly */
    bool solid;                       /* what lies on a triangle lies before it; false unless the caller knows better */
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

/* Bounds on the signed distance that cost little: at least, and at most where that is not negative (then it says that
 * they overlap, and nothing else). */
void cm__prepared_bounds(const cm__prepared *prepared, const cm_triangle *triangle, double *least, double *most);
bool cm__prepared_overlap(const cm__prepared *prepared, const cm_triangle *triangle);
/* False where they are farther apart than `max`, or, where that is negative, less deep. */
bool cm__prepared_gap(const cm__prepared *prepared, const cm_triangle *triangle, double max, cm__gap *out);
/* The shape's farthest point against a unit direction. */
cm__point cm__prepared_lowest(const cm__prepared *prepared, cm__point normal);
/* May several of its points be the farthest, up to `slack`? Of curved shapes always. */
bool cm__prepared_is_level(const cm__prepared *prepared, cm__point normal, double slack);
/* Does the shape reach deepest along gap->normal over the triangle, whose own normal it is, on whichever side? Then io
 * becomes the gap from there; else it stays. */
bool cm__prepared_deepest(const cm__prepared *prepared, const cm_triangle *triangle, cm__gap *io);
/* The points at most `margin` apart along gap->normal, which need not be the normal of their distance: then gap->a and
 * b are what stands for them where the triangle and the shape have no face to each other. In the triangles' frame. */
void cm__prepared_manifold(const cm__prepared *prepared, const cm_triangle *triangle, const cm__gap *gap, bool turned,
                           double margin, cm_manifold *out);

/* Turns an answer, from triangle to shape in the triangles' frame, into one from shape to triangle in the shape's. */
void cm__prepared_gap_to_shape(const cm__prepared *prepared, cm__gap *gap);
void cm__prepared_manifold_to_shape(const cm__prepared *prepared, cm_manifold *manifold);

#endif
