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

enum { SORT_SMALL = 48, SORT_BITS_LEAST = 6, SORT_BITS = 11 };

static uint64_t pair_sort_key(cm_broad_pair pair) { return (uint64_t)pair.a << 32 | pair.b; }

static void sort_few(cm_broad_pair *pairs, size_t count) {
    for (size_t i = 1; i < count; ++i) {
        cm_broad_pair pair = pairs[i];
        size_t j = i;
        for (; j > 0 && pair_sort_key(pairs[j - 1]) > pair_sort_key(pair); --j) pairs[j] = pairs[j - 1];
        pairs[j] = pair;
    }
}

/* The two numbers of a pair as one, in as few bits as tell the pairs of a list apart. */
typedef struct sort_range {
    uint32_t least_a, least_b, bits_b, bits;
} sort_range;

static uint32_t sort_width(uint32_t x) {
    uint32_t bits = 0;
    while (bits < 32 && x >> bits) ++bits;
    return bits;
}

static sort_range sort_range_of(const cm_broad_pair *pairs, size_t count) {
    uint32_t least_a = UINT32_MAX, most_a = 0, least_b = UINT32_MAX, most_b = 0;
    for (size_t i = 0; i < count; ++i) {
        least_a = pairs[i].a < least_a ? pairs[i].a : least_a, most_a = pairs[i].a > most_a ? pairs[i].a : most_a;
        least_b = pairs[i].b < least_b ? pairs[i].b : least_b, most_b = pairs[i].b > most_b ? pairs[i].b : most_b;
    }
    const uint32_t bits_b = sort_width(most_b - least_b);
    const sort_range range = {least_a, least_b, bits_b, sort_width(most_a - least_a) + bits_b};
    return range;
}

/* A pair is read and written as such a number while it is sorted. */
static inline uint64_t sort_load(const cm_broad_pair *pair) {
    uint64_t key;
    memcpy(&key, pair, sizeof key);
    return key;
}
static inline void sort_store(cm_broad_pair *pair, uint64_t key) { memcpy(pair, &key, sizeof key); }

/* Stable by one digit: `mask` of what stands above the lowest `shift` bits. */
static void sort_digit(const cm_broad_pair *from, cm_broad_pair *to, size_t count, uint32_t shift, uint64_t mask) {
    size_t next[(size_t)1 << SORT_BITS], sum = 0;
    memset(next, 0, ((size_t)mask + 1) * sizeof *next);
    for (size_t i = 0; i < count; ++i) ++next[sort_load(&from[i]) >> shift & mask];
    for (size_t k = 0; k <= mask; ++k) {
        const size_t n = next[k];
        next[k] = sum;
        sum += n;
    }
    for (size_t i = 0; i < count; ++i) {
        const uint64_t key = sort_load(&from[i]);
        sort_store(&to[next[key >> shift & mask]++], key);
    }
}

/* Radix sort, lowest digit first, in as few passes as the range of the numbers takes; few are sorted otherwise. */
cm_status cm__sink_sort(cm__pair_sink *sink, cm__broad_buffer *scratch) {
    const size_t count = sink->count;
    if (count <= SORT_SMALL) {
        sort_few(sink->pairs, count);
        return CM_OK;
    }
    if (cm__buffer_bytes(sink->mem, scratch, sink->capacity * sizeof *sink->pairs) != CM_OK) return CM_NO_MEMORY;
    cm_broad_pair *from = sink->pairs, *to = scratch->items;
    const sort_range range = sort_range_of(from, count);
    uint32_t most = SORT_BITS_LEAST; /* bits of a digit: few pairs are not worth many counters */
    while (most < SORT_BITS && count >> most > 1) ++most;
    const uint32_t passes = range.bits ? (range.bits + most - 1) / most : 1, bits = (range.bits + passes - 1) / passes;
    for (size_t i = 0; i < count; ++i) {
        const cm_broad_pair pair = from[i];
        sort_store(&from[i], (uint64_t)(pair.a - range.least_a) << range.bits_b | (pair.b - range.least_b));
    }
    for (uint32_t pass = 0; pass < passes; ++pass) {
        sort_digit(from, to, count, pass * bits, ((uint64_t)1 << bits) - 1);
        cm_broad_pair *swap = from;
        from = to, to = swap;
    }
    const uint64_t mask_b = ((uint64_t)1 << range.bits_b) - 1;
    for (size_t i = 0; i < count; ++i) {
        const uint64_t key = sort_load(&from[i]);
        sink->pairs[i].a = (uint32_t)(key >> range.bits_b) + range.least_a;
        sink->pairs[i].b = (uint32_t)(key & mask_b) + range.least_b;
    }
    return CM_OK;
}
