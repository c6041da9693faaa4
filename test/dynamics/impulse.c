/* Impulses against closed forms: the laws of billiards, rolling after friction, momentum and energy in general. */
#include "dynamics/impulse.h"
#include "support/support.h"

static cm__rigid ball(cm__point center, cm__point velocity, double mass, double radius) {
    double inverse = 2.5 / (mass * radius * radius);
    return (cm__rigid){center, velocity, {0, 0, 0}, 1 / mass, {{inverse, 0, 0}, {0, inverse, 0}, {0, 0, inverse}},
                       false,  {0, 0, 0}};
}
static cm__rigid wall(void) { return (cm__rigid){0}; }

static cm__impact impact_at(cm__point at, cm__point normal, double restitution, double friction) {
    return (cm__impact){normal, 1, {at}, restitution, friction, 0, 0, 0, {0}};
}

static void expect_point(cm__point got, cm__point want, double within, const char *what) {
    cm__point off = cm__point_sub(got, want);
    check_that(cm__point_length(off) <= within, "%s: %.17g %.17g %.17g, not %.17g %.17g %.17g", what, got.x, got.y,
               got.z, want.x, want.y, want.z);
}

/* v1' = (m1 - m2) / (m1 + m2) v1, v2' = 2 m1 / (m1 + m2) v1: 3 kg at 4 m/s onto 1 kg at rest: 2 and 6 m/s. */
static void elastic_collision_on_a_line(void **state) {
    (void)state;
    cm__rigid a = ball(cm__p(-1, 0, 0), cm__p(4, 0, 0), 3, 1), b = ball(cm__p(1, 0, 0), cm__p(0, 0, 0), 1, 1);
    cm__impact impact = impact_at(cm__p(0, 0, 0), cm__p(1, 0, 0), 1, 0);
    double impulse = cm__collide(&a, &b, &impact, 1, true);
    expect_point(a.velocity, cm__p(2, 0, 0), 1e-14, "a");
    expect_point(b.velocity, cm__p(6, 0, 0), 1e-14, "b");
    check_that(fabs(impulse - 6) < 1e-13, "impulse %.17g", impulse); /* m2 v2' */
}

/* Equal balls off center part at a right angle: the struck one goes along the normal with the speed's part there. */
static void equal_balls_part_at_a_right_angle(void **state) {
    (void)state;
    double c = 0.6, s = 0.8; /* the normal */
    cm__rigid a = ball(cm__p(0, 0, 0), cm__p(5, 0, 0), 2, 1), b = ball(cm__p(2 * c, 2 * s, 0), cm__p(0, 0, 0), 2, 1);
    cm__impact impact = impact_at(cm__p(c, s, 0), cm__p(c, s, 0), 1, 0);
    cm__collide(&a, &b, &impact, 1, true);
    expect_point(b.velocity, cm__p(5 * c * c, 5 * c * s, 0), 1e-14, "b");
    expect_point(a.velocity, cm__p(5 - 5 * c * c, -5 * c * s, 0), 1e-14, "a");
    check_that(fabs(cm__point_dot(a.velocity, b.velocity)) < 1e-13, "not at a right angle");
}

/* Perfectly plastic: both go on with the common speed along the normal. */
static void plastic_balls_stay_together(void **state) {
    (void)state;
    cm__rigid a = ball(cm__p(-1, 0, 0), cm__p(3, 0, 0), 2, 1), b = ball(cm__p(1, 0, 0), cm__p(-1, 0, 0), 1, 1);
    cm__impact impact = impact_at(cm__p(0, 0, 0), cm__p(1, 0, 0), 0, 0);
    cm__collide(&a, &b, &impact, 1, true);
    expect_point(a.velocity, cm__p(5.0 / 3, 0, 0), 1e-14, "a"); /* (2 * 3 - 1) / 3 */
    expect_point(b.velocity, cm__p(5.0 / 3, 0, 0), 1e-14, "b");
}

/* A ball that slides over the floor and is held down by much: the friction makes it roll at 5/7 of its speed. */
static void friction_makes_a_ball_roll(void **state) {
    (void)state;
    cm__rigid floor = wall(), a = ball(cm__p(0, 0, 1), cm__p(7, 0, -100), 2, 1);
    cm__impact impact = impact_at(cm__p(0, 0, 0), cm__p(0, 0, 1), 0, 1);
    cm__collide(&floor, &a, &impact, 1, true);
    expect_point(a.velocity, cm__p(5, 0, 0), 1e-13, "velocity");
    expect_point(a.spin, cm__p(0, 5, 0), 1e-13, "spin"); /* rolls along x: omega = z cross v / r */
}

/* With little pressure it goes on sliding: mu times the normal impulse is all the friction there is. */
static void friction_is_bounded_by_the_pressure(void **state) {
    (void)state;
    cm__rigid floor = wall(), a = ball(cm__p(0, 0, 1), cm__p(7, 0, -2), 2, 1);
    cm__impact impact = impact_at(cm__p(0, 0, 0), cm__p(0, 0, 1), 0, 0.25);
    cm__collide(&floor, &a, &impact, 1, true);
    expect_point(a.velocity, cm__p(6.5, 0, 0), 1e-14, "velocity"); /* 7 - 0.25 * 2 */
    expect_point(a.spin, cm__p(0, 1.25, 0), 1e-14, "spin");        /* 2.5 * 0.25 * 2 / r */
}

/* A cube that falls flat on four corners rises flat, without a turn. */
static void a_flat_fall_stays_flat(void **state) {
    (void)state;
    double i = 1.5; /* inverse of 2/3 m h^2 */
    cm__rigid floor = wall();
    cm__rigid cube = {{0, 0, 1}, {0, 0, -3}, {0, 0, 0}, 1, {{i, 0, 0}, {0, i, 0}, {0, 0, i}}, false, {0, 0, 0}};
    cm__impact impact = {{0, 0, 1}, 4, {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, 0.5, 0.3, 0, 0, 0, {0}};
    cm__collide(&floor, &cube, &impact, 1, true);
    expect_point(cube.velocity, cm__p(0, 0, 1.5), 1e-12, "velocity");
    expect_point(cube.spin, cm__p(0, 0, 0), 1e-12, "spin");
}

static cm__rigid any_mover(rng *r) {
    cm__rigid m = {0};
    m.center = cm__p(rng_range(r, -2, 2), rng_range(r, -2, 2), rng_range(r, -2, 2));
    m.velocity = cm__p(rng_range(r, -5, 5), rng_range(r, -5, 5), rng_range(r, -5, 5));
    m.spin = cm__p(rng_range(r, -5, 5), rng_range(r, -5, 5), rng_range(r, -5, 5));
    m.inverse_mass = rng_log_range(r, 0.1, 10);
    double x = rng_range(r, 0.5, 1), y = rng_range(r, 0.5, 1), z = rng_range(r, 0.5, 1); /* a box's half sizes */
    double k = 3 * m.inverse_mass;
    cm__tensor local = {{k / (y * y + z * z), 0, 0}, {0, k / (x * x + z * z), 0}, {0, 0, k / (x * x + y * y)}};
    m.inverse_inertia = cm__tensor_rotated(&local, rng_rotation(r));
    return m;
}
static double energy(const cm__rigid *m) {
    cm__tensor inertia = cm__tensor_inverse(&m->inverse_inertia);
    return (cm__point_dot(m->velocity, m->velocity) / m->inverse_mass +
            cm__point_dot(m->spin, cm__tensor_mul(&inertia, m->spin))) /
           2;
}
static cm__point angular(const cm__rigid *m) {
    cm__tensor inertia = cm__tensor_inverse(&m->inverse_inertia);
    return cm__point_add(cm__tensor_mul(&inertia, m->spin),
                         cm__point_cross(m->center, cm__point_scale(m->velocity, 1 / m->inverse_mass)));
}

/* Any bodies, any points: linear and angular momentum kept; energy kept for e = 1 and mu = 0, lost else; no point left
 * approaching by Moreau's law. */
static void momentum_is_kept_and_energy_never_gained(void **state) {
    (void)state;
    rng r = rng_start("impulses", 61);
    int met = 0;
    for (int i = 0; i < samples(5000, 200000); i++) {
        cm__rigid a = any_mover(&r), b = any_mover(&r), a0 = a, b0 = b;
        cm_vec3 n = rng_direction(&r);
        cm__impact impact = {0};
        impact.normal = cm__point_of(n);
        impact.normal = cm__point_scale(impact.normal, 1 / cm__point_length(impact.normal));
        impact.count = 1 + (int)rng_below(&r, 4);
        cm__point middle = cm__point_scale(cm__point_add(a.center, b.center), 0.5);
        for (int k = 0; k < impact.count; k++) impact.at[k] = cm__point_add(middle, cm__point_of(rng_vec3(&r, 1)));
        bool perfect = i % 2 == 0;
        impact.restitution = perfect ? 1 : rng_unit(&r), impact.friction = perfect ? 0 : rng_range(&r, 0, 2);
        double before = energy(&a) + energy(&b);
        if (cm__collide(&a, &b, &impact, 1, true) > 0) met++;
        cm__point p0 = cm__point_add(cm__point_scale(a0.velocity, 1 / a.inverse_mass),
                                     cm__point_scale(b0.velocity, 1 / b.inverse_mass));
        cm__point p1 = cm__point_add(cm__point_scale(a.velocity, 1 / a.inverse_mass),
                                     cm__point_scale(b.velocity, 1 / b.inverse_mass));
        double size = 1e-13 * (1 + before) * (1 + 1 / a.inverse_mass + 1 / b.inverse_mass);
        expect_point(p1, p0, size, "momentum");
        expect_point(cm__point_add(angular(&a), angular(&b)), cm__point_add(angular(&a0), angular(&b0)), 10 * size,
                     "angular momentum");
        double after = energy(&a) + energy(&b);
        if (perfect)
            check_that(fabs(after - before) <= 1e-12 * before, "sample %d: energy %.17g -> %.17g", i, before, after);
        check_that(after <= before * (1 + 1e-12), "sample %d: energy %.17g -> %.17g", i, before, after);
    }
    check_that(met > samples(5000, 200000) / 3, "only %d met", met);
}

static void what_parts_is_left_alone(void **state) {
    (void)state;
    cm__rigid a = ball(cm__p(-1, 0, 0), cm__p(-1, 0, 0), 1, 1), b = ball(cm__p(1, 0, 0), cm__p(2, 0, 0), 1, 1);
    cm__rigid a0 = a, b0 = b;
    cm__impact impact = impact_at(cm__p(0, 0, 0), cm__p(1, 0, 0), 1, 1);
    check_that(cm__collide(&a, &b, &impact, 1, true) == 0, "an impulse");
    assert_memory_equal(&a, &a0, sizeof a);
    assert_memory_equal(&b, &b0, sizeof b);
}

/* A block that turns on the ground, stopped by a hit of those from which on points part: its place of contact, on its
 * way around the center, comes down again by w^2 r t^2 / 2, and leaves as fast as makes up for that within t. */
static void what_turns_parts_where_it_is_asked_to(void **state) {
    (void)state;
    cm__rigid floor = wall(), a = ball(cm__p(0, 0, 2), cm__p(0, 0, -1), 3, 2);
    a.spin = cm__p(0.5, 0, 0);
    cm__impact impact = impact_at(cm__p(0, 0, 0), cm__p(0, 0, 1), 0, 0);
    impact.seconds = 0.1;
    cm__collide(&floor, &a, &impact, 1, true);
    expect_point(a.velocity, cm__p(0, 0, 0.5 * 0.5 * 2 * 0.1 / 2), 1e-14, "by what it turns");
    a.velocity.z = -1, a.spin.x = 40; /* for a quarter of a radian, no farther */
    cm__collide(&floor, &a, &impact, 1, true);
    expect_point(a.velocity, cm__p(0, 0, 40 * 0.25 * 2 / 2), 1e-13, "by a quarter of a radian");
}

/* A wheel turns about its axle and comes down nowhere, and a ball about any; a wheel that topples does. */
static void what_rolls_need_not_part(void **state) {
    (void)state;
    const cm__point axes[3] = {{1, 0, 0}, {0, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < 3; i++) {
        cm__rigid floor = wall(), a = ball(cm__p(0, 0, 2), cm__p(0, 0, -1), 3, 2);
        a.spin = cm__p(0.5, 0, 0), a.round = true, a.axis = axes[i];
        cm__impact impact = impact_at(cm__p(0, 0, 0), cm__p(0, 0, 1), 0, 0);
        impact.seconds = 0.1;
        cm__collide(&floor, &a, &impact, 1, true);
        expect_point(a.velocity, cm__p(0, 0, i == 2 ? 0.5 * 0.5 * 2 * 0.1 / 2 : 0), 1e-14,
                     i == 2 ? "topples" : "rolls");
    }
}

static void walls_do_not_move(void **state) {
    (void)state;
    cm__rigid a = wall(), b = wall();
    a.velocity = cm__p(1, 0, 0);
    cm__impact impact = impact_at(cm__p(0, 0, 0), cm__p(1, 0, 0), 1, 1);
    check_that(cm__collide(&a, &b, &impact, 1, true) == 0, "an impulse");
    expect_point(a.velocity, cm__p(1, 0, 0), 0, "a");
}

/* At the rest speed itself nothing bounces; an ulp above it does. */
static void what_approaches_at_the_rest_speed_stays(void **state) {
    (void)state;
    const double speeds[2] = {0.5, 0.5 + DBL_EPSILON / 2};
    for (int i = 0; i < 2; i++) {
        cm__rigid floor = wall(), a = ball(cm__p(0, 0, 1), cm__p(0, 0, -speeds[i]), 2, 1);
        cm__impact impact = impact_at(cm__p(0, 0, 0), cm__p(0, 0, 1), 0.5, 0);
        impact.rest_speed = 0.5;
        cm__collide(&floor, &a, &impact, 1, true);
        expect_point(a.velocity, cm__p(0, 0, i ? 0.25 : 0), 1e-15, i ? "an ulp above" : "at the rest speed");
    }
}

/* A wheel that turns on the ground and does not approach it: nothing is done, although its place of contact is to part
 * where there is a hit. */
static void what_turns_in_place_is_left_alone(void **state) {
    (void)state;
    cm__rigid floor = wall(), a = ball(cm__p(0, 0, 2), cm__p(0, 0, 0), 3, 2);
    a.spin = cm__p(0.5, 0, 0);
    cm__impact impact = impact_at(cm__p(0, 0, 0), cm__p(0, 0, 1), 0, 0);
    impact.seconds = 0.1;
    check_that(cm__collide(&floor, &a, &impact, 1, true) == 0, "an impulse");
    expect_point(a.velocity, cm__p(0, 0, 0), 0, "velocity");
}

/* It falls flat on two points far from its middle, around which it turns so easily that 200 rounds do not settle how
 * they share the impulse, and slides along a wall. That it does not approach the wall costs no energy, so the bounce
 * keeps all of it. */
static void what_slides_along_a_wall_bounces_without_loss(void **state) {
    (void)state;
    cm__rigid floor = wall(),
              a = {{0, 0, 1}, {2, 0, -3}, {0, 0, 0}, 1, {{10, 0, 0}, {0, 10, 0}, {0, 0, 10}}, false, {0, 0, 0}};
    cm__impact impacts[2] = {{{0, 0, 1}, 2, {{-3, 0, 0}, {6, 0, 0}}, 1, 0, 0, 0, 0, {0}},
                             impact_at(cm__p(0, 1, 1), cm__p(0, 1, 0), 1, 0)};
    const double before = energy(&a);
    check_that(cm__collide(&floor, &a, impacts, 2, true) > 0, "no impulse");
    check_that(fabs(energy(&a) - before) < 1e-13 * before, "energy %.17g -> %.17g", before, energy(&a));
}

/* Two walls: no impulse changes anything, which is no division by 0. */
static void walls_have_no_effective_mass(void **state) {
    (void)state;
    cm__rigid a = wall(), b = wall();
    b.velocity = cm__p(-1, 0, -1);
    const cm__impact impact = impact_at(cm__p(0, 0, 0), cm__p(0, 0, 1), 0, 0);
    cm__impact_point p;
    cm__impact_prepare(&a, &b, &impact, 0, true, &p);
    check_that(p.rows[0].mass == 0 && p.rows[1].mass == 0 && p.rows[2].mass == 0, "%g %g %g", p.rows[0].mass,
               p.rows[1].mass, p.rows[2].mass);
    const double change = cm__impact_settle(&a, &b, &p, 1);
    check_that(change == 0, "a change of %g", change);
    expect_point(b.velocity, cm__p(-1, 0, -1), 0, "b");
}

/* A ball at rest: there is no sliding to choose a tangent by, and no friction to share out. */
static void a_ball_at_rest_stays_at_rest(void **state) {
    (void)state;
    cm__rigid floor = wall(), a = ball(cm__p(0, 0, 1), cm__p(0, 0, 0), 2, 1);
    const cm__impact impact = impact_at(cm__p(0, 0, 0), cm__p(0, 0, 1), 0, 0.5);
    cm__impact_point p;
    cm__impact_prepare(&floor, &a, &impact, 0, true, &p);
    for (int k = 0; k < 2; k++) {
        check_that(fabs(cm__point_length(p.rows[1 + k].along) - 1) < 1e-15, "tangent %d: no unit vector", k);
        check_that(fabs(p.rows[1 + k].along.z) < 1e-15, "tangent %d: not across the normal", k);
    }
    const double change = cm__impact_settle(&floor, &a, &p, 1);
    check_that(change == 0, "a change of %g", change);
    expect_point(a.velocity, cm__p(0, 0, 0), 0, "velocity");
    expect_point(a.spin, cm__p(0, 0, 0), 0, "spin");
}

static void overlap_is_shared_by_inverse_mass(void **state) {
    (void)state;
    cm__rigid light = ball(cm__p(0, 0, 0), cm__p(0, 0, 0), 1, 1), heavy = ball(cm__p(1, 0, 0), cm__p(0, 0, 0), 3, 1);
    cm__rigid fixed = wall();
    double a, b;
    cm__share(&light, &heavy, 1, &a, &b);
    check_that(a == 0.75 && b == 0.25, "%g %g", a, b);
    cm__share(&fixed, &heavy, 1, &a, &b);
    check_that(a == 0 && b == 1, "%g %g", a, b);
    cm__share(&fixed, &fixed, 1, &a, &b);
    check_that(a == 0 && b == 0, "%g %g", a, b);
}

/* One of two cubes turns so that a corner of it goes with the other's face, at 3/4 + 5/2 / 2 = 2; along a normal that
 * rounding tilts they approach there, by 5/4 of the tilt. Perfect restitution gives that back, and nothing besides. */
static void what_approaches_by_rounding_gains_nothing(void **state) {
    (void)state;
    for (double tilt = 1e-30; tilt < 1e-12; tilt *= 10) {
        const cm__tensor inverse = {{6, 0, 0}, {0, 6, 0}, {0, 0, 6}}; /* of mass 1 and edge 1: 1/6 of its square */
        cm__rigid a = ball(cm__p(0, 0, 0), cm__p(0, 0, 0.75), 1, 1), b = ball(cm__p(0, 0, 1), cm__p(0, 0, 2), 1, 1);
        a.inverse_inertia = b.inverse_inertia = inverse;
        a.spin = cm__p(0, 2.5, 0);
        cm__impact impact = impact_at(cm__p(-0.5, 0.5, 0.5), cm__p(tilt, tilt, 1), 1, 0);
        impact.count = 2, impact.at[1] = cm__p(0.5, 0.5, 0.5);
        cm__collide(&a, &b, &impact, 1, true);
        expect_point(a.velocity, cm__p(0, 0, 0.75), 1e-11, "a");
        expect_point(a.spin, cm__p(0, 2.5, 0), 1e-11, "a's spin");
        expect_point(b.velocity, cm__p(0, 0, 2), 1e-11, "b");
        expect_point(b.spin, cm__p(0, 0, 0), 1e-11, "b's spin");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastic_collision_on_a_line),
        cmocka_unit_test(equal_balls_part_at_a_right_angle),
        cmocka_unit_test(plastic_balls_stay_together),
        cmocka_unit_test(friction_makes_a_ball_roll),
        cmocka_unit_test(friction_is_bounded_by_the_pressure),
        cmocka_unit_test(a_flat_fall_stays_flat),
        cmocka_unit_test(momentum_is_kept_and_energy_never_gained),
        cmocka_unit_test(what_parts_is_left_alone),
        cmocka_unit_test(what_turns_parts_where_it_is_asked_to),
        cmocka_unit_test(what_rolls_need_not_part),
        cmocka_unit_test(what_approaches_at_the_rest_speed_stays),
        cmocka_unit_test(what_turns_in_place_is_left_alone),
        cmocka_unit_test(what_slides_along_a_wall_bounces_without_loss),
        cmocka_unit_test(walls_do_not_move),
        cmocka_unit_test(walls_have_no_effective_mass),
        cmocka_unit_test(a_ball_at_rest_stays_at_rest),
        cmocka_unit_test(overlap_is_shared_by_inverse_mass),
        cmocka_unit_test(what_approaches_by_rounding_gains_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
