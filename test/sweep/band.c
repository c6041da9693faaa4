/* How deep a start may be and count as touching: G of sweep.h, term by term. Two capsules of radius 1 side by
 * side, as deep as nine tenths of it, are TOUCHING, at eleven tenths OVERLAPPING; each row changes one of the lengths
 * that G is the sum of, or one that does not count. */
#include "support/support.h"

#include <math.h>

typedef struct row {
    const char *what;
    cm_motion a, b;
    double lengths; /* what G counts beside the distance of 2 and the two reaches of 2; times 16 eps */
    double places;  /* and of the places' largest coordinates; times 4 eps */
} row;

static cm_sweep_start start_at(const row *r, double depth) {
    const cm_shape capsule = cm_make_capsule(cm_v(0, 0, -1), cm_v(0, 0, 1), 1);
    cm_motion ma = r->a, mb = r->b;
    ma.start.rotation = mb.start.rotation = cm_quat_identity();
    mb.start.position = ma.start.position;
    mb.start.position.x += (cm_real)(2 - depth);
    cm_sweep_hit hit;
    check_that(cm_sweep(&capsule, &ma, &capsule, &mb, &hit), "%s: no hit", r->what);
    return hit.start;
}

static void a_start_is_touching_up_to_the_stated_band(void **state) {
    (void)state;
    const double eps = (double)CM_REAL_EPSILON;
    const cm_vec3 far = {1024, 0, 0};
    const row rows[] = {
        {"at rest", .lengths = 0},
        {"moving along", .b.move = {0, 64, 0}, .lengths = 64, .places = 2},
        {"both along, each counts", .a.move = {0, 0, 64}, .b.move = {0, 0, 64}, .lengths = 128, .places = 2},
        {"along two axes, their sum counts", .b.move = {0, 64, 64}, .lengths = 128, .places = 2},
        {"accelerated, half of it counts", .b.accelerate = {0, 64, 0}, .lengths = 32, .places = 2},
        {"far away, at rest: no place is rounded", .a.start.position = far, .lengths = 0},
        {"far away, moving", .a.start.position = far, .b.move = {0, 0, 1}, .lengths = 1, .places = 2050},
        {"far away, A turning", .a.start.position = far, .a.spin = {0, 1, 0}, .lengths = 0.25, .places = 2050},
        {"far away, B turning", .a.start.position = far, .b.spin = {0, 1, 0}, .lengths = 0.25, .places = 2050},
        {"a spin about the own axis", .a.pivot = {0, 0, 64}, .a.spin = {0, 0, 8}, .lengths = 0},
        {"a pivot of what does not turn", .b.pivot = {0, 64, 0}, .lengths = 0},
        {"a pivot of what turns", .b.pivot = {0, 64, 0}, .b.spin = {0, 8, 0}, .lengths = 64 + 66, .places = 2},
        {"the same of A", .a.pivot = {0, 64, 0}, .a.spin = {0, 8, 0}, .lengths = 64 + 66, .places = 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const row *r = &rows[i];
        const double band = eps * (16 * (6 + r->lengths) + 4 * r->places);
        /* places far away have ulps of 1024 eps: a depth of one, where G is less than that */
        const double ulp = (double)r->a.start.position.x * eps, less = 0.9 * band, more = fmax(1.1 * band, ulp);
        const cm_sweep_start below = start_at(r, less), above = start_at(r, more);
        check_that(ulp > less || below == CM_SWEEP_TOUCHING, "%s: %d at %g", r->what, (int)below, less);
        check_that(above == CM_SWEEP_OVERLAPPING, "%s: %d at %g", r->what, (int)above, more);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_start_is_touching_up_to_the_stated_band)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
