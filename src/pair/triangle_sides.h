/* On which sides of one triangle's plane the corners of another lie; shared by the questions about two triangles. */
#ifndef PAIR_TRIANGLE_SIDES_H
#define PAIR_TRIANGLE_SIDES_H

#include "math/exact.h"

typedef struct cm__triangle_sides {
    int above, below; /* bit i: corner i lies strictly on the side of the normal, or strictly on the other; exact */
    cm__point normal; /* (t1 - t0) x (t2 - t0), rounded */
    double height[3]; /* of the corners times |normal|, rounded ... */
    double bound;     /* ... by at most this much */
} cm__triangle_sides;

CM_INLINE void cm__points_of(const cm_vec3 t[3], cm__point out[3]) {
    for (int i = 0; i < 3; i++) out[i] = cm__point_of(t[i]);
}

/* Sets above and below where the filter cannot tell them all. */
void cm__triangle_sides_exact(const cm__point t[3], const cm__point p[3], cm__triangle_sides *s);

/* Sides of the corners p relative to the plane of t. None above, none below: all in one plane, or t without area. */
CM_INLINE void cm__triangle_sides_of(const cm__point t[3], const cm__point p[3], cm__triangle_sides *s) {
    cm__point u = cm__point_sub(t[1], t[0]), v = cm__point_sub(t[2], t[0]);
    double yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z, xy = u.x * v.y, yx = u.y * v.x;
    cm__point n = cm__p(yz - zy, zx - xz, xy - yx);
    double wx = 0, wy = 0, wz = 0;
    for (int i = 0; i < 3; i++) {
        cm__point w = cm__point_sub(p[i], t[0]);
        s->height[i] = cm__point_dot(n, w);
        double x = fabs(w.x), y = fabs(w.y), z = fabs(w.z);
        wx = wx > x ? wx : x, wy = wy > y ? wy : y, wz = wz > z ? wz : z;
    }
    s->normal = n;
    /* the filter of orient3, its sum taken with the largest difference of each coordinate */
    double sum = (fabs(yz) + fabs(zy)) * wx + (fabs(zx) + fabs(xz)) * wy + (fabs(xy) + fabs(yx)) * wz;
    s->bound = CM__ORIENT3_ERROR * sum;
    s->above = (s->height[0] > s->bound) | (s->height[1] > s->bound) << 1 | (s->height[2] > s->bound) << 2;
    s->below = (s->height[0] < -s->bound) | (s->height[1] < -s->bound) << 1 | (s->height[2] < -s->bound) << 2;
    if ((s->above | s->below) != 7 && sum != 0) cm__triangle_sides_exact(t, p, s);
}

/* All corners strictly on one side. */
CM_INLINE bool cm__triangle_sides_apart(const cm__triangle_sides *s) { return s->above == 7 || s->below == 7; }
/* No corner strictly on either side. */
CM_INLINE bool cm__triangle_sides_flat(const cm__triangle_sides *s) { return (s->above | s->below) == 0; }

/* The overlap of two triangles of which neither is apart from the other's plane. a_to_b: the sides of a's corners. */
bool cm__triangles_share_point(const cm__point a[3], const cm__point b[3], const cm__triangle_sides *a_to_b,
                               const cm__triangle_sides *b_to_a);

#endif
