/* Do two meshes overlap: against all pairs of triangles in rational arithmetic, and solids within solids. */
#include "carom/pair.h"
#include "math/exact.h"
#include "oracle/rational.h"
#include "pair/pair.h"
#include "pair/triangle_triangle.h"
#include "support/meshes.h"

static bool overlaps(const cm_mesh *a, const cm_mesh *b, cm_vec3 at) {
    cm_shape sa = cm_make_mesh(a), sb = cm_make_mesh(b);
    cm_pose pa = cm_pose_identity(), pb = cm_pose_identity();
    pb.position = at;
    bool forth = cm_overlap(&sa, &pa, &sb, &pb), back = cm_overlap(&sb, &pb, &sa, &pa);
    check_that(forth == back, "%d one way, %d the other", forth, back);
    return forth;
}

static void boxes_overlap_up_to_touching(void **state) {
    (void)state;
    cm_mesh *a = mesh_box(cm_v(0, 0, 0), cm_v(1, 1, 1), true), *b = mesh_box(cm_v(0, 0, 0), cm_v(1, 1, 1), true);
    cm_real up = 1 + CM_REAL_EPSILON;
    assert_true(overlaps(a, b, cm_v(CM_REAL(0.5), 0, 0)));
    assert_true(overlaps(a, b, cm_v(0, 0, 0)));
    assert_true(overlaps(a, b, cm_v(1, 0, 0)));             /* face on face */
    assert_true(overlaps(a, b, cm_v(1, 1, CM_REAL(0.25)))); /* edge on edge */
    assert_true(overlaps(a, b, cm_v(1, 1, 1)));             /* corner on corner */
    assert_true(overlaps(a, b, cm_v(-1, -1, -1)));
    assert_false(overlaps(a, b, cm_v(up, 0, 0)));
    assert_false(overlaps(a, b, cm_v(1, 1, up)));
    assert_false(overlaps(a, b, cm_v(0, -up, 0)));
    cm_mesh_destroy(a, NULL);
    cm_mesh_destroy(b, NULL);
}

static void a_solid_holds_what_is_inside_it_and_a_surface_does_not(void **state) {
    (void)state;
    cm_mesh *ball = mesh_ball(cm_v(0, 0, 0), 1, 3, true), *shell = mesh_ball(cm_v(0, 0, 0), 1, 3, false);
    cm_mesh *cube = mesh_box(cm_v(-CM_REAL(0.1), -CM_REAL(0.1), -CM_REAL(0.1)),
                             cm_v(CM_REAL(0.1), CM_REAL(0.1), CM_REAL(0.1)), true);
    cm_mesh *skin = mesh_box(cm_v(-CM_REAL(0.1), -CM_REAL(0.1), -CM_REAL(0.1)),
                             cm_v(CM_REAL(0.1), CM_REAL(0.1), CM_REAL(0.1)), false);
    assert_true(overlaps(ball, cube, cm_v(0, 0, 0)));
    assert_true(overlaps(ball, skin, cm_v(0, 0, 0)));   /* the solid holds the surface */
    assert_false(overlaps(shell, cube, cm_v(0, 0, 0))); /* within a surface is not inside */
    assert_false(overlaps(shell, skin, cm_v(0, 0, 0)));
    assert_false(overlaps(ball, cube, cm_v(2, 0, 0)));
    assert_true(overlaps(shell, cube, cm_v(1, 0, 0))); /* crossing */
    cm_mesh_destroy(ball, NULL), cm_mesh_destroy(shell, NULL), cm_mesh_destroy(cube, NULL), cm_mesh_destroy(skin, NULL);
}

/* A box of side 10 with a cavity of side 6: what is in the cavity is outside; of two loose parts one may be inside. */
static void a_cavity_is_outside_and_one_component_inside_is_enough(void **state) {
    (void)state;
    cm_aabb walls[2], parts[2];
    const bool inward[2] = {false, true};
    walls[0].min = cm_v(-5, -5, -5), walls[0].max = cm_v(5, 5, 5);
    walls[1].min = cm_v(-3, -3, -3), walls[1].max = cm_v(3, 3, 3);
    parts[0].min = cm_v(-1, -1, -1), parts[0].max = cm_v(1, 1, 1);
    parts[1].min = cm_v(20, 0, 0), parts[1].max = cm_v(20 + CM_REAL(0.5), CM_REAL(0.5), CM_REAL(0.5));
    cm_mesh *hollow = mesh_boxes(walls, inward, 2, true), *loose = mesh_boxes(parts, NULL, 2, true);
    assert_false(overlaps(hollow, loose, cm_v(0, 0, 0)));
    assert_true(overlaps(hollow, loose, cm_v(CM_REAL(-16.25), 0, 0)));  /* part 1 within the wall, part 0 far outside */
    assert_false(overlaps(hollow, loose, cm_v(CM_REAL(-20.25), 0, 0))); /* part 1 within the cavity */
    cm_mesh_destroy(hollow, NULL), cm_mesh_destroy(loose, NULL);
}

/* A ball of 1 within one of 1.25, off their common center: no triangles meet, and the contact is where the distance has
 * the deepest point, in both orders. */
static void a_mesh_within_another_has_one_contact_at_the_deepest_point(void **state) {
    (void)state;
    const int levels = share() > 1 ? 5 : 8;
    cm_mesh *ball = mesh_ball(cm_v(0, 0, 0), 1, levels, true),
            *round = mesh_ball(cm_v(0, 0, 0), CM_REAL(1.25), levels + 1, true);
    const cm_shape inner = cm_make_mesh(ball), outer = cm_make_mesh(round);
    const cm_pose here = cm_pose_identity(), aside = cm_pose_at(cm_v(CM_REAL(0.1), CM_REAL(0.05), 0));
    for (int k = 0; k < 2; ++k) {
        const cm_shape *a = k == 0 ? &inner : &outer, *b = k == 0 ? &outer : &inner;
        cm_manifold m[2];
        cm_witness w;
        assert_int_equal(cm_mesh_crossings(a, &here, b, &aside, NULL, NULL), 0);
        const int count = cm_contact(a, &here, b, &aside, 0, m, 2);
        const cm_real distance = cm_distance(a, &here, b, &aside, CM_REAL_MAX, &w);
        check_that(count == 1 && m[0].count == 1, "order %d: %d contacts", k, count);
        check_that(m[0].points[0].depth == -distance && distance < CM_REAL(-0.3),
                   "order %d: contact " REAL_FORMAT " deep, distance " REAL_FORMAT, k, (double)m[0].points[0].depth,
                   (double)distance);
    }
    cm_mesh_destroy(ball, NULL), cm_mesh_destroy(round, NULL);
}

static void overlapping_shells_are_a_union(void **state) {
    (void)state;
    cm_aabb shells[2];
    shells[0].min = cm_v(0, 0, 0), shells[0].max = cm_v(4, 4, 4);
    shells[1].min = cm_v(2, 0, 0), shells[1].max = cm_v(6, 4, 4); /* overlaps the first: winding 2 in between */
    cm_mesh *both = mesh_boxes(shells, NULL, 2, true), *small = mesh_box(cm_v(0, 0, 0), cm_v(1, 1, 1), true);
    for (int x = 1; x <= 9; ++x)
        assert_true(overlaps(both, small, cm_v(CM_REAL(0.5) * (cm_real)x, CM_REAL(1.5), CM_REAL(1.5))));
    assert_false(overlaps(both, small, cm_v(CM_REAL(6.5), 1, 1)));
    cm_mesh_destroy(both, NULL), cm_mesh_destroy(small, NULL);
}

static void bad_input_overlaps_nothing(void **state) {
    (void)state;
    cm_mesh *a = mesh_box(cm_v(0, 0, 0), cm_v(1, 1, 1), true);
    cm_shape s = cm_make_mesh(a), none = cm_make_mesh(NULL);
    cm_pose p = cm_pose_identity(), bad = p;
    bad.position.y = (cm_real)NAN;
    assert_true(cm_overlap(&s, &p, &s, &p));
    assert_false(cm_overlap(&s, &p, &s, &bad));
    assert_false(cm_overlap(&s, &bad, &s, &p));
    assert_false(cm_overlap(&s, &p, &none, &p));
    bad = p;
    bad.rotation.w = 2;
    assert_false(cm_overlap(&s, &p, &s, &bad));
    cm_mesh_destroy(a, NULL);
}

/* --- against all pairs -------------------------------------------------------------------------------------------- */

typedef struct posed_pair {
    const cm_mesh *a, *b;
    cm_pose pose_a, pose_b;
    cm_vec3 *b_points;
} posed_pair;

static void corners_of(const cm_mesh *mesh, const cm_vec3 *points, uint32_t triangle, cm_vec3 out[3]) {
    uint32_t c[3];
    cm_mesh_corners(mesh, triangle, c);
    for (int k = 0; k < 3; ++k) out[k] = points[c[k]];
}
static cm_aabb box_of(const cm_vec3 t[3]) {
    return cm_aabb_add_point(cm_aabb_add_point(cm_aabb_add_point(cm_aabb_empty(), t[0]), t[1]), t[2]);
}
static bool truly_overlap(const cm_vec3 a[3], const cm_vec3 b[3]) {
    double x[3][3], y[3][3];
    for (int i = 0; i < 3; ++i) {
        x[i][0] = (double)a[i].x, x[i][1] = (double)a[i].y, x[i][2] = (double)a[i].z;
        y[i][0] = (double)b[i].x, y[i][1] = (double)b[i].y, y[i][2] = (double)b[i].z;
    }
    return oracle_triangles_overlap((const double(*)[3])x, (const double(*)[3])y);
}

/* The number of pairs of triangles that share a point, without any tree: by rationals where `exact`, else by the
 * library's test of two triangles. */
static uint64_t count_pairs(const posed_pair *p, bool exact) {
    uint64_t count = 0;
    for (uint32_t j = 0; j < cm_mesh_triangle_count(p->b); ++j) {
        cm_vec3 b[3], a[3];
        corners_of(p->b, p->b_points, j, b);
        cm_aabb box_b = box_of(b);
        for (uint32_t i = 0; i < cm_mesh_triangle_count(p->a); ++i) {
            corners_of(p->a, cm_mesh_points(p->a), i, a);
            cm_aabb box_a = box_of(a);
            if (!cm_aabb_overlaps(&box_a, &box_b)) continue; /* exact in itself */
            count += exact ? truly_overlap(a, b) : cm__overlap_triangle_triangle(a, b);
        }
    }
    return count;
}

static uint64_t check_pose(posed_pair *p, bool exact) {
    cm_shape a = cm_make_mesh(p->a), b = cm_make_mesh(p->b);
    cm_mesh_posed(&p->pose_a, p->b, &p->pose_b, p->b_points);
    uint64_t truth = count_pairs(p, exact);
    uint64_t found = cm_mesh_crossings(&a, &p->pose_a, &b, &p->pose_b, NULL, NULL);
    check_that(found == truth, "%llu crossing pairs, truly %llu", (unsigned long long)found, (unsigned long long)truth);
    /* in the frame of the one that is solved as the first, where a small mesh far from the other is rounded otherwise
     */
    if (pair_swapped(&a, &p->pose_a, &b, &p->pose_b))
        found = cm_mesh_crossings(&b, &p->pose_b, &a, &p->pose_a, NULL, NULL);
    bool overlap = cm_overlap(&a, &p->pose_a, &b, &p->pose_b);
    check_that(overlap == (found > 0), "overlap %d, %llu pairs", overlap, (unsigned long long)found);
    return truth;
}

static void the_classic_pair_agrees_with_all_pairs_at_random_poses(void **state) {
    (void)state;
    posed_pair p = {0};
    p.a = mesh_recorded("fcl_env.obj", false), p.b = mesh_recorded("fcl_rob.obj", false);
    if (!p.a || !p.b) skip();
    p.b_points = malloc(cm_mesh_point_count(p.b) * sizeof(cm_vec3));
    rng r = rng_start("poses", 11);
    int colliding = 0, poses = samples(60, 3000);
    uint64_t crossing = 0;
    for (int i = 0; i < poses; ++i) {
        p.pose_a = rng_pose(&r, 1000); /* world coordinates are no part of it */
        cm_pose at = rng_pose(&r, 3000);
        at.position.z = cm_abs(at.position.z);
        p.pose_b = cm_pose_mul(&p.pose_a, &at);
        uint64_t n = check_pose(&p, i % 30 == 0);
        colliding += n > 0, crossing += n;
    }
    print_message("  %d of %d poses collide, %llu crossing pairs\n", colliding, poses, (unsigned long long)crossing);
    check_that(colliding > poses / 3 && colliding < poses, "%d of %d", colliding, poses);
    free(p.b_points);
    cm_mesh_destroy((cm_mesh *)(uintptr_t)p.a, NULL);
    cm_mesh_destroy((cm_mesh *)(uintptr_t)p.b, NULL);
}

static void robot_links_agree_with_rationals_at_random_poses(void **state) {
    (void)state;
    static const char *const names[] = {"robot_panda/link1.stl", "robot_panda/link4.stl", "robot_panda/hand.stl",
                                        "robot_panda/finger.stl"};
    cm_mesh *links[4];
    for (int i = 0; i < 4; ++i)
        if (!(links[i] = mesh_recorded(names[i], true))) skip();
    rng r = rng_start("poses", 12);
    int colliding = 0, nested = 0, poses = samples(60, 10000);
    for (int i = 0; i < poses; ++i) {
        posed_pair p = {0};
        p.a = links[rng_below(&r, 4)], p.b = links[rng_below(&r, 4)];
        p.b_points = malloc(cm_mesh_point_count(p.b) * sizeof(cm_vec3));
        p.pose_a = rng_pose(&r, 1), p.pose_b = rng_pose(&r, 1);
        p.pose_b.position = cm_add(p.pose_a.position, rng_vec3(&r, 0.12));
        cm_shape a = cm_make_mesh(p.a), b = cm_make_mesh(p.b);
        cm_mesh_posed(&p.pose_a, p.b, &p.pose_b, p.b_points);
        uint64_t truth = count_pairs(&p, i % 4 == 0),
                 found = cm_mesh_crossings(&a, &p.pose_a, &b, &p.pose_b, NULL, NULL);
        check_that(found == truth, "%llu pairs, truly %llu", (unsigned long long)found, (unsigned long long)truth);
        bool overlap = cm_overlap(&a, &p.pose_a, &b, &p.pose_b);
        check_that(overlap || truth == 0, "%llu pairs, no overlap", (unsigned long long)truth);
        if (overlap && truth == 0) { /* solids: one has a corner of the other inside; ask the oracle */
            uint32_t n = cm_mesh_triangle_count(p.a);
            double *corners = malloc(n * 9 * sizeof *corners);
            for (uint32_t t = 0; t < n; ++t) {
                cm_vec3 c[3];
                corners_of(p.a, cm_mesh_points(p.a), t, c);
                for (uint32_t k = 0; k < 3; ++k) {
                    corners[9 * t + 3 * k] = (double)c[k].x, corners[9 * t + 3 * k + 1] = (double)c[k].y;
                    corners[9 * t + 3 * k + 2] = (double)c[k].z;
                }
            }
            double at[3] = {(double)p.b_points[0].x, (double)p.b_points[0].y, (double)p.b_points[0].z};
            bool b_in_a = oracle_winding(at, corners, n) != 0;
            n = cm_mesh_triangle_count(p.b);
            corners = realloc(corners, n * 9 * sizeof *corners);
            for (uint32_t t = 0; t < n; ++t) {
                cm_vec3 c[3];
                corners_of(p.b, p.b_points, t, c);
                for (uint32_t k = 0; k < 3; ++k) {
                    corners[9 * t + 3 * k] = (double)c[k].x, corners[9 * t + 3 * k + 1] = (double)c[k].y;
                    corners[9 * t + 3 * k + 2] = (double)c[k].z;
                }
            }
            cm_vec3 first = cm_mesh_points(p.a)[0];
            double other[3] = {(double)first.x, (double)first.y, (double)first.z};
            check_that(b_in_a || oracle_winding(other, corners, n) != 0, "pose %d: nothing is inside", i);
            free(corners);
            ++nested;
        }
        colliding += overlap;
        free(p.b_points);
    }
    print_message("  %d of %d poses overlap, %d one within the other\n", colliding, poses, nested);
    check_that(colliding > poses / 10 && colliding < poses, "%d of %d", colliding, poses);
    for (int i = 0; i < 4; ++i) cm_mesh_destroy(links[i], NULL);
}

/* Poses on a grid of powers of two, quarter turns: faces, edges and corners meet exactly, planes coincide. */
static void meshes_that_meet_exactly_agree_with_rationals(void **state) {
    (void)state;
    rng r = rng_start("poses", 13);
    cm_aabb boxes[3];
    boxes[0].min = cm_v(0, 0, 0), boxes[0].max = cm_v(2, 1, 1);
    boxes[1].min = cm_v(2, 0, 0), boxes[1].max = cm_v(3, 1, 2);
    boxes[2].min = cm_v(0, 1, 0), boxes[2].max = cm_v(1, 2, CM_REAL(0.5));
    cm_mesh *stairs = mesh_boxes(boxes, NULL, 3, true), *ball = mesh_ball(cm_v(0, 0, 0), 1, 1, true);
    uint64_t crossing = 0;
    for (int i = 0; i < samples(30, 5000); ++i) {
        posed_pair p = {0};
        p.a = rng_below(&r, 2) ? stairs : ball, p.b = rng_below(&r, 2) ? stairs : ball;
        p.b_points = malloc(cm_mesh_point_count(p.b) * sizeof(cm_vec3));
        p.pose_a = p.pose_b = cm_pose_identity();
        if (i % 3 == 0) p.pose_b.rotation.w = 0, p.pose_b.rotation.z = 1; /* a half turn: exact */
        p.pose_b.position =
            cm_v(CM_REAL(0.25) * ((cm_real)rng_below(&r, 17) - 8), CM_REAL(0.5) * (cm_real)rng_below(&r, 5),
                 CM_REAL(0.25) * ((cm_real)rng_below(&r, 9) - 4));
        cm_shape a = cm_make_mesh(p.a), b = cm_make_mesh(p.b);
        cm_mesh_posed(&p.pose_a, p.b, &p.pose_b, p.b_points);
        uint64_t truth = count_pairs(&p, true), found = cm_mesh_crossings(&a, &p.pose_a, &b, &p.pose_b, NULL, NULL);
        check_that(found == truth, "pose %d: %llu, truly %llu", i, (unsigned long long)found,
                   (unsigned long long)truth);
        crossing += truth;
        free(p.b_points);
    }
    print_message("  %llu pairs\n", (unsigned long long)crossing);
    check_that(crossing > 400, "%llu", (unsigned long long)crossing);
    cm_mesh_destroy(stairs, NULL), cm_mesh_destroy(ball, NULL);
}

/* A screw of a millimetre in a hall of a kilometre, far from both origins: nothing is missed, nothing is slow. */
static void sizes_and_origins_far_apart_lose_nothing(void **state) {
    (void)state;
    rng r = rng_start("poses", 14);
    uint64_t crossing = 0;
    for (int i = 0; i < samples(25, 5000); ++i) {
        cm_real big = CM_REAL(rng_log_range(&r, 1, 1e3)), small = CM_REAL(rng_log_range(&r, 1e-3, 1));
        cm_mesh *hall = mesh_ball(cm_v(big * 3, 0, 0), big, 3, false),
                *screw = mesh_ball(cm_v(0, small * 50, 0), small, 2, false);
        posed_pair p = {hall, screw, rng_pose(&r, 10), cm_pose_identity(), malloc(1000 * sizeof(cm_vec3))};
        /* onto a corner of the hall */
        cm_vec3 onto = cm_mesh_points(hall)[rng_below(&r, cm_mesh_point_count(hall))];
        cm_pose at;
        at.rotation = rng_rotation(&r);
        at.position = cm_sub(cm_add(onto, rng_vec3(&r, (double)small)), cm_rotate(at.rotation, cm_v(0, small * 50, 0)));
        p.pose_b = cm_pose_mul(&p.pose_a, &at);
        crossing += check_pose(&p, i % 5 == 0);
        if (i % 2) {
            cm_pose swap = p.pose_a;
            posed_pair q = {screw, hall, p.pose_b, swap, malloc(1000 * sizeof(cm_vec3))};
            crossing += check_pose(&q, i % 5 == 0);
            free(q.b_points);
        }
        free(p.b_points);
        cm_mesh_destroy(hall, NULL), cm_mesh_destroy(screw, NULL);
    }
    print_message("  %llu pairs\n", (unsigned long long)crossing);
    check_that(crossing > 50, "%llu", (unsigned long long)crossing);
}

/* The double pyramid over a square of this half diagonal. */
static cm_mesh *double_pyramid(cm_real rim, cm_real height) {
    static const uint32_t corners[24] = {0, 1, 4, 1, 0, 5, 1, 2, 4, 2, 1, 5, 2, 3, 4, 3, 2, 5, 3, 0, 4, 0, 3, 5};
    const cm_real points[18] = {rim, 0, 0, 0, rim, 0, -rim, 0, 0, 0, -rim, 0, 0, 0, height, 0, 0, -height};
    return mesh_of(points, 6, corners, 8, true);
}

/* What touches to rounding is decided by exact signs, for contacts too: the rounded gaps of two triangles whose planes
 * coincide say now and then that they touch where they do not. */
static void contacts_are_told_exactly_where_meshes_overlap(void **state) {
    (void)state;
    rng r = rng_start("poses", 15);
    int touching = 0, apart = 0, count = samples(4000, 100000);
    for (int i = 0; i < count; ++i) {
        cm_mesh *mesh = double_pyramid(1, CM_REAL(rng_range(&r, 0.3, 1)));
        cm_shape s = cm_make_mesh(mesh);
        cm_pose pa = rng_pose(&r, 1), pb = pa;
        if (i % 2) pa.rotation = pb.rotation = cm_quat_identity();
        pb.position = cm_mul_add(pa.position, CM_REAL(rng_range(&r, 0.5, 1.5)), rng_direction(&r));
        cm_witness w;
        cm_real d = cm_distance(&s, &pa, &s, &pb, CM_REAL_MAX, &w);
        pb.position = cm_mul_add(pb.position, -d, w.normal);
        bool overlap = cm_overlap(&s, &pa, &s, &pb);
        int contacts = cm_contact(&s, &pa, &s, &pb, 0, NULL, 0);
        check_that((contacts > 0) == overlap, "pose %d: overlap %d, %d contacts", i, overlap, contacts);
        touching += overlap, apart += !overlap;
        cm_mesh_destroy(mesh, NULL);
    }
    print_message("  %d touch, %d do not\n", touching, apart);
    check_that(touching > count / 10 && apart > count / 10, "%d touch, %d do not", touching, apart);
}

/* Two surfaces that were moved into each other by so much part again by so much, and so does each pair of triangles:
 * the deepest of them is no deeper. There is no jump at touching. */
static void surfaces_are_no_deeper_than_they_were_moved(void **state) {
    (void)state;
    rng r = rng_start("surfaces", 41);
    int overlapping = 0, deep = 0, count = samples(4000, 100000);
    for (int i = 0; i < count; ++i) {
        cm_mesh *mesh[2];
        for (int k = 0; k < 2; ++k) { /* two triangles with an edge in common */
            static const uint32_t corners[6] = {0, 1, 2, 2, 1, 3};
            cm_vec3 points[4];
            for (int j = 0; j < 4; ++j) points[j] = rng_vec3(&r, 1);
            mesh[k] = mesh_of(&points[0].x, 4, corners, 2, false);
        }
        cm_shape a = cm_make_mesh(mesh[0]), b = cm_make_mesh(mesh[1]);
        cm_pose pa = rng_pose(&r, 1), pb = rng_pose(&r, 1);
        cm_witness w;
        cm_real gap = cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, &w);
        if (gap > 0) {
            double by = rng_log_range(&r, 1e-7, 0.1);
            pb.position = cm_mul_add(pb.position, -(gap + CM_REAL(by)), w.normal);
            double depth = -(double)cm_distance(&a, &pa, &b, &pb, CM_REAL_MAX, &w);
            double rounding = 64 * (double)CM_REAL_EPSILON;
            check_that(depth <= by + rounding, "pose %d: moved in by %g, %g deep", i, by, depth);
            check_that(!(depth > 0) || (w.flags & CM_WITNESS_LOWER_BOUND), "pose %d: %u", i, w.flags);
            overlapping += depth >= 0, deep += depth > 0.5 * by;
        }
        cm_mesh_destroy(mesh[0], NULL);
        cm_mesh_destroy(mesh[1], NULL);
    }
    print_message("  %d overlap, %d deep\n", overlapping, deep);
    check_that(deep > count / 4, "%d of %d deep", deep, overlapping);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_overlap_up_to_touching),
        cmocka_unit_test(a_solid_holds_what_is_inside_it_and_a_surface_does_not),
        cmocka_unit_test(a_cavity_is_outside_and_one_component_inside_is_enough),
        cmocka_unit_test(a_mesh_within_another_has_one_contact_at_the_deepest_point),
        cmocka_unit_test(overlapping_shells_are_a_union),
        cmocka_unit_test(bad_input_overlaps_nothing),
        cmocka_unit_test(the_classic_pair_agrees_with_all_pairs_at_random_poses),
        cmocka_unit_test(robot_links_agree_with_rationals_at_random_poses),
        cmocka_unit_test(meshes_that_meet_exactly_agree_with_rationals),
        cmocka_unit_test(sizes_and_origins_far_apart_lose_nothing),
        cmocka_unit_test(contacts_are_told_exactly_where_meshes_overlap),
        cmocka_unit_test(surfaces_are_no_deeper_than_they_were_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
