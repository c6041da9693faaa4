/* A segment against a body of revolution around its own z axis: a cylinder or a cone. What is particular to each body
 * is in its own file, an axis_body; what they share is here, as in axis_gap.h for points.
 *
 * Apart. The signed distance of a point from a convex body is a convex function of the point, so along the segment it
 * has one minimum. Where that is positive it is the distance of the two. The body's file finds the place of the minimum
 * on the segment; the distance there is that of a point, and an error of the place counts only by its square.
 *
 * Overlapping. The depth is the least, over all unit normals n, of the body's reach along n less the lower end of the
 * segment along n. At the least one a ball fits into the Minkowski difference and touches its surface, which it can
 * only where the surface is smooth. So n is one of few:
 *  - the normal of a cap or of the base;
 *  - a normal of the side: the lowest along it is an end of the segment, or a point at which the segment is
 *    perpendicular to n;
 *  - perpendicular to the segment, a normal of a rim, which is an ellipse as seen along the segment (axis_rims). All of
 *    them are tried. Moving along each by its depth separates the two, however the normal was rounded.
 *
 * Touching. Where the gap is so short that its direction is rounding, the normal follows from the features:
 * perpendicular to the segment and in the half-plane through axis and rim, or at an apex as near to the axis as
 * possible. Where the whole gap is rounding (AXIS_TOUCH), they touch.
 *
 * The general way (convex/) answers in two cases: lengths whose fourth powers leave the range of double, and depths for
 * which AXIS_STEPS steps do not find the ellipse's normal, near the cusps of its evolute.
 *
 * Frame: the body's. Rounding: in double, a few ulps of the coordinates that enter. Based on: [Eberly13], who shows
 * that the ellipse has one root in each quarter; here Newton's method begins on the side where the function is convex,
 * so that it never passes the root. */
#ifndef PAIR_SEGMENT_AXIS_H
#define PAIR_SEGMENT_AXIS_H

#include "convex/manifold.h"
#include "pair/axis_gap.h"
#include "pair/method.h"

#define AXIS_STEPS 64                   /* four or five do but where the root is a multiple one */
#define AXIS_TOUCH (64 * DBL_EPSILON)   /* of the coordinates: a gap that is rounding, at a rim or apex, */
#define AXIS_CLEAR (4096 * DBL_EPSILON) /* and one whose direction is */
/* Wider than the limits of convex/manifold.c, so that a contact that is one point here is one point there: a cosine a
 * little below MANIFOLD_FACE_COS, and the square of a sine of MANIFOLD_PARALLEL. */
#define AXIS_FACE_COS (1 - 2e-6)
#define AXIS_PARALLEL 4.1e-4

/* The points o + t d for t from 0 to 1. */
typedef struct axis_segment {
    cm__point o, d;
    double square;  /* of d, as seen along the axis */
    double nearest; /* t at which it is closest to the axis */
} axis_segment;

/* Where the segment is closest to the body, and to which feature of it. */
typedef enum axis_feature {
    AXIS_INSIDE, /* the segment overlaps the body there, whatever rounding says */
    AXIS_SIDE,   /* or a cap, or the base */
    AXIS_RIM,
    AXIS_APEX
} axis_feature;
typedef struct axis_place {
    double t;
    axis_feature feature;
} axis_place;

typedef struct axis_body {
    axis_outline outline;
    axis_place (*place)(const axis_segment *s, double radius, double half);
    /* The body's extent along a unit normal: its support. */
    double (*reach)(cm__point n, double radius, double half);
    /* Candidates for the normal of least depth, at most AXIS_NORMALS. Returns their number; -1: not known. */
    int (*normals)(const axis_segment *s, double radius, double half, cm__point *out);
    /* May the contact with this outward normal be more than one point? */
    bool (*faces)(const axis_segment *s, cm__point n, double radius, double half);
} axis_body;
#define AXIS_NORMALS 8

static inline void axis_segment_of(cm__point o, cm__point d, axis_segment *out) {
    out->o = o, out->d = d;
    out->square = d.x * d.x + d.y * d.y;
    out->nearest = cm__ratio01(-(o.x * d.x + o.y * d.y), out->square);
}
static inline cm__point axis_segment_at(const axis_segment *s, double t) { return cm__point_mul_add(s->o, t, s->d); }

/* Is the segment parallel to the axis within rounding? Then no end is nearer to the axis than the other. */
static inline bool axis_is_along(const axis_segment *s) { return s->square <= 0x1p-104 * (s->d.z * s->d.z); }

/* 1 or -1, without a jump: which it is could not be predicted. */
static inline double axis_sign(bool plus) { return 2 * (double)plus - 1; }

/* Where the segment comes closest to the disk of this radius around (0, 0, level): between where it is closest to the
 * axis and where it is closest to the disk's plane. Off the rim, with w the way from the axis, the slope of half the
 * distance's square is (1 - radius / w) w w' + (z - level) z', and its slope, d^2 - radius miss^2 / w^3, grows with w:
 * Newton's method from the far side never passes the root. Both are multiplied by powers of w, which spares divisions.
 * The slope's slope changes by 3 radius miss^2 / w^4 w' at most, which bounds the error of the next step: by 2^-50
 * where w changes by no more than a quarter in between. */
static inline axis_place axis_place_on_disk(const axis_segment *s, double radius, double level) {
    const double plane = (level - s->o.z) / s->d.z; /* NaN or infinite where the segment is parallel to the disk */
    const double clamped = fabs(s->d.z) > 0 ? cm__clamp01(plane) : s->nearest, half = s->o.x * s->d.x + s->o.y * s->d.y;
    const cm__point p = axis_segment_at(s, clamped);
    if (p.x * p.x + p.y * p.y <= radius * radius)
        return (axis_place){clamped, clamped == plane || p.z == level ? AXIS_INSIDE : AXIS_SIDE};
    const double sign = axis_sign(clamped > s->nearest), least = s->nearest, flat = sqrt(s->square);
    const double miss = s->o.x * s->d.y - s->o.y * s->d.x, hold = radius * (miss * miss);
    const double whole = s->square + s->d.z * s->d.z;
    double t = clamped;
    for (int i = 0; i < AXIS_STEPS; i++) {
        const cm__point at = axis_segment_at(s, t);
        const double square = at.x * at.x + at.y * at.y, across = sqrt(square);
        const double slope = (across - radius) * (half + t * s->square) + across * ((at.z - level) * s->d.z);
        const double bend = whole * (square * across) - hold;
        if (!(slope * sign > 0 && bend > 0)) break;
        const double step = slope * square / bend, way = fabs(step) * flat;
        if ((t - step - least) * sign <= 0) return (axis_place){least, AXIS_RIM};
        t -= step;
        if (fabs(step) <= 0x1p-50 || ((4 * way < across) & (0x1p53 * (fabs(step) * way) * hold < bend * across))) break;
    }
    return (axis_place){t, AXIS_RIM};
}

/* The direction perpendicular to the axis and to the segment, toward the segment; only where no end of the segment is
 * the nearest place to the axis. */
static inline int axis_perpendicular(const axis_segment *s, cm__point *out) {
    if (!(s->square > 0)) return 0;
    const double flat = sqrt(s->square), side = axis_sign(s->o.y * s->d.x - s->o.x * s->d.y >= 0);
    *out = cm__p(-s->d.y / flat * side, s->d.x / flat * side, 0);
    return 1;
}
/* The direction perpendicular to the axis, from the axis to the place at t. */
static inline cm__point axis_toward(const axis_segment *s, double t) {
    const cm__point p = axis_segment_at(s, t);
    return axis_direction(p.x, p.y, axis_length(p.x, p.y));
}

/* The normals of least depth against the rims of two disks, side by side, at `level`: perpendicular to the segment, on
 * the side of z to which `up` points. Returns how many there are; -1: not known. Seen along the segment a disk is an
 * ellipse with half axes a = radius across and b toward `up`. With (x, y) the segment from its middle, x >= 0, and the
 * normal (k b / a, 1), scaled, the depth is least where x = y b k / a + (a^2 - b^2) / a * k / sqrt(1 + k^2). For the
 * least root k >= 0 the right side is concave before it. */
static inline int axis_rims(const axis_segment *s, double radius, f64x2 level, f64x2 up, cm__point out[2]) {
    const double flat = sqrt(s->square), length = sqrt(s->square + s->d.z * s->d.z);
    if (axis_is_along(s)) {
        out[0] = axis_toward(s, 0); /* for both */
        return length > 0;
    }
    const double rise = s->d.z / length, lean = flat / length, slim = fabs(rise), b = radius * (lean * lean);
    const cm__point beside = cm__p(-s->d.y / flat, s->d.x / flat, 0);
    const double x = s->o.x * beside.x + s->o.y * beside.y, side = axis_sign(!(x < 0));
    const cm__point across = cm__point_scale(beside, side);
    const f64x2 over_x = f64x2_mul(f64x2_all(-s->d.x / flat * rise), up);
    const f64x2 over_y = f64x2_mul(f64x2_all(-s->d.y / flat * rise), up), over_z = f64x2_mul(f64x2_all(lean), up);
    const f64x2 y = f64x2_add(f64x2_add(f64x2_mul(f64x2_all(s->o.x), over_x), f64x2_mul(f64x2_all(s->o.y), over_y)),
                              f64x2_mul(f64x2_sub(f64x2_all(s->o.z), level), over_z));
    const f64x2 zero = f64x2_all(0), one = f64x2_all(1), slims = f64x2_all(slim), bs = f64x2_all(b);
    const f64x2 a = f64x2_mul(y, slims), xs = f64x2_all(x * side);
    u64x2 left = u64x2_all(UINT64_MAX), found = u64x2_all(0), beyond = found;
    f64x2 k = zero, root_at = zero;
    for (int i = 0; i < AXIS_STEPS && u64x2_mask(left); i++) {
        const f64x2 root = f64x2_sqrt(f64x2_add(one, f64x2_mul(k, k)));
        const f64x2 slope = f64x2_add(a, f64x2_div(bs, f64x2_mul(f64x2_mul(root, root), root)));
        left = u64x2_and(left, f64x2_gt(slope, zero)); /* else there is none */
        const f64x2 miss = f64x2_sub(f64x2_sub(xs, f64x2_mul(a, k)), f64x2_mul(bs, f64x2_div(k, root)));
        const f64x2 step = f64x2_div(miss, slope);
        k = f64x2_add(k, step);
        /* on the long axis, beyond the center of curvature: 1 + c^2 rounds to c^2 */
        const u64x2 within = f64x2_le(f64x2_mul(k, slims), f64x2_all(0x1p28));
        beyond = u64x2_or(beyond, u64x2_and_not(left, within));
        /* Newton's error is about the square of the last step, so 2^-48 of k, and the depth is off by no more than
         * radius * slim * step^2. A bound of 2^-20 changes last digits, 2^-28 none. */
        const u64x2 done = u64x2_or(f64x2_le(f64x2_abs(step), f64x2_mul(f64x2_all(0x1p-24), f64x2_add(one, k))),
                                    f64x2_le(f64x2_mul(f64x2_mul(step, step), slims), f64x2_all(0x1p-56)));
        left = u64x2_and(left, within);
        root_at = f64x2_select(u64x2_and(left, done), k, root_at);
        found = u64x2_or(found, u64x2_and(left, done));
        left = u64x2_and_not(left, done);
    }
    if (u64x2_mask(left)) return -1;
    const f64x2 c = f64x2_mul(root_at, slims);
    const f64x2 scale = f64x2_div(one, f64x2_sqrt(f64x2_add(one, f64x2_mul(c, c)))), aside = f64x2_mul(c, scale);
    const f64x2 away_x = f64x2_mul(over_x, scale), away_y = f64x2_mul(over_y, scale), away_z = f64x2_mul(over_z, scale);
    const cm__point first = cm__p(f64x2_low(away_x), f64x2_low(away_y), f64x2_low(away_z));
    const cm__point second = cm__p(f64x2_high(away_x), f64x2_high(away_y), f64x2_high(away_z));
    const unsigned on_axis = u64x2_mask(beyond), known = u64x2_mask(found) | on_axis;
    const int count = (int)(known & 1);
    out[0] = on_axis & 1 ? across : cm__point_add(cm__point_scale(across, f64x2_low(aside)), first);
    out[count] = on_axis & 2 ? across : cm__point_add(cm__point_scale(across, f64x2_high(aside)), second);
    return count + (int)(known >> 1);
}

/* --- what a pair answers (cm__method): the body is known where these are inlined --------------------------------- */

/* The relative position of the cores. The normal points from the body to the segment, in the body's frame. */
typedef struct axis_near {
    cm__point normal;
    double t, gap; /* the segment's closest or deepest place; the signed distance */
} axis_near;

static inline double axis_depth(const axis_segment *s, cm__point n, double reach) {
    const double low = cm__point_dot(n, s->o), along = cm__point_dot(n, s->d);
    return reach - (low + cm__least(along, 0));
}

/* For cores that overlap. The place is where the segment, moved out to touching, is closest to the body. */
static inline bool axis_overlapping(const axis_segment *s, const axis_body *body, double radius, double half,
                                    axis_near *out) {
    cm__point way[AXIS_NORMALS];
    const int count = body->normals(s, radius, half, way);
    if (count < 0) return false;
    double least = DBL_MAX;
    int best = 0;
    for (int i = 0; i < count; i++) {
        const double depth = axis_depth(s, way[i], body->reach(way[i], radius, half));
        best ^= (best ^ i) & -(int)(depth < least);
        least = cm__least(depth, least);
    }
    out->normal = way[best];
    axis_segment moved;
    axis_segment_of(cm__point_mul_add(s->o, least, out->normal), s->d, &moved);
    out->t = body->place(&moved, radius, half).t;
    out->gap = -cm__most(least, 0);
    return true;
}

#define AXIS_STRAIGHT 0x1p-6 /* of the coordinates: the direction of a longer gap is right to a few roundings */

/* Makes the normal of a short gap exactly perpendicular to the segment: it is so within rounding, and the error would
 * be magnified at the ends of a long segment. At a side the normal is rotated about the axis, at a rim within the
 * half-plane through axis and (x, y). The remaining error counts only by its square. */
static inline cm__point axis_straighten(const axis_segment *s, axis_feature feature, double x, double y, cm__point n) {
    const double out = s->d.x * x + s->d.y * y, square = cm__point_dot(s->d, s->d);
    cm__point way = s->d;
    if (feature == AXIS_SIDE) way = cm__p(-y, x, 0);
    if (feature == AXIS_RIM) way = cm__p(out * x, out * y, s->d.z);
    const double along = cm__point_dot(way, s->d);
    if (!(along * along > 0x1p-40 * square * cm__point_dot(way, way))) return n;
    return wide_normalize(cm__point_mul_add(n, -cm__point_dot(n, s->d) / along, way), n);
}

/* Is some point of the segment nearer along the normal than the place at t, by more than `noise`? */
static inline bool axis_leans(const axis_segment *s, double t, cm__point normal, double noise) {
    const double along = cm__point_dot(normal, s->d);
    return (along > 0 ? t : t - 1) * along > noise;
}

/* The normal of a short gap. (x, y): the direction from the axis to the place; `way`: that of the gap. On the axis,
 * within rounding, (x, y) is no direction: then the normal is perpendicular to both at a needle, and at an apex along
 * the axis as far as the segment allows. */
static CM__RARE cm__point axis_short_normal(const axis_segment *s, const axis_place *place, const axis_point *p,
                                            const axis_way *way, double clear, cm__point normal) {
    axis_feature feature = place->feature;
    /* a segment leaves a cap only over its rim */
    if (feature == AXIS_SIDE && fabs(way->along) == 1) feature = AXIS_RIM;
    if (feature != AXIS_RIM && (p->across <= clear || (feature == AXIS_APEX && way->gap <= clear))) {
        /* the segment does not cross the axis: any direction is as good */
        if (feature == AXIS_SIDE && way->along == 0) {
            axis_perpendicular(s, &normal);
            return normal;
        }
        feature = AXIS_APEX;
        if (way->gap <= clear) normal = cm__p(0, 0, 1);
    }
    const cm__point beside = axis_direction(p->x, p->y, p->across);
    const double noise = feature == AXIS_APEX
                             ? 0x1p-8 * clear
                             : 0; /* 16 DBL_EPSILON of the coordinates: at the apex an end's t is rounding */
    return axis_leans(s, place->t, normal, noise) ? axis_straighten(s, feature, beside.x, beside.y, normal) : normal;
}

/* Are the cores apart? Then *out is their gap. */
static inline bool axis_apart(const axis_segment *s, const axis_body *body, double radius, double half, double scale,
                              axis_near *out) {
    const axis_place place = body->place(s, radius, half);
    const axis_point p = axis_point_of(axis_segment_at(s, place.t));
    const axis_way way = body->outline(&p, radius, half);
    if (place.feature == AXIS_INSIDE || !(way.gap > 0)) return false;
    const cm__point beside = axis_direction(p.x, p.y, p.across);
    out->normal = cm__p(-way.across * beside.x, -way.across * beside.y, -way.along);
    out->t = place.t;
    out->gap = way.gap;
    if (!(way.gap < AXIS_STRAIGHT * scale)) return true;
    /* a gap of rounding, along no normal of the body: they touch */
    const bool own = place.feature == AXIS_SIDE && (p.across > AXIS_CLEAR * scale || fabs(way.along) == 1);
    if (!own && way.gap <= AXIS_TOUCH * scale) return false;
    out->normal = axis_short_normal(s, &place, &p, &way, AXIS_CLEAR * scale, out->normal);
    return true;
}

/* The segment in the body's frame. Returns the size of the coordinates; 0 where the general method has to scale
 * them. */
static inline double axis_segment_in(const cm_shape *a, const cm__frame *b_in_a, double radius, double half,
                                     axis_segment *out) {
    const cm__point from = cm__point_of(a->u.segment.a), to = cm__point_of(a->u.segment.b);
    axis_segment_of(frame_unrotate(b_in_a, cm__point_sub(from, b_in_a->position)),
                    frame_unrotate(b_in_a, cm__point_sub(to, from)), out);
    const double scale = cm__point_largest(out->o) + cm__point_largest(out->d) + radius + half;
    return scale > 1e-50 && scale < 1e50 ? scale : 0;
}

/* Surely farther than `reach` from a cylinder around the body? */
static inline bool axis_segment_is_far(const axis_segment *s, double radius, double half, double reach, double scale) {
    const double more = reach + AXIS_CLEAR * (scale + reach), high = half + more, end = s->o.z + s->d.z;
    if ((s->o.z > high && end > high) || (s->o.z < -high && end < -high)) return true;
    const cm__point p = axis_segment_at(s, s->nearest);
    return p.x * p.x + p.y * p.y > (radius + more) * (radius + more);
}

static inline bool axis_segment_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, double radius,
                                        double half, const axis_body *body) {
    const cm__frame frame = frame_of_pose(b_in_a);
    const double reach = (double)a->radius + (double)b->radius;
    axis_segment s;
    axis_near near;
    const double scale = axis_segment_in(a, &frame, radius, half, &s);
    if (scale > 0) {
        if (axis_segment_is_far(&s, radius, half, reach, scale)) return false;
        return !axis_apart(&s, body, radius, half, scale, &near) || near.gap <= reach;
    }
    return cm__search_convex.overlap(a, b, b_in_a, NULL);
}

/* The gap of the cores, in A's frame. False: the general method has to answer. */
static inline bool axis_core_gap(const cm_shape *a, const cm__frame *b_in_a, const axis_segment *s, double scale,
                                 double radius, double half, const axis_body *body, axis_near *near, cm__gap *out) {
    if (!axis_apart(s, body, radius, half, scale, near) && !axis_overlapping(s, body, radius, half, near)) return false;
    out->normal = wide_neg(frame_rotate(b_in_a, near->normal));
    out->distance = near->gap;
    out->a = cm__point_between(cm__point_of(a->u.segment.a), cm__point_of(a->u.segment.b), near->t);
    out->b = cm__point_mul_add(out->a, near->gap, out->normal);
    return true;
}
static inline void axis_add_radii(const cm_shape *a, const cm_shape *b, cm__gap *io) {
    io->a = cm__point_mul_add(io->a, (double)a->radius, io->normal);
    io->b = cm__point_mul_add(io->b, -(double)b->radius, io->normal);
    io->distance -= (double)a->radius + (double)b->radius;
}

/* False: the general method has to answer. */
static inline bool axis_segment_quick(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, double radius,
                                      double half, const axis_body *body, cm__gap *out) {
    axis_segment s;
    axis_near near;
    const double scale = axis_segment_in(a, b_in_a, radius, half, &s);
    if (!(scale > 0 && axis_core_gap(a, b_in_a, &s, scale, radius, half, body, &near, out))) return false;
    axis_add_radii(a, b, out);
    return true;
}
static inline void axis_segment_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, double radius,
                                    double half, const axis_body *body, cm__gap *out) {
    if (axis_segment_quick(a, b, b_in_a, radius, half, body, out)) return;
    axis_segment s;
    cm__method_convex.gap(a, b, b_in_a, out);
    if (axis_segment_in(a, b_in_a, radius, half, &s) > 0)
        out->distance = distance_settled(out->distance, true); /* overlapping, however deep */
}

static inline int axis_segment_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, double radius,
                                       double half, const axis_body *body, cm_real margin, cm_manifold *out,
                                       int capacity) {
    const cm__frame frame = frame_of_pose(b_in_a);
    const double reach = (double)a->radius + (double)b->radius + (double)margin;
    axis_segment s;
    axis_near near;
    cm__gap core;
    const double scale = axis_segment_in(a, &frame, radius, half, &s);
    if (scale > 0 && axis_segment_is_far(&s, radius, half, reach, scale)) return 0;
    if (!(scale > 0 && axis_core_gap(a, &frame, &s, scale, radius, half, body, &near, &core))) {
        const int count = cm__search_convex.contact(a, b, b_in_a, margin, NULL, NULL, out, capacity);
        if (count > 0 || !(scale > 0)) return count;
        axis_segment_gap(a, b, &frame, radius, half, body, &core); /* they touch, though that rounds otherwise */
        if (capacity > 0) cm__manifold_of_gap(&core, out);
        return 1;
    }
    if (!(near.gap - ((double)a->radius + (double)b->radius) <= (double)margin)) return 0;
    if (capacity < 1) return 1;
    if (body->faces(&s, near.normal, radius, half)) {
        cm__convex_contact_along(a, b, &frame, &core, margin, out);
    } else {
        axis_add_radii(a, b, &core);
        cm__manifold_of_gap(&core, out);
    }
    return 1;
}

#endif
