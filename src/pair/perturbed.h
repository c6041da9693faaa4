/* Two meshes in A's frame, of which B is moved by (e, e², e³), with e > 0 smaller than any number: then no corner lies
 * on a face, no two edges meet, and each two triangles share nothing or a segment. */
#ifndef PAIR_PERTURBED_H
#define PAIR_PERTURBED_H

#include "mesh/mesh.h"

/* An edge passes through a triangle of the other mesh. */
typedef struct cm__piercing {
    int edge; /* 0 1 2: of A's triangle, through B's; 3 4 5: of B's, through A's. Edge i runs from corner i to i + 1 */
    int step; /* 1: along the edge it goes in through the front of the triangle, -1: out */
} cm__piercing;

/* The ends of the segment that two triangles share. @return 2, or 0 where they share nothing. */
int cm__perturbed_pierce(const cm__point a[3], const cm__point b[3], cm__piercing out[2]);

/* How often a mesh, placed in A's frame, winds around a point there that is moved by (e, e², e³), or by the negative of
 * that: `direction` 1 or -1. */
int cm__perturbed_winding(const cm_mesh *mesh, const cm__bvh_placing *placing, cm_vec3 point, int direction);

#endif
