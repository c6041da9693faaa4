/* What BRUTE and SWEEP share: all members in one set of lanes. */
#ifndef BROAD_SORTED_H
#define BROAD_SORTED_H

#include "broad/broad.h"
#include "broad/kernel.h"

typedef struct cm__sorted {
    cm__lanes lanes;
    cm__broad_buffer block; /* of the lanes */
    cm__broad_buffer order; /* SWEEP: uint64_t, key in the high half, slot in the low, twice */
    uint32_t count;         /* SWEEP: members in `order` */
    int axis;               /* SWEEP: that it sorts along */
} cm__sorted;

/* Room in the lanes for every member. */
cm_status cm__sorted_reserve(cm_broad *b, cm__sorted *state);
void cm__sorted_destroy(cm_broad *b);
void cm__sorted_clear(cm_broad *b);
cm_status cm__sorted_pairs(cm_broad *b, cm__pair_sink *sink);
void cm__sorted_walk(const cm_broad *b, cm_broad_walk_fn fn, void *context);
void cm__sorted_stats(const cm_broad *b, cm_broad_stats *out);

#endif
