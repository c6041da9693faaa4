/* GJK for polytopes in cm_real, with approximate support points: a fast start for gjk.c. On its own it proves only that
 * two polytopes are apart, or farther apart than some distance, or overlap, by more than all of its rounding.
 *
 * Frame: A's axes, from the center of A's core. Every corner of the difference D is off by at most GJK_APPROX_ROUNDING
 * of the pair's scale, in the float build some 1e-6; where the answer hangs on that, gjk.c goes on in double from the
 * corners found here, which it gets by number. The newest corner is always part of the feature that carries the closest
 * point, so only the edges and faces at it are examined; where rounding breaks that rule no nearer point is found and
 * the search ends. Bound: GJK_APPROX_STEPS corners; 4 to 6 for round hulls. Based on: [GilbertJohnsonKeerthi88];
 * [vandenBergen04] for the moving one. */
#include "convex/gjk_steps.h"
#include "base/isa.h"
#include "convex/observe.h"
#include "convex/simplex.h"
#include "hull/hull.h"

/* Of the step: a corner that is known already, and gains less time than this, ends the search; what is left is the
 * caller's, in double. Ten times more or less changes last digits only. */
#define APPROX_GAIN 1e-3

/* The core as a hull with so few corners that all are scanned; or NULL. */
static const cm_hull *gjk_approx_scanned(const cm__core *core) {
    const cm_hull *hull = core_hull(core);
    return hull && hull->cells == 0 ? hull : NULL;
}

bool cm__gjk_approx_prepare(const cm__convex_pair *pair, gjk_approx_search *s) {
    static cm__gjk_approx_support *const scans[] = CM__BY_ISA(cm__gjk_approx_support);
    static cm__gjk_approx_steps *const steps[] = CM__BY_ISA(cm__gjk_approx_steps);
    if (!pair->a->ops->near || !pair->b->ops->near) return false;
    if (!(pair->scale > GJK_APPROX_LEAST && pair->scale < GJK_APPROX_MOST)) return false;
    const bool scanned = gjk_approx_scanned(pair->a) && gjk_approx_scanned(pair->b);
    s->pair = pair;
    const cm__isa isa = cm__isa_settled();
    s->support = scanned ? scans[isa] : cm__gjk_approx_support_any;
    s->steps = scanned ? steps[isa] : cm__gjk_approx_steps_any;
    s->turn.x = cm__vec3_of(pair->b_in_a.x), s->turn.y = cm__vec3_of(pair->b_in_a.y);
    s->turn.z = cm__vec3_of(pair->b_in_a.z);
    s->between = cm__vec3_of(pair_between(pair));
    return true;
}

void cm__gjk_approx_support_any(const gjk_approx_search *s, const cm_vec3 *to, gjk_approx_corner *io) {
    const cm_vec3 v = *to;
    const cm__core *a = s->pair->a, *b = s->pair->b;
    cm_vec3 p, q, back = cm_mat3_mul_transposed(&s->turn, cm_neg(v));
    io->a = a->ops->near(a, v, io->a, &p);
    io->b = b->ops->near(b, back, io->b, &q);
    io->w = cm_sub(cm_add(s->between, cm_mat3_mul(&s->turn, q)), p);
}
static void approx_support_any(const void *from, const cm_vec3 *v, gjk_approx_corner *io) {
    cm__gjk_approx_support_any((const gjk_approx_search *)from, v, io);
}
void cm__gjk_approx_steps_any(const gjk_approx_search *s, approx_run *io) {
    approx_steps(s, approx_support_any, s, io);
}

/* Up to three corners, the last in the place of the newest. */
static void approx_simplex_of(const gjk_approx_corner *corner, int count, approx_simplex *out, cm_vec3 *newest) {
    const int last = count - 1, second = count > 2 ? 1 : 0, at[4] = {0, second, second, last};
    const cm_vec3 p = corner[0].w, q = corner[second].w;
    out->kept.x = real4_of(p.x, q.x, q.x, p.x);
    out->kept.y = real4_of(p.y, q.y, q.y, p.y);
    out->kept.z = real4_of(p.z, q.z, q.z, p.z);
    for (int i = 0; i < 4; i++) out->name[i] = approx_name_of(corner[at[i]].a, corner[at[i]].b);
    *newest = corner[last].w;
}

/* The corners of the last search, where they still are some. */
static bool approx_restart(const gjk_approx_search *s, const cm_pair_cache *cache, approx_run *out) {
    const cm__core *a = s->pair->a, *b = s->pair->b;
    if (cache->count < 1 || cache->count > 3) return false;
    gjk_approx_corner corner[3];
    for (uint32_t i = 0; i < cache->count; i++) {
        if (cache->id_a[i] >= a->count || cache->id_b[i] >= b->count) return false;
        cm__point p = cm__point_sub(convex_corner(a, cache->id_a[i]), a->center);
        cm__point q = cm__point_sub(convex_corner(b, cache->id_b[i]), b->center);
        corner[i].w = cm_sub(cm_add(s->between, cm_mat3_mul(&s->turn, cm__vec3_of(q))), cm__vec3_of(p));
        corner[i].a = cache->id_a[i], corner[i].b = cache->id_b[i];
    }
    approx_closest closest;
    cm_vec3 newest;
    approx_simplex_of(corner, (int)cache->count, &out->simplex, &newest);
    approx_closest_of(&out->simplex, newest, false, true, &closest);
    approx_keep(&out->simplex, newest, closest.choice);
    out->v = closest.v, out->square = cm_dot(closest.v, closest.v);
    return out->square > 0;
}

/* A corner of the difference, from the cores' own corners. */
static void approx_vertex(const gjk_approx_search *search, const approx_simplex *s, int k, cm__convex_vertex *out) {
    *out = convex_vertex_of(search->pair, approx_name_a(s->name[k]), approx_name_b(s->name[k]));
}

/* All in double, as the corners are that the search knows by number. */
CM__RARE void cm__gjk_approx_show(const gjk_approx_search *search, const approx_simplex *s, int count,
                                  const cm_vec3 *way) {
    cm__convex_vertex vertex[4], support;
    cm__feature f = {.v = cm__p(0, 0, 0), .square = 0};
    cm__watch_simplex show = {.vertex = vertex, .v = &f.v, .count = count, .lower = -DBL_MAX, .upper = DBL_MAX};
    for (int i = 0; i < count; i++) approx_vertex(search, s, i, &vertex[i]);
    if (count == 1) cm__feature_corner(vertex, 0, &f);
    if (count == 2) cm__feature_edge(vertex, 0, 1, &f);
    if (count == 3) cm__feature_triangle(vertex, 0, 1, 2, &f);
    if (count > 0) show.upper = sqrt(f.square);
    cm__point v = cm__p(0, 0, 0);
    if (way) {
        v = cm__point_of(*way);
        approx_vertex(search, s, 3, &support);
        show.way = &v, show.support = &support;
        show.lower = cm__point_dot(v, support.w) / cm__point_length(v) - GJK_APPROX_ROUNDING * search->pair->scale;
    }
    cm__watch_send_simplex(search->pair, &show);
}

bool cm__gjk_approx_run(const cm__convex_pair *pair, double far, const cm_pair_cache *cache, cm__gjk_approx *out) {
    gjk_approx_search s;
    approx_run run;
    const double band = GJK_APPROX_ROUNDING * pair->scale;
    out->count = 0;
    out->inside = false;
    if (!cm__gjk_approx_prepare(pair, &s)) return false;
    watch_search(pair->watch);
    run.last = approx_name_of(0, 0);
    run.near = (cm_real)band, run.limit = far + band < (double)CM_REAL_MAX ? (cm_real)(far + band) : CM_REAL_MAX;
    if (!(cache && approx_restart(&s, cache, &run))) {
        approx_simplex_none(&run.simplex);
        run.v = s.between;
        if (cache && cm_largest(cache->normal) > 0 && cm_vec3_is_valid(cache->normal)) run.v = cache->normal;
        if (!(cm_largest(run.v) > 0)) run.v = cm_v(1, 0, 0);
        run.square = cm_dot(run.v, run.v);
    }
    s.steps(&s, &run);
    const approx_simplex *simplex = &run.simplex;
    out->inside = run.end == APPROX_INSIDE && run.deep;
    if (run.end == APPROX_BEYOND || out->inside) out->normal = run.v;
    if (run.end == APPROX_BEYOND) return true;
    out->count = run.end == APPROX_INSIDE ? 4 : simplex->count;
    for (int i = 0; i < simplex->count; i++)
        out->id_a[i] = approx_name_a(simplex->name[i]), out->id_b[i] = approx_name_b(simplex->name[i]);
    out->id_a[3] = approx_name_a(run.last), out->id_b[3] = approx_name_b(run.last);
    return false;
}

/* Moves the last of the kept corners to the place of the newest. */
static void approx_newest_again(approx_simplex *io, cm_vec3 *newest) {
    cm_real x[4], y[4], z[4];
    gjk_approx_corner corner[3];
    real4_store(x, io->kept.x), real4_store(y, io->kept.y), real4_store(z, io->kept.z);
    for (int i = 0; i < 3; i++) {
        corner[i].w = cm_v(x[i], y[i], z[i]);
        corner[i].a = approx_name_a(io->name[i]), corner[i].b = approx_name_b(io->name[i]);
    }
    approx_simplex_of(corner, io->count, io, newest);
}

/* Every plane across v that separates the cores separates them for a while, whether v is the closest point or not. Time
 * advances by that at once, the corners found move along, and the search continues there. */
double cm__gjk_approx_ray(const cm__convex_pair *pair, cm__point drift, double least, cm_pair_cache *cache) {
    gjk_approx_search search;
    if (!cm__gjk_approx_prepare(pair, &search)) return 0;
    const double band = GJK_APPROX_ROUNDING * pair->scale + least + pair->a->radius + pair->b->radius;
    /* what corners that move along are rounded by: a product and a sum in cm_real, eight times over */
    const double blur = 16 * (double)CM_REAL_EPSILON * cm__point_largest(drift);
    const cm__point start = pair_between(pair);
    cm_vec3 v = search.between;
    if (!(cm_largest(v) > 0)) return 0;
    approx_simplex s;
    gjk_approx_corner next = {{0, 0, 0}, 0, 0};
    approx_simplex_none(&s);
    double u = 0;
    for (int step = 0; step < GJK_APPROX_STEPS; step++) {
        search.support(&search, &v, &next);
        const bool known = approx_has_corner(&s, approx_name_of(next.a, next.b));
        cm_real length = cm_sqrt(cm_dot(v, v));
        double lower = (double)(cm_dot(v, next.w) / length) - band;
        double gain = 0;
        if (lower > 0) {
            double speed = -cm__point_dot(cm__point_of(v), drift) / (double)length + blur;
            if (!(lower < speed * (1 - u))) return 2; /* separated to the end of the step */
            gain = lower / speed;
            u += gain;
            search.between = cm__vec3_of(cm__point_mul_add(start, u, drift));
            cm_vec3 shift = cm__vec3_of(cm__point_scale(drift, gain));
            s.kept = real4_points_mul_add(s.kept, real4_all(1), real4_points_all(shift));
            next.w = cm_add(next.w, shift);
        }
        if (known && gain < APPROX_GAIN) break;
        s.name[3] = approx_name_of(next.a, next.b);
        if (s.count == 0) approx_first(&s, next.w);
        if (known) approx_newest_again(&s, &next.w);
        approx_closest closest;
        if (!approx_closest_of(&s, next.w, s.count == 3 && !known, true, &closest)) {
            s.count = 4;
            break;
        }
        approx_keep(&s, next.w, closest.choice);
        v = closest.v;
        if (!((double)cm_dot(v, v) > band * band)) break;
    }
    cache->normal = v;
    cache->count = s.count < 4 ? (uint32_t)s.count : 0;
    for (uint32_t i = 0; i < cache->count; i++)
        cache->id_a[i] = approx_name_a(s.name[i]), cache->id_b[i] = approx_name_b(s.name[i]);
    return u;
}
