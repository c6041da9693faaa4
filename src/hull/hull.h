/* Inside a hull: one block, its arrays at offsets from its start, so that it may be moved as it is.
 *
 * Half-edges are numbered face by face: half-edge h of face f, with first[f] <= h < first[f + 1], runs from corner[h]
 * to the face's next corner. A *patch* is a face, or several that merging took for one: what contacts clip. */
#ifndef HULL_HULL_H
#define HULL_HULL_H

#include "carom/hull.h"
#include "math/point.h"

#define CM__HULL_LANES      8   /* vertices in a block of the scan (scan.h) */
#define CM__HULL_SCAN       96  /* up to here vertices are scanned, beyond it walked: measured, see bench/hull */
#define CM__HULL_ARCS       192 /* up to here faces of solids have arcs; less than 256 */
#define CM__HULL_ARC_EDGES  (3 * CM__HULL_ARCS - 6)
#define CM__HULL_MAX_POINTS (UINT32_C(1) << 28)

/* dot(normal, p) + d <= 0 for all of the hull. */
typedef struct cm__hull_plane {
    cm_vec3 normal;
    cm_real d;
} cm__hull_plane;

/* The two faces and the two vertices of an edge, in as few bytes as possible: edge searches read all of them. */
typedef struct cm__hull_arc {
    uint8_t face[2];
} cm__hull_arc;
typedef struct cm__hull_ends {
    uint16_t corner[2];
} cm__hull_ends;

struct cm_hull {
    uint64_t bytes; /* of the whole block, this head included */
    cm_hull_info info;
    uint32_t half_edges;
    uint32_t padded; /* vertices, rounded up to whole blocks of lanes */
    uint32_t cells;  /* side of the table of starts, a cube's: 0 where vertices are scanned */
    uint32_t unused;
    cm_vec3 middle; /* of the bounds */
    cm_real half;   /* largest half side of the bounds */
    cm_real outer;  /* radius of a ball around info.center that holds the hull, */
    cm_real inner;  /* and of one that the hull holds */
    cm_real bend;   /* of solids: the cosine of half the largest angle between normals of neighboring faces, or less */
    /* offsets */
    uint64_t points, sources, lanes, first, corner, twin, edge_face, plane, neighbor_first, neighbor, vertex_edge;
    uint64_t start, face_lanes, arc, ends, star, patch_first, patch_corner, patch_plane, face_patch;
};

CM_INLINE const void *cm__hull_at(const cm_hull *hull, uint64_t offset) { return (const char *)hull + offset; }
CM_INLINE const cm_vec3 *cm__hull_points(const cm_hull *hull) {
    return (const cm_vec3 *)cm__hull_at(hull, hull->points);
}
/* x of all vertices less the middle's, then y, then z; `padded` numbers each, the last vertex repeated. */
CM_INLINE const cm_real *cm__hull_lanes(const cm_hull *hull) { return (const cm_real *)cm__hull_at(hull, hull->lanes); }
/* By face, and one more: its first half-edge. */
CM_INLINE const uint32_t *cm__hull_first(const cm_hull *hull) {
    return (const uint32_t *)cm__hull_at(hull, hull->first);
}
/* By half-edge: the vertex where it starts; its twin, which runs the other way; its face. */
CM_INLINE const uint32_t *cm__hull_corner(const cm_hull *hull) {
    return (const uint32_t *)cm__hull_at(hull, hull->corner);
}
CM_INLINE const uint32_t *cm__hull_twin(const cm_hull *hull) { return (const uint32_t *)cm__hull_at(hull, hull->twin); }
CM_INLINE const uint32_t *cm__hull_edge_face(const cm_hull *hull) {
    return (const uint32_t *)cm__hull_at(hull, hull->edge_face);
}
CM_INLINE const cm__hull_plane *cm__hull_planes(const cm_hull *hull) {
    return (const cm__hull_plane *)cm__hull_at(hull, hull->plane);
}
/* Of solids: x of all face normals, then y, z and d, cm__hull_padded_faces numbers each. Past the last face there are
 * planes that no point is in front of. */
CM_INLINE const cm_real *cm__hull_face_lanes(const cm_hull *hull) {
    return (const cm_real *)cm__hull_at(hull, hull->face_lanes);
}
CM_INLINE uint32_t cm__hull_padded_faces(const cm_hull *hull) {
    return (hull->info.faces + CM__HULL_LANES - 1) / CM__HULL_LANES * CM__HULL_LANES;
}
/* By edge, of solids with up to CM__HULL_ARCS faces: the two faces, and the two vertices; info.edges of them. */
CM_INLINE const cm__hull_arc *cm__hull_arcs(const cm_hull *hull) {
    return (const cm__hull_arc *)cm__hull_at(hull, hull->arc);
}
CM_INLINE const cm__hull_ends *cm__hull_edge_ends(const cm_hull *hull) {
    return (const cm__hull_ends *)cm__hull_at(hull, hull->ends);
}
/* Of the same: by vertex, and one more, where its faces begin, counted from here; then the faces, in order. */
CM_INLINE const uint16_t *cm__hull_star(const cm_hull *hull) { return (const uint16_t *)cm__hull_at(hull, hull->star); }
CM_INLINE bool cm__hull_has_arcs(const cm_hull *hull) {
    return hull->info.dimension == 3 && hull->info.faces <= CM__HULL_ARCS;
}
/* By vertex, and one more: where its neighbors begin in cm__hull_neighbors. */
CM_INLINE const uint32_t *cm__hull_neighbor_first(const cm_hull *hull) {
    return (const uint32_t *)cm__hull_at(hull, hull->neighbor_first);
}
CM_INLINE const uint32_t *cm__hull_neighbors(const cm_hull *hull) {
    return (const uint32_t *)cm__hull_at(hull, hull->neighbor);
}
/* By vertex: a half-edge that starts from it; CM_NONE where there are no faces. */
CM_INLINE const uint32_t *cm__hull_vertex_edge(const cm_hull *hull) {
    return (const uint32_t *)cm__hull_at(hull, hull->vertex_edge);
}
/* By patch, and one more: where its polygon begins in cm__hull_patch_corners. */
CM_INLINE const uint32_t *cm__hull_patch_first(const cm_hull *hull) {
    return (const uint32_t *)cm__hull_at(hull, hull->patch_first);
}
CM_INLINE const uint32_t *cm__hull_patch_corners(const cm_hull *hull) {
    return (const uint32_t *)cm__hull_at(hull, hull->patch_corner);
}
CM_INLINE const cm__hull_plane *cm__hull_patch_planes(const cm_hull *hull) {
    return (const cm__hull_plane *)cm__hull_at(hull, hull->patch_plane);
}
/* The patch of a face: the face itself where nothing was merged. */
CM_INLINE uint32_t cm__hull_patch_of(const cm_hull *hull, uint32_t face) {
    return hull->face_patch ? ((const uint32_t *)cm__hull_at(hull, hull->face_patch))[face] : face;
}
/* The half-edge before h, around its face. */
CM_INLINE uint32_t cm__hull_previous(const cm_hull *hull, uint32_t h) {
    const uint32_t *first = cm__hull_first(hull);
    uint32_t f = cm__hull_edge_face(hull)[h];
    return h - 1 + (h == first[f]) * (first[f + 1] - first[f]); /* no branch: it could not be predicted */
}
/* The vertex that half-edge h runs to. */
CM_INLINE uint32_t cm__hull_target(const cm_hull *hull, uint32_t h) {
    return cm__hull_corner(hull)[cm__hull_twin(hull)[h]];
}
/* The next half-edge that starts from the same vertex as h, counter-clockwise seen from outside. */
CM_INLINE uint32_t cm__hull_around(const cm_hull *hull, uint32_t h) {
    return cm__hull_twin(hull)[cm__hull_previous(hull, h)];
}

/* --- support points and features: any direction in the hull's frame, of any length ------------------------------- */

/* The vertex farthest along `direction`; of those that come out equally far, the lowest number (which is the lowest by
 * x, y, z). Up to CM__HULL_SCAN vertices all are looked at; beyond, the walk starts from `hint`, a vertex number, or
 * with CM_NONE from a table. Falls short of the true maximum by at most 8 ulp of |direction| times the half size. */
uint32_t cm__hull_support(const cm_hull *hull, cm_vec3 direction, uint32_t hint);

/* A corner, an edge or a patch, as vertex numbers. */
typedef struct cm__hull_side {
    uint32_t count;         /* 1 a corner, 2 an edge, more: a patch's polygon, counter-clockwise from outside */
    const uint32_t *corner; /* into the hull, or to `ends` */
    uint32_t ends[2];
    uint32_t patch; /* CM_NONE for edges and corners */
    cm_vec3 normal; /* of the patch, unit */
} cm__hull_side;

/* The patch at the support vertex that faces `direction` the most; of equals the lowest number. Segments and points
 * give the whole of themselves. `vertex` is a support vertex for `direction`. */
void cm__hull_patch_toward(const cm_hull *hull, cm_vec3 direction, uint32_t vertex, cm__hull_side *out);
/* The table of starts. */
uint32_t cm__hull_cells(uint32_t vertices);
void cm__hull_fill_starts(const cm_hull *hull, uint32_t *start);

/* --- steps of the build ------------------------------------------------------------------------------------------ */

/* An item of a sort, and what it is sorted by. */
typedef struct cm__hull_key {
    uint64_t key;
    uint32_t item;
} cm__hull_key;

/* Stable; `scratch` holds as many. */
void cm__hull_sort(cm__hull_key *keys, cm__hull_key *scratch, size_t count);
/* Sorts items by their points' x, then y, then z (by u and v alone where `axis` >= 0 is dropped). */
typedef struct cm__quick_point cm__quick_point;
void cm__hull_sort_points(const cm__quick_point *points, int axis, cm__hull_key *keys, cm__hull_key *scratch,
                          size_t count);

/* A point of the source. `next` links the points that lie outside one face; once the point is a vertex, the steps of
 * the build store in it what they need by vertex. */
struct cm__quick_point {
    cm_vec3 at;
    uint32_t next;
};
CM_INLINE cm__point cm__quick_at(const cm__quick_point *points, uint32_t i) { return cm__point_of(points[i].at); }

/* A triangle of the growing hull. Half-edge 4 f + e runs from corner e to corner (e + 1) % 3. */
typedef struct cm__quick_face {
    double normal[3]; /* (b - a) x (c - a), rounded */
    double bound;     /* its product with any p - a is wrong by no more than this */
    uint32_t corner[3];
    uint32_t twin[3]; /* half-edges */
    uint32_t outside; /* the farthest of its outside points; the next free face where dead */
    uint32_t mark;    /* the last visit */
} cm__quick_face;
#define CM__QUICK_DEAD UINT32_MAX

typedef struct cm__quick_task {
    double distance;
    uint32_t face;
} cm__quick_task;

/* An edge of the horizon (the border of the faces that the apex sees), and the new face between it and the apex. */
typedef struct cm__quick_edge {
    double normal[3], bound, best;
    uint32_t from, to, twin, face, outside;
} cm__quick_edge;

typedef struct cm__quick {
    const cm_allocator *mem;
    cm__quick_point *points;
    uint32_t point_count;
    double extent[3]; /* sides of the bounds */
    cm__quick_face *faces;
    uint32_t *visible;
    cm__quick_edge *horizon;
    cm__quick_task *tasks;
    size_t face_capacity, visible_capacity, horizon_capacity, task_capacity;
    uint32_t face_count; /* that were ever used: alive and dead */
    uint32_t alive, free, stamp;
    size_t visible_count, horizon_count, task_count;
    bool ordered; /* tasks are a heap, the farthest first */
} cm__quick;

/* Points that span the cloud: returns its dimension, exactly, and that many + 1 points in `out`. The first two are the
 * lowest and highest by x, y, z. Of four, out[3] is behind the triangle of the other three. */
int cm__hull_simplex(const cm__quick_point *points, uint32_t count, uint32_t out[4]);
/* The hull as triangles, from four points in general position; exact. *loss receives how far a point may be outside
 * (0 without limit). The scratch memory stays until cm__quick_free. */
cm_status cm__quick_build(cm__quick *q, const uint32_t simplex[4], uint32_t max_vertices, double *loss);
void cm__quick_free(cm__quick *q);

/* What the finished hull is made from. */
typedef struct cm__hull_parts {
    const cm_allocator *mem;
    int dimension;
    uint32_t vertex_count, face_count, half_edge_count;
    uint32_t *vertices; /* source numbers, in order */
    size_t vertex_capacity;
    cm__hull_key *loops; /* per face: a half-edge of its boundary to start from */
    size_t loop_capacity;
    double loss;  /* how far a point may be outside, in the units of the build, */
    cm_real lift; /* which scaled the points up by this */
} cm__hull_parts;

/* Joins coplanar triangles to faces and orders vertices and faces; then writes them out. */
cm_status cm__hull_join(cm__quick *q, cm__hull_parts *parts);
cm_status cm__hull_write_faces(const cm__quick *q, const cm__hull_parts *parts, uint32_t *first, uint32_t *corner,
                               uint32_t *twin);
/* The polygon around points that lie in one plane but not on one line; its vertices go to parts->vertices in order
 * around it, counter-clockwise as seen from the positive end of *axis. */
cm_status cm__hull_polygon(const cm__quick_point *points, uint32_t count, const uint32_t simplex[3],
                           uint32_t max_vertices, cm__hull_parts *parts);
/* Planes, areas, volume, center, inertia. */
void cm__hull_measure(cm_hull *hull, cm__hull_plane *planes);
/* The patches that merging found; `count` is 0 where no face joined another. */
typedef struct cm__hull_patches {
    uint32_t count, corners; /* patches, and corners of all of them */
    uint32_t *patch;         /* by face: its patch */
    uint32_t *seed;          /* by patch: the face whose plane it has */
    uint32_t *first;         /* by patch, and one more: where its polygon begins in `corner` */
    uint32_t *corner;
    uint32_t *numbers; /* what holds all of these */
    size_t room;
} cm__hull_patches;
cm_status cm__hull_merge(const cm_hull *hull, const cm_allocator *mem, cm__hull_patches *out);
void cm__hull_free_patches(cm__hull_patches *patches, const cm_allocator *mem);

#endif
