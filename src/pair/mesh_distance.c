/* How far apart two meshes' surfaces are, in A's frame: the minimum over all pairs of triangles, and no pair is nearer
 * by more than its corners may be rounded.
 *
 * A walk over both trees takes the nearest pair of boxes first. It skips pairs that are farther apart than the best so
 * far, by their boxes, along the mean normals of a few triangles (mesh_blocks.c) or by the planes of single ones
 * (mesh_planes.c). That measures a third of the pairs of triangles that depth-first order measures, or next to none
 * where surfaces run side by side. Those of a shaft in the middle of its bearing are equally near everywhere, up to
 * rounding: once a pair is found, only what is nearer by more than that is measured. Whether a pair shares a point is
 * decided by exact signs, so the distance is 0 exactly where overlap says yes, and positive elsewhere. Bound: as for
 * overlap. No memory.
 *
 * Based on: [Larsen99] the walk with a shrinking bound. */
#include "pair/mesh_mesh.h"

#include "pair/mesh_blocks.h"
#include "pair/mesh_planes.h"
#include "pair/triangle_triangle.h"

/* Corners may be rounded by so much of the coordinates that two distances which differ by less are equal. What is so
 * near that this would be seen in it is measured to the last bit. */
#define GAP_TIE  0x1p-50
#define GAP_SEEN 0x1p20

static double gap_tie(const cm__mesh_pair *pair) {
    const cm__bvh_placing *placing = &pair->placing;
    return GAP_TIE *
           ((double)pair->a->point_reach + (double)pair->b->point_reach + (double)cm_largest(placing->position));
}

/* What is no nearer than this is left out once d was found: it would be rounded to d. */
static double gap_below(double d, double tie) {
    const double rounding = d * (double)CM_REAL_EPSILON / 8;
    return d - (rounding < tie && d > GAP_SEEN * tie ? tie : rounding);
}

bool cm__mesh_pair_gap(const cm__mesh_pair *pair, cm_real max_distance, cm__mesh_gap *out) {
    cm__bvh_pair_query q;
    cm__bvh_leaf leaf_a, leaf_b;
    bool found = false;
    const double tie = gap_tie(pair);
    cm_real bound = max_distance;
    double below = (double)bound * (1 + 4 * (double)CM_REAL_EPSILON); /* what is rounded to it counts, at first */
    cm__mesh_blocks blocks;
    cm__bvh_pair_near_start(&q, &pair->tree_a, &pair->tree_b, &pair->placing);
    cm__mesh_blocks_join(&blocks, pair, &q);
    cm__leaf_planes planes;
    cm__leaf_planes_open(&planes);
    while (blocks.bound = below, cm__bvh_pair_near_next(&q, bound, &leaf_a, &leaf_b)) {
        cm__leaf_boxes boxes;
        cm__leaf_boxes_of(pair->a, &leaf_a, &boxes);
        planes.ready = false;
        for (uint32_t j = leaf_b.first; j < leaf_b.first + leaf_b.count; ++j) {
            cm__face b = cm__mesh_pair_b(pair, j);
            uint32_t near = cm__leaf_boxes_near(&boxes, cm__face_box(&b), bound);
            near = cm__leaf_planes_part(&planes, pair->a, &leaf_a, &boxes, b.corner, below, near);
            for (; near != 0; near &= near - 1) {
                const uint32_t i = leaf_a.first + (uint32_t)bits_lowest(near);
                cm_vec3 on_a, on_b;
                const cm__face a = cm__mesh_face(pair->a, i);
                cm_real d = cm__distance_triangle_triangle(a.corner, b.corner, bound, &on_a, &on_b);
                if (!(d < bound || (d == bound && !found && d < CM_REAL_MAX))) continue;
                found = true;
                bound = out->distance = d;
                below = gap_below((double)d, tie);
                out->a = on_a, out->b = on_b;
                out->triangle_a = cm__mesh_numbers(pair->a)[i];
                out->triangle_b = cm__mesh_numbers(pair->b)[j];
                if (d == 0) return true;
            }
        }
    }
    return found;
}
