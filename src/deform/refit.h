/* The tree of a mesh, refitted over the boxes of its moving points' paths, and which triangle looks after which point
 * and edge. */
#ifndef DEFORM_REFIT_H
#define DEFORM_REFIT_H

#include "carom/deform.h"
#include "mesh/mesh.h"

typedef struct cm__refit {
    const cm_mesh *mesh;
    const cm_vec3 *start, *end;
    const cm__bvh_node *nodes;
    const uint32_t *numbers, *corners;
    cm_aabb *boxes; /* of each slot of the tree */
    /* By triangle: bit k, corner k is looked after by it, bit 3 + k, the edge from corner k to the next. Each point and
       each edge that has a length has one such triangle, the first. */
    uint8_t *own;
} cm__refit;

/* @return CM_OK, CM_INVALID, CM_NOT_FINITE, CM_NO_MEMORY; what was taken is freed by cm__refit_free in every case. */
cm_status cm__refit_make(const cm_moving_mesh *moving, const cm_allocator *mem, cm__refit *out);
void cm__refit_free(cm__refit *refit, const cm_allocator *mem);

CM_INLINE cm_aabb cm__refit_box(const cm__refit *r, const uint32_t *points, int count) {
    cm_aabb box = {r->start[points[0]], r->start[points[0]]};
    for (int k = 0; k < count; k++) {
        box.min = cm_vec3_min(box.min, cm_vec3_min(r->start[points[k]], r->end[points[k]]));
        box.max = cm_vec3_max(box.max, cm_vec3_max(r->start[points[k]], r->end[points[k]]));
    }
    return box;
}

#endif
