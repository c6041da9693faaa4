/* Exact signs of orientation determinants: the ground on which every decision about triangles stands.
 *
 * Guaranteed: the sign is that of the real determinant of the very numbers given, for coordinates that are 0 or lie in
 * [2^-305, 1e100] in magnitude (float build: for every float). Reason: the coordinates are multiples of 2^-357 then, so
 * all products of up to three differences and all their rounding errors are multiples of 2^-1071, which double holds
 * down to 2^-1074; and six products of three differences below 2^333.3 stay below 2^1003, 2^21 under the largest
 * double. Beyond that range a sign may be wrong, nothing worse.
 *
 * Signs: orient2 is positive for a counter-clockwise triangle; orient3(a, b, c, d) is positive where d sees a, b, c
 * counter-clockwise, that is, where d lies on the side that the normal (b - a) x (c - a) points to.
 *
 * A filter inline decides nearly always: the value in double is trusted where it exceeds its largest possible error.
 * Out of line follow the determinant of the rounded differences as an exact expansion, its first-order correction by
 * the differences' own rounding errors, and everything as an expansion.
 *
 * Based on: [Shewchuk97]. */
#ifndef MATH_EXACT_H
#define MATH_EXACT_H

#include "math/point.h"

/* The error of a determinant of differences, computed in double, is at most these times the sum of the absolute values
 * of its products. [Shewchuk97 §4.3] proves (3 + 16u)u and (7 + 56u)u, u = 2^-53; the rest covers the rounding of the
 * bound itself, also where it is so small that it loses bits. */
#define CM__ORIENT2_ERROR 0x1p-51
#define CM__ORIENT3_ERROR 0x1p-50

CM_INLINE int cm__sign(double x) { return (x > 0) - (x < 0); }

/* The signs where the filters fail. */
int cm__orient2_exact(double au, double av, double bu, double bv, double cu, double cv);
int cm__orient3_exact(const cm__point *a, const cm__point *b, const cm__point *c, const cm__point *d);
int cm__orient3_along_exact(const cm__point *a, const cm__point *b, const cm__point *c, const cm__point *direction);
/* ((b - a) x (c - a)) . (d - a) with the right sign and a relative error below 2^-40: for the places where edges cross
 * planes. */
double cm__orient3_value(const cm__point *a, const cm__point *b, const cm__point *c, const cm__point *d);

/* Sign of (bu - au)(cv - av) - (bv - av)(cu - au). */
CM_INLINE int cm__orient2(double au, double av, double bu, double bv, double cu, double cv) {
    double left = (bu - au) * (cv - av), right = (bv - av) * (cu - au);
    double det = left - right, bound = CM__ORIENT2_ERROR * (fabs(left) + fabs(right));
    if (det > bound) return 1;
    if (det < -bound) return -1;
    if (bound == 0 && left == 0 && right == 0) return 0; /* both products have a factor that is exactly 0 */
    return cm__orient2_exact(au, av, bu, bv, cu, cv);
}

/* The two coordinates that stay when `axis` is dropped, in the order that keeps orientation: yz, zx, xy. */
CM_INLINE double cm__point_u(cm__point p, int axis) { return axis == 0 ? p.y : axis == 1 ? p.z : p.x; }
CM_INLINE double cm__point_v(cm__point p, int axis) { return axis == 0 ? p.z : axis == 1 ? p.x : p.y; }

/* Sign of the component `axis` (0 1 2) of (b - a) x (c - a): the orientation of the projection along that axis. */
CM_INLINE int cm__orient2_along(int axis, cm__point a, cm__point b, cm__point c) {
    return cm__orient2(cm__point_u(a, axis), cm__point_v(a, axis), cm__point_u(b, axis), cm__point_v(b, axis),
                       cm__point_u(c, axis), cm__point_v(c, axis));
}

/* Sign of the component `axis` of (b - a) x (d - c). Exact. */
int cm__cross_sign(int axis, cm__point a, cm__point b, cm__point c, cm__point d);

/* Sign of ((b - a) x (c - a)) . (d - a). */
CM_INLINE int cm__orient3(cm__point a, cm__point b, cm__point c, cm__point d) {
    cm__point u = cm__point_sub(b, a), v = cm__point_sub(c, a), w = cm__point_sub(d, a);
    double yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z, xy = u.x * v.y, yx = u.y * v.x;
    double det = (yz - zy) * w.x + (zx - xz) * w.y + (xy - yx) * w.z;
    double sum =
        (fabs(yz) + fabs(zy)) * fabs(w.x) + (fabs(zx) + fabs(xz)) * fabs(w.y) + (fabs(xy) + fabs(yx)) * fabs(w.z);
    double bound = CM__ORIENT3_ERROR * sum;
    if (det > bound) return 1;
    if (det < -bound) return -1;
    if (sum == 0) return 0; /* every product has a factor that is exactly 0 */
    return cm__orient3_exact(&a, &b, &c, &d);
}

/* Sign of ((b - a) x (c - a)) . direction: as orient3 for a point infinitely far along `direction`, whose coordinates
 * are taken as they are. What a ray is, whose second point would have to be rounded. */
CM_INLINE int cm__orient3_along(cm__point a, cm__point b, cm__point c, cm__point direction) {
    cm__point u = cm__point_sub(b, a), v = cm__point_sub(c, a), w = direction;
    double yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z, xy = u.x * v.y, yx = u.y * v.x;
    double det = (yz - zy) * w.x + (zx - xz) * w.y + (xy - yx) * w.z;
    double sum =
        (fabs(yz) + fabs(zy)) * fabs(w.x) + (fabs(zx) + fabs(xz)) * fabs(w.y) + (fabs(xy) + fabs(yx)) * fabs(w.z);
    double bound = CM__ORIENT3_ERROR * sum;
    if (det > bound) return 1;
    if (det < -bound) return -1;
    if (sum == 0) return 0;
    return cm__orient3_along_exact(&a, &b, &c, &direction);
}

/* An axis along which the triangle projects to a triangle with area, or -1 where it has none: collinear corners. Of
 * several the one with the largest area, up to rounding. Exact. */
int cm__triangle_axis(cm__point a, cm__point b, cm__point c);
CM_INLINE bool cm__triangle_is_degenerate(cm__point a, cm__point b, cm__point c) {
    return cm__triangle_axis(a, b, c) < 0;
}

/* Is p on the closed segment [a, b], or on the closed triangle abc? Exact, also for degenerate ones. */
bool cm__point_on_segment(cm__point p, cm__point a, cm__point b);
bool cm__point_on_triangle(cm__point p, cm__point a, cm__point b, cm__point c);

/* What a triangle adds to the winding number around p: along the ray from p in direction +x, +1 where the ray leaves
 * through the triangle's front, -1 where it enters, 0 where it passes beside.
 * Summed over a closed mesh this is the winding number, exactly, for every p that lies on no triangle: the ray is the
 * one from p + (0, e, e²) with e > 0 smaller than any number, so it meets no edge and no corner (simulation of
 * simplicity, [Edelsbrunner90]), and a face it meets is not in the plane of p. For p on the mesh the sum means nothing:
 * ask cm__point_on_triangle. Cost: two to four comparisons for the triangles that the ray passes by. */
int cm__winding_triangle(cm__point p, cm__point a, cm__point b, cm__point c);

#endif
