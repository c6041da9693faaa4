/* The pairs of the columns: each column is sorted along w by a counting sort and swept, in memory that fits the cache.
 *
 * Sorting is by cell along w, not exact: the kernel compares all six sides, so a coarse order costs a few tests only.
 * Workers take runs of columns and write to lists of their own, which are joined in the order of the columns. A worker
 * allocates nothing while others run: what does not fit its lists is done again afterwards by one worker alone, and
 * fits the next time. */
#include "broad/columns.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <string.h>

enum {
    NEST_LEAST = 2048, /* boxes that are worth a grid of their own */
    NEST_TESTS = 256,  /* … if each is tested against more than so many */
    JOBS_A_WORKER = 8,
    JOB_COPIES_LEAST = 4096 /* records worth a job */
};

/* What one worker needs: lanes, keys, and per depth the records and starts of a nested grid. */
typedef struct column_worker {
    cm__broad_buffer lanes, keys, sample;
    cm__broad_buffer records[CM__COLUMNS_DEPTH], starts[CM__COLUMNS_DEPTH];
    uint32_t deepest;
} column_worker;

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
    cm_real least_cell;
    bool may_allocate;
} column_task;

static bool task_room(const column_task *t, cm__broad_buffer *buffer, size_t bytes) {
    if (bytes <= buffer->capacity) return true;
    return t->may_allocate && cm__buffer_bytes(t->mem, buffer, bytes) == CM_OK;
}

/* --- one column ---------------------------------------------------------------------------------------------- */

/* The cells along w of `n` numbers. */
static void column_keys(const cm__column_grid *g, const cm_real *at, uint32_t n, uint32_t *keys) {
    const cm_real origin = g->origin[2], scale = g->scale[2], last = (cm_real)(g->cells[2] - 1);
    for (uint32_t i = 0; i < n; ++i) {
        cm_real cell = (at[i] - origin) * scale;
        cell = cell > 0 ? cell : 0;
        keys[i] = (uint32_t)(int32_t)(cell < last ? cell : last);
    }
}

/* Sorted lanes of the records: a counting sort of their numbers, then one pass that gathers them. Returns the tests
 * that sweeping will take (0: few enough); UINT64_MAX: no memory. */
static uint64_t column_sort(const column_task *t, const cm__column_grid *g, const cm__record *records, uint32_t n,
                            cm__lanes *lanes) {
    const uint32_t keys = (uint32_t)g->cells[2];
    if (!task_room(t, &t->worker->lanes, cm__lanes_bytes(n))) return UINT64_MAX;
    if (!task_room(t, &t->worker->keys, ((size_t)keys + 2 * (size_t)n) * sizeof(uint32_t))) return UINT64_MAX;
    cm__lanes_place(lanes, t->worker->lanes.items, n);
    uint32_t *next = t->worker->keys.items, *key = next + keys, *order = key + n;
    memset(next, 0, keys * sizeof *next);
    for (uint32_t i = 0; i < n; ++i) ++next[key[i] = (uint32_t)cm__grid_cell(g, 2, records[i].lo[g->w])];
    uint32_t sum = 0;
    for (uint32_t k = 0; k < keys; ++k) {
        uint32_t count = next[k];
        next[k] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < n; ++i) order[next[key[i]]++] = i;
    t->kernel->gather(records, order, n, lanes);
    column_keys(g, lanes->lo[g->w], n, lanes->key);
    column_keys(g, lanes->hi[g->w], n, lanes->stop);
    cm__lanes_close(lanes, n);
    if (n < NEST_LEAST) return 0;
    uint64_t tests = 0;
    for (uint32_t i = 0; i < n; ++i) tests += next[lanes->stop[i]] - i; /* next: now the end of each key's run */
    return tests;
}

static bool column_sweep(const column_task *t, const cm__lanes *lanes) {
    cm__pair_sink *sink = t->sink;
    cm__cursor cursor = {0, 0};
    while (cursor.i < lanes->count) {
        if (sink->capacity - sink->count < CM__BLOCK) {
            if (!t->may_allocate || !cm__sink_grow(sink, 64 * CM__BLOCK)) return false;
        }
        sink->count += t->kernel->sweep(lanes, lanes->count, &cursor, sink->pairs + sink->count,
                                        sink->capacity - sink->count, &sink->tests);
    }
    return true;
}

/* --- a grid within a column ----------------------------------------------------------------------------------- */

/* Copies the records into the nested grid's columns; the drop bits of this depth are added to those they have. */
static bool nest_fill(const column_task *t, const cm__column_grid *g, const cm__record *records, uint32_t n,
                      int depth) {
    cm__broad_buffer *starts_buffer = &t->worker->starts[depth];
    if (!task_room(t, starts_buffer, (2 * (size_t)g->columns + 1) * sizeof(uint32_t))) return false;
    uint32_t *starts = starts_buffer->items, *next = starts + g->columns + 1;
    memset(next, 0, g->columns * sizeof *next);
    const uint32_t shift = 8 + 2 * (uint32_t)depth;
    cm__record *out = NULL;
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 0; i < n; ++i) {
            cm__record r = records[i];
            const uint32_t drop = r.drop;
            int u0 = cm__grid_cell(g, 0, r.lo[g->u]), u1 = cm__grid_cell(g, 0, r.hi[g->u]);
            int v0 = cm__grid_cell(g, 1, r.lo[g->v]), v1 = cm__grid_cell(g, 1, r.hi[g->v]);
            for (int v = v0; v <= v1; ++v) {
                for (int u = u0; u <= u1; ++u) {
                    uint32_t at = next[v * g->cells[0] + u]++;
                    if (!pass) continue;
                    r.drop = drop | (uint32_t)(u > u0) << shift | (uint32_t)(v > v0) << (shift + 1);
                    out[at] = r;
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
        if (sum > UINT32_MAX || !task_room(t, &t->worker->records[depth], (size_t)sum * sizeof *out)) return false;
        out = t->worker->records[depth].items;
    }
    return true;
}

static bool column_pairs(const column_task *t, const cm__column_grid *g, const cm__record *records, uint32_t n,
                         int depth) {
    if (n < 2) return true;
    cm__lanes lanes;
    uint64_t tests = column_sort(t, g, records, n, &lanes);
    if (tests == UINT64_MAX) return false;
    if (n < NEST_LEAST || tests < (uint64_t)n * NEST_TESTS || depth == CM__COLUMNS_DEPTH)
        return column_sweep(t, &lanes);
    if (!task_room(t, &t->worker->sample, (CM__SAMPLE + 1) * sizeof(cm__record))) return false;
    cm__record *sample = t->worker->sample.items;
    uint32_t step = n / CM__SAMPLE + 1, sampled = 0;
    for (uint32_t i = 0; i < n; i += step) sample[sampled++] = records[i];
    cm__column_grid nested;
    cm__grid_choose(&nested, sample, sampled, n, t->least_cell);
    if (nested.columns == 1 && nested.w == g->w) return column_sweep(t, &lanes);
    if (!nest_fill(t, &nested, records, n, depth)) return false;
    if ((uint32_t)depth + 2 > t->worker->deepest) t->worker->deepest = (uint32_t)depth + 2;
    for (uint32_t k = 0; k < nested.columns; ++k) {
        const uint32_t *starts = t->worker->starts[depth].items;
        const cm__record *from = t->worker->records[depth].items;
        if (!column_pairs(t, &nested, from + starts[k], starts[k + 1] - starts[k], depth + 1)) return false;
    }
    return true;
}

/* --- all columns --------------------------------------------------------------------------------------------- */

typedef struct pairs_run {
    cm__columns *c;
    column_worker *workers;
    column_job *jobs;
    cm_broad_pair *joined;
} pairs_run;

static bool job_do(const pairs_run *run, column_job *job, column_worker *worker, bool may_allocate) {
    cm__columns *c = run->c;
    column_task task = {c->mem, cm__kernel_get(), worker, &job->sink, c->least_cell, may_allocate};
    for (uint32_t k = job->first; k < job->last; ++k) {
        uint32_t count;
        const cm__record *records = cm__column_at(c, k, &count);
        if (!column_pairs(&task, &c->grid, records, count, 0)) return false;
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

/* Runs of columns with about the same number of records. */
static void jobs_cut(const cm__columns *c, column_job *jobs, int count) {
    const uint32_t *starts = cm__columns_starts(c);
    uint32_t column = 0;
    for (int i = 0; i < count; ++i) {
        uint32_t until = (uint32_t)((uint64_t)c->copies * ((uint32_t)i + 1) / (uint32_t)count);
        jobs[i].first = column;
        while (column < c->grid.columns && (starts[column] < until || i == count - 1)) ++column;
        jobs[i].last = column;
        jobs[i].sink.mem = c->mem;
        jobs[i].sink.count = 0;
        jobs[i].sink.tests = 0;
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
    if (!c->copies) return CM_OK;
    int workers = cm__workers(c->tasks), jobs = 1;
    if (workers > 1) {
        uint32_t most = c->copies / JOB_COPIES_LEAST + 1;
        jobs = most < (uint32_t)(workers * JOBS_A_WORKER) ? (int)most : workers * JOBS_A_WORKER;
    }
    if (jobs == 1) workers = 1;
    if (reserve_zeroed(c->mem, &c->workers, &c->worker_count, workers, sizeof(column_worker)) != CM_OK ||
        reserve_zeroed(c->mem, &c->jobs, &c->job_count, jobs, sizeof(column_job)) != CM_OK) {
        return CM_NO_MEMORY;
    }
    pairs_run run = {c, c->workers.items, c->jobs.items, NULL};
    for (int i = 0; i < workers; ++i) run.workers[i].deepest = 1;
    if (jobs == 1) { /* straight into the caller's list */
        column_job all = {0, c->grid.columns, *sink, 0, false};
        bool ok = job_do(&run, &all, &run.workers[0], true);
        *sink = all.sink;
        c->deepest = run.workers[0].deepest;
        return ok ? CM_OK : CM_NO_MEMORY;
    }
    jobs_cut(c, run.jobs, jobs);
    cm__run(c->tasks, jobs, job_task, &run);
    for (int i = 0; i < jobs; ++i) {
        if (run.jobs[i].done) continue;
        run.jobs[i].sink.count = 0;
        run.jobs[i].sink.tests = 0;
        if (!job_do(&run, &run.jobs[i], &run.workers[0], true)) return CM_NO_MEMORY;
    }
    for (int i = 0; i < workers; ++i) {
        if (run.workers[i].deepest > c->deepest) c->deepest = run.workers[i].deepest;
    }
    return jobs_join(&run, jobs, sink);
}

/* --- memory -------------------------------------------------------------------------------------------------- */

void cm__columns_free(cm__columns *c) {
    column_worker *workers = c->workers.items;
    for (int i = 0; i < c->worker_count; ++i) {
        cm__buffer_free(c->mem, &workers[i].lanes);
        cm__buffer_free(c->mem, &workers[i].keys);
        cm__buffer_free(c->mem, &workers[i].sample);
        for (int d = 0; d < CM__COLUMNS_DEPTH; ++d) {
            cm__buffer_free(c->mem, &workers[i].records[d]);
            cm__buffer_free(c->mem, &workers[i].starts[d]);
        }
    }
    column_job *jobs = c->jobs.items;
    for (int i = 0; i < c->job_count; ++i) cm__sink_free(&jobs[i].sink);
    cm__broad_buffer *buffers[] = {&c->records, &c->starts, &c->counts, &c->cells, &c->sample, &c->workers, &c->jobs};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; ++i) cm__buffer_free(c->mem, buffers[i]);
    c->worker_count = c->job_count = 0;
    c->grid.columns = c->copies = c->age = 0;
}

size_t cm__columns_bytes(const cm__columns *c) {
    size_t bytes = c->records.capacity + c->starts.capacity + c->counts.capacity + c->cells.capacity +
                   c->sample.capacity + c->workers.capacity + c->jobs.capacity;
    const column_worker *workers = c->workers.items;
    for (int i = 0; i < c->worker_count; ++i) {
        bytes += workers[i].lanes.capacity + workers[i].keys.capacity + workers[i].sample.capacity;
        for (int d = 0; d < CM__COLUMNS_DEPTH; ++d) {
            bytes += workers[i].records[d].capacity + workers[i].starts[d].capacity;
        }
    }
    const column_job *jobs = c->jobs.items;
    for (int i = 0; i < c->job_count; ++i) bytes += jobs[i].sink.capacity * sizeof(cm_broad_pair);
    return bytes;
}
