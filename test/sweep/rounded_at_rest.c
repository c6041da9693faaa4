/* Rounded bodies that rest on flat ground, boxes, meshes and height fields, and are pulled down as they roll or yaw:
 * the sweep ends before they are deeper than at the start by more than the gap that it promises, whatever form the
 * ground has. The axis of what rolls is off its own by rounding, as it is after some steps of any simulation. */
#include "support/standing.h"

#include <math.h>

enum { BODY_LOG, BODY_BALL, BODY_ROUNDED_BOX, BODY_ROUNDED_HULL, BODIES };
static const char *const body_names[BODIES] = {"capsule, lying", "ball", "rounded box", "rounded hull"};

/* Each is 1/2 high over its foot. */
static cm_shape body_of(int kind, const cm_hull *cube) {
    const cm_real r = CM_REAL(0.25);
    cm_shape hull = cm_make_hull(cube);
    hull.radius = r;
    switch (kind) {
    case BODY_LOG:
        return cm_make_capsule(cm_v(-r, 0, 0), cm_v(r, 0, 0), 2 * r);
    case BODY_BALL:
        return cm_make_sphere(cm_v(0, 0, 0), 2 * r);
    case BODY_ROUNDED_BOX:
        return cm_make_rounded_box(cm_v(r, r, r), r);
    default:
        return hull;
    }
}

/* It rolls along y, or yaws, and falls. */
static cm_motion motion_of(int kind, rng *r) {
    cm_motion m = {.start = cm_pose_at(cm_v(CM_REAL(rng_range(r, -1, 1)), CM_REAL(rng_range(r, -1, 1)), 1))};
    m.accelerate.z = CM_REAL(-rng_log_range(r, 1e-4, 1e-2));
    if (kind >= BODY_ROUNDED_BOX) {
        m.spin.z = CM_REAL(rng_range(r, -1, 1));
        return m;
    }
    const double angle = rng_range(r, 0, 3), off = rng_log_range(r, 1e-19, 1e-17);
    m.start.rotation = (cm_quat){CM_REAL(sin(angle)), 0, CM_REAL(off), CM_REAL(cos(angle))};
    m.move.y = CM_REAL(rng_range(r, -0.1, 0.1));
    m.spin = cm_v(-2 * m.move.y, CM_REAL(off), 0);
    return m;
}

static void what_is_round_sinks_into_no_form_of_the_ground(void **state) {
    (void)state;
    rng r = rng_start("rounded at rest", 2711);
    const cm_vec3 half = cm_v(2, 2, CM_REAL(0.5));
    form cube;
    form_box(&cube, FORM_HULL, cm_v(CM_REAL(0.25), CM_REAL(0.25), CM_REAL(0.25)), &r);
    for (int kind = 0; kind < FORM_KINDS; kind++) {
        form ground;
        form_box(&ground, (form_kind)kind, half, &r);
        const cm_motion still = {.start = cm_pose_identity()};
        for (int i = 0, count = samples(200, 4000); i < count; i++) {
            const cm_shape body = body_of(i % BODIES, cube.hull);
            const cm_motion falls = motion_of(i % BODIES, &r);
            cm_sweep_hit hit;
            const bool met = cm_sweep(&body, &falls, &ground.shape, &still, &hit);
            check_that(met && hit.blocking, "%s on %s: %d", body_names[i % BODIES], form_names[kind], met);
            /* G is less than 16 epsilons of 4, for the places, and of 5, for the sizes and the turn */
            const double sunk = -(double)falls.accelerate.z * (double)hit.first * (double)hit.first / 2;
            check_that(sunk <= 144 * (double)CM_REAL_EPSILON, "%s on %s, pulled by %g: sunk by %g at %g",
                       body_names[i % BODIES], form_names[kind], (double)falls.accelerate.z, sunk, (double)hit.first);
        }
        form_free(&ground);
    }
    form_free(&cube);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_round_sinks_into_no_form_of_the_ground)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
