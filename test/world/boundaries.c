/* Worlds where equal numbers decide: what touches exactly is in contact, is met by every query and is within a distance
 * of exactly that; an ulp apart it is not. And what is refused, one wrong argument or byte at a time. */
#include "support/support.h"

#include <math.h>

static cm_world *world_with(cm_real margin) {
    cm_world_desc desc = {.margin = cm_max(margin, CM_REAL_MIN)}; /* 0 would be the default */
    cm_world *world = NULL;
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    return world;
}
static uint32_t put(cm_world *world, cm_shape shape, cm_vec3 at, bool trigger) {
    cm_world_object_desc d = {.shape = shape, .pose.position = at, .trigger = trigger};
    uint32_t id = 0;
    assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
    return id;
}
static cm_vec3 along(int axis, cm_real x) {
    cm_vec3 v = cm_v(0, 0, 0);
    ((cm_real *)&v)[axis] = x;
    return v;
}
static size_t events_of(const cm_world *world, cm_world_event_kind kind) {
    cm_world_event_view view;
    size_t n = 0;
    cm_world_get_events(world, &view);
    for (size_t i = 0; i < view.count; i++) n += view.events[i].kind == kind;
    return n;
}

/* --- contacts ----------------------------------------------------------------------------------------------------- */

/* Cubes of half size 1, centers 2 + margin apart along an axis, on either side; a third stands elsewhere. */
static void contacts_begin_where_they_touch_and_end_an_ulp_apart(void **state) {
    (void)state;
    const cm_shape cube = cm_make_box(cm_v(1, 1, 1));
    for (int i = 0; i < 24; i++) {
        const int axis = i % 3;
        const bool trigger = i / 12;
        const cm_real margin = i / 6 % 2 && !trigger ? CM_REAL(0.25) : 0, side = i / 3 % 2 ? 1 : -1;
        const cm_real near = 2 + margin, apart = near * (1 + CM_REAL_EPSILON);
        const cm_world_event_kind began = trigger ? CM_WORLD_ENTERED : CM_WORLD_BEGAN;
        const cm_world_event_kind ended = trigger ? CM_WORLD_LEFT : CM_WORLD_ENDED;
        cm_world *world = world_with(margin);
        put(world, cube, cm_v(0, 0, 0), trigger);
        uint32_t id = put(world, cube, along(axis, side * apart), false);
        for (int turn = 0; turn < 3; turn++) {
            assert_int_equal(cm_world_update(world, NULL), CM_OK);
            check_that(events_of(world, began) == 0, "axis %d, margin %g: they begin apart", axis, (double)margin);
            cm_pose pose = cm_pose_identity();
            pose.position = along(axis, side * near);
            assert_int_equal(cm_world_set_pose(world, id, &pose), CM_OK);
            assert_int_equal(cm_world_update(world, NULL), CM_OK);
            check_that(events_of(world, began) == 1, "axis %d, margin %g: nothing begins", axis, (double)margin);
            pose.position = along(axis, side * apart);
            assert_int_equal(cm_world_set_pose(world, id, &pose), CM_OK);
            assert_int_equal(cm_world_update(world, NULL), CM_OK);
            check_that(events_of(world, ended) == 1, "axis %d, margin %g: nothing ends", axis, (double)margin);
        }
        cm_world_destroy(world);
    }
}

/* By a motion that ends in touch, swept or not: a step of 2 from 4 apart. */
static void a_motion_that_ends_in_touch_begins_a_contact(void **state) {
    (void)state;
    const cm_shape cube = cm_make_box(cm_v(1, 1, 1));
    for (int i = 0; i < 18; i++) {
        const int axis = i % 3;
        cm_world *world = world_with(0);
        put(world, cube, cm_v(0, 0, 0), false);
        uint32_t id = put(world, cube, along(axis, i / 3 % 2 ? 4 : -4), false);
        assert_int_equal(cm_world_set_sweep(world, id, (cm_world_sweep_mode)(i / 6)), CM_OK);
        cm_motion motion = {.move = along(axis, i / 3 % 2 ? -2 : 2)};
        assert_int_equal(cm_world_set_motion(world, id, &motion), CM_OK);
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        check_that(events_of(world, CM_WORLD_BEGAN) == 1, "axis %d, mode %d", axis, i / 6);
        cm_world_destroy(world);
    }
}

/* --- queries ------------------------------------------------------------------------------------------------------ */

static void queries_meet_what_they_touch(void **state) {
    (void)state;
    const cm_shape cube = cm_make_box(cm_v(1, 1, 1)), ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    const cm_real ulp = CM_REAL_EPSILON;
    cm_world *world = world_with(0);
    uint32_t id = put(world, cube, cm_v(0, 0, 0), false), ids[4];
    put(world, cube, cm_v(100, 100, 100), false);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    for (int i = 0; i < 6; i++) {
        const int axis = i % 3;
        const cm_real side = i < 3 ? 1 : -1;
        cm_pose pose = cm_pose_identity();
        cm_world_near near;
        pose.position = along(axis, 2 * side);
        check_that(cm_world_overlap(world, &cube, &pose, NULL, ids, 4) == 1 && ids[0] == id, "cube, axis %d", axis);
        check_that(cm_world_overlap(world, &ball, &pose, NULL, ids, 4) == 1, "ball, axis %d", axis);
        check_that(cm_world_overlap_point(world, along(axis, side), NULL, ids, 4) == 1, "point, axis %d", axis);
        check_that(cm_world_distance(world, &cube, &pose, 0, NULL, &near) == 0, "distance, axis %d", axis);
        pose.position = along(axis, 2 * side * (1 + ulp));
        check_that(cm_world_overlap(world, &cube, &pose, NULL, ids, 4) == 0, "cube, axis %d, apart", axis);
        check_that(cm_world_overlap(world, &ball, &pose, NULL, ids, 4) == 0, "ball, axis %d, apart", axis);
        check_that(cm_world_overlap_point(world, along(axis, side * (1 + ulp)), NULL, ids, 4) == 0, "point, axis %d",
                   axis);
        pose.position = along(axis, 4 * side); /* two apart */
        check_that(cm_world_distance(world, &cube, &pose, 2, NULL, &near) == 2 && near.id == id, "axis %d", axis);
        check_that(cm_world_distance(world, &cube, &pose, 2 * (1 - ulp), NULL, &near) == CM_REAL_MAX, "axis %d", axis);
        /* a ray along a face, one that ends at a face, and one along an edge */
        cm_ray ray = {.origin = along(axis, 3 * side), .direction = along(axis, -side), .max = 2};
        cm_world_ray_hit hit;
        check_that(cm_world_raycast(world, &ray, NULL, &hit) && hit.hit.t == 2 && hit.id == id, "ray, axis %d", axis);
        ray.max = 2 * (1 - ulp);
        check_that(!cm_world_raycast(world, &ray, NULL, &hit), "short ray, axis %d", axis);
        ray.max = 8;
        ((cm_real *)&ray.origin)[(axis + 1) % 3] = 1;
        check_that(cm_world_raycast_any(world, &ray, NULL), "ray along a face, axis %d", axis);
        ((cm_real *)&ray.origin)[(axis + 2) % 3] = -1;
        check_that(cm_world_raycast_any(world, &ray, NULL), "ray along an edge, axis %d", axis);
        ((cm_real *)&ray.origin)[(axis + 2) % 3] = -1 - ulp;
        check_that(!cm_world_raycast_any(world, &ray, NULL), "ray beside an edge, axis %d", axis);
        /* a sweep that ends in touch */
        cm_motion motion = {.start = pose, .move = along(axis, -2 * side)};
        check_that(cm_world_sweep(world, &cube, &motion, NULL, NULL), "sweep, axis %d", axis);
    }
    cm_world_destroy(world);
}

/* Of equally near ones the lower id, whichever comes first. */
static void of_equals_the_lower_id_is_told(void **state) {
    (void)state;
    const cm_shape cube = cm_make_box(cm_v(1, 1, 1));
    for (int back = 0; back < 2; back++) {
        cm_world *world = world_with(0);
        uint32_t lowest = CM_NONE;
        for (int i = 0; i < 6; i++) {
            uint32_t id = put(world, cube, along(i % 3, (i < 3) == back ? 4 : -4), false);
            lowest = id < lowest ? id : lowest;
        }
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        cm_pose pose = cm_pose_identity();
        cm_world_near near;
        check_that(cm_world_distance(world, &cube, &pose, 9, NULL, &near) == 2, "distance");
        check_that(near.id == lowest, "id %u, not %u", near.id, lowest);
        cm_world_destroy(world);
    }
}

/* Nor does it matter which stands in which slot: two at one place, of which the one in the lower slot has the higher
 * id, since its slot was in use before. */
static void of_two_at_one_place_the_lower_id_is_told(void **state) {
    (void)state;
    const cm_shape cube = cm_make_box(cm_v(1, 1, 1)), point = cm_make_point(cm_v(0, 0, 0));
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; kind++) {
        const cm_world_desc desc = {.kind = (cm_broad_kind)kind};
        cm_world *world = NULL;
        assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
        const uint32_t before = put(world, cube, cm_v(4, 0, 0), false), low = put(world, cube, cm_v(4, 0, 0), false);
        assert_int_equal(cm_world_remove(world, before), CM_OK);
        assert_int_equal(cm_world_update(world, NULL), CM_OK); /* from now on its slot is free */
        const uint32_t high = put(world, cube, cm_v(4, 0, 0), false);
        assert_true((high & 0xffffff) < (low & 0xffffff) && high > low);
        for (int updated = 0; updated < 2; updated++) {
            const cm_pose pose = cm_pose_identity();
            const cm_ray ray = {.direction = {1, 0, 0}, .max = 9};
            const cm_motion straight = {.start = pose, .move = {9, 0, 0}};
            const cm_motion curved = {.start = pose, .accelerate = {18, 0, 0}};
            cm_world_near near;
            cm_world_ray_hit hits[2];
            cm_world_sweep_hit swept[2];
            uint32_t ids[2];
            const cm_real d = cm_world_distance(world, &point, &pose, 9, NULL, &near);
            check_that(d == 3 && near.id == low, "kind %d: %.17g", kind, (double)d);
            check_that(cm_world_raycast(world, &ray, NULL, hits) && hits[0].id == low, "kind %d", kind);
            assert_int_equal(cm_world_raycast_all(world, &ray, NULL, hits, 2), 2);
            check_that(hits[0].id == low && hits[1].id == high, "kind %d", kind);
            check_that(cm_world_sweep(world, &point, &straight, NULL, swept) && swept[0].id == low, "kind %d", kind);
            check_that(cm_world_sweep(world, &point, &curved, NULL, swept) && swept[0].id == low, "kind %d", kind);
            assert_int_equal(cm_world_sweep_all(world, &point, &straight, NULL, swept, 2), 2);
            check_that(swept[0].id == low && swept[1].id == high, "kind %d", kind);
            assert_int_equal(cm_world_overlap_point(world, cm_v(4, 0, 0), NULL, ids, 2), 2);
            check_that(ids[0] == low && ids[1] == high, "kind %d", kind);
            assert_int_equal(cm_world_update(world, NULL), CM_OK);
        }
        cm_world_destroy(world);
    }
}

/* One wrong argument at a time. */
static void queries_refuse_each_wrong_argument(void **state) {
    (void)state;
    cm_world *world = world_with(0);
    put(world, cm_make_box(cm_v(1, 1, 1)), cm_v(0, 0, 0), false);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    const cm_shape fine = cm_make_sphere(cm_v(0, 0, 0), 1), bad = cm_make_sphere(cm_v(0, 0, 0), -1);
    const cm_pose pose = cm_pose_identity(), none = {.position = {0, 0, 0}};
    const cm_motion still = {.start = pose}, lost = {.start = none};
    const cm_real nan = (cm_real)NAN;
    cm_world_near near;
    memset(&near, 77, sizeof near);
    const cm_world_near before = near;
    uint32_t ids[2] = {7, 7};
    assert_true(cm_world_distance(NULL, &fine, &pose, 1, NULL, &near) == CM_REAL_MAX);
    assert_true(cm_world_distance(world, NULL, &pose, 1, NULL, &near) == CM_REAL_MAX);
    assert_true(cm_world_distance(world, &fine, NULL, 1, NULL, &near) == CM_REAL_MAX);
    assert_true(cm_world_distance(world, &fine, &pose, -1, NULL, &near) == CM_REAL_MAX);
    assert_true(cm_world_distance(world, &fine, &pose, nan, NULL, &near) == CM_REAL_MAX);
    assert_true(cm_world_distance(world, &bad, &pose, 1, NULL, &near) == CM_REAL_MAX);
    assert_true(cm_world_distance(world, &fine, &none, 1, NULL, &near) == CM_REAL_MAX);
    assert_memory_equal(&near, &before, sizeof near);
    assert_true(cm_world_distance(world, &fine, &pose, 1, NULL, &near) < 0);
    assert_int_equal(cm_world_overlap(NULL, &fine, &pose, NULL, ids, 2), 0);
    assert_int_equal(cm_world_overlap(world, NULL, &pose, NULL, ids, 2), 0);
    assert_int_equal(cm_world_overlap(world, &fine, NULL, NULL, ids, 2), 0);
    assert_int_equal(cm_world_overlap(world, &bad, &pose, NULL, ids, 2), 0);
    assert_int_equal(cm_world_overlap(world, &fine, &none, NULL, ids, 2), 0);
    assert_int_equal(ids[0], 7);
    assert_int_equal(cm_world_overlap(world, &fine, &pose, NULL, ids, 2), 1);
    assert_false(cm_world_sweep(NULL, &fine, &still, NULL, NULL));
    assert_false(cm_world_sweep(world, NULL, &still, NULL, NULL));
    assert_false(cm_world_sweep(world, &fine, NULL, NULL, NULL));
    assert_false(cm_world_sweep(world, &bad, &still, NULL, NULL));
    assert_false(cm_world_sweep(world, &fine, &lost, NULL, NULL));
    assert_true(cm_world_sweep(world, &fine, &still, NULL, NULL));
    cm_world_destroy(world);
}

/* --- snapshots ---------------------------------------------------------------------------------------------------- */

static void any_wrong_bit_of_the_head_is_refused(void **state) {
    (void)state;
    for (int objects = 0; objects < 3; objects += 2) {
        cm_world *world = world_with(0);
        const size_t head = cm_world_save(world, NULL, NULL, 0);
        for (int i = 0; i < objects; i++) put(world, cm_make_box(cm_v(1, 1, 1)), cm_v(0, 0, 0), false);
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        unsigned char bytes[4096];
        const size_t size = cm_world_save(world, NULL, bytes, sizeof bytes);
        assert_true(size > 0 && size <= sizeof bytes);
        assert_int_equal(cm_world_restore(world, NULL, bytes, size), CM_OK);
        for (size_t bit = 0; bit < 8 * head; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            cm_status status = cm_world_restore(world, NULL, bytes, size);
            check_that(status == CM_BAD_DATA, "bit %zu: %s", bit, cm_status_text(status));
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        cm_world_destroy(world);
    }
}

/* The last record is a contact: two ids and a state. Ids of slots that are not there, the same twice, the wrong way
 * round, of another generation. With 20 slots what is kept of them has room for no more. */
static void a_contact_of_what_is_not_there_is_refused(void **state) {
    (void)state;
    for (uint32_t count = 2; count <= 20; count += 18) {
        cm_world *world = world_with(0);
        uint32_t ids[20];
        for (uint32_t i = 0; i < count; i++)
            ids[i] = put(world, cm_make_box(cm_v(1, 1, 1)), cm_v(i < 2 ? 0 : 5 * (cm_real)i, 0, 0), false);
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        static unsigned char bytes[20000], bent[20000];
        const size_t size = cm_world_save(world, NULL, bytes, sizeof bytes), at = size - 12;
        assert_true(size > 0 && size <= sizeof bytes);
        assert_memory_equal(bytes + at, ids, 2 * sizeof *ids);
        const uint32_t slot = 0xffffff, one = 0x1000000; /* of an id: 24 bits of slot, 8 of generation */
        const uint32_t first = ids[0] & ~slot;
        const uint32_t bad[][2] = {{ids[1], ids[0]},
                                   {ids[0], ids[0]},
                                   {ids[1], ids[1]},
                                   {ids[0], first | count},
                                   {first | count, first | (count + 1)},
                                   {first | count, ids[1] + one},
                                   {ids[0], first | slot},
                                   {ids[0], ids[1] + one},
                                   {ids[0] + one, ids[1] + one}};
        for (int i = 0; i < 9; i++) {
            memcpy(bent, bytes, size);
            memcpy(bent + at, bad[i], sizeof bad[i]);
            cm_status status = cm_world_restore(world, NULL, bent, size);
            check_that(status == CM_BAD_DATA, "%u slots, contact %d: %s", count, i, cm_status_text(status));
        }
        assert_int_equal(cm_world_restore(world, NULL, bytes, size), CM_OK);
        cm_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_begin_where_they_touch_and_end_an_ulp_apart),
        cmocka_unit_test(a_motion_that_ends_in_touch_begins_a_contact),
        cmocka_unit_test(queries_meet_what_they_touch),
        cmocka_unit_test(of_equals_the_lower_id_is_told),
        cmocka_unit_test(of_two_at_one_place_the_lower_id_is_told),
        cmocka_unit_test(queries_refuse_each_wrong_argument),
        cmocka_unit_test(any_wrong_bit_of_the_head_is_refused),
        cmocka_unit_test(a_contact_of_what_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
