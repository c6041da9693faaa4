/* Boxes dropped flat on the seam of separate tiles, flush with each other, land as on one floor: level, in place, and
 * as fast upwards, swept always or where they are fast. Only tiles that may be met and respond hold them. What is round
 * and comes down beside a seam is not thrown aside by the edge of the next tile, which it is in where the step ends;
 * nor is what is thrown onto it tilted. */
#include "dynamics/bodies.h"

#include <math.h>

static const double sizes[] = {0.25, 0.3, 0.4, 0.5};
enum { SIZES = sizeof sizes / sizeof *sizes, ALIKE = 7, ASIDE = 8 };

typedef struct scene {
    cm_world *world;
    cm_dynamics *bodies;
    uint32_t tiles[4], box;
} scene;

/* What is dropped, and on how many tiles along x and y; 1 x 1: one floor. */
typedef struct drop {
    cm_vec3 half, at;
    cm_body_desc body;
    cm_world_sweep_mode sweep;
    double yaw;
} drop;

static void scene_start(scene *s, const cm_dynamics_desc *desc, int along_x, int along_y) {
    const cm_real half = along_x * along_y > 1 ? 2 : 4;
    set_up(NULL, desc, &s->world, &s->bodies);
    for (int i = 0; i < along_x * along_y; i++) {
        const cm_real x = half * (cm_real)(2 * (i % along_x) + 1 - along_x);
        const cm_real y = half * (cm_real)(2 * (i / along_x) + 1 - along_y);
        s->tiles[i] = put_object(s->world, s->bodies, cm_make_box(cm_v(half, half, half)), cm_v(x, y, -half), NULL,
                                 CM_WORLD_SWEEP_AUTO);
    }
}

static void scene_put(scene *s, const drop *d) {
    cm_world_object_desc object = {.shape = cm_make_box(d->half), .pose = cm_pose_identity(), .sweep = d->sweep};
    object.pose.position = d->at;
    cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(d->yaw), &object.pose.rotation);
    assert_int_equal(cm_world_add(s->world, &object, &s->box, NULL), CM_OK);
    assert_int_equal(cm_dynamics_add(s->bodies, s->box, &d->body), CM_OK);
}

static cm_pose scene_pose(const scene *s) {
    cm_pose pose;
    assert_int_equal(cm_world_get_pose(s->world, s->box, &pose), CM_OK);
    return pose;
}

static double tilt_of(cm_quat rotation) {
    const cm_vec3 up = cm_rotate(rotation, cm_v(0, 0, 1));
    return hypot((double)up.x, (double)up.y);
}

static drop any_drop(rng *r) {
    drop d = {.half = {CM_REAL(sizes[rng_below(r, SIZES)]), CM_REAL(sizes[rng_below(r, SIZES)]),
                       CM_REAL(sizes[rng_below(r, SIZES)])}};
    const double least = fmin((double)d.half.x, (double)d.half.y);
    d.at.x = CM_REAL(least * (double)(rng_below(r, ALIKE) - ALIKE / 2) / ASIDE);
    d.at.y = CM_REAL(least * (double)(rng_below(r, ALIKE) - ALIKE / 2) / ASIDE);
    d.at.z = d.half.z + CM_REAL(rng_range(r, 0.2, 1));
    d.body = (cm_body_desc){.mass = 1,
                            .restitution = CM_REAL(rng_below(r, 5)) / 4,
                            .friction = CM_REAL(rng_below(r, 5)) / 4,
                            .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};
    d.sweep = rng_below(r, 2) ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO;
    d.yaw = rng_below(r, 2) ? 0 : rng_range(r, 0, 6);
    return d;
}

/* How high its foot was since it first went up, at most; in its first step it falls. */
static double risen(const scene *s, const drop *d, int step, double before) {
    const bool up = (double)body_state(s->bodies, s->box).velocity.z > 0;
    return (step > 0 && up) || before > 0 ? fmax(before, (double)(scene_pose(s).position.z - d->half.z)) : 0;
}

static void boxes_land_on_seams_as_on_one_floor(void **state) {
    (void)state;
    rng r = rng_start("seams", 2217);
    const cm_dynamics_desc desc = {.gravity = {0, 0, CM_REAL(-9.81)}};
    for (int i = 0; i < samples(120, 4000); i++) {
        const drop d = any_drop(&r);
        const int along_y = 1 + (int)rng_below(&r, 2), steps = rng_below(&r, 2) ? 60 : 120;
        scene seam, floor;
        scene_start(&seam, &desc, 2, along_y), scene_start(&floor, &desc, 1, 1);
        scene_put(&seam, &d), scene_put(&floor, &d);
        double aside = 0, tilt = 0, height_on_seam = 0, height_on_floor = 0;
        for (int k = 0; k < 2 * steps; k++) {
            assert_int_equal(cm_dynamics_step(seam.bodies, 1 / CM_REAL(steps)), CM_OK);
            assert_int_equal(cm_dynamics_step(floor.bodies, 1 / CM_REAL(steps)), CM_OK);
            const cm_pose on_seam = scene_pose(&seam);
            const cm_vec3 off = cm_sub(on_seam.position, d.at);
            aside = fmax(aside, hypot((double)off.x, (double)off.y)), tilt = fmax(tilt, tilt_of(on_seam.rotation));
            height_on_seam = risen(&seam, &d, k, height_on_seam),
            height_on_floor = risen(&floor, &d, k, height_on_floor);
        }
        check_that(aside < 0.02 && tilt < 0.01 && fabs(height_on_seam - height_on_floor) < 2e-3,
                   "%d: half %g %g %g, restitution %g, friction %g, swept %d, yaw %g, at %g %g %g, %d steps: aside by "
                   "%g, tilted by %g, risen to %g for %g",
                   i, (double)d.half.x, (double)d.half.y, (double)d.half.z, (double)d.body.restitution,
                   (double)d.body.friction, (int)d.sweep, d.yaw, (double)d.at.x, (double)d.at.y, (double)d.at.z, steps,
                   aside, tilt, height_on_seam, height_on_floor);
        take_down(seam.world, seam.bodies), take_down(floor.world, floor.bodies);
    }
}

/* --- what is round ------------------------------------------------------------------------------------------------ */

/* A ball of radius 1/4 dropped by 1 at a distance from the seam that it reaches over: up again, not aside. */
static void a_ball_dropped_beside_a_seam_goes_straight_up(void **state) {
    (void)state;
    const cm_dynamics_desc desc = {.gravity = {0, 0, CM_REAL(-9.81)}};
    for (int i = 0; i < 200; i++) {
        const double from_seam = 0.002 * (i % 100), fall = 0.5 + 0.005 * i;
        cm_body_desc body = {.mass = 1, .restitution = CM_REAL(0.5), .friction = CM_REAL(0.5)};
        body.response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART;
        scene s;
        scene_start(&s, &desc, 1, 2);
        const cm_vec3 at = cm_v(CM_REAL(0.5), CM_REAL(from_seam), CM_REAL(0.25 + fall));
        s.box = put_object(s.world, s.bodies, ball(0.25), at, &body, CM_WORLD_SWEEP_AUTO);
        for (int k = 0; k < 60; k++) assert_int_equal(cm_dynamics_step(s.bodies, CM_REAL(1) / 60), CM_OK);
        const cm_body_state got = body_state(s.bodies, s.box);
        const double aside = hypot((double)got.center.x - 0.5, (double)got.center.y - from_seam);
        check_that(aside < 0.01 && (double)cm_length(got.spin) < 0.1, "%g from the seam, %g high: aside by %g, spin %g",
                   from_seam, fall, aside, (double)cm_length(got.spin));
        take_down(s.world, s.bodies);
    }
}

/* The state at the end of the step in which it landed: its velocity changed by more than by gravity. */
static cm_body_state state_landed(const cm_dynamics_desc *desc, int tiles, const cm_world_object_desc *object,
                                  const cm_body_desc *body) {
    const cm_real dt = CM_REAL(1) / 60;
    scene s;
    scene_start(&s, desc, tiles, tiles);
    assert_int_equal(cm_world_add(s.world, object, &s.box, NULL), CM_OK);
    assert_int_equal(cm_dynamics_add(s.bodies, s.box, body), CM_OK);
    cm_body_state before, now = body_state(s.bodies, s.box);
    for (int k = 0; k < 120; k++) {
        before = now;
        assert_int_equal(cm_dynamics_step(s.bodies, dt), CM_OK);
        now = body_state(s.bodies, s.box);
        if (cm_length(cm_sub(cm_sub(now.velocity, before.velocity), cm_scale(desc->gravity, dt))) > CM_REAL(0.01))
            break;
    }
    take_down(s.world, s.bodies);
    return now;
}

/* Half of them without gravity, as at a wall. */
static void round_bodies_bounce_off_tiles_as_off_one_floor(void **state) {
    (void)state;
    rng r = rng_start("round bodies on seams", 2231);
    const cm_shape egg = cm_make_ellipsoid(cm_v(CM_REAL(0.3), CM_REAL(0.2), CM_REAL(0.25)));
    for (int i = 0; i < samples(1200, 40000); i++) {
        const cm_dynamics_desc desc = {.gravity = {0, 0, rng_below(&r, 2) ? CM_REAL(-9.81) : 0}};
        cm_world_object_desc object = {.shape = i % 2 ? ball(0.25) : egg};
        object.pose.position = cm_v(CM_REAL(rng_range(&r, -0.5, 0.5)), CM_REAL(rng_range(&r, -0.5, 0.5)),
                                    CM_REAL(rng_range(&r, 0.5, 0.9)));
        object.pose.rotation = rng_rotation(&r);
        cm_body_desc body = {.mass = 1, .restitution = CM_REAL(rng_below(&r, 3)) / 4};
        body.friction = CM_REAL(rng_below(&r, 2)) / 2, body.response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART;
        body.velocity =
            cm_v(CM_REAL(rng_range(&r, -2, 2)), CM_REAL(rng_range(&r, -2, 2)), CM_REAL(rng_range(&r, -3, -1)));
        body.spin = cm_scale(rng_direction(&r), 3);
        const cm_body_state on_tiles = state_landed(&desc, 2, &object, &body),
                            on_floor = state_landed(&desc, 1, &object, &body);
        const cm_vec3 v = cm_sub(on_tiles.velocity, on_floor.velocity), w = cm_sub(on_tiles.spin, on_floor.spin);
        check_that((double)cm_length(v) < 0.15 && (double)cm_length(w) < 1,
                   "%d: %s at %g %g: velocity %g %g %g for %g %g %g, spin off by %g", i, i % 2 ? "ball" : "ellipsoid",
                   (double)object.pose.position.x, (double)object.pose.position.y, (double)on_tiles.velocity.x,
                   (double)on_tiles.velocity.y, (double)on_tiles.velocity.z, (double)on_floor.velocity.x,
                   (double)on_floor.velocity.y, (double)on_floor.velocity.z, (double)cm_length(w));
    }
}

/* --- thrown ------------------------------------------------------------------------------------------------------- */

static cm_body_desc any_throw(rng *r) {
    cm_body_desc body = {.mass = 1, .restitution = CM_REAL(rng_below(r, 3)) / 4};
    body.friction = CM_REAL(rng_below(r, 2)) / 2, body.response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART;
    body.velocity = cm_v(CM_REAL(rng_range(r, -2, 2)), CM_REAL(rng_range(r, -2, 2)), CM_REAL(rng_range(r, -3, -1)));
    body.spin = cm_scale(rng_direction(r), 3);
    return body;
}

/* Tilted they meet the seam with a corner, an edge or a rim. In float the speeds of one in a hundred may differ by
 * more: of two corners the other one is the deepest by rounding. */
static void bodies_thrown_on_tiles_bounce_as_off_one_floor(void **state) {
    (void)state;
    rng r = rng_start("thrown on seams", 2239);
    const uint32_t kinds[] = {1, 2, 3, 4}; /* box, capsule, cylinder, cone */
    const int all = samples(1200, 40000);
    int off = 0;
    body_kit kit;
    kit_make(&kit, &r);
    for (int i = 0; i < all; i++) {
        const cm_dynamics_desc desc = {.gravity = {0, 0, rng_below(&r, 2) ? CM_REAL(-9.81) : 0}};
        cm_world_object_desc object = {.shape = body_of_kind(&kit, kinds[i % 4])};
        object.pose.position = cm_v(CM_REAL(rng_range(&r, -0.5, 0.5)), CM_REAL(rng_range(&r, -0.5, 0.5)),
                                    CM_REAL(rng_range(&r, 0.5, 0.9)));
        object.pose.rotation = rng_rotation(&r);
        const cm_body_desc body = any_throw(&r);
        const cm_body_state on_tiles = state_landed(&desc, 2, &object, &body),
                            on_floor = state_landed(&desc, 1, &object, &body);
        const cm_vec3 v = cm_sub(on_tiles.velocity, on_floor.velocity), w = cm_sub(on_tiles.spin, on_floor.spin);
        off += !((double)cm_length(v) < 0.15 && (double)cm_length(w) < 1);
    }
    check_that(off <= all / 100, "%d of %d turned aside", off, all);
    kit_free(&kit);
}

/* --- which tiles hold --------------------------------------------------------------------------------------------- */

/* Answers that a callback gives for one tile. */
typedef struct refusal {
    uint32_t tile, box;
    bool takes;
    int spared; /* so many times it answers as any */
} refusal;

static void refuse(void *user, cm_dynamics *dynamics, const cm_world_hit *hit, uint32_t *a, uint32_t *b) {
    refusal *one = user;
    if ((hit->a != one->tile && hit->b != one->tile) || one->spared-- > 0) return;
    *a = *b = 0;
    if (one->takes) cm_dynamics_remove(dynamics, one->box);
}

static const drop on_the_seam = {.half = {CM_REAL(0.5), CM_REAL(0.5), CM_REAL(0.25)},
                                 .at = {CM_REAL(0.125), 0, 1},
                                 .body = {.mass = 1, .restitution = CM_REAL(0.5), .response = CM_RESPONSE_BOUNCE}};

/* Where it is after 3/4 s, of which it falls 0.4: on the first of the tiles alone it has tipped. */
static cm_pose pose_on(int tiles, refusal *refused, cm_world_sweep_mode sweep) {
    const cm_dynamics_desc desc = {
        .gravity = {0, 0, CM_REAL(-9.81)}, .respond = refused ? refuse : NULL, .user = refused};
    scene s;
    drop d = on_the_seam;
    scene_start(&s, &desc, 2, 1);
    d.sweep = sweep;
    scene_put(&s, &d);
    if (refused) *refused = (refusal){s.tiles[1], s.box, false, 0};
    if (tiles == 1 && !refused) assert_int_equal(cm_world_remove(s.world, s.tiles[1]), CM_OK);
    for (int i = 0; i < 45; i++) assert_int_equal(cm_dynamics_step(s.bodies, CM_REAL(1) / 60), CM_OK);
    const cm_pose pose = scene_pose(&s);
    take_down(s.world, s.bodies);
    return pose;
}

static void a_tile_that_is_refused_holds_nothing(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        const cm_world_sweep_mode sweep = k ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO;
        refusal refused;
        const cm_pose alone = pose_on(1, NULL, sweep), with = pose_on(2, &refused, sweep);
        const double tilt = tilt_of(alone.rotation), off = (double)cm_length(cm_sub(alone.position, with.position));
        check_that(tilt > 0.1 && tilt_of(pose_on(2, NULL, sweep).rotation) < 1e-3, "tilted by %g", tilt);
        check_that(off < 1e-3 && fabs(tilt - tilt_of(with.rotation)) < 1e-3, "swept %d: off by %g, tilted by %g, %g", k,
                   off, tilt, tilt_of(with.rotation));
    }
}

/* The callback may take the body, asked for a tile that is only hit together with another, or that it lies on. */
static void a_callback_may_take_what_lands(void **state) {
    (void)state;
    for (int k = 0; k < 8; k++) {
        refusal refused;
        const cm_dynamics_desc desc = {.gravity = {0, 0, CM_REAL(-9.81)}, .respond = refuse, .user = &refused};
        scene s;
        drop d = on_the_seam;
        cm_body_state taken;
        d.body.restitution = 0;
        scene_start(&s, &desc, 2, 1);
        d.sweep = k % 2 ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO;
        scene_put(&s, &d);
        refused = (refusal){s.tiles[k / 2 % 2], s.box, true, k < 4 ? 0 : 30};
        for (int i = 0; i < 90; i++) assert_int_equal(cm_dynamics_step(s.bodies, CM_REAL(1) / 60), CM_OK);
        check_that(cm_dynamics_get(s.bodies, s.box, &taken) == CM_STALE_ID, "%d: the body is still there", k);
        take_down(s.world, s.bodies);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_land_on_seams_as_on_one_floor),
                                       cmocka_unit_test(a_ball_dropped_beside_a_seam_goes_straight_up),
                                       cmocka_unit_test(round_bodies_bounce_off_tiles_as_off_one_floor),
                                       cmocka_unit_test(bodies_thrown_on_tiles_bounce_as_off_one_floor),
                                       cmocka_unit_test(a_tile_that_is_refused_holds_nothing),
                                       cmocka_unit_test(a_callback_may_take_what_lands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
