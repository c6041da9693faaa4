/* cm_contact and cm_distance of two small shapes in one function: checks, poses and answer together. As separate
 * functions, the calls and the results passed through memory took longer than the answer itself.
 *
 * A method's `contact_direct` takes shapes of its kinds, in order, and poses, none of them checked; its
 * `distance_direct` takes them in the order in which they are solved. Their answers have the same bits as those of
 * `contact` and `gap` (test/pair/direct.c compares them). They call those for invalid numbers, and for numbers so small
 * or so near each other that rounding needs care. A pair that is apart needs no check for a contact, since bad input
 * has the same answer. The double build has none of them (math/quad.h). So a 0, or a number that equals a bound, may go
 * either way.
 *
 * Both are made of one function of the method, its `near`. It has no branches that depend on the data
 * (direct_round); or it asks the method's gap for a distance alone (direct_by_gap), which spares checks and calls. No
 * address of what that fills may reach a call: then all of it stays in registers. */
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

/* Both ends' numbers of a segment, without their signs. */
static inline f32x4 direct_segment(const cm_shape *shape) {
    return f32x4_add(f32x4_abs(quad_of_vec3(&shape->u.segment.a)), f32x4_abs(quad_of_vec3(&shape->u.segment.b)));
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

/* What a `near` tells: a pair's poses and sizes, and the answer in A's frame. */
typedef struct direct_near {
    direct_poses poses;
    f32x4 sizes;
    double square, reach;      /* of the cores' distance; both radii */
    direct_point a, b, normal; /* on the surfaces */
    double distance;           /* of these, before distance_settled */
    bool touch;
} direct_near;

/* cm__gap_round for gaps longer than their rounding, of a size whose square is in range. */
static inline void direct_round(const direct_gap *g, double ra, double rb, direct_near *out) {
    double length = sqrt(g->square), over = 1 / length;
    out->square = g->square, out->reach = ra + rb;
    out->distance = length - out->reach, out->touch = g->square <= out->reach * out->reach;
    out->normal.xy = f64x2_mul(g->gap.xy, f64x2_all(over)), out->normal.z = g->gap.z * over;
    out->a = direct_mul_add(g->a, ra, out->normal), out->b = direct_mul_add(g->b, -rb, out->normal);
}

/* The depth as cm__manifold_of_gap has it. Where the shapes do not touch, the sign of the distance is kept by
 * distance_settled. */
static inline cm_real direct_depth(double distance, bool touch, cm_real margin) {
    if (margin > 0 && !touch) return 0 - gap_distance(distance_settled(distance, false));
    return (cm_real)(0 - cm__least(distance, 0)); /* touching: 0, not -0 */
}

/* The contact of one point: cm__manifold_to_world. `out` is only written where there is one. */
static inline int direct_contact(const direct_near *n, cm_real margin, cm_manifold *out, int capacity) {
    int found = n->touch | (margin > 0 && distance_settled(n->distance, false) <= (double)margin);
    cm_manifold none, *to = gap_place((found != 0) & (capacity > 0), out, &none);
    quad_mat3 r = quad_mat3_from_quat(n->poses.turn_a);
    quad_to_vec3(&to->normal, quad_mat3_mul(&r, direct_floats(n->normal)));
    quad_to_vec3(&to->points[0].point_a, f32x4_add(n->poses.at_a, quad_mat3_mul(&r, direct_floats(n->a))));
    quad_to_vec3(&to->points[0].point_b, f32x4_add(n->poses.at_a, quad_mat3_mul(&r, direct_floats(n->b))));
    to->points[0].depth = direct_depth(n->distance, n->touch, margin);
    manifold_of_one(to);
    return found;
}

/* distance_to_world; `swapped`: the caller's A is B here. */
static inline cm_real direct_distance(const direct_near *n, cm_real max_distance, bool swapped, cm_witness *out) {
    const cm_real distance = gap_distance(distance_settled(n->distance, n->touch));
    if (!(distance <= max_distance)) return CM_REAL_MAX;
    if (!out) return distance;
    cm_vec3 *const point[2] = {&out->point_a, &out->point_b};
    const f32x4 turn = n->poses.turn_a, at = n->poses.at_a;
    quad_to_vec3(point[swapped], f32x4_add(at, quad_rotate(turn, direct_floats(n->a))));
    quad_to_vec3(point[!swapped], f32x4_add(at, quad_rotate(turn, direct_floats(n->b))));
    const cm_real sign = 1 - 2 * (cm_real)swapped;
    quad_to_vec3(&out->normal, f32x4_mul(quad_rotate(turn, direct_floats(n->normal)), f32x4_all(sign)));
    out->distance = distance;
    out->part_a = out->part_b = CM_NONE;
    out->flags = 0;
    return distance;
}

/* Of a `near`: compiled into each of the two functions, so that nothing goes through memory. */
#if defined(__GNUC__)
#define DIRECT_INLINE static inline __attribute__((always_inline))
#else
#define DIRECT_INLINE static inline
#endif
/* cm__method's `contact_direct` and `distance_direct` of a `near` that fills a direct_near and returns whether it
 * holds. `sure`: are kinds equal, so that the verdict of a contact must be the same in both orders? */
#define DIRECT_CONTACT(name, near, sure)                                                                               \
    static int name##_contact_direct(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,                      \
                                     const cm_pose *pose_b, cm_real margin, cm_manifold *out, int capacity) {          \
        direct_near n;                                                                                                 \
        if (!(near(a, pose_a, b, pose_b, margin, &n) & (margin >= 0) & (capacity >= 0) & (out != NULL) &               \
              (!(sure) || direct_sure(&n.poses, n.sizes, n.square, n.reach + (double)margin))))                        \
            return cm__contact_checked(a, pose_a, b, pose_b, margin, out, capacity);                                   \
        return direct_contact(&n, margin, out, capacity);                                                              \
    }
#define DIRECT_DISTANCE(name, near)                                                                                    \
    static cm_real name##_distance_direct(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,                 \
                                          const cm_pose *pose_b, cm_real max_distance, bool swapped,                   \
                                          cm_witness *out) {                                                           \
        direct_near n;                                                                                                 \
        if (near(a, pose_a, b, pose_b, 0, &n) & (max_distance >= 0))                                                   \
            return direct_distance(&n, max_distance, swapped, out);                                                    \
        return swapped ? cm_distance_cached(b, pose_b, a, pose_a, max_distance, NULL, out)                             \
                       : cm_distance_cached(a, pose_a, b, pose_b, max_distance, NULL, out);                            \
    }

/* By the method's gap, where B is not flat and its numbers are sizes. `quick`: false where it would have to search. */
DIRECT_INLINE int direct_by_gap(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                                f32x4 numbers_a, f32x4 numbers_b,
                                bool (*quick)(const cm_shape *, const cm_shape *, const cm__frame *, cm__gap *),
                                direct_near *out) {
    out->poses = direct_poses_of(pose_a, pose_b);
    out->sizes = f32x4_add(f32x4_add(f32x4_abs(numbers_a), f32x4_abs(numbers_b)), f32x4_all(a->radius + b->radius));
    if (!(direct_valid(&out->poses, out->sizes) & (f32x4_mask(numbers_b) == 0) & (a->radius >= 0) & (b->radius >= 0)))
        return 0;
    const two_mat3 m = direct_turn(out->poses.turn);
    const direct_point at = direct_point_of(out->poses.at);
    const cm__frame frame = {{f64x2_low(m.x), f64x2_low(m.y), f64x2_low(m.z)},
                             {f64x2_high(m.x), f64x2_high(m.y), f64x2_high(m.z)},
                             {f64x2_low(m.z_xy), f64x2_high(m.z_xy), m.z_z},
                             {f64x2_low(at.xy), f64x2_high(at.xy), at.z}};
    cm__gap g;
    if (!quick(a, b, &frame, &g)) return 0;
    out->a.xy = f64x2_of(g.a.x, g.a.y), out->a.z = g.a.z;
    out->b.xy = f64x2_of(g.b.x, g.b.y), out->b.z = g.b.z;
    out->normal.xy = f64x2_of(g.normal.x, g.normal.y), out->normal.z = g.normal.z;
    out->distance = g.distance, out->touch = !(g.distance > 0);
    return 1;
}
/* `quick`: an expression of a, b, b_in_a and out, that fills *out with the gap, or is false. */
#define DIRECT_BY_GAP(name, numbers_a, numbers_b, quick)                                                               \
    DIRECT_INLINE bool name##_quick(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {     \
        return quick;                                                                                                  \
    }                                                                                                                  \
    DIRECT_INLINE int name##_by_gap(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,                       \
                                    const cm_pose *pose_b, cm_real margin, direct_near *out) {                         \
        (void)margin;                                                                                                  \
        return direct_by_gap(a, pose_a, b, pose_b, numbers_a, numbers_b, name##_quick, out);                           \
    }                                                                                                                  \
    DIRECT_DISTANCE(name, name##_by_gap)
#define DIRECT(function) function

#else
#define DIRECT_BY_GAP(name, numbers_a, numbers_b, quick)
#define DIRECT(function) NULL
#endif
#endif
