/* A convex shape of the caller's own: its support function is all that is known of it.
 *
 * What the function says is made safe first: a point that is not finite, or outside of the stated size, counts as the
 * center. So every answer is one for some set of points within the size, and no search can run away; whether it is
 * right is up to the function. A function whose very first answers, for the bounds, are such is refused as a bad shape.
 */
#include "shape/shape.h"
#include "base/error.h"
#include "math/wide.h"
#include "shape/ray.h"

static bool custom_is_finite(cm__point p) {
    return fabs(p.x) <= DBL_MAX && fabs(p.y) <= DBL_MAX && fabs(p.z) <= DBL_MAX;
}

static bool custom_ask(const cm_custom *c, cm__point d, cm__point *out) {
    const double direction[3] = {d.x, d.y, d.z};
    double p[3] = {0, 0, 0};
    c->support(c->user, direction, p);
    *out = cm__p(p[0], p[1], p[2]);
    if (!custom_is_finite(*out)) return false;
    double off = cm__point_length(cm__point_sub(*out, cm__point_of(c->center)));
    double room = (double)c->size * (1 + 8 * (double)CM_REAL_EPSILON);
    return off <= room + 8 * DBL_EPSILON * wide_sum(cm__point_of(c->center));
}

static cm_status custom_check(const cm_shape *shape, cm_error *error) {
    const cm_custom *c = &shape->u.custom;
    cm__point p;
    if (!c->support) return cm__refuse(error, CM_INVALID, "support", CM_NONE);
    if (!cm_vec3_is_valid(c->center)) return cm__refuse(error, CM_NOT_FINITE, "center", CM_NONE);
    if (!cm_is_coord(c->size)) return cm__refuse(error, CM_NOT_FINITE, "size", CM_NONE);
    if (c->size < 0) return cm__refuse(error, CM_INVALID, "size", CM_NONE);
    if (!custom_ask(c, cm__p(1, 0, 0), &p))
        return cm__refuse(error, custom_is_finite(p) ? CM_INVALID : CM_NOT_FINITE, "support", CM_NONE);
    return CM_OK;
}

static cm__point custom_core_support(const cm__core *core, cm__point d, uint32_t *id) {
    *id = CM_NONE;
    cm__point p;
    double largest = cm__point_largest(d);
    if (!(largest > 0 && largest <= DBL_MAX)) d = cm__p(1, 0, 0);
    if (largest > 1e100 || largest < 1e-100) d = wide_normalize(d, cm__p(1, 0, 0));
    return custom_ask(core->data, d, &p) ? p : core->center;
}

/* --- the side that looks along a direction ------------------------------------------------------------------------ */

/* Found by asking along directions tilted about it. What a flat side or a straight edge gives stays as far apart when
 * the tilt shrinks; what curvature gives shrinks with it. So it is asked twice, and what goes with the tilt is
 * round. */

#define SIDE_TILT 4e-3 /* about the direction as given: faces off by nearly as much are found */
#define SIDE_FINE 1e-4 /* about the side's own normal: what lies on it to 5e-9 of its roundings' radii */
#define SIDE_FLAT 0.25 /* of a width: as much must be left under the smaller tilt */
#define SIDE_NONE 1e-6 /* of the size: as good as no width */
#define SIDE_GAIN 1e-3 /* of the length: corners that stand out by less are left out */
#define SIDE_RING 8    /* corners at most, as many as a contact has points: a choice of more would not be steady */

/* Directions about one. */
typedef struct side_query {
    const cm__core *core;
    cm__point normal;
    double tilt;
    bool round; /* curvature was seen: what is found shifts along it, and its places tell nothing */
} side_query;

static cm__point side_ask(const side_query *s, cm__point across) {
    uint32_t id;
    return custom_core_support(s->core, cm__point_mul_add(s->normal, s->tilt, across), &id);
}

/* A unit vector perpendicular to a direction; continuous near the shape's axes, which most face normals are near. */
static cm__point side_across(cm__point d) {
    cm__point axis = fabs(d.x) < 0.8 ? cm__p(1, 0, 0) : cm__p(0, 1, 0);
    return wide_normalize(cm__point_cross(d, axis), axis);
}

/* A number for a place: that of its cell of a grid in the shape's frame, whose walls lie where no sensible shape has
 * its corners. It stays while the place does, whichever side the place is seen to belong to. */
static uint32_t side_number(cm__point from_center, double cell) {
    const double at[3] = {from_center.x, from_center.y, from_center.z};
    uint32_t h = 0;
    for (int k = 0; k < 3; k++) {
        double c = cell > 0 ? floor(at[k] / cell + 0.38196601) : 0;
        h = (h ^ (uint32_t)(int32_t)wide_clamp(c, -1e6, 1e6)) * UINT32_C(0x9e3779b1);
        h ^= h >> 15;
    }
    return h & UINT32_C(0x3fffffff); /* the two highest bits tell other numbers apart: convex/manifold.c */
}

static void side_put(const side_query *s, cm__point p, cm__facet *out) {
    uint32_t id = s->round ? (uint32_t)out->count : side_number(cm__point_sub(p, s->core->center), s->core->size / 64);
    for (int i = 0; i < out->count; i++) /* corners of one cell, or by chance */
        if (out->id[i] == id) id = (id + 1) & UINT32_C(0x3fffffff), i = -1;
    out->point[out->count] = p;
    out->id[out->count] = id;
    out->count++;
}

/* Two points of the side as far apart, perpendicular to the direction, as any; false where the side is a corner. */
static bool side_length(side_query *s, cm__point *from, cm__point *to, cm__point *along) {
    const cm__point d = s->normal;
    cm__point u = side_across(d), v = cm__point_cross(d, u);
    /* not along the shape's own axes, where several corners may be equally far */
    cm__point e = cm__point_mul_add(cm__point_scale(u, 0.95), 0.31, v), f = cm__point_cross(d, e), best = e;
    double most = -1;
    for (int i = 0; i < 2; i++) {
        cm__point w = i == 0 ? e : f, p = cm__point_sub(side_ask(s, w), side_ask(s, wide_neg(w)));
        double length = cm__point_length(p);
        if (length > most) most = length, best = p;
    }
    for (int i = 0; i < 2; i++) { /* from there to the length itself */
        best = wide_normalize(cm__point_mul_add(best, -cm__point_dot(best, d), d), e);
        *to = side_ask(s, best), *from = side_ask(s, wide_neg(best));
        best = cm__point_sub(*to, *from);
    }
    double length = cm__point_length(best);
    if (!(length > SIDE_NONE * s->core->size)) return false;
    *along = cm__point_scale(best, 1 / length);
    s->normal = wide_normalize(cm__point_mul_add(d, -cm__point_dot(d, *along), *along), d);
    s->tilt = SIDE_FINE;
    *to = side_ask(s, *along), *from = side_ask(s, wide_neg(*along));
    s->round = !(cm__point_length(cm__point_sub(*to, *from)) > SIDE_FLAT * length);
    return !s->round;
}

/* Is it as wide, too? Then the side's normal is known. */
static bool side_width(side_query *s, cm__point from, cm__point to) {
    cm__point along = wide_normalize(cm__point_sub(to, from), cm__p(1, 0, 0));
    cm__point across = cm__point_cross(s->normal, along);
    side_query coarse = {s->core, s->normal, SIDE_TILT, false};
    cm__point wide = cm__point_sub(side_ask(&coarse, across), side_ask(&coarse, wide_neg(across)));
    double width = cm__point_dot(wide, across);
    if (!(width > SIDE_NONE * s->core->size)) return false;
    s->normal = wide_normalize(cm__point_cross(along, wide), s->normal);
    across = cm__point_cross(s->normal, along);
    wide = cm__point_sub(side_ask(s, across), side_ask(s, wide_neg(across)));
    s->round = !(cm__point_dot(wide, across) > SIDE_FLAT * width);
    return !s->round;
}

/* Does b come before c on the way around `center`, counterclockwise about the normal from the direction of `start`? */
static bool side_before(cm__point center, cm__point start, cm__point normal, cm__point b, cm__point c) {
    const cm__point from = cm__point_sub(start, center);
    const cm__point e = cm__point_sub(b, center), f = cm__point_sub(c, center);
    const bool e_late = cm__point_dot(cm__point_cross(from, e), normal) < 0;
    const bool f_late = cm__point_dot(cm__point_cross(from, f), normal) < 0;
    return e_late != f_late ? f_late : cm__point_dot(cm__point_cross(e, f), normal) > 0;
}

/* Each corner once, and in order around their middle: where a side is flat but for a little, directions in order around
 * its normal may lead to one corner twice, with others in between. Returns how many are left. */
static int side_order(const side_query *s, cm__point *p, int count, double length) {
    cm__point center = cm__p(0, 0, 0);
    int n = 0;
    for (int i = 0; i < count; i++) {
        int same = 0;
        while (same < n && cm__point_length(cm__point_sub(p[i], p[same])) > SIDE_GAIN * length) same++;
        if (same == n) p[n++] = p[i];
    }
    for (int i = 0; i < n; i++) center = cm__point_mul_add(center, 1.0 / n, p[i]);
    for (int i = 2; i < n; i++) {
        const cm__point moved = p[i];
        int at = i;
        for (; at > 1 && side_before(center, p[0], s->normal, moved, p[at - 1]); at--) p[at] = p[at - 1];
        p[at] = moved;
    }
    return n;
}

/* Corners between those that the ring found, once around. */
static int side_refine(const side_query *s, cm__point *p, int count, double length) {
    cm__point out[SIDE_RING];
    int n = 0;
    for (int i = 0; i < count; i++) {
        cm__point edge = cm__point_sub(p[i + 1 < count ? i + 1 : 0], p[i]);
        cm__point outward = wide_normalize(cm__point_cross(edge, s->normal), cm__p(0, 0, 0));
        out[n++] = p[i];
        if (n + count - i - 1 >= SIDE_RING || !(cm__point_largest(outward) > 0)) continue;
        cm__point x = side_ask(s, outward);
        if (cm__point_dot(cm__point_sub(x, p[i]), outward) > SIDE_GAIN * length) out[n++] = x;
    }
    for (int i = 0; i < n; i++) p[i] = out[i];
    return side_order(s, p, n, length);
}

/* The corners of a face around its normal, those that stand out of the line of their neighbors. */
static void side_face(const side_query *s, double length, cm__facet *out) {
    static const double cosine[SIDE_RING] = {0.95,  0.4525483399593904,  -0.31, -0.8909545442950499,
                                             -0.95, -0.4525483399593904, 0.31,  0.8909545442950499};
    cm__point p[SIDE_RING], u = side_across(s->normal), v = cm__point_cross(s->normal, u);
    int count = 0;
    for (int i = 0; i < SIDE_RING; i++) { /* the sine is the cosine a quarter before */
        cm__point w = cm__point_mul_add(cm__point_scale(u, cosine[i]), cosine[(i + SIDE_RING - 2) % SIDE_RING], v);
        p[count] = side_ask(s, w);
        if (count == 0 || cm__point_length(cm__point_sub(p[count], p[count - 1])) > SIDE_GAIN * length) count++;
    }
    count = side_order(s, p, count, length);
    for (int before = 0; count > before && count < SIDE_RING;) {
        before = count;
        count = side_refine(s, p, count, length);
    }
    out->count = 0;
    out->normal = s->normal;
    out->number = side_number(s->normal, 0.125);
    for (int i = 0; i < count; i++) {
        cm__point last = out->count > 0 ? out->point[out->count - 1] : p[count - 1];
        cm__point outward = cm__point_cross(cm__point_sub(p[i + 1 < count ? i + 1 : 0], last), s->normal);
        outward = wide_normalize(outward, cm__p(0, 0, 0));
        if (cm__point_dot(cm__point_sub(p[i], last), outward) > 1e-4 * length) side_put(s, p[i], out);
    }
}

static void custom_core_facet(const cm__core *core, cm__point d, cm__facet *out) {
    side_query s = {core, d, SIDE_TILT, false};
    cm__point from, to, along;
    out->count = 0;
    if (side_length(&s, &from, &to, &along)) {
        double length = cm__point_length(cm__point_sub(to, from));
        if (side_width(&s, from, to)) {
            side_face(&s, length, out);
            if (out->count >= 3) return;
            out->count = 0;
        }
        bool upward = cm__point_dot(along, cm__p(0.64, 0.52, 0.57)) > 0; /* the ends in an order of the shape's own */
        side_put(&s, upward ? from : to, out), side_put(&s, upward ? to : from, out);
    } else {
        uint32_t id;
        side_put(&s, custom_core_support(core, d, &id), out);
    }
    out->number = CM_NONE;
    out->normal = d;
}

static void custom_core(const cm_shape *shape, cm__core *out) {
    static const cm__core_ops ops = {.support = custom_core_support, .facet = custom_core_facet};
    out->ops = &ops;
    out->data = &shape->u.custom;
    out->count = 0;
    out->radius = (double)shape->radius;
    out->guess_error = 0;
    out->center = cm__point_of(shape->u.custom.center);
    out->size = (double)shape->u.custom.size;
}

static void custom_bounds(const cm_shape *shape, const cm_pose *pose, cm_aabb *out) {
    cm__core core;
    custom_core(shape, &core);
    cm__core_bounds(&core, pose, out);
}

static const cm_field custom_fields[] = {
    CM__FIELD("support", POINTER, custom.support), CM__FIELD("user", POINTER, custom.user),
    CM__FIELD("center", VEC3, custom.center), CM__FIELD("size", REAL, custom.size)};

const cm__shape_ops cm__shape_custom = {.name = "custom",
                                        .shape_class = CM__CONVEX,
                                        .curved = cm__shape_is_curved,
                                        .check = custom_check,
                                        .bounds = custom_bounds,
                                        .core = custom_core,
                                        .raycast = cm__ray_core,
                                        CM__FIELDS(custom_fields)};
