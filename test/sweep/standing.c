/* Sweeps of what stands: bodies that touch, hover by last bits or are in by 1e-7 to 1e-2 at the start, flat on a face,
 * on an edge, on a corner, flush or over an edge, and move into, along, away, or not at all, with spins about nothing,
 * the contact's normal, an axis of their own, or any.
 *
 * The truth is computed here, in long double, from nothing of the library: the motion by sines and cosines, and the
 * signed distance g(u)
 *   - over a plane: the height of the body's lowest point, by the support function of its kind;
 *   - of boxes: the widest gap along the 15 axes, which is exact where they overlap, and below the distance where they
 *     do not. In no sample are they apart by more than the band at the start, so g(0) - G is below 0, and g is below
 *     that just where the widest gap is. Of edges that are nearly parallel the axis is noise in part; made square to
 *     one of them again, it is square to the other but for rounding, and any axis bounds g from below;
 *   - of balls and capsules: the distance of two segments, less the radii.
 * How deep they get is the least g of 400 times and, in straight motion, at the end too; of what turns, between two of
 * them g differs from the line by K / 8 / 400^2 at most, which is added to the tolerance where that matters. But g may
 * come down along one axis and go up along another within less than that: of what is blocked it is looked at 100 times
 * more, right after that. */
#if defined(__clang__) /* the oracle is in long double: every number of the library's is promoted */
#pragma clang diagnostic ignored "-Wdouble-promotion"
#endif
#include "motions.h"
#include "support/shapes.h"

#include <float.h>
#include <math.h>

enum { TIMES = 400, AFTER = 100 };

typedef struct real3 {
    long double x, y, z;
} real3;

static real3 r3(long double x, long double y, long double z) { return (real3){x, y, z}; }
static real3 r3_of(cm_vec3 v) { return r3((long double)v.x, (long double)v.y, (long double)v.z); }
static real3 r3_add(real3 a, real3 b) { return r3(a.x + b.x, a.y + b.y, a.z + b.z); }
static real3 r3_scale(real3 a, long double s) { return r3(a.x * s, a.y * s, a.z * s); }
static real3 r3_sub(real3 a, real3 b) { return r3(a.x - b.x, a.y - b.y, a.z - b.z); }
static long double r3_dot(real3 a, real3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static real3 r3_cross(real3 a, real3 b) {
    return r3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static long double r3_length(real3 a) { return sqrtl(r3_dot(a, a)); }

/* Turned about an axis: k, its length the angle. */
static real3 r3_turned(real3 v, real3 k, long double angle) {
    long double length = r3_length(k);
    if (!(length > 0)) return v;
    k = r3_scale(k, 1 / length);
    real3 across = r3_cross(k, v), along = r3_scale(k, r3_dot(k, v) * (1 - cosl(angle)));
    return r3_add(r3_add(r3_scale(v, cosl(angle)), r3_scale(across, sinl(angle))), along);
}
static real3 r3_rotated(cm_quat q, real3 v) {
    real3 axis = r3((long double)q.x, (long double)q.y, (long double)q.z);
    long double w = (long double)q.w, n = r3_dot(axis, axis) + w * w;
    real3 t = r3_cross(axis, v), s = r3_cross(axis, t);
    return r3_add(v, r3_scale(r3_add(r3_scale(t, w), s), 2 / n));
}

/* Where a body's frame is at a time. */
typedef struct place {
    real3 axis[3], at;
} place;

static place place_at(const cm_motion *m, long double u) {
    place p;
    real3 spin = r3_of(m->spin), pivot = r3_rotated(m->start.rotation, r3_of(m->pivot));
    long double angle = r3_length(spin) * u;
    for (int i = 0; i < 3; i++)
        p.axis[i] = r3_turned(r3_rotated(m->start.rotation, r3(i == 0, i == 1, i == 2)), spin, angle);
    p.at = r3_sub(r3_add(r3_of(m->start.position), pivot), r3_turned(pivot, spin, angle));
    p.at = r3_add(p.at, r3_scale(r3_of(m->move), u));
    return p;
}
static real3 place_out(const place *p, real3 v) {
    return r3_add(p->at,
                  r3_add(r3_add(r3_scale(p->axis[0], v.x), r3_scale(p->axis[1], v.y)), r3_scale(p->axis[2], v.z)));
}

/* --- the truth --------------------------------------------------------------------------------------------------- */

/* How far a body reaches along -z of the world from its origin, radius included. */
static long double reach_down(const cm_shape *s, const place *p) {
    real3 d = r3(-p->axis[0].z, -p->axis[1].z, -p->axis[2].z); /* down, in its frame */
    long double across = sqrtl(d.x * d.x + d.y * d.y), far = (long double)s->radius;
    switch (s->kind) {
    case CM_SHAPE_POINT:
        return far + r3_dot(d, r3_of(s->u.point));
    case CM_SHAPE_SEGMENT:
        return far + fmaxl(r3_dot(d, r3_of(s->u.segment.a)), r3_dot(d, r3_of(s->u.segment.b)));
    case CM_SHAPE_TRIANGLE:
        return far + fmaxl(fmaxl(r3_dot(d, r3_of(s->u.triangle.a)), r3_dot(d, r3_of(s->u.triangle.b))),
                           r3_dot(d, r3_of(s->u.triangle.c)));
    case CM_SHAPE_BOX:
        return far + fabsl(d.x) * (long double)s->u.box.x + fabsl(d.y) * (long double)s->u.box.y +
               fabsl(d.z) * (long double)s->u.box.z;
    case CM_SHAPE_CYLINDER:
        return far + across * (long double)s->u.cylinder.radius + fabsl(d.z) * (long double)s->u.cylinder.half_height;
    case CM_SHAPE_CONE:
        return far + fmaxl(d.z * (long double)s->u.cone.half_height,
                           across * (long double)s->u.cone.radius - d.z * (long double)s->u.cone.half_height);
    case CM_SHAPE_ELLIPSOID: {
        real3 e = r3(d.x * (long double)s->u.ellipsoid.x, d.y * (long double)s->u.ellipsoid.y,
                     d.z * (long double)s->u.ellipsoid.z);
        return far + r3_length(e);
    }
    default:
        return NAN;
    }
}

static long double boxes_widest(const cm_shape *a, const place *pa, const cm_shape *b, const place *pb) {
    const long double half[2][3] = {{(long double)a->u.box.x, (long double)a->u.box.y, (long double)a->u.box.z},
                                    {(long double)b->u.box.x, (long double)b->u.box.y, (long double)b->u.box.z}};
    long double best = -INFINITY;
    real3 between = r3_sub(pb->at, pa->at);
    for (int i = 0; i < 15; i++) {
        real3 n = i < 3   ? pa->axis[i]
                  : i < 6 ? pb->axis[i - 3]
                          : r3_cross(pa->axis[(i - 6) / 3], pb->axis[(i - 6) % 3]);
        long double length = r3_length(n), reach = 0;
        if (!(length > 64 * LDBL_EPSILON)) continue;
        n = r3_scale(n, 1 / length);
        if (i >= 6) n = r3_add(n, r3_scale(pa->axis[(i - 6) / 3], -r3_dot(n, pa->axis[(i - 6) / 3])));
        n = r3_scale(n, 1 / r3_length(n));
        for (int k = 0; k < 3; k++)
            reach += half[0][k] * fabsl(r3_dot(n, pa->axis[k])) + half[1][k] * fabsl(r3_dot(n, pb->axis[k]));
        best = fmaxl(best, fabsl(r3_dot(n, between)) - reach);
    }
    return best;
}

static long double to_segment(real3 p, real3 a, real3 b) {
    real3 e = r3_sub(b, a);
    long double square = r3_dot(e, e), t = square > 0 ? r3_dot(r3_sub(p, a), e) / square : 0;
    return r3_length(r3_sub(p, r3_add(a, r3_scale(e, fminl(fmaxl(t, 0), 1)))));
}
/* Of two segments: at an end, or where lines that are not parallel come closest. */
static long double of_segments(const real3 a[2], const real3 b[2]) {
    long double best = INFINITY;
    for (int i = 0; i < 2; i++) best = fminl(best, fminl(to_segment(a[i], b[0], b[1]), to_segment(b[i], a[0], a[1])));
    real3 d = r3_sub(a[1], a[0]), e = r3_sub(b[1], b[0]), r = r3_sub(a[0], b[0]);
    long double dd = r3_dot(d, d), ee = r3_dot(e, e), de = r3_dot(d, e), det = dd * ee - de * de;
    if (!(det > 1e-12L * dd * ee)) return best;
    long double s = (de * r3_dot(e, r) - ee * r3_dot(d, r)) / det, t = (dd * r3_dot(e, r) - de * r3_dot(d, r)) / det;
    if (s < 0 || s > 1 || t < 0 || t > 1) return best;
    return fminl(best, r3_length(r3_add(r, r3_sub(r3_scale(d, s), r3_scale(e, t)))));
}
static void ends_of(const cm_shape *s, const place *p, real3 out[2]) {
    bool point = s->kind == CM_SHAPE_POINT;
    out[0] = place_out(p, r3_of(point ? s->u.point : s->u.segment.a));
    out[1] = place_out(p, r3_of(point ? s->u.point : s->u.segment.b));
}

typedef enum set_up { ON_PLANE, ON_FLOOR, BOX_ON_BOX, ROUND_ON_ROUND, SET_UPS } set_up;

typedef struct standing {
    set_up how;
    cm_shape a, b;
    cm_motion ma, mb;
} standing;

/* The signed distance, or where A is on B and apart, no more than it; ON_FLOOR: a box whose upper face is z = 0. */
static long double truth_at(const standing *s, long double u) {
    place a = place_at(&s->ma, u), b = place_at(&s->mb, u);
    if (s->how == ON_PLANE || s->how == ON_FLOOR) return a.at.z - reach_down(&s->a, &a) - (long double)s->b.radius;
    if (s->how == BOX_ON_BOX) return boxes_widest(&s->a, &a, &s->b, &b);
    real3 ends_a[2], ends_b[2];
    ends_of(&s->a, &a, ends_a), ends_of(&s->b, &b, ends_b);
    return of_segments(ends_a, ends_b) - (long double)s->a.radius - (long double)s->b.radius;
}

/* --- the gap that sweep.h promises ------------------------------------------------------------------------------- */

static double sum_of(cm_vec3 v) { return fabs((double)v.x) + fabs((double)v.y) + fabs((double)v.z); }

static double reach_of(const cm_shape *s) {
    double r = (double)s->radius;
    cm_vec3 e = s->u.ellipsoid;
    switch (s->kind) {
    case CM_SHAPE_POINT:
        return r + (double)cm_length(s->u.point);
    case CM_SHAPE_SEGMENT:
        return r + (double)cm_max(cm_length(s->u.segment.a), cm_length(s->u.segment.b));
    case CM_SHAPE_TRIANGLE:
        return r + (double)cm_max(cm_length(s->u.triangle.a),
                                  cm_max(cm_length(s->u.triangle.b), cm_length(s->u.triangle.c)));
    case CM_SHAPE_BOX:
        return r + (double)cm_length(s->u.box);
    case CM_SHAPE_CYLINDER:
        return r + hypot((double)s->u.cylinder.radius, (double)s->u.cylinder.half_height);
    case CM_SHAPE_CONE:
        return r + hypot((double)s->u.cone.radius, (double)s->u.cone.half_height);
    case CM_SHAPE_ELLIPSOID:
        return r + (double)cm_max(e.x, cm_max(e.y, e.z));
    case CM_SHAPE_HULL: { /* whose corners are a box's, around its origin */
        const cm_pose home = cm_pose_identity();
        cm_aabb box;
        cm_shape_bounds(s, &home, &box);
        return r + (double)cm_length(box.max);
    }
    default:
        return r + fabs((double)s->u.halfspace.d);
    }
}
static bool is_curved(const cm_shape *s) {
    return s->kind == CM_SHAPE_CYLINDER || s->kind == CM_SHAPE_CONE || s->kind == CM_SHAPE_ELLIPSOID;
}
static double turned_by(const cm_shape *s, const cm_motion *m) {
    const double spin = (double)cm_length(m->spin), arm = (double)cm_length(m->pivot);
    if (!(spin > 0)) return 0;
    return arm + spin * (arm + (s->kind == CM_SHAPE_HALFSPACE ? 0 : reach_of(s))) / 8;
}
/* Does its spin move the set of a shape's points, by more than rounding? */
static bool surely_turns(const cm_shape *s, const cm_motion *m) {
    const bool ball = s->kind == CM_SHAPE_POINT, line = s->kind == CM_SHAPE_SEGMENT;
    const bool round = is_curved(s) && !(s->kind == CM_SHAPE_ELLIPSOID && s->u.ellipsoid.x != s->u.ellipsoid.y);
    const cm_vec3 along = line ? cm_sub(s->u.segment.b, s->u.segment.a) : cm_v(0, 0, ball ? 0 : 1);
    const cm_vec3 center = line ? cm_mul_add(s->u.segment.a, CM_REAL(0.5), along) : ball ? s->u.point : cm_v(0, 0, 0);
    const cm_vec3 moved[2] = {along, cm_sub(center, m->pivot)};
    for (int i = 0; i < 2; i++)
        if (cm_length(cm_cross(m->spin, cm_rotate(m->start.rotation, moved[i]))) > CM_REAL(1e-5)) return true;
    return !(ball || line || round) && cm_largest(m->spin) > 0;
}
static double gap_if(const standing *s, bool a_turns, bool b_turns) {
    const cm_motion *ma = &s->ma, *mb = &s->mb;
    double size = sum_of(cm_sub(ma->start.position, mb->start.position)) + sum_of(ma->move) + sum_of(mb->move);
    double world = (double)cm_largest(ma->start.position) + (double)cm_largest(mb->start.position), curved = 0;
    size += reach_of(&s->a) + reach_of(&s->b);
    size += (a_turns ? turned_by(&s->a, ma) : 0) + (b_turns ? turned_by(&s->b, mb) : 0);
    if (sizeof(cm_real) == 8 && (is_curved(&s->a) || is_curved(&s->b)))
        curved = 1e-10 * (reach_of(&s->a) + reach_of(&s->b));
    return (double)CM_REAL_EPSILON * (16 * size + 4 * world) + curved;
}
static double promised_gap(const standing *s) { return gap_if(s, true, true); }

/* --- poses as people have them ----------------------------------------------------------------------------------- */

static cm_real nice(rng *r) {
    static const double numbers[] = {0.1, 0.25, 0.3, 0.5, 0.75, 1, 1.5, 2, 0.7, 1.0 / 3};
    return (cm_real)numbers[rng_below(r, 10)];
}

/* By quarter turns about two axes, by a multiple of 15 degrees about one, or any. */
static cm_quat nice_rotation(rng *r) {
    cm_quat p, q;
    const cm_vec3 axes[3] = {cm_v(1, 0, 0), cm_v(0, 1, 0), cm_v(0, 0, 1)};
    uint32_t which = rng_below(r, 4);
    if (which == 3) return rng_rotation(r);
    cm_quat_from_axis_angle(axes[rng_below(r, 3)], CM_REAL(rng_below(r, 4) * 1.5707963267948966), &p);
    double step = which == 0 ? 1.5707963267948966 : 0.26179938779914944;
    cm_quat_from_axis_angle(axes[rng_below(r, 3)], CM_REAL(rng_below(r, 24) * step), &q);
    return cm_quat_normalize(cm_quat_mul(q, p));
}

static cm_shape nice_shape(int kind, rng *r) {
    cm_real x = nice(r), y = nice(r), z = nice(r);
    switch (kind) {
    case CONVEX_BALL:
        return cm_make_sphere(cm_v(0, 0, 0), x);
    case CONVEX_POINT:
        return cm_make_point(cm_v(0, 0, 0));
    case CONVEX_SEGMENT:
        return cm_make_segment(cm_v(-x, 0, 0), cm_v(y, 0, 0));
    case CONVEX_CAPSULE:
        return cm_make_capsule(cm_v(0, -x, 0), cm_v(0, x, 0), z);
    case CONVEX_TRIANGLE:
        return cm_make_triangle(cm_v(-x, -y, 0), cm_v(x, -y, 0), cm_v(0, z, 0));
    case CONVEX_ROUNDED:
        return cm_make_rounded_box(cm_v(x, y, z), nice(r));
    case CONVEX_CYLINDER:
        return cm_make_cylinder(x, y);
    case CONVEX_CONE:
        return cm_make_cone(x, y);
    case CONVEX_ELLIPSOID:
        return cm_make_ellipsoid(cm_v(x, rng_below(r, 2) ? x : y, z));
    default:
        return cm_make_box(cm_v(x, y, z));
    }
}

static const int lone_kinds[] = {CONVEX_BALL,    CONVEX_POINT,    CONVEX_SEGMENT, CONVEX_CAPSULE,   CONVEX_TRIANGLE,
                                 CONVEX_ROUNDED, CONVEX_CYLINDER, CONVEX_CONE,    CONVEX_ELLIPSOID, CONVEX_BOX};

static void standing_shapes(standing *s, rng *r) {
    memset(s, 0, sizeof *s);
    s->ma = s->mb = motion_at_rest();
    s->how = (set_up)rng_below(r, SET_UPS);
    s->ma.start.rotation = nice_rotation(r);
    s->ma.start.position = cm_v(nice(r), rng_below(r, 2) ? nice(r) : 0, 0);
    if (s->how == BOX_ON_BOX) {
        s->a = cm_make_box(cm_v(nice(r), nice(r), nice(r))), s->b = cm_make_box(cm_v(nice(r), nice(r), nice(r)));
        s->mb.start.rotation = rng_below(r, 2) ? cm_quat_identity() : nice_rotation(r);
    } else if (s->how == ROUND_ON_ROUND) {
        s->a = nice_shape(rng_below(r, 2) ? CONVEX_BALL : CONVEX_CAPSULE, r);
        s->b = nice_shape(rng_below(r, 2) ? CONVEX_BALL : CONVEX_CAPSULE, r);
        s->mb.start.rotation = nice_rotation(r);
    } else {
        s->a = nice_shape(lone_kinds[rng_below(r, 10)], r);
        s->b = cm_make_halfspace(cm_v(0, 0, 1), 0);
        if (s->how == ON_FLOOR) s->b = cm_make_box(cm_v(20, 20, 2));
        if (s->how == ON_FLOOR) s->mb.start.position.z = -2;
    }
}

/* A moved up or down until they touch but for `off`. */
static void standing_place(standing *s, long double off) {
    long double low = -20, high = 20;
    for (int i = 0; i < 100; i++) { /* the highest place that is not above */
        long double z = (low + high) / 2;
        s->ma.start.position.z = (cm_real)z;
        if (truth_at(s, 0) > off)
            high = z;
        else
            low = z;
    }
    s->ma.start.position.z = (cm_real)high;
}

static void standing_motion(standing *s, rng *r) {
    static const double slopes[] = {0, 0, -1, 1, -1e-3, 1e-3, -1e-6, 1e-6, -0.5, 0.5};
    cm_real way = rng_below(r, 5) ? nice(r) : 0;
    cm_vec3 level = rng_below(r, 2) ? cm_v(way, 0, 0) : cm_v(way * CM_REAL(0.6), way * CM_REAL(0.8), 0);
    s->ma.move = cm_mul_add(level, way * (cm_real)slopes[rng_below(r, 10)], cm_v(0, 0, 1));
    cm_real angle = rng_below(r, 2) ? nice(r) : 3 * nice(r);
    if (rng_below(r, 2)) angle = -angle;
    switch (rng_below(r, 6)) {
    case 0:
        s->ma.spin = cm_v(0, 0, angle);
        break; /* about the plane's normal */
    case 1:
        s->ma.spin = cm_rotate(s->ma.start.rotation, cm_v(0, 0, angle));
        break; /* the axis of what is round */
    case 2:
        s->ma.spin = cm_rotate(s->ma.start.rotation, rng_below(r, 2) ? cm_v(angle, 0, 0) : cm_v(0, angle, 0));
        break;
    case 3:
        s->ma.spin = cm_scale(rng_direction(r), angle);
        break;
    default:
        break;
    }
    if (rng_below(r, 4) == 0) s->ma.pivot = cm_v(nice(r), 0, rng_below(r, 2) ? nice(r) : 0);
    if (rng_below(r, 6) == 0 && s->how >= BOX_ON_BOX) { /* it is the other that moves */
        s->mb.move = cm_neg(s->ma.move);
        s->ma.move = cm_v(0, 0, 0);
    }
}

/* --- what must hold ---------------------------------------------------------------------------------------------- */

typedef struct tally {
    int in_band, blocked, free, deep, hovering, later;
} tally;

static void check_standing(const standing *s, int index, tally *t) {
    long double start = truth_at(s, 0), least = start, deeper = 0;
    /* a spin that moves a set by rounding may count, or move no point at all: then the band is one of two */
    double gap = promised_gap(s), blur = gap / 8;
    const double inner = gap_if(s, surely_turns(&s->a, &s->ma), surely_turns(&s->b, &s->mb));
    bool overlap = cm_overlap(&s->a, &s->ma.start, &s->b, &s->mb.start), turns = cm_largest(s->ma.spin) > 0;
    double bend = turns ? (double)cm_length(s->ma.spin) * (double)cm_length(s->ma.spin) *
                              (2 * reach_of(&s->a) + (double)cm_length(s->ma.pivot))
                        : 0;
    double between = bend / 8 / TIMES / TIMES; /* what is missed between two times */
    cm_sweep_hit h = {.first = 1, .last = 1}, back = h;
    bool hit = cm_sweep(&s->a, &s->ma, &s->b, &s->mb, &h), other = cm_sweep(&s->b, &s->mb, &s->a, &s->ma, &back);
    char what[200];
    snprintf(what, sizeof what, "%d: %s, how %d, start %Lg, gap %g, hit %d, start %d, first %g, blocking %d", index,
             cm_kind_name(s->a.kind), (int)s->how, start, gap, hit, (int)h.start, (double)h.first, h.blocking);
    check_that(hit == other, "%s; swapped: %d", what, other);
    check_that(!hit || (h.start == back.start && h.blocking == back.blocking && h.first == back.first),
               "%s; swapped: start %d, first %g, blocking %d", what, (int)back.start, (double)back.first,
               back.blocking);
    check_that(hit || !overlap, "%s", what);
    check_that(!hit || (h.start != CM_SWEEP_SEPARATED) == overlap, "%s; overlap %d", what, overlap);
    check_that(!hit || overlap || h.first > 0, "%s", what);
    if (hit && overlap)
        check_that(h.start == CM_SWEEP_TOUCHING ? start > -gap - blur : start < -inner + blur, "%s", what);
    if (start > gap * 0.9 || (start >= -gap - blur && start <= -inner + blur))
        return; /* apart by more than the band; on its other end */
    bool blocks = hit && h.blocking;
    double slide = 34 * (double)CM_REAL_EPSILON *
                   ((double)cm_length(s->ma.move) + (double)cm_length(s->mb.move) +
                    (double)cm_length(s->ma.spin) * (2 * reach_of(&s->a) + (double)cm_length(s->ma.pivot)));
    double allowed = start < -gap ? fmax(gap, slide) : gap;
    for (int k = 1; k <= TIMES + 40 + AFTER; k++) { /* and how it begins, and what comes after the hit */
        long double u = (long double)k / TIMES;
        if (k > TIMES) u = ldexpl(1, TIMES - k - 8);
        if (k > TIMES + 40) u = (long double)h.first + (long double)(k - TIMES - 40) / AFTER / TIMES;
        if (u > 1 || (k > TIMES + 40 && !blocks)) continue;
        long double g = truth_at(s, u);
        if (g < least) least = g, deeper = u;
        if (blocks && u <= (long double)h.first)
            check_that(g > start - allowed - blur, "%s; by %Lg deeper at %Lg", what, start - g, u);
    }
    if (start < -gap) { /* deep: by the approach, or later */
        t->deep++;
        if (!blocks)
            check_that(least > start - allowed - blur, "%s; by %Lg deeper at %Lg", what, start - least, deeper);
        else
            check_that(least - between < start, "%s; never deeper", what);
        return;
    }
    t->in_band++;
    t->hovering += !overlap;
    if (least < start - gap - blur) {
        check_that(blocks, "%s; by %Lg deeper at %Lg", what, start - least, deeper);
        t->blocked++;
        t->later += (double)h.first > 1e-3;
        check_that(turns || (double)h.first <= (double)CM_REAL_MIN, "%s", what);
    } else if (least > start - gap / 2 + between) {
        check_that(!blocks, "%s; but by %Lg deeper at %Lg", what, start - least, deeper);
        t->free++;
    }
}

static void what_stands_is_blocked_where_it_gets_deeper(void **state) {
    (void)state;
    rng r = rng_start("standing", 91);
    tally t = {0};
    int count = samples(10000, 1000000);
    for (int i = 0; i < count; i++) {
        static const double depths[] = {0, 0, 0, -1e-7, -1e-5, -1e-4, -1e-3, -1e-2, 0, 0};
        standing s;
        standing_shapes(&s, &r);
        standing_place(&s, (long double)depths[rng_below(&r, 10)]);
        cm_real *z = &s.ma.start.position.z;
        for (uint32_t ulps = rng_below(&r, 6); ulps > 2; ulps--) /* often by none, else by up to three */
            *z += (i & 1 ? 1 : -1) * cm_abs(*z) * CM_REAL_EPSILON;
        standing_motion(&s, &r);
        check_standing(&s, i, &t);
    }
    printf("  of %d: %d in the band (%d hover), %d get deeper (%d later), %d do not; %d deep\n", count, t.in_band,
           t.hovering, t.blocked, t.later, t.free, t.deep);
    check_that(t.in_band > count / 3 && t.blocked > count / 20 && t.free > count / 20 && t.deep > count / 10 &&
                   t.hovering > count / 50 && t.later > count / 1000,
               "too few of a sort");
}

/* --- slides ------------------------------------------------------------------------------------------------------ */

/* Bodies fall onto large faces, slantwise, and then slide, 10,000 times in all, each time by a move less its part along
 * the normal of the hit. No slide is blocked again, and those of one body sink by no more than one gap and 32 eps of
 * their path. A move of which less than a quarter is left is not tried: what rounding leaves along the normal is a part
 * of the move before, and at a first contact, as it is once rounding has lifted the body out of the band, the sweep
 * judges by the move after. */
static void a_slide_is_not_blocked_by_the_face_it_slides_on(void **state) {
    (void)state;
    rng r = rng_start("slides", 92);
    cm_vec3 corners[8];
    for (int i = 0; i < 8; i++) corners[i] = cm_v(i & 1 ? 20 : -20, i & 2 ? 20 : -20, i & 4 ? 2 : -2);
    cm_hull_desc desc = {.points = &corners[0].x, .point_count = 8};
    cm_hull *hull;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    const cm_shape faces[4] = {cm_make_box(cm_v(20, 20, 2)), cm_make_halfspace(cm_v(0, 0, 1), -2), cm_make_hull(hull),
                               cm_make_rounded_box(cm_v(20, 20, 1), 1)};
    const cm_shape bodies[6] = {cm_make_box(cm_v(1, CM_REAL(0.5), CM_REAL(0.3))),
                                cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.7)),
                                cm_make_capsule(cm_v(0, 0, -1), cm_v(0, 0, 1), CM_REAL(0.4)),
                                cm_make_cylinder(CM_REAL(0.5), 1),
                                cm_make_cone(CM_REAL(0.5), 1),
                                cm_make_point(cm_v(0, 0, 0))};
    int slides = samples(10000, 1000000) / 24;
    for (int i = 0; i < 24; i++) {
        standing s;
        memset(&s, 0, sizeof s);
        s.how = ON_FLOOR;
        s.a = bodies[i % 6], s.b = faces[i / 6];
        s.ma = s.mb = motion_at_rest();
        s.mb.start.rotation = i % 5 == 4 ? rng_rotation(&r) : nice_rotation(&r); /* the face's frame */
        s.ma.start.rotation = cm_quat_normalize(cm_quat_mul(s.mb.start.rotation, nice_rotation(&r)));
        cm_vec3 up = cm_rotate(s.mb.start.rotation, cm_v(0, 0, 1));
        s.ma.start.position = cm_scale(up, 6);
        s.ma.move = cm_add(cm_scale(up, -8), cm_rotate(s.mb.start.rotation, cm_v(1, CM_REAL(0.3), 0)));
        cm_sweep_hit h;
        assert_true(cm_sweep(&s.a, &s.ma, &s.b, &s.mb, &h) && h.blocking);
        cm_motion_at(&s.ma, h.first, &s.ma.start);
        double path = 0, gap = promised_gap(&s), most = 0;
        for (int k = 0; k < slides; k++) {
            cm_vec3 v = rng_vec3(&r, 1);
            cm_vec3 home = cm_sub(s.ma.start.position, cm_scale(up, cm_dot(s.ma.start.position, up)));
            v = cm_sub(v, cm_scale(home, CM_REAL(0.1))); /* not over the edge */
            s.ma.move = cm_mul_add(v, -cm_dot(v, h.normal), h.normal);
            if (cm_length(s.ma.move) < cm_length(v) / 4) continue;
            cm_sweep_hit again;
            bool hit = cm_sweep(&s.a, &s.ma, &s.b, &s.mb, &again);
            check_that(!hit || !again.blocking, "%s on %s, slide %d: blocked at %g, start %d", cm_kind_name(s.a.kind),
                       cm_kind_name(s.b.kind), k, (double)again.first, (int)again.start);
            cm_motion_at(&s.ma, 1, &s.ma.start);
            path += (double)cm_length(s.ma.move);
            most = fmax(most, promised_gap(&s));
        }
        cm_pose rest = cm_pose_between(&s.mb.start, &s.ma.start);
        cm_motion at = {.start = rest};
        place p = place_at(&at, 0);
        long double left = p.at.z - reach_down(&s.a, &p) - 2;
        check_that(
            left > -most - 32 * (double)CM_REAL_EPSILON * path && left < gap + 32 * (double)CM_REAL_EPSILON * path,
            "%s on %s: %Lg left, gap %g, path %g", cm_kind_name(s.a.kind), cm_kind_name(s.b.kind), left, gap, path);
    }
    cm_hull_destroy(hull, NULL);
}

/* --- wheels ------------------------------------------------------------------------------------------------------ */

/* A cylinder, ball, capsule or ellipsoid of revolution that rolls is not blocked, in touch or a little deep; a prism of
 * twelve sides in the cylinder's place digs in, and is. Standing on its flat side it may spin. */
static void round_things_roll_and_polygons_dig_in(void **state) {
    (void)state;
    cm_vec3 corners[24];
    for (int i = 0; i < 24; i++) {
        double angle = 2 * 3.14159265358979323846 * (i / 2) / 12;
        corners[i] = cm_v(CM_REAL(0.5 * cos(angle)), CM_REAL(0.5 * sin(angle)), i & 1 ? CM_REAL(0.5) : CM_REAL(-0.5));
    }
    cm_hull_desc desc = {.points = &corners[0].x, .point_count = 24};
    cm_hull *hull;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    const cm_real half = CM_REAL(0.5);
    const cm_shape wheels[5] = {cm_make_cylinder(half, half), cm_make_sphere(cm_v(0, 0, 0), half),
                                cm_make_capsule(cm_v(0, 0, -half), cm_v(0, 0, half), half),
                                cm_make_ellipsoid(cm_v(half, half, 1)), cm_make_hull(hull)};
    const cm_shape floors[2] = {cm_make_box(cm_v(50, 50, 1)), cm_make_halfspace(cm_v(0, 0, 1), -1)};
    const double depths[4] = {0, 1e-4, 1e-3, -1e-7};
    for (int i = 0; i < 40; i++) {
        cm_motion still = motion_at_rest(), m = still;
        bool polygon = i % 5 == 4;
        cm_real high = half;
        if (polygon) high = half * CM_REAL(cos(3.14159265358979323846 / 12)); /* on a side of it */
        cm_quat_from_axis_angle(cm_v(1, 0, 0), CM_REAL(1.5707963267948966), &m.start.rotation);
        if (polygon) {
            cm_quat turn;
            cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(3.14159265358979323846 / 12), &turn);
            m.start.rotation = cm_quat_normalize(cm_quat_mul(m.start.rotation, turn));
        }
        m.start.position = cm_v(0, 0, 1 + high - CM_REAL(depths[i / 5 % 4]));
        m.move = cm_v(10, 0, 0);
        m.spin = cm_v(0, 20, 0);
        cm_sweep_hit h;
        bool hit = cm_sweep(&wheels[i % 5], &m, &floors[i / 20], &still, &h), blocks = hit && h.blocking;
        check_that(blocks == polygon, "wheel %d, %g deep: hit %d, first %g, blocking %d", i % 5, depths[i / 5 % 4], hit,
                   hit ? (double)h.first : 2, blocks);
        if (polygon) continue;
        m.start = cm_pose_at(cm_v(0, 0, 5)); /* near a wall they spin, and do not come nearer */
        m.start.position.x = -1 - half - CM_REAL(1e-4);
        m.move = cm_v(0, 0, 0), m.spin = cm_v(0, 0, CM_REAL(6.3));
        cm_shape wall = cm_make_box(cm_v(1, 9, 9));
        check_that(!cm_sweep(&wheels[i % 5], &m, &wall, &still, &h), "wheel %d meets a wall at %g", i % 5,
                   (double)h.first);
    }
    cm_hull_destroy(hull, NULL);
}

/* Segments that cross in a plane, and move in it: they touch, and nothing gets deep. And a point that hovers over a
 * triangle or a thin plate is stopped by it, where it would pass, but may leave. */
static void what_has_no_depth_touches_and_stops(void **state) {
    (void)state;
    rng r = rng_start("flat", 93);
    cm_motion still = motion_at_rest();
    int crossing = 0, count = samples(10000, 1000000);
    for (int i = 0; i < count; i++) {
        cm_real v[10];
        for (int k = 0; k < 10; k++) v[k] = (cm_real)rng_range(&r, -1, 1);
        cm_shape a = cm_make_segment(cm_v(v[0], v[1], 0), cm_v(v[2], v[3], 0));
        cm_shape b = cm_make_segment(cm_v(v[4], v[5], 0), cm_v(v[6], v[7], 0));
        cm_motion m = still;
        m.move = cm_v(v[8], v[9], 0);
        if (!cm_overlap(&a, &m.start, &b, &still.start)) continue;
        cm_sweep_hit h, back;
        bool hit = cm_sweep(&a, &m, &b, &still, &h), other = cm_sweep(&b, &still, &a, &m, &back);
        crossing++;
        check_that(hit && other, "%d: hit %d, swapped %d", i, hit, other);
        check_that(h.start == CM_SWEEP_TOUCHING && back.start == h.start && !h.blocking && !back.blocking,
                   "%d: start %d, blocking %d", i, (int)h.start, h.blocking);
    }
    check_that(crossing > count / 10, "%d cross", crossing);
    const cm_shape plates[3] = {cm_make_triangle(cm_v(-9, -9, 0), cm_v(9, -9, 0), cm_v(0, 9, 0)),
                                cm_make_box(cm_v(9, 9, 0)), cm_make_box(cm_v(9, 9, CM_REAL_EPSILON))};
    const cm_shape point = cm_make_point(cm_v(0, 0, 0)), rod = cm_make_segment(cm_v(-1, 0, 0), cm_v(1, 0, 0));
    for (int i = 0; i < 24; i++) {
        const cm_shape *a = i & 1 ? &rod : &point, *b = &plates[i / 2 % 3];
        cm_real side = i / 6 % 2 ? -1 : 1, away = i / 12 ? 1 : -1;
        cm_motion m = still;
        m.start.position.z = side * 40 * CM_REAL_EPSILON;
        m.move = cm_v(CM_REAL(0.1), 0, side * away);
        cm_sweep_hit h;
        bool hit = cm_sweep(a, &m, b, &still, &h);
        check_that((hit && h.blocking) == (away < 0), "%d: hit %d, blocking %d", i, hit, hit && h.blocking);
        check_that(away > 0 || (double)h.first <= (double)CM_REAL_MIN, "%d: at %g", i, (double)h.first);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_is_blocked_where_it_gets_deeper),
        cmocka_unit_test(a_slide_is_not_blocked_by_the_face_it_slides_on),
        cmocka_unit_test(round_things_roll_and_polygons_dig_in),
        cmocka_unit_test(what_has_no_depth_touches_and_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
