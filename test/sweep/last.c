/* The last time of contact: nothing touches after it, they touch at it; the latest of the parts' own, of composites. */
#include "motions.h"
#include "support/meshes.h"
#include "support/shapes.h"
#include "support/standing.h"
#include "support/solids.h"

#include <math.h>

static cm_hull *some_hull;
static cm_mesh *some_sheet, *some_ball;
static cm_height_field *some_field;
static cm_compound *some_compound;

enum { LAST_KINDS = 6 };
static cm_shape any_shape(rng *r, int kind) {
    if (kind == 0) return cm_make_mesh(some_sheet);
    if (kind == 1) return cm_make_mesh(some_ball);
    if (kind == 2) return cm_make_height_field(some_field);
    if (kind == 3) return cm_make_compound(some_compound);
    if (kind == 4) return cm_make_halfspace(rng_direction(r), 1);
    return convex_random((int)rng_below(r, CONVEX_KINDS), rng_log_range(r, 0.05, 1), some_hull, r);
}

static void nothing_touches_after_the_last_time(void **state) {
    (void)state;
    rng r = rng_start("last times", 61);
    int met = 0, within = 0, count = samples(1500, 50000);
    for (int i = 0; i < count; i++) {
        cm_shape a = any_shape(&r, (int)rng_below(&r, LAST_KINDS)), b = any_shape(&r, i % LAST_KINDS);
        bool composite = (a.kind >= CM_SHAPE_MESH) | (b.kind >= CM_SHAPE_MESH);
        bool both = (a.kind >= CM_SHAPE_MESH) & (b.kind >= CM_SHAPE_MESH);
        bool turns = !both && rng_below(&r, 4) == 0; /* two composites that turn take long */
        cm_motion ma = random_motion(&r, 3, 1, turns), mb = random_motion(&r, 1, 1, turns && rng_below(&r, 2));
        if (i % 3 == 0) ma.accelerate = rng_vec3(&r, 2);
        if (rng_below(&r, 2)) /* through it and out again */
            ma.move = cm_scale(cm_add(cm_sub(mb.start.position, ma.start.position), rng_vec3(&r, 1)), 3);
        const char *na = cm_kind_name(a.kind), *nb = cm_kind_name(b.kind);
        cm_real last = -1, swapped = -1;
        cm_sweep_hit hit;
        bool meets = cm_sweep_last(&a, &ma, &b, &mb, &last), first = cm_sweep(&a, &ma, &b, &mb, &hit);
        assert_int_equal(cm_sweep_last(&b, &mb, &a, &ma, &swapped), meets);
        check_that(cm_sweep_last(&a, &ma, &b, &mb, NULL) == meets, "%s %s", na, nb);
        check_that(fabs((double)(last - swapped)) < 1e-4, "%s %s: %g, swapped %g", na, nb, (double)last,
                   (double)swapped);
        double end = gap_at(&a, &ma, &b, &mb, 1);
        if (end <= 0) check_that(meets && last == 1, "%s %s: %g, but touching at the end", na, nb, (double)last);
        for (int k = 1; k <= 16; k++) {
            double from = meets ? (double)last : 0, u = from + (1 - from) * k / 16, gap = gap_at(&a, &ma, &b, &mb, u);
            check_that(gap > 0 || last == 1, "%s %s, %d: %g deep at %g, after %g", na, nb, i, -gap, u, from);
        }
        if (meets != first) { /* only what grazes */
            double at = meets ? (double)last : (double)hit.first;
            check_that(fabs(gap_at(&a, &ma, &b, &mb, at)) < near_bound, "%s %s: met %d and %d at %g", na, nb, meets,
                       first, at);
            continue;
        }
        if (!meets) continue;
        met++, within += last < 1;
        check_that(last >= 0 && last <= 1, "%g", (double)last);
        if (last < 1) {
            double gap = gap_at(&a, &ma, &b, &mb, (double)last);
            /* depths of two meshes are not those of their touch */
            check_that(gap < near_bound && (gap > -near_bound || both), "%s %s, %d: gap %g at the last time %g", na, nb,
                       i, gap, (double)last);
        }
        if (turns || composite) {
            assert_true(hit.last == 1 || !composite);
            continue;
        }
        /* of convex shapes the sweep itself tells it */
        double speed = (double)cm_length(cm_sub(ma.move, mb.move)), off = fabs((double)(last - hit.last)) * speed;
        double slow = fabs(gap_at(&a, &ma, &b, &mb, (double)last) - gap_at(&a, &ma, &b, &mb, (double)hit.last));
        check_that(off < near_bound || slow < near_bound, "%s %s: %g, the sweep %g", na, nb, (double)last,
                   (double)hit.last);
    }
    print_message("  %d of %d met, %d of them left\n", met, count, within);
    check_that(met > count / 4 && within > count / 20, "%d met, %d left", met, within);
}

/* Each triangle on its own. */
static void of_a_mesh_it_is_the_latest_of_its_triangles(void **state) {
    (void)state;
    rng r = rng_start("latest part", 62);
    cm_shape b = cm_make_mesh(some_sheet);
    int met = 0;
    for (int i = 0; i < samples(300, 10000); i++) {
        cm_shape a = any_shape(&r, 5);
        cm_motion ma = random_motion(&r, 3, 1, false), mb = random_motion(&r, 1, 1, false);
        ma.move = cm_scale(cm_add(cm_sub(mb.start.position, ma.start.position), rng_vec3(&r, 1)), 3);
        double truth = -1, speed = (double)cm_length(cm_sub(ma.move, mb.move));
        for (uint32_t t = 0; t < cm_mesh_triangle_count(some_sheet); t++) {
            uint32_t c[3];
            const cm_vec3 *p = cm_mesh_points(some_sheet);
            cm_mesh_corners(some_sheet, t, c);
            cm_shape triangle = cm_make_triangle(p[c[0]], p[c[1]], p[c[2]]);
            cm_sweep_hit one;
            if (cm_sweep(&a, &ma, &triangle, &mb, &one)) truth = fmax(truth, (double)one.last);
        }
        cm_real last = -1;
        bool meets = cm_sweep_last(&a, &ma, &b, &mb, &last);
        if (meets != (truth >= 0)) continue; /* a graze: the test above looks at those */
        met += meets;
        if (!meets || truth >= 1 - 1e-6) continue;
        /* what leaves at a small angle is late or early for long without a gap of note */
        double slow = fabs(gap_at(&a, &ma, &b, &mb, (double)last) - gap_at(&a, &ma, &b, &mb, truth));
        check_that(fabs((double)last - truth) * speed < near_bound || slow < near_bound, "%g, by triangles %g",
                   (double)last, truth);
    }
    check_that(met * share() > 100, "%d met", met);
}

/* Never early, and late by no more than the gap that a sweep may leave. */
static void check_last(const cm_shape *a, const cm_motion *ma, const cm_shape *b, const cm_motion *mb, double truth) {
    cm_real last = -1;
    assert_true(cm_sweep_last(a, ma, b, mb, &last));
    const double late = ((double)last - truth) * (double)cm_length(ma->move);
    check_that(late > -1e-6 && late < promised_gap(a, ma, b, mb), "%g, not %g", (double)last, truth);
}

/* A ball of radius 1 at speed 10 through a solid box of half 2: touching from 3 before its middle to 3 after it, and
 * all the time within; a wall of two sheets has a gap between, which does not count. */
static void through_a_wall_and_out_again(void **state) {
    (void)state;
    cm_mesh *filled = mesh_box(cm_v(-2, -2, -2), cm_v(2, 2, 2), true), *hollow;
    cm_shape ball = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5));
    hollow = mesh_box(cm_v(-2, -2, -2), cm_v(2, 2, 2), false);
    const cm_shape box[2] = {cm_make_mesh(filled), cm_make_mesh(hollow)};
    for (int k = 0; k < 2; k++) {
        cm_motion still = motion_at_rest(), m = still;
        cm_real last;
        m.start.position = cm_v(-4, CM_REAL(0.1), CM_REAL(0.2)), m.move = cm_v(10, 0, 0);
        check_last(&ball, &m, &box[k], &still, 0.65);
        m.move.x = 5; /* ends in the middle of it */
        assert_true(cm_sweep_last(&ball, &m, &box[k], &still, &last));
        check_that(k == 0 ? last == 1 : fabs((double)last - 0.5) < 1e-6, "%g", (double)last);
        m.start.position.x = 0; /* starts there */
        m.move.x = 10;
        check_last(&ball, &m, &box[k], &still, 0.25);
        m.start.position.x = 3, m.move.x = 1;
        assert_false(cm_sweep_last(&ball, &m, &box[k], &still, &last));
        m.move.x = (cm_real)NAN;
        assert_false(cm_sweep_last(&ball, &m, &box[k], &still, &last));
    }
    cm_mesh_destroy(filled, NULL);
    cm_mesh_destroy(hollow, NULL);
}

static int set_up(void **state) {
    (void)state;
    rng r = rng_start("shapes", 60);
    cm_real heights[36];
    cm_height_field_desc field = {0};
    cm_compound_child child[4];
    cm_compound_desc compound = {child, 4};
    memset(child, 0, sizeof child);
    some_hull = hull_random(24, 0.5, &r);
    some_sheet = surface_bumps(7, CM_REAL(0.6), &r);
    some_ball = mesh_ball(cm_v(0, 0, 0), 1, 2, true);
    for (int i = 0; i < 36; i++) heights[i] = CM_REAL(rng_range(&r, -0.3, 0.3));
    field.heights = heights, field.columns = field.rows = 6, field.column_spacing = field.row_spacing = CM_REAL(0.4);
    field.origin = cm_v(-1, -1, 0);
    if (cm_height_field_build(&field, NULL, &some_field, NULL) != CM_OK) return 1;
    for (int k = 0; k < 4; k++) {
        child[k].shape = k == 3 ? cm_make_mesh(some_ball) : convex_random(CONVEX_BALL + k, 0.5, some_hull, &r);
        child[k].pose = rng_pose(&r, 1);
    }
    return cm_compound_build(&compound, NULL, &some_compound, NULL) != CM_OK;
}
static int tear_down(void **state) {
    (void)state;
    cm_hull_destroy(some_hull, NULL);
    cm_mesh_destroy(some_sheet, NULL), cm_mesh_destroy(some_ball, NULL);
    cm_height_field_destroy(some_field, NULL);
    cm_compound_destroy(some_compound, NULL);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_touches_after_the_last_time),
        cmocka_unit_test(of_a_mesh_it_is_the_latest_of_its_triangles),
        cmocka_unit_test(through_a_wall_and_out_again),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
