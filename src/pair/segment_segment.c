/* Segment against segment; with radii, capsule against capsule.
 *
 * Closest points by math/closest.h, which stays right for nearly parallel and needle-like segments. Segments that cross
 * leave square to both; on one line, square to it. Capsules that lie side by side touch in two points: the ends of the
 * stretch that they share. */
#include "carom/primitives.h"
#include "math/closest.h"
#include "pair/pair.h"

static cm__point segments_way_out(cm__point d, cm__point e) {
    double ld = cm__point_largest(d), le = cm__point_largest(e);
    if (!(ld > 0 && le > 0)) return gap_square_to(ld > 0 ? d : e);
    cm__point n = cm__point_cross(cm__point_scale(d, 1 / ld), cm__point_scale(e, 1 / le));
    return cm__point_largest(n) > 4 * DBL_EPSILON ? wide_normalize(n, n) : gap_square_to(d);
}

/* Far from parallel: by more than 3 degrees, not degenerate, not of extreme size. */
static inline bool segments_askew(double dd, double ee, double nn) {
    double both = dd * ee;
    return nn > 0.0025 * both && both > 1e-200 && both < 1e200;
}

/* Closest points of p + u d and p + r + w e that are askew, n = d x e: the formulas of closest.h with the three
 * reciprocals taken ahead, side by side: the divisions were half of the time. */
static inline void askew_closest(cm__point p, cm__point d, cm__point e, cm__point r, cm__point n, double dd, double ee,
                                 double nn, cm__closest *c) {
    double over_nn = 1 / nn, over_dd = 1 / dd, over_ee = 1 / ee;
    double u = cm__clamp01(cm__point_dot(cm__point_cross(r, e), n) * over_nn);
    double w = cm__clamp01(cm__point_dot(cm__point_sub(cm__point_scale(d, u), r), e) * over_ee);
    u = cm__clamp01(cm__point_dot(cm__point_mul_add(r, w, e), d) * over_dd);
    c->s = u, c->t = w;
    c->gap = cm__point_mul_add(cm__point_mul_add(r, w, e), -u, d);
    c->square = cm__point_dot(c->gap, c->gap);
    c->a = cm__point_mul_add(p, u, d);
    c->b = cm__point_add(c->a, c->gap);
}

/* Closest points, by closest.h where the segments are not askew. Tells whether they are. All answers of this file come
 * from here, or are the same bits. */
static bool segments_closest(const cm__point s[4], cm__closest *c) {
    cm__point d = cm__point_sub(s[1], s[0]), e = cm__point_sub(s[3], s[2]), r = cm__point_sub(s[2], s[0]);
    cm__point n = cm__point_cross(d, e);
    double dd = cm__point_dot(d, d), ee = cm__point_dot(e, e), nn = cm__point_dot(n, n);
    if (!segments_askew(dd, ee, nn)) {
        *c = cm__closest_segment_segment(s[0], s[1], s[2], s[3]);
        return false;
    }
    askew_closest(s[0], d, e, r, n, dd, ee, nn, c);
    return true;
}

static double segments_noise(const cm__point s[4]) {
    return gap_noise(cm__point_largest(s[0]) + cm__point_largest(s[1]) + cm__point_largest(s[2]) +
                     cm__point_largest(s[3]));
}

static void segments_gap(const cm__point s[4], double ra, double rb, cm__gap *core, cm__gap *round) {
    cm__closest c;
    segments_closest(s, &c);
    cm__point way_out = segments_way_out(cm__point_sub(s[1], s[0]), cm__point_sub(s[3], s[2]));
    cm__gap_round(c.a, c.b, c.gap, 0, 0, way_out, segments_noise(s), core);
    if (round) cm__gap_round(c.a, c.b, c.gap, ra, rb, way_out, segments_noise(s), round);
}

static void segments_lay_out(const cm_segment *a, const cm_segment *b, const cm_pose *b_in_a, cm__point s[4]) {
    s[0] = cm__point_of(a->a), s[1] = cm__point_of(a->b);
    s[2] = cm__point_of(b->a), s[3] = cm__point_of(b->b);
    if (!b_in_a) return;
    cm__wide_pose pose = cm__wide_pose_of(b_in_a);
    s[2] = wide_pose_apply(&pose, s[2]), s[3] = wide_pose_apply(&pose, s[3]);
}

static bool segment_segment_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__point s[4];
    segments_lay_out(&a->u.segment, &b->u.segment, b_in_a, s);
    cm__closest c;
    segments_closest(s, &c);
    return gap_within(c.gap, (double)a->radius + (double)b->radius);
}

static void segment_segment_gap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__gap *out) {
    cm__point s[4];
    cm__gap core;
    segments_lay_out(&a->u.segment, &b->u.segment, b_in_a, s);
    segments_gap(s, (double)a->radius, (double)b->radius, &core, out);
}

/* The manifold of two segments within reach of each other. */
static void segments_manifold(const cm__point s[4], const cm__closest *c, bool askew, double ra, double rb,
                              double margin, cm_manifold *out) {
    cm__gap core;
    double noise = segments_noise(s);
    if (askew && c->square > 1e-250 && c->square > noise * noise) { /* one point */
        cm__gap_round(c->a, c->b, c->gap, ra, rb, c->gap, 0, &core);
        cm__manifold_of_gap(&core, out);
        return;
    }
    cm__gap_round(c->a, c->b, c->gap, 0, 0, cm__p(1, 0, 0), 0, &core);
    cm__point d = cm__point_sub(s[1], s[0]), e = cm__point_sub(s[3], s[2]);
    if (!(core.distance > 0)) core.normal = segments_way_out(d, e);
    cm__patch patch;
    patch.count = 0;
    cm__patch_of_edges(s, s + 2, core.normal, ra + rb + margin, &patch);
    cm__patch_add(&patch, &core);
    cm__manifold_of_patch(&patch, core.normal, ra, rb, margin, out);
}

static int segment_segment_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                   cm_manifold *out, int capacity) {
    cm__point s[4];
    segments_lay_out(&a->u.segment, &b->u.segment, b_in_a, s);
    cm__closest c;
    double ra = (double)a->radius, rb = (double)b->radius;
    bool askew = segments_closest(s, &c);
    if (!gap_within(c.gap, ra + rb + (double)margin)) return 0;
    if (capacity > 0) segments_manifold(s, &c, askew, ra, rb, (double)margin, out);
    return 1;
}

const cm__pair cm__pair_segment_segment = {
    .overlap = segment_segment_overlap, .gap = segment_segment_gap, .contact = segment_segment_contact};

bool cm_overlap_capsule_capsule(const cm_capsule *a, const cm_capsule *b) {
    cm__point s[4] = {cm__point_of(a->a), cm__point_of(a->b), cm__point_of(b->a), cm__point_of(b->b)};
    cm__closest c;
    segments_closest(s, &c);
    return gap_within(c.gap, (double)a->radius + (double)b->radius) && cm_capsule_is_valid(a) && cm_capsule_is_valid(b);
}

static bool capsules_contact_careful(const cm_capsule *a, const cm_capsule *b, cm_manifold *out) {
    cm__point s[4] = {cm__point_of(a->a), cm__point_of(a->b), cm__point_of(b->a), cm__point_of(b->b)};
    cm__closest c;
    double ra = (double)a->radius, rb = (double)b->radius;
    bool askew = segments_closest(s, &c);
    if (!gap_within(c.gap, ra + rb) || !cm_capsule_is_valid(a) || !cm_capsule_is_valid(b)) return false;
    segments_manifold(s, &c, askew, ra, rb, 0, out);
    return true;
}

/* Segments far from parallel, of plain size, and not crossing: all in one piece. */
bool cm_contact_capsule_capsule(const cm_capsule *a, const cm_capsule *b, cm_manifold *out) {
    cm__point p = cm__point_of(a->a), q = cm__point_of(a->b), v = cm__point_of(b->a), w = cm__point_of(b->b);
    cm__point d = cm__point_sub(q, p), e = cm__point_sub(w, v), r = cm__point_sub(v, p), n = cm__point_cross(d, e);
    double ra = (double)a->radius, rb = (double)b->radius;
    double dd = cm__point_dot(d, d), ee = cm__point_dot(e, e), nn = cm__point_dot(n, n);
    if (!segments_askew(dd, ee, nn)) return capsules_contact_careful(a, b, out);
    cm__closest c;
    askew_closest(p, d, e, r, n, dd, ee, nn, &c);
    if (c.square > (ra + rb) * (ra + rb) && c.square > 1e-250) return false;
    double all = wide_sum(p) + wide_sum(q) + wide_sum(v) + wide_sum(w) + ra + rb; /* NaN where one is */
    double noise = gap_noise(all);
    if (!(gap_is_plain(c.square) && c.square > noise * noise && all <= (double)CM_COORD_MAX && ra >= 0 && rb >= 0))
        return capsules_contact_careful(a, b, out);
    cm__gap gap;
    gap_round_touch(c.a, c.b, c.gap, c.square, ra, rb, &gap);
    manifold_of_touch(&gap, out);
    return true;
}

cm_real cm_distance_segment_segment(const cm_segment *a, const cm_segment *b, cm_witness *out) {
    if (!cm_segment_is_valid(a) || !cm_segment_is_valid(b)) return CM_REAL_MAX;
    cm__point s[4];
    cm__gap gap;
    segments_lay_out(a, b, NULL, s);
    segments_gap(s, 0, 0, &gap, NULL);
    cm_real distance = gap_distance(gap.distance);
    if (!out) return distance;
    out->point_a = cm__vec3_of(gap.a);
    out->point_b = cm__vec3_of(gap.b);
    out->normal = cm__vec3_of(gap.normal);
    out->distance = distance;
    out->part_a = out->part_b = CM_NONE;
    out->flags = 0;
    return distance;
}
