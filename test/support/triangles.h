/* Pairs of triangles that are hard to judge: exact coincidences, near misses, needles, degenerate ones. */
#ifndef SUPPORT_TRIANGLES_H
#define SUPPORT_TRIANGLES_H

#include "support/support.h"

/* What a generated pair is like; in the order of triangle_pair_name. */
enum {
    PAIR_RANDOM,
    PAIR_SMALL_GRID,
    PAIR_COPLANAR_GRID,
    PAIR_NEAR_COPLANAR,
    PAIR_SHARED_CORNER,
    PAIR_SHARED_EDGE,
    PAIR_CORNER_ON_FACE,
    PAIR_CORNER_ON_EDGE,
    PAIR_EDGE_ON_EDGE,
    PAIR_DEGENERATE,
    PAIR_DEGENERATE_ON_FACE,
    PAIR_NEEDLES,
    PAIR_NEEDLES_CROSSING,
    PAIR_POSED_WALLS,
    PAIR_TENTHS,
    PAIR_NEAR_TOUCHING,
    PAIR_FAR_FROM_ORIGIN,
    PAIR_MIXED_SIZES,
    PAIR_PARALLEL,
    PAIR_KINDS
};
const char *triangle_pair_name(int kind);

/* Fills a and b with a pair of that kind, corners in random order, a and b swapped at random, then scaled by a power of
 * two (which changes no answer but the size) between 2^min_exponent and 2^max_exponent. */
void triangle_pair(rng *r, int kind, int min_exponent, int max_exponent, cm_vec3 a[3], cm_vec3 b[3]);

/* The corners as doubles, for the oracle. */
void triangle_doubles(const cm_vec3 t[3], double out[3][3]);
void segment_doubles(cm_vec3 s0, cm_vec3 s1, double out[2][3]);
void point_doubles(cm_vec3 p, double out[3]);

#endif
