/* Columns: a grid over two axes, in each of whose cells the boxes are sorted along the third and swept.
 *
 * Guarantees: every overlapping pair once; the order depends on the boxes and on the calls alone, not on threads or
 * instruction set.
 *
 * A box is copied into every column that it meets, so that a column's work touches only a short run of memory. The copy
 * is sixteen bytes: its coordinates in numbers of sixteen bits (kernel.h), which decide wherever they differ; where two
 * are equal the boxes are looked at. Two boxes may meet in several columns: the pair counts in the one
 * that holds the lower corner of what they share, which is the one where, on each of the two axes, at least one of both
 * begins. Columns that hold much more than it takes are divided again by a grid of their own, to a bounded depth:
 * clusters and very different sizes then cost what they would alone.
 *
 * Static boxes have copies of their own, kept sorted until one of them changes. Cells are clamped at the border, so the
 * world has no bounds; what lies outside the grid is only slower.
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

/* Where boxes come from: an array, with or without ids (else the index) and flags (only members count, and the static
 * ones are those of last time unless fixed_dirty). The box at id & CM__SLOT_MASK must be that of the id, until the
 * pairs are found. */
typedef struct cm__box_source {
    box_set boxes;
    const uint32_t *ids;
    const uint8_t *flags;
    uint32_t count, fixed_count;
    bool fixed_dirty;
    cm__change_place *places; /* written where the boxes have a past: see cm__scatter */
} cm__box_source;

/* Boxes in columns, cut into chunks of the source: chunk by chunk, column by column stands what comes from it, with
 * some room behind. A column's boxes are those of its chunks one after the other, in the order of the source. */
typedef struct cm__column_set {
    cm__broad_buffer records; /* cm__record */
    cm__broad_buffer begins;  /* uint32_t, chunk by chunk, by column, one more at the end */
    cm__broad_buffer nexts;   /* uint32_t: where the records of each end */
    uint32_t chunks, columns; /* 0: empty */
    uint32_t copies;
    uint32_t wary; /* fills to be counted first, as the room of the last time did not do */
} cm__column_set;

typedef struct cm__columns cm__columns;
struct cm__columns {
    const cm_allocator *mem;
    const cm_tasks *tasks;
    cm_real least_cell;
    bool started;
    bool apart; /* two sets, moving and static, are paired with each other only */
    cm__column_grid grid;
    uint32_t boxes;   /* put in */
    uint32_t deepest; /* at the last pairs */
    uint32_t age;     /* fills since the grid was looked at */
    uint32_t fixed_boxes;
    cm__column_set moving, fixed;
    cm__broad_buffer fixed_lanes;  /* of the fixed set, sorted, column by column */
    cm__broad_buffer fixed_starts; /* size_t: where in it a column's stand; one more at the end */
    bool fixed_sorted;
    box_set source; /* of the last fill */
    cm__broad_buffer sample;
    cm__broad_buffer workers; /* cm__column_worker */
    cm__broad_buffer jobs;    /* cm__column_job */
    int worker_count, job_count;
};

void cm__columns_start(cm__columns *c, const cm_allocator *mem, const cm_tasks *tasks, cm_real least_cell);
void cm__columns_free(cm__columns *c);
/* Forgets what is in them. */
void cm__columns_clear(cm__columns *c);
size_t cm__columns_bytes(const cm__columns *c);
/* Sorts the boxes into columns. */
cm_status cm__columns_fill(cm__columns *c, const cm__box_source *source);
/* All pairs of what was filled in. */
cm_status cm__columns_pairs(cm__columns *c, cm__pair_sink *sink);

/* The records of column k from one chunk. */
static inline const cm__record *cm__column_at(const cm__column_set *set, uint32_t chunk, uint32_t k, uint32_t *count) {
    const size_t at = (size_t)chunk * set->columns + k;
    const uint32_t begin = ((const uint32_t *)set->begins.items)[at];
    *count = ((const uint32_t *)set->nexts.items)[at] - begin;
    return (const cm__record *)set->records.items + begin;
}
static inline uint32_t cm__column_count(const cm__column_set *set, uint32_t k) {
    uint32_t sum = 0, count;
    for (uint32_t chunk = 0; chunk < set->chunks; ++chunk) cm__column_at(set, chunk, k, &count), sum += count;
    return sum;
}

/* --- between the files of the columns ------------------------------------------------------------------------- */

/* Chooses a grid for `count` boxes of which `sample` is a fair one; columns == 1 where none pays. Reorders the sample.
 * With `keep` what the grid was is kept where it is nearly as good. Returns whether it changed. */
bool cm__grid_choose(cm__column_grid *grid, const cm_aabb *sample, uint32_t sampled, uint32_t count, cm_real least_cell,
                     bool keep);
/* Halves the columns along the axis that has more. */
void cm__grid_coarsen(cm__column_grid *grid);
/* Every k-th of `count` so that at most CM__SAMPLE are taken. */
enum { CM__SAMPLE = 512 };

#endif
