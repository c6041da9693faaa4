/* Eight floats at a time: the eight boxes of a wide node. As four.h: each operation is that of the single float on
 * every lane, the same bits with AVX2, with SSE2 and in plain C. */
#ifndef BVH_EIGHT_H
#define BVH_EIGHT_H

#include "bvh/four.h"

#include <string.h>

/* Four floats with these exponents, biased as floats are. */
CM_INLINE cm__four cm__four_powers(const uint8_t exponent[4]) {
#if defined(__SSE2__) && !defined(CAROM_PLAIN_FOUR)
    int32_t bytes;
    memcpy(&bytes, exponent, sizeof bytes);
    __m128i wide = _mm_unpacklo_epi8(_mm_cvtsi32_si128(bytes), _mm_setzero_si128());
    return _mm_castsi128_ps(_mm_slli_epi32(_mm_unpacklo_epi16(wide, _mm_setzero_si128()), 23));
#else
    cm__four r;
    for (int i = 0; i < 4; ++i) {
        uint32_t bits = (uint32_t)exponent[i] << 23;
        memcpy(&r.lane[i], &bits, sizeof bits);
    }
    return r;
#endif
}

#define CM__EIGHT_NONE FLT_MAX /* the key of a lane that has none */

#if defined(__AVX2__) && !defined(CAROM_PLAIN_FOUR)
#include <immintrin.h>

typedef __m256 cm__eight;

CM_INLINE cm__eight cm__eight_all(float x) { return _mm256_set1_ps(x); }
CM_INLINE cm__eight cm__eight_bytes(const uint8_t *x) {
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)x)));
}
CM_INLINE void cm__eight_store(float *out, cm__eight a) { _mm256_storeu_ps(out, a); }
/* a b + c, rounded twice. */
CM_INLINE cm__eight cm__eight_mul_add(cm__eight a, cm__eight b, cm__eight c) {
    return _mm256_add_ps(_mm256_mul_ps(a, b), c);
}
CM_INLINE cm__eight cm__eight_min(cm__eight a, cm__eight b) { return _mm256_min_ps(a, b); }
CM_INLINE cm__eight cm__eight_max(cm__eight a, cm__eight b) { return _mm256_max_ps(a, b); }
CM_INLINE unsigned cm__eight_le(cm__eight a, cm__eight b) {
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}
CM_INLINE cm__eight cm__eight_load(const float *x) { return _mm256_loadu_ps(x); }
CM_INLINE cm__eight cm__eight_keys(cm__eight first, cm__eight last) {
    __m256 met = _mm256_cmp_ps(first, last, _CMP_LE_OQ);
    __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256 key =
        _mm256_or_ps(_mm256_and_ps(first, _mm256_castsi256_ps(_mm256_set1_epi32(-8))), _mm256_castsi256_ps(lane));
    return _mm256_blendv_ps(_mm256_set1_ps(CM__EIGHT_NONE), key, met);
}
CM_INLINE float cm__eight_least(cm__eight a) {
    __m128 m = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    m = _mm_min_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_min_ps(m, _mm_movehdup_ps(m)));
}
CM_INLINE cm__eight cm__eight_without(cm__eight a, float x) {
    __m256 same = _mm256_cmp_ps(a, _mm256_set1_ps(x), _CMP_EQ_OQ);
    return _mm256_blendv_ps(a, _mm256_set1_ps(CM__EIGHT_NONE), same);
}

#else

typedef struct cm__eight {
    cm__four half[2];
} cm__eight;

CM_INLINE cm__eight cm__eight_all(float x) {
    cm__eight r;
    r.half[0] = r.half[1] = cm__four_all(x);
    return r;
}
CM_INLINE cm__eight cm__eight_bytes(const uint8_t *x) {
    cm__eight r;
#if defined(__SSE2__) && !defined(CAROM_PLAIN_FOUR)
    __m128i zero = _mm_setzero_si128();
    __m128i wide = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)x), zero);
    r.half[0] = _mm_cvtepi32_ps(_mm_unpacklo_epi16(wide, zero));
    r.half[1] = _mm_cvtepi32_ps(_mm_unpackhi_epi16(wide, zero));
#else
    for (int i = 0; i < 8; ++i) r.half[i / 4].lane[i % 4] = (float)x[i];
#endif
    return r;
}
CM_INLINE void cm__eight_store(float *out, cm__eight a) {
    cm__four_store(out, a.half[0]), cm__four_store(out + 4, a.half[1]);
}
CM_INLINE cm__eight cm__eight_mul_add(cm__eight a, cm__eight b, cm__eight c) {
    for (int i = 0; i < 2; ++i) a.half[i] = cm__four_add(cm__four_mul(a.half[i], b.half[i]), c.half[i]);
    return a;
}
CM_INLINE cm__eight cm__eight_min(cm__eight a, cm__eight b) {
    for (int i = 0; i < 2; ++i) a.half[i] = cm__four_min(a.half[i], b.half[i]);
    return a;
}
CM_INLINE cm__eight cm__eight_max(cm__eight a, cm__eight b) {
    for (int i = 0; i < 2; ++i) a.half[i] = cm__four_max(a.half[i], b.half[i]);
    return a;
}
/* Bit i: a <= b in lane i. */
CM_INLINE unsigned cm__eight_le(cm__eight a, cm__eight b) {
    return cm__four_le(a.half[0], b.half[0]) | cm__four_le(a.half[1], b.half[1]) << 4;
}
CM_INLINE cm__eight cm__eight_load(const float *x) {
    cm__eight r;
    r.half[0] = cm__four_load(x), r.half[1] = cm__four_load(x + 4);
    return r;
}
/* Where first <= last: `first`, not negative, with its three lowest bits replaced by the lane; else CM__EIGHT_NONE. */
CM_INLINE cm__eight cm__eight_keys(cm__eight first, cm__eight last) {
    cm__eight r;
#if defined(__SSE2__) && !defined(CAROM_PLAIN_FOUR)
    for (int h = 0; h < 2; ++h) {
        __m128 met = _mm_cmple_ps(first.half[h], last.half[h]);
        __m128 lane = _mm_castsi128_ps(h ? _mm_setr_epi32(4, 5, 6, 7) : _mm_setr_epi32(0, 1, 2, 3));
        __m128 key = _mm_or_ps(_mm_and_ps(first.half[h], _mm_castsi128_ps(_mm_set1_epi32(-8))), lane);
        r.half[h] = _mm_or_ps(_mm_and_ps(met, key), _mm_andnot_ps(met, _mm_set1_ps(CM__EIGHT_NONE)));
    }
#else
    for (int i = 0; i < 8; ++i) {
        float key = first.half[i / 4].lane[i % 4];
        uint32_t bits;
        memcpy(&bits, &key, sizeof bits);
        bits = (bits & ~UINT32_C(7)) | (uint32_t)i;
        memcpy(&key, &bits, sizeof key);
        bool met = first.half[i / 4].lane[i % 4] <= last.half[i / 4].lane[i % 4];
        r.half[i / 4].lane[i % 4] = met ? key : CM__EIGHT_NONE;
    }
#endif
    return r;
}
/* The least of all lanes. */
CM_INLINE float cm__eight_least(cm__eight a) {
    cm__four m = cm__four_min(a.half[0], a.half[1]);
#if defined(__SSE2__) && !defined(CAROM_PLAIN_FOUR)
    m = _mm_min_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_min_ps(m, _mm_shuffle_ps(m, m, 1)));
#else
    float x = m.lane[0] < m.lane[1] ? m.lane[0] : m.lane[1], y = m.lane[2] < m.lane[3] ? m.lane[2] : m.lane[3];
    return x < y ? x : y;
#endif
}
/* CM__EIGHT_NONE in place of x. */
CM_INLINE cm__eight cm__eight_without(cm__eight a, float x) {
    for (int h = 0; h < 2; ++h) {
#if defined(__SSE2__) && !defined(CAROM_PLAIN_FOUR)
        __m128 same = _mm_cmpeq_ps(a.half[h], _mm_set1_ps(x));
        a.half[h] = _mm_or_ps(_mm_andnot_ps(same, a.half[h]), _mm_and_ps(same, _mm_set1_ps(CM__EIGHT_NONE)));
#else
        for (int i = 0; i < 4; ++i) a.half[h].lane[i] = a.half[h].lane[i] == x ? CM__EIGHT_NONE : a.half[h].lane[i];
#endif
    }
    return a;
}

#endif

/* --- four doubles ------------------------------------------------------------------------------------------------ */

#if defined(__AVX2__) && !defined(CAROM_PLAIN_FOUR)

typedef __m256d cm__quad;

CM_INLINE cm__quad cm__quad_all(double x) { return _mm256_set1_pd(x); }
CM_INLINE cm__quad cm__quad_of(cm_real a, cm_real b, cm_real c, cm_real d) {
#if defined(CAROM_F64)
    return _mm256_setr_pd(a, b, c, d);
#else
    return _mm256_cvtps_pd(_mm_setr_ps(a, b, c, d));
#endif
}
CM_INLINE cm__quad cm__quad_sub(cm__quad a, cm__quad b) { return _mm256_sub_pd(a, b); }
CM_INLINE cm__quad cm__quad_mul(cm__quad a, cm__quad b) { return _mm256_mul_pd(a, b); }
CM_INLINE cm__quad cm__quad_min(cm__quad a, cm__quad b) { return _mm256_min_pd(a, b); }
CM_INLINE cm__quad cm__quad_max(cm__quad a, cm__quad b) { return _mm256_max_pd(a, b); }
CM_INLINE unsigned cm__quad_le(cm__quad a, cm__quad b) {
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LE_OQ));
}

#elif defined(__SSE2__) && !defined(CAROM_PLAIN_FOUR)

typedef struct cm__quad {
    __m128d half[2];
} cm__quad;

CM_INLINE cm__quad cm__quad_all(double x) {
    cm__quad r;
    r.half[0] = r.half[1] = _mm_set1_pd(x);
    return r;
}
CM_INLINE cm__quad cm__quad_of(cm_real a, cm_real b, cm_real c, cm_real d) {
    cm__quad r;
    r.half[0] = _mm_setr_pd((double)a, (double)b), r.half[1] = _mm_setr_pd((double)c, (double)d);
    return r;
}
CM_INLINE cm__quad cm__quad_sub(cm__quad a, cm__quad b) {
    for (int i = 0; i < 2; ++i) a.half[i] = _mm_sub_pd(a.half[i], b.half[i]);
    return a;
}
CM_INLINE cm__quad cm__quad_mul(cm__quad a, cm__quad b) {
    for (int i = 0; i < 2; ++i) a.half[i] = _mm_mul_pd(a.half[i], b.half[i]);
    return a;
}
CM_INLINE cm__quad cm__quad_min(cm__quad a, cm__quad b) {
    for (int i = 0; i < 2; ++i) a.half[i] = _mm_min_pd(a.half[i], b.half[i]);
    return a;
}
CM_INLINE cm__quad cm__quad_max(cm__quad a, cm__quad b) {
    for (int i = 0; i < 2; ++i) a.half[i] = _mm_max_pd(a.half[i], b.half[i]);
    return a;
}
CM_INLINE unsigned cm__quad_le(cm__quad a, cm__quad b) {
    return (unsigned)(_mm_movemask_pd(_mm_cmple_pd(a.half[0], b.half[0])) |
                      _mm_movemask_pd(_mm_cmple_pd(a.half[1], b.half[1])) << 2);
}

#else

typedef struct cm__quad {
    double lane[4];
} cm__quad;

CM_INLINE cm__quad cm__quad_of(cm_real a, cm_real b, cm_real c, cm_real d) {
    cm__quad r = {{(double)a, (double)b, (double)c, (double)d}};
    return r;
}
CM_INLINE cm__quad cm__quad_all(double x) {
    cm__quad r = {{x, x, x, x}};
    return r;
}
CM_INLINE cm__quad cm__quad_sub(cm__quad a, cm__quad b) {
    for (int i = 0; i < 4; ++i) a.lane[i] -= b.lane[i];
    return a;
}
CM_INLINE cm__quad cm__quad_mul(cm__quad a, cm__quad b) {
    for (int i = 0; i < 4; ++i) a.lane[i] *= b.lane[i];
    return a;
}
CM_INLINE cm__quad cm__quad_min(cm__quad a, cm__quad b) {
    for (int i = 0; i < 4; ++i) a.lane[i] = a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}
CM_INLINE cm__quad cm__quad_max(cm__quad a, cm__quad b) {
    for (int i = 0; i < 4; ++i) a.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}
/* Bit i: a <= b in lane i. */
CM_INLINE unsigned cm__quad_le(cm__quad a, cm__quad b) {
    unsigned mask = 0;
    for (int i = 0; i < 4; ++i) mask |= (unsigned)(a.lane[i] <= b.lane[i]) << i;
    return mask;
}

#endif

#endif
