/* Joining points: which ones, against all pairs. */
#include "mesh/mesh.h"
#include "support/meshes.h"

static void welding_joins_within_the_distance_and_no_chains(void **state) {
    (void)state;
    /* 0, 1, 2, 3 on a line, joined at 1.5: 1 joins 0; 2 is kept, being 2 from the kept 0; 3 joins 2 */
    static const cm_real points[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 0, 9, 0, 0, 0, 9};
    static const uint32_t indices[] = {0, 4, 5, 1, 4, 5, 2, 4, 5, 3, 4, 5};
    cm_mesh_desc d = {0};
    d.points = points, d.point_count = 6, d.indices = indices, d.triangle_count = 4, d.weld = CM_REAL(1.5);
    cm_mesh *mesh = mesh_built(&d);
    uint32_t c[4][3];
    for (uint32_t t = 0; t < 4; ++t) cm_mesh_corners(mesh, t, c[t]);
    assert_int_equal(cm_mesh_point_count(mesh), 4);
    assert_int_equal(c[1][0], c[0][0]);
    assert_int_not_equal(c[2][0], c[0][0]);
    assert_int_equal(c[3][0], c[2][0]);
    cm_mesh_destroy(mesh, NULL);
}

/* Against all pairs: the nearest kept point within the distance, the earliest of equals. */
static void welding_agrees_with_brute_force(void **state) {
    (void)state;
    rng r = rng_start("points", 7);
    enum { COUNT = 600 };
    static cm_vec3 points[COUNT], kept[COUNT];
    static uint32_t indices[COUNT], remap[COUNT];
    for (int round = 0; round < samples(60, 6000); ++round) {
        double size = rng_log_range(&r, 1e-4, 1e6), offset = rng_below(&r, 2) ? 0 : 1000 * size;
        double weld = rng_below(&r, 4) == 0 ? 0 : size * rng_log_range(&r, 1e-3, 0.5);
        for (uint32_t i = 0; i < COUNT; ++i) {
            points[i] = cm_add(rng_vec3(&r, size), cm_v(CM_REAL(offset), 0, 0));
            if (rng_below(&r, 3) == 0 && i > 0) points[i] = points[rng_below(&r, i)];
            if (rng_below(&r, 8) == 0) points[i] = cm_v(0, points[i].y > 0 ? 0 : -(cm_real)0.0, 0);
            indices[i] = i;
        }
        uint32_t n = 0;
        double limit = (double)CM_REAL(weld);
        for (uint32_t i = 0; i < COUNT; ++i) {
            double best = 2;
            remap[i] = CM_NONE;
            for (uint32_t j = 0; j < n; ++j) {
                double x = (double)kept[j].x - (double)points[i].x, y = (double)kept[j].y - (double)points[i].y;
                double z = (double)kept[j].z - (double)points[i].z;
                double s = limit > 0 ? limit : 1, q = x / s * (x / s) + y / s * (y / s) + z / s * (z / s);
                if ((limit > 0 ? q <= 1 : q == 0) && q < best) best = q, remap[i] = j;
            }
            if (remap[i] == CM_NONE) remap[i] = n, kept[n++] = points[i];
        }
        cm_mesh_desc d = {0};
        d.points = &points[0].x, d.point_count = COUNT, d.weld = CM_REAL(weld);
        d.indices = indices, d.triangle_count = COUNT / 3;
        cm_mesh *mesh = mesh_built(&d);
        check_that(cm_mesh_point_count(mesh) == n, "round %d: %u, truly %u", round, cm_mesh_point_count(mesh), n);
        for (uint32_t t = 0; t < COUNT / 3; ++t) {
            uint32_t c[3];
            cm_mesh_corners(mesh, t, c);
            for (uint32_t k = 0; k < 3; ++k)
                check_that(c[k] == remap[3 * t + k], "round %d: point %u at %u, truly %u", round, 3 * t + k, c[k],
                           remap[3 * t + k]);
        }
        cm_mesh_destroy(mesh, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(welding_joins_within_the_distance_and_no_chains),
        cmocka_unit_test(welding_agrees_with_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
