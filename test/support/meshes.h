/* Meshes for the tests: recorded ones, boxes, balls. All are owned by the caller: cm_mesh_destroy(mesh, NULL). */
#ifndef SUPPORT_MESHES_H
#define SUPPORT_MESHES_H

#include "support/support.h"

/* As described, and from points and triangles; both fail the test where the build fails. */
cm_mesh *mesh_built(const cm_mesh_desc *desc);
cm_mesh *mesh_of(const cm_real *points, uint32_t point_count, const uint32_t *indices, uint32_t triangle_count,
                 bool solid);
/* "robot_panda/link0.stl" of the recorded meshes; NULL (after saying so) where the data is absent. */
cm_mesh *mesh_recorded(const char *name, bool solid);
/* The box [min, max], each face in two triangles. */
cm_mesh *mesh_box(cm_vec3 min, cm_vec3 max, bool solid);
/* `count` boxes in one mesh; those with inward[i] are cavities. */
cm_mesh *mesh_boxes(const cm_aabb *boxes, const bool *inward, uint32_t count, bool solid);
/* A ball of 8 * 4^levels triangles: an octahedron, cut up. */
cm_mesh *mesh_ball(cm_vec3 center, cm_real radius, int levels, bool solid);

/* cm_contact before contacts of one plane are joined: one manifold for each triangle that has one. */
int contacts_by_part(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b, cm_real margin,
                     cm_manifold *out, int capacity);

#endif
