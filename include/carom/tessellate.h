/// carom/tessellate.h: shapes as triangles, for pictures.
///
/// Never used by the library's own answers: those know the shapes themselves.
#ifndef CAROM_TESSELLATE_H
#define CAROM_TESSELLATE_H

#include "shape.h"

CM_EXTERN_BEGIN

/// How fine; zero fields mean the default.
typedef struct cm_tessellate_desc {
    int segments;   /* around a full circle: 4 to 256, rounded up to a multiple of 4; 0 = 32 */
    cm_real extent; /* half the side of the square that stands for a half-space, around the point of its plane that is
                       nearest to the origin; 0 = 1 */
} cm_tessellate_desc;

/// Triangles over points that they share.
typedef struct cm_tessellation {
    cm_vec3 *points;   /* in the shape's own frame */
    uint32_t *indices; /* three a triangle, counter-clockwise seen from outside */
    uint32_t point_count;
    uint32_t triangle_count;
} cm_tessellation;

/// The surface of a shape as triangles.
/// What is flat is exact: boxes, hulls, triangles (their front and back), meshes, height fields (triangles in the order
/// of their numbers; holes have none, but their samples are points). What is round is inscribed: all points lie on the
/// surface to a few ulp of the size, but with a radius around a cylinder, cone or ellipsoid beneath it; no point is
/// farther beneath it, and no point of the surface farther from the triangles, than 10 / segments^2 of the diagonal of
/// the shape's box. A caller's shape is known along some segments^2 / 4 directions alone: a corner that is the farthest
/// along none of these is cut off. Solid convex shapes come out closed. Segments and points without a radius have no
/// triangles, only their points. A compound gives its children one after the other, where they stand, also what lies
/// within another.
/// @param desc  NULL = all defaults.
/// @param mem   NULL = malloc. Also used for scratch memory.
/// @param out   untouched on failure. Free with cm_tessellation_destroy and the same allocator.
/// @return CM_OK; what cm_shape_check says; CM_INVALID (desc), CM_NOT_FINITE (points beyond the valid range), CM_LIMIT
/// (more than 2^31 points or triangles), CM_NO_MEMORY. Cost: O(triangles) for meshes and height fields; a few
/// milliseconds for what is round at 32 segments.
CM_API cm_status cm_shape_tessellate(const cm_shape *shape, const cm_tessellate_desc *desc, const cm_allocator *mem,
                                     cm_tessellation *out);
/// Frees what a tessellation holds, and zeroes it. All zero is fine, and so is NULL.
CM_API void cm_tessellation_destroy(cm_tessellation *tessellation, const cm_allocator *mem);

CM_EXTERN_END
#endif
