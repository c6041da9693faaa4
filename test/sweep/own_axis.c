/* A spin that moves no point of the set, that of a ball about its center or of a capsule, cylinder or cone about its
 * own axis, is no motion: the answer has the same bits as without it, against every kind. */
#include "support/meshes.h"
#include "support/support.h"

enum { OTHERS = 6 };

static void random_motion(rng *r, double size, cm_motion *out) {
    *out = (cm_motion){.start = rng_pose(r, 3)};
    out->move = rng_vec3(r, size);
    if (rng_below(r, 3) == 0) out->accelerate = rng_vec3(r, size);
}

static bool equal(cm_vec3 v, cm_vec3 w) { return v.x == w.x && v.y == w.y && v.z == w.z; }
static bool hits_are_equal(const cm_sweep_hit *h, const cm_sweep_hit *k) {
    return h->first == k->first && h->last == k->last && equal(h->point, k->point) && equal(h->normal, k->normal) &&
           h->start == k->start && h->blocking == k->blocking && h->part_a == k->part_a && h->part_b == k->part_b &&
           h->proof == k->proof && h->free_until == k->free_until;
}

static void a_spin_about_the_own_axis_changes_no_bit(void **state) {
    (void)state;
    rng r = rng_start("own axis", 1807);
    cm_mesh *mesh = mesh_ball(cm_v(0, 0, 0), 1, 1, true);
    cm_compound_child child[2] = {{.shape = cm_make_box(cm_v(1, CM_REAL(0.5), 1)), .pose = cm_pose_identity()},
                                  {.shape = cm_make_mesh(mesh), .pose = cm_pose_at(cm_v(1, 1, 0))}};
    const cm_compound_desc desc = {child, 2};
    cm_compound *two;
    assert_int_equal(cm_compound_build(&desc, NULL, &two, NULL), CM_OK);
    const cm_shape others[OTHERS] = {
        cm_make_box(cm_v(1, 2, 1)), cm_make_halfspace(cm_v(0, 0, 1), 0), cm_make_mesh(mesh),
        cm_make_compound(two),      cm_make_cylinder(1, CM_REAL(0.5)),   cm_make_sphere(cm_v(0, 0, 1), 1)};
    const cm_real half = CM_REAL(0.5);
    const cm_shape round[] = {cm_make_sphere(cm_v(0, 0, half), half),
                              cm_make_capsule(cm_v(0, 0, -1), cm_v(0, 0, half), half), cm_make_cylinder(half, 1),
                              cm_make_cone(half, 1)};
    int hits = 0, blocked = 0;
    for (int i = 0; i < samples(2000, 200000); i++) {
        const int k = (int)rng_below(&r, 4), with = (int)rng_below(&r, OTHERS);
        cm_motion still, other, spins;
        cm_sweep_hit hit, same;
        cm_real last = 0, same_last = 0;
        random_motion(&r, 4, &still), random_motion(&r, 1, &other);
        if (rng_below(&r, 2)) other.spin = rng_vec3(&r, 2);
        if (k > 0) still.start.rotation = cm_quat_identity();
        still.pivot = cm_v(0, 0, k > 0 ? (cm_real)rng_range(&r, -2, 2) : half);
        spins = still;
        spins.spin = k > 0 ? cm_v(0, 0, (cm_real)rng_range(&r, -50, 50)) : rng_vec3(&r, 50);
        memset(&hit, 0, sizeof hit), memset(&same, 0, sizeof same);
        const bool swapped = rng_below(&r, 2) != 0;
        const cm_shape *a = swapped ? &others[with] : &round[k], *b = swapped ? &round[k] : &others[with];
        const cm_motion *ma = swapped ? &other : &still, *mb = swapped ? &still : &other;
        const cm_motion *sa = swapped ? &other : &spins, *sb = swapped ? &spins : &other;
        const bool found = cm_sweep(a, ma, b, mb, &hit), found_last = cm_sweep_last(a, ma, b, mb, &last);
        check_that(found == cm_sweep(a, sa, b, sb, &same) && hits_are_equal(&hit, &same),
                   "sample %d, %d against %d: first %.9g, %.9g with a spin", i, k, with, (double)hit.first,
                   (double)same.first);
        check_that(found_last == cm_sweep_last(a, sa, b, sb, &same_last) && last == same_last,
                   "sample %d, %d against %d: last %.9g, %.9g with a spin", i, k, with, (double)last,
                   (double)same_last);
        hits += found, blocked += found && hit.blocking;
    }
    check_that(hits > samples(2000, 200000) / 5 && blocked > hits / 5, "%d hits, %d blocked", hits, blocked);
    cm_compound_destroy(two, NULL);
    cm_mesh_destroy(mesh, NULL);
}

/* Balls that lie on, or a little in, the floor of a room and move off, into its wall, or fall back. In double, of
 * 10,000 in a mesh 917 were blocked late, by up to 0.002 of the step, and 679 early, by up to 1/64. */
static void a_ball_that_lies_and_spins_changes_no_bit(void **state) {
    (void)state;
    rng r = rng_start("lies and spins", 1808);
    const cm_aabb boxes[2] = {{{-4, -4, -1}, {4, 4, 0}}, {{2, -4, 0}, {3, 4, 4}}};
    cm_compound_child child[2] = {
        {.shape = cm_make_box(cm_v(4, 4, CM_REAL(0.5))), .pose = cm_pose_at(cm_v(0, 0, CM_REAL(-0.5)))},
        {.shape = cm_make_box(cm_v(CM_REAL(0.5), 4, 2)), .pose = cm_pose_at(cm_v(CM_REAL(2.5), 0, 2))}};
    const cm_compound_desc desc = {child, 2};
    cm_compound *two;
    cm_mesh *one = mesh_boxes(boxes, NULL, 2, true);
    assert_int_equal(cm_compound_build(&desc, NULL, &two, NULL), CM_OK);
    const cm_shape rooms[2] = {cm_make_mesh(one), cm_make_compound(two)}, ball = cm_make_sphere(cm_v(0, 0, 0), 1);
    const cm_motion lies = {.start = cm_pose_identity()};
    int blocked = 0;
    const int count = samples(2000, 100000);
    for (int i = 0; i < count; i++) {
        cm_motion moves = {.start =
                               cm_pose_at(cm_v((cm_real)rng_range(&r, -1, 0.9), (cm_real)rng_range(&r, -1, 1), 1))};
        cm_sweep_hit hit = {.first = 0}, same = {.first = 0};
        if (i % 3 == 0) moves.start.position.z -= (cm_real)rng_range(&r, 0, 1e-3);
        moves.move = rng_vec3(&r, 3);
        if (i % 5 < 2) moves.move.z = 0;
        if (i % 7 == 0) moves.accelerate = cm_v(0, 0, -2);
        const bool found = cm_sweep(&ball, &moves, &rooms[i % 2], &lies, &hit);
        moves.spin = rng_vec3(&r, 20);
        check_that(found == cm_sweep(&ball, &moves, &rooms[i % 2], &lies, &same) && hits_are_equal(&hit, &same),
                   "sample %d: first %.9g, %.9g with a spin", i, (double)hit.first, (double)same.first);
        blocked += found && hit.blocking;
    }
    check_that(blocked > count / 4, "%d of %d blocked", blocked, count);
    cm_compound_destroy(two, NULL);
    cm_mesh_destroy(one, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_spin_about_the_own_axis_changes_no_bit),
                                       cmocka_unit_test(a_ball_that_lies_and_spins_changes_no_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
