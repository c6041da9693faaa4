/* Every pair of convex kinds through the public functions, cylinders, cones, ellipsoids and hulls among them: distances
 * that prove themselves against solids in long double, contacts as deep as the distance, the swap, half-spaces, and
 * that bad fields are refused. */
#include "support/bodies.h"

#include <math.h>

/* In units of the largest coordinate: float poses are rounded, double ones less. */
#define GENERAL_BOUND (sizeof(cm_real) == 4 ? 2e-6L : 1e-9L)

/* The same manifold seen from the other side, to the bit. */
static bool manifold_mirrors(const cm_manifold *m, const cm_manifold *n) {
    bool same = m->count == n->count && m->part_a == n->part_b && m->part_b == n->part_a &&
                m->normal.x == -n->normal.x && m->normal.y == -n->normal.y && m->normal.z == -n->normal.z;
    for (int k = 0; same && k < m->count; k++) {
        const cm_contact_point *p = &m->points[k], *q = &n->points[k];
        same = p->depth == q->depth && p->feature_a == q->feature_b && p->feature_b == q->feature_a &&
               p->point_a.x == q->point_b.x && p->point_b.z == q->point_a.z;
    }
    return same;
}

static void distances_prove_themselves(void **state) {
    (void)state;
    rng r = rng_start("general", 5);
    int count = samples(60, 6000);
    long double worst = 0;
    for (int ka = 0; ka < SOLID_KINDS; ka++) {
        for (int kb = 0; kb < SOLID_KINDS; kb++) {
            for (int i = 0; i < count; i++) {
                body a, b;
                double size = rng_log_range(&r, 1e-4, 1e6);
                body_random(&a, (solid_kind)ka, size, &r);
                body_random(&b, (solid_kind)kb, size, &r);
                cm_witness w, v;
                cm_real d = cm_distance(&a.shape, &a.pose, &b.shape, &b.pose, CM_REAL_MAX, &w);
                cm_real e = cm_distance(&b.shape, &b.pose, &a.shape, &a.pose, CM_REAL_MAX, &v);
                bool overlap = cm_overlap(&a.shape, &a.pose, &b.shape, &b.pose);
                long double scale = 4 * (long double)size, bound = GENERAL_BOUND * scale;
                check_that(overlap == (d <= 0), "%s and %s: overlap %d, distance " REAL_FORMAT, solid_names[ka],
                           solid_names[kb], overlap, (double)d);
                if (ka != kb)
                    check_that(d == e && w.normal.x == -v.normal.x && w.point_a.x == v.point_b.x,
                               "%s and %s swapped: " REAL_FORMAT " and " REAL_FORMAT, solid_names[ka], solid_names[kb],
                               (double)d, (double)e);
                else
                    check_that(fabsl((long double)d - (long double)e) <= 1e-3L * scale, "swapped: %g and %g", (double)d,
                               (double)e);
                wide3 n = w3_unit(w3_of_vec3(w.normal));
                /* by rounding of the normal alone, s(n) is off by its error times the size */
                long double proof = fabsl(solid_separation(&a.s, &b.s, n) - (long double)d);
                if (proof / scale > worst) worst = proof / scale;
                check_that(proof <= bound,
                           "%s and %s, number %d: distance %g, separated by %Lg along the normal (size %g)",
                           solid_names[ka], solid_names[kb], i, (double)d, solid_separation(&a.s, &b.s, n), size);
                cm_manifold m;
                int found = cm_contact(&a.shape, &a.pose, &b.shape, &b.pose, 0, &m, 1);
                check_that((found == 1) == overlap, "%d manifolds, overlap %d", found, overlap);
                if (found == 1) {
                    cm_real deepest = -CM_REAL_MAX;
                    for (int k = 0; k < m.count; k++) deepest = cm_max(deepest, m.points[k].depth);
                    check_that(m.count >= 1 && m.count <= 8 && fabs((double)(deepest + d)) <= 1e-4 * size,
                               "%s and %s: %d points, the deepest %g, distance %g", solid_names[ka], solid_names[kb],
                               m.count, (double)deepest, (double)d);
                    cm_manifold mirrored;
                    assert_int_equal(cm_contact(&b.shape, &b.pose, &a.shape, &a.pose, 0, &mirrored, 1), 1);
                    check_that(ka == kb || manifold_mirrors(&m, &mirrored), "%s and %s, number %d: contacts swapped",
                               solid_names[ka], solid_names[kb], i);
                }
                /* the bounds hold all of it */
                cm_aabb box;
                cm_shape_bounds(&a.shape, &a.pose, &box);
                check_that(solid_reach(&a.s, w3(1, 0, 0)) <= (long double)box.max.x &&
                               -solid_reach(&a.s, w3(0, 0, -1)) >= (long double)box.min.z,
                           "%s: bounds too small", solid_names[ka]);
                body_free(&a);
                body_free(&b);
            }
        }
    }
    print_message("  %d poses a pair; separation along the normal off by at most %.1Le of the size\n", count, worst);
}

/* The ground z <= 0: what stands 0.5 deep in it has depth 0.5, and the points of its foot. */
static void grounds_are_answered(void **state) {
    (void)state;
    cm_shape ground = cm_make_halfspace(cm_v(0, 0, 1), 0);
    cm_pose none = cm_pose_identity(), at = none, lie = none;
    at.position = cm_v(0, 0, CM_REAL(0.5));
    lie.position = at.position;
    lie.rotation.x = lie.rotation.w = CM_REAL(0.70710678118654752);
    const cm_real corners[] = {-1, -1, -1, 1, -1, -1, 0, 1, -1, 0, 0, 2};
    cm_hull_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.points = corners, desc.point_count = 4;
    cm_hull *hull = NULL;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    const struct {
        cm_shape shape;
        const cm_pose *pose;
        int low, high;
    } rows[] = {
        {cm_make_cylinder(2, 1), &at, 3, 8}, {cm_make_cylinder(1, 2), &lie, 2, 2},
        {cm_make_cone(2, 1), &at, 3, 8},     {cm_make_ellipsoid(cm_v(2, 3, 1)), &at, 1, 1},
        {cm_make_hull(hull), &at, 3, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_witness w;
        cm_manifold m;
        cm_real d = cm_distance(&rows[i].shape, rows[i].pose, &ground, &none, CM_REAL_MAX, &w);
        check_that(fabs((double)d + 0.5) < 1e-6 && w.normal.z < CM_REAL(-0.999999), "row %zu: distance %g", i,
                   (double)d);
        assert_int_equal(cm_contact(&rows[i].shape, rows[i].pose, &ground, &none, 0, &m, 1), 1);
        check_that(m.count >= rows[i].low && m.count <= rows[i].high, "row %zu: %d points", i, m.count);
        assert_true(cm_overlap(&ground, &none, &rows[i].shape, rows[i].pose));
    }
    cm_hull_destroy(hull, NULL);
}

static void bad_fields_are_refused(void **state) {
    (void)state;
    cm_error error;
    cm_shape s = cm_make_cylinder(-1, 1);
    assert_int_equal(cm_shape_check(&s, &error), CM_INVALID);
    assert_string_equal(error.field, "core_radius");
    s = cm_make_cone(1, CM_REAL(NAN));
    assert_int_equal(cm_shape_check(&s, &error), CM_NOT_FINITE);
    s = cm_make_ellipsoid(cm_v(1, -1, 1));
    assert_int_equal(cm_shape_check(&s, &error), CM_INVALID);
    s = cm_make_hull(NULL);
    assert_int_equal(cm_shape_check(&s, &error), CM_INVALID);
    assert_string_equal(error.field, "hull");
}

/* A pose or a shape that is not there is bad input like any other. */
static void nothing_is_no_answer(void **state) {
    (void)state;
    const cm_real points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    cm_mesh *mesh;
    assert_int_equal(cm_mesh_build(&(cm_mesh_desc){.points = points, .point_count = 3}, NULL, &mesh, NULL), CM_OK);
    const cm_shape shapes[] = {cm_make_sphere(cm_v(0, 0, 0), 1), cm_make_box(cm_v(1, 1, 1)), cm_make_cone(1, 1),
                               cm_make_mesh(mesh)};
    const cm_pose home = cm_pose_identity();
    for (int i = 0; i < 4 * 4; i++) {
        const cm_shape *a = &shapes[i / 4], *b = &shapes[i % 4];
        for (int without = 0; without < 4; without++) {
            const cm_shape *sa = without == 0 ? NULL : a, *sb = without == 1 ? NULL : b;
            const cm_pose *pa = without == 2 ? NULL : &home, *pb = without == 3 ? NULL : &home;
            cm_witness w;
            cm_manifold m;
            cm_pair_cache cache = {{0, 0, 0}, 0, {0}, {0}};
            cm_relation_result r;
            assert_false(cm_overlap(sa, pa, sb, pb));
            assert_false(cm_overlap_cached(sa, pa, sb, pb, &cache));
            assert_true(cm_distance(sa, pa, sb, pb, CM_REAL_MAX, &w) == CM_REAL_MAX);
            assert_int_equal(cm_contact(sa, pa, sb, pb, 1, &m, 1), 0);
            assert_int_equal(cm_mesh_crossings(sa, pa, sb, pb, NULL, NULL), 0);
            assert_int_equal(cm_mesh_relation(sa, pa, sb, pb, 0, CM_REAL_MAX, &r), CM_INVALID);
        }
    }
    cm_mesh_destroy(mesh, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_prove_themselves),
        cmocka_unit_test(grounds_are_answered),
        cmocka_unit_test(bad_fields_are_refused),
        cmocka_unit_test(nothing_is_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
