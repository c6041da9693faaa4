/* What the edges join: adjacency, and the report on open, non-manifold and inconsistent edges, duplicates, folds,
 * holes.
 *
 * Half-edges are counted out to their point of the lower number, and there sorted by the other one, so every edge is a
 * run of them in the order of their triangles. Cost: O(points + triangles), and a fan of m triangles m log m.
 * Runs of two that cancel each other, which is what meshes are made of, only become neighbors here; whether such two
 * are duplicates or folded is seen where triangles are measured (facts.c). All others are looked at once more, in
 * order. Triangles with a repeated corner have no edges. Those with three collinear, distinct corners have: they close
 * the seams of T-shaped junctions, and their edges must be cancelled like all others for the mesh to be closed. */
#include "base/memory.h"
#include "base/tasks.h"
#include "math/exact.h"
#include "mesh/mesh.h"

#include <string.h>

/* How many triangles at one edge are compared with each other for folds; of larger fans only neighbors in the order of
 * the source this far apart, so that a fan of a million stays affordable. */
enum { FOLD_REACH = 64 };
enum { EDGE_FEW = 10 };

typedef struct edge_table {
    const cm_vec3 *points;
    const uint32_t *corners;
    uint32_t point_count, triangle_count;
    uint64_t *edges;       /* higher point << 32 | half-edge: ordered as numbers */
    uint32_t *ends;        /* by point: where the edges end that it is the lower of; they begin where the last's end */
    uint32_t *points_seen; /* by point: first duplicates, then the forest of open chains */
    uint8_t *marks;        /* by triangle */
    uint32_t *neighbors;
    struct edge_part *parts;
} edge_table;

enum { EDGE_PART = 4096 }; /* points whose edges are looked at together */

typedef struct edge_part {
    uint32_t edges, open, nonmanifold, inconsistent, open_triangle;
    bool odd; /* holds runs of more than one that are no pair of neighbors */
} edge_part;

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

/* Each goes to where as many are below it: no jump depends on the numbers. */
static void edge_sort_few(uint64_t *edges, uint32_t count) {
    uint64_t copy[EDGE_FEW];
    uint32_t rank[EDGE_FEW] = {0};
    for (uint32_t i = 0; i < count; ++i) copy[i] = edges[i];
    for (uint32_t i = 1; i < count; ++i) {
        uint32_t below = 0;
        for (uint32_t j = 0; j < i; ++j) {
            uint32_t less = copy[j] < copy[i];
            below += less, rank[j] += 1 - less;
        }
        rank[i] = below;
    }
    for (uint32_t i = 0; i < count; ++i) edges[rank[i]] = copy[i];
}

/* Few by rank, more by insertion, others as a heap. No two are equal. */
static void edge_sort(uint64_t *edges, uint32_t count) {
    if (count <= EDGE_FEW) {
        edge_sort_few(edges, count);
        return;
    }
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
        t->marks[i] = 0;
        if (a == b || b == d || d == a) {
            t->marks[i] |= CM__MESH_REPEATED;
            for (size_t e = 0; e < 3; ++e) t->neighbors[3 * (size_t)i + e] = CM_NONE;
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
        if (t->marks[i] & CM__MESH_REPEATED) continue;
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

static cm__point edge_point(const edge_table *t, uint32_t number) { return cm__point_of(t->points[number]); }

/* Do the triangles (a, b, c) and (a, b, d) lie in one plane, on the same side of ab? Exact. */
static bool edge_is_fold(cm__point a, cm__point b, cm__point c, cm__point d) {
    if (cm__orient3(a, b, c, d) != 0) return false;
    for (int axis = 0; axis < 3; ++axis) {
        int c_side = cm__orient2_along(axis, a, b, c), d_side = cm__orient2_along(axis, a, b, d);
        if (c_side != 0 && d_side != 0) return c_side == d_side;
    }
    return false; /* one of them has no area */
}

/* Do the triangles lie on different sides of their edge for certain, seen along it? The normals of a fold point the
 * same way; their product is a sum of 18 terms of four differences, each off by less than 40 roundings. */
static bool edge_is_spread(cm__point a, cm__point b, cm__point c, cm__point d) {
    cm__point u = cm__point_sub(b, a), v = cm__point_sub(c, a), w = cm__point_sub(d, a);
    double uu = cm__point_dot(u, u), uv = cm__point_dot(u, v), uw = cm__point_dot(u, w), vw = cm__point_dot(v, w);
    double v_size = fabs(v.x) + fabs(v.y) + fabs(v.z), w_size = fabs(w.x) + fabs(w.y) + fabs(w.z);
    return uu * vw - uv * uw < -(0x1p-46 * uu * v_size * w_size + 0x1p-960);
}

bool cm__mesh_is_folded(cm__point a, cm__point b, cm__point c, cm__point d) {
    return !edge_is_spread(a, b, c, d) && edge_is_fold(a, b, c, d);
}

static void edge_mark_folds(const edge_table *t, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; ++i) {
        uint32_t g = edge_half(t->edges[i]), apex = edge_apex(t, g);
        cm__point a = edge_point(t, edge_from(t, g)), b = edge_point(t, edge_to(t, g)), c = edge_point(t, apex);
        for (uint32_t j = i + 1; j < end && j - i <= FOLD_REACH; ++j) {
            uint32_t h = edge_half(t->edges[j]), other = edge_apex(t, h);
            if (apex == other) continue; /* a duplicate */
            cm__point d = edge_point(t, other);
            if (cm__mesh_is_folded(a, b, c, d)) {
                t->marks[g / 3] |= CM__MESH_FOLDED;
                t->marks[h / 3] |= CM__MESH_FOLDED;
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
        if (t->points_seen[apex]++ > 0) t->marks[h / 3] |= CM__MESH_DUPLICATE;
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

/* Of a run in which the directions do not cancel, or with more than two. */
static void edge_visit_odd(const edge_table *t, edge_part *part, uint32_t low, uint32_t first, uint32_t end) {
    uint32_t forward = 0, size = end - first;
    for (uint32_t i = first; i < end; ++i) {
        uint32_t h = edge_half(t->edges[i]);
        forward += edge_from(t, h) == low;
        t->neighbors[h] = CM_NONE;
    }
    part->open += size == 1;
    part->nonmanifold += size > 2;
    part->inconsistent += size == 2;
    part->odd = part->odd || size > 1;
    if (2 * forward != size && part->open_triangle == CM_NONE) part->open_triangle = edge_half(t->edges[first]) / 3;
}

static void edge_visit_part(void *arg, int index, int worker) {
    (void)worker;
    const edge_table *t = arg;
    edge_part part = {0, 0, 0, 0, CM_NONE, false};
    uint32_t low = (uint32_t)index * EDGE_PART,
             last = t->point_count - low < EDGE_PART ? t->point_count : low + EDGE_PART;
    for (uint32_t i = low > 0 ? t->ends[low - 1] : 0; low < last; ++low) {
        const uint32_t stop = t->ends[low];
        edge_sort(t->edges + i, stop - i);
        for (uint32_t end; i < stop; i = end) {
            end = edge_run(t, i, stop);
            part.edges += 1;
            uint32_t g = edge_half(t->edges[i]), h = edge_half(t->edges[end - 1]);
            if (end - i == 2 && edge_from(t, g) != edge_from(t, h)) {
                t->neighbors[g] = h, t->neighbors[h] = g;
            } else {
                edge_visit_odd(t, &part, low, i, end);
            }
        }
    }
    t->parts[index] = part;
}

/* Marks triangles of the runs that were put off. */
static void edge_mark_odd(const edge_table *t, uint32_t part) {
    uint32_t low = part * EDGE_PART, last = t->point_count - low < EDGE_PART ? t->point_count : low + EDGE_PART;
    for (uint32_t i = low > 0 ? t->ends[low - 1] : 0; low < last; ++low)
        for (uint32_t end; i < t->ends[low]; i = end) {
            end = edge_run(t, i, t->ends[low]);
            if (end - i == 1 || t->neighbors[edge_half(t->edges[i])] != CM_NONE) continue;
            edge_mark_folds(t, i, end);
            edge_mark_duplicates(t, i, end);
        }
}

static void edge_report(edge_table *t, uint32_t part_count, const cm_tasks *tasks, cm_mesh_info *info,
                        uint32_t *open_triangle) {
    cm__run(tasks, (int)part_count, edge_visit_part, t);
    *open_triangle = CM_NONE;
    for (uint32_t i = 0; i < part_count; ++i) {
        const edge_part *part = &t->parts[i];
        info->edges += part->edges;
        info->open_edges += part->open;
        info->nonmanifold_edges += part->nonmanifold;
        info->inconsistent_edges += part->inconsistent;
        if (*open_triangle == CM_NONE) *open_triangle = part->open_triangle;
        if (part->odd) edge_mark_odd(t, i);
    }
    info->closed = *open_triangle == CM_NONE;
    info->holes = info->open_edges > 0 ? edge_count_holes(t) : 0;
}

cm_status cm__mesh_edges(const cm_vec3 *points, uint32_t point_count, const uint32_t *corners, uint32_t triangle_count,
                         const cm_allocator *mem, const cm_tasks *tasks, uint64_t *scratch, uint32_t *neighbors,
                         uint8_t *marks, cm_mesh_info *info, uint32_t *open_triangle) {
    const uint32_t part_count = point_count / EDGE_PART + (point_count % EDGE_PART > 0);
    edge_table t;
    memset(&t, 0, sizeof t);
    t.points = points, t.corners = corners, t.point_count = point_count, t.triangle_count = triangle_count;
    t.edges = scratch, t.marks = marks, t.neighbors = neighbors;
    t.ends = cm__alloc(mem, point_count, sizeof(uint32_t));
    t.points_seen = cm__alloc(mem, point_count, sizeof(uint32_t));
    t.parts = cm__alloc(mem, part_count, sizeof(edge_part));
    bool ok = t.ends && t.points_seen && t.parts;
    if (ok) {
        edge_gather(&t);
        edge_report(&t, part_count, tasks, info, open_triangle);
    }
    cm__free(mem, t.parts, part_count, sizeof(edge_part));
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
