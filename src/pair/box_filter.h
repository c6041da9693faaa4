/* A floating-point filter: the 15 axes of two boxes in float, four at a time. Most pairs need no more.
 *
 * With S the sum of the sizes of t, a and b, entries of R are right to 16 half ulps, and so are t's against S, and
 * every gap below to 5e-6 S; 1e-5 S are allowed. A gap beyond that separates the boxes for certain. Left for double
 * precision are the faces whose gap may be the widest, and the pairs of edges that may overlap less than those, may
 * separate the boxes by no more than rounding, or are nearly parallel. So the answer has the same bits as if all axes
 * were computed in double. Only where cm_real is float; else box_scan_run below says the same, from the pair in
 * double. */
#ifndef PAIR_BOX_FILTER_H
#define PAIR_BOX_FILTER_H

#include "math/quad.h"
#include "pair/box_axes.h"

#if !defined(CAROM_F64)

/* d rotated by the inverse of q, which need not be of length 1. */
static inline f32x4 filter_unrotate(f32x4 q, f32x4 d) {
    f32x4 across = quad_cross(q, d), s = f32x4_div(f32x4_all(2), quad_sum(f32x4_mul(q, q)));
    f32x4 turned = f32x4_sub(quad_cross(q, across), f32x4_mul(f32x4_lane(q, 3), across));
    return f32x4_add(d, f32x4_mul(s, turned));
}

/* The rows of the matrix of q. */
static inline void filter_rows(f32x4 q, f32x4 row[3]) {
    f32x4 s = f32x4_div(f32x4_all(2), quad_sum(f32x4_mul(q, q))), p = f32x4_mul(q, s);
    f32x4 x = f32x4_lane(q, 0), y = f32x4_lane(q, 1), z = f32x4_lane(q, 2);
    f32x4 yxw = f32x4_pick(p, 1, 0, 3, 3), zwx = f32x4_pick(p, 2, 3, 0, 3), wzy = f32x4_pick(p, 3, 2, 1, 3);
    row[0] = f32x4_add(f32x4_of(1, 0, 0, 0), f32x4_add(f32x4_mul(y, quad_minus(yxw, true, false, false, false)),
                                                       f32x4_mul(z, quad_minus(zwx, true, true, false, false))));
    row[1] = f32x4_add(f32x4_of(0, 1, 0, 0), f32x4_add(f32x4_mul(x, quad_minus(yxw, false, true, true, false)),
                                                       f32x4_mul(z, quad_minus(wzy, false, true, false, false))));
    row[2] = f32x4_add(f32x4_of(0, 0, 1, 0), f32x4_add(f32x4_mul(x, quad_minus(zwx, false, false, true, false)),
                                                       f32x4_mul(y, quad_minus(wzy, true, false, true, false))));
}

/* x, y, z: the rows of the matrix of B's axes; t: B's center; both in A's frame. The last lane of t, a and b is
 * ignored. With `all` only the verdict is wanted: no branch depends on the data, and an uncertain pair keeps all axes.
 * Without it the function returns after the faces where they separate the boxes. */
static inline void box_filter_rows(f32x4 x, f32x4 y, f32x4 z, f32x4 t, f32x4 a, f32x4 b, bool all, box_filter *out) {
    const u32x4 three = u32x4_of(UINT32_MAX, UINT32_MAX, UINT32_MAX, 0);
    const f32x4 r[3] = {x, y, z};
    f32x4 f[3], squares[3], column[3];
    t = f32x4_where(three, t), a = f32x4_where(three, a), b = f32x4_where(three, b);
    for (int i = 0; i < 3; i++) f[i] = f32x4_abs(r[i]), squares[i] = f32x4_mul(r[i], r[i]);
    f32x4 size = quad_sum(f32x4_add(f32x4_abs(t), f32x4_add(a, b)));
    f32x4 noise = f32x4_mul(size, f32x4_all(1e-5f)), zero = f32x4_all(0);
    /* faces */
    f32x4 low = f32x4_zip_low(f[0], f[1]), high = f32x4_zip_high(f[0], f[1]);
    column[0] = f32x4_mix(low, f[2], 0, 1, 4, 4);
    column[1] = f32x4_mix(low, f[2], 2, 3, 5, 5);
    column[2] = f32x4_mix(high, f[2], 0, 1, 6, 6);
    const f32x4 as[3] = {f32x4_lane(a, 0), f32x4_lane(a, 1), f32x4_lane(a, 2)};
    const f32x4 bs[3] = {f32x4_lane(b, 0), f32x4_lane(b, 1), f32x4_lane(b, 2)};
    const f32x4 ts[3] = {f32x4_lane(t, 0), f32x4_lane(t, 1), f32x4_lane(t, 2)};
    f32x4 of_a = a, of_b = b;
    for (int i = 0; i < 3; i++) {
        of_a = f32x4_add(of_a, f32x4_mul(bs[i], column[i]));
        of_b = f32x4_add(of_b, f32x4_mul(as[i], f[i]));
    }
    of_a = f32x4_sub(f32x4_abs(t), of_a);
    f32x4 along = f32x4_add(f32x4_add(f32x4_mul(ts[0], r[0]), f32x4_mul(ts[1], r[1])), f32x4_mul(ts[2], r[2]));
    of_b = f32x4_sub(f32x4_abs(along), of_b);
    f32x4 best = f32x4_max(of_a, of_b);
    best = f32x4_max(f32x4_lane(best, 0), f32x4_max(f32x4_lane(best, 1), f32x4_lane(best, 2)));
    f32x4 widest = f32x4_max(of_a, of_b), least = f32x4_sub(best, f32x4_add(noise, noise));
    unsigned few_a = u32x4_mask(f32x4_ge(of_a, least)) & 7;
    unsigned few_b = u32x4_mask(f32x4_ge(of_b, least)) & 7;
    float total = f32x4_first(size);
    bool plain = (total > 1e-12f) & (total < 1e12f); /* no square leaves the range */
    out->apart = plain & (f32x4_first(best) > f32x4_first(noise)), out->meet = false;
    out->gap = (double)f32x4_first(best) - (double)f32x4_first(noise), out->known = out->sure = out->apart;
    if (!all && out->apart) return; /* most boxes that are apart are separated by a face */
    /* edges */
    f32x4 limit = f32x4_sub(best, noise), b_next = f32x4_pick(b, 1, 2, 0, 3), b_last = f32x4_pick(b, 2, 0, 1, 3);
    limit = f32x4_mul(f32x4_mul(limit, limit), f32x4_all(1.0001f));
    /* Rotating B so that its edge becomes parallel to A's, by an angle of sine s, moves no point by more than s S. For
     * parallel edges the faces are all the axes there are. So boxes whose faces overlap by more than 4 s S overlap. */
    u32x4 deep_enough = u32x4_all(0);
    f32x4 deep_square = f32x4_add(best, noise), size_square = f32x4_mul(size, size);
    deep_square = f32x4_where(f32x4_lt(deep_square, zero), f32x4_mul(deep_square, deep_square));
    size_square = f32x4_mul(size_square, f32x4_all(17));
    unsigned edges = 0;
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        f32x4 reach = f32x4_add(f32x4_mul(as[k], f[l]), f32x4_mul(as[l], f[k]));
        f32x4 of_box =
            f32x4_add(f32x4_mul(b_next, f32x4_pick(f[i], 2, 0, 1, 3)), f32x4_mul(b_last, f32x4_pick(f[i], 1, 2, 0, 3)));
        f32x4 far = f32x4_abs(f32x4_sub(f32x4_mul(ts[l], r[k]), f32x4_mul(ts[k], r[l])));
        f32x4 gap = f32x4_sub(far, f32x4_add(reach, of_box)), most = f32x4_add(gap, noise);
        f32x4 square = f32x4_add(squares[k], squares[l]);
        widest = f32x4_max(widest, gap);
        deep_enough = u32x4_or(deep_enough, f32x4_lt(f32x4_mul(size_square, square), deep_square));
        if (all) continue;
        u32x4 deep = u32x4_and(f32x4_lt(most, zero), f32x4_ge(f32x4_mul(most, most), f32x4_mul(limit, square)));
        deep = u32x4_and(deep, f32x4_gt(square, f32x4_all((float)(1.02 * BOX_PARALLEL))));
        edges |= (~u32x4_mask(deep) & 7) << 3 * i;
    }
    out->faces = (plain & !all) ? few_a | few_b << 3 : 63;
    out->edges = (plain & !all) ? edges : 511;
    out->apart |= plain & ((u32x4_mask(f32x4_gt(widest, noise)) & 7) != 0);
    unsigned all_meet = (u32x4_mask(f32x4_lt(widest, f32x4_sub(zero, noise))) & 7) == 7;
    out->meet = plain & ((all_meet | (u32x4_mask(deep_enough) & 7)) != 0);
    out->known = out->sure = out->apart | out->meet;
}

/* The same of B's axes turned by q. */
static inline void box_filter_run(f32x4 q, f32x4 t, f32x4 a, f32x4 b, bool all, box_filter *out) {
    f32x4 r[3];
    filter_rows(q, r);
    box_filter_rows(r[0], r[1], r[2], t, a, b, all, out);
}

/* From the pair itself. */
static inline void box_pair_filter(const box_pair *p, box_filter *out) {
    box_filter_rows(box_floats(p->r[0]), box_floats(p->r[1]), box_floats(p->r[2]), box_floats(p->t), box_floats(p->a),
                    box_floats(p->b), false, out);
}

#else

/* All 15 axes at once, without square roots: which of them separate the boxes, and which pairs of edges are far enough
 * from parallel for box_edge_fast. Bit 3 i + j stands for the edges i x j. */
typedef struct box_scan {
    double face;     /* the widest of the faces' gaps */
    int face_axis;   /* 0 1 2: A's, 3 4 5: B's; the first of the widest */
    bool apart;      /* a face, or a pair of edges in `square`, separates them */
    unsigned square; /* squared sine above BOX_PARALLEL */
    unsigned may;    /* in `square`, and, unless they are apart, with a smaller overlap than the faces' */
    double edge;     /* the widest of the edges' gaps, times their sines */
    double sine;     /* the square of the least sine between edges */
} box_scan;

static inline void box_scan_edges(const box_pair *p, int i, const f64x2 b_next[2], const f64x2 b_last[2], f64x2 gap[2],
                                  f64x2 square[2]) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    const double *q = p->abs[i];
    const f64x2 next[2] = {f64x2_of(q[1], q[2]), f64x2_of(q[0], 0)},
                last[2] = {f64x2_of(q[2], q[0]), f64x2_of(q[1], 0)};
    for (int h = 0; h < 2; h++) { /* j = 0 and 1, j = 2 */
        f64x2 rk = BOX_TWO(p->r[k], 2 * h), rl = BOX_TWO(p->r[l], 2 * h);
        f64x2 along = f64x2_abs(f64x2_sub(f64x2_mul(f64x2_all(p->t[l]), rk), f64x2_mul(f64x2_all(p->t[k]), rl)));
        f64x2 reach =
            f64x2_add(f64x2_mul(f64x2_all(p->a[k]), f64x2_abs(rl)), f64x2_mul(f64x2_all(p->a[l]), f64x2_abs(rk)));
        reach = f64x2_add(reach, f64x2_add(f64x2_mul(b_next[h], last[h]), f64x2_mul(b_last[h], next[h])));
        gap[h] = f64x2_sub(along, reach);
        square[h] = f64x2_add(f64x2_mul(rk, rk), f64x2_mul(rl, rl));
    }
}

static inline void box_scan_faces(const box_pair *p, double out[6]) {
    f64x2 b01 = BOX_TWO(p->b, 0), along[2], reach[2], reach_a[2], last = f64x2_all(p->b[2]);
    const f64x2 p0 = f64x2_mul(b01, BOX_TWO(p->abs[0], 0)), p1 = f64x2_mul(b01, BOX_TWO(p->abs[1], 0)),
                p2 = f64x2_mul(b01, BOX_TWO(p->abs[2], 0));
    reach_a[0] = f64x2_add(f64x2_add(f64x2_lows(p0, p1), f64x2_highs(p0, p1)),
                           f64x2_mul(last, f64x2_of(p->abs[0][2], p->abs[1][2])));
    reach_a[1] = f64x2_add(f64x2_add(p2, f64x2_swap(p2)), f64x2_mul(last, f64x2_all(p->abs[2][2])));
    f64x2_store(out, f64x2_sub(f64x2_abs(BOX_TWO(p->t, 0)), f64x2_add(BOX_TWO(p->a, 0), reach_a[0])));
    out[2] = f64x2_low(f64x2_sub(f64x2_abs(f64x2_all(p->t[2])), f64x2_add(f64x2_all(p->a[2]), reach_a[1])));
    for (int h = 0; h < 2; h++) {
        along[h] = reach[h] = f64x2_all(0);
        f64x2 r0 = BOX_TWO(p->r[0], 2 * h), r1 = BOX_TWO(p->r[1], 2 * h), r2 = BOX_TWO(p->r[2], 2 * h);
        along[h] = f64x2_add(f64x2_add(f64x2_mul(f64x2_all(p->t[0]), r0), f64x2_mul(f64x2_all(p->t[1]), r1)),
                             f64x2_mul(f64x2_all(p->t[2]), r2));
        reach[h] = f64x2_add(
            f64x2_add(f64x2_mul(f64x2_all(p->a[0]), f64x2_abs(r0)), f64x2_mul(f64x2_all(p->a[1]), f64x2_abs(r1))),
            f64x2_mul(f64x2_all(p->a[2]), f64x2_abs(r2)));
    }
    f64x2_store(out + 3, f64x2_sub(f64x2_abs(along[0]), f64x2_add(BOX_TWO(p->b, 0), reach[0])));
    out[5] = f64x2_low(f64x2_sub(f64x2_abs(along[1]), f64x2_add(BOX_TWO(p->b, 2), reach[1])));
}

static inline void box_scan_run(const box_pair *p, box_scan *out) {
    double face[6];
    box_scan_faces(p, face);
    const f64x2 f[3] = {BOX_TWO(face, 0), BOX_TWO(face, 2), BOX_TWO(face, 4)};
    f64x2 most = f64x2_max(f64x2_max(f[0], f[1]), f[2]), zero = f64x2_all(0), limit = f64x2_all(BOX_PARALLEL);
    most = f64x2_max(most, f64x2_swap(most));
    unsigned below = two_above(most, f[0]) | two_above(most, f[1]) << 2 | two_above(most, f[2]) << 4;
    unsigned first = ~below & (below + 1); /* the lowest bit that is not set */
    out->face = f64x2_low(most);
    out->face_axis = (first > 1) + (first > 2) + (first > 4) + (first > 8) + (first > 16);
    const f64x2 b_next[2] = {BOX_TWO(p->b, 1), f64x2_of(p->b[0], 0)};
    const f64x2 b_last[2] = {f64x2_of(p->b[2], p->b[0]), f64x2_of(p->b[1], 0)};
    f64x2 best = f64x2_mul(most, most), gap[2], square[2];
    f64x2 widest = f64x2_all(-DBL_MAX), least = f64x2_all(1);
    unsigned part = 0, squarely = 0, may = 0;
    for (int i = 0; i < 3; i++) {
        box_scan_edges(p, i, b_next, b_last, gap, square);
        for (int h = 0; h < 2; h++) {
            int at = 3 * i + 2 * h;
            unsigned two = h == 0 ? 3 : 1;
            widest = f64x2_max(widest, h == 0 ? gap[h] : f64x2_lows(gap[h], gap[h]));
            least = f64x2_min(least, h == 0 ? square[h] : f64x2_lows(square[h], square[h]));
            part |= (two_above(gap[h], zero) & two) << at;
            squarely |= (two_above(square[h], limit) & two) << at;
            may |= (two_above(f64x2_mul(best, square[h]), f64x2_mul(gap[h], gap[h])) & two) << at;
        }
    }
    out->square = squarely;
    out->apart = !(out->face <= 0) | ((part & squarely) != 0);
    out->may = may & squarely;
    out->edge = f64x2_low(f64x2_max(widest, f64x2_swap(widest)));
    out->sine = f64x2_low(f64x2_min(least, f64x2_swap(least)));
}

/* From the pair itself. */
static inline void box_pair_filter(const box_pair *p, box_filter *out) {
    box_scan scan;
    box_scan_run(p, &scan);
    out->faces = 1u << scan.face_axis;
    out->edges = (~scan.square & 511) | scan.may;
    out->apart = scan.apart;
    out->meet = !scan.apart && scan.square == 511;
    const double size = box_pair_size(p), noise = 128 * (double)CM_REAL_EPSILON * size, deep = scan.face + noise;
    const bool parallel = deep < 0 && 17 * size * size * scan.sine < deep * deep; /* as above */
    const bool sure = parallel || (deep < 0 && scan.edge < -noise);
    if (sure) out->apart = false, out->meet = true;
    out->known = out->apart | out->meet;
    out->gap = wide_max(scan.face, scan.edge) - noise, out->sure = sure || out->gap > 0;
}

#endif
#endif
