/// carom/hull.h: convex hulls: built once from points, immutable after that.
///
/// A hull is one relocatable block of memory: it may be copied with memcpy to any address of the same alignment
/// (cm_hull_bytes gives its size). Every decision of the build is an exact sign, so the hull is the true convex hull of
/// the points: no point lies strictly outside, no vertex or edge could be left out, and a face is the whole of what
/// lies in one plane. It depends on the set of points alone: their order, duplicates and points inside change no byte,
/// except for the numbers of the sources.
#ifndef CAROM_HULL_H
#define CAROM_HULL_H

#include "shape.h"

CM_EXTERN_BEGIN

/// Points to build from; zero fields mean the default. The buffer is only read during the build.
typedef struct cm_hull_desc {
    const cm_real *points; /* x, y, z of point 0 … */
    size_t point_stride;   /* bytes from point to point; 0 = 3 * sizeof(cm_real) */
    uint32_t point_count;  /* at most 2^28 */
    uint32_t max_vertices; /* at least 4; 0 = no limit. With a limit points may be left outside: see `loss` */
    cm_real merge; /* neighboring faces whose corners lie within this distance of one plane count as one patch for
                      contacts; nothing else depends on it. 0 = 16 ulp of the largest coordinate; < 0 = only faces */
    cm_vec3 scale; /* every point times this, component by component; all 0 = none. Negative ones mirror */
} cm_hull_desc;

/// What a build found.
typedef struct cm_hull_info {
    int dimension;     /* 3 a solid; 2 all points in one plane: a polygon; 1 on one line: a segment; 0 a single point */
    uint32_t vertices; /* */
    uint32_t faces;    /* a polygon has two, front and back; segments and points none */
    uint32_t edges;    /* vertices - edges + faces = 2 for solids and polygons */
    uint32_t patches;  /* faces after merging, at most `faces` */
    cm_real loss;      /* no source point is farther outside than this: 0 unless max_vertices was reached */
    cm_real merge;     /* the tolerance that was used for the patches */
    cm_real volume;    /* */
    cm_real area;      /* of the surface; a polygon's counts both sides */
    cm_vec3 center;    /* of mass, of uniform density; a polygon's, segment's or point's own center below dimension 3 */
    cm_mat3 inertia;   /* about the center, for density 1 (mass = volume); 0 below dimension 3 */
    cm_aabb bounds;    /* exact */
} cm_hull_info;

/// A face: a strictly convex polygon. Half-edge `first` + i runs from corner i to corner (i + 1) % count; half-edges
/// are numbered through all faces.
typedef struct cm_hull_face {
    uint32_t count;           /* of corners, at least 3 */
    uint32_t first;           /* its first half-edge */
    const uint32_t *vertices; /* `count` vertex numbers, counter-clockwise seen from outside, the lowest first */
    const uint32_t *twins;    /* for each of its half-edges the one that runs the other way, in the neighbor */
    cm_vec3 normal;           /* unit, outward */
    cm_real d; /* dot(normal, p) + d <= 0 for every p of the hull, in real arithmetic; at the face's corners not below
                  -8 ulp of the largest coordinate (double build: -100), but for faces whose normals are vague: of an
                  area below 2^-48 of their length squared */
} cm_hull_face;

/// Builds the convex hull of any points: also of equal, collinear or coplanar ones.
/// @param mem    NULL = malloc. Also used for scratch memory during the build.
/// @param out    the hull; untouched on failure. Free with cm_hull_destroy and the same allocator.
/// @param error  which field was wrong, at which index; may be NULL; untouched when CM_OK.
/// @return CM_OK; CM_INVALID (NULL or no points, a bad stride, max_vertices of 1 to 3, a scale of 0 along some axes but
/// not all), CM_NOT_FINITE (a point beyond the valid range, index = the point, after scaling; `merge` or `scale`),
/// CM_LIMIT (too many points), CM_NO_MEMORY. Vertices are numbered by x, then y, then z; faces by their first, then
/// their second vertex. Cost: O(n log n) for points in general; with few vertices O(n). Source: [Barber96] on exact
/// signs [Shewchuk97], see docs/theory/hull.md.
CM_API cm_status cm_hull_build(const cm_hull_desc *desc, const cm_allocator *mem, cm_hull **out, cm_error *error);
/// Frees a hull; `mem` as at its build. NULL is fine.
CM_API void cm_hull_destroy(cm_hull *hull, const cm_allocator *mem);
/// The size of the block.
CM_API size_t cm_hull_bytes(const cm_hull *hull);
/// What the build found.
CM_API void cm_hull_get_info(const cm_hull *hull, cm_hull_info *out);
/// How many vertices: 1 for a point, 2 for a segment.
CM_API uint32_t cm_hull_vertex_count(const cm_hull *hull);
/// How many faces: 2 for a polygon, none below that.
CM_API uint32_t cm_hull_face_count(const cm_hull *hull);
/// The vertices, cm_hull_vertex_count of them: points of the source, bit by bit (-0 becomes 0; so does, in the double
/// build, a coordinate below 2^-305 of a hull that reaches 2^-200 or farther).
CM_API const cm_vec3 *cm_hull_vertices(const cm_hull *hull);
/// For each vertex the number of a source point at its place.
CM_API const uint32_t *cm_hull_sources(const cm_hull *hull);
/// Face number `face`, < cm_hull_face_count.
CM_API void cm_hull_get_face(const cm_hull *hull, uint32_t face, cm_hull_face *out);
/// The face that a half-edge belongs to; half_edge < 2 * edges.
CM_API uint32_t cm_hull_edge_face(const cm_hull *hull, uint32_t half_edge);
/// The vertex farthest along `direction` (hull's frame, any length), of equally far ones the lowest number.
/// Falls short of the true maximum by at most 8 ulp of |direction| times the hull's half size; `direction` zero or not
/// finite gives some vertex. Cost: O(vertices) up to 96 of them, else a walk from a good start.
CM_API uint32_t cm_hull_support(const cm_hull *hull, cm_vec3 direction);

CM_EXTERN_END
#endif
