/// carom/shape.h: the shapes, one struct for all kinds.
///
/// A shape is a convex core or a composite; its kind names the core. `radius` >= 0 rounds a convex core: all points
/// within `radius` of it (a sphere is a point with a radius). Large data is borrowed, never owned.
#ifndef CAROM_SHAPE_H
#define CAROM_SHAPE_H

#include "math.h"

CM_EXTERN_BEGIN

/// A convex hull, built by cm_hull_build (hull.h).
typedef struct cm_hull cm_hull;
/// A mesh, built by cm_mesh_build (mesh.h).
typedef struct cm_mesh cm_mesh;
/// A regular grid of heights, built by cm_height_field_build (height_field.h).
typedef struct cm_height_field cm_height_field;

/// A compound, built by cm_compound_build (compound.h).
typedef struct cm_compound cm_compound;

/// From a to b; a = b is a point.
typedef struct cm_segment {
    cm_vec3 a, b;
} cm_segment;

/// Three points; degenerate ones (a segment, a point) are valid sets.
typedef struct cm_triangle {
    cm_vec3 a, b, c;
} cm_triangle;

/// All points with dot(normal, p) + d = 0; `normal` is a unit vector. As a half-space: all points with <= 0.
/// The signed distance of p is dot(normal, p) + d, so a plane through p0 has d = -dot(normal, p0).
typedef struct cm_plane {
    cm_vec3 normal;
    cm_real d;
} cm_plane;

/// Around the z axis, from z = -half_height to half_height.
typedef struct cm_cylinder {
    cm_real radius, half_height;
} cm_cylinder;

/// Around the z axis: the apex at z = half_height, the base, a disk, at z = -half_height.
typedef struct cm_cone {
    cm_real radius, half_height;
} cm_cone;

/// A convex shape of the caller's own, given by its support function alone. Everything in the shape's own frame, in
/// double in both builds. It must be a pure function: the same direction gives the same point, from any thread.
///
/// What it stands on is found by asking along directions tilted about the contact's normal: a flat side gives up to 8
/// of its corners, an edge or the line of a rounded side two points, what is round all over, or a corner, one. Two
/// things are distinguished only where the function is right to 1e-7 of `size`, or better. The rim of a round cap is
/// stood for by 8 points, up to 8 % of its radius within it. The numbers of corners (cm_contact_point) go by the cell,
/// of size / 64, in which they lie in the shape's frame, so they stay whatever the contact's normal does; the two ends
/// of a curved side are 0 and 1. Cost: some 10 calls for each contact of what is round, at most 36 for a face.
typedef struct cm_custom {
    /// The point of the shape that is farthest along `direction` (any length but 0); of equally far ones any.
    /// A point that is not finite, or farther from `center` than `size`, counts as `center`.
    void (*support)(const void *user, const double direction[3], double point[3]);
    const void *user; /* handed to it; borrowed */
    cm_vec3 center;   /* a point of the shape, about in its middle */
    cm_real size;     /* >= 0: no point of the shape is farther from the center */
} cm_custom;

/// Every kind once: NAME (the enum is CM_SHAPE_NAME), name (its file in src/shape), the member of cm_shape's union.
/// The order decides which of two kinds is solved as the first.
#define CM_SHAPE_LIST(X)                                                                                               \
    X(POINT, point)                                                                                                    \
    X(SEGMENT, segment)                                                                                                \
    X(TRIANGLE, triangle)                                                                                              \
    X(BOX, box)                                                                                                        \
    X(CYLINDER, cylinder)                                                                                              \
    X(CONE, cone)                                                                                                      \
    X(ELLIPSOID, ellipsoid)                                                                                            \
    X(HULL, hull)                                                                                                      \
    X(CUSTOM, custom)                                                                                                  \
    X(HALFSPACE, halfspace)                                                                                            \
    X(MESH, mesh)                                                                                                      \
    X(HEIGHT_FIELD, height_field)                                                                                      \
    X(COMPOUND, compound)

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
        cm_vec3 point;
        cm_segment segment;
        cm_triangle triangle;
        cm_vec3 box; /* half extents, >= 0, around the shape's own origin */
        cm_cylinder cylinder;
        cm_cone cone;
        cm_vec3 ellipsoid; /* half axes, >= 0, around the shape's own origin */
        const cm_hull *hull;
        cm_custom custom;
        cm_plane halfspace;
        const cm_mesh *mesh;
        const cm_height_field *height_field;
        const cm_compound *compound;
    } u;
} cm_shape;

/// A point, or with a radius a sphere.
CM_INLINE cm_shape cm_make_point(cm_vec3 point) {
    cm_shape s;
    s.kind = CM_SHAPE_POINT;
    s.radius = 0;
    s.u.point = point;
    return s;
}
/// A point with a radius.
CM_INLINE cm_shape cm_make_sphere(cm_vec3 center, cm_real radius) {
    cm_shape s = cm_make_point(center);
    s.radius = radius;
    return s;
}
/// The segment from a to b; with a radius a capsule. a = b is a point.
CM_INLINE cm_shape cm_make_segment(cm_vec3 a, cm_vec3 b) {
    cm_shape s;
    s.kind = CM_SHAPE_SEGMENT;
    s.radius = 0;
    s.u.segment.a = a, s.u.segment.b = b;
    return s;
}
/// All points within `radius` of the segment from a to b.
CM_INLINE cm_shape cm_make_capsule(cm_vec3 a, cm_vec3 b, cm_real radius) {
    cm_shape s = cm_make_segment(a, b);
    s.radius = radius;
    return s;
}
/// A triangle, solid as a flat set; with a radius rounded on both sides. Collinear corners are a segment.
CM_INLINE cm_shape cm_make_triangle(cm_vec3 a, cm_vec3 b, cm_vec3 c) {
    cm_shape s;
    s.kind = CM_SHAPE_TRIANGLE;
    s.radius = 0;
    s.u.triangle.a = a, s.u.triangle.b = b, s.u.triangle.c = c;
    return s;
}
/// All points with |x| <= half.x, |y| <= half.y, |z| <= half.z.
CM_INLINE cm_shape cm_make_box(cm_vec3 half) {
    cm_shape s;
    s.kind = CM_SHAPE_BOX;
    s.radius = 0;
    s.u.box = half;
    return s;
}
/// All points within `radius` of the box: larger than the box by `radius` on every side.
CM_INLINE cm_shape cm_make_rounded_box(cm_vec3 half, cm_real radius) {
    cm_shape s = cm_make_box(half);
    s.radius = radius;
    return s;
}
/// Around the z axis, from z = -half_height to half_height; both >= 0.
CM_INLINE cm_shape cm_make_cylinder(cm_real radius, cm_real half_height) {
    cm_shape s;
    s.kind = CM_SHAPE_CYLINDER;
    s.radius = 0;
    s.u.cylinder.radius = radius, s.u.cylinder.half_height = half_height;
    return s;
}
/// Around the z axis: the apex at z = half_height, the base at z = -half_height; both >= 0.
CM_INLINE cm_shape cm_make_cone(cm_real radius, cm_real half_height) {
    cm_shape s;
    s.kind = CM_SHAPE_CONE;
    s.radius = 0;
    s.u.cone.radius = radius, s.u.cone.half_height = half_height;
    return s;
}
/// All points with (x / half.x)^2 + (y / half.y)^2 + (z / half.z)^2 <= 1.
CM_INLINE cm_shape cm_make_ellipsoid(cm_vec3 half) {
    cm_shape s;
    s.kind = CM_SHAPE_ELLIPSOID;
    s.radius = 0;
    s.u.ellipsoid = half;
    return s;
}
/// A hull as a shape; borrows it.
CM_INLINE cm_shape cm_make_hull(const cm_hull *hull) {
    cm_shape s;
    s.kind = CM_SHAPE_HULL;
    s.radius = 0;
    s.u.hull = hull;
    return s;
}
/// A convex shape by its support function: see cm_custom.
CM_INLINE cm_shape cm_make_custom(void (*support)(const void *user, const double direction[3], double point[3]),
                                  const void *user, cm_vec3 center, cm_real size) {
    cm_shape s;
    s.kind = CM_SHAPE_CUSTOM;
    s.radius = 0;
    s.u.custom.support = support, s.u.custom.user = user;
    s.u.custom.center = center, s.u.custom.size = size;
    return s;
}
/// All points on the plane or behind it: dot(normal, p) + d <= 0. `normal` must be a unit vector within 1e-3.
CM_INLINE cm_shape cm_make_halfspace(cm_vec3 normal, cm_real d) {
    cm_shape s;
    s.kind = CM_SHAPE_HALFSPACE;
    s.radius = 0;
    s.u.halfspace.normal = normal, s.u.halfspace.d = d;
    return s;
}
/// A mesh as a shape; borrows it.
CM_INLINE cm_shape cm_make_mesh(const cm_mesh *mesh) {
    cm_shape s;
    s.kind = CM_SHAPE_MESH;
    s.radius = 0;
    s.u.mesh = mesh;
    return s;
}
/// A height field as a shape; borrows it.
CM_INLINE cm_shape cm_make_height_field(const cm_height_field *height_field) {
    cm_shape s;
    s.kind = CM_SHAPE_HEIGHT_FIELD;
    s.radius = 0;
    s.u.height_field = height_field;
    return s;
}

/// A compound as a shape; borrows it.
CM_INLINE cm_shape cm_make_compound(const cm_compound *compound) {
    cm_shape s;
    s.kind = CM_SHAPE_COMPOUND;
    s.radius = 0;
    s.u.compound = compound;
    return s;
}

/// Is the shape well formed: known kind, finite fields, radius >= 0, borrowed data present? Every query asks this
/// first; what it refuses meets nothing. Flat and empty sizes (a box of half 0) are well formed.
/// @param error  what is wrong, may be NULL; untouched when CM_OK. Its field is "kind", "radius", or a name as in
/// cm_shape_fields.
/// @return CM_OK; CM_INVALID (NULL, no such kind, a negative size, a normal that is no unit vector, a radius around a
/// composite, data that is not there); CM_NOT_FINITE. Cost: constant; a custom shape's support function is called.
CM_API cm_status cm_shape_check(const cm_shape *shape, cm_error *error);
/// The smallest axis-aligned box, rounded outwards, that holds the shape at `pose`, in the pose's outer frame.
/// Infinite sides are -CM_REAL_MAX / CM_REAL_MAX. An invalid shape or pose, and a height field that is all holes, give
/// the empty box. Cost: constant; a hull's six support points; O(triangles) for a mesh, which keeps no box that would
/// fit once turned; of a height field its rim and its heights by blocks; of a compound that of all its children.
CM_API void cm_shape_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out);
/// The shape scaled along its own axes: what x, y, z become times scale.x, scale.y, scale.z; negative ones mirror.
/// Points, segments, triangles, boxes, ellipsoids and half-spaces take any scale; cylinders and cones the same along x
/// and y. A radius takes the same along all three, but a sphere around its own origin becomes an ellipsoid.
/// @param out  may be `shape` itself; untouched unless CM_OK.
/// @return CM_OK; what cm_shape_check says, of the result too; CM_NOT_FINITE or CM_INVALID (scale: 0 along an axis);
/// CM_UNSUPPORTED where the image is no shape of the library's (a capsule or rounded box unevenly, a cone upside down:
/// turn its pose), for custom shapes (scale in the support function), and for what is borrowed: build a hull or mesh
/// again with its description's `scale`, a height field with other spacings, a compound of scaled children.
CM_API cm_status cm_shape_scaled(const cm_shape *shape, cm_vec3 scale, cm_shape *out);

/// What a solid weighs, and how: for the density that was given.
typedef struct cm_mass {
    cm_real mass, volume;
    cm_vec3 center;  /* of mass, in the shape's own frame */
    cm_mat3 inertia; /* about the center, along the shape's own axes; symmetric */
} cm_mass;

/// Volume, center of mass and inertia of a solid of uniform density, its radius included.
/// @param density  mass by volume, > 0.
/// @param out  untouched unless CM_OK. Sets without volume (a segment, a flat box) weigh nothing: zeros at their
/// middle.
/// @return CM_OK; what cm_shape_check says; CM_INVALID (density; no `out`); CM_NOT_SOLID (a mesh not built solid, a
/// height field); CM_UNSUPPORTED (half-spaces; custom shapes; an ellipsoid with a radius, unless its half axes are
/// equal: no closed form). Closed forms; right to a few ulp (a hull with a radius: to 1e-5 in the float build). A solid
/// mesh counts every volume as often as its surface winds around it, a compound as often as its children hold it.
/// Numbers beyond the range are CM_REAL_MAX. Cost: O(faces) at most.
CM_API cm_status cm_shape_mass(const cm_shape *shape, cm_real density, cm_mass *out);
/// Adds a part placed at `pose` to `total`, which is all zero to begin with: their masses, center and inertia as one
/// body. The total's frame is the one that `pose` leads to. Parts without mass change nothing but, as the first, the
/// center. Numbers are not checked: a NaN stays one.
CM_API void cm_mass_add(cm_mass *total, const cm_mass *part, const cm_pose *pose);

typedef enum cm_field_type {
    CM_FIELD_REAL,   /* a cm_real */
    CM_FIELD_VEC3,   /* a cm_vec3 */
    CM_FIELD_POINTER /* borrowed data or a function */
} cm_field_type;

/// Where a number of a shape is kept: for scene files, bindings and editors, so that they need no list of their own.
typedef struct cm_field {
    const char *name; /* "half_height"; static */
    cm_field_type type;
    size_t offset; /* in bytes from the start of a cm_shape */
} cm_field;

/// The fields of a kind, beside its radius, in order.
/// @param count  how many, 0 for a number that is no kind; may be NULL.
/// @return NULL where there are none.
CM_API const cm_field *cm_shape_fields(cm_kind kind, int *count);

/// The kind's name in lower case, "mesh"; NULL for a number that is no kind.
CM_API const char *cm_kind_name(cm_kind kind);

CM_EXTERN_END
#endif
