/* Which meshes count as convex: solids of one piece whose surface is that of their hull, up to rounding. */
#include "mesh/mesh.h"
#include "support/meshes.h"
#include "support/solids.h"
#include "support/support.h"

#include "hull/hull.h"

#include <string.h>

static bool is_convex(const cm_mesh *mesh) {
    cm_mesh_info info;
    cm_mesh_get_info(mesh, &info);
    assert_int_equal(info.convex, cm__mesh_hull(mesh) != NULL);
    return info.convex;
}

static void check_once(cm_mesh *mesh, bool convex, const char *what) {
    check_that(is_convex(mesh) == convex, "%s: convex %d", what, !convex);
    cm_mesh_destroy(mesh, NULL);
}

/* A cube cut into squares, the middle of its top raised by so much, turned and moved. */
static cm_mesh *cube_of(int cells, const cm_pose *pose, double by) {
    soup s = {0};
    soup_add_box(&s, cm_v(-1, -1, -1), cm_v(1, 1, 1), cells, false, false);
    for (uint32_t i = 0; i < 3 * s.triangles; i++) {
        cm_real *p = &s.numbers[3 * i];
        if (p[0] == 0 && p[1] == 0 && p[2] == 1) p[2] += CM_REAL(by);
    }
    soup_move(&s, pose);
    return soup_build(&s, true);
}

static void solids_that_are_their_hulls_are_convex(void **state) {
    (void)state;
    rng r = rng_start("convex solids", 871);
    const cm_vec3 one = cm_v(1, 1, 1);
    check_once(mesh_box(cm_neg(one), one, true), true, "a box");
    check_once(mesh_ball(cm_v(1, 2, 3), 2, 3, true), true, "a ball");
    for (int i = 0; i < samples(200, 2000); i++) {
        cm_pose at = rng_pose(&r, 2);
        check_once(cube_of(1 + i % 14, &at, 0), true, "a cube that was turned");
        at.position = cm_scale(at.position, 100);
        check_once(cube_of(1 + i % 14, &at, 0), true, "a cube that was turned, far away");
    }
}

static void all_others_are_not(void **state) {
    (void)state;
    const cm_pose home = cm_pose_identity();
    const cm_vec3 one = cm_v(1, 1, 1), two = cm_v(2, 2, 2);
    const double slack = CM__MESH_CONVEX_SLACK * (double)CM_REAL_EPSILON;
    check_once(mesh_box(cm_neg(one), one, false), false, "a surface");
    check_once(cube_of(4, &home, -1e-3), false, "a dented cube");
    check_once(cube_of(4, &home, -2 * slack), false, "a cube dented by twice the slack");
    check_once(cube_of(4, &home, -slack / 4), true, "a cube dented by a quarter of it");
    check_once(cube_of(28, &home, 0), false, "a cube of 4,706 points");
    const cm_aabb apart[2] = {{cm_neg(two), cm_neg(one)}, {one, two}},
                  hollow[2] = {{cm_neg(two), two}, {cm_neg(one), one}};
    const bool outward[2] = {false, false}, inward[2] = {false, true};
    check_once(mesh_boxes(apart, outward, 2, true), false, "two boxes");
    check_once(mesh_boxes(hollow, inward, 2, true), false, "a hollow box");
    const bool turned = true;
    check_once(mesh_boxes(hollow, &turned, 1, true), false, "a box with its inside out");
}

static void what_was_moved_is_convex_no_more(void **state) {
    (void)state;
    const cm_vec3 one = cm_v(1, 1, 1);
    cm_mesh *box = mesh_box(cm_neg(one), one, true);
    assert_true(is_convex(box));
    assert_int_equal(cm_mesh_move_points(box, cm_mesh_points(box), NULL), CM_OK);
    assert_false(is_convex(box));
    cm_mesh_destroy(box, NULL);
}

/* Equal meshes are equal bytes, the hull behind all else included. */
static void the_hull_is_that_of_the_points(void **state) {
    (void)state;
    const cm_pose home = cm_pose_identity();
    cm_mesh *first = cube_of(6, &home, 0), *second = cube_of(6, &home, 0);
    assert_int_equal(cm_mesh_bytes(first), cm_mesh_bytes(second));
    assert_int_equal(memcmp(first, second, cm_mesh_bytes(first)), 0);
    const cm_hull *hull = cm__mesh_hull(first);
    assert_int_equal(hull->info.vertices, 8);
    assert_int_equal(hull->info.faces, 6);
    cm_mesh_destroy(first, NULL), cm_mesh_destroy(second, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_that_are_their_hulls_are_convex),
        cmocka_unit_test(all_others_are_not),
        cmocka_unit_test(what_was_moved_is_convex_no_more),
        cmocka_unit_test(the_hull_is_that_of_the_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
