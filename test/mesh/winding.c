/* How often a mesh winds around a point: by hand, and against rationals, in line with corners and edges as well. */
#include "mesh/mesh.h"
#include "oracle/rational.h"
#include "support/meshes.h"

static cm_real half(void) { return CM_REAL(0.5); }

static void inside_is_one_outside_none_and_the_surface_is_told(void **state) {
    (void)state;
    cm_mesh *box = mesh_box(cm_v(0, 0, 0), cm_v(1, 1, 1), true);
    bool on = true;
    assert_int_equal(cm_mesh_winding(box, cm_v(half(), half(), half()), &on), 1); /* in line with the diagonals */
    assert_false(on);
    assert_int_equal(cm_mesh_winding(box, cm_v(-1, half(), half()), &on), 0);
    assert_false(on);
    assert_int_equal(cm_mesh_winding(box, cm_v(-1, 0, 0), &on), 0); /* in line with an edge */
    assert_false(on);
    assert_int_equal(cm_mesh_winding(box, cm_v(-1, 1, 1), NULL), 0);
    const cm_vec3 surface[] = {{0, half(), half()}, {half(), 0, 1}, {1, 1, 1}, {0, 0, 0}, {half(), half(), 0}};
    for (int i = 0; i < 5; ++i) {
        on = false;
        assert_int_equal(cm_mesh_winding(box, surface[i], &on), 0);
        assert_true(on);
    }
    cm_mesh_destroy(box, NULL);
}

static void surfaces_wind_around_nothing_but_tell_what_lies_on_them(void **state) {
    (void)state;
    cm_mesh *box = mesh_box(cm_v(0, 0, 0), cm_v(1, 1, 1), false);
    bool on = true;
    assert_int_equal(cm_mesh_winding(box, cm_v(half(), half(), half()), &on), 0);
    assert_false(on);
    assert_int_equal(cm_mesh_winding(box, cm_v(half(), half(), 1), &on), 0);
    assert_true(on);
    on = true;
    assert_int_equal(cm_mesh_winding(box, cm_v((cm_real)NAN, 0, 0), &on), 0);
    assert_false(on);
    cm_mesh_destroy(box, NULL);
}

static void turned_shells_count_backwards_and_overlapping_ones_add(void **state) {
    (void)state;
    cm_aabb shells[3];
    const bool inward[3] = {false, false, true};
    for (int i = 0; i < 3; ++i)
        shells[i].min = cm_v((cm_real)(2 * i), 0, 0), shells[i].max = cm_v((cm_real)(2 * i + 3), 3, 3);
    cm_mesh *mesh = mesh_boxes(shells, inward, 3, true); /* [0,3], [2,5] and, turned, [4,7] */
    const int truth[] = {1, 1, 2, 1, 0, -1, -1, 0};
    for (int x = 0; x < 8; ++x) {
        int w = cm_mesh_winding(mesh, cm_v((cm_real)x + half(), 1, 1), NULL);
        check_that(w == truth[x], "%d at %d.5, not %d", w, x, truth[x]);
    }
    cm_mesh_destroy(mesh, NULL);
}

static double *corners_of(const cm_mesh *mesh, const cm_vec3 *points) {
    uint32_t n = cm_mesh_triangle_count(mesh);
    double *out = malloc(n * 9 * sizeof *out), *at = out;
    for (uint32_t t = 0; t < n; ++t) {
        uint32_t c[3];
        cm_mesh_corners(mesh, t, c);
        for (int k = 0; k < 3; ++k) {
            *at++ = (double)points[c[k]].x, *at++ = (double)points[c[k]].y, *at++ = (double)points[c[k]].z;
        }
    }
    return out;
}

/* A point of the mesh's box; often with coordinates of corners, so that the half-line meets corners, edges, planes. */
static cm_vec3 awkward_point(rng *r, const cm_vec3 *points, uint32_t count) {
    cm_vec3 p = points[rng_below(r, count)], q = points[rng_below(r, count)];
    switch (rng_below(r, 4)) {
    case 0:
        return cm_v((p.x + q.x) / 2, p.y, p.z);
    case 1:
        return cm_v((p.x + q.x) / 2, q.y, p.z);
    case 2:
        return cm_v((p.x + q.x) / 2, (p.y + q.y) / 2, (p.z + q.z) / 2);
    default:
        return cm_lerp(p, q, CM_REAL(rng_unit(r)));
    }
}

static void check_mesh(rng *r, const cm_mesh *mesh, int count, int *inside, int *on_surface) {
    cm_vec3 *posed = malloc(cm_mesh_point_count(mesh) * sizeof *posed);
    for (int i = 0; i < count; ++i) {
        /* in its own frame, and placed in another */
        cm_pose a = rng_pose(r, 1), b = i % 2 ? rng_pose(r, 1) : a;
        cm_pose b_in_a = cm_pose_between(&a, &b);
        cm__bvh_placing placing;
        cm__mesh_place(mesh, &b_in_a, &placing);
        if (i % 2) {
            cm_mesh_posed(&a, mesh, &b, posed);
        } else {
            memcpy(posed, cm_mesh_points(mesh), cm_mesh_point_count(mesh) * sizeof *posed);
        }
        cm_vec3 p = awkward_point(r, posed, cm_mesh_point_count(mesh));
        bool on = false;
        int w = i % 2 ? cm__mesh_winding_placed(mesh, &placing, p, &on) : cm_mesh_winding(mesh, p, &on);
        double *corners = corners_of(mesh, posed), at[3] = {(double)p.x, (double)p.y, (double)p.z};
        uint32_t n = cm_mesh_triangle_count(mesh);
        bool truly_on = false;
        for (uint32_t t = 0; t < n && !truly_on; ++t) {
            const double(*c)[3] = (const double(*)[3])(corners + 9 * t);
            bool beside = false;
            for (int k = 0; k < 3; ++k) {
                beside = beside || (c[0][k] < at[k] && c[1][k] < at[k] && c[2][k] < at[k]);
                beside = beside || (c[0][k] > at[k] && c[1][k] > at[k] && c[2][k] > at[k]);
            }
            if (beside) continue;
            mpq_t square;
            mpq_init(square);
            oracle_point_triangle(square, at, c);
            truly_on = mpq_sgn(square) == 0;
            mpq_clear(square);
        }
        check_that(on == truly_on, "on the surface: %d, truly %d", on, truly_on);
        int truth = truly_on ? 0 : oracle_winding(at, corners, n);
        check_that(w == truth, "point %d winds %d times, truly %d", i, w, truth);
        *inside += truth != 0, *on_surface += truly_on;
        free(corners);
    }
    free(posed);
}

static void real_and_round_meshes_agree_with_rationals(void **state) {
    (void)state;
    rng r = rng_start("points", 41);
    int inside = 0, on_surface = 0, count = samples(100, 5000);
    cm_mesh *ball = mesh_ball(cm_v(0, 0, 0), 1, 2, true);
    check_mesh(&r, ball, count, &inside, &on_surface);
    cm_mesh_destroy(ball, NULL);
    static const char *const names[] = {"robot_panda/link2.stl", "level_recast_nav_test.obj", "libigl/TinyTorus.obj",
                                        "hard_manifold/Cray_left.obj"};
    for (int i = 0; i < 4; ++i) {
        cm_mesh *mesh = mesh_recorded(names[i], true);
        if (!mesh) break;
        check_mesh(&r, mesh, count / 2, &inside, &on_surface);
        cm_mesh_destroy(mesh, NULL);
    }
    print_message("  %d inside, %d on the surface\n", inside, on_surface);
    check_that(inside > count / 4 && on_surface > 0, "%d inside, %d on", inside, on_surface);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inside_is_one_outside_none_and_the_surface_is_told),
        cmocka_unit_test(surfaces_wind_around_nothing_but_tell_what_lies_on_them),
        cmocka_unit_test(turned_shells_count_backwards_and_overlapping_ones_add),
        cmocka_unit_test(real_and_round_meshes_agree_with_rationals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
