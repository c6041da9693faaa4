/* Corners and boxes of pieces, for extent_*.c. A piece of a surface is a triangle, given by its three corners. */
#ifndef PAIR_EXTENT_H
#define PAIR_EXTENT_H

#include "math/point.h"
#include "mesh/mesh.h"

static inline void extent_corners(const cm_mesh *mesh, uint32_t triangle, cm__point out[3]) {
    cm_triangle t = cm__mesh_triangle(mesh, triangle);
    out[0] = cm__point_of(t.a), out[1] = cm__point_of(t.b), out[2] = cm__point_of(t.c);
}

/* The box of a piece, grown by `room` and by the rounding of its corners. */
static inline cm_aabb extent_box(const cm__point v[3], double room) {
    cm_aabb box = cm_aabb_empty();
    for (int i = 0; i < 3; ++i) box = cm_aabb_add_point(box, cm__vec3_of(v[i]));
    const cm_vec3 reach = cm_vec3_max(cm_vec3_abs(box.min), cm_vec3_abs(box.max));
    return cm_aabb_grow(box, (cm_real)room + 4 * CM_REAL_EPSILON * cm_largest(reach));
}

#endif
