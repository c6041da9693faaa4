/* Up to eight triangles of each of two meshes at once: does a plane separate them? */
#ifndef PAIR_MESH_BLOCKS_H
#define PAIR_MESH_BLOCKS_H

#include "pair/mesh_mesh.h"

/* The triangles of a leaf of the rays' tree, in the frame of their mesh. */
typedef struct cm__mesh_block {
    uint32_t first, count; /* places */
    cm__point origin;      /* a corner of the first */
    float at[3][3][8];     /* of corner c coordinate k, from there; what is not used is that corner again */
    float normal[3];       /* a mean one, of length 1; 0 where there is none */
    float reach;           /* of `at`, at most */
} cm__mesh_block;

enum { CM__MESH_BLOCKS_KEPT = 16 /* of a mesh */ };

/* A small cache of the blocks read last: a walk asks for one block against several others, and then for the next block
 * against the same ones. */
typedef struct cm__mesh_blocks {
    const cm__mesh_pair *pair;
    uint32_t first_a[CM__MESH_BLOCKS_KEPT], first_b[CM__MESH_BLOCKS_KEPT]; /* of what is kept; CM_NONE: nothing is */
    cm__mesh_block kept_a[CM__MESH_BLOCKS_KEPT], kept_b[CM__MESH_BLOCKS_KEPT];
    const cm__mesh_block *a, *b;
    uint32_t last_a, last_b; /* the first places of the last two */
    double bound;            /* no farther apart than that counts as not parted; it only shrinks */
    bool by_b;               /* B's normal separated them last time */
    bool parted;             /* they were separated last time */
} cm__mesh_blocks;

/* From here on the walk over the pair's two trees skips leaves that a plane separates by more than `blocks->bound`,
 * which is 0 unless the caller sets it before a step. It still offers all leaves with triangles within the bound, posed
 * as cm_mesh_posed does. `blocks` and `pair` must live until it ends. */
void cm__mesh_blocks_join(cm__mesh_blocks *blocks, const cm__mesh_pair *pair, cm__bvh_pair_query *walk);

#endif
