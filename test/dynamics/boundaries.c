/* Dynamics where equal numbers decide: no approach at all, an approach of exactly the speed below which nothing
 * bounces, the ends of the ranges that descriptions and steps may have. */
#include "dynamics/impulse.h"
#include "dynamics/set_up.h"

static cm__rigid rigid_at(cm__point center, cm__point velocity) {
    return (cm__rigid){center, velocity, {0, 0, 0}, 1, {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}, false, {0, 0, 0}};
}

static void expect_same(const cm__rigid *got, const cm__rigid *want) { /* the sign of zero aside */
    const cm__point v = cm__point_sub(got->velocity, want->velocity), w = cm__point_sub(got->spin, want->spin);
    check_that(cm__point_dot(v, v) == 0 && cm__point_dot(w, w) == 0, "it moves: %g %g %g, %g %g %g", v.x, v.y, v.z, w.x,
               w.y, w.z);
}

/* Bit by bit, the sign of zero included: a ball that slides over a floor, that rests on it, that leaves it. */
static void what_does_not_approach_is_left_bit_by_bit(void **state) {
    (void)state;
    const double down[] = {0.0, -0.0, 0.5};
    for (int i = 0; i < 3; i++) {
        for (int turning = 0; turning < 2; turning++) {
            cm__rigid floor = {0}, a = rigid_at(cm__p(0, 0, 1), cm__p(3, -0.0, down[i]));
            floor.velocity = cm__p(-0.0, 0, -0.0);
            const cm__rigid floor_was = floor, a_was = a;
            cm__impact impact = {cm__p(0, 0, 1), 1, {cm__p(0, 0, 0)}, 1, 0.5, 0, 0, 0, {0}};
            check_that(cm__collide(&floor, &a, &impact, 1, turning) == 0, "an impulse at %g", down[i]);
            assert_memory_equal(&a, &a_was, sizeof a);
            assert_memory_equal(&floor, &floor_was, sizeof floor);
        }
    }
}

/* Speeds whose difference is beyond the range of numbers, and such whose energy is. */
static void what_is_too_fast_to_answer_is_left_alone(void **state) {
    (void)state;
    const double speeds[] = {1.5e308, 1e300, 1e200};
    for (int i = 0; i < 6; i++) {
        const double v = speeds[i % 3], friction = i < 3 ? 0 : 0.5;
        cm__rigid a = rigid_at(cm__p(0, 0, -1), cm__p(0, 0, v)), b = rigid_at(cm__p(0, 0, 1), cm__p(0, 0, -v));
        const cm__rigid a_was = a, b_was = b;
        cm__impact impact = {cm__p(0, 0, 1), 1, {cm__p(0, 0, 0)}, 1, friction, 0, 0, 0, {0}};
        double impulse = cm__collide(&a, &b, &impact, 1, true);
        bool left = impulse == 0 && memcmp(&a, &a_was, sizeof a) == 0 && memcmp(&b, &b_was, sizeof b) == 0;
        bool answered = a.velocity.z == -v && b.velocity.z == v;
        check_that(left || answered, "at %g: %g %g, impulse %g", v, a.velocity.z, b.velocity.z, impulse);
        check_that(left || i % 3 != 0, "at %g: an impulse of %g", v, impulse);
    }
}

/* What comes at the rest speed comes to rest, what comes faster by an ulp bounces. */
static void an_approach_at_the_rest_speed_does_not_bounce(void **state) {
    (void)state;
    for (int faster = 0; faster < 2; faster++) {
        const double speed = 0.5 * (1 + faster * DBL_EPSILON);
        cm__rigid floor = {0}, a = rigid_at(cm__p(0, 0, 1), cm__p(0, 0, -speed));
        cm__impact impact = {cm__p(0, 0, 1), 1, {cm__p(0, 0, 0)}, 1, 0, 0.5, 0, 0, {0}};
        cm__collide(&floor, &a, &impact, 1, true);
        check_that(a.velocity.z == (faster ? speed : 0), "velocity %.17g", a.velocity.z);
    }
}

/* Perfect restitution without friction keeps the energy to the last bits; with friction as well where it has nothing to
 * do; and a slide without any pressure is no friction. */
static void energy_is_kept_where_nothing_may_take_it(void **state) {
    (void)state;
    for (int friction = 0; friction < 2; friction++) {
        cm__rigid a = rigid_at(cm__p(0, 0, -1), cm__p(0, 0, 3)), b = rigid_at(cm__p(0, 0, 1), cm__p(0, 0, -1));
        cm__impact impact = {cm__p(0, 0, 1), 1, {cm__p(0, 0, 0)}, 1, 0.5 * friction, 0, 0, 0, {0}};
        cm__collide(&a, &b, &impact, 1, true);
        check_that(a.velocity.z == -1 && b.velocity.z == 3, "%.17g %.17g", a.velocity.z, b.velocity.z);
        check_that(a.spin.x == 0 && a.spin.y == 0 && b.spin.x == 0 && b.spin.y == 0, "they turn");
    }
}

/* Nothing moves two walls: their points have no mass, and settling one changes nothing. Nor does it where two bodies
 * are at rest to each other, with friction and without any pressure. */
static void points_without_mass_or_motion_settle_at_once(void **state) {
    (void)state;
    for (int movable = 0; movable < 2; movable++) {
        cm__rigid a = {0}, b = movable ? rigid_at(cm__p(0, 0, 1), cm__p(0, 0, 0)) : a;
        const cm__rigid a_was = a, b_was = b;
        cm__impact impact = {cm__p(0, 0, 1), 1, {cm__p(0, 0, 0)}, 1, 0.5, 0, 0, 0, {0}};
        cm__impact_point p;
        cm__impact_prepare(&a, &b, &impact, 0, true, &p);
        if (!movable)
            check_that(p.rows[0].mass == 0 && p.rows[1].mass == 0 && p.rows[2].mass == 0, "masses %g %g %g",
                       p.rows[0].mass, p.rows[1].mass, p.rows[2].mass);
        const double change = cm__impact_settle(&a, &b, &p, 1);
        check_that(change == 0, "a change of %g", change);
        check_that(p.rows[0].pushed == 0 && p.rows[1].pushed == 0 && p.rows[2].pushed == 0, "impulses %g %g %g",
                   p.rows[0].pushed, p.rows[1].pushed, p.rows[2].pushed);
        expect_same(&a, &a_was), expect_same(&b, &b_was);
    }
}

static void overlaps_of_no_depth_are_not_undone(void **state) {
    (void)state;
    cm__rigid light = rigid_at(cm__p(0, 0, 0), cm__p(0, 0, 0)), fixed = {0};
    double a = 1, b = 1;
    cm__share(&light, &fixed, 0, &a, &b);
    check_that(a == 0 && b == 0, "%g %g", a, b);
}

/* A tensor that is not positive definite has no inverse: nothing turns. */
static void tensors_at_the_edge_have_no_inverse(void **state) {
    (void)state;
    const cm__tensor edge[] = {{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}},   {{1, 0, 0}, {0, 0, 0}, {0, 0, 1}},
                               {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}},   {{1, 1, 0}, {1, 1, 0}, {0, 0, 1}},
                               {{1, 0, 1}, {0, 1, 0}, {1, 0, 1}},   {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
                               {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    for (int i = 0; i < 8; i++) {
        cm__tensor none = cm__tensor_inverse(&edge[i]);
        check_that(none.x.x == 0 && none.y.y == 0 && none.z.z == 0 && none.x.y == 0 && none.y.z == 0 && none.x.z == 0,
                   "tensor %d", i);
    }
}

/* --- descriptions and steps --------------------------------------------------------------------------------------- */

static void what_weighs_nothing_is_no_body_unless_it_is_given_a_mass(void **state) {
    (void)state;
    cm_world *world;
    cm_dynamics *bodies;
    set_up(NULL, NULL, &world, &bodies);
    const cm_shape flat[] = {cm_make_point(cm_v(0, 0, 0)), cm_make_segment(cm_v(0, 0, 0), cm_v(1, 0, 0)),
                             cm_make_triangle(cm_v(0, 0, 0), cm_v(1, 0, 0), cm_v(0, 1, 0))};
    for (int i = 0; i < 3; i++) {
        cm_world_object_desc object = {.shape = flat[i]};
        cm_body_desc body = {.density = 5};
        uint32_t id;
        assert_int_equal(cm_world_add(world, &object, &id, NULL), CM_OK);
        assert_int_equal(cm_dynamics_add(bodies, id, &body), CM_INVALID);
        body.mass = 2;
        assert_int_equal(cm_dynamics_add(bodies, id, &body), CM_OK);
        assert_true(body_state(bodies, id).mass == 2);
    }
    take_down(world, bodies);
}

static void the_ends_of_ranges_are_taken_and_what_is_beyond_is_not(void **state) {
    (void)state;
    cm_world *world;
    cm_dynamics *bodies;
    set_up(NULL, NULL, &world, &bodies);
    const cm_real ulp = CM_REAL_EPSILON;
    const cm_body_desc fine[] = {
        {.restitution = 1}, {.restitution = 0}, {.friction = 0}, {.kind = 31}, {.response = 31}};
    const cm_body_desc bad[] = {{.restitution = 1 + ulp}, {.restitution = -ulp}, {.friction = -ulp}, {.kind = 32},
                                {.response = 32},         {.mass = -ulp},        {.density = -ulp}};
    cm_body_desc still = {.weightless = true};
    uint32_t id = put_object(world, bodies, ball(1), cm_v(0, 0, 0), &still, CM_WORLD_SWEEP_AUTO);
    for (int i = 0; i < 5; i++) assert_int_equal(cm_dynamics_add(bodies, id, &fine[i]), CM_OK);
    for (int i = 0; i < 7; i++) assert_int_equal(cm_dynamics_add(bodies, id, &bad[i]), CM_INVALID);
    assert_int_equal(cm_dynamics_set_response(bodies, 31, 31, 1), CM_OK);
    assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1e6)), CM_OK);
    assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1e6) * (1 + ulp)), CM_INVALID);
    assert_int_equal(cm_dynamics_step(bodies, 0), CM_INVALID);
    take_down(world, bodies);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_approach_is_left_bit_by_bit),
        cmocka_unit_test(what_is_too_fast_to_answer_is_left_alone),
        cmocka_unit_test(an_approach_at_the_rest_speed_does_not_bounce),
        cmocka_unit_test(energy_is_kept_where_nothing_may_take_it),
        cmocka_unit_test(points_without_mass_or_motion_settle_at_once),
        cmocka_unit_test(overlaps_of_no_depth_are_not_undone),
        cmocka_unit_test(tensors_at_the_edge_have_no_inverse),
        cmocka_unit_test(what_weighs_nothing_is_no_body_unless_it_is_given_a_mass),
        cmocka_unit_test(the_ends_of_ranges_are_taken_and_what_is_beyond_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
