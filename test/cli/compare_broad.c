/* `carom simulate --compare-broad`: every broad phase finds the same pairs. Times are printed, never tested. */
#include "command.h"

#define SCENES SOURCE_SCENES "/"

typedef struct kind_row {
    char name[32];
    double pairs, tests, ms;
    unsigned long long bytes;
} kind_row;

/* The rows of the table, in order; fails unless there is one for every kind. */
static void read_table(const char *out, kind_row rows[CM_BROAD_KIND_COUNT]) {
    const char *at = strstr(out, "broad phase ");
    check_that(at != NULL, "no table in\n%s", out);
    for (int i = 0; i < CM_BROAD_KIND_COUNT; i++) {
        char line[200], *numbers;
        at = strchr(at, '\n') + 1;
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        assert_int_equal(sscanf(line, "%31s", rows[i].name), 1);
        assert_string_equal(rows[i].name, cm_broad_kind_text((cm_broad_kind)i));
        numbers = strchr(line, ')') ? strchr(line, ')') + 1 : line + strlen(rows[i].name);
        check_that(sscanf(numbers, "%lf %lf %llu %lf", &rows[i].pairs, &rows[i].tests, &rows[i].bytes, &rows[i].ms) ==
                       4,
                   "%s", line);
    }
}

static void expect_pairs(const char *scene, const char *steps, double exact) {
    kind_row rows[CM_BROAD_KIND_COUNT];
    run r = RUN("simulate", scene, "--compare-broad", "--steps", steps);
    check_that(r.code == 0, "%s", r.err);
    read_table(r.out, rows);
    print_message("%s", strstr(r.out, "broad phase "));
    for (int i = 0; i < CM_BROAD_KIND_COUNT; i++) {
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_crowds_pairs_are_the_same_for_every_kind),
        cmocka_unit_test(so_are_the_launchs),
        cmocka_unit_test(known_boxes_have_the_known_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
