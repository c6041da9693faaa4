/* Boxes into columns, in chunks that any worker may take.
 *
 * How many copies a column gets is not counted beforehand: it gets the room that it needed the last time, and an eighth
 * more. Where that does not do, as everything moved far, the copies are counted and made again. */
#include "broad/columns.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <string.h>

enum {
    FILL_CHUNK = 8192, /* boxes worth a task */
    FILL_SAMPLE_PART = 8,
    FILL_REFRESH = 8,   /* fills between two looks at the grid, while the number of boxes stays */
    FILL_SMALL = 65536, /* bytes of records that get as much room again, for the next grid */
    FILL_ENTRIES_LEAST = 64,
    FILL_WARY = 8, /* fills counted beforehand after one had to be made again */
    FILL_SLACK = 8 /* part of a column's records, and number, that it gets room for beyond the last time's */
};

void cm__columns_start(cm__columns *c, const cm_allocator *mem, const cm_tasks *tasks, cm_real least_cell) {
    memset(c, 0, sizeof *c);
    c->started = true;
    c->mem = mem;
    c->tasks = tasks;
    c->least_cell = least_cell;
}

void cm__columns_clear(cm__columns *c) {
    c->moving.copies = c->moving.chunks = c->moving.columns = 0;
    c->fixed.copies = c->fixed.chunks = c->fixed.columns = 0;
    c->grid.columns = c->age = 0;
}

/* --- one set ------------------------------------------------------------------------------------------------- */

typedef struct fill_job {
    cm__scatter scatter;
    uint32_t count, chunks, columns;
    uint32_t *begins, *nexts;
    bool *failed; /* by chunk */
} fill_job;

static void chunk_range(const fill_job *job, int chunk, uint32_t *first, uint32_t *last) {
    const uint32_t blocks = job->count / CM__SCATTER_BLOCK;
    *first = (uint32_t)((uint64_t)blocks * (uint32_t)chunk / job->chunks) * CM__SCATTER_BLOCK;
    *last = (uint32_t)((uint64_t)blocks * ((uint32_t)chunk + 1) / job->chunks) * CM__SCATTER_BLOCK;
    if ((uint32_t)chunk + 1 == job->chunks) *last = job->count;
}

/* What a chunk fills: its range, and its places in the columns. */
static cm__scatter chunk_scatter(const fill_job *job, int chunk, uint32_t *first, uint32_t *last) {
    cm__scatter scatter = job->scatter;
    chunk_range(job, chunk, first, last);
    scatter.next = job->nexts + (size_t)chunk * job->columns;
    return scatter;
}

static void count_chunk(void *arg, int chunk, int worker) {
    const fill_job *job = arg;
    uint32_t first, last;
    (void)worker;
    cm__scatter scatter = chunk_scatter(job, chunk, &first, &last);
    memset(scatter.next, 0, job->columns * sizeof *scatter.next);
    cm__kernel_get()->count(&scatter, first, last);
}

static void copy_chunk(void *arg, int chunk, int worker) {
    const fill_job *job = arg;
    uint32_t first, last;
    (void)worker;
    cm__scatter scatter = chunk_scatter(job, chunk, &first, &last);
    scatter.end = job->begins + (size_t)chunk * job->columns + 1;
    job->failed[chunk] = !cm__kernel_get()->scatter(&scatter, first, last);
}

enum { FILL_CHUNKS_MOST = 64 };

/* Counts in `nexts` to room: begins, with some to spare, and nexts as begins. Returns the sum of the counts. */
static uint64_t set_lay_out(cm__column_set *set, bool from_begins, uint64_t *room) {
    uint32_t *begins = set->begins.items, *nexts = set->nexts.items;
    const size_t entries = (size_t)set->chunks * set->columns;
    uint64_t sum = 0, at = 0;
    uint32_t begin = begins[0];
    for (size_t k = 0; k < entries; ++k) {
        const uint32_t n = nexts[k] - (from_begins ? begin : 0);
        begin = begins[k + 1];
        begins[k] = nexts[k] = (uint32_t)at;
        sum += n;
        at += n + n / FILL_SLACK + FILL_SLACK;
    }
    begins[entries] = (uint32_t)at;
    *room = at;
    return sum;
}

static cm_status set_reserve(const cm_allocator *mem, cm__column_set *set, uint64_t room) {
    size_t bytes = (size_t)room * sizeof(cm__record);
    if (bytes <= set->records.capacity) return CM_OK;
    return cm__buffer_bytes(mem, &set->records, bytes + (bytes < FILL_SMALL ? bytes : bytes / 8));
}

static void set_count_copies(cm__column_set *set) {
    const uint32_t *begins = set->begins.items, *nexts = set->nexts.items;
    const size_t entries = (size_t)set->chunks * set->columns;
    uint32_t sum = 0;
    for (size_t k = 0; k < entries; ++k) sum += nexts[k] - begins[k];
    set->copies = sum;
}

/* *coarser: the sample missed what fills many columns; the grid wants fewer, until copies are in proportion. */
static cm_status set_fill(cm__columns *c, cm__column_set *set, const cm__scatter *scatter, uint32_t count,
                          uint32_t members, bool *coarser) {
    const uint32_t columns = c->grid.columns;
    uint32_t chunks = count / FILL_CHUNK + 1, most = 2 * (uint32_t)cm__workers(c->tasks);
    if (cm__workers(c->tasks) == 1) most = 1;
    if (most > FILL_CHUNKS_MOST) most = FILL_CHUNKS_MOST;
    if (chunks > most) chunks = most;
    const size_t entries = (size_t)chunks * columns;
    bool known = set->chunks == chunks && set->columns == columns && !set->wary;
    const size_t room_for = entries < FILL_ENTRIES_LEAST ? FILL_ENTRIES_LEAST : entries; /* the grid may change */
    if (cm__buffer_bytes(c->mem, &set->begins, (room_for + 1) * sizeof(uint32_t)) != CM_OK ||
        cm__buffer_bytes(c->mem, &set->nexts, room_for * sizeof(uint32_t)) != CM_OK) {
        return CM_NO_MEMORY;
    }
    bool failed[FILL_CHUNKS_MOST];
    fill_job job = {*scatter, count, chunks, columns, set->begins.items, set->nexts.items, failed};
    set->chunks = chunks, set->columns = columns;
    if (set->wary) --set->wary;
    for (;; known = false) {
        uint64_t room;
        if (!known) cm__run(c->tasks, (int)chunks, count_chunk, &job);
        uint64_t copies = set_lay_out(set, known, &room);
        if (!known && columns > 1 && copies > 8 * (uint64_t)members + 1024) {
            *coarser = true;
            return CM_OK;
        }
        if (room > UINT32_MAX / 2) return CM_LIMIT;
        if (set_reserve(c->mem, set, room) != CM_OK) return CM_NO_MEMORY;
        job.scatter.records = set->records.items;
        cm__run(c->tasks, (int)chunks, copy_chunk, &job);
        bool again = false;
        for (uint32_t k = 0; k < chunks; ++k) again |= failed[k];
        if (!again) break;
        set->wary = FILL_WARY;
    }
    set_count_copies(set);
    return CM_OK;
}

/* --- all boxes ----------------------------------------------------------------------------------------------- */

/* Every so-manieth box, the same ones for the same input; of few boxes not all, as looking costs too. */
static uint32_t fill_sample(const cm__box_source *s, cm_aabb *sample, bool every) {
    uint32_t most = s->count / FILL_SAMPLE_PART;
    most = every || most > CM__SAMPLE ? CM__SAMPLE : most < CM__SAMPLE / 4 ? CM__SAMPLE / 4 : most;
    uint32_t n = 0, step = every ? 1 : s->count / most + 1;
    for (uint32_t i = step / 2; i < s->count && n < most; i += step) {
        if (!s->flags || (s->flags[i] & CM__MEMBER_MASK) == CM__LIVE) sample[n++] = box_set_at(&s->boxes, i);
    }
    return n;
}

/* Looks at the grid now and then; things move little in between, and a grid that no longer suits is only slower. */
static cm_status fill_choose(cm__columns *c, const cm__box_source *source) {
    uint32_t least = source->count - source->count / 8, most = source->count + source->count / 8;
    bool same = c->age && c->boxes >= least && c->boxes <= most;
    if (same && c->age < FILL_REFRESH) {
        ++c->age;
        return CM_OK;
    }
    if (cm__buffer_bytes(c->mem, &c->sample, CM__SAMPLE * sizeof(cm_aabb)) != CM_OK) return CM_NO_MEMORY;
    uint32_t sampled = fill_sample(source, c->sample.items, false);
    if (!sampled) sampled = fill_sample(source, c->sample.items, true); /* few members among many dead slots */
    bool changed = true;
    if (sampled)
        changed = cm__grid_choose(&c->grid, c->sample.items, sampled, source->count, c->least_cell, same);
    else
        c->grid.columns = 0;
    if (changed) c->moving.chunks = c->fixed.chunks = 0;
    c->age = 1;
    return CM_OK;
}

cm_status cm__columns_fill(cm__columns *c, const cm__box_source *source) {
    c->moving.copies = 0;
    c->source = source->boxes;
    cm_status status = fill_choose(c, source);
    if (status != CM_OK || !c->grid.columns) {
        cm__columns_clear(c);
        return status;
    }
    cm__scatter scatter = {.grid = &c->grid,
                           .boxes = source->boxes,
                           .places = source->places,
                           .ids = source->ids,
                           .flags = source->flags,
                           .mask = CM__MEMBER_MASK | CM__FIXED,
                           .want = CM__LIVE};
    const uint32_t fixed_count = source->flags ? source->fixed_count : 0;
    c->boxes = 0;
    for (;;) {
        bool coarser = false;
        status = set_fill(c, &c->moving, &scatter, source->count, source->count - fixed_count, &coarser);
        if (status == CM_OK && !coarser && (source->fixed_dirty || c->fixed_boxes != fixed_count || !c->fixed.chunks)) {
            c->fixed_sorted = false;
            c->fixed.copies = 0;
            cm__scatter rest = scatter;
            rest.want = CM__LIVE | CM__FIXED;
            if (fixed_count) status = set_fill(c, &c->fixed, &rest, source->count, fixed_count, &coarser);
        }
        if (status != CM_OK) {
            cm__columns_clear(c);
            return status;
        }
        if (!coarser) break;
        cm__grid_coarsen(&c->grid);
        c->moving.chunks = c->fixed.chunks = 0;
    }
    c->fixed_boxes = fixed_count;
    c->boxes = source->count;
    return CM_OK;
}
