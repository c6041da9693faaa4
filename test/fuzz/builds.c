/* Everything that is built from the caller's numbers: hulls, meshes, height fields, compounds, scaled shapes, masses,
 * triangles for pictures. A status, `out` untouched where it is no OK; what is built keeps its word; nothing leaks, and
 * a failed allocation changes nothing. */
#include "support/nasty.h"

static const cm_status build_statuses[] = {CM_OK,           CM_NO_MEMORY, CM_INVALID,   CM_NOT_FINITE,
                                           CM_OUT_OF_RANGE, CM_LIMIT,     CM_NOT_SOLID, CM_UNSUPPORTED};

static void check_status(int sample, const char *what, cm_status status) {
    for (size_t i = 0; i < sizeof build_statuses / sizeof *build_statuses; i++)
        if (status == build_statuses[i]) return;
    check_that(false, "sample %d: %s says %s", sample, what, cm_status_text(status));
}

static void check_hull(int sample, const cm_hull *hull) {
    cm_hull_info info;
    cm_hull_get_info(hull, &info);
    check_that(info.dimension >= 0 && info.dimension <= 3 && info.vertices >= 1, "sample %d: %d, %u", sample,
               info.dimension, info.vertices);
    if (info.dimension >= 2)
        check_that(info.vertices + info.faces == info.edges + 2, "sample %d: %u vertices, %u edges, %u faces", sample,
                   info.vertices, info.edges, info.faces);
    check_that(nasty_is_finite(info.center) && info.volume >= 0 && info.area >= 0 && info.loss >= 0,
               "sample %d: measures", sample);
    for (uint32_t f = 0; f < info.faces; f++) {
        cm_hull_face face;
        cm_hull_get_face(hull, f, &face);
        check_that(face.count >= 3 && nasty_is_unit(face.normal) && cm_abs(face.d) <= CM_REAL_MAX, "sample %d: face %u",
                   sample, f);
        for (uint32_t i = 0; i < face.count; i++) check_that(face.vertices[i] < info.vertices, "sample %d", sample);
    }
}

static void hulls_of_nasty_points(void **state) {
    (void)state;
    nasty n = {.r = rng_start("hulls", 41)};
    const uint64_t seed = n.r.state; /* so that each can be made again alone */
    int count = samples(1500, 1000000), built = 0;
    for (int i = 0; i < count; i++) {
        n.r.state = seed << 32 | (uint32_t)i;
        nasty_turn(&n);
        nasty_shape s;
        nasty_shape_of(&s, CM_SHAPE_HULL, &n);
        if (s.hull) check_hull(i, s.hull), built++;
        if (s.hull) check_that(cm_hull_support(s.hull, nasty_vec3(&n)) < cm_hull_vertex_count(s.hull), "sample %d", i);
        nasty_shape_free(&s);
    }
    check_that(built > count / 2, "%d of %d", built, count);
}

/* Found by fuzzing, in double: below 2^-305 signs are not exact, and the build ran out of a horizon. */
static void hulls_of_points_too_small_for_exact_signs(void **state) {
    (void)state;
    rng r = rng_start("tiny hulls", 42);
    for (int i = 0; i < samples(1000, 300000); i++) {
        cm_vec3 points[16];
        for (int k = 0; k < 16; k++) {
            cm_real *x = &points[k].x;
            for (int c = 0; c < 3; c++)
                x[c] = CM_REAL((rng_below(&r, 2) ? 1 : -1) * rng_log_range(&r, rng_below(&r, 2) ? 1e-307 : 1e-200, 1));
        }
        cm_hull_desc desc = {.points = &points[0].x, .point_count = 16};
        cm_hull *hull = NULL;
        assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
        cm_hull_info info;
        cm_hull_get_info(hull, &info);
        if (info.dimension >= 2) assert_int_equal(info.vertices + info.faces, info.edges + 2);
        cm_hull_destroy(hull, NULL);
    }
}

static void check_mesh(int sample, const cm_mesh *mesh, nasty *n) {
    cm_mesh_info info;
    cm_mesh_get_info(mesh, &info);
    check_that(info.triangles >= 1 && info.points >= 1 && info.area >= 0 && info.volume == info.volume,
               "sample %d: %u, %u", sample, info.triangles, info.points);
    check_that(info.bounds.min.x <= info.bounds.max.x && nasty_is_finite(info.bounds.min), "sample %d: bounds", sample);
    check_that(!info.solid || info.closed, "sample %d: solid and open", sample);
    for (uint32_t t = 0; t < info.triangles; t++) {
        uint32_t c[3];
        cm_mesh_corners(mesh, t, c);
        check_that(c[0] < info.points && c[1] < info.points && c[2] < info.points, "sample %d: triangle %u", sample, t);
    }
    uint32_t part[64];
    assert_in_range(info.triangles, 1, 64);
    cm_mesh_components(mesh, part);
    for (uint32_t t = 0; t < info.triangles; t++) check_that(part[t] < info.components, "sample %d", sample);
    bool on;
    cm_mesh_winding(mesh, nasty_vec3(n), &on);
}

static void meshes_of_nasty_points(void **state) {
    (void)state;
    nasty n = {.r = rng_start("meshes", 43)};
    const uint64_t seed = n.r.state; /* so that each can be made again alone */
    int count = samples(1500, 1000000), built = 0;
    for (int i = 0; i < count; i++) {
        n.r.state = seed << 32 | (uint32_t)i;
        nasty_turn(&n);
        nasty_shape s;
        nasty_shape_of(&s, CM_SHAPE_MESH, &n);
        if (s.mesh) check_mesh(i, s.mesh, &n), built++;
        nasty_shape_free(&s);
    }
    check_that(built > count / 2, "%d of %d", built, count);
}

/* Sizes that lie: no read beyond what was given (a block of exactly that size tells the sanitizer), no giant
 * allocation. */
static void descriptions_that_lie(void **state) {
    (void)state;
    static const uint32_t counts[] = {0,          1,          2,          3,          5,         0x10000000,
                                      0x10000001, 0x40000000, 0x55555556, 0x80000000, UINT32_MAX};
    static const size_t strides[] = {0, 1, 2, 3 * sizeof(cm_real) - 1, 3 * sizeof(cm_real), 64};
    static const int sizes[] = {0, 1, 2, 3, 4, 8, -4};
    rng r = rng_start("lies", 44);
    for (int i = 0; i < samples(1200, 400000); i++) {
        cm_real *points = calloc(64, 64);
        uint32_t indices[15];
        assert_non_null(points);
        for (int k = 0; k < 15; k++) indices[k] = rng_below(&r, 6) ? rng_below(&r, 5) : (uint32_t)rng_bits(&r);
        for (int k = 0; k < 64; k++) points[k] = CM_REAL(rng_range(&r, -1, 1));
        cm_mesh_desc m;
        memset(&m, 0, sizeof m);
        m.points = rng_below(&r, 20) ? points : NULL;
        m.point_stride = strides[rng_below(&r, 6)];
        m.point_count = 5;
        m.indices = indices;
        m.index_size = rng_below(&r, 3) ? 0 : sizes[rng_below(&r, 7)];
        m.triangle_count = rng_below(&r, 6);
        m.solid = rng_below(&r, 4) == 0;
        m.weld = rng_below(&r, 4) ? 0 : CM_REAL(rng_range(&r, -1, 1));
        if (m.index_size == 2) m.triangle_count = 5;
        counting_allocator c;
        counting_allocator_start(&c, 0);
        cm_mesh *mesh = NULL;
        cm_error error;
        memset(&error, NASTY_FILL, sizeof error);
        cm_status status = cm_mesh_build(&m, &c.mem, &mesh, &error);
        check_status(i, "cm_mesh_build", status);
        check_that((status == CM_OK) == (mesh != NULL), "sample %d", i);
        if (status == CM_OK) check_that(nasty_untouched(&error, sizeof error), "sample %d: error written", i);
        if (status != CM_OK) check_that(error.status == status, "sample %d: %s", i, cm_status_text(error.status));
        cm_mesh_destroy(mesh, &c.mem);
        check_that(c.live_blocks == 0 && c.peak_bytes < 1000000, "sample %d: %zu bytes", i, c.peak_bytes);

        cm_hull_desc h = {.points = points, .point_count = counts[rng_below(&r, 11)], .max_vertices = rng_below(&r, 6)};
        h.point_stride = strides[rng_below(&r, 6)];
        if (h.point_count > 5 && h.point_count <= 0x10000000) h.point_count = 5;
        cm_hull *hull = NULL;
        status = cm_hull_build(&h, &c.mem, &hull, NULL);
        check_status(i, "cm_hull_build", status);
        check_that((status == CM_OK) == (hull != NULL), "sample %d", i);
        cm_hull_destroy(hull, &c.mem);

        cm_height_field_desc f;
        memset(&f, 0, sizeof f);
        f.heights = points;
        f.columns = counts[rng_below(&r, 11)], f.rows = counts[rng_below(&r, 11)];
        bool fits = f.columns <= 5 && f.rows <= 5;
        f.column_spacing = f.row_spacing = 1;
        f.sample = (cm_sample)rng_below(&r, 4);
        f.ground = (cm_ground)rng_below(&r, 8);
        f.column_stride = rng_below(&r, 3) ? 0 : rng_below(&r, 9);
        if ((uint64_t)f.columns * f.rows > 25 && (uint64_t)(f.columns - 1) * (f.rows - 1) <= (1u << 29))
            fits = false;
        else
            fits = true; /* refused for its size, before anything is read */
        cm_height_field *field = NULL;
        if (fits) {
            status = cm_height_field_build(&f, &c.mem, &field, NULL);
            check_status(i, "cm_height_field_build", status);
            check_that((status == CM_OK) == (field != NULL), "sample %d", i);
        }
        cm_height_field_destroy(field, &c.mem);
        check_that(c.live_blocks == 0 && c.peak_bytes < 1000000, "sample %d: %zu bytes", i, c.peak_bytes);
        free(points);
    }
}

static void check_tessellation(int sample, const nasty *n, const cm_shape *shape, const cm_tessellate_desc *desc) {
    counting_allocator c;
    cm_tessellation t;
    counting_allocator_start(&c, 0);
    memset(&t, NASTY_FILL, sizeof t);
    cm_status status = cm_shape_tessellate(shape, desc, &c.mem, &t);
    check_status(sample, "cm_shape_tessellate", status);
    if (status != CM_OK) {
        check_that(nasty_untouched(&t, sizeof t), "sample %d: written and %s", sample, cm_status_text(status));
        check_that(c.live_blocks == 0, "sample %d: leaks", sample);
        return;
    }
    for (uint32_t i = 0; i < t.point_count; i++)
        check_that(n->abyss || nasty_is_finite(t.points[i]), "sample %d: point %u", sample, i);
    for (uint32_t i = 0; i < 3 * t.triangle_count; i++)
        check_that(t.indices[i] < t.point_count, "sample %d: index %u", sample, i);
    cm_tessellation_destroy(&t, &c.mem);
    check_that(c.live_blocks == 0, "sample %d: leaks", sample);
    if (c.calls == 0) return; /* and with one allocation that fails */
    counting_allocator_start(&c, 1 + (size_t)sample % c.calls);
    memset(&t, NASTY_FILL, sizeof t);
    status = cm_shape_tessellate(shape, desc, &c.mem, &t);
    check_that(status == CM_NO_MEMORY && nasty_untouched(&t, sizeof t) && c.live_blocks == 0, "sample %d: %s", sample,
               cm_status_text(status));
}

/* Triangles, masses, bounds and scaled images of shapes of every kind. */
static void shapes_of_nasty_numbers(void **state) {
    (void)state;
    nasty n = {.r = rng_start("shapes", 45)};
    const uint64_t seed = n.r.state; /* so that each can be made again alone */
    int count = samples(1200, 400000), good = 0;
    double worst = 0;
    for (int i = 0; i < count; i++) {
        n.r.state = seed << 32 | (uint32_t)i;
        nasty_turn(&n);
        nasty_shape s;
        nasty_shape_random(&s, &n);
        cm_error error;
        memset(&error, NASTY_FILL, sizeof error);
        cm_status valid = cm_shape_check(&s.shape, &error);
        check_that(valid == CM_OK ? nasty_untouched(&error, sizeof error) : error.status == valid, "sample %d", i);
        good += valid == CM_OK;
        cm_aabb box;
        cm_pose pose = nasty_pose(&n);
        cm_shape_bounds(&s.shape, &pose, &box);
        bool empty = box.min.x > box.max.x;
        if (!(box.min.x == box.min.x && box.max.z == box.max.z))
            nasty_print_shape("shape", &s.shape), nasty_print_pose("at", &pose);
        check_that(box.min.x == box.min.x && box.max.z == box.max.z, "sample %d: bounds", i);
        if (valid != CM_OK || !cm_pose_is_valid(&pose)) check_that(empty, "sample %d: bounds of nothing", i);
        cm_mass mass;
        memset(&mass, NASTY_FILL, sizeof mass);
        cm_real density = rng_below(&n.r, 2) ? 1 : nasty_real(&n);
        cm_status status = cm_shape_mass(&s.shape, density, &mass);
        check_status(i, "cm_shape_mass", status);
        if (status != CM_OK) check_that(nasty_untouched(&mass, sizeof mass), "sample %d: mass written", i);
        if (status == CM_OK && !n.abyss && s.shape.kind != CM_SHAPE_MESH && s.shape.kind != CM_SHAPE_COMPOUND)
            check_that(mass.mass >= 0 && mass.volume >= 0 && nasty_is_finite(mass.center) &&
                           nasty_is_finite(mass.inertia.x),
                       "sample %d: mass %g", i, (double)mass.mass);
        cm_shape scaled;
        memset(&scaled, NASTY_FILL, sizeof scaled);
        status = cm_shape_scaled(&s.shape, rng_below(&n.r, 2) ? nasty_vec3(&n) : cm_v(2, 2, 2), &scaled);
        check_status(i, "cm_shape_scaled", status);
        if (status == CM_OK) check_that(cm_shape_check(&scaled, NULL) == CM_OK, "sample %d: scaled to nonsense", i);
        if (status != CM_OK) check_that(nasty_untouched(&scaled, sizeof scaled), "sample %d: scaled written", i);
        cm_tessellate_desc desc = {0, 0};
        desc.segments = rng_below(&n.r, 4) ? 8 : (int)rng_below(&n.r, 300) - 10;
        if (rng_below(&n.r, 4) == 0) desc.extent = nasty_real(&n);
        double start = nasty_clock();
        check_tessellation(i, &n, &s.shape, &desc);
        worst = nasty_clock() - start > worst ? nasty_clock() - start : worst;
        nasty_shape_free(&s);
    }
    print_message("  %d of %d valid; the longest tessellation took %.3g ms\n", good, count, 1e3 * worst);
    check_that(good > count / 2, "%d of %d", good, count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_of_nasty_points),   cmocka_unit_test(hulls_of_points_too_small_for_exact_signs),
        cmocka_unit_test(meshes_of_nasty_points),  cmocka_unit_test(descriptions_that_lie),
        cmocka_unit_test(shapes_of_nasty_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
