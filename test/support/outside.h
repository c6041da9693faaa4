/* How far a point is from a convex solid, in long double, for every kind; sharing no code with the library. */
#ifndef SUPPORT_OUTSIDE_H
#define SUPPORT_OUTSIDE_H

#include "support/solid.h"

/* The distance from the core, 0 inside; exact to long double's rounding (clouds: by all their triangles). */
long double solid_outside(const solid *s, wide3 p);
/* How deep a point lies below the surface of the solid, radius included; 0 outside. */
long double solid_inside(const solid *s, wide3 p);
/* The same solid for the library, at the identity; a cloud's hull is built: destroy it. */
cm_shape solid_shape(const solid *s, cm_hull **hull);

#endif
