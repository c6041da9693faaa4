/* Four floats at a time: x, y, z of a vector and one more, or the four of a quaternion. Each lane takes the operations
 * of the scalar function of the same name in math.h in their order, so the bits are the same. Only where cm_real is
 * float and there is SSE2: CM__QUADS tells. */
#ifndef MATH_QUAD_H
#define MATH_QUAD_H

#include "math/two.h"

#if defined(__SSE2__) && defined(__GNUC__) && !defined(CAROM_F64)
#define CM__QUADS 1

#define QUAD_PICK(v, x, y, z, w) _mm_shuffle_ps(v, v, _MM_SHUFFLE(w, z, y, x))
#define QUAD_ALL(v, i)           _mm_shuffle_ps(v, v, _MM_SHUFFLE(i, i, i, i))

static inline __m128 quad_abs(__m128 v) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), v); }
static inline __m128 quad_minus(__m128 v, bool x, bool y, bool z, bool w) {
    return _mm_xor_ps(v, _mm_set_ps(w ? -0.0f : 0.0f, z ? -0.0f : 0.0f, y ? -0.0f : 0.0f, x ? -0.0f : 0.0f));
}
static inline __m128 quad_add(__m128 a, __m128 b) { return _mm_add_ps(a, b); }
static inline __m128 quad_mul(__m128 a, __m128 b) { return _mm_mul_ps(a, b); }
/* The sum of all four, in all four. */
static inline __m128 quad_sum(__m128 v) {
    v = _mm_add_ps(v, QUAD_PICK(v, 1, 0, 3, 2));
    return _mm_add_ps(v, QUAD_PICK(v, 2, 3, 0, 1));
}
static inline __m128 quad_cross(__m128 a, __m128 b) {
    __m128 c = _mm_sub_ps(_mm_mul_ps(a, QUAD_PICK(b, 1, 2, 0, 3)), _mm_mul_ps(QUAD_PICK(a, 1, 2, 0, 3), b));
    return QUAD_PICK(c, 1, 2, 0, 3);
}

/* conj(a) b: cm_quat_mul. */
static inline __m128 quad_between(__m128 a, __m128 b) {
    __m128 by_x = quad_minus(QUAD_PICK(b, 3, 2, 1, 0), true, false, true, false);
    __m128 by_y = quad_minus(QUAD_PICK(b, 2, 3, 0, 1), true, true, false, false);
    __m128 by_z = quad_minus(QUAD_PICK(b, 1, 0, 3, 2), false, true, true, false);
    __m128 sum = quad_add(quad_mul(QUAD_ALL(a, 3), b), quad_mul(QUAD_ALL(a, 0), by_x));
    return quad_add(quad_add(sum, quad_mul(QUAD_ALL(a, 1), by_y)), quad_mul(QUAD_ALL(a, 2), by_z));
}

/* v turned by q: cm_rotate. */
static inline __m128 quad_rotate(__m128 q, __m128 v) {
    __m128 t = quad_cross(q, v);
    t = quad_add(t, t);
    return quad_add(quad_add(v, quad_mul(QUAD_ALL(q, 3), t)), quad_cross(q, t));
}
static inline __m128 quad_conjugate(__m128 q) { return quad_minus(q, true, true, true, false); }

/* Columns: cm_mat3. */
typedef struct quad_mat3 {
    __m128 x, y, z;
} quad_mat3;

/* cm_mat3_from_quat. */
static inline quad_mat3 quad_mat3_from_quat(__m128 q) {
    const __m128 one = _mm_set1_ps(1);
    __m128 yxx = QUAD_PICK(q, 1, 0, 0, 3), yyz = QUAD_PICK(q, 1, 1, 2, 3), zww = QUAD_PICK(q, 2, 3, 3, 3);
    __m128 zzy = QUAD_PICK(q, 2, 2, 1, 3);
    /* yy + zz, xy + wz, xz - wy */
    __m128 x = quad_add(quad_mul(yxx, yyz), quad_minus(quad_mul(zww, zzy), false, false, true, false));
    /* xy - wz, xx + zz, yz + wx */
    __m128 y =
        quad_add(quad_mul(QUAD_PICK(q, 0, 0, 1, 3), QUAD_PICK(q, 1, 0, 2, 3)),
                 quad_minus(quad_mul(QUAD_PICK(q, 3, 2, 3, 3), QUAD_PICK(q, 2, 2, 0, 3)), true, false, false, false));
    /* xz + wy, yz - wx, xx + yy */
    __m128 z =
        quad_add(quad_mul(QUAD_PICK(q, 0, 1, 0, 3), QUAD_PICK(q, 2, 2, 0, 3)),
                 quad_minus(quad_mul(QUAD_PICK(q, 3, 3, 1, 3), QUAD_PICK(q, 1, 0, 1, 3)), false, true, false, false));
    x = quad_add(x, x), y = quad_add(y, y), z = quad_add(z, z);
    quad_mat3 m;
    m.x = _mm_move_ss(x, _mm_sub_ss(one, x));
    const __m128 second = _mm_castsi128_ps(_mm_set_epi32(0, 0, -1, 0)),
                 third = _mm_castsi128_ps(_mm_set_epi32(0, -1, 0, 0));
    m.y = _mm_or_ps(_mm_and_ps(second, _mm_sub_ps(one, y)), _mm_andnot_ps(second, y));
    m.z = _mm_or_ps(_mm_and_ps(third, _mm_sub_ps(one, z)), _mm_andnot_ps(third, z));
    return m;
}
/* cm_mat3_mul. */
static inline __m128 quad_mat3_mul(const quad_mat3 *m, __m128 v) {
    return quad_add(quad_add(quad_mul(m->x, QUAD_ALL(v, 0)), quad_mul(m->y, QUAD_ALL(v, 1))),
                    quad_mul(m->z, QUAD_ALL(v, 2)));
}

/* Three numbers, not a fourth; the four of a quaternion. One by one: callers build poses and shapes where they ask, and
 * a load of what was just written in other pieces waits until all before it is done, which costs more than the rest. */
static inline __m128 quad_of_vec3(const cm_vec3 *v) {
    return _mm_movelh_ps(_mm_unpacklo_ps(_mm_load_ss(&v->x), _mm_load_ss(&v->y)), _mm_load_ss(&v->z));
}
static inline __m128 quad_of_quat(const cm_quat *q) {
    return _mm_movelh_ps(_mm_unpacklo_ps(_mm_load_ss(&q->x), _mm_load_ss(&q->y)),
                         _mm_unpacklo_ps(_mm_load_ss(&q->z), _mm_load_ss(&q->w)));
}
static inline void quad_to_vec3(cm_vec3 *out, __m128 v) {
    _mm_storel_epi64((__m128i *)(void *)out, _mm_castps_si128(v));
    _mm_store_ss(&out->z, _mm_movehl_ps(v, v));
}
/* Rounded to float. */
static inline __m128 quad_of_doubles(cm__two xy, double z) {
    return _mm_movelh_ps(_mm_cvtpd_ps(xy), _mm_cvtpd_ps(_mm_set_sd(z)));
}

#endif
#endif
