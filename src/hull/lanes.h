/* LANES numbers side by side: eight floats (16 of AVX-512 were slower, as so few are asked for at a time), or two
 * doubles. The same bits in every form, as no product is fused with a sum. Arrays are read LANES at a time: they are
 * padded to whole blocks of LANES_BLOCK. */
#ifndef HULL_LANES_H
#define HULL_LANES_H

#include "carom/math.h"
#include "base/bits.h"
#include "math/simd_wide.h"

#define LANES_BLOCK 8
#define LANES_WORD  64 /* bits in a word */
/* Always inlined: where the caller passes a constant, the compiler knows the length of the loops. */
#if defined(__GNUC__)
#define LANES_INLINE static inline __attribute__((always_inline))
#else
#define LANES_INLINE static inline
#endif

#if defined(CAROM_F64)
#define LANES        2
#define LANES_OF(op) f64x2##op
#else
#define LANES        8
#define LANES_OF(op) f32x8##op
#endif
typedef LANES_OF() lanes_row;
static inline lanes_row lanes_load(const cm_real *x) { return LANES_OF(_load)(x); }
static inline void lanes_store(cm_real *x, lanes_row a) { LANES_OF(_store)(x, a); }
static inline lanes_row lanes_all(cm_real x) { return LANES_OF(_all)(x); }
static inline lanes_row lanes_add(lanes_row a, lanes_row b) { return LANES_OF(_add)(a, b); }
static inline lanes_row lanes_sub(lanes_row a, lanes_row b) { return LANES_OF(_sub)(a, b); }
static inline lanes_row lanes_mul(lanes_row a, lanes_row b) { return LANES_OF(_mul)(a, b); }
static inline lanes_row lanes_div(lanes_row a, lanes_row b) { return LANES_OF(_div)(a, b); }
static inline lanes_row lanes_sqrt(lanes_row a) { return LANES_OF(_sqrt)(a); }
static inline lanes_row lanes_min(lanes_row a, lanes_row b) { return LANES_OF(_min)(a, b); }
static inline lanes_row lanes_max(lanes_row a, lanes_row b) { return LANES_OF(_max)(a, b); }
/* Bit k: a[k] >= b[k]. The largest. */
#if defined(CAROM_F64)
static inline uint32_t lanes_ge(lanes_row a, lanes_row b) { return u64x2_mask(f64x2_ge(a, b)); }
static inline cm_real lanes_top(lanes_row a) { return cm__most(f64x2_low(a), f64x2_high(a)); }
#else
static inline uint32_t lanes_ge(lanes_row a, lanes_row b) { return u32x8_mask(f32x8_ge(a, b)); }
static inline cm_real lanes_top(lanes_row a) { return f32x8_most(a); }
#endif

/* x d.x + y d.y + z d.z, lane by lane. */
static inline lanes_row lanes_along(lanes_row x, lanes_row y, lanes_row z, cm_vec3 d) {
    return lanes_add(lanes_add(lanes_mul(x, lanes_all(d.x)), lanes_mul(y, lanes_all(d.y))),
                     lanes_mul(z, lanes_all(d.z)));
}

/* Of whole blocks: bit k % LANES_WORD of word k / LANES_WORD tells x[k] >= level. */
static inline void lanes_at_least(const cm_real *x, int count, cm_real level, uint64_t *bits) {
    const lanes_row low = lanes_all(level);
    for (int i = 0; i < count; i += LANES_WORD) {
        uint64_t word = 0;
        for (int k = 0; k < LANES_WORD && i + k < count; k += LANES)
            word |= (uint64_t)lanes_ge(lanes_load(x + i + k), low) << k;
        bits[i / LANES_WORD] = word;
    }
}

/* Of whole blocks, at least one, without NaN. */
static inline cm_real lanes_most(const cm_real *x, int count) {
    lanes_row most = lanes_load(x);
    for (int i = LANES; i < count; i += LANES) most = lanes_max(lanes_load(x + i), most);
    return lanes_top(most);
}

#endif
