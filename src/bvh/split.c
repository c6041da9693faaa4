/* Splits ranges of boxes by the surface area heuristic, and grows subtrees.
 *
 * Many boxes are put into bins by their middles, and the plane between two bins with the least cost is taken; of few,
 * every place in their order along every axis is tried. Nothing depends on more than the boxes and their order.
 *
 * Based on: [Wald07] binning; [Wald08] wide nodes. */
#include "bvh/split.h"

enum {
    BINS = 16,
    SOME = 96, /* fewer are put into half as many bins */
    FEW = 12,  /* so few are sorted */
    /* In ranges of more items than this, a sample is enough to find the best split: items follow the curve of upper.c,
     * so that a regular sample is spread over all of them. The tree's inner cost rises by a sixth of a percent; a
     * twentieth of the time is spared. */
    EVERY_SECOND = 256,
    EVERY_FOURTH = 1024,
    FEW_ROOM = (FEW + 3) / 4 * 4
};

/* --- boxes of many items ------------------------------------------------------------------------------------- */

static inline float bvh_half_area(const float *min, const float *max) {
    float x = max[0] - min[0], y = max[1] - min[1], z = max[2] - min[2];
    return x * y + y * z + z * x;
}

/* Boxes and middles of a range, gathered. */
typedef struct bvh_extent {
    cm__bvh_box boxes, middles;
} bvh_extent;

static inline void bvh_extent_add(bvh_extent *e, const cm__bvh_item *item) {
    f32x4 min = f32x4_load(item->min), max = f32x4_load(item->max), middle = f32x4_add(min, max);
    cm__bvh_box_join(&e->boxes, min, max);
    cm__bvh_box_join(&e->middles, middle, middle);
}

cm__bvh_range cm__bvh_measure(const cm__bvh_item *items, uint32_t first, uint32_t count) {
    /* two at a time: each waits for its own last minimum */
    bvh_extent even = {cm__bvh_box_empty(), cm__bvh_box_empty()}, odd = even;
    uint32_t i = first, end = first + count;
    for (; i + 1 < end; i += 2) bvh_extent_add(&even, &items[i]), bvh_extent_add(&odd, &items[i + 1]);
    if (i < end) bvh_extent_add(&even, &items[i]);
    cm__bvh_range r;
    r.first = first, r.count = count;
    f32x4_store(r.min, f32x4_min(even.boxes.min, odd.boxes.min));
    f32x4_store(r.max, f32x4_max(even.boxes.max, odd.boxes.max));
    f32x4_store(r.mid_min, f32x4_min(even.middles.min, odd.middles.min));
    f32x4_store(r.mid_max, f32x4_max(even.middles.max, odd.middles.max));
    return r;
}

/* The half areas x y + y z + z x of four boxes from their sides. */
static inline f32x4 bvh_half_areas(f32x4 a, f32x4 b, f32x4 c, f32x4 d) {
    f32x4 side[4] = {a, b, c, d};
    f32x4_transpose(side);
    const f32x4 sum = f32x4_add(f32x4_mul(side[0], side[1]), f32x4_mul(side[1], side[2]));
    return f32x4_add(sum, f32x4_mul(side[2], side[0]));
}

/* Half areas of the boxes that grow from empty, one of `boxes` after the other, `step` boxes on: area[i] of the first
 * i + 1 that were joined. `count` is a multiple of four. */
static inline void bvh_areas(const cm__bvh_box *boxes, int count, float *area) {
    cm__bvh_box all = cm__bvh_box_empty();
    for (int i = 0; i < count; i += 4) {
        f32x4 side[4];
        for (int j = 0; j < 4; ++j) {
            cm__bvh_box_join(&all, boxes[i + j].min, boxes[i + j].max);
            side[j] = f32x4_sub(all.max, all.min);
        }
        f32x4_store(area + i, bvh_half_areas(side[0], side[1], side[2], side[3]));
    }
}
/* The same from the other end: area[i] of boxes i to count - 1. */
static inline void bvh_areas_back(const cm__bvh_box *boxes, int count, float *area) {
    cm__bvh_box all = cm__bvh_box_empty();
    for (int i = count - 4; i >= 0; i -= 4) {
        f32x4 side[4];
        for (int j = 4; j-- > 0;) {
            cm__bvh_box_join(&all, boxes[i + j].min, boxes[i + j].max);
            side[j] = f32x4_sub(all.max, all.min);
        }
        f32x4_store(area + i, bvh_half_areas(side[0], side[1], side[2], side[3]));
    }
}

/* --- many items: bins ---------------------------------------------------------------------------------------- */

void cm__bvh_bins_clear(cm__bvh_bins *bins) {
    for (int k = 0; k < 3; ++k) {
        for (int b = 0; b < bins->bins; ++b) bins->box[k][b] = cm__bvh_box_empty();
        for (int b = 0; b < bins->bins; ++b) bins->count[k][b] = 0;
    }
}

static void bvh_bins_fill(cm__bvh_bins *bins, const cm__bvh_item *items, const cm__bvh_range *r) {
    bins->bins = r->count < SOME ? BINS / 2 : BINS;
    bins->low[3] = bins->factor[3] = 0;
    for (int k = 0; k < 3; ++k) { /* where the middles are all but one, any bin will do */
        bins->factor[k] = (float)bins->bins / (r->mid_max[k] - r->mid_min[k]);
        bins->low[k] = r->mid_min[k];
        if (!(r->mid_max[k] > r->mid_min[k] && bins->factor[k] < FLT_MAX)) bins->factor[k] = 0;
    }
    cm__bvh_bins_clear(bins);
    const f32x4 low = f32x4_load(bins->low), factor = f32x4_load(bins->factor);
    const f32x4 last = f32x4_all((float)(bins->bins - 1));
    const uint32_t step = r->count >= EVERY_FOURTH ? 4 : r->count >= EVERY_SECOND ? 2 : 1;
    for (uint32_t i = r->first; i < r->first + r->count; i += step) {
        f32x4 min = f32x4_load(items[i].min), max = f32x4_load(items[i].max);
        uint32_t at[4]; /* not below 0, as `low` is the lowest */
        u32x4_store(at, u32x4_of_f32(f32x4_min(f32x4_mul(f32x4_sub(f32x4_add(min, max), low), factor), last)));
        for (int k = 0; k < 3; ++k) {
            cm__bvh_box_join(&bins->box[k][at[k]], min, max);
            bins->count[k][at[k]] += 1;
        }
    }
}

int cm__bvh_best_plane(const cm__bvh_bins *bins, int *plane) {
    int axis = -1;
    float best = FLT_MAX;
    for (int k = 0; k < 3; ++k) {
        if (!(bins->factor[k] > 0)) continue;
        float left[CM__BVH_BINS], right[CM__BVH_BINS], right_count[CM__BVH_BINS], n = 0;
        bvh_areas(bins->box[k], bins->bins, left);
        bvh_areas_back(bins->box[k], bins->bins, right);
        for (int b = bins->bins; b-- > 0;) right_count[b] = n += bins->count[k][b];
        n = 0;
        for (int b = 1; b < bins->bins; ++b) {
            n += bins->count[k][b - 1];
            /* a side without items has an infinite area and no count: NaN, which is not less */
            float cost = left[b - 1] * n + right[b] * right_count[b];
            if (cost < best) best = cost, axis = k, *plane = b;
        }
    }
    return axis;
}

/* Moves the items before the plane to the front. Without branches: which side an item goes to cannot be foreseen.
 * Returns how many there are. */
static uint32_t bvh_partition(cm__bvh_item *items, uint32_t count, const cm__bvh_bins *bins, int axis, int plane) {
    const float low = bins->low[axis], factor = bins->factor[axis], last = (float)(bins->bins - 1);
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; ++i) {
        float at = (items[i].min[axis] + items[i].max[axis] - low) * factor;
        f32x4 min = f32x4_load(items[i].min), max = f32x4_load(items[i].max);
        f32x4 other_min = f32x4_load(items[left].min), other_max = f32x4_load(items[left].max);
        f32x4_store(items[i].min, other_min), f32x4_store(items[i].max, other_max);
        f32x4_store(items[left].min, min), f32x4_store(items[left].max, max);
        left += (int32_t)(at < last ? at : last) < plane;
    }
    return left;
}

/* --- few items: every place in their order ------------------------------------------------------------------- */

/* Where each item comes in the order of the middles along each axis; of equal ones the first stays before. */
static inline void bvh_rank(const f32x4 *middle, uint32_t n, uint8_t order[4][FEW_ROOM]) {
    for (uint32_t i = 0; i < n; ++i) {
        u32x4 before = u32x4_all(0), after = before;
        for (uint32_t j = 0; j < i; ++j) after = u32x4_sub(after, f32x4_lt(middle[i], middle[j]));
        for (uint32_t j = i + 1; j < n; ++j) before = u32x4_sub(before, f32x4_lt(middle[j], middle[i]));
        uint32_t up[4], down[4];
        u32x4_store(up, before), u32x4_store(down, after);
        for (int k = 0; k < 3; ++k) order[k][i + up[k] - down[k]] = (uint8_t)i;
    }
}

/* Sorts the items along the axis, and splits them at the place, where the heuristic is least. */
static uint32_t bvh_partition_some(cm__bvh_item *items, const cm__bvh_range *r) {
    cm__bvh_box copy[FEW_ROOM], sorted[FEW_ROOM];
    f32x4 middle[FEW_ROOM];
    uint8_t order[4][FEW_ROOM];
    const uint32_t n = r->count;
    const int room = (int)(n + 3) / 4 * 4;
    for (uint32_t i = 0; i < n; ++i) {
        copy[i].min = f32x4_load(items[i].min), copy[i].max = f32x4_load(items[i].max);
        middle[i] = f32x4_add(copy[i].min, copy[i].max);
    }
    bvh_rank(middle, n, order);
    uint32_t place = n / 2;
    int axis = -1;
    float best = FLT_MAX;
    for (int i = (int)n; i < room; ++i) sorted[i] = cm__bvh_box_empty();
    for (int k = 0; k < 3; ++k) {
        if (!(r->mid_max[k] > r->mid_min[k])) continue;
        float left[FEW_ROOM], right[FEW_ROOM];
        for (uint32_t i = 0; i < n; ++i) sorted[i] = copy[order[k][i]];
        bvh_areas(sorted, room, left);
        bvh_areas_back(sorted, room, right);
        for (uint32_t i = 1; i < n; ++i) {
            float cost = left[i - 1] * (float)i + right[i] * (float)(n - i);
            if (cost < best) best = cost, place = i, axis = k;
        }
    }
    if (axis < 0) return place;
    for (uint32_t i = 0; i < n; ++i) {
        f32x4_store(items[i].min, copy[order[axis][i]].min);
        f32x4_store(items[i].max, copy[order[axis][i]].max);
    }
    return place;
}

/* The same for three or four, of which most ranges have come to be: there are only four ways to split one from the
 * others, and three to split two from two. Their costs are those that come of going along an axis, to the bit, and wait
 * for no order. Where there are three, the fourth box is empty: what it is part of costs nothing less than infinity or
 * NaN. */
typedef struct bvh_ways {
    float one[4], two[4]; /* costs: of item i against the others; of i and j against the others, at i ^ j */
} bvh_ways;

static inline void bvh_ways_of_three(const cm__bvh_box box[4], bvh_ways *w) {
    f32x4 side[4], other[4];
    for (int i = 0; i < 3; ++i) {
        const cm__bvh_box *p = &box[(i + 1) % 3], *q = &box[(i + 2) % 3];
        side[i] = f32x4_sub(box[i].max, box[i].min);
        other[i] = f32x4_sub(f32x4_max(p->max, q->max), f32x4_min(p->min, q->min));
    }
    side[3] = side[2], other[3] = other[2];
    f32x4 one = bvh_half_areas(side[0], side[1], side[2], side[3]);
    f32x4 two = bvh_half_areas(other[0], other[1], other[2], other[3]);
    f32x4_store(w->one, f32x4_add(one, f32x4_add(two, two)));
}

static inline void bvh_ways_of_four(const cm__bvh_box box[4], bvh_ways *w) {
    f32x4 side[4], other[4], front[4], back[4];
    cm__bvh_box low = box[0], high = box[2];
    cm__bvh_box_join(&low, box[1].min, box[1].max), cm__bvh_box_join(&high, box[3].min, box[3].max);
    for (int i = 0; i < 4; ++i) {
        const cm__bvh_box *pair = i < 2 ? &high : &low, *p = &box[i ^ 1];
        side[i] = f32x4_sub(box[i].max, box[i].min);
        other[i] = f32x4_sub(f32x4_max(p->max, pair->max), f32x4_min(p->min, pair->min));
    }
    front[1] = f32x4_sub(low.max, low.min), back[1] = f32x4_sub(high.max, high.min);
    for (int i = 2; i < 4; ++i) { /* 0 and i, and the others */
        const cm__bvh_box *p = &box[i], *q = &box[i ^ 1];
        front[i] = f32x4_sub(f32x4_max(box[0].max, p->max), f32x4_min(box[0].min, p->min));
        back[i] = f32x4_sub(f32x4_max(box[1].max, q->max), f32x4_min(box[1].min, q->min));
    }
    front[0] = front[1], back[0] = back[1];
    f32x4 one = bvh_half_areas(side[0], side[1], side[2], side[3]);
    f32x4 three = bvh_half_areas(other[0], other[1], other[2], other[3]);
    f32x4 a = bvh_half_areas(front[0], front[1], front[2], front[3]);
    f32x4 b = bvh_half_areas(back[0], back[1], back[2], back[3]);
    f32x4_store(w->one, f32x4_add(one, f32x4_mul(three, f32x4_all(3))));
    f32x4_store(w->two, f32x4_add(f32x4_add(a, a), f32x4_add(b, b)));
}

/* Costs, which are not negative, ordered as numbers; of equal ones the first place. */
static inline uint64_t bvh_cost_key(float cost, uint32_t place) {
    uint32_t bits;
    memcpy(&bits, &cost, sizeof bits);
    return (uint64_t)bits << 32 | place;
}

static inline uint32_t bvh_part_up_to_four(cm__bvh_item *items, const cm__bvh_range *r, const uint32_t n) {
    cm__bvh_box box[4];
    f32x4 middle[4];
    u32x4 rank[4];
    uint8_t order[4][4];
    bvh_ways ways;
    for (uint32_t i = 0; i < n; ++i) {
        box[i].min = f32x4_load(items[i].min), box[i].max = f32x4_load(items[i].max);
        middle[i] = f32x4_add(box[i].min, box[i].max);
        rank[i] = u32x4_all(0);
    }
    if (n == 3) {
        bvh_ways_of_three(box, &ways);
    } else {
        bvh_ways_of_four(box, &ways);
    }
    for (uint32_t i = 1; i < n; ++i)
        for (uint32_t j = 0; j < i; ++j) {
            rank[j] = u32x4_sub(rank[j], f32x4_lt(middle[i], middle[j]));
            rank[i] = u32x4_sub(rank[i], u32x4_xor(f32x4_lt(middle[i], middle[j]), u32x4_all(UINT32_MAX)));
        }
    for (uint32_t i = 0; i < n; ++i) {
        uint32_t at[4];
        u32x4_store(at, rank[i]);
        for (int k = 0; k < 3; ++k) order[k][at[k]] = (uint8_t)i;
    }
    uint64_t best = bvh_cost_key(FLT_MAX, 0);
    for (uint32_t k = 0; k < 3; ++k) {
        const uint8_t *o = order[k];
        uint64_t first = bvh_cost_key(ways.one[o[0]], 4 * k + 1),
                 last = bvh_cost_key(ways.one[o[n - 1]], 4 * k + n - 1);
        if (n == 4) {
            uint64_t middle_one = bvh_cost_key(ways.two[o[0] ^ o[1]], 4 * k + 2);
            first = middle_one < first ? middle_one : first;
        }
        first = last < first ? last : first;
        first = r->mid_max[k] > r->mid_min[k] ? first : UINT64_MAX;
        best = first < best ? first : best;
    }
    const uint32_t place = (uint32_t)best % 4;
    if (place == 0) return n / 2;
    const uint8_t *o = order[(uint32_t)best / 4];
    for (uint32_t i = 0; i < n; ++i) f32x4_store(items[i].min, box[o[i]].min), f32x4_store(items[i].max, box[o[i]].max);
    return place;
}

static uint32_t bvh_part_few(cm__bvh_item *items, const cm__bvh_range *r) {
    if (r->count == 3) return bvh_part_up_to_four(items, r, 3);
    if (r->count == 4) return bvh_part_up_to_four(items, r, 4);
    return bvh_partition_some(items, r);
}

/* --- ranges ---------------------------------------------------------------------------------------------------- */

static void bvh_halve(void *all, const cm__bvh_range *r, cm__bvh_range *left, cm__bvh_range *right) {
    const cm__bvh_range whole = *r;
    uint32_t n = whole.count / 2;
    *left = cm__bvh_measure(all, whole.first, n);
    *right = cm__bvh_measure(all, whole.first + n, whole.count - n);
}

static void bvh_split(void *all, const cm__bvh_range *r, cm__bvh_range *left, cm__bvh_range *right) {
    cm__bvh_item *items = all;
    const cm__bvh_range whole = *r;
    uint32_t n = whole.count / 2;
    if (whole.count <= FEW) {
        n = bvh_part_few(items + whole.first, &whole);
    } else {
        cm__bvh_bins bins;
        int plane = 0;
        bvh_bins_fill(&bins, items, &whole);
        int axis = cm__bvh_best_plane(&bins, &plane);
        if (axis >= 0) n = bvh_partition(items + whole.first, whole.count, &bins, axis, plane);
    }
    *left = cm__bvh_measure(items, whole.first, n);
    *right = cm__bvh_measure(items, whole.first + n, whole.count - n);
}

int cm__bvh_quarter(void *all, cm__bvh_splitter split, const cm__bvh_range *r, uint32_t leaf, bool by_number,
                    cm__bvh_range out[4]) {
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
        for (int i = n; i > pick + 1; --i) out[i] = out[i - 1];
        split(all, &out[pick], &out[pick], &out[pick + 1]);
        ++n;
    }
    return n;
}

/* --- nodes ------------------------------------------------------------------------------------------------------- */

void cm__bvh_clear_node(cm__bvh_node *node) {
    memset(node, 0, sizeof *node);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 4; ++i) node->half[k][i] = -1e18f;
}

/* The growth holds what is lost here as well: center and differences are off by 2^-24 of themselves at most. */
void cm__bvh_set_box(cm__bvh_node *node, uint32_t lane, const cm__bvh_range *r) {
    for (int k = 0; k < 3; ++k) {
        float center = (r->min[k] + r->max[k]) * 0.5f, up = r->max[k] - center, down = center - r->min[k];
        float half = up > down ? up : down;
        node->center[k][lane] = center;
        node->half[k][lane] = half + ((half + fabsf(center)) * CM__BVH_GROWTH + FLT_MIN);
    }
}

typedef struct bvh_task {
    cm__bvh_range range;
    uint32_t slot, level; /* slot: of this plot's nodes; CM_NONE for the first */
} bvh_task;

void cm__bvh_grow(cm__bvh_plot *plot) {
    bvh_task stack[CM__BVH_STACK];
    int top = 0;
    stack[top].range = plot->range = cm__bvh_measure(plot->items, 0, plot->count);
    stack[top].slot = CM_NONE, stack[top].level = plot->level;
    ++top;
    plot->node_count = 0;
    while (top > 0) {
        const bvh_task task = stack[--top];
        uint32_t number = plot->node_count++;
        cm__bvh_node *node = &plot->nodes[number];
        if (task.slot != CM_NONE) plot->nodes[task.slot / 4].child[task.slot % 4] = plot->base + number;
        cm__bvh_range parts[4];
        const bool by_number = task.level > CM__BVH_FREE_LEVELS;
        int n =
            cm__bvh_quarter(plot->items, by_number ? bvh_halve : bvh_split, &task.range, plot->leaf, by_number, parts);
        cm__bvh_clear_node(node);
        for (int i = n; i-- > 0;) { /* the first child is built next, right behind its parent */
            const cm__bvh_range *part = &parts[i];
            cm__bvh_set_box(node, (uint32_t)i, part);
            if (part->count <= plot->leaf) {
                node->child[i] = plot->first + part->first;
                node->count[i] = part->count;
                for (uint32_t j = part->first; j < part->first + part->count; ++j)
                    plot->numbers[plot->first + j] = cm__bvh_number(&plot->items[j]);
                continue;
            }
            stack[top].range = *part;
            stack[top].slot = 4 * number + (uint32_t)i;
            stack[top].level = task.level + 1;
            ++top;
        }
    }
}
