/* Vectors of 16 bytes. This file and simd_wide.h, which has those of 32 and 64, are the only ones with intrinsics
 * (tools/layers). Everything above them is written once, in their operations.
 *
 * The types are named by what they hold: f32x4, four floats. Lane 0 is the one at the lowest address. Types of 16 bytes
 * are there on every machine:
 *   x86-64 (SSE2 and above), aarch64 (NEON), WASM with SIMD128: one register;
 *   the others, compilers without vector types, and wherever CAROM_PLAIN is defined: an array of lanes and loops.
 *
 * Every operation gives in each lane the bits of plain C, on every machine (test/math/simd.c):
 *   add, sub, mul, div, sqrt   IEEE 754, rounded to nearest; a product and a sum are never fused, but in f32x8_mul_add
 *                              and its likes. No estimates (rcp, rsqrt): their bits are the CPU's own. Which NaN comes
 *                              out is not defined.
 *   min, max                   a < b ? a : b and a > b ? a : b: of -0 and +0, and where one is NaN, it is b
 *   eq, lt, le, gt, ge, ne     all bits set where it holds, else 0; with NaN only ne holds
 *   select                     a where the mask is set, else b; masks are what comparisons give
 *   where                      x where the mask is set, else +0
 *   mask                       bit i: the sign of lane i, so of a mask: where it is set
 *   u32x4_of_f32               as an int32_t, toward 0; INT32_MIN for NaN and for what is out of range
 *   f32 of f64                 rounded to nearest, infinite beyond the range
 *   integers                   wrap around, but where the name says otherwise
 * Flush-to-zero is unsupported (cm_selftest). */
#ifndef MATH_SIMD_H
#define MATH_SIMD_H

#include "carom/base.h"

#include <math.h>
#include <string.h>

#if defined(CAROM_PLAIN) || !defined(__GNUC__)
#define SIMD_PLAIN 1
#elif defined(__SSE2__)
#define SIMD_X86 1
#if defined(__AVX__)
#include <immintrin.h>
#else
#include <emmintrin.h> /* twenty times as short */
#endif
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
#define SIMD_NEON 1
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#define SIMD_WASM 1
#include <wasm_simd128.h>
#else
#define SIMD_PLAIN 1
#endif

/* a < b ? a : b and a > b ? a : b: b where they are equal or one is NaN. On x86 compilers like to make jumps of these,
 * which nothing could predict where they are used; the instructions mean the very same. */
CM_INLINE double cm__least(double a, double b) {
#if defined(SIMD_X86)
    return _mm_cvtsd_f64(_mm_min_sd(_mm_set_sd(a), _mm_set_sd(b)));
#else
    return a < b ? a : b;
#endif
}
CM_INLINE double cm__most(double a, double b) {
#if defined(SIMD_X86)
    return _mm_cvtsd_f64(_mm_max_sd(_mm_set_sd(a), _mm_set_sd(b)));
#else
    return a > b ? a : b;
#endif
}

/* --- what all types have ------------------------------------------------------------------------------------------ */

/* SIMD_TYPE(V, T, N): V is N of T, with load, store (any address) and all (N times x).
 * SIMD_BINARY(V, T, N, name, op): V_name(a, b) = a op b, lane by lane. SIMD_COMPARE: the same as a mask M. */
#define SIMD_LIST_2(x) x, x
#define SIMD_LIST_4(x) SIMD_LIST_2(x), SIMD_LIST_2(x)
#define SIMD_LIST_8(x) SIMD_LIST_4(x), SIMD_LIST_4(x)

#if defined(SIMD_PLAIN)

#define SIMD_TYPE(V, T, N)                                                                                             \
    typedef struct V {                                                                                                 \
        T lane[N];                                                                                                     \
    } V;                                                                                                               \
    SIMD_MEMORY(V, T)                                                                                                  \
    CM_INLINE V V##_all(T x) {                                                                                         \
        V a;                                                                                                           \
        for (int i = 0; i < (N); ++i) a.lane[i] = x;                                                                   \
        return a;                                                                                                      \
    }
#define SIMD_BINARY(V, T, N, name, op)                                                                                 \
    CM_INLINE V V##_##name(V a, V b) {                                                                                 \
        for (int i = 0; i < (N); ++i) a.lane[i] = (T)(a.lane[i] op b.lane[i]);                                         \
        return a;                                                                                                      \
    }
#define SIMD_COMPARE(V, M, N, name, op)                                                                                \
    CM_INLINE M V##_##name(V a, V b) {                                                                                 \
        M m = M##_all(0);                                                                                              \
        for (int i = 0; i < (N); ++i)                                                                                  \
            if (a.lane[i] op b.lane[i]) --m.lane[i];                                                                   \
        return m;                                                                                                      \
    }
#define SIMD_LANE(a, i) ((a).lane[i])

#else

#define SIMD_TYPE(V, T, N)                                                                                             \
    typedef T V __attribute__((vector_size((N) * sizeof(T))));                                                         \
    SIMD_MEMORY(V, T)                                                                                                  \
    CM_INLINE V V##_all(T x) {                                                                                         \
        const V a = {SIMD_LIST_##N(x)};                                                                                \
        return a;                                                                                                      \
    }
#define SIMD_BINARY(V, T, N, name, op)                                                                                 \
    CM_INLINE V V##_##name(V a, V b) { return a op b; }
#define SIMD_COMPARE(V, M, N, name, op)                                                                                \
    CM_INLINE M V##_##name(V a, V b) { return (M)(a op b); }
#define SIMD_LANE(a, i) ((a)[i])

#if defined(__clang__) || __GNUC__ >= 12
#define SIMD_SHUFFLE(I, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SIMD_SHUFFLE(I, a, b, ...) __builtin_shuffle(a, b, (I){__VA_ARGS__})
#endif

#endif

#define SIMD_MEMORY(V, T)                                                                                              \
    CM_INLINE V V##_load(const T *x) {                                                                                 \
        V a;                                                                                                           \
        memcpy(&a, x, sizeof a);                                                                                       \
        return a;                                                                                                      \
    }                                                                                                                  \
    CM_INLINE void V##_store(T *out, V a) { memcpy(out, &a, sizeof a); }

#define SIMD_ARITHMETIC(V, T, N)                                                                                       \
    SIMD_BINARY(V, T, N, add, +)                                                                                       \
    SIMD_BINARY(V, T, N, sub, -)                                                                                       \
    SIMD_BINARY(V, T, N, mul, *)                                                                                       \
    SIMD_BINARY(V, T, N, div, /)
#define SIMD_BITWISE(V, T, N)                                                                                          \
    SIMD_BINARY(V, T, N, and, &)                                                                                       \
    SIMD_BINARY(V, T, N, or, |)                                                                                        \
    SIMD_BINARY(V, T, N, xor, ^)
#define SIMD_COMPARISONS(V, M, N)                                                                                      \
    SIMD_COMPARE(V, M, N, lt, <)                                                                                       \
    SIMD_COMPARE(V, M, N, le, <=)                                                                                      \
    SIMD_COMPARE(V, M, N, gt, >)                                                                                       \
    SIMD_COMPARE(V, M, N, ge, >=)                                                                                      \
    SIMD_COMPARE(V, M, N, ne, !=)

SIMD_TYPE(u16x8, uint16_t, 8)
SIMD_TYPE(u32x4, uint32_t, 4)
SIMD_TYPE(u64x2, uint64_t, 2)
SIMD_TYPE(f32x4, float, 4)
SIMD_TYPE(f64x2, double, 2)
SIMD_ARITHMETIC(f32x4, float, 4)
SIMD_ARITHMETIC(f64x2, double, 2)
SIMD_COMPARISONS(f32x4, u32x4, 4)
SIMD_COMPARISONS(f64x2, u64x2, 2)
SIMD_COMPARE(u32x4, u32x4, 4, eq, ==)
SIMD_COMPARE(u32x4, u32x4, 4, gt, >)
SIMD_BINARY(u32x4, uint32_t, 4, add, +)
SIMD_BINARY(u32x4, uint32_t, 4, sub, -)
SIMD_BITWISE(u32x4, uint32_t, 4)
SIMD_BITWISE(u64x2, uint64_t, 2)
SIMD_BITWISE(u16x8, uint16_t, 8)
SIMD_BINARY(u16x8, uint16_t, 8, sub, -)
SIMD_COMPARE(u16x8, u16x8, 8, eq, ==)

/* The same bits as another type. */
#define SIMD_SAME_BITS(V, W)                                                                                           \
    CM_INLINE V V##_bits_of_##W(W a) {                                                                                 \
        V b;                                                                                                           \
        memcpy(&b, &a, sizeof b);                                                                                      \
        return b;                                                                                                      \
    }
SIMD_SAME_BITS(u32x4, f32x4)
SIMD_SAME_BITS(u32x4, u16x8)
SIMD_SAME_BITS(f32x4, u32x4)
SIMD_SAME_BITS(u16x8, u32x4)
SIMD_SAME_BITS(f64x2, u64x2)
SIMD_SAME_BITS(u64x2, f64x2)

/* --- lanes moved -------------------------------------------------------------------------------------------------- */

#if defined(SIMD_PLAIN)

CM_INLINE f32x4 f32x4_of(float x, float y, float z, float w) {
    const f32x4 a = {{x, y, z, w}};
    return a;
}
CM_INLINE f64x2 f64x2_of(double low, double high) {
    const f64x2 a = {{low, high}};
    return a;
}
CM_INLINE u32x4 u32x4_of(uint32_t x, uint32_t y, uint32_t z, uint32_t w) {
    const u32x4 a = {{x, y, z, w}};
    return a;
}
CM_INLINE f32x4 f32x4_mix(f32x4 a, f32x4 b, int i, int j, int k, int l) {
    const int at[4] = {i, j, k, l};
    f32x4 r;
    for (int n = 0; n < 4; ++n) r.lane[n] = at[n] < 4 ? a.lane[at[n]] : b.lane[at[n] - 4];
    return r;
}
CM_INLINE u32x4 u32x4_mix(u32x4 a, u32x4 b, int i, int j, int k, int l) {
    const int at[4] = {i, j, k, l};
    u32x4 r;
    for (int n = 0; n < 4; ++n) r.lane[n] = at[n] < 4 ? a.lane[at[n]] : b.lane[at[n] - 4];
    return r;
}
CM_INLINE f64x2 f64x2_mix(f64x2 a, f64x2 b, int i, int j) {
    return f64x2_of(i < 2 ? a.lane[i] : b.lane[i - 2], j < 2 ? a.lane[j] : b.lane[j - 2]);
}

#else

CM_INLINE f32x4 f32x4_of(float x, float y, float z, float w) {
    const f32x4 a = {x, y, z, w};
    return a;
}
CM_INLINE f64x2 f64x2_of(double low, double high) {
    const f64x2 a = {low, high};
    return a;
}
CM_INLINE u32x4 u32x4_of(uint32_t x, uint32_t y, uint32_t z, uint32_t w) {
    const u32x4 a = {x, y, z, w};
    return a;
}
/* Constants i, j …: 0 to 3 is a lane of a, 4 to 7 one of b (0 and 1, 2 and 3 of f64x2). */
#define f32x4_mix(a, b, i, j, k, l) SIMD_SHUFFLE(u32x4, a, b, i, j, k, l)
#define u32x4_mix(a, b, i, j, k, l) SIMD_SHUFFLE(u32x4, a, b, i, j, k, l)
#define f64x2_mix(a, b, i, j)       SIMD_SHUFFLE(u64x2, a, b, i, j)

#endif

/* The lanes x, y, z, w of v; lane i in all. */
#define f32x4_pick(v, x, y, z, w) f32x4_mix(v, v, x, y, z, w)
#define u32x4_pick(v, x, y, z, w) u32x4_mix(v, v, x, y, z, w)
#define f32x4_lane(v, i)          f32x4_mix(v, v, i, i, i, i)
CM_INLINE float f32x4_first(f32x4 a) { return SIMD_LANE(a, 0); }
CM_INLINE double f64x2_low(f64x2 a) { return SIMD_LANE(a, 0); }
CM_INLINE double f64x2_high(f64x2 a) { return SIMD_LANE(a, 1); }
/* (a1, a0); (a0, b0); (a1, b1). */
CM_INLINE f64x2 f64x2_swap(f64x2 a) { return f64x2_mix(a, a, 1, 0); }
CM_INLINE f64x2 f64x2_lows(f64x2 a, f64x2 b) { return f64x2_mix(a, b, 0, 2); }
CM_INLINE f64x2 f64x2_highs(f64x2 a, f64x2 b) { return f64x2_mix(a, b, 1, 3); }
/* (a0, b0, a1, b1); (a2, b2, a3, b3). */
CM_INLINE f32x4 f32x4_zip_low(f32x4 a, f32x4 b) { return f32x4_mix(a, b, 0, 4, 1, 5); }
CM_INLINE f32x4 f32x4_zip_high(f32x4 a, f32x4 b) { return f32x4_mix(a, b, 2, 6, 3, 7); }
CM_INLINE u32x4 u32x4_zip_low(u32x4 a, u32x4 b) { return u32x4_mix(a, b, 0, 4, 1, 5); }
CM_INLINE u32x4 u32x4_zip_high(u32x4 a, u32x4 b) { return u32x4_mix(a, b, 2, 6, 3, 7); }
/* (a0, a1, b0, b1); (a2, a3, b2, b3). */
CM_INLINE f32x4 f32x4_low_halves(f32x4 a, f32x4 b) { return f32x4_mix(a, b, 0, 1, 4, 5); }
CM_INLINE f32x4 f32x4_high_halves(f32x4 a, f32x4 b) { return f32x4_mix(a, b, 2, 3, 6, 7); }
CM_INLINE u32x4 u32x4_low_halves(u32x4 a, u32x4 b) { return u32x4_mix(a, b, 0, 1, 4, 5); }
CM_INLINE u32x4 u32x4_high_halves(u32x4 a, u32x4 b) { return u32x4_mix(a, b, 2, 3, 6, 7); }
/* Rows become columns. */
CM_INLINE void f32x4_transpose(f32x4 r[4]) {
    const f32x4 ab = f32x4_zip_low(r[0], r[1]), cd = f32x4_zip_low(r[2], r[3]);
    const f32x4 ab_high = f32x4_zip_high(r[0], r[1]), cd_high = f32x4_zip_high(r[2], r[3]);
    r[0] = f32x4_low_halves(ab, cd), r[1] = f32x4_high_halves(ab, cd);
    r[2] = f32x4_low_halves(ab_high, cd_high), r[3] = f32x4_high_halves(ab_high, cd_high);
}
CM_INLINE void u32x4_transpose(u32x4 r[4]) {
    const u32x4 ab = u32x4_zip_low(r[0], r[1]), cd = u32x4_zip_low(r[2], r[3]);
    const u32x4 ab_high = u32x4_zip_high(r[0], r[1]), cd_high = u32x4_zip_high(r[2], r[3]);
    r[0] = u32x4_low_halves(ab, cd), r[1] = u32x4_high_halves(ab, cd);
    r[2] = u32x4_low_halves(ab_high, cd_high), r[3] = u32x4_high_halves(ab_high, cd_high);
}

/* --- by instructions ---------------------------------------------------------------------------------------------- */

/* f32x4_of_f64         a, then b
 * f64x2_of_f32         the first two
 * load2, store2        two lanes, the others of a load 0
 * gather3, gather4     floats side by side in memory, read one by one: what was just written in other pieces would
 *                      make a load of all of them wait until the last is done; gather3: the fourth 0
 * u16x8_evens          lanes 0, 2, 4, 6 of a, then of b; u16x8_odds the others
 * u16x8_of_u32         the low halves of a, then of b
 * u16x8_sub_sat        a - b, 0 where that is below 0
 * u16x8_mul_high       the high halves of the products
 * u16x8_dot            a0 b0 + a1 b1 and so on, of 16 bits with sign */

#if defined(SIMD_X86)

CM_INLINE f32x4 f32x4_min(f32x4 a, f32x4 b) { return (f32x4)_mm_min_ps((__m128)a, (__m128)b); }
CM_INLINE f32x4 f32x4_max(f32x4 a, f32x4 b) { return (f32x4)_mm_max_ps((__m128)a, (__m128)b); }
CM_INLINE f64x2 f64x2_min(f64x2 a, f64x2 b) { return (f64x2)_mm_min_pd((__m128d)a, (__m128d)b); }
CM_INLINE f64x2 f64x2_max(f64x2 a, f64x2 b) { return (f64x2)_mm_max_pd((__m128d)a, (__m128d)b); }
CM_INLINE f32x4 f32x4_sqrt(f32x4 a) { return (f32x4)_mm_sqrt_ps((__m128)a); }
CM_INLINE f64x2 f64x2_sqrt(f64x2 a) { return (f64x2)_mm_sqrt_pd((__m128d)a); }
CM_INLINE unsigned f32x4_mask(f32x4 a) { return (unsigned)_mm_movemask_ps((__m128)a); }
CM_INLINE unsigned u32x4_mask(u32x4 a) { return (unsigned)_mm_movemask_ps((__m128)a); }
CM_INLINE unsigned u64x2_mask(u64x2 a) { return (unsigned)_mm_movemask_pd((__m128d)a); }
CM_INLINE u32x4 u32x4_of_f32(f32x4 a) { return (u32x4)_mm_cvttps_epi32((__m128)a); }
CM_INLINE f64x2 f64x2_of_f32(f32x4 a) { return (f64x2)_mm_cvtps_pd((__m128)a); }
CM_INLINE f32x4 f32x4_of_f64(f64x2 a, f64x2 b) {
    return (f32x4)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)a), _mm_cvtpd_ps((__m128d)b));
}
CM_INLINE f32x4 f32x4_load2(const float *p) {
    return (f32x4)_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p));
}
CM_INLINE void f32x4_store2(float *out, f32x4 a) { _mm_storel_epi64((__m128i *)(void *)out, (__m128i)a); }
CM_INLINE void u32x4_store2(uint32_t *out, u32x4 a) { _mm_storel_epi64((__m128i *)(void *)out, (__m128i)a); }
CM_INLINE f32x4 f32x4_gather3(const float *p) {
    return (f32x4)_mm_movelh_ps(_mm_unpacklo_ps(_mm_load_ss(p), _mm_load_ss(p + 1)), _mm_load_ss(p + 2));
}
CM_INLINE f32x4 f32x4_gather4(const float *p) {
    return (f32x4)_mm_movelh_ps(_mm_unpacklo_ps(_mm_load_ss(p), _mm_load_ss(p + 1)),
                                _mm_unpacklo_ps(_mm_load_ss(p + 2), _mm_load_ss(p + 3)));
}
CM_INLINE u16x8 u16x8_evens(u16x8 a, u16x8 b) {
#if defined(__SSE4_1__)
    const __m128i low = _mm_set1_epi32(0xffff);
    return (u16x8)_mm_packus_epi32(_mm_and_si128((__m128i)a, low), _mm_and_si128((__m128i)b, low));
#else
    return (u16x8)_mm_packs_epi32(_mm_srai_epi32(_mm_slli_epi32((__m128i)a, 16), 16),
                                  _mm_srai_epi32(_mm_slli_epi32((__m128i)b, 16), 16));
#endif
}
CM_INLINE u16x8 u16x8_odds(u16x8 a, u16x8 b) {
    return (u16x8)_mm_packs_epi32(_mm_srai_epi32((__m128i)a, 16), _mm_srai_epi32((__m128i)b, 16));
}
CM_INLINE u16x8 u16x8_sub_sat(u16x8 a, u16x8 b) { return (u16x8)_mm_subs_epu16((__m128i)a, (__m128i)b); }
CM_INLINE u16x8 u16x8_min(u16x8 a, u16x8 b) { return a - u16x8_sub_sat(a, b); } /* SSE2 has only that with sign */
CM_INLINE u16x8 u16x8_mul_high(u16x8 a, u16x8 b) { return (u16x8)_mm_mulhi_epu16((__m128i)a, (__m128i)b); }
CM_INLINE u32x4 u16x8_dot(u16x8 a, u16x8 b) { return (u32x4)_mm_madd_epi16((__m128i)a, (__m128i)b); }

#elif defined(SIMD_NEON)

CM_INLINE f32x4 f32x4_min(f32x4 a, f32x4 b) {
    return (f32x4)vbslq_f32((uint32x4_t)(a < b), (float32x4_t)a, (float32x4_t)b);
}
CM_INLINE f32x4 f32x4_max(f32x4 a, f32x4 b) {
    return (f32x4)vbslq_f32((uint32x4_t)(a > b), (float32x4_t)a, (float32x4_t)b);
}
CM_INLINE f64x2 f64x2_min(f64x2 a, f64x2 b) {
    return (f64x2)vbslq_f64((uint64x2_t)(a < b), (float64x2_t)a, (float64x2_t)b);
}
CM_INLINE f64x2 f64x2_max(f64x2 a, f64x2 b) {
    return (f64x2)vbslq_f64((uint64x2_t)(a > b), (float64x2_t)a, (float64x2_t)b);
}
CM_INLINE f32x4 f32x4_sqrt(f32x4 a) { return (f32x4)vsqrtq_f32((float32x4_t)a); }
CM_INLINE f64x2 f64x2_sqrt(f64x2 a) { return (f64x2)vsqrtq_f64((float64x2_t)a); }
CM_INLINE unsigned u32x4_mask(u32x4 a) {
    static const int32_t place[4] = {0, 1, 2, 3};
    return vaddvq_u32(vshlq_u32(vshrq_n_u32((uint32x4_t)a, 31), vld1q_s32(place)));
}
CM_INLINE unsigned f32x4_mask(f32x4 a) { return u32x4_mask((u32x4)a); }
CM_INLINE unsigned u64x2_mask(u64x2 a) { return (unsigned)(a[0] >> 63 | a[1] >> 63 << 1); }
CM_INLINE u32x4 u32x4_of_f32(f32x4 a) { /* alone it saturates, and NaN gives 0 */
    const uint32x4_t within = vcltq_f32((float32x4_t)a, vdupq_n_f32(0x1p31f));
    return (u32x4)vbslq_u32(within, vreinterpretq_u32_s32(vcvtq_s32_f32((float32x4_t)a)),
                            vdupq_n_u32(UINT32_C(1) << 31));
}
CM_INLINE f64x2 f64x2_of_f32(f32x4 a) { return (f64x2)vcvt_f64_f32(vget_low_f32((float32x4_t)a)); }
CM_INLINE f32x4 f32x4_of_f64(f64x2 a, f64x2 b) {
    return (f32x4)vcvt_high_f32_f64(vcvt_f32_f64((float64x2_t)a), (float64x2_t)b);
}
CM_INLINE f32x4 f32x4_load2(const float *p) { return (f32x4)vcombine_f32(vld1_f32(p), vdup_n_f32(0)); }
CM_INLINE void f32x4_store2(float *out, f32x4 a) { vst1_f32(out, vget_low_f32((float32x4_t)a)); }
CM_INLINE void u32x4_store2(uint32_t *out, u32x4 a) { vst1_u32(out, vget_low_u32((uint32x4_t)a)); }
CM_INLINE f32x4 f32x4_gather3(const float *p) { return f32x4_of(p[0], p[1], p[2], 0); }
CM_INLINE f32x4 f32x4_gather4(const float *p) { return f32x4_of(p[0], p[1], p[2], p[3]); }
CM_INLINE u16x8 u16x8_evens(u16x8 a, u16x8 b) { return (u16x8)vuzp1q_u16((uint16x8_t)a, (uint16x8_t)b); }
CM_INLINE u16x8 u16x8_odds(u16x8 a, u16x8 b) { return (u16x8)vuzp2q_u16((uint16x8_t)a, (uint16x8_t)b); }
CM_INLINE u16x8 u16x8_sub_sat(u16x8 a, u16x8 b) { return (u16x8)vqsubq_u16((uint16x8_t)a, (uint16x8_t)b); }
CM_INLINE u16x8 u16x8_min(u16x8 a, u16x8 b) { return (u16x8)vminq_u16((uint16x8_t)a, (uint16x8_t)b); }
CM_INLINE u16x8 u16x8_mul_high(u16x8 a, u16x8 b) {
    const uint32x4_t low = vmull_u16(vget_low_u16((uint16x8_t)a), vget_low_u16((uint16x8_t)b));
    return u16x8_odds((u16x8)low, (u16x8)vmull_high_u16((uint16x8_t)a, (uint16x8_t)b));
}
CM_INLINE u32x4 u16x8_dot(u16x8 a, u16x8 b) {
    const int32x4_t low = vmull_s16(vget_low_s16((int16x8_t)a), vget_low_s16((int16x8_t)b));
    return (u32x4)vpaddq_s32(low, vmull_high_s16((int16x8_t)a, (int16x8_t)b));
}

#elif defined(SIMD_WASM)

CM_INLINE f32x4 f32x4_min(f32x4 a, f32x4 b) { return (f32x4)wasm_f32x4_pmin((v128_t)b, (v128_t)a); }
CM_INLINE f32x4 f32x4_max(f32x4 a, f32x4 b) { return (f32x4)wasm_f32x4_pmax((v128_t)b, (v128_t)a); }
CM_INLINE f64x2 f64x2_min(f64x2 a, f64x2 b) { return (f64x2)wasm_f64x2_pmin((v128_t)b, (v128_t)a); }
CM_INLINE f64x2 f64x2_max(f64x2 a, f64x2 b) { return (f64x2)wasm_f64x2_pmax((v128_t)b, (v128_t)a); }
CM_INLINE f32x4 f32x4_sqrt(f32x4 a) { return (f32x4)wasm_f32x4_sqrt((v128_t)a); }
CM_INLINE f64x2 f64x2_sqrt(f64x2 a) { return (f64x2)wasm_f64x2_sqrt((v128_t)a); }
CM_INLINE unsigned f32x4_mask(f32x4 a) { return (unsigned)wasm_i32x4_bitmask((v128_t)a); }
CM_INLINE unsigned u32x4_mask(u32x4 a) { return (unsigned)wasm_i32x4_bitmask((v128_t)a); }
CM_INLINE unsigned u64x2_mask(u64x2 a) { return (unsigned)wasm_i64x2_bitmask((v128_t)a); }
CM_INLINE u32x4 u32x4_of_f32(f32x4 a) { /* alone it saturates, and NaN gives 0 */
    const v128_t within = wasm_f32x4_lt((v128_t)a, wasm_f32x4_splat(0x1p31f));
    return (u32x4)wasm_v128_bitselect(wasm_i32x4_trunc_sat_f32x4((v128_t)a), wasm_i32x4_splat(INT32_MIN), within);
}
CM_INLINE f64x2 f64x2_of_f32(f32x4 a) { return (f64x2)wasm_f64x2_promote_low_f32x4((v128_t)a); }
CM_INLINE f32x4 f32x4_of_f64(f64x2 a, f64x2 b) {
    return f32x4_low_halves((f32x4)wasm_f32x4_demote_f64x2_zero((v128_t)a),
                            (f32x4)wasm_f32x4_demote_f64x2_zero((v128_t)b));
}
CM_INLINE f32x4 f32x4_load2(const float *p) { return (f32x4)wasm_v128_load64_zero(p); }
CM_INLINE void f32x4_store2(float *out, f32x4 a) { wasm_v128_store64_lane(out, (v128_t)a, 0); }
CM_INLINE void u32x4_store2(uint32_t *out, u32x4 a) { wasm_v128_store64_lane(out, (v128_t)a, 0); }
CM_INLINE f32x4 f32x4_gather3(const float *p) { return f32x4_of(p[0], p[1], p[2], 0); }
CM_INLINE f32x4 f32x4_gather4(const float *p) { return f32x4_of(p[0], p[1], p[2], p[3]); }
CM_INLINE u16x8 u16x8_evens(u16x8 a, u16x8 b) { return SIMD_SHUFFLE(u16x8, a, b, 0, 2, 4, 6, 8, 10, 12, 14); }
CM_INLINE u16x8 u16x8_odds(u16x8 a, u16x8 b) { return SIMD_SHUFFLE(u16x8, a, b, 1, 3, 5, 7, 9, 11, 13, 15); }
CM_INLINE u16x8 u16x8_sub_sat(u16x8 a, u16x8 b) { return (u16x8)wasm_u16x8_sub_sat((v128_t)a, (v128_t)b); }
CM_INLINE u16x8 u16x8_min(u16x8 a, u16x8 b) { return (u16x8)wasm_u16x8_min((v128_t)a, (v128_t)b); }
CM_INLINE u16x8 u16x8_mul_high(u16x8 a, u16x8 b) {
    return u16x8_odds((u16x8)wasm_u32x4_extmul_low_u16x8((v128_t)a, (v128_t)b),
                      (u16x8)wasm_u32x4_extmul_high_u16x8((v128_t)a, (v128_t)b));
}
CM_INLINE u32x4 u16x8_dot(u16x8 a, u16x8 b) { return (u32x4)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b); }

#else

/* R name(arguments): in each lane an expression in i. */
#define SIMD_EACH(R, N, name, arguments, expression)                                                                   \
    CM_INLINE R name arguments {                                                                                       \
        R r;                                                                                                           \
        for (int i = 0; i < (N); ++i) r.lane[i] = (expression);                                                        \
        return r;                                                                                                      \
    }
SIMD_EACH(f32x4, 4, f32x4_min, (f32x4 a, f32x4 b), a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i])
SIMD_EACH(f32x4, 4, f32x4_max, (f32x4 a, f32x4 b), a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i])
SIMD_EACH(f64x2, 2, f64x2_min, (f64x2 a, f64x2 b), a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i])
SIMD_EACH(f64x2, 2, f64x2_max, (f64x2 a, f64x2 b), a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i])
SIMD_EACH(f32x4, 4, f32x4_sqrt, (f32x4 a), sqrtf(a.lane[i]))
SIMD_EACH(f64x2, 2, f64x2_sqrt, (f64x2 a), sqrt(a.lane[i]))
CM_INLINE unsigned u32x4_mask(u32x4 a) {
    return a.lane[0] >> 31 | a.lane[1] >> 31 << 1 | a.lane[2] >> 31 << 2 | a.lane[3] >> 31 << 3;
}
CM_INLINE unsigned f32x4_mask(f32x4 a) { return u32x4_mask(u32x4_bits_of_f32x4(a)); }
CM_INLINE unsigned u64x2_mask(u64x2 a) { return (unsigned)(a.lane[0] >> 63 | a.lane[1] >> 63 << 1); }
SIMD_EACH(u32x4, 4, u32x4_of_f32, (f32x4 a),
          a.lane[i] >= -0x1p31f && a.lane[i] < 0x1p31f ? (uint32_t)(int32_t)a.lane[i] : UINT32_C(1) << 31)
CM_INLINE f64x2 f64x2_of_f32(f32x4 a) { return f64x2_of((double)a.lane[0], (double)a.lane[1]); }
CM_INLINE f32x4 f32x4_of_f64(f64x2 a, f64x2 b) {
    return f32x4_of((float)a.lane[0], (float)a.lane[1], (float)b.lane[0], (float)b.lane[1]);
}
CM_INLINE f32x4 f32x4_load2(const float *p) { return f32x4_of(p[0], p[1], 0, 0); }
CM_INLINE void f32x4_store2(float *out, f32x4 a) { out[0] = a.lane[0], out[1] = a.lane[1]; }
CM_INLINE void u32x4_store2(uint32_t *out, u32x4 a) { out[0] = a.lane[0], out[1] = a.lane[1]; }
CM_INLINE f32x4 f32x4_gather3(const float *p) { return f32x4_of(p[0], p[1], p[2], 0); }
CM_INLINE f32x4 f32x4_gather4(const float *p) { return f32x4_of(p[0], p[1], p[2], p[3]); }
SIMD_EACH(u16x8, 8, u16x8_evens, (u16x8 a, u16x8 b), i < 4 ? a.lane[2 * i] : b.lane[2 * i - 8])
SIMD_EACH(u16x8, 8, u16x8_odds, (u16x8 a, u16x8 b), i < 4 ? a.lane[2 * i + 1] : b.lane[2 * i - 7])
SIMD_EACH(u16x8, 8, u16x8_sub_sat, (u16x8 a, u16x8 b), (uint16_t)(a.lane[i] > b.lane[i] ? a.lane[i] - b.lane[i] : 0))
SIMD_EACH(u16x8, 8, u16x8_min, (u16x8 a, u16x8 b), a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i])
SIMD_EACH(u16x8, 8, u16x8_mul_high, (u16x8 a, u16x8 b), (uint16_t)((uint32_t)a.lane[i] * b.lane[i] >> 16))
SIMD_EACH(u32x4, 4, u16x8_dot, (u16x8 a, u16x8 b),
          (uint32_t)(int16_t)a.lane[2 * i] * (uint32_t)(int16_t)b.lane[2 * i] +
              (uint32_t)(int16_t)a.lane[2 * i + 1] * (uint32_t)(int16_t)b.lane[2 * i + 1])

#endif

/* --- from these --------------------------------------------------------------------------------------------------- */

/* For floats V with masks W, of the lanes' type U. */
#define SIMD_SIGNS(V, W, T, U)                                                                                         \
    CM_INLINE W W##_and_not(W a, W b) { return W##_and(a, W##_xor(b, W##_all((U)-1))); }                               \
    /* x where m is set, else 0. */                                                                                    \
    CM_INLINE V V##_where(W m, V x) { return V##_bits_of_##W(W##_and(W##_bits_of_##V(x), m)); }                        \
    CM_INLINE V V##_abs(V a) {                                                                                         \
        return V##_bits_of_##W(W##_and_not(W##_bits_of_##V(a), W##_bits_of_##V(V##_all((T)-0.0))));                    \
    }                                                                                                                  \
    /* a with the sign changed where `signs` is -0; where it is 0, a itself. */                                        \
    CM_INLINE V V##_flip(V a, V signs) {                                                                               \
        return V##_bits_of_##W(W##_xor(W##_bits_of_##V(a), W##_bits_of_##V(signs)));                                   \
    }                                                                                                                  \
    /* `size`, which has no sign, with those of a. */                                                                  \
    CM_INLINE V V##_signed(V size, V a) {                                                                              \
        const W signs = W##_and(W##_bits_of_##V(a), W##_bits_of_##V(V##_all((T)-0.0)));                                \
        return V##_bits_of_##W(W##_or(W##_bits_of_##V(size), signs));                                                  \
    }
SIMD_SIGNS(f32x4, u32x4, float, uint32_t)
SIMD_SIGNS(f64x2, u64x2, double, uint64_t)

#if defined(SIMD_NEON)
CM_INLINE f32x4 f32x4_select(u32x4 m, f32x4 a, f32x4 b) {
    return (f32x4)vbslq_f32((uint32x4_t)m, (float32x4_t)a, (float32x4_t)b);
}
CM_INLINE f64x2 f64x2_select(u64x2 m, f64x2 a, f64x2 b) {
    return (f64x2)vbslq_f64((uint64x2_t)m, (float64x2_t)a, (float64x2_t)b);
}
#else
CM_INLINE f32x4 f32x4_select(u32x4 m, f32x4 a, f32x4 b) {
    return f32x4_bits_of_u32x4(
        u32x4_or(u32x4_and(m, u32x4_bits_of_f32x4(a)), u32x4_and_not(u32x4_bits_of_f32x4(b), m)));
}
CM_INLINE f64x2 f64x2_select(u64x2 m, f64x2 a, f64x2 b) {
    return f64x2_bits_of_u64x2(
        u64x2_or(u64x2_and(m, u64x2_bits_of_f64x2(a)), u64x2_and_not(u64x2_bits_of_f64x2(b), m)));
}
#endif

CM_INLINE u16x8 u16x8_of_u32(u32x4 a, u32x4 b) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return u16x8_odds(u16x8_bits_of_u32x4(a), u16x8_bits_of_u32x4(b));
#else
    return u16x8_evens(u16x8_bits_of_u32x4(a), u16x8_bits_of_u32x4(b));
#endif
}

/* The least of all lanes. */
CM_INLINE uint32_t u32x4_least(u32x4 a) {
#if defined(SIMD_NEON)
    return vminvq_u32((uint32x4_t)a);
#elif defined(SIMD_X86) && defined(__SSE4_1__)
    __m128i m = _mm_min_epu32((__m128i)a, _mm_shuffle_epi32((__m128i)a, 0x4e));
    return (uint32_t)_mm_cvtsi128_si32(_mm_min_epu32(m, _mm_shuffle_epi32(m, 0xb1)));
#else
    const uint32_t x = SIMD_LANE(a, 0), y = SIMD_LANE(a, 1), z = SIMD_LANE(a, 2), w = SIMD_LANE(a, 3);
    const uint32_t xy = x < y ? x : y, zw = z < w ? z : w;
    return xy < zw ? xy : zw;
#endif
}
/* Of numbers. */
CM_INLINE float f32x4_most(f32x4 a) {
    a = f32x4_max(a, f32x4_pick(a, 2, 3, 0, 1));
    return f32x4_first(f32x4_max(a, f32x4_pick(a, 1, 0, 3, 2)));
}

#endif
