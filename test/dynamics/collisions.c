/* Elastic collisions of two free balls in one, two and three dimensions, in a whole world, against the closed form:
 * the time of impact is the root of a quadratic, the velocities change along the line of centers by twice the common
 * speed's part, and momentum and energy stay to rounding. */
#include "dynamics/bodies.h"

#include <math.h>

typedef struct two {
    cm_world *world;
    cm_dynamics *bodies;
    uint32_t id[2];
    double radius[2], mass[2];
    cm_vec3 at[2], velocity[2];
} two;

static double dot3(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void difference(cm_vec3 a, cm_vec3 b, double *out) {
    out[0] = (double)a.x - (double)b.x, out[1] = (double)a.y - (double)b.y, out[2] = (double)a.z - (double)b.z;
}

/* Two balls some way apart that will hit off center by up to 0.9 of the sum of radii, in `dimension` dimensions. */
static void draw(two *t, int dimension, rng *r) {
    for (int i = 0; i < 2; i++) {
        t->radius[i] = (double)CM_REAL(rng_range(r, 0.3, 1));
        t->mass[i] = (double)CM_REAL(rng_log_range(r, 0.1, 10));
        t->velocity[i] = rng_vec3(r, 3);
        t->at[i] = rng_vec3(r, 0.5);
    }
    cm_vec3 way = dimension == 1 ? cm_v(rng_below(r, 2) ? 1 : -1, 0, 0) : rng_direction(r);
    if (dimension == 2) way.z = 0, way = cm_normalize(way, cm_v(1, 0, 0));
    cm_vec3 aside = cm_cross(way, dimension == 2 ? cm_v(0, 0, 1) : rng_direction(r));
    aside = cm_normalize(aside, cm_v(0, 1, 0));
    const double sum = t->radius[0] + t->radius[1];
    const double off = dimension == 1 ? 0 : rng_range(r, -0.9, 0.9) * sum, apart = sum + rng_range(r, 0.1, 1);
    t->at[1] = cm_mul_add(cm_mul_add(t->at[0], CM_REAL(apart), way), CM_REAL(off), aside);
    const double speed = rng_range(r, 2, 6); /* with which they close */
    t->velocity[0] = cm_mul_add(t->velocity[1], CM_REAL(speed), way);
    for (int i = 0; i < 2; i++) {
        if (dimension < 3) t->at[i].z = t->velocity[i].z = 0;
        if (dimension < 2) t->at[i].y = t->velocity[i].y = 0;
    }
}

static void place(two *t) {
    assert_int_equal(cm_world_create(NULL, &t->world, NULL), CM_OK);
    assert_int_equal(cm_dynamics_create(t->world, NULL, &t->bodies), CM_OK);
    for (int i = 0; i < 2; i++) {
        cm_world_object_desc object = {.shape = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(t->radius[i])),
                                       .pose.position = t->at[i],
                                       .sweep = CM_WORLD_SWEEP_ALWAYS};
        cm_body_desc body = {
            .velocity = t->velocity[i], .mass = CM_REAL(t->mass[i]), .restitution = 1, .response = CM_RESPONSE_BOUNCE};
        assert_int_equal(cm_world_add(t->world, &object, &t->id[i], NULL), CM_OK);
        assert_int_equal(cm_dynamics_add(t->bodies, t->id[i], &body), CM_OK);
    }
}

/* One step of a second. */
static void collide_once(int dimension, rng *r, double *worst_momentum) {
    two t;
    double p[3], v[3], n[3], w[2][3], tolerance = 2e3 * (double)CM_REAL_EPSILON;
    draw(&t, dimension, r);
    place(&t);
    difference(t.at[1], t.at[0], p), difference(t.velocity[1], t.velocity[0], v);
    const double sum = t.radius[0] + t.radius[1], a = dot3(v, v), b = dot3(p, v), c = dot3(p, p) - sum * sum;
    const double when = (-b - sqrt(b * b - a * c)) / a;
    for (int k = 0; k < 3; k++) n[k] = (p[k] + when * v[k]) / sum;
    const double closing = dot3(v, n), reduced = t.mass[0] * t.mass[1] / (t.mass[0] + t.mass[1]);
    assert_int_equal(cm_dynamics_step(t.bodies, 1), CM_OK);
    cm_body_state s[2];
    double momentum[3] = {0, 0, 0}, size = 0, energy = 0, before = 0;
    for (int i = 0; i < 2; i++) {
        const double start[3] = {(double)t.velocity[i].x, (double)t.velocity[i].y, (double)t.velocity[i].z};
        assert_int_equal(cm_dynamics_get(t.bodies, t.id[i], &s[i]), CM_OK);
        const double got[3] = {(double)s[i].velocity.x, (double)s[i].velocity.y, (double)s[i].velocity.z};
        const double is[3] = {(double)s[i].center.x, (double)s[i].center.y, (double)s[i].center.z};
        const double from[3] = {(double)t.at[i].x, (double)t.at[i].y, (double)t.at[i].z};
        const double fast = sqrt(a) + sqrt(dot3(start, start));
        /* a hit off center: the normal turns by the error of the time over the cosine */
        const double slack = tolerance * fast * (1 + sqrt(a) * sum / fabs(closing));
        for (int k = 0; k < 3; k++) {
            w[i][k] = start[k] + (i == 0 ? 2 : -2) * reduced * closing * n[k] / t.mass[i];
            check_that(fabs(got[k] - w[i][k]) < slack, "%d dimensions, ball %d, axis %d: %.9g, not %.9g", dimension, i,
                       k, got[k], w[i][k]);
            const double end = from[k] + when * start[k] + (1 - when) * w[i][k];
            check_that(fabs(is[k] - end) < 4 * slack, "%d dimensions, ball %d, axis %d: at %.9g, not %.9g", dimension,
                       i, k, is[k], end);
            momentum[k] += t.mass[i] * (got[k] - start[k]);
        }
        size += t.mass[i] * (fast + sqrt(dot3(got, got)));
        energy += t.mass[i] * dot3(got, got) / 2, before += t.mass[i] * dot3(start, start) / 2;
    }
    for (int k = 0; k < 3; k++) {
        const double off = fabs(momentum[k]) / size / (double)CM_REAL_EPSILON;
        *worst_momentum = off > *worst_momentum ? off : *worst_momentum;
        check_that(off < 2, "%d dimensions: momentum off by %g ulp", dimension, off);
    }
    check_that(fabs(energy / before - 1) < 64 * (double)CM_REAL_EPSILON, "%d dimensions: energy off by %g", dimension,
               energy / before - 1);
    if (dimension < 3) assert_true(s[0].center.z == 0 && s[1].velocity.z == 0); /* nothing leaves the plane */
    if (dimension < 2) assert_true(s[0].center.y == 0 && s[1].velocity.y == 0);
    cm_dynamics_destroy(t.bodies);
    cm_world_destroy(t.world);
}

static void elastic_balls_collide_by_the_closed_form(void **state) {
    (void)state;
    rng r = rng_start("collisions", 77);
    for (int dimension = 1; dimension <= 3; dimension++) {
        double worst = 0;
        for (int i = 0; i < samples(1000, 100000); i++) collide_once(dimension, &r, &worst);
        print_message("%d dimensions: momentum off by at most %.2g ulp\n", dimension, worst);
    }
}

static void halt_both(void *user, cm_dynamics *bodies, const cm_world_hit *hit, uint32_t *response_a,
                      uint32_t *response_b) {
    (void)bodies, (void)hit;
    if (*(bool *)user) *response_a = *response_b = CM_RESPONSE_HALT;
}

/* A ball that halted, half a unit on from this place, at a wall that is gone since: it would throw back at once what
 * gave way. `halt` is the user of halt_both. */
static uint32_t put_halted(cm_world *world, cm_dynamics *bodies, cm_vec3 at, const cm_body_desc *body, bool *halt) {
    const cm_world_sweep_mode always = CM_WORLD_SWEEP_ALWAYS;
    const cm_vec3 beyond = cm_add(at, cm_v(2, 0, 0));
    const uint32_t wall = put_object(world, bodies, cm_make_box(cm_v(1, 1, 1)), beyond, NULL, always);
    const uint32_t id = put_object(world, bodies, ball(0.5), at, body, always);
    *halt = true;
    assert_int_equal(cm_dynamics_set_velocity(bodies, id, cm_v(1, 0, 0), cm_v(0, 0, 0)), CM_OK);
    assert_int_equal(cm_dynamics_step(bodies, 1), CM_OK);
    *halt = false;
    const cm_body_state s = body_state(bodies, id);
    assert_true(s.halted && s.velocity.x == 0);
    assert_int_equal(cm_world_remove(world, wall), CM_OK);
    return id;
}

/* What halted at a wall, though it would bounce off others, is a wall to them, and so is what is driven past: elastic
 * balls that come at 4 go back at 4. They keep their velocities. */
static void what_halted_or_is_driven_gives_no_way(void **state) {
    (void)state;
    bool halt = false;
    cm_world *world;
    cm_dynamics *bodies;
    const cm_dynamics_desc desc = {.respond = halt_both, .user = &halt};
    const cm_body_desc one = {.mass = 1, .restitution = 1, .response = CM_RESPONSE_BOUNCE};
    cm_body_desc lift = one;
    lift.driven = true, lift.velocity = cm_v(0, 0, -1);
    set_up(NULL, &desc, &world, &bodies);
    const cm_vec3 half = cm_v(CM_REAL(0.5), CM_REAL(0.5), 4);
    const cm_world_sweep_mode always = CM_WORLD_SWEEP_ALWAYS;
    const uint32_t halted = put_halted(world, bodies, cm_v(0, 0, 0), &one, &halt);
    const uint32_t first = put_object(world, bodies, ball(0.5), cm_v(-4, 0, 0), &one, always);
    const uint32_t second = put_object(world, bodies, ball(0.5), cm_v(-4, 8, 0), &one, always);
    const uint32_t driven = put_object(world, bodies, cm_make_box(half), cm_v(0, 8, 0), &lift, always);
    assert_int_equal(cm_dynamics_set_velocity(bodies, first, cm_v(4, 0, 0), cm_v(0, 0, 0)), CM_OK);
    assert_int_equal(cm_dynamics_set_velocity(bodies, second, cm_v(4, 0, 0), cm_v(0, 0, 0)), CM_OK);
    assert_int_equal(cm_dynamics_step(bodies, 1), CM_OK);
    cm_body_state s = body_state(bodies, halted);
    check_that(s.halted && s.velocity.x == 0 && fabs((double)s.center.x - 0.5) < 1e-5, "it goes at %g",
               (double)s.velocity.x);
    s = body_state(bodies, driven);
    check_that(s.velocity.x == 0 && s.velocity.z == -1 && s.center.x == 0 && s.center.z == -1, "it is driven to %g, %g",
               (double)s.center.x, (double)s.center.z);
    s = body_state(bodies, first);
    check_that(fabs((double)s.velocity.x + 4) < 1e-5, "back from what halted at %g", (double)s.velocity.x);
    s = body_state(bodies, second);
    check_that(fabs((double)s.velocity.x + 4) < 1e-5, "back from what is driven at %g", (double)s.velocity.x);
    take_down(world, bodies);
}

/* What is driven at 3 against a ball at rest gives it 3 without restitution, 6 with all of it; so does the end of a bar
 * that turns, where the ball is met 2 from its middle with 3 radians in 2 seconds. */
static void what_is_driven_pushes_what_it_meets(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        const bool turns = i & 1, bounces = i & 2;
        const cm_world_sweep_mode mode = i & 4 ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO;
        cm_world *world;
        cm_dynamics *bodies;
        cm_body_desc driver = {.driven = true}, one = {.mass = 1, .response = CM_RESPONSE_BOUNCE};
        if (turns) driver.spin = cm_v(0, 0, CM_REAL(-1.5));
        if (!turns) driver.velocity = cm_v(3, 0, 0);
        one.restitution = bounces ? 1 : 0;
        set_up(NULL, NULL, &world, &bodies);
        const cm_vec3 half = turns ? cm_v(CM_REAL(0.1), 4, 1) : cm_v(1, 1, 1);
        put_object(world, bodies, cm_make_box(half), cm_v(0, 0, 0), &driver, mode);
        const cm_real face = turns ? CM_REAL(0.1) : 1;
        const uint32_t id =
            put_object(world, bodies, ball(0.5), cm_v(face + CM_REAL(0.51), turns ? 2 : 0, 0), &one, mode);
        double fastest = 0;
        for (int k = 0; k < 3; k++) {
            assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
            fastest = fmax(fastest, (double)cm_length(body_state(bodies, id).velocity));
        }
        const double right = bounces ? 6 : 3;
        check_that(fabs(fastest - right) < 0.03 * right, "case %d: the ball goes at %g", i, fastest);
        take_down(world, bodies);
    }
}

/* A box that is driven at 3 toward what does not give way to it. */
enum { AT_CROWD, AT_WALL, AT_DRIVEN, AT_SQUEEZED, AT_ROW, AT_HALTED, ATS };

static void driver_meets(cm_world *world, cm_dynamics *bodies, int what, cm_body_desc driver) {
    const cm_world_sweep_mode always = CM_WORLD_SWEEP_ALWAYS;
    const cm_shape block = cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.5), CM_REAL(0.5)));
    cm_body_desc one = {.mass = 1, .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};
    if (what == AT_HALTED) one.response |= CM_RESPONSE_HALT;
    driver.velocity = cm_v(-3, 0, 0);
    const int balls = what == AT_CROWD ? 12 : what == AT_ROW ? 4 : what == AT_SQUEEZED || what == AT_HALTED ? 1 : 0;
    for (int i = 0; i < balls; i++) {
        const cm_vec3 across = cm_v(CM_REAL(-0.25), (cm_real)(i % 4) - CM_REAL(1.5), (cm_real)(i / 4) - 1);
        put_object(world, bodies, ball(what == AT_CROWD ? 0.25 : 0.5),
                   what == AT_CROWD ? across : cm_v((cm_real)i, 0, 0), &one, always);
    }
    if (what == AT_SQUEEZED)
        put_object(world, bodies, cm_make_halfspace(cm_v(-1, 0, 0), CM_REAL(0.5)), cm_v(0, 0, 0), NULL, always);
    if (what == AT_WALL) put_object(world, bodies, block, cm_v(0, 0, 0), NULL, always);
    if (what == AT_DRIVEN) put_object(world, bodies, block, cm_v(CM_REAL(0.125), 0, 0), &driver, always);
}

/* It is never held, neither by more hits than a body may have in a step, nor by what cannot give way: a wall (where it
 * has a response), another that is driven, what halted, a ball between it and a wall. It goes by 1/20 a step. */
static void what_is_driven_is_held_by_nothing(void **state) {
    (void)state;
    for (int i = 0; i < 2 * ATS; i++) {
        cm_world *world;
        cm_dynamics *bodies;
        cm_body_desc driver = {.driven = true, .velocity = {3, 0, 0}, .response = i < ATS ? 0 : CM_RESPONSE_BOUNCE};
        set_up(NULL, NULL, &world, &bodies);
        const uint32_t id = put_object(world, bodies, cm_make_box(cm_v(1, 3, 3)), cm_v(CM_REAL(-1.625), 0, 0), &driver,
                                       CM_WORLD_SWEEP_ALWAYS);
        driver_meets(world, bodies, i % ATS, driver);
        for (int k = 1; k <= 40; k++) {
            assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
            const double is = (double)body_state(bodies, id).center.x, right = -1.625 + k / 20.0;
            check_that(fabs(is - right) < 1e-5, "case %d, step %d: at %g instead of %g", i, k, is, right);
        }
        take_down(world, bodies);
    }
}

/* A body that only reports goes on through what halted, though that would bounce. */
static void what_only_reports_is_not_held_by_what_halted(void **state) {
    (void)state;
    bool halt = false;
    cm_world *world;
    cm_dynamics *bodies;
    const cm_dynamics_desc desc = {.respond = halt_both, .user = &halt};
    const cm_body_desc one = {.mass = 1, .response = CM_RESPONSE_BOUNCE};
    const cm_body_desc ghost = {.mass = 1, .velocity = {4, 0, 0}};
    const cm_world_sweep_mode always = CM_WORLD_SWEEP_ALWAYS;
    set_up(NULL, &desc, &world, &bodies);
    put_halted(world, bodies, cm_v(0, 0, 0), &one, &halt);
    const uint32_t id = put_object(world, bodies, ball(0.5), cm_v(-2, 0, 0), &ghost, always);
    assert_int_equal(cm_dynamics_step(bodies, 1), CM_OK);
    const cm_body_state s = body_state(bodies, id);
    cm_world_stats stats;
    cm_world_get_stats(world, &stats);
    check_that(stats.hits == 1, "%zu hits", stats.hits); /* asked once */
    check_that(s.center.x == 2 && s.velocity.x == 4, "at %g with %g", (double)s.center.x, (double)s.velocity.x);
    take_down(world, bodies);
}

/* The row of balls that touch is held in the first step that the driver meets it in, after hits to and fro. The next
 * begins with all its contacts together: the driver's work is no energy from nowhere there, either, and the row goes
 * as fast as it drives. Balls without friction, or with; and where the driver is slanted, the row is pushed along the
 * normal, (4, 3) / 5, by 3 * 4 / 5. */
static void what_is_driven_pushes_a_row(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        const bool slanted = i & 1, rubs = i & 2;
        cm_world *world;
        cm_dynamics *bodies;
        cm_body_desc driver = {.driven = true, .velocity = {3, 0, 0}};
        cm_body_desc one = {.mass = 1, .response = CM_RESPONSE_BOUNCE};
        if (rubs) driver.friction = 1, one.friction = CM_REAL(0.5);
        set_up(NULL, NULL, &world, &bodies);
        const double nx = slanted ? 0.8 : 1, ny = slanted ? 0.6 : 0;
        const cm_vec3 normal = cm_v((cm_real)nx, (cm_real)ny, 0);
        put_object(world, bodies, cm_make_halfspace(normal, 0), cm_v(CM_REAL(-0.03) / normal.x, 0, 0), &driver,
                   CM_WORLD_SWEEP_ALWAYS);
        uint32_t ids[4];
        for (int k = 0; k < 4; k++)
            ids[k] = put_object(world, bodies, ball(0.5), cm_scale(normal, CM_REAL(0.5) + (cm_real)k), &one,
                                CM_WORLD_SWEEP_ALWAYS);
        for (int k = 0; k < 2; k++) assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
        for (int k = 0; k < 3; k++) {
            const double speed = (double)cm_dot(body_state(bodies, ids[k]).velocity, normal), right = 3 * nx;
            check_that(fabs(speed - right) < 0.06, "case %d: ball %d goes at %g, not %g", i, k, speed, right);
        }
        take_down(world, bodies);
    }
}

/* Balls between a driver and one that halted, which would bounce off others: they are held, and answered all together
 * in the steps after; it stands. */
static void what_halted_stands_before_a_row(void **state) {
    (void)state;
    bool halt = false;
    cm_world *world;
    cm_dynamics *bodies;
    const cm_dynamics_desc desc = {.respond = halt_both, .user = &halt};
    const cm_body_desc one = {.mass = 1, .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};
    const cm_body_desc driver = {.driven = true, .velocity = {3, 0, 0}};
    const cm_world_sweep_mode always = CM_WORLD_SWEEP_ALWAYS;
    set_up(NULL, &desc, &world, &bodies);
    const uint32_t halted = put_halted(world, bodies, cm_v(3, 0, 0), &one, &halt);
    const cm_real stands = body_state(bodies, halted).center.x;
    put_object(world, bodies, cm_make_box(cm_v(1, 1, 1)), cm_v(CM_REAL(-1.03), 0, 0), &driver, always);
    for (int i = 0; i < 3; i++) put_object(world, bodies, ball(0.5), cm_v(stands - 3 + (cm_real)i, 0, 0), &one, always);
    for (int k = 0; k < 10; k++) {
        assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
        const cm_body_state s = body_state(bodies, halted);
        check_that(s.halted && s.velocity.x == 0 && s.center.x == stands, "step %d: it goes at %g from %g to %g", k,
                   (double)s.velocity.x, (double)stands, (double)s.center.x);
    }
    take_down(world, bodies);
}

/* Three driven bodies through a crowd of all kinds, with any responses, swept or not, that turn or not: their places
 * are their velocities times the time. */
static void what_is_driven_goes_its_way_in_any_crowd(void **state) {
    (void)state;
    rng r = rng_start("driven in a crowd", 5);
    static const uint32_t responses[6] = {0,
                                          CM_RESPONSE_BOUNCE,
                                          CM_RESPONSE_SLIDE,
                                          CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART,
                                          CM_RESPONSE_HALT | CM_RESPONSE_BOUNCE,
                                          CM_RESPONSE_PUSH_APART};
    body_kit kit;
    kit_make(&kit, &r);
    const int scenes = samples(200, 10000);
    int limits = 0;
    for (int i = 0; i < scenes; i++) {
        cm_world *world;
        cm_dynamics *bodies;
        const cm_dynamics_desc desc = {.gravity = {0, 0, rng_below(&r, 2) ? -10 : 0}};
        uint32_t ids[3];
        cm_vec3 from[3], velocity[3];
        set_up(NULL, &desc, &world, &bodies);
        put_object(world, bodies, cm_make_halfspace(cm_v(0, 0, 1), -2), cm_v(0, 0, 0), NULL, CM_WORLD_SWEEP_AUTO);
        for (int k = 0; k < 15; k++) {
            const cm_world_sweep_mode mode = rng_below(&r, 2) ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO;
            cm_body_desc body = {.driven = k < 3, .mass = 1, .friction = CM_REAL(0.4)};
            body.restitution = CM_REAL(0.5) * (cm_real)rng_below(&r, 2);
            body.response = responses[rng_below(&r, 6)];
            body.velocity = rng_vec3(&r, k < 3 ? 6 : 2);
            if (rng_below(&r, 2)) body.spin = rng_vec3(&r, 3);
            const cm_vec3 at = rng_vec3(&r, k < 3 ? 2 : 1.5);
            const uint32_t id =
                put_object(world, bodies, body_of_kind(&kit, rng_below(&r, SOLID_BODIES)), at, &body, mode);
            if (k < 3) ids[k] = id, from[k] = at, velocity[k] = body.velocity;
        }
        for (int s = 1; s <= 30; s++) {
            cm_world_stats stats;
            assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
            cm_world_get_stats(world, &stats);
            limits += stats.limits > 0;
            if (stats.limits > 0) break; /* a world holds both there */
            for (int k = 0; k < 3; k++) {
                cm_pose pose;
                assert_int_equal(cm_world_get_pose(world, ids[k], &pose), CM_OK);
                const cm_vec3 right = cm_mul_add(from[k], CM_REAL(s / 60.0), velocity[k]);
                const double off = (double)cm_length(cm_sub(pose.position, right));
                check_that(off < 1e-4, "scene %d, step %d: %d is off by %g", i, s, k, off);
            }
        }
        take_down(world, bodies);
    }
    check_that(limits < scenes / 20, "%d of %d scenes end at a limit", limits, scenes);
    kit_free(&kit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastic_balls_collide_by_the_closed_form),
        cmocka_unit_test(what_halted_or_is_driven_gives_no_way),
        cmocka_unit_test(what_is_driven_pushes_what_it_meets),
        cmocka_unit_test(what_is_driven_is_held_by_nothing),
        cmocka_unit_test(what_is_driven_goes_its_way_in_any_crowd),
        cmocka_unit_test(what_only_reports_is_not_held_by_what_halted),
        cmocka_unit_test(what_is_driven_pushes_a_row),
        cmocka_unit_test(what_halted_stands_before_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
