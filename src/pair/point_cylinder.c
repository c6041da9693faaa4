/* Point against cylinder; with radii, sphere against (rounded) cylinder.
 *
 * In the cylinder's frame the problem lies in the half-plane through the axis and the point, where the cylinder is a
 * rectangle: the closest point is the point clamped to it. A point inside leaves through the side or the nearer cap,
 * whichever is nearer (the side where both are, +x where the point is on the axis, the upper cap in the middle).
 * Rounding: in double; rotating the point into the cylinder's frame costs 4 ulps of double. */
#include "pair/direct.h"
#include "pair/axis_gap.h"
#include "pair/pair.h"

/* What axis_gap.h asks of b. */
#define POINT_CYLINDER (double)b->u.cylinder.radius, (double)b->u.cylinder.half_height, axis_cylinder_way
static bool point_cylinder_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    return axis_overlap(a, b, b_in_a, POINT_CYLINDER);
}
static void point_cylinder_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    axis_gap(a, b, b_in_a, POINT_CYLINDER, out);
}
static int point_cylinder_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                  cm_manifold *out, int capacity) {
    return axis_contact(a, b, b_in_a, POINT_CYLINDER, margin, out, capacity);
}

DIRECT_BY_GAP(point_cylinder, quad_of_vec3(&a->u.point),
              f32x4_of(b->u.cylinder.radius, b->u.cylinder.half_height, 0, 0),
              (axis_gap(a, b, b_in_a, POINT_CYLINDER, out), true))

const cm__method cm__method_point_cylinder = {.overlap = point_cylinder_overlap,
                                              .gap = point_cylinder_gap,
                                              .contact = point_cylinder_contact,
                                              .distance_direct = DIRECT(point_cylinder_distance_direct)};
