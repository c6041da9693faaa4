/* Any two convex shapes, or one and a half-space, in motion: by their closed form (hit.h) where they have one and do
 * not turn, else by distance.
 *
 * Straight motion: the distance is a convex function of time, and at any time its slope is v.n, n the normal of the
 * closest points: the plane across n keeps the shapes apart until d / -v.n later. Stepping to that time is Newton's
 * method, from the left, on a convex function: never past the root, and fast once near. A slope that is not negative
 * proves a miss. The end of the contact is the same from u = 1 backwards. Polytopes of many corners that start apart
 * are told by the faces of their difference (convex/pierce.c); where that says nothing they come near by a search in
 * cm_real that moves time on with every plane that keeps them apart by more than its rounding (convex/lead.c)
 * [vandenBergen04]. Turning motion: no slope is to be trusted, but no point of a shape comes nearer along n faster than
 * v.n plus the speed of its turning, at most |spin| times its distance from the axis: conservative advancement
 * [Mirtich96]. Where the true speed is but a small part of that bound, as of what grazes, such steps get nowhere: so
 * farther ones are tried, which the bound on the acceleration allows (shapes_stride). The distance is right to a few
 * ulps of cm_real of positions and sizes; `near`, 8 of those, is taken off before each step, and counts as contact. So
 * `first` is never late, and the gap left there is at most 2 near. Bound: 64 steps from either side, 256 when turning;
 * ended by it, the last safe time stands, which is early. */
#include "carom/sweep.h"
#include "convex/pierce.h"
#include "pair/pair.h"
#include "sweep/hit.h"
#include "sweep/moving.h"
#include "sweep/shapes.h"

#include <string.h>

typedef struct shape_sweep {
    const cm_shape *a, *b;
    const cm_motion *ma, *mb;
    const cm__pair *pair;
    cm__point v; /* of A relative to B, in the world */
    double near; /* distances up to here are contact */
    double turn; /* bound on the speed that turning adds */
    double bend; /* and on how fast the speed along a normal changes by it */
    bool sided;  /* both are convex and have a core: what a plane keeps apart can be told */
    cm__core core_a, core_b;
    /* two cores that do not turn, and are answered by their support points: laid out once */
    bool cores;
    cm__convex_pair two;
    cm__frame home;         /* A's turn */
    cm__point start, drift; /* of B in A's frame: the place at u = 0, and the way from there */
    cm_pair_cache cache;
} shape_sweep;

/* The answer at time u: points in A's frame then, the normal in the world. */
typedef struct shape_moment {
    double u;
    cm__gap gap;
} shape_moment;

/* `apart`: overlapping needs no depth, but to be told: 0 stands for it. */
static void shapes_at(shape_sweep *s, double u, bool apart, shape_moment *out) {
    out->u = u;
    if (s->cores) {
        cm__convex_gap gap;
        s->two.b_in_a.position = cm__point_mul_add(s->start, u, s->drift);
        if (apart) {
            cm__convex_gap_apart(&s->two, &s->cache, &gap);
        } else {
            cm__convex_gap_of(&s->two, DBL_MAX, NULL, &gap);
        }
        out->gap.a = gap.a, out->gap.b = gap.b;
        out->gap.distance = gap.distance;
        out->gap.normal = frame_turn(&s->home, gap.normal);
        return;
    }
    cm_pose pose_a, pose_b;
    cm_motion_at(s->ma, (cm_real)u, &pose_a);
    cm_motion_at(s->mb, (cm_real)u, &pose_b);
    cm_pose b_in_a = cm_pose_between(&pose_a, &pose_b);
    s->pair->gap(s->a, s->b, &b_in_a, &out->gap);
    out->gap.normal = cm__point_of(cm_rotate(pose_a.rotation, cm__vec3_of(out->gap.normal)));
}

static void shapes_lay_out(shape_sweep *s) {
    const cm__shape_ops *ops_a = cm__ops(s->a->kind), *ops_b = cm__ops(s->b->kind);
    s->cores = s->pair == &cm__pair_convex && !(s->turn > 0);
    s->sided = s->turn > 0 && ops_a->core && ops_b->core;
    if (!s->cores && !s->sided) return;
    ops_a->core(s->a, &s->core_a);
    ops_b->core(s->b, &s->core_b);
    if (!s->cores) return;
    const cm_pose *start_a = &s->ma->start, *start_b = &s->mb->start;
    cm_pose b_in_a = cm_pose_between(start_a, start_b);
    cm__frame frame = frame_of_pose(&b_in_a);
    s->home = frame_of_pose(start_a);
    cm__point between = cm__point_sub(cm__point_of(start_b->position), cm__point_of(start_a->position));
    s->start = frame.position = frame_unturn(&s->home, between);
    s->drift = frame_unturn(&s->home, wide_neg(s->v));
    cm__convex_pair_of(&s->core_a, &s->core_b, &frame, &s->two);
    s->two.scale += cm__point_largest(s->drift);
    memset(&s->cache, 0, sizeof s->cache);
}

double cm__shape_reach(const cm_shape *shape, cm_vec3 from) {
    const cm__shape_ops *ops = cm__ops(shape->kind);
    if (ops->parts) {
        cm_aabb box;
        ops->parts->box(shape, &box);
        cm__point low = cm__point_sub(cm__point_of(box.min), cm__point_of(from));
        cm__point high = cm__point_sub(cm__point_of(box.max), cm__point_of(from));
        return cm__point_length(cm__p(wide_max(fabs(low.x), fabs(high.x)), wide_max(fabs(low.y), fabs(high.y)),
                                      wide_max(fabs(low.z), fabs(high.z))));
    }
    if (!ops->polytope) {
        cm__core core;
        ops->core(shape, &core);
        return cm__point_length(cm__point_sub(core.center, cm__point_of(from))) + core.size + core.radius;
    }
    cm__polytope p;
    cm__polytope_of(shape, NULL, &p);
    double far = 0;
    for (int i = 0; i < p.corner_count; i++)
        far = wide_max(far, cm__point_length(cm__point_sub(p.corner[i], cm__point_of(from))));
    return far + (double)shape->radius;
}

static bool shape_is_endless(const cm_shape *shape) { return cm__ops(shape->kind)->shape_class == CM__HALFSPACE; }

/* What turning adds to the speed at which points of the two come closer: spin times the distance from the pivot. Of a
 * half-space that of the other's points counts: they are what comes close to it. */
static double shape_turning(const cm_shape *shape, const cm_motion *motion, const cm_shape *other,
                            const cm_motion *others) {
    double spin = cm__point_length(cm__point_of(motion->spin));
    if (!(spin > 0)) return 0;
    if (!shape_is_endless(shape)) return spin * cm__shape_reach(shape, motion->pivot);
    if (shape_is_endless(other)) return spin * (double)CM_COORD_MAX;
    cm__point pivot = cm__point_of(cm_pose_apply(&motion->start, motion->pivot));
    cm__point away = cm__point_sub(cm__point_of(cm_pose_apply(&others->start, others->pivot)), pivot);
    double moved = wide_sum(cm__point_of(motion->move)) + wide_sum(cm__point_of(others->move));
    return spin * (cm__point_length(away) + moved + cm__shape_reach(other, others->pivot));
}

/* A time from `start` (0 or 1) on toward the other end until which they are more than 4 near apart; `start` itself
 * where that is not known, and beyond the other end (2, -1) where it is true all the way. */
static double shapes_lead(shape_sweep *s, double start) {
    if (!s->cores || !s->two.sharp) return start;
    s->two.b_in_a.position = cm__point_mul_add(s->start, start, s->drift);
    cm__point way = start > 0 ? wide_neg(s->drift) : s->drift;
    double u = cm__lead_ray(&s->two, way, 4 * s->near, &s->cache);
    if (u > 1) return start > 0 ? -1 : 2;
    return start > 0 ? (double)wide_up(1 - u) : (double)wide_down(u);
}

/* By how much the slope of a distance may be off: the ends of a gap are rounded, and so is its direction where it is
 * short. What the general way says is proven by its normal, however that came about. */
static double shapes_doubt(const shape_sweep *s, const shape_moment *m) {
    if (s->cores) return 0;
    double rounding = s->near * (DBL_EPSILON / (double)CM_REAL_EPSILON);
    return cm__point_length(s->v) * rounding / m->gap.distance;
}

/* At which speed they approach on the way from there to a later time (sign 1) or to an earlier one (-1). */
static double shapes_speed(const shape_sweep *s, const shape_moment *m, double sign) {
    return sign * cm__point_dot(s->v, m->gap.normal) + s->turn;
}

/* Two moments apart, from *m to *far, that tell nothing of the slope: the least of the convex function between them, by
 * thirds. True: they touch at *far; between it and *m is the first time. */
static bool shapes_dip(shape_sweep *s, shape_moment *m, shape_moment *far) {
    shape_moment one, two;
    for (int i = 0; i < 96 && fabs(far->u - m->u) * cm__point_length(s->v) > s->near; i++) {
        shapes_at(s, (double)(cm_real)(m->u + (far->u - m->u) / 3), true, &one);
        shapes_at(s, (double)(cm_real)(m->u + (far->u - m->u) * 2 / 3), true, &two);
        if (one.gap.distance <= 2 * s->near || two.gap.distance <= 2 * s->near) {
            *far = one.gap.distance <= 2 * s->near ? one : two;
            return true;
        }
        if (one.gap.distance <= two.gap.distance)
            *far = two;
        else
            *m = one;
    }
    return false;
}

/* The slope at *m says nothing, so the other end is asked, which is *far if they touch there: then the first time lies
 * between. False: they do not touch at all on the way to `end`. */
static bool shapes_beyond_doubt(shape_sweep *s, double end, int steps, shape_moment *m, shape_moment *far) {
    double sign = end > m->u ? 1 : -1;
    shapes_at(s, end, true, far);
    for (int i = 0; i < steps && far->gap.distance > 2 * s->near; i++) {
        double speed = shapes_speed(s, far, -sign), doubt = shapes_doubt(s, far);
        if (fabs(speed) <= doubt) return shapes_dip(s, m, far);
        double step = (far->gap.distance - s->near) / speed; /* back to where they may still touch */
        if (!(speed > 0 && step < fabs(far->u - m->u))) return false;
        shapes_at(s, (double)(cm_real)(far->u - sign * step), true, far);
    }
    return true;
}

/* From m->u, where they are apart, to the first time at which they touch, and they do at the other end. */
static void shapes_close_in(shape_sweep *s, double end, shape_moment *m) {
    for (int i = 0; i < 64 && m->gap.distance > 2 * s->near; i++) {
        shape_moment middle;
        double u = (double)(cm_real)(m->u + (end - m->u) / 2);
        if (u == m->u || u == end) return;
        shapes_at(s, u, true, &middle);
        if (middle.gap.distance > 0)
            *m = middle;
        else
            end = u;
    }
}

/* How far the plane across a normal of the world keeps the two apart at time u: no more than their distance then. Of a
 * half-space there is but one plane. */
static double shapes_beside(shape_sweep *s, double u, cm__point normal) {
    shape_moment m;
    if (!s->sided) {
        shapes_at(s, u, false, &m);
        return m.gap.distance;
    }
    cm_pose pose_a, pose_b;
    cm_motion_at(s->ma, (cm_real)u, &pose_a);
    cm_motion_at(s->mb, (cm_real)u, &pose_b);
    cm__frame a = frame_of_pose(&pose_a), b = frame_of_pose(&pose_b);
    cm__point toward_b = frame_unturn(&a, normal), toward_a = frame_unturn(&b, wide_neg(normal));
    uint32_t id_a = 0, id_b = 0;
    cm__point from = s->core_a.ops->support(&s->core_a, toward_b, &id_a);
    cm__point to = s->core_b.ops->support(&s->core_b, toward_a, &id_b);
    double between = cm__point_dot(normal, cm__point_sub(b.position, a.position));
    return between - cm__point_dot(from, toward_b) - cm__point_dot(to, toward_a) - s->core_a.radius - s->core_b.radius;
}

/* A step from *m, at least `least`, at most `most`, on which the plane across its normal keeps them apart beyond doubt.
 * For two points, one of either shape, the way between them along the normal is a function f of time with |f''| <=
 * bend: over a step h it lies nowhere more than bend h^2 s (1 - s) / 2, s from 0 to 1, under the line from its start to
 * its end. With d left at the start and nothing at the end that line stays above as long as bend h^2 <= 2 d. Of such
 * steps the longest that ends with something left, by false position: where they approach, that is about the contact.
 */
static double shapes_stride(shape_sweep *s, const shape_moment *m, double sign, double least, double most) {
    double h = wide_min(most, sqrt(2 * (m->gap.distance - s->near) / s->bend) * (1 - 1e-6)), safe = least;
    double low = 0, high = h, at_low = m->gap.distance - s->near * 3 / 2, at_high = 0;
    for (int i = 0, side = 0; i < 10 && h > safe; i++) {
        double u = m->u + sign * h;
        double left = shapes_beside(s, sign > 0 ? (double)wide_down(u) : (double)wide_up(u), m->gap.normal) - s->near;
        if (left >= 0) safe = h;
        if (left >= 0 && (h == high || left <= s->near)) break;
        double at = left - s->near / 2;
        if (at > 0) {
            low = h, at_low = at, at_high = side > 0 ? at_high / 2 : at_high;
        } else {
            high = h, at_high = at, at_low = side < 0 ? at_low / 2 : at_low;
        }
        side = at > 0 ? 1 : -1;
        h = low + (high - low) * (at_low / (at_low - at_high));
    }
    return safe;
}

/* From m->u, where *m is the answer, toward `end` (0 or 1) until the shapes touch: then *m is the answer there, but for
 * the depth. False: they do not, up to the end. */
static bool shapes_advance(shape_sweep *s, double end, int steps, shape_moment *m) {
    double sign = end > m->u ? 1 : -1;
    for (int i = 0; i < steps; i++) {
        if (m->gap.distance <= 2 * s->near) return true;
        double speed = shapes_speed(s, m, sign);
        if (!(s->turn > 0) && fabs(speed) <= shapes_doubt(s, m)) {
            shape_moment far;
            if (!shapes_beyond_doubt(s, end, steps, m, &far)) return false;
            shapes_close_in(s, far.u, m);
            return true;
        }
        if (!(speed > 0)) return false;
        double step = (m->gap.distance - s->near) / speed, most = fabs(end - m->u);
        if (s->turn > 0 && step < most) step = shapes_stride(s, m, sign, step, most);
        if (!(step < most)) { /* safe to the end: the gap there is what is left */
            shapes_at(s, end, true, m);
            return m->gap.distance <= 2 * s->near;
        }
        double next = m->u + sign * step;
        cm_real rounded = sign > 0 ? wide_down(next) : wide_up(next);
        if ((double)rounded == m->u) return true; /* no step is left that cm_real can express */
        shape_moment before = *m;
        shapes_at(s, (double)rounded, true, m);
        if (!(m->gap.distance > 0) && !s->cores && !(s->turn > 0)) { /* too far, by the rounding of a short gap */
            *m = before;
            shapes_close_in(s, (double)rounded, m);
            return true;
        }
    }
    return true;
}

/* Of a contact so near that the direction of its gap is rounding, as in the double build every arrival is: the normal
 * of a little before, or of after where they part, when the gap is wide enough to tell it to 2^-14. Between then and
 * now they move by at most 2^28 near. What the general way says is proven by its normal already, and a half-space has
 * but one. */
static void shapes_settle_normal(shape_sweep *s, shape_moment *m) {
    double rounding = s->near * (DBL_EPSILON / (double)CM_REAL_EPSILON);
    double speed = cm__point_length(s->v) + s->turn;
    if (s->pair == &cm__pair_convex || shape_is_endless(s->b) || !(speed > 0)) return;
    if (!(m->gap.distance > 0 && m->gap.distance < 0x1p14 * rounding)) return;
    for (double way = 0x1p16 * rounding; way <= 0x1p28 * rounding; way *= 64)
        for (int side = -1; side <= 1; side += 2) {
            shape_moment beside;
            shapes_at(s, m->u + side * way / speed, true, &beside);
            if (!(beside.gap.distance >= 0x1p14 * rounding)) continue;
            if (!(cm__point_dot(beside.gap.normal, m->gap.normal) > 0.5)) continue; /* the other side of what is flat */
            m->gap.normal = beside.gap.normal;
            return;
        }
}

/* Two that turn and touch at the start: do they part beyond doubt, and are apart at *later? Along any normal of the
 * world the distance of two points, one of either shape, lies nowhere more than bend h^2 s (1 - s) / 2 under the line
 * from its start to its end h later, s from 0 to 1: where bend h^2 / 2 is left at the end, none gets nearer before.
 * Tried are the *normal of the start and those of later: it becomes the one that told. */
static bool shapes_part(shape_sweep *s, cm__point *normal, shape_moment *later) {
    bool beside = shapes_beside(s, 0, *normal) >= -2 * s->near;
    double h = 1;
    for (int i = 0; i < 16; i++, h /= 2) {
        double least = s->bend * h * h / 2 + 4 * s->near;
        shapes_at(s, h, true, later);
        if (!(later->gap.distance >= least)) continue;
        if (beside && shapes_beside(s, h, *normal) >= least) return true;
        if (!(shapes_beside(s, 0, later->gap.normal) >= -2 * s->near)) continue;
        *normal = later->gap.normal;
        return true;
    }
    return false;
}

static bool motion_is_valid(const cm_motion *m) {
    return m && cm_pose_is_valid(&m->start) && cm_vec3_is_valid(m->move) && cm_vec3_is_valid(m->spin) &&
           cm_vec3_is_valid(m->pivot);
}

/* What rounding scales with. */
static double shape_size(const cm_shape *shape, cm_vec3 origin) {
    if (!shape_is_endless(shape)) return cm__shape_reach(shape, origin);
    return fabs((double)shape->u.halfspace.d) + (double)shape->radius;
}

double cm__sweep_band(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb) {
    const cm_vec3 origin = cm_v(0, 0, 0);
    const cm_pose *pa = &ma->start, *pb = &mb->start;
    double moved = wide_sum(cm__point_of(ma->move)) + wide_sum(cm__point_of(mb->move));
    double spin_a = cm__point_largest(cm__point_of(ma->spin)), spin_b = cm__point_largest(cm__point_of(mb->spin));
    double world = cm__point_largest(cm__point_of(pa->position)) + cm__point_largest(cm__point_of(pb->position));
    double size = wide_sum(cm__point_sub(cm__point_of(pb->position), cm__point_of(pa->position))) + moved;
    size += shape_size(a, origin) + shape_size(b, origin);
    /* a pivot is turned, and rounded, from where it is */
    if (spin_a > 0) size += cm__point_length(cm__point_of(ma->pivot));
    if (spin_b > 0) size += cm__point_length(cm__point_of(mb->pivot));
    /* positions at u are rounded where they are in the world, half an ulp a coordinate */
    bool still = !(moved > 0 || spin_a > 0 || spin_b > 0);
    return 2 * (double)CM_REAL_EPSILON * (8 * size + (still ? 0 : 2 * world));
}

bool cm__sweep_approaches(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, double u,
                          cm__point at, cm__point normal) {
    const cm_shape *shape[2] = {a, b};
    const cm_motion *motion[2] = {ma, mb};
    cm__point home = cm__point_of(ma->start.position), velocity[2];
    double sizes = 0;
    for (int i = 0; i < 2; i++) {
        cm__moving m;
        cm__moving_of(shape[i], motion[i], home, &m);
        velocity[i] = cm__moving_velocity(&m, u, cm__point_sub(at, home), &sizes);
    }
    return cm__point_dot(cm__point_sub(velocity[0], velocity[1]), normal) > SWEEP_SLIDE * sizes;
}

static bool shapes_prepare(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, double band,
                           shape_sweep *s) {
    s->a = a, s->b = b, s->ma = ma, s->mb = mb;
    s->pair = cm__pair_of(a, b);
    if (!s->pair || !s->pair->gap) return false;
    s->v = cm__point_sub(cm__point_of(ma->move), cm__point_of(mb->move));
    double turn_a = shape_turning(a, ma, b, mb), turn_b = shape_turning(b, mb, a, ma);
    double spin_a = cm__point_length(cm__point_of(ma->spin)), spin_b = cm__point_length(cm__point_of(mb->spin));
    s->turn = turn_a + turn_b;
    s->bend = spin_a * turn_a + spin_b * turn_b;
    if (shape_is_endless(b)) s->bend += 2 * spin_b * (cm__point_length(s->v) + turn_a); /* its normal turns */
    s->near = (band > 0 ? band : cm__sweep_band(a, ma, b, mb)) / 2;
    return true;
}

typedef bool (*straight_way)(const cm__straight *s, cm_sweep_hit *out);

/* The closed form of two shapes that do not turn; NULL where there is none. */
static straight_way straight_way_of(const cm_shape *a, const cm_shape *b) {
    static const straight_way table[CM_SHAPE_KINDS][CM_SHAPE_KINDS] = {
#define STRAIGHT_ROW(A, B, name) [CM_SHAPE_##A][CM_SHAPE_##B] = cm__straight_##name,
        CM__STRAIGHT_LIST(STRAIGHT_ROW)
#undef STRAIGHT_ROW
    };
    bool boxes = a->kind == CM_SHAPE_BOX && b->kind == CM_SHAPE_BOX; /* these two have no closed form when rounded */
    return boxes && a->radius + b->radius > 0 ? NULL : table[a->kind][b->kind];
}

static bool shapes_straight(straight_way way, const cm_shape *a, const cm_motion *ma, const cm_shape *b,
                            const cm_motion *mb, cm_sweep_hit *out) {
    cm__straight s;
    s.a = a, s.b = b;
    s.pose_a = wide_pose_of(&ma->start);
    s.pose_b = wide_pose_of(&mb->start);
    cm__point home = s.pose_a.position;
    s.pose_a.position = cm__p(0, 0, 0);
    s.pose_b.position = cm__point_sub(s.pose_b.position, home);
    s.move = cm__point_of(ma->move);
    s.v = cm__point_sub(s.move, cm__point_of(mb->move));
    cm_sweep_hit hit;
    return straight_home(way(&s, &hit), &hit, home, out);
}

/* Polytopes by the faces of their difference. UNKNOWN: the general way has to do it. */
static cm__pierce_end shapes_pierce(const shape_sweep *s, cm_sweep_hit *out) {
    cm__pierce p;
    if (!s->cores || !s->two.sharp || s->core_a.radius + s->core_b.radius > 0) return CM__PIERCE_UNKNOWN;
    cm__pierce_end end = cm__pierce_run(&s->two, s->drift, s->near, &p);
    if (end != CM__PIERCE_HIT) return end;
    cm__span span = {p.first, p.last};
    cm__sweep_start_state start = {4 * s->near, false, -1, s->near / (4 * (double)CM_REAL_EPSILON)};
    cm_sweep_hit hit;
    if (!cm__sweep_begin(&start, span, &hit)) return CM__PIERCE_MISS;
    cm_pose pose;
    cm_motion_at(s->ma, hit.first, &pose);
    cm_vec3 point = cm_pose_apply(&pose, cm__vec3_of(p.a));
    cm__sweep_end(s->v, frame_turn(&s->home, p.normal), cm__point_of(point), &hit);
    *out = hit;
    return end;
}

/* What the caller knows, and wants. */
typedef struct shapes_ask {
    double from;  /* > 0: they are apart until then */
    double limit; /* nothing later is of interest */
    double band;  /* as in cm__sweep_span */
    bool last;    /* when the contact ends */
} shapes_ask;

static bool shapes_sweep(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                         const shapes_ask *ask, cm_sweep_hit *out) {
    straight_way way = straight_way_of(a, b);
    if (way && !(cm_largest(ma->spin) > 0) && !(cm_largest(mb->spin) > 0))
        return shapes_straight(way, a, ma, b, mb, out);
    shape_sweep s;
    if (!shapes_prepare(a, ma, b, mb, ask->band, &s)) return false;
    shapes_lay_out(&s);
    /* what is near the start needs to be looked at there */
    double known = ask->from * (cm__point_length(s.v) + s.turn) > 8 * s.near ? ask->from : 0;
    cm__pierce_end pierced = known > 0 ? CM__PIERCE_UNKNOWN : shapes_pierce(&s, out);
    if (pierced != CM__PIERCE_UNKNOWN) return pierced == CM__PIERCE_HIT;
    shape_moment first, last;
    double safe = known > 0 ? (double)wide_down(known) : shapes_lead(&s, 0), distance, rate;
    if (safe > 1) return false;
    shapes_at(&s, safe, safe > 0, &first);
    if (known > 0 && !(first.gap.distance > s.near / 2)) { /* nearer than what was promised: by rounding */
        const shapes_ask again = {0, ask->limit, ask->band, ask->last};
        return shapes_sweep(a, ma, b, mb, &again, out);
    }
    shapes_settle_normal(&s, &first);
    distance = first.gap.distance, rate = sweep_rate(s.v, first.gap.normal) - s.turn;
    if (distance > 2 * s.near && rate <= shapes_doubt(&s, &first)) rate = -1; /* they may approach */
    if (safe > 0) distance = 4 * s.near, rate = -1;                           /* at the start, as far as it counts */
    shape_moment later;
    bool again = false,
         parts = s.turn > 0 && ask->last && fabs(distance) <= 2 * s.near && shapes_part(&s, &first.gap.normal, &later);
    if (parts) { /* what touches does not block it, but what it runs into later */
        again = later.u < ask->limit && shapes_advance(&s, ask->limit, 256, &later);
        if (again) first = later;
    } else if (distance > 0 && !(rate < 0)) { /* a miss, but where they touch at rest, which is decided there */
        cm_pose b_in_a = cm_pose_between(&ma->start, &mb->start);
        if (distance > 2 * s.near || !cm__pair_overlap(a, b, &b_in_a)) return false;
        distance = 0;
    } else if (distance > 0) {
        if (!(first.u <= ask->limit)) return false;
        if (!shapes_advance(&s, ask->limit, s.turn > 0 ? 256 : 64, &first)) return false;
        shapes_settle_normal(&s, &first);
    }
    cm__span span = {first.u, 1};
    if (ask->last && !(s.turn > 0)) {
        safe = shapes_lead(&s, 1);
        shapes_at(&s, safe > first.u ? safe : first.u, true, &last);
        if (last.gap.distance > 2 * s.near)
            span.last = shapes_advance(&s, first.u, 64, &last) ? last.u : first.u;
        else if (safe < 1) /* from here to the end they are apart, by what led here */
            span.last = last.u;
    }
    cm_sweep_hit hit;
    cm__sweep_start_state start = {distance, distance <= 0, rate, s.near / (4 * (double)CM_REAL_EPSILON)};
    if (!cm__sweep_begin(&start, span, &hit)) return false;
    if (again) hit.first = wide_down(first.u);
    if (!(first.gap.distance > 0) && (distance > 0 || again)) shapes_at(&s, first.u, false, &first);
    cm_pose pose;
    cm_motion_at(ma, hit.first, &pose);
    cm_vec3 point = cm_pose_apply(&pose, cm__vec3_of(first.gap.a));
    cm__sweep_end(s.v, first.gap.normal, cm__point_of(point), &hit);
    if (s.turn > 0 && !hit.blocking) { /* the turning may approach where the moving does not */
        hit.blocking = hit.start != CM_SWEEP_OVERLAPPING || cm__point_dot(s.v, first.gap.normal) + s.turn > 0;
    }
    if (parts) hit.blocking = again;
    *out = hit;
    return true;
}

bool cm__shapes_sweep(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                      const cm__sweep_span *span, cm__sweep_want want, cm_sweep_hit *out) {
    if (b->kind < a->kind) {
        if (!cm__shapes_sweep(b, mb, a, ma, span, want, out)) return false;
        out->normal = cm_neg(out->normal); /* and the point from B's surface to A's: the same but for the gap, */
        cm_witness deepest;                /* or the depth */
        if (want == CM__SWEEP_HIT && out->start == CM_SWEEP_OVERLAPPING && !cm__ops(a->kind)->parts &&
            cm_distance(a, &ma->start, b, &mb->start, CM_REAL_MAX, &deepest) <= 0)
            out->point = deepest.point_a;
        uint32_t part = out->part_a;
        out->part_a = out->part_b, out->part_b = part;
        return true;
    }
    if (cm__ops(b->kind)->parts) return cm__composite_sweep(a, ma, b, mb, span, want, out);
    const shapes_ask ask = {span->from, (double)span->limit, span->band, want == CM__SWEEP_HIT};
    return shapes_sweep(a, ma, b, mb, &ask, out);
}

bool cm__convex_sweep_from(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                           const cm__sweep_span *span, cm_sweep_hit *out) {
    const shapes_ask ask = {span->from, (double)span->limit, span->band, false};
    if (a->kind <= b->kind) return shapes_sweep(a, ma, b, mb, &ask, out);
    if (!shapes_sweep(b, mb, a, ma, &ask, out)) return false;
    out->normal = cm_neg(out->normal);
    return true;
}

static const cm__sweep_span whole_step = {0, 1, 0};

static bool sweep_is_valid(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb) {
    return cm_shape_check(a, NULL) == CM_OK && cm_shape_check(b, NULL) == CM_OK && motion_is_valid(ma) &&
           motion_is_valid(mb);
}

bool cm_sweep(const cm_shape *a, const cm_motion *motion_a, const cm_shape *b, const cm_motion *motion_b,
              cm_sweep_hit *out) {
    if (!sweep_is_valid(a, motion_a, b, motion_b)) return false;
    cm_sweep_hit hit;
    if (!cm__shapes_sweep(a, motion_a, b, motion_b, &whole_step, CM__SWEEP_HIT, &hit)) return false;
    if (out) *out = hit;
    return true;
}

/* The same way backwards: at u it is where the motion is at 1 - u. */
static void motion_backwards(const cm_motion *m, cm_motion *out) {
    *out = *m;
    cm_motion_at(m, 1, &out->start);
    out->move = cm_neg(m->move), out->spin = cm_neg(m->spin);
}

bool cm_sweep_last(const cm_shape *a, const cm_motion *motion_a, const cm_shape *b, const cm_motion *motion_b,
                   cm_real *out) {
    if (!sweep_is_valid(a, motion_a, b, motion_b)) return false;
    cm_motion back_a, back_b;
    motion_backwards(motion_a, &back_a), motion_backwards(motion_b, &back_b);
    cm_sweep_hit hit;
    if (!cm_pose_is_valid(&back_a.start) || !cm_pose_is_valid(&back_b.start)) return false;
    if (!cm__shapes_sweep(a, &back_a, b, &back_b, &whole_step, CM__SWEEP_FIRST, &hit)) return false;
    if (out) *out = cm_min(wide_up(1 - (double)hit.first), 1);
    return true;
}
