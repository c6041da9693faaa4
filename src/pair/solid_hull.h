/* Convex solid meshes touch as their hulls do. */
#ifndef PAIR_SOLID_HULL_H
#define PAIR_SOLID_HULL_H

#include "pair/pair.h"

/* A convex solid mesh as its hull, where the other shape is not a surface, or is such a mesh, too; any other shape as
 * it is. */
cm_shape cm__solid_hull_of(const cm_shape *shape, const cm_shape *other);
/* How far apart or deep two such hulls may seem where the meshes themselves, placed so, decide; for others also what
 * rounding makes. */
double cm__solid_hull_slack(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a);
/* Of the triangles of a convex solid mesh at a point, all in its own frame, the one that looks most along a direction,
 * of equal ones the first. */
uint32_t cm__solid_hull_triangle(const cm_shape *mesh, cm_vec3 at, cm_vec3 direction, double slack);

/* The contact of two convex solids of which one or both are meshes (cm_mesh_info: convex), as that of their hulls; its
 * parts are triangles that it lies on. Where the hulls are as near as rounding, whether the two touch is decided as
 * cm_overlap does. m->count is 0 where they do not. False: it is another pair. */
bool cm__solid_hull_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                            cm_manifold *m);

#endif
