/* What lies on the floor of a mesh and is given 60 m/s along it comes to the wall of the same mesh, in every step on
 * its way, and lies still before. */
#include "dynamics/set_up.h"

#include "support/support.h"

#include <math.h>

static cm_mesh *floor_and_wall(void) { /* the floor z = 0, the wall x = 5 */
    static const cm_real points[] = {-10, -10, 0, 10, -10, 0, 10, 10, 0, -10, 10,  0,
                                     5,   -10, 0, 5,  10,  0, 5,  10, 3, 5,   -10, 3};
    static const uint32_t corners[] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
    cm_mesh_desc desc = {.points = points, .point_count = 8, .indices = corners, .triangle_count = 4};
    cm_mesh *mesh;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    return mesh;
}

static void it_comes_to_the_wall(const cm_mesh *mesh, bool box, uint32_t response) {
    const cm_dynamics_desc forces = {.gravity = {0, 0, CM_REAL(-9.81)}};
    const cm_world_object_desc ground = {.shape = cm_make_mesh(mesh), .fixed = true};
    const cm_body_desc loose = {.response = response, .friction = CM_REAL(0.5)};
    const cm_shape shape =
        box ? cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.5), CM_REAL(0.5))) : cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5));
    const double near = 1e-4;
    cm_world *world;
    cm_dynamics *bodies;
    uint32_t floor_id;
    cm_pose pose;
    set_up(NULL, &forces, &world, &bodies);
    assert_int_equal(cm_world_add(world, &ground, &floor_id, NULL), CM_OK);
    const uint32_t id = put_object(world, bodies, shape, cm_v(0, 0, CM_REAL(0.7)), &loose, CM_WORLD_SWEEP_ALWAYS);
    for (int i = 0; i < 60; i++) assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1) / 60), CM_OK);
    assert_int_equal(cm_world_get_pose(world, id, &pose), CM_OK);
    check_that(fabs((double)pose.position.x) < near && fabs((double)pose.position.z - 0.5) < near,
               "%s, response %u: it lies at " REAL_FORMAT " " REAL_FORMAT, box ? "box" : "ball", response,
               (double)pose.position.x, (double)pose.position.z);
    assert_int_equal(cm_dynamics_set_velocity(bodies, id, cm_v(60, 0, 0), cm_v(0, 0, 0)), CM_OK);
    double last = 0;
    for (int i = 0; i < 8; i++) {
        assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1) / 60), CM_OK);
        assert_int_equal(cm_world_get_pose(world, id, &pose), CM_OK);
        const double x = (double)pose.position.x;
        check_that(x > last + 0.5 || last > 3.9, "%s, response %u, step %d: from %.9g to %.9g", box ? "box" : "ball",
                   response, i, last, x);
        last = x;
    }
    check_that(fabs(last - 4.5) < 0.01, "%s, response %u: it ends at %.9g", box ? "box" : "ball", response, last);
    take_down(world, bodies);
}

static void what_slides_fast_on_a_mesh_comes_to_its_wall(void **state) {
    (void)state;
    static const uint32_t responses[] = {CM_RESPONSE_BOUNCE, CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART,
                                         CM_RESPONSE_SLIDE, CM_RESPONSE_SLIDE | CM_RESPONSE_PUSH_APART};
    cm_mesh *mesh = floor_and_wall();
    for (int box = 0; box < 2; box++)
        for (int i = 0; i < 4; i++) it_comes_to_the_wall(mesh, box, responses[i]);
    cm_mesh_destroy(mesh, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_slides_fast_on_a_mesh_comes_to_its_wall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
