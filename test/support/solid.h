/* Convex shapes for the tests, in long double, sharing no code with the library: support, membership, and the deepest
 * translation by trying every axis. What a distance must prove is checked against these. */
#ifndef SUPPORT_SOLID_H
#define SUPPORT_SOLID_H

#include "support/support.h"

#include <math.h>

typedef struct wide3 {
    long double x, y, z;
} wide3;

typedef enum solid_kind {
    SOLID_POINT,
    SOLID_SEGMENT,
    SOLID_TRIANGLE,
    SOLID_BOX,
    SOLID_CLOUD, /* the hull of points */
    SOLID_CYLINDER,
    SOLID_CONE,
    SOLID_ELLIPSOID,
    SOLID_KINDS
} solid_kind;

extern const char *const solid_names[SOLID_KINDS];

#define SOLID_POINTS 64
#define SOLID_FACES  256
#define SOLID_EDGES  384
#define SOLID_SIDES  600 /* triples of corners that span a face */

/* A core in its own frame, its place, and a radius. Numbers are cm_reals, so that the library is given the same. */
typedef struct solid {
    solid_kind kind;
    int count;                   /* corners of a polytope; 0 for curved ones */
    cm_vec3 point[SOLID_POINTS]; /* */
    cm_vec3 size;                /* box and ellipsoid: halves; cylinder, cone: radius, half height */
    cm_real radius;
    wide3 turn[3], position;                    /* columns and origin of its frame; the identity to begin with */
    double corner[3][SOLID_POINTS], axis[3][3]; /* the same in double, without the position: to search fast */
    /* of polytopes: unit normals of the faces and directions of edges, own frame; filled by solid_features */
    int faces, edges, sides; /* sides: -1 where there are too many to keep */
    unsigned char side[SOLID_SIDES][3];
    wide3 face[SOLID_FACES], edge[SOLID_EDGES];
} solid;

/* Unlike fmaxl they let NaN through: a comparison that must hold then fails. */
static inline long double wl_max(long double a, long double b) { return a >= b || a != a ? a : b; }
static inline long double wl_min(long double a, long double b) { return a <= b || a != a ? a : b; }
static inline wide3 w3(long double x, long double y, long double z) { return (wide3){x, y, z}; }
static inline wide3 w3_of_vec3(cm_vec3 v) { return w3((long double)v.x, (long double)v.y, (long double)v.z); }
static inline wide3 w3_add(wide3 a, wide3 b) { return w3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline wide3 w3_sub(wide3 a, wide3 b) { return w3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline wide3 w3_scale(wide3 a, long double s) { return w3(a.x * s, a.y * s, a.z * s); }
static inline long double w3_dot(wide3 a, wide3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline wide3 w3_cross(wide3 a, wide3 b) {
    return w3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline long double w3_length(wide3 a) { return sqrtl(w3_dot(a, a)); }
static inline wide3 w3_unit(wide3 a) { return w3_scale(a, 1 / w3_length(a)); }

bool solid_is_polytope(const solid *s);
/* A random one of about the size 1 in its own frame times `size`; `flavor` 0: round, 1: needle, 2: slab, 3: flat or
 * degenerate. Its place is the identity. */
void solid_random(solid *s, solid_kind kind, int flavor, double size, rng *r);
/* Finds faces and edges of a polytope by trying every triple of corners. */
void solid_features(solid *s);
/* The turn of a quaternion scaled to length 1. */
void solid_place(solid *s, cm_quat turn, wide3 position);
/* max n.p over the solid, radius included. */
long double solid_reach(const solid *s, wide3 n);
/* The least s with: the point is within s of the core; 0 inside. Of ellipsoids an upper bound. Of clouds only a lower
 * bound of it: the farthest outside of any face. */
long double solid_core_outside(const solid *s, wide3 p);
/* The distance of a point from a triangle, all in one frame. */
long double solid_to_triangle(wide3 p, wide3 a, wide3 b, wide3 c);
/* How deep a point within the core lies below its surface; of ellipsoids no more than that. 0 outside. */
long double solid_core_inside(const solid *s, wide3 p);
/* The width of what separates B from A along n: min over B - max over A. */
long double solid_separation(const solid *a, const solid *b, wide3 n);
/* The largest separation over all axes that can be the best for two overlapping polytope cores, radii taken off, or
 * one of at least `enough`. *axis: where. */
long double solid_best_axis(const solid *a, const solid *b, long double enough, wide3 *axis);
/* For any pair: the best separation found by a search from `tries` random directions and from `guess`. */
long double solid_search_axis(const solid *a, const solid *b, wide3 guess, int tries, rng *r, wide3 *axis);

#endif
