/* How far the points of a triangle may be from the surface of a mesh: upper bounds for mesh_extent.c. */
#ifndef PAIR_EXTENT_BOUNDS_H
#define PAIR_EXTENT_BOUNDS_H

#include "math/point.h"
#include "mesh/mesh.h"

/* Of four planes over a triangle, given by their heights at its corners, the lowest: how high it gets. */
double cm__highest_of_lowest(double h[4][3]);

/* No point of the triangle v is farther than this from the mesh's surface, measured along the normal of the mesh's
 * triangle `below`, over or under which the center of v lies. From there the surface is followed across every edge that
 * runs below v, as long as it is the same side up: so all of v is over it, and the heights, linear over each triangle,
 * are greatest at the corners of what is common to v and the triangle. The rim of v, up to `slack` wide, may hang over:
 * it is added. DBL_MAX where the surface ends below v, turns over, or is of too many triangles. */
double cm__height_over_surface(const cm_mesh *mesh, uint32_t below, const cm__point v[3], double slack);

#endif
