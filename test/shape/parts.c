/* The parts of a mesh near a box, and on a box's way: never one withheld, by every triangle in turn. */
#include "support/meshes.h"
#include "support/shapes.h"

#include "shape/shape.h"

static cm_aabb random_box(rng *r, double reach) {
    cm_aabb box = cm_aabb_empty();
    cm_vec3 at = rng_vec3(r, reach);
    box = cm_aabb_add_point(box, at);
    box = cm_aabb_add_point(box, cm_add(at, rng_vec3(r, reach / 2)));
    if (rng_below(r, 8) == 0) box.max.x = CM_REAL_MAX;
    if (rng_below(r, 8) == 0) box.min.y = -CM_REAL_MAX;
    return box;
}

static void near_parts_are_all_offered_once(void **state) {
    (void)state;
    rng r = rng_start("parts", 1);
    cm_mesh *mesh = mesh_ball(cm_v(1, 2, 3), 2, 3, true);
    cm_shape shape = cm_make_mesh(mesh);
    const cm__parts_ops *parts = cm__ops(shape.kind)->parts;
    uint32_t count = cm_mesh_triangle_count(mesh);
    bool *seen = malloc(count);
    uint64_t offered = 0, wanted = 0;
    for (int i = 0; i < samples(2000, 100000); i++) {
        cm_aabb box = random_box(&r, rng_log_range(&r, 0.1, 100));
        cm_real bound = rng_below(&r, 4) == 0 ? 0 : CM_REAL(rng_log_range(&r, 1e-3, 10));
        cm__parts q;
        cm__part part;
        memset(seen, 0, count);
        parts->start(&q, &shape, &box);
        while (parts->next(&q, bound, &part)) {
            check_that(!seen[part.number], "triangle %u twice", part.number);
            seen[part.number] = true;
            offered++;
        }
        for (uint32_t t = 0; t < count; t++) {
            cm_triangle c = mesh_triangle(mesh, t).u.triangle;
            bool near = box_gap(&box, &c) <= (double)bound * (double)bound;
            check_that(!near || seen[t], "triangle %u at %g was withheld, bound %g", t, box_gap(&box, &c),
                       (double)bound);
            wanted += near;
        }
    }
    check_that(wanted > 1000 && offered < 3 * wanted, "offered %g, wanted %g", (double)offered, (double)wanted);
    free(seen);
    cm_mesh_destroy(mesh, NULL);
}

static void parts_on_the_way_are_all_offered_once(void **state) {
    (void)state;
    rng r = rng_start("cast", 2);
    cm_mesh *mesh = mesh_ball(cm_v(1, 2, 3), 2, 3, true);
    cm_shape shape = cm_make_mesh(mesh);
    const cm__parts_ops *parts = cm__ops(shape.kind)->parts;
    uint32_t count = cm_mesh_triangle_count(mesh);
    bool *seen = malloc(count);
    uint64_t offered = 0, wanted = 0;
    for (int i = 0; i < samples(2000, 100000); i++) {
        double size = rng_log_range(&r, 1, 1000);
        cm_aabb box = cm_aabb_empty();
        cm_vec3 from = rng_vec3(&r, size), half = cm_vec3_abs(rng_vec3(&r, rng_log_range(&r, 0.01, 1)));
        cm_vec3 to = cm_add(cm_v(1, 2, 3), rng_vec3(&r, 3));
        cm_vec3 move = cm_scale(cm_sub(to, from), CM_REAL(rng_range(&r, 0.5, 2)));
        if (rng_below(&r, 4) == 0) move.y = 0;
        if (rng_below(&r, 20) == 0) move = cm_v(0, 0, 0);
        box = cm_aabb_add_point(box, cm_sub(from, half));
        box = cm_aabb_add_point(box, cm_add(from, half));
        cm_real limit = CM_REAL(rng_unit(&r));
        cm__parts q;
        cm__part part;
        memset(seen, 0, count);
        parts->cast_start(&q, &shape, &box, move);
        while (parts->cast_next(&q, limit, &part)) {
            check_that(!seen[part.number], "triangle %u twice", part.number);
            seen[part.number] = true;
            offered++;
        }
        for (uint32_t t = 0; t < count; t++) {
            cm_triangle c = mesh_triangle(mesh, t).u.triangle;
            bool met = box_meets(&box, move, (double)limit, &c);
            check_that(!met || seen[t], "triangle %u was withheld", t);
            wanted += met;
        }
    }
    check_that(wanted > (uint64_t)samples(2000, 100000) / 4 && offered < 6 * wanted, "offered %g, wanted %g",
               (double)offered, (double)wanted);
    free(seen);
    cm_mesh_destroy(mesh, NULL);
}

static void nothing_is_near_an_empty_box(void **state) {
    (void)state;
    cm_mesh *mesh = mesh_box(cm_v(0, 0, 0), cm_v(1, 1, 1), true);
    cm_shape shape = cm_make_mesh(mesh);
    const cm__parts_ops *parts = cm__ops(shape.kind)->parts;
    cm_aabb box = cm_aabb_empty();
    cm__parts q;
    cm__part part;
    parts->start(&q, &shape, &box);
    assert_false(parts->next(&q, CM_REAL_MAX, &part));
    box.min = box.max = cm_v((cm_real)NAN, 0, 0);
    parts->start(&q, &shape, &box);
    assert_false(parts->next(&q, CM_REAL_MAX, &part));
    cm_mesh_destroy(mesh, NULL);
}

static void edges_name_what_lies_across(void **state) {
    (void)state;
    cm_mesh *mesh = mesh_box(cm_v(0, 0, 0), cm_v(1, 1, 1), true);
    cm_shape shape = cm_make_mesh(mesh);
    const cm__parts_ops *parts = cm__ops(shape.kind)->parts;
    for (uint32_t t = 0; t < 12; t++) {
        uint32_t c[3];
        cm_mesh_corners(mesh, t, c);
        const cm_vec3 *p = cm_mesh_points(mesh);
        cm_vec3 n = cm_cross(cm_sub(p[c[1]], p[c[0]]), cm_sub(p[c[2]], p[c[0]]));
        int flat = 0;
        for (uint32_t e = 0; e < 3; e++) {
            cm_vec3 third;
            uint32_t over = parts->surface->across(&shape, 3 * t + e, &third);
            assert_int_not_equal(over, CM_NONE);
            assert_int_equal(parts->surface->across(&shape, over, &third), 3 * t + e);
            assert_memory_equal(&third, &p[c[(e + 2) % 3]], sizeof third);
            parts->surface->across(&shape, 3 * t + e, &third);
            cm_real height = cm_dot(n, cm_sub(third, p[c[0]]));
            assert_true(height == 0 || height == -1);
            flat += height == 0;
        }
        assert_int_equal(flat, 1);
    }
    cm_mesh_destroy(mesh, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_parts_are_all_offered_once),
        cmocka_unit_test(parts_on_the_way_are_all_offered_once),
        cmocka_unit_test(nothing_is_near_an_empty_box),
        cmocka_unit_test(edges_name_what_lies_across),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
