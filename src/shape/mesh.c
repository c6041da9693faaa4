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
    if (!cm__mesh_ray(mesh, ray->origin, ray->direction, ray->max, &hit)) return false;
    cm_triangle t = cm__mesh_triangle(mesh, hit.triangle);
    cm_vec3 normal =
        cm_normalize(cm_cross(cm_sub(t.b, t.a), cm_sub(t.c, t.a)), cm_normalize(ray->direction, cm_v(0, 0, 1)));
    bool on_surface;
    bool within = cm_mesh_winding(mesh, ray->origin, &on_surface) != 0;
    out->t = out->exit = (cm_real)hit.t;
    out->inside = mesh->info.solid && (within || on_surface);
    out->normal = mesh->info.solid || hit.side >= 0 ? normal : cm_neg(normal);
    out->part = hit.triangle;
    return true;
}

/* Tetrahedra from the middle of the bounds to every triangle. A solid turned inside out weighs the same. */
static cm_status mesh_mass(const cm_shape *shape, cm__mass_sum *out) {
    const cm_mesh *mesh = shape->u.mesh;
    if (!mesh->info.solid) return CM_NOT_SOLID;
    const cm__face *faces = cm__mesh_faces(mesh);
    cm__point low = cm__point_of(mesh->info.bounds.min), high = cm__point_of(mesh->info.bounds.max);
    cm__point side = cm__point_sub(high, low), middle = cm__point_mul_add(low, 0.5, side);
    double unit = cm__point_largest(side) > 0 ? cm__point_largest(side) : 1, over = 1 / unit;
    cm__moments m = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    for (uint32_t t = 0; t < mesh->info.triangles; ++t) {
        cm__point p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = cm__point_scale(cm__point_sub(cm__point_of(faces[t].corner[k]), middle), over);
        cm__moments_add_tetrahedron(&m, p[0], p[1], p[2]);
    }
    if (m.volume < 0) {
        m.volume = -m.volume, m.first = cm__point_scale(m.first, -1);
        for (int k = 0; k < 6; ++k) m.second[k] = -m.second[k];
    }
    cm__mass_of_moments(&m, cm__point_scale(middle, over), unit, out);
    return CM_OK;
}

const cm__shape_ops cm__shape_mesh = {.name = "mesh",
                                      .shape_class = CM__COMPOSITE,
                                      .check = mesh_check,
                                      .bounds = mesh_bounds,
                                      .raycast = mesh_raycast,
                                      .mass = mesh_mass};
