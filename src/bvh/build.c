/* Builds the tree: top-down, each node split up to three times by the surface area heuristic (split.c).
 *
 * Of many boxes, the upper levels are split by clusters: about CLUSTER boxes that follow each other on a space-filling
 * curve form a cluster, so that the upper levels, which would examine every box, cost little; there a cluster is small
 * compared with the range that is split. Ranges of no more than CM__BVH_OPEN boxes are copied out of their clusters and
 * split box by box.
 *
 * Depth: the first CM__BVH_FREE_LEVELS levels split where the heuristic says, which may peel off one item at a time;
 * below them no range is split by clusters, and every range is halved by number, the largest first, so each level
 * quarters it: 2^30 items end after 15 more levels. With the level of slot 0 that is 20 + 15 + 1 = 36 <= CM__BVH_DEPTH.
 *
 * Bytes: the upper nodes come first, then the subtrees of the ranges in the order of the leaves, each depth-first. That
 * order, and all splits, depend on the input alone, also where subtrees are grown in parallel.
 *
 * Based on: [Wald07] binning; [Wald08] wide nodes; [Garanzha11] clusters along a curve. */
#include "base/memory.h"
#include "base/tasks.h"
#include "bvh/upper.h"
#include "math/point.h"

/* --- units ------------------------------------------------------------------------------------------------------- */

enum { SAMPLES = 127 };

/* The middles of up to SAMPLES boxes along an axis, doubled, in order; returns how many. */
static uint32_t bvh_sample(const cm_aabb *boxes, uint32_t count, int axis, double out[SAMPLES]) {
    uint32_t n = count < SAMPLES ? count : SAMPLES;
    for (uint32_t i = 0; i < n; ++i) {
        const cm_aabb *box = &boxes[(uint64_t)count * i / n];
        const cm_real low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
        double middle = (double)low[axis] + (double)high[axis];
        uint32_t at = i;
        for (; at > 0 && out[at - 1] > middle; --at) out[at] = out[at - 1];
        out[at] = middle;
    }
    return n;
}

/* The origin in the middle of most boxes, by the medians of a sample, which a few far boxes do not move, and the scale
 * so that everything lies in [-1, 1]; a scale of 1 for a single point, and none beyond 2^±1000.
 * @return how far from the origin most boxes are, in those units: eight times what holds four fifths of the sample, at
 * most 1. */
double cm__bvh_units(const cm_aabb *bounds, const cm_aabb *boxes, uint32_t count, cm__bvh *out) {
    cm_aabb all = bounds ? *bounds : cm_aabb_empty();
    for (uint32_t i = 0; !bounds && i < count; ++i) all = cm_aabb_union(all, boxes[i]);
    if (count == 0) all.min = all.max = cm_v(0, 0, 0);
    double most = 0;
    for (int k = 0; k < 3; ++k) {
        double sample[SAMPLES] = {0};
        const uint32_t n = bvh_sample(boxes, count, k, sample), tenth = n / 10;
        const double median = sample[n / 2];
        out->origin[k] = median / 2;
        if (n > 0) most = cm__most(most, 4 * cm__most(median - sample[tenth], sample[n - 1 - tenth] - median));
    }
    double size = 0;
    const double reach[6] = {(double)all.max.x - out->origin[0], (double)all.max.y - out->origin[1],
                             (double)all.max.z - out->origin[2], out->origin[0] - (double)all.min.x,
                             out->origin[1] - (double)all.min.y, out->origin[2] - (double)all.min.z};
    for (int i = 0; i < 6; ++i) size = reach[i] > size ? reach[i] : size;
    double scale = 1;
    if (size > 0) {
        for (int i = 0; i < 1000 && size * scale > 1; ++i) scale /= 2;
        for (int i = 0; i < 1000 && size * scale <= 0.5; ++i) scale *= 2;
    }
    out->scale = scale;
    return most > 0 ? cm__least(most * scale, 1) : 1;
}

/* --- the lower levels --------------------------------------------------------------------------------------------- */

/* `opened`: room for CM__BVH_OPEN items, of this worker. */
static cm__bvh_range bvh_grow_job(const cm__bvh_builder *b, cm__bvh_job *job, cm__bvh_item *opened,
                                  uint32_t first_number) {
    cm__bvh_plot plot;
    plot.items = job->items;
    if (!plot.items) {
        cm__bvh_copy_out(b, job->clusters, job->cluster_count, opened);
        plot.items = opened;
    }
    plot.count = job->count, plot.leaf = b->leaf, plot.level = job->level, plot.first = job->first;
    plot.base = first_number;
    plot.nodes = b->nodes + job->base;
    plot.numbers = b->numbers;
    cm__bvh_grow(&plot);
    job->node_count = plot.node_count;
    return plot.range;
}

static void bvh_grow_serial(cm__bvh_builder *b) {
    for (size_t i = 0; i < b->job_count; ++i) {
        cm__bvh_job *job = &b->jobs[i];
        job->base = b->node_count;
        bvh_grow_job(b, job, b->opened, job->base);
        b->nodes[job->slot / 4].child[job->slot % 4] = job->base;
        b->node_count += job->node_count;
    }
}

/* Each worker's job has room for all nodes that it may need; then they move up. */
static void bvh_run_job(void *arg, int index, int worker) {
    cm__bvh_builder *b = arg;
    bvh_grow_job(b, &b->jobs[index], b->opened + (size_t)worker * CM__BVH_OPEN, 0);
}
static void bvh_grow_parallel(cm__bvh_builder *b, const cm_tasks *tasks) {
    uint32_t base = b->node_count;
    for (size_t i = 0; i < b->job_count; ++i) {
        b->jobs[i].base = base;
        base += cm__bvh_most_nodes(b->jobs[i].count, b->leaf);
    }
    cm__run(tasks, (int)b->job_count, bvh_run_job, b);
    for (size_t i = 0; i < b->job_count; ++i) {
        cm__bvh_job *job = &b->jobs[i];
        memmove(b->nodes + b->node_count, b->nodes + job->base, job->node_count * sizeof *b->nodes);
        for (uint32_t n = b->node_count; n < b->node_count + job->node_count; ++n)
            for (int lane = 0; lane < 4; ++lane)
                if (b->nodes[n].count[lane] == 0 && b->nodes[n].half[0][lane] >= 0)
                    b->nodes[n].child[lane] += b->node_count;
        b->nodes[job->slot / 4].child[job->slot % 4] = b->node_count;
        b->node_count += job->node_count;
    }
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* Few items: no clusters. */
static void bvh_build_few(cm__bvh_builder *b, const cm_aabb *boxes, const cm__bvh *tree) {
    for (uint32_t i = 0; i < b->count; ++i) cm__bvh_item_of(&boxes[i], tree, i, &b->items[i]);
    cm__bvh_clear_node(&b->nodes[0]); /* the boxes may have lain there */
    if (b->count == 0) return;
    if (b->count <= b->leaf) {
        cm__bvh_range all = cm__bvh_measure(b->items, 0, b->count);
        cm__bvh_set_box(&b->nodes[0], 0, &all);
        b->nodes[0].count[0] = b->count;
        for (uint32_t i = 0; i < b->count; ++i) b->numbers[i] = i;
        return;
    }
    cm__bvh_job job;
    memset(&job, 0, sizeof job);
    job.items = b->items, job.count = b->count, job.level = 1, job.base = 1;
    cm__bvh_range all = bvh_grow_job(b, &job, NULL, 1);
    cm__bvh_set_box(&b->nodes[0], 0, &all);
    b->nodes[0].child[0] = 1;
    b->node_count += job.node_count;
}

static bool bvh_build_many(cm__bvh_builder *b, const cm_aabb *boxes, const cm__bvh *tree, uint64_t *keys,
                           const cm_tasks *tasks) {
    const size_t room = (size_t)cm__workers(tasks) * CM__BVH_OPEN;
    b->opened = cm__alloc(b->mem, room, sizeof *b->opened);
    bool ok = b->opened && cm__bvh_upper(b, boxes, tree, keys, tasks);
    if (ok && cm__workers(tasks) > 1) {
        bvh_grow_parallel(b, tasks);
    } else if (ok) {
        bvh_grow_serial(b);
    }
    cm__bvh_upper_free(b);
    cm__free(b->mem, b->opened, room, sizeof *b->opened);
    return ok;
}

/* The root's node; what split.h says of plots; and a node of fewer than four clusters each time that more than
 * CM__BVH_OPEN items come down to them. */
size_t cm__bvh_node_room(uint32_t count, uint32_t leaf) {
    return 2 + (size_t)cm__bvh_most_nodes(count, leaf) + count / CM__BVH_OPEN;
}

cm_status cm__bvh_build_in(const cm__bvh_space *space, const cm_aabb *boxes, uint32_t count, uint32_t leaf,
                           const cm_allocator *mem, const cm_tasks *tasks, cm__bvh *out) {
    cm__bvh tree;
    cm__bvh_builder b;
    memset(&b, 0, sizeof b);
    b.crowd = cm__bvh_units(space->bounds, boxes, count, &tree);
    b.mem = mem, b.count = count, b.leaf = leaf;
    b.items = space->items, b.nodes = space->nodes, b.numbers = space->numbers;
    b.node_count = 1, b.free_levels = CM__BVH_FREE_LEVELS;
    if (count > CM__BVH_OPEN) {
        if (!bvh_build_many(&b, boxes, &tree, space->keys, tasks)) return CM_NO_MEMORY;
    } else {
        bvh_build_few(&b, boxes, &tree);
    }
    tree.nodes = space->nodes, tree.items = space->numbers;
    tree.node_count = b.node_count, tree.item_count = count, tree.node_room = cm__bvh_node_room(count, leaf);
    *out = tree;
    return CM_OK;
}

cm_status cm__bvh_build(const cm_aabb *boxes, uint32_t count, uint32_t leaf, const cm_allocator *mem, cm__bvh *out) {
    cm__bvh_space space;
    size_t room = cm__bvh_node_room(count, leaf);
    space.items = cm__alloc(mem, count, sizeof(cm__bvh_item));
    space.keys = cm__alloc(mem, 2 * (size_t)count, sizeof(uint64_t));
    space.nodes = cm__alloc(mem, room, sizeof(cm__bvh_node));
    space.numbers = cm__alloc(mem, count, sizeof(uint32_t));
    space.bounds = NULL;
    cm_status status = CM_NO_MEMORY;
    if (space.items && space.keys && space.nodes && space.numbers)
        status = cm__bvh_build_in(&space, boxes, count, leaf, mem, NULL, out);
    if (status != CM_OK) {
        cm__free(mem, space.numbers, count, sizeof(uint32_t));
        cm__free(mem, space.nodes, room, sizeof(cm__bvh_node));
    }
    cm__free(mem, space.keys, 2 * (size_t)count, sizeof(uint64_t));
    cm__free(mem, space.items, count, sizeof(cm__bvh_item));
    return status;
}

void cm__bvh_free(cm__bvh *tree, const cm_allocator *mem) {
    cm__free(mem, (void *)(uintptr_t)tree->nodes, tree->node_room, sizeof(cm__bvh_node));
    cm__free(mem, (void *)(uintptr_t)tree->items, tree->item_count, sizeof(uint32_t));
    tree->nodes = NULL, tree->items = NULL;
}
