/* Triangles of a leaf side by side, read from their meshlet. */
#ifndef MESH_LEAF_H
#define MESH_LEAF_H

#include "math/real4.h"
#include "mesh/mesh.h"

/* Some triangles, at least one, all of them in one leaf of the rays' tree. Behind them all corners are the meshlet's
 * vertex 0, so that eight can be read without waiting for memory that nobody asked for. */
typedef struct cm__mesh_leaf {
    cm__mesh_seat seats[CM__MESH_LEAF];
    const cm_vec3 *vertices;
} cm__mesh_leaf;

/* `begin`: the first place of the leaf of the rays' tree. */
CM_INLINE void cm__mesh_leaf_at(const cm_mesh *mesh, uint32_t begin, uint32_t first, uint32_t count,
                                cm__mesh_leaf *out) {
    static const uint32_t used[2 * CM__MESH_LEAF] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
    const cm__mesh_seat *seats = cm__mesh_seats(mesh) + first;
    for (uint32_t h = 0; h < CM__MESH_LEAF; h += 4) {
        u32x4 of;
        memcpy(&of, seats + h, sizeof of);
        of = u32x4_and(of, u32x4_load(&used[CM__MESH_LEAF + h - count]));
        memcpy(out->seats + h, &of, sizeof of);
    }
    out->vertices = cm__mesh_vertices(mesh, begin);
}
CM_INLINE void cm__mesh_leaf_of(const cm_mesh *mesh, const cm__bvh_leaf *of, cm__mesh_leaf *out) {
    const cm__mesh_seat at = cm__mesh_seats(mesh)[of->first];
    cm__mesh_leaf_at(mesh, cm__mesh_leaf_first(at, of->first), of->first, of->count, out);
}
/* The coordinates of triangle i's corner, behind which one number more can be read. */
CM_INLINE const cm_real *cm__mesh_leaf_corner(const cm__mesh_leaf *leaf, uint32_t i, uint32_t corner) {
    return &leaf->vertices[leaf->seats[i].corner[corner]].x;
}
/* The corners of triangles i to i + 3. */
CM_INLINE void cm__mesh_leaf_corners(const cm__mesh_leaf *leaf, uint32_t i, real4_points out[3]) {
    for (uint32_t c = 0; c < 3; ++c) {
        real4 rows[4];
        for (uint32_t k = 0; k < 4; ++k) rows[k] = real4_load(cm__mesh_leaf_corner(leaf, i + k, c));
        out[c] = real4_points_of(rows);
    }
}
/* Those of triangles i and i + 1: of corner c coordinate k. */
CM_INLINE void cm__mesh_leaf_two(const cm__mesh_leaf *leaf, uint32_t i, f64x2 out[3][3]) {
    for (uint32_t c = 0; c < 3; ++c) {
        const cm_real *p = cm__mesh_leaf_corner(leaf, i, c), *q = cm__mesh_leaf_corner(leaf, i + 1, c);
        for (uint32_t k = 0; k < 3; ++k) out[c][k] = f64x2_of((double)p[k], (double)q[k]);
    }
}

#endif
