/* A ray against one triangle, by exact signs: the same rule for meshes and height fields, so that both are watertight.
 */
#ifndef MESH_RAY_H
#define MESH_RAY_H

#include "math/point.h"
#include "mesh/mesh.h"

/* origin + t direction, 0 <= t <= max. */
typedef struct cm__ray_line {
    cm__point origin, direction;
    double max;
} cm__ray_line;

/* Does the ray meet the closed triangle? Fills t, weight and side of `hit`; untouched where it does not. */
bool cm__ray_meets_face(const cm__ray_line *ray, const cm__point c[3], cm__mesh_hit *hit);
/* Of equally near ones: one that is hit from a side before one that is grazed along its face, then the lowest number,
 * whatever the order of the walk. */
bool cm__ray_hit_is_before(const cm__mesh_hit *hit, const cm__mesh_hit *best);

#endif
