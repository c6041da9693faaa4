/* Balls and triangles: a contact is found where the distance says so and nowhere else, also where the fast refusal of
 * far pairs is close to its bound. */
#include "support/support.h"

#include <math.h>
#include <string.h>

/* Of any shape and size, also thin and small against where it is. */
static cm_triangle some_triangle(rng *r, double size) {
    cm_triangle t = {rng_vec3(r, size), rng_vec3(r, size), rng_vec3(r, size)};
    if (rng_below(r, 4) == 0) t.c = cm_mul_add(t.c, (cm_real)(1 - rng_log_range(r, 1e-6, 1)), cm_sub(t.a, t.c));
    if (rng_below(r, 8) == 0) t.c = cm_mul_add(t.a, (cm_real)rng_range(r, -1, 2), cm_sub(t.b, t.a));
    if (rng_below(r, 4) == 0) {
        cm_vec3 away = rng_vec3(r, size * rng_log_range(r, 1, 1e4));
        t.a = cm_add(t.a, away), t.b = cm_add(t.b, away), t.c = cm_add(t.c, away);
    }
    return t;
}

static void contacts_are_found_where_the_distance_says_so(void **state) {
    (void)state;
    rng r = rng_start("balls and triangles", 223);
    long found = 0, all = 0;
    for (int i = 0; i < samples(100000, 5000000); i++) {
        double size = rng_log_range(&r, rng_below(&r, 4) ? 1e-4 : 1e-18, 1e6);
        cm_triangle t = some_triangle(&r, size);
        cm_shape triangle = cm_make_triangle(t.a, t.b, t.c);
        cm_pose pose_t = rng_pose(&r, size), pose_b = rng_pose(&r, size);
        if (rng_below(&r, 3) == 0) pose_t.rotation.w *= CM_REAL(1.0004); /* as far from length 1 as is valid */
        cm_vec3 at = cm_mul_add(t.a, (cm_real)rng_range(&r, 0, 1), cm_sub(t.b, t.a));
        at = cm_mul_add(at, (cm_real)rng_range(&r, 0, 1), cm_sub(t.c, at));
        at = cm_pose_apply(&pose_t, cm_add(at, rng_vec3(&r, rng_log_range(&r, 1e-4, 2) * size)));
        cm_shape ball = cm_make_sphere(cm_pose_unapply(&pose_b, at), 0);
        double apart = (double)cm_distance(&ball, &pose_b, &triangle, &pose_t, CM_REAL_MAX, NULL);
        /* radius and margin so that they touch, or not, by a little or much */
        double reach = apart * (rng_below(&r, 2) ? rng_range(&r, 0, 2)
                                                 : 1 + rng_log_range(&r, 1e-9, 1e-2) * (rng_below(&r, 2) ? 1 : -1));
        double share = rng_below(&r, 2) ? 1 : rng_range(&r, 0, 1);
        ball.radius = (cm_real)(reach * share);
        cm_real margin = share < 1 ? (cm_real)(reach * (1 - share)) : 0;
        cm_manifold m;
        double distance = (double)cm_distance(&ball, &pose_b, &triangle, &pose_t, CM_REAL_MAX, NULL);
        bool contact = cm_contact(&ball, &pose_b, &triangle, &pose_t, margin, &m, 1) > 0;
        double blur = margin > 0 ? 1e-15 * size + 4 * (double)CM_REAL_EPSILON * (double)margin : 0;
        if (fabs(distance - (double)margin) > blur)
            check_that(contact == (distance <= (double)margin), "number %d: %d at %.9g, margin %.9g, size %g", i,
                       contact, distance, (double)margin, size);
        if (!(margin > 0)) assert_int_equal(contact, cm_overlap(&ball, &pose_b, &triangle, &pose_t));
        if (contact)
            check_that(fabs((double)m.points[0].depth + distance) <= 4e-6 * (fabs(distance) + size),
                       "number %d: depth %g, distance %g", i, (double)m.points[0].depth, distance);
        found += contact, all++;
    }
    print_message("  %ld of %ld touch\n", found, all);
    assert_in_range(found, all / 4, all - all / 4);
}

/* The plain structs look at a pair in float first; what they decide must be what is decided with care. */
static void plain_structs_say_the_same_as_shapes(void **state) {
    (void)state;
    rng r = rng_start("plain balls and triangles", 224);
    long found = 0, all = 0;
    cm_pose home = cm_pose_identity();
    for (int i = 0; i < samples(100000, 5000000); i++) {
        double size = rng_log_range(&r, rng_below(&r, 4) ? 1e-4 : 1e-18, 1e6);
        cm_triangle t = some_triangle(&r, size);
        cm_vec3 at = cm_mul_add(t.a, (cm_real)rng_range(&r, 0, 1), cm_sub(t.b, t.a));
        at = cm_mul_add(at, (cm_real)rng_range(&r, 0, 1), cm_sub(t.c, at));
        at = cm_add(at, rng_vec3(&r, rng_log_range(&r, 1e-4, 2) * size));
        cm_shape triangle = cm_make_triangle(t.a, t.b, t.c), ball = cm_make_sphere(at, 0);
        double apart = (double)cm_distance(&ball, &home, &triangle, &home, CM_REAL_MAX, NULL);
        double reach = apart * (rng_below(&r, 2) ? rng_range(&r, 0, 2)
                                                 : 1 + rng_log_range(&r, 1e-9, 1e-2) * (rng_below(&r, 2) ? 1 : -1));
        ball.radius = (cm_real)reach;
        cm_sphere sphere = {at, ball.radius};
        cm_manifold m, plain, before;
        memset(&plain, 0x5a, sizeof plain);
        before = plain;
        bool touch = cm_overlap(&ball, &home, &triangle, &home);
        check_that(cm_overlap_sphere_triangle(&sphere, &t) == touch, "number %d: overlap %d, size %g", i, !touch, size);
        check_that(cm_contact_sphere_triangle(&sphere, &t, &plain) == touch, "number %d: contact %d", i, !touch);
        if (!touch) assert_memory_equal(&plain, &before, sizeof plain);
        if (touch && cm_contact(&ball, &home, &triangle, &home, 0, &m, 1) == 1) {
            assert_int_equal(plain.count, 1);
            check_that(fabs((double)plain.points[0].depth - (double)m.points[0].depth) <= 4e-6 * (reach + size),
                       "number %d: depth %g and %g", i, (double)plain.points[0].depth, (double)m.points[0].depth);
            check_that((double)cm_length(cm_sub(plain.normal, m.normal)) <= 1e-5, "number %d: the normal", i);
        }
        found += touch, all++;
    }
    print_message("  %ld of %ld touch\n", found, all);
    assert_in_range(found, all / 4, all - all / 4);
}

static void bad_balls_and_triangles_touch_nothing(void **state) {
    (void)state;
    const cm_sphere ball = {{0, 0, 0}, 1};
    const cm_triangle triangle = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    cm_manifold m;
    assert_true(cm_contact_sphere_triangle(&ball, &triangle, &m) && cm_overlap_sphere_triangle(&ball, &triangle));
    assert_true(m.points[0].depth == 1 && fabs((double)m.normal.z) == 1); /* the center is on the face */
    const cm_real bad[] = {(cm_real)NAN, (cm_real)INFINITY, CM_COORD_MAX * 2};
    for (int k = 0; k < 13 * 3; k++) {
        cm_sphere a = ball;
        cm_triangle b = triangle;
        cm_real *numbers[13] = {&a.center.x, &a.center.y, &a.center.z, &a.radius, &b.a.x, &b.a.y, &b.a.z,
                                &b.b.x,      &b.b.y,      &b.b.z,      &b.c.x,    &b.c.y, &b.c.z};
        *numbers[k / 3] = bad[k % 3];
        check_that(!cm_contact_sphere_triangle(&a, &b, &m), "number %d of 13, bad %d: contact", k / 3, k % 3);
        check_that(!cm_overlap_sphere_triangle(&a, &b), "number %d of 13, bad %d: overlap", k / 3, k % 3);
    }
    cm_sphere negative = {{0, 0, 0}, -1};
    assert_false(cm_contact_sphere_triangle(&negative, &triangle, &m));
    assert_false(cm_overlap_sphere_triangle(&negative, &triangle));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_are_found_where_the_distance_says_so),
                                       cmocka_unit_test(plain_structs_say_the_same_as_shapes),
                                       cmocka_unit_test(bad_balls_and_triangles_touch_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
