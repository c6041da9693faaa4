/* The gap of polytopes that lie beside each other with faces or edges parallel, or nearly so, and cover each other
 * across the gap by next to nothing: by 1e-12 to 1e-6 of their size. The closest points then lie at corners, where the
 * length of the way between them hardly depends on which corner is taken, but what a direction proves does. Judged by
 * all pairs of features in 113 bits. */
#include "oracle/convex.h"
#include "support/cores.h"

#include <math.h>

enum { SHAPE_POINT, SHAPE_SEGMENT, SHAPE_TRIANGLE, SHAPE_BOX, SHAPE_HULL, SHAPES };

typedef struct part {
    cm_shape shape; /* for the oracle; a hull is given as the box that it is */
    cm_vec3 corner[8], half;
    cm__core core;
} part;

static double nice(rng *r) {
    static const double sizes[] = {0.002, 0.01, 0.015, 0.02, 0.1, 0.25, 0.5, 1, 2, 3};
    return sizes[rng_below(r, 10)];
}

static void part_make(part *p, int kind, rng *r) {
    const cm_vec3 h = p->half = cm_v(CM_REAL(nice(r)), CM_REAL(nice(r)), CM_REAL(nice(r)));
    switch (kind) {
    case SHAPE_POINT:
        p->half = cm_v(0, 0, 0);
        p->shape = cm_make_point(p->half);
        cm__core_point(cm__point_of(p->half), &p->core);
        break;
    case SHAPE_SEGMENT:
        p->half = cm_v(h.x, 0, 0);
        p->shape = cm_make_segment(cm_neg(p->half), p->half);
        cm__core_segment(cm__point_of(cm_neg(p->half)), cm__point_of(p->half), &p->core);
        break;
    case SHAPE_TRIANGLE: {
        p->half = cm_v(h.x, h.y, 0);
        cm_vec3 a = cm_v(-h.x, -h.y, 0), b = cm_v(h.x, -h.y, 0), c = cm_v(rng_below(r, 2) ? h.x : -h.x, h.y, 0);
        p->shape = cm_make_triangle(a, b, c);
        cm__core_triangle(cm__point_of(a), cm__point_of(b), cm__point_of(c), &p->core);
        break;
    }
    default:
        p->shape = cm_make_box(h);
        for (int i = 0; i < 8; i++) p->corner[i] = cm_v(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
        if (kind == SHAPE_HULL)
            core_of_points(p->corner, 8, &p->core);
        else
            cm__core_box(cm__point_of(h), &p->core);
    }
}

/* A turn that keeps axes of both, or one, in common, but for a tilt of 1e-12 to 1e-6 now and then. */
static cm_quat turn_by(cm_quat turn, cm_vec3 axis, double angle) {
    cm_quat more;
    cm_quat_from_axis_angle(axis, CM_REAL(angle), &more);
    return cm_quat_normalize(cm_quat_mul(more, turn));
}

static cm_quat turn_about_shared_axes(rng *r) {
    static const cm_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double step = 0.2617993877991494; /* 15 degrees */
    cm_quat turn = turn_by(cm_quat_identity(), axes[rng_below(r, 3)], 6 * step * rng_below(r, 4));
    double angle = rng_below(r, 3) ? step * rng_below(r, 24) : rng_range(r, 0, 6.28);
    turn = turn_by(turn, axes[rng_below(r, 3)], angle);
    return rng_below(r, 3) ? turn : turn_by(turn, rng_direction(r), rng_log_range(r, 1e-12, 1e-6));
}

/* B beside A: along each axis of A, or of a turned frame, covering it by a little, flush, apart, or anywhere. */
static cm__point place_beside(const part *a, const part *b, const cm__frame *turn, rng *r) {
    double at[3];
    const double ha[3] = {(double)a->half.x, (double)a->half.y, (double)a->half.z};
    const cm__point hb = cm__point_of(b->half);
    const double rows[3][3] = {
        {turn->x.x, turn->y.x, turn->z.x}, {turn->x.y, turn->y.y, turn->z.y}, {turn->x.z, turn->y.z, turn->z.z}};
    const uint32_t apart = rng_below(r, 3);
    for (uint32_t k = 0; k < 3; k++) {
        const double size = ha[k] + fabs(rows[k][0]) * hb.x + fabs(rows[k][1]) * hb.y + fabs(rows[k][2]) * hb.z;
        const double side = rng_below(r, 2) ? 1 : -1;
        if (k == apart)
            at[k] = side * (size + nice(r));
        else if (rng_below(r, 4) == 0)
            at[k] = rng_range(r, -size, size);
        else if (rng_below(r, 8) == 0)
            at[k] = side * size;
        else
            at[k] = side * (size - (rng_below(r, 4) ? 1 : -1) * rng_log_range(r, 1e-12, 1e-6));
    }
    return cm__p(at[0], at[1], at[2]);
}

static void a_gap_is_right_to_rounding_however_little_is_covered(void **state) {
    (void)state;
    rng r = rng_start("slight overlaps", 121);
    double worst = 0, worst_points = 0;
    long gaps = 0;
    const int count = samples(6000, 600000);
    for (int i = 0; i < count; i++) {
        part a, b;
        part_make(&a, (int)rng_below(&r, SHAPES), &r);
        part_make(&b, (int)rng_below(&r, SHAPES), &r);
        const cm_pose turn = {cm_v(0, 0, 0), turn_about_shared_axes(&r)}, here = cm_pose_identity();
        cm__frame frame = frame_of_pose(&turn);
        frame.position = place_beside(&a, &b, &frame, &r);
        oracle_body oa = oracle_body_of(&a.shape, &here), ob = oracle_body_of(&b.shape, &turn);
        for (int k = 0; k < ob.corners; k++) {
            ob.corner[k].x += (quad)frame.position.x;
            ob.corner[k].y += (quad)frame.position.y;
            ob.corner[k].z += (quad)frame.position.z;
        }
        const double truth = (double)oracle_distance(&oa, &ob);
        cm__convex_pair pair;
        cm__convex_gap gap;
        cm__convex_pair_of(&a.core, &b.core, &frame, &pair);
        cm__convex_gap_of(&pair, DBL_MAX, NULL, &gap);
        if (!(truth > 64 * DBL_EPSILON * pair.scale)) continue;
        gaps++;
        const double error = fabs(gap.distance - truth) / pair.scale;
        worst = fmax(worst, error);
        const cm__point miss = cm__point_mul_add(cm__point_sub(gap.b, gap.a), -gap.distance, gap.normal);
        worst_points = fmax(worst_points, cm__point_length(miss) / pair.scale);
    }
    print_message("  %ld gaps of %d, off by at most %.3g of the scale, the points by %.3g\n", gaps, count, worst,
                  worst_points);
    check_that(gaps > count / 2, "%ld gaps of %d", gaps, count);
    check_that(worst <= 64 * DBL_EPSILON, "off by %g of the scale", worst);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_is_right_to_rounding_however_little_is_covered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
