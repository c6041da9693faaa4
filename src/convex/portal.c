/* When two polytopes, of which one moves straight, first and last touch: portal refinement. Seen from A, B's motion by
 * the drift moves D = B - A, so the origin moves through D against the drift; it enters and leaves D through two faces.
 *
 * Projected along the drift, D is a convex polygon. First three support points whose triangle holds the origin's
 * projection are found by a search in that plane, or a line that separates them, which proves a miss. The origin's path
 * pierces that triangle, the portal. The support point farthest in front of it makes three triangles with its edges,
 * one of which the path pierces; that is the next portal, until no corner is in front: then it is a face of D, and the
 * path enters there. The same backwards gives the exit. The search runs in cm_real (gjk_approx.h); its two faces are
 * proved in double: the plane across a face's normal through the farthest corner has all of D behind it. So before
 * `first` and after `last` the shapes are certainly apart by more than `near`; at `first` they are at most 2 near
 * apart, as the foot of the origin lies on the face, or the path is steep enough and the face that near. Unknown is
 * returned where that cannot be proved (overlapping or touching at the start, grazing past an edge, flat shapes).
 * Bound: PORTAL_STEPS corners each way; some 7 for the entry of two round hulls of 32 corners.
 * Based on: [Snethen08]. */
#include "convex/gjk_approx.h"
#include "convex/portal.h"
#include "math/closest.h"
#include "math/wide.h"

#define PORTAL_STEPS    32   /* round hulls take some 7 */
#define PORTAL_PROOFS   8    /* faces tried in double, each from a corner that proved the last one wrong */
#define PORTAL_ROUNDING 1e-9 /* of the scale: as CONVEX_BALLS, far more than the sums lose */
#define PORTAL_STEEP    0.65 /* cosine between path and normal from where the foot does not matter: 1.25 / 0.65 < 2 */

/* Slope of two of the three directions across the path that the first corners are found along. Any three that surround
 * the path will do: 0.1, 0.577 (120 degrees apart) and 0.7 change no bit of test/golden. */
#define PORTAL_ACROSS CM_REAL(0.35)
/* Of D's size: the support directions of the first guess are tilted by this around the path's own, by 22 degrees. Twice
 * as much changes no bit of test/golden. */
#define PORTAL_TILT CM_REAL(0.4)
/* Of the scale: a path that misses the center by less is head-on. Some 250 times the rounding of cm_real here. */
#define PORTAL_HEAD_ON 1e-3

typedef struct portal_corner {
    cm_vec3 w;
    cm_real u, v; /* across the path */
    uint32_t a, b;
} portal_corner;

typedef struct portal_search {
    gjk_approx_search approx;
    cm_vec3 path;    /* of the origin through D, in one step */
    cm_vec3 unit[2]; /* across it */
    cm_vec3 along;   /* it, unit */
    cm_real band;    /* what cm_real may be wrong by, and `near` */
    cm_real aside;   /* D's middle is that far along unit[0], */
    cm_real size;    /* and D about that large */
} portal_search;

typedef enum portal_verdict { PORTAL_GO, PORTAL_MISS, PORTAL_UNKNOWN } portal_verdict;

/* The corner w of D with the least n.w: the support point. */
static void portal_support(portal_search *s, cm_vec3 n, portal_corner *io) {
    gjk_approx_corner corner = {{0, 0, 0}, io->a, io->b};
    s->approx.support(&s->approx, &n, &corner);
    io->w = corner.w, io->a = corner.a, io->b = corner.b;
    io->u = cm_dot(io->w, s->unit[0]), io->v = cm_dot(io->w, s->unit[1]);
}

/* > 0: the origin is to the left of the way from p to q, seen along the path. */
static cm_real portal_left(const portal_corner *p, const portal_corner *q) { return p->u * q->v - p->v * q->u; }

static bool portal_same(const portal_corner *p, const portal_corner *q) { return p->a == q->a && p->b == q->b; }

/* The corner farthest along (u, v) across the path. */
static void portal_aside(portal_search *s, cm_real u, cm_real v, portal_corner *out) {
    portal_support(s, cm_add(cm_scale(s->unit[0], -u), cm_scale(s->unit[1], -v)), out);
}
/* Does the corner certainly not reach the origin's projection? */
static bool portal_short(const portal_search *s, cm_real u, cm_real v, const portal_corner *x) {
    cm_real reach = x->u * u + x->v * v;
    return reach < 0 && reach * reach > s->band * s->band * (u * u + v * v);
}

/* The path pierces t; the corner x is in front of it or behind: of the three triangles over the edges of t, the one
 * that is pierced. left[i]: the path is to the left of the way from x to t[i]. */
static int portal_drop(bool left0, bool left1, bool left2) {
    static const uint8_t drop[8] = {1, 2, 0, 0, 1, 2, 1, 1}; /* left, then not left: between these two */
    return drop[left0 | left1 << 1 | left2 << 2];
}

static void portal_enter(portal_corner t[3], const portal_corner *x) {
    t[portal_drop(portal_left(x, &t[0]) >= 0, portal_left(x, &t[1]) >= 0, portal_left(x, &t[2]) >= 0)] = *x;
}

/* Three corners of D around the path, counter-clockwise. What of D lies beyond an edge of three corners lies, with a
 * corner out there, in the triangle of these or beyond one of two new edges. */
static portal_verdict portal_around(portal_search *s, portal_corner t[3]) {
    const cm_real across[3][2] = {{-1, 0}, {PORTAL_ACROSS, -1}, {PORTAL_ACROSS, 1}}; /* D's middle is at u >= 0 */
    for (int i = 0; i < 3; i++) portal_aside(s, across[i][0], across[i][1], &t[i]);
    for (int i = 0; i < 3; i++)
        if (portal_short(s, across[i][0], across[i][1], &t[i])) return PORTAL_MISS;
    for (int step = 0; step < PORTAL_STEPS; step++) {
        int i = 0;
        while (i < 3 && portal_left(&t[i], &t[i < 2 ? i + 1 : 0]) >= 0) i++;
        if (i == 3) return PORTAL_GO;
        portal_corner from = t[i], to = t[i < 2 ? i + 1 : 0], x = from;
        cm_real u = to.v - from.v, v = from.u - to.u;
        portal_aside(s, u, v, &x);
        if (portal_short(s, u, v, &x)) return PORTAL_MISS;
        if (portal_same(&x, &from) || portal_same(&x, &to)) return PORTAL_UNKNOWN;
        t[0] = from, t[1] = x, t[2] = to;
    }
    return PORTAL_UNKNOWN;
}

/* Three corners around the path, near to where it would enter (`way` = 1) or leave (-1) a ball of D's size: most of the
 * time D is one more or less, and the search near its end. Side by side they cost little more than one. */
static portal_verdict portal_guess(portal_search *s, cm_real way, portal_corner t[3]) {
    cm_real reach = s->size * s->size - s->aside * s->aside, depth = reach > 0 ? way * cm_sqrt(reach) : 0;
    /* an equilateral triangle around the path: 0.866 is the sine of 60 degrees */
    const cm_real tilt = PORTAL_TILT * s->size, half = tilt / 2, third = tilt * CM_REAL(0.866);
    cm_vec3 guess = cm_add(cm_scale(s->along, depth), cm_scale(s->unit[0], s->aside)), n[3];
    cm_vec3 in = cm_scale(cm_sub(cm_scale(s->unit[0], depth), cm_scale(s->along, s->aside)), 1 / s->size);
    n[0] = cm_mul_add(guess, tilt, in);
    n[1] = cm_mul_add(cm_mul_add(guess, -half, in), third, s->unit[1]);
    n[2] = cm_mul_add(cm_mul_add(guess, -half, in), -third, s->unit[1]);
    for (int i = 0; i < 3; i++) portal_support(s, n[i], &t[i]);
    for (int i = 0; i < 3; i++) { /* apart over all of the step? */
        cm_real far = cm_dot(n[i], t[i].w), speed = cm_dot(n[i], s->path), slack = 2 * s->band * s->size;
        if (far > slack && far - speed > slack) return PORTAL_MISS;
    }
    cm_real a = portal_left(&t[0], &t[1]), b = portal_left(&t[1], &t[2]), c = portal_left(&t[2], &t[0]);
    if (a >= 0 && b >= 0 && c >= 0) return PORTAL_GO;
    if (!(a <= 0 && b <= 0 && c <= 0)) return PORTAL_UNKNOWN;
    portal_corner swap = t[1];
    t[1] = t[2], t[2] = swap;
    return PORTAL_GO;
}

/* Three corners around the path, those of the guess where they are. */
static portal_verdict portal_begin(portal_search *s, portal_corner t[3]) {
    portal_corner guess[3] = {t[0], t[1], t[2]};
    portal_verdict v = portal_guess(s, 1, t);
    if (v != PORTAL_UNKNOWN) return v;
    for (int i = 0; i < 3; i++) guess[i] = t[i];
    v = portal_around(s, t);
    for (int i = 0; i < 3 && v == PORTAL_GO; i++) {
        cm_vec3 n = cm_cross(cm_sub(t[1].w, t[0].w), cm_sub(t[2].w, t[0].w));
        if (cm_dot(n, guess[i].w) < cm_dot(n, t[0].w)) portal_enter(t, &guess[i]);
    }
    return v;
}

/* Refines the portal to the face through which the path enters (`way` = 1) or leaves (-1), to the precision of
 * cm_real. */
static portal_verdict portal_face(portal_search *s, cm_real way, portal_corner t[3], bool *beyond) {
    portal_corner x = t[1];
    *beyond = false;
    for (int step = 0; step < PORTAL_STEPS; step++) {
        cm_vec3 n = cm_scale(cm_cross(cm_sub(t[1].w, t[0].w), cm_sub(t[2].w, t[0].w)), way);
        cm_real speed = cm_dot(n, s->path), here = cm_dot(n, t[0].w), slack = s->band * cm_sqrt(cm_dot(n, n));
        if (!(speed * way > 0)) return PORTAL_UNKNOWN;
        if (way > 0 ? here < 0 : here - speed < -slack) { /* entered before the step, left after it */
            *beyond = true;
            return PORTAL_GO;
        }
        portal_support(s, n, &x);
        cm_real far = cm_dot(n, x.w);
        if (way > 0 ? far - speed > slack : far > slack) return PORTAL_MISS; /* entered after the step, left before */
        if (!(here - far > slack / 8) || portal_same(&x, &t[0]) || portal_same(&x, &t[1]) || portal_same(&x, &t[2]))
            return PORTAL_GO;
        portal_enter(t, &x);
    }
    return PORTAL_UNKNOWN;
}

/* Does the path pierce t after the step? Then it leaves later still. */
static bool portal_beyond(const portal_search *s, const portal_corner t[3]) {
    cm_vec3 n = cm_cross(cm_sub(t[1].w, t[0].w), cm_sub(t[2].w, t[0].w));
    return cm_dot(n, t[0].w) - cm_dot(n, s->path) > s->band * cm_sqrt(cm_dot(n, n));
}

/* A face in double, and the plane in front of it that has all of D behind. */
typedef struct portal_plane {
    cm__convex_vertex corner[3];
    cm__point normal;     /* of any length; `length` */
    double length, level; /* least normal.w of D */
    double speed;         /* normal.path */
} portal_plane;

static bool portal_prove(const cm__convex_pair *pair, cm__point path, double way, double near, const portal_corner t[3],
                         portal_plane *out) {
    const cm__core *a = pair->a, *b = pair->b;
    cm__convex_vertex *p = out->corner, x;
    for (int i = 0; i < 3; i++) {
        if (t[i].a >= a->count || t[i].b >= b->count) return false; /* the center: D is flat there */
        p[i] = convex_vertex_of(pair, t[i].a, t[i].b);
    }
    x = p[0];
    for (int step = 0; step < PORTAL_PROOFS; step++) {
        cm__point n = cm__point_normal(p[0].w, p[1].w, p[2].w);
        n = cm__point_scale(n, way);
        out->normal = n;
        out->length = cm__point_length(n);
        out->speed = cm__point_dot(n, path);
        if (!(out->speed * way > 0)) return false;
        convex_support(pair, n, true, &x);
        out->level = cm__point_dot(n, x.w);
        if (!(cm__point_dot(n, p[0].w) - out->level > near / 4 * out->length)) return true;
        bool left[3];
        for (int i = 0; i < 3; i++) left[i] = cm__point_dot(path, cm__point_cross(x.w, p[i].w)) >= 0;
        p[portal_drop(left[0], left[1], left[2])] = x;
    }
    return false;
}

/* The foot of the origin at time u on the face; false where it is beside. */
static bool portal_foot(const portal_plane *f, cm__point path, double u, cm__closest_on_triangle *out) {
    cm__closest_point_triangle(cm__point_scale(path, u), f->corner[0].w, f->corner[1].w, f->corner[2].w, out);
    return out->feature == 7;
}

/* The distance of that foot from the nearest edge. */
static double portal_reach(const portal_plane *f, const cm__closest_on_triangle *foot) {
    double reach = DBL_MAX;
    for (int i = 0; i < 3; i++) {
        const cm__point edge = cm__point_sub(f->corner[(i + 2) % 3].w, f->corner[(i + 1) % 3].w);
        reach = wide_min(reach, foot->weight[i] * f->length / cm__point_length(edge));
    }
    return reach;
}

static bool portal_lay_out(const cm__convex_pair *pair, cm__point path, double near, portal_search *s) {
    double length = cm__point_length(path), scale = pair->scale;
    if (!cm__gjk_approx_prepare(pair, &s->approx) || !(length > GJK_APPROX_LEAST && length < GJK_APPROX_MOST))
        return false;
    cm__point along = cm__point_scale(path, 1 / length), center = cm__point_of(s->approx.between);
    cm__point aside = cm__point_mul_add(center, -cm__point_dot(center, along), along);
    double h = cm__point_length(aside);
    if (!(h > PORTAL_HEAD_ON * scale)) { /* head-on: any axis across */
        aside = cm__point_cross(along, wide_least_axis(along));
        h = cm__point_length(aside);
    }
    aside = cm__point_scale(aside, 1 / h);
    s->path = cm__vec3_of(path);
    s->along = cm__vec3_of(along);
    s->aside = (cm_real)wide_max(cm__point_dot(center, aside), 0);
    s->size = (cm_real)((wide_max(pair->near, 0) + pair->far) / 2);
    s->unit[0] = cm__vec3_of(aside);
    s->unit[1] = cm__vec3_of(cm__point_cross(along, aside));
    s->band = (cm_real)(GJK_APPROX_ROUNDING * (scale + length) + 2 * near);
    return true;
}

/* The square of the distance from D's middle to the origin's place at time u. */
static double portal_off(cm__point center, cm__point path, double u) {
    const cm__point off = cm__point_mul_add(center, -u, path);
    return cm__point_dot(off, off);
}

cm__portal_end cm__portal_run(const cm__convex_pair *pair, cm__point drift, double near, cm__portal *out) {
    const cm__point path = cm__p(-drift.x, -drift.y, -drift.z);
    portal_search s;
    portal_corner start[3], t[3], tail = {{0, 0, 0}, 0, 0, 0, 0};
    portal_plane in, leave;
    bool beyond;
    /* the balls around and within D decide most pairs, as in cm__convex_overlap */
    const cm__point center = pair_between(pair);
    const double rounding = PORTAL_ROUNDING * (pair->scale + cm__point_largest(path)),
                 square = cm__point_dot(path, path);
    const double nearest = square > 0 ? wide_clamp(cm__point_dot(center, path) / square, 0, 1) : 0;
    const double outer = pair->far + near + rounding, inner = pair->near - rounding;
    if (portal_off(center, path, nearest) > outer * outer) return CM__PORTAL_MISS;
    for (int i = 0; i < 3; i++) start[i] = tail;
    if (!portal_lay_out(pair, path, near, &s)) return CM__PORTAL_UNKNOWN;
    portal_support(&s, cm_neg(s.along), &tail);
    if (cm_dot(s.along, tail.w) < -s.band) return CM__PORTAL_MISS; /* D lies behind the start of the path */
    portal_verdict v = portal_begin(&s, start);
    if (v != PORTAL_GO) return v == PORTAL_MISS ? CM__PORTAL_MISS : CM__PORTAL_UNKNOWN;
    for (int i = 0; i < 3; i++) t[i] = start[i];
    portal_enter(start, &tail);
    v = portal_face(&s, 1, t, &beyond);
    if (v != PORTAL_GO) return v == PORTAL_MISS ? CM__PORTAL_MISS : CM__PORTAL_UNKNOWN;
    if (beyond) { /* overlapping, or moving apart */
        v = portal_face(&s, -1, start, &beyond);
        return v == PORTAL_MISS ? CM__PORTAL_MISS : CM__PORTAL_UNKNOWN;
    }
    if (!portal_prove(pair, path, 1, near, t, &in)) return CM__PORTAL_UNKNOWN;
    if (!(in.level > 4 * near * in.length)) return CM__PORTAL_UNKNOWN;
    out->first = (in.level - near * in.length) / in.speed;
    if (out->first > 1) return CM__PORTAL_MISS;
    const double steep = in.speed / (in.length * cm__point_length(path));
    cm__closest_on_triangle foot;
    if (!portal_foot(&in, path, out->first, &foot)) {
        /* a path within the plane of a neighboring face may seem to pierce this one by rounding */
        const bool pierced = foot.square <= 4 * near * near;
        if (!(steep > PORTAL_STEEP) || !pierced) return CM__PORTAL_UNKNOWN;
    }
    out->normal = cm__point_scale(in.normal, 1 / in.length);
    out->a = cm__p(0, 0, 0);
    for (int i = 0; i < 3; i++) out->a = cm__point_mul_add(out->a, foot.weight[i], in.corner[i].a);
    out->reach = portal_reach(&in, &foot);
    out->last = 1;
    if (inner > 0 && portal_off(center, path, 1) < inner * inner) return CM__PORTAL_HIT; /* still in it at the end */
    portal_corner guess[3] = {start[0], start[1], start[2]};
    if (!portal_beyond(&s, start) && portal_guess(&s, -1, guess) == PORTAL_GO)
        for (int i = 0; i < 3; i++) start[i] = guess[i];
    v = portal_face(&s, -1, start, &beyond);
    if (v != PORTAL_GO) return CM__PORTAL_UNKNOWN; /* never a miss: the entry is proven */
    if (beyond) return CM__PORTAL_HIT;
    if (!portal_prove(pair, path, -1, near, start, &leave)) return CM__PORTAL_UNKNOWN;
    double last = (leave.level - near * leave.length) / leave.speed;
    if (last < 1) out->last = wide_max(last, out->first);
    return CM__PORTAL_HIT;
}
