/* Every pair of triangles of two meshes that share a point, with what they share: exact for the posed points, in the
 * order of the walk over both trees, which depends on nothing but the input. */
#include "pair/mesh_mesh.h"

#include "pair/triangle_triangle.h"

uint64_t cm_mesh_crossings(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                           bool (*visit)(void *user, const cm_crossing *crossing), void *user) {
    if (cm_shape_check(a, NULL) != CM_OK || cm_shape_check(b, NULL) != CM_OK || a->kind != CM_SHAPE_MESH ||
        b->kind != CM_SHAPE_MESH || !cm_pose_is_valid(pose_a) || !cm_pose_is_valid(pose_b))
        return 0;
    cm__mesh_pair pair;
    cm_pose b_in_a = cm_pose_between(pose_a, pose_b);
    cm__mesh_pair_open(a->u.mesh, b->u.mesh, &b_in_a, &pair);
    const uint32_t *numbers_a = cm__mesh_numbers(pair.a), *numbers_b = cm__mesh_numbers(pair.b);
    uint64_t count = 0;
    cm__bvh_pair_query q;
    cm__bvh_leaf leaf_a, leaf_b;
    cm__bvh_pair_start(&q, &pair.tree_a, &pair.tree_b, &pair.placing, 0);
    while (cm__bvh_pair_next(&q, &leaf_a, &leaf_b)) {
        for (uint32_t j = leaf_b.first; j < leaf_b.first + leaf_b.count; ++j) {
            cm__point corners_a[3], corners_b[3];
            cm__mesh_pair_b(&pair, j, corners_b);
            for (uint32_t i = leaf_a.first; i < leaf_a.first + leaf_a.count; ++i) {
                cm__mesh_pair_a(&pair, i, corners_a);
                if (!cm__tt_overlap(corners_a, corners_b)) continue;
                ++count;
                if (!visit) continue;
                cm_crossing crossing;
                crossing.triangle_a = numbers_a[i], crossing.triangle_b = numbers_b[j];
                if (!visit(user, &crossing)) return count;
            }
        }
    }
    return count;
}
