/* Where pairs are collected: growing, filtering, sorting. */
#include "broad/broad.h"
#include "base/memory.h"

#include <string.h>

/* Only pairs that were found count against the limit, not the room for a block of those that may be. The last room is
 * made a block larger than the limit, so that a list that ends at it is not copied for what never comes. */
bool cm__sink_grow(cm__pair_sink *sink, size_t more) {
    if (more > SIZE_MAX / 2 - sink->count) return false;
    size_t need = sink->count + more;
    if (sink->limit) {
        if (cm__sink_over(sink)) return false;
        if (sink->capacity >= sink->limit / 2 && need < sink->limit + more) need = sink->limit + more;
    }
    return cm__reserve(sink->mem, (void **)&sink->pairs, &sink->capacity, need, sizeof *sink->pairs);
}

bool cm__sink_over(cm__pair_sink *sink) {
    if (sink->limit && sink->count > sink->limit) sink->full = true;
    return sink->full;
}

void cm__sink_free(cm__pair_sink *sink) {
    cm__free(sink->mem, sink->pairs, sink->capacity, sizeof *sink->pairs);
    sink->pairs = NULL;
    sink->count = sink->capacity = 0;
}

cm_status cm__sink_status(cm__pair_sink *sink, cm_status status) {
    if (status == CM_OK && cm__sink_over(sink)) status = CM_NO_MEMORY;
    const bool full = sink->full;
    sink->full = false;
    return full && status == CM_NO_MEMORY ? CM_LIMIT : status;
}

void cm__sink_filter(const cm_broad *b, cm__pair_sink *sink, size_t from) {
    size_t kept = from;
    for (size_t i = from; i < sink->count; ++i) {
        cm_broad_pair pair = sink->pairs[i];
        sink->pairs[kept] = pair;
        kept += cm__pair_passes(b, pair.a & CM__SLOT_MASK, pair.b & CM__SLOT_MASK);
    }
    sink->count = kept;
}

cm_status cm__buffer_bytes(const cm_allocator *mem, cm__broad_buffer *buffer, size_t bytes) {
    return cm__reserve(mem, &buffer->items, &buffer->capacity, bytes, 1) ? CM_OK : CM_NO_MEMORY;
}

void cm__buffer_free(const cm_allocator *mem, cm__broad_buffer *buffer) {
    cm__free(mem, buffer->items, buffer->capacity, 1);
    buffer->items = NULL;
    buffer->capacity = 0;
}

/* --- sorting ------------------------------------------------------------------------------------------------- */

enum { SORT_DIGITS = 8, SORT_BUCKETS = 256, SORT_SMALL = 48 };

static uint64_t pair_sort_key(cm_broad_pair pair) { return (uint64_t)pair.a << 32 | pair.b; }

static void sort_few(cm_broad_pair *pairs, size_t count) {
    for (size_t i = 1; i < count; ++i) {
        cm_broad_pair pair = pairs[i];
        size_t j = i;
        for (; j > 0 && pair_sort_key(pairs[j - 1]) > pair_sort_key(pair); --j) pairs[j] = pairs[j - 1];
        pairs[j] = pair;
    }
}

/* Radix sort by bytes, lowest first; bytes that all pairs have in common are skipped. */
cm_status cm__sink_sort(cm__pair_sink *sink, cm__broad_buffer *scratch) {
    if (sink->count <= SORT_SMALL) {
        sort_few(sink->pairs, sink->count);
        return CM_OK;
    }
    if (cm__buffer_bytes(sink->mem, scratch, sink->capacity * sizeof *sink->pairs) != CM_OK) return CM_NO_MEMORY;
    size_t counts[SORT_DIGITS][SORT_BUCKETS];
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < sink->count; ++i) {
        uint64_t key = pair_sort_key(sink->pairs[i]);
        for (int d = 0; d < SORT_DIGITS; ++d) ++counts[d][key >> (8 * d) & 255];
    }
    cm_broad_pair *from = sink->pairs, *to = scratch->items;
    for (int d = 0; d < SORT_DIGITS; ++d) {
        uint64_t any = pair_sort_key(from[0]) >> (8 * d) & 255;
        if (counts[d][any] == sink->count) continue;
        size_t sum = 0;
        for (int k = 0; k < SORT_BUCKETS; ++k) {
            size_t n = counts[d][k];
            counts[d][k] = sum;
            sum += n;
        }
        for (size_t i = 0; i < sink->count; ++i) to[counts[d][pair_sort_key(from[i]) >> (8 * d) & 255]++] = from[i];
        cm_broad_pair *swap = from;
        from = to, to = swap;
    }
    if (from != sink->pairs) memcpy(sink->pairs, from, sink->count * sizeof *from);
    return CM_OK;
}
