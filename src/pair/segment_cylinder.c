/* Segment against cylinder; with radii, capsule against (rounded) cylinder.
 *
 * Apart: the place of the segment that is nearest to the axis is the nearest to the cylinder where it lies between the
 * caps' planes; else that which is nearest to the cap on its side. Overlapping, guarantees and rounding: see
 * segment_axis.h. Contacts are those of the general method along this normal: two points where a capsule lies on a cap
 * or along the side, else one. */
#include "pair/direct.h"
#include "pair/segment_axis.h"

/* For a segment parallel to the axis: the middle of the part between the caps. */
static inline double cylinder_nearest(const axis_segment *s, double half) {
    if (!axis_is_along(s) || !(fabs(s->d.z) > 0)) return s->nearest;
    return (cm__clamp01((-half - s->o.z) / s->d.z) + cm__clamp01((half - s->o.z) / s->d.z)) / 2;
}

static inline axis_place cylinder_place(const axis_segment *s, double radius, double half) {
    const double t = cylinder_nearest(s, half);
    const cm__point p = axis_segment_at(s, t);
    if (fabs(p.z) <= half) return (axis_place){t, p.x * p.x + p.y * p.y <= radius * radius ? AXIS_INSIDE : AXIS_SIDE};
    return axis_place_on_disk(s, radius, p.z > 0 ? half : -half);
}

static inline double cylinder_reach(cm__point n, double radius, double half) {
    return radius * sqrt(n.x * n.x + n.y * n.y) + half * fabs(n.z);
}

static inline int cylinder_normals(const axis_segment *s, double radius, double half, cm__point *out) {
    int count = axis_perpendicular(s, out);
    if (!(s->nearest > 0 && s->nearest < 1)) out[count++] = axis_toward(s, s->nearest);
    out[count++] = cm__p(0, 0, 1);
    out[count++] = cm__p(0, 0, -1);
    const int rims = axis_rims(s, radius, f64x2_of(half, -half), f64x2_of(1, -1), &out[count]);
    return rims < 0 ? -1 : count + rims;
}

/* By the rules of convex/manifold.c: a cap is perpendicular to the normal, or a line of the side is parallel to the
 * segment. */
static inline bool cylinder_faces(const axis_segment *s, cm__point n, double radius, double half) {
    (void)radius, (void)half;
    return fabs(n.z) > AXIS_FACE_COS || s->square <= AXIS_PARALLEL * cm__point_dot(s->d, s->d);
}

static const axis_body axis_cylinder = {axis_cylinder_way, cylinder_place, cylinder_reach, cylinder_normals,
                                        cylinder_faces};

#define SEGMENT_CYLINDER (double)b->u.cylinder.radius, (double)b->u.cylinder.half_height, &axis_cylinder
static bool segment_cylinder_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    return axis_segment_overlap(a, b, b_in_a, SEGMENT_CYLINDER);
}
static void segment_cylinder_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    axis_segment_gap(a, b, b_in_a, SEGMENT_CYLINDER, out);
}
static int segment_cylinder_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                    cm_manifold *out, int capacity) {
    return axis_segment_contact(a, b, b_in_a, SEGMENT_CYLINDER, margin, out, capacity);
}

DIRECT_BY_GAP(segment_cylinder, direct_segment(a), f32x4_of(b->u.cylinder.radius, b->u.cylinder.half_height, 0, 0),
              axis_segment_quick(a, b, b_in_a, SEGMENT_CYLINDER, out))

const cm__method cm__method_segment_cylinder = {.overlap = segment_cylinder_overlap,
                                                .gap = segment_cylinder_gap,
                                                .contact = segment_cylinder_contact,
                                                .distance_direct = DIRECT(segment_cylinder_distance_direct)};
