/* T-junctions of open meshes, closed where that is not ambiguous. */
#ifndef CLI_JUNCTIONS_H
#define CLI_JUNCTIONS_H

#include <carom/carom.h>

typedef struct split_triangles {
    uint32_t *indices; /* three a triangle, in the points of the mesh; free() */
    uint32_t count;    /* triangles: those of the mesh under their numbers, then what was cut off them */
    uint32_t closed;   /* corners at which an edge was cut */
} split_triangles;

/* Cuts open edges of the mesh at the corners of the other side. `epsilon` is the rounding that its numbers went through
 * (FLT_EPSILON, DBL_EPSILON); `weld` is how near points are that count as one, 0 for equal ones. False where there is
 * nothing to cut; `out` is then untouched. */
bool split_at_junctions(const cm_mesh *mesh, double epsilon, double weld, split_triangles *out);

#endif
