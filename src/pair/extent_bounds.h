/* How far the points of a triangle may be from the surface of a mesh: upper bounds for mesh_extent.c. */
#ifndef PAIR_EXTENT_BOUNDS_H
#define PAIR_EXTENT_BOUNDS_H

#include "pair/extent.h"

/* Of four planes over a triangle, given by their heights at its corners, the lowest: how high it gets. */
double cm__highest_of_lowest(double h[4][3]);

enum { CM__SHEET_LIMIT = 48 /* triangles */ };

/* The part of a mesh's surface that lies over or under a triangle v, along a normal. */
typedef struct cm__sheet {
    double far[2];      /* how far v is from it at most where v is over it, on the side of its normals; and under it */
    double high[2];     /* the same as heights: along `normal` */
    double level[2];    /* how low and how high it is below v, or above, over `at` */
    double where[2][3]; /* at which points of v that is: barycentric; where `far` is more than 0 */
    uint32_t under[2];  /* and over or under which triangle */
    uint32_t face[CM__SHEET_LIMIT];
    int count;
    bool begun;           /* v's center is over a triangle of it, and v is not upright to that */
    cm__point normal, at; /* heights are measured along it, from this point */
    cm__point axis[3];    /* weight[i] of p in v = offset[i] + dot(axis[i], p) */
    double offset[3];
    double height[3]; /* of v's corners */
    double inset;     /* weights are kept at least this large: v without a rim */
} cm__sheet;

/* The point of v with these weights, or, as those of an upright v are rounded a lot, one of v near it. */
static inline cm__point cm__sheet_point(const cm__point v[3], const double weight[3]) {
    const double one = weight[1] > 0 ? (weight[1] < 1 ? weight[1] : 1) : 0;
    const double two = weight[2] > 0 ? (weight[2] < 1 - one ? weight[2] : 1 - one) : 0;
    const cm__point p = cm__point_mul_add(v[0], one, cm__point_sub(v[1], v[0]));
    return cm__point_mul_add(p, two, cm__point_sub(v[2], v[0]));
}

/* Follows the mesh's surface below v, along a normal (`along`; NULL: that of the triangle below the center of v), from
 * a triangle a few steps from `near` across every edge that runs below v, as long as it is the same side up: so all of
 * v is over it, and what is common to v and a triangle of it is nowhere farther from that triangle than at a corner.
 * An upright v is seen along a direction that leans a little out of its plane.
 * Heights up to `enough` are taken for distances. Of v only the rim, up to `slack` wide, may hang over: no point of v
 * is farther from the surface than far[0] and far[1] tell, and `slack`. False where the surface ends below v, turns
 * over, or is of too many triangles. */
bool cm__sheet_below(const cm_mesh *mesh, uint32_t near, const cm__point *along, const cm__point v[3], double slack,
                     double known, double enough, cm__sheet *out);

/* May a sheet tell that no point of v is farther from the mesh than `enough`? Only where each corner is within that of
 * the plane of the triangle that is closest to it, of `near`. *flat: of these the one that v is least upright to. */
bool cm__sheet_may_settle(const cm_mesh *mesh, const uint32_t near[3], const cm__point v[3], double enough,
                          uint32_t *flat);

/* Does no other triangle of the mesh come between v, less its rim, and the sheet, nor within `slack` of that? Then all
 * of v that is over the sheet lies on one side of the mesh, and so does all that is under it. May be false also where a
 * triangle beyond the sheet, or beyond v, is no farther than v is from the sheet elsewhere. */
bool cm__sheet_is_alone(const cm_mesh *mesh, const cm__point v[3], double slack, const cm__sheet *sheet);

#endif
