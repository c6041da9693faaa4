/// carom/shape.h: the shapes, one struct for all kinds.
///
/// A shape is a convex core or a composite; its kind names the core. `radius` >= 0 rounds a convex core: all points
/// within `radius` of it (a sphere is a point with a radius). Large data is borrowed, never owned.
#ifndef CAROM_SHAPE_H
#define CAROM_SHAPE_H

#include "math.h"

CM_EXTERN_BEGIN

/// A mesh, built by cm_mesh_build (mesh.h).
typedef struct cm_mesh cm_mesh;

/// Three points; degenerate ones (a segment, a point) are valid sets.
typedef struct cm_triangle {
    cm_vec3 a, b, c;
} cm_triangle;

/// Every kind once: NAME (the enum is CM_SHAPE_NAME), name (its file in src/shape), the member of cm_shape's union.
/// The order decides which of two kinds is solved as the first.
#define CM_SHAPE_LIST(X)                                                                                               \
    X(TRIANGLE, triangle)                                                                                              \
    X(MESH, mesh)

typedef enum cm_kind {
#define CM_SHAPE_ENUM(NAME, name) CM_SHAPE_##NAME,
    CM_SHAPE_LIST(CM_SHAPE_ENUM)
#undef CM_SHAPE_ENUM
        CM_SHAPE_KINDS /* how many there are */
} cm_kind;

typedef struct cm_shape {
    cm_kind kind;
    cm_real radius; /* rounds a convex core; 0 for composites */
    union {
        cm_triangle triangle;
        const cm_mesh *mesh;
    } u;
} cm_shape;

/// A mesh as a shape; borrows it.
CM_INLINE cm_shape cm_make_mesh(const cm_mesh *mesh) {
    cm_shape s;
    s.kind = CM_SHAPE_MESH;
    s.radius = 0;
    s.u.mesh = mesh;
    return s;
}
CM_INLINE cm_shape cm_make_triangle(cm_vec3 a, cm_vec3 b, cm_vec3 c) {
    cm_shape s;
    s.kind = CM_SHAPE_TRIANGLE;
    s.radius = 0;
    s.u.triangle.a = a, s.u.triangle.b = b, s.u.triangle.c = c;
    return s;
}

/// Is the shape well formed: known kind, finite fields, radius >= 0, borrowed data present?
/// @param error  what is wrong, may be NULL; untouched when CM_OK.
CM_API cm_status cm_shape_check(const cm_shape *shape, cm_error *error);
/// The smallest axis-aligned box, rounded outwards, that holds the shape at `pose`.
/// Infinite sides are -CM_REAL_MAX / CM_REAL_MAX. An invalid shape or pose gives the empty box.
CM_API void cm_shape_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out);
/// The kind's name in lower case, "mesh"; NULL for a number that is no kind.
CM_API const char *cm_kind_name(cm_kind kind);

CM_EXTERN_END
#endif
