/* What is no valid question is refused: each argument of each sweep wrong by itself, everything else right, so that it
 * alone decides; and a motion may be as long as coordinates go, not longer. What is written stays untouched then. */
#include "support/support.h"

#include <math.h>

static const cm_vec3 none = {0, 0, 0};
static cm_vec3 nowhere(void) { return cm_v(0, (cm_real)NAN, 0); }
/* Beyond the valid range, but a number: what is wrong by this alone would meet all around the origin. */
#define BEYOND (2 * CM_COORD_MAX)
static cm_vec3 too_far(void) { return cm_v(0, 0, BEYOND); }

#define REFUSED(call)                                                                                                  \
    do {                                                                                                               \
        cm_sweep_hit hit, before;                                                                                      \
        memset(&hit, 77, sizeof hit);                                                                                  \
        before = hit;                                                                                                  \
        check_that(!(call), "%s", #call);                                                                              \
        assert_memory_equal(&hit, &before, sizeof hit);                                                                \
    } while (0)

/* Both right, then each of the two bodies and of the two motions wrong: near and far, as these are other ways. */
#define EACH_WRONG(function, a, bad_a, b, bad_b)                                                                       \
    do {                                                                                                               \
        for (int away = 0; away < 2; ++away) {                                                                         \
            const cm_vec3 way = cm_v(away ? CM_REAL(16) : 0, 0, 0);                                                    \
            cm_sweep_hit met;                                                                                          \
            assert_true(function(&(a), way, &(b), none, &met));                                                        \
            assert_true(function(&(a), way, &(b), none, NULL));                                                        \
            REFUSED(function(&(bad_a), way, &(b), none, &hit));                                                        \
            REFUSED(function(&(a), way, &(bad_b), none, &hit));                                                        \
            REFUSED(function(&(a), nowhere(), &(b), none, &hit));                                                      \
            REFUSED(function(&(a), way, &(b), nowhere(), &hit));                                                       \
            REFUSED(function(&(a), too_far(), &(b), none, &hit));                                                      \
            REFUSED(function(&(a), way, &(b), too_far(), &hit));                                                       \
        }                                                                                                              \
    } while (0)

static void each_wrong_argument_of_a_plain_sweep_is_refused(void **state) {
    (void)state;
    const cm_real far = BEYOND;
    const cm_sphere ball = {{0, 0, 0}, 1}, bad_ball = {{far, 0, 0}, 2 * far};
    const cm_aabb box = {{-1, -1, -1}, {1, 1, 1}}, bad_box = {{-far, -1, -1}, {far, 1, 1}};
    const cm_obb turned = {{0, 0, 0}, {1, 1, 1}, {0, 0, 0, 1}}, bad_turned = {{0, 0, 0}, {far, far, far}, {0, 0, 0, 1}};
    const cm_capsule rod = {{-1, 0, 0}, {1, 0, 0}, 1}, bad_rod = {{-far, 0, 0}, {far, 0, 0}, 2 * far};
    const cm_triangle t = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    const cm_triangle bad_t = {{-far, -far, 0}, {far, -far, 0}, {0, far, 0}};
    EACH_WRONG(cm_sweep_sphere_sphere, ball, bad_ball, ball, bad_ball);
    EACH_WRONG(cm_sweep_aabb_aabb, box, bad_box, box, bad_box);
    EACH_WRONG(cm_sweep_sphere_aabb, ball, bad_ball, box, bad_box);
    EACH_WRONG(cm_sweep_sphere_obb, ball, bad_ball, turned, bad_turned);
    EACH_WRONG(cm_sweep_sphere_triangle, ball, bad_ball, t, bad_t);
    EACH_WRONG(cm_sweep_sphere_capsule, ball, bad_ball, rod, bad_rod);
    EACH_WRONG(cm_sweep_capsule_capsule, rod, bad_rod, rod, bad_rod);
    EACH_WRONG(cm_sweep_obb_obb, turned, bad_turned, turned, bad_turned);
}

static void each_wrong_argument_of_a_sweep_against_a_plane_is_refused(void **state) {
    (void)state;
    const cm_sphere ball = {{0, 0, 0}, 1}, bad_ball = {{BEYOND, 0, 0}, 1};
    const cm_aabb box = {{-1, -1, -1}, {1, 1, 1}}, bad_box = {{-BEYOND, -1, -1}, {BEYOND, 1, 1}};
    const cm_plane plane = {{0, 0, 1}, 0}, bad_plane = {{0, 0, 2}, 0};
    assert_true(cm_sweep_sphere_plane(&ball, none, &plane, NULL));
    assert_true(cm_sweep_sphere_halfspace(&ball, none, &plane, NULL));
    assert_true(cm_sweep_aabb_plane(&box, none, &plane, NULL));
    REFUSED(cm_sweep_sphere_plane(&bad_ball, none, &plane, &hit));
    REFUSED(cm_sweep_sphere_plane(&ball, none, &bad_plane, &hit));
    REFUSED(cm_sweep_sphere_plane(&ball, nowhere(), &plane, &hit));
    REFUSED(cm_sweep_sphere_plane(&ball, too_far(), &plane, &hit));
    REFUSED(cm_sweep_sphere_halfspace(&bad_ball, none, &plane, &hit));
    REFUSED(cm_sweep_sphere_halfspace(&ball, none, &bad_plane, &hit));
    REFUSED(cm_sweep_sphere_halfspace(&ball, nowhere(), &plane, &hit));
    REFUSED(cm_sweep_sphere_halfspace(&ball, too_far(), &plane, &hit));
    REFUSED(cm_sweep_aabb_plane(&bad_box, none, &plane, &hit));
    REFUSED(cm_sweep_aabb_plane(&box, none, &bad_plane, &hit));
    REFUSED(cm_sweep_aabb_plane(&box, nowhere(), &plane, &hit));
    REFUSED(cm_sweep_aabb_plane(&box, too_far(), &plane, &hit));
}

static void each_wrong_argument_of_a_sweep_of_shapes_is_refused(void **state) {
    (void)state;
    const cm_shape ball = cm_make_sphere(none, 1), bad = cm_make_sphere(none, -1);
    const cm_motion still = {.start = cm_pose_identity()};
    cm_motion wrong[10];
    for (int i = 0; i < 10; ++i) wrong[i] = still;
    wrong[0].start.rotation = (cm_quat){0, 0, 0, 2};
    wrong[1].start.position = nowhere();
    wrong[2].move = nowhere(), wrong[3].spin = nowhere(), wrong[4].pivot = nowhere(), wrong[5].accelerate = nowhere();
    wrong[6].move = too_far(), wrong[7].spin = too_far(), wrong[8].pivot = too_far(), wrong[9].accelerate = too_far();
    cm_real last = 7;
    assert_true(cm_sweep(&ball, &still, &ball, &still, NULL));
    assert_true(cm_sweep_last(&ball, &still, &ball, &still, NULL));
    REFUSED(cm_sweep(&bad, &still, &ball, &still, &hit));
    REFUSED(cm_sweep(&ball, &still, &bad, &still, &hit));
    REFUSED(cm_sweep(NULL, &still, &ball, &still, &hit));
    REFUSED(cm_sweep(&ball, &still, NULL, &still, &hit));
    REFUSED(cm_sweep(&ball, NULL, &ball, &still, &hit));
    REFUSED(cm_sweep(&ball, &still, &ball, NULL, &hit));
    for (int i = 0; i < 10; ++i) {
        REFUSED(cm_sweep(&ball, &wrong[i], &ball, &still, &hit));
        REFUSED(cm_sweep(&ball, &still, &ball, &wrong[i], &hit));
        check_that(!cm_sweep_last(&ball, &wrong[i], &ball, &still, &last), "first, %d", i);
        check_that(!cm_sweep_last(&ball, &still, &ball, &wrong[i], &last), "second, %d", i);
    }
    assert_false(cm_sweep_last(&bad, &still, &ball, &still, &last));
    assert_false(cm_sweep_last(&ball, &still, &bad, &still, &last));
    assert_true(last == 7);
}

/* Displacement and acceleration together go as far as coordinates do; what ends beyond them has no last contact. */
static void a_motion_may_be_as_long_as_coordinates_go(void **state) {
    (void)state;
    const cm_shape ball = cm_make_sphere(none, 1);
    const cm_motion still = {.start = cm_pose_identity()};
    cm_motion far = still, beyond = still;
    far.move.x = CM_COORD_MAX / 2, far.accelerate.y = CM_COORD_MAX / 2;
    beyond.move.x = CM_COORD_MAX / 2, beyond.accelerate.y = CM_COORD_MAX / 2 * (1 + 2 * CM_REAL_EPSILON);
    assert_true(cm_sweep(&ball, &far, &ball, &still, NULL));
    assert_false(cm_sweep(&ball, &beyond, &ball, &still, NULL));
    assert_true(cm_sweep(&ball, &still, &ball, &far, NULL));
    assert_false(cm_sweep(&ball, &still, &ball, &beyond, NULL));
    cm_motion out = still, in = still;
    out.start.position.x = in.start.position.x = CM_COORD_MAX;
    out.move.x = CM_COORD_MAX / 2;
    assert_true(cm_sweep(&ball, &out, &ball, &in, NULL));
    assert_true(cm_sweep_last(&ball, &in, &ball, &in, NULL));
    const cm_shape large = cm_make_sphere(none, CM_COORD_MAX / 8);
    assert_false(cm_sweep_last(&large, &out, &large, &in, NULL));
    assert_false(cm_sweep_last(&large, &in, &large, &out, NULL));
}

/* --- cm_sweep_refine ------------------------------------------------------------------------------------------- */

static int asked;
static bool from_a_half_on(void *user, cm_real u, const cm_pose *a, const cm_pose *b) {
    (void)a, (void)b;
    ++asked;
    return u >= *(const cm_real *)user;
}

static void each_wrong_argument_of_a_refinement_is_refused(void **state) {
    (void)state;
    const cm_motion still = {.start = cm_pose_identity()};
    const cm_interval all = {0, 1}, wrong = {1, 0}, nan = {0, (cm_real)NAN};
    cm_real when = CM_REAL(0.5);
    cm_interval out = {7, 7};
    assert_false(cm_sweep_refine(NULL, &still, all, 1, 1, from_a_half_on, &when, &out));
    assert_false(cm_sweep_refine(&still, NULL, all, 1, 1, from_a_half_on, &when, &out));
    assert_false(cm_sweep_refine(&still, &still, wrong, 1, 1, from_a_half_on, &when, &out));
    assert_false(cm_sweep_refine(&still, &still, nan, 1, 1, from_a_half_on, &when, &out));
    assert_false(cm_sweep_refine(&still, &still, all, 0, 1, from_a_half_on, &when, &out));
    assert_false(cm_sweep_refine(&still, &still, all, 1, 0, from_a_half_on, &when, &out));
    assert_false(cm_sweep_refine(&still, &still, all, 1, (cm_real)NAN, from_a_half_on, &when, &out));
    assert_false(cm_sweep_refine(&still, &still, all, 1, 1, NULL, &when, &out));
    assert_true(out.first == 7 && out.last == 7);
    assert_true(cm_sweep_refine(&still, &still, all, 1, 1, from_a_half_on, &when, &out));
}

/* As many tests as are promised, no more: steps + 1 looks, and the halvings down to the tolerance, which may be met
 * exactly; no more than 64 of them, and none where two numbers are next to each other. */
static void a_refinement_ends_at_its_tolerance(void **state) {
    (void)state;
    const cm_motion still = {.start = cm_pose_identity()};
    const cm_interval all = {0, 1}, moment = {CM_REAL(0.5), CM_REAL(0.5)};
    cm_real when = CM_REAL(0.5);
    cm_interval out;
    const struct {
        int steps, looks;
        cm_real tolerance, first, last;
    } rows[] = {{1, 2, 1, 0, 1}, /* not at 0, but at 1, which is near enough */
                {1, 3, CM_REAL(0.5), 0, CM_REAL(0.5)},
                {2, 2, CM_REAL(0.5), 0, CM_REAL(0.5)},
                {4, 4, CM_REAL(0.125), CM_REAL(0.375), CM_REAL(0.5)}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        asked = 0;
        assert_true(
            cm_sweep_refine(&still, &still, all, rows[i].steps, rows[i].tolerance, from_a_half_on, &when, &out));
        check_that(asked == rows[i].looks && out.first == rows[i].first && out.last == rows[i].last,
                   "%zu: %d looks, %g to %g", i, asked, (double)out.first, (double)out.last);
    }
    /* from the start on: there is no time before it */
    when = 0;
    assert_true(cm_sweep_refine(&still, &still, all, 4, 1, from_a_half_on, &when, &out));
    assert_true(out.first == 0 && out.last == 0);
    /* one moment */
    assert_true(cm_sweep_refine(&still, &still, moment, 1, 1, from_a_half_on, &when, &out));
    assert_true(out.first == moment.first && out.last == moment.last);
    /* down to neighbours, where the tolerance asks for less: one of them overlaps, the other does not, and no number is
     * between; beside 0.3 and 0.7 they are 2^-25 and 2^-24 apart, or 2^-54 and 2^-53 */
    for (int i = 0; i < 2; ++i) {
        const int halvings = (sizeof(cm_real) == 4 ? 25 : 54) - i;
        when = CM_REAL(i == 0 ? 0.3 : 0.7), asked = 0;
        assert_true(cm_sweep_refine(&still, &still, all, 1, CM_REAL_MIN, from_a_half_on, &when, &out));
        assert_true(out.last == when && out.first < when && out.first >= when * (1 - CM_REAL_EPSILON));
        check_that(asked == 2 + halvings, "%d looks down to %g", asked, (double)when);
    }
    when = CM_REAL_MIN, asked = 0; /* 64 halvings do not reach it */
    assert_true(cm_sweep_refine(&still, &still, all, 1, CM_REAL_MIN, from_a_half_on, &when, &out));
    check_that(asked == 66 && out.first == 0 && out.last > when, "%d looks, %g to %g", asked, (double)out.first,
               (double)out.last);
}

/* --- motions ----------------------------------------------------------------------------------------------------- */

/* At its start a motion is where it says, to the bit, also where a rotation is of length 1 only about. */
static void a_motion_starts_at_its_start(void **state) {
    (void)state;
    cm_motion m = {.start = {{1, 2, 3}, {0, 0, CM_REAL(0.6001), CM_REAL(0.8)}}};
    cm_pose at;
    for (int spins = 0; spins < 2; ++spins) {
        m.move = cm_v(5, 6, 7), m.pivot = cm_v(1, 0, 0), m.spin = cm_v(0, 0, (cm_real)spins);
        cm_motion_at(&m, 0, &at);
        assert_memory_equal(&at, &m.start, sizeof at);
        cm_motion_at(&m, 1, &at);
        assert_true((cm_abs(at.rotation.z - m.start.rotation.z) > CM_REAL(0.1)) == spins);
    }
}

/* Half a turn, and no turn: an axis is told for the one, none for the other; q and -q are one rotation. */
static void the_motion_between_two_poses_ends_at_the_second(void **state) {
    (void)state;
    const cm_quat turns[] = {
        {0, 0, 0, 1}, {0, 0, 0, -1}, {1, 0, 0, 0}, {0, 0, -1, 0}, {0, CM_REAL(0.6), 0, CM_REAL(-0.8)}};
    const double pi = 3.14159265358979323846, angle[] = {0, 0, pi, pi, 2 * asin(0.6)};
    for (int i = 0; i < 5; ++i) {
        const cm_pose start = cm_pose_identity(), end = {{1, 2, 3}, turns[i]};
        cm_motion m;
        cm_pose at;
        cm_motion_between(&start, &end, &m);
        cm_motion own = m; /* poses may lie where the motion goes */
        cm_motion_between(&own.start, &end, &own);
        assert_memory_equal(&own, &m, sizeof m);
        own.start = end;
        cm_motion_between(&start, &own.start, &own);
        assert_memory_equal(&own, &m, sizeof m);
        const double spin = (double)cm_length(m.spin);
        check_that(fabs(spin - angle[i]) < 16 * (double)CM_REAL_EPSILON, "%d: spin %g, not %g", i, spin, angle[i]);
        cm_motion_at(&m, 1, &at);
        const double same = (double)(at.rotation.x * turns[i].x + at.rotation.y * turns[i].y +
                                     at.rotation.z * turns[i].z + at.rotation.w * turns[i].w);
        check_that(fabs(fabs(same) - 1) < 16 * (double)CM_REAL_EPSILON, "%d: %g", i, same);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_wrong_argument_of_a_plain_sweep_is_refused),
        cmocka_unit_test(each_wrong_argument_of_a_sweep_against_a_plane_is_refused),
        cmocka_unit_test(each_wrong_argument_of_a_sweep_of_shapes_is_refused),
        cmocka_unit_test(a_motion_may_be_as_long_as_coordinates_go),
        cmocka_unit_test(each_wrong_argument_of_a_refinement_is_refused),
        cmocka_unit_test(a_refinement_ends_at_its_tolerance),
        cmocka_unit_test(a_motion_starts_at_its_start),
        cmocka_unit_test(the_motion_between_two_poses_ends_at_the_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
