/* What a step costs, counted in sweeps and bytes: an object looks as far along its way as it comes, not as far as it
 * would; and what its hits take is within the limit of bytes. */
#include "scene.h"

/* Of two balls of equal mass the one hands its velocity along the normal to the other. */
static void exchange(const cm_world_hit *hit, cm_motion *rest_a, cm_motion *rest_b) {
    const cm_real along = cm_dot(cm_sub(rest_a->move, rest_b->move), hit->normal);
    if (!(along > 0)) return;
    rest_a->move = cm_mul_add(rest_a->move, -along, hit->normal);
    rest_b->move = cm_mul_add(rest_b->move, along, hit->normal);
}

static cm_world_answer hand_on(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                               cm_motion *rest_b) {
    (void)user, (void)world;
    exchange(hit, rest_a, rest_b);
    return CM_WORLD_GO;
}

/* A row of balls, the first of which moves by `way` toward the others; then one far away. */
static cm_status row_update(int count, cm_real way, cm_real far, size_t byte_limit, cm_world_stats *stats) {
    const cm_world_desc desc = {.byte_limit = byte_limit};
    const cm_world_step step = {.hit = hand_on};
    const cm_motion motion = {.move = {way, 0, 0}};
    cm_world *world;
    uint32_t first = 0, id;
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    for (int i = 0; i <= count; i++) {
        cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.45))};
        d.sweep = CM_WORLD_SWEEP_ALWAYS;
        d.pose.position = i < count ? cm_v((cm_real)i, 0, 0) : cm_v(0, far, 0);
        assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
        if (!i) first = id;
    }
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    assert_int_equal(cm_world_set_motion(world, first, &motion), CM_OK);
    const cm_status status = cm_world_update(world, &step);
    cm_world_get_stats(world, stats);
    cm_world_destroy(world);
    return status;
}

/* Each ball meets its neighbor; what it would meet behind that one is for the neighbor to find. Eight times the balls
 * are eight times the sweeps and the bytes, however far the blow would have carried. */
static void a_row_hit_at_one_end_costs_as_much_as_its_hits(void **state) {
    (void)state;
    const int few = 128, many = 1024;
    const cm_real most = sizeof(cm_real) > sizeof(float) ? CM_REAL(1e9) : 100; /* a longer way has coarser boxes */
    for (cm_real ratio = 1; ratio <= most; ratio *= 10) {
        cm_world_stats of_few, of_many;
        assert_int_equal(row_update(few, (cm_real)few * ratio, 1000 * ratio, 0, &of_few), CM_OK);
        assert_int_equal(row_update(many, (cm_real)many * ratio, 1000 * ratio, 0, &of_many), CM_OK);
        assert_int_equal(of_few.hits, few - 1);
        assert_int_equal(of_many.hits, many - 1);
        check_that(of_many.sweeps <= 10 * (size_t)many, "%d balls: %zu sweeps", many, of_many.sweeps);
        check_that(of_many.bytes <= 10 * of_few.bytes, "%zu, %zu bytes", of_few.bytes, of_many.bytes);
    }
}

/* Part of a ball's way: straight from `at` at the time u on. */
typedef struct piece {
    double u, at[3], speed[3];
} piece;

enum { GAS = 60, PIECES = CM_WORLD_HITS + 2 };

typedef struct gas {
    piece pieces[GAS][PIECES];
    int counts[GAS];
    uint32_t ids[GAS];
} gas;

static void gas_note(gas *g, uint32_t id, double u, cm_vec3 at, cm_vec3 move) {
    int i = 0;
    while (g->ids[i] != id) i++;
    const double left = u < 1 ? 1 - u : 1;
    piece *p = &g->pieces[i][g->counts[i]++];
    p->u = u;
    for (int k = 0; k < 3; k++)
        p->at[k] = (double)((cm_real *)&at)[k], p->speed[k] = (double)((cm_real *)&move)[k] / left;
}

static cm_world_answer gas_hit(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                               cm_motion *rest_b) {
    const cm_vec3 stay = cm_v(0, 0, 0);
    (void)world;
    exchange(hit, rest_a, rest_b);
    gas_note(user, hit->a, (double)hit->u, rest_a->start.position, hit->count_a < CM_WORLD_HITS ? rest_a->move : stay);
    gas_note(user, hit->b, (double)hit->u, rest_b->start.position, hit->count_b < CM_WORLD_HITS ? rest_b->move : stay);
    return CM_WORLD_GO;
}

/* The least distance of two centers from the time `from` to `to`, on one piece each. */
static double piece_distance(const piece *a, const piece *b, double from, double to) {
    double at[3], speed[3], square = 0, along = 0, nearest = 0;
    for (int k = 0; k < 3; k++) {
        at[k] = a->at[k] + a->speed[k] * (from - a->u) - b->at[k] - b->speed[k] * (from - b->u);
        speed[k] = a->speed[k] - b->speed[k];
        square += speed[k] * speed[k], along -= at[k] * speed[k];
    }
    const double u = square > 0 ? fmin(fmax(along / square, 0), to - from) : 0;
    for (int k = 0; k < 3; k++) nearest += (at[k] + u * speed[k]) * (at[k] + u * speed[k]);
    return sqrt(nearest);
}

static double ways_distance(const gas *g, int i, int j) {
    double least = 1e30;
    for (int a = 0; a < g->counts[i]; a++) {
        for (int b = 0; b < g->counts[j]; b++) {
            const double from = fmax(g->pieces[i][a].u, g->pieces[j][b].u);
            const double to = fmin(a + 1 < g->counts[i] ? g->pieces[i][a + 1].u : 1,
                                   b + 1 < g->counts[j] ? g->pieces[j][b + 1].u : 1);
            if (from < to) least = fmin(least, piece_distance(&g->pieces[i][a], &g->pieces[j][b], from, to));
        }
    }
    return least;
}

/* Balls of radius 0.3 on a lattice of width 2, which fly through all of it many times over: wherever they are thrown by
 * their hits, no two centers ever come nearer than 0.6, in closed form along all of their ways. So an object that looks
 * ahead part by part misses nothing, near or far. */
static void what_is_thrown_far_passes_through_nothing(void **state) {
    (void)state;
    rng r = rng_start("gas", 3);
    size_t hits = 0;
    for (int round = 0; round < samples(60, 2000); round++) {
        gas g = {.counts = {0}};
        cm_world *world;
        assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
        for (int i = 0; i < GAS; i++) {
            cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.3))};
            d.pose.position = cm_v((cm_real)(2 * (i % 4)), (cm_real)(2 * (i / 4 % 4)), (cm_real)(2 * (i / 16)));
            assert_int_equal(cm_world_add(world, &d, &g.ids[i], NULL), CM_OK);
            cm_motion m = {.move = {0, 0, 0}};
            if (i % 3 == 0) m.move = rng_vec3(&r, round % 2 ? 5 : 60);
            gas_note(&g, g.ids[i], 0, d.pose.position, m.move);
            assert_int_equal(cm_world_set_motion(world, g.ids[i], &m), CM_OK);
        }
        const cm_world_step step = {.hit = gas_hit, .user = &g};
        assert_int_equal(cm_world_update(world, &step), CM_OK);
        for (int i = 0; i < GAS; i++) {
            hits += (size_t)g.counts[i] - 1;
            for (int j = 0; j < i; j++) {
                const double least = ways_distance(&g, i, j);
                check_that(least > 0.6 - 1e-3, "round %d: %d and %d pass at %g", round, j, i, least);
            }
        }
        cm_world_destroy(world);
    }
    check_that(hits >= 20, "%zu hits", hits);
}

/* Nothing is too small to look ahead: a point that a ball throws far flies to the wall. */
static void a_point_is_thrown_to_the_wall(void **state) {
    (void)state;
    const cm_world_step step = {.hit = hand_on};
    const cm_motion motion = {.move = {1000, 0, 0}};
    cm_world *world;
    cm_world_object_desc d = {.shape = cm_make_sphere(cm_v(0, 0, 0), 1)};
    uint32_t ball, point, wall;
    assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
    assert_int_equal(cm_world_add(world, &d, &ball, NULL), CM_OK);
    d.shape = cm_make_point(cm_v(0, 0, 0)), d.pose.position.x = 2;
    assert_int_equal(cm_world_add(world, &d, &point, NULL), CM_OK);
    d.shape = cm_make_box(cm_v(1, 1, 1)), d.pose.position.x = 500, d.fixed = true;
    assert_int_equal(cm_world_add(world, &d, &wall, NULL), CM_OK);
    assert_int_equal(cm_world_set_motion(world, ball, &motion), CM_OK);
    assert_int_equal(cm_world_update(world, &step), CM_OK);
    assert_non_null(scene_event(world, CM_WORLD_HIT, point, wall));
    cm_pose pose;
    assert_int_equal(cm_world_get_pose(world, point, &pose), CM_OK);
    check_that(fabs((double)pose.position.x - 499) < 0.1, "it stands at %g", (double)pose.position.x);
    cm_world_destroy(world);
}

/* What hits take counts: too little for the sweeps is refused before anything moves, too little for the hits in their
 * midst; and nothing was taken beyond what doubling arrays takes. */
static void hits_are_refused_by_the_bytes_that_they_take(void **state) {
    (void)state;
    cm_world_stats all, did;
    assert_int_equal(row_update(500, 500, 1000, 0, &all), CM_OK);
    bool before = false, amid = false;
    for (size_t limit = 1u << 14; limit < all.bytes; limit += limit / 8) {
        if (row_update(500, 500, 1000, limit, &did) == CM_OK) continue;
        before = before || !did.hits, amid = amid || (did.hits && did.hits < all.hits);
        check_that(did.bytes <= 2 * limit + 501 * 2048, "limit %zu: %zu bytes", limit, did.bytes);
    }
    assert_true(before && amid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_hit_at_one_end_costs_as_much_as_its_hits),
        cmocka_unit_test(what_is_thrown_far_passes_through_nothing),
        cmocka_unit_test(a_point_is_thrown_to_the_wall),
        cmocka_unit_test(hits_are_refused_by_the_bytes_that_they_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
