/* Numbers and pictures of the structure. */
#include "broad/columns.h"

#include <string.h>

void cm_broad_get_stats(const cm_broad *b, cm_broad_stats *out) {
    if (!b || !out) return;
    memset(out, 0, sizeof *out);
    out->kind = b->ops->kind;
    out->objects = b->live_count;
    out->fixed = b->fixed_count;
    out->unbounded = b->unbounded_count;
    out->tests = b->pairs.tests;
    out->pairs = b->pairs.count;
    size_t pairs = b->pairs.capacity + b->began.capacity + b->ended.capacity + b->candidates.capacity;
    size_t words = b->ids_capacity + b->layers_capacity + b->masks_capacity + b->free_capacity + b->unbounded_capacity +
                   b->touched_capacity + b->old_ids_capacity + b->old_layers_capacity + b->old_masks_capacity +
                   b->freed_capacity;
    out->bytes = sizeof *b + b->ops->state_size + pairs * sizeof(cm_broad_pair) + words * sizeof(uint32_t) +
                 (b->boxes_capacity + b->old_boxes_capacity) * sizeof(cm_aabb) + b->users_capacity * sizeof(uint64_t) +
                 b->flags_capacity + b->old_flags_capacity + b->scratch.capacity;
    if (b->columns) out->bytes += sizeof *b->columns + cm__columns_bytes(b->columns);
    if (b->between) out->bytes += sizeof *b->between + cm__columns_bytes(b->between);
    b->ops->stats(b, out);
}

void cm_broad_walk(const cm_broad *b, cm_broad_walk_fn fn, void *context) {
    if (b && fn && !b->reload) b->ops->walk(b, fn, context);
}
