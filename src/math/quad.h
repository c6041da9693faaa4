/* Four floats at a time: x, y, z of a vector and one more, or the four of a quaternion. Each lane takes the operations
 * of the scalar function of the same name in math.h in their order, so the bits are the same. Only where cm_real is
 * float. */
#ifndef MATH_QUAD_H
#define MATH_QUAD_H

#include "math/two.h"

#if !defined(CAROM_F64)

static inline f32x4 quad_minus(f32x4 v, bool x, bool y, bool z, bool w) {
    return f32x4_flip(v, f32x4_of(x ? -0.0f : 0.0f, y ? -0.0f : 0.0f, z ? -0.0f : 0.0f, w ? -0.0f : 0.0f));
}
/* The sum of all four, in all four. */
static inline f32x4 quad_sum(f32x4 v) {
    v = f32x4_add(v, f32x4_pick(v, 1, 0, 3, 2));
    return f32x4_add(v, f32x4_pick(v, 2, 3, 0, 1));
}
static inline f32x4 quad_cross(f32x4 a, f32x4 b) {
    f32x4 c = f32x4_sub(f32x4_mul(a, f32x4_pick(b, 1, 2, 0, 3)), f32x4_mul(f32x4_pick(a, 1, 2, 0, 3), b));
    return f32x4_pick(c, 1, 2, 0, 3);
}

/* conj(a) b: cm_quat_mul. */
static inline f32x4 quad_between(f32x4 a, f32x4 b) {
    f32x4 by_x = quad_minus(f32x4_pick(b, 3, 2, 1, 0), true, false, true, false);
    f32x4 by_y = quad_minus(f32x4_pick(b, 2, 3, 0, 1), true, true, false, false);
    f32x4 by_z = quad_minus(f32x4_pick(b, 1, 0, 3, 2), false, true, true, false);
    f32x4 sum = f32x4_add(f32x4_mul(f32x4_lane(a, 3), b), f32x4_mul(f32x4_lane(a, 0), by_x));
    return f32x4_add(f32x4_add(sum, f32x4_mul(f32x4_lane(a, 1), by_y)), f32x4_mul(f32x4_lane(a, 2), by_z));
}

/* v turned by q: cm_rotate. */
static inline f32x4 quad_rotate(f32x4 q, f32x4 v) {
    f32x4 t = quad_cross(q, v);
    t = f32x4_add(t, t);
    return f32x4_add(f32x4_add(v, f32x4_mul(f32x4_lane(q, 3), t)), quad_cross(q, t));
}
static inline f32x4 quad_conjugate(f32x4 q) { return quad_minus(q, true, true, true, false); }

/* Columns: cm_mat3. */
typedef struct quad_mat3 {
    f32x4 x, y, z;
} quad_mat3;

/* cm_mat3_from_quat. */
static inline quad_mat3 quad_mat3_from_quat(f32x4 q) {
    const f32x4 one = f32x4_all(1);
    f32x4 yxx = f32x4_pick(q, 1, 0, 0, 3), yyz = f32x4_pick(q, 1, 1, 2, 3), zww = f32x4_pick(q, 2, 3, 3, 3);
    f32x4 zzy = f32x4_pick(q, 2, 2, 1, 3);
    /* yy + zz, xy + wz, xz - wy */
    f32x4 x = f32x4_add(f32x4_mul(yxx, yyz), quad_minus(f32x4_mul(zww, zzy), false, false, true, false));
    /* xy - wz, xx + zz, yz + wx */
    f32x4 y = f32x4_add(
        f32x4_mul(f32x4_pick(q, 0, 0, 1, 3), f32x4_pick(q, 1, 0, 2, 3)),
        quad_minus(f32x4_mul(f32x4_pick(q, 3, 2, 3, 3), f32x4_pick(q, 2, 2, 0, 3)), true, false, false, false));
    /* xz + wy, yz - wx, xx + yy */
    f32x4 z = f32x4_add(
        f32x4_mul(f32x4_pick(q, 0, 1, 0, 3), f32x4_pick(q, 2, 2, 0, 3)),
        quad_minus(f32x4_mul(f32x4_pick(q, 3, 3, 1, 3), f32x4_pick(q, 1, 0, 1, 3)), false, true, false, false));
    x = f32x4_add(x, x), y = f32x4_add(y, y), z = f32x4_add(z, z);
    quad_mat3 m;
    m.x = f32x4_mix(f32x4_sub(one, x), x, 0, 5, 6, 7);
    m.y = f32x4_select(u32x4_of(0, UINT32_MAX, 0, 0), f32x4_sub(one, y), y);
    m.z = f32x4_select(u32x4_of(0, 0, UINT32_MAX, 0), f32x4_sub(one, z), z);
    return m;
}
/* cm_mat3_mul. */
static inline f32x4 quad_mat3_mul(const quad_mat3 *m, f32x4 v) {
    return f32x4_add(f32x4_add(f32x4_mul(m->x, f32x4_lane(v, 0)), f32x4_mul(m->y, f32x4_lane(v, 1))),
                     f32x4_mul(m->z, f32x4_lane(v, 2)));
}

/* Points side by side, as many as V has lanes. */
#define QUAD_POINTS(P, V)                                                                                              \
    typedef struct P {                                                                                                 \
        V x, y, z;                                                                                                     \
    } P;                                                                                                               \
    static inline P P##_sub(const P *a, const P *b) {                                                                  \
        P p = {V##_sub(a->x, b->x), V##_sub(a->y, b->y), V##_sub(a->z, b->z)};                                         \
        return p;                                                                                                      \
    }                                                                                                                  \
    static inline V P##_dot(const P *a, const P *b) {                                                                  \
        return V##_add(V##_add(V##_mul(a->x, b->x), V##_mul(a->y, b->y)), V##_mul(a->z, b->z));                        \
    }                                                                                                                  \
    static inline P P##_cross(const P *a, const P *b) {                                                                \
        P c;                                                                                                           \
        c.x = V##_sub(V##_mul(a->y, b->z), V##_mul(a->z, b->y));                                                       \
        c.y = V##_sub(V##_mul(a->z, b->x), V##_mul(a->x, b->z));                                                       \
        c.z = V##_sub(V##_mul(a->x, b->y), V##_mul(a->y, b->x));                                                       \
        return c;                                                                                                      \
    }
QUAD_POINTS(points2, f64x2)
QUAD_POINTS(points4, f32x4)

/* Three numbers, not a fourth; the four of a quaternion. One by one: callers build poses and shapes where they ask. */
static inline f32x4 quad_of_vec3(const cm_vec3 *v) { return f32x4_gather3(&v->x); }
static inline f32x4 quad_of_quat(const cm_quat *q) { return f32x4_gather4(&q->x); }
static inline void quad_to_vec3(cm_vec3 *out, f32x4 v) {
    f32x4_store2(&out->x, v);
    out->z = f32x4_first(f32x4_high_halves(v, v));
}
/* Rounded to float. */
static inline f32x4 quad_of_doubles(f64x2 xy, double z) { return f32x4_of_f64(xy, f64x2_of(z, 0)); }

/* cm_pose_between, cm_pose_apply and cm_rotate. */
static inline cm_pose pose_between(const cm_pose *a, const cm_pose *b) {
    const f32x4 turn = quad_of_quat(&a->rotation);
    const f32x4 between = f32x4_sub(quad_of_vec3(&b->position), quad_of_vec3(&a->position));
    cm_pose p;
    quad_to_vec3(&p.position, quad_rotate(quad_conjugate(turn), between));
    f32x4_store(&p.rotation.x, quad_between(turn, quad_of_quat(&b->rotation)));
    return p;
}
static inline void pose_apply_to(const cm_pose *pose, cm_vec3 *point) {
    const f32x4 turned = quad_rotate(quad_of_quat(&pose->rotation), quad_of_vec3(point));
    quad_to_vec3(point, f32x4_add(quad_of_vec3(&pose->position), turned));
}
static inline void pose_rotate_vector(const cm_pose *pose, cm_vec3 *way) {
    quad_to_vec3(way, quad_rotate(quad_of_quat(&pose->rotation), quad_of_vec3(way)));
}

/* A pose for many points, by its matrix: cm_mat3_mul. */
typedef struct pose_matrix {
    quad_mat3 r;
    f32x4 position;
} pose_matrix;
static inline pose_matrix pose_matrix_of(const cm_pose *pose) {
    const pose_matrix m = {quad_mat3_from_quat(quad_of_quat(&pose->rotation)), quad_of_vec3(&pose->position)};
    return m;
}
static inline f32x4 pose_matrix_mul(const pose_matrix *m, const cm_vec3 *v) {
    return f32x4_add(f32x4_add(f32x4_mul(m->r.x, f32x4_all(v->x)), f32x4_mul(m->r.y, f32x4_all(v->y))),
                     f32x4_mul(m->r.z, f32x4_all(v->z)));
}
static inline void pose_matrix_rotate(const pose_matrix *m, cm_vec3 *way) {
    quad_to_vec3(way, pose_matrix_mul(m, way));
}
static inline void pose_matrix_apply(const pose_matrix *m, cm_vec3 *point) {
    quad_to_vec3(point, f32x4_add(m->position, pose_matrix_mul(m, point)));
}

#else

static inline cm_pose pose_between(const cm_pose *a, const cm_pose *b) { return cm_pose_between(a, b); }
static inline void pose_apply_to(const cm_pose *pose, cm_vec3 *point) { *point = cm_pose_apply(pose, *point); }
static inline void pose_rotate_vector(const cm_pose *pose, cm_vec3 *way) { *way = cm_rotate(pose->rotation, *way); }

typedef struct pose_matrix {
    cm_mat3 r;
    cm_vec3 position;
} pose_matrix;
static inline pose_matrix pose_matrix_of(const cm_pose *pose) {
    const pose_matrix m = {cm_mat3_from_quat(pose->rotation), pose->position};
    return m;
}
static inline void pose_matrix_rotate(const pose_matrix *m, cm_vec3 *way) { *way = cm_mat3_mul(&m->r, *way); }
static inline void pose_matrix_apply(const pose_matrix *m, cm_vec3 *point) {
    *point = cm_add(m->position, cm_mat3_mul(&m->r, *point));
}

#endif
#endif
