/* The directions in which a surface of triangles (mesh, height field) can be touched: the one view that contacts and
 * sweeps share. Overlap, distance and times never ask it. */
#ifndef PAIR_SURFACE_H
#define PAIR_SURFACE_H

#include "shape/shape.h"

/* How the triangles near the body lie: start, add all whose boxes touch the body's. */
typedef struct cm__surface_view {
    cm__point low, high;  /* around all normals */
    cm__point on, normal; /* the plane of the first */
    double scale;         /* of its place */
    bool any, flat;       /* all lie in one plane, but for rounding */
} cm__surface_view;

void cm__surface_view_start(cm__surface_view *view);
void cm__surface_view_add(cm__surface_view *view, const cm_triangle *triangle);

/* A surface and a convex body at one place near it; all in the surface's frame. */
typedef struct cm__surface {
    const cm_shape *shape;
    const cm__parts_ops *parts;
    cm__point center; /* of the body, a point within it */
    cm_aabb box;      /* around the body */
    double reach;     /* how large the numbers are that say where it is */
    bool solid;       /* only the front of a triangle is outside */
    bool ball;        /* a ball touches from the side of its center; false unless the caller knows better */
    bool seen;        /* is `view` of all triangles near the body? It is taken when it is needed. */
    cm__surface_view view;
} cm__surface;

typedef enum cm__surface_answer {
    CM__SURFACE_KEPT,     /* the surface has this direction there */
    CM__SURFACE_REPLACED, /* it had not; now it is the nearest that it has */
    CM__SURFACE_NONE      /* this triangle decides none: another one is touched there */
} cm__surface_answer;

/* Has this composite a surface, that is, triangles joined by edges? Compounds have not. */
static inline bool surface_exists(const cm_shape *composite) { return cm__ops(composite->kind)->parts->surface; }
/* And is it the surface of a solid? */
static inline bool surface_is_solid(const cm_shape *composite) {
    return surface_exists(composite) && cm__ops(composite->kind)->parts->surface->solid(composite);
}

/* `box` holds the body and its center. Costs nothing: what is needed is looked up when it is. Who knows all triangles
 * near the body may set `view` and `seen`. */
void cm__surface_of(const cm_shape *composite, cm__point center, const cm_aabb *box, cm__surface *out);

/* Can a body touch the surface at this triangle in this direction?
 *
 * The triangle is touched with its support feature along the direction: its face, an edge or a corner. The surface has
 * the direction there where no triangle around that feature reaches farther along it (so the feature supports the
 * surface, too, as far as it is near); of a face it has both normals. Open edges, and those of more than two triangles,
 * limit nothing. Of a solid only directions to the outside count. A surface has two sides; which one the body is on
 * follows from what of the surface lies between its center and `at`, not from the triangle's plane.
 *
 * What fails is replaced by the nearest direction that the feature has, else by the triangle's normal on the body's
 * side. What was replaced is no more than a proposal: along it the body may be much deeper than it is in the surface,
 * because another feature is the way out; cm__surface_holds_off tells.
 * @param number     of the triangle in the composite
 * @param at         the contact's point on the triangle
 * @param direction  unit, from the triangle to the body: the shortest way out of this triangle alone; and the answer's
 */
cm__surface_answer cm__surface_direction(cm__surface *surface, uint32_t number, const cm_triangle *triangle,
                                         cm__point at, cm__point *direction);
/* Is it kept? Else the direction stays as it is. */
bool cm__surface_has(cm__surface *surface, uint32_t number, const cm_triangle *triangle, cm__point at,
                     cm__point *direction);

/* Where the triangle is touched with an edge from this direction: the edges of the surface that lead up from its ends,
 * that is, rise along the direction; of each end the steepest. How many there are. */
int cm__surface_rises(const cm__surface *surface, uint32_t number, const cm_triangle *triangle, cm__point direction,
                      cm__point out[2][2]);

/* The triangle's normal on the body's side; false where the triangle is too thin to have one. */
bool cm__surface_normal(cm__surface *surface, uint32_t number, const cm_triangle *triangle, cm__point at,
                        cm__point *normal);

/* Is that how far the point is from the whole surface: is its foot, -height along the normal, on the surface, and is
 * nothing nearer than that, but for rounding and 1e-4 of it? Negative heights are depths. Then, and for the lowest
 * point of a body against the normal, the normal is a way out of the surface, as the normal of a face of a convex solid
 * is that is the way out of all of it. */
bool cm__surface_holds_off(cm__surface *surface, cm__point point, cm__point normal, double height);

#endif
