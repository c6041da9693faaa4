/* Rays against cylinder, cone and ellipsoid without a radius, in their own frame: closed forms in double.
 *
 * Each set is the intersection of a slab and a quadric, or the quadric alone. The line is first moved to its point
 * nearest to the origin, so that numbers are of the set's size; lengths are then measured in the set's own, axis by
 * axis, which makes the quadric a unit one. Roots come from forms that do not cancel: of the ball as in math/span.c; of
 * the cone r = w the discriminant is |w' p - w v|^2 - (p x v)^2, by Lagrange's identity, with p, v the parts across the
 * axis. Error: the point at t is off the surface by at most 64 DBL_EPSILON of (the set's size + the origin's distance);
 * where a set is thin, only along itself. The sets are larger by 8 of them, so that rounding makes no ray late, nor
 * lets one miss that begins on the surface, or only touches it. Sizes below 1e-30 of the largest count as 0, and then
 * the set is flat.
 *
 * Based on: [Ericson05 §5.3.7] for the cylinder; [Kay86] for the slab. */
#include "shape/ray.h"
#include "math/span.h"

/* The line from its point nearest to the origin, and the time of that point. */
typedef struct round_line {
    cm__point p, v;
    double t;
} round_line;

static round_line round_line_of(const cm_ray *ray) {
    round_line l;
    l.p = cm__point_of(ray->origin), l.v = cm__point_of(ray->direction);
    double largest = cm__point_largest(l.v);
    cm__point u = cm__point_scale(l.v, 1 / largest);
    l.t = -cm__point_dot(l.p, u) / cm__point_dot(u, u) / largest;
    if (!(fabs(l.t) <= DBL_MAX)) l.t = 0;
    l.p = cm__point_mul_add(l.p, l.t, l.v);
    return l;
}

/* Cuts the line's span, first at infinity, down to the ray's. `in` and `leave` are the normals at its ends. */
static bool round_finish(const cm_ray *ray, const round_line *l, cm__span span, cm__point in, cm__point leave,
                         cm_ray_hit *out) {
    const double rounding = 4 * DBL_EPSILON * (fabs(l->t) + fabs(span.first));
    span.first += l->t, span.last += l->t;
    if (!(span.first <= span.last) || !(span.first <= (double)ray->max) || !(span.last >= 0)) return false;
    bool inside = span.first <= rounding; /* at the surface, too */
    if (inside) span.first = 0;
    span.last = wide_min(span.last, (double)ray->max);
    if (!cm__ray_finish(ray, span, inside ? leave : in, out)) return false;
    if (out) out->inside = inside;
    return true;
}

static cm__span round_all(void) {
    cm__span s;
    s.first = -DBL_MAX, s.last = DBL_MAX;
    return s;
}

static cm__point round_across(cm__point p) { return cm__p(p.x, p.y, 0); }
static cm__point round_at(const round_line *l, double t) { return cm__point_mul_add(l->p, t, l->v); }

/* By how much a set is larger in the second look. */
static double round_slop(const cm_ray *ray, double size) {
    return CM__SPAN_SLOP * (wide_sum(cm__point_of(ray->origin)) + size);
}

static bool cylinder_meets(const cm_ray *ray, double radius, double half_height, double slop, cm_ray_hit *out) {
    round_line l = round_line_of(ray);
    cm__span slab = round_all(), side = round_all();
    const double end = half_height + slop;
    if (!cm__span_slab(l.p.z, l.v.z, -end, end, &slab)) return false;
    cm__point p = round_across(l.p), v = round_across(l.v);
    if (cm__point_largest(v) > 0) {
        if (!cm__span_ball(p, v, radius + slop, &side)) return false;
    } else if (!(cm__point_length(p) <= radius + slop)) {
        return false;
    }
    double up = l.v.z > 0 ? 1 : -1;
    cm__span span = {wide_max(slab.first, side.first), wide_min(slab.last, side.last)};
    cm__point back = wide_normalize(wide_neg(v), cm__p(1, 0, 0)), in, leave;
    in = slab.first >= side.first ? cm__p(0, 0, -up) : wide_normalize(round_across(round_at(&l, side.first)), back);
    leave = slab.last <= side.last ? cm__p(0, 0, up)
                                   : wide_normalize(round_across(round_at(&l, side.last)), wide_neg(back));
    return round_finish(ray, &l, span, in, leave, out);
}

bool cm__ray_cylinder(const cm_ray *ray, double radius, double half_height, cm_ray_hit *out) {
    return cylinder_meets(ray, radius, half_height, 0, out) ||
           cylinder_meets(ray, radius, half_height, round_slop(ray, radius + half_height), out);
}

/* r <= w with w >= 0, in units of the cone: p, v across, w and its rate. */
static bool cone_span(cm__point p, cm__point v, double w, double rate, cm__span *span) {
    double pp = cm__point_length(p), vv = cm__point_length(v);
    double a = (vv - fabs(rate)) * (vv + fabs(rate)), b = cm__point_dot(p, v) - w * rate;
    double c = (pp - fabs(w)) * (pp + fabs(w));
    cm__point m = cm__p(rate * p.x - w * v.x, rate * p.y - w * v.y, 0);
    double mm = cm__point_length(m), x = fabs(p.x * v.y - p.y * v.x);
    double square = (mm - x) * (mm + x);
    if (!(square >= 0)) return false;
    double root = sqrt(square), q = b > 0 ? -b - root : -b + root; /* the two roots: q / a and c / q */
    double one = a != 0 ? q / a : DBL_MAX, two = q != 0 ? c / q : 0;
    if (a > 0) {
        span->first = wide_min(one, two), span->last = wide_max(one, two);
    } else if (a < 0) { /* both halves of the double cone: the upper one is ahead where w grows */
        if (rate > 0)
            span->first = wide_max(one, two), span->last = DBL_MAX;
        else
            span->first = -DBL_MAX, span->last = wide_min(one, two);
    } else if (q != 0) { /* along the side: 2 b t + c <= 0; c / q is c / (-2 b) */
        if (b > 0)
            span->first = -DBL_MAX, span->last = two;
        else
            span->first = two, span->last = DBL_MAX;
    } else if (!(c <= 0)) {
        return false;
    }
    return true;
}

static bool cone_meets(const cm_ray *ray, double radius, double half_height, double slop, cm_ray_hit *out) {
    const double height = 2 * half_height, raise = slop / radius + slop / height; /* the side, out by the slop */
    round_line l = round_line_of(ray);
    cm__span slab = round_all(), side = round_all();
    if (!cm__span_slab(l.p.z, l.v.z, -half_height - slop, half_height + slop, &slab)) return false;
    cm__point p = cm__point_scale(round_across(l.p), 1 / radius), v = cm__point_scale(round_across(l.v), 1 / radius);
    if (!cone_span(p, v, (half_height - l.p.z) / height + raise, -l.v.z / height, &side)) return false;
    cm__span span = {wide_max(slab.first, side.first), wide_min(slab.last, side.last)};
    /* The side's outward normal is (2 h, r) in the half plane of the point; at the apex toward where the ray is from.
     */
    cm__point normal[2];
    for (int i = 0; i < 2; i++) {
        bool base = i ? slab.last <= side.last && l.v.z < 0 : slab.first >= side.first && l.v.z > 0;
        cm__point away = wide_normalize(round_across(l.v), cm__p(1, 0, 0));
        cm__point at = round_across(round_at(&l, i ? span.last : span.first));
        at = wide_normalize(at, i ? away : wide_neg(away));
        normal[i] =
            base ? cm__p(0, 0, -1) : wide_normalize(cm__p(at.x * height, at.y * height, radius), cm__p(0, 0, 1));
    }
    return round_finish(ray, &l, span, normal[0], normal[1], out);
}

bool cm__ray_cone(const cm_ray *ray, double radius, double half_height, cm_ray_hit *out) {
    const double height = 2 * half_height, size = wide_max(radius, height);
    if (!(height > 1e-30 * size)) return cm__ray_cylinder(ray, radius, 0, out);
    if (!(radius > 1e-30 * size)) return cm__ray_cylinder(ray, 0, half_height, out);
    return cone_meets(ray, radius, half_height, 0, out) ||
           cone_meets(ray, radius, half_height, round_slop(ray, size), out);
}

static bool ellipsoid_meets(const cm_ray *ray, cm__point half, double slop, cm_ray_hit *out) {
    round_line l = round_line_of(ray);
    const double thin = 1e-30 * cm__point_largest(half);
    const double h[3] = {half.x, half.y, half.z}, p[3] = {l.p.x, l.p.y, l.p.z}, v[3] = {l.v.x, l.v.y, l.v.z};
    double sp[3], sv[3];
    cm__span slab = round_all(), ball = round_all();
    int across = -1; /* a flat axis along which the ray moves */
    bool solid = false;
    for (int i = 0; i < 3; i++) {
        bool flat = !(h[i] > thin);
        if (flat && !cm__span_slab(p[i], v[i], -slop, slop, &slab)) return false;
        if (flat && v[i] != 0) across = i;
        sp[i] = flat ? 0 : p[i] / (h[i] + slop), sv[i] = flat ? 0 : v[i] / (h[i] + slop);
        solid = solid || !flat;
    }
    cm__point q = cm__p(sp[0], sp[1], sp[2]), w = cm__p(sv[0], sv[1], sv[2]);
    if (cm__point_largest(w) > 0) {
        if (!cm__span_ball(q, w, 1, &ball)) return false;
    } else if (!(cm__point_length(q) <= 1)) {
        return false;
    }
    cm__span span = {wide_max(slab.first, ball.first), wide_min(slab.last, ball.last)};
    cm__point normal[2], back = wide_normalize(wide_neg(l.v), cm__p(0, 0, 1));
    for (int i = 0; i < 2; i++) {
        double t = i ? span.last : span.first, n[3];
        for (int k = 0; k < 3; k++) n[k] = h[k] > thin ? (sp[k] + t * sv[k]) / (h[k] + slop) : 0;
        normal[i] = wide_normalize(cm__p(n[0], n[1], n[2]), i ? wide_neg(back) : back);
        if (across >= 0 || !solid) {
            double side = i ? 1 : -1;
            normal[i] = across < 0 ? cm__point_scale(back, -side)
                                   : cm__p(across == 0 ? side * (v[0] > 0 ? 1 : -1) : 0,
                                           across == 1 ? side * (v[1] > 0 ? 1 : -1) : 0,
                                           across == 2 ? side * (v[2] > 0 ? 1 : -1) : 0);
        }
    }
    return round_finish(ray, &l, span, normal[0], normal[1], out);
}

bool cm__ray_ellipsoid(const cm_ray *ray, cm__point half, cm_ray_hit *out) {
    return ellipsoid_meets(ray, half, 0, out) ||
           ellipsoid_meets(ray, half, round_slop(ray, cm__point_largest(half)), out);
}
