/* Along which planes mesh_extent.c divides a piece of one mesh's surface: where it passes through a mesh, and where two
 * triangles of the mesh are equally close. A plane is given by the heights of the piece's corners over it. */
#ifndef PAIR_EXTENT_CUTS_H
#define PAIR_EXTENT_CUTS_H

#include "pair/extent.h"

/* Lengths that are let pass, flush > rounding > 0. */
typedef struct cm__extent_slack {
    double flush;    /* points that close to the other surface are of no interest */
    double rounding; /* of the coordinates of pieces */
} cm__extent_slack;

/* What a piece has in common with a surface. */
typedef enum cm__extent_relation {
    CM__EXTENT_CLEAR, /* nothing but its rim: all of it is on one side */
    CM__EXTENT_CUT,   /* to be cut along the plane of these heights */
    CM__EXTENT_MANY,  /* it meets many triangles */
    CM__EXTENT_FLUSH  /* it lies wholly within the slack of one triangle */
} cm__extent_relation;

/* Where the piece v meets the mesh. `own`: the triangle of this very mesh that v is part of; it is left out, and so is
 * what is flush with v. CM_NONE where v is part of another mesh. */
cm__extent_relation cm__extent_relate(const cm_mesh *mesh, uint32_t own, const cm__point v[3],
                                      const cm__extent_slack *slack, double height[3]);

/* Of the triangles `near` of the mesh, those closest to the piece's corners and center: where two share an edge, the
 * plane that halves the angle between them. The one that divides the piece best; false where none does. */
bool cm__extent_seam(const cm_mesh *mesh, const uint32_t near[4], const cm__point v[3], double height[3]);

#endif
