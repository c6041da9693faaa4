/* Box against box; with radii, rounded boxes. The 15 axes of box_axes.h decide whether they overlap and give the depth.
 * The closest points give the gap (box_nearest.c; within rounding of touching all pairs of features are tried:
 * polytope.c). Clipped faces give the contact (box_patch.c). Overlap and distance compute the same sums in A's frame.
 * Where rounding could decide which of two methods answers (a gap near 0, a radius or margin of 0), both give the same
 * answer. */
#include "carom/primitives.h"
#include "pair/box_filter.h"
#include "pair/box_nearest.h"
#include "pair/box_patch.h"
#include "pair/pair.h"
#include "pair/direct.h"

static bool box_pair_separated(const box_pair *p, const box_filter *filter) {
    if (filter->known) return filter->apart;
    cm__point normal;
    box_axis axis;
    return box_pair_depth(p, filter, &normal, &axis) > 0;
}

/* --- the pair of shapes ------------------------------------------------------------------------------------------- */

static void box_lay_out(const cm__frame *pose, cm__point half, cm__polytope *out) {
    cm_shape shape = cm_make_box(cm__vec3_of(half));
    cm__polytope_of(&shape, pose, out);
}

static void boxes_lay_out(const box_pair *p, cm__polytope *pa, cm__polytope *pb) {
    cm__frame pose;
    pose.x = cm__p(p->r[0][0], p->r[1][0], p->r[2][0]);
    pose.y = cm__p(p->r[0][1], p->r[1][1], p->r[2][1]);
    pose.z = cm__p(p->r[0][2], p->r[1][2], p->r[2][2]);
    pose.position = cm__p(p->t[0], p->t[1], p->t[2]);
    box_lay_out(NULL, cm__p(p->a[0], p->a[1], p->a[2]), pa);
    box_lay_out(&pose, cm__p(p->b[0], p->b[1], p->b[2]), pb);
}

/* The gap of the cores, by all axes and features. */
static void boxes_gap_careful(const box_pair *p, cm__gap *out) {
    cm__point normal;
    box_axis axis;
    cm__polytope pa, pb;
    double separation = box_pair_axis(p, DBL_MAX, &normal, &axis);
    boxes_lay_out(p, &pa, &pb);
    cm__polytopes_gap_along(&pa, &pb, separation, normal, out);
}

/* The same for cores that are apart. Overlap, distance and contact all come here. */
static void boxes_gap_apart(const box_pair *p, cm__gap *out) {
    if (!cm__boxes_nearest(p, out)) boxes_gap_careful(p, out);
}

/* Boxes whose cores are apart. */
static CM__RARE bool boxes_overlap_round(const box_pair *p, double radius) {
    if (!(radius > 0)) return false;
    cm__gap gap;
    boxes_gap_apart(p, &gap);
    return gap_within(cm__point_sub(gap.b, gap.a), radius);
}

/* From A's frame. */
static cm__point box_frames_rotate(const cm__box_frames *f, cm__point p) {
    const double(*x)[3][2] = f->axis;
    return cm__p(x[0][0][0] * p.x + p.y * x[1][0][0] + p.z * x[2][0][0],
                 x[0][1][0] * p.x + p.y * x[1][1][0] + p.z * x[2][1][0],
                 x[0][2][0] * p.x + p.y * x[1][2][0] + p.z * x[2][2][0]);
}

/* The cosine of 1.4e-3 rad: a face this near to perpendicular to the normal touches as a face (convex/manifold.c). */
#define BOX_FACE_COS (1 - 1e-6)

/* Has either box a face perpendicular to the normal? */
static bool boxes_face(const box_pair *p, cm__point n) {
    const double own[3] = {n.x, n.y, n.z};
    double most = wide_max(fabs(n.x), wide_max(fabs(n.y), fabs(n.z)));
    for (int j = 0; j < 3; j++)
        most = wide_max(most, fabs(p->r[0][j] * own[0] + p->r[1][j] * own[1] + p->r[2][j] * own[2]));
    return most >= BOX_FACE_COS;
}

/* The contact of overlapping cores along the axis of least overlap, in the frame of `frames`. 0: rounding clipped the
 * touching corner away, or chose an axis of edges for faces that lie flat on each other. */
static int boxes_manifold(const box_pair *p, double gap, cm__point normal, box_axis axis, const cm__box_frames *frames,
                          double ra, double rb, double margin, cm_manifold *out) {
    if (axis.kind == 2) {
        if (boxes_face(p, normal)) return 0;
        cm__point on_a, on_b, n = box_frames_rotate(frames, normal);
        cm__box_edges_cross(p, axis.i, axis.j, normal, &on_a, &on_b);
        cm_contact_point *c = &out->points[0];
        on_a = cm__point_add(frames->origin[0], box_frames_rotate(frames, on_a));
        on_b = cm__point_add(frames->origin[0], box_frames_rotate(frames, on_b));
        out->normal = cm__vec3_of(n);
        c->point_a = cm__vec3_of(cm__point_mul_add(on_a, ra, n));
        c->point_b = cm__vec3_of(cm__point_mul_add(on_b, -rb, n));
        c->depth = (cm_real)(0 - (gap - ra - rb));
        manifold_of_one(out);
        c->feature_a = c->feature_b = (uint32_t)(8192 + 3 * axis.i + axis.j);
        return 1;
    }
    bool of_b = axis.kind == 1; /* then seen from B, whose face normal is opposite to the contact normal */
    double along_a = normal.x + normal.y + normal.z; /* it is one of A's axes */
    double along_b = p->r[0][axis.j] * normal.x + p->r[1][axis.j] * normal.y + p->r[2][axis.j] * normal.z;
    double sign = 2 * (double)((of_b ? -along_b : along_a) > 0) - 1; /* without a jump */
    return cm__box_face_manifold(p, of_b ? axis.j : axis.i, sign, frames, of_b, ra, rb, margin, out);
}

/* Boxes that are apart, but by no more than `reach` > 0; or whose contact rounding has clipped away. Returns as
 * boxes_contact does. */
static CM__RARE int boxes_contact_near(const box_pair *p, bool apart, double reach, double ra, double rb, double margin,
                                       double doubt, cm_manifold *out) {
    cm__polytope pa, pb;
    cm__gap core;
    if (apart)
        boxes_gap_apart(p, &core);
    else
        boxes_gap_careful(p, &core);
    if (doubt > 0 && fabs(core.distance - reach) <= doubt) return -1;
    if (core.distance > 0 && !gap_within(cm__point_sub(core.b, core.a), reach)) return 0;
    if (!out) return 2;
    cm__patch patch;
    boxes_lay_out(p, &pa, &pb);
    cm__patch_of(&pa, &pb, &core, reach, &patch);
    cm__manifold_of_patch(&patch, core.normal, ra, rb, margin, out);
    return 2;
}

/* The contact. 0: there is none; 1: *out is in the frame of `frames`; 2: *out is in A's frame; -1: whether the boxes
 * are within the margin hangs on less than `doubt`, and *out is untouched. */
static int boxes_contact(const box_pair *p, const box_filter *filter, const cm__box_frames *frames, double ra,
                         double rb, double margin, double doubt, cm_manifold *out) {
    double reach = ra + rb + margin, gap = 1;
    cm__point normal;
    box_axis axis;
    if (!filter->apart)
        gap = box_pair_depth(p, filter, &normal, &axis);
    else if (!filter->sure)
        gap = 0x1p-1000; /* the filter does not measure the gap; any tiny positive number will do */
    if (gap > 0) {
        if (!(reach > 0)) return doubt > 0 && !(filter->apart && filter->sure) && gap <= doubt ? -1 : 0;
        /* the gap along an axis and the distance of the closest points round differently */
        double far = reach + gap_noise(box_pair_size(p)) + doubt;
        if (box_pair_axis(p, far, &normal, &axis) > far) return 0;
    } else {
        if (doubt > 0 && reach - gap <= doubt) return -1;
        if (!out || boxes_manifold(p, gap, normal, axis, frames, ra, rb, margin, out) > 0) return 1;
    }
    return boxes_contact_near(p, gap > 0, reach, ra, rb, margin, doubt, out);
}

/* Runs the filter; and sets *p, unless the boxes are apart and nothing else is asked. */
static void box_pair_of_shapes(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, bool touching,
                               box_filter *filter, box_pair *out) {
#if !defined(CAROM_F64)
    cm_vec3 t = b_in_a->position, ha = a->u.box, hb = b->u.box;
    box_filter_run(f32x4_load(&b_in_a->rotation.x), f32x4_of(t.x, t.y, t.z, 0), f32x4_of(ha.x, ha.y, ha.z, 0),
                   f32x4_of(hb.x, hb.y, hb.z, 0), false, filter);
    if (touching && filter->apart) return;
#endif
    const two_mat3 m = two_mat3_from_quat(&b_in_a->rotation);
    box_pair_of_turn(&m, cm__point_of(b_in_a->position), cm__point_of(a->u.box), cm__point_of(b->u.box), out);
#if defined(CAROM_F64)
    box_pair_filter(out, filter);
#endif
    (void)touching;
}

/* See cm__method's `sure`. A gap that only edges show may be any, if there are radii. */
static int box_filter_verdict(const box_filter *filter, double reach) {
    const int apart = (filter->meet == 0) & ((filter->gap > reach * (1 + 1e-6)) | !(reach > 0));
    return filter->sure * (filter->meet - apart);
}

static bool box_box_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    double radius = (double)a->radius + (double)b->radius;
    box_filter filter;
    box_pair p;
    box_pair_of_shapes(a, b, b_in_a, !(radius > 0), &filter, &p);
    return !box_pair_separated(&p, &filter) || boxes_overlap_round(&p, radius);
}

static int box_box_sure(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, double margin) {
    double reach = (double)a->radius + (double)b->radius + margin;
    box_filter filter;
    box_pair p;
    box_pair_of_shapes(a, b, b_in_a, true, &filter, &p);
    return box_filter_verdict(&filter, reach);
}

/* The gap of overlapping cores along the axis of their depth. False: rounding leaves no pair of points that is as
 * deep. */
static bool boxes_deepest(const box_pair *p, double separation, cm__point normal, box_axis axis, cm__gap *out) {
    cm__point on_a;
    const double off = cm__box_touch(p, separation, normal, axis, &on_a);
    if (!(off <= 64 * DBL_EPSILON * box_pair_size(p))) return false; /* four times box_pair_favor */
    out->a = on_a, out->b = cm__point_mul_add(on_a, separation, normal);
    out->normal = normal;
    out->distance = separation;
    return true;
}

/* The cores' gap, from the axes that the filter left; false where rounding could decide. */
static bool boxes_gap(const box_pair *p, cm__gap *out) {
    box_filter filter;
    cm__point normal;
    box_axis axis;
    box_pair_filter(p, &filter);
    const double separation = filter.apart ? 1 : box_pair_depth(p, &filter, &normal, &axis);
    return separation > 0 ? cm__boxes_nearest(p, out) : boxes_deepest(p, separation, normal, axis, out);
}

static void box_box_gap(const cm_shape *a, const cm_shape *b, const cm__frame *b_in_a, cm__gap *out) {
    box_pair p;
    box_pair_set(b_in_a, cm__point_of(a->u.box), cm__point_of(b->u.box), &p);
    if (!boxes_gap(&p, out)) boxes_gap_careful(&p, out);
    /* what box_box_overlap says without radii, though the closest points may coincide */
    bool separated = out->distance > 0;
    cm__gap_add_radii(out, (double)a->radius, (double)b->radius);
    if (separated && !((double)a->radius + (double)b->radius > 0))
        out->distance = distance_settled(out->distance, false);
}

static int box_pair_contact(const cm_shape *a, const cm_shape *b, const box_pair *p, const box_filter *filter,
                            cm_real margin, double doubt, cm_manifold *out, int capacity) {
    cm__box_frames frames;
    frames.origin[0] = cm__p(0, 0, 0), frames.origin[1] = cm__p(p->t[0], p->t[1], p->t[2]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) f64x2_store(frames.axis[i][k], f64x2_of(i == k, p->r[k][i]));
    int found = boxes_contact(p, filter, &frames, (double)a->radius, (double)b->radius, (double)margin, doubt,
                              capacity > 0 ? out : NULL);
    return found > 0 ? 1 : found;
}

static inline int box_box_contact_within(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                         bool sure, cm_manifold *out, int capacity) {
    box_filter filter;
    box_pair p;
    bool touching = !(a->radius + b->radius + margin > 0);
    box_pair_of_shapes(a, b, b_in_a, touching, &filter, &p);
    if (touching && filter.apart && (filter.sure || !sure)) return 0;
    double doubt = sure ? PAIR_ORDER_ROUNDING * box_pair_size(&p) : 0;
    return box_pair_contact(a, b, &p, &filter, margin, doubt, out, capacity);
}
static int box_box_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                           cm_manifold *out, int capacity) {
    return box_box_contact_within(a, b, b_in_a, margin, false, out, capacity);
}
static int box_box_contact_sure(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                                cm_manifold *out, int capacity) {
    return box_box_contact_within(a, b, b_in_a, margin, true, out, capacity);
}

#if !defined(CAROM_F64)
static int box_box_direct(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b,
                          cm_real margin, cm_manifold *out, int capacity) {
    direct_poses poses = direct_poses_of(pose_a, pose_b);
    f32x4 half_a = quad_of_vec3(&a->u.box), half_b = quad_of_vec3(&b->u.box);
    cm_real reach = a->radius + b->radius + margin;
    box_filter filter;
    box_filter_run(poses.turn, poses.at, half_a, half_b, false, &filter);
    int unit = direct_unit_closely(poses.turn_a, poses.turn_b),
        sure = unit ? box_filter_verdict(&filter, (double)reach) : 0;
    if (sure < 0) return 0; /* also where the input is not valid */
    f32x4 sizes = f32x4_add(f32x4_add(f32x4_abs(half_a), f32x4_abs(half_b)), f32x4_all(reach));
    int signs = (int)((f32x4_mask(half_a) | f32x4_mask(half_b)) & 7);
    if (!(direct_valid(&poses, sizes) & unit & (signs == 0) & (a->radius >= 0) & (b->radius >= 0) & (margin >= 0) &
          (capacity >= 0) & (out != NULL)))
        return cm__contact_checked(a, pose_a, b, pose_b, margin, out, capacity);
    const two_mat3 m = direct_turn(poses.turn);
    const direct_point at = direct_point_of(poses.at);
    box_pair p;
    box_pair_of_turn(&m, cm__p(f64x2_low(at.xy), f64x2_high(at.xy), at.z), cm__point_of(a->u.box),
                     cm__point_of(b->u.box), &p);
    double doubt = sure ? 0 : PAIR_ORDER_ROUNDING * box_pair_size(&p);
    int found = box_pair_contact(a, b, &p, &filter, margin, doubt, out, capacity);
    if (found < 0) return cm__contact_checked(a, pose_a, b, pose_b, margin, out, capacity);
    if (found > 0 && capacity > 0) cm__manifold_to_world(out, pose_a);
    return found;
}

static int box_box_overlap_direct(const cm_shape *a, const cm_pose *pose_a, const cm_shape *b, const cm_pose *pose_b) {
    direct_poses poses = direct_poses_of(pose_a, pose_b);
    f32x4 half_a = quad_of_vec3(&a->u.box), half_b = quad_of_vec3(&b->u.box);
    cm_real reach = a->radius + b->radius;
    box_filter filter;
    box_filter_run(poses.turn, poses.at, half_a, half_b, true, &filter);
    int sure = direct_unit_closely(poses.turn_a, poses.turn_b) * box_filter_verdict(&filter, (double)reach);
    f32x4 sizes = f32x4_add(f32x4_add(f32x4_abs(half_a), f32x4_abs(half_b)), f32x4_all(reach));
    int signs = (int)((f32x4_mask(half_a) | f32x4_mask(half_b)) & 7);
    int valid = direct_valid(&poses, sizes) & (signs == 0) & (a->radius >= 0) & (b->radius >= 0);
    return sure * ((sure < 0) | valid); /* invalid input counts as apart */
}
#else
#define box_box_direct         NULL
#define box_box_overlap_direct NULL
#endif

const cm__method cm__method_box_box = {.overlap = box_box_overlap,
                                       .gap = box_box_gap,
                                       .contact = box_box_contact,
                                       .sure = box_box_sure,
                                       .contact_sure = box_box_contact_sure,
                                       .overlap_direct = box_box_overlap_direct,
                                       .contact_direct = box_box_direct};

/* --- plain structs ------------------------------------------------------------------------------------------------ */

static void box_pair_of_obbs(const cm_obb *a, const cm_obb *b, cm__box_frames *frames, box_pair *out) {
    cm__point ca = cm__point_of(a->center), cb = cm__point_of(b->center);
    frames->origin[0] = ca, frames->origin[1] = cb;
    box_pair_of_quats(&a->rotation, &b->rotation, cm__point_sub(cb, ca), cm__point_of(a->half), cm__point_of(b->half),
                      frames->axis, out);
}

/* As box_pair_of_shapes; the pair only where it is not certain whether they touch, or, if so, is `wanted`. */
static inline void obbs_filter(const cm_obb *a, const cm_obb *b, bool wanted, box_filter *filter,
                               cm__box_frames *frames, box_pair *out) {
#if !defined(CAROM_F64)
    f32x4 q = f32x4_load(&a->rotation.x), d = f32x4_sub(f32x4_load(&b->center.x), f32x4_load(&a->center.x));
    box_filter_run(quad_between(q, f32x4_load(&b->rotation.x)), filter_unrotate(q, d), f32x4_load(&a->half.x),
                   f32x4_load(&b->half.x), !wanted, filter);
    if (wanted ? filter->apart : filter->known) return;
    box_pair_of_obbs(a, b, frames, out);
#else
    box_pair_of_obbs(a, b, frames, out);
    box_pair_filter(out, filter);
    (void)wanted;
#endif
}

/* In float both at once; false for some that are valid. */
static inline bool obbs_are_plain(const cm_obb *a, const cm_obb *b) {
#if !defined(CAROM_F64)
    u32x4 wrong_a = u32x4_or(reals_wrong(&a->center.x, 1), reals_wrong(&a->center.z, 3));
    u32x4 wrong_b = u32x4_or(reals_wrong(&b->center.x, 1), reals_wrong(&b->center.z, 3));
    return reals_none_wrong(u32x4_or(wrong_a, wrong_b)) &
           direct_unit(f32x4_load(&a->rotation.x), f32x4_load(&b->rotation.x));
#else
    return obb_is_plain(a) & obb_is_plain(b);
#endif
}

static bool obbs_are_valid(const cm_obb *a, const cm_obb *b) {
    return obbs_are_plain(a, b) || (cm_obb_is_valid(a) && cm_obb_is_valid(b));
}

bool cm_overlap_obb_obb(const cm_obb *a, const cm_obb *b) {
    cm__box_frames frames;
    box_filter filter;
    box_pair p;
    if (!obbs_are_valid(a, b)) return false;
    obbs_filter(a, b, false, &filter, &frames, &p);
    return !box_pair_separated(&p, &filter);
}

bool cm_separate_obb_obb(const cm_obb *a, const cm_obb *b, cm_vec3 *axis) {
    cm__box_frames frames;
    box_pair p;
    if (!obbs_are_valid(a, b)) return false;
    box_pair_of_obbs(a, b, &frames, &p);
    cm__point normal;
    box_axis which;
    if (!(box_pair_axis(&p, DBL_MAX, &normal, &which) > 0)) return false;
    if (axis) *axis = cm__vec3_of(box_frames_rotate(&frames, normal));
    return true;
}

bool cm_contact_obb_obb(const cm_obb *a, const cm_obb *b, cm_manifold *out) {
    cm__box_frames frames;
    box_filter filter;
    box_pair p;
    if (!obbs_are_valid(a, b)) return false;
    obbs_filter(a, b, true, &filter, &frames, &p);
    int found = filter.apart ? 0 : boxes_contact(&p, &filter, &frames, 0, 0, 0, 0, out);
    cm_pose frame = {a->center, a->rotation};
    if (found == 2) cm__manifold_to_world(out, &frame);
    return found > 0;
}
