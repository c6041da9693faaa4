/* The walk of rays through a mesh, one set an instruction set, chosen at run time; all give the same bits. */
#ifndef MESH_KERNEL_H
#define MESH_KERNEL_H

#include "bvh/wide.h"
#include "mesh/ray.h"

/* What is asked of a mesh, and what was found. */
typedef struct cm__mesh_ray_job {
    cm_vec3 origin, direction; /* in the mesh's own frame */
    cm_real max;
    bool any;   /* any triangle will do; then `hit` tells nothing */
    bool found;
    cm__mesh_hit hit; /* but for the weights */
} cm__mesh_ray_job;

typedef struct cm__mesh_kernel {
    const char *name;
    void (*ray)(const cm_mesh *mesh, cm__mesh_ray_job *job);
    /* Many at a time: while one waits for memory, others go on. */
    void (*rays)(const cm_mesh *mesh, cm__mesh_ray_job *jobs, uint32_t count);
} cm__mesh_kernel;

/* The fastest set that this CPU runs; the environment variable CAROM_ISA (sse2, avx2, avx512) forces a lesser one. */
const cm__mesh_kernel *cm__mesh_kernel_get(void);

extern const cm__mesh_kernel cm__mesh_kernel_base, cm__mesh_kernel_avx2, cm__mesh_kernel_avx512;

#endif
