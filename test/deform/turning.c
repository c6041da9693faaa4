/* Moving meshes against shapes that turn and are accelerated: by the distance of every triangle at many times, as at
 * rest. */
#include "golden/golden.h"

#include <math.h>

enum { SIDE = 4, POINTS = SIDE * SIDE, TIMES = 48 };

typedef struct sheet {
    cm_mesh *mesh;
    cm_vec3 start[POINTS], end[POINTS];
} sheet;

static void sheet_make(sheet *s) {
    cm_vec3 points[POINTS];
    uint32_t indices[6 * (SIDE - 1) * (SIDE - 1)], count = 0;
    for (uint32_t i = 0; i < POINTS; i++) points[i] = cm_v((cm_real)(i / SIDE), (cm_real)(i % SIDE), 0);
    for (uint32_t i = 0; i + SIDE < POINTS; i++) {
        if (i % SIDE + 1 == SIDE) continue;
        const uint32_t quad[6] = {i, i + SIDE, i + SIDE + 1, i, i + SIDE + 1, i + 1};
        for (int k = 0; k < 6; k++) indices[count++] = quad[k];
    }
    const cm_mesh_desc desc = {
        .points = &points[0].x, .point_count = POINTS, .indices = indices, .triangle_count = count / 3};
    assert_int_equal(cm_mesh_build(&desc, NULL, &s->mesh, NULL), CM_OK);
}

/* The distance of a triangle of the sheet at a time from the shape, where that is below `most`. */
static cm_real distance_of(const sheet *s, const uint32_t c[3], const cm_shape *shape, const cm_motion *m, double u,
                           cm_real most) {
    const cm_pose home = cm_pose_identity();
    cm_pose pose;
    cm_vec3 at[3];
    cm_motion_at(m, (cm_real)u, &pose);
    for (int k = 0; k < 3; k++) at[k] = cm_mul_add(s->start[c[k]], (cm_real)u, cm_sub(s->end[c[k]], s->start[c[k]]));
    const cm_shape triangle = cm_make_triangle(at[0], at[1], at[2]);
    return cm_distance(&triangle, &home, shape, &pose, most, NULL);
}

/* The least of all, up to 4. */
static double distance_at(const sheet *s, const cm_shape *shape, const cm_motion *m, double u) {
    cm_real least = 4;
    for (uint32_t t = 0; t < cm_mesh_triangle_count(s->mesh); t++) {
        uint32_t c[3];
        cm_mesh_corners(s->mesh, t, c);
        least = cm_min(least, distance_of(s, c, shape, m, u, cm_max(least, 0)));
    }
    return (double)least;
}

/* Free before u: more than the separation apart at all times that are looked at. At u the triangle that meets is no
 * farther than the tolerance beyond it, which is a quarter of its gap at most; the two points are on the surfaces, and
 * no two of convex shapes are nearer (of composites, those of another part may be, which gets that near later). Places
 * of 4 or so are right to some epsilons. */
static void shapes_that_turn(void **state) {
    (void)state;
    rng r = rng_start("turning shapes", 184);
    zoo z;
    zoo_build(&z);
    sheet s;
    sheet_make(&s);
    const int count = samples(400, 40000);
    const double rounding = 512 * (double)CM_REAL_EPSILON + 1e-9;
    const cm_motion still = {.start = cm_pose_identity()};
    int hits = 0, free_ones = 0, limits = 0, asked = 0;
    for (int i = 0; i < count; i++) {
        const cm_shape *shape = &z.shapes[i % z.count];
        const cm_real d = i % 3 ? CM_REAL(0.01) : 0, tolerance = i % 2 ? CM_REAL(0.002) : CM_REAL(0.05);
        const cm_vec3 way = cm_sub(rng_vec3(&r, 1), cm_v(0, 0, 1));
        for (int k = 0; k < POINTS; k++) {
            const cm_vec3 at = cm_v((cm_real)(k / SIDE) - CM_REAL(1.5), (cm_real)(k % SIDE) - CM_REAL(1.5), 2);
            s.start[k] = cm_add(at, rng_vec3(&r, 0.2));
            s.end[k] = cm_add(cm_add(s.start[k], way), rng_vec3(&r, 0.3));
        }
        cm_motion m = {.start = rng_pose(&r, 1)};
        m.move = rng_vec3(&r, 1), m.spin = rng_vec3(&r, 2), m.pivot = rng_vec3(&r, 0.5);
        if (i % 5 == 0) m.accelerate = rng_vec3(&r, 1);
        if (i % 7 == 0) m.spin = cm_v(0, 0, 0), m.accelerate = cm_v(0, 0, -1);
        const double start = distance_at(&s, shape, &m, 0);
        if (!(start > (double)d + 0.01)) continue;
        asked++;
        const cm_mesh_sweep_desc desc = {.mesh = {s.mesh, s.start, s.end},
                                         .shape = shape,
                                         .shape_motion = m,
                                         .separation = d,
                                         .tolerance = tolerance};
        cm_path_contact c;
        assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &c), CM_OK);
        hits += c.verdict == CM_PATH_HIT, limits += c.verdict == CM_PATH_LIMIT, free_ones += c.verdict == CM_PATH_FREE;
        check_that(c.verdict != CM_PATH_START, "%d: starts, %g apart", i, start);
        const double until = c.verdict == CM_PATH_FREE ? 1 : (double)c.hit.u;
        for (int k = 0; k <= TIMES; k++) {
            const double gap = distance_at(&s, shape, &m, until * k / TIMES);
            check_that(gap > (double)d - rounding, "%d, %s: %g apart at %g, %g kept, until %g", i,
                       cm_kind_name(shape->kind), gap, until * k / TIMES, (double)d, until);
        }
        if (c.verdict != CM_PATH_HIT) continue;
        const double gap = (double)distance_of(&s, c.a, shape, &m, until, 4);
        const double from = (double)distance_of(&s, c.a, shape, &m, 0, 40);
        const bool parts = has_parts(shape); /* the gap is then that of the part that meets */
        const double tau = parts ? (double)tolerance : fmin((double)tolerance, (from - (double)d) / 4);
        const double told = (double)c.hit.distance;
        check_that(told <= (double)d + tau + rounding, "%d, %s: %g apart at %g", i, cm_kind_name(shape->kind), told,
                   until);
        check_that(gap <= told + rounding && (gap >= told - rounding || parts), "%d, %s: %.9g apart, not %.9g", i,
                   cm_kind_name(shape->kind), gap, told);
        check_that(fabs((double)cm_length(cm_sub(c.hit.point_b, c.hit.point_a)) - told) < rounding, "%d: points", i);
        const cm_shape point = cm_make_point(c.hit.point_b);
        cm_pose home = cm_pose_identity(), pose;
        cm_motion_at(&m, (cm_real)until, &pose);
        const double off = (double)cm_distance(&point, &home, shape, &pose, CM_REAL_MAX, NULL);
        check_that(fabs(off) < rounding, "%d, %s: point %g off the shape", i, cm_kind_name(shape->kind), off);
        const double beside = fabs((double)distance_of(&s, c.a, &point, &still, until, 4) - told);
        check_that(beside < rounding, "%d: point is not %.9g from the triangle", i, told);
    }
    printf("  %d asked: %d hit, %d free, %d limits\n", asked, hits, free_ones, limits);
    check_that(hits * 4 > asked && free_ones * 8 > asked, "%d hit, %d free of %d", hits, free_ones, asked);
    check_that(limits * 100 <= asked, "%d limits of %d", limits, asked);
    cm_mesh_destroy(s.mesh, NULL);
    zoo_free(&z);
}

/* A blade of length 2 turns by a right angle under a corner at (0, 1.5, 0) that sinks by .5: at the angle a the blade's
 * side is at the corner where a is a right angle but for the half thickness over the height. */
static void a_blade_meets_a_point(void **state) {
    (void)state;
    sheet s;
    sheet_make(&s);
    for (int k = 0; k < POINTS; k++) { /* away but for the corner that all triangles hang on */
        s.start[k] = s.end[k] = cm_v((cm_real)(k / SIDE) / 64, CM_REAL(3) + (cm_real)(k % SIDE) / 64, 0);
    }
    s.start[0] = cm_v(0, CM_REAL(1.5), 0), s.end[0] = cm_v(0, 1, 0);
    const cm_shape blade = cm_make_box(cm_v(2, CM_REAL(0.125), CM_REAL(0.5)));
    const double turn = 1.5707963267948966;
    const cm_mesh_sweep_desc desc = {.mesh = {s.mesh, s.start, s.end},
                                     .shape = &blade,
                                     .shape_motion = {.start = cm_pose_identity(), .spin = {0, 0, CM_REAL(turn)}},
                                     .tolerance = CM_REAL(1e-5)};
    cm_path_contact c;
    assert_int_equal(cm_mesh_sweep_vertices(&desc, NULL, &c), CM_OK);
    check_that(c.verdict == CM_PATH_HIT, "verdict %d", (int)c.verdict);
    /* the distance of the corner from the blade's middle line: (1.5 - u / 2) cos(turn u) = 1/8 */
    const double u = (double)c.hit.u, left = (1.5 - u / 2) * cos(turn * u) - 0.125;
    check_that(left >= -4 * (double)CM_REAL_EPSILON && left <= 1.1e-5, "%g left at %g", left, u);
    cm_mesh_destroy(s.mesh, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_that_turn),
        cmocka_unit_test(a_blade_meets_a_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
