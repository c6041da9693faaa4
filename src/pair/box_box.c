/* Box against box; with radii, rounded boxes: the 15 axes of box_axes.h decide and measure the depth, features the gap
 * (polytope.c), clipped faces the contact (patch.c). Boolean and distance take the same sums, in A's frame. */
#include "carom/primitives.h"
#include "pair/box_glance.h"
#include "pair/box_patch.h"
#include "pair/pair.h"

static bool box_pair_separated(const box_pair *p, const box_glance *glance) {
    if (glance->apart | glance->meet) return glance->apart;
    cm__point normal;
    box_axis axis;
    return box_pair_depth(p, glance, &normal, &axis) > 0;
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

static cm__wide_pose box_pair_pose(const box_pair *p) {
    cm__wide_pose pose;
    pose.turn.x = cm__p(p->r[0][0], p->r[1][0], p->r[2][0]);
    pose.turn.y = cm__p(p->r[0][1], p->r[1][1], p->r[2][1]);
    pose.turn.z = cm__p(p->r[0][2], p->r[1][2], p->r[2][2]);
    pose.position = cm__p(p->t[0], p->t[1], p->t[2]);
    return pose;
}

/* Boxes whose cores are apart. */
static CM__RARE bool boxes_overlap_round(const box_pair *p, double radius) {
    if (!(radius > 0)) return false;
    cm__polytope pa, pb;
    cm__gap gap;
    cm__wide_pose pose = box_pair_pose(p);
    box_cores_gap(p, &pose, &pa, &pb, &gap);
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

/* Boxes that their axes part, but not by more than `reach` > 0; or whose contact rounding has cut away. */
static CM__RARE bool boxes_contact_near(const box_pair *p, double reach, double ra, double rb, double margin,
                                        cm_manifold *out) {
    cm__polytope pa, pb;
    cm__gap core;
    cm__wide_pose pose = box_pair_pose(p);
    box_cores_gap(p, &pose, &pa, &pb, &core);
    if (core.distance > 0 && !gap_within(cm__point_sub(core.b, core.a), reach)) return false;
    if (!out) return true;
    cm__patch patch;
    cm__patch_of(&pa, &pb, &core, reach, &patch);
    cm__manifold_of_patch(&patch, core.normal, ra, rb, margin, out);
    return true;
}

static bool boxes_contact(const box_pair *p, const box_glance *glance, double ra, double rb, double margin,
                          cm_manifold *out) {
    double reach = ra + rb + margin, gap = 1;
    cm__point normal;
    box_axis axis;
    if (!glance->apart) gap = box_pair_depth(p, glance, &normal, &axis);
    if (gap > 0) {
        if (!(reach > 0)) return false;
        /* the axes' gap is rounded otherwise than the points' */
        double size = wide_max(wide_max(fabs(p->t[0]), fabs(p->t[1])), fabs(p->t[2])) + p->a[0] + p->a[1] + p->a[2] +
                      (p->b[0] + p->b[1] + p->b[2]);
        double far = reach + gap_noise(size);
        if (box_pair_axis(p, far, &normal, &axis) > far) return false;
    } else {
        if (!out) return true;
        boxes_manifold(p, gap, normal, axis, ra, rb, margin, out);
        if (out->count > 0) return true; /* 0: rounding cut the touching corner off; the general way has it */
    }
    return boxes_contact_near(p, reach, ra, rb, margin, out);
}

/* What a glance tells of two boxes, and, unless they are apart and nothing else is asked, their axes. */
static void box_pair_of_shapes(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a, bool touching,
                               box_glance *glance, box_pair *out) {
#if defined(BOX_GLANCES)
    cm_vec3 t = b_in_a->position, ha = a->u.box, hb = b->u.box;
    box_glance_at(_mm_loadu_ps(&b_in_a->rotation.x), _mm_set_ps(0, t.z, t.y, t.x), _mm_set_ps(0, ha.z, ha.y, ha.x),
                  _mm_set_ps(0, hb.z, hb.y, hb.x), glance);
    if (touching && glance->apart) return;
#endif
    cm__wide_pose pose = cm__wide_pose_of(b_in_a);
    box_pair_set(&pose, cm__point_of(a->u.box), cm__point_of(b->u.box), out);
#if !defined(BOX_GLANCES)
    box_glance_of(out, glance);
#endif
    (void)touching;
}

static bool box_box_overlap(const cm_shape *a, const cm_shape *b, const cm_pose *b_in_a) {
    double radius = (double)a->radius + (double)b->radius;
    box_glance glance;
    box_pair p;
    box_pair_of_shapes(a, b, b_in_a, !(radius > 0), &glance, &p);
    return !box_pair_separated(&p, &glance) || boxes_overlap_round(&p, radius);
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
    box_glance glance;
    box_pair p;
    bool touching = !(a->radius + b->radius + margin > 0);
    box_pair_of_shapes(a, b, b_in_a, touching, &glance, &p);
    if (touching && glance.apart) return 0;
    return boxes_contact(&p, &glance, (double)a->radius, (double)b->radius, (double)margin, capacity > 0 ? out : NULL);
}

const cm__pair cm__pair_box_box = {.overlap = box_box_overlap, .gap = box_box_gap, .contact = box_box_contact};

/* --- plain structs ------------------------------------------------------------------------------------------------ */

static cm__wide_mat3 box_pair_of_obbs(const cm_obb *a, const cm_obb *b, box_pair *out) {
    cm__wide_mat3 axes;
    cm__point between = cm__point_sub(cm__point_of(b->center), cm__point_of(a->center));
    box_pair_of_quats(&a->rotation, &b->rotation, between, cm__point_of(a->half), cm__point_of(b->half), &axes, out);
    return axes;
}

/* As box_pair_of_shapes; the pair only where it is not certain whether they touch, or, if so, is `wanted`. */
static inline void obbs_glance(const cm_obb *a, const cm_obb *b, bool wanted, box_glance *glance, box_pair *out) {
#if defined(BOX_GLANCES)
    __m128 q = _mm_loadu_ps(&a->rotation.x), d = _mm_sub_ps(_mm_loadu_ps(&b->center.x), _mm_loadu_ps(&a->center.x));
    box_glance_at(glance_between(q, _mm_loadu_ps(&b->rotation.x)), glance_unturn(q, d), _mm_loadu_ps(&a->half.x),
                  _mm_loadu_ps(&b->half.x), glance);
    if (glance->apart || (glance->meet && !wanted)) return;
    box_pair_of_obbs(a, b, out);
#else
    box_pair_of_obbs(a, b, out);
    box_glance_of(out, glance);
    (void)wanted;
#endif
}

static bool obbs_are_valid(const cm_obb *a, const cm_obb *b) {
    return (obb_is_plain(a) & obb_is_plain(b)) || (cm_obb_is_valid(a) && cm_obb_is_valid(b));
}

bool cm_overlap_obb_obb(const cm_obb *a, const cm_obb *b) {
    box_glance glance;
    box_pair p;
    if (!obbs_are_valid(a, b)) return false;
    obbs_glance(a, b, false, &glance, &p);
    return !box_pair_separated(&p, &glance);
}

bool cm_separate_obb_obb(const cm_obb *a, const cm_obb *b, cm_vec3 *axis) {
    if (!obbs_are_valid(a, b)) return false;
    box_pair p;
    cm__wide_mat3 axes = box_pair_of_obbs(a, b, &p);
    cm__point normal;
    box_axis which;
    if (!(box_pair_axis(&p, DBL_MAX, &normal, &which) > 0)) return false;
    if (axis) *axis = cm__vec3_of(wide_mul(&axes, normal));
    return true;
}

bool cm_contact_obb_obb(const cm_obb *a, const cm_obb *b, cm_manifold *out) {
    if (!obbs_are_valid(a, b)) return false;
    box_glance glance;
    box_pair p;
    obbs_glance(a, b, true, &glance, &p);
    if (glance.apart || !boxes_contact(&p, &glance, 0, 0, 0, out)) return false;
    cm_pose frame = {a->center, a->rotation};
    cm__manifold_to_world(out, &frame);
    return true;
}
