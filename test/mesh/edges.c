/* What meets at the edges of real and broken meshes, counted again the plain way. */
#include "mesh/mesh.h"
#include "oracle/rational.h"
#include "support/meshes.h"

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

static void check_edges(const cm_mesh_info *told, const recount *counted) {
    assert_int_equal(told->edges, counted->edges);
    assert_int_equal(told->open_edges, counted->open);
    assert_int_equal(told->nonmanifold_edges, counted->nonmanifold);
    assert_int_equal(told->inconsistent_edges, counted->inconsistent);
    assert_int_equal(told->components, counted->components);
    assert_int_equal(told->closed, counted->closed);
}

/* A fan of 3 * 200 triangles at one edge, in three senses; and 400 around one point: long runs are sorted otherwise. */
static void fans_have_the_numbers_of_a_plain_count(void **state) {
    (void)state;
    enum { BLADES = 600, SPOKES = 400 };
    static cm_real points[3 * (2 + BLADES + 1 + SPOKES)];
    static uint32_t indices[3 * (BLADES + SPOKES)];
    rng r = rng_start("fan", 12);
    for (size_t i = 0; i < sizeof points / sizeof *points; ++i) points[i] = CM_REAL(rng_range(&r, -1, 1));
    for (uint32_t i = 0; i < BLADES; ++i) {
        uint32_t *c = indices + 3 * i, turn = rng_below(&r, 2), apex = 2 + rng_below(&r, BLADES); /* some twice */
        c[0] = turn, c[1] = 1 - turn, c[2] = apex;
    }
    const uint32_t center = 2 + BLADES;
    for (uint32_t i = 0; i < SPOKES; ++i) {
        uint32_t *c = indices + 3 * (BLADES + i), at = 7 * i % SPOKES;
        c[0] = center, c[1] = center + 1 + at, c[2] = center + 1 + (at + 1) % SPOKES;
    }
    cm_mesh_desc d = {0};
    d.points = points, d.point_count = 2 + BLADES + 1 + SPOKES;
    d.indices = indices, d.triangle_count = BLADES + SPOKES;
    cm_mesh *mesh = mesh_built(&d);
    cm_mesh_info f;
    cm_mesh_get_info(mesh, &f);
    recount n = count_again(mesh);
    assert_int_equal(f.duplicate, n.duplicate);
    check_that(n.duplicate > 100, "%u duplicates", n.duplicate);
    check_edges(&f, &n);
    const uint32_t *neighbors = cm__mesh_neighbors(mesh);
    for (uint32_t i = 0; i < SPOKES; ++i) /* all around */
        for (uint32_t e = 0; e < 3; ++e) assert_int_equal(neighbors[3 * (BLADES + i) + e] == CM_NONE, e == 1);
    cm_mesh_destroy(mesh, NULL);
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
        cm_mesh *mesh = mesh_built(&d);
        cm_mesh_info f;
        cm_mesh_get_info(mesh, &f);
        recount r = count_again(mesh);
        print_message("  %s: %u %u %u | %u %u %u | %u %u %u %u %u %s\n", data_meshes[i], f.triangles, f.points,
                      f.components, f.degenerate, f.duplicate, f.folded, f.edges, f.open_edges, f.nonmanifold_edges,
                      f.inconsistent_edges, f.holes, f.closed ? "closed" : "open");
        assert_int_equal(f.degenerate, r.degenerate);
        assert_int_equal(f.duplicate, r.duplicate);
        assert_int_equal(f.folded, r.folded);
        check_edges(&f, &r);
        cm_mesh_destroy(mesh, NULL);
        free(points);
        mesh_file_free(&file);
    }
}

/* A patch of everything that can be wrong, 2000 times: faults are found part by part, and add up. */
static void faults_add_up_over_all_parts(void **state) {
    (void)state;
    enum { PATCHES = 2000, POINTS = 19, TRIANGLES = 11 };
    static const cm_real patch[POINTS][3] = {
        {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 2, 0},             /* a fold: both on the same side of 0 1 */
        {2, 0, 0}, {3, 0, 0}, {2, 1, 1},                        /* a duplicate, and its reverse */
        {4, 0, 0}, {5, 0, 0}, {4, 1, 0}, {5, 2, 0},  {4, 0, 1}, /* three at the edge 7 8, two of them folded */
        {6, 0, 0}, {6, 1, 1}, {6, 2, 2},                        /* without area */
        {7, 0, 0}, {8, 0, 0}, {7, 1, 0}, {7, -1, 1},            /* two in the same direction along 15 16 */
    };
    static const uint32_t corners[TRIANGLES][3] = {{0, 1, 2},    {1, 0, 3},    {4, 5, 6},   {5, 4, 6},
                                                   {7, 8, 9},    {7, 8, 10},   {8, 7, 11},  {12, 13, 14},
                                                   {12, 12, 13}, {15, 16, 17}, {15, 16, 18}};
    static cm_real points[PATCHES * POINTS][3];
    static uint32_t indices[PATCHES * TRIANGLES][3];
    for (uint32_t i = 0; i < PATCHES; ++i) {
        for (uint32_t p = 0; p < POINTS; ++p)
            for (int k = 0; k < 3; ++k) points[i * POINTS + p][k] = patch[p][k] + (k == 0 ? (cm_real)(10 * i) : 0);
        for (uint32_t t = 0; t < TRIANGLES; ++t)
            for (int k = 0; k < 3; ++k) indices[i * TRIANGLES + t][k] = i * POINTS + corners[t][k];
    }
    for (int workers = 1; workers <= 3; workers += 2) {
        cm_pool *pool = NULL;
        cm_tasks tasks;
        assert_int_equal(cm_pool_create(workers, NULL, &pool), CM_OK);
        cm_pool_tasks(pool, &tasks);
        cm_mesh_desc d = {0};
        d.points = &points[0][0], d.point_count = PATCHES * POINTS, d.tasks = &tasks;
        d.indices = &indices[0][0], d.triangle_count = PATCHES * TRIANGLES;
        cm_mesh *mesh = mesh_built(&d);
        cm_pool_destroy(pool);
        cm_mesh_info f;
        cm_mesh_get_info(mesh, &f);
        assert_int_equal(f.folded, 4 * PATCHES);
        assert_int_equal(f.duplicate, PATCHES);
        assert_int_equal(f.degenerate, 2 * PATCHES);
        assert_int_equal(f.edges, 23 * PATCHES); /* 5 + 3 + 7 + 3 + 5 */
        assert_int_equal(f.open_edges, 17 * PATCHES);
        assert_int_equal(f.nonmanifold_edges, PATCHES);
        assert_int_equal(f.inconsistent_edges, PATCHES);
        assert_int_equal(f.components, 5 * PATCHES);
        assert_false(f.closed);
        cm_mesh_destroy(mesh, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fans_have_the_numbers_of_a_plain_count),
        cmocka_unit_test(faults_add_up_over_all_parts),
        cmocka_unit_test(real_and_broken_meshes_have_the_numbers_of_a_plain_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
