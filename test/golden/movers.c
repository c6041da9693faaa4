/* The same bits everywhere, of movers: shapes of every convex kind walk for two seconds each over boxes, a mesh, a
 * height field and a turning platform; their poses, grounds and hits. See golden.h. */
#include "golden.h"

enum { FRAMES = 120 };

static uint32_t add(cm_world *world, cm_shape shape, cm_pose pose, bool fixed) {
    cm_world_object_desc object = {.shape = shape, .pose = pose, .fixed = fixed};
    uint32_t id;
    assert_int_equal(cm_world_add(world, &object, &id, NULL), CM_OK);
    return id;
}

static void hash_step(uint64_t *h, const cm_mover *m, const cm_mover_result *r) {
    hash_pose(h, &m->pose);
    hash_number(h, (uint64_t)m->ground.kind);
    hash_vec3(h, m->ground.velocity);
    if (m->ground.kind != CM_MOVER_AIR)
        hash_vec3(h, m->ground.normal), hash_vec3(h, m->ground.point), hash_number(h, m->ground.part);
    hash_vec3(h, r->velocity), hash_vec3(h, r->moved);
    hash_number(h, (uint64_t)(r->crushed + 2 * r->climbed + 4 * r->sweeps));
    for (int i = 0; i < r->hit_count; ++i)
        hash_vec3(h, r->hits[i].point), hash_vec3(h, r->hits[i].normal), hash_real(h, r->hits[i].speed);
}

static void movers_have_the_same_bits_everywhere(void **state) {
    (void)state;
    zoo z;
    zoo_build(&z);
    rng r = {99};
    cm_world *world;
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    add(world, cm_make_box(cm_v(12, 12, 1)), cm_pose_at(cm_v(0, 0, -1)), true);
    for (int i = 0; i < 40; ++i) { /* composites and boxes, half sunk into the floor */
        cm_shape shape = i % 3 ? cm_make_box(cm_v(1, CM_REAL(0.5), CM_REAL(0.25)))
                               : z.shapes[z.count - 1 - (int)rng_below(&r, (uint32_t)z.composites)];
        cm_pose pose = plain_pose(&r, 10);
        pose.position.z = small_number(&r) / 2;
        if (i % 3) pose.rotation = cm_quat_normalize((cm_quat){0, 0, pose.rotation.z, CM_REAL(0.5)});
        add(world, shape, pose, true);
    }
    uint32_t table = add(world, cm_make_box(cm_v(3, 3, CM_REAL(0.125))), cm_pose_at(cm_v(0, 0, CM_REAL(0.25))), false);
    uint64_t h = HASH_START;
    int stood = 0, climbed = 0;
    for (int i = 0; i < z.count - z.composites; ++i) {
        if (z.shapes[i].kind >= CM_SHAPE_HALFSPACE) continue;
        cm_mover mover = {.shape = z.shapes[i], .up = {0, 0, 1}, .pose = cm_pose_at(small_vec3(&r, 8))};
        mover.pose.position.z = 3;
        cm_mover_space space = {.world = world};
        cm_vec3 velocity = small_vec3(&r, 5);
        for (int k = 0; k < FRAMES; ++k) {
            cm_motion turn = {.spin = {0, 0, CM_REAL(0.0625)}};
            assert_int_equal(cm_world_set_motion(world, table, &turn), CM_OK);
            assert_int_equal(cm_world_update(world, NULL), CM_OK);
            if (k % 30 == 29) velocity = small_vec3(&r, 5);
            velocity.z -= CM_REAL(0.1875);
            cm_mover_result result;
            assert_int_equal(cm_mover_step(&mover, &space, velocity, CM_REAL(1) / 60, &result), CM_OK);
            velocity.z = result.velocity.z;
            hash_step(&h, &mover, &result);
            stood += mover.ground.kind == CM_MOVER_FIRM;
            climbed += result.climbed;
        }
    }
    check_that(stood > 300 && climbed > 5, "%d stood, %d climbed", stood, climbed);
    cm_world_destroy(world);
    zoo_free(&z);
    check_hash(h, GOLDEN(0x8a5f22a90761c305, 0x209cb7fc8dc07b8e));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(movers_have_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
