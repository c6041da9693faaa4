/* Contacts of two axis-aligned boxes: by hand, and by what a contact is. */
#include "support/support.h"

#include <math.h>

static void check_point(cm_vec3 p, double x, double y, double z) {
    check_that((double)p.x == x && (double)p.y == y && (double)p.z == z, "(%g %g %g) for (%g %g %g)", (double)p.x,
               (double)p.y, (double)p.z, x, y, z);
}

/* a = [0,4]x[0,4]x[0,4], b = [3,7]x[1,3]x[2,9]: out along x by 1, y by 3, z by 2. Shared across x: [1,3]x[2,4]. */
static void the_axis_of_least_overlap_and_the_shared_rectangle(void **state) {
    (void)state;
    cm_aabb a = {{0, 0, 0}, {4, 4, 4}}, b = {{3, 1, 2}, {7, 3, 9}};
    cm_manifold m;
    assert_true(cm_contact_aabb_aabb(&a, &b, &m));
    check_point(m.normal, 1, 0, 0);
    assert_int_equal(m.count, 4);
    const double corner[4][2] = {{1, 2}, {3, 2}, {3, 4}, {1, 4}};
    for (int i = 0; i < 4; i++) {
        check_point(m.points[i].point_a, 4, corner[i][0], corner[i][1]);
        check_point(m.points[i].point_b, 3, corner[i][0], corner[i][1]);
        check_that(m.points[i].depth == 1, "depth %g", (double)m.points[i].depth);
    }
    assert_true(cm_contact_aabb_aabb(&b, &a, &m)); /* swapped: the other way */
    check_point(m.normal, -1, 0, 0);
    check_point(m.points[0].point_a, 3, 1, 2);
    check_point(m.points[0].point_b, 4, 1, 2);
}

/* b within a, nearest to its upper face: 4 - 3 + ... B leaves upward by 4 - 2 = 2, all other ways are longer. */
static void a_box_within_leaves_by_the_nearest_face(void **state) {
    (void)state;
    cm_aabb a = {{-9, -9, -9}, {9, 9, 4}}, b = {{-1, -2, 2}, {1, 2, 3}};
    cm_manifold m;
    assert_true(cm_contact_aabb_aabb(&a, &b, &m));
    check_point(m.normal, 0, 0, 1);
    check_that(m.points[0].depth == 2, "depth %g", (double)m.points[0].depth);
    check_point(m.points[0].point_a, -1, -2, 4);
    check_point(m.points[2].point_b, 1, 2, 2);
}

static void touching_has_depth_0_and_as_many_points_as_are_shared(void **state) {
    (void)state;
    cm_aabb a = {{0, 0, 0}, {1, 1, 1}}, face = {{1, 0, 0}, {2, 1, 1}}, edge = {{1, 1, 0}, {2, 2, 1}};
    cm_aabb corner = {{1, 1, 1}, {2, 2, 2}}, apart = {{CM_REAL(1.0001), 0, 0}, {2, 1, 1}};
    cm_manifold m, untouched;
    assert_true(cm_contact_aabb_aabb(&a, &face, &m));
    check_that(m.count == 4 && m.points[3].depth == 0 && m.normal.x == 1, "%d points", m.count);
    assert_true(cm_contact_aabb_aabb(&a, &edge, &m));
    check_that(m.count == 2 && m.points[0].depth == 0 && m.normal.x == 1, "%d points", m.count);
    check_point(m.points[0].point_a, 1, 1, 0);
    check_point(m.points[1].point_a, 1, 1, 1);
    assert_true(cm_contact_aabb_aabb(&a, &corner, &m));
    check_that(m.count == 1 && m.points[0].depth == 0, "%d points", m.count);
    check_point(m.points[0].point_b, 1, 1, 1);
    memset(&untouched, 7, sizeof untouched);
    memset(&m, 7, sizeof m);
    assert_false(cm_contact_aabb_aabb(&a, &apart, &m));
    cm_aabb empty = cm_aabb_empty();
    assert_false(cm_contact_aabb_aabb(&a, &empty, &m));
    assert_memory_equal(&m, &untouched, sizeof m);
}

/* Moving B by normal * depth leaves them touching; and the depth is that of the same boxes as shapes. */
static void moving_by_the_depth_brings_boxes_to_touching(void **state) {
    (void)state;
    rng r = rng_start("boxes in contact", 12);
    int touched = 0;
    for (int i = 0; i < samples(20000, 1000000); i++) {
        cm_aabb a = cm_aabb_from_center(rng_vec3(&r, 1), cm_vec3_abs(rng_vec3(&r, 1)));
        cm_aabb b = cm_aabb_from_center(rng_vec3(&r, 1), cm_vec3_abs(rng_vec3(&r, 1)));
        cm_manifold m;
        bool is = cm_contact_aabb_aabb(&a, &b, &m);
        assert_int_equal(is, cm_overlap_aabb_aabb(&a, &b));
        if (!is) continue;
        touched++;
        cm_real depth = m.points[0].depth;
        cm_vec3 move = cm_scale(m.normal, depth);
        cm_aabb there = {cm_add(b.min, move), cm_add(b.max, move)}, farther = b;
        farther.min = cm_add(b.min, cm_scale(m.normal, depth + 8 * CM_REAL_EPSILON));
        farther.max = cm_add(b.max, cm_scale(m.normal, depth + 8 * CM_REAL_EPSILON));
        there = cm_aabb_grow(there, 8 * CM_REAL_EPSILON);
        check_that(cm_overlap_aabb_aabb(&a, &there) && !cm_overlap_aabb_aabb(&a, &farther), "sample %d: depth %g", i,
                   (double)depth);
        cm_obb oa, ob;
        cm_manifold turned;
        cm_obb_from_aabb(&a, &oa), cm_obb_from_aabb(&b, &ob);
        assert_true(cm_contact_obb_obb(&oa, &ob, &turned));
        double deepest = 0;
        for (int k = 0; k < turned.count; k++) deepest = fmax(deepest, (double)turned.points[k].depth);
        check_that(fabs(deepest - (double)depth) <= 16 * (double)CM_REAL_EPSILON, "sample %d: %.9g as boxes %.9g", i,
                   (double)depth, deepest);
        for (int k = 0; k < m.count; k++) {
            cm_contact_point p = m.points[k];
            double along = (double)cm_dot(cm_sub(p.point_a, p.point_b), m.normal);
            check_that(fabs(along - (double)p.depth) <= 4 * (double)CM_REAL_EPSILON, "sample %d: %g", i, along);
            check_that(cm_overlap_point_aabb(p.point_a, &a) && cm_overlap_point_aabb(p.point_b, &b),
                       "sample %d: point %d lies on no box", i, k);
        }
    }
    check_that(touched > 1000, "only %d touched", touched);
}

/* One of them alone is enough. */
static void what_is_not_valid_touches_nothing(void **state) {
    (void)state;
    const cm_aabb a = {{0, 0, 0}, {1, 1, 1}}, turned = {{0, 0, 1}, {1, 1, 0}};
    const cm_aabb vast = {{-2 * CM_COORD_MAX, 0, 0}, {1, 1, 1}};
    cm_manifold m;
    assert_true(cm_contact_aabb_aabb(&a, &a, &m));
    assert_false(cm_contact_aabb_aabb(&a, &vast, &m));
    assert_false(cm_contact_aabb_aabb(&vast, &a, &m));
    assert_false(cm_contact_aabb_aabb(&a, &turned, &m));
    assert_false(cm_contact_aabb_aabb(&turned, &a, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_axis_of_least_overlap_and_the_shared_rectangle),
        cmocka_unit_test(a_box_within_leaves_by_the_nearest_face),
        cmocka_unit_test(touching_has_depth_0_and_as_many_points_as_are_shared),
        cmocka_unit_test(moving_by_the_depth_brings_boxes_to_touching),
        cmocka_unit_test(what_is_not_valid_touches_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
