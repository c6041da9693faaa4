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
        cm__mesh_place(&b_in_a, &placing);
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
    /* few points are on the surface, and of a quarter of them, by chance, none */
    check_that(inside > count / 4 && (on_surface > 0 || count < 100), "%d inside, %d on", inside, on_surface);
}

/* Two balls that overlap, in cells: outside of both 0, in one 1, in both 2. Points anywhere in the bounds, at the
 * borders between cells, and close to a face. */
static void cells_tell_what_all_triangles_tell(void **state) {
    (void)state;
    rng r = rng_start("points", 42);
    cm_mesh *one = mesh_ball(cm_v(0, 0, 0), 1, 4, true);
    const uint32_t half_count = cm_mesh_triangle_count(one), count = 2 * half_count;
    cm_triangle *all = malloc(count * sizeof *all);
    for (uint32_t t = 0; t < count; ++t) {
        const cm_vec3 move = t < half_count ? cm_v(0, 0, 0) : cm_v(CM_REAL(0.75), CM_REAL(0.25), CM_REAL(-0.125));
        all[t] = cm__mesh_triangle(one, t % half_count);
        all[t].a = cm_add(all[t].a, move), all[t].b = cm_add(all[t].b, move), all[t].c = cm_add(all[t].c, move);
    }
    cm_mesh_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.points = &all[0].a.x, desc.point_count = 3 * count, desc.triangle_count = count, desc.solid = true;
    cm_mesh *mesh;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    assert_true(mesh->cell_rows >= 4 && one->cell_rows >= 4);
    const cm_aabb box = mesh->info.bounds;
    const cm_vec3 size = cm_sub(box.max, box.min);
    int around[3] = {0, 0, 0}, known = 0, points = samples(4000, 200000);
    for (int i = 0; i < points; ++i) {
        cm_vec3 p = cm_v(box.min.x + CM_REAL(rng_unit(&r)) * size.x, box.min.y + CM_REAL(rng_unit(&r)) * size.y,
                         box.min.z + CM_REAL(rng_unit(&r)) * size.z);
        if (i % 3 == 1)
            p.x = box.min.x + size.x * (cm_real)rng_below(&r, mesh->cell_rows + 1) / (cm_real)mesh->cell_rows;
        if (i % 3 == 2) {
            const cm_triangle t = all[rng_below(&r, count)];
            p = cm_mul_add(cm_lerp(t.a, cm_lerp(t.b, t.c, CM_REAL(rng_unit(&r))), CM_REAL(rng_unit(&r))),
                           CM_REAL(0.125) * CM_REAL(rng_unit(&r) * rng_unit(&r)), rng_vec3(&r, 1));
        }
        bool on, truly_on = false;
        int turns = 0, w = cm_mesh_winding(mesh, p, &on);
        for (uint32_t t = 0; t < count; ++t) {
            const cm__face face = cm__mesh_face(mesh, t);
            turns += cm__mesh_winding_face(p, &face, &truly_on);
        }
        check_that(on == truly_on && (on || w == turns), "point %d: winding %d, on %d, truly %d, %d", i, w, on, turns,
                   truly_on);
        if (!truly_on && turns >= 0 && turns < 3) ++around[turns];
        const cm_aabb at = {p, p};
        known += cm_aabb_overlaps(&box, &at) && cm__mesh_cell_winding(mesh, p) != CM__MESH_MIXED;
    }
    print_message("  %d outside, %d in one, %d in both; %d by their cell\n", around[0], around[1], around[2], known);
    check_that(around[0] > points / 10 && around[1] > points / 10 && around[2] > points / 20 && known > points / 10,
               "%d, %d, %d; %d", around[0], around[1], around[2], known);
    cm_mesh_destroy(mesh, NULL);
    cm_mesh_destroy(one, NULL);
    free(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inside_is_one_outside_none_and_the_surface_is_told),
        cmocka_unit_test(surfaces_wind_around_nothing_but_tell_what_lies_on_them),
        cmocka_unit_test(turned_shells_count_backwards_and_overlapping_ones_add),
        cmocka_unit_test(real_and_round_meshes_agree_with_rationals),
        cmocka_unit_test(cells_tell_what_all_triangles_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
