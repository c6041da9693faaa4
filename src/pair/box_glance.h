/* A glance at the 15 axes of two boxes in float, four at a time: most of them need no more.
 *
 * With S the sum of the sizes of t, a and b, entries of R are right to 16 half ulps, and so are t's against S, and
 * every gap below to 5e-6 S; 1e-5 S are allowed. A gap beyond that parts the boxes for certain. What is left over to
 * look at with care: the faces whose gap may be the widest, and of the edges those that may be less deep than that, or
 * part the boxes by no more than rounding, or are nearly parallel. So the answer has the very bits of looking at all.
 * Only where cm_real is float and there is SSE2; else box_scan_run below says the same, from the pair in double. */
#ifndef PAIR_BOX_GLANCE_H
#define PAIR_BOX_GLANCE_H

#include "math/quad.h"
#include "pair/box_axes.h"

#if defined(CM__QUADS)
#define BOX_GLANCES 1

/* d turned back by q, which need not be of length 1. */
static inline __m128 glance_unturn(__m128 q, __m128 d) {
    __m128 across = quad_cross(q, d), s = _mm_div_ps(_mm_set1_ps(2), quad_sum(quad_mul(q, q)));
    __m128 turned = _mm_sub_ps(quad_cross(q, across), quad_mul(QUAD_ALL(q, 3), across));
    return quad_add(d, quad_mul(s, turned));
}

/* The rows of the matrix of q. */
static inline void glance_rows(__m128 q, __m128 row[3]) {
    __m128 s = _mm_div_ps(_mm_set1_ps(2), quad_sum(quad_mul(q, q))), p = quad_mul(q, s);
    __m128 x = QUAD_ALL(q, 0), y = QUAD_ALL(q, 1), z = QUAD_ALL(q, 2);
    __m128 yxw = QUAD_PICK(p, 1, 0, 3, 3), zwx = QUAD_PICK(p, 2, 3, 0, 3), wzy = QUAD_PICK(p, 3, 2, 1, 3);
    row[0] = quad_add(_mm_set_ps(0, 0, 0, 1), quad_add(quad_mul(y, quad_minus(yxw, true, false, false, false)),
                                                       quad_mul(z, quad_minus(zwx, true, true, false, false))));
    row[1] = quad_add(_mm_set_ps(0, 0, 1, 0), quad_add(quad_mul(x, quad_minus(yxw, false, true, true, false)),
                                                       quad_mul(z, quad_minus(wzy, false, true, false, false))));
    row[2] = quad_add(_mm_set_ps(0, 1, 0, 0), quad_add(quad_mul(x, quad_minus(zwx, false, false, true, false)),
                                                       quad_mul(y, quad_minus(wzy, true, false, true, false))));
}

/* B's axes turned by q and its center at t, in A's frame; the last of t, a and b is of no account. */
static inline void box_glance_at(__m128 q, __m128 t, __m128 a, __m128 b, box_glance *out) {
    const __m128 three = _mm_castsi128_ps(_mm_set_epi32(0, -1, -1, -1));
    __m128 r[3], f[3], squares[3], column[3];
    glance_rows(q, r);
    t = _mm_and_ps(t, three), a = _mm_and_ps(a, three), b = _mm_and_ps(b, three);
    for (int i = 0; i < 3; i++) f[i] = quad_abs(r[i]), squares[i] = quad_mul(r[i], r[i]);
    __m128 size = quad_sum(quad_add(quad_abs(t), quad_add(a, b)));
    __m128 noise = quad_mul(size, _mm_set1_ps(1e-5f)), zero = _mm_setzero_ps();
    /* faces */
    __m128 low = _mm_unpacklo_ps(f[0], f[1]), high = _mm_unpackhi_ps(f[0], f[1]);
    column[0] = _mm_shuffle_ps(low, f[2], _MM_SHUFFLE(0, 0, 1, 0));
    column[1] = _mm_shuffle_ps(low, f[2], _MM_SHUFFLE(1, 1, 3, 2));
    column[2] = _mm_shuffle_ps(high, f[2], _MM_SHUFFLE(2, 2, 1, 0));
    const __m128 as[3] = {QUAD_ALL(a, 0), QUAD_ALL(a, 1), QUAD_ALL(a, 2)};
    const __m128 bs[3] = {QUAD_ALL(b, 0), QUAD_ALL(b, 1), QUAD_ALL(b, 2)};
    const __m128 ts[3] = {QUAD_ALL(t, 0), QUAD_ALL(t, 1), QUAD_ALL(t, 2)};
    __m128 of_a = a, of_b = b;
    for (int i = 0; i < 3; i++) {
        of_a = quad_add(of_a, quad_mul(bs[i], column[i]));
        of_b = quad_add(of_b, quad_mul(as[i], f[i]));
    }
    of_a = _mm_sub_ps(quad_abs(t), of_a);
    __m128 along = quad_add(quad_add(quad_mul(ts[0], r[0]), quad_mul(ts[1], r[1])), quad_mul(ts[2], r[2]));
    of_b = _mm_sub_ps(quad_abs(along), of_b);
    __m128 best = _mm_max_ps(of_a, of_b);
    best = _mm_max_ps(QUAD_ALL(best, 0), _mm_max_ps(QUAD_ALL(best, 1), QUAD_ALL(best, 2)));
    __m128 widest = _mm_max_ps(of_a, of_b), least = _mm_sub_ps(best, quad_add(noise, noise));
    unsigned few_a = (unsigned)_mm_movemask_ps(_mm_cmpge_ps(of_a, least)) & 7;
    unsigned few_b = (unsigned)_mm_movemask_ps(_mm_cmpge_ps(of_b, least)) & 7;
    float all = _mm_cvtss_f32(size);
    bool plain = (all > 1e-12f) & (all < 1e12f); /* no square leaves the range */
    out->apart = plain & (_mm_cvtss_f32(best) > _mm_cvtss_f32(noise)), out->meet = false;
    out->gap = (double)_mm_cvtss_f32(best) - (double)_mm_cvtss_f32(noise), out->sure = out->apart;
    if (out->apart) return; /* most that are apart are so by a face; nobody asks what else they are */
    /* edges */
    __m128 limit = _mm_sub_ps(best, noise), b_next = QUAD_PICK(b, 1, 2, 0, 3), b_last = QUAD_PICK(b, 2, 0, 1, 3);
    limit = quad_mul(quad_mul(limit, limit), _mm_set1_ps(1.0001f));
    /* Were an edge of B turned by its sine s to be parallel to one of A's, nothing would move by more than s S, and
     * then the faces alone tell: so what they show to overlap by more than 4 s S does. */
    __m128 deep_enough = zero, deep_square = _mm_add_ps(best, noise), size_square = quad_mul(size, size);
    deep_square = _mm_and_ps(_mm_cmplt_ps(deep_square, zero), quad_mul(deep_square, deep_square));
    size_square = quad_mul(size_square, _mm_set1_ps(17));
    unsigned edges = 0;
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        __m128 reach = quad_add(quad_mul(as[k], f[l]), quad_mul(as[l], f[k]));
        __m128 of_box =
            quad_add(quad_mul(b_next, QUAD_PICK(f[i], 2, 0, 1, 3)), quad_mul(b_last, QUAD_PICK(f[i], 1, 2, 0, 3)));
        __m128 far = quad_abs(_mm_sub_ps(quad_mul(ts[l], r[k]), quad_mul(ts[k], r[l])));
        __m128 gap = _mm_sub_ps(far, quad_add(reach, of_box)), most = quad_add(gap, noise);
        __m128 square = quad_add(squares[k], squares[l]);
        widest = _mm_max_ps(widest, gap);
        deep_enough = _mm_or_ps(deep_enough, _mm_cmplt_ps(quad_mul(size_square, square), deep_square));
        __m128 deep = _mm_and_ps(_mm_cmplt_ps(most, zero), _mm_cmpge_ps(quad_mul(most, most), quad_mul(limit, square)));
        deep = _mm_and_ps(deep, _mm_cmpgt_ps(square, _mm_set1_ps((float)(1.02 * BOX_PARALLEL))));
        edges |= (~(unsigned)_mm_movemask_ps(deep) & 7) << 3 * i;
    }
    out->faces = plain ? few_a | few_b << 3 : 63;
    out->edges = plain ? edges : 511;
    out->apart = plain & ((_mm_movemask_ps(_mm_cmpgt_ps(widest, noise)) & 7) != 0);
    unsigned all_meet = ((unsigned)_mm_movemask_ps(_mm_cmplt_ps(widest, _mm_sub_ps(zero, noise))) & 7) == 7;
    out->meet = plain & ((all_meet | ((unsigned)_mm_movemask_ps(deep_enough) & 7)) != 0);
    out->sure = out->apart | out->meet;
}

#else

/* All 15 at once, as far as one can tell without a root: which of them part the boxes, and which edges cross so
 * squarely that box_edge_fast is right. Bit 3 i + j for the edges i x j. */
typedef struct box_scan {
    double face;     /* the widest of the faces' gaps */
    int face_axis;   /* 0 1 2: A's, 3 4 5: B's; the first of the widest */
    bool apart;      /* a face or square edges part them */
    unsigned square; /* squared sine above BOX_PARALLEL */
    unsigned may;    /* square, and the gap, unless apart, less deep than the faces' */
    double edge;     /* the widest of the edges' gaps, times their sines */
    double sine;     /* the square of the least sine between edges */
} box_scan;

static inline void box_scan_edges(const box_pair *p, int i, const cm__two b_next[2], const cm__two b_last[2],
                                  cm__two gap[2], cm__two square[2]) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    const double *q = p->abs[i];
    const cm__two next[2] = {two_of(q[1], q[2]), two_of(q[0], 0)}, last[2] = {two_of(q[2], q[0]), two_of(q[1], 0)};
    for (int h = 0; h < 2; h++) { /* j = 0 and 1, j = 2 */
        cm__two rk = BOX_TWO(p->r[k], 2 * h), rl = BOX_TWO(p->r[l], 2 * h);
        cm__two along = two_abs(two_sub(two_mul(two_all(p->t[l]), rk), two_mul(two_all(p->t[k]), rl)));
        cm__two reach = two_add(two_mul(two_all(p->a[k]), two_abs(rl)), two_mul(two_all(p->a[l]), two_abs(rk)));
        reach = two_add(reach, two_add(two_mul(b_next[h], last[h]), two_mul(b_last[h], next[h])));
        gap[h] = two_sub(along, reach);
        square[h] = two_add(two_mul(rk, rk), two_mul(rl, rl));
    }
}

static inline void box_scan_faces(const box_pair *p, double out[6]) {
    cm__two b01 = BOX_TWO(p->b, 0), along[2], reach[2], reach_a[2], last = two_all(p->b[2]);
    const cm__two p0 = two_mul(b01, BOX_TWO(p->abs[0], 0)), p1 = two_mul(b01, BOX_TWO(p->abs[1], 0)),
                  p2 = two_mul(b01, BOX_TWO(p->abs[2], 0));
    reach_a[0] =
        two_add(two_add(two_lows(p0, p1), two_highs(p0, p1)), two_mul(last, two_of(p->abs[0][2], p->abs[1][2])));
    reach_a[1] = two_add(two_add(p2, two_swap(p2)), two_mul(last, two_all(p->abs[2][2])));
    two_store(out, two_sub(two_abs(BOX_TWO(p->t, 0)), two_add(BOX_TWO(p->a, 0), reach_a[0])));
    out[2] = two_low(two_sub(two_abs(two_all(p->t[2])), two_add(two_all(p->a[2]), reach_a[1])));
    for (int h = 0; h < 2; h++) {
        along[h] = reach[h] = two_all(0);
        cm__two r0 = BOX_TWO(p->r[0], 2 * h), r1 = BOX_TWO(p->r[1], 2 * h), r2 = BOX_TWO(p->r[2], 2 * h);
        along[h] = two_add(two_add(two_mul(two_all(p->t[0]), r0), two_mul(two_all(p->t[1]), r1)),
                           two_mul(two_all(p->t[2]), r2));
        reach[h] = two_add(two_add(two_mul(two_all(p->a[0]), two_abs(r0)), two_mul(two_all(p->a[1]), two_abs(r1))),
                           two_mul(two_all(p->a[2]), two_abs(r2)));
    }
    two_store(out + 3, two_sub(two_abs(along[0]), two_add(BOX_TWO(p->b, 0), reach[0])));
    out[5] = two_low(two_sub(two_abs(along[1]), two_add(BOX_TWO(p->b, 2), reach[1])));
}

static inline void box_scan_run(const box_pair *p, box_scan *out) {
    double face[6];
    box_scan_faces(p, face);
    const cm__two f[3] = {BOX_TWO(face, 0), BOX_TWO(face, 2), BOX_TWO(face, 4)};
    cm__two most = two_max(two_max(f[0], f[1]), f[2]), zero = two_all(0), limit = two_all(BOX_PARALLEL);
    most = two_max(most, two_swap(most));
    unsigned below = two_above(most, f[0]) | two_above(most, f[1]) << 2 | two_above(most, f[2]) << 4;
    unsigned first = ~below & (below + 1); /* the lowest bit that is not set */
    out->face = two_low(most);
    out->face_axis = (first > 1) + (first > 2) + (first > 4) + (first > 8) + (first > 16);
    const cm__two b_next[2] = {BOX_TWO(p->b, 1), two_of(p->b[0], 0)};
    const cm__two b_last[2] = {two_of(p->b[2], p->b[0]), two_of(p->b[1], 0)};
    cm__two best = two_mul(most, most), gap[2], square[2];
    cm__two widest = two_all(-DBL_MAX), least = two_all(1);
    unsigned part = 0, squarely = 0, may = 0;
    for (int i = 0; i < 3; i++) {
        box_scan_edges(p, i, b_next, b_last, gap, square);
        for (int h = 0; h < 2; h++) {
            int at = 3 * i + 2 * h;
            unsigned two = h == 0 ? 3 : 1;
            widest = two_max(widest, h == 0 ? gap[h] : two_lows(gap[h], gap[h]));
            least = two_min(least, h == 0 ? square[h] : two_lows(square[h], square[h]));
            part |= (two_above(gap[h], zero) & two) << at;
            squarely |= (two_above(square[h], limit) & two) << at;
            may |= (two_above(two_mul(best, square[h]), two_mul(gap[h], gap[h])) & two) << at;
        }
    }
    out->square = squarely;
    out->apart = !(out->face <= 0) | ((part & squarely) != 0);
    out->may = may & squarely;
    out->edge = two_low(two_max(widest, two_swap(widest)));
    out->sine = two_low(two_min(least, two_swap(least)));
}

/* From the pair itself, in double. */
static inline void box_glance_of(const box_pair *p, box_glance *out) {
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
    out->gap = wide_max(scan.face, scan.edge) - noise, out->sure = sure || out->gap > 0;
}

#endif
#endif
