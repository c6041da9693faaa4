/* How far a body slides and rolls, in a whole world: on a plane, a box, a mesh and a height field alike, against closed
 * forms. The mesh and the field are flat, of many triangles: their inner edges must not be felt. */
#include "support/meshes.h"

#include <math.h>

typedef enum floor_kind { FLOOR_PLANE, FLOOR_BOX, FLOOR_MESH, FLOOR_FIELD, FLOOR_KINDS } floor_kind;
static const char *const floor_names[FLOOR_KINDS] = {"plane", "box", "mesh", "height field"};

enum { FLOOR_CELLS = 24 }; /* a side, half a unit each */

static cm_mesh *floor_mesh(void) {
    cm_real points[3 * (FLOOR_CELLS + 1) * (FLOOR_CELLS + 1)];
    uint32_t indices[6 * FLOOR_CELLS * FLOOR_CELLS], n = 0;
    for (uint32_t i = 0; i < (FLOOR_CELLS + 1) * (FLOOR_CELLS + 1); i++) {
        points[3 * i] = CM_REAL((double)(i % (FLOOR_CELLS + 1)) * 0.5 - 4);
        points[3 * i + 1] = CM_REAL((double)(i / (FLOOR_CELLS + 1)) * 0.5 - 6.1);
        points[3 * i + 2] = 0;
    }
    for (uint32_t row = 0; row < FLOOR_CELLS; row++) {
        for (uint32_t column = 0; column < FLOOR_CELLS; column++) {
            uint32_t a = row * (FLOOR_CELLS + 1) + column, b = a + 1, c = a + FLOOR_CELLS + 1, d = c + 1;
            const uint32_t two[6] = {a, b, d, a, d, c};
            memcpy(indices + n, two, sizeof two);
            n += 6;
        }
    }
    return mesh_of(points, (FLOOR_CELLS + 1) * (FLOOR_CELLS + 1), indices, n / 3, false);
}

typedef struct course {
    cm_world *world;
    cm_dynamics *bodies;
    cm_mesh *mesh;
    cm_height_field *field;
    uint32_t id;
} course;

/* Gravity may lean, so that a flat floor is a slope. */
static course course_make(floor_kind kind, cm_vec3 gravity, cm_shape shape, cm_real height, const cm_body_desc *body) {
    course c = {0};
    cm_dynamics_desc desc = {.gravity = gravity};
    cm_world_object_desc ground = {.fixed = true}, object = {.shape = shape, .pose.position = {0, 0, height}};
    uint32_t id;
    assert_int_equal(cm_world_create(NULL, &c.world, NULL), CM_OK);
    assert_int_equal(cm_dynamics_create(c.world, &desc, &c.bodies), CM_OK);
    if (kind == FLOOR_PLANE) ground.shape = cm_make_halfspace(cm_v(0, 0, 1), 0);
    if (kind == FLOOR_BOX) ground.shape = cm_make_box(cm_v(20, 20, 1)), ground.pose.position.z = -1;
    if (kind == FLOOR_MESH) ground.shape = cm_make_mesh(c.mesh = floor_mesh());
    if (kind == FLOOR_FIELD) {
        static const cm_real heights[(FLOOR_CELLS + 1) * (FLOOR_CELLS + 1)];
        cm_height_field_desc field = {.heights = heights,
                                      .columns = FLOOR_CELLS + 1,
                                      .rows = FLOOR_CELLS + 1,
                                      .column_spacing = CM_REAL(0.5),
                                      .row_spacing = CM_REAL(0.5),
                                      .origin = {-4, CM_REAL(-6.1), 0}};
        assert_int_equal(cm_height_field_build(&field, NULL, &c.field, NULL), CM_OK);
        ground.shape = cm_make_height_field(c.field);
    }
    assert_int_equal(cm_world_add(c.world, &ground, &id, NULL), CM_OK);
    assert_int_equal(cm_world_add(c.world, &object, &c.id, NULL), CM_OK);
    assert_int_equal(cm_dynamics_add(c.bodies, c.id, body), CM_OK);
    return c;
}

static void course_free(course *c) {
    cm_dynamics_destroy(c->bodies);
    cm_world_destroy(c->world);
    cm_mesh_destroy(c->mesh, NULL);
    cm_height_field_destroy(c->field, NULL);
}

static cm_body_state run_for(course *c, double seconds, int a_second) {
    cm_body_state b;
    for (int i = 0; i < (int)(seconds * a_second + 0.5); i++)
        assert_int_equal(cm_dynamics_step(c->bodies, CM_REAL(1.0 / a_second)), CM_OK);
    assert_int_equal(cm_dynamics_get(c->bodies, c->id, &b), CM_OK);
    return b;
}

static void near_to(double got, double want, double within, floor_kind kind, const char *what) {
    check_that(fabs(got - want) <= within, "%s on the %s: %.9g, not %.9g", what, floor_names[kind], got, want);
}

static const uint32_t rests = CM_RESPONSE_BOUNCE | CM_RESPONSE_PUSH_APART;

/* A box slides v^2 / (2 mu g): 4 m/s, mu 0.4, g 10: 2 m, in 1 s. */
static void a_box_slides_to_its_stop(void **state) {
    (void)state;
    for (floor_kind kind = 0; kind < FLOOR_KINDS; kind++) {
        cm_body_desc body = {.velocity = {4, 0, 0}, .mass = 2, .friction = CM_REAL(0.4), .response = rests};
        course c = course_make(kind, cm_v(0, 0, -10), cm_make_box(cm_v(1, 1, CM_REAL(0.1))), CM_REAL(0.1), &body);
        cm_body_state half = run_for(&c, 0.5, 1000), end = run_for(&c, 1, 1000);
        near_to((double)half.center.x, 1.5, 0.02, kind, "a box after half a second"); /* 4/2 - 4/8 */
        near_to((double)half.velocity.x, 2, 0.02, kind, "its speed");
        near_to((double)end.center.x, 2, 0.02, kind, "a box at its stop");
        near_to((double)cm_length(end.velocity), 0, 0.03, kind,
                "its speed"); /* it trembles by gravity's share of a step */
        near_to((double)end.center.y, 0, 0.01, kind, "its side");
        near_to((double)end.center.z, 0.1, 0.001, kind, "its height");
        course_free(&c);
    }
}

/* A ball thrown without spin slides until it rolls: after 2 v / (7 mu g) and 12 v^2 / (49 mu g), at 5/7 v; from then on
 * it keeps that speed. v 3.5, mu 0.5, g 10: 0.2 s, 0.6 m, 2.5 m/s. */
static void a_ball_slides_until_it_rolls(void **state) {
    (void)state;
    for (floor_kind kind = 0; kind < FLOOR_KINDS; kind++) {
        cm_body_desc body = {.velocity = {CM_REAL(3.5), 0, 0}, .mass = 2, .friction = CM_REAL(0.5), .response = rests};
        course c = course_make(kind, cm_v(0, 0, -10), cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5)), CM_REAL(0.5), &body);
        cm_body_state b = run_for(&c, 0.1, 1000);
        near_to((double)b.velocity.x, 3, 0.01, kind, "a sliding ball's speed");
        near_to((double)b.spin.y, 2.5, 0.02, kind, "its spin"); /* 5/2 mu g t / r */
        b = run_for(&c, 0.1, 1000);
        near_to((double)b.center.x, 0.6, 0.01, kind, "a ball that begins to roll");
        near_to((double)b.velocity.x, 2.5, 0.01, kind, "its speed");
        b = run_for(&c, 1, 1000);
        near_to((double)b.center.x, 3.1, 0.02, kind, "a rolling ball");
        near_to((double)b.velocity.x, 2.5, 0.01, kind, "its speed later");
        near_to((double)b.spin.y, 5, 0.02, kind, "its spin later");
        near_to((double)b.center.z, 0.5, 0.001, kind, "its height");
        near_to((double)b.center.y, 0, 0.001, kind, "its side");
        course_free(&c);
    }
}

/* With a backspin of 5/2 v / r going and turning end together: after v / (mu g) and v^2 / (2 mu g). v 2, mu 0.4: 0.5 m
 * in 0.5 s; and there it stays. */
static void a_ball_with_the_right_backspin_stops_dead(void **state) {
    (void)state;
    for (floor_kind kind = 0; kind < FLOOR_KINDS; kind++) {
        cm_body_desc body = {.velocity = {2, 0, 0}, .spin = {0, -10, 0}, .mass = 3, .friction = CM_REAL(0.4)};
        body.response = rests;
        course c = course_make(kind, cm_v(0, 0, -10), cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5)), CM_REAL(0.5), &body);
        cm_body_state b = run_for(&c, 1, 1000);
        near_to((double)b.center.x, 0.5, 0.01, kind, "a ball with backspin");
        near_to((double)cm_length(b.velocity), 0, 0.01, kind, "its speed");
        near_to((double)cm_length(b.spin), 0, 0.02, kind, "its spin");
        course_free(&c);
    }
}

/* Rolling up a slope of 3 : 4 a ball comes 7 v^2 / (10 g sin) far, in 7 v / (5 g sin), and rolls back as fast: its
 * energy is 7/10 m v^2. v 3, g 10, sin 0.6: 1.05 m, 0.7 s. Friction of 1 holds: more than 2/7 of the slope is enough.
 */
static void a_ball_rolls_up_a_slope_and_back(void **state) {
    (void)state;
    for (floor_kind kind = 0; kind < FLOOR_KINDS; kind++) {
        cm_body_desc body = {.velocity = {3, 0, 0}, .spin = {0, 6, 0}, .mass = 2, .friction = 1, .response = rests};
        course c = course_make(kind, cm_v(-6, 0, -8), cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5)), CM_REAL(0.5), &body);
        cm_body_state b = run_for(&c, 0.7, 1000);
        near_to((double)b.center.x, 1.05, 0.01, kind, "a ball at the top of its way");
        near_to((double)b.velocity.x, 0, 0.02, kind, "its speed");
        b = run_for(&c, 0.7, 1000);
        near_to((double)b.center.x, 0, 0.02, kind, "a ball back at the start");
        near_to((double)b.velocity.x, -3, 0.03, kind, "its speed");
        near_to((double)b.spin.y, -6, 0.06, kind, "its spin");
        near_to((double)b.center.y, 0, 0.001, kind, "its side");
        course_free(&c);
    }
}

/* A steep slope, little friction: down it goes by g (sin - mu cos) t^2 / 2. sin 0.6, mu 0.25, g 10: 4 m/s^2. */
static void a_box_slides_down_a_steep_slope(void **state) {
    (void)state;
    for (floor_kind kind = 0; kind < FLOOR_KINDS; kind++) {
        cm_body_desc body = {.mass = 2, .friction = CM_REAL(0.25), .response = rests};
        course c = course_make(kind, cm_v(6, 0, -8), cm_make_box(cm_v(1, 1, CM_REAL(0.1))), CM_REAL(0.1), &body);
        cm_body_state b = run_for(&c, 1, 1000);
        near_to((double)b.center.x, 2, 0.02, kind, "a box on a steep slope");
        near_to((double)b.velocity.x, 4, 0.03, kind, "its speed");
        course_free(&c);
        body.friction = 1; /* more than the slope: it stays */
        c = course_make(kind, cm_v(6, 0, -8), cm_make_box(cm_v(1, 1, CM_REAL(0.1))), CM_REAL(0.1), &body);
        b = run_for(&c, 1, 1000);
        near_to((double)b.center.x, 0, 0.02, kind, "a box that friction holds");
        course_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_slides_to_its_stop),
        cmocka_unit_test(a_ball_slides_until_it_rolls),
        cmocka_unit_test(a_ball_with_the_right_backspin_stops_dead),
        cmocka_unit_test(a_ball_rolls_up_a_slope_and_back),
        cmocka_unit_test(a_box_slides_down_a_steep_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
