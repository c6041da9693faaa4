/* The convex polygon around points of one plane: the hull of dimension two.
 *
 * Exact: the points are projected along a coordinate axis that is not parallel to their plane, and sorted. From each
 * end a chain is kept that turns strictly the same way, by the exact sign of each turn. So no corner lies on the line
 * between its neighbors.
 *
 * Based on: [Andrew79]. */
#include "base/memory.h"
#include "hull/hull.h"
#include "math/closest.h"
#include "math/exact.h"

/* Both chains of sorted, distinct points; `step` turns back for the second. Returns the new length of the polygon. */
static uint32_t polygon_chain(const cm__quick_point *points, int axis, const cm__hull_key *keys, uint32_t count,
                              bool back, uint32_t *out, uint32_t length) {
    uint32_t floor = length;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t p = keys[back ? count - 1 - i : i].item;
        while (length >= floor + 2 &&
               cm__orient2_along(axis, cm__quick_at(points, out[length - 2]), cm__quick_at(points, out[length - 1]),
                                 cm__quick_at(points, p)) <= 0)
            --length;
        out[length++] = p;
    }
    return length - 1; /* the last is the first of the other chain */
}

/* Keeps at most max_vertices corners, evenly chosen, and writes how far the others then lie outside. */
static void polygon_thin(const cm__quick_point *points, uint32_t max_vertices, cm__hull_parts *parts) {
    uint32_t count = parts->vertex_count, *v = parts->vertices;
    if (max_vertices == 0 || count <= max_vertices) return;
    double loss = 0, reach = 0;
    for (uint32_t k = 0; k < max_vertices; ++k) {
        uint32_t from = (uint32_t)((uint64_t)k * count / max_vertices);
        uint32_t to = (uint32_t)((uint64_t)(k + 1) * count / max_vertices);
        cm__point a = cm__quick_at(points, v[from]), b = cm__quick_at(points, v[to == count ? 0 : to]);
        double length = cm__point_largest(cm__point_sub(b, a));
        if (length > reach) reach = length;
        for (uint32_t i = from + 1; i < to; ++i) {
            double distance = cm__point_length(cm__closest_point_segment(cm__quick_at(points, v[i]), a, b).gap);
            if (distance > loss) loss = distance;
        }
    }
    for (uint32_t k = 1; k < max_vertices; ++k) v[k] = v[(uint64_t)k * count / max_vertices];
    parts->vertex_count = max_vertices;
    parts->loss = loss + 0x1p-48 * reach;
}

cm_status cm__hull_polygon(const cm__quick_point *points, uint32_t count, const uint32_t simplex[3],
                           uint32_t max_vertices, cm__hull_parts *parts) {
    int axis = cm__triangle_axis(cm__quick_at(points, simplex[0]), cm__quick_at(points, simplex[1]),
                                 cm__quick_at(points, simplex[2]));
    cm__hull_key *keys = cm__alloc(parts->mem, count, 2 * sizeof(cm__hull_key));
    parts->vertex_capacity = (size_t)count + 2;
    parts->vertices = cm__alloc(parts->mem, parts->vertex_capacity, sizeof(uint32_t));
    if (keys && parts->vertices) {
        for (uint32_t i = 0; i < count; ++i) keys[i].item = i;
        cm__hull_sort_points(points, axis, keys, keys + count, count);
        uint32_t distinct = 1;
        for (uint32_t i = 1; i < count; ++i)
            if (!cm__point_equal(cm__quick_at(points, keys[i].item), cm__quick_at(points, keys[distinct - 1].item)))
                keys[distinct++] = keys[i];
        uint32_t length = polygon_chain(points, axis, keys, distinct, false, parts->vertices, 0);
        parts->vertex_count = polygon_chain(points, axis, keys, distinct, true, parts->vertices, length);
        polygon_thin(points, max_vertices, parts);
    }
    cm__free(parts->mem, keys, count, 2 * sizeof(cm__hull_key));
    return keys && parts->vertices ? CM_OK : CM_NO_MEMORY;
}
