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
 * along the normal of a cap, or of a box's face, D has a kink to which no step leads.
 *
 * What is known around the answer, at |t| <= r. A piece's h is a sum of lengths |p| of vectors that are linear in the
 * direction, and of what is linear itself. Where t adds q to p, x of it along p and y across, |p + q| is
 * |p| + x + y^2/(|p + q| + |p| + x): of the curvature, y^2/|p|, the part 2|p|/(|p + q| + |p| + x) is left. D's h is at
 * least any mean of its pieces', and the length of u + t is at most 1 + t.t / 2. With the weights that carry the answer
 * the mean of the w.t is 0. So no direction has less depth if the mean of what is left is at least the depth along both
 * axes across u. Two pieces with w1 - w2 = g across u: with c more weight on one or the other the mean has c |g.t|
 * more, which is at least c (g.t)^2 / (|g| r). A face whose sides are all m or more from the foot of the origin adds m
 * |t|, by itself enough up to 2 m h / (h^2 - m^2); so does the triangle of three pieces, or a parallelogram of two
 * edges.
 *
 * Where both cores are flat the answer has a closed form (cm__descent_flat): the normals of faces lie on no curve,
 * those of an edge, or of the lines of a cylinder or cone, on a circle, and a line of each meets a line of the other
 * where their circles cross. If the least of those directions has the foot of the origin on its face, no direction near
 * it has less depth.
 *
 * Frame: A's. Bound: DESCENT_STEPS steps, each of at most DESCENT_BACK + 3 support points. Based on: [Luksan98] for
 * Newton's step with several pieces. */
#include "convex/descent.h"
#include "convex/newton.h"

#define DESCENT_STEPS  14
#define DESCENT_BACK   3    /* how often a step is made shorter, */
#define DESCENT_SHORT  0.3  /* by this */
#define DESCENT_FAR    0.5  /* the longest step, of a direction of length 1 */
#define DESCENT_FLAT   0.02 /* of the depth: no curvature is taken to be less */
#define DESCENT_FACE   0.8  /* cosine: faces within 37 degrees are tried */
#define DESCENT_ASIDE  0.3  /* of a direction of length 1: how far from a face that has not the foot */
#define DESCENT_FLATS  14   /* a box and what is curved: 6 and 2 faces, 3 edges with two directions each */
#define DESCENT_ENDS   1e-3 /* how far a direction is tilted along a line, to find its ends */
#define DESCENT_MOST   4    /* of r: where a face is wider than it is deep, all of the half sphere, nearly */
#define DESCENT_ENOUGH 1    /* of r: no more is looked for, as what is farther is known by few corners */
#define DESCENT_LEAST  5e-3 /* of r: less is of no use */
#define DESCENT_TIE    1e-9 /* of a reach: of a face and two lines with one direction the face is tried */
#define DESCENT_ROOM   1.5  /* times the weight that a kink needs: it changes the mean of the curvatures, too */

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
    io->ee -= t * p->less, io->ff -= t * p->less;
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

/* A piece's curvature across u, and how fast it may fade. */
typedef struct descent_fade {
    descent_bend k;
    double rate, lean, less;
} descent_fade;
/* Of each vertex, the pieces of both cores. */
typedef struct descent_fades {
    descent_fade of[3][2];
} descent_fades;

static void descent_fade_of(const descent_search *s, const cm__bend *p, descent_fade *out) {
    const descent_bend none = {0, 0, 0};
    out->k = none;
    descent_add(s, p, 1, &out->k);
    out->rate = p->rate, out->lean = sqrt(p->lean), out->less = p->less;
}

/* What is left of it at |t| <= r: |p| / (|p| + x + y^2 / (4 (|p| + x))) of it, with the parts of q along p and across,
 * of which that is at most r |p| lean, this r |p| rate. */
static descent_bend descent_faded(const descent_fade *p, double r) {
    const double x = 1 + p->lean * r, y = p->rate * r, part = 4 * x / (4 * x * x + y * y);
    const double less = p->less * (part - 1);
    const descent_bend k = {part * p->k.ee + less, part * p->k.ef, part * p->k.ff + less};
    return k;
}
/* Of one of the cores, no less than any vertex' piece has: less than the first one's by what another differs from it;
 * or nothing. */
static descent_bend descent_least_faded(const descent_search *s, const descent_fades *fades, int core, double r) {
    const descent_bend first = descent_faded(&fades->of[0][core], r), none = {0, 0, 0};
    double off = 0;
    for (int i = 1; i < s->count; i++) {
        const descent_bend other = descent_faded(&fades->of[i][core], r);
        const double ee = other.ee - first.ee, ef = other.ef - first.ef, ff = other.ff - first.ff;
        off = wide_max(off, ee * ee + 2 * ef * ef + ff * ff);
    }
    off = sqrt(off);
    const descent_bend least = {first.ee - off, first.ef, first.ff - off};
    return off > (first.ee + first.ff) / 4 ? none : least;
}

/* The mean of the curvatures with these weights (NULL: with any), less the depth. */
static descent_bend descent_over(const descent_search *s, const descent_fades *fades, const double *weight, double r) {
    descent_bend k = {-s->reach, 0, -s->reach};
    for (int i = 0; i < (weight ? s->count : 1); i++) {
        const descent_bend a = weight ? descent_faded(&fades->of[i][0], r) : descent_least_faded(s, fades, 0, r);
        const descent_bend b = weight ? descent_faded(&fades->of[i][1], r) : descent_least_faded(s, fades, 1, r);
        const double part = weight ? weight[i] : 1;
        k.ee += part * (a.ee + b.ee), k.ef += part * (a.ef + b.ef), k.ff += part * (a.ff + b.ff);
    }
    return k;
}
static bool descent_is_up(descent_bend k, double kink, double margin) {
    k.ee += kink + margin, k.ff += margin;
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

/* What makes D reach farther around u than a ball does, besides its curvature. */
typedef struct descent_rise {
    double move, kink; /* of two vertices: the weight that goes from one to the other, and how far they are apart */
    double margin;     /* of a face */
    descent_fades fades;
} descent_rise;

static bool descent_holds(const descent_search *s, const descent_rise *rise, double to) {
    if (rise->margin > 0) return descent_is_up(descent_over(s, &rise->fades, NULL, to), 0, 2 * rise->margin / to);
    const descent_bend k = descent_over(s, &rise->fades, s->weight, to);
    if (descent_is_up(k, 0, 0)) return true;
    if (s->count == 1 || !(k.ff > 0)) return false;
    /* as much more along the kink as is missing, with room for what the other weights change */
    const double lack = DESCENT_ROOM * (k.ef * k.ef / k.ff - k.ee);
    const double move = wide_min(rise->move, lack * to / (2 * rise->kink)), kink = 2 * move * rise->kink / to;
    const double more[2] = {s->weight[0] + move, s->weight[1] - move};
    const double less[2] = {s->weight[0] - move, s->weight[1] + move};
    return descent_is_up(descent_over(s, &rise->fades, more, to), kink, 0) &&
           descent_is_up(descent_over(s, &rise->fades, less, to), kink, 0);
}

/* How far around the normal of a face with that margin there is no less depth: m r = h (sqrt(1 + r^2) - 1). */
static double descent_beside(double margin, double height) {
    return margin < height ? 2 * margin * height / (height * height - margin * margin) : DESCENT_MOST;
}

static double descent_as_far(const descent_search *s, descent_rise *rise) {
    double around = rise->margin > 0 ? descent_beside(rise->margin, s->reach) : 0;
    if (around >= DESCENT_ENOUGH) return around;
    for (int i = 0; i < s->count; i++) {
        descent_fade_of(s, &s->vertex[i]->a, &rise->fades.of[i][0]);
        descent_fade_of(s, &s->vertex[i]->b, &rise->fades.of[i][1]);
    }
    for (double to = 1; to > DESCENT_LEAST && to > around; to /= 2) {
        if (!descent_holds(s, rise, to)) continue;
        around = to;
        if (descent_holds(s, rise, 1.5 * to))
            around = 1.5 * to;
        else if (descent_holds(s, rise, 1.25 * to))
            around = 1.25 * to;
    }
    return around;
}

/* The corners of a face of D that three vertices span: of two edges it is a parallelogram. */
static int descent_corners(const descent_search *s, cm__point p[4]) {
    const cm__newton_vertex *const *v = (const cm__newton_vertex *const *)s->vertex;
    int middle = 0;
    while (middle < 3) { /* that has one end with either of the others */
        const cm__newton_vertex *x = v[(middle + 1) % 3], *y = v[(middle + 2) % 3], *z = v[middle];
        if (z->a.piece == x->a.piece && z->b.piece == y->b.piece && x->b.piece != z->b.piece) break;
        if (z->b.piece == x->b.piece && z->a.piece == y->a.piece && x->a.piece != z->a.piece) break;
        middle++;
    }
    const int m = middle % 3;
    const cm__point z = v[m]->at.w, x = v[(m + 1) % 3]->at.w, y = v[(m + 2) % 3]->at.w;
    p[0] = z, p[1] = x, p[2] = y;
    if (middle == 3) return 3;
    p[2] = cm__point_add(x, cm__point_sub(y, z)), p[3] = y;
    return 4;
}

static double descent_around(descent_search *s) {
    descent_rise rise;
    rise.move = rise.kink = rise.margin = 0;
    for (int i = 0; i < s->count; i++)
        if (!(cm__point_dot(s->vertex[i]->at.w, s->u) >= s->reach - s->tolerance)) return 0;
    if (s->count == 3) {
        cm__point p[4];
        const int corners = descent_corners(s, p);
        rise.margin = descent_margin(s, p, corners);
        if (!(rise.margin > 0)) return 0;
    }
    if (s->count == 2) {
        const cm__point g = descent_kink(s);
        rise.kink = cm__point_length(g);
        if (!(rise.kink > 0)) return 0;
        descent_axes(s, cm__point_scale(g, 1 / rise.kink));
        rise.move = wide_min(s->weight[0], s->weight[1]) / 2;
    }
    return descent_as_far(s, &rise);
}

/* --- faces ------------------------------------------------------------------------------------------------------- */

/* The other core's point against a face with that middle and outward normal -u or u, in A's frame: `farthest`, or if
 * the core lies along the face in a line the point of that nearest to the middle. */
static cm__point descent_opposite(const descent_search *s, bool of_a, cm__point u, cm__point middle,
                                  cm__point farthest) {
    const cm__convex_pair *pair = s->pair;
    const cm__core *core = of_a ? pair->b : pair->a;
    cm__facet line;
    line.hint = of_a ? s->vertex[0]->at.id_b : s->vertex[0]->at.id_a, line.farthest = false;
    if (!core->ops->facet) return farthest;
    core->ops->facet(core, of_a ? frame_unrotate(&pair->b_in_a, u) : wide_neg(u), &line);
    if (line.count != 2) return farthest;
    for (int i = 0; of_a && i < 2; i++) line.point[i] = frame_apply(&pair->b_in_a, line.point[i]);
    const cm__point from = line.point[0], way = cm__point_sub(line.point[1], from);
    const double square = cm__point_dot(way, way), up = cm__point_dot(u, cm__point_sub(from, farthest));
    if (!(square > 0 && fabs(up) <= s->tolerance / 2 && fabs(up + cm__point_dot(u, way)) <= s->tolerance / 2))
        return farthest;
    return cm__point_mul_add(from, cm__clamp01(cm__point_dot(cm__point_sub(middle, from), way) / square), way);
}

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
    cm__newton_vertex *const x = io->vertex[4];
    x->at = io->vertex[0]->at;
    cm__newton_support(pair, wide_neg(u), x);
    const double reach = cm__point_dot(u, x->at.w);
    if (!(reach > 0 && reach < io->reach + 1e-12 * io->reach)) return false;
    (of_a ? &x->a : &x->b)->count = 0; /* it is flat */
    descent_search at;                 /* what a margin is found by */
    at.reach = reach, at.tolerance = io->tolerance, at.vertex[0] = x, at.count = 1;
    descent_turn(&at, u);
    cm__point middle = cm__p(0, 0, 0);
    for (int i = 0; i < side.count; i++) {
        if (!of_a) side.point[i] = frame_apply(&pair->b_in_a, side.point[i]);
        middle = cm__point_mul_add(middle, 1.0 / side.count, side.point[i]);
    }
    const cm__point other = descent_opposite(io, of_a, u, middle, of_a ? cm__point_add(x->at.a, x->at.w) : x->at.a);
    for (int i = 0; i < side.count; i++)
        side.point[i] = of_a ? cm__point_sub(other, side.point[i]) : cm__point_sub(side.point[i], other);
    middle = of_a ? cm__point_sub(other, middle) : cm__point_sub(middle, other);
    const double margin = descent_margin(&at, side.point, side.count);
    if (!(margin > 0)) {
        middle = cm__point_mul_add(middle, -cm__point_dot(middle, u), u);
        const double length = cm__point_length(middle);
        if (length > 0) descent_start(io, cm__point_mul_add(u, -DESCENT_ASIDE / length, middle));
        return false;
    }
    descent_rise rise;
    rise.move = rise.kink = 0, rise.margin = margin;
    out->u = u, out->reach = reach, out->around = descent_as_far(&at, &rise);
    out->a = of_a ? cm__point_mul_add(other, -reach, u) : other;
    out->b = of_a ? other : cm__point_mul_add(other, reach, u);
    out->id_a = x->at.id_a, out->id_b = x->at.id_b;
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

/* --- where both are flat ----------------------------------------------------------------------------------------- */

/* Directions in which D may have a face. */
typedef struct descent_flats {
    cm__flats a, b; /* in A's frame */
    int count;
    cm__point u[DESCENT_FLATS];
    uint8_t of[DESCENT_FLATS]; /* 0: a face of A; 1: of B; else a line of each, 2 + line of A + 4 times line of B */
} descent_flats;

static void descent_add_flat(const cm__convex_pair *pair, cm__point u, int of, descent_flats *io) {
    /* of two opposite directions the one from which the other center lies off has less, if both cores are even */
    if (io->a.even && io->b.even && cm__point_dot(u, pair->b_in_a.position) > 0) return;
    io->u[io->count] = u, io->of[io->count++] = (uint8_t)of;
}

/* The two directions u with a.u = s and b.u = t. */
static void descent_add_lines(const cm__convex_pair *pair, cm__point a, double s, cm__point b, double t, int of,
                              descent_flats *io) {
    const double k = cm__point_dot(a, b), rest = 1 - k * k;
    if (!(rest > 1e-12)) return; /* within 1e-6 rad of parallel: what they cross in would be rounding */
    const double over = 1 / rest, along_a = (s - k * t) * over, along_b = (t - k * s) * over;
    const double square = (1 - (along_a * s + along_b * t)) * over;
    if (!(square >= 0)) return;
    const double up = sqrt(square);
    const cm__point n = cm__point_cross(a, b);
    const cm__point middle = cm__point_add(cm__point_scale(a, along_a), cm__point_scale(b, along_b));
    descent_add_flat(pair, cm__point_mul_add(middle, up, n), of, io);
    descent_add_flat(pair, cm__point_mul_add(middle, -up, n), of, io);
}

static void descent_list_flats(const cm__convex_pair *pair, descent_flats *out) {
    cm__flats *const a = &out->a, *const b = &out->b;
    pair->a->ops->flats(pair->a, a), pair->b->ops->flats(pair->b, b);
    out->count = 0;
    for (int i = 0; i < a->normals; i++) descent_add_flat(pair, wide_neg(a->normal[i]), 0, out);
    for (int i = 0; i < b->normals; i++) descent_add_flat(pair, frame_rotate(&pair->b_in_a, b->normal[i]), 1, out);
    for (int j = 0; j < b->circles; j++) {
        b->axis[j] = frame_rotate(&pair->b_in_a, b->axis[j]);
        for (int i = 0; i < a->circles; i++)
            descent_add_lines(pair, wide_neg(a->axis[i]), a->height[i], b->axis[j], b->height[j], 2 + i + 4 * j, out);
    }
}

/* The one of least depth; -1: there is none. */
static int descent_flattest(const cm__convex_pair *pair, const descent_flats *flats) {
    double least = DBL_MAX;
    int best = -1;
    for (int i = 0; i < flats->count; i++) {
        const cm__point u = flats->u[i], back = frame_unrotate(&pair->b_in_a, u);
        const double reach = pair->a->ops->reach(pair->a, wide_neg(u)) + pair->b->ops->reach(pair->b, back) +
                             cm__point_dot(u, pair->b_in_a.position);
        if (reach < (flats->of[i] < 2 ? least : least - DESCENT_TIE * fabs(least))) best = i, least = reach;
    }
    return best;
}

/* Across a direction, as a line is that the direction is normal to. */
static cm__point descent_line(cm__point axis, cm__point u) {
    return cm__point_scale(cm__point_mul_add(axis, -cm__point_dot(axis, u), u), DESCENT_ENDS);
}

/* Of a line of each: the parallelogram between their ends. */
static bool descent_lines(const cm__convex_pair *pair, descent_search *at, cm__point along_a, cm__point along_b,
                          cm__descent *out) {
    const cm__point u = at->u;
    cm__point a[2], b[2];
    uint32_t id_a = 0, id_b = 0;
    for (int i = 0; i < 2; i++) {
        const double sign = i == 0 ? -1 : 1;
        const cm__point back = frame_unrotate(&pair->b_in_a, cm__point_mul_add(u, sign, along_b));
        a[i] = pair->a->ops->support(pair->a, cm__point_mul_add(wide_neg(u), sign, along_a), &id_a);
        b[i] = frame_apply(&pair->b_in_a, pair->b->ops->support(pair->b, back, &id_b));
    }
    const cm__point p[4] = {cm__point_sub(b[0], a[0]), cm__point_sub(b[1], a[0]), cm__point_sub(b[1], a[1]),
                            cm__point_sub(b[0], a[1])};
    const double margin = descent_margin(at, p, 4);
    if (!(margin > 0)) return false;
    /* p0 + y (p1 - p0) + x (p3 - p0) is along u */
    const cm__point e = cm__point_sub(p[1], p[0]), f = cm__point_sub(p[3], p[0]);
    const double area = cm__point_dot(cm__point_cross(e, f), u);
    const double x = -cm__point_dot(cm__point_cross(e, p[0]), u) / area;
    out->u = u, out->reach = at->reach, out->around = descent_beside(margin, at->reach);
    out->a = cm__point_mul_add(a[0], x, cm__point_sub(a[1], a[0]));
    out->b = cm__point_mul_add(out->a, at->reach, u);
    out->id_a = id_a, out->id_b = id_b;
    return true;
}

bool cm__descent_flat(const cm__convex_pair *pair, double tolerance, cm__descent *out) {
    descent_flats flats;
    if (!pair->a->ops->flats || !pair->b->ops->flats) return false;
    descent_list_flats(pair, &flats);
    const int best = descent_flattest(pair, &flats);
    if (best < 0) return false;
    descent_search s;
    s.pair = pair, s.reach = DBL_MAX, s.tolerance = tolerance / 2;
    for (int i = 0; i < 5; i++) s.vertex[i] = &s.place[i];
    s.vertex[0]->at.id_a = s.vertex[0]->at.id_b = 0;
    s.count = s.all = 0;
    descent_start(&s, flats.u[best]);
    if (!(s.reach > tolerance)) return false;
    const int of = flats.of[best] - 2;
    if (of < 0) return descent_face(&s, of == -2, out);
    return descent_lines(pair, &s, descent_line(flats.a.axis[of % 4], s.u), descent_line(flats.b.axis[of / 4], s.u),
                         out);
}
