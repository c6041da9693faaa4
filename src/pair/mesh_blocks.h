/* Up to eight triangles of each of two meshes at once: does a plane part them? */
#ifndef PAIR_MESH_BLOCKS_H
#define PAIR_MESH_BLOCKS_H

#include "pair/mesh_mesh.h"

/* The triangles of a leaf of the rays' tree, in the frame of their mesh. */
typedef struct cm__mesh_block {
    const cm_mesh *mesh;
    uint32_t first, count; /* places; count 0: none was read */
    cm__point origin;      /* a corner of the first */
    float at[3][3][8];     /* of corner c coordinate k, from there; what is not used is that corner again */
    float normal[3];       /* a mean one, of length 1; 0 where there is none */
    float reach;           /* of `at`, at most */
} cm__mesh_block;

/* What was read last stays, as a walk asks for one block with several others. */
typedef struct cm__mesh_blocks {
    const cm__mesh_pair *pair;
    cm__mesh_block a, b;
    bool by_b;   /* B's normal parted the last two */
    bool parted; /* they were */
} cm__mesh_blocks;

/* From here on the walk, one over the pair's two trees, leaves out what a plane parts: it still offers all leaves in
 * which triangles share a point, posed as cm_mesh_posed does. `blocks` and `pair` are to be there until it ends. */
void cm__mesh_blocks_join(cm__mesh_blocks *blocks, const cm__mesh_pair *pair, cm__bvh_pair_query *walk);

#endif
