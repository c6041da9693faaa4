/* Solids that coincide: however finely they are cut, only so many triangles are asked how deep they are. */
#include "carom/pair.h"
#include "pair/composite.h"
#include "pair/method.h"
#include "support/meshes.h"
#include "support/support.h"

enum { MOST = 500 };

/* How many triangles of a ball of 8 4^levels triangles are asked for its depth in itself. */
static uint32_t asked_of_ball(int levels) {
    cm_mesh *ball = mesh_ball(cm_v(0, 0, 0), 1, levels, true);
    const cm_shape shape = cm_make_mesh(ball);
    const cm_pose pose = cm_pose_identity();
    cm_witness w;
    uint32_t asked;
    const cm_real d = cm__composites_depth(&shape, &shape, &pose, MOST, &asked, &w);
    check_that(d <= 0 && d > -CM_REAL(1e-5), "%d levels: %g deep in itself", levels, -(double)d);
    cm_mesh_destroy(ball, NULL);
    return asked;
}

static void a_ball_in_itself_asks_as_many_triangles_when_it_has_sixteen_times_as_many(void **state) {
    (void)state;
    const uint32_t few = asked_of_ball(3), many = asked_of_ball(5);
    check_that(few >= MOST / 2 && few <= MOST && many >= MOST / 2 && many <= MOST, "%u and %u triangles are asked", few,
               many);
}

static void what_has_few_triangles_is_asked_for_all_of_them(void **state) {
    (void)state;
    cm_mesh *ball = mesh_ball(cm_v(0, 0, 0), 1, 1, true);
    const cm_shape shape = cm_make_mesh(ball);
    const cm_pose pose = cm_pose_at(cm_v(CM_REAL(1e-7), 0, 0));
    cm_witness w, all;
    uint32_t asked;
    const cm_real d = cm__composites_depth(&shape, &shape, &pose, MOST, &asked, &w);
    const cm_real of_all = cm__method_composites.distance(&shape, &shape, &pose, 0, &all);
    check_that(asked == 32, "%u of 32 triangles are asked", asked);
    check_that(d == of_all && w.part_a == all.part_a && w.part_b == all.part_b, "%g, of all %g", (double)d,
               (double)of_all);
    cm_mesh_destroy(ball, NULL);
}

static void a_ball_overlaps_itself_and_reaches_nowhere_into_itself(void **state) {
    (void)state;
    cm_mesh *ball = mesh_ball(cm_v(0, 0, 0), 1, 5, true);
    const cm_shape shape = cm_make_mesh(ball);
    cm_pose pose = cm_pose_identity();
    cm_witness w;
    cm_relation_result r;
    for (int i = 0; i < 2; i++) {
        const double d = (double)cm_distance(&shape, &pose, &shape, &pose, CM_REAL_MAX, &w);
        assert_true(cm_overlap(&shape, &pose, &shape, &pose));
        check_that(d <= 0 && d > -1e-5 && w.flags == CM_WITNESS_LOWER_BOUND, "%g, flags %u", d, w.flags);
        assert_int_equal(cm_mesh_relation(&shape, &pose, &shape, &pose, 0, CM_REAL_MAX, &r), CM_OK);
        assert_int_equal(r.relation, CM_RELATION_IDENTICAL);
        cm_quat_from_axis_angle(cm_v(1, 2, 3), 1, &pose.rotation);
    }
    cm_mesh_destroy(ball, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_in_itself_asks_as_many_triangles_when_it_has_sixteen_times_as_many),
        cmocka_unit_test(what_has_few_triangles_is_asked_for_all_of_them),
        cmocka_unit_test(a_ball_overlaps_itself_and_reaches_nowhere_into_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
