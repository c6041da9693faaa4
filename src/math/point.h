/* Points in double, in both builds; what exact signs and closest points are computed in.
 *
 * In the float build every coordinate converts exactly, differences are exact unless the exponents lie more than 29
 * bits apart, and products of four differences neither overflow nor underflow. In the double build the conversion is
 * the identity. */
#ifndef MATH_POINT_H
#define MATH_POINT_H

#include "carom/math.h"
#include "math/simd.h"

typedef struct cm__point {
    double x, y, z;
} cm__point;

CM_INLINE cm__point cm__p(double x, double y, double z) {
    cm__point p;
    p.x = x, p.y = y, p.z = z;
    return p;
}
CM_INLINE cm__point cm__point_of(cm_vec3 v) { return cm__p((double)v.x, (double)v.y, (double)v.z); }
/* Rounded to the build's precision. */
CM_INLINE cm_vec3 cm__vec3_of(cm__point p) { return cm_v((cm_real)p.x, (cm_real)p.y, (cm_real)p.z); }

CM_INLINE cm__point cm__point_add(cm__point a, cm__point b) { return cm__p(a.x + b.x, a.y + b.y, a.z + b.z); }
CM_INLINE cm__point cm__point_sub(cm__point a, cm__point b) { return cm__p(a.x - b.x, a.y - b.y, a.z - b.z); }
CM_INLINE cm__point cm__point_scale(cm__point a, double s) { return cm__p(a.x * s, a.y * s, a.z * s); }
/* a + s b */
CM_INLINE cm__point cm__point_mul_add(cm__point a, double s, cm__point b) {
    return cm__p(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
CM_INLINE double cm__point_dot(cm__point a, cm__point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
CM_INLINE cm__point cm__point_cross(cm__point a, cm__point b) {
    return cm__p(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/* The normal of the triangle a, b, c, as long as twice its area. */
CM_INLINE cm__point cm__point_normal(cm__point a, cm__point b, cm__point c) {
    return cm__point_cross(cm__point_sub(b, a), cm__point_sub(c, a));
}
CM_INLINE bool cm__point_equal(cm__point a, cm__point b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
CM_INLINE double cm__point_largest(cm__point a) {
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
    double m = x > y ? x : y;
    return m > z ? m : z;
}
/* Length; right for every finite vector (the square is scaled where it would leave the range). */
CM_INLINE double cm__point_length(cm__point a) {
    double square = cm__point_dot(a, a);
    if (square > 0x1p-900 && square < 0x1p1000) return sqrt(square);
    double m = cm__point_largest(a);
    if (!(m > 0)) return m; /* 0, or NaN as given */
    cm__point u = cm__p(a.x / m, a.y / m, a.z / m);
    return m * sqrt(cm__point_dot(u, u));
}

/* Clamped to [0, 1]; NaN gives 0. */
CM_INLINE double cm__clamp01(double t) { return cm__least(cm__most(t, 0), 1); }
/* over / under clamped to [0, 1], for under >= 0; 0 where both are 0. cm__most because compilers make a jump of a
 * comparison with a constant, which nothing could predict here. */
CM_INLINE double cm__ratio01(double over, double under) {
    under = under > DBL_MIN ? under : DBL_MIN;
    over = cm__most(-0.0, over);
    over = over < under ? over : under;
    return over / under;
}
/* a + t (b - a) for t in [0, 1]; exactly a at 0 and exactly b at 1. */
CM_INLINE cm__point cm__point_between(cm__point a, cm__point b, double t) {
    cm__point p = cm__point_mul_add(a, t, cm__point_sub(b, a));
    double at_b = (double)(t >= 1); /* then p is b up to rounding, and the difference exact */
    return cm__point_mul_add(p, at_b, cm__point_sub(b, p));
}

#endif
