/* The boxes of a leaf's triangles, four side by side, so that those of A's which a triangle of B may meet, or be near,
 * are found at once.
 *
 * Whether boxes overlap is exact: their sides are coordinates of corners. No near box is skipped: the sum of three
 * squares rounds by a few half ulps, and LEAF_SLACK is more; below CM_REAL_MIN squares have fewer digits, so that is
 * added. */
#ifndef PAIR_MESH_LEAF_H
#define PAIR_MESH_LEAF_H

#include "base/bits.h"
#include "mesh/leaf.h"

#define LEAF_SLACK CM_REAL(1e-5)
#define LEAF_LEAST (CM_REAL_MIN / CM_REAL_EPSILON) /* of the square of a normal */

/* Each vector holds one side of the boxes of four triangles. */
typedef struct cm__leaf_boxes {
    real4 low[CM__MESH_LEAF_FOURS][3], high[CM__MESH_LEAF_FOURS][3];
    uint32_t count;
} cm__leaf_boxes;

/* Of the triangles of a leaf, at least one, all of them in one leaf of the rays' tree. */
void cm__leaf_boxes_of(const cm_mesh *mesh, const cm__bvh_leaf *leaf, cm__leaf_boxes *out);

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

/* The triangles of a mesh whose boxes meet a box, which is in the mesh's own frame. */
typedef struct cm__leaf_walk {
    const cm_mesh *mesh;
    cm_aabb box;
    cm__bvh tree;
    cm__bvh_box_query query;
    uint32_t first, meet; /* of the leaf: its place; bit i: triangle i is still to be offered */
} cm__leaf_walk;

CM_INLINE void cm__leaf_walk_start(const cm_mesh *mesh, const cm_aabb *box, cm__leaf_walk *out) {
    out->mesh = mesh, out->box = *box, out->meet = 0;
    out->tree = cm__mesh_tree(mesh);
    cm__bvh_box_start(&out->query, &out->tree, box);
}
/* The next one's place; CM_NONE: there is none. */
CM_INLINE uint32_t cm__leaf_walk_next(cm__leaf_walk *w) {
    while (w->meet == 0) {
        cm__bvh_leaf leaf;
        cm__leaf_boxes boxes;
        if (!cm__bvh_box_next(&w->query, &leaf)) return CM_NONE;
        cm__leaf_boxes_of(w->mesh, &leaf, &boxes);
        w->first = leaf.first, w->meet = cm__leaf_boxes_overlap(&boxes, w->box);
    }
    const uint32_t at = w->first + (uint32_t)bits_lowest(w->meet);
    w->meet &= w->meet - 1;
    return at;
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

/* Bit i: the plane of the leaf's triangle i is not certainly farther from p than `bound`. Around the center of a ball
 * the boxes of many are near.
 *
 * Nothing near is left out. u is half an ulp of 1 in cm_real, D the bound, S the largest component of the edges e and f
 * from a corner, W that of w, from this corner to p. Of the normal n = e x f each component is off by less than 8 u
 * S^2, and below 2 S^2: so n.w is off by less than 24 u S^2 W by the normal, 6 by w, 18 by the products and sums; and D
 * |n| by less than 14 u S^2 D. In all that is less than 64 u S^2 (W + D). Another 64 u S^3 are more than by what a
 * distance that is computed falls short of the true one. LEAF_SLACK holds what the squares that are compared are
 * rounded; those near the smallest numbers decide nothing, nor do those beyond the largest. */
CM_INLINE uint32_t cm__leaf_planes_near(const cm_mesh *mesh, const cm__bvh_leaf *leaf, cm_vec3 p, cm_real bound) {
    cm__mesh_leaf from;
    cm__mesh_leaf_of(mesh, leaf, &from);
    uint32_t near = 0, h = 0;
    const real4 most = real4_all(bound * bound * (1 + LEAF_SLACK));
    const real4_points at = real4_points_all(p);
    do {
        real4_points c[3];
        cm__mesh_leaf_corners(&from, 4 * h, c);
        const real4_points e = real4_points_sub(c[1], c[0]), f = real4_points_sub(c[2], c[0]);
        const real4_points n = real4_points_cross(e, f), w = real4_points_sub(at, c[0]);
        const real4 square = real4_points_dot(n, n), height = real4_points_dot(n, w);
        const real4 size = real4_max(real4_points_largest(e), real4_points_largest(f));
        const real4 error = real4_mul(real4_mul(real4_all(32 * CM_REAL_EPSILON), real4_mul(size, size)),
                                      real4_add(real4_add(real4_all(bound), size), real4_points_largest(w)));
        const real4 gap = real4_max(real4_sub(real4_abs(height), error), real4_all(0)), far = real4_mul(gap, gap);
        near |= (15u & ~(real4_gt(far, real4_mul(most, square)) & real4_gt(square, real4_all(LEAF_LEAST)) &
                         real4_ge(real4_all(CM_REAL_MAX), far)))
                << 4 * h;
    } while (4 * ++h < leaf->count);
    return near & ((1u << leaf->count) - 1);
}

#endif
