/* What stands on the ground and slides, spins about the normal or, being round, rolls is not held: on flat ground, on
 * slopes, on meshes. */
#include "support/meshes.h"
#include "support/support.h"

#include <math.h>

enum { BODY_KINDS = 8, GROUND_KINDS = 4 };

/* Stands with its lowest points on z = 0; `axis` is the body's own, in the world, where it lies and may roll. */
typedef struct standing_body {
    cm_shape shape;
    cm_pose pose;
    cm_vec3 axis;
} standing_body;

static const cm_quat lying = {0, CM_REAL(0.70710678118654752), 0, CM_REAL(0.70710678118654752)}; /* z goes to x */

static standing_body body_of(int kind, rng *r) {
    const cm_real a = CM_REAL(0.125) * (cm_real)(1 + rng_below(r, 8)),
                  b = CM_REAL(0.125) * (cm_real)(1 + rng_below(r, 8));
    standing_body s = {.pose = cm_pose_at(cm_v(0, 0, a))};
    switch (kind) {
    case 0:
        s.shape = cm_make_sphere(cm_v(0, 0, 0), a), s.axis = rng_direction(r);
        break;
    case 1:
        s.shape = cm_make_box(cm_v(b, a, a));
        break;
    case 2:
        s.shape = cm_make_cylinder(b, a);
        break; /* on its end */
    case 3:
        s.shape = cm_make_cone(b, a);
        break;
    case 4:
        s.shape = cm_make_cylinder(a, b), s.axis = cm_v(1, 0, 0);
        break;
    case 5:
        s.shape = cm_make_capsule(cm_v(0, 0, -b), cm_v(0, 0, b), a), s.axis = cm_v(1, 0, 0);
        break;
    case 6:
        s.shape = cm_make_ellipsoid(cm_v(a, a, b)), s.axis = cm_v(1, 0, 0);
        break;
    default:
        s.shape = cm_make_rounded_box(cm_v(a / 2, b, a / 2), a / 2);
        break;
    }
    if (s.axis.x == 1) s.pose.rotation = lying;
    return s;
}

static void what_slides_spins_or_rolls_is_not_held(void **state) {
    (void)state;
    rng r = rng_start("rolling", 1718);
    cm_mesh *meshes[2] = {mesh_box(cm_v(-32, -32, -2), cm_v(32, 32, 0), true),
                          mesh_box(cm_v(-32, -32, -2), cm_v(32, 32, 0), false)};
    const cm_shape grounds[GROUND_KINDS] = {cm_make_halfspace(cm_v(0, 0, 1), 0), cm_make_box(cm_v(32, 32, 1)),
                                            cm_make_mesh(meshes[0]), cm_make_mesh(meshes[1])};
    const int count = samples(10000, 1000000);
    int held = 0, met = 0, dug = 0;
    for (int i = 0; i < count; i++) {
        const int kind = i % BODY_KINDS, ground = (i / BODY_KINDS) % GROUND_KINDS;
        const standing_body s = body_of(kind, &r);
        const bool slope = rng_below(&r, 2);
        cm_pose tilt = cm_pose_identity();
        if (slope) tilt.rotation = rng_rotation(&r);
        cm_motion m = {.start = s.pose}, still = {.start = cm_pose_identity()};
        if (ground == 1) still.start.position.z = -1;
        const double far = rng_log_range(&r, 1e-3, 1);
        m.move = cm_v((cm_real)rng_range(&r, -far, far), (cm_real)rng_range(&r, -far, far), 0);
        if (rng_below(&r, 4)) m.spin = cm_v(0, 0, (cm_real)rng_range(&r, -3, 3));
        if (cm_largest(s.axis) > 0 && rng_below(&r, 4)) m.spin = cm_scale(s.axis, (cm_real)rng_range(&r, -6, 6));
        still.start = cm_pose_mul(&tilt, &still.start), m.start = cm_pose_mul(&tilt, &m.start);
        m.move = cm_rotate(tilt.rotation, m.move), m.spin = cm_rotate(tilt.rotation, m.spin);
        cm_sweep_hit h;
        const bool hit = cm_sweep(&s.shape, &m, &grounds[ground], &still, &h);
        met += hit;
        held += hit && h.blocking;
        check_that(!hit || !h.blocking, "sample %d: %s on %s, slope %d: held at %g, start %d, proof %d", i,
                   cm_kind_name(s.shape.kind), cm_kind_name(grounds[ground].kind), slope, (double)h.first, h.start,
                   h.proof);
        m.move = cm_add(m.move, cm_rotate(tilt.rotation, cm_v(0, 0, CM_REAL(-0.0625)))); /* but down it is */
        dug += cm_sweep(&s.shape, &m, &grounds[ground], &still, &h) && h.blocking;
    }
    check_that(met > count / 4 && dug == count, "%d of %d met the ground, %d dug in", met, count, dug);
    promise_seen("What slides, spins about the normal or rolls on plane, box and mesh, level and aslant, is not held",
                 count, "%d held", held);
    printf("  %d of %d touch at the start, %d held\n", met, count, held);
    for (int i = 0; i < 2; i++) cm_mesh_destroy(meshes[i], NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_slides_spins_or_rolls_is_not_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
