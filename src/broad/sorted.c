/* What BRUTE and SWEEP share: all members in one set of lanes. */
#include "broad/sorted.h"

cm_status cm__sorted_reserve(cm_broad *b, cm__sorted *state) {
    uint32_t count = b->live_count - b->unbounded_count;
    cm_status status = cm__buffer_bytes(b->mem, &state->block, cm__lanes_bytes(count));
    if (status == CM_OK) cm__lanes_place(&state->lanes, state->block.items, count);
    return status;
}

void cm__sorted_destroy(cm_broad *b) {
    cm__sorted *state = b->state;
    cm__buffer_free(b->mem, &state->block);
    cm__buffer_free(b->mem, &state->order);
}

void cm__sorted_clear(cm_broad *b) {
    cm__sorted *state = b->state;
    state->lanes.count = state->count = 0;
}

/* All pairs of the lanes into the sink. */
static cm_status sorted_lanes_pairs(const cm__lanes *lanes, cm__pair_sink *sink) {
    const cm__kernel *kernel = cm__kernel_get();
    cm__cursor cursor = {0, 0, 0};
    while (cursor.i < lanes->count) {
        if (!cm__sink_room(sink, 64 * CM__BLOCK)) return CM_NO_MEMORY;
        sink->count += kernel->sweep(lanes, lanes->count, &cursor, sink->pairs + sink->count,
                                     sink->capacity - sink->count, &sink->tests);
    }
    return CM_OK;
}

cm_status cm__sorted_pairs(cm_broad *b, cm__pair_sink *sink) {
    const cm__sorted *state = b->state;
    size_t from = sink->count;
    cm_status status = sorted_lanes_pairs(&state->lanes, sink);
    if (status == CM_OK && b->filtered_count) cm__sink_filter(b, sink, from);
    return status;
}

void cm__sorted_walk(const cm_broad *b, cm_broad_walk_fn fn, void *context) {
    const cm__sorted *state = b->state;
    cm_aabb all = cm_aabb_empty();
    for (uint32_t i = 0; i < state->lanes.count; ++i) {
        all = cm_aabb_union(all, b->boxes[state->lanes.id[i] & CM__SLOT_MASK]);
    }
    if (state->lanes.count) fn(context, &all, 0, state->lanes.count);
}

void cm__sorted_stats(const cm_broad *b, cm_broad_stats *out) {
    const cm__sorted *state = b->state;
    out->nodes = out->depth = 1;
    out->bytes += state->block.capacity + state->order.capacity;
}
