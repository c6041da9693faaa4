/* Inside a mesh: one block, its arrays at offsets from its start, so that it may be moved as it is.
 *
 * Triangles have two numbers. Their *number* is the source's, and what every answer tells. Their *place* is the
 * position in the tree's order.
 * Triangles of some consecutive leaves, from CM__MESH_MESHLET places, form a *meshlet*: their corners are stored once
 * more, each point once, so that a leaf's triangles are a byte a corner, beside points that lie close together.
 * Edge e of triangle t runs from its corner e to its corner (e + 1) % 3; its *half-edge* number is 3 t + e. */
#ifndef MESH_MESH_H
#define MESH_MESH_H

#include "bvh/bvh.h"
#include "math/point.h"
#include "carom/mesh.h"

#define CM__MESH_MESHLET    48 /* places: its last leaf may reach beyond them, 55 triangles at most */
#define CM__MESH_SPLIT      4  /* triangles to which the tree is split, so that the rays' can choose what to join ... */
#define CM__MESH_LEAF       8 /* ... and to which its leaves are merged then; measured, see bench/mesh and bench/rays */
#define CM__MESH_LEAF_FOURS (CM__MESH_LEAF / 4)

struct cm_mesh {
    uint64_t bytes; /* of the whole block, this head included */
    cm_mesh_info info;
    double origin[3], scale; /* the tree's units */
    uint32_t node_count, ray_node_count;
    cm_real point_reach; /* largest |coordinate| of a corner */
    uint32_t cell_rows;  /* cells along each axis of the bounds (cells.c); 0: there are none */
    double cells_per[3]; /* length */
    /* offsets */
    uint64_t nodes, rays, meshlets, seats, vertices, points, corners, neighbors, numbers, roots, components, cells;
    uint32_t component_size; /* bytes a triangle of `components`: 0 where there is one only, else 1, 2 or 4 */
    uint32_t vertex_count;
    uint64_t hull; /* offset of a convex solid's hull (convex.c); 0: there is none */
};

/* The corners of the triangle at a place. */
typedef struct cm__face {
    cm_vec3 corner[3];
} cm__face;

CM_INLINE const void *cm__mesh_at(const cm_mesh *mesh, uint64_t offset) { return (const char *)mesh + offset; }

/* The tree; its items are triangle numbers, its positions places. */
CM_INLINE cm__bvh cm__mesh_tree(const cm_mesh *mesh) {
    cm__bvh tree;
    for (int k = 0; k < 3; ++k) tree.origin[k] = mesh->origin[k];
    tree.scale = mesh->scale;
    tree.nodes = (const cm__bvh_node *)cm__mesh_at(mesh, mesh->nodes);
    tree.items = (const uint32_t *)cm__mesh_at(mesh, mesh->numbers);
    tree.node_count = mesh->node_count;
    tree.item_count = mesh->info.triangles;
    tree.node_room = mesh->node_count;
    return tree;
}
/* A triangle, by place: its corners among the vertices of its meshlet; where in its leaf of the rays' tree it is, and
 * in the bits above, that leaf's count - 1. Behind the last is room, so that CM__MESH_LEAF can be read from any. */
typedef struct cm__mesh_seat {
    uint8_t corner[3], leaf;
} cm__mesh_seat;
#define CM__MESH_SEAT_BITS 3
CM_INLINE const cm__mesh_seat *cm__mesh_seats(const cm_mesh *mesh) {
    return (const cm__mesh_seat *)cm__mesh_at(mesh, mesh->seats);
}
/* The first place of the leaf of the rays' tree that holds this one. */
CM_INLINE uint32_t cm__mesh_leaf_first(cm__mesh_seat at, uint32_t place) {
    return place - at.leaf % (1u << CM__MESH_SEAT_BITS);
}
CM_INLINE uint32_t cm__mesh_leaf_count(cm__mesh_seat at) { return (at.leaf >> CM__MESH_SEAT_BITS) + 1u; }
/* By meshlet: its first vertex. */
CM_INLINE const uint32_t *cm__mesh_meshlets(const cm_mesh *mesh) {
    return (const uint32_t *)cm__mesh_at(mesh, mesh->meshlets);
}
/* The vertices of the meshlet that holds the leaf which begins at a place. Behind the last of all is one number more,
 * so that four can be read from any. */
CM_INLINE const cm_vec3 *cm__mesh_vertices(const cm_mesh *mesh, uint32_t first) {
    return (const cm_vec3 *)cm__mesh_at(mesh, mesh->vertices) + cm__mesh_meshlets(mesh)[first / CM__MESH_MESHLET];
}
/* Place to triangle number. */
CM_INLINE const uint32_t *cm__mesh_numbers(const cm_mesh *mesh) {
    return (const uint32_t *)cm__mesh_at(mesh, mesh->numbers);
}
CM_INLINE const cm_vec3 *cm__mesh_points(const cm_mesh *mesh) {
    return (const cm_vec3 *)cm__mesh_at(mesh, mesh->points);
}
/* Three point numbers a triangle, by triangle number. */
CM_INLINE const uint32_t *cm__mesh_corners(const cm_mesh *mesh) {
    return (const uint32_t *)cm__mesh_at(mesh, mesh->corners);
}
/* By half-edge: the half-edge of the neighbor across it, running the other way; CM_NONE where the edge is open, has
 * more than two triangles, or two that run through it in the same direction. */
CM_INLINE const uint32_t *cm__mesh_neighbors(const cm_mesh *mesh) {
    return (const uint32_t *)cm__mesh_at(mesh, mesh->neighbors);
}
/* The component of the triangle with this number. */
CM_INLINE uint32_t cm__mesh_component(const cm_mesh *mesh, uint32_t number) {
    const void *of = cm__mesh_at(mesh, mesh->components);
    if (mesh->component_size == 0) return 0;
    if (mesh->component_size == 1) return ((const uint8_t *)of)[number];
    return mesh->component_size == 2 ? ((const uint16_t *)of)[number] : ((const uint32_t *)of)[number];
}
/* By component: its first triangle. */
CM_INLINE const uint32_t *cm__mesh_roots(const cm_mesh *mesh) {
    return (const uint32_t *)cm__mesh_at(mesh, mesh->roots);
}
/* The row of cells, along axis k, in which a coordinate lies: the same or a later one for any larger coordinate. */
CM_INLINE uint32_t cm__mesh_cell(const cm_mesh *mesh, int k, double x) {
    const cm_vec3 low = mesh->info.bounds.min;
    const double from[3] = {(double)low.x, (double)low.y, (double)low.z}, last = (double)mesh->cell_rows - 1;
    const double at = (x - from[k]) * mesh->cells_per[k];
    return (uint32_t)(at > 0 ? at < last ? at : last : 0); /* also of NaN a row that there is */
}
/* How often the mesh winds around a point within its bounds, where its cell tells: the point is then on no triangle. */
#define CM__MESH_MIXED 127
CM_INLINE int cm__mesh_cell_winding(const cm_mesh *mesh, cm_vec3 p) {
    const int8_t *cells = (const int8_t *)cm__mesh_at(mesh, mesh->cells);
    const uint32_t n = mesh->cell_rows;
    if (n == 0) return CM__MESH_MIXED;
    const uint32_t x = cm__mesh_cell(mesh, 0, (double)p.x), y = cm__mesh_cell(mesh, 1, (double)p.y);
    return cells[(cm__mesh_cell(mesh, 2, (double)p.z) * n + y) * n + x];
}
/* How far the surface of a convex solid may be from that of its hull: what the rounding of coordinates and of the
 * hull's planes makes. */
#define CM__MESH_CONVEX_SLACK (sizeof(cm_real) == sizeof(float) ? 32 : 256) /* CM_REAL_EPSILONs of the coordinates */
CM_INLINE double cm__mesh_convex_slack(const cm_mesh *mesh) {
    return CM__MESH_CONVEX_SLACK * (double)CM_REAL_EPSILON * (double)mesh->point_reach;
}
/* The hull of a mesh that is a convex solid; else NULL. */
CM_INLINE const struct cm_hull *cm__mesh_hull(const cm_mesh *mesh) {
    return mesh->hull > 0 ? (const struct cm_hull *)cm__mesh_at(mesh, mesh->hull) : NULL;
}
/* The triangle at a place. */
CM_INLINE cm__face cm__mesh_face(const cm_mesh *mesh, uint32_t place) {
    const cm__mesh_seat at = cm__mesh_seats(mesh)[place];
    const cm_vec3 *vertices = cm__mesh_vertices(mesh, cm__mesh_leaf_first(at, place));
    cm__face f;
    for (int k = 0; k < 3; ++k) f.corner[k] = vertices[at.corner[k]];
    return f;
}
/* The triangle with this number. */
CM_INLINE cm_triangle cm__mesh_triangle(const cm_mesh *mesh, uint32_t number) {
    const uint32_t *c = cm__mesh_corners(mesh) + 3 * (size_t)number;
    const cm_vec3 *p = cm__mesh_points(mesh);
    cm_triangle t;
    t.a = p[c[0]], t.b = p[c[1]], t.c = p[c[2]];
    return t;
}

/* --- how B's points get into A's frame: the one arithmetic of all pair functions ------------------------------- */

/* The placing for a pose of B in A's frame; the rotation is normalised first, so the matrix is orthogonal within
 * rounding. */
void cm__mesh_place(const cm_pose *b_in_a, cm__bvh_placing *out);
CM_INLINE cm_vec3 cm__mesh_posed_point(const cm__bvh_placing *placing, cm_vec3 p) {
    return cm_add(cm_mat3_mul(&placing->rotation, p), placing->position);
}
CM_INLINE cm__face cm__mesh_posed_face(const cm__bvh_placing *placing, const cm__face *face) {
    cm__face f;
    for (int i = 0; i < 3; ++i) f.corner[i] = cm__mesh_posed_point(placing, face->corner[i]);
    return f;
}

/* How often B, placed in A's frame, winds around a point given in A's frame; exact for the posed points. 0 and
 * *on_surface = true where the point lies on a triangle. Meshes that are no solids wind around nothing: 0. */
int cm__mesh_winding_placed(const cm_mesh *b, const cm__bvh_placing *placing, cm_vec3 point, bool *on_surface);

/* What a triangle adds to the winding around a point of the mesh's own frame; sets *on_surface where it holds the
 * point.
 */
int cm__mesh_winding_face(cm_vec3 point, const cm__face *face, bool *on_surface);

/* Where a ray first meets a triangle. */
typedef struct cm__mesh_hit {
    double t, weight[3]; /* point = sum of weight * corner */
    uint32_t triangle, place;
    int side; /* 1 from the front (counter-clockwise), -1 from behind, 0 along the face */
} cm__mesh_hit;
/* The first triangle on origin + t direction, 0 <= t <= max, in the mesh's own frame; watertight. `out` is untouched
 * when there is none; where it is NULL any triangle will do. The direction is not 0. */
bool cm__mesh_ray(const cm_mesh *mesh, cm_vec3 origin, cm_vec3 direction, cm_real max, cm__mesh_hit *out);

/* --- steps of the build ------------------------------------------------------------------------------------------ */

/* Joins points: remap[i] is the new number of source point i; *kept receives how many remain (in order of their first
 * source point), whose positions are moved to the front of `points`. */
cm_status cm__mesh_weld(cm_vec3 *points, uint32_t count, cm_real weld, const cm_allocator *mem, uint32_t *remap,
                        uint32_t *kept);
/* What is wrong with a triangle. */
enum { CM__MESH_REPEATED = 1, CM__MESH_FOLDED = 2, CM__MESH_DUPLICATE = 4 };
/* `scratch` holds 3 numbers a triangle. Fills neighbors (3 a triangle), marks (but for what cm__mesh_facts adds) and
 * what `info` says of edges and holes; *open_triangle receives a triangle at an edge that is not cancelled by its
 * reverse, CM_NONE where closed. */
cm_status cm__mesh_edges(const cm_vec3 *points, uint32_t point_count, const uint32_t *corners, uint32_t triangle_count,
                         const cm_allocator *mem, const cm_tasks *tasks, uint64_t *scratch, uint32_t *neighbors,
                         uint8_t *marks, cm_mesh_info *info, uint32_t *open_triangle);
/* Are the triangles (a, b, c) and (b, a, d) folded onto each other: in one plane, on the same side of ab? Exact. */
bool cm__mesh_is_folded(cm__point a, cm__point b, cm__point c, cm__point d);
/* Fills boxes, and what `info` says of bounds, area, volume and triangles. */
cm_status cm__mesh_facts(const cm_vec3 *points, const uint32_t *corners, const uint32_t *neighbors,
                         uint32_t triangle_count, const cm_allocator *mem, const cm_tasks *tasks, uint8_t *marks,
                         cm_aabb *boxes, cm_mesh_info *info);
/* The hull of a mesh that is complete but for it, if it is a convex solid; else NULL. CM_OK or CM_NO_MEMORY. */
cm_status cm__mesh_build_hull(const cm_mesh *mesh, const cm_allocator *mem, struct cm_hull **out);
/* Fills cm__mesh_seats, cm__mesh_meshlets and cm__mesh_vertices of a mesh whose rays' tree is there (meshlets.c);
 * returns how many vertices there are. `loose` is scratch for 3 a triangle: `vertices` themselves, or behind them. */
uint32_t cm__mesh_fill_meshlets(const cm_mesh *mesh, const cm_tasks *tasks, cm__mesh_seat *seats, uint32_t *meshlets,
                                cm_vec3 *loose, cm_vec3 *vertices);
/* Reads the vertices from the points anew. */
void cm__mesh_fill_vertices(const cm_mesh *mesh, cm_vec3 *vertices);
/* How many rows of cells a solid gets along each axis. */
uint32_t cm__mesh_cell_rows(uint32_t triangles);
/* Lays the rows of cells over the bounds. */
void cm__mesh_fit_cells(cm_mesh *mesh);
/* Fills the cells of a mesh of which all else is there (cells.c). */
void cm__mesh_fill_cells(const cm_mesh *mesh, int8_t *cells);
/* Numbers the components; `scratch` holds point_count numbers; returns how many there are. */
uint32_t cm__mesh_join(const uint32_t *corners, uint32_t triangle_count, uint32_t *scratch, uint32_t point_count,
                       uint32_t *components);

#endif
