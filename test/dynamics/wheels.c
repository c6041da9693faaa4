/* Wheels, balls and logs that roll over the seams of flat ground, given as boxes, meshes, height fields and compounds
 * of these, in steps of a 60th of a second: they stay on it (over bodies side by side some few hop, by what they fall
 * in two steps at most), keep their speed to a hundredth and go on straight. */
#include "dynamics/set_up.h"
#include "support/meshes.h"

#include <math.h>

enum { WHEEL_BALL, WHEEL_CYLINDER, WHEEL_CAPSULE, WHEEL_ROUNDED, WHEELS };
static const char *const wheel_names[WHEELS] = {"ball", "cylinder", "capsule", "rounded cylinder"};
enum {
    GROUND_BOX,
    GROUND_MESH,
    GROUND_SHEET,
    GROUND_FIELD,
    GROUND_BOXES,
    GROUND_MESHES,
    GROUND_FIELDS,
    GROUND_TILES,
    GROUNDS
};
static const char *const ground_names[GROUNDS] = {"box",
                                                  "solid mesh",
                                                  "sheet",
                                                  "height field",
                                                  "compound of boxes",
                                                  "compound of meshes",
                                                  "compound of fields",
                                                  "two rows of meshes"};

enum { TILES = 16 };
#define RADIUS CM_REAL(0.25)
#define HOP    1e-3 /* what is higher is one */

static cm_shape wheel_of(int kind) {
    const cm_real r = RADIUS, half = CM_REAL(0.1875);
    cm_shape rounded = cm_make_cylinder(r / 2, half);
    rounded.radius = r / 2;
    switch (kind) {
    case WHEEL_BALL:
        return cm_make_sphere(cm_v(0, 0, 0), r);
    case WHEEL_CYLINDER:
        return cm_make_cylinder(r, half);
    case WHEEL_CAPSULE:
        return cm_make_capsule(cm_v(0, 0, -half), cm_v(0, 0, half), r);
    default:
        return rounded;
    }
}

/* From x = -1 on, along x; its top is y = 0. Tiles are 1 x 1 x 1. */
typedef struct ground {
    cm_shape shape;
    cm_vec3 at;
    cm_mesh *mesh;
    cm_height_field *field;
    cm_compound *compound;
} ground;

static cm_height_field *flat_field(uint32_t columns) {
    static const cm_real heights[3 * (TILES + 1)];
    const cm_height_field_desc desc = {.heights = heights,
                                       .columns = columns,
                                       .rows = 3,
                                       .column_spacing = 1,
                                       .row_spacing = CM_REAL(0.5),
                                       .origin = {CM_REAL(-0.5), 0, CM_REAL(-0.5)},
                                       .ground = CM_GROUND_XZ};
    cm_height_field *field;
    assert_int_equal(cm_height_field_build(&desc, NULL, &field, NULL), CM_OK);
    return field;
}

static void ground_make(ground *g, int kind) {
    const cm_real half = CM_REAL(0.5);
    memset(g, 0, sizeof *g);
    g->at.x = -half;
    if (kind == GROUND_BOX) {
        g->shape = cm_make_box(cm_v(TILES * half, half, half));
        g->at = cm_v(TILES * half - 1, -half, 0);
        return;
    }
    if (kind == GROUND_MESH || kind == GROUND_SHEET)
        g->mesh = mesh_box(cm_v(-half, -1, -half), cm_v(TILES - half, 0, half), kind == GROUND_MESH);
    if (kind == GROUND_FIELD) g->field = flat_field(TILES + 1);
    if (kind == GROUND_TILES) g->mesh = mesh_box(cm_v(-half, -1, 0), cm_v(half, 0, 1), true);
    if (kind == GROUND_MESHES) g->mesh = mesh_box(cm_v(-half, -1, -half), cm_v(half, 0, half), true);
    if (kind == GROUND_FIELDS) g->field = flat_field(2);
    g->shape = g->mesh ? cm_make_mesh(g->mesh) : cm_make_height_field(g->field);
    if (kind < GROUND_BOXES || kind == GROUND_TILES) return;
    cm_compound_child tile[TILES];
    memset(tile, 0, sizeof tile);
    for (int i = 0; i < TILES; i++) {
        tile[i].shape = kind == GROUND_BOXES ? cm_make_box(cm_v(half, half, half)) : g->shape;
        tile[i].pose.position = cm_v((cm_real)i, kind == GROUND_BOXES ? -half : 0, 0);
    }
    const cm_compound_desc desc = {.children = tile, .count = TILES};
    assert_int_equal(cm_compound_build(&desc, NULL, &g->compound, NULL), CM_OK);
    g->shape = cm_make_compound(g->compound);
}

static void ground_free(ground *g) {
    cm_compound_destroy(g->compound, NULL);
    cm_mesh_destroy(g->mesh, NULL);
    cm_height_field_destroy(g->field, NULL);
}

/* How high it gets over the ground. */
static double roll(int wheel, int kind, cm_real speed, cm_world_sweep_mode sweep) {
    const cm_dynamics_desc desc = {.gravity = {0, -10, 0}};
    ground g;
    cm_world *world;
    cm_dynamics *bodies;
    set_up(NULL, &desc, &world, &bodies);
    ground_make(&g, kind);
    for (int i = 0; i < (kind == GROUND_TILES ? 2 * TILES : 1); i++)
        put_object(world, bodies, g.shape, cm_add(g.at, cm_v((cm_real)(i / 2), 0, (cm_real)(-i % 2))), NULL,
                   CM_WORLD_SWEEP_AUTO);
    const cm_body_desc body = {.velocity = {speed, 0, 0},
                               .spin = {0, 0, -speed / RADIUS},
                               .friction = 1,
                               .response = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART};
    const uint32_t id = put_object(world, bodies, wheel_of(wheel), cm_v(CM_REAL(-0.5), RADIUS, 0), &body, sweep);
    const int steps = (int)(60 * 8 / (double)speed);
    double high = 0, low = 0;
    for (int i = 0; i < steps; i++) {
        assert_int_equal(cm_dynamics_step(bodies, CM_REAL(1) / 60), CM_OK);
        const double up = (double)body_state(bodies, id).center.y - (double)RADIUS;
        high = fmax(high, up), low = fmin(low, up);
    }
    const cm_body_state end = body_state(bodies, id);
    const double way = ((double)end.center.x + 0.5) / ((double)speed * steps / 60);
    /* what it falls in a step, 2.8 mm, several bodies may give back to it, one after the other */
    const double most = kind == GROUND_TILES ? 6e-3 : HOP;
    check_that(high < most && low > -1e-3 && fabs(way - 1) < 0.01 && fabs((double)end.center.z) < 0.02,
               "%s on %s, at %g%s: from %g to %g over it, %g of its way, %g to the side", wheel_names[wheel],
               ground_names[kind], (double)speed, sweep == CM_WORLD_SWEEP_ALWAYS ? ", swept" : "", low, high, way,
               (double)end.center.z);
    take_down(world, bodies);
    ground_free(&g);
    return high;
}

static void wheels_roll_over_seams(void **state) {
    (void)state;
    for (int wheel = 0; wheel < WHEELS; wheel++)
        for (int kind = 0; kind < GROUNDS; kind++)
            for (int way = 0; way < 4; way++)
                if ((wheel + kind + way) % share() == 0)
                    roll(wheel, kind, way % 2 ? 3 : 12, way / 2 ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO);
}

static void few_wheels_hop_over_bodies_side_by_side(void **state) {
    (void)state;
    static const cm_real speeds[] = {CM_REAL(2.44444), CM_REAL(3.88889), 5, CM_REAL(5.33333), 6, 7};
    int rolls = 0, hops = 0;
    for (int wheel = 0; wheel < WHEELS; wheel++)
        for (int way = 0; way < 12; way++) {
            if ((wheel + way) % share() != 0) continue;
            const cm_world_sweep_mode sweep = way % 2 ? CM_WORLD_SWEEP_ALWAYS : CM_WORLD_SWEEP_AUTO;
            hops += roll(wheel, GROUND_TILES, speeds[way / 2], sweep) > HOP, rolls++;
        }
    check_that(hops <= 1 + rolls / 20, "%d of %d wheels hopped", hops, rolls);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(wheels_roll_over_seams),
                                       cmocka_unit_test(few_wheels_hop_over_bodies_side_by_side)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
