/* The planes of a leaf's triangles, two side by side: which of them are certainly farther from a triangle than a bound.
 * They spare the exact test, or the distance, of most pairs whose boxes are near each other where surfaces run side by
 * side. Where bodies cross they spare little: there they are not asked. */
#ifndef PAIR_MESH_PLANES_H
#define PAIR_MESH_PLANES_H

#include "math/two.h"
#include "pair/mesh_leaf.h"

enum {
    CM__LEAF_TWOS = CM__MESH_LEAF / 2,
    CM__PLANES_WAIT = 32 /* triangles at most that pass without a try: at first, and after tries in vain */
};

/* Corner, coordinate. */
typedef struct cm__leaf_corners {
    f64x2 at[3][3];
} cm__leaf_corners;

typedef struct cm__leaf_planes {
    bool ready;            /* `twos`, corners and sizes are of the leaf at hand, */
    bool has_normals;      /* and so are normals and squares */
    bool own;              /* the leaf's planes parted what that of the other did not, last time: they come first */
    uint32_t missed, wait; /* how often planes left too much, the last few times; so often they are not asked */
    uint32_t twos;
    cm__leaf_corners corners[CM__LEAF_TWOS];
    f64x2 normal[CM__LEAF_TWOS][3];
    f64x2 square[CM__LEAF_TWOS]; /* the normal's length squared */
    f64x2 size[CM__LEAF_TWOS];   /* the largest extent along an axis */
} cm__leaf_planes;

CM_INLINE void cm__leaf_planes_open(cm__leaf_planes *planes) {
    planes->missed = planes->wait = CM__PLANES_WAIT;
    planes->own = false;
}

/* As cm__leaf_planes_part, if it is asked. */
uint32_t cm__leaf_planes_ask(cm__leaf_planes *planes, const cm_mesh *mesh, const cm__bvh_leaf *leaf,
                             const cm__leaf_boxes *boxes, const cm_vec3 b[3], double bound, uint32_t near);

/* Of the leaf's triangles `near`, bit i for triangle i, whose boxes are no farther from that of b than `bound` along
 * each axis: those that no plane of theirs or of b shows to be farther than that. With a bound of 0, those left out
 * share no point with b. `planes->ready` is false where the leaf is another than before. */
CM_INLINE uint32_t cm__leaf_planes_part(cm__leaf_planes *planes, const cm_mesh *mesh, const cm__bvh_leaf *leaf,
                                        const cm__leaf_boxes *boxes, const cm_vec3 b[3], double bound, uint32_t near) {
    if (near == 0) return 0;
    if (planes->wait == 0) return cm__leaf_planes_ask(planes, mesh, leaf, boxes, b, bound, near);
    --planes->wait;
    return near;
}

#endif
