/* Signed distance of any two convex shapes: GJK (gjk.c) while the cores are apart, a depth search (gauss_map.c for two
 * hulls, else depth.c) where they overlap.
 *
 * At touching GJK's answer counts where it proves a gap beyond rounding (8 DBL_EPSILON times `scale`); else the depth
 * search decides, whose answer may also be a gap of the size of rounding. Both measure the largest s(n) (convex.h), so
 * the distance has no jump between them. Two hulls whose centers are near are asked for their depth first: a depth
 * beyond rounding settles it. An ellipsoid is searched as a smaller core with a larger radius, so that shallow overlaps
 * are gaps to the search (docs/theory/convex.md). Where GJK proves that the origin lies in D, the answer is at most 0.
 */
#include "convex/convex.h"
#include "convex/newton.h"
#include "convex/rescaled.h"
#include "math/two.h"
#include "math/wide.h"
#include "shape/core_round.h"

#include <string.h>

/* Position of the centers' distance between `near` (0: certainly overlapping) and `far` (1: certainly apart). Below
 * this fraction 19 of 20 pairs of round hulls overlap, so the depth is tried first. */
#define CONVEX_LIKELY 0.4

/* Of the scale: rounding of a support point, its product with a direction and the sums over a simplex, eight times
 * GJK_ROUNDING. */
#define CONVEX_ROUNDING (64 * DBL_EPSILON)
/* Of the scale: the balls around and within the cores decide only beyond this, which is far more than their few sums
 * round. Hardly a pair falls within it. */
#define CONVEX_BALLS 1e-9
/* Of the scale: where curved cores are nearer than this to a decision, the full distance search decides, because
 * searches in cm_real and bounds of curved cores may be off by nearly as much. */
#define CONVEX_CLOSE 1e-6
/* The cosine of 1.4e-4 rad, ten times what a tolerance of 1e-10 of the distance leaves of a direction. */
#define CONVEX_BESIDE (1 - 1e-8)
/* Of the scale: EPA proves the depth of polytopes to rounding. A larger gap between its bounds shows that its polytope
 * started from a sliver. */
#define CONVEX_SLIVER 1e-11

/* Of the scale: how far closest points may be off before better ones are looked for, of polytopes and of curved cores.
 * Ten times more or less changes no bit of test/golden and 0.01 % of the work. */
#define CONVEX_OFF_SHARP  1e-9
#define CONVEX_OFF_CURVED 1e-4
/* The same of the smaller core's size, where that is less; and of the scale, 50 times GJK_ROUNDING, below which points
 * cannot be told from right ones. Ten times more and test/convex/manifold.c finds points off; ten times less costs 0.2
 * % and changes last digits. */
#define CONVEX_OFF_SIZE  1e-5
#define CONVEX_OFF_LEAST 1e-13
/* Of the extent, the tolerance of depth searches in float (DEPTH_TOLERANCE): a bound that is better by less is as good.
 * Ten times more or less changes last digits only. */
#define CONVEX_DEPTH_BETTER 1e-9

/* Of the distance, ten times the tolerance of gjk_bounds.h: curved cores whose bounds differ by more are searched
 * again. */
#if defined(CAROM_F64)
#define CONVEX_LACK 1e-12
#else
#define CONVEX_LACK 1e-9
#endif

void cm__convex_pair_of(const cm__core *a, const cm__core *b, const cm__frame *b_in_a, cm__convex_pair *out) {
    out->a = a;
    out->b = b;
    out->b_in_a = *b_in_a;
    /* Support points are corners of A, at most |center| + size from A's origin, and the same of B, moved. */
    double from_a = cm__point_largest(a->center) + a->size;
    double from_b = cm__point_largest(b->center) + b->size + cm__point_largest(b_in_a->position);
    out->scale = from_a + from_b;
    out->sharp = a->ops->corner && b->ops->corner;
    double inner_a = a->ops->inner ? a->ops->inner(a) : -1, inner_b = b->ops->inner ? b->ops->inner(b) : -1;
    out->near = inner_a >= 0 && inner_b >= 0 ? inner_a + inner_b : -DBL_MAX;
    out->far = a->size + b->size;
    out->watch = NULL;
}

cm__point cm__convex_face_normal(const cm__convex_pair *pair, const cm__convex_vertex *const v[3], cm__point near) {
    const cm__core *a = pair->a, *b = pair->b;
    if (!pair->sharp) return near;
    cm__point pa[3], pb[3];
    for (int i = 0; i < 3; i++) {
        pa[i] = convex_corner(a, v[i]->id_a);
        pb[i] = convex_corner(b, v[i]->id_b);
    }
    bool same_a[3], same_b[3]; /* corners i and i + 1 */
    for (int i = 0; i < 3; i++) {
        same_a[i] = v[i]->id_a == v[(i + 1) % 3]->id_a;
        same_b[i] = v[i]->id_b == v[(i + 1) % 3]->id_b;
    }
    cm__point n = near;
    if (same_b[0] && same_b[1]) {
        n = cm__point_normal(pa[0], pa[1], pa[2]);
    } else if (same_a[0] && same_a[1]) {
        n = cm__point_normal(pb[0], pb[1], pb[2]);
        n = frame_rotate(&pair->b_in_a, n);
    } else {
        /* an edge of each: two of the corners share B's end, two share A's */
        int ea = same_b[0]   ? 0
                 : same_b[1] ? 1
                 : same_b[2] ? 2
                             : -1,
            eb = same_a[0]   ? 0
                 : same_a[1] ? 1
                 : same_a[2] ? 2
                             : -1;
        if (ea < 0 || eb < 0) return near;
        cm__point e = cm__point_sub(pa[(ea + 1) % 3], pa[ea]), f = cm__point_sub(pb[(eb + 1) % 3], pb[eb]);
        n = cm__point_cross(e, frame_rotate(&pair->b_in_a, f));
    }
    double l = cm__point_length(n);
    if (!(l > 0)) return near;
    return cm__point_scale(n, cm__point_dot(n, near) < 0 ? -1 / l : 1 / l);
}

/* By how much the lower bound of a search may fall short of `length`, its upper bound: rounding, and for curved cores
 * the tolerance. */
static double convex_lack(const cm__convex_pair *pair, double length) {
    return CONVEX_ROUNDING * pair->scale + (pair->sharp ? 0 : CONVEX_LACK * length);
}

/* A curved core that lies along a face touches it in a line, and the search converges slowly there. Near a curved
 * surface the normal is known only to the square root of the search's tolerance. So the normal of a face near the
 * direction found is tried: it may prove a larger distance, or the same within rounding. Returns the core whose face it
 * is, or NULL. */
static const cm__core *convex_try_faces(const cm__convex_pair *pair, double length, cm__convex_gap *io) {
    const double rounding = 4 * DBL_EPSILON * pair->scale;
    const cm__core *face = NULL;
    for (int i = 0; i < 2; i++) {
        const cm__core *core = i == 0 ? pair->a : pair->b;
        if (!core->ops->facet) continue;
        cm__facet side;
        side.hint = i == 0 ? io->id_a : io->id_b, side.farthest = io->farthest;
        core->ops->facet(core, i == 0 ? io->normal : wide_neg(frame_unrotate(&pair->b_in_a, io->normal)), &side);
        if (side.count < 3) continue;
        const cm__point n = i == 0 ? side.normal : wide_neg(frame_rotate(&pair->b_in_a, side.normal));
        /* a normal farther off belongs to other points: another direction out of the overlap, of the same depth within
         * rounding */
        const bool beside = cm__point_dot(n, io->normal) > CONVEX_BESIDE;
        if (!beside && !(io->core_distance > 0)) continue;
        cm__convex_vertex x;
        x.id_a = pair->a->ops->corner ? 0 : CM_NONE, x.id_b = pair->b->ops->corner ? 0 : CM_NONE;
        convex_support(pair, n, true, &x);
        const double lower = cm__point_dot(n, x.w);
        if (!(lower > io->core_distance - (beside ? rounding : 0) && lower <= length)) continue;
        io->normal = n;
        io->core_distance = lower;
        face = core;
    }
    return face;
}

static void convex_from_gjk(const cm__convex_pair *pair, const cm__gjk *g, cm__convex_gap *out) {
    cm__point a = cm__p(0, 0, 0), w = cm__p(0, 0, 0);
    for (int i = 0; i < g->count; i++) {
        a = cm__point_mul_add(a, g->weight[i], g->vertex[i].a);
        w = cm__point_mul_add(w, g->weight[i], g->vertex[i].w);
    }
    /* The lower bound is the answer, and what proves it the normal: it is good to a few roundings whatever the shape of
     * the simplex, the length of v is not where that is thin. */
    double length = cm__point_length(g->v);
    out->core_a = a;
    out->core_b = cm__point_add(a, w);
    out->id_a = g->vertex[0].id_a, out->id_b = g->vertex[0].id_b;
    out->farthest = false;
    out->normal = cm__point_scale(g->normal, 1 / cm__point_length(g->normal));
    out->core_distance = g->lower;
    if (length - g->lower > 8 * DBL_EPSILON * pair->scale && pair->sharp && g->count == 3) {
        const cm__convex_vertex *const v[3] = {&g->vertex[0], &g->vertex[1], &g->vertex[2]};
        cm__point n = cm__convex_face_normal(pair, v, out->normal);
        cm__convex_vertex x = g->vertex[0];
        convex_support(pair, n, true, &x);
        double lower = cm__point_dot(n, x.w);
        if (lower > g->lower) {
            out->normal = n;
            out->core_distance = lower;
        }
    }
    /* The direction of a short gap between corners or edges is known no better than their places are, over its length,
     * and what it proves falls short by as much of their sizes; the length itself is right to rounding. */
    const double scale = pair->scale, lever = CONVEX_ROUNDING * scale * (scale / length);
    const bool is_short = pair->sharp & (g->count < 3) & (length < scale / 64);
    if (is_short && length - out->core_distance <= lever) out->core_distance = length;
    if (!pair->sharp && length - out->core_distance > convex_lack(pair, length)) convex_try_faces(pair, length, out);
    out->slack = cm__most(length - out->core_distance, 0);
}

static void convex_add_radii(const cm__convex_pair *pair, cm__convex_gap *out) {
    double ra = pair->a->radius, rb = pair->b->radius;
    out->a = cm__point_mul_add(out->core_a, ra, out->normal);
    out->b = cm__point_mul_add(out->core_b, -rb, out->normal);
    out->distance = out->core_distance - (ra + rb);
}

static void cache_write(cm_pair_cache *cache, const cm__gjk *g, cm__point normal) {
    cache->normal = cm__vec3_of(normal);
    cache->count = 0;
    for (int i = 0; g->end == CM__GJK_APART && i < g->count; i++) {
        if (g->vertex[i].id_a == CM_NONE || g->vertex[i].id_b == CM_NONE) return;
        cache->id_a[i] = g->vertex[i].id_a;
        cache->id_b[i] = g->vertex[i].id_b;
        cache->count = (uint32_t)i + 1;
    }
}

/* The error of the closest points: how far their difference is from distance times normal. */
static double convex_points_off(const cm__convex_gap *g) {
    return cm__point_length(cm__point_mul_add(cm__point_sub(g->core_b, g->core_a), -g->core_distance, g->normal));
}

/* Finds better points: B is moved along the normal until the cores are `apart` apart, and GJK finds the closest points
 * there. They are off by at most about `apart`. */
static void convex_points_at_touching(const cm__convex_pair *pair, double apart, cm__convex_gap *io) {
    cm__convex_pair moved = *pair;
    double way = apart - io->core_distance;
    moved.b_in_a.position = cm__point_mul_add(pair->b_in_a.position, way, io->normal);
    moved.watch = NULL; /* the watcher watches the original pair */
    cm_pair_cache along = {.normal = cm__vec3_of(io->normal), .count = 0};
    cm__gjk_task task = {DBL_MAX, DBL_MAX, -1, false, &along, NULL};
    cm__gjk g;
    cm__gjk_run(&moved, &task, &g);
    cm__convex_gap better = *io;
    cm__point w = cm__p(0, 0, 0);
    better.core_a = w;
    for (int i = 0; i < g.count; i++) {
        better.core_a = cm__point_mul_add(better.core_a, g.weight[i], g.vertex[i].a);
        w = cm__point_mul_add(w, g.weight[i], g.vertex[i].w);
    }
    better.core_b = cm__point_add(better.core_a, cm__point_mul_add(w, -way, io->normal));
    if (g.count > 0 && convex_points_off(&better) < convex_points_off(io)) *io = better;
}

/* The points do not always agree with the distance that the normal proves: a face of EPA's polytope may be a sliver, D
 * may be flat, or the simplex a needle, above all where one core is many million times as large as the other. Then
 * better points are found near touching: first as near as rounding allows (CONVEX_OFF_LEAST of the scale apart), where
 * they are most exact, then farther, where GJK meets thin simplices less often; at last 1e-8, below the last digit of a
 * float. Ten times more or less for all of them changes last digits only. */
static void convex_check_points(const cm__convex_pair *pair, cm__convex_gap *io) {
    static const double apart[4] = {CONVEX_OFF_LEAST, 1e-12, 1e-10, 1e-8};
    double least = pair->a->size < pair->b->size ? pair->a->size : pair->b->size;
    if (!(least > 0)) least = pair->a->size + pair->b->size; /* one core is a point: the other's size counts */
    double bound = (pair->sharp ? CONVEX_OFF_SHARP : CONVEX_OFF_CURVED) * pair->scale;
    double fine = CONVEX_OFF_SIZE * least + CONVEX_OFF_LEAST * pair->scale;
    if (fine < bound) bound = fine;
    for (int i = 0; i < 4 && !(convex_points_off(io) <= bound); i++)
        convex_points_at_touching(pair, apart[i] * pair->scale, io);
}

/* For cores that only touch, one of them a needle beside the other. D may look flat along it, and the normal of that
 * flat D is not the direction of least depth. GJK has then proved a better bound, which is taken. */
static void convex_depth_proven(const cm__convex_pair *pair, const cm__gjk *g, cm__depth *io) {
    const double rounding = CONVEX_ROUNDING * pair->scale;
    if (!(g->lower > io->distance + cm__most(CONVEX_DEPTH_BETTER * pair_extent(pair), rounding)))
        return; /* EPA's answer is as good */
    io->normal = cm__point_scale(g->normal, 1 / cm__point_length(g->normal));
    io->slack = cm__most(io->slack - (g->lower - io->distance), 0);
    io->distance = g->lower;
}

/* EPA. Where its polytope started from a sliver, EPA runs once more from corners far from each other. The better answer
 * is taken, since any direction proves its own depth. */
static void convex_depth(const cm__convex_pair *pair, const cm__gjk *g, cm__depth *out) {
    cm__depth_run(pair, g, out);
    if (!pair->sharp) convex_depth_proven(pair, g, out);
    if (!pair->sharp || !(out->slack > CONVEX_SLIVER * pair->scale)) return;
    cm__gjk afresh = *g;
    cm__depth second;
    afresh.count = 0;
    cm__depth_run(pair, &afresh, &second);
    if (second.distance > out->distance || (second.distance == out->distance && second.slack < out->slack))
        *out = second;
}

static void convex_from_depth(const cm__convex_pair *pair, const cm__depth *depth, cm__convex_gap *out) {
    out->normal = depth->normal;
    out->core_a = depth->a;
    out->core_b = depth->b;
    out->core_distance = depth->distance;
    out->id_a = depth->id_a, out->id_b = depth->id_b;
    out->farthest = depth->farthest;
    out->slack = depth->slack;
    out->depth_steps = depth->steps;
    out->end = depth->limit ? CM__CONVEX_LIMIT : CM__CONVEX_PROVEN;
    convex_check_points(pair, out);
    convex_add_radii(pair, out);
}

void cm__convex_settle(const cm__convex_pair *pair, cm__convex_gap *io) {
    if (pair->sharp || io->core_distance > 0) return;
    const double before = io->core_distance;
    const cm__core *face = convex_try_faces(pair, DBL_MAX, io);
    if (!face) return;
    io->slack = cm__most(io->slack - (io->core_distance - before), 0);
    /* the point on the face follows the normal, within its plane */
    if (face == pair->a) io->core_a = cm__point_mul_add(io->core_b, -io->core_distance, io->normal);
    if (face == pair->b) io->core_b = cm__point_mul_add(io->core_a, io->core_distance, io->normal);
    convex_add_radii(pair, io);
}

static void convex_beyond(double lower, cm__convex_gap *out) {
    out->end = CM__CONVEX_BEYOND;
    out->normal = out->core_a = out->core_b = cm__p(0, 0, 0);
    out->core_distance = lower;
    out->id_a = out->id_b = CM_NONE;
    out->farthest = false;
    out->slack = DBL_MAX;
}

/* From the end of GJK on. */
static void convex_finish(const cm__convex_pair *pair, const cm__gjk *g, cm__convex_gap *out) {
    out->steps = g->steps;
    out->depth_steps = 0;
    out->end = g->limit ? CM__CONVEX_LIMIT : CM__CONVEX_PROVEN;
    if (g->end == CM__GJK_APART) {
        convex_from_gjk(pair, g, out);
    } else if (g->end == CM__GJK_BEYOND) {
        convex_beyond(g->lower, out);
    } else {
        cm__depth depth;
        if (!cm__gauss_map_run(pair, &depth)) convex_depth(pair, g, &depth);
        if (g->end == CM__GJK_INSIDE) depth.distance = distance_settled(depth.distance, true);
        convex_from_depth(pair, &depth, out);
        return;
    }
    if (g->end != CM__GJK_BEYOND) convex_check_points(pair, out);
    convex_add_radii(pair, out);
}

/* Overlapping or not is decided by what the first search proves first, the same in both functions below: by a lower
 * bound above the radii or an upper one below them, by more than rounding. Else by the distance. */
static cm__gjk_task convex_task(const cm__convex_pair *pair, bool verdict_only, const cm_pair_cache *cache) {
    double radius = pair->a->radius + pair->b->radius, band = CONVEX_ROUNDING * (pair->scale + radius);
    cm__gjk_task task;
    task.far = DBL_MAX;
    task.apart = radius + band;
    task.together = radius > 0 ? radius - band : -1;
    task.verdict_only = verdict_only;
    task.cache = cache;
    task.approx = NULL;
    return task;
}

/* Is the sign of the distance, or whether it is beyond max_distance, up to rounding? Of curved cores, up to where the
 * searches stop. */
static bool convex_is_close(const cm__convex_pair *pair, const cm__gjk_task *task, const cm__convex_gap *gap) {
    double radius = pair->a->radius + pair->b->radius;
    double band = (pair->sharp ? 4 * CONVEX_ROUNDING : CONVEX_CLOSE) * (pair->scale + radius);
    return fabs(gap->distance) <= band || fabs(gap->core_distance - task->far) <= band;
}

/* Did rounding stop a search too early, most likely because its simplex was a needle? */
static bool convex_is_short(const cm__convex_pair *pair, const cm__gjk *g) {
    if (g->end != CM__GJK_APART) return false;
    const double length = cm__point_length(g->v);
    return length - g->lower > convex_lack(pair, length);
}

/* Repeats such a search: without the cache (`cold`), or with a fresh simplex from the direction that it found. The
 * better answer stays. */
static CM__RARE void convex_search_again(const cm__convex_pair *pair, const cm__gjk_task *task, bool cold, cm__gjk *g) {
    const double length = cm__point_length(g->v);
    cm__gjk again;
    cm__gjk_task afresh = *task;
    cm_pair_cache found = {.normal = cm__vec3_of(cm__point_scale(g->v, 1 / length)), .count = 0};
    afresh.cache = cold ? NULL : &found, afresh.approx = NULL;
    cm__gjk_run(pair, &afresh, &again);
    bool better = again.end == CM__GJK_APART ? again.lower > g->lower : pair->sharp;
    if (again.end == CM__GJK_BEYOND) better = g->verdict >= 0;
    /* for curved cores the first verdict stands, because overlap searches only once */
    int verdict = pair->sharp ? again.verdict : g->verdict;
    if (!better) return;
    *g = again;
    g->verdict = verdict;
}

/* GJK, from where the search in cm_real ended. */
static void convex_search(const cm__convex_pair *pair, cm__gjk_task *task, cm__gjk *g) {
    cm__gjk_approx approx;
    double far = task->verdict_only ? task->apart : task->far;
    if (pair->sharp && cm__gjk_approx_run(pair, far, task->cache, &approx)) {
        g->end = task->verdict_only ? CM__GJK_DECIDED : CM__GJK_BEYOND;
        g->lower = far, g->upper = DBL_MAX;
        g->normal = cm__point_of(approx.normal);
        g->count = 0, g->steps = 1, g->verdict = 1, g->limit = false;
        return;
    }
    if (pair->sharp && task->verdict_only && approx.count == 4 && approx.inside) {
        g->end = CM__GJK_INSIDE;
        g->normal = cm__point_of(approx.normal);
        return;
    }
    task->approx = pair->sharp && approx.count > 0 ? &approx : NULL;
    cm__gjk_run(pair, task, g);
    if (convex_is_short(pair, g)) {
        if (task->approx != NULL || task->cache) convex_search_again(pair, task, true, g);
        if (convex_is_short(pair, g)) convex_search_again(pair, task, false, g);
    }
    task->approx = NULL;
}

/* Are the centers so near that the cores most likely overlap? `square`: of their distance. */
static bool convex_is_likely(const cm__convex_pair *pair, double square) {
    const double near = pair->near + CONVEX_LIKELY * (pair->far - pair->near);
    return pair->near > 0 && square < near * near;
}

/* For two hulls whose centers are so near that they most likely overlap: their Gauss maps give the depth without GJK.
 * False where they are apart or hardly overlap; then GJK runs first, as for other pairs. */
static bool convex_is_deep(const cm__convex_pair *pair, double square, cm__convex_gap *out) {
    if (!core_hull(pair->a) || !core_hull(pair->b)) return false;
    if (!convex_is_likely(pair, square)) return false;
    cm__depth depth;
    if (!cm__gauss_map_run(pair, &depth) || !(depth.distance < -CONVEX_CLOSE * pair->scale)) return false;
    out->steps = 0;
    convex_from_depth(pair, &depth, out);
    return true;
}

/* Are the balls around the cores farther apart than what is asked for, by more than rounding? */
static bool convex_is_beyond(const cm__convex_pair *pair, double square, double far, cm__convex_gap *out) {
    const double reach = pair->far + far + CONVEX_BALLS * (pair->scale + far);
    if (!(square > reach * reach)) return false;
    convex_beyond(far, out);
    out->steps = out->depth_steps = 0;
    convex_add_radii(pair, out);
    return true;
}

/* The same shapes as smaller cores with larger radii, for kinds that have this form (ellipsoids). Shapes that overlap
 * by less than the radii have cores that are apart, so GJK answers and no depth search is needed. Holds pointers into
 * itself. */
typedef struct convex_shrunk {
    cm__core a, b;
    double less_a, less_b; /* 0: that core stays */
    cm__convex_pair pair;
} convex_shrunk;

/* The pair to search instead: *out's, or the pair itself. */
static const cm__convex_pair *convex_shrink(const cm__convex_pair *pair, convex_shrunk *out) {
    out->less_a = out->less_b = 0;
    if (pair->sharp) return pair;
    out->less_a = cm__core_shrink(pair->a, &out->a), out->less_b = cm__core_shrink(pair->b, &out->b);
    if (!(out->less_a > 0 || out->less_b > 0)) return pair;
    out->pair = *pair;
    if (out->less_a > 0) out->pair.a = &out->a;
    if (out->less_b > 0) out->pair.b = &out->b;
    out->pair.far -= out->less_a + out->less_b, out->pair.near -= out->less_a + out->less_b;
    return &out->pair;
}
/* An answer for the smaller cores as one for the cores themselves. */
static void convex_grow(const convex_shrunk *s, cm__convex_gap *io) {
    if (!(s->less_a > 0 || s->less_b > 0)) return;
    io->core_a = cm__point_mul_add(io->core_a, s->less_a, io->normal);
    io->core_b = cm__point_mul_add(io->core_b, -s->less_b, io->normal);
    io->core_distance -= s->less_a + s->less_b;
}

/* Do balls in the cores overlap, of a pair whose depth search needs no simplex? */
static bool convex_is_within(const cm__convex_pair *pair, double square) {
    const double near = pair->near - CONVEX_BALLS * pair->scale;
    return near > 0 && square < near * near && cm__newton_knows(pair);
}
static void convex_within(cm__gjk *out) {
    out->end = CM__GJK_INSIDE;
    out->normal = cm__p(0, 0, 0);
    out->lower = -DBL_MAX, out->upper = 0;
    out->count = out->steps = out->verdict = 0;
    out->limit = false;
}

/* `square`: of the distance of the centers. */
static void convex_gap_of_cores(const cm__convex_pair *pair, double square, double max_distance, cm_pair_cache *cache,
                                cm__convex_gap *out) {
    const double far = max_distance + (pair->a->radius + pair->b->radius);
    cm__gjk_task task = convex_task(pair, false, cache);
    cm__gjk g;
    /* A gap of exactly max_distance is measured, also where the search may prove more on its way than it ends with; and
     * so is a pair that touches only by its verdict. */
    task.far = cm__most(far + convex_lack(pair, far), task.apart);
    /* with a cache that has a simplex they were apart last time, and most likely still are */
    if (!(cache && cache->count > 0) && convex_is_deep(pair, square, out)) {
        g.end = CM__GJK_INSIDE;
        if (cache) cache_write(cache, &g, out->normal);
        return;
    }
    if (convex_is_within(pair, square))
        convex_within(&g);
    else
        convex_search(pair, &task, &g);
    convex_finish(pair, &g, out);
    /* near touching, the decision is made without the cache, so that it does not depend on it */
    if (cache && convex_is_close(pair, &task, out)) {
        task.cache = NULL;
        convex_search(pair, &task, &g);
        convex_finish(pair, &g, out);
    }
    if (g.verdict) out->distance = distance_settled(out->distance, g.verdict < 0);
    if (cache && out->end != CM__CONVEX_BEYOND) cache_write(cache, &g, out->normal);
}

static CM__RARE void convex_gap_rescaled(const cm__convex_pair *pair, double max_distance, cm_pair_cache *cache,
                                         cm__convex_gap *out) {
    cm__rescaled rescaled;
    cm__rescale(pair, &rescaled);
    double most = max_distance < DBL_MAX ? max_distance * rescaled.scale : DBL_MAX;
    cm__convex_gap_of(&rescaled.pair, most < DBL_MAX ? most : DBL_MAX, cache, out); /* which is in range */
    cm__rescaled_back(&rescaled, out);
}

void cm__convex_gap_of(const cm__convex_pair *pair, double max_distance, cm_pair_cache *cache, cm__convex_gap *out) {
    if (pair_is_out_of_range(pair)) {
        convex_gap_rescaled(pair, max_distance, cache, out);
        return;
    }
    const cm__point between = pair_between(pair);
    const double square = cm__point_dot(between, between);
    double far = max_distance + (pair->a->radius + pair->b->radius);
    if (convex_is_beyond(pair, square, far, out)) return;
    convex_shrunk shrunk;
    convex_gap_of_cores(convex_shrink(pair, &shrunk), square, max_distance, cache, out);
    convex_grow(&shrunk, out);
}

/* Does the direction that separated them last time certainly still do so, by so much that the distance agrees whatever
 * proves it? Without a cache that from A's point closest to the center of B, `between` from that of A: mostly it does,
 * of curved cores that are apart, which spares the start of their search. `square`: of the centers' distance. */
static bool convex_apart_at_once(const cm__convex_pair *pair, const cm__gjk_task *task, const cm_pair_cache *cache,
                                 cm__point between, double square) {
    const cm__core *a = pair->a;
    cm__point n = between;
    if (cache) {
        n = cm__point_of(cache->normal);
    } else if (convex_is_likely(pair, square) || !cm__newton_knows(pair)) {
        return false;
    } else if (a->ops->closest) {
        const cm__point to = cm__point_add(a->center, between);
        n = cm__point_sub(to, a->ops->closest(a, to));
    }
    double length = cm__point_length(n);
    cm__convex_vertex x;
    x.id_a = x.id_b = 0;
    if (!(length > 0 && length <= DBL_MAX)) return false;
    convex_support(pair, n, false, &x);
    double rest = pair->a->guess_error + pair->b->guess_error + (pair->sharp ? 0 : CONVEX_CLOSE * pair->scale);
    return cm__point_dot(n, x.w) > (task->apart + rest) * length;
}

bool cm__convex_overlap(const cm__convex_pair *pair, cm_pair_cache *cache) {
    if (pair_is_out_of_range(pair)) {
        cm__rescaled rescaled;
        cm__rescale(pair, &rescaled);
        return cm__convex_overlap(&rescaled.pair, cache);
    }
    /* Balls decide most pairs; by more than rounding, so that the distance agrees. */
    double radius = pair->a->radius + pair->b->radius, band = CONVEX_BALLS * (pair->scale + radius);
    cm__point between = pair_between(pair);
    double square = cm__point_dot(between, between);
    double near = pair->near + radius - band, far = pair->far + radius + band;
    if (near > 0 && square < near * near) return true;
    if (square > far * far) return false;
    convex_shrunk shrunk;
    pair = convex_shrink(pair, &shrunk);
    cm__gjk_task task = convex_task(pair, true, NULL);
    cm__gjk g;
    if (convex_apart_at_once(pair, &task, cache, between, square)) return false;
    convex_search(pair, &task, &g);
    if (cache) cache_write(cache, &g, cm__point_scale(g.normal, 1 / cm__point_largest(g.normal)));
    if (g.end == CM__GJK_DECIDED || g.end == CM__GJK_BEYOND) return g.verdict < 0;
    if (g.end == CM__GJK_INSIDE) return true;
    cm__convex_gap gap;
    convex_gap_of_cores(pair, square, DBL_MAX, NULL, &gap);
    return gap.distance <= 0;
}

void cm__convex_gap_apart(const cm__convex_pair *pair, cm_pair_cache *cache, cm__convex_gap *out) {
    if (pair_is_out_of_range(pair)) {
        cm__rescaled rescaled;
        cm__rescale(pair, &rescaled);
        cm__convex_gap_apart(&rescaled.pair, cache, out);
        cm__rescaled_back(&rescaled, out);
        return;
    }
    convex_shrunk shrunk;
    pair = convex_shrink(pair, &shrunk);
    cm__gjk_task task = convex_task(pair, false, cache);
    cm__gjk g;
    convex_search(pair, &task, &g);
    /* Touching within rounding: for curved cores the full search decides. So it does where the search stood still at a
     * point clear of rounding, since rounding turned its direction. */
    const bool stuck = g.upper > CONVEX_ROUNDING * pair->scale;
    if (g.end == CM__GJK_APART || (g.end == CM__GJK_TOUCHING && (stuck || !pair->sharp))) {
        convex_finish(pair, &g, out);
        if (out->distance > 0) {
            convex_grow(&shrunk, out);
            if (cache) cache_write(cache, &g, out->normal);
            return;
        }
    }
    memset(out, 0, sizeof *out);
}
