/* The search of gjk.c in cm_real and with the corners' fast support points: it leads there, and proves nothing but
 * that two polytopes are apart, or farther than some distance, or overlap, by more than all of its rounding.
 *
 * Frame: A's axes, from the center of A's core. Every corner of the difference D is wrong by at most
 * GJK_APPROX_ROUNDING of the pair's scale, in the float build some 1e-6; where that matters nothing is said and gjk.c
 * goes on in double from the corners found here, which are known by number. Since the last corner is always part of
 * what carries the closest point, only the edges and faces at it are looked at; where rounding spoils that, no nearer
 * point is found and the search ends. Bound: GJK_APPROX_STEPS corners; 4 to 6 for round hulls. Based on:
 * [GilbertJohnsonKeerthi88]; [vandenBergen04] for the moving one. */
#include "convex/gjk_approx.h"
#include "base/isa.h"
#include "convex/observe.h"
#include "convex/simplex.h"
#include "hull/hull.h"

/* A hull of few corners, which are all looked at; or NULL. */
static const cm_hull *gjk_approx_scanned(const cm__core *core) {
    const cm_hull *hull = core->ops->hull ? core->ops->hull(core) : NULL;
    return hull && hull->cells == 0 ? hull : NULL;
}

bool cm__gjk_approx_prepare(const cm__convex_pair *pair, gjk_approx_search *s) {
    static cm__gjk_approx_support *const scans[] = CM__BY_ISA(cm__gjk_approx_support);
    if (!pair->a->ops->near || !pair->b->ops->near) return false;
    if (!(pair->scale > GJK_APPROX_LEAST && pair->scale < GJK_APPROX_MOST)) return false;
    s->pair = pair;
    s->support = gjk_approx_scanned(pair->a) && gjk_approx_scanned(pair->b) ? scans[cm__isa_settled()]
                                                                            : cm__gjk_approx_support_any;
    s->turn.x = cm__vec3_of(pair->b_in_a.x), s->turn.y = cm__vec3_of(pair->b_in_a.y);
    s->turn.z = cm__vec3_of(pair->b_in_a.z);
    s->between = cm__vec3_of(pair_between(pair));
    s->count = 0;
    for (int i = 0; i < 4; i++) s->a[i] = s->b[i] = 0; /* all four are handed on, in use or not */
    return true;
}

void cm__gjk_approx_support_any(gjk_approx_search *s, const cm_vec3 *to, uint32_t hint_a, uint32_t hint_b) {
    const cm_vec3 v = *to;
    const cm__core *a = s->pair->a, *b = s->pair->b;
    cm_vec3 p, q, back = cm_mat3_mul_transposed(&s->turn, cm_neg(v));
    int k = s->count;
    s->a[k] = a->ops->near(a, v, hint_a, &p);
    s->b[k] = b->ops->near(b, back, hint_b, &q);
    s->w[k] = cm_sub(cm_add(s->between, cm_mat3_mul(&s->turn, q)), p);
}

typedef struct gjk_approx_side {
    cm_vec3 v; /* the closest point of D so far */
    cm_real square;
    int count, index[3]; /* the unused ones are any */
} gjk_approx_side;

static void gjk_approx_corner(const gjk_approx_search *s, int i, gjk_approx_side *out) {
    out->count = 1;
    out->index[0] = out->index[1] = out->index[2] = i;
    out->v = s->w[i];
    out->square = cm_dot(out->v, out->v);
}

/* From the last corner k along the edge to i. */
static void gjk_approx_edge(const gjk_approx_search *s, int i, int k, gjk_approx_side *out) {
    cm_vec3 d = cm_sub(s->w[i], s->w[k]);
    cm_real along = -cm_dot(s->w[k], d), dd = cm_dot(d, d);
    if (!(along > 0)) {
        gjk_approx_corner(s, k, out);
    } else if (along >= dd) {
        gjk_approx_corner(s, i, out);
    } else {
        out->count = 2;
        out->index[0] = i, out->index[1] = out->index[2] = k;
        out->v = cm_mul_add(s->w[k], along / dd, d);
        out->square = cm_dot(out->v, out->v);
    }
}

static void gjk_approx_face(const gjk_approx_search *s, int i, int j, int k, gjk_approx_side *out) {
    cm_vec3 c = s->w[k], e = cm_sub(s->w[i], c), f = cm_sub(s->w[j], c), n = cm_cross(e, f);
    cm_real beyond_e = cm_dot(cm_cross(e, n), c), beyond_f = cm_dot(cm_cross(n, f), c); /* -c seen from within */
    if (beyond_e > 0 && beyond_f > 0) {
        cm_real nn = cm_dot(n, n), height = cm_dot(n, c);
        cm_real over = nn - beyond_e - beyond_f; /* inside the edge from i to j? */
        if (over >= 0) {
            out->count = 3;
            out->index[0] = i, out->index[1] = j, out->index[2] = k;
            out->v = cm_scale(n, height / nn);
            out->square = cm_dot(out->v, out->v); /* and not height^2 / nn: what it proves must be |v| */
            return;
        }
    }
    gjk_approx_side other;
    gjk_approx_edge(s, i, k, out);
    gjk_approx_edge(s, j, k, &other);
    if (other.square < out->square) *out = other;
    if (out->count == 1 && out->index[0] != k) { /* beyond the far ends: the edge between them */
        gjk_approx_edge(s, i, j, &other);
        if (other.square < out->square) *out = other;
    }
}

/* Is the origin inside by more than rounding? Corners that are wrong by no more than a ball around it that fits between
 * them keep it inside. `side`: of the three faces at the last corner, times the edges that make them. */
static bool gjk_approx_is_deep(const cm_vec3 e[3], const cm_real side[3], cm_real volume, cm_real band) {
    const cm_real x = cm_dot(e[0], e[0]), y = cm_dot(e[1], e[1]), z = cm_dot(e[2], e[2]);
    const cm_real least = 16 * band * cm_max(cm_max(x, y), z); /* no area is more than 4 times that square */
    const cm_real low = cm_min(cm_min(side[0], side[1]), side[2]);
    return low > least && volume - (side[0] + side[1] + side[2]) > least;
}

/* False: the origin is inside. */
static bool gjk_approx_solid(const gjk_approx_search *s, gjk_approx_side *out, cm_real band, bool *deep) {
    const cm_vec3 d = s->w[3], e[3] = {cm_sub(s->w[0], d), cm_sub(s->w[1], d), cm_sub(s->w[2], d)};
    cm_vec3 n[3] = {cm_cross(e[0], e[1]), cm_cross(e[1], e[2]), cm_cross(e[2], e[0])};
    cm_real volume = cm_dot(n[0], e[2]);
    out->count = 0;
    out->square = CM_REAL_MAX;
    cm_real side[3];
    for (int i = 0; i < 3; i++) side[i] = volume > 0 ? -cm_dot(n[i], d) : cm_dot(n[i], d); /* of the origin */
    for (int i = 0; i < 3; i++) {
        if (side[i] >= 0) continue;
        gjk_approx_side face;
        gjk_approx_face(s, i, i == 2 ? 0 : i + 1, 3, &face);
        if (face.square < out->square) *out = face;
    }
    if (out->count == 0) *deep = gjk_approx_is_deep(e, side, cm_abs(volume), band);
    return out->count > 0;
}

/* False: the origin is inside; *deep, beyond doubt. */
static bool gjk_approx_closest(const gjk_approx_search *s, gjk_approx_side *out, cm_real band, bool *deep) {
    if (s->count == 4) return gjk_approx_solid(s, out, band, deep);
    if (s->count == 1) gjk_approx_corner(s, 0, out);
    if (s->count == 2) gjk_approx_edge(s, 0, 1, out);
    if (s->count == 3) gjk_approx_face(s, 0, 1, 2, out);
    return true;
}

static void gjk_approx_keep(gjk_approx_search *s, const gjk_approx_side *side) {
    cm_vec3 w[3];
    uint32_t a[3], b[3];
    for (int i = 0; i < 3; i++) w[i] = s->w[side->index[i]], a[i] = s->a[side->index[i]], b[i] = s->b[side->index[i]];
    for (int i = 0; i < 3; i++) s->w[i] = w[i], s->a[i] = a[i], s->b[i] = b[i];
    s->count = side->count;
}

/* The corners of the last search, where they still are some. */
static bool gjk_approx_restart(gjk_approx_search *s, const cm_pair_cache *cache, gjk_approx_side *out) {
    const cm__core *a = s->pair->a, *b = s->pair->b;
    if (cache->count < 1 || cache->count > 3) return false;
    for (uint32_t i = 0; i < cache->count; i++) {
        if (cache->id_a[i] >= a->count || cache->id_b[i] >= b->count) return false;
        cm__point p = cm__point_sub(a->ops->corner(a, cache->id_a[i]), a->center);
        cm__point q = cm__point_sub(b->ops->corner(b, cache->id_b[i]), b->center);
        s->a[i] = cache->id_a[i], s->b[i] = cache->id_b[i];
        s->w[i] = cm_sub(cm_add(s->between, cm_mat3_mul(&s->turn, cm__vec3_of(q))), cm__vec3_of(p));
    }
    s->count = (int)cache->count;
    return gjk_approx_closest(s, out, 0, NULL) && out->square > 0; /* of at most three */
}

/* Corner k of the difference, from the cores' own corners. */
static void lead_vertex(const gjk_approx_search *s, int k, cm__convex_vertex *out) {
    const cm__convex_pair *pair = s->pair;
    const cm__core *a = pair->a, *b = pair->b;
    out->id_a = s->a[k], out->id_b = s->b[k];
    out->a = a->ops->corner(a, s->a[k]);
    out->w = cm__point_sub(frame_apply(&pair->b_in_a, b->ops->corner(b, s->b[k])), out->a);
}

/* The first `count` corners and, of way v, the next one; all in double, as the corners are that the search knows by
 * number. `way` NULL: the origin is between four. */
static CM__RARE void lead_show(const gjk_approx_search *s, int count, const cm_vec3 *way, double band) {
    cm__convex_vertex vertex[4], support;
    cm__feature f = {.v = cm__p(0, 0, 0), .square = 0};
    cm__watch_simplex show = {.vertex = vertex, .v = &f.v, .count = count, .lower = -DBL_MAX, .upper = DBL_MAX};
    for (int i = 0; i < count; i++) lead_vertex(s, i, &vertex[i]);
    if (count == 1) cm__feature_corner(vertex, 0, &f);
    if (count == 2) cm__feature_edge(vertex, 0, 1, &f);
    if (count == 3) cm__feature_triangle(vertex, 0, 1, 2, &f);
    if (count > 0) show.upper = sqrt(f.square);
    cm__point v = cm__p(0, 0, 0);
    if (way) {
        v = cm__point_of(*way);
        lead_vertex(s, count, &support);
        show.way = &v, show.support = &support;
        show.lower = cm__point_dot(v, support.w) / cm__point_length(v) - band;
    }
    cm__watch_send_simplex(s->pair, &show);
}

bool cm__gjk_approx_run(const cm__convex_pair *pair, double far, const cm_pair_cache *cache, cm__gjk_approx *out) {
    gjk_approx_search s;
    gjk_approx_side side = {{0, 0, 0}, 0, 0, {0, 0, 0}};
    const double band = GJK_APPROX_ROUNDING * pair->scale;
    out->count = 0;
    out->inside = false;
    if (!cm__gjk_approx_prepare(pair, &s)) return false;
    bool have = cache && gjk_approx_restart(&s, cache, &side);
    watch_search(pair->watch);
    cm_vec3 v = s.between;
    if (have) {
        gjk_approx_keep(&s, &side);
        v = side.v;
    } else {
        s.count = 0;
        if (cache && cm_largest(cache->normal) > 0 && cm_vec3_is_valid(cache->normal)) v = cache->normal;
    }
    if (!(cm_largest(v) > 0)) v = cm_v(1, 0, 0);
    cm_real square = cm_dot(v, v);
    const cm_real near = (cm_real)band, limit = far + band < (double)CM_REAL_MAX ? (cm_real)(far + band) : CM_REAL_MAX;
    uint32_t id_a = 0, id_b = 0;
    for (int step = 0; step < GJK_APPROX_STEPS; step++) {
        int k = s.count;
        s.support(&s, &v, id_a, id_b);
        id_a = s.a[k], id_b = s.b[k];
        if (pair->watch) lead_show(&s, k, &v, band);
        cm_real along = cm_dot(v, s.w[k]);
        if (along > 0) {
            cm_real length = cm_sqrt(square);
            if (along > limit * length) {
                out->normal = v;
                return true;
            }
            if (have && square - along <= near * length) break;
        }
        bool known = false;
        for (int i = 0; i < k; i++) known = known || (s.a[i] == id_a && s.b[i] == id_b);
        if (known) break;
        s.count++;
        if (!gjk_approx_closest(&s, &side, near, &out->inside)) { /* the origin is inside: all four */
            if (pair->watch) lead_show(&s, 4, NULL, band);
            have = true;
            break;
        }
        if (have && !(side.square < square)) {
            s.count--;
            break;
        }
        gjk_approx_keep(&s, &side);
        v = side.v;
        square = side.square;
        have = true;
        if (!(square > 0)) break;
    }
    if (!have) return false;
    out->normal = v;
    out->count = s.count;
    out->last_a = id_a, out->last_b = id_b;
    for (int i = 0; i < 4; i++) out->id_a[i] = s.a[i], out->id_b[i] = s.b[i];
    return false;
}

/* Every plane across v that keeps the cores apart keeps them apart for a while, closest or not: time moves on by that
 * at once, the corners found move along, and the search goes on for the closest point there. */
double cm__gjk_approx_ray(const cm__convex_pair *pair, cm__point drift, double least, cm_pair_cache *cache) {
    gjk_approx_search s;
    if (!cm__gjk_approx_prepare(pair, &s)) return 0;
    const double band = GJK_APPROX_ROUNDING * pair->scale + least + pair->a->radius + pair->b->radius;
    const double blur = 16 * (double)CM_REAL_EPSILON * cm__point_largest(drift);
    const cm__point start = pair_between(pair);
    cm_vec3 v = s.between;
    if (!(cm_largest(v) > 0)) return 0;
    uint32_t id_a = 0, id_b = 0;
    double u = 0;
    bool deep;
    for (int step = 0; step < GJK_APPROX_STEPS; step++) {
        gjk_approx_side side;
        int k = s.count;
        s.support(&s, &v, id_a, id_b);
        id_a = s.a[k], id_b = s.b[k];
        bool known = false;
        for (int i = 0; i < k; i++) known = known || (s.a[i] == id_a && s.b[i] == id_b);
        cm_real length = cm_sqrt(cm_dot(v, v));
        double lower = (double)(cm_dot(v, s.w[k]) / length) - band;
        double gain = 0;
        if (lower > 0) {
            double speed = -cm__point_dot(cm__point_of(v), drift) / (double)length + blur;
            if (!(lower < speed * (1 - u))) return 2; /* apart to the end */
            gain = lower / speed;
            u += gain;
            s.between = cm__vec3_of(cm__point_mul_add(start, u, drift));
            cm_vec3 shift = cm__vec3_of(cm__point_scale(drift, gain));
            for (int i = 0; i <= k; i++) s.w[i] = cm_add(s.w[i], shift);
        }
        if (known && gain < 1e-3) break;
        if (!known) s.count++;
        if (!gjk_approx_closest(&s, &side, 0, &deep)) break;
        gjk_approx_keep(&s, &side);
        v = side.v;
        if (!((double)side.square > band * band)) break;
    }
    cache->normal = v;
    cache->count = s.count < 4 ? (uint32_t)s.count : 0;
    for (uint32_t i = 0; i < cache->count; i++) cache->id_a[i] = s.a[i], cache->id_b[i] = s.b[i];
    return u;
}
