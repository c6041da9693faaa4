/* A half-space and a composite: the parts that reach into it.
 *
 * The composite's own box is cut by the plane: only parts in what is left of it can touch. For the distance, the parts
 * near the lowest corner of that box give a first height, and then only parts that may be lower are measured. The depth
 * along the normal is exactly that of the lowest part. */
#include "pair/composite.h"

typedef struct ground_in_composite {
    cm__point normal; /* unit, in the composite's frame */
    double d;         /* height over the plane: normal.p + d */
    double reach;     /* size of the numbers whose difference d is: its rounding scales with that */
    cm_aabb box;      /* of the composite */
} ground_in_composite;

static bool ground_in_composite_of(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a,
                                   ground_in_composite *g) {
    cm__frame frame = frame_of_pose(b_in_a);
    cm__point n = cm__point_of(a->u.halfspace.normal);
    double length = cm__point_length(n);
    g->normal = cm__point_scale(frame_unrotate(&frame, n), 1 / length);
    g->d = (cm__point_dot(n, frame.position) + (double)a->u.halfspace.d) / length - (double)a->radius;
    g->reach = cm__point_largest(frame.position) + fabs((double)a->u.halfspace.d) / length + (double)a->radius;
    cm__ops(b->kind)->parts->box(b, &g->box);
    return g->box.min.x <= g->box.max.x;
}

/* The box around all points of the composite's box that are no higher than `level`; false where there are none. */
static bool ground_region(const ground_in_composite *g, double level, cm_aabb *out) {
    const double n[3] = {g->normal.x, g->normal.y, g->normal.z};
    double low[3] = {(double)g->box.min.x, (double)g->box.min.y, (double)g->box.min.z};
    double high[3] = {(double)g->box.max.x, (double)g->box.max.y, (double)g->box.max.z};
    double lowest = g->d, size = g->reach, least[3], from[3], to[3];
    for (int k = 0; k < 3; k++) {
        least[k] = n[k] > 0 ? n[k] * low[k] : n[k] * high[k];
        lowest += least[k];
        size += fabs(low[k]) + fabs(high[k]);
    }
    level += 16 * (double)CM_REAL_EPSILON * size; /* the rounding of heights, and of this */
    if (!(lowest <= level)) return false;
    for (int k = 0; k < 3; k++) {
        double room = level - (lowest - least[k]);       /* n x <= room with the other two at their lowest */
        double at = fabs(n[k]) > 1e-9 ? room / n[k] : 0; /* an axis as good as parallel to the plane is not cut */
        from[k] = n[k] < -1e-9 && at > low[k] ? at : low[k];
        to[k] = n[k] > 1e-9 && at < high[k] ? at : high[k];
    }
    out->min = cm_v(wide_down(from[0]), wide_down(from[1]), wide_down(from[2]));
    out->max = cm_v(wide_up(to[0]), wide_up(to[1]), wide_up(to[2]));
    return true;
}

bool cm__halfspace_region(const cm_shape *halfspace, const cm_shape *composite, const cm_pose *composite_in_halfspace,
                          double level, cm_aabb *out) {
    ground_in_composite g;
    return ground_in_composite_of(halfspace, composite, composite_in_halfspace, &g) && ground_region(&g, level, out);
}

static bool halfspace_composite_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    const cm__parts_ops *parts = cm__ops(b->kind)->parts;
    ground_in_composite g;
    cm_aabb region;
    cm__parts q;
    cm__part part;
    if (!ground_in_composite_of(a, b, b_in_a, &g) || !ground_region(&g, 0, &region)) return false;
    parts->start(&q, b, &region);
    while (parts->next(&q, 0, &part)) {
        cm_pose pose = cm_pose_mul(b_in_a, &part.pose);
        if (cm__pair_overlap(a, &part.shape, &pose)) return true;
    }
    return false;
}

/* Lowers *out to the lowest of up to `most` parts in `region`. */
static void ground_lowest(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, const cm_aabb *region,
                          cm_real bound, int most, cm_witness *out) {
    const cm__parts_ops *parts = cm__ops(b->kind)->parts;
    cm__parts q;
    cm__part part;
    parts->start(&q, b, region);
    for (int i = 0; (most == 0 || i < most) && parts->next(&q, bound, &part); i++) {
        cm_witness one;
        cm_pose pose = cm_pose_mul(b_in_a, &part.pose);
        cm_real d = cm__pair_distance(a, &part.shape, &pose, CM_REAL_MAX, &one);
        if (!(d < out->distance)) continue;
        *out = one;
        out->part_b = part.number;
    }
}

static cm_real halfspace_composite_distance(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a,
                                            cm_real max_distance, cm_witness *out) {
    ground_in_composite g;
    cm_aabb region;
    cm_witness best;
    best.distance = CM_REAL_MAX;
    if (!ground_in_composite_of(a, b, b_in_a, &g)) return CM_REAL_MAX;
    region.min = region.max =
        cm_v(g.normal.x > 0 ? g.box.min.x : g.box.max.x, g.normal.y > 0 ? g.box.min.y : g.box.max.y,
             g.normal.z > 0 ? g.box.min.z : g.box.max.z);
    ground_lowest(a, b, b_in_a, &region, CM_REAL_MAX, 4, &best);
    if (best.distance < CM_REAL_MAX && ground_region(&g, (double)best.distance, &region))
        ground_lowest(a, b, b_in_a, &region, 0, 0, &best);
    if (!(best.distance <= max_distance)) return CM_REAL_MAX;
    *out = best;
    return best.distance;
}

static void halfspace_composite_contacts(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                         cm__contacts *to) {
    const cm__parts_ops *parts = cm__ops(b->kind)->parts;
    ground_in_composite g;
    cm_aabb region;
    cm__parts q;
    cm__part part;
    cm__contact_whole whole = {{to->level, cm__contact_of_second}, b, b_in_a, 0, 0};
    if (!ground_in_composite_of(a, b, b_in_a, &g) || !ground_region(&g, (double)margin, &region)) return;
    parts->start(&q, b, &region);
    to->level = &whole.level;
    while (parts->next(&q, 0, &part)) {
        cm_pose pose = cm_pose_mul(b_in_a, &part.pose);
        whole.number = part.number, whole.place = cm__point_largest(cm__point_of(part.pose.position));
        cm__pair_contacts(a, &part.shape, &pose, margin, to);
    }
    to->level = whole.level.outer;
}

const cm__method cm__method_halfspace_composite = {.overlap = halfspace_composite_overlap,
                                                   .distance = halfspace_composite_distance,
                                                   .contacts = halfspace_composite_contacts};
