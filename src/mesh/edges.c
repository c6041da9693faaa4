/* What meets at the edges: adjacency, and the report on open, non-manifold and inconsistent edges, duplicates, folds,
 * holes.
 *
 * Half-edges are counted out to their point of the lower number, and there sorted by the other one, so every edge is a
 * run of them in the order of their triangles. Cost: O(points + triangles), and a fan of m triangles m log m.
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
    uint32_t point_count, triangle_count;
    uint64_t *edges;       /* higher point << 32 | half-edge: ordered as numbers */
    uint32_t *ends;        /* by point: where the edges end that it is the lower of; they begin where the last's end */
    uint32_t *points_seen; /* by point: first duplicates, then the forest of open chains */
    uint8_t *marks;        /* by triangle */
} edge_table;

enum { MARK_REPEATED = 1, MARK_FOLDED = 2, MARK_DUPLICATE = 4 };

static uint32_t edge_half(uint64_t edge) { return (uint32_t)edge; }
static uint32_t edge_high(uint64_t edge) { return (uint32_t)(edge >> 32); }
static uint32_t edge_from(const edge_table *t, uint32_t half_edge) { return t->corners[half_edge]; }
static uint32_t edge_to(const edge_table *t, uint32_t half_edge) {
    return t->corners[half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1];
}
static uint32_t edge_apex(const edge_table *t, uint32_t half_edge) {
    return t->corners[half_edge % 3 == 0 ? half_edge + 2 : half_edge - 1];
}

static void edge_sift(uint64_t *edges, uint32_t root, uint32_t count) {
    uint64_t value = edges[root];
    for (uint32_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && edges[child + 1] > edges[child]) ++child;
        if (edges[child] <= value) break;
        edges[root] = edges[child];
    }
    edges[root] = value;
}

/* Few by insertion, others as a heap. No two are equal. */
static void edge_sort(uint64_t *edges, uint32_t count) {
    if (count <= 32) {
        for (uint32_t i = 1; i < count; ++i) {
            uint64_t value = edges[i];
            uint32_t at = i;
            for (; at > 0 && value < edges[at - 1]; --at) edges[at] = edges[at - 1];
            edges[at] = value;
        }
        return;
    }
    for (uint32_t root = count / 2; root-- > 0;) edge_sift(edges, root, count);
    for (uint32_t end = count - 1; end > 0; --end) {
        uint64_t last = edges[end];
        edges[end] = edges[0], edges[0] = last;
        edge_sift(edges, 0, end);
    }
}

/* Counts the half-edges out to their lower points. */
static void edge_gather(edge_table *t) {
    memset(t->ends, 0, t->point_count * sizeof *t->ends);
    for (uint32_t i = 0; i < t->triangle_count; ++i) {
        const uint32_t *c = t->corners + 3 * (size_t)i;
        uint32_t a = c[0], b = c[1], d = c[2];
        if (a == b || b == d || d == a) {
            t->marks[i] |= MARK_REPEATED;
            continue;
        }
        t->ends[a < b ? a : b] += 1, t->ends[b < d ? b : d] += 1, t->ends[d < a ? d : a] += 1;
    }
    uint32_t sum = 0;
    for (uint32_t p = 0; p < t->point_count; ++p) {
        uint32_t count = t->ends[p];
        t->ends[p] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < t->triangle_count; ++i) {
        const uint32_t *c = t->corners + 3 * (size_t)i;
        if (t->marks[i] & MARK_REPEATED) continue;
        for (uint32_t e = 0; e < 3; ++e) {
            uint32_t a = c[e], b = c[e == 2 ? 0 : e + 1];
            t->edges[t->ends[a < b ? a : b]++] = (uint64_t)(a < b ? b : a) << 32 | (3 * i + e);
        }
    }
}

/* The end of the run that shares the edge at `first`, of those up to `last`. */
static uint32_t edge_run(const edge_table *t, uint32_t first, uint32_t last) {
    uint32_t end = first + 1;
    while (end < last && edge_high(t->edges[end]) == edge_high(t->edges[first])) ++end;
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

/* Do the triangles lie on different sides of their edge for certain, seen along it? The normals of a fold point the
 * same way; their product is a sum of 18 terms of four differences, each off by less than 40 roundings. */
static bool edge_is_spread(cm__point a, cm__point b, cm__point c, cm__point d) {
    cm__point u = cm__point_sub(b, a), v = cm__point_sub(c, a), w = cm__point_sub(d, a);
    double uu = cm__point_dot(u, u), uv = cm__point_dot(u, v), uw = cm__point_dot(u, w), vw = cm__point_dot(v, w);
    double v_size = fabs(v.x) + fabs(v.y) + fabs(v.z), w_size = fabs(w.x) + fabs(w.y) + fabs(w.z);
    return uu * vw - uv * uw < -(0x1p-46 * uu * v_size * w_size + 0x1p-960);
}

static void edge_mark_folds(const edge_table *t, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; ++i) {
        uint32_t g = edge_half(t->edges[i]), apex = edge_apex(t, g);
        cm__point a = edge_point(t, edge_from(t, g)), b = edge_point(t, edge_to(t, g)), c = edge_point(t, apex);
        for (uint32_t j = i + 1; j < end && j - i <= FOLD_REACH; ++j) {
            uint32_t h = edge_half(t->edges[j]), other = edge_apex(t, h);
            if (apex == other) continue; /* a duplicate */
            cm__point d = edge_point(t, other);
            if (!edge_is_spread(a, b, c, d) && edge_is_fold(a, b, c, d)) {
                t->marks[g / 3] |= MARK_FOLDED;
                t->marks[h / 3] |= MARK_FOLDED;
            }
        }
    }
}

/* A triangle's duplicates meet it at its edge with the two lowest points; there they are those with the same apex. A
 * stable sort of the run by apex would do; instead it is remembered by apex that there was one, so a fan costs its
 * length. */
static void edge_mark_duplicates(const edge_table *t, uint32_t first, uint32_t end) {
    const uint32_t high = edge_high(t->edges[first]);
    for (uint32_t i = first; i < end; ++i) t->points_seen[edge_apex(t, edge_half(t->edges[i]))] = 0;
    for (uint32_t i = first; i < end; ++i) {
        uint32_t h = edge_half(t->edges[i]), apex = edge_apex(t, h);
        if (apex < high) continue; /* not the edge of the two lowest */
        if (t->points_seen[apex]++ > 0) t->marks[h / 3] |= MARK_DUPLICATE;
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

static uint32_t edge_count_holes(edge_table *t) {
    uint32_t *parent = t->points_seen, holes = 0;
    for (uint32_t p = 0; p < t->point_count; ++p) parent[p] = CM_NONE;
    for (uint32_t low = 0, i = 0; low < t->point_count; ++low)
        for (uint32_t end; i < t->ends[low]; i = end) {
            end = edge_run(t, i, t->ends[low]);
            if (end - i != 1) continue;
            const uint32_t ends[2] = {low, edge_high(t->edges[i])};
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

static void edge_visit(edge_table *t, uint32_t low, uint32_t first, uint32_t end, uint32_t *neighbors,
                       cm_mesh_info *info, uint32_t *open_triangle) {
    uint32_t forward = 0, size = end - first;
    for (uint32_t i = first; i < end; ++i) forward += edge_from(t, edge_half(t->edges[i])) == low;
    info->edges += 1;
    info->open_edges += size == 1;
    info->nonmanifold_edges += size > 2;
    info->inconsistent_edges += size == 2 && forward != 1;
    if (2 * forward != size && *open_triangle == CM_NONE) *open_triangle = edge_half(t->edges[first]) / 3;
    if (size == 1) return;
    if (size == 2 && forward == 1) {
        uint32_t g = edge_half(t->edges[first]), h = edge_half(t->edges[first + 1]);
        neighbors[g] = h, neighbors[h] = g;
    }
    edge_mark_folds(t, first, end);
    edge_mark_duplicates(t, first, end);
}

static void edge_report(edge_table *t, uint32_t *neighbors, cm_mesh_info *info, uint32_t *open_triangle) {
    memset(neighbors, 0xff, 3 * (size_t)t->triangle_count * sizeof *neighbors); /* CM_NONE */
    *open_triangle = CM_NONE;
    for (uint32_t low = 0, i = 0; low < t->point_count; ++low) {
        edge_sort(t->edges + i, t->ends[low] - i);
        for (uint32_t end; i < t->ends[low]; i = end) {
            end = edge_run(t, i, t->ends[low]);
            edge_visit(t, low, i, end, neighbors, info, open_triangle);
        }
    }
    for (uint32_t i = 0; i < t->triangle_count; ++i) {
        const uint32_t *c = t->corners + 3 * (size_t)i;
        info->degenerate += (t->marks[i] & MARK_REPEATED) ||
                            cm__triangle_is_degenerate(edge_point(t, c[0]), edge_point(t, c[1]), edge_point(t, c[2]));
        info->folded += (t->marks[i] & MARK_FOLDED) != 0;
        info->duplicate += (t->marks[i] & MARK_DUPLICATE) != 0;
    }
    info->closed = *open_triangle == CM_NONE;
    info->holes = info->open_edges > 0 ? edge_count_holes(t) : 0;
}

cm_status cm__mesh_edges(const cm_vec3 *points, uint32_t point_count, const uint32_t *corners, uint32_t triangle_count,
                         const cm_allocator *mem, uint64_t *scratch, uint32_t *neighbors, cm_mesh_info *info,
                         uint32_t *open_triangle) {
    edge_table t;
    memset(&t, 0, sizeof t);
    t.points = points, t.corners = corners, t.point_count = point_count, t.triangle_count = triangle_count;
    t.edges = scratch;
    t.ends = cm__alloc(mem, point_count, sizeof(uint32_t));
    t.points_seen = cm__alloc(mem, point_count, sizeof(uint32_t));
    t.marks = cm__alloc(mem, triangle_count, sizeof(uint8_t));
    bool ok = t.ends && t.points_seen && t.marks;
    if (ok) {
        memset(t.marks, 0, triangle_count);
        edge_gather(&t);
        edge_report(&t, neighbors, info, open_triangle);
    }
    cm__free(mem, t.marks, triangle_count, sizeof(uint8_t));
    cm__free(mem, t.points_seen, point_count, sizeof(uint32_t));
    cm__free(mem, t.ends, point_count, sizeof(uint32_t));
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
