/* cm_sweep. Two convex shapes, or one and a half-space, are swept here: by a closed form (hit.h) where there is one and
 * they do not turn, else by their distance (advance.c). Composites go to composite.c. */
#include "carom/sweep.h"
#include "convex/portal.h"
#include "pair/pair.h"
#include "pair/solid_hull.h"
#include "sweep/advance.h"
#include "sweep/brush.h"
#include "sweep/curve.h"
#include "sweep/hit.h"
#include "sweep/shapes.h"
#include "sweep/start.h"

#include <string.h>

/* factor of half the band: poses of turning shapes round in cm_real, which adds to the gap left */
#define TURNING_NEAR 0.7

static bool motion_is_valid(const cm_motion *m) { return m && cm_pose_is_valid(&m->start) && cm__motion_is_finite(m); }

/* Neither turns, nor is accelerated. */
static bool motions_are_straight(const cm_motion *ma, const cm_motion *mb) {
    return !(cm_largest(ma->spin) > 0) && !(cm_largest(mb->spin) > 0) && !(cm_largest(ma->accelerate) > 0) &&
           !(cm_largest(mb->accelerate) > 0);
}

static bool shapes_prepare(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, double near,
                           uint32_t *work, cm__shape_sweep *s) {
    s->a = a, s->b = b, s->ma = ma, s->mb = mb;
    s->method = cm__method_of(a->kind, b->kind);
    if (!s->method->gap) return false;
    s->v = cm__point_sub(cm__point_of(ma->move), cm__point_of(mb->move));
    s->near = near;
    s->turns = !motions_are_straight(ma, mb);
    if (!s->turns) return true;
    cm__moving_pair_of(a, ma, b, mb, &s->moving);
    s->moving.work = work;
    s->turns = s->moving.turns;
    return true;
}

typedef cm__straight_end (*straight_form)(const cm__straight *s, cm_sweep_hit *out);

/* The closed form of two shapes that do not turn; NULL where there is none. */
static straight_form straight_form_of(const cm_shape *a, const cm_shape *b) {
    static const struct {
        straight_form form;
        bool rounded;
    } table[CM_SHAPE_KINDS][CM_SHAPE_KINDS] = {
#define STRAIGHT_ROW(A, B, name, rounded) [CM_SHAPE_##A][CM_SHAPE_##B] = {cm__straight_##name, rounded},
        CM__STRAIGHT_LIST(STRAIGHT_ROW)
#undef STRAIGHT_ROW
    };
    return !table[a->kind][b->kind].rounded && a->radius + b->radius > 0 ? NULL : table[a->kind][b->kind].form;
}

/* No less than cm__sweep_band, of what has a closed form: sums of the sizes of coordinates in place of lengths. */
static inline cm_real straight_size(const cm_shape *s) {
    const cm_vec3 *corner = &s->u.triangle.a; /* or the one vector of a box */
    const int corners = cm__shape_table[s->kind]->corners, count = corners > 0 ? corners : 1;
    cm_real size = s->radius;
    for (int i = 0; i < count; i++) size += cm_abs(corner[i].x) + cm_abs(corner[i].y) + cm_abs(corner[i].z);
    return size;
}
static inline double straight_band_most(const cm__straight *s, const cm_motion *ma, const cm_motion *mb) {
    const cm_vec3 *pa = &ma->start.position, *pb = &mb->start.position, *va = &ma->move, *vb = &mb->move;
    cm_real world = cm_abs(pa->x) + cm_abs(pa->y) + cm_abs(pa->z) + cm_abs(pb->x) + cm_abs(pb->y) + cm_abs(pb->z);
    cm_real size = cm_abs(va->x) + cm_abs(va->y) + cm_abs(va->z) + cm_abs(vb->x) + cm_abs(vb->y) + cm_abs(vb->z);
    size += straight_size(s->a) + straight_size(s->b);
    /* a little more, as these are rounded too */
    return 1.001 *
           (straight_band((double)size + wide_sum(s->pose_b.position)) + 4 * (double)CM_REAL_EPSILON * (double)world);
}

/* By the closed form. */
static cm__straight_end shapes_straight(straight_form way, const cm_shape *a, const cm_motion *ma, const cm_shape *b,
                                        const cm_motion *mb, const double *band, cm_sweep_hit *out) {
    cm__straight s;
    s.a = a, s.b = b;
    s.pose_a = frame_of_pose(&ma->start);
    s.pose_b = frame_of_pose(&mb->start);
    cm__point origin = s.pose_a.position;
    s.pose_a.position = cm__p(0, 0, 0);
    s.pose_b.position = cm__point_sub(s.pose_b.position, origin);
    s.move = cm__point_of(ma->move);
    s.v = cm__point_sub(s.move, cm__point_of(mb->move));
    s.band = band ? *band : straight_band_most(&s, ma, mb);
    cm__straight_end end = way(&s, out);
    if (end == CM__STRAIGHT_MISS || end == CM__STRAIGHT_NEAR) return end;
    out->point = cm__vec3_of(cm__point_add(cm__point_of(out->point), origin));
    return brush_is_possible(out, s.v, (double)a->radius + (double)b->radius, s.band) ? end : CM__STRAIGHT_PLAIN;
}

/* Polytopes by portal refinement (convex/portal.c). UNKNOWN: the general search has to answer. */
static cm__portal_end shapes_portal(const cm__shape_sweep *s, double band, bool *plain, cm_sweep_hit *out) {
    cm__portal p;
    if (!s->cores || !s->two.sharp || s->core_a.radius + s->core_b.radius > 0) return CM__PORTAL_UNKNOWN;
    cm__portal_end end = cm__portal_run(&s->two, s->drift, s->near, &p);
    if (end != CM__PORTAL_HIT) return end;
    cm__span span = {p.first, p.last};
    cm__sweep_start_state start = {4 * s->near, -1, 2 * s->near};
    cm_sweep_hit hit;
    cm__sweep_begin(&start, span, &hit);
    cm_pose pose;
    cm_motion_at(s->ma, hit.first, &pose);
    cm_vec3 point = cm_pose_apply(&pose, cm__vec3_of(p.a));
    cm__sweep_end(s->v, frame_rotate(&s->frame_a, p.normal), cm__point_of(point), &hit);
    const cm__contact_face face = {
        .reach = p.reach,
        .steep = -cm__point_dot(s->drift, p.normal) / cm__point_length(s->drift),
        .inner = s->two.near,
        .off = cm__point_length(cm__point_mul_add(pair_between(&s->two), p.first, s->drift)),
    };
    *plain = brush_is_plain(&face, band);
    *out = hit;
    return end;
}

/* What the caller knows and wants. */
typedef struct shapes_ask {
    double from;                /* > 0: they are apart by more than the band until then */
    double limit;               /* nothing later is of interest */
    double band;                /* as in cm__sweep_span, */
    double near;                /* and this */
    bool last;                  /* the end of the contact is wanted */
    bool first;                 /* the first contact is wanted, whether it blocks or not */
    const cm__sweep_rest *rest; /* as in cm__sweep_span */
    uint32_t *work;             /* as in cm__moving_pair */
} shapes_ask;

/* A start in the band around touching, or deeper. */
static bool shapes_start(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                         const shapes_ask *ask, double band, cm_sweep_hit *out) {
    cm__moving_pair pair;
    cm_sweep_hit hit;
    cm_pose b_in_a = cm_pose_between(&ma->start, &mb->start);
    cm__gap gap;
    cm__moving_pair_of(a, ma, b, mb, &pair);
    pair.work = ask->work;
    const cm__frame frame = frame_of_pose(&b_in_a);
    cm__method_of(a->kind, b->kind)->gap(a, b, &frame, &gap);
    const bool overlap = ask->rest ? cm__sweep_overlap(ask->rest, gap.distance) : cm__pair_overlap(a, b, &b_in_a);
    gap.a = frame_apply(&pair.a.start, gap.a), gap.normal = frame_rotate(&pair.a.start, gap.normal);
    const cm__start start = {.band = band,
                             .rest = &gap,
                             .limit = ask->limit,
                             .overlap = overlap,
                             .first_only = ask->first,
                             .last = ask->last};
    if (!cm__start_run(&pair, &start, &hit)) return false;
    hit.point = cm__vec3_of(cm__point_add(cm__point_of(hit.point), cm__point_of(ma->start.position)));
    *out = hit;
    return true;
}

/* Two half-spaces: they are apart only where their normals are opposite, by the width of the slab between them. */
static bool shapes_halfspaces(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                              const shapes_ask *ask, double band, cm_sweep_hit *out) {
    cm__moving_pair m;
    cm__gap gap;
    cm_pose b_in_a = cm_pose_between(&ma->start, &mb->start);
    const cm__frame frame = frame_of_pose(&b_in_a);
    cm__method_of(a->kind, b->kind)->gap(a, b, &frame, &gap);
    cm__moving_pair_of(a, ma, b, mb, &m);
    const cm__point normal = frame_rotate(&m.a.start, gap.normal);
    const double speed = cm__point_dot(m.v, normal), near = band / 2, distance = gap.distance;
    const double pull = cm__point_dot(m.bend, normal), most = cm__curve_most(speed, pull);
    const bool touches = fabs(distance) <= band, overlap = distance <= 0, turns = m.a.turns || m.b.turns;
    const bool begun = touches || overlap, deepens = turns || most > band * 7 / 8;
    double u = 0;
    if (!begun && !turns) {
        u = cm__curve_until(distance - near, speed, pull);
        if (!(u <= ask->limit)) return false;
    }
    if (touches && !overlap && !turns && !(most > 0)) return false;
    if (begun && !turns && !ask->first && deepens && !cm__curve_closes(band / 8, speed, pull))
        u = cm__curve_until(band / 8, speed, pull); /* moving apart first, and back */
    out->start = !overlap ? CM_SWEEP_SEPARATED : touches ? CM_SWEEP_TOUCHING : CM_SWEEP_OVERLAPPING;
    out->first = cm_max(wide_down(u), overlap ? 0 : CM_REAL_MIN);
    out->last = 1; /* half-spaces that turn cross at once */
    if (!m.turns && distance - speed > band) out->last = cm_max(wide_up((distance - band) / speed), out->first);
    out->normal = cm__vec3_of(normal);
    cm_pose pose;
    cm_motion_at(ma, out->first, &pose);
    out->point = cm_pose_apply(&pose, cm__vec3_of(gap.a));
    const cm__point v = cm__point_mul_add(m.v, u, m.bend);
    out->blocking = touches || (overlap && m.curved && most > band)
                        ? deepens
                        : cm__point_dot(v, normal) > SWEEP_SLIDE * cm__point_length(v);
    if (turns && !overlap) out->blocking = true;
    out->part_a = out->part_b = CM_NONE;
    out->proof = CM_PROOF_CONTACT;
    out->free_until = begun ? 0 : out->first;
    return true;
}

/* Does the first contact of a turning pair block? Where they do not approach there, they may still get deeper later;
 * then *hit is that time. */
static void shapes_turning_blocks(const cm__shape_sweep *s, double band, double u, double limit, cm_sweep_hit *hit) {
    cm__moving_gap at;
    hit->blocking =
        cm__sweep_approaches(s->a, s->ma, s->b, s->mb, u, cm__point_of(hit->point), cm__point_of(hit->normal));
    if (hit->blocking) return;
    cm__moving_gap_at(&s->moving, u, &at);
    if (!cm__moving_sinks(&s->moving, at.distance, band, limit, &at)) return;
    hit->blocking = true;
    hit->proof = at.limit ? CM_PROOF_LIMIT : CM_PROOF_CONTACT;
    hit->first = cm_max(wide_down(at.u), hit->first);
    hit->normal = cm__vec3_of(at.normal);
    hit->point = cm__vec3_of(cm__point_add(at.a, cm__point_of(s->ma->start.position)));
}

/* The first contact of shapes that are apart by more than the band until first.u; *first is the gap there. */
static bool shapes_first_contact(cm__shape_sweep *s, const shapes_ask *ask, double band, cm__shape_moment *first,
                                 cm_sweep_hit *out) {
    if (!(first->u <= ask->limit)) return false;
    if (!cm__shapes_advance(s, ask->limit, s->turns ? 512 : 64, first)) return false;
    cm__shapes_settle_normal(s, first);
    double last = 1;
    if (ask->last && !s->turns) {
        cm__shape_moment end;
        double safe = cm__shapes_approach_approx(s, 1);
        cm__shapes_at(s, safe > first->u ? safe : first->u, true, &end);
        if (end.gap.distance > 2 * s->near)
            last = cm__shapes_advance(s, first->u, 64, &end) ? end.u : first->u;
        else if (safe < 1) /* from here to the end they are apart: the approximate search proved it */
            last = end.u;
    }
    if (!(first->gap.distance > 0)) cm__shapes_at(s, first->u, false, first);
    cm__span span = {first->u, last};
    cm__sweep_start_state start = {DBL_MAX, -1, 0};
    cm__sweep_begin(&start, span, out);
    cm_pose pose;
    cm_motion_at(s->ma, out->first, &pose);
    cm_vec3 point = cm_pose_apply(&pose, cm__vec3_of(first->gap.a));
    cm__sweep_end(s->v, first->gap.normal, cm__point_of(point), out);
    if (first->limit) {
        out->proof = CM_PROOF_LIMIT;
        out->blocking = true;
    } else if (s->turns && !ask->first) {
        shapes_turning_blocks(s, band, first->u, ask->limit, out);
    }
    return true;
}

/* Is the start, of two shapes with cores, possibly within the band, or deeper? */
static bool shapes_is_near(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                           const cm__sweep_rest *rest, double band) {
    cm__moving_pair pair;
    cm__moving_gap gap;
    cm__moving_pair_of(a, ma, b, mb, &pair);
    cm__moving_gap_at(&pair, 0, &gap);
    return gap.distance <= band || (rest && cm__sweep_overlap(rest, gap.distance));
}

/* What is known of a hit besides. */
typedef struct shapes_known {
    bool plain;  /* it needs no judging (brush.h) */
    double band; /* as cm__sweep_band; 0: it was not asked for */
} shapes_known;

static bool shapes_sweep_hit(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                             const shapes_ask *ask, shapes_known *known, cm_sweep_hit *out) {
    cm__shape_sweep s;
    straight_form way = straight_form_of(a, b);
    bool deep = false;
    if (way && motions_are_straight(ma, mb)) { /* a cheap upper bound of the band first */
        cm__straight_end end = shapes_straight(way, a, ma, b, mb, ask->band > 0 ? &ask->band : NULL, out);
        if (end == CM__STRAIGHT_MISS) return false;
        /* of ways out of a deep start that are equally long the shapes at rest tell one (start.c) */
        deep = end != CM__STRAIGHT_NEAR && out->start == CM_SWEEP_OVERLAPPING && out->blocking;
        known->plain = end == CM__STRAIGHT_PLAIN;
        if (end != CM__STRAIGHT_NEAR && !deep) return true;
    }
    const double band = ask->band > 0 ? ask->band : cm__sweep_band(a, ma, b, mb), none = -1;
    known->band = band;
    if (shape_is_endless(a)) return shapes_halfspaces(a, ma, b, mb, ask, band, out);
    const double near = ask->band > 0 ? ask->near : (band - cm__sweep_curved(a, b)) / 2;
    if (!shapes_prepare(a, ma, b, mb, near, ask->work, &s)) return false;
    if (s.turns) s.near *= TURNING_NEAR;
    if (way && !s.turns) {
        const cm_real last = deep ? out->last : 1;
        if (shapes_is_near(a, ma, b, mb, NULL, band)) {
            if (!shapes_start(a, ma, b, mb, ask, band, out)) return false;
            if (deep) out->last = last;
            return true;
        }
        return shapes_straight(way, a, ma, b, mb, &none, out) != CM__STRAIGHT_MISS;
    }
    cm__shapes_lay_out(&s);
    if (ask->rest && shapes_is_near(a, ma, b, mb, ask->rest, band)) return shapes_start(a, ma, b, mb, ask, band, out);
    /* a start near the band is judged at the start */
    double speed = cm__point_length(s.v) + (s.turns ? cm__moving_pair_fastest(&s.moving) : 0);
    double from = ask->from * speed > 4 * band ? ask->from : 0;
    cm__portal_end portal = from > 0 ? CM__PORTAL_UNKNOWN : shapes_portal(&s, band, &known->plain, out);
    if (portal != CM__PORTAL_UNKNOWN) return portal == CM__PORTAL_HIT;
    cm__shape_moment first;
    double safe = from > 0 ? (double)wide_down(from) : cm__shapes_approach_approx(&s, 0);
    if (safe > 1) return false;
    cm__shapes_at(&s, safe, safe > 0, &first);
    if (from > 0 && !(first.gap.distance > s.near / 2)) { /* nearer than the caller promised, by rounding */
        const shapes_ask again = {0, ask->limit, ask->band, ask->near, ask->last, ask->first, ask->rest, ask->work};
        return shapes_sweep_hit(a, ma, b, mb, &again, known, out);
    }
    if (!(safe > 0) && !(first.gap.distance > band)) return shapes_start(a, ma, b, mb, ask, band, out);
    cm__shapes_settle_normal(&s, &first);
    cm_sweep_hit hit;
    if (!shapes_first_contact(&s, ask, band, &first, &hit)) return false;
    *out = hit;
    return true;
}

/* Judges a first contact, if there is need (brush.h). */
static void shapes_judge(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, double band,
                         const shapes_ask *ask, cm_sweep_hit *hit) {
    const double u = (double)hit->first, radii = (double)a->radius + (double)b->radius;
    const cm__point at = cm__point_sub(cm__point_of(hit->point), cm__point_of(ma->start.position));
    const bool turns = cm_largest(ma->spin) > 0 || cm_largest(mb->spin) > 0;
    cm__moving_pair pair;
    cm__point v = cm__point_sub(cm__point_of(cm_mul_add(ma->move, hit->first, ma->accelerate)),
                                cm__point_of(cm_mul_add(mb->move, hit->first, mb->accelerate)));
    if (!turns && !brush_is_possible(hit, v, radii, band)) return;
    cm__moving_pair_of(a, ma, b, mb, &pair);
    pair.work = ask->work;
    if (turns) {
        double sizes = 0;
        v = cm__moving_pair_velocity(&pair, u, at, &sizes);
        if (!brush_is_possible(hit, v, radii, band)) return;
    }
    cm__sweep_judge(&pair, at, v, false, band, ask->limit, hit);
}

static bool shapes_sweep(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                         const shapes_ask *ask, cm_sweep_hit *out) {
    shapes_known known = {.plain = false, .band = ask->band};
    if (!shapes_sweep_hit(a, ma, b, mb, ask, &known, out)) return false;
    /* a start within the band is judged already (free_until: 0), and a half-space has one normal */
    if (known.plain || !out->blocking || ask->first || shape_is_endless(b) || !(out->free_until > 0)) return true;
    shapes_judge(a, ma, b, mb, known.band > 0 ? known.band : cm__sweep_band(a, ma, b, mb), ask, out);
    return true;
}

/* The hit of the same two in the other order. */
static void hit_mirror(cm_sweep_hit *hit) {
    uint32_t part = hit->part_a;
    hit->part_a = hit->part_b, hit->part_b = part;
    hit->normal = cm_neg(hit->normal);
}

bool cm__shapes_sweep(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                      const cm__sweep_span *span, cm__sweep_want want, cm_sweep_hit *out) {
    if (b->kind < a->kind) {
        cm__sweep_span mirrored = *span;
        mirrored.depth_direction = wide_neg(span->depth_direction), mirrored.ways_back = !span->ways_back;
        if (!cm__shapes_sweep(b, mb, a, ma, &mirrored, want, out)) return false;
        hit_mirror(out);
        return true;
    }
    if (cm__ops(b->kind)->parts) return cm__composite_sweep(a, ma, b, mb, span, want, out);
    const shapes_ask ask = {.from = span->from,
                            .limit = (double)span->limit,
                            .band = span->band,
                            .near = span->near,
                            .last = want == CM__SWEEP_HIT && !span->rest,
                            .first = want == CM__SWEEP_FIRST,
                            .rest = span->rest,
                            .work = span->work};
    return shapes_sweep(a, ma, b, mb, &ask, out);
}

bool cm__convex_sweep_from(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                           const cm__sweep_span *span, cm_sweep_hit *out) {
    const shapes_ask ask = {span->from, (double)span->limit, span->band, span->near, false, false, NULL, span->work};
    if (a->kind <= b->kind) return shapes_sweep(a, ma, b, mb, &ask, out);
    if (!shapes_sweep(b, mb, a, ma, &ask, out)) return false;
    hit_mirror(out);
    return true;
}

bool cm__sweep_overlap(const cm__sweep_rest *rest, double distance) {
    return fabs(distance) <= rest->slack ? cm__pair_overlap(rest->a, rest->b, &rest->b_in_a) : distance < 0;
}

static bool sweep_is_valid(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb) {
    return cm_shape_check(a, NULL) == CM_OK && cm_shape_check(b, NULL) == CM_OK && motion_is_valid(ma) &&
           motion_is_valid(mb);
}

/* The motion of the set: a spin that moves no point of it, as that of a ball about its center, is none. *room is for
 * the motion without. */
static const cm_motion *motion_of_set(const cm_shape *shape, const cm_motion *m, cm_motion *room) {
    cm__moving moving;
    if (!(cm_largest(m->spin) > 0) || cm__ops(shape->kind)->parts) return m;
    cm__moving_of(shape, m, cm__point_of(m->start.position), &moving);
    if (moving.turns) return m;
    *room = *m;
    room->spin = cm_v(0, 0, 0);
    return room;
}

/* Curved paths, seen from a frame that moves with B's acceleration: only A's acceleration relative to B's is left. */
static bool sweep_relative(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                           const cm__sweep_span *span, cm__sweep_want want, cm_sweep_hit *out) {
    cm_motion room_a, room_b;
    ma = motion_of_set(a, ma, &room_a), mb = motion_of_set(b, mb, &room_b);
    if (!(cm_largest(ma->accelerate) > 0) && !(cm_largest(mb->accelerate) > 0))
        return cm__shapes_sweep(a, ma, b, mb, span, want, out);
    cm_motion seen_a = *ma, seen_b = *mb;
    seen_a.accelerate = cm_sub(ma->accelerate, mb->accelerate), seen_b.accelerate = cm_v(0, 0, 0);
    if (!cm__shapes_sweep(a, &seen_a, b, &seen_b, span, want, out)) return false;
    const double u = (double)out->first;
    out->point = cm__vec3_of(cm__point_mul_add(cm__point_of(out->point), u * u / 2, cm__point_of(mb->accelerate)));
    return true;
}

/* Of a mesh that is swept as its hull: the triangle by which it is touched along a direction of the world, outward. */
static uint32_t sweep_triangle(const cm_shape *mesh, const cm_shape *hull, const cm_motion *m, const cm_sweep_hit *hit,
                               cm_vec3 out, double slack) {
    cm_pose pose;
    cm__core core;
    uint32_t id = 0;
    cm_motion_at(m, hit->first, &pose);
    cm__ops(hull->kind)->core(hull, &core);
    const cm_vec3 along = cm_unrotate(pose.rotation, out);
    const cm__point n = cm__point_of(along), at = cm__point_of(cm_pose_unapply(&pose, hit->point));
    const cm__point far = core.ops->support(&core, n, &id);
    const cm__point on = cm__point_mul_add(at, cm__point_dot(cm__point_sub(far, at), n), n);
    return cm__solid_hull_triangle(mesh, cm__vec3_of(on), along, slack);
}

/* Convex meshes are swept as their hulls. */
static bool sweep_as_hulls(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                           cm__sweep_want want, cm_sweep_hit *out) {
    const cm_shape as_a = cm__solid_hull_of(a, b), as_b = cm__solid_hull_of(b, a);
    cm__sweep_rest rest = {.a = a, .b = b, .b_in_a = cm_pose_between(&ma->start, &mb->start)};
    rest.slack = cm__solid_hull_slack(&as_a, &as_b, &rest.b_in_a);
    const cm__sweep_span span = {.limit = 1, .rest = &rest};
    if (!sweep_relative(&as_a, ma, &as_b, mb, &span, want, out)) return false;
    out->last = 1;
    if (as_a.kind != a->kind) out->part_a = sweep_triangle(a, &as_a, ma, out, out->normal, rest.slack);
    if (as_b.kind != b->kind) out->part_b = sweep_triangle(b, &as_b, mb, out, cm_neg(out->normal), rest.slack);
    return true;
}

/* A valid pair, in the order in which it is solved. */
static bool sweep_in_order(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                           cm__sweep_want want, cm_sweep_hit *out) {
    static const cm__sweep_span whole_step = {.from = 0, .limit = 1};
    if (shape_mesh_hull(a) || shape_mesh_hull(b)) return sweep_as_hulls(a, ma, b, mb, want, out);
    return sweep_relative(a, ma, b, mb, &whole_step, want, out);
}

bool cm_sweep(const cm_shape *a, const cm_motion *motion_a, const cm_shape *b, const cm_motion *motion_b,
              cm_sweep_hit *out) {
    if (!sweep_is_valid(a, motion_a, b, motion_b)) return false;
    cm_sweep_hit hit;
    if (pair_swapped(a, &motion_a->start, b, &motion_b->start)) {
        if (!sweep_in_order(b, motion_b, a, motion_a, CM__SWEEP_HIT, &hit)) return false;
        hit_mirror(&hit); /* moves the point from B's surface to A's, which differ by the gap or depth */
        cm_witness deepest;
        if (hit.start == CM_SWEEP_OVERLAPPING && !(hit.first > 0) && !cm__ops(a->kind)->parts &&
            cm_distance(a, &motion_a->start, b, &motion_b->start, CM_REAL_MAX, &deepest) <= 0)
            hit.point = deepest.point_a;
    } else if (!sweep_in_order(a, motion_a, b, motion_b, CM__SWEEP_HIT, &hit)) {
        return false;
    }
    if (out) *out = hit;
    return true;
}

/* The motion backwards in time: at u it is where the given one is at 1 - u. */
static void motion_backwards(const cm_shape *shape, const cm_motion *motion, cm_motion *out) {
    cm_motion room;
    const cm_motion *m = motion_of_set(shape, motion, &room);
    *out = *m;
    cm_motion_at(m, 1, &out->start);
    out->move = cm_neg(cm_add(m->move, m->accelerate)), out->spin = cm_neg(m->spin);
}

bool cm_sweep_last(const cm_shape *a, const cm_motion *motion_a, const cm_shape *b, const cm_motion *motion_b,
                   cm_real *out) {
    if (!sweep_is_valid(a, motion_a, b, motion_b)) return false;
    cm_motion back_a, back_b;
    motion_backwards(a, motion_a, &back_a), motion_backwards(b, motion_b, &back_b);
    cm_sweep_hit hit;
    if (!cm_pose_is_valid(&back_a.start) || !cm_pose_is_valid(&back_b.start)) return false;
    bool swapped = pair_swapped(a, &back_a.start, b, &back_b.start);
    const cm_shape *first = swapped ? b : a, *second = swapped ? a : b;
    const cm_motion *back_first = swapped ? &back_b : &back_a, *back_second = swapped ? &back_a : &back_b;
    if (!sweep_in_order(first, back_first, second, back_second, CM__SWEEP_FIRST, &hit)) return false;
    if (out) *out = cm_min(wide_up(1 - (double)hit.first), 1);
    return true;
}
