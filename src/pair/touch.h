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
#include "pair/gap.h"

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

/* Valid, the poses and the numbers whose sizes add up to `sizes`: false where one is NaN, and for some that are still
 * within the range. */
static inline int touch_valid(const touch_poses *p, __m128 sizes) {
    __m128 units = touch_units(p->turn_a, p->turn_b);
    __m128 all = quad_add(quad_add(quad_abs(p->at_a), quad_abs(p->at_b)), sizes);
    __m128 fit =
        _mm_and_ps(_mm_cmpge_ps(units, _mm_set1_ps(CM_REAL(0.998))), _mm_cmple_ps(units, _mm_set1_ps(CM_REAL(1.002))));
    fit = _mm_movelh_ps(fit, fit);
    return _mm_movemask_ps(_mm_and_ps(fit, _mm_cmple_ps(all, _mm_set1_ps(CM_COORD_MAX)))) == 15;
}

/* Where a point of B is in A's frame: wide_pose_apply. */
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

/* Two cores' closest points and what is between them. */
typedef struct touch_gap {
    touch_point a, b, gap;
    double square;
} touch_gap;

static inline double touch_square(touch_point d) { return two_sum(two_mul(d.xy, d.xy)) + d.z * d.z; }

/* The contact of one point that a gap which is plain and longer than its noise is, in the world: cm__gap_round,
 * cm__manifold_of_gap and cm__manifold_to_world. `out` is only written where they touch within the margin. */
static inline int touch_write(const touch_gap *g, double ra, double rb, double margin, __m128 turn_a, __m128 at_a,
                              cm_manifold *out, int capacity) {
    double reach = ra + rb, length = sqrt(g->square), distance = length - reach, over = 1 / length;
    bool found = g->square <= reach * reach;
    cm_real depth = (cm_real)(0 - cm__least(distance, 0)); /* touching: 0, not -0 */
    if (margin > 0 && !found) {
        distance = distance > 0 ? distance : DBL_MIN;
        depth = 0 - gap_distance(distance);
        found = distance <= margin;
    }
    cm_manifold none, *to = gap_place(found & (capacity > 0), out, &none);
    cm__two n = two_mul(g->gap.xy, two_all(over)), all_a = two_all(ra), all_b = two_all(-rb);
    double nz = g->gap.z * over;
    quad_mat3 r = quad_mat3_from_quat(turn_a);
    __m128 normal = quad_of_doubles(n, nz);
    __m128 a = quad_of_doubles(two_mul_add(g->a.xy, all_a, n), g->a.z + ra * nz);
    __m128 b = quad_of_doubles(two_mul_add(g->b.xy, all_b, n), g->b.z + -rb * nz);
    quad_to_vec3(&to->normal, quad_mat3_mul(&r, normal));
    quad_to_vec3(&to->points[0].point_a, quad_add(at_a, quad_mat3_mul(&r, a)));
    quad_to_vec3(&to->points[0].point_b, quad_add(at_a, quad_mat3_mul(&r, b)));
    to->points[0].depth = depth;
    manifold_of_one(to);
    return found;
}

#endif
#endif
