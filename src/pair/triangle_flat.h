/* Overlap of two triangles that lie in one plane, or of which at least one has no area: exact, by cases. */
#ifndef PAIR_TRIANGLE_FLAT_H
#define PAIR_TRIANGLE_FLAT_H

#include "math/exact.h"

/* Points that the two have in common, whose hull is all that they have in common. */
typedef struct cm__triangle_common {
    int count; /* at most 3 corners of each and 9 crossings of edges */
    cm__point point[15];
    uint8_t edge[15]; /* 0 1 2 on edge i of A, 3 4 5 on edge i - 3 of B */
    bool coplanar;
} cm__triangle_common;

/* Do they share a point? For other triangles the answer means nothing. `out` may be NULL. */
bool cm__triangles_flat(const cm__point a[3], const cm__point b[3], cm__triangle_common *out);

/* The point where the segment [p, q] passes the plane of t: at a parameter right to 2^-39. The corners must not lie
 * strictly on one side, nor both in the plane. The same bits whichever way the segment is run through. */
cm__point cm__triangle_plane_crossing(const cm__point t[3], cm__point p, cm__point q);

#endif
