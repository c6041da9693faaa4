/* Distances of points, edges and triangles at rest, with how they change. */
#include "oracle/rational.h"
#include "support/support.h"

#include <math.h>

typedef struct features {
    int count_a, count_b;
    cm_vec3 at[4]; /* A's corners, then B's */
} features;

static bool ask(const features *f, cm_feature_gap *out) {
    const cm_vec3 *a = f->at, *b = f->at + f->count_a;
    if (f->count_a == 2) return cm_gap_edge_edge(a, b, out);
    if (f->count_b == 3) return cm_gap_point_triangle(a[0], b, out);
    if (f->count_b == 2) return cm_gap_point_edge(a[0], b, out);
    return cm_gap_point_point(a[0], b[0], out);
}

static void random_features(rng *r, int i, features *f) {
    static const int counts[4][2] = {{1, 1}, {1, 2}, {1, 3}, {2, 2}};
    f->count_a = counts[i % 4][0], f->count_b = counts[i % 4][1];
    for (int k = 0; k < 4; k++) f->at[k] = rng_vec3(r, 1);
    if (i % 8 >= 6 && f->count_b > 1) f->at[3] = f->at[2];
    if (i % 16 >= 12)
        for (int k = 0; k < 4; k++) f->at[k].z = 0;
}

/* Right to rounding; the points lie that far apart, and are the sums of the weights times the corners. */
static void distances(void **state) {
    (void)state;
    rng r = rng_start("deform gap", 1);
    for (int i = 0; i < samples(4000, 400000); i++) {
        features f;
        cm_feature_gap gap;
        random_features(&r, i, &f);
        assert_true(ask(&f, &gap));
        oracle_paths p = {.count_a = f.count_a, .count_b = f.count_b};
        for (int k = 0; k < f.count_a + f.count_b; k++) {
            p.start[k][0] = (double)f.at[k].x, p.start[k][1] = (double)f.at[k].y, p.start[k][2] = (double)f.at[k].z;
            memcpy(p.end[k], p.start[k], sizeof p.end[k]);
        }
        mpq_t square;
        mpq_init(square);
        oracle_paths_square(square, &p, 0);
        const double off = fabs(oracle_distance_error((double)gap.distance, square));
        mpq_clear(square);
        const double room = 128 * DBL_EPSILON + (double)(gap.distance * CM_REAL_EPSILON);
        check_that(off <= room, "sample %d: distance %g off by %g", i, (double)gap.distance, off);
        cm_vec3 sum_a = {0, 0, 0}, sum_b = {0, 0, 0};
        cm_real one_a = 0, one_b = 0;
        for (int k = 0; k < f.count_a; k++)
            sum_a = cm_add(sum_a, cm_scale(f.at[k], gap.weight_a[k])), one_a += gap.weight_a[k];
        for (int k = 0; k < f.count_b; k++)
            sum_b = cm_add(sum_b, cm_scale(f.at[f.count_a + k], gap.weight_b[k])), one_b += gap.weight_b[k];
        const cm_real slack = 16 * CM_REAL_EPSILON;
        check_that(cm_length(cm_sub(sum_a, gap.point_a)) <= slack && cm_length(cm_sub(sum_b, gap.point_b)) <= slack &&
                       cm_abs(one_a - 1) <= slack && cm_abs(one_b - 1) <= slack,
                   "sample %d: weights sum to %g, %g", i, (double)one_a, (double)one_b);
        check_that(cm_abs(cm_length(cm_sub(gap.point_b, gap.point_a)) - gap.distance) <= slack, "sample %d: %g apart",
                   i, (double)cm_length(cm_sub(gap.point_b, gap.point_a)));
    }
}

/* The gradient of the squared distance: what a small move of each corner does to it. */
static void gradients(void **state) {
    (void)state;
    rng r = rng_start("deform gradient", 2);
    for (int i = 0; i < samples(1000, 100000); i++) {
        features f;
        cm_feature_gap gap, moved;
        random_features(&r, i % 4, &f);
        assert_true(ask(&f, &gap));
        const int k = (int)rng_below(&r, (uint32_t)(f.count_a + f.count_b));
        const cm_real step = CM_REAL(sizeof(cm_real) == 4 ? 1e-3 : 1e-6);
        const cm_vec3 way = cm_scale(rng_direction(&r), step);
        const cm_vec3 gradient = k < f.count_a ? gap.gradient_a[k] : gap.gradient_b[k - f.count_a];
        f.at[k] = cm_add(f.at[k], way);
        assert_true(ask(&f, &moved));
        const double found = (double)(moved.distance * moved.distance) - (double)(gap.distance * gap.distance);
        const double told = (double)cm_dot(gradient, way);
        /* second order: the squared distance of convex sets has second derivatives of at most 2 over a thin angle */
        const double room = 64 * (double)(step * step) + 16 * (double)CM_REAL_EPSILON;
        const bool smooth = fabs(found - told) <= room;
        const cm_vec3 normal = cm_scale(gap.normal, gap.distance);
        const cm_vec3 between = cm_sub(gap.point_b, gap.point_a);
        check_that(cm_length(cm_sub(normal, between)) <= 32 * CM_REAL_EPSILON, "sample %d: normal off by %g", i,
                   (double)cm_length(cm_sub(normal, between)));
        if (f.count_a == 2) continue; /* near-parallel edges: the closest points run away at any speed */
        check_that(smooth, "sample %d: corner %d changes it by %g, told %g", i, k, found, told);
    }
}

static void bad_input(void **state) {
    (void)state;
    cm_vec3 t[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    cm_feature_gap gap;
    assert_false(cm_gap_point_triangle(cm_v((cm_real)NAN, 0, 0), t, &gap));
    assert_false(cm_gap_point_triangle(t[0], t, NULL));
    assert_false(cm_gap_edge_edge(t, NULL, &gap));
    t[1].x = CM_COORD_MAX * 2;
    assert_false(cm_gap_point_edge(t[0], t, &gap));
    /* in touch: no distance, the face's own normal, no gradient */
    t[1].x = 1;
    assert_true(cm_gap_point_triangle(cm_v(CM_REAL(0.25), CM_REAL(0.25), 0), t, &gap));
    check_that(gap.distance == 0 && cm_abs(gap.normal.z) == 1 && gap.gradient_b[1].z == 0, "distance %g, normal %g",
               (double)gap.distance, (double)gap.normal.z);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances),
        cmocka_unit_test(gradients),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
