/* Part of kernel.c: boxes in numbers of sixteen bits, one against thirty-two others. */
#ifndef BROAD_KERNEL_CELLS_H
#define BROAD_KERNEL_CELLS_H

#include "broad/kernel_lanes.h"

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
    const size_t if_u = b->length & (0u - (size_t)(u != 0)), if_v = b->length & (0u - (size_t)(v != 0));
    const cells_box q = {b->lo[0] + if_u,
                         b->lo[1] + if_v,
                         cells_all(u),
                         cells_all(v), /* no branch */
                         cells_all(a->lo[2][i]),
                         cells_all(a->hi[0][i]),
                         cells_all(a->hi[1][i]),
                         cells_all(a->hi[2][i]),
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
    uint32_t i, j, bits, unused; /* sixteen bytes are addressed faster than twelve */
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

KERNEL_INLINE size_t cells_sweep(const cm__cell_lanes *lanes_a, const cm__cell_lanes *lanes_b, const cm__cell_mode mode,
                                 const bool drops, const cm_aabb *boxes, cm__cursor *cursor, cm_broad_pair *out,
                                 size_t room, uint64_t *tests) {
    const cm__cell_lanes copy_a = *lanes_a, copy_b = *lanes_b, *a = &copy_a, *b = &copy_b;
    const uint16_t *const their_lo = b->lo[2], *const my_stop = a->stop;
    const uint32_t end = a->count, their_end = b->count;
    uint32_t i = cursor->i, resumed = cursor->j, from = cursor->from;
    size_t found = 0;
    uint64_t tested = 0;
    cells_note notes[CELLS_NOTES];
    cells_doubt doubts[CELLS_NOTES];
    while (i < end && room - found >= CM__CELL_BLOCK) {
        const uint32_t most = room - found < 32 * CELLS_NOTES ? (uint32_t)((room - found) / 32) - 1 : CELLS_NOTES - 1;
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
            const uint32_t first = j;
            do {
                uint32_t doubt, bits = cells_mask(&q, b, j, drops, &doubt);
                if (n > most) {
                    resumed = j + 1;
                    tested += kernel_tested(first, j, their_end);
                    goto full;
                }
                notes[n].i = i, notes[n].j = j, notes[n].bits = bits;
                if (doubt) doubts[m].note = n, doubts[m++].bits = doubt;
                n += bits != 0;
                j += CM__CELL_BLOCK;
            } while (their_lo[j] <= stop);
            tested += kernel_tested(first, j, their_end);
        }
    full:
        cells_decide(a, b, notes, doubts, m, boxes);
        for (uint32_t k = 0; k < n; ++k) {
            const uint32_t *theirs = b->id + notes[k].j, mine = a->id[notes[k].i], bits = notes[k].bits;
            found += kernel_put(theirs, mine, bits & 0xffff, out + found);
            if (bits >> 16) found += kernel_put(theirs + 16, mine, bits >> 16, out + found);
        }
    }
    cursor->i = i, cursor->j = resumed, cursor->from = from;
    *tests += tested;
    return found;
}

static size_t kernel_cells(const cm__cell_lanes *a, const cm__cell_lanes *b, cm__cell_mode mode, const cm_aabb *boxes,
                           cm__cursor *cursor, cm_broad_pair *out, size_t room, uint64_t *tests) {
    if (mode == CM__CELLS_FROM) return cells_sweep(a, b, CM__CELLS_FROM, false, boxes, cursor, out, room, tests);
    if (mode == CM__CELLS_BEYOND) return cells_sweep(a, b, CM__CELLS_BEYOND, false, boxes, cursor, out, room, tests);
    if (a->drop) return cells_sweep(a, b, CM__CELLS_SELF, true, boxes, cursor, out, room, tests);
    return cells_sweep(a, b, CM__CELLS_SELF, false, boxes, cursor, out, room, tests);
}

#endif
