/* Segment against box; with radii, capsule against (rounded) box.
 *
 * In the box's frame the squared distance of the point p = o + t d is convex in t. With e = p - clamp(p), the part of p
 * outside the box, its slope is the sum of e_i d_i, which is linear between the at most six t at which the line crosses
 * a face's plane. The interval in which the slope changes its sign is found among them, and in it the zero: no corners
 * or edges have to be tried. A t at an end of the interval leaves it as it is. Where the two are within rounding of
 * touching, or overlap, the general method for polytopes decides and measures. Pairs that are farther apart are apart
 * for that method, too. Frame: A's. Rounding: e is wrong by ulps of double of the coordinates and counts only along the
 * axes where it sticks out, so t may be ill-determined only where all points are as near. No loop depends on the input.
 * Based on: [Ericson05 §5.1.9], but exact. */
#include "pair/pair.h"

typedef struct segment_near {
    cm__point a, b, gap; /* closest points of the cores, and b - a */
    cm__point way;       /* the same in the box's frame, where a gap along a face's normal is exactly along an axis */
    bool apart;          /* apart by more than rounding: else nothing above holds */
    bool round; /* certainly one point: no face is perpendicular to the gap, and no edge is parallel to the segment */
} segment_near;

/* The slope at t: the dot product of e and d. */
static double segment_slope(const double o[3], const double d[3], const double half[3], double t) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double p = o[i] + t * d[i];
        sum += (p - wide_clamp(p, -half[i], half[i])) * d[i];
    }
    return sum;
}

static double segment_box_closest(const double o[3], const double d[3], const double half[3]) {
    double low = 0, high = 1, at_low = segment_slope(o, d, half, 0), at_high;
    if (at_low >= 0) return 0;
    at_high = segment_slope(o, d, half, 1);
    if (at_high <= 0) return 1;
    for (int i = 0; i < 3; i++) {
        if (!(fabs(d[i]) > 0)) continue;
        double inverse = 1 / d[i];
        for (int side = -1; side <= 1; side += 2) {
            double t = (side * half[i] - o[i]) * inverse;
            if (!(t > low && t < high)) continue;
            double slope = segment_slope(o, d, half, t);
            if (slope > 0)
                high = t, at_high = slope;
            else
                low = t, at_low = slope;
        }
    }
    double run = at_high - at_low;
    return run > 0 ? low + (high - low) * cm__clamp01(-at_low / run) : low;
}

static void segment_box_near(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, segment_near *out) {
    cm__point from = cm__point_of(a->u.segment.a), to = cm__point_of(a->u.segment.b);
    cm__point o = frame_unrotate(b_in_a, cm__point_sub(from, b_in_a->position));
    cm__point d = frame_unrotate(b_in_a, cm__point_sub(to, from)), half = cm__point_of(b->u.box);
    const double os[3] = {o.x, o.y, o.z}, ds[3] = {d.x, d.y, d.z}, halves[3] = {half.x, half.y, half.z};
    const double t = segment_box_closest(os, ds, halves);
    cm__point p = cm__point_mul_add(o, t, d);
    p.x = wide_clamp(p.x, -half.x, half.x), p.y = wide_clamp(p.y, -half.y, half.y);
    p.z = wide_clamp(p.z, -half.z, half.z);
    const cm__point g = cm__point_sub(p, cm__point_mul_add(o, t, d));
    out->way = g;
    out->a = cm__point_between(from, to, t);
    out->b = frame_apply(b_in_a, p);
    out->gap = cm__point_sub(out->b, out->a);
    double scale = cm__point_largest(from) + cm__point_largest(to) + cm__point_largest(b_in_a->position);
    double noise = 2 * gap_noise(scale + cm__point_largest(half));
    double square = cm__point_dot(out->gap, out->gap);
    out->apart = square > GAP_SQUARE_LEAST && square > noise * noise;
    /* A face is perpendicular to the gap where two of the gap's components in the box's frame vanish; patch.c has the
     * bounds. */
    const double length = cm__point_dot(d, d), along = cm__point_dot(d, g);
    const double flat = (1 - 1e-5) * square, x = g.x * g.x, y = g.y * g.y, z = g.z * g.z;
    const bool faces = x > flat || y > flat || z > flat, askew = along * along > 0.01 * length * square;
    const double lie = 0.98 * length; /* sine 0.14 */
    out->round = !faces && (askew || (d.x * d.x < lie && d.y * d.y < lie && d.z * d.z < lie));
}

/* Does the segment certainly pass through the inside of the box? The segment is clipped by the three pairs of faces,
 * and the middle of what is left is tested. */
static bool segment_pierces(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a) {
    const cm__point from = cm__point_of(a->u.segment.a), to = cm__point_of(a->u.segment.b);
    const cm__point o = frame_unrotate(b_in_a, cm__point_sub(from, b_in_a->position));
    const cm__point d = frame_unrotate(b_in_a, cm__point_sub(to, from)), half = cm__point_of(b->u.box);
    const double os[3] = {o.x, o.y, o.z}, ds[3] = {d.x, d.y, d.z}, halves[3] = {half.x, half.y, half.z};
    double low = 0, high = 1;
    for (int i = 0; i < 3; i++) {
        if (!(fabs(ds[i]) > 0)) continue;
        const double enter = (-halves[i] - os[i]) / ds[i], leave = (halves[i] - os[i]) / ds[i];
        low = cm__most(low, cm__least(enter, leave)), high = cm__least(high, cm__most(enter, leave));
    }
    const double scale = cm__point_largest(from) + cm__point_largest(to) + cm__point_largest(b_in_a->position);
    const double middle = low / 2 + high / 2, noise = 2 * gap_noise(scale + cm__point_largest(half));
    bool inside = low <= high;
    for (int i = 0; i < 3; i++) inside = inside && fabs(os[i] + middle * ds[i]) < halves[i] - noise;
    return inside;
}

static void segment_core_gap(const segment_near *near, const cm__frame *b_in_a, cm__gap *core) {
    const cm__point n = wide_normalize(near->way, near->way);
    core->a = near->a, core->b = near->b;
    core->normal = frame_rotate(b_in_a, n);
    core->distance = sqrt(cm__point_dot(near->gap, near->gap));
}

static bool segment_box_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    segment_near near;
    const cm__frame frame = frame_of_pose(b_in_a);
    segment_box_near(a, b, &frame, &near);
    if (!near.apart) return segment_pierces(a, b, &frame) || cm__method_polytopes.overlap(a, b, b_in_a);
    return gap_within(near.gap, (double)a->radius + (double)b->radius);
}

static void segment_box_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    segment_near near;
    segment_box_near(a, b, b_in_a, &near);
    if (!near.apart) {
        cm__method_polytopes.gap(a, b, b_in_a, out);
        return;
    }
    segment_core_gap(&near, b_in_a, out);
    cm__gap_add_radii(out, (double)a->radius, (double)b->radius);
}

static int segment_box_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                               cm_manifold *out, int capacity) {
    segment_near near;
    const cm__frame frame = frame_of_pose(b_in_a);
    segment_box_near(a, b, &frame, &near);
    if (!near.apart) return cm__method_polytopes.contact(a, b, b_in_a, margin, out, capacity);
    double ra = (double)a->radius, rb = (double)b->radius, reach = (double)margin + ra + rb;
    if (!gap_within(near.gap, reach)) return 0;
    if (capacity < 1) return 1;
    cm__gap core;
    cm__polytope pa, pb;
    cm__patch patch;
    segment_core_gap(&near, &frame, &core);
    if (near.round) {
        patch.count = 0;
        cm__patch_add(&patch, &core);
    } else {
        cm__polytope_of(a, NULL, &pa);
        cm__polytope_of(b, &frame, &pb);
        cm__patch_of(&pa, &pb, &core, reach, &patch);
    }
    cm__manifold_of_patch(&patch, core.normal, ra, rb, (double)margin, out);
    return 1;
}

const cm__method cm__method_segment_box = {
    .overlap = segment_box_overlap, .gap = segment_box_gap, .contact = segment_box_contact};
