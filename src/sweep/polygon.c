/* Spheres and capsules in motion against triangles and capsules: a point against a rounded polygon.
 *
 * Sphere against capsule or triangle: the sphere's center against the segment or triangle, rounded by all radii.
 * Capsule against capsule: two segments touch where their difference holds the origin, so the origin moves against the
 * parallelogram {b - a}, rounded by both radii. math/span.c takes these sets as unions of balls, cylinders and a prism;
 * no case is distinguished by hand, and parallel segments are a parallelogram without area. */
#include "carom/primitives.h"
#include "math/closest.h"
#include "sweep/hit.h"

static bool polygon_span(const cm__point *corners, int count, cm__point v, double reach, double *size, cm__span *span) {
    *size = wide_sum(v) + reach;
    double far = 0;
    cm__point middle = cm__p(0, 0, 0);
    for (int i = 0; i < count; i++) {
        far = wide_max(far, wide_sum(corners[i]));
        middle = cm__point_mul_add(middle, 1.0 / count, corners[i]);
    }
    *size += far;
    double r = reach + CM__SPAN_SLOP * *size, around = 0;
    for (int i = 0; i < count; i++) around = wide_max(around, cm__point_length(cm__point_sub(corners[i], middle)));
    cm__span quick = *span;
    if (!cm__span_ball(wide_neg(middle), v, r + around * (1 + 8 * DBL_EPSILON), &quick)) return false;
    if (count == 2) return cm__span_capsule(cm__p(0, 0, 0), v, corners[0], corners[1], r, span);
    return cm__span_polygon(cm__p(0, 0, 0), v, corners, count, r, span);
}

/* From `at` to the closest point of a segment or triangle; `normal` is the way to go where there is none. */
static cm__point polygon_way(const cm__point *corners, int count, cm__point at, cm__point *normal) {
    cm__point e = cm__point_sub(corners[1], corners[0]);
    if (count == 2) {
        *normal = gap_square_to(e);
        return cm__closest_point_segment(at, corners[0], corners[1]).gap;
    }
    cm__closest_on_triangle near;
    cm__closest_point_triangle(at, corners[0], corners[1], corners[2], &near);
    *normal = wide_normalize(cm__point_cross(e, cm__point_sub(corners[2], corners[0])), gap_square_to(e));
    return near.gap;
}

/* Corners seen from A's center; the rest as in cm__straight. */
static bool point_polygon(const cm__point *corners, int count, double radius_a, double radius_b, cm__point center,
                          const cm__straight *s, cm_sweep_hit *out) {
    double reach = radius_a + radius_b, size;
    cm__span span = {0, 1};
    if (!polygon_span(corners, count, s->v, reach, &size, &span)) return false;
    cm__point fallback, way = polygon_way(corners, count, cm__p(0, 0, 0), &fallback);
    cm__point normal = wide_normalize(way, fallback);
    cm__sweep_start_state start = {cm__point_length(way) - reach, gap_within(way, reach), sweep_rate(s->v, normal),
                                   size};
    if (!cm__sweep_begin(&start, span, out)) return false;
    double u = (double)out->first;
    normal = wide_normalize(polygon_way(corners, count, cm__point_scale(s->v, u), &fallback), normal);
    cm__sweep_end(s->v, normal, cm__point_mul_add(cm__point_mul_add(center, u, s->move), radius_a, normal), out);
    return true;
}

static bool straight_polygon(const cm__straight *s, const cm_vec3 *corners, int count, cm_sweep_hit *out) {
    cm__point center = wide_pose_apply(&s->pose_a, cm__point_of(s->a->u.point)), seen[3];
    for (int i = 0; i < count; i++)
        seen[i] = cm__point_sub(wide_pose_apply(&s->pose_b, cm__point_of(corners[i])), center);
    return point_polygon(seen, count, (double)s->a->radius, (double)s->b->radius, center, s, out);
}

bool cm__straight_point_segment(const cm__straight *s, cm_sweep_hit *out) {
    return straight_polygon(s, &s->b->u.segment.a, 2, out);
}

bool cm__straight_point_triangle(const cm__straight *s, cm_sweep_hit *out) {
    return straight_polygon(s, &s->b->u.triangle.a, 3, out);
}

/* Normal and closest points of two segments, A's moved by `shift`; crossing ones leave square to both. */
static cm__point segments_way(const cm__point s[4], cm__point shift, cm__point *normal, cm__point *on_a) {
    cm__point a0 = cm__point_add(s[0], shift), a1 = cm__point_add(s[1], shift);
    cm__closest c = cm__closest_segment_segment(a0, a1, s[2], s[3]);
    cm__point d = cm__point_sub(s[1], s[0]), e = cm__point_sub(s[3], s[2]);
    double ld = cm__point_largest(d), le = cm__point_largest(e);
    cm__point fallback = gap_square_to(ld > 0 ? d : e);
    if (ld > 0 && le > 0) {
        cm__point n = cm__point_cross(cm__point_scale(d, 1 / ld), cm__point_scale(e, 1 / le));
        if (cm__point_largest(n) > 4 * DBL_EPSILON) fallback = wide_normalize(n, fallback);
    }
    *normal = wide_normalize(c.gap, fallback);
    *on_a = c.a;
    return c.gap;
}

bool cm__straight_segment_segment(const cm__straight *s, cm_sweep_hit *out) {
    const cm_segment *a = &s->a->u.segment, *b = &s->b->u.segment;
    cm__point home = wide_pose_apply(&s->pose_a, cm__point_of(a->a)); /* from here on relative to A's first end */
    cm__point ends[4] = {cm__p(0, 0, 0), cm__point_sub(wide_pose_apply(&s->pose_a, cm__point_of(a->b)), home),
                         cm__point_sub(wide_pose_apply(&s->pose_b, cm__point_of(b->a)), home),
                         cm__point_sub(wide_pose_apply(&s->pose_b, cm__point_of(b->b)), home)};
    cm__point corners[4] = {ends[2], ends[3], cm__point_sub(ends[3], ends[1]), cm__point_sub(ends[2], ends[1])};
    double ra = (double)s->a->radius, reach = ra + (double)s->b->radius, size;
    cm__span span = {0, 1};
    if (!polygon_span(corners, 4, s->v, reach, &size, &span)) return false;
    cm__point normal, on_a, way = segments_way(ends, cm__p(0, 0, 0), &normal, &on_a);
    cm__sweep_start_state start = {cm__point_length(way) - reach, gap_within(way, reach), sweep_rate(s->v, normal),
                                   size};
    if (!cm__sweep_begin(&start, span, out)) return false;
    double u = (double)out->first;
    segments_way(ends, cm__point_scale(s->v, u), &normal, &on_a);
    /* on_a is where A is seen from B, moved by u v; A itself moved by u move */
    cm__point point = cm__point_add(cm__point_mul_add(cm__point_mul_add(on_a, -u, s->v), u, s->move), home);
    cm__sweep_end(s->v, normal, cm__point_mul_add(point, ra, normal), out);
    return true;
}

/* --- plain structs --------------------------------------------------------------------------------------------------
 */

bool cm_sweep_sphere_triangle(const cm_sphere *a, cm_vec3 move_a, const cm_triangle *b, cm_vec3 move_b,
                              cm_sweep_hit *out) {
    if (!cm_sphere_is_valid(a) || !cm_triangle_is_valid(b) || !cm_vec3_is_valid(move_a) || !cm_vec3_is_valid(move_b))
        return false;
    cm_shape sa = cm_make_sphere(a->center, a->radius), sb = cm_make_triangle(b->a, b->b, b->c);
    cm__straight s = straight_of(&sa, a->center, move_a, &sb, move_b);
    cm_sweep_hit hit;
    return straight_home(cm__straight_point_triangle(&s, &hit), &hit, cm__point_of(a->center), out);
}

bool cm_sweep_sphere_capsule(const cm_sphere *a, cm_vec3 move_a, const cm_capsule *b, cm_vec3 move_b,
                             cm_sweep_hit *out) {
    if (!cm_sphere_is_valid(a) || !cm_capsule_is_valid(b) || !cm_vec3_is_valid(move_a) || !cm_vec3_is_valid(move_b))
        return false;
    cm_shape sa = cm_make_sphere(a->center, a->radius), sb = cm_make_capsule(b->a, b->b, b->radius);
    cm__straight s = straight_of(&sa, a->center, move_a, &sb, move_b);
    cm_sweep_hit hit;
    return straight_home(cm__straight_point_segment(&s, &hit), &hit, cm__point_of(a->center), out);
}

bool cm_sweep_capsule_capsule(const cm_capsule *a, cm_vec3 move_a, const cm_capsule *b, cm_vec3 move_b,
                              cm_sweep_hit *out) {
    if (!cm_capsule_is_valid(a) || !cm_capsule_is_valid(b) || !cm_vec3_is_valid(move_a) || !cm_vec3_is_valid(move_b))
        return false;
    cm_shape sa = cm_make_capsule(a->a, a->b, a->radius), sb = cm_make_capsule(b->a, b->b, b->radius);
    cm__straight s = straight_of(&sa, a->a, move_a, &sb, move_b);
    cm_sweep_hit hit;
    return straight_home(cm__straight_segment_segment(&s, &hit), &hit, cm__point_of(a->a), out);
}
