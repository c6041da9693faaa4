/* Asking one tree: every item that is asked for is offered, and not the whole tree. Against brute force in double. */
#include "bvh/bvh.h"
#include "support/support.h"

#include <math.h>

enum { COUNT = 400 };
static cm_aabb boxes[COUNT];
static bool offered[COUNT];
static size_t offers;

static void random_boxes(rng *r, double size, double offset) {
    for (int i = 0; i < COUNT; ++i) {
        cm_vec3 at = cm_add(rng_vec3(r, size), cm_v(CM_REAL(offset), 0, CM_REAL(-offset)));
        boxes[i].min = at;
        boxes[i].max = cm_add(at, cm_vec3_abs(rng_vec3(r, size / 20)));
        if (rng_below(r, 4) == 0) boxes[i].max.x = boxes[i].min.x; /* flat */
    }
}

static void offer(const cm__bvh *tree, cm__bvh_leaf leaf) {
    for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
        check_that(!offered[tree->items[i]], "item %u is offered twice", tree->items[i]);
        offered[tree->items[i]] = true;
        ++offers;
    }
}

static void what_touches_a_box_is_offered(void **state) {
    (void)state;
    rng r = rng_start("boxes", 1);
    size_t touching = 0;
    offers = 0;
    for (int round = 0; round < samples(2000, 200000); ++round) {
        double size = rng_log_range(&r, 1e-4, 1e6);
        if (round % 20 == 0) random_boxes(&r, size, rng_below(&r, 2) ? 0 : 1e3 * size);
        cm__bvh tree;
        cm__bvh_build(boxes, COUNT, 1 + rng_below(&r, 4), NULL, &tree);
        cm_aabb box = boxes[rng_below(&r, COUNT)];
        int kind = (int)rng_below(&r, 4);
        if (kind == 0) box.max = box.min;                                                     /* a corner of an item */
        if (kind == 1) box.min.y = box.max.y;                                                 /* a face */
        if (kind == 2) box.max.x = CM_REAL_MAX, box.max.y = box.min.y, box.max.z = box.min.z; /* a half-line */
        memset(offered, 0, sizeof offered);
        cm__bvh_box_query q;
        cm__bvh_leaf leaf;
        cm__bvh_box_start(&q, &tree, &box);
        while (cm__bvh_box_next(&q, &leaf)) offer(&tree, leaf);
        for (int i = 0; i < COUNT; ++i) {
            bool truth = cm_aabb_overlaps(&boxes[i], &box);
            touching += truth;
            check_that(offered[i] || !truth, "round %d: item %d touches", round, i);
        }
        cm__bvh_free(&tree, NULL);
    }
    print_message("  %zu touch, %zu offered\n", touching, offers);
    check_that(offers < 8 * touching, "%zu offered for %zu", offers, touching);
}

/* Boxes that end at about the tree's origin, where a side's own size tells nothing of the rounding in a walk. */
static void what_touches_a_large_box_at_the_origin_is_offered(void **state) {
    (void)state;
    rng r = rng_start("boxes", 6);
    for (int round = 0; round < samples(2000, 200000); ++round) {
        cm_real little = CM_REAL(rng_log_range(&r, 1e-9, 1e-5)), wide = CM_REAL(rng_range(&r, 1, 2));
        for (int i = 0; i < COUNT; ++i) {
            cm_real x = little * CM_REAL(rng_range(&r, -1, 1));
            boxes[i].min = cm_v(i % 2 ? x : -wide, -wide, -wide), boxes[i].max = cm_v(i % 2 ? wide : x, wide, wide);
        }
        cm__bvh tree;
        cm__bvh_build(boxes, COUNT, 1, NULL, &tree);
        for (int k = 0; k < 20; ++k) {
            uint32_t one = rng_below(&r, COUNT);
            cm_aabb box = {cm_v(boxes[one].min.x, 0, 0), cm_v(boxes[one].min.x, 0, 0)};
            if (one % 2 == 0) box.min.x = box.max.x = boxes[one].max.x;
            memset(offered, 0, sizeof offered);
            cm__bvh_box_query q;
            cm__bvh_leaf leaf;
            cm__bvh_box_start(&q, &tree, &box);
            while (cm__bvh_box_next(&q, &leaf)) offer(&tree, leaf);
            check_that(offered[one], "round %d: item %u is touched at %g", round, one, (double)box.min.x);
        }
        cm__bvh_free(&tree, NULL);
    }
}

static void an_empty_box_touches_nothing(void **state) {
    (void)state;
    rng r = rng_start("boxes", 5);
    random_boxes(&r, 1, 0);
    cm__bvh tree;
    cm__bvh_build(boxes, COUNT, 1, NULL, &tree);
    cm_aabb box = cm_aabb_empty();
    cm__bvh_box_query q;
    cm__bvh_leaf leaf;
    cm__bvh_box_start(&q, &tree, &box);
    assert_false(cm__bvh_box_next(&q, &leaf));
    box.min = box.max = cm_v(0, 0, 0);
    box.max.y = (cm_real)NAN;
    cm__bvh_box_start(&q, &tree, &box);
    assert_false(cm__bvh_box_next(&q, &leaf));
    cm__bvh_free(&tree, NULL);
}

static double box_distance(const cm_aabb *b, cm_vec3 p) {
    double x = fmax(0, fmax((double)b->min.x - (double)p.x, (double)p.x - (double)b->max.x));
    double y = fmax(0, fmax((double)b->min.y - (double)p.y, (double)p.y - (double)b->max.y));
    double z = fmax(0, fmax((double)b->min.z - (double)p.z, (double)p.z - (double)b->max.z));
    return sqrt(x * x + y * y + z * z);
}

static void the_nearest_is_found_with_a_shrinking_bound(void **state) {
    (void)state;
    rng r = rng_start("points", 2);
    offers = 0;
    int rounds = samples(2000, 200000);
    for (int round = 0; round < rounds; ++round) {
        double size = rng_log_range(&r, 1e-4, 1e6);
        random_boxes(&r, size, 0);
        cm__bvh tree;
        cm__bvh_build(boxes, COUNT, 1 + rng_below(&r, 4), NULL, &tree);
        cm_vec3 p = rng_vec3(&r, size * rng_log_range(&r, 0.5, 1e4));
        cm_real bound = CM_REAL_MAX;
        double best = (double)INFINITY, truth = (double)INFINITY;
        for (int i = 0; i < COUNT; ++i) truth = fmin(truth, box_distance(&boxes[i], p));
        memset(offered, 0, sizeof offered);
        cm__bvh_near_query q;
        cm__bvh_leaf leaf;
        cm__bvh_near_start(&q, &tree, p);
        while (cm__bvh_near_next(&q, bound, &leaf)) {
            offer(&tree, leaf);
            for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i)
                best = fmin(best, box_distance(&boxes[tree.items[i]], p));
            if (best < (double)bound) bound = (cm_real)best;
        }
        check_that(best == truth, "round %d: %g, truly %g", round, best, truth);
        cm__bvh_free(&tree, NULL);
    }
    check_that(offers < 40 * (size_t)rounds, "%g offers a query", (double)offers / rounds);
    print_message("  %g offers a query of %d\n", (double)offers / rounds, COUNT);
}

/* The slabs in double; true only where the ray clearly or exactly meets the box: rays here go through points of it. */
static void what_a_ray_meets_is_offered(void **state) {
    (void)state;
    rng r = rng_start("rays", 3);
    offers = 0;
    int rounds = samples(4000, 400000);
    for (int round = 0; round < rounds; ++round) {
        double size = rng_log_range(&r, 1e-4, 1e6);
        random_boxes(&r, size, rng_below(&r, 2) ? 0 : 10 * size);
        cm__bvh tree;
        cm__bvh_build(boxes, COUNT, 1 + rng_below(&r, 4), NULL, &tree);
        /* aims at a corner, an edge or a point within; the aim itself rounds as the caller's numbers do */
        int target = (int)rng_below(&r, COUNT);
        const cm_aabb *b = &boxes[target];
        cm_vec3 aim = cm_v(rng_below(&r, 2) ? b->min.x : b->max.x, rng_below(&r, 2) ? b->min.y : b->max.y,
                           rng_below(&r, 2) ? b->min.z : (b->min.z + b->max.z) / 2);
        cm_vec3 along = cm_scale(rng_direction(&r), CM_REAL(size * rng_log_range(&r, 0.1, 100)));
        if (rng_below(&r, 3) == 0) along = cm_v(0, rng_below(&r, 2) ? along.y : -along.y, 0); /* along an axis */
        cm_vec3 origin = cm_sub(aim, along);
        along = cm_sub(aim, origin);
        /* origin + along is the aim but for one rounding of the length: what the allowance is for */
        cm_real error = 2 * CM_REAL_EPSILON * (cm_largest(along) + cm_largest(origin));
        memset(offered, 0, sizeof offered);
        cm__bvh_ray_query q;
        cm__bvh_leaf leaf;
        cm__bvh_ray_start(&q, &tree, origin, along, error);
        while (cm__bvh_ray_next(&q, CM_REAL(1.0001), &leaf)) offer(&tree, leaf);
        check_that(offered[target], "round %d: item %d is aimed at", round, target);
        cm__bvh_free(&tree, NULL);
    }
    print_message("  %g offers a query of %d\n", (double)offers / rounds, COUNT);
    check_that(offers < 20 * (size_t)rounds, "%g offers a query", (double)offers / rounds);
}

static void a_ray_that_points_away_is_offered_nothing(void **state) {
    (void)state;
    rng r = rng_start("rays", 4);
    random_boxes(&r, 1, 0);
    cm__bvh tree;
    cm__bvh_build(boxes, COUNT, 1, NULL, &tree);
    cm__bvh_ray_query q;
    cm__bvh_leaf leaf;
    cm__bvh_ray_start(&q, &tree, cm_v(10, 0, 0), cm_v(1, 0, 0), 0);
    assert_false(cm__bvh_ray_next(&q, CM_REAL_MAX, &leaf));
    cm__bvh_ray_start(&q, &tree, cm_v(10, 0, 0), cm_v(-1, 0, 0), 0);
    assert_false(cm__bvh_ray_next(&q, CM_REAL(8.5), &leaf)); /* the boxes reach to 1.05 */
    cm__bvh_free(&tree, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_touches_a_box_is_offered),
        cmocka_unit_test(what_touches_a_large_box_at_the_origin_is_offered),
        cmocka_unit_test(an_empty_box_touches_nothing),
        cmocka_unit_test(the_nearest_is_found_with_a_shrinking_bound),
        cmocka_unit_test(what_a_ray_meets_is_offered),
        cmocka_unit_test(a_ray_that_points_away_is_offered_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
