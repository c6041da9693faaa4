/* The triangles once more: each place has its triangle's corners, a meshlet has each point once, and a leaf read side
 * by side is its triangles one by one. */
#include "support/support.h"
#include "bvh/wide.h"
#include "mesh/leaf.h"
#include "support/meshes.h"

static cm_mesh *built(const cm_vec3 *points, uint32_t count, const uint32_t *indices, uint32_t triangles) {
    cm_mesh *mesh = NULL;
    cm_mesh_desc d = {.points = &points[0].x, .point_count = count, .indices = indices, .weld = -1};
    d.triangle_count = triangles;
    assert_int_equal(cm_mesh_build(&d, NULL, &mesh, NULL), CM_OK);
    return mesh;
}

/* Triangles that share nothing: 24 vertices a leaf. */
static cm_mesh *soup(rng *r, uint32_t triangles) {
    enum { MOST = 3000 };
    static cm_vec3 points[3 * MOST];
    assert_true(triangles <= MOST);
    for (uint32_t i = 0; i < 3 * triangles; i += 3) {
        points[i] = rng_vec3(r, 10);
        for (uint32_t k = 1; k < 3; ++k) points[i + k] = cm_add(points[i], rng_vec3(r, 1));
    }
    return built(points, 3 * triangles, NULL, triangles);
}

/* Triangles around one point, which all meshlets name. */
static cm_mesh *fan(rng *r) {
    enum { SLICES = 500 };
    cm_vec3 points[SLICES + 1];
    uint32_t indices[3 * SLICES];
    points[0] = cm_v(0, 0, 0);
    for (uint32_t i = 0; i < SLICES; ++i) {
        points[i + 1] = rng_vec3(r, 1);
        indices[3 * i] = 0, indices[3 * i + 1] = i + 1, indices[3 * i + 2] = 1 + (i + 1) % SLICES;
    }
    return built(points, SLICES + 1, indices, SLICES);
}

static void check_places(const cm_mesh *mesh) {
    const uint32_t *numbers = cm__mesh_numbers(mesh), *firsts = cm__mesh_meshlets(mesh);
    uint8_t *named = calloc(mesh->info.points, 1);
    uint32_t meshlet = CM_NONE, found = 0;
    assert_non_null(named);
    for (uint32_t place = 0; place < mesh->info.triangles; ++place) {
        const cm__face face = cm__mesh_face(mesh, place);
        const cm_triangle t = cm__mesh_triangle(mesh, numbers[place]);
        assert_memory_equal(&t, &face, sizeof t);
        const uint32_t own = cm__mesh_leaf_first(cm__mesh_seats(mesh)[place], place) / CM__MESH_MESHLET;
        if (own != meshlet) { /* a point is a vertex of each meshlet that names it, once */
            check_that(firsts[own] == found, "meshlet %u begins at %u, not %u", own, firsts[own], found);
            memset(named, 0, mesh->info.points);
            meshlet = own;
        }
        uint32_t corners[3];
        cm_mesh_corners(mesh, numbers[place], corners);
        for (int k = 0; k < 3; ++k) found += !named[corners[k]], named[corners[k]] = 1;
    }
    assert_int_equal(mesh->vertex_count, found);
    free(named);
}

static void same_corners(const cm__face *face, const real4_points corners[3], uint32_t lane) {
    for (int c = 0; c < 3; ++c) {
        cm_real x[4], y[4], z[4];
        real4_store(x, corners[c].x), real4_store(y, corners[c].y), real4_store(z, corners[c].z);
        const cm_vec3 p = cm_v(x[lane], y[lane], z[lane]);
        assert_memory_equal(&p, &face->corner[c], sizeof p);
    }
}

/* Of all leaves of the rays' tree, and of the last triangles of each. */
static void check_leaves(const cm_mesh *mesh) {
    const cm__wide_node *nodes = (const cm__wide_node *)cm__mesh_at(mesh, mesh->rays);
    for (uint32_t n = 0; n < mesh->ray_node_count * CM__WIDE; ++n) {
        const uint32_t first = nodes[n / CM__WIDE].child[n % CM__WIDE], count = nodes[n / CM__WIDE].count[n % CM__WIDE];
        for (uint32_t from = 0; from < count; ++from) {
            const cm__bvh_leaf of = {first + from, count - from};
            cm__mesh_leaf leaf;
            cm__mesh_leaf_of(mesh, &of, &leaf);
            real4_points corners[2][3];
            for (uint32_t h = 0; h < 2; ++h) cm__mesh_leaf_corners(&leaf, 4 * h, corners[h]);
            const cm_vec3 zero = cm__mesh_vertices(mesh, first)[0];
            for (uint32_t i = 0; i < CM__MESH_LEAF; ++i) {
                const cm__face none = {{zero, zero, zero}};
                const cm__face face = i < of.count ? cm__mesh_face(mesh, of.first + i) : none;
                same_corners(&face, corners[i / 4], i % 4);
            }
            for (uint32_t i = 0; i + 1 < of.count; ++i) {
                f64x2 two[3][3];
                cm__mesh_leaf_two(&leaf, i, two);
                const cm__face a = cm__mesh_face(mesh, of.first + i), b = cm__mesh_face(mesh, of.first + i + 1);
                for (int c = 0; c < 3; ++c) {
                    assert_true(f64x2_low(two[c][0]) == (double)a.corner[c].x);
                    assert_true(f64x2_high(two[c][1]) == (double)b.corner[c].y);
                    assert_true(f64x2_high(two[c][2]) == (double)b.corner[c].z);
                }
            }
        }
    }
}

static void check(cm_mesh *mesh) {
    check_places(mesh);
    check_leaves(mesh);
    cm_mesh_destroy(mesh, NULL);
}

static void each_place_has_its_triangle_and_a_meshlet_each_point_once(void **state) {
    (void)state;
    rng r = rng_start("meshlets", 1);
    for (uint32_t triangles = 1; triangles <= 150; ++triangles) check(soup(&r, triangles));
    check(soup(&r, 3000));
    check(fan(&r));
    check(mesh_ball(cm_v(1, 2, 3), 1, 0, true));
    check(mesh_ball(cm_v(1, 2, 3), 1, 4, true));
}

/* Where points are moved, vertices follow. */
static void moved_points_move_the_vertices(void **state) {
    (void)state;
    rng r = rng_start("meshlets", 2);
    cm_mesh *mesh = mesh_ball(cm_v(0, 0, 0), 1, 3, true);
    const uint32_t count = cm_mesh_point_count(mesh);
    cm_vec3 *points = malloc(count * sizeof *points);
    assert_non_null(points);
    for (uint32_t i = 0; i < count; ++i) points[i] = rng_vec3(&r, 5);
    assert_int_equal(cm_mesh_move_points(mesh, points, NULL), CM_OK);
    free(points);
    check(mesh);
}

/* A closed surface has half a point a triangle; of 48 triangles that lie together a meshlet's border has as many again
 * as a third. */
static void a_meshlet_shares_its_points(void **state) {
    (void)state;
    cm_mesh *mesh = mesh_ball(cm_v(0, 0, 0), 1, 5, true);
    const double each = (double)mesh->vertex_count / mesh->info.triangles;
    check_that(each < 0.9, "%.3f vertices a triangle", each);
    cm_mesh_destroy(mesh, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_place_has_its_triangle_and_a_meshlet_each_point_once),
        cmocka_unit_test(moved_points_move_the_vertices),
        cmocka_unit_test(a_meshlet_shares_its_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
