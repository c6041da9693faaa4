/* Every pair of triangles of two meshes that share a point, with what they share: exact for the posed points, in the
 * order of the walk over both trees, which depends on nothing but the input. */
#include "pair/mesh_mesh.h"

#include "pair/mesh_blocks.h"
#include "pair/mesh_planes.h"
#include "pair/triangle_triangle.h"

bool cm__mesh_pair_crossings(const cm__mesh_pair *pair, uint64_t leaves, cm__crossing_visit *visit, void *user,
                             uint64_t *found) {
    const uint32_t *numbers_a = cm__mesh_numbers(pair->a), *numbers_b = cm__mesh_numbers(pair->b);
    uint64_t count = 0;
    cm__bvh_pair_query q;
    cm__mesh_blocks blocks;
    cm__bvh_leaf leaf_a, leaf_b;
    cm__bvh_pair_start(&q, &pair->tree_a, &pair->tree_b, &pair->placing, 0);
    if (leaves == UINT64_MAX) cm__mesh_blocks_join(&blocks, pair, &q);
    cm__leaf_planes planes;
    cm__leaf_planes_open(&planes);
    *found = 0;
    for (uint64_t k = 0; cm__bvh_pair_next(&q, &leaf_a, &leaf_b); ++k) {
        if (k == leaves) {
            if (count == 0) return false;
            cm__mesh_blocks_join(&blocks, pair, &q);
        }
        cm__leaf_boxes boxes;
        cm__leaf_boxes_of(pair->a, &leaf_a, &boxes);
        planes.ready = false;
        for (uint32_t j = leaf_b.first; j < leaf_b.first + leaf_b.count; ++j) {
            cm__face in_b = cm__mesh_pair_b(pair, j);
            uint32_t near = cm__leaf_boxes_overlap(&boxes, cm__face_box(&in_b));
            near = cm__leaf_planes_part(&planes, pair->a, &leaf_a, &boxes, in_b.corner, 0, near);
            for (; near != 0; near &= near - 1) {
                const uint32_t i = leaf_a.first + (uint32_t)bits_lowest(near);
                const cm__face in_a = cm__mesh_face(pair->a, i);
                if (!visit) {
                    if (!cm__overlap_triangle_triangle(in_a.corner, in_b.corner)) continue;
                    ++count;
                    cm__leaf_planes_open(&planes); /* they part little where triangles cross */
                    continue;
                }
                cm__triangle_crossing common;
                if (!cm__cross_triangle_triangle(in_a.corner, in_b.corner, &common)) continue;
                ++count;
                cm__leaf_planes_open(&planes);
                cm_crossing crossing;
                crossing.triangle_a = numbers_a[i], crossing.triangle_b = numbers_b[j];
                crossing.start = common.start, crossing.end = common.end;
                crossing.coplanar = common.coplanar;
                if (!visit(user, &crossing)) return *found = count, true;
            }
        }
    }
    *found = count;
    return true;
}

bool cm__crossing_to_world(void *to_world, const cm_crossing *crossing) {
    const cm__crossings_to_world *w = to_world;
    cm_crossing moved = *crossing;
    moved.start = cm_pose_apply(w->pose_a, crossing->start);
    moved.end = cm_pose_apply(w->pose_a, crossing->end);
    return w->visit(w->user, &moved);
}

uint64_t cm_mesh_crossings(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                           bool (*visit)(void *user, const cm_crossing *crossing), void *user) {
    if (cm__mesh_pair_check(a, pose_a, b, pose_b) != CM_OK) return 0;
    cm__mesh_pair pair;
    cm_pose b_in_a = cm_pose_between(pose_a, pose_b);
    cm__mesh_pair_open(a->u.mesh, b->u.mesh, &b_in_a, &pair);
    cm__crossings_to_world world = {pose_a, visit, user};
    uint64_t count;
    cm__mesh_pair_crossings(&pair, UINT64_MAX, visit ? cm__crossing_to_world : NULL, &world, &count);
    return count;
}
