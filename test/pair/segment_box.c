/* Segment against box by the slope of the distance, against the general way of polytopes: the same decision, distance
 * and depth, points that prove them, the same number of contact points; and the ways in which a segment can lie. */
#include "pair/pair.h"
#include "support/support.h"

#include <math.h>

static double reach_of(const cm_shape *a, const cm_shape *b) { return (double)a->radius + (double)b->radius; }

/* Some lie along faces and edges, some have no length, some boxes no thickness. */
static void draw(rng *r, int sample, double size, cm_shape *a, cm_shape *b, cm_pose *pose) {
    cm_vec3 half = cm_v(CM_REAL(size * rng_range(r, 0.1, 1)), CM_REAL(size * rng_range(r, 0.1, 1)),
                        CM_REAL(size * rng_range(r, 0.1, 1)));
    if (sample % 11 == 0) half.y = 0;
    cm_vec3 p = rng_vec3(r, 2 * size), q = rng_vec3(r, 2 * size);
    if (sample % 7 == 0) q = p;
    if (sample % 5 == 0) q = cm_add(p, cm_v(CM_REAL(size), 0, 0));
    const cm_real radius = CM_REAL(sample % 3 ? size * rng_range(r, 0, 1) : 0);
    *a = cm_make_capsule(p, q, radius);
    *b = cm_make_rounded_box(half, CM_REAL(sample % 4 ? 0 : size * rng_range(r, 0, 0.3)));
    pose->position = rng_vec3(r, size);
    pose->rotation = sample % 5 == 0 ? cm_quat_identity() : rng_rotation(r);
}

static void the_special_way_agrees_with_the_general_one(void **state) {
    (void)state;
    const double sizes[] = {1e-4, 1, 1e6};
    int apart = 0, met = 0, count = samples(20000, 1000000);
    for (int k = 0; k < 3; k++) {
        rng r = rng_start("segment and box", 40 + (uint64_t)k);
        const double size = sizes[k], noise = 4e-14 * size;
        for (int i = 0; i < count; i++) {
            cm_shape a, b;
            cm_pose pose;
            cm__gap special, general;
            draw(&r, i, size, &a, &b, &pose);
            const cm__frame frame = frame_of_pose(&pose);
            cm__method_segment_box.gap(&a, &b, &frame, &special);
            cm__method_polytopes.gap(&a, &b, &frame, &general);
            check_that(fabs(special.distance - general.distance) <= noise, "sample %d: %.17g, not %.17g", i,
                       special.distance, general.distance);
            const bool on = cm__method_segment_box.overlap(&a, &b, &pose);
            assert_int_equal(on, special.distance <= 0);
            if (fabs(general.distance) > noise) assert_int_equal(on, cm__method_polytopes.overlap(&a, &b, &pose));
            cm__point off =
                cm__point_sub(cm__point_sub(special.b, special.a), cm__point_scale(special.normal, special.distance));
            check_that(cm__point_length(off) <= noise, "sample %d: the points show another gap, by %g", i,
                       cm__point_length(off));
            const cm_real margin = CM_REAL(i % 2 ? 0 : 0.1 * size);
            cm_manifold m, n;
            int c = cm__method_segment_box.contact(&a, &b, &pose, margin, &m, 1);
            int d = cm__method_polytopes.contact(&a, &b, &pose, margin, &n, 1);
            if (fabs(general.distance - (double)margin) <= noise) continue;
            check_that(c == d, "sample %d: %d manifolds, not %d", i, c, d);
            apart += !c, met += c;
            if (c && general.distance + reach_of(&a, &b) > noise)
                check_that(m.count == n.count, "sample %d: %d points, not %d", i, m.count, n.count);
        }
    }
    check_that(2 * apart > count && 2 * met > count, "%d apart, %d met", apart, met);
}

/* A capsule beside the border of a box's face, along it: the normal is within a milliradian of the face's, and rounding
 * puts the capsule's segment on either side of the border. */
static void an_edge_along_the_border_of_a_face_has_both_ends(void **state) {
    (void)state;
    rng r = rng_start("borders", 43);
    for (int i = 0; i < samples(2000, 100000); i++) {
        const cm_vec3 half = cm_v(CM_REAL(rng_range(&r, 0.1, 1)), CM_REAL(rng_range(&r, 0.1, 1)), CM_REAL(0.5));
        const double deep = rng_range(&r, 0, 0.1), beside = rng_range(&r, 1e-5, 1e-3), radius = rng_range(&r, 0.2, 0.5);
        const double y = (double)half.y + (radius - deep) * beside, z = 0.5 + radius - deep;
        const cm_shape box = cm_make_box(half);
        cm_shape log = cm_make_segment(cm_v(-2, CM_REAL(y), CM_REAL(z)), cm_v(0, CM_REAL(y), CM_REAL(z)));
        cm_pose pose = cm_pose_identity();
        cm_manifold m;
        log.radius = CM_REAL(radius);
        pose.position = rng_vec3(&r, 1);
        log.u.segment.a = cm_add(log.u.segment.a, pose.position);
        log.u.segment.b = cm_add(log.u.segment.b, pose.position);
        assert_int_equal(cm__method_polytopes.contact(&log, &box, &pose, 0, &m, 1), 1);
        check_that(m.count == 2, "sample %d: %d points", i, m.count);
    }
}

/* A unit box at the origin, segments about it by hand. */
static void segments_about_a_unit_box(void **state) {
    (void)state;
    static const struct {
        cm_vec3 from, to;
        double distance;
    } cases[] = {
        {{3, 0, 0}, {5, 0, 0}, 2},                    /* an end before a face */
        {{3, -5, 0}, {3, 5, 0}, 2},                   /* along a face, beyond it on both sides */
        {{2, 0, -9}, {0, 2, 9}, 0},                   /* touches the edge x = y = 1 from outside */
        {{3, 0, -9}, {0, 3, 9}, 0.70710678118654752}, /* past that edge: (3/2, 3/2) is sqrt(1/2) from (1, 1) */
        {{2, 2, 2}, {5, 5, 5}, 1.7320508075688772},   /* before a corner */
        {{4, 1, 1}, {1, 4, 1}, 2.1213203435596424},   /* in the plane of a face, past an edge: 3/2 sqrt 2 */
        {{2, 2, 2}, {2, 2, 2}, 1.7320508075688772},   /* no length */
        {{-9, 2, 0}, {9, 2, 0}, 1},                   /* parallel to a face all along */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cm_shape a = cm_make_segment(cases[i].from, cases[i].to), b = cm_make_box(cm_v(1, 1, 1));
        cm_pose home = cm_pose_identity();
        cm__gap gap;
        const cm__frame frame = frame_of_pose(&home);
        cm__method_segment_box.gap(&a, &b, &frame, &gap);
        check_that(fabs(gap.distance - cases[i].distance) < 1e-14, "case %zu: %.17g", i, gap.distance);
        assert_int_equal(cm__method_segment_box.overlap(&a, &b, &home), cases[i].distance == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_special_way_agrees_with_the_general_one),
        cmocka_unit_test(an_edge_along_the_border_of_a_face_has_both_ends),
        cmocka_unit_test(segments_about_a_unit_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
