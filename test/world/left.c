/* When two part: ENDED and LEFT tell the last time of the step at which they touched, also of a contact that is older
 * than the step, along ways that hits have bent, and of what was removed. Times by hand. */
#include "scene.h"

#include <math.h>

static cm_world *world_empty(void) {
    cm_world *world;
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    return world;
}

static uint32_t add_one(cm_world *world, cm_shape shape, cm_vec3 at, bool fixed, bool trigger) {
    cm_world_object_desc d = {.shape = shape, .pose.position = at, .fixed = fixed, .trigger = trigger};
    uint32_t id;
    d.sweep = fixed ? CM_WORLD_SWEEP_AUTO : CM_WORLD_SWEEP_ALWAYS;
    assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
    return id;
}

static uint32_t gate_at_home(cm_world *world) {
    return add_one(world, cm_make_box(cm_v(1, 9, 9)), cm_v(0, 0, 0), true, true);
}
static uint32_t ball_at(cm_world *world, cm_real x) {
    return add_one(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25)), cm_v(x, 0, 0), false, false);
}

static void step_by(cm_world *world, uint32_t id, cm_vec3 move, cm_vec3 accelerate, const cm_world_step *step) {
    const cm_motion m = {.move = move, .accelerate = accelerate};
    assert_int_equal(cm_world_set_motion(world, id, &m), CM_OK);
    assert_int_equal(cm_world_update(world, step), CM_OK);
}

static void expect_at(const cm_world *world, cm_world_event_kind kind, uint32_t a, uint32_t b, double u) {
    const cm_world_event *e = scene_event(world, kind, a, b);
    check_that(e, "no '%s'", cm_world_event_text(kind));
    const double off = (double)e->u - u;
    check_that(off > -1e-6 && off < 1e-5, "'%s' at " REAL_FORMAT ", not %.9g", cm_world_event_text(kind), (double)e->u,
               u);
}

/* The gate reaches to x = 1, the ball is out at x = 1.25. */
static void what_was_within_for_long_leaves_when_it_is_out(void **state) {
    (void)state;
    cm_world *world = world_empty();
    uint32_t gate = gate_at_home(world), ball = ball_at(world, -3);
    step_by(world, ball, cm_v(2, 0, 0), cm_v(0, 0, 0), NULL); /* in at x = -1.25 */
    expect_at(world, CM_WORLD_ENTERED, gate, ball, 1.75 / 2);
    step_by(world, ball, cm_v(1, 0, 0), cm_v(0, 0, 0), NULL);
    assert_int_equal(scene_event_count(world), 0);
    step_by(world, ball, cm_v(4, 0, 0), cm_v(0, 0, 0), NULL); /* from 0 */
    expect_at(world, CM_WORLD_LEFT, gate, ball, 1.25 / 4);
    cm_world_destroy(world);
}

/* A ball of radius 1/4 on a plate: its lowest point leaves the edge at x = 1. Then the same on a parabola, 8 u^2. */
static void a_contact_ends_where_the_surface_does(void **state) {
    (void)state;
    for (int curved = 0; curved < 2; curved++) {
        cm_world *world = world_empty();
        uint32_t plate = add_one(world, cm_make_box(cm_v(1, 1, 1)), cm_v(0, 0, -1), true, false);
        uint32_t ball =
            add_one(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25)), cm_v(0, 0, CM_REAL(0.25)), false, false);
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        assert_non_null(scene_event(world, CM_WORLD_BEGAN, plate, ball));
        step_by(world, ball, cm_v(curved ? 0 : 4, 0, 0), cm_v(curved ? 16 : 0, 0, 0), NULL);
        const cm_world_event *e = scene_event(world, CM_WORLD_ENDED, plate, ball);
        const double first = curved ? sqrt(0.125) : 0.25;
        assert_non_null(e); /* it stays within the gap for sqrt(2 r gap) more */
        const double room = sqrt(0.5 * (sizeof(cm_real) == 4 ? 2e-5 : 1e-12));
        check_that((double)e->u >= first - 1e-7 && (double)e->u <= first + room, "ended at " REAL_FORMAT ", not %g",
                   (double)e->u, first);
        cm_world_destroy(world);
    }
}

static cm_world_answer turn_back(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                 cm_motion *rest_b) {
    (void)user, (void)world, (void)hit, (void)rest_a;
    rest_b->move = cm_neg(rest_b->move);
    return CM_WORLD_GO;
}

/* Within the gate a wall at x = 1: the ball comes to 0.75 at 0.1875, and back is out at -1.25, 2 farther, at 0.6875. */
static void a_way_is_followed_around_its_hits(void **state) {
    (void)state;
    const cm_world_step step = {.hit = turn_back};
    cm_world *world = world_empty();
    uint32_t gate = gate_at_home(world);
    add_one(world, cm_make_box(cm_v(1, 9, 9)), cm_v(2, 0, 0), true, false);
    uint32_t ball = ball_at(world, 0);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    assert_non_null(scene_event(world, CM_WORLD_ENTERED, gate, ball));
    step_by(world, ball, cm_v(4, 0, 0), cm_v(0, 0, 0), &step);
    expect_at(world, CM_WORLD_LEFT, gate, ball, 0.6875);
    cm_world_destroy(world);
}

/* Out of the gate at 1.25 of 4, and only then, at 2.75, to a wall at x = 3. */
static void it_was_left_before_the_last_hit(void **state) {
    (void)state;
    for (int back = 0; back < 2; back++) {
        const cm_world_step step = {.hit = back ? turn_back : NULL};
        cm_world *world = world_empty();
        uint32_t gate = gate_at_home(world),
                 wall = add_one(world, cm_make_box(cm_v(1, 9, 9)), cm_v(4, 0, 0), true, false);
        uint32_t ball = ball_at(world, 0);
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        step_by(world, ball, cm_v(4, 0, 0), cm_v(0, 0, 0), &step);
        expect_at(world, CM_WORLD_HIT, wall, ball, 0.6875);
        expect_at(world, CM_WORLD_LEFT, gate, ball, 0.3125);
        if (back) { /* the wall was touched for a moment */
            expect_at(world, CM_WORLD_BEGAN, wall, ball, 0.6875);
            expect_at(world, CM_WORLD_ENDED, wall, ball, 0.6875);
        }
        cm_world_destroy(world);
    }
}

static cm_world_answer take_out(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                cm_motion *rest_b) {
    (void)user, (void)rest_a, (void)rest_b;
    assert_int_equal(cm_world_remove(world, hit->b), CM_OK);
    return CM_WORLD_PASS;
}

/* Removed at the wall, 0.75 of 4: contacts and gates of before end there; removed before a step: at its start. */
static void what_is_removed_leaves_then(void **state) {
    (void)state;
    const cm_world_step step = {.hit = take_out};
    cm_world *world = world_empty();
    uint32_t gate = gate_at_home(world), wall = add_one(world, cm_make_box(cm_v(1, 9, 9)), cm_v(2, 0, 0), true, false);
    uint32_t ball = ball_at(world, 0), other = ball_at(world, CM_REAL(0.5));
    cm_world_set_filter(world, other, 1, 1, -1), cm_world_set_filter(world, ball, 1, 1, -1);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    assert_int_equal(cm_world_remove(world, other), CM_OK);
    step_by(world, ball, cm_v(4, 0, 0), cm_v(0, 0, 0), &step);
    expect_at(world, CM_WORLD_ENDED, wall, ball, 0.1875);
    expect_at(world, CM_WORLD_LEFT, gate, ball, 0.1875);
    expect_at(world, CM_WORLD_LEFT, gate, other, 0);
    cm_world_destroy(world);
}

/* A rod along x, 4 long, turns about its end at the origin by a quarter of a circle: the gate, x >= 3, is left when its
 * other end is at x = 3, 4 times the cosine of the angle. */
static void what_turns_leaves_when_it_is_out(void **state) {
    (void)state;
    const cm_real quarter = CM_REAL(1.5707963267948966);
    cm_world *world = world_empty();
    uint32_t gate = add_one(world, cm_make_box(cm_v(1, 9, 9)), cm_v(4, 0, 0), true, true);
    uint32_t rod = add_one(world, cm_make_segment(cm_v(0, 0, 0), cm_v(4, 0, 0)), cm_v(0, 0, 0), false, false);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    const cm_motion m = {.spin = cm_v(0, 0, quarter)};
    assert_int_equal(cm_world_set_motion(world, rod, &m), CM_OK);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    expect_at(world, CM_WORLD_LEFT, gate, rod, acos(0.75) / (double)quarter);
    cm_world_destroy(world);
}

/* Carried away before a step in which it moves: it was not there any more. Of what is not swept nothing is known: 1. */
static void what_is_carried_away_was_left_before(void **state) {
    (void)state;
    cm_world *world = world_empty();
    uint32_t gate = gate_at_home(world), ball = ball_at(world, 0), slow = ball_at(world, 0);
    cm_world_set_filter(world, slow, 1, 1, -1), cm_world_set_filter(world, ball, 1, 1, -1);
    assert_int_equal(cm_world_set_sweep(world, slow, CM_WORLD_SWEEP_NEVER), CM_OK);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    const cm_pose far = cm_pose_at(cm_v(20, 0, 0));
    assert_int_equal(cm_world_set_pose(world, ball, &far), CM_OK);
    const cm_motion away = {.move = {8, 0, 0}};
    assert_int_equal(cm_world_set_motion(world, slow, &away), CM_OK);
    step_by(world, ball, cm_v(4, 0, 0), cm_v(0, 0, 0), NULL);
    expect_at(world, CM_WORLD_LEFT, gate, ball, 0);
    expect_at(world, CM_WORLD_LEFT, gate, slow, 1);
    cm_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_within_for_long_leaves_when_it_is_out),
        cmocka_unit_test(a_contact_ends_where_the_surface_does),
        cmocka_unit_test(a_way_is_followed_around_its_hits),
        cmocka_unit_test(it_was_left_before_the_last_hit),
        cmocka_unit_test(what_is_removed_leaves_then),
        cmocka_unit_test(what_turns_leaves_when_it_is_out),
        cmocka_unit_test(what_is_carried_away_was_left_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
