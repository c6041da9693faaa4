/* How much a step does, counted; and that a crowd which falls on itself comes down. */
#include "dynamics/set_up.h"

#include <math.h>

enum { STACK = 8, PILE = 60 };

static const cm_body_desc loose = {
    .mass = 1, .friction = CM_REAL(0.6), .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};
static const cm_dynamics_desc falling = {.gravity = {0, 0, -10}};

static void what_goes_the_same_way_is_not_swept_against_each_other(void **state) {
    (void)state;
    cm_world *world;
    cm_dynamics *bodies;
    cm_body_desc body = loose;
    body.velocity = cm_v(40, 30, -20);
    set_up(NULL, &falling, &world, &bodies);
    for (int i = 0; i < STACK; i++) /* a stack that touches, and falls */
        put_object(world, bodies, cm_make_box(cm_v(CM_REAL(0.25), CM_REAL(0.25), CM_REAL(0.25))),
                   cm_v(0, 0, CM_REAL(0.25 + 0.5 * i)), &body, CM_WORLD_SWEEP_AUTO);
    for (int s = 0; s < 30; s++) {
        cm_world_stats stats;
        assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
        cm_world_get_stats(world, &stats);
        check_that(stats.swept == STACK && stats.pairs >= STACK - 1, "%u are fast, %zu pairs", stats.swept,
                   stats.pairs);
        check_that(stats.sweeps == 0, "step %d: %zu sweeps", s, stats.sweeps);
    }
    take_down(world, bodies);
}

/* Two plates of thickness .1 that fly side by side, and one toward the other: they overlap by a quarter of it at most,
 * as if they had been slow, or meet where they should. */
static void what_flies_together_comes_no_deeper_than_what_is_slow(void **state) {
    (void)state;
    rng r = rng_start("flies together", 1726);
    const int count = samples(300, 30000);
    const double thick = 0.1;
    int passed_over = 0, swept = 0;
    for (int i = 0; i < count; i++) {
        const cm_shape plate = cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.5), CM_REAL(0.05)));
        const cm_vec3 both = rng_vec3(&r, 3);
        cm_world *world;
        uint32_t ids[2];
        cm_pose pose[2];
        cm_world_stats stats;
        const double gap = rng_range(&r, 0, 0.02), speed = rng_range(&r, 0, 0.1);
        assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
        for (int k = 0; k < 2; k++) {
            cm_world_object_desc desc = {.shape = plate, .pose = cm_pose_identity()};
            desc.pose.position.z = k ? CM_REAL(thick + gap + 1e-4) : 0;
            assert_int_equal(cm_world_add(world, &desc, &ids[k], NULL), CM_OK);
            cm_motion motion = {.start = desc.pose, .move = both};
            motion.move.z -= k ? (cm_real)speed : 0;
            assert_int_equal(cm_world_set_motion(world, ids[k], &motion), CM_OK);
        }
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        cm_world_get_stats(world, &stats);
        for (int k = 0; k < 2; k++) assert_int_equal(cm_world_get_pose(world, ids[k], &pose[k]), CM_OK);
        const double deep = thick - (double)(pose[1].position.z - pose[0].position.z);
        check_that(deep <= thick / 4, "sample %d: %g toward it from %g, %g deep", i, speed, gap, deep);
        check_that(stats.sweeps == (speed > thick / 4 + 1e-5) || fabs(speed - thick / 4) < 1e-5,
                   "sample %d: %zu sweeps at %g", i, stats.sweeps, speed);
        swept += stats.sweeps > 0, passed_over += stats.sweeps == 0;
        cm_world_destroy(world);
    }
    check_that(swept > count / 4 && passed_over > count / 8, "%d swept, %d not", swept, passed_over);
}

static void pile_make(cm_world **world, cm_dynamics **bodies, rng *r, uint32_t ids[PILE]) {
    set_up(NULL, &falling, world, bodies);
    put_object(*world, *bodies, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL, CM_WORLD_SWEEP_AUTO);
    for (int i = 0; i < PILE; i++) {
        const cm_vec3 at = rng_vec3(r, 0.6);
        const cm_shape shape = i % 3 == 0   ? ball(0.25)
                               : i % 3 == 1 ? cm_make_box(cm_v(CM_REAL(0.25), CM_REAL(0.2), CM_REAL(0.3)))
                                            : cm_make_cylinder(CM_REAL(0.25), CM_REAL(0.2));
        ids[i] =
            put_object(*world, *bodies, shape, cm_v(at.x, at.y, CM_REAL(1 + 0.3 * i)), &loose, CM_WORLD_SWEEP_AUTO);
    }
}

/* Kinetic and potential. */
static double pile_energy(const cm_dynamics *bodies, const uint32_t ids[PILE]) {
    double sum = 0;
    for (int i = 0; i < PILE; i++) {
        const cm_body_state b = body_state(bodies, ids[i]);
        sum += (double)b.energy + 10 * (double)b.center.z;
    }
    return sum;
}

/* Bodies that hit so often in a step that they are held do not hang in the air over others that are: 60 bodies fall
 * from 19 m into a column of 1.2 m, and after five seconds have less than a tenth of their energy; none stands still
 * though it has a speed, for longer than a second. */
static void a_crowd_that_falls_on_itself_comes_down(void **state) {
    (void)state;
    const int piles = few_samples(2, 40);
    for (int pile = 0; pile < piles; pile++) {
        rng r = rng_start("crowd", 1723 + (uint64_t)pile);
        cm_world *world;
        cm_dynamics *bodies;
        uint32_t ids[PILE];
        int hangs[PILE] = {0}, longest = 0;
        size_t hits = 0;
        pile_make(&world, &bodies, &r, ids);
        const double start = pile_energy(bodies, ids);
        for (int s = 0; s < 300; s++) {
            cm_world_stats stats;
            cm_vec3 before[PILE];
            for (int i = 0; i < PILE; i++) before[i] = body_state(bodies, ids[i]).center;
            assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
            cm_world_get_stats(world, &stats);
            hits += stats.hits;
            for (int i = 0; i < PILE; i++) {
                const cm_body_state b = body_state(bodies, ids[i]);
                const bool still = (double)cm_length(cm_sub(b.center, before[i])) < 1e-4;
                hangs[i] = still && (double)cm_length(b.velocity) > 0.2 ? hangs[i] + 1 : 0;
                longest = hangs[i] > longest ? hangs[i] : longest;
            }
        }
        const double end = pile_energy(bodies, ids);
        check_that(end < 0.1 * start, "pile %d: %g of %g after five seconds", pile, end, start);
        check_that(longest <= 60, "pile %d: a body hung for %d steps", pile, longest);
        check_that(hits > PILE && hits < 300 * PILE, "pile %d: %zu hits", pile, hits);
        take_down(world, bodies);
    }
}

/* That bodies were held is part of the state. */
static void a_pile_is_saved_and_goes_on(void **state) {
    (void)state;
    rng r = rng_start("saved pile", 1724);
    cm_world *world, *other;
    cm_dynamics *bodies, *others;
    uint32_t ids[PILE];
    pile_make(&world, &bodies, &r, ids);
    for (int s = 0; s < 90; s++) assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
    set_up(NULL, &falling, &other, &others);
    const size_t size = cm_dynamics_save(bodies, NULL, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(cm_dynamics_save(bodies, NULL, bytes, size), size);
    assert_int_equal(cm_dynamics_restore(others, NULL, bytes, size), CM_OK);
    free(bytes);
    for (int s = 0; s < 30; s++) {
        assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
        assert_int_equal(cm_dynamics_step(others, CM_REAL(1.0 / 60)), CM_OK);
        check_that(cm_dynamics_hash(bodies) == cm_dynamics_hash(others), "step %d differs", s);
    }
    take_down(world, bodies), take_down(other, others);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_the_same_way_is_not_swept_against_each_other),
        cmocka_unit_test(what_flies_together_comes_no_deeper_than_what_is_slow),
        cmocka_unit_test(a_crowd_that_falls_on_itself_comes_down),
        cmocka_unit_test(a_pile_is_saved_and_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
