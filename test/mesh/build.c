/* Building meshes: what is found in small ones by hand. */
#include "mesh/mesh.h"
#include "support/meshes.h"

static const cm_real cube_points[24] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
static const uint32_t cube_indices[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                          1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

static cm_mesh_desc cube_desc(void) {
    cm_mesh_desc d = {0};
    d.points = cube_points, d.point_count = 8;
    d.indices = cube_indices, d.triangle_count = 12;
    return d;
}
static cm_mesh_desc soup_desc(const cm_real *points, uint32_t count) {
    cm_mesh_desc d = {0};
    d.points = points, d.point_count = count;
    return d;
}
static cm_mesh_info info_of(const cm_mesh_desc *desc) {
    cm_mesh *mesh = mesh_built(desc);
    cm_mesh_info info;
    cm_mesh_get_info(mesh, &info);
    cm_mesh_destroy(mesh, NULL);
    return info;
}

/* 8 points, 12 triangles, 18 edges: V - E + F = 2; area 6, volume 1. */
static void a_cube_is_closed_and_has_its_numbers(void **state) {
    (void)state;
    cm_mesh_desc d = cube_desc();
    d.solid = true;
    cm_mesh_info i = info_of(&d);
    assert_int_equal(i.points, 8);
    assert_int_equal(i.welded, 0);
    assert_int_equal(i.triangles, 12);
    assert_int_equal(i.edges, 18);
    assert_int_equal(i.open_edges + i.nonmanifold_edges + i.inconsistent_edges, 0);
    assert_int_equal(i.degenerate + i.duplicate + i.folded + i.holes, 0);
    assert_int_equal(i.components, 1);
    assert_true(i.closed && i.solid);
    assert_true(i.volume == 1 && i.area == 6);
    assert_true(i.bounds.min.x == 0 && i.bounds.max.z == 1);
    d.flip = true;
    i = info_of(&d);
    assert_true(i.closed && i.volume == -1);
}

static void indices_strides_and_soups_give_the_same_mesh(void **state) {
    (void)state;
    cm_mesh_desc d = cube_desc();
    cm_mesh *mesh = mesh_built(&d);
    uint16_t narrow[36];
    unsigned char wide[8 * (3 * sizeof(cm_real) + 5)];
    cm_real soup[108];
    for (int i = 0; i < 36; ++i) {
        narrow[i] = (uint16_t)cube_indices[i];
        memcpy(&soup[3 * i], &cube_points[3 * cube_indices[i]], 3 * sizeof(cm_real));
    }
    for (size_t i = 0; i < 8; ++i)
        memcpy(wide + i * (3 * sizeof(cm_real) + 5), &cube_points[3 * i], 3 * sizeof(cm_real));
    cm_mesh_desc other = d;
    other.indices = narrow, other.index_size = 2;
    other.points = (const cm_real *)(const void *)wide, other.point_stride = 3 * sizeof(cm_real) + 5;
    cm_mesh *same = mesh_built(&other);
    assert_int_equal(cm_mesh_bytes(mesh), cm_mesh_bytes(same));
    assert_memory_equal(mesh, same, cm_mesh_bytes(mesh));
    cm_mesh_destroy(same, NULL);
    /* the soup's points come in the order of its corners: same shape, other numbers */
    other = soup_desc(soup, 36);
    cm_mesh_info i = info_of(&other);
    assert_int_equal(i.points, 8);
    assert_int_equal(i.welded, 28);
    assert_true(i.closed && i.volume == 1 && i.edges == 18);
    other.weld = -1; /* nothing is joined: twelve loose triangles */
    i = info_of(&other);
    assert_int_equal(i.points, 36);
    assert_int_equal(i.components, 12);
    assert_int_equal(i.open_edges, 36);
    assert_int_equal(i.holes, 12);
    assert_false(i.closed);
    cm_mesh_destroy(mesh, NULL);
}

static void triangles_keep_their_numbers_and_corners(void **state) {
    (void)state;
    cm_mesh_desc d = cube_desc();
    cm_mesh *mesh = mesh_built(&d);
    assert_int_equal(cm_mesh_point_count(mesh), 8);
    assert_int_equal(cm_mesh_triangle_count(mesh), 12);
    for (uint32_t t = 0; t < 12; ++t) {
        uint32_t c[3];
        cm_mesh_corners(mesh, t, c);
        for (int k = 0; k < 3; ++k) {
            assert_int_equal(c[k], cube_indices[3 * t + (uint32_t)k]);
            cm_vec3 p = cm_mesh_points(mesh)[c[k]];
            assert_true(p.x == cube_points[3 * c[k]] && p.z == cube_points[3 * c[k] + 2]);
        }
    }
    const uint32_t *neighbors = cm__mesh_neighbors(mesh);
    for (uint32_t h = 0; h < 36; ++h) {
        assert_true(neighbors[h] != CM_NONE && neighbors[neighbors[h]] == h);
        uint32_t n = neighbors[h], next = h % 3 == 2 ? h - 2 : h + 1, n_next = n % 3 == 2 ? n - 2 : n + 1;
        assert_int_equal(cube_indices[h], cube_indices[n_next]);
        assert_int_equal(cube_indices[n], cube_indices[next]);
    }
    const uint32_t *numbers = cm__mesh_numbers(mesh);
    for (uint32_t place = 0; place < 12; ++place) {
        cm_triangle t = cm__mesh_triangle(mesh, numbers[place]);
        const cm__face face = cm__mesh_face(mesh, place);
        assert_memory_equal(&t, &face, sizeof t);
    }
    cm_mesh_destroy(mesh, NULL);
}

/* One triangle missing: a hole of three open edges; two opposite ones: two holes. */
static void missing_triangles_are_holes_and_no_solid(void **state) {
    (void)state;
    cm_mesh_desc d = cube_desc();
    d.triangle_count = 11;
    cm_mesh_info i = info_of(&d);
    assert_int_equal(i.open_edges, 3);
    assert_int_equal(i.holes, 1);
    assert_false(i.closed);
    d.indices = cube_indices + 3, d.triangle_count = 10;
    i = info_of(&d);
    assert_int_equal(i.open_edges, 6);
    assert_int_equal(i.holes, 2); /* 0 2 1 and 3 4 7 are gone: no corner in common */
    d.solid = true;
    cm_mesh *mesh = NULL;
    cm_error error = {0};
    assert_int_equal(cm_mesh_build(&d, NULL, &mesh, &error), CM_NOT_SOLID);
    assert_null(mesh);
    assert_string_equal(error.field, "solid");
    assert_true(error.index < 10);
}

static void a_turned_triangle_is_inconsistent(void **state) {
    (void)state;
    uint32_t indices[36];
    memcpy(indices, cube_indices, sizeof indices);
    indices[1] = cube_indices[2], indices[2] = cube_indices[1];
    cm_mesh_desc d = cube_desc();
    d.indices = indices;
    cm_mesh_info i = info_of(&d);
    assert_int_equal(i.inconsistent_edges, 3);
    assert_int_equal(i.open_edges, 0);
    assert_false(i.closed);
}

/* Two cubes that share the edge 1-2: four triangles meet there. Each direction is cancelled: a solid all the same. */
static void cubes_sharing_an_edge_are_nonmanifold_and_closed(void **state) {
    (void)state;
    cm_real soup[2 * 108];
    for (int i = 0; i < 36; ++i)
        for (int k = 0; k < 3; ++k) {
            cm_real x = cube_points[3 * cube_indices[i] + (uint32_t)k];
            soup[3 * i + k] = x;
            soup[108 + 3 * i + k] = k == 0 ? x + 1 : k == 2 ? x - 1 : x;
        }
    cm_mesh_desc d = soup_desc(soup, 72);
    d.solid = true;
    cm_mesh_info i = info_of(&d);
    assert_int_equal(i.points, 14);
    assert_int_equal(i.nonmanifold_edges, 1);
    assert_int_equal(i.edges, 35);
    assert_int_equal(i.components, 1);
    assert_true(i.closed && i.volume == 2);
}

static void degenerate_duplicate_and_folded_triangles_are_counted(void **state) {
    (void)state;
    static const cm_real points[] = {0, 0, 0, 4, 0, 0, 2, 3, 0, 2, 1, 0, 2, 0, 0, 2, -3, 0, 0, 0, 0};
    static const uint32_t indices[] = {
        0, 1, 2, /* */
        1, 0, 3, /* lies back on the first: both are folded */
        0, 1, 4, /* collinear */
        0, 1, 6, /* 6 is welded to 0: a repeated corner */
        2, 1, 0, /* the first again, turned */
        1, 2, 0, /* and rolled */
    };
    cm_mesh_desc d = {0};
    d.points = points, d.point_count = 7, d.indices = indices, d.triangle_count = 6;
    cm_mesh_info i = info_of(&d);
    assert_int_equal(i.triangles, 6);
    assert_int_equal(i.welded, 1);
    assert_int_equal(i.degenerate, 2);
    assert_int_equal(i.duplicate, 2);
    assert_int_equal(i.folded, 4);                     /* the first, its copies, and 1 0 3 */
    static const uint32_t flat[] = {0, 1, 2, 1, 0, 5}; /* flat, but unfolded */
    d.indices = flat, d.triangle_count = 2;
    assert_int_equal(info_of(&d).folded, 0);
}

/* A cube whose bottom is cut with an extra point on an edge, closed by a triangle without area: closed. */
static void collinear_fillers_close_a_t_junction(void **state) {
    (void)state;
    cm_real points[27];
    uint32_t indices[42];
    memcpy(points, cube_points, sizeof cube_points);
    points[24] = CM_REAL(0.5), points[25] = 0, points[26] = 0; /* on the edge 0-1 */
    memcpy(indices, cube_indices, sizeof cube_indices);
    const uint32_t split[9] = {0, 2, 8, 8, 2, 1, 0, 8, 1}; /* the bottom in two, and the filler */
    memcpy(indices, split, 3 * sizeof *split);
    memcpy(indices + 36, split + 3, 6 * sizeof *split);
    cm_mesh_desc d = {0};
    d.points = points, d.point_count = 9, d.indices = indices, d.triangle_count = 14, d.solid = true;
    cm_mesh_info i = info_of(&d);
    assert_int_equal(i.degenerate, 1);
    assert_int_equal(i.open_edges, 0);
    assert_true(i.closed && i.volume == 1);
}

static void bad_descriptions_get_a_status_a_field_and_an_index(void **state) {
    (void)state;
    cm_real points[24];
    uint32_t indices[36];
    memcpy(points, cube_points, sizeof points);
    memcpy(indices, cube_indices, sizeof indices);
    cm_mesh_desc good = cube_desc();
    good.points = points, good.indices = indices;
    const struct {
        cm_status status;
        const char *field;
        uint32_t index;
        int what;
    } cases[] = {
        {CM_INVALID, "points", CM_NONE, 0},
        {CM_INVALID, "points", CM_NONE, 1},
        {CM_INVALID, "point_stride", CM_NONE, 2},
        {CM_INVALID, "index_size", CM_NONE, 3},
        {CM_INVALID, "triangle_count", CM_NONE, 4},
        {CM_LIMIT, "triangle_count", CM_NONE, 5},
        {CM_NOT_FINITE, "points", 5, 6},
        {CM_NOT_FINITE, "points", 7, 7},
        {CM_OUT_OF_RANGE, "indices", 3, 8},
        {CM_NOT_FINITE, "weld", CM_NONE, 9},
        {CM_OUT_OF_RANGE, "triangle_count", 2, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        cm_mesh_desc d = good;
        memcpy(points, cube_points, sizeof points);
        memcpy(indices, cube_indices, sizeof indices);
        switch (cases[i].what) {
        case 0:
            d.points = NULL;
            break;
        case 1:
            d.point_count = 0;
            break;
        case 2:
            d.point_stride = 3 * sizeof(cm_real) - 1;
            break;
        case 3:
            d.index_size = 1;
            break;
        case 4:
            d.triangle_count = 0;
            break;
        case 5:
            d.triangle_count = (UINT32_C(1) << 30) + 1;
            break;
        case 6:
            points[16] = (cm_real)NAN;
            break;
        case 7:
            points[21] = 2 * CM_COORD_MAX;
            break;
        case 8:
            indices[10] = 8;
            break;
        case 9:
            d.weld = (cm_real)NAN;
            break;
        default:
            d.indices = NULL, d.triangle_count = 3;
            break;
        }
        counting_allocator c;
        counting_allocator_start(&c, 0);
        cm_mesh *mesh = NULL;
        cm_error error = {CM_OK, "untouched", 77};
        cm_status status = cm_mesh_build(&d, &c.mem, &mesh, &error);
        check_that(status == cases[i].status, "case %d: %s", cases[i].what, cm_status_text(status));
        assert_int_equal(error.status, status);
        assert_string_equal(error.field, cases[i].field);
        check_that(error.index == cases[i].index, "case %d: index %u", cases[i].what, error.index);
        assert_null(mesh);
        assert_int_equal(c.live_blocks, 0);
    }
    cm_mesh *mesh = NULL;
    assert_int_equal(cm_mesh_build(NULL, NULL, &mesh, NULL), CM_INVALID);
}

static void every_failed_allocation_is_a_status_and_leaks_nothing(void **state) {
    (void)state;
    cm_mesh_desc d = cube_desc();
    d.solid = true;
    for (size_t fail_at = 1;; ++fail_at) {
        counting_allocator c;
        counting_allocator_start(&c, fail_at);
        cm_mesh *mesh = NULL;
        cm_error error = {0};
        cm_status status = cm_mesh_build(&d, &c.mem, &mesh, &error);
        if (status == CM_OK) {
            check_that(fail_at > 10, "only %zu allocations were made to fail", fail_at - 1);
            assert_int_equal(c.live_blocks, 1); /* the mesh is one block */
            assert_int_equal(c.live_bytes, cm_mesh_bytes(mesh));
            cm_mesh_destroy(mesh, &c.mem);
            assert_int_equal(c.live_blocks, 0);
            break;
        }
        assert_int_equal(status, CM_NO_MEMORY);
        assert_int_equal(error.status, CM_NO_MEMORY);
        assert_null(mesh);
        check_that(c.live_blocks == 0, "%zu blocks left after call %zu failed", c.live_blocks, fail_at);
    }
    cm_mesh_destroy(NULL, NULL);
}

/* A sheet of 60,000 triangles: more than are split box by box. */
static cm_mesh *sheet(const cm_allocator *mem, const cm_tasks *tasks, cm_status *status) {
    enum { SIDE = 174 };
    static cm_real points[3 * SIDE * SIDE];
    static uint32_t indices[6 * (SIDE - 1) * (SIDE - 1)];
    uint32_t n = 0;
    for (uint32_t j = 0; j < SIDE; ++j)
        for (uint32_t i = 0; i < SIDE; ++i) {
            cm_real *p = points + 3 * (j * SIDE + i);
            p[0] = (cm_real)i, p[1] = (cm_real)j, p[2] = (cm_real)(i * i * 31 % 7 + j * 17 % 5);
            if (i + 1 == SIDE || j + 1 == SIDE) continue;
            uint32_t a = j * SIDE + i;
            const uint32_t two[6] = {a, a + 1, a + SIDE + 1, a, a + SIDE + 1, a + SIDE};
            memcpy(indices + n, two, sizeof two);
            n += 6;
        }
    cm_mesh_desc d = {0};
    d.points = points, d.point_count = SIDE * SIDE;
    d.indices = indices, d.triangle_count = n / 3;
    d.tasks = tasks;
    cm_mesh *mesh = NULL;
    *status = cm_mesh_build(&d, mem, &mesh, NULL);
    return mesh;
}

static void the_number_of_workers_changes_no_byte(void **state) {
    (void)state;
    cm_status status;
    cm_mesh *one = sheet(NULL, NULL, &status);
    assert_int_equal(status, CM_OK);
    for (int workers = 1; workers <= 4; ++workers) {
        cm_pool *pool = NULL;
        assert_int_equal(cm_pool_create(workers, NULL, &pool), CM_OK);
        cm_tasks tasks;
        cm_pool_tasks(pool, &tasks);
        cm_mesh *mesh = sheet(NULL, &tasks, &status);
        cm_pool_destroy(pool);
        assert_int_equal(status, CM_OK);
        assert_int_equal(cm_mesh_bytes(mesh), cm_mesh_bytes(one));
        assert_memory_equal(mesh, one, cm_mesh_bytes(one));
        cm_mesh_destroy(mesh, NULL);
    }
    cm_mesh_destroy(one, NULL);
}

/* So many triangles that share nothing: each is a component, and their numbers take 0, 1, 2 or 4 bytes each. */
static void components_are_told_for_any_number_of_them(void **state) {
    (void)state;
    static const uint32_t counts[] = {1, 2, 256, 257, 65536, 65537};
    enum { MOST = 65537 };
    cm_real *points = malloc(9 * MOST * sizeof *points);
    uint32_t *components = malloc(MOST * sizeof *components);
    assert_true(points && components);
    for (uint32_t t = 0; t < MOST; ++t) {
        const cm_real x = (cm_real)(2 * (t % 300)), y = (cm_real)(2 * (t / 300));
        const cm_real corners[9] = {x, y, 0, x + 1, y, 0, x, y + 1, 0};
        memcpy(points + 9 * t, corners, sizeof corners);
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        cm_mesh_desc d = soup_desc(points, 3 * counts[i]);
        cm_mesh *mesh = mesh_built(&d);
        cm_mesh_info info;
        cm_mesh_get_info(mesh, &info);
        assert_int_equal(info.components, counts[i]);
        cm_mesh_components(mesh, components);
        for (uint32_t t = 0; t < counts[i]; ++t)
            check_that(components[t] == t, "of %u: triangle %u is of component %u", counts[i], t, components[t]);
        cm_mesh_destroy(mesh, NULL);
    }
    free(points), free(components);
}

/* Measured: 63.0 in float, 78.8 in double; with the cells of a solid see test/world/bytes.c. */
static void a_triangle_takes_no_more_bytes_than_documented(void **state) {
    (void)state;
    counting_allocator c;
    counting_allocator_start(&c, 0);
    cm_status status;
    cm_mesh *mesh = sheet(&c.mem, NULL, &status);
    assert_int_equal(status, CM_OK);
    const double each = 1 / (double)cm_mesh_triangle_count(mesh), bytes = (double)cm_mesh_bytes(mesh) * each;
    const double most = sizeof(cm_real) == 4 ? 64 : 80, peak = (double)c.peak_bytes * each;
    check_that(bytes <= most, "%.1f bytes a triangle", bytes);
    check_that(peak <= (sizeof(cm_real) == 4 ? 198 : 241), "%.1f bytes a triangle on the way", peak);
    cm_mesh_destroy(mesh, &c.mem);
}

static void every_failed_allocation_of_a_large_mesh_is_a_status_too(void **state) {
    (void)state;
    for (size_t fail_at = 1;; ++fail_at) {
        counting_allocator c;
        counting_allocator_start(&c, fail_at);
        cm_status status;
        cm_mesh *mesh = sheet(&c.mem, NULL, &status);
        if (status == CM_OK) {
            check_that(fail_at > 13, "only %zu allocations were made to fail", fail_at - 1);
            assert_int_equal(c.live_blocks, 1);
            assert_int_equal(c.live_bytes, cm_mesh_bytes(mesh));
            cm_mesh_destroy(mesh, &c.mem);
            break;
        }
        assert_int_equal(status, CM_NO_MEMORY);
        assert_null(mesh);
        check_that(c.live_blocks == 0, "%zu blocks left after call %zu failed", c.live_blocks, fail_at);
    }
}

static void a_copied_block_is_the_same_mesh(void **state) {
    (void)state;
    cm_mesh_desc d = cube_desc();
    d.solid = true;
    cm_mesh *mesh = mesh_built(&d);
    size_t bytes = cm_mesh_bytes(mesh);
    cm_mesh *copy = malloc(bytes);
    memcpy(copy, mesh, bytes);
    memset(mesh, 0x55, sizeof *mesh);
    free(mesh); /* malloc is what NULL stands for */
    bool on = true;
    assert_int_equal(cm_mesh_winding(copy, cm_v(CM_REAL(0.5), CM_REAL(0.25), CM_REAL(0.25)), &on), 1);
    assert_false(on);
    cm_mesh_destroy(copy, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_is_closed_and_has_its_numbers),
        cmocka_unit_test(indices_strides_and_soups_give_the_same_mesh),
        cmocka_unit_test(triangles_keep_their_numbers_and_corners),
        cmocka_unit_test(missing_triangles_are_holes_and_no_solid),
        cmocka_unit_test(a_turned_triangle_is_inconsistent),
        cmocka_unit_test(cubes_sharing_an_edge_are_nonmanifold_and_closed),
        cmocka_unit_test(degenerate_duplicate_and_folded_triangles_are_counted),
        cmocka_unit_test(collinear_fillers_close_a_t_junction),
        cmocka_unit_test(bad_descriptions_get_a_status_a_field_and_an_index),
        cmocka_unit_test(every_failed_allocation_is_a_status_and_leaks_nothing),
        cmocka_unit_test(the_number_of_workers_changes_no_byte),
        cmocka_unit_test(components_are_told_for_any_number_of_them),
        cmocka_unit_test(a_triangle_takes_no_more_bytes_than_documented),
        cmocka_unit_test(every_failed_allocation_of_a_large_mesh_is_a_status_too),
        cmocka_unit_test(a_copied_block_is_the_same_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
