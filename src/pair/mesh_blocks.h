/* Up to eight triangles of each of two meshes at once: does a plane separate them? */
#ifndef PAIR_MESH_BLOCKS_H
#define PAIR_MESH_BLOCKS_H

#include "math/simd.h"
#include "pair/mesh_mesh.h"

/* The triangles of a leaf of the rays' tree, in the frame of their mesh. */
typedef struct cm__mesh_block {
    uint32_t first, count; /* places */
    cm__point origin;      /* a corner of the first */
    f32x4 at[2][3][3];     /* of four triangles each: of corner c coordinate k, from there; what is not used is 0 */
    float low[4], high[4]; /* of `at`; the last of each is 0 */
    float normal[4];       /* a mean one, of length 1, and 0; 0 where there is none */
    float reach;           /* of `at`, at most */
} cm__mesh_block;

enum { CM__MESH_BLOCKS_BITS = 6, CM__MESH_BLOCKS_KEPT = 1 << CM__MESH_BLOCKS_BITS };

/* Some of a mesh's blocks that were read last stay: a walk asks for one with several others, and for those with the
 * next. */
typedef struct cm__mesh_shelf {
    const cm_mesh *mesh;
    uint32_t first[CM__MESH_BLOCKS_KEPT];    /* of what is kept; CM_NONE: nothing is */
    uint8_t older[CM__MESH_BLOCKS_KEPT / 2]; /* which of the two seats beside each other was filled first */
    cm__mesh_block kept[CM__MESH_BLOCKS_KEPT];
} cm__mesh_shelf;

void cm__mesh_shelf_open(cm__mesh_shelf *shelf, const cm_mesh *mesh);
/* The block that holds these places, there until the next is asked for; NULL where no single one does. */
const cm__mesh_block *cm__mesh_shelf_block(cm__mesh_shelf *shelf, const cm__bvh_leaf *of);

/* What is asked of a block again with each that it meets. */
typedef struct cm__block_face {
    uint32_t first;   /* of the block */
    bool measured;    /* all but the origin is */
    cm__point origin; /* of B's: where it is posed, in A's frame */
    double error;     /* of B's: how far its posed points are off */
    double normal[3]; /* in A's frame */
    float in_a[3], in_b[3];
    float low, high; /* how far the block reaches along the normal, from its origin */
} cm__block_face;

typedef struct cm__mesh_blocks {
    const cm__mesh_pair *pair;
    cm__mesh_shelf of_a, of_b;
    cm__block_face face_a[CM__MESH_BLOCKS_KEPT], face_b[CM__MESH_BLOCKS_KEPT];
    uint32_t last_a, last_b; /* the first places of the last two */
    double bound;            /* no farther apart than that counts as not separated; it only shrinks */
    bool by_b;               /* B's normal separated them last time */
    bool separated;          /* they were separated last time */
} cm__mesh_blocks;

void cm__mesh_blocks_open(const cm__mesh_pair *pair, cm__mesh_blocks *blocks);
/* Is each triangle of the block that A's leaf is in farther than `bound` from each of the block that B's leaf is in?
 * May say no where they are. */
bool cm__mesh_blocks_apart(cm__mesh_blocks *blocks, const cm__bvh_leaf *of_a, const cm__bvh_leaf *of_b);
/* From here on the walk over the pair's two trees skips leaves that a plane separates by more than `blocks->bound`,
 * which is 0 unless the caller sets it before a step. It still offers all leaves with triangles within the bound, posed
 * as cm_mesh_posed does. `blocks` and `pair` must live until it ends. */
void cm__mesh_blocks_join(cm__mesh_blocks *blocks, const cm__mesh_pair *pair, cm__bvh_pair_query *walk);
/* The same, with blocks that are open. */
void cm__mesh_blocks_watch(cm__mesh_blocks *blocks, cm__bvh_pair_query *walk);

#endif
