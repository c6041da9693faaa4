/* How far apart: the minimum over all pairs of triangles, measured one by one; the proof by rationals. */
#include "carom/pair.h"
#include "math/exact.h"
#include "oracle/rational.h"
#include "pair/triangle_triangle.h"
#include "support/meshes.h"

#include <math.h>

static void corners_of(const cm_mesh *mesh, const cm_vec3 *points, uint32_t triangle, cm_vec3 out[3]) {
    uint32_t c[3];
    cm_mesh_corners(mesh, triangle, c);
    for (int k = 0; k < 3; ++k) out[k] = points[c[k]];
}

/* The largest |coordinate| of all corners. */
static double reach_of(const cm_mesh *mesh, const cm_vec3 *points) {
    double most = 0;
    for (uint32_t i = 0; i < cm_mesh_point_count(mesh); ++i) most = fmax(most, (double)cm_largest(points[i]));
    return most;
}

static cm_real least_over_all_pairs(const cm_mesh *a, const cm_mesh *b, const cm_vec3 *posed) {
    cm_real least = CM_REAL_MAX;
    for (uint32_t j = 0; j < cm_mesh_triangle_count(b); ++j)
        for (uint32_t i = 0; i < cm_mesh_triangle_count(a); ++i) {
            cm_vec3 x[3], y[3], on_x, on_y;
            corners_of(a, cm_mesh_points(a), i, x);
            corners_of(b, posed, j, y);
            cm_real d = cm__distance_triangle_triangle(x, y, least, &on_x, &on_y);
            if (d < least) least = d;
        }
    return least;
}

/* The witness lies on the triangles it names, as far apart as it says; the triangles' own distance, by rationals. */
static void check_witness(const cm_mesh *a, const cm_mesh *b, const cm_vec3 *posed, const cm_pose *pose_a,
                          const cm_witness *w) {
    cm_vec3 x[3], y[3];
    corners_of(a, cm_mesh_points(a), w->part_a, x);
    corners_of(b, posed, w->part_b, y);
    double p[3][3], q[3][3];
    for (int i = 0; i < 3; ++i) {
        p[i][0] = (double)x[i].x, p[i][1] = (double)x[i].y, p[i][2] = (double)x[i].z;
        q[i][0] = (double)y[i].x, q[i][1] = (double)y[i].y, q[i][2] = (double)y[i].z;
    }
    double size = reach_of(a, cm_mesh_points(a)) + reach_of(b, posed),
           world = size + (double)cm_largest(pose_a->position);
    mpq_t square;
    mpq_init(square);
    oracle_triangle_triangle(square, (const double(*)[3])p, (const double(*)[3])q);
    double error = oracle_distance_error((double)w->distance, square), allowed = 16 * size * (double)CM_REAL_EPSILON;
    check_that(fabs(error) <= allowed, "distance %g errs by %g", (double)w->distance, error);
    mpq_clear(square);
    double apart = (double)cm_length(cm_sub(w->point_b, w->point_a));
    allowed = 32 * world * (double)CM_REAL_EPSILON;
    check_that(fabs(apart - (double)w->distance) <= allowed, "points %g apart, %g", apart, (double)w->distance);
    cm_vec3 along = cm_sub(cm_sub(w->point_b, w->point_a), cm_scale(w->normal, w->distance));
    check_that((double)cm_length(along) <= allowed, "the normal is off by %g", (double)cm_length(along));
}

static void check_pose(const cm_mesh *a, const cm_pose *pose_a, const cm_mesh *b, const cm_pose *pose_b, int *apart) {
    cm_shape sa = cm_make_mesh(a), sb = cm_make_mesh(b);
    cm_vec3 *posed = malloc(cm_mesh_point_count(b) * sizeof *posed);
    cm_mesh_posed(pose_a, b, pose_b, posed);
    cm_witness w;
    cm_real d = cm_distance(&sa, pose_a, &sb, pose_b, CM_REAL_MAX, &w);
    bool overlap = cm_overlap(&sa, pose_a, &sb, pose_b);
    check_that(overlap == (d <= 0), "overlap %d, distance %g", overlap, (double)d);
    if (!overlap) {
        cm_real least = least_over_all_pairs(a, b, posed);
        double slack = 16 * (double)CM_REAL_EPSILON * (reach_of(a, cm_mesh_points(a)) + reach_of(b, posed));
        check_that(fabs((double)d - (double)least) <= slack, "distance %.17g, over all pairs %.17g", (double)d,
                   (double)least);
        check_that(w.distance == d && w.flags == 0, "%g, flags %u", (double)w.distance, w.flags);
        check_witness(a, b, posed, pose_a, &w);
        /* limits: found at the distance itself, not found below it */
        cm_witness other = w;
        check_that(cm_distance(&sa, pose_a, &sb, pose_b, d, &other) == d, "not found at its own distance %g",
                   (double)d);
        other.part_a = 12345;
        check_that(cm_distance(&sa, pose_a, &sb, pose_b, d * CM_REAL(0.999), &other) == CM_REAL_MAX,
                   "found beyond the limit");
        check_that(other.part_a == 12345, "the witness was touched");
        ++*apart;
    }
    free(posed);
}

static void the_classic_pair_has_the_least_distance_over_all_pairs(void **state) {
    (void)state;
    cm_mesh *a = mesh_recorded("fcl_env.obj", false), *b = mesh_recorded("fcl_rob.obj", false);
    if (!a || !b) skip();
    rng r = rng_start("poses", 21);
    int apart = 0;
    for (int i = 0; i < samples(16, 1000); ++i) {
        cm_pose pose_a = rng_pose(&r, 1000), at = rng_pose(&r, 3000), pose_b;
        at.position.z = cm_abs(at.position.z);
        pose_b = cm_pose_mul(&pose_a, &at);
        check_pose(a, &pose_a, b, &pose_b, &apart);
    }
    print_message("  %d poses apart\n", apart);
    check_that(apart > 0, "%d", apart);
    cm_mesh_destroy(a, NULL), cm_mesh_destroy(b, NULL);
}

static void robot_links_have_the_least_distance_over_all_pairs(void **state) {
    (void)state;
    cm_mesh *a = mesh_recorded("robot_panda/hand.stl", true), *b = mesh_recorded("robot_panda/link3.stl", true);
    if (!a || !b) skip();
    rng r = rng_start("poses", 22);
    int apart = 0, count = samples(60, 4000);
    for (int i = 0; i < count; ++i) {
        cm_pose pose_a = rng_pose(&r, 1), pose_b = rng_pose(&r, 1);
        pose_b.position = cm_add(pose_a.position, cm_scale(rng_direction(&r), CM_REAL(rng_range(&r, 0.1, 0.4))));
        check_pose(a, &pose_a, b, &pose_b, &apart);
    }
    print_message("  %d poses apart\n", apart);
    check_that(3 * apart > count, "%d of %d", apart, count);
    cm_mesh_destroy(a, NULL), cm_mesh_destroy(b, NULL);
}

static void balls_of_all_sizes_have_the_least_distance_over_all_pairs(void **state) {
    (void)state;
    rng r = rng_start("poses", 23);
    int apart = 0;
    for (int i = 0; i < samples(100, 10000); ++i) {
        double big = rng_log_range(&r, 1e-4, 1e6), small = big * rng_log_range(&r, 1e-3, 1);
        cm_mesh *a = mesh_ball(cm_v(0, CM_REAL(big * 2), 0), CM_REAL(big), 2, true);
        cm_mesh *b = mesh_ball(cm_v(0, 0, 0), CM_REAL(small), 2, true);
        cm_pose pose_a = rng_pose(&r, big), at = rng_pose(&r, big), pose_b;
        cm_real gap = CM_REAL(small * rng_log_range(&r, 1e-3, 10));
        at.position = cm_mul_add(cm_v(0, CM_REAL(big * 2), 0), CM_REAL(big + small) + gap, rng_direction(&r));
        pose_b = cm_pose_mul(&pose_a, &at);
        if (i % 2) {
            check_pose(a, &pose_a, b, &pose_b, &apart);
        } else {
            check_pose(b, &pose_b, a, &pose_a, &apart);
        }
        cm_mesh_destroy(a, NULL), cm_mesh_destroy(b, NULL);
    }
    check_that(apart * share() > 50, "%d", apart);
}

/* Side 1, centers 1.75 apart along x, 2 along y: the nearest edges are 0.75 and 1 apart, hence 1.25. */
static void boxes_have_the_distance_of_their_edges(void **state) {
    (void)state;
    cm_mesh *a = mesh_box(cm_v(0, 0, 0), cm_v(1, 1, 1), true);
    cm_shape s = cm_make_mesh(a);
    cm_pose p = cm_pose_identity(), q = p;
    q.position = cm_v(CM_REAL(1.75), 2, CM_REAL(0.5));
    cm_witness w;
    assert_true(cm_distance(&s, &p, &s, &q, 10, &w) == CM_REAL(1.25));
    assert_true(w.point_a.x == 1 && w.point_a.y == 1 && w.point_b.x == CM_REAL(1.75) && w.point_b.y == 2);
    assert_true(cm_abs(w.normal.x - CM_REAL(0.6)) < 4 * CM_REAL_EPSILON && w.normal.z == 0);
    assert_true(cm_distance(&s, &p, &s, &q, 10, NULL) == CM_REAL(1.25));
    assert_true(cm_distance(&s, &p, &s, &q, CM_REAL(1.2), &w) == CM_REAL_MAX);
    q.position = cm_v(1, 0, 0);
    assert_true(cm_distance(&s, &p, &s, &q, 10, &w) <= 0);
    q.position.x = 1 + CM_REAL_EPSILON;
    assert_true(cm_distance(&s, &p, &s, &q, 10, &w) == CM_REAL_EPSILON);
    q.position.x = (cm_real)NAN;
    assert_true(cm_distance(&s, &p, &s, &q, 10, &w) == CM_REAL_MAX);
    cm_mesh_destroy(a, NULL);
}

/* One ball within another: solids are not apart; surfaces are, by what is between them. */
static void nested_solids_are_not_apart_and_nested_surfaces_are(void **state) {
    (void)state;
    cm_mesh *big = mesh_ball(cm_v(0, 0, 0), 1, 2, true), *skin = mesh_ball(cm_v(0, 0, 0), 1, 2, false);
    cm_mesh *box = mesh_box(cm_v(-CM_REAL(0.25), -CM_REAL(0.25), -CM_REAL(0.25)),
                            cm_v(CM_REAL(0.25), CM_REAL(0.25), CM_REAL(0.25)), true);
    cm_shape s = cm_make_mesh(big), t = cm_make_mesh(skin), u = cm_make_mesh(box);
    cm_pose p = cm_pose_identity();
    assert_true(cm_distance(&s, &p, &u, &p, CM_REAL(0.001), NULL) <= 0); /* also with the surfaces beyond the limit */
    assert_true(cm_distance(&u, &p, &s, &p, 100, NULL) <= 0);
    assert_true(cm_distance(&t, &p, &u, &p, 100, NULL) > CM_REAL(0.25));
    cm_mesh_destroy(big, NULL), cm_mesh_destroy(skin, NULL), cm_mesh_destroy(box, NULL);
}

/* The skin of a cylinder along z, of twelve columns and two rows, turned by `turn` columns. */
static cm_mesh *skin_of(double radius, double turn) {
    enum { COLUMNS = 12, ROWS = 3 };
    cm_real points[3 * COLUMNS * ROWS];
    uint32_t corners[6 * COLUMNS * (ROWS - 1)], count = 0;
    for (uint32_t row = 0; row < ROWS; ++row)
        for (uint32_t k = 0; k < COLUMNS; ++k) {
            const double angle = 2 * 3.14159265358979324 * (k + turn) / COLUMNS;
            cm_real *p = &points[3 * (row * COLUMNS + k)];
            p[0] = CM_REAL(radius * cos(angle)), p[1] = CM_REAL(radius * sin(angle)), p[2] = CM_REAL(row - 1.0);
        }
    for (uint32_t row = 0; row + 1 < ROWS; ++row)
        for (uint32_t k = 0; k < COLUMNS; ++k) {
            const uint32_t a = row * COLUMNS + k, b = row * COLUMNS + (k + 1) % COLUMNS;
            const uint32_t quad[6] = {a, b, b + COLUMNS, a, b + COLUMNS, a + COLUMNS};
            for (int i = 0; i < 6; ++i) corners[count++] = quad[i];
        }
    return mesh_of(points, COLUMNS * ROWS, corners, count / 3, false);
}

/* A shaft in the middle of its bearing is equally near it everywhere, up to rounding: which pair of triangles is told
 * may be any, but none is nearer by more than that; and where the gap is as small as rounding, none is nearer at all.
 */
static void of_pairs_that_are_equally_near_none_is_nearer_by_more_than_rounding(void **state) {
    (void)state;
    rng r = rng_start("ties", 24);
    int apart = 0, exact = 0;
    for (int i = 0; i < samples(60, 4000); ++i) {
        const double turn = rng_below(&r, 2) ? 0 : 0.5, gap = rng_log_range(&r, 1e-15, 1e-1);
        /* half a column's turn: the bearing's edges are over the middles of the shaft's faces */
        cm_mesh *shaft = skin_of(1, 0),
                *bearing = skin_of((1 + gap) / (turn > 0 ? cos(3.14159265358979324 / 12) : 1), turn);
        const cm_pose pose = rng_below(&r, 2) ? cm_pose_identity() : rng_pose(&r, 1);
        cm_pose other = pose;
        if (rng_below(&r, 2)) other.position.x += CM_REAL(gap) * CM_REAL_EPSILON;
        check_pose(shaft, &pose, bearing, &other, &apart);
        cm_shape a = cm_make_mesh(shaft), b = cm_make_mesh(bearing);
        cm_vec3 posed[36];
        cm_mesh_posed(&pose, bearing, &other, posed);
        const cm_real least = least_over_all_pairs(shaft, bearing, posed),
                      d = cm_distance(&a, &pose, &b, &other, CM_REAL_MAX, NULL);
        const double size = reach_of(shaft, cm_mesh_points(shaft)) + reach_of(bearing, posed);
        check_that(d >= least || d <= 0, "%.17g, below %.17g", (double)d, (double)least);
        check_that((double)(d - least) <= 0x1p-49 * size, "%.17g, over all pairs %.17g", (double)d, (double)least);
        const bool tiny = d > 0 && (sizeof d == sizeof(float) || (double)least < 0x1p-31 * size);
        check_that(!tiny || d == least, "%.17g for %.17g", (double)d, (double)least);
        exact += tiny;
        cm_mesh_destroy(shaft, NULL), cm_mesh_destroy(bearing, NULL);
    }
    check_that(apart * share() > 10 && exact * share() > 5, "%d apart, %d of them next to nothing", apart, exact);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_classic_pair_has_the_least_distance_over_all_pairs),
        cmocka_unit_test(robot_links_have_the_least_distance_over_all_pairs),
        cmocka_unit_test(balls_of_all_sizes_have_the_least_distance_over_all_pairs),
        cmocka_unit_test(boxes_have_the_distance_of_their_edges),
        cmocka_unit_test(nested_solids_are_not_apart_and_nested_surfaces_are),
        cmocka_unit_test(of_pairs_that_are_equally_near_none_is_nearer_by_more_than_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
