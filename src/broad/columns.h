/* Columns: a grid over two axes, in each of whose cells the boxes are sorted along the third and swept.
 *
 * Guarantees: every overlapping pair once; the order depends on the boxes alone, not on threads or instruction set.
 *
 * A box is copied into every column that it meets, so that a column's work touches only a short run of memory. Two
 * boxes may meet in several columns: the pair counts in the one that holds the lower corner of what they share, which
 * is the one where, on each of the two axes, at least one of both begins. A copy carries a drop bit for each axis on
 * which it began in an earlier column; pairs with a common drop bit are not counted. Columns that hold much more than
 * it takes are divided again by a grid of their own, with drop bits of their own, to a bounded depth: clusters and very
 * different sizes then cost what they would alone.
 *
 * Cells are clamped at the border, so the world has no bounds; what lies outside the grid is only slower.
 *
 * Based on: [Dittrich00] the corner that reports, so that copies do not; [Tracy09] one axis sorted, the others tested.
 */
#ifndef BROAD_COLUMNS_H
#define BROAD_COLUMNS_H

#include "broad/broad.h"
#include "broad/kernel.h"

enum {
    CM__COLUMNS_MOST = 4096, /* of one grid: as many write streams as the caches stand */
    CM__COLUMNS_DEPTH = 3    /* grids within grids */
};

/* Where boxes come from: an array, with or without ids (else the index) and flags (only members count). */
typedef struct cm__box_source {
    const cm_aabb *boxes;
    const uint32_t *ids;
    const uint8_t *flags;
    uint32_t count;
} cm__box_source;

/* Which column a box begins and ends in. Axis w is the one sorted along. */
typedef struct cm__column_grid {
    int u, v, w;
    cm_real origin[3], scale[3]; /* of u, v, w: cell = (x - origin) * scale, clamped to [0, cells) */
    int cells[3];                /* of w: sorting keys */
    uint32_t columns;
} cm__column_grid;

typedef struct cm__columns cm__columns;
struct cm__columns {
    const cm_allocator *mem;
    const cm_tasks *tasks;
    cm_real least_cell;
    bool started;
    cm__column_grid grid;
    uint32_t boxes;           /* put in */
    uint32_t copies;          /* records */
    uint32_t chunks;          /* of the source, worked on side by side */
    uint32_t deepest;         /* at the last pairs */
    cm__broad_buffer records; /* cm__record, by column, in order of the source */
    cm__broad_buffer starts;  /* uint32_t, columns + 1 */
    cm__broad_buffer counts;  /* uint32_t, chunk by chunk */
    cm__broad_buffer cells;   /* uint32_t per box of the source: the cells it begins and ends in */
    uint32_t age;             /* fills since the grid was chosen */
    cm__broad_buffer sample;
    cm__broad_buffer workers; /* cm__column_worker */
    cm__broad_buffer jobs;    /* cm__column_job */
    int worker_count, job_count;
};

void cm__columns_start(cm__columns *c, const cm_allocator *mem, const cm_tasks *tasks, cm_real least_cell);
void cm__columns_free(cm__columns *c);
size_t cm__columns_bytes(const cm__columns *c);
/* Sorts the boxes into columns. */
cm_status cm__columns_fill(cm__columns *c, const cm__box_source *source);
/* All pairs of what was filled in. */
cm_status cm__columns_pairs(cm__columns *c, cm__pair_sink *sink);
static inline const uint32_t *cm__columns_starts(const cm__columns *c) { return c->starts.items; }
static inline const cm__record *cm__columns_records(const cm__columns *c) { return c->records.items; }
/* The records of column k. */
static inline const cm__record *cm__column_at(const cm__columns *c, uint32_t k, uint32_t *count) {
    const uint32_t *start = cm__columns_starts(c) + k;
    *count = start[1] - start[0];
    return cm__columns_records(c) + start[0];
}

/* --- between the files of the columns ------------------------------------------------------------------------- */

/* The cell of x on axis k of the grid: 0 u, 1 v, 2 w. Monotone. */
static inline int cm__grid_cell(const cm__column_grid *g, int k, cm_real x) {
    cm_real at = (x - g->origin[k]) * g->scale[k];
    cm_real last = (cm_real)(g->cells[k] - 1);
    at = at > 0 ? at : 0;
    return (int)(at < last ? at : last);
}
/* Chooses a grid for records of which `sample` is a fair one; cells[0] * cells[1] == 1 where none pays. Reorders it. */
void cm__grid_choose(cm__column_grid *grid, cm__record *sample, uint32_t sampled, uint32_t count, cm_real least_cell);
/* Every k-th of `count` so that at most CM__SAMPLE are taken. */
enum { CM__SAMPLE = 512 };

#endif
