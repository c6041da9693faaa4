/* Boxes with axes of their own: where they meet, the normal of the hit parts them, whichever of the 15 axes it is, by
 * corners alone; and the point of the hit is on both. */
#include "support/standing.h"

/* How far the plane across n keeps a from b, less than 0: how deep they overlap along n. */
static double parted(const cm_obb *a, const cm_obb *b, cm_vec3 n) {
    cm_vec3 p[8], q[8];
    cm_corners_obb(a, p), cm_corners_obb(b, q);
    double most = -1e30, least = 1e30;
    for (int i = 0; i < 8; i++) {
        const double x = (double)n.x * (double)p[i].x + (double)n.y * (double)p[i].y + (double)n.z * (double)p[i].z;
        const double y = (double)n.x * (double)q[i].x + (double)n.y * (double)q[i].y + (double)n.z * (double)q[i].z;
        most = x > most ? x : most, least = y < least ? y : least;
    }
    return least - most;
}

static void the_normal_of_a_hit_parts_the_boxes_there(void **state) {
    (void)state;
    rng r = rng_start("normals", 331);
    int kinds[3] = {0, 0, 0}; /* along a face's normal of A, of B, of neither */
    const int count = samples(4000, 400000);
    for (int i = 0; i < count; i++) {
        cm_obb a = {cm_v(0, 0, 0), cm_v(1, 1, 1), rng_rotation(&r)},
               b = {cm_v(0, 0, 0), cm_v(1, 1, 1), rng_rotation(&r)};
        for (int k = 0; k < 3; k++) {
            ((cm_real *)&a.half)[k] = CM_REAL(rng_range(&r, 0.2, 1)),
                      ((cm_real *)&b.half)[k] = CM_REAL(rng_range(&r, 0.2, 1));
        }
        b.center = cm_scale(rng_direction(&r), 4);
        const cm_vec3 way = cm_add(cm_scale(b.center, -1), rng_vec3(&r, 1)), none = cm_v(0, 0, 0);
        cm_sweep_hit h;
        if (!cm_sweep_obb_obb(&a, none, &b, way, &h)) continue;
        b.center = cm_mul_add(b.center, h.first, way);
        const double off = parted(&a, &b, h.normal), most = 1e3 * (double)CM_REAL_EPSILON;
        check_that(off > -most && off < most && (double)cm_dot(way, h.normal) < 0,
                   "number %d: the normal %g %g %g keeps them %g apart at %g", i, (double)h.normal.x,
                   (double)h.normal.y, (double)h.normal.z, off, (double)h.first);
        const cm_vec3 on_a = cm_unrotate(a.rotation, h.normal), on_b = cm_unrotate(b.rotation, h.normal);
        kinds[(double)cm_largest(on_a) > 0.99999 ? 0 : (double)cm_largest(on_b) > 0.99999 ? 1 : 2]++;
    }
    for (int k = 0; k < 3; k++) check_that(kinds[k] > count / 20, "%d of kind %d", kinds[k], k);
}

/* How far the point is outside of the box. */
static double outside(const cm_obb *box, cm_vec3 point) {
    const cm_vec3 at = cm_unrotate(box->rotation, cm_sub(point, box->center));
    double most = 0;
    for (int k = 0; k < 3; k++) {
        const double half = (double)((const cm_real *)&box->half)[k];
        most = fmax(most, fabs((double)((const cm_real *)&at)[k]) - half);
    }
    return most;
}

/* The boxes arrive edge at edge, or corner at corner: by rounding, neither face may be over the other. */
static void the_point_of_a_hit_at_an_edge_is_on_both_boxes(void **state) {
    (void)state;
    rng r = rng_start("edges", 5147);
    const int count = samples(4000, 400000);
    for (int i = 0; i < count; i++) {
        const cm_pose frame = nice_frame(1, &r);
        cm_obb a = {frame.position, cm_v(0, 0, 0), frame.rotation}, b = a;
        const cm_vec3 any = rng_vec3(&r, 1);
        cm_vec3 at = cm_v(0, 0, 0), way = at;
        const int beside = (int)rng_below(&r, 3), corner = (int)rng_below(&r, 2);
        for (int k = 0; k < 3; k++) {
            const double half = nice_size(&r), low = nice_size(&r) * (rng_below(&r, 2) ? 1 : rng_range(&r, 0.1, 0.4));
            const double side = rng_below(&r, 2) ? 1 : -1;
            const bool over = k == beside && !corner;
            ((cm_real *)&a.half)[k] = CM_REAL(half), ((cm_real *)&b.half)[k] = CM_REAL(low);
            ((cm_real *)&at)[k] = CM_REAL(side * (half + low) * (over ? rng_range(&r, 0, 0.9) : 1));
            ((cm_real *)&way)[k] = over ? ((const cm_real *)&any)[k] : CM_REAL(-side * rng_range(&r, 0.1, 2));
        }
        if (rng_below(&r, 2)) b.rotation = cm_quat_mul(a.rotation, cube_rotation(rng_below(&r, 24)));
        const cm_vec3 half = cm_vec3_abs(cm_unrotate(b.rotation, cm_rotate(a.rotation, b.half))), none = cm_v(0, 0, 0);
        b.half = half;
        b.center = cm_add(a.center, cm_rotate(a.rotation, cm_mul_add(at, CM_REAL(-0.5), way)));
        way = cm_rotate(a.rotation, way);
        cm_sweep_hit h;
        if (!cm_sweep_obb_obb(&a, none, &b, way, &h)) continue;
        b.center = cm_mul_add(b.center, h.first, way);
        const double most = 64 * (double)CM_REAL_EPSILON *
                            (double)(cm_largest(a.half) + cm_largest(b.half) + cm_largest(a.center) + cm_largest(way));
        check_that(outside(&a, h.point) <= most && outside(&b, h.point) <= most,
                   "number %d, normal %g %g %g: %g and %g outside, not %g", i, (double)h.normal.x, (double)h.normal.y,
                   (double)h.normal.z, outside(&a, h.point), outside(&b, h.point), most);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_normal_of_a_hit_parts_the_boxes_there),
        cmocka_unit_test(the_point_of_a_hit_at_an_edge_is_on_both_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
