/* Builds the tree: top-down, each node split up to three times by the binned surface area heuristic.
 *
 * Depth: the first FREE_LEVELS levels split where the heuristic says, which may peel off one item at a time; below them
 * every range is halved by number, the largest first, so each level quarters it: 2^30 items end after 15 more levels.
 * With the level of slot 0 that is 20 + 15 + 1 = 36 <= CM__BVH_DEPTH.
 *
 * Based on: [Wald07] binning; [Wald08] wide nodes. */
#include "base/memory.h"
#include "bvh/bvh.h"

#include <string.h>

enum { FREE_LEVELS = 20, BINS = 16 };

/* A box to place: in tree units, rounded outwards. */
typedef struct bvh_item {
    float min[3], max[3];
    uint32_t number;
} bvh_item;

typedef struct bvh_range {
    uint32_t first, count;
    float min[3], max[3];         /* of the boxes */
    float mid_min[3], mid_max[3]; /* of their middles (doubled: min + max) */
} bvh_range;

typedef struct bvh_builder {
    bvh_item *items;
    cm__bvh_node *nodes;
    size_t node_room;
    uint32_t node_count, leaf;
    const cm_allocator *mem;
} bvh_builder;

static float bvh_float_down(double x) {
    float f = (float)x;
    return (double)f <= x ? f : f - (f < 0 ? -f : f) * FLT_EPSILON - FLT_MIN;
}
static float bvh_float_up(double x) { return -bvh_float_down(-x); }

static float bvh_middle(const bvh_item *item, int axis) { return item->min[axis] + item->max[axis]; }

static bvh_range bvh_measure(const bvh_item *items, uint32_t first, uint32_t count) {
    bvh_range r;
    r.first = first, r.count = count;
    for (int k = 0; k < 3; ++k) {
        r.min[k] = r.mid_min[k] = FLT_MAX;
        r.max[k] = r.mid_max[k] = -FLT_MAX;
    }
    for (uint32_t i = first; i < first + count; ++i) {
        for (int k = 0; k < 3; ++k) {
            float mid = bvh_middle(&items[i], k);
            r.min[k] = items[i].min[k] < r.min[k] ? items[i].min[k] : r.min[k];
            r.max[k] = items[i].max[k] > r.max[k] ? items[i].max[k] : r.max[k];
            r.mid_min[k] = mid < r.mid_min[k] ? mid : r.mid_min[k];
            r.mid_max[k] = mid > r.mid_max[k] ? mid : r.mid_max[k];
        }
    }
    return r;
}

static float bvh_half_area(const float *min, const float *max) {
    float x = max[0] - min[0], y = max[1] - min[1], z = max[2] - min[2];
    return x * y + y * z + z * x;
}

typedef struct bvh_bin {
    float min[3], max[3];
    uint32_t count;
} bvh_bin;

static void bvh_bin_clear(bvh_bin *bin) {
    bin->count = 0;
    for (int k = 0; k < 3; ++k) bin->min[k] = FLT_MAX, bin->max[k] = -FLT_MAX;
}
static void bvh_bin_join(bvh_bin *bin, const float *min, const float *max, uint32_t count) {
    bin->count += count;
    for (int k = 0; k < 3; ++k) {
        bin->min[k] = min[k] < bin->min[k] ? min[k] : bin->min[k];
        bin->max[k] = max[k] > bin->max[k] ? max[k] : bin->max[k];
    }
}

/* Which bin a middle falls in; the factor is finite because the range is wider than nothing. */
static int bvh_bin_of(float mid, float low, float factor) {
    int bin = (int)((mid - low) * factor);
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}
static float bvh_bin_factor(const bvh_range *r, int axis) {
    return (float)BINS / (r->mid_max[axis] - r->mid_min[axis]);
}

/* The best plane over three axes: axis (or -1: no plane parts them) and the first bin on the right. */
static int bvh_best_plane(const bvh_item *items, const bvh_range *r, int *plane) {
    bvh_bin bins[3][BINS];
    bool usable[3];
    for (int k = 0; k < 3; ++k) {
        float factor = bvh_bin_factor(r, k);
        usable[k] = r->mid_max[k] > r->mid_min[k] && factor < FLT_MAX;
        for (int b = 0; b < BINS; ++b) bvh_bin_clear(&bins[k][b]);
    }
    for (int k = 0; k < 3; ++k) {
        if (!usable[k]) continue;
        float factor = bvh_bin_factor(r, k);
        for (uint32_t i = r->first; i < r->first + r->count; ++i) {
            bvh_bin *bin = &bins[k][bvh_bin_of(bvh_middle(&items[i], k), r->mid_min[k], factor)];
            bvh_bin_join(bin, items[i].min, items[i].max, 1);
        }
    }
    int axis = -1;
    float best = FLT_MAX;
    for (int k = 0; k < 3; ++k) {
        if (!usable[k]) continue;
        float right_cost[BINS];
        bvh_bin side;
        bvh_bin_clear(&side);
        for (int b = BINS - 1; b > 0; --b) {
            bvh_bin_join(&side, bins[k][b].min, bins[k][b].max, bins[k][b].count);
            right_cost[b] = side.count > 0 ? bvh_half_area(side.min, side.max) * (float)side.count : FLT_MAX;
        }
        bvh_bin_clear(&side);
        for (int b = 1; b < BINS; ++b) {
            bvh_bin_join(&side, bins[k][b - 1].min, bins[k][b - 1].max, bins[k][b - 1].count);
            if (side.count == 0 || side.count == r->count) continue;
            float cost = bvh_half_area(side.min, side.max) * (float)side.count + right_cost[b];
            if (cost < best) best = cost, axis = k, *plane = b;
        }
    }
    return axis;
}

/* Splits r into *left and *right, each with at least one item. Items keep their order within each side where they are
 * halved by number; a partition by plane swaps from both ends, which depends on the input alone too. */
static void bvh_split(bvh_item *items, const bvh_range *r, bool by_number, bvh_range *left, bvh_range *right) {
    int plane = 0, axis = by_number ? -1 : bvh_best_plane(items, r, &plane);
    uint32_t middle = r->first + r->count / 2;
    if (axis >= 0) {
        float low = r->mid_min[axis], factor = bvh_bin_factor(r, axis);
        uint32_t i = r->first, end = r->first + r->count;
        while (i < end) {
            if (bvh_bin_of(bvh_middle(&items[i], axis), low, factor) < plane) {
                ++i;
            } else {
                bvh_item item = items[i];
                items[i] = items[--end];
                items[end] = item;
            }
        }
        middle = i;
    }
    *left = bvh_measure(items, r->first, middle - r->first);
    *right = bvh_measure(items, middle, r->first + r->count - middle);
}

/* Parts r into at most 4 ranges: splits the one that is largest, by area, or by number below the free levels. */
static int bvh_quarter(bvh_item *items, const bvh_range *r, uint32_t leaf, bool by_number, bvh_range out[4]) {
    int n = 1;
    out[0] = *r;
    while (n < 4) {
        int pick = -1;
        float size = -1;
        for (int i = 0; i < n; ++i) {
            if (out[i].count <= leaf) continue;
            float s = by_number ? (float)out[i].count : bvh_half_area(out[i].min, out[i].max);
            if (s > size) size = s, pick = i;
        }
        if (pick < 0) break;
        bvh_range whole = out[pick];
        for (int i = n; i > pick + 1; --i) out[i] = out[i - 1];
        bvh_split(items, &whole, by_number, &out[pick], &out[pick + 1]);
        ++n;
    }
    return n;
}

/* Adds a node with four empty slots. */
static bool bvh_add_node(bvh_builder *b, uint32_t *out) {
    void *nodes = b->nodes;
    bool ok = cm__reserve(b->mem, &nodes, &b->node_room, (size_t)b->node_count + 1, sizeof(cm__bvh_node));
    b->nodes = nodes;
    if (!ok) return false;
    cm__bvh_node *node = &b->nodes[b->node_count];
    memset(node, 0, sizeof *node);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 4; ++i) node->half[k][i] = -1e18f;
    *out = b->node_count++;
    return true;
}

static void bvh_set_box(cm__bvh_node *node, int lane, const bvh_range *r) {
    for (int k = 0; k < 3; ++k) {
        double lo = (double)r->min[k], hi = (double)r->max[k];
        float center = (float)(lo / 2 + hi / 2);
        double up = hi - (double)center, down = (double)center - lo;
        node->center[k][lane] = center;
        node->half[k][lane] = bvh_float_up(up > down ? up : down);
    }
}

typedef struct bvh_task {
    bvh_range range;
    uint32_t slot, level;
} bvh_task;

static bool bvh_grow(bvh_builder *b, uint32_t count) {
    bvh_task stack[CM__BVH_STACK];
    int top = 0;
    uint32_t root;
    if (!bvh_add_node(b, &root)) return false;
    stack[top].range = bvh_measure(b->items, 0, count);
    stack[top].slot = 0, stack[top].level = 1;
    bvh_set_box(&b->nodes[0], 0, &stack[top].range);
    ++top;
    while (top > 0) {
        bvh_task task = stack[--top];
        uint32_t lane = task.slot % 4, parent = task.slot / 4;
        if (task.range.count <= b->leaf) {
            b->nodes[parent].child[lane] = task.range.first;
            b->nodes[parent].count[lane] = task.range.count;
            continue;
        }
        uint32_t node;
        if (!bvh_add_node(b, &node)) return false;
        b->nodes[parent].child[lane] = node;
        bvh_range parts[4];
        int n = bvh_quarter(b->items, &task.range, b->leaf, task.level > FREE_LEVELS, parts);
        for (int i = n - 1; i >= 0; --i) { /* the first child is built next, right behind its parent */
            bvh_set_box(&b->nodes[node], i, &parts[i]);
            stack[top].range = parts[i];
            stack[top].slot = 4 * node + (uint32_t)i;
            stack[top].level = task.level + 1;
            ++top;
        }
    }
    return true;
}

/* Origin and scale so that everything lies in [-1, 1]; a scale of 1 for a single point, and none beyond 2^±1000. */
static void bvh_units(const cm_aabb *boxes, uint32_t count, cm__bvh *out) {
    cm_aabb all = cm_aabb_empty();
    for (uint32_t i = 0; i < count; ++i) all = cm_aabb_union(all, boxes[i]);
    if (count == 0) all.min = all.max = cm_v(0, 0, 0);
    cm_vec3 middle = cm_aabb_center(&all);
    out->origin[0] = (double)middle.x, out->origin[1] = (double)middle.y, out->origin[2] = (double)middle.z;
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
}

/* One rounding of the subtraction, relative to its result; the scale is exact: 1e-15 of |result| <= 1 holds it. */
static void bvh_place_items(const cm_aabb *boxes, uint32_t count, const cm__bvh *tree, bvh_item *items) {
    for (uint32_t i = 0; i < count; ++i) {
        const cm_real lo[3] = {boxes[i].min.x, boxes[i].min.y, boxes[i].min.z};
        const cm_real hi[3] = {boxes[i].max.x, boxes[i].max.y, boxes[i].max.z};
        for (int k = 0; k < 3; ++k) {
            items[i].min[k] = bvh_float_down(((double)lo[k] - tree->origin[k]) * tree->scale - 1e-15);
            items[i].max[k] = bvh_float_up(((double)hi[k] - tree->origin[k]) * tree->scale + 1e-15);
        }
        items[i].number = i;
    }
}

cm_status cm__bvh_build(const cm_aabb *boxes, uint32_t count, uint32_t leaf, const cm_allocator *mem, cm__bvh *out) {
    cm__bvh tree;
    bvh_units(boxes, count, &tree);
    bvh_builder b;
    memset(&b, 0, sizeof b);
    b.mem = mem, b.leaf = leaf;
    b.items = cm__alloc(mem, count, sizeof(bvh_item));
    uint32_t *numbers = cm__alloc(mem, count, sizeof(uint32_t));
    bool ok = b.items && numbers;
    if (ok) {
        bvh_place_items(boxes, count, &tree, b.items);
        uint32_t empty;
        ok = count > 0 ? bvh_grow(&b, count) : bvh_add_node(&b, &empty);
    }
    /* the owner frees by the count of nodes: give back the room beyond it */
    cm__bvh_node *nodes = ok ? cm__alloc(mem, b.node_count, sizeof(cm__bvh_node)) : NULL;
    if (nodes) {
        memcpy(nodes, b.nodes, b.node_count * sizeof(cm__bvh_node));
        for (uint32_t i = 0; i < count; ++i) numbers[i] = b.items[i].number;
        tree.nodes = nodes, tree.items = numbers;
        tree.node_count = b.node_count, tree.item_count = count;
        *out = tree;
    } else {
        cm__free(mem, numbers, count, sizeof(uint32_t));
    }
    cm__free(mem, b.nodes, b.node_room, sizeof(cm__bvh_node));
    cm__free(mem, b.items, count, sizeof(bvh_item));
    return nodes ? CM_OK : CM_NO_MEMORY;
}

void cm__bvh_free(cm__bvh *tree, const cm_allocator *mem) {
    cm__free(mem, (void *)(uintptr_t)tree->nodes, tree->node_count, sizeof(cm__bvh_node));
    cm__free(mem, (void *)(uintptr_t)tree->items, tree->item_count, sizeof(uint32_t));
    tree->nodes = NULL, tree->items = NULL;
}
