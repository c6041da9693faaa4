/* Volume, center and inertia of solids, gathered from pieces.
 *
 * Everything is in double and in units of the caller's choice (about the solid's size), so that fifth powers of lengths
 * stay in range. Sums are of integrals of 1, x, and x x^T over the solid, all about one point of the caller's. */
#ifndef SHAPE_MASS_H
#define SHAPE_MASS_H

#include "carom/shape.h"
#include "math/point.h"

/* The answer of a kind: lengths in `unit`s, so the volume in unit^3, the inertia (of density 1) in unit^5. */
typedef struct cm__mass_sum {
    double unit, volume;
    cm__point center;  /* in units */
    double inertia[6]; /* about the center: xx yy zz yz zx xy of the tensor */
} cm__mass_sum;

/* Integrals over a solid: of 1, of x, of x x^T (xx yy zz yz zx xy). */
typedef struct cm__moments {
    double volume;
    cm__point first;
    double second[6];
} cm__moments;

/* The same about the z axis: of a solid of revolution, of 1, z, r^4 / 2 and z^2 over its profile; times pi. */
typedef struct cm__axis_moments {
    double volume, first, across, along;
} cm__axis_moments;

/* Adds what lies between z0 and z1 within a radius that grows from r0 to r1. */
void cm__axis_add_frustum(cm__axis_moments *m, double z0, double z1, double r0, double r1);
/* Adds what lies within core + sqrt(radius^2 - w^2), z = middle + w, for w / radius = sines from..to; the angles are
 * theirs. */
void cm__axis_add_arc(cm__axis_moments *m, double core, double middle, double radius, const double sine[2],
                      const double angle[2]);
/* Around the unit vector `axis` through `from`, of z = 0. */
void cm__mass_of_axis(const cm__axis_moments *m, cm__point from, cm__point axis, double unit, cm__mass_sum *out);
/* The cylinder around z, rounded by `radius`; all may be 0. */
void cm__axis_of_cylinder(double core, double half_height, double radius, cm__axis_moments *out);

/* Adds the tetrahedron from the origin to abc: positive where abc is counter-clockwise seen from outside. */
void cm__moments_add_tetrahedron(cm__moments *m, cm__point a, cm__point b, cm__point c);
/* Adds the prism of height `radius` over the triangle abc along its unit normal n. */
void cm__moments_add_prism(cm__moments *m, cm__point a, cm__point b, cm__point c, cm__point n, double radius);
/* Adds the wedge around the edge ab: a sector from the direction n1, the unit normal of the face through whose corners
 * a and b run counter-clockwise, to n2, that of the other face. */
void cm__moments_add_wedge(cm__moments *m, cm__point a, cm__point b, cm__point n1, cm__point n2, double radius);

/* The sector of a ball at a corner: all directions between the faces' normals. Filled by its edges in order around the
 * corner, then added. All zero to begin with. */
typedef struct cm__corner_sum {
    int count;
    cm__point start, before, after; /* directions on the rim */
    cm__point first;                /* the integral of n */
    double solid_angle;
} cm__corner_sum;
/* The edge that leaves the corner along the unit vector e, between the faces of unit normals `left` and `right`, seen
 * from outside along e. Counter-clockwise from edge to edge: the left face is the next edge's right one. */
void cm__corner_add_edge(cm__corner_sum *s, cm__point e, cm__point left, cm__point right);
void cm__moments_add_corner(cm__moments *m, cm__point corner, const cm__corner_sum *s, double radius);

/* From integrals about the point `from`; no volume gives zeros, and the center `from`. */
void cm__mass_of_moments(const cm__moments *m, cm__point from, double unit, cm__mass_sum *out);

#endif
