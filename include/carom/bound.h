/// carom/bound.h: volumes around points. Every input point is within the result: it is rounded outwards.
///
/// All take a strided buffer of points, need no memory, and answer false (0) and leave `out` untouched where there are
/// no points or a coordinate is NaN or beyond the valid range.
#ifndef CAROM_BOUND_H
#define CAROM_BOUND_H

#include "primitives.h"

CM_EXTERN_BEGIN

/// A buffer of points: x, y, z of the first at `data`, of the next `stride` bytes later; 0 = 3 * sizeof(cm_real).
typedef struct cm_points {
    const cm_real *data;
    size_t stride;
    uint32_t count;
} cm_points;

/// The smallest axis-aligned box: exact.
CM_API bool cm_fit_aabb(const cm_points *points, cm_aabb *out);
/// The smallest axis-aligned box of the points under a pose: follows a rotating body tightly, unlike the box of its
/// box.
CM_API bool cm_fit_aabb_posed(const cm_points *points, const cm_pose *pose, cm_aabb *out);

/// The sphere around the center of the points' box that reaches the farthest point. Two passes; at most 1.74 times the
/// smallest radius.
CM_API bool cm_fit_sphere_from_box(const cm_points *points, cm_sphere *out);
/// The sphere around the mean of the points that reaches the farthest. Two passes; at most twice the smallest radius.
CM_API bool cm_fit_sphere_from_mean(const cm_points *points, cm_sphere *out);
/// The smallest sphere with the given center: it reaches the farthest point. One pass. False for a bad center too.
CM_API bool cm_fit_sphere_at(const cm_points *points, cm_vec3 center, cm_sphere *out);
/// The sphere through four points: none is outside, and all lie on it up to rounding, which counts as often as the
/// product of three edges exceeds six times the volume between them. Not the smallest sphere around them, which may be
/// much smaller.
/// @return false where they lie in one plane within rounding, or the sphere beyond the valid range.
CM_API bool cm_fit_sphere_through(const cm_vec3 points[4], cm_sphere *out);
/// The smallest sphere, up to rounding.
/// @return how many of the points carry it: 1 to 4 (two for a diameter, three for a circle); 0 where there is none.
/// Cost: one pass per support change, typically 3 to 12 passes. Source: [Gaertner99], [Welzl91].
CM_API int cm_fit_sphere(const cm_points *points, cm_sphere *out);

/// The box along the principal axes (of the covariance). Quick: three passes; may be larger than the axis-aligned box.
CM_API bool cm_fit_obb_principal(const cm_points *points, cm_obb *out);
/// A tight box: never larger than the axis-aligned one nor the principal one (up to outward rounding), within a few
/// percent of the smallest on the sets measured in the tests. Source: [Larsson11] for the starts, then a local search.
/// Cost: some passes over the points and about 2 ms.
CM_API bool cm_fit_obb(const cm_points *points, cm_obb *out);

/// A capsule along the best of the principal and box axes, its radius the smallest around that axis; equal points give
/// one of length and radius 0. Cost: some 60 passes.
CM_API bool cm_fit_capsule(const cm_points *points, cm_capsule *out);

CM_EXTERN_END
#endif
