/* Point against triangle; with radii, sphere against (rounded) triangle.
 *
 * The closest point is over the face, on an edge or at a corner: math/closest.h. A point on the triangle leaves along
 * its normal; without area, square to its longest edge. */
#include "carom/primitives.h"
#include "math/closest.h"
#include "pair/pair.h"

#if defined(__SSE2__) && defined(__GNUC__) && !defined(CAROM_F64)
#include <emmintrin.h>
#define TRIANGLE_LANES 1
#endif

cm__point cm__triangle_way_out(const cm__point c[3]) {
    cm__point ab = cm__point_sub(c[1], c[0]), ac = cm__point_sub(c[2], c[0]);
    cm__point longer = cm__point_largest(ab) > cm__point_largest(ac) ? ab : ac;
    double scale = cm__point_largest(longer);
    if (!(scale > 0)) return cm__p(1, 0, 0);
    ab = cm__point_scale(ab, 1 / scale), ac = cm__point_scale(ac, 1 / scale);
    return wide_normalize(cm__point_cross(ab, ac), gap_square_to(longer));
}

typedef struct triangle_foot {
    cm__point corner[3], point, gap; /* gap = point - p */
} triangle_foot;

static inline void point_triangle_foot(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a,
                                       triangle_foot *out) {
    cm__wide_pose pose = cm__wide_pose_of(b_in_a);
    const cm_triangle *t = &b->u.triangle;
    out->corner[0] = wide_pose_apply(&pose, cm__point_of(t->a));
    out->corner[1] = wide_pose_apply(&pose, cm__point_of(t->b));
    out->corner[2] = wide_pose_apply(&pose, cm__point_of(t->c));
    cm__closest_on_triangle c;
    cm__closest_point_triangle(cm__point_of(a->u.point), out->corner[0], out->corner[1], out->corner[2], &c);
    out->point = c.point, out->gap = c.gap;
}

static bool point_triangle_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    triangle_foot foot;
    point_triangle_foot(a, b, b_in_a, &foot);
    return gap_within(foot.gap, (double)a->radius + (double)b->radius);
}

static inline void triangle_gap_round(cm__point p, double ra, double rb, const triangle_foot *foot, cm__gap *out) {
    double scale =
        cm__point_largest(foot->corner[0]) + cm__point_largest(foot->corner[1]) + cm__point_largest(foot->corner[2]);
    double noise = gap_noise(scale), square = cm__point_dot(foot->gap, foot->gap);
    cm__point way_out = foot->gap;
    if (!(gap_is_plain(square) && square > 2 * noise * noise)) way_out = cm__triangle_way_out(foot->corner);
    cm__gap_round(p, foot->point, foot->gap, ra, rb, way_out, noise, out);
}

static inline void point_triangle_round(const cm_shape *a, const cm_shape *b, const triangle_foot *foot, cm__gap *out) {
    triangle_gap_round(cm__point_of(a->u.point), (double)a->radius, (double)b->radius, foot, out);
}

static void point_triangle_gap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__gap *out) {
    triangle_foot foot;
    point_triangle_foot(a, b, b_in_a, &foot);
    point_triangle_round(a, b, &foot, out);
}

#if defined(TRIANGLE_LANES)
typedef struct triangle_lanes {
    __m128 x, y, z;
} triangle_lanes;

static inline __m128 lanes_dot(const triangle_lanes *a, const triangle_lanes *b) {
    return _mm_add_ps(_mm_add_ps(_mm_mul_ps(a->x, b->x), _mm_mul_ps(a->y, b->y)), _mm_mul_ps(a->z, b->z));
}
static inline triangle_lanes lanes_cross(const triangle_lanes *a, const triangle_lanes *b) {
    triangle_lanes c;
    c.x = _mm_sub_ps(_mm_mul_ps(a->y, b->z), _mm_mul_ps(a->z, b->y));
    c.y = _mm_sub_ps(_mm_mul_ps(a->z, b->x), _mm_mul_ps(a->x, b->z));
    c.z = _mm_sub_ps(_mm_mul_ps(a->x, b->y), _mm_mul_ps(a->y, b->x));
    return c;
}
#define LANES_NEXT(v) _mm_shuffle_ps(v, v, _MM_SHUFFLE(0, 0, 2, 1)) /* of the three corners, the next of each */

/* What float can tell of a point o in the triangle's frame and whether it is within `reach`: the three edges side by
 * side. < 0: it is not, > 0: it is, beyond doubt; 0: to be seen. Of a triangle with no angle below 1/16 and no edge
 * below 1/20 of what its coordinates measure the distance comes out right to 1e-4 of those; 4e-4 are allowed. `far` is
 * the square of what else was rounded to get here. */
static inline int triangle_glance(cm_vec3 o, const cm_triangle *t, cm_real reach, cm_real far) {
    __m128 ab = _mm_loadu_ps(&t->a.x), bc = _mm_loadu_ps(&t->b.x), c = _mm_loadu_ps(&t->b.z);
    __m128 low = _mm_unpacklo_ps(ab, bc), high = _mm_unpackhi_ps(ab, bc);
    triangle_lanes r; /* the corners, seen from the point */
    r.x = _mm_sub_ps(_mm_shuffle_ps(low, c, _MM_SHUFFLE(1, 1, 1, 0)), _mm_set1_ps(o.x));
    r.y = _mm_sub_ps(_mm_shuffle_ps(low, c, _MM_SHUFFLE(2, 2, 3, 2)), _mm_set1_ps(o.y));
    r.z = _mm_sub_ps(_mm_shuffle_ps(high, c, _MM_SHUFFLE(3, 3, 1, 0)), _mm_set1_ps(o.z));
    triangle_lanes d = {_mm_sub_ps(LANES_NEXT(r.x), r.x), _mm_sub_ps(LANES_NEXT(r.y), r.y),
                        _mm_sub_ps(LANES_NEXT(r.z), r.z)};
    const triangle_lanes e = {LANES_NEXT(d.x), LANES_NEXT(d.y), LANES_NEXT(d.z)};
    const triangle_lanes n = lanes_cross(&d, &e); /* the same of all three corners, but for rounding */
    __m128 dd = lanes_dot(&d, &d), nn = lanes_dot(&n, &n);
    /* thin, or small against where it is: size^2 >= (|r| + |d| + sqrt(far))^2, the corners as given are no larger */
    __m128 rr = _mm_add_ps(lanes_dot(&r, &r), _mm_set1_ps(far));
    __m128 square = _mm_mul_ps(_mm_add_ps(rr, dd), _mm_set1_ps(4));
    __m128 fit = _mm_and_ps(_mm_cmpgt_ps(dd, _mm_mul_ps(square, _mm_set1_ps(1.0f / 400))),
                            _mm_cmpgt_ps(nn, _mm_mul_ps(_mm_mul_ps(dd, LANES_NEXT(dd)), _mm_set1_ps(1.0f / 256))));
    fit = _mm_and_ps(fit, _mm_cmpgt_ps(nn, _mm_set1_ps(1e-25f))); /* no product so small that it lost bits */
    /* to each edge */
    __m128 zero = _mm_setzero_ps(), along = _mm_sub_ps(zero, lanes_dot(&r, &d));
    __m128 s = _mm_min_ps(_mm_max_ps(_mm_div_ps(along, dd), zero), _mm_set1_ps(1));
    triangle_lanes g = {_mm_add_ps(r.x, _mm_mul_ps(s, d.x)), _mm_add_ps(r.y, _mm_mul_ps(s, d.y)),
                        _mm_add_ps(r.z, _mm_mul_ps(s, d.z))};
    __m128 doubt = _mm_mul_ps(_mm_sqrt_ps(square), _mm_set1_ps(4e-4f)), aside = lanes_dot(&g, &g);
    __m128 most = _mm_add_ps(_mm_set1_ps(reach * CM_REAL(1.000001)), doubt);
    __m128 least = _mm_max_ps(_mm_sub_ps(_mm_set1_ps(reach * CM_REAL(0.999999)), doubt), zero);
    most = _mm_mul_ps(most, most), least = _mm_mul_ps(least, least);
    /* to the plane, where the point is over the face: to the left of all edges */
    triangle_lanes side = lanes_cross(&r, &d);
    __m128 beyond = _mm_cmplt_ps(lanes_dot(&n, &side), zero), height = lanes_dot(&n, &r);
    height = _mm_mul_ps(height, height);
    /* bits, and no jump */
    unsigned beside = (unsigned)_mm_movemask_ps(beyond) & 7;
    unsigned high_above = (unsigned)_mm_movemask_ps(_mm_cmpgt_ps(height, _mm_mul_ps(most, nn))) & 1;
    unsigned close = (unsigned)_mm_movemask_ps(_mm_cmplt_ps(height, _mm_mul_ps(least, nn))) & 1;
    unsigned out = (unsigned)_mm_movemask_ps(_mm_cmpgt_ps(aside, most)) & 7;
    unsigned in = (unsigned)_mm_movemask_ps(_mm_cmplt_ps(aside, least)) & 7;
    int certain = ((unsigned)_mm_movemask_ps(fit) & 7) == 7;
    int apart = (out == 7) & ((beside | high_above) != 0), meet = (in != 0) | ((beside == 0) & (close != 0));
    return certain * (meet - apart);
}

/* Most pairs that are tried do not touch: are these farther apart than `reach`, beyond doubt? */
static inline bool triangle_is_far(const cm_pose *b_in_a, cm_vec3 p, const cm_triangle *t, cm_real reach) {
    cm_quat q = b_in_a->rotation;
    cm_real unit = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    cm_vec3 at = cm_sub(p, b_in_a->position), o = cm_unrotate(q, at); /* p in the triangle's frame */
    return cm_abs(unit - 1) < CM_REAL(1e-5) && triangle_glance(o, t, reach, cm_dot(at, at) + cm_dot(p, p)) < 0;
}
#else
static inline int triangle_glance(cm_vec3 o, const cm_triangle *t, cm_real reach, cm_real far) {
    (void)o, (void)t, (void)reach, (void)far;
    return 0;
}
static inline bool triangle_is_far(const cm_pose *b_in_a, cm_vec3 p, const cm_triangle *t, cm_real reach) {
    (void)b_in_a, (void)p, (void)t, (void)reach;
    return false;
}
#endif

static int point_triangle_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                  cm_manifold *out, int capacity) {
    triangle_foot foot;
    cm__gap gap;
    if (triangle_is_far(b_in_a, a->u.point, &b->u.triangle, a->radius + b->radius + margin)) return 0;
    point_triangle_foot(a, b, b_in_a, &foot);
    double far = ((double)a->radius + (double)b->radius + (double)margin) * (1 + 8 * DBL_EPSILON);
    if (cm__point_dot(foot.gap, foot.gap) > far * far && far > 1e-120) return 0;
    point_triangle_round(a, b, &foot, &gap);
    if (!(gap.distance <= (double)margin)) return 0;
    if (capacity > 0) cm__manifold_of_gap(&gap, out);
    return 1;
}

const cm__pair cm__pair_point_triangle = {
    .overlap = point_triangle_overlap, .gap = point_triangle_gap, .contact = point_triangle_contact};

static inline bool sphere_triangle_valid(const cm_sphere *a, const cm_triangle *b) {
    return (reals_are_valid(&a->center.x, 1) & reals_are_valid(&b->a.x, 0) & reals_are_valid(&b->b.y, 0) &
            reals_are_valid(&b->b.z, 0)) ||
           (cm_sphere_is_valid(a) && cm_triangle_is_valid(b));
}

static CM__RARE bool sphere_triangle_careful(const cm_sphere *a, const cm_triangle *b) {
    cm__closest_on_triangle c;
    cm__closest_point_triangle(cm__point_of(a->center), cm__point_of(b->a), cm__point_of(b->b), cm__point_of(b->c), &c);
    return gap_within(c.gap, (double)a->radius);
}

bool cm_overlap_sphere_triangle(const cm_sphere *a, const cm_triangle *b) {
    if (!sphere_triangle_valid(a, b)) return false;
    int known = triangle_glance(a->center, b, a->radius, 0);
    return known ? known > 0 : sphere_triangle_careful(a, b);
}

bool cm_contact_sphere_triangle(const cm_sphere *a, const cm_triangle *b, cm_manifold *out) {
    if (!sphere_triangle_valid(a, b) || triangle_glance(a->center, b, a->radius, 0) < 0) return false;
    cm__closest_on_triangle c;
    cm__point p = cm__point_of(a->center);
    triangle_foot foot = {{cm__point_of(b->a), cm__point_of(b->b), cm__point_of(b->c)}, {0, 0, 0}, {0, 0, 0}};
    cm__closest_point_triangle(p, foot.corner[0], foot.corner[1], foot.corner[2], &c);
    if (!gap_within(c.gap, (double)a->radius)) return false;
    foot.point = c.point, foot.gap = c.gap;
    cm__gap gap;
    triangle_gap_round(p, (double)a->radius, 0, &foot, &gap);
    cm__manifold_of_gap(&gap, out);
    return true;
}

bool cm_overlap_point_triangle(cm_vec3 p, const cm_triangle *triangle) {
    cm_shape point = cm_make_point(p), other = cm_make_triangle(triangle->a, triangle->b, triangle->c);
    cm_pose home = cm_pose_identity();
    return cm_overlap(&point, &home, &other, &home); /* exact */
}

cm_real cm_distance_point_triangle(cm_vec3 p, const cm_triangle *triangle, cm_vec3 *closest) {
    if (!cm_vec3_is_valid(p) || !cm_triangle_is_valid(triangle)) return CM_REAL_MAX;
    cm__closest_on_triangle c;
    cm__closest_point_triangle(cm__point_of(p), cm__point_of(triangle->a), cm__point_of(triangle->b),
                               cm__point_of(triangle->c), &c);
    if (closest) *closest = cm__vec3_of(c.point);
    return gap_distance(cm__point_length(c.gap));
}
