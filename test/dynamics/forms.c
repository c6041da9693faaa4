/* Bodies at rest, sliding and turning on a table: they do the same whatever the two are given as, a box, a hull, a mesh
 * of few or many triangles or a compound, and that is what a box on a plane does: lie, slide straight on, turn on. */
#include "dynamics/set_up.h"
#include "support/standing.h"

#include <stdlib.h>

#define PLAY_LIST(X)                                                                                                   \
    X(LIES, "a box that is put down lies still")                                                                       \
    X(SLIDES, "a box without friction slides straight on")                                                             \
    X(TURNS, "a box without friction turns on where it is")

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

enum { PAIRS = FORM_KINDS * FORM_KINDS };

static tally_table by_body = {play_names, form_names, PLAYS, FORM_KINDS, {{0}}, {{0}}, {{0}}};
static tally_table by_table = {play_names, form_names, PLAYS, FORM_KINDS, {{0}}, {{0}}, {{0}}};
static uint64_t seed;

/* How a box is put on the table, and what it is given. */
typedef struct placing {
    play what;
    cm_vec3 half;
    cm_pose at;
    cm_body_desc as;
    cm_world_sweep_mode sweep;
    int steps;
} placing;

static placing placing_make(play what, rng *r) {
    static const double halves[] = {0.1, 0.2, 0.25, 0.3, 0.5};
    placing p = {.what = what, .at = cm_pose_identity()};
    p.half = cm_v(CM_REAL(halves[rng_below(r, 5)]), CM_REAL(halves[rng_below(r, 5)]), CM_REAL(halves[rng_below(r, 5)]));
    p.sweep = rng_below(r, 2) ? CM_WORLD_SWEEP_AUTO : CM_WORLD_SWEEP_ALWAYS;
    p.as.mass = 1, p.as.response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART;
    if (what == PLAY_SLIDES) p.as.velocity = cm_v(CM_REAL(nice_offset(r)), CM_REAL(nice_offset(r)), 0);
    while (cm_largest(p.as.velocity) > 2) p.as.velocity = cm_scale(p.as.velocity, CM_REAL(0.5));
    if (what == PLAY_TURNS) p.as.spin.z = CM_REAL(rng_below(r, 2) ? 5 : -2);
    if (what == PLAY_LIES) p.as.friction = CM_REAL(0.5);
    cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(nice_angle(r)), &p.at.rotation);
    p.at.position = cm_v(CM_REAL(0.1 * rng_below(r, 11)), CM_REAL(0.1 * rng_below(r, 11)), p.half.z);
    if (what == PLAY_LIES) p.at.position.z += cm_largest(p.half) / 100; /* it falls there */
    return p;
}

/* Where a box on a plane would be: within 2e-4 of its size, and a thousandth of a radian. */
static bool is_as_it_should(const placing *p, const cm_pose *now, const cm_body_state *state) {
    const double size = (double)cm_largest(p->half), near = 2e-4 * size, t = p->steps / 60.0;
    const cm_vec3 from = p->at.position, up = cm_rotate(now->rotation, cm_v(0, 0, 1));
    const double off_x = (double)now->position.x - (double)from.x - t * (double)p->as.velocity.x;
    const double off_y = (double)now->position.y - (double)from.y - t * (double)p->as.velocity.y;
    const double off_z = (double)now->position.z - (double)p->half.z, spin = (double)p->as.spin.z;
    return fabs(off_x) < near && fabs(off_y) < near && fabs(off_z) < near && fabs((double)up.x) < 1e-3 &&
           fabs((double)up.y) < 1e-3 && fabs((double)state->spin.z - spin) < 1e-3 * (1 + fabs(spin)) &&
           fabs((double)state->spin.x) < 1e-2 && fabs((double)state->spin.y) < 1e-2;
}

static void note(long number, const placing *p, const form *table, const form *body, const cm_pose *now,
                 const cm_body_state *state) {
    const bool fine = is_as_it_should(p, now, state);
    const bool first = tally_note(&by_table, (int)p->what, (int)table->kind, fine);
    if (!tally_note(&by_body, (int)p->what, (int)body->kind, fine) && !first) return;
    print_error("  sample %ld: %s on %s of these halves: (%g, %g, %g), swept %s: not %s\n", number,
                form_names[body->kind], form_names[table->kind], (double)p->half.x, (double)p->half.y,
                (double)p->half.z, p->sweep ? "always" : "where fast", play_names[p->what]);
    pose_print("from", &p->at), pose_print("now", now);
    print_error("  velocity (%g, %g, %g), before (%g, %g, 0); spin (%g, %g, %g), before (0, 0, %g)\n",
                (double)state->velocity.x, (double)state->velocity.y, (double)state->velocity.z,
                (double)p->as.velocity.x, (double)p->as.velocity.y, (double)state->spin.x, (double)state->spin.y,
                (double)state->spin.z, (double)p->as.spin.z);
}

static bool is_of_many(form_kind kind) { return kind == FORM_MESH_192 || kind == FORM_FANS || kind == FORM_WALLS; }

/* Mesh against mesh takes a hundred times as long as a box. */
static int steps_of(form_kind of_table, form_kind of_body) {
    return !is_of_many(of_body) ? samples(12, 60) : !is_of_many(of_table) ? samples(6, 60) : samples(4, 60);
}

/* Sample after sample all pairs of forms, each time with the next play. */
static void box_on_a_table(long number) {
    rng r = sample_rng(seed, number);
    const form_kind of_table = (form_kind)(number % FORM_KINDS),
                    of_body = (form_kind)(number / FORM_KINDS % FORM_KINDS);
    const cm_vec3 table_half = cm_v(4, 4, CM_REAL(0.25));
    placing p = placing_make((play)((number + number / PAIRS) % PLAYS), &r);
    p.steps = steps_of(of_table, of_body);
    form table, body;
    form_box(&table, of_table, table_half, &r), form_box(&body, of_body, p.half, &r);

    cm_world *world;
    cm_dynamics *bodies;
    const cm_dynamics_desc desc = {.gravity = {0, 0, -10}};
    set_up(NULL, &desc, &world, &bodies);
    put_object(world, bodies, table.shape, cm_v(0, 0, -table_half.z), NULL, CM_WORLD_SWEEP_AUTO);
    const cm_world_object_desc object = {.shape = body.shape, .pose = p.at, .sweep = p.sweep};
    uint32_t id;
    assert_int_equal(cm_world_add(world, &object, &id, NULL), CM_OK);
    assert_int_equal(cm_dynamics_add(bodies, id, &p.as), CM_OK);
    for (int s = 0; s < p.steps; s++) assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1) / 60), CM_OK);

    const cm_body_state state = body_state(bodies, id);
    cm_pose now;
    assert_int_equal(cm_world_get_pose(world, id, &now), CM_OK);
    note(number, &p, &table, &body, &now, &state);
    take_down(world, bodies);
    form_free(&table), form_free(&body);
}

static int ask_all(void **state) {
    (void)state;
    sample_cases("boxes on a table", 2011, PAIRS, 30, &seed, box_on_a_table);
    return 0;
}

static void check_play(play what) {
    tally_check(&by_body, &by_table, (int)what, samples(PAIRS, 30 * PAIRS) / (PLAYS * FORM_KINDS));
}

static void a_box_lies_still_in_every_form(void **state) {
    (void)state;
    check_play(PLAY_LIES);
}
static void a_box_slides_straight_on_in_every_form(void **state) {
    (void)state;
    check_play(PLAY_SLIDES);
}
static void a_box_turns_on_in_every_form(void **state) {
    (void)state;
    check_play(PLAY_TURNS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_lies_still_in_every_form),
        cmocka_unit_test(a_box_slides_straight_on_in_every_form),
        cmocka_unit_test(a_box_turns_on_in_every_form),
    };
    return cmocka_run_group_tests(tests, ask_all, NULL);
}
