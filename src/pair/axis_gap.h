/* A point against a body of revolution around its own z axis. The problem is planar: it lies in the half-plane through
 * the axis and the point. The files of the bodies (point_cylinder.c, point_cone.c) share this one and add only the
 * outline of the body in that half-plane, an axis_outline. */
#ifndef PAIR_AXIS_GAP_H
#define PAIR_AXIS_GAP_H

#include "pair/gap.h"

/* A point in the body's frame. */
typedef struct axis_point {
    double across, along; /* distance from the axis; coordinate on it */
    double x, y;          /* the vector from the axis to the point, of length `across` */
} axis_point;

/* From the point to the outline: the unit direction in the half-plane, and the signed distance. Outside, the direction
 * points to the nearest place of the outline; inside, away from it, and the distance is negative. */
typedef struct axis_way {
    double across, along, gap;
} axis_way;

/* The same for a given body, which fits in a cylinder of this radius and half height. */
typedef axis_way (*axis_outline)(const axis_point *p, double radius, double half);

static inline double axis_length(double x, double y) { return cm__point_length(cm__p(x, y, 0)); }

static inline cm__point axis_local(const cm_shape *point, const cm__frame *body) {
    return frame_unrotate(body, cm__point_sub(cm__point_of(point->u.point), body->position));
}
static inline axis_point axis_point_of(cm__point local) {
    axis_point p = {axis_length(local.x, local.y), local.z, local.x, local.y};
    return p;
}
/* The unit direction of the vector (x, y), whose length is `across`; +x where it is 0. Where the vector is only
 * rounding, `across` is too, so its length is computed anew. */
static inline cm__point axis_direction(double x, double y, double across) {
    if (across > 1e-290) return cm__p(x / across, y / across, 0);
    return wide_normalize(cm__p(x, y, 0), cm__p(1, 0, 0));
}
/* Is the point certainly farther than `reach` from a cylinder around the body, rounding of the distance included? Where
 * it is not certain, the outline decides. */
static inline bool axis_is_far(cm__point local, double radius, double half, double reach) {
    double wide = (radius + reach) * (1 + 0x1p-48), high = (half + reach) * (1 + 0x1p-48);
    return fabs(local.z) > high || local.x * local.x + local.y * local.y > wide * wide + 1e-290;
}

/* From a point outside to a corner of the outline; `otherwise` is the answer where the point is that corner. */
static inline axis_way axis_way_to(double across, double along, axis_way otherwise) {
    const double gap = axis_length(across, along);
    if (!(gap > 0)) return otherwise;
    const cm__point unit = axis_direction(across, along, gap);
    return (axis_way){unit.x, unit.y, gap};
}

/* The outlines: see point_cylinder.c and point_cone.c. Where two regions meet both give the same way. */
static inline axis_way axis_cylinder_way(const axis_point *p, double radius, double half) {
    double out = p->across - radius, over = fabs(p->along) - half, up = p->along >= 0 ? 1 : -1;
    if (out > 0 && over > 0) return axis_way_to(-out, -up * over, (axis_way){-1, 0, 0});
    if (out > 0) return (axis_way){-1, 0, out};
    if (over > 0) return (axis_way){0, -up, over};
    return out >= over ? (axis_way){-1, 0, out} : (axis_way){0, -up, over};
}
static inline axis_way axis_cone_way(const axis_point *p, double radius, double half) {
    double below = -half - p->along, slope = axis_length(radius, 2 * half);
    if (below > 0 && p->across <= radius) return (axis_way){0, 1, below};
    if (!(slope > 0)) return axis_way_to(-p->across, -p->along, (axis_way){0, -1, 0});
    /* unit vectors along the side, from rim to apex, and out of it */
    double in = radius / slope, up = 2 * half / slope;
    double foot = (radius - p->across) * in + (p->along + half) * up;
    double side = p->across * up + (p->along - half) * in;
    /* beyond the apex; from it, as `foot` is from the rim */
    double over = (p->along - half) * up - p->across * in;
    if (foot <= 0) return axis_way_to(radius - p->across, -half - p->along, (axis_way){-1, 0, 0});
    if (over >= 0) return axis_way_to(-p->across, half - p->along, (axis_way){0, -1, 0});
    return side >= below ? (axis_way){-up, -in, side} : (axis_way){0, 1, below};
}

/* In A's frame, with radii; A is the point. The gap's sign is that of way->gap less both radii, exactly. */
static inline void axis_gap_along(const cm_shape *a, const cm_shape *b, const cm__frame *body, const axis_point *p,
                                  const axis_way *way, cm__gap *out) {
    const cm__point beside = axis_direction(p->x, p->y, p->across);
    const cm__point normal = cm__p(way->across * beside.x, way->across * beside.y, way->along);
    cm__point from = cm__point_of(a->u.point);
    out->normal = frame_rotate(body, normal);
    out->distance = way->gap - ((double)a->radius + (double)b->radius);
    out->a = cm__point_mul_add(from, (double)a->radius, out->normal);
    out->b = cm__point_mul_add(from, way->gap - (double)b->radius, out->normal);
}

/* What a pair answers (cm__method): the outline is known where these are inlined. */
static inline bool axis_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, double radius, double half,
                                axis_outline outline) {
    cm__frame pose = frame_of_pose(b_in_a);
    cm__point local = axis_local(a, &pose);
    double reach = (double)a->radius + (double)b->radius;
    if (axis_is_far(local, radius, half, reach)) return false;
    axis_point p = axis_point_of(local);
    return outline(&p, radius, half).gap <= reach;
}
static inline void axis_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, double radius, double half,
                            axis_outline outline, cm__gap *out) {
    axis_point p = axis_point_of(axis_local(a, b_in_a));
    axis_way way = outline(&p, radius, half);
    axis_gap_along(a, b, b_in_a, &p, &way, out);
}
static inline int axis_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, double radius, double half,
                               axis_outline outline, cm_real margin, cm_manifold *out, int capacity) {
    cm__frame pose = frame_of_pose(b_in_a);
    cm__point local = axis_local(a, &pose);
    if (axis_is_far(local, radius, half, (double)a->radius + (double)b->radius + (double)margin)) return 0;
    axis_point p = axis_point_of(local);
    axis_way way = outline(&p, radius, half);
    cm__gap gap;
    axis_gap_along(a, b, &pose, &p, &way, &gap);
    if (!(gap.distance <= (double)margin)) return 0;
    if (capacity > 0) cm__manifold_of_gap(&gap, &out[0]);
    return 1;
}

#endif
