/* Shared by the two halves of the Gauss map search: the one in cm_real (kernel.c), and the measuring of its candidates
 * in double (gauss_map.c). */
#ifndef CONVEX_GAUSS_MAP_H
#define CONVEX_GAUSS_MAP_H

#include "convex/gjk_approx.h"
#include "hull/hull.h"
#include "hull/lanes.h"

#define GAUSS_FACES CM__HULL_ARCS
/* left of one hull, their pairs a table of bits; two round hulls of 32 corners leave about 10 */
#define GAUSS_ARCS 64
/* candidates to be measured in double; when the list is full, those deeper than the best are dropped */
#define GAUSS_CHOICES 48
#define GAUSS_POINTS  8 /* of the other hull whose heights are kept; each has a bit of `blocked` (kernel.c) */

/* One of the two hulls, with the bounds of its faces and arcs. */
typedef struct gauss_side {
    const cm_hull *hull;
    cm_real ball;                  /* the other's inner radius */
    int faces;                     /* in whole blocks; those past the last are never near */
    int points;                    /* of the other: its center, */
    uint32_t corner[GAUSS_POINTS]; /* and corners of it */
    cm_real near[GAUSS_FACES];     /* minus the least depth along each face's normal; measured: -CM_REAL_MAX */
    cm_real most;                  /* of `near` */
    cm_real over[GAUSS_POINTS][GAUSS_FACES]; /* how far these points are over each face's plane */
    int arcs;
    uint32_t edge[GAUSS_ARCS];                     /* edges, */
    uint16_t face[GAUSS_ARCS], beyond[GAUSS_ARCS]; /* their two faces */
    uint16_t from[GAUSS_ARCS], to[GAUSS_ARCS];     /* and the corners */
} gauss_side;

typedef enum gauss_kind { GAUSS_FACE_A, GAUSS_FACE_B, GAUSS_EDGES } gauss_kind;

/* A candidate for the nearest face of D. */
typedef struct gauss_choice {
    cm_real depth; /* at least */
    gauss_kind kind;
    uint32_t a, b; /* a face and the other's corner, or two arcs */
} gauss_choice;

typedef struct gauss_search {
    gjk_approx_search approx;
    cm_vec3 center_a, center_b; /* A's in B's frame, and B's in A's */
    cm_vec3 middles;            /* from the middle of A's bounds to that of B's, in A's axes */
    cm_real band, least;        /* rounding; the least depth of those measured in cm_real */
    gauss_side a, b;
    int choices, steps;
    gauss_choice choice[GAUSS_CHOICES];
} gauss_search;

/* Writes the candidates for the nearest face of D to s->choice. False where the search cannot answer, or the hulls are
 * apart. The caller sets `approx`, `band`, the centers and the hulls. */
typedef bool cm__gauss_map_search(gauss_search *s);
cm__gauss_map_search cm__gauss_map_search_base, cm__gauss_map_search_avx2, cm__gauss_map_search_avx512;

#endif
