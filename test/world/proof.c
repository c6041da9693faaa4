/* A sweep that runs out of steps is no hit: it says until when it is safe, a world holds both there and says so. */
#include "scene.h"

#include "carom/dynamics.h"

/* A box whose edges pass a wall by a hundredth, more than a thousand times in one step. */
static cm_motion whirl(void) {
    const cm_real reach = CM_REAL(0.42426407), gap = CM_REAL(0.01);
    cm_motion m = {.start = cm_pose_at(cm_v(1 + reach + gap, 0, 0)), .spin = {0, 0, 2000}};
    return m;
}
static cm_shape box_of(double x, double y, double z) { return cm_make_box(cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z))); }

static void a_sweep_without_a_proof_says_until_when_it_is_safe(void **state) {
    (void)state;
    const cm_shape a = box_of(0.3, 0.3, 0.5), wall = box_of(1, 1, 1);
    cm_motion m = whirl();
    const cm_motion still = {.start = cm_pose_identity()};
    cm_sweep_hit h;
    assert_true(cm_sweep(&a, &m, &wall, &still, &h));
    check_that(h.proof == CM_PROOF_LIMIT && h.blocking && h.start == CM_SWEEP_SEPARATED,
               "proof %d, blocking %d, start %d", h.proof, h.blocking, h.start);
    check_that(h.free_until == h.first && h.first > 0 && h.first < 1, "free until %g, first %g", (double)h.free_until,
               (double)h.first);
    for (int i = 0; i <= 1000; i++) {
        cm_pose pose;
        cm_motion_at(&m, h.free_until * (cm_real)i / 1000, &pose);
        check_that(!cm_overlap(&a, &pose, &wall, &still.start), "they overlap at %g of it", i / 1000.0);
    }
    m.spin.z = 1; /* and what is proved is no limit */
    check_that(!cm_sweep(&a, &m, &wall, &still, &h), "a miss is met at %g", (double)h.first);
    m.move.x = -1;
    assert_true(cm_sweep(&a, &m, &wall, &still, &h));
    check_that(h.proof == CM_PROOF_CONTACT && h.free_until == h.first, "proof %d", h.proof);
    m.start.position.x = 0; /* from within */
    assert_true(cm_sweep(&a, &m, &wall, &still, &h));
    check_that(h.proof == CM_PROOF_CONTACT && h.free_until == 0, "proof %d, free until %g", h.proof,
               (double)h.free_until);
}

static cm_world_answer count_hits(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *a, cm_motion *b) {
    (void)world, (void)hit, (void)a, (void)b;
    ++*(int *)user;
    return CM_WORLD_GO;
}

static void a_world_holds_both_at_a_limit_and_asks_nobody(void **state) {
    (void)state;
    cm_world *world;
    const cm_motion m = whirl();
    cm_world_object_desc wall = {.shape = box_of(1, 1, 1), .fixed = true};
    cm_world_object_desc object = {.shape = box_of(0.3, 0.3, 0.5), .pose = m.start};
    uint32_t wall_id, id;
    int asked = 0;
    const cm_world_step step = {count_hits, &asked};
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    assert_int_equal(cm_world_add(world, &wall, &wall_id, NULL), CM_OK);
    assert_int_equal(cm_world_add(world, &object, &id, NULL), CM_OK);
    cm_sweep_hit h;
    const cm_motion still = {.start = cm_pose_identity()};
    assert_true(cm_sweep(&wall.shape, &still, &object.shape, &m, &h));
    cm_world_set_motion(world, id, &m);
    assert_int_equal(cm_world_update(world, &step), CM_OK);
    const cm_world_event *limit = scene_event(world, CM_WORLD_LIMIT, wall_id, id);
    assert_non_null(limit);
    check_that(limit->u == h.free_until, "held at %.9g, safe until %.9g", (double)limit->u, (double)h.free_until);
    assert_null(scene_event(world, CM_WORLD_HIT, wall_id, id));
    assert_null(scene_event(world, CM_WORLD_BEGAN, wall_id, id));
    assert_int_equal(asked, 0);
    cm_world_stats stats;
    cm_world_get_stats(world, &stats);
    check_that(stats.limits == 1 && stats.hits == 0, "%zu limits, %zu hits", stats.limits, stats.hits);
    cm_pose is, must;
    cm_world_get_pose(world, id, &is);
    cm_motion_at(&m, h.free_until, &must);
    const cm_vec3 x = cm_rotate(is.rotation, cm_v(1, 0, 0)), y = cm_rotate(must.rotation, cm_v(1, 0, 0));
    check_that(cm_dot(x, y) > CM_REAL(0.999), "it is turned elsewhere than at u = %.9g", (double)h.free_until);
    cm_world_destroy(world);
}

/* Held for almost all of a step: no more speed than gravity gives in the time that it moved. */
static void what_is_held_gathers_no_gravity(void **state) {
    (void)state;
    cm_world *world;
    cm_dynamics *bodies;
    const cm_motion m = whirl();
    cm_world_object_desc wall = {.shape = box_of(1, 1, 1), .fixed = true};
    cm_world_object_desc object = {.shape = box_of(0.3, 0.3, 0.5), .pose = m.start};
    const cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
    const cm_body_desc body = {.spin = m.spin, .mass = 1, .response = CM_RESPONSE_BOUNCE};
    uint32_t id;
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    assert_int_equal(cm_dynamics_create(world, &desc, &bodies), CM_OK);
    assert_int_equal(cm_world_add(world, &wall, &id, NULL), CM_OK);
    const uint32_t wall_id = id;
    assert_int_equal(cm_world_add(world, &object, &id, NULL), CM_OK);
    assert_int_equal(cm_dynamics_add(bodies, id, &body), CM_OK);
    assert_int_equal(cm_dynamics_step(bodies, 1), CM_OK);
    const cm_world_event *limit = scene_event(world, CM_WORLD_LIMIT, wall_id, id);
    assert_non_null(limit);
    cm_body_state s;
    assert_int_equal(cm_dynamics_get(bodies, id, &s), CM_OK);
    check_that(limit->u < CM_REAL(0.5) && s.velocity.z >= -10 * limit->u * CM_REAL(1.001), "held at %g, speed %g",
               (double)limit->u, (double)s.velocity.z);
    cm_dynamics_destroy(bodies);
    cm_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sweep_without_a_proof_says_until_when_it_is_safe),
        cmocka_unit_test(a_world_holds_both_at_a_limit_and_asks_nobody),
        cmocka_unit_test(what_is_held_gathers_no_gravity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
