/* However many times bodies turn in a step, their sweep does no more work than it promises, and where that does not
 * suffice it says so. Counted are the support points that a caller's shape is asked for. */
#include "support/meshes.h"
#include "support/support.h"

static long asked;

static void box_support(const void *user, const double d[3], double p[3]) {
    const double *half = user;
    asked++;
    for (int i = 0; i < 3; i++) p[i] = d[i] > 0 ? *half : -*half;
}

/* 27 boxes, apart from each other, in a cube from -1 to 1. */
static cm_compound *crate(void) {
    static const double half = 0.2;
    cm_compound_child child[27];
    cm_compound *out;
    memset(child, 0, sizeof child);
    for (int i = 0; i < 27; i++) {
        const cm_vec3 at = cm_v((cm_real)(i % 3 - 1), (cm_real)(i / 3 % 3 - 1), (cm_real)(i / 9 - 1));
        child[i].shape = cm_make_custom(box_support, &half, cm_v(0, 0, 0), CM_REAL(0.35));
        child[i].pose = cm_pose_at(cm_scale(at, CM_REAL(0.75)));
    }
    const cm_compound_desc desc = {child, 27};
    assert_int_equal(cm_compound_build(&desc, NULL, &out, NULL), CM_OK);
    return out;
}

/* A ball of which one corner is pushed in: it is not convex, so its triangles are asked. */
static cm_mesh *dented_ball(void) {
    cm_mesh *ball = mesh_ball(cm_v(0, 0, 0), 3, 1, true);
    const uint32_t points = cm_mesh_point_count(ball), triangles = cm_mesh_triangle_count(ball);
    cm_vec3 point[64];
    uint32_t index[3 * 64];
    assert_true(points <= 64 && triangles <= 64);
    memcpy(point, cm_mesh_points(ball), points * sizeof *point);
    for (uint32_t i = 0; i < triangles; i++) cm_mesh_corners(ball, i, index + (size_t)3 * i);
    for (uint32_t i = 0; i < points; i++)
        if (point[i].z < CM_REAL(-2.9)) point[i].z = CM_REAL(-2);
    cm_mesh *dented = mesh_of(&point[0].x, points, index, triangles, true);
    cm_mesh_destroy(ball, NULL);
    return dented;
}

/* In the middle of a solid ball, and where a part is outside of it, and the deepest moves out (one on the other side,
 * nearly as deep, moves in): from a start that deep no part blocks at once, and all are swept for as long as the step
 * is. A unit of work (sweep.h: 8192 for each of 27 and 80 parts) was 0.7 support points; without a limit they were 64
 * million. */
static void what_turns_deep_in_another_does_the_work_that_is_promised(void **state) {
    (void)state;
    const long units = 8192L * (27 + 80);
    cm_mesh *ball = dented_ball();
    cm_compound *boxes = crate();
    const cm_shape a = cm_make_compound(boxes), b = cm_make_mesh(ball);
    const cm_vec3 places[] = {{0, 0, 0}, {CM_REAL(-0.02), CM_REAL(0.2), CM_REAL(2.51)}};
    int limits = 0, proved = 0;
    for (size_t i = 0; i < 2; i++)
        for (double spin = 10; spin < 2e5; spin *= 10) {
            cm_motion ma = {.start = cm_pose_at(places[i])}, mb = {.start = cm_pose_identity()};
            cm_sweep_hit hit;
            ma.spin = cm_scale(cm_v(CM_REAL(0.36), CM_REAL(0.48), CM_REAL(0.8)), (cm_real)spin);
            mb.spin = cm_scale(cm_v(CM_REAL(-0.6), CM_REAL(0.64), CM_REAL(0.48)), (cm_real)(spin * 0.7));
            asked = 0;
            assert_true(cm_sweep(&a, &ma, &b, &mb, &hit));
            check_that(asked <= 2 * units, "place %zu, %g radians: %ld support points", i, spin, asked);
            const bool limit = hit.proof == CM_PROOF_LIMIT;
            check_that(hit.start == CM_SWEEP_OVERLAPPING && hit.blocking == limit, "place %zu, %g radians", i, spin);
            limits += limit, proved += !limit;
        }
    check_that(limits >= 6 && proved >= 2, "%d ended, %d were proved", limits, proved);
    cm_compound_destroy(boxes, NULL);
    cm_mesh_destroy(ball, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_turns_deep_in_another_does_the_work_that_is_promised)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
