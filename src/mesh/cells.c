/* How often a solid mesh winds around the points of a cell, for the cells of a grid over its bounds that no triangle
 * comes near: around them it winds everywhere alike, so that one exact answer serves them all.
 *
 * The cell of a coordinate is given by one monotone function, of points and of the tree's boxes alike: what lies
 * between two coordinates of a box lies between their cells, however they were rounded. So a cell that no box reaches
 * holds no point of a triangle, nor do two such cells side by side: one winds as the other, and only a cell without
 * such a neighbor before it is asked for.
 *
 * Bound: each box of the tree at most once, a row of cells at a time, and a winding for some of the cells. */
#include "mesh/kernel.h"

enum { CELLS_MOST = 48, CELLS_LEAST = 4, CELLS_SHARE = 2 /* triangles a cell */ };

uint32_t cm__mesh_cell_rows(uint32_t triangles) {
    uint32_t n = 1;
    while (n < CELLS_MOST && (uint64_t)(n + 1) * (n + 1) * (n + 1) * CELLS_SHARE <= triangles) ++n;
    return n < CELLS_LEAST ? 0 : n;
}

void cm__mesh_fit_cells(cm_mesh *mesh) {
    const cm_vec3 size = cm_sub(mesh->info.bounds.max, mesh->info.bounds.min);
    const double sizes[3] = {(double)size.x, (double)size.y, (double)size.z};
    for (int k = 0; k < 3; ++k) mesh->cells_per[k] = sizes[k] > 0 ? (double)mesh->cell_rows / sizes[k] : 0;
}

/* The cells that a box of the tree reaches into, widened by what its way out of the tree's units may round. */
typedef struct cells_range {
    uint32_t from[3], to[3];
} cells_range;

static cells_range cells_of_box(const cm_mesh *mesh, const cm__bvh_node *node, uint32_t lane) {
    cells_range r;
    for (int k = 0; k < 3; ++k) {
        const double center = (double)node->center[k][lane], half = (double)node->half[k][lane], unit = 1 / mesh->scale;
        const double pad = 0x1p-48 * (fabs(mesh->origin[k]) + unit);
        r.from[k] = cm__mesh_cell(mesh, k, mesh->origin[k] + (center - half) * unit - pad);
        r.to[k] = cm__mesh_cell(mesh, k, mesh->origin[k] + (center + half) * unit + pad);
    }
    return r;
}

/* Of the cells in a row: those of a range. */
static uint64_t cells_row(const cells_range *r) { return (UINT64_C(2) << r->to[0]) - (UINT64_C(1) << r->from[0]); }

/* Is there nothing left to mark? */
static bool cells_are_mixed(const cells_range *r, uint64_t mixed[CELLS_MOST][CELLS_MOST]) {
    const uint64_t row = cells_row(r);
    for (uint32_t z = r->from[2]; z <= r->to[2]; ++z)
        for (uint32_t y = r->from[1]; y <= r->to[1]; ++y)
            if ((mixed[z][y] & row) != row) return false;
    return true;
}

/* Bit x of mixed[z][y]: a box reaches into the cell x, y, z. */
static void cells_mark(const cm_mesh *mesh, uint64_t mixed[CELLS_MOST][CELLS_MOST]) {
    const cm__bvh tree = cm__mesh_tree(mesh);
    uint32_t stack[CM__BVH_STACK];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const uint32_t slot = stack[--top], lane = slot % 4;
        const cm__bvh_node *node = &tree.nodes[slot / 4];
        if (node->half[0][lane] < 0) continue;
        const cells_range r = cells_of_box(mesh, node, lane);
        if (cells_are_mixed(&r, mixed)) continue;
        const bool one = r.from[0] == r.to[0] && r.from[1] == r.to[1] && r.from[2] == r.to[2];
        if (!one && node->count[lane] == 0) {
            for (uint32_t i = 4; i-- > 0;) stack[top++] = 4 * node->child[lane] + i;
            continue;
        }
        const uint64_t row = cells_row(&r);
        for (uint32_t z = r.from[2]; z <= r.to[2]; ++z)
            for (uint32_t y = r.from[1]; y <= r.to[1]; ++y) mixed[z][y] |= row;
    }
}

/* By one of its points; MIXED where that is hard to find, or the number too large for a cell. */
static int8_t cells_ask(const cm_mesh *mesh, const uint32_t at[3]) {
    const cm_vec3 low = mesh->info.bounds.min;
    const double from[3] = {(double)low.x, (double)low.y, (double)low.z};
    cm_real p[3];
    for (int k = 0; k < 3; ++k) {
        p[k] = (cm_real)(from[k] + (mesh->cells_per[k] > 0 ? ((double)at[k] + 0.5) / mesh->cells_per[k] : 0));
        if (cm__mesh_cell(mesh, k, (double)p[k]) != at[k]) return CM__MESH_MIXED;
    }
    cm__mesh_ray_job job;
    cm__mesh_ask_winding(cm_v(p[0], p[1], p[2]), &job);
    cm__mesh_kernel_get()->ray(mesh, job.origin, job.direction, &job);
    return (int8_t)(job.found || job.turns > 100 || job.turns < -100 ? CM__MESH_MIXED : job.turns);
}

void cm__mesh_fill_cells(const cm_mesh *mesh, int8_t *cells) {
    const uint32_t n = mesh->cell_rows;
    if (n == 0) return;
    uint64_t mixed[CELLS_MOST][CELLS_MOST] = {{0}};
    cells_mark(mesh, mixed);
    int8_t *cell = cells;
    uint32_t at[3];
    for (at[2] = 0; at[2] < n; ++at[2])
        for (at[1] = 0; at[1] < n; ++at[1])
            for (at[0] = 0; at[0] < n; ++at[0], ++cell) {
                const uint64_t bit = UINT64_C(1) << at[0];
                if (mixed[at[2]][at[1]] & bit)
                    *cell = CM__MESH_MIXED;
                else if (at[0] > 0 && !(mixed[at[2]][at[1]] & bit >> 1))
                    *cell = cell[-1];
                else if (at[1] > 0 && !(mixed[at[2]][at[1] - 1] & bit))
                    *cell = *(cell - n);
                else if (at[2] > 0 && !(mixed[at[2] - 1][at[1]] & bit))
                    *cell = *(cell - (size_t)n * n);
                else
                    *cell = cells_ask(mesh, at);
            }
}
