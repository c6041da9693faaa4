/* The normals along which a surface of triangles (mesh, height field) can be touched, so that bodies do not catch on
 * internal edges. Contacts and sweeps both ask here. Overlap, distance and times of contact never do. */
#ifndef PAIR_SURFACE_H
#define PAIR_SURFACE_H

#include "shape/shape.h"

/* How the triangles near the body lie: flat, folded or in between. Start it, then add all triangles whose boxes overlap
 * the body's. */
typedef struct cm__surface_view {
    cm__point low, high;  /* box around all normals: component by component */
    cm__point on, normal; /* the plane of the first triangle */
    double scale;         /* size of its coordinates */
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
    double reach;     /* size of the coordinates of the body: rounding scales with it */
    bool solid;       /* only the front of a triangle is outside */
    bool ball; /* the body is a ball, which touches from the side of its center; false unless the caller sets it */
    bool seen; /* `view` holds all triangles near the body. If false, it is made when it is needed. */
    cm__surface_view view;
    /* the last answer to how many triangles lie between the center and a point `level_at` on a triangle */
    bool level_known;
    int level;
    uint32_t level_number;
    cm__point level_at;
} cm__surface;

typedef enum cm__surface_answer {
    CM__SURFACE_KEPT,     /* the surface has this direction there */
    CM__SURFACE_REPLACED, /* it had not; the direction is now the nearest that the feature has */
    CM__SURFACE_NONE      /* this feature has no direction toward the body: another triangle is touched there */
} cm__surface_answer;

/* Does the composite have a surface, that is, triangles joined by edges? A compound does not. */
static inline bool surface_exists(const cm_shape *composite) { return cm__ops(composite->kind)->parts->surface; }
/* And is it the surface of a solid? */
static inline bool surface_is_solid(const cm_shape *composite) {
    return surface_exists(composite) && cm__ops(composite->kind)->parts->surface->solid(composite);
}

/* Sets up the surface for a body inside `box`. Cheap: the view is made only when it is needed. A caller who knows all
 * triangles near the body may set `view` and `seen`. */
void cm__surface_of(const cm_shape *composite, cm__point center, const cm_aabb *box, cm__surface *out);

/* Can a body touch the surface at this triangle in this direction?
 *
 * The triangle is touched at its support feature along the direction: its face, an edge or a corner. The surface has
 * the direction there if no triangle around that feature reaches farther along it; then the feature supports the
 * surface locally, too. A face has both its normals. Open edges, and edges of more than two triangles, limit nothing. A
 * solid has only outward directions. A surface has two sides; the body's side follows from the triangles that lie
 * between the body's center and `at`, not from the triangle's plane alone.
 *
 * A direction that the surface does not have is replaced by the nearest one that the feature has, else by the
 * triangle's normal on the body's side. A replaced direction is only a proposal: along it the body may be much deeper
 * than it is in the surface, because another feature is the one to leave by. cm__surface_holds_off checks that.
 * @param number     of the triangle in the composite
 * @param at         the contact's point on the triangle
 * @param direction unit, from the triangle to the body. In: the direction of least depth out of this triangle alone;
 * out: the answer */
cm__surface_answer cm__surface_direction(cm__surface *surface, uint32_t number, const cm_triangle *triangle,
                                         cm__point at, cm__point *direction);
/* Does the surface have the direction? If so, it is freed of rounding; else it stays as it is. */
bool cm__surface_has(cm__surface *surface, uint32_t number, const cm_triangle *triangle, cm__point at,
                     cm__point *direction);

/* For a triangle touched at an edge along this direction: the surface's edges that rise along the direction from the
 * ends of that edge, at each end the steepest. Returns how many there are. */
int cm__surface_rises(const cm__surface *surface, uint32_t number, const cm_triangle *triangle, cm__point direction,
                      cm__point out[2][2]);

/* The triangle's normal on the body's side; false where the triangle is too thin to have one. */
bool cm__surface_normal(cm__surface *surface, uint32_t number, const cm_triangle *triangle, cm__point at,
                        cm__point *normal);

/* Is `height` the distance of the point from the whole surface along the normal? That is: is its foot, point - height *
 * normal, on the surface, and is nothing of the surface nearer, within rounding and 1e-4 of the height? A negative
 * height is a depth. If this holds for the body's lowest point along the normal, then moving the body along the normal
 * by the depth leaves the surface. */
bool cm__surface_holds_off(cm__surface *surface, cm__point point, cm__point normal, double height);

#endif
