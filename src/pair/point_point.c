/* Point against point; with radii, sphere against sphere.
 *
 * They touch where |b - a|^2 <= (ra + rb)^2. Computed in double: the float build is exact but for inputs more than 29
 * bits apart, the double build right to 3 ulps of the distance. Concentric: they part along A's x axis. */
#include "carom/primitives.h"
#include "pair/pair.h"

static bool point_point_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__wide_pose pose = cm__wide_pose_of(b_in_a);
    cm__point p = cm__point_of(a->u.point), q = wide_pose_apply(&pose, cm__point_of(b->u.point));
    return gap_within(cm__point_sub(q, p), (double)a->radius + (double)b->radius);
}

static void point_point_gap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__gap *out) {
    cm__wide_pose pose = cm__wide_pose_of(b_in_a);
    cm__point p = cm__point_of(a->u.point), q = wide_pose_apply(&pose, cm__point_of(b->u.point));
    cm__gap_round(p, q, cm__point_sub(q, p), (double)a->radius, (double)b->radius, cm__p(1, 0, 0), 0, out);
}

const cm__pair cm__pair_point_point = {.overlap = point_point_overlap, .gap = point_point_gap};

/* A yes stands only for valid spheres; a no needs no check. */
static bool spheres_valid(const cm_sphere *a, const cm_sphere *b) {
    return cm_sphere_is_valid(a) && cm_sphere_is_valid(b);
}

bool cm_overlap_sphere_sphere(const cm_sphere *a, const cm_sphere *b) {
    cm__point d = cm__point_sub(cm__point_of(b->center), cm__point_of(a->center));
    return gap_within(d, (double)a->radius + (double)b->radius) && spheres_valid(a, b);
}

bool cm_overlap_point_sphere(cm_vec3 p, const cm_sphere *sphere) {
    cm_sphere point = {p, 0};
    return cm_overlap_sphere_sphere(&point, sphere);
}

static bool spheres_contact_careful(const cm_sphere *a, const cm_sphere *b, cm_manifold *out) {
    cm__point p = cm__point_of(a->center), q = cm__point_of(b->center), d = cm__point_sub(q, p);
    if (!gap_within(d, (double)a->radius + (double)b->radius) || !spheres_valid(a, b)) return false;
    cm__gap gap;
    cm__gap_round(p, q, d, (double)a->radius, (double)b->radius, cm__p(1, 0, 0), 0, &gap);
    cm__manifold_of_gap(&gap, out);
    return true;
}

bool cm_contact_sphere_sphere(const cm_sphere *a, const cm_sphere *b, cm_manifold *out) {
    cm__point p = cm__point_of(a->center), q = cm__point_of(b->center), d = cm__point_sub(q, p);
    double ra = (double)a->radius, rb = (double)b->radius, square = cm__point_dot(d, d);
    if (square > (ra + rb) * (ra + rb) && square > 1e-250) return false;
    double all = wide_sum(p) + wide_sum(q) + ra + rb; /* no coordinate is larger; NaN where one is */
    if (!(gap_is_plain(square) && all <= (double)CM_COORD_MAX && ra >= 0 && rb >= 0))
        return spheres_contact_careful(a, b, out);
    cm__gap gap;
    gap_round_touch(p, q, d, square, ra, rb, &gap);
    manifold_of_touch(&gap, out);
    return true;
}
