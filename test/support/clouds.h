/* Clouds whose hulls are hard to build, and the check that a hull is right in every detail. */
#ifndef SUPPORT_CLOUDS_H
#define SUPPORT_CLOUDS_H

#include "support/support.h"

enum {
    CLOUD_CUBE,        /* random in a cube */
    CLOUD_BALL,        /* random in a ball */
    CLOUD_SPHERE,      /* on a sphere, up to rounding */
    CLOUD_CYLINDER,    /* on two rings and the wall between them */
    CLOUD_GRID,        /* small integers: coplanar, collinear and equal points */
    CLOUD_TENTHS,      /* multiples of 0.1: a grid up to rounding */
    CLOUD_PLANE,       /* small integers, all in one slanted plane */
    CLOUD_LINE,        /* small integers, all on one slanted line */
    CLOUD_NEAR_PLANE,  /* a slanted plane, give or take some ulps */
    CLOUD_NEAR_LINE,   /* a slanted line, give or take some ulps */
    CLOUD_TURNED_GRID, /* a grid that was turned: its faces are flat up to rounding */
    CLOUD_NEEDLE,      /* 1e6 times as long as thick */
    CLOUD_SLAB,        /* 1e6 times as wide as thick */
    CLOUD_FAR,         /* a small cube far away */
    CLOUD_CLUSTERS,    /* few places, points within some ulps of them */
    CLOUD_KINDS
};
const char *cloud_name(int kind);
/* Fills `points` and multiplies all by `scale`. */
void cloud_fill(rng *r, int kind, double scale, cm_vec3 *points, uint32_t count);

/* A hull that must be. */
cm_hull *hull_of(const cm_vec3 *points, uint32_t count);
cm_hull *hull_of_desc(const cm_hull_desc *desc);

/* Fails unless: Euler's formula holds; half-edges match; faces are strictly convex, strictly apart from their neighbors
 * and in canonical order; vertices are sources and in order; all is connected; and no face has a point of `points`
 * strictly in front, by exact sign (where `inside`), nor before its plane as stored, in rational arithmetic. */
void check_hull(const cm_hull *hull, const cm_vec3 *points, uint32_t count, bool inside);

#endif
