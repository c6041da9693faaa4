/* Makes the eight-wide tree out of the four-wide one: a node takes up the children of a node there and opens the
 * largest of them, as long as there is room; leaves that lie side by side are put together where one box costs a ray no
 * more than two.
 *
 * Nodes of many items come first, then for each of the others what is below it: a job that any worker may do. */
#include "bvh/wide.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "math/point.h"

/* A part of the four-wide tree that becomes a child: the items [first, first + count). */
typedef struct wide_part {
    double min[3], max[3], area; /* half of its box's */
    uint32_t first, count, node; /* node: in the four-wide tree; CM_NONE for a leaf */
} wide_part;

/* What a four-wide node has below it: items, the first of them, and nodes, itself included. */
typedef struct wide_below {
    uint32_t count, first, nodes;
} wide_below;

/* A part of the tree that is built for itself. */
typedef struct wide_job {
    uint32_t node, from;       /* to fill, and what to fill it with */
    uint32_t base, node_count; /* where the nodes below it are */
} wide_job;

enum { WIDE_JOB = 16384 /* items */ };

typedef struct wide_builder {
    const cm__bvh *tree;
    const cm_allocator *mem;
    wide_below *below; /* by four-wide node */
    wide_job *jobs;
    size_t job_count, job_room;
    cm__wide_node *nodes;
    uint32_t node_count; /* of the upper nodes, then of all */
} wide_builder;

/* Children follow their parents, so backwards what is below them is known. */
static void wide_count(wide_builder *b) {
    for (uint32_t n = b->tree->node_count; n-- > 0;) {
        const cm__bvh_node *node = &b->tree->nodes[n];
        wide_below all = {0, 0, 1};
        for (int i = 4; i-- > 0;) {
            if (node->half[0][i] < 0) continue;
            if (node->count[i] > 0) {
                all.count += node->count[i], all.first = node->child[i];
            } else {
                const wide_below *child = &b->below[node->child[i]];
                all.count += child->count, all.first = child->first, all.nodes += child->nodes;
            }
        }
        b->below[n] = all;
    }
}

static void wide_measure(wide_part *p) {
    double x = p->max[0] - p->min[0], y = p->max[1] - p->min[1], z = p->max[2] - p->min[2];
    p->area = x * y + y * z + z * x;
}

/* The children of a four-wide node; those with few items become leaves. Returns how many. */
static int wide_parts_of(const wide_builder *b, uint32_t node, wide_part out[4]) {
    const cm__bvh_node *from = &b->tree->nodes[node];
    int n = 0;
    for (int i = 0; i < 4; ++i) {
        if (from->half[0][i] < 0) continue;
        wide_part *p = &out[n++];
        for (int k = 0; k < 3; ++k) {
            p->min[k] = (double)from->center[k][i] - (double)from->half[k][i];
            p->max[k] = (double)from->center[k][i] + (double)from->half[k][i];
        }
        wide_measure(p);
        bool leaf = from->count[i] > 0;
        p->count = leaf ? from->count[i] : b->below[from->child[i]].count;
        p->first = leaf ? from->child[i] : b->below[from->child[i]].first;
        p->node = p->count <= CM__WIDE_LEAF ? CM_NONE : from->child[i];
    }
    return n;
}

static wide_part wide_join(const wide_part *p, const wide_part *q) {
    wide_part r = *p;
    r.count += q->count;
    for (int k = 0; k < 3; ++k) {
        r.min[k] = cm__least(p->min[k], q->min[k]);
        r.max[k] = cm__most(p->max[k], q->max[k]);
    }
    wide_measure(&r);
    return r;
}

/* Opens the largest part that has room to be opened. */
static bool wide_open(const wide_builder *b, wide_part parts[CM__WIDE], int *count) {
    int pick = -1, n = 0;
    double size = -1;
    for (int i = 0; i < *count; ++i) {
        if (parts[i].node == CM_NONE || !(parts[i].area > size)) continue;
        const float *half = b->tree->nodes[parts[i].node].half[0];
        int m = (half[0] >= 0) + (half[1] >= 0) + (half[2] >= 0) + (half[3] >= 0);
        if (*count - 1 + m > CM__WIDE) continue;
        size = parts[i].area, pick = i, n = m;
    }
    if (pick < 0) return false;
    wide_part opened[4];
    wide_parts_of(b, parts[pick].node, opened);
    memmove(&parts[pick + n], &parts[pick + 1], (size_t)(*count - pick - 1) * sizeof *parts);
    memcpy(&parts[pick], opened, (size_t)n * sizeof *parts);
    *count += n - 1;
    return true;
}

/* Puts leaves together that follow each other. */
static bool wide_merge(wide_part parts[CM__WIDE], int *count) {
    bool any = false;
    for (int i = 0; i + 1 < *count;) {
        wide_part *p = &parts[i];
        if (p->node == CM_NONE && p[1].node == CM_NONE && p->count + p[1].count <= CM__WIDE_LEAF) {
            wide_part both = wide_join(p, &p[1]);
            if (both.area <= p->area + p[1].area) {
                *p = both;
                memmove(&p[1], &p[2], (size_t)(*count - i - 2) * sizeof *p);
                --*count;
                any = true;
                continue;
            }
        }
        ++i;
    }
    return any;
}

/* The sides in steps, outwards. In double, where a multiple of a step by a byte is exact. */
static void wide_set_boxes(cm__wide_node *node, const wide_part parts[CM__WIDE], int count) {
    memset(node->side, 0, sizeof node->side);
    for (int k = 0; k < 3; ++k) {
        double low = parts[0].min[k], high = parts[0].max[k];
        for (int i = 1; i < count; ++i) {
            low = cm__least(parts[i].min[k], low);
            high = cm__most(parts[i].max[k], high);
        }
        float from = (float)low;
        if ((double)from > low) from -= (from < 0 ? -from : from) * FLT_EPSILON + FLT_MIN;
        float step = (float)((high - (double)from) / 255) * (1 + 2 * FLT_EPSILON); /* of 2^-22 at least, */
        step = step > 0x1p-22f ? step : 0x1p-22f; /* so that the margin of a ray does not meet empty boxes */
        double per = 1 / (double)step, size = (double)step;
        node->low[k] = from, node->step[k] = step;
        memset(node->side[k][0], 255, CM__WIDE);
        for (int i = 0; i < count; ++i) {
            double x = parts[i].min[k] - (double)from, y = parts[i].max[k] - (double)from;
            int32_t a = (int32_t)(x * per), z = (int32_t)(y * per); /* neither is negative: rounded down */
            z += (double)z < y * per;
            a -= (double)a * size > x; /* the quotient was rounded, by less than a step */
            z += (double)z * size < y;
            node->side[k][0][i] = (uint8_t)(a > 0 ? a : 0);
            node->side[k][1][i] = (uint8_t)(z < 255 ? z : 255);
        }
    }
}

/* Fills a node with what a four-wide one holds; its inner children are laid side by side from *next on, `below` tells
 * what of. Returns how many. */
static int wide_fill(const wide_builder *b, uint32_t index, uint32_t from, uint32_t *next, wide_job below[CM__WIDE]) {
    wide_part parts[CM__WIDE];
    int count = wide_parts_of(b, from, parts);
    do {
        while (wide_open(b, parts, &count)) continue;
    } while (wide_merge(parts, &count));
    cm__wide_node *node = &b->nodes[index];
    memset(node, 0, sizeof *node);
    wide_set_boxes(node, parts, count);
    int inner = 0;
    for (int i = 0; i < count; ++i) {
        const wide_part *part = &parts[i];
        if (part->node != CM_NONE) {
            below[inner].node = node->child[i] = (*next)++;
            below[inner++].from = part->node;
            node->inner |= (uint8_t)(1u << i);
        } else {
            node->child[i] = part->first;
            node->count[i] = (uint8_t)part->count;
            node->leaves |= (uint8_t)(1u << i);
        }
    }
    return inner;
}

enum { WIDE_STACK = (CM__WIDE - 1) * CM__BVH_DEPTH + CM__WIDE };

/* The node of a job and all below it, which are laid from job->base on. */
static void wide_grow(const wide_builder *b, wide_job *job) {
    wide_job stack[WIDE_STACK], below[CM__WIDE];
    uint32_t next = job->base;
    int top = 1;
    stack[0] = *job;
    while (top > 0) {
        const wide_job task = stack[--top];
        int inner = wide_fill(b, task.node, task.from, &next, below);
        while (inner-- > 0) stack[top++] = below[inner]; /* the first child next */
    }
    job->node_count = next - job->base;
}

/* Fills nodes of more than WIDE_JOB items; what is left are jobs. False: no memory. */
static bool wide_grow_upper(wide_builder *b) {
    wide_job stack[WIDE_STACK], below[CM__WIDE];
    int top = 1;
    b->node_count = 1;
    stack[0].node = stack[0].from = 0;
    while (top > 0) {
        const wide_job task = stack[--top];
        if (b->below[task.from].count > WIDE_JOB) {
            int inner = wide_fill(b, task.node, task.from, &b->node_count, below);
            while (inner-- > 0) stack[top++] = below[inner];
            continue;
        }
        void *jobs = b->jobs;
        bool ok = cm__reserve(b->mem, &jobs, &b->job_room, b->job_count + 1, sizeof *b->jobs);
        b->jobs = jobs;
        if (!ok) return false;
        b->jobs[b->job_count++] = task;
    }
    return true;
}

static void wide_run_job(void *arg, int index, int worker) {
    (void)worker;
    const wide_builder *b = arg;
    wide_grow(b, &b->jobs[index]);
}

/* Moves the nodes below a job to where those of the last one end. */
static void wide_settle(wide_builder *b, const wide_job *job) {
    const uint32_t base = job->base, count = job->node_count, down = base - b->node_count;
    for (uint32_t n = base; n < base + count; ++n)
        for (int i = 0; i < CM__WIDE; ++i)
            if (b->nodes[n].inner >> i & 1) b->nodes[n].child[i] -= down;
    cm__wide_node *node = &b->nodes[job->node];
    for (int i = 0; i < CM__WIDE; ++i)
        if (node->inner >> i & 1) node->child[i] -= down;
    memmove(b->nodes + b->node_count, b->nodes + base, count * sizeof *b->nodes);
    b->node_count += count;
}

/* A node takes up at least one of the others: there is room for as many below each job, where they are not yet known.
 */
static void wide_grow_parallel(wide_builder *b, const cm_tasks *tasks) {
    uint32_t base = b->node_count;
    for (size_t i = 0; i < b->job_count; ++i) {
        b->jobs[i].base = base;
        base += b->below[b->jobs[i].from].nodes - 1;
    }
    cm__run(tasks, (int)b->job_count, wide_run_job, b);
    for (size_t i = 0; i < b->job_count; ++i) wide_settle(b, &b->jobs[i]);
}

static void wide_grow_serial(wide_builder *b) {
    for (size_t i = 0; i < b->job_count; ++i) {
        b->jobs[i].base = b->node_count;
        wide_grow(b, &b->jobs[i]);
        b->node_count += b->jobs[i].node_count;
    }
}

bool cm__wide_build(const cm__bvh *tree, const cm_allocator *mem, const cm_tasks *tasks, cm__wide_node *nodes,
                    uint32_t *count) {
    if (tree->item_count == 0) {
        memset(&nodes[0], 0, sizeof nodes[0]);
        *count = 1;
        return true;
    }
    wide_builder b;
    memset(&b, 0, sizeof b);
    b.tree = tree, b.mem = mem, b.nodes = nodes;
    b.below = cm__alloc(mem, tree->node_count, sizeof *b.below);
    bool ok = b.below != NULL;
    if (ok) wide_count(&b);
    ok = ok && wide_grow_upper(&b);
    if (ok && cm__workers(tasks) > 1) {
        wide_grow_parallel(&b, tasks);
    } else if (ok) {
        wide_grow_serial(&b);
    }
    *count = b.node_count;
    cm__free(mem, b.jobs, b.job_room, sizeof *b.jobs);
    cm__free(mem, b.below, tree->node_count, sizeof *b.below);
    return ok;
}
