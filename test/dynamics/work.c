/* How much a step does, counted: what is swept, what is hit, how often contacts have their turn; and that impulses at
 * one point of many never give energy. */
#include "dynamics/dynamics.h"
#include "dynamics/set_up.h"

#include <math.h>

enum { STACK = 8, PILE = 60, ROUNDS = 16 };

static const cm_body_desc loose = {
    .mass = 1, .friction = CM_REAL(0.6), .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};

static void what_goes_the_same_way_is_not_swept_against_each_other(void **state) {
    (void)state;
    cm_world *world;
    cm_dynamics *bodies;
    const cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
    cm_body_desc body = loose;
    body.velocity = cm_v(40, 30, -20);
    set_up(NULL, &desc, &world, &bodies);
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

static size_t manifolds_of(const cm_world *world) {
    cm_world_event_view view;
    size_t count = 0;
    cm_world_get_events(world, &view);
    for (size_t i = 0; i < view.count; i++) count += (size_t)view.events[i].manifold_count;
    return count;
}

static void pile_make(cm_world **world, cm_dynamics **bodies, rng *r) {
    const cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
    set_up(NULL, &desc, world, bodies);
    put_object(*world, *bodies, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL, CM_WORLD_SWEEP_AUTO);
    for (int i = 0; i < PILE; i++) {
        const cm_vec3 at = rng_vec3(r, 0.8);
        const cm_shape shape = i % 3 == 0   ? ball(0.25)
                               : i % 3 == 1 ? cm_make_box(cm_v(CM_REAL(0.25), CM_REAL(0.2), CM_REAL(0.3)))
                                            : cm_make_cylinder(CM_REAL(0.25), CM_REAL(0.2));
        put_object(*world, *bodies, shape, cm_v(at.x, at.y, CM_REAL(0.4 + 0.2 * i)), &loose, CM_WORLD_SWEEP_AUTO);
    }
}

/* How many hits and sweeps a body may have in a step of a pile at rest. In double half of the piles go on trembling,
 * with up to .8 hits and 4 sweeps a body; in float they do next to nothing. */
#if defined(CAROM_F64)
#define REST_HITS   1
#define REST_SWEEPS 8
#else
#define REST_HITS   0.1
#define REST_SWEEPS 0.1
#endif

/* Of a contact no more than the rounds at both ends of a step; and a pile calms down. */
static void work_is_bounded_and_a_pile_calms_down(void **state) {
    (void)state;
    rng r = rng_start("pile at work", 1723);
    cm_world *world;
    cm_dynamics *bodies;
    pile_make(&world, &bodies, &r);
    size_t before = 0, most = 0, late_hits = 0, late_sweeps = 0;
    uint64_t turns = 0;
    for (int s = 0; s < 420; s++) {
        cm_world_stats stats;
        assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
        cm_world_get_stats(world, &stats);
        const size_t now = manifolds_of(world);
        const uint64_t here = bodies->relaxed - turns;
        check_that(here <= ROUNDS * (before + now), "step %d: %llu turns of %zu and %zu manifolds", s,
                   (unsigned long long)here, before, now);
        check_that(stats.hits <= CM_WORLD_HITS * (size_t)PILE, "step %d: %zu hits", s, stats.hits);
        turns = bodies->relaxed, before = now, most = stats.sweeps > most ? stats.sweeps : most;
        if (s >= 360) late_hits += stats.hits, late_sweeps += stats.sweeps;
    }
    check_that(most > PILE && turns > 0, "at most %zu sweeps", most); /* it was not at rest all the time */
    check_that((double)late_hits <= REST_HITS * 60 * PILE && (double)late_sweeps <= REST_SWEEPS * 60 * PILE,
               "at rest %zu hits, %zu sweeps in 60 steps", late_hits, late_sweeps);
    take_down(world, bodies);
}

/* The contacts that a step starts from are part of the state. */
static void a_pile_is_saved_and_goes_on(void **state) {
    (void)state;
    rng r = rng_start("saved pile", 1724);
    cm_world *world, *other;
    cm_dynamics *bodies, *others;
    pile_make(&world, &bodies, &r);
    for (int s = 0; s < 90; s++) assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
    const cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
    set_up(NULL, &desc, &other, &others);
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

/* --- impulses at one point of many -------------------------------------------------------------------------------- */

static double energy_of_rigid(const cm__rigid *m, double moment) {
    return (cm__point_dot(m->velocity, m->velocity) / m->inverse_mass + moment * cm__point_dot(m->spin, m->spin)) / 2;
}
static cm__point point_of(cm_vec3 v) { return cm__p((double)v.x, (double)v.y, (double)v.z); }

/* Round bodies of any mass and moment, up to nine points each with a normal between them, in any order, many times. */
static void no_point_of_many_gives_energy(void **state) {
    (void)state;
    rng r = rng_start("relax", 1725);
    const int count = samples(2000, 200000);
    int parted = 0;
    for (int i = 0; i < count; i++) {
        cm__rigid m[2];
        double moment[2], total = 0, gained[2] = {0, 0}, was[2], speed = 0;
        cm__impact impact = {.normal = cm__p(0, 0, 1), .friction = rng_range(&r, 0, 2)};
        cm__impact_point points[CM__IMPACT_POINTS];
        for (int k = 0; k < 2; k++) {
            m[k] = (cm__rigid){.center = cm__p(0, 0, k ? 0.5 : -0.5), .inverse_mass = rng_range(&r, 0.1, 4)};
            m[k].velocity = point_of(rng_vec3(&r, 2)), m[k].spin = point_of(rng_vec3(&r, 6));
            moment[k] = 0.1 / m[k].inverse_mass;
            m[k].inverse_inertia = (cm__tensor){{1 / moment[k], 0, 0}, {0, 1 / moment[k], 0}, {0, 0, 1 / moment[k]}};
            total += was[k] = energy_of_rigid(&m[k], moment[k]);
        }
        impact.count = 1 + (int)rng_below(&r, CM__IMPACT_POINTS);
        for (int k = 0; k < impact.count; k++) {
            impact.at[k] = point_of(rng_vec3(&r, 0.5));
            impact.at[k].z = 0;
        }
        for (int k = 0; k < impact.count; k++) cm__impact_prepare(&m[0], &m[1], &impact, k, true, &points[k]);
        for (int round = 0; round < 400; round++) {
            const int k = round % impact.count;
            double here[2] = {0, 0};
            cm__impact_relax(&m[0], &m[1], &impact, &points[k], true, &here[0], &here[1]);
            const double along =
                sqrt(points[k].along[0] * points[k].along[0] + points[k].along[1] * points[k].along[1]);
            check_that(here[0] + here[1] <= 1e-13 * total, "sample %d, round %d: %g more", i, round, here[0] + here[1]);
            check_that(points[k].pushed >= 0 && along <= impact.friction * points[k].pushed * (1 + 1e-9) + 1e-13,
                       "sample %d: friction %g at %g", i, along, points[k].pushed);
            gained[0] += here[0], gained[1] += here[1];
        }
        for (int k = 0; k < 2; k++) {
            const double now = energy_of_rigid(&m[k], moment[k]);
            check_that(fabs(now - was[k] - gained[k]) <= 1e-11 * total, "sample %d: %g told, %g gained", i, gained[k],
                       now - was[k]);
        }
        for (int k = 0; k < impact.count; k++) speed = fmax(speed, cm__approach(&m[0], &m[1], &impact));
        parted += speed <= 1e-3;
    }
    check_that(parted > count * 9 / 10, "%d of %d do not approach any more", parted, count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_the_same_way_is_not_swept_against_each_other),
        cmocka_unit_test(work_is_bounded_and_a_pile_calms_down),
        cmocka_unit_test(a_pile_is_saved_and_goes_on),
        cmocka_unit_test(no_point_of_many_gives_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
