/* A mesh as a shape. */
#include "mesh/mesh.h"
#include "shape/shape.h"

#include "math/round.h"

static cm_status mesh_check(const cm_shape *shape, cm_error *error) {
    if (shape->u.mesh) return CM_OK;
    if (error) {
        error->status = CM_INVALID;
        error->field = "mesh";
        error->index = CM_NONE;
    }
    return CM_INVALID;
}

/* The smallest box: by every corner, so O(triangles). */
static void mesh_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    const cm_mesh *mesh = shape->u.mesh;
    const cm__face *faces = cm__mesh_faces(mesh);
    cm_mat3 turn = cm_mat3_from_quat(cm_quat_normalize(pose->rotation));
    cm_aabb box = cm_aabb_empty();
    for (uint32_t t = 0; t < mesh->info.triangles; ++t)
        for (int k = 0; k < 3; ++k)
            box = cm_aabb_add_point(box, cm_add(cm_mat3_mul(&turn, faces[t].corner[k]), pose->position));
    *out = cm_aabb_grow(box, cm__pose_error(pose, mesh->point_reach));
}

const cm__shape_ops cm__shape_mesh = {
    .name = "mesh", .shape_class = CM__COMPOSITE, .check = mesh_check, .bounds = mesh_bounds};
