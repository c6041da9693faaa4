/* LANES numbers side by side: in the float build 8 with AVX2 (in files named kernel.c only, see CMakeLists.txt; 16 of
 * AVX-512 were slower, as so few are asked for at a time), 4 with SSE2; else fewer. The same bits in every form, as no
 * product is fused with a sum. Arrays are read LANES at a time: they are padded to whole blocks of LANES_BLOCK. */
#ifndef HULL_LANES_H
#define HULL_LANES_H

#include "carom/math.h"
#include "base/bits.h"

#define LANES_BLOCK 8
#define LANES_WORD  64 /* bits in a word */
/* What is worth its place wherever it is asked for, as there it knows how long its loops are. */
#if defined(__GNUC__)
#define LANES_INLINE static inline __attribute__((always_inline))
#else
#define LANES_INLINE static inline
#endif

#if !defined(CAROM_F64) && defined(__GNUC__) && (defined(CAROM_KERNEL_AVX2) || defined(CAROM_KERNEL_AVX512))
#include <immintrin.h>
#define LANES 8
typedef __m256 lanes_row;
static inline lanes_row lanes_load(const cm_real *x) { return _mm256_loadu_ps(x); }
static inline void lanes_store(cm_real *x, lanes_row a) { _mm256_storeu_ps(x, a); }
static inline lanes_row lanes_all(cm_real x) { return _mm256_set1_ps(x); }
static inline lanes_row lanes_add(lanes_row a, lanes_row b) { return _mm256_add_ps(a, b); }
static inline lanes_row lanes_sub(lanes_row a, lanes_row b) { return _mm256_sub_ps(a, b); }
static inline lanes_row lanes_mul(lanes_row a, lanes_row b) { return _mm256_mul_ps(a, b); }
static inline lanes_row lanes_div(lanes_row a, lanes_row b) { return _mm256_div_ps(a, b); }
static inline lanes_row lanes_sqrt(lanes_row a) { return _mm256_sqrt_ps(a); }
static inline lanes_row lanes_min(lanes_row a, lanes_row b) { return _mm256_min_ps(a, b); }
static inline lanes_row lanes_max(lanes_row a, lanes_row b) { return _mm256_max_ps(a, b); }
/* Bit k: a[k] >= b[k]. */
static inline uint32_t lanes_ge(lanes_row a, lanes_row b) {
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GE_OQ));
}
static inline cm_real lanes_top(lanes_row a) {
    __m128 t = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    t = _mm_max_ps(t, _mm_shuffle_ps(t, t, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm_cvtss_f32(_mm_max_ps(t, _mm_shuffle_ps(t, t, _MM_SHUFFLE(2, 3, 0, 1))));
}
#elif !defined(CAROM_F64) && defined(__SSE2__) && defined(__GNUC__)
#include <emmintrin.h>
#define LANES 4
typedef __m128 lanes_row;
static inline lanes_row lanes_load(const cm_real *x) { return _mm_loadu_ps(x); }
static inline void lanes_store(cm_real *x, lanes_row a) { _mm_storeu_ps(x, a); }
static inline lanes_row lanes_all(cm_real x) { return _mm_set1_ps(x); }
static inline lanes_row lanes_add(lanes_row a, lanes_row b) { return _mm_add_ps(a, b); }
static inline lanes_row lanes_sub(lanes_row a, lanes_row b) { return _mm_sub_ps(a, b); }
static inline lanes_row lanes_mul(lanes_row a, lanes_row b) { return _mm_mul_ps(a, b); }
static inline lanes_row lanes_div(lanes_row a, lanes_row b) { return _mm_div_ps(a, b); }
static inline lanes_row lanes_sqrt(lanes_row a) { return _mm_sqrt_ps(a); }
static inline lanes_row lanes_min(lanes_row a, lanes_row b) { return _mm_min_ps(a, b); }
static inline lanes_row lanes_max(lanes_row a, lanes_row b) { return _mm_max_ps(a, b); }
static inline uint32_t lanes_ge(lanes_row a, lanes_row b) { return (uint32_t)_mm_movemask_ps(_mm_cmpge_ps(a, b)); }
static inline cm_real lanes_top(lanes_row a) {
    a = _mm_max_ps(a, _mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm_cvtss_f32(_mm_max_ps(a, _mm_shuffle_ps(a, a, _MM_SHUFFLE(2, 3, 0, 1))));
}
#elif defined(__SSE2__) && defined(__GNUC__)
#include <emmintrin.h>
#define LANES 2
typedef __m128d lanes_row;
static inline lanes_row lanes_load(const cm_real *x) { return _mm_loadu_pd(x); }
static inline void lanes_store(cm_real *x, lanes_row a) { _mm_storeu_pd(x, a); }
static inline lanes_row lanes_all(cm_real x) { return _mm_set1_pd(x); }
static inline lanes_row lanes_add(lanes_row a, lanes_row b) { return _mm_add_pd(a, b); }
static inline lanes_row lanes_sub(lanes_row a, lanes_row b) { return _mm_sub_pd(a, b); }
static inline lanes_row lanes_mul(lanes_row a, lanes_row b) { return _mm_mul_pd(a, b); }
static inline lanes_row lanes_div(lanes_row a, lanes_row b) { return _mm_div_pd(a, b); }
static inline lanes_row lanes_sqrt(lanes_row a) { return _mm_sqrt_pd(a); }
static inline lanes_row lanes_min(lanes_row a, lanes_row b) { return _mm_min_pd(a, b); }
static inline lanes_row lanes_max(lanes_row a, lanes_row b) { return _mm_max_pd(a, b); }
static inline uint32_t lanes_ge(lanes_row a, lanes_row b) { return (uint32_t)_mm_movemask_pd(_mm_cmpge_pd(a, b)); }
static inline cm_real lanes_top(lanes_row a) { return _mm_cvtsd_f64(_mm_max_pd(a, _mm_shuffle_pd(a, a, 1))); }
#else
#define LANES 1
typedef cm_real lanes_row;
static inline lanes_row lanes_load(const cm_real *x) { return *x; }
static inline void lanes_store(cm_real *x, lanes_row a) { *x = a; }
static inline lanes_row lanes_all(cm_real x) { return x; }
static inline lanes_row lanes_add(lanes_row a, lanes_row b) { return a + b; }
static inline lanes_row lanes_sub(lanes_row a, lanes_row b) { return a - b; }
static inline lanes_row lanes_mul(lanes_row a, lanes_row b) { return a * b; }
static inline lanes_row lanes_div(lanes_row a, lanes_row b) { return a / b; }
static inline lanes_row lanes_sqrt(lanes_row a) { return cm_sqrt(a); }
static inline lanes_row lanes_min(lanes_row a, lanes_row b) { return a < b ? a : b; }
static inline lanes_row lanes_max(lanes_row a, lanes_row b) { return a > b ? a : b; }
static inline uint32_t lanes_ge(lanes_row a, lanes_row b) { return a >= b; }
static inline cm_real lanes_top(lanes_row a) { return a; }
#endif

/* Products of three directions with one. */
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
