/* Shapes as triangles: on the surface, near it everywhere, closed, the right way round. */
#include "support/specimen.h"

#include <math.h>

static double size_of(const cm_shape *s) {
    cm_pose home = cm_pose_identity();
    cm_aabb box;
    cm_shape_bounds(s, &home, &box);
    return (double)cm_largest(cm_vec3_max(cm_vec3_abs(box.min), cm_vec3_abs(box.max)));
}
static bool is_whole(const specimen *b) { return b->count == 1; }

static void expect_points_on(const specimen *b, const cm_tessellation *t, double size) {
    for (uint32_t i = 0; i < t->point_count; i++) {
        long double out = specimen_outside(b, w3_of_vec3(t->points[i]));
        check_that(out <= 64 * (long double)CM_REAL_EPSILON * (long double)size, "%s: point %u is %Lg outside of %g",
                   specimen_names[b->kind], i, out, size);
    }
}
/* Along any direction the points reach as far as the shape, but for the sagitta of the arcs. */
static void expect_reach(const specimen *b, const cm_tessellation *t, double size, int segments, rng *r) {
    for (int i = 0; i < 100; i++) {
        wide3 n = w3_of_vec3(rng_direction(r));
        long double whole = -HUGE_VALL, most = -HUGE_VALL;
        for (int k = 0; k < b->count; k++) whole = fmaxl(whole, specimen_part_reach(b, (uint32_t)k, n));
        for (uint32_t k = 0; k < t->point_count; k++) most = fmaxl(most, w3_dot(n, w3_of_vec3(t->points[k])));
        check_that(most >= whole - (long double)(25. / (segments * segments) * size), "%s: falls short by %Lg of %g",
                   specimen_names[b->kind], whole - most, size);
    }
}
/* As a mesh it is closed, and its volume, which counts what is turned inside out, nearly the solid's and never more. */
static void expect_closed(const specimen *b, const cm_tessellation *t, double size, int segments) {
    cm_mass mass;
    bool weighed = cm_shape_mass(&b->shape, 1, &mass) == CM_OK;
    if (weighed && mass.volume == 0) return;
    cm_mesh_desc desc = {.points = &t->points[0].x,
                         .point_count = t->point_count,
                         .indices = t->indices,
                         .triangle_count = t->triangle_count,
                         .weld = -1,
                         .solid = true};
    cm_mesh *mesh;
    check_that(cm_mesh_build(&desc, NULL, &mesh, NULL) == CM_OK, "%s: %u triangles", specimen_names[b->kind],
               t->triangle_count);
    cm_mesh_info info;
    cm_mesh_get_info(mesh, &info);
    cm_mesh_destroy(mesh, NULL);
    double all = 8 * size * size * size, slack = 1e-5 * (weighed ? (double)mass.volume : 1) + 1e-6 * all;
    check_that(info.volume >= -CM_REAL_EPSILON * (cm_real)all, "%s: volume %g", specimen_names[b->kind],
               (double)info.volume);
    if (!weighed) return;
    check_that((double)info.volume <= (double)mass.volume + slack, "%s: %g of %g", specimen_names[b->kind],
               (double)info.volume, (double)mass.volume);
    check_that((double)info.volume >= (double)mass.volume * (1 - 60. / (segments * segments)) - slack, "%s: %g of %g",
               specimen_names[b->kind], (double)info.volume, (double)mass.volume);
}

static void every_kind_is_covered_by_triangles_on_its_surface(void **state) {
    (void)state;
    rng r = rng_start("tessellate", 8117);
    for (int kind = 0; kind < SPECIMEN_KINDS; kind++) {
        for (int i = 0; i < samples(20, 1000); i++) {
            specimen b;
            specimen_random(&b, (specimen_kind)kind, rng_log_range(&r, 1e-4, 1e6), &r);
            cm_tessellate_desc desc = {.segments = i % 3 == 0 ? 0 : 8 + 4 * (int)rng_below(&r, 10)};
            int segments = desc.segments ? desc.segments : 32;
            cm_tessellation t;
            check_that(cm_shape_tessellate(&b.shape, &desc, NULL, &t) == CM_OK, "%s", specimen_names[kind]);
            for (uint32_t k = 0; k < 3 * t.triangle_count; k++) assert_true(t.indices[k] < t.point_count);
            if (kind != SPECIMEN_HALFSPACE) {
                double size = size_of(&b.shape);
                if (kind != SPECIMEN_SOLID_MESH) expect_points_on(&b, &t, size);
                if (kind != SPECIMEN_CUSTOM) expect_reach(&b, &t, size, segments, &r);
                if (is_whole(&b) && t.triangle_count > 0) expect_closed(&b, &t, size, segments);
            }
            cm_tessellation_destroy(&t, NULL);
            assert_true(t.points == NULL && t.indices == NULL && t.point_count == 0 && t.triangle_count == 0);
            specimen_free(&b);
        }
    }
}

static void a_box_is_twelve_triangles_and_a_point_none(void **state) {
    (void)state;
    cm_shape box = cm_make_box(cm_v(1, 2, 3)), point = cm_make_point(cm_v(4, 5, 6));
    cm_shape line = cm_make_segment(cm_v(0, 0, 0), cm_v(1, 0, 0)),
             flat = cm_make_triangle(cm_v(0, 0, 0), cm_v(1, 0, 0), cm_v(0, 1, 0));
    cm_tessellation t;
    assert_int_equal(cm_shape_tessellate(&box, NULL, NULL, &t), CM_OK);
    assert_true(t.point_count == 8 && t.triangle_count == 12);
    cm_tessellation_destroy(&t, NULL);
    assert_int_equal(cm_shape_tessellate(&point, NULL, NULL, &t), CM_OK);
    assert_true(t.point_count == 1 && t.triangle_count == 0 && t.points[0].z == 6);
    cm_tessellation_destroy(&t, NULL);
    assert_int_equal(cm_shape_tessellate(&line, NULL, NULL, &t), CM_OK);
    assert_true(t.point_count == 2 && t.triangle_count == 0);
    cm_tessellation_destroy(&t, NULL);
    assert_int_equal(cm_shape_tessellate(&flat, NULL, NULL, &t), CM_OK);
    assert_true(t.point_count == 3 && t.triangle_count == 2);
    cm_tessellation_destroy(&t, NULL);
}

static void a_cylinder_has_rings_of_as_many_points_as_segments(void **state) {
    (void)state;
    cm_shape s = cm_make_cylinder(2, 3);
    for (int segments = 4; segments <= 256; segments += 36) {
        cm_tessellate_desc desc = {.segments = segments};
        cm_tessellation t;
        assert_int_equal(cm_shape_tessellate(&s, &desc, NULL, &t), CM_OK);
        assert_int_equal(t.point_count, 2 * segments);
        assert_int_equal(t.triangle_count, 4 * segments - 4);
        cm_tessellation_destroy(&t, NULL);
    }
    cm_tessellate_desc odd = {.segments = 13};
    cm_tessellation t;
    assert_int_equal(cm_shape_tessellate(&s, &odd, NULL, &t), CM_OK);
    assert_int_equal(t.point_count, 32);
    cm_tessellation_destroy(&t, NULL);
}

static void a_rounded_box_keeps_its_flat_faces(void **state) {
    (void)state;
    cm_shape s = cm_make_rounded_box(cm_v(1, 2, 3), CM_REAL(0.5));
    cm_tessellate_desc desc = {.segments = 12};
    cm_tessellation t;
    assert_int_equal(cm_shape_tessellate(&s, &desc, NULL, &t), CM_OK);
    for (int axis = 0; axis < 3; axis++) {
        for (int corner = 0; corner < 8; corner++) {
            cm_real p[3] = {corner & 1 ? 1 : -1, corner & 2 ? 2 : -2, corner & 4 ? 3 : -3};
            p[axis] += p[axis] < 0 ? CM_REAL(-0.5) : CM_REAL(0.5);
            bool there = false;
            for (uint32_t i = 0; i < t.point_count; i++)
                there = there || (t.points[i].x == p[0] && t.points[i].y == p[1] && t.points[i].z == p[2]);
            assert_true(there);
        }
    }
    cm_tessellation_destroy(&t, NULL);
    cm_vec3 tilted[6] = {{0, 0, 0}, {5, 0, 1}, {1, 6, 2}, {1, 1, 7}, {6, 6, 6}, {4, 7, 3}};
    cm_hull_desc cloud = {.points = &tilted[0].x, .point_count = 6};
    cm_hull *hull;
    assert_int_equal(cm_hull_build(&cloud, NULL, &hull, NULL), CM_OK);
    s = cm_make_hull(hull);
    s.radius = 1;
    assert_int_equal(cm_shape_tessellate(&s, &desc, NULL, &t), CM_OK);
    const cm_vec3 *v = cm_hull_vertices(hull);
    for (uint32_t i = 0; i < cm_hull_face_count(hull); i++) {
        cm_hull_face f;
        cm_hull_get_face(hull, i, &f);
        for (uint32_t k = 0; k < f.count; k++) {
            cm_vec3 p = cm_add(v[f.vertices[k]], f.normal);
            double nearest = HUGE_VAL;
            for (uint32_t m = 0; m < t.point_count; m++)
                nearest = fmin(nearest, (double)cm_length(cm_sub(p, t.points[m])));
            check_that(nearest < 1e-5, "a face's corner is %g away", nearest);
        }
    }
    cm_tessellation_destroy(&t, NULL);
    cm_hull_destroy(hull, NULL);
}

/* A capsule's sides are straight: both ends have the same ring, whatever way it lies. */
static void the_rings_of_a_capsule_face_each_other(void **state) {
    (void)state;
    rng r = rng_start("capsules", 5);
    for (int i = 0; i < 50; i++) {
        cm_vec3 a = rng_vec3(&r, 3), b = rng_vec3(&r, 3), way = cm_sub(b, a);
        cm_shape s = cm_make_capsule(a, b, 1);
        cm_tessellation t;
        assert_int_equal(cm_shape_tessellate(&s, NULL, NULL, &t), CM_OK);
        int ring = 0;
        for (uint32_t k = 0; k < t.point_count; k++) {
            cm_vec3 from = cm_sub(t.points[k], a);
            if (cm_abs(cm_dot(from, way)) > CM_REAL(1e-5) * cm_dot(way, way)) continue;
            ring++;
            bool met = false;
            for (uint32_t m = 0; m < t.point_count && !met; m++)
                met = cm_length(cm_sub(t.points[m], cm_add(t.points[k], way))) < CM_REAL(1e-5);
            assert_true(met);
        }
        assert_int_equal(ring, 32);
        cm_tessellation_destroy(&t, NULL);
    }
}

static void a_half_space_is_a_square_on_its_plane(void **state) {
    (void)state;
    rng r = rng_start("half-spaces", 6);
    for (int i = 0; i < 100; i++) {
        cm_real sign = i < 3 ? 1 : -1;
        cm_vec3 n = i >= 6       ? rng_direction(&r)
                    : i % 3 == 0 ? cm_v(sign, 0, 0)
                    : i % 3 == 1 ? cm_v(0, sign, 0)
                                 : cm_v(0, 0, sign);
        cm_shape s = cm_make_halfspace(n, CM_REAL(-2.5));
        s.radius = CM_REAL(0.5);
        cm_tessellate_desc desc = {.extent = 7};
        cm_tessellation t;
        assert_int_equal(cm_shape_tessellate(&s, &desc, NULL, &t), CM_OK);
        assert_true(t.point_count == 4 && t.triangle_count == 2);
        cm_vec3 middle = {0, 0, 0};
        for (int k = 0; k < 4; k++) {
            middle = cm_mul_add(middle, CM_REAL(0.25), t.points[k]);
            assert_true(fabs((double)cm_dot(n, t.points[k]) - 3) < 1e-5);
        }
        assert_true(cm_length(cm_mul_add(middle, -3, n)) < CM_REAL(1e-5));
        for (int k = 0; k < 2; k++) {
            const uint32_t *c = t.indices + 3 * k;
            cm_vec3 cross = cm_cross(cm_sub(t.points[c[1]], t.points[c[0]]), cm_sub(t.points[c[2]], t.points[c[0]]));
            assert_true(cm_length(cm_sub(cross, cm_scale(n, 14 * 14))) < CM_REAL(1e-2));
        }
        cm_tessellation_destroy(&t, NULL);
    }
}

static void meshes_and_height_fields_keep_their_triangles(void **state) {
    (void)state;
    rng r = rng_start("kept triangles", 7);
    for (int i = 0; i < 40; i++) {
        specimen b;
        cm_tessellation t;
        specimen_random(&b, SPECIMEN_MESH, 1, &r);
        assert_int_equal(cm_shape_tessellate(&b.shape, NULL, NULL, &t), CM_OK);
        assert_int_equal(t.triangle_count, cm_mesh_triangle_count(b.mesh));
        for (uint32_t k = 0; k < t.triangle_count; k++) {
            uint32_t corner[3];
            cm_mesh_corners(b.mesh, k, corner);
            assert_memory_equal(corner, t.indices + 3 * k, sizeof corner);
        }
        assert_memory_equal(t.points, cm_mesh_points(b.mesh), t.point_count * sizeof(cm_vec3));
        cm_tessellation_destroy(&t, NULL);
        specimen_free(&b);
        cm_real heights[35];
        uint8_t holes[24];
        for (int k = 0; k < 35; k++) heights[k] = (cm_real)rng_unit(&r);
        for (int k = 0; k < 24; k++) holes[k] = rng_below(&r, 4) == 0;
        cm_height_field_desc desc = {.heights = heights,
                                     .columns = 7,
                                     .rows = 5,
                                     .column_spacing = 1,
                                     .row_spacing = 2,
                                     .ground = (cm_ground)(i % 6),
                                     .other_diagonal = i % 2 == 0,
                                     .holes = holes};
        cm_height_field *field;
        assert_int_equal(cm_height_field_build(&desc, NULL, &field, NULL), CM_OK);
        cm_shape s = cm_make_height_field(field);
        assert_int_equal(cm_shape_tessellate(&s, NULL, NULL, &t), CM_OK);
        cm_height_field_info info;
        cm_height_field_get_info(field, &info);
        uint32_t at = 0;
        for (uint32_t k = 0; k < info.triangles; k++) {
            cm_triangle one;
            if (!cm_height_field_triangle(field, k, &one)) continue;
            const uint32_t *c = t.indices + 3 * at++;
            cm_triangle told = {t.points[c[0]], t.points[c[1]], t.points[c[2]]};
            assert_memory_equal(&one, &told, sizeof one);
        }
        assert_int_equal(at, t.triangle_count);
        cm_tessellation_destroy(&t, NULL);
        cm_height_field_destroy(field, NULL);
    }
}

static void bad_input_is_refused(void **state) {
    (void)state;
    cm_shape box = cm_make_box(cm_v(1, 1, 1));
    assert_int_equal(cm_shape_tessellate(&box, NULL, NULL, NULL), CM_INVALID);
    cm_tessellation_destroy(NULL, NULL);
    cm_shape s = cm_make_sphere(cm_v(0, 0, 0), 1), far = cm_make_sphere(cm_v(0, 0, 0), CM_REAL_MAX);
    cm_tessellation t = {NULL, NULL, 77, 78};
    const cm_tessellate_desc bad[] = {{3, 0}, {-8, 0}, {257, 0}, {0, -1}, {0, (cm_real)NAN}, {0, (cm_real)HUGE_VAL}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(cm_shape_tessellate(&s, &bad[i], NULL, &t), CM_INVALID);
    assert_int_equal(cm_shape_tessellate(NULL, NULL, NULL, &t), CM_INVALID);
    assert_int_equal(cm_shape_tessellate(&far, NULL, NULL, &t), CM_NOT_FINITE);
    s.radius = -1;
    assert_int_equal(cm_shape_tessellate(&s, NULL, NULL, &t), CM_INVALID);
    assert_true(t.point_count == 77 && t.triangle_count == 78);
}

static void a_failed_allocation_leaks_nothing(void **state) {
    (void)state;
    rng r = rng_start("failing", 9);
    const specimen_kind kinds[] = {SPECIMEN_ROUNDED_HULL, SPECIMEN_CYLINDER, SPECIMEN_MESH, SPECIMEN_COMPOUND};
    for (size_t i = 0; i < 4; i++) {
        specimen b;
        specimen_random(&b, kinds[i], 1, &r);
        cm_status status = CM_NO_MEMORY;
        for (size_t fail = 1; status != CM_OK; fail++) {
            counting_allocator c;
            cm_tessellation t;
            counting_allocator_start(&c, fail);
            status = cm_shape_tessellate(&b.shape, &(cm_tessellate_desc){.segments = 8}, &c.mem, &t);
            assert_true(status == CM_OK || status == CM_NO_MEMORY);
            if (status == CM_OK) cm_tessellation_destroy(&t, &c.mem);
            assert_true(c.live_blocks == 0 && c.live_bytes == 0);
        }
        specimen_free(&b);
    }
}

/* How deep the points lie: in what is round itself and has a radius, as the header says, else not at all. */
static void points_lie_on_the_surface(void **state) {
    (void)state;
    cm_shape shapes[] = {cm_make_sphere(cm_v(1, 2, 3), 2),
                         cm_make_capsule(cm_v(1, 0, 0), cm_v(-1, 2, 0), 1),
                         cm_make_rounded_box(cm_v(1, 2, 1), 1),
                         cm_make_cylinder(2, 1),
                         cm_make_cone(1, 2),
                         cm_make_ellipsoid(cm_v(1, 2, 1)),
                         cm_make_cylinder(2, 1),
                         cm_make_cone(1, 2),
                         cm_make_ellipsoid(cm_v(1, 2, 1))};
    const cm_pose home = cm_pose_identity();
    for (int i = 0; i < 9; i++) {
        if (i >= 6) shapes[i].radius = 1;
        for (int segments = 8; segments <= 32; segments *= 2) {
            const cm_tessellate_desc desc = {.segments = segments};
            cm_tessellation t;
            cm_aabb box;
            assert_int_equal(cm_shape_tessellate(&shapes[i], &desc, NULL, &t), CM_OK);
            cm_shape_bounds(&shapes[i], &home, &box);
            const double size = (double)cm_largest(cm_sub(box.max, box.min));
            const double room = i >= 6 ? 10. / (segments * segments) * size : 64 * (double)CM_REAL_EPSILON * size;
            for (uint32_t k = 0; k < t.point_count; k++) {
                const cm_shape point = cm_make_point(t.points[k]);
                const double gap = (double)cm_distance(&point, &home, &shapes[i], &home, CM_REAL_MAX, NULL);
                check_that(fabs(gap) <= room, "shape %d, %d segments: a point at %g", i, segments, gap);
            }
            cm_tessellation_destroy(&t, NULL);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_lie_on_the_surface),
        cmocka_unit_test(every_kind_is_covered_by_triangles_on_its_surface),
        cmocka_unit_test(a_box_is_twelve_triangles_and_a_point_none),
        cmocka_unit_test(a_cylinder_has_rings_of_as_many_points_as_segments),
        cmocka_unit_test(a_rounded_box_keeps_its_flat_faces),
        cmocka_unit_test(the_rings_of_a_capsule_face_each_other),
        cmocka_unit_test(a_half_space_is_a_square_on_its_plane),
        cmocka_unit_test(meshes_and_height_fields_keep_their_triangles),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(a_failed_allocation_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
