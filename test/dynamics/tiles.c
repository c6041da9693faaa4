/* Bodies that slide, without friction, over a floor of separate tiles, flush with each other: they go on as over one
 * floor, pulled down or not, swept always or where they are fast. No tile's side is in their way, be it a box, in any
 * of its forms, or a sheet of triangles, also where a step ends a hair before it. A tile that is higher, or a wall,
 * is. */
#include "dynamics/set_up.h"
#include "support/solids.h"
#include "support/standing.h"

#include <math.h>

enum { BODY_BOX, BODY_SPHERE, BODY_CAPSULE, BODY_CYLINDER, BODY_ROUNDED_BOX, BODIES, STEPS = 120 };
static const char *const body_names[BODIES] = {"box", "ball", "capsule", "cylinder", "rounded box"};

/* Each stands 1/4 high over its foot. */
static cm_shape body_of(int kind) {
    const cm_real r = CM_REAL(0.25);
    switch (kind) {
    case BODY_BOX:
        return cm_make_box(cm_v(r, r, r));
    case BODY_SPHERE:
        return ball(0.25);
    case BODY_CAPSULE:
        return cm_make_capsule(cm_v(0, -r, 0), cm_v(0, r, 0), r);
    case BODY_CYLINDER:
        return cm_make_cylinder(r, r);
    default:
        return cm_make_rounded_box(cm_v(r / 2, r / 2, r / 2), r / 2);
    }
}

/* The tiles' tops are at `half`; that of a sheet is where it is. */
static void put_floor(cm_world *world, cm_dynamics *bodies, const cm_shape *tile, cm_real half, bool sheet) {
    for (int i = -2; i < 12; i++)
        for (int j = -2; j < 4; j++)
            put_object(world, bodies, *tile, cm_v(2 * half * (cm_real)i, 2 * half * (cm_real)j, sheet ? half : 0), NULL,
                       CM_WORLD_SWEEP_AUTO);
}

/* What tiles are made of: a form of a box, or a sheet of triangles on top. */
typedef struct paving {
    cm_shape shape;
    form box;
    cm_mesh *sheet;
} paving;

static paving paving_make(int kind, cm_real half, rng *r) {
    paving p = {.sheet = kind == FORM_KINDS ? surface_sheet(half, half, 3) : NULL};
    if (!p.sheet) form_box(&p.box, (form_kind)kind, cm_v(half, half, half), r);
    p.shape = p.sheet ? cm_make_mesh(p.sheet) : p.box.shape;
    return p;
}

static void paving_free(paving *p) {
    if (p->sheet)
        cm_mesh_destroy(p->sheet, NULL);
    else
        form_free(&p->box);
}

/* The way that it went along x, as a part of that which its velocity takes it. */
static double slide(int kind, int tile, bool pulled, cm_world_sweep_mode sweep, rng *r) {
    const cm_dynamics_desc desc = {.gravity = {0, 0, pulled ? CM_REAL(-9.81) : 0}};
    const cm_real half = CM_REAL(rng_range(r, 0.25, 0.35)), speed = CM_REAL(rng_range(r, 1, 2));
    cm_world *world;
    cm_dynamics *bodies;
    set_up(NULL, &desc, &world, &bodies);
    paving of = paving_make(tile, half, r);
    put_floor(world, bodies, &of.shape, half, of.sheet);
    cm_world_object_desc object = {.shape = body_of(kind), .pose = cm_pose_identity(), .sweep = sweep};
    object.pose.position = cm_v(0, CM_REAL(0.07), half + CM_REAL(0.25));
    if (rng_below(r, 2)) cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(0.4), &object.pose.rotation);
    const cm_body_desc body = {
        .mass = 1, .velocity = {speed, CM_REAL(0.2), 0}, .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};
    uint32_t id = 0;
    assert_int_equal(cm_world_add(world, &object, &id, NULL), CM_OK);
    assert_int_equal(cm_dynamics_add(bodies, id, &body), CM_OK);
    for (int i = 0; i < STEPS; i++) assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1) / 60), CM_OK);
    cm_pose pose;
    assert_int_equal(cm_world_get_pose(world, id, &pose), CM_OK);
    take_down(world, bodies);
    paving_free(&of);
    return 60 * (double)pose.position.x / ((double)speed * STEPS);
}

static void tiles_do_not_stop_what_slides(void **state) {
    (void)state;
    rng r = rng_start("tiles", 9417);
    enum { WAYS = 4 };
    const int runs = samples(9, 90);
    double sum[WAYS][BODIES] = {{0}};
    int slides[WAYS][BODIES] = {{0}};
    for (int i = 0; i < runs * WAYS * BODIES; i++) {
        const int kind = i / WAYS % BODIES;
        const bool pulled = i % 2 != 0;
        const cm_world_sweep_mode sweep = i / 2 % 2 ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO;
        const int tile = i / (WAYS * BODIES) % (FORM_KINDS + 1);
        if ((i + kind + tile) % share() != 0) continue;
        const double way = slide(kind, tile, pulled, sweep, &r);
        sum[i % WAYS][kind] += way, slides[i % WAYS][kind]++;
        check_that(way > 0.96 && way < 1.01, "%d: a %s on %s%s%s went %.3f of its way", i, body_names[kind],
                   tile < FORM_KINDS ? form_names[tile] : "sheets", pulled ? ", pulled down" : "",
                   sweep == CM_WORLD_SWEEP_ALWAYS ? ", swept always" : "", way);
    }
    for (int way = 0; way < WAYS; way++)
        for (int kind = 0; kind < BODIES; kind++)
            check_that(slides[way][kind] > 0 && sum[way][kind] > 0.98 * slides[way][kind], "%s%s%s: %.3f of their ways",
                       body_names[kind], way % 2 ? ", pulled down" : "", way / 2 ? ", swept always" : "",
                       sum[way][kind] / slides[way][kind]);
}

/* --- where a step ends a hair before the next tile ---------------------------------------------------------------- */

enum { LEVEL, LIP, WALL, NEXT, BEFORE = 2, AFTER = 10 };

/* What slides, and what it comes to. */
typedef struct arrival {
    int kind, tile, next;
    bool pulled, turned;
    cm_world_sweep_mode sweep;
    double half, speed;
    double gap, over; /* ulps of 1: how far before the next tile a step ends, and how high over the floor it is */
} arrival;

static arrival any_arrival(int i, rng *r) {
    static const double ulps[] = {-16, -4, -1, -0.5, -0.25, 0, 0.25, 0.5, 1, 4, 16, 48};
    arrival a = {.kind = i % BODIES, .tile = i / BODIES % (FORM_KINDS + 1), .next = (int)rng_below(r, NEXT)};
    const bool flat = a.kind == BODY_BOX || a.kind == BODY_CYLINDER;
    if (a.next == LIP && !flat) a.next = LEVEL; /* what is round gets over it */
    a.pulled = rng_below(r, 2), a.turned = rng_below(r, 2);
    a.sweep = rng_below(r, 2) ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO;
    a.half = rng_below(r, 2) ? 0.25 : rng_range(r, 0.25, 0.35), a.speed = rng_below(r, 2) ? 1.5 : rng_range(r, 1, 2);
    a.gap = ulps[rng_below(r, 12)], a.over = (double)rng_below(r, 5) / 2 - 1;
    return a;
}

/* By how much the tiles beyond x = half are higher: by little, or all of their height. */
static double raised(const arrival *a) { return a->next == LEVEL ? 0 : a->next == LIP ? 1e-4 : 2 * a->half; }

/* Tiles around the first, whose side at x = half is what it comes to. A sheet has no side, but what is raised is a box.
 */
static void put_tiles(cm_world *world, cm_dynamics *bodies, const cm_shape *tile, const arrival *a) {
    const cm_real half = CM_REAL(a->half), up = CM_REAL(raised(a));
    const cm_shape box = cm_make_box(cm_v(half, half, half));
    for (int i = -2; i < 4; i++)
        for (int j = -2; j < 3; j++) {
            const bool beyond = i > 0 && up > 0;
            const cm_real z = beyond ? up : a->tile == FORM_KINDS ? half : 0;
            put_object(world, bodies, beyond ? box : *tile, cm_v(2 * half * (cm_real)i, 2 * half * (cm_real)j, z), NULL,
                       CM_WORLD_SWEEP_AUTO);
        }
}

/* Where it is and how fast AFTER steps later, from where that step ends. */
static cm_vec3 arrive(const arrival *a, rng *r, cm_body_state *state) {
    const cm_dynamics_desc desc = {.gravity = {0, 0, a->pulled ? CM_REAL(-9.81) : 0}};
    const cm_real half = CM_REAL(a->half), dt = CM_REAL(1) / 60;
    cm_world *world;
    cm_dynamics *bodies;
    set_up(NULL, &desc, &world, &bodies);
    paving of = paving_make(a->tile, half, r);
    put_tiles(world, bodies, &of.shape, a);
    cm_world_object_desc object = {.shape = body_of(a->kind), .pose = cm_pose_identity(), .sweep = a->sweep};
    if (a->turned) cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(0.4), &object.pose.rotation);
    cm_aabb box;
    cm_shape_bounds(&object.shape, &object.pose, &box);
    const cm_real before = CM_REAL(a->gap) * CM_REAL_EPSILON, end = half - box.max.x - before;
    object.pose.position = cm_v(end - BEFORE * (CM_REAL(a->speed) * dt), CM_REAL(0.07),
                                half + CM_REAL(0.25) + CM_REAL(a->over) * CM_REAL_EPSILON);
    const cm_body_desc body = {.mass = 1,
                               .velocity = {CM_REAL(a->speed), CM_REAL(0.2), 0},
                               .response = (a->next == LEVEL ? CM_RESPONSE_BOUNCE : CM_RESPONSE_SLIDE) |
                                           CM_RESPONSE_PUSH_APART}; /* which does not tip over a lip */
    uint32_t id = 0;
    assert_int_equal(cm_world_add(world, &object, &id, NULL), CM_OK);
    assert_int_equal(cm_dynamics_add(bodies, id, &body), CM_OK);
    for (int i = 0; i < BEFORE + AFTER; i++) assert_int_equal(cm_dynamics_step(bodies, dt), CM_OK);
    cm_pose pose;
    assert_int_equal(cm_world_get_pose(world, id, &pose), CM_OK);
    *state = body_state(bodies, id);
    take_down(world, bodies);
    paving_free(&of);
    return cm_v(pose.position.x - end, 0, pose.position.z - half - CM_REAL(0.25));
}

static void a_step_may_end_a_hair_before_the_next_tile(void **state) {
    (void)state;
    rng r = rng_start("tiles ahead", 5117);
    for (int i = 0; i < samples(600, 60000); i++) {
        const arrival a = any_arrival(i, &r);
        cm_body_state got;
        const cm_vec3 off = arrive(&a, &r, &got);
        const double way = (double)off.x / (a.speed * AFTER / 60), up = (double)off.z;
        const bool right = a.next == LEVEL ? fabs(way - 1) < 0.01 && fabs(up) < 2e-3
                                           : way < 0.01 && (double)got.velocity.x < 0.01 * a.speed;
        check_that(right,
                   "%d: a %s%s on %s%s%s, tiles %g, raised by %g, speed %g, %g ulps before, %g over: went %.4f of its "
                   "way, up by %g, velocity %g %g %g",
                   i, body_names[a.kind], a.turned ? ", turned," : "",
                   a.tile < FORM_KINDS ? form_names[a.tile] : "sheets", a.pulled ? ", pulled down" : "",
                   a.sweep == CM_WORLD_SWEEP_ALWAYS ? ", swept always" : "", a.half, raised(&a), a.speed, a.gap, a.over,
                   way, up, (double)got.velocity.x, (double)got.velocity.y, (double)got.velocity.z);
    }
}

/* --- bodies that lie on the tiles, in every form -------------------------------------------------------------------- */

/* A crate that lies on a tile and slides under gravity to where a step ends with its front `ulps` of 1 before the next
 * tile's side: exactly there, most of the time. */
typedef struct crate {
    form_kind kind, tile;
    double half, speed, across, ulps;
    int hertz;
    cm_world_sweep_mode sweep;
} crate;

static crate any_crate(int i, rng *r) {
    static const double ulps[] = {-4, -1, 0, 0, 0, 0, 1, 4};
    static const int hertz[] = {30, 60, 120};
    crate c = {.kind = (form_kind)(i % FORM_KINDS), .tile = (form_kind)(i / FORM_KINDS % FORM_KINDS)};
    c.half = rng_below(r, 2) ? 0.25 : rng_range(r, 0.25, 0.35), c.speed = rng_below(r, 2) ? 1.5 : rng_range(r, 1, 2);
    c.across = rng_below(r, 2) ? 0.2 : 0, c.ulps = ulps[rng_below(r, 8)], c.hertz = hertz[rng_below(r, 3)];
    c.sweep = rng_below(r, 2) ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO;
    return c;
}

/* Without friction nothing acts on it but its weight, and the floor against that: it goes on straight, at the floor's
 * height, and does not turn. Gives its velocity and spin, and where it is from where that takes it. */
static cm_vec3 push_crate(const crate *c, rng *r, cm_body_state *state) {
    const cm_dynamics_desc desc = {.gravity = {0, 0, CM_REAL(-9.81)}};
    const cm_real half = CM_REAL(c->half), quarter = CM_REAL(0.25), dt = CM_REAL(1) / (cm_real)c->hertz;
    cm_world *world;
    cm_dynamics *bodies;
    form body_form, tile;
    set_up(NULL, &desc, &world, &bodies);
    form_box(&body_form, c->kind, cm_v(quarter, quarter, quarter), r);
    form_box(&tile, c->tile, cm_v(half, half, half), r);
    put_floor(world, bodies, &tile.shape, half, false);
    const cm_vec3 velocity = {CM_REAL(c->speed), CM_REAL(c->across), 0};
    const cm_vec3 at = cm_v(half - quarter - CM_REAL(c->ulps) * CM_REAL_EPSILON - BEFORE * (velocity.x * dt),
                            CM_REAL(0.07), half + quarter);
    const cm_body_desc body = {
        .mass = 1, .velocity = velocity, .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};
    const uint32_t id = put_object(world, bodies, body_form.shape, at, &body, c->sweep);
    for (int i = 0; i < BEFORE + AFTER; i++) assert_int_equal(cm_dynamics_step(bodies, dt), CM_OK);
    cm_pose pose;
    assert_int_equal(cm_world_get_pose(world, id, &pose), CM_OK);
    *state = body_state(bodies, id);
    take_down(world, bodies);
    form_free(&body_form), form_free(&tile);
    return cm_sub(pose.position, cm_mul_add(at, (BEFORE + AFTER) * dt, velocity));
}

static void crates_go_on_over_an_edge_that_a_step_ends_on(void **state) {
    (void)state;
    rng r = rng_start("crates", 2211);
    for (int i = 0; i < samples(FORM_KINDS * FORM_KINDS, 6400); i++) {
        const crate c = any_crate(i, &r);
        cm_body_state got;
        const cm_vec3 off = push_crate(&c, &r, &got);
        const double slower = c.speed - (double)got.velocity.x, spin = (double)cm_length(got.spin);
        check_that(fabs(slower) < 1e-3 && fabs((double)off.x) < 1e-3 && fabs((double)off.z) < 1e-3 && spin < 0.02,
                   "%d: %s over %s, tiles %g, %d Hz%s, speed %g, %g across, %g ulps before: slower by %g, off by %g %g "
                   "%g, spin %g",
                   i, form_names[c.kind], form_names[c.tile], c.half, c.hertz,
                   c.sweep == CM_WORLD_SWEEP_ALWAYS ? ", swept always" : "", c.speed, c.across, c.ulps, slower,
                   (double)off.x, (double)off.y, (double)off.z, spin);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiles_do_not_stop_what_slides),
                                       cmocka_unit_test(a_step_may_end_a_hair_before_the_next_tile),
                                       cmocka_unit_test(crates_go_on_over_an_edge_that_a_step_ends_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
