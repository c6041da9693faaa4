/* Point against triangle; with radii, sphere against (rounded) triangle.
 *
 * The closest point is over the face, on an edge or at a corner: math/closest.h. A point on the triangle leaves along
 * its normal; a point off it by no more than rounding leaves to its side. Where the triangle has no area, it leaves
 * perpendicular to the longest edge. */
#include "carom/primitives.h"
#include "math/closest.h"
#include "pair/flat.h"
#include "pair/pair.h"
#include "pair/direct.h"

cm__point cm__triangle_way_out(const cm__point c[3]) {
    cm__point ab = cm__point_sub(c[1], c[0]), ac = cm__point_sub(c[2], c[0]);
    cm__point longer = cm__point_largest(ab) > cm__point_largest(ac) ? ab : ac;
    double scale = cm__point_largest(longer);
    if (!(scale > 0)) return cm__p(1, 0, 0);
    ab = cm__point_scale(ab, 1 / scale), ac = cm__point_scale(ac, 1 / scale);
    return wide_normalize(cm__point_cross(ab, ac), wide_perpendicular(longer));
}

typedef struct triangle_foot {
    cm__point corner[3], point, gap; /* gap = point - p */
} triangle_foot;

static inline void point_triangle_foot(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a,
                                       triangle_foot *out) {
    const cm_triangle *t = &b->u.triangle;
    out->corner[0] = frame_apply(b_in_a, cm__point_of(t->a));
    out->corner[1] = frame_apply(b_in_a, cm__point_of(t->b));
    out->corner[2] = frame_apply(b_in_a, cm__point_of(t->c));
    cm__closest_on_triangle c;
    cm__closest_point_triangle(cm__point_of(a->u.point), out->corner[0], out->corner[1], out->corner[2], &c);
    out->point = c.point, out->gap = c.gap;
}

static bool point_triangle_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    triangle_foot foot;
    const cm__frame frame = frame_of_pose(b_in_a);
    point_triangle_foot(a, b, &frame, &foot);
    return gap_within(foot.gap, (double)a->radius + (double)b->radius);
}

static inline void triangle_gap_round(cm__point p, double ra, double rb, const triangle_foot *foot, cm__gap *out) {
    double scale =
        cm__point_largest(foot->corner[0]) + cm__point_largest(foot->corner[1]) + cm__point_largest(foot->corner[2]);
    double noise = gap_noise(scale), square = cm__point_dot(foot->gap, foot->gap);
    cm__point way_out = foot->gap;
    if (!(gap_is_plain(square) && square > 2 * noise * noise)) {
        way_out = cm__triangle_way_out(foot->corner);
        /* off by rounding only, but it leaves to its side */
        if (cm__point_dot(way_out, foot->gap) < 0) way_out = wide_neg(way_out);
    }
    cm__gap_round(p, foot->point, foot->gap, ra, rb, way_out, noise, out);
}

static inline void point_triangle_round(const cm_shape *a, const cm_shape *b, const triangle_foot *foot, cm__gap *out) {
    triangle_gap_round(cm__point_of(a->u.point), (double)a->radius, (double)b->radius, foot, out);
}

static void point_triangle_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    triangle_foot foot;
    point_triangle_foot(a, b, b_in_a, &foot);
    point_triangle_round(a, b, &foot, out);
}

#if !defined(CAROM_F64)
#define LANES_NEXT(v) f32x4_mix(v, v, 1, 2, 4, 4) /* of the three corners, the next of each */

/* A filter in float: is the point o, in the triangle's frame, within `reach`? < 0: certainly not; > 0: certainly; 0:
 * unknown. The three edges are computed side by side. For a triangle with no angle below 1/16 and no edge below 1/20 of
 * its coordinates, the distance is right to 1e-4 of those; 4e-4 are allowed. `far`, in all lanes, is the square of a
 * size whose rounding entered o. */
static inline int triangle_filter(f32x4 o, const cm_triangle *t, cm_real reach, f32x4 far) {
    f32x4 ab = f32x4_load(&t->a.x), bc = f32x4_load(&t->b.x), c = f32x4_load(&t->b.z);
    f32x4 low = f32x4_zip_low(ab, bc), high = f32x4_zip_high(ab, bc);
    points4 r; /* the corners, seen from the point */
    r.x = f32x4_sub(f32x4_mix(low, c, 0, 1, 5, 5), f32x4_lane(o, 0));
    r.y = f32x4_sub(f32x4_mix(low, c, 2, 3, 6, 6), f32x4_lane(o, 1));
    r.z = f32x4_sub(f32x4_mix(high, c, 0, 1, 7, 7), f32x4_lane(o, 2));
    points4 d = {f32x4_sub(LANES_NEXT(r.x), r.x), f32x4_sub(LANES_NEXT(r.y), r.y), f32x4_sub(LANES_NEXT(r.z), r.z)};
    const points4 e = {LANES_NEXT(d.x), LANES_NEXT(d.y), LANES_NEXT(d.z)};
    const points4 n = points4_cross(&d, &e); /* the same of all three corners, but for rounding */
    f32x4 dd = points4_dot(&d, &d), nn = points4_dot(&n, &n);
    /* thin, or small against where it is: size^2 >= (|r| + |d| + sqrt(far))^2, the corners as given are no larger */
    f32x4 rr = f32x4_add(points4_dot(&r, &r), far);
    f32x4 square = f32x4_mul(f32x4_add(rr, dd), f32x4_all(4));
    u32x4 fit = u32x4_and(f32x4_gt(dd, f32x4_mul(square, f32x4_all(1.0f / 400))),
                          f32x4_gt(nn, f32x4_mul(f32x4_mul(dd, LANES_NEXT(dd)), f32x4_all(1.0f / 256))));
    fit = u32x4_and(fit, f32x4_gt(nn, f32x4_all(1e-25f))); /* no product so small that it lost bits */
    /* distance to each edge */
    f32x4 zero = f32x4_all(0), along = f32x4_sub(zero, points4_dot(&r, &d));
    f32x4 s = f32x4_min(f32x4_max(f32x4_div(along, dd), zero), f32x4_all(1));
    points4 g = {f32x4_add(r.x, f32x4_mul(s, d.x)), f32x4_add(r.y, f32x4_mul(s, d.y)),
                 f32x4_add(r.z, f32x4_mul(s, d.z))};
    f32x4 doubt = f32x4_mul(f32x4_sqrt(square), f32x4_all(4e-4f)), aside = points4_dot(&g, &g);
    f32x4 most = f32x4_add(f32x4_all(reach * CM_REAL(1.000001)), doubt);
    f32x4 least = f32x4_max(f32x4_sub(f32x4_all(reach * CM_REAL(0.999999)), doubt), zero);
    most = f32x4_mul(most, most), least = f32x4_mul(least, least);
    /* distance to the plane, where the point is over the face, that is, to the left of all edges */
    points4 side = points4_cross(&r, &d);
    u32x4 beyond = f32x4_lt(points4_dot(&n, &side), zero);
    f32x4 height = points4_dot(&n, &r);
    height = f32x4_mul(height, height);
    /* bit operations instead of branches */
    unsigned beside = u32x4_mask(beyond) & 7;
    unsigned high_above = u32x4_mask(f32x4_gt(height, f32x4_mul(most, nn))) & 1;
    unsigned close = u32x4_mask(f32x4_lt(height, f32x4_mul(least, nn))) & 1;
    unsigned out = u32x4_mask(f32x4_gt(aside, most)) & 7;
    unsigned in = u32x4_mask(f32x4_lt(aside, least)) & 7;
    int certain = (u32x4_mask(fit) & 7) == 7;
    int apart = (out == 7) & ((beside | high_above) != 0), meet = (in != 0) | ((beside == 0) & (close != 0));
    return certain * (meet - apart);
}

/* Are these certainly farther apart than `reach`? Most pairs that are tried are. */
static inline bool triangle_is_far(const cm_pose *b_in_a, cm_vec3 p, const cm_triangle *t, cm_real reach) {
    const cm_quat q = b_in_a->rotation;
    const cm_real unit = quat_square(q);
    cm_vec3 at = cm_sub(p, b_in_a->position), o = cm_unrotate(q, at); /* p in the triangle's frame */
    return cm_abs(unit - 1) < CM_REAL(1e-5) &&
           triangle_filter(quad_of_vec3(&o), t, reach, f32x4_all(cm_dot(at, at) + cm_dot(p, p))) < 0;
}

/* --- the closest point without a jump on where it is -------------------------------------------------------------- */

/* cm__ratio01 */
static inline f64x2 two_ratio01(f64x2 over, f64x2 under) {
    under = f64x2_max(under, f64x2_all(DBL_MIN));
    over = two_where(over, f64x2_all(0), over);
    return f64x2_div(f64x2_min(over, under), under);
}

/* The closest points and gaps for the three edges and the face: four candidates, of which one is the answer. */
typedef struct triangle_answers {
    double x[4], y[4], z[4];             /* the corners a, b, c, a */
    double gap_x[4], gap_y[4], gap_z[4]; /* of ab, bc, ca; of the face */
    double t[4];                         /* along the edges */
} triangle_answers;

static inline void points_store(double *x, double *y, double *z, const points2 *p) {
    f64x2_store(x, p->x), f64x2_store(y, p->y), f64x2_store(z, p->z);
}

/* cm__closest_point_triangle without branches, the same bits: sets b, gap and square. For triangles that are not thin,
 * with edges ab and ca, and points farther away than rounding; else false, and the numbers mean nothing. */
static inline int triangle_closest(direct_point from, const points2 *ab, const points2 *ca, direct_gap *out) {
    triangle_answers all;
    const points2 p = {f64x2_lows(from.xy, from.xy), f64x2_highs(from.xy, from.xy), f64x2_all(from.z)};
    const points2 bc = points_inner(ab, ca), a = points_lows(ab, ab), c = points_lows(ca, ca);
    const points2 d = points2_sub(&bc, ab), d_ca = points2_sub(&a, &c), ac = points2_sub(&c, &a); /* ab, bc; ca, ca */
    const points2 r = points2_sub(&p, ab), r_c = points2_sub(&p, &c);
    const points2 ab_ap = points_lows(&d, &r), n_and = points2_cross(&ab_ap, &ac), n = points_lows(&n_and, &n_and);
    const points2 aside = points2_cross(&d, &r);
    f64x2 nn_wb = points2_dot(&n, &n_and), wc_wa = points2_dot(&n, &aside), nn = f64x2_lows(nn_wb, nn_wb);
    f64x2 squares = points2_dot(&d, &d), square_ac = points2_dot(&ac, &ac);
    /* edges */
    f64x2 t = two_ratio01(points2_dot(&r, &d), squares), t_ca = two_ratio01(points2_dot(&r_c, &d_ca), square_ac);
    const points2 none = {f64x2_all(0), f64x2_all(0), f64x2_all(0)};
    points2 gap = points_mul_add(&none, t, &d), gap_ca = points_mul_add(&none, t_ca, &d_ca);
    gap = points2_sub(&gap, &r), gap_ca = points2_sub(&gap_ca, &r_c);
    double near[4];
    f64x2_store(near, points2_dot(&gap, &gap)), f64x2_store(near + 2, points2_dot(&gap_ca, &gap_ca));
    points_store(all.x, all.y, all.z, ab), points_store(all.x + 2, all.y + 2, all.z + 2, ca);
    points_store(all.gap_x, all.gap_y, all.gap_z, &gap);
    points_store(all.gap_x + 2, all.gap_y + 2, all.gap_z + 2, &gap_ca);
    f64x2_store(all.t, t), f64x2_store(all.t + 2, t_ca);
    /* the face */
    f64x2 vw = f64x2_div(f64x2_mix(nn_wb, wc_wa, 1, 2), nn), over = f64x2_add(vw, f64x2_swap(vw));
    over = f64x2_max(f64x2_sub(over, f64x2_all(1)), f64x2_all(0));
    f64x2 most = f64x2_min(vw, f64x2_all(1)), rest = f64x2_max(f64x2_sub(vw, over), f64x2_all(0));
    u64x2 longer = f64x2_gt(f64x2_lows(squares, squares), square_ac);
    vw = f64x2_select(longer, f64x2_mix(most, rest, 0, 3), f64x2_mix(rest, most, 0, 3));
    const f64x2 signs = f64x2_of(0.0, -0.0);
    const points2 edge_ab = points_lows(&d, &d), a_ap = points_lows(ab, &r);
    points2 foot = points_mul_add(&a_ap, f64x2_flip(f64x2_lows(vw, vw), signs), &edge_ab);
    foot = points_mul_add(&foot, f64x2_flip(f64x2_highs(vw, vw), signs), &ac);
    double height = -f64x2_high(f64x2_div(points2_dot(&n, &foot), nn));
    all.gap_x[3] = f64x2_low(n.x) * height, all.gap_y[3] = f64x2_low(n.y) * height,
    all.gap_z[3] = f64x2_low(n.z) * height;
    /* which of them */
    unsigned beyond = u64x2_mask(f64x2_lt(wc_wa, f64x2_all(0))); /* ab, bc */
    unsigned beyond_ca = f64x2_high(nn_wb) < 0, face = (beyond | beyond_ca) == 0;
    double best = beyond & 1 ? near[0] : DBL_MAX, second = beyond & 2 ? near[1] : DBL_MAX;
    double third = beyond_ca ? near[2] : DBL_MAX;
    unsigned edge = second < best;
    best = cm__least(second, best);
    edge = third < best ? 2 : edge;
    unsigned which = face ? 3 : edge;
    double s = all.t[edge], at_end = (double)(s >= 1);
    f64x2 at_xy = f64x2_of(all.x[edge], all.y[edge]), to_xy = f64x2_of(all.x[edge + 1], all.y[edge + 1]);
    double at_z = all.z[edge], to_z = all.z[edge + 1];
    f64x2 xy = two_mul_add(at_xy, f64x2_all(s), f64x2_sub(to_xy, at_xy));
    double z = at_z + s * (to_z - at_z);
    xy = two_mul_add(xy, f64x2_all(at_end), f64x2_sub(to_xy, xy)), z = z + at_end * (to_z - z);
    double face_is = (double)face;
    u64x2 on_face = f64x2_gt(f64x2_all(face_is), f64x2_all(0));
    out->b.xy = f64x2_select(on_face, f64x2_lows(foot.x, foot.y), xy);
    f64x2 zz = f64x2_select(on_face, foot.z, f64x2_all(z));
    out->b.z = f64x2_low(zz);
    out->gap.xy = f64x2_of(all.gap_x[which], all.gap_y[which]), out->gap.z = all.gap_z[which];
    out->square = direct_square(out->gap);
    f64x2 largest = points_largest(ab);
    double noise = gap_noise(two_sum(largest) + f64x2_low(points_largest(ca)));
    return (f64x2_low(nn_wb) > 0x1p-8 * (f64x2_low(squares) * f64x2_low(square_ac))) & gap_is_plain(out->square) &
           (out->square > 2 * noise * noise);
}

static inline int sphere_triangle_filter(const cm_sphere *a, const cm_triangle *b) {
    return triangle_filter(f32x4_load(&a->center.x), b, a->radius, f32x4_all(0));
}
#else
static inline int sphere_triangle_filter(const cm_sphere *a, const cm_triangle *b) {
    (void)a, (void)b;
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
    const cm__frame frame = frame_of_pose(b_in_a);
    point_triangle_foot(a, b, &frame, &foot);
    double far = ((double)a->radius + (double)b->radius + (double)margin) * (1 + 8 * DBL_EPSILON);
    if (cm__point_dot(foot.gap, foot.gap) > far * far && far > 1e-120) return 0; /* whose square is a number */
    point_triangle_round(a, b, &foot, &gap);
    if (!(gap.distance <= (double)margin)) return 0;
    if (capacity > 0) cm__manifold_of_gap(&gap, out);
    return 1;
}

#if !defined(CAROM_F64)
DIRECT_INLINE int point_triangle_near(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,
                                      const cm_pose *pose_b, cm_real margin, direct_near *out) {
    out->poses = direct_poses_of(pose_a, pose_b);
    two_mat3 turn = direct_turn(out->poses.turn);
    const cm_triangle *t = &b->u.triangle;
    const f32x4 va = quad_of_vec3(&t->a), vb = quad_of_vec3(&t->b), vc = quad_of_vec3(&t->c);
    f32x4 p = quad_of_vec3(&a->u.point), sizes = f32x4_all(a->radius + b->radius + margin);
    out->sizes =
        f32x4_add(f32x4_add(sizes, f32x4_abs(p)), f32x4_add(f32x4_add(f32x4_abs(va), f32x4_abs(vb)), f32x4_abs(vc)));
    direct_point at = direct_point_of(out->poses.at);
    points2 ab = points_of_quads(va, vb), ca = points_of_quads(vc, va);
    ab = points_apply(&turn, at, &ab), ca = points_apply(&turn, at, &ca);
    double ra = (double)a->radius, rb = (double)b->radius;
    direct_gap g;
    g.a = direct_point_of(p);
    const int plain = triangle_closest(g.a, &ab, &ca, &g);
    direct_round(&g, ra, rb, out);
    return plain & direct_valid(&out->poses, out->sizes) & (a->radius >= 0) & (b->radius >= 0) & (ra + rb > 0);
}
DIRECT_CONTACT(point_triangle_near, point_triangle_near, false)
DIRECT_DISTANCE(point_triangle, point_triangle_near)

/* The filter on shapes and poses. It takes the point to the world and from there to the triangle's frame, which is as
 * good for a filter as going through A's frame: both rotations are of unit length within 5e-6, and the rounding of the
 * positions is in `far`. */
static inline int point_triangle_known(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,
                                       const cm_pose *pose_b, cm_real margin) {
    f32x4 turn_a = quad_of_quat(&pose_a->rotation), turn_b = quad_of_quat(&pose_b->rotation);
    f32x4 p = quad_of_vec3(&a->u.point);
    f32x4 between = f32x4_sub(quad_of_vec3(&pose_a->position), quad_of_vec3(&pose_b->position));
    f32x4 o = quad_rotate(quad_conjugate(turn_b), f32x4_add(quad_rotate(turn_a, p), between));
    f32x4 far = f32x4_add(f32x4_mul(between, between), f32x4_mul(p, p));
    f32x4 off = f32x4_abs(f32x4_sub(direct_units(turn_a, turn_b), f32x4_all(1)));
    bool unit = (u32x4_mask(f32x4_lt(off, f32x4_all(5e-6f))) & 3) == 3;
    return unit * triangle_filter(o, &b->u.triangle, a->radius + b->radius + margin, quad_sum(far));
}
static int point_triangle_contact_direct(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,
                                         const cm_pose *pose_b, cm_real margin, cm_manifold *out, int capacity) {
    if (point_triangle_known(a, pose_a, b, pose_b, margin) < 0) return 0;
    return point_triangle_near_contact_direct(a, pose_a, b, pose_b, margin, out, capacity);
}
static int point_triangle_overlap_direct(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b,
                                         const cm_pose *pose_b) {
    const int known = point_triangle_known(a, pose_a, b, pose_b, 0);
    if (known < 0) return -1;
    const cm_triangle *t = &b->u.triangle;
    f32x4 corners = f32x4_add(f32x4_add(f32x4_abs(quad_of_vec3(&t->a)), f32x4_abs(quad_of_vec3(&t->b))),
                              f32x4_abs(quad_of_vec3(&t->c)));
    f32x4 places = f32x4_add(f32x4_abs(quad_of_vec3(&pose_a->position)), f32x4_abs(quad_of_vec3(&pose_b->position)));
    f32x4 all = f32x4_add(f32x4_add(corners, places), f32x4_abs(quad_of_vec3(&a->u.point)));
    all = f32x4_add(all, f32x4_all(a->radius + b->radius));
    return known * ((u32x4_mask(f32x4_le(all, f32x4_all(CM_COORD_MAX))) == 15) & (a->radius >= 0) & (b->radius >= 0));
}
#endif

const cm__method cm__method_point_triangle = {.overlap = point_triangle_overlap,
                                              .gap = point_triangle_gap,
                                              .contact = point_triangle_contact,
                                              .overlap_direct = DIRECT(point_triangle_overlap_direct),
                                              .contact_direct = DIRECT(point_triangle_contact_direct),
                                              .distance_direct = DIRECT(point_triangle_distance_direct)};

static inline bool sphere_triangle_valid(const cm_sphere *a, const cm_triangle *b) {
    return (reals_are_valid(&a->center.x, 1) & reals_are_valid(&b->a.x, 0) & reals_are_valid(&b->b.y, 0) &
            reals_are_valid(&b->b.z, 0)) ||
           (cm_sphere_is_valid(a) && cm_triangle_is_valid(b));
}

static CM__RARE bool sphere_triangle_careful(const cm_sphere *a, const cm_triangle *b) {
    cm__closest_on_triangle c;
    if (!(a->radius > 0)) {
        const cm_vec3 corners[3] = {b->a, b->b, b->c};
        return cm__flats_overlap(&a->center, 1, corners, 3);
    }
    cm__closest_point_triangle(cm__point_of(a->center), cm__point_of(b->a), cm__point_of(b->b), cm__point_of(b->c), &c);
    return gap_within(c.gap, (double)a->radius);
}

bool cm_overlap_sphere_triangle(const cm_sphere *a, const cm_triangle *b) {
    if (!sphere_triangle_valid(a, b)) return false;
    int known = sphere_triangle_filter(a, b);
    return known ? known > 0 : sphere_triangle_careful(a, b);
}

static CM__RARE bool sphere_triangle_contact_careful(const cm_sphere *a, const cm_triangle *b, cm_manifold *out) {
    if (!sphere_triangle_valid(a, b)) return false;
    if (!(a->radius > 0)) {
        const cm_shape point = cm_make_point(a->center), other = cm_make_triangle(b->a, b->b, b->c);
        const cm_pose identity = cm_pose_identity();
        return cm_contact(&point, &identity, &other, &identity, 0, out, 1) > 0;
    }
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

bool cm_contact_sphere_triangle(const cm_sphere *a, const cm_triangle *b, cm_manifold *out) {
    if (sphere_triangle_filter(a, b) < 0) return false; /* bad input has the same answer */
#if !defined(CAROM_F64)
    f32x4 sphere = f32x4_load(&a->center.x), va = f32x4_load(&b->a.x), vb = f32x4_load(&b->b.x);
    f32x4 vc = f32x4_load(&b->b.z); /* from b.z on */
    vc = f32x4_pick(vc, 1, 2, 3, 3);
    points2 ab = points_of_quads(va, vb), ca = points_of_quads(vc, va);
    direct_gap g;
    g.a = direct_point_of(sphere);
    double radius = (double)a->radius;
    if (triangle_closest(g.a, &ab, &ca, &g) & (radius > 0) &
        ((reals_are_valid(&a->center.x, 1) & reals_are_valid(&b->a.x, 0) & reals_are_valid(&b->b.y, 0) &
          reals_are_valid(&b->b.z, 0)) != 0)) {
        bool touch = g.square <= radius * radius;
        cm_manifold none, *to = gap_place(touch, out, &none);
        double length = sqrt(g.square), over = 1 / length, nz = g.gap.z * over;
        f64x2 nxy = f64x2_mul(g.gap.xy, f64x2_all(over));
        quad_to_vec3(&to->normal, quad_of_doubles(nxy, nz));
        quad_to_vec3(&to->points[0].point_a,
                     quad_of_doubles(two_mul_add(g.a.xy, f64x2_all(radius), nxy), g.a.z + radius * nz));
        quad_to_vec3(&to->points[0].point_b,
                     quad_of_doubles(two_mul_add(g.b.xy, f64x2_all(-0.0), nxy), g.b.z + -0.0 * nz));
        to->points[0].depth = (cm_real)(0 - cm__least(length - radius, 0)); /* touching: 0, not -0 */
        manifold_of_one(to);
        return touch;
    }
#endif
    return sphere_triangle_contact_careful(a, b, out);
}

bool cm_overlap_point_triangle(cm_vec3 p, const cm_triangle *triangle) {
    cm_shape point = cm_make_point(p), other = cm_make_triangle(triangle->a, triangle->b, triangle->c);
    cm_pose identity = cm_pose_identity();
    return cm_overlap(&point, &identity, &other, &identity); /* exact */
}

cm_real cm_distance_point_triangle(cm_vec3 p, const cm_triangle *triangle, cm_vec3 *closest) {
    if (!cm_vec3_is_valid(p) || !cm_triangle_is_valid(triangle)) return CM_REAL_MAX;
    cm__closest_on_triangle c;
    cm__closest_point_triangle(cm__point_of(p), cm__point_of(triangle->a), cm__point_of(triangle->b),
                               cm__point_of(triangle->c), &c);
    const cm_vec3 corners[3] = {triangle->a, triangle->b, triangle->c};
    if (closest) *closest = cm__vec3_of(c.point);
    return gap_distance(cm__flats_settle(cm__point_length(c.gap), &p, 1, corners, 3));
}
