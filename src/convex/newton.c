/* Newton's steps toward the distance of two convex cores of which one is curved.
 *
 * Where a surface is curved, every direction has its own support point, and GJK's closest point of the points found so
 * far creeps to the answer: its error shrinks by a factor a step. Newton's steps use how the support points move. D is
 * the hull of pieces, each of a piece of A and one of B (shape/core.h). The distance is |n| for the n that minimizes
 * f(n) = |n|^2 / 2 - min over the pieces of n.w(n), which is convex; w(n) is the piece's support against n, and moves
 * by -H dn / |n|. With the weights l of the pieces that carry the closest point, f's second derivative is K = I + sum l
 * H / |n|, and, as H n = 0, Newton's step goes to n' = K^-1 w', with w' the point of the hull of the w(n) that is
 * closest to the origin in the metric of K^-1. Without curvature K = I, and that is GJK's step. So: each piece's
 * support against the best direction so far, and GJK's closest point in that metric. A direction that proves more
 * becomes the best one; one that proves less shows a piece that was missing, or the step is halved. Where two prove the
 * same but for rounding, as of directions 1e-8 apart, the later is the better one.
 *
 * Nothing hangs on K: the bounds are those of GJK, from points of D above, from the plane of a support point below, and
 * the end is where they agree as there (gjk_bounds.h) and the points face each other. Near the answer an error e of n
 * becomes about e^2. The middle of a cap is a kink that no piece tells of, so where a step proves less than the one
 * before, the normals of the caps are tried; where one core is a polytope right after the first, as a cap, the side of
 * a cone or a box's face is hit most often, and steps find a face corner by corner. It gives up, and GJK goes on, where
 * steps still prove less, or after NEWTON_STEPS support points. Frame: A's. Based on: [Luksan98] for Newton's step with
 * several pieces. */
#include "convex/newton.h"
#include "convex/gjk_bounds.h"
#include "convex/observe.h"

#define NEWTON_STEPS 12 /* support points at most, */
#define NEWTON_BACK  2  /* and how often a step is halved */

/* Of the scale: how far points are from facing each other. What is moved by the distance is left aside by as much, and
 * where an edge or a thin rim touches as far apart. */
#if defined(CAROM_F64)
#define NEWTON_OFF 1e-10
#else
#define NEWTON_OFF 1e-7
#endif

typedef struct newton_search {
    const cm__convex_pair *pair;
    cm__point n;                  /* the best direction so far, */
    double length, lower;         /* its length, and what it proves */
    cm__newton_vertex *vertex[4]; /* farthest against n, each of its pieces; the first `count` have weights, */
    double weight[3];             /* whose mean is a point of D */
    int count, all;
    cm__newton_vertex place[4];
} newton_search;

/* The farthest point of a core's piece, or of all for CM_NONE. *id: of polytopes, in and out as for `support`. */
static void newton_core(const cm__core *core, cm__point n, uint32_t piece, uint32_t *id, cm__bend *out) {
    if (core->ops->bend) {
        core->ops->bend(core, n, piece, out);
        *id = CM_NONE;
        return;
    }
    if (piece == CM_NONE)
        out->point = core->ops->support(core, n, id);
    else
        out->point = core->ops->corner(core, piece), *id = piece;
    out->piece = *id;
    out->cap = false;
    out->count = 0;
    out->rate = out->less = out->lean = 0;
}

/* The same of B, in A's frame. */
static void newton_core_b(const cm__convex_pair *pair, cm__point n, uint32_t piece, uint32_t *id, cm__bend *out) {
    const cm__frame *frame = &pair->b_in_a;
    newton_core(pair->b, wide_neg(frame_unrotate(frame, n)), piece, id, out);
    out->point = frame_apply(frame, out->point);
    for (int i = 0; i < out->count; i++) out->along[i] = frame_rotate(frame, out->along[i]);
}

/* The point of A (or B) closest to a point, in A's frame. */
static cm__point newton_closest(const cm__convex_pair *pair, bool of_a, cm__point to) {
    if (of_a) return pair->a->ops->closest(pair->a, to);
    const cm__frame *frame = &pair->b_in_a;
    const cm__point local = frame_unrotate(frame, cm__point_sub(to, frame->position));
    return frame_apply(frame, pair->b->ops->closest(pair->b, local));
}

/* The difference of both points. */
static void newton_difference(cm__newton_vertex *io) {
    io->at.a = io->a.point;
    io->at.w = cm__point_sub(io->b.point, io->at.a);
}

void cm__newton_support(const cm__convex_pair *pair, cm__point n, cm__newton_vertex *out) {
    newton_core(pair->a, n, CM_NONE, &out->at.id_a, &out->a);
    newton_core_b(pair, n, CM_NONE, &out->at.id_b, &out->b);
    newton_difference(out);
}

/* Along the normal of a cap all of it is as far: its point closest to the other one, as the rest leads nowhere. The two
 * must be apart along it by more than rounding, or the closest point may be far from the cap. */
static void newton_over_cap(const cm__convex_pair *pair, cm__newton_vertex *io) {
    if (!(io->a.cap | io->b.cap)) return;
    if (io->a.cap) io->a.point = newton_closest(pair, true, io->b.point);
    if (io->b.cap) io->b.point = newton_closest(pair, false, io->a.point);
    newton_difference(io);
}

void cm__newton_support_of(const cm__convex_pair *pair, cm__point n, const cm__newton_vertex *of,
                           const cm__newton_vertex *known, cm__newton_vertex *out) {
    const uint32_t piece_a = of->a.piece, piece_b = of->b.piece;
    if (known->a.piece == piece_a)
        out->a = known->a, out->at.id_a = known->at.id_a;
    else
        newton_core(pair->a, n, piece_a, &out->at.id_a, &out->a);
    if (known->b.piece == piece_b)
        out->b = known->b, out->at.id_b = known->at.id_b;
    else
        newton_core_b(pair, n, piece_b, &out->at.id_b, &out->b);
    newton_difference(out);
}

/* The square root L of K = I + the mean of H / |n|, as it is needed: 1 / its diagonal, and what is below that. */
typedef struct newton_metric {
    double x, y, z, yx, zx, zy;
} newton_metric;

static void newton_add(const cm__bend *bend, double h[6]) {
    for (int k = 0; k < bend->count; k++) {
        const cm__point e = bend->along[k], t = cm__point_scale(e, bend->weight[k]);
        h[0] += t.x * e.x, h[1] += t.x * e.y, h[2] += t.x * e.z;
        h[3] += t.y * e.y, h[4] += t.y * e.z, h[5] += t.z * e.z;
    }
}

static newton_metric newton_metric_of(const newton_search *s) {
    const double r = 1 / s->length;
    double xx = 1, xy = 0, xz = 0, yy = 1, yz = 0, zz = 1;
    for (int i = 0; i < s->count; i++) {
        const cm__newton_vertex *p = s->vertex[i];
        const double t = s->weight[i] * r;
        double h[6] = {0, 0, 0, 0, 0, 0};
        newton_add(&p->a, h);
        newton_add(&p->b, h);
        xx += t * h[0], xy += t * h[1], xz += t * h[2], yy += t * h[3], yz += t * h[4], zz += t * h[5];
    }
    /* the second and third pivot wait for no root: each of what the ones before leave */
    const double over = 1 / xx, y2 = yy - xy * xy * over, zy = yz - xy * xz * over, z2 = zz - xz * xz * over;
    newton_metric m;
    m.x = 1 / sqrt(xx), m.y = 1 / sqrt(y2), m.z = 1 / sqrt(z2 - zy * zy / y2);
    m.yx = xy * m.x, m.zx = xz * m.x, m.zy = zy * m.y;
    return m;
}
static cm__point newton_into(const newton_metric *m, cm__point w) {
    const double x = w.x * m->x, y = (w.y - m->yx * x) * m->y;
    return cm__p(x, y, (w.z - m->zx * x - m->zy * y) * m->z);
}
static cm__point newton_back(const newton_metric *m, cm__point v) {
    const double z = v.z * m->z, y = (v.y - m->zy * z) * m->y;
    return cm__p((v.x - m->yx * y - m->zx * z) * m->x, y, z);
}

/* The curvature of all vertices where it is that of one direction, as of a rim against a polytope, times weight. False:
 * there are more. */
static bool newton_one_bend(const newton_search *s, cm__point *along, double *weight) {
    const cm__bend *first = NULL;
    *along = cm__p(0, 0, 0), *weight = 0;
    for (int i = 0; i < s->count; i++) {
        const cm__bend *const of[2] = {&s->vertex[i]->a, &s->vertex[i]->b};
        for (int j = 0; j < 2; j++) {
            if (of[j]->count == 0) continue;
            if (of[j]->count > 1 || (first && !cm__point_equal(first->along[0], of[j]->along[0]))) return false;
            first = of[j];
            *weight += s->weight[i] * of[j]->weight[0];
        }
    }
    if (first) *along = first->along[0];
    return true;
}

/* w by the square root of K^-1, where K = I + c e e^T: that is I + part e e^T. */
static cm__point newton_along(cm__point w, cm__point e, double part) {
    return cm__point_mul_add(w, part * cm__point_dot(e, w), e);
}

/* The closest point of the vertices in the metric: where Newton's step leads, and the vertices that carry it. False:
 * there is none. */
static bool newton_step(newton_search *io, cm__point *to) {
    cm__convex_vertex p[4];
    cm__feature f;
    cm__point e;
    double weight;
    const bool polytope = io->pair->a->ops->corner || io->pair->b->ops->corner; /* else hardly ever */
    if (polytope && newton_one_bend(io, &e, &weight)) {
        const double square = cm__point_dot(e, e), root = sqrt(1 + weight / io->length * square);
        const double part = square > 0 ? (1 / root - 1) / square : 0;
        for (int i = 0; i < io->all; i++) p[i].w = newton_along(io->vertex[i]->at.w, e, part);
        if (!newton_keep(p, io->vertex, io->weight, &io->all, &f)) return false;
        *to = newton_along(f.v, e, part);
    } else {
        const newton_metric m = newton_metric_of(io);
        for (int i = 0; i < io->all; i++) p[i].w = newton_into(&m, io->vertex[i]->at.w);
        if (!newton_keep(p, io->vertex, io->weight, &io->all, &f)) return false;
        *to = newton_back(&m, f.v);
    }
    io->count = io->all;
    return true;
}

/* To a better direction, whose support is the vertex behind the last; `known`: which of the vertices that is, or -1. */
static void newton_move(newton_search *io, cm__point n, double length, double lower, int known) {
    const cm__newton_vertex *x = io->vertex[io->all];
    io->n = n, io->length = length, io->lower = lower;
    for (int i = 0; i < io->count; i++)
        if (i != known) cm__newton_support_of(io->pair, n, io->vertex[i], x, io->vertex[i]);
    if (known < 0)
        io->all++;
    else
        newton_swap(io->vertex, known, io->all);
}

/* The mean of the vertices. */
static cm__point newton_mean(const newton_search *s) {
    cm__point v = cm__p(0, 0, 0);
    for (int i = 0; i < s->count; i++) v = cm__point_mul_add(v, s->weight[i], s->vertex[i]->at.w);
    return v;
}

static void newton_found(const newton_search *s, cm__point v, cm__gjk *out) {
    out->end = CM__GJK_APART;
    out->lower = s->lower, out->normal = s->n;
    out->v = v;
    out->upper = cm__point_length(v);
    out->count = s->count;
    for (int i = 0; i < s->count; i++) out->vertex[i] = s->vertex[i]->at, out->weight[i] = s->weight[i];
}

/* Do the points, v apart, face each other along n, and not only by their distance? `lower` is what n proves. */
static bool newton_faces(const newton_search *s, cm__point v, cm__point n, double length, double lower) {
    const cm__point off = cm__point_mul_add(v, -lower / length, n);
    return cm__point_length(off) <= NEWTON_OFF * s->pair->scale;
}

static CM__RARE void newton_show(const newton_search *s, cm__point n, const cm__convex_vertex *support,
                                 const cm__gjk *g) {
    cm__convex_vertex vertex[4];
    const cm__point v = newton_mean(s);
    for (int i = 0; i < s->count; i++) vertex[i] = s->vertex[i]->at;
    const cm__watch_simplex shown = {.vertex = vertex,
                                     .support = support,
                                     .v = &v,
                                     .way = &n,
                                     .count = s->count,
                                     .exact = true,
                                     .lower = g->lower,
                                     .upper = s->count > 0 ? cm__point_length(v) : DBL_MAX};
    cm__watch_send_simplex(s->pair, &shown);
}

/* The end where the closest point of one lies within its cap, on its side or on a face of a box: the other's point is
 * over that. No curvature leads to the middle of a cap, and corners lead slowly to a face. */
static bool newton_end_over(newton_search *s, const cm__gjk_task *task, bool of_a, cm__gjk *io) {
    const cm__convex_pair *pair = s->pair;
    const cm__core_ops *ops = (of_a ? pair->a : pair->b)->ops;
    if (!ops->closest) return false;
    cm__convex_vertex y = s->vertex[0]->at;
    cm__point b = cm__point_add(y.a, y.w);
    const cm__point n =
        of_a ? cm__point_sub(b, newton_closest(pair, true, b)) : cm__point_sub(newton_closest(pair, false, y.a), y.a);
    const double length = cm__point_length(n);
    if (!(length > 0)) return false;
    convex_support(pair, n, true, &y);
    io->steps++;
    const double lower = cm__point_dot(n, y.w) / length;
    const bool done = gjk_take_lower(pair, task, n, lower, io);
    if (pair->watch) newton_show(s, n, &y, io);
    if (done) return true;
    b = cm__point_add(y.a, y.w);
    if (of_a)
        y.a = newton_closest(pair, true, b);
    else
        b = newton_closest(pair, false, y.a);
    y.w = cm__point_sub(b, y.a);
    const double upper = cm__point_length(y.w);
    if (!gjk_is_near(pair, upper, lower) || !newton_faces(s, y.w, n, length, lower)) return false;
    s->n = n, s->length = length, s->lower = lower;
    s->vertex[0]->at = y, s->weight[0] = 1, s->count = 1;
    if (!gjk_take_upper(task, upper, io)) newton_found(s, y.w, io);
    return true;
}

/* The same of either. */
static bool newton_end_over_any(newton_search *s, const cm__gjk_task *task, cm__gjk *io) {
    return newton_end_over(s, task, true, io) || newton_end_over(s, task, false, io);
}

bool cm__newton_run(const cm__convex_pair *pair, const cm__gjk_task *task, cm__point n, cm__gjk *io,
                    cm__convex_vertex *hint) {
    newton_search s;
    s.pair = pair, s.lower = -DBL_MAX;
    s.count = s.all = 0;
    if (task->verdict_only) { /* mostly the first step tells: here without curvature, with the same bits */
        convex_support(pair, n, true, hint);
        const double lower = cm__point_dot(n, hint->w) / cm__point_length(n);
        if (gjk_take_lower(pair, task, n, lower, io)) return true;
    }
    for (int i = 0; i < 4; i++) s.vertex[i] = &s.place[i];
    const bool polytope = pair->a->ops->corner || pair->b->ops->corner;
    int back = 0;
    uint32_t id_a = hint->id_a, id_b = hint->id_b;
    for (int step = 0; step < NEWTON_STEPS; step++) {
        cm__newton_vertex *x = s.vertex[s.all];
        x->at.id_a = id_a, x->at.id_b = id_b;
        cm__newton_support(pair, n, x);
        id_a = x->at.id_a, id_b = x->at.id_b;
        io->steps++;
        const int known = newton_find(s.vertex, s.all, x);
        const double length = cm__point_length(n), lower = cm__point_dot(n, x->at.w) / length;
        const bool done = gjk_take_lower(pair, task, n, lower, io);
        if (pair->watch) newton_show(&s, n, &x->at, io);
        if (done) return true;
        const bool apart = lower > gjk_band(pair);
        if (apart) newton_over_cap(pair, x);
        if (step == 0) {
            if (!apart) {
                *hint = x->at;
                return false;
            }
            s.count = s.all = 1, s.weight[0] = 1;
            s.n = cm__point_scale(n, lower / length), s.length = s.lower = lower;
            if (polytope && newton_end_over_any(&s, task, io)) return true;
        } else if (lower > s.lower || (known >= 0 && lower >= io->lower - gjk_band(pair))) {
            newton_move(&s, n, length, lower, known);
        } else if (known < 0) {
            cm__newton_support_of(pair, s.n, x, s.vertex[0], x);
            s.all++;
        } else {
            if (back == 0 && newton_end_over_any(&s, task, io)) return true;
            if (back++ >= NEWTON_BACK) break;
            n = cm__point_scale(cm__point_add(cm__point_scale(n, s.lower / length), s.n), 0.5);
            continue;
        }
        const cm__point v = newton_mean(&s);
        if (gjk_take_upper(task, cm__point_length(v), io)) return true;
        if (gjk_is_near(pair, cm__point_length(v), s.lower) && newton_faces(&s, v, s.n, s.length, s.lower)) {
            newton_found(&s, v, io);
            return true;
        }
        if (!newton_step(&s, &n)) break;
    }
    return false;
}
