/* The grid: columns over two axes, made anew at every update from wherever things are now. So nothing decays, a
 * teleport costs what a step costs, and the world has no bounds. */
#include "broad/columns.h"
#include "math/axis.h"

static cm__columns *grid_columns(cm_broad *b) {
    cm__columns *c = b->state;
    if (!c->started) cm__columns_start(c, b->mem, b->tasks, b->desc.cell);
    return c;
}

static cm_status grid_update(cm_broad *b) {
    cm__columns *c = grid_columns(b);
    cm__box_source source = {{b->boxes, NULL}, b->ids, b->flags, b->slot_count, b->fixed_count, b->fixed_dirty, NULL};
    return cm__columns_fill(c, &source);
}

static cm_status grid_pairs(cm_broad *b, cm__pair_sink *sink) {
    size_t from = sink->count;
    if (b->around) { /* overlaps of those boxes are too many */
        cm_status status = grid_update(b);
        if (status != CM_OK) {
            b->reload = b->dirty = b->fixed_dirty = true;
            return status;
        }
        b->around = false;
    }
    cm_status status = cm__columns_pairs(b->state, sink);
    if (status == CM_OK && b->filtered_count) cm__sink_filter(b, sink, from);
    return status;
}

static void grid_clear(cm_broad *b) { cm__columns_clear(b->state); }

static void grid_destroy(cm_broad *b) { cm__columns_free(b->state); }

static cm_real grid_edge(const cm__column_grid *g, int k, int cell) {
    const int axis = k == 0 ? g->u : g->v;
    if (cell <= 0) return -CM_REAL_MAX;
    if (cell >= g->cells[k] || !(g->scale[axis] > 0)) return CM_REAL_MAX;
    /* The first number in the cell. */
    cm_real q = (cm_real)(g->base[axis] + (65536u * (uint32_t)cell + g->factor[axis] - 1u) / g->factor[axis]);
    return g->origin[axis] + q / g->scale[axis];
}

static void set_axis(cm_aabb *box, int axis, cm_real lo, cm_real hi) {
    vec3_reals_of(&box->min)[axis] = lo;
    vec3_reals_of(&box->max)[axis] = hi;
}

/* A box that holds what of the column's members lies in it: the cell, a little grown for rounding. */
static cm_aabb column_box(const cm__column_grid *g, int u, int v) {
    const int at[2] = {u, v}, axes[2] = {g->u, g->v};
    cm_aabb box;
    set_axis(&box, g->w, -CM_REAL_MAX, CM_REAL_MAX);
    for (int k = 0; k < 2; ++k) {
        const cm_real scale = g->scale[axes[k]];
        cm_real lo = grid_edge(g, k, at[k]), hi = grid_edge(g, k, at[k] + 1);
        cm_real slack =
            (cm_abs(g->origin[axes[k]]) + (scale > 0 ? (cm_real)CM__HIGHEST / scale : 0)) * 8 * CM_REAL_EPSILON;
        if (lo > -CM_REAL_MAX) lo -= slack;
        if (hi < CM_REAL_MAX) hi += slack;
        set_axis(&box, axes[k], lo, hi);
    }
    return box;
}

/* The columns that a query reaches, and what it reaches in numbers. */
typedef struct grid_range {
    int u0, u1, v0, v1;
    uint32_t lo[3], hi[3];
} grid_range;

enum { GRID_SHOWN = 8 /* looking at a box itself, or at a column's, costs what looking at so many records costs */ };

/* Shows a column's members; those that began in an earlier column of the range are left to it, unless repeats are fine.
 */
static bool records_visit(const cm__column_grid *g, const cm__record *records, uint32_t count, cm__visitor *v,
                          const grid_range *range, int i, int j) {
    v->looks += count;
    const bool leave_u = !v->repeats && i > range->u0, leave_v = !v->repeats && j > range->v0;
    for (uint32_t n = 0; n < count; ++n) {
        const cm__record *r = &records[n];
        bool far = false;
        for (int a = 0; a < 3; ++a) far |= (r->lo[a] >= range->hi[a]) | (r->hi[a] < range->lo[a]);
        if (far || (leave_u && !r->lo[g->u]) || (leave_v && !r->lo[g->v])) continue;
        v->looks += GRID_SHOWN;
        if (!cm__visit(v, r->id & CM__SLOT_MASK)) return false;
    }
    return true;
}

/* Does the bound tell that none of the records that begin in this column is met? By the box around them: for bounds
 * that say nothing of a box with only parts of members. */
static bool records_are_out(const cm__column_grid *g, const cm__record *records, uint32_t count, cm__visitor *v) {
    uint32_t lo[3] = {CM__HIGHEST, CM__HIGHEST, CM__HIGHEST}, hi[3] = {0, 0, 0};
    v->looks += count;
    for (uint32_t n = 0; n < count; ++n) {
        const cm__record *r = &records[n];
        if (!r->lo[g->u] || !r->lo[g->v]) continue;
        for (int a = 0; a < 3; ++a) {
            lo[a] = r->lo[a] < lo[a] ? r->lo[a] : lo[a];
            hi[a] = r->hi[a] > hi[a] ? r->hi[a] : hi[a];
        }
    }
    if (!hi[0]) return true;
    cm_aabb box;
    for (int a = 0; a < 3; ++a) {
        if (!(g->scale[a] > 0)) return false;
        const cm_real slack = (cm_abs(g->origin[a]) + (cm_real)CM__HIGHEST / g->scale[a]) * 8 * CM_REAL_EPSILON;
        bool below = lo[a] < CM__LOWEST, above = hi[a] >= CM__HIGHEST; /* numbers that stand for all beyond them */
        set_axis(&box, a, below ? -CM_REAL_MAX : g->origin[a] + (cm_real)lo[a] / g->scale[a] - slack,
                 above ? CM_REAL_MAX : g->origin[a] + (cm_real)(hi[a] + 1) / g->scale[a] + slack);
    }
    return !(v->bound(v, &box) <= v->limit);
}

static bool column_visit(const cm__columns *c, cm__visitor *v, const grid_range *range, int i, int j) {
    const cm__column_grid *g = &c->grid;
    const cm__column_set *const sets[] = {&c->moving, &c->fixed};
    for (int s = 0; s < 2; ++s) {
        if (!sets[s]->copies) continue;
        for (uint32_t chunk = 0; chunk < sets[s]->chunks; ++chunk) {
            uint32_t count;
            const cm__record *records = cm__column_at(sets[s], chunk, (uint32_t)(j * g->cells[0] + i), &count);
            if (v->whole && !v->repeats && count > 1 && records_are_out(g, records, count, v)) continue;
            if (!records_visit(g, records, count, v, range, i, j)) return false;
        }
    }
    return true;
}

enum { GRID_NEAR = 64 /* columns that are put in order */ };

/* A column and how near it may be. */
typedef struct grid_near {
    double bound;
    int cell;
} grid_near;

static bool near_before(grid_near a, grid_near b) {
    return a.bound < b.bound || (a.bound == b.bound && a.cell < b.cell);
}

static void range_numbers(const cm__column_grid *g, const cm_aabb *reach, grid_range *range) {
    for (int a = 0; a < 3; ++a) {
        range->lo[a] = cm__grid_number(g, a, vec3_reals(&reach->min)[a]);
        range->hi[a] = cm__grid_number(g, a, vec3_reals(&reach->max)[a]);
    }
}

/* Cell k of the range: those of its members that overlap what the query reaches within it. */
static bool column_visit_clipped(const cm__columns *c, cm__visitor *v, const grid_range *range, int k) {
    const int width = range->u1 - range->u0 + 1, i = range->u0 + k % width, j = range->v0 + k / width;
    if (!v->clip) return column_visit(c, v, range, i, j);
    grid_range clipped = *range;
    cm_aabb reach, box = column_box(&c->grid, i, j);
    v->clip(v, &box, &reach);
    range_numbers(&c->grid, &reach, &clipped);
    return column_visit(c, v, &clipped, i, j);
}

/* Where repeats are fine: the nearest columns first, so that the limit shrinks early, then the others as they come;
 * those beyond the limit are skipped. */
static void grid_visit_near(const cm__columns *c, cm__visitor *v, const grid_range *range, int cells) {
    const int width = range->u1 - range->u0 + 1;
    grid_near near[GRID_NEAR];
    int count = 0;
    for (int k = 0; k < cells; ++k) {
        cm_aabb box = column_box(&c->grid, range->u0 + k % width, range->v0 + k / width);
        const grid_near here = {v->bound(v, &box), k};
        if (!(here.bound <= v->limit) || (count == GRID_NEAR && !near_before(here, near[count - 1]))) continue;
        int at = count < GRID_NEAR ? count++ : count - 1;
        for (; at > 0 && near_before(here, near[at - 1]); --at) near[at] = near[at - 1];
        near[at] = here;
    }
    v->looks += GRID_SHOWN * (uint64_t)cells;
    for (int i = 0; i < count; ++i) {
        if (!(near[i].bound <= v->limit)) return; /* nor are those behind it */
        if (!column_visit_clipped(c, v, range, near[i].cell)) return;
    }
    for (int k = 0; count == GRID_NEAR && k < cells; ++k) {
        cm_aabb box = column_box(&c->grid, range->u0 + k % width, range->v0 + k / width);
        const grid_near here = {v->bound(v, &box), k};
        if (!(here.bound <= v->limit) || !near_before(near[count - 1], here)) continue;
        if (!column_visit_clipped(c, v, range, k)) return;
    }
}

/* All columns within the reach. */
static void grid_visit(const cm_broad *b, cm__visitor *v) {
    const cm__columns *c = b->state;
    const cm__column_grid *g = &c->grid;
    if (!g->columns) return;
    grid_range range;
    range_numbers(g, &v->reach, &range);
    range.u0 = (int)cm__grid_cell(g, g->u, range.lo[g->u]), range.u1 = (int)cm__grid_cell(g, g->u, range.hi[g->u]);
    range.v0 = (int)cm__grid_cell(g, g->v, range.lo[g->v]), range.v1 = (int)cm__grid_cell(g, g->v, range.hi[g->v]);
    const int width = range.u1 - range.u0 + 1, cells = width * (range.v1 - range.v0 + 1);
    if (v->repeats && !v->whole && cells > 1) {
        grid_visit_near(c, v, &range, cells);
        return;
    }
    for (int k = 0; k < cells; ++k) {
        if (!column_visit(c, v, &range, range.u0 + k % width, range.v0 + k / width)) return;
    }
}

static void grid_walk(const cm_broad *b, cm_broad_walk_fn fn, void *context) {
    const cm__columns *c = b->state;
    cm_aabb all = cm_aabb_empty();
    for (uint32_t s = 0; s < b->slot_count; ++s) {
        if (cm__is_member(b, s)) all = cm_aabb_union(all, b->boxes[s]);
    }
    if (!c->grid.columns || !fn(context, &all, 0, b->live_count - b->unbounded_count) || c->grid.columns == 1) return;
    for (uint32_t k = 0; k < c->grid.columns; ++k) {
        uint32_t count = cm__column_count(&c->moving, k) + (c->fixed.copies ? cm__column_count(&c->fixed, k) : 0);
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
    .columns = grid_columns,
};
