/* The contact points of two boxes: a reference face against the clipped incident face, or two edges that cross. A
 * specialized form of convex/clip.h for boxes, without branches.
 *
 * In the frame of the reference face (A's frame for a face of A, B's for one of B) the face is the rectangle |u| <=
 * a_u, |v| <= a_v, and the incident face is the parallelogram middle +- m +- n. Their intersection has at most 8
 * corners: the places where the incident edges enter and leave the rectangle, and the rectangle's corners in between.
 * Whether an incident corner is inside is decided once, from its own coordinates; the rest follows from the sides
 * through which the edges enter and leave. So rounding neither repeats nor loses a point. Points closer to the face's
 * plane than the margin are kept.
 * Based on: [Gregorius13], [Liang84]. */
#include "pair/box_axes.h"
#include "pair/box_nearest.h"
#include "pair/box_patch.h"
#include <stddef.h>
#include <string.h>

/* The pair seen from the box that has the reference face. */
typedef struct box_view {
    const double *r, *a, *b; /* its own sizes, the other's */
    unsigned row, column;    /* view_along(i, j): its axis i along the other's j; by how many bits to shift */
    double t[3];
} box_view;

static inline box_view view_of(const box_pair *p, bool from_b) {
    box_view v = {p->r[0], p->a, p->b, 2, 0, {p->t[0], p->t[1], p->t[2]}};
    if (!from_b) return v;
    v.a = p->b, v.b = p->a, v.row = 0, v.column = 2;
    for (int i = 0; i < 3; i++) v.t[i] = -(p->t[0] * p->r[0][i] + p->t[1] * p->r[1][i] + p->t[2] * p->r[2][i]);
    return v;
}

static inline double view_along(const box_view *v, int i, int j) {
    return v->r[((unsigned)i << v->row) + ((unsigned)j << v->column)];
}

/* The incident face for the reference face `axis` on side `sign`. Coordinates are along u, v and that axis: its corners
 * 0 and 2, 1 and 3, and half its edges; edge i goes from corner i to i + 1. */
typedef struct incident_face {
    f64x2 even[3], odd[3];
    double m[3], n[3];
    double middle[3], normal[3]; /* of its plane; the last component is the largest */
    uint32_t base, bit_m, bit_n; /* number of corner 0; bits that change along m, n */
} incident_face;

static inline void incident_face_of(const box_view *p, int axis, double sign, incident_face *out) {
    const double f[3] = {fabs(view_along(p, axis, 0)), fabs(view_along(p, axis, 1)), fabs(view_along(p, axis, 2))};
    int first = (f[0] >= f[1]) & (f[0] >= f[2]), face = (1 - first) * (2 - (f[1] >= f[2]));
    int m = box_next[face], n = box_last[face];
    unsigned up = view_along(p, axis, face) * sign > 0 ? 0u : 1u;
    double toward = p->b[face] * (double)(2 * (int)up - 1), half_m = p->b[m], half_n = p->b[n];
    const int order[3] = {box_next[axis], box_last[axis], axis};
    const f64x2 apart = f64x2_of(-1, 1);
    for (int k = 0; k < 3; k++) {
        double square = view_along(p, order[k], face), middle = p->t[order[k]] + toward * square;
        double along_m = half_m * view_along(p, order[k], m), along_n = half_n * view_along(p, order[k], n);
        f64x2 ends = f64x2_add(f64x2_all(middle), f64x2_mul(f64x2_all(along_m), apart));
        f64x2 aside = f64x2_mul(f64x2_all(along_n), apart);
        out->even[k] = f64x2_add(ends, aside), out->odd[k] = f64x2_add(f64x2_swap(ends), aside);
        out->m[k] = along_m, out->n[k] = along_n;
        out->middle[k] = middle, out->normal[k] = square;
    }
    out->base = up << face, out->bit_m = 1u << m, out->bit_n = 1u << n;
}

/* Two opposite edges clipped against the rectangle, one a lane. Masks have bit 0 for the first edge and bit 1 for the
 * second. */
typedef struct edge_cuts {
    f64x2 in, out; /* where it enters, from its start, and leaves, from its end: in units of half its length */
    unsigned cut_in, cut_out;   /* it enters, leaves, not at its own ends */
    unsigned in_by_v, out_by_v; /* through a side across v */
    unsigned live;              /* some of it is inside */
} edge_cuts;

/* `over`: 1 / |along| for u and v. With signs chosen so that the edge runs in the positive direction, it enters a pair
 * of sides at -limit and leaves at limit. */
static inline edge_cuts edges_cut(const f64x2 from[3], const f64x2 to[3], const double along[3], const double over[2],
                                  const double limit[2]) {
    const f64x2 zero = f64x2_all(0), both_ways = f64x2_of(1, -1);
    f64x2 in[2], out[2], beyond = zero;
    for (int k = 0; k < 2; k++) {
        f64x2 way = f64x2_mul(two_sign(f64x2_all(along[k])), both_ways), far = f64x2_all(limit[k]);
        f64x2 start = f64x2_mul(from[k], way), end = f64x2_mul(to[k], way), scale = f64x2_all(over[k]);
        in[k] = f64x2_mul(f64x2_max(f64x2_sub(f64x2_sub(zero, far), start), zero), scale);
        out[k] = f64x2_mul(f64x2_max(f64x2_sub(end, far), zero), scale);
        beyond = f64x2_max(beyond, f64x2_max(f64x2_sub(start, far), f64x2_sub(f64x2_sub(zero, far), end)));
    }
    edge_cuts c;
    const f64x2 whole = f64x2_all(2);
    c.in = f64x2_max(in[0], in[1]), c.out = f64x2_max(out[0], out[1]);
    c.cut_in = two_above(c.in, zero), c.cut_out = two_above(c.out, zero);
    c.in_by_v = two_above(in[1], in[0]), c.out_by_v = two_above(out[1], out[0]);
    /* an edge that has an end in the rectangle, or enters and leaves across the same axis, is inside, whatever rounding
     * says */
    unsigned out_of_it = two_above(f64x2_add(c.in, c.out), whole) & c.cut_in & c.cut_out & (c.in_by_v ^ c.out_by_v);
    c.live = 3 & ~(two_above(beyond, zero) | out_of_it);
    c.in = f64x2_min(c.in, whole), c.out = f64x2_min(c.out, whole);
    return c;
}

/* Candidates for points: where the edges 0 2 1 3 enter (their start, if that is inside), where they leave, and the
 * rectangle's corners. `order` lists those that are points, in order around. */
#define CUT_OUT    4
#define CUT_CORNER 8
#define CUT_MOST   12
typedef struct cut_polygon {
    double x[3][CUT_MOST]; /* along u, v, and the reference's normal axis */
    uint32_t feature[CUT_MOST];
    uint8_t order[28];
} cut_polygon;

static inline void cut_points(const incident_face *f, const edge_cuts *of_m, const edge_cuts *of_n, cut_polygon *out) {
    const f64x2 both_ways = f64x2_of(1, -1);
    for (int k = 0; k < 3; k++) {
        double *x = out->x[k];
        f64x2 m = f64x2_mul(f64x2_all(f->m[k]), both_ways), n = f64x2_mul(f64x2_all(f->n[k]), both_ways);
        f64x2_store(x, two_mul_add(f->even[k], of_m->in, m)), f64x2_store(x + 2, two_mul_add(f->odd[k], of_n->in, n));
        f64x2_store(x + CUT_OUT, f64x2_sub(f->odd[k], f64x2_mul(of_m->out, m)));
        f64x2_store(x + CUT_OUT + 2, f64x2_sub(f64x2_swap(f->even[k]), f64x2_mul(of_n->out, n)));
    }
}

/* The order of the sides around the rectangle, in the sense in which the incident face runs: places 0 and 2 are across
 * u, 1 and 3 across v; 1 and 3 are exchanged where it runs the other way (`runs_back`). After place i comes corner i.
 * Numbers of sides: 0 and 1 are u <= and u >=, 2 and 3 the same for v. */
static const uint8_t cut_side[2][4] = {{0, 2, 1, 3}, {0, 3, 1, 2}};

static inline unsigned cut_corners(const incident_face *f, const double limit[2], unsigned runs_back,
                                   cut_polygon *out) {
    double v = limit[1] * (1 - 2 * (double)runs_back), over = -1 / f->normal[2];
    double slope_u = f->normal[0] * over, slope_v = f->normal[1] * over;
    const f64x2 u = f64x2_of(limit[0], -limit[0]), up = f64x2_all(v), down = f64x2_all(-v);
    f64x2 by_u = f64x2_mul(f64x2_all(slope_u), f64x2_sub(u, f64x2_all(f->middle[0])));
    f64x2 back_u = f64x2_mul(f64x2_all(slope_u), f64x2_sub(f64x2_swap(u), f64x2_all(f->middle[0])));
    double by_up = slope_v * (v - f->middle[1]), by_down = slope_v * (-v - f->middle[1]);
    f64x2_store(out->x[0] + CUT_CORNER, u), f64x2_store(out->x[0] + CUT_CORNER + 2, f64x2_swap(u));
    f64x2_store(out->x[1] + CUT_CORNER, up), f64x2_store(out->x[1] + CUT_CORNER + 2, down);
    f64x2_store(out->x[2] + CUT_CORNER, f64x2_add(f64x2_all(f->middle[2]), f64x2_add(by_u, f64x2_all(by_up))));
    f64x2_store(out->x[2] + CUT_CORNER + 2, f64x2_add(f64x2_all(f->middle[2]), f64x2_add(back_u, f64x2_all(by_down))));
    out->feature[CUT_CORNER] = 1026 + runs_back, out->feature[CUT_CORNER + 1] = 1030 + runs_back;
    out->feature[CUT_CORNER + 2] = 1031 - runs_back, out->feature[CUT_CORNER + 3] = 1027 - runs_back;
    /* corners outside the face by more than rounding; of a face without area all are outside */
    double area = fabs(f->m[0] * f->n[1] - f->m[1] * f->n[0]);
    f64x2 most = f64x2_all(area > 0 ? area * (1 + 1e-9) : -1);
    unsigned off = 0;
    for (int i = 0; i < 2; i++) {
        f64x2 to_u = f64x2_sub(i ? f64x2_swap(u) : u, f64x2_all(f->middle[0]));
        f64x2 to_v = f64x2_sub(i ? down : up, f64x2_all(f->middle[1]));
        f64x2 by_n = f64x2_sub(f64x2_mul(to_u, f64x2_all(f->n[1])), f64x2_mul(to_v, f64x2_all(f->n[0])));
        f64x2 by_m = f64x2_sub(f64x2_mul(to_u, f64x2_all(f->m[1])), f64x2_mul(to_v, f64x2_all(f->m[0])));
        off |= two_above(f64x2_max(f64x2_abs(by_n), f64x2_abs(by_m)), most) << 2 * i;
    }
    return off;
}

/* No edge enters: either the whole rectangle lies over the face, or nothing of it. */
static CM__RARE int cut_none(unsigned off, cut_polygon *out) {
    for (int i = 0; i < 4; i++) out->order[i] = (uint8_t)(CUT_CORNER + i);
    return off ? 0 : 4;
}

/* `first` ? a : b, without a branch, which could not be predicted; `first` is 1 or 0. */
static inline uint32_t cut_pick(unsigned first, uint32_t a, uint32_t b) { return b ^ ((a ^ b) & (0 - first)); }

/* Puts the points in order without branches: each is written, and the counter moves on only where it counts. */
static inline int cut_order(const incident_face *f, const edge_cuts *of_m, const edge_cuts *of_n, unsigned runs_back,
                            unsigned off, cut_polygon *out) {
    static const uint8_t place[4] = {0, 2, 1, 3}; /* of the edges 0 1 2 3 */
    /* the next three corners */
    static const uint8_t behind[4][4] = {{8, 9, 10, 0}, {9, 10, 11, 0}, {10, 11, 8, 0}, {11, 8, 9, 0}};
    unsigned live[4], in[4], leaves[4], out_by[4], next[4];
    const uint32_t all = f->base | f->bit_m | f->bit_n;
    const uint32_t corner[4] = {f->base, f->base | f->bit_m, all, f->base | f->bit_n};
    unsigned by_u[2], by_v[2]; /* sides where edges 0 and 1 enter: 2 and 3 leave there, and enter where those leave */
    const f64x2 zero = f64x2_all(0);
    for (int e = 0; e < 2; e++) {
        const double *along = e ? f->n : f->m; /* one by one: a load of both would wait for what was just written */
        const unsigned up = u64x2_mask(f64x2_ge(f64x2_of(along[0], along[1]), zero));
        by_u[e] = (up & 1) << 1, by_v[e] = (((up >> 1) ^ runs_back) << 1) + 1;
    }
    for (int k = 0; k < 4; k++) {
        const edge_cuts *c = k & 1 ? of_n : of_m;
        unsigned lane = (unsigned)k >> 1, by = by_u[k & 1], other = by_u[k & 1] ^ by_v[k & 1];
        unsigned in_v = c->in_by_v >> lane & 1, out_v = c->out_by_v >> lane & 1, cut = c->cut_in >> lane & 1;
        live[k] = c->live >> lane & 1, leaves[k] = live[k] & c->cut_out >> lane;
        in[k] = by ^ (other & (0 - in_v)) ^ 2 * lane;
        out_by[k] = by ^ (other & (0 - out_v)) ^ 2 * (1 - lane);
        uint32_t g = corner[(k + 1) & 3], edge = 16 + 64 * (corner[k] & g) + 4 * (corner[k] | g);
        out->feature[place[k]] = cut_pick(cut, edge + cut_side[runs_back][in[k]], corner[k]);
        out->feature[CUT_OUT + place[k]] = edge + cut_side[runs_back][out_by[k]];
    }
    next[3] = cut_pick(live[0], in[0], cut_pick(live[1], in[1], cut_pick(live[2], in[2], in[3])));
    next[2] = cut_pick(live[3], in[3], next[3]), next[1] = cut_pick(live[2], in[2], next[2]);
    next[0] = cut_pick(live[1], in[1], next[1]);
    unsigned n = 0;
    for (int k = 0; k < 4; k++) {
        out->order[n] = place[k], n += live[k];
        out->order[n] = (uint8_t)(CUT_OUT + place[k]), n += leaves[k];
        memcpy(out->order + n, behind[out_by[k]], 4);
        /* rounding may exchange two sides at a corner: then no corner lies between, nor is one outside */
        unsigned corners = (next[k] - out_by[k]) & 3;
        unsigned run = ((1u << corners) - 1) * 0x11u << out_by[k] >> 4 & 15;
        bool right = (leaves[k] != 0) & ((run & off) == 0);
        n += cut_pick(right, corners, 0);
    }
    return (int)n;
}

/* Clips the incident face to the reference face. Returns the number of points, listed by out->order. */
static inline int cut_by_face(const box_view *p, int axis, double sign, cut_polygon *out) {
    incident_face f;
    incident_face_of(p, axis, sign, &f);
    const double limit[2] = {p->a[box_next[axis]], p->a[box_last[axis]]};
    double over_m[2], over_n[2];
    for (int k = 0; k < 2; k++) {
        f64x2 size = f64x2_max(f64x2_abs(f64x2_of(f.m[k], f.n[k])), f64x2_all(DBL_MIN)),
              over = f64x2_div(f64x2_all(1), size);
        over_m[k] = f64x2_low(over), over_n[k] = f64x2_high(over);
    }
    edge_cuts of_m = edges_cut(f.even, f.odd, f.m, over_m, limit);
    const f64x2 back[3] = {f64x2_swap(f.even[0]), f64x2_swap(f.even[1]), f64x2_swap(f.even[2])};
    edge_cuts of_n = edges_cut(f.odd, back, f.n, over_n, limit);
    /* never 0: of the three faces it is the one whose normal is nearest to the axis */
    unsigned runs_back = f.normal[2] < 0;
    cut_points(&f, &of_m, &of_n, out);
    unsigned off = cut_corners(&f, limit, runs_back, out);
    return of_m.live | of_n.live ? cut_order(&f, &of_m, &of_n, runs_back, off, out) : cut_none(off, out);
}

int cm__box_face_patch(const box_pair *p, int axis, double sign, double margin, cm__box_point out[8]) {
    cut_polygon face;
    box_view view = view_of(p, false);
    int count = cut_by_face(&view, axis, sign, &face), kept = 0;
    for (int i = 0; i < count && kept < 8; i++) {
        int at = face.order[i];
        double gap = sign * face.x[2][at] - p->a[axis], *to = &out[kept].point.x;
        to[box_next[axis]] = face.x[0][at], to[box_last[axis]] = face.x[1][at], to[axis] = face.x[2][at];
        out[kept].gap = gap;
        out[kept].feature = face.feature[at];
        kept += gap <= margin;
    }
    return kept;
}

/* Two points side by side. */
typedef struct point_twins {
    f64x2 x, y, z;
} point_twins;

static inline point_twins twins_axis(const cm__box_frames *f, int i, bool of_b) {
    const double(*axis)[2] = f->axis[i];
    const point_twins p = {f64x2_all(axis[0][of_b]), f64x2_all(axis[1][of_b]), f64x2_all(axis[2][of_b])};
    return p;
}
static inline point_twins twins_mul_add(point_twins a, f64x2 s, point_twins b) {
    const point_twins p = {two_mul_add(a.x, s, b.x), two_mul_add(a.y, s, b.y), two_mul_add(a.z, s, b.z)};
    return p;
}
static inline void twins_store_first(point_twins p, cm_vec3 *out) {
    two_to_reals(&out->x, f64x2_lows(p.x, p.y));
    out->z = (cm_real)f64x2_low(p.z);
}
static inline void twins_store_second(point_twins p, cm_vec3 *out) {
    two_to_reals(&out->x, f64x2_highs(p.x, p.y));
    out->z = (cm_real)f64x2_high(p.z);
}

int cm__box_face_manifold(const box_pair *p, int axis, double sign, const cm__box_frames *frames, bool of_b, double ra,
                          double rb, double margin, cm_manifold *out) {
    cut_polygon face;
    box_view view = view_of(p, of_b);
    const int count = cut_by_face(&view, axis, sign, &face);
    const f64x2 none = f64x2_all(0), toward = f64x2_all(sign), half = f64x2_all(view.a[axis]);
    const point_twins zero = {none, none, none}, n = twins_mul_add(zero, toward, twins_axis(frames, axis, of_b));
    const point_twins u = twins_axis(frames, box_next[axis], of_b), v = twins_axis(frames, box_last[axis], of_b);
    const cm__point *o = &frames->origin[of_b];
    const point_twins origin = {f64x2_all(o->x), f64x2_all(o->y), f64x2_all(o->z)};
    const double radius[2] = {ra, rb};
    const point_twins base = twins_mul_add(origin, f64x2_all(view.a[axis] + radius[of_b]), n);
    const uint32_t number = 4096 + 2 * (uint32_t)axis + (sign > 0);
    const size_t place[2] = {offsetof(cm_contact_point, point_a), offsetof(cm_contact_point, point_b)};
    const size_t near = place[of_b], far = place[!of_b];
    twins_store_first(twins_mul_add(zero, f64x2_all(1 - 2 * (double)of_b), n), &out->normal);
    face.order[count] = 0; /* for the last of an odd number */
    int kept = 0;
    for (int i = 0; i < count && i < 8; i += 2) {
        const int at[2] = {face.order[i], face.order[i + 1]};
        const f64x2 height = f64x2_of(face.x[2][at[0]], face.x[2][at[1]]);
        f64x2 both = f64x2_sub(f64x2_mul(toward, height), half);
        both = f64x2_sub(f64x2_sub(both, f64x2_all(ra)), f64x2_all(rb));
        point_twins here = twins_mul_add(base, f64x2_of(face.x[0][at[0]], face.x[0][at[1]]), u);
        here = twins_mul_add(here, f64x2_of(face.x[1][at[0]], face.x[1][at[1]]), v);
        const point_twins there = twins_mul_add(here, both, n);
        const unsigned within = u64x2_mask(f64x2_le(both, f64x2_all(margin)));
        for (int k = 0; k < 2; k++) {
            cm_contact_point *c = &out->points[kept];
            cm_vec3 *on_face = (cm_vec3 *)(void *)((char *)c + near), *on_other = (cm_vec3 *)(void *)((char *)c + far);
            if (k == 0)
                twins_store_first(here, on_face), twins_store_first(there, on_other);
            else
                twins_store_second(here, on_face), twins_store_second(there, on_other);
            c->depth = (cm_real)(0 - (k == 0 ? f64x2_low(both) : f64x2_high(both)));
            c->feature_a = cut_pick(of_b, face.feature[at[k]], number);
            c->feature_b = cut_pick(of_b, number, face.feature[at[k]]);
            kept += (int)(within >> k & 1) & (i + k < count);
        }
    }
    out->part_a = out->part_b = CM_NONE;
    out->count = kept;
    return kept;
}

/* The corner of B's incident face that is nearest to the face `axis` of A; false unless no other is as near and it lies
 * over the face. */
static bool box_face_deepest(const box_pair *p, int axis, double sign, cm__box_point *out) {
    incident_face f;
    box_view view = view_of(p, false);
    incident_face_of(&view, axis, sign, &f);
    double x[3][4]; /* of the corners 0 2 1 3 */
    for (int k = 0; k < 3; k++) f64x2_store(x[k], f.even[k]), f64x2_store(x[k] + 2, f.odd[k]);
    int deepest = 0;
    double least = sign * x[2][0], next = DBL_MAX;
    for (int i = 1; i < 4; i++) {
        double height = sign * x[2][i];
        next = cm__least(next, cm__most(height, least));
        deepest = height < least ? i : deepest;
        least = cm__least(height, least);
    }
    if (!(next > least) || fabs(x[0][deepest]) > p->a[box_next[axis]] || fabs(x[1][deepest]) > p->a[box_last[axis]])
        return false;
    double *to = &out->point.x;
    to[box_next[axis]] = x[0][deepest], to[box_last[axis]] = x[1][deepest], to[axis] = x[2][deepest];
    out->gap = least - p->a[axis];
    return true;
}

/* A's edge is along its axis i, B's along B_j, which has the components c, rk, rl on A's axes i, k, l; d is the vector
 * from the middle of A's edge to the middle of B's. On the lines, u = d_i - c (d_k rk + d_l rl) / (rk^2 + rl^2): no
 * difference of nearly equal products. Clamping that, then B's for it, then A's for that, as in math/closest.h. */
void cm__box_edges_cross(const box_pair *p, int i, int j, cm__point normal, cm__point *on_a, cm__point *on_b) {
    const double n[3] = {normal.x, normal.y, normal.z};
    int k = box_next[i], l = box_last[i], bm = box_next[j], bn = box_last[j];
    double along_m = p->r[0][bm] * n[0] + p->r[1][bm] * n[1] + p->r[2][bm] * n[2];
    double along_n = p->r[0][bn] * n[0] + p->r[1][bn] * n[1] + p->r[2][bn] * n[2];
    const f64x2 zero = f64x2_all(0), out = f64x2_of(along_m, along_n), side = f64x2_of(n[k], n[l]);
    const f64x2 half_b2 = f64x2_of(p->b[bm], p->b[bn]), half_a2 = f64x2_of(p->a[k], p->a[l]);
    const f64x2 to_b = f64x2_select(f64x2_gt(out, zero), f64x2_sub(zero, half_b2), half_b2);
    const f64x2 to_a = f64x2_select(f64x2_gt(side, zero), half_a2, f64x2_sub(zero, half_a2));
    const double sm = f64x2_low(to_b), sn = f64x2_high(to_b);
    double b[3], *a = &on_a->x;
    for (int x = 0; x < 3; x++) b[x] = p->t[x] + sm * p->r[x][bm] + sn * p->r[x][bn];
    double c = p->r[i][j], rk = p->r[k][j], rl = p->r[l][j];
    double di = b[i], across = (b[k] - f64x2_low(to_a)) * rk + (b[l] - f64x2_high(to_a)) * rl;
    double half_a = p->a[i], half_b = p->b[j];
    double u = cm__least(cm__most(di - c * across / (rk * rk + rl * rl), -half_a), half_a);
    double w = cm__least(cm__most(c * (u - di) - across, -half_b), half_b);
    a[i] = cm__least(cm__most(di + w * c, -half_a), half_a);
    a[k] = f64x2_low(to_a), a[l] = f64x2_high(to_a);
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

double cm__box_touch(const box_pair *p, double gap, cm__point normal, box_axis axis, cm__point *on_a) {
    if (axis.kind == 2) {
        cm__point on_b;
        cm__box_edges_cross(p, axis.i, axis.j, normal, on_a, &on_b);
        return cm__point_length(cm__point_mul_add(cm__point_sub(on_b, *on_a), -gap, normal));
    }
    cm__box_point points[8];
    box_pair runs_back;
    const box_pair *flipped = p;
    if (axis.kind == 1) runs_back = cm__box_pair_flipped(p), flipped = &runs_back;
    const double n[3] = {normal.x, normal.y, normal.z};
    int face = axis.kind == 1 ? axis.j : axis.i;
    double along = axis.kind == 0 ? n[face] : -(p->r[0][face] * n[0] + p->r[1][face] * n[1] + p->r[2][face] * n[2]);
    double side = along > 0 ? 1 : -1;
    bool corner = box_face_deepest(flipped, face, side, points);
    int count = corner ? 1 : cm__box_face_patch(flipped, face, side, DBL_MAX, points), deepest = 0;
    for (int i = 1; i < count; i++)
        if (points[i].gap < points[deepest].gap) deepest = i;
    if (count == 0) { /* rounding put the faces beside each other */
        cm__boxes_nearest_corner(p, on_a);
        return DBL_MAX;
    }
    cm__point q = points[deepest].point;
    if (axis.kind == 0)
        *on_a = cm__point_mul_add(q, -points[deepest].gap, normal);
    else
        *on_a = cm__p(p->t[0] + p->r[0][0] * q.x + p->r[0][1] * q.y + p->r[0][2] * q.z,
                      p->t[1] + p->r[1][0] * q.x + p->r[1][1] * q.y + p->r[1][2] * q.z,
                      p->t[2] + p->r[2][0] * q.x + p->r[2][1] * q.y + p->r[2][2] * q.z);
    return fabs(points[deepest].gap - gap);
}
