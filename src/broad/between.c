/* All pairs of two objects.
 *
 * Where one holds much less than the other, each of its boxes asks the other's structure. Else the boxes of both go
 * into columns, as two sets of which only pairs between them are looked for: that costs what listing one object of them
 * all does, whatever the kinds. Unbounded boxes are compared with every box, as they overlap most of them. */
#include "broad/columns.h"
#include "base/memory.h"

enum { BETWEEN_FEW = 32 /* times as large a set is worth asking box by box */ };

/* Appends the pair of slot s of a and slot t of b, known to overlap, where the filters let it through. */
static bool between_put(cm__pair_sink *sink, const cm_broad *a, uint32_t s, const cm_broad *b, uint32_t t) {
    if (a->flags[s] & b->flags[t] & CM__FIXED) return true;
    if (!(a->layers[s] & b->masks[t]) || !(b->layers[t] & a->masks[s])) return true;
    if (!cm__sink_room(sink, 1)) return false;
    sink->pairs[sink->count].a = a->ids[s];
    sink->pairs[sink->count++].b = b->ids[t];
    return true;
}

/* --- box by box ---------------------------------------------------------------------------------------------- */

typedef struct between_visitor {
    cm__visitor base;
    const cm_broad *small;
    uint32_t slot; /* of small's object that looks around */
    cm__pair_sink *sink;
    bool failed, swap; /* swap: `small` is the second set */
} between_visitor;

static bool between_take(cm__visitor *v, uint32_t slot, double key) {
    between_visitor *w = (between_visitor *)v;
    (void)key;
    w->failed = w->swap ? !between_put(w->sink, v->broad, slot, w->small, w->slot)
                        : !between_put(w->sink, w->small, w->slot, v->broad, slot);
    return !w->failed;
}

static cm_status between_ask(const cm_broad *small, const cm_broad *large, bool swap, cm__pair_sink *sink) {
    for (uint32_t s = 0; s < small->slot_count; ++s) {
        if (!(small->flags[s] & CM__LIVE)) continue;
        between_visitor w = {
            {large, small->boxes[s], 0, UINT32_MAX, 0, false, false, cm__box_bound, between_take, NULL, 0},
            small,
            s,
            sink,
            false,
            swap};
        cm__visit_any(large, &w.base);
        if (w.failed) return CM_NO_MEMORY;
    }
    return CM_OK;
}

/* --- all at once --------------------------------------------------------------------------------------------- */

/* The bounded boxes of both, b's behind a's, into columns that pair the two sets alone. */
static cm_status between_fill(cm_broad *a, const cm_broad *b) {
    const uint32_t most = a->slot_count + b->slot_count;
    if (!a->between) {
        a->between = cm__alloc(a->mem, 1, sizeof *a->between);
        if (!a->between) return CM_NO_MEMORY;
        cm__columns_start(a->between, a->mem, a->tasks, 0);
        a->between->apart = true;
    }
    if (cm__buffer_bytes(a->mem, &a->scratch, (size_t)most * (sizeof(cm_aabb) + 1)) != CM_OK) return CM_NO_MEMORY;
    cm_aabb *boxes = a->scratch.items;
    uint8_t *flags = (uint8_t *)(boxes + most);
    for (uint32_t i = 0; i < most; ++i) {
        const cm_broad *from = i < a->slot_count ? a : b;
        const uint32_t slot = i < a->slot_count ? i : i - a->slot_count;
        boxes[i] = from->boxes[slot];
        flags[i] = (uint8_t)(cm__is_member(from, slot) ? from == a ? CM__LIVE : CM__LIVE | CM__FIXED : 0);
    }
    cm__box_source source = {{boxes, NULL}, NULL, flags, most, b->live_count - b->unbounded_count, true, NULL};
    return cm__columns_fill(a->between, &source);
}

static cm_status between_columns(cm_broad *a, const cm_broad *b) {
    cm__pair_sink *sink = &a->pairs;
    if (!a->live_count || !b->live_count) return CM_OK;
    cm_status status = between_fill(a, b);
    if (status == CM_OK) status = cm__columns_pairs(a->between, sink);
    if (status != CM_OK) return status;
    const size_t found = sink->count;
    sink->count = 0;
    for (size_t i = 0; i < found; ++i) { /* in place: no pair becomes two */
        const cm_broad_pair pair = sink->pairs[i];
        between_put(sink, a, pair.a, b, pair.b - a->slot_count);
    }
    return CM_OK;
}

/* Those of an unbounded box and any, b's with a's bounded ones only. */
static cm_status between_unbounded(cm_broad *a, const cm_broad *b) {
    for (uint32_t i = 0; i < a->unbounded_count; ++i) {
        const uint32_t s = a->unbounded[i];
        for (uint32_t t = 0; t < b->slot_count; ++t) {
            if (!(b->flags[t] & CM__LIVE) || !cm_aabb_overlaps(&a->boxes[s], &b->boxes[t])) continue;
            if (!between_put(&a->pairs, a, s, b, t)) return CM_NO_MEMORY;
        }
    }
    for (uint32_t i = 0; i < b->unbounded_count; ++i) {
        const uint32_t t = b->unbounded[i];
        for (uint32_t s = 0; s < a->slot_count; ++s) {
            if (!cm__is_member(a, s) || !cm_aabb_overlaps(&a->boxes[s], &b->boxes[t])) continue;
            if (!between_put(&a->pairs, a, s, b, t)) return CM_NO_MEMORY;
        }
    }
    return CM_OK;
}

cm_status cm_broad_find_pairs_between(cm_broad *b, cm_broad *other, int flags, cm_broad_pair_view *out) {
    if (!b || !other || b == other || !out || flags & ~CM_BROAD_SORTED) return CM_INVALID;
    cm_status status = b->dirty ? cm_broad_update(b) : CM_OK;
    if (status == CM_OK && other->dirty) status = cm_broad_update(other);
    if (status != CM_OK) return status;
    b->pairs.count = 0;
    b->pairs.tests = 0;
    const bool swap = b->live_count > other->live_count;
    const cm_broad *small = swap ? other : b, *large = swap ? b : other;
    if (small->live_count < large->live_count / BETWEEN_FEW) {
        status = between_ask(small, large, swap, &b->pairs);
    } else {
        status = between_columns(b, other);
        if (status == CM_OK) status = between_unbounded(b, other);
    }
    return cm__pairs_give(b, flags, cm__sink_status(&b->pairs, status), out);
}
