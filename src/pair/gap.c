/* From closest points to a signed distance, and from there to a contact of one point. */
#include "pair/gap.h"
#include "math/quad.h"

void cm__gap_round(cm__point a, cm__point b, cm__point gap, double radius_a, double radius_b, cm__point fallback,
                   double noise, cm__gap *out) {
    double reach = radius_a + radius_b, square = cm__point_dot(gap, gap), length;
    bool touch;
    /* as gap_within decides, without computing the square twice */
    if (square > GAP_SQUARE_LEAST && square < GAP_SQUARE_MOST) {
        length = sqrt(square);
        out->normal = cm__point_scale(gap, 1 / length);
        touch = square <= reach * reach;
    } else {
        length = cm__point_length(gap);
        out->normal = wide_normalize(gap, fallback);
        touch = gap_within(gap, reach);
    }
    if (length <= noise) out->normal = fallback;
    double distance = length - reach;
    out->distance = distance_settled(distance, touch);
    out->a = cm__point_mul_add(a, radius_a, out->normal);
    out->b = cm__point_mul_add(b, -radius_b, out->normal);
}

/* Cores that touch are moved out along the normal either way. */
void cm__gap_add_radii(cm__gap *gap, double radius_a, double radius_b) {
    if (gap->distance > 0) {
        cm__point a = gap->a, b = gap->b, normal = gap->normal;
        /* the normal is known, so it is used whatever the length of the gap between these points (noise: infinite) */
        cm__gap_round(a, b, cm__point_sub(b, a), radius_a, radius_b, normal, DBL_MAX, gap);
        return;
    }
    gap->distance -= radius_a + radius_b;
    gap->a = cm__point_mul_add(gap->a, radius_a, gap->normal);
    gap->b = cm__point_mul_add(gap->b, -radius_b, gap->normal);
}

void cm__witness_of_gap(const cm__gap *gap, cm_witness *out) {
    out->point_a = cm__vec3_of(gap->a);
    out->point_b = cm__vec3_of(gap->b);
    out->normal = cm__vec3_of(gap->normal);
    out->distance = gap_distance(gap->distance);
    out->part_a = out->part_b = CM_NONE;
    out->flags = 0;
}

void cm__manifold_of_gap(const cm__gap *gap, cm_manifold *out) {
    cm_contact_point *p = &out->points[0];
    out->normal = cm__vec3_of(gap->normal);
    p->point_a = cm__vec3_of(gap->a);
    p->point_b = cm__vec3_of(gap->b);
    p->depth = 0 - gap_distance(gap->distance); /* touching: 0, not -0 */
    manifold_of_one(out);
}

void cm__manifold_to_world(cm_manifold *manifold, const cm_pose *pose_a) {
    const pose_matrix m = pose_matrix_of(pose_a);
    const int count = manifold->count;
    pose_matrix_rotate(&m, &manifold->normal);
    for (int i = 0; i < count; i++) {
        pose_matrix_apply(&m, &manifold->points[i].point_a);
        pose_matrix_apply(&m, &manifold->points[i].point_b);
    }
}

void cm__manifold_swap(cm_manifold *manifold) {
    uint32_t part = manifold->part_a;
    manifold->part_a = manifold->part_b;
    manifold->part_b = part;
    manifold->normal = cm_neg(manifold->normal);
    for (int i = 0; i < manifold->count; i++) {
        cm_contact_point *p = &manifold->points[i];
        cm_vec3 point = p->point_a;
        uint32_t feature = p->feature_a;
        p->point_a = p->point_b;
        p->point_b = point;
        p->feature_a = p->feature_b;
        p->feature_b = feature;
    }
}
