/* The sheet of a surface below a triangle, on a slab: its top is the plane z = 0, its bottom z = -1. */
#include "pair/extent_bounds.h"
#include "support/meshes.h"
#include "support/solids.h"

static const double rim = 1e-9;

/* A triangle over the middle of the slab's top, with its corners at these heights. */
static void triangle_at(const double z[3], cm__point v[3]) {
    v[0] = cm__p(-1, -1, z[0]), v[1] = cm__p(1, -1, z[1]), v[2] = cm__p(0, 1, z[2]);
}

static uint32_t top_of(const cm_mesh *slab) {
    for (uint32_t t = 0; t < cm_mesh_triangle_count(slab); t++) {
        const cm_triangle f = cm__mesh_triangle(slab, t);
        if (f.a.z == 0 && f.b.z == 0 && f.c.z == 0) return t;
    }
    fail();
    return 0;
}

/* The top is two triangles, so the sheet has both; the heights over a plane are those of the corners. */
static void a_sheet_tells_how_far_a_triangle_is_over_and_under_it(void **state) {
    (void)state;
    static const double heights[][3] = {{0.5, 0.25, 0.125}, {-0.5, -0.25, -0.125}, {0.5, -0.25, 0.125}};
    static const double far[][2] = {{0.5, 0}, {0, 0.5}, {0.5, 0.25}};
    cm_mesh *slab = mesh_box(cm_v(-4, -4, -1), cm_v(4, 4, 0), true);
    for (int i = 0; i < 3; i++) {
        cm__point v[3];
        cm__sheet sheet;
        triangle_at(heights[i], v);
        assert_true(cm__sheet_below(slab, top_of(slab), NULL, v, rim, 0, 0, &sheet));
        check_that(sheet.count == 2, "case %d: %d triangles", i, sheet.count);
        for (int k = 0; k < 2; k++)
            check_that(fabs(sheet.far[k] - far[i][k]) < 1e-6, "case %d, side %d: %.9g, not %.9g", i, k, sheet.far[k],
                       far[i][k]);
    }
    cm_mesh_destroy(slab, NULL);
}

/* Seen along (0, 3, 4) / 5, the gap of 0.5 square to the plane is 0.5 / 0.8 long. Within `enough` that will do for a
 * distance; beyond it the distance from either
 * triangle of the top is looked for. */
static void a_height_along_another_normal_is_taken_for_a_distance_up_to_enough(void **state) {
    (void)state;
    static const double level[3] = {0.5, 0.5, 0.5};
    cm_mesh *slab = mesh_box(cm_v(-4, -4, -1), cm_v(4, 4, 0), true);
    cm__point v[3], along = cm__p(0, 3, 4);
    cm__sheet sheet;
    triangle_at(level, v);
    assert_true(cm__sheet_below(slab, top_of(slab), &along, v, rim, 0, 1, &sheet));
    check_that(fabs(sheet.far[0] - 0.625) < 1e-6, "%.9g, not 0.625", sheet.far[0]);
    assert_true(cm__sheet_below(slab, top_of(slab), &along, v, rim, 0, 0.25, &sheet));
    check_that(sheet.far[0] >= 0.5 && sheet.far[0] < 0.6, "%.9g, not less than the height", sheet.far[0]);
    check_that(fabs(sheet.high[0] - 0.625) < 1e-6, "%.9g high, not 0.625", sheet.high[0]);
    cm_mesh_destroy(slab, NULL);
}

/* What passes through the top is alone with it as long as it does not come to the bottom: -1.1 is through that, and at
 * -3 the bottom is between, far from either. */
static void another_triangle_between_a_triangle_and_its_sheet_is_seen(void **state) {
    (void)state;
    static const double heights[][3] = {
        {0.2, -0.5, -0.5}, {0.2, -0.9, -0.5}, {5, -0.9, -0.5}, {0.2, -1.1, -0.5}, {-3, -3, -3}};
    static const bool alone[] = {true, true, true, false, false};
    cm_mesh *slab = mesh_box(cm_v(-4, -4, -1), cm_v(4, 4, 0), true);
    for (int i = 0; i < 5; i++) {
        cm__point v[3];
        cm__sheet sheet;
        triangle_at(heights[i], v);
        assert_true(cm__sheet_below(slab, top_of(slab), NULL, v, rim, 0, 0, &sheet));
        const bool is = cm__sheet_is_alone(slab, v, rim, &sheet);
        check_that(is == alone[i], "case %d: alone %d, not %d", i, is, alone[i]);
    }
    cm_mesh_destroy(slab, NULL);
}

/* What stands upright on the slab has its sheet too: 0.5 over and 0.25 under the top, to 0.1 %: seen at a slant. */
static void what_stands_upright_has_a_sheet(void **state) {
    (void)state;
    cm_mesh *slab = mesh_box(cm_v(-4, -4, -1), cm_v(4, 4, 0), true);
    const cm__point v[3] = {cm__p(-1, 0, 0.5), cm__p(1, 0, 0.5), cm__p(0, 0, -0.25)};
    cm__sheet sheet;
    assert_true(cm__sheet_below(slab, top_of(slab), NULL, v, rim, 0, 0, &sheet));
    assert_false(sheet.begun);
    check_that(fabs(sheet.far[0] - 0.5) < 1e-3 && fabs(sheet.far[1] - 0.25) < 1e-3, "%.9g over, %.9g under",
               sheet.far[0], sheet.far[1]);
    assert_true(cm__sheet_is_alone(slab, v, rim, &sheet));
    cm_mesh_destroy(slab, NULL);
}

/* v reaches 1 beyond y = 0, where the slab turns down, and where a surface without thickness ends. */
static void there_is_no_sheet_where_the_surface_turns_or_ends_below(void **state) {
    (void)state;
    static const double level[3] = {0.5, 0.5, 0.5};
    static const cm_vec3 points[] = {{-4, -4, 0}, {4, -4, 0}, {4, 0, 0}, {-4, 0, 0}};
    static const uint32_t corners[] = {0, 1, 2, 0, 2, 3};
    const cm_mesh_desc desc = {.points = &points[0].x, .point_count = 4, .indices = corners, .triangle_count = 2};
    cm_mesh *mesh[2] = {mesh_box(cm_v(-4, -4, -1), cm_v(4, 0, 0), true), NULL};
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh[1], NULL), CM_OK);
    for (int i = 0; i < 2; i++) {
        cm__point v[3];
        cm__sheet sheet;
        triangle_at(level, v);
        check_that(!cm__sheet_below(mesh[i], top_of(mesh[i]), NULL, v, rim, 0, 0, &sheet), "mesh %d has one", i);
        cm_mesh_destroy(mesh[i], NULL);
    }
}

/* What stands high over a surface is, as seen at a slant, not over the triangle right below it: the sheet begins at the
 * one where that leads, and there is none where that is nowhere. */
static void a_sheet_seen_at_a_slant_begins_where_that_leads(void **state) {
    (void)state;
    cm_mesh *wide = solid_box(4, 4, CM_REAL(0.5), 4, false), *small = mesh_box(cm_v(-1, -1, -1), cm_v(1, 1, 0), true);
    uint32_t top = 0;
    while (!(cm__mesh_triangle(wide, top).a.z > 0 && cm__mesh_triangle(wide, top).b.z > 0 &&
             cm__mesh_triangle(wide, top).c.z > 0))
        top++;
    for (int turn = 0; turn < 2; turn++) {
        const double side = turn ? -0.125 : 0.125, high = 21.5;
        const cm__point v[3] = {cm__p(-side, 0, high), cm__p(side, 0, high), cm__p(0, 0, high - 1)};
        cm__sheet sheet;
        assert_true(cm__sheet_below(wide, top, NULL, v, rim, 0, 0, &sheet));
        check_that(sheet.far[0] > high - 1 && sheet.far[0] < high && sheet.far[1] == 0, "%.9g over, %.9g under",
                   sheet.far[0], sheet.far[1]);
        assert_false(cm__sheet_below(small, top_of(small), NULL, v, rim, 0, 0, &sheet));
    }
    cm_mesh_destroy(wide, NULL);
    cm_mesh_destroy(small, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet_tells_how_far_a_triangle_is_over_and_under_it),
        cmocka_unit_test(a_height_along_another_normal_is_taken_for_a_distance_up_to_enough),
        cmocka_unit_test(another_triangle_between_a_triangle_and_its_sheet_is_seen),
        cmocka_unit_test(what_stands_upright_has_a_sheet),
        cmocka_unit_test(a_sheet_seen_at_a_slant_begins_where_that_leads),
        cmocka_unit_test(there_is_no_sheet_where_the_surface_turns_or_ends_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
