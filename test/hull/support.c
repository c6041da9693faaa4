/* Support points of hulls, and the patches and edges that face a direction. */
#include "support/clouds.h"

#include <math.h>

#include "hull/kernel.h"

static double along(cm_vec3 p, cm_vec3 from, cm_vec3 d) {
    return ((double)p.x - (double)from.x) * (double)d.x + ((double)p.y - (double)from.y) * (double)d.y +
           ((double)p.z - (double)from.z) * (double)d.z;
}
static cm_vec3 direction_of(rng *r) {
    cm_vec3 d = rng_direction(r);
    switch (rng_below(r, 4)) {
    case 0:
        d.x = 0;
        break;
    case 1:
        d = cm_v(0, 0, d.z);
        break;
    case 2:
        d = cm_scale(d, CM_REAL(rng_log_range(r, 1e-6, 1e6)));
        break;
    default:
        break;
    }
    return d;
}

static void the_farthest_is_among_what_the_scan_leaves(void **state) {
    (void)state;
    rng r = rng_start("sure scans", 37);
    const cm__hull_scans *scans[2] = {&cm__hull_scans_base, cm__hull_scans_best()};
    cm_vec3 p[96];
    long asked = 0, sure = 0;
    for (int i = 0; i < samples(600, 60000); ++i) {
        uint32_t n = 4 + rng_below(&r, 60);
        cloud_fill(&r, i % CLOUD_KINDS, rng_log_range(&r, 1e-3, 1e3), p, n);
        cm_hull *hull = hull_of(p, n);
        const cm_vec3 *v = cm_hull_vertices(hull);
        uint32_t count = cm_hull_vertex_count(hull);
        for (int k = 0; k < 40; ++k) {
            cm_vec3 d = direction_of(&r);
            /* nearly square to an edge: two are as far but for rounding */
            cm_vec3 e = cm_sub(v[rng_below(&r, count)], v[rng_below(&r, count)]);
            if (k % 2 && cm_dot(e, e) > 0) d = cm_sub(d, cm_scale(e, cm_dot(d, e) / cm_dot(e, e)));
            if (!(cm_largest(d) > 0)) continue;
            cm_real slack = 64 * CM_REAL_EPSILON * cm_largest(d) * hull->half;
            uint32_t bits[CM__HULL_SCAN / 32], same[CM__HULL_SCAN / 32], left = 0, found = 0;
            scans[0]->near(cm__hull_lanes(hull), hull->padded, d, slack, bits);
            scans[1]->near(cm__hull_lanes(hull), hull->padded, d, slack, same);
            for (uint32_t m = 0; m < hull->padded; ++m) {
                assert_int_equal(bits[m / 32] >> m % 32 & 1, same[m / 32] >> m % 32 & 1);
                if (m >= count || !(bits[m / 32] >> m % 32 & 1)) continue;
                if (left++ == 0 || along(v[m], v[found], d) > 0) found = m;
            }
            asked++, sure += left == 1;
            assert_true(left > 0);
            const double rounding = 8 * DBL_EPSILON * (double)cm_largest(d) * (double)hull->half;
            for (uint32_t m = 0; m < count; ++m)
                check_that(along(v[m], v[found], d) <= rounding, "number %d: vertex %u is farther than %u by %g", i, m,
                           found, along(v[m], v[found], d));
        }
        cm_hull_destroy(hull, NULL);
    }
    print_message("  one is left of %ld of %ld\n", sure, asked);
    assert_true(sure > asked / 4);
}

static void support_is_the_farthest_vertex_from_any_start(void **state) {
    (void)state;
    rng r = rng_start("support points", 31);
    static cm_vec3 p[2000];
    uint32_t walked = 0;
    for (int i = 0; i < samples(600, 60000); ++i) {
        uint32_t n = 1 + rng_below(&r, i % 10 == 0 ? 2000 : 150);
        int kind = i % 10 == 0 ? CLOUD_SPHERE : i % CLOUD_KINDS;
        cloud_fill(&r, kind, rng_log_range(&r, 1e-3, 1e3), p, n);
        cm_hull *hull = hull_of(p, n);
        const cm_vec3 *v = cm_hull_vertices(hull);
        cm_hull_info info;
        cm_hull_get_info(hull, &info);
        cm_vec3 middle = cm_aabb_center(&info.bounds);
        double half = (double)cm_largest(cm_sub(info.bounds.max, middle));
        walked += info.vertices > CM__HULL_SCAN;
        for (int k = 0; k < 40; ++k) {
            cm_vec3 d = direction_of(&r);
            double best = -1e300, bound = 8 * (double)CM_REAL_EPSILON * (double)cm_length(d) * half;
            for (uint32_t m = 0; m < info.vertices; ++m) best = fmax(best, along(v[m], middle, d));
            uint32_t found = cm_hull_support(hull, d), hint = rng_below(&r, info.vertices);
            check_that(found < info.vertices, "vertex %u", found);
            check_that(along(v[found], middle, d) >= best - bound, "%s: %.17g < %.17g", cloud_name(kind),
                       along(v[found], middle, d), best);
            found = cm__hull_support(hull, d, hint);
            check_that(along(v[found], middle, d) >= best - bound, "%s: %.17g < %.17g", cloud_name(kind),
                       along(v[found], middle, d), best);
        }
        cm_hull_destroy(hull, NULL);
    }
    assert_true((int)walked * share() >= 30);
}

static void of_equally_far_vertices_the_lowest_is_the_support(void **state) {
    (void)state;
    for (int sides = 3; sides <= 400; sides += sides < 20 ? 1 : 95) {
        static cm_vec3 p[800];
        for (int k = 0; k < sides; ++k) {
            int x = k - sides / 2;
            p[2 * k] = cm_v(CM_REAL(x), CM_REAL(x * x), -3), p[2 * k + 1] = cm_v(CM_REAL(x), CM_REAL(x * x), 5);
        }
        cm_hull *hull = hull_of(p, 2 * (uint32_t)sides);
        /* ordered by x, then z: the lowest of the top is number 1, of the bottom number 0 */
        for (uint32_t hint = 0; hint < 2 * (uint32_t)sides; ++hint) {
            assert_int_equal(cm__hull_support(hull, cm_v(0, 0, 2), hint), 1);
            assert_int_equal(cm__hull_support(hull, cm_v(0, 0, -1), hint), 0);
            assert_int_equal(cm__hull_support(hull, cm_v(0, 0, 0), hint), 0);
        }
        assert_int_equal(cm_hull_support(hull, cm_v(0, 0, 1)), 1);
        cm_hull_destroy(hull, NULL);
    }
}

static void directions_that_are_no_numbers_give_some_vertex(void **state) {
    (void)state;
    rng r = rng_start("bad directions", 32);
    static cm_vec3 p[500];
    for (uint32_t n = 10; n <= 500; n += 490) {
        cloud_fill(&r, CLOUD_SPHERE, 1, p, n);
        cm_hull *hull = hull_of(p, n);
        const cm_real bad[3] = {(cm_real)NAN, (cm_real)INFINITY, -(cm_real)INFINITY};
        for (int i = 0; i < 3; ++i) assert_true(cm_hull_support(hull, cm_v(0, bad[i], 1)) < cm_hull_vertex_count(hull));
        cm_hull_destroy(hull, NULL);
    }
}

/* --- patches ------------------------------------------------------------------------------------------------------ */

static void box_corners(cm_vec3 half, cm_quat turn, cm_vec3 at, cm_vec3 *out) {
    for (int i = 0; i < 8; ++i) {
        cm_vec3 p = cm_v(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
        out[i] = cm_add(at, cm_rotate(turn, p));
    }
}

static void a_turned_box_has_six_patches_of_four_corners(void **state) {
    (void)state;
    rng r = rng_start("turned boxes", 33);
    uint32_t cut = 0;
    for (int i = 0; i < samples(1000, 100000); ++i) {
        cm_vec3 p[8], half = cm_v(CM_REAL(rng_range(&r, 0.2, 1)), CM_REAL(0.7), 1);
        cm_quat turn = rng_rotation(&r);
        cm_vec3 at = rng_vec3(&r, 3);
        box_corners(half, turn, at, p);
        cm_hull *hull = hull_of(p, 8);
        cm_hull_info info;
        cm_hull_get_info(hull, &info);
        check_that(info.patches == 6, "%u patches, %u faces", info.patches, info.faces);
        cut += info.faces > 6;
        for (int axis = 0; axis < 6; ++axis) {
            cm_vec3 d = cm_v(0, 0, 0);
            *(axis / 2 == 0 ? &d.x : axis / 2 == 1 ? &d.y : &d.z) = axis & 1 ? -1 : 1;
            d = cm_rotate(turn, d);
            cm__hull_side side;
            cm__hull_patch_toward(hull, d, cm_hull_support(hull, d), &side);
            check_that(side.count == 4, "%u corners", side.count);
            check_that(cm_dot(side.normal, d) > CM_REAL(0.99999), "normal off by %g", (double)cm_dot(side.normal, d));
        }
        cm_hull_desc desc = {.points = &p[0].x, .point_count = 8, .merge = -1};
        cm_hull *exact = hull_of_desc(&desc);
        cm_hull_get_info(exact, &info);
        assert_int_equal(info.patches, info.faces);
        assert_true(info.merge == 0);
        cm_hull_destroy(exact, NULL);
        cm_hull_destroy(hull, NULL);
    }
    print_message("  %u boxes had faces cut by rounding\n", cut);
    assert_true(cut > 100);
}

/* Corners of a polygon turn left around the normal, up to the tolerance. */
static void check_patch(const cm_hull *hull, uint32_t patch, double tolerance) {
    const uint32_t *first = cm__hull_patch_first(hull), *corner = cm__hull_patch_corners(hull) + first[patch];
    uint32_t count = first[patch + 1] - first[patch];
    const cm_vec3 *v = cm_hull_vertices(hull);
    const cm__hull_plane *plane = cm__hull_patch_planes(hull) + patch;
    check_that(count >= 3, "%u corners", count);
    double top = -1e300;
    for (uint32_t i = 0; i < count; ++i) top = fmax(top, along(v[corner[i]], cm_v(0, 0, 0), plane->normal));
    check_that(top + (double)plane->d <= 0, "a corner %g in front", top + (double)plane->d);
    for (uint32_t i = 0; i < count; ++i) {
        if (i > 0) check_that(corner[i] > corner[0], "corner %u", i);
        cm_vec3 a = v[corner[i]], b = v[corner[(i + 1) % count]];
        double depth = top - along(a, cm_v(0, 0, 0), plane->normal);
        check_that(depth <= tolerance, "corner at %g, tolerance %g", depth, tolerance);
        cm_vec3 inward = cm_cross(plane->normal, cm_sub(b, a));
        double size = (double)cm_length(inward);
        for (uint32_t k = 0; k < count; ++k)
            check_that(along(v[corner[k]], a, inward) >= -tolerance * size, "corner %u left of edge %u by %g", k, i,
                       along(v[corner[k]], a, inward) / size);
    }
}

static double face_area(const cm_hull *hull, const cm_hull_face *face) {
    const cm_vec3 *v = cm_hull_vertices(hull), a = v[face->vertices[0]];
    double sum[3] = {0, 0, 0};
    for (uint32_t k = 1; k + 1 < face->count; ++k) {
        cm_vec3 b = v[face->vertices[k]], c = v[face->vertices[k + 1]];
        double p[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
        double q[3] = {(double)c.x - (double)a.x, (double)c.y - (double)a.y, (double)c.z - (double)a.z};
        for (int i = 0; i < 3; ++i) sum[i] += p[(i + 1) % 3] * q[(i + 2) % 3] - p[(i + 2) % 3] * q[(i + 1) % 3];
    }
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / 2;
}

/* Its plane is that of its largest face. */
static void check_patch_plane(const cm_hull *hull, uint32_t patch) {
    cm_hull_info info;
    cm_hull_get_info(hull, &info);
    const cm__hull_plane *plane = cm__hull_patch_planes(hull) + patch;
    double largest = 0, own = -1;
    for (uint32_t f = 0; f < info.faces; ++f) {
        if (cm__hull_patch_of(hull, f) != patch) continue;
        cm_hull_face face;
        cm_hull_get_face(hull, f, &face);
        double area = face_area(hull, &face);
        largest = fmax(largest, area);
        if (memcmp(&face.normal, &plane->normal, sizeof face.normal) == 0) own = fmax(own, area);
    }
    check_that(own >= largest * (1 - 1e-9), "patch %u has the plane of a face of %g, and one of %g", patch, own,
               largest);
}

static void patches_hold_all_faces_and_stay_within_the_tolerance(void **state) {
    (void)state;
    rng r = rng_start("patches", 34);
    static cm_vec3 p[300];
    uint32_t merged = 0;
    for (int i = 0; i < samples(600, 60000); ++i) {
        const int kinds[7] = {CLOUD_CUBE,        CLOUD_SPHERE, CLOUD_CYLINDER, CLOUD_GRID,
                              CLOUD_TURNED_GRID, CLOUD_TENTHS, CLOUD_FAR};
        uint32_t n = 8 + rng_below(&r, 290);
        cloud_fill(&r, kinds[i % 7], 1, p, n);
        cm_hull_desc desc = {.points = &p[0].x, .point_count = n, .merge = i & 1 ? CM_REAL(0.03) : 0};
        cm_hull *hull = hull_of_desc(&desc);
        cm_hull_info info;
        cm_hull_get_info(hull, &info);
        check_that((double)info.merge > 0, "merge %g", (double)info.merge);
        merged += info.patches < info.faces;
        double size = (double)cm_max(cm_largest(info.bounds.min), cm_largest(info.bounds.max));
        if (info.dimension == 3)
            for (uint32_t k = 0; k < info.patches; ++k) {
                check_patch(hull, k, (double)info.merge + 8 * (double)CM_REAL_EPSILON * size);
                check_patch_plane(hull, k);
            }
        for (uint32_t f = 0; f < info.faces; ++f) assert_true(cm__hull_patch_of(hull, f) < info.patches);
        check_hull(hull, p, n, true);
        cm_hull_destroy(hull, NULL);
    }
    assert_true((int)merged * share() > 200);
}

static void planes_are_close_to_faces_that_are_not_thin(void **state) {
    (void)state;
    rng r = rng_start("planes", 36);
    static cm_vec3 p[100];
    const double bound = (double)CM_REAL_EPSILON * (sizeof(cm_real) == sizeof(double) ? 100 : 8);
    uint32_t checked = 0;
    for (int i = 0; i < samples(600, 60000); ++i) {
        uint32_t n = 4 + rng_below(&r, 97);
        cloud_fill(&r, i & 1 ? CLOUD_FAR : CLOUD_BALL, rng_log_range(&r, 1e-6, 1e6), p, n);
        cm_hull *hull = hull_of(p, n);
        cm_hull_info info;
        cm_hull_get_info(hull, &info);
        const cm_vec3 *v = cm_hull_vertices(hull);
        double size = (double)cm_max(cm_largest(info.bounds.min), cm_largest(info.bounds.max));
        for (uint32_t f = 0; f < info.faces; ++f) {
            cm_hull_face face;
            cm_hull_get_face(hull, f, &face);
            cm_vec3 a = cm_sub(v[face.vertices[1]], v[face.vertices[0]]),
                    b = cm_sub(v[face.vertices[2]], v[face.vertices[0]]);
            double sine = (double)cm_length(cm_cross(a, b)) / (double)cm_length(a) / (double)cm_length(b);
            if (face.count > 3 || sine < 0.3) continue;
            ++checked;
            for (uint32_t k = 0; k < 3; ++k) {
                double below = along(v[face.vertices[k]], cm_v(0, 0, 0), face.normal) + (double)face.d;
                check_that(below >= -bound * size, "%g ulp", below / size / (double)CM_REAL_EPSILON);
            }
        }
        cm_hull_destroy(hull, NULL);
    }
    assert_true(checked > 1000);
}

static void the_patch_toward_a_direction_faces_it_most(void **state) {
    (void)state;
    rng r = rng_start("patches toward", 35);
    static cm_vec3 p[300];
    for (int i = 0; i < samples(300, 30000); ++i) {
        uint32_t n = 8 + rng_below(&r, 290);
        cloud_fill(&r, i & 1 ? CLOUD_CUBE : CLOUD_SPHERE, 1, p, n);
        cm_hull *hull = hull_of(p, n);
        for (int k = 0; k < 20; ++k) {
            uint32_t f = rng_below(&r, cm_hull_face_count(hull));
            cm_hull_face face;
            cm_hull_get_face(hull, f, &face);
            cm__hull_side side;
            /* straight on a face: its patch, from any of its corners */
            uint32_t corner = face.vertices[rng_below(&r, face.count)];
            cm__hull_patch_toward(hull, face.normal, corner, &side);
            check_that(side.patch == cm__hull_patch_of(hull, f) ||
                           cm_dot(side.normal, face.normal) > 1 - 4 * CM_REAL_EPSILON,
                       "patch %u", side.patch);
            assert_true(side.count >= 3);
        }
        cm_hull_destroy(hull, NULL);
    }
}

static void segments_and_points_are_their_own_feature(void **state) {
    (void)state;
    const cm_vec3 p[2] = {{0, 0, 0}, {1, 2, 3}};
    for (uint32_t n = 1; n <= 2; ++n) {
        cm_hull *hull = hull_of(p, n);
        cm__hull_side side;
        cm__hull_patch_toward(hull, cm_v(1, 0, 0), n - 1, &side);
        assert_int_equal(side.count, n);
        assert_int_equal(side.corner[n - 1], n - 1);
        assert_int_equal(side.patch, CM_NONE);
        cm_hull_destroy(hull, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_farthest_is_among_what_the_scan_leaves),
        cmocka_unit_test(support_is_the_farthest_vertex_from_any_start),
        cmocka_unit_test(of_equally_far_vertices_the_lowest_is_the_support),
        cmocka_unit_test(directions_that_are_no_numbers_give_some_vertex),
        cmocka_unit_test(a_turned_box_has_six_patches_of_four_corners),
        cmocka_unit_test(patches_hold_all_faces_and_stay_within_the_tolerance),
        cmocka_unit_test(planes_are_close_to_faces_that_are_not_thin),
        cmocka_unit_test(the_patch_toward_a_direction_faces_it_most),
        cmocka_unit_test(segments_and_points_are_their_own_feature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
