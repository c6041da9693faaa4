/* Whether a mesh in another meets it, told by the search for its depth: never wrongly, and nearly always where the two
 * run side by side, which spares the walk over both trees. */
#include "pair/mesh_mesh.h"
#include "support/meshes.h"
#include "support/solids.h"

#include <math.h>

static uint64_t crossings_of(const cm__mesh_pair *pair) {
    uint64_t count;
    cm__mesh_pair_crossings(pair, UINT64_MAX, NULL, NULL, &count);
    return count;
}

typedef struct meeting_tally {
    int meet, apart, open;
} meeting_tally;

static void ask_meeting(int sample, const cm_mesh *a, const cm_mesh *b, const cm_pose *b_in_a, meeting_tally *tally) {
    cm__mesh_pair pair;
    cm__mesh_inside inside = {0};
    cm__mesh_gap gap = {0};
    cm__mesh_pair_open(a, b, b_in_a, &pair);
    if (!cm__mesh_pair_nested(&pair)) return;
    const double t = cm__mesh_pair_default_tolerance(&pair, cm_v(0, 0, 0));
    if (!cm__mesh_pair_depth_inside(&pair, t, &inside)) return;
    const uint64_t crossings = crossings_of(&pair);
    check_that(!(inside.apart && crossings > 0) && !(inside.meet && crossings == 0),
               "sample %d: %llu crossings, said to meet %d, to be apart %d", sample, (unsigned long long)crossings,
               inside.meet, inside.apart);
    tally->meet += inside.meet, tally->apart += inside.apart, tally->open += !inside.meet && !inside.apart;
    if (inside.meet || crossings > 0) return;
    cm__mesh_pair_depth(&pair, t, 0, false, &gap);
    check_that(gap.distance == inside.gap.distance, "sample %d: %.9g deep on the way, alone %.9g", sample,
               (double)inside.gap.distance, (double)gap.distance);
}

/* Shells near each other that cross in many places, in one or in none, either in the other. */
static void whether_they_meet_is_never_told_wrongly(void **state) {
    (void)state;
    rng r = rng_start("meeting", 71);
    meeting_tally tally = {0, 0, 0};
    for (int k = 0; k < samples(300, 20000); ++k) {
        const double size = rng_log_range(&r, 1e-3, 1e3), gap = rng_log_range(&r, 1e-4, 0.3);
        const int fine = 6 + (int)rng_below(&r, 18);
        cm_mesh *inner = solid_sphere(CM_REAL(size), fine, fine + 1);
        cm_mesh *outer = solid_sphere(CM_REAL(size * (1 + gap)), fine + 2, fine);
        cm_pose pose = rng_pose(&r, size * gap * rng_range(&r, 0, 2));
        if (rng_below(&r, 2)) pose.rotation = cm_quat_identity();
        if (rng_below(&r, 2))
            ask_meeting(k, inner, outer, &pose, &tally);
        else
            ask_meeting(k, outer, inner, &pose, &tally);
        cm_mesh_destroy(inner, NULL), cm_mesh_destroy(outer, NULL);
    }
    printf("  %d meet, %d are apart, %d are left open\n", tally.meet, tally.apart, tally.open);
    assert_true(tally.meet > 0 && tally.apart > 0);
}

/* The same solid, its points elsewhere in its frame. */
static cm_mesh *solid_at(cm_mesh *from, cm_vec3 by) {
    const uint32_t points = cm_mesh_point_count(from), triangles = cm_mesh_triangle_count(from);
    cm_vec3 *point = malloc(points * sizeof *point);
    uint32_t *corner = malloc(3 * (size_t)triangles * sizeof *corner);
    for (uint32_t i = 0; i < points; ++i) point[i] = cm_add(cm_mesh_points(from)[i], by);
    for (uint32_t i = 0; i < triangles; ++i) cm_mesh_corners(from, i, corner + 3 * (size_t)i);
    const cm_mesh_desc desc = {
        .points = &point[0].x, .point_count = points, .indices = corner, .triangle_count = triangles, .solid = true};
    cm_mesh *mesh = NULL;
    cm_mesh_build(&desc, NULL, &mesh, NULL); /* where its points became too few, there is none */
    free(point), free(corner);
    cm_mesh_destroy(from, NULL);
    return mesh;
}

/* Up to 30,000 times their size from their frames' zero, and turned about their middle: what poses round is as large as
 * the gap. */
static void nor_far_from_their_origins(void **state) {
    (void)state;
    rng r = rng_start("far", 73);
    meeting_tally tally = {0, 0, 0};
    for (int k = 0; k < samples(300, 6000); ++k) {
        const double gap = rng_log_range(&r, 1e-5, 0.05);
        const cm_vec3 middle = cm_scale(rng_direction(&r), CM_REAL(rng_log_range(&r, 1, 3e4)));
        const int fine = 10 + (int)rng_below(&r, 20);
        cm_mesh *inner = solid_at(solid_sphere(1, fine, fine + 1), middle);
        cm_mesh *outer = solid_at(solid_sphere(CM_REAL(1 + gap), fine + 2, fine), middle);
        cm_pose pose = cm_pose_identity();
        if (rng_below(&r, 2)) {
            pose.rotation = rng_rotation(&r);
            pose.position = cm_sub(middle, cm_pose_apply(&pose, middle));
        }
        pose.position = cm_add(pose.position, cm_scale(rng_direction(&r), CM_REAL(gap * rng_range(&r, 0, 1))));
        if (inner && outer && rng_below(&r, 2))
            ask_meeting(k, inner, outer, &pose, &tally);
        else if (inner && outer)
            ask_meeting(k, outer, inner, &pose, &tally);
        cm_mesh_destroy(inner, NULL), cm_mesh_destroy(outer, NULL);
    }
    printf("  %d meet, %d are apart, %d are left open\n", tally.meet, tally.apart, tally.open);
    assert_true(tally.meet > 0 && tally.apart > 0);
}

/* One corner of the inner ball is drawn out until it just passes through the outer one, or just does not. */
static void one_corner_that_passes_through_is_found(void **state) {
    (void)state;
    rng r = rng_start("corner", 72);
    meeting_tally tally = {0, 0, 0};
    cm_mesh *outer = solid_sphere(CM_REAL(1.01), 30, 60);
    const cm_mesh *plain = solid_sphere(1, 30, 60);
    const uint32_t points = cm_mesh_point_count(plain), triangles = cm_mesh_triangle_count(plain);
    cm_vec3 *point = malloc(points * sizeof *point);
    uint32_t *corner = malloc(3 * (size_t)triangles * sizeof *corner);
    for (uint32_t i = 0; i < triangles; ++i) cm_mesh_corners(plain, i, corner + 3 * (size_t)i);
    for (int k = 0; k < samples(60, 2000); ++k) {
        memcpy(point, cm_mesh_points(plain), points * sizeof *point);
        cm_vec3 *one = &point[rng_below(&r, points)];
        *one = cm_scale(*one, CM_REAL(rng_range(&r, 1, 1.02)));
        const cm_mesh_desc desc = {.points = &point[0].x,
                                   .point_count = points,
                                   .indices = corner,
                                   .triangle_count = triangles,
                                   .solid = true};
        cm_mesh *drawn = NULL;
        assert_int_equal(cm_mesh_build(&desc, NULL, &drawn, NULL), CM_OK);
        cm_pose pose = cm_pose_identity();
        if (rng_below(&r, 2)) cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(0.3), &pose.rotation);
        if (rng_below(&r, 2))
            ask_meeting(k, drawn, outer, &pose, &tally);
        else
            ask_meeting(k, outer, drawn, &pose, &tally);
        cm_mesh_destroy(drawn, NULL);
    }
    printf("  %d meet, %d are apart, %d are left open\n", tally.meet, tally.apart, tally.open);
    assert_true(tally.meet > 0 && tally.apart > 0);
    free(point), free(corner);
    cm_mesh_destroy(outer, NULL), cm_mesh_destroy((cm_mesh *)plain, NULL);
}

/* 0.1 % apart, of triangles 30 times as long as that: the search alone settles it, in either order. */
static void shells_side_by_side_need_no_walk(void **state) {
    (void)state;
    cm_mesh *inner = solid_sphere(1, 100, 200), *outer = solid_sphere(CM_REAL(1.001), 100, 200);
    for (int k = 0; k < 4; ++k) {
        meeting_tally tally = {0, 0, 0};
        cm_pose turned = cm_pose_identity();
        cm_quat_from_axis_angle(cm_v(0, 0, 1), k < 2 ? CM_REAL(0.3) : 0, &turned.rotation);
        ask_meeting(k, k % 2 ? outer : inner, k % 2 ? inner : outer, &turned, &tally);
        check_that(tally.apart == 1, "order %d: left open, or said to meet", k);
    }
    cm_mesh_destroy(inner, NULL), cm_mesh_destroy(outer, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whether_they_meet_is_never_told_wrongly), cmocka_unit_test(nor_far_from_their_origins),
        cmocka_unit_test(one_corner_that_passes_through_is_found), cmocka_unit_test(shells_side_by_side_need_no_walk)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
