/* A ray against one triangle, by exact signs: the same rule for meshes and height fields, so that both are watertight.
 */
#ifndef MESH_RAY_H
#define MESH_RAY_H

#include "math/exact.h"
#include "math/point.h"
#include "mesh/mesh.h"

/* origin + t direction, 0 <= t <= max. */
typedef struct cm__ray_line {
    cm__point origin, direction;
    double max;
} cm__ray_line;

/* Until when what a ray meets counts, which ends at `max`: the time of a hit is rounded, by ulps of itself and of the
 * time to pass `reach`, the largest |coordinate| of what is met, and what the end just reaches is met. It is then
 * reported as met at `max`. */
CM_INLINE double cm__ray_until(double max, double reach, cm__point direction) {
    return max < DBL_MAX / 2 ? max + 0x1p-48 * (max + reach / cm__point_largest(direction)) : max;
}

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
bool cm__ray_hits(const cm__ray_line *ray, const cm__ray_shear *shear, const cm__face *face, cm__mesh_hit *hit);
/* The same without a shear at hand. */
bool cm__ray_hits_unsheared(const cm__ray_line *ray, cm_real point_reach, const cm__face *face, cm__mesh_hit *hit);

/* Where the line cuts the plane of a triangle that it meets, `along` the sign of the triangle's normal along it: behind
 * the origin, ahead, where t and side of `hit` are set, or so near to it that the exact signs decide. */
enum { CM__RAY_UNSURE, CM__RAY_BEHIND, CM__RAY_AHEAD };
CM_INLINE int cm__ray_cut(const cm__ray_line *ray, const cm__point c[3], int along, cm__mesh_hit *hit) {
    const cm__point ab = cm__point_sub(c[1], c[0]), ac = cm__point_sub(c[2], c[0]), n = cm__point_cross(ab, ac);
    const cm__point from = cm__point_sub(ray->origin, c[0]);
    /* of the very products of cm__orient3, each at most that of the largest coordinates */
    const double most = cm__point_largest(ab) * cm__point_largest(ac) * cm__point_largest(from);
    const double height = cm__point_dot(n, from), speed = cm__point_dot(n, ray->direction), t = -height / speed;
    if (!(fabs(height) > 6 * CM__ORIENT3_ERROR * most) || speed == 0) return CM__RAY_UNSURE;
    hit->t = t > 0 ? t : 0;
    hit->side = along > 0 ? -1 : 1;
    return (along > 0) == (height > 0) ? CM__RAY_BEHIND : CM__RAY_AHEAD;
}
/* What a line in the plane of a convex polygon passes of it, from the origin on. */
typedef struct cm__ray_chord {
    double first, last; /* 0 <= first <= last */
    uint32_t edge;      /* that it enters by, from this corner to the next; CM_NONE: the origin lies within */
    bool at_corner;     /* it enters at that very corner */
} cm__ray_chord;
/* The corners points[corner[0]] … in their order around; the first three are not in line. By exact signs; times are
 * rounded. False where nothing of the polygon lies ahead; the ray's end is not looked at. */
bool cm__ray_along(const cm__ray_line *ray, const cm_vec3 *points, const uint32_t *corner, uint32_t count,
                   cm__ray_chord *out);
/* Does the ray meet the closed triangle? Fills t, weight and side of `hit`; untouched where it does not. */
bool cm__ray_hits_face(const cm__ray_line *ray, const cm__point c[3], cm__mesh_hit *hit);
/* Of equally near ones: one that is hit from a side before one that is grazed along its face, then the lowest number,
 * whatever the order of the walk. */
bool cm__ray_hit_is_before(const cm__mesh_hit *hit, const cm__mesh_hit *best);

#endif
