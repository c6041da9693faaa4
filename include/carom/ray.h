/// carom/ray.h: rays and segments against shapes: where they enter, where they leave.
#ifndef CAROM_RAY_H
#define CAROM_RAY_H

#include "shape.h"

CM_EXTERN_BEGIN

/// The points origin + t * direction, 0 <= t <= max. `direction` may have any length but 0; t counts in it.
/// An endless ray has max = CM_REAL_MAX (infinity is fine too). A segment from a to b is {a, b - a, 1}.
typedef struct cm_ray {
    cm_vec3 origin, direction;
    cm_real max;
} cm_ray;

/// Where a ray meets a shape. A mesh or height field is hit at its surface, also from within: t = exit = the first
/// triangle on the ray, never missed at shared edges and corners, by exact signs. `normal` is that triangle's, outward
/// for a solid, else on the side hit. A ray that ends before the surface hits nothing, even inside a solid mesh: for
/// that ask cm_overlap with a point, or cm_mesh_winding.
typedef struct cm_ray_hit {
    cm_real t;    /* where it enters: 0 where it starts inside, but in a solid mesh */
    cm_real exit; /* where it leaves again, at most the ray's max; equal to t for flat shapes and planes. Of a compound:
                     where it leaves the child that is named, though another may go on from there */
    cm_vec3 point;  /* at t */
    cm_vec3 normal; /* unit, outward, where it enters; where it leaves (or ends), if it starts inside. Flat shapes: the
                       side hit */
    bool inside;    /* starts within the shape (on its surface counts) */
    uint32_t part;  /* triangle or child, CM_NONE for a convex shape */
} cm_ray_hit;

/// The ray from segment.a to segment.b: t runs from 0 to 1.
CM_INLINE cm_ray cm_ray_from_segment(const cm_segment *segment) {
    cm_ray r;
    r.origin = segment->a;
    r.direction = cm_sub(segment->b, segment->a);
    r.max = 1;
    return r;
}
/// Origin and direction valid, direction not 0, max >= 0?
CM_INLINE bool cm_ray_is_valid(const cm_ray *ray) {
    return cm_vec3_is_valid(ray->origin) && cm_vec3_is_valid(ray->direction) && cm_largest(ray->direction) > 0 &&
           ray->max >= 0;
}

/// Does the ray meet the shape? Touching counts: tangents, rays in a face, through an edge or a corner.
/// @param ray  in world coordinates, as the pose is; `t` and `exit` count in its direction.
/// @param out  untouched when it does not; may be NULL, which for a mesh takes less: any triangle will do then.
/// @return false for an invalid ray (a direction of 0 or NaN among them), shape or pose.
/// In the shape's own frame t is never later than the true entry and `exit` never earlier than the true exit, but for
/// the rounding of t itself; the point at t is off the surface by at most a few ulp of the shape's size and the
/// origin's distance (double build: rounded hulls, cylinders, cones and ellipsoids 1e-11 of the size), a miss by less
/// than that may be a hit. A pose adds the rounding of turning the ray. Cost: closed forms; O(faces) for a hull, O(log
/// triangles) for a mesh; rounded hulls, cylinders, cones and ellipsoids 4 to 16 distance queries, never more than 128.
/// Source: [Kay86], [Woop13]; docs/guide/rays.md.
CM_API bool cm_raycast(const cm_ray *ray, const cm_shape *shape, const cm_pose *pose, cm_ray_hit *out);

/// Many rays against one shape: each is answered as by cm_raycast, to the bit. In a large mesh they go side by side, so
/// that some compute while others wait for memory: about twice as many rays a second (docs/guide/rays.md).
/// @param met  receives for each ray whether it meets the shape; may be NULL.
/// @param out  receives the hits, each at the place of its ray; untouched where a ray meets nothing. May be NULL: then
/// for a mesh any triangle will do.
/// @return how many rays meet the shape; invalid ones meet nothing.
/// Allocates nothing; about 50 KiB of stack. Cost: count times that of cm_raycast, or less.
CM_API uint32_t cm_raycast_many(const cm_ray *rays, uint32_t count, const cm_shape *shape, const cm_pose *pose,
                                bool *met, cm_ray_hit *out);

CM_EXTERN_END
#endif
