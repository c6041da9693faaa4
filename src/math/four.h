/* Four numbers of cm_real side by side, whichever it is: f32x4, or two f64x2. Comparisons give bits: bit i for lane i.
 */
#ifndef MATH_FOUR_H
#define MATH_FOUR_H

#include "carom/math.h"
#include "math/simd.h"

#if !defined(CAROM_F64)

typedef f32x4 four;
#define FOUR_BINARY(name)                                                                                              \
    static inline four four_##name(four a, four b) { return f32x4_##name(a, b); }
static inline four four_all(cm_real x) { return f32x4_all(x); }
static inline four four_of(cm_real x, cm_real y, cm_real z, cm_real w) { return f32x4_of(x, y, z, w); }
static inline void four_store(cm_real *out, four a) { f32x4_store(out, a); }
static inline unsigned four_gt(four a, four b) { return u32x4_mask(f32x4_gt(a, b)); }
static inline unsigned four_ge(four a, four b) { return u32x4_mask(f32x4_ge(a, b)); }
static inline cm_real four_first(four a) { return f32x4_first(a); }
/* Lanes 1, 2, 0, 3. */
static inline four four_next(four a) { return f32x4_pick(a, 1, 2, 0, 3); }

#else

typedef struct four {
    f64x2 low, high;
} four;
#define FOUR_BINARY(name)                                                                                              \
    static inline four four_##name(four a, four b) {                                                                   \
        const four c = {f64x2_##name(a.low, b.low), f64x2_##name(a.high, b.high)};                                     \
        return c;                                                                                                      \
    }
static inline four four_all(cm_real x) {
    const four a = {f64x2_all(x), f64x2_all(x)};
    return a;
}
static inline four four_of(cm_real x, cm_real y, cm_real z, cm_real w) {
    const four a = {f64x2_of(x, y), f64x2_of(z, w)};
    return a;
}
static inline void four_store(cm_real *out, four a) { f64x2_store(out, a.low), f64x2_store(out + 2, a.high); }
static inline unsigned four_gt(four a, four b) {
    return u64x2_mask(f64x2_gt(a.low, b.low)) | u64x2_mask(f64x2_gt(a.high, b.high)) << 2;
}
static inline unsigned four_ge(four a, four b) {
    return u64x2_mask(f64x2_ge(a.low, b.low)) | u64x2_mask(f64x2_ge(a.high, b.high)) << 2;
}
static inline cm_real four_first(four a) { return f64x2_low(a.low); }
static inline four four_next(four a) {
    const four b = {f64x2_mix(a.low, a.high, 1, 2), f64x2_mix(a.low, a.high, 0, 3)};
    return b;
}

#endif

FOUR_BINARY(add)
FOUR_BINARY(sub)
FOUR_BINARY(mul)
FOUR_BINARY(div)
FOUR_BINARY(min)
FOUR_BINARY(max)

/* Four points. */
typedef struct four_points {
    four x, y, z;
} four_points;
static inline four_points four_points_sub(four_points a, four_points b) {
    const four_points p = {four_sub(a.x, b.x), four_sub(a.y, b.y), four_sub(a.z, b.z)};
    return p;
}
static inline four_points four_points_mul_add(four_points a, four s, four_points b) {
    const four_points p = {four_add(a.x, four_mul(s, b.x)), four_add(a.y, four_mul(s, b.y)),
                           four_add(a.z, four_mul(s, b.z))};
    return p;
}
static inline four four_points_dot(four_points a, four_points b) {
    return four_add(four_add(four_mul(a.x, b.x), four_mul(a.y, b.y)), four_mul(a.z, b.z));
}
static inline four_points four_points_cross(four_points a, four_points b) {
    const four_points c = {four_sub(four_mul(a.y, b.z), four_mul(a.z, b.y)),
                           four_sub(four_mul(a.z, b.x), four_mul(a.x, b.z)),
                           four_sub(four_mul(a.x, b.y), four_mul(a.y, b.x))};
    return c;
}
static inline four_points four_points_next(four_points a) {
    const four_points p = {four_next(a.x), four_next(a.y), four_next(a.z)};
    return p;
}
static inline four_points four_points_all(cm_vec3 v) {
    const four_points p = {four_all(v.x), four_all(v.y), four_all(v.z)};
    return p;
}

#endif
