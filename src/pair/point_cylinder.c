/* Point against cylinder; with radii, sphere against (rounded) cylinder.
 *
 * In the cylinder's frame everything happens in the half-plane through the axis and the point, where the cylinder is a
 * rectangle: the closest point is the point clamped to it. A point inside leaves through the side or the nearer cap,
 * whichever is nearer (the side where both are, +x where the point is on the axis, the upper cap in the middle).
 * Rounding: in double; rotating the point into the cylinder's frame costs 4 ulps of double. */
#include "pair/axis_gap.h"
#include "pair/pair.h"

static axis_way point_cylinder_way(const axis_point *p, const cm_cylinder *cylinder) {
    double radius = (double)cylinder->radius, half = (double)cylinder->half_height;
    double out = p->across - radius, over = fabs(p->along) - half, up = p->along >= 0 ? 1 : -1;
    if (out > 0 && over > 0) return axis_way_to(-out, -up * over, (axis_way){-1, 0, 0});
    if (out > 0) return (axis_way){-1, 0, out};
    if (over > 0) return (axis_way){0, -up, over};
    return out >= over ? (axis_way){-1, 0, out} : (axis_way){0, -up, over};
}

static bool point_cylinder_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__wide_pose pose = wide_pose_of(b_in_a);
    cm__point local = axis_local(a, &pose);
    double reach = (double)a->radius + (double)b->radius;
    if (axis_is_far(local, (double)b->u.cylinder.radius, (double)b->u.cylinder.half_height, reach)) return false;
    axis_point p = axis_point_of(local);
    return point_cylinder_way(&p, &b->u.cylinder).gap <= reach;
}

static void point_cylinder_gap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__gap *out) {
    cm__wide_pose pose = wide_pose_of(b_in_a);
    axis_point p = axis_point_of(axis_local(a, &pose));
    axis_way way = point_cylinder_way(&p, &b->u.cylinder);
    axis_gap_of(a, b, &pose, &p, &way, out);
}

static int point_cylinder_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                  cm_manifold *out, int capacity) {
    cm__wide_pose pose = wide_pose_of(b_in_a);
    cm__point local = axis_local(a, &pose);
    double reach = (double)a->radius + (double)b->radius + (double)margin;
    if (axis_is_far(local, (double)b->u.cylinder.radius, (double)b->u.cylinder.half_height, reach)) return 0;
    axis_point p = axis_point_of(local);
    axis_way way = point_cylinder_way(&p, &b->u.cylinder);
    cm__gap gap;
    axis_gap_of(a, b, &pose, &p, &way, &gap);
    if (!(gap.distance <= (double)margin)) return 0;
    if (capacity > 0) cm__manifold_of_gap(&gap, &out[0]);
    return 1;
}

const cm__pair cm__pair_point_cylinder = {
    .overlap = point_cylinder_overlap, .gap = point_cylinder_gap, .contact = point_cylinder_contact};
