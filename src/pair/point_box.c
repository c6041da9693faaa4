/* Point against box; with radii, sphere against (rounded) box.
 *
 * In the box's frame its closest point is the point clamped to the half extents [Arvo90]. A point inside leaves through
 * the nearest face (x before y before z where they are equally near, the positive side where it is in the middle): its
 * depth is the distance to that face, plus the radii. Clamping alone gives neither normal nor depth there.
 * Rounding: in double; rotating the point into the box's frame costs 4 ulps of double. */
#include "carom/primitives.h"
#include "math/two.h"
#include "pair/pair.h"
#include "pair/direct.h"

static cm__point point_box_outside(cm__point local, cm__point half) {
    return cm__p(cm__least(cm__most(local.x, -half.x), half.x) - local.x,
                 cm__least(cm__most(local.y, -half.y), half.y) - local.y,
                 cm__least(cm__most(local.z, -half.z), half.z) - local.z);
}

/* The gap of a point given in the box's frame, in that frame; the box is B. (Outside of one face alone both ways say
 * the same.) */
static void point_box_local(cm__point p, cm__point half, double radius_a, double radius_b, cm__gap *out) {
    cm__point d = point_box_outside(p, half);
    if (d.x != 0 || d.y != 0 || d.z != 0) {
        cm__gap_round(p, cm__point_add(p, d), d, radius_a, radius_b, cm__p(1, 0, 0), 0, out);
        return;
    }
    double x = half.x - fabs(p.x), y = half.y - fabs(p.y), z = half.z - fabs(p.z), depth;
    if (x <= y && x <= z) {
        out->normal = cm__p(p.x >= 0 ? -1 : 1, 0, 0);
        depth = x;
    } else if (y <= z) {
        out->normal = cm__p(0, p.y >= 0 ? -1 : 1, 0);
        depth = y;
    } else {
        out->normal = cm__p(0, 0, p.z >= 0 ? -1 : 1);
        depth = z;
    }
    out->distance = -(depth + radius_a + radius_b);
    out->a = cm__point_mul_add(p, radius_a, out->normal);
    out->b = cm__point_mul_add(p, -(depth + radius_b), out->normal);
}

static bool point_box_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__frame pose = frame_of_pose(b_in_a);
    cm__point local = frame_unrotate(&pose, cm__point_sub(cm__point_of(a->u.point), pose.position));
    return gap_within(point_box_outside(local, cm__point_of(b->u.box)), (double)a->radius + (double)b->radius);
}

static void point_box_rotate(cm__gap *gap, const cm__frame *pose) {
    gap->a = frame_apply(pose, gap->a);
    gap->b = frame_apply(pose, gap->b);
    gap->normal = frame_rotate(pose, gap->normal);
}

static void point_box_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    cm__point local = frame_unrotate(b_in_a, cm__point_sub(cm__point_of(a->u.point), b_in_a->position));
    point_box_local(local, cm__point_of(b->u.box), (double)a->radius, (double)b->radius, out);
    point_box_rotate(out, b_in_a);
}

#if !defined(CAROM_F64)
/* The same for points inside and outside: outside `way` is the gap, inside the axis of the nearest face. */
DIRECT_INLINE int point_box_near(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                                 cm_real margin, direct_near *out) {
    const f64x2 zero = f64x2_all(0);
    out->poses = direct_poses_of(pose_a, pose_b);
    two_mat3 m = direct_turn(out->poses.turn);
    f32x4 from = quad_of_vec3(&a->u.point), size = quad_of_vec3(&b->u.box);
    out->sizes = f32x4_add(f32x4_add(f32x4_abs(from), f32x4_abs(size)), f32x4_all(a->radius + b->radius + margin));
    direct_point p = direct_point_of(from), at = direct_point_of(out->poses.at), half = direct_point_of(size), d, local,
                 way;
    d.xy = f64x2_sub(p.xy, at.xy), d.z = p.z - at.z;
    f64x2 xy = f64x2_add(f64x2_mul(m.x, f64x2_lows(d.xy, d.xy)), f64x2_mul(m.y, f64x2_highs(d.xy, d.xy)));
    local.xy = f64x2_add(xy, f64x2_mul(m.z, f64x2_all(d.z))), local.z = two_sum(f64x2_mul(m.z_xy, d.xy)) + m.z_z * d.z;
    way.xy = f64x2_sub(f64x2_min(f64x2_max(local.xy, f64x2_sub(zero, half.xy)), half.xy), local.xy);
    way.z = cm__least(cm__most(local.z, -half.z), half.z) - local.z;
    direct_point foot = {f64x2_add(local.xy, way.xy), local.z + way.z};
    f64x2 depths = f64x2_sub(half.xy, f64x2_abs(local.xy)), depth_z = f64x2_all(half.z - fabs(local.z));
    f64x2 depth = f64x2_min(f64x2_min(depths, f64x2_swap(depths)), depth_z), in = two_where(depth, zero, f64x2_all(-1));
    unsigned nearest = two_above(depths, depth) | (two_above(depth_z, depth) & 1) << 2;
    way.xy = f64x2_add(way.xy, two_where(depth, depths, f64x2_mul(in, two_sign(f64x2_add(local.xy, zero)))));
    way.z += f64x2_low(two_where(depth, depth_z, f64x2_mul(in, two_sign(f64x2_all(local.z + 0)))));
    double square = direct_square(way), ra = (double)a->radius, rb = (double)b->radius, reach = ra + rb;
    double length = sqrt(square), over = 1 / length, deep = cm__most(f64x2_low(depth), 0);
    bool inside = f64x2_low(in) < 0;
    direct_point normal = {f64x2_mul(way.xy, f64x2_all(over)), way.z * over}, none = {zero, 0};
    out->square = square, out->reach = reach;
    out->touch = (square <= reach * reach) | inside;
    out->distance = length * (1 + f64x2_low(in)) - (deep + ra + rb);
    out->a = direct_apply(&m, at, direct_mul_add(local, ra, normal));
    out->b = direct_apply(&m, at, direct_mul_add(foot, -(deep + rb), normal));
    out->normal = direct_apply(&m, none, normal);
    return direct_valid(&out->poses, out->sizes) & ((f32x4_mask(size) & 7) == 0) & gap_is_plain(square) &
           (a->radius >= 0) & (b->radius >= 0) & (int)(0x68 >> nearest & 1) &
           (!inside | (deep + reach > 0)); /* else the distance is -0 */
}
DIRECT_CONTACT(point_box, point_box_near, false)
DIRECT_DISTANCE(point_box, point_box_near)
#endif

const cm__method cm__method_point_box = {.overlap = point_box_overlap,
                                         .gap = point_box_gap,
                                         .contact_direct = DIRECT(point_box_contact_direct),
                                         .distance_direct = DIRECT(point_box_distance_direct)};

/* --- axis-aligned boxes: from min and max, so that neither center nor half extents round ------------------------ */

static cm__point point_aabb_outside(cm__point p, const cm_aabb *box) {
    cm__point low = cm__point_of(box->min), high = cm__point_of(box->max);
    return cm__p(wide_clamp(p.x, low.x, high.x) - p.x, wide_clamp(p.y, low.y, high.y) - p.y,
                 wide_clamp(p.z, low.z, high.z) - p.z);
}

bool cm_overlap_sphere_aabb(const cm_sphere *a, const cm_aabb *b) {
    return gap_within(point_aabb_outside(cm__point_of(a->center), b), (double)a->radius) && cm_sphere_is_valid(a) &&
           cm_aabb_is_valid(b);
}

cm_real cm_distance_point_aabb(cm_vec3 p, const cm_aabb *box, cm_vec3 *closest) {
    if (!cm_vec3_is_valid(p) || !cm_aabb_is_valid(box)) return CM_REAL_MAX;
    if (closest) *closest = cm_vec3_min(cm_vec3_max(p, box->min), box->max);
    return gap_distance(cm__point_length(point_aabb_outside(cm__point_of(p), box)));
}

bool cm_contact_sphere_aabb(const cm_sphere *a, const cm_aabb *b, cm_manifold *out) {
    if (!cm_overlap_sphere_aabb(a, b)) return false;
    cm__point low = cm__point_of(b->min), high = cm__point_of(b->max), p = cm__point_of(a->center);
    cm__point d = point_aabb_outside(p, b);
    cm__gap gap;
    if (d.x != 0 || d.y != 0 || d.z != 0) {
        cm__gap_round(p, cm__point_add(p, d), d, (double)a->radius, 0, cm__p(1, 0, 0), 0, &gap);
    } else {
        cm__point center = cm__point_scale(cm__point_add(low, high), 0.5);
        point_box_local(cm__point_sub(p, center), cm__point_scale(cm__point_sub(high, low), 0.5), (double)a->radius, 0,
                        &gap);
        gap.a = cm__point_add(gap.a, center);
        gap.b = cm__point_add(gap.b, center);
    }
    cm__manifold_of_gap(&gap, out);
    return true;
}

/* --- oriented boxes ---------------------------------------------------------------------------------------------- */

static cm__point point_obb_local(cm_vec3 p, const cm_obb *box, cm__frame *pose) {
    *pose = frame_of_quat(box->rotation);
    pose->position = cm__point_of(box->center);
    return frame_unrotate(pose, cm__point_sub(cm__point_of(p), pose->position));
}

bool cm_overlap_sphere_obb(const cm_sphere *a, const cm_obb *b) {
    cm__frame pose;
    cm__point local = point_obb_local(a->center, b, &pose);
    return gap_within(point_box_outside(local, cm__point_of(b->half)), (double)a->radius) && cm_sphere_is_valid(a) &&
           cm_obb_is_valid(b);
}

bool cm_overlap_point_obb(cm_vec3 p, const cm_obb *box) {
    cm_sphere point = {p, 0};
    return cm_overlap_sphere_obb(&point, box);
}

cm_real cm_distance_point_obb(cm_vec3 p, const cm_obb *box, cm_vec3 *closest) {
    if (!cm_vec3_is_valid(p) || !cm_obb_is_valid(box)) return CM_REAL_MAX;
    cm__frame pose;
    cm__point local = point_obb_local(p, box, &pose), d = point_box_outside(local, cm__point_of(box->half));
    if (closest) *closest = cm__vec3_of(frame_apply(&pose, cm__point_add(local, d)));
    return gap_distance(cm__point_length(d));
}

static CM__RARE bool sphere_obb_careful(const cm_sphere *a, const cm_obb *b, cm_manifold *out) {
    cm__frame pose;
    cm__point local = point_obb_local(a->center, b, &pose), half = cm__point_of(b->half);
    if (!gap_within(point_box_outside(local, half), (double)a->radius) || !cm_sphere_is_valid(a) || !cm_obb_is_valid(b))
        return false;
    cm__gap gap;
    point_box_local(local, half, (double)a->radius, 0, &gap);
    point_box_rotate(&gap, &pose);
    cm__manifold_of_gap(&gap, out);
    return true;
}

/* The same without branches on whether they touch and whether the center is inside: outside `way` is the gap, inside
 * the axis of the nearest face. x and y are computed side by side. */
bool cm_contact_sphere_obb(const cm_sphere *a, const cm_obb *b, cm_manifold *out) {
    const f64x2 zero = f64x2_all(0);
    two_mat3 m = two_mat3_from_quat(&b->rotation);
    f64x2 at = two_of_reals(&a->center.x), at_z = two_of_reals(&a->center.z);
    f64x2 half = two_of_reals(&b->half.x);
    double half_z = (double)b->half.z, radius = f64x2_high(at_z);
    f64x2 d = f64x2_sub(at, two_of_reals(&b->center.x));
    double dz = f64x2_low(at_z) - (double)b->center.z;
    f64x2 local = f64x2_add(f64x2_add(f64x2_mul(m.x, f64x2_lows(d, d)), f64x2_mul(m.y, f64x2_highs(d, d))),
                            f64x2_mul(m.z, f64x2_all(dz)));
    double local_z = two_sum(f64x2_mul(m.z_xy, d)) + m.z_z * dz;
    f64x2 way = f64x2_sub(f64x2_min(f64x2_max(local, f64x2_sub(zero, half)), half), local);
    double way_z = cm__least(cm__most(local_z, -half_z), half_z) - local_z;
    /* inside: through the nearest face */
    f64x2 depths = f64x2_sub(half, f64x2_abs(local)), depth_z = f64x2_all(half_z - fabs(local_z));
    f64x2 depth = f64x2_min(f64x2_min(depths, f64x2_swap(depths)), depth_z), in = two_where(depth, zero, f64x2_all(-1));
    unsigned nearest = two_above(depths, depth) | (two_above(depth_z, depth) & 1) << 2;
    way = f64x2_add(way, two_where(depth, depths, f64x2_mul(in, two_sign(f64x2_add(local, zero)))));
    way_z += f64x2_low(two_where(depth, depth_z, f64x2_mul(in, two_sign(f64x2_all(local_z + 0)))));
    double square = two_sum(f64x2_mul(way, way)) + way_z * way_z;
    if (!(gap_is_plain(square) & reals_are_valid(&a->center.x, 1) & obb_is_plain(b) & (0x68 >> nearest)))
        return sphere_obb_careful(a, b, out);
    double length = sqrt(square), over = 1 / length;
    double gap = length * (1 + f64x2_low(in)) - cm__most(f64x2_low(depth), 0);
    bool touch = (square <= radius * radius) | (f64x2_low(in) < 0);
    cm_manifold none, *to = gap_place(touch, out, &none);
    double nx = f64x2_low(way) * over, ny = f64x2_high(way) * over, nz = way_z * over;
    f64x2 normal = f64x2_add(
        f64x2_add(f64x2_mul(f64x2_lows(m.x, m.y), f64x2_all(nx)), f64x2_mul(f64x2_highs(m.x, m.y), f64x2_all(ny))),
        f64x2_mul(m.z_xy, f64x2_all(nz)));
    double normal_z = f64x2_low(m.z) * nx + f64x2_high(m.z) * ny + m.z_z * nz;
    two_to_reals(&to->normal.x, normal);
    to->normal.z = (cm_real)normal_z;
    two_to_reals(&to->points[0].point_a.x, two_mul_add(at, f64x2_all(radius), normal));
    to->points[0].point_a.z = (cm_real)(f64x2_low(at_z) + radius * normal_z);
    two_to_reals(&to->points[0].point_b.x, two_mul_add(at, f64x2_all(gap), normal));
    to->points[0].point_b.z = (cm_real)(f64x2_low(at_z) + gap * normal_z);
    to->points[0].depth = (cm_real)(0 - cm__least(gap - radius, 0)); /* touching: 0, not -0 */
    manifold_of_one(to);
    return touch;
}
