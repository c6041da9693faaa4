/* All pairs of an object. The kind finds those of bounded boxes, this file those of unbounded ones,
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

cm_status cm__pairs_give(cm_broad *b, int flags, cm_status status, cm_broad_pair_view *out) {
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
    return cm__pairs_give(b, flags, cm__sink_status(&b->pairs, status), out);
}
