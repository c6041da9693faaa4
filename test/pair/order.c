/* Of two bodies of one kind at one pose that differ in anything, one is solved as the first, whoever asks; of two
 * copies neither is. See src/pair/order.c. */
#include "support/solids.h"

#include "pair/pair.h"

static void one_is_the_first(const char *what, const cm_shape *a, const cm_pose *pa, const cm_shape *b,
                             const cm_pose *pb) {
    const bool asked = pair_swapped(a, pa, b, pb), back = pair_swapped(b, pb, a, pa);
    check_that(asked != back, "%s: swapped %d, and %d the other way", what, asked, back);
    check_that(cm_overlap(a, pa, b, pb) == cm_overlap(b, pb, a, pa), "%s", what);
    const cm_real there = cm_distance(a, pa, b, pb, CM_REAL_MAX, NULL),
                  here = cm_distance(b, pb, a, pa, CM_REAL_MAX, NULL);
    check_that(there == here, "%s: " REAL_FORMAT " and " REAL_FORMAT, what, (double)there, (double)here);
}
static void at_one_pose(const char *what, const cm_shape *a, const cm_shape *b) {
    const cm_pose p = {cm_v(1, 2, 3), {CM_REAL(0.5), CM_REAL(-0.5), CM_REAL(0.5), CM_REAL(0.5)}};
    one_is_the_first(what, a, &p, b, &p);
    assert_false(pair_swapped(a, &p, a, &p));
}

static void poses_that_lie_equally_far_out_have_an_order(void **state) {
    (void)state;
    const cm_shape box = cm_make_box(cm_v(1, 1, 1));
    cm_pose p = cm_pose_identity(), q = p;
    q.rotation = (cm_quat){0, 0, 1, 0};
    one_is_the_first("a half turn", &box, &p, &box, &q);
    p.rotation = (cm_quat){0, 1, 0, 0};
    one_is_the_first("half turns about y and z", &box, &p, &box, &q);
    /* so far out that a step of 1 is rounded away */
    p.position = q.position = cm_v(CM_REAL(1e15), 0, 0), q.position.z = 1;
    q.rotation = p.rotation;
    assert_true(sizeof(cm_real) == 8 || pair_place(&p) == pair_place(&q));
    one_is_the_first("a step that is rounded away", &box, &p, &box, &q);
}

static void numbers_that_differ_have_an_order(void **state) {
    (void)state;
    const cm_vec3 one = cm_v(1, 1, 1), taller = cm_v(1, 1, 2), x = cm_v(1, 0, 0), y = cm_v(0, 1, 0);
    const cm_shape pairs[][2] = {{cm_make_sphere(one, 1), cm_make_sphere(one, 2)},
                                 {cm_make_sphere(one, 1), cm_make_sphere(taller, 1)},
                                 {cm_make_capsule(x, y, 1), cm_make_capsule(y, x, 1)},
                                 {cm_make_triangle(x, y, one), cm_make_triangle(x, y, taller)},
                                 {cm_make_box(one), cm_make_box(taller)},
                                 {cm_make_box(one), cm_make_rounded_box(one, 1)},
                                 {cm_make_cylinder(1, 1), cm_make_cylinder(1, 2)},
                                 {cm_make_cone(1, 1), cm_make_cone(1, 2)},
                                 {cm_make_ellipsoid(one), cm_make_ellipsoid(taller)},
                                 {cm_make_halfspace(x, 0), cm_make_halfspace(x, 1)}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) at_one_pose("numbers", &pairs[i][0], &pairs[i][1]);
}

/* The hull of a box's corners, the last of which is moved by `step`. */
static cm_hull *dented_hull(cm_vec3 step, uint32_t count) {
    cm_vec3 corner[8];
    for (int i = 0; i < 8; i++) corner[i] = cm_v(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    corner[count - 1] = cm_add(corner[count - 1], step);
    cm_hull_desc desc = {.points = &corner[0].x, .point_count = count};
    cm_hull *hull = NULL;
    assert_int_equal(cm_hull_build(&desc, NULL, &hull, NULL), CM_OK);
    return hull;
}
static cm_mesh *dented_box(cm_vec3 step, bool solid) {
    soup s = {0};
    soup_add_box(&s, cm_v(-1, -1, -1), cm_v(1, 1, 1), 1, false, false);
    for (size_t i = 0; i < 9 * (size_t)s.triangles; i += 3) {
        cm_real *n = s.numbers + i;
        if (n[0] > 0 && n[1] > 0 && n[2] > 0) n[0] += step.x, n[1] += step.y, n[2] += step.z;
    }
    return soup_build(&s, solid);
}

static void what_is_borrowed_has_an_order(void **state) {
    (void)state;
    const cm_vec3 steps[4] = {cm_v(0, 0, 0), cm_v(1, 0, 0), cm_v(0, 1, 0), cm_v(0, 0, 1)};
    const cm_pose home = cm_pose_identity();
    cm_hull *hulls[5];
    cm_mesh *meshes[4];
    for (int i = 0; i < 4; i++) hulls[i] = dented_hull(steps[i], 8), meshes[i] = dented_box(steps[i], true);
    hulls[4] = dented_hull(steps[0], 7);
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < i; k++) {
            const cm_shape a = cm_make_hull(hulls[i]), b = cm_make_hull(hulls[k]);
            at_one_pose("hulls", &a, &b);
            if (i > 3) continue;
            const cm_shape of_a = cm_make_mesh(meshes[i]), of_b = cm_make_mesh(meshes[k]);
            at_one_pose("meshes", &of_a, &of_b);
        }
    }
    cm_hull *copy = dented_hull(steps[1], 8);
    const cm_shape first = cm_make_hull(hulls[1]), second = cm_make_hull(copy);
    assert_false(pair_swapped(&first, &home, &second, &home));
    assert_false(pair_swapped(&second, &home, &first, &home));
    cm_hull_destroy(copy, NULL);
    for (int i = 0; i < 5; i++) cm_hull_destroy(hulls[i], NULL);
    for (int i = 0; i < 4; i++) cm_mesh_destroy(meshes[i], NULL);
}

static void box_support(const void *user, const double direction[3], double point[3]) {
    const double *half = user;
    for (int k = 0; k < 3; k++) point[k] = direction[k] < 0 ? -half[k] : half[k];
}
/* Known by their support functions only; the lists of numbers lie at other addresses, which must not count. */
static void shapes_of_the_caller_have_an_order(void **state) {
    (void)state;
    static const double halves[5][3] = {{1, 1, 1}, {1, 1, 2}, {1, 2, 1}, {2, 1, 1}, {1, 1, 1}};
    const cm_pose home = cm_pose_identity();
    cm_shape shapes[5];
    for (int i = 0; i < 5; i++) shapes[i] = cm_make_custom(box_support, halves[i], cm_v(0, 0, 0), 3);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++) at_one_pose("callers' shapes", &shapes[i], &shapes[k]);
    assert_false(pair_swapped(&shapes[0], &home, &shapes[4], &home));
    assert_false(pair_swapped(&shapes[4], &home, &shapes[0], &home));
}

static void compounds_that_differ_in_a_child_have_an_order(void **state) {
    (void)state;
    enum { MOST = 7 };
    cm_hull *hulls[2] = {dented_hull(cm_v(0, 0, 0), 8), dented_hull(cm_v(1, 0, 0), 8)};
    cm_compound_child child[2];
    memset(child, 0, sizeof child);
    for (int i = 0; i < 2; i++) child[i].pose = cm_pose_identity(), child[i].shape = cm_make_box(cm_v(1, 1, 1));
    cm_compound *all[MOST];
    for (int i = 0; i < MOST; i++) {
        cm_compound_child mine[2] = {child[0], child[1]};
        if (i == 1) mine[1].shape = cm_make_sphere(cm_v(0, 0, 0), 1);
        if (i == 2) mine[1].shape = cm_make_box(cm_v(1, 1, CM_REAL(0.5)));
        if (i == 3) mine[1].pose.position.z = CM_REAL(0.25);
        if (i == 4 || i == 5) mine[1].shape = cm_make_hull(hulls[i - 4]);
        cm_compound_desc desc = {.children = mine, .count = i == 6 ? 1 : 2};
        assert_int_equal(cm_compound_build(&desc, NULL, &all[i], NULL), CM_OK);
        for (int k = 0; k < i; k++) {
            const cm_shape a = cm_make_compound(all[i]), b = cm_make_compound(all[k]);
            at_one_pose("compounds", &a, &b);
        }
    }
    for (int i = 0; i < MOST; i++) cm_compound_destroy(all[i], NULL);
    for (int i = 0; i < 2; i++) cm_hull_destroy(hulls[i], NULL);
}

static bool are_opposite(cm_vec3 v, cm_vec3 w) { return v.x == -w.x && v.y == -w.y && v.z == -w.z; }

/* A solid and the surface of the same triangles are not the same body twice. */
static void a_solid_and_its_surface_have_an_order(void **state) {
    (void)state;
    enum { ROOM = 256 };
    static cm_manifold there[ROOM], back[ROOM];
    const cm_pose home = cm_pose_identity();
    cm_mesh *solid = dented_box(cm_v(0, 0, 0), true), *surface = dented_box(cm_v(0, 0, 0), false);
    const cm_shape a = cm_make_mesh(solid), b = cm_make_mesh(surface);
    at_one_pose("a solid and its surface", &a, &b);
    cm_witness w, v;
    const cm_real d = cm_distance(&a, &home, &b, &home, CM_REAL_MAX, &w);
    assert_true(d == cm_distance(&b, &home, &a, &home, CM_REAL_MAX, &v));
    check_that(are_opposite(w.normal, v.normal), "%g %g %g, swapped %g %g %g", (double)w.normal.x, (double)w.normal.y,
               (double)w.normal.z, (double)v.normal.x, (double)v.normal.y, (double)v.normal.z);
    const int count = cm_contact(&a, &home, &b, &home, 0, there, ROOM);
    assert_int_equal(cm_contact(&b, &home, &a, &home, 0, back, ROOM), count);
    for (int i = 0; i < count && i < ROOM; i++)
        check_that(are_opposite(there[i].normal, back[i].normal) && there[i].part_a == back[i].part_b &&
                       there[i].part_b == back[i].part_a,
                   "contact %d of %d: parts %u %u, swapped %u %u", i, count, there[i].part_a, there[i].part_b,
                   back[i].part_a, back[i].part_b);
    cm_mesh_destroy(solid, NULL);
    cm_mesh_destroy(surface, NULL);
}

/* One cell, alone and beside a hole: of the same triangles, but these are told by other numbers. */
static void parts_of_other_numbers_have_an_order(void **state) {
    (void)state;
    const cm_real heights[6] = {0};
    const uint8_t holes[2] = {1, 0};
    const cm_height_field_desc descs[2] = {
        {.heights = heights, .columns = 2, .rows = 2, .column_spacing = 1, .row_spacing = 1, .origin = {1, 0, 0}},
        {.heights = heights, .columns = 3, .rows = 2, .column_spacing = 1, .row_spacing = 1, .holes = holes}};
    cm_height_field *fields[2];
    for (int i = 0; i < 2; i++) assert_int_equal(cm_height_field_build(&descs[i], NULL, &fields[i], NULL), CM_OK);
    const cm_shape a = cm_make_height_field(fields[0]), b = cm_make_height_field(fields[1]);
    at_one_pose("cells of other numbers", &a, &b);
    for (int i = 0; i < 2; i++) cm_height_field_destroy(fields[i], NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(poses_that_lie_equally_far_out_have_an_order),
                                       cmocka_unit_test(numbers_that_differ_have_an_order),
                                       cmocka_unit_test(what_is_borrowed_has_an_order),
                                       cmocka_unit_test(a_solid_and_its_surface_have_an_order),
                                       cmocka_unit_test(parts_of_other_numbers_have_an_order),
                                       cmocka_unit_test(shapes_of_the_caller_have_an_order),
                                       cmocka_unit_test(compounds_that_differ_in_a_child_have_an_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
