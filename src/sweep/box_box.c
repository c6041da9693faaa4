/* Boxes with axes of their own, in motion without turning: the 15 axes with velocity.
 *
 * On each axis of pair/box_axes.h the projections overlap while |t.n + u v.n| <= reach, one span of time; the boxes
 * overlap while all do (separating axes, at each instant). The axis whose span begins last gives the first contact and
 * the normal. Reaches grow by the bound on rounding: `first` is never late, and early by at most 64 ulps of double of
 * sizes and distance, over the speed, before it is rounded down to cm_real. Where several spans begin at the same time,
 * any of their axes may be the normal. As the reaches have grown, < or <= between times makes no difference beyond
 * rounding. Beyond the band around touching some axis separates the boxes at the start exactly where the gap there is
 * positive. */
#include "carom/primitives.h"
#include "pair/box_axes.h"
#include "pair/box_patch.h"
#include "sweep/brush.h"
#include "sweep/hit.h"

typedef struct box_sweep {
    box_pair pair;
    double v[4]; /* of B relative to A, in A's frame */
    double slop;
    cm__span span;
    int kind, i, j; /* the axis of the latest first */
    bool deep;      /* along that axis they get deep, and last (brush.h); */
    bool brushes;   /* or they never do. Neither: it is not known */
} box_sweep;

/* One axis: |along + u speed| <= reach; with `scale` 0, any. Two at a time. */
typedef struct box_slab {
    f64x2 along, speed, reach;
} box_slab;

/* The spans of time of two axes: from before 0 to after 1 where they overlap for the whole step, empty where never.
 * Minima and maxima replace branches that could not be predicted. */
static inline void box_slab_times(const box_slab *s, f64x2 *first, f64x2 *last) {
    const f64x2 zero = f64x2_all(0), one = f64x2_all(1), huge = f64x2_all(DBL_MAX);
    f64x2 far = f64x2_abs(s->along), step = f64x2_abs(s->speed), in = two_where(s->reach, f64x2_add(far, step), one);
    f64x2 never = f64x2_sub(one, two_where(s->reach, f64x2_sub(far, step), one)); /* 1 or 0 */
    f64x2 speed = f64x2_add(f64x2_mul(f64x2_sub(one, in), s->speed), in);         /* not 0 where it matters */
    speed = f64x2_add(speed, f64x2_mul(never, f64x2_sub(one, speed)));
    f64x2 t0 = f64x2_div(f64x2_sub(f64x2_sub(zero, s->reach), s->along), speed);
    f64x2 t1 = f64x2_div(f64x2_sub(s->reach, s->along), speed);
    *first = f64x2_max(f64x2_min(t0, t1), zero), *last = f64x2_min(f64x2_max(t0, t1), one);
    *first = f64x2_add(f64x2_mul(f64x2_sub(one, in), *first), f64x2_mul(never, huge));
    *last = f64x2_max(*last, in);
}

static inline void box_slab_faces_a(const box_sweep *s, box_slab out[2]) {
    const box_pair *p = &s->pair;
    double reach[3];
    for (int i = 0; i < 3; i++)
        reach[i] = p->a[i] + p->b[0] * p->abs[i][0] + p->b[1] * p->abs[i][1] + p->b[2] * p->abs[i][2] + s->slop;
    for (int h = 0; h < 2; h++) {
        out[h].along = BOX_TWO(p->t, 2 * h), out[h].speed = BOX_TWO(s->v, 2 * h);
        out[h].reach = h == 0 ? f64x2_of(reach[0], reach[1]) : f64x2_of(reach[2], 0);
    }
}

static inline void box_slab_faces_b(const box_sweep *s, box_slab out[2]) {
    const box_pair *p = &s->pair;
    for (int h = 0; h < 2; h++) {
        f64x2 r0 = BOX_TWO(p->r[0], 2 * h), r1 = BOX_TWO(p->r[1], 2 * h), r2 = BOX_TWO(p->r[2], 2 * h);
        f64x2 t = f64x2_mul(f64x2_all(p->t[0]), r0), v = f64x2_mul(f64x2_all(s->v[0]), r0);
        t = f64x2_add(f64x2_add(t, f64x2_mul(f64x2_all(p->t[1]), r1)), f64x2_mul(f64x2_all(p->t[2]), r2));
        v = f64x2_add(f64x2_add(v, f64x2_mul(f64x2_all(s->v[1]), r1)), f64x2_mul(f64x2_all(s->v[2]), r2));
        f64x2 reach = f64x2_add(BOX_TWO(p->b, 2 * h), f64x2_mul(f64x2_all(p->a[0]), f64x2_abs(r0)));
        reach = f64x2_add(f64x2_add(reach, f64x2_mul(f64x2_all(p->a[1]), f64x2_abs(r1))),
                          f64x2_mul(f64x2_all(p->a[2]), f64x2_abs(r2)));
        out[h].along = t, out[h].speed = v, out[h].reach = f64x2_add(reach, f64x2_all(s->slop));
    }
}

/* Edges i x B_j, j = 0 and 1, and 2: n = e_i x B_j has the entries 0, -R_lj, R_kj. */
static inline void box_slab_edges(const box_sweep *s, int i, box_slab out[2]) {
    const box_pair *p = &s->pair;
    int k = (i + 1) % 3, l = (i + 2) % 3;
    const double *rk = p->r[k], *rl = p->r[l];
    for (int h = 0; h < 2; h++) {
        f64x2 nk = f64x2_sub(f64x2_all(0), BOX_TWO(rl, 2 * h)), nl = BOX_TWO(rk, 2 * h);
        f64x2 size_k = f64x2_abs(nk), size_l = f64x2_abs(nl), length = f64x2_add(size_k, size_l);
        f64x2 reach = f64x2_add(f64x2_mul(f64x2_all(p->a[k]), size_k), f64x2_mul(f64x2_all(p->a[l]), size_l));
        reach = f64x2_add(reach, f64x2_mul(f64x2_all(s->slop), length));
        /* the two others of B's axes, in their order */
        f64x2 m0 = h == 0 ? f64x2_of(p->b[1], p->b[0]) : f64x2_of(p->b[0], 0);
        f64x2 m0k = h == 0 ? f64x2_of(rk[1], rk[0]) : f64x2_of(rk[0], 0),
              m0l = h == 0 ? f64x2_of(rl[1], rl[0]) : f64x2_of(rl[0], 0);
        f64x2 m1 = h == 0 ? f64x2_all(p->b[2]) : f64x2_of(p->b[1], 0);
        f64x2 m1k = h == 0 ? f64x2_all(rk[2]) : f64x2_of(rk[1], 0),
              m1l = h == 0 ? f64x2_all(rl[2]) : f64x2_of(rl[1], 0);
        reach = f64x2_add(reach, f64x2_mul(m0, f64x2_abs(f64x2_add(f64x2_mul(m0k, nk), f64x2_mul(m0l, nl)))));
        reach = f64x2_add(reach, f64x2_mul(m1, f64x2_abs(f64x2_add(f64x2_mul(m1k, nk), f64x2_mul(m1l, nl)))));
        out[h].along = f64x2_add(f64x2_mul(f64x2_all(p->t[k]), nk), f64x2_mul(f64x2_all(p->t[l]), nl));
        out[h].speed = f64x2_add(f64x2_mul(f64x2_all(s->v[k]), nk), f64x2_mul(f64x2_all(s->v[l]), nl));
        /* parallel edges: the faces are all the axes there are */
        f64x2 tiny = f64x2_sub(f64x2_all(1), two_where(length, f64x2_all(0x1p-100), f64x2_all(1)));
        out[h].reach = f64x2_add(reach, f64x2_mul(tiny, f64x2_all(DBL_MAX)));
    }
}

/* An axis of edges that equals a face's within rounding would give the wrong features. So it is taken only where its
 * span begins later than the faces' spans by more than the rounding. */
static int box_sweep_settle(const box_sweep *s, const box_slab *slab, const double *first, int edges) {
    int i = (edges - 8) / 4, j = (edges - 8) % 4, face = 0;
    for (int at = 1; at < 7; at++)
        if (at != 3 && first[at] > first[face]) face = at;
    f64x2 two = slab[edges / 2].speed;
    double speed = edges % 2 ? f64x2_high(two) : f64x2_low(two);
    double length = fabs(s->pair.r[(i + 1) % 3][j]) + fabs(s->pair.r[(i + 2) % 3][j]);
    bool longer = (first[edges] - first[face]) * fabs(speed) > 16 * s->slop * length;
    return longer || !(first[face] > 0) ? edges : face;
}

/* Do the faces' axes separate them by more than the band at the start? */
static bool box_apart(const box_slab faces[4], double band) {
    f64x2 most = f64x2_all(0);
    for (int i = 0; i < 4; i++) most = f64x2_max(most, f64x2_sub(f64x2_abs(faces[i].along), faces[i].reach));
    return cm__most(f64x2_low(most), f64x2_high(most)) > band;
}

/* The lengths of the axes of a slab; 0 for the lanes that count for nothing. */
static inline f64x2 box_slab_length(const box_pair *p, int i) {
    if (i < 4) return f64x2_of(1, i % 2 ? 0 : 1);
    const int k = (i / 2 - 1) % 3, l = i / 2 % 3, h = i % 2 * 2;
    const f64x2 rk = BOX_TWO(p->r[k], h), rl = BOX_TWO(p->r[l], h);
    return f64x2_sqrt(f64x2_add(f64x2_mul(rk, rk), f64x2_mul(rl, rl)));
}

/* From their first contact on, along axis `at`: do they get deeper than `depth`, and along that axis last? They do
 * where along no other they overlap by less than along that, when that is SWEEP_DEEP depths: overlaps are concave in
 * time, so no other was less before. What is equal but for rounding counts as well, like axes that fall together. */
static bool box_sweep_gets_deep(const box_sweep *s, const box_slab slab[10], const double *first, int at,
                                double depth) {
    const f64x2 speeds = f64x2_abs(slab[at / 2].speed);
    const double square = at < 8 ? 1 : box_edge_square(&s->pair, (at - 8) / 4, (at - 8) % 4);
    const double speed = at % 2 ? f64x2_high(speeds) : f64x2_low(speeds), most = SWEEP_DEEP * depth;
    const f64x2 u = f64x2_all(first[at] + most * sqrt(square) / speed), need = f64x2_all(most - 2 * s->slop);
    f64x2 room = f64x2_all(0);
    for (int i = 0; i < 10; i++) {
        const f64x2 far = f64x2_abs(f64x2_add(slab[i].along, f64x2_mul(u, slab[i].speed)));
        const f64x2 least = f64x2_mul(need, box_slab_length(&s->pair, i));
        room = f64x2_min(room, f64x2_sub(f64x2_sub(slab[i].reach, far), least));
    }
    return f64x2_low(room) >= 0 && f64x2_high(room) >= 0;
}

/* From their first contact on, straight and until they are past each other: do they never get as deep as `depth`? Not
 * asked of what is thinner. */
static bool box_sweep_brushes(const box_sweep *s, const box_slab slab[10], double depth) {
    const box_pair *p = &s->pair;
    const double *v = s->v, sizes = p->a[0] + p->a[1] + p->a[2] + p->b[0] + p->b[1] + p->b[2];
    const double past = 4 * sizes / sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    f64x2 latest = f64x2_all(0), soonest = f64x2_all(1), begin, end;
    for (int k = 0; k < 3; k++)
        if (!(p->a[k] > depth && p->b[k] > depth)) return false;
    for (int i = 0; i < 10; i++) {
        box_slab on = slab[i];
        on.along = f64x2_add(on.along, f64x2_mul(f64x2_all(s->span.first), on.speed));
        on.speed = f64x2_mul(f64x2_all(past), on.speed);
        on.reach = f64x2_sub(on.reach, f64x2_mul(f64x2_all(depth), box_slab_length(p, i)));
        box_slab_times(&on, &begin, &end);
        latest = f64x2_max(latest, begin), soonest = f64x2_min(soonest, end);
    }
    return cm__most(f64x2_low(latest), f64x2_high(latest)) > cm__least(f64x2_low(soonest), f64x2_high(soonest));
}

/* *near: they never touch, but the faces' axes do not show that the start is clear of the band. */
static bool box_sweep_run(box_sweep *s, double band, bool *near) {
    box_slab slab[10];
    double first[20];
    f64x2 latest = f64x2_all(0), soonest = f64x2_all(1), begin, end;
    box_slab_faces_a(s, slab);
    box_slab_faces_b(s, slab + 2);
    for (int i = 0; i < 3; i++) box_slab_edges(s, i, slab + 4 + 2 * i);
    for (int i = 0; i < 10; i++) {
        box_slab_times(&slab[i], &begin, &end);
        f64x2_store(first + 2 * i, begin);
        latest = f64x2_max(latest, begin), soonest = f64x2_min(soonest, end);
    }
    s->span.first = cm__most(f64x2_low(latest), f64x2_high(latest));
    s->span.last = cm__least(f64x2_low(soonest), f64x2_high(soonest));
    s->kind = -1, s->deep = s->brushes = false;
    if (!(s->span.first <= s->span.last)) {
        *near = !box_apart(slab, band);
        return false;
    }
    if (!(s->span.first > 0)) return true;
    int at = 0; /* the first of the latest; rows of four, of which three count */
    while (first[at] < s->span.first) at++;
    if (at >= 8) at = box_sweep_settle(s, slab, first, at);
    s->deep = box_sweep_gets_deep(s, slab, first, at, SWEEP_BRUSH * band);
    s->brushes = !s->deep && box_sweep_brushes(s, slab, SWEEP_SHALLOW * SWEEP_BRUSH * band);
    s->kind = at < 4 ? 0 : at < 8 ? 1 : 2;
    s->i = s->kind == 0 ? at : s->kind == 1 ? 0 : (at - 8) / 4;
    s->j = s->kind == 0 ? 0 : s->kind == 1 ? at - 4 : (at - 8) % 4;
    return true;
}

/* A at `center` with axes `turn`; B at `pose` and moving by v in A's frame; A's own motion is `move`. */
typedef struct box_path {
    const cm__frame *turn;
    cm__point center, half_a, half_b;
    cm__frame pose;
    cm__point v, move;
    double size, band;
} box_path;

static cm__straight_end sweep_boxes(const box_path *p, cm_sweep_hit *out) {
    box_sweep s;
    const cm__point v = p->v;
    box_pair_set(&p->pose, p->half_a, p->half_b, &s.pair);
    f64x2_store(s.v, f64x2_of(v.x, v.y)), f64x2_store(s.v + 2, f64x2_of(v.z, 0));
    s.slop = CM__SPAN_SLOP * p->size;
    bool near = false, meets = box_sweep_run(&s, p->band, &near);
    if (!meets && !near) return CM__STRAIGHT_MISS;
    cm__point normal;
    box_axis axis;
    /* apart by more than the band, with an axis of first contact: the start needs no more */
    double enough = meets && s.kind >= 0 ? p->band : DBL_MAX;
    double gap = box_pair_axis(&s.pair, enough, &normal, &axis);
    if (!meets) return gap <= p->band ? CM__STRAIGHT_NEAR : CM__STRAIGHT_MISS;
    cm__sweep_start_state start = {gap, cm__point_dot(v, normal), p->band};
    /* some axis separates them at the start, and on all axes they overlap later */
    if (s.kind >= 0) start.rate = -1;
    cm__straight_end end = cm__sweep_begin(&start, s.span, out);
    if (end != CM__STRAIGHT_HIT) return end;
    double u = (double)out->first;
    for (int k = 0; k < 3; k++) s.pair.t[k] += u * s.v[k];
    if (s.kind >= 0) {
        axis.kind = s.kind, axis.i = s.i, axis.j = s.j;
        normal = box_axis_normal(&s.pair, axis.kind, axis.i, axis.j);
    }
    cm__point touch;
    cm__box_touch(&s.pair, gap, normal, axis, &touch);
    cm__point at = cm__point_add(cm__point_mul_add(p->center, u, p->move), frame_rotate(p->turn, touch));
    cm__sweep_end(frame_rotate(p->turn, wide_neg(v)), frame_rotate(p->turn, normal), at, out);
    out->blocking = out->blocking && !(s.brushes && out->start == CM_SWEEP_SEPARATED);
    return s.deep || s.brushes ? CM__STRAIGHT_PLAIN : CM__STRAIGHT_HIT;
}

static void box_path_measure(box_path *p) {
    p->size = wide_length_most(p->pose.position) + wide_length_most(p->v);
    p->size += wide_length_most(p->half_a) + wide_length_most(p->half_b);
    p->band = straight_band(p->size);
}

cm__straight_end cm__straight_box_box(const cm__straight *s, cm_sweep_hit *out) {
    const cm__frame *turn = &s->pose_a;
    box_path p = {.turn = turn, .center = s->pose_a.position, .move = s->move};
    p.half_a = cm__point_of(s->a->u.box), p.half_b = cm__point_of(s->b->u.box);
    p.pose = frame_between(turn, &s->pose_b);
    p.v = frame_unrotate(turn, wide_neg(s->v));
    box_path_measure(&p);
    p.band = s->band;
    return sweep_boxes(&p, out);
}

bool cm_sweep_obb_obb(const cm_obb *a, cm_vec3 move_a, const cm_obb *b, cm_vec3 move_b, cm_sweep_hit *out) {
    if (!cm_obb_is_valid(a) || !cm_obb_is_valid(b) || !cm_vec3_is_valid(move_a) || !cm_vec3_is_valid(move_b))
        return false;
    cm__frame ra = frame_of_quat(a->rotation), rb = frame_of_quat(b->rotation);
    cm__point between = cm__point_sub(cm__point_of(b->center), cm__point_of(a->center));
    box_path p = {.turn = &ra, .center = cm__point_of(a->center), .move = cm__point_of(move_a)};
    p.half_a = cm__point_of(a->half), p.half_b = cm__point_of(b->half);
    rb.position = between;
    p.pose = frame_between(&ra, &rb);
    cm__point v = cm__point_sub(p.move, cm__point_of(move_b));
    p.v = frame_unrotate(&ra, wide_neg(v));
    box_path_measure(&p);
    cm_sweep_hit hit;
    cm__straight_end end = sweep_boxes(&p, &hit);
    if (end == CM__STRAIGHT_MISS) return false;
    if (!straight_is_settled(end, &hit, v, 0, p.band)) {
        cm__straight_pair s = {
            .frame_a = ra, .frame_b = rb, .move = p.move, .v = v, .origin = p.center, .band = p.band};
        cm__core_box(p.half_a, &s.a), cm__core_box(p.half_b, &s.b);
        if (!cm__straight_settle(&s, end, end == CM__STRAIGHT_NEAR && cm_overlap_obb_obb(a, b), &hit)) return false;
    }
    if (out) *out = hit;
    return true;
}
