/* Point against point; with radii, sphere against sphere.
 *
 * They touch where |b - a|^2 <= (ra + rb)^2. Computed in double: the float build is exact but for inputs more than 29
 * bits apart, the double build right to 3 ulps of the distance. Concentric spheres separate along A's x axis. */
#include "carom/primitives.h"
#include "math/two.h"
#include "pair/pair.h"
#include "pair/direct.h"

static bool point_point_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__frame pose = frame_of_pose(b_in_a);
    cm__point p = cm__point_of(a->u.point), q = frame_apply(&pose, cm__point_of(b->u.point));
    return gap_within(cm__point_sub(q, p), (double)a->radius + (double)b->radius);
}

static void point_point_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    cm__point p = cm__point_of(a->u.point), q = frame_apply(b_in_a, cm__point_of(b->u.point));
    cm__gap_round(p, q, cm__point_sub(q, p), (double)a->radius, (double)b->radius, cm__p(1, 0, 0), 0, out);
}

/* cm__method's `sure`: the verdict, where it is the same whichever point is the first. */
static inline int points_sure(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__point gap,
                              double margin) {
    double reach = (double)a->radius + (double)b->radius + margin;
    double size = wide_sum(cm__point_of(b_in_a->position)) + wide_sum(cm__point_of(a->u.point));
    return pair_sure(cm__point_dot(gap, gap), reach, size + wide_sum(cm__point_of(b->u.point)) + reach);
}

static int point_point_sure(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, double margin) {
    cm__frame pose = frame_of_pose(b_in_a);
    cm__point p = cm__point_of(a->u.point), q = frame_apply(&pose, cm__point_of(b->u.point));
    return points_sure(a, b, b_in_a, cm__point_sub(q, p), margin);
}

static int point_point_contact_sure(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                    cm_manifold *out, int capacity) {
    cm__frame pose = frame_of_pose(b_in_a);
    cm__point p = cm__point_of(a->u.point), q = frame_apply(&pose, cm__point_of(b->u.point));
    cm__point d = cm__point_sub(q, p);
    int sure = points_sure(a, b, b_in_a, d, (double)margin);
    if (sure <= 0) return sure == 0 ? -1 : 0;
    if (capacity < 1) return 1;
    cm__gap gap;
    cm__gap_round(p, q, d, (double)a->radius, (double)b->radius, cm__p(1, 0, 0), 0, &gap);
    cm__manifold_of_gap(&gap, out);
    return 1;
}

#if !defined(CAROM_F64)
DIRECT_INLINE int point_point_near(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                                   cm_real margin, direct_near *out) {
    out->poses = direct_poses_of(pose_a, pose_b);
    f32x4 p = quad_of_vec3(&a->u.point), q = quad_of_vec3(&b->u.point);
    double ra = (double)a->radius, rb = (double)b->radius;
    direct_gap g;
    g.a = direct_point_of(p);
    g.b = direct_point_of(out->poses.at);
    if (u32x4_mask(f32x4_ne(q, f32x4_all(0)))) { /* a point at its shape's origin needs no rotation */
        two_mat3 turn = direct_turn(out->poses.turn);
        g.b = direct_apply(&turn, g.b, direct_point_of(q));
    }
    g.gap.xy = f64x2_sub(g.b.xy, g.a.xy), g.gap.z = g.b.z - g.a.z;
    g.square = direct_square(g.gap);
    out->sizes = f32x4_add(f32x4_add(f32x4_abs(p), f32x4_abs(q)), f32x4_all(a->radius + b->radius + margin));
    direct_round(&g, ra, rb, out);
    return direct_valid(&out->poses, out->sizes) & (a->radius >= 0) & (b->radius >= 0) & gap_is_plain(g.square) &
           (ra + rb > 0);
}
DIRECT_CONTACT(point_point, point_point_near, true)
DIRECT_DISTANCE(point_point, point_point_near)

/* From center to center in the world, in float. That is off by a few ulps of positions and sizes; pair_sure allows 128
 * of them, and this function as many again. */
static int point_point_overlap_direct(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,
                                      const cm_pose *pose_b) {
    f32x4 turn_a = quad_of_quat(&pose_a->rotation), turn_b = quad_of_quat(&pose_b->rotation);
    f32x4 at_a = quad_of_vec3(&pose_a->position), at_b = quad_of_vec3(&pose_b->position);
    f32x4 p = quad_of_vec3(&a->u.point), q = quad_of_vec3(&b->u.point), between = f32x4_sub(at_b, at_a);
    f32x4 gap = between, own = f32x4_add(f32x4_abs(p), f32x4_abs(q)), sizes = f32x4_add(own, f32x4_abs(between));
    if (u32x4_mask(f32x4_ne(own, f32x4_all(0)))) /* points at their shapes' origins need no rotation */
        gap = f32x4_add(between, f32x4_sub(quad_rotate(turn_b, q), quad_rotate(turn_a, p)));
    const cm_real reach = a->radius + b->radius;
    const double size = (double)f32x4_first(quad_sum(sizes)) + (double)reach;
    const double over = (double)f32x4_first(quad_sum(f32x4_mul(gap, gap))) - (double)reach * (double)reach;
    f32x4 all = f32x4_add(f32x4_add(f32x4_abs(at_a), f32x4_abs(at_b)), f32x4_add(sizes, f32x4_all(reach)));
    if (!(direct_unit_closely(turn_a, turn_b) & (u32x4_mask(f32x4_le(all, f32x4_all(CM_COORD_MAX))) == 15) &
          (a->radius >= 0) & (b->radius >= 0) & (reach > 0) & (size > 1e-15) & (size < 1e15) &
          (fabs(over) > 4 * PAIR_ORDER_ROUNDING * size * size)))
        return 0;
    return over < 0 ? 1 : -1;
}
#endif

const cm__method cm__method_point_point = {.overlap = point_point_overlap,
                                           .gap = point_point_gap,
                                           .sure = point_point_sure,
                                           .contact_sure = point_point_contact_sure,
                                           .overlap_direct = DIRECT(point_point_overlap_direct),
                                           .contact_direct = DIRECT(point_point_contact_direct),
                                           .distance_direct = DIRECT(point_point_distance_direct)};

/* Overlap is only said of valid spheres; the answer no needs no check. */
static bool spheres_valid(const cm_sphere *a, const cm_sphere *b) {
    return cm_sphere_is_valid(a) && cm_sphere_is_valid(b);
}

bool cm_overlap_sphere_sphere(const cm_sphere *a, const cm_sphere *b) {
    cm__point d = cm__point_sub(cm__point_of(b->center), cm__point_of(a->center));
    return gap_within(d, (double)a->radius + (double)b->radius) && spheres_valid(a, b);
}

bool cm_overlap_point_sphere(cm_vec3 p, const cm_sphere *sphere) {
    cm_sphere point = {p, 0};
    return cm_overlap_sphere_sphere(&point, sphere);
}

static CM__RARE bool spheres_contact_careful(const cm_sphere *a, const cm_sphere *b, cm_manifold *out) {
    cm__point p = cm__point_of(a->center), q = cm__point_of(b->center), d = cm__point_sub(q, p);
    if (!gap_within(d, (double)a->radius + (double)b->radius) || !spheres_valid(a, b)) return false;
    cm__gap gap;
    cm__gap_round(p, q, d, (double)a->radius, (double)b->radius, cm__p(1, 0, 0), 0, &gap);
    cm__manifold_of_gap(&gap, out);
    return true;
}

/* Spheres whose squares are in range, in one function, without a branch on whether they touch. The same numbers as
 * above: x and y side by side, z and the radius side by side. */
bool cm_contact_sphere_sphere(const cm_sphere *a, const cm_sphere *b, cm_manifold *out) {
    f64x2 axy = two_of_reals(&a->center.x), azr = two_of_reals(&a->center.z);
    f64x2 bxy = two_of_reals(&b->center.x), bzr = two_of_reals(&b->center.z);
    f64x2 dxy = f64x2_sub(bxy, axy), squares = f64x2_mul(dxy, dxy);
    double dz = f64x2_low(f64x2_sub(bzr, azr)), reach = f64x2_high(f64x2_add(azr, bzr));
    double square = f64x2_low(squares) + f64x2_high(squares) + dz * dz;
    if (!(reals_are_valid(&a->center.x, 1) & reals_are_valid(&b->center.x, 1) & gap_is_plain(square)))
        return spheres_contact_careful(a, b, out);
    bool touch = square <= reach * reach;
    cm_manifold none, *to = gap_place(touch, out, &none);
    double length = sqrt(square), over = 1 / length, nz = dz * over;
    f64x2 nxy = f64x2_mul(dxy, f64x2_all(over)), ra = f64x2_highs(azr, azr),
          rb = f64x2_sub(f64x2_all(0), f64x2_highs(bzr, bzr));
    two_to_reals(&to->normal.x, nxy);
    to->normal.z = (cm_real)nz;
    two_to_reals(&to->points[0].point_a.x, two_mul_add(axy, ra, nxy));
    to->points[0].point_a.z = (cm_real)(f64x2_low(azr) + f64x2_low(ra) * nz);
    two_to_reals(&to->points[0].point_b.x, two_mul_add(bxy, rb, nxy));
    to->points[0].point_b.z = (cm_real)(f64x2_low(bzr) + f64x2_low(rb) * nz);
    to->points[0].depth = (cm_real)(0 - cm__least(length - reach, 0)); /* touching: 0, not -0 */
    manifold_of_one(to);
    return touch;
}
