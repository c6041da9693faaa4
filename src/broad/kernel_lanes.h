/* Part of kernel.c: boxes as they are, one against sixteen others, all six sides, and pairs written without a branch
 * where the CPU can. */
#ifndef BROAD_KERNEL_LANES_H
#define BROAD_KERNEL_LANES_H

#include "broad/kernel.h"
#include "base/bits.h"
#include "broad/broad.h"

#if defined(CAROM_KERNEL_AVX512) /* which of the compilations this is */
#define KERNEL_TABLE cm__kernel_avx512
#elif defined(CAROM_KERNEL_AVX2)
#define KERNEL_TABLE cm__kernel_avx2
#else
#define KERNEL_TABLE cm__kernel_base
#endif

#if defined(__SSE2__) && (defined(__GNUC__) || defined(_MSC_VER))
#include <immintrin.h>
#define KERNEL_VECTORS 1
#endif

/* For loops with constant arguments that each make a loop of its own. */
#if defined(__GNUC__)
#define KERNEL_INLINE static inline __attribute__((always_inline))
#else
#define KERNEL_INLINE static inline
#endif

/* The box that is compared with sixteen others. */
typedef struct kernel_box {
    cm_real lo[3], hi[3];
    uint32_t drop;
} kernel_box;

static inline kernel_box kernel_box_at(const cm__lanes *l, uint32_t i) {
    kernel_box q = {{l->lo[0][i], l->lo[1][i], l->lo[2][i]}, {l->hi[0][i], l->hi[1][i], l->hi[2][i]}, l->drop[i]};
    return q;
}

/* --- sixteen tests: bit k tells whether box j + k overlaps q and shares no drop bit with it ------------------- */

#if defined(KERNEL_VECTORS) && defined(__AVX512F__) && !defined(CAROM_F64)

static inline uint32_t kernel_mask(const cm__lanes *l, uint32_t j, const kernel_box *q) {
    /* Three chains of two or three comparisons, so that none waits long for another. */
    __mmask16 m[3];
    m[0] = _mm512_testn_epi32_mask(_mm512_loadu_si512(l->drop + j), _mm512_set1_epi32((int)q->drop));
    m[1] = m[2] = 0xffff;
    for (int a = 0; a < 3; ++a) {
        m[a] = _mm512_mask_cmp_ps_mask(m[a], _mm512_loadu_ps(l->lo[a] + j), _mm512_set1_ps(q->hi[a]), _CMP_LE_OQ);
        m[a] = _mm512_mask_cmp_ps_mask(m[a], _mm512_loadu_ps(l->hi[a] + j), _mm512_set1_ps(q->lo[a]), _CMP_GE_OQ);
    }
    return _kand_mask16(_kand_mask16(m[0], m[1]), m[2]);
}

#elif defined(KERNEL_VECTORS) && defined(__AVX512F__)

static inline uint32_t kernel_mask(const cm__lanes *l, uint32_t j, const kernel_box *q) {
    __mmask16 drop = _mm512_testn_epi32_mask(_mm512_loadu_si512(l->drop + j), _mm512_set1_epi32((int)q->drop));
    uint32_t bits = 0;
    for (uint32_t k = 0; k < 16; k += 8) {
        __mmask8 m = (__mmask8)(drop >> k);
        for (int a = 0; a < 3; ++a) {
            m = _mm512_mask_cmp_pd_mask(m, _mm512_loadu_pd(l->lo[a] + j + k), _mm512_set1_pd(q->hi[a]), _CMP_LE_OQ);
            m = _mm512_mask_cmp_pd_mask(m, _mm512_loadu_pd(l->hi[a] + j + k), _mm512_set1_pd(q->lo[a]), _CMP_GE_OQ);
        }
        bits |= (uint32_t)m << k;
    }
    return bits;
}

#elif defined(KERNEL_VECTORS) && defined(__AVX2__) && !defined(CAROM_F64)

static inline uint32_t kernel_mask(const cm__lanes *l, uint32_t j, const kernel_box *q) {
    uint32_t bits = 0;
    for (uint32_t k = 0; k < 16; k += 8) {
        __m256i drop = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)(l->drop + j + k)),
                                        _mm256_set1_epi32((int)q->drop));
        __m256 m = _mm256_castsi256_ps(_mm256_cmpeq_epi32(drop, _mm256_setzero_si256()));
        for (int a = 0; a < 3; ++a) {
            __m256 below = _mm256_cmp_ps(_mm256_loadu_ps(l->lo[a] + j + k), _mm256_set1_ps(q->hi[a]), _CMP_LE_OQ);
            __m256 above = _mm256_cmp_ps(_mm256_loadu_ps(l->hi[a] + j + k), _mm256_set1_ps(q->lo[a]), _CMP_GE_OQ);
            m = _mm256_and_ps(m, _mm256_and_ps(below, above));
        }
        bits |= (uint32_t)_mm256_movemask_ps(m) << k;
    }
    return bits;
}

#elif defined(KERNEL_VECTORS) && !defined(CAROM_F64)

static inline uint32_t kernel_mask(const cm__lanes *l, uint32_t j, const kernel_box *q) {
    uint32_t bits = 0;
    for (uint32_t k = 0; k < 16; k += 4) {
        __m128i drop = _mm_and_si128(_mm_loadu_si128((const __m128i *)(const void *)(l->drop + j + k)),
                                     _mm_set1_epi32((int)q->drop));
        __m128 m = _mm_castsi128_ps(_mm_cmpeq_epi32(drop, _mm_setzero_si128()));
        for (int a = 0; a < 3; ++a) {
            __m128 below = _mm_cmple_ps(_mm_loadu_ps(l->lo[a] + j + k), _mm_set1_ps(q->hi[a]));
            __m128 above = _mm_cmpge_ps(_mm_loadu_ps(l->hi[a] + j + k), _mm_set1_ps(q->lo[a]));
            m = _mm_and_ps(m, _mm_and_ps(below, above));
        }
        bits |= (uint32_t)_mm_movemask_ps(m) << k;
    }
    return bits;
}

#else

static inline uint32_t kernel_mask(const cm__lanes *l, uint32_t j, const kernel_box *q) {
    uint32_t bits = 0;
    for (uint32_t k = 0; k < 16; ++k) {
        uint32_t n = j + k;
        bool on = (l->lo[0][n] <= q->hi[0]) & (l->hi[0][n] >= q->lo[0]) & (l->lo[1][n] <= q->hi[1]) &
                  (l->hi[1][n] >= q->lo[1]) & (l->lo[2][n] <= q->hi[2]) & (l->hi[2][n] >= q->lo[2]) &
                  !(l->drop[n] & q->drop);
        bits |= (uint32_t)on << k;
    }
    return bits;
}

#endif

/* --- writing pairs: those of `bits`, in order; room for sixteen -------------------------------------------------- */

static inline size_t kernel_put(const uint32_t *ids, uint32_t id, uint32_t bits, cm_broad_pair *out) {
#if defined(KERNEL_VECTORS) && defined(__AVX512F__)
    __m512i theirs = _mm512_maskz_compress_epi32((__mmask16)bits, _mm512_loadu_si512(ids));
    __m512i ours = _mm512_set1_epi32((int)id);
    __m512i first = _mm512_min_epu32(ours, theirs), second = _mm512_max_epu32(ours, theirs);
    const __m512i low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const __m512i high = _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8);
    size_t n = (size_t)__builtin_popcount(bits);
    _mm512_storeu_si512(out, _mm512_permutex2var_epi32(first, low, second));
    if (n > 8) _mm512_storeu_si512(out + 8, _mm512_permutex2var_epi32(first, high, second));
    return n;
#else
    size_t n = 0;
    for (; bits; bits &= bits - 1) {
        uint32_t other = ids[bits_lowest(bits)];
        out[n].a = other < id ? other : id;
        out[n++].b = other < id ? id : other;
    }
    return n;
#endif
}

/* How many boxes stand in the blocks from `first` to `j`, of `count`. */
static inline uint32_t kernel_tested(uint32_t first, uint32_t j, uint32_t count) {
    uint32_t last = j < count ? j : count;
    return last > first ? last - first : 0;
}

/* --- the loops ------------------------------------------------------------------------------------------------ */

static size_t kernel_sweep(const cm__lanes *lanes, uint32_t end, cm__cursor *cursor, cm_broad_pair *out, size_t room,
                           uint64_t *tests) {
    const cm__lanes copy = *lanes, *l = &copy; /* pairs written do not alias it */
    uint32_t i = cursor->i, j = cursor->j;
    size_t found = 0;
    uint64_t tested = 0; /* boxes, not lanes: the last block of all may be longer than the list */
    for (; i < end; ++i, j = 0) {
        kernel_box q = kernel_box_at(l, i);
        uint32_t stop = l->stop[i];
        if (!j) j = i + 1;
        const uint32_t first = j;
        bool full = false;
        for (; l->key[j] <= stop; j += CM__BLOCK) {
            full = room - found < CM__BLOCK;
            if (full) break;
            uint32_t bits = kernel_mask(l, j, &q);
            found += kernel_put(l->id + j, l->id[i], bits, out + found);
        }
        tested += kernel_tested(first, j, l->count);
        if (full) break;
    }
    cursor->i = i, cursor->j = j;
    *tests += tested;
    return found;
}

#endif
