/* GJK: the distance of two convex cores is that of the origin from the closest point of their difference D = B - A.
 *
 * Each step takes D's support point w against v, the closest point so far, and replaces v by the closest point of a
 * simplex of at most four support points. |v| bounds the distance from above, v.w / |v| from below. Ends: where the two
 * bounds agree within GJK_TOLERANCE of |v|, or, near touching, within rounding of the coordinates that enter (`scale`);
 * where w is already in the simplex (polytopes: v is exact); where neither |v| gets shorter nor the lower bound rises,
 * which exact arithmetic excludes: rounding hides what is left. Both must stand still, since |v| may be right to
 * rounding while v's direction is off by 1e-8, which the lower bound shows. Approximate support points (`guess`) are
 * used first; before any end an exact one is asked, and the search goes on with exact ones. Polytopes mostly start from
 * the simplex that gjk_approx.c ended with: one exact support point then proves it. Curved cores mostly end by Newton's
 * steps (newton.c), from the first direction or the first that separates the cores, or, where they overlap, by a point
 * of one that lies in the other. Bound: CM__GJK_STEPS support points; in the tests polytopes took at most 30, curved
 * cores 80. Based on: [GilbertJohnsonKeerthi88], [vandenBergen99] for the bounds. */
#include "convex/gjk_bounds.h"
#include "convex/newton.h"
#include "convex/observe.h"
#include "convex/simplex.h"

#define GJK_FLAT 4 /* steps that neither shorten v nor raise the bound */
/* To and fro between closest points, before any support point: as long as half a step of Newton's method each, of which
 * the first spares .9, the second .4. Behind one way only, from A to B, the direction is worse than before it: it
 * hurries to an edge that is not the last. */
#define GJK_ROUNDS 2

/* Times the rounding (gjk_band) that a point lies below A's surface: one for the point itself, one for that of A that
 * is closest to it, and as much again. Where the ball within A is so small that this is more than a millionth of the
 * way from A's center, the search goes on. */
#define GJK_HOLDS      4
#define GJK_HOLDS_MOST 1e-6

static void gjk_keep(cm__gjk *g, const cm__feature *f) {
    for (int i = 0; i < f->count; i++) {
        if (f->index[i] != i) g->vertex[i] = g->vertex[f->index[i]]; /* which is a later one */
        g->weight[i] = f->weight[i];
    }
    g->count = f->count;
    g->v = f->v;
}

static bool gjk_has(const cm__gjk *g, const cm__convex_vertex *x) {
    for (int i = 0; i < g->count; i++) {
        const cm__convex_vertex *y = &g->vertex[i];
        if (x->id_a != CM_NONE && x->id_b != CM_NONE) {
            if (x->id_a == y->id_a && x->id_b == y->id_b) return true;
        }
        if (cm__point_equal(x->w, y->w)) return true;
    }
    return false;
}

/* The closest point of the simplex, and the feature that carries it. `apart`: the origin is certainly outside D. */
static inline cm__side_of gjk_closest(const cm__gjk *g, double band, bool apart, cm__feature *f) {
    if (g->count < 4 || apart) {
        feature_closest(g->vertex, g->count, f);
    } else {
        cm__side_of side = cm__feature_tetrahedron(g->vertex, band, f);
        if (side != CM__OUTSIDE) return side;
    }
    return f->square > band * band ? CM__OUTSIDE : CM__ON_IT;
}

/* Starts from the corners that another search ended with, as far as they are corners of these cores. */
static bool gjk_restart(const cm__convex_pair *pair, int count, const uint32_t *id_a, const uint32_t *id_b,
                        cm__gjk *g) {
    const cm__core *a = pair->a, *b = pair->b;
    if (!a->ops->corner || !b->ops->corner || count < 1) return false;
    for (int i = 0; i < count; i++) {
        if (id_a[i] >= a->count || id_b[i] >= b->count) return false;
        const cm__convex_vertex x = convex_vertex_of(pair, id_a[i], id_b[i]);
        if (!gjk_has(g, &x)) g->vertex[g->count++] = x;
    }
    return g->count > 0;
}

/* Starts from the corners of the approximate search or the cache's. True: they enclose the origin, which ends the
 * search. */
static bool gjk_begin(const cm__convex_pair *pair, const cm__gjk_task *task, double band, cm__gjk *g, bool *have) {
    const cm__gjk_approx *approx = task->approx;
    const cm_pair_cache *cache = task->cache;
    cm__feature f;
    *have = false;
    g->count = 0;
    if (!(approx ? gjk_restart(pair, approx->count, approx->id_a, approx->id_b, g)
                 : cache && cache->count <= 3 && gjk_restart(pair, (int)cache->count, cache->id_a, cache->id_b, g))) {
        g->count = 0;
        return false;
    }
    cm__side_of side = gjk_closest(g, band, false, &f);
    if (side == CM__WITHIN) return true;
    if (side == CM__OUTSIDE && g->count < 4) {
        *have = true;
        gjk_keep(g, &f);
        return false;
    }
    g->count = 0; /* start afresh, for a better-shaped simplex */
    return false;
}

/* Does the point of B closest to A's center lie in A beyond doubt? So it is where one lies flush on the other. GJK
 * would take some steps to enclose the origin, of which the depth search of curved cores has no need. */
static bool gjk_holds(const cm__convex_pair *pair, double band) {
    const cm__core *a = pair->a, *b = pair->b;
    if (!a->ops->closest || !b->ops->closest || !a->ops->inner) return false;
    const double inner = a->ops->inner(a), farther = GJK_HOLDS * band / inner;
    if (!(inner > 0 && farther < GJK_HOLDS_MOST)) return false;
    const cm__point at = newton_closest(pair, false, a->center);
    /* a point farther from the center, within rounding of A */
    const cm__point beyond = cm__point_mul_add(at, farther, cm__point_sub(at, a->center));
    return cm__point_length(cm__point_sub(a->ops->closest(a, beyond), beyond)) <= band;
}

static bool gjk_is_warm(const cm_pair_cache *cache) {
    return cache && cm_largest(cache->normal) > 0 && cm_vec3_is_valid(cache->normal);
}

/* The first direction, where there is no cache: from A's point closest to the center of B; before Newton's steps
 * GJK_ROUNDS times to and fro between the closest points of both; or from center to center. *out: two points that are
 * about closest, as a point of D; w = 0: they are one, or they are not known. */
static cm__point gjk_start(const cm__convex_pair *pair, double band, bool newton, cm__convex_vertex *out) {
    const cm__core *a = pair->a, *b = pair->b;
    const bool both = newton && b->ops->closest;
    cm__point d = pair_between(pair), to = cm__point_add(a->center, d);
    for (int i = 0; a->ops->closest && i <= (both ? GJK_ROUNDS : 0); i++) {
        if (i > 0) to = newton_closest(pair, false, out->a);
        out->a = newton_closest(pair, true, to);
        out->w = cm__point_sub(to, out->a);
        if (!(cm__point_largest(out->w) > band)) break;
        d = out->w;
    }
    if (!(both && cm__point_largest(out->w) > band)) out->w = cm__p(0, 0, 0);
    double m = cm__point_largest(d);
    return m >= DBL_MIN && m <= DBL_MAX ? cm__point_scale(d, 1 / m) : cm__p(1, 0, 0); /* 1 / m is a number */
}

/* `support` NULL: the end, with the origin in the simplex or on it. The closest point is reported as the weighted mean
 * of the vertices, which is a point of D even where the simplex is thin; v is not. */
static CM__RARE void gjk_show(const cm__convex_pair *pair, const cm__gjk *g, const cm__convex_vertex *support,
                              bool exact) {
    cm__point v = cm__p(0, 0, 0);
    for (int i = 0; support && i < g->count; i++) v = cm__point_mul_add(v, g->weight[i], g->vertex[i].w);
    const cm__watch_simplex s = {.vertex = g->vertex,
                                 .support = support,
                                 .v = &v,
                                 .way = support ? &g->v : NULL,
                                 .count = g->count,
                                 .exact = exact,
                                 .lower = g->lower,
                                 .upper = g->count > 0 ? cm__point_length(v) : DBL_MAX};
    cm__watch_send_simplex(pair, &s);
}

static void gjk_reset(const cm__convex_pair *pair, cm__gjk *out) {
    out->count = out->steps = out->verdict = 0;
    out->limit = false;
    out->lower = -DBL_MAX;
    out->upper = DBL_MAX;
    out->normal = cm__p(0, 0, 0);
    watch_search(pair->watch);
}

/* The end where D holds the origin: inside the simplex, or on the feature *f of it. */
static void gjk_end_within(const cm__convex_pair *pair, cm__side_of side, const cm__feature *f, bool exact,
                           cm__gjk *g) {
    g->end = side == CM__WITHIN ? CM__GJK_INSIDE : CM__GJK_TOUCHING;
    g->upper = 0;
    if (side != CM__WITHIN && f->count > 0)
        gjk_keep(g, f);
    else
        for (int i = 0; i < 4; i++) g->weight[i] = 0.25; /* any point of the simplex will do */
    if (pair->watch) gjk_show(pair, g, NULL, exact);
}

void cm__gjk_run(const cm__convex_pair *pair, const cm__gjk_task *task, cm__gjk *out) {
    const double band = gjk_band(pair);
    double guess = pair->a->guess_error + pair->b->guess_error;
    bool exact = guess == 0, apart = false, have = false;
    double level = -DBL_MAX; /* the best bound when v last got no shorter */
    int flat = 0;            /* and how often it did not since that bound rose */
    cm__convex_vertex x;
    cm__feature f;
    x.id_a = x.id_b = 0;
    x.a = x.w = cm__p(0, 0, 0);
    gjk_reset(pair, out);
    if (gjk_begin(pair, task, band, out, &have)) {
        gjk_end_within(pair, CM__WITHIN, NULL, true, out);
        return;
    }
    const bool warm = gjk_is_warm(task->cache);
    bool newton = cm__newton_knows(pair), known = false; /* is x the support point against v? */
    if (!have) out->v = warm ? cm__point_of(task->cache->normal) : gjk_start(pair, band, newton, &x);
    if (task->approx) { /* what is left is a check */
        exact = true;
        x.id_a = task->approx->id_a[3], x.id_b = task->approx->id_b[3];
    }
    double square = cm__point_dot(out->v, out->v);
    if (newton && !have && exact) {
        /* where the closest points are one they most likely overlap */
        const bool one = !warm && cm__point_largest(x.w) == 0, holds = one && gjk_holds(pair, band);
        if (!holds && cm__newton_run(pair, task, out->v, out, &x)) return;
        known = newton = !(out->lower > band);
        if (!newton) out->v = out->normal, square = cm__point_dot(out->v, out->v);
        if (holds || (newton && !one && gjk_holds(pair, band))) {
            out->end = CM__GJK_INSIDE, out->upper = 0;
            if (pair->watch && holds) gjk_show(pair, out, NULL, exact);
            return;
        }
    }
    while (out->steps < CM__GJK_STEPS) {
        if (newton && out->lower > band) { /* a direction separates them */
            newton = false;
            const double stretch = out->lower / cm__point_length(out->normal);
            if (cm__newton_run(pair, task, cm__point_scale(out->normal, stretch), out, &x)) return;
        }
        if (!known) convex_support(pair, out->v, exact, &x), out->steps++;
        double length = sqrt(square), along = cm__point_dot(out->v, x.w) / length;
        double lower = along - (exact ? 0 : guess);
        const bool done = gjk_take_lower(pair, task, out->v, lower, out);
        if (pair->watch && !known) gjk_show(pair, out, &x, exact);
        known = false;
        if (lower > band) apart = true;
        if (done) return;
        if (have) {
            if (gjk_take_upper(task, length, out)) return;
            if (gjk_is_near(pair, length, along) || gjk_has(out, &x)) {
                if (exact) break;
                exact = true;
                continue;
            }
        }
        out->vertex[out->count++] = x;
        cm__side_of side = gjk_closest(out, band, apart, &f);
        bool shorter = !have || (side == CM__OUTSIDE ? f.square < square : !apart);
        /* Where v no longer gets shorter by more than rounding, its direction may still improve: an error of the
         * direction lowers the bound in proportion, but lengthens v only by its square. */
        if (!shorter && side == CM__OUTSIDE && f.square <= square + 2 * band * length) {
            if (out->lower > level) level = out->lower, flat = 0;
            shorter = flat++ < GJK_FLAT;
        }
        if (!shorter) { /* the rest is rounding */
            out->count--;
            if (exact) break;
            exact = true;
            continue;
        }
        if (side != CM__OUTSIDE) {
            gjk_end_within(pair, side, &f, exact, out);
            return;
        }
        gjk_keep(out, &f);
        square = f.square;
        have = true;
    }
    out->limit = out->steps >= CM__GJK_STEPS;
    out->end = apart ? CM__GJK_APART : CM__GJK_TOUCHING;
}
