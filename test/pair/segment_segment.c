/* Segment against segment, where the short way of capsules (src/pair/segment_segment.c) must not be taken: what it
 * leaves of a gap hardly longer than rounding has lost its direction. */
#include "support/support.h"

#include <math.h>

/* Two that cross under 6 to 12 degrees as seen along z, and pass each other at `height`. */
static void all_but_crossing(rng *r, double height, cm_segment *a, cm_segment *b) {
    double turn = rng_range(r, 0, 6.28), angle = rng_range(r, 0.105, 0.2);
    cm_vec3 d = cm_v((cm_real)cos(turn), (cm_real)sin(turn), 0);
    cm_vec3 e = cm_v((cm_real)cos(turn + angle), (cm_real)sin(turn + angle), 0);
    cm_vec3 at = cm_v((cm_real)rng_range(r, -1, 1), (cm_real)rng_range(r, -1, 1), 0);
    a->a = cm_sub(at, d), a->b = cm_mul_add(at, (cm_real)rng_range(r, 0.1, 1), d);
    b->a = cm_mul_add(at, (cm_real)rng_range(r, -1, -0.1), e), b->b = cm_add(at, e);
    b->a.z = b->b.z = (cm_real)height;
}

/* Numbers up to 2, some of them rounded: 4 ulps of that, across the height. The short way is ten times worse. */
static void check_normal(const char *what, double height, cm_vec3 n) {
    double aside = height * hypot((double)n.x, (double)n.y);
    check_that(n.z > 0 && aside < 1.6e-15, "%s, %g apart: normal %g %g %g", what, height, (double)n.x, (double)n.y,
               (double)n.z);
}

static void what_all_but_crosses_is_told_the_way_between(void **state) {
    (void)state;
    rng r = rng_start("all but crossing", 20);
    for (int i = 0; i < 20000; i++) {
        double height = pow(10, rng_range(&r, -13, -12));
        cm_segment a, b;
        cm_witness w;
        cm_manifold m;
        all_but_crossing(&r, height, &a, &b);
        cm_real distance = cm_distance_segment_segment(&a, &b, &w);
        check_that(fabs((double)distance - height) < 1e-4 * height, "%g apart, not %g", (double)distance, height);
        check_normal("segments", height, w.normal);
        cm_capsule ca = {a.a, a.b, CM_REAL(0.1)}, cb = {b.a, b.b, CM_REAL(0.2)};
        assert_true(cm_contact_capsule_capsule(&ca, &cb, &m));
        check_normal("capsules", height, m.normal);
        cm_shape sa = cm_make_capsule(a.a, a.b, CM_REAL(0.1)), sb = cm_make_capsule(b.a, b.b, CM_REAL(0.2));
        cm_pose home = cm_pose_identity();
        assert_int_equal(cm_contact(&sa, &home, &sb, &home, 0, &m, 1), 1);
        check_normal("shapes", height, m.normal);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_all_but_crosses_is_told_the_way_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
