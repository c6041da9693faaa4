/* A least depth of two overlapping cores, and how far around it no direction has less. */
#ifndef CONVEX_DESCENT_H
#define CONVEX_DESCENT_H

#include "convex/convex.h"

/* Directions as depth.c has them: outward, from B to A, so that the depth along a unit u is the farthest u.w over all w
 * of D. */
typedef struct cm__descent {
    cm__point u;    /* unit */
    double reach;   /* the depth along it: an upper bound of the least, whatever follows */
    double around;  /* no direction u + t with t perpendicular to u, |t| <= around, has less than reach - tolerance */
    cm__point a, b; /* points of the cores: b - a = reach * u, but for the tolerance */
    uint32_t id_a, id_b;
} cm__descent;

/* From the unit direction `from` down to where all around it is more. False: that was not found, or nothing is proved
 * around it; *out is any then. Of cores that newton.h knows. `tolerance`: a length. */
bool cm__descent_run(const cm__convex_pair *pair, cm__point from, double tolerance, cm__descent *out);

/* The same of the direction of least depth among those of faces and of a line of each, where cores have few of them. */
bool cm__descent_flat(const cm__convex_pair *pair, double tolerance, cm__descent *out);

/* A direction that was tried, and how far D reaches along it. */
typedef struct cm__descent_try {
    cm__point u;
    double reach;
    cm__convex_vertex at; /* the support */
    double lack;          /* how far the support is from being the foot of the origin */
} cm__descent_try;

/* The same of any cores, slower and with no proof: from io->u down, on a curvature that the steps show. */
void cm__descent_learn(const cm__convex_pair *pair, cm__descent_try *io);
/* The direction perpendicular to u along which D reaches least, of eight. */
void cm__descent_perpendicular_to(const cm__convex_pair *pair, cm__point u, cm__descent_try *out);

#endif
