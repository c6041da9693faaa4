/* See refit.h. Children follow their parents, so from the last node to the first what is below is known. Boxes are the
 * least and greatest of the places themselves: nothing is rounded. */
#include "deform/refit.h"
#include "base/memory.h"

#include <string.h>

static void refit_boxes(cm__refit *r) {
    for (uint32_t n = r->mesh->node_count; n-- > 0;) {
        const cm__bvh_node *node = &r->nodes[n];
        for (uint32_t lane = 0; lane < 4; lane++) {
            cm_aabb box = cm_aabb_empty();
            const uint32_t child = node->child[lane], count = node->count[lane];
            if (node->half[0][lane] >= 0 && count == 0)
                for (uint32_t i = 0; i < 4; i++) box = cm_aabb_union(box, r->boxes[4 * (size_t)child + i]);
            for (uint32_t i = 0; i < count; i++)
                box = cm_aabb_union(box, cm__refit_box(r, r->corners + 3 * (size_t)r->numbers[child + i], 3));
            r->boxes[4 * (size_t)n + lane] = box;
        }
    }
}

/* Half-edges without a neighbor may share their edge with others: a table by the edge's ends, open addressing. */
typedef struct refit_edges {
    uint32_t *slots; /* half-edge + 1, or 0 */
    size_t size;     /* a power of two, at least twice what is put in */
} refit_edges;

static uint32_t refit_next_corner(uint32_t half_edge) { return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1; }

/* Is this the first half-edge between its ends? */
static bool refit_is_first(const cm__refit *r, refit_edges *edges, uint32_t half_edge) {
    const uint32_t p = r->corners[half_edge], q = r->corners[refit_next_corner(half_edge)];
    const uint32_t low = p < q ? p : q, high = p < q ? q : p;
    size_t at = (size_t)((low * UINT64_C(0x9e3779b97f4a7c15) + high) * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
    for (;; at++) {
        uint32_t *slot = &edges->slots[at & (edges->size - 1)];
        if (*slot == 0) {
            *slot = half_edge + 1;
            return true;
        }
        const uint32_t a = r->corners[*slot - 1], b = r->corners[refit_next_corner(*slot - 1)];
        if ((a == low && b == high) || (a == high && b == low)) return false;
    }
}

static cm_status refit_owners(cm__refit *r, const cm_allocator *mem) {
    const uint32_t triangles = r->mesh->info.triangles, *neighbors = cm__mesh_neighbors(r->mesh);
    const size_t points = r->mesh->info.points;
    size_t alone = 0;
    for (size_t h = 0; h < 3 * (size_t)triangles; h++) alone += neighbors[h] == CM_NONE;
    refit_edges edges = {NULL, 1};
    while (edges.size < 2 * alone + 1) edges.size *= 2;
    uint8_t *seen = cm__alloc(mem, points, 1);
    edges.slots = cm__alloc(mem, edges.size, sizeof *edges.slots);
    const bool ok = seen && edges.slots;
    if (ok) {
        memset(seen, 0, points);
        memset(edges.slots, 0, edges.size * sizeof *edges.slots);
    }
    for (uint32_t h = 0; ok && h < 3 * triangles; h++) {
        const uint32_t point = r->corners[h], k = h % 3;
        if (k == 0) r->own[h / 3] = 0;
        if (!seen[point]) r->own[h / 3] |= (uint8_t)(1u << k);
        seen[point] = 1;
        if (point == r->corners[refit_next_corner(h)]) continue;
        if (neighbors[h] == CM_NONE ? refit_is_first(r, &edges, h) : h < neighbors[h])
            r->own[h / 3] |= (uint8_t)(8u << k);
    }
    cm__free(mem, seen, points, 1);
    cm__free(mem, edges.slots, edges.size, sizeof *edges.slots);
    return ok ? CM_OK : CM_NO_MEMORY;
}

cm_status cm__refit_make(const cm_moving_mesh *moving, const cm_allocator *mem, cm__refit *out) {
    memset(out, 0, sizeof *out);
    const cm_mesh *mesh = moving->mesh;
    if (!mesh) return CM_INVALID;
    out->mesh = mesh;
    out->start = moving->start ? moving->start : cm__mesh_points(mesh);
    out->end = moving->end ? moving->end : cm__mesh_points(mesh);
    out->nodes = cm__mesh_tree(mesh).nodes;
    out->numbers = cm__mesh_numbers(mesh);
    out->corners = cm__mesh_corners(mesh);
    for (uint32_t i = 0; i < mesh->info.points; i++)
        if (!cm_vec3_is_valid(out->start[i]) || !cm_vec3_is_valid(out->end[i])) return CM_NOT_FINITE;
    out->boxes = cm__alloc(mem, 4 * (size_t)mesh->node_count, sizeof *out->boxes);
    out->own = cm__alloc(mem, mesh->info.triangles, 1);
    if (!out->boxes || !out->own) return CM_NO_MEMORY;
    refit_boxes(out);
    return refit_owners(out, mem);
}

void cm__refit_free(cm__refit *refit, const cm_allocator *mem) {
    if (!refit->mesh) return;
    cm__free(mem, refit->boxes, 4 * (size_t)refit->mesh->node_count, sizeof *refit->boxes);
    cm__free(mem, refit->own, refit->mesh->info.triangles, 1);
}
