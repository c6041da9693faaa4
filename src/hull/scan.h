/* The farthest of few corners: first the greatest value, lane by lane, then who has it, the first of equals. Products
 * and sums are the same in the same order in both forms below, so both give the same corner; NaN gives corner 0.
 *
 * No jump depends on the values, since nothing could foresee it: 32 corners take 18 ns so, where a search for the first
 * of equals by jumps takes 30. */
#ifndef HULL_SCAN_H
#define HULL_SCAN_H

#include "hull/hull.h"

#if defined(__SSE2__) && !defined(CAROM_F64) && defined(__GNUC__)
#include <emmintrin.h>

/* Which of sixteen values are `most`: bit k for value k. */
static inline uint32_t hull_scan_mask(const __m128 *value, __m128 most) {
    __m128i a = _mm_castps_si128(_mm_cmpeq_ps(value[0], most)), b = _mm_castps_si128(_mm_cmpeq_ps(value[1], most));
    __m128i c = _mm_castps_si128(_mm_cmpeq_ps(value[2], most)), d = _mm_castps_si128(_mm_cmpeq_ps(value[3], most));
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d)));
}

/* `padded` is a multiple of CM__HULL_LANES and at most CM__HULL_SCAN. */
static inline uint32_t hull_scan(const cm_real *lanes, uint32_t padded, cm_vec3 d) {
    const float *x = lanes, *y = lanes + padded, *z = lanes + 2 * (size_t)padded;
    const __m128 dx = _mm_set1_ps(d.x), dy = _mm_set1_ps(d.y), dz = _mm_set1_ps(d.z), none = _mm_set1_ps(-FLT_MAX);
    __m128 value[CM__HULL_SCAN / 4], most0 = none, most1 = none;
    uint32_t at = 0;
    for (; at < padded; at += 8) {
        __m128 v = _mm_add_ps(_mm_mul_ps(_mm_loadu_ps(x + at), dx), _mm_mul_ps(_mm_loadu_ps(y + at), dy));
        __m128 w = _mm_add_ps(_mm_mul_ps(_mm_loadu_ps(x + at + 4), dx), _mm_mul_ps(_mm_loadu_ps(y + at + 4), dy));
        v = _mm_add_ps(v, _mm_mul_ps(_mm_loadu_ps(z + at), dz));
        w = _mm_add_ps(w, _mm_mul_ps(_mm_loadu_ps(z + at + 4), dz));
        value[at / 4] = v, value[at / 4 + 1] = w;
        most0 = _mm_max_ps(v, most0), most1 = _mm_max_ps(w, most1);
    }
    for (; at % 32; at += 8) value[at / 4] = value[at / 4 + 1] = none;
    __m128 most = _mm_max_ps(most0, most1);
    most = _mm_max_ps(most, _mm_shuffle_ps(most, most, _MM_SHUFFLE(1, 0, 3, 2)));
    most = _mm_max_ps(most, _mm_shuffle_ps(most, most, _MM_SHUFFLE(2, 3, 0, 1)));
    for (uint32_t i = 0; i < padded; i += 32) {
        uint32_t mask = hull_scan_mask(value + i / 4, most) | hull_scan_mask(value + i / 4 + 4, most) << 16;
        if (mask) return i + (uint32_t)__builtin_ctz(mask);
    }
    return 0;
}
#elif defined(__SSE2__) && defined(__GNUC__)
#include <emmintrin.h>

static inline uint32_t hull_scan(const cm_real *lanes, uint32_t padded, cm_vec3 d) {
    const double *x = lanes, *y = lanes + padded, *z = lanes + 2 * (size_t)padded;
    const __m128d dx = _mm_set1_pd(d.x), dy = _mm_set1_pd(d.y), dz = _mm_set1_pd(d.z);
    __m128d value[CM__HULL_SCAN / 2], most0 = _mm_set1_pd(-DBL_MAX), most1 = most0;
    for (uint32_t at = 0; at < padded; at += 4) {
        __m128d v = _mm_add_pd(_mm_mul_pd(_mm_loadu_pd(x + at), dx), _mm_mul_pd(_mm_loadu_pd(y + at), dy));
        __m128d w = _mm_add_pd(_mm_mul_pd(_mm_loadu_pd(x + at + 2), dx), _mm_mul_pd(_mm_loadu_pd(y + at + 2), dy));
        v = _mm_add_pd(v, _mm_mul_pd(_mm_loadu_pd(z + at), dz));
        w = _mm_add_pd(w, _mm_mul_pd(_mm_loadu_pd(z + at + 2), dz));
        value[at / 2] = v, value[at / 2 + 1] = w;
        most0 = _mm_max_pd(v, most0), most1 = _mm_max_pd(w, most1);
    }
    __m128d most = _mm_max_pd(most0, most1);
    most = _mm_max_pd(most, _mm_shuffle_pd(most, most, 1));
    for (uint32_t i = 0; i < padded; i += 8) {
        uint32_t mask = 0;
        for (uint32_t k = 0; k < 4; k++)
            mask |= (uint32_t)_mm_movemask_pd(_mm_cmpeq_pd(value[i / 2 + k], most)) << 2 * k;
        if (mask) return i + (uint32_t)__builtin_ctz(mask);
    }
    return 0;
}
#else
static inline uint32_t hull_scan(const cm_real *lanes, uint32_t padded, cm_vec3 d) {
    const cm_real *x = lanes, *y = lanes + padded, *z = lanes + 2 * (size_t)padded;
    cm_real value[CM__HULL_SCAN], most = -CM_REAL_MAX;
    for (uint32_t i = 0; i < padded; i++) value[i] = x[i] * d.x + y[i] * d.y + z[i] * d.z;
    for (uint32_t i = 0; i < padded; i++) most = value[i] > most ? value[i] : most;
    for (uint32_t i = 0; i < padded; i++)
        if (value[i] == most) return i;
    return 0;
}
#endif

#endif
