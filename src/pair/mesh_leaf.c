/* The boxes of a leaf's triangles, made of their corners: a triangle's at once, then those of four side by side. */
#include "pair/mesh_leaf.h"

void cm__leaf_boxes_of(const cm_mesh *mesh, const cm__bvh_leaf *leaf, cm__leaf_boxes *out) {
    cm__mesh_leaf from;
    cm__mesh_leaf_of(mesh, leaf, &from);
    out->count = leaf->count;
    uint32_t h = 0;
    do {
        real4 low[4], high[4];
        for (uint32_t i = 0; i < 4; ++i) {
            const real4 p = real4_load(cm__mesh_leaf_corner(&from, 4 * h + i, 0));
            const real4 q = real4_load(cm__mesh_leaf_corner(&from, 4 * h + i, 1));
            const real4 r = real4_load(cm__mesh_leaf_corner(&from, 4 * h + i, 2));
            low[i] = real4_min(real4_min(p, q), r), high[i] = real4_max(real4_max(p, q), r);
        }
        const real4_points lows = real4_points_of(low), highs = real4_points_of(high);
        out->low[h][0] = lows.x, out->low[h][1] = lows.y, out->low[h][2] = lows.z;
        out->high[h][0] = highs.x, out->high[h][1] = highs.y, out->high[h][2] = highs.z;
    } while (4 * ++h < leaf->count);
}
