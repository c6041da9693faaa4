/* Where two boxes touch across a face, or where two of their edges cross: the contact of box_box.c, quickly.
 *
 * In the frame of the reference face (A's frame for a face of A; for a face of B the pair is turned round) the face is
 * a rectangle |u| <= a_u, |v| <= a_v, and the face of the other box that looks at it most squarely is cut by its four
 * sides, one coordinate at a time; what is closer than the margin to the face's plane is kept. At most 8 points.
 * Based on: [Gregorius13], [Sutherland74]. */
#include "pair/box_axes.h"
#include "pair/box_patch.h"

/* Along u, v, and the reference's normal axis. Numbers apart from one another: each is read as it was written. */
typedef struct cut_polygon {
    double x[3][12];
    uint32_t feature[12]; /* of the other box, or CUT_CORNER */
    uint32_t line[12];    /* the one that the edge behind a corner runs along: 0..3 the other's own, 4 + side */
} cut_polygon;

#define CUT_CORNER UINT32_MAX /* made by cutting: named by the two lines that meet there */

static const int box_next[3] = {1, 2, 0}, box_last[3] = {2, 0, 1};

/* Keeps what lies within sign * x[k] <= limit. Without a jump on what is in or out: each corner and each cut is
 * written, and stays where it counts; so `out` has room for two more. */
static int cut_by_side(const cut_polygon *in, int count, int k, double sign, double limit, uint32_t side,
                       cut_polygon *out) {
    int n = 0;
    double d0 = sign * in->x[k][0] - limit;
    for (int i = 0; i < count; i++) {
        int j = i + 1 < count ? i + 1 : 0;
        double d1 = sign * in->x[k][j] - limit, t = d0 / (d0 - d1);
        bool from_in = d0 <= 0, to_in = d1 <= 0;
        int cut = n + from_in;
        uint32_t line = in->line[i];
        for (int m = 0; m < 3; m++) out->x[m][n] = in->x[m][i];
        out->feature[n] = in->feature[i], out->line[n] = line;
        for (int m = 0; m < 3; m++) out->x[m][cut] = in->x[m][i] + t * (in->x[m][j] - in->x[m][i]);
        out->feature[cut] = CUT_CORNER, out->line[cut] = from_in ? 4 + side : line;
        n = cut + (from_in != to_in);
        d0 = d1;
    }
    return n;
}

/* The incident face of B for A's face `axis` on side `sign`: its corners in A's frame, as u, v, axis. */
static inline void incident_face(const box_pair *p, int axis, double sign, cut_polygon *out) {
    const double *f = p->abs[axis];
    int first = (f[0] >= f[1]) & (f[0] >= f[2]), face = (1 - first) * (2 - (f[1] >= f[2]));
    int m = box_next[face], n = box_last[face];
    unsigned up = p->r[axis][face] * sign > 0 ? 0u : 1u;
    double toward = p->b[face] * (double)(2 * (int)up - 1);
    const int order[3] = {box_next[axis], box_last[axis], axis};
    for (int k = 0; k < 3; k++) {
        const double *r = p->r[order[k]];
        double middle = p->t[order[k]] + toward * r[face], along_m = p->b[m] * r[m], along_n = p->b[n] * r[n];
        double low = middle - along_m, high = middle + along_m;
        out->x[k][0] = low - along_n, out->x[k][1] = high - along_n;
        out->x[k][2] = high + along_n, out->x[k][3] = low + along_n;
    }
    uint32_t base = up << face, bit_m = 1u << m, bit_n = 1u << n;
    out->feature[0] = base, out->feature[1] = base | bit_m;
    out->feature[2] = base | bit_m | bit_n, out->feature[3] = base | bit_n;
    for (uint32_t i = 0; i < 4; i++) out->line[i] = i;
}

/* Which of the four sides a corner is beyond: a bit each. */
static inline unsigned corner_beyond(const cut_polygon *c, int i, double u, double v) {
    return (unsigned)(c->x[0][i] > u) | (unsigned)(-c->x[0][i] > u) << 1 | (unsigned)(c->x[1][i] > v) << 2 |
           (unsigned)(-c->x[1][i] > v) << 3;
}

static inline void cut_point(const cut_polygon *c, int i, int axis, cm__point *out) {
    double *at = &out->x;
    at[box_next[axis]] = c->x[0][i], at[box_last[axis]] = c->x[1][i], at[axis] = c->x[2][i];
}

/* No line bounds the cut face twice, so no two corners have the same two. `whole` is of the face before it was cut. */
static inline void cut_name(const uint32_t whole[4], cut_polygon *c, int count) {
    for (int i = 0; i < count; i++) {
        if (c->feature[i] != CUT_CORNER) continue;
        uint32_t x = c->line[i > 0 ? i - 1 : count - 1], y = c->line[i], low = x < y ? x : y, high = x < y ? y : x;
        uint32_t f = whole[low & 3], g = whole[(low + 1) & 3];
        c->feature[i] = low >= 4 ? 1024 + (low - 4) * 4 + (high - 4)
                                 : 16 + (f < g ? f * 64 + g * 4 : g * 64 + f * 4) + (high >= 4 ? high - 4 : 0);
    }
}

/* The incident face cut to the reference: one of two places, and how many corners it has. */
static inline int cut_by_face(const box_pair *p, int axis, double sign, cut_polygon place[2], cut_polygon **out) {
    cut_polygon *from = &place[0], *to = &place[1];
    double u = p->a[box_next[axis]], v = p->a[box_last[axis]];
    int count = 4;
    incident_face(p, axis, sign, from);
    const uint32_t whole[4] = {from->feature[0], from->feature[1], from->feature[2], from->feature[3]};
    unsigned any = 0, all = 15;
    for (int i = 0; i < 4; i++) {
        unsigned beyond = corner_beyond(from, i, u, v);
        any |= beyond, all &= beyond;
    }
    if (all) return 0;
    for (uint32_t side = 0; side < 4; side++) { /* a side that no corner is beyond cuts nothing */
        if (!(any >> side & 1)) continue;
        count = cut_by_side(from, count, (int)(side >> 1), side & 1 ? -1 : 1, side < 2 ? u : v, side, to);
        cut_polygon *other = from;
        from = to, to = other;
    }
    cut_name(whole, from, count);
    *out = from;
    return count;
}

int cm__box_face_patch(const box_pair *p, int axis, double sign, double margin, cm__box_point out[8]) {
    cut_polygon place[2], *from = place;
    int count = cut_by_face(p, axis, sign, place, &from), kept = 0;
    for (int i = 0; i < count && kept < 8; i++) {
        double gap = sign * from->x[2][i] - p->a[axis];
        cut_point(from, i, axis, &out[kept].point);
        out[kept].gap = gap;
        out[kept].feature = from->feature[i];
        kept += gap <= margin;
    }
    return kept;
}

int cm__box_face_manifold(const box_pair *p, int axis, double sign, const cm__box_frame *reference, bool of_b,
                          double ra, double rb, double margin, cm_manifold *out) {
    cut_polygon place[2], *from = place;
    int count = cut_by_face(p, axis, sign, place, &from), kept = 0;
    cm__point n = cm__point_scale(reference->axis[axis], sign);
    cm__point u = reference->axis[box_next[axis]], v = reference->axis[box_last[axis]];
    cm__point base = cm__point_mul_add(reference->origin, p->a[axis] + (of_b ? rb : ra), n);
    uint32_t face = 4096 + 2 * (uint32_t)axis + (sign > 0);
    out->normal = cm__vec3_of(of_b ? wide_neg(n) : n);
    for (int i = 0; i < count && kept < 8; i++) {
        double gap = sign * from->x[2][i] - p->a[axis], both = gap - ra - rb;
        cm_contact_point *c = &out->points[kept];
        cm__point here = cm__point_mul_add(cm__point_mul_add(base, from->x[0][i], u), from->x[1][i], v);
        *(of_b ? &c->point_b : &c->point_a) = cm__vec3_of(here);
        *(of_b ? &c->point_a : &c->point_b) = cm__vec3_of(cm__point_mul_add(here, both, n));
        c->depth = (cm_real)(0 - both);
        c->feature_a = of_b ? from->feature[i] : face;
        c->feature_b = of_b ? face : from->feature[i];
        kept += both <= margin;
    }
    out->part_a = out->part_b = CM_NONE;
    out->count = kept;
    return kept;
}

bool cm__box_face_deepest(const box_pair *p, int axis, double sign, cm__box_point *out) {
    cut_polygon a;
    incident_face(p, axis, sign, &a);
    int deepest = 0;
    double least = sign * a.x[2][0], next = DBL_MAX;
    for (int i = 1; i < 4; i++) {
        double height = sign * a.x[2][i];
        next = cm__least(next, cm__most(height, least));
        deepest = height < least ? i : deepest;
        least = cm__least(height, least);
    }
    if (!(next > least) || corner_beyond(&a, deepest, p->a[box_next[axis]], p->a[box_last[axis]])) return false;
    cut_point(&a, deepest, axis, &out->point);
    out->gap = least - p->a[axis];
    out->feature = a.feature[deepest];
    return true;
}

/* A's edge is along its axis i, B's along B_j, which has the entries c, rk, rl on A's i, k, l; d from the one's middle
 * to the other's. On the lines, u = d_i - c (d_k rk + d_l rl) / (rk^2 + rl^2): no difference of nearly equal products.
 * Clamping that, then B's for it, then A's for that, as in math/closest.h. */
void cm__box_edges_cross(const box_pair *p, int i, int j, cm__point normal, cm__point *on_a, cm__point *on_b) {
    const double n[3] = {normal.x, normal.y, normal.z};
    int k = box_next[i], l = box_last[i], bm = box_next[j], bn = box_last[j];
    double along_m = p->r[0][bm] * n[0] + p->r[1][bm] * n[1] + p->r[2][bm] * n[2];
    double along_n = p->r[0][bn] * n[0] + p->r[1][bn] * n[1] + p->r[2][bn] * n[2];
    double sm = p->b[bm] * (double)(1 - 2 * (along_m > 0)), sn = p->b[bn] * (double)(1 - 2 * (along_n > 0));
    double a[3], b[3], d[3];
    a[i] = 0, a[k] = p->a[k] * (double)(2 * (n[k] > 0) - 1), a[l] = p->a[l] * (double)(2 * (n[l] > 0) - 1);
    for (int x = 0; x < 3; x++) b[x] = p->t[x] + sm * p->r[x][bm] + sn * p->r[x][bn], d[x] = b[x] - a[x];
    double c = p->r[i][j], rk = p->r[k][j], rl = p->r[l][j], across = d[k] * rk + d[l] * rl;
    double half_a = p->a[i], half_b = p->b[j];
    double u = cm__least(cm__most(d[i] - c * across / (rk * rk + rl * rl), -half_a), half_a);
    double w = cm__least(cm__most(c * (u - d[i]) - across, -half_b), half_b);
    a[i] = cm__least(cm__most(d[i] + w * c, -half_a), half_a);
    *on_a = cm__p(a[0], a[1], a[2]);
    *on_b = cm__p(b[0] + w * p->r[0][j], b[1] + w * p->r[1][j], b[2] + w * p->r[2][j]);
}

box_pair cm__box_pair_flipped(const box_pair *p) {
    box_pair f = {0};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) f.r[i][j] = p->r[j][i], f.abs[i][j] = p->abs[j][i];
        f.t[i] = -(p->t[0] * p->r[0][i] + p->t[1] * p->r[1][i] + p->t[2] * p->r[2][i]);
        f.a[i] = p->b[i], f.b[i] = p->a[i];
    }
    return f;
}
