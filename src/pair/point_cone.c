/* Point against cone; with radii, sphere against (rounded) cone.
 *
 * In the cone's frame everything happens in the half-plane through the axis and the point, where the cone is a right
 * triangle of apex, middle of the base and rim. Below the base the closest point is straight above; elsewhere it is the
 * foot on the side's line from rim to apex, clamped to it. A point inside leaves through the side or the base,
 * whichever is nearer (the side where both are, +x where the point is on the axis).
 * Rounding: in double; rotating the point into the cone's frame costs 4 ulps of double. */
#include "pair/axis_gap.h"
#include "pair/pair.h"

static axis_way point_cone_way(const axis_point *p, const cm_cone *cone) {
    double radius = (double)cone->radius, half = (double)cone->half_height;
    double below = -half - p->along, slope = axis_length(radius, 2 * half);
    if (below > 0 && p->across <= radius) return (axis_way){0, 1, below};
    if (!(slope > 0)) return axis_way_to(-p->across, -p->along, (axis_way){0, -1, 0});
    /* unit vectors along the side, from rim to apex, and out of it */
    double in = radius / slope, up = 2 * half / slope;
    double foot = (radius - p->across) * in + (p->along + half) * up;
    double side = p->across * up + (p->along - half) * in;
    if (foot <= 0) return axis_way_to(radius - p->across, -half - p->along, (axis_way){-1, 0, 0});
    /* from above, whatever rounding makes of `foot` */
    if (foot >= slope) return axis_way_to(-p->across, cm__least(half - p->along, 0), (axis_way){0, -1, 0});
    return side >= below ? (axis_way){-up, -in, side} : (axis_way){0, 1, below};
}

static bool point_cone_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__wide_pose pose = wide_pose_of(b_in_a);
    cm__point local = axis_local(a, &pose);
    double reach = (double)a->radius + (double)b->radius;
    if (axis_is_far(local, (double)b->u.cone.radius, (double)b->u.cone.half_height, reach)) return false;
    axis_point p = axis_point_of(local);
    return point_cone_way(&p, &b->u.cone).gap <= reach;
}

static void point_cone_gap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__gap *out) {
    cm__wide_pose pose = wide_pose_of(b_in_a);
    axis_point p = axis_point_of(axis_local(a, &pose));
    axis_way way = point_cone_way(&p, &b->u.cone);
    axis_gap_of(a, b, &pose, &p, &way, out);
}

static int point_cone_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                              cm_manifold *out, int capacity) {
    cm__wide_pose pose = wide_pose_of(b_in_a);
    cm__point local = axis_local(a, &pose);
    double reach = (double)a->radius + (double)b->radius + (double)margin;
    if (axis_is_far(local, (double)b->u.cone.radius, (double)b->u.cone.half_height, reach)) return 0;
    axis_point p = axis_point_of(local);
    axis_way way = point_cone_way(&p, &b->u.cone);
    cm__gap gap;
    axis_gap_of(a, b, &pose, &p, &way, &gap);
    if (!(gap.distance <= (double)margin)) return 0;
    if (capacity > 0) cm__manifold_of_gap(&gap, &out[0]);
    return 1;
}

const cm__pair cm__pair_point_cone = {
    .overlap = point_cone_overlap, .gap = point_cone_gap, .contact = point_cone_contact};
