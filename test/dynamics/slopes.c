/* Bodies on slopes that their friction holds: they stay where they were put, whatever the ground is given as, whether
 * they are swept or not. The step's gravity must not move them down before the contact takes its speed away again. */
#include "dynamics/set_up.h"
#include "support/meshes.h"
#include "support/solids.h"
#include "support/standing.h"

#include "carom/compound.h"
#include "carom/hull.h"

#include <math.h>

#define PLAY_LIST(X)                                                                                                   \
    X(AUTO, "what is swept where it is fast stays")                                                                    \
    X(ALWAYS, "what is swept always stays")                                                                            \
    X(NEVER_PUSHED, "what is swept where it is fast and never pushed out stays")

typedef enum play {
#define PLAY_ENUM(name, text) PLAY_##name,
    PLAY_LIST(PLAY_ENUM)
#undef PLAY_ENUM
        PLAYS
} play;
static const char *const play_names[PLAYS] = {
#define PLAY_TEXT(name, text) text,
    PLAY_LIST(PLAY_TEXT)
#undef PLAY_TEXT
};

enum { BODY_BOX, BODY_ROUNDED_BOX, BODY_CYLINDER, BODY_CONE, BODY_PRISM, BODY_MESH, BODY_HALVES, BODIES };
static const char *const body_names[BODIES] = {"box", "rounded box", "cylinder", "cone", "prism", "mesh", "halves"};
enum { GROUND_HALFSPACE, GROUND_BOX, GROUND_HULL, GROUND_MESH, GROUND_FIELD, GROUND_COMPOUND, GROUNDS };
static const char *const ground_names[GROUNDS] = {"half-space", "box", "hull", "mesh", "height field", "compound"};

enum { CELLS = 8, LANDED = 30, CASES = PLAYS * BODIES * GROUNDS };

static cm_mesh *sheet, *cube;
static cm_height_field *field;
static cm_hull *slab, *prism;
static cm_compound *tiles, *halves;
static tally_table by_body = {play_names, body_names, PLAYS, BODIES, {{0}}, {{0}}, {{0}}};
static tally_table by_ground = {play_names, ground_names, PLAYS, GROUNDS, {{0}}, {{0}}, {{0}}};
static uint64_t seed;

/* --- grounds and bodies ------------------------------------------------------------------------------------------- */

static cm_hull *prism_of(int sides, double radius, double half_height) {
    cm_vec3 points[12];
    for (int i = 0; i < 2 * sides; i++) {
        const double angle = 6.283185307179586 * (0.5 + i / 2) / sides;
        points[i] = cm_v(CM_REAL(radius * cos(angle)), CM_REAL(radius * sin(angle)),
                         CM_REAL(i % 2 ? half_height : -half_height));
    }
    const cm_hull_desc desc = {.points = &points[0].x, .point_count = (uint32_t)(2 * sides)};
    cm_hull *out = NULL;
    assert_int_equal(cm_hull_build(&desc, NULL, &out, NULL), CM_OK);
    return out;
}

static cm_height_field *field_of(void) {
    static const cm_real heights[(CELLS + 1) * (CELLS + 1)];
    cm_height_field *out = NULL;
    const cm_height_field_desc desc = {.heights = heights,
                                       .columns = CELLS + 1,
                                       .rows = CELLS + 1,
                                       .column_spacing = CM_REAL(0.5),
                                       .row_spacing = CM_REAL(0.5),
                                       .origin = {-2, -2, 0}};
    assert_int_equal(cm_height_field_build(&desc, NULL, &out, NULL), CM_OK);
    return out;
}

static cm_compound *side_by_side(cm_vec3 half, cm_real between) {
    const cm_compound_child two[2] = {{.shape = cm_make_box(half), .pose = cm_pose_at(cm_v(between, 0, 0))},
                                      {.shape = cm_make_box(half), .pose = cm_pose_at(cm_v(-between, 0, 0))}};
    const cm_compound_desc desc = {.children = two, .count = 2};
    cm_compound *out = NULL;
    assert_int_equal(cm_compound_build(&desc, NULL, &out, NULL), CM_OK);
    return out;
}

/* Its top is the plane z = 0, but for that of what is a box: *top. */
static cm_shape ground_make(int kind, cm_real *top) {
    *top = kind == GROUND_BOX || kind == GROUND_HULL || kind == GROUND_COMPOUND ? CM_REAL(0.5) : 0;
    switch (kind) {
    case GROUND_HALFSPACE:
        return cm_make_halfspace(cm_v(0, 0, 1), 0);
    case GROUND_BOX:
        return cm_make_box(cm_v(2, 2, CM_REAL(0.5)));
    case GROUND_HULL:
        return cm_make_hull(slab);
    case GROUND_MESH:
        return cm_make_mesh(sheet);
    case GROUND_FIELD:
        return cm_make_height_field(field);
    default:
        return cm_make_compound(tiles);
    }
}

/* Upright, a quarter high over its foot, which is at least 0.2 wide to every side of its middle. */
static cm_shape body_make(int kind) {
    const cm_real fifth = CM_REAL(0.2), quarter = CM_REAL(0.25);
    switch (kind) {
    case BODY_BOX:
        return cm_make_box(cm_v(CM_REAL(0.3), fifth, quarter));
    case BODY_ROUNDED_BOX:
        return cm_make_rounded_box(cm_v(fifth, fifth, fifth), CM_REAL(0.05));
    case BODY_CYLINDER:
        return cm_make_cylinder(quarter, quarter);
    case BODY_CONE:
        return cm_make_cone(quarter, quarter);
    case BODY_PRISM:
        return cm_make_hull(prism);
    case BODY_MESH:
        return cm_make_mesh(cube);
    default:
        return cm_make_compound(halves);
    }
}

/* --- one sample --------------------------------------------------------------------------------------------------- */

typedef struct placing {
    play what;
    int body, ground;
    cm_pose ground_at, at;
    cm_body_desc as;
    cm_world_sweep_mode sweep;
} placing;

/* The slope is up to 0.95 of its friction, which is up to 0.6: less than 0.2 / 0.25, at which a body tips over. */
static placing placing_make(long number, cm_real top, rng *r) {
    placing p = {.what = (play)(number % PLAYS),
                 .body = (int)(number / PLAYS % BODIES),
                 .ground = (int)(number / (PLAYS * BODIES) % GROUNDS)};
    cm_quat yaw, turn;
    const double friction = 0.1 * (2 + rng_below(r, 5)), lean = atan(friction * rng_range(r, 0.3, 0.95));
    const double hovers = p.what == PLAY_NEVER_PUSHED ? 0 : 1e-4 * rng_below(r, 4);
    p.as.mass = 1, p.as.friction = CM_REAL(friction), p.as.response = CM_RESPONSE_BOUNCE;
    if (p.what != PLAY_NEVER_PUSHED) p.as.response |= CM_RESPONSE_PUSH_APART;
    p.sweep = p.what == PLAY_ALWAYS ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO;
    cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(nice_angle(r)), &turn);
    cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(nice_angle(r)), &yaw);
    cm_quat_from_axis_angle(cm_v(0, 1, 0), CM_REAL(lean), &p.ground_at.rotation);
    p.ground_at.rotation = cm_quat_mul(p.ground_at.rotation, turn);
    p.ground_at.position = cm_rotate(p.ground_at.rotation, cm_v(0, 0, -top));
    p.at.rotation = cm_quat_mul(p.ground_at.rotation, yaw);
    p.at.position =
        cm_rotate(p.ground_at.rotation, cm_v(CM_REAL(0.1) * (cm_real)rng_below(r, 11),
                                             CM_REAL(0.1) * (cm_real)rng_below(r, 11), CM_REAL(0.25 + hovers)));
    return p;
}

static void body_on_a_slope(long number) {
    rng r = sample_rng(seed, number);
    cm_real top;
    const cm_shape ground = ground_make((int)(number / (PLAYS * BODIES) % GROUNDS), &top);
    const placing p = placing_make(number, top, &r);
    const cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
    const cm_world_object_desc slope = {.shape = ground, .pose = p.ground_at, .fixed = true};
    const cm_world_object_desc object = {.shape = body_make(p.body), .pose = p.at, .sweep = p.sweep};
    cm_world *world;
    cm_dynamics *bodies;
    uint32_t id;
    cm_pose landed = p.at, now;
    const int steps = p.body == BODY_MESH ? 60 : 300; /* a mesh takes fifty times as long */
    set_up(NULL, &desc, &world, &bodies);
    assert_int_equal(cm_world_add(world, &slope, &id, NULL), CM_OK);
    assert_int_equal(cm_world_add(world, &object, &id, NULL), CM_OK);
    assert_int_equal(cm_dynamics_add(bodies, id, &p.as), CM_OK);
    for (int s = 0; s < steps; s++) {
        assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1) / 60), CM_OK);
        if (s == LANDED) assert_int_equal(cm_world_get_pose(world, id, &landed), CM_OK);
    }
    assert_int_equal(cm_world_get_pose(world, id, &now), CM_OK);
    const cm_body_state state = body_state(bodies, id);
    /* landing it may slip by what gravity does in a step or two; afterwards by nothing but the rounding of a step */
    const double slipped = (double)cm_length(cm_sub(landed.position, p.at.position));
    const double crept = (double)cm_length(cm_sub(now.position, landed.position));
    const double tilt = (double)cm_dot(cm_rotate(now.rotation, cm_v(0, 0, 1)), cm_rotate(p.at.rotation, cm_v(0, 0, 1)));
    const bool fine = slipped < 3e-3 && crept < 4e-7 * (steps - LANDED) && tilt > 1 - 1e-6 &&
                      (double)cm_length(state.velocity) < 2e-2 && (double)cm_length(state.spin) < 2e-2;
    const bool first = tally_note(&by_ground, (int)p.what, p.ground, fine);
    if (tally_note(&by_body, (int)p.what, p.body, fine) || first) {
        print_error("  sample %ld: %s on a slope, a %s: not %s\n", number, body_names[p.body], ground_names[p.ground],
                    play_names[p.what]);
        pose_print("from", &p.at), pose_print("landed", &landed), pose_print("now", &now);
        print_error("  slipped %g, then crept %g; velocity %g, spin %g, tilt %g\n", slipped, crept,
                    (double)cm_length(state.velocity), (double)cm_length(state.spin), 1 - tilt);
    }
    take_down(world, bodies);
}

static int ask_all(void **state) {
    (void)state;
    const cm_real fifth = CM_REAL(0.2), quarter = CM_REAL(0.25);
    sheet = surface_sheet(2, 2, CELLS), field = field_of();
    cube = solid_box(fifth, fifth, quarter, 1, false);
    slab = prism_of(6, 3, 0.5), prism = prism_of(6, 0.3, 0.25);
    tiles = side_by_side(cm_v(1, 2, CM_REAL(0.5)), 1);
    halves = side_by_side(cm_v(CM_REAL(0.15), fifth, quarter), CM_REAL(0.15));
    sample_cases("slopes", 2029, CASES, 50, &seed, body_on_a_slope);
    return 0;
}
static int free_all(void **state) {
    (void)state;
    cm_mesh_destroy(sheet, NULL), cm_mesh_destroy(cube, NULL);
    cm_height_field_destroy(field, NULL);
    cm_hull_destroy(slab, NULL), cm_hull_destroy(prism, NULL);
    cm_compound_destroy(tiles, NULL), cm_compound_destroy(halves, NULL);
    return 0;
}

/* --- facts -------------------------------------------------------------------------------------------------------- */

static void check_play(play what) {
    tally_check(&by_body, &by_ground, (int)what, samples(CASES, 50 * CASES) / (PLAYS * BODIES));
}

static void what_is_swept_where_it_is_fast_stays_on_a_slope(void **state) {
    (void)state;
    check_play(PLAY_AUTO);
}
static void what_is_swept_always_stays_on_a_slope(void **state) {
    (void)state;
    check_play(PLAY_ALWAYS);
}
static void what_is_never_pushed_out_stays_on_a_slope(void **state) {
    (void)state;
    check_play(PLAY_NEVER_PUSHED);
}

/* A box that rises by 5 cm/s comes down within the step, 0.5 mm deep: its contact, which pushed for a part of the step
 * only, takes it back to the ground and no farther, and there it stays. */
static void what_hops_comes_down_to_touch(void **state) {
    (void)state;
    for (int pushed = 0; pushed < 2; pushed++) {
        const cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
        cm_body_desc body = {.velocity = {0, 0, CM_REAL(0.05)}, .mass = 1, .response = CM_RESPONSE_BOUNCE};
        cm_world *world;
        cm_dynamics *bodies;
        if (pushed) body.response |= CM_RESPONSE_PUSH_APART;
        set_up(NULL, &desc, &world, &bodies);
        put_object(world, bodies, cm_make_halfspace(cm_v(0, 0, 1), 0), cm_v(0, 0, 0), NULL, CM_WORLD_SWEEP_AUTO);
        const uint32_t id =
            put_object(world, bodies, body_make(BODY_BOX), cm_v(0, 0, CM_REAL(0.25)), &body, CM_WORLD_SWEEP_AUTO);
        for (int s = 0; s < 5; s++) {
            assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1) / 60), CM_OK);
            const double height = (double)body_state(bodies, id).center.z - 0.25;
            check_that(fabs(height) < 1e-6, "%g over the ground after %d steps, %s", height, s + 1,
                       pushed ? "pushed" : "not pushed");
        }
        take_down(world, bodies);
    }
}

/* A crate on a slope that its friction holds, a kilometer from the origin: poses are known to 6e-5 there in float, and
 * what touches is told up to 1.5 cm apart. It lies still all the same. */
static void what_is_far_from_the_origin_stays(void **state) {
    (void)state;
    for (int i = 0; i < 3 * GROUNDS; i++) {
        const int ground = i / 3;
        const cm_real away = CM_REAL(250 << i % 3);
        const cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
        const cm_body_desc body = {
            .mass = 1, .friction = CM_REAL(0.6), .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};
        cm_real top;
        cm_world_object_desc slope = {.shape = ground_make(ground, &top), .fixed = true};
        cm_world *world;
        cm_dynamics *bodies;
        uint32_t id;
        cm_quat_from_axis_angle(cm_v(0, 1, 0), CM_REAL(0.4), &slope.pose.rotation);
        const cm_vec3 up = cm_rotate(slope.pose.rotation, cm_v(0, 0, 1)), at = cm_v(away, away, 0);
        slope.pose.position = cm_mul_add(at, -top, up);
        cm_world_object_desc crate = {.shape = body_make(BODY_BOX), .pose = slope.pose};
        crate.pose.position = cm_mul_add(at, CM_REAL(0.25), up);
        set_up(NULL, &desc, &world, &bodies);
        assert_int_equal(cm_world_add(world, &slope, &id, NULL), CM_OK);
        assert_int_equal(cm_world_add(world, &crate, &id, NULL), CM_OK);
        assert_int_equal(cm_dynamics_add(bodies, id, &body), CM_OK);
        double most = 0;
        for (int s = 0; s < 120; s++) {
            assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1) / 60), CM_OK);
            most = fmax(most, (double)cm_length(cm_sub(body_state(bodies, id).center, crate.pose.position)));
        }
        check_that(most < 1e-3, "%s, %g away: moved by %g", ground_names[ground], (double)away, most);
        take_down(world, bodies);
    }
}

/* A tall box of 2,028 triangles on a mesh that is half a degree steeper than it stands on: it tips over, and does
 * not rock on its edge, held by the sides of what it stands on. */
static void what_is_finely_cut_tips_beyond_its_angle(void **state) {
    (void)state;
    const cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
    const cm_body_desc body = {.mass = 1, .friction = 1, .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};
    const cm_vec3 half = cm_v(CM_REAL(0.2), CM_REAL(0.3), CM_REAL(0.5)), wide = cm_v(5, 5, CM_REAL(0.5));
    soup fine = {0}, coarse = {0};
    soup_add_box(&fine, cm_scale(half, -1), half, 13, false, false);
    soup_add_box(&coarse, cm_scale(wide, -1), wide, 7, false, false);
    cm_mesh *crate = soup_build(&fine, true), *ground = soup_build(&coarse, true);
    cm_world_object_desc on = {.shape = cm_make_mesh(ground), .fixed = true}, stands = {.shape = cm_make_mesh(crate)};
    cm_quat_from_axis_angle(cm_v(0, 1, 0), CM_REAL(atan2(0.2, 0.5) + 0.5 * 0.017453292519943295), &on.pose.rotation);
    const cm_vec3 up = cm_rotate(on.pose.rotation, cm_v(0, 0, 1));
    on.pose.position = cm_scale(up, CM_REAL(-0.5));
    stands.pose = (cm_pose){cm_scale(up, CM_REAL(0.5)), on.pose.rotation};
    cm_world *world;
    cm_dynamics *bodies;
    uint32_t id;
    set_up(NULL, &desc, &world, &bodies);
    assert_int_equal(cm_world_add(world, &on, &id, NULL), CM_OK);
    assert_int_equal(cm_world_add(world, &stands, &id, NULL), CM_OK);
    assert_int_equal(cm_dynamics_add(bodies, id, &body), CM_OK);
    for (int s = 0; s < 240; s++) assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1) / 60), CM_OK);
    cm_pose now;
    assert_int_equal(cm_world_get_pose(world, id, &now), CM_OK);
    const double upright = (double)cm_dot(cm_rotate(now.rotation, cm_v(0, 0, 1)), up);
    check_that(upright < 0.1, "after 4 s its axis is at a cosine of %g to the ground's normal", upright);
    take_down(world, bodies);
    cm_mesh_destroy(crate, NULL), cm_mesh_destroy(ground, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_swept_where_it_is_fast_stays_on_a_slope),
        cmocka_unit_test(what_is_swept_always_stays_on_a_slope),
        cmocka_unit_test(what_is_never_pushed_out_stays_on_a_slope),
        cmocka_unit_test(what_hops_comes_down_to_touch),
        cmocka_unit_test(what_is_far_from_the_origin_stays),
        cmocka_unit_test(what_is_finely_cut_tips_beyond_its_angle),
    };
    return cmocka_run_group_tests(tests, ask_all, free_all);
}
