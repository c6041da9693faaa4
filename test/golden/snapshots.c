/* The same bytes everywhere, of saved states: on every width of a pointer and order of bytes, so that a state moves
 * between machines and the browser. Shapes of every kind, some in a table; objects that were removed, pairs in touch,
 * pending motions; bodies. See golden.h. */
#include "golden.h"

enum { OBJECTS = 40 };

static uint64_t hash_of_bytes(const unsigned char *bytes, size_t size) {
    uint64_t h = HASH_START;
    for (size_t i = 0; i < size; ++i) hash_number(&h, bytes[i]);
    hash_number(&h, size);
    return h;
}

static void saved_states_have_the_same_bytes_everywhere(void **state) {
    (void)state;
    zoo z;
    zoo_build(&z);
    const cm_world_shapes table = {z.shapes, (uint32_t)z.count};
    cm_world *world;
    cm_dynamics *bodies;
    cm_dynamics_desc forces = {.gravity = cm_v(0, 0, CM_REAL(-9.75))};
    rng r = {68};
    uint32_t ids[OBJECTS];
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    assert_int_equal(cm_dynamics_create(world, &forces, &bodies), CM_OK);
    for (int i = 0; i < OBJECTS; ++i) {
        cm_world_object_desc d = {.shape = z.shapes[i % z.count], .pose = plain_pose(&r, 3), .user = (uint64_t)i << 33};
        if (d.shape.kind == CM_SHAPE_HALFSPACE) d.fixed = true;
        if (i % 3 == 0) d.shape = cm_make_box(cm_v(1, CM_REAL(0.5), CM_REAL(0.25) * (cm_real)(1 + i % 4)));
        d.group = i % 7 - 3;
        assert_int_equal(cm_world_add(world, &d, &ids[i], NULL), CM_OK);
        cm_body_desc body = {.velocity = small_vec3(&r, 1), .mass = 2, .friction = CM_REAL(0.5)};
        if (!d.fixed && i % 4) assert_int_equal(cm_dynamics_add(bodies, ids[i], &body), CM_OK);
    }
    assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1) / 64), CM_OK);
    for (int i = 5; i < OBJECTS; i += 9) assert_int_equal(cm_world_remove(world, ids[i]), CM_OK);
    const cm_motion away = {.start = cm_pose_identity(), .move = cm_v(1, 2, 3), .spin = cm_v(0, 0, 1)};
    assert_int_equal(cm_world_set_motion(world, ids[1], &away), CM_OK);
    static unsigned char bytes[1 << 16], again[1 << 16];
    const size_t size = cm_dynamics_save(bodies, &table, bytes, sizeof bytes);
    check_that(size > 0 && size <= sizeof bytes, "%zu bytes", size);
    assert_int_equal(cm_dynamics_restore(bodies, &table, bytes, size), CM_OK);
    assert_int_equal(cm_dynamics_save(bodies, &table, again, sizeof again), size);
    assert_memory_equal(bytes, again, size);
    cm_dynamics_destroy(bodies);
    cm_world_destroy(world);
    zoo_free(&z);
    check_hash(hash_of_bytes(bytes, size), GOLDEN(0x91cad349af493eba, 0x3eee99747323bd67));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(saved_states_have_the_same_bytes_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
