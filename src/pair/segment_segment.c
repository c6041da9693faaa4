/* Segment against segment; with radii, capsule against capsule.
 *
 * Closest points by math/closest.h, which stays right for nearly parallel and needle-like segments. Segments that cross
 * leave square to both; on one line, square to it. Capsules that lie side by side touch in two points: the ends of the
 * stretch that they share. */
#include "carom/primitives.h"
#include "math/closest.h"
#include "pair/pair.h"
#include "pair/touch.h"

static cm__point segments_way_out(cm__point d, cm__point e) {
    double ld = cm__point_largest(d), le = cm__point_largest(e);
    if (!(ld > 0 && le > 0)) return gap_square_to(ld > 0 ? d : e);
    cm__point n = cm__point_cross(cm__point_scale(d, 1 / ld), cm__point_scale(e, 1 / le));
    return cm__point_largest(n) > 4 * DBL_EPSILON ? wide_normalize(n, n) : gap_square_to(d);
}

/* What the closest points of two segments d and e, the second's start at r from the first's, are told from: products
 * of d and of e side by side. */
typedef struct askew_pair {
    cm__point d, e, r;
    cm__two squares, along; /* dd, ee; rd, re */
    double de, nn, over;    /* n = d x e; (r x e).n */
} askew_pair;

/* From the ends: x, y, z of the two firsts, side by side, and of the two seconds. */
static inline askew_pair askew_pair_of(const cm__two from[3], const cm__two to[3]) {
    cm__two x = two_sub(to[0], from[0]), y = two_sub(to[1], from[1]), z = two_sub(to[2], from[2]);
    cm__two nx = two_mul(y, two_swap(z)), ny = two_mul(z, two_swap(x)), nz = two_mul(x, two_swap(y));
    askew_pair k;
    k.d = cm__p(two_low(x), two_low(y), two_low(z)), k.e = cm__p(two_high(x), two_high(y), two_high(z));
    k.r = cm__p(two_high(from[0]) - two_low(from[0]), two_high(from[1]) - two_low(from[1]),
                two_high(from[2]) - two_low(from[2]));
    k.squares = two_add(two_add(two_mul(x, x), two_mul(y, y)), two_mul(z, z));
    k.along = two_add(two_add(two_mul(x, two_all(k.r.x)), two_mul(y, two_all(k.r.y))), two_mul(z, two_all(k.r.z)));
    cm__point n = cm__p(two_low(nx) - two_high(nx), two_low(ny) - two_high(ny), two_low(nz) - two_high(nz));
    k.de = cm__point_dot(k.d, k.e), k.nn = cm__point_dot(n, n);
    k.over = cm__point_dot(cm__point_cross(k.r, k.e), n);
    return k;
}

/* Far from parallel: by more than 3 degrees, not degenerate, not of extreme size. */
static inline int segments_askew(const askew_pair *k) {
    double both = two_low(k->squares) * two_high(k->squares);
    return (k->nn > 0.0025 * both) & (both > 1e-200) & (both < 1e200);
}

static inline double askew_clamp(double t) { return two_low(two_min(two_max(two_all(t), two_all(0)), two_all(1))); }

/* Closest points of p + u d and p + r + w e that are askew, n = d x e: the formulas of closest.h, but with the three
 * reciprocals taken ahead, side by side, and with sums of products in place of products of sums, whose rounding is the
 * same against |r| + |d| + |e|: waiting for one after the other was most of the time. */
static inline void askew_closest(cm__point p, const askew_pair *k, cm__closest *c) {
    cm__two overs = two_div(two_all(1), k->squares);
    double u = askew_clamp(k->over * (1 / k->nn));
    double w = askew_clamp((u * k->de - two_high(k->along)) * two_high(overs));
    cm__point to_b = cm__point_mul_add(k->r, w, k->e);
    u = askew_clamp((two_low(k->along) + w * k->de) * two_low(overs));
    c->s = u, c->t = w;
    c->gap = cm__point_mul_add(to_b, -u, k->d);
    c->square = cm__point_dot(c->gap, c->gap);
    c->a = cm__point_mul_add(p, u, k->d);
    c->b = cm__point_add(c->a, c->gap);
}

/* Closest points, by closest.h where the segments are not askew. Tells whether they are. All answers of this file come
 * from here, or are the same bits. */
static bool segments_closest(const cm__point s[4], cm__closest *c) {
    const cm__two from[3] = {two_of(s[0].x, s[2].x), two_of(s[0].y, s[2].y), two_of(s[0].z, s[2].z)};
    const cm__two to[3] = {two_of(s[1].x, s[3].x), two_of(s[1].y, s[3].y), two_of(s[1].z, s[3].z)};
    askew_pair k = askew_pair_of(from, to);
    if (!segments_askew(&k)) {
        *c = cm__closest_segment_segment(s[0], s[1], s[2], s[3]);
        return false;
    }
    askew_closest(s[0], &k, c);
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
    cm__wide_pose pose = wide_pose_of(b_in_a);
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

#if defined(CM__QUADS)
static int segment_segment_touch(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                                 cm_real margin, cm_manifold *out, int capacity) {
    touch_poses poses = touch_poses_of(pose_a, pose_b);
    two_mat3 turn = touch_turn(poses.turn);
    __m128 a0 = quad_of_vec3(&a->u.segment.a), a1 = quad_of_vec3(&a->u.segment.b);
    __m128 b0 = quad_of_vec3(&b->u.segment.a), b1 = quad_of_vec3(&b->u.segment.b);
    __m128 sizes = quad_add(quad_add(quad_abs(a0), quad_abs(a1)), quad_add(quad_abs(b0), quad_abs(b1)));
    sizes = quad_add(sizes, _mm_set1_ps(a->radius + b->radius + margin));
    two_points at_a = points_of_quads(a0, a1), at_b = points_of_quads(b0, b1);
    at_b = points_apply(&turn, touch_point_of(poses.at), &at_b);
    const cm__two from[3] = {two_lows(at_a.x, at_b.x), two_lows(at_a.y, at_b.y), two_lows(at_a.z, at_b.z)};
    const cm__two to[3] = {two_highs(at_a.x, at_b.x), two_highs(at_a.y, at_b.y), two_highs(at_a.z, at_b.z)};
    askew_pair k = askew_pair_of(from, to);
    cm__closest c;
    askew_closest(cm__p(two_low(from[0]), two_low(from[1]), two_low(from[2])), &k, &c);
    cm__two largest = two_add(points_largest(&at_a), points_largest(&at_b));
    double noise = gap_noise(two_sum(largest)), ra = (double)a->radius, rb = (double)b->radius, reach = ra + rb;
    if (!(touch_valid(&poses, sizes) & segments_askew(&k) & gap_is_plain(c.square) & (c.square > 2 * noise * noise) &
          (a->radius >= 0) & (b->radius >= 0) & (margin >= 0) & (reach > 0) & (capacity >= 0) & (out != NULL)))
        return cm__contact_checked(a, pose_a, b, pose_b, margin, out, capacity);
    double length = sqrt(c.square), over = 1 / length, far = reach + (double)margin;
    touch_point normal = {two_mul(two_of(c.gap.x, c.gap.y), two_all(over)), c.gap.z * over};
    touch_point on_a = {two_of(c.a.x, c.a.y), c.a.z}, on_b = {two_of(c.b.x, c.b.y), c.b.z};
    cm_real depth = touch_depth(length - reach, c.square <= reach * reach, margin);
    return touch_place(c.square <= far * far, touch_mul_add(on_a, ra, normal), touch_mul_add(on_b, -rb, normal), normal,
                       depth, &poses, out, capacity);
}
#else
#define segment_segment_touch NULL
#endif

const cm__pair cm__pair_segment_segment = {.overlap = segment_segment_overlap,
                                           .gap = segment_segment_gap,
                                           .contact = segment_segment_contact,
                                           .touch = segment_segment_touch};

bool cm_overlap_capsule_capsule(const cm_capsule *a, const cm_capsule *b) {
    cm__point s[4] = {cm__point_of(a->a), cm__point_of(a->b), cm__point_of(b->a), cm__point_of(b->b)};
    cm__closest c;
    segments_closest(s, &c);
    return gap_within(c.gap, (double)a->radius + (double)b->radius) && cm_capsule_is_valid(a) && cm_capsule_is_valid(b);
}

static CM__RARE bool capsules_contact_careful(const cm_capsule *a, const cm_capsule *b, cm_manifold *out) {
    cm__point s[4] = {cm__point_of(a->a), cm__point_of(a->b), cm__point_of(b->a), cm__point_of(b->b)};
    cm__closest c;
    double ra = (double)a->radius, rb = (double)b->radius;
    bool askew = segments_closest(s, &c);
    if (!gap_within(c.gap, ra + rb) || !cm_capsule_is_valid(a) || !cm_capsule_is_valid(b)) return false;
    segments_manifold(s, &c, askew, ra, rb, 0, out);
    return true;
}

/* Segments far from parallel, of plain size, and not crossing: all in one piece, without a jump on whether they touch.
 * The same numbers as by askew_closest and gap_round_touch; what is alike of both capsules side by side. */
bool cm_contact_capsule_capsule(const cm_capsule *a, const cm_capsule *b, cm_manifold *out) {
    cm__two from[4], to[4]; /* x, y, z of the ends of both; to[3] has the radii */
    two_side_by_side(&a->a.x, &b->a.x, from);
    two_side_by_side(&a->b.x, &b->b.x, to);
    askew_pair k = askew_pair_of(from, to);
    cm__closest c;
    askew_closest(cm__p(two_low(from[0]), two_low(from[1]), two_low(from[2])), &k, &c);
    double ra = two_low(to[3]), rb = two_high(to[3]), reach = ra + rb;
    cm__two sums = two_add(two_add(two_abs(from[0]), two_abs(from[1])), two_add(two_abs(from[2]), two_abs(to[0])));
    double all = two_sum(two_add(sums, two_add(two_abs(to[1]), two_abs(to[2])))) + reach; /* NaN where one is */
    double noise = gap_noise(all);
    if (!(segments_askew(&k) & gap_is_plain(c.square) & (c.square > noise * noise) & (all <= (double)CM_COORD_MAX) &
          (cm__least(ra, rb) >= 0)))
        return capsules_contact_careful(a, b, out);
    bool touch = c.square <= reach * reach;
    cm_manifold none;
    cm__gap gap;
    gap_round_touch(c.a, c.b, c.gap, c.square, ra, rb, &gap);
    manifold_of_touch(&gap, gap_place(touch, out, &none));
    return touch;
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
