/* All pairs of an object, and of two objects. The kind finds those of bounded boxes, this file those of unbounded ones,
 * which overlap so much that every box is looked at. */
#include "broad/broad.h"
#include "base/memory.h"

static bool unbounded_pair(cm_broad *b, cm__pair_sink *sink, uint32_t s, uint32_t t) {
    if (!cm_aabb_overlaps(&b->boxes[s], &b->boxes[t])) return true;
    return cm__sink_slots(b, sink, s, t);
}

static cm_status unbounded_pairs(cm_broad *b, cm__pair_sink *sink) {
    for (uint32_t i = 0; i < b->unbounded_count; ++i) {
        uint32_t u = b->unbounded[i];
        for (uint32_t j = i + 1; j < b->unbounded_count; ++j) {
            if (!unbounded_pair(b, sink, u, b->unbounded[j])) return CM_NO_MEMORY;
        }
        for (uint32_t s = 0; s < b->slot_count; ++s) {
            if (cm__is_member(b, s) && !unbounded_pair(b, sink, u, s)) return CM_NO_MEMORY;
        }
    }
    return CM_OK;
}

/* What was found, sorted where asked for; nothing where it failed. */
static cm_status pairs_give(cm_broad *b, int flags, cm_status status, cm_broad_pair_view *out) {
    if (status == CM_OK && flags & CM_BROAD_SORTED) status = cm__sink_sort(&b->pairs, &b->scratch);
    if (status != CM_OK) {
        b->pairs.count = 0;
        return status;
    }
    out->pairs = b->pairs.pairs;
    out->count = b->pairs.count;
    return CM_OK;
}

cm_status cm_broad_find_pairs(cm_broad *b, int flags, cm_broad_pair_view *out) {
    if (!b || !out || flags & ~CM_BROAD_SORTED) return CM_INVALID;
    cm_status status = b->dirty ? cm_broad_update(b) : CM_OK;
    if (status != CM_OK) return status;
    b->pairs_asked = true;
    b->pairs.count = 0;
    b->pairs.tests = 0;
    status = b->ops->pairs(b, &b->pairs);
    if (status == CM_OK) status = unbounded_pairs(b, &b->pairs);
    return pairs_give(b, flags, cm__sink_status(&b->pairs, status), out);
}

/* --- two objects --------------------------------------------------------------------------------------------- */

typedef struct between_visitor {
    cm__visitor base;
    cm_broad *mine;
    uint32_t slot; /* of the small set's object that looks around */
    const cm_broad *small;
    cm__pair_sink *sink;
    bool failed, swap; /* swap: the large set is `mine` */
} between_visitor;

static bool between_take(cm__visitor *v, uint32_t slot, double key) {
    between_visitor *w = (between_visitor *)v;
    const cm_broad *small = w->small, *large = v->broad;
    (void)key;
    if (small->flags[w->slot] & large->flags[slot] & CM__FIXED) return true;
    if (!(small->layers[w->slot] & large->masks[slot]) || !(large->layers[slot] & small->masks[w->slot])) return true;
    if (!cm__sink_room(w->sink, 1)) {
        w->failed = true;
        return false;
    }
    cm_broad_pair *pair = &w->sink->pairs[w->sink->count++];
    pair->a = w->swap ? large->ids[slot] : small->ids[w->slot];
    pair->b = w->swap ? small->ids[w->slot] : large->ids[slot];
    return true;
}

cm_status cm_broad_find_pairs_between(cm_broad *b, cm_broad *other, int flags, cm_broad_pair_view *out) {
    if (!b || !other || b == other || !out || flags & ~CM_BROAD_SORTED) return CM_INVALID;
    cm_status status = b->dirty ? cm_broad_update(b) : CM_OK;
    if (status == CM_OK && other->dirty) status = cm_broad_update(other);
    if (status != CM_OK) return status;
    b->pairs.count = 0;
    b->pairs.tests = 0;
    bool swap = b->live_count > other->live_count;
    const cm_broad *small = swap ? other : b, *large = swap ? b : other;
    for (uint32_t s = 0; s < small->slot_count && status == CM_OK; ++s) {
        if (!(small->flags[s] & CM__LIVE)) continue;
        between_visitor w = {{large, small->boxes[s], 0, UINT32_MAX, 0, false, false, cm__box_bound, between_take},
                             b,
                             s,
                             small,
                             &b->pairs,
                             false,
                             swap};
        cm__visit_any(large, &w.base);
        if (w.failed) status = CM_NO_MEMORY;
    }
    return pairs_give(b, flags, cm__sink_status(&b->pairs, status), out);
}
