/* Makes the eight-wide tree out of the four-wide one: a node takes up the children of a node there and opens the
 * largest of them, as long as there is room; leaves that lie side by side are put together where one box costs a ray no
 * more than two. */
#include "bvh/wide.h"
#include "base/memory.h"
#include "math/point.h"

/* A part of the four-wide tree that becomes a child: the items [first, first + count). */
typedef struct wide_part {
    double min[3], max[3], area; /* half of its box's */
    uint32_t first, count, node; /* node: in the four-wide tree; CM_NONE for a leaf */
} wide_part;

typedef struct wide_builder {
    const cm__bvh *tree;
    uint32_t *counts, *firsts; /* by four-wide node: of all items below */
    cm__wide_node *nodes;
    uint32_t node_count;
} wide_builder;

/* Children follow their parents, so backwards the counts below are known. */
static void wide_count(wide_builder *b) {
    for (uint32_t n = b->tree->node_count; n-- > 0;) {
        const cm__bvh_node *node = &b->tree->nodes[n];
        b->counts[n] = 0;
        for (int i = 4; i-- > 0;) {
            if (node->half[0][i] < 0) continue;
            bool leaf = node->count[i] > 0;
            b->counts[n] += leaf ? node->count[i] : b->counts[node->child[i]];
            b->firsts[n] = leaf ? node->child[i] : b->firsts[node->child[i]];
        }
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
        p->count = leaf ? from->count[i] : b->counts[from->child[i]];
        p->first = leaf ? from->child[i] : b->firsts[from->child[i]];
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
static void wide_set_boxes(cm__wide_node *node, const wide_part parts[CM__WIDE], int count, const int lanes[CM__WIDE]) {
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
            node->side[k][0][lanes[i]] = (uint8_t)(a > 0 ? a : 0);
            node->side[k][1][lanes[i]] = (uint8_t)(z < 255 ? z : 255);
        }
    }
}

/* The best of the free lanes for a part; the lowest of equal ones. */
static int wide_best_lane(const double gain[CM__WIDE], unsigned taken) {
    int best = -1;
    double most = -DBL_MAX;
    for (int lane = 0; lane < CM__WIDE; ++lane) {
        bool more = !(taken >> lane & 1) && gain[lane] > most;
        most = more ? gain[lane] : most, best = more ? lane : best;
    }
    return best;
}

/* Which lane each part gets: the best pair of a part and a lane first. What is near one corner of the node gets the
 * corner's number. */
static void wide_set_lanes(const wide_part parts[CM__WIDE], int count, int lanes[CM__WIDE]) {
    double middle[3] = {0, 0, 0}, gain[CM__WIDE][CM__WIDE];
    for (int k = 0; k < 3; ++k) {
        double low = parts[0].min[k], high = parts[0].max[k];
        for (int i = 1; i < count; ++i) {
            low = cm__least(parts[i].min[k], low);
            high = cm__most(parts[i].max[k], high);
        }
        middle[k] = low + high;
    }
    int best[CM__WIDE];
    for (int i = 0; i < count; ++i) {
        double x = parts[i].min[0] + parts[i].max[0] - middle[0], y = parts[i].min[1] + parts[i].max[1] - middle[1];
        double z = parts[i].min[2] + parts[i].max[2] - middle[2];
        for (int lane = 0; lane < CM__WIDE; ++lane)
            gain[i][lane] = (lane & 1 ? x : -x) + (lane & 2 ? y : -y) + (lane & 4 ? z : -z);
        best[i] = wide_best_lane(gain[i], 0);
    }
    unsigned placed = 0, taken = 0;
    for (int n = 0; n < count; ++n) {
        int part = -1;
        double most = -DBL_MAX;
        for (int i = 0; i < count; ++i) {
            if (placed >> i & 1) continue;
            if (taken >> best[i] & 1) best[i] = wide_best_lane(gain[i], taken);
            if (gain[i][best[i]] > most) most = gain[i][best[i]], part = i;
        }
        placed |= 1u << part, taken |= 1u << best[part];
        lanes[part] = best[part];
    }
}

typedef struct wide_task {
    uint32_t node, from; /* to fill, and what to fill it with */
} wide_task;

/* Fills a node; its inner children are laid side by side at the end, `below` tells what of. Returns how many. */
static int wide_fill(wide_builder *b, uint32_t index, wide_part parts[CM__WIDE], int count, wide_task below[CM__WIDE]) {
    do {
        while (wide_open(b, parts, &count)) continue;
    } while (wide_merge(parts, &count));
    int lanes[CM__WIDE], part_of[CM__WIDE];
    wide_set_lanes(parts, count, lanes);
    for (int i = 0; i < CM__WIDE; ++i) part_of[i] = -1;
    for (int i = 0; i < count; ++i) part_of[lanes[i]] = i;
    cm__wide_node *node = &b->nodes[index];
    memset(node, 0, sizeof *node);
    wide_set_boxes(node, parts, count, lanes);
    int inner = 0;
    for (int i = 0; i < CM__WIDE; ++i) {
        if (part_of[i] < 0) continue;
        const wide_part *part = &parts[part_of[i]];
        if (part->node != CM_NONE) {
            below[inner].node = node->child[i] = b->node_count++;
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

static void wide_grow(wide_builder *b) {
    wide_task stack[(CM__WIDE - 1) * CM__BVH_DEPTH + CM__WIDE], below[CM__WIDE];
    wide_part parts[CM__WIDE];
    int top = 0;
    b->node_count = 1;
    if (b->tree->item_count == 0) {
        memset(&b->nodes[0], 0, sizeof b->nodes[0]);
        return;
    }
    int count = wide_parts_of(b, 0, parts), inner = wide_fill(b, 0, parts, count, below);
    for (;;) {
        for (int i = inner; i-- > 0;) stack[top++] = below[i]; /* the first child next */
        if (top == 0) return;
        wide_task task = stack[--top];
        count = wide_parts_of(b, task.from, parts);
        inner = wide_fill(b, task.node, parts, count, below);
    }
}

bool cm__wide_build(const cm__bvh *tree, const cm_allocator *mem, const cm_tasks *tasks, cm__wide_node *nodes,
                    uint32_t *count) {
    wide_builder b;
    (void)tasks;
    b.tree = tree, b.nodes = nodes;
    b.counts = cm__alloc(mem, tree->node_count, sizeof *b.counts);
    b.firsts = cm__alloc(mem, tree->node_count, sizeof *b.firsts);
    bool ok = b.counts && b.firsts;
    if (ok) {
        wide_count(&b);
        wide_grow(&b);
        *count = b.node_count;
    }
    cm__free(mem, b.firsts, tree->node_count, sizeof *b.firsts);
    cm__free(mem, b.counts, tree->node_count, sizeof *b.counts);
    return ok;
}
