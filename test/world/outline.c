/* The boxes of large meshes that move: they hold the mesh, they are tight, and they look at few points. */
#include "support/meshes.h"
#include "support/support.h"
#include "world/world.h"

#include <math.h>

/* Families of 800 triangles: a ball, a wavy plate, a needle of a ball, a cloud, the same with a stray triangle
 * far away, piles of one triangle, a fan. Returns how many corners there are; the first is of no triangle. */
enum { FAMILIES = 7, SIDE = 20, POINTS = 2 * 3 * SIDE * SIDE, LOOSE = 1 };

static uint32_t family_points(rng *r, int family, double far, cm_vec3 *out) {
    const double pi = 3.14159265358979323846;
    uint32_t count = 0;
    out[count++] = cm_v(1000000, -1000000, 1000000); /* a corner of no triangle counts for no box */
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE * 2; j++) {
            double at[3][3];
            for (int k = 0; k < 3; k++) {
                const double u = (i + (k == 1)) / (double)SIDE, v = (j + (k == 2)) / (2.0 * SIDE);
                const double x = sin(pi * u) * cos(2 * pi * v), y = sin(pi * u) * sin(2 * pi * v), z = cos(pi * u);
                const double plate = 0.05 * sin(9 * u) * cos(7 * v);
                const double of_all[4][3] = {
                    {x, y, z}, {4 * u, 4 * v, plate}, {1e-3 * x, 1e-3 * y, z}, {rng_range(r, -1, 1), u, v}};
                for (int c = 0; c < 3; c++) at[k][c] = of_all[family % 4][c];
                if (family == 5) at[k][0] = k == 1, at[k][1] = k == 2, at[k][2] = 0;
                if (family == 6) at[k][0] = k * cos(pi * v), at[k][1] = k * sin(pi * v), at[k][2] = k == 2 ? u : 0;
                if (family == 4 && i == 0 && j == 0) at[k][0] += far;
                out[count++] = cm_v((cm_real)at[k][0], (cm_real)at[k][1], (cm_real)at[k][2]);
            }
        }
    }
    return count;
}

static cm_mesh *family_mesh(const cm_vec3 *points, uint32_t count) {
    static uint32_t indices[POINTS + LOOSE];
    for (uint32_t i = LOOSE; i < count; i++) indices[i - LOOSE] = i;
    return mesh_of(&points[0].x, count, indices, (count - LOOSE) / 3, false);
}

/* Against the box of all corners, posed in double. */
static void box_is_tight(const cm_aabb *box, const cm_vec3 *points, uint32_t count, const cm_pose *pose, double tight,
                         double size) {
    const cm_mat3 turn = cm_mat3_from_quat(cm_quat_normalize(pose->rotation));
    for (int axis = 0; axis < 3; axis++) {
        double low = 1e300, high = -1e300;
        for (uint32_t i = LOOSE; i < count; i++) {
            const cm_vec3 p = points[i];
            const double at =
                (double)((cm_real *)&turn.x)[axis] * (double)p.x + (double)((cm_real *)&turn.y)[axis] * (double)p.y +
                (double)((cm_real *)&turn.z)[axis] * (double)p.z + (double)((cm_real *)&pose->position)[axis];
            low = fmin(low, at), high = fmax(high, at);
        }
        const double rounding = 1e3 * (double)CM_REAL_EPSILON * (size + fabs(low) + fabs(high));
        const double below = low - (double)((cm_real *)&box->min)[axis],
                     above = (double)((cm_real *)&box->max)[axis] - high;
        check_that(below >= 0 && above >= 0, "it sticks out by %g, %g", -below, -above);
        check_that(below <= tight + rounding && above <= tight + rounding, "it is off by %g, %g of %g", below, above,
                   tight);
    }
}

static void boxes_of_moving_meshes_hold_them_and_are_tight(void **state) {
    (void)state;
    static cm_vec3 points[POINTS + LOOSE];
    rng r = rng_start("outlines", 1);
    int outlines = 0;
    for (int i = 0; i < samples(28, 700); i++) {
        const uint32_t count = family_points(&r, i % FAMILIES, pow(10, 3 + i % 10), points);
        cm_mesh *mesh = family_mesh(points, count);
        cm_mesh_info facts;
        cm_world *world;
        uint32_t id;
        cm_mesh_get_info(mesh, &facts);
        const cm_vec3 sides = cm_sub(facts.bounds.max, facts.bounds.min);
        const double tight = (double)cm_largest(sides) / 64;
        assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
        const cm_world_object_desc d = {.shape = cm_make_mesh(mesh)};
        assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
        const cm__outline *outline = world->bodies[0].outline;
        outlines += outline != NULL;
        /* what a box costs: three products for each of 256 points, of 800 triangles or of 8 million */
        check_that(cm__outline_bytes(outline) <= 3 * 256 * sizeof(cm_real) + 64, "%zu", cm__outline_bytes(outline));
        for (int k = 0; k < 20; k++) {
            const cm_pose pose = rng_pose(&r, 10);
            cm_aabb box;
            assert_int_equal(cm_world_set_pose(world, id, &pose), CM_OK);
            assert_int_equal(cm_world_get_box(world, id, &box), CM_OK);
            box_is_tight(&box, points, count, &pose, tight, (double)cm_length(sides) + 10);
        }
        cm_world_destroy(world);
        cm_mesh_destroy(mesh, NULL);
    }
    check_that(outlines >= samples(28, 700) * 6 / 7, "%d outlines", outlines);
}

/* Its way through a step is in the box as well, and is as tight: a mesh that moves by its size without turning. */
static void a_moving_mesh_is_met_where_it_goes(void **state) {
    (void)state;
    static cm_vec3 points[POINTS + LOOSE];
    rng r = rng_start("outlines", 2);
    for (int i = 0; i < samples(14, 700); i++) {
        const uint32_t count = family_points(&r, i % 2, 0, points);
        cm_mesh *mesh = family_mesh(points, count);
        cm_world *world;
        uint32_t mover, ball;
        assert_int_equal(cm_world_create(NULL, &world, NULL), CM_OK);
        cm_world_object_desc d = {.shape = cm_make_mesh(mesh), .pose = rng_pose(&r, 1)};
        assert_int_equal(cm_world_add(world, &d, &mover, NULL), CM_OK);
        const cm_vec3 way = cm_scale(rng_direction(&r), 10), at = points[LOOSE + rng_below(&r, count - LOOSE)];
        d.shape = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.01));
        d.pose.position = cm_mul_add(cm_pose_apply(&d.pose, at), CM_REAL(0.75), way); /* where a corner comes by */
        assert_int_equal(cm_world_add(world, &d, &ball, NULL), CM_OK);
        const cm_motion motion = {.move = way};
        assert_int_equal(cm_world_set_motion(world, mover, &motion), CM_OK);
        assert_int_equal(cm_world_update(world, NULL), CM_OK);
        cm_world_event_view events;
        cm_world_get_events(world, &events);
        assert_true(events.count > 0);
        cm_world_destroy(world);
        cm_mesh_destroy(mesh, NULL);
    }
}

/* A shape that is set anew before each step is never worth an outline; what is fixed has none until it moves. */
static void outlines_are_made_for_what_moves(void **state) {
    (void)state;
    static cm_vec3 points[POINTS + LOOSE];
    rng r = rng_start("outlines", 3);
    counting_allocator memory;
    counting_allocator_start(&memory, 0);
    cm_mesh *mesh = family_mesh(points, family_points(&r, 0, 0, points));
    const cm_world_desc desc = {.mem = &memory.mem};
    cm_world_object_desc d = {.shape = cm_make_mesh(mesh), .fixed = true};
    cm_world *world;
    uint32_t id;
    assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
    assert_int_equal(cm_world_add(world, &d, &id, NULL), CM_OK);
    assert_null(world->bodies[0].outline);
    assert_int_equal(cm_world_set_fixed(world, id, false), CM_OK);
    const cm_pose pose = {.position = cm_v(1, 2, 3), .rotation = cm_quat_identity()};
    for (int i = 0; i < 10; i++) {
        assert_int_equal(cm_world_set_shape(world, id, &d.shape, NULL), CM_OK);
        assert_int_equal(cm_world_set_pose(world, id, &pose), CM_OK);
        assert_null(world->bodies[0].outline);
    }
    assert_int_equal(cm_world_set_shape(world, id, &d.shape, NULL), CM_OK);
    for (int i = 1; i <= 3; i++) {
        assert_int_equal(cm_world_set_pose(world, id, &pose), CM_OK);
        assert_int_equal(world->bodies[0].outline != NULL, i == 3);
    }
    assert_int_equal(cm_world_set_shape(world, id, &d.shape, NULL), CM_OK);
    assert_null(world->bodies[0].outline);
    cm_world_destroy(world);
    assert_int_equal(memory.live_blocks, 0);
    assert_int_equal(memory.live_bytes, 0);
    cm_mesh_destroy(mesh, NULL);
}

/* Where memory ends while an outline is made, boxes go by all corners, and nothing is lost. */
static void without_memory_boxes_go_by_all_corners(void **state) {
    (void)state;
    static cm_vec3 points[POINTS + LOOSE];
    rng r = rng_start("outlines", 4);
    const uint32_t count = family_points(&r, 0, 0, points);
    cm_mesh *mesh = family_mesh(points, count);
    const cm_pose here = cm_pose_identity();
    int without = 0;
    bool made = false;
    for (size_t after = 1; !made; after++) {
        counting_allocator memory;
        counting_allocator_start(&memory, 0);
        const cm_world_desc desc = {.mem = &memory.mem, .capacity = 4};
        const cm_world_object_desc d = {.shape = cm_make_mesh(mesh)};
        cm_world *world;
        uint32_t id;
        assert_int_equal(cm_world_create(&desc, &world, NULL), CM_OK);
        memory.fail_at = memory.calls + after;
        const cm_status status = cm_world_add(world, &d, &id, NULL);
        assert_true(status == CM_OK || status == CM_NO_MEMORY);
        if (status == CM_OK) {
            cm_aabb box;
            assert_int_equal(cm_world_get_box(world, id, &box), CM_OK);
            box_is_tight(&box, points, count, &d.pose, 1.0 / 32, 3);
            made = world->bodies[0].outline != NULL;
            without += !made;
            for (int i = 0; i < 3; i++) assert_int_equal(cm_world_set_pose(world, id, &here), CM_OK);
            assert_non_null(world->bodies[0].outline); /* there is memory again */
        }
        cm_world_destroy(world);
        check_that(memory.live_blocks == 0 && memory.live_bytes == 0, "%zu blocks are left", memory.live_blocks);
    }
    check_that(without >= 3, "%d without", without);
    cm_mesh_destroy(mesh, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_of_moving_meshes_hold_them_and_are_tight),
        cmocka_unit_test(a_moving_mesh_is_met_where_it_goes),
        cmocka_unit_test(outlines_are_made_for_what_moves),
        cmocka_unit_test(without_memory_boxes_go_by_all_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
