/* Fewer points of a manifold. */
#include "support/support.h"

/* Eight points around a unit circle in z = 0, the depths as given. */
static cm_manifold octagon(const cm_real depth[8]) {
    static const cm_real x[8] = {1, CM_REAL(0.7), 0, CM_REAL(-0.7), -1, CM_REAL(-0.7), 0, CM_REAL(0.7)};
    cm_manifold m;
    memset(&m, 0, sizeof m);
    m.normal = cm_v(0, 0, 1);
    m.count = 8;
    for (int i = 0; i < 8; i++) {
        m.points[i].point_a = cm_v(x[i], x[(i + 6) % 8], 0);
        m.points[i].depth = depth[i];
        m.points[i].feature_a = (uint32_t)i;
    }
    return m;
}

static void four_of_an_octagon_are_its_deepest_and_a_square(void **state) {
    (void)state;
    const cm_real depth[8] = {1, 1, 1, 2, 1, 1, 1, 1};
    cm_manifold m = octagon(depth);
    cm_manifold_reduce(&m, 4);
    assert_int_equal(m.count, 4);
    /* the deepest is 3, opposite to it lies 7, square to both 1 and 5; in their order */
    for (int i = 0; i < 4; i++) assert_int_equal(m.points[i].feature_a, 2 * i + 1);
}

static void one_point_is_the_deepest(void **state) {
    (void)state;
    rng r = rng_start("reduce", 79);
    for (int i = 0; i < samples(1000, 10000); i++) {
        cm_real depth[8];
        int deepest = 0;
        for (int k = 0; k < 8; k++) {
            depth[k] = CM_REAL(rng_range(&r, -1, 1));
            if (depth[k] > depth[deepest]) deepest = k;
        }
        for (int room = 1; room <= 8; room++) {
            cm_manifold m = octagon(depth);
            cm_manifold_reduce(&m, room);
            assert_int_equal(m.count, room);
            bool there = false;
            for (int k = 0; k < room; k++) {
                there = there || m.points[k].feature_a == (uint32_t)deepest;
                if (k > 0) assert_true(m.points[k].feature_a > m.points[k - 1].feature_a);
            }
            assert_true(there);
        }
    }
}

static void what_fits_or_is_invalid_stays(void **state) {
    (void)state;
    const cm_real depth[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    cm_manifold m = octagon(depth), before = m;
    cm_manifold_reduce(&m, 8);
    cm_manifold_reduce(&m, 0);
    cm_manifold_reduce(&m, -1);
    cm_manifold_reduce(NULL, 4);
    assert_memory_equal(&m, &before, sizeof m);
    m.count = before.count = 1000; /* more than it can hold */
    cm_manifold_reduce(&m, 4);
    assert_memory_equal(&m, &before, sizeof m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_of_an_octagon_are_its_deepest_and_a_square),
        cmocka_unit_test(one_point_is_the_deepest),
        cmocka_unit_test(what_fits_or_is_invalid_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
