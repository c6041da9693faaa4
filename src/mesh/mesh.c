/* Reading a mesh: what it holds, and where its points go under a pose. */
#include "mesh/mesh.h"

size_t cm_mesh_bytes(const cm_mesh *mesh) { return (size_t)mesh->bytes; }
void cm_mesh_get_info(const cm_mesh *mesh, cm_mesh_info *out) { *out = mesh->info; }
uint32_t cm_mesh_point_count(const cm_mesh *mesh) { return mesh->info.points; }
uint32_t cm_mesh_triangle_count(const cm_mesh *mesh) { return mesh->info.triangles; }
const cm_vec3 *cm_mesh_points(const cm_mesh *mesh) { return cm__mesh_points(mesh); }

void cm_mesh_corners(const cm_mesh *mesh, uint32_t triangle, uint32_t out[3]) {
    const uint32_t *corners = cm__mesh_corners(mesh) + 3 * (size_t)triangle;
    for (int k = 0; k < 3; ++k) out[k] = corners[k];
}

void cm_mesh_components(const cm_mesh *mesh, uint32_t *out) {
    for (uint32_t t = 0; t < mesh->info.triangles; ++t) out[t] = cm__mesh_component(mesh, t);
}

void cm__mesh_place(const cm_pose *b_in_a, cm__bvh_placing *out) {
    out->rotation = cm_mat3_from_quat(cm_quat_normalize(b_in_a->rotation));
    out->position = b_in_a->position;
}

void cm_mesh_posed(const cm_pose *pose_a, const cm_mesh *b, const cm_pose *pose_b, cm_vec3 *out) {
    cm_pose b_in_a = cm_pose_between(pose_a, pose_b);
    cm__bvh_placing placing;
    cm__mesh_place(&b_in_a, &placing);
    const cm_vec3 *points = cm__mesh_points(b);
    for (uint32_t i = 0; i < b->info.points; ++i) out[i] = cm__mesh_posed_point(&placing, points[i]);
}
