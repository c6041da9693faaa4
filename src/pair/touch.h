/* cm_contact of two small shapes in one piece: checks, poses and answer together, without a jump on what nothing could
 * predict; calls, and numbers written for the next one to read, took longer than the answer itself.
 *
 * A pair's `touch` takes shapes of its kinds, in order, and poses, none of them checked, and gives the very bits of the
 * way through `contact` and `gap` (test/pair/touch.c compares them); to that way it hands over numbers that are not
 * valid, or too small or too near each other to take no care. What is apart needs no check: bad input is told the same.
 * Where there are no quads (math/quad.h) there is no `touch`. */
#ifndef PAIR_TOUCH_H
#define PAIR_TOUCH_H

#include "math/quad.h"
#include "pair/pair.h"

#if defined(CM__QUADS)

/* A pair's poses. */
typedef struct touch_poses {
    __m128 turn_a, at_a, turn_b, at_b;
    __m128 turn, at; /* B's in A's frame: cm_pose_between */
} touch_poses;

static inline touch_poses touch_poses_of(const cm_pose *a, const cm_pose *b) {
    touch_poses p;
    p.turn_a = quad_of_quat(&a->rotation), p.at_a = quad_of_vec3(&a->position);
    p.turn_b = quad_of_quat(&b->rotation), p.at_b = quad_of_vec3(&b->position);
    p.turn = quad_between(p.turn_a, p.turn_b);
    p.at = quad_rotate(quad_conjugate(p.turn_a), _mm_sub_ps(p.at_b, p.at_a));
    return p;
}

/* The squares of the lengths of two quaternions, summed as in cm_pose_is_valid, in the first two lanes. */
static inline __m128 touch_units(__m128 a, __m128 b) {
    __m128 aa = quad_mul(a, a), bb = quad_mul(b, b), low = _mm_unpacklo_ps(aa, bb), high = _mm_unpackhi_ps(aa, bb);
    return quad_add(quad_add(quad_add(low, _mm_movehl_ps(low, low)), high), _mm_movehl_ps(high, high));
}

/* Are both as long as cm_pose_is_valid wants them? */
static inline int touch_unit(__m128 a, __m128 b) {
    __m128 units = touch_units(a, b);
    return (_mm_movemask_ps(_mm_and_ps(_mm_cmpge_ps(units, _mm_set1_ps(CM_REAL(0.998))),
                                       _mm_cmple_ps(units, _mm_set1_ps(CM_REAL(1.002))))) &
            3) == 3;
}

/* Valid, the poses and the numbers whose sizes add up to `sizes`: false where one is NaN, and for some that are still
 * within the range. */
static inline int touch_valid(const touch_poses *p, __m128 sizes) {
    __m128 all = quad_add(quad_add(quad_abs(p->at_a), quad_abs(p->at_b)), sizes);
    return touch_unit(p->turn_a, p->turn_b) & (_mm_movemask_ps(_mm_cmple_ps(all, _mm_set1_ps(CM_COORD_MAX))) == 15);
}

/* Are both rotations of length 1 but for rounding? Only then the two orders see one place, to 16 ulps of it. */
static inline int touch_unit_closely(__m128 a, __m128 b) {
    __m128 off = quad_abs(_mm_sub_ps(touch_units(a, b), _mm_set1_ps(1)));
    return (_mm_movemask_ps(_mm_cmple_ps(off, _mm_set1_ps(PAIR_UNIT_ROUNDING))) & 3) == 3;
}

/* Of equal kinds: does the verdict not hang on which of them is the first (order.c)? By `square`, that of the cores'
 * distance; `sizes` as in touch_valid. */
static inline int touch_sure(const touch_poses *p, __m128 sizes, double square, double reach) {
    __m128 all = quad_add(quad_abs(p->at), sizes);
    double band = 2 * PAIR_ORDER_ROUNDING * two_low(_mm_cvtps_pd(quad_sum(quad_mul(all, all))));
    return touch_unit_closely(p->turn_a, p->turn_b) & (fabs(square - reach * reach) > band);
}

/* Where a point of B is in A's frame: frame_apply. */
typedef struct touch_point {
    cm__two xy;
    double z;
} touch_point;

static inline touch_point touch_point_of(__m128 v) {
    touch_point p;
    p.xy = _mm_cvtps_pd(v), p.z = two_low(_mm_cvtps_pd(_mm_movehl_ps(v, v)));
    return p;
}
static inline two_mat3 touch_turn(__m128 q) {
    return two_mat3_from_halves(_mm_cvtps_pd(q), _mm_cvtps_pd(_mm_movehl_ps(q, q)));
}
static inline touch_point touch_apply(const two_mat3 *m, touch_point at, touch_point v) {
    touch_point p;
    cm__two x = two_lows(v.xy, v.xy), y = two_highs(v.xy, v.xy);
    cm__two xy = two_add(two_mul(two_lows(m->x, m->y), x), two_mul(two_highs(m->x, m->y), y));
    p.xy = two_add(at.xy, two_add(xy, two_mul(m->z_xy, two_all(v.z))));
    p.z = at.z + (two_sum(two_mul(m->z, v.xy)) + m->z_z * v.z);
    return p;
}

/* Two points side by side. */
typedef struct two_points {
    cm__two x, y, z;
} two_points;

static inline two_points points_of_quads(__m128 a, __m128 b) {
    __m128 low = _mm_unpacklo_ps(a, b), high = _mm_unpackhi_ps(a, b);
    two_points p = {_mm_cvtps_pd(low), _mm_cvtps_pd(_mm_movehl_ps(low, low)), _mm_cvtps_pd(high)};
    return p;
}
static inline cm__two points_row(double at, double x, double y, double z, const two_points *v) {
    cm__two xy = two_add(two_mul(two_all(x), v->x), two_mul(two_all(y), v->y));
    return two_add(two_all(at), two_add(xy, two_mul(two_all(z), v->z)));
}
/* frame_apply. */
static inline two_points points_apply(const two_mat3 *m, touch_point at, const two_points *v) {
    two_points p;
    p.x = points_row(two_low(at.xy), two_low(m->x), two_high(m->x), two_low(m->z_xy), v);
    p.y = points_row(two_high(at.xy), two_low(m->y), two_high(m->y), two_high(m->z_xy), v);
    p.z = points_row(at.z, two_low(m->z), two_high(m->z), m->z_z, v);
    return p;
}
static inline two_points points_sub(const two_points *a, const two_points *b) {
    two_points p = {two_sub(a->x, b->x), two_sub(a->y, b->y), two_sub(a->z, b->z)};
    return p;
}
static inline cm__two points_dot(const two_points *a, const two_points *b) {
    return two_add(two_add(two_mul(a->x, b->x), two_mul(a->y, b->y)), two_mul(a->z, b->z));
}
static inline two_points points_cross(const two_points *a, const two_points *b) {
    two_points c;
    c.x = two_sub(two_mul(a->y, b->z), two_mul(a->z, b->y));
    c.y = two_sub(two_mul(a->z, b->x), two_mul(a->x, b->z));
    c.z = two_sub(two_mul(a->x, b->y), two_mul(a->y, b->x));
    return c;
}
/* (a0, b0) */
static inline two_points points_lows(const two_points *a, const two_points *b) {
    two_points p = {two_lows(a->x, b->x), two_lows(a->y, b->y), two_lows(a->z, b->z)};
    return p;
}
/* (a1, b0) */
static inline two_points points_inner(const two_points *a, const two_points *b) {
    two_points p = {_mm_shuffle_pd(a->x, b->x, 1), _mm_shuffle_pd(a->y, b->y, 1), _mm_shuffle_pd(a->z, b->z, 1)};
    return p;
}
static inline two_points points_mul_add(const two_points *a, cm__two s, const two_points *b) {
    two_points p = {two_mul_add(a->x, s, b->x), two_mul_add(a->y, s, b->y), two_mul_add(a->z, s, b->z)};
    return p;
}
static inline cm__two points_largest(const two_points *a) {
    return two_max(two_max(two_abs(a->x), two_abs(a->y)), two_abs(a->z));
}

/* Two cores' closest points and what is between them. */
typedef struct touch_gap {
    touch_point a, b, gap;
    double square;
} touch_gap;

static inline double touch_square(touch_point d) { return two_sum(two_mul(d.xy, d.xy)) + d.z * d.z; }
static inline touch_point touch_mul_add(touch_point a, double s, touch_point b) {
    touch_point p = {two_mul_add(a.xy, two_all(s), b.xy), a.z + s * b.z};
    return p;
}
static inline __m128 touch_floats(touch_point p) { return quad_of_doubles(p.xy, p.z); }

/* The contact of one point: cm__manifold_to_world. `out` is only written where it is `found`. */
static inline int touch_place(int found, touch_point a, touch_point b, touch_point normal, cm_real depth,
                              const touch_poses *poses, cm_manifold *out, int capacity) {
    cm_manifold none, *to = gap_place((found != 0) & (capacity > 0), out, &none);
    quad_mat3 r = quad_mat3_from_quat(poses->turn_a);
    quad_to_vec3(&to->normal, quad_mat3_mul(&r, touch_floats(normal)));
    quad_to_vec3(&to->points[0].point_a, quad_add(poses->at_a, quad_mat3_mul(&r, touch_floats(a))));
    quad_to_vec3(&to->points[0].point_b, quad_add(poses->at_a, quad_mat3_mul(&r, touch_floats(b))));
    to->points[0].depth = depth;
    manifold_of_one(to);
    return found;
}

/* The depth of cm__manifold_of_gap; what is apart counts as such. */
static inline cm_real touch_depth(double distance, bool touch, cm_real margin) {
    if (margin > 0 && !touch) return 0 - gap_distance(distance_settled(distance, false));
    return (cm_real)(0 - cm__least(distance, 0)); /* touching: 0, not -0 */
}

/* Of a gap that is plain and longer than its noise: cm__gap_round. */
static inline int touch_write(const touch_gap *g, double ra, double rb, cm_real margin, const touch_poses *poses,
                              cm_manifold *out, int capacity) {
    double reach = ra + rb, length = sqrt(g->square), distance = length - reach, over = 1 / length;
    bool touch = g->square <= reach * reach;
    cm_real depth = touch_depth(distance, touch, margin);
    int found = touch | (margin > 0 && distance_settled(distance, false) <= (double)margin);
    touch_point normal = {two_mul(g->gap.xy, two_all(over)), g->gap.z * over};
    return touch_place(found, touch_mul_add(g->a, ra, normal), touch_mul_add(g->b, -rb, normal), normal, depth, poses,
                       out, capacity);
}

#endif
#endif
