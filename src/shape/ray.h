/* A ray against simple sets, in the sets' own frame; what the shapes' own ray tests and the typed ones stand on.
 * All tell whether the ray meets the set, and fill t, exit, point, normal, inside, part of *out, which may be NULL.
 * The ray was checked; sizes are valid. */
#ifndef SHAPE_RAY_H
#define SHAPE_RAY_H

#include "carom/ray.h"
#include "math/span.h"

bool cm__ray_ball(const cm_ray *ray, cm_vec3 center, cm_real radius, cm_ray_hit *out);
bool cm__ray_capsule(const cm_ray *ray, cm_vec3 a, cm_vec3 b, cm_real radius, cm_ray_hit *out);
/* Two-sided. By exact signs where radius = 0: watertight along shared edges and corners. */
bool cm__ray_triangle(const cm_ray *ray, cm_vec3 a, cm_vec3 b, cm_vec3 c, cm_real radius, cm_ray_hit *out);
/* What a ray meets that lies in the plane of a convex polygon: points[corner[0]] … counter-clockwise about n, which may
 * have any length. By exact signs. */
bool cm__ray_in_plane(const cm_ray *ray, const cm_vec3 *points, const uint32_t *corner, uint32_t count, cm__point n,
                      cm_ray_hit *out);
bool cm__ray_slabs(const cm_ray *ray, cm_vec3 low, cm_vec3 high, cm_ray_hit *out);
bool cm__ray_box(const cm_ray *ray, cm_vec3 half, cm_real radius, cm_ray_hit *out);
bool cm__ray_halfspace(const cm_ray *ray, const cm_plane *plane, cm_real radius, cm_ray_hit *out);
/* Between `count` half-spaces. */
bool cm__ray_planes(const cm_ray *ray, const cm_plane *planes, int count, cm_ray_hit *out);
/* Around the z axis, and along the own axes; solid, without a radius. */
bool cm__ray_cylinder(const cm_ray *ray, double radius, double half_height, cm_ray_hit *out);
bool cm__ray_cone(const cm_ray *ray, double radius, double half_height, cm_ray_hit *out);
bool cm__ray_ellipsoid(const cm_ray *ray, cm__point half, cm_ray_hit *out);
/* Any convex shape through its core's support point, radius included. Answered by convex/ray.c, which can search. */
bool cm__ray_core(const cm_ray *ray, const cm_shape *shape, cm_ray_hit *out);
/* Writes the hit of a span of time that was cut to the ray's; `normal` is the one to tell. Always true. */
bool cm__ray_finish(const cm_ray *ray, cm__span span, cm__point normal, cm_ray_hit *out);
/* Turns point and normal of a hit in the frame of `pose` outward, and takes the point from the outer ray. */
void cm__ray_hit_to_world(const cm_ray *ray, const cm_pose *pose, cm_ray_hit *hit);

#endif
