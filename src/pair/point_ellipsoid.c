/* Point against ellipsoid; with radii, sphere against (rounded) ellipsoid.
 *
 * In the ellipsoid's frame let p be the point and e the half axes. The closest point q of the surface has p - q = t g,
 * where g_i = q_i / e_i^2 is along the surface's normal: q_i = e_i^2 p_i / (t + e_i^2), and t is the largest root of
 * s(t) = 1 with s^2 = sum (e_i p_i / (t + e_i^2))^2. The signed distance is t |g|, which is negative inside. The root
 * is sought as tau = t + least^2, with the least half axis, so that no term cancels near its pole at tau = 0. 1 / s
 * rises and is concave in tau > 0 (the secular equation of trust regions), so Newton's steps from below the root rise
 * to it and never pass it. Where s <= 1 down to the pole, p is in the plane across the least axis and within the
 * ellipsoid's evolute: q is then off that plane, on the + side of the first least axis. Without a least half axis the
 * ellipsoid is a flat disk, a segment or a point, which has no inside, and q is then p's projection.
 *
 * Bound: ELLIPSOID_STEPS steps; of 400,000 places most took up to 5, none more than 12. Rounding: some ulps of double
 * of the point and the half axes. Based on: [More83] for the equation and its steps. */
#include "pair/direct.h"
#include "pair/pair.h"

#define ELLIPSOID_STEPS 60
#define ELLIPSOID_END   (4 * DBL_EPSILON) /* of s */
/* A unit in which all squares of products of two lengths are in range; of it, a half axis that is none. */
#define ELLIPSOID_LEAST 1e-60
#define ELLIPSOID_MOST  1e60
#define ELLIPSOID_POLE  0x1p-1000 /* 1 / tau would leave it, too: tau is 0 */

/* The point of the surface closest to p. */
typedef struct ellipsoid_foot {
    cm__point q, out; /* `out`: the unit outward normal there */
    double gap;       /* of p from the surface, negative inside */
} ellipsoid_foot;

/* The same where tau is 0: p is across the axes that are least. */
static CM__RARE ellipsoid_foot ellipsoid_across(const double p[3], const double e[3], const double d[3], double least) {
    double q[3] = {0, 0, 0}, g[3] = {0, 0, 0}, rest = 1, off = 0;
    int first = -1;
    for (int i = 2; i >= 0; i--) {
        if (d[i] > 0)
            q[i] = e[i] * (e[i] * p[i] / d[i]), rest -= (q[i] / e[i]) * (q[i] / e[i]), g[i] = p[i] / d[i];
        else
            first = i, off = cm__point_length(cm__p(off, p[i], 0));
    }
    ellipsoid_foot foot;
    if (least > 0) {
        q[first] = least * sqrt(wide_max(rest, 0)), g[first] = q[first] / (least * least);
        foot.gap = -least * least * cm__point_length(cm__p(g[0], g[1], g[2]));
    } else {
        for (int i = 0; i < 3; i++) g[i] = d[i] > 0 ? 0 : p[i];
        if (!(off > 0)) g[first] = 1;
        foot.gap = off;
    }
    foot.q = cm__p(q[0], q[1], q[2]);
    foot.out = wide_normalize(cm__p(g[0], g[1], g[2]), cm__p(1, 0, 0));
    return foot;
}

static ellipsoid_foot ellipsoid_foot_of(cm__point point, cm__point half) {
    const double p[3] = {point.x, point.y, point.z}, e[3] = {half.x, half.y, half.z};
    const double least = wide_min(e[0], wide_min(e[1], e[2]));
    double d[3], w[3], over[3], tau = 0, square = 0, farthest = 0;
    for (int i = 0; i < 3; i++) {
        d[i] = (e[i] - least) * (e[i] + least), w[i] = e[i] * p[i];
        square += w[i] * w[i], farthest = wide_max(farthest, d[i]);
        tau = wide_max(tau, fabs(w[i]) - d[i]); /* each term is at most 1 at the root, */
    }
    tau = wide_max(tau, sqrt(square) - farthest); /* and so are all with the longest pole distance */
    for (int step = 0; step < ELLIPSOID_STEPS; step++) {
        double s2 = 0, slope = 0;
        for (int i = 0; i < 3; i++) {
            const double under = tau + d[i];
            over[i] = under > ELLIPSOID_POLE ? 1 / under : 0;
            const double x = w[i] * over[i];
            s2 += x * x, slope += x * x * over[i];
        }
        const double s = sqrt(s2);
        if (!(s - 1 > ELLIPSOID_END)) break;
        const double next = tau + (s - 1) * s2 / slope;
        if (!(next > tau)) break;
        tau = next;
    }
    if (!(tau > ELLIPSOID_POLE)) return ellipsoid_across(p, e, d, least);
    const cm__point g = cm__p(p[0] * over[0], p[1] * over[1], p[2] * over[2]);
    const double length = cm__point_length(g);
    ellipsoid_foot foot;
    foot.q = cm__p(e[0] * e[0] * g.x, e[1] * e[1] * g.y, e[2] * e[2] * g.z);
    foot.out = cm__point_scale(g, 1 / length);
    foot.gap = (tau - least * least) * length;
    return foot;
}

static cm__point ellipsoid_local(const cm_shape *point, const cm__frame *body) {
    return frame_unrotate(body, cm__point_sub(cm__point_of(point->u.point), body->position));
}

/* With a unit of their own where products of lengths would leave the range, and half axes whose squares would as 0. */
static ellipsoid_foot ellipsoid_foot_in(cm__point local, cm__point half) {
    const double unit = wide_max(cm__point_largest(local), cm__point_largest(half)), none = unit * ELLIPSOID_LEAST;
    half = cm__p(half.x < none ? 0 : half.x, half.y < none ? 0 : half.y, half.z < none ? 0 : half.z);
    if ((unit > ELLIPSOID_LEAST && unit < ELLIPSOID_MOST) || !(unit > 0)) return ellipsoid_foot_of(local, half);
    ellipsoid_foot foot = ellipsoid_foot_of(cm__p(local.x / unit, local.y / unit, local.z / unit),
                                            cm__p(half.x / unit, half.y / unit, half.z / unit));
    foot.q = cm__point_scale(foot.q, unit), foot.gap *= unit;
    return foot;
}

static bool point_ellipsoid_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    const cm__frame frame = frame_of_pose(b_in_a);
    const cm__point local = ellipsoid_local(a, &frame), half = cm__point_of(b->u.ellipsoid);
    const double reach = (double)a->radius + (double)b->radius, more = 1 + 0x1p-40;
    if (fabs(local.x) > (half.x + reach) * more || fabs(local.y) > (half.y + reach) * more ||
        fabs(local.z) > (half.z + reach) * more)
        return false; /* of its box */
    return ellipsoid_foot_in(local, half).gap <= reach;
}

static void point_ellipsoid_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    const ellipsoid_foot foot = ellipsoid_foot_in(ellipsoid_local(a, b_in_a), cm__point_of(b->u.ellipsoid));
    const double ra = (double)a->radius, rb = (double)b->radius;
    out->normal = wide_neg(frame_rotate(b_in_a, foot.out));
    out->distance = foot.gap - (ra + rb);
    out->a = cm__point_mul_add(cm__point_of(a->u.point), ra, out->normal);
    out->b = frame_apply(b_in_a, cm__point_mul_add(foot.q, rb, foot.out));
}

DIRECT_BY_GAP(point_ellipsoid, quad_of_vec3(&a->u.point), quad_of_vec3(&b->u.ellipsoid),
              (point_ellipsoid_gap(a, b, b_in_a, out), true))

const cm__method cm__method_point_ellipsoid = {.overlap = point_ellipsoid_overlap,
                                               .gap = point_ellipsoid_gap,
                                               .distance_direct = DIRECT(point_ellipsoid_distance_direct)};
