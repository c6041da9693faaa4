/* The point of a simplex that is closest to the origin, and what of the simplex carries it. */
#ifndef CONVEX_SIMPLEX_H
#define CONVEX_SIMPLEX_H

#include "convex/convex.h"

typedef struct cm__feature {
    int count, index[3]; /* the vertices that carry v, */
    double weight[3];    /* and how much: positive, the sum is 1 */
    cm__point v;
    double square; /* |v|^2 */
} cm__feature;

typedef enum cm__side_of { CM__OUTSIDE, CM__WITHIN, CM__ON_IT } cm__side_of;

void cm__feature_corner(const cm__convex_vertex *p, int i, cm__feature *out);
void cm__feature_edge(const cm__convex_vertex *p, int i, int j, cm__feature *out);
void cm__feature_triangle(const cm__convex_vertex *p, int i, int j, int k, cm__feature *out);
/* Of the faces of the tetrahedron p[0..3] that have p[3]: where the origin is known to be outside, and p[0..2] carried
 * the closest point before. By no sign of a volume, which is rounding where corners lie close together. */
void cm__feature_outside(const cm__convex_vertex *p, cm__feature *out);
/* Of the simplex p[0..count - 1] of 1 to 4 points; of four as cm__feature_outside. */
static inline void feature_closest(const cm__convex_vertex *p, int count, cm__feature *out) {
    if (count == 1)
        cm__feature_corner(p, 0, out);
    else if (count == 2)
        cm__feature_edge(p, 0, 1, out);
    else if (count == 3)
        cm__feature_triangle(p, 0, 1, 2, out);
    else
        cm__feature_outside(p, out);
}
/* Is the origin inside the tetrahedron p[0..3]? CM__ON_IT: within `band` of a face, or it is too flat to say. `out` is
 * set but where the origin is inside or on a face without being outside of any: then out->count = 0. */
cm__side_of cm__feature_tetrahedron(const cm__convex_vertex *p, double band, cm__feature *out);

#endif
