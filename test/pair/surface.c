/* Internal edges: on a flat sheet, cut in any way, every contact and sweep has the plane's normal, and all cuts give
 * the same times; at a ridge the ridge's own normals stay; distance and overlap know nothing of it. */
#include "support/meshes.h"
#include "support/shapes.h"
#include "support/solids.h"

#include "pair/surface.h"

#include <math.h>

static cm_hull *some_hull;

/* A flat square [-4, 4]^2 in the plane z = 0, cut at random: points of a jittered grid, diagonals by chance, some cells
 * cut through an inner point. Turned and moved by `pose`. */
static cm_mesh *flat_cut(rng *r, const cm_pose *pose) {
    enum { CELLS = 8 };
    soup s = {NULL, 0, 0};
    cm_vec3 p[CELLS + 1][CELLS + 1];
    for (int i = 0; i <= CELLS; i++) {
        for (int k = 0; k <= CELLS; k++) {
            bool rim = i == 0 || k == 0 || i == CELLS || k == CELLS;
            double jitter = rim ? 0 : 0.3;
            p[i][k] = cm_v(CM_REAL(i - CELLS / 2 + rng_range(r, -jitter, jitter)),
                           CM_REAL(k - CELLS / 2 + rng_range(r, -jitter, jitter)), 0);
        }
    }
    for (int i = 0; i < CELLS; i++) {
        for (int k = 0; k < CELLS; k++) {
            cm_vec3 a = p[i][k], b = p[i + 1][k], c = p[i + 1][k + 1], d = p[i][k + 1];
            if (rng_below(r, 4) == 0) {
                cm_vec3 m = cm_scale(cm_add(cm_add(a, b), cm_add(c, d)), CM_REAL(0.25));
                soup_add(&s, a, b, m);
                soup_add(&s, b, c, m);
                soup_add(&s, c, d, m);
                soup_add(&s, d, a, m);
            } else {
                soup_add_quad(&s, a, b, c, d, rng_below(r, 2) == 0);
            }
        }
    }
    soup_move(&s, pose);
    return soup_build(&s, false);
}

enum { MOVERS = 7 };
static cm_shape mover(int i) {
    switch (i) {
    case 0:
        return cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5));
    case 1:
        return cm_make_capsule(cm_v(-1, 0, 0), cm_v(1, 0, 0), CM_REAL(0.5));
    case 2:
        return cm_make_box(cm_v(1, CM_REAL(0.7), CM_REAL(0.5)));
    case 3:
        return cm_make_cylinder(CM_REAL(0.8), CM_REAL(0.5));
    case 4:
        return cm_make_rounded_box(cm_v(CM_REAL(0.7), CM_REAL(0.6), CM_REAL(0.4)), CM_REAL(0.1));
    case 5:
        return cm_make_hull(some_hull); /* its base at z = -0.5 */
    default:
        return cm_make_cone(CM_REAL(0.8), CM_REAL(0.5));
    }
}

/* On the sheet's middle, turned about its normal, `height` over where it rests. */
static cm_pose on_sheet(rng *r, const cm_pose *sheet, double height) {
    cm_pose p;
    double angle = rng_range(r, 0, 3);
    p.position = cm_v(CM_REAL(rng_range(r, -2, 2)), CM_REAL(rng_range(r, -2, 2)), CM_REAL(0.5 + height));
    p.rotation = cm_quat_identity();
    p.rotation.z = CM_REAL(sin(angle / 2)), p.rotation.w = CM_REAL(cos(angle / 2));
    return cm_pose_mul(sheet, &p);
}

static void flat_sheets_give_only_their_normal(void **state) {
    (void)state;
    rng r = rng_start("flat", 41);
    static cm_manifold m[512];
    int turned = 0;
    for (int cut = 0; cut < samples(300, 3000); cut++) {
        cm_pose home = cm_pose_identity(), sheet = cut % 3 ? home : rng_pose(&r, 10);
        cm_mesh *mesh = flat_cut(&r, &sheet);
        cm_shape b = cm_make_mesh(mesh);
        cm_vec3 up = cm_rotate(sheet.rotation, cm_v(0, 0, 1));
        for (int i = 0; i < MOVERS; i++) {
            cm_shape a = mover(i);
            double height = rng_below(&r, 3) == 0 ? 0 : rng_range(&r, -0.1, 0.04);
            cm_pose pose = on_sheet(&r, &sheet, height);
            int count = contacts_by_part(&a, &pose, &b, &home, CM_REAL(0.05), m, 512);
            check_that(count > 0, "%s: no contact at %g", cm_kind_name(a.kind), height);
            double deepest = -1e300;
            for (int k = 0; k < count; k++) {
                double off = (double)cm_length(cm_add(m[k].normal, up));
                check_that(off < 1e-4, "%s %d at %g: normal off by %g", cm_kind_name(a.kind), i, height, off);
                for (int q = 0; q < m[k].count; q++) {
                    double depth = (double)m[k].points[q].depth;
                    deepest = depth > deepest ? depth : deepest;
                    check_that(depth <= -height + 2e-5, "%s: depth %g, %g deep", cm_kind_name(a.kind), depth, -height);
                }
                cm_witness w;
                uint32_t c[3];
                cm_mesh_corners(mesh, m[k].part_b, c);
                const cm_vec3 *p = cm_mesh_points(mesh);
                cm_shape t = cm_make_triangle(p[c[0]], p[c[1]], p[c[2]]);
                cm_distance(&a, &pose, &t, &home, CM_REAL_MAX, &w);
                turned += (double)cm_length(cm_add(w.normal, up)) > 0.01;
            }
            check_that(fabs(deepest + height) < 2e-5, "%s: deepest %g, truly %g", cm_kind_name(a.kind), deepest,
                       -height);
        }
        cm_mesh_destroy(mesh, NULL);
    }
    check_that(turned > 100, "%d edges would have shown", turned); /* there was something to do */
}

static void all_cuts_are_met_at_the_same_time(void **state) {
    (void)state;
    rng r = rng_start("cuts", 42);
    cm_pose home = cm_pose_identity();
    cm_motion still, m;
    memset(&still, 0, sizeof still);
    memset(&m, 0, sizeof m);
    still.start = home;
    for (int cut = 0; cut < samples(300, 3000); cut++) {
        cm_mesh *mesh = flat_cut(&r, &home);
        cm_shape b = cm_make_mesh(mesh);
        for (int i = 0; i < MOVERS; i++) {
            cm_shape a = mover(i);
            cm_sweep_hit h;
            /* falling on it at a slant: 1 down of 2 */
            m.start = on_sheet(&r, &home, 1);
            m.move = cm_v(CM_REAL(rng_range(&r, -1, 1)), CM_REAL(rng_range(&r, -1, 1)), -2);
            check_that(cm_sweep(&a, &m, &b, &still, &h), "%s falls through", cm_kind_name(a.kind));
            double off = (double)cm_length(cm_add(h.normal, cm_v(0, 0, 1)));
            check_that(off < 1e-4 && fabs((double)h.first - 0.5) < (sizeof(cm_real) == 4 ? 3e-5 : 1e-9) &&
                           h.first <= CM_REAL(0.5) + CM_REAL_EPSILON,
                       "%s %d: normal off by %g, first %.9g", cm_kind_name(a.kind), i, off, (double)h.first);
            check_that(h.blocking && h.start == CM_SWEEP_SEPARATED, "%s not blocked", cm_kind_name(a.kind));
            /* sliding along it, resting */
            m.start = on_sheet(&r, &home, 0);
            m.move.z = 0;
            if (cm_sweep(&a, &m, &b, &still, &h)) {
                off = (double)cm_length(cm_add(h.normal, cm_v(0, 0, 1)));
                check_that(!h.blocking || h.start == CM_SWEEP_OVERLAPPING, "%s %d: blocked at %g by %g %g %g",
                           cm_kind_name(a.kind), i, (double)h.first, (double)h.normal.x, (double)h.normal.y,
                           (double)h.normal.z);
                check_that(off < 1e-4, "%s %d: normal off by %g", cm_kind_name(a.kind), i, off);
            }
        }
        cm_mesh_destroy(mesh, NULL);
    }
}

/* Round bodies within the gap of a sweep over a sheet: the ball over the middle of a triangle has edges beside it that
 * are as near but for that gap. A slide that meets the sheet at the start is told its normal, and not blocked. */
static void what_hovers_and_slides_is_told_the_sheets_normal(void **state) {
    (void)state;
    rng r = rng_start("hovering", 51);
    const cm_pose home = cm_pose_identity();
    int hits = 0, slides = 0;
    for (int cut = 0; cut < samples(100, 2000); cut++) {
        cm_mesh *mesh = flat_cut(&r, &home);
        cm_shape b = cm_make_mesh(mesh);
        for (int i = 0; i < 60; i++, slides++) {
            cm_shape a = mover(i % 2);
            cm_sweep_hit h;
            const cm_motion still = {.start = home};
            cm_motion m = {.start = on_sheet(&r, &home, rng_below(&r, 8) * 2 * (double)CM_REAL_EPSILON)};
            m.move = cm_v(CM_REAL(rng_range(&r, -1, 1)), CM_REAL(rng_range(&r, -1, 1)), 0);
            if (!cm_sweep(&a, &m, &b, &still, &h) || h.first > CM_REAL_EPSILON) continue;
            const double off = (double)cm_length(cm_add(h.normal, cm_v(0, 0, 1)));
            check_that(off < 4 * (double)CM_REAL_EPSILON && !h.blocking,
                       "%d %d: normal off by %g, start %d, blocking %d", cut, i, off, (int)h.start, h.blocking);
            ++hits;
        }
        cm_mesh_destroy(mesh, NULL);
    }
    check_that(hits > slides / 16, "%d hits of %d", hits, slides);
}

/* A roof of two slopes, 45 degrees each, along y. */
static cm_mesh *roof(bool valley) {
    soup s = {NULL, 0, 0};
    cm_real low = valley ? 4 : -4;
    for (int k = -4; k < 4; k++) {
        cm_real y = CM_REAL(k);
        soup_add_quad(&s, cm_v(-4, y, low), cm_v(0, y, 0), cm_v(0, y + 1, 0), cm_v(-4, y + 1, low), k & 1);
        soup_add_quad(&s, cm_v(0, y, 0), cm_v(4, y, low), cm_v(4, y + 1, low), cm_v(0, y + 1, 0), k & 2);
    }
    return soup_build(&s, false);
}

static void ridges_keep_their_normals(void **state) {
    (void)state;
    cm_mesh *mesh = roof(false);
    cm_shape b = cm_make_mesh(mesh), ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    cm_pose home = cm_pose_identity(), pose = home;
    cm_manifold m[64];
    for (int i = -20; i <= 20; i++) { /* over the ridge, at angles up to 45 degrees to either side */
        double angle = 0.78 * i / 20;
        pose.position = cm_v(CM_REAL(0.99 * sin(angle)), CM_REAL(0.3), CM_REAL(0.99 * cos(angle)));
        int count = cm_contact(&ball, &pose, &b, &home, 0, m, 64);
        check_that(count > 0, "no contact at %g", angle);
        for (int k = 0; k < count; k++)
            check_that(fabs((double)m[k].normal.x + sin(angle)) < 1e-3 && fabs((double)m[k].normal.y) < 1e-3,
                       "at %g: %g %g", angle, (double)m[k].normal.x, (double)m[k].normal.y);
    }
    pose.position = cm_v(CM_REAL(1.5), CM_REAL(0.3), CM_REAL(-0.2)); /* beside it: the slope's */
    int count = cm_contact(&ball, &pose, &b, &home, 0, m, 64);
    check_that(count > 0, "%d", count);
    for (int k = 0; k < count; k++)
        check_that(fabs((double)m[k].normal.x + sqrt(0.5)) < 1e-4, "%g", (double)m[k].normal.x);
    cm_mesh_destroy(mesh, NULL);
}

static void valleys_give_the_slopes(void **state) {
    (void)state;
    cm_mesh *mesh = roof(true);
    cm_shape b = cm_make_mesh(mesh), ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    cm_pose home = cm_pose_identity(), pose = home;
    cm_manifold m[64];
    for (int i = 0; i <= 20; i++) { /* down the valley, touching one slope, then both, then deep in both */
        pose.position = cm_v(CM_REAL(0.05 * (20 - i)), CM_REAL(0.3), CM_REAL(1.3 + 0.02 * (20 - i)));
        int count = cm_contact(&ball, &pose, &b, &home, 0, m, 64);
        check_that(count > 0, "no contact at %d", i);
        for (int k = 0; k < count; k++)
            check_that(fabs(fabs((double)m[k].normal.x) - sqrt(0.5)) < 1e-4 && fabs((double)m[k].normal.y) < 1e-4,
                       "at %d: %g %g", i, (double)m[k].normal.x, (double)m[k].normal.y);
    }
    cm_mesh_destroy(mesh, NULL);
}

/* From below a ridge is a valley. */
static void both_sides_of_a_surface_count(void **state) {
    (void)state;
    cm_mesh *mesh = roof(true);
    cm_shape b = cm_make_mesh(mesh), ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    cm_pose home = cm_pose_identity(), pose = home;
    cm_manifold m[64];
    pose.position = cm_v(0, CM_REAL(0.3), CM_REAL(-0.99));
    int count = cm_contact(&ball, &pose, &b, &home, 0, m, 64);
    check_that(count > 0, "%d", count);
    for (int k = 0; k < count; k++)
        check_that(fabs((double)m[k].normal.z - 1) < 1e-4, "%g %g", (double)m[k].normal.x, (double)m[k].normal.z);
    cm_mesh_destroy(mesh, NULL);
}

/* A long box lies across the ridge of a roof, most of it to one side: its center is below the other slope's plane. No
 * normal but the ridge's and the slopes' is right. */
static void what_balances_on_a_ridge_is_held_from_below(void **state) {
    (void)state;
    cm_mesh *mesh = roof(false);
    cm_shape b = cm_make_mesh(mesh);
    const cm_shape movers[3] = {cm_make_box(cm_v(3, CM_REAL(0.6), CM_REAL(0.25))),
                                cm_make_rounded_box(cm_v(CM_REAL(2.75), CM_REAL(0.5), CM_REAL(0.125)), CM_REAL(0.125)),
                                cm_make_capsule(cm_v(-3, 0, 0), cm_v(3, 0, 0), CM_REAL(0.25))};
    cm_motion still, down;
    memset(&still, 0, sizeof still);
    still.start = cm_pose_identity();
    down = still;
    cm_manifold m[64];
    for (int i = 0; i < 18; i++) {
        cm_real side = i % 2 ? CM_REAL(-2.5) : CM_REAL(2.5), depth = CM_REAL(0.001 * (i / 6));
        const cm_shape *a = &movers[i / 2 % 3];
        cm_pose pose = cm_pose_identity();
        pose.position = cm_v(side, CM_REAL(0.3), CM_REAL(0.25) - depth);
        int count = cm_contact(a, &pose, &b, &still.start, 0, m, 64);
        check_that(count > 0, "%d", count);
        for (int k = 0; k < count; k++)
            check_that((double)m[k].normal.z < -0.7, "%d, triangle %u: normal %g %g %g", i, m[k].part_b,
                       (double)m[k].normal.x, (double)m[k].normal.y, (double)m[k].normal.z);
        cm_sweep_hit h;
        down.start = pose;
        down.start.position.z += 1;
        down.move = cm_v(0, 0, -2);
        assert_true(cm_sweep(a, &down, &b, &still, &h));
        check_that(h.blocking && (double)h.normal.z < -0.7, "%d: blocking %d, normal %g %g %g", i, h.blocking,
                   (double)h.normal.x, (double)h.normal.y, (double)h.normal.z);
    }
    cm_mesh_destroy(mesh, NULL);
}

static int set_up(void **state) {
    (void)state;
    cm_vec3 points[10];
    for (int i = 0; i < 5; i++) { /* a prism of five sides */
        double x = 0.9 * cos(i * 1.25663706), y = 0.9 * sin(i * 1.25663706);
        points[2 * i] = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(-0.5));
        points[2 * i + 1] = cm_v(CM_REAL(x), CM_REAL(y), CM_REAL(0.5));
    }
    some_hull = hull_of(points, 10);
    return 0;
}
static int tear_down(void **state) {
    (void)state;
    cm_hull_destroy(some_hull, NULL);
    return 0;
}

/* A cone leans into a flat floor near a seam: sideways past the seam, and a little downward, is the shortest way out of
 * one triangle. Its deepest point is told all the same, as deep along the floor's normal as it is. */
static void what_leans_into_a_floor_keeps_its_depth(void **state) {
    (void)state;
    rng r = rng_start("leaning", 83);
    for (int i = 0; i < samples(4000, 200000); i++) {
        static const uint32_t fan[12] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
        cm_real corners[15] = {-4, -4, 0, 4, -4, 0, 4, 4, 0, -4, 4, 0};
        corners[12] = CM_REAL(rng_range(&r, -0.2, 0.2)), corners[13] = CM_REAL(rng_range(&r, -0.2, 0.2));
        cm_mesh *mesh = mesh_of(corners, 5, fan, 4, false);
        cm_shape floor = cm_make_mesh(mesh);
        cm_shape cone = cm_make_cone(CM_REAL(rng_range(&r, 0.3, 1)), CM_REAL(rng_range(&r, 0.3, 1)));
        cm_pose still = cm_pose_identity(), pose = rng_pose(&r, 0);
        cm_aabb box;
        cm_shape_bounds(&cone, &pose, &box);
        cm_real depth = CM_REAL(rng_range(&r, 0.002, 0.03));
        pose.position.z = -box.min.z - depth;
        cm_manifold m[8];
        cm_real deepest = 0;
        int count = cm_contact(&floor, &still, &cone, &pose, 0, m, 8);
        for (int k = 0; k < count; k++)
            for (int j = 0; j < m[k].count; j++) deepest = cm_max(deepest, m[k].points[j].depth);
        check_that(cm_abs(deepest - depth) < CM_REAL(0.2) * depth, "%d: %g deep, told %g", i, (double)depth,
                   (double)deepest);
        cm_mesh_destroy(mesh, NULL);
    }
}

/* A triangle of which a corner is obtuse, with an open rim or a ridge on one side of that corner and a flat seam on the
 * other: what is square to the rim or the ridge points over the seam's line as well, but is not met there. */
static void obtuse_triangles_keep_their_rims_and_ridges(void **state) {
    (void)state;
    rng r = rng_start("obtuse", 84);
    for (int i = 0; i < samples(500, 20000); i++) {
        /* in the half y >= 0 of the ground; the wall below its rim, on the line y = 0, is there or not */
        cm_real side = CM_REAL(rng_range(&r, -3, -0.1)), depth = CM_REAL(rng_range(&r, 0.1, 1));
        cm_real corners[18] = {0, 0, 0, 2, 0, 0, side, 1, 0, -3, 0, 0, 0, 0, -1, 2, 0, -1};
        static const uint32_t triangles[12] = {0, 1, 2, 0, 2, 3, 0, 4, 1, 4, 5, 1};
        cm_mesh *mesh = mesh_of(corners, 6, triangles, i % 2 ? 4 : 2, false);
        cm_shape b = cm_make_mesh(mesh), ball = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.1));
        cm_pose home = cm_pose_identity(), pose = home;
        double angle = rng_range(&r, 0.1, 1.4);
        cm_vec3 out = cm_v(0, CM_REAL(-cos(angle)), CM_REAL(sin(angle)));
        pose.position =
            cm_mul_add(cm_v(CM_REAL(rng_range(&r, 0.2, 1.8)), 0, 0), CM_REAL(0.1) - depth * CM_REAL(0.01), out);
        cm_manifold m[4];
        int count = cm_contact(&ball, &pose, &b, &home, 0, m, 4);
        check_that(count > 0, "%d", count);
        for (int k = 0; k < count; k++)
            check_that((double)cm_length(cm_add(m[k].normal, out)) < 1e-3, "%d: out %g %g, normal %g %g %g", i,
                       (double)out.y, (double)out.z, (double)m[k].normal.x, (double)m[k].normal.y,
                       (double)m[k].normal.z);
        cm_mesh_destroy(mesh, NULL);
    }
}

/* A fan in a wall, close below its upper edge: the triangle below the fan's middle is a needle along the edge. The way
 * up is across both of its long edges, and no normal of the wall. */
static void a_needle_below_an_edge_turns_no_direction(void **state) {
    (void)state;
    rng r = rng_start("needles", 53);
    int kept = 0;
    for (int i = 0; i < samples(500, 20000); i++) {
        const double middle = rng_log_range(&r, 1e-8, 1e-4);
        const cm_real m = CM_REAL(-middle), low = CM_REAL(-middle * rng_range(&r, 1.5, 4));
        const cm_real left = CM_REAL(rng_range(&r, -1, -0.1)), right = CM_REAL(rng_range(&r, 0.1, 1));
        const cm_real corners[18] = {0, 0, m, 0, left, low, 0, right, low, 0, 1, 0, 0, -1, 0, -1, 0, 0};
        static const uint32_t triangles[15] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1, 4, 3, 5};
        cm_mesh *mesh = mesh_of(corners, 6, triangles, 5, false);
        if (cm_mesh_triangle_count(mesh) == 5) {
            const cm_shape b = cm_make_mesh(mesh);
            const cm_aabb box = {cm_v(-1, -1, -1), cm_v(1, 1, 1)};
            for (uint32_t number = 0; number < 5; number++) {
                const cm_triangle t = mesh_triangle(mesh, number).u.triangle;
                cm__surface s;
                cm__surface_of(&b, cm__p(-0.5, 0, 0.5), &box, &s);
                cm__point up = {0, 0, 1};
                if (!cm__surface_has(&s, number, &t, cm__p(0, 0, -middle), &up)) continue;
                check_that(up.z > 1 - 1e-5, "%d: triangle %u, %g below the edge: turned to %g %g %g", i, number, middle,
                           up.x, up.y, up.z);
                ++kept;
            }
        }
        cm_mesh_destroy(mesh, NULL);
    }
    check_that(kept > samples(500, 20000) / 8, "%d kept", kept);
}

/* The farthest corner along a direction. */
static double mesh_reach(const cm_mesh *mesh, cm__point d) {
    double most = -HUGE_VAL;
    for (uint32_t t = 0; t < cm_mesh_triangle_count(mesh); t++) {
        const cm_triangle c = mesh_triangle(mesh, t).u.triangle;
        most = fmax(most, cm__point_dot(d, cm__point_of(c.a)));
        most = fmax(most, fmax(cm__point_dot(d, cm__point_of(c.b)), cm__point_dot(d, cm__point_of(c.c))));
    }
    return most;
}

/* Whatever direction is asked for at a triangle of a convex solid, the answer is a normal of a plane through that
 * triangle that supports the solid. */
static void every_direction_of_a_convex_solid_supports_it(void **state) {
    (void)state;
    rng r = rng_start("supports", 73);
    cm_mesh *meshes[4] = {solid_box(1, 1, 1, 2, true), mesh_ball(cm_v(0, 0, 0), 1, 1, true), solid_cone(1, 3, 16),
                          solid_sphere(1, 5, 7)};
    int replaced = 0;
    for (int i = 0; i < samples(8000, 800000); i++) {
        const cm_mesh *mesh = meshes[i % 4];
        const cm_shape shape = cm_make_mesh(mesh);
        const uint32_t number = rng_below(&r, cm_mesh_triangle_count(mesh));
        const cm_triangle t = mesh_triangle(mesh, number).u.triangle;
        const cm__point c[3] = {cm__point_of(t.a), cm__point_of(t.b), cm__point_of(t.c)};
        cm_vec3 asked = rng_direction(&r);
        if (i % 3 == 0) /* along axes and halfway between */
            asked = cm_v(CM_REAL(rng_below(&r, 3)) - 1, CM_REAL(rng_below(&r, 3)) - 1, CM_REAL(rng_below(&r, 3)) - 1);
        cm__point d = wide_normalize(cm__point_of(asked), cm__p(0, 0, 1));
        int best = 0;
        for (int k = 1; k < 3; k++)
            if (cm__point_dot(d, c[k]) > cm__point_dot(d, c[best])) best = k;
        const cm_aabb box = {cm_v(-1, -1, -1), cm_v(1, 1, 1)};
        cm__surface s;
        cm__surface_of(&shape, cm__point_mul_add(c[best], 0.5, d), &box, &s);
        const cm__surface_answer answer = cm__surface_direction(&s, number, &t, c[best], &d);
        assert_true(answer != CM__SURFACE_NONE);
        replaced += answer == CM__SURFACE_REPLACED;
        const double own = fmax(cm__point_dot(d, c[0]), fmax(cm__point_dot(d, c[1]), cm__point_dot(d, c[2])));
        const double all = mesh_reach(mesh, d);
        check_that(all - own < 5e-5, "mesh %d, triangle %u, %s: the solid reaches %g farther", i % 4, number,
                   answer == CM__SURFACE_KEPT ? "kept" : "replaced", all - own);
    }
    check_that(3 * replaced > samples(8000, 800000), "%d replaced", replaced);
    for (int i = 0; i < 4; i++) cm_mesh_destroy(meshes[i], NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_sheets_give_only_their_normal),
        cmocka_unit_test(all_cuts_are_met_at_the_same_time),
        cmocka_unit_test(what_hovers_and_slides_is_told_the_sheets_normal),
        cmocka_unit_test(ridges_keep_their_normals),
        cmocka_unit_test(valleys_give_the_slopes),
        cmocka_unit_test(both_sides_of_a_surface_count),
        cmocka_unit_test(what_balances_on_a_ridge_is_held_from_below),
        cmocka_unit_test(obtuse_triangles_keep_their_rims_and_ridges),
        cmocka_unit_test(what_leans_into_a_floor_keeps_its_depth),
        cmocka_unit_test(a_needle_below_an_edge_turns_no_direction),
        cmocka_unit_test(every_direction_of_a_convex_solid_supports_it),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
