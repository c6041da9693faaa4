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

/* What the shear needs to know of a ray (ray.c). */
typedef struct cm__ray_shear {
    int axis[3];              /* u v w: cyclic, w the fastest */
    double from[3], slope[2]; /* the origin's coordinates in that order; d_u / d_w, d_v / d_w */
    double room;              /* how far from 0 the sheared sign is right */
    int turn;                 /* the sign of d_w */
} cm__ray_shear;

/* `point_reach`: the largest |coordinate| of the triangles to come. */
void cm__ray_shear_of(const cm__ray_line *ray, cm_real point_reach, cm__ray_shear *out);
/* Does the ray meet the triangle, by exact signs? Fills t and side of `hit`. */
bool cm__ray_meets(const cm__ray_line *ray, const cm__ray_shear *shear, const cm__face *face, cm__mesh_hit *hit);
/* A time in the tree's precision, rounded up: an equally near triangle must not be left out. */
CM_INLINE cm_real cm__ray_bound(double max) {
    cm_real bound = (cm_real)max;
    return (double)bound < max ? bound * (1 + CM_REAL_EPSILON) + CM_REAL_MIN : bound;
}

/* Does the ray meet the closed triangle? Fills t, weight and side of `hit`; untouched where it does not. */
bool cm__ray_meets_face(const cm__ray_line *ray, const cm__point c[3], cm__mesh_hit *hit);
/* Of equally near ones: one that is hit from a side before one that is grazed along its face, then the lowest number,
 * whatever the order of the walk. */
bool cm__ray_hit_is_before(const cm__mesh_hit *hit, const cm__mesh_hit *best);

#endif
