/* The argument for sweeps of [Gomez99], in numbers: what a test at the end of each step misses at 180 mph and 60 steps
 * a second, and how many tests of single poses find a first contact with and without the bounds that a sweep gives. */
#include "carom/carom.h"
#include "support/support.h"

static const double mph = 0.44704, rate = 60;

/* How many of `starts` evenly spaced starts pass the line with no step's end in it, and how many the sweep misses. */
static void count_misses(double object, double line, int starts, int *at_ends, int *swept) {
    double step = 180 * mph / rate;
    cm_aabb band = {cm_v((cm_real)(-line / 2), -1, -1), cm_v((cm_real)(line / 2), 1, 1)};
    *at_ends = *swept = 0;
    for (int i = 0; i < starts; i++) {
        bool seen = false, met = false;
        for (int k = -4; k <= 4; k++) {
            double x = k * step - (i + 0.5) / starts * step;
            cm_sweep_hit when;
            cm_aabb body = {cm_v((cm_real)(x - object / 2), 0, 0), cm_v((cm_real)(x + object / 2), 1, 1)};
            seen |= cm_overlap_aabb_aabb(&body, &band);
            met |= cm_sweep_aabb_aabb(&body, cm_v((cm_real)step, 0, 0), &band, cm_v(0, 0, 0), &when);
        }
        *at_ends += !seen, *swept += !met;
    }
}

/* 80.4672 m/s / 60 = 1.34112 m a step. Ends are in the line where the middle is within half of the length L of object
 * and line, so of 10,000 starts N - 2 floor(N L / (2 * 1.34112) + 1/2) are missed: 9628, 6272, 2544, 8 and none. */
static void what_is_shorter_than_a_step_is_missed(void **state) {
    (void)state;
    static const struct {
        double object, line;
        int missed;
    } rows[] = {{0.04, 0.01, 9628}, {0.4, 0.1, 6272}, {0.9, 0.1, 2544}, {1.24, 0.1, 8}, {1.25, 0.1, 0}, {4, 0.1, 0}};
    for (int i = 0; i < 6; i++) {
        int at_ends, swept;
        count_misses(rows[i].object, rows[i].line, 10000, &at_ends, &swept);
        check_that(at_ends == rows[i].missed, "%g m and %g m: %d are missed, not %d", rows[i].object, rows[i].line,
                   at_ends, rows[i].missed);
        check_that(swept == 0, "%g m and %g m: the sweep misses %d", rows[i].object, rows[i].line, swept);
    }
}

typedef struct flight {
    cm_shape bolt, wall;
    int tests;
} flight;

static bool overlap_at(void *user, cm_real u, const cm_pose *bolt, const cm_pose *wall) {
    flight *f = user;
    (void)u;
    f->tests++;
    return cm_overlap(&f->bolt, bolt, &f->wall, wall);
}

/* A cube of 3 mm, turning by 90 degrees, meets the wall at x = 1.3425 between (1.3425 - .0015 sqrt 3) / 1.34112 =
 * 0.999092 and (1.3425 - .0015) / 1.34112 = 0.999910, in the last of 4,096 pieces of the step, 4095/4096 = 0.999756:
 * all 4,097 ends of pieces are looked at, then 10 halvings lead to 2^-22. Between the bounds 4 pieces are as fine: 5
 * ends and 10 halvings. */
static void sweep_bounds_save_most_tests(void **state) {
    (void)state;
    double x = 1.3425, half = 0.0015, move = 180 * mph / rate;
    cm_plane face = {cm_v(-1, 0, 0), (cm_real)x};
    flight f = {cm_make_box(cm_v((cm_real)half, (cm_real)half, (cm_real)half)), cm_make_halfspace(face.normal, face.d),
                0};
    cm_motion fly = {.start = cm_pose_identity(), .move = cm_v((cm_real)move, 0, 0)}, still = {.start = fly.start};
    fly.spin = cm_v(0, 0, CM_REAL(1.57079632679489662));
    cm_interval whole = {0, 1}, found, again;
    assert_true(cm_sweep_refine(&fly, &still, whole, 4096, CM_REAL(0x1p-22), overlap_at, &f, &found));
    check_that(f.tests == 4107, "the whole step takes %d tests", f.tests);

    cm_sphere around = {cm_v(0, 0, 0), (cm_real)(half * 1.7320508075688772)}, within = {cm_v(0, 0, 0), (cm_real)half};
    cm_sweep_hit first, sure, hit;
    assert_true(cm_sweep_sphere_halfspace(&around, fly.move, &face, &first));
    assert_true(cm_sweep_sphere_halfspace(&within, fly.move, &face, &sure));
    check_that(fabs((double)first.first - 0.999092) < 1e-6 && fabs((double)sure.first - 0.999910) < 1e-6,
               "%.7f to %.7f", (double)first.first, (double)sure.first);
    f.tests = 0;
    cm_interval bounds = {first.first, sure.first};
    assert_true(cm_sweep_refine(&fly, &still, bounds, 4, CM_REAL(0x1p-22), overlap_at, &f, &again));
    check_that(f.tests == 15, "between the sweep's bounds it takes %d tests", f.tests);

    /* and cm_sweep, which looks at the shapes themselves, is not later; by the float build's ulps of 1.3 earlier */
    assert_true(cm_sweep(&f.bolt, &fly, &f.wall, &still, &hit));
    double late = (double)hit.first - (double)again.last;
    check_that(late <= 0 && late > -4e-6, "cm_sweep says %.9f, the tests %.9f", (double)hit.first, (double)again.last);
    check_that(fabs((double)found.last - (double)again.last) < 1e-6, "%.9f and %.9f", (double)found.last,
               (double)again.last);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_shorter_than_a_step_is_missed),
        cmocka_unit_test(sweep_bounds_save_most_tests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
