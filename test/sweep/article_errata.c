/* The errors of the classic articles, each with the numbers on which it shows: docs/theory/article-errata.md. */
#include "support/support.h"

#include <math.h>

#define EPS CM_REAL_EPSILON
/* What an answer may be off: in float the rounding of the result, in double the stated bound on rounding within. */
#define SLACK ((sizeof(cm_real) == 4 ? 16 : 2048) * (double)EPS)

static cm_sphere ball(double x, double y, double z, double r) {
    cm_sphere s = {{(cm_real)x, (cm_real)y, (cm_real)z}, (cm_real)r};
    return s;
}
static cm_aabb cube(double x, double y, double z, double half) {
    return cm_aabb_from_center(cm_v((cm_real)x, (cm_real)y, (cm_real)z),
                               cm_v((cm_real)half, (cm_real)half, (cm_real)half));
}
static cm_obb obb(double x, double y, double z, double half, cm_quat q) {
    cm_obb b = {{(cm_real)x, (cm_real)y, (cm_real)z}, {(cm_real)half, (cm_real)half, (cm_real)half}, q};
    return b;
}
static cm_quat turn_z(double degrees) {
    double a = degrees * 3.14159265358979323846 / 360;
    cm_quat q = {0, 0, (cm_real)sin(a), (cm_real)cos(a)};
    return q;
}
static cm_vec3 vec(double x, double y, double z) { return cm_v((cm_real)x, (cm_real)y, (cm_real)z); }
static bool near(cm_real x, double want) { return fabs((double)x - want) <= SLACK * fmax(1, fabs(want)); }
/* A time: never late by more than the rounding of the inputs, early by a few ulps at most. */
static bool at(cm_real u, double want) { return (double)u <= want * (1 + (double)EPS) && (double)u >= want - SLACK; }
static const cm_vec3 still = {0, 0, 0};
static const cm_plane floor_plane = {{0, 0, 1}, 0}; /* z = 0 */

/* --- Gomez: planes and spheres ------------------------------------------------------------------------------------ */

static void gomez_plane_through_a_point_has_negative_d(void **state) {
    (void)state;
    cm_plane p = cm_plane_from_point(vec(0, 0, 5), vec(0, 0, 1));
    assert_true(p.d == -5 && cm_distance_point_plane(vec(0, 0, 5), &p) == 0);
    assert_true(cm_distance_point_plane(still, &p) == -5);
    cm_plane q;
    assert_true(cm_plane_from_points(vec(0, 0, 5), vec(1, 0, 5), vec(0, 1, 5), &q));
    assert_true(q.d == -5 && q.normal.z == 1);
}

static void gomez_plane_from_collinear_points_is_refused(void **state) {
    (void)state;
    cm_plane p = {{7, 7, 7}, 7};
    assert_false(cm_plane_from_points(vec(0, 0, 0), vec(1, 1, 1), vec(3, 3, 3), &p));
    assert_false(cm_plane_from_points(vec(1, 2, 3), vec(1, 2, 3), vec(3, 3, 3), &p));
    assert_true(p.d == 7);
}

static void gomez_plane_sweep_is_two_sided(void **state) {
    (void)state;
    cm_sphere s = ball(0, 0, -5, 1);
    cm_sweep_hit h;
    assert_true(cm_sweep_sphere_plane(&s, vec(0, 0, 10), &floor_plane, &h));
    assert_true(at(h.first, 0.4) && near(h.last, 0.6) && h.normal.z == 1 && h.blocking);
}

static void gomez_plane_sweep_touching_at_the_end_counts(void **state) {
    (void)state;
    cm_sphere s = ball(0, 0, 5, 1);
    cm_sweep_hit h;
    assert_true(cm_sweep_sphere_plane(&s, vec(0, 0, -4), &floor_plane, &h));
    assert_true(at(h.first, 1) && h.last == 1);
}

static void gomez_plane_sweep_parallel_motion_never_divides(void **state) {
    (void)state;
    cm_sphere apart = ball(0, 0, 2, 1), in = ball(0, 0, 0.5, 1);
    cm_sweep_hit h;
    assert_false(cm_sweep_sphere_plane(&apart, vec(100, 0, 0), &floor_plane, &h));
    assert_true(cm_sweep_sphere_plane(&in, vec(100, 0, 0), &floor_plane, &h));
    assert_true(h.first == 0 && h.last == 1 && !h.blocking);
}

static void gomez_contact_point_is_not_the_center(void **state) {
    (void)state;
    cm_sphere s = ball(3, 4, 5, 1);
    cm_sweep_hit h;
    assert_true(cm_sweep_sphere_plane(&s, vec(0, 0, -8), &floor_plane, &h));
    assert_true(at(h.first, 0.5));
    /* the center is at z = 1 then; the point of contact is a radius below it */
    assert_true(near(h.point.x, 3) && near(h.point.y, 4) && fabs((double)h.point.z) < 2 * SLACK);
}

static void gomez_point_sweep_is_the_sphere_sweep_of_radius_zero(void **state) {
    (void)state;
    cm_sphere p = ball(0, 0, 3, 0);
    cm_sweep_hit h;
    assert_true(cm_sweep_sphere_plane(&p, vec(0, 0, -4), &floor_plane, &h));
    assert_true(at(h.first, 0.75) && near(h.last, 0.75));
}

static void gomez_sphere_sweep_ignores_roots_outside_the_step(void **state) {
    (void)state;
    cm_sphere a = ball(0, 0, 0, 1), b = ball(10, 0, 0, 1);
    cm_sweep_hit h;
    assert_false(cm_sweep_sphere_sphere(&a, still, &b, vec(-1, 0, 0), &h)); /* roots 8 and 12 */
    assert_false(cm_sweep_sphere_sphere(&a, still, &b, vec(1, 0, 0), &h));  /* roots -12 and -8 */
    assert_true(cm_sweep_sphere_sphere(&a, still, &b, vec(-10, 0, 0), &h));
    assert_true(at(h.first, 0.8) && h.last == 1);
}

static void gomez_sphere_sweep_without_relative_motion_is_no_nan(void **state) {
    (void)state;
    cm_sphere a = ball(0, 0, 0, 1), b = ball(10, 0, 0, 1), c = ball(1, 0, 0, 1);
    cm_sweep_hit h;
    assert_false(cm_sweep_sphere_sphere(&a, vec(3, -2, 5), &b, vec(3, -2, 5), &h));
    assert_true(cm_sweep_sphere_sphere(&a, vec(3, -2, 5), &c, vec(3, -2, 5), &h));
    assert_true(h.first == 0 && h.last == 1 && h.start == CM_SWEEP_OVERLAPPING);
}

static void gomez_spheres_overlapping_at_the_start_have_an_end(void **state) {
    (void)state;
    cm_sphere a = ball(0, 0, 0, 1), b = ball(1, 0, 0, 1);
    cm_sweep_hit h;
    assert_true(cm_sweep_sphere_sphere(&a, still, &b, vec(4, 0, 0), &h)); /* 1 + 4u = 2 */
    assert_true(h.first == 0 && near(h.last, 0.25) && (double)h.last >= 0.25 && !h.blocking);
}

static void gomez_sphere_sweep_does_not_cancel(void **state) {
    (void)state;
    /* from 4096 away by 8192, 1.9375 off the line, radii 1 + 1: with b = 2 p.v, b^2 - 4ac cancels to 0 or worse in
     * float */
    cm_sphere a = ball(-4096, 1.9375, 0, 1), b = ball(0, 0, 0, 1);
    cm_sweep_hit h;
    assert_true(cm_sweep_sphere_sphere(&a, vec(8192, 0, 0), &b, still, &h));
    double half = sqrt(4 - 1.9375 * 1.9375) / 8192;
    assert_true(fabs((double)h.first - (0.5 - half)) <= SLACK && (double)h.first <= 0.5 - half + 1e-16);
    assert_true(fabs((double)h.last - (0.5 + half)) <= SLACK);
}

/* --- Gomez: boxes ------------------------------------------------------------------------------------------------- */

static void gomez_box_sweep_respects_an_axis_without_motion(void **state) {
    (void)state;
    cm_aabb a = cube(0, 0, 0, 1), b = cube(10, 5, 0, 1);
    cm_sweep_hit t;
    assert_false(cm_sweep_aabb_aabb(&a, still, &b, vec(-10, 0, 0), &t)); /* y stays 3 apart */
}

static void gomez_box_sweep_respects_an_axis_that_recedes(void **state) {
    (void)state;
    cm_aabb a = cube(0, 0, 0, 1), b = cube(5, 0, 0, 1);
    cm_sweep_hit t;
    assert_false(cm_sweep_aabb_aabb(&a, still, &b, vec(5, 0, 0), &t));
}

static void gomez_box_sweep_ignores_contact_after_the_step(void **state) {
    (void)state;
    cm_aabb a = cube(0, 0, 0, 1), b = cube(10, 10, 10, 1);
    cm_sweep_hit t;
    assert_false(cm_sweep_aabb_aabb(&a, still, &b, vec(-2, -2, -2), &t)); /* u = 4 to 6 */
}

static void gomez_box_sweep_touching_then_leaving_does_not_meet_later(void **state) {
    (void)state;
    /* x touches at 0 and leaves; y closes its gap of 3 at 0.3: never both */
    cm_aabb a = cube(0, 0, 0, 1), b = cube(2, 5, 0, 1);
    cm_sweep_hit t;
    assert_false(cm_sweep_aabb_aabb(&a, still, &b, vec(1, -10, 0), &t));
}

static void gomez_boxes_overlapping_at_the_start_have_an_end(void **state) {
    (void)state;
    cm_aabb a = cube(0, 0, 0, 1), b = cube(1, 0, 0, 1);
    cm_sweep_hit t;
    assert_true(cm_sweep_aabb_aabb(&a, still, &b, vec(4, 0, 0), &t));
    assert_true(t.first == 0 && near(t.last, 0.25) && (double)t.last >= 0.25);
}

static void gomez_box_sweep_ends_within_the_step(void **state) {
    (void)state;
    /* parts at u = 10/3 on x, 3 on y and z: the step ends first */
    cm_aabb a = cube(0, 0, 0, 1), b = cube(3, 1, 1, 1);
    cm_sweep_hit t;
    assert_true(cm_sweep_aabb_aabb(&a, still, &b, vec(-1.5, -1, -1), &t));
    assert_true(at(t.first, 2.0 / 3) && t.last == 1);
}

static void gomez_sphere_against_box_is_right_to_the_last_bit(void **state) {
    (void)state;
    cm_aabb box = cube(0, 0, 0, 1);
    cm_sphere touching = ball(3, 0, 0, 2), apart = touching;
    apart.center.x = 3 * (1 + EPS); /* the listing sums in float even where its numbers are double */
    assert_true(cm_overlap_sphere_aabb(&touching, &box));
    assert_false(cm_overlap_sphere_aabb(&apart, &box));
}

static void gomez_boxes_are_disjoint_where_an_axis_separates(void **state) {
    (void)state;
    cm_quat none = cm_quat_identity();
    cm_obb a = obb(0, 0, 0, 1, none), same = a, far = obb(3, 0, 0, 1, none);
    cm_vec3 axis;
    assert_true(cm_overlap_obb_obb(&a, &same)); /* no axis separates: they overlap */
    assert_false(cm_separate_obb_obb(&a, &same, &axis));
    assert_false(cm_overlap_obb_obb(&a, &far));
    assert_true(cm_separate_obb_obb(&a, &far, &axis) && axis.x == 1);
}

static void gomez_parallel_edges_are_no_axis(void **state) {
    (void)state;
    cm_obb a = obb(0, 0, 0, 1, cm_quat_identity()), b = obb(1.9, 0, 0, 1, turn_z(36.86989764584402));
    cm_manifold m;
    assert_true(
        cm_contact_obb_obb(&a, &b, &m)); /* the z axes are parallel: their product is 0, and separates nothing */
    assert_true(near(m.normal.x, 1) && near(m.points[0].depth, 1 + 1.4 - 1.9));
    for (double e = 1e-9; e < 1e-2; e *= 10) { /* nearly parallel: its product is noise in the last bits */
        cm_quat q = {(cm_real)e, (cm_real)(e / 2), 0, 1};
        cm_obb c = obb(1.5, 0.25, 0.1, 1, cm_quat_normalize(q));
        assert_true(cm_contact_obb_obb(&a, &c, &m));
        check_that((double)m.points[0].depth > 0.4 && (double)m.points[0].depth < 0.6, "%g at %g",
                   (double)m.points[0].depth, e);
    }
}

static void gomez_axes_must_be_unit_where_depths_are_compared(void **state) {
    (void)state;
    /* z axes 30 degrees apart have a product of length 0.5: unscaled, its overlap looks half as deep as it is */
    cm_quat q = {(cm_real)sin(15 * 3.14159265358979 / 180), 0, 0, (cm_real)cos(15 * 3.14159265358979 / 180)};
    cm_obb a = obb(0, 0, 0, 1, cm_quat_identity()), b = obb(1.5, 0, 0, 1, q);
    cm_manifold m;
    assert_true(cm_contact_obb_obb(&a, &b, &m));
    assert_true(near(m.normal.x, 1) && near(m.points[0].depth, 0.5));
}

static void gomez_orientations_between_two_are_rotations(void **state) {
    (void)state;
    cm_pose start = cm_pose_identity(), end = start, half;
    end.rotation = turn_z(120);
    cm_motion m;
    cm_motion_between(&start, &end, &m);
    cm_motion_at(&m, CM_REAL(0.5), &half);
    assert_true(near(cm_length(cm_rotate(half.rotation, vec(1, 0, 0))), 1)); /* the mean of the matrices gives 0.5 */
    assert_true(near(half.rotation.z, 0.5)); /* 60 degrees, and a third of the way 40: */
    cm_motion_at(&m, CM_REAL(1) / 3, &half);
    assert_true(near(half.rotation.z, sin(20 * 3.14159265358979323846 / 180)));
}

/* --- Kenwright ---------------------------------------------------------------------------------------------------- */

static void kenwright_boxes_need_the_absolute_distance(void **state) {
    (void)state;
    cm_aabb a = cube(-100, -100, -100, 1), b = cube(0, 0, 0, 1);
    assert_false(cm_overlap_aabb_aabb(&a, &b));
    assert_false(cm_overlap_aabb_aabb(&b, &a));
}

static void kenwright_touching_is_the_same_for_all(void **state) {
    (void)state;
    cm_sphere a = ball(0, 0, 0, 1), b = ball(2, 0, 0, 1), over = ball(0, 0, 1, 1), under = ball(0, 0, -1, 1);
    cm_aabb c = cube(0, 0, 0, 1), d = cube(2, 0, 0, 1);
    assert_true(cm_overlap_sphere_sphere(&a, &b) && cm_overlap_aabb_aabb(&c, &d) && cm_overlap_sphere_aabb(&b, &c));
    assert_true(cm_overlap_sphere_plane(&over, &floor_plane) && cm_overlap_sphere_plane(&under, &floor_plane));
    assert_true(cm_overlap_sphere_halfspace(&over, &floor_plane));
}

static void kenwright_squared_distance_is_compared_to_a_square(void **state) {
    (void)state;
    /* with d the squared distance, p = r1 + r2 - d would be 2 - 2.25 < 0 for spheres that overlap by half */
    cm_sphere a = ball(0, 0, 0, 1), b = ball(1.5, 0, 0, 1);
    cm_manifold m;
    assert_true(cm_contact_sphere_sphere(&a, &b, &m));
    assert_true(near(m.points[0].depth, 0.5));
}

static void kenwright_the_normal_is_a_vector_and_the_points_lie_on_the_spheres(void **state) {
    (void)state;
    cm_sphere a = ball(0, 0, 0, 2), b = ball(2.5, 0, 0, 1);
    cm_manifold m;
    assert_true(cm_contact_sphere_sphere(&a, &b, &m));
    assert_true(m.normal.x == 1 && m.points[0].point_a.x == 2 && m.points[0].point_b.x == CM_REAL(1.5));
    assert_true(near(m.points[0].depth, 0.5));
}

static void kenwright_coincident_centers_part_somewhere(void **state) {
    (void)state;
    cm_sphere a = ball(1, 2, 3, 1), b = ball(1, 2, 3, 0.5);
    cm_manifold m;
    assert_true(cm_contact_sphere_sphere(&a, &b, &m));
    assert_true(near(cm_length(m.normal), 1) && near(m.points[0].depth, 1.5));
}

static void kenwright_small_spheres_are_no_special_case(void **state) {
    (void)state;
    cm_sphere a = ball(0, 0, 0, 0.001), b = ball(0.003, 0, 0, 0.001);
    assert_false(cm_overlap_sphere_sphere(&a, &b)); /* 3 mm apart: the assertion fires on their squared distance */
    b.center.x = CM_REAL(0.0015);
    assert_true(cm_overlap_sphere_sphere(&a, &b));
}

static void kenwright_a_plane_is_not_its_front(void **state) {
    (void)state;
    cm_sphere far = ball(0, 0, 1000, 1), behind = ball(0, 0, -1000, 1);
    cm_manifold m;
    assert_false(cm_overlap_sphere_plane(&far, &floor_plane) || cm_contact_sphere_plane(&far, &floor_plane, &m));
    assert_false(cm_overlap_sphere_halfspace(&far, &floor_plane));
    /* equation (8), N.S + d < r, is the half-space: a sphere a kilometer behind the plane meets it */
    assert_false(cm_overlap_sphere_plane(&behind, &floor_plane));
    assert_true(cm_overlap_sphere_halfspace(&behind, &floor_plane));
}

static void kenwright_the_contact_point_is_subtracted(void **state) {
    (void)state;
    cm_sphere s = ball(3, 4, 0.75, 1);
    cm_manifold m;
    assert_true(cm_contact_sphere_plane(&s, &floor_plane, &m));
    assert_true(near(m.points[0].point_b.z, 0) && near(m.points[0].point_a.z, -0.25) && near(m.points[0].depth, 0.25));
    assert_true(m.normal.z == -1 && near(m.points[0].point_a.x, 3));
}

static void kenwright_a_plane_needs_a_unit_normal(void **state) {
    (void)state;
    cm_plane twice = {{0, 0, 2}, -4}; /* z = 2; its equation gives twice the distance */
    cm_sphere s = ball(0, 0, 3.5, 1);
    assert_false(cm_plane_is_valid(&twice) || cm_overlap_sphere_plane(&s, &twice));
    assert_true(cm_plane_from_equation(0, 0, 2, -4, &twice) && cm_plane_is_valid(&twice));
    assert_true(near(cm_distance_point_plane(s.center, &twice), 1.5));
}

/* Every kind's number of pairs of these boxes. */
static void expect_pairs(const cm_aabb *boxes, uint32_t count, size_t pairs) {
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; kind++) {
        cm_broad_pairs_desc desc = {.kind = (cm_broad_kind)kind};
        cm_broad_pair_list list = {0};
        assert_int_equal(cm_broad_pairs(boxes, count, &desc, &list), CM_OK);
        check_that(list.count == pairs, "%s: %zu pairs, not %zu", cm_broad_kind_text((cm_broad_kind)kind), list.count,
                   pairs);
        cm_broad_pair_list_free(&list, NULL);
    }
}

static void kenwright_an_octree_of_objects_at_one_point_ends(void **state) {
    (void)state;
    cm_broad_desc desc = {.kind = CM_BROAD_OCTREE};
    cm_broad *tree;
    cm_broad_stats stats;
    cm_broad_pair_view pairs;
    assert_int_equal(cm_broad_create(&desc, &tree, NULL), CM_OK);
    for (int i = 0; i < 100; i++) { /* the first is so much larger that the others could be parted for long */
        cm_broad_object_desc object = {.box = cube(0.3, 0.2, 0.1, i ? 1e-12 : 1)};
        uint32_t id;
        assert_int_equal(cm_broad_add(tree, &object, &id), CM_OK);
    }
    assert_int_equal(cm_broad_find_pairs(tree, 0, &pairs), CM_OK);
    assert_int_equal(pairs.count, 4950);
    cm_broad_get_stats(tree, &stats);
    check_that(stats.depth > 20 && stats.depth <= 53, "depth %u", stats.depth); /* 40 levels, 12 doublings, the root */
    cm_broad_destroy(tree);
}

static void kenwright_a_pair_across_sections_is_told_once(void **state) {
    (void)state;
    cm_aabb boxes[202] = {cube(0, 0, 0, 3), cube(0.5, 0.5, 0.5, 3)}; /* across the middle, whatever the sections are */
    for (int i = 0; i < 200; i++) /* what makes them be divided; nothing of it touches anything */
        boxes[2 + i] = cube(i % 2 ? 10 + i : -10 - i, i % 4 < 2 ? 10 + i : -10 - i, i % 8 < 4 ? 10 + i : -10 - i, 0.25);
    expect_pairs(boxes, 202, 1);
}

static void kenwright_sort_and_sweep_keeps_what_touches(void **state) {
    (void)state;
    const cm_aabb boxes[3] = {{{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {2, 1, 1}}, {{2, 0, 0}, {3, 1, 1}}};
    expect_pairs(boxes, 2, 1);
    expect_pairs(boxes, 3, 2);
}

/* --- Toymaker ----------------------------------------------------------------------------------------------------- */

static void toymaker_the_radius_is_half_the_diagonal(void **state) {
    (void)state;
    cm_aabb box = cube(0, 0, 0, 1);
    cm_sphere s;
    cm_sphere_from_aabb(&box, &s);
    assert_true(near(s.radius, sqrt(3)));
}

static void toymaker_the_center_has_three_coordinates(void **state) {
    (void)state;
    cm_aabb box = {{0, 0, 10}, {2, 2, 12}};
    cm_sphere s;
    cm_sphere_from_aabb(&box, &s);
    assert_true(s.center.x == 1 && s.center.y == 1 && s.center.z == 11);
}

static void toymaker_two_points_may_carry_the_sphere(void **state) {
    (void)state;
    const cm_vec3 p[4] = {{1, 0, 0}, {-1, 0, 0}, {0, CM_REAL(0.1), 0}, {0, 0, CM_REAL(0.1)}};
    cm_points points = {&p[0].x, sizeof p[0], 4};
    cm_sphere s;
    assert_int_equal(cm_fit_sphere(&points, &s), 2); /* through all four: radius 7.07 */
    assert_true(near(s.radius, 1));
}

static void toymaker_a_box_may_fit_worse_than_a_sphere(void **state) {
    (void)state;
    /* a cube turned by 45 degrees about z and then x: its axis-aligned box has 4.12 times its volume, its sphere 2.72
     */
    cm_quat x = {(cm_real)sin(3.14159265358979 / 8), 0, 0, (cm_real)cos(3.14159265358979 / 8)};
    cm_obb b = obb(0, 0, 0, 1, cm_quat_mul(x, turn_z(45)));
    cm_aabb box;
    cm_bounds_obb(&b, &box);
    cm_sphere s = ball(0, 0, 0, sqrt(3));
    assert_true(cm_volume_aabb(&box) > CM_REAL(4.1) * cm_volume_obb(&b));
    assert_true(cm_volume_sphere(&s) < CM_REAL(2.73) * cm_volume_obb(&b));
}

static void toymaker_the_box_of_a_turned_box_needs_no_corners(void **state) {
    (void)state;
    rng r = rng_start("boxes of boxes", 5);
    for (int i = 0; i < 1000; i++) {
        cm_obb b = {rng_vec3(&r, 10), cm_vec3_abs(rng_vec3(&r, 3)), rng_rotation(&r)};
        cm_aabb fast, corners = cm_aabb_empty();
        cm_bounds_obb(&b, &fast);
        for (int k = 0; k < 8; k++)
            corners = cm_aabb_add_point(
                corners,
                cm_add(b.center, cm_rotate(b.rotation, cm_v(k & 1 ? b.half.x : -b.half.x, k & 2 ? b.half.y : -b.half.y,
                                                            k & 4 ? b.half.z : -b.half.z))));
        assert_true(cm_largest(cm_sub(fast.min, corners.min)) < 512 * EPS &&
                    cm_largest(cm_sub(fast.max, corners.max)) < 512 * EPS);
    }
}

/* --- MDN ---------------------------------------------------------------------------------------------------------- */

static void mdn_touching_counts(void **state) {
    (void)state;
    cm_sphere s = ball(0, 0, 0, 1), t = ball(2, 0, 0, 1);
    cm_aabb box = cube(0, 0, 0, 1);
    assert_true(cm_overlap_point_sphere(vec(1, 0, 0), &s));
    assert_true(cm_overlap_sphere_sphere(&s, &t));
    assert_true(cm_overlap_sphere_aabb(&t, &box));
}

static void mdn_squares_do_not_overflow(void **state) {
    (void)state;
    double big = sizeof(cm_real) == 4 ? 8e14 : 8e99, small = sizeof(cm_real) == 4 ? 1e-30 : 1e-170;
    cm_sphere a = ball(0, 0, 0, big / 4), b = ball(big, 0, 0, big / 4), c = ball(big / 2, 0, 0, big / 4);
    assert_false(cm_overlap_sphere_sphere(&a, &b));
    assert_true(cm_overlap_sphere_sphere(&a, &c));
    cm_sphere d = ball(0, 0, 0, small), e = ball(3 * small, 0, 0, small), f = ball(1.5 * small, 0, 0, small);
    assert_false(cm_overlap_sphere_sphere(&d, &e)); /* its square is 0, and 0 <= 0 */
    assert_true(cm_overlap_sphere_sphere(&d, &f));
}

static void mdn_a_sphere_may_meet_a_box_between_its_corners(void **state) {
    (void)state;
    cm_aabb box = cube(0, 0, 0, 1);
    cm_sphere s = ball(1.25, 0, 0, 0.5);
    for (int k = 0; k < 8; k++)
        assert_false(cm_overlap_point_sphere(vec(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1), &s));
    assert_true(cm_overlap_sphere_aabb(&s, &box)); /* testing the corners is not overkill: it misses */
}

static void mdn_a_center_inside_leaves_by_the_nearest_face(void **state) {
    (void)state;
    cm_aabb box = {{-1, -2, -3}, {1, 2, 3}};
    cm_sphere s = ball(0.5, 0.25, 0.25, 0.25);
    cm_manifold m;
    assert_true(cm_contact_sphere_aabb(&s, &box, &m)); /* clamping gives the center itself: no direction, depth r */
    assert_true(m.normal.x == -1 && near(m.points[0].depth, 0.75));
}

static void mdn_a_negative_radius_is_refused(void **state) {
    (void)state;
    cm_sphere s = ball(0, 0, 0, -2);
    assert_false(cm_overlap_point_sphere(vec(1, 0, 0), &s)); /* squared, it would be a radius of 2 */
}

static void mdn_a_turning_sphere_keeps_its_radius_not_its_place(void **state) {
    (void)state;
    cm_shape s = cm_make_sphere(vec(2, 0, 0), 1);
    cm_pose p = cm_pose_identity();
    p.rotation = turn_z(90);
    cm_aabb box;
    cm_shape_bounds(&s, &p, &box); /* about the origin: the center goes to (0, 2, 0) */
    assert_true(cm_abs(box.max.y - 3) < 512 * EPS && cm_abs(box.min.y - 1) < 512 * EPS &&
                cm_abs(box.max.x - 1) < 512 * EPS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gomez_plane_through_a_point_has_negative_d),
        cmocka_unit_test(gomez_plane_from_collinear_points_is_refused),
        cmocka_unit_test(gomez_plane_sweep_is_two_sided),
        cmocka_unit_test(gomez_plane_sweep_touching_at_the_end_counts),
        cmocka_unit_test(gomez_plane_sweep_parallel_motion_never_divides),
        cmocka_unit_test(gomez_contact_point_is_not_the_center),
        cmocka_unit_test(gomez_point_sweep_is_the_sphere_sweep_of_radius_zero),
        cmocka_unit_test(gomez_sphere_sweep_ignores_roots_outside_the_step),
        cmocka_unit_test(gomez_sphere_sweep_without_relative_motion_is_no_nan),
        cmocka_unit_test(gomez_spheres_overlapping_at_the_start_have_an_end),
        cmocka_unit_test(gomez_sphere_sweep_does_not_cancel),
        cmocka_unit_test(gomez_box_sweep_respects_an_axis_without_motion),
        cmocka_unit_test(gomez_box_sweep_respects_an_axis_that_recedes),
        cmocka_unit_test(gomez_box_sweep_ignores_contact_after_the_step),
        cmocka_unit_test(gomez_box_sweep_touching_then_leaving_does_not_meet_later),
        cmocka_unit_test(gomez_boxes_overlapping_at_the_start_have_an_end),
        cmocka_unit_test(gomez_box_sweep_ends_within_the_step),
        cmocka_unit_test(gomez_sphere_against_box_is_right_to_the_last_bit),
        cmocka_unit_test(gomez_boxes_are_disjoint_where_an_axis_separates),
        cmocka_unit_test(gomez_parallel_edges_are_no_axis),
        cmocka_unit_test(gomez_axes_must_be_unit_where_depths_are_compared),
        cmocka_unit_test(gomez_orientations_between_two_are_rotations),
        cmocka_unit_test(kenwright_boxes_need_the_absolute_distance),
        cmocka_unit_test(kenwright_touching_is_the_same_for_all),
        cmocka_unit_test(kenwright_squared_distance_is_compared_to_a_square),
        cmocka_unit_test(kenwright_the_normal_is_a_vector_and_the_points_lie_on_the_spheres),
        cmocka_unit_test(kenwright_coincident_centers_part_somewhere),
        cmocka_unit_test(kenwright_small_spheres_are_no_special_case),
        cmocka_unit_test(kenwright_a_plane_is_not_its_front),
        cmocka_unit_test(kenwright_the_contact_point_is_subtracted),
        cmocka_unit_test(kenwright_a_plane_needs_a_unit_normal),
        cmocka_unit_test(kenwright_an_octree_of_objects_at_one_point_ends),
        cmocka_unit_test(kenwright_a_pair_across_sections_is_told_once),
        cmocka_unit_test(kenwright_sort_and_sweep_keeps_what_touches),
        cmocka_unit_test(toymaker_the_radius_is_half_the_diagonal),
        cmocka_unit_test(toymaker_the_center_has_three_coordinates),
        cmocka_unit_test(toymaker_two_points_may_carry_the_sphere),
        cmocka_unit_test(toymaker_a_box_may_fit_worse_than_a_sphere),
        cmocka_unit_test(toymaker_the_box_of_a_turned_box_needs_no_corners),
        cmocka_unit_test(mdn_touching_counts),
        cmocka_unit_test(mdn_squares_do_not_overflow),
        cmocka_unit_test(mdn_a_sphere_may_meet_a_box_between_its_corners),
        cmocka_unit_test(mdn_a_center_inside_leaves_by_the_nearest_face),
        cmocka_unit_test(mdn_a_negative_radius_is_refused),
        cmocka_unit_test(mdn_a_turning_sphere_keeps_its_radius_not_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
