/* The upper levels of a large tree.
 *
 * Boxes are sorted by the cell of a fine grid that holds their middle, along a space-filling curve. Those of one cell
 * of it, as large as it may be with no more than CLUSTER boxes in it, go together as a cluster, and nodes are split by
 * clusters at planes of the grid. A plane that divides no cluster splits the boxes as it would box by box, so nothing
 * is lost to sparing most of the work; at the sizes where planes begin to fall into clusters, below CM__BVH_OPEN boxes,
 * clusters are opened.
 *
 * Based on: [Garanzha11] clusters along a curve; [Wald07] binning. */
#include "base/memory.h"
#include "base/tasks.h"
#include "base/bits.h"
#include "bvh/upper.h"
#include "math/point.h"

enum {
    CLUSTER = 16,
    CURVE_BITS = 10,  /* along each axis */
    CURVE_AHEAD = 16, /* boxes fetched before they are read */
    RADIX_BITS = 10,
    RADIX_PASSES = 3, /* of the sort by cells */
};

/* --- along the curve --------------------------------------------------------------------------------------------- */

/* Three bits apart, in both halves of a number. */
static inline uint64_t bvh_spread(uint64_t x) {
    x = (x | x << 16) & UINT64_C(0x030000ff030000ff);
    x = (x | (x & UINT64_C(0x000000ff000000ff)) << 8) & UINT64_C(0x0300f00f0300f00f);
    x = (x | x << 4) & UINT64_C(0x030c30c3030c30c3);
    return (x | x << 2) & UINT64_C(0x0924924909249249);
}

/* And back. */
static inline uint32_t bvh_gather(uint32_t x) {
    x &= UINT32_C(0x09249249);
    x = (x | x >> 2) & UINT32_C(0x030c30c3);
    x = (x | x >> 4) & UINT32_C(0x0300f00f);
    x = (x | x >> 8) & UINT32_C(0x030000ff);
    return (x | x >> 16) & UINT32_C(0x3ff);
}

/* The cell of a box's middle: its bits, of the three axes in turn. Cells fill the cube of most boxes (`per_unit`: tree
 * units times half a cell); what is beyond it goes to the nearest one. */
static inline uint32_t bvh_cell(const cm_aabb *box, const cm__bvh *tree, double per_unit) {
    const double half = tree->scale * per_unit;
    const double mid[3] = {(double)box->min.x + (double)box->max.x, (double)box->min.y + (double)box->max.y,
                           (double)box->min.z + (double)box->max.z};
    uint64_t at[3];
    for (int k = 0; k < 3; ++k) {
        const double step = (mid[k] - 2 * tree->origin[k]) * half + (1 << (CURVE_BITS - 1));
        const double most = (1 << CURVE_BITS) - 1;
        at[k] = (uint64_t)cm__least(cm__most(step, 0), most);
    }
    const uint64_t xy = bvh_spread(at[1] << 32 | at[0]);
    return (uint32_t)xy | (uint32_t)(xy >> 32) << 1 | (uint32_t)bvh_spread(at[2]) << 2;
}

/* Keys are sorted in stretches, of which each worker may take one: where those of a stretch go follows from how many of
 * each digit the stretches have. Equal keys stay in their order, so the stretches make no difference. */
enum { STRETCH_MOST = 16, STRETCH_LEAST = 16384, CELL_DIGITS = 1 << RADIX_BITS };

typedef struct bvh_sorter {
    const cm_aabb *boxes;
    const cm__bvh *tree;
    double per_unit;
    uint64_t *from, *to;
    uint32_t count, stretches;
    int shift;
    uint32_t (*at)[CELL_DIGITS]; /* by stretch and digit: how many, then where the next one goes */
} bvh_sorter;

static uint32_t bvh_stretch(const bvh_sorter *s, uint32_t index) {
    return (uint32_t)((uint64_t)s->count * index / s->stretches);
}

/* Cell and number of each box. */
static void bvh_sort_cells(void *arg, int index, int worker) {
    (void)worker;
    const bvh_sorter *s = arg;
    for (uint32_t i = bvh_stretch(s, (uint32_t)index), end = bvh_stretch(s, (uint32_t)index + 1); i < end; ++i)
        s->from[i] = (uint64_t)bvh_cell(&s->boxes[i], s->tree, s->per_unit) << 32 | i;
}

static void bvh_sort_count(void *arg, int index, int worker) {
    (void)worker;
    const bvh_sorter *s = arg;
    uint32_t *at = s->at[index];
    memset(at, 0, CELL_DIGITS * sizeof *at);
    for (uint32_t i = bvh_stretch(s, (uint32_t)index), end = bvh_stretch(s, (uint32_t)index + 1); i < end; ++i)
        at[s->from[i] >> s->shift & (CELL_DIGITS - 1)] += 1;
}

static void bvh_sort_move(void *arg, int index, int worker) {
    (void)worker;
    const bvh_sorter *s = arg;
    uint32_t *at = s->at[index];
    for (uint32_t i = bvh_stretch(s, (uint32_t)index), end = bvh_stretch(s, (uint32_t)index + 1); i < end; ++i)
        s->to[at[s->from[i] >> s->shift & (CELL_DIGITS - 1)]++] = s->from[i];
}

/* Cells and numbers, sorted by cells, of equal ones by number, into the second half of `keys`. */
static bool bvh_sort(const cm__bvh_builder *b, const cm_aabb *boxes, const cm__bvh *tree, uint64_t *keys,
                     const cm_tasks *tasks) {
    _Static_assert(RADIX_BITS * RADIX_PASSES == 3 * CURVE_BITS && RADIX_PASSES % 2 == 1, "the sort covers the cell");
    bvh_sorter s;
    s.per_unit = (1 << (CURVE_BITS - 2)) / b->crowd;
    s.boxes = boxes, s.tree = tree, s.from = keys, s.to = keys + b->count, s.count = b->count;
    const uint32_t most = 1 + b->count / STRETCH_LEAST, wanted = (uint32_t)cm__workers(tasks);
    s.stretches = wanted < most ? wanted : most;
    if (s.stretches > STRETCH_MOST) s.stretches = STRETCH_MOST;
    s.at = cm__alloc(b->mem, s.stretches, sizeof *s.at);
    if (!s.at) return false;
    cm__run(tasks, (int)s.stretches, bvh_sort_cells, &s);
    for (int pass = 0; pass < RADIX_PASSES; ++pass) {
        s.shift = 32 + pass * RADIX_BITS;
        cm__run(tasks, (int)s.stretches, bvh_sort_count, &s);
        uint32_t sum = 0;
        for (uint32_t d = 0; d < CELL_DIGITS; ++d)
            for (uint32_t i = 0; i < s.stretches; ++i) {
                uint32_t n = s.at[i][d];
                s.at[i][d] = sum;
                sum += n;
            }
        cm__run(tasks, (int)s.stretches, bvh_sort_move, &s);
        uint64_t *swap = s.from;
        s.from = s.to, s.to = swap;
    }
    cm__free(b->mem, s.at, s.stretches, sizeof *s.at);
    return true;
}

/* How many bits two cells do not share at their ends. */
static int bvh_unshared(uint64_t a, uint64_t b) {
    uint64_t differ = (a ^ b) >> 32;
    int bits = 0;
    for (; differ >> bits; ++bits) continue;
    return bits;
}

/* Where the cluster ends that begins at `first`: with the largest cell that begins there and holds no more than CLUSTER
 * boxes, or one smallest cell. *bits: how many at the end of a cell's number are free. */
static uint32_t bvh_cluster_end(const uint64_t *keys, uint32_t count, uint32_t first, int *bits) {
    int open = 3 * CURVE_BITS;
    if (first > 0) open = bvh_unshared(keys[first - 1], keys[first]) - 1;
    if (first + CLUSTER < count) {
        int fits = bvh_unshared(keys[first], keys[first + CLUSTER]) - 1;
        if (fits < open) open = fits;
    }
    *bits = open < 0 ? 0 : open;
    uint32_t end = first + 1;
    while (end < count && keys[end] >> (32 + *bits) == keys[first] >> (32 + *bits)) ++end;
    return end;
}

/* Into `ends`, for each cluster: its free bits, and its end in the lower half. Returns how many. */
static uint32_t bvh_find_clusters(const uint64_t *keys, uint32_t count, uint64_t *ends) {
    uint32_t n = 0;
    int bits;
    for (uint32_t first = 0; first < count; ++n) {
        first = bvh_cluster_end(keys, count, first, &bits);
        ends[n] = (uint64_t)bits << 32 | first;
    }
    return n;
}

/* The middle of a cell: of its bits the last `bits` are free, the lowest being that of axis 0. */
static void bvh_cell_middle(uint64_t key, int bits, float out[4]) {
    uint32_t cell = (uint32_t)(key >> 32) >> bits << bits;
    for (int k = 0; k < 3; ++k) {
        int own = (bits + 2 - k) / 3;
        out[k] = (float)bvh_gather(cell >> k) + 0.5f * (float)(1 << own);
    }
    out[3] = 0;
}

typedef struct bvh_gathering {
    cm__bvh_builder *b;
    const cm_aabb *boxes;
    const cm__bvh *tree;
    const uint64_t *keys, *ends;
} bvh_gathering;

enum { GATHER_PART = 4096 /* clusters */ };

/* Puts the items of some clusters in the order of the curve, and makes the clusters. */
static void bvh_gather_part(void *arg, int index, int worker) {
    (void)worker;
    const bvh_gathering *g = arg;
    const cm__bvh_builder *b = g->b;
    const uint64_t *keys = g->keys;
    uint32_t n = (uint32_t)index * GATHER_PART, last = n + GATHER_PART, first = n > 0 ? (uint32_t)g->ends[n - 1] : 0;
    if (last > b->cluster_count) last = b->cluster_count;
    for (; n < last; ++n) {
        const uint32_t end = (uint32_t)g->ends[n];
        cm__bvh_box all = cm__bvh_box_empty();
        for (uint32_t i = first; i < end; ++i) {
            if (i + CURVE_AHEAD < b->count) BITS_FETCH(&g->boxes[(uint32_t)keys[i + CURVE_AHEAD]]);
            uint32_t number = (uint32_t)keys[i];
            cm__bvh_item_of(&g->boxes[number], g->tree, number, &b->items[i]);
            cm__bvh_box_join(&all, f32x4_load(b->items[i].min), f32x4_load(b->items[i].max));
        }
        cm__bvh_cluster *cluster = &b->clusters[n];
        f32x4_store(cluster->min, all.min), f32x4_store(cluster->max, all.max);
        bvh_cell_middle(keys[first], (int)(g->ends[n] >> 32), cluster->at);
        cluster->first = first, cluster->count = end - first;
        first = end;
    }
}

/* --- splitting by clusters ---------------------------------------------------------------------------------------- */

static cm__bvh_range bvh_measure_clusters(const cm__bvh_cluster *clusters, uint32_t first, uint32_t count) {
    cm__bvh_box boxes = cm__bvh_box_empty(), middles = boxes;
    for (uint32_t i = first; i < first + count; ++i) {
        f32x4 at = f32x4_load(clusters[i].at);
        cm__bvh_box_join(&boxes, f32x4_load(clusters[i].min), f32x4_load(clusters[i].max));
        cm__bvh_box_join(&middles, at, at);
    }
    cm__bvh_range r;
    r.first = first, r.count = count;
    f32x4_store(r.min, boxes.min), f32x4_store(r.max, boxes.max);
    f32x4_store(r.mid_min, middles.min), f32x4_store(r.mid_max, middles.max);
    return r;
}

/* Bins as wide as a power of two of the grid's steps, between planes of the grid. */
static void bvh_grid_bins(cm__bvh_bins *bins, const cm__bvh_range *r) {
    bins->bins = CM__BVH_BINS;
    bins->low[3] = bins->factor[3] = 0;
    for (int k = 0; k < 3; ++k) {
        float step = 1, low = floorf(r->mid_min[k]);
        while ((r->mid_max[k] - low) >= step * (float)CM__BVH_BINS) {
            step *= 2;
            low = floorf(r->mid_min[k] / step) * step;
        }
        bins->low[k] = low;
        bins->factor[k] = r->mid_max[k] > r->mid_min[k] ? 1 / step : 0;
    }
    cm__bvh_bins_clear(bins);
}

static void bvh_split_clusters(void *all, const cm__bvh_range *r, cm__bvh_range *left, cm__bvh_range *right) {
    cm__bvh_cluster *clusters = all;
    const cm__bvh_range whole = *r;
    const uint32_t end = whole.first + whole.count;
    cm__bvh_bins bins;
    bvh_grid_bins(&bins, &whole);
    const f32x4 low = f32x4_load(bins.low), factor = f32x4_load(bins.factor);
    for (uint32_t i = whole.first; i < end; ++i) {
        uint32_t at[4];
        u32x4_store(at, u32x4_of_f32(f32x4_mul(f32x4_sub(f32x4_load(clusters[i].at), low), factor)));
        for (int k = 0; k < 3; ++k) {
            cm__bvh_box_join(&bins.box[k][at[k]], f32x4_load(clusters[i].min), f32x4_load(clusters[i].max));
            bins.count[k][at[k]] += (float)clusters[i].count;
        }
    }
    int plane = 0, axis = cm__bvh_best_plane(&bins, &plane);
    uint32_t n = whole.first;
    for (uint32_t i = n; axis >= 0 && i < end; ++i) {
        if ((int32_t)((clusters[i].at[axis] - bins.low[axis]) * bins.factor[axis]) >= plane) continue;
        cm__bvh_cluster swap = clusters[i];
        clusters[i] = clusters[n];
        clusters[n++] = swap;
    }
    n = axis >= 0 ? n - whole.first : whole.count / 2;
    *left = bvh_measure_clusters(clusters, whole.first, n);
    *right = bvh_measure_clusters(clusters, whole.first + n, whole.count - n);
}

/* --- the nodes ---------------------------------------------------------------------------------------------------- */

typedef struct bvh_upper {
    cm__bvh_range range;                /* of clusters */
    uint32_t count, first, slot, level; /* of items */
} bvh_upper;

void cm__bvh_copy_out(const cm__bvh_builder *b, uint32_t clusters, uint32_t cluster_count, cm__bvh_item *out) {
    for (uint32_t i = clusters; i < clusters + cluster_count; ++i) {
        const cm__bvh_cluster *c = &b->clusters[i];
        memcpy(out, b->items + c->first, c->count * sizeof *out);
        out += c->count;
    }
}

static bool bvh_add_job(cm__bvh_builder *b, const bvh_upper *u) {
    void *jobs = b->jobs;
    bool ok = cm__reserve(b->mem, &jobs, &b->job_room, b->job_count + 1, sizeof *b->jobs);
    b->jobs = jobs;
    if (!ok) return false;
    cm__bvh_job *job = &b->jobs[b->job_count++];
    memset(job, 0, sizeof *job);
    job->clusters = u->range.first, job->cluster_count = u->range.count;
    job->count = u->count, job->first = u->first, job->slot = u->slot, job->level = u->level;
    if (job->cluster_count == 1) {
        job->items = b->items + b->clusters[job->clusters].first;
    } else if (job->count > CM__BVH_OPEN) { /* the free levels have ended */
        job->items = job->spill = cm__alloc(b->mem, job->count, sizeof(cm__bvh_item));
        if (!job->spill) return false;
        cm__bvh_copy_out(b, job->clusters, job->cluster_count, job->spill);
    }
    return true;
}

/* A leaf is written at once; what else is known of a part is left for later. */
static void bvh_add_part(cm__bvh_builder *b, bvh_upper *part, const bvh_upper *above, uint32_t *first) {
    part->count = 0, part->first = *first, part->level = above->level + 1;
    for (uint32_t i = part->range.first; i < part->range.first + part->range.count; ++i)
        part->count += b->clusters[i].count;
    *first += part->count;
    uint32_t lane = part->slot % 4;
    cm__bvh_node *node = &b->nodes[part->slot / 4];
    cm__bvh_set_box(node, lane, &part->range);
    if (part->count > b->leaf) return;
    cm__bvh_item items[8];
    cm__bvh_copy_out(b, part->range.first, part->range.count, items);
    for (uint32_t i = 0; i < part->count; ++i) b->numbers[part->first + i] = cm__bvh_number(&items[i]);
    node->child[lane] = part->first, node->count[lane] = part->count;
}

static bool bvh_grow_upper(cm__bvh_builder *b) {
    bvh_upper stack[CM__BVH_STACK];
    int top = 1;
    stack[0].range = bvh_measure_clusters(b->clusters, 0, b->cluster_count);
    stack[0].count = b->count, stack[0].first = 0, stack[0].slot = 0, stack[0].level = 1;
    cm__bvh_set_box(&b->nodes[0], 0, &stack[0].range);
    while (top > 0) {
        const bvh_upper task = stack[--top];
        if (task.count <= CM__BVH_OPEN || task.range.count == 1 || task.level > b->free_levels) {
            if (!bvh_add_job(b, &task)) return false;
            continue;
        }
        uint32_t node = b->node_count++, first = task.first;
        cm__bvh_clear_node(&b->nodes[node]);
        b->nodes[task.slot / 4].child[task.slot % 4] = node;
        cm__bvh_range parts[4];
        bvh_upper below[4];
        int n = cm__bvh_quarter(b->clusters, bvh_split_clusters, &task.range, 1, false, parts);
        for (int i = 0; i < n; ++i) {
            below[i].range = parts[i], below[i].slot = 4 * node + (uint32_t)i;
            bvh_add_part(b, &below[i], &task, &first);
        }
        for (int i = n; i-- > 0;)
            if (below[i].count > b->leaf) stack[top++] = below[i];
    }
    return true;
}

bool cm__bvh_upper(cm__bvh_builder *b, const cm_aabb *boxes, const cm__bvh *tree, uint64_t *keys,
                   const cm_tasks *tasks) {
    if (!bvh_sort(b, boxes, tree, keys, tasks)) return false;
    bvh_gathering g;
    g.b = b, g.boxes = boxes, g.tree = tree, g.keys = keys + b->count, g.ends = keys; /* the first half is free again */
    b->cluster_count = bvh_find_clusters(g.keys, b->count, keys);
    b->cluster_room = b->cluster_count;
    b->clusters = cm__alloc(b->mem, b->cluster_room, sizeof *b->clusters);
    if (!b->clusters) return false;
    cm__run(tasks, (int)((b->cluster_count + GATHER_PART - 1) / GATHER_PART), bvh_gather_part, &g);
    cm__bvh_clear_node(&b->nodes[0]); /* the boxes may have lain there */
    return bvh_grow_upper(b);
}

void cm__bvh_upper_free(cm__bvh_builder *b) {
    for (size_t i = 0; i < b->job_count; ++i)
        cm__free(b->mem, b->jobs[i].spill, b->jobs[i].count, sizeof(cm__bvh_item));
    cm__free(b->mem, b->jobs, b->job_room, sizeof *b->jobs);
    cm__free(b->mem, b->clusters, b->cluster_room, sizeof *b->clusters);
}
