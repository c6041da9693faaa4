/* Two small geometric programs behind the bounds of mesh_extent.c. */
#ifndef PAIR_EXTENT_BOUNDS_H
#define PAIR_EXTENT_BOUNDS_H

#include "math/point.h"

/* Of four planes over a triangle, given by their heights at its corners, the lowest: how high it gets. */
double cm__highest_of_lowest(double h[4][3]);
/* Does the segment enter the triangle v, both in one plane, by more than `slack`? n: unit inward normals, n[i] of the
 * edge from v[i]. */
bool cm__enters_triangle(const cm__point v[3], const cm__point n[3], cm__point from, cm__point to, double slack);

#endif
