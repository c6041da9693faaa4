/* Steps of a world with bodies, against closed forms. Rounding: a few ulp of the numbers at hand. */
#include "set_up.h"

static const cm_real tiny = 64 * CM_REAL_EPSILON;

typedef struct stand {
    cm_world *world;
    cm_dynamics *bodies;
} stand;

static stand stand_make(cm_vec3 gravity) {
    stand s = {0};
    cm_dynamics_desc desc = {.gravity = gravity};
    set_up(NULL, &desc, &s.world, &s.bodies);
    return s;
}
static void stand_free(stand *s) { take_down(s->world, s->bodies); }
static uint32_t stand_add(stand *s, cm_shape shape, cm_vec3 at, const cm_body_desc *body) {
    /* slow points too: times of impact */
    cm_world_sweep_mode sweep = shape.kind == CM_SHAPE_POINT ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO;
    return put_object(s->world, s->bodies, shape, at, body, sweep);
}
static cm_body_state state_of(const stand *s, uint32_t id) { return body_state(s->bodies, id); }
static void steps(stand *s, int count, double dt) {
    for (int i = 0; i < count; i++) assert_int_equal(cm_dynamics_step(s->bodies, (cm_real)dt), CM_OK);
}
static cm_shape ground(void) { return cm_make_halfspace(cm_v(0, 0, 1), 0); }

/* z = z0 - g t^2 / 2, v = -g t, exactly at every step. */
static void free_fall(void **state) {
    (void)state;
    stand s = stand_make(cm_v(0, 0, -10));
    cm_body_desc body = {.velocity = cm_v(3, 0, 0), .mass = 2};
    uint32_t id = stand_add(&s, ball(1), cm_v(0, 0, 100), &body);
    steps(&s, 256, 1.0 / 128);
    cm_body_state b = state_of(&s, id);
    check_that(cm_abs(b.center.z - 80) < 256 * tiny, "z " REAL_FORMAT, (double)b.center.z); /* 100 - 10 * 4 / 2 */
    check_that(cm_abs(b.center.x - 6) < tiny * 6, "x " REAL_FORMAT, (double)b.center.x);
    check_that(b.velocity.z == -20, "v " REAL_FORMAT, (double)b.velocity.z);
    stand_free(&s);
}

/* 3 kg at 4 m/s onto 1 kg at rest: 2 and 6 m/s, whatever the speed to the step. */
static void elastic_balls_on_a_line(void **state) {
    (void)state;
    stand s = stand_make(cm_v(0, 0, 0));
    cm_body_desc heavy = {.velocity = cm_v(4, 0, 0), .mass = 3, .restitution = 1, .response = CM_RESPONSE_BOUNCE};
    cm_body_desc light = {.mass = 1, .restitution = 1, .response = CM_RESPONSE_BOUNCE};
    uint32_t a = stand_add(&s, ball(0.5), cm_v(-3, 0, 0), &heavy), b = stand_add(&s, ball(0.5), cm_v(0, 0, 0), &light);
    steps(&s, 1, 1);
    cm_body_state sa = state_of(&s, a), sb = state_of(&s, b);
    check_that(cm_abs(sa.velocity.x - 2) < tiny && cm_abs(sb.velocity.x - 6) < tiny, REAL_FORMAT " " REAL_FORMAT,
               (double)sa.velocity.x, (double)sb.velocity.x);
    /* they meet after 2 m of the way, at 0.5 s; then half a second at the new speeds */
    check_that(cm_abs(sa.center.x - 0) < 16 * tiny && cm_abs(sb.center.x - 3) < 16 * tiny, REAL_FORMAT " " REAL_FORMAT,
               (double)sa.center.x, (double)sb.center.x);
    stand_free(&s);
}

/* Many balls in a box: momentum and energy of each collision of free bodies are kept. */
static void a_break_keeps_momentum_and_energy(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        stand s = stand_make(cm_v(0, 0, 0));
        rng r = rng_start("break", 71);
        uint32_t ids[30];
        for (int i = 0; i < 30; i++) {
            cm_body_desc body = {
                .mass = (cm_real)rng_range(&r, 1, 3), .restitution = 1, .response = CM_RESPONSE_BOUNCE};
            body.velocity = rng_vec3(&r, 5);
            if (dimension == 2) body.velocity.z = 0;
            cm_vec3 at = cm_v((cm_real)(3 * (i % 6) - 8), (cm_real)(3 * (i / 6) - 6), 0);
            body.velocity = cm_mul_add(body.velocity, CM_REAL(-0.8), at);
            ids[i] = stand_add(&s, ball(1), at, &body);
        }
        cm_vec3 before = cm_v(0, 0, 0), after = before;
        double energy = 0, later = 0;
        size_t hits = 0;
        for (int i = 0; i < 30; i++) {
            cm_body_state b = state_of(&s, ids[i]);
            before = cm_add(before, b.momentum), energy += (double)b.energy;
        }
        for (int step = 0; step < 200; step++) {
            steps(&s, 1, 1.0 / 60);
            cm_world_stats stats;
            cm_world_get_stats(s.world, &stats);
            hits += stats.hits;
        }
        for (int i = 0; i < 30; i++) {
            cm_body_state b = state_of(&s, ids[i]);
            after = cm_add(after, b.momentum), later += (double)b.energy;
        }
        cm_real off = cm_largest(cm_sub(after, before));
        print_message("%d dimensions: %zu hits, momentum off by %g, energy by %g\n", dimension, hits, (double)off,
                      later / energy - 1);
        check_that(hits >= 20, "%zu hits", hits);
        check_that(off < 100 * tiny, "momentum off by " REAL_FORMAT, (double)off);
        check_that(fabs(later / energy - 1) < 1e3 * (double)CM_REAL_EPSILON, "energy by %g", later / energy - 1);
        stand_free(&s);
    }
}

/* s = v^2 / (2 mu g): a box of 4 m/s, mu 0.4, g 10 stops after 2 m. */
static void a_sliding_box_stops(void **state) {
    (void)state;
    stand s = stand_make(cm_v(0, 0, -10));
    cm_body_desc body = {.velocity = cm_v(4, 0, 0), .mass = 2, .friction = CM_REAL(0.4)};
    body.response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART;
    stand_add(&s, ground(), cm_v(0, 0, 0), NULL);
    uint32_t floor_body = stand_add(&s, cm_make_box(cm_v(50, 50, 1)), cm_v(0, 0, CM_REAL(-1)), NULL);
    (void)floor_body;
    uint32_t id = stand_add(&s, cm_make_box(cm_v(1, 1, CM_REAL(0.1))), cm_v(0, 0, CM_REAL(0.1)), &body);
    steps(&s, 1500, 1.0 / 1000);
    cm_body_state b = state_of(&s, id);
    check_that(cm_abs(b.center.x - 2) < CM_REAL(0.02), "stopped at " REAL_FORMAT, (double)b.center.x);
    check_that(cm_length(b.velocity) < CM_REAL(0.02), "still goes at " REAL_FORMAT, (double)cm_length(b.velocity));
    stand_free(&s);
}

/* Balls in a row that touch, none of them swept: the first goes at 4, and after the step all four at 1, forward or
 * back, as momentum is kept and nothing bounces. */
static void what_strikes_a_row_moves_all_of_it(void **state) {
    (void)state;
    for (int back = 0; back < 2; back++) {
        stand s = stand_make(cm_v(0, 0, 0));
        uint32_t ids[4];
        for (int i = 0; i < 4; i++) {
            const bool first = i == (back ? 3 : 0);
            const cm_body_desc body = {
                .mass = 1, .response = CM_RESPONSE_BOUNCE, .velocity = {first ? back ? -4 : 4 : 0, 0, 0}};
            ids[i] = put_object(s.world, s.bodies, ball(0.5), cm_v((cm_real)i, 0, 0), &body, CM_WORLD_SWEEP_AUTO);
        }
        steps(&s, 1, 1.0 / 60);
        for (int i = 0; i < 4; i++) {
            const double speed = (double)state_of(&s, ids[i]).velocity.x;
            check_that(fabs(speed - (back ? -1 : 1)) < 0.02, "ball %d of case %d goes at %g", i, back, speed);
        }
        stand_free(&s);
    }
}

/* A bullet of 10,000 m/s and a plate of 1 mm: it halts in front. The time of impact is 4.9995 / 10000 s less its size.
 */
static void nothing_tunnels(void **state) {
    (void)state;
    stand s = stand_make(cm_v(0, 0, 0));
    cm_body_desc body = {.velocity = cm_v(10000, 0, 0), .mass = 1, .response = CM_RESPONSE_HALT};
    uint32_t id = stand_add(&s, ball(0.01), cm_v(-5, 0, 0), &body);
    stand_add(&s, cm_make_box(cm_v(CM_REAL(0.0005), 1, 1)), cm_v(0, 0, 0), NULL);
    steps(&s, 3, 1.0 / 60);
    cm_body_state b = state_of(&s, id);
    assert_true(b.halted);
    check_that(b.center.x < CM_REAL(-0.0104) && b.center.x > CM_REAL(-0.0107), "x " REAL_FORMAT, (double)b.center.x);
    assert_int_equal(cm_dynamics_set_velocity(s.bodies, id, cm_v(-60, 0, 0), cm_v(0, 0, 0)), CM_OK);
    steps(&s, 1, 1.0 / 60);
    check_that(state_of(&s, id).center.x < -1, "held");
    stand_free(&s);
}

/* One kilogram halts at a plate, another meets it there at 8 m/s, both elastic: it is thrown back as by a wall, and
 * what has halted has no speed for when it is let go. */
static void what_has_halted_is_a_wall(void **state) {
    (void)state;
    stand s = stand_make(cm_v(0, 0, 0));
    cm_body_desc body = {.velocity = cm_v(0, 0, -10), .mass = 1, .restitution = 1};
    body.response = CM_RESPONSE_HALT | CM_RESPONSE_BOUNCE;
    stand_add(&s, cm_make_box(cm_v(1, 1, CM_REAL(0.5))), cm_v(0, 0, CM_REAL(-0.5)), NULL);
    const uint32_t held = stand_add(&s, ball(0.5), cm_v(0, 0, 1), &body);
    body.velocity = cm_v(-8, 0, 0), body.response = CM_RESPONSE_BOUNCE;
    const uint32_t thrown = stand_add(&s, ball(0.5), cm_v(4, 0, CM_REAL(0.5)), &body);
    steps(&s, 60, 1.0 / 60);
    const cm_body_state a = state_of(&s, held), b = state_of(&s, thrown);
    assert_true(a.halted);
    check_that(cm_length(a.velocity) < CM_REAL(1e-4), "what has halted has " REAL_FORMAT " m/s",
               (double)cm_length(a.velocity));
    check_that(cm_abs(b.velocity.x - 8) < CM_REAL(1e-3), "thrown back at " REAL_FORMAT, (double)b.velocity.x);
    stand_free(&s);
}

/* Two that meet vanish; one that meets the floor halts there and hangs on. Launched at 10 m/s up from z = 1: down at
 * the floor (radius 1/2) where 0.5 = 1 + 10 t - 5 t^2, t = 2.0488 s. */
/* What lies on a box that was made fixed lies there, as on one without a body; one that was driven carries nothing
 * away. Movable again they stand until they are given a velocity, as what halted does. */
static void what_is_made_fixed_halts(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        const cm_world_sweep_mode mode = i & 1 ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO;
        const cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
        const cm_body_desc lift = {.driven = true, .velocity = {1, 0, 1}, .friction = 1};
        const cm_body_desc one = {.mass = 1, .friction = 1, .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};
        cm_world *world;
        cm_dynamics *bodies;
        set_up(NULL, &desc, &world, &bodies);
        const uint32_t base =
            put_object(world, bodies, cm_make_box(cm_v(4, 4, 1)), cm_v(0, 0, -1), i & 2 ? &lift : &one, mode);
        const uint32_t id = put_object(world, bodies, cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.5), CM_REAL(0.5))),
                                       cm_v(0, 0, CM_REAL(0.6)), &one, mode);
        assert_int_equal(cm_world_set_fixed(world, base, true), CM_OK);
        for (int k = 0; k < 60; k++) assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
        cm_body_state s = body_state(bodies, base), on = body_state(bodies, id);
        check_that(s.halted && s.velocity.z == 0 && s.center.x == 0 && s.center.z == -1, "case %d: %g, %g at %g", i,
                   (double)s.center.x, (double)s.center.z, (double)s.velocity.z);
        check_that(fabs((double)on.center.z - 0.5) < 1e-3 && cm_abs(on.center.x) < CM_REAL(1e-4), "case %d: %g, %g", i,
                   (double)on.center.x, (double)on.center.z);
        assert_int_equal(cm_world_set_fixed(world, base, false), CM_OK);
        assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
        s = body_state(bodies, base);
        assert_true(s.halted && s.center.z == -1);
        assert_int_equal(cm_dynamics_set_velocity(bodies, base, cm_v(0, 0, -1), cm_v(0, 0, 0)), CM_OK);
        assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
        s = body_state(bodies, base);
        check_that(!s.halted && s.center.z < -1, "case %d: at %g", i, (double)s.center.z);
        take_down(world, bodies);
    }
}

static void launched_balls_halt_and_vanish(void **state) {
    (void)state;
    stand s = stand_make(cm_v(0, 0, -10));
    cm_body_desc body = {.mass = 1, .response = CM_RESPONSE_HALT, .kind = 1};
    assert_int_equal(cm_dynamics_set_response(s.bodies, 1, 1, CM_RESPONSE_VANISH), CM_OK);
    stand_add(&s, ground(), cm_v(0, 0, 0), NULL);
    body.velocity = cm_v(0, 0, 10);
    uint32_t up = stand_add(&s, ball(0.5), cm_v(20, 0, 1), &body);
    body.velocity = cm_v(5, 0, 5);
    uint32_t left = stand_add(&s, ball(0.5), cm_v(-5, 0, 1), &body);
    body.velocity = cm_v(-5, 0, 5);
    uint32_t right = stand_add(&s, ball(0.5), cm_v(5, 0, 1), &body);
    int vanished = 0, landed = 0;
    for (int step = 1; step <= 200; step++) {
        steps(&s, 1, 1.0 / 64);
        cm_body_state b;
        bool gone = cm_dynamics_get(s.bodies, left, &b) != CM_OK && cm_dynamics_get(s.bodies, right, &b) != CM_OK;
        if (gone && !vanished) vanished = step;
        if (state_of(&s, up).halted && !landed) landed = step;
    }
    assert_int_equal(vanished, 58); /* 9 m between them at 10 m/s: 0.9 s, in step 57.6 */
    assert_int_equal(landed, 132);  /* 2.0488 s * 64 = 131.1 */
    check_that(cm_abs(state_of(&s, up).center.z - CM_REAL(0.5)) < CM_REAL(1e-4), "z " REAL_FORMAT,
               (double)state_of(&s, up).center.z);
    assert_int_equal(cm_world_count(s.world), 2);
    stand_free(&s);
}

/* After the push they touch: shared by inverse mass, 1 kg and 3 kg. */
static void overlaps_are_pushed_apart(void **state) {
    (void)state;
    stand s = stand_make(cm_v(0, 0, 0));
    cm_body_desc light = {.mass = 1, .response = CM_RESPONSE_PUSH_APART}, heavy = light;
    heavy.mass = 3;
    uint32_t a = stand_add(&s, ball(1), cm_v(0, 0, 0), &light), b = stand_add(&s, ball(1), cm_v(1, 0, 0), &heavy);
    steps(&s, 1, 1.0 / 60);
    check_that(cm_abs(state_of(&s, a).center.x + CM_REAL(0.75)) < tiny, "a " REAL_FORMAT,
               (double)state_of(&s, a).center.x);
    check_that(cm_abs(state_of(&s, b).center.x - CM_REAL(1.25)) < tiny, "b " REAL_FORMAT,
               (double)state_of(&s, b).center.x);
    stand_free(&s);
}

static void bad_numbers_do_no_harm(void **state) {
    (void)state;
    stand s = stand_make(cm_v(0, 0, -10));
    cm_body_desc body = {.velocity = cm_v(1, 2, 3), .mass = 1};
    uint32_t id = stand_add(&s, ball(1), cm_v(0, 0, 9), &body);
    uint64_t hash = cm_dynamics_hash(s.bodies);
    static const double bad[] = {0, -1, 1e30, (double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < 6; i++) assert_int_equal(cm_dynamics_step(s.bodies, (cm_real)bad[i]), CM_INVALID);
    for (int i = 3; i < 6; i++) {
        cm_vec3 v = cm_v((cm_real)bad[i], 0, 0);
        assert_int_equal(cm_dynamics_set_velocity(s.bodies, id, v, cm_v(0, 0, 0)), CM_NOT_FINITE);
        body.velocity = v;
        assert_int_equal(cm_dynamics_add(s.bodies, id, &body), CM_NOT_FINITE);
    }
    assert_int_equal(cm_dynamics_set_velocity(s.bodies, id + 1, cm_v(0, 0, 0), cm_v(0, 0, 0)), CM_STALE_ID);
    assert_true(cm_dynamics_hash(s.bodies) == hash);
    cm_vec3 most = cm_v(CM_COORD_MAX, 0, 0);
    assert_int_equal(cm_dynamics_set_velocity(s.bodies, id, most, cm_v(0, 0, 0)), CM_OK);
    hash = cm_dynamics_hash(s.bodies);
    assert_int_equal(cm_dynamics_step(s.bodies, 1000), CM_NOT_FINITE);
    assert_true(cm_dynamics_hash(s.bodies) == hash);
    stand_free(&s);
}

static stand crowd(uint64_t seed, const cm_tasks *tasks) {
    stand s = {0};
    cm_world_desc world = {.tasks = tasks};
    cm_dynamics_desc desc = {.gravity = cm_v(0, 0, -10)};
    set_up(&world, &desc, &s.world, &s.bodies);
    stand_add(&s, ground(), cm_v(0, 0, 0), NULL);
    rng r = {seed};
    for (int i = 0; i < 60; i++) {
        cm_body_desc body = {.velocity = rng_vec3(&r, 8), .spin = rng_vec3(&r, 5), .friction = CM_REAL(0.3)};
        body.restitution = CM_REAL(0.5), body.response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART;
        cm_vec3 at = cm_add(rng_vec3(&r, 6), cm_v(0, 0, 8));
        stand_add(&s, i % 2 ? ball(0.5) : cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.4), CM_REAL(0.3))), at, &body);
    }
    return s;
}

static void threads_and_snapshots_change_no_byte(void **state) {
    (void)state;
    cm_pool *pool;
    cm_tasks tasks;
    assert_int_equal(cm_pool_create(4, NULL, &pool), CM_OK);
    cm_pool_tasks(pool, &tasks);
    const int worlds = samples(24, 400);
    for (uint64_t seed = 89; seed < 89 + (uint64_t)worlds; seed++) {
        stand a = crowd(seed, NULL), b = crowd(seed, &tasks);
        steps(&a, 100, 1.0 / 60);
        steps(&b, 100, 1.0 / 60);
        assert_true(cm_dynamics_hash(a.bodies) == cm_dynamics_hash(b.bodies));
        size_t size = cm_dynamics_save(a.bodies, NULL, NULL, 0);
        void *bytes = malloc(size);
        assert_int_equal(cm_dynamics_save(a.bodies, NULL, bytes, size), size);
        steps(&a, 50, 1.0 / 60);
        steps(&b, 20, 1.0 / 60);
        assert_int_equal(cm_dynamics_restore(b.bodies, NULL, bytes, size), CM_OK);
        steps(&b, 50, 1.0 / 60);
        check_that(cm_dynamics_hash(a.bodies) == cm_dynamics_hash(b.bodies), "seed %d", (int)seed);
        assert_int_equal(cm_dynamics_restore(b.bodies, NULL, bytes, size / 2), CM_BAD_DATA);
        assert_int_equal(cm_dynamics_restore(b.bodies, NULL, bytes, 3), CM_BAD_DATA);
        assert_true(cm_dynamics_hash(a.bodies) == cm_dynamics_hash(b.bodies));
        free(bytes);
        stand_free(&a);
        stand_free(&b);
    }
    cm_pool_destroy(pool);
}

/* A small world for long: memory stays, numbers stay numbers, nobody falls through the floor. */
static void a_long_run_stays_sane(void **state) {
    (void)state;
    counting_allocator mem;
    counting_allocator_start(&mem, 0);
    stand s = {0};
    cm_world_desc world = {.mem = &mem.mem};
    cm_dynamics_desc desc = {.mem = &mem.mem, .gravity = cm_v(0, 0, -10)};
    set_up(&world, &desc, &s.world, &s.bodies);
    stand_add(&s, ground(), cm_v(0, 0, 0), NULL);
    for (int i = 0; i < 4; i++)
        stand_add(&s,
                  cm_make_halfspace(cm_v(i == 0   ? 1
                                         : i == 1 ? -1
                                                  : 0,
                                         i == 2   ? 1
                                         : i == 3 ? -1
                                                  : 0,
                                         0),
                                    4),
                  cm_v(0, 0, 0), NULL);
    uint32_t ids[6];
    for (int i = 0; i < 6; i++) {
        cm_body_desc body = {.velocity = cm_v((cm_real)i, 2, 3), .restitution = 1, .response = CM_RESPONSE_BOUNCE};
        body.response |= CM_RESPONSE_PUSH_APART;
        ids[i] = stand_add(&s, ball(0.4), cm_v((cm_real)(i % 3) * 2 - 2, (cm_real)(i / 3) * 2 - 1, 3), &body);
    }
    steps(&s, 1000, 1.0 / 60);
    size_t peak = mem.peak_bytes;
    for (int i = 0; i < samples(100, 1000); i++) {
        steps(&s, 1000, 1.0 / 60);
        for (int k = 0; k < 6; k++) {
            cm_vec3 at = state_of(&s, ids[k]).center;
            check_that(cm_vec3_is_valid(at) && at.z > CM_REAL(0.3) && cm_abs(at.x) < CM_REAL(3.7),
                       "step %d: ball %d at " REAL_FORMAT " " REAL_FORMAT " " REAL_FORMAT, 1000 * (i + 2), k,
                       (double)at.x, (double)at.y, (double)at.z);
        }
    }
    check_that(mem.peak_bytes <= peak * 2, "%zu bytes, then %zu", peak, mem.peak_bytes);
    stand_free(&s);
    assert_int_equal(mem.live_blocks, 0);
}

static void responses_have_names(void **state) {
    (void)state;
    uint32_t bit = 99;
    assert_true(cm_response_from_name("push_apart", &bit));
    assert_int_equal(bit, CM_RESPONSE_PUSH_APART);
    assert_string_equal(cm_response_name(CM_RESPONSE_VANISH), "vanish");
    assert_false(cm_response_from_name("jump", &bit));
    assert_null(cm_response_name(3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_fall),
        cmocka_unit_test(elastic_balls_on_a_line),
        cmocka_unit_test(a_break_keeps_momentum_and_energy),
        cmocka_unit_test(a_sliding_box_stops),
        cmocka_unit_test(what_strikes_a_row_moves_all_of_it),
        cmocka_unit_test(nothing_tunnels),
        cmocka_unit_test(what_has_halted_is_a_wall),
        cmocka_unit_test(what_is_made_fixed_halts),
        cmocka_unit_test(launched_balls_halt_and_vanish),
        cmocka_unit_test(overlaps_are_pushed_apart),
        cmocka_unit_test(bad_numbers_do_no_harm),
        cmocka_unit_test(threads_and_snapshots_change_no_byte),
        cmocka_unit_test(a_long_run_stays_sane),
        cmocka_unit_test(responses_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
