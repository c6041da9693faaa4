/* The walk of rays through a mesh, one set an instruction set, chosen at run time; all give the same bits. */
#ifndef MESH_KERNEL_H
#define MESH_KERNEL_H

#include "bvh/wide.h"
#include "mesh/ray.h"

typedef enum cm__mesh_ask {
    CM__MESH_FIRST,  /* the first triangle */
    CM__MESH_ANY,    /* any: `hit` tells nothing */
    CM__MESH_WINDING /* how often the mesh winds around the origin: direction +x, no end */
} cm__mesh_ask;

/* What is asked of a mesh, and what was found. */
typedef struct cm__mesh_ray_job {
    cm_vec3 origin, direction; /* in the mesh's own frame */
    cm_real max;
    cm__mesh_ask ask;
    bool found;       /* of a winding: the origin lies on a triangle, and `turns` means nothing */
    int turns;        /* of a winding */
    cm__mesh_hit hit; /* but for the weights */
    cm__face face;    /* that was hit */
} cm__mesh_ray_job;

/* For points within the mesh's bounds. */
CM_INLINE void cm__mesh_ask_winding(cm_vec3 point, cm__mesh_ray_job *job) {
    job->origin = point, job->direction = cm_v(1, 0, 0), job->max = CM_REAL_MAX;
    job->ask = CM__MESH_WINDING;
}

typedef struct cm__mesh_kernel {
    const char *name;
    /* `origin` and `direction` once more, in registers: read from the job, they would have to wait until it is written.
     */
    void (*ray)(const cm_mesh *mesh, cm_vec3 origin, cm_vec3 direction, cm__mesh_ray_job *job);
    /* Many at a time: while one waits for memory, others go on. */
    void (*rays)(const cm_mesh *mesh, cm__mesh_ray_job *jobs, uint32_t count);
} cm__mesh_kernel;

/* The fastest set that this CPU runs; the environment variable CAROM_ISA (sse2, avx2, avx512) forces a lesser one. */
const cm__mesh_kernel *cm__mesh_kernel_get(void);

extern const cm__mesh_kernel cm__mesh_kernel_base, cm__mesh_kernel_avx2, cm__mesh_kernel_avx512;

#endif
