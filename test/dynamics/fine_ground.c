/* Bodies on fine ground, a flat mesh or height field of 8,192 triangles, and in the corner of a room of three such
 * sheets: they stand on dozens of triangles at once, and do what they would do on planes. */
#include "dynamics/set_up.h"
#include "support/solids.h"
#include "support/standing.h"

#include <math.h>
#include <stdlib.h>

#define PLAY_LIST(X)                                                                                                   \
    X(LIES, "what is put down lies still")                                                                             \
    X(EDGE, "what is put down over the edge of the ground lies still")                                                 \
    X(SLIDES, "what slides without friction goes straight on")                                                         \
    X(TURNS, "what turns without friction turns on where it is")                                                       \
    X(CORNER, "what is pulled into a corner fits into it")

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

/* Upright, each with its center over the middle of the face or line that it stands on. */
enum { BODY_BOX, BODY_WIDE_BOX, BODY_ROUNDED_BOX, BODY_CYLINDER, BODY_CONE, BODY_PRISM, BODY_LOG, BODY_BALL, BODIES };
static const char *const body_names[BODIES] = {"box",  "wide box", "rounded box", "cylinder",
                                               "cone", "prism",    "log",         "ball"};

enum { CELLS = 64, ROOM_CELLS = 24, CASES = PLAYS * BODIES };
static const double half_ground = 4, half_room = 1.5;

static cm_mesh *mesh, *room;
static cm_height_field *field;
static cm_hull *prism;
static tally_table table = {play_names, body_names, PLAYS, BODIES, {{0}}, {{0}}, {{0}}};
static uint64_t seed;

/* --- grounds and bodies ------------------------------------------------------------------------------------------- */

/* Floor and two walls, from the origin on to +x, +y and +z; normals inward. */
static cm_mesh *room_make(void) {
    soup s = {0};
    for (int side = 0; side < 3; side++) {
        const cm_real third = CM_REAL(2.0943951023931953), h = CM_REAL(half_room);
        cm_pose turn = cm_pose_identity(), out = cm_pose_at(cm_v(h, h, 0));
        cm_quat_from_axis_angle(cm_v(1, 1, 1), third, &turn.rotation); /* x to y to z to x */
        soup_move(&s, &turn);
        soup sheet = {0};
        soup_add_sheet(&sheet, h, h, ROOM_CELLS);
        soup_move(&sheet, &out);
        for (uint32_t i = 0; i < sheet.triangles; i++) {
            const cm_real *n = &sheet.numbers[9 * i];
            soup_add(&s, cm_v(n[0], n[1], n[2]), cm_v(n[3], n[4], n[5]), cm_v(n[6], n[7], n[8]));
        }
        free(sheet.numbers);
    }
    return soup_build(&s, false);
}

static cm_height_field *field_make(void) {
    static const cm_real heights[(CELLS + 1) * (CELLS + 1)];
    cm_height_field *out = NULL;
    const cm_real cell = CM_REAL(2 * half_ground / CELLS), from = CM_REAL(-half_ground);
    const cm_height_field_desc desc = {.heights = heights,
                                       .columns = CELLS + 1,
                                       .rows = CELLS + 1,
                                       .column_spacing = cell,
                                       .row_spacing = cell,
                                       .origin = {from, from, 0}};
    assert_int_equal(cm_height_field_build(&desc, NULL, &out, NULL), CM_OK);
    return out;
}

static cm_hull *prism_make(void) {
    cm_vec3 points[12];
    for (int i = 0; i < 12; i++) {
        const double angle = 6.283185307179586 * (i / 2) / 6;
        points[i] = cm_v(CM_REAL(0.3 * cos(angle)), CM_REAL(0.3 * sin(angle)), CM_REAL(i % 2 ? 0.25 : -0.25));
    }
    const cm_hull_desc desc = {.points = &points[0].x, .point_count = 12};
    cm_hull *out = NULL;
    assert_int_equal(cm_hull_build(&desc, NULL, &out, NULL), CM_OK);
    return out;
}

static cm_shape body_make(int kind) {
    const cm_real fifth = CM_REAL(0.2), quarter = CM_REAL(0.25), third = CM_REAL(0.3);
    switch (kind) {
    case BODY_BOX:
        return cm_make_box(cm_v(third, fifth, quarter));
    case BODY_WIDE_BOX:
        return cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.4), quarter));
    case BODY_ROUNDED_BOX:
        return cm_make_rounded_box(cm_v(quarter, fifth, fifth), CM_REAL(0.05));
    case BODY_CYLINDER:
        return cm_make_cylinder(quarter, third);
    case BODY_CONE:
        return cm_make_cone(quarter, third);
    case BODY_PRISM:
        return cm_make_hull(prism);
    case BODY_LOG:
        return cm_make_capsule(cm_v(-third, 0, 0), cm_v(third, 0, 0), fifth);
    default:
        return ball(0.3);
    }
}

/* --- one sample --------------------------------------------------------------------------------------------------- */

typedef struct placing {
    play what;
    int kind, steps;
    cm_shape shape, ground;
    cm_vec3 low, gravity; /* where its box begins, as it stands */
    cm_pose at;
    cm_body_desc as;
    cm_world_sweep_mode sweep;
} placing;

static placing placing_make(int which, rng *r) {
    placing p = {.what = (play)(which % PLAYS), .kind = which / PLAYS, .at = cm_pose_identity()};
    cm_aabb box;
    p.steps = samples(12, 60);
    p.shape = body_make(p.kind), p.gravity = cm_v(0, 0, -10);
    p.ground = rng_below(r, 2) ? cm_make_height_field(field) : cm_make_mesh(mesh);
    p.sweep = rng_below(r, 2) ? CM_WORLD_SWEEP_AUTO : CM_WORLD_SWEEP_ALWAYS;
    cm_shape_bounds(&p.shape, &p.at, &box), p.low = box.min;
    p.as.mass = 1, p.as.response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART;
    if (p.what != PLAY_CORNER) cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(nice_angle(r)), &p.at.rotation);
    p.at.position = cm_v(CM_REAL(0.1 * rng_below(r, 11)), CM_REAL(0.1 * rng_below(r, 11)), -p.low.z);
    const cm_real fall = CM_REAL(0.003);
    if (p.what == PLAY_EDGE) p.at.position.x = CM_REAL(3.9), p.at.rotation = cm_quat_identity(); /* it ends at 4 */
    if (p.what == PLAY_EDGE || p.what == PLAY_LIES) p.at.position.z += fall, p.as.friction = CM_REAL(0.5);
    if (p.what == PLAY_SLIDES) p.as.velocity = cm_v(CM_REAL(rng_range(r, -2, 2)), CM_REAL(rng_range(r, -2, 2)), 0);
    if (p.what == PLAY_TURNS) p.as.spin.z = rng_below(r, 2) ? 3 : -2;
    if (p.what == PLAY_CORNER) {
        p.ground = cm_make_mesh(room), p.gravity = cm_v(-5, -5, -8), p.as.friction = CM_REAL(0.1);
        p.at.position = cm_add(cm_neg(p.low), cm_v(fall, 2 * fall, fall));
    }
    return p;
}

/* Where it would be on a plane; between three, which push it one after the other so that it trembles, within what half
 * a step's acceleration moves it, and turning by less than a tenth of what that gives in a step. */
static bool is_as_it_should(const placing *p, const cm_pose *now, const cm_body_state *state) {
    const double t = p->steps / 60.0, near = p->what == PLAY_CORNER ? 2e-3 : 2e-4;
    cm_vec3 to = cm_v(p->at.position.x, p->at.position.y, -p->low.z), spin = state->spin;
    if (p->what == PLAY_CORNER) to = cm_neg(p->low);
    to = cm_mul_add(to, CM_REAL(t), p->as.velocity), spin.z -= p->as.spin.z;
    const cm_vec3 off = cm_sub(now->position, to), up = cm_rotate(now->rotation, cm_v(0, 0, 1));
    if (!((double)cm_largest(off) < near)) return false;
    if (p->kind == BODY_BALL) return p->what != PLAY_TURNS || (double)cm_largest(spin) < 2e-3; /* else it may roll */
    const double tilt = p->what == PLAY_CORNER ? 8e-3 : 1e-3;
    return fabs((double)up.x) < tilt && fabs((double)up.y) < tilt &&
           (double)cm_largest(spin) < (p->what == PLAY_CORNER ? 5e-2 : 2e-2);
}

static void put_it_there(long number, const placing *placed) {
    const placing p = *placed;
    const cm_dynamics_desc desc = {.gravity = p.gravity};
    const cm_world_object_desc object = {.shape = p.shape, .pose = p.at, .sweep = p.sweep};
    cm_world *world;
    cm_dynamics *bodies;
    uint32_t id;
    cm_pose now;
    set_up(NULL, &desc, &world, &bodies);
    put_object(world, bodies, p.ground, cm_v(0, 0, 0), NULL, CM_WORLD_SWEEP_AUTO);
    assert_int_equal(cm_world_add(world, &object, &id, NULL), CM_OK);
    assert_int_equal(cm_dynamics_add(bodies, id, &p.as), CM_OK);
    for (int s = 0; s < p.steps; s++) assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1) / 60), CM_OK);
    const cm_body_state state = body_state(bodies, id);
    assert_int_equal(cm_world_get_pose(world, id, &now), CM_OK);
    if (tally_note(&table, (int)p.what, p.kind, is_as_it_should(&p, &now, &state))) {
        print_error("  sample %ld: %s on a %s, swept %s: not %s\n", number, body_names[p.kind],
                    p.ground.kind == CM_SHAPE_MESH ? "mesh" : "field", p.sweep ? "always" : "where fast",
                    play_names[p.what]);
        pose_print("from", &p.at), pose_print("now", &now);
        print_error("  velocity (%g, %g, %g), before (%g, %g, 0); spin (%g, %g, %g), before (0, 0, %g)\n",
                    (double)state.velocity.x, (double)state.velocity.y, (double)state.velocity.z,
                    (double)p.as.velocity.x, (double)p.as.velocity.y, (double)state.spin.x, (double)state.spin.y,
                    (double)state.spin.z, (double)p.as.spin.z);
    }
    take_down(world, bodies);
}

/* Into the corner in both ways of the world, as the walls push what is swept one after the other within the step. */
static void body_on_the_ground(long number) {
    rng r = sample_rng(seed, number);
    placing p = placing_make((int)(number % CASES), &r);
    put_it_there(number, &p);
    if (p.what != PLAY_CORNER) return;
    p.sweep = p.sweep == CM_WORLD_SWEEP_AUTO ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO;
    put_it_there(number, &p);
}

static int ask_all(void **state) {
    (void)state;
    const cm_real half = CM_REAL(half_ground);
    mesh = surface_sheet(half, half, CELLS), room = room_make(), field = field_make(), prism = prism_make();
    sample_cases("fine ground", 2017, CASES, 50, &seed, body_on_the_ground);
    return 0;
}
static int free_all(void **state) {
    (void)state;
    cm_mesh_destroy(mesh, NULL), cm_mesh_destroy(room, NULL);
    cm_height_field_destroy(field, NULL);
    cm_hull_destroy(prism, NULL);
    return 0;
}

/* --- facts -------------------------------------------------------------------------------------------------------- */

static void check_play(play what) {
    tally_check(&table, NULL, (int)what, samples(CASES, 50 * CASES) / (PLAYS * BODIES));
}

static void what_is_put_down_lies_still(void **state) {
    (void)state;
    check_play(PLAY_LIES);
}
static void what_is_put_down_over_an_edge_lies_still(void **state) {
    (void)state;
    check_play(PLAY_EDGE);
}
static void what_slides_goes_straight_on(void **state) {
    (void)state;
    check_play(PLAY_SLIDES);
}
static void what_turns_turns_on(void **state) {
    (void)state;
    check_play(PLAY_TURNS);
}
static void what_is_pulled_into_a_corner_fits_into_it(void **state) {
    (void)state;
    check_play(PLAY_CORNER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_put_down_lies_still),
        cmocka_unit_test(what_is_put_down_over_an_edge_lies_still),
        cmocka_unit_test(what_slides_goes_straight_on),
        cmocka_unit_test(what_turns_turns_on),
        cmocka_unit_test(what_is_pulled_into_a_corner_fits_into_it),
    };
    return cmocka_run_group_tests(tests, ask_all, free_all);
}
