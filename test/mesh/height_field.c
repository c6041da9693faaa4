/* Height fields: small ones by hand, what is refused, and every ray against the mesh of the same triangles. */
#include "mesh/height_field.h"
#include "support/fields.h"

#include <math.h>

/* Three columns, two rows. */
static const cm_real six[6] = {0, 1, 2, 10, 11, 12};

static cm_height_field_desc six_desc(void) {
    cm_height_field_desc d = {0};
    d.heights = six, d.columns = 3, d.rows = 2;
    d.column_spacing = 1, d.row_spacing = 4;
    return d;
}

static cm_height_field *built(const cm_height_field_desc *desc) {
    cm_height_field *field = NULL;
    cm_error error = {CM_OK, NULL, 0};
    cm_status status = cm_height_field_build(desc, NULL, &field, &error);
    check_that(status == CM_OK, "%s at %s %u", cm_status_text(status), error.field ? error.field : "-", error.index);
    return field;
}

static bool same_point(cm_vec3 a, cm_real x, cm_real y, cm_real z) { return a.x == x && a.y == y && a.z == z; }

/* Cell 1 lies between columns 1 and 2: x from 1 to 2, y from 0 to 4. */
static void a_cell_has_the_two_triangles_that_are_promised(void **state) {
    (void)state;
    cm_height_field_desc d = six_desc();
    cm_height_field *field = built(&d);
    cm_height_field_info info;
    cm_triangle t;
    cm_height_field_get_info(field, &info);
    assert_int_equal(info.cells, 2);
    assert_int_equal(info.triangles, 4);
    assert_int_equal(info.holes, 0);
    assert_true(same_point(info.bounds.min, 0, 0, 0) && same_point(info.bounds.max, 2, 4, 12));
    assert_true(cm_height_field_triangle(field, 2, &t));
    assert_true(same_point(t.a, 1, 0, 1) && same_point(t.b, 2, 0, 2) && same_point(t.c, 2, 4, 12));
    assert_true(cm_height_field_triangle(field, 3, &t));
    assert_true(same_point(t.a, 1, 0, 1) && same_point(t.b, 2, 4, 12) && same_point(t.c, 1, 4, 11));
    assert_false(cm_height_field_triangle(field, 4, &t));
    cm_height_field_destroy(field, NULL);
    d.other_diagonal = true;
    field = built(&d);
    assert_true(cm_height_field_triangle(field, 2, &t));
    assert_true(same_point(t.a, 1, 0, 1) && same_point(t.b, 2, 0, 2) && same_point(t.c, 1, 4, 11));
    assert_true(cm_height_field_triangle(field, 3, &t));
    assert_true(same_point(t.a, 2, 0, 2) && same_point(t.b, 2, 4, 12) && same_point(t.c, 1, 4, 11));
    cm_height_field_destroy(field, NULL);
}

/* Whatever the axes and the diagonal, the front is the upper side. */
static void every_triangle_looks_up_from_any_ground(void **state) {
    (void)state;
    static const int up[6] = {2, 0, 1, 2, 0, 1};
    static const int columns[6] = {0, 1, 2, 1, 2, 0};
    for (int i = 0; i < 12; ++i) {
        cm_height_field_desc d = six_desc();
        d.ground = (cm_ground)(i / 2), d.other_diagonal = i % 2;
        cm_height_field *field = built(&d);
        for (uint32_t n = 0; n < 4; ++n) {
            cm_triangle t;
            assert_true(cm_height_field_triangle(field, n, &t));
            cm_vec3 normal = cm_cross(cm_sub(t.b, t.a), cm_sub(t.c, t.a));
            const cm_real along[3] = {normal.x, normal.y, normal.z};
            check_that(along[up[i / 2]] > 0, "ground %d, triangle %u looks down", i / 2, n);
        }
        cm_height_field_info info;
        cm_height_field_get_info(field, &info);
        const cm_real size[3] = {info.bounds.max.x, info.bounds.max.y, info.bounds.max.z};
        assert_true(size[up[i / 2]] == 12 && size[columns[i / 2]] == 2);
        cm_height_field_destroy(field, NULL);
    }
}

static void strides_and_sample_types_give_the_same_block(void **state) {
    (void)state;
    cm_height_field_desc d = six_desc();
    cm_height_field *field = built(&d), *same;
    unsigned char wide[6 * 11];
    cm_real transposed[6];
    uint16_t plain[6];
    int16_t with_sign[6];
    for (size_t i = 0; i < 6; ++i) {
        memcpy(wide + 11 * i, &six[i], sizeof(cm_real));
        transposed[i % 3 * 2 + i / 3] = six[i];
        plain[i] = (uint16_t)(2 * six[i] + 20);
        with_sign[i] = (int16_t)(-2 * six[i]);
    }
    cm_height_field_desc other = d;
    other.heights = wide, other.column_stride = 11;
    same = built(&other);
    assert_int_equal(cm_height_field_bytes(field), cm_height_field_bytes(same));
    assert_memory_equal(field, same, cm_height_field_bytes(field));
    cm_height_field_destroy(same, NULL);
    other.heights = transposed, other.column_stride = 2 * sizeof(cm_real), other.row_stride = sizeof(cm_real);
    same = built(&other);
    assert_memory_equal(field, same, cm_height_field_bytes(field));
    cm_height_field_destroy(same, NULL);
    other = d;
    other.heights = plain, other.sample = CM_SAMPLE_U16, other.scale = CM_REAL(0.5), other.origin.z = -10;
    same = built(&other);
    assert_memory_equal(field, same, cm_height_field_bytes(field));
    cm_height_field_destroy(same, NULL);
    other = d;
    other.heights = with_sign, other.sample = CM_SAMPLE_I16, other.scale = CM_REAL(-0.5);
    same = built(&other);
    assert_memory_equal(field, same, cm_height_field_bytes(field));
    cm_height_field_destroy(same, NULL);
    cm_height_field_destroy(field, NULL);
}

static void refused(const cm_height_field_desc *d, cm_status status, const char *name, uint32_t index) {
    cm_height_field *field = NULL;
    cm_error error = {CM_OK, NULL, 0};
    cm_status found = cm_height_field_build(d, NULL, &field, &error);
    check_that(found == status && error.status == status, "%s: %s", name, cm_status_text(found));
    assert_string_equal(error.field, name);
    assert_int_equal(error.index, index);
    assert_null(field);
    assert_int_equal(cm_height_field_build(d, NULL, &field, NULL), status);
}

static void bad_descriptions_get_a_status_a_field_and_an_index(void **state) {
    (void)state;
    const cm_real nan = (cm_real)NAN, beyond = CM_COORD_MAX * 2;
    cm_real heights[6];
    cm_height_field *field = NULL;
    cm_error error = {CM_OK, NULL, 0};
    cm_height_field_desc d = six_desc();
    assert_int_equal(cm_height_field_build(NULL, NULL, &field, &error), CM_INVALID);
    assert_int_equal(cm_height_field_build(&d, NULL, NULL, &error), CM_INVALID);
#define REFUSED(set, status, name, index)                                                                              \
    d = six_desc();                                                                                                    \
    set;                                                                                                               \
    refused(&d, status, name, index)
    REFUSED(d.heights = NULL, CM_INVALID, "heights", CM_NONE);
    REFUSED(d.columns = 1, CM_INVALID, "columns", CM_NONE);
    REFUSED(d.columns = 0, CM_INVALID, "columns", CM_NONE);
    REFUSED(d.rows = 1, CM_INVALID, "rows", CM_NONE);
    REFUSED(d.columns = UINT32_MAX; d.rows = UINT32_MAX, CM_LIMIT, "columns", CM_NONE);
    REFUSED(d.columns = 65537; d.rows = 65537, CM_LIMIT, "columns", CM_NONE); /* 2^32 cells: 0 in 32 bits */
    REFUSED(d.columns = (UINT32_C(1) << 29) + 2, CM_LIMIT, "columns", CM_NONE);
    REFUSED(d.column_spacing = 0, CM_INVALID, "column_spacing", CM_NONE);
    REFUSED(d.row_spacing = -1, CM_INVALID, "row_spacing", CM_NONE);
    REFUSED(d.row_spacing = nan, CM_NOT_FINITE, "row_spacing", CM_NONE);
    REFUSED(d.column_spacing = beyond, CM_NOT_FINITE, "column_spacing", CM_NONE);
    REFUSED(d.column_spacing = CM_COORD_MAX, CM_NOT_FINITE, "column_spacing", CM_NONE); /* the far corner */
    REFUSED(d.scale = nan, CM_NOT_FINITE, "scale", CM_NONE);
    REFUSED(d.scale = CM_COORD_MAX, CM_NOT_FINITE, "heights", 2);
    REFUSED(d.origin.y = -beyond, CM_NOT_FINITE, "origin", CM_NONE);
    REFUSED(d.column_stride = 1, CM_INVALID, "column_stride", CM_NONE);
    REFUSED(d.row_stride = 1, CM_INVALID, "row_stride", CM_NONE);
    REFUSED(d.ground = (cm_ground)6, CM_INVALID, "ground", CM_NONE);
    REFUSED(d.sample = (cm_sample)3, CM_INVALID, "sample", CM_NONE);
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (uint32_t i = 0; i < 6; ++i) {
        memcpy(heights, six, sizeof six);
        heights[i] = i % 4 < 3 ? (cm_real)bad[i % 4] : -beyond;
        REFUSED(d.heights = heights, CM_NOT_FINITE, "heights", i);
        static const uint8_t all[2] = {1, 1};
        REFUSED(d.heights = heights; d.holes = all, CM_NOT_FINITE, "heights", i);
    }
#undef REFUSED
}

static void every_failed_allocation_is_a_status_and_leaks_nothing(void **state) {
    (void)state;
    cm_height_field_desc d = six_desc();
    for (size_t fail_at = 1;; ++fail_at) {
        counting_allocator c;
        counting_allocator_start(&c, fail_at);
        cm_height_field *field = NULL;
        cm_error error = {CM_OK, "untouched", 7};
        cm_status status = cm_height_field_build(&d, &c.mem, &field, &error);
        if (status == CM_OK) {
            assert_true(fail_at > 1 && strcmp(error.field, "untouched") == 0);
            assert_int_equal(c.live_bytes, cm_height_field_bytes(field));
            cm_height_field_destroy(field, &c.mem);
            assert_int_equal(c.live_blocks, 0);
            break;
        }
        assert_int_equal(status, CM_NO_MEMORY);
        assert_int_equal(error.status, CM_NO_MEMORY);
        assert_null(field);
        assert_int_equal(c.live_blocks, 0);
    }
    counting_allocator c; /* nothing stays of one that is refused after the allocation */
    counting_allocator_start(&c, 0);
    cm_height_field *field = NULL;
    d.scale = CM_COORD_MAX;
    assert_int_equal(cm_height_field_build(&d, &c.mem, &field, NULL), CM_NOT_FINITE);
    assert_int_equal(c.live_blocks, 0);
    cm_height_field_destroy(NULL, NULL);
}

static void a_copied_block_is_the_same_field(void **state) {
    (void)state;
    rng r = rng_start("copy", 60);
    field_twin t;
    field_twin_random(&t, FIELD_ROUGH, 40, 10, cm_v(1, 2, 3), &r);
    size_t bytes = cm_height_field_bytes(t.field);
    cm_height_field *copy = malloc(bytes);
    memcpy(copy, t.field, bytes);
    for (int i = 0; i < 100; ++i) {
        cm_vec3 from = rng_vec3(&r, 20), d = cm_sub(field_twin_aim(&t, &r), from);
        cm__mesh_hit a, b;
        bool found = cm__field_ray(t.field, from, d, CM_REAL_MAX, &a);
        assert_true(cm__field_ray(copy, from, d, CM_REAL_MAX, &b) == found);
        if (found) assert_true(a.t == b.t && a.triangle == b.triangle);
    }
    free(copy);
    field_twin_free(&t);
}

/* Triangles, bounds and the stored ranges, over grids from 1 x 1 cell to many levels. */
static void fields_hold_what_a_plain_count_finds(void **state) {
    (void)state;
    rng r = rng_start("fields", 61);
    for (int i = 0; i < samples(300, 10000); ++i) {
        field_twin t;
        cm_vec3 origin = rng_vec3(&r, rng_below(&r, 2) ? 1e5 : 1);
        field_twin_random(&t, (field_kind)(i % FIELD_KINDS), i % 2 ? 5 : 70, rng_log_range(&r, 1e-4, 1e6), origin, &r);
        cm_height_field_info info;
        cm_mesh_info truth;
        cm_height_field_get_info(t.field, &info);
        cm_mesh_get_info(t.mesh, &truth);
        assert_int_equal(info.triangles, 2 * info.cells);
        assert_int_equal(2 * (info.cells - info.holes), truth.triangles);
        assert_memory_equal(&info.bounds, &truth.bounds, sizeof info.bounds);
        uint32_t next = 0;
        for (uint32_t n = 0; n < info.triangles; ++n) {
            cm_triangle a, b;
            bool there = next < truth.triangles && t.numbers[next] == n;
            assert_true(cm_height_field_triangle(t.field, n, &a) == there);
            if (!there) continue;
            b = cm__mesh_triangle(t.mesh, next++);
            assert_memory_equal(&a, &b, sizeof a);
        }
        for (int level = 0; level < t.field->levels; ++level) {
            uint32_t x = rng_below(&r, cm__field_width(t.field, level, 0));
            uint32_t y = rng_below(&r, cm__field_width(t.field, level, 1));
            cm__field_range range = cm__field_range_of(t.field, level, x, y);
            for (uint32_t cell = 0; cell < info.cells; ++cell) {
                uint32_t column = cell % (info.columns - 1), row = cell / (info.columns - 1);
                if (column >> level != x || row >> level != y || (t.holes && t.holes[cell])) continue;
                for (uint32_t k = 0; k < 4; ++k) {
                    cm_real h = cm__field_height(t.field, column + k % 2, row + k / 2);
                    check_that(h >= range.low && h <= range.high, "level %d, cell %u", level, cell);
                }
            }
        }
        field_twin_free(&t);
    }
}

/* --- rays -------------------------------------------------------------------------------------------------------- */

static void a_ray_meets_the_ground_from_both_sides_and_passes_a_hole(void **state) {
    (void)state;
    const cm_real flat[9] = {0};
    static const uint8_t holes[4] = {0, 1, 0, 0};
    cm_height_field_desc d = {0};
    d.heights = flat, d.columns = d.rows = 3, d.column_spacing = d.row_spacing = 1, d.holes = holes;
    cm_height_field *field = built(&d);
    cm_shape shape = cm_make_height_field(field);
    cm_pose none = cm_pose_identity();
    cm_real q = CM_REAL(0.25), most = CM_REAL_MAX;
    cm_ray_hit hit;
    cm_ray ray = {cm_v(q, CM_REAL(0.75), 2), cm_v(0, 0, -1), most};
    assert_true(cm_raycast(&ray, &shape, &none, &hit));
    assert_true(hit.t == 2 && hit.exit == 2 && hit.normal.z == 1 && hit.part == 1 && !hit.inside);
    ray.origin.z = -1, ray.direction.z = 2;
    assert_true(cm_raycast(&ray, &shape, &none, &hit));
    assert_true(hit.t == CM_REAL(0.5) && hit.normal.z == -1 && hit.part == 1);
    ray.origin.x = CM_REAL(1.5); /* cell 1 is the hole */
    assert_false(cm_raycast(&ray, &shape, &none, &hit));
    ray.origin.x = 1; /* its edge belongs to cell 0 */
    assert_true(cm_raycast(&ray, &shape, &none, &hit));
    assert_int_equal(hit.part, 0);
    ray.max = CM_REAL(0.49);
    assert_false(cm_raycast(&ray, &shape, &none, &hit));
    ray.origin = cm_v(-1, CM_REAL(1.5), 0), ray.direction = cm_v(1, 0, 0), ray.max = most; /* within the ground */
    assert_true(cm_raycast(&ray, &shape, &none, &hit));
    assert_true(hit.t == 1);
    ray.origin.z = CM_REAL(1e-6); /* above it */
    assert_false(cm_raycast(&ray, &shape, &none, &hit));
    ray.direction = cm_v(0, 0, 0);
    assert_false(cm_raycast(&ray, &shape, &none, &hit));
    cm_height_field_destroy(field, NULL);
}

static cm_vec3 any_direction(rng *r, double size) {
    cm_vec3 d = rng_vec3(r, size);
    uint32_t kind = rng_below(r, 6);
    if (kind < 3) { /* along an axis or within a plane of axes */
        if (kind != 0) d.x = 0;
        if (kind != 1) d.y = 0;
        if (rng_below(r, 2)) d.z = 0;
    }
    return d;
}

/* The mesh of the same triangles, asked by the same arithmetic: bit for bit, whatever the order of the walk. */
static void every_ray_finds_what_it_finds_on_the_mesh_of_the_same_triangles(void **state) {
    (void)state;
    rng r = rng_start("rays", 62);
    int hits = 0, rays = 0, wanted = samples(100000, 3000000);
    for (int round = 0; rays < wanted; ++round) {
        field_twin t;
        double size = rng_log_range(&r, 1e-3, 1e4);
        cm_vec3 origin = rng_vec3(&r, round % 3 == 0 ? 1e5 : size);
        field_twin_random(&t, (field_kind)(round % FIELD_KINDS), round % 2 ? 6 : 60, size, origin, &r);
        for (int i = 0; i < 500; ++i, ++rays) {
            cm_vec3 aim = field_twin_aim(&t, &r), d = any_direction(&r, size);
            cm_vec3 from = cm_mul_add(aim, CM_REAL(-rng_log_range(&r, 0.1, 1000)), d);
            if (i % 4 == 1) from = aim;
            if (i % 4 == 2) d = cm_sub(aim, from);
            if (!(cm_largest(d) > 0)) d.z = CM_REAL(size); /* 0 is no direction */
            cm_real max = i % 5 == 0 ? CM_REAL(rng_log_range(&r, 1e-3, 10)) : CM_REAL_MAX;
            cm__mesh_hit a, b;
            bool found = cm__field_ray(t.field, from, d, max, &a), truth = cm__mesh_ray(t.mesh, from, d, max, &b);
            check_that(found == truth, "ray %d of field %d: %d, on the mesh %d (side %d, t %g)", i, round, found, truth,
                       truth ? b.side : a.side, truth ? b.t : a.t);
            if (!found) continue;
            check_that(a.t == b.t && a.triangle == t.numbers[b.triangle] && a.side == b.side &&
                           memcmp(a.weight, b.weight, sizeof a.weight) == 0,
                       "ray %d of field %d: %.17g at %u, on the mesh %.17g at %u", i, round, a.t, a.triangle, b.t,
                       t.numbers[b.triangle]);
            ++hits;
        }
        field_twin_free(&t);
    }
    print_message("  %d of %d rays hit\n", hits, rays);
    check_that(hits > rays / 4 && hits < rays, "%d of %d hit", hits, rays);
}

/* Coordinates and directions at the ends of what is valid, aimed and not. */
static void extreme_rays_are_answered_as_on_the_mesh(void **state) {
    (void)state;
    rng r = rng_start("extremes", 63);
    field_twin t;
    const double largest = (double)CM_COORD_MAX;
    int hits = 0;
    field_twin_random(&t, FIELD_ROUGH, 20, 10, cm_v(0, 0, 0), &r);
    for (int i = 0; i < samples(20000, 1000000); ++i) {
        cm_vec3 aim = field_twin_aim(&t, &r), d = rng_vec3(&r, rng_log_range(&r, 1e-30, largest));
        cm_vec3 from = rng_vec3(&r, rng_log_range(&r, 1e-30, largest));
        if (i % 2) from = aim;
        if (i % 3 == 0) d.y = 0;
        if (cm_largest(d) == 0) continue;
        cm_real max = i % 5 ? CM_REAL_MAX : (cm_real)INFINITY;
        cm__mesh_hit a, b;
        bool found = cm__field_ray(t.field, from, d, max, &a), truth = cm__mesh_ray(t.mesh, from, d, max, &b);
        check_that(found == truth, "ray %d: %d, on the mesh %d (t %g)", i, found, truth, truth ? b.t : a.t);
        if (found) check_that(a.t == b.t, "ray %d: t %g, on the mesh %g", i, a.t, b.t);
        hits += found;
    }
    check_that(hits > 1000, "%d hit", hits);
    field_twin_free(&t);
}

/* Numbers of any bits, sensible ones, and the ends of what is valid. */
static cm_real any_number(rng *r) {
    static const double ends[] = {0, 1, -1, 1e-30, 1e15, -1e15, 3e38, 1e-45};
    cm_real x;
    uint64_t bits = rng_bits(r);
    uint32_t kind = rng_below(r, 4);
    if (kind == 0) return (cm_real)ends[rng_below(r, 8)];
    if (kind == 1) return CM_REAL(rng_range(r, -10, 10));
    if (kind == 2) return CM_REAL(rng_log_range(r, 1e-20, 1e15));
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* A valid field, or a status with a field: whatever the description holds; and what is built is answered. */
static void anything_is_refused_or_built_and_answered(void **state) {
    (void)state;
    rng r = rng_start("anything", 64);
    int good = 0, count = samples(20000, 1000000);
    for (int i = 0; i < count; ++i) {
        cm_real heights[64];
        uint8_t holes[64];
        cm_height_field_desc d = {0};
        bool wild = rng_below(&r, 2);
        for (int k = 0; k < 64; ++k) {
            heights[k] = wild ? any_number(&r) : CM_REAL(rng_range(&r, -1, 1));
            holes[k] = (uint8_t)(rng_bits(&r) >> 40 & 7 & (uint64_t)k);
        }
        d.heights = heights, d.holes = rng_below(&r, 2) ? holes : NULL;
        d.columns = rng_below(&r, 9), d.rows = rng_below(&r, 9); /* the buffers hold 8 x 8 */
        d.sample = (cm_sample)rng_below(&r, 4), d.ground = (cm_ground)rng_below(&r, 7);
        d.column_spacing = any_number(&r), d.row_spacing = any_number(&r), d.scale = any_number(&r);
        d.origin.x = any_number(&r), d.origin.y = any_number(&r), d.origin.z = any_number(&r);
        counting_allocator c;
        cm_height_field *field = NULL;
        cm_error error = {CM_OK, NULL, 0};
        counting_allocator_start(&c, 0);
        cm_status status = cm_height_field_build(&d, &c.mem, &field, &error);
        assert_true((status == CM_OK) == (field != NULL) && error.status == status);
        if (status != CM_OK) {
            assert_non_null(error.field);
            assert_int_equal(c.live_blocks, 0);
            continue;
        }
        ++good;
        cm_shape shape = cm_make_height_field(field);
        cm_height_field_info info;
        cm_height_field_get_info(field, &info);
        cm_pose pose = cm_pose_identity();
        cm_shape ball = cm_make_sphere(cm_aabb_center(&info.bounds), cm_abs(any_number(&r)));
        cm_aabb box;
        cm_ray ray = {ball.u.point, cm_v(any_number(&r), any_number(&r), any_number(&r)), CM_REAL_MAX};
        cm_ray_hit hit;
        cm_shape_bounds(&shape, &pose, &box);
        assert_true(info.holes == info.cells || (box.min.x <= info.bounds.min.x && box.max.z >= info.bounds.max.z));
        if (cm_raycast(&ray, &shape, &pose, &hit)) assert_true(hit.t >= 0 && hit.part < info.triangles);
        cm_real distance = cm_distance(&ball, &pose, &shape, &pose, CM_REAL_MAX, NULL);
        assert_true(cm_overlap(&ball, &pose, &shape, &pose) == (distance <= 0));
        cm_height_field_destroy(field, &c.mem);
        assert_int_equal(c.live_blocks, 0);
    }
    print_message("  %d of %d built\n", good, count);
    check_that(good > count / 100 && good < count / 2, "%d of %d built", good, count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_has_the_two_triangles_that_are_promised),
        cmocka_unit_test(every_triangle_looks_up_from_any_ground),
        cmocka_unit_test(strides_and_sample_types_give_the_same_block),
        cmocka_unit_test(bad_descriptions_get_a_status_a_field_and_an_index),
        cmocka_unit_test(every_failed_allocation_is_a_status_and_leaks_nothing),
        cmocka_unit_test(a_copied_block_is_the_same_field),
        cmocka_unit_test(fields_hold_what_a_plain_count_finds),
        cmocka_unit_test(a_ray_meets_the_ground_from_both_sides_and_passes_a_hole),
        cmocka_unit_test(every_ray_finds_what_it_finds_on_the_mesh_of_the_same_triangles),
        cmocka_unit_test(extreme_rays_are_answered_as_on_the_mesh),
        cmocka_unit_test(anything_is_refused_or_built_and_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
