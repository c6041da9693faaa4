/* Building meshes: what is found in small ones by hand, in real and broken ones by counting again the plain way. */
#include "mesh/mesh.h"
#include "oracle/rational.h"
#include "support/support.h"

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
static cm_mesh *built(const cm_mesh_desc *desc) {
    cm_mesh *mesh = NULL;
    cm_error error = {0};
    cm_status status = cm_mesh_build(desc, NULL, &mesh, &error);
    check_that(status == CM_OK, "%s at %s %u", cm_status_text(status), error.field ? error.field : "-", error.index);
    return mesh;
}
static cm_mesh_info info_of(const cm_mesh_desc *desc) {
    cm_mesh *mesh = built(desc);
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
    cm_mesh *mesh = built(&d);
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
    cm_mesh *same = built(&other);
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
    cm_mesh *mesh = built(&d);
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
        assert_memory_equal(&t, &cm__mesh_faces(mesh)[place], sizeof t);
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

static void welding_joins_within_the_distance_and_no_chains(void **state) {
    (void)state;
    /* 0, 1, 2, 3 on a line, joined at 1.5: 1 joins 0; 2 is kept, being 2 from the kept 0; 3 joins 2 */
    static const cm_real points[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 0, 9, 0, 0, 0, 9};
    static const uint32_t indices[] = {0, 4, 5, 1, 4, 5, 2, 4, 5, 3, 4, 5};
    cm_mesh_desc d = {0};
    d.points = points, d.point_count = 6, d.indices = indices, d.triangle_count = 4, d.weld = CM_REAL(1.5);
    cm_mesh *mesh = built(&d);
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
        cm_mesh *mesh = built(&d);
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
            check_that(fail_at > 15, "only %zu allocations were made to fail", fail_at - 1);
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

static void a_copied_block_is_the_same_mesh(void **state) {
    (void)state;
    cm_mesh_desc d = cube_desc();
    d.solid = true;
    cm_mesh *mesh = built(&d);
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

/* --- real and broken meshes, counted again ------------------------------------------------------------------------ */

typedef struct edge {
    uint32_t low, high, triangle, apex;
    bool forward;
} edge;

static int edge_order(const void *a, const void *b) {
    const edge *e = a, *f = b;
    if (e->low != f->low) return e->low < f->low ? -1 : 1;
    if (e->high != f->high) return e->high < f->high ? -1 : 1;
    return e->triangle < f->triangle ? -1 : e->triangle > f->triangle;
}

typedef struct recount {
    uint32_t degenerate, duplicate, folded, edges, open, nonmanifold, inconsistent, components;
    bool closed;
} recount;

static void as_doubles(const cm_mesh *mesh, uint32_t point, double out[3]) {
    cm_vec3 p = cm_mesh_points(mesh)[point];
    out[0] = (double)p.x, out[1] = (double)p.y, out[2] = (double)p.z;
}

static bool flat(const cm_mesh *mesh, const uint32_t *c) {
    double a[3], b[3], d[3];
    as_doubles(mesh, c[0], a), as_doubles(mesh, c[1], b), as_doubles(mesh, c[2], d);
    for (int k = 0; k < 3; ++k)
        if (oracle_orient2(a, b, d, k) != 0) return false;
    return true;
}

static bool folded(const cm_mesh *mesh, uint32_t low, uint32_t high, uint32_t apex, uint32_t other) {
    double a[3], b[3], c[3], d[3];
    as_doubles(mesh, low, a), as_doubles(mesh, high, b), as_doubles(mesh, apex, c), as_doubles(mesh, other, d);
    if (oracle_orient3(a, b, c, d) != 0) return false;
    bool same = false;
    for (int k = 0; k < 3; ++k) {
        int s = oracle_orient2(a, b, c, k), t = oracle_orient2(a, b, d, k);
        if (s * t < 0) return false;
        if (s * t > 0) same = true;
    }
    return same;
}

static bool same_corners(const uint32_t *a, const uint32_t *b) {
    for (int i = 0; i < 3; ++i)
        if ((a[i] != b[0] && a[i] != b[1] && a[i] != b[2]) || (b[i] != a[0] && b[i] != a[1] && b[i] != a[2]))
            return false;
    return true;
}

static recount count_again(const cm_mesh *mesh) {
    uint32_t n = cm_mesh_triangle_count(mesh);
    uint32_t(*corners)[3] = calloc(n, sizeof *corners);
    edge *edges = calloc(3 * n, sizeof *edges);
    uint32_t *color = calloc(n, sizeof *color);
    bool *is_folded = calloc(n, sizeof *is_folded);
    recount r = {0};
    size_t m = 0;
    for (uint32_t t = 0; t < n; ++t) {
        uint32_t *c = corners[t];
        cm_mesh_corners(mesh, t, c);
        r.degenerate += flat(mesh, c);
        color[t] = t;
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
        for (uint32_t s = 0; s < t; ++s)
            if (same_corners(corners[s], c)) {
                ++r.duplicate;
                break;
            }
        for (int k = 0; k < 3; ++k) {
            uint32_t a = c[k], b = c[(k + 1) % 3];
            edge e = {a < b ? a : b, a < b ? b : a, t, c[(k + 2) % 3], a < b};
            edges[m++] = e;
        }
    }
    qsort(edges, m, sizeof *edges, edge_order);
    r.closed = true;
    for (size_t i = 0, end; i < m; i = end) {
        int forward = 0;
        for (end = i; end < m && edges[end].low == edges[i].low && edges[end].high == edges[i].high; ++end)
            forward += edges[end].forward ? 1 : -1;
        r.edges += 1;
        r.open += end - i == 1;
        r.nonmanifold += end - i > 2;
        r.inconsistent += end - i == 2 && forward != 0;
        r.closed = r.closed && forward == 0;
        for (size_t x = i; x < end; ++x)
            for (size_t y = x + 1; y < end; ++y)
                if (edges[x].apex != edges[y].apex &&
                    folded(mesh, edges[i].low, edges[i].high, edges[x].apex, edges[y].apex))
                    is_folded[edges[x].triangle] = is_folded[edges[y].triangle] = true;
    }
    /* flooding: the least color of a point spreads until nothing changes */
    uint32_t *at_point = malloc(cm_mesh_point_count(mesh) * sizeof *at_point);
    memset(at_point, 0xff, cm_mesh_point_count(mesh) * sizeof *at_point);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t t = 0; t < n; ++t) {
            uint32_t least = color[t];
            for (int k = 0; k < 3; ++k)
                if (at_point[corners[t][k]] < least) least = at_point[corners[t][k]];
            changed = changed || least != color[t];
            color[t] = least;
            for (int k = 0; k < 3; ++k) {
                changed = changed || at_point[corners[t][k]] != least;
                at_point[corners[t][k]] = least;
            }
        }
    }
    for (uint32_t t = 0; t < n; ++t) {
        r.components += color[t] == t;
        r.folded += is_folded[t];
    }
    /* the components' numbers run in the order of their first triangle */
    uint32_t *numbers = malloc(n * sizeof *numbers), next = 0;
    cm_mesh_components(mesh, numbers);
    for (uint32_t t = 0; t < n; ++t) {
        if (color[t] == t) assert_int_equal(numbers[t], next++);
        assert_int_equal(numbers[t], numbers[color[t]]);
    }
    free(numbers), free(at_point), free(is_folded), free(color), free(edges), free(corners);
    return r;
}

static const char *const data_meshes[] = {"fcl_env.obj",
                                          "fcl_rob.obj",
                                          "level_recast_nav_test.obj",
                                          "robot_panda/link0.stl",
                                          "robot_panda/link5.stl",
                                          "robot_panda/hand.stl",
                                          "robot_panda/finger.stl",
                                          "robot_solo/solo_foot.obj",
                                          "box3d/stairs.obj",
                                          "box3d/test_map01.obj",
                                          "box3d/voxel_mesh_01.obj",
                                          "box3d/conveyor.obj",
                                          "common/suzanne.obj",
                                          "common/spot.obj",
                                          "hard_manifold/Cray_left.obj",
                                          "hard_manifold/Offset1.obj",
                                          "hard_manifold/boxNotManifold.obj",
                                          "hard_manifold/openscad-nonmanifold-crash.obj",
                                          "libigl/TinyTorus.obj",
                                          "libigl/degenerated.obj",
                                          "trimesh/7_8ths_cube.stl",
                                          "trimesh/featuretype.STL",
                                          "trimesh/multibody.stl",
                                          "trimesh/negative_indices.obj",
                                          "trimesh/soup.stl",
                                          "assimp/Spider_ascii.stl",
                                          "assimp/Spider_binary.stl",
                                          "assimp/sphereWithHole.stl"};

static void real_and_broken_meshes_have_the_numbers_of_a_plain_count(void **state) {
    (void)state;
    if (!data_path("meshes")) skip();
    print_message("  mesh: triangles points components | degenerate duplicate folded | edges open nonmanifold "
                  "inconsistent holes closed\n");
    for (size_t i = 0; i < sizeof data_meshes / sizeof *data_meshes; ++i) {
        char name[200];
        snprintf(name, sizeof name, "meshes/%s", data_meshes[i]);
        mesh_file file;
        if (!mesh_file_load(data_path(name), &file)) fail_msg("%s cannot be read", name);
        cm_real *points = mesh_file_reals(&file);
        cm_mesh_desc d = {0};
        d.points = points, d.point_count = file.point_count;
        d.indices = file.indices, d.triangle_count = file.triangle_count;
        cm_mesh *mesh = built(&d);
        cm_mesh_info f;
        cm_mesh_get_info(mesh, &f);
        recount r = count_again(mesh);
        print_message("  %s: %u %u %u | %u %u %u | %u %u %u %u %u %s\n", data_meshes[i], f.triangles, f.points,
                      f.components, f.degenerate, f.duplicate, f.folded, f.edges, f.open_edges, f.nonmanifold_edges,
                      f.inconsistent_edges, f.holes, f.closed ? "closed" : "open");
        assert_int_equal(f.degenerate, r.degenerate);
        assert_int_equal(f.duplicate, r.duplicate);
        assert_int_equal(f.folded, r.folded);
        assert_int_equal(f.edges, r.edges);
        assert_int_equal(f.open_edges, r.open);
        assert_int_equal(f.nonmanifold_edges, r.nonmanifold);
        assert_int_equal(f.inconsistent_edges, r.inconsistent);
        assert_int_equal(f.components, r.components);
        assert_int_equal(f.closed, r.closed);
        cm_mesh_destroy(mesh, NULL);
        free(points);
        mesh_file_free(&file);
    }
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
        cmocka_unit_test(welding_joins_within_the_distance_and_no_chains),
        cmocka_unit_test(welding_agrees_with_brute_force),
        cmocka_unit_test(bad_descriptions_get_a_status_a_field_and_an_index),
        cmocka_unit_test(every_failed_allocation_is_a_status_and_leaks_nothing),
        cmocka_unit_test(a_copied_block_is_the_same_mesh),
        cmocka_unit_test(real_and_broken_meshes_have_the_numbers_of_a_plain_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
