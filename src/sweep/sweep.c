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
 * farther ones are tried, which the bound on the acceleration allows (cm__moving_stride). Curved paths go the same way;
 * without turning a step is exact along n (curve.h), so that a half-space takes one and what is round a few. The
 * distance is right to a few ulps of cm_real of positions and sizes; `near`, 8 of those, is taken off before each step,
 * and counts as contact. So `first` is never late, and the gap left there is at most 2 near. Bound: 64 steps from
 * either side, 512 when turning; ended by it, the hit says so (CM_PROOF_LIMIT), and its time is the last safe one. */
#include "carom/sweep.h"
#include "convex/pierce.h"
#include "pair/pair.h"
#include "sweep/curve.h"
#include "sweep/hit.h"
#include "sweep/shapes.h"
#include "sweep/start.h"

#include <string.h>

#define TURNING_NEAR 0.7 /* poses of what turns are rounded in cm_real, which counts for what is left too */
#define SHORT_STEPS  8   /* more than these are rare */

typedef struct shape_sweep {
    const cm_shape *a, *b;
    const cm_motion *ma, *mb;
    const cm__method *method;
    cm__point v; /* of A relative to B, in the world */
    double near; /* distances up to here are contact */
    bool turns;
    cm__moving_pair moving; /* where it does: the two as sets in motion */
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
    bool limit; /* shapes_advance took all of its steps to get here: they are apart, and no more is known */
} shape_moment;

/* `apart`: overlapping needs no depth, but to be told: 0 stands for it. */
static void shapes_at(shape_sweep *s, double u, bool apart, shape_moment *out) {
    out->u = u;
    out->limit = false;
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
    const cm__frame frame = frame_of_pose(&b_in_a);
    s->method->gap(s->a, s->b, &frame, &out->gap);
    out->gap.normal = cm__point_of(cm_rotate(pose_a.rotation, cm__vec3_of(out->gap.normal)));
}

static void shapes_lay_out(shape_sweep *s) {
    s->cores = method_searches(s->method) && !s->turns;
    if (!s->cores) return;
    cm__ops(s->a->kind)->core(s->a, &s->core_a);
    cm__ops(s->b->kind)->core(s->b, &s->core_b);
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
    if (shape->kind == CM_SHAPE_BOX) {
        const cm__point far = cm__point_add(cm__point_of(cm_vec3_abs(from)), cm__point_of(shape->u.box));
        return cm__point_length(far) + (double)shape->radius;
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
    return sign * cm__point_dot(s->v, m->gap.normal) + (s->turns ? cm__moving_turning(&s->moving, m->gap.normal) : 0);
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

static double shapes_stride(const shape_sweep *s, const shape_moment *m, double sign, double step, double most) {
    return cm__moving_stride(&s->moving, m->u, sign, m->gap.normal, m->gap.distance - s->near, s->near, s->near, step,
                             most);
}

/* Steps have been short for long. Where a face turns along an edge its normal turns with it, and proves more than one
 * that stands. Of a gap that is little more than rounding the direction is rounding too; that of a little later may be
 * better. */
static double shapes_short_stride(const shape_sweep *s, const shape_moment *m, double sign, double step, double most) {
    double ahead = 0;
    for (int i = 0; i < 4 && step < most; i++) {
        cm__moving_gap at;
        cm__moving_gap_at(&s->moving, m->u + sign * wide_min(ahead, most), &at);
        const double left = cm__moving_along(&s->moving, m->u, at.normal) - s->near;
        if (left > 0) {
            step = cm__moving_stride(&s->moving, m->u, sign, at.normal, left, s->near, s->near, step, most);
            step = cm__moving_stride_turned(&s->moving, m->u, sign, at.normal, left, s->near, s->near, step, most);
        }
        ahead = i == 0 ? step : 8 * ahead;
    }
    return step;
}

/* From m->u, where *m is the answer, toward `end` (0 or 1) until the shapes touch: then *m is the answer there, but for
 * the depth. False: they do not, up to the end. m->limit: neither is known from there on. */
static bool shapes_advance(shape_sweep *s, double end, int steps, shape_moment *m) {
    double sign = end > m->u ? 1 : -1;
    for (int i = 0; i < steps; i++) {
        if (m->gap.distance <= 2 * s->near) return true;
        double speed = shapes_speed(s, m, sign);
        if (!s->turns && fabs(speed) <= shapes_doubt(s, m)) {
            shape_moment far;
            if (!shapes_beyond_doubt(s, end, steps, m, &far)) return false;
            shapes_close_in(s, far.u, m);
            return true;
        }
        if (!(speed > 0)) return false;
        double step = (m->gap.distance - s->near) / speed, most = fabs(end - m->u);
        if (s->turns && step < most) step = shapes_stride(s, m, sign, step, most);
        if (s->turns && step < most && i >= SHORT_STEPS) step = shapes_short_stride(s, m, sign, step, most);
        if (!(step < most)) { /* safe to the end: the gap there is what is left */
            shapes_at(s, end, true, m);
            return m->gap.distance <= 2 * s->near;
        }
        double next = m->u + sign * step;
        cm_real rounded = sign > 0 ? wide_down(next) : wide_up(next);
        if ((double)rounded == m->u) break; /* no step is left that cm_real can express */
        shape_moment before = *m;
        shapes_at(s, (double)rounded, true, m);
        if (!(m->gap.distance > 0) && !s->cores && !s->turns) { /* too far, by the rounding of a short gap */
            *m = before;
            shapes_close_in(s, (double)rounded, m);
            return true;
        }
    }
    m->limit = m->gap.distance > 2 * s->near;
    return true;
}

/* Of a contact so near that the direction of its gap is rounding, as in the double build every arrival is: the normal
 * of a little before, or of after where they part, when the gap is wide enough to tell it to 2^-14. Between then and
 * now they move by at most 2^28 near. A half-space has but one. */
static void shapes_settle_normal(shape_sweep *s, shape_moment *m) {
    double rounding = s->near * (DBL_EPSILON / (double)CM_REAL_EPSILON);
    double speed = cm__point_length(s->v) + (s->turns ? cm__moving_turning(&s->moving, m->gap.normal) : 0);
    if (shape_is_endless(s->b) || !(speed > 0)) return;
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

static bool motion_is_valid(const cm_motion *m) { return m && cm_pose_is_valid(&m->start) && cm__motion_is_finite(m); }

/* What rounding scales with. */
static double shape_size(const cm_shape *shape, cm_vec3 origin) {
    if (!shape_is_endless(shape)) return cm__shape_reach(shape, origin);
    return fabs((double)shape->u.halfspace.d) + (double)shape->radius;
}

/* What is curved is known to no more than this in double (sweep.h). */
double cm__sweep_curved(const cm_shape *a, const cm_shape *b) {
#if defined(CAROM_F64)
    const cm_vec3 origin = cm_v(0, 0, 0);
    const cm_shape *shape[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        const cm__shape_ops *ops = cm__ops(shape[i]->kind);
        if (ops->curved && ops->curved(shape[i])) return 1e-10 * (shape_size(a, origin) + shape_size(b, origin));
    }
#endif
    (void)a, (void)b;
    return 0;
}

/* A pivot is turned, and rounded, from where it is; and times are rounded, by half an ulp of 1 at most, in which what
 * is far from the pivot goes on. */
static double turning_size(const cm_shape *shape, const cm_motion *m) {
    const double spin = cm__point_length(cm__point_of(m->spin)), arm = cm__point_length(cm__point_of(m->pivot));
    if (!(spin > 0)) return 0;
    return arm + spin * (arm + (shape_is_endless(shape) ? 0 : cm__shape_reach(shape, cm_v(0, 0, 0)))) / 8;
}

double cm__sweep_band(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb) {
    const cm_vec3 origin = cm_v(0, 0, 0);
    const cm_pose *pa = &ma->start, *pb = &mb->start;
    double moved = wide_sum(cm__point_of(ma->move)) + wide_sum(cm__point_of(mb->move));
    moved += (wide_sum(cm__point_of(ma->accelerate)) + wide_sum(cm__point_of(mb->accelerate))) / 2;
    double spin_a = cm__point_largest(cm__point_of(ma->spin)), spin_b = cm__point_largest(cm__point_of(mb->spin));
    double world = cm__point_largest(cm__point_of(pa->position)) + cm__point_largest(cm__point_of(pb->position));
    double size = wide_sum(cm__point_sub(cm__point_of(pb->position), cm__point_of(pa->position))) + moved;
    size += shape_size(a, origin) + shape_size(b, origin);
    size += turning_size(a, ma) + turning_size(b, mb);
    /* positions at u are rounded where they are in the world, half an ulp a coordinate */
    bool still = !(moved > 0 || spin_a > 0 || spin_b > 0);
    return 2 * (double)CM_REAL_EPSILON * (8 * size + (still ? 0 : 2 * world)) + cm__sweep_curved(a, b);
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

/* Neither turns, nor is accelerated. */
static bool motions_are_straight(const cm_motion *ma, const cm_motion *mb) {
    return !(cm_largest(ma->spin) > 0) && !(cm_largest(mb->spin) > 0) && !(cm_largest(ma->accelerate) > 0) &&
           !(cm_largest(mb->accelerate) > 0);
}

static bool shapes_prepare(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, double near,
                           shape_sweep *s) {
    s->a = a, s->b = b, s->ma = ma, s->mb = mb;
    s->method = cm__method_of(a->kind, b->kind);
    if (!s->method->gap) return false;
    s->v = cm__point_sub(cm__point_of(ma->move), cm__point_of(mb->move));
    s->near = near;
    s->turns = !motions_are_straight(ma, mb);
    if (!s->turns) return true;
    cm__moving_pair_of(a, ma, b, mb, &s->moving);
    s->turns = s->moving.turns;
    return true;
}

typedef cm__straight_end (*straight_way)(const cm__straight *s, cm_sweep_hit *out);

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

/* No less than cm__sweep_band, of what has a closed form: sums of the sizes of coordinates in place of lengths. */
static inline cm_real straight_size(const cm_shape *s) {
    const cm_vec3 *corner = &s->u.triangle.a;
    const int count = s->kind == CM_SHAPE_SEGMENT ? 2 : s->kind == CM_SHAPE_TRIANGLE ? 3 : 1; /* of points and boxes */
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

/* By the closed form. NEAR: *s is told so. */
static cm__straight_end shapes_straight(straight_way way, const cm_shape *a, const cm_motion *ma, const cm_shape *b,
                                        const cm_motion *mb, const double *band, cm_sweep_hit *out) {
    cm__straight s;
    s.a = a, s.b = b;
    s.pose_a = frame_of_pose(&ma->start);
    s.pose_b = frame_of_pose(&mb->start);
    cm__point home = s.pose_a.position;
    s.pose_a.position = cm__p(0, 0, 0);
    s.pose_b.position = cm__point_sub(s.pose_b.position, home);
    s.move = cm__point_of(ma->move);
    s.v = cm__point_sub(s.move, cm__point_of(mb->move));
    s.band = band ? *band : straight_band_most(&s, ma, mb);
    cm__straight_end end = way(&s, out);
    if (end == CM__STRAIGHT_HIT) out->point = cm__vec3_of(cm__point_add(cm__point_of(out->point), home));
    return end;
}

/* Polytopes by the faces of their difference. UNKNOWN: the general way has to do it. */
static cm__pierce_end shapes_pierce(const shape_sweep *s, cm_sweep_hit *out) {
    cm__pierce p;
    if (!s->cores || !s->two.sharp || s->core_a.radius + s->core_b.radius > 0) return CM__PIERCE_UNKNOWN;
    cm__pierce_end end = cm__pierce_run(&s->two, s->drift, s->near, &p);
    if (end != CM__PIERCE_HIT) return end;
    cm__span span = {p.first, p.last};
    cm__sweep_start_state start = {4 * s->near, -1, 2 * s->near};
    cm_sweep_hit hit;
    cm__sweep_begin(&start, span, &hit);
    cm_pose pose;
    cm_motion_at(s->ma, hit.first, &pose);
    cm_vec3 point = cm_pose_apply(&pose, cm__vec3_of(p.a));
    cm__sweep_end(s->v, frame_turn(&s->home, p.normal), cm__point_of(point), &hit);
    *out = hit;
    return end;
}

/* What the caller knows, and wants. */
typedef struct shapes_ask {
    double from;  /* > 0: they are apart by more than the band until then */
    double limit; /* nothing later is of interest */
    double band;  /* as in cm__sweep_span, */
    double near;  /* and this */
    bool last;    /* when the contact ends */
    bool first;   /* the first contact of all, whether it blocks or not */
} shapes_ask;

/* What starts in the band around touching, or deeper. */
static bool shapes_start(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                         const shapes_ask *ask, double band, cm_sweep_hit *out) {
    cm__moving_pair pair;
    cm_sweep_hit hit;
    cm_pose b_in_a = cm_pose_between(&ma->start, &mb->start);
    cm__gap gap;
    cm__moving_pair_of(a, ma, b, mb, &pair);
    const cm__frame frame = frame_of_pose(&b_in_a);
    cm__method_of(a->kind, b->kind)->gap(a, b, &frame, &gap);
    gap.normal = frame_turn(&pair.a.start, gap.normal);
    const cm__start start = {.band = band,
                             .normal = &gap.normal,
                             .limit = ask->limit,
                             .overlap = cm__pair_overlap(a, b, &b_in_a),
                             .first_only = ask->first,
                             .last = ask->last};
    if (!cm__start_run(&pair, &start, &hit)) return false;
    hit.point = cm__vec3_of(cm__point_add(cm__point_of(hit.point), cm__point_of(ma->start.position)));
    *out = hit;
    return true;
}

/* Two half-spaces: apart they are only where they look away from each other, and by the width of a slab. */
static bool shapes_halfspaces(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                              const shapes_ask *ask, double band, cm_sweep_hit *out) {
    cm__moving_pair m;
    cm__gap gap;
    cm_pose b_in_a = cm_pose_between(&ma->start, &mb->start);
    const cm__frame frame = frame_of_pose(&b_in_a);
    cm__method_of(a->kind, b->kind)->gap(a, b, &frame, &gap);
    cm__moving_pair_of(a, ma, b, mb, &m);
    const cm__point normal = frame_turn(&m.a.start, gap.normal);
    const double speed = cm__point_dot(m.v, normal), near = band / 2, distance = gap.distance;
    const double pull = cm__point_dot(m.bend, normal), most = cm__curve_most(speed, pull);
    const bool touches = fabs(distance) <= band, overlap = distance <= 0, turns = m.a.turns || m.b.turns;
    double u = 0;
    if (!touches && !overlap && !turns) {
        u = cm__curve_until(distance - near, speed, pull);
        if (!(u <= ask->limit)) return false;
    }
    if (touches && !overlap && !turns && !(most > 0)) return false;
    if (touches && !turns && !ask->first && most > band * 7 / 8 && !cm__curve_closes(band / 8, speed, pull))
        u = cm__curve_until(band / 8, speed, pull); /* away first, and back */
    out->start = !overlap ? CM_SWEEP_SEPARATED : touches ? CM_SWEEP_TOUCHING : CM_SWEEP_OVERLAPPING;
    out->first = overlap && !touches ? 0 : cm_max(wide_down(u), overlap ? 0 : CM_REAL_MIN);
    out->last = 1; /* what turns crosses at once */
    if (!m.turns && distance - speed > band) out->last = cm_max(wide_up((distance - band) / speed), out->first);
    out->normal = cm__vec3_of(normal);
    cm_pose pose;
    cm_motion_at(ma, out->first, &pose);
    out->point = cm_pose_apply(&pose, cm__vec3_of(gap.a));
    const cm__point v = cm__point_mul_add(m.v, u, m.bend);
    out->blocking = touches || (overlap && m.curved && most > band)
                        ? turns || most > band * 7 / 8
                        : cm__point_dot(v, normal) > SWEEP_SLIDE * cm__point_length(v);
    if (turns && !overlap) out->blocking = true;
    out->part_a = out->part_b = CM_NONE;
    out->proof = CM_PROOF_CONTACT;
    out->free_until = touches || overlap ? 0 : out->first;
    return true;
}

/* A first contact of what turns: does it block? What is not approached there may get deeper later; then *hit is that.
 */
static void shapes_turning_blocks(const shape_sweep *s, double band, double u, double limit, cm_sweep_hit *hit) {
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

/* Of what is apart by more than the band until first.u, where *first is the answer: the first contact. */
static bool shapes_meet(shape_sweep *s, const shapes_ask *ask, double band, shape_moment *first, cm_sweep_hit *out) {
    if (!(first->u <= ask->limit)) return false;
    if (!shapes_advance(s, ask->limit, s->turns ? 512 : 64, first)) return false;
    shapes_settle_normal(s, first);
    double last = 1;
    if (ask->last && !s->turns) {
        shape_moment end;
        double safe = shapes_lead(s, 1);
        shapes_at(s, safe > first->u ? safe : first->u, true, &end);
        if (end.gap.distance > 2 * s->near)
            last = shapes_advance(s, first->u, 64, &end) ? end.u : first->u;
        else if (safe < 1) /* from here to the end they are apart, by what led here */
            last = end.u;
    }
    if (!(first->gap.distance > 0)) shapes_at(s, first->u, false, first);
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

/* Is the start of two that have a core not clear of the band? */
static bool shapes_is_near(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                           double band) {
    cm__moving_pair pair;
    cm__moving_gap gap;
    cm__moving_pair_of(a, ma, b, mb, &pair);
    cm__moving_gap_at(&pair, 0, &gap);
    return gap.distance <= band;
}

static bool shapes_sweep(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                         const shapes_ask *ask, cm_sweep_hit *out) {
    shape_sweep s;
    straight_way way = straight_way_of(a, b);
    if (way && motions_are_straight(ma, mb)) { /* the band is a bound first */
        cm__straight_end end = shapes_straight(way, a, ma, b, mb, ask->band > 0 ? &ask->band : NULL, out);
        if (end != CM__STRAIGHT_NEAR) return end == CM__STRAIGHT_HIT;
    }
    const double band = ask->band > 0 ? ask->band : cm__sweep_band(a, ma, b, mb), none = -1;
    if (shape_is_endless(a)) return shapes_halfspaces(a, ma, b, mb, ask, band, out);
    const double near = ask->band > 0 ? ask->near : (band - cm__sweep_curved(a, b)) / 2;
    if (!shapes_prepare(a, ma, b, mb, near, &s)) return false;
    if (s.turns) s.near *= TURNING_NEAR;
    if (way && !s.turns) {
        if (shapes_is_near(a, ma, b, mb, band)) return shapes_start(a, ma, b, mb, ask, band, out);
        return shapes_straight(way, a, ma, b, mb, &none, out) == CM__STRAIGHT_HIT;
    }
    shapes_lay_out(&s);
    /* what is near the start needs to be looked at there */
    double speed = cm__point_length(s.v) + (s.turns ? cm__moving_pair_fastest(&s.moving) : 0);
    double known = ask->from * speed > 4 * band ? ask->from : 0;
    cm__pierce_end pierced = known > 0 ? CM__PIERCE_UNKNOWN : shapes_pierce(&s, out);
    if (pierced != CM__PIERCE_UNKNOWN) return pierced == CM__PIERCE_HIT;
    shape_moment first;
    double safe = known > 0 ? (double)wide_down(known) : shapes_lead(&s, 0);
    if (safe > 1) return false;
    shapes_at(&s, safe, safe > 0, &first);
    if (known > 0 && !(first.gap.distance > s.near / 2)) { /* nearer than what was promised: by rounding */
        const shapes_ask again = {0, ask->limit, ask->band, ask->near, ask->last, ask->first};
        return shapes_sweep(a, ma, b, mb, &again, out);
    }
    if (!(safe > 0) && !(first.gap.distance > band)) return shapes_start(a, ma, b, mb, ask, band, out);
    shapes_settle_normal(&s, &first);
    cm_sweep_hit hit;
    if (!shapes_meet(&s, ask, band, &first, &hit)) return false;
    *out = hit;
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
        mirrored.way = wide_neg(span->way);
        if (!cm__shapes_sweep(b, mb, a, ma, &mirrored, want, out)) return false;
        hit_mirror(out);
        return true;
    }
    if (cm__ops(b->kind)->parts) return cm__composite_sweep(a, ma, b, mb, span, want, out);
    const shapes_ask ask = {span->from, (double)span->limit,   span->band,
                            span->near, want == CM__SWEEP_HIT, want == CM__SWEEP_FIRST};
    return shapes_sweep(a, ma, b, mb, &ask, out);
}

bool cm__convex_sweep_from(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                           const cm__sweep_span *span, cm_sweep_hit *out) {
    const shapes_ask ask = {span->from, (double)span->limit, span->band, span->near, false, false};
    if (a->kind <= b->kind) return shapes_sweep(a, ma, b, mb, &ask, out);
    if (!shapes_sweep(b, mb, a, ma, &ask, out)) return false;
    hit_mirror(out);
    return true;
}

static const cm__sweep_span whole_step = {.from = 0, .limit = 1};

static bool sweep_is_valid(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb) {
    return cm_shape_check(a, NULL) == CM_OK && cm_shape_check(b, NULL) == CM_OK && motion_is_valid(ma) &&
           motion_is_valid(mb);
}

/* Of two on curved paths: as seen from what goes along with B's acceleration, which leaves only A's relative to B's. */
static bool sweep_relative(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb,
                           cm__sweep_want want, cm_sweep_hit *out) {
    if (!(cm_largest(ma->accelerate) > 0) && !(cm_largest(mb->accelerate) > 0))
        return cm__shapes_sweep(a, ma, b, mb, &whole_step, want, out);
    cm_motion seen_a = *ma, seen_b = *mb;
    seen_a.accelerate = cm_sub(ma->accelerate, mb->accelerate), seen_b.accelerate = cm_v(0, 0, 0);
    if (!cm__shapes_sweep(a, &seen_a, b, &seen_b, &whole_step, want, out)) return false;
    const double u = (double)out->first;
    out->point = cm__vec3_of(cm__point_mul_add(cm__point_of(out->point), u * u / 2, cm__point_of(mb->accelerate)));
    return true;
}

bool cm_sweep(const cm_shape *a, const cm_motion *motion_a, const cm_shape *b, const cm_motion *motion_b,
              cm_sweep_hit *out) {
    if (!sweep_is_valid(a, motion_a, b, motion_b)) return false;
    cm_sweep_hit hit;
    if (pair_swapped(a, &motion_a->start, b, &motion_b->start)) {
        if (!sweep_relative(b, motion_b, a, motion_a, CM__SWEEP_HIT, &hit)) return false;
        hit_mirror(&hit); /* and the point from B's surface to A's: the same but for the gap, or the depth */
        cm_witness deepest;
        if (hit.start == CM_SWEEP_OVERLAPPING && !(hit.first > 0) && !cm__ops(a->kind)->parts &&
            cm_distance(a, &motion_a->start, b, &motion_b->start, CM_REAL_MAX, &deepest) <= 0)
            hit.point = deepest.point_a;
    } else if (!sweep_relative(a, motion_a, b, motion_b, CM__SWEEP_HIT, &hit)) {
        return false;
    }
    if (out) *out = hit;
    return true;
}

/* The same way backwards: at u it is where the motion is at 1 - u. */
static void motion_backwards(const cm_motion *m, cm_motion *out) {
    *out = *m;
    cm_motion_at(m, 1, &out->start);
    out->move = cm_neg(cm_add(m->move, m->accelerate)), out->spin = cm_neg(m->spin);
}

bool cm_sweep_last(const cm_shape *a, const cm_motion *motion_a, const cm_shape *b, const cm_motion *motion_b,
                   cm_real *out) {
    if (!sweep_is_valid(a, motion_a, b, motion_b)) return false;
    cm_motion back_a, back_b;
    motion_backwards(motion_a, &back_a), motion_backwards(motion_b, &back_b);
    cm_sweep_hit hit;
    if (!cm_pose_is_valid(&back_a.start) || !cm_pose_is_valid(&back_b.start)) return false;
    bool swapped = pair_swapped(a, &back_a.start, b, &back_b.start);
    const cm_shape *first = swapped ? b : a, *second = swapped ? a : b;
    const cm_motion *back_first = swapped ? &back_b : &back_a, *back_second = swapped ? &back_a : &back_b;
    if (!sweep_relative(first, back_first, second, back_second, CM__SWEEP_FIRST, &hit)) return false;
    if (out) *out = cm_min(wide_up(1 - (double)hit.first), 1);
    return true;
}
