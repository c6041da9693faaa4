/* Contact patches where equal numbers decide: faces exactly at the margin, borders that fall together, edges side by
 * side whose ends coincide. */
#include "pair/gap.h"
#include "support/support.h"

#include <float.h>

static int contact(const cm_shape *a, cm_vec3 at_a, const cm_shape *b, cm_vec3 at_b, cm_real margin, cm_manifold *m) {
    cm_pose pa = cm_pose_identity(), pb = pa;
    pa.position = at_a, pb.position = at_b;
    m->count = 0;
    return cm_contact(a, &pa, b, &pb, margin, m, 1);
}

/* A box as such or as a hull. */
typedef struct block {
    cm_shape shape;
    cm_hull *hull;
} block;
static block block_of(cm_real x, cm_real y, cm_real z, bool is_hull) {
    block out = {.shape = cm_make_box(cm_v(x, y, z))};
    if (!is_hull) return out;
    cm_vec3 corners[8];
    for (int i = 0; i < 8; ++i) corners[i] = cm_v(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    cm_hull_desc desc = {.points = &corners[0].x, .point_count = 8};
    assert_int_equal(cm_hull_build(&desc, NULL, &out.hull, NULL), CM_OK);
    out.shape = cm_make_hull(out.hull);
    return out;
}

/* A box of half sizes 1, 0.5, 0.25 on one of 2, 2, 1: four corners, at the margin as well as in touch. */
static void parallel_faces_at_the_margin_have_all_their_points(void **state) {
    (void)state;
    for (int i = 0; i < 12; ++i) {
        block table = block_of(2, 2, 1, i & 1), box = block_of(1, CM_REAL(0.5), CM_REAL(0.25), i & 2);
        const cm_real gap = CM_REAL(0.25) * (cm_real)(i / 4);
        const cm_vec3 none = cm_v(0, 0, 0), at = cm_v(CM_REAL(0.5), 0, CM_REAL(1.25) + gap);
        cm_manifold m;
        assert_int_equal(contact(&table.shape, none, &box.shape, at, gap, &m), 1);
        check_that(m.count == 4, "gap " REAL_FORMAT ", forms %d: %d points", (double)gap, i % 4, m.count);
        for (int k = 0; k < 4; ++k) {
            const cm_vec3 p = m.points[k].point_b;
            check_that(m.points[k].depth == -gap, "depth " REAL_FORMAT, (double)m.points[k].depth);
            assert_true(cm_abs(p.x - CM_REAL(0.5)) == 1 && cm_abs(p.y) == CM_REAL(0.5) && p.z == 1 + gap);
        }
        if (gap > 0) {
            int n = contact(&table.shape, none, &box.shape, at, gap * (1 - CM_REAL_EPSILON), &m);
            check_that(n == 0, "an ulp less than the gap: %d", n);
        }
        cm_hull_destroy(table.hull, NULL), cm_hull_destroy(box.hull, NULL);
    }
}

/* Plan rectangles that are the same, or share one or two sides: the corners of what both cover. */
static void faces_whose_borders_fall_together_keep_their_corners(void **state) {
    (void)state;
    for (int i = 0; i < 36; ++i) {
        block low = block_of(1, 1, 1, i >= 18), high = block_of(1, 1, 1, i / 9 % 2);
        const cm_real x = (cm_real)(i % 3 - 1), y = (cm_real)(i / 3 % 3 - 1);
        cm_manifold m;
        assert_int_equal(contact(&low.shape, cm_v(0, 0, 0), &high.shape, cm_v(x, y, 2), 0, &m), 1);
        check_that(m.count == 4, "moved by %g %g, forms %d: %d points", (double)x, (double)y, i / 9, m.count);
        bool seen[4] = {false};
        for (int k = 0; k < m.count; ++k) {
            const cm_vec3 p = m.points[k].point_a;
            assert_true(m.points[k].depth == 0 && p.z == 1);
            assert_true(p.x == (x == 1 ? 0 : -1) || p.x == (x == -1 ? 0 : 1));
            assert_true(p.y == (y == 1 ? 0 : -1) || p.y == (y == -1 ? 0 : 1));
            seen[(p.x > x / 2) + 2 * (p.y > y / 2)] = true;
        }
        assert_true(seen[0] && seen[1] && seen[2] && seen[3]);
        cm_hull_destroy(low.hull, NULL), cm_hull_destroy(high.hull, NULL);
    }
}

static cm__patch edges(double a0, double a1, double b0, double b1, double gap, double margin) {
    const cm__point a[2] = {cm__p(a0, 0, 0), cm__p(a1, 0, 0)}, b[2] = {cm__p(b0, 0, gap), cm__p(b1, 0, gap)};
    cm__patch out;
    memset(&out, 0, sizeof out);
    cm__patch_of_edges(a, b, cm__p(0, 0, 1), margin, &out);
    return out;
}

/* Which end bounds the shared stretch: 0 and 1 are A's own ends, 2 is an end of B. Where both coincide it is A's, so
 * that the name stays what it was while B slides up to there from the outside. */
static void ends_of_edges_that_coincide_are_named_by_the_first(void **state) {
    (void)state;
    cm__patch p = edges(0, 1, 0, 1, 0.25, 1);
    assert_int_equal(p.count, 2);
    assert_true(p.feature_a[0] == 0 && p.feature_a[1] == 1 && p.feature_b[0] == 0 && p.feature_b[1] == 1);
    p = edges(0, 1, 1, 0, 0.25, 1); /* the other way round */
    assert_int_equal(p.count, 2);
    assert_true(p.feature_a[0] == 0 && p.feature_a[1] == 1 && p.feature_b[0] == 1 && p.feature_b[1] == 0);
    p = edges(0, 1, -1, 2, 0.25, 1);
    assert_true(p.count == 2 && p.feature_a[0] == 0 && p.feature_a[1] == 1);
    p = edges(0, 1, 0.25, 0.5, 0.25, 1);
    assert_true(p.count == 2 && p.feature_a[0] == 2 && p.feature_a[1] == 2);
    p = edges(0, 1, 0.25, 1, 0.25, 1);
    assert_true(p.count == 2 && p.feature_a[0] == 2 && p.feature_a[1] == 1);
}

static void edges_at_the_margin_are_in_touch_and_end_to_end_they_share_no_stretch(void **state) {
    (void)state;
    assert_int_equal(edges(0, 1, 0, 1, 0.25, 0.25).count, 2);
    assert_int_equal(edges(0, 1, 0, 1, 0.25, 0.25 * (1 - DBL_EPSILON)).count, 0);
    assert_int_equal(edges(0, 1, 0, 1, 0, 0).count, 2);
    assert_int_equal(edges(0, 1, 1, 2, 0, 1).count, 0);
    assert_int_equal(edges(0, 1, -1, 0, 0, 1).count, 0);
    assert_int_equal(edges(0, 1, 1 - DBL_EPSILON, 2, 0, 1).count, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel_faces_at_the_margin_have_all_their_points),
        cmocka_unit_test(faces_whose_borders_fall_together_keep_their_corners),
        cmocka_unit_test(ends_of_edges_that_coincide_are_named_by_the_first),
        cmocka_unit_test(edges_at_the_margin_are_in_touch_and_end_to_end_they_share_no_stretch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
