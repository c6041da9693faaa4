/* On which sides of one triangle's plane the corners of another lie; shared by the questions about two triangles. */
#ifndef PAIR_TRIANGLE_SIDES_H
#define PAIR_TRIANGLE_SIDES_H

#include "math/exact.h"

typedef struct cm__triangle_sides {
    int above, below; /* bit i: corner i lies strictly on the side of the normal, or strictly on the other */
} cm__triangle_sides;

CM_INLINE void cm__points_of(const cm_vec3 t[3], cm__point out[3]) {
    for (int i = 0; i < 3; i++) out[i] = cm__point_of(t[i]);
}

/* The sides where the filter cannot tell all three. */
cm__triangle_sides cm__triangle_sides_exact(const cm__point t[3], const cm__point p[3]);

/* Sides of the corners p relative to the plane of t; exact. None above, none below: all in one plane, or t without
 * area. `height` receives the heights times |normal|, rounded, and `normal` that normal, (t1 - t0) x (t2 - t0). */
CM_INLINE cm__triangle_sides cm__triangle_sides_of(const cm__point t[3], const cm__point p[3], double height[3],
                                                   cm__point *normal) {
    cm__point u = cm__point_sub(t[1], t[0]), v = cm__point_sub(t[2], t[0]);
    double yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z, xy = u.x * v.y, yx = u.y * v.x;
    cm__point n = cm__p(yz - zy, zx - xz, xy - yx), w[3];
    double wx = 0, wy = 0, wz = 0;
    for (int i = 0; i < 3; i++) {
        w[i] = cm__point_sub(p[i], t[0]);
        height[i] = cm__point_dot(n, w[i]);
        double x = fabs(w[i].x), y = fabs(w[i].y), z = fabs(w[i].z);
        wx = wx > x ? wx : x, wy = wy > y ? wy : y, wz = wz > z ? wz : z;
    }
    *normal = n;
    /* the filter of orient3, its sum taken with the largest difference of each coordinate */
    double bound =
        CM__ORIENT3_ERROR * ((fabs(yz) + fabs(zy)) * wx + (fabs(zx) + fabs(xz)) * wy + (fabs(xy) + fabs(yx)) * wz);
    cm__triangle_sides s;
    s.above = (height[0] > bound) | (height[1] > bound) << 1 | (height[2] > bound) << 2;
    s.below = (height[0] < -bound) | (height[1] < -bound) << 1 | (height[2] < -bound) << 2;
    if ((s.above | s.below) != 7) return cm__triangle_sides_exact(t, p);
    return s;
}

/* All corners strictly on one side. */
CM_INLINE bool cm__triangle_sides_apart(cm__triangle_sides s) { return s.above == 7 || s.below == 7; }
/* No corner strictly on either side. */
CM_INLINE bool cm__triangle_sides_flat(cm__triangle_sides s) { return (s.above | s.below) == 0; }

#endif
