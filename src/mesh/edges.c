/* What meets at the edges: adjacency, and the report on open, non-manifold and inconsistent edges, duplicates, folds,
 * holes.
 *
 * The half-edges are brought together by two stable counting sorts, by the larger and by the smaller point number, so
 * every edge is a run of them in the order of their triangles: O(points + triangles), whatever the fans.
 * Triangles with a repeated corner have no edges. Those with three collinear, distinct corners have: they close the
 * seams of T-shaped junctions, and their edges must be cancelled like all others for the mesh to be closed. */
#include "base/memory.h"
#include "math/exact.h"
#include "mesh/mesh.h"

#include <string.h>

/* How many triangles at one edge are compared with each other for folds; of larger fans only neighbors in the order of
 * the source this far apart, so that a fan of a million stays affordable. */
enum { FOLD_REACH = 64 };

typedef struct edge_table {
    const cm_vec3 *points;
    const uint32_t *corners;
    uint32_t point_count, triangle_count, half_edges;
    uint32_t *order;  /* half-edges, those of one edge together */
    uint32_t *sorted; /* the other half of the sort */
    uint32_t *counts; /* one more than points: counts of the sort, first duplicates, then the forest of open chains */
    uint8_t *marks;   /* by triangle */
} edge_table;

enum { MARK_REPEATED = 1, MARK_FOLDED = 2, MARK_DUPLICATE = 4 };

static uint32_t edge_from(const edge_table *t, uint32_t half_edge) { return t->corners[half_edge]; }
static uint32_t edge_to(const edge_table *t, uint32_t half_edge) {
    return t->corners[half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1];
}
static uint32_t edge_apex(const edge_table *t, uint32_t half_edge) {
    return t->corners[half_edge % 3 == 0 ? half_edge + 2 : half_edge - 1];
}
static uint32_t edge_low(const edge_table *t, uint32_t h) {
    uint32_t a = edge_from(t, h), b = edge_to(t, h);
    return a < b ? a : b;
}
static uint32_t edge_high(const edge_table *t, uint32_t h) {
    uint32_t a = edge_from(t, h), b = edge_to(t, h);
    return a > b ? a : b;
}

static void edge_sort_by(const edge_table *t, uint32_t (*key)(const edge_table *, uint32_t), const uint32_t *in,
                         uint32_t *out) {
    memset(t->counts, 0, ((size_t)t->point_count + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < t->half_edges; ++i) t->counts[key(t, in[i]) + 1] += 1;
    for (uint32_t p = 0; p < t->point_count; ++p) t->counts[p + 1] += t->counts[p];
    for (uint32_t i = 0; i < t->half_edges; ++i) out[t->counts[key(t, in[i])]++] = in[i];
}

static void edge_sort(edge_table *t) {
    t->half_edges = 0;
    for (uint32_t i = 0; i < t->triangle_count; ++i) {
        const uint32_t *c = t->corners + 3 * (size_t)i;
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) {
            t->marks[i] |= MARK_REPEATED;
            continue;
        }
        for (uint32_t e = 0; e < 3; ++e) t->order[t->half_edges++] = 3 * i + e;
    }
    edge_sort_by(t, edge_high, t->order, t->sorted);
    edge_sort_by(t, edge_low, t->sorted, t->order);
}

/* The end of the run of half-edges that share the edge of the one at `first`. */
static uint32_t edge_run(const edge_table *t, uint32_t first) {
    uint32_t end = first + 1;
    while (end < t->half_edges && edge_low(t, t->order[end]) == edge_low(t, t->order[first]) &&
           edge_high(t, t->order[end]) == edge_high(t, t->order[first]))
        ++end;
    return end;
}

/* --- folds and duplicates -------------------------------------------------------------------------------------- */

/* Do the triangles (a, b, c) and (a, b, d) lie in one plane, on the same side of ab? Exact. */
static bool edge_is_fold(cm__point a, cm__point b, cm__point c, cm__point d) {
    if (cm__orient3(a, b, c, d) != 0) return false;
    for (int axis = 0; axis < 3; ++axis) {
        int c_side = cm__orient2_along(axis, a, b, c), d_side = cm__orient2_along(axis, a, b, d);
        if (c_side != 0 && d_side != 0) return c_side == d_side;
    }
    return false; /* one of them has no area */
}

static cm__point edge_point(const edge_table *t, uint32_t number) { return cm__point_of(t->points[number]); }

static void edge_mark_folds(const edge_table *t, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; ++i) {
        uint32_t g = t->order[i], apex = edge_apex(t, g);
        for (uint32_t j = i + 1; j < end && j - i <= FOLD_REACH; ++j) {
            uint32_t h = t->order[j], other = edge_apex(t, h);
            if (apex == other) continue; /* a duplicate */
            if (edge_is_fold(edge_point(t, edge_from(t, g)), edge_point(t, edge_to(t, g)), edge_point(t, apex),
                             edge_point(t, other))) {
                t->marks[g / 3] |= MARK_FOLDED;
                t->marks[h / 3] |= MARK_FOLDED;
            }
        }
    }
}

/* A triangle's duplicates meet it at its edge with the two lowest points; there they are those with the same apex. A
 * stable sort of the run by apex would do; instead `counts` remembers by apex who was first, so a fan costs its length.
 */
static void edge_mark_duplicates(const edge_table *t, uint32_t first, uint32_t end) {
    if (end - first < 2) return;
    for (uint32_t i = first; i < end; ++i) t->counts[edge_apex(t, t->order[i])] = CM_NONE;
    for (uint32_t i = first; i < end; ++i) {
        uint32_t h = t->order[i], apex = edge_apex(t, h);
        if (apex < edge_high(t, h)) continue; /* not the edge of the two lowest */
        if (t->counts[apex] == CM_NONE) {
            t->counts[apex] = h;
        } else {
            t->marks[h / 3] |= MARK_DUPLICATE;
        }
    }
}

/* --- chains of open edges -------------------------------------------------------------------------------------- */

static uint32_t edge_root(uint32_t *parent, uint32_t p) {
    while (parent[p] != p) {
        parent[p] = parent[parent[p]];
        p = parent[p];
    }
    return p;
}

/* A forest over the points, in the room of the sort. */
static uint32_t edge_count_holes(edge_table *t) {
    uint32_t *parent = t->counts, holes = 0;
    for (uint32_t p = 0; p < t->point_count; ++p) parent[p] = CM_NONE;
    for (uint32_t i = 0, end; i < t->half_edges; i = end) {
        end = edge_run(t, i);
        if (end - i != 1) continue;
        uint32_t ends[2] = {edge_from(t, t->order[i]), edge_to(t, t->order[i])};
        for (int k = 0; k < 2; ++k) {
            if (parent[ends[k]] != CM_NONE) continue;
            parent[ends[k]] = ends[k];
            ++holes;
        }
        uint32_t a = edge_root(parent, ends[0]), b = edge_root(parent, ends[1]);
        if (a == b) continue;
        parent[a > b ? a : b] = a > b ? b : a;
        --holes;
    }
    return holes;
}

/* --- the runs ---------------------------------------------------------------------------------------------------- */

static void edge_visit(edge_table *t, uint32_t first, uint32_t end, uint32_t *neighbors, cm_mesh_info *info,
                       uint32_t *open_triangle) {
    uint32_t forward = 0, size = end - first;
    for (uint32_t i = first; i < end; ++i) forward += edge_from(t, t->order[i]) == edge_low(t, t->order[i]);
    uint32_t backward = size - forward;
    info->edges += 1;
    info->open_edges += size == 1;
    info->nonmanifold_edges += size > 2;
    info->inconsistent_edges += size == 2 && forward != 1;
    if (forward != backward && *open_triangle == CM_NONE) *open_triangle = t->order[first] / 3;
    if (size == 2 && forward == 1) {
        neighbors[t->order[first]] = t->order[first + 1];
        neighbors[t->order[first + 1]] = t->order[first];
    }
    edge_mark_folds(t, first, end);
    edge_mark_duplicates(t, first, end);
}

static void edge_report(edge_table *t, uint32_t *neighbors, cm_mesh_info *info, uint32_t *open_triangle) {
    for (size_t i = 0; i < 3 * (size_t)t->triangle_count; ++i) neighbors[i] = CM_NONE;
    *open_triangle = CM_NONE;
    for (uint32_t i = 0, end; i < t->half_edges; i = end) {
        end = edge_run(t, i);
        edge_visit(t, i, end, neighbors, info, open_triangle);
    }
    for (uint32_t i = 0; i < t->triangle_count; ++i) {
        const uint32_t *c = t->corners + 3 * (size_t)i;
        info->degenerate += (t->marks[i] & MARK_REPEATED) ||
                            cm__triangle_is_degenerate(edge_point(t, c[0]), edge_point(t, c[1]), edge_point(t, c[2]));
        info->folded += (t->marks[i] & MARK_FOLDED) != 0;
        info->duplicate += (t->marks[i] & MARK_DUPLICATE) != 0;
    }
    info->closed = *open_triangle == CM_NONE;
    info->holes = edge_count_holes(t);
}

cm_status cm__mesh_edges(const cm_vec3 *points, uint32_t point_count, const uint32_t *corners, uint32_t triangle_count,
                         const cm_allocator *mem, uint32_t *neighbors, cm_mesh_info *info, uint32_t *open_triangle) {
    edge_table t;
    memset(&t, 0, sizeof t);
    t.points = points, t.corners = corners, t.point_count = point_count, t.triangle_count = triangle_count;
    size_t half_edges = 3 * (size_t)triangle_count;
    t.order = cm__alloc(mem, half_edges, sizeof(uint32_t));
    t.sorted = cm__alloc(mem, half_edges, sizeof(uint32_t));
    t.counts = cm__alloc(mem, (size_t)point_count + 1, sizeof(uint32_t));
    t.marks = cm__alloc(mem, triangle_count, sizeof(uint8_t));
    bool ok = t.order && t.sorted && t.counts && t.marks;
    if (ok) {
        memset(t.marks, 0, triangle_count);
        edge_sort(&t);
        edge_report(&t, neighbors, info, open_triangle);
    }
    cm__free(mem, t.marks, triangle_count, sizeof(uint8_t));
    cm__free(mem, t.counts, (size_t)point_count + 1, sizeof(uint32_t));
    cm__free(mem, t.sorted, half_edges, sizeof(uint32_t));
    cm__free(mem, t.order, half_edges, sizeof(uint32_t));
    return ok ? CM_OK : CM_NO_MEMORY;
}

/* --- components -------------------------------------------------------------------------------------------------- */

uint32_t cm__mesh_join(const uint32_t *corners, uint32_t triangle_count, uint32_t *scratch, uint32_t point_count,
                       uint32_t *components) {
    for (uint32_t p = 0; p < point_count; ++p) scratch[p] = p;
    for (uint32_t i = 0; i < triangle_count; ++i) {
        const uint32_t *c = corners + 3 * (size_t)i;
        uint32_t root = edge_root(scratch, c[0]);
        for (int k = 1; k < 3; ++k) {
            uint32_t other = edge_root(scratch, c[k]);
            scratch[other > root ? other : root] = other > root ? root : other;
            root = other > root ? root : other;
        }
    }
    /* number the roots in the order of the first triangle; a number replaces its root once all were looked up */
    uint32_t count = 0;
    for (uint32_t i = 0; i < triangle_count; ++i) components[i] = edge_root(scratch, corners[3 * (size_t)i]);
    for (uint32_t p = 0; p < point_count; ++p) scratch[p] = CM_NONE;
    for (uint32_t i = 0; i < triangle_count; ++i) {
        uint32_t root = components[i];
        if (scratch[root] == CM_NONE) scratch[root] = count++;
        components[i] = scratch[root];
    }
    return count;
}
