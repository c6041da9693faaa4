/* Two doubles at a time, where the compiler does not see that it could: as SSE2, or written out. The same bits either
 * way, and on every machine: no sum runs across the lanes. */
#ifndef MATH_TWO_H
#define MATH_TWO_H

#include "math/point.h"

/* Kept out of line: the rare way of a function, whose registers would otherwise be saved on the common one. */
#if defined(__GNUC__)
#define CM__RARE __attribute__((noinline))
#else
#define CM__RARE
#endif

#if defined(__SSE2__) && defined(__GNUC__)

typedef __m128d cm__two;

CM_INLINE cm__two two_of(double low, double high) { return _mm_set_pd(high, low); }
CM_INLINE cm__two two_all(double x) { return _mm_set1_pd(x); }
CM_INLINE double two_low(cm__two a) { return _mm_cvtsd_f64(a); }
CM_INLINE double two_high(cm__two a) { return _mm_cvtsd_f64(_mm_unpackhi_pd(a, a)); }
CM_INLINE void two_store(double *out, cm__two a) { _mm_storeu_pd(out, a); }
CM_INLINE cm__two two_add(cm__two a, cm__two b) { return _mm_add_pd(a, b); }
CM_INLINE cm__two two_sub(cm__two a, cm__two b) { return _mm_sub_pd(a, b); }
CM_INLINE cm__two two_mul(cm__two a, cm__two b) { return _mm_mul_pd(a, b); }
CM_INLINE cm__two two_div(cm__two a, cm__two b) { return _mm_div_pd(a, b); }
CM_INLINE cm__two two_abs(cm__two a) { return _mm_andnot_pd(_mm_set1_pd(-0.0), a); }
/* (a1, a0) */
CM_INLINE cm__two two_swap(cm__two a) { return _mm_shuffle_pd(a, a, 1); }
/* (a0, b0), (a1, b1) */
CM_INLINE cm__two two_lows(cm__two a, cm__two b) { return _mm_unpacklo_pd(a, b); }
CM_INLINE cm__two two_highs(cm__two a, cm__two b) { return _mm_unpackhi_pd(a, b); }
CM_INLINE cm__two two_min(cm__two a, cm__two b) { return _mm_min_pd(a, b); }
CM_INLINE cm__two two_max(cm__two a, cm__two b) { return _mm_max_pd(a, b); }
/* 1 with the sign of a, also that of -0. */
CM_INLINE cm__two two_sign(cm__two a) { return _mm_or_pd(_mm_and_pd(a, _mm_set1_pd(-0.0)), _mm_set1_pd(1)); }
/* x where a >= b, else 0. */
CM_INLINE cm__two two_where(cm__two a, cm__two b, cm__two x) { return _mm_and_pd(_mm_cmpge_pd(a, b), x); }
/* Bit 0: a0 > b0, bit 1: a1 > b1. */
CM_INLINE unsigned two_above(cm__two a, cm__two b) { return (unsigned)_mm_movemask_pd(_mm_cmpgt_pd(a, b)); }

#else

typedef struct cm__two {
    double low, high;
} cm__two;

CM_INLINE cm__two two_of(double low, double high) {
    cm__two a;
    a.low = low, a.high = high;
    return a;
}
CM_INLINE cm__two two_all(double x) { return two_of(x, x); }
CM_INLINE double two_low(cm__two a) { return a.low; }
CM_INLINE double two_high(cm__two a) { return a.high; }
CM_INLINE void two_store(double *out, cm__two a) { out[0] = a.low, out[1] = a.high; }
CM_INLINE cm__two two_add(cm__two a, cm__two b) { return two_of(a.low + b.low, a.high + b.high); }
CM_INLINE cm__two two_sub(cm__two a, cm__two b) { return two_of(a.low - b.low, a.high - b.high); }
CM_INLINE cm__two two_mul(cm__two a, cm__two b) { return two_of(a.low * b.low, a.high * b.high); }
CM_INLINE cm__two two_div(cm__two a, cm__two b) { return two_of(a.low / b.low, a.high / b.high); }
CM_INLINE cm__two two_abs(cm__two a) { return two_of(fabs(a.low), fabs(a.high)); }
CM_INLINE cm__two two_swap(cm__two a) { return two_of(a.high, a.low); }
CM_INLINE cm__two two_lows(cm__two a, cm__two b) { return two_of(a.low, b.low); }
CM_INLINE cm__two two_highs(cm__two a, cm__two b) { return two_of(a.high, b.high); }
CM_INLINE cm__two two_min(cm__two a, cm__two b) { return two_of(cm__least(a.low, b.low), cm__least(a.high, b.high)); }
CM_INLINE cm__two two_max(cm__two a, cm__two b) { return two_of(cm__most(a.low, b.low), cm__most(a.high, b.high)); }
CM_INLINE cm__two two_sign(cm__two a) { return two_of(signbit(a.low) ? -1 : 1, signbit(a.high) ? -1 : 1); }
CM_INLINE cm__two two_where(cm__two a, cm__two b, cm__two x) {
    return two_of(a.low >= b.low ? x.low : 0, a.high >= b.high ? x.high : 0);
}
CM_INLINE unsigned two_above(cm__two a, cm__two b) {
    return (unsigned)(a.low > b.low) | (unsigned)(a.high > b.high) << 1;
}

#endif

/* a + s b */
CM_INLINE cm__two two_mul_add(cm__two a, cm__two s, cm__two b) { return two_add(a, two_mul(s, b)); }
CM_INLINE double two_sum(cm__two a) { return two_low(a) + two_high(a); }

/* A rotation's matrix m as frame_of_quat gives it, by rows: (m.x.x, m.y.x), (m.x.y, m.y.y), (m.x.z, m.y.z), and
 * its last column. */
typedef struct two_mat3 {
    cm__two x, y, z, z_xy;
    double z_z;
} two_mat3;

#if defined(__SSE2__) && defined(__GNUC__) && !defined(CAROM_F64)

/* The numbers at p and p + 1. */
CM_INLINE cm__two two_of_reals(const cm_real *p) {
    return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
CM_INLINE void two_to_reals(cm_real *out, cm__two a) {
    _mm_storel_epi64((__m128i *)(void *)out, _mm_castps_si128(_mm_cvtpd_ps(a)));
}
/* The four numbers at a and the four at b, side by side. */
CM_INLINE void two_side_by_side(const cm_real *a, const cm_real *b, cm__two out[4]) {
    __m128 p = _mm_loadu_ps(a), q = _mm_loadu_ps(b), low = _mm_unpacklo_ps(p, q), high = _mm_unpackhi_ps(p, q);
    out[0] = _mm_cvtps_pd(low), out[1] = _mm_cvtps_pd(_mm_movehl_ps(low, low));
    out[2] = _mm_cvtps_pd(high), out[3] = _mm_cvtps_pd(_mm_movehl_ps(high, high));
}
/* Are the four numbers at p coordinates, and the last `sizes` of them no less than 0? False for -0. Here as sign bits
 * of what is wrong, so that several may be asked at once. */
CM_INLINE __m128i reals_wrong(const cm_real *p, int sizes) {
    /* floats are in the order of their bits, NaN and infinity above all; sizes keep their sign, which must be 0 */
    const __m128i sign = _mm_set_epi32(sizes > 0 ? -1 : INT32_MAX, sizes > 1 ? -1 : INT32_MAX,
                                       sizes > 2 ? -1 : INT32_MAX, sizes > 3 ? -1 : INT32_MAX);
    __m128i x = _mm_and_si128(_mm_loadu_si128((const __m128i *)(const void *)p), sign);
    __m128i beyond = _mm_cmpgt_epi32(x, _mm_castps_si128(_mm_set1_ps(CM_COORD_MAX)));
    return _mm_or_si128(beyond, x);
}
CM_INLINE int reals_none_wrong(__m128i wrong) { return _mm_movemask_ps(_mm_castsi128_ps(wrong)) == 0; }
CM_INLINE int reals_are_valid(const cm_real *p, int sizes) { return reals_none_wrong(reals_wrong(p, sizes)); }

#else

CM_INLINE cm__two two_of_reals(const cm_real *p) { return two_of((double)p[0], (double)p[1]); }
CM_INLINE void two_to_reals(cm_real *out, cm__two a) { out[0] = (cm_real)two_low(a), out[1] = (cm_real)two_high(a); }
CM_INLINE void two_side_by_side(const cm_real *a, const cm_real *b, cm__two out[4]) {
    for (int i = 0; i < 4; i++) out[i] = two_of((double)a[i], (double)b[i]);
}
CM_INLINE int reals_are_valid(const cm_real *p, int sizes) {
    bool valid = true;
    for (int i = 0; i < 4; i++) valid &= (cm_abs(p[i]) <= CM_COORD_MAX) & (i < 4 - sizes || !signbit(p[i]));
    return valid;
}

#endif

/* From x and y, z and w. */
CM_INLINE two_mat3 two_mat3_from_halves(cm__two xy, cm__two zw) {
    cm__two squares = two_mul(xy, xy), others = two_mul(zw, zw);
    double s = 2 / (two_sum(squares) + two_low(others) + two_high(others));
    cm__two s_xy = two_mul(xy, two_all(s)), s_z = two_all(two_low(zw) * s), w = two_highs(zw, zw);
    cm__two along = two_mul(xy, s_xy); /* xx, yy */
    double zz = two_low(zw) * two_low(s_z), cross = two_low(xy) * two_high(s_xy), turn = two_low(w) * two_low(s_z);
    cm__two aside = two_mul(xy, s_z);                                            /* xz, yz */
    cm__two turns = two_mul(two_swap(two_mul(w, s_xy)), two_of(-1, 1));          /* -wy, wx */
    cm__two across = two_sub(two_all(1), two_add(two_swap(along), two_all(zz))); /* 1 - (yy + zz), 1 - (xx + zz) */
    two_mat3 m;
    m.x = two_of(two_low(across), cross - turn);
    m.y = two_of(cross + turn, two_high(across));
    m.z = two_add(aside, turns);
    m.z_xy = two_sub(aside, turns);
    m.z_z = 1 - two_sum(along);
    return m;
}
CM_INLINE two_mat3 two_mat3_from_quat(const cm_quat *q) {
    return two_mat3_from_halves(two_of_reals(&q->x), two_of_reals(&q->z));
}
#endif
