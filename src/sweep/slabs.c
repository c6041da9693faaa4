/* A convex shape in straight motion against a triangle, by separating axes over time.
 *
 * On an axis the projections of both are intervals, of which one moves at a steady speed: they overlap during one span
 * of time. The shapes can touch only within all of these spans. Axes: the three of the triangles' frame, the triangle's
 * normal, and for boxes, segments and triangles their face normals and the products of edges: for a box without radius
 * that is all there are, and the answer is the very time of contact. Radii, and `room` for all rounding, widen the
 * intervals.
 *
 * Guaranteed: never later than the time of contact, by the choice of `room`. Frame: the triangles', relative to the
 * shape's middle. Bound: 16 axes a triangle. Based on: [Gottschalk96] the axes; [Gomez99] in motion.
 *
 * Any axis may be left out or taken twice, and whatever touches within `room` may be answered either way: what differs
 * is how many triangles are left, and how early. */
#include "sweep/slabs.h"
#include "math/span.h"

static cm__point slabs_in_box(const cm__polytope *p, cm__point v) {
    return cm__p(cm__point_dot(p->axis[0], v), cm__point_dot(p->axis[1], v), cm__point_dot(p->axis[2], v));
}

void cm__slabs_of(const cm__prepared *prepared, cm__point way, const cm_aabb *box, double room, cm__slabs *out) {
    out->prepared = prepared;
    out->way = out->turned = way;
    out->room = room;
    out->origin = prepared->center;
    out->likely = 0;
    if (prepared->kind == CM__PREPARED_POLYTOPE) {
        const cm__polytope *p = &prepared->polytope;
        if (p->corner_count == 8) {
            out->origin = p->center;
            out->turned = slabs_in_box(p, way);
        } else if (p->corner_count == 2) {
            out->origin = cm__point_between(p->corner[0], p->corner[1], 0.5);
            out->turned = cm__point_scale(cm__point_sub(p->corner[1], p->corner[0]), 0.5);
        }
    }
    out->low = cm__point_sub(cm__point_of(box->min), out->origin);
    out->high = cm__point_sub(cm__point_of(box->max), out->origin);
}

/* Narrows *span to the times at which the projection of the moving shape, [low, high], overlaps that of the
 * triangle. */
static inline bool slab_clip(double low, double high, double from, double to, double speed, cm__span *span) {
    double ahead = from - high, behind = to - low; /* touching while ahead <= t speed <= behind */
    if (speed == 0) return ahead <= 0 && behind >= 0;
    double over = 1 / speed, first = (speed > 0 ? ahead : behind) * over, last = (speed > 0 ? behind : ahead) * over;
    span->first = first > span->first ? first : span->first;
    span->last = last < span->last ? last : span->last;
    return span->first <= span->last * (1 + 1e-12) + DBL_MIN;
}

static inline bool slab_three(double low, double high, double a, double b, double c, double speed, cm__span *span) {
    return slab_clip(low, high, cm__least(cm__least(a, b), c), cm__most(cm__most(a, b), c), speed, span);
}

/* Along the cross product of the box's axis k with an edge e of the triangle: both ends of e project to the same value,
 * that of `p`; the third corner is `q`. In the box's axes. */
static inline bool slab_box_edge(const double half[3], double grow, int k, const double e[3], const double p[3],
                                 const double q[3], const double way[3], cm__span *span) {
    int u = k == 2 ? 0 : k + 1, v = u == 2 ? 0 : u + 1; /* the axis is -e[v] along u, e[u] along v */
    double reach = half[u] * fabs(e[v]) + half[v] * fabs(e[u]) + grow * (fabs(e[u]) + fabs(e[v]));
    double a = e[u] * p[v] - e[v] * p[u], b = e[u] * q[v] - e[v] * q[u];
    return slab_clip(-reach, reach, cm__least(a, b), cm__most(a, b), e[u] * way[v] - e[v] * way[u], span);
}

static bool slabs_box(const cm__slabs *s, const cm__point c[3], double room, cm__span *span) {
    const cm__polytope *p = &s->prepared->polytope;
    double x[3][3], grow = room + s->prepared->core.radius;
    const double way[3] = {s->turned.x, s->turned.y, s->turned.z};
    for (int i = 0; i < 3; i++) {
        cm__point in = slabs_in_box(p, c[i]);
        x[i][0] = in.x, x[i][1] = in.y, x[i][2] = in.z;
    }
    for (int k = 0; k < 3; k++)
        if (!slab_three(-p->half[k] - grow, p->half[k] + grow, x[0][k], x[1][k], x[2][k], way[k], span)) return false;
    for (int i = 0; i < 3; i++) {
        int n = i == 2 ? 0 : i + 1, o = n == 2 ? 0 : n + 1;
        const double e[3] = {x[n][0] - x[i][0], x[n][1] - x[i][1], x[n][2] - x[i][2]};
        for (int k = 0; k < 3; k++)
            if (!slab_box_edge(p->half, grow, k, e, x[i], x[o], way, span)) return false;
    }
    return true;
}

/* Along the cross products of the segment with the triangle's edges. All corners and both ends are projected: then any
 * axis gives a true bound, however it was rounded. */
static bool slabs_segment(const cm__slabs *s, const cm__point c[3], double room, cm__span *span) {
    double grow = room + s->prepared->core.radius;
    for (int i = 0; i < 3; i++) {
        cm__point axis = cm__point_cross(s->turned, cm__point_sub(c[i == 2 ? 0 : i + 1], c[i]));
        double square = cm__point_dot(axis, axis);
        if (!(square > 1e-200 && square < 1e200)) continue;
        double reach = grow * sqrt(square) + fabs(cm__point_dot(axis, s->turned));
        if (!slab_three(-reach, reach, cm__point_dot(axis, c[0]), cm__point_dot(axis, c[1]), cm__point_dot(axis, c[2]),
                        cm__point_dot(axis, s->way), span))
            return false;
    }
    return true;
}

/* For a triangle: along the cross products of its edges with the other's, and along its normal. All corners are
 * projected, as above. Nothing else separates long triangles that cross far from their ends, like those of two fans. A
 * hit may leave twice the room, and must be found wherever it may be reported. */
static bool slabs_triangle(cm__slabs *s, const cm__point c[3], double room, double limit) {
    const cm__polytope *p = &s->prepared->polytope;
    const double grow = 2 * room + s->prepared->core.radius;
    const cm__point a[3] = {cm__point_sub(p->corner[0], s->origin), cm__point_sub(p->corner[1], s->origin),
                            cm__point_sub(p->corner[2], s->origin)};
    const cm__point e[3] = {cm__point_sub(a[1], a[0]), cm__point_sub(a[2], a[1]), cm__point_sub(a[0], a[2])};
    const cm__point f[3] = {cm__point_sub(c[1], c[0]), cm__point_sub(c[2], c[1]), cm__point_sub(c[0], c[2])};
    cm__span span = {0, limit};
    const int start = s->likely;
    for (int i = 0; i < 10; i++) { /* the order does not matter to the answer */
        const int k = start + i < 10 ? start + i : start + i - 10;
        const cm__point axis = k < 9 ? cm__point_cross(e[k % 3], f[k / 3]) : cm__point_cross(e[0], e[1]);
        const double square = cm__point_dot(axis, axis);
        if (!(square > 1e-200 && square < 1e200)) continue;
        const double x = cm__point_dot(axis, a[0]), y = cm__point_dot(axis, a[1]), z = cm__point_dot(axis, a[2]);
        const double reach = grow * sqrt(square);
        if (!slab_three(cm__least(cm__least(x, y), z) - reach, cm__most(cm__most(x, y), z) + reach,
                        cm__point_dot(axis, c[0]), cm__point_dot(axis, c[1]), cm__point_dot(axis, c[2]),
                        cm__point_dot(axis, s->way), &span)) {
            s->likely = k;
            return false;
        }
    }
    return true;
}

/* The extent of the shape along an axis of this length, from its middle: exact on the side of the triangle, which alone
 * decides when they touch; on the other side that of the ball around it. */
static void slabs_reach(const cm__slabs *s, cm__point axis, double length, double level, double *low, double *high) {
    const cm__prepared *p = s->prepared;
    if (p->kind == CM__PREPARED_POLYTOPE && p->polytope.corner_count == 8) {
        const cm__polytope *b = &p->polytope;
        *high = b->half[0] * fabs(cm__point_dot(b->axis[0], axis)) +
                b->half[1] * fabs(cm__point_dot(b->axis[1], axis)) + b->half[2] * fabs(cm__point_dot(b->axis[2], axis));
        *low = -*high;
        return;
    }
    if (p->kind == CM__PREPARED_POLYTOPE && p->polytope.corner_count == 2) {
        *high = fabs(cm__point_dot(s->turned, axis));
        *low = -*high;
        return;
    }
    *high = p->core.size * length;
    *low = -*high;
    if (p->kind == CM__PREPARED_BALL) return;
    cm__point own = frame_unrotate(&p->to_triangles, axis);
    uint32_t id = p->core.ops->corner ? 0 : CM_NONE;
    if (level < 0) own = wide_neg(own);
    cm__point far = cm__point_sub(p->core.ops->support(&p->core, own, &id), p->core.center);
    double reach = cm__point_dot(own, far) + 1e-14 * length * p->core.size;
    if (level < 0) {
        *low = cm__most(*low, -reach);
    } else {
        *high = cm__least(*high, reach);
    }
}

/* Along the triangle's normal. */
static bool slabs_face(const cm__slabs *s, const cm__point c[3], double room, cm__span *span) {
    cm__point n = cm__point_normal(c[0], c[1], c[2]);
    double square = cm__point_dot(n, n), low, high;
    if (!(square > 1e-200 && square < 1e200)) return true;
    double length = sqrt(square), grow = (room + s->prepared->core.radius) * length * (1 + 1e-12);
    double a = cm__point_dot(n, c[0]), b = cm__point_dot(n, c[1]), d = cm__point_dot(n, c[2]);
    double speed = cm__point_dot(n, s->way), around = s->prepared->core.size * length + grow;
    if (s->prepared->kind == CM__PREPARED_CORE) { /* the ball around it first: support functions cost more */
        cm__span quick = *span;
        if (!slab_three(-around, around, a, b, d, speed, &quick)) return false;
    }
    slabs_reach(s, n, length, a, &low, &high);
    return slab_three(low - grow, high + grow, a, b, d, speed, span);
}

double cm__slabs_enter(cm__slabs *s, const cm_triangle *t, double limit) {
    const cm__point c[3] = {cm__point_sub(cm__point_of(t->a), s->origin), cm__point_sub(cm__point_of(t->b), s->origin),
                            cm__point_sub(cm__point_of(t->c), s->origin)};
    double far = cm__most(cm__most(cm__point_largest(c[0]), cm__point_largest(c[1])), cm__point_largest(c[2]));
    double noise = 1e-15 * far, room = s->room + noise; /* products of large triangles round more */
    cm__span span = {0, limit};
    if (!slab_three(s->low.x - noise, s->high.x + noise, c[0].x, c[1].x, c[2].x, s->way.x, &span) ||
        !slab_three(s->low.y - noise, s->high.y + noise, c[0].y, c[1].y, c[2].y, s->way.y, &span) ||
        !slab_three(s->low.z - noise, s->high.z + noise, c[0].z, c[1].z, c[2].z, s->way.z, &span) ||
        !slabs_face(s, c, room, &span))
        return HUGE_VAL;
    if (s->prepared->kind != CM__PREPARED_POLYTOPE) return span.first;
    int corners = s->prepared->polytope.corner_count;
    if (corners == 8 && !slabs_box(s, c, room, &span)) return HUGE_VAL;
    if (corners == 2 && !slabs_segment(s, c, room, &span)) return HUGE_VAL;
    if (corners == 3 && !slabs_triangle(s, c, room, limit)) return HUGE_VAL;
    return span.first;
}
