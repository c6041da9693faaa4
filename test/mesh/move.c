/* Meshes whose points are moved: all queries answer as those of a mesh built there. */
#include "support/support.h"

#include <math.h>

enum { RINGS = 24, AROUND = 32, POINTS = RINGS * AROUND };

/* A torus of AROUND x RINGS quads, closed. */
static uint32_t torus(cm_vec3 points[POINTS], uint32_t indices[6 * POINTS]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < AROUND; i++)
        for (uint32_t j = 0; j < RINGS; j++) {
            const double a = 6.283185307179586 * i / AROUND, b = 6.283185307179586 * j / RINGS;
            const double reach = 2 + 0.7 * cos(b);
            points[i * RINGS + j] = cm_v((cm_real)(reach * cos(a)), (cm_real)(reach * sin(a)), (cm_real)(0.7 * sin(b)));
            const uint32_t p = i * RINGS + j, q = (i + 1) % AROUND * RINGS + j;
            const uint32_t r = i * RINGS + (j + 1) % RINGS, s = (i + 1) % AROUND * RINGS + (j + 1) % RINGS;
            const uint32_t quad[6] = {p, q, s, p, s, r};
            for (int k = 0; k < 6; k++) indices[count++] = quad[k];
        }
    return count / 3;
}

static cm_mesh *build(const cm_vec3 *points, uint32_t count, const uint32_t *indices, uint32_t triangles, bool solid) {
    cm_mesh *mesh = NULL;
    cm_mesh_desc desc = {.points = &points[0].x, .point_count = count, .indices = indices, .weld = -1};
    desc.triangle_count = triangles, desc.solid = solid;
    assert_int_equal(cm_mesh_build(&desc, NULL, &mesh, NULL), CM_OK);
    return mesh;
}

static void bend(rng *r, const cm_vec3 *from, uint32_t count, double size, cm_vec3 *to) {
    const cm_vec3 away = rng_vec3(r, size * 20), stretch = rng_vec3(r, 0.4), wave = rng_vec3(r, 1);
    for (uint32_t i = 0; i < count; i++) {
        const cm_vec3 p = from[i];
        const cm_real s = (cm_real)sin((double)cm_dot(p, wave));
        const cm_vec3 q = cm_v(p.x * (1 + stretch.x), p.y * (1 + stretch.y), p.z * (1 + stretch.z) + s / 4);
        to[i] = cm_add(cm_scale(q, (cm_real)size), away);
    }
}

/* The same answers as those of a mesh that is built from the moved points. */
static void as_built_there(void **state) {
    (void)state;
    static cm_vec3 points[POINTS], moved[POINTS];
    static uint32_t indices[6 * POINTS];
    const uint32_t triangles = torus(points, indices);
    rng r = rng_start("mesh move", 1);
    for (int i = 0; i < samples(12, 400); i++) {
        const bool solid = i % 3 > 0;
        const double size = i % 4 == 3 ? rng_log_range(&r, 1e-3, 1e4) : 1;
        cm_mesh *mesh = build(points, POINTS, indices, triangles, solid);
        for (int again = 0; again < 2; again++) {
            bend(&r, points, POINTS, size, moved);
            assert_int_equal(cm_mesh_move_points(mesh, moved, NULL), CM_OK);
        }
        cm_mesh *built = build(moved, POINTS, indices, triangles, solid);
        cm_mesh_info a, b;
        cm_mesh_get_info(mesh, &a), cm_mesh_get_info(built, &b);
        check_that(a.area == b.area && a.volume == b.volume && a.degenerate == b.degenerate && a.solid == b.solid &&
                       a.bounds.min.x == b.bounds.min.x && a.bounds.max.z == b.bounds.max.z,
                   "sample %d: area %g and %g", i, (double)a.area, (double)b.area);
        const cm_vec3 center = cm_aabb_center(&a.bounds), half = cm_sub(a.bounds.max, center);
        const cm_shape shape_a = cm_make_mesh(mesh), shape_b = cm_make_mesh(built);
        const cm_pose home = cm_pose_identity();
        int inside = 0, hits = 0;
        for (int k = 0; k < 200; k++) {
            const cm_vec3 u = rng_vec3(&r, 1.2);
            const cm_vec3 at = cm_add(center, cm_v(u.x * half.x, u.y * half.y, u.z * half.z));
            const int winding = cm_mesh_winding(mesh, at, NULL);
            assert_int_equal(winding, cm_mesh_winding(built, at, NULL));
            inside += winding != 0;
            const cm_ray ray = {.origin = at, .direction = rng_direction(&r), .max = CM_COORD_MAX};
            cm_ray_hit hit_a = {0}, hit_b = {0};
            const bool hit = cm_raycast(&ray, &shape_a, &home, &hit_a);
            assert_int_equal(hit, cm_raycast(&ray, &shape_b, &home, &hit_b));
            hits += hit;
            if (hit)
                check_that(hit_a.t == hit_b.t, "sample %d: ray meets it at %.9g and %.9g", i, (double)hit_a.t,
                           (double)hit_b.t);
            const cm_shape ball = cm_make_sphere(at, cm_largest(half) / 16);
            const cm_real gap = cm_distance(&ball, &home, &shape_a, &home, CM_REAL_MAX, NULL);
            const cm_real gap_built = cm_distance(&ball, &home, &shape_b, &home, CM_REAL_MAX, NULL);
            check_that(gap == gap_built, "sample %d: distance %.9g and %.9g", i, (double)gap, (double)gap_built);
        }
        check_that(hits > 0 && (inside > 0) == solid, "sample %d: %d rays hit, %d points inside", i, hits, inside);
        cm_mesh_destroy(mesh, NULL), cm_mesh_destroy(built, NULL);
    }
}

/* Moved away and back, to bytes that answer as before; moved to where it is, the boxes are those of the build. */
static void there_and_back(void **state) {
    (void)state;
    static cm_vec3 points[POINTS], moved[POINTS];
    static uint32_t indices[6 * POINTS];
    const uint32_t triangles = torus(points, indices);
    rng r = rng_start("mesh move back", 2);
    cm_mesh *mesh = build(points, POINTS, indices, triangles, true);
    const size_t bytes = cm_mesh_bytes(mesh);
    assert_int_equal(cm_mesh_move_points(mesh, cm_mesh_points(mesh), NULL), CM_OK);
    void *before = malloc(bytes);
    memcpy(before, mesh, bytes);
    bend(&r, points, POINTS, 3, moved);
    assert_int_equal(cm_mesh_move_points(mesh, moved, NULL), CM_OK);
    assert_memory_not_equal(mesh, before, bytes);
    assert_int_equal(cm_mesh_move_points(mesh, points, NULL), CM_OK);
    assert_memory_equal(mesh, before, bytes);
    free(before);
    cm_mesh_destroy(mesh, NULL);
}

/* Few triangles, one leaf of the rays' tree; and refusals, which leave the mesh as it was. */
static void refusals(void **state) {
    (void)state;
    cm_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const uint32_t indices[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    cm_mesh *mesh = build(points, 4, indices, 4, true);
    const size_t bytes = cm_mesh_bytes(mesh);
    void *before = malloc(bytes);
    memcpy(before, mesh, bytes);
    cm_vec3 moved[4];
    for (int i = 0; i < 4; i++) moved[i] = cm_add(points[i], cm_v(5, 0, 0));
    assert_int_equal(cm_mesh_move_points(NULL, moved, NULL), CM_INVALID);
    assert_int_equal(cm_mesh_move_points(mesh, NULL, NULL), CM_INVALID);
    moved[3].z = (cm_real)NAN;
    assert_int_equal(cm_mesh_move_points(mesh, moved, NULL), CM_NOT_FINITE);
    moved[3].z = 1;
    assert_memory_equal(mesh, before, bytes);
    for (size_t fail = 1;; fail++) {
        counting_allocator c;
        counting_allocator_start(&c, fail);
        const cm_status status = cm_mesh_move_points(mesh, moved, &c.mem);
        assert_int_equal(c.live_blocks, 0);
        if (status == CM_OK) break;
        assert_int_equal(status, CM_NO_MEMORY);
        assert_memory_equal(mesh, before, bytes);
        check_that(fail < 50, "%zu allocations", fail);
    }
    const cm_shape shape = cm_make_mesh(mesh);
    const cm_pose home = cm_pose_identity();
    const cm_ray ray = {.origin = {CM_REAL(5.1), CM_REAL(0.1), 3}, .direction = {0, 0, -1}, .max = 10};
    cm_ray_hit hit;
    assert_true(cm_raycast(&ray, &shape, &home, &hit));
    check_that(cm_abs(hit.t - CM_REAL(2.2)) < CM_REAL(1e-5), "distance %g", (double)hit.t);
    free(before);
    cm_mesh_destroy(mesh, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_built_there),
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
