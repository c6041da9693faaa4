/* What no caller should do, and some do. */
#include "scene.h"

static cm_world *empty_world(void) {
    cm_world *world;
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    return world;
}

static uint32_t add_ball(cm_world *world, cm_vec3 position, cm_real radius) {
    cm_world_object_desc d;
    uint32_t id;
    memset(&d, 0, sizeof d);
    d.shape = cm_make_sphere(cm_v(0, 0, 0), radius);
    d.pose.position = position;
    assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
    return id;
}

static void bad_descriptions_are_refused(void **state) {
    (void)state;
    cm_world *world = NULL;
    cm_error error = {CM_OK, NULL, 0};
    cm_world_desc desc = {.margin = -1};
    assert_int_equal(cm_world_create(&desc, &world, &error), CM_INVALID);
    assert_string_equal(error.field, "margin");
    desc = (cm_world_desc){.kind = (cm_broad_kind)99};
    assert_int_equal(cm_world_create(&desc, &world, &error), CM_INVALID);
    assert_string_equal(error.field, "kind");
    assert_null(world);
    world = empty_world();
    cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), -1)};
    uint32_t id = 7;
    assert_int_equal(cm_world_add(world, &d, &id, &error), CM_INVALID);
    assert_string_equal(error.field, "radius");
    d.shape.radius = 1;
    d.pose.position.x = (cm_real)NAN;
    assert_int_equal(cm_world_add(world, &d, &id, &error), CM_NOT_FINITE);
    assert_string_equal(error.field, "pose");
    d.pose.position.x = 0;
    d.pose.rotation.x = 5;
    assert_int_equal(cm_world_add(world, &d, &id, &error), CM_INVALID);
    d.pose.rotation.x = 0;
    d.sweep = (cm_world_sweep_mode)9;
    assert_int_equal(cm_world_add(world, &d, &id, &error), CM_INVALID);
    assert_string_equal(error.field, "sweep");
    assert_int_equal(id, 7);
    assert_int_equal(cm_world_count(world), 0);
    cm_world_destroy(world);
}

/* Whoever prints `error` after any failure finds the status in it. */
static void every_failure_fills_the_error(void **state) {
    (void)state;
    const cm_error untold = {CM_OK, "untold", 7};
    cm_error error = untold;
    cm_world *world = NULL;
    cm_world_desc one = {.limit = 1};
    assert_int_equal(cm_world_create(NULL, NULL, &error), CM_INVALID);
    check_that(error.status == CM_INVALID && !error.field && error.index == CM_NONE, "no place for the world");
    assert_int_equal(cm_world_create(&one, &world, NULL), CM_OK);
    uint32_t id = add_ball(world, cm_v(0, 0, 0), 1), other;
    cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)};
    error = untold;
    assert_int_equal(cm_world_add(world, &d, &other, &error), CM_LIMIT);
    check_that(error.status == CM_LIMIT && !error.field, "one too many");
    error = untold;
    assert_int_equal(cm_world_add(world, NULL, &other, &error), CM_INVALID);
    check_that(error.status == CM_INVALID && !error.field, "no description");
    error = untold;
    assert_int_equal(cm_world_set_shape(world, id + 1, &d.shape, &error), CM_STALE_ID);
    check_that(error.status == CM_STALE_ID && !error.field, "a stale id");
    error = untold;
    assert_int_equal(cm_world_set_shape(world, id, &d.shape, &error), CM_OK);
    check_that(error.field == untold.field, "told though all went well");
    cm_world_destroy(world);
    world = NULL;
    cm_broad *broad = NULL;
    error = untold;
    assert_int_equal(cm_broad_create(NULL, NULL, &error), CM_INVALID);
    check_that(error.status == CM_INVALID && !error.field, "no place for the broad phase");
    for (size_t fail = 1;; fail++) { /* and so where memory ends, wherever that is */
        counting_allocator c;
        counting_allocator_start(&c, fail);
        error = untold;
        cm_status status =
            cm_broad_create(&(cm_broad_desc){.mem = &c.mem, .capacity = 9, .changes = true}, &broad, &error);
        cm_broad_destroy(status == CM_OK ? broad : NULL);
        if (status == CM_OK) {
            status = cm_world_create(&(cm_world_desc){.mem = &c.mem}, &world, &error);
            if (status == CM_OK) status = cm_world_add(world, &d, &id, &error);
            cm_world_destroy(world);
            world = NULL;
        }
        if (status == CM_OK) break;
        check_that(error.status == CM_NO_MEMORY && !error.field, "allocation %zu: %s", fail, cm_status_text(status));
    }
}

static void motions_beyond_all_bounds_are_refused(void **state) {
    (void)state;
    cm_world *world = empty_world();
    uint32_t id = add_ball(world, cm_v(0, 0, 0), 1);
    const cm_real bad[] = {(cm_real)NAN, (cm_real)INFINITY, -(cm_real)INFINITY, CM_REAL_MAX, CM_REAL(1e38)};
    uint64_t before = cm_world_hash(world);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cm_pose pose = cm_pose_identity();
        bool beyond = !(bad[i] <= CM_COORD_MAX);
        for (int k = 0; k < 3; k++) {
            cm_motion m;
            memset(&m, 0, sizeof m);
            m.move.x = 1;
            if (k == 0) m.move.y = bad[i];
            if (k == 1) m.spin.z = bad[i];
            if (k == 2) m.pivot.x = bad[i], m.spin.x = 1;
            cm_status status = cm_world_set_motion(world, id, &m);
            if (beyond || bad[i] < -CM_COORD_MAX) assert_int_equal(status, CM_NOT_FINITE);
            if (status == CM_OK) assert_int_equal(cm_world_set_motion(world, id, NULL), CM_OK);
        }
        pose.position.z = bad[i];
        if (beyond || bad[i] < -CM_COORD_MAX) assert_int_equal(cm_world_set_pose(world, id, &pose), CM_NOT_FINITE);
    }
    assert_true(cm_world_hash(world) == before);
    cm_motion far;
    memset(&far, 0, sizeof far);
    far.move.x = CM_COORD_MAX;
    assert_int_equal(cm_world_set_motion(world, id, &far), CM_OK);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    assert_int_equal(cm_world_set_motion(world, id, &far), CM_NOT_FINITE); /* it is at the end of the world */
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    cm_world_destroy(world);
}

/* A point at (0.8, 0.8, 0) of the largest coordinate, of its object's own frame: a quarter of a turn brings it to
 * (-0.8, 0.8, 0), and in between to (0, 1.13, 0), which is beyond. At 0.2 there is room for all of the turn. */
static void what_turns_beyond_all_bounds_between_two_ends_is_refused(void **state) {
    (void)state;
    const double places[] = {0.8, 0.2};
    for (int i = 0; i < 2; i++) {
        cm_world *world = empty_world();
        cm_real at = (cm_real)(places[i] * (double)CM_COORD_MAX);
        cm_world_object_desc d = {.shape = cm_make_point(cm_v(at, at, 0))};
        uint32_t id;
        cm_motion quarter;
        memset(&quarter, 0, sizeof quarter);
        quarter.spin.z = CM_REAL(1.5707963267948966);
        assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
        assert_int_equal(cm_world_set_motion(world, id, &quarter), i ? CM_OK : CM_NOT_FINITE);
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        cm_world_destroy(world);
    }
}

static cm_world_answer mad(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *a, cm_motion *b) {
    int *count = user;
    (void)world, (void)hit;
    const cm_real bad[] = {(cm_real)NAN, (cm_real)INFINITY, CM_REAL_MAX, CM_COORD_MAX};
    a->move.x = bad[*count % 4];
    b->spin.y = bad[(*count + 1) % 4];
    b->pivot.x = bad[(*count + 2) % 4];
    ++*count;
    return *count % 9 ? CM_WORLD_GO : (cm_world_answer)77;
}

static void nonsense_from_a_callback_makes_objects_hold(void **state) {
    (void)state;
    cm_world *world = empty_world();
    rng r = rng_start("mad", 3);
    uint32_t ids[60];
    for (int i = 0; i < 60; i++) ids[i] = add_ball(world, rng_vec3(&r, 5), CM_REAL(0.2));
    int count = 0;
    cm_world_step step = {.hit = mad, .user = &count};
    for (int n = 0; n < 50; n++) {
        for (int i = 0; i < 60; i++) {
            cm_motion m = scene_motion(&r, 9, 1);
            cm_pose pose;
            cm_world_get_pose(world, ids[i], &pose);
            if (cm_largest(pose.position) > 9) {
                pose.position = rng_vec3(&r, 5);
                assert_int_equal(cm_world_set_pose(world, ids[i], &pose), CM_OK);
            }
            cm_world_set_motion(world, ids[i], &m);
        }
        assert_int_equal(cm_world_update(world, &step), CM_OK);
        for (int i = 0; i < 60; i++) {
            cm_pose pose;
            assert_int_equal(cm_world_get_pose(world, ids[i], &pose), CM_OK);
            assert_true(cm_pose_is_valid(&pose));
        }
    }
    check_that(count > 100, "%d hits", count);
    cm_world_destroy(world);
}

static void stale_and_foreign_ids_are_refused(void **state) {
    (void)state;
    cm_world *world = empty_world();
    uint32_t id = add_ball(world, cm_v(0, 0, 0), 1);
    assert_int_equal(cm_world_remove(world, id), CM_OK);
    const uint32_t bad[] = {id, 0, CM_NONE, 1, id + 1, id ^ 0x80000000u};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cm_world_object_desc d;
        cm_motion m;
        cm_aabb box;
        cm_pose pose = cm_pose_identity();
        cm_shape shape = cm_make_point(cm_v(0, 0, 0));
        assert_int_equal(cm_world_remove(world, bad[i]), CM_STALE_ID);
        assert_int_equal(cm_world_set_pose(world, bad[i], &pose), CM_STALE_ID);
        assert_int_equal(cm_world_set_motion(world, bad[i], NULL), CM_STALE_ID);
        assert_int_equal(cm_world_set_shape(world, bad[i], &shape, NULL), CM_STALE_ID);
        assert_int_equal(cm_world_set_filter(world, bad[i], 1, 1, 0), CM_STALE_ID);
        assert_int_equal(cm_world_set_trigger(world, bad[i], true), CM_STALE_ID);
        assert_int_equal(cm_world_set_fixed(world, bad[i], true), CM_STALE_ID);
        assert_int_equal(cm_world_set_sweep(world, bad[i], CM_WORLD_SWEEP_AUTO), CM_STALE_ID);
        assert_int_equal(cm_world_set_user(world, bad[i], 1), CM_STALE_ID);
        assert_int_equal(cm_world_get(world, bad[i], &d), CM_STALE_ID);
        assert_int_equal(cm_world_get_pose(world, bad[i], &pose), CM_STALE_ID);
        assert_int_equal(cm_world_get_motion(world, bad[i], &m), CM_STALE_ID);
        assert_int_equal(cm_world_get_box(world, bad[i], &box), CM_STALE_ID);
    }
    cm_world_destroy(world);
}

static void an_id_is_not_given_twice(void **state) {
    (void)state;
    cm_world *world = empty_world();
    uint32_t first = add_ball(world, cm_v(0, 0, 0), 1), id = first;
    for (int i = 0; i < 2000; i++) {
        assert_int_equal(cm_world_remove(world, id), CM_OK);
        if (i % 3) assert_int_equal(cm_world_update(world, NULL), CM_OK);
        id = add_ball(world, cm_v(0, 0, 0), 1);
        assert_true(id != first && id != 0 && id != CM_NONE);
    }
    cm_world_destroy(world);
}

/* 600 balls at one point, all moving far: every pair meets, and each stops at its hits. */
static void a_crowd_at_one_point_ends(void **state) {
    (void)state;
    cm_world *world = empty_world();
    rng r = rng_start("crowd", 8);
    enum { CROWD = 600 };
    static uint32_t ids[CROWD];
    for (int i = 0; i < CROWD; i++) ids[i] = add_ball(world, cm_v(1, 2, 3), CM_REAL(0.5));
    for (int n = 0; n < 3; n++) {
        for (int i = 0; i < CROWD; i++) {
            cm_motion m = scene_motion(&r, 5, 0);
            assert_int_equal(cm_world_set_motion(world, ids[i], &m), CM_OK);
        }
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
    }
    cm_world_destroy(world);
}

/* Thousands at one point, all fixed: none of their pairs counts. */
static void many_fixed_at_one_point_are_no_pairs(void **state) {
    (void)state;
    cm_world *world = empty_world();
    cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1), .fixed = true};
    for (int i = 0; i < 3000; i++) {
        uint32_t id;
        assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
    }
    uint32_t ball = add_ball(world, cm_v(9, 0, 0), 1);
    cm_motion m = {.move = {-20, 0, 0}};
    assert_int_equal(cm_world_set_motion(world, ball, &m), CM_OK);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    cm_pose pose;
    assert_int_equal(cm_world_get_pose(world, ball, &pose), CM_OK);
    cm_world_stats stats;
    cm_world_get_stats(world, &stats);
    check_that(stats.pairs <= 3000, "%zu pairs", stats.pairs);
    check_that(cm_abs(pose.position.x - 2) < CM_REAL(1e-3), "stands at %g", (double)pose.position.x);
    cm_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_descriptions_are_refused),
        cmocka_unit_test(every_failure_fills_the_error),
        cmocka_unit_test(motions_beyond_all_bounds_are_refused),
        cmocka_unit_test(what_turns_beyond_all_bounds_between_two_ends_is_refused),
        cmocka_unit_test(nonsense_from_a_callback_makes_objects_hold),
        cmocka_unit_test(stale_and_foreign_ids_are_refused),
        cmocka_unit_test(an_id_is_not_given_twice),
        cmocka_unit_test(a_crowd_at_one_point_ends),
        cmocka_unit_test(many_fixed_at_one_point_are_no_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
