/* The same bytes: for any number of threads, any broad phase, after a snapshot was restored. */
#include "zoo.h"

enum { SAME_OBJECTS = 400 };

/* Some fast, so that they are swept and bounce. */
static cm_world_answer bounce(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                              cm_motion *rest_b) {
    (void)world;
    uint64_t *hash = user;
    *hash = (*hash ^ hit->a) * 0x100000001b3u ^ hit->b;
    if ((hit->a ^ hit->b) % 5 == 0) return CM_WORLD_PASS;
    if ((hit->a ^ hit->b) % 7 == 0) return CM_WORLD_STOP;
    cm_real along = cm_dot(cm_sub(rest_a->move, rest_b->move), hit->normal);
    rest_a->move = cm_mul_add(rest_a->move, -along, hit->normal);
    rest_b->move = cm_mul_add(rest_b->move, along, hit->normal);
    return CM_WORLD_GO;
}

static bool meet_most(void *user, const cm_world *world, uint32_t a, uint32_t b) {
    (void)user, (void)world;
    return (a * 31 + b) % 11 != 0;
}

static cm_world *start(cm_broad_kind kind, const cm_tasks *tasks, const cm_allocator *mem, bool zoo) {
    cm_world_desc desc = {.kind = kind, .tasks = tasks, .mem = mem, .margin = CM_REAL(0.01), .meet = meet_most};
    cm_world *world;
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    rng r = {.state = 77};
    for (int i = 0; i < (zoo ? SAME_OBJECTS / 4 : SAME_OBJECTS); i++) {
        cm_world_object_desc d = zoo && i % 2 ? zoo_object(&r, 6) : scene_object(&r, 6);
        uint32_t id;
        assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
    }
    return world;
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

/* One step, drawn from the step's number alone; the hash of its hits and events. `changes`: adds and removes too. */
static uint64_t step_of(cm_world *world, int number, bool changes) {
    static uint32_t ids[4 * SAME_OBJECTS];
    rng r = {.state = 1000 + (uint64_t)number};
    uint32_t count = cm_world_get_ids(world, ids, 4 * SAME_OBJECTS);
    for (uint32_t i = 0; i < count; i++) {
        cm_pose pose;
        assert_int_equal(cm_world_get_pose(world, ids[i], &pose), CM_OK);
        cm_motion m = scene_motion(&r, rng_below(&r, 4) ? 0.1 : 4, 2);
        if (cm_largest(pose.position) > 8) m.move = cm_scale(pose.position, CM_REAL(-0.25));
        uint32_t dice = rng_below(&r, 100);
        if (dice < 60) cm_world_set_motion(world, ids[i], &m); /* fixed ones refuse */
        if (!changes) continue;
        if (dice == 60) assert_int_equal(cm_world_remove(world, ids[i]), CM_OK);
        if (dice == 61) {
            cm_world_object_desc d = scene_object(&r, 6);
            uint32_t id;
            assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
        }
        if (dice == 62) assert_int_equal(cm_world_set_trigger(world, ids[i], dice % 2 == 0), CM_OK);
    }
    uint64_t hash = 0xcbf29ce484222325u;
    cm_world_step step = {.hit = bounce, .user = &hash};
    assert_int_equal(cm_world_update(world, &step), CM_OK);
    cm_world_event_view v;
    cm_world_get_events(world, &v);
    for (size_t i = 0; i < v.count; i++) {
        const cm_world_event *e = &v.events[i];
        hash = mix(hash, &e->kind, sizeof e->kind);
        hash = mix(mix(mix(hash, &e->a, 4), &e->b, 4), &e->u, sizeof e->u);
        hash = mix(mix(hash, &e->user_a, 8), &e->user_b, 8);
        for (int k = 0; k < e->manifold_count; k++) {
            const cm_manifold *m = &e->manifolds[k];
            hash = mix(mix(hash, &m->normal, sizeof m->normal), &m->count, sizeof m->count);
            for (int p = 0; p < m->count; p++) hash = mix(hash, &m->points[p].point_a, sizeof(cm_vec3));
        }
    }
    uint64_t state = cm_world_hash(world);
    return mix(hash, &state, sizeof state);
}

/* `restored`: saved half way, and gone on with in a world of another broad phase and without tasks. */
static uint64_t run_of(cm_broad_kind kind, const cm_tasks *tasks, bool zoo, bool restored) {
    cm_world *world = start(kind, tasks, NULL, zoo);
    uint64_t hash = 0;
    for (int i = 0; i < (zoo ? 8 : 20); i++) {
        hash = hash * 31 + step_of(world, i, true);
        if (!restored || i != 4) continue;
        cm_world_desc desc = {.kind = CM_BROAD_GRID, .margin = CM_REAL(0.01), .meet = meet_most};
        cm_world *other;
        size_t size = cm_world_save(world, zoo_table(), NULL, 0);
        void *bytes = malloc(size);
        assert_int_equal(cm_world_save(world, zoo_table(), bytes, size), size);
        assert_int_equal(cm_world_create(&desc, &other, NULL), CM_OK);
        assert_int_equal(cm_world_restore(other, zoo_table(), bytes, size), CM_OK);
        cm_world_destroy(world);
        world = other;
        free(bytes);
    }
    cm_world_stats stats;
    cm_world_get_stats(world, &stats);
    check_that(stats.swept > 10 && stats.contacts > 20, "swept %u, contacts %zu", stats.swept, stats.contacts);
    cm_world_destroy(world);
    return hash;
}

static void any_number_of_threads_gives_the_same_bytes(void **state) {
    (void)state;
    for (int zoo = 0; zoo < 2; zoo++) {
        uint64_t serial = run_of(CM_BROAD_AUTO, NULL, zoo, false);
        for (int workers = 1; workers <= 4; workers *= 2) {
            cm_pool *pool;
            cm_tasks tasks;
            assert_int_equal(cm_pool_create(workers, NULL, &pool), CM_OK);
            cm_pool_tasks(pool, &tasks);
            uint64_t hash = run_of(CM_BROAD_AUTO, &tasks, zoo, false), after = run_of(CM_BROAD_AUTO, &tasks, zoo, true);
            cm_pool_destroy(pool);
            check_that(hash == serial, "%d workers", workers);
            check_that(after == serial, "%d workers, restored", workers);
        }
    }
}

static void every_broad_phase_gives_the_same_bytes(void **state) {
    (void)state;
    for (int zoo = 0; zoo < 2; zoo++) {
        uint64_t first = run_of(CM_BROAD_AUTO, NULL, zoo, false);
        for (int kind = 1; kind < CM_BROAD_KIND_COUNT; kind++) {
            check_that(run_of((cm_broad_kind)kind, NULL, zoo, false) == first, "%s",
                       cm_broad_kind_text((cm_broad_kind)kind));
        }
    }
}

static void a_restored_world_goes_on_as_the_saved_one(void **state) {
    (void)state;
    cm_world *world = start(CM_BROAD_AUTO, NULL, NULL, false), *other = start(CM_BROAD_BVH, NULL, NULL, false);
    for (int i = 0; i < 10; i++) step_of(world, i, true);
    uint32_t ids[3];
    assert_true(cm_world_get_ids(world, ids, 3) > 3);
    assert_int_equal(cm_world_remove(world, ids[1]), CM_OK); /* its ends are still to be told */
    size_t size = cm_world_save(world, NULL, NULL, 0);
    unsigned char *bytes = malloc(size), *again = malloc(size);
    assert_int_equal(cm_world_save(world, NULL, bytes, size), size);
    assert_int_equal(cm_world_restore(other, NULL, bytes, size), CM_OK);
    assert_true(cm_world_hash(other) == cm_world_hash(world));
    assert_int_equal(cm_world_save(other, NULL, again, size), size);
    assert_memory_equal(bytes, again, size);
    for (int i = 10; i < 20; i++) check_that(step_of(world, i, true) == step_of(other, i, true), "step %d", i);
    for (size_t cut = 0; cut < size; cut += 1 + size / 97) { /* cut short */
        assert_int_equal(cm_world_restore(other, NULL, bytes, cut), CM_BAD_DATA);
    }
    rng r = rng_start("damage", 4);
    uint64_t before = cm_world_hash(other);
    for (int i = 0; i < 200; i++) { /* damaged: refused, or taken and harmless */
        memcpy(again, bytes, size);
        size_t at = rng_below(&r, (uint32_t)size);
        again[at] ^= (unsigned char)(1u << rng_below(&r, 8));
        if (cm_world_restore(other, NULL, again, size) != CM_OK) {
            assert_true(cm_world_hash(other) == before);
        } else {
            assert_int_equal(cm_world_update(other, NULL), CM_OK);
            before = cm_world_hash(other);
        }
    }
    free(bytes);
    free(again);
    cm_world_destroy(world);
    cm_world_destroy(other);
}

static void a_table_of_shapes_makes_snapshots_movable(void **state) {
    (void)state;
    const cm_shape here[2] = {cm_make_sphere(cm_v(0, 0, 0), 1), cm_make_box(cm_v(1, 2, 3))};
    const cm_shape there[2] = {cm_make_sphere(cm_v(0, 0, 0), 5), cm_make_box(cm_v(1, 2, 3))};
    cm_world_shapes from = {here, 2}, to = {there, 2}, few = {there, 1};
    cm_world *world;
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    uint32_t ids[2];
    for (int i = 0; i < 2; i++) {
        cm_world_object_desc d;
        memset(&d, 0, sizeof d);
        d.shape = here[i];
        assert_int_equal(cm_world_add(world, &d, &ids[i], NULL), CM_OK);
    }
    unsigned char bytes[4096];
    size_t size = cm_world_save(world, &from, bytes, sizeof bytes);
    assert_true(size <= sizeof bytes);
    assert_int_equal(cm_world_restore(world, &few, bytes, size), CM_OUT_OF_RANGE);
    assert_int_equal(cm_world_restore(world, NULL, bytes, size), CM_OUT_OF_RANGE);
    const cm_world_shapes nowhere = {NULL, 3}; /* counts as none, like NULL itself */
    assert_int_equal(cm_world_restore(world, &nowhere, bytes, size), CM_OUT_OF_RANGE);
    assert_true(cm_world_save(world, &nowhere, NULL, 0) == cm_world_save(world, NULL, NULL, 0));
    assert_int_equal(cm_world_restore(world, &to, bytes, size), CM_OK);
    cm_world_object_desc d;
    assert_int_equal(cm_world_get(world, ids[0], &d), CM_OK);
    assert_true(d.shape.radius == 5);
    cm_world_destroy(world);
}

/* What stands in the table takes no bytes but its number. Of what does not, a kind that points somewhere cannot be
 * claimed: there is no pointer to follow in the bytes. */
static void bytes_cannot_make_a_pointer(void **state) {
    (void)state;
    cm_world *world, *other;
    uint32_t id;
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    assert_int_equal(cm_world_create(NULL, &other, NULL), CM_OK);
    const size_t head = cm_world_save(world, NULL, NULL, 0); /* then the object: id, flags, user, number, kind */
    cm_world_object_desc d = {.shape = cm_make_box(cm_v(1, 1, 1))};
    assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
    unsigned char bytes[4096];
    const size_t size = cm_world_save(world, NULL, bytes, sizeof bytes), kind_at = head + 4 + 4 + 8 + 4;
    assert_true(size > kind_at && size <= sizeof bytes);
    assert_int_equal(bytes[kind_at], CM_SHAPE_BOX);
    size_t named = 0;
    for (int i = 0; i < ZOO_SIZE; i++) {
        cm_shape shape = zoo_all()[i].shape;
        int count, points = 0;
        const cm_field *fields = cm_shape_fields(shape.kind, &count);
        for (int k = 0; k < count; k++) points += fields[k].type == CM_FIELD_POINTER;
        assert_int_equal(cm_world_set_shape(world, id, &shape, NULL), CM_OK);
        const size_t need = cm_world_save(world, NULL, NULL, 0), told = cm_world_save(world, zoo_table(), NULL, 0);
        check_that((need == 0) == (points > 0), "%s takes %zu bytes", cm_kind_name(shape.kind), need);
        if (!i) named = told;
        assert_int_equal(told, named);
        bytes[kind_at] = (unsigned char)shape.kind;
        if (points) assert_int_equal(cm_world_restore(other, NULL, bytes, size), CM_BAD_DATA);
    }
    cm_world_destroy(world);
    cm_world_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_bytes),
        cmocka_unit_test(every_broad_phase_gives_the_same_bytes),
        cmocka_unit_test(a_restored_world_goes_on_as_the_saved_one),
        cmocka_unit_test(bytes_cannot_make_a_pointer),
        cmocka_unit_test(a_table_of_shapes_makes_snapshots_movable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
