/* cm_contact of two small shapes in one function: checks, poses and answer together, without branches that depend on
 * the data. As separate functions, the calls and the results passed through memory took longer than the answer itself.
 *
 * A method's `contact_direct` takes shapes of its kinds, in order, and poses, none of them checked. Its answer has the
 * same bits as that of `contact` and `gap` (test/pair/direct.c compares them). It calls those for invalid numbers, and
 * for numbers so small or so near each other that rounding needs care. A pair that is apart needs no check, since bad
 * input has the same answer. The double build has no `contact_direct` (math/quad.h). So a 0, or a number that equals a
 * bound, may go either way. */
#ifndef PAIR_DIRECT_H
#define PAIR_DIRECT_H

#include "math/quad.h"
#include "pair/pair.h"

#if !defined(CAROM_F64)

/* A pair's poses. */
typedef struct direct_poses {
    f32x4 turn_a, at_a, turn_b, at_b;
    f32x4 turn, at; /* B's in A's frame: cm_pose_between */
} direct_poses;

static inline direct_poses direct_poses_of(const cm_pose *a, const cm_pose *b) {
    direct_poses p;
    p.turn_a = quad_of_quat(&a->rotation), p.at_a = quad_of_vec3(&a->position);
    p.turn_b = quad_of_quat(&b->rotation), p.at_b = quad_of_vec3(&b->position);
    p.turn = quad_between(p.turn_a, p.turn_b);
    p.at = quad_rotate(quad_conjugate(p.turn_a), f32x4_sub(p.at_b, p.at_a));
    return p;
}

/* The squares of the lengths of two quaternions, summed as in cm_pose_is_valid, in the first two lanes. */
static inline f32x4 direct_units(f32x4 a, f32x4 b) {
    f32x4 aa = f32x4_mul(a, a), bb = f32x4_mul(b, b), low = f32x4_zip_low(aa, bb), high = f32x4_zip_high(aa, bb);
    return f32x4_add(f32x4_add(f32x4_add(low, f32x4_high_halves(low, low)), high), f32x4_high_halves(high, high));
}

/* Are both of unit length, within what cm_pose_is_valid allows? */
static inline int direct_unit(f32x4 a, f32x4 b) {
    f32x4 units = direct_units(a, b);
    return (u32x4_mask(
                u32x4_and(f32x4_ge(units, f32x4_all(CM_REAL(0.998))), f32x4_le(units, f32x4_all(CM_REAL(1.002))))) &
            3) == 3;
}

/* Are the poses valid, and the numbers whose absolute values add up to `sizes`? False where one is NaN, and for some
 * large numbers that are still in the valid range. */
static inline int direct_valid(const direct_poses *p, f32x4 sizes) {
    f32x4 all = f32x4_add(f32x4_add(f32x4_abs(p->at_a), f32x4_abs(p->at_b)), sizes);
    return direct_unit(p->turn_a, p->turn_b) & (u32x4_mask(f32x4_le(all, f32x4_all(CM_COORD_MAX))) == 15);
}

/* Are both rotations of unit length within rounding? Only then do A's view of B and B's view of A agree to 16 ulps. */
static inline int direct_unit_closely(f32x4 a, f32x4 b) {
    f32x4 off = f32x4_abs(f32x4_sub(direct_units(a, b), f32x4_all(1)));
    return (u32x4_mask(f32x4_le(off, f32x4_all(PAIR_UNIT_ROUNDING))) & 3) == 3;
}

/* For equal kinds: is the verdict the same in both orders of A and B (order.c)? `square`: of the cores' distance;
 * `sizes` as in direct_valid. */
static inline int direct_sure(const direct_poses *p, f32x4 sizes, double square, double reach) {
    f32x4 all = f32x4_add(f32x4_abs(p->at), sizes);
    double band = 2 * PAIR_ORDER_ROUNDING * f64x2_low(f64x2_of_f32(quad_sum(f32x4_mul(all, all))));
    return direct_unit_closely(p->turn_a, p->turn_b) & (fabs(square - reach * reach) > band);
}

/* Where a point of B is in A's frame: frame_apply. */
typedef struct direct_point {
    f64x2 xy;
    double z;
} direct_point;

static inline direct_point direct_point_of(f32x4 v) {
    direct_point p;
    p.xy = f64x2_of_f32(v), p.z = f64x2_low(f64x2_of_f32(f32x4_high_halves(v, v)));
    return p;
}
static inline two_mat3 direct_turn(f32x4 q) {
    return two_mat3_from_halves(f64x2_of_f32(q), f64x2_of_f32(f32x4_high_halves(q, q)));
}
static inline direct_point direct_apply(const two_mat3 *m, direct_point at, direct_point v) {
    direct_point p;
    f64x2 x = f64x2_lows(v.xy, v.xy), y = f64x2_highs(v.xy, v.xy);
    f64x2 xy = f64x2_add(f64x2_mul(f64x2_lows(m->x, m->y), x), f64x2_mul(f64x2_highs(m->x, m->y), y));
    p.xy = f64x2_add(at.xy, f64x2_add(xy, f64x2_mul(m->z_xy, f64x2_all(v.z))));
    p.z = at.z + (two_sum(f64x2_mul(m->z, v.xy)) + m->z_z * v.z);
    return p;
}

static inline points2 points_of_quads(f32x4 a, f32x4 b) {
    f32x4 low = f32x4_zip_low(a, b), high = f32x4_zip_high(a, b);
    points2 p = {f64x2_of_f32(low), f64x2_of_f32(f32x4_high_halves(low, low)), f64x2_of_f32(high)};
    return p;
}
static inline f64x2 points_row(double at, double x, double y, double z, const points2 *v) {
    f64x2 xy = f64x2_add(f64x2_mul(f64x2_all(x), v->x), f64x2_mul(f64x2_all(y), v->y));
    return f64x2_add(f64x2_all(at), f64x2_add(xy, f64x2_mul(f64x2_all(z), v->z)));
}
/* frame_apply. */
static inline points2 points_apply(const two_mat3 *m, direct_point at, const points2 *v) {
    points2 p;
    p.x = points_row(f64x2_low(at.xy), f64x2_low(m->x), f64x2_high(m->x), f64x2_low(m->z_xy), v);
    p.y = points_row(f64x2_high(at.xy), f64x2_low(m->y), f64x2_high(m->y), f64x2_high(m->z_xy), v);
    p.z = points_row(at.z, f64x2_low(m->z), f64x2_high(m->z), m->z_z, v);
    return p;
}
/* (a0, b0) */
static inline points2 points_lows(const points2 *a, const points2 *b) {
    points2 p = {f64x2_lows(a->x, b->x), f64x2_lows(a->y, b->y), f64x2_lows(a->z, b->z)};
    return p;
}
/* (a1, b0) */
static inline points2 points_inner(const points2 *a, const points2 *b) {
    points2 p = {f64x2_mix(a->x, b->x, 1, 2), f64x2_mix(a->y, b->y, 1, 2), f64x2_mix(a->z, b->z, 1, 2)};
    return p;
}
static inline points2 points_mul_add(const points2 *a, f64x2 s, const points2 *b) {
    points2 p = {two_mul_add(a->x, s, b->x), two_mul_add(a->y, s, b->y), two_mul_add(a->z, s, b->z)};
    return p;
}
static inline f64x2 points_largest(const points2 *a) {
    return f64x2_max(f64x2_max(f64x2_abs(a->x), f64x2_abs(a->y)), f64x2_abs(a->z));
}

/* Two cores' closest points, and the vector between them. */
typedef struct direct_gap {
    direct_point a, b, gap;
    double square;
} direct_gap;

static inline double direct_square(direct_point d) { return two_sum(f64x2_mul(d.xy, d.xy)) + d.z * d.z; }
static inline direct_point direct_mul_add(direct_point a, double s, direct_point b) {
    direct_point p = {two_mul_add(a.xy, f64x2_all(s), b.xy), a.z + s * b.z};
    return p;
}
static inline f32x4 direct_floats(direct_point p) { return quad_of_doubles(p.xy, p.z); }

/* The contact of one point: cm__manifold_to_world. `out` is only written where it is `found`. */
static inline int direct_place(int found, direct_point a, direct_point b, direct_point normal, cm_real depth,
                               const direct_poses *poses, cm_manifold *out, int capacity) {
    cm_manifold none, *to = gap_place((found != 0) & (capacity > 0), out, &none);
    quad_mat3 r = quad_mat3_from_quat(poses->turn_a);
    quad_to_vec3(&to->normal, quad_mat3_mul(&r, direct_floats(normal)));
    quad_to_vec3(&to->points[0].point_a, f32x4_add(poses->at_a, quad_mat3_mul(&r, direct_floats(a))));
    quad_to_vec3(&to->points[0].point_b, f32x4_add(poses->at_a, quad_mat3_mul(&r, direct_floats(b))));
    to->points[0].depth = depth;
    manifold_of_one(to);
    return found;
}

/* The depth as cm__manifold_of_gap has it. Where the shapes do not touch, the sign of the distance is kept by
 * distance_settled. */
static inline cm_real direct_depth(double distance, bool touch, cm_real margin) {
    if (margin > 0 && !touch) return 0 - gap_distance(distance_settled(distance, false));
    return (cm_real)(0 - cm__least(distance, 0)); /* touching: 0, not -0 */
}

/* cm__gap_round for gaps longer than their rounding, of a size whose square is in range. */
static inline int direct_write(const direct_gap *g, double ra, double rb, cm_real margin, const direct_poses *poses,
                               cm_manifold *out, int capacity) {
    double reach = ra + rb, length = sqrt(g->square), distance = length - reach, over = 1 / length;
    bool touch = g->square <= reach * reach;
    cm_real depth = direct_depth(distance, touch, margin);
    int found = touch | (margin > 0 && distance_settled(distance, false) <= (double)margin);
    direct_point normal = {f64x2_mul(g->gap.xy, f64x2_all(over)), g->gap.z * over};
    return direct_place(found, direct_mul_add(g->a, ra, normal), direct_mul_add(g->b, -rb, normal), normal, depth,
                        poses, out, capacity);
}

#endif
#endif
