/* What no caller should do to bodies, and some do; and whichever allocation fails. */
#include "set_up.h"
#include "support/solids.h"

#include <math.h>

typedef struct stage {
    cm_world *world;
    cm_dynamics *bodies;
    rng r;
    int asked, removed, vanished;
} stage;

static void stage_free(stage *s) { take_down(s->world, s->bodies); }
static uint32_t stage_add(stage *s, cm_shape shape, cm_vec3 at, const cm_body_desc *body) {
    return put_object(s->world, s->bodies, shape, at, body, CM_WORLD_SWEEP_AUTO);
}

/* Every number a caller can give, each bad value in turn: refused, and nothing has changed. */
static void bad_numbers_are_refused_everywhere(void **state) {
    (void)state;
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300, -1e300, 1e101, (double)CM_REAL_MAX};
    stage s = {0};
    assert_int_equal(cm_world_create(NULL, &s.world, NULL), CM_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cm_dynamics *none = NULL;
        cm_dynamics_desc desc = {.gravity = {0, (cm_real)bad[i], 0}};
        assert_int_equal(cm_dynamics_create(s.world, &desc, &none), CM_NOT_FINITE);
        assert_null(none);
    }
    cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
    assert_int_equal(cm_dynamics_create(s.world, &desc, &s.bodies), CM_OK);
    cm_body_desc good = {.velocity = {1, 2, 3}, .mass = 1, .response = CM_RESPONSE_BOUNCE};
    uint32_t id = stage_add(&s, ball(1), cm_v(0, 0, 50), &good);
    const uint64_t hash = cm_dynamics_hash(s.bodies);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const cm_real x = (cm_real)bad[i];
        for (int k = 0; k < 6; k++) {
            cm_body_desc body = good;
            cm_real *at[6] = {&body.velocity.x, &body.spin.z,   &body.mass,
                              &body.density,    &body.friction, &body.restitution};
            *at[k] = x;
            cm_status status = cm_dynamics_add(s.bodies, id, &body);
            assert_true(status == CM_NOT_FINITE || (status == CM_INVALID && k == 5));
            if (k == 0)
                assert_int_equal(cm_dynamics_set_velocity(s.bodies, id, body.velocity, good.spin), CM_NOT_FINITE);
            if (k == 1)
                assert_int_equal(cm_dynamics_set_velocity(s.bodies, id, good.velocity, body.spin), CM_NOT_FINITE);
        }
    }
    const double steps[] = {0, -0.0, -1, 1.1e6, 1e30, (double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        assert_int_equal(cm_dynamics_step(s.bodies, (cm_real)steps[i]), CM_INVALID);
    cm_body_desc body = good;
    body.restitution = CM_REAL(1.5);
    assert_int_equal(cm_dynamics_add(s.bodies, id, &body), CM_INVALID);
    body = good, body.kind = 32;
    assert_int_equal(cm_dynamics_add(s.bodies, id, &body), CM_INVALID);
    body = good, body.response = 32;
    assert_int_equal(cm_dynamics_add(s.bodies, id, &body), CM_INVALID);
    body = good, body.mass = -1;
    assert_int_equal(cm_dynamics_add(s.bodies, id, &body), CM_INVALID);
    assert_int_equal(cm_dynamics_set_response(s.bodies, 32, 0, 0), CM_INVALID);
    assert_int_equal(cm_dynamics_set_response(s.bodies, 0, 32, 0), CM_INVALID);
    assert_int_equal(cm_dynamics_set_response(s.bodies, 0, 0, 32), CM_INVALID);
    assert_true(cm_dynamics_hash(s.bodies) == hash);
    stage_free(&s);
}

/* As fast as the numbers go: each step is CM_OK or CM_NOT_FINITE with nothing changed, and every state is a number. */
static void the_fastest_bodies_stay_numbers(void **state) {
    (void)state;
    rng r = rng_start("fastest", 12);
    for (int run = 0; run < samples(200, 5000); run++) {
        stage s = {0};
        cm_dynamics_desc desc = {.gravity = rng_vec3(&r, run % 3 ? 10 : (double)CM_COORD_MAX / 4)};
        set_up(NULL, &desc, &s.world, &s.bodies);
        stage_add(&s, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL);
        uint32_t ids[4];
        for (int i = 0; i < 4; i++) {
            const double fast = rng_log_range(&r, 1, (double)CM_COORD_MAX);
            cm_body_desc body = {.velocity = rng_vec3(&r, fast), .spin = rng_vec3(&r, rng_log_range(&r, 1, fast))};
            body.mass = CM_REAL(rng_log_range(&r, 1e-6, 1e6));
            body.restitution = 1, body.friction = 1, body.response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART;
            ids[i] = stage_add(&s, i % 2 ? ball(1) : cm_make_box(cm_v(1, CM_REAL(0.5), 2)), rng_vec3(&r, 4), &body);
        }
        for (int n = 0; n < 20; n++) {
            const uint64_t before = cm_dynamics_hash(s.bodies);
            cm_status status = cm_dynamics_step(s.bodies, CM_REAL(rng_log_range(&r, 1e-6, n % 7 ? 0.1 : 1e6)));
            assert_true(status == CM_OK || status == CM_NOT_FINITE);
            if (status != CM_OK) assert_true(cm_dynamics_hash(s.bodies) == before);
            for (int i = 0; i < 4; i++) {
                cm_body_state b;
                cm_pose pose;
                assert_int_equal(cm_dynamics_get(s.bodies, ids[i], &b), CM_OK);
                assert_int_equal(cm_world_get_pose(s.world, ids[i], &pose), CM_OK);
                assert_true(cm_pose_is_valid(&pose));
                check_that(b.velocity.x == b.velocity.x && b.velocity.y == b.velocity.y && b.spin.x == b.spin.x &&
                               b.spin.z == b.spin.z,
                           "run %d, step %d, body %d: not a number", run, n, i);
            }
        }
        stage_free(&s);
    }
}

/* --- callbacks that change what they are told of ----------------------------------------------------------------- */

static void do_anything(void *user, cm_dynamics *bodies, const cm_world_hit *hit, uint32_t *response_a,
                        uint32_t *response_b) {
    stage *s = user;
    s->asked++;
    assert_ptr_equal(bodies, s->bodies);
    *response_a = rng_below(&s->r, 32), *response_b = rng_below(&s->r, 32);
    switch (rng_below(&s->r, 16)) {
    case 0:
        s->removed += cm_world_remove(s->world, hit->a) == CM_OK;
        break;
    case 1:
        s->removed += cm_world_remove(s->world, hit->b) == CM_OK;
        s->removed += cm_world_remove(s->world, hit->a) == CM_OK;
        break;
    case 2:
        cm_dynamics_remove(bodies, hit->b);
        break;
    case 3:
        cm_dynamics_set_velocity(bodies, hit->a, rng_vec3(&s->r, 50), rng_vec3(&s->r, 50));
        break;
    case 4:
        cm_world_set_filter(s->world, hit->a, 0, 0, 0);
        break;
    case 5:
        cm_world_set_trigger(s->world, hit->b, true);
        break;
    case 6: /* a body for what has none, or another one */
        cm_dynamics_add(bodies, hit->a, &(cm_body_desc){.mass = 2, .response = CM_RESPONSE_BOUNCE});
        break;
    case 7:
        cm_dynamics_set_response(bodies, rng_below(&s->r, 32), rng_below(&s->r, 32), rng_below(&s->r, 32));
        break;
    case 8:
        assert_int_equal(cm_dynamics_set_velocity(bodies, hit->b, cm_v((cm_real)NAN, 0, 0), cm_v(0, 0, 0)) == CM_OK, 0);
        break;
    default:
        break;
    }
}

static void callbacks_may_do_what_they_like(void **state) {
    (void)state;
    stage s = {.r = rng_start("respond", 13)};
    cm_dynamics_desc desc = {.gravity = {0, 0, -10}, .respond = do_anything, .user = &s};
    set_up(NULL, &desc, &s.world, &s.bodies);
    stage_add(&s, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL);
    const int count = samples(3000, 100000);
    for (int n = 0; n < count; n++) {
        for (uint32_t have = cm_world_count(s.world); have < 40; have++) {
            cm_body_desc body = {
                .velocity = rng_vec3(&s.r, 20), .spin = rng_vec3(&s.r, 5), .kind = rng_below(&s.r, 32)};
            body.response = rng_below(&s.r, 32), body.restitution = CM_REAL(rng_unit(&s.r));
            body.friction = CM_REAL(rng_unit(&s.r)), body.mass = 1, body.driven = rng_below(&s.r, 8) == 0;
            cm_vec3 at = cm_add(rng_vec3(&s.r, 5), cm_v(0, 0, 6));
            stage_add(&s, rng_below(&s.r, 2) ? ball(0.5) : cm_make_box(cm_v(1, CM_REAL(0.4), CM_REAL(0.3))), at, &body);
        }
        if (n % 4 == 0) { /* some are lost far out, some meet nobody any more */
            uint32_t ids[64], have = cm_world_get_ids(s.world, ids, 64);
            for (uint32_t i = 0; i < have && i < 64; i++) {
                cm_pose pose;
                assert_int_equal(cm_world_get_pose(s.world, ids[i], &pose), CM_OK);
                if (cm_largest(pose.position) > 12 || rng_below(&s.r, 40) == 0)
                    assert_int_equal(cm_world_remove(s.world, ids[i]), CM_OK);
            }
        }
        assert_int_equal(cm_dynamics_step(s.bodies, CM_REAL(1.0 / 60)), CM_OK);
    }
    check_that(15 * s.asked > 4 * count && 40 * s.removed > count, "asked %d times, %d removed", s.asked, s.removed);
    stage_free(&s);
}

/* Told to vanish in its own callback, where the callback has removed it already, or the other, or both. */
static void vanish_in_own(void *user, cm_dynamics *bodies, const cm_world_hit *hit, uint32_t *response_a,
                          uint32_t *response_b) {
    stage *s = user;
    (void)bodies;
    s->asked++;
    if (s->removed & 1) cm_world_remove(s->world, hit->a);
    if (s->removed & 2) cm_world_remove(s->world, hit->b);
    if (s->vanished & 1) *response_a = CM_RESPONSE_VANISH | CM_RESPONSE_BOUNCE | CM_RESPONSE_HALT;
    if (s->vanished & 2) *response_b = CM_RESPONSE_VANISH | CM_RESPONSE_PUSH_APART;
}

static void what_vanishes_in_its_own_callback_is_gone_once(void **state) {
    (void)state;
    for (int way = 0; way < 32; way++) {
        stage s = {.removed = way & 3, .vanished = way >> 2 & 3};
        const bool slow = way & 16; /* answered at the end of the step, not at a time of impact */
        cm_dynamics_desc desc = {.respond = vanish_in_own, .user = &s};
        set_up(NULL, &desc, &s.world, &s.bodies);
        cm_body_desc body = {.velocity = {slow ? 1 : 100, 0, 0}, .mass = 1, .response = CM_RESPONSE_BOUNCE};
        uint32_t a = stage_add(&s, ball(0.5), cm_v(slow ? CM_REAL(-0.99) : -5, 0, 0), &body);
        body.velocity = cm_v(0, 0, 0);
        uint32_t b = stage_add(&s, ball(0.5), cm_v(0, 0, 0), &body);
        assert_int_equal(cm_dynamics_step(s.bodies, CM_REAL(0.1)), CM_OK);
        assert_true(s.asked >= 1);
        const int gone = (way & 3) | (way >> 2 & 3);
        cm_body_state got;
        assert_int_equal(cm_dynamics_get(s.bodies, a, &got), gone & 1 ? CM_STALE_ID : CM_OK);
        assert_int_equal(cm_dynamics_get(s.bodies, b, &got), gone & 2 ? CM_STALE_ID : CM_OK);
        assert_int_equal(cm_world_count(s.world), 2 - (gone & 1) - (gone >> 1));
        for (int n = 0; n < 3; n++) assert_int_equal(cm_dynamics_step(s.bodies, CM_REAL(0.1)), CM_OK);
        stage_free(&s);
    }
}

/* Steps and restores everything from within, where its events are in hand. */
static void step_within(void *user, cm_dynamics *bodies, const cm_world_hit *hit, uint32_t *response_a,
                        uint32_t *response_b) {
    static unsigned char bytes[8192];
    stage *s = user;
    (void)hit, (void)response_a, (void)response_b;
    s->asked++;
    size_t size = cm_dynamics_save(bodies, NULL, bytes, sizeof bytes);
    assert_true(size > 0 && size <= sizeof bytes);
    const uint64_t before = cm_dynamics_hash(bodies);
    assert_int_equal(cm_dynamics_step(bodies, CM_REAL(0.1)), CM_INVALID);
    assert_int_equal(cm_dynamics_restore(bodies, NULL, bytes, size), CM_INVALID);
    assert_int_equal(cm_world_update(s->world, NULL), CM_INVALID);
    size = cm_world_save(s->world, NULL, bytes, sizeof bytes);
    assert_int_equal(cm_world_restore(s->world, NULL, bytes, size), CM_INVALID);
    cm_world_destroy(s->world);
    assert_true(cm_dynamics_hash(bodies) == before);
}

static void a_callback_steps_and_restores_nothing(void **state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        stage s = {.asked = 0};
        const bool slow = way == 1; /* answered at the end of the step, not at a time of impact */
        cm_dynamics_desc desc = {.gravity = {0, 0, -10}, .respond = step_within, .user = &s};
        set_up(NULL, &desc, &s.world, &s.bodies);
        stage_add(&s, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL);
        for (int i = 0; i < 8; i++) {
            cm_body_desc body = {.velocity = {0, 0, slow ? -1 : -100}, .mass = 1, .response = CM_RESPONSE_BOUNCE};
            stage_add(&s, cm_make_box(cm_v(1, 1, 1)), cm_v(CM_REAL(3 * i), 0, slow ? CM_REAL(1.01) : 5), &body);
        }
        for (int n = 0; n < 6; n++) assert_int_equal(cm_dynamics_step(s.bodies, CM_REAL(0.1)), CM_OK);
        assert_true(s.asked >= 8);
        stage_free(&s);
    }
}

static void no_dynamics_has_no_bodies(void **state) {
    (void)state;
    const cm_vec3 v = cm_v(1, 0, 0);
    cm_body_state got;
    assert_int_equal(cm_dynamics_get(NULL, 1, &got), CM_STALE_ID);
    assert_int_equal(cm_dynamics_remove(NULL, 1), CM_STALE_ID);
    assert_int_equal(cm_dynamics_set_velocity(NULL, 1, v, v), CM_STALE_ID);
    assert_int_equal(cm_dynamics_set_response(NULL, 0, 0, 0), CM_INVALID);
    assert_true(cm_dynamics_hash(NULL) == cm_world_hash(NULL));
    cm_world_event_view events;
    cm_world_stats stats;
    cm_world_get_events(NULL, &events), cm_world_get_stats(NULL, &stats);
    assert_true(events.count == 0 && stats.objects == 0);
}

static void stale_and_foreign_ids_have_no_body(void **state) {
    (void)state;
    stage s = {0}, other = {0};
    set_up(NULL, NULL, &s.world, &s.bodies);
    set_up(NULL, NULL, &other.world, &other.bodies);
    cm_body_desc body = {.mass = 1};
    uint32_t here = stage_add(&s, ball(1), cm_v(0, 0, 0), &body);
    for (int i = 0; i < 3; i++) stage_add(&other, ball(1), cm_v((cm_real)(3 * i), 0, 0), &body);
    uint32_t there = stage_add(&other, ball(1), cm_v(9, 0, 0), &body);
    const uint32_t bad[] = {there, 0, CM_NONE, here ^ 0x1000000u, here + 1};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cm_body_state got;
        assert_int_equal(cm_dynamics_get(s.bodies, bad[i], &got), CM_STALE_ID);
        assert_int_equal(cm_dynamics_add(s.bodies, bad[i], &body), CM_STALE_ID);
        assert_int_equal(cm_dynamics_remove(s.bodies, bad[i]), CM_STALE_ID);
        assert_int_equal(cm_dynamics_set_velocity(s.bodies, bad[i], body.velocity, body.spin), CM_STALE_ID);
    }
    /* a body of an object whose slot another took is not the other's */
    assert_int_equal(cm_world_remove(s.world, here), CM_OK);
    assert_int_equal(cm_world_update(s.world, NULL), CM_OK);
    uint32_t next = stage_add(&s, ball(1), cm_v(0, 0, 0), &body);
    cm_body_state got;
    assert_true((next & 0xffffff) == (here & 0xffffff) && next != here);
    assert_int_equal(cm_dynamics_get(s.bodies, here, &got), CM_STALE_ID);
    assert_int_equal(cm_dynamics_remove(s.bodies, next), CM_OK);
    assert_int_equal(cm_dynamics_step(s.bodies, 1), CM_OK);
    stage_free(&s);
    stage_free(&other);
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* A fall by a force as large as gravity, turning by a torque of 0.1 (its inertia: 2/5 0.5^2 = 0.1), for one step. */
static void push_the_free_one(stage *s, uint32_t id) {
    assert_int_equal(cm_dynamics_apply_force(s->bodies, id, cm_v(0, 0, -10)), CM_OK);
    assert_int_equal(cm_dynamics_apply_torque(s->bodies, id, cm_v(0, 0, CM_REAL(0.1))), CM_OK);
}

/* A free fall beside some that meet, every allocation failed once; false: memory never ran out. */
static bool fall_and_meet(size_t fail) {
    counting_allocator c;
    counting_allocator_start(&c, fail);
    stage s = {0};
    cm_world_desc world = {.mem = &c.mem};
    cm_dynamics_desc desc = {.mem = &c.mem, .gravity = {0, 0, -10}};
    if (cm_world_create(&world, &s.world, NULL) != CM_OK) return true;
    while (cm_dynamics_create(s.world, &desc, &s.bodies) != CM_OK) {
    }
    uint32_t ids[18];
    for (int i = 0; i < 18; i++) {
        cm_body_desc body = {.mass = 1, .restitution = CM_REAL(0.5), .response = CM_RESPONSE_BOUNCE};
        cm_world_object_desc object = {.shape = ball(0.5), .pose.position = {(cm_real)(i % 6), (cm_real)(i / 6), 1}};
        if (i) body.velocity = cm_v((cm_real)(i % 3 * 20 - 20), 1, 0);
        if (i == 0) object.pose.position = cm_v(0, 0, 10000), body.weightless = true; /* free */
        while (cm_world_add(s.world, &object, &ids[i], NULL) != CM_OK) {
        }
        uint64_t hash = cm_dynamics_hash(s.bodies);
        while (cm_dynamics_add(s.bodies, ids[i], &body) != CM_OK) assert_true(cm_dynamics_hash(s.bodies) == hash);
    }
    void *bytes = NULL;
    size_t size = 0;
    for (int n = 0; n < 16; n++) {
        cm_status status;
        push_the_free_one(&s, ids[0]);
        for (int more = 0; (status = cm_dynamics_step(s.bodies, CM_REAL(1.0 / 16))) != CM_OK; more++) {
            assert_int_equal(status, CM_NO_MEMORY);
            cm_body_state b;
            assert_int_equal(cm_dynamics_get(s.bodies, ids[0], &b), CM_OK);
            /* either it has not moved and has the old velocity, or it has moved and has the new */
            const double t = sqrt(2 * (10000 - (double)b.center.z) / 10);
            check_that(fabs((double)b.velocity.z + 10 * t) < 0.02, "at %g with %g, fail %zu", (double)b.center.z,
                       (double)b.velocity.z, fail);
            check_that(fabs((double)b.spin.z - t) < 0.02, "turning by %g at %g", (double)b.spin.z, t);
            if (t * 16 > n + 0.5) n++, push_the_free_one(&s, ids[0]); /* it has */
        }
        if (n == 7) {
            size = cm_dynamics_save(s.bodies, NULL, NULL, 0);
            bytes = malloc(size);
            assert_int_equal(cm_dynamics_save(s.bodies, NULL, bytes, size), size);
        }
    }
    cm_body_state b;
    assert_int_equal(cm_dynamics_get(s.bodies, ids[0], &b), CM_OK);
    check_that(b.velocity.z <= -10 && b.velocity.z > -12, "%g after a second, fail %zu", (double)b.velocity.z, fail);
    check_that(b.spin.z >= CM_REAL(0.999) && b.spin.z < CM_REAL(1.2), "spin %g after a second", (double)b.spin.z);
    if (bytes) {
        uint64_t hash = cm_dynamics_hash(s.bodies);
        cm_status status;
        while ((status = cm_dynamics_restore(s.bodies, NULL, bytes, size)) != CM_OK) {
            assert_int_equal(status, CM_NO_MEMORY);
            assert_true(cm_dynamics_hash(s.bodies) == hash);
        }
    }
    free(bytes);
    stage_free(&s);
    assert_int_equal(c.live_blocks, 0);
    return c.calls >= fail;
}

static void any_failed_allocation_leaves_bodies_unharmed(void **state) {
    (void)state;
    size_t fail = 1;
    while (fall_and_meet(fail)) fail++;
    print_message("%zu allocations, each failed once\n", fail - 1);
    check_that(fail > 40, "only %zu", fail);
}

/* A box lands on more triangles of a mesh than there is room for manifolds at first, one allocation fails: it may be
 * answered at some of its points only, and stands afterwards all the same. False: memory never ran out. */
static bool land_on_a_mesh(size_t fail, const cm_mesh *ground) {
    counting_allocator c;
    counting_allocator_start(&c, fail);
    stage s = {0};
    cm_world_desc world = {.mem = &c.mem};
    cm_dynamics_desc desc = {.mem = &c.mem, .gravity = {0, 0, -10}};
    if (cm_world_create(&world, &s.world, NULL) != CM_OK) return true;
    while (cm_dynamics_create(s.world, &desc, &s.bodies) != CM_OK) {
    }
    const cm_body_desc body = {.mass = 1, .friction = CM_REAL(0.5), .response = CM_RESPONSE_BOUNCE};
    const cm_world_object_desc under = {.shape = cm_make_mesh(ground), .fixed = true};
    const cm_world_object_desc object = {
        .shape = cm_make_box(cm_v(1, 1, 1)), .pose.position = {0, 0, CM_REAL(1.25)}, .sweep = CM_WORLD_SWEEP_ALWAYS};
    uint32_t id;
    while (cm_world_add(s.world, &under, &id, NULL) != CM_OK) {
    }
    while (cm_world_add(s.world, &object, &id, NULL) != CM_OK) {
    }
    while (cm_dynamics_add(s.bodies, id, &body) != CM_OK) {
    }
    const size_t before = c.calls;
    int failed = 0;
    for (int n = 0; n < 10; n++) {
        const cm_status status = cm_dynamics_step(s.bodies, CM_REAL(1.0 / 16));
        failed += status != CM_OK;
        check_that(status == CM_OK || status == CM_NO_MEMORY, "status %d, fail %zu", (int)status, fail);
    }
    const cm_body_state b = body_state(s.bodies, id);
    const bool stands = fabs((double)b.center.z - 1) < 0.02 && fabs((double)b.center.x) < 0.02;
    check_that(stands && (double)cm_length(b.velocity) < 0.02, "at %g %g, speed %g, fail %zu", (double)b.center.x,
               (double)b.center.z, (double)cm_length(b.velocity), fail);
    const bool within = fail > before && fail <= c.calls;
    check_that(failed == within, "%d steps failed, allocation %zu of %zu to %zu", failed, fail, before + 1, c.calls);
    stage_free(&s);
    assert_int_equal(c.live_blocks, 0);
    return c.calls >= fail;
}

static void any_failed_allocation_lets_what_lands_stand(void **state) {
    (void)state;
    cm_mesh *ground = surface_sheet(4, 4, 16);
    size_t fail = 1;
    while (land_on_a_mesh(fail, ground)) fail++;
    cm_mesh_destroy(ground, NULL);
    check_that(fail > 10, "only %zu", fail);
}

/* --- steps that fail ---------------------------------------------------------------------------------------------- */

/* What was made fixed halts with a step, not with one that was refused. */
static void a_refused_step_halts_nothing(void **state) {
    (void)state;
    stage s = {0};
    set_up(NULL, NULL, &s.world, &s.bodies);
    const cm_body_desc slow = {.mass = 1, .velocity = {1, 0, 0}, .spin = {0, 0, 2}};
    const cm_body_desc far = {.mass = 1, .velocity = {CM_COORD_MAX, 0, 0}};
    const uint32_t id = stage_add(&s, ball(1), cm_v(0, 0, 0), &slow);
    const uint32_t other = stage_add(&s, ball(1), cm_v(9, 0, 0), &far);
    assert_int_equal(cm_world_set_fixed(s.world, id, true), CM_OK);
    const uint64_t hash = cm_dynamics_hash(s.bodies);
    assert_int_equal(cm_dynamics_step(s.bodies, 100), CM_NOT_FINITE);
    cm_body_state b = body_state(s.bodies, id);
    check_that(!b.halted && b.velocity.x == 1 && b.spin.z == 2, "halted %d at %g", b.halted, (double)b.velocity.x);
    assert_true(cm_dynamics_hash(s.bodies) == hash);
    assert_int_equal(cm_world_set_fixed(s.world, id, false), CM_OK);
    assert_int_equal(cm_world_remove(s.world, other), CM_OK);
    assert_int_equal(cm_dynamics_step(s.bodies, 1), CM_OK);
    b = body_state(s.bodies, id);
    check_that(!b.halted && fabs((double)b.center.x - 1) < 1e-6, "it is at %g", (double)b.center.x);
    stage_free(&s);
}

/* One that was made fixed, one that halted and has a torque, and where `moving` a third one. Every allocation of a step
 * fails once: where nothing moved, bodies are as they were, the torque included. False: memory never ran out. */
static bool stand_and_wait(size_t fail, bool moving) {
    counting_allocator c;
    counting_allocator_start(&c, 0);
    stage s = {0};
    const cm_world_desc world = {.mem = &c.mem};
    const cm_dynamics_desc desc = {.mem = &c.mem};
    set_up(&world, &desc, &s.world, &s.bodies);
    const cm_body_desc body = {.mass = 1, .velocity = {1, 0, 0}};
    const cm_world_object_desc wall = {.shape = ball(1), .pose.position = {9, 0, 0}, .fixed = true};
    uint32_t id, ids[3];
    for (int i = 0; i < 2; i++) ids[i] = stage_add(&s, ball(1), cm_v(0, (cm_real)(5 * i), 0), &body);
    assert_int_equal(cm_world_add(s.world, &wall, &id, NULL), CM_OK);
    assert_int_equal(cm_world_set_fixed(s.world, ids[1], true), CM_OK);
    cm_world_set_fixed(s.world, ids[0], true);
    assert_int_equal(cm_dynamics_step(s.bodies, CM_REAL(0.125)), CM_OK); /* both halt */
    cm_world_set_fixed(s.world, ids[0], false), cm_world_set_fixed(s.world, ids[1], false);
    cm_dynamics_set_velocity(s.bodies, ids[0], cm_v(1, 0, 0), cm_v(0, 0, 0));
    cm_world_set_fixed(s.world, ids[0], true);
    cm_dynamics_apply_torque(s.bodies, ids[1], cm_v(0, 0, 1));
    if (moving) ids[2] = stage_add(&s, ball(1), cm_v(0, 50, 0), &body);
    for (int i = 0; i < 40; i++) { /* objects that are new and near: room for their pairs is wanted */
        const cm_world_object_desc near = {.shape = ball(1), .pose.position = {CM_REAL(0.5) * (cm_real)i, -50, 0}};
        assert_int_equal(cm_world_add(s.world, &near, &id, NULL), CM_OK);
    }
    c.fail_at = c.calls + fail;
    const cm_status status = cm_dynamics_step(s.bodies, CM_REAL(0.125));
    const bool ran_out = c.calls >= c.fail_at;
    c.fail_at = 0;
    assert_int_equal(status, ran_out ? CM_NO_MEMORY : CM_OK);
    cm_world_event_view events; /* of the new ones, where it was the answers that there was no room for */
    cm_world_get_events(s.world, &events);
    if (ran_out && !events.count && (!moving || body_state(s.bodies, ids[2]).center.x == 0)) {
        const cm_body_state b = body_state(s.bodies, ids[0]);
        check_that(!b.halted && b.velocity.x == 1, "allocation %zu: halted %d at %g", fail, b.halted,
                   (double)b.velocity.x);
        cm_motion motion;
        assert_int_equal(cm_world_get_motion(s.world, moving ? ids[2] : ids[0], &motion), CM_OK);
        assert_true(motion.move.x == 0);
        cm_dynamics_set_velocity(s.bodies, ids[1], cm_v(0, 0, 0), cm_v(0, 0, 0));
        assert_int_equal(cm_dynamics_step(s.bodies, CM_REAL(0.125)), CM_OK);
        const double spin = (double)body_state(s.bodies, ids[1]).spin.z; /* 0.4 is the ball's inertia */
        check_that(fabs(spin - 0.125 / 0.4) < 1e-5, "allocation %zu: spin %g", fail, spin);
    }
    stage_free(&s);
    assert_int_equal(c.live_blocks, 0);
    return ran_out;
}

static void a_step_without_memory_keeps_what_stands(void **state) {
    (void)state;
    for (int moving = 0; moving < 2; moving++) {
        size_t fail = 1;
        while (stand_and_wait(fail, moving)) fail++;
        check_that(fail > 3, "only %zu", fail);
    }
}

/* Kinetic and potential energy under a gravity of 10 along -z. */
static double energy_of(const cm_dynamics *bodies, const uint32_t *ids, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const cm_body_state b = body_state(bodies, ids[i]);
        sum += (double)b.energy + 10 * (double)b.mass * (double)b.center.z;
    }
    return sum;
}

/* Balls fall onto others, with too few sweeps for all hits of a step: what is held at the time they run out falls no
 * longer, and does not get faster. */
static void what_is_held_for_want_of_sweeps_gains_no_energy(void **state) {
    (void)state;
    enum { BALLS = 27 };
    int limits = 0;
    for (uint32_t limit = 50; limit < 400; limit += 25) {
        stage s = {0};
        rng r = {limit};
        const cm_world_desc world = {.sweep_limit = limit};
        const cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
        const cm_body_desc body = {.mass = 1, .response = CM_RESPONSE_BOUNCE, .restitution = CM_REAL(0.5)};
        uint32_t ids[BALLS];
        set_up(&world, &desc, &s.world, &s.bodies);
        put_object(s.world, s.bodies, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL, CM_WORLD_SWEEP_AUTO);
        for (int i = 0; i < BALLS; i++) {
            const cm_vec3 at = cm_v(CM_REAL(1.1) * (cm_real)(i % 3), CM_REAL(1.1) * (cm_real)(i / 3 % 3),
                                    CM_REAL(0.6) + CM_REAL(1.1) * (cm_real)(i / 9));
            ids[i] =
                put_object(s.world, s.bodies, ball(0.5), cm_add(at, rng_vec3(&r, 0.04)), &body, CM_WORLD_SWEEP_ALWAYS);
        }
        const double first = energy_of(s.bodies, ids, BALLS);
        for (int n = 0; n < 60; n++) {
            const cm_status status = cm_dynamics_step(s.bodies, CM_REAL(1.0 / 60));
            assert_true(status == CM_OK || status == CM_LIMIT);
            limits += status == CM_LIMIT;
            const double energy = energy_of(s.bodies, ids, BALLS);
            check_that(energy <= first * (1 + 1e-5), "limit %u, step %d: %g, not %g", limit, n, energy, first);
        }
        stage_free(&s);
    }
    check_that(limits > 10, "only %d limits", limits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_numbers_are_refused_everywhere),
        cmocka_unit_test(the_fastest_bodies_stay_numbers),
        cmocka_unit_test(callbacks_may_do_what_they_like),
        cmocka_unit_test(what_vanishes_in_its_own_callback_is_gone_once),
        cmocka_unit_test(stale_and_foreign_ids_have_no_body),
        cmocka_unit_test(any_failed_allocation_leaves_bodies_unharmed),
        cmocka_unit_test(any_failed_allocation_lets_what_lands_stand),
        cmocka_unit_test(a_refused_step_halts_nothing),
        cmocka_unit_test(a_step_without_memory_keeps_what_stands),
        cmocka_unit_test(what_is_held_for_want_of_sweeps_gains_no_energy),
        cmocka_unit_test(a_callback_steps_and_restores_nothing),
        cmocka_unit_test(no_dynamics_has_no_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
