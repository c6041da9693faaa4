/* Spheres and capsules in motion against triangles and capsules: a point against a rounded polygon.
 *
 * Sphere against capsule or triangle: the sphere's center against the segment or triangle, rounded by all radii.
 * Capsule against capsule: two segments touch where their difference holds the origin, so the origin moves against the
 * parallelogram {b - a}, rounded by both radii. math/span.c takes these sets as unions of balls, cylinders and a prism;
 * no case is distinguished by hand, and parallel segments are a parallelogram without area. */
#include "carom/primitives.h"
#include "math/closest.h"
#include "sweep/brush.h"
#include "sweep/hit.h"

/* The point at the origin against corners around it, and how it moves relative to them. */
typedef struct polygon_path {
    const cm__point *corners;
    cm__point v;
    double reach, band;
} polygon_path;

typedef enum polygon_end {
    POLYGON_MISS, /* and apart by more than the band at the start */
    POLYGON_LOOK, /* a miss, if the start is not near */
    POLYGON_MEET
} polygon_end;

/* How large what rounding scales with is. */
static inline double polygon_size(const cm__point *corners, int count, cm__point v, double reach) {
    double far = 0;
    for (int i = 0; i < count; i++) far = wide_max(far, wide_length_most(corners[i]));
    return wide_length_most(v) + reach + far;
}

static inline polygon_end polygon_span(const polygon_path *p, int count, double size, cm__span *span) {
    const cm__point *corners = p->corners, origin = cm__p(0, 0, 0);
    cm__point middle = origin;
    for (int i = 0; i < count; i++) middle = cm__point_mul_add(middle, 1.0 / count, corners[i]);
    double r = p->reach + CM__SPAN_SLOP * size, around = 0;
    for (int i = 0; i < count; i++) around = wide_max(around, cm__point_length(cm__point_sub(corners[i], middle)));
    double outer = r + around * (1 + 8 * DBL_EPSILON);
    cm__span quick = *span;
    if (cm__span_ball(wide_neg(middle), p->v, outer, &quick)) {
        if (count == 2 ? cm__span_capsule(origin, p->v, corners[0], corners[1], r, span)
                       : cm__span_polygon(origin, p->v, corners, count, r, span))
            return POLYGON_MEET;
    }
    const double clear = outer + p->band;
    return cm__point_dot(middle, middle) > clear * clear ? POLYGON_MISS : POLYGON_LOOK;
}

/* From `at` to the closest point of a segment or triangle; where that is `at` itself, `normal` is used as the
 * direction. */
static cm__point polygon_gap(const cm__point *corners, int count, cm__point at, cm__point *normal) {
    cm__point e = cm__point_sub(corners[1], corners[0]);
    if (count == 2) {
        *normal = wide_perpendicular(e);
        return cm__closest_point_segment(at, corners[0], corners[1]).gap;
    }
    cm__closest_on_triangle near;
    cm__closest_point_triangle(at, corners[0], corners[1], corners[2], &near);
    *normal = wide_normalize(cm__point_cross(e, cm__point_sub(corners[2], corners[0])), wide_perpendicular(e));
    return near.gap;
}

/* Corners seen from A's center; the rest as in cm__straight. */
static inline cm__straight_end point_polygon(const polygon_path *p, int count, double size, double radius_a,
                                             cm__point center, cm__point move, cm_sweep_hit *out) {
    cm__span span = {0, 1};
    polygon_end meets = polygon_span(p, count, size, &span);
    if (meets == POLYGON_MISS) return CM__STRAIGHT_MISS;
    cm__point fallback, way = polygon_gap(p->corners, count, cm__p(0, 0, 0), &fallback);
    double gap = cm__point_length(way) - p->reach;
    if (meets == POLYGON_LOOK) return gap <= p->band ? CM__STRAIGHT_NEAR : CM__STRAIGHT_MISS;
    cm__point normal = wide_normalize(way, fallback);
    cm__sweep_start_state start = {gap, sweep_rate(p->v, normal), p->band};
    cm__straight_end end = cm__sweep_begin(&start, span, out);
    if (end != CM__STRAIGHT_HIT) return end;
    double u = (double)out->first;
    normal = wide_normalize(polygon_gap(p->corners, count, cm__point_scale(p->v, u), &fallback), normal);
    cm__sweep_end(p->v, normal, cm__point_mul_add(cm__point_mul_add(center, u, move), radius_a, normal), out);
    return CM__STRAIGHT_HIT;
}

static inline cm__straight_end straight_polygon(const cm__straight *s, const cm_vec3 *corners, int count,
                                                cm_sweep_hit *out) {
    cm__point center = frame_apply(&s->pose_a, cm__point_of(s->a->u.point)), seen[3];
    for (int i = 0; i < count; i++) seen[i] = cm__point_sub(frame_apply(&s->pose_b, cm__point_of(corners[i])), center);
    polygon_path p = {seen, s->v, (double)s->a->radius + (double)s->b->radius, s->band};
    return point_polygon(&p, count, polygon_size(seen, count, s->v, p.reach), (double)s->a->radius, center, s->move,
                         out);
}

cm__straight_end cm__straight_point_segment(const cm__straight *s, cm_sweep_hit *out) {
    return straight_polygon(s, &s->b->u.segment.a, 2, out);
}

cm__straight_end cm__straight_point_triangle(const cm__straight *s, cm_sweep_hit *out) {
    return straight_polygon(s, &s->b->u.triangle.a, 3, out);
}

/* Normal and closest points of two segments, A's moved by `shift`; where they cross, the normal is perpendicular to
 * both. */
static cm__point polygon_segments_gap(const cm__point s[4], cm__point shift, cm__point *normal, cm__point *on_a) {
    cm__point a0 = cm__point_add(s[0], shift), a1 = cm__point_add(s[1], shift);
    cm__closest c = cm__closest_segment_segment(a0, a1, s[2], s[3]);
    cm__point d = cm__point_sub(s[1], s[0]), e = cm__point_sub(s[3], s[2]);
    double ld = cm__point_largest(d), le = cm__point_largest(e);
    cm__point fallback = wide_perpendicular(ld > 0 ? d : e);
    if (ld > 0 && le > 0) { /* else the product is no number, and not taken */
        cm__point n = cm__point_cross(cm__point_scale(d, 1 / ld), cm__point_scale(e, 1 / le));
        if (cm__point_largest(n) > 4 * DBL_EPSILON) fallback = wide_normalize(n, fallback);
    }
    *normal = wide_normalize(c.gap, fallback);
    *on_a = c.a;
    return c.gap;
}

cm__straight_end cm__straight_segment_segment(const cm__straight *s, cm_sweep_hit *out) {
    const cm_segment *a = &s->a->u.segment, *b = &s->b->u.segment;
    cm__point origin = frame_apply(&s->pose_a, cm__point_of(a->a)); /* from here on relative to A's first end */
    cm__point ends[4] = {cm__p(0, 0, 0), cm__point_sub(frame_apply(&s->pose_a, cm__point_of(a->b)), origin),
                         cm__point_sub(frame_apply(&s->pose_b, cm__point_of(b->a)), origin),
                         cm__point_sub(frame_apply(&s->pose_b, cm__point_of(b->b)), origin)};
    cm__point corners[4] = {ends[2], ends[3], cm__point_sub(ends[3], ends[1]), cm__point_sub(ends[2], ends[1])};
    double ra = (double)s->a->radius, reach = ra + (double)s->b->radius;
    polygon_path p = {corners, s->v, reach, s->band};
    cm__span span = {0, 1};
    polygon_end meets = polygon_span(&p, 4, polygon_size(corners, 4, s->v, reach), &span);
    if (meets == POLYGON_MISS) return CM__STRAIGHT_MISS;
    cm__point normal, on_a, way = polygon_segments_gap(ends, cm__p(0, 0, 0), &normal, &on_a);
    double gap = cm__point_length(way) - reach;
    if (meets == POLYGON_LOOK) return gap <= s->band ? CM__STRAIGHT_NEAR : CM__STRAIGHT_MISS;
    cm__sweep_start_state start = {gap, sweep_rate(s->v, normal), s->band};
    cm__straight_end end = cm__sweep_begin(&start, span, out);
    if (end != CM__STRAIGHT_HIT) return end;
    double u = (double)out->first;
    polygon_segments_gap(ends, cm__point_scale(s->v, u), &normal, &on_a);
    /* on_a is where A is seen from B, moved by u v; A itself moved by u move */
    cm__point point = cm__point_add(cm__point_mul_add(cm__point_mul_add(on_a, -u, s->v), u, s->move), origin);
    cm__sweep_end(s->v, normal, cm__point_mul_add(point, ra, normal), out);
    return CM__STRAIGHT_HIT;
}

/* --- plain structs ------------------------------------------------------------------------------------------------ */

static cm__point polygon_corner(cm_vec3 corner, cm_vec3 origin) {
    return cm__point_sub(cm__point_of(corner), cm__point_of(origin));
}

bool cm_sweep_sphere_triangle(const cm_sphere *a, cm_vec3 move_a, const cm_triangle *b, cm_vec3 move_b,
                              cm_sweep_hit *out) {
    if (!cm_sphere_is_valid(a) || !cm_triangle_is_valid(b) || !cm_vec3_is_valid(move_a) || !cm_vec3_is_valid(move_b))
        return false;
    cm__point move = cm__point_of(move_a), origin = cm__point_of(a->center);
    cm__point c[3] = {polygon_corner(b->a, a->center), polygon_corner(b->b, a->center),
                      polygon_corner(b->c, a->center)};
    polygon_path p = {c, cm__point_sub(move, cm__point_of(move_b)), (double)a->radius, 0};
    double size = polygon_size(c, 3, p.v, p.reach);
    p.band = straight_band(size);
    cm_sweep_hit hit;
    cm__straight_end end = point_polygon(&p, 3, size, p.reach, origin, move, &hit);
    if (end == CM__STRAIGHT_MISS) return false;
    if (!straight_is_settled(end, &hit, p.v, p.reach, p.band)) {
        cm__straight_pair s = {.move = move, .v = p.v, .origin = origin, .band = p.band};
        s.frame_a = s.frame_b = frame_at(cm__p(0, 0, 0));
        cm__core_point(cm__p(0, 0, 0), &s.a), cm__core_triangle(c[0], c[1], c[2], &s.b);
        s.a.radius = p.reach;
        if (!cm__straight_settle(&s, end, end == CM__STRAIGHT_NEAR && cm_overlap_sphere_triangle(a, b), &hit))
            return false;
    }
    if (out) *out = hit;
    return true;
}

bool cm_sweep_sphere_capsule(const cm_sphere *a, cm_vec3 move_a, const cm_capsule *b, cm_vec3 move_b,
                             cm_sweep_hit *out) {
    if (!cm_sphere_is_valid(a) || !cm_capsule_is_valid(b) || !cm_vec3_is_valid(move_a) || !cm_vec3_is_valid(move_b))
        return false;
    cm__point move = cm__point_of(move_a), origin = cm__point_of(a->center);
    cm__point c[2] = {polygon_corner(b->a, a->center), polygon_corner(b->b, a->center)};
    double ra = (double)a->radius, rb = (double)b->radius;
    polygon_path p = {c, cm__point_sub(move, cm__point_of(move_b)), ra + rb, 0};
    double size = polygon_size(c, 2, p.v, p.reach);
    p.band = straight_band(size);
    cm_sweep_hit hit;
    cm__straight_end end = point_polygon(&p, 2, size, ra, origin, move, &hit);
    if (end == CM__STRAIGHT_MISS) return false;
    if (!straight_is_settled(end, &hit, p.v, p.reach, p.band)) {
        cm__straight_pair s = {.move = move, .v = p.v, .origin = origin, .band = p.band};
        s.frame_a = s.frame_b = frame_at(cm__p(0, 0, 0));
        cm__core_point(cm__p(0, 0, 0), &s.a), cm__core_segment(c[0], c[1], &s.b);
        s.a.radius = ra, s.b.radius = rb;
        if (!cm__straight_settle(&s, end, end == CM__STRAIGHT_NEAR && cm_overlap_sphere_capsule(a, b), &hit))
            return false;
    }
    if (out) *out = hit;
    return true;
}

bool cm_sweep_capsule_capsule(const cm_capsule *a, cm_vec3 move_a, const cm_capsule *b, cm_vec3 move_b,
                              cm_sweep_hit *out) {
    if (!cm_capsule_is_valid(a) || !cm_capsule_is_valid(b) || !cm_vec3_is_valid(move_a) || !cm_vec3_is_valid(move_b))
        return false;
    cm_shape sa = cm_make_capsule(a->a, a->b, a->radius), sb = cm_make_capsule(b->a, b->b, b->radius);
    cm__straight s;
    cm__point origin = cm__point_of(a->a);
    s.a = &sa, s.b = &sb;
    s.pose_a = s.pose_b = frame_of_quat(cm_quat_identity());
    s.pose_a.position = s.pose_b.position = wide_neg(origin);
    s.move = cm__point_of(move_a);
    s.v = cm__point_sub(s.move, cm__point_of(move_b));
    cm__point ends[3] = {polygon_corner(a->b, a->a), polygon_corner(b->a, a->a), polygon_corner(b->b, a->a)};
    double size = polygon_size(ends, 3, s.v, (double)a->radius + (double)b->radius);
    s.band = straight_band(size);
    cm_sweep_hit hit;
    cm__straight_end end = cm__straight_segment_segment(&s, &hit);
    if (end == CM__STRAIGHT_MISS) return false;
    const double radii = (double)a->radius + (double)b->radius;
    if (end == CM__STRAIGHT_HIT) hit.point = cm__vec3_of(cm__point_add(cm__point_of(hit.point), origin));
    if (!straight_is_settled(end, &hit, s.v, radii, s.band)) {
        cm__straight_pair pair = {.move = s.move, .v = s.v, .origin = origin, .band = s.band};
        pair.frame_a = pair.frame_b = frame_at(cm__p(0, 0, 0));
        cm__core_segment(cm__p(0, 0, 0), ends[0], &pair.a), cm__core_segment(ends[1], ends[2], &pair.b);
        pair.a.radius = (double)a->radius, pair.b.radius = (double)b->radius;
        if (!cm__straight_settle(&pair, end, end == CM__STRAIGHT_NEAR && cm_overlap_capsule_capsule(a, b), &hit))
            return false;
    }
    if (out) *out = hit;
    return true;
}
