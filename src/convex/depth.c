/* The depth of two overlapping cores by EPA, an expanding polytope: the smallest translation that brings them to
 * touching is the point of the surface of D = B - A that is nearest to the origin.
 *
 * A polytope within D (expanding.h) holds the origin. Its nearest face bounds the depth from below; D's support along
 * that face's normal u bounds it from above, since moving B against u by that much separates the cores. The search ends
 * where the two agree (DEPTH_TOLERANCE of the extent of D; for polytopes the support point is then a corner of the
 * face, which is one of D's, exact to rounding). Else the support point becomes a corner of the polytope. Where D is
 * flat (coplanar shapes, crossing segments) the depth is 0 along its normal. Ties: the face that was built first, which
 * depends on the two shapes' own axes only.
 *
 * Around a nearest point where D is curved that takes ever smaller faces. So the least depth where both cores are flat
 * is asked for first, in closed form, and after DEPTH_DESCEND steps Newton's steps go to the least depth nearby if that
 * is less (descent.c). They say how far around it, `local`, no direction u has less: those with u times local.u >=
 * `cosine`, a cap of the sphere. All others are known by the polytope: it reaches level = local's depth less the
 * tolerance along each of them, if it does so along the normals of the faces out of the cap, and wherever its reach
 * passes `level` between the normals of a face nearer than that and of the next one lies in the cap. For the directions
 * along which one corner w reaches farthest are a convex polygon, of the normals of the faces around w; where it
 * reaches `level` is a circle around w, convex too; the chords between the points where the polygon's sides pass the
 * circle cut off what reaches less, whose corners all lie in the cap, and so does what is between them. A face of which
 * that is known is settled, and stays so as the polytope grows. The search ends where no other is nearer than `level`.
 *
 * Curved cores that are nearly concentric have no nearest point that stands out. After DEPTH_ROUND_POINTS corners the
 * lower bound is within DEPTH_ROUND_BOUND of the extent (`slack` says how far), and slower descents lower the least
 * upper bound. Moving by the result always separates the cores; that it is the smallest such move is proved only to
 * DEPTH_ROUND_BOUND of the extent. Against searches from many sides it was at most 4e-4 of the extent too large, nearly
 * always less than 1e-6.
 *
 * Bound: CM__EXPANDING_POINTS corners. Based on: [vandenBergen01]. */
#include "convex/descent.h"
#include "convex/expanding.h"
#include "convex/newton.h"
#include "convex/observe.h"
#include "convex/simplex.h"
#include "hull/hull.h"

/* Of the extent: well below the last digit of float; in double as near as curved cores get before rounding
 * (DEPTH_LEAST of a scale that may be far larger) hides the next step. */
#if defined(CAROM_F64)
#define DEPTH_TOLERANCE 1e-10
#else
#define DEPTH_TOLERANCE 1e-9
#endif
#define DEPTH_LEAST        (64 * DBL_EPSILON) /* of the scale: curved cores can come no closer */
#define DEPTH_ROUND_POINTS 96                 /* corners for curved cores, */
#define DEPTH_ROUND_BOUND  3e-2               /* where the bounds then are within this of the extent */
#define DEPTH_DESCENTS     4                  /* from the best of the bounds, each its own valley */
#define DEPTH_DESCEND      4                  /* steps before the first descent, twice as many before the next */

typedef struct depth_search {
    const cm__convex_pair *pair;
    double tolerance;
    double round;           /* DEPTH_ROUND_BOUND, as a length */
    int descend;            /* from how many steps on a descent is tried */
    double level;           /* what `local` proves to be the least, where it is; DBL_MAX: there is none */
    double cosine;          /* of how far it does */
    cm__descent local;      /* the least depth that a descent found */
    cm__expanding polytope; /* `rank` of faces that are settled: DBL_MAX */
} depth_search;

/* --- the answer -------------------------------------------------------------------------------------------------- */

/* The points of A and B over `foot`, on the faces whose planes are at most `limit` from the origin; `first` most
 * likely. The foot of the origin on the nearest face lies in it; but faces that are one in D may be split here, and
 * then it lies in any of those on the same plane, up to rounding. */
static void depth_witness(const cm__expanding *h, int first, cm__point foot, double limit, cm__depth *out) {
    cm__feature best = {.square = DBL_MAX};
    const cm__expanding_face *face = &h->face[first];
    cm__convex_vertex p[3];
    for (int i = -1; i < h->faces && best.square > h->eps * h->eps; i++) {
        int f = i < 0 ? first : i;
        if (!(h->distance[f] <= limit)) continue;
        for (int k = 0; k < 3; k++) {
            p[k] = h->point[h->face[f].corner[k]];
            p[k].w = cm__point_sub(p[k].w, foot);
        }
        cm__feature feature;
        cm__feature_triangle(p, 0, 1, 2, &feature);
        if (feature.square < best.square) best = feature, face = &h->face[f];
    }
    out->a = cm__p(0, 0, 0);
    cm__point w = cm__p(0, 0, 0);
    for (int i = 0; i < best.count; i++) {
        const cm__convex_vertex *x = &h->point[face->corner[best.index[i]]];
        out->a = cm__point_mul_add(out->a, best.weight[i], x->a);
        w = cm__point_mul_add(w, best.weight[i], x->w);
    }
    out->b = cm__point_add(out->a, w);
}

/* D is flat, with normal u: takes the side of D on which the depth is less. */
static void depth_flat(const cm__convex_pair *pair, const cm__gjk *start, cm__point u, cm__depth *out) {
    cm__convex_vertex up, down;
    up.id_a = up.id_b = down.id_a = down.id_b = 0;
    expanding_support(pair, u, true, &up);
    expanding_support(pair, wide_neg(u), true, &down);
    double above = cm__point_dot(u, up.w), below = -cm__point_dot(u, down.w);
    bool flip = below < above;
    out->normal = flip ? u : wide_neg(u);
    out->distance = -(flip ? below : above);
    out->slack = fabs(out->distance);
    out->a = out->b = cm__p(0, 0, 0);
    cm__point w = cm__p(0, 0, 0);
    double sum = 0;
    for (int i = 0; i < start->count; i++) sum += start->weight[i];
    for (int i = 0; i < start->count; i++) {
        out->a = cm__point_mul_add(out->a, start->weight[i] / sum, start->vertex[i].a);
        w = cm__point_mul_add(w, start->weight[i] / sum, start->vertex[i].w);
    }
    if (start->count == 0) out->a = up.a, w = up.w;
    out->b = cm__point_add(out->a, w);
}

static bool face_has(const depth_search *s, int f, const cm__convex_vertex *x) {
    const cm__expanding *h = &s->polytope;
    for (int k = 0; k < 3; k++) {
        const cm__convex_vertex *y = &h->point[h->face[f].corner[k]];
        if (cm__point_equal(x->w, y->w)) return true;
        if (s->pair->sharp && x->id_a == y->id_a && x->id_b == y->id_b) return true;
    }
    return false;
}

/* Recomputes the normal of the face found from the shapes' own features; it is taken where it does not prove a larger
 * depth. */
static void depth_sharpen(const depth_search *s, int f, cm__depth *out) {
    const cm__expanding *h = &s->polytope;
    const cm__expanding_face *face = &h->face[f];
    const cm__convex_vertex *const v[3] = {&h->point[face->corner[0]], &h->point[face->corner[1]],
                                           &h->point[face->corner[2]]};
    cm__convex_vertex x = *v[0];
    cm__point n = cm__convex_face_normal(s->pair, v, out->normal);
    convex_support(s->pair, n, true, &x);
    double distance = cm__point_dot(n, x.w);
    if (!(distance > out->distance)) return;
    out->normal = n;
    out->distance = distance;
}

/* The support along the face's normal is one of the face's own corners, at `reach`, beyond the face's plane. So the
 * face is so thin that its normal is partly rounding. It gets the normal from the shapes' own features, if D reaches
 * less far along that, and its plane moves out to where D ends; then another face may be the nearest. */
static void depth_thin(depth_search *s, int f, double reach) {
    cm__expanding *h = &s->polytope;
    cm__depth own = {.normal = wide_neg(h->face[f].normal), .distance = -reach};
    depth_sharpen(s, f, &own);
    h->face[f].normal = wide_neg(own.normal);
    h->distance[f] = h->rank[f] = -own.distance;
    h->face[f].moved = true;
}

/* For curved cores, where the polytope ran out of corners. Descends from the best direction tried, then from the best
 * of those far from where any descent started or ended; up to DEPTH_DESCENTS of them. The last starts perpendicular to
 * the best, since the axes of a nearly round D are perpendicular to each other. */
static void depth_polish(const depth_search *s, int first, const cm__descent_try *tried, int count, cm__depth *out) {
    cm__descent_try best = {.reach = DBL_MAX};
    cm__point start[DEPTH_DESCENTS], end[DEPTH_DESCENTS];
    for (int n = 0; n < DEPTH_DESCENTS; n++) {
        int pick = -1;
        for (int i = 0; i < count; i++) {
            bool fresh = pick < 0 || tried[i].reach < tried[pick].reach;
            for (int k = 0; k < n && fresh; k++) /* 11 degrees from where one started, 37 from where one ended */
                fresh = cm__point_dot(start[k], tried[i].u) < 0.98 && cm__point_dot(end[k], tried[i].u) < 0.8;
            if (fresh) pick = i;
        }
        if (pick < 0) break;
        cm__descent_try down = tried[pick];
        if (n == DEPTH_DESCENTS - 1) cm__descent_perpendicular_to(s->pair, best.u, &down);
        start[n] = down.u;
        cm__descent_learn(s->pair, &down);
        end[n] = down.u;
        if (down.reach < best.reach) best = down;
    }
    out->slack -= -out->distance - best.reach;
    out->distance = -best.reach;
    out->normal = wide_neg(best.u);
    /* on a smooth surface the support point is the foot itself; else the foot lies between corners of the polytope */
    if (best.lack <= 100 * s->tolerance) { /* a point is known less well than a depth */
        out->a = best.at.a;
        out->b = cm__point_add(best.at.a, best.at.w);
    } else {
        const cm__expanding *h = &s->polytope;
        depth_witness(h, first, cm__point_scale(best.u, best.reach), best.reach + h->eps, out);
    }
}

/* The polytope runs out of corners before it has looked at all faces of a hull: the least depth along these, if that is
 * less. Which one it is the hull's own planes tell, the other's reach, and one support point of both is the proof. */
static void depth_at_faces(const depth_search *s, int answer, bool of_a, cm__depth *out) {
    const cm__convex_pair *pair = s->pair;
    const cm__core *own = of_a ? pair->a : pair->b, *other = of_a ? pair->b : pair->a;
    const cm_hull *hull = core_hull(own);
    const cm__frame other_in_own = of_a ? pair->b_in_a : frame_inverse(&pair->b_in_a);
    double least = DBL_MAX;
    cm__point best = cm__p(0, 0, 0);
    if (!hull || hull->info.dimension < 3) return;
    for (uint32_t f = 0; f < hull->info.faces; f++) {
        const cm__hull_plane *plane = &cm__hull_planes(hull)[f];
        const cm__point n = cm__point_of(plane->normal);
        uint32_t id = other->ops->corner ? 0 : CM_NONE;
        const cm__point low = other->ops->support(other, frame_unrotate(&other_in_own, wide_neg(n)), &id);
        const double depth = -(double)plane->d - cm__point_dot(n, frame_apply(&other_in_own, low));
        if (depth < least) least = depth, best = n;
    }
    cm__convex_vertex x = {.id_a = out->id_a, .id_b = out->id_b};
    const cm__point n = wide_normalize(of_a ? best : wide_neg(frame_rotate(&pair->b_in_a, best)), out->normal);
    convex_support(pair, n, true, &x);
    const double distance = cm__point_dot(n, x.w);
    if (!(distance > out->distance)) return;
    out->slack -= distance - out->distance;
    out->normal = n, out->distance = distance;
    out->id_a = x.id_a, out->id_b = x.id_b;
    depth_witness(&s->polytope, answer, cm__point_scale(n, distance), -distance + 64 * s->polytope.eps, out);
}

/* --- the least of all around ------------------------------------------------------------------------------------- */

static void depth_take_local(depth_search *s, const cm__descent *d) {
    cm__expanding *h = &s->polytope;
    s->local = *d;
    s->descend = 0;
    s->level = d->reach - s->tolerance;
    s->cosine = 1 / sqrt(1 + d->around * d->around);
    for (int f = 0; f < h->faces; f++) h->rank[f] = h->distance[f];
}

static void depth_descent(depth_search *s, cm__point from, int steps) {
    cm__descent d;
    s->descend = 2 * steps;
    if (!cm__descent_run(s->pair, from, s->tolerance, &d)) return;
    if (s->level < DBL_MAX && !(d.reach < s->local.reach)) return;
    depth_take_local(s, &d);
}

/* Between the normals of two faces at an edge, one nearer than s->level and one not: is the direction along which the
 * polytope reaches that far around the least depth? */
static bool depth_edge_settles(const depth_search *s, int near, int far) {
    const cm__expanding *h = &s->polytope;
    const cm__point n = h->face[near].normal, to = h->face[far].normal;
    const double d = h->distance[near], rise = h->distance[far] - d, square = s->level * s->level;
    if (!(rise < DBL_MAX / 4)) return false;
    /* (d + t rise)^2 = level^2 |n + t (to - n)|^2 */
    const double bend = 2 * square * (1 - cm__point_dot(n, to));
    const double a = rise * rise - bend, b = 2 * d * rise + bend, c = d * d - square;
    const double t = -2 * c / (b + sqrt(wide_max(b * b - 4 * a * c, 0)));
    const cm__point u = cm__point_mul_add(n, t, cm__point_sub(to, n));
    return cm__point_dot(u, s->local.u) >= s->cosine * cm__point_length(u);
}

static bool depth_is_around(const depth_search *s, int f) {
    return s->polytope.distance[f] > 0 && cm__point_dot(s->polytope.face[f].normal, s->local.u) >= s->cosine;
}

/* A face nearer than s->level: are all directions like it, along which the polytope reaches less than that far, around
 * the least depth? As the polytope grows they stay so. */
static bool depth_settles(const depth_search *s, int f) {
    const cm__expanding *h = &s->polytope;
    if (!depth_is_around(s, f)) return false;
    for (int i = 0; i < 3; i++) {
        const int next = expanding_edge_face(h->face[f].beyond[i]);
        if (depth_is_around(s, next)) continue;
        if (h->distance[next] < s->level || !depth_edge_settles(s, f, next)) return false;
    }
    return true;
}

static void depth_from_descent(const depth_search *s, double slack, cm__depth *out) {
    out->normal = wide_neg(s->local.u);
    out->distance = -s->local.reach;
    out->slack = slack;
    out->a = s->local.a, out->b = s->local.b;
    out->id_a = s->local.id_a, out->id_b = s->local.id_b;
}

/* --- for a watcher ----------------------------------------------------------------------------------------------- */

/* The polytope, its nearest face `nearest`, and what D has beyond that, `x`; with all of D behind the plane at `reach`
 * along the face's normal. */
static CM__RARE void depth_show(const depth_search *s, int nearest, const cm__convex_vertex *x, double reach,
                                bool exact) {
    const cm__expanding *h = &s->polytope;
    cm__watch *watch = s->pair->watch;
    cm_step_vertex vertices[CM__EXPANDING_POINTS];
    uint32_t faces[CM__EXPANDING_FACES][3];
    cm_step step;
    cm__watch_begin(watch, CM_STEP_POLYTOPE, &step);
    cm__watch_bounds(s->pair, -reach, -h->distance[nearest], &step);
    step.exact = exact;
    step.direction = cm__watch_direction(watch, wide_neg(h->face[nearest].normal));
    step.support = cm__watch_vertex(watch, x);
    step.closest = cm__watch_way(watch, cm__point_scale(h->face[nearest].normal, h->distance[nearest]));
    for (int i = 0; i < h->points; i++) vertices[i] = cm__watch_vertex(watch, &h->point[i]);
    for (int f = 0; f < h->faces; f++) {
        if (expanding_is_dead(h, f)) continue;
        if (f == nearest) step.face = (uint32_t)step.face_count;
        for (int k = 0; k < 3; k++) /* D turned around is mirrored, and so are its faces */
            faces[step.face_count][k] = h->face[f].corner[watch->swapped ? 2 - k : k];
        step.face_count++;
    }
    step.vertex_count = h->points, step.vertices = vertices, step.faces = faces[0];
    cm__watch_send(watch, &step);
}

/* The same where no face was looked at, because what was known beforehand settles all of them. */
static CM__RARE void depth_show_end(const depth_search *s) {
    const cm__expanding *h = &s->polytope;
    int nearest = 0;
    for (int f = 1; f < h->faces; f++)
        if (h->distance[f] < h->distance[nearest]) nearest = f;
    cm__convex_vertex x = h->point[h->face[nearest].corner[0]];
    expanding_support(s->pair, h->face[nearest].normal, true, &x);
    depth_show(s, nearest, &x, cm__point_dot(h->face[nearest].normal, x.w), true);
}

static CM__RARE void depth_show_flat(const cm__convex_pair *pair, const cm__gjk *start, const cm__depth *depth) {
    cm_step_vertex vertices[4];
    cm_step step;
    cm__watch_begin(pair->watch, CM_STEP_POLYTOPE, &step);
    cm__watch_bounds(pair, depth->distance, depth->distance + depth->slack, &step);
    step.direction = cm__watch_direction(pair->watch, depth->normal);
    for (int i = 0; i < start->count; i++) vertices[i] = cm__watch_vertex(pair->watch, &start->vertex[i]);
    step.vertex_count = start->count, step.vertices = vertices;
    cm__watch_send(pair->watch, &step);
}

/* Where the search ended on the face `answer`, or at its limit. */
static void depth_from_face(const depth_search *s, int answer, const cm__descent_try *tried, cm__depth *out) {
    const cm__expanding *h = &s->polytope;
    out->id_a = h->point[h->face[answer].corner[0]].id_a, out->id_b = h->point[h->face[answer].corner[0]].id_b;
    cm__point foot = cm__point_scale(h->face[answer].normal, h->distance[answer]);
    depth_witness(h, answer, foot, h->distance[answer] + 64 * h->eps, out);
    if (s->pair->sharp)
        depth_sharpen(s, answer, out);
    else if (out->limit)
        depth_polish(s, answer, tried, out->steps < DEPTH_ROUND_POINTS ? out->steps : DEPTH_ROUND_POINTS, out);
    if (out->limit) depth_at_faces(s, answer, true, out), depth_at_faces(s, answer, false, out);
    if (out->limit && s->level < DBL_MAX && s->local.reach < -out->distance)
        depth_from_descent(s, out->slack - (-out->distance - s->local.reach), out);
    if (!s->pair->sharp && out->slack <= s->round) out->limit = false;
}

/* Corners to start from where no search came before: along the four directions from the middle of a tetrahedron. */
static void depth_four(const cm__convex_pair *pair, cm__gjk *out) {
    static const double sign[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    for (int i = 0; i < 4; i++) {
        cm__convex_vertex *x = &out->vertex[i];
        x->id_a = x->id_b = 0;
        expanding_support(pair, cm__p(sign[i][0], sign[i][1], sign[i][2]), true, x);
    }
    out->count = 4;
}

void cm__depth_run(const cm__convex_pair *pair, const cm__gjk *start, cm__depth *out) {
    depth_search search, *s = &search;
    cm__expanding *h = &search.polytope;
    cm__descent_try tried[DEPTH_ROUND_POINTS];
    s->pair = pair;
    const double extent = pair_extent(pair), least_of = DEPTH_LEAST * pair->scale;
    double tolerance = 4 * DBL_EPSILON * pair->scale;
    if (!pair->sharp) tolerance = DEPTH_TOLERANCE * extent > least_of ? DEPTH_TOLERANCE * extent : least_of;
    s->tolerance = tolerance, s->round = DEPTH_ROUND_BOUND * extent;
    bool fast = pair->a->guess_error + pair->b->guess_error > 0;
    cm__point flat;
    watch_search(pair->watch);
    out->steps = 0;
    out->limit = false;
    out->id_a = out->id_b = CM_NONE;
    out->farthest = false;
    const bool newton = cm__newton_knows(pair) && !fast; /* hulls: their exact support points take too long */
    cm__gjk four;
    if (start->count == 0 && newton) {
        depth_four(pair, &four);
        start = &four;
    }
    if (!cm__expanding_start(pair, start, h, &flat)) {
        depth_flat(pair, start, flat, out);
        if (pair->watch) depth_show_flat(pair, start, out);
        return;
    }
    s->descend = DEPTH_DESCEND, s->level = DBL_MAX;
    cm__descent flattest;
    if (newton && cm__descent_flat(pair, tolerance, &flattest))
        depth_take_local(s, &flattest), s->descend = DEPTH_DESCEND;
    double least = DBL_MAX; /* upper bound */
    int answer = -1;
    int room = pair->sharp ? CM__EXPANDING_POINTS : DEPTH_ROUND_POINTS;
    out->limit = true;
    out->slack = DBL_MAX;
    /* near balls with one center need a few more, rarely, until the bounds are as close as is promised */
    while (h->points < room || (h->points < CM__EXPANDING_POINTS && out->slack > s->round)) {
        int f = cm__expanding_nearest(h);
        if (h->rank[f] >= s->level) {
            if (pair->watch && out->steps == 0) depth_show_end(s);
            depth_from_descent(s, s->tolerance, out);
            out->limit = false;
            return;
        }
        if (s->level < DBL_MAX && depth_settles(s, f)) {
            h->rank[f] = DBL_MAX;
            continue;
        }
        cm__point u = h->face[f].normal;
        cm__convex_vertex *x = &h->point[h->points];
        x->id_a = h->point[h->face[f].corner[0]].id_a, x->id_b = h->point[h->face[f].corner[0]].id_b;
        expanding_support(pair, u, !fast, x);
        double reach = cm__point_dot(u, x->w);
        bool exact = !fast;
        if (fast && (!(reach - h->distance[f] > tolerance) || face_has(s, f, x))) {
            expanding_support(pair, u, true, x);
            reach = cm__point_dot(u, x->w);
            exact = true;
        }
        if (!pair->sharp && out->steps < DEPTH_ROUND_POINTS) tried[out->steps].u = u, tried[out->steps].reach = reach;
        out->steps++;
        answer = f;
        if (reach < least) {
            least = reach;
            out->normal = wide_neg(u);
            out->distance = -reach;
        }
        out->slack = least - h->distance[f];
        if (pair->watch)
            depth_show(s, f, x, exact ? reach : reach + pair->a->guess_error + pair->b->guess_error, exact);
        const bool beyond = reach - h->distance[f] > tolerance, own = beyond && face_has(s, f, x);
        if (own && pair->sharp && !h->face[f].moved) {
            depth_thin(s, f, reach);
            continue;
        }
        if (!beyond || own) {
            out->normal = wide_neg(u);
            out->distance = -reach;
            out->limit = false;
            break;
        }
        if (!cm__expanding_grow(h, f)) break;
        if (newton && out->steps >= s->descend && least < s->level) depth_descent(s, wide_neg(out->normal), out->steps);
    }
    depth_from_face(s, answer, tried, out);
}
