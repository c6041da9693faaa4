/* Point against cone; with radii, sphere against (rounded) cone.
 *
 * In the cone's frame the problem lies in the half-plane through the axis and the point, where the cone is the right
 * triangle of apex, middle of the base and rim. Below the base the closest point is straight above; elsewhere it is the
 * foot on the side's line from rim to apex, clamped to it. A point inside leaves through the side or the base,
 * whichever is nearer (the side where both are, +x where the point is on the axis). Rounding: in double; rotating the
 * point into the cone's frame costs 4 ulps of double. */
#include "pair/direct.h"
#include "pair/axis_gap.h"
#include "pair/pair.h"

/* What axis_gap.h asks of b. */
#define POINT_CONE (double)b->u.cone.radius, (double)b->u.cone.half_height, axis_cone_way
static bool point_cone_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    return axis_overlap(a, b, b_in_a, POINT_CONE);
}
static void point_cone_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    axis_gap(a, b, b_in_a, POINT_CONE, out);
}
static int point_cone_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                              cm_manifold *out, int capacity) {
    return axis_contact(a, b, b_in_a, POINT_CONE, margin, out, capacity);
}

DIRECT_BY_GAP(point_cone, quad_of_vec3(&a->u.point), f32x4_of(b->u.cone.radius, b->u.cone.half_height, 0, 0),
              (axis_gap(a, b, b_in_a, POINT_CONE, out), true))

const cm__method cm__method_point_cone = {.overlap = point_cone_overlap,
                                          .gap = point_cone_gap,
                                          .contact = point_cone_contact,
                                          .distance_direct = DIRECT(point_cone_distance_direct)};
