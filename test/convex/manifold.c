/* Contact points of convex cores: as many as the sides that face each other have, each apart along the one normal by
 * what it says, with numbers that stay. */
#include "support/cores.h"
#include "support/solid.h"

#include "convex/manifold.h"

#include <math.h>

typedef struct touch {
    cm__core a, b;
    cm__frame frame;
    cm__convex_pair pair;
    cm__convex_gap gap;
    cm__convex_manifold m;
} touch;

static void touch_at(touch *t, cm_vec3 at, cm_quat turn, double margin) {
    cm_pose pose = {at, turn};
    t->frame = frame_of_pose(&pose);
    cm__convex_pair_of(&t->a, &t->b, &t->frame, &t->pair);
    cm__convex_gap_of(&t->pair, DBL_MAX, NULL, &t->gap);
    cm__convex_manifold_of(&t->pair, &t->gap, margin, &t->m);
}

static cm_quat about(double x, double y, double z, double angle) {
    double s = sin(angle / 2);
    cm_quat q;
    q.x = CM_REAL(x * s), q.y = CM_REAL(y * s), q.z = CM_REAL(z * s), q.w = CM_REAL(cos(angle / 2));
    return q;
}

/* What is on a box of half 2, its top at z = 2: `count` points, all at the height of the top, this deep. */
static void check_on_box(touch *t, cm_vec3 at, cm_quat turn, int low, int high, double depth) {
    cm__core_box(cm__p(2, 2, 2), &t->a);
    touch_at(t, at, turn, 0);
    check_that(t->m.count >= low && t->m.count <= high, "%d points, not %d to %d", t->m.count, low, high);
    check_that(t->m.normal.z > 1 - 1e-9, "normal %g %g %g", t->m.normal.x, t->m.normal.y, t->m.normal.z);
    for (int i = 0; i < t->m.count; i++) {
        check_that(fabs(t->m.contact[i].gap + depth) < 1e-6, "gap %g, not %g", t->m.contact[i].gap, -depth);
        check_that(fabs(t->m.contact[i].a.z - 2) < 1e-6, "on the box at z = %g", t->m.contact[i].a.z);
    }
}

/* Depth 0.125 each: the lowest point of what stands there is at z = 2 - 0.125. */
static void what_stands_on_a_box_has_the_points_of_its_foot(void **state) {
    (void)state;
    touch t;
    cm_quat none = cm_quat_identity(), lie = about(1, 0, 0, 1.5707963267948966);
    cm__core_point(cm__p(0, 0, 0), &t.b);
    t.b.radius = 1;
    check_on_box(&t, cm_v(0, 0, CM_REAL(2.875)), none, 1, 1, 0.125); /* sphere */
    cm__core_segment(cm__p(-1, 0, 0), cm__p(1, 0, 0), &t.b);
    t.b.radius = 1;
    check_on_box(&t, cm_v(0, 0, CM_REAL(2.875)), none, 2, 2, 0.125); /* capsule, lying */
    cm__core_box(cm__p(1, 1, 1), &t.b);
    check_on_box(&t, cm_v(0, 0, CM_REAL(2.875)), none, 4, 4, 0.125);
    check_on_box(&t, cm_v(2, 2, CM_REAL(2.875)), none, 4, 4, 0.125); /* a quarter of it on the corner */
    check_on_box(&t, cm_v(0, 0, CM_REAL(2.875)), about(0, 0, 1, 0.78539816339744831), 4, 4, 0.125);
    cm__core_box(cm__p(3, 3, 1), &t.b); /* larger, turned by 45 degrees: the top's corners */
    check_on_box(&t, cm_v(0, 0, CM_REAL(2.875)), about(0, 0, 1, 0.78539816339744831), 4, 4, 0.125);
    cm__core_box(cm__p(2, 2, 1), &t.b); /* as large: an octagon */
    check_on_box(&t, cm_v(0, 0, CM_REAL(2.875)), about(0, 0, 1, 0.78539816339744831), 8, 8, 0.125);
    cm__core_triangle(cm__p(-1, -1, 0), cm__p(1, -1, 0), cm__p(0, 1, 0), &t.b);
    check_on_box(&t, cm_v(0, 0, CM_REAL(1.875)), none, 3, 3, 0.125);
    cm__core_cylinder(1, 1, &t.b);
    check_on_box(&t, cm_v(0, 0, CM_REAL(2.875)), none, 3, 8, 0.125); /* on its cap */
    check_on_box(&t, cm_v(0, 0, CM_REAL(2.875)), lie, 2, 2, 0.125);  /* on its side */
    cm__core_cone(1, 1, &t.b);
    check_on_box(&t, cm_v(0, 0, CM_REAL(2.875)), none, 3, 8, 0.125);
    cm__core_ellipsoid(cm__p(2, 1, 1), &t.b);
    check_on_box(&t, cm_v(0, 0, CM_REAL(2.875)), none, 1, 1, 0.125);
    const cm_vec3 wedge[6] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {-1, 0, 1}, {1, 0, 1}};
    core_of_points(wedge, 6, &t.b);
    check_on_box(&t, cm_v(0, 0, CM_REAL(1.875)), none, 4, 4, 0.125);
    check_on_box(&t, cm_v(0, 0, CM_REAL(2.875)), about(1, 0, 0, 3.1415926535897932), 2, 2, 0.125); /* on its edge */
}

/* Two cylinders side by side share a line: two points. Crossed ones share one. */
static void lines_side_by_side_have_two_points(void **state) {
    (void)state;
    touch t;
    cm__core_cylinder(1, 2, &t.a);
    cm__core_cylinder(1, 2, &t.b);
    touch_at(&t, cm_v(CM_REAL(1.875), 0, 1), cm_quat_identity(), 0);
    assert_int_equal(t.m.count, 2);
    for (int i = 0; i < 2; i++) check_that(fabs(t.m.contact[i].gap + 0.125) < 1e-6, "gap %g", t.m.contact[i].gap);
    double length = cm__point_length(cm__point_sub(t.m.contact[0].a, t.m.contact[1].a));
    check_that(fabs(length - 3) < 1e-6, "a stretch of %g, not 3", length); /* z from -1 to 2 */
    touch_at(&t, cm_v(CM_REAL(1.875), 0, 0), about(1, 0, 0, 1), 0);
    assert_int_equal(t.m.count, 1);
    touch_at(&t, cm_v(3, 0, 0), cm_quat_identity(), 0.5);
    assert_int_equal(t.m.count, 0);
    touch_at(&t, cm_v(3, 0, 0), cm_quat_identity(), 1); /* margins reach across a gap */
    assert_int_equal(t.m.count, 2);
}

/* The upright edge of a box at (1, 1), and what stands upright beside it along the diagonal: .125 deep, from z = -1
 * to 2. A wedge's own edge looks at it as a cylinder's side does. Leaned over, they share one point. */
static void an_edge_along_a_line_has_two_points(void **state) {
    (void)state;
    const double far = sqrt(2) + 0.125, half = sqrt(0.5);
    const cm_vec3 wedge[6] = {{0, 0, -2}, {2, 1, -2}, {1, 2, -2}, {0, 0, 2}, {2, 1, 2}, {1, 2, 2}};
    for (int kind = 0; kind < 2; kind++) {
        touch t;
        cm__core_box(cm__p(1, 1, 2), &t.a);
        if (kind == 0) {
            cm__core_cylinder(1, 2, &t.b);
        } else {
            core_of_points(wedge, 6, &t.b);
        }
        const cm_real along = CM_REAL((kind == 0 ? far + 1 : far) * half);
        touch_at(&t, cm_v(along, along, 1), cm_quat_identity(), 0.25);
        check_that(t.m.count == 2, "kind %d: %d points", kind, t.m.count);
        for (int i = 0; i < 2; i++) check_that(fabs(t.m.contact[i].gap - 0.125) < 1e-6, "gap %g", t.m.contact[i].gap);
        const double length = cm__point_length(cm__point_sub(t.m.contact[0].a, t.m.contact[1].a));
        check_that(fabs(length - 3) < 1e-6, "kind %d: a stretch of %g, not 3", kind, length);
        touch_at(&t, cm_v(along, along, 0), about(half, half, 0, 0.5), 0.25);
        check_that(t.m.count == 1, "kind %d: %d points where they cross", kind, t.m.count);
    }
}

/* Lines at a small angle, 4 long: all points lie on both to 5e-4 of that, and the stretch shrinks with the angle. */
static void lines_at_a_small_angle_share_what_is_near(void **state) {
    (void)state;
    touch t;
    double last = 5;
    for (int i = 0; i <= 40; i++) {
        double angle = 5e-4 * i;
        cm__core_cylinder(1, 2, &t.a);
        cm__core_cylinder(1, 2, &t.b);
        touch_at(&t, cm_v(CM_REAL(1.875), 0, 0), about(1, 0, 0, angle), 0);
        check_that(t.m.count == 2, "%d points at %g", t.m.count, angle);
        for (int k = 0; k < 2; k++) { /* B's line in its own frame is x = -1, y = 0 */
            cm__point own = frame_unrotate(&t.frame, cm__point_sub(t.m.contact[k].b, t.frame.position));
            check_that(fabs(own.y) < 2.2e-3 && fabs(t.m.contact[k].a.y) < 2e-4, "off by %g at %g", own.y, angle);
        }
        double length = cm__point_length(cm__point_sub(t.m.contact[0].a, t.m.contact[1].a));
        check_that(length <= last + 1e-6 && (length > 3.9 || length * angle > 3.5e-3), "a stretch of %g at %g", length,
                   angle);
        last = length;
    }
}

/* The same features keep their numbers while the pair moves a little, also where a corner comes in or goes: then a
 * point becomes two, or two become one. */
static void features_keep_their_numbers(void **state) {
    (void)state;
    rng r = rng_start("features", 3);
    touch t, u;
    cm__core_box(cm__p(2, 2, 2), &t.a);
    cm__core_box(cm__p(1, 1, 1), &t.b);
    for (int i = 0; i < 1000; i++) {
        double x = rng_range(&r, -2, 2), y = rng_range(&r, -2, 2), angle = rng_range(&r, 0.1, 1.4);
        touch_at(&t, cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(2.9)), about(0, 0, 1, angle), 0);
        u = t;
        touch_at(&u, cm_v(CM_REAL(x + 1e-5), CM_REAL(y - 1e-5), CM_REAL(2.9)), about(0, 0, 1, angle + 1e-5), 0);
        const int fewer = t.m.count < u.m.count ? t.m.count : u.m.count;
        int same = 0;
        for (int k = 0; k < t.m.count; k++)
            for (int n = 0; n < u.m.count; n++)
                same += t.m.contact[k].feature_a == u.m.contact[n].feature_a &&
                        t.m.contact[k].feature_b == u.m.contact[n].feature_b;
        check_that(same >= fewer - 1 && same <= fewer, "%d of %d points keep their features", same, fewer);
    }
}

/* A small box on a large one touches with its four corners, whichever of them is cut by the other. */
static void corners_have_their_numbers_on_either_side(void **state) {
    (void)state;
    touch t;
    uint32_t below[4], above[4];
    cm__core_box(cm__p(1, 1, 1), &t.a);
    cm__core_box(cm__p(4, 4, 1), &t.b);
    touch_at(&t, cm_v(0, 0, CM_REAL(1.9)), cm_quat_identity(), 0); /* A's top is the reference */
    assert_int_equal(t.m.count, 4);
    for (int i = 0; i < 4; i++) below[i] = t.m.contact[i].feature_a;
    cm__core_box(cm__p(4, 4, 1), &t.a);
    cm__core_box(cm__p(1, 1, 1), &t.b);
    touch_at(&t, cm_v(0, 0, CM_REAL(-1.9)), cm_quat_identity(), 0); /* A's bottom is, and B's top is cut */
    assert_int_equal(t.m.count, 4);
    for (int i = 0; i < 4; i++) above[i] = t.m.contact[i].feature_b;
    for (int i = 0; i < 4; i++) {
        int same = 0;
        for (int k = 0; k < 4; k++) same += below[i] == above[k];
        check_that(same == 1, "corner %u is %d of the others", below[i], same);
    }
}

/* Of any pair: at most 8 points, the deepest as deep as the gap, all of them on the cores and apart along the normal.
 */
static void points_lie_on_both_and_apart_along_the_normal(void **state) {
    (void)state;
    rng r = rng_start("manifolds", 4);
    int count = samples(1500, 150000);
    long points = 0, many = 0;
    double worst = 0;
    for (int ka = 0; ka < SOLID_KINDS; ka++) {
        for (int kb = 0; kb < SOLID_KINDS; kb++) {
            for (int i = 0; i < count; i++) {
                solid a, b;
                touch t;
                double size = rng_log_range(&r, 1e-4, 1e6);
                solid_random(&a, (solid_kind)ka, 0, size, &r);
                solid_random(&b, (solid_kind)kb, 0, size, &r);
                core_of(&a, &t.a);
                core_of(&b, &t.b);
                double margin = rng_below(&r, 2) ? 0 : size * 0.1;
                uint32_t way = rng_below(&r, 3); /* any; about one axis; all but side by side, deep most of the time */
                cm_vec3 lean = rng_direction(&r);
                cm_quat turn =
                    way == 0   ? rng_rotation(&r)
                    : way == 1 ? about(0, 0, 1, rng_range(&r, 0, 3))
                               : about((double)lean.x, (double)lean.y, (double)lean.z, rng_log_range(&r, 1e-5, 3e-2));
                cm_vec3 at = cm_scale(rng_direction(&r), CM_REAL(rng_range(&r, 0, 1.5) * size));
                touch_at(&t, at, turn, margin);
                solid_place(&b, turn, w3((long double)at.x, (long double)at.y, (long double)at.z));
                check_that(t.m.count <= 8 && (t.m.count > 0) == (t.gap.distance <= margin), "%d points at a gap of %g",
                           t.m.count, t.gap.distance);
                points += t.m.count, many += t.m.count > 2;
                double least = DBL_MAX;
                for (int k = 0; k < t.m.count; k++) {
                    const cm__convex_contact *c = &t.m.contact[k];
                    cm__point d = cm__point_sub(cm__point_sub(c->b, c->a), cm__point_scale(t.m.normal, c->gap));
                    long double off_a =
                        solid_core_outside(&a, w3((long double)c->a.x, (long double)c->a.y, (long double)c->a.z));
                    long double off_b =
                        solid_core_outside(&b, w3((long double)c->b.x, (long double)c->b.y, (long double)c->b.z));
                    least = c->gap < least ? c->gap : least;
                    worst = fmax(worst, fmax(cm__point_length(d), (double)(off_a > off_b ? off_a : off_b)) / size);
                    check_that(cm__point_length(d) <= 3e-5 * size && off_a <= 1e-3L * (long double)size &&
                                   off_b <= 1e-3L * (long double)size,
                               "%s and %s, number %d: a point off by %g, from A by %Lg, from B by %Lg (size %g)",
                               solid_names[ka], solid_names[kb], i, cm__point_length(d), off_a, off_b, size);
                }
                if (t.m.count > 0)
                    check_that(fabs(least - t.gap.distance) <= 1e-5 * size, "deepest point %g, gap %g", least,
                               t.gap.distance);
            }
        }
    }
    print_message("  %ld points, %ld manifolds with more than 2, off by up to %g of the size\n", points, many, worst);
}

/* Cylinders and cones lean into a triangle that is ten thousand times as large: the deepest point is as deep as they
 * are, by their own measure. */
static void a_large_floor_hides_no_depth(void **state) {
    (void)state;
    rng r = rng_start("large", 5);
    const double far = 1e4;
    double worst = 0;
    for (int i = 0; i < samples(4000, 100000); i++) {
        touch t;
        double radius = rng_range(&r, 0.2, 1), half = rng_range(&r, 0.2, 1), depth = rng_log_range(&r, 1e-3, 1e-2);
        cm__core_triangle(cm__p(-far, -far, 0), cm__p(far, -far, 0), cm__p(0, far, 0), &t.a);
        if (i % 2)
            cm__core_cylinder(radius, half, &t.b);
        else
            cm__core_cone(radius, half, &t.b);
        cm_quat turn = rng_rotation(&r);
        cm_pose above = cm_pose_identity(); /* lifted until it is that deep */
        above.rotation = turn;
        cm_aabb box;
        cm__core_bounds(&t.b, &above, &box);
        touch_at(&t, cm_v(0, 0, CM_REAL(-depth - (double)box.min.z)), turn, 0);
        double least = DBL_MAX;
        for (int k = 0; k < t.m.count; k++) least = fmin(least, t.m.contact[k].gap);
        worst = fmax(worst, fabs(least - t.gap.distance));
        check_that(fabs(least - t.gap.distance) < 1e-4, "%d: %g deep, deepest point %g", i, -t.gap.distance, -least);
    }
    print_message("  off by up to %g\n", worst);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_on_a_box_has_the_points_of_its_foot),
        cmocka_unit_test(lines_side_by_side_have_two_points),
        cmocka_unit_test(an_edge_along_a_line_has_two_points),
        cmocka_unit_test(lines_at_a_small_angle_share_what_is_near),
        cmocka_unit_test(features_keep_their_numbers),
        cmocka_unit_test(corners_have_their_numbers_on_either_side),
        cmocka_unit_test(points_lie_on_both_and_apart_along_the_normal),
        cmocka_unit_test(a_large_floor_hides_no_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
