/* More on points in double (point.h): rotations, unit vectors, and the way back to cm_real with a known direction.
 *
 * Closed forms whose error must stay below the rounding of the inputs are computed in double. In the float build that
 * is almost free of error; the double build gets no better than itself, so what is built on this states its error in
 * units of DBL_EPSILON. */
#ifndef MATH_WIDE_H
#define MATH_WIDE_H

#include "math/point.h"

#include <string.h>

#define WIDE_ONE_NORMAL 0.999 /* the cosine of the angle up to which two normals count as one: 2.6 degrees */

static inline double wide_min(double a, double b) { return a < b ? a : b; }
static inline double wide_max(double a, double b) { return a > b ? a : b; }
static inline double wide_clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }
static inline cm__point wide_neg(cm__point a) { return cm__p(-a.x, -a.y, -a.z); }
/* a / |a|, or `fallback` where a is zero or not finite. */
static inline cm__point wide_normalize(cm__point a, cm__point fallback) {
    double s = cm__point_largest(a);
    if (!(s > 0 && s <= DBL_MAX)) return fallback;
    if (!(s > 1e-140 && s < 1e140)) a = cm__p(a.x / s, a.y / s, a.z / s);
    return cm__point_scale(a, 1 / sqrt(cm__point_dot(a, a)));
}
/* The axis along which v is shortest, the first of equals. */
static inline cm__point wide_least_axis(cm__point v) {
    const double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    return x <= y && x <= z ? cm__p(1, 0, 0) : y <= z ? cm__p(0, 1, 0) : cm__p(0, 0, 1);
}
/* A unit vector perpendicular to v; v = 0 gives x. */
static inline cm__point wide_perpendicular(cm__point v) {
    double scale = cm__point_largest(v);
    if (!(scale > 0)) return cm__p(1, 0, 0);
    if (scale < DBL_MIN) v = cm__point_scale(v, 0x1p100), scale *= 0x1p100; /* 1 / scale would be infinite */
    return wide_normalize(cm__point_cross(cm__point_scale(v, 1 / scale), wide_least_axis(v)), cm__p(1, 0, 0));
}
/* A distance that agrees with the decision: the only place where the two are combined. Not more than 0 if they touch,
 * or overlap; else more than 0, however little. */
static inline double distance_settled(double distance, bool touch) {
    if (touch != (distance > 0)) return distance; /* one branch, which can be predicted: nearly always they agree */
    return touch ? 0 : DBL_MIN;
}
/* The sum of the sizes of the components: what rounding errors of sums scale with. */
static inline double wide_sum(cm__point a) { return fabs(a.x) + fabs(a.y) + fabs(a.z); }

/* No less than the length of a vector, and no more than 1.06 times it, without a root: the length is convex in the
 * components, and this is linear in their sizes below the largest, and no less where each is that or 0. */
static inline double wide_length_most(cm__point a) {
    const double root = 1.4142135623730951, most = cm__point_largest(a);
    return most + (root - 1) * (wide_sum(a) - most);
}

/* A frame seen from another: outer = position + x p.x + y p.y + z p.z, the three at right angles and of length 1. */
typedef struct cm__frame {
    cm__point x, y, z, position;
} cm__frame;

/* Rotation by a quaternion that is scaled to length 1 first: a float quaternion is one only to 1e-7. */
static inline cm__frame frame_of_quat(cm_quat q) {
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double s = 2 / (x * x + y * y + z * z + w * w);
    double xs = x * s, ys = y * s, zs = z * s;
    double xx = x * xs, yy = y * ys, zz = z * zs, xy = x * ys, xz = x * zs, yz = y * zs;
    double wx = w * xs, wy = w * ys, wz = w * zs;
    cm__frame f;
    f.x = cm__p(1 - (yy + zz), xy + wz, xz - wy);
    f.y = cm__p(xy - wz, 1 - (xx + zz), yz + wx);
    f.z = cm__p(xz + wy, yz - wx, 1 - (xx + yy));
    f.position = cm__p(0, 0, 0);
    return f;
}
static inline cm__frame frame_of_pose(const cm_pose *pose) {
    cm__frame f = frame_of_quat(pose->rotation);
    f.position = cm__point_of(pose->position);
    return f;
}
static inline cm__point frame_rotate(const cm__frame *f, cm__point p) {
    return cm__p(f->x.x * p.x + f->y.x * p.y + f->z.x * p.z, f->x.y * p.x + f->y.y * p.y + f->z.y * p.z,
                 f->x.z * p.x + f->y.z * p.y + f->z.z * p.z);
}
static inline cm__point frame_unrotate(const cm__frame *f, cm__point p) {
    return cm__p(cm__point_dot(f->x, p), cm__point_dot(f->y, p), cm__point_dot(f->z, p));
}
static inline cm__point frame_apply(const cm__frame *f, cm__point p) {
    return cm__point_add(f->position, frame_rotate(f, p));
}
/* The outer seen from it. */
static inline cm__frame frame_inverse(const cm__frame *f) {
    cm__frame g;
    g.x = cm__p(f->x.x, f->y.x, f->z.x);
    g.y = cm__p(f->x.y, f->y.y, f->z.y);
    g.z = cm__p(f->x.z, f->y.z, f->z.z);
    g.position = cm__point_scale(frame_unrotate(f, f->position), -1);
    return g;
}
/* B's outer frame is A: B seen from A's outer. */
static inline cm__frame frame_mul(const cm__frame *a, const cm__frame *b) {
    const cm__frame f = {frame_rotate(a, b->x), frame_rotate(a, b->y), frame_rotate(a, b->z),
                         frame_apply(a, b->position)};
    return f;
}
/* B seen from A. */
static inline cm__frame frame_between(const cm__frame *a, const cm__frame *b) {
    const cm__frame f = {frame_unrotate(a, b->x), frame_unrotate(a, b->y), frame_unrotate(a, b->z),
                         frame_unrotate(a, cm__point_sub(b->position, a->position))};
    return f;
}

/* The largest cm_real that is <= x, and the smallest that is >= x; clamped to +-CM_REAL_MAX. NaN passes. */
static inline cm_real wide_down(double x) {
#if defined(CAROM_F64)
    return x;
#else
    if (x > (double)FLT_MAX) return FLT_MAX;
    if (x < -(double)FLT_MAX) return -FLT_MAX;
    float f = (float)x;
    if ((double)f > x) { /* rounded up: to the float below, which is the next one by its bits; 0 is -0 here */
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        bits = f > 0 ? bits - 1 : bits + 1;
        memcpy(&f, &bits, sizeof f);
    }
    return f;
#endif
}
static inline cm_real wide_up(double x) { return -wide_down(-x); }

/* The box from low to high, each off by at most `slop`. */
static inline void wide_box(cm__point low, cm__point high, double slop, cm_aabb *out) {
    out->min = cm_v(wide_down(low.x - slop), wide_down(low.y - slop), wide_down(low.z - slop));
    out->max = cm_v(wide_up(high.x + slop), wide_up(high.y + slop), wide_up(high.z + slop));
}

#endif
