/* The inner loops of the broad phase: one box against sixteen others, all six sides, pairs written without a branch
 * where the CPU can. Comparisons only, so every instruction set gives the same pairs in the same order.
 *
 * This file is compiled once per instruction set. The tests are plain comparisons, but no compiler turns them into a
 * bit mask by itself, and the mask is what the loop lives on: hence the few intrinsics, with a plain loop behind them.
 *
 * One file, though long: the build compiles files of this name once more per instruction set.
 */
#include "broad/kernel.h"
#include "broad/broad.h"

#if defined(CAROM_KERNEL_AVX512) /* which of the compilations this is */
#define KERNEL_TABLE cm__kernel_avx512
#define KERNEL_NAME  "avx512"
#elif defined(CAROM_KERNEL_AVX2)
#define KERNEL_TABLE cm__kernel_avx2
#define KERNEL_NAME  "avx2"
#else
#define KERNEL_TABLE cm__kernel_base
#define KERNEL_NAME  "base"
#endif

#if defined(__SSE2__) && (defined(__GNUC__) || defined(_MSC_VER))
#include <immintrin.h>
#define KERNEL_VECTORS 1
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

#if !defined(KERNEL_VECTORS) || !defined(__AVX512F__)
static inline uint32_t kernel_lowest(uint32_t bits) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctz(bits);
#else
    uint32_t k = 0;
    while (!(bits >> k & 1)) ++k;
    return k;
#endif
}
#endif

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
        uint32_t other = ids[kernel_lowest(bits)];
        out[n].a = other < id ? other : id;
        out[n++].b = other < id ? id : other;
    }
    return n;
#endif
}

/* --- the loops ------------------------------------------------------------------------------------------------ */

static size_t kernel_sweep(const cm__lanes *lanes, uint32_t end, cm__cursor *cursor, cm_broad_pair *out, size_t room,
                           uint64_t *tests) {
    const cm__lanes copy = *lanes, *l = &copy; /* pairs written do not alias it */
    uint32_t i = cursor->i, j = cursor->j;
    size_t found = 0;
    uint64_t blocks = 0;
    for (; i < end; ++i, j = 0) {
        kernel_box q = kernel_box_at(l, i);
        uint32_t stop = l->stop[i];
        if (!j) j = i + 1;
        for (; l->key[j] <= stop; j += CM__BLOCK) {
            if (room - found < CM__BLOCK) goto full;
            ++blocks;
            uint32_t bits = kernel_mask(l, j, &q);
            found += kernel_put(l->id + j, l->id[i], bits, out + found);
        }
    }
full:
    cursor->i = i, cursor->j = j;
    *tests += blocks * CM__BLOCK;
    return found;
}

/* --- the same for numbers: thirty-two at a time ------------------------------------------------------------------ */

/* What box i of lanes a is compared with in lanes b, number by number, and its own numbers, in every lane of a vector.
 * With d = hi - lo (0 where that is below 0) for both ways on the three axes, a 0 says apart, all above 1 say
 * overlapping, and a 1 leaves it to the boxes, as the lo are one less. A box that began in an earlier column meets
 * along that axis all that reach here, so the number compared is lo instead: it is 0 where the other began earlier,
 * too. */
#if defined(KERNEL_VECTORS) && defined(__AVX512BW__)
typedef __m512i cells_vector;
static inline cells_vector cells_all(uint16_t x) { return _mm512_set1_epi16((short)x); }
#elif defined(KERNEL_VECTORS) && defined(__AVX2__)
typedef __m256i cells_vector;
static inline cells_vector cells_all(uint16_t x) { return _mm256_set1_epi16((short)x); }
#elif defined(KERNEL_VECTORS)
typedef __m128i cells_vector;
static inline cells_vector cells_all(uint16_t x) { return _mm_set1_epi16((short)x); }
#else
typedef uint16_t cells_vector;
static inline cells_vector cells_all(uint16_t x) { return x; }
#endif

typedef struct cells_box {
    const uint16_t *hi_u, *hi_v; /* of b; along w it is always hi, and the lo are always lo */
    cells_vector lo_u, lo_v, lo_w, hi_u_mine, hi_v_mine, hi_w_mine, drop;
} cells_box;

static inline cells_box cells_box_at(const cm__cell_lanes *a, const cm__cell_lanes *b, uint32_t i, bool drops) {
    const uint16_t u = a->lo[0][i], v = a->lo[1][i];
    const cells_box q = {
        u ? b->hi[0] : b->lo[0],          v ? b->hi[1] : b->lo[1], cells_all(u),           cells_all(v),
        cells_all(a->lo[2][i]),           cells_all(a->hi[0][i]),  cells_all(a->hi[1][i]), cells_all(a->hi[2][i]),
        cells_all(drops ? a->drop[i] : 0)};
    return q;
}

/* Bit k: box j + k may overlap; *doubt: the numbers do not tell. */
#if defined(KERNEL_VECTORS) && defined(__AVX512BW__)

static inline __m512i cells_axis(const uint16_t *hi, const uint16_t *lo, __m512i my_lo, __m512i my_hi) {
    return _mm512_min_epu16(_mm512_subs_epu16(_mm512_loadu_si512(hi), my_lo),
                            _mm512_subs_epu16(my_hi, _mm512_loadu_si512(lo)));
}

static inline uint32_t cells_mask(const cells_box *q, const cm__cell_lanes *b, uint32_t j, bool drops,
                                  uint32_t *doubt) {
    __m512i least = _mm512_min_epu16(cells_axis(q->hi_u + j, b->lo[0] + j, q->lo_u, q->hi_u_mine),
                                     cells_axis(q->hi_v + j, b->lo[1] + j, q->lo_v, q->hi_v_mine));
    least = _mm512_min_epu16(least, cells_axis(b->hi[2] + j, b->lo[2] + j, q->lo_w, q->hi_w_mine));
    uint32_t bits = _mm512_test_epi16_mask(least, least);
    if (drops) bits &= ~_mm512_test_epi16_mask(_mm512_loadu_si512(b->drop + j), q->drop);
    *doubt = bits & _mm512_cmpeq_epi16_mask(least, _mm512_set1_epi16(1));
    return bits;
}

#elif defined(KERNEL_VECTORS) && defined(__AVX2__)

static inline __m256i cells_load(const uint16_t *at) { return _mm256_loadu_si256((const __m256i *)(const void *)at); }
static inline __m256i cells_axis(const uint16_t *hi, const uint16_t *lo, __m256i my_lo, __m256i my_hi) {
    return _mm256_min_epu16(_mm256_subs_epu16(cells_load(hi), my_lo), _mm256_subs_epu16(my_hi, cells_load(lo)));
}
static inline uint32_t cells_bits(__m256i a, __m256i b) {
    return (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), 0xd8));
}

static inline uint32_t cells_mask(const cells_box *q, const cm__cell_lanes *b, uint32_t j, bool drops,
                                  uint32_t *doubt) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i off[2], one[2];
    for (uint32_t k = 0; k < 2; ++k, j += 16) {
        __m256i least = _mm256_min_epu16(cells_axis(q->hi_u + j, b->lo[0] + j, q->lo_u, q->hi_u_mine),
                                         cells_axis(q->hi_v + j, b->lo[1] + j, q->lo_v, q->hi_v_mine));
        least = _mm256_min_epu16(least, cells_axis(b->hi[2] + j, b->lo[2] + j, q->lo_w, q->hi_w_mine));
        if (drops) {
            __m256i both = _mm256_and_si256(cells_load(b->drop + j), q->drop);
            least = _mm256_and_si256(least, _mm256_cmpeq_epi16(both, zero));
        }
        off[k] = _mm256_cmpeq_epi16(least, zero);
        one[k] = _mm256_cmpeq_epi16(least, _mm256_set1_epi16(1));
    }
    *doubt = cells_bits(one[0], one[1]);
    return ~cells_bits(off[0], off[1]);
}

#elif defined(KERNEL_VECTORS)

static inline __m128i cells_load(const uint16_t *at) { return _mm_loadu_si128((const __m128i *)(const void *)at); }
static inline __m128i cells_least(__m128i x, __m128i y) { return _mm_sub_epi16(x, _mm_subs_epu16(x, y)); }
static inline __m128i cells_axis(const uint16_t *hi, const uint16_t *lo, __m128i my_lo, __m128i my_hi) {
    return cells_least(_mm_subs_epu16(cells_load(hi), my_lo), _mm_subs_epu16(my_hi, cells_load(lo)));
}

static inline uint32_t cells_mask(const cells_box *q, const cm__cell_lanes *b, uint32_t j, bool drops,
                                  uint32_t *doubt) {
    const __m128i zero = _mm_setzero_si128();
    uint32_t bits = 0, ones = 0;
    for (uint32_t h = 0; h < 32; h += 16) {
        __m128i off[2], one[2];
        for (uint32_t k = 0; k < 2; ++k, j += 8) {
            __m128i least = cells_least(cells_axis(q->hi_u + j, b->lo[0] + j, q->lo_u, q->hi_u_mine),
                                        cells_axis(q->hi_v + j, b->lo[1] + j, q->lo_v, q->hi_v_mine));
            least = cells_least(least, cells_axis(b->hi[2] + j, b->lo[2] + j, q->lo_w, q->hi_w_mine));
            if (drops) {
                __m128i both = _mm_and_si128(cells_load(b->drop + j), q->drop);
                least = _mm_and_si128(least, _mm_cmpeq_epi16(both, zero));
            }
            off[k] = _mm_cmpeq_epi16(least, zero);
            one[k] = _mm_cmpeq_epi16(least, _mm_set1_epi16(1));
        }
        bits |= (uint32_t)(_mm_movemask_epi8(_mm_packs_epi16(off[0], off[1])) ^ 0xffff) << h;
        ones |= (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(one[0], one[1])) << h;
    }
    *doubt = ones;
    return bits;
}

#else

static inline int cells_axis(uint16_t hi, uint16_t lo, uint16_t my_lo, uint16_t my_hi) {
    int above = (int)hi - (int)my_lo, below = (int)my_hi - (int)lo;
    return above < below ? above : below;
}

static inline uint32_t cells_mask(const cells_box *q, const cm__cell_lanes *b, uint32_t j, bool drops,
                                  uint32_t *doubt) {
    uint32_t bits = 0, ones = 0;
    for (uint32_t k = 0; k < CM__CELL_BLOCK; ++k, ++j) {
        int along_u = cells_axis(q->hi_u[j], b->lo[0][j], q->lo_u, q->hi_u_mine);
        int along_v = cells_axis(q->hi_v[j], b->lo[1][j], q->lo_v, q->hi_v_mine);
        int along_w = cells_axis(b->hi[2][j], b->lo[2][j], q->lo_w, q->hi_w_mine);
        int least = along_u < along_v ? along_u : along_v;
        least = least < along_w ? least : along_w;
        bool on = least > 0 && !(drops && (b->drop[j] & q->drop));
        bits |= (uint32_t)on << k;
        ones |= (uint32_t)(on && least == 1) << k;
    }
    *doubt = ones;
    return bits;
}

#endif

/* What is found is noted first, sixteen boxes a note, then decided where in doubt, then written: each step alone runs
 * without branches that a CPU could not predict. */
typedef struct cells_note {
    uint32_t i, j, bits;
} cells_note;
typedef struct cells_doubt {
    uint32_t note, bits;
} cells_doubt;
enum { CELLS_NOTES = 512 };

/* Takes out what the boxes themselves tell apart. */
static void cells_decide(const cm__cell_lanes *a, const cm__cell_lanes *b, cells_note *notes, const cells_doubt *doubts,
                         uint32_t doubt_count, const cm_aabb *boxes) {
    for (uint32_t d = 0; d < doubt_count; ++d) {
        cells_note *note = &notes[doubts[d].note];
        const cm_aabb *box = &boxes[a->id[note->i] & CM__SLOT_MASK];
        uint32_t out = 0;
        for (uint32_t bits = doubts[d].bits; bits; bits &= bits - 1) {
            uint32_t low = bits & (0u - bits), k = 0;
            while (low >> k != 1) ++k;
            if (!cm_aabb_overlaps(box, &boxes[b->id[note->j + k] & CM__SLOT_MASK])) out |= low;
        }
        note->bits &= ~out;
    }
}

/* The least lo along w that may follow: of i's key, or of the next. */
static inline uint32_t cells_start(const cm__cell_lanes *a, uint32_t i, cm__cell_mode mode) {
    uint32_t lo = a->lo[2][i], d = lo > a->base ? lo - a->base : 0;
    uint32_t key = ((d < a->span ? d : a->span) >> a->shift) + (mode == CM__CELLS_BEYOND);
    if (key > a->span >> a->shift) return CM__HIGHEST;
    return key ? a->base + (key << a->shift) : 0;
}

static inline size_t cells_sweep(const cm__cell_lanes *lanes_a, const cm__cell_lanes *lanes_b, const cm__cell_mode mode,
                                 const bool drops, const cm_aabb *boxes, cm__cursor *cursor, cm_broad_pair *out,
                                 size_t room, uint64_t *tests) {
    const cm__cell_lanes copy_a = *lanes_a, copy_b = *lanes_b, *a = &copy_a, *b = &copy_b;
    const uint16_t *const their_lo = b->lo[2], *const my_stop = a->stop;
    const uint32_t end = a->count, their_end = b->count;
    uint32_t i = cursor->i, resumed = cursor->j, from = cursor->from;
    size_t found = 0;
    uint64_t blocks = 0;
    cells_note notes[CELLS_NOTES];
    cells_doubt doubts[CELLS_NOTES];
    while (i < end && room - found >= CM__CELL_BLOCK) {
        const uint32_t most = room - found < 16 * CELLS_NOTES ? (uint32_t)((room - found) / 16) - 2 : CELLS_NOTES - 2;
        uint32_t n = 0, m = 0;
        for (; i < end; ++i) {
            const uint32_t stop = my_stop[i];
            uint32_t j = i + 1;
            if (mode != CM__CELLS_SELF) {
                const uint32_t start = cells_start(a, i, mode);
                while (from < their_end && their_lo[from] < start) ++from;
                j = from;
            }
            if (resumed) j = resumed - 1, resumed = 0;
            if (their_lo[j] > stop) continue; /* also behind the last */
            const cells_box q = cells_box_at(a, b, i, drops);
            do {
                if (n > most) {
                    resumed = j + 1;
                    goto full;
                }
                ++blocks;
                uint32_t doubt, bits = cells_mask(&q, b, j, drops, &doubt);
                notes[n].i = i, notes[n].j = j, notes[n].bits = bits & 0xffff;
                doubts[m].note = n, doubts[m].bits = doubt & 0xffff;
                n += (bits & 0xffff) != 0, m += (doubt & 0xffff) != 0;
                notes[n].i = i, notes[n].j = j + 16, notes[n].bits = bits >> 16;
                doubts[m].note = n, doubts[m].bits = doubt >> 16;
                n += bits >> 16 != 0, m += doubt >> 16 != 0;
                j += CM__CELL_BLOCK;
            } while (j < their_end && their_lo[j] <= stop);
        }
    full:
        cells_decide(a, b, notes, doubts, m, boxes);
        for (uint32_t k = 0; k < n; ++k)
            found += kernel_put(b->id + notes[k].j, a->id[notes[k].i], notes[k].bits, out + found);
    }
    cursor->i = i, cursor->j = resumed, cursor->from = from;
    *tests += blocks * CM__CELL_BLOCK;
    return found;
}

static size_t kernel_cells(const cm__cell_lanes *a, const cm__cell_lanes *b, cm__cell_mode mode, const cm_aabb *boxes,
                           cm__cursor *cursor, cm_broad_pair *out, size_t room, uint64_t *tests) {
    if (mode == CM__CELLS_FROM) return cells_sweep(a, b, CM__CELLS_FROM, false, boxes, cursor, out, room, tests);
    if (mode == CM__CELLS_BEYOND) return cells_sweep(a, b, CM__CELLS_BEYOND, false, boxes, cursor, out, room, tests);
    if (a->drop) return cells_sweep(a, b, CM__CELLS_SELF, true, boxes, cursor, out, room, tests);
    return cells_sweep(a, b, CM__CELLS_SELF, false, boxes, cursor, out, room, tests);
}

/* --- boxes into columns ---------------------------------------------------------------------------------------- */

/* A box in numbers, and the columns with its lower and its upper corner. */
#if defined(KERNEL_VECTORS) && !defined(CAROM_F64)

typedef struct cells_map {
    __m128 origin[2], scale[2]; /* for lo x y z, hi x and lo z, hi x y z */
    __m128i base, span, factor, weight, less;
    __m128i keep[3]; /* what stays of a copy one column along u, along v, along both */
} cells_map;

typedef struct cells_record {
    __m128i all;
    uint32_t first, last; /* columns */
} cells_record;

static inline __m128i cells_words(const uint16_t *of_axis) {
    const short x = (short)of_axis[0], y = (short)of_axis[1], z = (short)of_axis[2];
    return _mm_setr_epi16(x, y, z, x, z, x, y, z);
}

static inline cells_map cells_map_of(const cm__column_grid *g) {
    cells_map m;
    const float *o = g->origin, *s = g->scale;
    m.origin[0] = _mm_setr_ps(o[0], o[1], o[2], o[0]), m.origin[1] = _mm_setr_ps(o[2], o[0], o[1], o[2]);
    m.scale[0] = _mm_setr_ps(s[0], s[1], s[2], s[0]), m.scale[1] = _mm_setr_ps(s[2], s[0], s[1], s[2]);
    m.base = cells_words(g->base), m.span = cells_words(g->span), m.factor = cells_words(g->factor);
    short weight[3] = {0, 0, 0};
    weight[g->u] = 1, weight[g->v] = (short)g->cells[0];
    m.weight = _mm_setr_epi16(weight[0], weight[1], weight[2], 0, 0, weight[0], weight[1], weight[2]);
    m.less = _mm_setr_epi16(1, 1, 1, 0, 0, 0, 0, 0);
    for (int k = 0; k < 3; ++k) {
        short keep[3];
        for (int a = 0; a < 3; ++a) keep[a] = (a == g->u && k != 1) || (a == g->v && k != 0) ? 0 : -1;
        m.keep[k] = _mm_setr_epi16(keep[0], keep[1], keep[2], -1, -1, -1, -1, -1);
    }
    return m;
}

/* Numbers of eight coordinates: those of a box, lo z and hi x twice. */
static inline __m128i cells_numbers(const cells_map *m, const cm_aabb *box) {
    const __m128 low = _mm_set1_ps((float)CM__LOWEST), high = _mm_set1_ps((float)CM__HIGHEST);
    const __m128i half = _mm_set1_epi32(32768);
    __m128 front = _mm_loadu_ps(&box->min.x), back = _mm_loadu_ps(&box->min.z);
    front = _mm_mul_ps(_mm_sub_ps(front, m->origin[0]), m->scale[0]);
    back = _mm_mul_ps(_mm_sub_ps(back, m->origin[1]), m->scale[1]);
    front = _mm_min_ps(_mm_max_ps(front, low), high), back = _mm_min_ps(_mm_max_ps(back, low), high);
    __m128i a = _mm_sub_epi32(_mm_cvttps_epi32(front), half), b = _mm_sub_epi32(_mm_cvttps_epi32(back), half);
    return _mm_xor_si128(_mm_packs_epi32(a, b), _mm_set1_epi16((short)-32768));
}

static inline cells_record cells_record_of(const cells_map *m, const cm_aabb *box, uint32_t id) {
    __m128i q = cells_numbers(m, box);
    __m128i inner = _mm_subs_epu16(q, m->base);
    inner = _mm_sub_epi16(inner, _mm_subs_epu16(inner, m->span));
    __m128i column = _mm_madd_epi16(_mm_mulhi_epu16(inner, m->factor), m->weight);
    column = _mm_add_epi32(column, _mm_shuffle_epi32(column, 0xb1));
    cells_record r;
    r.first = (uint32_t)_mm_cvtsi128_si32(column);
    r.last = (uint32_t)_mm_cvtsi128_si32(_mm_shuffle_epi32(column, 0xaa));
    __m128i back = _mm_unpacklo_epi32(_mm_srli_si128(q, 12), _mm_cvtsi32_si128((int)id));
    r.all = _mm_sub_epi16(_mm_unpacklo_epi64(q, back), m->less);
    return r;
}

/* Writes it with `drop`: bit 0 it began earlier along u, bit 1 along v. */
static inline void cells_record_put(const cells_map *m, const cells_record *r, uint32_t drop, cm__record *out) {
    __m128i kept = drop ? _mm_and_si128(r->all, m->keep[drop - 1]) : r->all;
    _mm_storeu_si128((__m128i *)(void *)out, kept);
}

#else

typedef struct cells_map {
    const cm__column_grid *g;
} cells_map;

typedef struct cells_record {
    cm__record all;
    uint32_t first, last;
} cells_record;

static inline cells_map cells_map_of(const cm__column_grid *g) {
    cells_map m = {g};
    return m;
}

static inline cells_record cells_record_of(const cells_map *m, const cm_aabb *box, uint32_t id) {
    const cm__column_grid *g = m->g;
    const cm_real *lo = &box->min.x, *hi = &box->max.x;
    cells_record r;
    uint32_t low[3], high[3];
    for (int a = 0; a < 3; ++a) {
        low[a] = cm__grid_number(g, a, lo[a]), high[a] = cm__grid_number(g, a, hi[a]);
        r.all.lo[a] = (uint16_t)(low[a] - 1), r.all.hi[a] = (uint16_t)high[a];
    }
    r.all.id = id;
    const uint32_t width = (uint32_t)g->cells[0];
    r.first = cm__grid_cell(g, g->u, low[g->u]) + width * cm__grid_cell(g, g->v, low[g->v]);
    r.last = cm__grid_cell(g, g->u, high[g->u]) + width * cm__grid_cell(g, g->v, high[g->v]);
    return r;
}

static inline void cells_record_put(const cells_map *m, const cells_record *r, uint32_t drop, cm__record *out) {
    cm__record kept = r->all;
    if (drop & 1) kept.lo[m->g->u] = 0;
    if (drop & 2) kept.lo[m->g->v] = 0;
    *out = kept;
}

#endif

static bool kernel_plain(const cm_aabb *boxes, size_t stride, uint32_t count) {
    const char *at = (const char *)boxes;
#if defined(KERNEL_VECTORS) && !defined(CAROM_F64)
    const __m128 most = _mm_set1_ps(CM_COORD_MAX), sign = _mm_set1_ps(-0.0f);
    const __m128 last = _mm_castsi128_ps(_mm_set_epi32(-1, 0, 0, 0)); /* hi x against lo z says nothing */
    __m128 ok = _mm_castsi128_ps(_mm_set1_epi32(-1));
    for (uint32_t i = 0; i < count; ++i, at += stride) {
        const cm_aabb *box = (const cm_aabb *)(const void *)at;
        __m128 lo = _mm_loadu_ps(&box->min.x), back = _mm_loadu_ps(&box->min.z);
        __m128 hi = _mm_shuffle_ps(back, back, _MM_SHUFFLE(0, 3, 2, 1));
        ok = _mm_and_ps(ok, _mm_or_ps(last, _mm_cmple_ps(lo, hi)));
        ok = _mm_and_ps(
            ok, _mm_and_ps(_mm_cmple_ps(_mm_andnot_ps(sign, lo), most), _mm_cmple_ps(_mm_andnot_ps(sign, back), most)));
    }
    return _mm_movemask_ps(ok) == 15;
#else
    bool ok = true;
    for (uint32_t i = 0; i < count; ++i, at += stride) {
        const cm_aabb *box = (const cm_aabb *)(const void *)at;
        const cm_real *lo = &box->min.x, *hi = &box->max.x, most = CM_COORD_MAX;
        for (int a = 0; a < 3; ++a) ok &= (lo[a] <= hi[a]) & (lo[a] >= -most) & (hi[a] <= most);
    }
    return ok;
#endif
}

static inline bool scatter_skips(const cm__scatter *s, uint32_t i) {
    return s->flags && (s->flags[i] & s->mask) != s->want;
}

static void kernel_count(const cm__scatter *scatter, uint32_t first, uint32_t last) {
    const cm__scatter s = *scatter;
    const cells_map map = cells_map_of(s.grid);
    const uint32_t width = (uint32_t)s.grid->cells[0];
    uint32_t *next = s.next;
    for (uint32_t i = first; i < last; ++i) {
        if (scatter_skips(&s, i)) continue;
        const cells_record r = cells_record_of(&map, &s.boxes[i], 0);
        uint32_t more = r.last - r.first, above = more >= width ? width : 0, right = more - above;
        if (right <= 1) {
            ++next[r.first];
            if (!more) continue;
            next[r.first + right] += right;
            next[r.first + above] += above > 0;
            next[r.last] += right && above;
        } else {
            uint32_t rows = more / width, beside = more % width;
            for (uint32_t v = 0; v <= rows; ++v) {
                for (uint32_t u = 0; u <= beside; ++u) ++next[r.first + v * width + u];
            }
        }
    }
}

/* Most boxes meet one, two or four columns, in no order that a CPU could predict: so four are written to, last the one
 * that is always right, and those that are not met are advanced by nothing. */
static bool kernel_scatter(const cm__scatter *scatter, uint32_t first, uint32_t last) {
    const cm__scatter s = *scatter;
    const cells_map map = cells_map_of(s.grid);
    const uint32_t width = (uint32_t)s.grid->cells[0];
    uint32_t *const next = s.next;
    const uint32_t *const end = s.end;
    cm__record *const records = s.records;
    for (uint32_t i = first; i < last; ++i) {
        if (scatter_skips(&s, i)) continue;
        const cells_record r = cells_record_of(&map, &s.boxes[i], s.ids ? s.ids[i] : i);
        uint32_t more = r.last - r.first, above = more >= width ? width : 0, right = more - above;
        if (right <= 1) {
            uint32_t *at = next + r.first;
            const uint32_t *room = end + r.first;
            uint32_t n0 = at[0], n1 = at[right], n2 = at[above], n3 = at[more];
            if ((n0 >= room[0]) | (n1 >= room[right]) | (n2 >= room[above]) | (n3 >= room[more])) return false;
            cells_record_put(&map, &r, 3, &records[n3]), at[more] = n3 + 1;
            cells_record_put(&map, &r, 2, &records[n2]), at[above] = n2 + 1;
            cells_record_put(&map, &r, 1, &records[n1]), at[right] = n1 + 1;
            cells_record_put(&map, &r, 0, &records[n0]), at[0] = n0 + 1;
        } else {
            uint32_t rows = more / width, beside = more % width;
            for (uint32_t v = 0; v <= rows; ++v) {
                for (uint32_t u = 0; u <= beside; ++u) {
                    uint32_t column = r.first + v * width + u, n = next[column];
                    if (n >= end[column]) return false;
                    next[column] = n + 1;
                    cells_record_put(&map, &r, (u > 0) | (uint32_t)(v > 0) << 1, &records[n]);
                }
            }
        }
    }
    return true;
}

/* --- records into lanes --------------------------------------------------------------------------------------- */

#if defined(KERNEL_VECTORS)
/* The low and the high words of eight numbers of 32 bits. */
static inline void cells_split(__m128i a, __m128i b, uint16_t *low, uint16_t *high) {
    __m128i l = _mm_packs_epi32(_mm_srai_epi32(_mm_slli_epi32(a, 16), 16), _mm_srai_epi32(_mm_slli_epi32(b, 16), 16));
    __m128i h = _mm_packs_epi32(_mm_srai_epi32(a, 16), _mm_srai_epi32(b, 16));
    _mm_storeu_si128((__m128i *)(void *)low, l);
    _mm_storeu_si128((__m128i *)(void *)high, h);
}

/* Four records of four words to four lanes of four. */
static inline void cells_turn(const cm__record *records, __m128i lanes[4]) {
    const __m128i *r = (const __m128i *)(const void *)records;
    __m128i a = _mm_loadu_si128(r), b = _mm_loadu_si128(r + 1), c = _mm_loadu_si128(r + 2), d = _mm_loadu_si128(r + 3);
    __m128i ab = _mm_unpacklo_epi32(a, b), cd = _mm_unpacklo_epi32(c, d);
    lanes[0] = _mm_unpacklo_epi64(ab, cd), lanes[1] = _mm_unpackhi_epi64(ab, cd);
    ab = _mm_unpackhi_epi32(a, b), cd = _mm_unpackhi_epi32(c, d);
    lanes[2] = _mm_unpacklo_epi64(ab, cd), lanes[3] = _mm_unpackhi_epi64(ab, cd);
}
#endif

static void kernel_pack(const cm__column_grid *g, const cm__record *records, uint32_t count, cm__cell_lanes *lanes) {
    const cm__cell_lanes copy = *lanes, *l = &copy;
    uint16_t *lo[3], *hi[3];
    const int axes[3] = {g->u, g->v, g->w};
    for (int k = 0; k < 3; ++k) lo[axes[k]] = l->lo[k], hi[axes[k]] = l->hi[k];
    uint32_t i = 0;
#if defined(KERNEL_VECTORS)
    for (; i + 8 <= count; i += 8) {
        __m128i a[4], b[4];
        cells_turn(records + i, a), cells_turn(records + i + 4, b);
        cells_split(a[0], b[0], lo[0] + i, lo[1] + i);
        cells_split(a[1], b[1], lo[2] + i, hi[0] + i);
        cells_split(a[2], b[2], hi[1] + i, hi[2] + i);
        _mm_storeu_si128((__m128i *)(void *)(l->id + i), a[3]);
        _mm_storeu_si128((__m128i *)(void *)(l->id + i + 4), b[3]);
    }
#endif
    for (; i < count; ++i) {
        for (int a = 0; a < 3; ++a) lo[a][i] = records[i].lo[a], hi[a][i] = records[i].hi[a];
        l->id[i] = records[i].id;
    }
    const uint32_t base = g->base[g->w], span = g->span[g->w], shift = g->shift;
    const uint16_t *top = l->hi[2];
    for (i = 0; i < count; ++i) {
        uint32_t d = top[i] - 1u > base ? top[i] - 1u - base : 0;
        d = (((d < span ? d : span) >> shift) + 1) << shift;
        l->stop[i] = (uint16_t)(d > span ? CM__HIGHEST - 1 : base + d - 1);
    }
    for (i = count; i < count + CM__CELL_BLOCK; ++i) {
        for (int a = 0; a < 3; ++a) l->lo[a][i] = CM__HIGHEST, l->hi[a][i] = 0;
        l->id[i] = 0;
    }
    lanes->count = count;
    lanes->base = base, lanes->span = span, lanes->shift = shift;
}

const cm__kernel KERNEL_TABLE = {KERNEL_NAME,  kernel_sweep,   kernel_cells, kernel_plain,
                                 kernel_count, kernel_scatter, kernel_pack};
