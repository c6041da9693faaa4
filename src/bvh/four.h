/* Four floats at a time: the four boxes of a node.
 *
 * Each operation is that of the single float on every lane, the same bits with SSE2 as in plain C: minimum and maximum
 * are written as the comparison that the instruction makes (of equal or unordered arguments it gives the second).
 * By hand, because compilers unroll loops of four before they look for vectors: the walks below took twice as long. */
#ifndef BVH_FOUR_H
#define BVH_FOUR_H

#include "carom/base.h"

#include <math.h>
#include <string.h>

#if defined(__SSE2__) && !defined(CAROM_PLAIN_FOUR)
#include <emmintrin.h>

typedef __m128 cm__four;

CM_INLINE cm__four cm__four_load(const float *x) { return _mm_loadu_ps(x); }
CM_INLINE void cm__four_store(float *out, cm__four a) { _mm_storeu_ps(out, a); }
CM_INLINE cm__four cm__four_all(float x) { return _mm_set1_ps(x); }
CM_INLINE cm__four cm__four_add(cm__four a, cm__four b) { return _mm_add_ps(a, b); }
CM_INLINE cm__four cm__four_sub(cm__four a, cm__four b) { return _mm_sub_ps(a, b); }
CM_INLINE cm__four cm__four_mul(cm__four a, cm__four b) { return _mm_mul_ps(a, b); }
CM_INLINE cm__four cm__four_min(cm__four a, cm__four b) { return _mm_min_ps(a, b); }
CM_INLINE cm__four cm__four_max(cm__four a, cm__four b) { return _mm_max_ps(a, b); }
CM_INLINE cm__four cm__four_abs(cm__four a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
/* Bit i: a <= b in lane i. */
CM_INLINE unsigned cm__four_le(cm__four a, cm__four b) { return (unsigned)_mm_movemask_ps(_mm_cmple_ps(a, b)); }
/* Toward zero; each within ±2^31. */
CM_INLINE void cm__four_whole(cm__four a, int32_t out[4]) {
    _mm_storeu_si128((__m128i *)(void *)out, _mm_cvttps_epi32(a));
}

/* The half areas x y + y z + z x of four boxes from their sides. */
CM_INLINE cm__four cm__four_half_areas(cm__four a, cm__four b, cm__four c, cm__four d) {
    __m128 ab = _mm_unpacklo_ps(a, b), cd = _mm_unpacklo_ps(c, d);
    __m128 x = _mm_movelh_ps(ab, cd), y = _mm_movehl_ps(cd, ab);
    __m128 z = _mm_movelh_ps(_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
    return _mm_add_ps(_mm_add_ps(_mm_mul_ps(x, y), _mm_mul_ps(y, z)), _mm_mul_ps(z, x));
}
/* Counts, kept as bits, one more in each lane where a < b; they begin with zeros. */
CM_INLINE cm__four cm__four_count(cm__four counts, cm__four a, cm__four b) {
    return _mm_castsi128_ps(_mm_sub_epi32(_mm_castps_si128(counts), _mm_castps_si128(_mm_cmplt_ps(a, b))));
}
/* The same where not a < b. */
CM_INLINE cm__four cm__four_count_not(cm__four counts, cm__four a, cm__four b) {
    return _mm_castsi128_ps(_mm_sub_epi32(_mm_castps_si128(counts), _mm_castps_si128(_mm_cmpnlt_ps(a, b))));
}
CM_INLINE void cm__four_counts(cm__four counts, int32_t out[4]) {
    _mm_storeu_si128((__m128i *)(void *)out, _mm_castps_si128(counts));
}

#else

typedef struct cm__four {
    float lane[4];
} cm__four;

CM_INLINE cm__four cm__four_load(const float *x) {
    cm__four r;
    for (int i = 0; i < 4; ++i) r.lane[i] = x[i];
    return r;
}
CM_INLINE void cm__four_store(float *out, cm__four a) {
    for (int i = 0; i < 4; ++i) out[i] = a.lane[i];
}
CM_INLINE cm__four cm__four_all(float x) {
    cm__four r;
    for (int i = 0; i < 4; ++i) r.lane[i] = x;
    return r;
}
CM_INLINE cm__four cm__four_add(cm__four a, cm__four b) {
    for (int i = 0; i < 4; ++i) a.lane[i] += b.lane[i];
    return a;
}
CM_INLINE cm__four cm__four_sub(cm__four a, cm__four b) {
    for (int i = 0; i < 4; ++i) a.lane[i] -= b.lane[i];
    return a;
}
CM_INLINE cm__four cm__four_mul(cm__four a, cm__four b) {
    for (int i = 0; i < 4; ++i) a.lane[i] *= b.lane[i];
    return a;
}
CM_INLINE cm__four cm__four_min(cm__four a, cm__four b) {
    for (int i = 0; i < 4; ++i) a.lane[i] = a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}
CM_INLINE cm__four cm__four_max(cm__four a, cm__four b) {
    for (int i = 0; i < 4; ++i) a.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i];
    return a;
}
CM_INLINE cm__four cm__four_abs(cm__four a) {
    for (int i = 0; i < 4; ++i) a.lane[i] = fabsf(a.lane[i]);
    return a;
}
CM_INLINE unsigned cm__four_le(cm__four a, cm__four b) {
    unsigned mask = 0;
    for (int i = 0; i < 4; ++i) mask |= (unsigned)(a.lane[i] <= b.lane[i]) << i;
    return mask;
}
CM_INLINE void cm__four_whole(cm__four a, int32_t out[4]) {
    for (int i = 0; i < 4; ++i) out[i] = (int32_t)a.lane[i];
}

CM_INLINE cm__four cm__four_half_areas(cm__four a, cm__four b, cm__four c, cm__four d) {
    const cm__four side[4] = {a, b, c, d};
    cm__four r;
    for (int i = 0; i < 4; ++i) {
        float x = side[i].lane[0], y = side[i].lane[1], z = side[i].lane[2];
        r.lane[i] = x * y + y * z + z * x;
    }
    return r;
}
CM_INLINE cm__four cm__four_count(cm__four counts, cm__four a, cm__four b) {
    for (int i = 0; i < 4; ++i) {
        int32_t n;
        memcpy(&n, &counts.lane[i], sizeof n);
        n += a.lane[i] < b.lane[i];
        memcpy(&counts.lane[i], &n, sizeof n);
    }
    return counts;
}
CM_INLINE cm__four cm__four_count_not(cm__four counts, cm__four a, cm__four b) {
    for (int i = 0; i < 4; ++i) {
        int32_t n;
        memcpy(&n, &counts.lane[i], sizeof n);
        n += !(a.lane[i] < b.lane[i]);
        memcpy(&counts.lane[i], &n, sizeof n);
    }
    return counts;
}
CM_INLINE void cm__four_counts(cm__four counts, int32_t out[4]) { memcpy(out, counts.lane, 4 * sizeof *out); }

#endif

/* A hint that memory will be read soon; any address will do. */
#if defined(__GNUC__)
#define CM__FETCH(address) __builtin_prefetch(address)
#elif defined(__SSE2__) && !defined(CAROM_PLAIN_FOUR)
#define CM__FETCH(address) _mm_prefetch((const char *)(address), _MM_HINT_T0)
#else
#define CM__FETCH(address) ((void)(address))
#endif

#endif
