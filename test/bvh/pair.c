/* Two trees under a pose: boxes against points, at all ratios of size, against brute force. */
#include "bvh/bvh.h"
#include "support/support.h"

#include <math.h>

enum { BOXES = 200, POINTS = 200 };
static cm_aabb boxes[BOXES], points[POINTS];
static cm_vec3 posed[POINTS];
static bool offered[BOXES][POINTS];

static double box_distance(const cm_aabb *b, cm_vec3 p) {
    double x = fmax(0, fmax((double)b->min.x - (double)p.x, (double)p.x - (double)b->max.x));
    double y = fmax(0, fmax((double)b->min.y - (double)p.y, (double)p.y - (double)b->max.y));
    double z = fmax(0, fmax((double)b->min.z - (double)p.z, (double)p.z - (double)b->max.z));
    return sqrt(x * x + y * y + z * z);
}

typedef struct scene {
    cm__bvh a, b;
    cm__bvh_placing placing;
} scene;

/* A: boxes about (off_a, 0, 0); B: points of a cloud that lies among them once posed, modelled about (0, off_b, 0). */
static void make_scene(rng *r, double size_a, double size_b, double off_a, double off_b, scene *out) {
    for (int i = 0; i < BOXES; ++i) {
        boxes[i].min = cm_add(rng_vec3(r, size_a), cm_v(CM_REAL(off_a), 0, 0));
        boxes[i].max = cm_add(boxes[i].min, cm_vec3_abs(rng_vec3(r, size_a / 4)));
        if (i % 3 == 0) boxes[i].max.z = boxes[i].min.z;
    }
    for (int i = 0; i < POINTS; ++i)
        points[i].min = points[i].max = cm_add(rng_vec3(r, size_b), cm_v(0, CM_REAL(off_b), 0));
    cm_pose pose;
    pose.rotation = rng_below(r, 4) == 0 ? cm_quat_identity() : rng_rotation(r);
    out->placing.rotation = cm_mat3_from_quat(pose.rotation);
    cm_vec3 middle = cm_mat3_mul(&out->placing.rotation, cm_v(0, CM_REAL(off_b), 0));
    pose.position = cm_sub(cm_add(rng_vec3(r, size_a), cm_v(CM_REAL(off_a), 0, 0)), middle);
    out->placing.position = pose.position;
    for (int i = 0; i < POINTS; ++i)
        posed[i] = cm_add(cm_mat3_mul(&out->placing.rotation, points[i].min), out->placing.position);
    assert_int_equal(cm__bvh_build(boxes, BOXES, 1 + rng_below(r, 4), NULL, &out->a), CM_OK);
    assert_int_equal(cm__bvh_build(points, POINTS, 1 + rng_below(r, 4), NULL, &out->b), CM_OK);
}
static void free_scene(scene *s) {
    cm__bvh_free(&s->a, NULL);
    cm__bvh_free(&s->b, NULL);
}

/* Offered pairs of items; each once. */
static size_t collect(const scene *s, cm_real grow) {
    size_t n = 0;
    memset(offered, 0, sizeof offered);
    cm__bvh_pair_query q;
    cm__bvh_leaf la, lb;
    cm__bvh_pair_start(&q, &s->a, &s->b, &s->placing, grow);
    while (cm__bvh_pair_next(&q, &la, &lb))
        for (uint32_t i = la.first; i < la.first + la.count; ++i)
            for (uint32_t j = lb.first; j < lb.first + lb.count; ++j, ++n) {
                bool *at = &offered[s->a.items[i]][s->b.items[j]];
                check_that(!*at, "pair %u %u is offered twice", s->a.items[i], s->b.items[j]);
                *at = true;
            }
    return n;
}

static void all_pairs_that_touch_are_offered(void **state) {
    (void)state;
    rng r = rng_start("scenes", 1);
    size_t touching = 0, offers = 0, all = 0;
    for (int round = 0; round < samples(500, 150000); ++round) {
        double size_a = rng_log_range(&r, 1e-4, 1e6), size_b = size_a * rng_log_range(&r, 1e-6, 1e6);
        bool near = rng_below(&r, 2) == 0;
        scene s;
        make_scene(&r, size_a, size_b, near ? 0 : 100 * size_a, near ? 0 : 10 * size_b, &s);
        size_t n = collect(&s, 0);
        bool alike = near && size_b < 10 * size_a && size_b > size_a / 1000;
        if (alike) offers += n, all += BOXES * POINTS;
        for (int i = 0; i < BOXES; ++i)
            for (int j = 0; j < POINTS; ++j) {
                bool truth = box_distance(&boxes[i], posed[j]) == 0;
                touching += truth && alike;
                check_that(offered[i][j] || !truth, "round %d: box %d, point %d", round, i, j);
            }
        free_scene(&s);
    }
    print_message("  %zu touch, %zu offered of %zu\n", touching, offers, all);
    check_that(offers < all / 200, "%zu offered of %zu", offers, all);
}

static void corners_that_touch_in_one_point_are_offered(void **state) {
    (void)state;
    rng r = rng_start("scenes", 2);
    for (int round = 0; round < samples(500, 150000); ++round) {
        double size = rng_log_range(&r, 1e-4, 1e6);
        scene s;
        make_scene(&r, size, size * rng_log_range(&r, 1e-3, 1e3), 0, 0, &s);
        cm__bvh_free(&s.a, NULL);
        for (int i = 0; i < BOXES; ++i) { /* every box touches a posed point with a corner, an edge or a face */
            cm_vec3 p = posed[i % POINTS], side = cm_sub(boxes[i].max, boxes[i].min);
            boxes[i].min = boxes[i].max = p;
            if (i & 1) boxes[i].min.x -= side.x;
            if (i & 2) boxes[i].max.y += side.y;
            if (i & 4) boxes[i].max.z += side.z, boxes[i].min.z -= side.z;
        }
        assert_int_equal(cm__bvh_build(boxes, BOXES, 1, NULL, &s.a), CM_OK);
        collect(&s, 0);
        for (int i = 0; i < BOXES; ++i) check_that(offered[i][i % POINTS], "round %d: box %d", round, i);
        free_scene(&s);
    }
}

static void pairs_within_the_growth_are_offered(void **state) {
    (void)state;
    rng r = rng_start("scenes", 3);
    for (int round = 0; round < samples(200, 50000); ++round) {
        double size = rng_log_range(&r, 1e-4, 1e6), grow = size * rng_log_range(&r, 1e-3, 1);
        scene s;
        make_scene(&r, size, size * rng_log_range(&r, 1e-3, 1e3), 0, 0, &s);
        collect(&s, CM_REAL(grow));
        for (int i = 0; i < BOXES; ++i)
            for (int j = 0; j < POINTS; ++j) {
                bool truth = box_distance(&boxes[i], posed[j]) <= (double)CM_REAL(grow);
                check_that(offered[i][j] || !truth, "round %d: box %d, point %d", round, i, j);
            }
        free_scene(&s);
    }
}

static void the_nearest_pair_is_found_with_a_shrinking_bound(void **state) {
    (void)state;
    rng r = rng_start("scenes", 4);
    size_t offers = 0;
    int rounds = samples(500, 150000);
    for (int round = 0; round < rounds; ++round) {
        double size_a = rng_log_range(&r, 1e-4, 1e6), size_b = size_a * rng_log_range(&r, 1e-3, 1e3);
        scene s;
        make_scene(&r, size_a, size_b, 0, 0, &s);
        cm_real away = CM_REAL(size_a * rng_log_range(&r, 1e-2, 10));
        s.placing.position.x += away;
        double truth = (double)INFINITY, best = (double)INFINITY;
        for (int j = 0; j < POINTS; ++j) {
            posed[j] = cm_add(cm_mat3_mul(&s.placing.rotation, points[j].min), s.placing.position);
            for (int i = 0; i < BOXES; ++i) truth = fmin(truth, box_distance(&boxes[i], posed[j]));
        }
        cm_real bound = CM_REAL_MAX;
        cm__bvh_pair_query q;
        cm__bvh_leaf la, lb;
        cm__bvh_pair_near_start(&q, &s.a, &s.b, &s.placing);
        while (cm__bvh_pair_near_next(&q, bound, &la, &lb)) {
            for (uint32_t i = la.first; i < la.first + la.count; ++i)
                for (uint32_t j = lb.first; j < lb.first + lb.count; ++j, ++offers)
                    best = fmin(best, box_distance(&boxes[s.a.items[i]], posed[s.b.items[j]]));
            if (best < (double)bound) bound = (cm_real)best;
        }
        check_that(best == truth, "round %d: %.17g, truly %.17g", round, best, truth);
        free_scene(&s);
    }
    print_message("  %g offers a query of %d\n", (double)offers / rounds, BOXES * POINTS);
    check_that(offers < 1000 * (size_t)rounds, "%g offers a query", (double)offers / rounds);
}

static void units_beyond_all_ratios_lose_nothing(void **state) {
    (void)state;
    rng r = rng_start("scenes", 5);
    double tiny = (double)CM_REAL_MIN * 1e6, huge = (double)CM_COORD_MAX / 100;
    for (int round = 0; round < 40; ++round) {
        scene s;
        if (round % 2) {
            make_scene(&r, huge, tiny, 0, 0, &s);
        } else {
            make_scene(&r, tiny, huge, 0, 0, &s);
        }
        collect(&s, 0);
        for (int i = 0; i < BOXES; ++i)
            for (int j = 0; j < POINTS; ++j)
                check_that(offered[i][j] || box_distance(&boxes[i], posed[j]) > 0, "box %d, point %d", i, j);
        free_scene(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_that_touch_are_offered),
        cmocka_unit_test(corners_that_touch_in_one_point_are_offered),
        cmocka_unit_test(pairs_within_the_growth_are_offered),
        cmocka_unit_test(the_nearest_pair_is_found_with_a_shrinking_bound),
        cmocka_unit_test(units_beyond_all_ratios_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
