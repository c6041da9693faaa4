/* What a step does with a body, law by law: gravity within a step that has a hit, the friction and restitution of two,
 * sliding, turning about the center of mass, passing through, and a state restored where there was none. */
#include "set_up.h"

#include <math.h>

static const cm_real tiny = 512 * CM_REAL_EPSILON;

typedef struct lab {
    cm_world *world;
    cm_dynamics *bodies;
    int asked;
    cm_real last_u;
} lab;

static void count_asked(void *user, cm_dynamics *bodies, const cm_world_hit *hit, uint32_t *a, uint32_t *b) {
    lab *l = user;
    (void)bodies, (void)a, (void)b;
    l->asked++;
    l->last_u = hit->u;
}

static void lab_make(lab *l, cm_vec3 gravity) {
    cm_dynamics_desc desc = {.gravity = gravity, .respond = count_asked, .user = l};
    memset(l, 0, sizeof *l);
    set_up(NULL, &desc, &l->world, &l->bodies);
}
static void lab_free(lab *l) { take_down(l->world, l->bodies); }
static uint32_t lab_add(lab *l, cm_shape shape, cm_vec3 at, const cm_body_desc *body) {
    return put_object(l->world, l->bodies, shape, at, body, CM_WORLD_SWEEP_ALWAYS);
}
static cm_body_state lab_state(const lab *l, uint32_t id) { return body_state(l->bodies, id); }
static void same(cm_real got, double want, const char *what) {
    check_that(fabs((double)got - want) <= (double)tiny * (1 + fabs(want)), "%s: " REAL_FORMAT ", not %.9g", what,
               (double)got, want);
}

/* From 0.35 above the floor at 10 m/s down, g 10, one step of 0.1 s: 10 t + 5 t^2 = 0.35 at t = sqrt(1.07) - 1, where
 * the speed is 10 sqrt(1.07); it bounces, and rises for what is left of the step. */
static void gravity_acts_before_and_after_a_hit(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, -10));
    cm_body_desc body = {.velocity = {0, 0, -10}, .mass = 2, .restitution = 1, .response = CM_RESPONSE_BOUNCE};
    lab_add(&l, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL);
    uint32_t id = lab_add(&l, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5)), cm_v(0, 0, CM_REAL(0.85)), &body);
    assert_int_equal(cm_dynamics_step(l.bodies, CM_REAL(0.1)), CM_OK);
    assert_int_equal(l.asked, 1);
    const double root = sqrt(1.07), left = 0.1 - (root - 1);
    same(l.last_u, (root - 1) / 0.1, "time of impact");
    same(lab_state(&l, id).velocity.z, 10 * root - 10 * left, "speed at the end");
    same(lab_state(&l, id).center.z, 0.5 + 10 * root * left - 5 * left * left, "height at the end");
    lab_free(&l);
}

/* Restitution: the greater of 0.2 and 0.6. Friction: the root of 0.05 times 0.2. Two kilograms of balls of 1 kg meet
 * along x at 4 m/s with 3 m/s across: the impulse along is 4 1.6 / 2 = 3.2, across 0.1 of it. */
static void two_share_restitution_and_friction(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc first = {.velocity = {4, 3, 0}, .mass = 1, .restitution = CM_REAL(0.2), .friction = CM_REAL(0.05)};
    cm_body_desc second = {.mass = 1, .restitution = CM_REAL(0.6), .friction = CM_REAL(0.2)};
    first.response = second.response = CM_RESPONSE_BOUNCE;
    cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5));
    uint32_t a = lab_add(&l, ball, cm_v(-3, CM_REAL(-1.5), 0), &first), b = lab_add(&l, ball, cm_v(0, 0, 0), &second);
    assert_int_equal(cm_dynamics_step(l.bodies, CM_REAL(0.75)), CM_OK);
    same(lab_state(&l, a).velocity.x, 0.8, "the first, along");
    same(lab_state(&l, b).velocity.x, 3.2, "the second, along");
    same(lab_state(&l, a).velocity.y, 2.68, "the first, across");
    same(lab_state(&l, b).velocity.y, 0.32, "the second, across");
    lab_free(&l);
}

/* Sliding takes the speed along the normal and no more: no bounce, no friction, no turn, whatever the body is. */
static void sliding_takes_the_normal_speed_only(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.velocity = {3, 0, -4}, .mass = 1, .restitution = 1, .friction = 1};
    body.response = CM_RESPONSE_SLIDE;
    lab_add(&l, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL);
    uint32_t id = lab_add(&l, cm_make_sphere(cm_v(0, 0, 0), 1), cm_v(0, 0, 3), &body);
    assert_int_equal(cm_dynamics_step(l.bodies, 1), CM_OK);
    cm_body_state b = lab_state(&l, id);
    same(b.velocity.x, 3, "along");
    same(b.velocity.z, 0, "normal");
    same(b.center.x, 3, "the way along");
    same(cm_length(b.spin), 0, "turn");
    lab_free(&l);
}

/* A ball around (1, 0, 0) of its object turns about its own center: a quarter turn carries the origin to (1, -1, 0). */
static void a_free_body_turns_about_its_center_of_mass(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.spin = {0, 0, CM_REAL(1.5707963267948966)}, .mass = 1};
    uint32_t id = lab_add(&l, cm_make_sphere(cm_v(1, 0, 0), CM_REAL(0.5)), cm_v(0, 0, 0), &body);
    assert_int_equal(cm_dynamics_step(l.bodies, 1), CM_OK);
    cm_pose pose;
    assert_int_equal(cm_world_get_pose(l.world, id, &pose), CM_OK);
    same(pose.position.x, 1, "x of the origin");
    same(pose.position.y, -1, "y of the origin");
    same(lab_state(&l, id).center.x, 1, "x of the center");
    same(lab_state(&l, id).center.y, 0, "y of the center");
    lab_free(&l);
}

/* Through a plate within one step: asked once, at the hit; at the end of the step the two do not touch. */
static void what_only_reports_is_asked_once_on_its_way_through(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.velocity = {10, 0, 0}, .mass = 1};
    lab_add(&l, cm_make_box(cm_v(CM_REAL(0.1), 1, 1)), cm_v(5, 0, 0), NULL);
    uint32_t id = lab_add(&l, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5)), cm_v(0, 0, 0), &body);
    assert_int_equal(cm_dynamics_step(l.bodies, 1), CM_OK);
    assert_int_equal(l.asked, 1);
    same(l.last_u, 0.44, "when");
    same(lab_state(&l, id).center.x, 10, "where");
    lab_free(&l);
}

/* Overlaps are undone by the deepest part, and what one part's push did counts for the next: a ball of radius 1 that
 * stands half a unit in two boxes of one compound floor, both along z, is pushed by half a unit, not by two halves. */
static void a_push_counts_once(void **state) {
    (void)state;
    cm_compound_child children[2];
    memset(children, 0, sizeof children);
    for (int i = 0; i < 2; i++) {
        children[i].shape = cm_make_box(cm_v(4, 4, 1));
        children[i].pose = cm_pose_identity();
        children[i].pose.position.z = -1;
    }
    cm_compound_desc desc = {.children = children, .count = 2};
    cm_compound *compound;
    assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.mass = 1, .response = CM_RESPONSE_PUSH_APART};
    lab_add(&l, cm_make_compound(compound), cm_v(0, 0, 0), NULL);
    uint32_t id = lab_add(&l, cm_make_sphere(cm_v(0, 0, 0), 1), cm_v(0, 0, CM_REAL(0.5)), &body);
    assert_int_equal(cm_dynamics_step(l.bodies, CM_REAL(0.01)), CM_OK);
    same(lab_state(&l, id).center.z, 1, "height after the push");
    lab_free(&l);
    cm_compound_destroy(compound, NULL);
}

/* The same where the overlaps are with bodies of their own: a box sunk into four tiles at once is lifted by its depth.
 */
static void a_push_by_several_bodies_counts_once(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.mass = 1, .response = CM_RESPONSE_PUSH_APART};
    for (int i = 0; i < 4; i++) lab_add(&l, cm_make_box(cm_v(4, 4, 1)), cm_v(i % 2 ? 4 : -4, i / 2 ? 4 : -4, -1), NULL);
    uint32_t id = lab_add(&l, cm_make_box(cm_v(1, 1, 1)), cm_v(0, 0, CM_REAL(0.875)), &body);
    assert_int_equal(cm_dynamics_step(l.bodies, CM_REAL(0.01)), CM_OK);
    same(lab_state(&l, id).center.z, 1, "height after the push");
    lab_free(&l);
}

/* Two boxes sunk into each other and the ground by the same depth: what the upper pushes the lower down by, the ground
 * lifts it by again. */
static void a_stack_does_not_push_its_foot_into_the_ground(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.mass = 1, .response = CM_RESPONSE_PUSH_APART};
    lab_add(&l, cm_make_box(cm_v(4, 4, 1)), cm_v(0, 0, -1), NULL);
    uint32_t foot = lab_add(&l, cm_make_box(cm_v(1, 1, 1)), cm_v(0, 0, CM_REAL(0.875)), &body);
    uint32_t top = lab_add(&l, cm_make_box(cm_v(1, 1, 1)), cm_v(0, 0, CM_REAL(2.75)), &body);
    assert_int_equal(cm_dynamics_step(l.bodies, CM_REAL(0.01)), CM_OK);
    same(lab_state(&l, foot).center.z, 1, "height of the foot after the pushes");
    check_that(fabs((double)lab_state(&l, top).center.z - 3) < 2e-3, "height of the top: %.9g",
               (double)lab_state(&l, top).center.z);
    lab_free(&l);
}

/* Into bodies that have no room yet. */
static void a_state_is_restored_where_there_was_none(void **state) {
    (void)state;
    lab l, empty;
    lab_make(&l, cm_v(0, 0, -10));
    cm_body_desc body = {.velocity = {1, 2, 3}, .spin = {3, 2, 1}, .mass = 1, .response = CM_RESPONSE_BOUNCE};
    uint32_t id = 0;
    for (int i = 0; i < 100; i++) id = lab_add(&l, cm_make_box(cm_v(1, 2, 3)), cm_v((cm_real)(9 * i), 0, 0), &body);
    assert_int_equal(cm_dynamics_step(l.bodies, CM_REAL(0.1)), CM_OK);
    size_t size = cm_dynamics_save(l.bodies, NULL, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(cm_dynamics_save(l.bodies, NULL, bytes, size), size);
    lab_make(&empty, cm_v(0, 0, -10));
    assert_int_equal(cm_dynamics_restore(empty.bodies, NULL, bytes, size), CM_OK);
    for (int i = 0; i < 5; i++) {
        assert_true(cm_dynamics_hash(empty.bodies) == cm_dynamics_hash(l.bodies));
        assert_int_equal(cm_dynamics_step(l.bodies, CM_REAL(0.1)), CM_OK);
        assert_int_equal(cm_dynamics_step(empty.bodies, CM_REAL(0.1)), CM_OK);
    }
    same(lab_state(&empty, id).velocity.z, 3 - 6, "speed");
    free(bytes);
    lab_free(&l);
    lab_free(&empty);
}

/* A ball that rolls, or slides without friction and turns as it likes, touches what it lies on below its center:
 * nothing there makes it slower, swept in every step or not. */
static void a_ball_rolls_on(void **state) {
    (void)state;
    for (int i = 0; i < 12; i++) {
        lab l;
        const cm_real radius = CM_REAL(i % 2 ? 0.5 : 0.25), speed = CM_REAL(i / 2 % 2 ? 0.5 : 2);
        const bool rough = i / 4 == 1, over = i / 4 == 2; /* over: on a ball as large as a hill */
        const cm_body_desc body = {.mass = 1,
                                   .velocity = {speed, 0, 0},
                                   .spin = {0, speed / radius, CM_REAL(0.5)},
                                   .friction = CM_REAL(rough ? 0.5 : 0),
                                   .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};
        lab_make(&l, cm_v(0, 0, CM_REAL(-9.81)));
        put_object(l.world, l.bodies, over ? ball(100) : cm_make_box(cm_v(9, 9, 1)), cm_v(0, 0, over ? -100 : -1), NULL,
                   CM_WORLD_SWEEP_AUTO);
        const uint32_t id =
            put_object(l.world, l.bodies, ball((double)radius), cm_v(0, 0, radius), &body, CM_WORLD_SWEEP_ALWAYS);
        for (int step = 0; step < 120; step++) assert_int_equal(cm_dynamics_step(l.bodies, CM_REAL(1) / 60), CM_OK);
        const cm_body_state s = body_state(l.bodies, id);
        const double turned = (double)cm_length(cm_sub(s.spin, body.spin)) * (double)radius;
        check_that(turned < 2e-3 * (double)speed, "%d: spin off by %g of %g", i, turned, (double)speed);
        if (!over)
            check_that(fabs((double)(s.velocity.x - speed)) < 2e-3 * (double)speed, "%d: goes at %.9g, not %g", i,
                       (double)s.velocity.x, (double)speed);
        lab_free(&l);
    }
}

/* An object that is removed loses its body at once, not with the next step. */
static void a_removed_object_has_no_body(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        lab l;
        cm_body_state body;
        const cm_vec3 along = cm_v(1, 0, 0);
        lab_make(&l, cm_v(0, 0, 0));
        const uint32_t id =
            put_object(l.world, l.bodies, ball(1), cm_v(0, 0, 0), &(cm_body_desc){.mass = 1}, CM_WORLD_SWEEP_AUTO);
        assert_int_equal(cm_world_remove(l.world, id), CM_OK);
        if (i == 0) assert_int_equal(cm_dynamics_set_velocity(l.bodies, id, along, along), CM_STALE_ID);
        if (i == 1) assert_int_equal(cm_dynamics_remove(l.bodies, id), CM_STALE_ID);
        if (i == 2) assert_int_equal(cm_dynamics_get(l.bodies, id, &body), CM_STALE_ID);
        if (i == 3) assert_int_equal(cm_dynamics_apply_impulse(l.bodies, id, along), CM_STALE_ID);
        lab_free(&l);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gravity_acts_before_and_after_a_hit),
        cmocka_unit_test(two_share_restitution_and_friction),
        cmocka_unit_test(sliding_takes_the_normal_speed_only),
        cmocka_unit_test(a_free_body_turns_about_its_center_of_mass),
        cmocka_unit_test(what_only_reports_is_asked_once_on_its_way_through),
        cmocka_unit_test(a_push_counts_once),
        cmocka_unit_test(a_push_by_several_bodies_counts_once),
        cmocka_unit_test(a_stack_does_not_push_its_foot_into_the_ground),
        cmocka_unit_test(a_state_is_restored_where_there_was_none),
        cmocka_unit_test(a_ball_rolls_on),
        cmocka_unit_test(a_removed_object_has_no_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
