/* The depth of a convex shape in the convex surface around a triangle, as of two convex shapes (inner_hull.h).
 *
 * The surface is asked for its farthest corner along a direction as a hull is: by climbing from corner to corner, over
 * edges that are convex. GJK and EPA do the rest; the corners that they were given span the hull. Of a convex solid it
 * is a part that is as deep as the whole. Of another solid it may be none: between its corners there may be a hollow.
 * So it is asked whether a triangle enters it. If none does, all of the hull is inside, and no translation that leaves
 * it overlapped leaves the solid: its depth is a true lower bound. Frame: the surface's. Bound: EPA's, with INNER_CLIMB
 * steps a corner; then a walk over the triangles in the hull's box. No memory. */
#include "pair/inner_hull.h"
#include "pair/composite.h"
#include "math/closest.h"
#include "math/two.h"
#include "pair/mesh_leaf.h"

#include <string.h>

#define INNER_CLIMB  4096 /* steps along the surface */
#define INNER_TRIES  6    /* depths at which a point within the solid is looked for */
#define INNER_FOLD   .1   /* a sine: an edge that is less concave belongs to a convex surface that was cut roughly */
#define INNER_SAG    .02  /* of the depth: a triangle enters the hull by no more than that */
#define INNER_BEHIND .999 /* cosine: from behind a face */
#define INNER_SLOPE  .1   /* that leads off it */
#define INNER_LEVEL  (8 * DBL_EPSILON) /* of the scale: what is higher by less is as high */

/* --- up the surface ---------------------------------------------------------------------------------------------- */

static uint32_t inner_next(uint32_t half_edge) { return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1; }
static uint32_t inner_last(uint32_t half_edge) { return half_edge % 3 == 0 ? half_edge + 2 : half_edge - 1; }

static cm__inner_corner inner_corner_at(const cm_triangle *t, uint32_t number, uint32_t k) {
    const cm_vec3 c[3] = {t->a, t->b, t->c};
    return (cm__inner_corner){c[k], c[(k + 1) % 3], c[(k + 2) % 3], 3 * number + k};
}
static cm__inner_corner inner_to_next(const cm__inner_corner *c) {
    return (cm__inner_corner){c->next, c->last, c->at, inner_next(c->half_edge)};
}
static cm__inner_corner inner_to_last(const cm__inner_corner *c) {
    return (cm__inner_corner){c->last, c->at, c->next, inner_last(c->half_edge)};
}

/* From a corner to the same of the next triangle around it, one way or the other, as far as the surface is convex. */
static bool inner_turn(const cm_shape *surface, double slack, bool back, cm__inner_corner *io) {
    const cm__surface_ops *joined = cm__ops(surface->kind)->parts->surface;
    cm_vec3 third;
    const uint32_t over = joined->across(surface, back ? inner_last(io->half_edge) : io->half_edge, &third);
    if (over == CM_NONE) return false;
    const cm_triangle t = inner_triangle(io);
    const cm__point first = cm__point_of(t.a), to = cm__point_sub(cm__point_of(third), first);
    const cm__point normal = cm__point_normal(first, cm__point_of(t.b), cm__point_of(t.c));
    const double rise = cm__point_dot(normal, to);
    if (rise > 0 && rise > (slack + INNER_FOLD * cm__point_length(to)) * cm__point_length(normal)) return false;
    if (back)
        io->next = io->last, io->last = third, io->half_edge = over;
    else
        io->last = io->next, io->next = third, io->half_edge = inner_next(over);
    return true;
}

/* The highest corner so far along a direction. */
typedef struct inner_peak {
    cm__point direction;
    double level, height;
    cm__inner_corner corner;
} inner_peak;

static bool inner_is_higher(inner_peak *peak, cm_vec3 at) {
    const double height = cm__point_dot(peak->direction, cm__point_of(at));
    if (!(height > peak->height + peak->level)) return false;
    peak->height = height;
    return true;
}

/* Along the triangles around a corner, up to the first: is one of theirs higher? *all: these are all there are. */
static bool inner_around(const cm_shape *surface, double slack, bool back, const cm__inner_corner *from,
                         inner_peak *peak, bool *all) {
    cm__inner_corner at = *from;
    bool higher = false;
    for (int i = 0; i < INNER_FAN && inner_turn(surface, slack, back, &at); i++) {
        if (at.half_edge == from->half_edge) return *all = true, higher;
        if (!inner_is_higher(peak, back ? at.last : at.next)) continue;
        peak->corner = back ? inner_to_last(&at) : inner_to_next(&at);
        higher = true;
    }
    return higher;
}

/* To a corner that no neighbor exceeds along a direction. */
static void inner_ascend(const cm_shape *surface, double slack, cm__point direction, cm__inner_corner *io) {
    const cm__point start = cm__point_of(io->at);
    const double level = INNER_LEVEL * cm__point_largest(direction) * cm__point_largest(start);
    inner_peak peak = {direction, level, cm__point_dot(direction, start), *io};
    bool higher = true;
    for (int step = 0; higher && step < INNER_CLIMB; step++) {
        const cm__inner_corner from = peak.corner;
        bool all = false;
        higher = false;
        if (inner_is_higher(&peak, from.next)) peak.corner = inner_to_next(&from), higher = true;
        if (inner_is_higher(&peak, from.last)) peak.corner = inner_to_last(&from), higher = true;
        higher = inner_around(surface, slack, false, &from, &peak, &all) || higher;
        higher = (!all && inner_around(surface, slack, true, &from, &peak, &all)) || higher;
    }
    *io = peak.corner;
}

/* To a corner that no neighbor exceeds along a direction, and that is not the lowest: on a face across the direction,
 * seen from behind, no corner is higher than its neighbors, but for rounding. A slope leads off it. */
static void inner_climb(const cm_shape *surface, double slack, cm__point direction, cm__inner_corner *io) {
    inner_ascend(surface, slack, direction, io);
    const cm__point at = cm__point_of(io->at), edge = cm__point_sub(cm__point_of(io->next), at);
    const cm__point n = cm__point_normal(at, cm__point_of(io->next), cm__point_of(io->last));
    const double along = cm__point_dot(n, direction), length = cm__point_length(direction);
    if (!(along < -INNER_BEHIND * length * cm__point_length(n))) return;
    cm__inner_corner off = *io;
    const cm__point slope = wide_normalize(edge, cm__p(0, 0, 0));
    inner_ascend(surface, slack, cm__point_mul_add(direction, INNER_SLOPE * length, slope), &off);
    inner_ascend(surface, slack, direction, &off);
    if (cm__point_dot(direction, cm__point_of(off.at)) > cm__point_dot(direction, at)) *io = off;
}

cm__point cm__inner_top(const cm_shape *surface, double slack, const cm_triangle *from, uint32_t number,
                        cm__point direction) {
    cm__inner_corner peak = inner_corner_at(from, number, 0);
    inner_climb(surface, slack, direction, &peak);
    return cm__point_of(peak.at);
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
    const f64x2 x = f64x2_all(n.x), y = f64x2_all(n.y), z = f64x2_all(n.z);
    f64x2 most[2] = {f64x2_all(-DBL_MAX), f64x2_all(-DBL_MAX)};
    for (int i = 0; i < h->count; i += INNER_LANES)
        for (int k = 0; k < 2; k++) {
            const f64x2 px = f64x2_load(h->x + i + 2 * k), py = f64x2_load(h->y + i + 2 * k);
            const f64x2 pz = f64x2_load(h->z + i + 2 * k);
            const f64x2 at = f64x2_add(f64x2_add(f64x2_mul(x, px), f64x2_mul(y, py)), f64x2_mul(z, pz));
            most[k] = f64x2_max(at, most[k]);
        }
    const f64x2 either = f64x2_max(most[0], most[1]);
    return cm__most(f64x2_low(either), f64x2_high(either));
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
    const cm__point at = cm__point_of(peak.at);
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
    const cm__inner_corner from[3] = {inner_corner_at(t, number, 0), inner_corner_at(t, number, 1),
                                      inner_corner_at(t, number, 2)};
    const cm__point a = cm__point_of(t->a), b = cm__point_of(t->b), c = cm__point_of(t->c);
    const cm__point n = wide_normalize(cm__point_normal(a, b, c), cm__p(0, 0, 0));
    const cm__point middle = cm__point_scale(cm__point_add(a, cm__point_add(b, c)), 1.0 / 3);
    cm__point inner = out->prepared->center;
    double below = 2 * out->prepared->size;
    out->count = 0;
    inner_add(out, a, &from[0]), inner_add(out, b, &from[1]), inner_add(out, c, &from[2]);
    out->has_inside = false;
    for (int i = 0; i <= INNER_TRIES && parts->holds && !out->has_inside; i++) {
        const cm__point at = inner;
        inner = cm__point_mul_add(middle, -below, n);
        below /= 2;
        if (!(cm__point_dot(n, cm__point_sub(a, at)) > out->slack)) continue;
        if (!parts->holds(out->surface, &identity, cm__vec3_of(at))) continue;
        out->has_inside = true;
        out->inside = cm__point_mul_add(cm__point_scale(middle, .75), .25, at);
        inner_add(out, at, &from[0]);
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
    /* what was given later may reach farther than what was given before: once more, of the corners that are known */
    static const cm__core_ops settled = {.support = inner_support, .corner = inner_corner_of};
    inner_core(out, &settled, out, 0, &core);
    cm__convex_pair_of(&core, &prepared->core, &prepared->to_triangles, &pair);
    cm__convex_gap_of(&pair, DBL_MAX, NULL, &out->gap);
    return out->gap.distance <= 0;
}

/* --- the proof ---------------------------------------------------------------------------------------------------- */

/* How deep a triangle enters the hull, at most; above `enough` no less. */
static double inner_entered(const cm__inner_hull *h, const cm__core *core, const cm__face *t, double enough) {
    const cm_pose identity = cm_pose_identity();
    const cm__frame same = frame_of_pose(&identity);
    const cm__point a = cm__point_of(t->corner[0]), b = cm__point_of(t->corner[1]), c = cm__point_of(t->corner[2]);
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

/* Of a leaf with two triangles or more, two at a time: of an odd count the last but one again. */
typedef struct inner_leaf {
    f64x2 at[CM__MESH_LEAF / 2][3][3]; /* corner, coordinate */
    cm__point normal;                  /* the sum of theirs, but for that */
    uint32_t twos;
} inner_leaf;

static void inner_leaf_of(const cm_mesh *mesh, const cm__bvh_leaf *leaf, inner_leaf *out) {
    f64x2 sum[3] = {f64x2_all(0), f64x2_all(0), f64x2_all(0)};
    cm__mesh_leaf from;
    cm__mesh_leaf_of(mesh, leaf, &from);
    out->twos = (leaf->count + 1) / 2;
    for (uint32_t i = 0; i < out->twos; i++) {
        cm__mesh_leaf_two(&from, 2 * i + 2 > leaf->count ? leaf->count - 2 : 2 * i, out->at[i]);
        f64x2 ab[3], ac[3];
        for (uint32_t k = 0; k < 3; k++) {
            ab[k] = f64x2_sub(out->at[i][1][k], out->at[i][0][k]);
            ac[k] = f64x2_sub(out->at[i][2][k], out->at[i][0][k]);
        }
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t u = (k + 1) % 3, v = (k + 2) % 3;
            sum[k] = f64x2_add(sum[k], f64x2_sub(f64x2_mul(ab[u], ac[v]), f64x2_mul(ab[v], ac[u])));
        }
    }
    out->normal = cm__p(f64x2_low(sum[0]) + f64x2_high(sum[0]), f64x2_low(sum[1]) + f64x2_high(sum[1]),
                        f64x2_low(sum[2]) + f64x2_high(sum[2]));
}

/* Is the hull below a plane that has all triangles of a leaf above it, but for rounding? The plane is across the sum of
 * their normals. Of most leaves this is known at once: on a wall all of them, on a bent surface all but those at the
 * hull's corners. */
static bool inner_leaf_is_clear(const cm__inner_hull *h, const cm_mesh *mesh, const cm__bvh_leaf *leaf) {
    inner_leaf l;
    if (leaf->count < 2) return false;
    inner_leaf_of(mesh, leaf, &l);
    const f64x2 x = f64x2_all(l.normal.x), y = f64x2_all(l.normal.y), z = f64x2_all(l.normal.z);
    f64x2 least = f64x2_all(DBL_MAX);
    for (uint32_t i = 0; i < l.twos; i++)
        for (uint32_t c = 0; c < 3; c++) {
            const f64x2 *p = l.at[i][c];
            const f64x2 height = f64x2_add(f64x2_add(f64x2_mul(x, p[0]), f64x2_mul(y, p[1])), f64x2_mul(z, p[2]));
            least = f64x2_min(height, least);
        }
    const double low = cm__least(f64x2_low(least), f64x2_high(least)), length = cm__point_length(l.normal);
    return length > 0 && inner_reach(h, l.normal) - low <= h->slack * length; /* of opposite walls it is 0 */
}

/* How deep the triangles in a box enter the hull, up to one that does by more than enough. */
static double inner_entered_in(const cm__inner_hull *h, const cm__core *core, const cm_aabb *box, double enough) {
    const cm_mesh *mesh = h->surface->u.mesh; /* nothing else holds points */
    const cm__bvh tree = cm__mesh_tree(mesh);
    cm__bvh_box_query q;
    cm__bvh_leaf leaf;
    double most = 0;
    cm__bvh_box_start(&q, &tree, box);
    while (most <= enough && cm__bvh_box_next(&q, &leaf)) {
        if (inner_leaf_is_clear(h, mesh, &leaf)) continue;
        for (uint32_t i = leaf.first; i < leaf.first + leaf.count && most <= enough; i++) {
            const cm__face face = cm__mesh_face(mesh, i);
            if (parts_near(face.corner, box, 0))
                most = wide_max(most, inner_entered(h, core, &face, wide_max(h->slack, most)));
        }
    }
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
    for (int back = 0; back < 2; back++) {
        cm__inner_corner at = peak;
        while (count < INNER_FAN && inner_turn(h->surface, h->slack, back, &at)) {
            if (at.half_edge == peak.half_edge) return count;
            out[count++] = at;
        }
    }
    return count;
}
