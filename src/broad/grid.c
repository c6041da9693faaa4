/* The grid: columns over two axes, made anew at every update from wherever things are now. So nothing decays, a
 * teleport costs what a step costs, and the world has no bounds. */
#include "broad/columns.h"

static cm_status grid_update(cm_broad *b) {
    cm__columns *c = b->state;
    if (!c->started) cm__columns_start(c, b->mem, b->tasks, b->desc.cell);
    cm__box_source source = {b->boxes, b->ids, b->flags, b->slot_count};
    return cm__columns_fill(c, &source);
}

static cm_status grid_pairs(cm_broad *b, cm__pair_sink *sink) {
    size_t from = sink->count;
    cm_status status = cm__columns_pairs(b->state, sink);
    if (status == CM_OK && b->filtered_count) cm__sink_filter(b, sink, from);
    return status;
}

static void grid_clear(cm_broad *b) {
    cm__columns *c = b->state;
    c->copies = c->grid.columns = c->age = 0;
}

static void grid_destroy(cm_broad *b) { cm__columns_free(b->state); }

static cm_real grid_edge(const cm__column_grid *g, int k, int cell) {
    if (cell <= 0) return -CM_REAL_MAX;
    if (cell >= g->cells[k] || !(g->scale[k] > 0)) return CM_REAL_MAX;
    return g->origin[k] + (cm_real)cell / g->scale[k];
}

static void set_axis(cm_aabb *box, int axis, cm_real lo, cm_real hi) {
    (&box->min.x)[axis] = lo;
    (&box->max.x)[axis] = hi;
}

/* A box that holds what of the column's members lies in it: the cell, a little grown for rounding. */
static cm_aabb column_box(const cm__column_grid *g, int u, int v) {
    const int at[2] = {u, v}, axes[2] = {g->u, g->v};
    cm_aabb box;
    set_axis(&box, g->w, -CM_REAL_MAX, CM_REAL_MAX);
    for (int k = 0; k < 2; ++k) {
        cm_real lo = grid_edge(g, k, at[k]), hi = grid_edge(g, k, at[k] + 1);
        cm_real slack =
            (cm_abs(g->origin[k]) + (g->scale[k] > 0 ? (cm_real)g->cells[k] / g->scale[k] : 0)) * 8 * CM_REAL_EPSILON;
        if (lo > -CM_REAL_MAX) lo -= slack;
        if (hi < CM_REAL_MAX) hi += slack;
        set_axis(&box, axes[k], lo, hi);
    }
    return box;
}

typedef struct grid_range {
    int u0, u1, v0, v1;
} grid_range;

/* Shows a column's members; those that began in an earlier column of the range are left to it, unless repeats are fine.
 */
static bool column_visit(const cm__columns *c, cm__visitor *v, const grid_range *range, int i, int j) {
    const cm__column_grid *g = &c->grid;
    uint32_t count;
    const cm__record *records = cm__column_at(c, (uint32_t)(j * g->cells[0] + i), &count);
    const cm_real lo = (&v->reach.min.x)[g->w], hi = (&v->reach.max.x)[g->w];
    uint32_t earlier = v->repeats ? 0 : (uint32_t)(i > range->u0) | (uint32_t)(j > range->v0) << 1;
    for (uint32_t n = 0; n < count; ++n) {
        const cm__record *r = &records[n];
        if (r->drop & earlier || r->lo[g->w] > hi || r->hi[g->w] < lo) continue;
        if (!cm__visit(v, r->id & CM__SLOT_MASK)) return false;
    }
    return true;
}

/* All columns within the reach. Where repeats are fine, the one nearest to the query goes first, so that its limit
 * shrinks, and those beyond the limit are skipped. */
static void grid_visit(const cm_broad *b, cm__visitor *v) {
    const cm__columns *c = b->state;
    const cm__column_grid *g = &c->grid;
    if (!c->copies) return;
    const cm_real *lo = &v->reach.min.x, *hi = &v->reach.max.x;
    const grid_range range = {cm__grid_cell(g, 0, lo[g->u]), cm__grid_cell(g, 0, hi[g->u]),
                              cm__grid_cell(g, 1, lo[g->v]), cm__grid_cell(g, 1, hi[g->v])};
    const int width = range.u1 - range.u0 + 1, cells = width * (range.v1 - range.v0 + 1);
    if (v->repeats && cells > 1) {
        double best = 0;
        int nearest = -1;
        for (int k = 0; k < cells; ++k) {
            cm_aabb box = column_box(g, range.u0 + k % width, range.v0 + k / width);
            double bound = v->bound(v, &box);
            if (nearest < 0 || bound < best) best = bound, nearest = k;
        }
        if (!column_visit(c, v, &range, range.u0 + nearest % width, range.v0 + nearest / width)) return;
    }
    for (int k = 0; k < cells; ++k) {
        int i = range.u0 + k % width, j = range.v0 + k / width;
        if (v->repeats && cells > 1) {
            cm_aabb box = column_box(g, i, j);
            if (!(v->bound(v, &box) <= v->limit)) continue;
        }
        if (!column_visit(c, v, &range, i, j)) return;
    }
}

static void grid_walk(const cm_broad *b, cm_broad_walk_fn fn, void *context) {
    const cm__columns *c = b->state;
    cm_aabb all = cm_aabb_empty();
    for (uint32_t s = 0; s < b->slot_count; ++s) {
        if (cm__is_member(b, s)) all = cm_aabb_union(all, b->boxes[s]);
    }
    if (!c->copies || !fn(context, &all, 0, b->live_count - b->unbounded_count) || c->grid.columns == 1) return;
    for (uint32_t k = 0; k < c->grid.columns; ++k) {
        uint32_t count;
        cm__column_at(c, k, &count);
        if (!count) continue;
        cm_aabb box = column_box(&c->grid, (int)k % c->grid.cells[0], (int)k / c->grid.cells[0]);
        box.min = cm_vec3_max(box.min, all.min), box.max = cm_vec3_min(box.max, all.max);
        if (!fn(context, &box, 1, count)) return;
    }
}

static void grid_stats(const cm_broad *b, cm_broad_stats *out) {
    const cm__columns *c = b->state;
    out->nodes = c->grid.columns;
    out->depth = c->deepest + 1;
    out->bytes += cm__columns_bytes(c);
}

const cm__broad_ops cm__broad_grid = {
    .kind = CM_BROAD_GRID,
    .state_size = sizeof(cm__columns),
    .destroy = grid_destroy,
    .clear = grid_clear,
    .update = grid_update,
    .pairs = grid_pairs,
    .visit = grid_visit,
    .walk = grid_walk,
    .stats = grid_stats,
};
