/* The same bits everywhere, of dynamics: bodies of every kind with masses fall onto a ground, bounce, slide, roll, push
 * apart, halt and vanish; their states and the world's events over a second. The same for any number of
 * threads, and where the state was saved and restored on the way. See golden.h. */
#include "golden.h"

enum { BODIES = 34, STEPS = 60 };

typedef struct stage {
    cm_world *world;
    cm_dynamics *bodies;
} stage;

static stage stage_open(const cm_tasks *tasks) {
    stage s;
    cm_world_desc desc = {.tasks = tasks};
    cm_dynamics_desc forces = {.gravity = cm_v(0, 0, CM_REAL(-9.75))};
    assert_int_equal(cm_world_create(&desc, &s.world, NULL), CM_OK);
    assert_int_equal(cm_dynamics_create(s.world, &forces, &s.bodies), CM_OK);
    assert_int_equal(cm_dynamics_set_response(s.bodies, 3, 3, CM_RESPONSE_SLIDE | CM_RESPONSE_PUSH_APART), CM_OK);
    return s;
}
static void stage_close(stage *s) {
    cm_dynamics_destroy(s->bodies);
    cm_world_destroy(s->world);
}

static void add_body(stage *s, const zoo *z, int i, rng *r) {
    static const uint32_t responses[] = {CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART,
                                         CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART,
                                         CM_RESPONSE_SLIDE | CM_RESPONSE_PUSH_APART,
                                         CM_RESPONSE_HALT,
                                         CM_RESPONSE_VANISH,
                                         CM_RESPONSE_REPORT};
    cm_world_object_desc object = {.shape = z->shapes[i % z->count], .pose = plain_pose(r, 5)};
    cm_body_desc body = {.velocity = small_vec3(r, 3)};
    body.spin = small_vec3(r, 2);
    uint32_t id;
    if (object.shape.kind == CM_SHAPE_HALFSPACE) object.shape = z->shapes[5];
    object.sweep = (cm_world_sweep_mode)rng_below(r, 2);
    object.pose.position.z += 6;
    body.mass = 1 + (cm_real)rng_below(r, 4);
    body.restitution = (cm_real)rng_below(r, 5) / 4;
    body.friction = (cm_real)rng_below(r, 4) / 4;
    body.driven = i % 23 == 9;
    body.weightless = i % 11 == 3;
    body.response = responses[rng_below(r, 6)];
    body.kind = rng_below(r, 4);
    assert_int_equal(cm_world_add(s->world, &object, &id, NULL), CM_OK);
    assert_int_equal(cm_dynamics_add(s->bodies, id, &body), CM_OK);
}

static void hash_state(uint64_t *h, const stage *s) {
    static uint32_t ids[2 * BODIES];
    uint32_t count = cm_world_get_ids(s->world, ids, 2 * BODIES);
    hash_number(h, count);
    for (uint32_t i = 0; i < count; ++i) {
        cm_pose pose;
        cm_body_state b;
        assert_int_equal(cm_world_get_pose(s->world, ids[i], &pose), CM_OK);
        hash_pose(h, &pose);
        if (cm_dynamics_get(s->bodies, ids[i], &b) != CM_OK) continue; /* the ground */
        hash_vec3(h, b.velocity), hash_vec3(h, b.spin), hash_vec3(h, b.center), hash_real(h, b.mass);
        hash_vec3(h, b.momentum), hash_vec3(h, b.angular_momentum), hash_real(h, b.energy), hash_number(h, b.halted);
    }
    hash_number(h, cm_dynamics_hash(s->bodies));
}

static void hash_events(uint64_t *h, const cm_world *world) {
    cm_world_event_view view;
    cm_world_get_events(world, &view);
    hash_number(h, view.count);
    for (size_t i = 0; i < view.count; ++i) {
        const cm_world_event *e = &view.events[i];
        hash_number(h, (uint64_t)e->kind), hash_number(h, (uint64_t)e->a << 32 | e->b), hash_real(h, e->u);
        for (int k = 0; k < e->manifold_count; ++k) hash_manifold(h, &e->manifolds[k]);
    }
}

/* Into another stage by way of bytes. */
static void move_on(stage *s, const zoo *z) {
    const cm_world_shapes table = {z->shapes, (uint32_t)z->count};
    stage next = stage_open(NULL);
    size_t size = cm_dynamics_save(s->bodies, &table, NULL, 0);
    assert_true(size > 0);
    void *bytes = malloc(size);
    assert_int_equal(cm_dynamics_save(s->bodies, &table, bytes, size), size);
    assert_int_equal(cm_dynamics_restore(next.bodies, &table, bytes, size), CM_OK);
    free(bytes);
    stage_close(s);
    *s = next;
}

static uint64_t story(const zoo *z, const cm_tasks *tasks, bool saved) {
    stage s = stage_open(tasks);
    rng r = {67};
    uint64_t h = HASH_START;
    cm_world_object_desc ground = {.shape = cm_make_box(cm_v(12, 12, 1)), .fixed = true};
    uint32_t id;
    assert_int_equal(cm_world_add(s.world, &ground, &id, NULL), CM_OK);
    for (int i = 0; i < BODIES; ++i) add_body(&s, z, i, &r);
    size_t hits = 0;
    for (int i = 0; i < STEPS; ++i) {
        assert_int_equal(cm_dynamics_step(s.bodies, CM_REAL(1) / 60), CM_OK);
        hash_events(&h, s.world);
        if (i % 10 == 9) hash_state(&h, &s);
        cm_world_stats stats;
        cm_world_get_stats(s.world, &stats);
        hits += stats.hits;
        if (saved && i == STEPS / 2) move_on(&s, z);
    }
    check_that(hits > 30, "%zu hits", hits);
    stage_close(&s);
    return h;
}

static void bodies_have_the_same_bits_everywhere(void **state) {
    (void)state;
    zoo z;
    zoo_build(&z);
    cm_pool *pool;
    cm_tasks tasks;
    assert_int_equal(cm_pool_create(3, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    uint64_t h = story(&z, NULL, false);
    check_that(story(&z, &tasks, false) == h, "threads change the bodies");
    check_that(story(&z, NULL, true) == h, "bytes change the bodies");
    cm_pool_destroy(pool);
    zoo_free(&z);
    check_hash(h, GOLDEN(0x251c51e0af040630, 0xa33a133866742605));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_have_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
