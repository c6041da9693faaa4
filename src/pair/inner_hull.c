/* The depth of a convex shape in the convex surface around a triangle, as of two convex shapes (inner_hull.h).
 *
 * The surface is asked for its farthest corner along a direction as a hull is: by climbing from corner to corner, over
 * edges that are convex. GJK and EPA do the rest; the corners that they were told span the hull. Of a convex solid it
 * is a part that is as deep as the whole. Of another solid it may be none: between its corners there may be a hollow.
 * So it is asked whether a triangle enters it. If none does, all of the hull is inside, and no translation that leaves
 * it overlapped leaves the solid: its depth is a true lower bound. Frame: the surface's. Bound: EPA's, with INNER_CLIMB
 * steps a corner; then a walk over the triangles in the hull's box. No memory. */
#include "pair/inner_hull.h"
#include "pair/composite.h"
#include "math/closest.h"

#include <string.h>

#define INNER_CLIMB 4096 /* steps along the surface */
#define INNER_TRIES 6    /* depths at which a point within the solid is looked for */
#define INNER_FOLD  .1   /* a sine: an edge that is less concave belongs to a convex surface that was cut roughly */
#define INNER_SAG   .02  /* of the depth: a triangle enters the hull by no more than that */
#define INNER_LEVEL (8 * DBL_EPSILON) /* of the scale: what is higher by less is as high */

/* --- up the surface ---------------------------------------------------------------------------------------------- */

/* The neighbor over an edge of a triangle, where the surface is convex there: its half-edge there, or CM_NONE. */
static uint32_t inner_neighbor(const cm_shape *surface, double slack, const cm__inner_corner *from, uint32_t edge,
                               cm__inner_corner *out) {
    const cm__surface_ops *joined = cm__ops(surface->kind)->parts->surface;
    const cm_triangle *t = &from->triangle;
    const cm_vec3 corner[3] = {t->a, t->b, t->c};
    const cm__point a = cm__point_of(t->a);
    const cm__point normal = cm__point_normal(a, cm__point_of(t->b), cm__point_of(t->c));
    cm_vec3 third, c[3];
    const uint32_t over = joined->across(surface, 3 * from->number + edge, &third);
    if (over == CM_NONE) return CM_NONE;
    const cm__point to = cm__point_sub(cm__point_of(third), a);
    const double rise = cm__point_dot(normal, to), room = slack + INNER_FOLD * cm__point_length(to);
    if (rise > room * cm__point_length(normal)) return CM_NONE;
    c[over % 3] = corner[(edge + 1) % 3], c[(over + 1) % 3] = corner[edge], c[(over + 2) % 3] = third;
    out->triangle = (cm_triangle){c[0], c[1], c[2]}, out->number = over / 3;
    return over;
}

static cm__point inner_at(const cm__inner_corner *c) {
    const cm_triangle *t = &c->triangle;
    return cm__point_of(c->k == 0 ? t->a : c->k == 1 ? t->b : t->c);
}

/* From a corner to the same of the next triangle around it, one way or the other, as far as the surface is convex. */
static bool inner_turn(const cm_shape *surface, double slack, int way, cm__inner_corner *io) {
    cm__inner_corner next;
    const uint32_t over = inner_neighbor(surface, slack, io, way == 0 ? io->k : (io->k + 2) % 3, &next);
    if (over == CM_NONE) return false;
    next.k = way == 0 ? (over + 1) % 3 : over % 3;
    *io = next;
    return true;
}

/* Looks at the corners of a triangle: is one above `highest`? Takes the highest. */
static bool inner_higher(cm__point direction, double level, const cm__inner_corner *of, double *highest,
                         cm__inner_corner *io) {
    cm__inner_corner at = *of;
    bool found = false;
    for (at.k = 0; at.k < 3; at.k++) {
        const double height = cm__point_dot(direction, inner_at(&at));
        if (height > *highest + level) *highest = height, *io = at, found = true;
    }
    return found;
}

/* To a corner that no neighbor exceeds along a direction. */
static void inner_climb(const cm_shape *surface, double slack, cm__point direction, cm__inner_corner *io) {
    const double level = INNER_LEVEL * cm__point_largest(direction) * cm__point_largest(inner_at(io));
    double highest = cm__point_dot(direction, inner_at(io));
    bool higher = true;
    for (int step = 0; higher && step < INNER_CLIMB; step++) {
        const cm__inner_corner from = *io;
        bool around = false;
        higher = inner_higher(direction, level, &from, &highest, io);
        for (int way = 0; way < 2 && !around; way++) {
            cm__inner_corner at = from;
            for (int i = 0; i < INNER_FAN && !around && inner_turn(surface, slack, way, &at); i++) {
                around = at.number == from.number;
                higher = (!around && inner_higher(direction, level, &at, &highest, io)) || higher;
            }
        }
    }
}

cm__point cm__inner_top(const cm_shape *surface, double slack, const cm_triangle *from, uint32_t number,
                        cm__point direction) {
    cm__inner_corner peak = {*from, number, 0};
    inner_climb(surface, slack, direction, &peak);
    return inner_at(&peak);
}

/* --- as a core --------------------------------------------------------------------------------------------------- */

static cm__point inner_point(const cm__inner_hull *h, int i) { return cm__p(h->x[i], h->y[i], h->z[i]); }

static void inner_add(cm__inner_hull *io, cm__point at, const cm__inner_corner *from) {
    const int i = io->count++;
    io->corner[i] = *from;
    for (int k = 0; k <= INNER_LANES; k++) io->x[i + k] = at.x, io->y[i + k] = at.y, io->z[i + k] = at.z;
}

/* How far the hull reaches along a direction. */
static double inner_reach(const cm__inner_hull *h, cm__point n) {
    double most[INNER_LANES] = {-DBL_MAX, -DBL_MAX, -DBL_MAX, -DBL_MAX};
    for (int i = 0; i < h->count; i += INNER_LANES)
        for (int k = 0; k < INNER_LANES; k++)
            most[k] = cm__most(n.x * h->x[i + k] + n.y * h->y[i + k] + n.z * h->z[i + k], most[k]);
    return cm__most(cm__most(most[0], most[1]), cm__most(most[2], most[3]));
}

static int inner_farthest(const cm__inner_hull *h, cm__point n) {
    int best = 0;
    double most = -DBL_MAX;
    for (int i = 0; i < h->count; i++) {
        const double height = n.x * h->x[i] + n.y * h->y[i] + n.z * h->z[i];
        if (height > most) most = height, best = i;
    }
    return best;
}

/* Its corners as they are. */
static cm__point inner_corner_of(const cm__core *core, uint32_t id) {
    return inner_point((const cm__inner_hull *)core->data, (int)id);
}

static cm__point inner_support(const cm__core *core, cm__point direction, uint32_t *id) {
    const cm__inner_hull *h = (const cm__inner_hull *)core->data;
    *id = (uint32_t)inner_farthest(h, direction);
    return inner_point(h, (int)*id);
}

/* What a core that grows borrows. */
typedef struct inner_growing {
    cm__inner_hull *hull;
} inner_growing;

static cm__point growing_corner_of(const cm__core *core, uint32_t id) {
    return inner_point(((const inner_growing *)core->data)->hull, (int)id);
}

static cm__point growing_support(const cm__core *core, cm__point direction, uint32_t *id) {
    cm__inner_hull *h = ((const inner_growing *)core->data)->hull;
    const int best = inner_farthest(h, direction);
    const cm__point known = inner_point(h, best);
    cm__inner_corner peak = h->corner[best];
    inner_climb(h->surface, h->slack, direction, &peak);
    const cm__point at = inner_at(&peak);
    *id = (uint32_t)best;
    if (h->count == INNER_POINTS || !(cm__point_dot(direction, at) > cm__point_dot(direction, known))) return known;
    *id = (uint32_t)h->count;
    inner_add(h, at, &peak);
    return at;
}

static void inner_core(const cm__inner_hull *h, const cm__core_ops *ops, const void *data, double size, cm__core *out) {
    memset(out, 0, sizeof *out);
    out->ops = ops, out->data = data, out->count = (uint32_t)h->count;
    for (int i = 0; i < h->count; i++) out->center = cm__point_mul_add(out->center, 1.0 / h->count, inner_point(h, i));
    for (int i = 0; i < h->count; i++)
        size = wide_max(size, cm__point_length(cm__point_sub(inner_point(h, i), out->center)));
    out->size = size;
}

/* --- growing ----------------------------------------------------------------------------------------------------- */

/* The triangle; of a solid also a point within it and below the triangle: the shape's center, or one below the
 * triangle's middle. So the way out is not through the triangle's back. */
static void inner_begin(const cm_triangle *t, uint32_t number, cm__inner_hull *out) {
    const cm__parts_ops *parts = cm__ops(out->surface->kind)->parts;
    const cm_pose identity = cm_pose_identity();
    const cm__inner_corner from[3] = {{*t, number, 0}, {*t, number, 1}, {*t, number, 2}};
    const cm__point a = cm__point_of(t->a), b = cm__point_of(t->b), c = cm__point_of(t->c);
    const cm__point n = wide_normalize(cm__point_normal(a, b, c), cm__p(0, 0, 0));
    const cm__point middle = cm__point_scale(cm__point_add(a, cm__point_add(b, c)), 1.0 / 3);
    cm__point inner = out->prepared->center;
    double below = 2 * out->prepared->size;
    out->count = 0;
    inner_add(out, a, &from[0]), inner_add(out, b, &from[1]), inner_add(out, c, &from[2]);
    out->has_inside = false;
    for (int i = 0; i <= INNER_TRIES && parts->holds && !out->has_inside; i++) {
        const cm_vec3 at = cm__vec3_of(inner);
        inner = cm__point_mul_add(middle, -below, n);
        below /= 2;
        if (!(cm__point_dot(n, cm__point_sub(a, cm__point_of(at))) > out->slack)) continue;
        if (!parts->holds(out->surface, &identity, at)) continue;
        out->has_inside = true;
        out->inside = cm__point_mul_add(cm__point_scale(middle, .75), .25, cm__point_of(at));
        inner_add(out, cm__point_of(at), &from[0]);
    }
}

bool cm__inner_hull_grow(const cm__prepared *prepared, const cm_shape *surface, double slack, const cm_triangle *from,
                         uint32_t number, cm__inner_hull *out) {
    static const cm__core_ops ops = {.support = growing_support, .corner = growing_corner_of};
    const inner_growing growing = {out};
    cm__convex_pair pair;
    cm__core core;
    cm_aabb box;
    out->prepared = prepared, out->surface = surface, out->slack = slack;
    inner_begin(from, number, out);
    cm__ops(surface->kind)->parts->box(surface, &box);
    inner_core(out, &ops, &growing, cm__point_length(cm__point_sub(cm__point_of(box.max), cm__point_of(box.min))),
               &core);
    cm__convex_pair_of(&core, &prepared->core, &prepared->to_triangles, &pair);
    cm__convex_gap_of(&pair, DBL_MAX, NULL, &out->gap);
    if (!(fabs(out->gap.slack) > out->slack)) return out->gap.distance <= 0;
    /* what was told later may reach farther than what was told before: once more, of the corners that are known */
    static const cm__core_ops settled = {.support = inner_support, .corner = inner_corner_of};
    inner_core(out, &settled, out, 0, &core);
    cm__convex_pair_of(&core, &prepared->core, &prepared->to_triangles, &pair);
    cm__convex_gap_of(&pair, DBL_MAX, NULL, &out->gap);
    return out->gap.distance <= 0;
}

/* --- the proof ---------------------------------------------------------------------------------------------------- */

/* How deep a triangle enters the hull, at most; above `enough` no less. */
static double inner_entered(const cm__inner_hull *h, const cm__core *core, const cm_triangle *t, double enough) {
    const cm_pose identity = cm_pose_identity();
    const cm__frame same = frame_of_pose(&identity);
    const cm__point a = cm__point_of(t->a), b = cm__point_of(t->b), c = cm__point_of(t->c);
    const cm__point n = cm__point_normal(a, b, c);
    const double level = cm__point_dot(n, a), length = cm__point_length(n);
    cm__core other;
    cm__convex_pair pair;
    cm__convex_gap gap;
    /* out of it along the normal, one way or the other */
    double either = inner_reach(h, n) - level;
    if (either > enough * length) either = wide_min(either, inner_reach(h, wide_neg(n)) + level);
    if (either <= enough * length) return length > 0 ? wide_max(either / length, 0) : 0;
    cm__core_triangle(a, b, c, &other);
    cm__convex_pair_of(core, &other, &same, &pair);
    cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
    return wide_max(-gap.distance, 0);
}

/* The same of all triangles in a box, up to one that is more than enough. */
static double inner_entered_in(const cm__inner_hull *h, const cm__core *core, const cm_aabb *box, double enough) {
    const cm__parts_ops *parts = cm__ops(h->surface->kind)->parts;
    cm__parts q;
    cm__part part;
    double most = 0;
    parts->start(&q, h->surface, box);
    while (most <= enough && parts->next(&q, 0, &part))
        most = wide_max(most, inner_entered(h, core, &part.shape.u.triangle, wide_max(h->slack, most)));
    return most;
}

/* Where the surface enters the hull: what that loses, of its depth, where it shrinks about its center until it is so
 * far within itself everywhere. If it shrinks by a share, each of its points keeps that share of a ball within the hull
 * around the center. */
static double inner_loss(const cm__core *core, double entered) {
    const cm_pose identity = cm_pose_identity();
    const cm__frame same = frame_of_pose(&identity);
    cm__core center;
    cm__convex_pair pair;
    cm__convex_gap gap;
    cm__core_point(core->center, &center);
    cm__convex_pair_of(core, &center, &same, &pair);
    cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
    const double inner = -gap.distance - wide_max(gap.slack, 0);
    return inner > entered ? core->size * entered / inner : DBL_MAX;
}

/* The box of the hull that the shape can reach without leaving it, and a point in it. */
static void inner_box(const cm__inner_hull *h, double depth, cm__point with, cm_aabb *out) {
    cm_aabb own = cm_aabb_empty();
    cm__prepared_box(h->prepared, out);
    *out = cm_aabb_add_point(cm_aabb_grow(*out, wide_up(depth)), cm__vec3_of(with));
    for (int i = 0; i < h->count; i++) own = cm_aabb_add_point(own, cm__vec3_of(inner_point(h, i)));
    out->min = cm_vec3_max(out->min, own.min), out->max = cm_vec3_min(out->max, own.max);
}

double cm__inner_hull_proven(const cm__inner_hull *h) {
    static const cm__core_ops ops = {.support = inner_support, .corner = inner_corner_of};
    const cm_pose identity = cm_pose_identity();
    const double depth = -h->gap.distance, enough = wide_max(h->slack, INNER_SAG * depth);
    const cm__parts_ops *parts = cm__ops(h->surface->kind)->parts;
    cm_aabb box;
    cm__core core;
    if (!h->has_inside || !parts->holds(h->surface, &identity, cm__vec3_of(h->inside))) return 0;
    inner_core(h, &ops, h, 0, &core);
    inner_box(h, depth, h->inside, &box);
    double entered = inner_entered_in(h, &core, &box, enough);
    if (entered <= h->slack) return depth;
    if (entered > enough || !parts->holds(h->surface, &identity, cm__vec3_of(core.center))) return 0;
    inner_box(h, depth, core.center, &box);
    entered = inner_entered_in(h, &core, &box, enough);
    return entered <= enough ? wide_max(depth - inner_loss(&core, entered), 0) : 0;
}

int cm__inner_hull_fan(const cm__inner_hull *h, cm__inner_corner out[INNER_FAN]) {
    const cm__point n = h->gap.normal;
    const double top = inner_reach(h, n) - h->slack;
    int count = 1, best = 0;
    double nearest = DBL_MAX;
    for (int i = 0; i < h->count; i++) {
        const cm__point to = cm__point_sub(inner_point(h, i), h->gap.a);
        if (cm__point_dot(n, inner_point(h, i)) >= top && cm__point_dot(to, to) < nearest)
            nearest = cm__point_dot(to, to), best = i;
    }
    const cm__inner_corner peak = h->corner[best];
    out[0] = peak;
    for (int way = 0; way < 2; way++) {
        cm__inner_corner at = peak;
        while (count < INNER_FAN && inner_turn(h->surface, h->slack, way, &at)) {
            if (at.number == peak.number) return count;
            out[count++] = at;
        }
    }
    return count;
}
