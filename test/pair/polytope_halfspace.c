/* Two half-spaces: only where their normals are opposite is there a gap, or a slab that they share; all others overlap
 * without bound. */
#include "support/support.h"

#include <math.h>

static cm_real between(const cm_shape *a, const cm_pose *pa, const cm_shape *b, const cm_pose *pb, cm_witness *w) {
    const cm_real d = cm_distance(a, pa, b, pb, CM_REAL_MAX, w), back = cm_distance(b, pb, a, pa, CM_REAL_MAX, NULL);
    check_that(d == back, REAL_FORMAT ", swapped " REAL_FORMAT, (double)d, (double)back);
    check_that(cm_overlap(a, pa, b, pb) == (d <= 0) && cm_overlap(b, pb, a, pa) == (d <= 0), "at " REAL_FORMAT,
               (double)d);
    return d;
}

/* z <= 0 and z >= height. */
static void opposite_ones_have_a_gap_or_share_a_slab(void **state) {
    (void)state;
    const cm_shape below = cm_make_halfspace(cm_v(0, 0, 1), 0);
    const cm_pose home = cm_pose_identity();
    const double heights[] = {3, 1, 0, -1, -3};
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
        const cm_shape above = cm_make_halfspace(cm_v(0, 0, -1), CM_REAL(heights[i]));
        cm_witness w;
        const cm_real d = between(&below, &home, &above, &home, &w);
        check_that((double)d == heights[i], "%g, told %g", heights[i], (double)d);
        check_that((double)(w.point_b.z - w.point_a.z) == heights[i], "%g, points at %g and %g", heights[i],
                   (double)w.point_a.z, (double)w.point_b.z);
        check_that(w.normal.x == 0 && w.normal.y == 0 && w.normal.z == 1, "%g %g %g", (double)w.normal.x,
                   (double)w.normal.y, (double)w.normal.z);
    }
}

/* However far apart their planes are at the origin. */
static void all_others_overlap_without_bound(void **state) {
    (void)state;
    const cm_shape below = cm_make_halfspace(cm_v(0, 0, 1), 0);
    const cm_vec3 normals[] = {cm_v(1, 0, 0), cm_v(0, -1, 0), cm_v(0, 0, 1), cm_v(CM_REAL(0.6), 0, CM_REAL(0.8)),
                               cm_v(CM_REAL(0.6), 0, CM_REAL(-0.8))};
    for (size_t i = 0; i < sizeof normals / sizeof *normals; i++) {
        for (int k = 0; k < 4; k++) {
            const cm_shape other = cm_make_halfspace(normals[i], CM_REAL(k % 2 ? 5 : -5));
            cm_pose home = cm_pose_identity(), pose = home;
            if (k > 1) home.rotation = pose.rotation = (cm_quat){1, 0, 0, 0}, pose.position = cm_v(1, 2, 3);
            const cm_real d = between(&below, &home, &other, &pose, NULL);
            check_that(d == -CM_REAL_MAX, "normal %g %g %g: %g", (double)normals[i].x, (double)normals[i].y,
                       (double)normals[i].z, (double)d);
        }
    }
    /* a thousandth of a radian off opposite */
    cm_pose home = cm_pose_identity(), leaning = home;
    leaning.rotation = (cm_quat){CM_REAL(sin(0.0005)), 0, 0, CM_REAL(cos(0.0005))};
    const cm_shape above = cm_make_halfspace(cm_v(0, 0, -1), 5);
    check_that(between(&below, &home, &above, &leaning, NULL) == -CM_REAL_MAX, "leaning");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opposite_ones_have_a_gap_or_share_a_slab),
        cmocka_unit_test(all_others_overlap_without_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
