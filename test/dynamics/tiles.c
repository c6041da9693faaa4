/* Bodies that slide, without friction, over a floor of separate tiles, flush with each other: they go on as over one
 * floor, pulled down or not, swept always or where they are fast. No tile's side is in their way, be it a box, in any
 * of its forms, or a sheet of triangles. */
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

/* The way that it went along x, as a part of that which its velocity takes it. */
static double slide(int kind, int tile, bool pulled, cm_world_sweep_mode sweep, rng *r) {
    const cm_dynamics_desc desc = {.gravity = {0, 0, pulled ? CM_REAL(-9.81) : 0}};
    const cm_real half = CM_REAL(rng_range(r, 0.25, 0.35)), speed = CM_REAL(rng_range(r, 1, 2));
    cm_world *world;
    cm_dynamics *bodies;
    set_up(NULL, &desc, &world, &bodies);
    form f = {0};
    cm_mesh *sheet = tile == FORM_KINDS ? surface_sheet(half, half, 3) : NULL;
    if (sheet)
        f.shape = cm_make_mesh(sheet);
    else
        form_box(&f, (form_kind)tile, cm_v(half, half, half), r);
    put_floor(world, bodies, &f.shape, half, sheet);
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
    if (sheet)
        cm_mesh_destroy(sheet, NULL);
    else
        form_free(&f);
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiles_do_not_stop_what_slides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
