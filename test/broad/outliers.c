/* One object far away, or a few, or scenes within scenes: the pairs stay right, and nobody pays for it. */
#include "support/broads.h"
#include "support/support.h"

enum { OBJECTS = 4000 };

typedef enum outliers { NONE, ONE_FAR, SOME_FAR, NESTED } outliers;

static const char *const outliers_text[] = {"none far", "one far", "1 % far", "nested"};

/* Unit boxes spread so that each meets a few. `far` of them lie at up to `distance`; nested: each eighth part of the
 * objects is packed into a thousandth of the size of the part before. */
static void make_boxes(cm_aabb *boxes, outliers how, double distance, uint64_t seed) {
    rng r = {seed};
    const double side = 12;
    for (int i = 0; i < OBJECTS; i++) {
        bool far = (how == ONE_FAR && i == OBJECTS / 2) || (how == SOME_FAR && i % 100 == 0);
        double scale = 1;
        for (int k = 0; how == NESTED && k < i % 3; k++) scale /= 1000;
        cm_vec3 c = rng_vec3(&r, far ? distance : side * scale);
        cm_real half = (cm_real)(0.35 * scale);
        boxes[i].min = cm_sub(c, cm_v(half, half, half)), boxes[i].max = cm_add(c, cm_v(half, half, half));
    }
}

static size_t brute_pairs(const cm_aabb *boxes) {
    size_t count = 0;
    for (int i = 0; i < OBJECTS; i++)
        for (int k = 0; k < i; k++) count += cm_overlap_aabb_aabb(&boxes[i], &boxes[k]);
    return count;
}

static uint64_t count_tests(int kind, const cm_aabb *boxes, size_t expected, const char *what) {
    cm_broad_desc desc = broads_desc(kind);
    cm_broad *b = NULL;
    cm_broad_pair_view view;
    cm_broad_stats stats;
    assert_int_equal(cm_broad_create(&desc, &b, NULL), CM_OK);
    assert_int_equal(cm_broad_add_many(b, boxes, 0, OBJECTS, NULL, NULL), CM_OK);
    assert_int_equal(cm_broad_update(b), CM_OK);
    assert_int_equal(cm_broad_find_pairs(b, 0, &view), CM_OK);
    check_that(view.count == expected, "%s, %s: %zu pairs, expected %zu", broads_name(kind), what, view.count,
               expected);
    cm_broad_get_stats(b, &stats);
    cm_broad_destroy(b);
    return stats.tests;
}

/* Of all kinds but the one that tests all pairs anyway. At 1e12 octrees have no more levels: they halve 40 times. */
static void far_objects_cost_at_most_twice_as_much(void **state) {
    (void)state;
    static cm_aabb boxes[OBJECTS];
    uint64_t alone[BROADS];
    for (int how = NONE; how <= SOME_FAR; how++)
        for (double distance = 1e3; distance < 2e12; distance *= how == NONE ? 1e12 : 1e3) {
            make_boxes(boxes, (outliers)how, distance, 71);
            size_t expected = brute_pairs(boxes);
            assert_true(expected > OBJECTS / 8);
            for (int kind = 0; kind < BROADS; kind++) {
                uint64_t tests = count_tests(kind, boxes, expected, outliers_text[how]);
                if (how == NONE) alone[kind] = tests;
                const cm_broad_kind base = broads_desc(kind).kind;
                bool halves = base == CM_BROAD_OCTREE || base == CM_BROAD_QUADTREE;
                if (kind == CM_BROAD_BRUTE || (halves && distance > 1e10)) continue;
                check_that(tests <= 2 * alone[kind], "%s, %s, at %g: %llu tests, %llu without", broads_name(kind),
                           outliers_text[how], distance, (unsigned long long)tests, (unsigned long long)alone[kind]);
            }
        }
}

/* A tree of boxes sees every scale. */
static void scenes_within_scenes_cost_a_tree_no_more(void **state) {
    (void)state;
    static cm_aabb boxes[OBJECTS];
    make_boxes(boxes, NONE, 1, 71);
    uint64_t alone = count_tests(CM_BROAD_BVH, boxes, brute_pairs(boxes), outliers_text[NONE]);
    make_boxes(boxes, NESTED, 1, 73);
    uint64_t nested = count_tests(CM_BROAD_BVH, boxes, brute_pairs(boxes), outliers_text[NESTED]);
    check_that(nested <= 2 * alone, "%llu tests, %llu without", (unsigned long long)nested, (unsigned long long)alone);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_objects_cost_at_most_twice_as_much),
        cmocka_unit_test(scenes_within_scenes_cost_a_tree_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
