/* What is fast: nothing tunnels, hits are answered in order, and every event tells when. */
#include "scene.h"
#include "support/meshes.h"

static cm_world *world_of(const cm_world_desc *desc) {
    cm_world *world;
    assert_int_equal(cm_world_create(desc, &world, NULL), CM_OK);
    return world;
}

static uint32_t add_at(cm_world *world, cm_shape shape, cm_vec3 position, bool fixed, bool trigger) {
    cm_world_object_desc d;
    uint32_t id;
    memset(&d, 0, sizeof d);
    d.shape = shape;
    d.pose.position = position;
    d.fixed = fixed;
    d.trigger = trigger;
    assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
    return id;
}

static void move_by(cm_world *world, uint32_t id, cm_vec3 move) {
    cm_motion m;
    memset(&m, 0, sizeof m);
    m.move = move;
    assert_int_equal(cm_world_set_motion(world, id, &m), CM_OK);
}

static cm_vec3 position_of(const cm_world *world, uint32_t id) {
    cm_pose pose;
    assert_int_equal(cm_world_get_pose(world, id, &pose), CM_OK);
    return pose.position;
}

/* 10^4 units a second at 60 steps a second, from many sides, many shapes, spinning or not; the wall is 1 mm thick. */
static void a_bullet_never_tunnels_through_a_thin_wall(void **state) {
    (void)state;
    rng r = rng_start("bullets", 5);
    for (int i = 0; i < samples(1500, 30000); i++) {
        cm_world *world = world_of(NULL);
        cm_world_object_desc wall;
        memset(&wall, 0, sizeof wall);
        wall.shape = cm_make_box(cm_v(400, 400, CM_REAL(0.0005)));
        wall.pose.rotation = rng_rotation(&r);
        wall.fixed = true;
        uint32_t wall_id, id;
        assert_int_equal(cm_world_add(world, &wall, &wall_id, NULL), CM_OK);
        cm_vec3 out = cm_rotate(wall.pose.rotation, cm_v(0, 0, 1));
        cm_vec3 through = cm_scale(rng_direction(&r), (cm_real)(10000.0 / 60));
        if (cm_dot(through, out) > 0) through = cm_neg(through); /* from the wall's front */
        if (!(cm_dot(through, out) < -10)) through = cm_scale(out, CM_REAL(-166));
        cm_world_object_desc bullet;
        memset(&bullet, 0, sizeof bullet);
        bullet.shape = scene_shape(&r);
        bullet.pose = rng_pose(&r, 1);
        bullet.pose.position = cm_mul_add(bullet.pose.position, (cm_real)-rng_range(&r, 0.1, 0.9), through);
        cm_real height = cm_dot(bullet.pose.position, out);
        if (!(height > 3)) bullet.pose.position = cm_mul_add(bullet.pose.position, 4 - height, out);
        assert_int_equal(cm_world_add(world, &bullet, &id, NULL), CM_OK);
        for (int step = 0; step < 3; step++) {
            cm_motion m;
            memset(&m, 0, sizeof m);
            m.move = through;
            if (i % 2) m.spin = rng_vec3(&r, 20);
            assert_int_equal(cm_world_set_motion(world, id, &m), CM_OK);
            assert_int_equal(cm_world_update(world, NULL), CM_OK);
            check_that(cm_dot(position_of(world, id), out) > 0, "bullet %d is through", i);
        }
        cm_world_destroy(world);
    }
}

/* A ball of radius 0.1 at 0 moves 5 toward a wall whose face is at x = 2.9995: contact at u = 2.8995 / 5. */
static void the_event_tells_the_time_of_impact(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    uint32_t wall = add_at(world, cm_make_box(cm_v(CM_REAL(0.0005), 1, 1)), cm_v(3, 0, 0), true, false);
    uint32_t ball = add_at(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.1)), cm_v(0, 0, 0), false, false);
    move_by(world, ball, cm_v(5, 0, 0));
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    const cm_world_event *began = scene_event(world, CM_WORLD_BEGAN, wall, ball);
    const cm_world_event *hit = scene_event(world, CM_WORLD_HIT, wall, ball);
    assert_non_null(began);
    assert_non_null(hit);
    const double expected = 2.8995 / 5;
    check_that(fabs((double)began->u - expected) < 1e-5 && began->u == hit->u, "u = %.9g", (double)began->u);
    check_that(hit->manifolds[0].normal.x < CM_REAL(-0.999), "normal x %.9g", (double)hit->manifolds[0].normal.x);
    check_that(fabs((double)position_of(world, ball).x - 2.8995) < 1e-4, "stands at %.9g",
               (double)position_of(world, ball).x);
    for (int i = 0; i < 5; i++) { /* and stays there, in contact, without motion */
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        assert_non_null(scene_event(world, CM_WORLD_STAYED, wall, ball));
        assert_int_equal(scene_event_count(world), 1);
    }
    move_by(world, ball, cm_v(-1, 0, 0)); /* it may leave */
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    assert_non_null(scene_event(world, CM_WORLD_ENDED, wall, ball));
    check_that(position_of(world, ball).x < 2, "it sticks at %.9g", (double)position_of(world, ball).x);
    cm_world_destroy(world);
}

static cm_world_answer keep_rest(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                 cm_motion *rest_b) {
    (void)world, (void)hit, (void)rest_a;
    *(cm_motion *)user = *rest_b;
    return CM_WORLD_STOP;
}

/* A ball falls 1 in half of a step, by 4 u^2, to a floor: the rest begins at a speed of 4 a step, half a step long. */
static void what_is_left_of_a_parabola_is_one(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    cm_motion rest, m = {.move = {1, 0, 0}, .accelerate = {0, 0, -8}};
    const cm_world_step step = {.hit = keep_rest, .user = &rest};
    add_at(world, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), true, false);
    uint32_t ball =
        add_at(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25)), cm_v(0, 0, CM_REAL(1.25)), false, false);
    memset(&rest, 0, sizeof rest);
    assert_int_equal(cm_world_set_motion(world, ball, &m), CM_OK);
    assert_int_equal(cm_world_update(world, &step), CM_OK);
    check_that(fabs((double)rest.move.x - 0.5) < 1e-4 && fabs((double)rest.move.z + 2) < 1e-4, "%g %g",
               (double)rest.move.x, (double)rest.move.z);
    check_that(fabs((double)rest.accelerate.z + 2) < 1e-4, "%g", (double)rest.accelerate.z);
    check_that(fabs((double)position_of(world, ball).x - 0.5) < 1e-4, "%g", (double)position_of(world, ball).x);
    cm_world_destroy(world);
}

/* From -2 to 2 through a trigger that reaches from -0.5 to 0.5, with radius 0.25: in at u = 1.25/4, out at 2.75/4. */
static void a_trigger_crossed_within_a_step_is_entered_and_left(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    uint32_t gate = add_at(world, cm_make_box(cm_v(CM_REAL(0.5), 1, 1)), cm_v(0, 0, 0), true, true);
    uint32_t ball = add_at(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25)), cm_v(-2, 0, 0), false, false);
    move_by(world, ball, cm_v(4, 0, 0));
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    const cm_world_event *in = scene_event(world, CM_WORLD_ENTERED, gate, ball);
    const cm_world_event *out = scene_event(world, CM_WORLD_LEFT, gate, ball);
    assert_non_null(in);
    assert_non_null(out);
    check_that(fabs((double)in->u - 0.3125) < 1e-5, "in at %.9g", (double)in->u);
    check_that(fabs((double)out->u - 0.6875) < 1e-5, "out at %.9g", (double)out->u);
    check_that(position_of(world, ball).x == 2, "a trigger stopped it at %.9g", (double)position_of(world, ball).x);
    cm_world_destroy(world);
}

/* The wall in front of the trigger keeps the ball from it. */
static void a_trigger_behind_a_wall_is_not_entered(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    add_at(world, cm_make_box(cm_v(CM_REAL(0.001), 1, 1)), cm_v(-1, 0, 0), true, false);
    uint32_t gate = add_at(world, cm_make_box(cm_v(CM_REAL(0.1), 1, 1)), cm_v(1, 0, 0), true, true);
    uint32_t ball = add_at(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25)), cm_v(-4, 0, 0), false, false);
    move_by(world, ball, cm_v(8, 0, 0));
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    assert_null(scene_event(world, CM_WORLD_ENTERED, gate, ball));
    assert_null(scene_event(world, CM_WORLD_LEFT, gate, ball));
    cm_world_destroy(world);
}

/* --- callbacks ------------------------------------------------------------------------------------------------- */

typedef struct hits {
    int count, most;
    cm_real last_u;
    bool ordered;
    cm_world_answer answer;
    cm_real bounce; /* of the velocity along the normal */
} hits;

static cm_world_answer take_hit(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                cm_motion *rest_b) {
    hits *h = user;
    (void)world;
    h->count++;
    if (hit->u < h->last_u) h->ordered = false;
    h->last_u = hit->u;
    if (hit->count_a > h->most) h->most = hit->count_a;
    if (hit->count_b > h->most) h->most = hit->count_b;
    if (h->answer == CM_WORLD_GO) {
        cm_real along = cm_dot(cm_sub(rest_a->move, rest_b->move), hit->normal);
        rest_a->move = cm_mul_add(rest_a->move, -(1 + h->bounce) * along, hit->normal);
        rest_b->move = cm_mul_add(rest_b->move, (1 + h->bounce) * along, hit->normal);
    }
    return h->answer;
}

/* Between faces at +-0.5 a ball of radius 0.25 may move 0.25 to either side of 0. Moving 2.25 at constant speed it runs
 * 0.25 to the one side, then 0.5 four times: 5 hits, and it ends at +0.25 - 0 … by reflection: 2.25 = 0.25 + 4 * 0.5.
 */
static void a_ball_bounces_to_and_fro_within_one_step(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    cm_shape wall = cm_make_box(cm_v(CM_REAL(0.5), 1, 1));
    add_at(world, wall, cm_v(1, 0, 0), true, false);
    add_at(world, wall, cm_v(-1, 0, 0), true, false);
    uint32_t ball = add_at(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25)), cm_v(0, 0, 0), false, false);
    hits h = {.ordered = true, .answer = CM_WORLD_GO, .bounce = 1};
    cm_world_step step = {.hit = take_hit, .user = &h};
    move_by(world, ball, cm_v(CM_REAL(2.125), 0, 0));
    assert_int_equal(cm_world_update(world, &step), CM_OK);
    assert_true(h.ordered);
    assert_int_equal(h.count, 4);
    check_that(fabs((double)position_of(world, ball).x - 0.125) < 1e-4, "ends at %.9g",
               (double)position_of(world, ball).x);
    cm_world_destroy(world);
}

static void after_eight_hits_an_object_holds(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    cm_shape wall = cm_make_box(cm_v(CM_REAL(0.5), 1, 1));
    add_at(world, wall, cm_v(1, 0, 0), true, false);
    add_at(world, wall, cm_v(-1, 0, 0), true, false);
    uint32_t ball = add_at(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25)), cm_v(0, 0, 0), false, false);
    hits h = {.ordered = true, .answer = CM_WORLD_GO, .bounce = 1};
    cm_world_step step = {.hit = take_hit, .user = &h};
    move_by(world, ball, cm_v(1000, 0, 0));
    assert_int_equal(cm_world_update(world, &step), CM_OK);
    assert_int_equal(h.count, CM_WORLD_HITS);
    check_that(cm_abs(position_of(world, ball).x) < CM_REAL(0.26), "is at %.9g", (double)position_of(world, ball).x);
    cm_world_destroy(world);
}

/* The second of two is struck away, twice as fast as the ram; or nothing changes. */
typedef struct strikes {
    int count;
    bool none;
} strikes;

static cm_world_answer strike(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                              cm_motion *rest_b) {
    (void)world, (void)rest_a;
    strikes *all = user;
    all->count++;
    if (!all->none) rest_b->move = cm_v(20 * (1 - hit->u), 0, 0);
    return CM_WORLD_GO;
}

/* A ram that goes by 10 strikes 20 balls, one after the other: that none of these hits changes how it goes is no reason
 * to hold it after the eighth. A wall holds it, and so does what stands and stays: there each hit is its own. */
static void what_goes_on_as_before_is_not_held(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        const bool walled = i == 1, stays = i == 2;
        cm_world *world = world_of(NULL);
        strikes all = {.none = stays};
        cm_world_step step = {.hit = strike, .user = &all};
        const uint32_t ram = add_at(world, cm_make_box(cm_v(CM_REAL(0.5), 20, 1)), cm_v(0, 0, 0), false, false);
        for (int k = 0; k < 20 && !stays; k++)
            add_at(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25)),
                   cm_v(1 + CM_REAL(0.375) * (cm_real)k, (cm_real)k - 10, 0), false, false);
        if (walled || stays) add_at(world, cm_make_box(cm_v(1, 1, 1)), cm_v(6, 15, 0), walled, false);
        move_by(world, ram, cm_v(10, 0, 0));
        assert_int_equal(cm_world_update(world, &step), CM_OK);
        const double x = (double)position_of(world, ram).x;
        if (i == 0) check_that(all.count == 20 && x == 10, "%d hits, it is at %.9g", all.count, x);
        /* the wall's face is at 5, and that of 12 balls is less */
        const int right = (walled ? 12 : 0) + CM_WORLD_HITS;
        if (i > 0) check_that(all.count == right && fabs(x - 4.5) < 1e-4, "%d hits, it is at %.9g", all.count, x);
        cm_world_destroy(world);
    }
}

static void pass_goes_through_and_asks_once(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    uint32_t wall = add_at(world, cm_make_box(cm_v(CM_REAL(0.25), 1, 1)), cm_v(1, 0, 0), true, false);
    uint32_t ball = add_at(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25)), cm_v(0, 0, 0), false, false);
    hits h = {.ordered = true, .answer = CM_WORLD_PASS};
    cm_world_step step = {.hit = take_hit, .user = &h};
    move_by(world, ball, cm_v(8, 0, 0));
    assert_int_equal(cm_world_update(world, &step), CM_OK);
    assert_int_equal(h.count, 1);
    check_that(position_of(world, ball).x == 8, "is at %.9g", (double)position_of(world, ball).x);
    assert_non_null(scene_event(world, CM_WORLD_BEGAN, wall, ball));
    assert_non_null(scene_event(world, CM_WORLD_ENDED, wall, ball));
    check_that(fabs((double)scene_event(world, CM_WORLD_ENDED, wall, ball)->u - 1.5 / 8) < 1e-4, "ended");
    cm_world_destroy(world);
}

static cm_world_answer throw_back(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                  cm_motion *rest_b) {
    (void)user, (void)world, (void)rest_a;
    rest_b->move = cm_scale(hit->normal, 4);
    return CM_WORLD_GO;
}

/* Between faces at +-1.25 a ball of radius 0.25, which comes to the one face when all of the step but a few ulps is
 * over, and is thrown across the room from then on, however little is left: no time is between that and 1 at which it
 * meets the other face, and yet it stays in the room. */
static void what_is_thrown_at_the_end_of_a_step_stays_in_its_room(void **state) {
    (void)state;
    const cm_world_step step = {.hit = throw_back};
    const cm_shape wall = cm_make_box(cm_v(1, 4, 4));
    int late = 0;
    for (int ulps = -16; ulps < 240; ulps++) {
        cm_world *world = world_of(NULL);
        add_at(world, wall, cm_v(CM_REAL(2.25), 0, 0), true, false);
        add_at(world, wall, cm_v(CM_REAL(-2.25), 0, 0), true, false);
        uint32_t ball = add_at(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25)), cm_v(0, 0, 0), false, false);
        move_by(world, ball, cm_v(1 + (cm_real)ulps * CM_REAL_EPSILON, 0, 0));
        assert_int_equal(cm_world_update(world, &step), CM_OK);
        cm_world_stats stats;
        cm_world_get_stats(world, &stats);
        late += stats.hits > 0;
        const double x = (double)position_of(world, ball).x;
        check_that(fabs(x) < 1 + 1e-4, "%d ulps: at %g", ulps, x);
        cm_world_destroy(world);
    }
    check_that(late > 200, "%d hits", late);
}

static cm_world_answer creep_on(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                cm_motion *rest_b) {
    (void)world, (void)hit, (void)rest_a;
    ++*(int *)user;
    rest_b->move = cm_v(CM_REAL(0.01), 0, 0);
    return CM_WORLD_GO;
}

/* What an answer makes slow is not swept any more: it overlaps what it creeps into, and nobody is asked again. The
 * ball's face is at the wall's at u = 1/2, so that 0.01 in the rest are 0.02 a step, less than a quarter of 2. */
static void what_an_answer_makes_slow_is_not_swept_on(void **state) {
    (void)state;
    int asked = 0;
    cm_world *world = world_of(NULL);
    const cm_world_step step = {.hit = creep_on, .user = &asked};
    uint32_t wall = add_at(world, cm_make_box(cm_v(1, 4, 4)), cm_v(6, 0, 0), true, false);
    uint32_t ball = add_at(world, cm_make_sphere(cm_v(0, 0, 0), 1), cm_v(0, 0, 0), false, false);
    move_by(world, ball, cm_v(8, 0, 0));
    assert_int_equal(cm_world_update(world, &step), CM_OK);
    assert_int_equal(asked, 1);
    const cm_world_event *began = scene_event(world, CM_WORLD_BEGAN, wall, ball);
    assert_non_null(began);
    const double depth = (double)began->manifolds[0].points[0].depth;
    check_that(fabs(depth - 0.01) < 1e-4, "depth %g", depth);
    cm_world_destroy(world);
}

typedef struct order_told {
    uint32_t wall, ids[8];
    int count;
} order_told;

static cm_world_answer tell_order(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                  cm_motion *rest_b) {
    order_told *told = user;
    (void)world, (void)rest_b;
    if (told->count < 8) told->ids[told->count++] = hit->b;
    if (hit->b != told->wall) return CM_WORLD_PASS;
    rest_a->move = cm_v(0, 16, 0);
    return CM_WORLD_GO;
}

/* A ball that passes two gates at one place, and is thrown aside by a wall through two others: of equal times the lower
 * id comes first, also of hits that were found within the step. */
static void hits_at_one_time_come_by_their_ids(void **state) {
    (void)state;
    for (int kind = 0; kind < CM_BROAD_KIND_COUNT; kind++) {
        const cm_world_desc desc = {.kind = (cm_broad_kind)kind};
        const cm_shape gate = cm_make_box(cm_v(1, 1, 1));
        cm_world *world = world_of(&desc);
        uint32_t ball = add_at(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25)), cm_v(0, 0, 0), false, false),
                 ids[5];
        for (int i = 0; i < 5; i++) {
            const cm_vec3 at = i < 2 ? cm_v(3, 0, 0) : i < 3 ? cm_v(7, 0, 0) : cm_v(CM_REAL(5.75), 5, 0);
            ids[i] = add_at(world, gate, at, true, false);
        }
        order_told told = {.wall = ids[2]};
        const cm_world_step step = {.hit = tell_order, .user = &told};
        move_by(world, ball, cm_v(16, 0, 0));
        assert_int_equal(cm_world_update(world, &step), CM_OK);
        check_that(told.count == 5, "%s: %d hits", cm_broad_kind_text((cm_broad_kind)kind), told.count);
        for (int i = 0; i < 5; i++)
            check_that(told.ids[i] == ids[i], "%s: hit %d", cm_broad_kind_text((cm_broad_kind)kind), i);
        cm_world_destroy(world);
    }
}

/* Newton's cradle: equal balls in a row, the first strikes, the last goes on by what is left. */
static void a_strike_runs_through_a_row_of_balls(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    uint32_t balls[5];
    for (int i = 0; i < 5; i++) {
        cm_real x = i == 0 ? 0 : (cm_real)(2 * i);
        balls[i] = add_at(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5)), cm_v(x, 0, 0), false, false);
    }
    hits h = {.ordered = true, .answer = CM_WORLD_GO, .bounce = 0}; /* along the normal the two swap */
    cm_world_step step = {.hit = take_hit, .user = &h};
    move_by(world, balls[0], cm_v(8, 0, 0));
    assert_int_equal(cm_world_update(world, &step), CM_OK);
    assert_int_equal(h.count, 4);
    for (int i = 0; i < 4; i++) { /* each stops one diameter before where the next stood */
        double expected = 2 * i + 1;
        check_that(fabs((double)position_of(world, balls[i]).x - expected) < 1e-4, "ball %d at %.9g", i,
                   (double)position_of(world, balls[i]).x);
    }
    check_that(fabs((double)position_of(world, balls[4]).x - 12) < 1e-3, "the last is at %.9g",
               (double)position_of(world, balls[4]).x);
    cm_world_destroy(world);
}

/* The end of a long rod that turns fast sweeps over a thin post which it does not touch at either end of the step. */
static void a_turning_rod_does_not_jump_over_a_post(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    uint32_t post = add_at(world, cm_make_box(cm_v(CM_REAL(0.01), CM_REAL(0.01), 1)), cm_v(0, 2, 0), true, false);
    uint32_t rod = add_at(world, cm_make_box(cm_v(3, CM_REAL(0.01), CM_REAL(0.01))), cm_v(0, 0, 0), false, false);
    cm_motion m;
    memset(&m, 0, sizeof m);
    m.spin = cm_v(0, 0, CM_REAL(2.5));
    assert_int_equal(cm_world_set_motion(world, rod, &m), CM_OK);
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    const cm_world_event *hit = scene_event(world, CM_WORLD_HIT, post, rod);
    assert_non_null(hit);
    check_that(hit->u < CM_REAL(1.5708 / 2.5) && hit->u > CM_REAL(1.5 / 2.5), "u = %.9g", (double)hit->u);
    cm_world_destroy(world);
}

static void a_ball_that_slides_along_the_floor_is_not_stopped(void **state) {
    (void)state;
    cm_world *world = world_of(NULL);
    uint32_t floor = add_at(world, cm_make_box(cm_v(100, 1, 100)), cm_v(0, -1, 0), true, false);
    uint32_t ball = add_at(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5)), cm_v(0, CM_REAL(0.5), 0), false, false);
    uint32_t wall = add_at(world, cm_make_box(cm_v(CM_REAL(0.001), 1, 1)), cm_v(10, 1, 0), true, false);
    move_by(world, ball, cm_v(4, 0, 0));
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    check_that(position_of(world, ball).x == 4, "it stands at %.9g", (double)position_of(world, ball).x);
    assert_non_null(scene_event(world, CM_WORLD_BEGAN, floor, ball));
    move_by(world, ball, cm_v(40, 0, 0));
    assert_int_equal(cm_world_update(world, NULL), CM_OK);
    assert_non_null(scene_event(world, CM_WORLD_HIT, wall, ball));
    check_that(cm_abs(position_of(world, ball).x - CM_REAL(9.499)) < CM_REAL(1e-3), "at %.9g",
               (double)position_of(world, ball).x);
    cm_world_destroy(world);
}

/* --- changes within a callback --------------------------------------------------------------------------------- */

typedef struct changes {
    uint32_t ball, wall, second, added;
    int what, hits;
} changes;

static cm_world_answer change_in_hit(void *user, cm_world *world, const cm_world_hit *hit, cm_motion *rest_a,
                                     cm_motion *rest_b) {
    changes *c = user;
    (void)rest_a, (void)rest_b;
    c->hits++;
    cm_pose pose = cm_pose_identity();
    assert_int_equal(cm_world_update(world, NULL), CM_INVALID);
    assert_int_equal(cm_world_set_pose(world, hit->a, &pose), CM_INVALID);
    assert_int_equal(cm_world_set_motion(world, hit->b, NULL), CM_INVALID);
    if (c->what == 0) {
        assert_int_equal(cm_world_remove(world, c->ball), CM_OK);
        assert_int_equal(cm_world_remove(world, c->ball), CM_STALE_ID);
    }
    if (c->what == 1) assert_int_equal(cm_world_remove(world, c->second), CM_OK);
    if (c->what == 2) assert_int_equal(cm_world_set_filter(world, c->second, 0, 0, 0), CM_OK);
    if (c->what == 3) {
        cm_world_object_desc d;
        memset(&d, 0, sizeof d);
        d.shape = cm_make_sphere(cm_v(0, 0, 0), 1);
        d.pose.position = cm_v(1, 0, 0);
        assert_int_equal(cm_world_add(world, &d, &c->added, NULL), CM_OK);
    }
    return c->what == 0 ? CM_WORLD_STOP : CM_WORLD_PASS;
}

/* A ball flies through two walls; at the first something changes. */
static void objects_may_change_within_a_callback(void **state) {
    (void)state;
    for (int what = 0; what < 4; what++) {
        cm_world *world = world_of(NULL);
        cm_shape shape = cm_make_box(cm_v(CM_REAL(0.1), 1, 1));
        changes c = {.what = what};
        c.wall = add_at(world, shape, cm_v(2, 0, 0), true, false);
        c.second = add_at(world, shape, cm_v(4, 0, 0), true, false);
        c.ball = add_at(world, cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.25)), cm_v(0, 0, 0), false, false);
        move_by(world, c.ball, cm_v(8, 0, 0));
        cm_world_step step = {.hit = change_in_hit, .user = &c};
        assert_int_equal(cm_world_update(world, &step), CM_OK);
        assert_int_equal(c.hits, what == 3 ? 2 : 1);
        assert_int_equal(cm_world_count(world), what == 0 || what == 1 ? 2 : what == 3 ? 5 : 3);
        if (what == 0) { /* what vanished has begun and ended */
            assert_non_null(scene_event(world, CM_WORLD_BEGAN, c.wall, c.ball));
            assert_non_null(scene_event(world, CM_WORLD_ENDED, c.wall, c.ball));
        }
        if (what == 3) assert_non_null(scene_event(world, CM_WORLD_BEGAN, c.added, c.wall));
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        cm_world_destroy(world);
    }
}

/* Slow beside its thickness, which the mesh of a convex solid has, too, it is not swept: it gets into the wall. */
static void a_slow_box_of_triangles_is_not_swept(void **state) {
    (void)state;
    const cm_vec3 half = cm_v(1, 1, 1);
    cm_mesh *triangles = mesh_box(cm_neg(half), half, true);
    const cm_shape forms[2] = {cm_make_box(half), cm_make_mesh(triangles)};
    for (int form = 0; form < 2; form++)
        for (int fast = 0; fast < 2; fast++) {
            cm_world *world = world_of(NULL);
            add_at(world, cm_make_box(half), cm_v(CM_REAL(2.25), 0, 0), true, false);
            const uint32_t id = add_at(world, forms[form], cm_v(0, 0, 0), false, false);
            move_by(world, id, cm_v(CM_REAL(fast ? 0.75 : 0.375), 0, 0));
            assert_int_equal(cm_world_update(world, NULL), CM_OK);
            const double x = (double)position_of(world, id).x;
            check_that(fast ? x < 0.26 : x == 0.375, "form %d, fast %d: at %g", form, fast, x);
            cm_world_destroy(world);
        }
    cm_mesh_destroy(triangles, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bullet_never_tunnels_through_a_thin_wall),
        cmocka_unit_test(a_slow_box_of_triangles_is_not_swept),
        cmocka_unit_test(the_event_tells_the_time_of_impact),
        cmocka_unit_test(what_is_left_of_a_parabola_is_one),
        cmocka_unit_test(a_trigger_crossed_within_a_step_is_entered_and_left),
        cmocka_unit_test(a_trigger_behind_a_wall_is_not_entered),
        cmocka_unit_test(a_ball_bounces_to_and_fro_within_one_step),
        cmocka_unit_test(after_eight_hits_an_object_holds),
        cmocka_unit_test(what_goes_on_as_before_is_not_held),
        cmocka_unit_test(pass_goes_through_and_asks_once),
        cmocka_unit_test(what_is_thrown_at_the_end_of_a_step_stays_in_its_room),
        cmocka_unit_test(what_an_answer_makes_slow_is_not_swept_on),
        cmocka_unit_test(hits_at_one_time_come_by_their_ids),
        cmocka_unit_test(a_strike_runs_through_a_row_of_balls),
        cmocka_unit_test(a_turning_rod_does_not_jump_over_a_post),
        cmocka_unit_test(a_ball_that_slides_along_the_floor_is_not_stopped),
        cmocka_unit_test(objects_may_change_within_a_callback),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
