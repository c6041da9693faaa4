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

enum { SORT_SMALL = 48, SORT_BITS_LEAST = 6, SORT_BITS = 11, SORT_BITS_MORE = 4 };

static uint64_t pair_sort_key(cm_broad_pair pair) { return (uint64_t)pair.a << 32 | pair.b; }

static void sort_few(cm_broad_pair *pairs, size_t count) {
    for (size_t i = 1; i < count; ++i) {
        cm_broad_pair pair = pairs[i];
        size_t j = i;
        for (; j > 0 && pair_sort_key(pairs[j - 1]) > pair_sort_key(pair); --j) pairs[j] = pairs[j - 1];
        pairs[j] = pair;
    }
}

static uint32_t sort_width(uint64_t x) {
    uint32_t bits = 0;
    while (bits < 64 && x >> bits) ++bits;
    return bits;
}

/* The two numbers of a pair as one, in as few bits as tell the pairs of a list apart: those below the highest in which
 * any two differ. */
typedef struct sort_form {
    uint32_t common_a, common_b, varies_a, varies_b, bits_b, bits; /* common: the bits above */
} sort_form;

static sort_form sort_form_of(const cm_broad_pair *pairs, size_t count) {
    uint32_t all_a = UINT32_MAX, all_b = UINT32_MAX, any_a = 0, any_b = 0;
    for (size_t i = 0; i < count; ++i) {
        all_a &= pairs[i].a, all_b &= pairs[i].b;
        any_a |= pairs[i].a, any_b |= pairs[i].b;
    }
    const uint32_t bits_a = sort_width(any_a ^ all_a), bits_b = sort_width(any_b ^ all_b);
    const uint32_t low_a = (uint32_t)(((uint64_t)1 << bits_a) - 1), low_b = (uint32_t)(((uint64_t)1 << bits_b) - 1);
    const sort_form form = {all_a & ~low_a, all_b & ~low_b, low_a, low_b, bits_b, bits_a + bits_b};
    return form;
}

static inline uint64_t sort_number(const sort_form *f, cm_broad_pair pair) {
    return (uint64_t)(pair.a & f->varies_a) << f->bits_b | (pair.b & f->varies_b);
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

/* Radix sort by the bits from `shift` on, the lowest digit first. Returns where the sorted numbers are: one of both. */
static cm_broad_pair *sort_bits(cm_broad_pair *from, cm_broad_pair *to, size_t count, uint32_t shift, uint32_t bits,
                                uint32_t most) {
    const uint32_t passes = bits > shift ? (bits - shift + most - 1) / most : 1;
    const uint32_t digit = (bits - shift + passes - 1) / passes;
    for (uint32_t pass = 0; pass < passes; ++pass, shift += digit) {
        sort_digit(from, to, count, shift, ((uint64_t)1 << digit) - 1);
        cm_broad_pair *swap = from;
        from = to, to = swap;
    }
    return from;
}

/* By insertion, for what is nearly in order. False: it was not, and stands in some other order now. */
static bool sort_mend(cm_broad_pair *keys, size_t count) {
    size_t moves = count;
    uint64_t before = sort_load(keys);
    for (size_t i = 1; i < count; ++i) {
        const uint64_t key = sort_load(&keys[i]);
        if (key >= before) {
            before = key;
            continue;
        }
        size_t j = i;
        for (; j > 0 && sort_load(&keys[j - 1]) > key; --j) keys[j] = keys[j - 1];
        sort_store(&keys[j], key);
        if (i - j > moves) return false;
        moves -= i - j;
    }
    return true;
}

/* Only the highest bits are sorted by at first, some more than would number the pairs: they mostly tell these apart,
 * and what they do not is mended. Where they tell too few apart, all bits are sorted by. Few are sorted otherwise. */
cm_status cm__sink_sort(cm__pair_sink *sink, cm__broad_buffer *scratch) {
    const size_t count = sink->count;
    if (count <= SORT_SMALL) {
        sort_few(sink->pairs, count);
        return CM_OK;
    }
    if (cm__buffer_bytes(sink->mem, scratch, sink->capacity * sizeof *sink->pairs) != CM_OK) return CM_NO_MEMORY;
    cm_broad_pair *const pairs = sink->pairs, *const other = scratch->items;
    const sort_form form = sort_form_of(pairs, count);
    const uint32_t telling = sort_width(count) + SORT_BITS_MORE, shift = form.bits > telling ? form.bits - telling : 0;
    uint32_t most = SORT_BITS_LEAST; /* bits of a digit: few pairs are not worth many counters */
    while (most < SORT_BITS && count >> most > 1) ++most;
    for (size_t i = 0; i < count; ++i) sort_store(&pairs[i], sort_number(&form, pairs[i]));
    cm_broad_pair *sorted = sort_bits(pairs, other, count, shift, form.bits, most);
    if (shift && !sort_mend(sorted, count))
        sorted = sort_bits(sorted, sorted == pairs ? other : pairs, count, 0, form.bits, most);
    for (size_t i = 0; i < count; ++i) {
        const uint64_t key = sort_load(&sorted[i]);
        const cm_broad_pair pair = {(uint32_t)(key >> form.bits_b) | form.common_a,
                                    ((uint32_t)key & form.varies_b) | form.common_b};
        pairs[i] = pair;
    }
    return CM_OK;
}
