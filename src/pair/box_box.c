/* Box against box; with radii, rounded boxes: the 15 axes of box_axes.h decide and measure the depth, features the gap
 * (polytope.c), clipped faces the contact (patch.c). Boolean and distance take the same sums, in A's frame. */
#include "carom/primitives.h"
#include "pair/box_axes.h"
#include "pair/box_patch.h"
#include "pair/pair.h"

static bool box_pair_separated(const box_pair *p) {
    for (int i = 0; i < 3; i++)
        if (!(box_face_a(p, i) <= 0)) return true;
    for (int j = 0; j < 3; j++)
        if (!(box_face_b(p, j) <= 0)) return true;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double square = box_edge_square(p, i, j);
            double gap = square > BOX_PARALLEL ? box_edge_fast(p, i, j)
                         : square > 0x1p-200   ? box_edge_careful(p, i, j, 1 / sqrt(square))
                                               : 0;
            if (gap > 0) return true;
        }
    }
    return false;
}

/* --- the pair of shapes ------------------------------------------------------------------------------------------- */

static void box_lay_out(const cm__wide_pose *pose, cm__point half, cm__polytope *out) {
    cm_shape shape = cm_make_box(cm__vec3_of(half));
    cm__polytope_of(&shape, pose, out);
}

/* The gap of the cores; their layout into pa, pb. */
static void box_cores_gap(const box_pair *p, const cm__wide_pose *b_in_a, cm__polytope *pa, cm__polytope *pb,
                          cm__gap *out) {
    cm__point normal;
    box_axis axis;
    double separation = box_pair_axis(p, DBL_MAX, &normal, &axis);
    box_lay_out(NULL, cm__p(p->a[0], p->a[1], p->a[2]), pa);
    box_lay_out(b_in_a, cm__p(p->b[0], p->b[1], p->b[2]), pb);
    cm__polytopes_gap_along(pa, pb, separation, normal, out);
}

static bool boxes_overlap(const cm__wide_pose *b_in_a, cm__point half_a, cm__point half_b, double radius) {
    box_pair p;
    box_pair_set(b_in_a, half_a, half_b, &p);
    if (!box_pair_separated(&p)) return true;
    if (!(radius > 0)) return false;
    cm__polytope pa, pb;
    cm__gap gap;
    box_cores_gap(&p, b_in_a, &pa, &pb, &gap);
    return gap_within(cm__point_sub(gap.b, gap.a), radius);
}

/* The contact of overlapping cores along the axis that parts them soonest. */
static void boxes_manifold(const box_pair *p, double gap, cm__point normal, box_axis axis, double ra, double rb,
                           double margin, cm_manifold *out) {
    cm__patch patch;
    double reach = margin + ra + rb;
    if (axis.kind == 2) {
        patch.count = 1;
        cm__box_edges_cross(p, axis.i, axis.j, normal, &patch.a[0], &patch.b[0]);
        patch.gap[0] = gap;
        patch.feature_a[0] = (uint32_t)(8192 + 3 * axis.i + axis.j);
        patch.feature_b[0] = patch.feature_a[0];
        cm__manifold_of_patch(&patch, normal, ra, rb, margin, out);
        return;
    }
    cm__box_point points[8];
    bool of_b = axis.kind == 1;
    int face = of_b ? axis.j : axis.i;
    double sign;
    if (of_b) {
        /* seen from B, whose face looks back along the normal */
        box_pair flipped = cm__box_pair_flipped(p);
        sign = p->r[0][face] * normal.x + p->r[1][face] * normal.y + p->r[2][face] * normal.z > 0 ? -1 : 1;
        patch.count = cm__box_face_patch(&flipped, face, sign, reach, points);
        for (int i = 0; i < patch.count; i++) { /* points on A, in B's frame */
            cm__point q = points[i].point;
            patch.a[i] = cm__p(p->t[0] + p->r[0][0] * q.x + p->r[0][1] * q.y + p->r[0][2] * q.z,
                               p->t[1] + p->r[1][0] * q.x + p->r[1][1] * q.y + p->r[1][2] * q.z,
                               p->t[2] + p->r[2][0] * q.x + p->r[2][1] * q.y + p->r[2][2] * q.z);
            patch.b[i] = cm__point_mul_add(patch.a[i], points[i].gap, normal);
        }
    } else {
        sign = normal.x + normal.y + normal.z > 0 ? 1 : -1; /* it is one of A's axes */
        patch.count = cm__box_face_patch(p, face, sign, reach, points);
        for (int i = 0; i < patch.count; i++) {
            patch.b[i] = points[i].point;
            patch.a[i] = cm__point_mul_add(patch.b[i], -points[i].gap, normal);
        }
    }
    uint32_t id = 4096 + 2 * (uint32_t)face + (sign > 0);
    for (int i = 0; i < patch.count; i++) {
        patch.gap[i] = points[i].gap;
        patch.feature_a[i] = of_b ? points[i].feature : id;
        patch.feature_b[i] = of_b ? id : points[i].feature;
    }
    cm__manifold_of_patch(&patch, normal, ra, rb, margin, out);
}

static bool boxes_contact(const cm__wide_pose *b_in_a, cm__point half_a, cm__point half_b, double ra, double rb,
                          double margin, cm_manifold *out) {
    box_pair p;
    box_pair_set(b_in_a, half_a, half_b, &p);
    double reach = ra + rb + margin, far = reach; /* the axes' gap is rounded otherwise than the points' */
    if (reach > 0) far += gap_noise(cm__point_largest(b_in_a->position) + wide_sum(half_a) + wide_sum(half_b));
    cm__point normal;
    box_axis axis;
    double gap = box_pair_axis(&p, far, &normal, &axis);
    if (gap > far || (gap > 0 && !(reach > 0))) return false;
    if (gap <= 0) {
        if (!out) return true;
        boxes_manifold(&p, gap, normal, axis, ra, rb, margin, out);
        if (out->count > 0) return true; /* 0: rounding cut the touching corner off; the general way has it */
    }
    cm__polytope pa, pb;
    cm__gap core;
    box_cores_gap(&p, b_in_a, &pa, &pb, &core);
    if (core.distance > 0 && !gap_within(cm__point_sub(core.b, core.a), reach)) return false;
    if (!out) return true;
    cm__patch patch;
    cm__patch_of(&pa, &pb, &core, reach, &patch);
    cm__manifold_of_patch(&patch, core.normal, ra, rb, margin, out);
    return true;
}

static bool box_box_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    cm__wide_pose pose = cm__wide_pose_of(b_in_a);
    return boxes_overlap(&pose, cm__point_of(a->u.box), cm__point_of(b->u.box), (double)a->radius + (double)b->radius);
}

static void box_box_gap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm__gap *out) {
    cm__wide_pose pose = cm__wide_pose_of(b_in_a);
    box_pair p;
    cm__polytope pa, pb;
    box_pair_set(&pose, cm__point_of(a->u.box), cm__point_of(b->u.box), &p);
    box_cores_gap(&p, &pose, &pa, &pb, out);
    bool parted = out->distance > 0; /* what boxes_overlap sees without radii, though the points may coincide */
    cm__gap_add_radii(out, (double)a->radius, (double)b->radius);
    if (parted && !((double)a->radius + (double)b->radius > 0) && !(out->distance > 0)) out->distance = DBL_MIN;
}

static int box_box_contact(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, cm_real margin,
                           cm_manifold *out, int capacity) {
    cm__wide_pose pose = cm__wide_pose_of(b_in_a);
    return boxes_contact(&pose, cm__point_of(a->u.box), cm__point_of(b->u.box), (double)a->radius, (double)b->radius,
                         (double)margin, capacity > 0 ? out : NULL);
}

const cm__pair cm__pair_box_box = {.overlap = box_box_overlap, .gap = box_box_gap, .contact = box_box_contact};

/* --- plain structs ------------------------------------------------------------------------------------------------ */

static cm__wide_pose obb_in_obb(const cm_obb *a, const cm_obb *b) {
    cm__wide_mat3 ra = wide_mat3_from_quat(a->rotation), rb = wide_mat3_from_quat(b->rotation);
    cm__wide_pose pose;
    pose.turn.x = wide_mul_transposed(&ra, rb.x);
    pose.turn.y = wide_mul_transposed(&ra, rb.y);
    pose.turn.z = wide_mul_transposed(&ra, rb.z);
    pose.position = wide_mul_transposed(&ra, cm__point_sub(cm__point_of(b->center), cm__point_of(a->center)));
    return pose;
}

bool cm_overlap_obb_obb(const cm_obb *a, const cm_obb *b) {
    cm__wide_pose pose = obb_in_obb(a, b);
    return boxes_overlap(&pose, cm__point_of(a->half), cm__point_of(b->half), 0) && cm_obb_is_valid(a) &&
           cm_obb_is_valid(b);
}

bool cm_separate_obb_obb(const cm_obb *a, const cm_obb *b, cm_vec3 *axis) {
    if (!cm_obb_is_valid(a) || !cm_obb_is_valid(b)) return false;
    cm__wide_pose pose = obb_in_obb(a, b);
    box_pair p;
    box_pair_set(&pose, cm__point_of(a->half), cm__point_of(b->half), &p);
    cm__point normal;
    box_axis which;
    if (!(box_pair_axis(&p, DBL_MAX, &normal, &which) > 0)) return false;
    cm__wide_mat3 ra = wide_mat3_from_quat(a->rotation);
    if (axis) *axis = cm__vec3_of(wide_mul(&ra, normal));
    return true;
}

bool cm_contact_obb_obb(const cm_obb *a, const cm_obb *b, cm_manifold *out) {
    if (!cm_obb_is_valid(a) || !cm_obb_is_valid(b)) return false;
    cm__wide_pose pose = obb_in_obb(a, b);
    if (!boxes_contact(&pose, cm__point_of(a->half), cm__point_of(b->half), 0, 0, 0, out)) return false;
    cm_pose frame = {a->center, a->rotation};
    cm__manifold_to_world(out, &frame);
    return true;
}
