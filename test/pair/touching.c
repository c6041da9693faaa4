/* Shapes that touch but for rounding: overlap, distance and contact decide alike, and the normal is an axis that parts
 * them, not the direction of what rounding left between two points. */
#include "support/support.h"

#include <float.h>

/* A point on the surface of a box, by chance on a face, an edge or a corner. */
static cm_vec3 surface_of(cm_vec3 half, rng *r) {
    double p[3], h[3] = {(double)half.x, (double)half.y, (double)half.z};
    for (int i = 0; i < 3; i++) p[i] = rng_range(r, -1, 1) * h[i];
    uint32_t face = rng_below(r, 3);
    for (uint32_t i = 0; i < 3; i++)
        if (i == face || rng_below(r, 3) == 0) p[i] = p[i] > 0 ? h[i] : -h[i];
    return cm_v(CM_REAL(p[0]), CM_REAL(p[1]), CM_REAL(p[2]));
}

static cm_vec3 random_half(rng *r, double size) {
    double x = rng_range(r, 0.1, 1) * size, y = rng_range(r, 0.1, 1) * size, z = rng_range(r, 0.1, 1) * size;
    return cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(z));
}

/* Two boxes, a corner of B on the surface of A. */
static void boxes_that_touch_are_judged_alike_by_all_queries(void **state) {
    (void)state;
    rng r = rng_start("boxes", 21);
    long apart = 0, count = samples(300000, 30000000);
    for (long i = 0; i < count; i++) {
        cm_vec3 ha = random_half(&r, 1), hb = random_half(&r, rng_below(&r, 2) ? 1 : 0.01);
        cm_shape a = cm_make_box(ha), b = cm_make_box(hb);
        cm_pose pa = rng_pose(&r, 1), pb = rng_pose(&r, 1);
        uint32_t bits = rng_below(&r, 8);
        cm_vec3 corner = cm_v(bits & 1 ? hb.x : -hb.x, bits & 2 ? hb.y : -hb.y, bits & 4 ? hb.z : -hb.z);
        cm_vec3 at = cm_pose_apply(&pa, surface_of(ha, &r));
        pb.position = cm_sub(at, cm_rotate(pb.rotation, corner));
        cm_witness w;
        cm_manifold m;
        bool overlap = cm_overlap(&a, &pa, &b, &pb);
        cm_real d = cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, &w);
        int manifolds = cm_contact(&a, &pa, &b, &pb, 0, &m, 1);
        check_that(overlap == (d <= 0) && manifolds == overlap,
                   "number %ld: overlap %d, distance " REAL_FORMAT ", %d manifolds", i, overlap, (double)d, manifolds);
        apart += !overlap;
    }
    assert_true(apart > count / 20); /* both verdicts occur */
}

/* A triangle behind the plane of a box's face, one corner on it, near the origin of the triangle's own frame: what
 * rounding is depends on where the box stands, far from there. */
static void a_corner_near_its_origin_touches_a_box_along_the_face(void **state) {
    (void)state;
    rng r = rng_start("corner", 22);
    for (long i = 0, count = samples(20000, 2000000); i < count; i++) {
        cm_vec3 half = random_half(&r, 1), tip = rng_vec3(&r, 1e-3);
        cm_shape box = cm_make_box(half);
        cm_pose pose = {cm_v(0, 0, 0), rng_rotation(&r)}, none = cm_pose_identity();
        cm_vec3 on = cm_v(CM_REAL(0.5) * half.x, CM_REAL(-0.3) * half.y, half.z);
        pose.position = cm_sub(tip, cm_rotate(pose.rotation, on));
        cm_vec3 out = cm_rotate(pose.rotation, cm_v(0, 0, 1)), e = cm_rotate(pose.rotation, cm_v(1, 0, 0));
        cm_vec3 q = cm_mul_add(cm_mul_add(tip, CM_REAL(1e-2), out), CM_REAL(1e-3), e);
        cm_vec3 p = cm_mul_add(cm_mul_add(tip, CM_REAL(1e-2), out), -CM_REAL(1e-3), e);
        cm_shape triangle = cm_make_triangle(tip, p, q);
        cm_witness w;
        cm_real d = cm_distance(&triangle, &none, &box, &pose, CM_REAL_MAX, &w);
        check_that(cm_abs(d) <= 8 * CM_REAL_EPSILON, "number %ld: distance " REAL_FORMAT, i, (double)d);
        /* the direction of a short gap is known no better than its ends, which are rounded in double */
        double lean = 64 * (double)CM_REAL_EPSILON + (d > 0 ? 8 * DBL_EPSILON / (double)d : 0);
        if (d > 0 && (double)d <= 4e-16) lean = 64 * (double)CM_REAL_EPSILON; /* an axis of the boxes */
        check_that((double)cm_length(cm_add(w.normal, out)) <= lean,
                   "number %ld: distance " REAL_FORMAT ", the normal leans by " REAL_FORMAT, i, (double)d,
                   (double)cm_length(cm_add(w.normal, out)));
    }
}

/* Points on a triangle of whole numbers, by halves of its edges and their halves: exact in cm_real. */
static void a_point_is_on_a_triangle_exactly_where_it_is(void **state) {
    (void)state;
    rng r = rng_start("points", 23);
    for (long i = 0, count = samples(20000, 2000000); i < count; i++) {
        cm_vec3 c[3];
        for (int k = 0; k < 3; k++)
            c[k] = cm_v((cm_real)rng_below(&r, 4000) - 2000, (cm_real)rng_below(&r, 4000) - 2000,
                        (cm_real)rng_below(&r, 4000) - 2000);
        cm_triangle t = {c[0], c[1], c[2]};
        cm_vec3 p = cm_scale(cm_add(c[0], c[1]), CM_REAL(0.5));
        if (i % 2) p = cm_scale(cm_add(p, c[2]), CM_REAL(0.5));
        check_that(cm_overlap_point_triangle(p, &t), "number %ld: on it, but not found", i);
        cm_vec3 n = cm_cross(cm_sub(c[1], c[0]), cm_sub(c[2], c[0]));
        if (cm_abs(n.z) < cm_largest(n)) continue; /* a step along z leaves the plane */
        p.z += CM_REAL(0.00390625);
        check_that(!cm_overlap_point_triangle(p, &t), "number %ld: beside it, but found", i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_that_touch_are_judged_alike_by_all_queries),
        cmocka_unit_test(a_point_is_on_a_triangle_exactly_where_it_is),
        cmocka_unit_test(a_corner_near_its_origin_touches_a_box_along_the_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
