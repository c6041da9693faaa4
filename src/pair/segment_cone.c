/* Segment against cone; with radii, capsule against (rounded) cone.
 *
 * Apart: with the side's unit normal (up, in) in the half-plane through axis and point, the height over the side, up *
 * across + in * z, is convex along the segment; its minimum has a closed form. If the foot of that point is on the
 * side, it is the closest place of the segment. If the foot is beyond the apex, the closest place is that nearest to
 * the apex; if before the rim, or under the base, that nearest to the base's disk. Overlapping, guarantees and
 * rounding: see segment_axis.h. Contacts are those of the general method along this normal: two points where a capsule
 * lies on the base or along the side, else one. */
#include "pair/direct.h"
#include "pair/segment_axis.h"

/* The side's outward normal: across the axis and along it. */
static inline void cone_side(double radius, double half, double *up, double *in) {
    const double slope = axis_length(radius, 2 * half);
    *up = slope > 0 ? 2 * half / slope : 1, *in = slope > 0 ? radius / slope : 0;
}

/* t at which the segment is lowest over the side. On its line the square of the way from the axis is square * (t -
 * nearest)^2 + miss^2 / square. */
static inline double cone_lowest(const axis_segment *s, double up, double in) {
    const double fall = in * s->d.z, hold = up * up * s->square - fall * fall;
    if (!(hold > 0)) return s->d.z > 0 ? 0 : 1;
    const double miss = fabs(s->o.x * s->d.y - s->o.y * s->d.x), half = s->o.x * s->d.x + s->o.y * s->d.y;
    return cm__clamp01(-(half + fall * miss / sqrt(hold)) / s->square);
}

static inline axis_place cone_place(const axis_segment *s, double radius, double half) {
    double up, in;
    cone_side(radius, half, &up, &in);
    if (!(half > 0)) return axis_place_on_disk(s, radius, 0);
    const double t = cone_lowest(s, up, in);
    const cm__point p = axis_segment_at(s, t);
    const double across = axis_length(p.x, p.y), slope = axis_length(radius, 2 * half);
    const double foot = (radius - across) * in + (p.z + half) * up, side = across * up + (p.z - half) * in;
    if (foot >= slope) { /* nearest to the apex */
        const cm__point apex = cm__p(-s->o.x, -s->o.y, half - s->o.z);
        return (axis_place){cm__ratio01(cm__point_dot(apex, s->d), cm__point_dot(s->d, s->d)), AXIS_APEX};
    }
    if (p.z >= -half && side <= 0) return (axis_place){t, AXIS_INSIDE};
    if (foot > 0 && side > 0) return (axis_place){t, AXIS_SIDE};
    return axis_place_on_disk(s, radius, -half);
}

static inline double cone_reach(cm__point n, double radius, double half) {
    return cm__most(half * n.z, radius * sqrt(n.x * n.x + n.y * n.y) - half * n.z);
}

/* Candidates among the side's normals (up u, in), u a unit vector perpendicular to the axis: those toward the segment's
 * ends, and those perpendicular to the segment. */
static inline int cone_normals(const axis_segment *s, double radius, double half, cm__point *out) {
    double up, in;
    int count = 0;
    cone_side(radius, half, &up, &in);
    cm__point square;
    if (axis_perpendicular(s, &square)) {
        const double flat = sqrt(s->square), c = -in * s->d.z / (up * flat);
        if (fabs(c) <= 1) {
            const double k = sqrt(1 - c * c), x = s->d.x / flat, y = s->d.y / flat;
            out[count++] = cm__p(up * (c * x + k * square.x), up * (c * y + k * square.y), in);
        }
    }
    for (int i = 0; i < 2; i++) {
        const cm__point u = axis_toward(s, i);
        out[count++] = cm__p(up * u.x, up * u.y, in);
    }
    out[count++] = cm__p(0, 0, -1);
    const int rims = axis_rims(s, radius, f64x2_all(-half), f64x2_of(-1, 1), &out[count]);
    return rims < 0 ? -1 : count + rims;
}

/* By the rules of convex/manifold.c: the base is perpendicular to the normal, or the side's line toward the normal is
 * parallel to the segment. */
static inline bool cone_faces(const axis_segment *s, cm__point n, double radius, double half) {
    const double across = sqrt(n.x * n.x + n.y * n.y), slope = axis_length(radius, 2 * half);
    /* without height it is a disc, which has no line of a side; 1e-9: nearer to the axis the side is not what faces */
    if (n.z < -AXIS_FACE_COS || !(across > 1e-9 && half > 0 && slope > 0)) return true;
    const double x = n.x / across * (radius / slope), y = n.y / across * (radius / slope), z = -2 * half / slope;
    const cm__point aside = cm__point_cross(cm__p(x, y, z), s->d);
    return cm__point_dot(aside, aside) <= AXIS_PARALLEL * cm__point_dot(s->d, s->d);
}

static const axis_body axis_cone = {axis_cone_way, cone_place, cone_reach, cone_normals, cone_faces};

#define SEGMENT_CONE (double)b->u.cone.radius, (double)b->u.cone.half_height, &axis_cone
static bool segment_cone_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    return axis_segment_overlap(a, b, b_in_a, SEGMENT_CONE);
}
static void segment_cone_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    axis_segment_gap(a, b, b_in_a, SEGMENT_CONE, out);
}
static int segment_cone_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                cm_manifold *out, int capacity) {
    return axis_segment_contact(a, b, b_in_a, SEGMENT_CONE, margin, out, capacity);
}

DIRECT_BY_GAP(segment_cone, direct_segment(a), f32x4_of(b->u.cone.radius, b->u.cone.half_height, 0, 0),
              axis_segment_quick(a, b, b_in_a, SEGMENT_CONE, out))

const cm__method cm__method_segment_cone = {.overlap = segment_cone_overlap,
                                            .gap = segment_cone_gap,
                                            .contact = segment_cone_contact,
                                            .distance_direct = DIRECT(segment_cone_distance_direct)};
