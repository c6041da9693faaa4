/* Blocks of LANES_BLOCK numbers side by side: their maximum, and which of them reach a level, as bits. The same bits in
 * every form below. */
#ifndef CONVEX_LANES_H
#define CONVEX_LANES_H

#include "carom/math.h"

#define LANES_BLOCK 8
#define LANES_WORD  64 /* bits in a word */

#if defined(__SSE2__) && !defined(CAROM_F64) && defined(__GNUC__)
#include <emmintrin.h>

/* Bit k: x[k] >= level, of one block. */
static inline uint32_t lanes_block(const cm_real *x, cm_real level) {
    const __m128 low = _mm_set1_ps(level);
    return (uint32_t)_mm_movemask_ps(_mm_cmpge_ps(_mm_loadu_ps(x), low)) |
           (uint32_t)_mm_movemask_ps(_mm_cmpge_ps(_mm_loadu_ps(x + 4), low)) << 4;
}
#elif defined(__SSE2__) && defined(__GNUC__)
#include <emmintrin.h>

static inline uint32_t lanes_block(const cm_real *x, cm_real level) {
    const __m128d low = _mm_set1_pd(level);
    uint32_t bits = 0;
    for (int i = 0; i < LANES_BLOCK; i += 2)
        bits |= (uint32_t)_mm_movemask_pd(_mm_cmpge_pd(_mm_loadu_pd(x + i), low)) << i;
    return bits;
}
#else
static inline uint32_t lanes_block(const cm_real *x, cm_real level) {
    uint32_t bits = 0;
    for (int i = 0; i < LANES_BLOCK; i++) bits |= (uint32_t)(x[i] >= level) << i;
    return bits;
}
#endif

/* Of whole blocks: bit k % LANES_WORD of word k / LANES_WORD tells x[k] >= level. */
static inline void lanes_at_least(const cm_real *x, int count, cm_real level, uint64_t *bits) {
    for (int i = 0; i < count; i += LANES_WORD) {
        uint64_t word = 0;
        for (int k = 0; k < LANES_WORD && i + k < count; k += LANES_BLOCK)
            word |= (uint64_t)lanes_block(x + i + k, level) << k;
        bits[i / LANES_WORD] = word;
    }
}

/* How far p is over `count` planes, whole blocks: x of all normals, then y, z, d. near[k] sinks to over[k] - ball where
 * it was more. */
static inline void lanes_over(const cm_real *plane, int count, cm_vec3 p, cm_real ball, cm_real *over, cm_real *near) {
    const cm_real *x = plane, *y = x + count, *z = y + count, *d = z + count;
#if defined(__SSE2__) && !defined(CAROM_F64) && defined(__GNUC__)
    const __m128 px = _mm_set1_ps(p.x), py = _mm_set1_ps(p.y), pz = _mm_set1_ps(p.z), r = _mm_set1_ps(ball);
    for (int k = 0; k < count; k += 4) {
        __m128 v = _mm_add_ps(_mm_mul_ps(_mm_loadu_ps(x + k), px), _mm_mul_ps(_mm_loadu_ps(y + k), py));
        v = _mm_add_ps(_mm_add_ps(v, _mm_mul_ps(_mm_loadu_ps(z + k), pz)), _mm_loadu_ps(d + k));
        _mm_storeu_ps(over + k, v);
        _mm_storeu_ps(near + k, _mm_min_ps(_mm_sub_ps(v, r), _mm_loadu_ps(near + k)));
    }
#else
    for (int k = 0; k < count; k++) over[k] = x[k] * p.x + y[k] * p.y + z[k] * p.z + d[k];
    for (int k = 0; k < count; k++) {
        const cm_real least = over[k] - ball;
        near[k] = least < near[k] ? least : near[k];
    }
#endif
}

/* Of whole blocks, at least one, without NaN. */
static inline cm_real lanes_most(const cm_real *x, int count) {
#if defined(__SSE2__) && !defined(CAROM_F64) && defined(__GNUC__)
    __m128 a = _mm_loadu_ps(x), b = _mm_loadu_ps(x + 4);
    for (int i = LANES_BLOCK; i < count; i += LANES_BLOCK) {
        a = _mm_max_ps(_mm_loadu_ps(x + i), a);
        b = _mm_max_ps(_mm_loadu_ps(x + i + 4), b);
    }
    a = _mm_max_ps(a, b);
    a = _mm_max_ps(a, _mm_shuffle_ps(a, a, _MM_SHUFFLE(1, 0, 3, 2)));
    return _mm_cvtss_f32(_mm_max_ps(a, _mm_shuffle_ps(a, a, _MM_SHUFFLE(2, 3, 0, 1))));
#else
    cm_real most[LANES_BLOCK];
    for (int k = 0; k < LANES_BLOCK; k++) most[k] = x[k];
    for (int i = LANES_BLOCK; i < count; i += LANES_BLOCK)
        for (int k = 0; k < LANES_BLOCK; k++) most[k] = x[i + k] > most[k] ? x[i + k] : most[k];
    for (int k = 1; k < LANES_BLOCK; k++) most[0] = most[k] > most[0] ? most[k] : most[0];
    return most[0];
#endif
}

/* The number of the lowest bit, of any but 0. */
static inline int lanes_lowest(uint64_t bits) {
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    int n = 0;
    while (!(bits >> n & 1)) n++;
    return n;
#endif
}
static inline int lanes_count(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    return (int)(((bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >> 56);
}

#endif
