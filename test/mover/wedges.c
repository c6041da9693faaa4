/* Movers in the wedge between a sloping floor and a sloping ceiling of one mesh that reaches far from its origin, so
 * that sweeps may leave and sink by about as much as the part of the skin that squeezing keeps: the bare shape never
 * overlaps anything. */
#include "support/support.h"

#include <math.h>

/* A large triangle through a point, square to a direction. */
static void add_side(cm_vec3 *points, cm_vec3 at, cm_vec3 normal) {
    const cm_vec3 axis = fabs((double)normal.x) < 0.6 ? cm_v(1, 0, 0) : cm_v(0, 0, 1);
    const cm_vec3 u = cm_normalize(cm_cross(normal, axis), axis), v = cm_cross(normal, u);
    points[0] = cm_mul_add(at, 30, u);
    points[1] = cm_add(cm_mul_add(at, -15, u), cm_scale(v, 26));
    points[2] = cm_add(cm_mul_add(at, -15, u), cm_scale(v, -26));
}

static void who_is_wedged_in_overlaps_nothing(void **state) {
    (void)state;
    rng r = rng_start("wedges", 501191);
    const int count = samples(150, 6000);
    int close = 0;
    for (int i = 0; i < count; i++) {
        cm_vec3 points[9], up = cm_v(0, 1, 0);
        const uint32_t indices[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
        const cm_vec3 middle = cm_add(cm_v(40, 1, 5), rng_vec3(&r, 3)), tilt = rng_vec3(&r, 0.3);
        const cm_vec3 floor = cm_normalize(cm_v(tilt.x, 1, tilt.z), up), lean = rng_vec3(&r, 0.6);
        add_side(points, cm_sub(middle, cm_v(0, CM_REAL(0.9), 0)), floor);
        add_side(points + 3, cm_add(middle, cm_v(0, CM_REAL(1.2), 0)), cm_normalize(cm_v(lean.x, -1, lean.z), up));
        for (int k = 0; k < 3; k++) points[6 + k] = cm_v(CM_REAL(-400 + k), -50, CM_REAL(300 - k * k)); /* far */
        const cm_mesh_desc desc = {.points = &points[0].x, .point_count = 9, .indices = indices, .triangle_count = 3};
        cm_mesh *mesh;
        assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
        const cm_shape level = cm_make_mesh(mesh);
        cm_mover mover = {
            .shape = i % 2 ? cm_make_box(cm_v(CM_REAL(0.3), CM_REAL(0.9), CM_REAL(0.25)))
                           : cm_make_capsule(cm_v(0, CM_REAL(-0.6), 0), cm_v(0, CM_REAL(0.6), 0), CM_REAL(0.3))};
        const cm_mover_space space = {.shape = &level};
        cm_pose pose = cm_pose_identity(), home = pose;
        pose.position = middle;
        for (int k = 0; k < 40 && !cm_mover_teleport(&mover, &space, &pose); k++)
            pose.position = cm_add(middle, rng_vec3(&r, 2));
        cm_vec3 velocity = cm_v(0, 0, 0), wish = velocity;
        for (int frame = 0; frame < 120; frame++) {
            cm_mover_result result;
            if (frame % 20 == 0) wish = rng_vec3(&r, 5);
            velocity = cm_v(wish.x, velocity.y - CM_REAL(1.0 / 6), wish.z);
            assert_int_equal(cm_mover_step(&mover, &space, velocity, CM_REAL(1.0 / 60), &result), CM_OK);
            const cm_real distance = cm_distance(&mover.shape, &mover.pose, &level, &home, 4, NULL);
            check_that(result.crushed || distance > 0, "wedge %d: %g deep, frame %d", i, -(double)distance, frame);
            close += distance < CM_REAL(0.004);
            velocity = result.velocity;
        }
        cm_mesh_destroy(mesh, NULL);
    }
    check_that(close > 10 * count, "%d frames beside a side in %d wedges", close, count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_wedged_in_overlaps_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
