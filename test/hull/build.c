/* Building convex hulls: known solids, degenerate clouds, what is refused, memory, and order. */
#include "support/clouds.h"

#include <math.h>

static const cm_vec3 octagon[16] = {{40, 100, 0},     {100, 40, 0},     {100, -40, 0},   {40, -100, 0},
                                    {-40, -100, 0},   {-100, -40, 0},   {-100, 40, 0},   {-40, 100, 0},
                                    {40, 100, 100},   {100, 40, 100},   {100, -40, 100}, {40, -100, 100},
                                    {-40, -100, 100}, {-100, -40, 100}, {-100, 40, 100}, {-40, 100, 100}};

static cm_hull_info info_of(const cm_hull *hull) {
    cm_hull_info info;
    cm_hull_get_info(hull, &info);
    return info;
}
static void expect_counts(const cm_hull *hull, int dimension, uint32_t vertices, uint32_t edges, uint32_t faces) {
    cm_hull_info i = info_of(hull);
    check_that(i.dimension == dimension && i.vertices == vertices && i.edges == edges && i.faces == faces,
               "dimension %d, V %u E %u F %u", i.dimension, i.vertices, i.edges, i.faces);
}
static void expect_near(cm_real value, double expected, double tolerance) {
    check_that(fabs((double)value - expected) <= tolerance, "%.17g, expected %.17g", (double)value, expected);
}
static double ulps(double count) { return count * (double)CM_REAL_EPSILON; }

/* --- known solids ------------------------------------------------------------------------------------------------- */

static void a_grid_of_points_has_the_hull_of_its_box(void **state) {
    (void)state;
    cm_vec3 points[1000];
    for (uint32_t i = 0; i < 1000; ++i)
        points[i] = cm_v(CM_REAL(0.1 * (i % 10)), CM_REAL(1 + 0.2 * (i / 10 % 10)), CM_REAL(0.6 * (i / 100)));
    cm_hull *hull = hull_of(points, 1000);
    check_hull(hull, points, 1000, true);
    expect_counts(hull, 3, 8, 12, 6);
    /* 0.9 x 1.8 x 5.4 around (0.45, 1.9, 2.7); density 1: I_x = V (1.8² + 5.4²) / 12 */
    cm_hull_info i = info_of(hull);
    double v = 0.9 * 1.8 * 5.4;
    expect_near(i.volume, v, ulps(4) * v);
    expect_near(i.area, 2 * (0.9 * 1.8 + 1.8 * 5.4 + 0.9 * 5.4), ulps(4) * 40);
    expect_near(i.center.x, 0.45, ulps(4)), expect_near(i.center.y, 1.9, ulps(4)),
        expect_near(i.center.z, 2.7, ulps(4));
    expect_near(i.inertia.x.x, v * (1.8 * 1.8 + 5.4 * 5.4) / 12, ulps(100));
    expect_near(i.inertia.y.y, v * (0.9 * 0.9 + 5.4 * 5.4) / 12, ulps(100));
    expect_near(i.inertia.z.z, v * (0.9 * 0.9 + 1.8 * 1.8) / 12, ulps(100));
    expect_near(i.inertia.x.y, 0, ulps(100)), expect_near(i.inertia.y.z, 0, ulps(100));
    expect_near(i.inertia.z.x, 0, ulps(100));
    cm_hull_destroy(hull, NULL);
}

static void an_octagonal_prism_has_ten_faces(void **state) {
    (void)state;
    cm_hull *hull = hull_of(octagon, 16);
    check_hull(hull, octagon, 16, true);
    expect_counts(hull, 3, 16, 24, 10);
    /* the square of 200 less four corners of 60 x 60 / 2, times 100 */
    expect_near(info_of(hull).volume, (200. * 200 - 4 * 1800) * 100, ulps(4) * 4e6);
    cm_hull_destroy(hull, NULL);
}

static void an_icosahedron_has_twenty_faces(void **state) {
    (void)state;
    cm_vec3 p[12];
    cm_real g = CM_REAL(1.6180339887498949);
    for (int i = 0; i < 4; ++i) {
        cm_real a = i & 1 ? -1 : 1, b = i & 2 ? -g : g;
        p[3 * i] = cm_v(0, a, b), p[3 * i + 1] = cm_v(a, b, 0), p[3 * i + 2] = cm_v(b, 0, a);
    }
    cm_hull *hull = hull_of(p, 12);
    check_hull(hull, p, 12, true);
    expect_counts(hull, 3, 12, 30, 20);
    /* edge 2: volume 5 (3 + sqrt 5) / 12 * 8, area 5 sqrt 3 * 4 */
    expect_near(info_of(hull).volume, 5 * (3 + sqrt(5)) / 12 * 8, ulps(40));
    expect_near(info_of(hull).area, 20 * sqrt(3), ulps(80));
    cm_hull_destroy(hull, NULL);
}

static void two_tetrahedra_glued_at_a_face_have_six_faces(void **state) {
    (void)state;
    const cm_vec3 p[5] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 5}, {1, 1, -5}};
    cm_hull *hull = hull_of(p, 5);
    check_hull(hull, p, 5, true);
    expect_counts(hull, 3, 5, 9, 6);
    expect_near(info_of(hull).volume, 2 * 8. * 5 / 3, ulps(40)); /* base 8, heights 5 */
    cm_hull_destroy(hull, NULL);
}

static void a_corner_of_the_unit_cube_has_the_known_moments(void **state) {
    (void)state;
    const cm_vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    cm_hull *hull = hull_of(p, 4);
    cm_hull_info i = info_of(hull);
    expect_near(i.volume, 1. / 6, ulps(1));
    expect_near(i.center.x, 0.25, ulps(1)), expect_near(i.center.z, 0.25, ulps(1));
    /* x² integrates to 1/60, xy to 1/120; about the center less V/16: 1/60 - 1/96 = 1/160 and 1/120 - 1/96 = -1/480 */
    expect_near(i.inertia.x.x, 2. / 160, ulps(1)), expect_near(i.inertia.y.y, 2. / 160, ulps(1));
    expect_near(i.inertia.x.y, 1. / 480, ulps(1)), expect_near(i.inertia.z.y, 1. / 480, ulps(1));
    cm_hull_destroy(hull, NULL);
}

static void points_on_edges_and_faces_are_no_vertices(void **state) {
    (void)state;
    /* a tetrahedron, the middles of its edges, points on its faces, its corners twice */
    cm_vec3 p[22] = {{0, 0, 0}, {12, 0, 0}, {0, 12, 0}, {0, 0, 12}};
    uint32_t n = 4;
    for (uint32_t i = 0; i < 4; ++i)
        for (uint32_t k = i + 1; k < 4; ++k) p[n++] = cm_lerp(p[i], p[k], CM_REAL(0.5));
    for (uint32_t i = 0; i < 4; ++i) {
        cm_vec3 sum = cm_v(0, 0, 0);
        for (uint32_t k = 0; k < 4; ++k)
            if (k != i) sum = cm_add(sum, p[k]);
        p[n++] = cm_v(sum.x / 3, sum.y / 3, sum.z / 3);
        p[n++] = p[i];
    }
    for (uint32_t i = 0; i < n / 2; ++i) { /* corners last */
        cm_vec3 swap = p[i];
        p[i] = p[n - 1 - i];
        p[n - 1 - i] = swap;
    }
    cm_hull *hull = hull_of(p, n);
    check_hull(hull, p, n, true);
    expect_counts(hull, 3, 4, 6, 4);
    cm_hull_destroy(hull, NULL);
}

static void a_fan_of_many_sides_keeps_its_caps_whole(void **state) {
    (void)state;
    /* a prism over 2000 points (k, k²): every corner exact, both caps one face */
    enum { SIDES = 2000 };
    cm_vec3 *p = malloc(2 * SIDES * sizeof *p);
    assert_non_null(p);
    for (int k = 0; k < SIDES; ++k) {
        int x = k - SIDES / 2;
        p[2 * k] = cm_v(CM_REAL(x), CM_REAL(x * x), -3), p[2 * k + 1] = cm_v(CM_REAL(x), CM_REAL(x * x), 5);
    }
    cm_hull *hull = hull_of(p, 2 * SIDES);
    check_hull(hull, p, 2 * SIDES, true);
    expect_counts(hull, 3, 2 * SIDES, 3 * SIDES, SIDES + 2);
    cm_hull_destroy(hull, NULL);
    free(p);
}

/* --- lower dimensions --------------------------------------------------------------------------------------------- */

static void equal_points_are_a_point(void **state) {
    (void)state;
    cm_vec3 p[5];
    for (int i = 0; i < 5; ++i) p[i] = cm_v(1, -2, i & 1 ? CM_REAL(-0.0) : 0);
    for (uint32_t n = 1; n <= 5; ++n) {
        cm_hull *hull = hull_of(p, n);
        check_hull(hull, p, n, true);
        expect_counts(hull, 0, 1, 0, 0);
        expect_near(info_of(hull).center.y, -2, 0);
        assert_int_equal(cm_hull_support(hull, cm_v(0, 0, 1)), 0);
        assert_false(signbit(cm_hull_vertices(hull)[0].z));
        cm_hull_destroy(hull, NULL);
    }
}

static void points_on_a_line_are_a_segment(void **state) {
    (void)state;
    const cm_vec3 p[6] = {{2, 4, -6}, {1, 2, -3}, {3, 6, -9}, {0, 0, 0}, {3, 6, -9}, {1, 2, -3}};
    cm_hull *hull = hull_of(p, 6);
    check_hull(hull, p, 6, true);
    expect_counts(hull, 1, 2, 1, 0);
    expect_near(info_of(hull).center.z, -4.5, 0);
    assert_int_equal(cm_hull_support(hull, cm_v(1, 0, 0)), 1);
    assert_int_equal(cm_hull_support(hull, cm_v(0, 0, 1)), 0);
    cm_hull_destroy(hull, NULL);
}

static void points_in_a_plane_are_a_polygon_with_two_faces(void **state) {
    (void)state;
    const cm_vec3 p[6] = {{0, 0, 0}, {4, 0, 0}, {4, 3, 0}, {0, 3, 0}, {2, 1, 0}, {1, 1, 0}};
    cm_hull *hull = hull_of(p, 6);
    check_hull(hull, p, 6, true);
    expect_counts(hull, 2, 4, 4, 2);
    cm_hull_info i = info_of(hull);
    expect_near(i.volume, 0, 0), expect_near(i.area, 24, ulps(24));
    expect_near(i.center.x, 2, ulps(2)), expect_near(i.center.y, 1.5, ulps(2));
    cm_hull_face front, back;
    cm_hull_get_face(hull, 0, &front);
    cm_hull_get_face(hull, 1, &back);
    assert_true(front.normal.z == -back.normal.z && cm_abs(front.normal.z) == 1);
    cm_hull_destroy(hull, NULL);
}

static void a_point_one_ulp_off_the_plane_makes_a_solid(void **state) {
    (void)state;
    cm_vec3 p[5] = {{1, 1, 1}, {3, 1, 1}, {3, 3, 1}, {1, 3, 1}, {2, 2, 1}};
    p[4].z += CM_REAL_EPSILON;
    cm_hull *hull = hull_of(p, 5);
    check_hull(hull, p, 5, true);
    expect_counts(hull, 3, 5, 8, 5);
    assert_int_equal(info_of(hull).patches, 2); /* for contacts it is a square, seen from above and below */
    double v = 4. / 3 * (double)CM_REAL_EPSILON;
    expect_near(info_of(hull).volume, v, ulps(4) * v);
    cm_hull_destroy(hull, NULL);
}

/* --- what is refused ---------------------------------------------------------------------------------------------- */

static void bad_descriptions_are_refused_with_the_field(void **state) {
    (void)state;
    cm_vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const cm_hull_desc good = {.points = &p[0].x, .point_count = 4};
    cm_hull *hull = NULL;
    cm_error error;
    struct {
        cm_hull_desc desc;
        cm_status status;
        const char *field;
    } cases[7];
    for (int i = 0; i < 7; ++i) cases[i].desc = good, cases[i].status = CM_INVALID;
    cases[0].desc.points = NULL, cases[0].field = "points";
    cases[1].desc.point_count = 0, cases[1].field = "point_count";
    cases[2].desc.point_stride = 3 * sizeof(cm_real) - 1, cases[2].field = "point_stride";
    cases[3].desc.max_vertices = 3, cases[3].field = "max_vertices";
    cases[4].desc.merge = CM_REAL_MAX, cases[4].field = "merge", cases[4].status = CM_NOT_FINITE;
    cases[5].desc.merge = (cm_real)NAN, cases[5].field = "merge", cases[5].status = CM_NOT_FINITE;
    cases[6].desc.point_count = (1u << 28) + 1, cases[6].field = "point_count", cases[6].status = CM_LIMIT;
    for (int i = 0; i < 7; ++i) {
        assert_int_equal(cm_hull_build(&cases[i].desc, NULL, &hull, &error), cases[i].status);
        assert_int_equal(error.status, cases[i].status);
        assert_string_equal(error.field, cases[i].field);
        assert_null(hull);
    }
    assert_int_equal(cm_hull_build(NULL, NULL, &hull, NULL), CM_INVALID);
    assert_int_equal(cm_hull_build(&good, NULL, NULL, NULL), CM_INVALID);
    cm_hull_destroy(NULL, NULL);
}

static void a_point_that_is_no_coordinate_is_named(void **state) {
    (void)state;
    const cm_real bad[4] = {(cm_real)NAN, (cm_real)INFINITY, -(cm_real)INFINITY, CM_COORD_MAX * CM_REAL(1.001)};
    for (int i = 0; i < 4; ++i) {
        cm_vec3 p[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
        p[3].y = bad[i];
        const cm_hull_desc desc = {.points = &p[0].x, .point_count = 5};
        cm_hull *hull = NULL;
        cm_error error;
        assert_int_equal(cm_hull_build(&desc, NULL, &hull, &error), CM_NOT_FINITE);
        assert_string_equal(error.field, "points");
        assert_int_equal(error.index, 3);
        assert_null(hull);
    }
}

static void the_largest_and_smallest_coordinates_work(void **state) {
    (void)state;
#if defined(CAROM_F64)
    const double sizes[4] = {1e100, 1e-90, 1e-6, 1e6};
#else
    const double sizes[4] = {9.9e14, 1e-37, 1e-6, 1e6};
#endif
    for (int i = 0; i < 4; ++i) {
        cm_vec3 p[16];
        for (int k = 0; k < 16; ++k) p[k] = cm_scale(octagon[k], CM_REAL(sizes[i] / 100));
        cm_hull *hull = hull_of(p, 16);
        check_hull(hull, p, 16, false); /* its sides may be flat only up to rounding */
        assert_int_equal(info_of(hull).patches, 10);
        assert_int_equal(info_of(hull).vertices, 16);
        expect_near(info_of(hull).center.x / CM_REAL(sizes[i]), 0, ulps(4));
        cm_hull_destroy(hull, NULL);
    }
}

/* In the double build coordinates of 1e-100 are far below what products of three can hold: the hull is that of the same
 * points 2^400 times as large, to the last bit. In floats 1e-15 is nothing special. */
static void a_tiny_hull_is_a_large_one_made_smaller(void **state) {
    (void)state;
    rng r = rng_start("tiny hulls", 501012);
    for (int i = 0; i < 60; ++i) {
        static cm_vec3 large[200], tiny[200];
        const cm_real scale = sizeof(cm_real) == 8 ? CM_REAL(ldexp(1, -332 - 30 * (i % 20))) : CM_REAL(0x1p-50);
        cloud_fill(&r, i % CLOUD_KINDS, 1, large, 200);
        for (int k = 0; k < 200; ++k) {
            cm_vec3 p = large[k]; /* less than 2^-100 is not kept beside 1 */
            if (cm_abs(p.x) < CM_REAL(0x1p-90)) p.x = 0;
            if (cm_abs(p.y) < CM_REAL(0x1p-90)) p.y = 0;
            if (cm_abs(p.z) < CM_REAL(0x1p-90)) p.z = 0;
            large[k] = p;
            tiny[k] = cm_scale(p, scale);
        }
        cm_hull *a = hull_of(large, 200), *b = hull_of(tiny, 200);
        cm_hull_info of_a = info_of(a), of_b = info_of(b);
        check_that(of_a.dimension == of_b.dimension && of_a.vertices == of_b.vertices && of_a.faces == of_b.faces,
                   "cloud %d: dimension %d and %d, %u and %u vertices, %u and %u faces", i, of_a.dimension,
                   of_b.dimension, of_a.vertices, of_b.vertices, of_a.faces, of_b.faces);
        for (uint32_t v = 0; v < of_a.vertices; ++v) {
            cm_vec3 p = cm_scale(cm_hull_vertices(a)[v], scale), q = cm_hull_vertices(b)[v];
            check_that(p.x == q.x && p.y == q.y && p.z == q.z, "cloud %d, vertex %u: %g %g %g", i, v, (double)q.x,
                       (double)q.y, (double)q.z);
        }
        for (uint32_t f = 0; f < of_a.faces; ++f) {
            cm_hull_face x, y;
            cm_hull_get_face(a, f, &x), cm_hull_get_face(b, f, &y);
            double off = (double)cm_length(cm_sub(x.normal, y.normal));
            check_that(x.count == y.count && off <= ulps(4), "cloud %d, face %u: normals %g apart", i, f, off);
            for (uint32_t k = 0; k < x.count; ++k) assert_int_equal(x.vertices[k], y.vertices[k]);
            off = fabs((double)(y.d / scale - x.d));
            check_that(off <= ulps(100) * (double)cm_max(cm_largest(of_a.bounds.min), cm_largest(of_a.bounds.max)),
                       "cloud %d, face %u: d %g off", i, f, off);
        }
        cm_hull_destroy(a, NULL), cm_hull_destroy(b, NULL);
    }
}

/* --- memory, order, bytes ----------------------------------------------------------------------------------------- */

static void every_failing_allocation_is_a_status_and_leaves_nothing(void **state) {
    (void)state;
    rng r = rng_start("hull failing allocations", 11);
    static cm_vec3 p[600];
    const int kinds[5] = {CLOUD_SPHERE, CLOUD_TURNED_GRID, CLOUD_PLANE, CLOUD_LINE, CLOUD_NEAR_PLANE};
    for (int k = 0; k < 5; ++k) {
        cloud_fill(&r, kinds[k], 1, p, 600);
        const cm_hull_desc desc = {.points = &p[0].x, .point_count = 600, .max_vertices = k == 0 ? 64 : 0};
        for (size_t fail_at = 1;; ++fail_at) {
            counting_allocator c;
            counting_allocator_start(&c, fail_at);
            cm_hull *hull = NULL;
            cm_error error = {CM_OK, NULL, 0};
            cm_status status = cm_hull_build(&desc, &c.mem, &hull, &error);
            if (status == CM_OK) {
                assert_true(fail_at > 2); /* something was allocated at all */
                assert_int_equal(c.live_blocks, 1);
                assert_int_equal(c.live_bytes, cm_hull_bytes(hull));
                cm_hull_destroy(hull, &c.mem);
                assert_int_equal(c.live_blocks, 0);
                break;
            }
            assert_int_equal(status, CM_NO_MEMORY);
            assert_int_equal(error.status, CM_NO_MEMORY);
            assert_null(hull);
            assert_int_equal(c.live_blocks, 0);
        }
    }
}

static void assert_same_hull(const cm_hull *a, const cm_hull *b, const char *what) {
    assert_int_equal(cm_hull_bytes(a), cm_hull_bytes(b));
    cm_hull_info i = info_of(a);
    /* all bytes but the sources' numbers */
    size_t from = (size_t)((const char *)cm_hull_sources(a) - (const char *)a),
           to = from + i.vertices * sizeof(uint32_t);
    check_that(memcmp(a, b, from) == 0, "%s", what);
    check_that(memcmp((const char *)a + to, (const char *)b + to, cm_hull_bytes(a) - to) == 0, "%s", what);
}

static void the_hull_of_the_vertices_is_the_same_hull(void **state) {
    (void)state;
    rng r = rng_start("hull of hulls", 12);
    static cm_vec3 p[300];
    for (int i = 0; i < samples(300, 30000); ++i) {
        int kind = i % CLOUD_KINDS;
        uint32_t n = 1 + rng_below(&r, 300);
        cloud_fill(&r, kind, rng_log_range(&r, 1e-6, 1e6), p, n);
        cm_hull *hull = hull_of(p, n), *again = hull_of(cm_hull_vertices(hull), cm_hull_vertex_count(hull));
        assert_same_hull(hull, again, cloud_name(kind));
        cm_hull_destroy(again, NULL);
        cm_hull_destroy(hull, NULL);
    }
}

static void order_duplicates_and_stride_change_nothing(void **state) {
    (void)state;
    rng r = rng_start("hull permutations", 13);
    static cm_vec3 p[300];
    static struct {
        char gap[5];
        char at[sizeof(cm_vec3)];
    } q[600];
    for (int i = 0; i < samples(300, 30000); ++i) {
        int kind = i % CLOUD_KINDS;
        uint32_t n = 1 + rng_below(&r, 300), m = 2 * n;
        cloud_fill(&r, kind, rng_log_range(&r, 1e-6, 1e6), p, n);
        for (uint32_t k = 0; k < m; ++k) memcpy(q[k].at, &p[k % n], sizeof p[0]);
        for (uint32_t k = m - 1; k > 0; --k) {
            uint32_t j = rng_below(&r, k + 1);
            char swap[sizeof q[0]];
            memcpy(swap, &q[k], sizeof swap), q[k] = q[j], memcpy(&q[j], swap, sizeof swap);
        }
        cm_hull *hull = hull_of(p, n);
        const cm_hull_desc desc = {
            .points = (const cm_real *)(const void *)q[0].at, .point_stride = sizeof q[0], .point_count = m};
        cm_hull *other = hull_of_desc(&desc);
        assert_same_hull(hull, other, cloud_name(kind));
        cm_hull_destroy(other, NULL);
        cm_hull_destroy(hull, NULL);
    }
}

static void the_block_may_be_moved(void **state) {
    (void)state;
    rng r = rng_start("hull moved", 14);
    static cm_vec3 p[400];
    cloud_fill(&r, CLOUD_SPHERE, 1, p, 400);
    cm_hull *hull = hull_of(p, 400), *copy = malloc(cm_hull_bytes(hull));
    assert_non_null(copy);
    memcpy(copy, hull, cm_hull_bytes(hull));
    memset((void *)hull, 0xAB, cm_hull_bytes(copy));
    check_hull(copy, p, 400, true);
    memcpy(hull, copy, cm_hull_bytes(copy));
    cm_hull_destroy(hull, NULL);
    free(copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_of_points_has_the_hull_of_its_box),
        cmocka_unit_test(an_octagonal_prism_has_ten_faces),
        cmocka_unit_test(an_icosahedron_has_twenty_faces),
        cmocka_unit_test(two_tetrahedra_glued_at_a_face_have_six_faces),
        cmocka_unit_test(a_corner_of_the_unit_cube_has_the_known_moments),
        cmocka_unit_test(points_on_edges_and_faces_are_no_vertices),
        cmocka_unit_test(a_fan_of_many_sides_keeps_its_caps_whole),
        cmocka_unit_test(equal_points_are_a_point),
        cmocka_unit_test(points_on_a_line_are_a_segment),
        cmocka_unit_test(points_in_a_plane_are_a_polygon_with_two_faces),
        cmocka_unit_test(a_point_one_ulp_off_the_plane_makes_a_solid),
        cmocka_unit_test(bad_descriptions_are_refused_with_the_field),
        cmocka_unit_test(a_point_that_is_no_coordinate_is_named),
        cmocka_unit_test(the_largest_and_smallest_coordinates_work),
        cmocka_unit_test(a_tiny_hull_is_a_large_one_made_smaller),
        cmocka_unit_test(every_failing_allocation_is_a_status_and_leaves_nothing),
        cmocka_unit_test(the_hull_of_the_vertices_is_the_same_hull),
        cmocka_unit_test(order_duplicates_and_stride_change_nothing),
        cmocka_unit_test(the_block_may_be_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
