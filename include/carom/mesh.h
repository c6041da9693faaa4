/// carom/mesh.h: triangle meshes: built once from points and indices, immutable after that except for the positions of
/// their points (cm_mesh_move_points).
///
/// A mesh is one relocatable block of memory: it may be copied with memcpy to any address of the same alignment
/// (cm_mesh_bytes gives its size). It keeps the source's triangle numbers. It is a surface, unless built `solid`.
#ifndef CAROM_MESH_H
#define CAROM_MESH_H

#include "shape.h"

CM_EXTERN_BEGIN

/// Points and triangles to build from; zero fields mean the default. The buffers are only read during the build.
typedef struct cm_mesh_desc {
    const cm_real *points;   /* x, y, z of point 0 … */
    size_t point_stride;     /* bytes from point to point; 0 = 3 * sizeof(cm_real) */
    uint32_t point_count;    /* */
    const void *indices;     /* three a triangle, counter-clockwise seen from outside; NULL = points 0,1,2 3,4,5 … */
    int index_size;          /* bytes an index: 2 or 4; 0 = 4 */
    uint32_t triangle_count; /* with indices NULL: 0 = point_count / 3 */
    cm_real weld;            /* points within this distance are joined; 0 = only equal points; < 0 = none */
    bool solid;              /* refuse unless closed; then the winding decides what is inside */
    bool flip;               /* reverse every triangle (for mirrored sources) */
    cm_vec3 scale;           /* every point times this, component by component; all 0 = none. Where it mirrors (an odd
                                number of negative ones) triangles are reversed, so that outside stays outside */
    const cm_tasks *tasks;   /* NULL = serial; only used during the build. The mesh does not depend on it */
} cm_mesh_desc;

/// What a build found. Triangles are counted after welding; none is dropped: numbers stay the source's.
typedef struct cm_mesh_info {
    uint32_t points;             /* distinct points after welding */
    uint32_t welded;             /* points of the source that were joined to another */
    uint32_t triangles;          /* */
    uint32_t degenerate;         /* no area: exactly collinear or coincident corners */
    uint32_t duplicate;          /* same three corners as an earlier triangle, in the same or the opposite sense */
    uint32_t folded;             /* share an edge with a neighbor lying back on them (zero dihedral angle) */
    uint32_t edges;              /* undirected, of triangles with three distinct corners, collinear or not */
    uint32_t open_edges;         /* edges with one triangle */
    uint32_t nonmanifold_edges;  /* edges with three or more triangles */
    uint32_t inconsistent_edges; /* edges with two triangles that run through it in the same direction */
    uint32_t holes;              /* closed loops (connected chains) of open edges */
    uint32_t components;         /* sets of triangles connected through shared points */
    bool closed;                 /* every directed edge is cancelled by its reverse: may be built solid */
    bool solid;                  /* was built solid */
    bool convex;                 /* a solid of one piece and at most 4,096 points, convex up to rounding (32 ulp of the
                                    largest coordinate; in double 256): it keeps its hull, and has the contacts, the
                                    sweeps and the thickness of that */
    cm_real volume;              /* signed, by the divergence theorem; meaningful where closed */
    cm_real area;                /* */
    cm_aabb bounds;              /* exact */
} cm_mesh_info;

/// Builds a mesh.
/// @param mem    NULL = malloc. Also used for scratch memory during the build.
/// @param out    the mesh; untouched on failure. Free with cm_mesh_destroy and the same allocator.
/// @param error  which field was wrong, at which index; may be NULL; untouched when CM_OK.
/// @return CM_OK; CM_INVALID (NULL or zero sized input, a bad stride or index size, a scale of 0 along some axes but
/// not all), CM_NOT_FINITE (a point beyond the valid range, after scaling; index = the point; `weld` or `scale`),
/// CM_OUT_OF_RANGE (an index; index = the triangle; without indices more triangles than points), CM_NOT_SOLID (solid
/// asked for, and an edge stays open; index = a triangle at it), CM_LIMIT (more than 2^30 triangles), CM_NO_MEMORY.
/// Cost: O(n log n).
CM_API cm_status cm_mesh_build(const cm_mesh_desc *desc, const cm_allocator *mem, cm_mesh **out, cm_error *error);
/// Frees a mesh; `mem` as at its build. NULL is fine.
CM_API void cm_mesh_destroy(cm_mesh *mesh, const cm_allocator *mem);
/// The size of the block.
CM_API size_t cm_mesh_bytes(const cm_mesh *mesh);
/// What the build found.
CM_API void cm_mesh_get_info(const cm_mesh *mesh, cm_mesh_info *out);
/// How many points after welding.
CM_API uint32_t cm_mesh_point_count(const cm_mesh *mesh);
/// How many triangles of the source; their numbers are below it.
CM_API uint32_t cm_mesh_triangle_count(const cm_mesh *mesh);
/// The points after welding, cm_mesh_point_count of them, in the mesh's own frame.
CM_API const cm_vec3 *cm_mesh_points(const cm_mesh *mesh);
/// The three point numbers of the source's triangle `triangle`, < cm_mesh_triangle_count.
CM_API void cm_mesh_corners(const cm_mesh *mesh, uint32_t triangle, uint32_t out[3]);
/// For each triangle the number of its component (0-based, in order of the first triangle), into `out`, which holds
/// cm_mesh_triangle_count numbers. Needs no memory of its own.
CM_API void cm_mesh_components(const cm_mesh *mesh, uint32_t *out);
/// How many T-shaped junctions the mesh has: corners of open edges that lie on another open edge, between its ends. The
/// surface looks closed there, but what lies across such an edge is not known: contacts there may point over the seam.
/// @param tolerance  how far off the edge such a corner may lie; 0 = the default: 1e-6 of the mesh's size, at least 4
/// float ulps of its largest coordinate.
/// @return 0 for a closed mesh, NULL, and a tolerance that is negative or NaN. Cost: a look into the tree for each open
/// edge; where over a thousand triangles lie around one corner, not all are looked at, and the count is a lower bound.
CM_API uint32_t cm_mesh_t_junctions(const cm_mesh *mesh, cm_real tolerance);
/// The points of B exactly as every pair function sees them: in A's frame, in the arithmetic of the pair functions. A's
/// own points are used as they are. `out` holds cm_mesh_point_count(b) points.
/// An oracle that reads these sees the very numbers that the answers are exact for.
CM_API void cm_mesh_posed(const cm_pose *pose_a, const cm_mesh *b, const cm_pose *pose_b, cm_vec3 *out);
/// How often the mesh winds around a point given in its own frame; 0 is outside, and for surfaces always.
/// Exact by orient predicates, also on the planes of faces and in line with edges and corners.
/// @param on_surface  set to whether the point lies exactly on a triangle (the number is then 0); may be NULL.
/// Cost: that of a ray; far from all triangles of a solid, one look at its cell.
CM_API int cm_mesh_winding(const cm_mesh *mesh, cm_vec3 point, bool *on_surface);

/// Moves the points of a mesh and refits its trees. Triangles, numbers, neighbors, components and solidity stay; all
/// queries then answer for the new positions. The structure of the trees stays, too, so queries of a mesh that crumples
/// are slower than after a new build. In cm_mesh_info bounds, area, volume and the count of degenerate triangles are
/// updated, `convex` is false (no hull is kept), the other fields stay those of the build. No thread may read the mesh
/// meanwhile. A world keeps its old boxes: cm_world_set_shape renews them. A compound keeps them for good, and would
/// miss the mesh: build it anew.
/// @param points  cm_mesh_point_count of them, in the mesh's own frame; may be cm_mesh_points(mesh).
/// @param mem     scratch memory during the call; NULL = malloc.
/// @return CM_OK; CM_INVALID (NULL), CM_NOT_FINITE (a point beyond the valid range), CM_NO_MEMORY: then the mesh is as
/// it was. Cost: O(n), a small part of a build.
CM_API cm_status cm_mesh_move_points(cm_mesh *mesh, const cm_vec3 *points, const cm_allocator *mem);

CM_EXTERN_END
#endif
