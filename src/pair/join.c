/* Joins manifolds of one plane.
 *
 * Two manifolds become one where their normals are the same and their points lie in one plane on A, and in one on B:
 * then the depth is linear over that plane, and a point between others says nothing that those do not; nor does one
 * that is less deep than they are there. What is left are the corners of the convex hull across the normal, as deep as
 * they were. So nothing that rests on the contacts loses support. Points as near as rounding are one: that of the older
 * manifold stays, and its features with it. Frame: that of the manifolds. Bound: 16 points. */
#include "pair/join.h"
#include "math/wide.h"

#define JOIN_ANGLE 1e-5 /* radians between normals, as of directions that a surface does not tell apart (surface.c) */
#define JOIN_FLAT  1e-4 /* of the largest coordinate: how far off a face's plane points are by that and by rounding */
#define JOIN_ROUND 16   /* CM_REAL_EPSILONs of the coordinates: how far rounding moves a point */
#define JOIN_BEND  4    /* of that: how far a point may be off a plane through three others */

enum { JOIN_POINTS = 16, JOIN_MOST = 8 };

/* A point of the two, seen from the first one; lengths in units of the largest coordinate. */
typedef struct join_point {
    double u, v;          /* across the normal */
    double height, depth; /* of A's point along the normal */
    int number;           /* among the points of both */
} join_point;

typedef struct join_points {
    join_point at[JOIN_POINTS];
    int count;
    /* of them, at places of the older manifold: the first ones. One more would do as well: a plane is laid through
     * points that are farthest apart, corners of the hull, and where it fits they lie on the plane of all, too. */
    int own;
    bool changes; /* the other has a point that the older manifold has not */
    double near;  /* how far rounding moves a point */
} join_points;

bool cm__manifolds_have_one_normal(const cm_manifold *a, const cm_manifold *b) {
    return (double)cm_largest(cm_sub(a->normal, b->normal)) <= JOIN_ANGLE;
}

static const cm_contact_point *join_contact(const cm_manifold *io, const cm_manifold *other, int number) {
    return number < io->count ? &io->points[number] : &other->points[number - io->count];
}

/* Collects the points, of each place the deepest. */
static void join_collect(const cm_manifold *io, const cm_manifold *other, join_points *out) {
    const cm__point n = cm__point_of(io->normal), x = wide_perpendicular(n), y = cm__point_cross(n, x);
    const cm__point from = cm__point_of(io->points[0].point_a);
    double size = DBL_MIN;
    for (int i = 0; i < io->count + other->count; i++) {
        const cm_contact_point *p = join_contact(io, other, i);
        size = wide_max(size, (double)cm_max(cm_largest(p->point_a), cm_largest(p->point_b)));
    }
    out->near = JOIN_ROUND * (double)CM_REAL_EPSILON;
    for (int i = 0; i < io->count + other->count; i++) {
        const cm_contact_point *p = join_contact(io, other, i);
        const cm__point to = cm__point_scale(cm__point_sub(cm__point_of(p->point_a), from), 1 / size);
        const join_point q = {cm__point_dot(to, x), cm__point_dot(to, y), cm__point_dot(to, n), (double)p->depth / size,
                              i};
        int k = 0;
        while (k < out->count && !(fabs(out->at[k].u - q.u) <= out->near && fabs(out->at[k].v - q.v) <= out->near)) k++;
        const bool deeper = k < out->count && q.depth > out->at[k].depth + JOIN_BEND * out->near;
        out->changes = out->changes || deeper || (k == out->count && i >= io->count);
        if (k == out->count || deeper) out->at[k] = q;
        if (k == out->count) out->count++;
        if (i < io->count) out->own = out->count;
    }
}

/* Twice the area of a triangle across the normal, positive where c is to the left of the way from a to b. */
static double join_area(const join_point *a, const join_point *b, const join_point *c) {
    return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
}

static double join_square(const join_point *a, const join_point *b) {
    return (b->u - a->u) * (b->u - a->u) + (b->v - a->v) * (b->v - a->v);
}

/* Of the points from number `first` on: that farthest from one of them. */
static const join_point *join_farthest(const join_points *p, int first, int end, const join_point *from) {
    const join_point *best = from;
    for (int i = first; i < end; i++)
        if (join_square(from, &p->at[i]) > join_square(from, best)) best = &p->at[i];
    return best;
}

/* The one farthest to either side of the line through two. */
static const join_point *join_aside(const join_points *p, int first, int end, const join_point *a,
                                    const join_point *b) {
    const join_point *best = a;
    for (int i = first; i < end; i++)
        if (fabs(join_area(a, b, &p->at[i])) > fabs(join_area(a, b, best))) best = &p->at[i];
    return best;
}

/* Height and depth as linear functions over the points, in the first of two coordinates or, where the points lie on a
 * line, in one. */
typedef struct join_plane {
    const join_point *a, *b, *c;
    double length, area;
    bool line;
} join_plane;

/* Through two of these points that are far apart, and the one farthest from the line through them. */
static join_plane join_plane_of(const join_points *p, int first, int end) {
    join_plane out = {.a = join_farthest(p, first, end, &p->at[first])};
    out.b = join_farthest(p, first, end, out.a);
    out.c = join_aside(p, first, end, out.a, out.b);
    out.length = sqrt(join_square(out.a, out.b)), out.area = join_area(out.a, out.b, out.c);
    out.line = !(fabs(out.area) > p->near * out.length);
    return out;
}

/* How much a point is deeper than the plane, and higher. */
static void join_off(const join_plane *f, const join_point *q, double *depth, double *height) {
    const join_point *a = f->a, *b = f->b, *c = f->c;
    const double along = (q->u - a->u) * (b->u - a->u) + (q->v - a->v) * (b->v - a->v);
    const double t = !f->line ? join_area(a, q, c) / f->area : f->length > 0 ? along / (f->length * f->length) : 0;
    const double s = !f->line ? join_area(a, b, q) / f->area : 0;
    *depth = q->depth - (a->depth + t * (b->depth - a->depth) + s * (c->depth - a->depth));
    *height = q->height - (a->height + t * (b->height - a->height) + s * (c->height - a->height));
}

/* Puts the points of the plane first, those less deep behind them. Returns how many are in the plane; 0: one is deeper.
 */
static int join_part(const join_points *p, const join_plane *plane, join_points *out) {
    int count = 0, low = p->count;
    out->near = p->near, out->count = p->count, out->own = 0;
    for (int i = 0; i < p->count; i++) {
        double depth, height;
        join_off(plane, &p->at[i], &depth, &height);
        if (depth > JOIN_BEND * p->near) return 0;
        const bool on = depth >= -JOIN_BEND * p->near && fabs(height) <= JOIN_BEND * p->near;
        out->at[on ? count++ : --low] = p->at[i];
    }
    return count;
}

/* The corners of the convex hull of these points, around it; what is as near to an edge as rounding is none. Wraps them
 * from one that is a corner for certain. Returns how many there are, 0 where rounding leaves that open. */
static int join_hull(const join_points *p, int count, const join_point *corner[JOIN_POINTS]) {
    const join_point *const first = join_farthest(p, 0, count, &p->at[0]);
    int corners = 0;
    for (const join_point *at = first, *next; corners < count; at = next) {
        corner[corners++] = at;
        next = at == &p->at[0] && count > 1 ? &p->at[1] : &p->at[0];
        double square = join_square(at, next), off = p->near * sqrt(square);
        for (int i = 0; i < count; i++) {
            const join_point *q = &p->at[i];
            const double left = join_area(at, next, q);
            if (q == at || !(left < -off || (left <= off && join_square(at, q) > square))) continue;
            next = q, square = join_square(at, q), off = p->near * sqrt(square);
        }
        if (next == first) return corners;
    }
    return 0;
}

static bool join_holds(const join_point *const *corner, int count, double near, const join_point *q) {
    for (int i = 0; i < count; i++) {
        const join_point *a = corner[i], *b = corner[i + 1 < count ? i + 1 : 0];
        if (join_area(a, b, q) < -near * sqrt(join_square(a, b))) return false;
    }
    return count > 2;
}

/* Marks the points that say all. False: there are too many, or some are less deep than the plane, but beside it. */
static bool join_choose(const join_points *p, const join_plane *plane, bool chosen[JOIN_POINTS]) {
    join_points parted;
    const join_point *corner[JOIN_POINTS];
    const int on = join_part(p, plane, &parted);
    if (on == 0) return false;
    const int count = join_hull(&parted, on, corner);
    for (int i = on; i < p->count; i++)
        if (!join_holds(corner, count, p->near, &parted.at[i])) return false;
    for (int i = 0; i < JOIN_POINTS; i++) chosen[i] = false;
    for (int i = 0; i < count; i++) chosen[corner[i]->number] = true;
    return count > 0 && count <= JOIN_MOST;
}

static cm_contact_point *join_deepest(cm_manifold *m) {
    cm_contact_point *best = &m->points[0];
    for (int i = 1; i < m->count; i++)
        if (m->points[i].depth > best->depth) best = &m->points[i];
    return best;
}

/* Are they on a face of A or of B that the normal is square to? Three points always lie in one plane. */
static bool join_faces(const join_points *p) {
    double low_a = DBL_MAX, high_a = -DBL_MAX, low_b = DBL_MAX, high_b = -DBL_MAX;
    for (int i = 0; i < p->count; i++) {
        const double a = p->at[i].height, b = a - p->at[i].depth;
        low_a = wide_min(low_a, a), high_a = wide_max(high_a, a), low_b = wide_min(low_b, b),
        high_b = wide_max(high_b, b);
    }
    return wide_min(high_a - low_a, high_b - low_b) <= JOIN_FLAT;
}

/* Keeps the points that say all; false: they are too many, or not of one plane. */
static bool join_reduce(cm_manifold *io, const cm_manifold *other, const join_points *points) {
    if (!join_faces(points)) return false;
    const join_plane own = join_plane_of(points, 0, points->own);
    bool chosen[JOIN_POINTS], fits = !own.line && join_choose(points, &own, chosen);
    if (!fits) {
        const join_plane all = join_plane_of(points, 0, points->count);
        fits = join_choose(points, &all, chosen);
    }
    if (!fits && points->own < points->count) {
        const join_plane its = join_plane_of(points, points->own, points->count);
        fits = !its.line && join_choose(points, &its, chosen);
    }
    if (!fits) return false;
    int count = 0;
    for (int i = 0; i < io->count + other->count; i++)
        if (chosen[i]) io->points[count++] = *join_contact(io, other, i);
    io->count = count;
    return true;
}

bool cm__manifold_join(cm_manifold *io, const cm_manifold *other) {
    join_points points = {.count = 0};
    cm_real depth = join_deepest(io)->depth;
    for (int i = 0; i < other->count; i++) depth = cm_max(depth, other->points[i].depth);
    join_collect(io, other, &points);
    if (points.changes && !join_reduce(io, other, &points)) return false;
    join_deepest(io)->depth = depth; /* of points that differ by rounding it does not matter which stays */
    return true;
}
