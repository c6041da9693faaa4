/* From triangles to the hull's own vertices, faces and half-edges; and the same for a polygon.
 *
 * Two neighboring triangles are of one face where they are coplanar, exactly. Since the triangles bound the convex hull
 * exactly, all of a plane's triangles form one convex polygon, and they are connected: so a face is found by walking
 * along its boundary, passing over the edges between coplanar triangles. A point where fewer than three faces meet is
 * inside a face or inside an edge, hence no vertex, exactly as well.
 *
 * The order is canonical, so it does not depend on how the hull was cut into triangles: vertices by x, y, z; each face
 * from its lowest vertex on; faces by their first two vertices, which are a half-edge and so belong to one face only.
 */
#include "base/memory.h"
#include "hull/hull.h"
#include "math/exact.h"

/* `mark` of a live triangle from here on: bit e where edge e lies inside a face, bit 3 + e where it was walked. */
#define FACET_INNER(e)  (1u << (e))
#define FACET_WALKED(e) (8u << (e))

static bool facet_coplanar(const cm__quick *q, const cm__quick_face *face, uint32_t opposite) {
    cm__point a = cm__quick_at(q->points, face->corner[0]), p = cm__quick_at(q->points, opposite);
    cm__point w = cm__point_sub(p, a);
    double value = face->normal[0] * w.x + face->normal[1] * w.y + face->normal[2] * w.z;
    if (value < -face->bound) return false;
    return cm__orient3(a, cm__quick_at(q->points, face->corner[1]), cm__quick_at(q->points, face->corner[2]), p) == 0;
}

/* Marks the inner edges; counts at every vertex the edges between faces that start there. */
static void facet_mark_edges(cm__quick *q) {
    for (uint32_t p = 0; p < q->point_count; ++p) q->points[p].next = 0;
    for (uint32_t f = 0; f < q->face_count; ++f)
        if (q->faces[f].mark != CM__QUICK_DEAD) q->faces[f].mark = 0;
    for (uint32_t f = 0; f < q->face_count; ++f) {
        cm__quick_face *face = q->faces + f;
        if (face->mark == CM__QUICK_DEAD) continue;
        for (uint32_t e = 0; e < 3; ++e) {
            uint32_t other = face->twin[e] >> 2, across = face->twin[e] & 3;
            if (f < other && facet_coplanar(q, face, q->faces[other].corner[across == 0 ? 2 : across - 1])) {
                face->mark |= FACET_INNER(e);
                q->faces[other].mark |= FACET_INNER(across);
            }
        }
        for (uint32_t e = 0; e < 3; ++e)
            if (!(face->mark & FACET_INNER(e))) q->points[face->corner[e]].next++;
    }
}

/* The half-edge after h on the boundary of its face. */
static uint32_t facet_next(const cm__quick *q, uint32_t h) {
    uint32_t f = h >> 2, e = (h & 3) == 2 ? 0 : (h & 3) + 1;
    while (q->faces[f].mark & FACET_INNER(e)) {
        uint32_t twin = q->faces[f].twin[e];
        f = twin >> 2, e = (twin & 3) == 2 ? 0 : (twin & 3) + 1;
    }
    return 4 * f + e;
}
static uint32_t facet_origin(const cm__quick *q, uint32_t h) { return q->faces[h >> 2].corner[h & 3]; }
/* The new number of the vertex where h starts; CM_NONE inside an edge. */
static uint32_t facet_vertex(const cm__quick *q, uint32_t h) { return q->points[facet_origin(q, h)].next; }
/* The next half-edge that starts at a vertex. */
static uint32_t facet_next_corner(const cm__quick *q, uint32_t h) {
    do h = facet_next(q, h);
    while (facet_vertex(q, h) == CM_NONE);
    return h;
}

/* Numbers the vertices: `next` of every point becomes its number or CM_NONE. */
static cm_status facet_number_vertices(cm__quick *q, cm__hull_parts *parts) {
    size_t count = 0;
    for (uint32_t p = 0; p < q->point_count; ++p) count += q->points[p].next >= 3;
    cm__hull_key *keys = cm__alloc(q->mem, count, 2 * sizeof(cm__hull_key));
    parts->vertices = cm__alloc(q->mem, count, sizeof(uint32_t));
    parts->vertex_capacity = count;
    if (keys && parts->vertices) {
        size_t n = 0;
        for (uint32_t p = 0; p < q->point_count; ++p) {
            if (q->points[p].next >= 3) keys[n++].item = p;
            q->points[p].next = CM_NONE;
        }
        cm__hull_sort_points(q->points, -1, keys, keys + count, count);
        for (size_t i = 0; i < count; ++i) {
            parts->vertices[i] = keys[i].item;
            q->points[keys[i].item].next = (uint32_t)i;
        }
        parts->vertex_count = (uint32_t)count;
    }
    cm__free(q->mem, keys, count, 2 * sizeof(cm__hull_key));
    return keys && parts->vertices ? CM_OK : CM_NO_MEMORY;
}

/* Walks around one face and marks its edges. Its key, for the order of faces: its lowest vertex and the next one. */
static cm__hull_key facet_walk(cm__quick *q, uint32_t start, uint32_t *corners) {
    uint32_t lowest = CM_NONE, count = 0, h = start;
    cm__hull_key loop = {0, start};
    do {
        q->faces[h >> 2].mark |= FACET_WALKED(h & 3);
        uint32_t vertex = facet_vertex(q, h);
        if (vertex != CM_NONE) {
            ++count;
            if (vertex < lowest) lowest = vertex, loop.item = h;
        }
        h = facet_next(q, h);
    } while (h != start);
    loop.key = (uint64_t)lowest << 32 | facet_vertex(q, facet_next_corner(q, loop.item));
    *corners += count;
    return loop;
}

cm_status cm__hull_join(cm__quick *q, cm__hull_parts *parts) {
    facet_mark_edges(q);
    cm_status status = facet_number_vertices(q, parts);
    if (status != CM_OK) return status;
    size_t most = q->alive;
    cm__hull_key *loops = cm__alloc(q->mem, most, 2 * sizeof(cm__hull_key));
    if (!loops) return CM_NO_MEMORY;
    parts->loops = loops;
    parts->loop_capacity = 2 * most;
    uint32_t faces = 0, corners = 0;
    for (uint32_t f = 0; f < q->face_count; ++f) {
        if (q->faces[f].mark == CM__QUICK_DEAD) continue;
        for (uint32_t e = 0; e < 3; ++e)
            if (!(q->faces[f].mark & (FACET_INNER(e) | FACET_WALKED(e))))
                loops[faces++] = facet_walk(q, 4 * f + e, &corners);
    }
    cm__hull_sort(loops, loops + most, faces);
    parts->face_count = faces;
    parts->half_edge_count = corners;
    return CM_OK;
}

/* A half-edge of a face from v to w may consist of several half-edges of triangles, as points that are no vertices lie
 * between. The first of them gets the new number; the twin of the last is the first of the half-edge from w to v. */
cm_status cm__hull_write_faces(const cm__quick *q, const cm__hull_parts *parts, uint32_t *first, uint32_t *corner,
                               uint32_t *twin) {
    size_t half_edges = 4 * (size_t)q->face_count;
    uint32_t *number = cm__alloc(q->mem, half_edges, sizeof(uint32_t));
    if (!number) return CM_NO_MEMORY;
    uint32_t at = 0;
    for (uint32_t f = 0; f < parts->face_count; ++f) {
        uint32_t start = parts->loops[f].item, h = start;
        first[f] = at;
        do {
            if (facet_vertex(q, h) != CM_NONE) {
                number[h] = at;
                corner[at++] = facet_vertex(q, h);
            }
            twin[at - 1] = q->faces[h >> 2].twin[h & 3];
            h = facet_next(q, h);
        } while (h != start);
    }
    first[parts->face_count] = at;
    for (uint32_t i = 0; i < at; ++i) twin[i] = number[twin[i]];
    cm__free(q->mem, number, half_edges, sizeof(uint32_t));
    return CM_OK;
}
