/* Boxes into columns: count, then copy, in chunks that any worker may take. A chunk's records stand behind those of the
 * chunks before it, so that each column has the order of the source, whatever the number of chunks. */
#include "broad/columns.h"
#include "base/memory.h"
#include "base/tasks.h"

#include <string.h>

enum {
    FILL_CHUNK = 32768, /* boxes worth a task */
    FILL_CHUNKS_MOST = 16,
    FILL_REFRESH = 8 /* fills that one choice of grid serves, while the number of boxes stays */
};

void cm__columns_start(cm__columns *c, const cm_allocator *mem, const cm_tasks *tasks, cm_real least_cell) {
    memset(c, 0, sizeof *c);
    c->started = true;
    c->mem = mem;
    c->tasks = tasks;
    c->least_cell = least_cell;
}

typedef struct fill_job {
    cm__columns *c;
    const cm__box_source *source;
    uint32_t chunks;
} fill_job;

static bool source_has(const cm__box_source *s, uint32_t i) {
    return !s->flags || (s->flags[i] & CM__MEMBER_MASK) == CM__LIVE;
}

static void record_write(cm__record *r, const cm__box_source *s, uint32_t i) {
    const cm_aabb *box = &s->boxes[i];
    r->lo[0] = box->min.x, r->lo[1] = box->min.y, r->lo[2] = box->min.z;
    r->hi[0] = box->max.x, r->hi[1] = box->max.y, r->hi[2] = box->max.z;
    r->id = s->ids ? s->ids[i] : i;
    r->drop = s->flags ? s->flags[i] & CM__FIXED : 0;
}

/* Every so-manieth box, the same ones for the same input. */
static uint32_t fill_sample(const cm__box_source *s, cm__record *sample) {
    uint32_t n = 0, step = s->count / CM__SAMPLE + 1;
    for (uint32_t i = step / 2; i < s->count; i += step) {
        if (source_has(s, i)) record_write(&sample[n++], s, i);
    }
    return n;
}

static void chunk_range(const fill_job *job, int chunk, uint32_t *first, uint32_t *last) {
    *first = (uint32_t)((uint64_t)job->source->count * (uint32_t)chunk / job->chunks);
    *last = (uint32_t)((uint64_t)job->source->count * ((uint32_t)chunk + 1) / job->chunks);
}

/* The cells a box begins and ends in, a byte each: u, u, v, v. */
static inline uint32_t cells_of(const cm__column_grid *g, const cm_aabb *box) {
    const cm_real *lo = &box->min.x, *hi = &box->max.x;
    return (uint32_t)cm__grid_cell(g, 0, lo[g->u]) | (uint32_t)cm__grid_cell(g, 0, hi[g->u]) << 8 |
           (uint32_t)cm__grid_cell(g, 1, lo[g->v]) << 16 | (uint32_t)cm__grid_cell(g, 1, hi[g->v]) << 24;
}

/* As the kernel copies: without branches where one, two or four columns are met. */
static void count_chunk(void *arg, int chunk, int worker) {
    const fill_job *job = arg;
    const cm__column_grid g = job->c->grid;
    const cm__box_source *s = job->source;
    uint32_t *counts = (uint32_t *)job->c->counts.items + (size_t)chunk * g.columns;
    uint32_t *cells = job->c->cells.items;
    const uint32_t width = (uint32_t)g.cells[0];
    uint32_t first, last;
    (void)worker;
    chunk_range(job, chunk, &first, &last);
    memset(counts, 0, g.columns * sizeof *counts);
    for (uint32_t i = first; i < last; ++i) {
        if (!source_has(s, i)) {
            cells[i] = CM__NO_CELLS;
            continue;
        }
        uint32_t code = cells[i] = cells_of(&g, &s->boxes[i]);
        uint32_t u0 = code & 255, u1 = code >> 8 & 255, v0 = code >> 16 & 255, v1 = code >> 24;
        if (u1 - u0 <= 1 && v1 - v0 <= 1) {
            uint32_t right = u1 - u0, above = (v1 - v0) * width;
            uint32_t *at = counts + v0 * width + u0;
            uint32_t n0 = at[0], n1 = at[right], n2 = at[above], n3 = at[above + right];
            at[above + right] = n3 + 1, at[above] = n2 + 1, at[right] = n1 + 1, at[0] = n0 + 1;
        } else {
            for (uint32_t v = v0; v <= v1; ++v) {
                for (uint32_t u = u0; u <= u1; ++u) ++counts[v * width + u];
            }
        }
    }
}

static void copy_chunk(void *arg, int chunk, int worker) {
    const fill_job *job = arg;
    const cm__column_grid g = job->c->grid;
    const cm__box_source *s = job->source;
    uint32_t *next = (uint32_t *)job->c->counts.items + (size_t)chunk * g.columns;
    cm__record *records = job->c->records.items;
    uint32_t first, last;
    (void)worker;
    chunk_range(job, chunk, &first, &last);
    const cm__scatter scatter = {s->boxes, s->ids, job->c->cells.items, s->flags, records, (uint32_t)g.cells[0],
                                 CM__FIXED};
    cm__kernel_get()->scatter(&scatter, first, last, next);
}

/* Counts to positions, column by column, chunk by chunk, an entry to spare behind each. Returns all entries; 2^32 or
 * more do not fit. */
static uint64_t counts_to_positions(cm__columns *c, uint32_t chunks) {
    uint32_t *counts = c->counts.items, *starts = c->starts.items;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < c->grid.columns; ++k) {
        starts[k] = (uint32_t)sum;
        for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
            uint32_t *at = &counts[(size_t)chunk * c->grid.columns + k], n = *at;
            *at = (uint32_t)sum;
            sum += n;
        }
    }
    starts[c->grid.columns] = (uint32_t)sum;
    return sum;
}

/* Chooses the grid anew now and then; things move little in between, and a grid that no longer suits is only slower. */
static cm_status fill_choose(cm__columns *c, const cm__box_source *source) {
    uint32_t least = source->count - source->count / 8, most = source->count + source->count / 8;
    bool keep = c->age && c->age < FILL_REFRESH && c->boxes >= least && c->boxes <= most;
    c->age = keep ? c->age + 1 : 1;
    if (keep) return CM_OK;
    if (cm__buffer_bytes(c->mem, &c->sample, (CM__SAMPLE + 1) * sizeof(cm__record)) != CM_OK) return CM_NO_MEMORY;
    uint32_t sampled = fill_sample(source, c->sample.items);
    for (uint32_t i = 0; !sampled && i < source->count; ++i) { /* few members among many dead slots */
        if (source_has(source, i)) record_write((cm__record *)c->sample.items + sampled++, source, i);
    }
    c->grid.columns = 0;
    if (sampled) cm__grid_choose(&c->grid, c->sample.items, sampled, source->count, c->least_cell);
    return CM_OK;
}

cm_status cm__columns_fill(cm__columns *c, const cm__box_source *source) {
    c->copies = 0;
    cm_status status = fill_choose(c, source);
    if (status != CM_OK || !c->grid.columns) {
        c->age = 0;
        return status;
    }
    const uint32_t chunks = source->count / FILL_CHUNK + 1;
    fill_job job = {c, source, chunks < FILL_CHUNKS_MOST ? chunks : FILL_CHUNKS_MOST};
    c->boxes = 0;
    for (;;) {
        cm__column_grid *g = &c->grid;
        size_t counters = (size_t)job.chunks * g->columns;
        if (cm__buffer_bytes(c->mem, &c->counts, counters * sizeof(uint32_t)) != CM_OK ||
            cm__buffer_bytes(c->mem, &c->cells, (size_t)source->count * sizeof(uint32_t)) != CM_OK ||
            cm__buffer_bytes(c->mem, &c->starts, ((size_t)g->columns + 1) * sizeof(uint32_t)) != CM_OK) {
            return CM_NO_MEMORY;
        }
        cm__run(c->tasks, (int)job.chunks, count_chunk, &job);
        uint64_t copies = counts_to_positions(c, job.chunks);
        /* The sample missed what fills many columns: a coarser grid, until copies are in proportion. */
        if (g->columns > 1 && copies > 8 * (uint64_t)source->count + 1024) {
            int k = g->cells[0] > g->cells[1] ? 0 : 1, cells = g->cells[k] / 2;
            g->scale[k] = g->scale[k] / (cm_real)g->cells[k] * (cm_real)cells;
            g->cells[k] = cells;
            g->columns = (uint32_t)(g->cells[0] * g->cells[1]);
            continue;
        }
        if (copies > UINT32_MAX / 2) return CM_LIMIT;
        if (cm__buffer_bytes(c->mem, &c->records, (size_t)copies * sizeof(cm__record)) != CM_OK) return CM_NO_MEMORY;
        cm__run(c->tasks, (int)job.chunks, copy_chunk, &job);
        c->copies = (uint32_t)copies;
        c->boxes = source->count;
        c->chunks = job.chunks;
        return CM_OK;
    }
}
