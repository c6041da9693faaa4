/// carom/math.h: vectors, quaternions, poses and axis-aligned boxes; small values, all inline.
///
/// Right-handed, column vectors. A pose maps local to outer coordinates: position + rotate(rotation, local).
/// Inline functions compile under the caller's flags; the library's own answers do not depend on them.
#ifndef CAROM_MATH_H
#define CAROM_MATH_H

#include "base.h"

#include <math.h>

CM_EXTERN_BEGIN

typedef struct cm_vec3 {
    cm_real x, y, z;
} cm_vec3;

/// A rotation as a unit quaternion; w is the real part. {0, 0, 0, 1} is the identity.
typedef struct cm_quat {
    cm_real x, y, z, w;
} cm_quat;

/// A 3x3 matrix by its columns: the images of the x, y and z axes.
typedef struct cm_mat3 {
    cm_vec3 x, y, z;
} cm_mat3;

/// Where something is, a rigid transform: local coordinates are rotated, then translated. One that is all zeros is no
/// pose, as its rotation is no unit quaternion: start from cm_pose_identity or cm_pose_at. Only descriptions (a
/// compound's children, a world's objects) take a rotation of all zeros for the identity.
typedef struct cm_pose {
    cm_vec3 position;
    cm_quat rotation;
} cm_pose;

/// An axis-aligned box: all points with min <= p <= max, component by component. Empty (as unions start) where min >
/// max.
typedef struct cm_aabb {
    cm_vec3 min, max;
} cm_aabb;

/* --- scalars ------------------------------------------------------------------------------------------------- */

/// The smaller; b where one of them is NaN.
CM_INLINE cm_real cm_min(cm_real a, cm_real b) { return a < b ? a : b; }
/// The larger; b where one of them is NaN.
CM_INLINE cm_real cm_max(cm_real a, cm_real b) { return a > b ? a : b; }
/// x moved into [lo, hi]; NaN stays.
CM_INLINE cm_real cm_clamp(cm_real x, cm_real lo, cm_real hi) { return x < lo ? lo : x > hi ? hi : x; }
/// |x|, of -0 too.
CM_INLINE cm_real cm_abs(cm_real x) {
#if defined(CAROM_F64)
    return fabs(x);
#else
    return fabsf(x);
#endif
}
/// Correctly rounded; NaN below 0.
CM_INLINE cm_real cm_sqrt(cm_real x) {
#if defined(CAROM_F64)
    return sqrt(x);
#else
    return sqrtf(x);
#endif
}
/// True where |x| is a valid coordinate (finite and at most CM_COORD_MAX); false for NaN.
CM_INLINE bool cm_is_coord(cm_real x) { return cm_abs(x) <= CM_COORD_MAX; }

/* --- vectors ------------------------------------------------------------------------------------------------- */

/// The vector (x, y, z).
CM_INLINE cm_vec3 cm_v(cm_real x, cm_real y, cm_real z) {
    cm_vec3 v;
    v.x = x, v.y = y, v.z = z;
    return v;
}
/// a + b
CM_INLINE cm_vec3 cm_add(cm_vec3 a, cm_vec3 b) { return cm_v(a.x + b.x, a.y + b.y, a.z + b.z); }
/// a - b: from b to a.
CM_INLINE cm_vec3 cm_sub(cm_vec3 a, cm_vec3 b) { return cm_v(a.x - b.x, a.y - b.y, a.z - b.z); }
/// -a
CM_INLINE cm_vec3 cm_neg(cm_vec3 a) { return cm_v(-a.x, -a.y, -a.z); }
/// s a
CM_INLINE cm_vec3 cm_scale(cm_vec3 a, cm_real s) { return cm_v(a.x * s, a.y * s, a.z * s); }
/// a + s b
CM_INLINE cm_vec3 cm_mul_add(cm_vec3 a, cm_real s, cm_vec3 b) {
    return cm_v(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
/// a + t (b - a); exactly a at t = 0.
CM_INLINE cm_vec3 cm_lerp(cm_vec3 a, cm_vec3 b, cm_real t) { return cm_mul_add(a, t, cm_sub(b, a)); }
/// The dot product: a.x b.x + a.y b.y + a.z b.z, in this order; may overflow from components beyond the square root of
/// CM_REAL_MAX.
CM_INLINE cm_real cm_dot(cm_vec3 a, cm_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
/// The cross product: perpendicular to a and b by the right-hand rule; its length is the area of their parallelogram.
CM_INLINE cm_vec3 cm_cross(cm_vec3 a, cm_vec3 b) {
    return cm_v(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/// The smaller of each component.
CM_INLINE cm_vec3 cm_vec3_min(cm_vec3 a, cm_vec3 b) {
    return cm_v(cm_min(a.x, b.x), cm_min(a.y, b.y), cm_min(a.z, b.z));
}
/// The larger of each component.
CM_INLINE cm_vec3 cm_vec3_max(cm_vec3 a, cm_vec3 b) {
    return cm_v(cm_max(a.x, b.x), cm_max(a.y, b.y), cm_max(a.z, b.z));
}
/// |a|, component by component.
CM_INLINE cm_vec3 cm_vec3_abs(cm_vec3 a) { return cm_v(cm_abs(a.x), cm_abs(a.y), cm_abs(a.z)); }
/// The largest |component|; the scale of a vector, safe from overflow and underflow.
CM_INLINE cm_real cm_largest(cm_vec3 a) { return cm_max(cm_abs(a.x), cm_max(cm_abs(a.y), cm_abs(a.z))); }
/// Length; no overflow or underflow of the squares for any finite vector.
CM_INLINE cm_real cm_length(cm_vec3 a) {
    cm_real s = cm_largest(a);
    if (!(s > 0)) return cm_abs(a.x + a.y + a.z); /* 0, or NaN as given */
    cm_vec3 u = cm_v(a.x / s, a.y / s, a.z / s);
    return s * cm_sqrt(cm_dot(u, u));
}
/// a / |a|, or `fallback` where a is zero or not finite.
CM_INLINE cm_vec3 cm_normalize(cm_vec3 a, cm_vec3 fallback) {
    cm_real s = cm_largest(a);
    if (!(s > 0 && s <= CM_REAL_MAX)) return fallback;
    cm_vec3 u = cm_v(a.x / s, a.y / s, a.z / s);
    cm_real n = cm_sqrt(cm_dot(u, u));
    if (!(n > 0)) return fallback; /* NaN */
    return cm_v(u.x / n, u.y / n, u.z / n);
}
/// True where every component is a valid coordinate.
CM_INLINE bool cm_vec3_is_valid(cm_vec3 a) { return cm_is_coord(a.x) && cm_is_coord(a.y) && cm_is_coord(a.z); }

/* --- matrices ------------------------------------------------------------------------------------------------ */

/// m v: v rotated, where m is a rotation.
CM_INLINE cm_vec3 cm_mat3_mul(const cm_mat3 *m, cm_vec3 v) {
    return cm_v(m->x.x * v.x + m->y.x * v.y + m->z.x * v.z, m->x.y * v.x + m->y.y * v.y + m->z.y * v.z,
                m->x.z * v.x + m->y.z * v.y + m->z.z * v.z);
}
/// transpose(m) v: the inverse where m is a rotation.
CM_INLINE cm_vec3 cm_mat3_mul_transposed(const cm_mat3 *m, cm_vec3 v) {
    return cm_v(cm_dot(m->x, v), cm_dot(m->y, v), cm_dot(m->z, v));
}

/* --- quaternions --------------------------------------------------------------------------------------------- */

/// The identity rotation.
CM_INLINE cm_quat cm_quat_identity(void) {
    cm_quat q;
    q.x = 0, q.y = 0, q.z = 0, q.w = 1;
    return q;
}
/// The inverse of a unit quaternion.
CM_INLINE cm_quat cm_quat_conjugate(cm_quat q) {
    q.x = -q.x, q.y = -q.y, q.z = -q.z;
    return q;
}
/// The product: first rotate by b, then by a.
CM_INLINE cm_quat cm_quat_mul(cm_quat a, cm_quat b) {
    cm_quat q;
    q.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
    q.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
    q.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
    q.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
    return q;
}
/// q scaled to length 1; the identity where q is zero or not finite.
CM_INLINE cm_quat cm_quat_normalize(cm_quat q) {
    cm_real s = cm_max(cm_max(cm_abs(q.x), cm_abs(q.y)), cm_max(cm_abs(q.z), cm_abs(q.w)));
    if (!(s > 0 && s <= CM_REAL_MAX)) return cm_quat_identity();
    q.x /= s, q.y /= s, q.z /= s, q.w /= s;
    cm_real n = cm_sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(n > 0)) return cm_quat_identity(); /* NaN */
    q.x /= n, q.y /= n, q.z /= n, q.w /= n;
    return q;
}
/// The rotation by `angle` radians about `axis` (any length but 0), counter-clockwise seen from its tip; the identity
/// for an axis of 0 and for NaN. The same bits everywhere.
CM_API void cm_quat_from_axis_angle(cm_vec3 axis, cm_real angle, cm_quat *out);
/// The rotation that a matrix is (its columns unit and orthogonal, right-handed), as a unit quaternion, right
/// to rounding; the identity for NaN, and for what is no rotation some unit quaternion. Source: [Shepperd78].
CM_API void cm_quat_from_mat3(const cm_mat3 *m, cm_quat *out);
/// The rotation between two: from a at t = 0 to b at t = 1 (or its negative, which is the same rotation) about one axis
/// at constant speed, the shorter way round. Beyond [0, 1] it goes on turning. Where b is a half turn from a, both ways
/// are as short: the one is taken that b's sign says. `a` and `b` are scaled to length 1 first; the identity for NaN.
/// Right to 2 ulps of 1 for 0 <= t <= 1, the same bits everywhere. Source: [Shoemake85].
CM_API void cm_quat_slerp(cm_quat a, cm_quat b, cm_real t, cm_quat *out);
/// The rotation as a matrix.
CM_INLINE cm_mat3 cm_mat3_from_quat(cm_quat q) {
    cm_real xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    cm_real xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    cm_real wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    cm_mat3 m;
    m.x = cm_v(1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy));
    m.y = cm_v(2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx));
    m.z = cm_v(2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy));
    return m;
}
/// v rotated by q, a unit quaternion; as long as v but for rounding.
CM_INLINE cm_vec3 cm_rotate(cm_quat q, cm_vec3 v) {
    cm_vec3 u = cm_v(q.x, q.y, q.z);
    cm_vec3 t = cm_scale(cm_cross(u, v), 2);
    return cm_add(cm_mul_add(v, q.w, t), cm_cross(u, t));
}
/// v rotated by the inverse of q.
CM_INLINE cm_vec3 cm_unrotate(cm_quat q, cm_vec3 v) { return cm_rotate(cm_quat_conjugate(q), v); }

/* --- poses --------------------------------------------------------------------------------------------------- */

/// At the origin, unrotated.
CM_INLINE cm_pose cm_pose_identity(void) {
    cm_pose p;
    p.position = cm_v(0, 0, 0);
    p.rotation = cm_quat_identity();
    return p;
}
/// At `position`, unrotated.
CM_INLINE cm_pose cm_pose_at(cm_vec3 position) {
    cm_pose p;
    p.position = position;
    p.rotation = cm_quat_identity();
    return p;
}
/// Local to outer coordinates: rotate, then translate.
CM_INLINE cm_vec3 cm_pose_apply(const cm_pose *p, cm_vec3 local) {
    return cm_add(p->position, cm_rotate(p->rotation, local));
}
/// Outer to local coordinates: subtract the position first, then rotate back.
CM_INLINE cm_vec3 cm_pose_unapply(const cm_pose *p, cm_vec3 outer) {
    return cm_unrotate(p->rotation, cm_sub(outer, p->position));
}
/// Frame b seen from frame a, both given in one outer frame: b's local coordinates to a's local coordinates.
/// Rotations are taken as they are, here and by all functions that rotate: one of length s puts the position off by at
/// most 2 |s² - 1| times the distance, and the lengths of the two rotations multiply. Queries of meshes normalise the
/// product. cm_quat_normalize keeps rotations that are multiplied over and over at length 1.
CM_INLINE cm_pose cm_pose_between(const cm_pose *a, const cm_pose *b) {
    cm_pose p;
    p.position = cm_pose_unapply(a, b->position);
    p.rotation = cm_quat_mul(cm_quat_conjugate(a->rotation), b->rotation);
    return p;
}
/// First b, then a: a child's pose b within a parent at a.
CM_INLINE cm_pose cm_pose_mul(const cm_pose *a, const cm_pose *b) {
    cm_pose p;
    p.position = cm_pose_apply(a, b->position);
    p.rotation = cm_quat_mul(a->rotation, b->rotation);
    return p;
}
/// The pose that a 4x4 matrix is: 16 numbers, column by column, outer = m * (x, y, z, 1), as OpenGL, glTF and Vulkan
/// have them (one that is stored row by row is its transpose).
/// @return false, with `out` untouched, where it is no rotation and translation: columns that are not of length 1 and
/// orthogonal within 1e-3, a mirror image, a last row other than 0 0 0 1, a number beyond the valid range.
/// Take a scale out before: shapes and the descriptions of hulls and meshes have a place for it (cm_shape_scaled).
CM_API bool cm_pose_from_mat4(const cm_real m[16], cm_pose *out);
/// The 4x4 matrix of a pose, 16 numbers, column by column, as for cm_pose_from_mat4.
CM_INLINE void cm_mat4_from_pose(const cm_pose *p, cm_real m[16]) {
    cm_mat3 r = cm_mat3_from_quat(p->rotation);
    const cm_vec3 columns[4] = {r.x, r.y, r.z, p->position};
    for (int i = 0; i < 4; i++) {
        m[4 * i] = columns[i].x, m[4 * i + 1] = columns[i].y, m[4 * i + 2] = columns[i].z;
        m[4 * i + 3] = i == 3 ? 1 : 0;
    }
}
/// True where the position is valid and the rotation a unit quaternion within 1e-3; normals keep their length under it.
CM_INLINE bool cm_pose_is_valid(const cm_pose *p) {
    cm_quat q = p->rotation;
    cm_real n = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return cm_vec3_is_valid(p->position) && n >= CM_REAL(0.998) && n <= CM_REAL(1.002);
}

/* --- axis-aligned boxes -------------------------------------------------------------------------------------- */

/// The empty box: the neutral element of union.
CM_INLINE cm_aabb cm_aabb_empty(void) {
    cm_aabb b;
    b.min = cm_v(CM_REAL_MAX, CM_REAL_MAX, CM_REAL_MAX);
    b.max = cm_v(-CM_REAL_MAX, -CM_REAL_MAX, -CM_REAL_MAX);
    return b;
}
/// The box grown to hold p.
CM_INLINE cm_aabb cm_aabb_add_point(cm_aabb b, cm_vec3 p) {
    b.min = cm_vec3_min(b.min, p);
    b.max = cm_vec3_max(b.max, p);
    return b;
}
/// The smallest box around both; an empty one changes nothing.
CM_INLINE cm_aabb cm_aabb_union(cm_aabb a, cm_aabb b) {
    a.min = cm_vec3_min(a.min, b.min);
    a.max = cm_vec3_max(a.max, b.max);
    return a;
}
/// Touching counts; false where either box is empty or has a NaN.
CM_INLINE bool cm_aabb_overlaps(const cm_aabb *a, const cm_aabb *b) {
    return a->min.x <= b->max.x && a->max.x >= b->min.x && a->min.y <= b->max.y && a->max.y >= b->min.y &&
           a->min.z <= b->max.z && a->max.z >= b->min.z;
}
/// The middle; no overflow.
CM_INLINE cm_vec3 cm_aabb_center(const cm_aabb *b) {
    return cm_v(b->min.x / 2 + b->max.x / 2, b->min.y / 2 + b->max.y / 2, b->min.z / 2 + b->max.z / 2);
}
/// Grown by `margin` on every side.
CM_INLINE cm_aabb cm_aabb_grow(cm_aabb b, cm_real margin) {
    b.min = cm_v(b.min.x - margin, b.min.y - margin, b.min.z - margin);
    b.max = cm_v(b.max.x + margin, b.max.y + margin, b.max.z + margin);
    return b;
}

CM_EXTERN_END
#endif
