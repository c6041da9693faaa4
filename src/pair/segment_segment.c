/* Segment against segment; with radii, capsule against capsule.
 *
 * Closest points from sums of products where the two are far from parallel and clearly apart, else by math/closest.h,
 * which stays right for nearly parallel and needle-like segments. Segments that cross separate perpendicular to both;
 * collinear ones perpendicular to their line. Parallel capsules side by side touch in two points: the ends of their
 * common stretch. */
#include "carom/primitives.h"
#include "math/closest.h"
#include "pair/flat.h"
#include "pair/pair.h"
#include "pair/direct.h"

static cm__point segments_way_out(cm__point d, cm__point e) {
    double ld = cm__point_largest(d), le = cm__point_largest(e);
    if (!(ld > 0 && le > 0)) return wide_perpendicular(ld > 0 ? d : e);
    cm__point n = cm__point_cross(cm__point_scale(d, 1 / ld), cm__point_scale(e, 1 / le));
    return cm__point_largest(n) > 4 * DBL_EPSILON ? wide_normalize(n, n) : wide_perpendicular(d);
}

/* The dot products from which the closest points of two segments are computed, those of the first and second segment
 * side by side: the directions d and e, and r from the first's start to the second's. */
typedef struct askew_pair {
    f64x2 x, y, z;        /* d, e */
    f64x2 rx, ry, rz;     /* r, -r */
    f64x2 squares, along; /* dd, ee; rd, -re */
    f64x2 de;             /* twice */
    double nn;            /* the square of d x e */
} askew_pair;

/* From the ends: x, y, z of the two firsts, side by side, and of the two seconds. */
static inline askew_pair askew_pair_of(const f64x2 from[3], const f64x2 to[3]) {
    askew_pair k;
    k.x = f64x2_sub(to[0], from[0]), k.y = f64x2_sub(to[1], from[1]), k.z = f64x2_sub(to[2], from[2]);
    k.rx = f64x2_sub(f64x2_swap(from[0]), from[0]), k.ry = f64x2_sub(f64x2_swap(from[1]), from[1]);
    k.rz = f64x2_sub(f64x2_swap(from[2]), from[2]);
    k.squares = f64x2_add(f64x2_add(f64x2_mul(k.x, k.x), f64x2_mul(k.y, k.y)), f64x2_mul(k.z, k.z));
    k.along = f64x2_add(f64x2_add(f64x2_mul(k.x, k.rx), f64x2_mul(k.y, k.ry)), f64x2_mul(k.z, k.rz));
    k.de = f64x2_add(f64x2_add(f64x2_mul(k.x, f64x2_swap(k.x)), f64x2_mul(k.y, f64x2_swap(k.y))),
                     f64x2_mul(k.z, f64x2_swap(k.z)));
    k.nn = f64x2_low(k.squares) * f64x2_high(k.squares) - f64x2_low(k.de) * f64x2_low(k.de);
    return k;
}

/* Are the segments far from parallel (by more than 6 degrees), not degenerate, and not of extreme size? */
static inline int segments_askew(const askew_pair *k) {
    double both = f64x2_low(k->squares) * f64x2_high(k->squares);
#if defined(CAROM_F64)
    return (k->nn > 0.01 * both) & (both > GAP_AREA_LEAST) & (both < GAP_AREA_MOST);
#else
    return k->nn > 0.01 * both;
#endif
}

/* Closest points and the vector between them. */
typedef struct askew_gap {
    f64x2 x, y, z;             /* the points, side by side */
    f64x2 gap_x, gap_y, gap_z; /* from the first to the second; the same, negative */
    double square;
} askew_gap;

static inline f64x2 askew_clamp(f64x2 t) { return f64x2_min(f64x2_max(t, f64x2_all(0)), f64x2_all(1)); }

/* Closest points of p + u d and p + r + w e that are askew: closest.h, but with products of sums, all divisions side by
 * side, and without clamping u first. That leaves w(u) = (u de - re) / ee where it is, between w(0) and w(1), or moves
 * it to the nearer of the two. That costs nn two digits at 6 degrees, so it is not for gaps near rounding, whose
 * direction would be wrong: see askew_is_clear. */
static inline askew_gap askew_closest(const f64x2 from[3], const askew_pair *k) {
    f64x2 overs = f64x2_div(f64x2_all(1), k->squares), last = f64x2_highs(k->along, k->along);
    f64x2 ends =
        f64x2_mul(f64x2_add(last, f64x2_lows(f64x2_all(0), k->de)), f64x2_highs(overs, overs)); /* w(0), w(1) */
    ends = askew_clamp(ends);
    double over = f64x2_low(k->along) * f64x2_low(k->de) + f64x2_low(last) * f64x2_low(k->squares);
    f64x2 w = f64x2_max(f64x2_all(over / k->nn), f64x2_min(ends, f64x2_swap(ends)));
    w = f64x2_min(w, f64x2_max(ends, f64x2_swap(ends)));
    f64x2 u = askew_clamp(f64x2_mul(f64x2_add(k->along, f64x2_mul(w, k->de)), overs));
    f64x2 both = f64x2_lows(u, w);
    f64x2 x = f64x2_mul(k->x, both), y = f64x2_mul(k->y, both), z = f64x2_mul(k->z, both);
    askew_gap g;
    g.gap_x = f64x2_add(k->rx, f64x2_sub(f64x2_swap(x), x)), g.gap_y = f64x2_add(k->ry, f64x2_sub(f64x2_swap(y), y));
    g.gap_z = f64x2_add(k->rz, f64x2_sub(f64x2_swap(z), z));
    g.x = f64x2_add(from[0], x), g.y = f64x2_add(from[1], y), g.z = f64x2_add(from[2], z);
    g.square = f64x2_low(
        f64x2_add(f64x2_add(f64x2_mul(g.gap_x, g.gap_x), f64x2_mul(g.gap_y, g.gap_y)), f64x2_mul(g.gap_z, g.gap_z)));
    return g;
}

/* Is the gap far longer than rounding, and are coordinates and squares certainly in range? The sum of four sizes is at
 * most 2 |a| + 2 |b| + |d| + |e|, whose square is at most ten times the sum of squares. */
static inline int askew_is_clear(const f64x2 from[3], const askew_pair *k, double square) {
    const double noise = gap_noise(1), most = (double)CM_COORD_MAX / 4;
    f64x2 sum =
        f64x2_add(f64x2_add(f64x2_mul(from[0], from[0]), f64x2_mul(from[1], from[1])), f64x2_mul(from[2], from[2]));
    double all = two_sum(f64x2_add(sum, k->squares));
    return (square > 0x1p20 * 10 * noise * noise * all) & (all < most * most);
}

/* Moves the points out to the surfaces: a + ra n, b - rb n. The gap becomes the unit normal n, and -n. Returns the
 * gap's length. */
static inline double askew_surface(askew_gap *g, f64x2 radii) {
    double length = sqrt(g->square);
    f64x2 over = f64x2_all(1 / length);
    g->gap_x = f64x2_mul(g->gap_x, over), g->gap_y = f64x2_mul(g->gap_y, over), g->gap_z = f64x2_mul(g->gap_z, over);
    g->x = two_mul_add(g->x, radii, g->gap_x), g->y = two_mul_add(g->y, radii, g->gap_y);
    g->z = two_mul_add(g->z, radii, g->gap_z);
    return length;
}

/* Closest points. Returns true where the segments are askew and clearly apart; else the points come from closest.h. All
 * answers of this file come from here, or have the same bits. */
static bool segments_closest(const cm__point s[4], cm__closest *c) {
    const f64x2 from[3] = {f64x2_of(s[0].x, s[2].x), f64x2_of(s[0].y, s[2].y), f64x2_of(s[0].z, s[2].z)};
    const f64x2 to[3] = {f64x2_of(s[1].x, s[3].x), f64x2_of(s[1].y, s[3].y), f64x2_of(s[1].z, s[3].z)};
    askew_pair k = askew_pair_of(from, to);
    askew_gap g = askew_closest(from, &k);
    if (!(segments_askew(&k) & askew_is_clear(from, &k, g.square))) {
        *c = cm__closest_segment_segment(s[0], s[1], s[2], s[3]);
        return false;
    }
    c->a = cm__p(f64x2_low(g.x), f64x2_low(g.y), f64x2_low(g.z));
    c->b = cm__p(f64x2_high(g.x), f64x2_high(g.y), f64x2_high(g.z));
    c->gap = cm__p(f64x2_low(g.gap_x), f64x2_low(g.gap_y), f64x2_low(g.gap_z));
    return true;
}

static double segments_noise(const cm__point s[4]) {
    return gap_noise(cm__point_largest(s[0]) + cm__point_largest(s[1]) + cm__point_largest(s[2]) +
                     cm__point_largest(s[3]));
}

static void segments_gap(const cm__point s[4], double ra, double rb, cm__gap *out) {
    cm__closest c;
    if (segments_closest(s, &c)) { /* far longer than noise */
        cm__gap_round(c.a, c.b, c.gap, ra, rb, c.gap, 0, out);
        return;
    }
    cm__point way_out = segments_way_out(cm__point_sub(s[1], s[0]), cm__point_sub(s[3], s[2]));
    cm__gap_round(c.a, c.b, c.gap, ra, rb, way_out, segments_noise(s), out);
}

static void segments_lay_out(const cm_segment *a, const cm_segment *b, const cm__frame *b_in_a, cm__point s[4]) {
    s[0] = cm__point_of(a->a), s[1] = cm__point_of(a->b);
    s[2] = cm__point_of(b->a), s[3] = cm__point_of(b->b);
    if (!b_in_a) return;
    s[2] = frame_apply(b_in_a, s[2]), s[3] = frame_apply(b_in_a, s[3]);
}

static bool segment_segment_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__point s[4];
    const cm__frame frame = frame_of_pose(b_in_a);
    segments_lay_out(&a->u.segment, &b->u.segment, &frame, s);
    cm__closest c;
    segments_closest(s, &c);
    return gap_within(c.gap, (double)a->radius + (double)b->radius);
}

/* cm__method's `sure`: the verdict, where it is the same whichever segment is the first. */
static int segments_sure(const cm__point s[4], const cm__closest *c, const cm_pose *b_in_a, double reach) {
    double size = reach + (double)cm_largest(b_in_a->position);
    for (int i = 0; i < 4; i++) size += cm__point_largest(s[i]);
    return pair_sure(cm__point_dot(c->gap, c->gap), reach, 2 * size);
}

static int segment_segment_sure(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, double margin) {
    cm__point s[4];
    const cm__frame frame = frame_of_pose(b_in_a);
    segments_lay_out(&a->u.segment, &b->u.segment, &frame, s);
    cm__closest c;
    segments_closest(s, &c);
    return segments_sure(s, &c, b_in_a, (double)a->radius + (double)b->radius + margin);
}

static void segment_segment_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    cm__point s[4];
    segments_lay_out(&a->u.segment, &b->u.segment, b_in_a, s);
    segments_gap(s, (double)a->radius, (double)b->radius, out);
}

/* The manifold of two segments within reach of each other. */
static void segments_manifold(const cm__point s[4], const cm__closest *c, bool askew, double ra, double rb,
                              double margin, cm_manifold *out) {
    cm__gap core;
    if (askew) { /* one point */
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

static inline int segments_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                   bool sure, cm_manifold *out, int capacity) {
    cm__point s[4];
    const cm__frame frame = frame_of_pose(b_in_a);
    segments_lay_out(&a->u.segment, &b->u.segment, &frame, s);
    cm__closest c;
    double ra = (double)a->radius, rb = (double)b->radius, reach = ra + rb + (double)margin;
    bool askew = segments_closest(s, &c);
    if (sure && segments_sure(s, &c, b_in_a, reach) == 0) return -1;
    if (!gap_within(c.gap, reach)) return 0;
    if (capacity > 0) segments_manifold(s, &c, askew, ra, rb, (double)margin, out);
    return 1;
}
static int segment_segment_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                   cm_manifold *out, int capacity) {
    return segments_contact(a, b, b_in_a, margin, false, out, capacity);
}
static int segment_segment_contact_sure(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                        cm_manifold *out, int capacity) {
    return segments_contact(a, b, b_in_a, margin, true, out, capacity);
}

#if !defined(CAROM_F64)
DIRECT_INLINE int segment_segment_near(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,
                                       const cm_pose *pose_b, cm_real margin, direct_near *out) {
    out->poses = direct_poses_of(pose_a, pose_b);
    two_mat3 turn = direct_turn(out->poses.turn);
    f32x4 a0 = quad_of_vec3(&a->u.segment.a), a1 = quad_of_vec3(&a->u.segment.b);
    f32x4 b0 = quad_of_vec3(&b->u.segment.a), b1 = quad_of_vec3(&b->u.segment.b);
    out->sizes = f32x4_add(f32x4_add(direct_segment(a), direct_segment(b)), f32x4_all(a->radius + b->radius + margin));
    points2 at_a = points_of_quads(a0, a1), at_b = points_of_quads(b0, b1);
    at_b = points_apply(&turn, direct_point_of(out->poses.at), &at_b);
    const f64x2 from[3] = {f64x2_lows(at_a.x, at_b.x), f64x2_lows(at_a.y, at_b.y), f64x2_lows(at_a.z, at_b.z)};
    const f64x2 to[3] = {f64x2_highs(at_a.x, at_b.x), f64x2_highs(at_a.y, at_b.y), f64x2_highs(at_a.z, at_b.z)};
    askew_pair k = askew_pair_of(from, to);
    askew_gap g = askew_closest(from, &k);
    const int clear = segments_askew(&k) & askew_is_clear(from, &k, g.square);
    const double ra = (double)a->radius, rb = (double)b->radius;
    out->square = g.square, out->reach = ra + rb;
    out->distance = askew_surface(&g, f64x2_of(ra, rb)) - out->reach;
    out->touch = g.square <= out->reach * out->reach;
    out->normal.xy = f64x2_lows(g.gap_x, g.gap_y), out->normal.z = f64x2_low(g.gap_z);
    out->a.xy = f64x2_lows(g.x, g.y), out->a.z = f64x2_low(g.z);
    out->b.xy = f64x2_highs(g.x, g.y), out->b.z = f64x2_high(g.z);
    return direct_valid(&out->poses, out->sizes) & clear & (a->radius >= 0) & (b->radius >= 0) & (out->reach > 0);
}
DIRECT_CONTACT(segment_segment, segment_segment_near, true)
DIRECT_DISTANCE(segment_segment, segment_segment_near)
#endif

const cm__method cm__method_segment_segment = {.overlap = segment_segment_overlap,
                                               .gap = segment_segment_gap,
                                               .contact = segment_segment_contact,
                                               .sure = segment_segment_sure,
                                               .contact_sure = segment_segment_contact_sure,
                                               .contact_direct = DIRECT(segment_segment_contact_direct),
                                               .distance_direct = DIRECT(segment_segment_distance_direct)};

bool cm_overlap_capsule_capsule(const cm_capsule *a, const cm_capsule *b) {
    if (!((double)a->radius + (double)b->radius > 0)) {
        const cm_vec3 of_a[2] = {a->a, a->b}, of_b[2] = {b->a, b->b};
        return cm_capsule_is_valid(a) && cm_capsule_is_valid(b) && cm__flats_overlap(of_a, 2, of_b, 2);
    }
    cm__point s[4] = {cm__point_of(a->a), cm__point_of(a->b), cm__point_of(b->a), cm__point_of(b->b)};
    cm__closest c;
    segments_closest(s, &c);
    return gap_within(c.gap, (double)a->radius + (double)b->radius) && cm_capsule_is_valid(a) && cm_capsule_is_valid(b);
}

static CM__RARE bool capsules_contact_careful(const cm_capsule *a, const cm_capsule *b, cm_manifold *out) {
    cm__point s[4] = {cm__point_of(a->a), cm__point_of(a->b), cm__point_of(b->a), cm__point_of(b->b)};
    cm__closest c;
    double ra = (double)a->radius, rb = (double)b->radius;
    if (!(ra + rb > 0)) {
        const cm_shape first = cm_make_segment(a->a, a->b), second = cm_make_segment(b->a, b->b);
        const cm_pose identity = cm_pose_identity();
        return cm_capsule_is_valid(a) && cm_capsule_is_valid(b) &&
               cm_contact(&first, &identity, &second, &identity, 0, out, 1) > 0;
    }
    bool askew = segments_closest(s, &c);
    if (!gap_within(c.gap, ra + rb) || !cm_capsule_is_valid(a) || !cm_capsule_is_valid(b)) return false;
    segments_manifold(s, &c, askew, ra, rb, 0, out);
    return true;
}

/* For segments far from parallel, in range, and clearly apart: everything in one function, without a branch on whether
 * they touch. The same numbers as by segments_closest and cm__gap_round; both capsules are computed side by side. */
bool cm_contact_capsule_capsule(const cm_capsule *a, const cm_capsule *b, cm_manifold *out) {
    f64x2 from[4], to[4]; /* x, y, z of the ends of both; to[3] has the radii */
    two_side_by_side(&a->a.x, &b->a.x, from);
    two_side_by_side(&a->b.x, &b->b.x, to);
    askew_pair k = askew_pair_of(from, to);
    askew_gap g = askew_closest(from, &k);
    double ra = f64x2_low(to[3]), rb = f64x2_high(to[3]), reach = ra + rb;
    if (!(segments_askew(&k) & askew_is_clear(from, &k, g.square) & (cm__least(ra, rb) >= 0) &
          (reach < (double)CM_COORD_MAX)))
        return capsules_contact_careful(a, b, out);
    bool touch = g.square <= reach * reach;
    cm_manifold none, *to_out = gap_place(touch, out, &none);
    cm_contact_point *p = &to_out->points[0];
    double length = askew_surface(&g, to[3]);
    two_to_reals(&p->point_a.x, f64x2_lows(g.x, g.y)), p->point_a.z = (cm_real)f64x2_low(g.z);
    two_to_reals(&p->point_b.x, f64x2_highs(g.x, g.y)), p->point_b.z = (cm_real)f64x2_high(g.z);
    two_to_reals(&to_out->normal.x, f64x2_lows(g.gap_x, g.gap_y)), to_out->normal.z = (cm_real)f64x2_low(g.gap_z);
    p->depth = (cm_real)(0 - cm__least(length - reach, 0)); /* touching: 0, not -0 */
    manifold_of_one(to_out);
    return touch;
}

cm_real cm_distance_segment_segment(const cm_segment *a, const cm_segment *b, cm_witness *out) {
    if (!cm_segment_is_valid(a) || !cm_segment_is_valid(b)) return CM_REAL_MAX;
    cm__point s[4];
    cm__gap gap;
    segments_lay_out(a, b, NULL, s);
    segments_gap(s, 0, 0, &gap);
    const cm_vec3 of_a[2] = {a->a, a->b}, of_b[2] = {b->a, b->b};
    cm_real distance = gap_distance(cm__flats_settle(gap.distance, of_a, 2, of_b, 2));
    if (!out) return distance;
    out->point_a = cm__vec3_of(gap.a);
    out->point_b = cm__vec3_of(gap.b);
    out->normal = cm__vec3_of(gap.normal);
    out->distance = distance;
    out->part_a = out->part_b = CM_NONE;
    out->flags = 0;
    return distance;
}
