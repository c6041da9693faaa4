/* Vectors wider than 16 bytes, as simd.h, whose rules hold here too: the second half of that header, apart because only
 * the kernels and the lanes of hulls have a use for it.
 *
 * f32x8 and u32x8 are one register with AVX2 and two halves elsewhere. The types f32w, f64w, u32w, u16w fill the widest
 * register that the file is compiled for: 16 bytes, 32 with AVX2, 64 with AVX-512. A file named kernel.c is compiled
 * once for each of these (CMakeLists.txt). */
#ifndef MATH_SIMD_WIDE_H
#define MATH_SIMD_WIDE_H

#include "math/simd.h"

/* --- eight ------------------------------------------------------------------------------------------------------- */

/* f32x8_points: of eight points, each with a number behind it, the coordinates axis[0], axis[1] and axis[2] side by
 * side; axis[3] is 3. */

#if defined(SIMD_X86) && defined(__AVX2__)

SIMD_TYPE(f32x8, float, 8)
SIMD_TYPE(u32x8, uint32_t, 8)
SIMD_ARITHMETIC(f32x8, float, 8)
SIMD_BITWISE(u32x8, uint32_t, 8)
SIMD_COMPARE(u32x8, u32x8, 8, eq, ==)
SIMD_SAME_BITS(u32x8, f32x8)

CM_INLINE f32x8 f32x8_min(f32x8 a, f32x8 b) { return (f32x8)_mm256_min_ps((__m256)a, (__m256)b); }
CM_INLINE f32x8 f32x8_max(f32x8 a, f32x8 b) { return (f32x8)_mm256_max_ps((__m256)a, (__m256)b); }
CM_INLINE f32x8 f32x8_sqrt(f32x8 a) { return (f32x8)_mm256_sqrt_ps((__m256)a); }
CM_INLINE f32x8 f32x8_abs(f32x8 a) { return (f32x8)_mm256_andnot_ps(_mm256_set1_ps(-0.0f), (__m256)a); }
CM_INLINE f32x8 f32x8_neg(f32x8 a) { return (f32x8)_mm256_xor_ps((__m256)a, _mm256_set1_ps(-0.0f)); }
CM_INLINE u32x8 f32x8_le(f32x8 a, f32x8 b) { return (u32x8)_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LE_OQ); }
CM_INLINE u32x8 f32x8_ge(f32x8 a, f32x8 b) { return (u32x8)_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_GE_OQ); }
CM_INLINE unsigned u32x8_mask(u32x8 a) { return (unsigned)_mm256_movemask_ps((__m256)a); }
CM_INLINE f32x8 f32x8_of_bytes(const uint8_t *x) {
    return (f32x8)_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)x)));
}
CM_INLINE void f32x8_points(const f32x4 p[8], const uint32_t axis[4], f32x8 out[3]) {
    const __m256i order = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)axis));
    __m256 rows[4];
    for (int i = 0; i < 4; ++i) {
        rows[i] = _mm256_insertf128_ps(_mm256_castps128_ps256((__m128)p[i]), (__m128)p[i + 4], 1);
        rows[i] = _mm256_permutevar_ps(rows[i], order);
    }
    const __m256 ab = _mm256_unpacklo_ps(rows[0], rows[1]), cd = _mm256_unpacklo_ps(rows[2], rows[3]);
    const __m256 ab_high = _mm256_unpackhi_ps(rows[0], rows[1]), cd_high = _mm256_unpackhi_ps(rows[2], rows[3]);
    out[0] = (f32x8)_mm256_shuffle_ps(ab, cd, 0x44), out[1] = (f32x8)_mm256_shuffle_ps(ab, cd, 0xee);
    out[2] = (f32x8)_mm256_shuffle_ps(ab_high, cd_high, 0x44);
}
CM_INLINE uint32_t u32x8_least(u32x8 a) {
    const __m128i low = _mm256_castsi256_si128((__m256i)a), high = _mm256_extracti128_si256((__m256i)a, 1);
    return u32x4_least((u32x4)_mm_min_epu32(low, high));
}
CM_INLINE float f32x8_most(f32x8 a) {
    const __m128 low = _mm256_castps256_ps128((__m256)a), high = _mm256_extractf128_ps((__m256)a, 1);
    return f32x4_most((f32x4)_mm_max_ps(low, high));
}

#else

#define SIMD_HALVES(V, T, H, N)                                                                                        \
    typedef struct V {                                                                                                 \
        H half[2];                                                                                                     \
    } V;                                                                                                               \
    SIMD_MEMORY(V, T)                                                                                                  \
    CM_INLINE V V##_all(T x) {                                                                                         \
        V a;                                                                                                           \
        a.half[0] = a.half[1] = H##_all(x);                                                                            \
        return a;                                                                                                      \
    }
#define SIMD_HALVES_1(R, V, H, name)                                                                                   \
    CM_INLINE R R##_##name(V a) {                                                                                      \
        R r;                                                                                                           \
        r.half[0] = H##_##name(a.half[0]), r.half[1] = H##_##name(a.half[1]);                                          \
        return r;                                                                                                      \
    }
#define SIMD_HALVES_2(R, V, H, name)                                                                                   \
    CM_INLINE R V##_##name(V a, V b) {                                                                                 \
        R r;                                                                                                           \
        r.half[0] = H##_##name(a.half[0], b.half[0]), r.half[1] = H##_##name(a.half[1], b.half[1]);                    \
        return r;                                                                                                      \
    }
SIMD_HALVES(f32x8, float, f32x4, 8)
SIMD_HALVES(u32x8, uint32_t, u32x4, 8)
SIMD_HALVES_2(f32x8, f32x8, f32x4, add)
SIMD_HALVES_2(f32x8, f32x8, f32x4, sub)
SIMD_HALVES_2(f32x8, f32x8, f32x4, mul)
SIMD_HALVES_2(f32x8, f32x8, f32x4, div)
SIMD_HALVES_2(f32x8, f32x8, f32x4, min)
SIMD_HALVES_2(f32x8, f32x8, f32x4, max)
SIMD_HALVES_2(u32x8, f32x8, f32x4, le)
SIMD_HALVES_2(u32x8, f32x8, f32x4, ge)
SIMD_HALVES_1(f32x8, f32x8, f32x4, sqrt)
SIMD_HALVES_1(f32x8, f32x8, f32x4, abs)
SIMD_HALVES_2(u32x8, u32x8, u32x4, eq)
SIMD_HALVES_2(u32x8, u32x8, u32x4, and)
SIMD_HALVES_2(u32x8, u32x8, u32x4, or)
SIMD_HALVES_2(u32x8, u32x8, u32x4, xor)
SIMD_SAME_BITS(u32x8, f32x8)

CM_INLINE f32x8 f32x8_neg(f32x8 a) {
    const f32x4 signs = f32x4_all(-0.0f);
    a.half[0] = f32x4_flip(a.half[0], signs), a.half[1] = f32x4_flip(a.half[1], signs);
    return a;
}
CM_INLINE unsigned u32x8_mask(u32x8 a) { return u32x4_mask(a.half[0]) | u32x4_mask(a.half[1]) << 4; }
CM_INLINE f32x8 f32x8_of_bytes(const uint8_t *x) {
    f32x8 r;
#if defined(SIMD_X86)
    const __m128i zero = _mm_setzero_si128();
    const __m128i wide = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)x), zero);
    r.half[0] = (f32x4)_mm_cvtepi32_ps(_mm_unpacklo_epi16(wide, zero));
    r.half[1] = (f32x4)_mm_cvtepi32_ps(_mm_unpackhi_epi16(wide, zero));
#elif defined(SIMD_NEON)
    const uint16x8_t wide = vmovl_u8(vld1_u8(x));
    r.half[0] = (f32x4)vcvtq_f32_u32(vmovl_u16(vget_low_u16(wide)));
    r.half[1] = (f32x4)vcvtq_f32_u32(vmovl_high_u16(wide));
#elif defined(SIMD_WASM)
    const v128_t wide = wasm_u16x8_load8x8(x);
    r.half[0] = (f32x4)wasm_f32x4_convert_i32x4(wasm_u32x4_extend_low_u16x8(wide));
    r.half[1] = (f32x4)wasm_f32x4_convert_i32x4(wasm_u32x4_extend_high_u16x8(wide));
#else
    for (int i = 0; i < 8; ++i) r.half[i / 4].lane[i % 4] = (float)x[i];
#endif
    return r;
}
CM_INLINE void f32x8_points(const f32x4 p[8], const uint32_t axis[4], f32x8 out[3]) {
    for (int h = 0; h < 2; ++h) {
        f32x4 rows[4] = {p[4 * h], p[4 * h + 1], p[4 * h + 2], p[4 * h + 3]};
        f32x4_transpose(rows);
        for (int k = 0; k < 3; ++k) out[k].half[h] = rows[axis[k]];
    }
}
CM_INLINE uint32_t u32x8_least(u32x8 a) {
    const uint32_t low = u32x4_least(a.half[0]), high = u32x4_least(a.half[1]);
    return low < high ? low : high;
}
CM_INLINE float f32x8_most(f32x8 a) { return f32x4_most(f32x4_max(a.half[0], a.half[1])); }

#endif

/* a b + c, a b - c, a - b c: rounded once where the file is compiled with AVX2 and FMA, else twice. For what bounds of
 * errors hold of either. */
#if defined(SIMD_X86) && defined(__AVX2__) && defined(__FMA__)
CM_INLINE f32x8 f32x8_mul_add(f32x8 a, f32x8 b, f32x8 c) {
    return (f32x8)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
CM_INLINE f32x8 f32x8_mul_sub(f32x8 a, f32x8 b, f32x8 c) {
    return (f32x8)_mm256_fmsub_ps((__m256)a, (__m256)b, (__m256)c);
}
CM_INLINE f32x8 f32x8_sub_mul(f32x8 a, f32x8 b, f32x8 c) {
    return (f32x8)_mm256_fnmadd_ps((__m256)b, (__m256)c, (__m256)a);
}
#else
CM_INLINE f32x8 f32x8_mul_add(f32x8 a, f32x8 b, f32x8 c) { return f32x8_add(f32x8_mul(a, b), c); }
CM_INLINE f32x8 f32x8_mul_sub(f32x8 a, f32x8 b, f32x8 c) { return f32x8_sub(f32x8_mul(a, b), c); }
CM_INLINE f32x8 f32x8_sub_mul(f32x8 a, f32x8 b, f32x8 c) { return f32x8_sub(a, f32x8_mul(b, c)); }
#endif

/* --- the widest --------------------------------------------------------------------------------------------------- */

/* SIMD_BYTES in a register: f32w, f64w, u32w, u16w with load and all. Masks are m32w, m64w, m16w, of as many lanes as
 * these have, and nothing but what is here may be done with them:
 *   and                    both
 *   m32w_bits              bit i: lane i
 *   m32w_of_halves         of two m64w
 *   m16w_bits              of SIMD_MASKS masks one after the other, 16 or 32 lanes in all: bit i: lane i
 *   u32w_apart, u16w_apart where a and b have no bit in common
 *   f32w_quads             four floats each at places[0], places[4] … + from, as many as fit
 *   f32w_transpose         of four vectors, four lanes at a time: with f32w_quads of the places from the first, second,
 *                          third and fourth on, row k is number k of each place, in the order of the places
 * u16w_where is x where the mask is set, else 0; u16w_sub_sat and u16w_min are of numbers without sign. */
#if defined(SIMD_X86) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
#define SIMD_BYTES 64
enum { SIMD_MASKS = 1 };

typedef __m512 f32w;
typedef __m512d f64w;
typedef __m512i u32w;
typedef __m512i u16w;
typedef __mmask16 m32w;
typedef __mmask8 m64w;
typedef __mmask32 m16w;

CM_INLINE f32w f32w_load(const float *x) { return _mm512_loadu_ps(x); }
CM_INLINE void f32w_store(float *out, f32w a) { _mm512_storeu_ps(out, a); }
CM_INLINE __m256 quads_of_two(const void *a, const void *b, size_t from) {
    const char *const low = (const char *)a + from, *const high = (const char *)b + from;
    const __m256 both = _mm256_castps128_ps256(_mm_loadu_ps((const float *)(const void *)low));
    return _mm256_insertf128_ps(both, _mm_loadu_ps((const float *)(const void *)high), 1);
}
CM_INLINE f32w f32w_quads(const void *const *places, size_t from) {
    const __m512 low = _mm512_castps256_ps512(quads_of_two(places[0], places[4], from));
    return _mm512_insertf32x8(low, quads_of_two(places[8], places[12], from), 1);
}
CM_INLINE void f32w_transpose(f32w r[4]) {
    const __m512 ab = _mm512_unpacklo_ps(r[0], r[1]), cd = _mm512_unpacklo_ps(r[2], r[3]);
    const __m512 ab_high = _mm512_unpackhi_ps(r[0], r[1]), cd_high = _mm512_unpackhi_ps(r[2], r[3]);
    r[0] = _mm512_shuffle_ps(ab, cd, 0x44), r[1] = _mm512_shuffle_ps(ab, cd, 0xee);
    r[2] = _mm512_shuffle_ps(ab_high, cd_high, 0x44), r[3] = _mm512_shuffle_ps(ab_high, cd_high, 0xee);
}
CM_INLINE f32w f32w_all(float x) { return _mm512_set1_ps(x); }
CM_INLINE m32w f32w_le(f32w a, f32w b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
CM_INLINE f64w f64w_load(const double *x) { return _mm512_loadu_pd(x); }
CM_INLINE f64w f64w_all(double x) { return _mm512_set1_pd(x); }
CM_INLINE m64w f64w_le(f64w a, f64w b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
CM_INLINE u32w u32w_load(const uint32_t *x) { return _mm512_loadu_si512(x); }
CM_INLINE u32w u32w_all(uint32_t x) { return _mm512_set1_epi32((int)x); }
CM_INLINE m32w u32w_apart(u32w a, u32w b) { return _mm512_testn_epi32_mask(a, b); }
CM_INLINE m32w m32w_and(m32w a, m32w b) { return _kand_mask16(a, b); }
CM_INLINE m64w m64w_and(m64w a, m64w b) { return _kand_mask8(a, b); }
CM_INLINE m32w m32w_of_halves(m64w low, m64w high) { return (m32w)_mm512_kunpackb(high, low); }
CM_INLINE uint32_t m32w_bits(m32w m) { return m; }
CM_INLINE u16w u16w_load(const uint16_t *x) { return _mm512_loadu_si512(x); }
CM_INLINE u16w u16w_all(uint16_t x) { return _mm512_set1_epi16((short)x); }
CM_INLINE u16w u16w_sub_sat(u16w a, u16w b) { return _mm512_subs_epu16(a, b); }
CM_INLINE u16w u16w_min(u16w a, u16w b) { return _mm512_min_epu16(a, b); }
CM_INLINE m16w u16w_eq(u16w a, u16w b) { return _mm512_cmpeq_epi16_mask(a, b); }
CM_INLINE m16w u16w_apart(u16w a, u16w b) { return _mm512_testn_epi16_mask(a, b); }
CM_INLINE u16w u16w_where(m16w m, u16w x) { return _mm512_maskz_mov_epi16(m, x); }
CM_INLINE uint32_t m16w_bits(const m16w m[1]) { return m[0]; }

/* The pairs (least, most) of x and each lane of `with` whose bit is set, in order; room for sixteen is written to.
 * Returns how many there are. */
#define SIMD_PAIRS 1
CM_INLINE size_t u32w_pairs(uint32_t x, u32w with, uint32_t bits, uint32_t *out) {
    const __m512i theirs = _mm512_maskz_compress_epi32((__mmask16)bits, with), ours = _mm512_set1_epi32((int)x);
    const __m512i first = _mm512_min_epu32(ours, theirs), second = _mm512_max_epu32(ours, theirs);
    const __m512i low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const __m512i high = _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8);
    const size_t n = (size_t)__builtin_popcount(bits);
    _mm512_storeu_si512(out, _mm512_permutex2var_epi32(first, low, second));
    if (n > 8) _mm512_storeu_si512(out + 16, _mm512_permutex2var_epi32(first, high, second));
    return n;
}

#elif defined(SIMD_X86) && defined(__AVX2__)
#define SIMD_BYTES 32
enum { SIMD_MASKS = 2 };

typedef __m256 f32w;
typedef __m256d f64w;
typedef __m256i u32w;
typedef __m256i u16w;
typedef __m256i m32w;
typedef __m256i m64w;
typedef __m256i m16w;

CM_INLINE f32w f32w_load(const float *x) { return _mm256_loadu_ps(x); }
CM_INLINE void f32w_store(float *out, f32w a) { _mm256_storeu_ps(out, a); }
CM_INLINE f32w f32w_quads(const void *const *places, size_t from) {
    const char *const low = (const char *)places[0] + from, *const high = (const char *)places[4] + from;
    const __m256 a = _mm256_castps128_ps256(_mm_loadu_ps((const float *)(const void *)low));
    return _mm256_insertf128_ps(a, _mm_loadu_ps((const float *)(const void *)high), 1);
}
CM_INLINE void f32w_transpose(f32w r[4]) {
    const __m256 ab = _mm256_unpacklo_ps(r[0], r[1]), cd = _mm256_unpacklo_ps(r[2], r[3]);
    const __m256 ab_high = _mm256_unpackhi_ps(r[0], r[1]), cd_high = _mm256_unpackhi_ps(r[2], r[3]);
    r[0] = _mm256_shuffle_ps(ab, cd, 0x44), r[1] = _mm256_shuffle_ps(ab, cd, 0xee);
    r[2] = _mm256_shuffle_ps(ab_high, cd_high, 0x44), r[3] = _mm256_shuffle_ps(ab_high, cd_high, 0xee);
}
CM_INLINE f32w f32w_all(float x) { return _mm256_set1_ps(x); }
CM_INLINE m32w f32w_le(f32w a, f32w b) { return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LE_OQ)); }
CM_INLINE f64w f64w_load(const double *x) { return _mm256_loadu_pd(x); }
CM_INLINE f64w f64w_all(double x) { return _mm256_set1_pd(x); }
CM_INLINE m64w f64w_le(f64w a, f64w b) { return _mm256_castpd_si256(_mm256_cmp_pd(a, b, _CMP_LE_OQ)); }
CM_INLINE u32w u32w_load(const uint32_t *x) { return _mm256_loadu_si256((const __m256i *)(const void *)x); }
CM_INLINE u32w u32w_all(uint32_t x) { return _mm256_set1_epi32((int)x); }
CM_INLINE m32w u32w_apart(u32w a, u32w b) { return _mm256_cmpeq_epi32(_mm256_and_si256(a, b), _mm256_setzero_si256()); }
CM_INLINE m32w m32w_and(m32w a, m32w b) { return _mm256_and_si256(a, b); }
CM_INLINE m64w m64w_and(m64w a, m64w b) { return _mm256_and_si256(a, b); }
CM_INLINE m32w m32w_of_halves(m64w low, m64w high) {
    return _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xd8);
}
CM_INLINE uint32_t m32w_bits(m32w m) { return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(m)); }
CM_INLINE u16w u16w_load(const uint16_t *x) { return _mm256_loadu_si256((const __m256i *)(const void *)x); }
CM_INLINE u16w u16w_all(uint16_t x) { return _mm256_set1_epi16((short)x); }
CM_INLINE u16w u16w_sub_sat(u16w a, u16w b) { return _mm256_subs_epu16(a, b); }
CM_INLINE u16w u16w_min(u16w a, u16w b) { return _mm256_min_epu16(a, b); }
CM_INLINE m16w u16w_eq(u16w a, u16w b) { return _mm256_cmpeq_epi16(a, b); }
CM_INLINE m16w u16w_apart(u16w a, u16w b) { return _mm256_cmpeq_epi16(_mm256_and_si256(a, b), _mm256_setzero_si256()); }
CM_INLINE u16w u16w_where(m16w m, u16w x) { return _mm256_and_si256(m, x); }
CM_INLINE uint32_t m16w_bits(const m16w m[2]) {
    return (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(_mm256_packs_epi16(m[0], m[1]), 0xd8));
}

#else
#define SIMD_BYTES 16
enum { SIMD_MASKS = 2 };

typedef f32x4 f32w;
typedef f64x2 f64w;
typedef u32x4 u32w;
typedef u16x8 u16w;
typedef u32x4 m32w;
typedef u64x2 m64w;
typedef u16x8 m16w;

CM_INLINE f32w f32w_load(const float *x) { return f32x4_load(x); }
CM_INLINE void f32w_store(float *out, f32w a) { f32x4_store(out, a); }
CM_INLINE f32w f32w_quads(const void *const *places, size_t from) {
    return f32x4_load((const float *)(const void *)((const char *)places[0] + from));
}
CM_INLINE void f32w_transpose(f32w r[4]) { f32x4_transpose(r); }
CM_INLINE f32w f32w_all(float x) { return f32x4_all(x); }
CM_INLINE m32w f32w_le(f32w a, f32w b) { return f32x4_le(a, b); }
CM_INLINE f64w f64w_load(const double *x) { return f64x2_load(x); }
CM_INLINE f64w f64w_all(double x) { return f64x2_all(x); }
CM_INLINE m64w f64w_le(f64w a, f64w b) { return f64x2_le(a, b); }
CM_INLINE u32w u32w_load(const uint32_t *x) { return u32x4_load(x); }
CM_INLINE u32w u32w_all(uint32_t x) { return u32x4_all(x); }
CM_INLINE m32w u32w_apart(u32w a, u32w b) { return u32x4_eq(u32x4_and(a, b), u32x4_all(0)); }
CM_INLINE m32w m32w_and(m32w a, m32w b) { return u32x4_and(a, b); }
CM_INLINE m64w m64w_and(m64w a, m64w b) { return u64x2_and(a, b); }
CM_INLINE m32w m32w_of_halves(m64w low, m64w high) {
    u32x4 a, b;
    memcpy(&a, &low, sizeof a), memcpy(&b, &high, sizeof b);
    return u32x4_mix(a, b, 0, 2, 4, 6);
}
CM_INLINE uint32_t m32w_bits(m32w m) { return u32x4_mask(m); }
CM_INLINE u16w u16w_load(const uint16_t *x) { return u16x8_load(x); }
CM_INLINE u16w u16w_all(uint16_t x) { return u16x8_all(x); }
CM_INLINE u16w u16w_sub_sat(u16w a, u16w b) { return u16x8_sub_sat(a, b); }
CM_INLINE u16w u16w_min(u16w a, u16w b) { return u16x8_min(a, b); }
CM_INLINE m16w u16w_eq(u16w a, u16w b) { return u16x8_eq(a, b); }
CM_INLINE m16w u16w_apart(u16w a, u16w b) { return u16x8_eq(u16x8_and(a, b), u16x8_all(0)); }
CM_INLINE u16w u16w_where(m16w m, u16w x) { return u16x8_and(m, x); }
CM_INLINE uint32_t m16w_bits(const m16w m[2]) {
#if defined(SIMD_X86)
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16((__m128i)m[0], (__m128i)m[1]));
#elif defined(SIMD_NEON)
    static const uint8_t place[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vandq_u8(vuzp1q_u8((uint8x16_t)m[0], (uint8x16_t)m[1]), vld1q_u8(place));
    bits = vpaddq_u8(bits, bits), bits = vpaddq_u8(bits, bits), bits = vpaddq_u8(bits, bits);
    return vgetq_lane_u16(vreinterpretq_u16_u8(bits), 0);
#elif defined(SIMD_WASM)
    return (uint32_t)wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8((v128_t)m[0], (v128_t)m[1]));
#else
    uint32_t bits = 0;
    for (int i = 0; i < 16; ++i) bits |= (uint32_t)(m[i / 8].lane[i % 8] & 1) << i;
    return bits;
#endif
}

#endif

#endif
