/* T-shaped junctions: seams whose sides have different corners. */
#include "mesh/mesh.h"
#include "support/meshes.h"

enum { MOST_CUTS = 64 };

/* Two rectangles that meet along the y axis from y = 0 to 1, fans around a far corner each, their sides there cut at
 * `left` and `right` (ascending, within (0, 1)). Their common corners are equal points. */
static cm_mesh *seam(const cm_real *left, int left_count, const cm_real *right, int right_count, double size,
                     cm_vec3 at) {
    cm_real points[3 * (2 * MOST_CUTS + 8)];
    uint32_t indices[3 * (2 * MOST_CUTS + 8)], point_count = 0, count = 0;
    for (int side = 0; side < 2; side++) {
        const cm_real *cuts = side ? right : left;
        const int cut_count = side ? right_count : left_count;
        uint32_t first = point_count;
        for (int i = 0; i < cut_count + 4; i++) {
            cm_real y = i == 0 ? 0 : i <= cut_count ? cuts[i - 1] : i == cut_count + 3 ? 0 : 1;
            cm_real x = i <= cut_count + 1 ? 0 : side ? 1 : -1;
            points[3 * point_count] = at.x + (cm_real)size * x, points[3 * point_count + 1] = at.y + (cm_real)size * y;
            points[3 * point_count + 2] = at.z;
            point_count++;
        }
        for (uint32_t i = 0; i + 1 < (uint32_t)cut_count + 3; i++) { /* around the corner at y = 0 off the seam */
            uint32_t a = first + i, b = first + i + 1, apex = first + (uint32_t)cut_count + 3;
            indices[count++] = a, indices[count++] = side ? apex : b, indices[count++] = side ? b : apex;
        }
    }
    cm_mesh_desc desc = {.points = points, .point_count = point_count, .indices = indices, .triangle_count = count / 3};
    cm_mesh *mesh = NULL;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    return mesh;
}

static void check_seam(const cm_real *left, int left_count, const cm_real *right, int right_count, uint32_t truth) {
    const cm_vec3 places[] = {{0, 0, 0}, {100, -7, 3}};
    for (int k = 0; k < 2; k++) {
        cm_mesh *mesh = seam(left, left_count, right, right_count, k ? 16 : 1, places[k]);
        uint32_t count = cm_mesh_t_junctions(mesh, 0);
        check_that(count == truth, "%u junctions, truth %u, place %d", count, truth, k);
        cm_mesh_destroy(mesh, NULL);
    }
}

static void a_corner_between_two_others_is_one(void **state) {
    (void)state;
    const cm_real half[] = {CM_REAL(0.5)}, three[] = {CM_REAL(0.25), CM_REAL(0.5), CM_REAL(0.75)};
    check_seam(half, 1, NULL, 0, 1);
    check_seam(NULL, 0, three, 3, 3);
    check_seam(half, 1, three, 3, 2); /* .25 and .75 lie on the left's halves; .5 is a corner of both */
    check_seam(half, 1, half, 1, 0);
    check_seam(NULL, 0, NULL, 0, 0);
}

/* Corners at multiples of 1/64: those of one side only are junctions, all others are shared. */
static void corners_of_one_side_only_are_counted(void **state) {
    (void)state;
    rng r = rng_start("junctions", 5);
    uint32_t seen = 0;
    for (int i = 0; i < samples(300, 30000); i++) {
        cm_real cuts[2][MOST_CUTS];
        int count[2] = {0, 0};
        uint32_t truth = 0;
        for (int k = 1; k < 64; k++) {
            bool left = rng_below(&r, 4) == 0, right = rng_below(&r, 4) == 0;
            if (left) cuts[0][count[0]++] = (cm_real)k / 64;
            if (right) cuts[1][count[1]++] = (cm_real)k / 64;
            truth += left != right;
        }
        seen += truth;
        check_seam(cuts[0], count[0], cuts[1], count[1], truth);
    }
    assert_true(seen > 0);
}

static void rounding_and_tolerance(void **state) {
    (void)state;
    const cm_real half[] = {CM_REAL(0.5)};
    cm_mesh *mesh = seam(half, 1, NULL, 0, 1, cm_v(0, 0, 0));
    assert_int_equal(cm_mesh_t_junctions(mesh, CM_REAL(1e-3)), 1);
    assert_int_equal(cm_mesh_t_junctions(mesh, CM_REAL(0.6)), 0); /* as near to the seam's ends as to the seam */
    assert_int_equal(cm_mesh_t_junctions(mesh, -1), 0);
    assert_int_equal(cm_mesh_t_junctions(mesh, (cm_real)NAN), 0);
    assert_int_equal(cm_mesh_t_junctions(NULL, 0), 0);
    cm_mesh_destroy(mesh, NULL);
}

/* The corner of a triangle without area lies on its own edge. */
static void a_triangle_is_no_junction_with_itself(void **state) {
    (void)state;
    const cm_real points[9] = {0, 0, 0, 1, 0, 0, CM_REAL(0.5), 0, 0};
    cm_mesh_desc desc = {.points = points, .point_count = 3};
    cm_mesh *mesh = NULL;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    assert_int_equal(cm_mesh_t_junctions(mesh, 0), 0);
    cm_mesh_destroy(mesh, NULL);
}

/* 5,000 equal triangles at one place, whose corners are all shared: none, and it
 * does not take the square of that to tell. */
static void a_stack_of_triangles_has_none(void **state) {
    (void)state;
    static cm_real points[9 * 5000];
    for (int i = 0; i < 5000; i++) {
        const cm_real corner[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
        memcpy(points + 9 * (size_t)i, corner, sizeof corner);
    }
    cm_mesh_desc desc = {.points = points, .point_count = 15000};
    cm_mesh *mesh = NULL;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    assert_int_equal(cm_mesh_t_junctions(mesh, 0), 0);
    cm_mesh_destroy(mesh, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_corner_between_two_others_is_one),
        cmocka_unit_test(corners_of_one_side_only_are_counted),
        cmocka_unit_test(rounding_and_tolerance),
        cmocka_unit_test(a_triangle_is_no_junction_with_itself),
        cmocka_unit_test(a_stack_of_triangles_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
