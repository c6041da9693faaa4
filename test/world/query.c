/* Queries against all objects one by one; what they see; and why two objects do not meet. */
#include "scene.h"

enum { QUERY_OBJECTS = 300 };

typedef struct room {
    cm_world *world;
    uint32_t ids[QUERY_OBJECTS];
    cm_world_object_desc objects[QUERY_OBJECTS];
} room;

static void room_make(room *m, cm_broad_kind kind, uint64_t seed) {
    rng r = rng_start(cm_broad_kind_text(kind), seed);
    cm_world_desc desc = {.kind = kind};
    assert_int_equal(cm_world_create(&desc, &m->world, NULL), CM_OK);
    for (int i = 0; i < QUERY_OBJECTS; i++) {
        m->objects[i] = scene_object(&r, 8);
        m->objects[i].layer = 1u << rng_below(&r, 3);
        assert_int_equal(cm_world_add(m->world, &m->objects[i], &m->ids[i], NULL), CM_OK);
    }
    if (seed % 2) assert_int_equal(cm_world_update(m->world, NULL), CM_OK); /* or not: right all the same */
}

static bool room_sees(const room *m, int i, const cm_world_query *q) {
    if (q->mask && !(m->objects[i].layer & q->mask)) return false;
    if (m->objects[i].trigger && !q->triggers) return false;
    return m->ids[i] != q->except;
}

static cm_world_query random_query(rng *r, const room *m) {
    cm_world_query q;
    memset(&q, 0, sizeof q);
    q.mask = rng_below(r, 8);
    q.triggers = rng_below(r, 2);
    q.except = m->ids[rng_below(r, QUERY_OBJECTS)];
    return q;
}

static void check_ray(const room *m, rng *r) {
    cm_world_query q = random_query(r, m);
    cm_ray ray = {rng_vec3(r, 10), rng_direction(r), (cm_real)rng_range(r, 1, 30)};
    uint32_t count = 0;
    double first = 1e30;
    for (int i = 0; i < QUERY_OBJECTS; i++) {
        cm_ray_hit hit;
        if (!room_sees(m, i, &q) || !cm_raycast(&ray, &m->objects[i].shape, &m->objects[i].pose, &hit)) continue;
        count++;
        if ((double)hit.t < first) first = (double)hit.t;
    }
    cm_world_ray_hit hits[QUERY_OBJECTS], one;
    check_that(cm_world_raycast_all(m->world, &ray, &q, hits, QUERY_OBJECTS) == count, "all: %u", count);
    assert_int_equal(cm_world_raycast(m->world, &ray, &q, &one), count > 0);
    assert_int_equal(cm_world_raycast_any(m->world, &ray, &q), count > 0);
    if (!count) return;
    check_that((double)one.hit.t == first && one.id == hits[0].id, "first %g", first);
    for (uint32_t i = 1; i < count; i++) assert_true(hits[i - 1].hit.t <= hits[i].hit.t);
    assert_int_equal(cm_world_raycast_all(m->world, &ray, &q, hits, 1), count);
    assert_int_equal(hits[0].id, one.id);
}

static void check_sweep(const room *m, rng *r) {
    cm_world_query q = random_query(r, m);
    q.blocking = rng_below(r, 2);
    cm_shape shape = scene_shape(r);
    cm_motion motion = scene_motion(r, 8, 2);
    motion.start = rng_pose(r, 8);
    uint32_t count = 0;
    double first = 1e30;
    for (int i = 0; i < QUERY_OBJECTS; i++) {
        cm_motion rest;
        cm_sweep_hit hit;
        memset(&rest, 0, sizeof rest);
        rest.start = m->objects[i].pose;
        if (!room_sees(m, i, &q) || !cm_sweep(&shape, &motion, &m->objects[i].shape, &rest, &hit)) continue;
        if (q.blocking && !hit.blocking) continue;
        count++;
        if ((double)hit.first < first) first = (double)hit.first;
    }
    cm_world_sweep_hit hits[QUERY_OBJECTS], one;
    check_that(cm_world_sweep_all(m->world, &shape, &motion, &q, hits, QUERY_OBJECTS) == count, "all: %u", count);
    assert_int_equal(cm_world_sweep(m->world, &shape, &motion, &q, &one), count > 0);
    if (count) check_that((double)one.hit.first == first && one.id == hits[0].id, "first %g", first);
}

static void check_overlap_and_distance(const room *m, rng *r) {
    cm_world_query q = random_query(r, m);
    cm_shape shape = scene_shape(r);
    cm_pose pose = rng_pose(r, 10);
    cm_real most = (cm_real)rng_range(r, 0, 4);
    uint32_t expected[QUERY_OBJECTS], count = 0;
    cm_real nearest = CM_REAL_MAX;
    for (int i = 0; i < QUERY_OBJECTS; i++) {
        if (!room_sees(m, i, &q)) continue;
        const cm_world_object_desc *o = &m->objects[i];
        if (cm_overlap(&shape, &pose, &o->shape, &o->pose)) expected[count++] = m->ids[i];
        cm_real d = cm_distance(&shape, &pose, &o->shape, &o->pose, most, NULL);
        if (d < nearest) nearest = d;
    }
    uint32_t ids[QUERY_OBJECTS];
    check_that(cm_world_overlap(m->world, &shape, &pose, &q, ids, QUERY_OBJECTS) == count, "%u overlap", count);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(ids[i], expected[i]);
    if (count > 1) { /* the lowest ids where there is no room for all */
        assert_int_equal(cm_world_overlap(m->world, &shape, &pose, &q, ids, count - 1), count);
        for (uint32_t i = 0; i + 1 < count; i++) assert_int_equal(ids[i], expected[i]);
    }
    cm_world_near near;
    cm_real d = cm_world_distance(m->world, &shape, &pose, most, &q, &near);
    check_that(d == nearest, "distance %g, expected %g", (double)d, (double)nearest);
    if (d < CM_REAL_MAX) assert_true(near.witness.distance == d);
}

static void queries_see_what_all_objects_one_by_one_say(void **state) {
    (void)state;
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; kind++) {
        room m;
        room_make(&m, (cm_broad_kind)kind, 40 + (uint64_t)kind);
        rng r = rng_start("queries", 9);
        for (int i = 0; i < samples(150, 5000); i++) {
            check_ray(&m, &r);
            check_sweep(&m, &r);
            check_overlap_and_distance(&m, &r);
        }
        cm_world_destroy(m.world);
    }
}

static void a_point_is_in_what_holds_it(void **state) {
    (void)state;
    cm_world *world;
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    cm_world_object_desc box = {.shape = cm_make_box(cm_v(1, 1, 1)), .pose.position = {5, 0, 0}};
    uint32_t id, found;
    assert_int_equal(cm_world_add(world, &box, &id, NULL), CM_OK);
    assert_int_equal(cm_world_overlap_point(world, cm_v(6, 1, 1), NULL, &found, 1), 1); /* its corner */
    assert_int_equal(found, id);
    assert_int_equal(cm_world_overlap_point(world, cm_v(CM_REAL(6.01), 0, 0), NULL, &found, 1), 0);
    cm_world_destroy(world);
}

static bool never(void *user, const cm_world *world, uint32_t a, uint32_t b) {
    (void)user, (void)world, (void)a, (void)b;
    return false;
}

static void the_reason_is_the_first_filter_that_says_no(void **state) {
    (void)state;
    for (int with = 0; with < 2; with++) {
        cm_world_desc desc = {.meet = with ? never : NULL};
        cm_world *world;
        assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
        cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)};
        uint32_t a, b;
        assert_int_equal(cm_world_add(world, &d, &a, NULL), CM_OK);
        d.pose.position = cm_v(1, 0, 0);
        assert_int_equal(cm_world_add(world, &d, &b, NULL), CM_OK);
        assert_int_equal(cm_world_why(world, a, b), with ? CM_WORLD_WHY_CALLBACK : CM_WORLD_WHY_MEET);
        assert_int_equal(cm_world_why(world, a, a), CM_WORLD_WHY_SAME);
        assert_int_equal(cm_world_why(world, a, 99), CM_WORLD_WHY_STALE);
        assert_int_equal(cm_world_set_filter(world, a, 1, 2, 0), CM_OK);
        assert_int_equal(cm_world_why(world, b, a), CM_WORLD_WHY_LAYER);
        assert_int_equal(cm_world_set_filter(world, a, 1, 2, 4), CM_OK);
        assert_int_equal(cm_world_set_filter(world, b, 1, 0, 4), CM_OK); /* the same positive group: always */
        assert_int_equal(cm_world_why(world, a, b), with ? CM_WORLD_WHY_CALLBACK : CM_WORLD_WHY_MEET);
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        assert_int_equal(scene_event(world, CM_WORLD_BEGAN, a, b) != NULL, !with);
        assert_int_equal(cm_world_set_filter(world, a, 1, 1, -3), CM_OK);
        assert_int_equal(cm_world_set_filter(world, b, 1, 1, -3), CM_OK);
        assert_int_equal(cm_world_why(world, a, b), CM_WORLD_WHY_GROUP);
        assert_int_equal(cm_world_set_trigger(world, a, true), CM_OK);
        assert_int_equal(cm_world_set_trigger(world, b, true), CM_OK);
        assert_int_equal(cm_world_why(world, a, b), CM_WORLD_WHY_TRIGGERS);
        assert_int_equal(cm_world_set_fixed(world, a, true), CM_OK);
        assert_int_equal(cm_world_set_fixed(world, b, true), CM_OK);
        assert_int_equal(cm_world_why(world, a, b), CM_WORLD_WHY_FIXED);
        cm_pose pose = {{CM_REAL(1.5), CM_REAL(1.5), 0}, {0, 0, 0, 1}};
        assert_int_equal(cm_world_set_fixed(world, b, false), CM_OK);
        assert_int_equal(cm_world_set_trigger(world, b, false), CM_OK);
        assert_int_equal(cm_world_set_trigger(world, a, false), CM_OK);
        assert_int_equal(cm_world_set_filter(world, b, 1, 1, 0), CM_OK);
        assert_int_equal(cm_world_set_pose(world, b, &pose), CM_OK);
        assert_int_equal(cm_world_why(world, a, b), with ? CM_WORLD_WHY_CALLBACK : CM_WORLD_WHY_SHAPES);
        pose.position.x = 9;
        assert_int_equal(cm_world_set_pose(world, b, &pose), CM_OK);
        assert_int_equal(cm_world_why(world, a, b), with ? CM_WORLD_WHY_CALLBACK : CM_WORLD_WHY_BOXES);
        assert_string_equal(cm_world_why_text(CM_WORLD_WHY_BOXES), "their boxes are apart");
        assert_string_equal(cm_world_why_text((cm_world_reason)99), "unknown");
        cm_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_see_what_all_objects_one_by_one_say),
        cmocka_unit_test(a_point_is_in_what_holds_it),
        cmocka_unit_test(the_reason_is_the_first_filter_that_says_no),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
