/* The normals along which a surface of triangles can be touched, as Voronoi regions: a face has its normal; an edge or
 * corner has the directions along which it supports all triangles around it.
 *
 * Guaranteed: a direction that is kept is, within SURFACE_ANGLE and the rounding of coordinates, a normal of the face,
 * or one along which the edge or corner supports all triangles around it. On a convex solid these are exactly the
 * normals of its supporting planes. So if the direction of least depth out of one triangle is kept, it is one of least
 * depth out of the solid: leaving the solid takes no less than leaving one of its triangles, and along the normal of a
 * supporting plane both are left at once. A triangle thinner than rounding has no normal: its neighbors take its place.
 *
 * The side of a two-sided surface on which a body is follows from the triangles between the body's center and the
 * contact. Bound: one walk around a corner, at most SURFACE_FAN triangles, for each of at most three tries. The side
 * costs one walk over the parts near the body (once for each body), and, where these are folded, one along the line
 * from the body's center to the contact. No memory.
 * Based on: [Coumans10] contacts corrected by the neighbors of an edge; [Baerentzen05] the normals around an edge or
 * corner, weighted by their angles, tell the side of all directions that it supports. */
#include "pair/surface.h"
#include "math/closest.h"
#include "math/exact.h"
#include "math/round.h"
#include "math/trig.h"

#define SURFACE_ANGLE 1e-5 /* radians: the error of normals of curved bodies */
#define SURFACE_ROUND 4    /* CM_REAL_EPSILONs of the largest coordinate: how far corners are off their plane */
#define SURFACE_PLACE 16   /* CM_REAL_EPSILONs of a body's size and position: how far its center is off */
#define SURFACE_VAGUE 0.1  /* radians: a triangle whose normal may be off by more has none */
/* radians: a normal known better than this replaces a direction that differs only by rounding */
#define SURFACE_KNOWN 1e-3
/* Sines below which the nearest direction on a limit says nothing: of the direction to the limit's own (6 degrees), and
 * between two limits, whose common perpendicular is then rounding of corners. 0.01 and 0.5 for the first, 0.1 for the
 * second change no test of surfaces and no bit of test/golden. */
#define SURFACE_STEEP     0.1
#define SURFACE_CROSSED   0.01
#define SURFACE_OFF       1e-2 /* radians: a place farther below a support feature is not on it, */
#define SURFACE_OFF_ROUND 16   /* but for as much rounding */
#define SURFACE_FAN       256  /* most triangles examined around a corner */
#define SURFACE_NEAR      1e-4 /* of a depth: a curved surface may be nearer by this */

typedef struct surface_face {
    uint32_t number;
    cm__point corner[3], normal; /* unit; 0 where it has none */
    double noise;                /* rounding of places */
    double angle;                /* error of the normal, radians */
    double area;                 /* the square of twice the area */
} surface_face;

/* What limits a direction around a feature: the neighbor that rises most along it. */
typedef struct surface_limits {
    double worst;     /* the sine by which the direction rises toward `toward`, less rounding; at most 0: by none */
    double rise;      /* the same, rounding included */
    cm__point toward; /* unit */
    double length;    /* of the edge, or height of the triangle, that `toward` points along */
    cm__point face;   /* the normal of a triangle around it that equals the direction within SURFACE_ANGLE; */
    double area;      /* the square of twice its area; 0: there is none. Of several the largest triangle is taken */
    cm__point sum;    /* sum of the normals around the feature, weighted by angle; only where `sides` is set */
    bool sides;
} surface_limits;

void cm__surface_of(const cm_shape *composite, cm__point center, const cm_aabb *box, cm__surface *out) {
    out->shape = composite;
    out->parts = cm__ops(composite->kind)->parts;
    out->center = center;
    out->box = *box;
    out->reach = cm__point_largest(center) + (double)cm_largest(cm_sub(box->max, box->min));
    out->solid = out->parts->surface->solid(composite);
    out->ball = out->seen = out->level_known = false;
}

static void surface_face_of(const cm_triangle *t, uint32_t number, surface_face *out) {
    cm__point *c = out->corner;
    out->number = number;
    c[0] = cm__point_of(t->a), c[1] = cm__point_of(t->b), c[2] = cm__point_of(t->c);
    double scale = wide_max(cm__point_largest(c[0]), wide_max(cm__point_largest(c[1]), cm__point_largest(c[2])));
    out->noise = SURFACE_ROUND * (double)CM_REAL_EPSILON * scale;
    const cm__point ab = cm__point_sub(c[1], c[0]), ac = cm__point_sub(c[2], c[0]), bc = cm__point_sub(c[2], c[1]);
    const cm__point n = cm__point_cross(ab, ac);
    double longest = wide_max(cm__point_dot(ab, ab), wide_max(cm__point_dot(ac, ac), cm__point_dot(bc, bc)));
    double area = cm__point_length(n);
    out->area = area * area;
    out->angle = out->noise * sqrt(longest) / area;
    out->normal = out->angle < SURFACE_VAGUE ? cm__point_scale(n, 1 / area) : cm__p(0, 0, 0);
}

static bool surface_has_normal(const surface_face *f) { return cm__point_largest(f->normal) > 0; }

/* --- what limits directions -------------------------------------------------------------------------------------- */

static void surface_limit(surface_limits *l, cm__point direction, cm__point toward, double length, double noise) {
    cm__point unit = cm__point_scale(toward, 1 / length);
    double rise = cm__point_dot(direction, unit), worst = rise - noise / length;
    if (!(worst > l->worst)) return;
    l->worst = worst, l->rise = rise, l->toward = unit, l->length = length;
}

/* Tries the normal of a triangle beside the feature, given by two of its edges from there. Where the direction is that
 * normal within rounding, the normal is the more exact one. It is so within SURFACE_ANGLE, or where both edges are
 * perpendicular to the direction within the rounding of their ends: a round shape may touch the edge of one face while
 * its foot lies just within the next. The edges of a needle alone tell no normal: all across them are perpendicular. */
static void surface_beside(surface_limits *l, cm__point direction, cm__point from, cm__point to, double noise) {
    const cm__point n = cm__point_cross(from, to);
    const double square = cm__point_dot(n, n), along = cm__point_dot(direction, n);
    if (!(square > l->area && square <= DBL_MAX)) return; /* NaN, or too large to compare */
    if (!(along * along > square * (1 - SURFACE_ANGLE * SURFACE_ANGLE))) {
        if (!(along * along > square * (1 - SURFACE_KNOWN * SURFACE_KNOWN))) return;
        const double longest = sqrt(wide_max(cm__point_dot(from, from), cm__point_dot(to, to)));
        if (!(noise * longest < SURFACE_KNOWN * sqrt(square))) return;
        if (fabs(cm__point_dot(direction, from)) > SURFACE_ANGLE * cm__point_length(from) + noise) return;
        if (fabs(cm__point_dot(direction, to)) > SURFACE_ANGLE * cm__point_length(to) + noise) return;
    }
    l->area = square;
    l->face = cm__point_scale(n, (along > 0 ? 1 : -1) / sqrt(square));
}

/* Is a neighbor folded onto a triangle, in its plane, within the rounding of both? Their edge is then no rim, but the
 * border of a double layer. The edge and, from its start, the third corners of both. Then also `across`, perpendicular
 * to the edge, to the neighbor's. */
static bool surface_folds(cm__point edge, cm__point own, cm__point other, double noise, cm__point *across) {
    const double square = cm__point_dot(edge, edge);
    if (!(square > noise * noise)) return false;
    own = cm__point_mul_add(own, -cm__point_dot(own, edge) / square, edge);
    other = cm__point_mul_add(other, -cm__point_dot(other, edge) / square, edge);
    if (!(cm__point_dot(own, other) > 0)) return false;
    const double height = cm__point_length(own), length = cm__point_length(other), least = wide_min(height, length);
    const double apart = cm__point_length(cm__point_cross(own, other));
    *across = other;
    return least > 2 * noise && apart * least <= (SURFACE_ANGLE * least + noise) * height * length;
}

/* Limits by the triangle across an edge: the direction from the edge to the third corner, perpendicular to the edge.
 * Where that triangle is as thin as rounding, the triangles across its other two edges count instead; where it is so
 * narrow that rounding hides how it rises, they count, too. */
static void surface_across(const cm__surface *s, const surface_face *f, int e, cm__point direction, surface_limits *l) {
    uint32_t open[8] = {3 * f->number + (uint32_t)e};
    const cm__point from = f->corner[e], edge = cm__point_sub(f->corner[(e + 1) % 3], from);
    const cm__point own = cm__point_sub(f->corner[(e + 2) % 3], from);
    cm__point along = wide_normalize(edge, cm__p(0, 0, 0)), folded;
    for (int at = 0, count = 1; at < count; at++) {
        cm_vec3 third;
        uint32_t over = s->parts->surface->across(s->shape, open[at], &third);
        if (over == CM_NONE || over / 3 == f->number) continue; /* past needles the way may lead back */
        cm__point w = cm__point_sub(cm__point_of(third), from);
        w = cm__point_mul_add(w, -cm__point_dot(w, along), along);
        double length = cm__point_length(w);
        if (length > 2 * f->noise) {
            surface_limit(l, direction, w, length, f->noise);
            surface_beside(l, direction, edge, w, f->noise);
            if (surface_folds(edge, own, w, f->noise, &folded))
                surface_limit(l, direction, wide_neg(folded), cm__point_length(folded), f->noise);
            l->sum = cm__point_mul_add(l->sum, -1 / length, cm__point_cross(along, w));
        }
        if (!(length * SURFACE_KNOWN > f->noise))
            for (uint32_t k = 1; k < 3 && count < 8; k++) open[count++] = over / 3 * 3 + (over % 3 + k) % 3;
    }
}

/* Adds the angle at a corner between two edges, and the triangle's normal. */
static void surface_add_angle(surface_limits *l, cm__point from, cm__point to) {
    if (!l->sides) return;
    cm__point n = cm__point_cross(from, to);
    double sine = cm__point_length(n), angle = cm__angle_of(sine, cm__point_dot(from, to));
    if (sine > 0) l->sum = cm__point_mul_add(l->sum, angle / sine, n);
}

/* Limits by all edges from corner k: walks around the corner one way, and, where that ends at an open edge, the other
 * way. */
static void surface_around(const cm__surface *s, const surface_face *f, int k, cm__point direction, surface_limits *l) {
    const cm__point p = f->corner[k];
    const uint32_t start = 3 * f->number + (uint32_t)k, other = 3 * f->number + (uint32_t)(k + 2) % 3;
    cm__point ahead = cm__point_sub(f->corner[(k + 1) % 3], p), back = cm__point_sub(f->corner[(k + 2) % 3], p);
    surface_add_angle(l, ahead, back);
    for (int way = 0; way < 2; way++) {
        uint32_t edge = way == 0 ? start : other;
        cm__point last = way == 0 ? ahead : back, before = way == 0 ? back : ahead, folded;
        for (int i = 0; i < SURFACE_FAN; i++) {
            cm_vec3 third;
            uint32_t over = s->parts->surface->across(s->shape, edge, &third);
            if (over == CM_NONE) break;
            /* the neighbor traverses the edge in the opposite direction: its next edge starts at the corner, or its
             * previous one ends there */
            edge = over / 3 * 3 + (over % 3 + (way == 0 ? 1 : 2)) % 3;
            cm__point w = cm__point_sub(cm__point_of(third), p);
            if (surface_folds(last, before, w, f->noise, &folded))
                surface_limit(l, direction, wide_neg(folded), cm__point_length(folded), f->noise);
            if (edge / 3 == f->number) return;
            double length = cm__point_length(w);
            if (length > f->noise) surface_limit(l, direction, w, length, f->noise);
            surface_beside(l, direction, last, w, f->noise);
            if (way == 0)
                surface_add_angle(l, w, last);
            else
                surface_add_angle(l, last, w);
            before = last, last = w;
        }
    }
}

/* The support feature of a triangle along a direction, a bit for each corner. All three bits: its face, or a triangle
 * without a normal. */
static int surface_feature(const surface_face *f, cm__point direction) {
    if (surface_has_normal(f)) {
        cm__point beside = cm__point_cross(direction, f->normal);
        if (cm__point_length(beside) <= SURFACE_ANGLE + f->angle) return 7;
    }
    double level[3], most = -DBL_MAX;
    int best = 0, bits = 0;
    for (int i = 0; i < 3; i++) {
        level[i] = cm__point_dot(direction, f->corner[i]);
        if (level[i] > most) most = level[i], best = i;
    }
    int lowest = level[(best + 1) % 3] < level[(best + 2) % 3] ? (best + 1) % 3 : (best + 2) % 3;
    for (int i = 0; i < 3; i++) {
        double length = cm__point_length(cm__point_sub(f->corner[i], f->corner[best]));
        if (i == lowest && surface_has_normal(f))
            continue; /* along a direction that is not its normal a face has at most an edge */
        if (most - level[i] <= SURFACE_ANGLE * length + f->noise) bits |= 1 << i;
    }
    return bits;
}

/* Is a direction that the face's rounding allows surely its normal? A needle's may be many: what is around it tells. */
static bool surface_is_normal(const surface_face *f, cm__point direction) {
    return f->angle < SURFACE_KNOWN || cm__point_length(cm__point_cross(direction, f->normal)) <= SURFACE_ANGLE;
}

static void surface_limits_of(const cm__surface *s, const surface_face *f, int feature, cm__point direction, bool sides,
                              surface_limits *l) {
    l->worst = l->rise = -DBL_MAX;
    l->toward = cm__p(0, 0, 0);
    l->area = 0;
    l->sum = f->normal;
    l->sides = sides;
    if (feature == 7 && surface_has_normal(f) && surface_is_normal(f, direction)) return;
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        if (feature == 1 << k) {
            l->sum = cm__p(0, 0, 0);
            surface_around(s, f, k, direction, l);
        }
        if ((feature >> k & 1) && (feature >> next & 1)) surface_across(s, f, k, direction, l);
    }
}

/* --- sides ------------------------------------------------------------------------------------------------------- */

void cm__surface_view_start(cm__surface_view *view) {
    view->low = cm__p(1, 1, 1), view->high = cm__p(-1, -1, -1);
    view->on = view->normal = cm__p(0, 0, 0), view->scale = 0;
    view->any = false, view->flat = true;
}

void cm__surface_view_add(cm__surface_view *view, const cm_triangle *t) {
    const cm__point c[3] = {cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c)};
    bool level = view->any;
    for (int i = 0; i < 3 && level; i++) {
        double height = cm__point_dot(view->normal, cm__point_sub(c[i], view->on));
        level = fabs(height) <= SURFACE_ROUND * (double)CM_REAL_EPSILON * (view->scale + cm__point_largest(c[i]));
    }
    if (level) return;
    cm__point n = cm__point_normal(c[0], c[1], c[2]), zero = cm__p(0, 0, 0);
    n = wide_normalize(n, zero);
    if (!(cm__point_largest(n) > 0)) return;
    cm__point *low = &view->low, *high = &view->high;
    *low = cm__p(wide_min(low->x, n.x), wide_min(low->y, n.y), wide_min(low->z, n.z));
    *high = cm__p(wide_max(high->x, n.x), wide_max(high->y, n.y), wide_max(high->z, n.z));
    view->flat = !view->any;
    if (view->any) return;
    view->any = true;
    view->on = c[0], view->normal = n;
    view->scale = cm__point_largest(c[0]);
}

/* Do normals differ by more than 60 degrees? */
static bool view_is_folded(const cm__surface_view *view) {
    cm__point across = cm__point_sub(view->high, view->low);
    return view->any && cm__point_dot(across, across) > 1;
}

/* The view of the triangles around the body. Where they are not folded, a triangle's own plane decides the side. */
static const cm__surface_view *surface_view(cm__surface *s) {
    if (s->seen) return &s->view;
    cm__parts q;
    cm__part part;
    cm__surface_view_start(&s->view);
    s->parts->start(&q, s->shape, &s->box);
    while ((s->view.flat || !view_is_folded(&s->view)) && s->parts->next(&q, 0, &part))
        cm__surface_view_add(&s->view, &part.shape.u.triangle);
    s->seen = true;
    return &s->view;
}

/* The sign of a line against an edge, the same from both of its triangles. */
static int surface_passes(const cm__point *from, const cm__point *to, cm__point a, cm__point b) {
    bool swap = a.x != b.x ? a.x > b.x : a.y != b.y ? a.y > b.y : a.z > b.z;
    int sign = swap ? cm__orient3(*from, *to, b, a) : cm__orient3(*from, *to, a, b);
    sign = sign >= 0 ? 1 : -1;
    return swap ? -sign : sign;
}

/* The rounding of the body's center, seen from a point of the surface. */
static double surface_place(const cm__surface *s, cm__point on) {
    return SURFACE_PLACE * (double)CM_REAL_EPSILON * (s->reach + cm__point_largest(on));
}

/* Is the body's center in front of a plane? A center within rounding of the plane counts as in front: a body whose
 * center is level with a wall, or in a surface's plane, is not enclosed. */
static bool surface_in_front(const cm__surface *s, cm__point on, cm__point normal, double length) {
    const cm__point from = cm__point_sub(s->center, on);
    return cm__point_dot(normal, from) >= -surface_place(s, on) * length;
}

/* 1 where the segment from the body's center crosses a triangle from front to back, -1 from back to front, 0 where it
 * misses. */
static int surface_crossing(const cm__surface *s, const cm__point *to, const cm_triangle *t) {
    const cm__point *from = &s->center;
    cm__point a = cm__point_of(t->a), b = cm__point_of(t->b), c = cm__point_of(t->c);
    const cm__point n = cm__point_normal(a, b, c);
    int before = surface_in_front(s, a, n, cm__point_length(n)), after = cm__orient3(a, b, c, *to) >= 0;
    if (before == after) return 0;
    int side = surface_passes(from, to, a, b);
    if (surface_passes(from, to, b, c) != side || surface_passes(from, to, c, a) != side) return 0;
    return before - after;
}

/* The number of crossings on the segment from the body's center to a point inside the triangle near `at`: every
 * crossing to the back of a triangle counts 1, to the front -1. The segment lies in the body. */
static int surface_level(const cm__surface *s, const surface_face *f, cm__point at) {
    /* not the triangle's middle, since edges of other triangles may pass through that */
    cm__point within = cm__point_scale(f->corner[0], 0.37);
    within = cm__point_mul_add(cm__point_mul_add(within, 0.34, f->corner[1]), 0.29, f->corner[2]);
    cm__point to = cm__point_mul_add(at, 1e-3, cm__point_sub(within, at));
    cm_aabb box;
    cm__parts q;
    cm__part part;
    int level = 0;
    wide_box(cm__p(wide_min(to.x, s->center.x), wide_min(to.y, s->center.y), wide_min(to.z, s->center.z)),
             cm__p(wide_max(to.x, s->center.x), wide_max(to.y, s->center.y), wide_max(to.z, s->center.z)),
             surface_place(s, f->corner[0]), &box);
    s->parts->start(&q, s->shape, &box);
    while (s->parts->next(&q, 0, &part)) {
        if (part.number != f->number) level += surface_crossing(s, &to, &part.shape.u.triangle);
    }
    return level;
}

/* A direction and a normal of one triangle are asked one after the other. */
static int surface_level_of(cm__surface *s, const surface_face *f, cm__point at) {
    const cm__point *last = &s->level_at;
    if (!s->level_known || s->level_number != f->number || last->x != at.x || last->y != at.y || last->z != at.z) {
        s->level = surface_level(s, f, at);
        s->level_known = true, s->level_number = f->number, s->level_at = at;
    }
    return s->level;
}

/* The side of the triangle's plane that the body's center is on. */
static int surface_plain_side(const cm__surface *s, const surface_face *f) {
    return surface_in_front(s, f->corner[0], f->normal, 1) ? 1 : -1;
}

/* The same by the triangles in between; 0 where there are none. */
static int surface_side_between(cm__surface *s, const surface_face *f, cm__point at) {
    const int plain = surface_plain_side(s, f), level = surface_level_of(s, f, at);
    if (level == 0) return 0;
    /* the center is at level 0; the segment arrives at `level`, on one side of the triangle, and the other side is one
     * step further */
    const int across = level + plain;
    return (level < 0 ? -level : level) <= (across < 0 ? -across : across) ? plain : -plain;
}

/* The side of the triangle on which the body is: 1 the front, -1 the back, or 0 where both are as near. */
static int surface_side(cm__surface *s, const surface_face *f, cm__point at) {
    if (s->solid) return 1;
    if (s->ball || !view_is_folded(surface_view(s))) return 0;
    return surface_side_between(s, f, at);
}

/* The side for the triangle's normal. A flat body over a ridge may have its center behind the plane of a slope,
 * although the surface is hardly folded there. */
static int surface_side_of_normal(cm__surface *s, const surface_face *f, cm__point at) {
    int side = surface_side(s, f, at);
    if (side != 0 || surface_plain_side(s, f) > 0) return side != 0 ? side : 1;
    if (!s->ball && !surface_view(s)->flat && !view_is_folded(&s->view)) side = surface_side_between(s, f, at);
    return side != 0 ? side : -1;
}

bool cm__surface_normal(cm__surface *s, uint32_t number, const cm_triangle *triangle, cm__point at, cm__point *normal) {
    surface_face f;
    surface_face_of(triangle, number, &f);
    if (!surface_has_normal(&f)) return false;
    *normal = cm__point_scale(f.normal, surface_side_of_normal(s, &f, at));
    return true;
}

/* --- the answer -------------------------------------------------------------------------------------------------- */

/* Does the direction point to the body's side? `sum`: of the normals around the feature. Where the surface does not
 * decide, the body's own direction is believed. */
static bool surface_looks_out(cm__surface *s, const surface_face *f, cm__point at, cm__point direction, cm__point sum,
                              bool own) {
    double out = cm__point_dot(direction, sum);
    int side = surface_side(s, f, at);
    if (side == 0) {
        if (own) return true;
        side = surface_plain_side(s, f);
    }
    return side * out >= 0;
}

/* The nearest direction that the feature has: on one of its limits, else on two. */
static bool surface_nearest(const cm__surface *s, const surface_face *f, int feature, const surface_limits *first,
                            cm__point *direction, cm__point *sum) {
    surface_limits l;
    cm__point d = *direction, u = first->toward;
    for (int k = 0; k < 3; k++) { /* perpendicular to the edge */
        if (feature != (1 << k | 1 << (k + 1) % 3)) continue;
        cm__point along = wide_normalize(cm__point_sub(f->corner[(k + 1) % 3], f->corner[k]), cm__p(0, 0, 0));
        d = cm__point_mul_add(d, -cm__point_dot(d, along), along);
    }
    cm__point x = cm__point_mul_add(d, -cm__point_dot(d, u), u);
    if (!(cm__point_length(x) > SURFACE_STEEP)) return false;
    x = wide_normalize(x, u);
    surface_limits_of(s, f, feature, x, true, &l);
    if (l.worst > SURFACE_ANGLE) {
        x = cm__point_cross(u, l.toward);
        if (!(cm__point_length(x) > SURFACE_CROSSED)) return false;
        if (cm__point_dot(x, d) < 0) x = wide_neg(x);
        x = wide_normalize(x, u);
        surface_limits_of(s, f, feature, x, true, &l);
        if (l.worst > SURFACE_ANGLE || !(cm__point_dot(x, d) > SURFACE_STEEP)) return false;
    }
    for (int i = 0; i < 3; i++) /* the triangle's own corners must be supported, too */
        for (int k = 0; k < 3; k++) {
            cm__point w = cm__point_sub(f->corner[i], f->corner[k]);
            if ((feature >> k & 1) && cm__point_dot(x, w) > SURFACE_ANGLE * cm__point_length(w) + f->noise)
                return false;
        }
    *direction = x, *sum = l.sum;
    return true;
}

/* A direction that is the face's normal within rounding becomes that normal. */
static bool surface_snap(const surface_face *f, cm__point *direction) {
    cm__point own = cm__point_dot(*direction, f->normal) > 0 ? f->normal : wide_neg(f->normal);
    if (!(cm__point_largest(cm__point_sub(own, *direction)) < SURFACE_ANGLE)) return false;
    *direction = own;
    return true;
}

/* The same for a narrow face, whose normal is less exact: the direction becomes the normal of the largest triangle
 * around. */
static void surface_snap_narrow(const cm__surface *s, const surface_face *f, cm__point *direction) {
    surface_limits l = {.worst = -DBL_MAX, .rise = -DBL_MAX};
    if (surface_snap(f, direction) || !(f->angle < SURFACE_KNOWN)) return;
    l.face = cm__point_dot(*direction, f->normal) > 0 ? f->normal : wide_neg(f->normal);
    l.area = f->area;
    for (int e = 0; e < 3; e++) surface_across(s, f, e, *direction, &l);
    *direction = l.face;
}

/* Does the contact lie on the triangle's support feature? The direction of a gap that is little more than rounding may
 * have a feature elsewhere. */
static bool surface_is_at(const surface_face *f, int feature, cm__point at, cm__point direction) {
    if (feature == 7) return true;
    const int k = feature & 1 ? 0 : feature & 2 ? 1 : 2;
    const cm__point off = cm__point_sub(f->corner[k], at);
    return cm__point_dot(off, direction) <= SURFACE_OFF * cm__point_length(off) + SURFACE_OFF_ROUND * f->noise;
}

/* Does the surface have this direction at a feature of the triangle? If so, `direction` is freed of rounding. */
static bool surface_has(cm__surface *s, const surface_face *f, int feature, cm__point at, cm__point *direction,
                        surface_limits *l) {
    const bool sides = s->solid || (!s->ball && view_is_folded(surface_view(s)));
    surface_limits_of(s, f, feature, *direction, sides, l);
    if (l->worst > SURFACE_ANGLE || !surface_is_at(f, feature, at, *direction)) return false;
    if (sides && !surface_looks_out(s, f, at, *direction, l->sum, true)) return false;
    if (l->area > 0)
        *direction = l->face;
    else if (l->rise > -SURFACE_ANGLE) /* at the limit, within rounding */
        *direction = wide_normalize(cm__point_mul_add(*direction, -l->rise, l->toward), *direction);
    if (feature == 7 && surface_has_normal(f))
        surface_snap_narrow(s, f, direction);
    else
        surface_snap(f, direction);
    return true;
}

bool cm__surface_has(cm__surface *s, uint32_t number, const cm_triangle *triangle, cm__point at, cm__point *direction) {
    surface_face f;
    surface_limits l;
    surface_face_of(triangle, number, &f);
    return surface_has(s, &f, surface_feature(&f, *direction), at, direction, &l);
}

int cm__surface_rises(const cm__surface *s, uint32_t number, const cm_triangle *triangle, cm__point direction,
                      cm__point out[2][2]) {
    surface_face f;
    surface_limits l;
    int count = 0;
    surface_face_of(triangle, number, &f);
    const int feature = surface_feature(&f, direction);
    if (feature == 7 || !(feature & (feature - 1))) return 0; /* no edge */
    for (int k = 0; k < 3; k++) {
        if (!(feature >> k & 1)) continue;
        surface_limits_of(s, &f, 1 << k, direction, false, &l);
        if (!(l.worst > SURFACE_ANGLE)) continue;
        out[count][0] = f.corner[k];
        out[count++][1] = cm__point_mul_add(f.corner[k], l.length, l.toward);
    }
    return count;
}

cm__surface_answer cm__surface_direction(cm__surface *s, uint32_t number, const cm_triangle *triangle, cm__point at,
                                         cm__point *direction) {
    surface_face f;
    surface_limits l;
    surface_face_of(triangle, number, &f);
    const int feature = surface_feature(&f, *direction);
    if (surface_has(s, &f, feature, at, direction, &l)) return CM__SURFACE_KEPT;
    cm__point x = *direction, sum;
    if (l.worst > SURFACE_ANGLE && surface_nearest(s, &f, feature, &l, &x, &sum) &&
        surface_looks_out(s, &f, at, x, sum, false)) {
        surface_snap(&f, &x);
        *direction = x;
        return CM__SURFACE_REPLACED;
    }
    return cm__surface_normal(s, number, triangle, at, direction) ? CM__SURFACE_REPLACED : CM__SURFACE_NONE;
}

/* --- depths ------------------------------------------------------------------------------------------------------ */

bool cm__surface_holds_off(cm__surface *s, cm__point point, cm__point normal, double height) {
    if (!s->solid && surface_view(s)->flat) return true;
    const double distance = fabs(height), scale = cm__point_largest(point) + distance;
    const double room = distance * SURFACE_NEAR + 2 * SURFACE_ROUND * (double)CM_REAL_EPSILON * scale;
    const double least = distance - room;
    const cm__point foot = cm__point_mul_add(point, -height, normal);
    bool found = false;
    cm_aabb box;
    cm__parts q;
    cm__part part;
    box.min = box.max = cm__vec3_of(point);
    s->parts->start(&q, s->shape, &box);
    while (s->parts->next(&q, wide_up(distance + room), &part)) {
        const cm_triangle *t = &part.shape.u.triangle;
        cm__closest_on_triangle c;
        cm__closest_point_triangle(point, cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c), &c);
        if (least > 0 && c.square < least * least) return false;
        if (found) continue;
        cm__closest_point_triangle(foot, cm__point_of(t->a), cm__point_of(t->b), cm__point_of(t->c), &c);
        found = c.square <= room * room;
    }
    return found;
}
