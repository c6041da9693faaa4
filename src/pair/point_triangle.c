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

typedef struct triangle_foot {
    cm__point corner[3], point, gap; /* gap = point - p */
} triangle_foot;

static inline void point_triangle_foot(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a,
                                       triangle_foot *out) {
    cm__wide_pose pose = cm__wide_pose_of(b_in_a);
    const cm_triangle *t = &b->u.triangle;
    out->corner[0] = wide_pose_apply(&pose, cm__point_of(t->a));
    out->corner[1] = wide_pose_apply(&pose, cm__point_of(t->b));
    out->corner[2] = wide_pose_apply(&pose, cm__point_of(t->c));
    cm__closest_on_triangle c;
    cm__closest_point_triangle(cm__point_of(a->u.point), out->corner[0], out->corner[1], out->corner[2], &c);
    out->point = c.point, out->gap = c.gap;
}

static bool point_triangle_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    triangle_foot foot;
    point_triangle_foot(a, b, b_in_a, &foot);
    return gap_within(foot.gap, (double)a->radius + (double)b->radius);
}

static inline void point_triangle_round(const cm_shape *a, const cm_shape *b, const triangle_foot *foot,
                                        cm__gap *out) {
    double scale = cm__point_largest(foot->corner[0]) + cm__point_largest(foot->corner[1]) +
                   cm__point_largest(foot->corner[2]);
    double noise = gap_noise(scale), square = cm__point_dot(foot->gap, foot->gap);
    cm__point way_out = foot->gap;
    if (!(gap_is_plain(square) && square > 2 * noise * noise)) way_out = cm__triangle_way_out(foot->corner);
    cm__gap_round(cm__point_of(a->u.point), foot->point, foot->gap, (double)a->radius, (double)b->radius, way_out,
                  noise, out);
}

static void point_triangle_gap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__gap *out) {
    triangle_foot foot;
    point_triangle_foot(a, b, b_in_a, &foot);
    point_triangle_round(a, b, &foot, out);
}

static int point_triangle_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                  cm_manifold *out, int capacity) {
    triangle_foot foot;
    cm__gap gap;
    point_triangle_foot(a, b, b_in_a, &foot);
    double far = ((double)a->radius + (double)b->radius + (double)margin) * (1 + 8 * DBL_EPSILON);
    if (cm__point_dot(foot.gap, foot.gap) > far * far && far > 1e-120) return 0;
    point_triangle_round(a, b, &foot, &gap);
    if (!(gap.distance <= (double)margin)) return 0;
    if (capacity > 0) cm__manifold_of_gap(&gap, out);
    return 1;
}

const cm__pair cm__pair_point_triangle = {
    .overlap = point_triangle_overlap, .gap = point_triangle_gap, .contact = point_triangle_contact};

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
