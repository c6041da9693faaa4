/* Heaps of every convex shape and a compound: bodies that turn by several radians in a step are not thrown out, and
 * what hits is answered, so that nothing hangs in the air. */
#include "dynamics/bodies.h"

#include <math.h>

enum { HEAP = 100, CROWD = 60, MOST_HANGING = 1 };

static const cm_body_desc heaped = {
    .mass = 1, .friction = CM_REAL(0.6), .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};

/* How far the highest places of 100 bodies lie over where they began, on average: they fall 1 to 5 m in layers of 16,
 * and turn with 50 to 200 radians a second, by 1 to 3 in a step. */
static double heap_rise(uint64_t seed, double a_second, double *fastest) {
    rng r = rng_start("spinners", seed);
    body_kit kit;
    cm_world *world;
    cm_dynamics *bodies;
    const cm_dynamics_desc falling = {.gravity = {0, 0, -10}};
    uint32_t ids[HEAP];
    double from[HEAP], high[HEAP], sum = 0, start = 0;
    kit_make(&kit, &r);
    set_up(NULL, &falling, &world, &bodies);
    put_object(world, bodies, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL, CM_WORLD_SWEEP_AUTO);
    for (int i = 0; i < HEAP; i++) {
        cm_body_desc body = heaped;
        body.spin = cm_scale(rng_direction(&r), (cm_real)rng_range(&r, 50, 200));
        from[i] = high[i] = 0.6 + 0.8 * (i / 16);
        const cm_vec3 at = {CM_REAL(0.7 * (i % 4) + rng_range(&r, 0, 0.1)),
                            CM_REAL(0.7 * (i / 4 % 4) + rng_range(&r, 0, 0.1)), (cm_real)from[i]};
        ids[i] = put_object(world, bodies, body_of_kind(&kit, (uint32_t)i % (SOLID_BODIES - 1)), at, &body,
                            CM_WORLD_SWEEP_AUTO);
    }
    for (int i = 0; i < HEAP; i++) {
        const cm_body_state b = body_state(bodies, ids[i]);
        start += (double)b.energy + 10 * (double)b.center.z;
    }
    for (int s = 0; s < (int)(1.5 * a_second); s++) {
        double energy = 0;
        assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / a_second)), CM_OK);
        for (int i = 0; i < HEAP; i++) {
            const cm_body_state b = body_state(bodies, ids[i]);
            high[i] = fmax(high[i], (double)b.center.z);
            *fastest = fmax(*fastest, (double)cm_length(b.velocity));
            energy += (double)b.energy + 10 * (double)b.center.z;
        }
        check_that(energy < 1.002 * start, "step %d: %g, %g at first", s, energy, start);
    }
    for (int i = 0; i < HEAP; i++) sum += high[i] - from[i];
    take_down(world, bodies);
    kit_free(&kit);
    return sum / HEAP;
}

/* With steps 16 times as short they rise by 0.06 to 0.13 m: what turns a radian in a step rises by little more. */
static void a_heap_does_not_throw_its_spinners_out(void **state) {
    (void)state;
    const int heaps = few_samples(3, 30);
    double sum = 0, fastest = 0;
    for (int i = 0; i < heaps; i++) sum += heap_rise(1731 + (uint64_t)i, 60, &fastest);
    check_that(sum / heaps < 0.3, "risen by %g on average, the fastest goes %g", sum / heaps, fastest);
    printf("  risen by %.3f on average, the fastest goes %.3g\n", sum / heaps, fastest);
}

/* What the two had when a hit of theirs was answered last. */
typedef struct last_answer {
    uint32_t a, b;
    cm_vec3 velocity_a, spin_a, velocity_b, spin_b;
} last_answer;
typedef struct answers {
    last_answer last;
    long hits, futile;
} answers;

static bool same_vector(cm_vec3 p, cm_vec3 q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

static void count_answers(void *user, cm_dynamics *bodies, const cm_world_hit *hit, uint32_t *response_a,
                          uint32_t *response_b) {
    answers *all = user;
    cm_body_state a = {.mass = 0}, b = {.mass = 0};
    (void)response_a, (void)response_b;
    if (!(hit->count_a + hit->count_b > 0)) return;                             /* no hit: a contact, or a cluster's */
    if (hit->count_a >= CM_WORLD_HITS || hit->count_b >= CM_WORLD_HITS) return; /* one is held, and the other waits */
    cm_dynamics_get(bodies, hit->a, &a), cm_dynamics_get(bodies, hit->b, &b);
    const last_answer now = {hit->a, hit->b, a.velocity, a.spin, b.velocity, b.spin}, *last = &all->last;
    all->hits++;
    all->futile += now.a == last->a && now.b == last->b && same_vector(now.velocity_a, last->velocity_a) &&
                   same_vector(now.spin_a, last->spin_a) && same_vector(now.velocity_b, last->velocity_b) &&
                   same_vector(now.spin_b, last->spin_b);
    all->last = now;
}

/* Does the velocity of one take it into the other, nearer than its way in a step? */
static bool meets(const cm_world *world, const cm_dynamics *bodies, uint32_t one, uint32_t other) {
    enum { MANIFOLDS = 16 };
    const cm_real near = CM_REAL(0.01);
    cm_world_object_desc a, b;
    cm_body_state of_a = {.mass = 0}, of_b = {.mass = 0};
    cm_manifold manifolds[MANIFOLDS];
    assert_int_equal(cm_world_get(world, one, &a), CM_OK);
    assert_int_equal(cm_world_get(world, other, &b), CM_OK);
    cm_dynamics_get(bodies, one, &of_a), cm_dynamics_get(bodies, other, &of_b);
    const int count = cm_contact(&a.shape, &a.pose, &b.shape, &b.pose, near, manifolds, MANIFOLDS);
    for (int i = 0; i < count && i < MANIFOLDS; i++)
        for (int k = 0; k < manifolds[i].count; k++) {
            const cm_vec3 at = manifolds[i].points[k].point_a;
            const cm_vec3 by_a = cm_add(of_a.velocity, cm_cross(of_a.spin, cm_sub(at, of_a.center)));
            const cm_vec3 by_b = cm_add(of_b.velocity, cm_cross(of_b.spin, cm_sub(at, of_b.center)));
            const double approach = (double)cm_dot(cm_sub(by_a, by_b), manifolds[i].normal);
            if (approach > 0.05 && approach > -60 * (double)manifolds[i].points[k].depth) return true;
        }
    return false;
}

/* A hit that changes no velocity is there again at once, and after eight of them the body hangs: it stands, though its
 * velocity is not 0. It may for the rest of one step, as hits are answered two by two, and all together in the step
 * after: MOST_HANGING. What stands and is struck at the very end of a step does not hang: its velocity takes it into
 * what it stands on, as that of a box on the ground on which a cone tumbles, step after step. */
static void crowd_falls(uint64_t seed, cm_world_sweep_mode mode, int count, int steps, answers *all, int *longest) {
    rng r = rng_start("crowd of all", seed);
    body_kit kit;
    cm_world *world;
    cm_dynamics *bodies;
    const cm_dynamics_desc falling = {.gravity = {0, 0, -10}, .respond = count_answers, .user = all};
    uint32_t ids[CROWD];
    int hangs[CROWD] = {0};
    kit_make(&kit, &r);
    set_up(NULL, &falling, &world, &bodies);
    const uint32_t ground =
        put_object(world, bodies, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL, CM_WORLD_SWEEP_AUTO);
    for (int i = 0; i < count; i++) {
        cm_body_desc body = heaped;
        body.spin = rng_vec3(&r, 4);
        const cm_vec3 at = rng_vec3(&r, 0.6);
        ids[i] = put_object(world, bodies, body_of_kind(&kit, (uint32_t)i % SOLID_BODIES),
                            cm_v(at.x, at.y, CM_REAL(1 + 0.3 * i)), &body, mode);
    }
    for (int s = 0; s < steps; s++) {
        cm_vec3 before[CROWD];
        for (int i = 0; i < count; i++) before[i] = body_state(bodies, ids[i]).center;
        all->last.a = 0;
        assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
        for (int i = 0; i < count; i++) {
            const cm_body_state b = body_state(bodies, ids[i]);
            const bool still = (double)cm_length(cm_sub(b.center, before[i])) < 1e-4;
            bool could = still && (double)cm_length(b.velocity) > 0.2 && !meets(world, bodies, ids[i], ground);
            for (int k = 0; k < count && could; k++) could = k == i || !meets(world, bodies, ids[i], ids[k]);
            hangs[i] = could ? hangs[i] + 1 : 0;
            *longest = hangs[i] > *longest ? hangs[i] : *longest;
        }
    }
    take_down(world, bodies);
    kit_free(&kit);
}

static void a_crowd_of_every_shape_does_not_hang(void **state) {
    (void)state;
    answers all = {.hits = 0};
    int longest = 0;
    const int crowds = few_samples(2, 40);
    for (int i = 0; i < crowds; i++) crowd_falls(1741 + (uint64_t)i, CM_WORLD_SWEEP_AUTO, CROWD, 200, &all, &longest);
    check_that(longest <= MOST_HANGING, "a body hung for %d steps", longest);
    check_that(all.hits > 1000 && all.futile * 80 < all.hits, "%ld of %ld hits changed nothing", all.futile, all.hits);
    printf("  swept where fast: %ld of %ld hits changed nothing, longest hang %d\n", all.futile, all.hits, longest);
    const answers none = {.hits = 0};
    all = none, longest = 0;
    for (int i = 0; i < crowds; i++)
        crowd_falls(1759 + 15 * (uint64_t)i, CM_WORLD_SWEEP_ALWAYS, 30, 150, &all, &longest);
    check_that(longest <= MOST_HANGING, "a body hung for %d steps", longest);
    check_that(all.hits > 1000 && all.futile * 80 < all.hits, "%ld of %ld hits changed nothing", all.futile, all.hits);
    printf("  swept always: %ld of %ld hits changed nothing, longest hang %d\n", all.futile, all.hits, longest);
}

/* Where bodies are after some of them were held, in a world that has besides them nothing, a trigger around all, or a
 * block in their midst that their masks do not have. */
enum { FEW = 24, BESIDES = 3 };
static void few_fall(int besides, cm_body_state *out) {
    rng r = rng_start("beside others", 1771);
    body_kit kit;
    cm_world *world;
    cm_dynamics *bodies;
    const cm_dynamics_desc falling = {.gravity = {0, 0, -10}};
    uint32_t ids[FEW], other;
    kit_make(&kit, &r);
    set_up(NULL, &falling, &world, &bodies);
    put_object(world, bodies, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL, CM_WORLD_SWEEP_AUTO);
    for (int i = 0; i < FEW; i++) {
        const cm_vec3 at = rng_vec3(&r, 0.6);
        ids[i] = put_object(world, bodies, body_of_kind(&kit, (uint32_t)i % SOLID_BODIES),
                            cm_v(at.x, at.y, CM_REAL(1 + 0.3 * i)), &heaped, CM_WORLD_SWEEP_ALWAYS);
    }
    cm_world_object_desc d = {.shape = cm_make_box(cm_v(2, 2, 2)), .fixed = true, .exact = true};
    d.trigger = besides == 1, d.layer = besides == 1 ? 1 : 2, d.mask = UINT32_MAX;
    for (int i = 0; i < FEW; i++) assert_int_equal(cm_world_set_filter(world, ids[i], 1, 1, 0), CM_OK);
    if (besides) assert_int_equal(cm_world_add(world, &d, &other, NULL), CM_OK);
    for (int s = 0; s < 80; s++) assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1.0 / 60)), CM_OK);
    for (int i = 0; i < FEW; i++) out[i] = body_state(bodies, ids[i]);
    take_down(world, bodies);
    kit_free(&kit);
}

static void what_stops_nothing_changes_no_heap(void **state) {
    (void)state;
    cm_body_state alone[FEW], beside[FEW];
    few_fall(0, alone);
    for (int k = 1; k < BESIDES; k++) {
        few_fall(k, beside);
        for (int i = 0; i < FEW; i++)
            check_that(same_vector(alone[i].center, beside[i].center) &&
                           same_vector(alone[i].velocity, beside[i].velocity),
                       "beside %d: body %d is at height " REAL_FORMAT ", alone at " REAL_FORMAT, k, i,
                       (double)beside[i].center.z, (double)alone[i].center.z);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heap_does_not_throw_its_spinners_out),
        cmocka_unit_test(a_crowd_of_every_shape_does_not_hang),
        cmocka_unit_test(what_stops_nothing_changes_no_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
