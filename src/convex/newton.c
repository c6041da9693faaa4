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
 * before, the normals of the caps are tried. A cap, the side of a cone or a box's face is hit most often where one core
 * is a polytope, and steps find a face corner by corner: so the first direction is mostly such a normal (gjk.c), and
 * the closest points of the first support points prove it; or, where closest points are not known, such normals are
 * tried right after it. It gives up, and GJK goes on, where steps still prove less, or after NEWTON_STEPS support
 * points. Frame: A's. Based on: [Luksan98] for Newton's step with several pieces. */
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

/* Symmetric. */
typedef struct newton_matrix {
    double xx, xy, xz, yy, yz, zz;
} newton_matrix;

static void newton_add(const cm__bend *bend, double t, newton_matrix *io) {
    for (int k = 0; k < bend->count; k++) {
        const cm__point e = bend->along[k], f = cm__point_scale(e, t * bend->weight[k]);
        io->xx += f.x * e.x, io->xy += f.x * e.y, io->xz += f.x * e.z;
        io->yy += f.y * e.y, io->yz += f.y * e.z, io->zz += f.z * e.z;
    }
}

/* K = I + the mean of H / |n|. What is less of H is the same of all vertices. */
static newton_matrix newton_curvature(const newton_search *s) {
    const double r = 1 / s->length, less = r * (s->vertex[0]->a.less + s->vertex[0]->b.less);
    const cm__point u = cm__point_scale(s->n, r), v = cm__point_scale(u, less);
    newton_matrix k = {1 - less + v.x * u.x, v.x * u.y, v.x * u.z,
                       1 - less + v.y * u.y, v.y * u.z, 1 - less + v.z * u.z};
    for (int i = 0; i < s->count; i++) {
        const double t = s->weight[i] * r;
        newton_add(&s->vertex[i]->a, t, &k);
        newton_add(&s->vertex[i]->b, t, &k);
    }
    return k;
}

static newton_matrix newton_inverse(const newton_matrix *k) {
    const double xx = k->yy * k->zz - k->yz * k->yz, xy = k->xz * k->yz - k->xy * k->zz;
    const double xz = k->xy * k->yz - k->xz * k->yy, over = 1 / (k->xx * xx + k->xy * xy + k->xz * xz);
    const newton_matrix m = {over * xx,
                             over * xy,
                             over * xz,
                             over * (k->xx * k->zz - k->xz * k->xz),
                             over * (k->xy * k->xz - k->xx * k->yz),
                             over * (k->xx * k->yy - k->xy * k->xy)};
    return m;
}
static cm__point newton_times(const newton_matrix *m, cm__point w) {
    return cm__p(m->xx * w.x + m->xy * w.y + m->xz * w.z, m->xy * w.x + m->yy * w.y + m->yz * w.z,
                 m->xz * w.x + m->yz * w.y + m->zz * w.z);
}

/* The square root L of K, as it is needed: 1 / its diagonal, and what is below that. */
typedef struct newton_metric {
    double x, y, z, yx, zx, zy;
} newton_metric;

static newton_metric newton_metric_of(const newton_matrix *k) {
    /* the second and third pivot wait for no root: each of what the ones before leave */
    const double over = 1 / k->xx, y2 = k->yy - k->xy * k->xy * over, zy = k->yz - k->xy * k->xz * over;
    const double z2 = k->zz - k->xz * k->xz * over;
    newton_metric m;
    m.x = 1 / sqrt(k->xx), m.y = 1 / sqrt(y2), m.z = 1 / sqrt(z2 - zy * zy / y2);
    m.yx = k->xy * m.x, m.zx = k->xz * m.x, m.zy = zy * m.y;
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

/* Of one or two vertices, which takes no root, with the inverse of K. */
static void newton_step_few(newton_search *io, const newton_matrix *inverse, cm__point *to) {
    const newton_matrix m = *inverse;
    const cm__point w = io->vertex[0]->at.w;
    if (io->all == 1) {
        *to = newton_times(&m, w);
        return;
    }
    const cm__point d = cm__point_sub(io->vertex[1]->at.w, w), g = newton_times(&m, d);
    const double along = -cm__point_dot(w, g), back = cm__point_dot(io->vertex[1]->at.w, g);
    if (along > 0 && back > 0) {
        const double t = along / (along + back);
        io->weight[0] = 1 - t, io->weight[1] = t;
        *to = newton_times(&m, cm__point_mul_add(w, t, d));
        return;
    }
    if (along > 0) newton_swap(io->vertex, 0, 1);
    io->all = 1, io->weight[0] = 1;
    *to = newton_times(&m, io->vertex[0]->at.w);
}

/* The same where the curvature is that of one direction. */
static bool newton_step_along(newton_search *io, cm__point e, double weight, cm__point *to) {
    const double square = cm__point_dot(e, e), c = weight / io->length;
    if (io->all <= 2) {
        const cm__point g = cm__point_scale(e, -c / (1 + c * square));
        const newton_matrix m = {1 + g.x * e.x, g.x * e.y, g.x * e.z, 1 + g.y * e.y, g.y * e.z, 1 + g.z * e.z};
        newton_step_few(io, &m, to);
        return true;
    }
    const double part = square > 0 ? (1 / sqrt(1 + c * square) - 1) / square : 0;
    cm__convex_vertex p[4];
    cm__feature f;
    for (int i = 0; i < io->all; i++) p[i].w = newton_along(io->vertex[i]->at.w, e, part);
    if (!newton_keep(p, io->vertex, io->weight, &io->all, &f)) return false;
    *to = newton_along(f.v, e, part);
    return true;
}
static bool newton_step_across(newton_search *io, cm__point *to) {
    const newton_matrix k = newton_curvature(io);
    if (io->all <= 2) {
        const newton_matrix m = newton_inverse(&k);
        newton_step_few(io, &m, to);
        return true;
    }
    const newton_metric m = newton_metric_of(&k);
    cm__convex_vertex p[4];
    cm__feature f;
    for (int i = 0; i < io->all; i++) p[i].w = newton_into(&m, io->vertex[i]->at.w);
    if (!newton_keep(p, io->vertex, io->weight, &io->all, &f)) return false;
    *to = newton_back(&m, f.v);
    return true;
}

/* The closest point of the vertices in the metric: where Newton's step leads, and the vertices that carry it. False:
 * there is none. */
static bool newton_step(newton_search *io, cm__point *to) {
    cm__point e;
    double weight;
    const bool polytope = io->pair->a->ops->corner || io->pair->b->ops->corner; /* else hardly ever */
    if (!(polytope && newton_one_bend(io, &e, &weight) ? newton_step_along(io, e, weight, to)
                                                       : newton_step_across(io, to)))
        return false;
    io->count = io->all;
    const double square = cm__point_dot(*to, *to);
    return square > 0 && square < DBL_MAX;
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

/* The end with two points that are known, A's and the way v to that of B. */
static bool newton_end_at(newton_search *s, const cm__gjk_task *task, cm__point a, cm__point v, cm__gjk *io) {
    const double upper = cm__point_length(v);
    if (!(upper > 0 && gjk_is_near(s->pair, upper, s->lower) && newton_faces(s, v, s->n, s->length, s->lower)))
        return false;
    s->vertex[0]->at.a = a, s->vertex[0]->at.w = v;
    if (!gjk_take_upper(task, upper, io)) newton_found(s, v, io);
    return true;
}

/* Where both have closest points: the support points have the face, cap or side on which the closest ones lie, once the
 * direction is its normal. */
static bool newton_end_on(newton_search *s, const cm__gjk_task *task, cm__gjk *io) {
    const cm__convex_vertex x = s->vertex[0]->at;
    const cm__point b = cm__point_add(x.a, x.w), on_a = newton_closest(s->pair, true, b);
    if (newton_end_at(s, task, on_a, cm__point_sub(b, on_a), io)) return true;
    return newton_end_at(s, task, x.a, cm__point_sub(newton_closest(s->pair, false, x.a), x.a), io);
}

/* The same as newton_end_over of either. */
static bool newton_end_over_any(newton_search *s, const cm__gjk_task *task, cm__gjk *io) {
    return newton_end_over(s, task, true, io) || newton_end_over(s, task, false, io);
}

bool cm__newton_run(const cm__convex_pair *pair, const cm__gjk_task *task, cm__point n, cm__gjk *io,
                    cm__convex_vertex *hint) {
    newton_search s;
    s.pair = pair, s.lower = -DBL_MAX;
    s.count = s.all = 0;
    for (int i = 0; i < 4; i++) s.vertex[i] = &s.place[i];
    const bool polytope = pair->a->ops->corner || pair->b->ops->corner;
    const bool begun = pair->a->ops->closest && pair->b->ops->closest; /* with two points */
    const cm__point a = hint->a, v = hint->w;
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
            if (newton_end_at(&s, task, a, v, io)) return true;
            if (polytope && (begun ? newton_end_on(&s, task, io) : newton_end_over_any(&s, task, io))) return true;
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
        const cm__point mean = newton_mean(&s);
        const double upper = cm__point_length(mean);
        if (gjk_take_upper(task, upper, io)) return true;
        if (gjk_is_near(pair, upper, s.lower) && newton_faces(&s, mean, s.n, s.length, s.lower)) {
            newton_found(&s, mean, io);
            return true;
        }
        if (!newton_step(&s, &n)) break;
    }
    return false;
}
