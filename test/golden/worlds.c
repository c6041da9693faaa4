/* The same bits everywhere, of worlds: events, contacts, hits and queries over steps in which bodies of every kind
 * move, turn, bounce, come and go. The same for every broad phase and any number of threads. See golden.h. */
#include "golden.h"

enum { OBJECTS = 130, STEPS = 8 };

static cm_world_object_desc plain_object(const zoo *z, rng *r) {
    cm_world_object_desc d;
    memset(&d, 0, sizeof d);
    const uint32_t kind = rng_below(r, (uint32_t)z->count), dice = rng_below(r, 16);
    d.shape = z->shapes[kind];
    d.pose = plain_pose(r, 7);
    if (d.shape.kind == CM_SHAPE_HALFSPACE) d.shape = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5));
    d.fixed = dice < 3;
    d.trigger = dice == 3 || dice == 2;
    if (dice > 12) d.layer = 1u << rng_below(r, 3), d.mask = ~(1u << rng_below(r, 3));
    if (dice == 10) d.group = (int32_t)rng_below(r, 5) - 2;
    d.sweep = (cm_world_sweep_mode)rng_below(r, 3);
    d.user = dice;
    return d;
}

static cm_world_answer bounce(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                              cm_motion *rest_b) {
    uint64_t *h = user;
    (void)world;
    hash_number(h, (uint64_t)hit->a << 32 | hit->b), hash_real(h, hit->u);
    hash_vec3(h, hit->point), hash_vec3(h, hit->normal), hash_number(h, hit->part_a), hash_number(h, hit->part_b);
    hash_number(h, (uint64_t)hit->start), hash_number(h, (uint64_t)(hit->count_a * 16 + hit->count_b));
    if ((hit->a ^ hit->b) % 5 == 0) return CM_WORLD_PASS;
    if ((hit->a ^ hit->b) % 7 == 0) return CM_WORLD_STOP;
    cm_real along = cm_dot(cm_sub(rest_a->move, rest_b->move), hit->normal);
    rest_a->move = cm_mul_add(rest_a->move, -along, hit->normal);
    rest_b->move = cm_mul_add(rest_b->move, along, hit->normal);
    return CM_WORLD_GO;
}

static void hash_events(uint64_t *h, const cm_world *world) {
    cm_world_event_view view;
    cm_world_get_events(world, &view);
    hash_number(h, view.count);
    for (size_t i = 0; i < view.count; ++i) {
        const cm_world_event *e = &view.events[i];
        hash_number(h, (uint64_t)e->kind), hash_number(h, (uint64_t)e->a << 32 | e->b), hash_real(h, e->u);
        hash_number(h, e->user_a << 8 | e->user_b);
        for (int k = 0; k < e->manifold_count; ++k) hash_manifold(h, &e->manifolds[k]);
    }
}

static void hash_queries(uint64_t *h, const cm_world *world, const zoo *z, rng *r) {
    enum { MOST = 32 };
    for (int i = 0; i < 10; ++i) {
        cm_world_query query = {.triggers = i % 2 == 0, .blocking = i % 3 == 0};
        const cm_shape *shape = &z->shapes[1 + rng_below(r, 10)];
        cm_motion motion = {.start = plain_pose(r, 7)};
        motion.move = small_vec3(r, 6);
        if (i % 2) motion.spin = small_vec3(r, 1);
        cm_ray ray = {.max = CM_REAL_MAX};
        ray.origin = small_vec3(r, 8), ray.direction = small_vec3(r, 1);
        cm_world_ray_hit rays[MOST];
        cm_world_sweep_hit sweeps[MOST];
        uint32_t ids[MOST];
        cm_world_near near;
        uint32_t n = cm_world_raycast_all(world, &ray, &query, rays, MOST);
        hash_number(h, n);
        for (uint32_t k = 0; k < n && k < MOST; ++k) hash_number(h, rays[k].id), hash_real(h, rays[k].hit.t);
        n = cm_world_sweep_all(world, shape, &motion, &query, sweeps, MOST);
        hash_number(h, n);
        for (uint32_t k = 0; k < n && k < MOST; ++k) {
            hash_number(h, sweeps[k].id), hash_real(h, sweeps[k].hit.first), hash_vec3(h, sweeps[k].hit.normal);
            hash_number(h, sweeps[k].hit.blocking), hash_number(h, (uint64_t)sweeps[k].hit.start);
        }
        n = cm_world_overlap(world, shape, &motion.start, &query, ids, MOST);
        hash_number(h, n);
        for (uint32_t k = 0; k < n && k < MOST; ++k) hash_number(h, ids[k]);
        cm_real d = cm_world_distance(world, shape, &motion.start, 3, &query, &near);
        hash_real(h, d);
        if (d < CM_REAL_MAX) hash_number(h, near.id), hash_vec3(h, near.witness.normal);
    }
}

/* Draws what happens in a step: motions, some fast; here and there one goes, comes, is carried or filtered. */
static void draw_step(cm_world *world, const zoo *z, rng *r) {
    static uint32_t ids[4 * OBJECTS];
    uint32_t count = cm_world_get_ids(world, ids, 4 * OBJECTS);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t dice = rng_below(r, 100);
        cm_world_object_desc d = plain_object(z, r);
        cm_motion m = {.move = small_vec3(r, dice < 20 ? 4 : CM_REAL(0.25))};
        if (dice % 2) m.spin = small_vec3(r, 1);
        if (dice % 8 == 1) m.pivot = small_vec3(r, CM_REAL(0.5));
        if (dice < 70) cm_world_set_motion(world, ids[i], &m); /* fixed ones refuse */
        if (dice == 70) assert_int_equal(cm_world_remove(world, ids[i]), CM_OK);
        if (dice == 71) assert_int_equal(cm_world_add(world, &d, &ids[i], NULL), CM_OK);
        if (dice == 72) assert_int_equal(cm_world_set_pose(world, ids[i], &d.pose), CM_OK);
        if (dice == 73) assert_int_equal(cm_world_set_filter(world, ids[i], 1, 3, 0), CM_OK);
        if (dice == 74) assert_int_equal(cm_world_set_shape(world, ids[i], &d.shape, NULL), CM_OK);
    }
}

static uint64_t story(const zoo *z, cm_broad_kind kind, const cm_tasks *tasks) {
    cm_world_desc desc = {.kind = kind, .tasks = tasks, .margin = CM_REAL(0.02)};
    cm_world *world;
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    rng r = {66};
    uint64_t h = HASH_START;
    cm_world_object_desc ground = {.shape = z->shapes[12], .pose.position = {0, 0, -6}, .fixed = true};
    uint32_t id;
    assert_int_equal(ground.shape.kind, CM_SHAPE_HALFSPACE);
    assert_int_equal(cm_world_add(world, &ground, &id, NULL), CM_OK);
    for (int i = 0; i < OBJECTS; ++i) {
        cm_world_object_desc d = plain_object(z, &r);
        assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
    }
    size_t hits = 0, contacts = 0;
    for (int i = 0; i < STEPS; ++i) {
        cm_world_step step = {.hit = bounce, .user = &h};
        draw_step(world, z, &r);
        assert_int_equal(cm_world_update(world, &step), CM_OK);
        hash_events(&h, world);
        hash_queries(&h, world, z, &r);
        cm_world_stats stats;
        cm_world_get_stats(world, &stats);
        hits += stats.hits, contacts += stats.contacts;
        hash_number(&h, cm_world_hash(world));
    }
    check_that(hits > 100 && contacts > 100, "%zu hits, %zu contacts", hits, contacts);
    cm_world_destroy(world);
    return h;
}

static void worlds_have_the_same_bits_everywhere(void **state) {
    (void)state;
    zoo z;
    zoo_build(&z);
    cm_pool *pool;
    cm_tasks tasks;
    assert_int_equal(cm_pool_create(3, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    uint64_t h = story(&z, CM_BROAD_AUTO, NULL);
    check_that(story(&z, CM_BROAD_AUTO, &tasks) == h, "threads change the world");
    check_that(story(&z, CM_BROAD_BVH, NULL) == h, "the broad phase changes the world");
    cm_pool_destroy(pool);
    zoo_free(&z);
    check_hash(h, GOLDEN(0x3ccd6845275befca, 0xf3db2a4bd11a8e33));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(worlds_have_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
