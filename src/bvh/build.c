/* Builds the tree: top-down, each node split up to three times by the binned surface area heuristic.
 *
 * Depth: the first FREE_LEVELS levels split where the heuristic says, which may peel off one item at a time; below them
 * every range is halved by number, the largest first, so each level quarters it: 2^30 items end after 15 more levels.
 * With the level of slot 0 that is 20 + 15 + 1 = 36 <= CM__BVH_DEPTH.
 *
 * Based on: [Wald07] binning; [Wald08] wide nodes. */
#include "base/memory.h"
#include "bvh/bvh.h"
#include "bvh/four.h"

#include <string.h>

enum { FREE_LEVELS = 20, BINS = 16, FEW = 8 /* so few items are sorted instead of binned */ };

/* A box to place: in tree units, rounded outwards. Lane 3 holds no coordinate: of `min` 0, of `max` the bits of the
 * box's number, which is below 2^30 and so those of a float below 2; it goes through the arithmetic unread. */
typedef struct bvh_item {
    float min[4], max[4];
} bvh_item;

typedef struct bvh_range {
    uint32_t first, count;
    float min[4], max[4];         /* of the boxes */
    float mid_min[4], mid_max[4]; /* of their middles (doubled: min + max) */
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

/* --- boxes of many items ------------------------------------------------------------------------------------- */

typedef struct bvh_box {
    cm__four min, max;
} bvh_box;

static inline bvh_box bvh_box_empty(void) {
    bvh_box box;
    box.min = cm__four_all(FLT_MAX), box.max = cm__four_all(-FLT_MAX);
    return box;
}
static inline void bvh_box_join(bvh_box *box, cm__four min, cm__four max) {
    box->min = cm__four_min(min, box->min);
    box->max = cm__four_max(max, box->max);
}
static inline cm__four bvh_middle(const bvh_item *item) {
    return cm__four_add(cm__four_load(item->min), cm__four_load(item->max));
}
static inline float bvh_half_area(const float *min, const float *max) {
    float x = max[0] - min[0], y = max[1] - min[1], z = max[2] - min[2];
    return x * y + y * z + z * x;
}
static inline float bvh_box_half_area(const bvh_box *box) {
    float side[4];
    cm__four_store(side, cm__four_sub(box->max, box->min));
    return side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
}

/* Boxes and middles of a range, gathered. */
typedef struct bvh_extent {
    bvh_box boxes, middles;
} bvh_extent;

static inline void bvh_extent_add(bvh_extent *e, const bvh_item *item) {
    cm__four min = cm__four_load(item->min), max = cm__four_load(item->max), middle = cm__four_add(min, max);
    bvh_box_join(&e->boxes, min, max);
    bvh_box_join(&e->middles, middle, middle);
}
static bvh_range bvh_range_of(const bvh_extent *e, uint32_t first, uint32_t count) {
    bvh_range r;
    r.first = first, r.count = count;
    cm__four_store(r.min, e->boxes.min), cm__four_store(r.max, e->boxes.max);
    cm__four_store(r.mid_min, e->middles.min), cm__four_store(r.mid_max, e->middles.max);
    return r;
}
static bvh_range bvh_measure(const bvh_item *items, uint32_t first, uint32_t count) {
    bvh_extent e = {bvh_box_empty(), bvh_box_empty()};
    for (uint32_t i = first; i < first + count; ++i) bvh_extent_add(&e, &items[i]);
    return bvh_range_of(&e, first, count);
}

/* --- many items: bins ---------------------------------------------------------------------------------------- */

typedef struct bvh_bins {
    bvh_box box[3][BINS];
    uint32_t count[3][BINS];
    cm__four low, factor; /* of the bin numbers; an axis along which the middles are all but one has factor 0 */
} bvh_bins;

/* Which bins a middle falls in. */
static inline void bvh_bins_of(const bvh_bins *bins, cm__four middle, int32_t out[4]) {
    cm__four at = cm__four_mul(cm__four_sub(middle, bins->low), bins->factor);
    cm__four_whole(cm__four_min(at, cm__four_all(BINS - 1)), out); /* it is not below 0, as `low` is the lowest */
}

static void bvh_bins_fill(bvh_bins *bins, const bvh_item *items, const bvh_range *r) {
    float factor[4] = {0, 0, 0, 0}, low[4] = {0, 0, 0, 0};
    for (int k = 0; k < 3; ++k) {
        factor[k] = (float)BINS / (r->mid_max[k] - r->mid_min[k]);
        low[k] = r->mid_min[k];
        if (!(r->mid_max[k] > r->mid_min[k] && factor[k] < FLT_MAX)) factor[k] = 0;
        for (int b = 0; b < BINS; ++b) bins->box[k][b] = bvh_box_empty();
    }
    memset(bins->count, 0, sizeof bins->count);
    bins->low = cm__four_load(low), bins->factor = cm__four_load(factor);
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        cm__four min = cm__four_load(items[i].min), max = cm__four_load(items[i].max);
        int32_t at[4];
        bvh_bins_of(bins, cm__four_add(min, max), at);
        for (int k = 0; k < 3; ++k) {
            bvh_box_join(&bins->box[k][at[k]], min, max);
            bins->count[k][at[k]] += 1;
        }
    }
}

/* The best plane over three axes: axis (or -1: no plane parts them) and the first bin on the right. */
static int bvh_best_plane(const bvh_bins *bins, uint32_t count, int *plane) {
    int axis = -1;
    float best = FLT_MAX;
    for (int k = 0; k < 3; ++k) {
        float right_cost[BINS];
        bvh_box side = bvh_box_empty();
        uint32_t n = 0;
        if (bins->count[k][0] == count) continue; /* an axis left out */
        for (int b = BINS - 1; b > 0; --b) {
            bvh_box_join(&side, bins->box[k][b].min, bins->box[k][b].max);
            n += bins->count[k][b];
            right_cost[b] = n > 0 ? bvh_box_half_area(&side) * (float)n : FLT_MAX;
        }
        side = bvh_box_empty(), n = 0;
        for (int b = 1; b < BINS; ++b) {
            bvh_box_join(&side, bins->box[k][b - 1].min, bins->box[k][b - 1].max);
            n += bins->count[k][b - 1];
            if (n == 0 || n == count) continue;
            float cost = bvh_box_half_area(&side) * (float)n + right_cost[b];
            if (cost < best) best = cost, axis = k, *plane = b;
        }
    }
    return axis;
}

/* Moves the items before the plane to the front, by swaps from both ends, and measures the two sides on the way.
 * Returns false, with nothing moved, where no plane parts them. */
static bool bvh_split_many(bvh_item *items, const bvh_range *r, bvh_range *left, bvh_range *right) {
    bvh_bins bins;
    int plane = 0;
    bvh_bins_fill(&bins, items, r);
    int axis = bvh_best_plane(&bins, r->count, &plane);
    if (axis < 0) return false;
    uint32_t i = r->first, end = r->first + r->count;
    bvh_extent low = {bvh_box_empty(), bvh_box_empty()}, high = low;
    while (i < end) {
        int32_t at[4];
        bvh_bins_of(&bins, bvh_middle(&items[i]), at);
        if (at[axis] < plane) {
            bvh_extent_add(&low, &items[i++]);
        } else {
            bvh_item item = items[i];
            bvh_extent_add(&high, &item);
            items[i] = items[--end];
            items[end] = item;
        }
    }
    *left = bvh_range_of(&low, r->first, i - r->first);
    *right = bvh_range_of(&high, i, r->first + r->count - i);
    return true;
}

/* --- few items: every place in their order ------------------------------------------------------------------- */

/* Sorts by the middle along an axis; of equal ones the first stays before. */
static void bvh_sort_few(const bvh_item *items, uint32_t count, int axis, uint8_t order[FEW]) {
    float middle[FEW];
    for (uint32_t i = 0; i < count; ++i) {
        float mid = items[i].min[axis] + items[i].max[axis];
        uint32_t at = i;
        for (; at > 0 && mid < middle[at - 1]; --at) middle[at] = middle[at - 1], order[at] = order[at - 1];
        middle[at] = mid, order[at] = (uint8_t)i;
    }
}

/* Puts the items in the order of the axis, and parts them at the place, where the heuristic is least. */
static void bvh_split_few(bvh_item *items, const bvh_range *r, bvh_range *left, bvh_range *right) {
    bvh_item copy[FEW];
    uint8_t best_order[FEW];
    uint32_t n = r->count, place = n / 2;
    float best = FLT_MAX;
    memcpy(copy, items + r->first, n * sizeof *copy);
    for (uint32_t i = 0; i < n; ++i) best_order[i] = (uint8_t)i;
    for (int k = 0; k < 3; ++k) {
        if (!(r->mid_max[k] > r->mid_min[k])) continue;
        uint8_t order[FEW];
        float right_cost[FEW];
        bvh_sort_few(copy, n, k, order);
        bvh_box side = bvh_box_empty();
        for (uint32_t i = n - 1; i > 0; --i) {
            bvh_box_join(&side, cm__four_load(copy[order[i]].min), cm__four_load(copy[order[i]].max));
            right_cost[i] = bvh_box_half_area(&side) * (float)(n - i);
        }
        side = bvh_box_empty();
        for (uint32_t i = 1; i < n; ++i) {
            bvh_box_join(&side, cm__four_load(copy[order[i - 1]].min), cm__four_load(copy[order[i - 1]].max));
            float cost = bvh_box_half_area(&side) * (float)i + right_cost[i];
            if (!(cost < best)) continue;
            best = cost, place = i;
            memcpy(best_order, order, sizeof order);
        }
    }
    for (uint32_t i = 0; i < n; ++i) items[r->first + i] = copy[best_order[i]];
    *left = bvh_measure(items, r->first, place);
    *right = bvh_measure(items, r->first + place, n - place);
}

/* Splits r into *left and *right, each with at least one item, in an order that depends on the input alone. */
static void bvh_split(bvh_item *items, const bvh_range *r, bool by_number, bvh_range *left, bvh_range *right) {
    if (!by_number && r->count <= FEW) {
        bvh_split_few(items, r, left, right);
    } else if (by_number || !bvh_split_many(items, r, left, right)) {
        *left = bvh_measure(items, r->first, r->count / 2);
        *right = bvh_measure(items, r->first + r->count / 2, r->count - r->count / 2);
    }
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
        items[i].min[3] = 0;
        memcpy(&items[i].max[3], &i, sizeof i);
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
        void *nodes = NULL; /* about as many as there will be: growing copies */
        ok = cm__reserve(mem, &nodes, &b.node_room, (size_t)count / (2 * (size_t)leaf) + 1, sizeof(cm__bvh_node));
        b.nodes = nodes;
        ok = ok && (count > 0 ? bvh_grow(&b, count) : bvh_add_node(&b, &empty));
    }
    if (ok) {
        for (uint32_t i = 0; i < count; ++i) memcpy(&numbers[i], &b.items[i].max[3], sizeof numbers[i]);
        tree.nodes = b.nodes, tree.items = numbers;
        tree.node_count = b.node_count, tree.item_count = count, tree.node_room = b.node_room;
        *out = tree;
    } else {
        cm__free(mem, b.nodes, b.node_room, sizeof(cm__bvh_node));
        cm__free(mem, numbers, count, sizeof(uint32_t));
    }
    cm__free(mem, b.items, count, sizeof(bvh_item));
    return ok ? CM_OK : CM_NO_MEMORY;
}

void cm__bvh_free(cm__bvh *tree, const cm_allocator *mem) {
    cm__free(mem, (void *)(uintptr_t)tree->nodes, tree->node_room, sizeof(cm__bvh_node));
    cm__free(mem, (void *)(uintptr_t)tree->items, tree->item_count, sizeof(uint32_t));
    tree->nodes = NULL, tree->items = NULL;
}
