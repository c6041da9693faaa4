/* Point against segment; with radii, sphere against capsule.
 *
 * The closest point of the segment is a + t (b - a) with t = (p - a).(b - a) / |b - a|^2 clamped to [0, 1]. A point on
 * the segment leaves perpendicular to it. */
#include "carom/primitives.h"
#include "math/closest.h"
#include "pair/flat.h"
#include "pair/pair.h"

static cm__closest point_segment_closest(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a,
                                         cm__point *along) {
    cm__point from = frame_apply(b_in_a, cm__point_of(b->u.segment.a));
    cm__point to = frame_apply(b_in_a, cm__point_of(b->u.segment.b));
    *along = cm__point_sub(to, from);
    return cm__closest_point_segment(cm__point_of(a->u.point), from, to);
}

static bool point_segment_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__point along;
    const cm__frame frame = frame_of_pose(b_in_a);
    cm__closest c = point_segment_closest(a, b, &frame, &along);
    return gap_within(c.gap, (double)a->radius + (double)b->radius);
}

static void point_segment_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    cm__point along;
    cm__closest c = point_segment_closest(a, b, b_in_a, &along);
    double noise = gap_noise(cm__point_largest(c.a) + cm__point_largest(along));
    cm__gap_round(c.a, c.b, c.gap, (double)a->radius, (double)b->radius, wide_perpendicular(along), noise, out);
}

const cm__method cm__method_point_segment = {.overlap = point_segment_overlap, .gap = point_segment_gap};

bool cm_overlap_sphere_capsule(const cm_sphere *a, const cm_capsule *b) {
    const double reach = (double)a->radius + (double)b->radius;
    if (!(reach > 0)) {
        const cm_vec3 ends[2] = {b->a, b->b};
        return cm_sphere_is_valid(a) && cm_capsule_is_valid(b) && cm__flats_overlap(&a->center, 1, ends, 2);
    }
    cm__closest c = cm__closest_point_segment(cm__point_of(a->center), cm__point_of(b->a), cm__point_of(b->b));
    return gap_within(c.gap, reach) && cm_sphere_is_valid(a) && cm_capsule_is_valid(b);
}

bool cm_overlap_point_capsule(cm_vec3 p, const cm_capsule *capsule) {
    cm_sphere point = {p, 0};
    return cm_overlap_sphere_capsule(&point, capsule);
}

cm_real cm_distance_point_segment(cm_vec3 p, const cm_segment *segment, cm_vec3 *closest) {
    if (!cm_vec3_is_valid(p) || !cm_segment_is_valid(segment)) return CM_REAL_MAX;
    cm__closest c = cm__closest_point_segment(cm__point_of(p), cm__point_of(segment->a), cm__point_of(segment->b));
    const cm_vec3 ends[2] = {segment->a, segment->b};
    if (closest) *closest = cm__vec3_of(c.b);
    return gap_distance(cm__flats_settle(cm__point_length(c.gap), &p, 1, ends, 2));
}
