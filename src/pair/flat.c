/* Points, segments and triangles without radius: whether they share a point is decided exactly.
 *
 * All three are triangles, some without area, and triangle_triangle.h decides for those, for the very coordinates that
 * B has in A's frame after the pose was applied and rounded. A point or segment as a triangle without area would always
 * need exact signs, because no filter is sure of a sign that is 0. So pairs with a point or a segment are first tried
 * by a few signs of orient3 of their own; the answer is the same. The distance is then made to agree. Each of these
 * tests may be left out. */
#include "pair/flat.h"
#include "pair/method.h"
#include "pair/triangle_triangle.h"

/* A segment from p to q, and a triangle. The segment crosses the plane at one point, which is in the triangle if it
 * lies on the same side of all three edges, seen along the segment. 0: the segment lies in the plane, and this test
 * does not decide. */
static int flat_segment_triangle(cm__point p, cm__point q, const cm__point t[3]) {
    const int side_p = cm__orient3(t[0], t[1], t[2], p), side_q = cm__orient3(t[0], t[1], t[2], q);
    if (side_p * side_q > 0) return -1;
    if (side_p == 0 && side_q == 0) return 0;
    const int first = cm__orient3(p, q, t[0], t[1]), second = cm__orient3(p, q, t[1], t[2]);
    if (first * second < 0) return -1;
    const int third = cm__orient3(p, q, t[2], t[0]);
    return first * third < 0 || second * third < 0 ? -1 : 1;
}

bool cm__flats_overlap(const cm_vec3 *a, int count_a, const cm_vec3 *b, int count_b) {
    if (count_b < count_a) return cm__flats_overlap(b, count_b, a, count_a);
    if (count_a == 3) return cm__overlap_triangle_triangle(a, b);
    cm_vec3 corners_a[3], corners_b[3];
    cm__point p[3], q[3];
    for (int i = 0; i < 3; i++) {
        corners_a[i] = a[i < count_a ? i : count_a - 1], corners_b[i] = b[i < count_b ? i : count_b - 1];
        p[i] = cm__point_of(corners_a[i]), q[i] = cm__point_of(corners_b[i]);
    }
    int known = 0;
    if (count_a == 2 && count_b == 3) known = flat_segment_triangle(p[0], p[1], q);
    if (count_a == 1 && count_b == 3 && cm__orient3(q[0], q[1], q[2], p[0]) != 0) known = -1;
    if (count_a == 2 && count_b == 2 && cm__orient3(p[0], p[1], q[0], q[1]) != 0) known = -1;
    return known ? known > 0 : cm__overlap_triangle_triangle(corners_a, corners_b);
}

/* How far corners may be off that were posed and rounded to cm_real, and so the gap: more than what a gap between
 * corners as they are is off. */
static double flat_rounding(const cm_vec3 *a, int count_a, const cm_vec3 *b, int count_b, double shift) {
    double size = shift;
    for (int i = 0; i < count_a; i++) size += (double)cm_largest(a[i]);
    for (int i = 0; i < count_b; i++) size += (double)cm_largest(b[i]);
    return 64 * (double)CM_REAL_EPSILON * size;
}

double cm__flats_settle(double distance, const cm_vec3 *a, int count_a, const cm_vec3 *b, int count_b) {
    if (distance > flat_rounding(a, count_a, b, count_b, 0)) return distance;
    return distance_settled(distance, cm__flats_overlap(a, count_a, b, count_b));
}

int cm__flat_corners(const cm_shape *shape, const cm_vec3 **out) {
    *out = &shape->u.triangle.a;
    return cm__shape_table[shape->kind]->corners;
}

bool cm__flat_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    const cm_vec3 *of_a, *of_b;
    cm_vec3 posed[3];
    const int count_a = cm__flat_corners(a, &of_a), count_b = cm__flat_corners(b, &of_b);
    for (int i = 0; i < count_b; i++) posed[i] = cm_pose_apply(b_in_a, of_b[i]);
    return cm__flats_overlap(of_a, count_a, posed, count_b);
}

void cm__flat_agree(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__gap *gap) {
    const cm_vec3 *of_a, *of_b;
    const int count_a = cm__flat_corners(a, &of_a), count_b = cm__flat_corners(b, &of_b);
    const double shift = (double)cm_largest(b_in_a->position);
    if (gap->distance > flat_rounding(of_a, count_a, of_b, count_b, shift)) return;
    gap->distance = distance_settled(gap->distance, cm__flat_overlap(a, b, b_in_a));
}
