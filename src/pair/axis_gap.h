/* A point and a body of revolution around its own z axis: everything happens in the half-plane through the axis and the
 * point. Shared by the files that know the outline of one such body. */
#ifndef PAIR_AXIS_GAP_H
#define PAIR_AXIS_GAP_H

#include "pair/gap.h"

/* A point in the body's frame. */
typedef struct axis_point {
    double across, along; /* distance from the axis; coordinate on it */
    double x, y;          /* the way from the axis, of length `across` */
} axis_point;

/* From the point to the outline: a unit vector in the half-plane that points to the body from outside, and where the
 * point is inside, away from the nearest place of the outline; and the signed length of that way. */
typedef struct axis_way {
    double across, along, gap;
} axis_way;

static inline double axis_length(double x, double y) { return cm__point_length(cm__p(x, y, 0)); }

static inline cm__point axis_local(const cm_shape *point, const cm__wide_pose *body) {
    return wide_mul_transposed(&body->turn, cm__point_sub(cm__point_of(point->u.point), body->position));
}
static inline axis_point axis_point_of(cm__point local) {
    axis_point p = {axis_length(local.x, local.y), local.z, local.x, local.y};
    return p;
}
/* Surely farther than `reach` from a cylinder around the body? Whatever rounding makes of the way itself. */
static inline bool axis_is_far(cm__point local, double radius, double half, double reach) {
    double wide = (radius + reach) * (1 + 0x1p-48), high = (half + reach) * (1 + 0x1p-48);
    return fabs(local.z) > high || local.x * local.x + local.y * local.y > wide * wide + 1e-290;
}

/* From outside to a corner of the outline; `rest` is the way where the point is that corner. */
static inline axis_way axis_way_to(double across, double along, axis_way rest) {
    double gap = axis_length(across, along);
    return gap > 0 ? (axis_way){across / gap, along / gap, gap} : rest;
}

/* In A's frame, with radii; A is the point. The gap's sign is that of way->gap less both radii, exactly. */
static inline void axis_gap_of(const cm_shape *a, const cm_shape *b, const cm__wide_pose *body, const axis_point *p,
                               const axis_way *way, cm__gap *out) {
    bool off = p->across > 0; /* else +x is as good as any */
    cm__point normal =
        cm__p(way->across * (off ? p->x / p->across : 1), way->across * (off ? p->y / p->across : 0), way->along);
    cm__point from = cm__point_of(a->u.point);
    out->normal = wide_mul(&body->turn, normal);
    out->distance = way->gap - ((double)a->radius + (double)b->radius);
    out->a = cm__point_mul_add(from, (double)a->radius, out->normal);
    out->b = cm__point_mul_add(from, way->gap - (double)b->radius, out->normal);
}

#endif
