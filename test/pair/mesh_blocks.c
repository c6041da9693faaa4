/* What a plane parts is left out of the walk over two meshes: no pair of triangles that share a point, or that are no
 * farther apart than is asked, and most others where surfaces run side by side. */
#include "pair/mesh_blocks.h"
#include "pair/triangle_triangle.h"
#include "support/solids.h"

/* Pairs of triangles that share a point, one by one. */
static uint64_t common_pairs(const cm__mesh_pair *pair) {
    uint64_t count = 0;
    for (uint32_t j = 0; j < pair->b->info.triangles; ++j) {
        const cm__face b = cm__mesh_pair_b(pair, j);
        for (uint32_t i = 0; i < pair->a->info.triangles; ++i) {
            const cm__face a = cm__mesh_face(pair->a, i);
            count += cm__overlap_triangle_triangle(a.corner, b.corner);
        }
    }
    return count;
}

/* Shells of nearly one radius, anywhere: the gap between them, or how far they cross, goes down to what poses round. */
static void no_crossing_of_shells_is_left_out(void **state) {
    (void)state;
    rng r = rng_start("shells", 31);
    int crossing = 0;
    for (int k = 0; k < samples(60, 4000); ++k) {
        const double size = rng_log_range(&r, 1e-3, 1e3), gap = rng_log_range(&r, 1e-8, 1e-1);
        cm_mesh *inner = solid_sphere(CM_REAL(size), 8 + (int)rng_below(&r, 8), 9 + (int)rng_below(&r, 8));
        cm_mesh *outer = solid_sphere(CM_REAL(size * (1 + gap)), 8 + (int)rng_below(&r, 8), 9 + (int)rng_below(&r, 8));
        cm_pose pose = rng_pose(&r, size * gap);
        const double far = rng_below(&r, 2) ? 0 : size * rng_log_range(&r, 1e-2, 1e2);
        if (rng_below(&r, 2)) pose.rotation = cm_quat_identity();
        cm_pose apart = cm_pose_identity(), at;
        apart.position = cm_scale(rng_direction(&r), CM_REAL(far));
        at = cm_pose_mul(&apart, &pose);
        const cm_shape a = cm_make_mesh(inner), b = cm_make_mesh(outer);
        cm_pose here = rng_below(&r, 2) ? apart : cm_pose_identity(), b_in_a = cm_pose_between(&here, &at);
        cm__mesh_pair pair;
        cm__mesh_pair_open(inner, outer, &b_in_a, &pair);
        const uint64_t expected = common_pairs(&pair), found = cm_mesh_crossings(&a, &here, &b, &at, NULL, NULL);
        check_that(found == expected, "sample %d, size %g, gap %g: %llu crossings, %llu found", k, size, gap,
                   (unsigned long long)expected, (unsigned long long)found);
        crossing += expected > 0;
        cm_mesh_destroy(inner, NULL), cm_mesh_destroy(outer, NULL);
    }
    printf("  %d pairs cross\n", crossing);
    assert_true(crossing > 5);
}

/* Flat ones in one plane, but for what poses round: the planes of their blocks are the same. */
static void no_crossing_of_flat_sheets_is_left_out(void **state) {
    (void)state;
    rng r = rng_start("sheets", 32);
    cm_mesh *first = surface_sheet(1, 1, 6), *second = surface_sheet(CM_REAL(0.9), CM_REAL(0.7), 7);
    uint64_t all = 0;
    for (int k = 0; k < samples(40, 4000); ++k) {
        const cm_shape a = cm_make_mesh(first), b = cm_make_mesh(second);
        const cm_pose here = rng_pose(&r, 1), at = cm_pose_mul(&here, &(cm_pose){{0, 0, 0}, {0, 0, 0, 1}});
        const cm_pose b_in_a = cm_pose_between(&here, &at);
        cm__mesh_pair pair;
        cm__mesh_pair_open(first, second, &b_in_a, &pair);
        const uint64_t expected = common_pairs(&pair), found = cm_mesh_crossings(&a, &here, &b, &at, NULL, NULL);
        check_that(found == expected, "sample %d: %llu crossings, %llu found", k, (unsigned long long)expected,
                   (unsigned long long)found);
        all += expected;
    }
    assert_true(all > 0);
    cm_mesh_destroy(first, NULL), cm_mesh_destroy(second, NULL);
}

/* How many pairs of triangles the walk to the nearest offers at this bound; all those that are as near are marked. */
static uint64_t near_pairs(const cm__mesh_pair *pair, cm_real bound, bool blocks, uint8_t *offered) {
    uint64_t count = 0;
    cm__bvh_pair_query q;
    cm__mesh_blocks with;
    cm__bvh_leaf a, b;
    cm__bvh_pair_near_start(&q, &pair->tree_a, &pair->tree_b, &pair->placing);
    if (blocks) {
        cm__mesh_blocks_join(&with, pair, &q);
        with.bound = (double)bound;
    }
    while (cm__bvh_pair_near_next(&q, bound, &a, &b)) {
        count += (uint64_t)a.count * b.count;
        for (uint32_t j = b.first; offered && j < b.first + b.count; ++j)
            for (uint32_t i = a.first; i < a.first + a.count; ++i) offered[(size_t)j * pair->a->info.triangles + i] = 1;
    }
    return count;
}

/* Bounds that are just the distance of some pair, and shells of any size near and far from their frame's zero. */
static void no_triangles_within_the_bound_are_left_out(void **state) {
    (void)state;
    rng r = rng_start("near shells", 33);
    uint64_t within = 0, left_out = 0;
    for (int k = 0; k < samples(40, 3000); ++k) {
        const double size = rng_log_range(&r, 1e-3, 1e3), gap = rng_log_range(&r, 1e-5, 1);
        cm_mesh *inner = solid_sphere(CM_REAL(size), 8, 9), *outer = solid_sphere(CM_REAL(size * (1 + gap)), 9, 8);
        cm_pose b_in_a = rng_pose(&r, size * gap);
        if (rng_below(&r, 2)) b_in_a.rotation = cm_quat_identity();
        if (rng_below(&r, 2)) b_in_a.position = cm_scale(rng_direction(&r), CM_REAL(size * (2 + gap)));
        cm__mesh_pair pair;
        cm__mesh_pair_open(inner, outer, &b_in_a, &pair);
        const uint32_t in_a = inner->info.triangles, in_b = outer->info.triangles;
        uint8_t *offered = calloc((size_t)in_a * in_b, 1);
        cm_real *apart = malloc((size_t)in_a * in_b * sizeof *apart);
        for (uint32_t j = 0; j < in_b; ++j) {
            const cm__face b = cm__mesh_pair_b(&pair, j);
            for (uint32_t i = 0; i < in_a; ++i) {
                const cm__face a = cm__mesh_face(pair.a, i);
                cm_vec3 on_a, on_b;
                apart[(size_t)j * in_a + i] =
                    cm__distance_triangle_triangle(a.corner, b.corner, CM_REAL_MAX, &on_a, &on_b);
            }
        }
        const cm_real some = apart[rng_below(&r, in_a * in_b)], bound = rng_below(&r, 2) ? some : some * CM_REAL(0.1);
        near_pairs(&pair, bound, true, offered);
        for (size_t i = 0; i < (size_t)in_a * in_b; ++i) {
            check_that(apart[i] > bound || offered[i], "sample %d: %.9g apart, not offered within %.9g", k,
                       (double)apart[i], (double)bound);
            within += apart[i] <= bound, left_out += !offered[i];
        }
        free(offered), free(apart);
        cm_mesh_destroy(inner, NULL), cm_mesh_destroy(outer, NULL);
    }
    check_that(within > 1000 && left_out > 1000, "%llu within, %llu left out", (unsigned long long)within,
               (unsigned long long)left_out);
}

static uint64_t offered_pairs(const cm__mesh_pair *pair, bool blocks) {
    uint64_t count = 0;
    cm__bvh_pair_query q;
    cm__mesh_blocks with;
    cm__bvh_leaf a, b;
    cm__bvh_pair_start(&q, &pair->tree_a, &pair->tree_b, &pair->placing, 0);
    if (blocks) cm__mesh_blocks_join(&with, pair, &q);
    while (cm__bvh_pair_next(&q, &a, &b)) count += (uint64_t)a.count * b.count;
    return count;
}

/* 0.1 % apart, of triangles 30 times as long as that: their boxes lie across the axes and overlap. */
static void shells_side_by_side_offer_next_to_no_triangles(void **state) {
    (void)state;
    cm_mesh *inner = solid_sphere(1, 100, 200), *outer = solid_sphere(CM_REAL(1.001), 100, 200);
    const cm_mesh *order[2][2] = {{inner, outer}, {outer, inner}};
    cm_pose turned = cm_pose_identity();
    cm_quat_from_axis_angle(cm_v(0, 0, 1), CM_REAL(0.3), &turned.rotation);
    for (int k = 0; k < 2; ++k) {
        cm__mesh_pair pair;
        cm__mesh_pair_open(order[k][0], order[k][1], &turned, &pair);
        const uint64_t without = offered_pairs(&pair, false), with = offered_pairs(&pair, true);
        check_that(without > 300000 && with < without / 4, "%llu offered, with blocks %llu",
                   (unsigned long long)without, (unsigned long long)with);
    }
    cm_mesh_destroy(inner, NULL), cm_mesh_destroy(outer, NULL);
}

/* 0.5 % apart, of triangles six times as long as that, and one of them 0.1 % aside: within the distance that there is
 * boxes that lie across the axes part little. */
static void shells_aside_offer_few_triangles_within_their_distance(void **state) {
    (void)state;
    cm_mesh *inner = solid_sphere(1, 100, 200), *outer = solid_sphere(CM_REAL(1.005), 100, 200);
    const cm_pose pose = cm_pose_at(cm_v(CM_REAL(0.0006), CM_REAL(0.0006), CM_REAL(0.0005)));
    cm__mesh_pair pair;
    cm__mesh_gap gap;
    cm__mesh_pair_open(inner, outer, &pose, &pair);
    assert_true(cm__mesh_pair_gap(&pair, CM_REAL_MAX, &gap));
    const uint64_t without = near_pairs(&pair, gap.distance, false, NULL),
                   with = near_pairs(&pair, gap.distance, true, NULL);
    check_that(with < without / 4, "%llu offered, with blocks %llu", (unsigned long long)without,
               (unsigned long long)with);
    cm_mesh_destroy(inner, NULL), cm_mesh_destroy(outer, NULL);
}

/* Whatever two blocks a search turns between stay on the shelf, and so do nearly all of twenty next to each other. */
static void two_blocks_never_drive_each_other_out(void **state) {
    (void)state;
    enum { NEXT = 20 };
    rng r = rng_start("shelf", 36);
    cm_mesh *ball = solid_sphere(1, 60, 120);
    static cm__mesh_shelf shelf;
    int read_anew = 0, asked = 0;
    for (int k = 0; k < samples(2000, 200000); ++k) {
        const cm__bvh_leaf one = {rng_below(&r, cm_mesh_triangle_count(ball)), 1},
                           other = {rng_below(&r, cm_mesh_triangle_count(ball)), 1};
        cm__mesh_shelf_open(&shelf, ball);
        const cm__mesh_block *first = cm__mesh_shelf_block(&shelf, &one);
        const uint32_t at = first->first;
        cm__mesh_shelf_block(&shelf, &other);
        check_that(first->first == at, "sample %d: %u drove %u out", k, first->first, at);
        const cm__mesh_block *next[NEXT];
        uint32_t place = at, begin[NEXT];
        int count = 0;
        for (; count < NEXT && place < cm_mesh_triangle_count(ball); ++count) {
            next[count] = cm__mesh_shelf_block(&shelf, &(cm__bvh_leaf){place, 1});
            begin[count] = next[count]->first;
            place += next[count]->count;
        }
        for (int i = 0; i < count; ++i) read_anew += next[i]->first != begin[i];
        asked += count;
    }
    printf("  %d of %d were driven out\n", read_anew, asked);
    assert_true(read_anew < asked / 50);
    cm_mesh_destroy(ball, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_crossing_of_shells_is_left_out),
                                       cmocka_unit_test(no_crossing_of_flat_sheets_is_left_out),
                                       cmocka_unit_test(no_triangles_within_the_bound_are_left_out),
                                       cmocka_unit_test(shells_aside_offer_few_triangles_within_their_distance),
                                       cmocka_unit_test(shells_side_by_side_offer_next_to_no_triangles),
                                       cmocka_unit_test(two_blocks_never_drive_each_other_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
