/* Memory: none is asked for in steady state, it stays flat over a million steps, and whichever allocation fails, the
 * world is as it was or tells later what it owes. */
#include "zoo.h"

#include <inttypes.h>

static cm_world_answer swap_along(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                  cm_motion *rest_b) {
    (void)user, (void)world;
    if ((hit->a ^ hit->b) % 5 == 0) return CM_WORLD_PASS;
    cm_real along = cm_dot(cm_sub(rest_a->move, rest_b->move), hit->normal);
    rest_a->move = cm_mul_add(rest_a->move, -along, hit->normal);
    rest_b->move = cm_mul_add(rest_b->move, along, hit->normal);
    return CM_WORLD_GO;
}

/* Motions drawn from the step's number alone; toward the middle for what is far out. */
static void set_motions(cm_world *world, const uint32_t *ids, uint32_t count, int number, double room) {
    rng r = {.state = 500 + (uint64_t)number};
    for (uint32_t i = 0; i < count; i++) {
        cm_pose pose;
        cm_motion m = scene_motion(&r, rng_below(&r, 4) ? 0.1 : room / 2, 0.3);
        if (cm_world_get_pose(world, ids[i], &pose) != CM_OK) continue;
        if ((double)cm_largest(pose.position) > room) m.move = cm_scale(pose.position, CM_REAL(-0.25));
        cm_world_set_motion(world, ids[i], &m); /* fixed ones refuse */
    }
}

static void steady_state_allocates_nothing(void **state) {
    (void)state;
    enum { COUNT = 200, ROUND = 20 };
    counting_allocator c;
    counting_allocator_start(&c, 0);
    cm_world_desc desc = {.mem = &c.mem};
    cm_world_step step = {.hit = swap_along};
    cm_world *world;
    rng r = rng_start("steady", 77);
    uint32_t ids[COUNT];
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    for (int i = 0; i < COUNT; i++) {
        cm_world_object_desc d = i % 2 ? zoo_object(&r, 5) : scene_object(&r, 5);
        assert_int_equal(cm_world_add(world, &d, &ids[i], NULL), CM_OK);
    }
    const int steps = samples(160, 2000);
    for (int n = 0; n < steps; n++) {
        set_motions(world, ids, COUNT, n % ROUND, 5);
        assert_int_equal(cm_world_update(world, &step), CM_OK);
    }
    size_t calls = c.calls;
    for (int n = 0; n < steps / 2; n++) assert_int_equal(cm_world_update(world, &step), CM_OK);
    check_that(c.calls == calls, "%zu calls at rest", c.calls - calls);
    for (int n = 0; n < steps; n++) {
        set_motions(world, ids, COUNT, n % ROUND, 5);
        assert_int_equal(cm_world_update(world, &step), CM_OK);
    }
    /* now and then there are more pairs than ever, sooner after the 40 steps of a quarter of the samples */
    check_that(c.calls - calls <= 8, "%zu calls in %d steps", c.calls - calls, steps);
    cm_world_destroy(world);
    assert_int_equal(c.live_blocks, 0);
}

/* Eight bodies in a room, a million steps in the deep run. First all at one point, so that there never are more pairs
 * than there were; from then on only the queue of the hits may once be longer than ever before. */
static void memory_is_flat_over_many_steps(void **state) {
    (void)state;
    enum { COUNT = 8 };
    counting_allocator c;
    counting_allocator_start(&c, 0);
    cm_world_desc desc = {.mem = &c.mem};
    cm_world_step step = {.hit = swap_along};
    cm_world *world;
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    rng r = rng_start("million", 6);
    uint32_t ids[COUNT];
    for (int i = 0; i < COUNT; i++) {
        cm_world_object_desc d = {.shape = i % 2 ? cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.3)) : scene_shape(&r)};
        assert_int_equal(cm_world_add(world, &d, &ids[i], NULL), CM_OK);
    }
    const int steps = samples(8000, 1000000), early = steps / 10;
    size_t calls = 0, bytes = 0, events = 0;
    for (int n = 0; n < steps; n++) {
        for (int i = 0; i < COUNT; i++) {
            cm_pose pose;
            assert_int_equal(cm_world_get_pose(world, ids[i], &pose), CM_OK);
            assert_true(cm_pose_is_valid(&pose));
            cm_motion m = scene_motion(&r, n < 20 ? 0.01 : 1, 1);
            m.move = cm_mul_add(m.move, CM_REAL(-0.1), pose.position);
            assert_int_equal(cm_world_set_motion(world, ids[i], &m), CM_OK);
        }
        assert_int_equal(cm_world_update(world, &step), CM_OK);
        events += scene_event_count(world);
        if (n == early) calls = c.calls, bytes = c.live_bytes;
    }
    check_that(c.live_bytes <= bytes + bytes / 50 && c.calls <= calls + 8, "%zu bytes, then %zu; %zu calls", bytes,
               c.live_bytes, c.calls - calls);
    check_that(events > (size_t)steps, "%zu events", events);
    cm_world_destroy(world);
    assert_int_equal(c.live_blocks, 0);
}

/* --- allocations that fail --------------------------------------------------------------------------------------- */

enum { FEW = 18 };

typedef struct told {
    uint32_t began, ended;
} told;

static void count_told(const cm_world *world, told *t) {
    cm_world_event_view v;
    cm_world_get_events(world, &v);
    for (size_t k = 0; k < v.count; k++) {
        t->began += v.events[k].kind == CM_WORLD_BEGAN || v.events[k].kind == CM_WORLD_ENTERED;
        t->ended += v.events[k].kind == CM_WORLD_ENDED || v.events[k].kind == CM_WORLD_LEFT;
    }
}

static void update_until_it_works(cm_world *world, told *t) {
    cm_world_step step = {.hit = swap_along};
    for (;;) {
        cm_status status = cm_world_update(world, &step);
        if (status == CM_OK) break;
        assert_int_equal(status, CM_NO_MEMORY);
        assert_int_equal(scene_event_count(world), 0);
    }
    count_told(world, t);
}

/* One try to change something: it worked, or left the world as it was. */
static bool unharmed(const cm_world *world, cm_status status, uint64_t before) {
    if (status == CM_OK) return true;
    assert_int_equal(status, CM_NO_MEMORY);
    assert_true(cm_world_hash(world) == before);
    return false;
}

/* Queries, of which none allocates. */
static void ask_all(const cm_world *world, const counting_allocator *c) {
    size_t calls = c->calls;
    uint32_t ids[FEW];
    cm_ray ray = {.origin = cm_v(-9, 0, 0), .direction = cm_v(1, 0, 0), .max = 20};
    cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    cm_pose pose = cm_pose_identity();
    cm_motion motion = {.start = pose, .move = cm_v(2, 0, 0)};
    cm_world_ray_hit hits[4];
    cm_world_sweep_hit swept[4];
    cm_world_near near;
    cm_world_raycast(world, &ray, NULL, hits);
    cm_world_raycast_any(world, &ray, NULL);
    cm_world_raycast_all(world, &ray, NULL, hits, 4);
    cm_world_sweep(world, &ball, &motion, NULL, swept);
    cm_world_sweep_all(world, &ball, &motion, NULL, swept, 4);
    assert_true(cm_world_overlap(world, &ball, &pose, NULL, ids, FEW) > 0);
    cm_world_overlap_point(world, pose.position, NULL, ids, FEW);
    assert_true(cm_world_distance(world, &ball, &pose, 9, NULL, &near) < 9);
    cm_world_hash(world);
    cm_world_save(world, zoo_table(), NULL, 0);
    check_that(c->calls == calls, "a query asked for memory");
}

/* Every call that allocates, each retried where it fails. False: memory never ran out. */
static bool live_a_life(size_t fail) {
    counting_allocator c;
    counting_allocator_start(&c, fail);
    cm_world *world = NULL;
    cm_world_desc desc = {.mem = &c.mem, .margin = CM_REAL(0.01)};
    cm_status status = cm_world_create(&desc, &world, NULL);
    if (status != CM_OK) {
        assert_int_equal(status, CM_NO_MEMORY);
        assert_null(world);
        assert_int_equal(c.live_blocks, 0);
        return true;
    }
    rng r = {.state = 5};
    uint32_t ids[FEW];
    told t = {0, 0};
    uint64_t before;
    for (int i = 0; i < FEW; i++) {
        cm_world_object_desc d = i % 3 ? scene_object(&r, 2) : zoo_object(&r, 2);
        if (i % 5 == 0) d.layer = d.mask = 0, d.group = 0;
        do {
            before = cm_world_hash(world);
        } while (!unharmed(world, cm_world_add(world, &d, &ids[i], NULL), before));
    }
    size_t size = 0;
    void *bytes = NULL;
    for (int step = 0; step < 8; step++) {
        set_motions(world, ids, FEW, step, 2);
        if (step == 2) {
            cm_pose pose = {.position = cm_v(1, 0, 0), .rotation = cm_quat_identity()};
            cm_shape space = cm_make_halfspace(cm_v(0, 0, 1), 0);
            do {
                before = cm_world_hash(world);
            } while (!unharmed(world, cm_world_set_pose(world, ids[4], &pose), before));
            do { /* unbounded now: the broad phase keeps such ones apart */
                before = cm_world_hash(world);
            } while (!unharmed(world, cm_world_set_shape(world, ids[7], &space, NULL), before));
            assert_int_equal(cm_world_set_filter(world, ids[8], 3, 7, 0), CM_OK);
            assert_int_equal(cm_world_set_fixed(world, ids[9], true), CM_OK);
            assert_int_equal(cm_world_set_trigger(world, ids[10], true), CM_OK);
        }
        update_until_it_works(world, &t);
        ask_all(world, &c);
        if (step == 4) {
            size = cm_world_save(world, zoo_table(), NULL, 0);
            bytes = malloc(size);
            assert_int_equal(cm_world_save(world, zoo_table(), bytes, size), size);
        }
    }
    told lost = t;
    do {
        before = cm_world_hash(world);
    } while (!unharmed(world, cm_world_restore(world, zoo_table(), bytes, size), before));
    set_motions(world, ids, FEW, 5, 2);
    update_until_it_works(world, &t);
    for (int i = 0; i < FEW; i++) assert_int_equal(cm_world_remove(world, ids[i]), CM_OK);
    update_until_it_works(world, &t);
    check_that(t.ended > lost.ended && t.began > 10, "%u began, %u ended, fail %zu", t.began, t.ended, fail);
    free(bytes);
    cm_world_destroy(world);
    assert_int_equal(c.live_blocks, 0);
    return c.calls >= fail;
}

static void any_failed_allocation_leaves_it_unharmed(void **state) {
    (void)state;
    size_t fail = 1;
    while (live_a_life(fail)) fail += (size_t)share();
    print_message("%zu allocations, one in %d failed once\n", fail - 1, share());
    check_that(fail > 60, "only %zu allocations", fail);
}

/* The same without a restore: what began has ended, whatever failed amid it. */
static bool tell_a_story(size_t fail) {
    counting_allocator c;
    counting_allocator_start(&c, fail);
    cm_world *world = NULL;
    cm_world_desc desc = {.mem = &c.mem, .margin = CM_REAL(0.01)};
    if (cm_world_create(&desc, &world, NULL) != CM_OK) return true;
    rng r = {.state = 15};
    uint32_t ids[FEW];
    told t = {0, 0};
    for (int i = 0; i < FEW; i++) {
        cm_world_object_desc d = i % 3 ? scene_object(&r, 1.5) : zoo_object(&r, 1.5);
        while (cm_world_add(world, &d, &ids[i], NULL) != CM_OK) {
        }
    }
    for (int step = 0; step < 12; step++) {
        set_motions(world, ids, FEW, step, 2);
        for (int i = 0; i < FEW && step == 11; i++) assert_int_equal(cm_world_remove(world, ids[i]), CM_OK);
        update_until_it_works(world, &t);
    }
    check_that(t.began == t.ended && t.began > 10, "%u began, %u ended, fail %zu", t.began, t.ended, fail);
    cm_world_destroy(world);
    assert_int_equal(c.live_blocks, 0);
    return c.calls >= fail;
}

static void whatever_fails_every_contact_that_began_ends(void **state) {
    (void)state;
    for (size_t fail = 1; tell_a_story(fail);) fail += (size_t)share();
}

/* --- workers ----------------------------------------------------------------------------------------------------- */

/* Runs everything here, and says which of four workers each index is for: the first, all in turn, or more and more of
 * them; from the first index on or from the last. */
typedef struct few_workers {
    int way;
    bool running;
} few_workers;

enum { WORKERS = 4, WORKER_WAYS = 6 };

static void few_workers_run(void *user, int count, void (*fn)(void *arg, int index, int worker), void *arg) {
    few_workers *few = user;
    few->running = true;
    for (int k = 0; k < count; k++) {
        const int i = few->way % 2 ? count - 1 - k : k;
        const int workers[WORKER_WAYS / 2] = {0, i % WORKERS, k * WORKERS / count};
        fn(arg, i, workers[few->way / 2]);
    }
    few->running = false;
}

typedef struct asked_memory {
    counting_allocator counting;
    few_workers few;
    bool by_worker;
} asked_memory;

static void *asked_allocate(void *user, void *block, size_t old_size, size_t new_size) {
    asked_memory *asked = user;
    asked->by_worker |= asked->few.running;
    return asked->counting.mem.allocate(asked->counting.mem.user, block, old_size, new_size);
}

static uint64_t told_mix(uint64_t hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t told_hash(const cm_world *world, uint64_t hash) {
    cm_world_event_view view;
    cm_world_get_events(world, &view);
    for (size_t i = 0; i < view.count; i++) {
        const cm_world_event *e = &view.events[i];
        hash = told_mix(told_mix(told_mix(hash, &e->kind, sizeof e->kind), &e->a, 4), &e->b, 4);
        for (int k = 0; k < e->manifold_count; k++) {
            const cm_manifold *m = &e->manifolds[k];
            hash = told_mix(told_mix(hash, &m->normal, sizeof m->normal), &m->count, sizeof m->count);
            for (int j = 0; j < m->count; j++) hash = told_mix(hash, &m->points[j].point_a, sizeof(cm_vec3));
        }
    }
    return hash;
}

/* A crowd that is pressed together and parts again, a few meshes among it; each update that runs out of memory is asked
 * for again. Returns a hash of all it tells. */
static uint64_t crowd_story(int way, size_t fail, size_t *calls) {
    enum { CROWD = 60, STEPS = 12 };
    asked_memory asked = {.few = {.way = way}};
    counting_allocator_start(&asked.counting, fail);
    const cm_allocator mem = {&asked, asked_allocate};
    const cm_tasks tasks = {&asked.few, WORKERS, few_workers_run};
    const cm_world_desc desc = {.mem = &mem, .tasks = way < WORKER_WAYS ? &tasks : NULL};
    cm_world *world;
    uint32_t ids[CROWD];
    uint64_t hash = 0;
    cm_status status;
    rng r = {.state = 77};
    while ((status = cm_world_create(&desc, &world, NULL)) == CM_NO_MEMORY) {
    }
    assert_int_equal(status, CM_OK);
    for (int i = 0; i < CROWD; i++) {
        const cm_world_object_desc d = i % 3 ? scene_object(&r, 2) : zoo_object(&r, 2);
        while ((status = cm_world_add(world, &d, &ids[i], NULL)) == CM_NO_MEMORY) {
        }
        assert_int_equal(status, CM_OK);
    }
    for (int step = 0; step < STEPS; step++) {
        const cm_real much = step % 4 < 2 ? CM_REAL(0.4) : CM_REAL(1.5);
        for (int i = 0; i < CROWD; i++) {
            cm_pose pose = rng_pose(&r, 2);
            pose.position = cm_scale(pose.position, much);
            if (step % 2 == i % 2) assert_int_equal(cm_world_set_pose(world, ids[i], &pose), CM_OK);
        }
        while ((status = cm_world_update(world, NULL)) == CM_NO_MEMORY) {
        }
        assert_int_equal(status, CM_OK);
        hash = told_hash(world, hash);
    }
    assert_false(asked.by_worker);
    *calls = asked.counting.calls;
    cm_world_destroy(world);
    assert_int_equal(asked.counting.live_blocks, 0);
    return hash;
}

/* An allocator need not know of threads: it is called between the runs of workers, never within. What is told depends
 * neither on which worker tested what, nor on which had no room for it. */
static void no_worker_asks_for_memory(void **state) {
    (void)state;
    size_t calls;
    const uint64_t alone = crowd_story(WORKER_WAYS, 0, &calls);
    for (int way = 0; way < WORKER_WAYS; way++) {
        const uint64_t hash = crowd_story(way, 0, &calls);
        check_that(hash == alone, "%016" PRIx64 " in way %d, alone %016" PRIx64, hash, way, alone);
    }
    const size_t all = calls;
    for (size_t fail = 1; fail <= all; fail += 5 * (size_t)share()) {
        const uint64_t hash = crowd_story(3, fail, &calls);
        check_that(hash == alone, "%016" PRIx64 ", allocation %zu failed, alone %016" PRIx64, hash, fail, alone);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_state_allocates_nothing),
        cmocka_unit_test(memory_is_flat_over_many_steps),
        cmocka_unit_test(any_failed_allocation_leaves_it_unharmed),
        cmocka_unit_test(whatever_fails_every_contact_that_began_ends),
        cmocka_unit_test(no_worker_asks_for_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
