/* Part of kernel.c: boxes as they are, one against sixteen others, all six sides, and pairs written without a branch
 * where the CPU can. */
#ifndef BROAD_KERNEL_LANES_H
#define BROAD_KERNEL_LANES_H

#include "broad/kernel.h"
#include "base/bits.h"
#include "broad/broad.h"
#include "math/simd_wide.h"

#if defined(CAROM_KERNEL_AVX512) /* which of the compilations this is */
#define KERNEL_TABLE cm__kernel_avx512
#elif defined(CAROM_KERNEL_AVX2)
#define KERNEL_TABLE cm__kernel_avx2
#else
#define KERNEL_TABLE cm__kernel_base
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

/* Boxes j to j + KERNEL_REALS - 1 overlap the box that these are, in every lane: a mask. */
#if defined(CAROM_F64)
#define KERNEL_OF(op) f64w##op
typedef m64w kernel_reals_mask;
#define kernel_both m64w_and
#else
#define KERNEL_OF(op) f32w##op
typedef m32w kernel_reals_mask;
#define kernel_both   m32w_and
#endif
enum { KERNEL_WORDS = SIMD_BYTES / sizeof(uint32_t), KERNEL_REALS = SIMD_BYTES / sizeof(cm_real) };

static inline kernel_reals_mask kernel_axis(const cm__lanes *l, int a, uint32_t j, const kernel_box *q) {
    return kernel_both(KERNEL_OF(_le)(KERNEL_OF(_load)(l->lo[a] + j), KERNEL_OF(_all)(q->hi[a])),
                       KERNEL_OF(_le)(KERNEL_OF(_all)(q->lo[a]), KERNEL_OF(_load)(l->hi[a] + j)));
}
static inline kernel_reals_mask kernel_boxes(const cm__lanes *l, uint32_t j, const kernel_box *q) {
    return kernel_both(kernel_both(kernel_axis(l, 0, j, q), kernel_axis(l, 1, j, q)), kernel_axis(l, 2, j, q));
}

static inline uint32_t kernel_mask(const cm__lanes *l, uint32_t j, const kernel_box *q) {
    uint32_t bits = 0;
    for (uint32_t k = 0; k < CM__BLOCK; k += KERNEL_WORDS) {
        const m32w keep = u32w_apart(u32w_load(l->drop + j + k), u32w_all(q->drop));
#if defined(CAROM_F64)
        const m32w meet = m32w_of_halves(kernel_boxes(l, j + k, q), kernel_boxes(l, j + k + KERNEL_REALS, q));
#else
        const m32w meet = kernel_boxes(l, j + k, q);
#endif
        bits |= m32w_bits(m32w_and(keep, meet)) << k;
    }
    return bits;
}

/* --- writing pairs: those of `bits`, in order; room for sixteen -------------------------------------------------- */

static inline size_t kernel_put(const uint32_t *ids, uint32_t id, uint32_t bits, cm_broad_pair *out) {
#if defined(SIMD_PAIRS)
    return u32w_pairs(id, u32w_load(ids), bits, &out->a);
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
