/* Which first contacts block and which only brush past (sweep.h says what that means), and of several normals at a
 * contact the one that blocks.
 *
 * What slides over a floor of tiles meets the side of the next tile with its own: at the edge that the two share a
 * contact has many normals, of the side, of the top and all between them. So it is where a box passes a pillar flush
 * with it, or a ball grazes a corner. A contact blocks where bodies approach along all of its normals, that is, where
 * they would get deeper if they went on; along one that is not approached they slide. Of normals that are rounded in
 * the last bits nothing can be said, so the question is asked of depths: would the two, moving straight on, however
 * long, get deeper than SWEEP_BRUSH G, or pass through each other where one is thinner than that (start.c)? Of those
 * that do, the normal is the one along which they get that deep last: the one that is approached least.
 *
 * The straight path does not end with the step: what reaches a wall at the step's end is blocked. Where two turn or are
 * accelerated, they must not get deep in the rest of the step, nor on the straight path from the contact on, unless
 * they have parted by the end of the step: what turns and slides in the plane of a floor passes from tile to tile, and
 * a corner comes to a wall along an arc that only touches it. What has no inside does not brush: it would slip between
 * two bodies that touch, as a point through the seam of a floor. Of a surface, which a body with an inside cannot slip
 * through, each triangle is asked. */
#include "sweep/brush.h"

#include "math/wide.h"
#include "sweep/start.h"

#define BRUSH_STRAIGHT 32   /* depths: in that time the bend is a sixteenth of the way */
#define FACE_TILT      1e-3 /* radians, by which a direction is tilted to find the corners of a face */
enum { FACE_WAYS = 6 };

/* Two in contact: where they are, and the contact's point and normal. */
typedef struct brush_contact {
    const cm__moving_pair *pair;
    cm__frame a, b;
    cm__point at, normal;
} brush_contact;

/* A ball around the core's center that lies in the core, radius included; the center as seen from the contact, which
 * itself is the ball of what has no inside. */
static double brush_ball(const cm__moving *m, const cm__frame *frame, cm__point at, cm__point *center) {
    const double radius = wide_max(m->core.ops->inner ? m->core.ops->inner(&m->core) : 0, 0) + m->radius;
    *center = radius > 0 ? cm__point_sub(frame_apply(frame, m->core.center), at) : cm__p(0, 0, 0);
    return radius;
}

/* Is it certain that they do not only brush, as balls within the two show that they get deep? The hull of the contact
 * and a ball lies in each of the two. So does, for 0 <= t <= 1, the ball of radius t times the first's and that around
 * t times the first's center; when A has moved on by s v, these two share a point where s v is no farther from the
 * difference of their centers than both radii together. Tried are the ball of A alone, that of B alone, and both at
 * once. */
static bool balls_get_deep(const brush_contact *c, cm__point v, double depth) {
    cm__point of_a, of_b;
    const double ra = brush_ball(&c->pair->a, &c->a, c->at, &of_a), rb = brush_ball(&c->pair->b, &c->b, c->at, &of_b);
    const double vv = cm__point_dot(v, v);
    const cm__point ways[3] = {cm__point_sub(of_b, of_a), of_b, wide_neg(of_a)};
    const double reach[3] = {ra + rb, rb, ra};
    for (int i = 0; i < 3; i++) {
        const double along = cm__point_dot(ways[i], v), room = reach[i] - 8 * depth;
        const cm__point across = cm__point_mul_add(ways[i], -along / vv, v);
        if (along > 0 && room > 0 && cm__point_dot(across, across) < room * room) return true;
    }
    return false;
}

/* Points of B less A that are the least along the normal, the farthest in FACE_WAYS directions across it: a polygon, in
 * order, x and y across the normal. False: one is not in the plane of the others. */
static bool contact_face(const brush_contact *c, double depth, double out[FACE_WAYS][2]) {
    static const double ways[FACE_WAYS][2] = {{1, 0}, {.5, .87}, {-.5, .87}, {-1, 0}, {-.5, -.87}, {.5, -.87}};
    const cm__core *core_a = &c->pair->a.core, *core_b = &c->pair->b.core;
    const cm__point normal = c->normal, x = wide_perpendicular(normal), y = cm__point_cross(normal, x);
    for (int k = 0; k < FACE_WAYS; k++) {
        const cm__point way = cm__point_mul_add(cm__point_scale(x, ways[k][0]), ways[k][1], y);
        const cm__point toward_b = cm__point_mul_add(normal, -FACE_TILT, way);
        uint32_t id_a = 0, id_b = 0;
        const cm__point on_a = frame_apply(&c->a, core_a->ops->support(core_a, frame_unrotate(&c->a, toward_b), &id_a));
        const cm__point on_b =
            frame_apply(&c->b, core_b->ops->support(core_b, frame_unrotate(&c->b, wide_neg(toward_b)), &id_b));
        const cm__point d = cm__point_sub(on_b, on_a);
        if (!(cm__point_dot(d, normal) <= 2 * depth)) return false;
        out[k][0] = cm__point_dot(d, x), out[k][1] = cm__point_dot(d, y);
    }
    return true;
}

/* Is the contact, of two without radius, plain? */
static bool contact_is_plain(const brush_contact *c, cm__point v, double band) {
    cm__point of_a, of_b;
    double corner[FACE_WAYS][2];
    cm__contact_face face = {.reach = DBL_MAX, .steep = cm__point_dot(v, c->normal) / cm__point_length(v)};
    face.inner = brush_ball(&c->pair->a, &c->a, c->at, &of_a) + brush_ball(&c->pair->b, &c->b, c->at, &of_b);
    face.off = cm__point_length(cm__point_sub(of_b, of_a));
    if (!brush_is_plain(&face, band) || !contact_face(c, SWEEP_BRUSH * band, corner)) return false;
    for (int k = 0; k < FACE_WAYS; k++) {
        const double *from = corner[k], *to = corner[(k + 1) % FACE_WAYS];
        const double ex = to[0] - from[0], ey = to[1] - from[1], length = sqrt(ex * ex + ey * ey);
        if (length > 0) face.reach = wide_min(face.reach, (from[0] * ey - from[1] * ex) / length);
    }
    return face.reach < DBL_MAX && brush_is_plain(&face, band);
}

/* The time in which the two pass each other, straight on. */
static double brush_past(const cm__moving_pair *p, cm__point v) {
    return 4 * (p->a.core.size + p->b.core.size + p->a.radius + p->b.radius) / cm__point_length(v);
}

/* The two as they are at these places, moving straight on with the velocity of the contact. */
static void brush_straight_on(const cm__moving_pair *p, const cm__frame *a, const cm__frame *b, cm__point v,
                              cm__moving_pair *out) {
    cm__moving_core(&p->a.core, a, v, &out->a);
    cm__moving_core(&p->b.core, b, cm__p(0, 0, 0), &out->b);
    cm__moving_pair_finish(out);
    out->work = p->work;
}

bool cm__sweep_passes(const cm__moving_pair *p, double u, cm__point v, cm__point normal, double band, double limit) {
    const double depth = SWEEP_BRUSH * band, past = brush_past(p, v);
    cm__frame a, b;
    cm__moving_pair on;
    if (cm__point_dot(v, normal) * past > 2 * depth) return false; /* now they are no farther apart than G */
    if (!cm__moving_stays(p, u, normal, 0, depth, p->turns ? limit : u + past)) return false;
    if (!p->turns || cm__moving_along(p, limit, normal) > depth) return true;
    cm__moving_at(&p->a, u, &a);
    cm__moving_at(&p->b, u, &b);
    brush_straight_on(p, &a, &b, v, &on);
    return cm__moving_stays(&on, 0, normal, 0, depth, past);
}

/* Do they get deeper than SWEEP_BRUSH G from the contact, at time u, on? *at: with the normal along which they do. */
static bool contact_sinks(const cm__moving_pair *p, double u, double depth, double limit, cm__moving_gap *at) {
    at->u = u;
    at->distance = cm__moving_along(p, u, at->normal);
    if (at->distance < -depth / 8) cm__moving_gap_at(p, u, at); /* the direction of so short a gap is rounding */
    return cm__moving_sinks(p, 0, depth, limit, at);
}

/* Is their motion straight until they are some depths deep, or as good as that? */
static bool brush_is_straight(const cm__moving_pair *p, cm__point v, cm__point normal, double depth) {
    const double rate = cm__point_dot(v, normal);
    return !p->turns || rate * rate > BRUSH_STRAIGHT * depth * cm__moving_pair_bend(p, normal);
}

/* Do they part before their motion ends: are they farther apart than that then, or on their way off? */
static bool brush_parts(const cm__moving_pair *p, double end, double depth) {
    cm__moving_gap gap;
    double sizes = 0;
    cm__moving_gap_at(p, end, &gap);
    if (gap.distance > depth) return true;
    const cm__point v = cm__moving_pair_velocity(p, end, gap.a, &sizes);
    return cm__point_dot(v, gap.normal) < -SWEEP_SLIDE * sizes;
}

void cm__sweep_judge(const cm__moving_pair *p, cm__point at, cm__point v, bool surface, double band, double limit,
                     cm_sweep_hit *hit) {
    const double depth = SWEEP_BRUSH * band, u = (double)hit->first, past = brush_past(p, v);
    const cm__moving_gap first = {.a = at, .normal = cm__point_of(hit->normal)};
    cm__moving_gap deep = first;
    brush_contact contact = {.pair = p, .at = at, .normal = first.normal};
    if (core_is_thin(&p->a.core) || (!surface && core_is_thin(&p->b.core))) return;
    cm__moving_at(&p->a, u, &contact.a);
    cm__moving_at(&p->b, u, &contact.b);
    const bool round = p->a.radius + p->b.radius > 0;
    if (brush_is_straight(p, v, first.normal, depth) &&
        (round ? balls_get_deep(&contact, v, depth) : contact_is_plain(&contact, v, band)))
        return;
    bool sinks = contact_sinks(p, u, depth, p->turns ? limit : u + past, &deep);
    if (!sinks && p->turns && !brush_parts(p, limit, depth)) {
        cm__moving_pair on;
        deep = first;
        brush_straight_on(p, &contact.a, &contact.b, v, &on);
        sinks = contact_sinks(&on, 0, depth, past, &deep);
    }
    hit->blocking = sinks;
    if (!sinks) return;
    /* of several normals, the one along which they get deep last */
    const double rate = cm__point_dot(v, deep.normal);
    if (!(rate > 0 && rate < cm__point_dot(v, first.normal))) return;
    if (cm__point_dot(deep.normal, first.normal) > WIDE_ONE_NORMAL || cm__moving_along(p, u, deep.normal) < -depth)
        return;
    hit->normal = cm__vec3_of(deep.normal);
}

bool cm__straight_settle(const cm__straight_pair *s, cm__straight_end end, bool overlap, cm_sweep_hit *hit) {
    cm__moving_pair pair;
    cm__moving_core(&s->a, &s->frame_a, s->move, &pair.a);
    cm__moving_core(&s->b, &s->frame_b, cm__point_sub(s->move, s->v), &pair.b);
    cm__moving_pair_finish(&pair);
    if (end != CM__STRAIGHT_NEAR) {
        cm__sweep_judge(&pair, cm__point_sub(cm__point_of(hit->point), s->origin), s->v, false, s->band, 1, hit);
        return true;
    }
    const cm__start start = {.band = s->band, .limit = 1, .overlap = overlap, .last = true};
    if (!cm__start_run(&pair, &start, hit)) return false;
    hit->point = cm__vec3_of(cm__point_add(cm__point_of(hit->point), s->origin));
    return true;
}
