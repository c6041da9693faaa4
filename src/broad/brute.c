/* All against all, sixteen at a time: nothing to keep up, so the best for few boxes, and what the others are tested by.
 */
#include "broad/broad.h"
#include "broad/kernel.h"
#include "broad/sorted.h"

static cm_status brute_update(cm_broad *b) {
    cm__sorted *state = b->state;
    cm_status status = cm__sorted_reserve(b, state);
    if (status != CM_OK) return status;
    uint32_t n = 0;
    for (uint32_t s = 0; s < b->slot_count; ++s) {
        if (!cm__is_member(b, s)) continue;
        cm__lanes_set(&state->lanes, n++, &b->boxes[s], 0, 0, b->ids[s], b->flags[s] & CM__FIXED);
    }
    cm__lanes_close(&state->lanes, n);
    return CM_OK;
}

static void brute_visit(const cm_broad *b, cm__visitor *v) {
    const cm__sorted *state = b->state;
    for (uint32_t i = 0; i < state->lanes.count; ++i) {
        if (!cm__visit(v, state->lanes.id[i] & CM__SLOT_MASK)) return;
    }
}

const cm__broad_ops cm__broad_brute = {
    .kind = CM_BROAD_BRUTE,
    .state_size = sizeof(cm__sorted),
    .destroy = cm__sorted_destroy,
    .clear = cm__sorted_clear,
    .update = brute_update,
    .pairs = cm__sorted_pairs,
    .visit = brute_visit,
    .walk = cm__sorted_walk,
    .stats = cm__sorted_stats,
};
