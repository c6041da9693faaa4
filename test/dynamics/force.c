/* Forces, torques, impulses, damping and gravity of single bodies: by hand. */
#include "set_up.h"

#include <math.h>

static const double tiny = 512 * (double)CM_REAL_EPSILON;

static void same(cm_real got, double want, const char *what) {
    check_that(fabs((double)got - want) <= tiny * (1 + fabs(want)), "%s: " REAL_FORMAT ", not %.9g", what, (double)got,
               want);
}
static void same_vec3(cm_vec3 got, double x, double y, double z, const char *what) {
    same(got.x, x, what), same(got.y, y, what), same(got.z, z, what);
}

typedef struct lab {
    cm_world *world;
    cm_dynamics *bodies;
} lab;

static void lab_make(lab *l, cm_vec3 gravity) {
    cm_dynamics_desc desc = {.gravity = gravity};
    set_up(NULL, &desc, &l->world, &l->bodies);
}
static void lab_free(lab *l) { take_down(l->world, l->bodies); }
static uint32_t lab_add(lab *l, cm_shape shape, cm_vec3 at, const cm_body_desc *body) {
    return put_object(l->world, l->bodies, shape, at, body, CM_WORLD_SWEEP_ALWAYS);
}
static void lab_step(lab *l, double dt) { assert_int_equal(cm_dynamics_step(l->bodies, CM_REAL(dt)), CM_OK); }
/* How far the object is turned, with the sign of its axis along z. */
static double turned_about_z(const lab *l, uint32_t id) {
    cm_pose pose;
    assert_int_equal(cm_world_get_pose(l->world, id, &pose), CM_OK);
    return 2 * atan2((double)pose.rotation.z, (double)pose.rotation.w);
}

/* --- forces ------------------------------------------------------------------------------------------------------ */

/* 6 N on 2 kg are 3 m/s^2: after a second, however it is cut, 3 m/s and 1.5 m. */
static void a_constant_force_is_a_constant_acceleration(void **state) {
    (void)state;
    for (int steps = 1; steps <= 16; steps *= 4) {
        lab l;
        lab_make(&l, cm_v(0, 0, 0));
        cm_body_desc body = {.mass = 2};
        uint32_t id = lab_add(&l, ball(1), cm_v(0, 0, 0), &body);
        for (int i = 0; i < steps; i++) {
            assert_int_equal(cm_dynamics_apply_force(l.bodies, id, cm_v(4, 0, 0)), CM_OK);
            assert_int_equal(cm_dynamics_apply_force(l.bodies, id, cm_v(2, 0, 0)), CM_OK); /* they add up */
            lab_step(&l, 1.0 / steps);
        }
        same_vec3(body_state(l.bodies, id).velocity, 3, 0, 0, "velocity");
        same_vec3(body_state(l.bodies, id).center, 1.5, 0, 0, "place");
        lab_free(&l);
    }
}

static void what_was_gathered_is_gone_after_the_step(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.mass = 1};
    uint32_t id = lab_add(&l, ball(1), cm_v(0, 0, 0), &body);
    cm_dynamics_apply_force(l.bodies, id, cm_v(0, 5, 0));
    cm_dynamics_apply_torque(l.bodies, id, cm_v(0, 0, 5));
    lab_step(&l, 1);
    cm_body_state after = body_state(l.bodies, id);
    for (int i = 0; i < 3; i++) lab_step(&l, 1);
    cm_body_state later = body_state(l.bodies, id);
    same_vec3(later.velocity, 0, 5, 0, "velocity");
    assert_memory_equal(&later.velocity, &after.velocity, sizeof after.velocity);
    assert_memory_equal(&later.spin, &after.spin, sizeof after.spin);
    lab_free(&l);
}

/* A step that is refused has not used them up. */
static void a_step_that_fails_keeps_what_was_gathered(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.mass = 1}, far = {.mass = 1, .velocity = {CM_COORD_MAX, 0, 0}};
    uint32_t id = lab_add(&l, ball(1), cm_v(0, 0, 0), &body), other = lab_add(&l, ball(1), cm_v(9, 0, 0), &far);
    cm_dynamics_apply_force(l.bodies, id, cm_v(0, 5, 0));
    assert_int_equal(cm_dynamics_step(l.bodies, -1), CM_INVALID);
    assert_int_equal(cm_dynamics_step(l.bodies, 100), CM_NOT_FINITE);
    cm_world_remove(l.world, other);
    lab_step(&l, 1);
    same_vec3(body_state(l.bodies, id).velocity, 0, 5, 0, "velocity");
    lab_free(&l);
}

/* Gravity 10 down, 0.5 m above the floor at rest, and 20 N up on 1 kg for one step of 0.1 s: it rises by 0.05 m. Then
 * let go: 1 m/s up, less 1 m/s in the next step. */
static void force_and_gravity_add_up(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, -10));
    cm_body_desc body = {.mass = 1, .response = CM_RESPONSE_BOUNCE};
    lab_add(&l, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL);
    uint32_t id = lab_add(&l, ball(0.5), cm_v(0, 0, 1), &body);
    cm_dynamics_apply_force(l.bodies, id, cm_v(0, 0, 20));
    lab_step(&l, 0.1);
    same(body_state(l.bodies, id).velocity.z, 1, "velocity");
    same(body_state(l.bodies, id).center.z, 1.05, "height");
    lab_step(&l, 0.1);
    same(body_state(l.bodies, id).velocity.z, 0, "velocity");
    same(body_state(l.bodies, id).center.z, 1.1, "height");
    lab_free(&l);
}

/* The law of gravity_acts_before_and_after_a_hit (laws.c) with a force in its place: 20 N on 2 kg downward. */
static void a_force_acts_before_and_after_a_hit(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.velocity = {0, 0, -10}, .mass = 2, .restitution = 1, .response = CM_RESPONSE_BOUNCE};
    lab_add(&l, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL);
    uint32_t id = lab_add(&l, ball(0.5), cm_v(0, 0, CM_REAL(0.85)), &body);
    cm_dynamics_apply_force(l.bodies, id, cm_v(0, 0, -20));
    lab_step(&l, 0.1);
    const double root = sqrt(1.07), left = 0.1 - (root - 1);
    same(body_state(l.bodies, id).velocity.z, 10 * root - 10 * left, "speed at the end");
    same(body_state(l.bodies, id).center.z, 0.5 + 10 * root * left - 5 * left * left, "height at the end");
    lab_free(&l);
}

/* --- torques ------------------------------------------------------------------------------------------------------ */

/* A ball of 2.5 kg and radius 1 has 2/5 2.5 1^2 = 1 kg m^2: 2 N m make 2 rad/s^2, after a second 2 rad/s and 1 rad. */
static void a_constant_torque_turns_ever_faster(void **state) {
    (void)state;
    for (int steps = 1; steps <= 16; steps *= 4) {
        lab l;
        lab_make(&l, cm_v(0, 0, 0));
        cm_body_desc body = {.mass = CM_REAL(2.5)};
        uint32_t id = lab_add(&l, ball(1), cm_v(3, 4, 5), &body);
        for (int i = 0; i < steps; i++) {
            assert_int_equal(cm_dynamics_apply_torque(l.bodies, id, cm_v(0, 0, 2)), CM_OK);
            lab_step(&l, 1.0 / steps);
        }
        same_vec3(body_state(l.bodies, id).spin, 0, 0, 2, "spin");
        same_vec3(body_state(l.bodies, id).center, 3, 4, 5, "place");
        check_that(fabs(turned_about_z(&l, id) - 1) <= tiny, "%d steps: turned by %.9g", steps, turned_about_z(&l, id));
        lab_free(&l);
    }
}

/* Whatever a box does under torques, its angular momentum is what they gave it: the sum of torque times time. */
static void angular_momentum_is_the_sum_of_the_torques(void **state) {
    (void)state;
    rng r = rng_start("torques", 61);
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.mass = 3};
    uint32_t id = lab_add(&l, cm_make_box(cm_v(1, 2, 3)), cm_v(0, 0, 0), &body);
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < 500; i++) {
        cm_vec3 torque = rng_vec3(&r, 30);
        cm_dynamics_apply_torque(l.bodies, id, torque);
        lab_step(&l, 0.02);
        sum[0] += 0.02 * (double)torque.x, sum[1] += 0.02 * (double)torque.y, sum[2] += 0.02 * (double)torque.z;
        cm_vec3 got = body_state(l.bodies, id).angular_momentum;
        double off =
            fmax(fabs((double)got.x - sum[0]), fmax(fabs((double)got.y - sum[1]), fabs((double)got.z - sum[2])));
        check_that(off <= 200 * tiny, "step %d: off by %g of (%g %g %g)", i, off, sum[0], sum[1], sum[2]);
    }
    lab_free(&l);
}

/* (0, 6, 0) at (2, 0, 0) from the center: the force, and the torque (2, 0, 0) x (0, 6, 0) = (0, 0, 12). */
static void a_force_beside_the_center_pushes_and_turns(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.mass = CM_REAL(2.5)};
    uint32_t id = lab_add(&l, ball(1), cm_v(10, 0, 0), &body);
    assert_int_equal(cm_dynamics_apply_force_at(l.bodies, id, cm_v(0, 6, 0), cm_v(12, 0, 0)), CM_OK);
    lab_step(&l, 0.5);
    same_vec3(body_state(l.bodies, id).velocity, 0, 0.5 * 6 / 2.5, 0, "velocity");
    same_vec3(body_state(l.bodies, id).spin, 0, 0, 0.5 * 12, "spin");
    lab_free(&l);
}

/* --- impulses ----------------------------------------------------------------------------------------------------- */

/* The center of mass of the ball at (3, 0, 0) of its own frame is at (13, 0, 0): (0, 5, 0) one beside it turns it by
 * (1, 0, 0) x (0, 5, 0) = (0, 0, 5). At once, without a step. */
static void an_impulse_changes_the_velocities_at_once(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.mass = CM_REAL(2.5), .velocity = {1, 0, 0}};
    uint32_t id = lab_add(&l, cm_make_sphere(cm_v(3, 0, 0), 1), cm_v(10, 0, 0), &body);
    same_vec3(body_state(l.bodies, id).center, 13, 0, 0, "center");
    assert_int_equal(cm_dynamics_apply_impulse(l.bodies, id, cm_v(5, 0, 0)), CM_OK);
    same_vec3(body_state(l.bodies, id).velocity, 3, 0, 0, "velocity");
    same_vec3(body_state(l.bodies, id).spin, 0, 0, 0, "spin");
    assert_int_equal(cm_dynamics_apply_impulse_at(l.bodies, id, cm_v(0, 5, 0), cm_v(14, 0, 0)), CM_OK);
    same_vec3(body_state(l.bodies, id).velocity, 3, 2, 0, "velocity");
    same_vec3(body_state(l.bodies, id).spin, 0, 0, 5, "spin");
    assert_int_equal(cm_dynamics_apply_angular_impulse(l.bodies, id, cm_v(0, 0, -3)), CM_OK);
    same_vec3(body_state(l.bodies, id).velocity, 3, 2, 0, "velocity");
    same_vec3(body_state(l.bodies, id).spin, 0, 0, 2, "spin");
    lab_free(&l);
}

/* A box of 3 kg and halves 1, 2, 3 about z: 3 (4 + 16) / 12 = 5; a quarter of a turn about x puts its y axis there:
 * 3 (4 + 36) / 12 = 10. */
static void an_angular_impulse_goes_by_the_inertia_as_the_body_stands(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.mass = 3};
    uint32_t id = lab_add(&l, cm_make_box(cm_v(1, 2, 3)), cm_v(0, 0, 0), &body);
    cm_dynamics_apply_angular_impulse(l.bodies, id, cm_v(0, 0, 10));
    same_vec3(body_state(l.bodies, id).spin, 0, 0, 2, "spin");
    cm_dynamics_set_velocity(l.bodies, id, cm_v(0, 0, 0), cm_v(0, 0, 0));
    cm_pose turned = cm_pose_identity();
    cm_quat_from_axis_angle(cm_v(1, 0, 0), CM_REAL(1.5707963267948966), &turned.rotation);
    cm_world_set_pose(l.world, id, &turned);
    cm_dynamics_apply_angular_impulse(l.bodies, id, cm_v(0, 0, 10));
    same_vec3(body_state(l.bodies, id).spin, 0, 0, 1, "spin");
    lab_free(&l);
}

/* --- damping and gravity ------------------------------------------------------------------------------------------ */

/* 10 m/s with a damping of 0.5, steps of 0.1 s: each divides by 1.05; the way is the mean of both speeds times 0.1. */
static void damping_divides_the_velocity(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.mass = 4, .velocity = {10, 0, 0}, .damping = CM_REAL(0.5)};
    uint32_t id = lab_add(&l, ball(1), cm_v(0, 0, 0), &body);
    double v = 10, x = 0;
    for (int i = 0; i < 20; i++) {
        lab_step(&l, 0.1);
        x += 0.1 * (v + v / 1.05) / 2, v /= 1.05;
        same(body_state(l.bodies, id).velocity.x, v, "velocity");
        same(body_state(l.bodies, id).center.x, x, "place");
    }
    lab_free(&l);
}

/* Falling with a damping of 4 under gravity 10: 2.5 m/s in the end, for any step; a step of 100 s goes there, too. */
static void what_falls_through_air_gets_no_faster_than_gravity_over_damping(void **state) {
    (void)state;
    const double steps[] = {0.01, 0.25, 100};
    for (int k = 0; k < 3; k++) {
        lab l;
        lab_make(&l, cm_v(0, 0, -10));
        cm_body_desc body = {.mass = 7, .damping = 4};
        uint32_t id = lab_add(&l, ball(1), cm_v(0, 0, 0), &body);
        for (int i = 0; i < 1200; i++) lab_step(&l, steps[k]);
        same(body_state(l.bodies, id).velocity.z, -2.5, "velocity");
        lab_free(&l);
    }
}

static void spin_damping_divides_the_angular_momentum(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.mass = 3, .spin = {1, 2, -1}, .spin_damping = 2};
    uint32_t id = lab_add(&l, cm_make_box(cm_v(1, 2, 3)), cm_v(0, 0, 0), &body);
    cm_vec3 before = body_state(l.bodies, id).angular_momentum;
    double left = 1;
    for (int i = 0; i < 50; i++) {
        lab_step(&l, 0.05);
        left /= 1.1;
        cm_vec3 now = body_state(l.bodies, id).angular_momentum;
        double off = (double)cm_length(cm_sub(now, cm_scale(before, (cm_real)left)));
        check_that(off <= 100 * tiny * (double)cm_length(before), "step %d: off by %g", i, off);
    }
    lab_free(&l);
}

/* Half of 10 for one, none for another, upward for a third: after a second 5, 0 and -10 down. */
static void gravity_may_differ_from_body_to_body(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, -10));
    const cm_body_desc kinds[4] = {{.mass = 1},
                                   {.mass = 1, .gravity_scale = CM_REAL(0.5)},
                                   {.mass = 1, .gravity_scale = 5, .weightless = true},
                                   {.mass = 1, .gravity_scale = -1}};
    const double speeds[4] = {-10, -5, 0, 10};
    uint32_t ids[4];
    for (int i = 0; i < 4; i++) ids[i] = lab_add(&l, ball(1), cm_v((cm_real)(10 * i), 0, 0), &kinds[i]);
    for (int i = 0; i < 4; i++) lab_step(&l, 0.25);
    for (int i = 0; i < 4; i++) {
        same(body_state(l.bodies, ids[i]).velocity.z, speeds[i], "velocity");
        same(body_state(l.bodies, ids[i]).center.z, speeds[i] / 2, "height");
    }
    lab_free(&l);
}

/* Between two walls 3 apart, with a damping so strong that it counts within a step: at a hit the velocity turns round,
 * and the damping must turn with it. */
static void damping_never_drives_what_bounces(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.velocity = {20, 0, 0}, .spin = {0, 0, 9}, .mass = 1, .restitution = 1, .friction = 1};
    body.damping = 3, body.spin_damping = 3, body.response = CM_RESPONSE_BOUNCE;
    lab_add(&l, cm_make_halfspace(cm_v(1, 0, 0), 0), cm_v(-1, 0, 0), NULL);
    lab_add(&l, cm_make_halfspace(cm_v(-1, 0, 0), 0), cm_v(2, 0, 0), NULL);
    uint32_t id = lab_add(&l, ball(0.5), cm_v(0, 0, 0), &body);
    double energy = (double)body_state(l.bodies, id).energy, speed = 20;
    int turns = 0;
    for (int i = 0; i < 40; i++) {
        lab_step(&l, 0.05);
        cm_body_state now = body_state(l.bodies, id);
        check_that((double)now.energy <= energy * (1 + tiny), "step %d: energy %g from %g", i, (double)now.energy,
                   energy);
        turns += (double)now.velocity.x * speed < 0;
        energy = (double)now.energy, speed = (double)now.velocity.x;
    }
    check_that(turns >= 2, "only %d turns", turns);
    lab_free(&l);
}

/* --- who may be pushed -------------------------------------------------------------------------------------------- */

static void statuses_say_who_cannot_be_pushed(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    const cm_real nan = (cm_real)NAN;
    cm_body_desc body = {.mass = 1}, driven = {.driven = true}, bad[4] = {body, body, body, body};
    uint32_t id = lab_add(&l, ball(1), cm_v(0, 0, 0), &body), lift = lab_add(&l, ball(1), cm_v(9, 0, 0), &driven);
    uint32_t fixed = lab_add(&l, ball(1), cm_v(0, 9, 0), NULL);
    assert_int_equal(cm_dynamics_apply_force(l.bodies, lift, cm_v(1, 0, 0)), CM_INVALID);
    assert_int_equal(cm_dynamics_apply_impulse_at(l.bodies, lift, cm_v(1, 0, 0), cm_v(0, 0, 0)), CM_INVALID);
    assert_int_equal(cm_dynamics_apply_torque(l.bodies, fixed, cm_v(1, 0, 0)), CM_STALE_ID);
    assert_int_equal(cm_dynamics_apply_angular_impulse(l.bodies, 0, cm_v(1, 0, 0)), CM_STALE_ID);
    assert_int_equal(cm_dynamics_apply_force(NULL, id, cm_v(1, 0, 0)), CM_INVALID);
    assert_int_equal(cm_dynamics_apply_force(l.bodies, id, cm_v(nan, 0, 0)), CM_NOT_FINITE);
    assert_int_equal(cm_dynamics_apply_force_at(l.bodies, id, cm_v(1, 0, 0), cm_v(0, nan, 0)), CM_NOT_FINITE);
    assert_int_equal(cm_dynamics_apply_torque(l.bodies, id, cm_v(0, 0, (cm_real)INFINITY)), CM_NOT_FINITE);
    assert_int_equal(cm_dynamics_apply_impulse(l.bodies, id, cm_v(CM_REAL_MAX, 0, 0)), CM_NOT_FINITE);
    assert_int_equal(cm_dynamics_apply_angular_impulse(l.bodies, id, cm_v(0, nan, 0)), CM_NOT_FINITE);
    lab_step(&l, 1);
    same_vec3(body_state(l.bodies, id).velocity, 0, 0, 0, "velocity");
    cm_world_remove(l.world, id);
    assert_int_equal(cm_dynamics_apply_force(l.bodies, id, cm_v(1, 0, 0)), CM_STALE_ID);
    bad[0].damping = -1, bad[1].spin_damping = -1, bad[2].gravity_scale = nan, bad[3].damping = nan;
    for (int i = 0; i < 4; i++)
        assert_int_equal(cm_dynamics_add(l.bodies, lift, &bad[i]), i < 2 ? CM_INVALID : CM_NOT_FINITE);
    lab_free(&l);
}

/* A ball that halts at a wall: a force leaves it there, and is used up; an impulse takes it away. */
static void a_halted_body_waits_for_an_impulse(void **state) {
    (void)state;
    lab l;
    lab_make(&l, cm_v(0, 0, 0));
    cm_body_desc body = {.velocity = {4, 0, 0}, .mass = 1, .response = CM_RESPONSE_HALT};
    lab_add(&l, cm_make_halfspace(cm_v(-1, 0, 0), 0), cm_v(2, 0, 0), NULL);
    uint32_t id = lab_add(&l, ball(1), cm_v(0, 0, 0), &body);
    lab_step(&l, 1);
    assert_true(body_state(l.bodies, id).halted);
    cm_dynamics_apply_force(l.bodies, id, cm_v(-7, 0, 0));
    lab_step(&l, 1);
    same_vec3(body_state(l.bodies, id).velocity, 0, 0, 0, "velocity");
    same_vec3(body_state(l.bodies, id).center, 1, 0, 0, "place");
    cm_dynamics_apply_impulse(l.bodies, id, cm_v(-3, 0, 0));
    lab_step(&l, 1);
    same_vec3(body_state(l.bodies, id).center, -2, 0, 0, "place");
    lab_free(&l);
}

/* A force that a callback gives waits for the next step; an impulse that it gives acts in this one. */
static uint32_t pushed_id;
static void push_when_asked(void *user, cm_dynamics *bodies, const cm_world_hit *hit, uint32_t *a, uint32_t *b) {
    (void)user, (void)hit, (void)a, (void)b;
    assert_int_equal(cm_dynamics_apply_force(bodies, pushed_id, cm_v(0, 8, 0)), CM_OK);
    assert_int_equal(cm_dynamics_apply_impulse(bodies, pushed_id, cm_v(0, 0, 3)), CM_OK);
}

static void a_callback_pushes_for_the_next_step(void **state) {
    (void)state;
    lab l;
    cm_dynamics_desc desc = {.respond = push_when_asked};
    set_up(NULL, &desc, &l.world, &l.bodies);
    cm_body_desc body = {.velocity = {4, 0, 0}, .mass = 1, .response = CM_RESPONSE_BOUNCE, .restitution = 1};
    lab_add(&l, cm_make_halfspace(cm_v(-1, 0, 0), 0), cm_v(2, 0, 0), NULL);
    pushed_id = lab_add(&l, ball(1), cm_v(0, 0, 0), &body);
    lab_step(&l, 0.5);
    same_vec3(body_state(l.bodies, pushed_id).velocity, -4, 0, 3, "after the hit");
    lab_step(&l, 0.5);
    same_vec3(body_state(l.bodies, pushed_id).velocity, -4, 4, 3, "a step later");
    lab_step(&l, 0.5);
    same_vec3(body_state(l.bodies, pushed_id).velocity, -4, 4, 3, "two steps later");
    lab_free(&l);
}

/* What was gathered is part of the state. */
static void what_was_gathered_is_saved(void **state) {
    (void)state;
    lab l, other;
    lab_make(&l, cm_v(0, 0, -1)), lab_make(&other, cm_v(0, 0, -1));
    cm_body_desc body = {.mass = 1, .damping = 1, .spin_damping = 1, .gravity_scale = 2};
    uint32_t id = lab_add(&l, ball(1), cm_v(0, 0, 0), &body);
    uint64_t before = cm_dynamics_hash(l.bodies);
    cm_dynamics_apply_force_at(l.bodies, id, cm_v(0, 5, 0), cm_v(1, 0, 0));
    assert_true(cm_dynamics_hash(l.bodies) != before);
    size_t size = cm_dynamics_save(l.bodies, NULL, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(cm_dynamics_save(l.bodies, NULL, bytes, size), size);
    assert_int_equal(cm_dynamics_restore(other.bodies, NULL, bytes, size), CM_OK);
    free(bytes);
    for (int i = 0; i < 3; i++) {
        lab_step(&l, 0.1), lab_step(&other, 0.1);
        assert_true(cm_dynamics_hash(l.bodies) == cm_dynamics_hash(other.bodies));
    }
    same(body_state(other.bodies, id).velocity.y, 5 * 0.1 / 1.1 / 1.1 / 1.1, "velocity");
    lab_free(&l), lab_free(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_force_is_a_constant_acceleration),
        cmocka_unit_test(what_was_gathered_is_gone_after_the_step),
        cmocka_unit_test(a_step_that_fails_keeps_what_was_gathered),
        cmocka_unit_test(force_and_gravity_add_up),
        cmocka_unit_test(a_force_acts_before_and_after_a_hit),
        cmocka_unit_test(a_constant_torque_turns_ever_faster),
        cmocka_unit_test(angular_momentum_is_the_sum_of_the_torques),
        cmocka_unit_test(a_force_beside_the_center_pushes_and_turns),
        cmocka_unit_test(an_impulse_changes_the_velocities_at_once),
        cmocka_unit_test(an_angular_impulse_goes_by_the_inertia_as_the_body_stands),
        cmocka_unit_test(damping_divides_the_velocity),
        cmocka_unit_test(what_falls_through_air_gets_no_faster_than_gravity_over_damping),
        cmocka_unit_test(spin_damping_divides_the_angular_momentum),
        cmocka_unit_test(gravity_may_differ_from_body_to_body),
        cmocka_unit_test(damping_never_drives_what_bounces),
        cmocka_unit_test(statuses_say_who_cannot_be_pushed),
        cmocka_unit_test(a_halted_body_waits_for_an_impulse),
        cmocka_unit_test(a_callback_pushes_for_the_next_step),
        cmocka_unit_test(what_was_gathered_is_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
