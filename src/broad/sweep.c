/* Sort and sweep: boxes in order of their lower end along one axis; each is tested, sixteen at a time and on all three
 * axes, against those that begin within it. The active set of the textbooks is the run of boxes from i on whose lower
 * end does not exceed the upper end of i: it stands side by side in memory, so nothing is inserted or taken out.
 *
 * The axis is that of greatest variance of the centers, changed only for one that is clearly better. The order is kept
 * between frames: as long as few neighbors have changed places an insertion sort mends it, else a radix sort makes it
 * anew. Based on: [Cohen95 §3.1] sorted intervals kept between frames; [Tracy09 §4] one axis, the others tested. */
#include "broad/sorted.h"

#include <string.h>

enum { SWEEP_DIGIT_BITS = 11, SWEEP_DIGITS = 3, SWEEP_MOVES = 4 /* a box, before the order is sorted anew */ };

static cm_real box_low(const cm_aabb *box, int axis) {
    return axis == 0 ? box->min.x : axis == 1 ? box->min.y : box->min.z;
}
static cm_real box_high(const cm_aabb *box, int axis) {
    return axis == 0 ? box->max.x : axis == 1 ? box->max.y : box->max.z;
}

static cm_status sweep_add(cm_broad *b, uint32_t slot) {
    cm__sorted *state = b->state;
    /* Twice as much as needed now: the second half is the radix sort's. */
    cm_status status = cm__buffer_bytes(b->mem, &state->order, 2 * ((size_t)state->count + 1) * sizeof(uint64_t));
    if (status != CM_OK) return status;
    ((uint64_t *)state->order.items)[state->count++] = slot;
    return CM_OK;
}
static void sweep_remove(cm_broad *b, uint32_t slot) {
    (void)b, (void)slot; /* dropped in update, as it is not alive */
}
static cm_status sweep_move(cm_broad *b, uint32_t slot) {
    (void)b, (void)slot;
    return CM_OK;
}

/* Variances of the centers in units of the scene's size, which keeps the squares in range. */
static int sweep_choose_axis(const cm_broad *b, const cm__sorted *state) {
    const uint64_t *order = state->order.items;
    double sum[3] = {0, 0, 0}, squares[3] = {0, 0, 0}, variance[3];
    uint32_t step = state->count / 4096 + 1, used = 0;
    for (uint32_t i = 0; i < state->count; i += step, ++used) {
        const cm_aabb *box = &b->boxes[(uint32_t)order[i]];
        for (int a = 0; a < 3; ++a) {
            double center = ((double)box_low(box, a) / 2 + (double)box_high(box, a) / 2);
            sum[a] += center, squares[a] += center * center;
        }
    }
    int best = state->axis;
    for (int a = 0; a < 3 && used; ++a) variance[a] = squares[a] / used - sum[a] / used * (sum[a] / used);
    for (int a = 0; a < 3 && used; ++a) {
        if (variance[a] > 1.5 * variance[state->axis] && variance[a] > variance[best]) best = a;
    }
    return best;
}

static void sweep_radix(uint64_t *items, uint64_t *spare, uint32_t count) {
    static const uint32_t buckets = 1u << SWEEP_DIGIT_BITS;
    uint32_t counts[1u << SWEEP_DIGIT_BITS];
    uint64_t *from = items, *to = spare;
    for (int d = 0; d < SWEEP_DIGITS; ++d) {
        int shift = 32 + d * SWEEP_DIGIT_BITS;
        memset(counts, 0, sizeof counts);
        for (uint32_t i = 0; i < count; ++i) ++counts[from[i] >> shift & (buckets - 1)];
        uint32_t total = 0;
        for (uint32_t k = 0; k < buckets; ++k) {
            uint32_t n = counts[k];
            counts[k] = total;
            total += n;
        }
        for (uint32_t i = 0; i < count; ++i) to[counts[from[i] >> shift & (buckets - 1)]++] = from[i];
        uint64_t *swap = from;
        from = to, to = swap;
    }
    if (from != items) memcpy(items, from, count * sizeof *items);
}

/* Insertion sort with a budget of moves; false where it ran out, the items then being in no order. */
static bool sweep_mend(uint64_t *items, uint32_t count) {
    uint64_t budget = (uint64_t)SWEEP_MOVES * count + 64;
    for (uint32_t i = 1; i < count; ++i) {
        uint64_t item = items[i];
        uint32_t j = i;
        while (j > 0 && items[j - 1] >> 32 > item >> 32) items[j] = items[j - 1], --j;
        items[j] = item;
        if (i - j > budget) return false;
        budget -= i - j;
    }
    return true;
}

static cm_status sweep_update(cm_broad *b) {
    cm__sorted *state = b->state;
    cm_status status = cm__sorted_reserve(b, state);
    if (status != CM_OK) return status;
    uint64_t *order = state->order.items;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < state->count; ++i) {
        if (cm__is_member(b, (uint32_t)order[i])) order[kept++] = (uint32_t)order[i];
    }
    state->count = kept;
    state->axis = sweep_choose_axis(b, state);
    for (uint32_t i = 0; i < kept; ++i) {
        order[i] |= (uint64_t)cm__real_key(box_low(&b->boxes[(uint32_t)order[i]], state->axis)) << 32;
    }
    if (!sweep_mend(order, kept)) sweep_radix(order, order + kept, kept);
    for (uint32_t i = 0; i < kept; ++i) {
        uint32_t s = (uint32_t)order[i];
        const cm_aabb *box = &b->boxes[s];
        cm__lanes_set(&state->lanes, i, box, (uint32_t)(order[i] >> 32), cm__real_key(box_high(box, state->axis)),
                      b->ids[s], b->flags[s] & CM__FIXED);
    }
    cm__lanes_close(&state->lanes, kept);
    return CM_OK;
}

/* From the first box that does not end before the reach begins: the running maximum of the ends is not kept, so all
 * that begin before its end are looked at, keys only. */
static void sweep_visit(const cm_broad *b, cm__visitor *v) {
    const cm__sorted *state = b->state;
    uint32_t first = cm__real_key(box_low(&v->reach, state->axis)),
             last = cm__real_key(box_high(&v->reach, state->axis));
    for (uint32_t i = 0; state->lanes.key[i] <= last; ++i) {
        if (state->lanes.stop[i] >= first && !cm__visit(v, state->lanes.id[i] & CM__SLOT_MASK)) return;
    }
}

const cm__broad_ops cm__broad_sweep = {
    .kind = CM_BROAD_SWEEP,
    .state_size = sizeof(cm__sorted),
    .destroy = cm__sorted_destroy,
    .clear = cm__sorted_clear,
    .add = sweep_add,
    .remove = sweep_remove,
    .move = sweep_move,
    .update = sweep_update,
    .pairs = cm__sorted_pairs,
    .visit = sweep_visit,
    .walk = cm__sorted_walk,
    .stats = cm__sorted_stats,
};
