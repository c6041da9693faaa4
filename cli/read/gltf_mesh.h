/* The meshes of a glTF file as points and triangles. */
#ifndef CLI_GLTF_MESH_H
#define CLI_GLTF_MESH_H

#include "read/affine.h"
#include "read/gltf_file.h"

/* How a mesh is to stand: its morph targets' weights, and for a skinned one the matrix of each joint, from the mesh as
 * it is stored to the coordinates of its node. */
typedef struct gltf_stance {
    const double *weights;
    uint32_t weight_count;
    const affine *joints; /* NULL: not skinned */
    uint32_t joint_count;
} gltf_stance;

/* What was read otherwise than it is written, over all meshes. */
typedef struct gltf_oddities {
    uint32_t spare_indices; /* beyond the last whole triangle */
    uint32_t odd_weights;   /* points of skins without a weight: they follow their first joint */
} gltf_oddities;

/* Writes an IMPORT_MESH for each primitive; returns how many. */
uint32_t gltf_put_mesh(gltf_file *f, uint32_t mesh, const gltf_stance *stance, gltf_oddities *odd);

#endif
