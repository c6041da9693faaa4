/* The pairs of the columns: each column is sorted along w by a counting sort and swept, in memory that fits the cache.
 *
 * Sorting is by cell along w, not exact: the kernel compares all six sides, so a coarse order costs a few tests only.
 * Workers take runs of columns and write to lists of their own, which are joined in the order of the columns. A worker
 * allocates nothing while others run: what does not fit its lists is done again afterwards by one worker alone, and
 * fits the next time. */
#include "broad/columns.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "math/axis.h"

#include <string.h>

enum {
    NEST_LEAST = 2048, /* boxes that are worth a grid of their own */
    NEST_TESTS = 512,  /* … if each is tested against more than so many */
    TESTS_SAMPLE = 64, /* boxes by which that is judged */
    JOBS_A_WORKER = 8,
    JOB_COPIES_LEAST = 4096 /* records worth a job */
};

/* What one worker needs: lanes, keys, sorted records, and per depth the records, drop bits and starts of a nested grid.
 */
typedef struct column_worker {
    cm__broad_buffer lanes, keys, sorted, sample;
    cm__broad_buffer records[CM__COLUMNS_DEPTH], drops[CM__COLUMNS_DEPTH], starts[CM__COLUMNS_DEPTH];
    uint32_t deepest;
} column_worker;
enum { WORKER_BUFFERS = 4 + 3 * CM__COLUMNS_DEPTH };

/* A run of columns. */
typedef struct column_job {
    uint32_t first, last;
    cm__pair_sink sink;
    size_t offset; /* in the joined list */
    bool done;
} column_job;

/* How a worker goes about it. */
typedef struct column_task {
    const cm_allocator *mem;
    const cm__kernel *kernel;
    column_worker *worker;
    cm__pair_sink *sink;
    box_set boxes;
    cm_real least_cell;
    bool may_allocate;
} column_task;

/* A column's records, in several pieces. */
typedef struct column_piece {
    const cm__record *records;
    const uint16_t *drops; /* or NULL: 0 */
    uint32_t count;
    uint16_t drop; /* for all of them */
} column_piece;

static bool task_room(const column_task *t, cm__broad_buffer *buffer, size_t bytes) {
    if (bytes <= buffer->capacity) return true;
    return t->may_allocate && cm__buffer_bytes(t->mem, buffer, bytes) == CM_OK;
}

/* The first address of a buffer at a cache line; 64 bytes more must be in it. */
static void *line_start(const cm__broad_buffer *buffer) {
    return (char *)buffer->items + (64 - ((uintptr_t)buffer->items & 63));
}

/* --- one column ---------------------------------------------------------------------------------------------- */

/* Sorts the pieces into lanes, which have been placed: a counting sort by key, then a turn of the records. */
static bool column_sort(const column_task *t, const cm__column_grid *g, const column_piece *pieces,
                        uint32_t piece_count, uint32_t n, cm__cell_lanes *lanes) {
    column_worker *worker = t->worker;
    if (!task_room(t, &worker->sorted, n * sizeof(cm__record) + 64)) return false;
    if (!task_room(t, &worker->keys, g->keys * sizeof(uint32_t))) return false;
    uint32_t *next = worker->keys.items;
    cm__record *sorted = line_start(&worker->sorted);
    const uint32_t w = (uint32_t)g->w, base = g->base[w], span = g->span[w], shift = g->shift;
    memset(next, 0, g->keys * sizeof *next);
    for (uint32_t p = 0; p < piece_count; ++p) {
        const cm__record *records = pieces[p].records;
        for (uint32_t i = 0; i < pieces[p].count; ++i) {
            uint32_t lo = records[i].lo[w], d = lo > base ? lo - base : 0;
            ++next[(d < span ? d : span) >> shift];
        }
    }
    uint32_t sum = 0;
    for (uint32_t k = 0; k < g->keys; ++k) {
        uint32_t count = next[k];
        next[k] = sum;
        sum += count;
    }
    for (uint32_t p = 0; p < piece_count; ++p) {
        const column_piece *piece = &pieces[p];
        for (uint32_t i = 0; i < piece->count; ++i) {
            uint32_t lo = piece->records[i].lo[w], d = lo > base ? lo - base : 0;
            uint32_t at = next[(d < span ? d : span) >> shift]++;
            sorted[at] = piece->records[i];
            if (lanes->drop) lanes->drop[at] = (uint16_t)((piece->drops ? piece->drops[i] : 0) | piece->drop);
        }
    }
    t->kernel->pack(g, sorted, n, lanes);
    if (lanes->drop) memset(lanes->drop + n, 0, (CM__CELL_BLOCK + 1) * sizeof *lanes->drop);
    return true;
}

static bool column_sweep(const column_task *t, const cm__cell_lanes *a, const cm__cell_lanes *b, cm__cell_mode mode) {
    cm__pair_sink *sink = t->sink;
    cm__cursor cursor = {0, 0, 0};
    while (cursor.i < a->count) {
        if (sink->capacity - sink->count < CM__CELL_BLOCK) {
            if (!t->may_allocate || !cm__sink_grow(sink, 64 * CM__CELL_BLOCK)) return false;
        }
        sink->count += t->kernel->cells(a, b, mode, &t->boxes, &cursor, sink->pairs + sink->count,
                                        sink->capacity - sink->count, &sink->tests);
    }
    return true;
}

/* The first lane whose lo along w exceeds `stop`, a bound between two keys. */
static uint32_t lanes_behind(const cm__cell_lanes *l, uint32_t stop) {
    uint32_t first = 0, last = l->count;
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (l->lo[2][middle] <= stop)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* About how many tests sweeping a against b takes, each box of a against those of b that begin within it. */
static uint64_t lanes_tests(const cm__cell_lanes *a, const cm__cell_lanes *b) {
    uint64_t tests = 0;
    uint32_t step = a->count / TESTS_SAMPLE + 1;
    for (uint32_t i = 0; i < a->count; i += step) {
        uint32_t first = a == b ? i : lanes_behind(b, a->lo[2][i]), last = lanes_behind(b, a->stop[i]);
        tests += (uint64_t)(last > first ? last - first : 0) * step;
    }
    return tests;
}

/* --- a grid within a column ----------------------------------------------------------------------------------- */

/* The records again, in the numbers of the nested grid, each in every nested column that it meets. What was dropped
 * already stays in drop bits, two for each depth; bit 15: static; bit 14: moving, where only the two are paired. */
static bool nest_fill(const column_task *t, const cm__column_grid *outer, const cm__column_grid *g,
                      const column_piece *pieces, uint32_t piece_count, int depth) {
    cm__broad_buffer *starts_buffer = &t->worker->starts[depth];
    if (!task_room(t, starts_buffer, (2 * (size_t)g->columns + 1) * sizeof(uint32_t))) return false;
    uint32_t *starts = starts_buffer->items, *next = starts + g->columns + 1;
    memset(next, 0, g->columns * sizeof *next);
    cm__record *out = NULL;
    uint16_t *drops = NULL;
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t p = 0; p < piece_count; ++p) {
            for (uint32_t i = 0; i < pieces[p].count; ++i) {
                cm__record r = pieces[p].records[i];
                uint32_t drop = (pieces[p].drops ? pieces[p].drops[i] : 0u) | pieces[p].drop;
                if (!r.lo[outer->u]) drop |= 1u << (2 * depth);
                if (!r.lo[outer->v]) drop |= 2u << (2 * depth);
                const cm_aabb box = box_set_at(&t->boxes, r.id & CM__SLOT_MASK);
                uint32_t low[3], high[3];
                for (int a = 0; a < 3; ++a) {
                    low[a] = cm__grid_number(g, a, vec3_reals(&box.min)[a]),
                    high[a] = cm__grid_number(g, a, vec3_reals(&box.max)[a]);
                    r.hi[a] = (uint16_t)high[a];
                }
                uint32_t u0 = cm__grid_cell(g, g->u, low[g->u]), u1 = cm__grid_cell(g, g->u, high[g->u]);
                uint32_t v0 = cm__grid_cell(g, g->v, low[g->v]), v1 = cm__grid_cell(g, g->v, high[g->v]);
                for (uint32_t v = v0; v <= v1; ++v) {
                    for (uint32_t u = u0; u <= u1; ++u) {
                        uint32_t at = next[v * (uint32_t)g->cells[0] + u]++;
                        if (!pass) continue;
                        for (int a = 0; a < 3; ++a) r.lo[a] = (uint16_t)(low[a] - 1);
                        if (u > u0) r.lo[g->u] = 0;
                        if (v > v0) r.lo[g->v] = 0;
                        out[at] = r;
                        drops[at] = (uint16_t)drop;
                    }
                }
            }
        }
        if (pass) break;
        uint64_t sum = 0;
        for (uint32_t k = 0; k < g->columns; ++k) {
            starts[k] = (uint32_t)sum;
            sum += next[k];
            next[k] = starts[k];
        }
        starts[g->columns] = (uint32_t)sum;
        if (sum > UINT32_MAX / 2 || !task_room(t, &t->worker->records[depth], (size_t)sum * sizeof *out) ||
            !task_room(t, &t->worker->drops[depth], (size_t)sum * sizeof *drops)) {
            return false;
        }
        out = t->worker->records[depth].items;
        drops = t->worker->drops[depth].items;
    }
    return true;
}

static bool nest_choose(const column_task *t, const column_piece *pieces, uint32_t piece_count, uint32_t n,
                        cm__column_grid *nested) {
    if (!task_room(t, &t->worker->sample, CM__SAMPLE * sizeof(cm_aabb))) return false;
    cm_aabb *sample = t->worker->sample.items;
    uint32_t step = n / CM__SAMPLE + 1, sampled = 0, skip = 0;
    for (uint32_t p = 0; p < piece_count; ++p) {
        for (; skip < pieces[p].count && sampled < CM__SAMPLE; skip += step)
            sample[sampled++] = box_set_at(&t->boxes, pieces[p].records[skip].id & CM__SLOT_MASK);
        skip = skip > pieces[p].count ? skip - pieces[p].count : 0;
    }
    cm__grid_choose(nested, sample, sampled, n, t->least_cell, false);
    return true;
}

static bool column_nested(const column_task *t, const cm__column_grid *g, const column_piece *pieces,
                          uint32_t piece_count, uint32_t n, int depth);

/* A column without kept lanes; `drops`: some pairs are left out by drop bits. */
static bool column_pairs(const column_task *t, const cm__column_grid *g, const column_piece *pieces,
                         uint32_t piece_count, uint32_t n, bool drops, int depth) {
    if (n < 2) return true;
    if (!task_room(t, &t->worker->lanes, cm__cell_lanes_bytes(n, drops) + 64)) return false;
    cm__cell_lanes lanes;
    cm__cell_lanes_place(&lanes, line_start(&t->worker->lanes), n, drops);
    if (!column_sort(t, g, pieces, piece_count, n, &lanes)) return false;
    if (n >= NEST_LEAST && depth < CM__COLUMNS_DEPTH && lanes_tests(&lanes, &lanes) > (uint64_t)n * NEST_TESTS)
        return column_nested(t, g, pieces, piece_count, n, depth);
    return column_sweep(t, &lanes, &lanes, CM__CELLS_SELF);
}

/* Bounded recursion: depth < CM__COLUMNS_DEPTH. */
static bool column_nested(const column_task *t, const cm__column_grid *g, const column_piece *pieces,
                          uint32_t piece_count, uint32_t n, int depth) {
    cm__column_grid nested;
    if (!nest_choose(t, pieces, piece_count, n, &nested)) return false;
    if (!nest_fill(t, g, &nested, pieces, piece_count, depth)) return false;
    if ((uint32_t)depth + 2 > t->worker->deepest) t->worker->deepest = (uint32_t)depth + 2;
    const int below = nested.columns == 1 && nested.w == g->w ? CM__COLUMNS_DEPTH : depth + 1;
    for (uint32_t k = 0; k < nested.columns; ++k) {
        const uint32_t *starts = t->worker->starts[depth].items;
        const column_piece piece = {(const cm__record *)t->worker->records[depth].items + starts[k],
                                    (const uint16_t *)t->worker->drops[depth].items + starts[k],
                                    starts[k + 1] - starts[k], 0};
        if (!column_pairs(t, &nested, &piece, 1, piece.count, true, below)) return false;
    }
    return true;
}

/* --- a column with static boxes -------------------------------------------------------------------------------- */

enum { PIECES_MOST = 128 }; /* chunks of two sets */

static uint32_t column_pieces(const cm__column_set *set, uint32_t k, uint32_t drop, column_piece *pieces, uint32_t *n) {
    uint32_t pieces_count = 0;
    *n = 0;
    if (!set->copies) return 0;
    for (uint32_t chunk = 0; chunk < set->chunks; ++chunk) {
        column_piece *piece = &pieces[pieces_count];
        piece->records = cm__column_at(set, chunk, k, &piece->count);
        piece->drops = NULL;
        piece->drop = (uint16_t)drop;
        *n += piece->count;
        pieces_count += piece->count > 0;
    }
    return pieces_count;
}

static cm__cell_lanes fixed_lanes_of(const cm__columns *c, uint32_t k, uint32_t count) {
    cm__cell_lanes lanes;
    const size_t *starts = c->fixed_starts.items;
    cm__cell_lanes_place(&lanes, (char *)line_start(&c->fixed_lanes) + starts[k], count, false);
    const cm__column_grid *g = &c->grid;
    lanes.count = count;
    lanes.base = g->base[g->w], lanes.span = g->span[g->w], lanes.shift = g->shift;
    return lanes;
}

/* Sorts the static boxes of all columns, to be kept. */
static cm_status fixed_sort(cm__columns *c, const column_task *t) {
    const uint32_t columns = c->grid.columns;
    if (cm__buffer_bytes(c->mem, &c->fixed_starts, ((size_t)columns + 1) * sizeof(size_t)) != CM_OK)
        return CM_NO_MEMORY;
    size_t *starts = c->fixed_starts.items, sum = 0;
    for (uint32_t k = 0; k < columns; ++k) {
        uint32_t n = cm__column_count(&c->fixed, k);
        starts[k] = sum;
        if (n) sum += cm__cell_lanes_bytes(n, false);
    }
    starts[columns] = sum;
    if (cm__buffer_bytes(c->mem, &c->fixed_lanes, sum + 64) != CM_OK) return CM_NO_MEMORY;
    for (uint32_t k = 0; k < columns; ++k) {
        column_piece pieces[PIECES_MOST];
        uint32_t n, piece_count = column_pieces(&c->fixed, k, 0, pieces, &n);
        if (!n) continue;
        cm__cell_lanes lanes = fixed_lanes_of(c, k, n);
        if (!column_sort(t, &c->grid, pieces, piece_count, n, &lanes)) return CM_NO_MEMORY;
    }
    c->fixed_sorted = true;
    return CM_OK;
}

/* Moving boxes among themselves and against the static ones. */
static bool column_mixed(const cm__columns *c, const column_task *t, uint32_t k) {
    column_piece pieces[PIECES_MOST];
    uint32_t n, resting;
    uint32_t piece_count = column_pieces(&c->moving, k, c->apart ? 1u << 14 : 0, pieces, &n);
    if (!n) return true;
    if (!c->fixed.copies || !(resting = cm__column_count(&c->fixed, k)))
        return c->apart || column_pairs(t, &c->grid, pieces, piece_count, n, false, 0);
    if (!task_room(t, &t->worker->lanes, cm__cell_lanes_bytes(n, false) + 64)) return false;
    cm__cell_lanes lanes, fixed = fixed_lanes_of(c, k, resting);
    cm__cell_lanes_place(&lanes, line_start(&t->worker->lanes), n, false);
    if (!column_sort(t, &c->grid, pieces, piece_count, n, &lanes)) return false;
    if (n + resting >= NEST_LEAST &&
        (c->apart ? 0 : lanes_tests(&lanes, &lanes)) + lanes_tests(&lanes, &fixed) + lanes_tests(&fixed, &lanes) >
            (uint64_t)(n + resting) * NEST_TESTS) {
        piece_count += column_pieces(&c->fixed, k, 1u << 15, pieces + piece_count, &resting);
        return column_nested(t, &c->grid, pieces, piece_count, n + resting, 0);
    }
    return (c->apart || column_sweep(t, &lanes, &lanes, CM__CELLS_SELF)) &&
           column_sweep(t, &lanes, &fixed, CM__CELLS_FROM) && column_sweep(t, &fixed, &lanes, CM__CELLS_BEYOND);
}

/* --- all columns --------------------------------------------------------------------------------------------- */

typedef struct pairs_run {
    cm__columns *c;
    column_worker *workers;
    column_job *jobs;
    cm_broad_pair *joined;
} pairs_run;

static bool job_do(const pairs_run *run, column_job *job, column_worker *worker, bool may_allocate) {
    const cm__columns *c = run->c;
    const column_task task = {c->mem, cm__kernel_get(), worker, &job->sink, c->source, c->least_cell, may_allocate};
    for (uint32_t k = job->first; k < job->last; ++k) {
        if (!column_mixed(c, &task, k)) return false;
    }
    return true;
}

static void job_task(void *arg, int index, int worker) {
    const pairs_run *run = arg;
    column_job *job = &run->jobs[index];
    job->done = job_do(run, job, &run->workers[worker], false);
}

static void join_task(void *arg, int index, int worker) {
    const pairs_run *run = arg;
    const column_job *job = &run->jobs[index];
    (void)worker;
    if (job->sink.count) memcpy(run->joined + job->offset, job->sink.pairs, job->sink.count * sizeof *run->joined);
}

static cm_status reserve_zeroed(const cm_allocator *mem, cm__broad_buffer *buffer, int *have, int want, size_t size) {
    if (want <= *have) return CM_OK;
    if (cm__buffer_bytes(mem, buffer, (size_t)want * size) != CM_OK) return CM_NO_MEMORY;
    memset((char *)buffer->items + (size_t)*have * size, 0, (size_t)(want - *have) * size);
    *have = want;
    return CM_OK;
}

/* Runs of columns with about the same number of records. Returns the most records of a column. */
static uint32_t jobs_cut(const cm__columns *c, column_job *jobs, int count, const cm__pair_sink *sink) {
    const bool fixed = c->fixed.copies > 0;
    const uint64_t all = (uint64_t)c->moving.copies + (fixed ? c->fixed.copies : 0);
    uint32_t column = 0, most = 0;
    uint64_t sum = 0;
    for (int i = 0; i < count; ++i) {
        const uint64_t until = all * ((uint32_t)i + 1) / (uint32_t)count;
        jobs[i].first = column;
        while (column < c->grid.columns && (sum < until || i == count - 1)) {
            const uint32_t n = cm__column_count(&c->moving, column) + (fixed ? cm__column_count(&c->fixed, column) : 0);
            most = n > most ? n : most;
            sum += n;
            ++column;
        }
        jobs[i].last = column;
        jobs[i].sink.mem = c->mem;
        jobs[i].sink.limit = sink->limit;
        jobs[i].sink.full = false;
        jobs[i].sink.count = 0;
        jobs[i].sink.tests = 0;
    }
    return most;
}

/* Room for a column of so many records, for every worker, as none may make some while others run. */
static cm_status workers_reserve(const cm__columns *c, column_worker *workers, int count, uint32_t records) {
    const size_t slack = records / 8 + 64; /* so that steady motion soon allocates nothing */
    for (int i = 0; i < count; ++i) {
        column_worker *w = &workers[i];
        if (cm__cell_lanes_bytes(records, false) + 64 > w->lanes.capacity &&
            cm__buffer_bytes(c->mem, &w->lanes, cm__cell_lanes_bytes(records + slack, false) + 64) != CM_OK)
            return CM_NO_MEMORY;
        if (records * sizeof(cm__record) + 64 > w->sorted.capacity &&
            cm__buffer_bytes(c->mem, &w->sorted, (records + slack) * sizeof(cm__record) + 64) != CM_OK)
            return CM_NO_MEMORY;
        if (cm__buffer_bytes(c->mem, &w->keys, c->grid.keys * sizeof(uint32_t)) != CM_OK) return CM_NO_MEMORY;
    }
    return CM_OK;
}

static void worker_buffers(column_worker *worker, cm__broad_buffer **out);

/* What one worker needed for grids within columns any may need the next time; and lists get some room to grow. Only
 * speed hangs on it: whoever finds too little room is done again alone. */
static void workers_even_out(cm__columns *c, int workers, int jobs) {
    cm__broad_buffer *buffers[WORKER_BUFFERS];
    size_t most[WORKER_BUFFERS] = {0};
    column_worker *all = c->workers.items;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < workers; ++i) {
            worker_buffers(&all[i], buffers);
            for (int k = 0; k < WORKER_BUFFERS; ++k) {
                if (pass && buffers[k]->capacity < most[k]) (void)cm__buffer_bytes(c->mem, buffers[k], most[k]);
                if (buffers[k]->capacity > most[k]) most[k] = buffers[k]->capacity;
            }
        }
    }
    column_job *list = c->jobs.items;
    for (int i = 0; i < jobs; ++i) {
        cm__pair_sink *sink = &list[i].sink;
        const size_t spare = sink->count / 8 + CM__CELL_BLOCK;
        if (sink->capacity - sink->count < spare) (void)cm__sink_grow(sink, 2 * spare);
    }
}

static cm_status jobs_join(pairs_run *run, int count, cm__pair_sink *sink) {
    size_t total = 0;
    for (int i = 0; i < count; ++i) {
        run->jobs[i].offset = sink->count + total;
        total += run->jobs[i].sink.count;
        sink->tests += run->jobs[i].sink.tests;
    }
    if (!cm__sink_room(sink, total)) return CM_NO_MEMORY;
    run->joined = sink->pairs;
    cm__run(run->c->tasks, count, join_task, run);
    sink->count += total;
    return CM_OK;
}

cm_status cm__columns_pairs(cm__columns *c, cm__pair_sink *sink) {
    c->deepest = 1;
    if (!c->moving.copies) return CM_OK;
    int workers = cm__workers(c->tasks), jobs = 1;
    if (workers > 1) {
        uint32_t most = c->moving.copies / JOB_COPIES_LEAST + 1;
        jobs = most < (uint32_t)(workers * JOBS_A_WORKER) ? (int)most : workers * JOBS_A_WORKER;
    }
    if (jobs == 1) workers = 1;
    if (reserve_zeroed(c->mem, &c->workers, &c->worker_count, workers, sizeof(column_worker)) != CM_OK ||
        reserve_zeroed(c->mem, &c->jobs, &c->job_count, jobs, sizeof(column_job)) != CM_OK) {
        return CM_NO_MEMORY;
    }
    pairs_run run = {c, c->workers.items, c->jobs.items, NULL};
    for (int i = 0; i < workers; ++i) run.workers[i].deepest = 1;
    if (c->fixed.copies && !c->fixed_sorted) {
        const column_task task = {c->mem, cm__kernel_get(), &run.workers[0], NULL, c->source, c->least_cell, true};
        if (fixed_sort(c, &task) != CM_OK) return CM_NO_MEMORY;
    }
    if (jobs == 1) { /* straight into the caller's list */
        column_job all = {0, c->grid.columns, *sink, 0, false};
        bool ok = job_do(&run, &all, &run.workers[0], true);
        *sink = all.sink;
        c->deepest = run.workers[0].deepest;
        return ok ? CM_OK : CM_NO_MEMORY;
    }
    if (workers_reserve(c, run.workers, workers, jobs_cut(c, run.jobs, jobs, sink)) != CM_OK) return CM_NO_MEMORY;
    cm__run(c->tasks, jobs, job_task, &run);
    size_t found = sink->count;
    for (int i = 0; i < jobs; ++i) {
        cm__pair_sink *part = &run.jobs[i].sink;
        if (!run.jobs[i].done) {
            part->count = 0;
            part->tests = 0;
            run.jobs[i].done = job_do(&run, &run.jobs[i], &run.workers[0], true);
        }
        found += part->count;
        sink->full = part->full || (sink->limit && found > sink->limit);
        if (sink->full || !run.jobs[i].done) return CM_NO_MEMORY;
    }
    workers_even_out(c, workers, jobs);
    for (int i = 0; i < workers; ++i) {
        if (run.workers[i].deepest > c->deepest) c->deepest = run.workers[i].deepest;
    }
    return jobs_join(&run, jobs, sink);
}

/* --- memory -------------------------------------------------------------------------------------------------- */

enum { COLUMNS_BUFFERS = 11 };

static void worker_buffers(column_worker *worker, cm__broad_buffer **out) {
    cm__broad_buffer *const few[] = {&worker->lanes, &worker->keys, &worker->sorted, &worker->sample};
    for (int i = 0; i < 4; ++i) *out++ = few[i];
    for (int d = 0; d < CM__COLUMNS_DEPTH; ++d) {
        *out++ = &worker->records[d], *out++ = &worker->drops[d], *out++ = &worker->starts[d];
    }
}

static void columns_buffers(cm__columns *c, cm__broad_buffer **out) {
    cm__broad_buffer *const all[COLUMNS_BUFFERS] = {
        &c->moving.records, &c->moving.begins, &c->moving.nexts, &c->fixed.records, &c->fixed.begins, &c->fixed.nexts,
        &c->fixed_lanes,    &c->fixed_starts,  &c->sample,       &c->workers,       &c->jobs};
    memcpy(out, all, sizeof all);
}

void cm__columns_free(cm__columns *c) {
    column_worker *workers = c->workers.items;
    for (int i = 0; i < c->worker_count; ++i) {
        cm__broad_buffer *buffers[WORKER_BUFFERS];
        worker_buffers(&workers[i], buffers);
        for (int k = 0; k < WORKER_BUFFERS; ++k) cm__buffer_free(c->mem, buffers[k]);
    }
    column_job *jobs = c->jobs.items;
    for (int i = 0; i < c->job_count; ++i) cm__sink_free(&jobs[i].sink);
    cm__broad_buffer *buffers[COLUMNS_BUFFERS];
    columns_buffers(c, buffers);
    for (int k = 0; k < COLUMNS_BUFFERS; ++k) cm__buffer_free(c->mem, buffers[k]);
    c->worker_count = c->job_count = 0;
    cm__columns_clear(c);
}

size_t cm__columns_bytes(const cm__columns *columns) {
    cm__columns copy = *columns, *c = &copy;
    size_t bytes = 0;
    cm__broad_buffer *buffers[COLUMNS_BUFFERS];
    columns_buffers(c, buffers);
    for (int k = 0; k < COLUMNS_BUFFERS; ++k) bytes += buffers[k]->capacity;
    column_worker *workers = c->workers.items;
    for (int i = 0; i < c->worker_count; ++i) {
        cm__broad_buffer *theirs[WORKER_BUFFERS];
        worker_buffers(&workers[i], theirs);
        for (int k = 0; k < WORKER_BUFFERS; ++k) bytes += theirs[k]->capacity;
    }
    const column_job *jobs = c->jobs.items;
    for (int i = 0; i < c->job_count; ++i) bytes += jobs[i].sink.capacity * sizeof(cm_broad_pair);
    return bytes;
}
