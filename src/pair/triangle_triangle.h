/* Two closed triangles, posed in one frame: do they share a point, in which segment do they cross, how far apart are
 * they. Any triangles, also without area (segments, points).
 *
 * The yes or no is exact for the very coordinates given, touching counts (range of coordinates: math/exact.h).
 * It does not depend on the order of the triangles, nor on that of their corners. */
#ifndef PAIR_TRIANGLE_TRIANGLE_H
#define PAIR_TRIANGLE_TRIANGLE_H

#include "math/exact.h"

/* Do they share a point? Cost: 9 to 25 ns unless their planes are the same to within rounding. */
bool cm__overlap_triangle_triangle(const cm_vec3 a[3], const cm_vec3 b[3]);

/* What two overlapping triangles have in common. */
typedef struct cm__triangle_crossing {
    cm_vec3 start, end; /* the common segment; equal where it is one point */
    /* Which edge each end lies on: 0 1 2 edge i of A, from corner i to the next; 3 4 5 edge i - 3 of B. */
    uint8_t start_edge, end_edge;
    bool coplanar; /* all six corners in one plane: start and end are the two points of the overlap farthest apart */
} cm__triangle_crossing;

/* Where they cross. False, and `out` untouched, where they do not share a point; the decision is that of the overlap.
 *
 * Unless coplanar, an end is where an edge of one passes the plane of the other: at a parameter along that edge that is
 * right to 2^-38 of the edge, however flat it passes, then rounded. Its numbers depend on that edge, whichever way it
 * is run through, and on that plane only: triangles that share the edge give the same bits, so outlines close.
 * Coplanar ends are corners, exactly, or where two edges cross, within 8 ulp of the coordinates of both. */
bool cm__cross_triangle_triangle(const cm_vec3 a[3], const cm_vec3 b[3], cm__triangle_crossing *out);

/* The distance and the closest points: 0 exactly where they share a point (the decision is that of the overlap; the
 * points are then equal, in the middle of the crossing), else at least CM_REAL_MIN.
 * The error, before the last rounding, is at most 16 * 2^-53 (L + distance) in both builds, L the longest edge; in the
 * double build the difference of two corners counts as an edge.
 * @param max_distance  looks no farther: where they are farther apart the answer is CM_REAL_MAX and the points are
 *                      untouched.
 * @param on_a, on_b    the closest points, rounded. Never NULL. */
cm_real cm__distance_triangle_triangle(const cm_vec3 a[3], const cm_vec3 b[3], cm_real max_distance, cm_vec3 *on_a,
                                       cm_vec3 *on_b);

#endif
