/* Meshes against every convex kind, half-spaces and meshes: against each triangle in turn, against sampled points, and
 * against answers known beforehand. */
#include "support/meshes.h"
#include "support/shapes.h"
#include "support/solid.h"
#include "support/solids.h"

#include <math.h>

#define COMPOSITE_BOUND (sizeof(cm_real) == 4 ? 4e-6 : 1e-12)

static cm_hull *some_hull;

/* The answers by every triangle. */
static void surfaces_are_the_sum_of_their_triangles(void **state) {
    (void)state;
    rng r = rng_start("composite", 11);
    cm_mesh *mesh = surface_bumps(10, CM_REAL(0.7), &r);
    cm_shape b = cm_make_mesh(mesh);
    int hits = 0;
    for (int kind = 0; kind < CONVEX_KINDS; kind++) {
        for (int i = 0; i < samples(150, 15000); i++) {
            double size = rng_log_range(&r, 0.05, 3);
            cm_shape a = convex_random(kind, size, some_hull, &r);
            cm_pose pose_a = rng_pose(&r, 4), pose_b = rng_pose(&r, 2);
            double least = 1e300;
            bool touch = false;
            for (uint32_t t = 0; t < cm_mesh_triangle_count(mesh); t++) {
                cm_shape triangle = mesh_triangle(mesh, t);
                double d = (double)cm_distance(&a, &pose_a, &triangle, &pose_b, CM_REAL_MAX, NULL);
                least = d < least ? d : least;
                touch = touch || cm_overlap(&a, &pose_a, &triangle, &pose_b);
            }
            cm_witness w, v;
            double d = (double)cm_distance(&a, &pose_a, &b, &pose_b, CM_REAL_MAX, &w);
            double e = (double)cm_distance(&b, &pose_b, &a, &pose_a, CM_REAL_MAX, &v);
            double bound = COMPOSITE_BOUND * 8;
            if (kind >= CONVEX_CYLINDER && bound < 1e-8) bound = 1e-8; /* what curved shapes promise */
            check_that(fabs(d - least) <= bound, "%s: %g, by triangles %g", convex_names[kind], d, least);
            check_that(d == e && w.part_b == v.part_a && w.normal.x == -v.normal.x, "%s swapped: %g %g",
                       convex_names[kind], d, e);
            bool overlap = cm_overlap(&a, &pose_a, &b, &pose_b);
            check_that(overlap == (d <= 0), "%s: overlap %d at %g", convex_names[kind], overlap, d);
            check_that(overlap == touch || fabs(least) <= bound, "%s: overlap %d, by triangles %d at %g",
                       convex_names[kind], overlap, touch, least);
            check_that((w.flags & CM_WITNESS_LOWER_BOUND) == (d <= 0), "%s: flags %u at %g", convex_names[kind],
                       w.flags, d);
            cm_shape part = mesh_triangle(mesh, w.part_b);
            double own = (double)cm_distance(&a, &pose_a, &part, &pose_b, CM_REAL_MAX, NULL);
            check_that(fabs(own - d) <= bound, "%s: part %u is at %g, not %g", convex_names[kind], w.part_b, own, d);
            cm_vec3 step = cm_sub(cm_sub(w.point_b, w.point_a), cm_scale(w.normal, w.distance));
            /* curved: the distance is flat around its witnesses, which are the square root less certain */
            check_that((double)cm_length(step) <= (kind < CONVEX_CYLINDER ? 16 * bound : 1e-4),
                       "%s: witnesses off by %g at %g", convex_names[kind], (double)cm_length(step), d);
            if (d > 0) {
                check_that(cm_distance(&a, &pose_a, &b, &pose_b, CM_REAL(d * 0.9), NULL) == CM_REAL_MAX,
                           "%s: found beyond the limit of %g", convex_names[kind], d);
                check_that((double)cm_distance(&a, &pose_a, &b, &pose_b, CM_REAL(d), NULL) == d, "%s: lost at %g",
                           convex_names[kind], d);
            }
            hits += overlap;
        }
    }
    check_that(hits * share() > 100, "%d overlaps", hits);
    cm_mesh_destroy(mesh, NULL);
}

static wide3 wide_point(const cm_pose *pose, cm_vec3 p) {
    cm_vec3 q = cm_pose_apply(pose, p);
    return w3((long double)q.x, (long double)q.y, (long double)q.z);
}

/* No sampled point of a box is nearer to a sampled point of the mesh than the distance, nor does one lie in the solid
 * where they do not overlap. */
static void no_sampled_points_are_nearer(void **state) {
    (void)state;
    rng r = rng_start("sampled", 12);
    cm_mesh *mesh = mesh_ball(cm_v(0, 0, 0), 1, 3, true);
    cm_shape b = cm_make_mesh(mesh);
    int inside = 0;
    for (int i = 0; i < samples(400, 40000); i++) {
        cm_vec3 half = cm_vec3_abs(rng_vec3(&r, rng_log_range(&r, 0.02, 1)));
        cm_shape a = cm_make_box(half);
        cm_pose pose_a = rng_pose(&r, 1.5), pose_b = rng_pose(&r, 0.2);
        double d = (double)cm_distance(&a, &pose_a, &b, &pose_b, CM_REAL_MAX, NULL);
        bool overlap = cm_overlap(&a, &pose_a, &b, &pose_b);
        check_that(overlap == (d <= 0), "overlap %d at %g", overlap, d);
        bool seen = false;
        for (int k = 0; k < 60; k++) {
            cm_vec3 own = cm_v(half.x * CM_REAL(rng_range(&r, -1, 1)), half.y * CM_REAL(rng_range(&r, -1, 1)),
                               half.z * CM_REAL(rng_range(&r, -1, 1)));
            cm_vec3 there = cm_pose_unapply(&pose_b, cm_pose_apply(&pose_a, own));
            double out = (double)cm_length(there);
            if (out < 0.97) seen = true; /* the ball's triangles lie within 0.03 of the sphere */
            cm_shape t = mesh_triangle(mesh, rng_below(&r, cm_mesh_triangle_count(mesh)));
            double u = rng_unit(&r), v = rng_unit(&r) * (1 - u);
            cm_vec3 on =
                cm_add(cm_add(cm_scale(t.u.triangle.a, CM_REAL(1 - u - v)), cm_scale(t.u.triangle.b, CM_REAL(u))),
                       cm_scale(t.u.triangle.c, CM_REAL(v)));
            double apart = (double)w3_length(w3_sub(wide_point(&pose_a, own), wide_point(&pose_b, on)));
            check_that(apart >= d - 1e-5, "points %g apart, distance %g", apart, d);
        }
        check_that(!seen || overlap, "a point within, no overlap");
        inside += seen;
    }
    check_that(inside * share() > 50, "%d within", inside);
    cm_mesh_destroy(mesh, NULL);
}

/* A ball well within a solid overlaps it, and the way out is at least to the wall and its own radius. */
static void a_ball_within_a_solid_overlaps_it(void **state) {
    (void)state;
    cm_mesh *filled = mesh_box(cm_v(-5, -5, -5), cm_v(5, 5, 5), true);
    cm_mesh *surface = mesh_box(cm_v(-5, -5, -5), cm_v(5, 5, 5), false);
    cm_shape s = cm_make_mesh(filled), t = cm_make_mesh(surface), ball = cm_make_sphere(cm_v(0, 0, 0), CM_REAL(0.5));
    cm_pose home = cm_pose_identity(), pose = cm_pose_identity();
    pose.position = cm_v(0, 0, 3);
    assert_true(cm_overlap(&ball, &pose, &s, &home));
    assert_false(cm_overlap(&ball, &pose, &t, &home));
    cm_witness w;
    double d = (double)cm_distance(&s, &home, &ball, &pose, CM_REAL_MAX, &w);
    check_that(fabs(d + 2.5) < 1e-6 && w.flags == CM_WITNESS_LOWER_BOUND && fabs((double)w.normal.z - 1) < 1e-6,
               "%g, flags %u", d, w.flags);
    check_that((double)cm_distance(&ball, &pose, &s, &home, 0, NULL) == d, "lost at a limit of 0");
    d = (double)cm_distance(&t, &home, &ball, &pose, CM_REAL_MAX, NULL);
    check_that(fabs(d - 1.5) < 1e-6, "%g", d);
    cm_manifold m[4];
    assert_int_equal(cm_contact(&ball, &pose, &s, &home, 0, m, 4), 1);
    check_that(fabs((double)m[0].points[0].depth - 2.5) < 1e-6 && fabs((double)m[0].normal.z + 1) < 1e-6, "%g",
               (double)m[0].points[0].depth);
    assert_int_equal(cm_contact(&ball, &pose, &t, &home, 0, m, 4), 0);
    /* sinking in, the depth grows without a jump */
    double last = 1e300;
    for (int i = 0; i <= 200; i++) {
        pose.position = cm_v(CM_REAL(0.3), CM_REAL(0.2), CM_REAL(6 - 0.02 * i));
        double depth = (double)cm_distance(&ball, &pose, &s, &home, CM_REAL_MAX, NULL);
        check_that(fabs(depth - (6 - 0.02 * i - 5.5)) < 1e-5, "at %d: %g", i, depth);
        check_that(depth < last, "at %d: %g after %g", i, depth, last);
        last = depth;
    }
    cm_mesh_destroy(filled, NULL);
    cm_mesh_destroy(surface, NULL);
}

/* Moving by less than the depth never parts a shape from a solid. */
static void depth_is_a_lower_bound(void **state) {
    (void)state;
    rng r = rng_start("lower bound", 13);
    cm_mesh *mesh = mesh_ball(cm_v(0, 0, 0), 1, 2, true);
    cm_shape b = cm_make_mesh(mesh);
    cm_pose home = cm_pose_identity();
    int hits = 0;
    for (int kind = 0; kind < CONVEX_KINDS; kind++) {
        for (int i = 0; i < samples(100, 10000); i++) {
            cm_shape a = convex_random(kind, rng_log_range(&r, 0.02, 0.6), some_hull, &r);
            cm_pose pose = rng_pose(&r, 0.7);
            double d = (double)cm_distance(&a, &pose, &b, &home, CM_REAL_MAX, NULL);
            if (d > -1e-4) continue;
            hits++;
            for (int k = 0; k < 8; k++) {
                cm_pose moved = pose;
                moved.position = cm_mul_add(pose.position, CM_REAL(-d * 0.999), rng_direction(&r));
                check_that(cm_overlap(&a, &moved, &b, &home), "%s: parted by less than its depth %g",
                           convex_names[kind], d);
            }
        }
    }
    check_that(hits > 100, "%d hits", hits);
    cm_mesh_destroy(mesh, NULL);
}

static void contacts_are_as_deep_as_the_distance(void **state) {
    (void)state;
    rng r = rng_start("contacts", 14);
    cm_mesh *mesh = surface_bumps(8, CM_REAL(0.5), &r);
    cm_shape b = cm_make_mesh(mesh);
    static cm_manifold m[256], few[3], back[256];
    for (int kind = 0; kind < CONVEX_KINDS; kind++) {
        for (int i = 0; i < samples(150, 15000); i++) {
            cm_shape a = convex_random(kind, rng_log_range(&r, 0.05, 1.5), some_hull, &r);
            cm_pose pose_a = rng_pose(&r, 3), pose_b = rng_pose(&r, 1);
            cm_real margin = rng_below(&r, 2) ? CM_REAL(rng_range(&r, 0, 0.3)) : 0;
            int count = cm_contact(&a, &pose_a, &b, &pose_b, margin, m, 256);
            double d = (double)cm_distance(&a, &pose_a, &b, &pose_b, CM_REAL_MAX, NULL);
            check_that(count <= 256 && (count > 0) == (d <= (double)margin), "%s: %d contacts at %g, margin %g",
                       convex_names[kind], count, d, (double)margin);
            assert_int_equal(cm_contact(&a, &pose_a, &b, &pose_b, margin, few, 3), count);
            assert_int_equal(cm_contact(&a, &pose_a, &b, &pose_b, margin, NULL, 0), count);
            for (int k = 0; k < count && k < 3; k++) assert_int_equal(few[k].part_b, m[k].part_b);
            assert_int_equal(cm_contact(&b, &pose_b, &a, &pose_a, margin, back, 256), count);
            for (int k = 0; k < count; k++) {
                check_that(m[k].part_a == CM_NONE && m[k].part_b < cm_mesh_triangle_count(mesh), "%s: parts %u %u",
                           convex_names[kind], m[k].part_a, m[k].part_b);
                check_that(back[k].part_a == m[k].part_b && back[k].normal.x == -m[k].normal.x &&
                               back[k].points[0].depth == m[k].points[0].depth,
                           "%s swapped", convex_names[kind]);
                check_that(fabs((double)cm_length(m[k].normal) - 1) < 1e-5 && m[k].count >= 1 && m[k].count <= 8,
                           "%s: normal of length %g, %d points", convex_names[kind], (double)cm_length(m[k].normal),
                           m[k].count);
                for (int p = 0; p < m[k].count; p++) {
                    const cm_contact_point *q = &m[k].points[p];
                    cm_vec3 step = cm_add(cm_sub(q->point_b, q->point_a), cm_scale(m[k].normal, q->depth));
                    check_that((double)cm_length(step) < 2e-5, "%s: points off by %g", convex_names[kind],
                               (double)cm_length(step));
                    check_that((double)q->depth >= -(double)margin - 1e-5, "%s: depth %g beyond the margin %g",
                               convex_names[kind], (double)q->depth, (double)margin);
                }
            }
        }
    }
    cm_mesh_destroy(mesh, NULL);
}

/* A box half in a solid, its middle in the plane of one of the solid's faces: its contact is as deep as the distance
 * says, where no direction of the surface leads out, too. */
static void what_has_its_middle_in_a_face_is_as_deep_as_the_distance(void **state) {
    (void)state;
    const cm_vec3 half = cm_v(1, CM_REAL(0.5), CM_REAL(0.25));
    soup s = {NULL, 0, 0};
    soup_add_box(&s, cm_neg(half), half, 4, false, false);
    cm_mesh *mesh = soup_build(&s, true);
    const cm_shape block = cm_make_mesh(mesh), box = cm_make_box(half);
    const cm_pose home = cm_pose_identity();
    static cm_manifold m[512];
    for (int i = 0; i < 4 * 2 * 3; i++) {
        const double x[4] = {-1, -0.5, 0.5, 1};
        cm_pose at = home;
        at.position = cm_v(CM_REAL(x[i % 4]), i / 4 % 2 ? half.y : -half.y, CM_REAL(0.1) * (cm_real)(i / 8 - 1));
        for (int swap = 0; swap < 2; swap++) {
            const cm_shape *a = swap ? &box : &block, *b = swap ? &block : &box;
            const cm_pose *pa = swap ? &at : &home, *pb = swap ? &home : &at;
            const double d = (double)cm_distance(a, pa, b, pb, CM_REAL_MAX, NULL);
            const int count = cm_contact(a, pa, b, pb, 0, m, 512);
            double deepest = -1;
            for (int k = 0; k < count && k < 512; k++)
                for (int c = 0; c < m[k].count; c++) deepest = fmax(deepest, (double)m[k].points[c].depth);
            check_that(deepest > -d - 1e-5, "%d, %d: %d contacts, %g deep, distance %g", i, swap, count, deepest, d);
        }
    }
    cm_mesh_destroy(mesh, NULL);
}

static void halfspaces_meet_the_lowest_corner(void **state) {
    (void)state;
    rng r = rng_start("half-space", 15);
    cm_mesh *mesh = surface_bumps(10, CM_REAL(0.7), &r);
    cm_shape b = cm_make_mesh(mesh);
    static cm_manifold m[512];
    for (int i = 0; i < samples(500, 50000); i++) {
        cm_shape a = cm_make_halfspace(rng_direction(&r), CM_REAL(rng_range(&r, -4, 4)));
        if (rng_below(&r, 4) == 0) a.u.halfspace.normal = cm_v(0, 0, 1);
        cm_pose pose_a = rng_pose(&r, 3), pose_b = rng_pose(&r, 3);
        double least = 1e300;
        cm_vec3 n = cm_rotate(pose_a.rotation, a.u.halfspace.normal);
        for (uint32_t k = 0; k < cm_mesh_point_count(mesh); k++) {
            cm_vec3 p = cm_sub(cm_pose_apply(&pose_b, cm_mesh_points(mesh)[k]), pose_a.position);
            double height = (double)n.x * (double)p.x + (double)n.y * (double)p.y + (double)n.z * (double)p.z +
                            (double)a.u.halfspace.d;
            least = height < least ? height : least;
        }
        cm_witness w;
        double d = (double)cm_distance(&a, &pose_a, &b, &pose_b, CM_REAL_MAX, &w);
        check_that(fabs(d - least) < 2e-5, "%g, by corners %g", d, least);
        check_that(cm_overlap(&b, &pose_b, &a, &pose_a) == (d <= 0), "overlap at %g", d);
        int count = cm_contact(&a, &pose_a, &b, &pose_b, CM_REAL(0.1), m, 512);
        check_that((count > 0) == (d <= (double)CM_REAL(0.1)), "%d contacts at %g", count, d);
        double deepest = -1e300;
        for (int k = 0; k < count && k < 512; k++)
            for (int p = 0; p < m[k].count; p++)
                if ((double)m[k].points[p].depth > deepest) deepest = (double)m[k].points[p].depth;
        check_that(count == 0 || fabs(deepest + d) < 2e-5, "deepest %g, distance %g", deepest, d);
    }
    cm_mesh_destroy(mesh, NULL);
}

static void meshes_have_a_manifold_a_pair_of_triangles(void **state) {
    (void)state;
    rng r = rng_start("mesh mesh", 16);
    cm_mesh *one = mesh_ball(cm_v(0, 0, 0), 1, 2, true), *two = surface_bumps(6, CM_REAL(0.3), &r);
    cm_shape a = cm_make_mesh(one), b = cm_make_mesh(two);
    static cm_manifold m[2048];
    for (int i = 0; i < samples(100, 5000); i++) {
        cm_pose pose_a = rng_pose(&r, 2), pose_b = rng_pose(&r, 1);
        int count = contacts_by_part(&a, &pose_a, &b, &pose_b, 0, m, 2048);
        uint64_t crossings = cm_mesh_crossings(&a, &pose_a, &b, &pose_b, NULL, NULL);
        if (crossings > 0) {
            check_that((uint64_t)count <= crossings + 1 && count > 0, "%d manifolds, %d crossings", count,
                       (int)crossings);
            /* the last is at the deepest point of the pair, where none is as deep, or neither surface has a direction
             * of theirs; that point is found to a thousandth */
            const double whole = -(double)cm_distance(&a, &pose_a, &b, &pose_b, CM_REAL_MAX, NULL);
            const cm_manifold *last = &m[count - 1];
            const bool deepest = last->count == 1 && fabs((double)last->points[0].depth - whole) <= 2e-3 * whole + 1e-6;
            for (int k = 0; k < count - deepest; k++) {
                cm_shape ta = mesh_triangle(one, m[k].part_a), tb = mesh_triangle(two, m[k].part_b);
                double d = (double)cm_distance(&ta, &pose_a, &tb, &pose_b, CM_REAL_MAX, NULL);
                check_that(d < 1e-5, "parts %u %u are %g apart", m[k].part_a, m[k].part_b, d);
            }
        } else {
            check_that((count > 0) == cm_overlap(&a, &pose_a, &b, &pose_b), "%d manifolds without crossings", count);
        }
    }
    cm_mesh_destroy(one, NULL);
    cm_mesh_destroy(two, NULL);
}

/* In either order; what lies behind them in the caller's memory is the caller's. */
static void contacts_are_written_where_they_are_told_and_nowhere_else(void **state) {
    (void)state;
    rng r = rng_start("room", 18);
    cm_mesh *ball = mesh_ball(cm_v(0, 0, 0), 1, 1, true);
    cm_compound_child children[2] = {{.shape = cm_make_box(cm_v(1, CM_REAL(0.1), 1)), .pose = cm_pose_identity()},
                                     {.shape = cm_make_sphere(cm_v(0, 0, 0), 1), .pose = cm_pose_identity()}};
    cm_compound *both = NULL;
    cm_compound_desc desc = {children, 2};
    assert_int_equal(cm_compound_build(&desc, NULL, &both, NULL), CM_OK);
    const cm_shape shapes[3] = {cm_make_mesh(ball), cm_make_compound(both), cm_make_box(cm_v(1, 1, 1))};
    static cm_manifold m[256];
    const unsigned char *byte = (const unsigned char *)m;
    for (int i = 0; i < samples(300, 10000); i++) {
        int a = i % 3, b = (i % 3 + 1 + (int)rng_below(&r, 2)) % 3, room = (int)rng_below(&r, 256);
        cm_pose pose_a = rng_pose(&r, 1), pose_b = rng_pose(&r, 1);
        memset(m, 0x5a, sizeof m);
        int count = cm_contact(&shapes[a], &pose_a, &shapes[b], &pose_b, CM_REAL(0.1), m, room);
        for (int k = 0; k < count && k < room; k++)
            check_that(m[k].count >= 1 && m[k].count <= 8, "%d points", m[k].count);
        for (size_t k = (size_t)(count < room ? count : room) * sizeof *m; k < sizeof m; k++)
            check_that(byte[k] == 0x5a, "%d manifolds, room for %d: byte %zu is written", count, room, k);
    }
    cm_compound_destroy(both, NULL);
    cm_mesh_destroy(ball, NULL);
}

static void segments_through_shared_edges_are_decided_exactly(void **state) {
    (void)state;
    cm_mesh *mesh = surface_sheet(4, 4, 8);
    cm_shape b = cm_make_mesh(mesh);
    cm_pose home = cm_pose_identity();
    for (int i = -4; i <= 4; i++) {
        for (int k = -4; k <= 4; k++) { /* through every corner of the grid, and ending exactly on it */
            cm_vec3 on = cm_v(CM_REAL(i), CM_REAL(k), 0);
            cm_shape through = cm_make_segment(cm_add(on, cm_v(0, 0, 1)), cm_add(on, cm_v(0, 0, -1)));
            cm_shape ending = cm_make_segment(cm_add(on, cm_v(1, 2, 3)), on);
            cm_shape before = cm_make_segment(cm_add(on, cm_v(0, 0, 1)), cm_add(on, cm_v(0, 0, CM_REAL_MIN)));
            assert_true(cm_overlap(&through, &home, &b, &home));
            assert_true(cm_overlap(&ending, &home, &b, &home));
            assert_false(cm_overlap(&before, &home, &b, &home));
            assert_true(cm_distance(&before, &home, &b, &home, CM_REAL_MAX, NULL) > 0);
        }
    }
    cm_mesh_destroy(mesh, NULL);
}

/* A small fan of triangles far from its origin and the point's: where that is on a shared corner the gap is the
 * rounding of their places, and its direction says nothing. */
static void what_lies_on_a_corner_is_told_a_normal_of_its_triangle(void **state) {
    (void)state;
    rng r = rng_start("on a corner", 18);
    int on = 0, count = samples(2000, 100000);
    for (int i = 0; i < count; i++) {
        const double size = rng_log_range(&r, 1e-4, 1e-1);
        cm_vec3 tip = rng_vec3(&r, size), rim[4], fan[9];
        for (int k = 0; k < 4; k++)
            rim[k] =
                cm_v(CM_REAL(size * cos(1.5 * k)), CM_REAL(size * sin(1.5 * k)), CM_REAL(rng_range(&r, -size, size)));
        for (int k = 0; k < 3; k++) fan[3 * k] = tip, fan[3 * k + 1] = rim[k], fan[3 * k + 2] = rim[k + 1];
        cm_mesh_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.points = &fan[0].x, desc.point_count = 9;
        cm_mesh *mesh = mesh_built(&desc);
        cm_pose pa = cm_pose_identity(), pb = i % 2 ? rng_pose(&r, 1) : cm_pose_identity();
        if (i % 2 == 0) pb.position = rng_vec3(&r, 1);
        cm_shape a = cm_make_point(rng_vec3(&r, 1)), b = cm_make_mesh(mesh);
        pa.position = cm_sub(cm_pose_apply(&pb, tip), a.u.point);
        cm_witness w;
        double d = (double)cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, &w);
        if (d <= 64 * DBL_EPSILON) {
            cm_shape t = mesh_triangle(mesh, w.part_b);
            const cm_vec3 *corner = &t.u.triangle.a;
            double level[3];
            for (int k = 0; k < 3; k++)
                level[k] = (double)cm_dot(cm_rotate(pb.rotation, cm_sub(corner[k], tip)), w.normal);
            double least = fmin(level[0], fmin(level[1], level[2])), most = fmax(level[0], fmax(level[1], level[2]));
            double slack = 1e2 * (double)CM_REAL_EPSILON * size;
            check_that(least > -slack || most < slack, "pose %d at %g: %g to %g", i, d, least, most);
            on++;
        }
        cm_mesh_destroy(mesh, NULL);
    }
    check_that(on > count / 100, "%d of %d", on, count);
}

static void bad_input_touches_nothing(void **state) {
    (void)state;
    cm_mesh *mesh = mesh_box(cm_v(-1, -1, -1), cm_v(1, 1, 1), true);
    cm_shape b = cm_make_mesh(mesh), bad = cm_make_sphere(cm_v((cm_real)NAN, 0, 0), 1);
    cm_shape huge = cm_make_sphere(cm_v(CM_COORD_MAX, CM_COORD_MAX, -CM_COORD_MAX), 1);
    cm_shape all = cm_make_sphere(cm_v(0, 0, 0), CM_COORD_MAX), none = cm_make_mesh(NULL);
    cm_pose home = cm_pose_identity(), off = cm_pose_identity();
    off.position.y = (cm_real)NAN;
    cm_manifold m;
    assert_false(cm_overlap(&bad, &home, &b, &home));
    assert_false(cm_overlap(&b, &off, &all, &home));
    assert_false(cm_overlap(&none, &home, &all, &home));
    assert_true(cm_distance(&bad, &home, &b, &home, CM_REAL_MAX, NULL) == CM_REAL_MAX);
    assert_true(cm_distance(&b, &home, &b, &off, CM_REAL_MAX, NULL) == CM_REAL_MAX);
    assert_int_equal(cm_contact(&bad, &home, &b, &home, 1, &m, 1), 0);
    assert_int_equal(cm_contact(&all, &home, &b, &home, (cm_real)NAN, &m, 1), 0);
    assert_true(cm_overlap(&all, &home, &b, &home));
    assert_false(cm_overlap(&huge, &home, &b, &home));
    assert_true(cm_distance(&huge, &home, &b, &home, CM_REAL_MAX, NULL) > CM_COORD_MAX / 2);
    assert_int_equal(cm_contact(&huge, &home, &b, &home, 1, &m, 1), 0);
    cm_mesh_destroy(mesh, NULL);
}

static int set_up(void **state) {
    (void)state;
    rng r = rng_start("hull", 10);
    some_hull = hull_random(24, 0.5, &r);
    return 0;
}
static int tear_down(void **state) {
    (void)state;
    cm_hull_destroy(some_hull, NULL);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_are_the_sum_of_their_triangles),
        cmocka_unit_test(no_sampled_points_are_nearer),
        cmocka_unit_test(a_ball_within_a_solid_overlaps_it),
        cmocka_unit_test(depth_is_a_lower_bound),
        cmocka_unit_test(contacts_are_as_deep_as_the_distance),
        cmocka_unit_test(what_has_its_middle_in_a_face_is_as_deep_as_the_distance),
        cmocka_unit_test(halfspaces_meet_the_lowest_corner),
        cmocka_unit_test(meshes_have_a_manifold_a_pair_of_triangles),
        cmocka_unit_test(contacts_are_written_where_they_are_told_and_nowhere_else),
        cmocka_unit_test(segments_through_shared_edges_are_decided_exactly),
        cmocka_unit_test(what_lies_on_a_corner_is_told_a_normal_of_its_triangle),
        cmocka_unit_test(bad_input_touches_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
