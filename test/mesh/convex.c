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

enum { LENS = 28 };

static cm_vec3 lens_corner(int x, int y, int side) {
    const int z = x * x + y * y - LENS * LENS;
    return cm_v((cm_real)x, (cm_real)y, (cm_real)(side ? -z : z));
}

/* A lens of two paraboloids over whole numbers: each square of four points is a face of its own, and so is each of the
 * four walls. Between each two squares in a row is a triangle without area, as one of the two has the middle of their
 * edge for a corner. */
static cm_mesh *lens(int *flat) {
    const int low = -LENS / 2, high = LENS / 2;
    soup s = {0};
    *flat = 0;
    for (int i = 0; i < 2 * LENS * LENS; i++) {
        const int side = i % 2, x = low + i / 2 % LENS, y = low + i / 2 / LENS;
        const cm_vec3 a = lens_corner(x, y, side), b = lens_corner(x + 1, y, side), c = lens_corner(x + 1, y + 1, side);
        const cm_vec3 d = lens_corner(x, y + 1, side), half = cm_scale(cm_add(b, c), CM_REAL(0.5));
        soup_add(&s, a, side ? b : d, side ? half : c);
        soup_add(&s, a, side ? half : c, side ? c : half);
        soup_add(&s, a, side ? c : half, side ? d : b);
        if (x + 1 == high) continue; /* a wall */
        soup_add(&s, b, side ? c : half, side ? half : c), ++*flat;
    }
    for (int i = 0; i < 4 * LENS; i++) {
        const int at = low + i / 4, x = i % 4 < 2 ? i % 2 ? high : low : at, y = i % 4 < 2 ? at : i % 2 ? high : low;
        const int to_x = i % 4 < 2 ? x : x + 1, to_y = i % 4 < 2 ? y + 1 : y;
        const bool turned = i % 4 == 1 || i % 4 == 2;
        const cm_vec3 a = lens_corner(x, y, 0), b = lens_corner(to_x, to_y, 0);
        const cm_vec3 c = lens_corner(to_x, to_y, 1), d = lens_corner(x, y, 1);
        if (i % 4 == 1) { /* its edges have middles */
            const cm_vec3 ab = cm_scale(cm_add(a, b), CM_REAL(0.5)), cd = cm_scale(cm_add(c, d), CM_REAL(0.5));
            soup_add(&s, a, ab, cd), soup_add(&s, a, cd, d), soup_add(&s, ab, b, c), soup_add(&s, ab, c, cd);
        } else {
            soup_add(&s, a, turned ? b : c, turned ? c : b), soup_add(&s, a, turned ? c : d, turned ? d : c);
        }
    }
    return soup_build(&s, true);
}

/* They cover nothing, wherever they are. Each was looked for on all of the 1,572 faces. */
static void triangles_without_area_are_passed_by(void **state) {
    (void)state;
    int flat = 0;
    cm_mesh *mesh = lens(&flat);
    check_that(flat > 1500, "%d", flat);
    assert_true(is_convex(mesh));
    assert_int_equal(cm__mesh_hull(mesh)->info.faces, 2 * LENS * LENS + 4);
    cm_mesh_destroy(mesh, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_that_are_their_hulls_are_convex), cmocka_unit_test(all_others_are_not),
        cmocka_unit_test(what_was_moved_is_convex_no_more),       cmocka_unit_test(the_hull_is_that_of_the_points),
        cmocka_unit_test(triangles_without_area_are_passed_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
