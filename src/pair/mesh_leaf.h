/* The boxes of a leaf's triangles, four side by side, so that those of A's which a triangle of B may meet, or be near,
 * are found at once.
 *
 * Whether boxes overlap is exact: their sides are coordinates of corners. No near box is skipped: the sum of three
 * squares rounds by a few half ulps, and LEAF_SLACK is more; below CM_REAL_MIN squares have fewer digits, so that is
 * added. */
#ifndef PAIR_MESH_LEAF_H
#define PAIR_MESH_LEAF_H

#include "base/bits.h"
#include "math/real4.h"
#include "mesh/mesh.h"

#define LEAF_SLACK CM_REAL(1e-5)

/* Each vector holds one side of the boxes of four triangles. */
typedef struct cm__leaf_boxes {
    real4 low[CM__MESH_LEAF_FOURS][3], high[CM__MESH_LEAF_FOURS][3];
    uint32_t count;
} cm__leaf_boxes;

/* Of the triangles of a leaf, at least one, all of them in one leaf of the rays' tree. */
CM_INLINE void cm__leaf_boxes_of(const cm_mesh *mesh, const cm__bvh_leaf *leaf, cm__leaf_boxes *out) {
    const uint8_t seat = cm__mesh_seats(mesh)[leaf->first];
    const uint32_t in_leaf = seat % (1u << CM__MESH_SEAT_BITS), row = (seat >> CM__MESH_SEAT_BITS) + 1u;
    const cm_real *x = cm__mesh_lanes(mesh) + CM__MESH_LANE * (size_t)(leaf->first - in_leaf) + in_leaf;
    out->count = leaf->count;
    uint32_t h = 0;
    do {
        for (uint32_t k = 0; k < 3; ++k) {
            const real4 p = real4_load(x + k * row), q = real4_load(x + (3 + k) * row),
                        r = real4_load(x + (6 + k) * row);
            out->low[h][k] = real4_min(real4_min(p, q), r);
            out->high[h][k] = real4_max(real4_max(p, q), r);
        }
        x += 4;
    } while (4 * ++h < leaf->count);
}

CM_INLINE cm_aabb cm__face_box(const cm__face *face) {
    const cm_vec3 *c = face->corner;
    const cm_aabb box = {cm_vec3_min(cm_vec3_min(c[0], c[1]), c[2]), cm_vec3_max(cm_vec3_max(c[0], c[1]), c[2])};
    return box;
}

/* Bit i: the box of the leaf's triangle i meets another. */
CM_INLINE uint32_t cm__leaf_boxes_overlap(const cm__leaf_boxes *boxes, cm_aabb other) {
    const cm_vec3 low = other.min, high = other.max;
    const real4 low_x = real4_all(low.x), low_y = real4_all(low.y), low_z = real4_all(low.z);
    const real4 high_x = real4_all(high.x), high_y = real4_all(high.y), high_z = real4_all(high.z);
    uint32_t meet = 0;
    uint32_t h = 0;
    do
        meet |= (real4_ge(boxes->high[h][0], low_x) & real4_ge(boxes->high[h][1], low_y) &
                 real4_ge(boxes->high[h][2], low_z) & real4_ge(high_x, boxes->low[h][0]) &
                 real4_ge(high_y, boxes->low[h][1]) & real4_ge(high_z, boxes->low[h][2]))
                << 4 * h;
    while (4 * ++h < boxes->count);
    return meet & ((1u << boxes->count) - 1);
}

/* Bit i: the box of the leaf's triangle i is no farther from another than `bound`. */
CM_INLINE uint32_t cm__leaf_boxes_near(const cm__leaf_boxes *boxes, cm_aabb other, cm_real bound) {
    const cm_vec3 low = other.min, high = other.max;
    const cm_real lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
    const real4 zero = real4_all(0), most = real4_all(bound * bound * (1 + LEAF_SLACK) + CM_REAL_MIN);
    uint32_t near = 0;
    uint32_t h = 0;
    do {
        real4 sum = zero;
        for (int k = 0; k < 3; ++k) {
            const real4 above = real4_sub(boxes->low[h][k], real4_all(highs[k]));
            const real4 below = real4_sub(real4_all(lows[k]), boxes->high[h][k]);
            const real4 gap = real4_max(real4_max(above, below), zero);
            sum = real4_add(sum, real4_mul(gap, gap));
        }
        near |= real4_ge(most, sum) << 4 * h;
    } while (4 * ++h < boxes->count);
    return near & ((1u << boxes->count) - 1);
}

#endif
