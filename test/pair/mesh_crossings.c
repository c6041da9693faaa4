/* The crossings of two meshes: each pair once, with its segment, in an order that repeats; and the recorded truth. */
#include "carom/pair.h"
#include "math/exact.h"
#include "pair/triangle_triangle.h"
#include "support/meshes.h"

#include <jansson.h>
#include <math.h>

typedef struct list {
    cm_crossing *items;
    size_t count, room, stop_at;
} list;

static bool collect(void *user, const cm_crossing *crossing) {
    list *l = user;
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 64;
        l->items = realloc(l->items, l->room * sizeof *l->items);
    }
    l->items[l->count++] = *crossing;
    return l->count != l->stop_at;
}

static void corners_of(const cm_mesh *mesh, const cm_vec3 *points, uint32_t triangle, cm_vec3 out[3]) {
    uint32_t c[3];
    cm_mesh_corners(mesh, triangle, c);
    for (int k = 0; k < 3; ++k) out[k] = points[c[k]];
}

static void each_pair_is_told_once_with_its_segment(void **state) {
    (void)state;
    rng r = rng_start("poses", 31);
    cm_mesh *a = mesh_ball(cm_v(0, 0, 0), 1, 2, true), *b = mesh_ball(cm_v(0, 0, 0), 1, 2, true);
    uint32_t n = cm_mesh_triangle_count(a);
    cm_vec3 *posed = malloc(cm_mesh_point_count(b) * sizeof *posed);
    uint8_t *seen = malloc((size_t)n * n);
    uint64_t all = 0;
    for (int i = 0; i < samples(20, 1000); ++i) {
        cm_pose pose_a = rng_pose(&r, 3), pose_b = rng_pose(&r, 3);
        pose_b.position = cm_add(pose_a.position, rng_vec3(&r, 1));
        cm_shape sa = cm_make_mesh(a), sb = cm_make_mesh(b);
        list first = {0}, again = {0};
        uint64_t count = cm_mesh_crossings(&sa, &pose_a, &sb, &pose_b, collect, &first);
        check_that(count == first.count, "%llu, told %zu", (unsigned long long)count, first.count);
        cm_mesh_crossings(&sa, &pose_a, &sb, &pose_b, collect, &again);
        assert_int_equal(first.count, again.count);
        assert_int_equal(count, cm_mesh_crossings(&sa, &pose_a, &sb, &pose_b, NULL, NULL));
        cm_mesh_posed(&pose_a, b, &pose_b, posed);
        memset(seen, 0, (size_t)n * n);
        for (size_t k = 0; k < first.count; ++k) {
            const cm_crossing *c = &first.items[k], *d = &again.items[k];
            check_that(c->triangle_a == d->triangle_a && c->triangle_b == d->triangle_b && c->start.x == d->start.x &&
                           c->end.z == d->end.z,
                       "crossing %zu differs the second time", k);
            uint8_t *at = &seen[(size_t)c->triangle_a * n + c->triangle_b];
            check_that(!*at, "pair %u %u is told twice", c->triangle_a, c->triangle_b);
            *at = 1;
            cm_vec3 x[3], y[3];
            corners_of(a, cm_mesh_points(a), c->triangle_a, x);
            corners_of(b, posed, c->triangle_b, y);
            cm__triangle_crossing truth;
            assert_true(cm__cross_triangle_triangle(x, y, &truth));
            cm_vec3 off = cm_sub(cm_pose_apply(&pose_a, truth.start), c->start);
            check_that(cm_largest(off) == 0, "the segment starts %g off", (double)cm_largest(off));
        }
        if (count > 1) { /* a stop is obeyed */
            list few = {0};
            few.stop_at = (size_t)count / 2;
            assert_int_equal(cm_mesh_crossings(&sa, &pose_a, &sb, &pose_b, collect, &few), few.stop_at);
            free(few.items);
        }
        all += count;
        free(first.items), free(again.items);
    }
    check_that(all > 100, "%llu", (unsigned long long)all);
    free(posed), free(seen);
    cm_mesh_destroy(a, NULL), cm_mesh_destroy(b, NULL);
}

/* A box on top of a larger one: the bottom's two triangles meet the top's in one plane. */
static void faces_in_one_plane_are_marked_coplanar(void **state) {
    (void)state;
    cm_mesh *a = mesh_box(cm_v(-4, -4, -1), cm_v(4, 4, 0), true), *b = mesh_box(cm_v(-1, -1, 0), cm_v(1, 1, 2), true);
    cm_shape sa = cm_make_mesh(a), sb = cm_make_mesh(b);
    cm_pose p = cm_pose_identity();
    list l = {0};
    cm_mesh_crossings(&sa, &p, &sb, &p, collect, &l);
    size_t coplanar = 0;
    for (size_t i = 0; i < l.count; ++i) {
        coplanar += l.items[i].coplanar;
        check_that(l.items[i].start.z == 0 && l.items[i].end.z == 0, "off the plane");
    }
    check_that(coplanar == 4, "%zu coplanar of %zu", coplanar,
               l.count); /* both cut along the same diagonal direction */
    free(l.items);
    cm_mesh_destroy(a, NULL), cm_mesh_destroy(b, NULL);
}

static void other_shapes_have_no_crossings(void **state) {
    (void)state;
    cm_mesh *a = mesh_box(cm_v(0, 0, 0), cm_v(1, 1, 1), true);
    cm_shape s = cm_make_mesh(a), t = cm_make_triangle(cm_v(0, 0, 0), cm_v(1, 0, 0), cm_v(0, 1, 0));
    cm_pose p = cm_pose_identity(), bad = p;
    bad.position.x = (cm_real)INFINITY;
    assert_true(cm_mesh_crossings(&s, &p, &s, &p, NULL, NULL) > 0);
    assert_int_equal(cm_mesh_crossings(&s, &p, &t, &p, NULL, NULL), 0);
    assert_int_equal(cm_mesh_crossings(&s, &p, &s, &bad, NULL, NULL), 0);
    cm_mesh_destroy(a, NULL);
}

#if defined(CAROM_F64)
static double number(const json_t *array, size_t i) { return json_number_value(json_array_get(array, i)); }

/* v = pos + rot v in double, row dot from left to right: the truth is exact for these very points. */
static cm_mesh *baked(const char *name, const json_t *rot, const json_t *pos) {
    cm_mesh *mesh = mesh_recorded(name, false);
    uint32_t points = cm_mesh_point_count(mesh), triangles = cm_mesh_triangle_count(mesh);
    cm_real *moved = malloc(3 * (size_t)points * sizeof *moved);
    uint32_t *corners = malloc(3 * (size_t)triangles * sizeof *corners);
    for (uint32_t i = 0; i < points; ++i) {
        cm_vec3 p = cm_mesh_points(mesh)[i];
        for (size_t k = 0; k < 3; ++k) {
            const json_t *row = json_array_get(rot, k);
            moved[3 * i + k] = number(pos, k) + ((number(row, 0) * p.x + number(row, 1) * p.y) + number(row, 2) * p.z);
        }
    }
    for (uint32_t t = 0; t < triangles; ++t) cm_mesh_corners(mesh, t, corners + 3 * (size_t)t);
    cm_mesh *out = mesh_of(moved, points, corners, triangles, false);
    free(moved), free(corners);
    cm_mesh_destroy(mesh, NULL);
    return out;
}

static void the_recorded_pairs_have_their_exact_counts(void **state) {
    (void)state;
    const char *path = data_path("mesh_truth.json");
    if (!path) skip();
    json_t *root = json_load_file(path, 0, NULL), *pairs = json_object_get(root, "pairs");
    size_t i;
    json_t *pair;
    json_array_foreach(pairs, i, pair) {
        cm_mesh *a = mesh_recorded(json_string_value(json_object_get(pair, "A")), false);
        cm_mesh *b = baked(json_string_value(json_object_get(pair, "B")), json_object_get(pair, "rot"),
                           json_object_get(pair, "pos"));
        cm_shape sa = cm_make_mesh(a), sb = cm_make_mesh(b);
        cm_pose p = cm_pose_identity();
        uint64_t truth = (uint64_t)json_integer_value(json_object_get(pair, "intersecting_pairs"));
        uint64_t found = cm_mesh_crossings(&sa, &p, &sb, &p, NULL, NULL);
        check_that(found == truth, "pair %zu: %llu crossings, truly %llu", i, (unsigned long long)found,
                   (unsigned long long)truth);
        assert_int_equal(cm_overlap(&sa, &p, &sb, &p), json_is_true(json_object_get(pair, "colliding")));
        const json_t *distance = json_object_get(pair, "distance");
        if (distance) {
            cm_witness w;
            double d = cm_distance(&sa, &p, &sb, &p, CM_REAL_MAX, &w), true_d = json_number_value(distance);
            check_that(fabs(d - true_d) <= 1e-12 * (true_d + 3000), "pair %zu: %.17g, truly %.17g", i, d, true_d);
        }
        cm_mesh_destroy(a, NULL), cm_mesh_destroy(b, NULL);
    }
    print_message("  %zu pairs\n", json_array_size(pairs));
    json_decref(root);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pair_is_told_once_with_its_segment),
        cmocka_unit_test(faces_in_one_plane_are_marked_coplanar),
        cmocka_unit_test(other_shapes_have_no_crossings),
#if defined(CAROM_F64)
        cmocka_unit_test(the_recorded_pairs_have_their_exact_counts),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
