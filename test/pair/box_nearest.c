/* The closest points of boxes that are apart (src/pair/box_nearest.c): on both boxes, as far apart as they say, and no
 * points are nearer, as another search finds too (convex/gjk.c); and most boxes are answered there. */
#include "support/support.h"

#include "pair/box_nearest.h"
#include "pair/pair.h"

#include <math.h>

static double coordinate(cm__point p, int k) { return k == 0 ? p.x : k == 1 ? p.y : p.z; }

/* How far a point is out of the box of these axes. */
static double out_of_box(cm__point p, cm__point center, const cm__point axis[3], cm__point half) {
    double out = 0;
    for (int k = 0; k < 3; k++)
        out = fmax(out, fabs(cm__point_dot(axis[k], cm__point_sub(p, center))) - coordinate(half, k));
    return out;
}

/* True where cm__boxes_nearest answers; then the answer is checked. */
static bool check_boxes(cm_vec3 half_a, cm_vec3 half_b, const cm_pose *b_in_a) {
    const cm__point origin = cm__p(0, 0, 0), own[3] = {cm__p(1, 0, 0), cm__p(0, 1, 0), cm__p(0, 0, 1)};
    const cm__frame frame = frame_of_pose(b_in_a);
    const cm__point axes[3] = {frame.x, frame.y, frame.z};
    const cm_shape a = cm_make_box(half_a), b = cm_make_box(half_b);
    box_pair pair;
    cm__gap gap, other;
    box_pair_set(&frame, cm__point_of(half_a), cm__point_of(half_b), &pair);
    if (!cm__boxes_nearest(&pair, &gap)) return false;
    const double noise = 256 * DBL_EPSILON * box_pair_size(&pair);
    const double out_a = out_of_box(gap.a, origin, own, cm__point_of(half_a));
    const double out_b = out_of_box(gap.b, frame.position, axes, cm__point_of(half_b));
    check_that(out_a <= noise, "the point of A is %g off the box, %g are rounding", out_a, noise);
    check_that(out_b <= noise, "the point of B is %g off the box, %g are rounding", out_b, noise);
    const cm__point way = cm__point_mul_add(cm__point_sub(gap.b, gap.a), -gap.distance, gap.normal);
    check_that(cm__point_length(way) <= noise, "points and distance differ by %g", cm__point_length(way));
    cm__method_convex.gap(&a, &b, &frame, &other);
    check_that(fabs(other.distance - gap.distance) <= noise, "distance %.17g, by GJK %.17g", gap.distance,
               other.distance);
    return true;
}

static cm_vec3 random_half(rng *r, double scale) {
    const cm_real middle = (cm_real)(0.55 * scale);
    return cm_add(rng_vec3(r, 0.45 * scale), cm_v(middle, middle, middle));
}

static void boxes_anywhere_have_their_nearest_points(void **state) {
    (void)state;
    static const double scales[3] = {1e-4, 1, 1e6};
    const int count = samples(20000, 1000000);
    int apart = 0, answered = 0;
    rng r = rng_start("boxes", 71);
    for (int i = 0; i < count; i++) {
        const double scale = scales[i % 3];
        const cm_vec3 half_a = random_half(&r, scale), half_b = random_half(&r, scale);
        const cm_pose pose = {cm_scale(rng_direction(&r), (cm_real)rng_range(&r, 0, 4 * scale)), rng_rotation(&r)};
        const cm_shape a = cm_make_box(half_a), b = cm_make_box(half_b);
        const cm_pose origin = cm_pose_identity();
        if (cm_distance(&a, &origin, &b, &pose, CM_REAL_MAX, NULL) <= (cm_real)(1e-3 * scale)) continue;
        apart++, answered += check_boxes(half_a, half_b, &pose);
    }
    check_that(apart > count / 4, "%d of %d boxes are apart", apart, count);
    check_that(answered >= apart - apart / 100, "%d of %d boxes were left to the search of all features",
               apart - answered, apart);
}

/* Turned by quarters, along shared axes and at distances of few digits: corners, edges and faces all tie. */
static void aligned_boxes_have_their_nearest_points(void **state) {
    (void)state;
    const cm_real quarter = cm_sqrt(CM_REAL(0.5));
    const cm_quat turns[4] = {
        {0, 0, 0, 1}, {quarter, 0, 0, quarter}, {0, quarter, 0, quarter}, {0, 0, quarter, quarter}};
    int answered = 0, all = 0;
    for (int x = -3; x <= 3; x++)
        for (int y = -3; y <= 3; y++)
            for (int z = -3; z <= 3; z++)
                for (int t = 0; t < 4; t++) {
                    const cm_pose pose = {cm_v((cm_real)x, (cm_real)y, (cm_real)z), turns[t]};
                    if (x * x <= 4 && y * y <= 4 && z * z <= 4) continue; /* they touch */
                    answered += check_boxes(cm_v(1, 1, 1), cm_v(1, 1, 1), &pose), all++;
                }
    check_that(answered == all, "%d of %d aligned boxes were answered", answered, all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_anywhere_have_their_nearest_points),
        cmocka_unit_test(aligned_boxes_have_their_nearest_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
