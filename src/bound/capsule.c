/* Capsules around points.
 *
 * For a given direction the radius is that of the smallest circle around the points projected along it (the ball of
 * sphere.c, of points in a plane). A point at distance s from that axis is then covered by any ball with center within
 * sqrt(r^2 - s^2) of its foot, so the segment must reach from min(t + sqrt(...)) to max(t - sqrt(...)), a point where
 * the two cross. The directions of the principal and of the tight box are tried, and the smallest volume wins; the
 * radius is last measured from the rounded segment and rounded up. */
#include "bound/points.h"
#include "math/closest.h"

typedef struct flattened {
    const cm_points *points;
    cm__point origin, axis;
} flattened;

static cm__point flattened_at(const void *user, uint32_t i) {
    const flattened *f = (const flattened *)user;
    cm__point p = cm__point_sub(points_at(f->points, i), f->origin);
    return cm__point_mul_add(p, -cm__point_dot(p, f->axis), f->axis);
}

static void capsule_along(const cm_points *points, cm__point axis, cm_capsule *out) {
    flattened f = {points, points_at(points, 0), axis};
    cm__point middle;
    double r, low = DBL_MAX, high = -DBL_MAX;
    cm__bound_ball(flattened_at, &f, points->count, &middle, &r);
    for (uint32_t i = 0; i < points->count; i++) {
        cm__point p = cm__point_sub(cm__point_sub(points_at(points, i), f.origin), middle);
        double t = cm__point_dot(p, axis);
        cm__point off = cm__point_mul_add(p, -t, axis);
        double room = r * r - cm__point_dot(off, off), cap = room > 0 ? sqrt(room) : 0;
        low = wide_min(low, t + cap), high = wide_max(high, t - cap);
    }
    if (low > high) low = high = (low + high) / 2;
    cm__point base = cm__point_add(f.origin, middle);
    out->a = cm__vec3_of(cm__point_mul_add(base, low, axis));
    out->b = cm__vec3_of(cm__point_mul_add(base, high, axis));
    cm__point a = cm__point_of(out->a), b = cm__point_of(out->b); /* as rounded */
    double far = 0, length = cm__point_length(cm__point_sub(b, a));
    bool ends = true; /* is every point an end of the segment? Its foot may be rounded to it else */
    for (uint32_t i = 0; i < points->count; i++) {
        const cm__point p = points_at(points, i);
        far = wide_max(far, cm__point_length(cm__closest_point_segment(p, a, b).gap));
        ends = ends && (cm__point_equal(p, a) || cm__point_equal(p, b));
    }
    out->radius = wide_up(far > 0 || !ends ? far * (1 + 8 * DBL_EPSILON) + 64 * DBL_EPSILON * length : 0);
}

bool cm_fit_capsule(const cm_points *points, cm_capsule *out) {
    cm_obb box;
    if (!cm_fit_obb(points, &box)) return false;
    cm__point axes[6];
    cm__bound_principal(points, axes);
    cm__frame turn = frame_of_quat(box.rotation);
    axes[3] = turn.x, axes[4] = turn.y, axes[5] = turn.z;
    cm_capsule best, trial;
    double least = DBL_MAX;
    for (int i = 0; i < 6; i++) {
        capsule_along(points, axes[i], &trial);
        double r = (double)trial.radius;
        double length = cm__point_length(cm__point_sub(cm__point_of(trial.b), cm__point_of(trial.a)));
        double volume = r * r * (length + 4.0 / 3 * r); /* times pi; no volume at all is decided by the length */
        if (i > 0 &&
            !(volume < least || (volume == least &&
                                 length < cm__point_length(cm__point_sub(cm__point_of(best.b), cm__point_of(best.a))))))
            continue;
        least = volume;
        best = trial;
    }
    *out = best;
    return true;
}
