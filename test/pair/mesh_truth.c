/* The recorded rays and posed pairs of meshes whose answers are known in rational arithmetic (mesh_truth.json).
 * Double: every answer, counts and hits exactly. Float: the points are rounded first, so only what rounding cannot
 * change is asked: what is far apart, what overlaps widely, and where, to float's accuracy. */
#include "carom/pair.h"
#include "mesh/mesh.h"
#include "oracle/rational.h"
#include "support/meshes.h"
#include "support/triangles.h"

#include <jansson.h>
#include <math.h>

/* What rounding all coordinates to the build's precision may change in a length. */
static const double slack = sizeof(cm_real) == 8 ? 1e-12 : 2e-6;
static const bool is_double = sizeof(cm_real) == 8;

static json_t *truth_load(void) {
    const char *path = data_path("mesh_truth.json");
    if (!path) skip();
    json_error_t error;
    json_t *truth = json_load_file(path, 0, &error);
    check_that(truth != NULL, "%s", error.text);
    return truth;
}
static double number(const json_t *array, size_t i) { return json_number_value(json_array_get(array, i)); }
static bool contains(const json_t *array, uint32_t x) {
    for (size_t i = 0; i < json_array_size(array); i++)
        if ((uint32_t)json_integer_value(json_array_get(array, i)) == x) return true;
    return false;
}
static const char *text(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* The recorded mesh under its pose, baked into the points as the file says: v = pos + rot v, rows left to right. */
static cm_mesh *truth_mesh(const char *name, const json_t *rot, const json_t *pos) {
    char relative[256];
    snprintf(relative, sizeof relative, "meshes/%s", name);
    mesh_file file;
    check_that(mesh_file_load(data_path(relative), &file), "%s", name);
    for (uint32_t i = 0; rot && i < file.point_count; i++) {
        double v[3] = {file.points[3 * i], file.points[3 * i + 1], file.points[3 * i + 2]};
        for (size_t k = 0; k < 3; k++) {
            const json_t *row = json_array_get(rot, k);
            file.points[3 * i + k] =
                number(pos, k) + (number(row, 0) * v[0] + number(row, 1) * v[1] + number(row, 2) * v[2]);
        }
    }
    cm_real *points = mesh_file_reals(&file);
    cm_mesh *mesh = mesh_of(points, file.point_count, file.indices, file.triangle_count, false);
    free(points);
    mesh_file_free(&file);
    return mesh;
}

static void rays_hit_what_they_truly_hit(void **state) {
    (void)state;
    json_t *truth = truth_load(), *rays = json_object_get(truth, "rays");
    size_t count = json_array_size(rays), asked = 0;
    cm_mesh *mesh = NULL;
    const char *loaded = "";
    for (size_t i = 0; i < count; i++) {
        const json_t *ray = json_array_get(rays, i), *o = json_object_get(ray, "origin"),
                     *d = json_object_get(ray, "dir");
        const char *kind = text(ray, "kind");
        if (strcmp(loaded, text(ray, "mesh")) != 0) {
            cm_mesh_destroy(mesh, NULL);
            loaded = text(ray, "mesh");
            mesh = truth_mesh(loaded, NULL, NULL);
        }
        if (!is_double && strcmp(kind, "random") != 0) continue; /* the corner aimed at has moved */
        cm_vec3 from = cm_v(CM_REAL(number(o, 0)), CM_REAL(number(o, 1)), CM_REAL(number(o, 2)));
        cm_vec3 along = cm_v(CM_REAL(number(d, 0)), CM_REAL(number(d, 1)), CM_REAL(number(d, 2)));
        cm__mesh_hit hit;
        bool hits = cm__mesh_ray(mesh, from, along, CM_REAL_MAX, &hit);
        check_that(hits == json_is_true(json_object_get(ray, "hit")), "ray %zu, %s at %s: hit %d", i, kind, loaded,
                   hits);
        asked++;
        if (!hits) continue;
        double t = json_number_value(json_object_get(ray, "t"));
        check_that(fabs(hit.t - t) <= 100 * slack * t, "ray %zu, %s at %s: t %.17g, truth %.17g", i, kind, loaded,
                   hit.t, t);
        check_that(contains(json_object_get(ray, "tris"), hit.triangle), "ray %zu, %s at %s: triangle %u", i, kind,
                   loaded, hit.triangle);
    }
    check_that(asked >= (is_double ? 96u : 24u), "only %zu rays", asked);
    cm_mesh_destroy(mesh, NULL);
    json_decref(truth);
}

static double exact_distance(const cm_mesh *a, uint32_t i, const cm_mesh *b, uint32_t k) {
    cm_triangle t = cm__mesh_triangle(a, i), u = cm__mesh_triangle(b, k);
    double p[3][3], q[3][3];
    const cm_vec3 corners_t[3] = {t.a, t.b, t.c}, corners_u[3] = {u.a, u.b, u.c};
    triangle_doubles(corners_t, p);
    triangle_doubles(corners_u, q);
    mpq_t square;
    mpq_init(square);
    oracle_triangle_triangle(square, (const double(*)[3])p, (const double(*)[3])q);
    double distance = oracle_sqrt(square);
    mpq_clear(square);
    return distance;
}

static void pairs_cross_and_part_as_they_truly_do(void **state) {
    (void)state;
    json_t *truth = truth_load(), *pairs = json_object_get(truth, "pairs");
    assert_int_equal(json_array_size(pairs), 8);
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i);
        cm_mesh *a = truth_mesh(text(pair, "A"), NULL, NULL);
        cm_mesh *b = truth_mesh(text(pair, "B"), json_object_get(pair, "rot"), json_object_get(pair, "pos"));
        cm_shape sa = cm_make_mesh(a), sb = cm_make_mesh(b);
        cm_pose at = cm_pose_identity();
        bool colliding = json_is_true(json_object_get(pair, "colliding"));
        check_that(cm_overlap(&sa, &at, &sb, &at) == colliding, "pair %zu: colliding %d", i, !colliding);
        check_that(cm_overlap(&sb, &at, &sa, &at) == colliding, "pair %zu swapped: colliding %d", i, !colliding);
        uint64_t crossings = cm_mesh_crossings(&sa, &at, &sb, &at, NULL, NULL);
        uint64_t expected = (uint64_t)json_integer_value(json_object_get(pair, "intersecting_pairs"));
        uint64_t off = crossings > expected ? crossings - expected : expected - crossings;
        check_that(off <= (is_double ? 0 : expected / 50), "pair %zu: %llu crossings, truth %llu", i,
                   (unsigned long long)crossings, (unsigned long long)expected);
        if (!colliding) {
            cm_witness w;
            double d = (double)cm_distance(&sa, &at, &sb, &at, CM_REAL_MAX, &w);
            double exact = json_number_value(json_object_get(pair, "distance"));
            double size = 5000; /* the environment's */
            check_that(fabs(d - exact) <= slack * size, "pair %zu: distance %.17g, truth %.17g", i, d, exact);
            /* the triangles named are that close; where the closest point is a corner, several are */
            check_that(fabs(exact_distance(a, w.part_a, b, w.part_b) - exact) <= slack * size,
                       "pair %zu: triangles %u, %u are not the closest", i, w.part_a, w.part_b);
        }
        cm_mesh_destroy(a, NULL);
        cm_mesh_destroy(b, NULL);
    }
    json_decref(truth);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_hit_what_they_truly_hit),
        cmocka_unit_test(pairs_cross_and_part_as_they_truly_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
