/* Contacts of 64 pairs of one class, lane by lane: with the operations of the single call in their order (pair/gap.c,
 * point_point.c, point_segment.c, point_box.c, segment_segment.c), so with its bits.
 *
 * A lane is in doubt, and answered by the single call, where the single call leaves its common path: input that is not
 * valid, rotations not of unit length within rounding, sizes far from 1, cores that touch, nearly parallel segments;
 * and for equal kinds where rounding could make the answer depend on the order (pair/order.c). Intermediate numbers are
 * double, as in the single calls. Included by kernel.c only. */
#ifndef BATCH_KERNEL_CONTACT_H
#define BATCH_KERNEL_CONTACT_H

#include "pair/gap.h"
#include "pair/pair.h"

typedef double wide_lanes[LOOK_LANES];

/* The pairs' poses, B's pose in A's frame, and the contacts in A's frame. */
typedef struct contact_rows {
    _Alignas(CM__BATCH_ALIGN) real_lanes at_a[3], at_b[3], turn_a[4], turn_b[4];
    real_lanes radius_a, radius_b, core_a[9], core_b[9];
    real_lanes at[3], turn[4];
    real_lanes all; /* the sum of all sizes; NaN or more than SIZE_MOST where something is not valid */
    wide_lanes axes[9];
    wide_lanes reach;                           /* both radii */
    wide_lanes a[3], b[3], normal[3], distance; /* cm__gap */
    wide_lanes local[3];                        /* in a box's frame */
    wide_lanes found;                           /* 1, -1, 0: in doubt */
} contact_rows;

LOOK_INLINE cm__point real_point(real_lanes *r, int i) {
    return cm__p((double)r[0][i], (double)r[1][i], (double)r[2][i]);
}
LOOK_INLINE cm_vec3 real_vec(real_lanes *r, int i) { return cm_v(r[0][i], r[1][i], r[2][i]); }
LOOK_INLINE cm_quat real_quat(real_lanes *r, int i) {
    const cm_quat q = {r[0][i], r[1][i], r[2][i], r[3][i]};
    return q;
}
LOOK_INLINE void wide_put(wide_lanes *r, int i, cm__point p) { r[0][i] = p.x, r[1][i] = p.y, r[2][i] = p.z; }
LOOK_INLINE void real_put(real_lanes *r, int i, cm_vec3 v) { r[0][i] = v.x, r[1][i] = v.y, r[2][i] = v.z; }
LOOK_INLINE cm__frame wide_frame(contact_rows *r, int i) {
    wide_lanes *const m = r->axes;
    cm__frame f;
    f.x = cm__p(m[0][i], m[1][i], m[2][i]), f.y = cm__p(m[3][i], m[4][i], m[5][i]);
    f.z = cm__p(m[6][i], m[7][i], m[8][i]), f.position = real_point(r->at, i);
    return f;
}

/* --- into A's frame ----------------------------------------------------------------------------------------------- */

static void contact_places(contact_rows *r) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        cm_pose a, b;
        a.position = real_vec(r->at_a, i), a.rotation = real_quat(r->turn_a, i);
        b.position = real_vec(r->at_b, i), b.rotation = real_quat(r->turn_b, i);
        const cm_pose b_in_a = cm_pose_between(&a, &b);
        real_put(r->at, i, b_in_a.position);
        r->turn[0][i] = b_in_a.rotation.x, r->turn[1][i] = b_in_a.rotation.y;
        r->turn[2][i] = b_in_a.rotation.z, r->turn[3][i] = b_in_a.rotation.w;
        const cm_real off_a = cm_abs(quat_square(a.rotation) - 1), off_b = cm_abs(quat_square(b.rotation) - 1);
        const bool unit = (off_a <= PAIR_UNIT_ROUNDING) & (off_b <= PAIR_UNIT_ROUNDING);
        const cm_real sizes = cm_abs(a.position.x) + cm_abs(a.position.y) + cm_abs(a.position.z) +
                              cm_abs(b.position.x) + cm_abs(b.position.y) + cm_abs(b.position.z);
        const bool sound = unit & (r->radius_a[i] >= 0) & (r->radius_b[i] >= 0);
        r->all[i] = sound ? sizes + r->radius_a[i] + r->radius_b[i] : CM_REAL_MAX;
    }
}

static void contact_frames(contact_rows *r) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const cm__frame f = frame_of_quat(real_quat(r->turn, i));
        wide_put(r->axes, i, f.x), wide_put(r->axes + 3, i, f.y), wide_put(r->axes + 6, i, f.z);
        r->reach[i] = (double)r->radius_a[i] + (double)r->radius_b[i];
    }
}

/* --- the answer ---------------------------------------------------------------------------------------------------- */

/* cm__gap_round, where the gap is longer than its rounding. */
typedef struct lane_gap {
    cm__point a, b, normal;
    double distance;
} lane_gap;

/* A shorter distance between cores is in doubt; so are sizes above SIZE_MOST, and radii that are both 0. */
#define LOOK_SQUARE_LEAST 1e-60
LOOK_INLINE double lane_plain(const contact_rows *r, int i, double cores, double square) {
    const double all = (double)r->all[i] + cores;
    return ((all <= (double)SIZE_MOST) & (r->reach[i] > 0) & (square > LOOK_SQUARE_LEAST)) ? 1.0 : 0.0;
}

LOOK_INLINE lane_gap lane_round(const contact_rows *r, int i, cm__point a, cm__point b, cm__point gap) {
    const double ra = (double)r->radius_a[i], rb = (double)r->radius_b[i], reach = r->reach[i];
    const double square = cm__point_dot(gap, gap), length = sqrt(square), distance = length - reach;
    lane_gap g;
    g.normal = cm__point_scale(gap, 1 / length);
    const double near = distance > 0 ? 0 : distance, far = distance > 0 ? distance : DBL_MIN;
    g.distance = square <= reach * reach ? near : far; /* distance_settled */
    g.a = cm__point_mul_add(a, ra, g.normal), g.b = cm__point_mul_add(b, -rb, g.normal);
    return g;
}

LOOK_INLINE void lane_answer(contact_rows *r, int i, lane_gap g, double plain, double touch) {
    wide_put(r->a, i, g.a), wide_put(r->b, i, g.b), wide_put(r->normal, i, g.normal);
    r->distance[i] = g.distance;
    r->found[i] = touch * plain;
}

/* pair_sure, as a sign: 1 within reach, -1 beyond it. */
LOOK_INLINE double lane_sure(double square, double reach, double size) {
    const double over = square - reach * reach, band = 2 * PAIR_ORDER_ROUNDING * size * size;
    const double no = over > band ? -1.0 : 0.0;
    return over < -band ? 1.0 : no;
}

static void contact_point_point(contact_rows *r, double margin) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const cm__frame f = wide_frame(r, i);
        const cm__point p = real_point(r->core_a, i), v = real_point(r->core_b, i), at = frame_apply(&f, v);
        cm__point q = at;
#if !defined(CAROM_F64) /* point_point_direct does not turn a center at the origin, which keeps a -0 */
        const bool turned = (v.x != 0) | (v.y != 0) | (v.z != 0);
        q.x = turned ? at.x : f.position.x, q.y = turned ? at.y : f.position.y, q.z = turned ? at.z : f.position.z;
#endif
        const cm__point gap = cm__point_sub(q, p);
        const double cores = wide_sum(p) + wide_sum(v), reach = r->reach[i] + margin, square = cm__point_dot(gap, gap);
        const double sure = lane_sure(square, reach, wide_sum(f.position) + cores + reach);
        lane_answer(r, i, lane_round(r, i, p, q, gap), lane_plain(r, i, cores, square), sure);
    }
}

/* cm__ratio01, whose cm__most is an instruction of one number and would keep a loop from being vectorized. */
LOOK_INLINE double lane_ratio01(double over, double under) {
    const double least = wide_max(under, DBL_MIN);
    return wide_min(wide_max(-0.0, over), least) / least;
}

static void contact_point_segment(contact_rows *r, double margin) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const cm__frame f = wide_frame(r, i);
        const cm__point p = real_point(r->core_a, i), u = real_point(r->core_b, i), v = real_point(r->core_b + 3, i);
        const cm__point b0 = frame_apply(&f, u), b1 = frame_apply(&f, v);
        /* cm__closest_point_segment */
        const cm__point d = cm__point_sub(b1, b0), from = cm__point_sub(b0, p);
        const double dd = cm__point_dot(d, d), t = lane_ratio01(cm__point_dot(cm__p(-from.x, -from.y, -from.z), d), dd);
        const cm__point foot = cm__point_between(b0, b1, t), gap = cm__point_mul_add(from, t, d);
        const double square = cm__point_dot(gap, gap), noise = gap_noise(cm__point_largest(p) + cm__point_largest(d));
        const lane_gap g = lane_round(r, i, p, foot, gap);
        const double plain = lane_plain(r, i, wide_sum(p) + wide_sum(u) + wide_sum(v), square);
        const double safe = ((dd > 1e-60) & (square > 2 * noise * noise)) ? plain : 0.0;
        lane_answer(r, i, g, safe, g.distance <= margin ? 1.0 : -1.0);
    }
}

/* cm__closest_try_edge: takes the foot of p on the edge from `from` along `to`, if p lies beyond the edge and the foot
 * is nearer than the nearest so far. In double, *doubt > 0 where two feet, not both corners, are nearly as far: then
 * cm__closest_is_nearer decides. */
LOOK_INLINE void lane_try_edge(cm__point p, cm__point from, cm__point to, double beyond, double *least, cm__point *foot,
                               cm__point *gap, double *within, double *doubt) {
    const cm__point d = cm__point_sub(to, from), r = cm__point_sub(from, p);
    const double dd = cm__point_dot(d, d);
    const double t = lane_ratio01(cm__point_dot(cm__p(-r.x, -r.y, -r.z), d), dd);
    const cm__point at = cm__point_between(from, to, t), way = cm__point_mul_add(r, t, d);
    const double square = beyond < 0 ? cm__point_dot(way, way) : DBL_MAX;
    const double best = *least;
#if defined(CAROM_F64)
    const double inner = t * (1 - t), apart = fabs(square - best) - (0x1p-30 * best + 0x1p-75 * dd);
    *doubt += wide_max(-apart, 0) * wide_max(inner, *within); /* sums and products: no jump on a lane */
    *within = square < best ? inner : *within;
#else
    (void)within, (void)doubt;
#endif
    *foot = cm__p(square < best ? at.x : foot->x, square < best ? at.y : foot->y, square < best ? at.z : foot->z);
    *gap = cm__p(square < best ? way.x : gap->x, square < best ? way.y : gap->y, square < best ? way.z : gap->z);
    *least = square < best ? square : best;
}

/* cm__closest_point_triangle of triangles that are not thin. */
static void contact_point_triangle(contact_rows *r, double margin) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const cm__frame f = wide_frame(r, i);
        const cm__point p = real_point(r->core_a, i), u = real_point(r->core_b, i);
        const cm__point v = real_point(r->core_b + 3, i), w = real_point(r->core_b + 6, i);
        const cm__point a = frame_apply(&f, u), b = frame_apply(&f, v), c = frame_apply(&f, w);
        const cm__point ab = cm__point_sub(b, a), ac = cm__point_sub(c, a), bc = cm__point_sub(c, b);
        const cm__point ap = cm__point_sub(p, a), bp = cm__point_sub(p, b), n = cm__point_cross(ab, ac);
        const double nn = cm__point_dot(n, n), square_ab = cm__point_dot(ab, ab), square_ac = cm__point_dot(ac, ac);
        const double wc = cm__point_dot(n, cm__point_cross(ab, ap)), wb = cm__point_dot(n, cm__point_cross(ap, ac));
        const double wa = cm__point_dot(n, cm__point_cross(bc, bp));
        double least = DBL_MAX / 2, inner = 0, doubt = 0;
        cm__point foot = a, gap = cm__point_sub(a, p);
        lane_try_edge(p, a, b, wc, &least, &foot, &gap, &inner, &doubt);
        lane_try_edge(p, b, c, wa, &least, &foot, &gap, &inner, &doubt);
        lane_try_edge(p, c, a, wb, &least, &foot, &gap, &inner, &doubt);
        /* over the face: where rounding makes the sum of weights exceed 1, that of the longer edge is kept */
        const double to_b = wb / nn, to_c = wc / nn, over = wide_max(to_b + to_c - 1, 0);
        const double most_b = wide_min(to_b, 1), rest_b = wide_max(to_b - over, 0);
        const double most_c = wide_min(to_c, 1), rest_c = wide_max(to_c - over, 0);
        const double by_b = square_ab > square_ac ? most_b : rest_b, by_c = square_ab > square_ac ? rest_c : most_c;
        const cm__point within = cm__point_mul_add(cm__point_mul_add(a, by_b, ab), by_c, ac);
        const cm__point rest = cm__point_mul_add(cm__point_mul_add(ap, -by_b, ab), -by_c, ac);
        const cm__point way = cm__point_scale(n, -(cm__point_dot(n, rest) / nn));
        const double inside = wide_min(wa, wide_min(wb, wc));
        foot = cm__p(inside >= 0 ? within.x : foot.x, inside >= 0 ? within.y : foot.y, inside >= 0 ? within.z : foot.z);
        gap = cm__p(inside >= 0 ? way.x : gap.x, inside >= 0 ? way.y : gap.y, inside >= 0 ? way.z : gap.z);
        const double square = cm__point_dot(gap, gap);
        const double noise = gap_noise(cm__point_largest(a) + cm__point_largest(b) + cm__point_largest(c));
        const lane_gap g = lane_round(r, i, p, foot, gap);
        const double cores = wide_sum(p) + wide_sum(u) + wide_sum(v) + wide_sum(w);
        const double plain = lane_plain(r, i, cores, square);
        const double thick = ((nn > 0x1p-8 * (square_ab * square_ac)) & (nn > 1e-120)) ? plain : 0.0;
        const double safe = ((square > 2 * noise * noise) & (doubt <= 0)) ? thick : 0.0;
        lane_answer(r, i, g, safe, g.distance <= margin ? 1.0 : -1.0);
    }
}

/* A component of the nearest face's inward normal, for a point at x; in the middle the positive face counts. `by`: 1 on
 * the axis of that face, else 0, which gives +0. */
LOOK_INLINE double inward(double by, double x) { return 0 - by * (x >= 0 ? 1.0 : -1.0); }

/* The gaps of points outside the box, in the box's frame; `found`: not in doubt. */
static void contact_box_outside(contact_rows *r) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const cm__frame f = wide_frame(r, i);
        const cm__point at = real_point(r->core_a, i), h = real_point(r->core_b, i);
        const cm__point p = frame_unrotate(&f, cm__point_sub(at, f.position));
        const cm__point d = cm__p(wide_min(wide_max(p.x, -h.x), h.x) - p.x, wide_min(wide_max(p.y, -h.y), h.y) - p.y,
                                  wide_min(wide_max(p.z, -h.z), h.z) - p.z);
        const double square = cm__point_dot(d, d), plain = lane_plain(r, i, wide_sum(at) + wide_sum(h), square);
        wide_put(r->local, i, p);
        lane_answer(r, i, lane_round(r, i, p, cm__point_add(p, d), d), 1, plain);
    }
}

/* The same of points inside: out through the nearest face. In doubt where two faces are equally near, which
 * point_box_direct leaves to the checked call. */
static void contact_box_inside(contact_rows *r) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const cm__point p = cm__p(r->local[0][i], r->local[1][i], r->local[2][i]);
        const cm__point at = real_point(r->core_a, i), h = real_point(r->core_b, i);
        const double x = h.x - fabs(p.x), y = h.y - fabs(p.y), z = h.z - fabs(p.z);
        const double depth = wide_min(wide_min(x, y), z);
        const double by_x = x == depth ? 1.0 : 0.0, by_y = y == depth ? 1.0 : 0.0, by_z = z == depth ? 1.0 : 0.0;
        const cm__point n = cm__p(inward(by_x, p.x), inward(by_y, p.y), inward(by_z, p.z));
        const double ra = (double)r->radius_a[i], rb = (double)r->radius_b[i];
        const cm__point a = cm__point_mul_add(p, ra, n), b = cm__point_mul_add(p, -(depth + rb), n);
        const double plain = lane_plain(r, i, wide_sum(at) + wide_sum(h), 1);
        const double distance = -(depth + ra + rb), found = depth >= 0 ? plain : r->found[i];
        for (int k = 0; k < 3; ++k) {
            const double nk = k == 0 ? n.x : k == 1 ? n.y : n.z, ak = k == 0 ? a.x : k == 1 ? a.y : a.z;
            const double bk = k == 0 ? b.x : k == 1 ? b.y : b.z;
            r->normal[k][i] = depth >= 0 ? nk : r->normal[k][i];
            r->a[k][i] = depth >= 0 ? ak : r->a[k][i], r->b[k][i] = depth >= 0 ? bk : r->b[k][i];
        }
        r->distance[i] = depth >= 0 ? distance : r->distance[i];
        r->found[i] = ((h.x > 0) & (h.y > 0) & (h.z > 0) & (by_x + by_y + by_z < 2)) ? found : 0.0;
    }
}

static void contact_point_box(contact_rows *r, double margin) {
    contact_box_outside(r), contact_box_inside(r);
    for (int i = 0; i < LOOK_LANES; ++i) {
        const cm__frame f = wide_frame(r, i);
        cm__point n = frame_rotate(&f, cm__p(r->normal[0][i], r->normal[1][i], r->normal[2][i]));
#if !defined(CAROM_F64) /* point_box_direct leaves no -0 */
        n = cm__point_add(cm__p(0, 0, 0), n);
#endif
        wide_put(r->normal, i, n);
        wide_put(r->a, i, frame_apply(&f, cm__p(r->a[0][i], r->a[1][i], r->a[2][i])));
        wide_put(r->b, i, frame_apply(&f, cm__p(r->b[0][i], r->b[1][i], r->b[2][i])));
        r->found[i] *= r->distance[i] <= margin ? 1.0 : -1.0;
    }
}

LOOK_INLINE double lane_clamp01(double t) { return wide_min(wide_max(t, 0), 1); }

/* segments_closest, of segments that are neither parallel nor touching. */
static void contact_segment_segment(contact_rows *r, double margin) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const cm__frame f = wide_frame(r, i);
        const cm__point a0 = real_point(r->core_a, i), a1 = real_point(r->core_a + 3, i);
        const cm__point u = real_point(r->core_b, i), v = real_point(r->core_b + 3, i);
        const cm__point b0 = frame_apply(&f, u), b1 = frame_apply(&f, v);
        const cm__point d = cm__point_sub(a1, a0), e = cm__point_sub(b1, b0);
        const cm__point from = cm__point_sub(b0, a0), back = cm__point_sub(a0, b0);
        const double dd = cm__point_dot(d, d), ee = cm__point_dot(e, e), de = cm__point_dot(d, e);
        const double along_d = cm__point_dot(d, from), along_e = cm__point_dot(e, back), nn = dd * ee - de * de;
        const double over_d = 1 / dd, over_e = 1 / ee;
        const double at_0 = lane_clamp01((along_e + 0) * over_e), at_1 = lane_clamp01((along_e + de) * over_e);
        double t = wide_max((along_d * de + along_e * dd) / nn, wide_min(at_0, at_1));
        t = wide_min(t, wide_max(at_0, at_1));
        const double s = lane_clamp01((along_d + t * de) * over_d);
        const cm__point ds = cm__point_scale(d, s), et = cm__point_scale(e, t);
        const cm__point gap = cm__point_add(from, cm__point_sub(et, ds));
        const double square = cm__point_dot(gap, gap), reach = r->reach[i] + margin, noise = gap_noise(1);
        const double all = (a0.x * a0.x + a0.y * a0.y + a0.z * a0.z + dd) +
                           (b0.x * b0.x + b0.y * b0.y + b0.z * b0.z + ee); /* askew_is_clear */
        const double size = reach + cm__point_largest(f.position) + cm__point_largest(a0) + cm__point_largest(a1) +
                            cm__point_largest(b0) + cm__point_largest(b1);
        const double plain = lane_plain(r, i, wide_sum(a0) + wide_sum(a1) + wide_sum(u) + wide_sum(v), square);
        const double askew = ((nn > 0.01 * (dd * ee)) & (dd > 1e-60) & (ee > 1e-60)) ? plain : 0.0;
        const double clear = square > 0x1p20 * 10 * noise * noise * all ? askew : 0.0;
        lane_answer(r, i, lane_round(r, i, cm__point_add(a0, ds), cm__point_add(b0, et), gap), clear,
                    lane_sure(square, reach, 2 * size));
    }
}

/* --- into the world ------------------------------------------------------------------------------------------------ */

/* cm__manifold_of_gap and cm__manifold_to_world. */
static void contact_lanes_to_world(contact_rows *r, cm__batch_contacts *out) {
    for (int i = 0; i < LOOK_LANES; ++i) {
        const cm_mat3 m = cm_mat3_from_quat(real_quat(r->turn_a, i));
        const cm_vec3 at = real_vec(r->at_a, i);
        const cm__point n = cm__p(r->normal[0][i], r->normal[1][i], r->normal[2][i]);
        const cm__point a = cm__p(r->a[0][i], r->a[1][i], r->a[2][i]), b = cm__p(r->b[0][i], r->b[1][i], r->b[2][i]);
        real_put(out->normal, i, cm_mat3_mul(&m, cm__vec3_of(n)));
        real_put(out->point_a, i, cm_add(at, cm_mat3_mul(&m, cm__vec3_of(a))));
        real_put(out->point_b, i, cm_add(at, cm_mat3_mul(&m, cm__vec3_of(b))));
        out->distance[i] = r->distance[i];
        out->found[i] = (int32_t)r->found[i];
    }
}

bool BATCH_CONTACT(cm__batch_class kind, const cm__batch_pairs *pairs, double margin, cm__batch_contacts *out) {
    contact_rows r;
    if (!gather_exact_shapes(pairs->shape_a, batch_numbers[kind][0], r.radius_a, r.core_a) ||
        !gather_exact_shapes(pairs->shape_b, batch_numbers[kind][1], r.radius_b, r.core_b))
        return false;
    gather_exact_poses(pairs->pose_a, r.at_a, r.turn_a), gather_exact_poses(pairs->pose_b, r.at_b, r.turn_b);
    contact_places(&r);
    contact_frames(&r);
    switch (kind) {
    case CM__BATCH_POINT_POINT:
        contact_point_point(&r, margin);
        break;
    case CM__BATCH_POINT_SEGMENT:
        contact_point_segment(&r, margin);
        break;
    case CM__BATCH_POINT_TRIANGLE:
        contact_point_triangle(&r, margin);
        break;
    case CM__BATCH_POINT_BOX:
        contact_point_box(&r, margin);
        break;
    case CM__BATCH_SEGMENT_SEGMENT:
        contact_segment_segment(&r, margin);
        break;
    default:
        for (int i = 0; i < LOOK_LANES; ++i) out->found[i] = 0;
        return true;
    }
    contact_lanes_to_world(&r, out);
    return true;
}

#endif
