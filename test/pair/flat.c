/* Points, segments and triangles without radius: the short decisions of src/pair/flat.c are those of two triangles,
 * some of them without area, and the distance agrees. On a small grid, where they meet in all ways, and moved off it.
 */
#include "support/support.h"

#include "pair/flat.h"
#include "pair/triangle_triangle.h"

static void draw_corners(rng *r, int count, cm_vec3 out[3]) {
    for (int i = 0; i < count; i++)
        out[i] = cm_v((cm_real)rng_below(r, 4), (cm_real)rng_below(r, 4), (cm_real)rng_below(r, 3));
}

static bool as_triangles(const cm_vec3 *a, int count_a, const cm_vec3 *b, int count_b) {
    cm_vec3 p[3], q[3];
    for (int i = 0; i < 3; i++) p[i] = a[i < count_a ? i : count_a - 1], q[i] = b[i < count_b ? i : count_b - 1];
    return cm__overlap_triangle_triangle(p, q);
}

static void two_signs_decide_as_all_of_them_do(void **state) {
    (void)state;
    rng r = rng_start("flat", 1);
    int met[4][4] = {{0}}, tried[4][4] = {{0}};
    for (int i = 0; i < samples(200000, 10000000); i++) {
        cm_vec3 a[3], b[3];
        const int count_a = 1 + (int)rng_below(&r, 3), count_b = 1 + (int)rng_below(&r, 3);
        draw_corners(&r, count_a, a), draw_corners(&r, count_b, b);
        const bool overlap = cm__flats_overlap(a, count_a, b, count_b), expected = as_triangles(a, count_a, b, count_b);
        check_that(overlap == expected, "%d: %d and %d corners: %d, as triangles %d", i, count_a, count_b, overlap,
                   expected);
        met[count_a][count_b] += overlap, tried[count_a][count_b]++;
    }
    for (int a = 1; a < 4; a++)
        for (int b = 1; b < 4; b++)
            check_that(met[a][b] > 50 && met[a][b] < tried[a][b], "%d and %d corners meet %d times of %d", a, b,
                       met[a][b], tried[a][b]);
}

static cm_shape flat_shape(const cm_vec3 *c, int count) {
    if (count == 1) return cm_make_point(c[0]);
    return count == 2 ? cm_make_segment(c[0], c[1]) : cm_make_triangle(c[0], c[1], c[2]);
}

static void the_distance_agrees_with_the_decision(void **state) {
    (void)state;
    rng r = rng_start("flat, distance", 2);
    for (int i = 0; i < samples(50000, 2000000); i++) {
        cm_vec3 a[3], b[3];
        const int count_a = 1 + (int)rng_below(&r, 3), count_b = 1 + (int)rng_below(&r, 3);
        draw_corners(&r, count_a, a), draw_corners(&r, count_b, b);
        const cm_shape sa = flat_shape(a, count_a), sb = flat_shape(b, count_b);
        cm_pose pa = rng_pose(&r, rng_log_range(&r, 1e-3, 1e6)), pb = pa;
        const cm_real off = CM_REAL(rng_log_range(&r, 1e-9, 1e-3)) * CM_REAL_EPSILON / CM_REAL(1e-9);
        pb.position = cm_mul_add(pb.position, off * (1 + cm_largest(pb.position)), rng_direction(&r));
        if (i % 2) pb = rng_pose(&r, 1);
        cm_witness w;
        const cm_real d = cm_distance(&sa, &pa, &sb, &pb, CM_REAL_MAX, &w);
        const bool overlap = cm_overlap(&sa, &pa, &sb, &pb);
        check_that(overlap == (d <= 0), "%d: %d and %d corners: overlap %d, distance %g", i, count_a, count_b, overlap,
                   (double)d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_signs_decide_as_all_of_them_do),
                                       cmocka_unit_test(the_distance_agrees_with_the_decision)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
