/* Makes the eight-wide tree out of the four-wide one. A node holds some consecutive children of a four-wide node, each
 * in a lane of its own, or opened, so that its own children take several lanes. Which children to open is decided for
 * all nodes at once, from the leaves up, so that the expected number of visits by a ray is least: a node or a leaf is
 * visited in proportion to the area of its box. That fills 6.6 of a node's 8 lanes; a tree of fewer nodes finds more
 * room in the cache.
 *
 * The children of a four-wide node are joined, two at a time that follow each other, until one part is left; such a
 * join may become a node, or a leaf if it has few items. For each number of lanes the least cost of a join is that of
 * some of them for its one half and the rest for the other, or that of one lane. A node opens all joins of the
 * four-wide node that it begins at, so that no level here is less than one there.
 *
 * Nodes of many items come first, then for each of the others what is below it: a job that any worker may do.
 *
 * Based on: [Ylitie17] the costs. */
#include "bvh/wide.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "math/point.h"

/* A part of the four-wide tree that becomes a child: the items [first, first + count). */
typedef struct wide_part {
    double min[3], max[3], area;        /* half of its box's */
    uint32_t first, count, leaves, run; /* leaves: of the four-wide tree; run: 4 node + join, CM_NONE for one leaf */
} wide_part;

/* What a four-wide node has below it. */
typedef struct wide_below {
    uint32_t count, first, leaves, plan;
} wide_below;

/* Costs in 1 to CM__WIDE lanes, or fewer. The last three bits tell how many of them go to the first half. */
typedef struct wide_cost {
    float of[CM__WIDE];
} wide_cost;

/* Of a four-wide node of more items than a leaf holds: its joins with the halves apart, or in one lane; and all of it
 * where a node begins there. */
typedef struct wide_plan {
    wide_cost apart[3], top;
    float one[3];
} wide_plan;

/* A part of the tree that is built for itself. */
typedef struct wide_job {
    uint32_t node, from;       /* to fill, and the run to fill it with */
    uint32_t leaves;           /* of the four-wide tree, below */
    uint32_t base, node_count; /* where the nodes below it are */
} wide_job;

enum {
    WIDE_JOB = 16384, /* items */
    WIDE_LEAST = 5    /* lanes of a node, unless all of them are leaves */
};

typedef struct wide_builder {
    const cm__bvh *tree;
    const cm_allocator *mem;
    wide_below *below; /* by four-wide node */
    wide_plan *plans;
    uint32_t plan_count;
    wide_job *jobs;
    size_t job_count, job_room;
    cm__wide_node *nodes;
    uint32_t node_count; /* of the upper nodes, then of all */
} wide_builder;

/* Children follow their parents, so backwards what is below them is known. */
static void wide_count(wide_builder *b) {
    b->plan_count = 0;
    for (uint32_t n = b->tree->node_count; n-- > 0;) {
        const cm__bvh_node *node = &b->tree->nodes[n];
        wide_below all = {0, 0, 0, 0};
        for (int i = 4; i-- > 0;) {
            if (node->half[0][i] < 0) continue;
            if (node->count[i] > 0) {
                all.count += node->count[i], all.first = node->child[i], ++all.leaves;
            } else {
                const wide_below *child = &b->below[node->child[i]];
                all.count += child->count, all.first = child->first, all.leaves += child->leaves;
            }
        }
        if (all.count > CM__WIDE_LEAF) all.plan = b->plan_count++;
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
        const wide_below leaf = {from->count[i], from->child[i], 1, 0};
        const wide_below *below = from->count[i] > 0 ? &leaf : &b->below[from->child[i]];
        p->count = below->count, p->first = below->first, p->leaves = below->leaves;
        p->run = p->count <= CM__WIDE_LEAF ? CM_NONE : 4 * from->child[i];
    }
    return n;
}

static wide_part wide_join(const wide_part *p, const wide_part *q) {
    wide_part r = *p;
    r.count += q->count, r.leaves += q->leaves;
    for (int k = 0; k < 3; ++k) {
        r.min[k] = cm__least(p->min[k], q->min[k]);
        r.max[k] = cm__most(p->max[k], q->max[k]);
    }
    wide_measure(&r);
    return r;
}

/* The joins of a four-wide node: join 1 is of its first two children, 2 of the others if there are four, 0 of both.
 * Returns how many, of which half[i] are joined by join i. */
static int wide_joins_of(const wide_builder *b, uint32_t node, wide_part half[3][2]) {
    wide_part parts[4];
    const int count = wide_parts_of(b, node, parts);
    half[0][0] = parts[0], half[0][1] = parts[count - 1];
    for (int i = 0; i < count - 2; ++i) {
        half[i + 1][0] = parts[2 * i], half[i + 1][1] = parts[2 * i + 1];
        half[0][i] = wide_join(&parts[2 * i], &parts[2 * i + 1]);
        half[0][i].run = 4 * node + 1 + (uint32_t)i;
    }
    return count - 1;
}

/* --- what to open ------------------------------------------------------------------------------------------------ */

#define WIDE_NEVER 1e30f

static inline float wide_tag(float cost, uint32_t first) {
    uint32_t bits;
    memcpy(&bits, &cost, sizeof bits);
    bits = (bits & ~UINT32_C(7)) | first;
    memcpy(&cost, &bits, sizeof cost);
    return cost;
}

static int wide_first(const wide_cost *c, int lanes) {
    uint32_t bits;
    memcpy(&bits, &c->of[lanes - 1], sizeof bits);
    return (int)(bits & 7);
}

/* Lanes shared out among two halves so that the cost is least. */
static void wide_share(const wide_cost *p, const wide_cost *q, wide_cost *out) {
    for (int i = 0; i < CM__WIDE; ++i) {
        float least = WIDE_NEVER;
        for (int k = 0; k < i; ++k) {
            const float cost = wide_tag(p->of[k] + q->of[i - k - 1], (uint32_t)k + 1);
            least = cost < least ? cost : least;
        }
        out->of[i] = least;
    }
}

static const wide_plan *wide_plan_of(const wide_builder *b, uint32_t run) { return &b->plans[b->below[run / 4].plan]; }

/* Of a part of a node. */
static wide_cost wide_cost_of(const wide_builder *b, const wide_part *p) {
    wide_cost c;
    const wide_plan *plan = p->run == CM_NONE ? NULL : wide_plan_of(b, p->run);
    const float one = plan ? plan->one[p->run % 4] : (float)p->area;
    for (int i = 0; i < CM__WIDE; ++i) {
        const float apart = plan ? plan->apart[p->run % 4].of[i] : one;
        c.of[i] = apart < one ? apart : one;
    }
    return c;
}

/* Where a node begins, the joins there are apart, unless they are leaves. */
static bool wide_is_join(const wide_part *p, uint32_t node) {
    return p->run != CM_NONE && p->run / 4 == node && p->count > CM__WIDE_LEAF;
}

/* What is below the node is planned. */
static void wide_make_plan(const wide_builder *b, uint32_t node) {
    wide_part half[3][2];
    wide_plan *plan = &b->plans[b->below[node].plan];
    for (int j = wide_joins_of(b, node, half); j-- > 0;) {
        const wide_part *p = &half[j][0], *q = &half[j][1], all = wide_join(p, q);
        wide_cost first = wide_cost_of(b, p), last = wide_cost_of(b, q);
        wide_share(&first, &last, &plan->apart[j]);
        const wide_cost *top = &plan->apart[j];
        if (j == 0) {
            if (wide_is_join(p, node)) first = plan->apart[p->run % 4];
            if (wide_is_join(q, node)) last = plan->apart[q->run % 4];
            wide_share(&first, &last, &plan->top);
            top = &plan->top;
        }
        plan->one[j] = (float)all.area + (all.count > CM__WIDE_LEAF ? top->of[CM__WIDE - 1] : 0);
    }
}

/* Opens the largest parts until there are WIDE_LEAST, or only leaves, for wide_most_below: seldom needed, as where
 * small costs are lost beside large ones. */
static int wide_open_more(const wide_builder *b, wide_part parts[CM__WIDE], int count) {
    while (count < WIDE_LEAST) {
        int pick = -1;
        for (int i = 0; i < count; ++i)
            if (parts[i].run != CM_NONE && (pick < 0 || parts[i].area > parts[pick].area)) pick = i;
        if (pick < 0) break;
        wide_part half[3][2];
        const uint32_t run = parts[pick].run;
        wide_joins_of(b, run / 4, half);
        for (int i = 0; i < 2; ++i) {
            wide_part *p = &parts[i == 0 ? pick : count];
            *p = half[run % 4][i];
            if (p->count <= CM__WIDE_LEAF) p->run = CM_NONE;
        }
        ++count;
    }
    return count;
}

/* What to fill a node with that begins at a run. Returns how many. */
static int wide_choose(const wide_builder *b, uint32_t from, wide_part out[CM__WIDE]) {
    wide_part part[CM__WIDE], half[3][2]; /* still to look at, and in how many lanes they may be */
    int lanes[CM__WIDE], waiting = 1, count = 0;
    part[0].run = from, lanes[0] = CM__WIDE;
    for (bool begins = true; waiting > 0; begins = false) {
        const wide_part p = part[--waiting];
        const int room = lanes[waiting];
        const wide_plan *plan = p.run == CM_NONE ? NULL : wide_plan_of(b, p.run);
        const uint32_t node = p.run / 4, join = p.run % 4;
        if (!begins && !(plan && plan->apart[join].of[room - 1] < plan->one[join])) {
            out[count] = p;
            if (p.count <= CM__WIDE_LEAF) out[count].run = CM_NONE;
            ++count;
            continue;
        }
        wide_joins_of(b, node, half);
        const int first = wide_first(begins && join == 0 ? &plan->top : &plan->apart[join], room);
        for (int i = 0; i < 2; ++i) {
            const wide_part *q = &half[join][i];
            const int some = i == 0 ? first : room - first;
            if (begins && wide_is_join(q, node)) {
                const int left = wide_first(&plan->apart[q->run % 4], some);
                part[waiting] = half[q->run % 4][0], lanes[waiting++] = left;
                part[waiting] = half[q->run % 4][1], lanes[waiting++] = some - left;
            } else {
                part[waiting] = *q, lanes[waiting++] = some;
            }
        }
    }
    return wide_open_more(b, out, count);
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
        const double grow = cm__most(fabs(low), fabs(high)) * 0x1p-18; /* for the roundings of mesh/kernel.c */
        low -= grow, high += grow;
        float from = (float)low;
        if ((double)from > low) from -= (from < 0 ? -from : from) * FLT_EPSILON + FLT_MIN;
        float step = (float)((high - (double)from) / 255) * (1 + 2 * FLT_EPSILON);
        step = step > 0x1p-100f ? step : 0x1p-100f;
        double per = 1 / (double)step, size = (double)step;
        node->low[k] = from, node->step[k] = step;
        memset(node->side[k][0], 255, CM__WIDE);
        for (int i = 0; i < count; ++i) {
            double x = parts[i].min[k] - grow - (double)from, y = parts[i].max[k] + grow - (double)from;
            int32_t a = (int32_t)(x * per), z = (int32_t)(y * per); /* neither is negative: rounded down */
            z += (double)z < y * per;
            a -= (double)a * size > x; /* the quotient was rounded, by less than a step */
            z += (double)z * size < y;
            node->side[k][0][i] = (uint8_t)(a > 0 ? a : 0);
            node->side[k][1][i] = (uint8_t)(z < 255 ? z : 255);
        }
    }
}

/* Fills a node with what a run holds; its inner children are laid side by side from *next on, `below` tells
 * what of. Returns how many. */
static int wide_fill(const wide_builder *b, uint32_t index, uint32_t from, uint32_t *next, wide_job below[CM__WIDE]) {
    wide_part parts[CM__WIDE];
    const int count = wide_choose(b, from, parts);
    cm__wide_node *node = &b->nodes[index];
    memset(node, 0, sizeof *node);
    wide_set_boxes(node, parts, count);
    int inner = 0;
    for (int i = 0; i < count; ++i) {
        const wide_part *part = &parts[i];
        if (part->run != CM_NONE) {
            below[inner].node = node->child[i] = (*next)++;
            below[inner].from = part->run;
            below[inner++].leaves = part->leaves;
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

/* The run of all items: the root's node may have one child only. */
static uint32_t wide_root(const wide_builder *b) {
    const cm__bvh_node *root = &b->tree->nodes[0];
    return root->half[0][1] >= 0 ? 0 : 4 * root->child[0];
}

/* Fills nodes of more than WIDE_JOB items; what is left are jobs. False: no memory. */
static bool wide_grow_upper(wide_builder *b) {
    wide_job stack[WIDE_STACK], below[CM__WIDE];
    int top = 1;
    stack[0].node = 0, stack[0].from = wide_root(b), stack[0].leaves = b->below[0].leaves;
    while (top > 0) {
        const wide_job task = stack[--top];
        if (b->below[task.from / 4].count > WIDE_JOB) {
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

/* How many nodes there can be below a job's. A node has WIDE_LEAST lanes or more, or leaves only, which are then made
 * of as many leaves of the four-wide tree or more, as those have at most 2 items. So each node takes the place of 4
 * such leaves at least: of L there are at most (L - 1) / 4 nodes, those of all jobs and those above counted. */
static uint32_t wide_most_below(const wide_job *job) { return (job->leaves - 1) / (WIDE_LEAST - 1) - 1; }

static void wide_grow_parallel(wide_builder *b, const cm_tasks *tasks) {
    uint32_t base = b->node_count;
    for (size_t i = 0; i < b->job_count; ++i) {
        b->jobs[i].base = base;
        base += wide_most_below(&b->jobs[i]);
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

/* So few items that they are one leaf. */
static void wide_fill_one(const wide_builder *b) {
    wide_part parts[CM__WIDE];
    const int count = wide_parts_of(b, 0, parts);
    for (int i = 1; i < count; ++i) parts[0] = wide_join(&parts[0], &parts[i]);
    wide_set_boxes(&b->nodes[0], parts, 1);
    b->nodes[0].child[0] = parts[0].first;
    b->nodes[0].count[0] = (uint8_t)parts[0].count;
    b->nodes[0].leaves = 1;
}

bool cm__wide_build(const cm__bvh *tree, const cm_allocator *mem, const cm_tasks *tasks, cm__wide_node *nodes,
                    uint32_t *count) {
    memset(&nodes[0], 0, sizeof nodes[0]);
    *count = 1;
    if (tree->item_count == 0) return true;
    wide_builder b;
    memset(&b, 0, sizeof b);
    b.tree = tree, b.mem = mem, b.nodes = nodes, b.node_count = 1;
    b.below = cm__alloc(mem, tree->node_count, sizeof *b.below);
    if (b.below) wide_count(&b);
    if (b.below && b.plan_count > 0) b.plans = cm__alloc(mem, b.plan_count, sizeof *b.plans);
    bool ok = b.below && (b.plans || b.plan_count == 0);
    if (ok && b.plan_count > 0) {
        for (uint32_t n = tree->node_count; n-- > 0;)
            if (b.below[n].count > CM__WIDE_LEAF && (n > 0 || wide_root(&b) == 0)) wide_make_plan(&b, n);
        ok = wide_grow_upper(&b);
    } else if (ok) {
        wide_fill_one(&b);
    }
    if (ok && cm__workers(tasks) > 1) {
        wide_grow_parallel(&b, tasks);
    } else if (ok) {
        wide_grow_serial(&b);
    }
    *count = b.node_count;
    cm__free(mem, b.jobs, b.job_room, sizeof *b.jobs);
    cm__free(mem, b.plans, b.plan_count, sizeof *b.plans);
    cm__free(mem, b.below, tree->node_count, sizeof *b.below);
    return ok;
}

/* --- what has moved ---------------------------------------------------------------------------------------------- */

typedef struct wide_sides {
    double min[3], max[3];
} wide_sides;

static void wide_sides_join(wide_sides *io, const wide_sides *sides) {
    for (int k = 0; k < 3; ++k) {
        io->min[k] = cm__least(sides->min[k], io->min[k]);
        io->max[k] = cm__most(sides->max[k], io->max[k]);
    }
}

/* Each leaf's box, at all of its items. */
static void wide_leaf_sides(const cm__bvh *tree, wide_sides *at) {
    for (uint32_t n = 0; n < tree->node_count; ++n) {
        const cm__bvh_node *node = &tree->nodes[n];
        for (int i = 0; i < 4; ++i)
            for (uint32_t j = 0; node->half[0][i] >= 0 && j < node->count[i]; ++j)
                for (int k = 0; k < 3; ++k) {
                    at[node->child[i] + j].min[k] = (double)node->center[k][i] - (double)node->half[k][i];
                    at[node->child[i] + j].max[k] = (double)node->center[k][i] + (double)node->half[k][i];
                }
    }
}

void cm__wide_refit(const cm__bvh *tree, double *scratch, cm__wide_node *nodes, uint32_t count) {
    const wide_sides none = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    wide_sides *at = (wide_sides *)(void *)scratch, *below = at + tree->item_count;
    wide_leaf_sides(tree, at);
    for (uint32_t n = count; n-- > 0;) { /* children follow their parents, and the lanes in use are the first */
        cm__wide_node *node = &nodes[n];
        wide_part parts[CM__WIDE];
        int used = 0;
        below[n] = none;
        for (; used < CM__WIDE && ((node->inner | node->leaves) >> used & 1); ++used) {
            const bool inner = node->inner >> used & 1;
            const wide_sides *from = inner ? &below[node->child[used]] : &at[node->child[used]];
            wide_sides sides = none;
            for (uint32_t i = 0; i < (inner ? 1u : node->count[used]); ++i) wide_sides_join(&sides, &from[i]);
            memcpy(parts[used].min, sides.min, sizeof sides.min);
            memcpy(parts[used].max, sides.max, sizeof sides.max);
            wide_sides_join(&below[n], &sides);
        }
        if (used > 0) wide_set_boxes(node, parts, used);
    }
}
