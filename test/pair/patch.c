/* Contact points of polytopes lie on both, also where the face they are measured from lies a little off the normal. */
#include "support/solids.h"
#include "support/support.h"

#include "support/outside.h"

#include <math.h>

/* A triangle whose plane is 2.7e-7 rad off the normal, which is a product of edges, and deep: by as much the points
 * would lie beside it. */
static void deep_points_lie_within_the_face(void **state) {
    (void)state;
    solid t;
    memset(&t, 0, sizeof t);
    t.kind = SOLID_TRIANGLE, t.count = 3;
    t.point[0] = cm_v(CM_REAL(15888.767891141679), CM_REAL(11153.446706440183), CM_REAL(0.013674761054128171));
    t.point[1] = cm_v(CM_REAL(15914.411315685278), CM_REAL(9518.4529956369242), CM_REAL(0.014096881953862038));
    t.point[2] = cm_v(CM_REAL(-4976.9182832481629), CM_REAL(23759.920957064955), CM_REAL(0.008894607891005997));
    cm_pose none = cm_pose_identity(), at = none;
    solid_features(&t);
    solid_place(&t, none.rotation, w3(0, 0, 0));
    cm_shape a = cm_make_triangle(t.point[0], t.point[1], t.point[2]);
    cm_shape b =
        cm_make_box(cm_v(CM_REAL(34808.235788981903), CM_REAL(34911.439103094024), CM_REAL(27767.543596834155)));
    const cm_quat turn = {CM_REAL(0.63736887856581692), CM_REAL(-0.1682084940533029), CM_REAL(0.5831873080771357),
                          CM_REAL(0.47472031646203722)};
    at.position =
        cm_unrotate(turn, cm_v(CM_REAL(-154.949659470168), CM_REAL(153.676783002334), CM_REAL(28238.147465792300)));
    cm_witness w;
    cm_manifold m;
    cm_real d = cm_distance(&a, &none, &b, &at, CM_REAL_MAX, &w);
    long double bound = 16 * (long double)CM_REAL_EPSILON * 7e4L;
    assert_true(d < 0);
    long double off = solid_outside(&t, w3_of_vec3(w.point_a));
    check_that(off <= bound, "the witness is %Lg off the triangle", off);
    assert_int_equal(cm_contact(&a, &none, &b, &at, 0, &m, 1), 1);
    for (int i = 0; i < m.count; i++) {
        off = solid_outside(&t, w3_of_vec3(m.points[i].point_a));
        check_that(off <= bound, "point %d is %Lg off the triangle", i, off);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_points_lie_within_the_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
