/* What is round and lies a little deep in a face turns and slides there: lying cylinders, ellipsoids, in a box and in
 * its hull, at any pose of the whole. A direction that is 1e-10 beside the face's normal would block it, since 32 eps
 * of the motion toward the face do. */
#include "support/support.h"

#include <math.h>

enum { BODY_CYLINDER, BODY_ELLIPSOID, BODIES };

static void turn_by(cm_quat *turn, cm_vec3 axis, double angle) {
    cm_quat more;
    cm_quat_from_axis_angle(axis, CM_REAL(angle), &more);
    *turn = cm_quat_normalize(cm_quat_mul(more, *turn));
}

static void what_is_round_turns_and_slides_in_a_face(void **state) {
    (void)state;
    rng r = rng_start("round on a face", 152);
    const cm_vec3 half = cm_v(4, 3, 1);
    cm_vec3 corner[8];
    cm_hull *hull;
    for (int i = 0; i < 8; i++)
        corner[i] = cm_v(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    const cm_hull_desc desc = {.points = &corner[0].x, .point_count = 8};
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    long blocked = 0, asked = 0;
    for (int i = 0; i < samples(1000, 20000); i++) {
        const cm_shape table = i % 2 ? cm_make_hull(hull) : cm_make_box(half);
        const double x = rng_range(&r, 0.2, 1), y = rng_range(&r, 0.2, 1), z = rng_range(&r, 0.2, 1);
        const double depth = rng_log_range(&r, 1e-4, 1e-2) * z;
        const bool lies = rng_below(&r, BODIES) == BODY_CYLINDER;
        const cm_shape body = lies ? cm_make_cylinder(CM_REAL(z), CM_REAL(x))
                                   : cm_make_ellipsoid(cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z)));
        cm_motion still = {.start = rng_pose(&r, 2)}, moves = {.start = cm_pose_identity()};
        if (i % 3 == 0) still.start.rotation = cm_quat_identity();
        const cm_vec3 up = cm_rotate(still.start.rotation, cm_v(0, 0, 1));
        cm_pose place = cm_pose_identity();
        if (lies) turn_by(&place.rotation, cm_v(1, 0, 0), 1.5707963267948966);
        turn_by(&place.rotation, cm_v(0, 0, 1), rng_range(&r, 0, 6.28));
        place.position = cm_v(CM_REAL(rng_range(&r, -1, 1)), CM_REAL(rng_range(&r, -1, 1)), CM_REAL(1 + z - depth));
        moves.start = cm_pose_mul(&still.start, &place);
        if (i % 4 < 3) moves.spin = cm_scale(up, CM_REAL(rng_range(&r, -3, 3)));
        if (i % 4 > 1) {
            const cm_vec3 along = cm_rotate(still.start.rotation, cm_v(CM_REAL(rng_range(&r, -1, 1)), 1, 0));
            moves.move = cm_scale(along, CM_REAL(rng_range(&r, -1, 1)));
        }
        cm_sweep_hit hit;
        const bool found = cm_sweep(&table, &still, &body, &moves, &hit);
        check_that(found && hit.start == CM_SWEEP_OVERLAPPING, "pair %d: found %d", i, found);
        asked++, blocked += hit.blocking;
    }
    check_that(blocked == 0, "%ld of %ld are blocked", blocked, asked);
    cm_hull_destroy(hull, NULL);
}

/* What touches a face, or hovers over it by no more than rounding, and is pressed down is stopped by a contact at once:
 * the search for where it is deeper ends, though all of its numbers are rounding. */
static void what_presses_down_is_stopped_by_a_contact(void **state) {
    (void)state;
    rng r = rng_start("round on a face, pressed down", 153);
    long limits = 0, stopped = 0, asked = samples(4000, 100000);
    for (int i = 0; i < asked; i++) {
        const double radius = i % 2 ? 0.2 : 0.1, bottom = i % 2 ? radius : 0.3 + radius;
        const cm_shape table = cm_make_box(cm_v(3, 2, 1));
        cm_shape body = i % 2 ? cm_make_capsule(cm_v(-1, 0, 0), cm_v(1, 0, 0), CM_REAL(radius))
                              : cm_make_box(cm_v(1, CM_REAL(0.5), CM_REAL(0.3)));
        body.radius = CM_REAL(radius);
        cm_motion still = {.start = cm_pose_identity()}, moves = {.start = cm_pose_identity()};
        const double over = rng_range(&r, -16, 64) * (double)CM_REAL_EPSILON;
        moves.start.position = cm_v(CM_REAL(rng_range(&r, -2, 2)), CM_REAL(rng_range(&r, -1.5, 1.5)), 1);
        moves.start.position.z += CM_REAL(bottom + over);
        turn_by(&moves.start.rotation, cm_v(0, 0, 1), rng_range(&r, 0, 6.28));
        moves.move = cm_v(0, 0, CM_REAL(-rng_log_range(&r, 1e-3, 1)));
        cm_sweep_hit hit;
        const bool found = cm_sweep(&table, &still, &body, &moves, &hit);
        stopped += found && hit.blocking && (double)hit.first < 1e-2;
        limits += found && hit.proof == CM_PROOF_LIMIT;
    }
    check_that(stopped == asked && limits == 0, "%ld of %ld are stopped, %ld by a limit", stopped, asked, limits);
}

/* What falls onto a large turned box and goes on along it, by v - (v.n) n, is not blocked again by that face. There the
 * direction of a short gap of rounded bodies is rounding, of which the face's size makes more than the promised gap;
 * the face's own normal is what the hit has to tell. */
static void what_fell_slides_over_a_large_face(void **state) {
    (void)state;
    rng r = rng_start("slides after a fall", 1541);
    const cm_vec3 half = cm_v(20, 20, 1);
    const cm_shape body[3] = {cm_make_box(cm_v(CM_REAL(0.5), CM_REAL(0.4), CM_REAL(0.3))),
                              cm_make_capsule(cm_v(0, 0, CM_REAL(-0.6)), cm_v(0, 0, CM_REAL(0.6)), CM_REAL(0.3)),
                              cm_make_sphere(cm_v(0, 0, 0), 1)};
    const cm_shape floors[2] = {cm_make_box(half), cm_make_rounded_box(half, CM_REAL(0.2))};
    int slides = 0, count = samples(12000, 600000);
    for (int i = 0; i < count; i++) {
        const cm_shape *a = &body[i % 3], *b = &floors[i / 3 % 2];
        cm_motion still = {.start.rotation = rng_rotation(&r)};
        const cm_vec3 up = cm_rotate(still.start.rotation, cm_v(0, 0, 1));
        cm_motion m = {.start = cm_pose_at(cm_mul_add(rng_vec3(&r, 1), 4, up)),
                       .move = cm_mul_add(rng_vec3(&r, 3), -6, up)};
        cm_sweep_hit h, again;
        if (!cm_sweep(a, &m, b, &still, &h) || !h.blocking) continue;
        const cm_vec3 rest = cm_scale(m.move, 1 - h.first), along = cm_mul_add(rest, -cm_dot(rest, h.normal), h.normal);
        if (cm_length(along) < cm_length(rest) / 4) continue;
        slides++;
        cm_pose at;
        cm_motion_at(&m, h.first, &at);
        m.start = at, m.move = along;
        const bool blocked = cm_sweep(a, &m, b, &still, &again) && again.blocking;
        check_that(!blocked, "%d: %s on a %s: blocked at %g", i, cm_kind_name(a->kind), cm_kind_name(b->kind),
                   (double)again.first);
    }
    check_that(slides > count / 2, "%d slides", slides);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_round_turns_and_slides_in_a_face),
        cmocka_unit_test(what_fell_slides_over_a_large_face),
        cmocka_unit_test(what_presses_down_is_stopped_by_a_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
