/* `carom simulate --compare-broad`: every broad phase finds the same pairs. Times are printed, never tested. */
#include "command.h"
#include "simulate/compare_plan.h"

#include <math.h>

#define SCENES SOURCE_SCENES "/"

typedef struct kind_row {
    char name[32];
    double pairs, tests, ms;
    unsigned long long bytes;
} kind_row;

/* The rows of the table, in order; fails unless there is one for every kind. */
static void read_table(const char *out, kind_row rows[COMPARE_SIDES]) {
    const char *at = strstr(out, "broad phase ");
    check_that(at != NULL, "no table in\n%s", out);
    for (int i = 0; i < COMPARE_SIDES; i++) {
        char line[200], *numbers;
        at = strchr(at, '\n') + 1;
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        assert_int_equal(sscanf(line, "%31s", rows[i].name), 1);
        assert_string_equal(rows[i].name, compare_side_name(i));
        numbers = strchr(line, ')') ? strchr(line, ')') + 1 : line + strlen(rows[i].name);
        check_that(sscanf(numbers, "%lf %lf %llu %lf", &rows[i].pairs, &rows[i].tests, &rows[i].bytes, &rows[i].ms) ==
                       4,
                   "%s", line);
    }
}

static void expect_pairs(const char *scene, const char *steps, double exact) {
    kind_row rows[COMPARE_SIDES];
    run r = RUN("simulate", scene, "--compare-broad", "--steps", steps);
    check_that(r.code == 0, "%s", r.err);
    read_table(r.out, rows);
    print_message("%s", strstr(r.out, "broad phase "));
    for (int i = 0; i < COMPARE_SIDES; i++) {
        check_that(rows[i].pairs == (exact < 0 ? rows[0].pairs : exact), "%s: %g pairs", rows[i].name, rows[i].pairs);
        check_that(rows[i].bytes > 0, "%s holds nothing", rows[i].name);
    }
    if (exact < 0) check_that(rows[0].pairs > 0, "no pairs");
    run_free(&r);
}

static void the_crowds_pairs_are_the_same_for_every_kind(void **state) {
    (void)state;
    expect_pairs(SCENES "crowd.json", "4", -1);
}

/* Objects vanish on the way, half-spaces are unbounded. */
static void so_are_the_launchs(void **state) {
    (void)state;
    expect_pairs(SCENES "launch.json", "200", -1);
}

/* Four unit boxes in a row, 0.75 apart: three pairs of neighbors. A fixed one stands where the first is: it overlaps
 * the first two. A second fixed one there doubles that, and is no pair with the other. */
static void known_boxes_have_the_known_pairs(void **state) {
    (void)state;
    const char *scene = write_text(
        "row.json",
        "{\"schema\": \"carom-scene-1\", \"shapes\": {\"box\": {\"kind\": \"box\", \"size\": [1, 1, 1]}}, "
        "\"objects\": [{\"shape\": \"box\", \"mass\": 1}, {\"shape\": \"box\", \"mass\": 1, \"at\": [0.75, 0, "
        "0]}, {\"shape\": \"box\", \"mass\": 1, \"at\": [1.5, 0, 0]}, {\"shape\": \"box\", \"mass\": 1, "
        "\"at\": [2.25, 0, 0]}, {\"shape\": \"box\"}, {\"shape\": \"box\"}]}");
    expect_pairs(scene, "3", 7);
}

/* --- funnel, numbers of objects, queries -------------------------------------------------------------------------- */

static const char *row_scene(void) {
    return write_text(
        "row.json",
        "{\"schema\": \"carom-scene-1\", \"shapes\": {\"box\": {\"kind\": \"box\", \"size\": [1, 1, 1]}, \"ball\": "
        "{\"kind\": \"sphere\", \"radius\": 0.5}}, \"objects\": [{\"shape\": \"ball\", \"mass\": 1}, {\"shape\": "
        "\"ball\", "
        "\"mass\": 1, \"at\": [0.75, 0, 0]}, {\"shape\": \"ball\", \"mass\": 1, \"at\": [0.75, 0.75, 0.75]}, "
        "{\"shape\": "
        "\"box\", \"at\": [9, 0, 0]}, {\"shape\": \"box\", \"at\": [9, 0, 0]}]}");
}

/* Five objects are 10 pairs. Of the balls' boxes each overlaps both others: 3; of the balls the first two touch, 0.75
 * apart, the third is 1.06 from the second and 1.3 from the first: 1, with one point. The two fixed boxes are no pair.
 */
static void the_funnel_tells_what_each_stage_leaves(void **state) {
    (void)state;
    run r = RUN("simulate", row_scene(), "--compare-broad", "--steps", "3");
    double n, all, boxes, touch, points;
    const char *at = strstr(r.out, "contact points");
    check_that(r.code == 0 && at != NULL, "%s%s", r.out, r.err);
    assert_int_equal(sscanf(strchr(at, '\n'), "%lf %lf %lf %lf %lf", &n, &all, &boxes, &touch, &points), 5);
    check_that(n == 5 && all == 10 && boxes == 3 && touch == 1 && points == 1, "%g: %g > %g > %g > %g", n, all, boxes,
               touch, points);
    run_free(&r);
}

/* A third of the cube's 800 boxes, or three times as many, as densely: all pairs follow by hand, the overlapping ones
 * grow with the number, not with its square. Only the kinds asked for are there, in the order of the list. */
static void numbers_of_objects_are_as_dense_as_the_scene(void **state) {
    (void)state;
    const char *scene = write_text(
        "cloud.json",
        "{\"schema\": \"carom-scene-1\", \"steps\": 2, \"shapes\": {\"box\": {\"kind\": \"box\", \"size\": "
        "[1, 1, 1]}}, \"objects\": [{\"shape\": \"box\", \"mass\": 1, \"scatter\": {\"count\": 600, \"low\": "
        "[10, 10, 10], \"high\": [20, 20, 20]}}, {\"shape\": \"box\", \"mass\": 1, \"scatter\": {\"count\": "
        "200, \"seed\": 2, \"low\": [10, 10, 10], \"high\": [20, 20, 20]}}]}");
    run r = RUN("simulate", scene, "--compare-broad", "--objects", "267,801,2400", "--kinds",
                "bvh,sweep,octree-clipped", "--queries", "rays=20,boxes=5,nearest=3,frusta=2");
    check_that(r.code == 0, "%s", r.err);
    const char *at = strstr(r.out, "contact points");
    double n[3], all[3], boxes[3], touch;
    for (int i = 0; i < 3; i++) {
        at = strchr(at, '\n') + 1;
        assert_int_equal(sscanf(at, "%lf %lf %lf %lf", &n[i], &all[i], &boxes[i], &touch), 4);
        check_that(all[i] == n[i] * (n[i] - 1) / 2, "%g objects: %g pairs", n[i], all[i]);
        check_that(touch > 0 && touch <= boxes[i], "%g objects: %g of %g touch", n[i], touch, boxes[i]);
    }
    check_that(n[0] == 267 && n[1] == 801 && n[2] == 2400, "%g %g %g objects", n[0], n[1], n[2]);
    const double grows = log(boxes[2] / boxes[0]) / log(n[2] / n[0]);
    check_that(grows > 0.85 && grows < 1.3, "boxes overlap %g, %g, %g times: N^%g", boxes[0], boxes[1], boxes[2],
               grows);
    const char *const titles[] = {"\nms/step",         "\ntests/step",        "\nus/query: rays",
                                  "\nus/query: boxes", "\nus/query: nearest", "\nus/query: frusta"};
    for (int i = 0; i < 6; i++) {
        char first[32], second[32], third[32];
        const char *table = strstr(r.out, titles[i]);
        check_that(table != NULL, "no table %s", titles[i] + 1);
        const char *line = strchr(table + 1, '\n') + 1;
        assert_int_equal(sscanf(line, "%31s%*[^\n] %31s%*[^\n] %31s", first, second, third), 3);
        check_that(!strcmp(first, "sweep") && !strcmp(second, "bvh") && !strcmp(third, "octree-clipped"), "%s, %s, %s",
                   first, second, third);
    }
    check_that(strstr(r.out, "brute") == NULL, "brute was not asked for");
    run_free(&r);
}

static void what_cannot_be_compared_is_refused(void **state) {
    (void)state;
    const char *scene = row_scene();
    EXPECT(2, "scatters nothing", "simulate", scene, "--compare-broad", "--objects", "100");
    EXPECT(2, "go with --compare-broad", "simulate", scene, "--objects", "100");
    EXPECT(2, "go with --compare-broad", "simulate", scene, "--queries", "rays=1");
    static const char *const bad[][2] = {
        {"--objects", "100,"},   {"--objects", "200,100"}, {"--objects", "0"},     {"--objects", "1e3"},
        {"--objects", ""},       {"--objects", "1000001"}, {"--kinds", "kdtree"},  {"--kinds", "bvh,"},
        {"--kinds", ""},         {"--queries", "rays"},    {"--queries", "rays="}, {"--queries", "rays=1,box=2"},
        {"--queries", "rays=-1"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        EXPECT(2, "is not a list", "simulate", scene, "--compare-broad", bad[i][0], bad[i][1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_crowds_pairs_are_the_same_for_every_kind),
        cmocka_unit_test(so_are_the_launchs),
        cmocka_unit_test(known_boxes_have_the_known_pairs),
        cmocka_unit_test(the_funnel_tells_what_each_stage_leaves),
        cmocka_unit_test(numbers_of_objects_are_as_dense_as_the_scene),
        cmocka_unit_test(what_cannot_be_compared_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
