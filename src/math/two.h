/* Two doubles at a time, where the compiler does not see that it could. */
#ifndef MATH_TWO_H
#define MATH_TWO_H

#include "math/point.h"

/* Kept out of line: the rare way of a function, whose registers would otherwise be saved on the common one. */
#if defined(__GNUC__)
#define CM__RARE __attribute__((noinline))
#else
#define CM__RARE
#endif

/* 1 with the sign of a, also that of -0. */
CM_INLINE f64x2 two_sign(f64x2 a) { return f64x2_signed(f64x2_all(1), a); }
/* x where a >= b, else 0. */
CM_INLINE f64x2 two_where(f64x2 a, f64x2 b, f64x2 x) { return f64x2_where(f64x2_ge(a, b), x); }
/* Bit 0: a0 > b0, bit 1: a1 > b1. */
CM_INLINE unsigned two_above(f64x2 a, f64x2 b) { return u64x2_mask(f64x2_gt(a, b)); }
/* a + s b */
CM_INLINE f64x2 two_mul_add(f64x2 a, f64x2 s, f64x2 b) { return f64x2_add(a, f64x2_mul(s, b)); }
CM_INLINE double two_sum(f64x2 a) { return f64x2_low(a) + f64x2_high(a); }

/* A rotation's matrix m as frame_of_quat gives it, by rows: (m.x.x, m.y.x), (m.x.y, m.y.y), (m.x.z, m.y.z), and
 * its last column. */
typedef struct two_mat3 {
    f64x2 x, y, z, z_xy;
    double z_z;
} two_mat3;

#if defined(CAROM_F64)

/* The numbers at p and p + 1. */
CM_INLINE f64x2 two_of_reals(const cm_real *p) { return f64x2_load(p); }
CM_INLINE void two_to_reals(cm_real *out, f64x2 a) { f64x2_store(out, a); }
/* The four numbers at a and the four at b, side by side. */
CM_INLINE void two_side_by_side(const cm_real *a, const cm_real *b, f64x2 out[4]) {
    for (int i = 0; i < 4; i++) out[i] = f64x2_of(a[i], b[i]);
}
/* Are the four numbers at p coordinates, and the last `sizes` of them no less than 0? False for -0. */
CM_INLINE int reals_are_valid(const cm_real *p, int sizes) {
    bool valid = true;
    for (int i = 0; i < 4; i++) valid &= (cm_abs(p[i]) <= CM_COORD_MAX) & (i < 4 - sizes || !signbit(p[i]));
    return valid;
}

#else

CM_INLINE f64x2 two_of_reals(const cm_real *p) { return f64x2_of_f32(f32x4_load2(p)); }
CM_INLINE void two_to_reals(cm_real *out, f64x2 a) { f32x4_store2(out, f32x4_of_f64(a, a)); }
CM_INLINE void two_side_by_side(const cm_real *a, const cm_real *b, f64x2 out[4]) {
    const f32x4 p = f32x4_load(a), q = f32x4_load(b), low = f32x4_zip_low(p, q), high = f32x4_zip_high(p, q);
    out[0] = f64x2_of_f32(low), out[1] = f64x2_of_f32(f32x4_high_halves(low, low));
    out[2] = f64x2_of_f32(high), out[3] = f64x2_of_f32(f32x4_high_halves(high, high));
}
/* As signs of what is wrong, so that several may be asked at once. */
CM_INLINE u32x4 reals_wrong(const cm_real *p, int sizes) {
    /* floats are in the order of their bits, NaN and infinity above all; sizes keep their sign, which must be 0 */
    const u32x4 sign = u32x4_of(sizes > 3 ? UINT32_MAX : INT32_MAX, sizes > 2 ? UINT32_MAX : INT32_MAX,
                                sizes > 1 ? UINT32_MAX : INT32_MAX, sizes > 0 ? UINT32_MAX : INT32_MAX);
    const u32x4 x = u32x4_and(u32x4_bits_of_f32x4(f32x4_load(p)), sign);
    return u32x4_gt(x, u32x4_bits_of_f32x4(f32x4_all(CM_COORD_MAX)));
}
CM_INLINE int reals_none_wrong(u32x4 wrong) { return u32x4_mask(wrong) == 0; }
CM_INLINE int reals_are_valid(const cm_real *p, int sizes) { return reals_none_wrong(reals_wrong(p, sizes)); }

#endif

/* From x and y, z and w. */
CM_INLINE two_mat3 two_mat3_from_halves(f64x2 xy, f64x2 zw) {
    f64x2 squares = f64x2_mul(xy, xy), others = f64x2_mul(zw, zw);
    double s = 2 / (two_sum(squares) + f64x2_low(others) + f64x2_high(others));
    f64x2 s_xy = f64x2_mul(xy, f64x2_all(s)), s_z = f64x2_all(f64x2_low(zw) * s), w = f64x2_highs(zw, zw);
    f64x2 along = f64x2_mul(xy, s_xy); /* xx, yy */
    double zz = f64x2_low(zw) * f64x2_low(s_z), cross = f64x2_low(xy) * f64x2_high(s_xy),
           turn = f64x2_low(w) * f64x2_low(s_z);
    f64x2 aside = f64x2_mul(xy, s_z);                                         /* xz, yz */
    f64x2 turns = f64x2_mul(f64x2_swap(f64x2_mul(w, s_xy)), f64x2_of(-1, 1)); /* -wy, wx */
    f64x2 across =
        f64x2_sub(f64x2_all(1), f64x2_add(f64x2_swap(along), f64x2_all(zz))); /* 1 - (yy + zz), 1 - (xx + zz) */
    two_mat3 m;
    m.x = f64x2_of(f64x2_low(across), cross - turn);
    m.y = f64x2_of(cross + turn, f64x2_high(across));
    m.z = f64x2_add(aside, turns);
    m.z_xy = f64x2_sub(aside, turns);
    m.z_z = 1 - two_sum(along);
    return m;
}
CM_INLINE two_mat3 two_mat3_from_quat(const cm_quat *q) {
    return two_mat3_from_halves(two_of_reals(&q->x), two_of_reals(&q->z));
}
#endif
