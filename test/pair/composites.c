/* Height fields in pairs: everything as with the mesh of the same triangles; composites against composites. */
#include "support/fields.h"
#include "support/meshes.h"

#include <math.h>

static cm_shape some_shape(const cm_mesh *ball, int i, double size, rng *r) {
    cm_vec3 half = cm_v(CM_REAL(size * rng_range(r, 0.1, 1)), CM_REAL(size * rng_range(r, 0.1, 1)),
                        CM_REAL(size * rng_range(r, 0.1, 1)));
    cm_vec3 a = rng_vec3(r, size), b = rng_vec3(r, size), c = rng_vec3(r, size);
    switch (i % 8) {
    case 0:
        return cm_make_sphere(a, half.x);
    case 1:
        return cm_make_capsule(a, b, half.x / 2);
    case 2:
        return cm_make_box(half);
    case 3:
        return cm_make_cylinder(half.x, half.y);
    case 4:
        return cm_make_triangle(a, b, c);
    case 5:
        return cm_make_halfspace(rng_direction(r), CM_REAL(size * rng_range(r, -1, 1)));
    case 6:
        return cm_make_mesh(ball);
    default:
        return cm_make_segment(a, b);
    }
}

static bool is_near(cm_real a, cm_real b, double bound) { return a == b || fabs((double)a - (double)b) <= bound; }

static void fields_answer_as_their_meshes(void **state) {
    (void)state;
    rng r = rng_start("fields", 51);
    const double size = 4, bound = sizeof(cm_real) == 4 ? 5e-5 : 1e-8;
    static cm_manifold mf[1024], mm[1024];
    cm_mesh *ball = mesh_ball(cm_v(0, 0, 0), 1, 1, true);
    int overlaps = 0, hits = 0;
    for (int k = 0; k < samples(40, 1000); k++) {
        field_twin t;
        field_twin_random(&t, (field_kind)(k % FIELD_KINDS), 9, size, cm_v(0, 0, 0), &r);
        cm_shape f = cm_make_height_field(t.field), m = cm_make_mesh(t.mesh);
        for (int i = 0; i < 32 && t.mesh; i++) {
            cm_shape a = some_shape(ball, i, rng_log_range(&r, 0.1, 2), &r);
            cm_pose pose_a = rng_pose(&r, 2 * size), pose = rng_pose(&r, 1);
            cm_vec3 aim = cm_pose_apply(&pose, field_twin_aim(&t, &r)); /* half of them start at the surface */
            if (i % 2) pose_a.position = cm_add(aim, rng_vec3(&r, 0.5));
            const char *name = cm_kind_name(a.kind);
            cm_witness wf, wm;
            cm_real df = cm_distance(&a, &pose_a, &f, &pose, CM_REAL_MAX, &wf);
            cm_real dm = cm_distance(&a, &pose_a, &m, &pose, CM_REAL_MAX, &wm);
            /* meshes measure how deep they reach into each other, other composites part by part */
            check_that(is_near(df, dm, bound) || (a.kind == CM_SHAPE_MESH && df <= 0 && dm <= 0),
                       "%s: %.9g, the mesh %.9g", name, (double)df, (double)dm);
            bool overlap = cm_overlap(&a, &pose_a, &f, &pose);
            check_that(overlap == (df <= 0), "%s: overlap %d at %g", name, overlap, (double)df);
            check_that(overlap == cm_overlap(&a, &pose_a, &m, &pose) || fabs((double)df) < bound, "%s: overlap %d",
                       name, overlap);
            overlaps += overlap;
            int cf = contacts_by_part(&a, &pose_a, &f, &pose, CM_REAL(0.1), mf, 1024);
            int cm = contacts_by_part(&a, &pose_a, &m, &pose, CM_REAL(0.1), mm, 1024);
            /* of meshes that are taken apart in another order, other ones of many with the same normal are told */
            check_that(a.kind == CM_SHAPE_MESH ? (cf > 0) == (cm > 0) : abs(cf - cm) <= 1,
                       "%s: %d manifolds, the mesh %d", name, cf, cm);
            const bool same = cf == cm && a.kind != CM_SHAPE_MESH;
            for (int x = 0; same && x < cf && x < 1024; x++) { /* in another order: by part */
                bool found = false;
                for (int y = 0; y < cm && y < 1024 && !found; y++)
                    found = mf[x].part_a == mm[y].part_a && mf[x].part_b == t.numbers[mm[y].part_b] &&
                            (double)cm_length(cm_sub(mf[x].normal, mm[y].normal)) < 1e-3;
                check_that(found, "%s: triangle %u touches otherwise in the mesh", name, mf[x].part_b);
            }
            cm_motion ma, mb;
            memset(&ma, 0, sizeof ma);
            memset(&mb, 0, sizeof mb);
            ma.start = pose_a, mb.start = pose;
            ma.move = rng_vec3(&r, 2 * size);
            if (i % 5 == 0) ma.spin = rng_vec3(&r, 1);
            cm_sweep_hit hf, hm;
            bool sf = cm_sweep(&a, &ma, &f, &mb, &hf), sm = cm_sweep(&a, &ma, &m, &mb, &hm);
            check_that(sf == sm, "%s: swept %d, the mesh %d", name, sf, sm);
            hits += sf;
            if (!sf) continue;
            check_that(hf.start == hm.start, "%s: start %d, the mesh %d", name, hf.start, hm.start);
            /* what is deep is told as deep as is measured, which is another way for two meshes, as above */
            if (a.kind == CM_SHAPE_MESH && hf.start == CM_SWEEP_OVERLAPPING) continue;
            check_that(is_near(hf.first, hm.first, 1e-4), "%s: first %g, the mesh %g", name, (double)hf.first,
                       (double)hm.first);
        }
        field_twin_free(&t);
    }
    check_that(overlaps > 50 && hits > 50, "%d overlaps, %d hits", overlaps, hits);
    cm_mesh_destroy(ball, NULL);
}

/* Fields against fields and compounds of fields: by their triangles. */
static void composites_are_pairs_of_parts(void **state) {
    (void)state;
    rng r = rng_start("composites", 52);
    const double bound = sizeof(cm_real) == 4 ? 5e-5 : 1e-8;
    for (int k = 0; k < samples(40, 1000); k++) {
        field_twin t, u;
        field_twin_random(&t, (field_kind)(k % FIELD_KINDS), 6, 3, cm_v(0, 0, 0), &r);
        field_twin_random(&u, FIELD_ROUGH, 6, 3, cm_v(0, 0, 0), &r);
        if (t.mesh && u.mesh) {
            cm_compound_child child[2];
            cm_compound_desc desc = {child, 2};
            cm_compound *compound = NULL;
            memset(child, 0, sizeof child);
            child[0].shape = cm_make_height_field(u.field);
            child[1].shape = cm_make_sphere(cm_v(0, 0, 50), 1);
            child[0].pose = rng_pose(&r, 1);
            assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
            cm_shape f = cm_make_height_field(t.field), g = cm_make_height_field(u.field), h = cm_make_mesh(u.mesh);
            cm_shape c = cm_make_compound(compound);
            cm_pose pose_f = rng_pose(&r, 4), pose = rng_pose(&r, 1), inner = cm_pose_mul(&pose, &child[0].pose);
            cm_real fg = cm_distance(&f, &pose_f, &g, &inner, CM_REAL_MAX, NULL);
            cm_real fh = cm_distance(&h, &inner, &f, &pose_f, CM_REAL_MAX, NULL);
            cm_real fc = cm_distance(&f, &pose_f, &c, &pose, CM_REAL_MAX, NULL);
            check_that(is_near(fg, fh, bound) && is_near(fg, fc, bound), "%g, mesh %g, compound %g", (double)fg,
                       (double)fh, (double)fc);
            check_that(cm_overlap(&g, &inner, &f, &pose_f) == (fg <= 0), "overlap at %g", (double)fg);
            check_that((cm_contact(&c, &pose, &f, &pose_f, 0, NULL, 0) > 0) == (fc <= 0), "contact at %g", (double)fc);
            cm_compound_destroy(compound, NULL);
        }
        field_twin_free(&t);
        field_twin_free(&u);
    }
}

/* A field wholly within a solid overlaps it, in either order, also as the child of a compound. */
static void a_field_within_a_solid_overlaps_it(void **state) {
    (void)state;
    rng r = rng_start("within", 53);
    field_twin t;
    field_twin_random(&t, FIELD_FLAT, 5, 2, cm_v(0, 0, 0), &r);
    cm_mesh *filled = mesh_box(cm_v(-50, -50, -50), cm_v(50, 50, 50), true);
    cm_shape f = cm_make_height_field(t.field), s = cm_make_mesh(filled);
    cm_pose home = cm_pose_identity();
    assert_true(cm_overlap(&f, &home, &s, &home));
    cm_real d = cm_distance(&s, &home, &f, &home, CM_REAL_MAX, NULL);
    check_that((double)d < -30 && (double)d >= -50, "%g", (double)d);
    assert_int_equal(cm_contact(&f, &home, &s, &home, 0, NULL, 0), 1);
    cm_mesh_destroy(filled, NULL);
    field_twin_free(&t);
}

/* A flat field of 4 x 4 cells within a box: as deep as the middle of its deepest triangle, wherever that one lies. */
static void of_a_field_within_a_solid_the_deepest_triangle_is_told(void **state) {
    (void)state;
    cm_mesh *filled = mesh_box(cm_v(-5, -5, -5), cm_v(5, 5, 5), true);
    const cm_real heights[25] = {0};
    const cm_height_field_desc desc = {
        .heights = heights, .columns = 5, .rows = 5, .column_spacing = 1, .row_spacing = 1};
    cm_height_field *field = NULL;
    assert_int_equal(cm_height_field_build(&desc, NULL, &field, NULL), CM_OK);
    const cm_shape s = cm_make_mesh(filled), f = cm_make_height_field(field);
    const cm_pose home = cm_pose_identity();
    for (int i = 0; i < 25; i++) {
        cm_pose at = home;
        at.position = cm_v(CM_REAL(i % 5) - CM_REAL(4.5), CM_REAL(i / 5) - CM_REAL(4.25), CM_REAL(0.25));
        double deepest = 0;
        for (int t = 0; t < 32; t++) { /* the first triangle of a cell holds its corner (1, 0), the second (0, 1) */
            const double x = t / 2 % 4 + (t % 2 ? 1 : 2) / 3.0 + (double)at.position.x;
            const double y = t / 8 + (t % 2 ? 2 : 1) / 3.0 + (double)at.position.y;
            deepest = fmax(deepest, fmin(4.75, 5 - fmax(fabs(x), fabs(y))));
        }
        const double d = (double)cm_distance(&s, &home, &f, &at, CM_REAL_MAX, NULL),
                     e = (double)cm_distance(&f, &at, &s, &home, CM_REAL_MAX, NULL);
        check_that(fabs(d + deepest) < 1e-5 && fabs(e + deepest) < 1e-5, "%d: %g deep, told %g and %g", i, deepest, d,
                   e);
    }
    cm_height_field_destroy(field, NULL);
    cm_mesh_destroy(filled, NULL);
}

/* Two compounds that touch and no more: what is said of a depth is said of 0. */
static void a_depth_of_zero_is_a_lower_bound_too(void **state) {
    (void)state;
    cm_compound_child child = {.shape = cm_make_box(cm_v(1, 1, 1)), .pose = cm_pose_identity()};
    const cm_compound_desc desc = {&child, 1};
    cm_compound *compound = NULL;
    assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
    const cm_shape a = cm_make_compound(compound);
    cm_pose home = cm_pose_identity(), at = home;
    for (int i = 0; i < 3; i++) { /* deep, touching, apart */
        cm_witness w;
        at.position = cm_v(CM_REAL(1.5 + 0.5 * i), CM_REAL(0.5), 0);
        const double d = (double)cm_distance(&a, &home, &a, &at, CM_REAL_MAX, &w);
        check_that(d == 0.5 * i - 0.5 && (w.flags == CM_WITNESS_LOWER_BOUND) == (i < 2), "%g, flags %u", d, w.flags);
    }
    cm_compound_destroy(compound, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_answer_as_their_meshes),
        cmocka_unit_test(composites_are_pairs_of_parts),
        cmocka_unit_test(a_field_within_a_solid_overlaps_it),
        cmocka_unit_test(of_a_field_within_a_solid_the_deepest_triangle_is_told),
        cmocka_unit_test(a_depth_of_zero_is_a_lower_bound_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
