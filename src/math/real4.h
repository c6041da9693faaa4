/* Four numbers of cm_real side by side, whichever it is: f32x4, or two f64x2. Comparisons give bits: bit i for lane i.
 */
#ifndef MATH_REAL4_H
#define MATH_REAL4_H

#include "carom/math.h"
#include "math/simd.h"

#if !defined(CAROM_F64)

typedef f32x4 real4;
#define REAL4_BINARY(name)                                                                                             \
    static inline real4 real4_##name(real4 a, real4 b) { return f32x4_##name(a, b); }
static inline real4 real4_all(cm_real x) { return f32x4_all(x); }
static inline real4 real4_of(cm_real x, cm_real y, cm_real z, cm_real w) { return f32x4_of(x, y, z, w); }
static inline real4 real4_load(const cm_real *x) { return f32x4_load(x); }
static inline void real4_store(cm_real *out, real4 a) { f32x4_store(out, a); }
static inline unsigned real4_gt(real4 a, real4 b) { return u32x4_mask(f32x4_gt(a, b)); }
static inline unsigned real4_ge(real4 a, real4 b) { return u32x4_mask(f32x4_ge(a, b)); }
static inline cm_real real4_first(real4 a) { return f32x4_first(a); }
/* Lanes 1, 2, 0, 3. */
static inline real4 real4_next(real4 a) { return f32x4_pick(a, 1, 2, 0, 3); }
static inline real4 real4_abs(real4 a) { return f32x4_abs(a); }

#else

typedef struct real4 {
    f64x2 low, high;
} real4;
#define REAL4_BINARY(name)                                                                                             \
    static inline real4 real4_##name(real4 a, real4 b) {                                                               \
        const real4 c = {f64x2_##name(a.low, b.low), f64x2_##name(a.high, b.high)};                                    \
        return c;                                                                                                      \
    }
static inline real4 real4_all(cm_real x) {
    const real4 a = {f64x2_all(x), f64x2_all(x)};
    return a;
}
static inline real4 real4_of(cm_real x, cm_real y, cm_real z, cm_real w) {
    const real4 a = {f64x2_of(x, y), f64x2_of(z, w)};
    return a;
}
static inline real4 real4_load(const cm_real *x) {
    const real4 a = {f64x2_load(x), f64x2_load(x + 2)};
    return a;
}
static inline void real4_store(cm_real *out, real4 a) { f64x2_store(out, a.low), f64x2_store(out + 2, a.high); }
static inline unsigned real4_gt(real4 a, real4 b) {
    return u64x2_mask(f64x2_gt(a.low, b.low)) | u64x2_mask(f64x2_gt(a.high, b.high)) << 2;
}
static inline unsigned real4_ge(real4 a, real4 b) {
    return u64x2_mask(f64x2_ge(a.low, b.low)) | u64x2_mask(f64x2_ge(a.high, b.high)) << 2;
}
static inline cm_real real4_first(real4 a) { return f64x2_low(a.low); }
static inline real4 real4_next(real4 a) {
    const real4 b = {f64x2_mix(a.low, a.high, 1, 2), f64x2_mix(a.low, a.high, 0, 3)};
    return b;
}
static inline real4 real4_abs(real4 a) {
    const real4 b = {f64x2_abs(a.low), f64x2_abs(a.high)};
    return b;
}

#endif

REAL4_BINARY(add)
REAL4_BINARY(sub)
REAL4_BINARY(mul)
REAL4_BINARY(div)
REAL4_BINARY(min)
REAL4_BINARY(max)

/* Four points. */
typedef struct real4_points {
    real4 x, y, z;
} real4_points;
static inline real4_points real4_points_sub(real4_points a, real4_points b) {
    const real4_points p = {real4_sub(a.x, b.x), real4_sub(a.y, b.y), real4_sub(a.z, b.z)};
    return p;
}
static inline real4_points real4_points_mul_add(real4_points a, real4 s, real4_points b) {
    const real4_points p = {real4_add(a.x, real4_mul(s, b.x)), real4_add(a.y, real4_mul(s, b.y)),
                            real4_add(a.z, real4_mul(s, b.z))};
    return p;
}
static inline real4 real4_points_dot(real4_points a, real4_points b) {
    return real4_add(real4_add(real4_mul(a.x, b.x), real4_mul(a.y, b.y)), real4_mul(a.z, b.z));
}
static inline real4_points real4_points_cross(real4_points a, real4_points b) {
    const real4_points c = {real4_sub(real4_mul(a.y, b.z), real4_mul(a.z, b.y)),
                            real4_sub(real4_mul(a.z, b.x), real4_mul(a.x, b.z)),
                            real4_sub(real4_mul(a.x, b.y), real4_mul(a.y, b.x))};
    return c;
}
/* The largest |component|. */
static inline real4 real4_points_largest(real4_points a) {
    return real4_max(real4_max(real4_abs(a.x), real4_abs(a.y)), real4_abs(a.z));
}
/* Four points, each with a number behind it. */
static inline real4_points real4_points_of(const real4 p[4]) {
    real4_points out;
#if !defined(CAROM_F64)
    f32x4 rows[4] = {p[0], p[1], p[2], p[3]};
    f32x4_transpose(rows);
    out.x = rows[0], out.y = rows[1], out.z = rows[2];
#else
    out.x.low = f64x2_lows(p[0].low, p[1].low), out.x.high = f64x2_lows(p[2].low, p[3].low);
    out.y.low = f64x2_highs(p[0].low, p[1].low), out.y.high = f64x2_highs(p[2].low, p[3].low);
    out.z.low = f64x2_lows(p[0].high, p[1].high), out.z.high = f64x2_lows(p[2].high, p[3].high);
#endif
    return out;
}
static inline real4_points real4_points_next(real4_points a) {
    const real4_points p = {real4_next(a.x), real4_next(a.y), real4_next(a.z)};
    return p;
}
static inline real4_points real4_points_all(cm_vec3 v) {
    const real4_points p = {real4_all(v.x), real4_all(v.y), real4_all(v.z)};
    return p;
}

#endif
