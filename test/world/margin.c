/* The margin of a world. By default it is what a sweep may leave and more, so that the contact of a slide stays; the
 * least positive number is none, and then it does not. What is given holds. */
#include "scene.h"

#include <math.h>

enum { SLIDE_STEPS = 12 };

static cm_world *world_of_margin(cm_real margin) {
    const cm_world_desc desc = {.margin = margin};
    cm_world *world;
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    return world;
}

/* Into the wall, and on along it. */
static cm_world_answer slide_along(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                   cm_motion *rest_b) {
    (void)user, (void)world, (void)rest_a;
    rest_b->move = cm_mul_add(rest_b->move, -cm_dot(rest_b->move, hit->normal), hit->normal);
    return CM_WORLD_GO;
}

static cm_shape slider(rng *r, int kind) {
    const cm_real s = CM_REAL(rng_range(r, 0.2, 1)), t = CM_REAL(rng_range(r, 0.2, 1));
    if (kind == 0) return cm_make_sphere(cm_v(0, 0, 0), s);
    if (kind == 1) return cm_make_box(cm_v(s, t, s));
    if (kind == 2) return cm_make_capsule(cm_v(0, 0, -s), cm_v(0, 0, s), t / 2);
    return cm_make_cylinder(s, t);
}

/* How many of the steps of slides end their contact. */
static int slides_that_end(cm_real margin, uint64_t seed, int *met) {
    rng r = rng_start("slides", seed);
    const cm_world_step step = {.hit = slide_along};
    int ended = 0;
    *met = 0;
    for (int i = 0; i < samples(400, 10000); i++) {
        cm_world *world = world_of_margin(margin);
        const double scale = rng_log_range(&r, 1e-2, 1e2), away = rng_log_range(&r, 0.1, 100);
        cm_world_object_desc wall = {.shape = cm_make_halfspace(cm_v(0, 0, 1), 0), .fixed = true};
        cm_world_object_desc body = {.shape = slider(&r, i % 4), .sweep = CM_WORLD_SWEEP_ALWAYS};
        const cm_vec3 at = rng_vec3(&r, away * scale);
        const cm_real thick = CM_REAL(scale);
        if (i % 3 == 0) wall.shape = cm_make_box(cm_v(CM_REAL(1e3 * scale), CM_REAL(1e3 * scale), thick));
        wall.pose.position = cm_v(at.x, at.y, i % 3 == 0 ? at.z - thick : at.z);
        assert_int_equal(cm_shape_scaled(&body.shape, cm_v(thick, thick, thick), &body.shape), CM_OK);
        body.pose.position = cm_v(at.x, at.y, at.z + 3 * thick);
        uint32_t wall_id, id;
        assert_int_equal(cm_world_add(world, &wall, &wall_id, NULL), CM_OK);
        assert_int_equal(cm_world_add(world, &body, &id, NULL), CM_OK);
        cm_motion m = {.move = cm_scale(cm_v(CM_REAL(rng_range(&r, 2, 8)), CM_REAL(rng_range(&r, -4, 4)), -4), thick)};
        for (int k = 0; k < SLIDE_STEPS; k++) {
            assert_int_equal(cm_world_set_motion(world, id, &m), CM_OK);
            assert_int_equal(cm_world_update(world, &step), CM_OK);
            m.move.z = 0;
            if (k == 0) *met += scene_event(world, CM_WORLD_HIT, wall_id, id) != NULL;
            ended += scene_event(world, CM_WORLD_ENDED, wall_id, id) != NULL;
        }
        cm_world_destroy(world);
    }
    return ended;
}

static void the_contact_of_a_slide_stays(void **state) {
    (void)state;
    int met = 0, same = 0;
    const int ended = slides_that_end(0, 2111, &met), without = slides_that_end(CM_REAL_MIN, 2111, &same);
    print_message("  of %d slides %d end; without a margin %d\n", met, ended, without);
    assert_int_equal(met, samples(400, 10000));
    check_that(ended == 0, "%d of %d slides end", ended, met);
    check_that(without > met / 8, "without a margin %d of %d end", without, met);
}

/* Cubes of half size 1 at the origin: 1e-3 apart is no contact, 1e-6 in float and 1e-10 in double is; and what is given
 * is what counts. */
static void the_default_is_small_beside_sizes(void **state) {
    (void)state;
    const double fine = sizeof(cm_real) == 4 ? 1e-6 : 1e-10;
    const struct {
        double margin, gap;
        bool touch;
    } rows[] = {{0, 1e-3, false}, {0, fine, true}, {0.01, 1e-3, true}, {0.01, 0.02, false}, {1e-30, fine, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_world *world = world_of_margin(CM_REAL(rows[i].margin));
        cm_world_object_desc cube = {.shape = cm_make_box(cm_v(1, 1, 1))};
        uint32_t a, b;
        assert_int_equal(cm_world_add(world, &cube, &a, NULL), CM_OK);
        cube.pose.position.x = CM_REAL(2 + rows[i].gap);
        assert_int_equal(cm_world_add(world, &cube, &b, NULL), CM_OK);
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        const bool touch = scene_event(world, CM_WORLD_BEGAN, a, b) != NULL;
        check_that(touch == rows[i].touch, "margin %g, gap %g: touch %d", rows[i].margin, rows[i].gap, touch);
        check_that((cm_world_why(world, a, b) == CM_WORLD_WHY_MEET) == touch, "margin %g: why", rows[i].margin);
        cm_world_destroy(world);
    }
}

/* Saved amid a slide and restored, both go on alike, events and bytes. */
static void a_slide_is_saved_and_goes_on(void **state) {
    (void)state;
    rng r = rng_start("saved slides", 2112);
    const cm_world_step step = {.hit = slide_along};
    for (int i = 0; i < samples(40, 1000); i++) {
        cm_world *one = world_of_margin(0), *two = world_of_margin(0);
        cm_world_object_desc wall = {.shape = cm_make_halfspace(cm_v(0, 0, 1), 0), .fixed = true};
        cm_world_object_desc body = {
            .shape = slider(&r, i % 4), .pose = cm_pose_at(cm_v(1, 2, 3)), .sweep = CM_WORLD_SWEEP_ALWAYS};
        uint32_t wall_id, id;
        assert_int_equal(cm_world_add(one, &wall, &wall_id, NULL), CM_OK);
        assert_int_equal(cm_world_add(one, &body, &id, NULL), CM_OK);
        cm_motion m = {.move = cm_v(3, 1, -4), .accelerate = cm_v(0, 1, -1)};
        assert_int_equal(cm_world_set_motion(one, id, &m), CM_OK);
        assert_int_equal(cm_world_update(one, &step), CM_OK);
        for (int k = 0; k < 4; k++) {
            unsigned char bytes[4096], again[4096];
            m.move.z = 0, m.accelerate.z = 0;
            assert_int_equal(cm_world_set_motion(one, id, &m), CM_OK);
            const size_t size = cm_world_save(one, NULL, bytes, sizeof bytes);
            assert_true(size > 0 && size <= sizeof bytes);
            assert_int_equal(cm_world_restore(two, NULL, bytes, size), CM_OK);
            assert_int_equal(cm_world_save(two, NULL, again, sizeof again), size);
            assert_memory_equal(bytes, again, size);
            assert_true(cm_world_hash(one) == cm_world_hash(two));
            cm_motion pending;
            assert_int_equal(cm_world_get_motion(two, id, &pending), CM_OK);
            assert_true(pending.accelerate.y == 1); /* with it */
            assert_int_equal(cm_world_update(one, &step), CM_OK);
            assert_int_equal(cm_world_update(two, &step), CM_OK);
            assert_true(cm_world_hash(one) == cm_world_hash(two));
            assert_non_null(scene_event(one, CM_WORLD_STAYED, wall_id, id));
            assert_non_null(scene_event(two, CM_WORLD_STAYED, wall_id, id));
        }
        cm_world_destroy(one), cm_world_destroy(two);
    }
}

/* --- descriptions ------------------------------------------------------------------------------------------------- */

static bool same_description(const cm_world_object_desc *a, const cm_world_object_desc *b) {
    return !memcmp(&a->shape, &b->shape, sizeof a->shape) && !memcmp(&a->pose, &b->pose, sizeof a->pose) &&
           a->fixed == b->fixed && a->trigger == b->trigger && a->layer == b->layer && a->mask == b->mask &&
           a->exact == b->exact && a->group == b->group && a->user == b->user && a->sweep == b->sweep;
}

static void what_is_got_and_added_is_the_same_again(void **state) {
    (void)state;
    rng r = rng_start("copies", 2113);
    for (int i = 0; i < samples(500, 5000); i++) {
        cm_world *world = world_of_margin(0);
        cm_world_object_desc one = scene_object(&r, 1), plain = {.shape = cm_make_sphere(cm_v(0, 0, 0), 9)}, got, again;
        uint32_t first, second, other;
        one.sweep = (cm_world_sweep_mode)(i % 3);
        assert_int_equal(cm_world_add(world, &one, &first, NULL), CM_OK);
        assert_int_equal(cm_world_add(world, &plain, &other, NULL), CM_OK);
        if (i % 2) cm_world_set_filter(world, first, i % 4 == 1 ? 0 : 5, i % 8 < 4 ? 0 : 3, i % 16 < 8 ? 0 : -2);
        assert_int_equal(cm_world_get(world, first, &got), CM_OK);
        assert_true(got.exact);
        assert_int_equal(cm_world_add(world, &got, &second, NULL), CM_OK);
        assert_int_equal(cm_world_get(world, second, &again), CM_OK);
        check_that(same_description(&got, &again), "%d: layer %u, mask %u; again %u, %u", i, got.layer, got.mask,
                   again.layer, again.mask);
        assert_int_equal(cm_world_why(world, first, other), cm_world_why(world, second, other));
        cm_world_destroy(world);
    }
    cm_world *world = world_of_margin(0); /* 0 is the default where nothing else is told */
    cm_world_object_desc one = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)}, got;
    uint32_t id;
    assert_int_equal(cm_world_add(world, &one, &id, NULL), CM_OK);
    assert_int_equal(cm_world_get(world, id, &got), CM_OK);
    assert_true(got.layer == 1 && got.mask == UINT32_MAX);
    cm_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_contact_of_a_slide_stays),
        cmocka_unit_test(the_default_is_small_beside_sizes),
        cmocka_unit_test(a_slide_is_saved_and_goes_on),
        cmocka_unit_test(what_is_got_and_added_is_the_same_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
