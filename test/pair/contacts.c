/* Contacts of bodies that consist of parts: seams of compounds, corners of two children, solid meshes on solid meshes,
 * and how many there are, whatever the room for them. */
#include "support/shapes.h"
#include "support/solids.h"

#include "pair/contacts.h"

#include <math.h>

enum { FOUND = 4096 };
static cm_manifold found[FOUND], fewer[FOUND];

static cm_quat turn_about_z(double angle) {
    cm_quat q = {0, 0, CM_REAL(sin(angle / 2)), CM_REAL(cos(angle / 2))};
    return q;
}

/* A table of flush boxes side by side along x, cut at random, its top z = 0. */
static cm_compound *table_of_boxes(int count, const double *cut, cm_vec3 half) {
    cm_compound_child child[4];
    cm_compound *compound = NULL;
    for (int i = 0; i < count; i++) {
        const double low = cut[i], high = cut[i + 1];
        child[i].shape = cm_make_box(cm_v(CM_REAL((high - low) / 2), half.y, half.z));
        child[i].pose = cm_pose_identity();
        child[i].pose.position = cm_v(CM_REAL((low + high) / 2), 0, -half.z);
    }
    cm_compound_desc desc = {child, (uint32_t)count};
    assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
    return compound;
}

/* A body stands over a seam, often by less than it is deep: the seam's hidden face pushes nothing aside. */
static void a_seam_between_flush_children_pushes_nothing_aside(void **state) {
    (void)state;
    rng r = rng_start("seams", 401);
    for (int i = 0; i < samples(3000, 100000); i++) {
        double cut[4] = {-2, rng_range(&r, -1, -0.2), rng_range(&r, 0.2, 1), 2};
        cm_compound *compound = table_of_boxes(3, cut, cm_v(2, 1, CM_REAL(0.5)));
        cm_shape table = cm_make_compound(compound);
        const double h = rng_range(&r, 0.1, 0.5), depth = rng_log_range(&r, 1e-4, 1e-2);
        const double strip = (double[]){0, depth / 4, -depth / 4, 3 * depth, 1e-6, -1e-6}[rng_below(&r, 6)];
        cm_mesh *mesh = solid_box(CM_REAL(h), CM_REAL(h), CM_REAL(h), 1 + (int)rng_below(&r, 3), rng_below(&r, 2));
        cm_compound_child half[2] = {{.shape = cm_make_box(cm_v(CM_REAL(h / 2), CM_REAL(h), CM_REAL(h)))},
                                     {.shape = cm_make_box(cm_v(CM_REAL(h / 2), CM_REAL(h), CM_REAL(h)))}};
        half[0].pose = half[1].pose = cm_pose_identity();
        half[0].pose.position.x = CM_REAL(-h / 2), half[1].pose.position.x = CM_REAL(h / 2);
        cm_compound *halves = NULL;
        cm_compound_desc desc = {half, 2};
        assert_int_equal(cm_compound_build(&desc, NULL, &halves, NULL), CM_OK);
        cm_shape bodies[4] = {cm_make_box(cm_v(CM_REAL(h), CM_REAL(h), CM_REAL(h))), cm_make_mesh(mesh),
                              cm_make_compound(halves), cm_make_cylinder(CM_REAL(h), CM_REAL(h))};
        const int seam = 1 + (int)rng_below(&r, 2), side = rng_below(&r, 2) ? 1 : -1;
        cm_pose home = i % 2 ? rng_pose(&r, 2) : cm_pose_identity(), at = cm_pose_identity();
        at.position =
            cm_v(CM_REAL(cut[seam] + side * (h - strip)), CM_REAL(rng_range(&r, -0.8, 0.8)), CM_REAL(h - depth));
        at = cm_pose_mul(&home, &at);
        cm_vec3 up = cm_rotate(home.rotation, cm_v(0, 0, 1));
        const cm_shape *body = &bodies[rng_below(&r, 4)];
        int count = cm_contact(&table, &home, body, &at, 0, found, FOUND);
        double deepest = -1;
        check_that(count > 0 && count <= FOUND, "%d: %d contacts", i, count);
        for (int m = 0; m < count; m++) {
            double off = (double)cm_length(cm_sub(found[m].normal, up));
            check_that(off < 1e-2, "%d: a strip of %g, %g deep: normal off by %g", i, strip, depth, off);
            for (int k = 0; k < found[m].count; k++) deepest = fmax(deepest, (double)found[m].points[k].depth);
        }
        check_that(fabs(deepest - depth) < 1e-5 + 1e-3 * depth, "%d: %g deep, told %g", i, depth, deepest);
        cm_compound_destroy(compound, NULL);
        cm_compound_destroy(halves, NULL);
        cm_mesh_destroy(mesh, NULL);
    }
}

/* Where floor and wall are two children, a box in the corner has contacts with both: what is on both at the foot of the
 * wall is no seam. */
static void a_floor_and_a_wall_of_one_compound_both_hold(void **state) {
    (void)state;
    rng r = rng_start("corner", 402);
    for (int i = 0; i < samples(2000, 50000); i++) {
        const double sunk = rng_below(&r, 2) ? 0.5 : 0; /* the wall stands on the floor, or reaches into it */
        cm_compound_child child[2] = {{.shape = cm_make_box(cm_v(2, 2, CM_REAL(0.5)))},
                                      {.shape = cm_make_box(cm_v(CM_REAL(0.5), 2, CM_REAL(1 + sunk / 2)))}};
        child[0].pose = child[1].pose = cm_pose_identity();
        child[0].pose.position = cm_v(0, 0, CM_REAL(-0.5));
        child[1].pose.position = cm_v(CM_REAL(1.5), 0, CM_REAL(1 - sunk / 2));
        cm_compound *compound = NULL;
        cm_compound_desc desc = {child, 2};
        assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
        cm_shape room = cm_make_compound(compound);
        const double h = rng_range(&r, 0.1, 0.5), low = rng_log_range(&r, 1e-4, 1e-2),
                     in = rng_log_range(&r, 1e-4, 1e-2);
        cm_mesh *mesh = solid_box(CM_REAL(h), CM_REAL(h), CM_REAL(h), 1, false);
        cm_shape body = i % 2 ? cm_make_box(cm_v(CM_REAL(h), CM_REAL(h), CM_REAL(h))) : cm_make_mesh(mesh);
        cm_pose home = i % 4 < 2 ? rng_pose(&r, 2) : cm_pose_identity(), at = cm_pose_identity();
        at.position = cm_v(CM_REAL(1 - h + in), CM_REAL(rng_range(&r, -1, 1)), CM_REAL(h - low));
        at = cm_pose_mul(&home, &at);
        int count = cm_contact(&room, &home, &body, &at, 0, found, FOUND);
        double floor_depth = -1, wall_depth = -1;
        for (int m = 0; m < count; m++) {
            cm_vec3 n = cm_unrotate(home.rotation, found[m].normal);
            const bool up = (double)cm_length(cm_sub(n, cm_v(0, 0, 1))) < 1e-3;
            check_that(up || (double)cm_length(cm_sub(n, cm_v(-1, 0, 0))) < 1e-3, "%d: normal %g %g %g", i, (double)n.x,
                       (double)n.y, (double)n.z);
            double *most = up ? &floor_depth : &wall_depth;
            for (int k = 0; k < found[m].count; k++) *most = fmax(*most, (double)found[m].points[k].depth);
        }
        check_that(fabs(floor_depth - low) < 1e-5 + 1e-3 * low && fabs(wall_depth - in) < 1e-5 + 1e-3 * in,
                   "%d: floor %g, told %g; wall %g, told %g", i, low, floor_depth, in, wall_depth);
        cm_compound_destroy(compound, NULL);
        cm_mesh_destroy(mesh, NULL);
    }
}

/* Solid boxes given as meshes, shallow in each other for the size of their triangles, in any position: every contact is
 * as deep as the boxes are along its normal, and the deepest way out is among them. */
static double box_reach(cm_vec3 half, const cm_pose *pose, cm_vec3 n) {
    cm_vec3 own = cm_vec3_abs(cm_unrotate(pose->rotation, n));
    return (double)cm_dot(n, pose->position) + (double)cm_dot(own, half);
}

static void contacts_of_convex_meshes_are_those_of_the_solids(void **state) {
    (void)state;
    rng r = rng_start("meshes", 403);
    const double size = 1;
    int met = 0;
    for (int i = 0; i < samples(2000, 50000); i++) {
        cm_vec3 ha =
            cm_v(CM_REAL(rng_range(&r, 0.3, 1)), CM_REAL(rng_range(&r, 0.3, 1)), CM_REAL(rng_range(&r, 0.3, 1)));
        cm_vec3 hb =
            cm_v(CM_REAL(rng_range(&r, 0.3, 1)), CM_REAL(rng_range(&r, 0.3, 1)), CM_REAL(rng_range(&r, 0.3, 1)));
        cm_shape box_a = cm_make_box(ha), box_b = cm_make_box(hb);
        cm_pose pa = rng_pose(&r, 1), pb = rng_pose(&r, 1);
        if (i % 2) pb.rotation = cm_quat_mul(pa.rotation, turn_about_z(rng_below(&r, 24) * 0.26179938779914943));
        const double depth = rng_log_range(&r, 1e-4, 1e-2);
        cm_witness w;
        double d = (double)cm_distance(&box_a, &pa, &box_b, &pb, CM_REAL_MAX, &w);
        pb.position = cm_add(pb.position, cm_scale(w.normal, CM_REAL(-d - depth)));
        d = (double)cm_distance(&box_a, &pa, &box_b, &pb, CM_REAL_MAX, &w);
        if (!(d < -1e-5 && d > -2e-2)) continue;
        met++;
        cm_mesh *ma = solid_box(ha.x, ha.y, ha.z, 1 + (int)rng_below(&r, 2), rng_below(&r, 2));
        cm_mesh *mb = solid_box(hb.x, hb.y, hb.z, 1 + (int)rng_below(&r, 2), rng_below(&r, 2));
        cm_shape a = cm_make_mesh(ma), b = cm_make_mesh(mb);
        int count = cm_contact(&a, &pa, &b, &pb, 0, found, FOUND);
        double least = HUGE_VAL;
        check_that(count > 0 && count <= FOUND, "%d: %d contacts", i, count);
        for (int m = 0; m < count; m++) {
            const cm_vec3 n = found[m].normal;
            const double along = box_reach(ha, &pa, n) + box_reach(hb, &pb, cm_neg(n));
            double told = -1;
            for (int k = 0; k < found[m].count; k++) told = fmax(told, (double)found[m].points[k].depth);
            check_that(told <= along + 2e-5 * size, "%d: told %g, along its normal the boxes are %g deep", i, told,
                       along);
            least = fmin(least, along);
        }
        check_that(least <= -d * 1.001 + 2e-5 * size, "%d: %g deep, the least way told is %g", i, -d, least);
        cm_mesh_destroy(ma, NULL);
        cm_mesh_destroy(mb, NULL);
    }
    check_that(5 * met > 2 * samples(2000, 50000), "only %d met", met);
}

/* However little room there is, the number of contacts is the same, and those that fit are the first. */
static void the_room_for_contacts_changes_none(void **state) {
    (void)state;
    rng r = rng_start("room for contacts", 404);
    cm_mesh *one = solid_sphere(1, 8, 12), *two = surface_bumps(6, CM_REAL(0.3), &r);
    cm_compound_child child[2] = {{.shape = cm_make_box(cm_v(1, 1, 1))}, {.shape = cm_make_mesh(one)}};
    child[0].pose = child[1].pose = cm_pose_identity();
    child[1].pose.position = cm_v(1, 0, 0);
    cm_compound *compound = NULL;
    cm_compound_desc desc = {child, 2};
    assert_int_equal(cm_compound_build(&desc, NULL, &compound, NULL), CM_OK);
    const cm_shape shapes[4] = {cm_make_mesh(one), cm_make_mesh(two), cm_make_compound(compound),
                                cm_make_box(cm_v(1, 1, 1))};
    for (int i = 0; i < samples(400, 10000); i++) {
        const cm_shape *a = &shapes[rng_below(&r, 3)], *b = &shapes[rng_below(&r, 4)];
        cm_pose pa = rng_pose(&r, 1), pb = rng_pose(&r, 1);
        const cm_real margin = rng_below(&r, 2) ? 0 : CM_REAL(0.05);
        memset(found, 0, sizeof found);
        memset(fewer, 0, sizeof fewer);
        int all = cm_contact(a, &pa, b, &pb, margin, found, FOUND);
        check_that(all <= FOUND, "%d", all);
        check_that(cm_contact(a, &pa, b, &pb, margin, NULL, 0) == all, "%d, without room otherwise", all);
        int room = 1 + (int)rng_below(&r, 5), count = cm_contact(a, &pa, b, &pb, margin, fewer, room);
        check_that(count == all, "%d, with room for %d: %d", all, room, count);
        for (int m = 0; m < all && m < room; m++)
            check_that(found[m].part_a == fewer[m].part_a && found[m].part_b == fewer[m].part_b &&
                           memcmp(&found[m].normal, &fewer[m].normal, sizeof found[m].normal) == 0 &&
                           found[m].count == fewer[m].count,
                       "%d: contact %d of %d differs", i, m, all);
    }
    cm_compound_destroy(compound, NULL);
    cm_mesh_destroy(one, NULL);
    cm_mesh_destroy(two, NULL);
}

/* A ball over the seam of two flush boxes touches both. */
static void what_touches_two_flush_children_has_two_contacts(void **state) {
    (void)state;
    const double cut[3] = {-2, 0, 2};
    cm_compound *compound = table_of_boxes(2, cut, cm_v(2, 1, CM_REAL(0.5)));
    const cm_shape table = cm_make_compound(compound), ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    const cm_pose home = cm_pose_identity();
    for (int i = 0; i < 3; i++) {
        cm_pose at = home;
        at.position.z = CM_REAL(1 - i * 0.125);
        for (int swap = 0; swap < 2; swap++) {
            const int count = swap ? cm_contact(&ball, &at, &table, &home, 0, found, FOUND)
                                   : cm_contact(&table, &home, &ball, &at, 0, found, FOUND);
            check_that(count == 2, "%d contacts %g deep", count, i * 0.125);
            for (int m = 0; m < count; m++) {
                check_that((double)found[m].normal.z == (swap ? -1 : 1), "normal %g", (double)found[m].normal.z);
                check_that((double)found[m].points[0].depth == i * 0.125, "%g deep, told %g", i * 0.125,
                           (double)found[m].points[0].depth);
            }
        }
    }
    cm_compound_destroy(compound, NULL);
}

static bool refuses(const cm__contact_level *level, cm_manifold *m) { return (void)level, (void)m, false; }

/* Of contacts that the whole does not have, whatever their order: the least deep, else the nearest. */
static void the_best_of_refused_contacts_is_kept(void **state) {
    (void)state;
    const cm_shape point = cm_make_point(cm_v(0, 0, 0));
    static const double depths[] = {0.5, 0.25, 0, -0.25, -0.5}; /* the third is the best, of gaps alone the fourth */
    for (int first = 0; first < 5; first++) {
        for (int second = 0; second < 5; second++) {
            const cm__contact_level level = {NULL, refuses};
            const int pair[2] = {first, second};
            cm__contacts c;
            contacts_start(&c, &point, &point, true, found, FOUND);
            c.level = &level;
            for (int i = 0; i < 2; i++) {
                cm_manifold m;
                memset(&m, 0, sizeof m);
                m.count = 1, m.part_a = (uint32_t)i, m.points[0].depth = CM_REAL(depths[pair[i]]);
                cm__contacts_add(&c, &m);
            }
            const int deep = first < second ? first : second, other = first < second ? second : first;
            const int best = other <= 2 ? other : deep; /* both overlap: the shallower; else the deeper or the nearer */
            assert_int_equal(cm__contacts_end(&c), 1);
            check_that((double)found[0].points[0].depth == depths[best], "of %g and %g: %g", depths[first],
                       depths[second], (double)found[0].points[0].depth);
            check_that(first != second || found[0].part_a == 0, "of two alike at %g the second", depths[first]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seam_between_flush_children_pushes_nothing_aside),
        cmocka_unit_test(a_floor_and_a_wall_of_one_compound_both_hold),
        cmocka_unit_test(contacts_of_convex_meshes_are_those_of_the_solids),
        cmocka_unit_test(the_room_for_contacts_changes_none),
        cmocka_unit_test(what_touches_two_flush_children_has_two_contacts),
        cmocka_unit_test(the_best_of_refused_contacts_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
