/* A mesh as a shape. */
#include "mesh/mesh.h"
#include "base/error.h"
#include "shape/shape.h"

#include "math/round.h"

static cm_status mesh_check(const cm_shape *shape, cm_error *error) {
    if (shape->u.mesh) return CM_OK;
    return cm__refuse(error, CM_INVALID, "mesh", CM_NONE);
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

/* The first triangle on the ray, from inside too; of solids also whether the ray starts within. */
static bool mesh_raycast(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out) {
    const cm_mesh *mesh = shape->u.mesh;
    cm__mesh_hit hit;
    if (!cm__mesh_ray(mesh, ray->origin, ray->direction, ray->max, out ? &hit : NULL)) return false;
    if (!out) return true;
    const cm_vec3 *c = cm__mesh_faces(mesh)[hit.place].corner;
    cm_vec3 normal =
        cm_normalize(cm_cross(cm_sub(c[1], c[0]), cm_sub(c[2], c[0])), cm_normalize(ray->direction, cm_v(0, 0, 1)));
    bool on_surface = false;
    bool within = mesh->info.solid && cm_mesh_winding(mesh, ray->origin, &on_surface) != 0;
    out->t = out->exit = (cm_real)hit.t;
    out->inside = within || on_surface;
    out->normal = mesh->info.solid || hit.side >= 0 ? normal : cm_neg(normal);
    out->part = hit.triangle;
    return true;
}

const cm__shape_ops cm__shape_mesh = {
    .name = "mesh", .shape_class = CM__COMPOSITE, .check = mesh_check, .bounds = mesh_bounds, .raycast = mesh_raycast};
