/* Tips and edges on the seams of a floor that is a compound of flush children: the contact is that with one box of the
 * same size, upwards and as deep; each child's own way out is into the next. */
#include "support/clouds.h"
#include "support/meshes.h"

#include <math.h>
#include <string.h>

enum { BODY_PYRAMID, BODY_WEDGE, BODY_CONE, BODY_TIP, BODIES, FOUND = 32 };
static const char *const body_names[BODIES] = {"pyramid", "wedge", "cone", "random hull"};

/* A body whose lowest point is at the origin, pointed so that it is less wide than deep there; *hull: to be freed. */
static cm_shape body_of(int kind, rng *r, cm_hull **hull, cm_pose *up) {
    const cm_real w = CM_REAL(rng_range(r, 0.1, 0.4));
    cm_vec3 p[12];
    uint32_t count = 1;
    *up = cm_pose_identity();
    *hull = NULL;
    p[0] = cm_v(0, 0, 0);
    if (kind == BODY_CONE) {
        cm_quat_from_axis_angle(cm_v(1, 0, 0), CM_REAL(3.14159265358979324), &up->rotation);
        up->position.z = CM_REAL(0.5);
        return cm_make_cone(w, CM_REAL(0.5));
    }
    if (kind == BODY_WEDGE) p[0].x = CM_REAL(-0.4), p[count++] = cm_v(CM_REAL(0.4), 0, 0);
    const uint32_t top = kind == BODY_TIP ? 8 : 4;
    for (uint32_t i = 0; i < top; i++) {
        const cm_real x = i & 1 ? w : -w, y = i & 2 ? w : -w;
        p[count++] = kind == BODY_TIP ? cm_v(CM_REAL(rng_range(r, -0.4, 0.4)), CM_REAL(rng_range(r, -0.4, 0.4)), 1)
                                      : cm_v(x, y, 1);
    }
    *hull = hull_of(p, count);
    return cm_make_hull(*hull);
}

/* A floor of 2 x 2 x 1 of four children, boxes or hulls, at unequal parts of it. */
static cm_compound *floor_of(rng *r, bool hulls, cm_hull *hull[4]) {
    const cm_real x = CM_REAL(0.25) * (cm_real)((int)rng_below(r, 5) - 2), y = CM_REAL(0.25) * (cm_real)rng_below(r, 3);
    cm_compound_child child[4];
    memset(child, 0, sizeof child);
    for (int i = 0; i < 4; i++) {
        const cm_vec3 lo = cm_v(i & 1 ? x : -1, i & 2 ? y : -1, CM_REAL(-0.5)),
                      hi = cm_v(i & 1 ? 1 : x, i & 2 ? 1 : y, CM_REAL(0.5));
        cm_vec3 corner[8];
        for (int k = 0; k < 8; k++) corner[k] = cm_v(k & 1 ? hi.x : lo.x, k & 2 ? hi.y : lo.y, k & 4 ? hi.z : lo.z);
        hull[i] = hulls ? hull_of(corner, 8) : NULL;
        child[i].pose = cm_pose_identity();
        if (!hulls) child[i].pose.position = cm_scale(cm_add(lo, hi), CM_REAL(0.5));
        child[i].shape = hulls ? cm_make_hull(hull[i]) : cm_make_box(cm_scale(cm_sub(hi, lo), CM_REAL(0.5)));
    }
    const cm_compound_desc desc = {.children = child, .count = 4};
    cm_compound *compound;
    assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
    return compound;
}

static void a_tip_on_a_seam_is_held_as_by_one_box(void **state) {
    (void)state;
    rng r = rng_start("tips on seams", 331);
    for (int i = 0, count = samples(2000, 200000); i < count; i++) {
        cm_hull *hull, *children[4];
        cm_pose up, pose = cm_pose_identity();
        const cm_shape body = body_of(i % BODIES, &r, &hull, &up);
        cm_compound *compound = floor_of(&r, i / BODIES % 2 == 0, children);
        const cm_shape floor = cm_make_compound(compound);
        const cm_pose home = i % 3 ? cm_pose_identity() : rng_pose(&r, 2);
        const double depth = rng_log_range(&r, 1e-4, 0.05);
        const cm_real beside[] = {0, 0, CM_REAL(1e-3), CM_REAL(-1e-5)};
        cm_quat_from_axis_angle(cm_v(0, 0, 1), rng_below(&r, 2) ? 0 : CM_REAL(rng_range(&r, 0, 6)), &pose.rotation);
        /* a corner of the first child's top is where all four meet */
        const cm_compound_child *first = cm_compound_children(compound);
        cm_aabb box;
        cm_shape_bounds(&first->shape, &first->pose, &box);
        pose.position =
            cm_v(box.max.x + beside[rng_below(&r, 4)],
                 rng_below(&r, 2) ? box.max.y + beside[rng_below(&r, 4)] : CM_REAL(-0.375), CM_REAL(0.5 - depth));
        pose = cm_pose_mul(&home, &pose);
        pose = cm_pose_mul(&pose, &up);
        cm_manifold m[FOUND];
        const int found = cm_contact(&body, &pose, &floor, &home, 0, m, FOUND);
        check_that(found > 0, "%d: no contact", i);
        double deepest = 0, least = 1;
        for (int k = 0; k < found && k < FOUND; k++) {
            least = fmin(least, -(double)cm_unrotate(home.rotation, m[k].normal).z);
            for (int c = 0; c < m[k].count; c++) deepest = fmax(deepest, (double)m[k].points[c].depth);
        }
        check_that(least > 0.999 && fabs(deepest - depth) < 1e-5, "%d, a %s: %.3g deep, %.3g told, a normal with %.3f",
                   i, body_names[i % BODIES], depth, deepest, least);
        cm_compound_destroy(compound, NULL);
        cm_hull_destroy(hull, NULL);
        for (int k = 0; k < 4; k++) cm_hull_destroy(children[k], NULL);
    }
}

/* What is round lies on the floor beside a seam, and reaches a little over the next child: that one, too, holds it
 * upwards, or not at all, be the children boxes, meshes or height fields. */
static void what_is_round_beside_a_seam_is_held_upwards(void **state) {
    (void)state;
    enum { FLOOR_BOXES, FLOOR_SOLIDS, FLOOR_SHEETS, FLOOR_FIELDS, FLOORS };
    static const char *const floor_names[FLOORS] = {"boxes", "solid meshes", "sheets", "height fields"};
    static const cm_real heights[4];
    const cm_height_field_desc flat = {
        .heights = heights, .columns = 2, .rows = 2, .column_spacing = 1, .row_spacing = 1};
    rng r = rng_start("round beside seams", 332);
    cm_mesh *mesh[2] = {mesh_box(cm_v(0, 0, -1), cm_v(1, 1, 0), true), mesh_box(cm_v(0, 0, -1), cm_v(1, 1, 0), false)};
    cm_height_field *field;
    assert_int_equal(cm_height_field_build(&flat, NULL, &field, NULL), CM_OK);
    for (int kind = 0; kind < FLOORS; kind++) {
        cm_compound_child child[4];
        cm_compound *compound;
        memset(child, 0, sizeof child);
        for (int i = 0; i < 4; i++) {
            const cm_real x = (cm_real)(i % 2) - 1, y = (cm_real)(i / 2) - 1, half = CM_REAL(0.5);
            child[i].pose.position = kind == FLOOR_BOXES ? cm_v(x + half, y + half, -half) : cm_v(x, y, 0);
            child[i].shape = kind == FLOOR_BOXES    ? cm_make_box(cm_v(half, half, half))
                             : kind == FLOOR_FIELDS ? cm_make_height_field(field)
                                                    : cm_make_mesh(mesh[kind == FLOOR_SHEETS]);
        }
        const cm_compound_desc desc = {.children = child, .count = 4};
        assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
        const cm_shape floor = cm_make_compound(compound);
        for (int i = 0, count = samples(1000, 50000); i < count; i++) {
            const cm_real radius = CM_REAL(rng_range(&r, 0.1, 0.5)), y = CM_REAL(rng_range(&r, 0.1, 0.4));
            const double depth = rng_log_range(&r, 1e-4, 1e-2) * (double)radius,
                         over = sqrt(2 * (double)radius * depth);
            const cm_pose at = cm_pose_at(cm_v(CM_REAL(rng_range(&r, -1, 1) * over), y, radius - CM_REAL(depth)));
            const cm_shape body = i % 2 ? cm_make_sphere(cm_v(0, 0, 0), radius)
                                        : cm_make_capsule(cm_v(0, -y / 2, 0), cm_v(0, 2 * y, 0), radius);
            const cm_pose home = cm_pose_identity();
            cm_manifold m[FOUND];
            const int found = cm_contact(&body, &at, &floor, &home, 0, m, FOUND);
            check_that(found > 0 && found <= FOUND, "%s: %d contacts", floor_names[kind], found);
            for (int k = 0; k < found; k++)
                check_that((double)m[k].normal.z < -1 + 1e-6, "%d over %s, %g deep, %g beside: along %g %g %g", i,
                           floor_names[kind], depth, (double)at.position.x, (double)m[k].normal.x,
                           (double)m[k].normal.y, (double)m[k].normal.z);
        }
        cm_compound_destroy(compound, NULL);
    }
    cm_height_field_destroy(field, NULL);
    cm_mesh_destroy(mesh[0], NULL), cm_mesh_destroy(mesh[1], NULL);
}

/* An edge of a box in an inner corner of a cross of two bars, where it touches an edge of each: by every contact the
 * box is moved out of the child that has it, and by no more than what is in the corner is deep. */
static void an_edge_in_an_inner_corner_leaves_both_bars(void **state) {
    (void)state;
    const cm_real tenth = CM_REAL(0.1), third = CM_REAL(0.3);
    const cm_compound_child bars[2] = {{.shape = cm_make_box(cm_v(third, tenth, tenth)), .pose = cm_pose_identity()},
                                       {.shape = cm_make_box(cm_v(tenth, third, tenth)), .pose = cm_pose_identity()}};
    const cm_compound_desc desc = {.children = bars, .count = 2};
    const cm_shape box = bars[0].shape;
    rng r = rng_start("edges in inner corners", 333);
    cm_compound *compound;
    int met = 0;
    assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
    const cm_shape cross = cm_make_compound(compound);
    const int count = samples(4000, 400000);
    for (int i = 0; i < count; i++) {
        const double depth = rng_log_range(&r, 1e-5, 5e-3);
        const cm_real in = tenth - CM_REAL(depth);
        cm_pose pose = rng_pose(&r, 0);
        const cm_vec3 on = cm_v(CM_REAL(rng_range(&r, -0.2, 0.2)), tenth, tenth);
        pose.position = cm_sub(cm_v(in, in, in), cm_rotate(pose.rotation, on));
        double deepest = 0;
        for (int k = 0; k < 2; k++)
            deepest = fmax(deepest, -(double)cm_distance(&box, &pose, &bars[k].shape, &bars[k].pose, 1, NULL));
        if (!(deepest < 2 * depth)) continue; /* it is in the corner by more than the edge */
        cm_manifold m[FOUND];
        const int found = cm_contact(&box, &pose, &cross, &bars[0].pose, 0, m, FOUND);
        met += found > 1;
        for (int k = 0; k < found && k < FOUND; k++) {
            double told = 0;
            for (int c = 0; c < m[k].count; c++) told = fmax(told, (double)m[k].points[c].depth);
            cm_pose out = pose;
            out.position = cm_mul_add(pose.position, -CM_REAL(told + 1e-5), m[k].normal);
            check_that(told < deepest + 1e-5 && m[k].part_b < 2 &&
                           !cm_overlap(&box, &out, &bars[m[k].part_b].shape, &bars[m[k].part_b].pose),
                       "%d, %g deep: told %g along %g %g %g, which does not leave bar %u", i, deepest, told,
                       (double)m[k].normal.x, (double)m[k].normal.y, (double)m[k].normal.z, (unsigned)m[k].part_b);
        }
    }
    check_that(met > count / 200, "only %d of %d on two bars", met, count);
    cm_compound_destroy(compound, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_tip_on_a_seam_is_held_as_by_one_box),
                                       cmocka_unit_test(what_is_round_beside_a_seam_is_held_upwards),
                                       cmocka_unit_test(an_edge_in_an_inner_corner_leaves_both_bars)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
