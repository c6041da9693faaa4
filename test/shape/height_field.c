/* Height fields as shapes: bounds, rays, parts and their edges, against the mesh of the same triangles. */
#include "shape/shape.h"
#include "support/fields.h"
#include "support/shapes.h"

#include <math.h>

static void a_missing_field_is_refused(void **state) {
    (void)state;
    cm_shape shape = cm_make_height_field(NULL);
    cm_error error = {CM_OK, NULL, 0};
    assert_int_equal(cm_shape_check(&shape, &error), CM_INVALID);
    assert_string_equal(error.field, "height_field");
    assert_string_equal(cm_kind_name(shape.kind), "height_field");
    rng r = rng_start("radius", 70);
    field_twin t;
    field_twin_random(&t, FIELD_ROUGH, 5, 1, cm_v(0, 0, 0), &r);
    shape = cm_make_height_field(t.field);
    assert_int_equal(cm_shape_check(&shape, &error), CM_OK);
    shape.radius = 1;
    assert_int_equal(cm_shape_check(&shape, &error), CM_INVALID);
    assert_string_equal(error.field, "radius");
    field_twin_free(&t);
}

static field_twin random_twin(rng *r, int i) {
    field_twin t;
    double size = rng_log_range(r, 1e-3, 1e5);
    cm_vec3 origin = rng_vec3(r, i % 3 == 0 ? 1e5 : size);
    field_twin_random(&t, (field_kind)(i % FIELD_KINDS), i % 2 ? 6 : 50, size, origin, r);
    return t;
}

static void bounds_are_those_of_the_mesh_of_the_same_triangles(void **state) {
    (void)state;
    rng r = rng_start("bounds", 71);
    for (int i = 0; i < samples(2000, 100000); ++i) {
        field_twin t = random_twin(&r, i);
        cm_shape field = cm_make_height_field(t.field), mesh = cm_make_mesh(t.mesh);
        cm_pose pose = rng_pose(&r, 100);
        if (i % 5 == 0) pose.rotation = cm_quat_identity();
        cm_aabb a, b;
        cm_shape_bounds(&field, &pose, &a);
        cm_shape_bounds(&mesh, &pose, &b);
        check_that(memcmp(&a, &b, sizeof a) == 0, "field %d: low " REAL_FORMAT ", the mesh " REAL_FORMAT, i,
                   (double)a.min.x, (double)b.min.x);
        field_twin_free(&t);
    }
}

static void rays_are_answered_as_on_the_mesh_of_the_same_triangles(void **state) {
    (void)state;
    rng r = rng_start("rays", 72);
    int hits = 0, rays = samples(20000, 1000000);
    for (int i = 0; i < rays;) {
        field_twin t = random_twin(&r, i);
        cm_shape field = cm_make_height_field(t.field), mesh = cm_make_mesh(t.mesh);
        cm_pose pose = rng_pose(&r, 10);
        for (int k = 0; k < 50; ++k, ++i) {
            cm_vec3 aim = cm_pose_apply(&pose, field_twin_aim(&t, &r));
            cm_ray ray = {cm_add(aim, rng_vec3(&r, 100)), cm_v(0, 0, 0), CM_REAL_MAX};
            ray.direction = cm_sub(aim, ray.origin);
            cm_ray_hit a, b;
            bool found = cm_raycast(&ray, &field, &pose, &a), truth = cm_raycast(&ray, &mesh, &pose, &b);
            assert_true(found == truth);
            if (!found) continue;
            ++hits;
            check_that(a.t == b.t && a.exit == b.exit && a.inside == b.inside && a.normal.x == b.normal.x &&
                           a.normal.y == b.normal.y && a.normal.z == b.normal.z && a.point.x == b.point.x &&
                           a.part == t.numbers[b.part],
                       "ray %d: t " REAL_FORMAT " and " REAL_FORMAT, i, (double)a.t, (double)b.t);
        }
        field_twin_free(&t);
    }
    check_that(hits > rays / 4, "%d of %d hit", hits, rays);
}

/* --- parts ------------------------------------------------------------------------------------------------------- */

static cm_aabb random_box(const field_twin *t, double size, rng *r) {
    cm_aabb box = cm_aabb_empty();
    cm_vec3 at = field_twin_aim(t, r);
    at = cm_add(at, rng_vec3(r, rng_below(r, 2) ? 0 : 2 * size));
    box = cm_aabb_add_point(box, at);
    box = cm_aabb_add_point(box, cm_add(at, rng_vec3(r, rng_log_range(r, 1e-3, 1) * size)));
    if (rng_below(r, 10) == 0) box.max.x = CM_REAL_MAX;
    if (rng_below(r, 10) == 0) box.min.y = -CM_REAL_MAX;
    return box;
}

static void near_parts_are_all_offered_once(void **state) {
    (void)state;
    rng r = rng_start("parts", 73);
    uint64_t offered = 0, wanted = 0;
    for (int i = 0; i < samples(2000, 100000); ++i) {
        field_twin t = random_twin(&r, i);
        cm_shape shape = cm_make_height_field(t.field);
        const cm__parts_ops *parts = cm__ops(shape.kind)->parts;
        cm_height_field_info info;
        cm_height_field_get_info(t.field, &info);
        double size = (double)(info.bounds.max.x - info.bounds.min.x);
        bool *seen = calloc(info.triangles, 1);
        cm_aabb box = random_box(&t, size, &r), all;
        cm_real bound = rng_below(&r, 4) == 0 ? 0 : CM_REAL(rng_log_range(&r, 1e-3, 1) * size);
        if (i % 50 == 0) bound = CM_REAL_MAX;
        cm__parts q;
        cm__part part;
        parts->box(&shape, &all);
        assert_memory_equal(&all, &info.bounds, sizeof all);
        parts->start(&q, &shape, &box);
        while (parts->next(&q, bound, &part)) {
            check_that(part.number < info.triangles && !seen[part.number], "triangle %u twice", part.number);
            cm_triangle c;
            assert_true(cm_height_field_triangle(t.field, part.number, &c) && part.identity);
            assert_memory_equal(&c, &part.shape.u.triangle, sizeof c);
            seen[part.number] = true;
            ++offered;
        }
        for (uint32_t n = 0; n < info.triangles; ++n) {
            cm_triangle c;
            if (!cm_height_field_triangle(t.field, n, &c)) continue;
            bool near = box_gap(&box, &c) <= (double)bound * (double)bound;
            check_that(!near || seen[n], "triangle %u at %g was withheld, bound %g", n, sqrt(box_gap(&box, &c)),
                       (double)bound);
            wanted += near;
        }
        free(seen);
        field_twin_free(&t);
    }
    check_that(wanted > 1000 && offered <= 2 * wanted, "offered %g, wanted %g", (double)offered, (double)wanted);
}

static void parts_on_the_way_are_all_offered_once(void **state) {
    (void)state;
    rng r = rng_start("cast", 74);
    uint64_t offered = 0, wanted = 0;
    for (int i = 0; i < samples(2000, 100000); ++i) {
        field_twin t = random_twin(&r, i);
        cm_shape shape = cm_make_height_field(t.field);
        const cm__parts_ops *parts = cm__ops(shape.kind)->parts;
        cm_height_field_info info;
        cm_height_field_get_info(t.field, &info);
        double size = (double)(info.bounds.max.x - info.bounds.min.x);
        bool *seen = calloc(info.triangles, 1);
        cm_aabb box = random_box(&t, 0.1 * size, &r);
        cm_vec3 move = cm_sub(field_twin_aim(&t, &r), box.min);
        if (i % 4 == 0) move.y = 0;
        if (i % 7 == 0) move.z = 0;
        if (i % 20 == 0) move = cm_v(0, 0, 0);
        cm_real limit = CM_REAL(rng_unit(&r));
        cm__parts q;
        cm__part part;
        parts->cast_start(&q, &shape, &box, move);
        while (parts->cast_next(&q, limit, &part)) {
            check_that(part.number < info.triangles && !seen[part.number], "triangle %u twice", part.number);
            seen[part.number] = true;
            ++offered;
        }
        for (uint32_t n = 0; n < info.triangles; ++n) {
            cm_triangle c;
            if (!cm_height_field_triangle(t.field, n, &c)) continue;
            bool met = box_meets(&box, move, (double)limit, &c);
            check_that(!met || seen[n], "triangle %u was withheld", n);
            wanted += met;
        }
        free(seen);
        field_twin_free(&t);
    }
    check_that(wanted > 1000 && offered <= 2 * wanted, "offered %g, wanted %g", (double)offered, (double)wanted);
}

static void nothing_is_near_an_empty_box(void **state) {
    (void)state;
    rng r = rng_start("empty", 75);
    field_twin t;
    field_twin_random(&t, FIELD_ROUGH, 10, 1, cm_v(0, 0, 0), &r);
    cm_shape shape = cm_make_height_field(t.field);
    const cm__parts_ops *parts = cm__ops(shape.kind)->parts;
    cm_aabb box = cm_aabb_empty();
    cm__parts q;
    cm__part part;
    parts->start(&q, &shape, &box);
    assert_false(parts->next(&q, CM_REAL_MAX, &part));
    box.min = box.max = cm_v((cm_real)NAN, 0, 0);
    parts->start(&q, &shape, &box);
    assert_false(parts->next(&q, CM_REAL_MAX, &part));
    parts->cast_start(&q, &shape, &box, cm_v(1, 0, 0));
    assert_false(parts->cast_next(&q, 1, &part));
    field_twin_free(&t);
}

static void edges_are_those_of_the_mesh_of_the_same_triangles(void **state) {
    (void)state;
    rng r = rng_start("edges", 76);
    uint32_t inner = 0, all = 0;
    for (int i = 0; i < samples(500, 5000); ++i) {
        field_twin t = random_twin(&r, i);
        cm_shape field = cm_make_height_field(t.field), mesh = cm_make_mesh(t.mesh);
        for (uint32_t n = 0; n < cm_mesh_triangle_count(t.mesh); ++n) {
            for (uint32_t e = 0; e < 3; ++e) {
                cm_vec3 a, b;
                uint32_t over_a = cm__ops(field.kind)->parts->surface->across(&field, 3 * t.numbers[n] + e, &a);
                uint32_t over_b = cm__ops(mesh.kind)->parts->surface->across(&mesh, 3 * n + e, &b);
                ++all;
                assert_int_equal(over_a == CM_NONE, over_b == CM_NONE);
                if (over_a == CM_NONE) continue;
                ++inner;
                assert_memory_equal(&a, &b, sizeof(cm_vec3));
                assert_int_equal(over_a / 3, t.numbers[over_b / 3]);
                assert_int_equal(over_a % 3, over_b % 3);
            }
        }
        field_twin_free(&t);
    }
    check_that(inner > all / 2 && inner < all, "%u of %u edges have a neighbor", inner, all);
}

/* A tile that is not there yet. */
static void a_field_of_holes_alone_is_nowhere(void **state) {
    (void)state;
    const cm_real heights[4] = {1, 2, 3, 4};
    static const uint8_t hole = 1;
    cm_height_field_desc d = {0};
    d.heights = heights, d.columns = d.rows = 2, d.column_spacing = d.row_spacing = 1, d.holes = &hole;
    cm_height_field *field = NULL;
    assert_int_equal(cm_height_field_build(&d, NULL, &field, NULL), CM_OK);
    cm_shape shape = cm_make_height_field(field);
    cm_pose none = cm_pose_identity();
    cm_aabb box, all;
    cm_triangle t;
    cm_height_field_info info;
    cm_height_field_get_info(field, &info);
    assert_true(info.holes == 1 && info.triangles == 2 && info.bounds.min.x > info.bounds.max.x);
    assert_false(cm_height_field_triangle(field, 0, &t));
    cm_shape_bounds(&shape, &none, &box);
    assert_true(box.min.x > box.max.x);
    cm_ray ray = {cm_v(CM_REAL(0.5), CM_REAL(0.5), 9), cm_v(0, 0, -1), CM_REAL_MAX};
    assert_false(cm_raycast(&ray, &shape, &none, NULL));
    const cm__parts_ops *parts = cm__ops(shape.kind)->parts;
    cm__parts q;
    cm__part part;
    all.min = cm_v(-9, -9, -9), all.max = cm_v(9, 9, 9);
    parts->start(&q, &shape, &all);
    assert_false(parts->next(&q, CM_REAL_MAX, &part));
    cm_height_field_destroy(field, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_field_is_refused),
        cmocka_unit_test(bounds_are_those_of_the_mesh_of_the_same_triangles),
        cmocka_unit_test(rays_are_answered_as_on_the_mesh_of_the_same_triangles),
        cmocka_unit_test(near_parts_are_all_offered_once),
        cmocka_unit_test(parts_on_the_way_are_all_offered_once),
        cmocka_unit_test(nothing_is_near_an_empty_box),
        cmocka_unit_test(edges_are_those_of_the_mesh_of_the_same_triangles),
        cmocka_unit_test(a_field_of_holes_alone_is_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
