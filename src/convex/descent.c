/* Newton's steps toward the depth of two convex cores of which one is curved.
 *
 * The depth along a unit direction u is how far D reaches: h(u), the largest u.w over the support points w of the
 * pieces of D, which move by H du (newton.c). Let t be across u. Along u + t a piece reaches h + w.t + t.H t / 2, and
 * the length of u + t is 1 + t.t / 2, both to second order: so the depth there is the largest of h + w.t + t.(H - h) t
 * / 2. The step goes to where that is least, with the mean K of the H - h of the pieces that carried the last step in
 * place of each. Its dual is a closest point of a simplex to the origin, which simplex.c finds: that of the points
 * (L^-1 w, (R + h_max - h) / sqrt R), where K = L L^T and R is any length. Along w1 - w2 of two pieces that carry it
 * the curvature does not matter, as the step makes them equal. A step that leads up meets a piece that was missing,
 * which is taken along, or is made shorter. Near the answer an error e becomes about e^2. Faces nearby are tried first:
 * along the normal of a cap, or of a box's face, D has a kink from which no step is told.
 *
 * What is known around the answer. A piece's h is at least h + w.t + t.H t / (2 + 2 rate |t|) (cm__bend), D's is at
 * least any mean of those, and the length of u + t is at most 1 + t.t / 2. With the weights that carry the answer the
 * mean of the w.t is 0. So no direction with |t| <= r has less depth if the mean of H / (1 + rate r) is at least the
 * depth along both axes across u. Two pieces with w1 - w2 = g across u: with c more weight on one or the other the mean
 * has c |g.t| more, which is at least c (g.t)^2 / (|g| r). A face whose sides are all m or more from the foot of the
 * origin adds m |t|, enough up to |t| = 2 m / depth; so does a triangle of three pieces.
 *
 * Frame: A's. Bound: DESCENT_STEPS steps, each of at most DESCENT_BACK + 3 support points. Based on: [Luksan98] for
 * Newton's step with several pieces. */
#include "convex/descent.h"
#include "convex/newton.h"

#define DESCENT_STEPS 14
#define DESCENT_BACK  3    /* how often a step is made shorter, */
#define DESCENT_SHORT 0.3  /* by this */
#define DESCENT_FAR   0.5  /* the longest step, of a direction of length 1 */
#define DESCENT_FLAT  0.02 /* of the depth: no curvature is taken to be less */
#define DESCENT_LEAP  0.25 /* the longest step of one that learns: its first curvature is a guess */
#define DESCENT_LEARN 24   /* steps of a descent that learns the curvature */
#define DESCENT_FACE  0.8  /* cosine: faces within 37 degrees are tried */
#define DESCENT_ASIDE 0.3  /* of a direction of length 1: how far from a face that has not the foot */

typedef struct descent_search {
    const cm__convex_pair *pair;
    cm__point u, e, f; /* the direction; the axes across it */
    double reach;
    double tolerance;             /* of it */
    cm__newton_vertex *vertex[5]; /* farthest along u, each of its pieces; the first `count` have weights */
    double weight[3];
    int count, all;
    cm__newton_vertex place[5]; /* of four a step may fail: then another start needs the fifth */
} descent_search;

/* Symmetric, across u. */
typedef struct descent_bend {
    double ee, ef, ff;
} descent_bend;

static void descent_axes(descent_search *io, cm__point e) { io->e = e, io->f = cm__point_cross(io->u, e); }
/* Any axes across u: [Duff17]. */
static void descent_turn(descent_search *io, cm__point u) {
    const double sign = u.z < 0 ? -1 : 1, p = -1 / (sign + u.z);
    io->u = u;
    descent_axes(io, cm__p(1 + sign * u.x * u.x * p, sign * u.x * u.y * p, -sign * u.x));
}

/* From a direction of any length, if that reaches less far. */
static void descent_start(descent_search *io, cm__point u) {
    cm__newton_vertex *x = io->vertex[io->all];
    x->at.id_a = io->vertex[0]->at.id_a, x->at.id_b = io->vertex[0]->at.id_b;
    u = cm__point_scale(u, 1 / cm__point_length(u));
    cm__newton_support(io->pair, wide_neg(u), x);
    const double reach = cm__point_dot(u, x->at.w);
    if (!(reach < io->reach)) return;
    io->reach = reach;
    newton_swap(io->vertex, 0, io->all), io->weight[0] = 1;
    io->count = io->all = 1;
    descent_turn(io, u);
}

static void descent_add(const descent_search *s, const cm__bend *p, double t, descent_bend *io) {
    for (int i = 0; i < p->count; i++) {
        const double e = cm__point_dot(p->along[i], s->e), f = cm__point_dot(p->along[i], s->f);
        const double weight = t * p->weight[i];
        io->ee += weight * e * e, io->ef += weight * e * f, io->ff += weight * f * f;
    }
}

static double descent_least(descent_bend k) { /* eigenvalue */
    const double half = (k.ee - k.ff) / 2;
    return (k.ee + k.ff) / 2 - sqrt(half * half + k.ef * k.ef);
}

/* Across u, from the second of the vertices that carry to the first. */
static cm__point descent_kink(const descent_search *s) {
    const cm__point g = cm__point_sub(s->vertex[0]->at.w, s->vertex[1]->at.w);
    return cm__point_mul_add(g, -cm__point_dot(g, s->u), s->u);
}

/* The curvature for a step, made positive where it is not. */
static descent_bend descent_curvature(descent_search *io) {
    const double least = DESCENT_FLAT * io->reach;
    double kink = 0;
    if (io->count == 2) {
        const cm__point g = descent_kink(io);
        kink = cm__point_length(g);
        if (kink > 0) descent_axes(io, cm__point_scale(g, 1 / kink));
    }
    descent_bend k = {-io->reach, 0, -io->reach};
    for (int i = 0; i < io->count; i++) {
        descent_add(io, &io->vertex[i]->a, io->weight[i], &k);
        descent_add(io, &io->vertex[i]->b, io->weight[i], &k);
    }
    if (kink > 0) {
        k.ff = wide_max(k.ff, least);
        k.ee = wide_max(k.ee, 0) + io->reach + k.ef * k.ef / k.ff;
        return k;
    }
    const double lack = wide_max(least - descent_least(k), 0);
    k.ee += lack, k.ff += lack;
    return k;
}

/* Where the model is least, and the vertices that carry it. */
static bool descent_step(descent_search *io, cm__point *t) {
    const descent_bend k = descent_curvature(io);
    const double a = sqrt(k.ee), b = k.ef / a, c = sqrt(k.ff - b * b), root = sqrt(io->reach);
    if (!(a > 0 && c > 0)) return false;
    cm__convex_vertex p[4];
    cm__feature f;
    for (int i = 0; i < io->all; i++) {
        const cm__point w = io->vertex[i]->at.w;
        const double x = cm__point_dot(w, io->e) / a;
        p[i].w = cm__p(x, (cm__point_dot(w, io->f) - b * x) / c, (2 * io->reach - cm__point_dot(w, io->u)) / root);
    }
    if (!newton_keep(p, io->vertex, io->weight, &io->all, &f)) return false;
    io->count = io->all;
    const double ff = -f.v.y / c, ee = (-f.v.x - b * ff) / a;
    *t = cm__point_add(cm__point_scale(io->e, ee), cm__point_scale(io->f, ff));
    return true;
}

/* To a better direction, whose support is the vertex behind the last; `known`: which of the vertices that is, or -1. */
static void descent_move(descent_search *io, cm__point u, double reach, int known) {
    const cm__newton_vertex *x = io->vertex[io->all];
    io->reach = reach;
    descent_turn(io, u);
    for (int i = 0; i < io->count; i++)
        if (i != known) cm__newton_support_of(io->pair, wide_neg(u), io->vertex[i], x, io->vertex[i]);
    if (known < 0)
        io->all++;
    else
        newton_swap(io->vertex, known, io->all);
}

/* The mean of the vertices is not the foot of the origin by so much. */
static double descent_lack(const descent_search *s) {
    cm__point w = cm__point_scale(s->u, -s->reach);
    for (int i = 0; i < s->count; i++) w = cm__point_mul_add(w, s->weight[i], s->vertex[i]->at.w);
    return cm__point_length(w);
}

static bool descent_steps(descent_search *io) {
    const double tolerance = io->tolerance / 4;
    for (int step = 0; step < DESCENT_STEPS; step++) {
        cm__point t;
        if (!descent_step(io, &t)) return false;
        const double size = cm__point_length(t);
        if (size > DESCENT_FAR) t = cm__point_scale(t, DESCENT_FAR / size);
        for (int back = 0; back <= DESCENT_BACK; back++, t = cm__point_scale(t, DESCENT_SHORT)) {
            cm__point u = cm__point_add(io->u, t);
            u = cm__point_scale(u, 1 / cm__point_length(u));
            cm__newton_vertex *x = io->vertex[io->all];
            x->at.id_a = io->vertex[0]->at.id_a, x->at.id_b = io->vertex[0]->at.id_b;
            cm__newton_support(io->pair, wide_neg(u), x);
            const double reach = cm__point_dot(u, x->at.w);
            const int known = newton_find(io->vertex, io->all, x);
            if (reach < io->reach || (known >= 0 && reach <= io->reach + tolerance)) {
                descent_move(io, u, reach, known);
                break;
            }
            if (known < 0) {
                cm__newton_support_of(io->pair, wide_neg(io->u), x, io->vertex[0], x);
                io->all++;
                break;
            }
            if (back == DESCENT_BACK) return false;
        }
        if (descent_lack(io) <= tolerance) return true;
    }
    return false;
}

/* --- what is around it ------------------------------------------------------------------------------------------- */

/* Is the mean of the curvatures with these weights, and `kink` more along e, no less than the depth up to `around`? */
static bool descent_holds(const descent_search *s, const double *weight, double around, double kink) {
    descent_bend k = {kink - s->reach, 0, -s->reach};
    for (int i = 0; i < s->count; i++) {
        const cm__newton_vertex *p = s->vertex[i];
        const double t = weight[i] / (1 + wide_max(p->a.rate, p->b.rate) * around);
        const double less = (p->a.less + p->b.less) * (t - weight[i]);
        descent_add(s, &p->a, t, &k);
        descent_add(s, &p->b, t, &k);
        k.ee += less, k.ff += less;
    }
    return k.ee >= 0 && k.ff >= 0 && k.ee * k.ff >= k.ef * k.ef;
}

/* The margin between the sides of a polygon across u and the origin's foot; not more than 0: it lies beside, or not all
 * of the corners are as far. */
static double descent_margin(const descent_search *s, const cm__point *p, int count) {
    double least = DBL_MAX, sign = 0;
    for (int i = 0; i < count; i++) {
        const cm__point from = p[i], to = p[i + 1 < count ? i + 1 : 0];
        if (!(cm__point_dot(from, s->u) >= s->reach - s->tolerance)) return 0;
        const double x = cm__point_dot(from, s->e), y = cm__point_dot(from, s->f);
        const double dx = cm__point_dot(to, s->e) - x, dy = cm__point_dot(to, s->f) - y, area = x * dy - y * dx;
        const double length = sqrt(dx * dx + dy * dy);
        if (!(length > 0)) return 0; /* of a flat core */
        if (sign == 0) sign = area < 0 ? -1 : 1;
        least = wide_min(least, sign * area / length);
    }
    return least;
}

static double descent_around(descent_search *s) {
    if (s->count == 3) {
        const cm__point p[3] = {s->vertex[0]->at.w, s->vertex[1]->at.w, s->vertex[2]->at.w};
        return 2 * descent_margin(s, p, 3) / s->reach;
    }
    double kink = 0, move = 0;
    for (int i = 0; i < s->count; i++)
        if (!(cm__point_dot(s->vertex[i]->at.w, s->u) >= s->reach - s->tolerance)) return 0;
    if (s->count == 2) {
        const cm__point g = descent_kink(s);
        kink = cm__point_length(g);
        if (!(kink > 0)) return 0;
        descent_axes(s, cm__point_scale(g, 1 / kink));
        move = wide_min(s->weight[0], s->weight[1]) / 2;
    }
    const double more[2] = {s->weight[0] + move, s->weight[1] - move};
    const double less[2] = {s->weight[0] - move, s->weight[1] + move};
    double around = 1;
    for (int i = 0; i < 8; i++, around /= 2) {
        const double along = 2 * move * kink / around;
        if (descent_holds(s, more, around, along) && (s->count == 1 || descent_holds(s, less, around, along)))
            return around;
    }
    return 0;
}

/* --- faces ------------------------------------------------------------------------------------------------------- */

/* The face of a core that looks along u, if the foot of the origin is on it. If it is beside, the search starts anew
 * from that side of the face, as a rim bends too much for a step where one looks on its face. */
static bool descent_face(descent_search *io, bool of_a, cm__descent *out) {
    const cm__convex_pair *pair = io->pair;
    const cm__core *core = of_a ? pair->a : pair->b;
    if (!core->ops->facet) return false;
    const cm__point n = wide_neg(io->u); /* A faces along n, B against it */
    cm__facet side;
    side.hint = of_a ? io->vertex[0]->at.id_a : io->vertex[0]->at.id_b, side.farthest = true;
    core->ops->facet(core, of_a ? n : frame_unrotate(&pair->b_in_a, io->u), &side);
    if (side.count < 3) return false;
    const cm__point u = of_a ? wide_neg(side.normal) : frame_rotate(&pair->b_in_a, side.normal);
    if (!(cm__point_dot(u, io->u) > DESCENT_FACE)) return false;
    cm__convex_vertex x = io->vertex[0]->at;
    convex_support(pair, wide_neg(u), true, &x);
    const double reach = cm__point_dot(u, x.w);
    if (!(reach > 0 && reach < io->reach + 1e-12 * io->reach)) return false;
    descent_search at; /* what a margin is told by */
    at.reach = reach, at.tolerance = io->tolerance;
    descent_turn(&at, u);
    /* the other core's point is the same all over the face */
    const cm__point b = cm__point_add(x.a, x.w);
    cm__point middle = cm__p(0, 0, 0);
    for (int i = 0; i < side.count; i++) {
        side.point[i] =
            of_a ? cm__point_sub(b, side.point[i]) : cm__point_sub(frame_apply(&pair->b_in_a, side.point[i]), x.a);
        middle = cm__point_add(middle, side.point[i]);
    }
    const double margin = descent_margin(&at, side.point, side.count);
    if (!(margin > 0)) {
        middle = cm__point_mul_add(middle, -cm__point_dot(middle, u), u);
        const double length = cm__point_length(middle);
        if (length > 0) descent_start(io, cm__point_mul_add(u, -DESCENT_ASIDE / length, middle));
        return false;
    }
    out->u = u, out->reach = reach, out->around = 2 * margin / reach;
    out->a = of_a ? cm__point_mul_add(b, -reach, u) : x.a;
    out->b = of_a ? b : cm__point_mul_add(x.a, reach, u);
    out->id_a = x.id_a, out->id_b = x.id_b;
    return true;
}

bool cm__descent_run(const cm__convex_pair *pair, cm__point from, double tolerance, cm__descent *out) {
    descent_search s; /* set by parts: zeros for all vertices would take as long as a support point */
    s.pair = pair, s.reach = DBL_MAX, s.tolerance = tolerance / 2;
    for (int i = 0; i < 5; i++) s.vertex[i] = &s.place[i];
    s.vertex[0]->at.id_a = s.vertex[0]->at.id_b = 0;
    s.count = s.all = 0;
    descent_start(&s, from);
    if (!(s.reach > tolerance)) return false;
    if (descent_face(&s, true, out) || descent_face(&s, false, out)) return true;
    if (!descent_steps(&s)) return descent_face(&s, true, out) || descent_face(&s, false, out);
    out->u = s.u, out->reach = s.reach;
    out->around = descent_around(&s);
    out->a = cm__p(0, 0, 0);
    for (int i = 0; i < s.count; i++) out->a = cm__point_mul_add(out->a, s.weight[i], s.vertex[i]->at.a);
    out->b = cm__point_mul_add(out->a, s.reach, s.u);
    out->id_a = s.vertex[0]->at.id_a, out->id_b = s.vertex[0]->at.id_b;
    return out->around > 0;
}

/* --- of cores whose curvature is not known ----------------------------------------------------------------------- */

static cm__point descent_unit(cm__point p) { return cm__point_scale(p, 1 / cm__point_length(p)); }
static void descent_farthest(const cm__convex_pair *pair, cm__point u, cm__convex_vertex *io) {
    convex_support(pair, wide_neg(u), true, io);
}

/* Down to the least reach h(u) = max of u.w nearby. On the plane u + x e + y f, h is convex with the gradient (w.e,
 * w.f); over the length of the argument it is the depth. Two variables, so the curvature is learned in a few steps. */
void cm__descent_learn(const cm__convex_pair *pair, cm__descent_try *io) {
    const cm__point u = io->u;
    cm__point least = fabs(u.x) <= fabs(u.y) && fabs(u.x) <= fabs(u.z) ? cm__p(1, 0, 0)
                      : fabs(u.y) <= fabs(u.z)                         ? cm__p(0, 1, 0)
                                                                       : cm__p(0, 0, 1);
    cm__point e = descent_unit(cm__point_cross(u, least)), f = cm__point_cross(u, e);
    double inverse[3] = {1 / pair->scale, 0, 1 / pair->scale}; /* of the curvature: xx, xy, yy */
    descent_farthest(pair, u, &io->at);
    io->reach = cm__point_dot(u, io->at.w);
    double x = 0, y = 0, gx = cm__point_dot(io->at.w, e), gy = cm__point_dot(io->at.w, f);
    for (int step = 0; step < DESCENT_LEARN; step++) {
        double px = -(inverse[0] * gx + inverse[1] * gy), py = -(inverse[1] * gx + inverse[2] * gy);
        cm__descent_try next = *io;
        double nx = 0, ny = 0, length = 1, size = sqrt(px * px + py * py),
               t = size > DESCENT_LEAP ? DESCENT_LEAP / size : 1;
        bool down = false;
        for (int k = 0; k < 12 && !down; k++, t /= 4) {
            nx = x + t * px, ny = y + t * py;
            next.u = cm__point_add(u, cm__point_add(cm__point_scale(e, nx), cm__point_scale(f, ny)));
            length = cm__point_length(next.u);
            next.u = cm__point_scale(next.u, 1 / length);
            descent_farthest(pair, next.u, &next.at);
            next.reach = cm__point_dot(next.u, next.at.w);
            down = next.reach < io->reach;
        }
        if (!down) break;
        /* the gradient of h(u + x e + y f) / length */
        double hx = (cm__point_dot(next.at.w, e) - next.reach * nx / length) / length;
        double hy = (cm__point_dot(next.at.w, f) - next.reach * ny / length) / length;
        double sx = nx - x, sy = ny - y, qx = hx - gx, qy = hy - gy, sq = sx * qx + sy * qy;
        if (sq > 0) { /* what the step showed of the curvature: [Nocedal06 §6.1] */
            double wx = inverse[0] * qx + inverse[1] * qy, wy = inverse[1] * qx + inverse[2] * qy;
            double r = (1 + (qx * wx + qy * wy) / sq) / sq;
            inverse[0] += r * sx * sx - 2 * sx * wx / sq;
            inverse[1] += r * sx * sy - (sx * wy + sy * wx) / sq;
            inverse[2] += r * sy * sy - 2 * sy * wy / sq;
        }
        double gain = io->reach - next.reach;
        *io = next;
        x = nx, y = ny, gx = hx, gy = hy;
        if (gain <= DBL_EPSILON * pair->scale) break;
    }
    io->lack = sqrt(gx * gx + gy * gy);
}

/* The direction square to u along which D reaches least, of eight. */
void cm__descent_perpendicular_to(const cm__convex_pair *pair, cm__point u, cm__descent_try *out) {
    const double h = 0.70710678118654752440; /* of 45 degrees */
    const double around[8][2] = {{1, 0}, {h, h}, {0, 1}, {-h, h}, {-1, 0}, {-h, -h}, {0, -1}, {h, -h}};
    cm__point axis = fabs(u.x) < 0.6 ? cm__p(1, 0, 0) : cm__p(0, 1, 0);
    cm__point e = descent_unit(cm__point_cross(u, axis)), f = cm__point_cross(u, e);
    out->reach = DBL_MAX;
    for (int i = 0; i < 8; i++) {
        cm__convex_vertex x = {cm__p(0, 0, 0), cm__p(0, 0, 0), 0, 0};
        cm__point v = cm__point_mul_add(cm__point_scale(e, around[i][0]), around[i][1], f);
        descent_farthest(pair, v, &x);
        double reach = cm__point_dot(v, x.w);
        if (reach < out->reach) out->u = v, out->reach = reach, out->at = x;
    }
}
