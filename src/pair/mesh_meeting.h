/* Do two meshes whose surfaces run side by side meet at all? Found on the way of a search that passes the one's leaves
 * with what of the other is near. */
#ifndef PAIR_MESH_MEETING_H
#define PAIR_MESH_MEETING_H

#include "pair/mesh_blocks.h"
#include "pair/mesh_planes.h"

typedef struct cm__mesh_meeting {
    bool x_is_b;    /* the search is through B's leaves, with what of A is near: B is X, A is Y */
    bool asks;      /* there may still be an answer */
    bool meet;      /* two triangles share a point */
    uint32_t apart; /* so many of X's triangles share none with Y */
    int walks;      /* that were left, of parts that the search passes by */
    double error;   /* how far posed points may be off their places */
    cm__mesh_blocks blocks;
    cm__leaf_planes planes;
} cm__mesh_meeting;

/* Asks nothing yet. */
void cm__mesh_meeting_open(const cm__mesh_pair *pair, cm__mesh_meeting *out);
/* From here on X is B, or A. */
static inline void meeting_turn(cm__mesh_meeting *m, bool x_is_b) { m->x_is_b = x_is_b; }

/* The blocks of X and of Y that were read last. */
static inline cm__mesh_shelf *meeting_shelf(cm__mesh_meeting *m, bool of_x) {
    return of_x == m->x_is_b ? &m->blocks.of_b : &m->blocks.of_a;
}

/* Asks whether triangles of a leaf of X share a point with any of a leaf of Y, or of its block. */
void cm__mesh_meeting_ask(cm__mesh_meeting *m, const cm__bvh_leaf *of_x, const cm__bvh_leaf *of_y);

/* The same of all that is below a node of X's tree, or in a leaf there: a walk of its own. */
void cm__mesh_meeting_walk(cm__mesh_meeting *m, uint32_t slot);

/* Is it shown that no triangles meet? */
static inline bool meeting_none(const cm__mesh_meeting *m) {
    const cm__mesh_pair *pair = m->blocks.pair;
    return m->asks && !m->meet && m->apart == (m->x_is_b ? pair->b : pair->a)->info.triangles;
}

#endif
