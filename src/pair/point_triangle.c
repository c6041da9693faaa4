/* Point against triangle; with radii, sphere against (rounded) triangle.
 *
 * The closest point is over the face, on an edge or at a corner: math/closest.h. A point on the triangle leaves along
 * its normal; without area, square to its longest edge. */
#include "carom/primitives.h"
#include "math/closest.h"
#include "pair/pair.h"

cm__point cm__triangle_way_out(const cm__point c[3]) {
    cm__point ab = cm__point_sub(c[1], c[0]), ac = cm__point_sub(c[2], c[0]);
    cm__point longer = cm__point_largest(ab) > cm__point_largest(ac) ? ab : ac;
    double scale = cm__point_largest(longer);
    if (!(scale > 0)) return cm__p(1, 0, 0);
    ab = cm__point_scale(ab, 1 / scale), ac = cm__point_scale(ac, 1 / scale);
    return wide_normalize(cm__point_cross(ab, ac), gap_square_to(longer));
}

static void point_triangle_closest(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__point corner[3],
                                   cm__closest_on_triangle *out) {
    cm__wide_pose pose = cm__wide_pose_of(b_in_a);
    const cm_triangle *t = &b->u.triangle;
    corner[0] = wide_pose_apply(&pose, cm__point_of(t->a));
    corner[1] = wide_pose_apply(&pose, cm__point_of(t->b));
    corner[2] = wide_pose_apply(&pose, cm__point_of(t->c));
    cm__closest_point_triangle(cm__point_of(a->u.point), corner[0], corner[1], corner[2], out);
}

static bool point_triangle_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__point corner[3];
    cm__closest_on_triangle c;
    point_triangle_closest(a, b, b_in_a, corner, &c);
    return gap_within(c.gap, (double)a->radius + (double)b->radius);
}

static void point_triangle_gap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__gap *out) {
    cm__point corner[3];
    cm__closest_on_triangle c;
    point_triangle_closest(a, b, b_in_a, corner, &c);
    double scale = cm__point_largest(corner[0]) + cm__point_largest(corner[1]) + cm__point_largest(corner[2]);
    cm__gap_round(cm__point_of(a->u.point), c.point, c.gap, (double)a->radius, (double)b->radius,
                  cm__triangle_way_out(corner), gap_noise(scale), out);
}

const cm__pair cm__pair_point_triangle = {.overlap = point_triangle_overlap, .gap = point_triangle_gap};

bool cm_overlap_sphere_triangle(const cm_sphere *a, const cm_triangle *b) {
    cm__closest_on_triangle c;
    cm__closest_point_triangle(cm__point_of(a->center), cm__point_of(b->a), cm__point_of(b->b), cm__point_of(b->c), &c);
    return gap_within(c.gap, (double)a->radius) && cm_sphere_is_valid(a) && cm_triangle_is_valid(b);
}

bool cm_overlap_point_triangle(cm_vec3 p, const cm_triangle *triangle) {
    cm_sphere point = {p, 0};
    return cm_overlap_sphere_triangle(&point, triangle);
}

cm_real cm_distance_point_triangle(cm_vec3 p, const cm_triangle *triangle, cm_vec3 *closest) {
    if (!cm_vec3_is_valid(p) || !cm_triangle_is_valid(triangle)) return CM_REAL_MAX;
    cm__closest_on_triangle c;
    cm__closest_point_triangle(cm__point_of(p), cm__point_of(triangle->a), cm__point_of(triangle->b),
                               cm__point_of(triangle->c), &c);
    if (closest) *closest = cm__vec3_of(c.point);
    return gap_distance(cm__point_length(c.gap));
}
