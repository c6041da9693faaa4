/* Eight floats at a time: the eight boxes of a wide node, the eight triangles of a leaf. As four.h: each operation is
 * that of the single float on every lane, the same with AVX2, with SSE2 and in plain C; but where FMA is at hand a
 * product and a sum are rounded once, not twice. So what is decided here may differ between instruction sets: use it
 * for what bounds of errors hold of either. */
#ifndef BVH_EIGHT_H
#define BVH_EIGHT_H

#include "bvh/four.h"

#include <string.h>

/* --- four: a ray's coordinates, the last of no use ---------------------------------------------------------------- */

#if defined(__SSE2__) && !defined(CAROM_PLAIN_FOUR)
CM_INLINE cm__four cm__four_of(float x, float y, float z) { return _mm_setr_ps(x, y, z, 0); }
CM_INLINE cm__four cm__four_div(cm__four a, cm__four b) { return _mm_div_ps(a, b); }
/* `size` with the signs of a. */
CM_INLINE cm__four cm__four_signed(cm__four size, cm__four a) {
    return _mm_or_ps(size, _mm_and_ps(a, _mm_set1_ps(-0.0f)));
}
/* Bit i: lane i has a sign. */
CM_INLINE unsigned cm__four_signs(cm__four a) { return (unsigned)_mm_movemask_ps(a); }
#else
CM_INLINE cm__four cm__four_of(float x, float y, float z) {
    cm__four r = {{x, y, z, 0}};
    return r;
}
CM_INLINE cm__four cm__four_div(cm__four a, cm__four b) {
    for (int i = 0; i < 4; ++i) a.lane[i] /= b.lane[i];
    return a;
}
CM_INLINE unsigned cm__four_signs(cm__four a) {
    unsigned mask = 0;
    for (int i = 0; i < 4; ++i) mask |= (unsigned)(signbit(a.lane[i]) != 0) << i;
    return mask;
}
CM_INLINE cm__four cm__four_signed(cm__four size, cm__four a) {
    for (int i = 0; i < 4; ++i) size.lane[i] = signbit(a.lane[i]) ? -size.lane[i] : size.lane[i];
    return size;
}
#endif

/* --- eight ------------------------------------------------------------------------------------------------------- */

#if defined(__AVX2__) && !defined(CAROM_PLAIN_FOUR)
#include <immintrin.h>

typedef __m256 cm__eight;

CM_INLINE cm__eight cm__eight_all(float x) { return _mm256_set1_ps(x); }
CM_INLINE cm__eight cm__eight_bytes(const uint8_t *x) {
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)x)));
}
CM_INLINE cm__eight cm__eight_load(const float *x) { return _mm256_loadu_ps(x); }
CM_INLINE void cm__eight_store(float *out, cm__eight a) { _mm256_storeu_ps(out, a); }
CM_INLINE cm__eight cm__eight_sub(cm__eight a, cm__eight b) { return _mm256_sub_ps(a, b); }
CM_INLINE cm__eight cm__eight_mul(cm__eight a, cm__eight b) { return _mm256_mul_ps(a, b); }
#if defined(__FMA__)
CM_INLINE cm__eight cm__eight_mul_add(cm__eight a, cm__eight b, cm__eight c) { return _mm256_fmadd_ps(a, b, c); }
CM_INLINE cm__eight cm__eight_mul_sub(cm__eight a, cm__eight b, cm__eight c) { return _mm256_fmsub_ps(a, b, c); }
CM_INLINE cm__eight cm__eight_sub_mul(cm__eight a, cm__eight b, cm__eight c) { return _mm256_fnmadd_ps(b, c, a); }
#else
CM_INLINE cm__eight cm__eight_mul_add(cm__eight a, cm__eight b, cm__eight c) {
    return _mm256_add_ps(_mm256_mul_ps(a, b), c);
}
CM_INLINE cm__eight cm__eight_mul_sub(cm__eight a, cm__eight b, cm__eight c) {
    return _mm256_sub_ps(_mm256_mul_ps(a, b), c);
}
CM_INLINE cm__eight cm__eight_sub_mul(cm__eight a, cm__eight b, cm__eight c) {
    return _mm256_sub_ps(a, _mm256_mul_ps(b, c));
}
#endif
CM_INLINE cm__eight cm__eight_min(cm__eight a, cm__eight b) { return _mm256_min_ps(a, b); }
CM_INLINE cm__eight cm__eight_max(cm__eight a, cm__eight b) { return _mm256_max_ps(a, b); }
CM_INLINE cm__eight cm__eight_neg(cm__eight a) { return _mm256_xor_ps(a, _mm256_set1_ps(-0.0f)); }
CM_INLINE cm__eight cm__eight_abs(cm__eight a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
CM_INLINE unsigned cm__eight_le(cm__eight a, cm__eight b) {
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
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
CM_INLINE cm__eight cm__eight_load(const float *x) {
    cm__eight r;
    r.half[0] = cm__four_load(x), r.half[1] = cm__four_load(x + 4);
    return r;
}
CM_INLINE void cm__eight_store(float *out, cm__eight a) {
    cm__four_store(out, a.half[0]), cm__four_store(out + 4, a.half[1]);
}
CM_INLINE cm__eight cm__eight_sub(cm__eight a, cm__eight b) {
    for (int i = 0; i < 2; ++i) a.half[i] = cm__four_sub(a.half[i], b.half[i]);
    return a;
}
CM_INLINE cm__eight cm__eight_mul(cm__eight a, cm__eight b) {
    for (int i = 0; i < 2; ++i) a.half[i] = cm__four_mul(a.half[i], b.half[i]);
    return a;
}
/* a b + c, a b - c, a - b c. */
CM_INLINE cm__eight cm__eight_mul_add(cm__eight a, cm__eight b, cm__eight c) {
    for (int i = 0; i < 2; ++i) a.half[i] = cm__four_add(cm__four_mul(a.half[i], b.half[i]), c.half[i]);
    return a;
}
CM_INLINE cm__eight cm__eight_mul_sub(cm__eight a, cm__eight b, cm__eight c) {
    return cm__eight_sub(cm__eight_mul(a, b), c);
}
CM_INLINE cm__eight cm__eight_sub_mul(cm__eight a, cm__eight b, cm__eight c) {
    return cm__eight_sub(a, cm__eight_mul(b, c));
}
CM_INLINE cm__eight cm__eight_min(cm__eight a, cm__eight b) {
    for (int i = 0; i < 2; ++i) a.half[i] = cm__four_min(a.half[i], b.half[i]);
    return a;
}
CM_INLINE cm__eight cm__eight_max(cm__eight a, cm__eight b) {
    for (int i = 0; i < 2; ++i) a.half[i] = cm__four_max(a.half[i], b.half[i]);
    return a;
}
CM_INLINE cm__eight cm__eight_neg(cm__eight a) {
    cm__four zero = cm__four_all(0);
    for (int i = 0; i < 2; ++i) a.half[i] = cm__four_sub(zero, a.half[i]);
    return a;
}
CM_INLINE cm__eight cm__eight_abs(cm__eight a) {
    for (int i = 0; i < 2; ++i) a.half[i] = cm__four_abs(a.half[i]);
    return a;
}
/* Bit i: a <= b in lane i. */
CM_INLINE unsigned cm__eight_le(cm__eight a, cm__eight b) {
    return cm__four_le(a.half[0], b.half[0]) | cm__four_le(a.half[1], b.half[1]) << 4;
}

#endif

/* --- keys: which of eight comes first ----------------------------------------------------------------------------- */

/* The bits of a float that is not negative, the last three of them replaced by the lane: ordered as numbers. */
#define CM__NO_KEY UINT32_MAX

#if defined(__AVX2__) && !defined(CAROM_PLAIN_FOUR)

typedef __m256i cm__keys;

/* A key where from <= until. */
CM_INLINE cm__keys cm__keys_of(cm__eight from, cm__eight until) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i no = _mm256_castps_si256(_mm256_cmp_ps(from, until, _CMP_NLE_UQ));
    const __m256i key = _mm256_andnot_si256(_mm256_set1_epi32(7), _mm256_castps_si256(from));
    return _mm256_or_si256(_mm256_or_si256(key, lane), no);
}
/* Those of some lanes: bit i for lane i. */
CM_INLINE cm__keys cm__keys_in(cm__keys a, unsigned lanes) {
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128), all = _mm256_set1_epi32((int)lanes);
    return _mm256_or_si256(a, _mm256_cmpeq_epi32(_mm256_and_si256(all, bits), _mm256_setzero_si256()));
}
CM_INLINE uint32_t cm__keys_least(cm__keys a) {
    __m128i m = _mm_min_epu32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    m = _mm_min_epu32(m, _mm_shuffle_epi32(m, 0x4e));
    m = _mm_min_epu32(m, _mm_shuffle_epi32(m, 0xb1));
    return (uint32_t)_mm_cvtsi128_si32(m);
}
CM_INLINE cm__keys cm__keys_without(cm__keys a, uint32_t key) {
    return _mm256_or_si256(a, _mm256_cmpeq_epi32(a, _mm256_set1_epi32((int)key)));
}
CM_INLINE cm__keys cm__keys_load(const uint32_t *x) { return _mm256_loadu_si256((const __m256i *)(const void *)x); }
CM_INLINE void cm__keys_store(uint32_t *out, cm__keys a) { _mm256_storeu_si256((__m256i *)(void *)out, a); }

#else

typedef struct cm__keys {
    uint32_t lane[8];
} cm__keys;

CM_INLINE cm__keys cm__keys_of(cm__eight from, cm__eight until) {
    const unsigned yes = cm__eight_le(from, until);
    float x[8];
    cm__keys r;
    cm__eight_store(x, from);
    memcpy(r.lane, x, sizeof r.lane);
    for (uint32_t i = 0; i < 8; ++i) r.lane[i] = yes >> i & 1 ? (r.lane[i] & ~UINT32_C(7)) | i : CM__NO_KEY;
    return r;
}
CM_INLINE cm__keys cm__keys_in(cm__keys a, unsigned lanes) {
    for (int i = 0; i < 8; ++i) a.lane[i] = lanes >> i & 1 ? a.lane[i] : CM__NO_KEY;
    return a;
}
CM_INLINE uint32_t cm__keys_least(cm__keys a) {
    uint32_t least = CM__NO_KEY;
    for (int i = 0; i < 8; ++i) least = a.lane[i] < least ? a.lane[i] : least;
    return least;
}
CM_INLINE cm__keys cm__keys_without(cm__keys a, uint32_t key) {
    for (int i = 0; i < 8; ++i) a.lane[i] = a.lane[i] == key ? CM__NO_KEY : a.lane[i];
    return a;
}
CM_INLINE cm__keys cm__keys_load(const uint32_t *x) {
    cm__keys r;
    memcpy(r.lane, x, sizeof r.lane);
    return r;
}
CM_INLINE void cm__keys_store(uint32_t *out, cm__keys a) { memcpy(out, a.lane, sizeof a.lane); }

#endif

#endif
